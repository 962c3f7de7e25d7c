"""Which ID tokens are accepted, by every operation that takes one."""

import base64
import json

import pytest
from support.auth.accounts import cases, oob_codes
from support.auth.project import IT, claims, idp_body
from support.auth.routes import hearth  # noqa: F401
from support.steering import guard, instant, project  # noqa: F401
from support.wire import CUSTOM_TOKEN_AUDIENCE, V1, decoded, segment, unsigned

A, B, C = "a@example.com", "b@example.com", "c@example.com"
ONE = "+15555550100"
DAY = "PT24H"


# MARK: The operations, each with nothing wrong but the token


def verb(name: str, **body):
    return lambda project, token, **more: project.call(name, {"idToken": token, **body}, **more)


def factor(name: str, **body):
    return lambda project, token, **more: project.factor(name, {"idToken": token, **body}, **more)


def by_phone(project, token, **more):
    return project.call("signInWithPhoneNumber", {"idToken": token, **project.sms(ONE)}, **more)


def by_provider(project, token, **more):
    body = idp_body("google.com", {"sub": "g", "email": "g@example.com"}, idToken=token)
    return project.call("signInWithIdp", body, **more)


def by_link(project, token, **more):
    project.call("sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": C})
    code = oob_codes(project)[-1]["oobCode"]
    return project.call(
        "signInWithEmailLink", {"idToken": token, "email": C, "oobCode": code}, **more
    )


def cookie(project, token, **more):
    return project.admin(":createSessionCookie", {"idToken": token}, **more)


OPERATIONS = {
    "lookup": verb("lookup"),
    "update": verb("update", displayName="x"),
    "update password": verb("update", password="secret2"),
    "delete": verb("delete"),
    "signUp": verb("signUp", email=C, password="secret2"),
    "verify": verb("sendOobCode", requestType="VERIFY_EMAIL"),
    "verify and change": verb("sendOobCode", requestType="VERIFY_AND_CHANGE_EMAIL", newEmail=C),
    "email link": by_link,
    "provider": by_provider,
    "phone": by_phone,
    "cookie": cookie,
    "enrollment": factor("mfaEnrollment:start", phoneEnrollmentInfo={"phoneNumber": ONE}),
    "passkey": factor("passkeyEnrollment:start"),
}


def refused(project, operation: str, token: str) -> str:
    return OPERATIONS[operation](project, token, status=400)["error"]["message"]


def user(project) -> dict:
    """Somebody who may do all of this; their session."""
    return project.verified(A)


def fake(session: dict, leave: tuple = (), **change) -> str:
    """The same claims without a signature."""
    content = {**claims(session), **change}
    return unsigned({name: value for name, value in content.items() if name not in leave})


ALL = pytest.mark.parametrize("operation", OPERATIONS)


# MARK: What counts


@ALL
@pytest.mark.parametrize("kind", ["ours", "unsigned"])
def test_good_tokens(project, operation, kind):
    session = user(project)
    token = session["idToken"] if kind == "ours" else fake(session)
    OPERATIONS[operation](project, token)


UNCHECKED = {
    "expired": {"exp": 1},
    "no expiry": {"leave": ("exp",)},
    "audience": {"aud": "other"},
    "no audience": {"leave": ("aud",)},
    "issuer": {"iss": "https://example.com"},
    "no issuer": {"leave": ("iss",)},
    "subject": {"sub": "other"},
    "no subject": {"leave": ("sub",)},
    "no time": {"leave": ("auth_time",)},
    "future": {"iat": 4_000_000_000},
    "nothing else": {"leave": ("exp", "aud", "iss", "sub", "auth_time", "email", "email_verified")},
    "provider": {"firebase": {"sign_in_provider": "google.com", "identities": {}}},
}


@ALL
@pytest.mark.parametrize("change", cases(UNCHECKED))
def test_claims_that_are_not_checked(project, operation, change):
    """In tokens without a signature: SDKs of tests make them up."""
    OPERATIONS[operation](project, fake(user(project), **change))


def test_a_token_of_another_project(project):
    """An unsigned one counts where there is a user of that id."""
    session = user(project)
    other = fake(session, aud="elsewhere", iss="https://securetoken.google.com/elsewhere")
    [found] = project.call("lookup", {"idToken": other})["users"]
    assert found["localId"] == session["localId"]


def test_a_header_of_any_kind(project):
    """Only its algorithm is looked at."""
    session = user(project)
    content = segment(claims(session))
    for header in ({"alg": "none"}, {"typ": "x", "alg": "none", "kid": "k"}):
        assert project.call("lookup", {"idToken": f"{segment(header)}.{content}."})["users"]


# MARK: The form

