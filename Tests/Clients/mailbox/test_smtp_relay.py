"""`--smtp-relay`: every captured mail is handed on to a real catcher, aiosmtpd, and none is waited for."""

import asyncio
import contextlib
import email
import email.policy
import re
import socket
import subprocess
import threading
import time
import uuid

import pytest
import requests
from aiosmtpd.controller import Controller

from support.server import ROOT, Server, binary
from support.steering import Steered, guard, unused  # noqa: F401

NUMBER = "+15555550100"


class Catcher:
    """What a catcher keeps; `refuse` makes it say no at that command."""

    def __init__(self, port: int = 0, **options):
        self.caught: list[tuple[object, email.message.EmailMessage]] = []
        self.raw: list[bytes] = []
        self.attempts = 0
        self.refuse: dict[str, str] = {}
        options = {"enable_SMTPUTF8": True, **options}
        self.controller = Controller(self, hostname="127.0.0.1", port=port or free_port(), **options)
        self.controller.start()
        self.port = self.controller.port

    async def handle_EHLO(self, server, session, envelope, hostname, responses):
        self.attempts += 1
        session.host_name = hostname
        return [self.refuse["EHLO"]] if "EHLO" in self.refuse else responses

    async def handle_MAIL(self, server, session, envelope, address, options):
        if "MAIL" in self.refuse:
            return self.refuse["MAIL"]
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 OK"

    async def handle_RCPT(self, server, session, envelope, address, options):
        if "RCPT" in self.refuse:
            return self.refuse["RCPT"]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if "DATA" in self.refuse:
            return self.refuse["DATA"]
        self.raw.append(envelope.original_content)
        self.caught.append((envelope, email.message_from_bytes(
            envelope.content, policy=email.policy.default)))
        return "250 Kept"

    def wait(self, count: int = 1, seconds: float = 8) -> list:
        """That many mails, and not one more."""
        end = time.monotonic() + seconds
        while len(self.caught) < count and time.monotonic() < end:
            time.sleep(0.02)
        assert len(self.caught) == count, f"{len(self.caught)} mails instead of {count}"
        return self.caught

    def stop(self) -> None:
        with contextlib.suppress(Exception):
            self.controller.stop()


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.fixture
def catcher():
    catcher = Catcher()
    yield catcher
    catcher.stop()


@contextlib.contextmanager
def relaying(port: int, *flags: str):
    server = Server("--smtp-relay", f"127.0.0.1:{port}", *flags)
    try:
        yield Steered(server)
    finally:
        # Not the stop that other tests look at: it takes seconds.
        server.kill()


@pytest.fixture
def project(catcher):
    with relaying(catcher.port) as project:
        yield project


def parts(message) -> dict[str, str]:
    assert message.get_content_type() == "multipart/alternative"
    return {part.get_content_type(): part.get_content() for part in message.iter_parts()}


def newlines(text: str) -> str:
    return text.replace("\r\n", "\n").rstrip("\n")


def test_a_mail_arrives(project, catcher):
    address = unused()
    project.sign_up(address)
    kept = project.reset_mail(address)
    [(envelope, message)] = catcher.wait()
    assert envelope.rcpt_tos == [address] and envelope.mail_from == kept["from"]
    assert message["From"] == kept["from"] and message["To"] == address
    assert message["Subject"] == kept["subject"]
    assert message["X-Hearth-Type"] == "PASSWORD_RESET"
    assert message["MIME-Version"] == "1.0" and message["Message-ID"] and message["Date"]
    both = parts(message)
    assert both.keys() == {"text/plain", "text/html"}
    assert newlines(both["text/plain"]) == newlines(kept["text"])
    assert newlines(both["text/html"]) == newlines(kept["html"])
    assert kept["oobLink"] in both["text/plain"]


def test_it_is_the_mail_that_the_mailbox_gives_as_mime(project, catcher):
    address = unused()
    project.sign_up(address)
    kept = project.reset_mail(address)
    catcher.wait()
    given = requests.get(
        f"{project.server.auth}{project.control}/messages/{kept['id']}.eml", timeout=30)
    assert catcher.raw[0].rstrip() == given.content.rstrip()


