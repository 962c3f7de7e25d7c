"""Deleting, querying, createAuthUri, custom tokens, cookies, refreshing: auth-a 2.8 to 2.13."""

import itertools
import json
import re

import jwt
import pytest
import requests

from support.auth.project import IT, claims
from support.server import Server
from support.steering import Steered, guard, project  # noqa: F401
from auth.sign_in.test_second_factors import enter, finalize
from support.wire import CUSTOM_TOKEN_AUDIENCE, TOKEN, V3, decoded, segment, unsigned

A, B, C = "a@example.com", "b@example.com", "c@example.com"
ONE = "+15555550100"
INSUFFICIENT = (
    "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id.")
SCHEMA = "Invalid JSON payload received. "
COOKIE = "https://session.firebase.google.com/"


# MARK: Whom the tests need

@pytest.fixture(scope="module")
def hearth():
    """Says nothing of the many projects: nobody reads what it prints until it stops."""
    server = Server("--single-project-mode", "no-warning")
    yield server
    server.stop()


def update(project, uid: str, **change) -> None:
    project.admin("/accounts:update", {"localId": uid, **change})


def disabled(project) -> dict:
    """A session whose user has been disabled since."""
    session = project.sign_up(A)
    update(project, session["localId"], disableUser=True)
    return session


def revoked(project, **more) -> dict:
    """A session that `validSince` has ended."""
    session = project.sign_up(A)
    since = str(claims(session)["iat"] + 5)
    update(project, session["localId"], validSince=since, **more)
    return session


def gone(project) -> dict:
    """A session of a user who has been deleted."""
    session = project.sign_up(A)
    project.admin("/accounts:delete", {"localId": session["localId"]})
    return session


def refresh(project, session: dict, **more) -> dict:
    return project.post(TOKEN, {
        "grant_type": "refresh_token", "refresh_token": session["refreshToken"], **more})


def link(project, uid: str, provider: str, email: str | None = None, **more) -> None:
    entry = {"providerId": provider, "rawId": f"{uid}-{provider}", **more}
    update(project, uid, linkProviderUserInfo=entry | ({"email": email} if email else {}))


def by_link(project, email: str, **more) -> dict:
    """Signs in with an e-mail link."""
    project.call("sendOobCode", {
        "requestType": "EMAIL_SIGNIN", "email": email, "continueUrl": "http://localhost/"})
    [*_, code] = oob_codes(project)
    return project.call(
        "signInWithEmailLink", {"email": email, "oobCode": code["oobCode"], **more})


def oob_codes(project) -> list[dict]:
    return project.request("GET", f"{project.control}/oobCodes")["oobCodes"]


def refuse(project, privileged: bool, verb: str, body: dict) -> str:
    if privileged:
        return project.admin_error(f"/accounts:{verb}", body)
    return project.error(verb, body)


def cases(table: dict):
    """Rows by name; a tuple is several arguments."""
    return [pytest.param(*(row if isinstance(row, tuple) else (row,)), id=name)
            for name, row in table.items()]


def in_pairs(faults: dict) -> list:
    """Two faults of one request: (fields, name, change) each, of which the earlier one is told."""
    return [
        pytest.param(*[faults[first], faults[second]], id=f"{first} before {second}")
        for first, second in itertools.combinations(faults, 2)
        if not set(faults[first][0]) & set(faults[second][0])]


# MARK: 2.8, deleting

DELETED = {"kind": "identitytoolkit#DeleteAccountResponse"}


def test_a_user_deletes_themselves_once(project):
    session = project.sign_up(A)
    assert project.call("delete", {"idToken": session["idToken"]}) == DELETED
    assert project.users() == []
    assert project.error("delete", {"idToken": session["idToken"]}) == "USER_NOT_FOUND"


def test_the_owner_deletes_anybody(project):
    session = disabled(project)
    other = project.sign_up(B)["localId"]
    body = {"localId": session["localId"], "delegatedProjectNumber": "1"}
    assert project.admin("/accounts:delete", body) == DELETED
    assert [user["localId"] for user in project.users()] == [other]
    assert project.admin_error("/accounts:delete", body) == "USER_NOT_FOUND"


def test_a_privileged_call_without_a_project_in_its_path(project):
    uid = project.sign_up(A)["localId"]
    answer = project.owner("POST", f"{IT}/v1/accounts:delete", json={
        "localId": uid, "targetProjectId": project.id})
    assert answer == DELETED and project.users() == []


@pytest.mark.parametrize("privileged", [True, False], ids=["owner", "user"])
def test_only_the_credential_says_who_goes(project, privileged):
    """A user's localId and an owner's idToken name nobody."""
    ann, bob = project.sign_up(A), project.sign_up(B)
    body = {"idToken": ann["idToken"], "localId": bob["localId"]}
    if privileged:
        project.admin("/accounts:delete", body)
    else:
        project.call("delete", body)
    [left] = project.users()
    assert left["localId"] == (ann if privileged else bob)["localId"]


@pytest.mark.parametrize("privileged, make, message", cases({
    "owner with nothing": (True, lambda p: {}, "MISSING_LOCAL_ID"),
    "owner with a token only": (
        True, lambda p: {"idToken": p.sign_up(A)["idToken"]}, "MISSING_LOCAL_ID"),
    "owner with a broken token only": (True, lambda p: {"idToken": "x"}, "MISSING_LOCAL_ID"),
    "owner, unknown": (True, lambda p: {"localId": "unknown"}, "USER_NOT_FOUND"),
    "owner, unknown beside a good token": (
        True, lambda p: {"localId": "unknown", "idToken": p.sign_up(A)["idToken"]},
        "USER_NOT_FOUND"),
    "owner, id in another case": (
        True, lambda p: {"localId": p.sign_up(A)["localId"].swapcase()}, "USER_NOT_FOUND"),
    "owner, id in another tenant": (
        True, lambda p: {"localId": p.sign_up(A, tenantId="t1")["localId"]}, "USER_NOT_FOUND"),
    "user with nothing": (False, lambda p: {}, "MISSING_ID_TOKEN"),
    "user with an id only": (
        False, lambda p: {"localId": p.sign_up(A)["localId"]}, "MISSING_ID_TOKEN"),
    "user with an empty token": (False, lambda p: {"idToken": ""}, "MISSING_ID_TOKEN"),
    "user with a broken token": (False, lambda p: {"idToken": "x"}, "INVALID_ID_TOKEN"),
    "user who is gone": (False, lambda p: {"idToken": gone(p)["idToken"]}, "USER_NOT_FOUND"),
    "user who is disabled": (
        False, lambda p: {"idToken": disabled(p)["idToken"]}, "USER_DISABLED"),
    "user who is revoked": (False, lambda p: {"idToken": revoked(p)["idToken"]}, "TOKEN_EXPIRED"),
    "user who is revoked and disabled": (
        False, lambda p: {"idToken": revoked(p, disableUser=True)["idToken"]}, "TOKEN_EXPIRED"),
}))
def test_what_deleting_refuses(project, privileged, make, message):
    body = make(project)
    before = project.users()
    assert refuse(project, privileged, "delete", body) == message
    assert project.users() == before


