"""Complete sign-in and password-reset flows of apps against dialects."""

import json
import re
import time
import urllib.parse
import uuid
from datetime import timedelta

import grpc
import pytest
import requests
from support.dialects import playing
from support.firestore.project import STORY_RULES, Firestore
from support.server import Server
from support.steering import SIGN_IN, Steered, guard, instant, project, unused  # noqa: F401
from support.wire import TOKEN

PROJECT = "demo-hearth"


# MARK: Flow 1: Sorted's login


@pytest.fixture
def sorted_app(project):
    """The project with the story's rules and one user's document."""
    project.email = unused()
    project.uid = project.sign_up(project.email)["localId"]
    project.base = Firestore(project.server, project.id)
    project.base.rules(STORY_RULES)
    project.base.rest(
        "PATCH",
        f"/users/{project.uid}",
        json={
            "fields": {
                "email": {"stringValue": project.email},
                "displayName": {"stringValue": "Ana"},
                "createdAt": {"timestampValue": "2026-01-01T00:00:00Z"},
            }
        },
    )
    yield project
    project.base.close()


def test_sorted_signs_in_and_reads_its_user(sorted_app):
    session = sorted_app.sign_in(sorted_app.email)
    document = sorted_app.base.rest("GET", f"/users/{sorted_app.uid}", token=session["idToken"])
    assert document["fields"].keys() == {"email", "displayName", "createdAt"}
    over_grpc = sorted_app.base.call(
        "get_document",
        sorted_app.base.get_request(f"users/{sorted_app.uid}"),
        token=session["idToken"],
    )
    assert sorted_app.base.data(over_grpc)["email"] == sorted_app.email


def test_sorted_refuses_wrong_credentials(sorted_app):
    wrong = {"email": sorted_app.email, "password": "wrong-one"}
    unknown = {"email": unused(), "password": "secret1"}
    assert sorted_app.error("signInWithPassword", wrong) == "INVALID_PASSWORD"
    assert sorted_app.error("signInWithPassword", unknown) == "EMAIL_NOT_FOUND"
    sorted_app.switch(emailEnumerationProtection=True)
    for body in (wrong, unknown):
        assert sorted_app.error("signInWithPassword", body) == "INVALID_LOGIN_CREDENTIALS"


def test_sorted_users_cannot_read_each_other(sorted_app):
    other = sorted_app.sign_up(unused())["idToken"]
    base, path = sorted_app.base, f"users/{sorted_app.uid}"
    for token in (other, None):
        assert base.refused("GET", "/" + path, 403, token=token) == "PERMISSION_DENIED"
        assert base.fails("get_document", base.get_request(path), token=token) == (
            grpc.StatusCode.PERMISSION_DENIED
        )


@pytest.mark.parametrize(
    "effect",
    [
        {"drop": "before"},
        {"drop": "after"},
        {"status": 503},
        {"latency": "400ms"},
        {"slowBody": "1KB/s"},
    ],
)
def test_sorted_on_a_bad_network(sorted_app, effect):
    """The login fails or is slow at either step, and works when the network is back."""

    def sign_in():
        return sorted_app.raw(
            "signInWithPassword", {"email": sorted_app.email, "password": "secret1"}
        )

    def read():
        return requests.get(
            f"{sorted_app.server.addresses['firestore']}/v1/{sorted_app.base.root}"
            f"/users/{sorted_app.uid}",
            headers={"Authorization": f"Bearer {token}"},
            timeout=30,
        )

    token = sign_in().json()["idToken"]
    for operation, call in ((SIGN_IN, sign_in), ("firestore.*.get", read)):
        sorted_app.faults({"operation": operation, "effect": effect, "times": 1})
        begin = time.monotonic()
        if "drop" in effect:
            with pytest.raises(requests.ConnectionError):
                call()
        else:
            reply = call()
            assert reply.status_code == effect.get("status", 200)
            assert time.monotonic() - begin >= (0.4 if "latency" in effect else 0)
        assert call().status_code == 200


def refreshed(project, session: dict, status: int = 200) -> dict:
    return project.request(
        "POST",
        TOKEN,
        status,
        params={"key": project.id},
        data={"grant_type": "refresh_token", "refresh_token": session["refreshToken"]},
    )


