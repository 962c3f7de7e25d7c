"""The claims of ID tokens after every way to sign in, unsigned tokens, refresh tokens."""

import base64
import json
import types

import pytest
from support.auth.accounts import by_link, cases, hearth, link, refresh, update  # noqa: F401
from support.auth.project import claims, idp_body
from support.auth.records import as_owner, as_user, custom, google, only, token_of
from support.auth.sign_in import enter, finalize, second
from support.server import Server
from support.steering import Steered, guard, instant, project  # noqa: F401
from support.wire import unsigned

A, B, C = "a@example.com", "b@example.com", "c@example.com"
ONE, TWO = "+15555550100", "+15555550101"
# The claims of a token in the order in which they come; what an account adds comes after picture.
ORDER = [
    "name",
    "picture",
    "email",
    "email_verified",
    "phone_number",
    "provider_id",
    "auth_time",
    "user_id",
    "firebase",
    "iat",
    "exp",
    "aud",
    "iss",
    "sub",
]
FIREBASE = [
    "identities",
    "sign_in_provider",
    "second_factor_identifier",
    "sign_in_second_factor",
    "tenant",
    "sign_in_attributes",
]


def saml(project, **more) -> dict:
    response = {"assertion": {"subject": {"nameId": A}, "attributeStatements": {"role": "x"}}}
    return project.call(
        "signInWithIdp",
        idp_body(
            "saml.x",
            {"sub": "1", "email": A},
            inputs={"SAMLResponse": json.dumps(response)},
            **more,
        ),
    )


def with_passkey(project) -> dict:
    finalize(project, project.sign_up(A), {"id": "p1"})
    return enter(project, {"id": "p1"})


def tenants_session(project) -> dict:
    return project.sign_up(A, tenantId="t1")


def by_google(project) -> dict:
    return google(project, name="Ann", picture="http://x")


def after_google(project) -> dict:
    """The same by a provider of no verified addresses."""
    return project.idp("facebook.com", {"sub": "1", "email": A, "email_verified": False})


def full(project, **more) -> dict:
    """A user of everything, who signs in with a custom token."""
    project.admin(
        "/accounts",
        {
            "localId": "u",
            "email": A,
            "password": "secret1",
            "displayName": "Ann",
            "photoUrl": "http://x",
            "phoneNumber": ONE,
            "emailVerified": True,
            **more,
        },
    )
    link(project, "u", "google.com")
    link(project, "u", "oidc.y")
    return custom(project)


ADDRESS = {"email": A, "email_verified": False}
PROVEN = {"email": A, "email_verified": True}
NAME = {"name": "Ann", "picture": "http://x"}

# name: (sign in, provider, identities, other claims)
SIGN_INS = {
    "anonymous": (lambda p: p.call("signUp", {}), "anonymous", {}, {"provider_id": "anonymous"}),
    "sign-up": (
        lambda p: p.sign_up(A, displayName="Ann"),
        "password",
        {"email": [A]},
        {"name": "Ann", **ADDRESS},
    ),
    "password": (lambda p: p.sign_up(A) and p.sign_in(A), "password", {"email": [A]}, ADDRESS),
    "e-mail link": (lambda p: by_link(p, A), "password", {"email": [A]}, PROVEN),
    "custom token": (custom, "custom", {}, {}),
    "custom token of a user by the owner": (
        lambda p: p.admin("/accounts", {"localId": "u"}) and custom(p),
        "custom",
        {},
        {"email_verified": False},
    ),
    "custom token with claims": (
        lambda p: custom(p, role="x", deep={"a": [1, None]}),
        "custom",
        {},
        {"role": "x", "deep": {"a": [1, None]}},
    ),
    "custom token of a full account": (
        full,
        "custom",
        {"email": [A], "phone": [ONE], "google.com": ["u-google.com"], "oidc.y": ["u-oidc.y"]},
        {**NAME, **PROVEN, "phone_number": ONE},
    ),
    "phone": (lambda p: p.phone(ONE), "phone", {"phone": [ONE]}, {"phone_number": ONE}),
    "google": (by_google, "google.com", {"email": [A], "google.com": ["1"]}, {**NAME, **PROVEN}),
    "facebook": (after_google, "facebook.com", {"email": [A], "facebook.com": ["1"]}, ADDRESS),
    "oidc": (
        lambda p: p.idp("oidc.x", {"sub": "1", "email": A, "email_verified": True}),
        "oidc.x",
        {"email": [A], "oidc.x": ["1"]},
        PROVEN,
    ),
    "provider without an address": (
        lambda p: p.idp("github.com", {"sub": "1"}),
        "github.com",
        {"github.com": ["1"]},
        {},
    ),
    "saml": (saml, "saml.x", {"email": [A], "saml.x": ["1"]}, PROVEN),
    "passkey": (with_passkey, "passkey", {"email": [A]}, ADDRESS),
    "tenant": (tenants_session, "password", {"email": [A]}, ADDRESS),
    "empty name": (
        lambda p: p.sign_up(A, displayName=""),
        "password",
        {"email": [A]},
        {"name": "", **ADDRESS},
    ),
}


