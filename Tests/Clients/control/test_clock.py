"""A project's clock: everything that looks at time follows it, and nothing of another project."""

import base64
import contextlib
import hashlib
import hmac
import os
import struct
import subprocess
import time
import uuid
from datetime import timedelta

import grpc
import jwt
import pytest
import requests

from support.auth.project import claims
from support.server import Server, binary
from support.firestore.project import Firestore, Listener
from support.steering import (  # noqa: F401
    Steered, guard, instant, near, project, real, unused)
from support.wire import TOKEN

JWKS = "/www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"
NUMBER = "+15555550100"


# MARK: The endpoint


def test_a_clock_that_nobody_moved(project):
    clock = project.clock()
    assert clock.keys() == {"now", "offset", "frozen"}
    assert (clock["offset"], clock["frozen"]) == ("PT0S", False)
    assert near(instant(clock["now"]), real())


def test_it_is_moved_ahead_and_back_and_goes_on(project):
    assert project.clock(advance="PT2H")["offset"] == "PT2H"
    assert near(project.now(), real() + timedelta(hours=2))
    assert project.clock(advance="P1DT30M")["offset"] == "P1DT2H30M"
    assert near(project.now(), real() + timedelta(days=1, hours=2, minutes=30))
    project.advance("-P2D")
    assert near(project.now(), real() - timedelta(hours=21, minutes=30))
    before = project.now()
    time.sleep(0.1)
    assert timedelta(seconds=0.1) <= project.now() - before < timedelta(seconds=5)


@pytest.mark.parametrize("duration, expected", [
    ("PT1S", timedelta(seconds=1)), ("PT0.5S", timedelta(seconds=0.5)),
    ("PT90M", timedelta(minutes=90)), ("P1W", timedelta(weeks=1)), ("P365D", timedelta(days=365)),
    ("+PT1H", timedelta(hours=1)), ("-PT1H", timedelta(hours=-1)), ("PT0S", timedelta()),
    ("P1DT1H1M1S", timedelta(days=1, hours=1, minutes=1, seconds=1)),
    ("2h", timedelta(hours=2)), ("-1d", timedelta(days=-1)), ("1500ms", timedelta(seconds=1.5)),
    ("1w2d3h4m5s6ms", timedelta(weeks=1, days=2, hours=3, minutes=4, seconds=5, milliseconds=6)),
])
def test_durations(project, duration, expected):
    start = instant(project.clock(frozen=True)["now"])
    assert instant(project.clock(advance=duration)["now"]) - start == expected


@pytest.mark.parametrize("given, shown", [
    ("2027-01-31T09:30:00Z", "2027-01-31T09:30:00.000Z"),
    ("2027-01-31T09:30:00.250Z", "2027-01-31T09:30:00.250Z"),
    ("2027-01-31T09:30:00+02:00", "2027-01-31T07:30:00.000Z"),
    ("1999-12-31T23:59:59Z", "1999-12-31T23:59:59.000Z"),
    ("2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"),
])
def test_it_is_set(project, given, shown):
    project.clock(frozen=True)
    assert project.clock(now=given) == {**project.clock(), "now": shown, "frozen": True}
    assert project.clock(frozen=False)["frozen"] is False
    assert near(project.now(), instant(shown))
    project.clock(now=given)
    time.sleep(0.05)
    assert timedelta(seconds=0.05) <= project.now() - instant(shown) < timedelta(seconds=5)


def test_it_stands_and_goes_on_from_there(project):
    frozen = project.clock(frozen=True)
    assert frozen["frozen"] is True
    time.sleep(0.1)
    assert project.clock()["now"] == frozen["now"]
    moved = project.clock(advance="PT1H")
    assert instant(moved["now"]) - instant(frozen["now"]) == timedelta(hours=1)
    assert project.clock()["now"] == moved["now"]
    assert project.clock(frozen=True)["now"] == moved["now"]
    running = instant(project.clock(frozen=False)["now"])
    assert timedelta() <= running - instant(moved["now"]) < timedelta(seconds=5)
    time.sleep(0.05)
    assert project.now() > running


