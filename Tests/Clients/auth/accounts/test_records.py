"""Records, formats, custom claims, mailed codes, passwords, identifiers: auth-a 4.1-4.5, 4.11."""

import itertools
import json
import re
import urllib.parse

import pytest
import requests

from support.auth.project import claims
from support.server import PROJECT
from support.steering import guard, instant, project  # noqa: F401
from auth.accounts.test_delete_and_query import (  # noqa: F401
    by_link, cases, hearth, link, oob_codes, refresh, update)
from auth.sign_in.test_second_factors import enter, finalize, second
from support.wire import CUSTOM_TOKEN_AUDIENCE, unsigned, user_record

A, B, C = "a@example.com", "b@example.com", "c@example.com"
ONE, TWO = "+15555550100", "+15555550101"
HOUR = 3_600_000


def only(project, tenant=None) -> dict:
    [user] = project.users(tenant=tenant)
    return user


def custom(project, uid: str = "u", **claims) -> dict:
    return project.call("signInWithCustomToken", {"token": unsigned({
        "aud": CUSTOM_TOKEN_AUDIENCE, "uid": uid, **({"claims": claims} if claims else {})})})


def google(project, sub: str = "1", email: str = A, **more) -> dict:
    return project.idp("google.com", {"sub": sub, "email": email, "email_verified": True, **more})


def send(project, kind: str, **more) -> str:
    """Asks for a code, and answers it."""
    project.call("sendOobCode", {"requestType": kind, "continueUrl": "http://localhost/", **more})
    return newest(project)


def newest(project, tenant=None) -> str:
    return pending(project, tenant)[-1]["oobCode"]


def pending(project, tenant=None) -> list[dict]:
    scope = project.control + (f"/tenants/{tenant}" if tenant else "")
    return project.request("GET", f"{scope}/oobCodes")["oobCodes"]


def is_pending(project, code: str) -> bool:
    return any(one["oobCode"] == code for one in pending(project))


# MARK: 4.1, the record of every kind of user

TIMES = {"createdAt", "lastLoginAt", "lastRefreshAt"}
SECRETS = {"passwordHash", "salt", "passwordUpdatedAt", "validSince"}


def password_entry(email: str, **more) -> dict:
    return {"providerId": "password", "email": email, "federatedId": email, "rawId": email, **more}


def phone_entry(number: str) -> dict:
    return {"providerId": "phone", "phoneNumber": number, "rawId": number}


def by_owner(project, **fields) -> None:
    project.admin("/accounts", fields)


def second_factor(project) -> None:
    project.enroll(project.verified(A), ONE, displayName="Phone")


def passkey(project) -> None:
    finalize(project, project.call("signUp", {}), {"id": "p1"}, name="Key")


# name: (fill, names of times and secrets, everything else but localId)
RECORDS = {
    "anonymous": (lambda p: p.call("signUp", {}), TIMES, {}),
    "password": (lambda p: p.sign_up("Ann@Example.COM"), TIMES | SECRETS, {
        "email": "ann@example.com", "emailVerified": False,
        "providerUserInfo": [password_entry("ann@example.com")]}),
    "password and name": (lambda p: p.sign_up(A, displayName="Ann", photoUrl="x"),
                          TIMES | SECRETS, {
        "email": A, "emailVerified": False, "displayName": "Ann",
        "providerUserInfo": [password_entry(A, displayName="Ann")]}),
    "by the owner, nothing": (by_owner, {"createdAt", "lastLoginAt"}, {"emailVerified": False}),
    "by the owner, all": (
        lambda p: by_owner(p, email=A, password="secret1", displayName="Ann", photoUrl="http://x",
                           phoneNumber=ONE, emailVerified=True, disabled=True),
        {"createdAt", "lastLoginAt"} | SECRETS, {
            "email": A, "emailVerified": True, "displayName": "Ann", "photoUrl": "http://x",
            "phoneNumber": ONE, "disabled": True, "providerUserInfo": [
                password_entry(A, displayName="Ann", photoUrl="http://x"), phone_entry(ONE)]}),
    "by the owner, not disabled": (
        lambda p: by_owner(p, disabled=False), {"createdAt", "lastLoginAt"},
        {"emailVerified": False}),
    "by the owner, an address": (
        lambda p: by_owner(p, email=A), {"createdAt", "lastLoginAt"},
        {"email": A, "emailVerified": False}),
    "e-mail link": (lambda p: by_link(p, A), TIMES, {
        "email": A, "emailVerified": True, "emailLinkSignin": True,
        "providerUserInfo": [password_entry(A)]}),
    "custom token": (custom, TIMES, {"customAuth": True}),
    "phone": (lambda p: p.phone(ONE), TIMES, {
        "phoneNumber": ONE, "providerUserInfo": [phone_entry(ONE)]}),
    "google": (lambda p: google(p, name="Ann", picture="http://x"), TIMES, {
        "email": A, "emailVerified": True, "displayName": "Ann", "photoUrl": "http://x",
        "providerUserInfo": [{
            "providerId": "google.com", "rawId": "1", "federatedId": "1", "email": A,
            "displayName": "Ann", "photoUrl": "http://x"}]}),
    "twitter": (lambda p: p.idp("twitter.com", {"sub": "1", "screen_name": "ann"}), TIMES, {
        "screenName": "ann", "providerUserInfo": [{
            "providerId": "twitter.com", "rawId": "1", "federatedId": "1", "screenName": "ann"}]}),
    "passkey": (passkey, TIMES, {"passkeyInfo": [{"credentialId": "p1", "name": "Key"}]}),
}


@pytest.mark.parametrize("fill, times, expected, tenant", cases(
    {name: (*row, None) for name, row in RECORDS.items()} | {
        "password in a tenant": (
            lambda p: p.sign_up(A, tenantId="t1"), TIMES | SECRETS, {
                "email": A, "emailVerified": False, "tenantId": "t1",
                "providerUserInfo": [password_entry(A)]}, "t1"),
        "anonymous in a tenant": (
            lambda p: p.call("signUp", {"tenantId": "t1"}), TIMES, {"tenantId": "t1"}, "t1"),
        "custom token in a tenant": (
            lambda p: p.call("signInWithCustomToken", {
                "token": '{"uid":"u"}', "tenantId": "t1"}),
            TIMES, {"customAuth": True, "tenantId": "t1"}, "t1"),
        "by the owner in a tenant": (
            lambda p: p.admin("/accounts", {}, tenant="t1"), {"createdAt", "lastLoginAt"},
            {"emailVerified": False, "tenantId": "t1"}, "t1")}))
def test_a_record(project, fill, times, expected, tenant):
    """The same by lookup, by query and by download, with these fields and no others."""
    fill(project)
    user = only(project, tenant)
    params = {"tenantId": tenant} if tenant else {}
    download = project.owner("GET", f"{project.v1}/accounts:batchGet", params=params)
    assert project.user(user["localId"], tenant) == user == user_record(download["users"][0])
    assert re.fullmatch(r"[A-Za-z0-9]{28}|u", user.pop("localId"))
    assert user.keys() == times | expected.keys()
    assert {name: user[name] for name in expected} == expected
    assert re.fullmatch(r"\d{13}", user["createdAt"]) and user["lastLoginAt"] == user["createdAt"]
    if "lastRefreshAt" in user:
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", user["lastRefreshAt"])
    if "validSince" in user:
        assert re.fullmatch(r"\d{10}", user["validSince"])
        assert type(user["passwordUpdatedAt"]) is int
        assert user["passwordUpdatedAt"] // 1000 == int(user["validSince"])


def test_a_record_with_a_second_factor(project):
    """Numbers are in clear, whoever looks."""
    second_factor(project)
    [factor] = only(project)["mfaInfo"]
    assert re.fullmatch(r"[A-Za-z0-9]{28}", factor.pop("mfaEnrollmentId"))
    instant(factor.pop("enrolledAt"))
    assert factor == {"phoneInfo": ONE, "unobfuscatedPhoneInfo": ONE, "displayName": "Phone"}
    session = second(project, project.sign_in(A))
    [user] = project.call("lookup", {"idToken": session["idToken"]})["users"]
    assert user["mfaInfo"] == only(project)["mfaInfo"]