@pytest.mark.parametrize("sign_in, provider, identities, others", cases(SIGN_INS))
def test_the_claims_of_a_sign_in(project, sign_in, provider, identities, others):
    """These, with these values, and no others; after a refresh the same."""
    project.clock(frozen=True)
    now = int(project.now().timestamp())
    session = sign_in(project)
    assert session.get("expiresIn", "3600") == "3600" and session["refreshToken"]
    tenant = "t1" if sign_in is tenants_session else None
    user = only(project, tenant)
    tokens = [token_of(session), token_of(refresh(project, session))]
    for token in tokens:
        firebase = dict(token["firebase"])
        assert firebase.pop("sign_in_attributes", {"role": "x"}) == {"role": "x"}
        assert firebase == {"identities": identities, "sign_in_provider": provider} | (
            {"tenant": tenant} if tenant else {}
        )
        assert {name: value for name, value in token.items() if name != "firebase"} == others | {
            "auth_time": now,
            "iat": now,
            "exp": now + 3600,
            "aud": project.id,
            "iss": f"https://securetoken.google.com/{project.id}",
            "sub": user["localId"],
            "user_id": user["localId"],
        }
        assert all(type(token[name]) is int for name in ("auth_time", "iat", "exp"))
        assert list(token["firebase"]) == [n for n in FIREBASE if n in token["firebase"]]
        assert [n for n in token if n in ORDER] == [n for n in ORDER if n in token]
        added = [n for n in token if n not in ORDER]
        front = [n for n in ("name", "picture") if n in token]
        assert list(token) == [*front, *added, *[n for n in ORDER if n in token and n not in front]]
    assert ("sign_in_attributes" in tokens[0]["firebase"]) is (sign_in is saml)
    assert "sign_in_attributes" not in tokens[1]["firebase"]


@pytest.mark.parametrize("way", ["lastLoginAt", "lastRefreshAt"])
def test_the_time_of_the_sign_in(project, way):
    """The floor of milliseconds; of the refresh, for users who never signed in."""
    project.admin("/accounts:batchCreate", {"users": [{"localId": "u", "email": A}]})
    assert "lastLoginAt" not in project.user("u")
    if way == "lastLoginAt":
        update(project, "u", lastLoginAt="1600000000999")
    session = project.admin("/accounts:update", {"localId": "u", "password": "secret1"})
    shown = int(instant(project.user("u")["lastRefreshAt"]).timestamp())
    assert token_of(session)["auth_time"] == (1600000000 if way == "lastLoginAt" else shown)
    if way == "lastLoginAt":
        project.advance("PT1H")
        assert token_of(refresh(project, session))["auth_time"] == 1600000000


def two_factors(project) -> dict:
    session = project.verified(A)
    project.enroll(session, ONE)
    return session


@pytest.mark.parametrize("way", ["password", "google.com"])
def test_the_claims_of_a_second_factor(project, way):
    two_factors(project)
    [factor] = only(project)["mfaInfo"]
    pending = project.sign_in(A) if way == "password" else google(project)
    session = second(project, pending)
    for token in (token_of(session), token_of(refresh(project, session))):
        firebase = token["firebase"]
        assert list(firebase) == FIREBASE[:4]
        assert firebase["sign_in_provider"] == way
        assert firebase["second_factor_identifier"] == factor["mfaEnrollmentId"]
        assert firebase["sign_in_second_factor"] == "phone"


# MARK: Providers of tokens that other calls give


def anonymous(project):
    return project.call("signUp", {})


def password(project):
    return project.sign_up(A)


def of_google(project):
    return google(project)


