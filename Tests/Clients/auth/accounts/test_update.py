"""Looking accounts up and changing them: auth-a 2.6 and 2.7, row by row."""

import json

import pytest

from support.auth.project import check_error, claims
from support.steering import instant
from auth.codes.test_oob_codes import Codes, token
from auth.protocol.test_check_order import hearth  # noqa: F401
from auth.sign_in.test_sign_up import (
    OPEN, PRIVATE, REDACTED, TOKENS, WEAK, freeze, fresh, same_time, token_block)
from support.wire import V1, V3, unsigned, user_record

A, B, C, D = "a@example.com", "b@example.com", "c@example.com", "d@example.com"
PHONE, OTHER_PHONE = "+15555550100", "+15555550101"
KIND = "identitytoolkit#SetAccountInfoResponse"
FOUND = "identitytoolkit#GetAccountInfoResponse"
LOOKUPS = pytest.mark.parametrize(
    "path", [V1 + "lookup", V3 + "getAccountInfo"], ids=["v1", "v3"])
UPDATES = pytest.mark.parametrize(
    "path", [V1 + "update", V3 + "setAccountInfo"], ids=["v1", "v3"])
GOOGLE = {"providerId": "google.com", "rawId": "g1"}
APPLE = {"providerId": "apple.com", "rawId": "a1"}
RESERVED = ["iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf",
            "auth_time", "firebase", "at_hash", "c_hash"]


class Accounts(Codes):
    """Updates by users and by administrators."""

    def mine(self, session: dict, status: int = 200, **change) -> dict:
        return self.call("update", {"idToken": session["idToken"], **change}, status)

    def change(self, uid: str, tenant=None, **change) -> dict:
        return self.admin("/accounts:update", {"localId": uid, **change}, tenant=tenant)

    def refused(self, uid: str, **change) -> str:
        return self.admin_error("/accounts:update", {"localId": uid, **change})

    def find(self, tenant=None, **query) -> list[dict]:
        answer = self.admin("/accounts:lookup", query, tenant=tenant)
        assert answer.pop("kind") == FOUND
        assert answer.keys() <= {"users"} and answer.get("users") != []
        return [user["localId"] for user in answer.get("users", [])]


@pytest.fixture
def project(hearth) -> Accounts:  # noqa: F811
    return Accounts(hearth)


def entries(record: dict) -> list[str]:
    return [entry["providerId"] for entry in record["providerUserInfo"]]


def only(before: dict, after: dict, *names: str) -> None:
    """Nothing but these members has changed."""
    def rest(record: dict) -> dict:
        return {name: value for name, value in record.items() if name not in names}
    assert rest(after) == rest(before)


# MARK: 2.6, a user looks up

@LOOKUPS
@pytest.mark.parametrize("more", [
    {}, {"localId": ["two"]}, {"localId": [], "email": [], "phoneNumber": []},
    {"email": [B], "phoneNumber": [PHONE], "initialEmail": ["x"]},
    {"federatedUserId": [{"providerId": "phone", "rawId": PHONE}]},
    {"delegatedProjectNumber": "12"},
], ids=["nothing", "localId", "empty", "others", "federated", "number"])
def test_a_user_sees_themselves(project, path, more):
    """Whatever else is asked for."""
    session = project.sign_up(A)
    project.make(localId="two", email=B, phoneNumber=PHONE)
    answer = project.post(path, {"idToken": session["idToken"], **more})
    assert answer.keys() == {"kind", "users"} and answer["kind"] == FOUND
    [user] = answer["users"]
    stored = user_record(project.user(session["localId"]))
    assert stored.pop("salt") and stored.pop("passwordHash") != REDACTED
    assert user == {**stored, "passwordHash": REDACTED}


@LOOKUPS
@pytest.mark.parametrize("body, message", [
    ({}, "MISSING_ID_TOKEN"), ({"idToken": ""}, "MISSING_ID_TOKEN"),
    ({"localId": ["two"]}, "MISSING_ID_TOKEN"), ({"idToken": "x"}, "INVALID_ID_TOKEN"),
    ({"idToken": "x.y"}, "INVALID_ID_TOKEN"), ({"idToken": "a.b.c"}, "INVALID_ID_TOKEN"),
])
def test_a_user_needs_a_token(project, path, body, message):
    project.make(localId="two")
    assert project.error(path, body) == message


def state(project, name: str) -> str:
    """A token that one check of auth-a 4.9 refuses."""
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
    "good": None, "without dot": "INVALID_ID_TOKEN", "without firebase": "INVALID_ID_TOKEN",
    "unknown": "USER_NOT_FOUND", "old": "TOKEN_EXPIRED", "old without iat": "TOKEN_EXPIRED",
    "disabled": "USER_DISABLED", "old and disabled": "TOKEN_EXPIRED"}
WITH_TOKEN = {
    "lookup": {}, "update": {"displayName": "x"}, "signUp": {"email": B, "password": "secret1"},
    "signInWithEmailLink": {"email": C, "oobCode": "CODE"},
    "VERIFY_EMAIL": {"requestType": "VERIFY_EMAIL"},
    "VERIFY_AND_CHANGE_EMAIL": {"requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": B}}


@pytest.mark.parametrize("name, message", TOKEN_STATES.items(), ids=TOKEN_STATES)
@pytest.mark.parametrize("verb", WITH_TOKEN)
def test_the_checks_of_a_token(project, verb, name, message):
    """In the order of 4.9, wherever a token is taken; a second that is equal passes."""
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


# MARK: 2.6, an administrator looks up

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
    "nothing": ({}, []), "empty": ({"localId": [], "email": []}, []),
    "an id": ({"localId": ["two"]}, ["two"]), "unknown id": ({"localId": ["x"]}, []),
    "in the order asked for": ({"localId": ["two", "x", "one"]}, ["two", "one"]),
    "once": ({"localId": ["two", "two"], "email": [B], "phoneNumber": [OTHER_PHONE]}, ["two"]),
    "by kinds": (
        {"federatedUserId": federated(("google.com", "g1")), "phoneNumber": [OTHER_PHONE],
         "email": [A], "localId": ["three"]}, ["three", "one", "two"]),
    "kinds without the first": (
        {"federatedUserId": federated(("google.com", "g1")), "phoneNumber": [OTHER_PHONE],
         "email": [A]}, ["one", "two", "three"]),
    "id in capitals": ({"localId": ["TWO"]}, []), "email": ({"email": [B]}, ["two"]),
    "email in capitals": ({"email": [B.upper(), A.upper()]}, ["two", "one"]),
    "unknown email": ({"email": [D, "x", ""]}, []),
    "phone": ({"phoneNumber": [PHONE]}, ["one"]), "bad phone": ({"phoneNumber": ["1", ""]}, []),
    "provider": ({"federatedUserId": federated(("google.com", "g1"))}, ["three"]),
    "provider's other id": ({"federatedUserId": federated(("google.com", "G1"))}, []),
    "other provider": ({"federatedUserId": federated(("apple.com", "g1"))}, []),
    "password as provider": ({"federatedUserId": federated(("password", A))}, ["one"]),
    "phone as provider": ({"federatedUserId": federated(("phone", OTHER_PHONE))}, ["two"]),
    "halves": ({"federatedUserId": [
        {"providerId": "google.com"}, {"rawId": "g1"}, {}, {"providerId": "", "rawId": "g1"},
        {"providerId": "google.com", "rawId": ""}, GOOGLE]}, ["three"]),
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
    answer = house.owner("POST", path, json={
        "targetProjectId": house.id, "local_id": ["one"]})
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


