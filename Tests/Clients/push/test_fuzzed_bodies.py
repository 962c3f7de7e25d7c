"""Mutated requests to Cloud Messaging and to every gateway: none is answered with a 5xx, and the server goes
on."""

import copy
import json
import os
import random
import urllib.parse

import pytest
import requests
from support.messages.texts import ACCOUNT, AUTH
from support.server import PROJECT

ROUNDS = int(os.environ.get("HEARTH_FUZZ_BODIES", "150"))
FID = "cAbcdefghijklmnopqrst_"
NUMBER = "+4915112345678"
VALUES = [
    None,
    True,
    -1,
    2**63,
    1.5,
    "",
    "x" * 5000,
    "é𝄞\0",
    [],
    {},
    [[]],
    {"a": []},
    NUMBER,
    "3.5s",
]
FCM = f"/fcm.googleapis.com/v1/projects/{PROJECT}"
DEVICES = f"/emulator/v1/projects/{PROJECT}"
MESSAGE = {
    "validate_only": True,
    "message": {
        "token": "t",
        "notification": {"title": "T", "body": "B", "image": "https://a.example/i.png"},
        "data": {"a": "b"},
        "android": {
            "ttl": "3.5s",
            "priority": "HIGH",
            "notification": {
                "title_loc_key": "K",
                "title_loc_args": ["a"],
                "light_settings": {"color": {"red": 1, "alpha": 0.5}},
            },
        },
        "apns": {
            "headers": {"a": "b"},
            "payload": {"aps": {"alert": {"loc-key": "K"}, "badge": 1}},
        },
        "webpush": {"notification": {"title": "W"}, "fcm_options": {"link": "https://a.example"}},
        "fcm_options": {"analytics_label": "l"},
    },
}
PUSH = [
    ("POST", f"{FCM}/messages:send", MESSAGE),
    ("POST", f"{FCM}/registrations/{FID}/topicSubscriptions?topic_name=a", {}),
    ("PATCH", f"{FCM}/registrations/{FID}/topicSubscriptions/a", {"topicName": "a"}),
    (
        "POST",
        "/iid.googleapis.com/iid/v1:batchAdd",
        {"to": "/topics/a", "registration_tokens": ["t"]},
    ),
    (
        "POST",
        f"/fcmregistrations.googleapis.com/v1/projects/{PROJECT}/registrations",
        {"web": {"endpoint": "https://p.example", "origin": "o", "p256dh": "p", "auth": "a"}},
    ),
    (
        "POST",
        f"/firebaseinstallations.googleapis.com/v1/projects/{PROJECT}/installations",
        {"fid": FID, "appId": "1:1:web:1", "authVersion": "FIS_v2", "sdkVersion": "w:1"},
    ),
    (
        "PATCH",
        f"/firebaseinstallations.googleapis.com/v1/projects/{PROJECT}/installations/{FID}",
        {"installation": {"sdkVersion": "w:1"}},
    ),
    ("POST", f"{DEVICES}/devices", {"token": "t", "platform": "ios", "topics": ["a"], "name": "n"}),
    (
        "PUT",
        f"{DEVICES}/texts",
        {"ios": {"K": "%1$@"}, "android": '<resources><string name="K">%s</string>'},
    ),
    ("PUT", f"{DEVICES}/texts", {"ios": '"K" = "\\U0041 %@"; /* c */', "android": {}}),
]
JSON, FORM = "application/json", "application/x-www-form-urlencoded"
GATEWAYS = [
    (
        f"/2010-04-01/Accounts/{ACCOUNT}/Messages.json",
        FORM,
        {"To": NUMBER, "From": "a", "Body": "b"},
    ),
    ("/v2/Services", FORM, {"FriendlyName": "a"}),
    (
        "/v2/Services/VA1/Verifications",
        FORM,
        {"To": NUMBER, "Channel": "sms", "CustomCode": "1234"},
    ),
    ("/v2/Services/VA1/Verifications/VE1", FORM, {"Status": "canceled"}),
    ("/v2/Services/VA1/VerificationCheck", FORM, {"To": NUMBER, "Code": "1"}),
    ("/sms/json", FORM, {"from": "a", "to": NUMBER, "text": "b", "callback": "http://a.example"}),
    (
        "/v1/messages",
        JSON,
        {"channel": "sms", "to": NUMBER, "from": "a", "text": "b", "webhook_url": "x"},
    ),
    (
        "/v2/verify",
        JSON,
        {"brand": "a", "workflow": [{"channel": "sms", "to": NUMBER}], "code_length": 4},
    ),
    ("/v2/verify/1", JSON, {"code": "1"}),
    ("/messages", JSON, {"originator": "a", "body": "b", "recipients": [NUMBER, 4915112345679]}),
    ("/verify", JSON, {"recipient": NUMBER, "timeout": 30, "tokenLength": 6, "template": "%token"}),
    (
        "/v1/Account/MA/Message/",
        JSON,
        {"src": "a", "dst": f"{NUMBER}<{NUMBER}", "text": "b", "url": "x"},
    ),
    (
        "/v2/messages",
        JSON,
        {"to": NUMBER, "from": "a", "text": "b", "webhook_url": "http://a.example"},
    ),
    ("/xms/v1/p/batches", JSON, {"to": [NUMBER], "from": "a", "body": "b", "callback_url": "x"}),
    (
        "/workspaces/w/channels/c/messages",
        JSON,
        {
            "receiver": {"contacts": [{"identifierKey": "phonenumber", "identifierValue": NUMBER}]},
            "body": {"type": "text", "text": {"text": "b"}},
            "template": {"variables": {"a": "b"}, "parameters": [{"key": "k", "value": 1}]},
            "sender": {"connector": {"identifierValue": "a"}},
            "notification": {"url": "http://a.example"},
            "reference": "r",
        },
    ),
    (
        "/workspaces/w/webhook-subscriptions",
        JSON,
        {
            "service": "channels",
            "event": "sms.outbound",
            "url": "http://a.example",
            "eventFilters": [{"key": "channelId", "value": "c"}],
        },
    ),
    ("/oauth2/token", FORM, {"grant_type": "client_credentials"}),
    (
        "/",
        FORM,
        {
            "Action": "Publish",
            "PhoneNumber": NUMBER,
            "Message": "b",
            "MessageAttributes.entry.1.Name": "AWS.SNS.SMS.SenderID",
            "MessageAttributes.entry.1.Value.StringValue": "a",
        },
    ),
    ("/", "application/x-amz-json-1.0", {"DestinationPhoneNumber": NUMBER, "MessageBody": "b"}),
]