# name: (session, call, provider)
CHANGES = {
    "password of a password user": (password, as_user("update", password="secret2"), "password"),
    "password of an anonymous user": (
        anonymous,
        as_user("update", email=B, password="secret2"),
        "password",
    ),
    "password of a google user": (of_google, as_user("update", password="secret2"), "password"),
    "password by the owner": (anonymous, as_owner(email=B, password="secret2"), "password"),
    "sign-up of an anonymous user": (
        anonymous,
        as_user("signUp", email=B, password="secret2"),
        "password",
    ),
    "sign-up of a google user": (
        of_google,
        as_user("signUp", email=B, password="secret2"),
        "password",
    ),
    "sign-up of a custom user": (custom, None, "password"),
    "address of a password user": (password, as_user("update", email=B), "password"),
    "address of an anonymous user": (anonymous, as_user("update", email=B), "anonymous"),
    "address of a google user": (of_google, as_user("update", email=B), "google.com"),
    "validSince of a password user": (password, as_user("update", validSince="1"), "password"),
    "validSince of an anonymous user": (anonymous, as_user("update", validSince="1"), "anonymous"),
    "validSince of a google user": (of_google, as_user("update", validSince="1"), "google.com"),
    "link of an anonymous user": (
        anonymous,
        lambda p, s: by_link(p, B, idToken=s["idToken"]),
        "password",
    ),
    "number of an anonymous user": (
        anonymous,
        lambda p, s: p.phone(ONE, idToken=s["idToken"]),
        "phone",
    ),
    "google of an anonymous user": (
        anonymous,
        lambda p, s: google(p, idToken=s["idToken"]),
        "google.com",
    ),
    "custom token of a password user": (password, lambda p, s: custom(p, s["localId"]), "custom"),
}


@pytest.mark.parametrize("prepare, act, provider", cases(CHANGES))
def test_the_provider_after_a_change(project, prepare, act, provider):
    session = prepare(project)
    act = act or as_user("signUp", email=B, password="secret2")
    answer = act(project, session)
    for token in (token_of(answer), token_of(refresh(project, answer))):
        assert token["firebase"]["sign_in_provider"] == provider
        assert ("provider_id" in token) is (provider == "anonymous")


@pytest.mark.parametrize(
    "prepare", [anonymous, password, of_google, custom], ids=lambda f: f.__name__
)
@pytest.mark.parametrize(
    "change",
    [
        {"displayName": "Ann"},
        {"deleteAttribute": ["DISPLAY_NAME"]},
        {"deleteProvider": ["x.com"]},
        {"linkProviderUserInfo": {"providerId": "x.com", "rawId": "1"}},
    ],
    ids=["name", "attribute", "provider", "link"],
)
def test_changes_without_tokens(project, prepare, change):
    answer = project.call("update", {"idToken": prepare(project)["idToken"], **change})
    assert not {"idToken", "refreshToken", "expiresIn"} & answer.keys()


@pytest.mark.parametrize(
    "change",
    [{"email": B}, {"validSince": "1"}, {"displayName": "x"}],
    ids=["address", "validSince", "name"],
)
def test_an_owners_changes_without_tokens(project, change):
    uid = password(project)["localId"]
    answer = project.admin("/accounts:update", {"localId": uid, **change})
    assert not {"idToken", "refreshToken", "expiresIn"} & answer.keys()


def test_claims_of_the_account_are_in_the_token(project):
    """Member by member, and as they are at the time of the refresh."""
    session = project.sign_up(A)
    update(
        project,
        session["localId"],
        customAttributes='{"role":"admin","list":[1,2.5,null,{"a":"é😀"}],"none":null}',
    )
    token = token_of(refresh(project, session))
    assert token["list"] == [1, 2.5, None, {"a": "é😀"}] and token["role"] == "admin"
    assert token["none"] is None
    update(project, session["localId"], customAttributes="")
    assert not {"role", "list"} & token_of(refresh(project, session)).keys()


def test_claims_whose_names_look_the_same(project):
    given = {"\u00e9": 1, "e\u0301": 2}
    token = token_of(custom(project, **given))
    assert {name: token.get(name) for name in given} == given


# MARK: Which ID tokens count


def forged(user: dict, **changes) -> dict:
    """The claims of an unsigned token for that user; a None takes a claim away."""
    made = {
        "user_id": user["localId"],
        "iat": int(user.get("validSince", 1)),
        "firebase": {"sign_in_provider": "password", "identities": {}},
    } | changes
    return {name: value for name, value in made.items() if value is not None}


def parts(header="e30", payload="e30", signature="", dots=2) -> str:
    return ".".join([header, payload, signature][: dots + 1])


