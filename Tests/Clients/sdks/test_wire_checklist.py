"""What every SDK needs of the Auth endpoints, and how Android spells requests."""

import time

import pytest
import requests
from support.server import PROJECT
from support.wire import TOKEN, V1, V3, App, decoded, id_token

ALIASES = {
    "createAuthUri": "createAuthUri",
    "deleteAccount": "delete",
    "emailLinkSignin": "signInWithEmailLink",
    "getAccountInfo": "lookup",
    "getOobConfirmationCode": "sendOobCode",
    "resetPassword": "resetPassword",
    "sendVerificationCode": "sendVerificationCode",
    "setAccountInfo": "update",
    "signupNewUser": "signUp",
    "verifyAssertion": "signInWithIdp",
    "verifyCustomToken": "signInWithCustomToken",
    "verifyPassword": "signInWithPassword",
    "verifyPhoneNumber": "signInWithPhoneNumber",
}


@pytest.fixture
def app(hearth) -> App:
    return App(
        hearth,
        {
            "X-Android-Package": "com.example.app",
            "X-Android-Cert": "AA" * 20,
            "X-Client-Version": "Android/Fallback/X24000001/FirebaseCore-Android",
            "X-Firebase-GMPID": "1:1:android:1",
            "X-Firebase-Locale": "",
            "Accept-Language": "en-US",
        },
    )


@pytest.mark.parametrize("old, new", ALIASES.items())
def test_old_and_new_names_answer_alike_with_and_without_host(hearth, old, new):
    paths = [
        V3 + old,
        V3.removeprefix("/www.googleapis.com") + old,
        V1 + new,
        V1.removeprefix("/identitytoolkit.googleapis.com") + new,
    ]
    answers = []
    for path in paths:
        reply = requests.post(
            hearth.auth + path + "?key=any", json={"idToken": "x", "email": ""}, timeout=30
        )
        answers.append((reply.status_code, reply.json()))
    assert answers[0][0] == 400
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.parametrize("form", [True, False])
@pytest.mark.parametrize("names", [("grant_type", "refresh_token"), ("grantType", "refreshToken")])
def test_the_token_endpoint_reads_every_spelling(app, address, form, names):
    session = app.request("POST", V1 + "signUp", json={"email": address, "password": "secret1"})
    body = dict(zip(names, ("refresh_token", session["refreshToken"])))
    answer = app.request("POST", TOKEN, **{"data" if form else "json": body})
    assert answer["access_token"] == answer["id_token"]
    assert answer["expires_in"] == "3600" and answer["token_type"] == "Bearer"
    assert answer["user_id"] == session["localId"]
    assert answer["refresh_token"] and isinstance(answer["project_id"], str)


def test_the_token_endpoint_works_without_the_host(app, address):
    session = app.request("POST", V1 + "signUp", json={})
    answer = app.request(
        "POST",
        "/v1/token",
        data={"grant_type": "refresh_token", "refresh_token": session["refreshToken"]},
    )
    assert answer["user_id"] == session["localId"]


def test_bodies_in_snake_case_with_numbers_for_enums(app, hearth, address):
    app.request(
        "POST",
        V3 + "signupNewUser",
        json={
            "Email": address,
            "password": "secret1",
            "return_secure_token": True,
            "client_type": 2,
        },
    )
    app.request(
        "POST",
        V3 + "getOobConfirmationCode",
        json={"request_type": 1, "email": address, "android_install_app": False},
    )
    code = hearth.mail(address, "PASSWORD_RESET")["oobCode"]
    answer = app.request(
        "POST", V3 + "resetPassword", json={"oob_code": code, "new_password": "secret2"}
    )
    assert answer["email"] == address


@pytest.mark.parametrize(
    "provider, body", [("password", {"email": "ADDRESS", "password": "secret1"}), ("anonymous", {})]
)
def test_id_tokens_carry_what_every_sdk_reads(app, hearth, address, provider, body):
    body = {name: address if value == "ADDRESS" else value for name, value in body.items()}
    claims = id_token(app.request("POST", V1 + "signUp", json=body)["idToken"], provider)
    assert ("email" in claims) == ("email" in body)
    assert ("email_verified" in claims) == ("email" in body)
    assert "name" not in claims and "phone_number" not in claims