def test_a_factor_without_a_name(project):
    session = project.call("signUp", {"email": A, "password": "secret1", "mfaInfo": [
        {"phoneInfo": ONE}]})
    [factor] = project.user(session["localId"])["mfaInfo"]
    assert factor.keys() >= {"mfaEnrollmentId", "phoneInfo", "unobfuscatedPhoneInfo"}
    assert "displayName" not in factor and factor["phoneInfo"] == ONE


def test_what_a_user_sees_of_the_password(project):
    """Not as the official emulator: there is one, and no more is said."""
    session = project.sign_up(A)
    [mine] = project.call("lookup", {"idToken": session["idToken"]})["users"]
    theirs = project.user(session["localId"])
    assert mine["passwordHash"] == "UkVEQUNURUQ=" != theirs["passwordHash"]
    assert {k: v for k, v in mine.items() if k != "passwordHash"} == {
        k: v for k, v in theirs.items() if k not in ("passwordHash", "salt")}


@pytest.mark.parametrize("given", [True, False])
def test_disabled_is_absent_until_it_is_set(project, given):
    uid = project.sign_up(A)["localId"]
    assert "disabled" not in project.user(uid)
    update(project, uid, disableUser=given)
    assert project.user(uid)["disabled"] is given


@pytest.mark.parametrize("text", cases({
    "spaces": ' { "b" : 1,\n"a":[ ] } ', "escapes": '{"\\u00e9":"\\/é😀"}', "empty": "{}",
    "numbers": '{"a":1.0,"b":1e3,"c":12345678901234567890}', "twice": '{"a":1,"a":2}'}))
def test_custom_attributes_are_kept_to_the_letter(project, text):
    uid = project.sign_up(A)["localId"]
    update(project, uid, customAttributes=text)
    assert project.user(uid)["customAttributes"] == text
    update(project, uid, displayName="Ann")
    assert project.user(uid)["customAttributes"] == text
    update(project, uid, customAttributes="")
    assert project.user(uid).get("customAttributes", "") == ""


def test_an_empty_name_is_a_name(project):
    session = project.sign_up(A, displayName="Ann")
    answer = project.call("update", {
        "idToken": session["idToken"], "displayName": "", "photoUrl": ""})
    assert (answer["displayName"], answer["photoUrl"]) == ("", "")
    user = project.user(session["localId"])
    assert (user["displayName"], user["photoUrl"]) == ("", "")


# MARK: 4.1, which call moves which time

def as_user(verb: str, **fields):
    return lambda p, session: p.call(verb, {"idToken": session["idToken"], **fields})


def as_owner(**fields):
    return lambda p, session: p.admin(
        "/accounts:update", {"localId": session["localId"], **fields})


def redeem(kind: str, verb: str = "update", /, **fields):
    def run(p, session):
        needs_token = kind.startswith("VERIFY")
        code = send(p, kind, **({"idToken": session["idToken"]} if needs_token else {"email": A}),
                    **({"newEmail": B} if kind == "VERIFY_AND_CHANGE_EMAIL" else {}))
        p.call(verb, {"oobCode": code, **fields})
    return run


def refusing(verb: str, **fields):
    return lambda p, session: p.error(verb, fields)


def with_second_factor(finish: bool):
    def run(p, session):
        pending = p.sign_in(A)
        assert "mfaPendingCredential" in pending
        if finish:
            second(p, pending)
    return run


def anonymous(p):
    return p.call("signUp", {})


def password(p):
    return p.sign_up(A)


def two_factors(p):
    session = p.verified(A)
    p.enroll(session, ONE)
    return session


def with_passkey(p):
    return {**password(p), **finalize(p, p.sign_in(A), {"id": "p1"})}


# name: (prepare, act, whether lastLoginAt moves, whether lastRefreshAt moves)
TOUCHES = {
    "password": (password, lambda p, s: p.sign_in(A), True, True),
    "e-mail link": (password, lambda p, s: by_link(p, A), True, True),
    "e-mail link of a session": (
        anonymous, lambda p, s: by_link(p, B, idToken=s["idToken"]), True, True),
    "custom token": (password, lambda p, s: custom(p, s["localId"]), True, True),
    "google": (lambda p: google(p), lambda p, s: google(p), True, True),
    "google of a session": (anonymous, lambda p, s: p.idp(
        "google.com", {"sub": "1"}, idToken=s["idToken"]), True, True),
    "phone": (lambda p: p.phone(ONE), lambda p, s: p.phone(ONE), True, True),
    "second factor": (two_factors, with_second_factor(True), True, True),
    "passkey": (with_passkey, lambda p, s: enter(p, {"id": "p1"}), True, True),
    "linking by signUp": (
        anonymous, as_user("signUp", email=B, password="secret1"), True, True),
    "linking a password user by signUp": (
        password, as_user("signUp", email=B, password="secret1"), True, True),
    "refresh": (password, lambda p, s: refresh(p, s), False, True),
    "new password": (password, as_user("update", password="secret2"), False, True),
    "new address": (password, as_user("update", email=B), False, True),
    "validSince": (password, as_user("update", validSince="1"), False, True),
    "new password by the owner": (password, as_owner(password="secret2"), False, True),
    "new address by the owner": (password, as_owner(email=B), False, False),
    "validSince by the owner": (password, as_owner(validSince="1"), False, False),
    "name": (password, as_user("update", displayName="Ann"), False, False),
    "same address": (password, as_user("update", email=A), False, False),
    "name by the owner": (password, as_owner(displayName="Ann"), False, False),
    "disabling": (password, as_owner(disableUser=True), False, False),
    "claims": (password, as_owner(customAttributes="{}"), False, False),
    "lookup": (password, as_user("lookup"), False, False),
    "verification": (password, redeem("VERIFY_EMAIL"), False, False),
    "change of address by mail": (password, redeem("VERIFY_AND_CHANGE_EMAIL"), False, False),
    "reset": (password, redeem("PASSWORD_RESET", "resetPassword", newPassword="secret2"),
              False, False),
    "inspection": (password, redeem("PASSWORD_RESET", "resetPassword"), False, False),
    "first factor": (two_factors, with_second_factor(False), False, False),
    "wrong password": (
        password, refusing("signInWithPassword", email=A, password="wrong"), False, False),
    "cookie": (password, lambda p, s: p.admin(
        ":createSessionCookie", {"idToken": s["idToken"]}), False, False),
}


@pytest.mark.parametrize("prepare, act, logs_in, refreshes", cases(TOUCHES))
def test_which_times_a_call_moves(project, prepare, act, logs_in, refreshes):
    session = prepare(project)
    uid = only(project)["localId"]
    before = project.user(uid)
    project.advance("PT50M")
    act(project, session)
    after = project.user(uid)
    assert after["createdAt"] == before["createdAt"]
    assert (int(after["lastLoginAt"]) - int(before["lastLoginAt"]) >= 3_000_000) is logs_in
    assert (after["lastLoginAt"] != before["lastLoginAt"]) is logs_in
    assert (after["lastRefreshAt"] != before["lastRefreshAt"]) is refreshes
    if logs_in:
        shown = instant(after["lastRefreshAt"]).timestamp() * 1000
        assert abs(int(after["lastLoginAt"]) - shown) < 1000


def test_the_owners_users_have_not_refreshed_yet(project):
    by_owner(project, email=A, password="secret1")
    assert "lastRefreshAt" not in only(project)
    project.sign_in(A)
    assert "lastRefreshAt" in only(project)


# MARK: 4.1, validSince and passwordUpdatedAt (4.9 lists what sets the first)

def takeover(p, session):
    """Somebody whose address is verified elsewhere takes over an account that never verified it."""
    google(p)


def imported(p, session):
    p.admin("/accounts:batchCreate", {"allowOverwrite": True, "users": [
        {"localId": session["localId"], "email": A, "rawPassword": "secret1"}]})


