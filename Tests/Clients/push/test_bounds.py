"""The bound in bytes of a mailbox holds for push messages, text messages and mails alike."""

import pytest
import requests
from support.messages.texts import TextServer
from support.server import PROJECT

LIMIT = 1 << 20


@pytest.fixture(scope="module")
def small():
    server = TextServer("--mailbox-limit", "1")
    yield server
    server.stop()


def push(server, number: int) -> requests.Response:
    return requests.post(
        f"{server.auth}/v1/projects/{PROJECT}/messages:send",
        json={"message": {"token": "bounded", "data": {"k": f"{number} " + "x" * 4000}}},
        headers={"Authorization": "Bearer owner"},
        timeout=30,
    )


def text(server, number: int) -> requests.Response:
    # Four bytes a character.
    return server.twilio("+4915112345678", f"{number} " + "😀" * 1500)


def mail(server, number: int) -> requests.Response:
    return requests.post(
        f"{server.api}/emails",
        json={
            "from": "app@example.com",
            "to": "ann@example.com",
            "subject": str(number),
            "text": "x" * 6000,
        },
        headers={"Authorization": "Bearer re_key"},
        timeout=30,
    )


def kept(server, **filters) -> list[dict]:
    reply = requests.get(
        f"{server.control}/messages", params={"limit": "1000", **filters}, timeout=30
    )
    return reply.json()["messages"]


@pytest.mark.parametrize(("send", "kind"), [(push, "PUSH"), (text, "SMS"), (mail, None)])
def test_one_kind(small, send, kind):
    requests.delete(f"{small.control}/messages", timeout=30)
    for number in range(300):
        reply = send(small, number)
        assert reply.ok, reply.text
    found = kept(small)
    assert 10 < len(found) < 300
    assert kind is None or {each["type"] for each in found} == {kind}
    # Messages are counted every sixteen, so the bound may be passed for a while.
    size = sum(each["size"] + len(each["text"].encode()) for each in found)
    assert LIMIT / 4 < size < LIMIT * 1.5
    newest = found[-1]
    assert "299" in newest["subject"] + newest["text"]


def test_all_kinds_together(small):
    """The oldest go first, whatever they are."""
    requests.delete(f"{small.control}/messages", timeout=30)
    for number in range(60):
        assert mail(small, number).ok
    for number in range(200):
        assert push(small, number).ok and text(small, number).ok
    found = kept(small)
    assert {each["type"] for each in found} == {"PUSH", "SMS"}
    assert len(found) < 400
