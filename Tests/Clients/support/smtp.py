"""An SMTP server (aiosmtpd) that records what it receives."""

import contextlib
import email
import email.policy
import socket
import time

import pytest
from aiosmtpd.controller import Controller

from support.server import Server
from support.steering import Steered


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
