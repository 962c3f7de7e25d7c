"""Push messages as hand-written clients send them, and as tests read them."""

import json
import threading

import pytest
import requests
from support.messages.push import PushServer, error
from support.server import PROJECT


def test_a_message_is_captured(push, token):
    reply = push.send(
        message={
            "token": token,
            "notification": {"title": "Sign in", "body": "Your code is 482913."},
            "data": {"orderId": "12", "snake_name": "kept"},
            "android": {"notification": {"channelId": "codes"}, "collapse_key": "c"},
            "fcmOptions": {"analytics_label": "codes"},
        }
    )
    assert reply.status_code == 200, reply.text
    assert list(reply.json()) == ["name"]
    message = push.latest(token)
    assert message["push"]["name"] == reply.json()["name"]
    assert (message["type"], message["to"], message["code"]) == ("PUSH", token, "482913")
    assert message["tags"] == ["codes"]
    # Names of fields are in either case, and those of data stay as they are.
    assert message["push"]["data"] == {"orderId": "12", "snake_name": "kept"}
    android = message["payload"]["android"]
    assert android["notification"]["channel_id"] == "codes"
    assert android["data"] == {"orderId": "12", "snake_name": "kept"}
    assert message["push"]["target"] == {"kind": "token", "value": token}
    assert message["push"]["devices"] == [{"token": token, "registered": False}]


def test_a_wait_ends_with_the_message(push, token):
    found = []
    waiting = threading.Thread(target=lambda: found.append(push.latest(token)))
    waiting.start()
    push.send(message={"token": token, "data": {"a": "b"}})
    waiting.join(30)
    assert found[0]["subject"] == "Data message"


def test_lists_and_searches(push, token):
    push.send(message={"token": token, "notification": {"title": "Findable " + token}})
    assert [each["to"] for each in push.messages(type="PUSH", to=token)] == [token]
    (summary,) = push.messages(q=f'"Findable {token}" source:fcm', summary="true")
    assert summary["push"]["notification"]["title"] == "Findable " + token
    assert "payload" not in summary
    raw = requests.get(f"{push.control}/messages/{summary['id']}/raw", timeout=30)
    assert json.loads(raw.text)["token"] == token
    # It is no mail.
    assert push.messages(type="SMS", to=token) == []


def test_forms_for_other_tools(push, token):
    push.send(
        message={
            "token": token,
            "notification": {"title": "It's", "body": "here", "image": "https://a.example/i.png"},
            "data": {"k": "v"},
        }
    )
    base = f"{push.control}/messages/{push.latest(token)['id']}/payload"
    apns = requests.get(f"{base}/apns", params={"bundle": "com.acme.app"}, timeout=30).json()
    assert apns["aps"] == {"alert": {"title": "It's", "body": "here"}, "mutable-content": 1}
    assert (apns["k"], apns["Simulator Target Bundle"]) == ("v", "com.acme.app")
    adb = requests.get(f"{base}/adb", params={"package": "com.acme"}, timeout=30).json()
    assert adb["extras"]["gcm.notification.title"] == "It's"
    assert adb["command"].startswith("adb shell 'am broadcast -a ")
    web = requests.get(f"{base}/webpush", timeout=30).json()
    assert web["data"] == {"k": "v"} and web["notification"]["body"] == "here"
    assert requests.get(f"{base}/pdf", timeout=30).status_code == 404


def text_of(size: int) -> str:
    return "x" * size


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({}, "Recipient of the message is not set."),
        ({"token": "t", "topic": "n"}, "oneof field 'target' is already set"),
        ({"token": "t", "tokens": "x"}, "Unknown name \"tokens\" at 'message': Cannot find field."),
        ({"token": "t", "data": {"a": 12}}, "'message.data[0].value' (TYPE_STRING), 12"),
        ({"token": "t", "data": {"a": None}}, "'message.data[0].value' (TYPE_STRING), null"),
        ({"token": "t", "data": {"google.a": "b"}}, "Invalid data payload key: google.a"),
        ({"token": "t", "data": {"from": "b"}}, "Invalid data payload key: from"),
        ({"topic": "/topics/news"}, "Invalid topic name"),
        ({"topic": "a b"}, "Invalid topic name"),
        ({"condition": "'a'"}, "Invalid condition"),
        ({"token": "t", "android": {"ttl": "2419201s"}}, "Invalid time-to-live"),
        ({"token": "t", "android": {"ttl": 5}}, "'message.android.ttl'"),
        ({"token": "t", "android": {"priority": "low"}}, "'message.android.priority'"),
        ({"token": "t", "android": {"notification": {"color": "red"}}}, "Invalid color"),
        ({"token": "t", "android": {}, "android_v2": {}}, "android and android_v2"),
        ({"token": "t", "apns": {"payload": {"aps": {"badge": "1"}}}}, "badge must be a number"),
        ({"token": "t", "webpush": {"fcm_options": {"link": "ftp://a"}}}, "HTTPS"),
        ({"token": "t", "fcm_options": {"analytics_label": "a b"}}, "analytics label"),
        ({"token": "t", "data": {"k": text_of(4096)}}, "Message is too big"),
        ({"topic": "t", "data": {"k": text_of(2048)}}, "Message is too big"),
    ],
)
def test_what_production_refuses(push, message, expected):
    reply = push.send(message=message)
    assert reply.status_code == 400, reply.text
    assert error(reply)[1] == "INVALID_ARGUMENT"
    assert expected in reply.json()["error"]["message"]