@pytest.mark.parametrize("privileged", [True, False], ids=["owner", "user"])
def test_deleting_in_a_disabled_tenant(project, privileged):
    """Before anything is missed."""
    body = {"tenantId": project.disabled_tenant()}
    assert refuse(project, privileged, "delete", body) == "PROJECT_DISABLED"


def test_a_tenants_user_is_deleted_in_the_tenant(project):
    """Which a token chooses, too, for whoever may name anybody."""
    ann, bob = project.sign_up(A, tenantId="t1"), project.sign_up(B, tenantId="t1")
    assert project.admin("/accounts:delete", {
        "localId": bob["localId"], "idToken": ann["idToken"]}) == DELETED
    assert [user["localId"] for user in project.users(tenant="t1")] == [ann["localId"]]
    assert project.call("delete", {"idToken": ann["idToken"]}) == DELETED
    session = project.sign_up(A, tenantId="t1")
    assert project.call("delete", {"idToken": session["idToken"]}) == DELETED
    uid = project.sign_up(A, tenantId="t1")["localId"]
    assert project.admin("/accounts:delete", {"localId": uid}, tenant="t1") == DELETED
    assert project.users(tenant="t1") == []


def test_whoever_is_deleted_is_found_by_nothing(project):
    """Address, first address, number, provider and passkey are free for somebody else."""
    first = project.idp("google.com", {"sub": "1", "email": A, "email_verified": True})
    uid = first["localId"]
    project.call("update", {"idToken": first["idToken"], "email": B})
    update(project, uid, phoneNumber=ONE)
    session = refresh_session(project, project.idp("google.com", {"sub": "1"}))
    finalize(project, session, {"id": "p1"})
    [recover] = [code for code in oob_codes(project) if code["requestType"] == "RECOVER_EMAIL"]
    project.admin("/accounts:delete", {"localId": uid})

    assert project.error("update", {"oobCode": recover["oobCode"]}) == "INVALID_OOB_CODE"
    assert enter(project, {"id": "p1"}, 400)["error"]["message"] == "PASSKEY_CREDENTIAL_NOT_FOUND"
    for email in (A, B):
        assert "users" not in project.admin("/accounts:lookup", {"email": [email]})
        assert registered(project, email)["registered"] is False
    for provider, raw in (("google.com", "1"), ("phone", ONE), ("password", B)):
        assert "users" not in project.admin("/accounts:lookup", {
            "federatedUserId": [{"providerId": provider, "rawId": raw}]})
    again = project.idp("google.com", {"sub": "1", "email": A, "email_verified": True})
    assert again["isNewUser"] is True and again["localId"] != uid
    assert project.phone(ONE)["isNewUser"] is True
    other = project.sign_up(B)
    finalize(project, other, {"id": "p1"})
    assert claims(enter(project, {"id": "p1"}))["sub"] == other["localId"]


def refresh_session(project, session: dict) -> dict:
    answer = refresh(project, session)
    return {"idToken": answer["id_token"], "refreshToken": answer["refresh_token"]}


def test_codes_survive_whoever_they_are_for(project):
    project.sign_up(A)
    for kind in ("PASSWORD_RESET", "EMAIL_SIGNIN"):
        project.call("sendOobCode", {
            "requestType": kind, "email": A, "continueUrl": "http://localhost/"})
    before = oob_codes(project)
    project.admin("/accounts:delete", {"localId": project.users()[0]["localId"]})
    assert len(before) == 2 and oob_codes(project) == before
    assert project.call("resetPassword", {"oobCode": before[0]["oobCode"]})["email"] == A
    assert project.call("signInWithEmailLink", {
        "email": A, "oobCode": before[1]["oobCode"]})["isNewUser"] is True


# MARK: 2.9, querying

QUERIES = ["/accounts:query", ":queryAccounts"]


@pytest.mark.parametrize("path", [*QUERIES, "/tenants/t1/accounts:query"])
def test_a_query_without_privilege(project, path):
    assert project.error(project.v1 + path, {}) == INSUFFICIENT


@pytest.mark.parametrize("path", QUERIES)
def test_a_query_answers_whole_records(project, path):
    uid = project.sign_up(A, displayName="Ann")["localId"]
    answer = project.admin(path)
    assert answer.keys() == {"recordsCount", "userInfo"} and answer["recordsCount"] == "1"
    assert answer["userInfo"] == [project.user(uid)]


@pytest.mark.parametrize("path", QUERIES)
def test_a_query_of_nobody(project, path):
    assert project.admin(path) == {"recordsCount": "0", "userInfo": []}
    assert project.admin(path, {"returnUserInfo": False}) == {"recordsCount": "0"}


def test_a_query_sees_one_tenant_or_none(project):
    project.sign_up(A)
    mine = project.sign_up(A, tenantId="t1")["localId"]
    by_path = project.admin("/accounts:query", tenant="t1")
    assert by_path == project.admin("/accounts:query", {"tenantId": "t1"})
    assert [user["localId"] for user in by_path["userInfo"]] == [mine]
    assert project.admin("/accounts:query")["recordsCount"] == "1"


NAMES = ["a", "B", "10", "9", "é", "~", "-", "ﬀ"]


def named(project, *names: str) -> None:
    for name in names:
        project.admin("/accounts", {"localId": name})


def ids(answer: dict) -> list[str]:
    return [user["localId"] for user in answer["userInfo"]]


@pytest.mark.parametrize("body, descends", cases({
    "nothing": ({}, False), "ASC": ({"order": "ASC"}, False), "DESC": ({"order": "DESC"}, True),
    "unspecified": ({"order": "ORDER_UNSPECIFIED"}, False), "order 0": ({"order": 0}, False),
    "order 1": ({"order": 1}, False), "order 2": ({"order": 2}, True),
    "order '2'": ({"order": "2"}, True), "USER_ID": ({"sortBy": "USER_ID"}, False),
    "sortBy 1 DESC": ({"sortBy": 1, "order": 2}, True), "sortBy 0": ({"sortBy": 0}, False),
    "sort_by '1'": ({"sort_by": "1", "order": "DESC"}, True),
    "sortBy unspecified": ({"sortBy": "SORT_BY_FIELD_UNSPECIFIED"}, False),
    "offset 0": ({"offset": "0"}, False), "offset as a number": ({"offset": 0}, False),
    "empty limit": ({"limit": ""}, False), "no expression": ({"expression": []}, False),
    "returnUserInfo": ({"returnUserInfo": True}, False),
}))
def test_a_query_is_sorted_by_id(project, body, descends):
    named(project, *NAMES)
    expected = sorted(NAMES, reverse=descends)
    answer = project.admin("/accounts:query", body)
    assert answer["recordsCount"] == str(len(NAMES)) and ids(answer) == expected