CONTENT = segment({"user_id": "u", "firebase": {"identities": {}}})
HEAD = segment({"alg": "none", "typ": "JWT"})
MALFORMED = {
    "word": "x",
    "blank": " ",
    "dots": "..",
    "letters": "a.b.c",
    "two parts": f"{HEAD}.{CONTENT}",
    "one part": HEAD,
    "four parts": f"{HEAD}.{CONTENT}..",
    "no head": f".{CONTENT}.",
    "no content": f"{HEAD}..",
    "head is text": f"{base64.urlsafe_b64encode(b'text!!').decode()}.{CONTENT}.",
    "head is no base64": f"!!!.{CONTENT}.",
    "content is no base64": f"{HEAD}.!!!.",
    "content is text": f"{HEAD}.{base64.urlsafe_b64encode(b'text!!').decode()}.",
    "signature is no base64": f"{HEAD}.{CONTENT}.!!!",
    "bearer": f"Bearer {HEAD}.{CONTENT}.",
    "json": json.dumps({"user_id": "u"}),
}


@ALL
@pytest.mark.parametrize("token", cases(MALFORMED))
def test_invalid_tokens(project, operation, token):
    user(project)
    assert refused(project, operation, token) == "INVALID_ID_TOKEN"


@ALL
@pytest.mark.parametrize(
    "change",
    cases(
        {
            "none": {"leave": ("firebase",)},
            "null": {"firebase": None},
            "text": {"firebase": "x"},
            "list": {"firebase": []},
        }
    ),
)
def test_a_token_without_firebase(project, operation, change):
    """The official emulator fails here; for Hearth it is an ID token of another issuer."""
    assert refused(project, operation, fake(user(project), **change)) == "INVALID_ID_TOKEN"


# MARK: Signatures, which ours does verify


@ALL
@pytest.mark.parametrize(
    "header",
    cases(
        {
            "rs256": {"alg": "RS256", "kid": "k"},
            "hs256": {"alg": "HS256"},
            "es256": {"alg": "ES256"},
        }
    ),
)
def test_signatures_of_strangers(project, operation, header):
    content = segment(claims(user(project)))
    assert refused(project, operation, f"{segment(header)}.{content}.c2ln") == "INVALID_ID_TOKEN"


# MARK: Tenants


@ALL
def test_the_tenant_of_the_token_and_another(project, operation):
    """Both tenants have the user."""
    session = project.verified(A, tenant="t1")
    uid = session["localId"]
    project.admin("/accounts", {"localId": uid, "email": A}, tenant="t2")
    for token in (session["idToken"], fake(session)):
        body = {"idToken": token, "tenantId": "t2"}
        path = {
            "cookie": f"{project.v1}:createSessionCookie",
            "enrollment": f"{IT}/v2/accounts/mfaEnrollment:start",
            "passkey": f"{IT}/v2/accounts/passkeyEnrollment:start",
            "phone": f"{V1}signInWithPhoneNumber",
            "provider": f"{V1}signInWithIdp",
            "email link": f"{V1}signInWithEmailLink",
            "verify": f"{V1}sendOobCode",
            "verify and change": f"{V1}sendOobCode",
            "update password": f"{V1}update",
        }.get(operation, f"{V1}{operation}")
        answer = (
            project.owner("POST", path, 400, json=body)
            if operation == "cookie"
            else project.post(path, body, 400)
        )
        assert answer["error"]["message"] == "TENANT_ID_MISMATCH"


def test_a_token_without_a_tenant_in_a_tenant(project):
    """The user does not exist in that project."""
    session = user(project)
    for token in (session["idToken"], fake(session)):
        assert project.error("lookup", {"idToken": token, "tenantId": "t1"}) == "USER_NOT_FOUND"


def test_a_tenants_user_is_not_the_projects(project):
    session = project.sign_up(A, tenantId="t1")
    stripped = fake(session, firebase={"sign_in_provider": "password", "identities": {}})
    assert project.error("lookup", {"idToken": stripped}) == "USER_NOT_FOUND"


# MARK: The user


@ALL
def test_a_user_who_was_deleted(project, operation):
    session = user(project)
    project.admin("/accounts:delete", {"localId": session["localId"]})
    for token in (session["idToken"], fake(session)):
        assert refused(project, operation, token) == "USER_NOT_FOUND"


@ALL
@pytest.mark.parametrize(
    "change",
    cases(
        {
            "unknown": {"user_id": "nobody"},
            "none": {"leave": ("user_id",)},
            "empty": {"user_id": ""},
        }
    ),
)
def test_a_token_of_an_unknown_user(project, operation, change):
    """`sub` is not used instead."""
    assert refused(project, operation, fake(user(project), **change)) == "USER_NOT_FOUND"


# MARK: validSince and disabled users