# name: (act on a password user, whether validSince becomes now, and passwordUpdatedAt)
ENDINGS = {
    "new password": (as_user("update", password="secret2"), True, True),
    "new password by the owner": (as_owner(password="secret2"), True, True),
    "new address": (as_user("update", email=B), True, False),
    "new address by the owner": (as_owner(email=B), True, False),
    "validSince": (as_user("update", validSince="5"), True, False),
    "linking by signUp": (as_user("signUp", email=B, password="secret2"), True, True),
    "reset": (redeem("PASSWORD_RESET", "resetPassword", newPassword="secret2"), True, True),
    "import": (imported, True, True),
    "takeover": (takeover, True, False),
    "same address": (as_user("update", email=A), False, False),
    "same address in capitals": (as_user("update", email=A.upper()), False, False),
    "name": (as_user("update", displayName="Ann"), False, False),
    "verification": (redeem("VERIFY_EMAIL"), False, False),
    "change of address by mail": (redeem("VERIFY_AND_CHANGE_EMAIL"), False, False),
    "e-mail link": (lambda p, s: by_link(p, A), False, False),
    "sign-in": (lambda p, s: p.sign_in(A), False, False),
    "deleting the password": (as_user("update", deleteAttribute=["PASSWORD"]), False, False),
    "deleting the address": (as_user("update", deleteAttribute=["EMAIL"]), False, False),
    "deleting the provider": (as_user("update", deleteProvider=["password"]), False, False),
    "disabling": (as_owner(disableUser=True), False, False),
    "claims": (as_owner(customAttributes="{}"), False, False),
    "linking a provider": (as_user("update", linkProviderUserInfo={
        "providerId": "x.com", "rawId": "1"}), False, False),
}


