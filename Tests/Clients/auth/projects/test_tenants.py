"""Tenants: the object, paging, updates, and what their settings do."""

import re
import urllib.parse

import pytest
from support.auth.project import IT, claims
from support.auth.sign_in import project  # noqa: F401
from support.wire import CUSTOM_TOKEN_AUDIENCE, TOKEN, unsigned

A, B = "a@example.com", "b@example.com"
ON = {"state": "ENABLED", "enabledProviders": ["PHONE_SMS"]}


def get(project, tenant: str) -> dict:
    return project.owner("GET", f"{project.v2}/tenants/{tenant}")


def patch(project, tenant: str, mask: str | None, body: dict, status: int = 200) -> dict:
    params = {} if mask is None else {"updateMask": mask}
    return project.owner(
        "PATCH", f"{project.v2}/tenants/{tenant}", status, params=params, json=body
    )


def listed(project, **params) -> dict:
    return project.owner("GET", f"{project.v2}/tenants", params=params)


# MARK: The tenant object

CREATED = {
    "nothing": ({}, {}),
    "all": (
        {
            "displayName": "Acme",
            "allowPasswordSignup": True,
            "enableEmailLinkSignin": True,
            "enableAnonymousUser": True,
            "disableAuth": True,
            "mfaConfig": ON,
        },
        {
            "displayName": "Acme",
            "allowPasswordSignup": True,
            "enableEmailLinkSignin": True,
            "enableAnonymousUser": True,
            "disableAuth": True,
            "mfaConfig": ON,
        },
    ),
    "mfa without state": (
        {"mfaConfig": {"enabledProviders": ["PHONE_SMS"]}},
        {"mfaConfig": {"state": "DISABLED", "enabledProviders": ["PHONE_SMS"]}},
    ),
    "mfa without providers": (
        {"mfaConfig": {"state": "MANDATORY"}},
        {"mfaConfig": {"state": "MANDATORY", "enabledProviders": []}},
    ),
    "mfa with provider configs": (
        {"mfaConfig": {"state": "ENABLED", "providerConfigs": [{"state": "ENABLED"}]}},
        {
            "mfaConfig": {
                "state": "ENABLED",
                "enabledProviders": [],
                "providerConfigs": [{"state": "ENABLED"}],
            }
        },
    ),
    "numbers for enums": (
        {"mfaConfig": {"state": 3, "enabledProviders": [1]}},
        {"mfaConfig": {"state": "MANDATORY", "enabledProviders": ["PHONE_SMS"]}},
    ),
    "snake case": (
        {"display_name": "Acme", "allow_password_signup": True},
        {"displayName": "Acme", "allowPasswordSignup": True},
    ),
    "what is dropped": (
        {
            "name": "projects/x/tenants/y",
            "unknown": 1,
            "hashConfig": {"algorithm": "SCRYPT"},
            "client": {},
        },
        {},
    ),
    "any display name": ({"displayName": "1 !"}, {"displayName": "1 !"}),
}
DEFAULT = {
    "allowPasswordSignup": False,
    "enableEmailLinkSignin": False,
    "enableAnonymousUser": False,
    "disableAuth": False,
    "mfaConfig": {"state": "DISABLED", "enabledProviders": []},
}


@pytest.mark.parametrize("given, expected", CREATED.values(), ids=CREATED)
def test_creating(project, given, expected):
    tenant = project.owner("POST", f"{project.v2}/tenants", json=given)
    assert get(project, tenant["tenantId"]) == tenant
    assert re.fullmatch(r"[A-Za-z0-9]{28}", tenant["tenantId"])
    assert tenant.pop("name") == f"projects/{project.id}/tenants/{tenant.pop('tenantId')}"
    assert tenant == DEFAULT | expected


def test_what_is_mentioned_exists(project):
    implicit = DEFAULT | {
        "allowPasswordSignup": True,
        "enableEmailLinkSignin": True,
        "enableAnonymousUser": True,
        "mfaConfig": ON,
    }

    def expected(tenant: str) -> dict:
        return implicit | {"tenantId": tenant, "name": f"projects/{project.id}/tenants/{tenant}"}

    assert get(project, "by-get") == expected("by-get")
    project.sign_up(A, tenantId="by-body")
    assert get(project, "by-body") == expected("by-body")
    project.admin("/accounts:lookup", {"localId": ["x"]}, tenant="by-path")
    assert patch(project, "by-patch", "displayName", {"displayName": "Acme"}) == (
        expected("by-patch") | {"displayName": "Acme"}
    )
    assert [tenant["tenantId"] for tenant in listed(project)["tenants"]] == [
        "by-body",
        "by-get",
        "by-patch",
        "by-path",
    ]


