"""An SMTP server (aiosmtpd) that records what it receives."""

import contextlib
import email
import email.policy

import pytest
from aiosmtpd.controller import Controller
from support.server import TalkingServer, free_port
from support.steering import Steered
from support.waiting import until


class Catcher:
    """Keeps every mail it receives. `refuse` maps a command, or a recipient, to the answer that refuses it."""

    def __init__(self, port: int = 0, **options):
        self.forget()
        options = {"enable_SMTPUTF8": True, "ready_timeout": 30, **options}
        self.controller = Controller(
            self, hostname="127.0.0.1", port=port or free_port(), **options
        )
        self.controller.start()
        self.port = self.controller.port

    def forget(self) -> None:
        self.caught: list[tuple[object, email.message.EmailMessage]] = []
        self.raw: list[bytes] = []
        self.attempts = 0
        self.refuse: dict[str, str] = {}
        self.__dict__.pop("handle_DATA", None)

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
        for refused in ("RCPT", address):
            if refused in self.refuse:
                return self.refuse[refused]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if "DATA" in self.refuse:
            return self.refuse["DATA"]
        self.raw.append(envelope.original_content)
        self.caught.append(
            (envelope, email.message_from_bytes(envelope.content, policy=email.policy.default))
        )
        return "250 Kept"

    def wait(self, count: int = 1, seconds: float = 30) -> list:
        """Exactly that many mails."""
        until(lambda: len(self.caught) >= count, seconds, f"{count} mails")
        assert len(self.caught) == count
        return self.caught

    def wait_for(self, kept: dict) -> None:
        """The mail that the mailbox shows as `kept`."""
        until(lambda: any(message["To"] == kept["to"] for _, message in self.caught))

    def stop(self) -> None:
        with contextlib.suppress(Exception):
            self.controller.stop()


@contextlib.contextmanager
def relaying(port: int, *flags: str):
    server = TalkingServer("--smtp-relay", f"127.0.0.1:{port}", *flags)
    try:
        yield Steered(server)
    finally:
        # A regular stop may take seconds; other tests look at it.
        server.kill()


def given_up(project: Steered, kept: dict) -> None:
    """Waits until the server has tried that mail for the last time."""
    project.server.wait_for(f"Mail {kept['id']} was not relayed", 3)


@pytest.fixture(scope="module")
def relay():
    """One catcher, and one server that relays to it, for all tests of a file."""
    catcher = Catcher()
    try:
        with relaying(catcher.port) as project:
            yield catcher, project.server
    finally:
        catcher.stop()


@pytest.fixture
def catcher(relay):
    catcher, _ = relay
    catcher.forget()
    return catcher


@pytest.fixture
def project(relay):
    _, server = relay
    return Steered(server)
