"""Tokens, rate limits and records follow the project's clock."""

import jwt
import pytest
from support.auth.project import claims
from support.steering import guard, instant, project, unused  # noqa: F401
from support.wire import TOKEN

JWKS = "/www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"
NUMBER = "+15555550100"


# MARK: Tokens


def refresh(project, session: dict) -> dict:
    return project.request(
        "POST",
        TOKEN,
        params={"key": project.id},
        data={"grant_type": "refresh_token", "refresh_token": session["refreshToken"]},
    )


def test_an_id_token_expires(project):
    project.clock(frozen=True)
    email = unused()
    session = project.sign_up(email)
    project.advance("PT59M59S")
    project.call("lookup", {"idToken": session["idToken"]})
    project.advance("PT1S")
    assert project.error("lookup", {"idToken": session["idToken"]}) == "TOKEN_EXPIRED"
    assert (
        project.error("update", {"idToken": session["idToken"], "displayName": "x"})
        == "TOKEN_EXPIRED"
    )
    fresh = refresh(project, session)
    project.call("lookup", {"idToken": fresh["id_token"]})
    told = claims({"idToken": fresh["id_token"]})
    now = int(project.now().timestamp())
    assert (told["iat"], told["exp"]) == (now, now + 3600)
    # The sign-in itself was earlier.
    assert told["auth_time"] == claims(session)["auth_time"] == now - 3600


def test_tokens_are_dated_by_the_clock(project):
    project.clock(frozen=True, now="2033-03-03T03:03:03Z")
    session = project.sign_up(unused())
    now = int(project.now().timestamp())
    told = claims(session)
    assert (told["iat"], told["auth_time"], told["exp"]) == (now, now, now + 3600)


def check(project, token: str) -> dict:
    """As a back end verifies a token: with our keys and its own, real clock."""
    key = jwt.PyJWKClient(project.server.auth + JWKS).get_signing_key_from_jwt(token)
    return jwt.decode(token, key.key, algorithms=["RS256"], audience=project.id)


def test_a_back_end_sees_tokens_of_yesterday_as_expired(project):
    project.advance("-P1D")
    session = project.sign_up(unused())
    with pytest.raises(jwt.ExpiredSignatureError):
        check(project, session["idToken"])
    project.own("DELETE", "/clock")
    assert check(project, refresh(project, session)["id_token"])["sub"] == session["localId"]


def cookie(project, session: dict, seconds: int) -> str:
    return project.admin(
        ":createSessionCookie", {"idToken": session["idToken"], "validDuration": str(seconds)}
    )["sessionCookie"]


def test_a_session_cookie_expires(project):
    project.clock(frozen=True, advance="-P5D")
    session = project.sign_up(unused())
    made = int(project.now().timestamp())
    short, long = cookie(project, session, 3600), cookie(project, session, 14 * 86400)
    for one, seconds in ((short, 3600), (long, 14 * 86400)):
        told = claims({"idToken": one})
        assert (told["iat"], told["exp"]) == (made, made + seconds)
    with pytest.raises(jwt.ExpiredSignatureError):
        check(project, short)
    assert check(project, long)["sub"] == session["localId"]


def test_no_cookie_for_an_expired_token(project):
    session = project.sign_up(unused())
    project.advance("PT61M")
    assert (
        project.admin_error(
            ":createSessionCookie", {"idToken": session["idToken"], "validDuration": "3600"}
        )
        == "TOKEN_EXPIRED"
    )


def test_going_back_leaves_sessions_alone(project):
    email = unused()
    session = project.sign_up(email)
    project.advance("-PT1H")
    project.call("lookup", {"idToken": session["idToken"]})
    refresh(project, session)
    project.sign_in(email)