def test_sorted_when_the_session_expired(sorted_app):
    session = sorted_app.sign_in(sorted_app.email)
    sorted_app.advance("PT61M")
    assert sorted_app.error("lookup", {"idToken": session["idToken"]}) == "TOKEN_EXPIRED"
    path = f"/users/{sorted_app.uid}"
    assert sorted_app.base.refused("GET", path, 401, token=session["idToken"]) == "UNAUTHENTICATED"
    fresh = refreshed(sorted_app, session)["id_token"]
    sorted_app.base.rest("GET", path, token=fresh)


def test_sorted_when_the_account_is_gone(sorted_app):
    session = sorted_app.sign_in(sorted_app.email)
    sorted_app.admin("/accounts:delete", {"localId": sorted_app.uid})
    assert sorted_app.error("lookup", {"idToken": session["idToken"]}) == "USER_NOT_FOUND"
    message = refreshed(sorted_app, session, 400)["error"]["message"]
    assert message in ("TOKEN_EXPIRED", "USER_NOT_FOUND", "INVALID_REFRESH_TOKEN")


def test_sorted_when_the_account_is_disabled(sorted_app):
    session = sorted_app.sign_in(sorted_app.email)
    sorted_app.admin("/accounts:update", {"localId": sorted_app.uid, "disableUser": True})
    assert (
        sorted_app.error("signInWithPassword", {"email": sorted_app.email, "password": "secret1"})
        == "USER_DISABLED"
    )
    assert sorted_app.error("lookup", {"idToken": session["idToken"]}) == "USER_DISABLED"
    assert refreshed(sorted_app, session, 400)["error"]["message"] == "USER_DISABLED"


# MARK: Flow 2: Sorted's password reset


@pytest.mark.parametrize("how", ["app", "page"])
def test_sorted_resets(project, how):
    email = unused()
    project.sign_up(email)
    session = project.sign_in(email)
    project.advance("PT2S")
    mail = project.reset_mail(email)
    assert mail["oobCode"] in mail["oobLink"]
    assert mail["oobLink"] in mail["text"]
    assert urllib.parse.urlsplit(mail["oobLink"]).query.replace("&", "&amp;") in mail["html"]
    if how == "app":
        asked = project.call("resetPassword", {"oobCode": mail["oobCode"]})
        assert (asked["email"], asked["requestType"]) == (email, "PASSWORD_RESET")
        project.call("resetPassword", {"oobCode": mail["oobCode"], "newPassword": "secret2"})
    else:
        page = requests.get(mail["oobLink"], headers={"Accept": "text/html"}, timeout=30)
        assert 'name="newPassword"' in page.text and page.status_code == 200
        done = requests.post(
            mail["oobLink"],
            data={"newPassword": "secret2"},
            headers={"Accept": "text/html"},
            timeout=30,
        )
        assert done.status_code == 200
    new = project.sign_in(email, password="secret2")
    project.call("lookup", {"idToken": new["idToken"]})
    assert (
        project.error("signInWithPassword", {"email": email, "password": "secret1"})
        == "INVALID_PASSWORD"
    )
    assert project.error("lookup", {"idToken": session["idToken"]}) == "TOKEN_EXPIRED"
    assert refreshed(project, session, 400)["error"]["message"] == "TOKEN_EXPIRED"
    # Twice is once too often.
    assert (
        project.error("resetPassword", {"oobCode": mail["oobCode"], "newPassword": "secret3"})
        == "INVALID_OOB_CODE"
    )
    assert project.messages(to=email)[-1]["usedAt"]


def test_sorted_does_not_reset_unknown_addresses(project):
    known, unknown = unused(), unused("nobody")
    project.sign_up(known)
    body = {"requestType": "PASSWORD_RESET", "email": unknown}
    assert project.error("sendOobCode", body) == "EMAIL_NOT_FOUND"
    project.switch(emailEnumerationProtection=True)
    answers = []
    for email in (known, unknown):
        answer = project.call("sendOobCode", {**body, "email": email})
        assert answer.pop("email") == email
        answers.append(answer)
    assert answers[0] == answers[1]
    assert project.messages(to=unknown) == [] and len(project.messages(to=known)) == 1


@pytest.mark.parametrize("email", ["no address", "ana", "@", "ana@"])
def test_sorted_refuses_a_malformed_address(project, email):
    assert (
        project.error("sendOobCode", {"requestType": "PASSWORD_RESET", "email": email})
        == "INVALID_EMAIL"
    )