@pytest.mark.parametrize("name, value, message", [
    ("localId", "two", "/localId must be array"), ("email", B, "/email must be array"),
    ("phoneNumber", PHONE, "/phoneNumber must be array"),
    ("initialEmail", A, "/initialEmail must be array"),
    ("federatedUserId", {}, "/federatedUserId must be array"),
    ("federatedUserId", ["x"], "/federatedUserId/0 must be object"),
    ("federatedUserId", [{}, {"rawId": True}], "/federatedUserId/1/rawId must be string"),
    ("localId", ["x", {}], "/localId/1 must be string"),
    ("idToken", True, "/idToken must be string"),
    ("email", [None], "/email/0 must be string")])
@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
def test_lookups_of_another_form(project, admin, name, value, message):
    error = (project.admin("/accounts:lookup", {name: value}, 400) if admin
             else project.call("lookup", {name: value}, 400))["error"]
    assert error["status"] == "INVALID_ARGUMENT"
    assert error["message"] == f"Invalid JSON payload received. {message}"


# MARK: 2.7, who may send what

@UPDATES
@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize("name, value", [
    ("provider", []), ("provider", ["google.com"]), ("upgradeToFederatedLogin", False),
    ("upgradeToFederatedLogin", True)])
def test_what_updates_do_not_know(project, path, admin, name, value):
    """Whenever the key is there, and before anybody is asked for."""
    body = {name: value}
    if admin:
        error = project.owner("POST", path, 501, json=body)["error"]
    else:
        error = project.post(path, body, 501)["error"]
    check_error(error, 501)


@UPDATES
@pytest.mark.parametrize("body", [
    {}, {"localId": "x"}, {"idToken": "", "oobCode": ""}, {"displayName": "x"}, {"email": "x"}])
def test_a_user_without_token_or_code(project, path, body):
    assert project.error(path, body) == "INVALID_REQ_TYPE : Unsupported request parameters."


@UPDATES
@pytest.mark.parametrize("body", [
    {}, {"localId": ""}, {"idToken": "TOKEN"}, {"oobCode": "CODE"}, {"localId": "", "email": "x"}])
def test_an_administrator_without_an_id(project, path, body):
    """Neither a token nor a code helps."""
    session = project.sign_up(A)
    body = {name: {"TOKEN": session["idToken"]}.get(value) or (
        project.oob("VERIFY_EMAIL") if value == "CODE" else value) for name, value in body.items()}
    error = project.owner("POST", path, 400, json={"targetProjectId": project.id, **body})
    assert error["error"]["message"] == "MISSING_LOCAL_ID"


@pytest.mark.parametrize("claims_text", ["", "{}", '{"a":1}', "x" * 1001, "[]", '{"iss":1}'])
def test_claims_are_for_administrators(project, claims_text):
    session = project.sign_up(A)
    assert project.mine(session, 400, customAttributes=claims_text)["error"]["message"] == (
        "INSUFFICIENT_PERMISSION")
    assert "customAttributes" not in project.user(session["localId"])


@pytest.mark.parametrize("change", [
    {"emailVerified": True}, {"phoneNumber": PHONE}, {"phoneNumber": "not one"},
    {"createdAt": "1"}, {"lastLoginAt": "1"}, {"localId": "other"},
    {"returnSecureToken": True, "captchaChallenge": "x", "captchaResponse": "x",
     "instanceId": "x", "delegatedProjectNumber": "1"},
    {"email": "", "password": "", "validSince": ""}, {"deleteAttribute": [0]},
    {"deleteAttribute": [], "deleteProvider": []}, {"deleteProvider": ["google.com"]},
    {"phoneNumber": ""}, {"customAttributesX": "x"},
], ids=["verified", "phone", "bad phone", "created", "login", "another id", "ignored", "empty",
        "nothing deleted", "empty lists", "provider that is not linked", "empty phone",
        "unknown"])
def test_what_a_user_cannot_change(project, change):
    """It is ignored, and nobody gets tokens."""
    session = project.sign_up(A)
    before = project.user(session["localId"])
    answer = project.mine(session, **change)
    assert not TOKENS & answer.keys()
    assert project.user(session["localId"]) == before


# MARK: 2.7, custom claims

GOOD_CLAIMS = {
    "empty": "", "no claims": "{}", "some": '{"role":"admin","level":[1,{"a":null}]}',
    "with spaces": ' {\n"a" : 1\t} ', "exactly 1000": json.dumps({"a": "x" * 991}),
    "1000 code units": '{"a":"' + "\U0001f600" * 496 + '"}', "a reserved name inside":
    '{"a":{"iss":1}}', "names of the account": '{"email":"x","user_id":"y","phone_number":"z"}',
    "in capitals": '{"ISS":1}', "twice": '{"a":1,"a":2}',
}


@pytest.mark.parametrize("text", GOOD_CLAIMS.values(), ids=GOOD_CLAIMS)
def test_claims_that_are_taken(project, text):
    """Stored to the letter."""
    uid = project.make(email=A, password="secret1")
    answer = project.change(uid, customAttributes=text)
    assert "customAttributes" not in answer and not TOKENS & answer.keys()
    assert project.user(uid)["customAttributes"] == text


def test_a_byte_order_mark_is_no_claim(project):
    assert project.refused(project.make(), customAttributes='\ufeff{"a":1}') == "INVALID_CLAIMS"


def test_claims_are_of_bounded_depth(project):
    """No request may exhaust the stack; the official emulator takes any depth."""
    uid = project.make()
    project.change(uid, customAttributes='{"a":' + "[" * 100 + "]" * 100 + "}")
    assert project.refused(
        uid, customAttributes='{"a":' + "[" * 400 + "]" * 400 + "}") == "INVALID_CLAIMS"


@pytest.mark.parametrize("text, message", [
    (json.dumps({"a": "x" * 992}), "CLAIMS_TOO_LARGE"), ("x" * 1001, "CLAIMS_TOO_LARGE"),
    ('{"a":"' + "\U0001f600" * 497 + '"}', "CLAIMS_TOO_LARGE"),
    (json.dumps({"iss": "x" * 1000}), "CLAIMS_TOO_LARGE"), ("x", "INVALID_CLAIMS"),
    (" ", "INVALID_CLAIMS"), ("{", "INVALID_CLAIMS"), ("{}{}", "INVALID_CLAIMS"),
    ('{"a":1,}', "INVALID_CLAIMS"), ("{'a':1}", "INVALID_CLAIMS"), ('{"a":NaN}', "INVALID_CLAIMS"),
    ('{"a":01}', "INVALID_CLAIMS"), ('{"a":"\n"}', "INVALID_CLAIMS"),
    ('{"a":.5}', "INVALID_CLAIMS"), ('{"a":"\\x41"}', "INVALID_CLAIMS"),
    ("[]", "INVALID_CLAIMS"), ('[{"iss":1}]', "INVALID_CLAIMS"), ("1", "INVALID_CLAIMS"),
    ('"x"', "INVALID_CLAIMS"), ("null", "INVALID_CLAIMS"), ("true", "INVALID_CLAIMS"),
], ids=["1001", "1001 letters", "1002 code units", "before a reserved name", "a letter", "a space",
        "open", "two", "comma", "quotes", "NaN", "zero", "line end", "point", "escape", "array",
        "array of objects", "number", "string", "null", "true"])
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
        f"FORBIDDEN_CLAIM : {name}")


@pytest.mark.parametrize("first, second", list(zip(RESERVED, RESERVED[1:])))
def test_reserved_claims_are_told_in_order(project, first, second):
    uid = project.make()
    assert project.refused(uid, customAttributes=json.dumps({second: 1, first: 1})) == (
        f"FORBIDDEN_CLAIM : {first}")