@pytest.mark.parametrize("order", ["ASC", "DESC"])
def test_ids_are_compared_by_utf16_units(project, order):
    names = ["\uff5e", "😀", "z", "\ue000"]
    named(project, *names)
    expected = sorted(names, key=lambda name: name.encode("utf-16-be"), reverse=order == "DESC")
    assert ids(project.admin("/accounts:query", {"order": order})) == expected


@pytest.mark.parametrize("more", cases({
    "alone": {}, "a limit": {"limit": "1"}, "an offset": {"offset": "2"}, "zero": {"limit": "0"},
    "sorting": {"sortBy": "NAME", "order": "DESC"},
    "a limit that is none": {"limit": "abc"}, "an offset that is none": {"offset": "-1"},
}))
def test_counting_looks_at_nothing_else(project, more):
    named(project, "a", "b", "c")
    body = {"returnUserInfo": False, **more}
    assert project.admin("/accounts:query", body) == {"recordsCount": "3"}


@pytest.mark.parametrize("body, problem", cases({
    "returnUserInfo": ({"returnUserInfo": "false"}, "/returnUserInfo must be boolean"),
    "expression": ({"expression": {}}, "/expression must be array"),
    "expression of texts": ({"expression": ["x"]}, "/expression/0 must be object"),
    "limit": ({"limit": True}, "/limit must be string"),
    "offset": ({"offset": []}, "/offset must be string"),
    "order": ({"order": "UP"}, "/order must be equal to one of the allowed values"),
    "order 3": ({"order": 3}, "/order must be equal to one of the allowed values"),
    "sortBy": ({"sortBy": "user_id"}, "/sortBy must be equal to one of the allowed values"),
    "sortBy 6": ({"sortBy": 6}, "/sortBy must be equal to one of the allowed values"),
}))
def test_queries_of_a_wrong_form(project, body, problem):
    assert project.admin_error("/accounts:query", body) == SCHEMA + problem
    # The form is judged before the tenant, and before privilege.
    tenant = project.disabled_tenant()
    assert project.admin_error("/accounts:query", body, tenant=tenant) == SCHEMA + problem
    assert project.error(f"{project.v1}/accounts:query", body) == SCHEMA + problem


@pytest.mark.parametrize("body", cases({
    "nothing": {}, "a count": {"returnUserInfo": False}, "an expression": {
        "expression": [{"email": A}]}, "a limit that is none": {"limit": "abc"}}))
def test_a_query_in_a_disabled_tenant(project, body):
    tenant = project.disabled_tenant()
    assert project.admin_error("/accounts:query", body, tenant=tenant) == "PROJECT_DISABLED"


# MARK: 2.10, createAuthUri

URI = {"identifier": A, "continueUri": "http://localhost/"}
KIND = "identitytoolkit#CreateAuthUriResponse"


def registered(project, email: str = A, **more) -> dict:
    return project.call("createAuthUri", URI | {"identifier": email} | more)


def duplicates(project) -> None:
    project.configure("signIn.allowDuplicateEmails", signIn={"allowDuplicateEmails": True})


def privacy(project) -> None:
    project.configure(
        "emailPrivacyConfig", emailPrivacyConfig={"enableImprovedEmailPrivacy": True})


def google(project, email: str = A, sub: str = "1") -> dict:
    return project.idp("google.com", {"sub": sub, "email": email, "email_verified": True})


def elsewhere(project, **more) -> str:
    """A user with a password at B, and with A at a provider only."""
    uid = project.sign_up(B)["localId"]
    link(project, uid, "google.com", A, **more)
    return uid


def nameless(project) -> None:
    """A user without an address of their own, and with A at a provider."""
    project.call("signInWithCustomToken", {"token": '{"uid":"u"}'})
    link(project, "u", "google.com", A)


def both_ways(project) -> None:
    project.sign_up(A)
    by_link(project, A)


def password_behind_google(project) -> None:
    session = google(project)
    project.call("update", {"idToken": session["idToken"], "password": "secret1"})


def password_deleted(project) -> None:
    update(project, project.sign_up(A)["localId"], deleteAttribute=["PASSWORD"])


def with_phone(project) -> None:
    update(project, project.sign_up(A)["localId"], phoneNumber=ONE)


def several(project) -> None:
    uid = project.sign_up(A)["localId"]
    for provider in ("oidc.x", "apple.com", "saml.y"):
        link(project, uid, provider)


def owner_and_other(project) -> None:
    elsewhere(project)
    project.sign_up(A)


USERS = {
    # name: (fill, (registered, providers, methods), the same with duplicates allowed)
    "nobody": (lambda p: None, (False, [], []), (False, [], [])),
    "password": (lambda p: p.sign_up(A), (True, ["password"], ["password"]),
                 (True, ["password"], ["password"])),
    "e-mail link": (lambda p: by_link(p, A), (True, ["password"], ["emailLink"]),
                    (True, ["password"], ["emailLink"])),
    "password and link": (both_ways, (True, ["password"], ["password", "emailLink"]),
                          (True, ["password"], ["password", "emailLink"])),
    "google": (google, (True, ["google.com"], ["google.com"]), (True, [], [])),
    "google, then a password": (
        password_behind_google, (True, ["google.com", "password"], ["google.com", "password"]),
        (True, ["password"], ["password"])),
    "a password and a number": (with_phone, (True, ["password"], ["password"]),
                                (True, ["password"], ["password"])),
    "several providers": (
        several, (True, ["password", "oidc.x", "apple.com", "saml.y"],
                  ["password", "oidc.x", "apple.com", "saml.y"]),
        (True, ["password"], ["password"])),
    "an address only": (lambda p: p.admin("/accounts", {"email": A}), (True, [], []),
                        (True, [], [])),
    "a password that is gone": (password_deleted, (True, [], []), (True, [], [])),
    "disabled": (disabled, (True, ["password"], ["password"]),
                 (True, ["password"], ["password"])),
    "at a provider only": (
        elsewhere, (True, ["password", "google.com"], ["password", "google.com"]),
        (True, ["password"], ["password"])),
    "at a provider only, nameless": (nameless, (True, ["google.com"], ["google.com"]),
                                     (False, [], [])),
    "the owner goes first": (owner_and_other, (True, ["password"], ["password"]),
                             (True, ["password"], ["password"])),
    "in a tenant": (lambda p: p.sign_up(A, tenantId="t1"), (False, [], []), (False, [], [])),
}


@pytest.mark.parametrize("fill, expected", cases(
    {name: (fill, expected) for name, (fill, expected, _) in USERS.items()}))
def test_the_methods_of_an_address(project, fill, expected):
    fill(project)
    for identifier in (A, A.upper()):
        answer = registered(project, identifier)
        assert re.fullmatch(r"[A-Za-z0-9]{27}", answer.pop("sessionId"))
        assert answer == dict(zip(
            ("kind", "registered", "allProviders", "signinMethods"), (KIND, *expected)))


