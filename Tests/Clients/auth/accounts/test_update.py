"""Updating accounts: who may send what, custom claims, whose account, combinations."""

import json

import pytest
from support.auth.project import check_error, claims
from support.auth.sign_up import freeze, hearth, same_time, token_block  # noqa: F401
from support.auth.update import UPDATES, factor, password_entry, project, stored  # noqa: F401
from support.steering import instant
from support.wire import unsigned

TOKENS = {"idToken", "refreshToken", "expiresIn"}
OPEN = {"allowPasswordSignup": True, "enableEmailLinkSignin": True, "enableAnonymousUser": True}
A, B, C, D = "a@example.com", "b@example.com", "c@example.com", "d@example.com"
PHONE, OTHER_PHONE = "+15555550100", "+15555550101"
GOOGLE = {"providerId": "google.com", "rawId": "g1"}
RESERVED = [
    "iss",
    "aud",
    "sub",
    "iat",
    "exp",
    "nbf",
    "jti",
    "nonce",
    "azp",
    "acr",
    "amr",
    "cnf",
    "auth_time",
    "firebase",
    "at_hash",
    "c_hash",
]


# MARK: Who may send what


@UPDATES
@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize(
    "name, value",
    [
        ("provider", []),
        ("provider", ["google.com"]),
        ("upgradeToFederatedLogin", False),
        ("upgradeToFederatedLogin", True),
    ],
)
def test_what_updates_do_not_know(project, path, admin, name, value):
    """Whenever the key is there, and before anybody is asked for."""
    body = {name: value}
    if admin:
        error = project.owner("POST", path, 501, json=body)["error"]
    else:
        error = project.post(path, body, 501)["error"]
    check_error(error, 501)


@UPDATES
@pytest.mark.parametrize(
    "body",
    [{}, {"localId": "x"}, {"idToken": "", "oobCode": ""}, {"displayName": "x"}, {"email": "x"}],
)
def test_a_user_without_token_or_code(project, path, body):
    assert project.error(path, body) == "INVALID_REQ_TYPE : Unsupported request parameters."


@UPDATES
@pytest.mark.parametrize(
    "body",
    [{}, {"localId": ""}, {"idToken": "TOKEN"}, {"oobCode": "CODE"}, {"localId": "", "email": "x"}],
)
def test_an_administrator_without_an_id(project, path, body):
    """Neither a token nor a code helps."""
    session = project.sign_up(A)
    body = {
        name: {"TOKEN": session["idToken"]}.get(value)
        or (project.oob("VERIFY_EMAIL") if value == "CODE" else value)
        for name, value in body.items()
    }
    error = project.owner("POST", path, 400, json={"targetProjectId": project.id, **body})
    assert error["error"]["message"] == "MISSING_LOCAL_ID"


@pytest.mark.parametrize("claims_text", ["", "{}", '{"a":1}', "x" * 1001, "[]", '{"iss":1}'])
def test_claims_are_for_administrators(project, claims_text):
    session = project.sign_up(A)
    assert project.mine(session, 400, customAttributes=claims_text)["error"]["message"] == (
        "INSUFFICIENT_PERMISSION"
    )
    assert "customAttributes" not in project.user(session["localId"])


@pytest.mark.parametrize(
    "change",
    [
        {"emailVerified": True},
        {"phoneNumber": PHONE},
        {"phoneNumber": "not one"},
        {"createdAt": "1"},
        {"lastLoginAt": "1"},
        {"localId": "other"},
        {
            "returnSecureToken": True,
            "captchaChallenge": "x",
            "captchaResponse": "x",
            "instanceId": "x",
            "delegatedProjectNumber": "1",
        },
        {"email": "", "password": "", "validSince": ""},
        {"deleteAttribute": [0]},
        {"deleteAttribute": [], "deleteProvider": []},
        {"deleteProvider": ["google.com"]},
        {"phoneNumber": ""},
        {"customAttributesX": "x"},
    ],
    ids=[
        "verified",
        "phone",
        "bad phone",
        "created",
        "login",
        "another id",
        "ignored",
        "empty",
        "nothing deleted",
        "empty lists",
        "provider that is not linked",
        "empty phone",
        "unknown",
    ],
)
def test_what_a_user_cannot_change(project, change):
    """It is ignored, and no tokens are returned."""
    session = project.sign_up(A)
    before = project.user(session["localId"])
    answer = project.mine(session, **change)
    assert not TOKENS & answer.keys()
    assert project.user(session["localId"]) == before


# MARK: Custom claims