def test_deleting(project):
    session = project.sign_up(A, tenantId="t1")
    project.call("sendOobCode", {"requestType": "PASSWORD_RESET", "email": A, "tenantId": "t1"})
    patch(project, "t1", "enableAnonymousUser", {"enableAnonymousUser": False})
    for tenant in ("t1", "unknown"):
        for options in ({}, {"json": {"a": 1}}):
            assert project.owner("DELETE", f"{project.v2}/tenants/{tenant}", **options) == {}
    assert listed(project)["tenants"] == []
    assert project.error("lookup", {"idToken": session["idToken"]}) == "USER_NOT_FOUND"
    assert get(project, "t1")["enableAnonymousUser"] is True
    assert project.users(tenant="t1") == []
    scope = f"{project.control}/tenants/t1/oobCodes"
    assert project.request("GET", scope)["oobCodes"] == []


# MARK: Paging


def pages(project, size) -> list[list[str]]:
    found, token = [], None
    while True:
        answer = listed(project, pageSize=size, **({"pageToken": token} if token else {}))
        found.append([tenant["tenantId"] for tenant in answer["tenants"]])
        token = answer.get("nextPageToken")
        if not token:
            return found
        assert token == found[-1][-1]


@pytest.mark.parametrize(
    "count, size, expected",
    [
        (0, 2, [0]),
        (1, 2, [1]),
        (2, 2, [2, 0]),
        (3, 2, [2, 1]),
        (4, 2, [2, 2, 0]),
        (3, -1, [3]),
        (3, 1000, [3]),
        (3, 2000, [3]),
        (21, 0, [20, 1]),
        (20, 0, [20, 0]),
    ],
)
def test_paging(project, count, size, expected):
    names = [f"t{n:02}" for n in range(count)]
    for name in reversed(names):
        get(project, name)
    found = pages(project, size)
    assert [len(page) for page in found] == expected
    assert sum(found, []) == names


def test_tenants_are_sorted_by_code_units(project):
    names = ["B", "a", "b", "A", "1", "_", "é"]
    for name in names:
        get(project, urllib.parse.quote(name))
    assert pages(project, 100)[0] == sorted(names)


@pytest.mark.parametrize("size", ["x", "1.5"])
def test_invalid_page_sizes(project, size):
    answer = project.owner("GET", f"{project.v2}/tenants", 400, params={"pageSize": size})
    assert answer["error"]["message"] == ("Invalid JSON payload received.  must be integer")
    assert answer["error"]["status"] == "INVALID_ARGUMENT"


# MARK: Patching


@pytest.mark.parametrize("mask", [None, ""])
def test_a_patch_without_a_mask_replaces_everything(project, mask):
    tenant = project.tenant(displayName="Acme", allowPasswordSignup=True, mfaConfig=ON)
    answer = patch(project, tenant, mask, {"enableAnonymousUser": True, "unknown": 1})
    assert answer == DEFAULT | {
        "tenantId": tenant,
        "name": f"projects/{project.id}/tenants/{tenant}",
        "enableAnonymousUser": True,
    }


BEFORE = {"displayName": "Acme", "allowPasswordSignup": True, "mfaConfig": ON}


@pytest.mark.parametrize(
    "mask, given, expected",
    [
        ("displayName", {"displayName": "New", "disableAuth": True}, {"displayName": "New"}),
        (
            "displayName,disableAuth",
            {"displayName": "New", "disableAuth": True},
            {"displayName": "New", "disableAuth": True},
        ),
        (
            "displayName, disableAuth",
            {"displayName": "New", "disableAuth": True},
            {"displayName": "New"},
        ),
        ("display_name", {"displayName": "New"}, {"displayName": "New"}),
        ("displayName", {}, {}),
        ("mfaConfig", {"mfaConfig": {"state": "DISABLED"}}, {"mfaConfig": {"state": "DISABLED"}}),
        (
            "mfaConfig.state",
            {"mfaConfig": {"state": "MANDATORY"}},
            {"mfaConfig": ON | {"state": "MANDATORY"}},
        ),
        (
            "mfaConfig.enabledProviders",
            {"mfaConfig": {"enabledProviders": []}},
            {"mfaConfig": ON | {"enabledProviders": []}},
        ),
        ("mfaConfig.unknown", {"mfaConfig": {}}, {}),
        ("mfaConfig.state.deeper", {"mfaConfig": {"state": "DISABLED"}}, {}),
        ("unknown", {"unknown": {"a": [1]}}, {"unknown": {"a": [1]}}),
        (
            "deep.er.value",
            {"deep": {"er": {"value": 1, "other": 2}}},
            {"deep": {"er": {"value": 1}}},
        ),
        ("deep.er", {"deep": {}}, {"deep": {}}),
        ("displayName.x", {"displayName": "New"}, {}),
    ],
)
def test_a_patch_with_a_mask(project, mask, given, expected):
    tenant = project.tenant(**BEFORE)
    before = get(project, tenant)
    assert patch(project, tenant, mask, given) == before | expected
    assert get(project, tenant) == before | expected