@pytest.mark.parametrize("fill, expected", cases(
    {name: (fill, expected) for name, (fill, _, expected) in USERS.items()}))
def test_the_methods_where_duplicates_are_allowed(project, fill, expected):
    """Providers are not told, and only whoever has an address of their own counts."""
    fill(project)
    duplicates(project)
    answer = registered(project)
    del answer["sessionId"]
    assert answer == dict(zip(
        ("kind", "registered", "allProviders", "signinMethods"), (KIND, *expected)))


@pytest.mark.parametrize("fill", cases({name: row[0] for name, row in USERS.items()}))
@pytest.mark.parametrize("more", [False, True], ids=["one account", "duplicates"])
def test_the_methods_are_private(project, fill, more):
    fill(project)
    if more:
        duplicates(project)
    privacy(project)
    answer = registered(project)
    assert answer.keys() == {"kind", "sessionId"} and answer["kind"] == KIND


def test_the_session_id_of_the_request_comes_back(project):
    assert registered(project, sessionId="my session")["sessionId"] == "my session"
    found = {registered(project)["sessionId"] for _ in range(5)}
    assert len(found) == 5 and all(re.fullmatch(r"[A-Za-z0-9]{27}", one) for one in found)
    assert re.fullmatch(r"[A-Za-z0-9]{27}", registered(project, sessionId="")["sessionId"])


def test_what_create_auth_uri_ignores(project):
    project.sign_up(A)
    answer = registered(
        project, appId="x", authFlowType="x", context="x", customParameter={"a": "b"},
        hostedDomain="x", oauthConsumerKey="x", oauthScope="x", openidRealm="x", otaApp="x",
        providerId="", sessionId="s", unknown=[1])
    assert answer == {"kind": KIND, "registered": True, "allProviders": ["password"],
                      "sessionId": "s", "signinMethods": ["password"]}


def test_create_auth_uri_in_a_tenant(project):
    project.sign_up(A, tenantId="t1")
    assert registered(project, tenantId="t1")["registered"] is True
    assert registered(project, tenantId="t2")["registered"] is False


AUTH_URI_FAULTS = {
    "PROJECT_DISABLED": (["tenantId"], "PROJECT_DISABLED", "disabled"),
    "MISSING_IDENTIFIER": (["identifier"], "MISSING_IDENTIFIER", None),
    "MISSING_CONTINUE_URI": (["continueUri"], "MISSING_CONTINUE_URI", None),
    "INVALID_IDENTIFIER": (["identifier"], "INVALID_IDENTIFIER", "no address"),
    "INVALID_CONTINUE_URI": (["continueUri"], "INVALID_CONTINUE_URI", "no uri"),
}


def faulty(project, body: dict, *faults) -> dict:
    """The body with these faults: a field that is missing or has that value."""
    body = dict(body)
    for [name], _, value in faults:
        if value is None:
            del body[name]
        else:
            body[name] = project.disabled_tenant() if value == "disabled" else value
    return body


@pytest.mark.parametrize("private", [False, True], ids=["open", "private"])
@pytest.mark.parametrize("fault", AUTH_URI_FAULTS.values(), ids=AUTH_URI_FAULTS)
def test_what_create_auth_uri_refuses(project, fault, private):
    if private:
        privacy(project)
    assert project.error("createAuthUri", faulty(project, URI, fault)) == fault[1]
    if fault[2] is None:
        assert project.error("createAuthUri", URI | {fault[0][0]: ""}) == fault[1]


@pytest.mark.parametrize("first, second", in_pairs(AUTH_URI_FAULTS))
def test_the_order_of_create_auth_uri(project, first, second):
    assert project.error("createAuthUri", faulty(project, URI, first, second)) == first[1]


# MARK: 2.11, custom tokens

STRICT = ("INVALID_CUSTOM_TOKEN : ((Auth Emulator only accepts strict JSON or JWTs as fake custom "
          "tokens.))")
FORMAT = "INVALID_CUSTOM_TOKEN : Invalid assertion format"
GOOD = {"aud": CUSTOM_TOKEN_AUDIENCE, "uid": "u"}


def exchange(project, token, **more) -> dict:
    token = token if isinstance(token, str) else unsigned(token)
    return project.call("signInWithCustomToken", {"token": token, **more})


def refused(project, token, **more) -> str:
    token = token if isinstance(token, str) else unsigned(token)
    return project.error("signInWithCustomToken", {"token": token, **more})


def test_a_custom_token_makes_a_user(project):
    answer = exchange(project, GOOD, returnSecureToken=False, delegatedProjectNumber="1",
                      instanceId="x")
    assert list(answer)[:2] == ["kind", "isNewUser"]
    assert answer.keys() == {"kind", "isNewUser", "idToken", "refreshToken", "expiresIn"}
    assert answer["kind"] == "identitytoolkit#VerifyCustomTokenResponse"
    assert answer["isNewUser"] is True and answer["expiresIn"] == "3600"
    user = project.user("u")
    assert user.keys() == {"localId", "createdAt", "lastLoginAt", "lastRefreshAt", "customAuth"}
    assert user["customAuth"] is True and user["createdAt"] == user["lastLoginAt"]
    token = claims(answer)
    assert token["firebase"] == {"identities": {}, "sign_in_provider": "custom"}
    assert not {"email_verified", "provider_id"} & token.keys()


def test_a_custom_token_signs_a_known_user_in(project):
    session = project.sign_up(A, displayName="Ann")
    uid = session["localId"]
    before = project.user(uid)
    project.advance("PT1H")
    answer = exchange(project, GOOD | {"uid": uid})
    assert answer["isNewUser"] is False
    after = project.user(uid)
    assert int(after["lastLoginAt"]) >= int(before["lastLoginAt"]) + 3_600_000
    changed = {"lastLoginAt", "lastRefreshAt", "customAuth"}
    assert {k: v for k, v in after.items() if k not in changed} == {
        k: v for k, v in before.items() if k not in changed}
    assert after["customAuth"] is True and "customAuth" not in before
    token = claims(answer)
    assert token["firebase"] == {"identities": {"email": [A]}, "sign_in_provider": "custom"}
    assert (token["name"], token["email"], token["email_verified"]) == ("Ann", A, False)
    assert token["auth_time"] == int(after["lastLoginAt"]) // 1000


def test_a_custom_token_asks_for_no_second_factor(project):
    session = project.verified(A)
    project.enroll(session, ONE)
    assert exchange(project, GOOD | {"uid": session["localId"]})["idToken"]