def since(project, session: dict, seconds: int, **more) -> None:
    """validSince, counted from the token's time."""
    value = str(claims(session)["iat"] + seconds)
    project.admin("/accounts:update", {"localId": session["localId"], "validSince": value, **more})


@ALL
@pytest.mark.parametrize(
    "seconds, message",
    [(-100, None), (-1, None), (0, None), (1, "TOKEN_EXPIRED"), (100, "TOKEN_EXPIRED")],
)
def test_valid_since(project, operation, seconds, message):
    """The same second passes."""
    session = user(project)
    since(project, session, seconds)
    if message:
        for token in (session["idToken"], fake(session)):
            assert refused(project, operation, token) == message
    else:
        OPERATIONS[operation](project, session["idToken"])


@ALL
def test_a_token_without_its_time(project, operation):
    assert refused(project, operation, fake(user(project), leave=("iat",))) == "TOKEN_EXPIRED"


def test_a_token_without_its_time_of_a_user_without_valid_since(project):
    """Nothing to compare with."""
    for session in (
        project.call("signUp", {}),
        project.idp("google.com", {"sub": "g"}),
        project.phone(ONE),
    ):
        token = fake(session, leave=("iat",))
        [found] = project.call("lookup", {"idToken": token})["users"]
        assert "validSince" not in found


@ALL
def test_a_disabled_user(project, operation):
    session = user(project)
    project.admin("/accounts:update", {"localId": session["localId"], "disableUser": True})
    for token in (session["idToken"], fake(session)):
        assert refused(project, operation, token) == "USER_DISABLED"


@ALL
def test_a_revoked_token_of_a_disabled_user(project, operation):
    session = user(project)
    since(project, session, 1, disableUser=True)
    for token in (session["idToken"], fake(session)):
        assert refused(project, operation, token) == "TOKEN_EXPIRED"


def test_a_user_who_is_enabled_again(project):
    session = user(project)
    for value in (True, False):
        project.admin("/accounts:update", {"localId": session["localId"], "disableUser": value})
    assert project.call("lookup", {"idToken": session["idToken"]})["users"]


# MARK: The order

FAULTS = {
    "no firebase": ("INVALID_ID_TOKEN", {"leave": ("firebase",)}),
    "nobody": ("USER_NOT_FOUND", {"user_id": "nobody"}),
    "old": ("TOKEN_EXPIRED", {"iat": 1}),
    "disabled": ("USER_DISABLED", {}),
}


@pytest.mark.parametrize(
    "first, second",
    [(first, second) for index, first in enumerate(FAULTS) for second in list(FAULTS)[index + 1 :]],
)
def test_the_earlier_fault_answers(project, first, second):
    session = user(project)
    if "disabled" in (first, second):
        project.admin("/accounts:update", {"localId": session["localId"], "disableUser": True})
    changes = {**FAULTS[first][1], **FAULTS[second][1]}
    assert refused(project, "lookup", fake(session, **changes)) == FAULTS[first][0]


def test_the_tenant_is_judged_before_the_user(project):
    session = project.sign_up(A, tenantId="t1")
    for change in ({"user_id": "nobody"}, {"iat": 1}):
        assert (
            project.error("lookup", {"idToken": fake(session, **change), "tenantId": "t2"})
            == "TENANT_ID_MISMATCH"
        )


# MARK: What sets validSince


def idle(project, session):
    pass


def by_user(**change):
    return lambda project, session: project.call(
        "update", {"idToken": session["idToken"], **change}
    )


def by_owner(**change):
    return lambda project, session: project.admin(
        "/accounts:update", {"localId": session["localId"], **change}
    )


def code_for(kind: str, **more):
    def use(project, session):
        code = project.admin(
            "/accounts:sendOobCode",
            {"requestType": kind, "email": A, "returnOobLink": True, **more},
        )["oobCode"]
        return project.call("update", {"oobCode": code})

    return use


def reset(project, session):
    code = project.admin(
        "/accounts:sendOobCode",
        {"requestType": "PASSWORD_RESET", "email": A, "returnOobLink": True},
    )["oobCode"]
    project.call("resetPassword", {"oobCode": code, "newPassword": "secret2"})


def enter_by_link(project, session):
    code = project.admin(
        "/accounts:sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": A, "returnOobLink": True}
    )["oobCode"]
    project.call("signInWithEmailLink", {"oobCode": code, "email": A})


def link_provider(project, session):
    project.idp("google.com", {"sub": "g", "email": "g@example.com"}, idToken=session["idToken"])


def refresh(project, session):
    project.post(
        "/securetoken.googleapis.com/v1/token",
        {"grant_type": "refresh_token", "refresh_token": session["refreshToken"]},
    )