GOOD_CLAIMS = {
    "empty": "",
    "no claims": "{}",
    "some": '{"role":"admin","level":[1,{"a":null}]}',
    "with spaces": ' {\n"a" : 1\t} ',
    "exactly 1000": json.dumps({"a": "x" * 991}),
    "1000 code units": '{"a":"' + "\U0001f600" * 496 + '"}',
    "a reserved name inside": '{"a":{"iss":1}}',
    "names of the account": '{"email":"x","user_id":"y","phone_number":"z"}',
    "in capitals": '{"ISS":1}',
    "twice": '{"a":1,"a":2}',
}


@pytest.mark.parametrize("text", GOOD_CLAIMS.values(), ids=GOOD_CLAIMS)
def test_claims_that_are_taken(project, text):
    """Stored to the letter."""
    uid = project.make(email=A, password="secret1")
    answer = project.change(uid, customAttributes=text)
    assert "customAttributes" not in answer and not TOKENS & answer.keys()
    assert project.user(uid)["customAttributes"] == text


def test_a_byte_order_mark_is_not_a_claim(project):
    assert project.refused(project.make(), customAttributes='\ufeff{"a":1}') == "INVALID_CLAIMS"


def test_claims_are_of_bounded_depth(project):
    """No request may exhaust the stack; the official emulator takes any depth."""
    uid = project.make()
    project.change(uid, customAttributes='{"a":' + "[" * 100 + "]" * 100 + "}")
    assert (
        project.refused(uid, customAttributes='{"a":' + "[" * 400 + "]" * 400 + "}")
        == "INVALID_CLAIMS"
    )


@pytest.mark.parametrize(
    "text, message",
    [
        (json.dumps({"a": "x" * 992}), "CLAIMS_TOO_LARGE"),
        ("x" * 1001, "CLAIMS_TOO_LARGE"),
        ('{"a":"' + "\U0001f600" * 497 + '"}', "CLAIMS_TOO_LARGE"),
        (json.dumps({"iss": "x" * 1000}), "CLAIMS_TOO_LARGE"),
        ("x", "INVALID_CLAIMS"),
        (" ", "INVALID_CLAIMS"),
        ("{", "INVALID_CLAIMS"),
        ("{}{}", "INVALID_CLAIMS"),
        ('{"a":1,}', "INVALID_CLAIMS"),
        ("{'a':1}", "INVALID_CLAIMS"),
        ('{"a":NaN}', "INVALID_CLAIMS"),
        ('{"a":01}', "INVALID_CLAIMS"),
        ('{"a":"\n"}', "INVALID_CLAIMS"),
        ('{"a":.5}', "INVALID_CLAIMS"),
        ('{"a":"\\x41"}', "INVALID_CLAIMS"),
        ("[]", "INVALID_CLAIMS"),
        ('[{"iss":1}]', "INVALID_CLAIMS"),
        ("1", "INVALID_CLAIMS"),
        ('"x"', "INVALID_CLAIMS"),
        ("null", "INVALID_CLAIMS"),
        ("true", "INVALID_CLAIMS"),
    ],
    ids=[
        "1001",
        "1001 letters",
        "1002 code units",
        "before a reserved name",
        "a letter",
        "a space",
        "open",
        "two",
        "comma",
        "quotes",
        "NaN",
        "zero",
        "line end",
        "point",
        "escape",
        "array",
        "array of objects",
        "number",
        "string",
        "null",
        "true",
    ],
)
def test_claims_that_are_refused(project, text, message):
    uid = project.make()
    assert project.refused(uid, customAttributes=text) == message
    # Claims come before the user is looked for.
    assert project.refused("nobody", customAttributes=text) == message
    assert "customAttributes" not in project.user(uid)


@pytest.mark.parametrize("name", RESERVED)
def test_claims_that_are_reserved(project, name):
    uid = project.make()
    assert project.refused(uid, customAttributes=json.dumps({"a": 1, name: None})) == (
        f"FORBIDDEN_CLAIM : {name}"
    )


@pytest.mark.parametrize("first, second", list(zip(RESERVED, RESERVED[1:])))
def test_reserved_claims_are_reported_in_order(project, first, second):
    uid = project.make()
    assert project.refused(uid, customAttributes=json.dumps({second: 1, first: 1})) == (
        f"FORBIDDEN_CLAIM : {first}"
    )


def test_claims_are_in_later_tokens(project):
    uid = project.make(email=A, password="secret1")
    project.change(uid, customAttributes='{"role":"admin","name":"Claimed"}', displayName="Ann")
    content = claims(project.sign_in(A))
    assert (content["role"], content["name"]) == ("admin", "Claimed")


# MARK: Whose account