def test_all_in_one(project):
    clock = project.clock(frozen=True, now="2030-01-01T00:00:00Z", advance="PT1H")
    assert clock["now"] == "2030-01-01T01:00:00.000Z" and clock["frozen"] is True


def test_back_to_real_time(project):
    for change in ({"advance": "P9D"}, {"now": "2030-01-01T00:00:00Z"}, {"frozen": True}):
        project.clock(**change)
        clock = project.own("DELETE", "/clock")
        assert (clock["offset"], clock["frozen"]) == ("PT0S", False)
        assert near(instant(clock["now"]), real())
        assert project.clock()["offset"] == "PT0S"


@pytest.mark.parametrize("given, pointer", [
    ({"advance": "2"}, "/advance"), ({"advance": ""}, "/advance"), ({"advance": "P"}, "/advance"),
    ({"advance": "PT"}, "/advance"), ({"advance": "PT1"}, "/advance"),
    ({"advance": "1H"}, "/advance"), ({"advance": "PTH"}, "/advance"),
    ({"advance": "P1H"}, "/advance"), ({"advance": "PT1D"}, "/advance"),
    ({"advance": "P1Y"}, "/advance"), ({"advance": "P1M"}, "/advance"),
    ({"advance": "PT1X"}, "/advance"), ({"advance": "--PT1H"}, "/advance"),
    ({"advance": 7200}, "/advance"), ({"advance": None}, "/advance"),
    ({"advance": "PT1H", "now": "x"}, "/now"), ({"now": "tomorrow"}, "/now"),
    ({"now": ""}, "/now"), ({"now": 1800000000}, "/now"), ({"now": "2027-01-31"}, "/now"),
    ({"now": "2027-01-31T09:30:00"}, "/now"), ({"now": "2027-13-01T00:00:00Z"}, "/now"),
    ({"now": "2027-01-31T24:00:00Z"}, "/now"), ({"now": "2027-01-32T00:00:00Z"}, "/now"),
    ({"frozen": "yes"}, "/frozen"), ({"frozen": 1}, "/frozen"),
    ({"frozen": True, "advance": "x"}, "/advance"), ({"offset": "PT1H"}, "/offset"),
    ({"advance": "PT1H", "freeze": True}, "/freeze"),
    *(({"now": time}, "/now")
      for time in ("9999-01-01T00:00:00Z", "9999-12-31T23:59:59.500Z", "2027-02-30T00:00:00Z", "2027-02-29T00:00:00Z", "2027-04-31T00:00:00Z")),
    *(({"advance": text}, "/advance")
      for text in ("P1DT", "PT1.S", "PT1S1H", "PT1H1H")),
])
def test_a_mistake_is_told_and_changes_nothing(project, given, pointer):
    kept = project.clock(frozen=True, advance="PT1H")
    message = project.complaint("PATCH", "/clock", given)
    assert message.startswith(f"INVALID_ARGUMENT : {pointer} "), message
    assert project.clock() == kept


@pytest.mark.parametrize("body", ["{", "[]", "5", "null"])
def test_a_body_that_is_no_object_is_refused(project, body):
    assert project.complaint("PATCH", "/clock", body)
    assert project.clock()["offset"] == "PT0S"


