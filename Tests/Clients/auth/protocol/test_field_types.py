"""The type of every declared field, and what is checked before an operation runs."""

import json

import pytest
import requests
from support.auth.project import Project, check_error
from support.auth.sign_up import LEGACY, hearth  # noqa: F401
from support.wire import V1, V3, unsigned

A = "a@example.com"
JSON_TYPE = {"Content-Type": "application/json"}
CLIENT = ["CLIENT_TYPE_UNSPECIFIED", "CLIENT_TYPE_WEB", "CLIENT_TYPE_ANDROID", "CLIENT_TYPE_IOS"]
RECAPTCHA = ["RECAPTCHA_VERSION_UNSPECIFIED", "RECAPTCHA_ENTERPRISE"]
TEXT, FLAG, ENUM, LIST, OBJECT = "string", "boolean", "enum", "array", "object"


def texts(names: str) -> dict:
    return dict.fromkeys(names.split(), TEXT)


FIELDS = {
    "signUp": {
        **texts(
            "email password displayName photoUrl localId idToken phoneNumber tenantId "
            "targetProjectId captchaChallenge captchaResponse instanceId"
        ),
        "emailVerified": FLAG,
        "disabled": FLAG,
        "mfaInfo": LIST,
        "clientType": ENUM,
        "recaptchaVersion": ENUM,
    },
    "signInWithPassword": {
        **texts(
            "email password tenantId delegatedProjectNumber instanceId captchaChallenge "
            "captchaResponse idToken pendingIdToken"
        ),
        "returnSecureToken": FLAG,
        "clientType": ENUM,
        "recaptchaVersion": ENUM,
    },
    "sendOobCode": {
        **texts(
            "email newEmail idToken continueUrl tenantId targetProjectId "
            "androidMinimumVersion androidPackageName dynamicLinkDomain linkDomain "
            "captchaResp challenge userIp"
        ),
        "requestType": ENUM,
        "returnOobLink": FLAG,
        "canHandleCodeInApp": FLAG,
        "androidInstallApp": FLAG,
        "clientType": ENUM,
        "recaptchaVersion": ENUM,
    },
    "resetPassword": texts("oobCode newPassword tenantId email oldPassword"),
    "signInWithEmailLink": texts("email oobCode idToken tenantId"),
    "lookup": {
        **texts("idToken tenantId targetProjectId delegatedProjectNumber"),
        **dict.fromkeys(
            ["localId", "email", "phoneNumber", "initialEmail", "federatedUserId"], LIST
        ),
    },
    "update": {
        **texts(
            "idToken oobCode localId displayName photoUrl email password phoneNumber "
            "customAttributes validSince createdAt lastLoginAt captchaChallenge "
            "captchaResponse instanceId delegatedProjectNumber tenantId targetProjectId"
        ),
        "emailVerified": FLAG,
        "disableUser": FLAG,
        "upgradeToFederatedLogin": FLAG,
        "returnSecureToken": FLAG,
        "deleteAttribute": LIST,
        "deleteProvider": LIST,
        "deletePasskey": LIST,
        "provider": LIST,
        "linkProviderUserInfo": OBJECT,
        "mfa": OBJECT,
    },
}
INNER = {
    "signUp": {
        "/mfaInfo/1": ("object", lambda v: {"mfaInfo": [{}, v]}),
        "/mfaInfo/0/phoneInfo": (TEXT, lambda v: {"mfaInfo": [{"phoneInfo": v}]}),
        "/mfaInfo/0/displayName": (TEXT, lambda v: {"mfaInfo": [{"displayName": v}]}),
    },
    "lookup": {
        **{
            f"/{name}/1": (TEXT, lambda v, name=name: {name: ["x", v]})
            for name in ("localId", "email", "phoneNumber", "initialEmail")
        },
        "/federatedUserId/0": (OBJECT, lambda v: {"federatedUserId": [v]}),
        "/federatedUserId/0/providerId": (TEXT, lambda v: {"federatedUserId": [{"providerId": v}]}),
        "/federatedUserId/0/rawId": (TEXT, lambda v: {"federatedUserId": [{"rawId": v}]}),
    },
    "update": {
        "/deleteAttribute/1": (ENUM, lambda v: {"deleteAttribute": [0, v]}),
        **{
            f"/{name}/0": (TEXT, lambda v, name=name: {name: [v]})
            for name in ("deleteProvider", "deletePasskey", "provider")
        },
        **{
            f"/linkProviderUserInfo/{name}": (
                TEXT,
                lambda v, name=name: {"linkProviderUserInfo": {name: v}},
            )
            for name in (
                "providerId",
                "rawId",
                "email",
                "displayName",
                "photoUrl",
                "phoneNumber",
                "federatedId",
                "screenName",
            )
        },
        "/mfa/enrollments": (LIST, lambda v: {"mfa": {"enrollments": v}}),
        "/mfa/enrollments/0": (OBJECT, lambda v: {"mfa": {"enrollments": [v]}}),
        **{
            f"/mfa/enrollments/0/{name}": (
                kind,
                lambda v, name=name: {"mfa": {"enrollments": [{name: v}]}},
            )
            for name, kind in {
                "mfaEnrollmentId": TEXT,
                "phoneInfo": TEXT,
                "displayName": TEXT,
                "enrolledAt": TEXT,
                "unobfuscatedPhoneInfo": TEXT,
                "emailInfo": OBJECT,
                "totpInfo": OBJECT,
            }.items()
        },
    },
}
WRONG = {
    TEXT: [True, None, {}, ["x"]],
    FLAG: ["true", 1, 0, None, {}],
    LIST: ["x", 1, {}, None, True],
    ENUM: ["x", "", -1, 99, "99", None, True, {}, 0.5],
    OBJECT: ["x", 1, [], None, True],
}
RULES = {
    TEXT: "must be string",
    FLAG: "must be boolean",
    LIST: "must be array",
    OBJECT: "must be object",
    ENUM: "must be equal to one of the allowed values",
}


