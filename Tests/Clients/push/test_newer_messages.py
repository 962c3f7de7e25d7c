"""Members of messages for Android's newer clients, and bounds of what is kept."""

import pytest
import requests
from support.messages.push import error
from support.server import PROJECT

OWNER = {"Authorization": "Bearer owner"}
NOTIFIED = {"remoteNotification": {"notification": {"title": "T", "body": "B", "id": 7}}}


def test_names_in_camel_case(push, token):
    message = {"token": token, "androidV2": {**NOTIFIED, "collapseKey": "k"}}
    assert push.send(message=message).status_code == 200
    kept = push.latest(token)
    assert (kept["subject"], kept["push"]["notification"]["body"]) == ("T", "B")
    assert kept["payload"]["android"]["notification"]["id"] == 7
    assert kept["payload"]["android"]["collapse_key"] == "k"


@pytest.mark.parametrize(
    ("android", "text"),
    [
        ({**NOTIFIED, "backgroundSync": {}}, "cannot be set at the same time"),
        ({"ttl": "2419201s"}, "time-to-live"),
        ({"ttl": 5}, "message.android_v2.ttl"),
        ({"junk": 1}, 'Unknown name "junk"'),
        ({"priority": "HIGH"}, 'Unknown name "priority"'),
        ({"data": {"a": 1}}, "message.android_v2.data[0].value"),
        ({"remote_notification": {"notification": {"color": "red"}}}, "color"),
        ({"remote_notification": {"notification": {"proxy": "ALLOW"}}}, 'Unknown name "proxy"'),
        ({"fcm_options": {"analytics_label": "a b"}}, "analytics label"),
    ],
    ids=str,
)
def test_what_the_newer_member_refuses(push, token, android, text):
    reply = push.send(message={"token": token, "android_v2": android})
    assert reply.status_code == 400 and text in reply.json()["error"]["message"], reply.text


def test_tokens_have_a_bound(push):
    for target in ("token", "fid"):
        assert error(push.send(message={target: "t" * 4097})) == (
            400,
            "INVALID_ARGUMENT",
            "INVALID_ARGUMENT",
        )


def test_a_link_to_a_host_with_a_like_name(push, token):
    def send(link):
        webpush = {"notification": {"title": "T"}, "fcm_options": {"link": link}}
        return push.send(message={"token": token, "webpush": webpush})

    assert send("http://localhost.evil.example/").status_code == 400
    assert send("http://localhost:3000/a").status_code == 200


@pytest.mark.parametrize("path", ["/batch", "/fcm/send"])
def test_addresses_that_google_switched_off(push, path):
    reply = requests.post(f"{push.auth}/fcm.googleapis.com{path}", json={}, timeout=30)
    assert (reply.status_code, reply.headers["Content-Type"].split(";")[0]) == (404, "text/html")


def test_the_token_of_a_device_stays(push, token):
    push.register(token=token)
    url = f"{push.control}/devices/{token}"
    assert requests.patch(url, json={"token": "other"}, timeout=30).status_code == 400
    assert requests.patch(url, json={"token": token, "name": "n"}, timeout=30).status_code == 200


def test_subscriptions_have_a_bound():
    """In a server of its own, which is filled."""
    from support.messages.push import PushServer

    server = PushServer()
    try:
        url = f"{server.auth}/iid/v1:batchAdd"
        for round_ in range(200):
            body = {
                "to": "/topics/full",
                "registration_tokens": [f"t{round_}-{each}" for each in range(1000)],
            }
            assert requests.post(url, json=body, headers=OWNER, timeout=60).status_code == 200
        body = {"to": "/topics/full", "registration_tokens": ["one more"]}
        full = requests.post(url, json=body, headers=OWNER, timeout=60)
        assert full.status_code == 429, full.text
        one = requests.post(
            f"{server.auth}/v1/projects/{PROJECT}/registrations/x/topicSubscriptions",
            params={"topic_name": "full"},
            json={},
            headers=OWNER,
            timeout=60,
        )
        assert error(one)[:2] == (429, "RESOURCE_EXHAUSTED")
    finally:
        server.stop()