def test_sizes_at_the_limit(push, token):
    assert push.send(message={"token": token, "data": {"k": text_of(4095)}}).status_code == 200
    assert push.send(message={"topic": "full", "data": {"k": text_of(2047)}}).status_code == 200


def test_a_dry_run_is_not_kept(push, token):
    reply = push.send(validateOnly=True, message={"token": token})
    assert reply.json() == {"name": f"projects/{PROJECT}/messages/fake_message_id"}
    assert push.messages(to=token) == []


def test_callers(push, token):
    reply = push.send(token=None, message={"token": token})
    assert error(reply)[:2] == (401, "UNAUTHENTICATED")
    reply = push.send(token="nonsense", message={"token": token})
    assert error(reply)[:2] == (401, "UNAUTHENTICATED")
    reply = requests.post(
        f"{push.auth}/iid/v1:batchAdd", json={"to": "/topics/a", "registration_tokens": []}
    )
    assert (reply.status_code, reply.json()) == (401, {"error": "Unauthorized"})


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("QUOTA_EXCEEDED", (429, "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED")),
        ("UNAVAILABLE", (503, "UNAVAILABLE", "UNAVAILABLE")),
        ("INTERNAL", (500, "INTERNAL", "INTERNAL")),
        ("THIRD_PARTY_AUTH_ERROR", (401, "UNAUTHENTICATED", "THIRD_PARTY_AUTH_ERROR")),
        ("SENDER_ID_MISMATCH", (403, "PERMISSION_DENIED", "SENDER_ID_MISMATCH")),
        ("UNREGISTERED", (404, "NOT_FOUND", "UNREGISTERED")),
    ],
)
def test_faults(push, token, code, expected):
    fault = {"operation": "fcm.send", "effect": {"error": code}, "times": 1}
    reply = requests.post(f"{push.control}/faults", json=fault, timeout=30)
    assert reply.status_code == 200, reply.text
    assert error(push.send(message={"token": token})) == expected
    assert push.send(message={"token": token}).status_code == 200


@pytest.mark.parametrize("kind", ["token", "fid", "topic", "condition"])
def test_faults_of_one_device(push, token, kind):
    target = f"'{token}' in topics" if kind == "condition" else token
    address = f"topic:{token}" if kind == "topic" else target
    for fault in (
        {"effect": {"latency": "400ms"}, "times": 1},
        {"effect": {"error": "UNAVAILABLE"}, "times": 2},
    ):
        fault |= {"operation": "fcm.send", "email": address}
        requests.post(f"{push.control}/faults", json=fault, timeout=30).raise_for_status()
    try:
        assert push.send(message={"token": "another"}).status_code == 200
        reply = push.send(message={kind: target})
        assert error(reply) == (503, "UNAVAILABLE", "UNAVAILABLE")
        assert reply.elapsed.total_seconds() > 0.4
        assert push.send(message={kind: target}).status_code == 503
        assert push.send(message={kind: target}).status_code == 200
    finally:
        requests.delete(f"{push.control}/faults", timeout=30)


def test_go_writes_names_in_camel_case(push, token):
    """What the Admin SDK for Go sends, byte for byte."""
    body = (
        '{"message":{"notification":{"title":"t"},"android":{"collapse_key":"ck","ttl":"10s"},'
        '"token":"' + token + '"},"validate_only":false}'
    )
    reply = requests.post(
        f"{push.auth}/v1/projects/{PROJECT}/messages:send",
        data=body,
        headers={
            "Authorization": "Bearer owner",
            "Content-Type": "application/json",
            "X-GOOG-API-FORMAT-VERSION": "2",
            "X-FIREBASE-CLIENT": "fire-admin-go/4.21.0",
        },
        timeout=30,
    )
    assert reply.status_code == 200, reply.text
    assert push.latest(token)["payload"]["android"]["ttl"] == "10s"


def test_the_mailbox_has_a_bound_in_bytes():
    server = PushServer("--mailbox-limit", "1")
    try:
        with requests.Session() as session:
            for number in range(200):
                reply = session.post(
                    f"{server.auth}/v1/projects/{PROJECT}/messages:send",
                    json={"message": {"token": "bounded", "data": {"k": str(number) * 1000}}},
                    headers={"Authorization": "Bearer owner"},
                    timeout=30,
                )
                assert reply.status_code == 200
        kept = server.messages(to="bounded", limit="1000")
        assert 10 < len(kept) < 200
        assert kept[-1]["push"]["data"]["k"] == "199" * 1000
    finally:
        server.stop()