def test_sorted_refuses_a_malformed_address_under_enumeration_protection(project):
    project.switch(emailEnumerationProtection=True)
    assert (
        project.error("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "no address"})
        == "INVALID_EMAIL"
    )


@pytest.mark.parametrize("is_secret", [False, True])
def test_an_address_that_an_account_has_is_never_malformed(project, is_secret):
    """As with the official emulator, a provider may give any string as the address."""
    odd = f"no address {uuid.uuid4().hex}"
    claims = json.dumps({"sub": uuid.uuid4().hex, "email": odd, "email_verified": True})
    project.call(
        "signInWithIdp",
        {
            "requestUri": "http://localhost",
            "returnSecureToken": True,
            "postBody": urllib.parse.urlencode({"id_token": claims, "providerId": "google.com"}),
        },
    )
    project.switch(emailEnumerationProtection=is_secret)
    assert project.reset_mail(odd)["to"] == odd


def test_sorted_with_a_link_of_more_than_an_hour_ago(project):
    email = unused()
    project.sign_up(email)
    mail = project.reset_mail(email)
    project.advance("PT61M")
    assert (
        project.error("resetPassword", {"oobCode": mail["oobCode"], "newPassword": "secret2"})
        == "EXPIRED_OOB_CODE"
    )
    project.sign_in(email)


def test_sorted_with_many_taps(project):
    email = unused()
    project.sign_up(email)
    project.switch(rateLimits=True)
    body = {"requestType": "PASSWORD_RESET", "email": email}
    replies = [project.raw("sendOobCode", body) for _ in range(8)]
    assert [reply.status_code for reply in replies] == [200] * 5 + [400] * 3
    assert (
        replies[-1]
        .json()["error"]["message"]
        .startswith(("RESET_PASSWORD_EXCEED_LIMIT", "TOO_MANY_ATTEMPTS_TRY_LATER"))
    )
    assert len(project.messages(to=email)) == 5


def test_sorted_on_a_slow_network(project):
    email = unused()
    project.sign_up(email)
    # Much longer than a second: this process may stand still while that passes.
    project.faults({"operation": "*.sendOobCode", "effect": {"latency": "8s"}})
    with pytest.raises(requests.Timeout):
        project.raw("sendOobCode", {"requestType": "PASSWORD_RESET", "email": email}, timeout=1)
    project.faults({"operation": "*.sendOobCode", "effect": {"latency": "1s"}})
    assert (
        project.raw("sendOobCode", {"requestType": "PASSWORD_RESET", "email": email}).status_code
        == 200
    )


def test_sorted_prints_the_link():
    server = Server()
    told = Steered(server, PROJECT)
    email = unused()
    told.sign_up(email)
    link = told.reset_mail(email)["oobLink"]
    server.stop()
    assert any(email in line and link in line for line in server.lines)


# MARK: Flow 3: SwiftlyFeedback


def firebase_session(played, email: str) -> dict:
    session = played.sign_in(email)
    played.advance("PT2S")
    return session


def ends_firebase_session(played, session: dict) -> None:
    assert played.error("lookup", {"idToken": session["idToken"]}) == "TOKEN_EXPIRED"
    assert refreshed(played, session, 400)["error"]["message"] == "TOKEN_EXPIRED"


def test_swiftly_feedback(tmp_path):
    with playing("swiftly-feedback", tmp_path) as played:
        email = unused()
        played.sign_up(email, displayName="Ana")
        old = firebase_session(played, email)
        token = played.ask("/auth/login", {"email": email, "password": "secret1"})["token"]
        assert played.look("/auth/me", f"Bearer {token}")["email"] == email
        told = played.ask("/auth/forgot-password", {"email": email})
        assert told == played.ask("/auth/forgot-password", {"email": unused()})
        assert told.keys() == {"message"}
        refusal = played.ask("/auth/forgot-password", {"email": "no address"}, 400)
        assert refusal["error"] is True and refusal.keys() == {"error", "reason"}
        mail = played.mail(email)
        assert mail["subject"] == "Reset your Swiftly Feedback password"
        assert re.fullmatch("[ABCDEFGHJKMNPQRSTUVWXYZ23456789]{8}", mail["oobCode"])
        assert "1 hour" in mail["text"] and mail["oobCode"] in mail["text"]
        body = {"code": mail["oobCode"].lower(), "new_password": "new-password"}
        played.ask("/auth/reset-password", body | {"new_password": "1234567"}, 400)
        played.ask("/auth/reset-password", body | {"code": "ZZZZZZZZ"}, 404)
        assert played.ask("/auth/reset-password", body).keys() == {"message"}
        played.ask("/auth/reset-password", body, 400)
        played.look("/auth/me", f"Bearer {token}", 401)
        played.ask("/auth/login", {"email": email, "password": "secret1"}, 401)
        session = played.ask("/auth/login", {"email": email, "password": "new-password"})
        assert session.keys() == {"token", "user"}
        played.look("/auth/me", f"Bearer {session['token']}")
        assert played.signs_in(email, "new-password") and not played.signs_in(email, "secret1")
        ends_firebase_session(played, old)
        # Expired, and replaced by a newer one.
        played.ask("/auth/forgot-password", {"email": email})
        older = played.mail(email)["oobCode"]
        played.ask("/auth/forgot-password", {"email": email})
        newer = played.mail(email)["oobCode"]
        played.ask("/auth/reset-password", {"code": older, "new_password": "new-password"}, 404)
        played.advance("PT61M")
        played.ask("/auth/reset-password", {"code": newer, "new_password": "new-password"}, 410)


def test_swiftly_feedback_ends_sessions_of_the_same_second(tmp_path):
    """A session that began in the second of the reset was one of the old password."""
    with playing("swiftly-feedback", tmp_path) as played:
        email = unused()
        played.clock(frozen=True)
        played.sign_up(email)
        token = played.ask("/auth/login", {"email": email, "password": "secret1"})["token"]
        played.ask("/auth/forgot-password", {"email": email})
        played.ask(
            "/auth/reset-password",
            {"code": played.mail(email)["oobCode"], "new_password": "new-password"},
        )
        played.look("/auth/me", f"Bearer {token}", 401)
        new = played.ask("/auth/login", {"email": email, "password": "new-password"})["token"]
        played.look("/auth/me", f"Bearer {new}")


# MARK: Flow 4: Jabrutouch

NEW_APP = {"User_Agent": "Jabrutouch/2.0 (iPhone; iOS 18.1)"}
INVALID = {"success": False, "error": "Token is invalid or has expired."}


def test_jabrutouch(tmp_path):
    with playing("jabrutouch", tmp_path) as played:
        email = unused()
        played.sign_up(email)
        old = firebase_session(played, email)
        token = played.ask("/login/", {"email": email, "password": "secret1"})["token"]
        played.look("/user/", f"Token {token}")
        told = played.ask("/reset_password/", {"email": email}, **NEW_APP)
        assert told["success"] is True and told["message"].startswith("If an account exists")
        assert told == played.ask("/reset_password/", {"email": unused()}, **NEW_APP)
        mail = played.mail(email)
        assert mail["oobLink"] == (
            f"https://jabrutouch.page.link/?type=reset_password&token={mail['oobCode']}"
        )
        assert len(mail["oobCode"]) <= 64
        body = {"token": mail["oobCode"], "new_password": "new-password"}
        done = played.ask("/confirm_reset_password/", body)
        assert done["success"] is True and done.keys() == {"success", "message"}
        assert played.ask("/confirm_reset_password/", body, 400) == INVALID
        notice = played.mail(email)
        assert "changed" in notice["subject"] and "oobCode" not in notice
        played.look("/user/", f"Token {token}", 401)
        played.ask("/login/", {"email": email, "password": "secret1"}, 401)
        played.ask("/login/", {"email": email, "password": "new-password"})
        assert played.signs_in(email, "new-password") and not played.signs_in(email, "secret1")
        ends_firebase_session(played, old)


def test_jabrutouchs_token_dies_after_five_attempts_and_after_its_time(tmp_path):
    with playing("jabrutouch", tmp_path) as played:
        email = unused()
        played.sign_up(email)
        played.ask("/reset_password/", {"email": email}, **NEW_APP)
        body = {"token": played.mail(email)["oobCode"], "new_password": "short"}
        for _ in range(5):
            assert played.ask("/confirm_reset_password/", body, 400)["error"].startswith("Password")
        body["new_password"] = "new-password"
        assert played.ask("/confirm_reset_password/", body, 400) == INVALID
        played.advance("PT2M")
        played.ask("/reset_password/", {"email": email}, **NEW_APP)
        body["token"] = played.mail(email)["oobCode"]
        played.advance("PT2H")
        assert played.ask("/confirm_reset_password/", body, 400) == INVALID
        assert played.signs_in(email, "secret1")


def test_jabrutouch_asks_three_times_an_hour_and_once_a_minute(tmp_path):
    with playing("jabrutouch", tmp_path) as played:
        email = unused()
        played.sign_up(email)
        # Nothing passes by itself.
        played.clock(frozen=True)
        counts = []
        for pause in ("PT30S", "PT31S", "PT61S", "PT61S", "PT61M", "PT61S"):
            played.ask("/reset_password/", {"email": email}, **NEW_APP)
            counts.append(len(played.messages(to=email)))
            played.advance(pause)
        assert counts == [1, 1, 2, 3, 3, 4]


def test_jabrutouchs_old_clients_are_mailed_a_password(tmp_path):
    with playing("jabrutouch", tmp_path) as played:
        email = unused()
        played.sign_up(email)
        old = firebase_session(played, email)
        for headers in ({"User_Agent": "Jabrutouch/1.9"}, {}):
            told = played.ask("/reset_password/", {"email": unused()}, **headers)
            assert told.keys() == {"message", "user_exist_status"}
            assert told["user_exist_status"] is False
        told = played.ask("/reset_password/", {"email": email}, User_Agent="Jabrutouch/1.9")
        assert told["user_exist_status"] is True
        password = played.mail(email)["oobCode"]
        assert password in played.mail(email)["text"]
        played.ask("/login/", {"email": email, "password": "secret1"}, 401)
        played.ask("/login/", {"email": email, "password": password})
        assert played.signs_in(email, password) and not played.signs_in(email, "secret1")
        ends_firebase_session(played, old)


# MARK: Flow 5: Artitec


def test_artitec(tmp_path):
    with playing("artitec", tmp_path) as played:
        email = unused()
        uid = played.sign_up(email)["localId"]
        old = firebase_session(played, email)
        login = played.ask("/login", {"email": email, "password": "secret1"})
        assert {"access_token", "refresh_token", "user"} <= login.keys()
        begin = played.now()
        told = played.ask("/forgot-password", {"email": email})
        end = played.now()
        assert told.keys() == {"message"} and told == played.ask(
            "/forgot-password", {"email": unused()}
        )
        mail = played.mail(email)
        assert mail["oobLink"] == f"artitec://reset-password?token={mail['oobCode']}"
        body = {"token": mail["oobCode"]}
        valid = played.ask("/verify-reset-token", body)
        assert valid.keys() == {"valid", "message", "expires_at", "user_email"}
        assert valid["valid"] is True and valid["user_email"] == email
        # A time may be told without its fraction.
        hour, second = timedelta(hours=1), timedelta(seconds=1)
        assert begin + hour - second <= instant(valid["expires_at"]) <= end + hour
        invalid = played.ask("/verify-reset-token", {"token": "nonsense"})
        assert invalid.keys() == {"valid", "message"} and invalid["valid"] is False
        for weak in ("Sh0rt", "passw0rd", "PASSW0RD", "Password"):
            refusal = played.ask("/reset-password", body | {"new_password": weak}, 400)
            assert "Password" in refusal["detail"] and "expired" not in refusal["detail"]
        done = played.ask("/reset-password", body | {"new_password": "New-Passw0rd"})
        assert done.keys() == {"message", "user_id"} and done["user_id"] == uid
        played.ask("/login", {"email": email, "password": "secret1"}, 401)
        played.ask("/login", {"email": email, "password": "New-Passw0rd"})
        played.look("/me", f"Bearer {login['access_token']}", 401)
        played.ask("/refresh", {"refresh_token": login["refresh_token"]}, 401)
        assert played.signs_in(email, "New-Passw0rd") and not played.signs_in(email, "secret1")
        ends_firebase_session(played, old)


def test_artitecs_expired_and_web_links(tmp_path):
    with playing("artitec", tmp_path) as played:
        email = unused()
        played.sign_up(email)
        played.ask("/forgot-password", {"email": email}, User_Agent="Mozilla/5.0 (Macintosh)")
        mail = played.mail(email)
        assert mail["oobLink"] == f"https://artitec.com/reset-password?token={mail['oobCode']}"
        played.advance("PT61M")
        refusal = played.ask(
            "/reset-password", {"token": mail["oobCode"], "new_password": "New-Passw0rd"}, 400
        )
        assert "expired" in refusal["detail"]
        assert played.ask("/verify-reset-token", {"token": mail["oobCode"]})["valid"] is False