@pytest.mark.parametrize("given, uid", cases({
    "uid": ('{"uid":"u"}', "u"), "user_id": ('{"user_id":"u"}', "u"),
    "uid wins": ('{"user_id":"v","uid":"u"}', "u"), "number": ('{"uid":5}', "5"),
    "zero": ('{"uid":0}', "0"), "negative": ('{"uid":-5}', "-5"), "half": ('{"uid":1.5}', "1.5"),
    "exponent": ('{"uid":1e3}', "1000"), "whole double": ('{"uid":2.0}', "2"),
    "true": ('{"uid":true}', "true"), "false": ('{"uid":false}', "false"),
    "null uid": ('{"uid":null,"user_id":"u"}', "u"),
    "array uid": ('{"uid":["x"],"user_id":"u"}', "u"),
    "object uid": ('{"uid":{},"user_id":7}', "7"), "blank": ('{"uid":" "}', " "),
    "129 characters": (json.dumps({"uid": "u" * 129}), "u" * 129),
    "1000 characters": (json.dumps({"uid": "é" * 1000}), "é" * 1000),
    "15 zeros": ('{"uid":1e15}', "1" + "0" * 15), "16 zeros": ('{"uid":1e16}', "1" + "0" * 16),
    "20 zeros": ('{"uid":1e20}', "1" + "0" * 20), "21 zeros": ('{"uid":1e21}', "1e+21"),
    "small": ('{"uid":1e-6}', "0.000001"), "smaller": ('{"uid":1.5e-7}', "1.5e-7"),
}))
@pytest.mark.parametrize("form", ["json", "jwt"])
def test_the_id_in_a_custom_token(project, given, uid, form):
    if form == "jwt":
        payload = given.replace("{", f'{{"aud":"{CUSTOM_TOKEN_AUDIENCE}",', 1)
        given = ".".join([segment({"alg": "none"}), jwt.utils.base64url_encode(
            payload.encode()).decode(), ""])
    assert claims(exchange(project, given))["sub"] == uid
    assert project.user(uid)["localId"] == uid


PAST = {"exp": 1, "iat": 99999999999, "nbf": 99999999999, "iss": "x", "sub": "y"}
KEY = "k" * 32


@pytest.mark.parametrize("token", cases({
    "json": '{"uid":"u"}', "json with white space": '{ "uid" : "u" }\n',
    "json of another audience": '{"uid":"u","aud":"x"}',
    "unsigned": unsigned(GOOD), "unsigned, out of date": unsigned(GOOD | PAST),
    "HS256": jwt.encode(GOOD, KEY, algorithm="HS256"),
    "HS256, out of date": jwt.encode(GOOD | PAST, KEY, algorithm="HS256"),
    "a wrong signature": unsigned(GOOD) + "c2lnbmF0dXJl",
    "an unknown algorithm": f"{segment({'alg': 'x'})}.{segment(GOOD)}.c2ln",
    "a tenant that nobody asks for": unsigned(GOOD | {"tenant_id": "t1"}),
    "empty claims": unsigned(GOOD | {"claims": {}}),
}))
def test_custom_tokens_that_count(project, token):
    answer = exchange(project, token)
    assert claims(answer)["sub"] == "u" and "tenant" not in claims(answer)["firebase"]


@pytest.mark.parametrize("token, message", cases({
    "empty": ("", "MISSING_CUSTOM_TOKEN"), "a brace": ("{", STRICT),
    "single quotes": ("{'uid':'u'}", STRICT), "no quotes": ("{uid:1}", STRICT),
    "a comma too much": ('{"uid":"u",}', STRICT), "something behind": ('{"uid":"u"}x', STRICT),
    "a comment": ('{"uid":"u"/**/}', STRICT),
    "a space in front": (' {"uid":"u"}', FORMAT), "an array": ('["u"]', FORMAT),
    "a word": ("token", FORMAT), "three words": ("a.b.c", FORMAT),
    "two segments": (unsigned(GOOD).removesuffix("."), FORMAT),
    "four segments": (unsigned(GOOD) + ".", FORMAT),
    "no payload": (segment({"alg": "none"}) + "..", FORMAT),
    "no header": (f".{segment(GOOD)}.", FORMAT),
    "header is no JSON": (f"e3s.{segment(GOOD)}.", FORMAT),
    "payload is no JSON": (segment({"alg": "none"}) + ".e3s.", FORMAT),
    "signature is not base64url": (unsigned(GOOD) + "$$$", FORMAT),
    "a space behind": (unsigned(GOOD) + " ", FORMAT),
    "no id": (unsigned({"aud": CUSTOM_TOKEN_AUDIENCE}), "MISSING_IDENTIFIER"),
    "empty id": (unsigned(GOOD | {"uid": ""}), "MISSING_IDENTIFIER"),
    "null id": (unsigned(GOOD | {"uid": None}), "MISSING_IDENTIFIER"),
    "ids of no use": ('{"uid":[],"user_id":{}}', "MISSING_IDENTIFIER"),
    "empty object": ("{}", "MISSING_IDENTIFIER"),
    **{f"claims {json.dumps(value)}": (
        unsigned(GOOD | {"claims": value}), "INVALID_CLAIMS")
       for value in (None, "x", "", "{}", 5, 0, True, False, [], [{}])},
    **{f"json claims {json.dumps(value)}": (
        json.dumps({"uid": "u", "claims": value}), "INVALID_CLAIMS")
       for value in (None, "{}", 0, False, [])},
}))
def test_custom_tokens_that_do_not_count(project, token, message):
    assert refused(project, token) == message
    assert project.users() == []


def test_a_custom_token_is_wanted(project):
    assert project.error("signInWithCustomToken", {}) == "MISSING_CUSTOM_TOKEN"


@pytest.mark.parametrize("audience", cases({
    "another": "other", "almost": CUSTOM_TOKEN_AUDIENCE + "/", "a list": [CUSTOM_TOKEN_AUDIENCE],
    "in capitals": CUSTOM_TOKEN_AUDIENCE.upper(), "a number": 5, "none": None}))
def test_the_audience_of_a_custom_token(project, audience):
    payload = {"uid": "u"} | ({} if audience is None else {"aud": audience})
    message = refused(project, payload)
    assert message.startswith("INVALID_CUSTOM_TOKEN : ((Invalid aud ") and message.endswith("))")
    if isinstance(audience, (str, int)):
        assert str(audience) in message


@pytest.mark.parametrize("token, message", cases({
    "another tenant": (unsigned(GOOD | {"tenant_id": "t2"}), "TENANT_ID_MISMATCH"),
    "no tenant": (unsigned(GOOD), "TENANT_ID_MISMATCH"),
    "a tenant that is no text": (unsigned(GOOD | {"tenant_id": 1}), "TENANT_ID_MISMATCH"),
    "no token": ("token", "TENANT_ID_MISMATCH"),
    "its tenant": (unsigned(GOOD | {"tenant_id": "t1"}), None),
    "json": ('{"uid":"u"}', None), "json of another": ('{"uid":"u","tenant_id":"t2"}', None),
    "json that is none": ("{uid}", STRICT),
}))
def test_the_tenant_of_a_custom_token(project, token, message):
    if message is not None:
        assert refused(project, token, tenantId="t1") == message
        return
    answer = exchange(project, token, tenantId="t1")
    assert claims(answer)["firebase"]["tenant"] == "t1"
    [user] = project.users(tenant="t1")
    assert (user["localId"], user["tenantId"]) == ("u", "t1") and project.users() == []


