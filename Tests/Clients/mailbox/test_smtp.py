"""Mail that comes in over SMTP: real clients, and what is on the wire."""

import concurrent.futures
import contextlib
import smtplib
import ssl

import pytest
import requests
from support.messages.smtp_clients import CLIENTS, Outgoing, Raw
from support.server import Server, TalkingServer
from support.steering import Steered, guard, unused  # noqa: F401
from support.waiting import until


@pytest.fixture(scope="module")
def hearth():
    server = Server("--smtp-port", "0", "--smtp-tls-port", "0")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def ca(hearth, tmp_path_factory) -> str:
    """The certificate that clients trust."""
    reply = requests.get(f"{hearth.auth}/emulator/v1/ca.pem", timeout=30)
    assert reply.status_code == 200 and reply.text.startswith("-----BEGIN CERTIFICATE-----")
    path = tmp_path_factory.mktemp("ca") / "ca.pem"
    path.write_text(reply.text)
    return str(path)


@pytest.fixture
def project(hearth) -> Steered:
    return Steered(hearth)


def port(server, tls: bool = False) -> int:
    return int(server.addresses["smtp tls" if tls else "smtp"].rsplit(":", 1)[1])


@pytest.mark.parametrize("tls", [False, True], ids=["plain", "STARTTLS"])
@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.__name__)
def test_a_client_sends_a_mail(project, ca, client, tls):
    mail = Outgoing(
        port(project.server, tls),
        project.id,
        unused(),
        f"Grüße {client.__name__}",
        ca if tls else None,
    )
    client(mail)
    [kept] = project.messages(to=mail.recipient)
    assert kept["subject"] == mail.subject and kept["source"] == "smtp"
    assert kept["from"] == mail.sender and kept["code"] == "482913"
    assert kept["text"].replace("\r\n", "\n").rstrip() == mail.text.rstrip()


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "::1"])
def test_the_certificate_is_for_this_machine(hearth, ca, name):
    raw = Raw(port(hearth, tls=True))
    assert raw.reply().startswith("220 ")
    assert "250-STARTTLS\r\n" in raw.say("EHLO me")
    assert raw.say("STARTTLS").startswith("220 ")
    context = ssl.create_default_context(cafile=ca)
    with context.wrap_socket(raw.socket, server_hostname=name) as secure:
        assert secure.version() in ("TLSv1.2", "TLSv1.3")


def test_only_one_port_offers_starttls(hearth):
    with smtplib.SMTP("127.0.0.1", port(hearth), timeout=60) as client:
        client.ehlo()
        assert not client.has_extn("starttls") and client.has_extn("auth")
        assert client.docmd("STARTTLS")[0] == 502
    with smtplib.SMTP("127.0.0.1", port(hearth, tls=True), timeout=60) as client:
        client.ehlo()
        # Also before TLS: some clients log in without it.
        assert client.has_extn("starttls") and client.has_extn("auth")


def test_what_is_said_before_tls_is_not_heard_after_it(project, ca):
    raw = Raw(port(project.server, tls=True))
    raw.reply()
    raw.say("EHLO me")
    raw.send("STARTTLS\r\nMAIL FROM:<evil@x.test>\r\nRCPT TO:<victim@x.test>\r\n")
    assert raw.reply().startswith("220 ")
    context = ssl.create_default_context(cafile=ca)
    with context.wrap_socket(raw.socket, server_hostname="localhost") as secure:
        secure.sendall(b"DATA\r\n")
        assert secure.recv(1000).startswith(b"503 ")


def envelope(project, recipient) -> str:
    import base64

    login = base64.b64encode(f"\0{project.id}\0x".encode()).decode()
    return (
        f"EHLO me\r\nAUTH PLAIN {login}\r\nMAIL FROM:<a@x.test>\r\nRCPT TO:<{recipient}>\r\n"
        "DATA\r\n"
    )


def codes(raw: Raw, count: int) -> list[int]:
    return [int(raw.reply()[:3]) for _ in range(count)]


def test_commands_in_one_packet_and_the_number_of_the_mail(project):
    address = unused()
    raw = Raw(port(project.server))
    raw.send(envelope(project, address) + "Subject: packet\r\n\r\nx\r\n.\r\nQUIT\r\n")
    assert codes(raw, 6) == [220, 250, 235, 250, 250, 354]
    queued = raw.reply()
    assert raw.reply().startswith("221 ") and raw.reply() == ""
    number = queued.strip().rsplit(" ", 1)[1]
    assert queued == f"250 2.0.0 Ok: queued as {number}\r\n"
    assert project.own("GET", f"/messages/{number}")["subject"] == "packet"


