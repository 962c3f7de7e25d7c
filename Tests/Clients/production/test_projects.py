"""Tenants, provider configurations and the configuration of a project, as recorded."""

import re

import pytest
from support.auth.production import IT, Production, claims, custom_token
from support.server import Server

NUMBER = r"\d+"
NAME = (
    "INVALID_DISPLAY_NAME : display_name should start with a letter and only consist of "
    "letters, digits and hyphens with 4-20 characters."
)
NO_NAME = "MISSING_DISPLAY_NAME : Missing tenant with valid display_name."
OPEN = {"allowPasswordSignup": True, "enableEmailLinkSignin": True, "enableAnonymousUser": True}
HASH = {"algorithm": "SCRYPT", "rounds": 8, "memoryCost": 14}


@pytest.fixture(scope="module")
def server():
    server = Server("--profile", "production")
    yield server
    server.stop()


@pytest.fixture
def project(server) -> Production:
    return Production(server)


def v2(project: Production, path: str) -> str:
    return f"{IT}/v2/projects/{project.id}{path}"


# MARK: Tenants


def tenant(project: Production, name: str = "some-tenant", **fields) -> str:
    made = project.ok(
        "POST", v2(project, "/tenants"), {"displayName": name} | OPEN | fields, admin=True
    )
    return made["name"].rpartition("/")[2]


def test_a178_a_tenant_is_made_and_shown(project):
    made = project.ok(
        "POST",
        v2(project, "/tenants"),
        {
            "displayName": "Good-name1",
            "allowPasswordSignup": True,
            "disableAuth": False,
            "autodeleteAnonymousUsers": True,
            "smsRegionConfig": {"allowByDefault": {"disallowedRegions": []}},
        },
        admin=True,
    )
    assert re.fullmatch(rf"projects/{NUMBER}/tenants/Good-name1-[0-9a-z]{{5}}", made["name"])
    assert made == {
        "name": made["name"],
        "displayName": "Good-name1",
        "allowPasswordSignup": True,
        "inheritance": {},
        "smsRegionConfig": {"allowByDefault": {}},
    }
    path = v2(project, "/tenants/" + made["name"].rpartition("/")[2])
    shown = project.ok("GET", path, admin=True)
    assert HASH.items() <= shown.pop("hashConfig").items()
    assert shown == made


def test_the_tenant_of_a_path_counts(project):
    one, other = tenant(project), tenant(project)
    body = {"localId": "z", "tenantId": other}
    project.ok("POST", f"{project.v1}/tenants/{one}/accounts", body, admin=True)
    for name, count in ((one, 1), (other, 0)):
        path = f"{project.v1}/tenants/{name}/accounts:lookup"
        found = project.ok("POST", path, {"localId": ["z"]}, admin=True)
        assert len(found.get("users", [])) == count


def test_tenants_have_no_sign_in_by_phone(project):
    call = project.to_v1(
        "sendVerificationCode", phoneNumber="+16505550102", tenantId=tenant(project)
    )
    assert project.refusal(*call) == "UNSUPPORTED_TENANT_OPERATION"


def test_a_provider_of_another_tenant(project):
    call = project.to_v1(
        "createAuthUri",
        providerId="oidc.other",
        continueUri="http://localhost",
        tenantId=tenant(project),
    )
    assert project.refusal(*call) == (
        "OPERATION_NOT_ALLOWED : The identity provider configuration is not found."
    )


def test_a_policy_shows_only_the_lengths_that_it_has(project):
    policy = {
        "passwordPolicyEnforcementState": "ENFORCE",
        "passwordPolicyVersions": [{"customStrengthOptions": {"minPasswordLength": 8}}],
    }
    name = tenant(project, passwordPolicyConfig=policy)
    shown = project.ok("GET", f"{IT}/v2/passwordPolicy", tenantId=name)
    assert shown == {
        "customStrengthOptions": {"minPasswordLength": 8},
        "schemaVersion": 1,
        "enforcementState": "ENFORCE",
    }


def test_a_password_policy_of_a_tenant_has_a_version(project):
    name = tenant(
        project,
        passwordPolicyConfig={
            "passwordPolicyEnforcementState": "ENFORCE",
            "passwordPolicyVersions": [{"customStrengthOptions": {"minPasswordLength": 8}}],
        },
    )
    policy = project.ok("GET", v2(project, f"/tenants/{name}"), admin=True)["passwordPolicyConfig"]
    assert policy.pop("lastUpdateTime")
    assert policy["passwordPolicyVersions"] == [
        {"customStrengthOptions": {"minPasswordLength": 8}, "schemaVersion": 1}
    ]


