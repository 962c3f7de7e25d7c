"""Faults at each stage of SMTP, and for addresses."""

import smtplib

import pytest
from support.server import PROJECT, Server
from support.steering import Steered, guard, unused  # noqa: F401


@pytest.fixture(scope="module")
def hearth():
    server = Server("--smtp-port", "0", "--smtp-tls-port", "0")
    yield server
    server.stop()


@pytest.fixture
def default(hearth) -> Steered:
    """The default project, whose faults count until somebody logs in."""
    project = Steered(hearth)
    project.id = PROJECT
    project.control = f"/emulator/v1/projects/{PROJECT}"
    yield project
    project.no_faults()


def connect(project, tls: bool = False) -> smtplib.SMTP:
    address = project.server.addresses["smtp tls" if tls else "smtp"]
    return smtplib.SMTP("127.0.0.1", int(address.rsplit(":", 1)[1]), timeout=60)


def send(project, *recipients: str, tls: bool = False, user: str | None = None) -> dict:
    with connect(project, tls) as client:
        if tls:
            client.starttls()
        if user:
            client.login(user, "x")
        return client.sendmail("a@x.test", recipients, "Subject: x\r\n\r\nx")


@pytest.mark.parametrize(
    "stage, error, code",
    [
        ("connect", smtplib.SMTPConnectError, 554),
        ("ehlo", smtplib.SMTPHeloError, 554),
        ("starttls", smtplib.SMTPResponseException, 454),
        ("auth", smtplib.SMTPAuthenticationError, 535),
        ("mail", smtplib.SMTPSenderRefused, 550),
        ("data", smtplib.SMTPDataError, 554),
        ("end", smtplib.SMTPDataError, 451),
    ],
)
def test_a_stage_is_refused_once(default, stage, error, code):
    default.faults({"operation": f"smtp.{stage}", "effect": {"status": code}, "times": 1})
    address = unused()
    user = None
    if stage == "auth":
        # smtplib tries the other mechanisms after a refusal.
        default.faults({"operation": "smtp.auth", "effect": {"status": code}, "times": 4})
        user = "somebody"
    if stage == "ehlo":
        # After a refused EHLO it says HELO.
        default.faults({"operation": "smtp.ehlo", "effect": {"status": code}, "times": 2})
    with pytest.raises(error) as refusal:
        send(default, address, tls=stage == "starttls", user=user)
    assert refusal.value.smtp_code == code
    assert default.messages(to=address) == []
    send(default, address)
    assert len(default.messages(to=address)) == 1


@pytest.mark.parametrize("operation", ["smtp.rcpt", "mail.deliver"])
def test_a_recipient_is_refused_by_its_address(default, operation):
    default.faults(
        {
            "operation": operation,
            "email": "bounce@*",
            "effect": {"status": 550, "text": "5.1.1 No such mailbox"},
        },
        {"operation": operation, "email": "*@full.test", "effect": {"status": 452}},
    )
    good = unused()
    refused = send(default, good, "Bounce@x.test", "me@full.test")
    assert refused == {
        "Bounce@x.test": (550, b"5.1.1 No such mailbox"),
        "me@full.test": (452, b"4.3.0 me@full.test Try again later"),
    }
    [kept] = default.messages(to=good)
    assert kept["envelope"]["to"] == [good]
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        send(default, "bounce@y.test")


def test_faults_of_the_project_that_the_user_name_chooses(default):
    project = Steered(default.server)
    project.faults({"operation": "smtp.mail", "effect": {"status": 550, "text": "not you"}})
    with pytest.raises(smtplib.SMTPSenderRefused) as refusal:
        send(default, unused(), user=project.id)
    assert refusal.value.smtp_error == b"5.0.0 not you"
    assert send(default, unused()) == {}


@pytest.mark.parametrize("when, kept", [("before", 0), ("after", 1)])
def test_a_mail_that_is_lost_or_whose_reply_is(default, when, kept):
    default.faults({"operation": "smtp.end", "effect": {"drop": when}, "times": 1})
    address = unused()
    with pytest.raises(smtplib.SMTPServerDisconnected):
        send(default, address)
    assert len(default.messages(to=address)) == kept


def test_a_slow_stage_waits(default):
    import time

    default.faults({"operation": "smtp.rcpt", "effect": {"latency": "300ms"}})
    start = time.monotonic()
    assert send(default, unused()) == {}
    assert time.monotonic() - start >= 0.3


def test_what_is_not_a_fault_of_mail(default):
    assert "did you mean smtp.rcpt" in default.complaint(
        "PUT", "/faults", {"faults": [{"operation": "smtp.rcp", "effect": {"status": 550}}]}
    )
    assert "/faults/0/effect/text" in default.complaint(
        "PUT",
        "/faults",
        {"faults": [{"operation": "smtp.rcpt", "effect": {"drop": "before", "text": "x"}}]},
    )