def test_the_link_that_arrives_works(project, catcher):
    address = unused()
    project.sign_up(address)
    project.reset_mail(address)
    [(_, message)] = catcher.wait()
    link = re.search(r"http://\S+", parts(message)["text/plain"])[0]
    assert requests.post(link, data={"newPassword": "secret2"}, timeout=30).status_code == 200
    project.sign_in(address, password="secret2")


@pytest.mark.parametrize("kind", [
    "PASSWORD_RESET", "VERIFY_EMAIL", "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL"])
def test_every_type(project, catcher, kind):
    address = unused()
    session = project.sign_up(address)
    body = {"requestType": kind, "email": address, "continueUrl": "http://localhost/"}
    if kind.startswith("VERIFY"):
        body |= {"idToken": session["idToken"], "newEmail": unused("new")}
    project.call("sendOobCode", body)
    [(_, message)] = catcher.wait()
    assert message["X-Hearth-Type"] == kind


@pytest.mark.parametrize("language", ["de", "ja", "ru", "fr", "pt-BR", "ar"])
def test_languages(project, catcher, language):
    address = unused()
    project.sign_up(address)
    requests.post(
        f"{project.server.auth}/identitytoolkit.googleapis.com/v1/accounts:sendOobCode",
        params={"key": project.id}, json={"requestType": "PASSWORD_RESET", "email": address},
        headers={"X-Firebase-Locale": language}, timeout=30)
    kept = project.messages(to=address)[-1]
    [(_, message)] = catcher.wait()
    assert message["Subject"] == kept["subject"]
    assert newlines(parts(message)["text/plain"]) == newlines(kept["text"])
    assert newlines(parts(message)["text/html"]) == newlines(kept["html"])
    assert catcher.raw[0].isascii()


def template(project, **words) -> None:
    project.configure("notification.sendEmail", notification={
        "sendEmail": {"resetPasswordTemplate": words}})


SUBJECTS = [
    "Passwort zurücksetzen für Größe", "パスワードを再設定してください", "🔑 New password for %EMAIL%",
    "=?utf-8?q?not_encoded?=", "x" * 300, "ü" * 200, "a  b", "Réinitialiser: “%APP_NAME%”",
]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_subjects(project, catcher, subject):
    template(project, subject=subject)
    address = unused()
    project.sign_up(address)
    kept = project.reset_mail(address)
    assert kept["subject"] == subject.replace("%EMAIL%", address).replace("%APP_NAME%", project.id)
    [(_, message)] = catcher.wait()
    assert message["Subject"] == kept["subject"]
    assert all(len(line) <= 998 for line in catcher.raw[0].split(b"\r\n"))


@pytest.mark.parametrize("body", [
    ".\n..\n.hidden\n...three\nend", "first\n.\nlast", ".", "\n\n.\n\n", "a" * 3000 + "\n." + "b" * 3000,
    "tabs\tand trailing \nblanks  ", "=3D is no equals sign\n=", "From here\n>From there",
    "ümlauts, 漢字 and 🔑\n.ü",
])
def test_bodies(project, catcher, body):
    """Dots at the start of lines above all: one alone would end the mail."""
    template(project, subject="s", body=body + "\n%LINK%", bodyFormat="PLAIN_TEXT")
    address = unused()
    project.sign_up(address)
    kept = project.reset_mail(address)
    assert newlines(kept["text"]).startswith(newlines(body)) or not body.strip()
    [(_, message)] = catcher.wait()
    assert newlines(parts(message)["text/plain"]) == newlines(kept["text"])
    assert newlines(parts(message)["text/html"]) == newlines(kept["html"])
    assert all(len(line) <= 998 for line in catcher.raw[0].split(b"\r\n"))


def test_html_whose_lines_begin_with_dots(project, catcher):
    template(
        project, subject="s", body="<style>\n.a { color: red }\n.\n</style>\n<a href='%LINK%'>x</a>",
        bodyFormat="HTML")
    address = unused()
    project.sign_up(address)
    kept = project.reset_mail(address)
    assert ".a { color: red }" in kept["html"]
    [(_, message)] = catcher.wait()
    assert newlines(parts(message)["text/html"]) == newlines(kept["html"])


