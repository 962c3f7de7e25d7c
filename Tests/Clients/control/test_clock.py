"""A project's clock: its endpoint, codes, text messages and second factors follow it."""

import base64
import contextlib
import hashlib
import hmac
import struct
from datetime import timedelta

import pytest
import requests
from support.firestore.project import Firestore
from support.server import Server
from support.steering import Steered, another, guard, instant, near, project, real, unused  # noqa: F401
from support.waiting import until

NUMBER = "+15555550100"


# MARK: The endpoint


def test_a_clock_that_was_not_moved(project):
    clock = project.clock()
    assert clock.keys() == {"now", "offset", "frozen"}
    assert (clock["offset"], clock["frozen"]) == ("PT0S", False)
    assert near(instant(clock["now"]), real())


def test_it_is_moved_ahead_and_back_and_continues(project):
    assert project.clock(advance="PT2H")["offset"] == "PT2H"
    assert near(project.now(), real() + timedelta(hours=2))
    assert project.clock(advance="P1DT30M")["offset"] == "P1DT2H30M"
    assert near(project.now(), real() + timedelta(days=1, hours=2, minutes=30))
    project.advance("-P2D")
    assert near(project.now(), real() - timedelta(hours=21, minutes=30))
    before = project.now()
    moved = until(lambda: project.now() - before)
    assert timedelta() < moved < timedelta(minutes=1)


@pytest.mark.parametrize(
    "duration, expected",
    [
        ("PT1S", timedelta(seconds=1)),
        ("PT0.5S", timedelta(seconds=0.5)),
        ("PT90M", timedelta(minutes=90)),
        ("P1W", timedelta(weeks=1)),
        ("P365D", timedelta(days=365)),
        ("+PT1H", timedelta(hours=1)),
        ("-PT1H", timedelta(hours=-1)),
        ("PT0S", timedelta()),
        ("P1DT1H1M1S", timedelta(days=1, hours=1, minutes=1, seconds=1)),
        ("2h", timedelta(hours=2)),
        ("-1d", timedelta(days=-1)),
        ("1500ms", timedelta(seconds=1.5)),
        (
            "1w2d3h4m5s6ms",
            timedelta(weeks=1, days=2, hours=3, minutes=4, seconds=5, milliseconds=6),
        ),
    ],
)
def test_durations(project, duration, expected):
    start = instant(project.clock(frozen=True)["now"])
    assert instant(project.clock(advance=duration)["now"]) - start == expected


@pytest.mark.parametrize(
    "given, shown",
    [
        ("2027-01-31T09:30:00Z", "2027-01-31T09:30:00.000Z"),
        ("2027-01-31T09:30:00.250Z", "2027-01-31T09:30:00.250Z"),
        ("2027-01-31T09:30:00+02:00", "2027-01-31T07:30:00.000Z"),
        ("1999-12-31T23:59:59Z", "1999-12-31T23:59:59.000Z"),
        ("2028-02-29T00:00:00Z", "2028-02-29T00:00:00.000Z"),
    ],
)
def test_it_is_set(project, given, shown):
    project.clock(frozen=True)
    assert project.clock(now=given) == {**project.clock(), "now": shown, "frozen": True}
    assert project.clock(frozen=False)["frozen"] is False
    assert near(project.now(), instant(shown))
    project.clock(now=given)
    moved = until(lambda: project.now() - instant(shown))
    assert timedelta() < moved < timedelta(minutes=1)


def test_it_is_frozen_and_continues_from_there(project):
    frozen = project.clock(frozen=True)
    assert frozen["frozen"] is True
    other = another(project.server)
    start = other.now()
    until(lambda: other.now() > start)
    assert project.clock()["now"] == frozen["now"]
    moved = project.clock(advance="PT1H")
    assert instant(moved["now"]) - instant(frozen["now"]) == timedelta(hours=1)
    assert project.clock()["now"] == moved["now"]
    assert project.clock(frozen=True)["now"] == moved["now"]
    running = instant(project.clock(frozen=False)["now"])
    assert timedelta() <= running - instant(moved["now"]) < timedelta(minutes=1)
    until(lambda: project.now() > running)


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


