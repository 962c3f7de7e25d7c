"""Looking accounts up, as a user and as an administrator."""

import pytest
from support.auth.sign_up import hearth  # noqa: F401
from support.auth.update import Accounts, project  # noqa: F401
from support.wire import V1, V3, unsigned, user_record

REDACTED = "UkVEQUNURUQ="
OPEN = {"allowPasswordSignup": True, "enableEmailLinkSignin": True, "enableAnonymousUser": True}
A, B, C, D = "a@example.com", "b@example.com", "c@example.com", "d@example.com"
PHONE, OTHER_PHONE = "+15555550100", "+15555550101"
FOUND = "identitytoolkit#GetAccountInfoResponse"
LOOKUPS = pytest.mark.parametrize("path", [V1 + "lookup", V3 + "getAccountInfo"], ids=["v1", "v3"])
GOOGLE = {"providerId": "google.com", "rawId": "g1"}


# MARK: A user looks up


@LOOKUPS
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"localId": ["two"]},
        {"localId": [], "email": [], "phoneNumber": []},
        {"email": [B], "phoneNumber": [PHONE], "initialEmail": ["x"]},
        {"federatedUserId": [{"providerId": "phone", "rawId": PHONE}]},
        {"delegatedProjectNumber": "12"},
    ],
    ids=["nothing", "localId", "empty", "others", "federated", "number"],
)
def test_a_user_sees_themselves(project, path, more):
    """Whatever else is asked for."""
    session = project.sign_up(A)
    project.make(localId="two", email=B, phoneNumber=PHONE)
    answer = project.post(path, {"idToken": session["idToken"], **more})
    assert answer.keys() == {"kind", "users"} and answer["kind"] == FOUND
    [user] = answer["users"]
    stored = user_record(project.user(session["localId"]))
    assert stored["salt"] and stored.pop("passwordHash") != REDACTED
    assert user == {**stored, "passwordHash": REDACTED}


@LOOKUPS
@pytest.mark.parametrize(
    "body, message",
    [
        ({}, "MISSING_ID_TOKEN"),
        ({"idToken": ""}, "MISSING_ID_TOKEN"),
        ({"localId": ["two"]}, "MISSING_ID_TOKEN"),
        ({"idToken": "x"}, "INVALID_ID_TOKEN"),
        ({"idToken": "x.y"}, "INVALID_ID_TOKEN"),
        ({"idToken": "a.b.c"}, "INVALID_ID_TOKEN"),
    ],
)
def test_a_user_needs_a_token(project, path, body, message):
    project.make(localId="two")
    assert project.error(path, body) == message


def state(project, name: str) -> str:
    """A token that one of the checks refuses."""
    session = project.sign_up(A)
    uid, iat = session["localId"], int(project.user(session["localId"])["validSince"])
    made = {"user_id": uid, "iat": iat, "firebase": {"sign_in_provider": "password"}}
    if name.startswith("old"):
        made["iat"] = iat - 1
    if name == "old without iat":
        del made["iat"]
    if name.endswith("disabled"):
        project.change(uid, disableUser=True)
    if name == "unknown":
        made["user_id"] = "nobody"
    if name == "without firebase":
        del made["firebase"]
    text = unsigned(made)
    return text.rstrip(".") if name == "without dot" else text


TOKEN_STATES = {
    "good": None,
    "without dot": "INVALID_ID_TOKEN",
    "without firebase": "INVALID_ID_TOKEN",
    "unknown": "USER_NOT_FOUND",
    "old": "TOKEN_EXPIRED",
    "old without iat": "TOKEN_EXPIRED",
    "disabled": "USER_DISABLED",
    "old and disabled": "TOKEN_EXPIRED",
}
WITH_TOKEN = {
    "lookup": {},
    "update": {"displayName": "x"},
    "signUp": {"email": B, "password": "secret1"},
    "signInWithEmailLink": {"email": C, "oobCode": "CODE"},
    "VERIFY_EMAIL": {"requestType": "VERIFY_EMAIL"},
    "VERIFY_AND_CHANGE_EMAIL": {"requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": B},
}


@pytest.mark.parametrize("name, message", TOKEN_STATES.items(), ids=TOKEN_STATES)
@pytest.mark.parametrize("verb", WITH_TOKEN)
def test_the_checks_of_a_token(project, verb, name, message):
    """The same order for every operation that takes a token; an equal second passes."""
    body = {**WITH_TOKEN[verb], "idToken": state(project, name)}
    if body.get("oobCode"):
        body["oobCode"] = project.oob("EMAIL_SIGNIN", C)
    verb = "sendOobCode" if verb.startswith("VERIFY") else verb
    if message is None:
        project.call(verb, body)
    else:
        assert project.error(verb, body) == message


@pytest.mark.parametrize("verb", WITH_TOKEN)
def test_a_token_of_another_tenant(project, verb):
    tenant = project.tenant(**OPEN)
    session = project.sign_up(A, tenantId=tenant)
    body = {**WITH_TOKEN[verb], "idToken": session["idToken"], "tenantId": "other"}
    verb = "sendOobCode" if verb.startswith("VERIFY") else verb
    assert project.error(verb, body) == "TENANT_ID_MISMATCH"