@pytest.mark.parametrize(
    "end", ["\n.\n", "\n.\r\n", "\r\n.\n", "\r.\r", "\r.\r\n", "\r\n\0.\r\n", "\n.\r\r\n"]
)
def test_a_mail_cannot_smuggle_another(project, end):
    address, other = unused(), unused("smuggled")
    raw = Raw(port(project.server))
    raw.send(
        envelope(project, address) + f"Subject: outer\r\n\r\ntext{end}MAIL FROM:<b@x.test>\r\n"
        f"RCPT TO:<{other}>\r\nDATA\r\nSubject: inner\r\n\r\nx\r\n.\r\nQUIT\r\n"
    )
    assert codes(raw, 8) == [220, 250, 235, 250, 250, 354, 250, 221]
    [kept] = project.messages(to=address)
    assert other in kept["text"]
    assert project.messages(to=other) == []


def test_several_recipients_are_one_mail(project):
    one, two = unused(), unused()
    with smtplib.SMTP("127.0.0.1", port(project.server), timeout=60) as client:
        client.login(project.id, "x")
        client.sendmail("", [one, two], f"To: {one}\r\nSubject: both\r\n\r\nhello")
    [first], [second] = project.messages(to=one), project.messages(to=two)
    assert first["id"] == second["id"]
    assert first["envelope"] == {"from": "", "to": [one, two]}
    assert [person["address"] for person in first["recipients"]["bcc"]] == [two]


def test_a_mail_in_utf8_to_an_address_in_utf8(project):
    address = "grüße@пример.test"
    with smtplib.SMTP("127.0.0.1", port(project.server), timeout=60) as client:
        client.login(project.id, "x")
        client.ehlo()
        client.command_encoding = "utf-8"
        client.mail("ü@x.test", ["SMTPUTF8", "BODY=8BITMIME"])
        assert client.rcpt(address)[0] == 250
        assert client.data("Subject: Größe\r\n\r\nÄ\r\n".encode())[0] == 250
    [kept] = project.messages(to=address)
    assert kept["subject"] == "Größe" and kept["text"].strip() == "Ä"


def test_who_waits_is_woken(project):
    address = unused()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        waiting = pool.submit(
            project.own, "GET", "/messages/latest", params={"to": address, "wait": "20s"}
        )
        with smtplib.SMTP("127.0.0.1", port(project.server), timeout=60) as client:
            client.login(project.id, "x")
            client.sendmail("a@x.test", [address], "Subject: now\r\n\r\nx")
        assert waiting.result(20)["subject"] == "now"


def test_the_project_of_a_mail(hearth):
    """The user name, else the header, else the only project with the account, else the default."""
    owner, stranger = unused(), unused()
    project = Steered(hearth)
    project.sign_up(owner)
    header = Steered(hearth)
    for user, recipient, head, wanted in [
        (project.id, stranger, "", project),
        ("me@x.test", owner, "", project),
        (None, stranger, f"X-Hearth-Project: {header.id}\r\n", header),
        (project.id, stranger, f"X-Hearth-Project: {header.id}\r\n", project),
    ]:
        subject = unused("subject")
        with smtplib.SMTP("127.0.0.1", port(hearth), timeout=60) as client:
            if user:
                client.login(user, "x")
            client.sendmail("a@x.test", [recipient], f"{head}Subject: {subject}\r\n\r\nx")
        assert subject in [kept["subject"] for kept in wanted.messages(to=recipient)]


def test_a_mail_is_a_use_of_its_project(project):
    Steered(project.server).sign_up(unused())
    with smtplib.SMTP("127.0.0.1", port(project.server), timeout=60) as client:
        client.login(project.id, "x")
        client.sendmail("a@x.test", ["b@x.test"], "Subject: x\r\n\r\nx")
    about = requests.get(f"{project.server.auth}/emulator/v1/projects", timeout=30).json()
    assert about["projects"][1] == project.id and project.id in about["lastActivity"]


def test_a_browser_gets_nothing(project):
    address = unused()
    text = envelope(project, address) + "x\r\n.\r\n"
    for method in ["POST", "PUT", "OPTIONS"]:
        with pytest.raises(requests.ConnectionError):
            requests.request(
                method, f"http://127.0.0.1:{port(project.server)}/", data=text, timeout=60
            )
    assert project.messages(to=address) == []