def wrong_audience(payload):
    payload["aud"] = "other"


def no_id(payload):
    del payload["uid"]


def no_claims(payload):
    payload["claims"] = []


def reserved_claim(payload):
    payload["claims"] = {"sub": "x"}


def other_tenant(payload):
    payload["tenant_id"] = "t2"


CUSTOM_FAULTS = {
    "TENANT_ID_MISMATCH": (["tenant_id"], "TENANT_ID_MISMATCH", other_tenant),
    "aud": (["aud"], "INVALID_CUSTOM_TOKEN : ((Invalid aud ", wrong_audience),
    "MISSING_IDENTIFIER": (["uid"], "MISSING_IDENTIFIER", no_id),
    "INVALID_CLAIMS": (["claims"], "INVALID_CLAIMS", no_claims),
    "FORBIDDEN_CLAIM": (["claims"], "FORBIDDEN_CLAIM : sub", reserved_claim),
    "USER_DISABLED": (["uid"], "USER_DISABLED", lambda payload: None),
}


@pytest.mark.parametrize("first, second", in_pairs(CUSTOM_FAULTS))
def test_the_order_of_a_custom_tokens_checks(project, first, second):
    payload = GOOD | {"tenant_id": "t1"}
    project.admin("/accounts", {"localId": "u", "disabled": True}, tenant="t1")
    for _, _, spoil in (first, second):
        spoil(payload)
    assert refused(project, payload, tenantId="t1").startswith(first[1])


@pytest.mark.parametrize("token", ["", "x", "{", unsigned({}), unsigned(GOOD)], ids=[
    "missing", "no jwt", "no json", "no audience", "good"])
def test_a_custom_token_in_a_disabled_tenant(project, token):
    assert refused(project, token, tenantId=project.disabled_tenant()) == "PROJECT_DISABLED"


def test_a_custom_token_of_a_disabled_user(project):
    project.admin("/accounts", {"localId": "u", "disabled": True})
    before = project.user("u")
    assert refused(project, GOOD) == "USER_DISABLED"
    assert project.user("u") == before


def test_the_claims_of_a_custom_token_ride_in_its_session_only(project):
    project.admin("/accounts", {"localId": "u"})
    update(project, "u", customAttributes='{"a":"stored","kept":1}')
    extra = {"a": "token", "deep": {"x": [1, None, "é"]}, "big": "x" * 2000}
    session = exchange(project, GOOD | {"claims": extra})
    assert project.user("u")["customAttributes"] == '{"a":"stored","kept":1}'
    again = refresh(project, session)
    third = refresh(project, {"refreshToken": again["refresh_token"]})
    for token in (session["idToken"], again["id_token"], third["id_token"]):
        token = decoded(token)[1]
        assert (extra | {"kept": 1}).items() <= token.items()
    other = claims(exchange(project, GOOD))
    assert other["a"] == "stored" and "deep" not in other


# MARK: 2.12, session cookies

def cookie_of(project, session: dict, **more) -> str:
    answer = project.admin(":createSessionCookie", {"idToken": session["idToken"], **more})
    assert answer.keys() == {"sessionCookie"}
    return answer["sessionCookie"]


DURATIONS = {
    "missing": (None, 1209600), "empty": ("", 1209600), "'0'": ("0", 1209600),
    "0": (0, 1209600), "a word": ("soon", 1209600), "a number and a word": ("300s", 1209600),
    "NaN": ("NaN", 1209600), "nan": ("nan", 1209600), "inf": ("inf", 1209600),
    "'300'": ("300", 300), "300": (300, 300), "301.0": (301.0, 301),
    "1209600": (1209600, 1209600), "'1209600'": ("1209600", 1209600), "3600": ("3600", 3600),
    "'299'": ("299", None), "299": (299, None), "299.9": (299.9, None), "1": ("1", None),
    "'1209601'": ("1209601", None), "1209601": (1209601, None), "-300": ("-300", None),
    "Infinity": ("Infinity", None), "-1": (-1, None), "1e9": (1e9, None),
}


@pytest.mark.parametrize("duration, seconds", cases(DURATIONS))
def test_the_duration_of_a_cookie(project, duration, seconds):
    body = {} if duration is None else {"validDuration": duration}
    session = project.sign_up(A)
    if seconds is None:
        assert project.admin_error(":createSessionCookie", {
            "idToken": session["idToken"], **body}) == (
                "INVALID_DURATION" if duration != 299.9 else
                'Invalid JSON payload received. /validDuration must match format "int64"')
        return
    project.clock(frozen=True)
    now = int(project.now().timestamp())
    cookie = decoded(cookie_of(project, session, **body))[1]
    assert (cookie["iat"], cookie["exp"]) == (now, now + seconds)
    assert type(cookie["iat"]) is int and type(cookie["exp"]) is int


def test_a_cookie_holds_what_the_token_held(project):
    session = exchange(project, GOOD | {"claims": {"role": "admin", "iss2": [1]}})
    token = claims(session)
    update(project, "u", displayName="Later", customAttributes='{"role":"none"}')
    project.advance("PT5M")
    cookie = decoded(cookie_of(project, session))[1]
    changed = {"iat", "exp", "iss"}
    assert {k: v for k, v in cookie.items() if k not in changed} == {
        k: v for k, v in token.items() if k not in changed}
    assert cookie["iss"] == COOKIE + project.id
    assert cookie["iat"] >= token["iat"] + 300


def test_the_issuer_of_a_cookie_follows_the_tokens_audience(project):
    """A token that is unsigned may be for anybody."""
    uid = project.sign_up(A)["localId"]
    token = unsigned({"aud": "somebody", "user_id": uid, "iat": 99999999999, "firebase": {
        "sign_in_provider": "password", "identities": {}}, "x": 1})
    cookie = decoded(cookie_of(project, {"idToken": token}))[1]
    assert cookie["iss"] == COOKIE + "somebody" and cookie["aud"] == "somebody"
    assert cookie["x"] == 1 and cookie["user_id"] == uid


def test_a_cookie_is_taken_for_a_token(project):
    session = project.sign_up(A)
    cookie = cookie_of(project, session)
    [user] = project.call("lookup", {"idToken": cookie})["users"]
    assert user["localId"] == session["localId"]
    again = decoded(cookie_of(project, {"idToken": cookie}, validDuration="300"))[1]
    assert again["iss"] == COOKIE + project.id and again["exp"] - again["iat"] == 300
    project.advance("P13D")
    assert project.call("update", {"idToken": cookie, "displayName": "Ann"})["displayName"] == "Ann"
    assert project.call("delete", {"idToken": cookie}) == DELETED