def test_the_test_numbers_of_a_tenant(project):
    """Not in the reference, where every code is random."""
    number = "+15555550100"
    tenant = project.tenant(
        allowPasswordSignup=True, mfaConfig={"state": "ENABLED", "enabledProviders": ["PHONE_SMS"]}
    )
    project.configure(
        "signIn.phoneNumber", signIn={"phoneNumber": {"testPhoneNumbers": {number: "111111"}}}
    )
    patch(project, tenant, "testPhoneNumbers", {"testPhoneNumbers": {number: "222222"}})
    session = project.verified(A, tenant)
    project.factor(
        "mfaEnrollment:start",
        {
            "idToken": session["idToken"],
            "tenantId": tenant,
            "phoneEnrollmentInfo": {"phoneNumber": number},
        },
    )
    assert project.code(number, tenant)["code"] == "222222"


def test_a_missing_upper_level_is_skipped(project):
    """The official emulator answers 500."""
    tenant = project.tenant(**BEFORE)
    before = get(project, tenant)
    assert patch(project, tenant, "x.displayName,displayName", {"displayName": "New"}) == (
        before | {"displayName": "New"}
    )


def test_a_null_is_not_a_value(project):
    tenant = project.tenant(**BEFORE)
    answer = patch(project, tenant, "displayName", {"displayName": None}, 400)
    assert answer["error"]["status"] == "INVALID_ARGUMENT"
    assert answer["error"]["message"] == (
        "Invalid JSON payload received. /displayName must be string"
    )


# MARK: Each tenant for itself


def test_a_tenants_accounts_are_its_own(project):
    main = project.admin("/accounts", {"email": A, "password": "secret1"})["localId"]
    mine = project.admin("/accounts", {"email": A, "password": "secret2"}, tenant="t1")["localId"]
    assert [user["localId"] for user in project.users()] == [main]
    [user] = project.users(tenant="t1")
    assert (user["localId"], user["tenantId"]) == (mine, "t1")
    assert "users" not in project.admin("/accounts:lookup", {"localId": [mine]})
    assert "users" not in project.admin("/accounts:lookup", {"localId": [main]}, tenant="t1")
    assert project.admin_error("/accounts:delete", {"localId": mine}) == "USER_NOT_FOUND"
    session = project.call(
        "signInWithPassword", {"email": A, "password": "secret2", "tenantId": "t1"}
    )
    token = claims(session)
    assert token["firebase"]["tenant"] == "t1" and token["aud"] == project.id
    assert token["iss"] == f"https://securetoken.google.com/{project.id}"
    refreshed = project.post(
        TOKEN, {"grant_type": "refresh_token", "refresh_token": session["refreshToken"]}
    )
    assert claims({"idToken": refreshed["id_token"]})["firebase"]["tenant"] == "t1"
    # The token alone chooses the tenant, too.
    [user] = project.call("lookup", {"idToken": session["idToken"]})["users"]
    assert user["localId"] == mine
    cookie = project.admin(":createSessionCookie", {"idToken": session["idToken"]}, tenant="t1")[
        "sessionCookie"
    ]
    assert claims({"idToken": cookie})["firebase"]["tenant"] == "t1"
    project.request("DELETE", f"{project.control}/tenants/t1/accounts")
    assert project.users(tenant="t1") == [] and len(project.users()) == 1


def test_a_tenants_codes_are_its_own(project):
    project.sign_up(A, tenantId="t1")
    project.admin(
        "/accounts:sendOobCode",
        {"requestType": "PASSWORD_RESET", "email": A, "returnOobLink": True},
        tenant="t1",
    )
    assert project.request("GET", f"{project.control}/oobCodes")["oobCodes"] == []
    [code] = project.request("GET", f"{project.control}/tenants/t1/oobCodes")["oobCodes"]
    assert code["email"] == A
    assert project.error("resetPassword", {"oobCode": code["oobCode"]}) == "INVALID_OOB_CODE"
    assert (
        project.call("resetPassword", {"oobCode": code["oobCode"], "tenantId": "t1"})["email"] == A
    )