@pytest.mark.parametrize("changes", [
    [{"advance": "P" + "1000000000W" * 20}],
    [{"advance": "-P" + "1000000000W" * 20}],
    [{"advance": "P1000000000W"}] * 3,
    [{"advance": "-P1000000000W"}] * 20,
    [{"now": "9998-12-31T23:59:59Z"}, {"advance": "P1D"}],
    [{"now": "0000-01-01T00:00:00Z"}, {"advance": "-P1D"}],
    [{"now": "0001-01-01T00:00:00Z"}],
    [{"frozen": True}, *[{"advance": "P1000000000W"}] * 20],
], ids=range(8))
def test_far_away_times_do_no_harm(changes):
    """Refused or followed; the server goes on, and what it answers can be read."""
    server = Server()
    far = Steered(server)
    try:
        for change in changes:
            requests.patch(
                server.auth + far.control + "/clock", json=change, timeout=10)
        far.raw("signUp", {"email": unused(), "password": "secret1"}, timeout=10)
        with contextlib.closing(Firestore(server, far.id)) as base:
            written = base.rest("PATCH", "/c/d", json={"fields": {}})
            assert 1 <= int(written["updateTime"][:4]) and written["updateTime"][4] == "-"
        far.own("DELETE", "/clock")
        far.sign_in(far.sign_up(unused())["email"])
    finally:
        server.kill()


def test_only_that_project_moves(project):
    other = Steered(project.server)
    email = unused()
    session = other.sign_up(email)
    mail = other.reset_mail(email)
    project.advance("P400D")
    assert other.clock()["offset"] == "PT0S" and near(other.now(), real())
    other.call("lookup", {"idToken": session["idToken"]})
    other.call("resetPassword", {"oobCode": mail["oobCode"]})
    assert near(instant(project.clock()["now"]), real() + timedelta(days=400))


def test_projects_move_apart(project):
    other = Steered(project.server)
    project.advance("PT1H")
    other.advance("-PT1H")
    assert near(project.now() - timedelta(hours=2), other.now())


def test_a_tenant_goes_with_its_project(project):
    tenant = project.tenant(allowPasswordSignup=True)
    session = project.sign_up(unused(), tenantId=tenant)
    project.advance("PT61M")
    assert project.error("lookup", {"idToken": session["idToken"], "tenantId": tenant}) == (
        "TOKEN_EXPIRED")


# MARK: Codes in mails


def oob(project, kind: str, email: str) -> str:
    more = {}
    if kind in ("VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"):
        more = {"idToken": project.sign_up(email)["idToken"]}
    if kind == "VERIFY_AND_CHANGE_EMAIL":
        more["newEmail"] = unused("new")
    if kind == "PASSWORD_RESET":
        project.sign_up(email)
    if kind == "EMAIL_SIGNIN":
        more = {"continueUrl": "http://localhost/"}
    if kind != "VERIFY_EMAIL":
        more["email"] = email
    project.call("sendOobCode", {"requestType": kind, **more})
    return project.messages(type=kind)[-1]["oobCode"]


def redeem(project, kind: str, email: str, code: str, status: int) -> dict:
    if kind == "PASSWORD_RESET":
        return project.call("resetPassword", {"oobCode": code, "newPassword": "secret2"}, status)
    if kind == "EMAIL_SIGNIN":
        return project.call("signInWithEmailLink", {"oobCode": code, "email": email}, status)
    return project.call("update", {"oobCode": code}, status)


@pytest.mark.parametrize("kind, almost, over", [
    ("PASSWORD_RESET", "PT59M59S", "PT1H"), ("EMAIL_SIGNIN", "PT5H59M59S", "PT6H"),
    ("VERIFY_EMAIL", "P2DT23H59M59S", "P3D"),
    ("VERIFY_AND_CHANGE_EMAIL", "P2DT23H59M59S", "P3D"),
])
def test_codes_of_mails_expire(project, kind, almost, over):
    project.clock(frozen=True)
    email = unused()
    code = oob(project, kind, email)
    project.advance(over)
    answer = redeem(project, kind, email, code, 400)
    assert answer["error"]["message"] == "EXPIRED_OOB_CODE"
    project.advance("-" + over)
    project.advance(almost)
    redeem(project, kind, email, code, 200)


