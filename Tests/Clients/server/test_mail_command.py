"""`hearth mail`: lists, marks, tags, deletes and releases mails."""

import subprocess

import pytest
from support.server import Server, binary
from support.smtp import Catcher


@pytest.fixture(scope="module")
def peer():
    catcher = Catcher()
    yield catcher
    catcher.controller.stop()


@pytest.fixture(scope="module")
def server(peer):
    server = Server("--smtp-relay", f"127.0.0.1:{peer.port}", "--smtp-relay-to", "*@allowed.test")
    for name in ("ann", "bob"):
        server.accounts("signUp", {"email": f"{name}@example.com", "password": "secret1"})
        server.accounts(
            "sendOobCode", {"requestType": "PASSWORD_RESET", "email": f"{name}@example.com"}
        )
    yield server
    server.stop()


@pytest.fixture
def mail(server):
    def mail(*options: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [binary(), "mail", "--address", server.host, *options],
            capture_output=True,
            text=True,
            timeout=60,
        )

    return mail


def test_mails_are_listed_with_their_number(mail):
    done = mail("--list")
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert [row[3] for row in rows] == ["ann@example.com", "bob@example.com"]
    assert all(len(row) == 5 and row[2] == "pending" for row in rows)
    assert done.stderr == ""
    newest = mail("--list", "--limit", "1")
    assert newest.stdout == rows[1][0] + "\t" + "\t".join(rows[1][1:]) + "\n"
    assert "the newest 1 of 2 mails" in newest.stderr
    assert [
        line.split("\t")[3] for line in mail("--list", "--search", "to:ann").stdout.splitlines()
    ] == ["ann@example.com"]


def test_a_mail_is_marked_and_tagged(mail):
    assert mail("--id", "1", "--mark-read", "--add-tag", "a b", "--add-tag", "c").returncode == 0
    assert mail("--list", "--search", "is:read").stdout.startswith("1\t")
    assert mail("--id", "1", "--remove-tag", "c").returncode == 0
    assert mail("--list", "--tag", "a b").stdout.startswith("1\t")
    assert mail("--list", "--tag", "c").stdout == ""
    assert mail("--to", "ann@example.com", "--mark-unread").returncode == 0
    assert mail("--list", "--search", "is:read").stdout == ""


def test_a_mail_is_printed_as_it_travels(mail):
    assert "To: ann@example.com" in mail("--search", "to:ann", "--eml").stdout
    assert "Subject:" in mail("--id", "2").stdout


def test_a_mail_is_released(mail, peer):
    refused = mail("--id", "1", "--release")
    assert refused.returncode == 1 and "not allowed by --smtp-relay-to" in refused.stderr
    done = mail("--id", "1", "--release-to", "me@allowed.test")
    assert (done.returncode, done.stdout) == (0, "me@allowed.test\n")
    peer.refuse["RCPT"] = "550 5.1.1 unknown"
    failed = mail("--id", "1", "--release-to", "me@allowed.test")
    assert failed.returncode == 1 and "550" in failed.stderr


@pytest.mark.parametrize(
    "options",
    [
        ("--list", "--id", "1"),
        ("--list", "--code"),
        ("--delete", "--wait", "1s"),
        ("--mark-read", "--mark-unread"),
        ("--release", "--eml"),
        ("--id", "1", "--to", "a@x.test"),
        ("--list", "--limit", "0"),
        ("--tag", 'a"b'),
    ],
)
def test_options_that_contradict_each_other_are_refused(mail, options):
    assert mail(*options).returncode == 64


def test_mails_are_deleted(mail):
    assert mail("--id", "9", "--delete").returncode == 1
    assert mail("--search", "to:bob", "--delete").returncode == 0
    assert mail("--id", "1", "--delete").returncode == 0
    assert mail("--list").stdout == ""


def test_health_names_the_ports_of_mail():
    server = Server("--smtp-port", "0", "--mail-api-port", "0")
    done = subprocess.run(
        [binary(), "health", "--addresses", "--address", server.host],
        capture_output=True,
        text=True,
        timeout=60,
    )
    rows = dict(line.split("\t") for line in done.stdout.splitlines())
    assert rows["auth"] == server.host
    assert "http://" + rows["mailApi"] == server.addresses["mail-api"]
    assert rows["smtp"] in server.addresses["smtp"] and "smtpTls" not in rows
    server.stop()