def test_a_cookie_in_a_tenant(project):
    session = project.sign_up(A, tenantId="t1")
    for tenant in (None, "t1"):
        cookie = project.admin(":createSessionCookie", {
            "idToken": session["idToken"]}, tenant=tenant)["sessionCookie"]
        assert decoded(cookie)[1]["firebase"]["tenant"] == "t1"
    assert project.admin_error(":createSessionCookie", {
        "idToken": session["idToken"]}, tenant="t2") == "TENANT_ID_MISMATCH"


def test_a_cookie_in_a_disabled_tenant(project):
    session = project.sign_up(A, tenantId="t1")
    project.owner("PATCH", f"{project.v2}/tenants/t1", params={"updateMask": "disableAuth"},
                  json={"disableAuth": True})
    assert project.admin(
        ":createSessionCookie", {"idToken": session["idToken"]}, tenant="t1")["sessionCookie"]


@pytest.mark.parametrize("path", [":createSessionCookie", "/tenants/t1:createSessionCookie"])
def test_a_cookie_without_privilege(project, path):
    for body in ({}, {"idToken": project.sign_up(A)["idToken"]}):
        assert project.error(project.v1 + path, body) == INSUFFICIENT


@pytest.mark.parametrize("make, message", cases({
    "nothing": (lambda p: {}, "MISSING_ID_TOKEN"),
    "an empty token": (lambda p: {"idToken": ""}, "MISSING_ID_TOKEN"),
    "no token, no duration": (lambda p: {"validDuration": "1"}, "MISSING_ID_TOKEN"),
    "a broken token, no duration": (
        lambda p: {"idToken": "x", "validDuration": "1"}, "INVALID_DURATION"),
    "a user who is gone, no duration": (
        lambda p: {"idToken": gone(p)["idToken"], "validDuration": "1"}, "INVALID_DURATION"),
    "a broken token": (lambda p: {"idToken": "x"}, "INVALID_ID_TOKEN"),
    "a user who is gone": (lambda p: {"idToken": gone(p)["idToken"]}, "USER_NOT_FOUND"),
    "a user who is revoked": (lambda p: {"idToken": revoked(p)["idToken"]}, "TOKEN_EXPIRED"),
    "a user who is disabled": (lambda p: {"idToken": disabled(p)["idToken"]}, "USER_DISABLED"),
    "a user who is disabled, no duration": (
        lambda p: {"idToken": disabled(p)["idToken"], "validDuration": "1"}, "INVALID_DURATION"),
    "a user who is revoked and disabled": (
        lambda p: {"idToken": revoked(p, disableUser=True)["idToken"]}, "TOKEN_EXPIRED"),
}))
def test_cookies_that_are_refused(project, make, message):
    assert project.admin_error(":createSessionCookie", make(project)) == message


# MARK: 2.13, refreshing

def test_what_refreshing_answers(project):
    session = project.sign_up(A)
    answer = refresh(project, session)
    assert list(answer) == ["id_token", "access_token", "expires_in", "refresh_token",
                            "token_type", "user_id", "project_id"]
    assert answer["id_token"] == answer["access_token"]
    assert (answer["expires_in"], answer["token_type"], answer["project_id"]) == (
        "3600", "Bearer", "12345")
    assert answer["user_id"] == session["localId"]
    assert isinstance(answer["refresh_token"], str) and answer["refresh_token"]


FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize("names", cases({
    "snake case": (["grant_type", "refresh_token"],),
    "camel case": (["grantType", "refreshToken"],),
    "mixed": (["grant_type", "refreshToken"],)}))
@pytest.mark.parametrize("form", ["json", "form"])
def test_the_forms_of_refreshing(project, names, form):
    session = project.sign_up(A)
    body = dict(zip(names, ("refresh_token", session["refreshToken"]))) | {"code": "ignored"}
    options = {"json": body} if form == "json" else {"data": body, "headers": FORM}
    answer = project.request("POST", TOKEN, params={"key": project.id}, **options)
    assert answer["user_id"] == session["localId"]


@pytest.mark.parametrize("name, pointer", [
    ("grant_type", "/grantType"), ("refresh_token", "/refreshToken")])
def test_a_key_of_a_form_comes_once(project, name, pointer):
    session = project.sign_up(A)
    fields = [("grant_type", "refresh_token"), ("refresh_token", session["refreshToken"])]
    fields += [field for field in fields if field[0] == name]
    answer = project.request(
        "POST", TOKEN, 400, params={"key": project.id}, data=fields, headers=FORM)
    assert answer["error"]["message"] == f"{SCHEMA}{pointer} must be string"
    assert answer["error"]["status"] == "INVALID_ARGUMENT"


def test_refreshing_wants_a_key_and_looks_at_no_bearer(project):
    body = {"grant_type": "refresh_token", "refresh_token": project.sign_up(A)["refreshToken"]}
    owner = {"Authorization": "Bearer owner"}
    answer = project.request("POST", TOKEN, 403, json=body, headers=owner)
    assert answer["error"]["message"] == "The request is missing a valid API key."
    for value in ("Bearer unknown", "Bearer owner"):
        project.request("POST", TOKEN, params={"key": project.id}, json=body,
                        headers={"Authorization": value})
    project.request("POST", TOKEN, json=body, headers={"x-goog-api-key": project.id})


def test_refreshing_may_name_the_project_in_its_body(project):
    """Only where a Bearer could be used is it a privilege."""
    session = project.sign_up(A)
    other = Steered(project.server)
    answer = other.post(TOKEN, {
        "grant_type": "refresh_token", "refresh_token": session["refreshToken"],
        "targetProjectId": project.id})
    assert decoded(answer["id_token"])[1]["aud"] == project.id


def test_a_refresh_token_stays_good(project):
    session = project.sign_up(A)
    first = refresh(project, session)
    project.advance("P30D")
    for token in (session["refreshToken"], first["refresh_token"]):
        assert refresh(project, {"refreshToken": token})["user_id"] == session["localId"]


def test_a_refreshed_token_shows_the_user_of_today(project):
    session = exchange(project, GOOD | {"claims": {"role": "admin"}})
    before, token = project.user("u"), claims(session)
    project.advance("PT2H")
    update(project, "u", displayName="Ann", phoneNumber=ONE, customAttributes='{"level":3}')
    again = decoded(refresh(project, session)["id_token"])[1]
    assert (again["name"], again["phone_number"], again["level"], again["role"]) == (
        "Ann", ONE, 3, "admin")
    assert again["firebase"] == {
        "identities": {"phone": [ONE]}, "sign_in_provider": "custom"}
    assert again["auth_time"] == token["auth_time"] == int(before["lastLoginAt"]) // 1000
    assert again["iat"] >= token["iat"] + 7200 and again["exp"] == again["iat"] + 3600
    after = project.user("u")
    assert after["lastLoginAt"] == before["lastLoginAt"]
    assert after["lastRefreshAt"] > before["lastRefreshAt"]


