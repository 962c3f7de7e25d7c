"""Signing in with a password, and the tokens of every sign-in."""

import base64
import json
import re

import pytest
from support.auth.project import check_error, claims
from support.auth.sign_up import freeze, hearth, project, same_time, token_block  # noqa: F401
from support.steering import instant
from support.wire import V1, V3, no_null

A, B = "a@example.com", "b@example.com"
PHONE, OTHER_PHONE = "+15555550100", "+15555550101"
TOKENS = {"idToken", "refreshToken", "expiresIn"}
REDACTED = "UkVEQUNURUQ="
OPEN = {"allowPasswordSignup": True, "enableEmailLinkSignin": True, "enableAnonymousUser": True}
PRIVATE = {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": True}}


# MARK: The token block

SIGN_INS = {
    "anonymous": lambda p: p.call("signUp", {}),
    "signUp": lambda p: p.sign_up(A),
    "signInWithPassword": lambda p: (p.sign_up(A), p.sign_in(A))[1],
    "link": lambda p: p.sign_up(A, idToken=p.call("signUp", {})["idToken"]),
    "update": lambda p: p.call(
        "update", {"idToken": p.sign_up(A)["idToken"], "password": "secret2"}
    ),
    "admin update": lambda p: p.admin(
        "/accounts:update", {"localId": p.sign_up(A)["localId"], "password": "secret2"}
    ),
    "signInWithEmailLink": lambda p: p.call(
        "signInWithEmailLink",
        {
            "email": A,
            "oobCode": p.admin(
                "/accounts:sendOobCode",
                {"requestType": "EMAIL_SIGNIN", "email": A, "returnOobLink": True},
            )["oobCode"],
        },
    ),
}


@pytest.mark.parametrize("way", SIGN_INS)
def test_the_token_block(project, way):
    """Issuing tokens sets `lastRefreshAt` to now, in ISO 8601 with milliseconds and Z."""
    now = freeze(project)
    answer = SIGN_INS[way](project)
    assert answer.keys() >= TOKENS
    content = token_block(answer)
    assert content["iat"] == now // 1000
    assert content["sub"] == content["user_id"] == answer["localId"]
    refreshed = project.user(answer["localId"])["lastRefreshAt"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", refreshed)
    assert round(instant(refreshed).timestamp() * 1000) == now


def test_later_tokens_move_the_time_of_the_refresh_again(project):
    uid = project.sign_up(A)["localId"]
    first = project.user(uid)["lastRefreshAt"]
    project.advance("PT2H")
    project.sign_in(A)
    assert (instant(project.user(uid)["lastRefreshAt"]) - instant(first)).total_seconds() >= 7200


# MARK: Signing in with a password

SIGN_IN_BODIES = {
    "plain": {},
    "no tokens wanted": {"returnSecureToken": False},
    "in capitals": {"email": A.upper()},
    "ignored": {
        "delegatedProjectNumber": 12,
        "instanceId": "x",
        "clientType": "CLIENT_TYPE_WEB",
        "recaptchaVersion": "1",
    },
    "empty where nothing may be": {
        "captchaChallenge": "",
        "captchaResponse": "",
        "idToken": "",
        "pendingIdToken": "",
    },
}


@pytest.mark.parametrize(
    "path", [V1 + "signInWithPassword", V3 + "verifyPassword"], ids=["v1", "v3"]
)
@pytest.mark.parametrize("more", SIGN_IN_BODIES.values(), ids=SIGN_IN_BODIES)
def test_signing_in(project, path, more):
    uid = project.sign_up(A, displayName="Ann")["localId"]
    before = project.user(uid)
    project.advance("PT2H")
    now = freeze(project)
    answer = project.post(path, {"email": A, "password": "secret1", **more})
    assert answer.keys() == {"kind", "registered", "localId", "email"} | TOKENS
    assert answer["kind"] == "identitytoolkit#VerifyPasswordResponse"
    assert answer["registered"] is True
    assert (answer["localId"], answer["email"]) == (uid, A)
    content = token_block(answer)
    assert content["firebase"]["sign_in_provider"] == "password" and content["name"] == "Ann"
    assert content["auth_time"] == now // 1000
    after = project.user(uid)
    same_time(after, "lastLoginAt", now)
    changed = {"lastLoginAt", "lastRefreshAt"}
    assert {n: v for n, v in after.items() if n not in changed} == {
        n: v for n, v in before.items() if n not in changed
    }


def test_signing_in_as_the_owner(project):
    """An administrator's call answers with tokens too."""
    project.sign_up(A)
    token_block(
        project.owner(
            "POST",
            V1 + "signInWithPassword",
            json={"email": A, "password": "secret1", "targetProjectId": project.id},
        )
    )


@pytest.mark.parametrize(
    "body, message",
    [
        ({}, "MISSING_EMAIL"),
        ({"password": "secret1"}, "MISSING_EMAIL"),
        ({"email": ""}, "INVALID_EMAIL"),
        ({"email": "x"}, "INVALID_EMAIL"),
        ({"email": "a@b@c"}, "INVALID_EMAIL"),
        ({"email": A}, "MISSING_PASSWORD"),
        ({"email": A, "password": ""}, "MISSING_PASSWORD"),
        ({"email": B, "password": "secret1"}, "EMAIL_NOT_FOUND"),
        ({"email": A, "password": "Secret1"}, "INVALID_PASSWORD"),
        ({"email": A, "password": "secret1 "}, "INVALID_PASSWORD"),
        ({"email": A, "password": "x"}, "INVALID_PASSWORD"),
    ],
)
def test_accounts_that_cannot_sign_in(project, body, message):
    """The length of the password does not matter here."""
    uid = project.sign_up(A)["localId"]
    before = project.user(uid)
    assert project.error("signInWithPassword", body) == message
    assert project.user(uid) == before


@pytest.mark.parametrize("name", ["idToken", "pendingIdToken"])
def test_what_signing_in_does_not_know(project, name):
    project.sign_up(A)
    error = project.call("signInWithPassword", {"email": A, "password": "secret1", name: "x"}, 501)[
        "error"
    ]
    check_error(error, 501)


@pytest.mark.parametrize("name", ["captchaChallenge", "captchaResponse"])
def test_captchas_are_taken(project, name):
    """The official emulator answers 501, although projects may ask for them."""
    project.sign_up(A)
    body = {"email": A, "password": "secret1", name: "x"}
    assert project.call("signInWithPassword", body)["idToken"]


def test_passwords_are_compared_as_texts(project):
    """Two ways to write an accent are two passwords."""
    project.sign_up(A, password="\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4")
    assert (
        project.error("signInWithPassword", {"email": A, "password": "a\u0308" * 6})
        == "INVALID_PASSWORD"
    )


def test_addresses_are_compared_as_texts(project):
    """Two ways to write an accent are two addresses."""
    project.sign_up("\u00e4@example.com")
    other = "a\u0308@example.com"
    assert (
        project.error("signInWithPassword", {"email": other, "password": "secret1"})
        == "EMAIL_NOT_FOUND"
    )
    assert project.sign_up(other)["email"] == other


def test_an_address_does_not_end_at_a_nul(project):
    project.sign_up(A)
    assert (
        project.error("signInWithPassword", {"email": A + "\0x", "password": "secret1"})
        == "EMAIL_NOT_FOUND"
    )
    assert project.sign_up(A + "\0y")["email"] == A + "\0y"


@pytest.mark.parametrize("name, value", [("localId", "one"), ("phoneNumber", PHONE)])
def test_ids_and_numbers_do_not_end_at_a_nul(project, name, value):
    project.admin("/accounts", {name: value})
    project.admin("/accounts", {name: value + "\0x"})
    assert len(project.users()) == 2


def test_a_password_does_not_end_at_a_nul(project):
    project.sign_up(A, password="secret\0" + "1")
    assert (
        project.error("signInWithPassword", {"email": A, "password": "secret\0" + "2"})
        == "INVALID_PASSWORD"
    )
    project.sign_in(A, password="secret\0" + "1")


@pytest.mark.parametrize("private", [False, True], ids=["open", "private"])
@pytest.mark.parametrize("tenant", [False, True], ids=["project", "tenant"])
@pytest.mark.parametrize(
    "user, password, messages",
    [
        (None, "secret1", ("EMAIL_NOT_FOUND", "INVALID_LOGIN_CREDENTIALS")),
        ({"password": "secret1"}, "secret2", ("INVALID_PASSWORD", "INVALID_LOGIN_CREDENTIALS")),
        ({}, "secret1", ("INVALID_PASSWORD", "INVALID_LOGIN_CREDENTIALS")),
        ({"password": "secret1", "disabled": True}, "secret2", ("USER_DISABLED", "USER_DISABLED")),
        ({"password": "secret1", "disabled": True}, "secret1", ("USER_DISABLED", "USER_DISABLED")),
        ({"disabled": True}, "secret1", ("USER_DISABLED", "USER_DISABLED")),
    ],
    ids=[
        "unknown",
        "wrong",
        "without password",
        "disabled and wrong",
        "disabled and right",
        "disabled and without password",
    ],
)
def test_enumeration_protection(project, private, tenant, user, password, messages):
    """A tenant follows its project. A disabled user shows before the password is looked at."""
    scope = project.tenant(**OPEN) if tenant else None
    if private:
        project.configure("emailPrivacyConfig", **PRIVATE)
    if user is not None:
        project.admin("/accounts", {"email": A, **user}, tenant=scope)
    body = {"email": A, "password": password, **({"tenantId": scope} if scope else {})}
    assert project.error("signInWithPassword", body) == messages[private]


@pytest.mark.parametrize(
    "body, message",
    [({}, "MISSING_EMAIL"), ({"email": "x"}, "INVALID_EMAIL"), ({"email": A}, "MISSING_PASSWORD")],
)
def test_enumeration_protection_does_not_hide_bad_requests(project, body, message):
    project.configure("emailPrivacyConfig", **PRIVATE)
    assert project.error("signInWithPassword", body) == message


@pytest.mark.parametrize(
    "phone, shown",
    [
        ("+15555550100", "+*******0100"),
        ("+1 (555) 555-0100", "+* (***) ***-0100"),
        ("+123", "+123"),
        ("+1234", "+1234"),
        ("+12345", "+*2345"),
        ("+", "+"),
        ("+1a2b3c4d5", "+*a2b3c4d5"),
        ("+9\u03018\u20e31234", "+*\u0301*\u20e31234"),
    ],
    ids=[
        "plain",
        "with signs",
        "three digits",
        "four digits",
        "five digits",
        "none",
        "letters",
        "combining marks",
    ],
)
def test_a_second_factor_is_asked_for(project, phone, shown):
    """No tokens, the time of the sign-in stays, the number shows its last four digits."""
    uid = project.sign_up(A, mfaInfo=[{"phoneInfo": phone, "displayName": "Mine"}])["localId"]
    before = project.user(uid)
    project.advance("PT2H")
    answer = project.sign_in(A)
    assert answer.keys() == {
        "kind",
        "registered",
        "localId",
        "email",
        "mfaPendingCredential",
        "mfaInfo",
    }
    assert answer["kind"] == "identitytoolkit#VerifyPasswordResponse"
    assert (answer["registered"], answer["localId"], answer["email"]) == (True, uid, A)
    [factor] = answer["mfaInfo"]
    [stored] = before["mfaInfo"]
    assert factor == {
        "displayName": "Mine",
        "mfaEnrollmentId": stored["mfaEnrollmentId"],
        "phoneInfo": shown,
        **{name: stored[name] for name in ("enrolledAt",) if name in stored},
    }
    assert project.user(uid) == before


@pytest.mark.parametrize("tenant", [False, True], ids=["project", "tenant"])
def test_the_pending_credential(project, tenant):
    """Standard base64 of a JSON object that says who passed which factor where."""
    scope = f"t-{project.id}" if tenant else None
    more = {"tenantId": scope} if scope else {}
    session = project.sign_up(A, mfaInfo=[{"phoneInfo": PHONE}, {"phoneInfo": OTHER_PHONE}], **more)
    answer = project.sign_in(A, **more)
    assert len(answer["mfaInfo"]) == 2
    assert all("displayName" not in factor for factor in answer["mfaInfo"])
    content = json.loads(base64.b64decode(answer["mfaPendingCredential"], validate=True))
    no_null(content)
    assert content["_AuthEmulatorMfaPendingCredential"]
    assert content["localId"] == session["localId"]
    assert content["signInProvider"] == "password" and content["projectId"] == project.id
    assert content.get("tenantId") == scope


def test_a_tenant_without_second_factors_does_not_ask(project):
    tenant = project.tenant(**OPEN, mfaConfig={"state": "DISABLED"})
    project.sign_up(A, tenantId=tenant, mfaInfo=[{"phoneInfo": PHONE}])
    assert project.sign_in(A, tenantId=tenant).keys() >= TOKENS


@pytest.mark.parametrize("state", ["ENABLED", "MANDATORY"])
def test_a_tenant_with_second_factors_asks(project, state):
    tenant = project.tenant(**OPEN, mfaConfig={"state": state, "enabledProviders": ["PHONE_SMS"]})
    project.sign_up(A, tenantId=tenant, mfaInfo=[{"phoneInfo": PHONE}])
    assert "mfaPendingCredential" in project.sign_in(A, tenantId=tenant)


@pytest.mark.parametrize(
    "body, message",
    [({"password": "secret2"}, "INVALID_PASSWORD"), ({"pendingIdToken": "x"}, None)],
)
def test_a_wrong_password_comes_before_the_second_factor(project, body, message):
    project.sign_up(A, mfaInfo=[{"phoneInfo": PHONE}])
    error = project.call(
        "signInWithPassword", {"email": A, "password": "secret1", **body}, 400 if message else 501
    )["error"]
    assert message is None or error["message"] == message


def test_a_tenants_user_is_not_the_projects(project):
    tenant = project.tenant(**OPEN)
    session = project.sign_up(A, tenantId=tenant)
    answer = project.sign_in(A, tenantId=tenant)
    assert answer["localId"] == session["localId"]
    assert claims(answer)["firebase"]["tenant"] == tenant
    assert (
        project.error("signInWithPassword", {"email": A, "password": "secret1"})
        == "EMAIL_NOT_FOUND"
    )


def test_what_users_see_of_a_password(project):
    """Clients see a redacted hash, administrators a hash that does not reveal it."""
    session = project.sign_up(A)
    [seen] = project.call("lookup", {"idToken": session["idToken"]})["users"]
    record = project.user(session["localId"])
    assert seen["passwordHash"] == REDACTED and seen["salt"] == record["salt"]
    assert record["passwordHash"] != REDACTED and "secret1" not in json.dumps(record)