def test_claims_stand_in_later_tokens(project):
    uid = project.make(email=A, password="secret1")
    project.change(uid, customAttributes='{"role":"admin","name":"Claimed"}', displayName="Ann")
    content = claims(project.sign_in(A))
    assert (content["role"], content["name"]) == ("admin", "Claimed")


# MARK: 2.7, branch A: redeeming a code

def answered(uid: str, **more) -> dict:
    return {"kind": KIND, "localId": uid, "emailVerified": True, **more}


def password_entry(email: str, **more) -> dict:
    return {"providerId": "password", "email": email, "federatedId": email, "rawId": email, **more}


IGNORED_BESIDE_A_CODE = {
    "displayName": "x", "photoUrl": "x", "password": "short", "validSince": "1",
    "disableUser": True, "deleteAttribute": ["DISPLAY_NAME"], "phoneNumber": "1",
    "emailVerified": False, "createdAt": "1", "lastLoginAt": "1", "deletePasskey": ["x"],
    "mfa": {"enrollments": [{"phoneInfo": "1"}]}, "idToken": "x"}


@UPDATES
@pytest.mark.parametrize("more", [{}, IGNORED_BESIDE_A_CODE], ids=["alone", "with others"])
@pytest.mark.parametrize("user", [
    {"password": "secret1"}, {"disabled": True}, {"displayName": "Ann"}],
    ids=["plain", "disabled", "without password"])
def test_a_code_verifies_an_address(project, path, user, more):
    """All else is ignored; no tokens, `validSince` stays, disabled users are accepted."""
    uid = project.make(email=A, **user)
    before = project.user(uid)
    code = project.oob("VERIFY_EMAIL")
    project.advance("PT10M")
    answer = project.post(path, {"oobCode": code, **more})
    shown = {"displayName": "Ann"} if "displayName" in user else {}
    if "password" in user:
        shown |= {"passwordHash": REDACTED, "providerUserInfo": [password_entry(A)]}
    if answer.get("providerUserInfo") == []:
        del answer["providerUserInfo"]
    assert answer == answered(uid, email=A, **shown)
    after = project.user(uid)
    assert after["emailVerified"] is True
    only(before, after, "emailVerified")
    assert project.pending() == []


@UPDATES
def test_a_code_changes_an_address(project, path):
    """No initial address, no code to recover the old one."""
    uid = project.make(email=A, password="secret1")
    before = project.user(uid)
    code = project.oob("VERIFY_AND_CHANGE_EMAIL", newEmail=B.upper())
    answer = project.post(path, {"oobCode": code})
    assert answer == answered(
        uid, email=B, newEmail=B, passwordHash=REDACTED, providerUserInfo=[password_entry(B)])
    after = project.user(uid)
    assert (after["email"], after["emailVerified"]) == (B, True)
    only(before, after, "email", "emailVerified", "providerUserInfo")
    assert project.pending() == [] and project.messages() == []
    project.sign_in(B)
    assert project.error("signInWithPassword", {
        "email": A, "password": "secret1"}) == "EMAIL_NOT_FOUND"


@UPDATES
def test_a_code_recovers_an_address(project, path):
    """`initialEmail` stays."""
    session = project.sign_up(A)
    project.mine(session, email=B)
    [record] = project.pending()
    assert record["requestType"] == "RECOVER_EMAIL" and record["email"] == A
    before = project.user(session["localId"])
    answer = project.post(path, {"oobCode": record["oobCode"]})
    assert answer == answered(session["localId"], email=A, passwordHash=REDACTED,
                              providerUserInfo=[password_entry(A)])
    after = project.user(session["localId"])
    assert (after["email"], after["emailVerified"], after["initialEmail"]) == (A, True, A)
    only(before, after, "email", "emailVerified", "providerUserInfo")
    assert project.pending() == []


@UPDATES
@pytest.mark.parametrize("kind", ["PASSWORD_RESET", "EMAIL_SIGNIN"])
def test_codes_that_updates_do_not_know(project, path, kind):
    """The code is kept."""
    project.make(email=A)
    code = project.oob(kind)
    error = project.post(path, {"oobCode": code}, 501)["error"]
    check_error(error, 501)
    assert error["message"] == kind
    assert [one["oobCode"] for one in project.pending()] == [code]


@pytest.mark.parametrize("code", ["x", "a" * 54, " "])
def test_unknown_codes(project, code):
    assert project.error("update", {"oobCode": code}) == "INVALID_OOB_CODE"
    session = project.sign_up(A)
    assert project.mine(session, 400, oobCode=code, displayName="x")["error"]["message"] == (
        "INVALID_OOB_CODE")
    assert project.refused(session["localId"], oobCode=code) == "INVALID_OOB_CODE"


@pytest.mark.parametrize("way", ["deleted", "cleared", "changed"])
@pytest.mark.parametrize("kind", ["VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"])
def test_a_code_whose_user_is_gone(project, kind, way):
    """The code is gone all the same."""
    uid = project.make(email=A)
    code = project.oob(kind, newEmail=B)
    if way == "deleted":
        project.admin("/accounts:delete", {"localId": uid})
    elif way == "cleared":
        project.request("DELETE", f"{project.control}/accounts")
    else:
        project.change(uid, email=C)
    assert project.error("update", {"oobCode": code}) == "INVALID_OOB_CODE"
    assert code not in [one["oobCode"] for one in project.pending()]


@pytest.mark.parametrize("kind", ["VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"])
def test_a_code_goes_with_its_address(project, kind):
    """Who has the address now is meant."""
    uid = project.make(email=A)
    code = project.oob(kind, newEmail=B)
    project.admin("/accounts:delete", {"localId": uid})
    later = project.make(email=A)
    assert project.call("update", {"oobCode": code})["localId"] == later


@pytest.mark.parametrize("taken", ["another", "own"])
def test_a_new_address_that_was_taken_meanwhile(project, taken):
    """The code is gone, and nothing changes."""
    uid = project.make(email=A)
    code = project.oob("VERIFY_AND_CHANGE_EMAIL", newEmail=B)
    if taken == "another":
        project.make(email=B)
        before = project.user(uid)
        assert project.error("update", {"oobCode": code}) == "EMAIL_EXISTS"
        assert project.user(uid) == before
    else:
        project.change(uid, email=B)
        assert project.error("update", {"oobCode": code}) == "INVALID_OOB_CODE"
    assert code not in [one["oobCode"] for one in project.pending()]


@pytest.mark.parametrize("way", ["another", "own", "deleted", "cleared"])
def test_an_address_that_cannot_be_recovered(project, way):
    """It is in use by anyone, the same user too, or the user is gone; so is the code."""
    session = project.sign_up(A)
    project.mine(session, email=B)
    code = project.pending()[-1]["oobCode"]
    if way == "another":
        project.make(email=A)
    elif way == "own":
        project.change(session["localId"], email=A)
    elif way == "deleted":
        project.admin("/accounts:delete", {"localId": session["localId"]})
    else:
        project.request("DELETE", f"{project.control}/accounts")
    message = "EMAIL_EXISTS" if way in ("another", "own") else "INVALID_OOB_CODE"
    assert project.error("update", {"oobCode": code}) == message
    assert code not in [one["oobCode"] for one in project.pending()]


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
def test_a_code_unlinks_and_links(project, admin):
    """Providers are the one thing that counts beside a code."""
    uid = project.make(email=A, password="secret1", phoneNumber=PHONE)
    project.change(uid, linkProviderUserInfo=GOOGLE)
    body = {"oobCode": project.oob("VERIFY_EMAIL"), "deleteProvider": ["google.com", "phone"],
            "linkProviderUserInfo": APPLE}
    answer = project.change("any", **body) if admin else project.call("update", body)
    assert answer["localId"] == uid and entries(answer) == ["password", "apple.com"]
    record = project.user(uid)
    assert entries(record) == ["password", "apple.com"] and "phoneNumber" not in record
    assert record["emailVerified"] is True