def test_an_expired_code_cannot_be_looked_at_and_a_new_one_comes(project):
    email = unused()
    project.sign_up(email)
    first = project.reset_mail(email)
    project.advance("PT61M")
    assert project.error("resetPassword", {"oobCode": first["oobCode"]}) == "EXPIRED_OOB_CODE"
    second = project.reset_mail(email)
    project.call("resetPassword", {"oobCode": second["oobCode"], "newPassword": "secret2"})
    project.sign_in(email, password="secret2")


def test_the_page_of_an_expired_link(project):
    email = unused()
    project.sign_up(email)
    link = project.reset_mail(email)["oobLink"]
    project.advance("PT61M")
    page = requests.get(link, headers={"Accept": "text/html"}, timeout=30)
    assert page.status_code == 400 and "expired" in page.text.lower()
    assert 'name="newPassword"' not in page.text
    project.own("DELETE", "/clock")
    assert 'name="newPassword"' in requests.get(
        link, headers={"Accept": "text/html"}, timeout=30).text


def test_a_message_tells_its_times_by_the_clock(project):
    project.clock(frozen=True, now="2031-05-05T05:05:05Z")
    email = unused()
    project.sign_up(email)
    mail = project.reset_mail(email)
    assert mail["createdAt"] == "2031-05-05T05:05:05.000Z"
    assert mail["expiresAt"] == "2031-05-05T06:05:05.000Z"
    project.advance("PT1M")
    project.call("resetPassword", {"oobCode": mail["oobCode"], "newPassword": "secret2"})
    assert project.messages(to=email)[-1]["usedAt"] == "2031-05-05T05:06:05.000Z"
    whole = requests.get(
        f"{project.server.auth}{project.control}/messages/{mail['id']}.eml", timeout=30).text
    assert "Date: Mon, 05 May 2031 05:05:05 +0000" in whole


def test_the_mailbox_page_tells_the_state_by_the_clock(project):
    email = unused()
    project.sign_up(email)
    mail = project.reset_mail(email)
    page = f"{project.server.auth}/mailbox/{mail['id']}"
    query = {"project": project.id}
    listed = f"{project.server.auth}/mailbox"
    for url, cell in ((page, "<dt>State</dt><dd>{}</dd>"), (listed, "<td>{}</td>")):
        assert cell.format("pending") in requests.get(url, params=query, timeout=30).text
    project.advance("PT61M")
    for url, cell in ((page, "<dt>State</dt><dd>{}</dd>"), (listed, "<td>{}</td>")):
        assert cell.format("expired") in requests.get(url, params=query, timeout=30).text


def test_expired_codes_are_listed_no_more(project):
    email = unused()
    project.sign_up(email)
    project.reset_mail(email)

    def listed() -> int:
        return len(project.request("GET", project.control + "/oobCodes")["oobCodes"])

    assert listed() == 1
    project.advance("PT59M")
    assert listed() == 1
    project.advance("PT1M")
    assert listed() == 0


# MARK: Text messages and second factors


def test_a_code_by_text_message_expires(project):
    project.clock(frozen=True)
    credential = project.sms(NUMBER)
    project.advance("PT10M")
    assert project.error("signInWithPhoneNumber", credential) == "SESSION_EXPIRED"
    project.advance("-PT1S")
    project.call("signInWithPhoneNumber", credential)