def mutated(chance: random.Random, value):
    """The same with a few members that are of another kind, or not there."""
    if chance.random() < 0.12:
        return copy.copy(chance.choice(VALUES))
    if isinstance(value, dict):
        return {
            name if chance.random() < 0.95 else chance.choice(["", "é", "from", "a b"]): mutated(
                chance, each
            )
            for name, each in value.items()
            if chance.random() < 0.9
        }
    if isinstance(value, list):
        return [mutated(chance, each) for each in value for _ in range(chance.randrange(3))]
    return value


def broken(chance: random.Random, body: bytes) -> bytes:
    for _ in range(chance.randrange(4) if chance.random() < 0.3 else 0):
        at = chance.randrange(len(body) + 1)
        body = body[:at] + bytes([chance.randrange(256)]) + body[at + chance.randrange(3) :]
    return body


def check(
    session: requests.Session, method: str, url: str, body: bytes, headers: dict, auth=None
) -> int:
    reply = session.request(method, url, data=body, headers=headers, auth=auth, timeout=30)
    assert 200 <= reply.status_code < 500, f"{method} {url} {body!r}\n{reply.text}"
    return reply.status_code


@pytest.mark.parametrize(("method", "path", "body"), PUSH, ids=[f"{m} {p}" for m, p, _ in PUSH])
def test_push(push, method, path, body):
    chance = random.Random(path + method + json.dumps(body))
    headers = {"Authorization": "Bearer owner", "Content-Type": JSON, "x-goog-api-key": "k"}
    if "fcmregistrations" in path:
        headers["x-goog-firebase-installations-auth"] = "FIS x"
    with requests.Session() as session:
        statuses = {
            check(
                session,
                method,
                push.auth + path,
                broken(chance, json.dumps(mutated(chance, body)).encode()),
                headers,
            )
            for _ in range(ROUNDS)
        }
        assert 400 in statuses or not body, statuses


@pytest.mark.parametrize(
    ("path", "kind", "fields"), GATEWAYS, ids=[f"{p} {k}" for p, k, _ in GATEWAYS]
)
def test_gateways(texts, path, kind, fields):
    chance = random.Random(path + kind)
    headers = {"Content-Type": kind}
    if "amz" in kind:
        headers["X-Amz-Target"] = "PinpointSMSVoiceV2.SendTextMessage"
    with requests.Session() as session:
        for _ in range(ROUNDS):
            changed = mutated(chance, fields)
            body = (
                urllib.parse.urlencode(changed if isinstance(changed, dict) else {"a": changed})
                if kind == FORM and "Action" not in fields
                else json.dumps(changed)
            )
            if "Action" in fields:
                given = changed if isinstance(changed, dict) else {}
                # Mails of Amazon have the same address: the action keeps the request a text.
                body = urllib.parse.urlencode(given | {"Action": "Publish"})
            check(session, "POST", texts.api + path, broken(chance, body.encode()), headers, AUTH)
    assert texts.twilio(NUMBER).status_code == 201