@pytest.mark.parametrize(
    "given, words",
    [
        ({"advance": "2"}, "/advance"),
        ({"advance": ""}, "/advance"),
        ({"advance": "P"}, "/advance"),
        ({"advance": "PT"}, "/advance"),
        ({"advance": "PT1"}, "/advance"),
        ({"advance": "1H"}, "/advance"),
        ({"advance": "PTH"}, "/advance"),
        ({"advance": "P1H"}, "/advance"),
        ({"advance": "PT1D"}, "/advance"),
        ({"advance": "P1Y"}, "/advance"),
        ({"advance": "P1M"}, "/advance"),
        ({"advance": "PT1X"}, "/advance"),
        ({"advance": "--PT1H"}, "/advance"),
        ({"advance": 7200}, "/advance"),
        ({"advance": None}, "/advance"),
        ({"advance": "PT1H", "now": "x"}, "/now"),
        ({"now": "tomorrow"}, "/now"),
        ({"now": ""}, "/now"),
        ({"now": 1800000000}, "/now"),
        ({"now": "2027-01-31"}, "/now"),
        ({"now": "2027-01-31T09:30:00"}, "/now"),
        ({"now": "2027-13-01T00:00:00Z"}, "/now"),
        ({"now": "2027-01-31T24:00:00Z"}, "/now"),
        ({"now": "2027-01-32T00:00:00Z"}, "/now"),
        ({"frozen": "yes"}, "/frozen"),
        ({"frozen": 1}, "/frozen"),
        ({"frozen": True, "advance": "x"}, "/advance"),
        ({"offset": "PT1H"}, "unknown member 'offset'"),
        ({"advance": "PT1H", "freeze": True}, "unknown member 'freeze'"),
        *(
            ({"now": time}, "/now")
            for time in (
                "9999-01-01T00:00:00Z",
                "9999-12-31T23:59:59.500Z",
                "2027-02-30T00:00:00Z",
                "2027-02-29T00:00:00Z",
                "2027-04-31T00:00:00Z",
            )
        ),
        *(({"advance": text}, "/advance") for text in ("P1DT", "PT1.S", "PT1S1H", "PT1H1H")),
    ],
)
def test_a_mistake_is_refused_and_changes_nothing(project, given, words):
    kept = project.clock(frozen=True, advance="PT1H")
    message = project.complaint("PATCH", "/clock", given)
    assert message.startswith(f"INVALID_ARGUMENT : {words}"), message
    assert project.clock() == kept


@pytest.mark.parametrize("body", ["{", "[]", "5", "null"])
def test_a_body_that_is_not_an_object_is_refused(project, body):
    assert project.complaint("PATCH", "/clock", body)
    assert project.clock()["offset"] == "PT0S"


@pytest.mark.parametrize(
    "changes",
    [
        [{"advance": "P" + "1000000000W" * 20}],
        [{"advance": "-P" + "1000000000W" * 20}],
        [{"advance": "P1000000000W"}] * 3,
        [{"advance": "-P1000000000W"}] * 20,
        [{"now": "9998-12-31T23:59:59Z"}, {"advance": "P1D"}],
        [{"now": "0000-01-01T00:00:00Z"}, {"advance": "-P1D"}],
        [{"now": "0001-01-01T00:00:00Z"}],
        [{"frozen": True}, *[{"advance": "P1000000000W"}] * 20],
    ],
    ids=range(8),
)
def test_far_away_times_do_no_harm(changes):
    """Refused or followed; the server goes on, and what it answers can be read."""
    server = Server()
    far = Steered(server)
    try:
        for change in changes:
            requests.patch(server.auth + far.control + "/clock", json=change, timeout=30)
        far.raw("signUp", {"email": unused(), "password": "secret1"}, timeout=30)
        with contextlib.closing(Firestore(server, far.id)) as base:
            written = base.rest("PATCH", "/c/d", json={"fields": {}})
            assert int(written["updateTime"][:4]) >= 1 and written["updateTime"][4] == "-"
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


def test_a_tenant_follows_the_clock_of_its_project(project):
    tenant = project.tenant(allowPasswordSignup=True)
    session = project.sign_up(unused(), tenantId=tenant)
    project.advance("PT61M")
    assert project.error("lookup", {"idToken": session["idToken"], "tenantId": tenant}) == (
        "TOKEN_EXPIRED"
    )


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


