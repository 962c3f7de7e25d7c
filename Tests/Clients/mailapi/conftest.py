"""A server with the send APIs, and what it has kept."""

import pytest
import requests
from support.server import PROJECT, Server


class MailServer(Server):
    def __init__(self, *flags: str):
        super().__init__("--mail-api-port", "0", *flags)
        self.api = self.addresses["mail-api"]

    def latest(self, to: str, project: str = PROJECT) -> dict:
        reply = requests.get(
            f"{self.auth}/emulator/v1/projects/{project}/messages/latest",
            params={"to": to, "delivery": "any", "wait": "10s"},
            timeout=30,
        )
        assert reply.status_code == 200, reply.text
        return reply.json()

    def count(self, to: str) -> int:
        reply = requests.get(
            f"{self.auth}/emulator/v1/projects/{PROJECT}/messages", params={"to": to}, timeout=30
        )
        return len(reply.json()["messages"])


@pytest.fixture(scope="module")
def mail():
    server = MailServer()
    yield server
    server.stop()