@pytest.mark.parametrize(
    "name, message",
    [
        pytest.param("abc", NAME, id="A179-short"),
        pytest.param("1abc", NAME, id="A179-digit"),
        pytest.param("ab_cd", NAME, id="A179-underscore"),
        pytest.param("a" * 21, NAME, id="A179-long"),
        pytest.param(None, NO_NAME, id="A179-none"),
    ],
)
def test_names_of_tenants(project, name, message):
    body = {} if name is None else {"displayName": name}
    assert project.refusal("POST", v2(project, "/tenants"), body, admin=True) == message
    if name is not None:
        path = v2(project, "/tenants/" + tenant(project))
        assert project.refusal("PATCH", path, body, admin=True, updateMask="displayName") == message


def test_a181_tenants_are_listed_by_id(project):
    names = [tenant(project, name) for name in ("beta", "alpha", "Gamma")]
    path = v2(project, "/tenants")
    page = project.ok("GET", path, admin=True, pageSize=2)
    found = [made["displayName"] for made in page["tenants"]]
    rest = project.ok("GET", path, admin=True, pageSize=2, pageToken=page["nextPageToken"])
    assert found + [made["displayName"] for made in rest["tenants"]] == ["Gamma", "alpha", "beta"]
    assert "nextPageToken" not in rest
    for size in (0, -1, 1001):
        assert len(project.ok("GET", path, admin=True, pageSize=size)["tenants"]) == len(names)
    assert project.ok("GET", path, admin=True, pageToken="not-a-token!") == {}


def test_a_mask_changes_and_clears(project):
    path = v2(project, "/tenants/" + tenant(project))
    mask = {"admin": True, "updateMask": "enableAnonymousUser"}
    assert "enableAnonymousUser" not in project.ok("PATCH", path, {}, **mask)
    kept = project.ok("PATCH", path, {"displayName": "other"}, admin=True, updateMask="notAField")
    assert kept["displayName"] == "some-tenant"
    body = {"allowPasswordSignup": True}
    assert project.refusal("PATCH", path, body, admin=True) == NO_NAME


@pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
def test_unknown_and_deleted_tenants_are_not_found(project, method):
    made = tenant(project)
    project.ok("DELETE", v2(project, f"/tenants/{made}"), admin=True)
    for name in ("unknown-tenant", made):
        body = {"displayName": "name"} if method == "PATCH" else None
        path = v2(project, f"/tenants/{name}")
        assert project.refusal(method, path, body, admin=True, status=404) == "TENANT_NOT_FOUND"


def test_a183_a_tenant_that_is_not_there(project):
    path = f"{project.v1}/tenants/unknown-12345/accounts:lookup"
    found = project.refusal("POST", path, {"localId": ["x"]}, admin=True)
    assert found == "INVALID_TENANT_ID"
    sign_in = project.to_v1(
        "signInWithPassword",
        email="a@example.com",
        password="password123",
        tenantId="unknown-12345",
    )
    assert project.refusal(*sign_in) == "INVALID_TENANT_ID"


def test_a184_a_tenant_that_has_been_deleted(project):
    made = tenant(project)
    project.user("left", tenant=made)
    session = project.sign_in("left", tenantId=made)
    project.ok("DELETE", v2(project, f"/tenants/{made}"), admin=True)
    for call in [
        project.to_v1("lookup", idToken=session["idToken"], tenantId=made),
        project.to_v1("lookup", idToken=session["idToken"]),
        project.token(grant_type="refresh_token", refresh_token=session["refreshToken"]),
        project.to_v1(
            "signInWithPassword", email="left@example.com", password="password123", tenantId=made
        ),
    ]:
        assert project.refusal(*call) == "TENANT_DELETED", call
    path = f"{project.v1}/tenants/{made}/accounts:lookup"
    assert project.refusal("POST", path, {"localId": ["left"]}, admin=True) == "TENANT_DELETED"


def test_a_tenant_that_is_off(project):
    made = tenant(project)
    project.user("off", tenant=made)
    session = project.sign_in("off", tenantId=made)
    project.ok(
        "PATCH",
        v2(project, f"/tenants/{made}"),
        {"disableAuth": True},
        admin=True,
        updateMask="disableAuth",
    )
    for call in [
        project.to_v1(
            "signInWithPassword", email="off@example.com", password="password123", tenantId=made
        ),
        project.token(grant_type="refresh_token", refresh_token=session["refreshToken"]),
    ]:
        assert project.refusal(*call) == "TENANT_DISABLED"