@pytest.mark.parametrize(
    "kind, almost, over",
    [
        ("PASSWORD_RESET", "PT59M59S", "PT1H"),
        ("EMAIL_SIGNIN", "PT5H59M59S", "PT6H"),
        ("VERIFY_EMAIL", "P2DT23H59M59S", "P3D"),
        ("VERIFY_AND_CHANGE_EMAIL", "P2DT23H59M59S", "P3D"),
    ],
)
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
    assert (
        'name="newPassword"' in requests.get(link, headers={"Accept": "text/html"}, timeout=30).text
    )


def test_a_message_has_the_times_of_the_clock(project):
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
        f"{project.server.auth}{project.control}/messages/{mail['id']}.eml", timeout=30
    ).text
    assert "Date: Mon, 05 May 2031 05:05:05 +0000" in whole


def test_the_mailbox_page_shows_the_state_by_the_clock(project):
    email = unused()
    project.sign_up(email)
    mail = project.reset_mail(email)
    page = f"{project.server.auth}/mailbox/{mail['id']}"
    query = {"project": project.id}
    listed = f"{project.server.auth}/mailbox"
    tag = '<span class="tag" data-state="{0}">{0}</span>'
    for url, cell in ((page, "<dt>State</dt><dd>" + tag), (listed, "<td>" + tag)):
        assert cell.format("pending") in requests.get(url, params=query, timeout=30).text
    project.advance("PT61M")
    for url, cell in ((page, "<dt>State</dt><dd>" + tag), (listed, "<td>" + tag)):
        assert cell.format("expired") in requests.get(url, params=query, timeout=30).text


def test_expired_codes_are_listed_no_more(project):
    project.clock(frozen=True)
    email = unused()
    project.sign_up(email)
    project.reset_mail(email)

    def listed() -> int:
        return len(project.request("GET", project.control + "/oobCodes")["oobCodes"])

    assert listed() == 1
    project.advance("PT59M")
    assert listed() == 1
    project.advance("PT61S")
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
    number = struct.unpack(">I", mac[start : start + 4])[0] & 0x7FFFFFFF
    return str(number % 10**digits).zfill(digits)


def enroll_totp(project, session: dict) -> str:
    begun = project.factor(
        "mfaEnrollment:start", {"idToken": session["idToken"], "totpEnrollmentInfo": {}}
    )["totpSessionInfo"]
    secret = begun["sharedSecretKey"]
    project.factor(
        "mfaEnrollment:finalize",
        {
            "idToken": session["idToken"],
            "displayName": "app",
            "totpVerificationInfo": {
                "sessionInfo": begun["sessionInfo"],
                "verificationCode": totp(secret, project.now()),
            },
        },
    )
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
        return project.factor(
            "mfaSignIn:finalize",
            {
                "mfaPendingCredential": pending["mfaPendingCredential"],
                "mfaEnrollmentId": factor["mfaEnrollmentId"],
                "totpVerificationInfo": {"verificationCode": totp(secret, moment)},
            },
            status,
        )

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
    begun = project.factor(
        "mfaEnrollment:start", {"idToken": session["idToken"], "totpEnrollmentInfo": {}}
    )["totpSessionInfo"]
    # Real time ends, too, while the session that asks is a new one.
    project.advance("P1D")
    email = project.user(session["localId"])["email"]
    session = project.sign_in(email)
    answer = project.factor(
        "mfaEnrollment:finalize",
        {
            "idToken": session["idToken"],
            "totpVerificationInfo": {
                "sessionInfo": begun["sessionInfo"],
                "verificationCode": totp(begun["sharedSecretKey"], project.now()),
            },
        },
        400,
    )
    assert answer["error"]["message"]


def test_a_pending_second_factor_expires(project):
    email = unused()
    session = project.verified(email)
    project.enroll(session, NUMBER)
    pending = project.sign_in(email)
    [factor] = pending["mfaInfo"]
    project.advance("PT61M")
    answer = project.factor(
        "mfaSignIn:start",
        {
            "mfaPendingCredential": pending["mfaPendingCredential"],
            "mfaEnrollmentId": factor["mfaEnrollmentId"],
            "phoneSignInInfo": {},
        },
        400,
    )
    assert answer["error"]["message"].startswith("INVALID_MFA_PENDING_CREDENTIAL")