def custom(project, session):
    token = unsigned({"aud": CUSTOM_TOKEN_AUDIENCE, "uid": session["localId"]})
    project.call("signInWithCustomToken", {"token": token})


# name: (what happens to a password user, whether validSince becomes now)
ACTS = {
    "password": (by_user(password="secret2"), True),
    "password by the owner": (by_owner(password="secret2"), True),
    "address": (by_user(email=B), True),
    "address by the owner": (by_owner(email=B), True),
    "validSince": (by_user(validSince="1"), True),
    "reset": (reset, True),
    "linking": (lambda p, s: p.sign_up(B, idToken=s["idToken"]), True),
    "take-over by a provider": (
        lambda p, s: p.idp("google.com", {"sub": "g", "email": A, "email_verified": True}),
        True,
    ),
    "a provider that did not verify": (
        lambda p, s: p.idp("x.com", {"sub": "g", "email": A}),
        False,
    ),
    "same address": (by_user(email=A), False),
    "same address in capitals": (by_user(email=A.upper()), False),
    "same address by the owner": (by_owner(email=A), False),
    "empty validSince": (by_user(validSince=""), False),
    "name": (by_user(displayName="x", photoUrl="y"), False),
    "verifying": (code_for("VERIFY_EMAIL"), False),
    "verifying and changing": (code_for("VERIFY_AND_CHANGE_EMAIL", newEmail=B), False),
    "e-mail link": (enter_by_link, False),
    "deleting the password": (by_user(deleteAttribute=["PASSWORD"]), False),
    "deleting the address": (by_owner(deleteAttribute=["EMAIL"]), False),
    "deleting the provider": (by_user(deleteProvider=["password"]), False),
    "disabling": (by_owner(disableUser=True), False),
    "verified by the owner": (by_owner(emailVerified=True), False),
    "claims": (by_owner(customAttributes='{"a":1}'), False),
    "number": (by_owner(phoneNumber=ONE), False),
    "signing in": (lambda p, s: p.sign_in(A), False),
    "linking a provider": (link_provider, False),
    "refreshing": (refresh, False),
    "custom token": (custom, False),
    "nothing": (idle, False),
}


def now(project) -> str:
    return str(int(instant(project.clock()["now"]).timestamp()))


@pytest.mark.parametrize("act, is_new", cases(ACTS))
def test_what_ends_older_tokens(project, act, is_new):
    project.clock(frozen=True)
    session = project.sign_up(A)
    before = now(project)
    assert project.user(session["localId"])["validSince"] == before
    project.advance("PT100S")
    act(project, session)
    assert project.user(session["localId"])["validSince"] == (now(project) if is_new else before)


def test_a_recovery_ends_nothing(project):
    project.clock(frozen=True)
    session = project.sign_up(A)
    project.call("update", {"idToken": session["idToken"], "email": B})
    before = project.user(session["localId"])["validSince"]
    project.advance("PT100S")
    [code] = oob_codes(project)
    project.call("update", {"oobCode": code["oobCode"]})
    assert project.user(session["localId"])["validSince"] == before


def test_linking_an_anonymous_user(project):
    project.clock(frozen=True)
    session = project.call("signUp", {})
    assert "validSince" not in project.user(session["localId"])
    project.advance("PT100S")
    project.sign_up(A, idToken=session["idToken"])
    assert project.user(session["localId"])["validSince"] == now(project)


def test_an_owners_valid_since_is_taken_as_it_is(project):
    uid = project.sign_up(A)["localId"]
    for value in ("1", "99999999999", "5"):
        project.admin("/accounts:update", {"localId": uid, "validSince": value, "email": B})
        assert project.user(uid)["validSince"] == value


def test_an_import_sets_valid_since(project):
    project.clock(frozen=True)
    project.advance(DAY)
    project.admin(
        "/accounts:batchCreate",
        {"users": [{"localId": "u", "email": A, "validSince": "5", "rawPassword": "secret1"}]},
    )
    assert project.user("u")["validSince"] == now(project)


@pytest.mark.parametrize(
    "enter_as",
    cases(
        {
            "anonymous": lambda p: p.call("signUp", {}),
            "phone": lambda p: p.phone(ONE),
            "provider": lambda p: p.idp("google.com", {"sub": "g", "email": A}),
            "owner": lambda p: p.admin("/accounts", {"email": A}),
            "custom": lambda p: {
                "localId": decoded(
                    p.call(
                        "signInWithCustomToken",
                        {"token": unsigned({"aud": CUSTOM_TOKEN_AUDIENCE, "uid": "u"})},
                    )["idToken"]
                )[1]["sub"]
            },
        }
    ),
)
def test_accounts_without_valid_since(project, enter_as):
    assert "validSince" not in project.user(enter_as(project)["localId"])