def test_sessions_end_by_the_clock(project):
    project.clock(frozen=True)
    email = unused()
    session = project.sign_up(email)
    mail = project.reset_mail(email)
    project.advance("PT2S")
    project.call("resetPassword", {"oobCode": mail["oobCode"], "newPassword": "secret2"})
    assert project.error("lookup", {"idToken": session["idToken"]}) == "TOKEN_EXPIRED"
    form = {"grant_type": "refresh_token", "refresh_token": session["refreshToken"]}
    answer = project.request("POST", TOKEN, 400, params={"key": project.id}, data=form)
    assert answer["error"]["message"] == "TOKEN_EXPIRED"
    new = project.sign_in(email, password="secret2")
    project.call("lookup", {"idToken": new["idToken"]})


def test_recent_sign_in(project):
    project.switch(recentLogin=True)
    email = unused()
    session = project.sign_up(email)
    project.advance("PT4M")
    project.call("update", {"idToken": session["idToken"], "password": "secret1"})
    session = project.sign_in(email)
    project.advance("PT6M")
    assert project.error("delete", {"idToken": session["idToken"]}) == (
        "CREDENTIAL_TOO_OLD_LOGIN_AGAIN"
    )
    project.call("delete", {"idToken": project.sign_in(email)["idToken"]})


# MARK: Rate limits


def test_the_window_of_reset_mails(project):
    project.clock(frozen=True)
    project.switch(rateLimits=True, passwordResetLimit=3, rateLimitWindow=600)
    email = unused()
    project.sign_up(email)
    body = {"requestType": "PASSWORD_RESET", "email": email}
    for _ in range(3):
        project.call("sendOobCode", body)
    assert project.error("sendOobCode", body).startswith("RESET_PASSWORD_EXCEED_LIMIT")
    project.advance("PT9M59S")
    assert project.error("sendOobCode", body).startswith("RESET_PASSWORD_EXCEED_LIMIT")
    project.advance("PT1S")
    project.call("sendOobCode", body)


def test_the_window_of_wrong_passwords(project):
    project.switch(rateLimits=True, wrongPasswordLimit=3)
    email = unused()
    project.sign_up(email)
    for _ in range(3):
        assert (
            project.error("signInWithPassword", {"email": email, "password": "wrong-one"})
            == "INVALID_PASSWORD"
        )
    right = {"email": email, "password": "secret1"}
    assert project.error("signInWithPassword", right).startswith("TOO_MANY_ATTEMPTS_TRY_LATER")
    project.advance("PT14M")
    assert project.error("signInWithPassword", right).startswith("TOO_MANY_ATTEMPTS_TRY_LATER")
    project.advance("PT2M")
    project.call("signInWithPassword", right)


# MARK: Records


def test_times_in_records(project):
    project.clock(frozen=True, now="2032-02-02T02:02:02.500Z")
    email = unused()
    uid = project.sign_up(email)["localId"]
    created = str(int(project.now().timestamp() * 1000))
    user = project.user(uid)
    assert (user["createdAt"], user["lastLoginAt"]) == (created, created)
    assert user["passwordUpdatedAt"] == int(created)
    assert instant(user["lastRefreshAt"]) == project.now()
    project.advance("P1D")
    session = project.sign_in(email)
    later = str(int(project.now().timestamp() * 1000))
    user = project.user(uid)
    assert (user["createdAt"], user["lastLoginAt"]) == (created, later)
    project.advance("PT1M")
    refresh(project, session)
    assert instant(project.user(uid)["lastRefreshAt"]) == project.now()
    project.call("update", {"idToken": session["idToken"], "password": "secret3"})
    user = project.user(uid)
    assert user["passwordUpdatedAt"] == int(project.now().timestamp() * 1000)
    assert int(user["validSince"]) == int(project.now().timestamp())


def test_when_a_second_factor_was_enrolled(project):
    project.clock(frozen=True, now="2032-02-02T02:02:02Z")
    session = project.verified(unused())
    project.enroll(session, NUMBER)
    [factor] = project.user(session["localId"])["mfaInfo"]
    assert instant(factor["enrolledAt"]) == project.now()


def test_the_log_of_requests_has_the_projects_time(project):
    project.clock(frozen=True, now="2032-02-02T02:02:02Z")
    project.sign_up(unused())
    assert project.calls()[-1]["time"] == "2032-02-02T02:02:02.000Z"