def test_a_token_selects_its_tenant(project):
    tenant = project.tenant(**OPEN)
    session = project.sign_up(A, tenantId=tenant)
    [user] = project.call("lookup", {"idToken": session["idToken"]})["users"]
    assert user["tenantId"] == tenant
    project.mine(session, displayName="Ann")
    assert project.user(session["localId"], tenant=tenant)["displayName"] == "Ann"


# MARK: An administrator looks up


@pytest.fixture
def house(project) -> Accounts:
    project.make(localId="one", email=A, password="secret1", phoneNumber=PHONE)
    project.make(localId="two", email=B, phoneNumber=OTHER_PHONE)
    project.make(localId="three", email=C)
    project.change("three", linkProviderUserInfo={**GOOGLE, "email": D})
    return project


def federated(*pairs) -> list[dict]:
    return [{"providerId": provider, "rawId": raw} for provider, raw in pairs]


LOOKED_UP = {
    "nothing": ({}, []),
    "empty": ({"localId": [], "email": []}, []),
    "an id": ({"localId": ["two"]}, ["two"]),
    "unknown id": ({"localId": ["x"]}, []),
    "in the order asked for": ({"localId": ["two", "x", "one"]}, ["two", "one"]),
    "once": ({"localId": ["two", "two"], "email": [B], "phoneNumber": [OTHER_PHONE]}, ["two"]),
    "by kinds": (
        {
            "federatedUserId": federated(("google.com", "g1")),
            "phoneNumber": [OTHER_PHONE],
            "email": [A],
            "localId": ["three"],
        },
        ["three", "one", "two"],
    ),
    "kinds without the first": (
        {
            "federatedUserId": federated(("google.com", "g1")),
            "phoneNumber": [OTHER_PHONE],
            "email": [A],
        },
        ["one", "two", "three"],
    ),
    "id in capitals": ({"localId": ["TWO"]}, []),
    "email": ({"email": [B]}, ["two"]),
    "email in capitals": ({"email": [B.upper(), A.upper()]}, ["two", "one"]),
    "unknown email": ({"email": [D, "x", ""]}, []),
    "phone": ({"phoneNumber": [PHONE]}, ["one"]),
    "bad phone": ({"phoneNumber": ["1", ""]}, []),
    "provider": ({"federatedUserId": federated(("google.com", "g1"))}, ["three"]),
    "provider's other id": ({"federatedUserId": federated(("google.com", "G1"))}, []),
    "other provider": ({"federatedUserId": federated(("apple.com", "g1"))}, []),
    "password as provider": ({"federatedUserId": federated(("password", A))}, ["one"]),
    "phone as provider": ({"federatedUserId": federated(("phone", OTHER_PHONE))}, ["two"]),
    "halves": (
        {
            "federatedUserId": [
                {"providerId": "google.com"},
                {"rawId": "g1"},
                {},
                {"providerId": "", "rawId": "g1"},
                {"providerId": "google.com", "rawId": ""},
                GOOGLE,
            ]
        },
        ["three"],
    ),
    "a token is ignored": ({"idToken": "x", "localId": ["two"]}, ["two"]),
    "only a token": ({"idToken": "x"}, []),
    "numbers": ({"localId": [1], "delegatedProjectNumber": 1}, []),
}


@pytest.mark.parametrize("query, found", LOOKED_UP.values(), ids=LOOKED_UP)
def test_an_administrator_looks_up(house, query, found):
    """In the order of ids, addresses, numbers, providers; each user once; else no `users`."""
    assert house.find(**query) == found


@LOOKUPS
def test_an_administrator_looks_up_anywhere(house, path):
    answer = house.owner("POST", path, json={"targetProjectId": house.id, "local_id": ["one"]})
    [user] = answer["users"]
    assert user["email"] == A and user["salt"] and user["passwordHash"] != REDACTED


def test_a_token_selects_the_tenant_of_an_administrators_lookup(project):
    tenant = project.tenant(**OPEN)
    session = project.sign_up(A, tenantId=tenant)
    project.make(localId="other", email=B)
    assert project.find(idToken=session["idToken"], localId=["other"], email=[B]) == []
    assert project.find(idToken=session["idToken"], email=[A]) == [session["localId"]]
    assert project.find(tenant=tenant, email=[A]) == [session["localId"]]
    assert project.find(email=[A]) == []


@pytest.mark.parametrize(
    "name, value, message",
    [
        ("localId", "two", "/localId must be array"),
        ("email", B, "/email must be array"),
        ("phoneNumber", PHONE, "/phoneNumber must be array"),
        ("initialEmail", A, "/initialEmail must be array"),
        ("federatedUserId", {}, "/federatedUserId must be array"),
        ("federatedUserId", ["x"], "/federatedUserId/0 must be object"),
        ("federatedUserId", [{}, {"rawId": True}], "/federatedUserId/1/rawId must be string"),
        ("localId", ["x", {}], "/localId/1 must be string"),
        ("idToken", True, "/idToken must be string"),
        ("email", [None], "/email/0 must be string"),
    ],
)
@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
def test_lookups_of_another_form(project, admin, name, value, message):
    error = (
        project.admin("/accounts:lookup", {name: value}, 400)
        if admin
        else project.call("lookup", {name: value}, 400)
    )["error"]
    assert error["status"] == "INVALID_ARGUMENT"
    assert error["message"] == f"Invalid JSON payload received. {message}"
