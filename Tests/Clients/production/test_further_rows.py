"""Facts of the recordings that belong to no other file: each test has their numbers."""

import pytest
from support.auth.production import Production, claims

PASSWORD = "password123"
NUMBER, CODE = "+16505550101", "123456"


@pytest.fixture
def project(hearth) -> Production:
    project = Production(hearth)
    project.configure(
        "signIn",
        {
            "signIn": {
                "email": {"enabled": True, "passwordRequired": False},
                "anonymous": {"enabled": True},
                "phoneNumber": {"enabled": True, "testPhoneNumbers": {NUMBER: CODE}},
            }
        },
    )
    return project


def by_phone(project: Production) -> dict:
    sent = project.ok(*project.to_v1("sendVerificationCode", phoneNumber=NUMBER))
    return project.ok(
        *project.to_v1("signInWithPhoneNumber", sessionInfo=sent["sessionInfo"], code=CODE)
    )


def test_a24_accounts_that_exist_sign_in_where_sign_ups_are_off(project):
    phone = by_phone(project)["localId"]
    uid = project.user("linked")["localId"]
    project.configure(
        "client.permissions.disabledUserSignup",
        {"client": {"permissions": {"disabledUserSignup": True}}},
    )
    assert by_phone(project)["localId"] == phone
    link = project.ok(
        "POST",
        f"{project.v1}/accounts:sendOobCode",
        {
            "requestType": "EMAIL_SIGNIN",
            "email": "linked@example.com",
            "continueUrl": f"https://{project.id}.firebaseapp.com/",
            "returnOobLink": True,
        },
        admin=True,
    )
    answer = project.ok(
        *project.to_v1("signInWithEmailLink", email="linked@example.com", oobCode=link["oobCode"])
    )
    assert answer["localId"] == uid


def code(project: Production, kind: str, **fields) -> tuple:
    """A call that makes a link for an administrator."""
    body = {"requestType": kind, "email": "linked@example.com", "returnOobLink": True} | fields
    return "POST", f"{project.v1}/accounts:sendOobCode", body


def test_a_link_for_a_new_address_is_refused_where_sign_ups_are_off(project):
    project.configure(
        "client.permissions.disabledUserSignup",
        {"client": {"permissions": {"disabledUserSignup": True}}},
    )
    call = code(project, "EMAIL_SIGNIN", continueUrl=f"https://{project.id}.firebaseapp.com/")
    assert project.refusal(*call, admin=True) == "ADMIN_ONLY_OPERATION"


def test_a_link_for_an_app_needs_a_url(project):
    project.user("linked")
    call = code(project, "PASSWORD_RESET", canHandleCodeInApp=True)
    assert project.refusal(*call, admin=True) == "MISSING_CONTINUE_URI"


@pytest.mark.parametrize("domain", ["links.example.com", "{}.web.app", "{}.firebaseapp.com"])
def test_a_domain_of_links_is_one_that_was_set_up(project, domain):
    project.user("linked")
    call = code(project, "PASSWORD_RESET", linkDomain=domain.format(project.id))
    assert project.refusal(*call, admin=True) == (
        "INVALID_HOSTING_LINK_DOMAIN : The provided hosting link domain is not configured in "
        "Firebase Hosting or is not owned by the current project. This cannot be a default hosting "
        "domain (web.app or firebaseapp.com)."
    )


def test_domains_of_dynamic_links_are_gone(project):
    project.user("linked")
    project.configure(
        "mobileLinksConfig", {"mobileLinksConfig": {"domain": "FIREBASE_DYNAMIC_LINK_DOMAIN"}}
    )
    url = f"https://{project.id}.firebaseapp.com/"
    call = code(project, "PASSWORD_RESET", canHandleCodeInApp=True, continueUrl=url)
    assert project.refusal(*call, admin=True) == (
        "DYNAMIC_LINK_NOT_ACTIVATED : FDL domain is not configured"
    )


RECAPTCHA = "/identitytoolkit.googleapis.com/v2/recaptchaConfig"


def test_recaptcha_of_a_project(project):
    query = {"clientType": "CLIENT_TYPE_WEB", "version": "RECAPTCHA_ENTERPRISE"}
    unset = "ENFORCEMENT_STATE_UNSPECIFIED"
    assert project.ok("GET", RECAPTCHA, **query) == {
        "recaptchaEnforcementState": [
            {"provider": "EMAIL_PASSWORD_PROVIDER", "enforcementState": unset},
            {"provider": "PHONE_PROVIDER", "enforcementState": unset},
        ],
        "useSmsBotScore": False,
        "useSmsTollFraudProtection": False,
    }
    key = "projects/p/keys/own"
    config = {
        "emailPasswordEnforcementState": "AUDIT",
        "recaptchaKeys": [{"key": key, "type": "WEB"}],
    }
    project.configure("recaptchaConfig", {"recaptchaConfig": config})
    answer = project.ok("GET", RECAPTCHA, **query)
    assert answer["recaptchaKey"] == key
    states = [entry["enforcementState"] for entry in answer["recaptchaEnforcementState"]]
    assert states == ["AUDIT", unset]