@pytest.mark.parametrize("act, ends, is_new", cases(ENDINGS))
def test_what_ends_older_tokens(project, act, ends, is_new):
    session = project.sign_up(A)
    before = project.user(session["localId"])
    project.advance("PT50M")
    project.clock(frozen=True)
    act(project, session)
    now = str(int(project.now().timestamp()))
    after = project.user(session["localId"])
    assert after["validSince"] == (now if ends else before["validSince"])
    if is_new:
        assert str(after["passwordUpdatedAt"] // 1000) == now
    else:
        assert after["passwordUpdatedAt"] == before["passwordUpdatedAt"]


def test_an_owners_valid_since_is_kept_to_the_letter(project):
    uid = project.sign_up(A)["localId"]
    for value in ("1", "99999999999", "abc"):
        update(project, uid, validSince=value, password="secret2")
        assert project.user(uid)["validSince"] == value
    update(project, uid, createdAt="5", lastLoginAt=1600000000123)
    user = project.user(uid)
    assert (user["createdAt"], user["lastLoginAt"]) == ("5", "1600000000123")


@pytest.mark.parametrize("more", [
    {"deleteAttribute": ["PASSWORD"]}, {"deleteProvider": ["password"]}],
    ids=["attribute", "provider"])
def test_when_the_password_was_set_outlives_it(project, more):
    uid = project.sign_up(A)["localId"]
    before = project.user(uid)
    update(project, uid, **more)
    after = project.user(uid)
    assert after["passwordUpdatedAt"] == before["passwordUpdatedAt"]
    assert not {"passwordHash", "salt"} & after.keys()


# MARK: 4.1, emailVerified and initialEmail

# name: (prepare, act, before, after)
VERIFICATIONS = {
    "change of address": (lambda p: p.verified(A), as_user("update", email=B), True, False),
    "change by the owner": (lambda p: p.verified(A), as_owner(email=B), True, False),
    "change by the owner, verified": (
        lambda p: p.verified(A), as_owner(email=B, emailVerified=True), True, True),
    "same address": (lambda p: p.verified(A), as_user("update", email=A), True, True),
    "a user's own word": (password, as_user("update", emailVerified=True), False, False),
    "the owner's word": (password, as_owner(emailVerified=True), False, True),
    "VERIFY_EMAIL": (password, redeem("VERIFY_EMAIL"), False, True),
    "VERIFY_AND_CHANGE_EMAIL": (password, redeem("VERIFY_AND_CHANGE_EMAIL"), False, True),
    "reset": (password, redeem("PASSWORD_RESET", "resetPassword", newPassword="secret2"),
              False, True),
    "inspection": (password, redeem("PASSWORD_RESET", "resetPassword"), False, False),
    "e-mail link": (password, lambda p, s: by_link(p, A), False, True),
    "linking by signUp": (
        lambda p: p.verified(A), as_user("signUp", email=B, password="secret1"), True, False),
    "no address any more": (
        lambda p: p.verified(A), as_user("update", deleteAttribute=["EMAIL"]), True, None),
    "an anonymous user's address": (anonymous, as_user("update", email=B), None, False),
    "an anonymous user's link": (
        anonymous, lambda p, s: by_link(p, B, idToken=s["idToken"]), None, True),
}


@pytest.mark.parametrize("prepare, act, before, after", cases(VERIFICATIONS))
def test_whether_an_address_is_verified(project, prepare, act, before, after):
    session = prepare(project)
    assert project.user(session["localId"]).get("emailVerified") is before
    act(project, session)
    assert project.user(session["localId"]).get("emailVerified") is after


def test_the_first_address_is_kept_for_ever(project):
    session = project.sign_up(A)
    uid = session["localId"]
    assert "initialEmail" not in project.user(uid)
    session = project.call("update", {"idToken": session["idToken"], "email": B})
    assert project.user(uid)["initialEmail"] == A
    update(project, uid, email=C)
    assert project.user(uid)["initialEmail"] == A
    [*_, code] = [one for one in oob_codes(project) if one["requestType"] == "RECOVER_EMAIL"]
    assert code["email"] == A
    project.call("update", {"oobCode": code["oobCode"]})
    user = project.user(uid)
    assert (user["email"], user["emailVerified"], user["initialEmail"]) == (A, True, A)
    update(project, uid, deleteAttribute=["EMAIL"])
    assert project.user(uid)["initialEmail"] == A
    update(project, uid, deleteProvider=["password"], email=B)
    assert project.user(uid)["initialEmail"] == A


@pytest.mark.parametrize("prepare, act", cases({
    "same address": (password, as_user("update", email=A.upper())),
    "an anonymous user's first": (anonymous, as_user("update", email=B)),
    "an owner's first for somebody": (anonymous, as_owner(email=B)),
    "by mail": (password, redeem("VERIFY_AND_CHANGE_EMAIL")),
    "linking by signUp": (password, as_user("signUp", email=B, password="secret1")),
    "e-mail link": (password, lambda p, s: by_link(p, B, idToken=s["idToken"])),
}))
def test_what_records_no_first_address(project, prepare, act):
    session = prepare(project)
    act(project, session)
    assert "initialEmail" not in project.user(session["localId"])


def test_an_anonymous_session_records_no_first_address(project):
    """Not even for the second address: the session stays anonymous."""
    session = project.call("signUp", {})
    session = project.call("update", {"idToken": session["idToken"], "email": A})
    assert claims(session)["firebase"]["sign_in_provider"] == "anonymous"
    project.call("update", {"idToken": session["idToken"], "email": B})
    assert "initialEmail" not in project.user(session["localId"])
    assert oob_codes(project) == []


# MARK: 4.1, the list of providers

GOOGLE = {"providerId": "google.com", "rawId": "1"}


def names(project, uid: str) -> list[str] | None:
    entries = project.user(uid).get("providerUserInfo")
    return None if entries is None else [entry["providerId"] for entry in entries]


def steps(*changes: dict):
    return list(changes)


# name: (fields of a user made by the owner, changes by the owner, providers after each)
PROVIDERS = {
    "nobody": ({}, steps({"displayName": "x"}), [None, None]),
    "an address alone": ({"email": A}, steps({"emailVerified": True}), [None, None]),
    "a password alone": ({"password": "secret1"}, steps({"email": A}), [None, ["password"]]),
    "a password comes": (
        {"email": A}, steps({"password": "secret1"}), [None, ["password"]]),
    "a password goes": (
        {"email": A, "password": "secret1"}, steps({"deleteAttribute": ["PASSWORD"]}),
        [["password"], []]),
    "an address goes": (
        {"email": A, "password": "secret1"},
        steps({"deleteAttribute": ["EMAIL"]}, {"email": B}), [["password"], [], ["password"]]),
    "both go": (
        {"email": A, "password": "secret1"},
        steps({"deleteProvider": ["password"]}, {"email": B}), [["password"], [], []]),
    "a number comes and goes": (
        {}, steps({"phoneNumber": ONE}, {"deleteProvider": ["phone"]}), [None, ["phone"], []]),
    "password, then phone": (
        {"email": A, "password": "secret1"}, steps({"phoneNumber": ONE}),
        [["password"], ["password", "phone"]]),
    "phone, then password": (
        {"phoneNumber": ONE}, steps({"email": A, "password": "secret1"}),
        [["phone"], ["phone", "password"]]),
    "all at once": (
        {}, steps({"phoneNumber": ONE, "email": A, "password": "secret1",
                   "linkProviderUserInfo": GOOGLE}),
        [None, ["google.com", "password", "phone"]]),
    "password and phone at once": (
        {"phoneNumber": ONE, "email": A, "password": "secret1"}, steps(),
        [["password", "phone"]]),
    "one more": (
        {"email": A, "password": "secret1"},
        steps({"linkProviderUserInfo": GOOGLE}, {"phoneNumber": ONE}),
        [["password"], ["password", "google.com"], ["password", "google.com", "phone"]]),
    "what is gone comes last": (
        {"email": A, "password": "secret1", "phoneNumber": ONE},
        steps({"deleteProvider": ["password"]}, {"email": A, "password": "secret1"}),
        [["password", "phone"], ["phone"], ["phone", "password"]]),
    "in place": (
        {"email": A, "password": "secret1", "phoneNumber": ONE},
        steps({"linkProviderUserInfo": GOOGLE}, {"email": B, "phoneNumber": TWO},
              {"linkProviderUserInfo": {"providerId": "google.com", "rawId": "2"}}),
        [["password", "phone"], *[["password", "phone", "google.com"]] * 3]),
    "removed and linked again": (
        {"email": A, "password": "secret1"},
        steps({"linkProviderUserInfo": GOOGLE}, {"phoneNumber": ONE},
              {"deleteProvider": ["google.com"], "linkProviderUserInfo": GOOGLE}),
        [["password"], ["password", "google.com"], ["password", "google.com", "phone"],
         ["password", "phone", "google.com"]]),
    "one goes, another comes": (
        {"phoneNumber": ONE}, steps({"deleteProvider": ["phone"], "linkProviderUserInfo": GOOGLE}),
        [["phone"], ["google.com"]]),
    "several go": (
        {"email": A, "password": "secret1", "phoneNumber": ONE},
        steps({"linkProviderUserInfo": GOOGLE},
              {"deleteProvider": ["google.com", "phone", "password"]}),
        [["password", "phone"], ["password", "phone", "google.com"], []]),
    "unknown ones go": (
        {"email": A, "password": "secret1"}, steps({"deleteProvider": ["x.com"]}),
        [["password"], ["password"]]),
    "nothing goes of nothing": (
        {}, steps({"deleteProvider": ["x.com", "password", "phone"]}), [None, None]),
}


@pytest.mark.parametrize("fields, changes, expected", cases(PROVIDERS))
def test_the_list_of_providers(project, fields, changes, expected):
    uid = project.admin("/accounts", fields)["localId"]
    found = [names(project, uid)]
    for change in changes:
        update(project, uid, **change)
        found.append(names(project, uid))
    assert found == expected


def test_the_password_entry_follows_the_profile(project):
    session = project.sign_up(A, displayName="Ann")
    uid = session["localId"]
    for change, more in (
            ({}, {"displayName": "Ann"}), ({"displayName": "Bea"}, {"displayName": "Bea"}),
            ({"photoUrl": "http://x"}, {"displayName": "Bea", "photoUrl": "http://x"}),
            ({"email": B}, {"displayName": "Bea", "photoUrl": "http://x"}),
            ({"deleteAttribute": ["DISPLAY_NAME", "PHOTO_URL"]}, {})):
        update(project, uid, **change)
        user = project.user(uid)
        assert user["providerUserInfo"] == [password_entry(user["email"], **more)]


def test_an_email_link_keeps_the_password_entry(project):
    session = project.sign_up(A)
    by_link(project, A)
    update(project, session["localId"], deleteAttribute=["PASSWORD"])
    assert names(project, session["localId"]) == ["password"]
    assert project.user(session["localId"])["emailLinkSignin"] is True
    update(project, session["localId"], deleteAttribute=["EMAIL"])
    user = project.user(session["localId"])
    assert user["providerUserInfo"] == [] and not {"emailLinkSignin", "emailVerified"} & user.keys()


def test_a_linked_entry_is_stored_as_it_came(project):
    uid = project.sign_up(A)["localId"]
    entry = {"providerId": "x.com", "rawId": "1", "email": "X@Example.com", "displayName": "X",
             "photoUrl": "p", "phoneNumber": "123", "federatedId": "f", "screenName": "s"}
    update(project, uid, linkProviderUserInfo=entry)
    assert project.user(uid)["providerUserInfo"][1] == entry
    update(project, uid, linkProviderUserInfo={"providerId": "x.com", "rawId": "2"})
    assert project.user(uid)["providerUserInfo"][1] == {"providerId": "x.com", "rawId": "2"}


# MARK: 4.1, what leads to a user

def found(project, **by) -> list[str]:
    by = {name: [value] for name, value in by.items()}
    return [user["localId"] for user in project.admin("/accounts:lookup", by).get("users", [])]


def federated(provider: str, raw: str) -> dict:
    return {"federatedUserId": {"providerId": provider, "rawId": raw}}


def test_a_user_is_found_by_all_that_names_them(project):
    uid = project.admin("/accounts", {"email": A, "phoneNumber": ONE, "password": "secret1"})[
        "localId"]
    link(project, uid, "x.com")
    for by in ({"localId": uid}, {"email": A}, {"email": A.upper()}, {"phoneNumber": ONE},
               federated("x.com", f"{uid}-x.com"), federated("phone", ONE),
               federated("password", A)):
        assert found(project, **by) == [uid], by


@pytest.mark.parametrize("change, old, new", cases({
    "address": ({"email": B}, {"email": A}, {"email": B}),
    "password's id": ({"email": B}, federated("password", A), federated("password", B)),
    "number": ({"phoneNumber": TWO}, {"phoneNumber": ONE}, {"phoneNumber": TWO}),
    "phone's id": ({"phoneNumber": TWO}, federated("phone", ONE), federated("phone", TWO)),
    "provider's id": ({"linkProviderUserInfo": {"providerId": "x.com", "rawId": "2"}},
                      federated("x.com", "1"), federated("x.com", "2")),
    "address that goes": ({"deleteAttribute": ["EMAIL"]}, {"email": A}, {"phoneNumber": ONE}),
    "number that goes": ({"deleteProvider": ["phone"]}, {"phoneNumber": ONE}, {"email": A}),
    "provider that goes": ({"deleteProvider": ["x.com"]}, federated("x.com", "1"), {"email": A}),
    "password that goes": ({"deleteAttribute": ["PASSWORD"]}, federated("password", A),
                           {"email": A}),
}))
def test_what_changed_leads_to_nobody(project, change, old, new):
    uid = project.admin("/accounts", {"email": A, "phoneNumber": ONE, "password": "secret1"})[
        "localId"]
    update(project, uid, linkProviderUserInfo={"providerId": "x.com", "rawId": "1"})
    assert found(project, **old) == [uid]
    update(project, uid, **change)
    assert found(project, **old) == [] and found(project, **new) == [uid]


@pytest.mark.parametrize("change, reuse", cases({
    "address": ({"email": B}, {"email": A}), "number": ({"phoneNumber": TWO}, {"phoneNumber": ONE}),
    "address that goes": ({"deleteProvider": ["password"]}, {"email": A}),
    "number that goes": ({"deleteProvider": ["phone"]}, {"phoneNumber": ONE})}))
def test_what_was_given_up_is_free(project, change, reuse):
    uid = project.admin("/accounts", {"email": A, "phoneNumber": ONE, "password": "secret1"})[
        "localId"]
    update(project, uid, **change)
    other = project.admin("/accounts", reuse)["localId"]
    assert found(project, **reuse) == [other]


# MARK: 4.2, formats

MAILS = {
    "plain": ("x@example.com", True), "short": ("a@b", True), "a space": ("a b@c", True),
    "spaces at the ends": (" a@b ", True), "dots": (".@.", True), "umlauts": ("ä@ö", True),
    "emoji": ("😀@😀", True), "quotes": ('"@<', True), "a line end": ("a\n@b", True),
    "a combining mark in front of it": ("a\u0301@b", True),
    "a combining mark behind it": ("a@\u0301b", True),
    "no sign": ("example.com", False), "nothing in front": ("@b", False),
    "nothing behind": ("a@", False), "alone": ("@", False), "two": ("a@b@c", False),
    "doubled": ("a@@b", False), "a space only": (" ", False),
}

@pytest.mark.parametrize("email, counts", cases(MAILS))
@pytest.mark.parametrize("way", ["sign-up", "owner", "update", "sign-in", "createAuthUri"])
def test_addresses(project, way, email, counts):
    stored = email.lower()
    if way == "sign-up":
        body = {"email": email, "password": "secret1"}
        answer = project.call("signUp", body) if counts else project.error("signUp", body)
    elif way == "owner":
        ask = project.admin if counts else project.admin_error
        answer = ask("/accounts", {"email": email})
    elif way == "update":
        session = project.sign_up(C)
        body = {"idToken": session["idToken"], "email": email}
        answer = project.call("update", body) if counts else project.error("update", body)
    elif way == "sign-in":
        answer = project.error("signInWithPassword", {"email": email, "password": "x"})
        assert answer == ("EMAIL_NOT_FOUND" if counts else "INVALID_EMAIL")
        return
    else:
        body = {"identifier": email, "continueUri": "http://localhost"}
        if counts:
            assert project.call("createAuthUri", body)["registered"] is False
        else:
            assert project.error("createAuthUri", body) == "INVALID_IDENTIFIER"
        return
    if counts:
        assert answer["email"] == stored and project.user(answer["localId"])["email"] == stored
    else:
        assert answer == "INVALID_EMAIL"


@pytest.mark.parametrize("one, other", cases({
    "dots": ("a.b@example.com", "ab@example.com"), "plus": ("a+b@example.com", "a@example.com"),
    "spaces": (" a@example.com", "a@example.com"),
    "accents": ("\u00e9@example.com", "e\u0301@example.com"),
    "a zero": ("a@example.com\u0000x", "a@example.com"),
}))
def test_addresses_that_differ(project, one, other):
    assert project.sign_up(one)["localId"] != project.sign_up(other)["localId"]


@pytest.mark.parametrize("email, stored", [
    ("ΑΣ@example.com", "ας@example.com"), ("ΣΑΣΑ@Σ", "σασα@σ"), ("ΟΣ.GR@x", "οσ.gr@x"),
    ("ΟΣ\u0301@Σ1", "ος\u0301@σ1"), ("1Σ@ΑΣ'", "1σ@ας'")], ids=range(5))
def test_a_sigma_at_the_end_of_a_word(project, email, stored):
    """The one letter whose lower case depends on where it stands."""
    assert email.lower() == stored
    assert project.sign_up(email)["email"] == stored


# With what the store writes in place of the first one.
ZEROS = ["a", "a\u0000", "a\u0000b", "a\u0000\u0000", "a\u0001", "a\u00010",
         "a\u00011", "a\u0001\u0000", "a\u0002", "a0"]


def test_ids_that_differ_behind_a_zero(project):
    for uid in ZEROS:
        assert custom(project, uid)["isNewUser"] is True
    for uid in ZEROS:
        assert custom(project, uid)["isNewUser"] is False
        assert project.user(uid)["localId"] == uid
    query = project.admin("/accounts:query")
    assert [user["localId"] for user in query["userInfo"]] == sorted(ZEROS)
    listed, token = [], ""
    while token is not None:
        page = project.owner("GET", f"{project.v1}/accounts:batchGet", params={
            "maxResults": "3", "nextPageToken": token})
        listed += [user["localId"] for user in page["users"]]
        token = page.get("nextPageToken")
    assert listed == sorted(ZEROS)


def test_an_address_with_a_zero_in_a_code(project):
    project.call("sendOobCode", {
        "requestType": "EMAIL_SIGNIN", "email": "a\u0000b@x", "continueUrl": "x:"})
    assert pending(project)[0]["email"] == "a\u0000b@x"


@pytest.mark.parametrize("one, other", [(A, A.upper()), ("ÄÖ@Example.com", "äö@example.COM")],
                         ids=["ascii", "umlauts"])
def test_addresses_that_are_the_same(project, one, other):
    uid = project.sign_up(one)["localId"]
    assert project.error("signUp", {"email": other, "password": "secret1"}) == "EMAIL_EXISTS"
    assert project.sign_in(other)["localId"] == uid


@pytest.mark.parametrize("number, counts", cases({
    "plain": (ONE, True), "a plus": ("+", True), "letters": ("+abc", True), "spaces": ("+ 1", True),
    "a mark": ("+\u03011", True), "digits": ("15555550100", False), "late": (" +1", False),
    "two zeros": ("0015555550100", False)}))
@pytest.mark.parametrize("way", ["owner", "update", "factor", "sms"])
def test_numbers(project, way, number, counts):
    uid = project.sign_up(A)["localId"]
    if way == "sms":
        if counts:
            project.call("sendVerificationCode", {"phoneNumber": number})
        else:
            assert project.error("sendVerificationCode", {"phoneNumber": number}) == (
                "INVALID_PHONE_NUMBER : Invalid format.")
        return
    path, body = {
        "owner": ("/accounts", {"phoneNumber": number}),
        "update": ("/accounts:update", {"localId": uid, "phoneNumber": number}),
        "factor": ("/accounts", {"email": B, "emailVerified": True, "mfaInfo": [
            {"phoneInfo": number}]})}[way]
    if counts:
        user = project.user(project.admin(path, body)["localId"])
        assert number == (user["mfaInfo"][0]["phoneInfo"] if way == "factor"
                          else user["phoneNumber"])
    else:
        kind = "MFA_PHONE" if way == "factor" else "PHONE"
        assert project.admin_error(path, body) == f"INVALID_{kind}_NUMBER : Invalid format."


WEAK = "WEAK_PASSWORD : Password should be at least 6 characters"


@pytest.mark.parametrize("text, counts", cases({
    "six": ("secret", True), "five": ("secre", False), "spaces": ("      ", True),
    "five spaces": ("     ", False), "the same letter": ("aaaaaa", True),
    "three emoji": ("😀😀😀", True), "two emoji and a letter": ("😀😀a", False),
    "three letters with marks": ("e\u0301" * 3, True), "five umlauts": ("äöüäö", False),
    "a family": ("👨‍👩‍👧", True), "no width": ("\u200b" * 6, True), "long": ("x" * 5000, True)}))
@pytest.mark.parametrize("way", ["sign-up", "owner", "update", "update by the owner", "reset"])
def test_passwords(project, way, text, counts):
    """Six UTF-16 units, and nothing else."""
    email = A if way in ("sign-up", "owner") else B
    if email == B:
        session = project.sign_up(B)
    body = {"email": email, "password": text}
    match way:
        case "sign-up": answer = project.raw("signUp", body).json()
        case "owner":
            answer = project.server.post(
                f"{project.v1}/accounts", body, Authorization="Bearer owner").json()
        case "update":
            answer = project.raw("update", {"idToken": session["idToken"], **body}).json()
        case "update by the owner":
            answer = project.server.post(
                f"{project.v1}/accounts:update", {"localId": session["localId"], **body},
                Authorization="Bearer owner").json()
        case "reset":
            code = send(project, "PASSWORD_RESET", email=B)
            answer = project.raw("resetPassword", {"oobCode": code, "newPassword": text}).json()
    if counts:
        assert "error" not in answer and project.sign_in(email, password=text)["registered"]
    else:
        assert answer["error"]["message"] == WEAK


# What a WHATWG parser without a base makes of them.
URLS = [
    "http://localhost", "http://localhost/", "HTTP://LOCALHOST", "mailto:x", "x:", "x:y",
    "a+b-c.1:", "javascript:alert(1)", "http:x", "http:/x", "http:///x", "http:\\\\x",
    "https://user:pw@host:8080/p?q#f", " http://x ", "\thttp://x\n", "http://[::1]/",
    "http://[::1]:80", "http://1.2.3.4", "http://\u00e9.com", "http://x?", "http://x#",
    "http://a%41", "http://x:", "http://x:0", "http://x:65535", "http://@x", "http://a@b@c",
    "file:", "file:///x", "about:blank", "data:,x", "urn:a b", "foo://", "foo:///", "foo://host",
    "foo:a b", "com.example.app://x", "http://0x7f.1", "http://1", "http://a_b", "http://a..b",
    "http://.", "http://x/ y", "http://x/%zz", "http://x?a b", "http://*", "http://x,y",
    "localhost:5001/x", "wss://x", "ht\ntp://x", "http://x\t.y/"]
NO_URLS = [
    "x", "/x", "//x", "?x", "#x", ":x", "1:x", "-a:x", "\u00e9:x", " ", "http://", "http:",
    "http:///", "http://?x", "http://#x", "http://:80", "http://x:y", "http://x:65536",
    "http://x:-1", "http://a b", "http://a b/", "http://%", "http://%zz", "http://a%20b",
    "http://a%2fb", "http://a<b", "http://a>b", "http://a^b", "http://a|b", "http://[",
    "http://[::1", "http://a@", "http://user@:80", "https://", "ws://", "ftp://"]
HOSTS = ["http://[x]", "http://[1]", "http://[::1]x", "http://256.1.1.1", "http://1.2.3.4.5",
         "http://x.1", "http://4294967296", "http://x%00", "http://a\u0001b", "http://a\u007fb"]
OPAQUE = ["file://h ost/", "foo://a b", "foo://[", "foo://[x]", "foo://a:b", "foo://a:65536",
          "foo://a<b", "foo://a^b"]


@pytest.mark.parametrize("url, counts", [
    *((url, True) for url in URLS), *((url, False) for url in NO_URLS + HOSTS + OPAQUE),
], ids=repr)
def test_absolute_urls(project, url, counts):
    body = {"identifier": A, "continueUri": url}
    mail = {"requestType": "EMAIL_SIGNIN", "email": A, "continueUrl": url}
    if counts:
        project.call("createAuthUri", body)
        project.call("sendOobCode", mail)
    else:
        assert project.error("createAuthUri", body) == "INVALID_CONTINUE_URI"
        assert project.error("sendOobCode", mail) == (
            "INVALID_CONTINUE_URI : ((expected an absolute URI with valid scheme and host))")


# MARK: 4.3, custom claims

RESERVED = ["iss", "aud", "sub", "iat", "exp", "nbf", "jti", "nonce", "azp", "acr", "amr", "cnf",
            "auth_time", "firebase", "at_hash", "c_hash"]


def sized(units: int, fill: str = "x") -> str:
    """Claims of that many UTF-16 units."""
    width = len(fill.encode("utf-16-le")) // 2
    text = '{"a":"' + fill * ((units - 8) // width)
    return text + "y" * (units - 2 - len(text.encode("utf-16-le")) // 2) + '"}'


def set_claims(project, text: str, status: int = 200):
    uid = project.admin("/accounts", {})["localId"]
    answer = project.admin(
        "/accounts:update", {"localId": uid, "customAttributes": text}, status)
    return uid if status == 200 else answer["error"]["message"]


@pytest.mark.parametrize("fill", ["x", "é", "😀"], ids=["ascii", "umlauts", "emoji"])
def test_the_size_of_claims(project, fill):
    text = sized(1000, fill)
    assert len(text.encode("utf-16-le")) == 2000
    assert project.user(set_claims(project, text))["customAttributes"] == text
    assert set_claims(project, sized(1001, fill), 400) == "CLAIMS_TOO_LARGE"


@pytest.mark.parametrize("text", [
    "x", "{", "}", "null", "true", "5", '"x"', "[]", '[{"a":1}]', "{'a':1}", "{a:1}", '{"a":1,}',
    '{"a":1}x', '{"a":01}', '{"a":NaN}', '{"a":1}{}', '{"a":"\n"}', '{"a":"\\x"}', " "])
def test_claims_that_are_no_object(project, text):
    assert set_claims(project, text, 400) == "INVALID_CLAIMS"


def by_token(project, claims: dict) -> str:
    return project.error("signInWithCustomToken", {
        "token": json.dumps({"uid": "u", "claims": claims})})


@pytest.mark.parametrize("name", RESERVED)
@pytest.mark.parametrize("value", ["x", None, {}], ids=["text", "null", "object"])
def test_reserved_claims(project, name, value):
    message = f"FORBIDDEN_CLAIM : {name}"
    assert set_claims(project, json.dumps({name: value}), 400) == message
    assert by_token(project, {name: value}) == message


@pytest.mark.parametrize("first, second", list(itertools.pairwise(RESERVED)))
def test_the_order_of_reserved_claims(project, first, second):
    """The list's, not the object's."""
    assert set_claims(project, json.dumps({second: 1, first: 1}), 400) == (
        f"FORBIDDEN_CLAIM : {first}")
    assert by_token(project, {"x": 1, second: 1, first: 1}) == f"FORBIDDEN_CLAIM : {first}"


@pytest.mark.parametrize("text, message", cases({
    "size before form": ("x" * 1001, "CLAIMS_TOO_LARGE"),
    "size before names": (json.dumps({"sub": "x" * 1000}), "CLAIMS_TOO_LARGE"),
    "form before names": ('{"sub":1', "INVALID_CLAIMS")}))
def test_the_order_of_the_checks_of_claims(project, text, message):
    assert set_claims(project, text, 400) == message


@pytest.mark.parametrize("name", [
    "Sub", "sub ", "subject", "email", "email_verified", "phone_number", "user_id", "provider_id",
    "name", "picture", "uid", "tenant", "identities", "sign_in_provider", "", "a.b", "ünï"])
def test_names_that_are_free(project, name):
    set_claims(project, json.dumps({name: 1}))
    assert project.call("signInWithCustomToken", {
        "token": json.dumps({"uid": "u", "claims": {name: 1}})})["idToken"]


def test_reserved_names_deeper_down_are_free(project):
    set_claims(project, '{"a":{"sub":1,"firebase":{}}}')
    assert claims(custom(project, a={"sub": 1}))["a"] == {"sub": 1}


def test_the_size_of_a_custom_tokens_claims_does_not_matter(project):
    assert claims(custom(project, a="x" * 5000))["a"] == "x" * 5000


ACCOUNT = {"email": "claim", "email_verified": "claim", "phone_number": "claim",
           "user_id": "claim", "provider_id": "claim"}


@pytest.mark.parametrize("way", ["attributes", "token"])
@pytest.mark.parametrize("full", [True, False], ids=["with account values", "without"])
def test_claims_that_are_the_accounts(project, way, full):
    """They are the account's, or go; name and picture are the claims'."""
    given = ACCOUNT | {"name": "Claim", "picture": 5}
    fields = {"email": A, "phoneNumber": ONE, "displayName": "Ann", "photoUrl": "http://x"}
    if full:
        project.admin("/accounts", {"localId": "u", **fields})
    else:
        custom(project)
    if way == "attributes":
        update(project, "u", customAttributes=json.dumps(given))
        session = custom(project)
    else:
        session = custom(project, **given)
    for token in (claims(session), claims({"idToken": refresh(project, session)["id_token"]})):
        expected = {"user_id": "u", "name": "Claim", "picture": 5}
        if full:
            expected |= {"email": A, "email_verified": False, "phone_number": ONE}
        assert {name: token[name] for name in given if name in token} == expected


def test_later_claims_win(project):
    project.admin("/accounts", {"localId": "u", "displayName": "Ann", "photoUrl": "http://x"})
    update(project, "u", customAttributes='{"name":"Stored","picture":"s","a":1,"b":1}')
    token = claims(custom(project, picture="t", b=2, c=2))
    assert {name: token[name] for name in ("name", "picture", "a", "b", "c")} == {
        "name": "Stored", "picture": "t", "a": 1, "b": 2, "c": 2}


# MARK: 4.4, mailed codes

CODE = r"[A-Za-z0-9_-]{54}"
MODES = {"EMAIL_SIGNIN": "signIn", "PASSWORD_RESET": "resetPassword",
         "VERIFY_EMAIL": "verifyEmail", "VERIFY_AND_CHANGE_EMAIL": "verifyAndChangeEmail",
         "RECOVER_EMAIL": "recoverEmail"}


def request_of(kind: str, session: dict) -> dict:
    return {"requestType": kind, "email": A, "idToken": session["idToken"],
            **({"newEmail": "New@Example.com"} if kind == "VERIFY_AND_CHANGE_EMAIL" else {})}


def form_encoded(text: str) -> str:
    encoded = urllib.parse.quote(text, safe="*-._").replace("~", "%7E")
    return encoded.replace("%20", "+")


@pytest.mark.parametrize("kind", MODES)
def test_the_record_of_a_code(project, kind):
    session = project.sign_up(A)
    if kind == "RECOVER_EMAIL":
        project.call("update", {"idToken": session["idToken"], "email": B})
    else:
        project.call("sendOobCode", request_of(kind, session))
    [code] = pending(project)
    expected = ["email", "newEmail", "requestType", "oobCode", "oobLink"]
    if kind != "VERIFY_AND_CHANGE_EMAIL":
        expected.remove("newEmail")
    assert list(code) == expected
    assert (code["email"], code["requestType"]) == (A, kind)
    assert code.get("newEmail", "new@example.com") == "new@example.com"
    assert re.fullmatch(CODE, code["oobCode"])
    assert code["oobLink"] == (
        f"{project.server.auth}/emulator/action?mode={MODES[kind]}&lang=en"
        f"&oobCode={code['oobCode']}&apiKey={project.id}")


def test_the_key_in_a_link_of_the_default_project(hearth, address):
    hearth.accounts("signUp", {"email": address, "password": "secret1"})
    answer = hearth.admin("/accounts:sendOobCode", {
        "requestType": "PASSWORD_RESET", "email": address, "returnOobLink": True})
    assert answer["oobLink"] == (
        f"{hearth.auth}/emulator/action?mode=resetPassword&lang=en&oobCode={answer['oobCode']}"
        "&apiKey=fake-api-key")
    codes = requests.get(
        f"{hearth.auth}/emulator/v1/projects/{PROJECT}/oobCodes", timeout=30).json()["oobCodes"]
    assert answer["oobLink"] in [code["oobLink"] for code in codes]


@pytest.mark.parametrize("url", cases({
    "plain": "http://localhost/", "query": "http://x/?a=b&c=d#e",
    "marks": "x:a b~!*'()-._+%,;:@/é😀"}))
@pytest.mark.parametrize("tenant", [None, "t 1&"])
def test_what_a_link_says(project, url, tenant):
    """In that order, encoded as a form; the language is the one asked for."""
    more = {"tenantId": tenant} if tenant else {}
    path = "/tenants/" + urllib.parse.quote(tenant, safe="") if tenant else ""
    project.request("POST", "/identitytoolkit.googleapis.com/v1/accounts:sendOobCode", json={
        "requestType": "EMAIL_SIGNIN", "email": A, "continueUrl": url, **more},
        params={"key": project.id}, headers={
            "X-Firebase-Locale": "de", "Accept-Language": "de", "X-Forwarded-Proto": "https"})
    [code] = project.request("GET", f"{project.control}{path}/oobCodes")["oobCodes"]
    link = (f"{project.server.auth}/emulator/action?mode=signIn&lang=de"
            f"&oobCode={code['oobCode']}&apiKey={project.id}&continueUrl={form_encoded(url)}")
    assert code["oobLink"] == link + (f"&tenantId={form_encoded(tenant)}" if tenant else "")
    assert tenant is None or pending(project) == []


def test_codes_stand_side_by_side(project):
    project.sign_up(A)
    codes = [send(project, "PASSWORD_RESET", email=A) for _ in range(3)]
    assert len(set(codes)) == 3 and [one["oobCode"] for one in pending(project)] == codes
    for at, code in enumerate((codes[1], codes[0], codes[2])):
        project.call("resetPassword", {"oobCode": code, "newPassword": f"secret{at}"})
        project.sign_in(A, password=f"secret{at}")
        assert project.error("resetPassword", {"oobCode": code}) == "INVALID_OOB_CODE"
    assert pending(project) == []


def by_account(p, verb, **fields):
    return p.error(verb, fields)


# name: (kind, call with the code, message): these leave the code as it is.
KEPT = {
    "inspection": ("PASSWORD_RESET", lambda p, c: p.call("resetPassword", {"oobCode": c}), None),
    "inspection of another kind": (
        "VERIFY_EMAIL", lambda p, c: p.call("resetPassword", {"oobCode": c}), None),
    "weak password": ("PASSWORD_RESET", lambda p, c: by_account(
        p, "resetPassword", oobCode=c, newPassword="short"), WEAK),
    "reset with a link": ("EMAIL_SIGNIN", lambda p, c: by_account(
        p, "resetPassword", oobCode=c, newPassword="secret2"), "INVALID_OOB_CODE"),
    "reset with a verification": ("VERIFY_EMAIL", lambda p, c: by_account(
        p, "resetPassword", oobCode=c, newPassword="secret2"), "INVALID_OOB_CODE"),
    "link with a reset": ("PASSWORD_RESET", lambda p, c: by_account(
        p, "signInWithEmailLink", oobCode=c, email=A), "INVALID_OOB_CODE"),
    "link of somebody else": (
        "EMAIL_SIGNIN", lambda p, c: by_account(p, "signInWithEmailLink", oobCode=c, email=B),
        "INVALID_EMAIL : The email provided does not match the sign-in email address."),
    "link without an address": ("EMAIL_SIGNIN", lambda p, c: by_account(
        p, "signInWithEmailLink", oobCode=c), "MISSING_EMAIL"),
    "update with a reset": ("PASSWORD_RESET", lambda p, c: p.post(
        "/identitytoolkit.googleapis.com/v1/accounts:update", {"oobCode": c}, 501)["error"][
            "message"], "PASSWORD_RESET"),
    "update with a link": ("EMAIL_SIGNIN", lambda p, c: p.post(
        "/identitytoolkit.googleapis.com/v1/accounts:update", {"oobCode": c}, 501)["error"][
            "message"], "EMAIL_SIGNIN"),
    "another tenant": ("PASSWORD_RESET", lambda p, c: by_account(
        p, "resetPassword", oobCode=c, newPassword="secret2", tenantId="t1"), "INVALID_OOB_CODE"),
    "update of a claim that is reserved": ("VERIFY_EMAIL", lambda p, c: p.admin_error(
        "/accounts:update", {"localId": "x", "oobCode": c, "customAttributes": '{"sub":1}'}),
        "FORBIDDEN_CLAIM : sub"),
}


@pytest.mark.parametrize("kind, call, message", cases(KEPT))
def test_what_leaves_a_code_usable(project, kind, call, message):
    session = project.sign_up(A)
    project.call("sendOobCode", request_of(kind, session))
    code = newest(project)
    answer = call(project, code)
    assert message is None or answer == message
    assert is_pending(project, code)
    match kind:
        case "PASSWORD_RESET":
            project.call("resetPassword", {"oobCode": code, "newPassword": "secret2"})
        case "EMAIL_SIGNIN":
            project.call("signInWithEmailLink", {"oobCode": code, "email": A})
        case _: project.call("update", {"oobCode": code})
    assert not is_pending(project, code)


def test_the_action_page_of_a_link_leaves_its_code(hearth, address):
    hearth.accounts("sendOobCode", {
        "requestType": "EMAIL_SIGNIN", "email": address, "continueUrl": "http://localhost/"})
    link = hearth.mail(address, "EMAIL_SIGNIN")["oobLink"]
    reply = requests.get(link, allow_redirects=False, timeout=30)
    assert reply.status_code == 303
    code = urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)["oobCode"][0]
    assert hearth.accounts("signInWithEmailLink", {"oobCode": code, "email": address})["idToken"]


def delete(project, session):
    project.admin("/accounts:delete", {"localId": session["localId"]})


def taken(email: str):
    return lambda p, session: p.sign_up(email)


def use(kind: str, code: str) -> tuple[str, dict]:
    return {"PASSWORD_RESET": ("resetPassword", {"oobCode": code, "newPassword": "secret2"}),
            "EMAIL_SIGNIN": ("signInWithEmailLink", {"oobCode": code, "email": A})}.get(
                kind, ("update", {"oobCode": code}))


# name: (kind, what happens meanwhile, message): these use the code up.
SPENT = {
    "reset, user gone": ("PASSWORD_RESET", delete, "INVALID_OOB_CODE"),
    "reset, another address": ("PASSWORD_RESET", as_owner(email=B), "INVALID_OOB_CODE"),
    "verification, user gone": ("VERIFY_EMAIL", delete, "INVALID_OOB_CODE"),
    "verification, another address": ("VERIFY_EMAIL", as_owner(email=B), "INVALID_OOB_CODE"),
    "change, user gone": ("VERIFY_AND_CHANGE_EMAIL", delete, "INVALID_OOB_CODE"),
    "change, another address": ("VERIFY_AND_CHANGE_EMAIL", as_owner(email=B), "INVALID_OOB_CODE"),
    "change, taken": ("VERIFY_AND_CHANGE_EMAIL", taken("new@example.com"), "EMAIL_EXISTS"),
    "recovery, user gone": ("RECOVER_EMAIL", delete, "INVALID_OOB_CODE"),
    "recovery, taken": ("RECOVER_EMAIL", taken(A), "EMAIL_EXISTS"),
    "recovery, done by hand": ("RECOVER_EMAIL", as_owner(email=A), "EMAIL_EXISTS"),
    "link, disabled": ("EMAIL_SIGNIN", as_owner(disableUser=True), "USER_DISABLED"),
}


@pytest.mark.parametrize("kind, meanwhile, message", cases(SPENT))
def test_what_uses_a_code_up_in_vain(project, kind, meanwhile, message):
    session = project.sign_up(A)
    if kind == "RECOVER_EMAIL":
        project.call("update", {"idToken": session["idToken"], "email": B})
    else:
        project.call("sendOobCode", request_of(kind, session))
    code = pending(project)[0]["oobCode"]
    meanwhile(project, session)
    assert is_pending(project, code)
    assert project.error(*use(kind, code)) == message
    assert not is_pending(project, code)
    assert project.error(*use(kind, code)) == "INVALID_OOB_CODE"


def test_a_link_for_another_session_is_used_up(project):
    other = project.sign_up(B)
    project.sign_up(A)
    code = send(project, "EMAIL_SIGNIN", email=A)
    body = {"oobCode": code, "email": A, "idToken": other["idToken"]}
    assert project.error("signInWithEmailLink", body) == "EMAIL_EXISTS"
    assert not is_pending(project, code)


@pytest.mark.parametrize("act", cases({
    "deleting the user": delete,
    "deleting everybody": lambda p, s: p.request("DELETE", f"{p.control}/accounts"),
    "new password": as_owner(password="secret2"), "new address": as_owner(email=B),
    "disabling": as_owner(disableUser=True), "sign-in": lambda p, s: p.sign_in(A),
    "deleting the address": as_owner(deleteAttribute=["EMAIL"]),
}))
def test_what_leaves_all_codes(project, act):
    session = project.sign_up(A)
    for kind in ("PASSWORD_RESET", "EMAIL_SIGNIN", "VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"):
        project.call("sendOobCode", request_of(kind, session))
    before = pending(project)
    act(project, session)
    assert len(before) == 4 and pending(project)[:4] == before


def test_a_recovery_after_everybody_was_deleted(project):
    session = project.sign_up(A)
    project.call("update", {"idToken": session["idToken"], "email": B})
    project.request("DELETE", f"{project.control}/accounts")
    assert project.error("update", {"oobCode": newest(project)}) == "INVALID_OOB_CODE"


# MARK: 4.5, passwords

def secrets(project, uid: str) -> tuple[str, str]:
    user = project.user(uid)
    return user["passwordHash"], user["salt"]


def test_every_password_has_its_own_salt(project):
    """Not as the official emulator: nothing of the password can be read."""
    found = [secrets(project, project.sign_up(email)["localId"]) for email in (A, B)]
    assert found[0][0] != found[1][0] and found[0][1] != found[1][1]
    assert "secret1" not in json.dumps(found)
    uid = project.users()[0]["localId"]
    update(project, uid, password="secret1")
    assert secrets(project, uid) not in found


@pytest.mark.parametrize("change", cases({
    "address": {"email": C}, "name": {"displayName": "x"}, "disabling": {"disableUser": True}}))
def test_what_leaves_a_hash(project, change):
    uid = project.sign_up(A)["localId"]
    before = secrets(project, uid)
    update(project, uid, **change)
    assert secrets(project, uid) == before


@pytest.mark.parametrize("text", cases({
    "capitals": "Secret1", "longer": "secret1 ", "shorter": "secret", "a space": " secret1",
    "a zero": "secret1\u0000"}))
def test_another_password_is_wrong(project, text):
    project.sign_up(A)
    assert project.error("signInWithPassword", {"email": A, "password": text}) == (
        "INVALID_PASSWORD")


@pytest.mark.parametrize("one, other", [("p\u00e9t\u00e9s!", "pe\u0301te\u0301s!")],
                         ids=["composed and not"])
def test_passwords_that_look_the_same(project, one, other):
    project.call("signUp", {"email": A, "password": one})
    assert project.error("signInWithPassword", {"email": A, "password": other}) == (
        "INVALID_PASSWORD")


# MARK: 4.11, identifiers

def mfa_id(project) -> str:
    session = project.call("signUp", {"email": A, "password": "secret1", "mfaInfo": [
        {"phoneInfo": ONE}]})
    identifier = project.user(session["localId"])["mfaInfo"][0]["mfaEnrollmentId"]
    project.admin("/accounts:delete", {"localId": session["localId"]})
    return identifier


def temporary_proof(project) -> str:
    session = project.call("signUp", {})
    project.phone(ONE)
    answer = project.call("signInWithPhoneNumber", {
        **project.sms(ONE), "idToken": session["idToken"]})
    return answer["temporaryProof"]


@pytest.mark.parametrize("make, pattern", cases({
    "anonymous": (lambda p: p.call("signUp", {})["localId"], r"[A-Za-z0-9]{28}"),
    "by the owner": (lambda p: p.admin("/accounts", {})["localId"], r"[A-Za-z0-9]{28}"),
    "e-mail link": (lambda p: by_link(p, f"{len(p.users())}@x")["localId"], r"[A-Za-z0-9]{28}"),
    "phone": (lambda p: p.phone(f"+{len(p.users())}")["localId"], r"[A-Za-z0-9]{28}"),
    "provider": (lambda p: google(p, str(len(p.users())), f"{len(p.users())}@x")["localId"],
                 r"[A-Za-z0-9]{28}"),
    "enrolment": (mfa_id, r"[A-Za-z0-9]{28}"),
    "tenant": (lambda p: p.tenant(), r"[A-Za-z0-9]{28}"),
    "mailed code": (lambda p: send(p, "EMAIL_SIGNIN", email=A), CODE),
    "session info": (lambda p: p.sms(ONE)["sessionInfo"], r"[A-Za-z0-9_-]{226}"),
    "SMS code": (lambda p: p.sms(ONE)["code"], r"[0-9]{6}"),
    "temporary proof": (temporary_proof, r"[A-Za-z0-9_-]{119}"),
    "createAuthUri": (lambda p: p.call("createAuthUri", {
        "identifier": A, "continueUri": "x:"})["sessionId"], r"[A-Za-z0-9]{27}"),
}))
def test_identifiers(project, make, pattern):
    found = [make(project) for _ in range(4)]
    assert len(set(found)) > 1
    assert all(re.fullmatch(pattern, one) for one in found), found