def test_the_token_counts_and_not_the_id(project):
    """Even for an administrator whose `localId` names someone else."""
    session = project.sign_up(A)
    other = project.make(email=B)
    answer = project.change(other, idToken=session["idToken"], displayName="Ann")
    assert answer["localId"] == session["localId"]
    assert project.user(session["localId"])["displayName"] == "Ann"
    assert "displayName" not in project.user(other)


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize("value", [False, True])
def test_a_token_cannot_disable_an_account(project, admin, value):
    session = project.sign_up(A)
    body = {"idToken": session["idToken"], "disableUser": value}
    message = (
        project.refused(session["localId"], **body) if admin else project.error("update", body)
    )
    assert message == "OPERATION_NOT_ALLOWED"
    assert "disabled" not in project.user(session["localId"])


def test_an_administrator_cannot_change_an_unknown_user(project):
    assert project.refused("nobody", displayName="x") == "USER_NOT_FOUND"


def test_an_administrator_changes_a_disabled_user(project):
    uid = project.make(email=A, disabled=True)
    project.change(uid, displayName="Ann")
    assert project.user(uid)["displayName"] == "Ann"


# MARK: All of it at once


def test_everything_at_once(project):
    """An administrator's call in which each step has something to do."""
    uid = project.make(email=A, password="secret1", displayName="Old")
    now = freeze(project)
    answer = project.change(
        uid,
        email=B,
        emailVerified=True,
        password="secret2",
        photoUrl="u",
        phoneNumber=PHONE,
        mfa={"enrollments": [factor()]},
        disableUser=False,
        createdAt="1",
        lastLoginAt="2000",
        validSince="3",
        customAttributes='{"a":1}',
        deleteAttribute=["DISPLAY_NAME"],
        deleteProvider=["apple.com"],
        linkProviderUserInfo=GOOGLE,
    )
    assert (
        answer.keys()
        == {
            "kind",
            "localId",
            "emailVerified",
            "providerUserInfo",
            "email",
            "photoUrl",
            "newEmail",
            "passwordHash",
        }
        | TOKENS
    )
    record = project.user(uid)
    assert record == {
        "localId": uid,
        "email": B,
        "emailVerified": True,
        "initialEmail": A,
        "photoUrl": "u",
        "phoneNumber": PHONE,
        "mfaInfo": [stored()],
        "disabled": False,
        "createdAt": "1",
        "lastLoginAt": "2000",
        "validSince": "3",
        "customAttributes": '{"a":1}',
        "passwordUpdatedAt": now,
        "passwordHash": record["passwordHash"],
        "salt": record["salt"],
        "lastRefreshAt": record["lastRefreshAt"],
        "providerUserInfo": [
            password_entry(B, photoUrl="u"),
            GOOGLE,
            {"providerId": "phone", "phoneNumber": PHONE, "rawId": PHONE},
        ],
    }
    content = token_block(answer)
    assert (content["a"], content["auth_time"], content["email"]) == (1, 2, B)
    assert content["firebase"] == {
        "identities": {"email": [B], "google.com": ["g1"], "phone": [PHONE]},
        "sign_in_provider": "password",
    }
    assert [one["email"] for one in project.pending()] == [A]


def test_a_tenants_user_is_changed(project):
    tenant = project.tenant(**OPEN)
    uid = project.make(email=A, tenant=tenant)
    assert project.refused(uid, displayName="x") == "USER_NOT_FOUND"
    project.change(uid, tenant=tenant, displayName="Ann", password="secret2")
    record = project.user(uid, tenant=tenant)
    assert (record["displayName"], record["tenantId"]) == ("Ann", tenant)


def test_signing_in_moves_what_updates_leave(project):
    """`lastLoginAt` stays with an update that gives tokens; `lastRefreshAt` does not."""
    session = project.sign_up(A)
    before = project.user(session["localId"])
    project.advance("PT10M")
    now = freeze(project)
    project.mine(session, password="secret2")
    after = project.user(session["localId"])
    assert after["lastLoginAt"] == before["lastLoginAt"]
    assert round(instant(after["lastRefreshAt"]).timestamp() * 1000) == now
    project.sign_in(A, password="secret2")
    same_time(project.user(session["localId"]), "lastLoginAt", now)


def test_a_token_that_names_no_provider_brings_no_tokens(project):
    uid = project.make(email=A, password="secret1")
    presented = unsigned({"user_id": uid, "iat": 4_000_000_000, "firebase": {"identities": {}}})
    for change in ({"validSince": "1"}, {"email": B}):
        assert "idToken" not in project.call("update", {"idToken": presented, **change})
    assert "idToken" in project.call("update", {"idToken": presented, "password": "secret2"})
