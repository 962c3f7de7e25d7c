"""Tokens, signing up and signing in with a password: auth-a 2.0 to 2.2, row by row."""

import base64
import json
import re

import pytest

from support.auth.project import check_error, claims
from support.steering import Steered, instant
from auth.protocol.test_check_order import hearth  # noqa: F401
from support.wire import V1, V3, decoded, no_null, unsigned, user_record

A, B = "a@example.com", "b@example.com"
PHONE, OTHER_PHONE = "+15555550100", "+15555550101"
TOKENS = {"idToken", "refreshToken", "expiresIn"}
REDACTED = "UkVEQUNURUQ="
OPEN = {"allowPasswordSignup": True, "enableEmailLinkSignin": True, "enableAnonymousUser": True}
PRIVATE = {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": True}}
WEAK = "WEAK_PASSWORD : Password should be at least 6 characters"


@pytest.fixture
def project(hearth) -> Steered:  # noqa: F811
    return Steered(hearth)


def freeze(project) -> int:
    """Stops the project's clock, and tells its milliseconds."""
    now = instant(project.clock(frozen=True)["now"])
    return round(now.timestamp() * 1000)


def token_block(answer: dict) -> dict:
    """2.0; answers the claims."""
    assert answer["expiresIn"] == "3600"
    assert type(answer["refreshToken"]) is str and answer["refreshToken"]
    header, content = decoded(answer["idToken"])
    assert (header["alg"], header["typ"]) == ("RS256", "JWT")
    assert content["exp"] - content["iat"] == 3600
    return content


def same_time(record: dict, name: str, milliseconds: int) -> None:
    assert record[name] == str(milliseconds), name


# MARK: 2.0, the token block

SIGN_INS = {
    "anonymous": lambda p: p.call("signUp", {}),
    "signUp": lambda p: p.sign_up(A),
    "signInWithPassword": lambda p: (p.sign_up(A), p.sign_in(A))[1],
    "link": lambda p: p.sign_up(A, idToken=p.call("signUp", {})["idToken"]),
    "update": lambda p: p.call(
        "update", {"idToken": p.sign_up(A)["idToken"], "password": "secret2"}),
    "admin update": lambda p: p.admin(
        "/accounts:update", {"localId": p.sign_up(A)["localId"], "password": "secret2"}),
    "signInWithEmailLink": lambda p: p.call("signInWithEmailLink", {
        "email": A, "oobCode": p.admin("/accounts:sendOobCode", {
            "requestType": "EMAIL_SIGNIN", "email": A, "returnOobLink": True})["oobCode"]}),
}


@pytest.mark.parametrize("way", SIGN_INS)
def test_the_token_block(project, way):
    """Issuing tokens sets `lastRefreshAt` to now, in ISO 8601 with milliseconds and Z."""
    now = freeze(project)
    answer = SIGN_INS[way](project)
    assert TOKENS <= answer.keys()
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


# MARK: 2.1, signing up anonymously

ANONYMOUS = {
    "nothing": {}, "returnSecureToken": {"returnSecureToken": True},
    "no tokens wanted": {"returnSecureToken": False},
    "text for returnSecureToken": {"returnSecureToken": "x"},
    "number for returnSecureToken": {"returnSecureToken": 7},
    "object for returnSecureToken": {"returnSecureToken": {"a": [1]}},
    "empty password": {"password": ""}, "empty idToken": {"idToken": ""},
    "empty localId": {"localId": ""}, "empty tenant": {"tenantId": ""},
    "profile": {"displayName": "Ann", "photoUrl": "http://localhost/a.png"},
    "what owners may set": {
        "emailVerified": True, "disabled": True, "phoneNumber": "not one"},
    "unknown": {"nothingKnown": None, "other": [None]},
    "ignored": {"captchaChallenge": "x", "captchaResponse": "x", "instanceId": "x",
                "clientType": "CLIENT_TYPE_IOS", "recaptchaVersion": "RECAPTCHA_ENTERPRISE"},
    "empty factors": {"mfaInfo": []},
}


@pytest.mark.parametrize("path", [V1 + "signUp", V3 + "signupNewUser"], ids=["v1", "v3"])
@pytest.mark.parametrize("given", ANONYMOUS.values(), ids=ANONYMOUS)
def test_anonymous(project, path, given):
    """Profile and rights are not stored, tokens come in any case."""
    now = freeze(project)
    answer = project.post(path, given)
    assert answer.keys() == {"kind", "localId"} | TOKENS
    assert answer["kind"] == "identitytoolkit#SignupNewUserResponse"
    assert re.fullmatch(r"[A-Za-z0-9]{28}", answer["localId"])
    content = token_block(answer)
    assert content["provider_id"] == content["firebase"]["sign_in_provider"] == "anonymous"
    assert content["firebase"]["identities"] == {}
    assert content["auth_time"] == now // 1000
    assert not {"email", "email_verified", "name", "picture", "phone_number"} & content.keys()
    record = project.user(answer["localId"])
    assert record.keys() == {"localId", "createdAt", "lastLoginAt", "lastRefreshAt"}
    same_time(record, "createdAt", now)
    same_time(record, "lastLoginAt", now)


def test_anonymous_with_factors(project):
    """Factors are stored, and tokens come all the same."""
    answer = project.call("signUp", {"mfaInfo": [{"phoneInfo": PHONE, "displayName": "Mine"}]})
    token_block(answer)
    [factor] = project.user(answer["localId"])["mfaInfo"]
    assert (factor["phoneInfo"], factor["displayName"]) == (PHONE, "Mine")


# MARK: 2.1, signing up with a password

PASSWORD_RECORD = {
    "localId", "email", "emailVerified", "passwordHash", "salt", "passwordUpdatedAt",
    "validSince", "createdAt", "lastLoginAt", "lastRefreshAt", "providerUserInfo"}


@pytest.mark.parametrize("path", [V1 + "signUp", V3 + "signupNewUser"], ids=["v1", "v3"])
@pytest.mark.parametrize("more, stored", [
    ({}, {}), ({"displayName": "Ann"}, {"displayName": "Ann"}),
    ({"photoUrl": "http://localhost/a.png"}, {}), ({"phoneNumber": PHONE}, {}),
    ({"phoneNumber": "not one"}, {}), ({"emailVerified": True}, {}), ({"disabled": True}, {}),
    ({"localId": ""}, {}), ({"returnSecureToken": False}, {}), ({"idToken": ""}, {}),
    ({"mfaInfo": []}, {}), ({"captchaResponse": "x", "clientType": 1}, {}),
], ids=["nothing", "displayName", "photoUrl", "phoneNumber", "bad phone", "verified", "disabled",
        "empty localId", "no tokens wanted", "empty idToken", "no factors", "captcha"])
def test_with_a_password(project, path, more, stored):
    now = freeze(project)
    answer = project.post(path, {"email": "Ann.B+c@Example.COM", "password": "secret1", **more})
    email = "ann.b+c@example.com"
    assert answer.keys() == {"kind", "localId", "email"} | TOKENS | stored.keys()
    assert answer["kind"] == "identitytoolkit#SignupNewUserResponse"
    assert answer["email"] == email
    assert re.fullmatch(r"[A-Za-z0-9]{28}", answer["localId"])
    content = token_block(answer)
    assert content["firebase"] == {
        "identities": {"email": [email]}, "sign_in_provider": "password"}
    assert (content["email"], content["email_verified"]) == (email, False)
    assert "provider_id" not in content and content.get("name") == stored.get("displayName")
    record = user_record(project.user(answer["localId"]))
    assert record.keys() == PASSWORD_RECORD | stored.keys()
    assert record["emailVerified"] is False
    assert type(record["passwordUpdatedAt"]) is int and record["passwordUpdatedAt"] == now
    same_time(record, "createdAt", now)
    same_time(record, "lastLoginAt", now)
    assert record["validSince"] == str(now // 1000)
    assert record["providerUserInfo"] == [{
        "providerId": "password", "email": email, "federatedId": email, "rawId": email,
        **stored}]
    assert "secret1" not in json.dumps(record)


@pytest.mark.parametrize("email", ["a@b", "a b@c", " @ ", "ü@ü.de", "a@b.", "1@2", "<a>@\"b\""])
def test_addresses_that_count(project, email):
    answer = project.sign_up(email)
    assert answer["email"] == email == project.user(answer["localId"])["email"]


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize("email", ["a", "@", "a@", "@b", "a@b@c", "a@@b", " ", "a.b", "@a@", "@@"])
def test_addresses_that_do_not_count(project, email, admin):
    body = {"email": email, "password": "secret1"}
    if admin:
        assert project.admin_error("/accounts", body) == "INVALID_EMAIL"
    else:
        assert project.error("signUp", body) == "INVALID_EMAIL"
    assert project.users() == []


@pytest.mark.parametrize("email", [
    pytest.param("a\u0301@b", id="before"),
    pytest.param("a@\u0301b", id="behind"),
])
def test_a_combining_mark_does_not_hide_the_sign(project, email):
    """There is exactly one @ and something on either side."""
    assert project.sign_up(email)["email"] == email


def test_a_combining_mark_does_not_hide_a_second_sign(project):
    assert project.error("signUp", {
        "email": "a@b@\u0301c", "password": "secret1"}) == "INVALID_EMAIL"


# Lengths count UTF-16 code units.
PASSWORDS = {
    "five": ("abcde", False), "six": ("abcdef", True), "five spaces": (" " * 5, False),
    "six spaces": (" " * 6, True), "three emoji": ("\U0001f600" * 3, True),
    "two emoji and one": ("\U0001f600" * 2 + "a", False),
    "five umlauts": ("\u00e4" * 5, False), "six umlauts": ("\u00e4" * 6, True),
    "three decomposed": ("a\u0308" * 3, True), "two decomposed": ("a\u0308" * 2, False),
    "a family": ("\U0001f468\u200d\U0001f469\u200d\U0001f467", True),
    "long": ("x" * 5000, True), "line ends": ("\r\n" * 3, True), "one": ("a", False),
}


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize("password, good", PASSWORDS.values(), ids=PASSWORDS)
def test_passwords(project, password, good, admin):
    body = {"email": A, "password": password}
    if good:
        project.admin("/accounts", body) if admin else project.call("signUp", body)
        assert project.call("signInWithPassword", body)["email"] == A
    else:
        message = (project.admin_error("/accounts", body) if admin
                   else project.error("signUp", body))
        assert message == WEAK and project.users() == []


@pytest.mark.parametrize("body, message", [
    ({"email": "", "password": ""}, "INVALID_EMAIL"), ({"email": ""}, "INVALID_EMAIL"),
    ({"email": A}, "MISSING_PASSWORD"), ({"email": A, "password": ""}, "MISSING_PASSWORD"),
    ({"password": "secret1"}, "MISSING_EMAIL"),
    ({"password": "secret1", "email": ""}, "MISSING_EMAIL"), ({"idToken": "x"}, "MISSING_EMAIL"),
    ({"idToken": "x", "email": ""}, "MISSING_EMAIL"),
    ({"idToken": "x", "email": A}, "MISSING_PASSWORD"),
    ({"localId": "x"}, "UNEXPECTED_PARAMETER : User ID"),
    ({"email": A, "password": "secret1", "localId": "x"}, "UNEXPECTED_PARAMETER : User ID"),
    ({"mfaInfo": [{}]}, "INVALID_MFA_PHONE_NUMBER : Invalid format."),
    ({"mfaInfo": [{"phoneInfo": ""}]}, "INVALID_MFA_PHONE_NUMBER : Invalid format."),
    ({"mfaInfo": [{"phoneInfo": PHONE}, {"phoneInfo": "1"}]},
     "INVALID_MFA_PHONE_NUMBER : Invalid format."),
    ({"mfaInfo": [{"phoneInfo": " +1"}]}, "INVALID_MFA_PHONE_NUMBER : Invalid format."),
])
def test_what_a_user_cannot_send(project, body, message):
    assert project.error("signUp", body) == message
    assert project.users() == []


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize("email", [A, A.upper(), "A@Example.com"])
def test_an_address_is_taken_once(project, email, admin):
    """In any case, and however weak the password."""
    project.sign_up(A)
    for password in ("secret2", "short"):
        body = {"email": email, "password": password}
        message = (project.admin_error("/accounts", body) if admin
                   else project.error("signUp", body))
        assert message == "EMAIL_EXISTS"
    [user] = project.users()
    assert user["email"] == A


def test_enumeration_protection_does_not_hide_that_an_address_is_taken(project):
    project.configure("emailPrivacyConfig", **PRIVATE)
    project.sign_up(A)
    assert project.error("signUp", {"email": A, "password": "secret1"}) == "EMAIL_EXISTS"


def test_factors_of_a_new_user(project):
    """Fresh ids, repeated numbers dropped; tokens without a second factor, but only here."""
    given = [{"phoneInfo": PHONE, "displayName": "One", "mfaEnrollmentId": "mine"},
             {"phoneInfo": OTHER_PHONE}, {"phoneInfo": PHONE, "displayName": "Two"}]
    answer = project.sign_up(A, mfaInfo=given)
    firebase = token_block(answer)["firebase"]
    assert not {"second_factor_identifier", "sign_in_second_factor"} & firebase.keys()
    factors = project.user(answer["localId"])["mfaInfo"]
    assert [factor["phoneInfo"] for factor in factors] == [PHONE, OTHER_PHONE]
    assert [factor["unobfuscatedPhoneInfo"] for factor in factors] == [PHONE, OTHER_PHONE]
    assert [factor.get("displayName") for factor in factors] == ["One", None]
    ids = {factor["mfaEnrollmentId"] for factor in factors}
    assert len(ids) == 2 and all(re.fullmatch(r"[A-Za-z0-9]{28}", one) for one in ids)
    assert "mfaPendingCredential" in project.sign_in(A)


# MARK: 2.1, administrators

ADMIN = {
    "nothing": ({}, {}),
    "not verified": ({"emailVerified": False}, {}),
    "verified": ({"emailVerified": True}, {"emailVerified": True}),
    "empty email": ({"email": ""}, {}),
    "empty password": ({"password": ""}, {}),
    "profile": ({"displayName": "Ann", "photoUrl": "u"}, {"displayName": "Ann", "photoUrl": "u"}),
    "disabled": ({"disabled": True}, {"disabled": True}),
    "not disabled": ({"disabled": False}, {}),
    "email": ({"email": "A@B.C"}, {"email": "a@b.c"}),
    "localId": ({"localId": "My id/1:ü"}, {"localId": "My id/1:ü"}),
    "email and localId": ({"localId": "x", "email": A}, {"localId": "x", "email": A}),
    "token is empty": ({"localId": "x", "idToken": ""}, {"localId": "x"}),
    "empty phone": ({"phoneNumber": ""}, {}),
    "ignored": ({"captchaChallenge": "x", "instanceId": "x", "clientType": "3",
                 "recaptchaVersion": 0, "returnSecureToken": True}, {}),
}


@pytest.mark.parametrize("place", ["project", "v1", "v3"])
@pytest.mark.parametrize("given, stored", ADMIN.values(), ids=ADMIN)
def test_an_administrator_makes_a_user(project, place, given, stored):
    """No tokens; `emailVerified` is stored even without an address, `lastLoginAt` is now."""
    now = freeze(project)
    if place == "project":
        answer = project.admin("/accounts", given)
    else:
        path = V1 + "signUp" if place == "v1" else V3 + "signupNewUser"
        answer = project.owner("POST", path, json={**given, "targetProjectId": project.id})
    shown = {name: stored[name] for name in ("displayName", "email") if name in stored}
    assert answer == {
        "kind": "identitytoolkit#SignupNewUserResponse", "localId": answer["localId"], **shown}
    if "localId" in stored:
        assert answer["localId"] == stored["localId"]
    else:
        assert re.fullmatch(r"[A-Za-z0-9]{28}", answer["localId"])
    [record] = project.users()
    assert record == {
        "localId": answer["localId"], "createdAt": str(now), "lastLoginAt": str(now),
        "emailVerified": False, **stored}


@pytest.mark.parametrize("email", [{}, {"email": A}], ids=["without email", "with email"])
def test_an_administrator_sets_a_password(project, email):
    now = freeze(project)
    answer = project.admin("/accounts", {"password": "secret1", **email})
    assert not TOKENS & answer.keys()
    record = project.user(answer["localId"])
    assert record["passwordUpdatedAt"] == now and record["validSince"] == str(now // 1000)
    assert record["passwordHash"] and record["salt"] and "lastRefreshAt" not in record
    assert ("providerUserInfo" in record and record["providerUserInfo"] != []) == bool(email)


@pytest.mark.parametrize("phone", [PHONE, "+", "+x", "+49 (30) 1"])
def test_numbers_that_an_administrator_can_set(project, phone):
    uid = project.admin("/accounts", {"phoneNumber": phone})["localId"]
    record = project.user(uid)
    assert record["phoneNumber"] == phone
    assert record["providerUserInfo"] == [
        {"providerId": "phone", "phoneNumber": phone, "rawId": phone}]
    assert project.admin_error("/accounts", {"phoneNumber": phone}) == "PHONE_NUMBER_EXISTS"


@pytest.mark.parametrize("body, message", [
    ({"localId": "used"}, "DUPLICATE_LOCAL_ID"),
    ({"localId": "x", "idToken": "x"}, "UNEXPECTED_PARAMETER : User ID"),
    ({"localId": "used", "idToken": "x"}, "UNEXPECTED_PARAMETER : User ID"),
    ({"phoneNumber": "1"}, "INVALID_PHONE_NUMBER : Invalid format."),
    ({"phoneNumber": " +1"}, "INVALID_PHONE_NUMBER : Invalid format."),
    ({"phoneNumber": PHONE}, "PHONE_NUMBER_EXISTS"),
    ({"email": "x"}, "INVALID_EMAIL"), ({"email": A.upper()}, "EMAIL_EXISTS"),
    ({"password": "short"}, WEAK), ({"idToken": "x"}, "INVALID_ID_TOKEN"),
    ({"mfaInfo": [{"phoneInfo": "1"}]}, "INVALID_MFA_PHONE_NUMBER : Invalid format."),
])
def test_what_an_administrator_cannot_do(project, body, message):
    project.admin("/accounts", {"localId": "used", "email": A, "phoneNumber": PHONE})
    assert project.admin_error("/accounts", body) == message
    assert len(project.users()) == 1


def test_an_administrator_sets_factors(project):
    uid = project.admin("/accounts", {"mfaInfo": [
        {"phoneInfo": PHONE}, {"phoneInfo": PHONE, "displayName": "x"}]})["localId"]
    [factor] = project.user(uid)["mfaInfo"]
    assert factor["phoneInfo"] == PHONE and "displayName" not in factor
    assert re.fullmatch(r"[A-Za-z0-9]{28}", factor["mfaEnrollmentId"])


# MARK: 2.1, linking

def linked(project, token: str, **more) -> dict:
    return project.call("signUp", {
        "idToken": token, "email": "New@Example.com", "password": "secret2", **more})


def fresh(session: dict) -> str:
    """A token of that user that has not expired."""
    return unsigned({"user_id": session["localId"], "iat": 4_000_000_000,
                     "firebase": {"sign_in_provider": "anonymous"}})


def test_an_anonymous_user_gets_a_password(project):
    now = freeze(project)
    first = project.call("signUp", {})
    project.advance("PT2H")
    answer = linked(project, fresh(first))
    assert answer.keys() == {"kind", "localId", "email"} | TOKENS
    assert answer["localId"] == first["localId"] and answer["email"] == "new@example.com"
    content = token_block(answer)
    assert content["firebase"]["sign_in_provider"] == "password"
    assert "provider_id" not in content
    [record] = project.users()
    later = now + 2 * 3600 * 1000
    same_time(record, "createdAt", now)
    same_time(record, "lastLoginAt", later)
    assert record["validSince"] == str(later // 1000) and record["passwordUpdatedAt"] == later
    assert record["email"] == "new@example.com" and record["emailVerified"] is False
    assert content["auth_time"] == later // 1000
    assert project.sign_in("new@example.com", password="secret2")["localId"] == first["localId"]


def test_linking_replaces_address_and_password(project):
    """Without an initial address, and without a mail to undo it."""
    first = project.sign_up(A)
    answer = linked(project, first["idToken"])
    assert answer["localId"] == first["localId"]
    [record] = project.users()
    assert record["email"] == "new@example.com" and "initialEmail" not in record
    assert [entry["rawId"] for entry in record["providerUserInfo"]] == ["new@example.com"]
    assert project.error("signInWithPassword", {"email": A, "password": "secret1"}) == (
        "EMAIL_NOT_FOUND")
    assert project.error("signInWithPassword", {
        "email": "new@example.com", "password": "secret1"}) == "INVALID_PASSWORD"
    assert project.request("GET", f"{project.control}/oobCodes") == {"oobCodes": []}
    assert project.messages() == []


@pytest.mark.parametrize("more, name", [({}, None), ({"displayName": "New"}, "New")],
                         ids=["absent", "given"])
def test_linking_replaces_the_name_and_keeps_the_picture(project, more, name):
    session = project.sign_up(A)
    project.call("update", {
        "idToken": session["idToken"], "displayName": "Old", "photoUrl": "u"})
    answer = linked(project, session["idToken"], photoUrl="v", **more)
    assert answer.get("displayName") == name
    [record] = project.users()
    assert record.get("displayName") == name and record["photoUrl"] == "u"
    content = claims(answer)
    assert content.get("name") == name and content["picture"] == "u"


def test_linking_makes_an_address_unverified(project):
    session = project.verified(A)
    linked(project, session["idToken"])
    assert project.user(session["localId"])["emailVerified"] is False


def test_linking_ends_older_tokens(project):
    session = project.call("signUp", {})
    project.advance("PT1M")
    linked(project, session["idToken"])
    assert project.error("lookup", {"idToken": session["idToken"]}) == "TOKEN_EXPIRED"


def test_linking_with_factors(project):
    session = project.call("signUp", {})
    answer = linked(project, session["idToken"], mfaInfo=[{"phoneInfo": PHONE}])
    token_block(answer)
    [factor] = project.user(session["localId"])["mfaInfo"]
    assert factor["phoneInfo"] == PHONE


def test_linking_keeps_factors_and_still_gives_tokens(project):
    session = project.sign_up(A, mfaInfo=[{"phoneInfo": PHONE}])
    token_block(linked(project, session["idToken"]))
    assert len(project.user(session["localId"])["mfaInfo"]) == 1


def test_linking_ones_own_address_is_refused(project):
    session = project.sign_up(A)
    assert project.error("signUp", {
        "idToken": session["idToken"], "email": A, "password": "secret2"}) == "EMAIL_EXISTS"


def test_linking_in_the_old_name(project):
    session = project.call("signUp", {})
    answer = project.post(V3 + "signupNewUser", {
        "id_token": session["idToken"], "email": A, "password": "secret1"})
    assert answer["localId"] == session["localId"]


def test_an_administrator_links(project):
    """No tokens; name and picture that are not given are gone, the address is unverified."""
    session = project.sign_up(A, displayName="Old")
    project.call("update", {"idToken": session["idToken"], "photoUrl": "u"})
    now = freeze(project)
    answer = project.admin("/accounts", {"idToken": session["idToken"], "email": B})
    assert answer == {"kind": "identitytoolkit#SignupNewUserResponse",
                      "localId": session["localId"], "email": B}
    [record] = project.users()
    assert not {"displayName", "photoUrl", "initialEmail"} & record.keys()
    assert (record["email"], record["emailVerified"]) == (B, False)
    same_time(record, "lastLoginAt", now)


def test_an_administrator_links_all(project):
    session = project.call("signUp", {})
    project.admin("/accounts", {
        "idToken": session["idToken"], "localId": "", "displayName": "Ann", "photoUrl": "u",
        "emailVerified": True, "disabled": True, "phoneNumber": PHONE, "password": "secret1",
        "mfaInfo": [{"phoneInfo": OTHER_PHONE}]})
    [record] = project.users()
    assert record["localId"] == session["localId"]
    expected = {"displayName": "Ann", "photoUrl": "u", "emailVerified": True, "disabled": True,
                "phoneNumber": PHONE}
    assert expected.items() <= record.items() and len(record["mfaInfo"]) == 1


# MARK: 2.1, tenants

@pytest.mark.parametrize("body", [{}, {"email": A, "password": "secret1"}],
                         ids=["anonymous", "password"])
def test_a_user_of_a_tenant(project, body):
    tenant = project.tenant(**OPEN)
    answer = project.call("signUp", {**body, "tenantId": tenant})
    assert claims(answer)["firebase"]["tenant"] == tenant
    record = project.user(answer["localId"], tenant=tenant)
    assert record["tenantId"] == tenant
    assert project.users() == []


def test_an_administrator_makes_a_user_of_a_tenant_that_allows_nothing(project):
    """What users may do does not bind administrators."""
    tenant = project.tenant()
    uid = project.admin("/accounts", {"email": A, "password": "secret1"}, tenant=tenant)["localId"]
    assert project.user(uid, tenant=tenant)["tenantId"] == tenant
    other = project.admin("/accounts", {"tenantId": tenant})["localId"]
    assert project.user(other, tenant=tenant)["tenantId"] == tenant


def test_a_tenants_names_are_its_own(project):
    tenant = project.tenant(**OPEN)
    for scope in (None, tenant):
        project.admin("/accounts", {
            "localId": "one", "email": A, "phoneNumber": PHONE}, tenant=scope)
        assert project.admin_error(
            "/accounts", {"localId": "one"}, tenant=scope) == "DUPLICATE_LOCAL_ID"
        assert project.admin_error(
            "/accounts", {"email": A}, tenant=scope) == "EMAIL_EXISTS"
        assert project.admin_error(
            "/accounts", {"phoneNumber": PHONE}, tenant=scope) == "PHONE_NUMBER_EXISTS"


# MARK: 2.2, signing in with a password

SIGN_IN_BODIES = {
    "plain": {}, "no tokens wanted": {"returnSecureToken": False},
    "in capitals": {"email": A.upper()},
    "ignored": {"delegatedProjectNumber": 12, "instanceId": "x", "clientType": "CLIENT_TYPE_WEB",
                "recaptchaVersion": "1"},
    "empty where nothing may be": {
        "captchaChallenge": "", "captchaResponse": "", "idToken": "", "pendingIdToken": ""},
}


@pytest.mark.parametrize("path", [V1 + "signInWithPassword", V3 + "verifyPassword"],
                         ids=["v1", "v3"])
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
        n: v for n, v in before.items() if n not in changed}


def test_signing_in_as_the_owner(project):
    """An administrator's call answers with tokens too."""
    project.sign_up(A)
    token_block(project.owner("POST", V1 + "signInWithPassword", json={
        "email": A, "password": "secret1", "targetProjectId": project.id}))


@pytest.mark.parametrize("body, message", [
    ({}, "MISSING_EMAIL"), ({"password": "secret1"}, "MISSING_EMAIL"),
    ({"email": ""}, "INVALID_EMAIL"), ({"email": "x"}, "INVALID_EMAIL"),
    ({"email": "a@b@c"}, "INVALID_EMAIL"), ({"email": A}, "MISSING_PASSWORD"),
    ({"email": A, "password": ""}, "MISSING_PASSWORD"),
    ({"email": B, "password": "secret1"}, "EMAIL_NOT_FOUND"),
    ({"email": A, "password": "Secret1"}, "INVALID_PASSWORD"),
    ({"email": A, "password": "secret1 "}, "INVALID_PASSWORD"),
    ({"email": A, "password": "x"}, "INVALID_PASSWORD"),
])
def test_who_cannot_sign_in(project, body, message):
    """The length of the password does not matter here."""
    uid = project.sign_up(A)["localId"]
    before = project.user(uid)
    assert project.error("signInWithPassword", body) == message
    assert project.user(uid) == before


@pytest.mark.parametrize("name", [
    "captchaChallenge", "captchaResponse", "idToken", "pendingIdToken"])
def test_what_signing_in_does_not_know(project, name):
    project.sign_up(A)
    error = project.call("signInWithPassword", {
        "email": A, "password": "secret1", name: "x"}, 501)["error"]
    check_error(error, 501)


def test_passwords_are_compared_as_texts(project):
    """Two ways to write an accent are two passwords."""
    project.sign_up(A, password="\u00e4\u00e4\u00e4\u00e4\u00e4\u00e4")
    assert project.error("signInWithPassword", {
        "email": A, "password": "a\u0308" * 6}) == "INVALID_PASSWORD"


def test_addresses_are_compared_as_texts(project):
    """Two ways to write an accent are two addresses."""
    project.sign_up("\u00e4@example.com")
    other = "a\u0308@example.com"
    assert project.error("signInWithPassword", {
        "email": other, "password": "secret1"}) == "EMAIL_NOT_FOUND"
    assert project.sign_up(other)["email"] == other


def test_an_address_does_not_end_at_a_nul(project):
    project.sign_up(A)
    assert project.error("signInWithPassword", {
        "email": A + "\0x", "password": "secret1"}) == "EMAIL_NOT_FOUND"
    assert project.sign_up(A + "\0y")["email"] == A + "\0y"


@pytest.mark.parametrize("name, value", [("localId", "one"), ("phoneNumber", PHONE)])
def test_ids_and_numbers_do_not_end_at_a_nul(project, name, value):
    project.admin("/accounts", {name: value})
    project.admin("/accounts", {name: value + "\0x"})
    assert len(project.users()) == 2


def test_a_password_does_not_end_at_a_nul(project):
    project.sign_up(A, password="secret\0" + "1")
    assert project.error("signInWithPassword", {
        "email": A, "password": "secret\0" + "2"}) == "INVALID_PASSWORD"
    project.sign_in(A, password="secret\0" + "1")


@pytest.mark.parametrize("private", [False, True], ids=["open", "private"])
@pytest.mark.parametrize("tenant", [False, True], ids=["project", "tenant"])
@pytest.mark.parametrize("user, password, messages", [
    (None, "secret1", ("EMAIL_NOT_FOUND", "INVALID_LOGIN_CREDENTIALS")),
    ({"password": "secret1"}, "secret2", ("INVALID_PASSWORD", "INVALID_LOGIN_CREDENTIALS")),
    ({}, "secret1", ("INVALID_PASSWORD", "INVALID_LOGIN_CREDENTIALS")),
    ({"password": "secret1", "disabled": True}, "secret2", ("USER_DISABLED", "USER_DISABLED")),
    ({"password": "secret1", "disabled": True}, "secret1", ("USER_DISABLED", "USER_DISABLED")),
    ({"disabled": True}, "secret1", ("USER_DISABLED", "USER_DISABLED")),
], ids=["unknown", "wrong", "without password", "disabled and wrong", "disabled and right",
        "disabled and without password"])
def test_enumeration_protection(project, private, tenant, user, password, messages):
    """A tenant follows its project. A disabled user shows before the password is looked at."""
    scope = project.tenant(**OPEN) if tenant else None
    if private:
        project.configure("emailPrivacyConfig", **PRIVATE)
    if user is not None:
        project.admin("/accounts", {"email": A, **user}, tenant=scope)
    body = {"email": A, "password": password, **({"tenantId": scope} if scope else {})}
    assert project.error("signInWithPassword", body) == messages[private]


@pytest.mark.parametrize("body, message", [
    ({}, "MISSING_EMAIL"), ({"email": "x"}, "INVALID_EMAIL"), ({"email": A}, "MISSING_PASSWORD")])
def test_enumeration_protection_does_not_hide_bad_requests(project, body, message):
    project.configure("emailPrivacyConfig", **PRIVATE)
    assert project.error("signInWithPassword", body) == message


@pytest.mark.parametrize("phone, shown", [
    ("+15555550100", "+*******0100"), ("+1 (555) 555-0100", "+* (***) ***-0100"),
    ("+123", "+123"), ("+1234", "+1234"), ("+12345", "+*2345"), ("+", "+"),
    ("+1a2b3c4d5", "+*a2b3c4d5"),
    ("+9\u03018\u20e31234", "+*\u0301*\u20e31234"),
], ids=["plain", "with signs", "three digits", "four digits", "five digits", "none", "letters",
        "combining marks"])
def test_a_second_factor_is_asked_for(project, phone, shown):
    """No tokens, the time of the sign-in stays, the number shows its last four digits."""
    uid = project.sign_up(A, mfaInfo=[{"phoneInfo": phone, "displayName": "Mine"}])["localId"]
    before = project.user(uid)
    project.advance("PT2H")
    answer = project.sign_in(A)
    assert answer.keys() == {
        "kind", "registered", "localId", "email", "mfaPendingCredential", "mfaInfo"}
    assert answer["kind"] == "identitytoolkit#VerifyPasswordResponse"
    assert (answer["registered"], answer["localId"], answer["email"]) == (True, uid, A)
    [factor] = answer["mfaInfo"]
    [stored] = before["mfaInfo"]
    assert factor == {
        "displayName": "Mine", "mfaEnrollmentId": stored["mfaEnrollmentId"], "phoneInfo": shown,
        **{name: stored[name] for name in ("enrolledAt",) if name in stored}}
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
    assert TOKENS <= project.sign_in(A, tenantId=tenant).keys()


@pytest.mark.parametrize("state", ["ENABLED", "MANDATORY"])
def test_a_tenant_with_second_factors_asks(project, state):
    tenant = project.tenant(**OPEN, mfaConfig={"state": state, "enabledProviders": ["PHONE_SMS"]})
    project.sign_up(A, tenantId=tenant, mfaInfo=[{"phoneInfo": PHONE}])
    assert "mfaPendingCredential" in project.sign_in(A, tenantId=tenant)


@pytest.mark.parametrize("body, message", [
    ({"password": "secret2"}, "INVALID_PASSWORD"), ({"captchaResponse": "x"}, None)])
def test_a_wrong_password_comes_before_the_second_factor(project, body, message):
    project.sign_up(A, mfaInfo=[{"phoneInfo": PHONE}])
    error = project.call("signInWithPassword", {"email": A, "password": "secret1", **body},
                         400 if message else 501)["error"]
    assert message is None or error["message"] == message


def test_a_tenants_user_is_not_the_projects(project):
    tenant = project.tenant(**OPEN)
    session = project.sign_up(A, tenantId=tenant)
    answer = project.sign_in(A, tenantId=tenant)
    assert answer["localId"] == session["localId"]
    assert claims(answer)["firebase"]["tenant"] == tenant
    assert project.error(
        "signInWithPassword", {"email": A, "password": "secret1"}) == "EMAIL_NOT_FOUND"


def test_what_users_see_of_a_password(project):
    """Clients see a redacted hash and no salt, administrators a hash that does not tell."""
    session = project.sign_up(A)
    [seen] = project.call("lookup", {"idToken": session["idToken"]})["users"]
    assert seen["passwordHash"] == REDACTED and "salt" not in seen
    record = project.user(session["localId"])
    assert record["passwordHash"] != REDACTED and "secret1" not in json.dumps(record)