@pytest.mark.parametrize(
    "query, message",
    [
        ({"version": "RECAPTCHA_ENTERPRISE"}, "MISSING_CLIENT_TYPE"),
        ({"clientType": "CLIENT_TYPE_WEB"}, "MISSING_RECAPTCHA_VERSION"),
        (
            {"clientType": "CLIENT_TYPE_TV", "version": "RECAPTCHA_ENTERPRISE"},
            "Invalid value at 'client_type' "
            '(type.googleapis.com/google.cloud.identitytoolkit.v2.ClientType), "CLIENT_TYPE_TV"',
        ),
    ],
)
def test_recaptcha_is_asked_for_by_a_client_that_says_what_it_is(project, query, message):
    assert project.refusal("GET", RECAPTCHA, **query) == message


def test_an_address_without_ways_to_sign_in(project):
    project.configure("emailPrivacyConfig.enableImprovedEmailPrivacy", {})
    answer = project.ok(
        *project.to_v1(
            "createAuthUri", identifier="nobody@example.com", continueUri="https://a.example/"
        )
    )
    assert sorted(answer) == ["kind", "registered", "sessionId"]


def test_a31_a32_the_old_kind_of_token(project):
    project.user("old")
    answer = project.ok(
        *project.to_v1("signInWithPassword", email="old@example.com", password=PASSWORD)
    )
    assert not answer.keys() & {"refreshToken", "expiresIn"}
    token = claims(answer["idToken"])
    assert token["iss"] == "https://identitytoolkit.google.com/"
    assert token["exp"] - token["iat"] == 1_209_600
    assert token.keys() - {"iss"} == {
        "aud",
        "iat",
        "exp",
        "user_id",
        "email",
        "sign_in_provider",
        "verified",
    }
    user = project.shown("old")
    assert "lastLoginAt" in user and "lastRefreshAt" not in user


@pytest.mark.parametrize("force", [True, False])
def test_a33_a_password_that_fits_its_policy_still_signs_in(project, force):
    project.user("fits", password="Password1!")
    options = {"minPasswordLength": 8, "containsUppercaseCharacter": True}
    project.configure(
        "passwordPolicyConfig",
        {
            "passwordPolicyConfig": {
                "passwordPolicyEnforcementState": "ENFORCE",
                "forceUpgradeOnSignin": force,
                "passwordPolicyVersions": [{"customStrengthOptions": options}],
            }
        },
    )
    assert project.sign_in("fits", password="Password1!")["idToken"]


def test_a34_a_second_factor_holds_back_the_tokens(project):
    project.configure("mfa", {"mfa": {"state": "ENABLED", "enabledProviders": ["PHONE_SMS"]}})
    project.user("careful")
    project.change("careful", mfa={"enrollments": [{"phoneInfo": NUMBER, "displayName": "Phone"}]})
    answer = project.sign_in("careful")
    assert not answer.keys() & {"idToken", "refreshToken", "expiresIn"}
    assert answer["mfaPendingCredential"] and len(answer["mfaInfo"]) == 1


def test_a40_an_account_of_a_phone_alone_has_no_validity(project):
    assert "validSince" not in project.shown(by_phone(project)["localId"])


def test_a52_a_new_password_ends_what_was_issued_before(project):
    project.user("changed")
    old = project.sign_in("changed")
    project.advance("2s")
    new = project.ok(
        *project.to_v1(
            "update", idToken=old["idToken"], password="password456", returnSecureToken=True
        )
    )
    lookup = project.to_v1("lookup", idToken=old["idToken"])
    assert project.refusal(*lookup) == "TOKEN_EXPIRED"
    form = {"grant_type": "refresh_token", "refresh_token": old["refreshToken"]}
    assert project.refusal(*project.token(**form)) == "TOKEN_EXPIRED"
    assert project.ok(*project.to_v1("lookup", idToken=new["idToken"]))["users"]
    form["refresh_token"] = new["refreshToken"]
    assert project.ok(*project.token(**form))["id_token"]


def test_a172_the_address_of_a_provider_needs_the_way_back(project):
    project.ok(
        "POST",
        f"{project.v2}/oauthIdpConfigs?oauthIdpConfigId=oidc.own",
        {"clientId": "client-a", "issuer": "https://issuer.example", "enabled": True},
        admin=True,
    )
    call = project.to_v1("createAuthUri", providerId="oidc.own")
    assert project.refusal(*call).startswith("MISSING_CONTINUE_URI")
    answer = project.ok(
        *project.to_v1("createAuthUri", providerId="oidc.own", continueUri="https://a.example/")
    )
    assert answer.keys() == {"kind", "authUri", "providerId", "sessionId"}


def test_a173_a_tenants_privacy_is_its_own(project):
    tenant = project.ok(
        "POST",
        f"{project.v2}/tenants",
        {"displayName": "Privacy", "allowPasswordSignup": True},
        admin=True,
    )["name"].split("/")[-1]
    project.user("inside", tenant=tenant)
    answer = project.ok(
        *project.to_v1(
            "createAuthUri",
            identifier="inside@example.com",
            continueUri="https://a.example/",
            tenantId=tenant,
        )
    )
    assert {"allProviders", "registered", "sessionId", "signinMethods"} <= answer.keys()


def test_a180_an_unknown_member_of_a_tenant(project):
    status, answer = project.ask(
        "POST", f"{project.v2}/tenants", {"displayName": "Name", "x": 1}, admin=True
    )
    assert status == 400
    assert answer["error"]["message"] == (
        "Invalid JSON payload received. Unknown name \"x\" at 'tenant': Cannot find field."
    )