def test_a_sender_with_a_name_and_where_to_reply(project, catcher):
    template(
        project, subject="s", senderDisplayName="Größe & Co, Inc.", senderLocalPart="hello",
        replyTo="help@example.com")
    address = unused()
    project.sign_up(address)
    kept = project.reset_mail(address)
    [(envelope, message)] = catcher.wait()
    [sender] = message["From"].addresses
    assert sender.display_name == "Größe & Co, Inc." and sender.addr_spec == kept["from"]
    assert kept["from"].startswith("hello@") and envelope.mail_from == kept["from"]
    assert message["Reply-To"] == "help@example.com"


@pytest.mark.parametrize("line", ["Bcc: victim@example.com", "RCPT TO:<victim@example.com>"])
def test_a_subject_adds_no_header_and_no_command(project, catcher, line):
    for count, end in enumerate(("\r\n", "\n", "\r"), 1):
        template(project, subject=f"one{end}{line}{end}{end}body")
        address = unused()
        project.sign_up(address)
        project.reset_mail(address)
        envelope, message = catcher.wait(count)[-1]
        assert envelope.rcpt_tos == [address]
        assert "Bcc" not in message and message.keys().count("Subject") == 1


def test_text_messages_are_not_relayed(project, catcher):
    project.call("sendVerificationCode", {"phoneNumber": NUMBER})
    address = unused()
    project.sign_up(address)
    project.reset_mail(address)
    [(envelope, _)] = catcher.wait()
    assert envelope.rcpt_tos == [address]
    time.sleep(0.3)
    assert len(catcher.caught) == 1


def test_many_mails_each_once_and_in_their_order(project, catcher):
    addresses = [unused(f"n{n}") for n in range(60)]
    for address in addresses:
        project.call("sendOobCode", {
            "requestType": "EMAIL_SIGNIN", "email": address, "continueUrl": "http://localhost/"})
    caught = catcher.wait(60, 20)
    assert [message["To"] for _, message in caught] == addresses
    assert len({message["Message-ID"] for _, message in caught}) == 60


def test_a_burst_of_mails_arrives_whole(project, catcher):
    """More than a buffer of changes holds while one mail is on its way."""
    count = 400
    kept = catcher.handle_DATA

    async def slow(*arguments):
        await asyncio.sleep(0.02)
        return await kept(*arguments)

    catcher.handle_DATA = slow
    # Each mail is a line on the console, which somebody has to read.
    threading.Thread(target=project.server.process.stdout.read, daemon=True).start()
    session = requests.Session()
    for n in range(count):
        reply = session.post(
            f"{project.server.auth}/identitytoolkit.googleapis.com/v1/accounts:sendOobCode",
            params={"key": project.id}, timeout=30, json={
                "requestType": "EMAIL_SIGNIN", "email": f"burst{n}@example.com",
                "continueUrl": "http://localhost/"})
        assert reply.status_code == 200
    catcher.wait(count, 25)


@pytest.mark.parametrize("project_id", ["demo-hearth", "demo-other"])
def test_all_projects(catcher, project_id):
    with relaying(catcher.port) as project:
        other = Steered(project.server, project_id)
        address = unused()
        other.sign_up(address)
        other.reset_mail(address)
        [(envelope, _)] = catcher.wait()
        assert envelope.mail_from == f"noreply@{project_id}.firebaseapp.com"


def test_a_tenants_mail(project, catcher):
    tenant = project.tenant(allowPasswordSignup=True)
    address = unused()
    project.sign_up(address, tenantId=tenant)
    project.call("sendOobCode", {
        "requestType": "PASSWORD_RESET", "email": address, "tenantId": tenant})
    assert catcher.wait()[0][0].rcpt_tos == [address]


def test_a_back_ends_mails(catcher):
    path = str(ROOT / "fixtures/dialects/jabrutouch.json")
    with relaying(catcher.port, "--dialect", path) as project:
        default = Steered(project.server, "demo-hearth")
        address = unused()
        default.sign_up(address)
        requests.post(f"{project.server.auth}/api/reset_password/", json={"email": address},
                      timeout=30, headers={"User-Agent": "Jabrutouch/2.0"})
        [(_, message)] = catcher.wait()
        assert "https://jabrutouch.page.link/?type=reset_password&token=" in (
            parts(message)["text/plain"])
        token = default.messages(to=address)[-1]["oobCode"]
        requests.post(f"{project.server.auth}/api/confirm_reset_password/", timeout=30, json={
            "token": token, "new_password": "new-password"})
        assert "changed" in catcher.wait(2)[1][1]["Subject"]


