"""The first requests of an app, with whole answers as production was recorded to give them."""

import pytest
import requests
from support.auth.production import Production

ANN = "ann@example.com"
ENTRY = {"providerId": "password", "federatedId": ANN, "email": ANN, "rawId": ANN}
TOKENS = {"idToken", "refreshToken", "expiresIn", "localId", "kind"}
WRONG = "INVALID_LOGIN_CREDENTIALS"


@pytest.fixture
def project(hearth) -> Production:
    return Production(hearth)


def sign_in(project: Production, **fields) -> tuple:
    body = {"email": ANN, "password": "password123", "returnSecureToken": True} | fields
    return project.to_v1("signInWithPassword", **body)


def test_the_life_of_an_account(project):
    body = {"email": ANN, "password": "password123", "returnSecureToken": True}
    made = project.ok(*project.to_v1("signUp", **body))
    assert made.keys() == TOKENS | {"email"} and made["email"] == ANN
    assert project.refusal(*project.to_v1("signUp", **body)) == "EMAIL_EXISTS"

    session = project.ok(*sign_in(project))
    assert session.keys() == TOKENS | {"email", "displayName", "registered"}
    assert (session["displayName"], session["registered"]) == ("", True)
    assert project.refusal(*sign_in(project, password="wrong")) == WRONG
    assert project.refusal(*sign_in(project, email="nobody@example.com")) == WRONG

    token = session["idToken"]
    [user] = project.ok(*project.to_v1("lookup", idToken=token))["users"]
    times = {"passwordUpdatedAt", "validSince", "createdAt", "lastLoginAt", "lastRefreshAt"}
    assert {name: value for name, value in user.items() if name not in times} == {
        "localId": session["localId"],
        "email": ANN,
        "passwordHash": "UkVEQUNURUQ=",
        "emailVerified": False,
        "providerUserInfo": [ENTRY],
    }

    changed = project.ok(
        *project.to_v1("update", idToken=token, displayName="Ann", returnSecureToken=False)
    )
    assert changed == {
        "kind": "identitytoolkit#SetAccountInfoResponse",
        "localId": session["localId"],
        "email": ANN,
        "displayName": "Ann",
        "providerUserInfo": [ENTRY | {"displayName": "Ann"}],
        "passwordHash": "UkVEQUNURUQ=",
        "emailVerified": False,
    }
    gone = project.ok(*project.to_v1("delete", idToken=token))
    assert gone == {"kind": "identitytoolkit#DeleteAccountResponse"}
    assert project.refusal(*sign_in(project)) == WRONG


def test_an_anonymous_account(project):
    made = project.ok(*project.to_v1("signUp", returnSecureToken=True))
    assert made.keys() == TOKENS
    [user] = project.ok(*project.to_v1("lookup", idToken=made["idToken"]))["users"]
    assert user.keys() == {"localId", "createdAt", "lastLoginAt", "lastRefreshAt"}
    assert project.ok(*project.to_v1("delete", idToken=made["idToken"])).keys() == {"kind"}


@pytest.mark.parametrize(
    "verb, body, message",
    [
        ("signUp", {"email": "none", "password": "password123"}, "INVALID_EMAIL"),
        (
            "signUp",
            {"email": ANN, "password": "short"},
            "WEAK_PASSWORD : Password should be at least 6 characters",
        ),
        ("signUp", {"email": ANN}, "MISSING_PASSWORD"),
        ("signUp", {"password": "password123"}, "MISSING_EMAIL"),
        ("lookup", {"idToken": "nonsense"}, "INVALID_ID_TOKEN"),
        (
            "signInWithCustomToken",
            {"token": "nonsense"},
            "INVALID_CUSTOM_TOKEN : Invalid assertion format. 3 dot separated segments required.",
        ),
        ("resetPassword", {"oobCode": "nonsense", "newPassword": "password1"}, "INVALID_OOB_CODE"),
        ("update", {"oobCode": "nonsense"}, "INVALID_OOB_CODE"),
    ],
)
def test_what_is_refused(project, verb, body, message):
    assert project.refusal(*project.to_v1(verb, **body)) == message


def test_a_second_factor_without_a_token(project):
    body = {"phoneEnrollmentInfo": {"phoneNumber": "+16505550101"}}
    assert project.refusal(*project.to_v2("mfaEnrollment:start", **body)) == "INVALID_ID_TOKEN"


def test_a_reset_for_nobody(project):
    address = "nobody@example.com"
    call = project.to_v1("sendOobCode", requestType="PASSWORD_RESET", email=address)
    answer = project.ok(*call)
    assert answer == {"kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": address}


def test_a_method_that_is_none_is_a_page(project):
    reply = requests.post(
        f"{project.server.auth}/identitytoolkit.googleapis.com/v1/accounts:none?key=any",
        json={},
        timeout=30,
    )
    assert reply.status_code == 404 and reply.headers["Content-Type"].startswith("text/html")
