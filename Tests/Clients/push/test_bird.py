"""Bird's channels: texts, webhooks, and what is refused."""

import base64
import hashlib
import hmac
import json
import uuid

import bird_python.client
import pytest
import requests
from support.messages.texts import app

KEY = "an-access-key"
SIGNING = "KeV+/HGoIQrxuE5YPCRR6AuQOJveldYNNhbVi1i22qk="


class Workspace:
    """One with a channel, whose owner has an access key."""

    def __init__(self, texts):
        self.texts = texts
        self.id = str(uuid.uuid4())
        self.channel = str(uuid.uuid4())
        self.messages = f"/workspaces/{self.id}/channels/{self.channel}/messages"

    def call(self, method: str, path: str, key: str | None = KEY, **more) -> requests.Response:
        headers = {"Authorization": f"AccessKey {key}"} if key else {}
        url = self.texts.api + path
        return requests.request(method, url, headers=headers, timeout=30, **more)

    def send(self, number: str, text: str = "Hello", **more) -> requests.Response:
        body = {
            "receiver": {"contacts": [{"identifierValue": number}]},
            "body": {"type": "text", "text": {"text": text}},
        }
        return self.call("POST", self.messages, json=body | more)

    def subscribe(self, url: str, **more) -> dict:
        body = {"service": "channels", "event": "sms.outbound", "url": url} | more
        path = f"/organizations/{uuid.uuid4()}/workspaces/{self.id}/webhook-subscriptions"
        reply = self.call("POST", path, json=body)
        assert reply.status_code == 201, reply.text
        return reply.json()


@pytest.fixture
def workspace(texts) -> Workspace:
    return Workspace(texts)


def is_signed(headers: dict, body: str, url: str, key: str) -> bool:
    """As Bird's documentation verifies it."""
    digest = hashlib.sha256(body.encode()).digest()
    signed = f"{headers['messagebird-request-timestamp']}\n{url}\n".encode() + digest
    wanted = hmac.new(key.encode(), signed, hashlib.sha256).digest()
    return base64.b64decode(headers["messagebird-signature"]) == wanted


def test_a_text(workspace, texts, number):
    reply = workspace.send(number, "Your code is 482913.", reference="order-1")
    assert reply.status_code == 202, reply.text
    sent = reply.json()
    assert (sent["status"], sent["direction"]) == ("accepted", "outgoing")
    assert (sent["channelId"], sent["reference"]) == (workspace.channel, "order-1")
    [contact] = sent["receiver"]["contacts"]
    assert (contact["identifierKey"], contact["identifierValue"]) == ("phonenumber", number)
    message = texts.latest(number)
    assert (message["source"], message["code"]) == ("bird", "482913")
    assert message["sms"]["gatewayId"] == sent["id"]
    found = workspace.call("GET", f"{workspace.messages}/{sent['id']}").json()
    assert (found["status"], found["body"]) == ("delivered", sent["body"])


def test_the_client_of_the_index(workspace, texts, number, monkeypatch):
    monkeypatch.setattr(bird_python.client, "ENDPOINT", texts.api + "/")
    client = bird_python.client.Client(KEY, str(uuid.uuid4()), workspace.id)
    body = {
        "receiver": {"contacts": [{"identifierKey": "phonenumber", "identifierValue": number}]},
        "body": {"type": "text", "text": {"text": "Hello"}},
    }
    assert client.send_message(workspace.channel, body)["status"] == "accepted"
    assert texts.latest(number)["text"] == "Hello"
    hook = {"service": "channels", "event": "sms.outbound", "url": "http://127.0.0.1:9/"}
    assert client.webhook_create(hook)["workspaceId"] == workspace.id


def test_a_sender_several_contacts_and_a_template(workspace, texts, number):
    other = number[:-1] + ("1" if number[-1] != "1" else "2")
    body = {
        "sender": {"connector": {"identifierValue": "Acme"}},
        "receiver": {"contacts": [{"identifierValue": each} for each in (number, other)]},
        "template": {
            "projectId": "p-1",
            "version": "latest",
            "locale": "en",
            "variables": {"code": "482913"},
            "parameters": [{"type": "number", "key": "minutes", "value": 5}],
        },
    }
    reply = workspace.call("POST", workspace.messages, json=body)
    assert reply.status_code == 202, reply.text
    for each in (number, other):
        message = texts.latest(each)
        assert (message["from"], message["code"]) == ("Acme", "482913")
        assert message["text"] == "p-1\ncode: 482913\nminutes: 5"