def test_auth_time_is_that_of_the_last_login(project):
    first = project.sign_up(A)
    project.advance("PT1H")
    second = project.sign_in(A)
    project.advance("PT1H")
    again = decoded(refresh(project, first)["id_token"])[1]
    assert again["auth_time"] == claims(second)["auth_time"] >= claims(first)["auth_time"] + 3600


def test_refreshing_in_a_disabled_tenant(project):
    session = project.sign_up(A, tenantId="t1")
    project.owner("PATCH", f"{project.v2}/tenants/t1", params={"updateMask": "disableAuth"},
                  json={"disableAuth": True})
    again = decoded(refresh(project, session)["id_token"])[1]
    assert again["firebase"]["tenant"] == "t1"


REFRESH_FAULTS = {
    "undecodable": (["token"], "INVALID_REFRESH_TOKEN"),
    "MISSING_GRANT_TYPE": (["grant"], "MISSING_GRANT_TYPE"),
    "INVALID_GRANT_TYPE": (["grant"], "INVALID_GRANT_TYPE"),
    "MISSING_REFRESH_TOKEN": (["token"], "MISSING_REFRESH_TOKEN"),
    "another project": (["project"], "INVALID_REFRESH_TOKEN"),
    "a user who is gone": (["user"], "INVALID_REFRESH_TOKEN"),
    "USER_DISABLED": (["user"], "USER_DISABLED"),
}


def refreshing_with(project, *faults: str) -> str:
    session = project.sign_up(A)
    body = {"grant_type": "refresh_token", "refresh_token": session["refreshToken"]}
    caller = project
    for fault in faults:
        match fault:
            case "undecodable": body["refresh_token"] = "x"
            case "MISSING_GRANT_TYPE": del body["grant_type"]
            case "INVALID_GRANT_TYPE": body["grant_type"] = "authorization_code"
            case "MISSING_REFRESH_TOKEN": del body["refresh_token"]
            case "another project": caller = Steered(project.server)
            case "a user who is gone":
                project.admin("/accounts:delete", {"localId": session["localId"]})
            case "USER_DISABLED": update(project, session["localId"], disableUser=True)
    return caller.error(TOKEN, body)


@pytest.mark.parametrize("fault", REFRESH_FAULTS)
def test_what_refreshing_refuses(project, fault):
    assert refreshing_with(project, fault) == REFRESH_FAULTS[fault][1]


# The token of a user who is gone has gone too, which is told first: a difference of ours.
REFRESH_PAIRS = [
    (first, second) for first, second in itertools.combinations(REFRESH_FAULTS, 2)
    if REFRESH_FAULTS[first][0] != REFRESH_FAULTS[second][0]
    and not (first.endswith("GRANT_TYPE") and second == "a user who is gone")]


@pytest.mark.parametrize(
    "first, second", REFRESH_PAIRS, ids=[f"{one} before {two}" for one, two in REFRESH_PAIRS])
def test_the_order_of_refreshing(project, first, second):
    assert refreshing_with(project, first, second) == REFRESH_FAULTS[first][1]


@pytest.mark.parametrize("body, message", cases({
    "empty grant": ({"grant_type": "", "refresh_token": ""}, "MISSING_GRANT_TYPE"),
    "empty token": ({"grant_type": "refresh_token", "refresh_token": ""}, "MISSING_REFRESH_TOKEN"),
    "another grant in capitals": ({"grant_type": "REFRESH_TOKEN"}, "INVALID_GRANT_TYPE"),
    "nothing": ({}, "MISSING_GRANT_TYPE"),
    "a wrong type beside a bad token": (
        {"grant_type": True, "refresh_token": "x"}, SCHEMA + "/grantType must be string"),
    "a code of a wrong type": ({"code": []}, SCHEMA + "/code must be string"),
}))
def test_bodies_of_refreshing(project, body, message):
    assert project.error(TOKEN, body) == message


def test_refreshing_is_a_post(project):
    reply = requests.get(project.server.auth + TOKEN, params={"key": project.id}, timeout=30)
    assert (reply.status_code, reply.headers["Allow"]) == (405, "POST")


# MARK: The types of fields, ignored ones too

STRINGS = {
    "delete": ["localId", "idToken", "tenantId", "targetProjectId", "delegatedProjectNumber"],
    "createAuthUri": [
        "identifier", "continueUri", "providerId", "sessionId", "tenantId", "appId", "context",
        "authFlowType", "hostedDomain", "oauthConsumerKey", "oauthScope", "openidRealm", "otaApp"],
    "signInWithCustomToken": ["token", "tenantId", "delegatedProjectNumber", "instanceId"],
}
TYPES = [
    *((verb, name, value, f"/{name} must be string")
      for verb, fields in STRINGS.items() for name in fields for value in (True, [], {}, None)),
    ("createAuthUri", "customParameter", "x", "/customParameter must be object"),
    ("createAuthUri", "customParameter", {"a": []}, "/customParameter/a must be string"),
    ("signInWithCustomToken", "returnSecureToken", "true", "/returnSecureToken must be boolean"),
    ("signInWithCustomToken", "returnSecureToken", 1, "/returnSecureToken must be boolean"),
    *((":createSessionCookie", name, value, f"/{name} must be string")
      for name in ("idToken", "validDuration", "tenantId") for value in (True, [])),
]


@pytest.mark.parametrize("verb, name, value, problem", [
    pytest.param(*row, id=f"{row[0]} {row[1]} {json.dumps(row[2])}") for row in TYPES])
def test_types(project, verb, name, value, problem):
    """Before everything that the operation checks."""
    ask = project.admin_error if verb.startswith(":") else project.error
    assert ask(verb, {name: value}) == SCHEMA + problem


def test_a_number_is_a_text(project):
    answer = project.call("createAuthUri", URI | {"sessionId": 12.5})
    assert answer["sessionId"] == "12.5"
    assert project.admin_error("/accounts:delete", {"localId": 12}) == "USER_NOT_FOUND"
    project.admin("/accounts", {"localId": "12"})
    assert project.admin("/accounts:delete", {"local_id": 12}) == DELETED


# MARK: What is logged

@pytest.mark.parametrize("token, warns", [
    (unsigned(GOOD), False), ('{"uid":"u"}', False),
    (jwt.encode(GOOD, KEY, algorithm="HS256"), True)], ids=["unsigned", "json", "signed"])
def test_a_signed_custom_token_is_worth_a_warning(token, warns):
    server = Server()
    begin = len(server.lines)
    server.accounts("signInWithCustomToken", {"token": token})
    server.stop()
    assert any("custom token" in line for line in server.lines[begin:]) is warns


# MARK: The old names

@pytest.mark.parametrize("name, body, message", [
    ("createAuthUri", {}, "MISSING_IDENTIFIER"), ("deleteAccount", {}, "MISSING_ID_TOKEN"),
    ("verifyCustomToken", {}, "MISSING_CUSTOM_TOKEN")])
def test_the_old_names(project, name, body, message):
    assert project.error(V3 + name, body) == message