@pytest.fixture
def project(hearth) -> Project:  # noqa: F811
    return Project(hearth)


def snake(name: str) -> str:
    return "".join("_" + c.lower() if c.isupper() else c for c in name)


def violated(project, verb: str, body: dict, pointer: str, kind: str) -> None:
    for path in (V1 + verb, V3 + LEGACY[verb]):
        error = project.post(path, body, 400)["error"]
        assert error["status"] == "INVALID_ARGUMENT"
        assert error["message"] == f"Invalid JSON payload received. {pointer} {RULES[kind]}"


def told(kind: str, value) -> str:
    """An invalid name has another message than an unknown name."""
    return TEXT if kind == ENUM and type(value) not in (str, int, float) else kind


# MARK: Types


@pytest.mark.parametrize(
    "verb, name, kind",
    [
        pytest.param(verb, name, kind, id=f"{verb}-{name}")
        for verb, fields in FIELDS.items()
        for name, kind in fields.items()
    ],
)
def test_a_declared_field_has_its_type(project, verb, name, kind):
    """In both spellings and under both names of the operation; what is ignored too."""
    for value in WRONG[kind]:
        violated(project, verb, {name: value}, f"/{name}", told(kind, value))
    violated(project, verb, {snake(name): WRONG[kind][0]}, f"/{name}", kind)
    violated(project, verb, {name[0].upper() + name[1:]: WRONG[kind][0]}, f"/{name}", kind)


@pytest.mark.parametrize(
    "verb, pointer, kind, body",
    [
        pytest.param(verb, pointer, *rest, id=f"{verb}-{pointer}")
        for verb, fields in INNER.items()
        for pointer, rest in fields.items()
    ],
)
def test_a_field_inside_a_field_has_its_type(project, verb, pointer, kind, body):
    for value in WRONG[kind]:
        violated(project, verb, body(value), pointer, told(kind, value))


