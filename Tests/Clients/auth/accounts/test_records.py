"""The record of every kind of user, and which call changes which time in it."""

import re

import pytest
from support.auth.accounts import by_link, cases, hearth, refresh, update  # noqa: F401
from support.auth.records import (
    anonymous,
    as_owner,
    as_user,
    custom,
    google,
    only,
    password,
    password_entry,
    phone_entry,
    redeem,
)
from support.auth.sign_in import enter, finalize, second
from support.steering import guard, instant, project  # noqa: F401
from support.wire import user_record

A, B, C = "a@example.com", "b@example.com", "c@example.com"
ONE, TWO = "+15555550100", "+15555550101"


# MARK: The record of every kind of user

TIMES = {"createdAt", "lastLoginAt", "lastRefreshAt"}
SECRETS = {"passwordHash", "salt", "passwordUpdatedAt", "validSince"}


def by_owner(project, **fields) -> None:
    project.admin("/accounts", fields)


def second_factor(project) -> None:
    project.enroll(project.verified(A), ONE, displayName="Phone")


def passkey(project) -> None:
    finalize(project, project.call("signUp", {}), {"id": "p1"}, name="Key")


# name: (fill, names of times and secrets, everything else but localId)
RECORDS = {
    "anonymous": (lambda p: p.call("signUp", {}), TIMES, {}),
    "password": (
        lambda p: p.sign_up("Ann@Example.COM"),
        TIMES | SECRETS,
        {
            "email": "ann@example.com",
            "emailVerified": False,
            "providerUserInfo": [password_entry("ann@example.com")],
        },
    ),
    "password and name": (
        lambda p: p.sign_up(A, displayName="Ann", photoUrl="x"),
        TIMES | SECRETS,
        {
            "email": A,
            "emailVerified": False,
            "displayName": "Ann",
            "providerUserInfo": [password_entry(A, displayName="Ann")],
        },
    ),
    "by the owner, nothing": (by_owner, {"createdAt", "lastLoginAt"}, {"emailVerified": False}),
    "by the owner, all": (
        lambda p: by_owner(
            p,
            email=A,
            password="secret1",
            displayName="Ann",
            photoUrl="http://x",
            phoneNumber=ONE,
            emailVerified=True,
            disabled=True,
        ),
        {"createdAt", "lastLoginAt"} | SECRETS,
        {
            "email": A,
            "emailVerified": True,
            "displayName": "Ann",
            "photoUrl": "http://x",
            "phoneNumber": ONE,
            "disabled": True,
            "providerUserInfo": [
                password_entry(A, displayName="Ann", photoUrl="http://x"),
                phone_entry(ONE),
            ],
        },
    ),
    "by the owner, not disabled": (
        lambda p: by_owner(p, disabled=False),
        {"createdAt", "lastLoginAt"},
        {"emailVerified": False},
    ),
    "by the owner, an address": (
        lambda p: by_owner(p, email=A),
        {"createdAt", "lastLoginAt"},
        {"email": A, "emailVerified": False},
    ),
    "e-mail link": (
        lambda p: by_link(p, A),
        TIMES,
        {
            "email": A,
            "emailVerified": True,
            "emailLinkSignin": True,
            "providerUserInfo": [password_entry(A)],
        },
    ),
    "custom token": (custom, TIMES, {"customAuth": True}),
    "phone": (
        lambda p: p.phone(ONE),
        TIMES,
        {"phoneNumber": ONE, "providerUserInfo": [phone_entry(ONE)]},
    ),
    "google": (
        lambda p: google(p, name="Ann", picture="http://x"),
        TIMES,
        {
            "email": A,
            "emailVerified": True,
            "displayName": "Ann",
            "photoUrl": "http://x",
            "providerUserInfo": [
                {
                    "providerId": "google.com",
                    "rawId": "1",
                    "federatedId": "1",
                    "email": A,
                    "displayName": "Ann",
                    "photoUrl": "http://x",
                }
            ],
        },
    ),
    "twitter": (
        lambda p: p.idp("twitter.com", {"sub": "1", "screen_name": "ann"}),
        TIMES,
        {
            "screenName": "ann",
            "providerUserInfo": [
                {"providerId": "twitter.com", "rawId": "1", "federatedId": "1", "screenName": "ann"}
            ],
        },
    ),
    "passkey": (passkey, TIMES, {"passkeyInfo": [{"credentialId": "p1", "name": "Key"}]}),
}