def totp(secret: str, moment, digits: int = 6) -> str:
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    mac = hmac.digest(key, struct.pack(">Q", int(moment.timestamp()) // 30), hashlib.sha1)
    start = mac[-1] & 15
    number = struct.unpack(">I", mac[start:start + 4])[0] & 0x7FFFFFFF
    return str(number % 10 ** digits).zfill(digits)


def enroll_totp(project, session: dict) -> str:
    begun = project.factor("mfaEnrollment:start", {
        "idToken": session["idToken"], "totpEnrollmentInfo": {}})["totpSessionInfo"]
    secret = begun["sharedSecretKey"]
    project.factor("mfaEnrollment:finalize", {
        "idToken": session["idToken"], "displayName": "app", "totpVerificationInfo": {
            "sessionInfo": begun["sessionInfo"],
            "verificationCode": totp(secret, project.now())}})
    return secret


def test_totp_follows(project):
    email = unused()
    project.clock(frozen=True, now="2027-07-07T07:07:00Z")
    session = project.verified(email)
    secret = enroll_totp(project, session)
    [factor] = project.user(session["localId"])["mfaInfo"]
    project.advance("PT5H")

    def enter(moment, status: int):
        pending = project.sign_in(email)
        assert "idToken" not in pending
        return project.factor("mfaSignIn:finalize", {
            "mfaPendingCredential": pending["mfaPendingCredential"],
            "mfaEnrollmentId": factor["mfaEnrollmentId"],
            "totpVerificationInfo": {"verificationCode": totp(secret, moment)}}, status)

    assert enter(real(), 400)["error"]["message"].startswith("INVALID_CODE")
    assert enter(project.now() - timedelta(hours=5), 400)
    assert enter(project.now() + timedelta(minutes=2), 400)
    assert enter(project.now(), 200)["idToken"]
    # Used once; the next period has another.
    assert enter(project.now(), 400)
    project.advance("PT30S")
    assert enter(project.now(), 200)["idToken"]


def test_a_totp_enrolment_that_was_begun_expires(project):
    session = project.verified(unused())
    begun = project.factor("mfaEnrollment:start", {
        "idToken": session["idToken"], "totpEnrollmentInfo": {}})["totpSessionInfo"]
    # Real time ends, too, while the session that asks is a new one.
    project.advance("P1D")
    email = project.user(session["localId"])["email"]
    session = project.sign_in(email)
    answer = project.factor("mfaEnrollment:finalize", {
        "idToken": session["idToken"], "totpVerificationInfo": {
            "sessionInfo": begun["sessionInfo"],
            "verificationCode": totp(begun["sharedSecretKey"], project.now())}}, 400)
    assert answer["error"]["message"]


def test_a_pending_second_factor_expires(project):
    email = unused()
    session = project.verified(email)
    project.enroll(session, NUMBER)
    pending = project.sign_in(email)
    [factor] = pending["mfaInfo"]
    project.advance("PT61M")
    answer = project.factor("mfaSignIn:start", {
        "mfaPendingCredential": pending["mfaPendingCredential"],
        "mfaEnrollmentId": factor["mfaEnrollmentId"], "phoneSignInInfo": {}}, 400)
    assert answer["error"]["message"].startswith("INVALID_MFA_PENDING_CREDENTIAL")


# MARK: Tokens


def refresh(project, session: dict) -> dict:
    return project.request(
        "POST", TOKEN, params={"key": project.id},
        data={"grant_type": "refresh_token", "refresh_token": session["refreshToken"]})


def test_an_id_token_expires(project):
    project.clock(frozen=True)
    email = unused()
    session = project.sign_up(email)
    project.advance("PT59M59S")
    project.call("lookup", {"idToken": session["idToken"]})
    project.advance("PT1S")
    assert project.error("lookup", {"idToken": session["idToken"]}) == "TOKEN_EXPIRED"
    assert project.error("update", {
        "idToken": session["idToken"], "displayName": "x"}) == "TOKEN_EXPIRED"
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
    return project.admin(":createSessionCookie", {
        "idToken": session["idToken"], "validDuration": str(seconds)})["sessionCookie"]


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
    assert project.admin_error(":createSessionCookie", {
        "idToken": session["idToken"], "validDuration": "3600"}) == "TOKEN_EXPIRED"


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
        "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
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
        assert project.error("signInWithPassword", {
            "email": email, "password": "wrong-one"}) == "INVALID_PASSWORD"
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


def test_the_log_of_requests_tells_the_projects_time(project):
    project.clock(frozen=True, now="2032-02-02T02:02:02Z")
    project.sign_up(unused())
    assert project.calls()[-1]["time"] == "2032-02-02T02:02:02.000Z"


# MARK: Firestore


@pytest.fixture
def base(project):
    base = Firestore(project.server, project.id)
    yield base
    base.close()


def transform(base, path: str) -> dict:
    return base.rest("POST", ":commit", json={"writes": [{"transform": {
        "document": base.name(path),
        "fieldTransforms": [{"fieldPath": "at", "setToServerValue": "REQUEST_TIME"}]}}]})


def test_firestore_times(project, base):
    base.rest("PATCH", "/c/before", json={"fields": {}})
    project.clock(now="2030-06-01T00:00:00Z")
    document = base.rest("PATCH", "/c/d", json={"fields": {}})
    assert near(instant(document["createTime"]), project.now())
    assert near(instant(document["updateTime"]), project.now())
    answer = transform(base, "c/t")
    [result] = answer["writeResults"]
    stamp = instant(base.rest("GET", "/c/t")["fields"]["at"]["timestampValue"])
    assert instant(result["transformResults"][0]["timestampValue"]) == stamp
    assert near(stamp, project.now()) and near(instant(answer["commitTime"]), project.now())
    [found] = base.rest("POST", ":batchGet", json={"documents": [base.name("c/d")]})
    assert near(instant(found["readTime"]), project.now())


def test_firestore_times_over_grpc(project, base):
    project.clock(now="2030-06-01T00:00:00Z")
    committed = base.commit(base.set("c/d", {"n": 1}))
    assert near(committed.commit_time, project.now())
    from google.cloud import firestore
    base.client.document("c/t").set({"at": firestore.SERVER_TIMESTAMP})
    assert near(base.client.document("c/t").get().get("at"), project.now())


def test_update_times_never_go_back(project, base):
    def write() -> str:
        # A write that changes nothing leaves the time as it is.
        return base.rest("PATCH", "/c/d", json={
            "fields": {"n": {"stringValue": uuid.uuid4().hex}}})["updateTime"]

    times = [write()]
    project.advance("P30D")
    times += [write(), write()]
    project.advance("-P60D")
    times += [write(), write()]
    project.clock(frozen=True)
    times += [write(), write()]
    project.own("DELETE", "/clock")
    times += [write(), write()]
    moments = [instant(moment) for moment in times]
    assert moments == sorted(set(moments)), times
    created = instant(base.rest("GET", "/c/d")["createTime"])
    assert created == moments[0]
    # Another project starts with its own time.
    with contextlib.closing(Firestore(project.server)) as other:
        assert near(instant(other.rest("PATCH", "/c/d", json={"fields": {}})["updateTime"]), real())


def test_listeners_follow_a_clock_that_goes_back(project, base):
    project.advance("P1D")
    base.commit(base.set("c/d", {"n": 1}))
    listener = Listener(base)
    listener.add(2, "c/d")
    assert ("change", "c/d", {"n": 1}, [2], []) in listener.snapshot()
    project.own("DELETE", "/clock")
    base.commit(base.set("c/d", {"n": 2}))
    assert ("change", "c/d", {"n": 2}, [2], []) in listener.snapshot()
    assert listener.read_times == sorted(listener.read_times)
    listener.cancel()


def test_a_transaction_goes_on_while_the_clock_moves(project, base):
    base.commit(base.set("c/d", {"n": 1}))
    transaction = base.begin(read_write={})
    base.batch_get("c/d", transaction=transaction)
    project.advance("-PT1H")
    base.commit(base.set("c/d", {"n": 2}), transaction=transaction)
    assert base.data(base.call("get_document", base.get_request("c/d"))) == {"n": 2}


RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /c/{id} {
      allow read: if request.time > timestamp.date(2030, 1, 1);
      allow write: if request.resource.data.at == request.time;
    }
  }
}
"""


def test_request_time_in_rules(project, base):
    base.rest("PATCH", "/c/d", json={"fields": {}})
    base.rules(RULES)
    assert base.refused("GET", "/c/d", 403, token=None) == "PERMISSION_DENIED"
    assert base.fails(
        "get_document", base.get_request("c/d"), token=None) == grpc.StatusCode.PERMISSION_DENIED
    project.clock(now="2030-06-01T00:00:00Z")
    base.rest("GET", "/c/d", token=None)
    base.call("get_document", base.get_request("c/d"), token=None)
    project.own("DELETE", "/clock")
    assert base.refused("GET", "/c/d", 403, token=None) == "PERMISSION_DENIED"


@pytest.mark.parametrize("change", [
    {}, {"advance": "PT5H"}, {"frozen": True}, {"now": "2030-06-01T00:00:00Z"}])
def test_a_server_timestamp_is_the_request_time(project, base, change):
    base.rules(RULES)
    if change:
        project.clock(**change)
    for _ in range(3):
        base.rest("POST", ":commit", token=None, json={"writes": [{
            "update": {"name": base.name("c/t"), "fields": {}},
            "updateTransforms": [{"fieldPath": "at", "setToServerValue": "REQUEST_TIME"}]}]})


def test_an_expired_token_ends_access_to_firestore(project, base):
    base.rules("""rules_version = '2';
