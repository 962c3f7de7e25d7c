"""Updating an account with an out-of-band code."""

import pytest
from support.auth.project import check_error
from support.auth.sign_up import hearth  # noqa: F401
from support.auth.update import UPDATES, entries, only, password_entry, project  # noqa: F401
from support.wire import unsigned

TOKENS = {"idToken", "refreshToken", "expiresIn"}
REDACTED = "UkVEQUNURUQ="
OPEN = {"allowPasswordSignup": True, "enableEmailLinkSignin": True, "enableAnonymousUser": True}
A, B, C, D = "a@example.com", "b@example.com", "c@example.com", "d@example.com"
PHONE, OTHER_PHONE = "+15555550100", "+15555550101"
KIND = "identitytoolkit#SetAccountInfoResponse"
GOOGLE = {"providerId": "google.com", "rawId": "g1"}
APPLE = {"providerId": "apple.com", "rawId": "a1"}


# MARK: Redeeming a code


def answered(uid: str, **more) -> dict:
    return {"kind": KIND, "localId": uid, "emailVerified": True, **more}


IGNORED_BESIDE_A_CODE = {
    "displayName": "x",
    "photoUrl": "x",
    "password": "short",
    "validSince": "1",
    "disableUser": True,
    "deleteAttribute": ["DISPLAY_NAME"],
    "phoneNumber": "1",
    "emailVerified": False,
    "createdAt": "1",
    "lastLoginAt": "1",
    "deletePasskey": ["x"],
    "mfa": {"enrollments": [{"phoneInfo": "1"}]},
    "idToken": "x",
}


@UPDATES
@pytest.mark.parametrize("more", [{}, IGNORED_BESIDE_A_CODE], ids=["alone", "with others"])
@pytest.mark.parametrize(
    "user",
    [{"password": "secret1"}, {"disabled": True}, {"displayName": "Ann"}],
    ids=["plain", "disabled", "without password"],
)
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
    """No initial address. The old one gets a mail, as in production."""
    uid = project.make(email=A, password="secret1")
    before = project.user(uid)
    code = project.oob("VERIFY_AND_CHANGE_EMAIL", newEmail=B.upper())
    answer = project.post(path, {"oobCode": code})
    assert answer == answered(
        uid, email=B, newEmail=B, passwordHash=REDACTED, providerUserInfo=[password_entry(B)]
    )
    after = project.user(uid)
    assert (after["email"], after["emailVerified"]) == (B, True)
    only(before, after, "email", "emailVerified", "providerUserInfo")
    [code] = project.pending()
    assert (code["requestType"], code["email"]) == ("RECOVER_EMAIL", A)
    [mail] = project.sent_messages()
    assert (mail["to"], mail["oobCode"]) == (A, code["oobCode"])
    project.sign_in(B)
    assert (
        project.error("signInWithPassword", {"email": A, "password": "secret1"})
        == "EMAIL_NOT_FOUND"
    )


@UPDATES
def test_a_code_recovers_an_address(project, path):
    """`initialEmail` stays."""
    session = project.sign_up(A)
    project.mine(session, email=B)
    [record] = project.pending()
    assert record["requestType"] == "RECOVER_EMAIL" and record["email"] == A
    before = project.user(session["localId"])
    answer = project.post(path, {"oobCode": record["oobCode"]})
    assert answer == answered(
        session["localId"], email=A, passwordHash=REDACTED, providerUserInfo=[password_entry(A)]
    )
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
        "INVALID_OOB_CODE"
    )
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
def test_a_code_belongs_to_its_address(project, kind):
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
    body = {
        "oobCode": project.oob("VERIFY_EMAIL"),
        "deleteProvider": ["google.com", "phone"],
        "linkProviderUserInfo": APPLE,
    }
    answer = project.change("any", **body) if admin else project.call("update", body)
    assert answer["localId"] == uid and entries(answer) == ["password", "apple.com"]
    record = project.user(uid)
    assert entries(record) == ["password", "apple.com"] and "phoneNumber" not in record
    assert record["emailVerified"] is True


def test_a_code_of_an_administrator(project):
    """The code's user is meant, whichever user `localId` names; no tokens."""
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