def test_a_code_of_an_administrator(project):
    """Whoever `localId` names, the code's user is meant; no tokens."""
    uid = project.make(email=A)
    project.make(localId="other", email=B)
    answer = project.change("other", oobCode=project.oob("VERIFY_EMAIL"), displayName="x")
    assert answer["localId"] == uid and not TOKENS & answer.keys()
    assert "displayName" not in answer
    assert project.user("other")["emailVerified"] is False


def test_a_token_beside_a_code_selects_the_tenant(project):
    tenant = project.tenant(**OPEN)
    session = project.sign_up(A, tenantId=tenant)
    code = project.oob("VERIFY_EMAIL", tenant=tenant)
    assert project.error("update", {"oobCode": code}) == "INVALID_OOB_CODE"
    expired = unsigned({"user_id": "x", "firebase": {"tenant": tenant}})
    answer = project.call("update", {"oobCode": code, "idToken": expired})
    assert answer["localId"] == session["localId"] and answer["emailVerified"] is True


# MARK: 2.7, steps 10 and 11: whose account

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
def test_nobody_disables_with_a_token(project, admin, value):
    session = project.sign_up(A)
    body = {"idToken": session["idToken"], "disableUser": value}
    message = (project.refused(session["localId"], **body) if admin
               else project.error("update", body))
    assert message == "OPERATION_NOT_ALLOWED"
    assert "disabled" not in project.user(session["localId"])


def test_an_administrator_changes_nobody(project):
    assert project.refused("nobody", displayName="x") == "USER_NOT_FOUND"


def test_an_administrator_changes_a_disabled_user(project):
    uid = project.make(email=A, disabled=True)
    project.change(uid, displayName="Ann")
    assert project.user(uid)["displayName"] == "Ann"


# MARK: 2.7, steps 12 to 14: the address

@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize("email, message", [
    ("x", "INVALID_EMAIL"), ("@", "INVALID_EMAIL"), ("a@b@c", "INVALID_EMAIL"),
    ("a@", "INVALID_EMAIL"), (B, "EMAIL_EXISTS"), (B.upper(), "EMAIL_EXISTS")])
def test_addresses_that_are_refused(project, admin, email, message):
    session = project.sign_up(A)
    project.make(email=B)
    before = project.user(session["localId"])
    if admin:
        assert project.refused(session["localId"], email=email) == message
    else:
        assert project.mine(session, 400, email=email)["error"]["message"] == message
    assert project.user(session["localId"]) == before