@pytest.mark.parametrize(
    "verb, name",
    [
        ("signUp", "returnSecureToken"),
        ("resetPassword", "returnSecureToken"),
        ("lookup", "returnSecureToken"),
        ("sendOobCode", "returnSecureToken"),
        ("update", "unknown"),
        ("signInWithPassword", "unknown"),
        ("signInWithEmailLink", "unknown"),
    ],
)
def test_what_is_not_declared_may_be_anything(project, verb, name):
    for value in (True, None, "x", 1, {"a": [None]}, [1]):
        answer = requests.post(
            project.server.auth + V1 + verb,
            params={"key": project.id},
            json={name: value},
            timeout=30,
        )
        assert not answer.text.count("Invalid JSON payload")


ENUMS = [
    ("signUp", "clientType", CLIENT),
    ("signUp", "recaptchaVersion", RECAPTCHA),
    ("signInWithPassword", "clientType", CLIENT),
    ("signInWithPassword", "recaptchaVersion", RECAPTCHA),
    ("sendOobCode", "clientType", CLIENT),
    ("sendOobCode", "recaptchaVersion", RECAPTCHA),
]


@pytest.mark.parametrize("verb, name, values", ENUMS, ids=lambda value: str(value)[:18])
def test_every_form_of_an_enum(project, verb, name, values):
    """Its name, its index, or the index as digits; without an effect."""
    project.sign_up(A)
    body = {
        "signUp": {},
        "signInWithPassword": {"email": A, "password": "secret1"},
        "sendOobCode": {"requestType": 1, "email": A},
    }[verb]
    for index, value in enumerate(values):
        for given in (index, str(index), value):
            project.call(verb, {**body, name: given})
    for given in (len(values), str(len(values)), values[-1].lower()):
        violated(project, verb, {**body, name: given}, f"/{name}", ENUM)


NUMBERS = {
    "1": "1",
    "0": "0",
    "-12": "-12",
    "1.5": "1.5",
    "1.0": "1",
    "1e3": "1000",
    "-0.25": "-0.25",
    "0.1": "0.1",
    "123456789012345": "123456789012345",
    "-0": "0",
    "-0.0": "0",
    "1E2": "100",
}
# As JavaScript writes them.
FAR_NUMBERS = {
    "1e20": "100000000000000000000",
    "0.000001": "0.000001",
    "1e-7": "1e-7",
    "12345678901234567890": "12345678901234567000",
}


@pytest.mark.parametrize("number, text", [*NUMBERS.items(), *FAR_NUMBERS.items()])
def test_a_number_becomes_its_text(project, number, text):
    """Its decimal text."""
    reply = requests.post(
        project.server.auth + V1 + "signUp",
        params={"key": project.id},
        timeout=30,
        headers=JSON_TYPE,
        data=f'{{"email":"{A}","password":"secret1","displayName":{number}}}',
    )
    assert reply.json()["displayName"] == text


def test_numbers_for_texts_everywhere(project):
    """A numeric address, password and code are texts as well."""
    uid = project.call("signUp", {"password": 123456, "email": A})["localId"]
    assert project.call("signInWithPassword", {"email": A, "password": "123456"})["localId"] == uid
    assert project.error("signUp", {"email": 12, "password": "secret1"}) == "INVALID_EMAIL"
    project.admin("/accounts", {"localId": 7})
    assert project.user("7")["localId"] == "7"
    project.admin("/accounts:update", {"localId": 7, "validSince": 12, "createdAt": 13})
    assert (project.user("7")["validSince"], project.user("7")["createdAt"]) == ("12", "13")


@pytest.mark.parametrize(
    "given, good",
    [
        ("1.0", True),
        ("1e0", True),
        ('"+1"', False),
        ('" 1"', False),
        ("1.5", False),
        ('"1.0"', False),
        ("4", False),
        ("12345678901234567890", False),
        ("-1", False),
    ],
)
def test_indexes_of_an_enum(project, given, good):
    """Whole numbers, or texts of digits."""
    reply = requests.post(
        project.server.auth + V1 + "signUp",
        params={"key": project.id},
        timeout=30,
        headers=JSON_TYPE,
        data=f'{{"clientType":{given}}}',
    )
    assert (reply.status_code == 200) == good, reply.text