def test_nothing_is_relayed_without_the_flag(catcher, hearth):
    project = Steered(hearth)
    address = unused()
    project.sign_up(address)
    project.reset_mail(address)
    time.sleep(0.5)
    assert catcher.caught == []


@pytest.mark.parametrize("local", ["o'brien+tag", "a.b_c-d", "x" * 60, "UPPER.Case"])
def test_addresses(project, catcher, local):
    address = f"{local}-{uuid.uuid4().hex[:6]}@example.com"
    project.call("sendOobCode", {
        "requestType": "EMAIL_SIGNIN", "email": address, "continueUrl": "http://localhost/"})
    [(envelope, message)] = catcher.wait()
    assert envelope.rcpt_tos == [address.lower()] and message["To"] == address.lower()


@pytest.mark.parametrize("address", ["jösé@example.com", "ana@bücher.example", "a b@example.com"])
def test_an_address_outside_of_ascii_never_becomes_another(project, catcher, address):
    """It is written whole, or not handed on at all; here would be somebody else's mailbox."""
    reply = project.raw("sendOobCode", {
        "requestType": "EMAIL_SIGNIN", "email": address, "continueUrl": "http://localhost/"})
    if reply.status_code != 200:
        return
    follower = unused()
    project.call("sendOobCode", {
        "requestType": "EMAIL_SIGNIN", "email": follower, "continueUrl": "http://localhost/"})
    end = time.monotonic() + 8
    while time.monotonic() < end and not any(
            envelope.rcpt_tos == [follower] for envelope, _ in catcher.caught):
        time.sleep(0.05)
    recipients = [envelope.rcpt_tos[0] for envelope, _ in catcher.caught]
    assert recipients[-1] == follower
    assert recipients[:-1] in ([], [address], ["ana@xn--bcher-kva.example"])


# MARK: A catcher that does not want, or is not there


def asks_quickly(project) -> dict:
    """A request whose mail goes nowhere: it succeeds, at once, and the mailbox has the mail."""
    address = unused()
    project.sign_up(address)
    begin = time.monotonic()
    kept = project.reset_mail(address)
    assert time.monotonic() - begin < 2
    project.call("resetPassword", {"oobCode": kept["oobCode"], "newPassword": "secret2"})
    return kept


def test_nobody_listens():
    with relaying(free_port()) as project:
        for _ in range(3):
            asks_quickly(project)
        time.sleep(1.5)
        asks_quickly(project)


@pytest.mark.parametrize("command, answer", [
    ("EHLO", "554 Go away"), ("MAIL", "451 Later"), ("MAIL", "550 Not from you"),
    ("RCPT", "550 Nobody here"), ("RCPT", "452 Too many"), ("DATA", "552 Too large"),
    ("DATA", "451 Later"), ("DATA", "554 Spam"),
])
def test_it_refuses(project, catcher, command, answer):
    catcher.refuse = {command: answer}
    asks_quickly(project)
    # What was refused holds the next one up only shortly.
    end = time.monotonic() + 5
    while not catcher.attempts and time.monotonic() < end:
        time.sleep(0.02)
    assert catcher.attempts
    time.sleep(1.2)
    catcher.refuse = {}
    before = len(catcher.caught)
    kept = asks_quickly(project)
    end = time.monotonic() + 5
    while time.monotonic() < end and not any(
            message["To"] == kept["to"] for _, message in catcher.caught[before:]):
        time.sleep(0.05)
    assert any(message["To"] == kept["to"] for _, message in catcher.caught[before:])


def test_a_failure_is_told_on_the_console(catcher):
    catcher.refuse = {"RCPT": "550 Nobody here"}
    server = Server("--smtp-relay", f"127.0.0.1:{catcher.port}")
    project = Steered(server)
    asks_quickly(project)
    time.sleep(1.5)
    server.stop()
    assert any("550 Nobody here" in line for line in server.lines), server.lines


