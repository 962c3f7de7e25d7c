"""`--smtp-relay` with an SMTP server that refuses, fails or is not there."""

import asyncio
import contextlib
import signal
import socket
import subprocess
import threading

import pytest
from aiosmtpd.controller import Controller
from support.server import Server, binary, free_port
from support.smtp import Catcher, catcher, given_up, project, relay, relaying  # noqa: F401
from support.steering import Steered, guard, unused  # noqa: F401
from support.waiting import until


def asks(project) -> dict:
    """A request whose mail is not delivered succeeds, and the mailbox has the mail."""
    address = unused()
    project.sign_up(address)
    kept = project.reset_mail(address)
    project.call("resetPassword", {"oobCode": kept["oobCode"], "newPassword": "secret2"})
    return kept


def test_an_smtp_server_that_is_not_there():
    with relaying(free_port()) as project:
        kept = [asks(project) for _ in range(3)]
        given_up(project, kept[0])
        asks(project)


@pytest.mark.parametrize(
    "command, answer",
    [
        ("EHLO", "554 Go away"),
        ("MAIL", "451 Later"),
        ("MAIL", "550 Not from you"),
        ("RCPT", "550 Nobody here"),
        ("RCPT", "452 Too many"),
        ("DATA", "552 Too large"),
        ("DATA", "451 Later"),
        ("DATA", "554 Spam"),
    ],
)
def test_it_refuses(project, catcher, command, answer):
    """A refused mail is tried three times; the next one is not lost with it."""
    catcher.refuse = {command: answer}
    refused = asks(project)
    given_up(project, refused)
    assert catcher.attempts == 3 and not catcher.caught
    catcher.refuse = {}
    catcher.wait_for(asks(project))


def test_a_failure_is_printed(catcher, project):
    catcher.refuse = {"RCPT": "550 Nobody here"}
    kept = asks(project)
    given_up(project, kept)
    assert any(
        f"Mail {kept['id']} " in line and "550 Nobody here" in line for line in project.server.heard
    )


def test_it_recovers_when_the_catcher_comes_back():
    port = free_port()
    with relaying(port) as project:
        asks(project)
        catcher = Catcher(port)
        try:
            catcher.wait_for(asks(project))
        finally:
            catcher.stop()
        given_up(project, asks(project))
        catcher = Catcher(port)
        try:
            catcher.wait_for(asks(project))
        finally:
            catcher.stop()


def test_a_short_absence_loses_nothing():
    """A mail that could not be delivered is tried again."""
    port, address = free_port(), unused()
    with relaying(port) as project:
        project.sign_up(address)
        project.call("sendOobCode", {"requestType": "PASSWORD_RESET", "email": address})
        project.server.wait_for("was not relayed")
        # The next attempt comes soon, and is to wait for the catcher.
        project.server.process.send_signal(signal.SIGSTOP)
        catcher = Catcher(port)
        try:
            project.server.process.send_signal(signal.SIGCONT)
            catcher.wait_for({"to": address})
        finally:
            catcher.stop()


@contextlib.contextmanager
def deaf(greeting: bytes):
    """Accepts connections, sends the greeting and nothing more. Gives the port and the connections."""
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
        yield listener.getsockname()[1], open_ones
        done.set()
        thread.join()
        for one in open_ones:
            one.close()


@pytest.mark.parametrize(
    "greeting",
    [
        b"",
        b"220 hello\r\n",
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\xff\xfe\r\n",
        b"220" + b"x" * 100_000,
        b"220-a\r\n" * 50,
    ],
)
def test_a_server_that_does_not_speak_smtp(greeting):
    """Requests are answered, and the server stops at once when it is asked to."""
    with deaf(greeting) as (port, connections):
        server = Server("--smtp-relay", f"127.0.0.1:{port}")
        project = Steered(server)
        for _ in range(3):
            asks(project)
        until(lambda: connections)
        server.stop()


def test_the_server_stops(catcher):
    server = Server("--smtp-relay", f"127.0.0.1:{catcher.port}")
    server.stop()


def test_a_mail_on_its_way_does_not_delay_the_stop(catcher):
    begun = threading.Event()

    async def slow(*_):
        begun.set()
        await asyncio.sleep(120)
        return "250 Kept"

    catcher.handle_DATA = slow
    server = Server("--smtp-relay", f"127.0.0.1:{catcher.port}")
    asks(Steered(server))
    assert begun.wait(30)
    server.stop()


@pytest.mark.parametrize(
    "value",
    [
        "",
        "localhost",
        "localhost:",
        ":25",
        "localhost:x",
        "localhost:0",
        "localhost:70000",
        "imap://localhost:25",
    ],
)
def test_a_bad_address_is_refused_at_the_start(value):
    done = subprocess.run(
        [
            binary(),
            "--auth-port",
            "0",
            "--firestore-port",
            "0",
            "--console-port",
            "0",
            "--smtp-relay",
            value,
        ],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode != 0
    assert "--smtp-relay" in done.stderr
    assert ("host:port" if value else "is empty") in done.stderr


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
        catcher, hostname=name, port=free_port(), enable_SMTPUTF8=True, ready_timeout=30
    )
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