def test_an_empty_tenant_counts_as_absent(project):
    answer = project.admin(
        "/accounts:batchCreate",
        {
            "kind": "identitytoolkit#DownloadAccountResponse",
            "users": [{"localId": "x", "email": A}],
        },
        tenant="",
    )
    assert answer["error"] == [] and project.user("x")["email"] == A
    assert "tenantId" not in project.user("x")


# MARK: What the settings do

DISABLED_CALLS = [
    "signUp",
    "lookup",
    "createAuthUri",
    "delete",
    "resetPassword",
    "sendOobCode",
    "sendVerificationCode",
    "update",
    "signInWithCustomToken",
    "signInWithEmailLink",
    "signInWithIdp",
    "signInWithPassword",
    "signInWithPhoneNumber",
]


@pytest.mark.parametrize("verb", DISABLED_CALLS)
def test_what_a_disabled_tenant_refuses(project, verb):
    assert project.error(verb, {"tenantId": project.disabled_tenant()}) == "PROJECT_DISABLED"


@pytest.mark.parametrize(
    "path",
    [
        "/accounts",
        "/accounts:lookup",
        "/accounts:batchCreate",
        "/accounts:query",
        "/accounts:delete",
        "/accounts:sendOobCode",
        "/accounts:update",
    ],
)
def test_what_a_disabled_tenant_refuses_the_owner(project, path):
    tenant = project.disabled_tenant()
    assert project.admin_error(path, tenant=tenant) == "PROJECT_DISABLED"
    if path != "/accounts:batchCreate":
        assert project.admin_error(path, {"tenantId": tenant}) == "PROJECT_DISABLED"


def test_what_a_disabled_tenant_allows(project):
    session = project.sign_up(A, tenantId="t1")
    patch(project, "t1", "disableAuth", {"disableAuth": True})
    project.post(TOKEN, {"grant_type": "refresh_token", "refresh_token": session["refreshToken"]})
    assert project.admin(":createSessionCookie", {"idToken": session["idToken"]}, tenant="t1")[
        "sessionCookie"
    ]
    scope = f"{project.v1}/tenants/t1/accounts:batchGet"
    assert project.owner("GET", scope, 400)["error"]["message"] == "PROJECT_DISABLED"
    answer = project.owner("GET", f"{project.v1}/accounts:batchGet", params={"tenantId": "t1"})
    assert len(answer["users"]) == 1
    assert project.request("GET", f"{project.control}/tenants/t1/oobCodes")
    assert project.request("GET", f"{project.control}/tenants/t1/verificationCodes")
    body = {"localIds": [session["localId"]], "force": True}
    assert project.admin("/accounts:batchDelete", body, tenant="t1") == {}
    assert project.request("DELETE", f"{project.control}/tenants/t1/accounts") == {}


def test_without_password_sign_up(project):
    tenant = project.tenant(enableAnonymousUser=True)
    body = {"email": A, "password": "secret1", "tenantId": tenant}
    anonymous = project.call("signUp", {"tenantId": tenant})
    for more in ({}, {"idToken": anonymous["idToken"]}):
        assert project.error("signUp", {**body, **more}) == "OPERATION_NOT_ALLOWED"
    project.admin("/accounts", {"email": A, "password": "secret1"}, tenant=tenant)
    assert project.error("signInWithPassword", body) == "PASSWORD_LOGIN_DISABLED"
    assert project.error("resetPassword", {"oobCode": "x", "tenantId": tenant}) == (
        "PASSWORD_LOGIN_DISABLED"
    )


def test_without_email_links(project):
    tenant = project.tenant(allowPasswordSignup=True)
    assert (
        project.error(
            "sendOobCode",
            {
                "requestType": "EMAIL_SIGNIN",
                "email": A,
                "continueUrl": "http://localhost/",
                "tenantId": tenant,
            },
        )
        == "OPERATION_NOT_ALLOWED"
    )
    assert (
        project.error("signInWithEmailLink", {"email": A, "oobCode": "x", "tenantId": tenant})
        == "OPERATION_NOT_ALLOWED"
    )


def test_without_anonymous_users(project):
    tenant = project.tenant(allowPasswordSignup=True)
    assert project.error("signUp", {"tenantId": tenant}) == "ADMIN_ONLY_OPERATION"
    assert project.sign_up(A, tenantId=tenant)["idToken"]