@pytest.mark.parametrize("override", [False, True])
def test_who_is_told(workspace, number, override):
    with app() as (url, told):
        filters = [{"key": "channelId", "value": workspace.channel}]
        where = "http://127.0.0.1:9/" if override else url
        workspace.subscribe(where, signingKey=SIGNING, eventFilters=filters)
        more = {"notification": {"url": url}} if override else {}
        sent = workspace.send(number, **more).json()
        for status in ("accepted", "sent", "delivered"):
            _, headers, body = told.get(timeout=20)
            event = json.loads(body)
            assert (event["service"], event["event"]) == ("channels", "sms.outbound")
            assert (event["payload"]["id"], event["payload"]["status"]) == (sent["id"], status)
            assert is_signed(headers, body, url, SIGNING)
            assert not is_signed(headers, body, url, "other")


def test_who_is_told_without_a_subscription(workspace, number):
    """The access key signs, as with other gateways."""
    with app() as (url, told):
        workspace.send(number, notification={"url": url})
        _, headers, body = told.get(timeout=20)
        assert is_signed(headers, body, url, KEY)


def test_subscriptions(workspace, number):
    with app() as (url, told):
        path = f"/workspaces/{workspace.id}/webhook-subscriptions"
        status = workspace.subscribe(url, eventFilters=[{"key": "status", "value": "delivered"}])
        # The newest that fits counts. These are for other events and channels.
        workspace.subscribe("http://127.0.0.1:9/", event="sms.inbound")
        other = [{"key": "channelId", "value": str(uuid.uuid4())}]
        workspace.subscribe("http://127.0.0.1:9/", eventFilters=other)
        listed = workspace.call("GET", path).json()["results"]
        assert listed[0] == status and len(listed) == 3
        sent = workspace.send(number).json()
        event = json.loads(told.get(timeout=20)[2])
        assert (event["payload"]["id"], event["payload"]["status"]) == (sent["id"], "delivered")
        assert workspace.call("DELETE", f"{path}/{status['id']}").status_code == 204
        assert workspace.call("DELETE", f"{path}/{status['id']}").status_code == 404
        workspace.send(number)
        assert "statusCallback" not in workspace.texts.latest(number)
    stranger = Workspace(workspace.texts)
    assert (
        stranger.call("GET", f"/workspaces/{stranger.id}/webhook-subscriptions").json()["results"]
        == []
    )


CONTACT = {"contacts": [{"identifierValue": "+4915112345678"}]}
TEXT = {"type": "text", "text": {"text": "Hello"}}


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({}, ".receiver.contacts"),
        ({"receiver": {"contacts": []}, "body": TEXT}, ".receiver.contacts"),
        (
            {"receiver": {"contacts": [{"identifierValue": "ann"}]}, "body": TEXT},
            ".receiver.contacts[0].identifierValue",
        ),
        (
            {"receiver": {"contacts": [{"identifierKey": "emailaddress"}]}, "body": TEXT},
            ".receiver.contacts[0].identifierKey",
        ),
        ({"receiver": CONTACT}, ".body.type"),
        ({"receiver": CONTACT, "body": {"type": "text"}}, ".body.text.text"),
        (
            {"receiver": CONTACT, "body": {"type": "text", "text": {"text": "x" * 1601}}},
            ".body.text.text",
        ),
        ({"receiver": CONTACT, "body": TEXT, "meta": "x" * 20_000}, ".body"),
    ],
)
def test_what_is_refused(workspace, body, place):
    reply = workspace.call("POST", workspace.messages, json=body)
    assert (reply.status_code, reply.json()["code"]) == (422, "InvalidPayload")
    assert list(reply.json()["details"]) == [place] and reply.json()["message"]


def test_other_refusals(workspace):
    for method, path, more, expected in [
        ("POST", workspace.messages, {"key": None}, (401, "Unauthorized")),
        ("POST", workspace.messages, {"data": b'{"body":'}, (400, "InvalidPayload")),
        ("GET", workspace.messages + "/x", {}, (404, "ResourceNotFound")),
        ("GET", f"/workspaces/{workspace.id}/contacts", {}, (404, "ResourceNotFound")),
        ("PUT", workspace.messages, {}, (405, "InvalidPayload")),
    ]:
        reply = workspace.call(method, path, **more)
        assert (reply.status_code, reply.json()["code"]) == expected, (method, path)
    fault = {"operation": "smsApi.bird", "effect": {"status": 429}, "times": 1}
    requests.post(f"{workspace.texts.control}/faults", json=fault, timeout=30).raise_for_status()
    reply = workspace.send("+4915112345678")
    assert (reply.status_code, reply.json()["code"]) == (429, "RateLimited")