SNAKE = {
    "signUp": {
        "email": A,
        "password": "secret1",
        "display_name": "Ann",
        "mfa_info": [{"phone_info": "+1", "display_name": "Mine"}],
    },
    "signInWithPassword": {"Email": A, "PASSWORD": "secret1"},
    "sendOobCode": {"request_type": "PASSWORD_RESET", "EMAIL": A},
    "lookup": {"id_token": "TOKEN"},
    "update": {"ID_TOKEN": "TOKEN", "photoURL": "u"},
}


@pytest.mark.parametrize("verb", SNAKE)
@pytest.mark.parametrize("legacy", [False, True], ids=["v1", "v3"])
def test_names_in_every_spelling(project, verb, legacy):
    uid = None if verb == "signUp" else project.sign_up(A)["localId"]
    token = unsigned(
        {"user_id": uid, "iat": 4_000_000_000, "firebase": {"sign_in_provider": "password"}}
    )
    body = {name: token if value == "TOKEN" else value for name, value in SNAKE[verb].items()}
    answer = project.post(V3 + LEGACY[verb] if legacy else V1 + verb, body)
    if verb == "signUp":
        assert answer["displayName"] == "Ann"
        [factor] = project.user(answer["localId"])["mfaInfo"]
        assert (factor["phoneInfo"], factor["displayName"]) == ("+1", "Mine")
    if verb == "update":
        assert answer["photoUrl"] == "u"


# MARK: What comes before the operation

# Each step mends one fault of the request, the earliest.
STEPS = [
    ("type", 400, "Invalid content-type: text/plain"),
    ("bearer", 401, None),
    ("key", 403, "The request is missing a valid API key."),
    ("query", 400, "Invalid JSON payload received.  must be equal to one of the allowed values"),
    ("json", 400, None),
    ("array", 400, "Invalid JSON payload received.  must be object"),
    ("schema", 400, "Invalid JSON payload received. /tenantId must be string"),
    (
        "project",
        400,
        "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id.",
    ),
    ("tenant", 400, "TENANT_ID_MISMATCH"),
]
FIRST = {
    "signUp": "UNEXPECTED_PARAMETER : User ID",
    "signInWithPassword": "MISSING_EMAIL",
    "sendOobCode": "MISSING_REQ_TYPE",
    "resetPassword": "MISSING_OOB_CODE",
    "signInWithEmailLink": "USER_NOT_FOUND",
    "lookup": "USER_NOT_FOUND",
    "update": "USER_NOT_FOUND",
}


@pytest.mark.parametrize("legacy", [False, True], ids=["v1", "v3"])
@pytest.mark.parametrize("verb", FIELDS)
def test_the_order_of_what_comes_before(project, verb, legacy):
    """Type, caller, query, body, project, tenant, and only then the operation itself."""
    path = V3 + LEGACY[verb] if legacy else V1 + verb
    token = unsigned({"user_id": "x", "firebase": {"tenant": "one"}})
    bad = {"tenantId": True, "targetProjectId": "p", "idToken": token, "localId": ["x"]}
    typed = {**bad, "tenantId": "two"}
    if verb != "lookup":
        typed["localId"] = "x"
    other = {name: value for name, value in typed.items() if name != "targetProjectId"}
    mended = {name: value for name, value in other.items() if name != "tenantId"}
    faults = [name for name, _, _ in STEPS]
    for count, (name, status, message) in enumerate([*STEPS, ("own", 400, FIRST[verb])]):
        left = set(faults[count:])
        if legacy and "query" in left:
            # Other parameters than the key are dropped.
            left.discard("query")
            if name == "query":
                continue
        body = (
            b"{"
            if "json" in left
            else b"[]"
            if "array" in left
            else json.dumps(
                bad
                if "schema" in left
                else typed
                if "project" in left
                else other
                if "tenant" in left
                else mended
            ).encode()
        )
        headers = {"Content-Type": "text/plain"} if "type" in left else dict(JSON_TYPE)
        if "bearer" in left:
            headers["Authorization"] = "Bearer unknown"
        params = {} if "key" in left else {"key": project.id}
        if "query" in left:
            params["alt"] = "xml"
        reply = requests.post(
            project.server.auth + path, params=params, headers=headers, data=body, timeout=30
        )
        assert reply.status_code == status, (name, reply.text)
        error = reply.json()["error"]
        if message is not None:
            assert error["message"] == message, name
        if name not in ("type", "key"):
            check_error(error, status)