def test_settings_of_the_project_that_tenants_take(project):
    project.configure("signIn.allowDuplicateEmails", signIn={"allowDuplicateEmails": True})
    for sub in ("1", "2"):
        answer = project.idp(
            "google.com", {"sub": sub, "email": A, "email_verified": True}, tenantId="t1"
        )
        assert answer["isNewUser"] is True
    project.configure("emailPrivacyConfig", emailPrivacyConfig={"enableImprovedEmailPrivacy": True})
    assert project.error(
        "signInWithPassword",
        {"email": "nobody@example.com", "password": "secret1", "tenantId": "t1"},
    ) == ("INVALID_LOGIN_CREDENTIALS")


# MARK: What does not match


def test_tenants_that_do_not_match(project):
    t1, t2 = project.sign_up(A, tenantId="t1"), project.sign_up(A, tenantId="t2")
    main = project.sign_up(A)
    mismatch = "TENANT_ID_MISMATCH"
    assert project.admin_error("/accounts:lookup", {"tenantId": "t2"}, tenant="t1") == mismatch
    lookup = {"idToken": t1["idToken"]}
    assert project.error("lookup", {**lookup, "tenantId": "t2"}) == mismatch
    assert project.admin_error("/accounts:lookup", lookup, tenant="t2") == mismatch
    assert (
        project.error("lookup", {"idToken": main["idToken"], "tenantId": "t1"}) == "USER_NOT_FOUND"
    )
    assert project.error(
        TOKEN,
        {"grant_type": "refresh_token", "refresh_token": t2["refreshToken"], "tenantId": "t1"},
    ) == ("TENANT_ID_MISMATCH: ((Refresh token tenant ID does not match target tenant ID.))")
    assert project.admin_error("/accounts:batchCreate", {"users": []}, tenant="t1") == (
        "MISSING_USER_ACCOUNT"
    )
    answer = project.admin(
        "/accounts:batchCreate", {"users": [{"localId": "x", "tenantId": "t2"}]}, tenant="t1"
    )
    assert answer["error"] == [
        {"index": 0, "message": "Tenant id in userInfo does not match the tenant id in request."}
    ]


@pytest.mark.parametrize(
    "tenant_id, body, message",
    [
        ("t1", {"tenantId": "t1"}, None),
        ("t2", {"tenantId": "t1"}, "TENANT_ID_MISMATCH"),
        (None, {"tenantId": "t1"}, "TENANT_ID_MISMATCH"),
        (None, {}, None),
    ],
)
def test_the_tenant_of_a_custom_token(project, tenant_id, body, message):
    payload = {"aud": CUSTOM_TOKEN_AUDIENCE, "uid": "u"}
    payload |= {"tenant_id": tenant_id} if tenant_id else {}
    body = {"token": unsigned(payload), **body}
    if message:
        assert project.error("signInWithCustomToken", body) == message
    else:
        token = claims(project.call("signInWithCustomToken", body))
        assert token["firebase"].get("tenant") == tenant_id


@pytest.mark.parametrize(
    "method, message",
    [
        ("GET", "((Can only get tenant on tenant projects.))"),
        ("PATCH", "((Can only update tenant on tenant projects.))"),
        ("DELETE", "((Can only delete tenant on tenant projects.))"),
    ],
)
def test_a_tenant_without_a_name(project, method, message):
    options = {} if method != "PATCH" else {"json": {}}
    answer = project.owner(method, f"{project.v2}/tenants/", 400, **options)
    assert answer["error"]["message"] == message


def test_a_tenant_inside_a_tenant(project):
    answer = project.owner("POST", f"{project.v2}/tenants", 500, json={"tenantId": "t1"})
    assert answer["error"]["message"] == "INTERNAL_ERROR : Can only create tenant in agent project"
    assert answer["error"]["status"] == "INTERNAL"


def test_get_projects_is_not_for_tenants(project):
    answer = project.request("GET", f"{IT}/v1/projects", params={"key": project.id})
    assert isinstance(answer["projectId"], str)


@pytest.mark.parametrize(
    "method, path",
    [
        ("GET", "/tenants"),
        ("POST", "/tenants"),
        ("GET", "/tenants/t1"),
        ("PATCH", "/tenants/t1"),
        ("DELETE", "/tenants/t1"),
        ("GET", "/config"),
        ("PATCH", "/config"),
    ],
)
def test_management_wants_the_owner(project, method, path):
    options = {"json": {}} if method in ("POST", "PATCH") else {}
    answer = project.request(method, project.v2 + path, 400, params={"key": project.id}, **options)
    assert answer["error"]["message"] == (
        "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id."
    )
    answer = project.request(method, project.v2 + path, 403, **options)
    assert answer["error"]["status"] == "PERMISSION_DENIED"
