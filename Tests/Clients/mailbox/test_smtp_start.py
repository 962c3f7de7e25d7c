"""Ports of SMTP at the start, and what `hearth exec` tells a command."""

import json
import socket
import subprocess
import sys

import pytest
from support.messages.smtp_clients import Raw
from support.server import Server, binary, free_port
from support.steering import guard  # noqa: F401


def test_a_port_that_is_taken_is_one_line():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        taken = other.getsockname()[1]
        server = Server("--smtp-port", str(taken), "--smtp-tls-port", str(taken))
    try:
        assert "smtp" not in server.addresses and "smtp tls" not in server.addresses
        lines = [line for line in server.lines if str(taken) in line]
        whose = f"port {taken} is already in use by python"
        assert len(lines) == 2
        assert any(f"SMTP is off: {whose}" in line for line in lines), lines
        assert any(f"SMTP with STARTTLS is off: {whose}" in line for line in lines), lines
    finally:
        server.stop()


def test_without_the_ports():
    server = Server("--smtp-port", "none", "--smtp-tls-port", "none")
    assert not any("smtp" in line.lower() for line in server.lines)
    server.stop()


def test_an_open_session_does_not_hold_up_the_end():
    server = Server("--smtp-port", "0", "--smtp-tls-port", "0")
    raw = [Raw(int(server.addresses[name].rsplit(":", 1)[1])) for name in ("smtp", "smtp tls")]
    for one in raw:
        assert one.reply().startswith("220 ")
    server.stop()
    for one in raw:
        assert one.reply().startswith("421 4.3.2")


@pytest.mark.parametrize("relay", ["127.0.0.1:{}", "smtp://localhost:{}", "smtps://u:p@[::1]:{}"])
def test_a_relay_to_a_port_of_its_own_is_refused(relay):
    port = free_port()
    done = run("serve", "--smtp-port", str(port), "--smtp-relay", relay.format(port))
    assert done.returncode != 0 and "its mails would come back" in done.stderr
    assert "u:p" not in done.stderr


@pytest.mark.parametrize(
    "relay",
    [
        "mail.test",
        "smtp://",
        "smtp://secret@mail.test",
        "http://u:secret@mail.test:25",
        "u:secret@a:25",
    ],
)
def test_a_relay_that_cannot_be_read(relay):
    done = run("serve", "--smtp-relay", relay)
    assert done.returncode != 0 and "--smtp-relay" in done.stderr
    assert "secret" not in done.stderr


def run(*arguments: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        [binary(), *arguments], capture_output=True, text=True, timeout=50, **options
    )


def environment(*flags: str, **variables: str) -> dict:
    """What a command under `hearth exec` finds."""
    import os

    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("HEARTH_", "SMTP_", "MAIL", "EMAIL_", "SSL_", "NODE_"))
    }
    script = "import json, os; print(json.dumps(dict(os.environ)))"
    done = run(
        "exec",
        "--project",
        "demo-x",
        *flags,
        "--",
        sys.executable,
        "-c",
        script,
        env={**clean, **variables},
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_exec_tells_a_command_where_mail_goes():
    told = environment()
    assert told["SMTP_HOST"] == told["MAIL_HOST"] == told["EMAIL_HOST"] == "127.0.0.1"
    assert told["SMTP_PORT"] == told["MAIL_PORT"] == told["EMAIL_PORT"]
    assert told["SMTP_URL"] == told["MAILER_DSN"] == told["HEARTH_SMTP_URL"]
    assert told["SMTP_URL"] != f"smtp://127.0.0.1:{told['SMTP_PORT']}"


def test_exec_leaves_what_is_set(tmp_path):
    told = environment(SMTP_HOST="mail.test", EMAIL_SERVER="smtp://a")
    assert told["SMTP_HOST"] == "mail.test" and "SMTP_PORT" not in told
    assert told["EMAIL_SERVER"] == "smtp://a" and told["MAIL_HOST"] == "127.0.0.1"
    none = environment("--smtp-port", "none", "--smtp-tls-port", "none")
    assert not {"SMTP_HOST", "SMTP_URL", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"} & none.keys()


SEND = """
import os, smtplib, ssl, sys
with smtplib.SMTP(os.environ["SMTP_HOST"], int(os.environ["SMTP_PORT"]), timeout=60) as client:
    client.starttls(context=ssl.create_default_context())
    client.login("me", "any")
    client.sendmail("a@x.test", ["b@x.test"], "Subject: trusted\\r\\n\\r\\nx")
for name in ("SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"):
    print(os.environ[name], open(os.environ[name]).read().count("BEGIN CERTIFICATE"))
"""


def test_a_command_trusts_the_certificate_and_what_the_system_trusts(tmp_path):
    import os

    known = tmp_path / "known.pem"
    known.write_text("-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n")
    done = run(
        "exec",
        "--",
        sys.executable,
        "-c",
        SEND,
        env={**os.environ, "NODE_EXTRA_CA_CERTS": str(known)},
    )
    assert done.returncode == 0, done.stderr
    (bundle, many), (extra, two) = [line.split() for line in done.stdout.splitlines()]
    assert int(many) > 50 and int(two) == 2 and extra != str(known)
    # The files go with the command.
    assert not os.path.exists(bundle) and not os.path.exists(extra)