def test_everything_known_is_in_the_id_token(app, hearth, address):
    user = hearth.admin(
        "/accounts",
        {
            "email": address,
            "password": "secret1",
            "emailVerified": True,
            "displayName": "Ann",
            "photoUrl": "http://localhost/a.png",
            "phoneNumber": "+15555550155",
        },
    )
    hearth.admin(
        "/accounts:update",
        {"localId": user["localId"], "customAttributes": '{"role":"admin","level":[1,2]}'},
    )
    answer = app.request(
        "POST", V1 + "signInWithPassword", json={"email": address, "password": "secret1"}
    )
    claims = id_token(answer["idToken"], "password")
    expected = {
        "name": "Ann",
        "picture": "http://localhost/a.png",
        "email": address,
        "email_verified": True,
        "phone_number": "+15555550155",
        "role": "admin",
        "level": [1, 2],
    }
    assert expected.items() <= claims.items()
    assert claims["firebase"]["identities"] == {"email": [address], "phone": ["+15555550155"]}


def test_a_fresh_token_is_not_older_than_valid_since(app, address):
    for _ in range(5):
        session = app.request(
            "POST",
            V1 + "signUp",
            json={"email": f"{time.time_ns()}-{address}", "password": "secret1"},
        )
        [user] = app.request("POST", V1 + "lookup", json={"idToken": session["idToken"]})["users"]
        claims = decoded(session["idToken"])[1]
        assert int(user["validSince"]) <= claims["auth_time"] <= claims["iat"]


@pytest.mark.parametrize(
    "authorization, status",
    [
        ("Bearer owner", 200),
        ("bearer OWNER", 200),
        ("Bearer ya29.some-token", 200),
        ("Bearer YA29.some-token", 401),
        ("Bearer unknown", 401),
        ("Basic owner", 403),
        ("owner", 403),
    ],
)
def test_who_counts_as_an_administrator(hearth, authorization, status):
    path = f"/identitytoolkit.googleapis.com/v1/projects/{PROJECT}/accounts:lookup"
    reply = hearth.post(path, {"localId": ["nobody"]}, Authorization=authorization)
    assert reply.status_code == status, reply.text
    if status == 200:
        # Admin Node recognises "not found" by the missing key.
        assert reply.json() == {"kind": "identitytoolkit#GetAccountInfoResponse"}


def test_a_key_alone_does_not_choose_a_project(hearth):
    reply = hearth.post(
        f"/identitytoolkit.googleapis.com/v1/projects/{PROJECT}/accounts:lookup?key=any", {}
    )
    assert reply.json()["error"]["message"] == (
        "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id."
    )


def test_int64_members_are_strings(hearth, app, address):
    app.request("POST", V1 + "signUp", json={"email": address, "password": "secret1"})
    counted = hearth.admin(":queryAccounts", {"returnUserInfo": False})
    assert counted["recordsCount"].isdigit()
    [user] = hearth.admin("/accounts:lookup", {"email": [address]})["users"]
    for name in ("createdAt", "lastLoginAt", "validSince"):
        assert user[name].isdigit()


@pytest.mark.parametrize(
    "method, path",
    [
        ("POST", "/nowhere"),
        ("GET", "/identitytoolkit.googleapis.com/v1/accounts:nothing"),
        ("POST", "/identitytoolkit.googleapis.com/v1/accounts:signUp/"),
        ("POST", "/identitytoolkit.googleapis.com/v1/accounts%3AsignUp"),
    ],
)
def test_unknown_paths_are_not_found_in_the_envelope(hearth, method, path):
    reply = requests.request(method, hearth.auth + path + "?key=any", timeout=30)
    assert reply.status_code == 404
    error = reply.json()["error"]
    assert (error["code"], error["status"]) == (404, "NOT_FOUND")


def test_keys_that_are_demo_projects_do_not_see_each_other(hearth, address):
    body = {"email": address, "password": "secret1"}
    for key in ("demo-one", "demo-two"):
        reply = hearth.post(f"{V1}signUp?key={key}", body)
        assert decoded(reply.json()["idToken"])[1]["aud"] == key
    other = hearth.post(f"{V1}signInWithPassword?key=demo-three", body)
    assert other.json()["error"]["message"] == "EMAIL_NOT_FOUND"
