"""Updating second factors, phone number, profile, and disabling an account."""

import pytest
from support.auth.project import claims
from support.auth.sign_up import hearth  # noqa: F401
from support.auth.update import UPDATES, factor, only, password_entry, project, stored  # noqa: F401

TOKENS = {"idToken", "refreshToken", "expiresIn"}
REDACTED = "UkVEQUNURUQ="
A, B, C, D = "a@example.com", "b@example.com", "c@example.com", "d@example.com"
PHONE, OTHER_PHONE = "+15555550100", "+15555550101"
KIND = "identitytoolkit#SetAccountInfoResponse"


# MARK: Second factors

BAD_PHONE = "INVALID_MFA_PHONE_NUMBER : Invalid format."
NO_FACTOR_ID = "INVALID_MFA_ENROLLMENT_ID : mfaEnrollmentId must be defined."
FACTORS = {
    "one": ([factor()], [stored()]),
    "named": ([factor(displayName="Mine")], [stored(displayName="Mine")]),
    "any time": ([factor(enrolledAt="x")], [stored(enrolledAt="x")]),
    "a time": (
        [factor(enrolledAt="2020-01-01T00:00:00Z")],
        [stored(enrolledAt="2020-01-01T00:00:00Z")],
    ),
    "another plain number": ([factor(unobfuscatedPhoneInfo="+9")], [stored()]),
    "two": ([factor(), factor("b", OTHER_PHONE)], [stored(), stored("b", OTHER_PHONE)]),
    "twice": ([factor(), factor("b")], [stored()]),
    "twice without an id": ([factor(), factor(None)], [stored()]),
    "twice with the same id": ([factor(), factor()], [stored()]),
    "only a plus": ([factor(phone="+")], [stored(phone="+")]),
    "empty list": ([], None),
    "no number": ([factor(phone=None)], BAD_PHONE),
    "empty number": ([factor(phone="")], BAD_PHONE),
    "bad number": ([factor(phone="1")], BAD_PHONE),
    "bad second number": ([factor(), factor("b", "1")], BAD_PHONE),
    "neither number nor id": ([{}], BAD_PHONE),
    "an app": ([{"mfaEnrollmentId": "a", "totpInfo": {}}], BAD_PHONE),
    "a mail": ([{"mfaEnrollmentId": "a", "emailInfo": {"emailAddress": A}}], BAD_PHONE),
    "no id": ([factor(None)], NO_FACTOR_ID),
    "empty id": ([factor("")], NO_FACTOR_ID),
    "no second id": ([factor(), factor(None, OTHER_PHONE)], NO_FACTOR_ID),
    "one id for two numbers": ([factor(), factor("a", OTHER_PHONE)], "DUPLICATE_MFA_ENROLLMENT_ID"),
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
        message = (
            project.admin_error("/accounts:update", body)
            if admin
            else project.error("update", body)
        )
        assert message == expected
        assert project.user(session["localId"]) == before
    else:
        answer = project.admin("/accounts:update", body) if admin else project.call("update", body)
        assert "mfaInfo" not in answer and not TOKENS & answer.keys()
        after = project.user(session["localId"])
        assert after.get("mfaInfo") == expected
        only(before, after, "mfaInfo")


@pytest.mark.parametrize("mfa", [{}, {"enrollments": []}, {"unknown": 1}])
def test_no_factors_left(project, mfa):
    session = project.sign_up(A, mfaInfo=[{"phoneInfo": PHONE}])
    project.mine(session, mfa=mfa)
    assert "mfaInfo" not in project.user(session["localId"])
    assert project.sign_in(A).keys() >= TOKENS


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


# MARK: Disabling, phone numbers


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


@pytest.mark.parametrize(
    "phone, message",
    [
        ("1", "INVALID_PHONE_NUMBER : Invalid format."),
        (" +1", "INVALID_PHONE_NUMBER : Invalid format."),
        (OTHER_PHONE, "PHONE_NUMBER_EXISTS"),
    ],
)
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


# MARK: Profile, what administrators store


@UPDATES
@pytest.mark.parametrize(
    "change",
    [{"displayName": "Ann"}, {"photoUrl": "u"}, {"displayName": "Ann", "photoUrl": "u"}],
    ids=["name", "picture", "both"],
)
def test_a_profile(project, path, change):
    """No tokens; the entry of the password follows."""
    session = project.sign_up(A)
    before = project.user(session["localId"])
    answer = project.post(path, {"idToken": session["idToken"], **change})
    assert answer == {
        "kind": KIND,
        "localId": session["localId"],
        "email": A,
        "emailVerified": False,
        "passwordHash": REDACTED,
        "providerUserInfo": [password_entry(A, **change)],
        **change,
    }
    after = project.user(session["localId"])
    assert change.items() <= after.items()
    only(before, after, "displayName", "photoUrl", "providerUserInfo")


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
def test_empty_texts_of_a_profile_are_stored(project, admin):
    session = project.sign_up(A, displayName="Ann")
    change = {"displayName": "", "photoUrl": ""}
    answer = (
        project.change(session["localId"], **change) if admin else project.mine(session, **change)
    )
    assert (answer["displayName"], answer["photoUrl"]) == ("", "")
    record = project.user(session["localId"])
    assert (record["displayName"], record["photoUrl"]) == ("", "")
    content = claims(project.sign_in(A))
    assert (content["name"], content["picture"]) == ("", "")


@pytest.mark.parametrize(
    "name, value",
    [
        ("emailVerified", True),
        ("emailVerified", False),
        ("createdAt", "12"),
        ("createdAt", "abc"),
        ("lastLoginAt", "12"),
        ("lastLoginAt", "abc"),
        ("validSince", "12"),
        ("customAttributes", '{"a":1}'),
        ("createdAt", ""),
        ("lastLoginAt", ""),
    ],
)
def test_what_an_administrator_stores(project, name, value):
    """As it comes."""
    uid = project.make(email=A)
    before = project.user(uid)
    answer = project.change(uid, **{name: value})
    assert not TOKENS & answer.keys()
    after = project.user(uid)
    assert after[name] == value
    only(before, after, name)


def test_an_administrator_verifies_without_an_address(project):
    uid = project.call("signUp", {})["localId"]
    assert project.change(uid, emailVerified=True)["emailVerified"] is True
    assert project.user(uid)["emailVerified"] is True


@UPDATES
def test_an_administrator_changes_nothing(project, path):
    uid = project.make(email=A, password="secret1", displayName="Ann", phoneNumber=PHONE)
    before = project.user(uid)
    answer = project.owner("POST", path, json={"localId": uid, "targetProjectId": project.id})
    assert answer == {
        "kind": KIND,
        "localId": uid,
        "emailVerified": False,
        "email": A,
        "displayName": "Ann",
        "passwordHash": before["passwordHash"],
        "providerUserInfo": before["providerUserInfo"],
    }
    assert project.user(uid) == before


def test_the_answer_about_a_bare_user(project):
    uid = project.call("signUp", {})["localId"]
    answer = project.change(uid, displayName="Ann")
    answer.pop("providerUserInfo", None)
    assert answer == {"kind": KIND, "localId": uid, "displayName": "Ann"}
    assert "providerUserInfo" not in project.user(uid)