service cloud.firestore {
  match /databases/{d}/documents { match /{path=**} { allow read, write: if request.auth != null; } }
}""")
    uid, token = base.sign_up()
    base.rest("PATCH", "/c/d", token=token, json={"fields": {}})
    project.advance("PT61M")
    assert base.refused("GET", "/c/d", 401, token=token) == "UNAUTHENTICATED"
    assert base.fails(
        "get_document", base.get_request("c/d"), token=token) == grpc.StatusCode.UNAUTHENTICATED


# MARK: The command and the data


def command(server: Server, *arguments: str) -> subprocess.CompletedProcess:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("HEARTH_")}
    return subprocess.run(
        [binary(), "clock", *arguments, "--address", server.host], capture_output=True, text=True,
        timeout=30, env=clean)


def test_the_command(project):
    def here(*more: str) -> str:
        done = command(project.server, *more, "--project", project.id)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    assert near(instant(here()), real())
    assert near(instant(here("--advance", "PT2H")), real() + timedelta(hours=2))
    assert near(project.now(), real() + timedelta(hours=2))
    assert here("--set", "2027-01-31T09:30:00Z", "--freeze") == "2027-01-31T09:30:00.000Z"
    assert project.clock()["frozen"] is True
    here("--run")
    assert project.clock()["frozen"] is False
    assert near(instant(here("--reset")), real()) and project.clock()["offset"] == "PT0S"
    # A duration that begins with a minus, as the help shows it.
    assert near(instant(here("--advance=-P1D")), real() - timedelta(days=1))


@pytest.mark.parametrize("arguments", [["--advance", "-P1D"]])
def test_the_command_goes_back_as_its_help_says(project, arguments):
    done = command(project.server, *arguments, "--project", project.id)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("arguments, words", [
    (["--advance", "soon"], "/advance"), (["--set", "tomorrow"], "/now")])
def test_the_command_tells_mistakes(project, arguments, words):
    done = command(project.server, *arguments, "--project", project.id)
    assert done.returncode != 0 and words in done.stderr


def test_update_times_do_not_go_back_after_a_restart(tmp_path):
    """A moved clock ends with its server; what it wrote does not."""
    name = f"demo-{uuid.uuid4().hex[:8]}"
    first = Server("--data", str(tmp_path))
    moved = Steered(first, name)
    moved.advance("P30D")
    with contextlib.closing(Firestore(first, name)) as base:
        ahead = instant(base.rest("PATCH", "/c/d", json={"fields": {}})["updateTime"])
    first.stop()
    second = Server("--data", str(tmp_path))
    with contextlib.closing(Firestore(second, name)) as base:
        again = base.rest("PATCH", "/c/d", json={"fields": {"n": {"booleanValue": True}}})
        assert instant(again["updateTime"]) > ahead
    second.stop()