def test_it_recovers_when_the_catcher_comes_back():
    port = free_port()
    with relaying(port) as project:
        asks_quickly(project)
        catcher = Catcher(port)
        try:
            time.sleep(1.5)
            count = len(catcher.caught)
            kept = asks_quickly(project)
            assert catcher.wait(count + 1)[-1][1]["To"] == kept["to"]
        finally:
            catcher.stop()
        asks_quickly(project)
        time.sleep(1.5)
        catcher = Catcher(port)
        try:
            kept = asks_quickly(project)
            end = time.monotonic() + 8
            while time.monotonic() < end and not any(
                    message["To"] == kept["to"] for _, message in catcher.caught):
                time.sleep(0.05)
            assert any(message["To"] == kept["to"] for _, message in catcher.caught)
        finally:
            catcher.stop()


def test_a_short_absence_loses_nothing():
    """A mail that could not be handed on is tried again."""
    port = free_port()
    with relaying(port) as project:
        kept = asks_quickly(project)
        time.sleep(0.05)
        catcher = Catcher(port)
        try:
            assert catcher.wait()[0][1]["To"] == kept["to"]
        finally:
            catcher.stop()


@contextlib.contextmanager
def deaf(greeting: bytes = b""):
    """Takes connections and says nothing more."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
        listener.settimeout(0.2)
        done, open_ones = threading.Event(), []

        def accept():
            while not done.is_set():
                with contextlib.suppress(OSError):
                    one, _ = listener.accept()
                    one.sendall(greeting)
                    open_ones.append(one)

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield listener.getsockname()[1]
        done.set()
        thread.join()
        for one in open_ones:
            one.close()


@pytest.mark.parametrize("greeting", [b"", b"220 hello\r\n", b"HTTP/1.1 400 Bad Request\r\n\r\n",
                                      b"\xff\xfe\r\n", b"220" + b"x" * 100_000, b"220-a\r\n" * 50])
def test_a_server_that_is_no_catcher(greeting):
    """The requests go on, and the server stops at once when it is told to."""
    with deaf(greeting) as port:
        server = Server("--smtp-relay", f"127.0.0.1:{port}")
        project = Steered(server)
        for _ in range(3):
            asks_quickly(project)
        time.sleep(0.3)
        begin = time.monotonic()
        server.stop()
        assert time.monotonic() - begin < 5


def test_the_server_stops_at_once(catcher):
    server = Server("--smtp-relay", f"127.0.0.1:{catcher.port}")
    begin = time.monotonic()
    server.stop()
    assert time.monotonic() - begin < 2


def test_what_is_under_way_does_not_hold_the_end_up(catcher):
    async def slow(*_):
        await asyncio.sleep(3)
        return "250 Kept"

    catcher.handle_DATA = slow
    server = Server("--smtp-relay", f"127.0.0.1:{catcher.port}")
    project = Steered(server)
    asks_quickly(project)
    begin = time.monotonic()
    server.stop()
    assert time.monotonic() - begin < 5


@pytest.mark.parametrize("value", ["", "localhost", "localhost:", ":25", "localhost:x",
                                   "localhost:0", "localhost:70000", "smtp://localhost:25"])
def test_a_bad_address_is_refused_at_the_start(value):
    done = subprocess.run(
        [binary(), "--auth-port", "0", "--firestore-port", "0", "--console-port", "0",
         "--smtp-relay", value], capture_output=True, text=True, timeout=20)
    assert done.returncode != 0
    assert "--smtp-relay" in done.stderr and "host:port" in done.stderr


@pytest.mark.parametrize("host", ["localhost", "[::1]"])
def test_other_ways_to_name_this_machine(host):
    name = host.strip("[]")
    with socket.socket(socket.AF_INET6 if ":" in name else socket.AF_INET) as probe:
        try:
            probe.bind((name, 0))
        except OSError:
            pytest.skip("no IPv6 here")
    catcher = Catcher()
    catcher.stop()
    catcher.controller = Controller(
        catcher, hostname=name, port=free_port(), enable_SMTPUTF8=True)
    catcher.controller.start()
    server = Server("--smtp-relay", f"{host}:{catcher.controller.port}")
    try:
        project = Steered(server)
        address = unused()
        project.sign_up(address)
        project.reset_mail(address)
        assert catcher.wait()[0][0].rcpt_tos == [address]
    finally:
        server.stop()
        catcher.stop()