# name: (whether the user has validSince, claims, message)
ACCEPTANCE = {
    "as it should be": (True, {}, None),
    "out of date": (True, {"exp": 1}, None),
    "no dates, no validSince": (False, {"iat": None}, None),
    "for somebody": (True, {"aud": "x", "iss": "x", "sub": "x"}, None),
    "no provider": (True, {"firebase": {}}, None),
    "no firebase": (True, {"firebase": None}, "INVALID_ID_TOKEN"),
    "of nobody": (True, {"user_id": "x"}, "USER_NOT_FOUND"),
    "of no user": (True, {"user_id": None}, "USER_NOT_FOUND"),
    "too old": (True, {"iat": 1}, "TOKEN_EXPIRED"),
    "no date": (True, {"iat": None}, "TOKEN_EXPIRED"),
    "of nobody, too old": (True, {"user_id": "x", "iat": 1}, "USER_NOT_FOUND"),
}


@pytest.mark.parametrize("since, changes, message", cases(ACCEPTANCE))
def test_which_tokens_count(project, since, changes, message):
    session = project.sign_up(A) if since else project.call("signUp", {})
    body = {"idToken": unsigned(forged(only(project), **changes))}
    if message is None:
        [user] = project.call("lookup", body)["users"]
        assert user["localId"] == session["localId"]
    else:
        assert project.error("lookup", body) == message


@pytest.mark.parametrize(
    "token",
    cases(
        {
            "a word": "x",
            "no payload": parts(payload=""),
            "no header": parts(header=""),
            "two segments": unsigned({"user_id": "x", "firebase": {}}).removesuffix("."),
            "four segments": unsigned({"user_id": "x", "firebase": {}}) + ".",
            "no base64url": parts("$$$"),
            "header is no JSON": parts("e3s"),
            "empty claims": parts(),
            "a space": " " + unsigned({"user_id": "x", "firebase": {}}),
        }
    ),
)
def test_invalid_tokens(project, token):
    assert project.error("lookup", {"idToken": token}) == "INVALID_ID_TOKEN"


@pytest.mark.parametrize(
    "since, message",
    [(None, "USER_DISABLED"), ("99999999999", "TOKEN_EXPIRED")],
    ids=["disabled", "and revoked"],
)
def test_a_token_of_a_disabled_user(project, since, message):
    session = project.sign_up(A)
    more = {"validSince": since} if since else {}
    update(project, session["localId"], disableUser=True, **more)
    assert project.error("lookup", {"idToken": session["idToken"]}) == message


def test_a_valid_since_that_is_not_a_number_has_no_effect(project):
    session = project.sign_up(A)
    update(project, session["localId"], validSince="abc")
    assert project.call("lookup", {"idToken": session["idToken"]})["users"]


def test_the_tenant_of_a_token_is_judged_first(project):
    session = project.sign_up(A, tenantId="t1")
    project.admin("/accounts:delete", {"localId": session["localId"]}, tenant="t1")
    body = {"idToken": session["idToken"]}
    assert project.error("lookup", body | {"tenantId": "t2"}) == "TENANT_ID_MISMATCH"
    assert project.error("lookup", body) == "USER_NOT_FOUND"


# MARK: Unsigned tokens: the form of the official emulator


@pytest.fixture(scope="module")
def unsigned_door():
    """A server, and its address where tokens are not signed."""
    server = Server("--single-project-mode", "no-warning", "--unsigned-auth-port", "0")
    yield types.SimpleNamespace(auth=server.addresses["unsigned"])
    server.stop()


@pytest.mark.parametrize("sign_in", cases({name: row[0] for name, row in SIGN_INS.items()}))
def test_the_form_of_unsigned_tokens(unsigned_door, sign_in):
    project = Steered(unsigned_door)
    session = sign_in(project)
    cookie = project.admin(":createSessionCookie", {"idToken": session["idToken"]})["sessionCookie"]
    for token in (session["idToken"], refresh(project, session)["id_token"], cookie):
        header, payload, signature = token.split(".")
        assert base64.urlsafe_b64decode(header + "==") == b'{"alg":"none","typ":"JWT"}'
        assert signature == "" and "=" not in token
        text = base64.urlsafe_b64decode(payload + "==").decode()
        assert text == json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False)
    assert claims(session)["exp"] == claims(session)["iat"] + 3600
    assert project.call("lookup", {"idToken": session["idToken"]})["users"]


# MARK: Refresh tokens, which are ours


def test_refresh_tokens_say_nothing_and_differ(project):
    """Not as the official emulator."""
    found = {
        project.sign_up(A)["refreshToken"],
        *(project.sign_in(A)["refreshToken"] for _ in range(3)),
    }
    assert len(found) == 4
    for token in found:
        # Of bad base64, bad UTF-8 and bad JSON alike.
        with pytest.raises(ValueError):
            json.loads(base64.b64decode(token + "=="))