@pytest.mark.parametrize("verb", FIELDS)
def test_an_invalid_refresh_token(project, verb):
    """Anywhere in a body; the tenant of a valid one counts."""
    assert project.error(verb, {"refreshToken": "x"}) == "INVALID_REFRESH_TOKEN"
    tenant = project.tenant(
        allowPasswordSignup=True, enableEmailLinkSignin=True, enableAnonymousUser=True
    )
    session = project.call("signUp", {"tenantId": tenant})
    body = {"refreshToken": session["refreshToken"], "tenantId": "other"}
    assert project.error(verb, body).startswith("TENANT_ID_MISMATCH")


@pytest.mark.parametrize("verb", ["signUp", "sendOobCode", "lookup", "update"])
def test_the_paths_of_projects_and_tenants(project, verb):
    """The path wins over the body, and a tenant of the path must be the body's."""
    tenant = project.tenant(enableEmailLinkSignin=True)
    uid = project.admin("/accounts", {"email": A}, tenant=tenant)["localId"]
    suffix = "/accounts" if verb == "signUp" else f"/accounts:{verb}"
    body = {
        "signUp": {},
        "sendOobCode": {"requestType": 6, "email": A},
        "lookup": {"localId": [uid]},
        "update": {"localId": uid},
    }[verb]
    project.admin(suffix, {**body, "targetProjectId": "another"}, tenant=tenant)
    project.admin(suffix, {**body, "tenantId": tenant}, tenant=tenant)
    answer = project.admin(suffix, {**body, "tenantId": tenant})
    assert verb != "lookup" or answer["users"][0]["tenantId"] == tenant
    assert (
        project.admin_error(suffix, {**body, "tenantId": "another"}, tenant=tenant)
        == "TENANT_ID_MISMATCH"
    )


@pytest.mark.parametrize("verb", FIELDS)
def test_old_names_take_the_methods_of_the_new(hearth, verb):  # noqa: F811
    """And answer what the new ones answer."""
    for method in ("GET", "PUT", "PATCH", "DELETE"):
        replies = [
            requests.request(method, hearth.auth + path, params={"key": "any"}, timeout=30)
            for path in (V1 + verb, V3 + LEGACY[verb])
        ]
        assert [reply.status_code for reply in replies] == [405, 405]
        assert [reply.headers["Allow"] for reply in replies] == ["POST", "POST"]


@pytest.mark.parametrize("verb", FIELDS)
def test_old_names_drop_other_parameters(project, verb):
    """So that what is wrong with them does not matter."""
    bad = {"alt": "xml", "prettyPrint": "x"}
    new, old = (
        requests.post(
            project.server.auth + path,
            params={"key": project.id, **bad},
            json={"tenantId": "t1"},
            timeout=30,
        ).json()
        for path in (V1 + verb, V3 + LEGACY[verb])
    )
    assert new["error"]["status"] == "INVALID_ARGUMENT"
    assert "error" not in old or "status" not in old["error"]
    reply = requests.post(
        project.server.auth + V3 + LEGACY[verb],
        headers={"x-goog-api-key": project.id},
        json={},
        timeout=30,
    )
    assert reply.status_code in (200, 400)
