"""Files of exports, tokens of every way to sign in, function triggers: auth-a 4.6 to 4.10."""

import base64
import json
import queue
import re
import types
import uuid

import pytest
import requests

from support.auth.project import claims, idp_body
from support.server import Server
from support.steering import Steered, guard, instant, project  # noqa: F401
from auth.accounts.test_delete_and_query import (  # noqa: F401
    by_link, cases, hearth, link, refresh, update)
from auth.accounts.test_records import as_owner, as_user, custom, google, only, password_entry, phone_entry
from auth.sign_in.test_second_factors import enter, finalize, second
from auth.functions.test_blocking_calls import Functions
from support.wire import no_null, unsigned

A, B, C = "a@example.com", "b@example.com", "c@example.com"
ONE, TWO = "+15555550100", "+15555550101"
# The claims of a token in the order in which they come; what an account adds comes after picture.
ORDER = ["name", "picture", "email", "email_verified", "phone_number", "provider_id", "auth_time",
         "user_id", "firebase", "iat", "exp", "aud", "iss", "sub"]
FIREBASE = ["identities", "sign_in_provider", "second_factor_identifier", "sign_in_second_factor",
            "tenant", "sign_in_attributes"]


def token_of(answer: dict) -> dict:
    return claims({"idToken": answer.get("idToken") or answer["id_token"]})


def saml(project, **more) -> dict:
    response = {"assertion": {"subject": {"nameId": A}, "attributeStatements": {"role": "x"}}}
    return project.call("signInWithIdp", idp_body(
        "saml.x", {"sub": "1", "email": A}, inputs={"SAMLResponse": json.dumps(response)}, **more))


def with_passkey(project) -> dict:
    finalize(project, project.sign_up(A), {"id": "p1"})
    return enter(project, {"id": "p1"})


def tenants_session(project) -> dict:
    return project.sign_up(A, tenantId="t1")


def by_google(project) -> dict:
    return google(project, name="Ann", picture="http://x")


def behind_google(project) -> dict:
    """The same by a provider of no verified addresses."""
    return project.idp("facebook.com", {"sub": "1", "email": A, "email_verified": False})


def full(project, **more) -> dict:
    """A user of everything, who signs in with a custom token."""
    project.admin("/accounts", {
        "localId": "u", "email": A, "password": "secret1", "displayName": "Ann",
        "photoUrl": "http://x", "phoneNumber": ONE, "emailVerified": True, **more})
    link(project, "u", "google.com")
    link(project, "u", "oidc.y")
    return custom(project)


ADDRESS = {"email": A, "email_verified": False}
PROVEN = {"email": A, "email_verified": True}
NAME = {"name": "Ann", "picture": "http://x"}

