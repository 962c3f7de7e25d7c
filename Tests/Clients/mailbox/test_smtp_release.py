"""The relay over TLS with a password, and mails that are released."""

import contextlib
import datetime
import ipaddress
import os
import smtplib
import socket
import ssl
import threading

import pytest
import requests
from aiosmtpd.smtp import AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from support.server import TalkingServer
from support.smtp import Catcher
from support.steering import Steered, guard, unused  # noqa: F401

PASSWORD = "p@ss:wörd"
LOGIN = "user%40mail:p%40ss%3Aw%C3%B6rd"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory) -> str:
    """A self-signed certificate for this machine, with its key in the same file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(1))
        .not_valid_after(now + datetime.timedelta(30))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(
            x509.SubjectAlternativeName(
                [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
            ),
            False,
        )
        .sign(key, hashes.SHA256())
    )
    path = tmp_path_factory.mktemp("relay") / "both.pem"
    path.write_bytes(
        made.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return str(path)


def check(server, session, envelope, mechanism, data):
    good = data.login == b"user@mail" and data.password == PASSWORD.encode()
    return AuthResult(success=good, handled=False)


def peer(certificate: str, **options) -> Catcher:
    """A mail server that wants TLS and a password."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    kind = "ssl_context" if options.pop("implicit", False) else "tls_context"
    if kind == "tls_context":
        options["require_starttls"] = True
    return Catcher(
        **{kind: context},
        authenticator=check,
        auth_required=True,
        auth_require_tls=kind == "tls_context",
        **options,
    )


class Relaying:
    """A server with such a relay."""

    def __init__(self, relay: str, *flags: str, trust: str | None = None):
        before = os.environ.get("SSL_CERT_FILE")
        if trust:
            os.environ["SSL_CERT_FILE"] = trust
        try:
            self.server = TalkingServer(
                "--smtp-port", "0", "--smtp-tls-port", "0", "--smtp-relay", relay, *flags
            )
        finally:
            if before is None:
                os.environ.pop("SSL_CERT_FILE", None)
            else:
                os.environ["SSL_CERT_FILE"] = before

    def __enter__(self) -> Steered:
        return Steered(self.server)

    def __exit__(self, *_):
        self.server.kill()


@pytest.mark.parametrize(
    "scheme, host", [("smtp", "localhost"), ("smtp", "127.0.0.1"), ("smtps", "127.0.0.1")]
)
def test_tls_and_a_password(certificate, scheme, host):
    catcher = peer(certificate, implicit=scheme == "smtps")
    try:
        with Relaying(f"{scheme}://{LOGIN}@{host}:{catcher.port}", trust=certificate) as project:
            address = unused()
            project.sign_up(address)
            kept = project.reset_mail(address)
            [(envelope, message)] = catcher.wait()
            assert envelope.rcpt_tos == [address] and message["Subject"] == kept["subject"]
    finally:
        catcher.stop()


@pytest.mark.parametrize("scheme", ["smtp", "smtps"])
def test_a_certificate_that_is_not_trusted(certificate, scheme):
    catcher = peer(certificate, implicit=scheme == "smtps")
    try:
        with Relaying(f"{scheme}://{LOGIN}@127.0.0.1:{catcher.port}") as project:
            address = unused()
            project.sign_up(address)
            project.reset_mail(address)
            project.server.wait_for("was not relayed to 127.0.0.1", 3)
            assert catcher.caught == []
            assert not any("p@ss" in line or "p%40" in line for line in project.server.heard)
    finally:
        catcher.stop()


def test_a_wrong_password_is_not_in_the_log(certificate):
    catcher = peer(certificate)
    try:
        relay = f"smtp://someone:hunter2@localhost:{catcher.port}"
        with Relaying(relay, trust=certificate) as project:
            address = unused()
            project.sign_up(address)
            project.reset_mail(address)
            project.server.wait_for("it refused the user name and password: 535", 3)
            assert not any("hunter2" in line for line in project.server.heard)
    finally:
        catcher.stop()


def send(project, recipient: str, body: bytes) -> None:
    port = int(project.server.addresses["smtp"].rsplit(":", 1)[1])
    with smtplib.SMTP("127.0.0.1", port, timeout=60) as client:
        client.login(project.id, "x")
        client.mail("app@x.test")
        client.rcpt(recipient)
        assert client.data(body)[0] == 250


@pytest.fixture(scope="module")
def relay():
    catcher = Catcher()
    with Relaying(f"127.0.0.1:{catcher.port}", "--smtp-relay-to", "*@example.com") as project:
        yield catcher, project.server
    catcher.stop()