@pytest.mark.parametrize(
    "fill, times, expected, tenant",
    cases(
        {name: (*row, None) for name, row in RECORDS.items()}
        | {
            "password in a tenant": (
                lambda p: p.sign_up(A, tenantId="t1"),
                TIMES | SECRETS,
                {
                    "email": A,
                    "emailVerified": False,
                    "tenantId": "t1",
                    "providerUserInfo": [password_entry(A)],
                },
                "t1",
            ),
            "anonymous in a tenant": (
                lambda p: p.call("signUp", {"tenantId": "t1"}),
                TIMES,
                {"tenantId": "t1"},
                "t1",
            ),
            "custom token in a tenant": (
                lambda p: p.call(
                    "signInWithCustomToken", {"token": '{"uid":"u"}', "tenantId": "t1"}
                ),
                TIMES,
                {"customAuth": True, "tenantId": "t1"},
                "t1",
            ),
            "by the owner in a tenant": (
                lambda p: p.admin("/accounts", {}, tenant="t1"),
                {"createdAt", "lastLoginAt"},
                {"emailVerified": False, "tenantId": "t1"},
                "t1",
            ),
        }
    ),
)
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
    """Numbers are in clear for every caller."""
    second_factor(project)
    [factor] = only(project)["mfaInfo"]
    assert re.fullmatch(r"[A-Za-z0-9]{28}", factor.pop("mfaEnrollmentId"))
    instant(factor.pop("enrolledAt"))
    assert factor == {"phoneInfo": ONE, "unobfuscatedPhoneInfo": ONE, "displayName": "Phone"}
    session = second(project, project.sign_in(A))
    [user] = project.call("lookup", {"idToken": session["idToken"]})["users"]
    assert user["mfaInfo"] == only(project)["mfaInfo"]


def test_a_factor_without_a_name(project):
    session = project.call(
        "signUp", {"email": A, "password": "secret1", "mfaInfo": [{"phoneInfo": ONE}]}
    )
    [factor] = project.user(session["localId"])["mfaInfo"]
    assert factor.keys() >= {"mfaEnrollmentId", "phoneInfo", "unobfuscatedPhoneInfo"}
    assert "displayName" not in factor and factor["phoneInfo"] == ONE


def test_what_a_user_sees_of_the_password(project):
    """Not as the official emulator: there is one, and its hash is not said."""
    session = project.sign_up(A)
    [mine] = project.call("lookup", {"idToken": session["idToken"]})["users"]
    theirs = project.user(session["localId"])
    assert mine["passwordHash"] == "UkVEQUNURUQ=" != theirs["passwordHash"]
    assert {k: v for k, v in mine.items() if k != "passwordHash"} == {
        k: v for k, v in theirs.items() if k != "passwordHash"
    }


@pytest.mark.parametrize("given", [True, False])
def test_disabled_is_absent_until_it_is_set(project, given):
    uid = project.sign_up(A)["localId"]
    assert "disabled" not in project.user(uid)
    update(project, uid, disableUser=given)
    assert project.user(uid)["disabled"] is given


@pytest.mark.parametrize(
    "text",
    cases(
        {
            "spaces": ' { "b" : 1,\n"a":[ ] } ',
            "escapes": '{"\\u00e9":"\\/é😀"}',
            "empty": "{}",
            "numbers": '{"a":1.0,"b":1e3,"c":12345678901234567890}',
            "twice": '{"a":1,"a":2}',
        }
    ),
)
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
    answer = project.call(
        "update", {"idToken": session["idToken"], "displayName": "", "photoUrl": ""}
    )
    assert (answer["displayName"], answer["photoUrl"]) == ("", "")
    user = project.user(session["localId"])
    assert (user["displayName"], user["photoUrl"]) == ("", "")


# MARK: Which call moves which time


def refusing(verb: str, **fields):
    return lambda p, session: p.error(verb, fields)


def with_second_factor(finish: bool):
    def run(p, session):
        pending = p.sign_in(A)
        assert "mfaPendingCredential" in pending
        if finish:
            second(p, pending)

    return run


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
        anonymous,
        lambda p, s: by_link(p, B, idToken=s["idToken"]),
        True,
        True,
    ),
    "custom token": (password, lambda p, s: custom(p, s["localId"]), True, True),
    "google": (lambda p: google(p), lambda p, s: google(p), True, True),
    "google of a session": (
        anonymous,
        lambda p, s: p.idp("google.com", {"sub": "1"}, idToken=s["idToken"]),
        True,
        True,
    ),
    "phone": (lambda p: p.phone(ONE), lambda p, s: p.phone(ONE), True, True),
    "second factor": (two_factors, with_second_factor(True), True, True),
    "passkey": (with_passkey, lambda p, s: enter(p, {"id": "p1"}), True, True),
    "linking by signUp": (anonymous, as_user("signUp", email=B, password="secret1"), True, True),
    "linking a password user by signUp": (
        password,
        as_user("signUp", email=B, password="secret1"),
        True,
        True,
    ),
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
    "reset": (
        password,
        redeem("PASSWORD_RESET", "resetPassword", newPassword="secret2"),
        False,
        False,
    ),
    "inspection": (password, redeem("PASSWORD_RESET", "resetPassword"), False, False),
    "first factor": (two_factors, with_second_factor(False), False, False),
    "wrong password": (
        password,
        refusing("signInWithPassword", email=A, password="wrong"),
        False,
        False,
    ),
    "cookie": (
        password,
        lambda p, s: p.admin(":createSessionCookie", {"idToken": s["idToken"]}),
        False,
        False,
    ),
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