# name: (sign in, provider, identities, other claims)
SIGN_INS = {
    "anonymous": (lambda p: p.call("signUp", {}), "anonymous", {}, {"provider_id": "anonymous"}),
    "sign-up": (lambda p: p.sign_up(A, displayName="Ann"), "password", {"email": [A]},
                {"name": "Ann", **ADDRESS}),
    "password": (lambda p: p.sign_up(A) and p.sign_in(A), "password", {"email": [A]}, ADDRESS),
    "e-mail link": (lambda p: by_link(p, A), "password", {"email": [A]}, PROVEN),
    "custom token": (custom, "custom", {}, {}),
    "custom token of a user by the owner": (
        lambda p: p.admin("/accounts", {"localId": "u"}) and custom(p), "custom", {},
        {"email_verified": False}),
    "custom token with claims": (
        lambda p: custom(p, role="x", deep={"a": [1, None]}), "custom", {},
        {"role": "x", "deep": {"a": [1, None]}}),
    "custom token of a full account": (full, "custom", {
        "email": [A], "phone": [ONE], "google.com": ["u-google.com"], "oidc.y": ["u-oidc.y"]}, {
            **NAME, **PROVEN, "phone_number": ONE}),
    "phone": (lambda p: p.phone(ONE), "phone", {"phone": [ONE]}, {"phone_number": ONE}),
    "google": (by_google, "google.com", {"email": [A], "google.com": ["1"]}, {**NAME, **PROVEN}),
    "facebook": (behind_google, "facebook.com", {"email": [A], "facebook.com": ["1"]}, ADDRESS),
    "oidc": (lambda p: p.idp("oidc.x", {"sub": "1", "email": A, "email_verified": True}), "oidc.x",
             {"email": [A], "oidc.x": ["1"]}, PROVEN),
    "provider without an address": (
        lambda p: p.idp("github.com", {"sub": "1"}), "github.com", {"github.com": ["1"]}, {}),
    "saml": (saml, "saml.x", {"email": [A], "saml.x": ["1"]}, PROVEN),
    "passkey": (with_passkey, "passkey", {"email": [A]}, ADDRESS),
    "tenant": (tenants_session, "password", {"email": [A]}, ADDRESS),
    "empty name": (lambda p: p.sign_up(A, displayName=""), "password", {"email": [A]},
                   {"name": "", **ADDRESS}),
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
            {"tenant": tenant} if tenant else {})
        assert {name: value for name, value in token.items() if name != "firebase"} == others | {
            "auth_time": now, "iat": now, "exp": now + 3600, "aud": project.id,
            "iss": f"https://securetoken.google.com/{project.id}",
            "sub": user["localId"], "user_id": user["localId"]}
        assert all(type(token[name]) is int for name in ("auth_time", "iat", "exp"))
        assert list(token["firebase"]) == [n for n in FIREBASE if n in token["firebase"]]
        assert [n for n in token if n in ORDER] == [n for n in ORDER if n in token]
        added = [n for n in token if n not in ORDER]
        front = [n for n in ("name", "picture") if n in token]
        assert list(token) == [*front, *added, *[n for n in ORDER if n in token and n not in front]]
    assert ("sign_in_attributes" in tokens[0]["firebase"]) is (sign_in is saml)
    assert "sign_in_attributes" not in tokens[1]["firebase"]


@pytest.mark.parametrize("way", ["lastLoginAt", "lastRefreshAt"])
def test_when_somebody_signed_in(project, way):
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


# MARK: 4.8, providers of tokens that other calls give

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
        anonymous, as_user("update", email=B, password="secret2"), "password"),
    "password of a google user": (of_google, as_user("update", password="secret2"), "password"),
    "password by the owner": (anonymous, as_owner(email=B, password="secret2"), "password"),
    "sign-up of an anonymous user": (
        anonymous, as_user("signUp", email=B, password="secret2"), "password"),
    "sign-up of a google user": (
        of_google, as_user("signUp", email=B, password="secret2"), "password"),
    "sign-up of a custom user": (custom, None, "password"),
    "address of a password user": (password, as_user("update", email=B), "password"),
    "address of an anonymous user": (anonymous, as_user("update", email=B), "anonymous"),
    "address of a google user": (of_google, as_user("update", email=B), "google.com"),
    "validSince of a password user": (password, as_user("update", validSince="1"), "password"),
    "validSince of an anonymous user": (anonymous, as_user("update", validSince="1"), "anonymous"),
    "validSince of a google user": (of_google, as_user("update", validSince="1"), "google.com"),
    "link of an anonymous user": (
        anonymous, lambda p, s: by_link(p, B, idToken=s["idToken"]), "password"),
    "number of an anonymous user": (
        anonymous, lambda p, s: p.phone(ONE, idToken=s["idToken"]), "phone"),
    "google of an anonymous user": (
        anonymous, lambda p, s: google(p, idToken=s["idToken"]), "google.com"),
    "custom token of a password user": (
        password, lambda p, s: custom(p, s["localId"]), "custom"),
}


@pytest.mark.parametrize("prepare, act, provider", cases(CHANGES))
def test_the_provider_after_a_change(project, prepare, act, provider):
    session = prepare(project)
    act = act or as_user("signUp", email=B, password="secret2")
    answer = act(project, session)
    for token in (token_of(answer), token_of(refresh(project, answer))):
        assert token["firebase"]["sign_in_provider"] == provider
        assert ("provider_id" in token) is (provider == "anonymous")


@pytest.mark.parametrize("prepare", [anonymous, password, of_google, custom],
                         ids=lambda f: f.__name__)