@pytest.fixture
def catcher(relay):
    relay[0].forget()
    return relay[0]


@pytest.fixture
def project(relay):
    return Steered(relay[1])


BODY = b"Subject: released\r\nTo: you\r\n\r\n..dots\r\nbare\nfeed \xc3\xa4\r\n"


def test_a_mail_of_the_app_goes_out_when_it_is_released(project, catcher):
    address, other = unused(), unused()
    send(project, address, BODY)
    project.sign_up(other)
    kept = project.reset_mail(other)
    # Hearth's own mail is relayed by itself, and that of the app is not.
    catcher.wait_for(kept)
    assert [envelope.rcpt_tos for envelope, _ in catcher.caught] == [[other]]
    [mail] = project.messages(to=address)
    one, two = unused(), unused()
    done = project.own("POST", f"/messages/{mail['id']}:release", json={"to": [one, two]})
    assert done == {"accepted": [one, two], "rejected": []}
    (_, _), (envelope, message) = catcher.wait(2)
    assert envelope.rcpt_tos == [one, two] and message["Subject"] == "released"
    # As it came, but for the ends of lines: a bare line feed could end a mail elsewhere.
    assert catcher.raw[1] == BODY.replace(b"bare\nfeed", b"bare\r\nfeed")


def test_a_mail_of_ours_is_released_to_its_recipient(project, catcher):
    address = unused()
    project.sign_up(address)
    kept = project.reset_mail(address)
    catcher.wait(1)
    done = project.own("POST", f"/messages/{kept['id']}:release", json={})
    assert done == {"accepted": [address], "rejected": []}
    catcher.wait(2)


def test_a_refusal_of_several_lines_is_one_reply(project, catcher):
    address, one, two = unused(), unused(), unused()
    send(project, address, BODY)
    [mail] = project.messages(to=address)
    catcher.refuse[one] = "550-nobody\r\n550-is\r\n550 here"
    done = project.own("POST", f"/messages/{mail['id']}:release", json={"to": [one, two]})
    assert done == {"accepted": [two], "rejected": [{"to": one, "reply": "550-nobody"}]}
    [(envelope, _)] = catcher.wait()
    assert envelope.rcpt_tos == [two]


def test_a_reply_in_clear_does_not_count_under_tls(certificate):
    """An attacker between could put it after the answer to STARTTLS."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    heard = []

    def serve(listener: socket.socket):
        with contextlib.suppress(OSError):
            while True:
                client, _ = listener.accept()
                client.sendall(b"220 hello\r\n")
                client.recv(1000)
                client.sendall(b"250-hello\r\n250 STARTTLS\r\n")
                client.recv(1000)
                client.sendall(b"220 go ahead\r\n250 injected\r\n")
                with (
                    contextlib.suppress(OSError),
                    context.wrap_socket(client, server_side=True) as secure,
                ):
                    heard.append(secure.recv(1000))

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, args=[listener], daemon=True).start()
        with Relaying(
            f"smtp://127.0.0.1:{listener.getsockname()[1]}", trust=certificate
        ) as project:
            project.sign_up(address := unused())
            project.reset_mail(address)
            project.server.wait_for("more than the answer to STARTTLS", 3)
    assert not any(heard)


def test_what_cannot_be_released(project, catcher):
    address = unused()
    send(project, address, BODY)
    [mail] = project.messages(to=address)
    path = f"/messages/{mail['id']}:release"
    assert "--smtp-relay-to" in project.complaint("POST", path, {"to": ["me@elsewhere.test"]})
    assert "list of addresses" in project.complaint("POST", path, {"to": []})
    assert "SMTPUTF8" in project.complaint("POST", path, {"to": ["a>\r\nDATA@example.com"]})
    project.own("POST", "/messages/999999:release", 404, json={})
    catcher.refuse["RCPT"] = "550 not here"
    project.own("POST", path, 503, json={})
    assert catcher.caught == []


def test_automatic_mail_obeys_the_list(project, catcher):
    outside, inside = "someone@elsewhere.test", unused()
    for address in (outside, inside):
        project.sign_up(address)
        kept = project.reset_mail(address)
    catcher.wait_for(kept)
    assert [envelope.rcpt_tos for envelope, _ in catcher.caught] == [[inside]]


def test_without_a_relay(hearth):
    project = Steered(hearth)
    assert "--smtp-relay" in project.complaint("POST", "/messages/1:release", {})


def test_web_pages_cannot_release(project):
    reply = requests.post(
        f"{project.server.auth}{project.control}/messages/1:release",
        json={},
        timeout=60,
        headers={"Origin": "https://evil.test"},
    )
    assert reply.status_code == 403
