"""`--smtp-relay` with an SMTP server that refuses, fails or is not there."""

import asyncio
import contextlib
import socket
import subprocess
import threading
import time

import pytest
from aiosmtpd.controller import Controller

from support.server import Server, binary
from support.smtp import Catcher, catcher, free_port, project, relaying  # noqa: F401
from support.steering import Steered, guard, unused  # noqa: F401


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