@pytest.mark.parametrize("change", [
    {"displayName": "Ann"}, {"deleteAttribute": ["DISPLAY_NAME"]}, {"deleteProvider": ["x.com"]},
    {"linkProviderUserInfo": {"providerId": "x.com", "rawId": "1"}}],
    ids=["name", "attribute", "provider", "link"])
def test_changes_without_tokens(project, prepare, change):
    answer = project.call("update", {"idToken": prepare(project)["idToken"], **change})
    assert not {"idToken", "refreshToken", "expiresIn"} & answer.keys()


@pytest.mark.parametrize("change", [{"email": B}, {"validSince": "1"}, {"displayName": "x"}],
                         ids=["address", "validSince", "name"])
def test_an_owners_changes_without_tokens(project, change):
    uid = password(project)["localId"]
    answer = project.admin("/accounts:update", {"localId": uid, **change})
    assert not {"idToken", "refreshToken", "expiresIn"} & answer.keys()


def test_claims_of_the_account_stand_in_the_token(project):
    """Member by member, and as they are at the time of the refresh."""
    session = project.sign_up(A)
    update(project, session["localId"],
           customAttributes='{"role":"admin","list":[1,2.5,null,{"a":"é😀"}],"none":null}')
    token = token_of(refresh(project, session))
    assert token["list"] == [1, 2.5, None, {"a": "é😀"}] and token["role"] == "admin"
    assert token["none"] is None
    update(project, session["localId"], customAttributes="")
    assert not {"role", "list"} & token_of(refresh(project, session)).keys()


def test_claims_whose_names_look_the_same(project):
    given = {"\u00e9": 1, "e\u0301": 2}
    token = token_of(custom(project, **given))
    assert {name: token.get(name) for name in given} == given


# MARK: 4.9, which ID tokens count

def forged(user: dict, **changes) -> dict:
    """The claims of an unsigned token for that user; a None takes a claim away."""
    made = {"user_id": user["localId"], "iat": int(user.get("validSince", 1)),
            "firebase": {"sign_in_provider": "password", "identities": {}}} | changes
    return {name: value for name, value in made.items() if value is not None}


def parts(header="e30", payload="e30", signature="", dots=2) -> str:
    return ".".join([header, payload, signature][:dots + 1])


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


@pytest.mark.parametrize("token", cases({
    "a word": "x", "no payload": parts(payload=""), "no header": parts(header=""),
    "two segments": unsigned({"user_id": "x", "firebase": {}}).removesuffix("."),
    "four segments": unsigned({"user_id": "x", "firebase": {}}) + ".",
    "no base64url": parts("$$$"), "header is no JSON": parts("e3s"),
    "empty claims": parts(), "a space": " " + unsigned({"user_id": "x", "firebase": {}})}))
def test_what_is_no_token(project, token):
    assert project.error("lookup", {"idToken": token}) == "INVALID_ID_TOKEN"


@pytest.mark.parametrize("since, message", [
    (None, "USER_DISABLED"), ("99999999999", "TOKEN_EXPIRED")], ids=["disabled", "and revoked"])
def test_a_token_of_a_disabled_user(project, since, message):
    session = project.sign_up(A)
    more = {"validSince": since} if since else {}
    update(project, session["localId"], disableUser=True, **more)
    assert project.error("lookup", {"idToken": session["idToken"]}) == message


def test_a_valid_since_that_is_no_number_ends_nothing(project):
    session = project.sign_up(A)
    update(project, session["localId"], validSince="abc")
    assert project.call("lookup", {"idToken": session["idToken"]})["users"]


def test_the_tenant_of_a_token_is_judged_first(project):
    session = project.sign_up(A, tenantId="t1")
    project.admin("/accounts:delete", {"localId": session["localId"]}, tenant="t1")
    body = {"idToken": session["idToken"]}
    assert project.error("lookup", body | {"tenantId": "t2"}) == "TENANT_ID_MISMATCH"
    assert project.error("lookup", body) == "USER_NOT_FOUND"


# MARK: 4.8, unsigned tokens: the form of the official emulator