def test_mails_have_a_bound(project):
    address = unused()
    line = b"x" * 998 + b"\r\n"
    with smtplib.SMTP("127.0.0.1", port(project.server), timeout=50) as client:
        client.login(project.id, "x")
        client.sendmail("a@x.test", [address], b"Subject: large\r\n\r\n" + line * 20_000)
        with pytest.raises(smtplib.SMTPSenderRefused) as refusal:
            client.sendmail("a@x.test", [address], line * 27_000)
        assert refusal.value.smtp_code == 552
        client.mail("a@x.test")
        client.rcpt(address)
        assert client.data(line * 27_000)[0] == 552
        client.sendmail("a@x.test", [address], b"Subject: small\r\n\r\nx")
    assert [kept["subject"] for kept in project.messages(to=address)] == ["large", "small"]


def test_connections_have_a_bound(hearth):
    with contextlib.ExitStack() as stack:
        replies = []
        for _ in range(205):
            raw = Raw(port(hearth))
            stack.callback(raw.close)
            replies.append(raw.reply()[:3])
        assert replies == ["220"] * 200 + ["421"] * 5

    def is_served() -> bool:
        with contextlib.closing(Raw(port(hearth))) as raw:
            return raw.reply().startswith("220 ")

    # As soon as the server has noticed that they have gone.
    until(is_served)


def test_a_client_that_takes_no_replies_is_not_heard_meanwhile(hearth):
    """What it does not take would pile up in memory."""
    command = b"NOOP\r\n"
    with contextlib.closing(Raw(port(hearth))) as raw:
        assert raw.reply().startswith("220 ")
        raw.socket.settimeout(3)
        sent = 0
        with pytest.raises(TimeoutError):
            while sent < 32 << 20:
                start = sent % len(command)
                sent += raw.socket.send((command * 10_000)[start:])
        raw.socket.settimeout(60)
        for _ in range(sent // len(command)):
            assert raw.file.readline().startswith(b"250 ")
        raw.send(command[sent % len(command) :])
        assert raw.reply().startswith("250 ")


def test_a_script_may_close_its_half(project):
    import socket

    address = unused()
    raw = Raw(port(project.server))
    raw.send(envelope(project, address) + "Subject: half\r\n\r\nx\r\n.\r\n")
    raw.socket.shutdown(socket.SHUT_WR)
    assert codes(raw, 7)[-1] == 250 and raw.reply() == ""
    assert len(project.messages(to=address)) == 1


def test_an_acknowledged_mail_survives_a_kill(tmp_path):
    data = str(tmp_path / "data")
    server = TalkingServer("--data", data, "--smtp-port", "0")
    addresses = [unused() for _ in range(20)]
    with smtplib.SMTP("127.0.0.1", port(server), timeout=60) as client:
        for address in addresses:
            client.sendmail("a@x.test", [address], "Subject: kept\r\n\r\nx")
        server.kill()
        with contextlib.suppress(smtplib.SMTPException, OSError):
            client.quit()
    again = Server("--data", data)
    kept = requests.get(
        f"{again.auth}/emulator/v1/projects/demo-hearth/messages", timeout=30
    ).json()["messages"]
    again.stop()
    assert [mail["to"] for mail in kept] == addresses


def test_the_authority_is_kept_with_the_data(tmp_path):
    data = tmp_path / "data"
    seen = set()
    for _ in range(2):
        server = Server("--data", str(data), "--smtp-tls-port", "0")
        seen.add(requests.get(f"{server.auth}/emulator/v1/ca.pem", timeout=30).text)
        server.stop()
    assert len(seen) == 1 and (data / "tls" / "ca.pem").read_text() in seen
    assert (data / "tls" / "ca-key.pem").stat().st_mode & 0o777 == 0o600


def test_the_preview_of_a_huge_mail_has_a_bound(hearth):
    """To make HTML harmless takes time that grows with it."""
    row = "<p>0123456789</p>"
    body = row * (3 * 2**20 // len(row))
    text = (
        "From: a@example.com\r\nTo: b@example.com\r\nSubject: long\r\n"
        "Content-Type: text/html\r\n\r\n"
        + "\r\n".join([body[i : i + 850] for i in range(0, len(body), 850)])
    )
    with smtplib.SMTP("127.0.0.1", port(hearth)) as client:
        client.sendmail("a@example.com", ["b@example.com"], text)
    base = f"{hearth.auth}/emulator/v1/projects/demo-hearth/messages"
    message = requests.get(
        base + "/latest", params={"to": "b@example.com", "wait": "10s"}, timeout=30
    ).json()
    shown = requests.get(f"{base}/{message['id']}/html", timeout=30)
    assert shown.status_code == 200
    assert "Only the first 2 MB are shown." in shown.text
    assert 2**20 < len(shown.content) < 2.5 * 2**20
    raw = requests.get(f"{base}/{message['id']}/raw", timeout=30)
    assert raw.content.count(b"0123456789") > 2**20 // 10