def test_a185_a_tenant_has_settings_of_its_own(project):
    made = tenant(project)
    project.configure(
        "client,emailPrivacyConfig",
        {
            "client": {"permissions": {"disabledUserSignup": True}},
            "emailPrivacyConfig": {"enableImprovedEmailPrivacy": True},
        },
    )
    project.user("inside", tenant=made)
    wrong = project.to_v1(
        "signInWithPassword", email="inside@example.com", password="wrong-one", tenantId=made
    )
    assert project.refusal(*wrong) == "INVALID_PASSWORD"
    token = project.sign_in("inside", tenantId=made)["idToken"]
    start = project.to_v2(
        "mfaEnrollment:start", idToken=token, phoneEnrollmentInfo={"phoneNumber": "+16505550101"}
    )
    assert project.refusal(*start) == "OPERATION_NOT_ALLOWED : SMS based MFA not enabled."
    project.ok(
        "PATCH",
        v2(project, f"/tenants/{made}"),
        {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": True}},
        admin=True,
        updateMask="emailPrivacyConfig.enableImprovedEmailPrivacy",
    )
    assert project.refusal(*wrong) == "INVALID_LOGIN_CREDENTIALS"


def test_a182_a186_a_session_belongs_to_its_tenant(project):
    one, two = tenant(project, "tenant-one"), tenant(project, "tenant-two")
    for made in (one, two):
        project.user("same", tenant=made)
    session = project.sign_in("same", tenantId=one)
    assert claims(session["idToken"])["firebase"]["tenant"] == one
    user = project.ok(*project.to_v1("lookup", idToken=session["idToken"]))["users"][0]
    assert user["tenantId"] == one
    form = {"grant_type": "refresh_token", "refresh_token": session["refreshToken"]}
    assert project.ok(*project.token(**form, tenantId=two))["user_id"] == "same"


@pytest.mark.parametrize(
    "claim, use, status, message",
    [
        pytest.param(
            "one",
            "two",
            400,
            "TENANT_ID_MISMATCH : Specified tenant ID does not match the custom token.",
            id="other",
        ),
        pytest.param(
            "one",
            None,
            400,
            "TENANT_ID_MISMATCH : Specified tenant ID does not match the custom token.",
            id="none",
        ),
        pytest.param(None, "one", 500, "Internal error encountered.", id="plain"),
        pytest.param("one", "one", 200, None, id="same"),
        pytest.param(None, None, 200, None, id="no"),
    ],
)
def test_custom_tokens_of_tenants(project, claim, use, status, message):
    ids = {name: tenant(project, f"tenant-{name}") for name in ("one", "two")} | {None: None}
    extra = {"tenant_id": ids[claim]} if claim else {}
    body = {"token": custom_token("u", **extra), "returnSecureToken": True}
    if use:
        body["tenantId"] = ids[use]
    found, answer = project.ask(*project.to_v1("signInWithCustomToken", **body))
    assert found == status, answer
    if message:
        assert answer["error"]["message"] == message


# MARK: Providers

CONFIG_ID = (
    "INVALID_CONFIG_ID : Oauth_idp_config_id must start with 'oidc.' and can only have "
    "alphanumeric characters, hyphens, underscores or periods. The part after 'oidc.' "
    "must also start with a lowercase letter, end with an alphanumeric character, and "
    "have at least 2 characters."
)
OIDC = {
    "clientId": "client-a",
    "issuer": "https://issuer.example.com",
    "enabled": True,
    "responseType": {"idToken": True},
}
BOTH = (
    "INVALID_CONFIG : response_type should have exactly one of 'idToken' and 'code' being "
    "true. Setting both types to be true ('{code: true, idToken: true}') is not yet supported."
)


@pytest.mark.parametrize(
    "name, change, message",
    [
        pytest.param("other.a", {}, CONFIG_ID, id="A174-prefix"),
        pytest.param(
            "oidc.ab",
            {"clientId": ""},
            "MISSING_OAUTH_CLIENT_ID : Client_id in OAuthIdpConfig cannot be empty.",
            id="A174-client",
        ),
        pytest.param(
            "oidc.ab",
            {"issuer": "http://issuer.example.com"},
            "INVALID_ISSUER : Issuer in OAuthIdpConfig should be a valid URL.",
            id="A174-issuer",
        ),
        pytest.param(
            "oidc.ab", {"responseType": {"idToken": True, "code": True}}, BOTH, id="A174-both"
        ),
        pytest.param(
            "oidc.ab",
            {"responseType": {"code": True}},
            "INVALID_CONFIG : client_secret cannot be empty for code flow.",
            id="A174-secret",
        ),
    ],
)
def test_a_provider_is_refused(project, name, change, message):
    found = project.refusal(
        "POST", v2(project, "/oauthIdpConfigs"), OIDC | change, admin=True, oauthIdpConfigId=name
    )
    assert found == message


def test_a174_a175_a_provider_is_made_changed_and_deleted(project):
    path = v2(project, "/oauthIdpConfigs")
    assert project.ok("GET", path, admin=True) == {}
    made = project.ok("POST", path, OIDC, admin=True, oauthIdpConfigId="oidc.made")
    assert re.fullmatch(rf"projects/{NUMBER}/oauthIdpConfigs/oidc.made", made["name"])
    assert made == OIDC | {"name": made["name"]}
    # An ID token is what a configuration without a type asks for.
    plain = {name: value for name, value in OIDC.items() if name != "responseType"}
    other = project.ok("POST", path, plain, admin=True, oauthIdpConfigId="oidc.other")
    assert other["responseType"] == {"idToken": True}
    again = project.refusal(
        "POST", path, OIDC, admin=True, oauthIdpConfigId="oidc.made", status=409
    )
    assert again == (
        "CONFIGURATION_EXISTS : The OAuthIdpConfig already exists with config_id: oidc.made"
    )
    one = f"{path}/oidc.made"
    changed = project.ok(
        "PATCH",
        one,
        {"enabled": False, "clientSecret": "s"},
        admin=True,
        updateMask="enabled,clientSecret",
    )
    assert "enabled" not in changed and changed["clientSecret"] == "s"
    assert project.ok("DELETE", one, admin=True) == {}
    for method in ("GET", "DELETE"):
        assert project.refusal(method, one, admin=True, status=404) == "CONFIGURATION_NOT_FOUND"


def test_a171_a_provider_that_is_off(project):
    path = v2(project, "/oauthIdpConfigs")
    project.ok("POST", path, OIDC | {"enabled": False}, admin=True, oauthIdpConfigId="oidc.off")
    call = project.to_v1(
        "signInWithIdp",
        requestUri="http://localhost",
        returnSecureToken=True,
        postBody='providerId=oidc.off&id_token={"sub":"x"}',
    )
    assert project.refusal(*call) == (
        "OPERATION_NOT_ALLOWED : The identity provider configuration is disabled."
    )


def test_a176_providers_that_google_knows(project):
    path = f"{IT}/v2/defaultSupportedIdps"
    found = project.ok("GET", path, admin=True)["defaultSupportedIdps"]
    assert list(found) == [
        {"idpId": name}
        for name in (
            "apple.com",
            "facebook.com",
            "gc.apple.com",
            "github.com",
            "google.com",
            "linkedin.com",
            "microsoft.com",
            "playgames.google.com",
            "twitter.com",
            "yahoo.com",
        )
    ]


# MARK: Configuration

ONE_VERSION = "Policy versions list must be of length 1"
MINIMUM = "Minimum password length must be between 6 and 30"
MAXIMUM = "Maximum password length must be less than or equal to 4096"
ORDER = "Maximum password length must be greater than or equal to the minimum password length"


def versions(*options: dict) -> dict:
    return {"passwordPolicyVersions": [{"customStrengthOptions": made} for made in options]}


@pytest.mark.parametrize(
    "locale, text",
    [
        ("en", "%LOGIN_CODE% is your verification code for %APP_NAME%."),
        ("ja", "%APP_NAME% の確認コードは %LOGIN_CODE% です。"),
    ],
)
def test_the_text_message_of_a_project(project, locale, text):
    changed = project.configure(
        "notification.defaultLocale", {"notification": {"defaultLocale": locale}}
    )
    assert changed["notification"]["sendSms"] == {"smsTemplate": {"content": text}}


def test_test_numbers_are_kept_as_accounts_have_them(project):
    changed = project.configure(
        "signIn.phoneNumber.testPhoneNumbers",
        {"signIn": {"phoneNumber": {"testPhoneNumbers": {"+1650555ABCD": "123456"}}}},
    )
    assert changed["signIn"]["phoneNumber"]["testPhoneNumbers"] == {"+16505552223": "123456"}


def test_a_policy_without_a_state(project):
    state = {"passwordPolicyEnforcementState": "PASSWORD_POLICY_ENFORCEMENT_STATE_UNSPECIFIED"}
    changed = project.configure(
        "passwordPolicyConfig", {"passwordPolicyConfig": state | versions({"minPasswordLength": 8})}
    )
    assert sorted(changed["passwordPolicyConfig"]) == ["lastUpdateTime", "passwordPolicyVersions"]


@pytest.mark.parametrize("host", [IT, ""])
def test_the_path_of_administrators(project, host):
    config = project.ok("GET", f"{host}/admin/v2/projects/{project.id}/config", admin=True)
    assert config == project.ok("GET", v2(project, "/config"), admin=True)


def test_a210_the_configuration_of_a_project(project):
    project.configure(
        "signIn.allowDuplicateEmails,client.permissions.disabledUserSignup",
        {
            "signIn": {"allowDuplicateEmails": True},
            "client": {"permissions": {"disabledUserSignup": True}},
        },
    )
    config = project.ok("GET", v2(project, "/config"), admin=True)
    assert re.fullmatch(rf"projects/{NUMBER}/config", config["name"])
    assert HASH.items() <= config["signIn"]["hashConfig"].items()
    assert config["signIn"]["allowDuplicateEmails"] is True
    assert config["client"]["permissions"] == {"disabledUserSignup": True}
    assert config["subtype"] == "IDENTITY_PLATFORM" and config["quota"] == {}
    changed = project.configure(
        "signIn.allowDuplicateEmails,client.permissions.disabledUserSignup", {}
    )
    assert "allowDuplicateEmails" not in changed["signIn"]
    assert changed["client"]["permissions"] == {}


@pytest.mark.parametrize(
    "config, message",
    [
        pytest.param(
            {
                "mfa": {
                    "state": "ENABLED",
                    "providerConfigs": [
                        {"state": "ENABLED", "totpProviderConfig": {"adjacentIntervals": 11}}
                    ],
                }
            },
            "INVALID_ADJACENT_INTERVAL_RANGE : Allowed number of adjacent intervals must be between 0 "
            "and 10, inclusive",
            id="intervals",
        ),
        pytest.param(
            {"smsRegionConfig": {"allowByDefault": {"disallowedRegions": ["ZZ"]}}},
            "INVALID_REGION_CODE : Invalid region code.",
            id="A211-region",
        ),
        pytest.param(
            {"smsRegionConfig": {"allowByDefault": {}, "allowlistOnly": {}}},
            "Invalid value at 'config.sms_region_config' (oneof), oneof field "
            "'sms_region_policy' is already set. Cannot set 'allowlistOnly'",
            id="regions",
        ),
        pytest.param(
            {"signIn": {"phoneNumber": {"testPhoneNumbers": {"16505550107": "123456"}}}},
            "INVALID_PHONE_NUMBER : Invalid format.",
            id="test-number",
        ),
        pytest.param(
            {"mobileLinksConfig": {"domain": "CUSTOM_DOMAIN"}},
            "Invalid value at 'config.mobile_links_config.domain' (type.googleapis.com/google.cloud."
            'identitytoolkit.admin.v2.MobileLinksConfig.Domain), "CUSTOM_DOMAIN"',
            id="domain-of-links",
        ),
        *(
            pytest.param(
                {"passwordPolicyConfig": {"passwordPolicyEnforcementState": "ENFORCE"} | policy},
                f"INVALID_CONFIG : {message}",
                id=f"policy-{name}",
            )
            for name, policy, message in (
                ("without-version", {}, ONE_VERSION),
                ("no-versions", {"passwordPolicyVersions": []}, ONE_VERSION),
                ("two-versions", versions({}, {}), ONE_VERSION),
                ("minimum", versions({"minPasswordLength": 31}), MINIMUM),
                ("maximum-below-minimum", versions({"maxPasswordLength": 5}), ORDER),
                ("maximum", versions({"maxPasswordLength": 4097}), MAXIMUM),
            )
        ),
        *(
            pytest.param(
                {"authorizedDomains": [domain]},
                "INVALID_AUTHORIZED_DOMAIN : "
                + (
                    f"{domain} should only contain the valid domain."
                    if domain
                    else "An authorized domain is empty."
                ),
                id=f"domain-{domain}",
            )
            for domain in (
                "https://app.example.com",
                "app.example.com:8080",
                "*.example.com",
                "",
                "app example.com",
            )
        ),
    ],
)
def test_a_configuration_is_refused(project, config, message):
    found = project.refusal(
        "PATCH", v2(project, "/config"), config, admin=True, updateMask=next(iter(config))
    )
    assert found == message


def test_second_factors_are_configured(project):
    providers = [{"state": "ENABLED", "totpProviderConfig": {"adjacentIntervals": 0}}]
    changed = project.configure("mfa", {"mfa": {"state": "ENABLED", "providerConfigs": providers}})
    assert changed["mfa"] == {
        "state": "ENABLED",
        "providerConfigs": [{"state": "ENABLED", "totpProviderConfig": {}}],
    }