@pytest.fixture(scope="module")
def unsigned_door():
    """A server, and its door where tokens are not signed."""
    server = Server("--single-project-mode", "no-warning", "--unsigned-auth-port", "0")
    yield types.SimpleNamespace(auth=server.addresses["unsigned"])
    server.stop()


@pytest.mark.parametrize("sign_in", cases({name: row[0] for name, row in SIGN_INS.items()}))
def test_the_form_of_unsigned_tokens(unsigned_door, sign_in):
    project = Steered(unsigned_door)
    session = sign_in(project)
    cookie = project.admin(":createSessionCookie", {"idToken": session["idToken"]})[
        "sessionCookie"]
    for token in (session["idToken"], refresh(project, session)["id_token"], cookie):
        header, payload, signature = token.split(".")
        assert base64.urlsafe_b64decode(header + "==") == b'{"alg":"none","typ":"JWT"}'
        assert signature == "" and "=" not in token
        text = base64.urlsafe_b64decode(payload + "==").decode()
        assert text == json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False)
    assert claims(session)["exp"] == claims(session)["iat"] + 3600
    assert project.call("lookup", {"idToken": session["idToken"]})["users"]


# MARK: 4.7, refresh tokens, which are ours

def test_refresh_tokens_say_nothing_and_differ(project):
    """Not as the official emulator."""
    found = {project.sign_up(A)["refreshToken"], *(
        project.sign_in(A)["refreshToken"] for _ in range(3))}
    assert len(found) == 4
    for token in found:
        with pytest.raises(Exception):
            json.loads(base64.b64decode(token + "=="))


# MARK: 4.6, files of exports and imports

DOWNLOAD = "identitytoolkit#DownloadAccountResponse"


def export(project, folder):
    project.request("POST", f"{project.control}:export", json={"directory": str(folder)})
    return folder / "auth_export"


def restore(project, folder, *, status: int = 200) -> dict:
    return project.request("POST", f"{project.control}:import", status, json={"path": str(folder)})


def written(tmp_path, files: dict, path: str = "auth_export"):
    """A directory of an export with these files."""
    (tmp_path / "firebase-export-metadata.json").write_text(json.dumps({
        "version": "15.28.1", "auth": {"version": "15.28.1", "path": path}}))
    folder = tmp_path / path
    folder.mkdir()
    for name, content in files.items():
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / name).write_text(text)
    return tmp_path


def accounts(*users: dict) -> dict:
    return {"kind": DOWNLOAD, "users": list(users)}