@UPDATES
def test_a_user_changes_their_address(project, path):
    """Tokens of the same provider, an unverified address, and a code to recover the first."""
    session = project.verified(A)
    before = project.user(session["localId"])
    project.advance("PT10M")
    now = freeze(project)
    answer = project.post(path, {"idToken": session["idToken"], "email": "B@Example.com"})
    assert answer.keys() == {"kind", "localId", "emailVerified", "email", "newEmail",
                             "providerUserInfo", "passwordHash"} | TOKENS
    assert answer["kind"] == KIND and answer["passwordHash"] == REDACTED
    assert (answer["email"], answer["newEmail"], answer["emailVerified"]) == (B, B, False)
    assert answer["providerUserInfo"] == [password_entry(B)]
    content = token_block(answer)
    assert content["firebase"]["sign_in_provider"] == "password"
    assert (content["email"], content["email_verified"]) == (B, False)
    after = project.user(session["localId"])
    assert (after["email"], after["emailVerified"], after["initialEmail"]) == (B, False, A)
    assert after["validSince"] == str(now // 1000)
    only(before, after, "email", "emailVerified", "initialEmail", "validSince", "lastRefreshAt",
         "providerUserInfo")
    [record] = project.pending()
    assert record == {"email": A, "requestType": "RECOVER_EMAIL", "oobCode": record["oobCode"],
                      "oobLink": record["oobLink"]}
    assert "mode=recoverEmail&" in record["oobLink"]
    [message] = project.messages()
    assert (message["type"], message["to"], message["oobCode"]) == (
        "RECOVER_EMAIL", A, record["oobCode"])
    assert project.error("lookup", {"idToken": session["idToken"]}) == "TOKEN_EXPIRED"
    assert project.sign_in(B)["localId"] == session["localId"]


@pytest.mark.parametrize("email", [A, A.upper()])
@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
def test_an_address_that_does_not_change(project, email, admin):
    """`newEmail` is answered all the same; no tokens, nothing is stored."""
    session = project.verified(A)
    before = project.user(session["localId"])
    project.advance("PT10M")
    answer = (project.change(session["localId"], email=email) if admin
              else project.mine(session, email=email))
    assert answer["newEmail"].lower() == A and answer["email"] == A
    assert answer["emailVerified"] is True and not TOKENS & answer.keys()
    assert project.user(session["localId"]) == before
    assert project.pending() == []


def test_an_address_that_only_looks_alike_is_another(project):
    uid = project.make(email="\u00e4@example.com", emailVerified=True)
    answer = project.change(uid, email="a\u0308@example.com")
    assert answer["email"] == "a\u0308@example.com" and answer["emailVerified"] is False


def test_the_first_address_is_kept_for_good(project):
    """Each change offers to recover it, whatever the one before was."""
    session = project.sign_up(A)
    uid = session["localId"]
    for number, email in enumerate((B, C, D), 1):
        session = project.mine(session, email=email)
        record = project.user(uid)
        assert (record["email"], record["initialEmail"]) == (email, A)
        assert [(one["requestType"], one["email"]) for one in project.pending()] == [
            ("RECOVER_EMAIL", A)] * number
    project.call("update", {"oobCode": project.pending()[0]["oobCode"]})
    record = project.user(uid)
    assert (record["email"], record["initialEmail"]) == (A, A)
    assert len(project.pending()) == 2


def test_a_change_back_to_the_first_address_offers_to_recover_it_too(project):
    session = project.sign_up(A)
    session = project.mine(session, email=B)
    project.mine(session, email=A)
    assert [one["email"] for one in project.pending()] == [A, A]


def test_who_has_no_address_has_none_to_recover(project):
    session = project.sign_up(A)
    project.mine(session, deleteAttribute=["EMAIL"])
    project.mine(session, email=B)
    assert "initialEmail" not in project.user(session["localId"]) and project.pending() == []


def test_the_first_address_outlives_the_address(project):
    """`initialEmail` is never removed, and every change offers to recover it."""
    uid = project.make(email=A)
    project.change(uid, email=B)
    project.change(uid, deleteAttribute=["EMAIL"])
    assert project.user(uid)["initialEmail"] == A
    project.change(uid, email=C)
    assert [one["email"] for one in project.pending()] == [A, A]
    assert project.user(uid)["initialEmail"] == A


def test_an_initial_address_is_found(project):
    """Behind all others, and by administrators."""
    uid = project.make(email=A)
    other = project.make(email=C)
    project.change(uid, email=B)
    assert project.find(initialEmail=[A.upper(), C], localId=[other]) == [other, uid]
    assert project.find(initialEmail=[]) == project.find(initialEmail=[B]) == []


def test_an_administrator_changes_an_address(project):
    """No tokens, but an end to older ones, and a code for the first address."""
    session = project.verified(A)
    project.advance("PT10M")
    now = freeze(project)
    answer = project.change(session["localId"], email=B)
    assert not TOKENS & answer.keys()
    assert (answer["email"], answer["newEmail"], answer["emailVerified"]) == (B, B, False)
    assert answer["passwordHash"] != REDACTED
    record = project.user(session["localId"])
    assert (record["initialEmail"], record["validSince"]) == (A, str(now // 1000))
    assert [one["email"] for one in project.pending()] == [A]
    assert project.error("lookup", {"idToken": session["idToken"]}) == "TOKEN_EXPIRED"


def test_an_administrators_verified_wins(project):
    uid = project.make(email=A)
    answer = project.change(uid, email=B, emailVerified=True)
    assert answer["emailVerified"] is True is project.user(uid)["emailVerified"]


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
def test_a_first_address_has_nothing_to_recover(project, admin):
    """An anonymous user stays anonymous."""
    session = project.call("signUp", {})
    if admin:
        answer = project.change(session["localId"], email=A)
        assert not TOKENS & answer.keys()
    else:
        answer = project.mine(session, email=A)
        content = token_block(answer)
        assert content["firebase"]["sign_in_provider"] == content["provider_id"] == "anonymous"
        assert content["email"] == A
    assert answer["emailVerified"] is False
    record = project.user(session["localId"])
    assert "initialEmail" not in record and record["validSince"]
    assert project.pending() == []
    assert record.get("providerUserInfo", []) == []


def test_an_anonymous_users_second_address_has_nothing_to_recover(project):
    session = project.call("signUp", {})
    session = project.mine(session, email=A)
    session = project.mine(session, email=B)
    assert claims(session)["firebase"]["sign_in_provider"] == "anonymous"
    assert "initialEmail" not in project.user(session["localId"])
    assert project.pending() == []


def test_an_anonymous_token_offers_nothing_though_there_is_a_first_address(project):
    uid = project.call("signUp", {})["localId"]
    project.change(uid, email=A)
    project.change(uid, email=B)
    assert len(project.pending()) == 1 and project.user(uid)["initialEmail"] == A
    project.call("update", {"idToken": fresh({"localId": uid}), "email": C})
    assert len(project.pending()) == 1 and project.user(uid)["email"] == C


@pytest.mark.parametrize("provider", ["password", "google.com", "custom", "phone", "saml.x"])
def test_tokens_keep_their_provider(project, provider):
    uid = project.make(email=A)
    for change in ({"email": B}, {"validSince": "1"}):
        answer = project.call("update", {
            "idToken": token(uid, sign_in_provider=provider), **change})
        assert token_block(answer)["firebase"]["sign_in_provider"] == provider


def test_enumeration_protection_does_not_forbid_a_change_of_address(project):
    project.configure("emailPrivacyConfig", **PRIVATE)
    session = project.sign_up(A)
    project.make(email=B)
    assert project.mine(session, 400, email=B)["error"]["message"] == "EMAIL_EXISTS"
    assert project.mine(session, email=C)["email"] == C


# MARK: 2.7, steps 15 to 17: the password

@UPDATES
def test_a_user_changes_their_password(project, path):
    session = project.sign_up(A)
    before = project.user(session["localId"])
    project.advance("PT10M")
    now = freeze(project)
    answer = project.post(path, {"idToken": session["idToken"], "password": "Secret 2"})
    assert answer.keys() == {"kind", "localId", "emailVerified", "email", "providerUserInfo",
                             "passwordHash"} | TOKENS
    assert token_block(answer)["firebase"]["sign_in_provider"] == "password"
    after = project.user(session["localId"])
    assert after["passwordUpdatedAt"] == now and after["validSince"] == str(now // 1000)
    assert after["passwordHash"] != before["passwordHash"] and after["salt"] != before["salt"]
    only(before, after, "passwordUpdatedAt", "validSince", "passwordHash", "salt",
         "lastRefreshAt")
    assert project.error("lookup", {"idToken": session["idToken"]}) == "TOKEN_EXPIRED"
    project.sign_in(A, password="Secret 2")


@UPDATES
def test_an_administrator_sets_a_password(project, path):
    """With tokens, of the provider `password`."""
    uid = project.make(email=A)
    answer = project.owner("POST", path, json={
        "localId": uid, "password": "secret2", "targetProjectId": project.id})
    assert token_block(answer)["firebase"]["sign_in_provider"] == "password"
    record = project.user(uid)
    assert record["lastRefreshAt"] and entries(record) == ["password"]
    assert answer["passwordHash"] == record["passwordHash"]


def test_tokens_come_for_a_disabled_user_too(project):
    """As for every password that an administrator sets."""
    uid = project.make(email=A)
    token_block(project.change(uid, password="secret2", disableUser=True))
    assert project.user(uid)["disabled"] is True


def test_an_unchanged_address_beside_a_new_password(project):
    session = project.verified(A)
    answer = project.mine(session, email=A.upper(), password="secret2")
    assert token_block(answer)["email_verified"] is True
    assert (answer["newEmail"], answer["emailVerified"]) == (A, True)
    assert project.pending() == []


def test_an_anonymous_user_sets_a_password(project):
    """Which makes the provider `password`, even without an address."""
    session = project.call("signUp", {})
    answer = project.mine(session, password="secret1")
    content = token_block(answer)
    assert content["firebase"]["sign_in_provider"] == "password"
    assert "provider_id" not in content
    assert "email" not in answer and answer.get("providerUserInfo", []) == []
    project.mine(answer, email=A)
    assert project.sign_in(A)["localId"] == session["localId"]


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize("password, good", [
    ("short", False), ("\U0001f600\U0001f600a", False), ("\U0001f600" * 3, True),
    ("x" * 2000, True), ("ä" * 5, False)], ids=["short", "two emoji", "three emoji", "long",
                                                "umlauts"])
def test_passwords(project, admin, password, good):
    session = project.sign_up(A)
    body = {"localId": session["localId"]} if admin else {"idToken": session["idToken"]}
    body["password"] = password
    if good:
        answer = project.admin("/accounts:update", body) if admin else project.call("update", body)
        assert TOKENS <= answer.keys()
        project.sign_in(A, password=password)
        return
    message = (project.admin_error("/accounts:update", body) if admin
               else project.error("update", body))
    assert message == WEAK
    project.sign_in(A)


@pytest.mark.parametrize("given", ["1", 1, "abc", "99999999999", 0], ids=ascii)
def test_a_users_valid_since_is_now(project, given):
    """Whatever they send; with tokens of the same provider."""
    session = project.sign_up(A)
    project.advance("PT10M")
    now = freeze(project)
    answer = project.mine(session, validSince=given)
    assert answer.keys() >= TOKENS and "newEmail" not in answer
    assert token_block(answer)["firebase"]["sign_in_provider"] == "password"
    assert project.user(session["localId"])["validSince"] == str(now // 1000)
    assert project.error("lookup", {"idToken": session["idToken"]}) == "TOKEN_EXPIRED"
    project.call("lookup", {"idToken": answer["idToken"]})


@pytest.mark.parametrize("given", ["1", 1, "abc", "99999999999", 0], ids=ascii)
def test_an_administrators_valid_since_is_what_they_send(project, given):
    """Its digits are not verified; no tokens."""
    uid = project.make(email=A, password="secret1")
    answer = project.change(uid, validSince=given)
    assert not TOKENS & answer.keys()
    assert project.user(uid)["validSince"] == str(given)


@pytest.mark.parametrize(
    "change", [{"password": "secret2"}, {"email": B}], ids=["password", "email"])
def test_an_administrators_valid_since_wins(project, change):
    uid = project.make(email=A, password="secret1")
    project.change(uid, validSince="12", **change)
    assert project.user(uid)["validSince"] == "12"


@pytest.mark.parametrize("change", [{"email": B}, {"validSince": "1"}], ids=["email", "validSince"])
def test_an_administrator_with_a_token_gets_tokens(project, change):
    """A sign-in provider is known then."""
    session = project.sign_up(A)
    answer = project.change(session["localId"], idToken=session["idToken"], **change)
    assert token_block(answer)["firebase"]["sign_in_provider"] == "password"


# MARK: 2.7, step 18: second factors

def factor(id: str | None = "a", phone: str | None = PHONE, **more) -> dict:
    given = {"mfaEnrollmentId": id, "phoneInfo": phone, **more}
    return {name: value for name, value in given.items() if value is not None}


def stored(id: str = "a", phone: str = PHONE, **more) -> dict:
    return {"mfaEnrollmentId": id, "phoneInfo": phone, "unobfuscatedPhoneInfo": phone, **more}


BAD_PHONE = "INVALID_MFA_PHONE_NUMBER : Invalid format."
NO_FACTOR_ID = "INVALID_MFA_ENROLLMENT_ID : mfaEnrollmentId must be defined."
FACTORS = {
    "one": ([factor()], [stored()]),
    "named": ([factor(displayName="Mine")], [stored(displayName="Mine")]),
    "any time": ([factor(enrolledAt="x")], [stored(enrolledAt="x")]),
    "a time": ([factor(enrolledAt="2020-01-01T00:00:00Z")],
               [stored(enrolledAt="2020-01-01T00:00:00Z")]),
    "another plain number": ([factor(unobfuscatedPhoneInfo="+9")], [stored()]),
    "two": ([factor(), factor("b", OTHER_PHONE)], [stored(), stored("b", OTHER_PHONE)]),
    "twice": ([factor(), factor("b")], [stored()]),
    "twice without an id": ([factor(), factor(None)], [stored()]),
    "twice with the same id": ([factor(), factor()], [stored()]),
    "only a plus": ([factor(phone="+")], [stored(phone="+")]),
    "empty list": ([], None),
    "no number": ([factor(phone=None)], BAD_PHONE), "empty number": ([factor(phone="")], BAD_PHONE),
    "bad number": ([factor(phone="1")], BAD_PHONE),
    "bad second number": ([factor(), factor("b", "1")], BAD_PHONE),
    "neither number nor id": ([{}], BAD_PHONE),
    "an app": ([{"mfaEnrollmentId": "a", "totpInfo": {}}], BAD_PHONE),
    "a mail": ([{"mfaEnrollmentId": "a", "emailInfo": {"emailAddress": A}}], BAD_PHONE),
    "no id": ([factor(None)], NO_FACTOR_ID), "empty id": ([factor("")], NO_FACTOR_ID),
    "no second id": ([factor(), factor(None, OTHER_PHONE)], NO_FACTOR_ID),
    "one id for two numbers": ([factor(), factor("a", OTHER_PHONE)],
                               "DUPLICATE_MFA_ENROLLMENT_ID"),
}


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize("given, expected", FACTORS.values(), ids=FACTORS)
def test_factors(project, admin, given, expected):
    """They replace all that were; a user needs no more rights than an administrator."""
    session = project.sign_up(A, mfaInfo=[{"phoneInfo": "+1999"}])
    before = project.user(session["localId"])
    body = {"localId": session["localId"]} if admin else {"idToken": session["idToken"]}
    body["mfa"] = {"enrollments": given}
    if isinstance(expected, str):
        message = (project.admin_error("/accounts:update", body) if admin
                   else project.error("update", body))
        assert message == expected
        assert project.user(session["localId"]) == before
    else:
        answer = (project.admin("/accounts:update", body) if admin
                  else project.call("update", body))
        assert "mfaInfo" not in answer and not TOKENS & answer.keys()
        after = project.user(session["localId"])
        assert after.get("mfaInfo") == expected
        only(before, after, "mfaInfo")


@pytest.mark.parametrize("mfa", [{}, {"enrollments": []}, {"unknown": 1}])
def test_no_factors_left(project, mfa):
    session = project.sign_up(A, mfaInfo=[{"phoneInfo": PHONE}])
    project.mine(session, mfa=mfa)
    assert "mfaInfo" not in project.user(session["localId"])
    assert TOKENS <= project.sign_in(A).keys()


def test_ids_of_factors_are_a_users_own(project):
    for email in (A, B):
        uid = project.make(email=email)
        project.change(uid, mfa={"enrollments": [factor()]})
        assert project.user(uid)["mfaInfo"] == [stored()]


def test_a_factor_that_was_set_is_asked_for(project):
    session = project.sign_up(A)
    project.mine(session, mfa={"enrollments": [factor()]})
    [asked] = project.sign_in(A)["mfaInfo"]
    assert asked == {"mfaEnrollmentId": "a", "phoneInfo": "+*******0100"}


# MARK: 2.7, steps 19 and 20: disabling, phone numbers

def test_an_administrator_disables_and_enables(project):
    session = project.sign_up(A)
    uid = session["localId"]
    assert "disabled" not in project.user(uid)
    for value in (True, False):
        answer = project.change(uid, disableUser=value)
        assert "disabled" not in answer and not TOKENS & answer.keys()
        assert project.user(uid)["disabled"] is value
        if value:
            assert project.error("lookup", {"idToken": session["idToken"]}) == "USER_DISABLED"
    project.call("lookup", {"idToken": session["idToken"]})


def test_a_user_cannot_be_disabled_beside_a_code(project):
    uid = project.make(email=A)
    project.call("update", {"oobCode": project.oob("VERIFY_EMAIL"), "disableUser": True})
    assert "disabled" not in project.user(uid)


@pytest.mark.parametrize("phone", [OTHER_PHONE, "+", "+x"])
def test_an_administrator_sets_a_number(project, phone):
    uid = project.make(phoneNumber=PHONE)
    answer = project.change(uid, phoneNumber=phone)
    entry = {"providerId": "phone", "phoneNumber": phone, "rawId": phone}
    assert answer["providerUserInfo"] == [entry] and not TOKENS & answer.keys()
    record = project.user(uid)
    assert record["phoneNumber"] == phone and record["providerUserInfo"] == [entry]


@pytest.mark.parametrize("phone, message", [
    ("1", "INVALID_PHONE_NUMBER : Invalid format."),
    (" +1", "INVALID_PHONE_NUMBER : Invalid format."), (OTHER_PHONE, "PHONE_NUMBER_EXISTS")])
def test_numbers_that_are_refused(project, phone, message):
    uid = project.make(phoneNumber=PHONE)
    project.make(phoneNumber=OTHER_PHONE)
    assert project.refused(uid, phoneNumber=phone) == message
    assert project.user(uid)["phoneNumber"] == PHONE


@pytest.mark.parametrize("phone", ["", PHONE])
def test_numbers_that_change_nothing(project, phone):
    uid = project.make(phoneNumber=PHONE)
    before = project.user(uid)
    project.change(uid, phoneNumber=phone)
    assert project.user(uid) == before


# MARK: 2.7, steps 21 and 22: profile, what administrators store

@UPDATES
@pytest.mark.parametrize("change", [
    {"displayName": "Ann"}, {"photoUrl": "u"}, {"displayName": "Ann", "photoUrl": "u"}],
    ids=["name", "picture", "both"])
def test_a_profile(project, path, change):
    """No tokens; the entry of the password follows."""
    session = project.sign_up(A)
    before = project.user(session["localId"])
    answer = project.post(path, {"idToken": session["idToken"], **change})
    assert answer == {
        "kind": KIND, "localId": session["localId"], "email": A, "emailVerified": False,
        "passwordHash": REDACTED, "providerUserInfo": [password_entry(A, **change)], **change}
    after = project.user(session["localId"])
    assert change.items() <= after.items()
    only(before, after, "displayName", "photoUrl", "providerUserInfo")


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
def test_empty_texts_of_a_profile_are_stored(project, admin):
    session = project.sign_up(A, displayName="Ann")
    change = {"displayName": "", "photoUrl": ""}
    answer = (project.change(session["localId"], **change) if admin
              else project.mine(session, **change))
    assert (answer["displayName"], answer["photoUrl"]) == ("", "")
    record = project.user(session["localId"])
    assert (record["displayName"], record["photoUrl"]) == ("", "")
    content = claims(project.sign_in(A))
    assert (content["name"], content["picture"]) == ("", "")


@pytest.mark.parametrize("name, value", [
    ("emailVerified", True), ("emailVerified", False), ("createdAt", "12"), ("createdAt", "abc"),
    ("lastLoginAt", "12"), ("lastLoginAt", "abc"), ("validSince", "12"),
    ("customAttributes", '{"a":1}'), ("createdAt", ""), ("lastLoginAt", "")])
def test_what_an_administrator_stores(project, name, value):
    """As it comes."""
    uid = project.make(email=A)
    before = project.user(uid)
    answer = project.change(uid, **{name: value})
    assert not TOKENS & answer.keys()
    after = project.user(uid)
    assert after[name] == value
    only(before, after, name)


def test_an_administrator_verifies_where_there_is_no_address(project):
    uid = project.call("signUp", {})["localId"]
    assert project.change(uid, emailVerified=True)["emailVerified"] is True
    assert project.user(uid)["emailVerified"] is True


@UPDATES
def test_an_administrator_changes_nothing(project, path):
    uid = project.make(email=A, password="secret1", displayName="Ann", phoneNumber=PHONE)
    before = project.user(uid)
    answer = project.owner("POST", path, json={"localId": uid, "targetProjectId": project.id})
    assert answer == {
        "kind": KIND, "localId": uid, "emailVerified": False, "email": A, "displayName": "Ann",
        "passwordHash": before["passwordHash"], "providerUserInfo": before["providerUserInfo"]}
    assert project.user(uid) == before


def test_the_answer_about_a_bare_user(project):
    uid = project.call("signUp", {})["localId"]
    answer = project.change(uid, displayName="Ann")
    answer.pop("providerUserInfo", None)
    assert answer == {"kind": KIND, "localId": uid, "displayName": "Ann"}
    assert "providerUserInfo" not in project.user(uid)


# MARK: 2.7, steps 23 to 25: deleting

def everything(project) -> dict:
    """A session of a user who has it all."""
    uid = project.make(email=A, password="secret1", emailVerified=True, displayName="Ann",
                       photoUrl="u", phoneNumber=PHONE)
    project.change(uid, linkProviderUserInfo=GOOGLE)
    return project.call("signInWithEmailLink", {"email": A, "oobCode": project.oob("EMAIL_SIGNIN")})


ADDRESS = {"email", "emailVerified", "emailLinkSignin"}
DELETED = {
    "DISPLAY_NAME": ({"displayName"}, ["password", "phone", "google.com"]),
    "PHOTO_URL": ({"photoUrl"}, ["password", "phone", "google.com"]),
    "PASSWORD": ({"passwordHash", "salt"}, ["password", "phone", "google.com"]),
    "EMAIL": (ADDRESS, ["phone", "google.com"]),
    "USER_ATTRIBUTE_NAME_UNSPECIFIED": (set(), ["password", "phone", "google.com"]),
}


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize("form", ["name", "number"])
@pytest.mark.parametrize("attribute", DELETED)
def test_deleting_attributes(project, admin, form, attribute):
    """No tokens; `passwordUpdatedAt` and `validSince` stay."""
    index = {"EMAIL": 1, "DISPLAY_NAME": 2, "PHOTO_URL": 4, "PASSWORD": 5}.get(attribute, 0)
    gone, left = DELETED[attribute]
    session = everything(project)
    before = project.user(session["localId"])
    change = {"deleteAttribute": [attribute if form == "name" else index]}
    answer = (project.change(session["localId"], **change) if admin
              else project.mine(session, **change))
    assert not (TOKENS | gone) & answer.keys()
    after = project.user(session["localId"])
    assert not gone & after.keys()
    only(before, after, "providerUserInfo", *gone)
    assert entries(after) == left == entries(answer)
    project.call("lookup", {"idToken": session["idToken"]})


def test_a_password_without_a_link_takes_its_entry_along(project):
    """The list that becomes empty stays."""
    session = project.sign_up(A)
    answer = project.mine(session, deleteAttribute=["PASSWORD"])
    assert answer["providerUserInfo"] == [] and "passwordHash" not in answer
    record = project.user(session["localId"])
    assert record["providerUserInfo"] == [] and record["email"] == A
    assert record["passwordUpdatedAt"]
    assert project.error("signInWithPassword", {
        "email": A, "password": "secret1"}) == "INVALID_PASSWORD"


def test_a_deleted_address_is_free(project):
    session = project.sign_up(A)
    project.mine(session, deleteAttribute=["EMAIL"])
    assert project.find(email=[A]) == []
    project.make(email=A)


@pytest.mark.parametrize("attribute, change, name", [
    ("DISPLAY_NAME", {"displayName": "New"}, "displayName"),
    ("PHOTO_URL", {"photoUrl": "v"}, "photoUrl"),
    ("PASSWORD", {"password": "secret2"}, "passwordHash"), ("EMAIL", {"email": B}, "email")])
def test_deleting_wins_over_setting(project, attribute, change, name):
    session = project.sign_up(A, displayName="Old")
    answer = project.mine(session, deleteAttribute=[attribute], **change)
    assert name not in answer and name not in project.user(session["localId"])


@pytest.mark.parametrize("attribute", ["PROVIDER", "RAW_USER_INFO", 3, "6"], ids=str)
@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize("others", [[], ["EMAIL"]], ids=["alone", "behind another"])
def test_attributes_that_cannot_be_deleted(project, admin, attribute, others):
    session = project.sign_up(A)
    before = project.user(session["localId"])
    body = {"deleteAttribute": [*others, attribute]}
    if admin:
        error = project.admin("/accounts:update", {"localId": "nobody", **body}, 501)["error"]
    else:
        error = project.mine(session, 501, **body)["error"]
    check_error(error, 501)
    assert project.user(session["localId"]) == before


@pytest.mark.parametrize("attribute", ["email", "x", 7, -1, "7", None, True], ids=str)
def test_attributes_that_are_none(project, attribute):
    error = project.call("update", {
        "idToken": "x", "deleteAttribute": ["EMAIL", attribute]}, 400)["error"]
    assert error["status"] == "INVALID_ARGUMENT"
    rule = (
        "equal to one of the allowed values" if isinstance(attribute, str | int)
        and not isinstance(attribute, bool) else "string")
    assert error["message"] == (
        f"Invalid JSON payload received. /deleteAttribute/1 must be {rule}")


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize("given, gone, left", [
    (["password"], ADDRESS | {"passwordHash", "salt"}, ["phone", "google.com"]),
    (["phone"], {"phoneNumber"}, ["password", "google.com"]),
    (["google.com"], set(), ["password", "phone"]),
    (["google.com", "google.com"], set(), ["password", "phone"]),
    (["apple.com", "Google.com", ""], set(), ["password", "phone", "google.com"]),
    (["password", "phone", "google.com"],
     ADDRESS | {"passwordHash", "salt", "phoneNumber"}, []),
], ids=["password", "phone", "google", "twice", "unknown", "all"])
def test_deleting_providers(project, admin, given, gone, left):
    session = everything(project)
    before = project.user(session["localId"])
    change = {"deleteProvider": given}
    answer = (project.change(session["localId"], **change) if admin
              else project.mine(session, **change))
    assert not (TOKENS | gone) & answer.keys()
    after = project.user(session["localId"])
    assert not gone & after.keys() and after["passwordUpdatedAt"] == before["passwordUpdatedAt"]
    only(before, after, "providerUserInfo", *gone)
    assert entries(after) == left == entries(answer)
    found = project.find(federatedUserId=[GOOGLE])
    assert found == ([session["localId"]] if "google.com" in left else [])


def test_deleting_a_provider_wins_over_setting(project):
    uid = project.make(email=A, password="secret1")
    project.change(uid, phoneNumber=PHONE, deleteProvider=["phone"])
    assert "phoneNumber" not in project.user(uid)
    project.change(uid, email=B, password="secret2", deleteProvider=["password"])
    record = project.user(uid)
    assert not (ADDRESS | {"passwordHash", "salt"}) & record.keys()


@pytest.mark.parametrize("given", [[], ["unknown"], [""]])
def test_deleting_passkeys_that_are_not_there(project, given):
    session = project.sign_up(A)
    answer = project.mine(session, deletePasskey=given)
    assert not TOKENS & answer.keys()
    assert project.user(session["localId"]).get("passkeyInfo", []) == []


# MARK: 2.7, step 26: linking a provider

FULL = {**GOOGLE, "email": D, "displayName": "Ann", "photoUrl": "u", "phoneNumber": "1",
        "federatedId": "f", "screenName": "s"}


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize("link", [GOOGLE, FULL], ids=["least", "most"])
def test_linking_a_provider(project, admin, link):
    """As given, before the entries that are kept by the server; no tokens."""
    session = project.sign_up(A)
    before = project.user(session["localId"])
    change = {"linkProviderUserInfo": link}
    answer = (project.change(session["localId"], **change) if admin
              else project.mine(session, **change))
    expected = [password_entry(A), link]
    assert answer["providerUserInfo"] == expected and not TOKENS & answer.keys()
    after = project.user(session["localId"])
    assert after["providerUserInfo"] == expected
    only(before, after, "providerUserInfo")
    assert project.find(federatedUserId=[GOOGLE]) == [session["localId"]]
    assert claims(project.sign_in(A))["firebase"]["identities"] == {
        "email": [A], "google.com": ["g1"]}


def test_linking_a_provider_again_replaces_its_entry(project):
    """In its place."""
    uid = project.make(email=A)
    project.change(uid, linkProviderUserInfo=FULL)
    project.change(uid, linkProviderUserInfo=APPLE)
    again = {"providerId": "google.com", "rawId": "g2"}
    project.change(uid, linkProviderUserInfo=again)
    assert project.user(uid)["providerUserInfo"] == [again, APPLE]
    assert project.find(federatedUserId=[GOOGLE]) == []
    assert project.find(federatedUserId=[again]) == [uid]


def test_entries_of_one_write_have_an_order(project):
    """The one that is linked, then password, then phone."""
    uid = project.make(email=A)
    project.change(uid, password="secret1", phoneNumber=PHONE, linkProviderUserInfo=GOOGLE)
    assert entries(project.user(uid)) == ["google.com", "password", "phone"]


def test_a_provider_is_unlinked_before_it_is_linked(project):
    uid = project.make(email=A)
    project.change(uid, linkProviderUserInfo=GOOGLE)
    project.change(uid, linkProviderUserInfo=APPLE)
    project.change(uid, deleteProvider=["google.com"], linkProviderUserInfo=FULL)
    assert project.user(uid)["providerUserInfo"] == [APPLE, FULL]


def test_nobody_asks_who_has_a_provider_already(project):
    one, two = project.make(email=A), project.make(email=B)
    for uid in (one, two):
        project.change(uid, linkProviderUserInfo=GOOGLE)
        assert project.user(uid)["providerUserInfo"] == [GOOGLE]


@pytest.mark.parametrize("provider", ["password", "phone"])
def test_password_and_phone_cannot_be_linked(project, provider):
    """Their entries follow from the account."""
    uid = project.make()
    project.change(uid, linkProviderUserInfo={"providerId": provider, "rawId": A})
    assert project.user(uid)["providerUserInfo"] == []


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize("link, message", [
    ({}, "MISSING_PROVIDER_ID"), ({"providerId": ""}, "MISSING_PROVIDER_ID"),
    ({"rawId": "1"}, "MISSING_PROVIDER_ID"), ({"providerId": "google.com"}, "MISSING_RAW_ID"),
    ({"providerId": "google.com", "rawId": ""}, "MISSING_RAW_ID")])
def test_links_that_are_refused(project, admin, link, message):
    """Nothing is stored of what else was asked for."""
    session = project.sign_up(A)
    before = project.user(session["localId"])
    change = {"linkProviderUserInfo": link, "displayName": "Ann", "email": B,
              "password": "secret2", "deleteProvider": ["google.com"]}
    if admin:
        assert project.refused(session["localId"], **change) == message
    else:
        assert project.mine(session, 400, **change)["error"]["message"] == message
    assert project.user(session["localId"]) == before
    assert project.pending() == []


# MARK: 2.7, all of it at once

def test_everything_at_once(project):
    """An administrator's call in which each step has something to do."""
    uid = project.make(email=A, password="secret1", displayName="Old")
    now = freeze(project)
    answer = project.change(
        uid, email=B, emailVerified=True, password="secret2", photoUrl="u", phoneNumber=PHONE,
        mfa={"enrollments": [factor()]}, disableUser=False, createdAt="1", lastLoginAt="2000",
        validSince="3", customAttributes='{"a":1}', deleteAttribute=["DISPLAY_NAME"],
        deleteProvider=["apple.com"], linkProviderUserInfo=GOOGLE)
    assert answer.keys() == {
        "kind", "localId", "emailVerified", "providerUserInfo", "email", "photoUrl", "newEmail",
        "passwordHash"} | TOKENS
    record = project.user(uid)
    assert record == {
        "localId": uid, "email": B, "emailVerified": True, "initialEmail": A, "photoUrl": "u",
        "phoneNumber": PHONE, "mfaInfo": [stored()], "disabled": False, "createdAt": "1",
        "lastLoginAt": "2000", "validSince": "3", "customAttributes": '{"a":1}',
        "passwordUpdatedAt": now, "passwordHash": record["passwordHash"], "salt": record["salt"],
        "lastRefreshAt": record["lastRefreshAt"], "providerUserInfo": [
            password_entry(B, photoUrl="u"), GOOGLE,
            {"providerId": "phone", "phoneNumber": PHONE, "rawId": PHONE}]}
    content = token_block(answer)
    assert (content["a"], content["auth_time"], content["email"]) == (1, 2, B)
    assert content["firebase"] == {
        "identities": {"email": [B], "google.com": ["g1"], "phone": [PHONE]},
        "sign_in_provider": "password"}
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