def test_the_files_of_an_export(project, tmp_path):
    """Byte for byte what the calls answer."""
    for email in (B, A):
        project.sign_up(email, displayName="é \"x\" 😀")
    project.sign_up(A, tenantId="t1")
    project.sign_up(A, tenantId="t2")
    folder = export(project, tmp_path)
    metadata = (tmp_path / "firebase-export-metadata.json").read_text()
    parsed = json.loads(metadata)
    assert list(parsed) == ["version", "auth"] and list(parsed["auth"]) == ["version", "path"]
    assert parsed["version"] == parsed["auth"]["version"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", parsed["version"])
    assert parsed["auth"]["path"] == "auth_export"
    assert metadata.rstrip("\n") == json.dumps(parsed, indent=2)
    for name, params in (("accounts.json", {}), ("accounts-t1.json", {"tenantId": "t1"}),
                         ("accounts-t2.json", {"tenantId": "t2"})):
        reply = requests.get(
            f"{project.server.auth}{project.v1}/accounts:batchGet", timeout=30,
            params={"maxResults": -1, **params}, headers={"Authorization": "Bearer owner"})
        assert (folder / name).read_bytes() == reply.content
        users = reply.json()
        assert list(users) == ["kind", "users"] and users["kind"] == DOWNLOAD
        ids = [user["localId"] for user in users["users"]]
        assert ids == sorted(ids)
    assert (folder / "config.json").read_bytes() == requests.get(
        f"{project.server.auth}{project.control}/config", timeout=30).content
    assert json.loads((folder / "config.json").read_text()) == {
        "signIn": {"allowDuplicateEmails": False},
        "emailPrivacyConfig": {"enableImprovedEmailPrivacy": False}}
    named = [path.name for path in folder.iterdir() if "accounts" in path.name]
    assert sorted(named) == ["accounts-t1.json", "accounts-t2.json", "accounts.json"]


def test_an_export_of_nobody(project, tmp_path):
    assert json.loads((export(project, tmp_path) / "accounts.json").read_text()) == accounts()


FULL = {
    "localId": "u", "displayName": "Ann", "photoUrl": "http://x", "lastLoginAt": "2",
    "createdAt": "1", "email": "Ann@Example.com", "emailVerified": True, "disabled": True,
    "phoneNumber": ONE, "customAttributes": '{ "a":1}',
    "passwordHash": "fakeHash:salt=fakeSaltx:password=secret1", "salt": "fakeSaltx",
    "providerUserInfo": [
        {"providerId": "password", "email": C, "federatedId": C, "rawId": C},
        {"providerId": "google.com", "rawId": "1", "federatedId": "1", "email": C,
         "displayName": "G", "photoUrl": "p", "screenName": "s"},
        {"providerId": "phone", "phoneNumber": TWO, "rawId": TWO}],
    "mfaInfo": [{"mfaEnrollmentId": "f", "phoneInfo": TWO, "unobfuscatedPhoneInfo": TWO,
                 "displayName": "Phone", "enrolledAt": "2020-01-01T00:00:00.000Z"}]}
LOST = {"initialEmail": B, "emailLinkSignin": True, "customAuth": True, "screenName": "s",
        "lastRefreshAt": "2020-01-01T00:00:00.000Z", "passwordUpdatedAt": 5, "validSince": "5",
        "passkeyInfo": [{"credentialId": "p", "name": "n"}]}


@pytest.mark.parametrize("tenant", [None, "t1"])
def test_what_an_import_keeps(project, tmp_path, tenant):
    """Of the official layout; an export of ours keeps more."""
    name = f"accounts-{tenant}.json" if tenant else "accounts.json"
    user = FULL | LOST | ({"tenantId": tenant} if tenant else {})
    restore(project, written(tmp_path, {name: accounts(user)}))
    stored = only(project, tenant)
    kept = FULL.keys() - {"passwordHash", "salt", "email", "providerUserInfo"}
    assert {name: stored[name] for name in kept} == {name: FULL[name] for name in kept}
    assert stored["email"] == "ann@example.com"
    assert abs(int(stored["validSince"]) - project.now().timestamp()) < 30
    assert stored["passwordUpdatedAt"] // 1000 == int(stored["validSince"])
    assert not LOST.keys() - {"passwordUpdatedAt", "validSince"} & stored.keys()
    assert sorted(stored["providerUserInfo"], key=lambda entry: entry["providerId"]) == [
        FULL["providerUserInfo"][1],
        password_entry("ann@example.com", displayName="Ann", photoUrl="http://x"),
        phone_entry(ONE)]
    if tenant is None:
        update(project, "u", disableUser=False, mfa={})
        assert project.sign_in("ann@example.com")["localId"] == "u"


def test_a_user_of_links_only_loses_the_provider(project, tmp_path):
    user = {"localId": "u", "email": A, "emailVerified": True, "emailLinkSignin": True,
            "providerUserInfo": [password_entry(A)]}
    restore(project, written(tmp_path, {"accounts.json": accounts(user)}))
    assert only(project).get("providerUserInfo", []) == []


@pytest.mark.parametrize("password", cases({
    "plain": "secret1", "colon": "a:b c", "emoji": "é😀x", "a mark in front": "\u0301secret",
}))
def test_clear_passwords_of_an_import(project, tmp_path, password):
    user = {"localId": "u", "email": A, "salt": "s",
            "passwordHash": f"fakeHash:salt=s:password={password}"}
    restore(project, written(tmp_path, {"accounts.json": accounts(user)}))
    assert project.sign_in(A, password=password)["localId"] == "u"


@pytest.mark.parametrize("beside", [{}, {"salt": "another"}], ids=["no salt", "another salt"])
def test_clear_passwords_of_an_import_with_another_salt_match_nothing(project, tmp_path, beside):
    user = {"localId": "u", "email": A,
            "passwordHash": "fakeHash:salt=s:password=secret:password=1"} | beside
    restore(project, written(tmp_path, {"accounts.json": accounts(user)}))
    assert "secret" not in only(project)["passwordHash"]
    assert project.error("signInWithPassword", {
        "email": A, "password": "secret:password=1"}) == "INVALID_PASSWORD"


@pytest.mark.parametrize("created, expected", [
    ("1500000000000", "1500000000000"), (1500000000000, "1500000000000"), ("soon", None)],
    ids=["text", "number", "no number"])
def test_creation_times_of_an_import(project, tmp_path, created, expected):
    user = {"localId": "u", "createdAt": created}
    restore(project, written(tmp_path, {"accounts.json": accounts(user)}))
    stored = only(project)["createdAt"]
    if expected is not None:
        assert stored == expected
    else:
        assert abs(int(stored) / 1000 - project.now().timestamp()) < 30


def test_an_import_happens_in_the_projects_time(project, tmp_path):
    """Else a session of yesterday is too old before it begins."""
    project.advance("-P1D")
    user = {"localId": "u", "email": A, "passwordHash": "fakeHash:salt=s:password=secret1",
            "salt": "s"}
    restore(project, written(tmp_path, {"accounts.json": accounts(user)}))
    assert abs(int(only(project)["validSince"]) - project.now().timestamp()) < 30
    assert project.call("lookup", {"idToken": project.sign_in(A)["idToken"]})["users"]


def test_factors_want_a_verified_address(project, tmp_path):
    """Whoever is refused is left out, and the others are imported."""
    users = [FULL | {"emailVerified": False}, {"localId": "v"}]
    restore(project, written(tmp_path, {"accounts.json": accounts(*users)}))
    assert [user["localId"] for user in project.users()] == ["v"]


@pytest.mark.parametrize("name, tenant", cases({
    "the project's": ("accounts.json", None), "a dash": ("accounts-t1.json", "t1"),
    "no dash": ("accountst1.json", "t1"), "two dashes": ("accounts--t1.json", "-t1"),
    "dots": ("accounts-a.b.json", "a.b"), "something in front": ("x-accounts.json", "x-"),
}))
def test_the_tenant_in_a_files_name(project, tmp_path, name, tenant):
    restore(project, written(tmp_path, {name: accounts({"localId": "u"})}))
    assert only(project, tenant).get("tenantId") == tenant


def test_an_import_leaves_who_is_there(project, tmp_path):
    project.sign_up(B)
    files = {"config.json": {"signIn": {"allowDuplicateEmails": True}},
             "accounts.json": accounts({"localId": "u", "email": A}, {"localId": "v", "email": B}),
             "accounts-t1.json": accounts()}
    restore(project, written(tmp_path, files, path="elsewhere"))
    assert {user["email"] for user in project.users()} == {A, B}
    assert len(project.users()) == 2
    config = project.request("GET", f"{project.control}/config")
    assert config["signIn"] == {"allowDuplicateEmails": True}
    assert config["emailPrivacyConfig"] == {"enableImprovedEmailPrivacy": False}


def test_an_import_without_a_configuration(project, tmp_path):
    project.configure("signIn", signIn={"allowDuplicateEmails": True})
    restore(project, written(tmp_path, {"accounts.json": accounts({"localId": "u"})}))
    assert only(project)["localId"] == "u"
    config = project.request("GET", f"{project.control}/config")
    assert config["signIn"] == {"allowDuplicateEmails": True}


# MARK: 4.10, function triggers

@pytest.fixture(scope="module")
def told():
    """A server that tells a functions emulator, and that functions emulator."""
    functions = Functions()
    server = Server("--single-project-mode", "no-warning", "--functions-emulator", functions.host)
    yield server, functions
    server.stop()
    functions.close()


@pytest.fixture
def heard(told):
    """A project of that server, and what is told of it."""
    server, functions = told
    functions.forget()
    functions.answers = {}
    project = Steered(server)

    def event(kind: str) -> dict:
        _, path, headers, body = functions.calls.get(timeout=20)
        assert path == f"/functions/projects/{project.id}/trigger_multicast"
        assert headers["Content-Type"].split(";")[0] == "application/json"
        body = json.loads(body)
        no_null(body)
        assert body.keys() == {"eventId", "eventType", "resource", "params", "timestamp", "data"}
        assert str(uuid.UUID(body["eventId"])) == body["eventId"]
        assert body["eventType"] == f"providers/firebase.auth/eventTypes/user.{kind}"
        assert body["resource"] == {
            "name": f"projects/{project.id}", "service": "firebaseauth.googleapis.com"}
        assert body["params"] == {}
        instant(body["timestamp"])
        return body["data"]

    def quiet() -> None:
        """Whatever is told of the next user is the first thing that comes."""
        uid = project.call("signUp", {})["localId"]
        assert event("create")["uid"] == uid
        with pytest.raises(queue.Empty):
            functions.calls.get_nowait()

    return project, event, quiet, functions


# As in the record, but for the spelling of photoURL.
ENTRIES = [
    {"rawId": A, "providerId": "password", "displayName": "Ann", "email": A, "federatedId": A,
     "photoURL": "http://x"},
    {"rawId": ONE, "providerId": "phone", "phoneNumber": ONE}]


def make_full(project) -> dict:
    """A user of everything, in a tenant."""
    uid = project.admin("/accounts", {
        "email": A, "password": "secret1", "displayName": "Ann", "photoUrl": "http://x",
        "phoneNumber": ONE, "emailVerified": True, "disabled": True,
        "mfaInfo": [{"phoneInfo": TWO, "displayName": "Phone"}]}, tenant="t1")["localId"]
    return project.user(uid, tenant="t1")


def told_of(user: dict, data: dict, **more) -> None:
    """All that the record says, and nothing of the password."""
    data = dict(data)
    metadata = data.pop("metadata")
    assert metadata.keys() == {"creationTime", "lastSignInTime"}
    for name, field in (("creationTime", "createdAt"), ("lastSignInTime", "lastLoginAt")):
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", metadata[name])
        assert abs(instant(metadata[name]).timestamp() - int(user[field]) / 1000) < 0.001
    [factor] = data.pop("mfaInfo")
    assert factor["mfaEnrollmentId"] == user["mfaInfo"][0]["mfaEnrollmentId"]
    assert (factor["phoneInfo"], factor["displayName"]) == (TWO, "Phone")
    assert data == {
        "uid": user["localId"], "email": A, "emailVerified": True, "displayName": "Ann",
        "photoURL": "http://x", "phoneNumber": ONE, "disabled": True, "tenantId": "t1"} | more


def test_what_is_told_of_a_new_user(heard):
    project, event, quiet, _ = heard
    user = make_full(project)
    data = event("create")
    data.pop("providerData", None)
    told_of(user, data, customClaims={})
    quiet()


def test_what_is_told_of_a_new_users_providers(heard):
    project, event, _, _ = heard
    user = make_full(project)
    told_of(user, event("create"), customClaims={}, providerData=ENTRIES)


def test_what_is_told_of_a_user_who_goes(heard):
    project, event, quiet, _ = heard
    uid = make_full(project)["localId"]
    event("create")
    project.admin("/accounts:update", {
        "localId": uid, "customAttributes": '{"role":["admin"],"a":{"b":1}}',
        "linkProviderUserInfo": {
            "providerId": "x.com", "rawId": "1", "email": B, "displayName": "X", "photoUrl": "p",
            "federatedId": "f", "screenName": "s", "phoneNumber": "5"}}, tenant="t1")
    user = project.user(uid, tenant="t1")
    project.admin("/accounts:delete", {"localId": uid}, tenant="t1")
    told_of(user, event("delete"), customClaims={"role": ["admin"], "a": {"b": 1}}, providerData=[
        *ENTRIES, {"rawId": "1", "providerId": "x.com", "displayName": "X", "email": B,
                   "federatedId": "f", "phoneNumber": "5", "photoURL": "p", "screenName": "s"}])
    quiet()


@pytest.mark.parametrize("create, entry", cases({
    "password": (lambda p: p.sign_up(A), {
        "rawId": A, "providerId": "password", "email": A, "federatedId": A}),
    "e-mail link": (lambda p: by_link(p, A), {
        "rawId": A, "providerId": "password", "email": A, "federatedId": A}),
    "phone": (lambda p: p.phone(ONE), {"rawId": ONE, "providerId": "phone", "phoneNumber": ONE}),
    "provider": (google, {
        "rawId": "1", "providerId": "google.com", "email": A, "federatedId": "1"}),
}))
def test_what_is_told_of_providers(heard, create, entry):
    project, event, quiet, _ = heard
    create(project)
    assert event("create")["providerData"] == [entry]
    quiet()


def test_what_is_not_there_is_not_told(heard):
    project, event, quiet, _ = heard
    uid = project.call("signUp", {})["localId"]
    data = event("create")
    assert data.keys() - {"customClaims", "disabled"} == {"uid", "metadata"}
    assert data["uid"] == uid
    quiet()


CREATIONS = {
    "anonymous": lambda p: p.call("signUp", {})["localId"],
    "password": lambda p: p.sign_up(A)["localId"],
    "by the owner": lambda p: p.admin("/accounts", {"email": A})["localId"],
    "custom token": lambda p: token_of(custom(p))["sub"],
    "e-mail link": lambda p: by_link(p, A)["localId"],
    "phone": lambda p: p.phone(ONE)["localId"],
    "provider": lambda p: google(p)["localId"],
}
DELETIONS = {
    "by the owner": lambda p, uid: p.admin("/accounts:delete", {"localId": uid}),
    "many": lambda p, uid: p.admin("/accounts:batchDelete", {"localIds": [uid], "force": True}),
}


@pytest.mark.parametrize("create", cases(CREATIONS))
@pytest.mark.parametrize("remove", cases(DELETIONS))
def test_everybody_who_comes_and_goes_is_told(heard, create, remove):
    project, event, quiet, _ = heard
    uid = create(project)
    assert event("create")["uid"] == uid
    remove(project, uid)
    assert event("delete")["uid"] == uid
    quiet()


def test_a_user_who_leaves_is_told(heard):
    project, event, quiet, _ = heard
    session = project.sign_up(A)
    event("create")
    project.call("delete", {"idToken": session["idToken"]})
    assert event("delete")["email"] == A
    assert project.error("delete", {"idToken": session["idToken"]}) == "USER_NOT_FOUND"
    quiet()


@pytest.mark.parametrize("act", cases({
    "batchCreate": lambda p: p.admin("/accounts:batchCreate", {"users": [{"localId": "u"}]}),
    "sign-in": lambda p: p.sign_in(A), "custom token": lambda p: custom(p, only(p)["localId"]),
    "link": lambda p: by_link(p, A), "provider": google,
    "linking": lambda p: p.call("signUp", {
        "idToken": p.sign_in(A)["idToken"], "email": B, "password": "secret2"}),
    "update": lambda p: update(p, only(p)["localId"], email=B, disableUser=True),
    "clearing": lambda p: p.request("DELETE", f"{p.control}/accounts"),
    "a refusal": lambda p: p.error("signUp", {"email": A, "password": "secret1"}),
    "deleting nobody": lambda p: p.admin_error("/accounts:delete", {"localId": "x"}),
}))
def test_what_is_not_told(heard, act):
    project, event, quiet, _ = heard
    project.sign_up(A)
    event("create")
    act(project)
    quiet()


@pytest.mark.parametrize("answer", [(500, b"no"), (302, b""), (200, b"not json")],
                         ids=["500", "302", "no json"])
def test_whatever_the_functions_answer(heard, answer):
    project, event, _, functions = heard
    functions.answers = {"trigger_multicast": answer}
    session = project.sign_up(A)
    assert event("create")["uid"] == session["localId"]
    assert project.sign_in(A)["localId"] == session["localId"]


def test_nobody_waits_for_functions_that_are_not_there():
    closed = Functions()
    closed.close()
    server = Server("--functions-emulator", closed.host)
    try:
        session = server.accounts("signUp", {})
        server.accounts("delete", {"idToken": session["idToken"]})
    finally:
        server.stop()
