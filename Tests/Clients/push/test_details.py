"""What is beside the code of a refusal, and what topics refuse; as Cloud Messaging and its SDKs have it."""

import pytest
import requests
from support.messages.push import error
from support.server import PROJECT

TYPE = "type.googleapis.com/"
APPLE = TYPE + "google.firebase.fcm.v1.ApnsError"


def register(push, token: str, **device) -> None:
    reply = requests.post(f"{push.control}/devices", json={"token": token} | device, timeout=30)
    assert reply.status_code == 200, reply.text


def topic(push, token: str, method: str = "POST", end: str = "", **query) -> requests.Response:
    return requests.request(
        method,
        f"{push.auth}/v1/projects/{PROJECT}/registrations/{token}/topicSubscriptions{end}",
        params=query,
        json={} if method == "POST" else None,
        headers={"Authorization": "Bearer owner"},
        timeout=30,
    )


def batch(push, to: str, *tokens: str) -> requests.Response:
    return requests.post(
        f"{push.auth}/iid/v1:batchAdd",
        json={"to": to, "registration_tokens": tokens},
        headers={"Authorization": "Bearer owner", "access_token_auth": "true"},
        timeout=30,
    )


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("unregistered", {"@type": APPLE, "statusCode": 410, "reason": "Unregistered"}),
        (
            "thirdPartyAuthError",
            {"@type": APPLE, "statusCode": 403, "reason": "InvalidProviderToken"},
        ),
    ],
)
def test_apple_says_why(push, token, state, expected):
    register(push, token, platform="ios", state=state)
    register(push, token + "2", platform="android", state=state)
    reply = push.send(message={"token": token})
    own, apple = reply.json()["error"]["details"]
    assert own["errorCode"] == error(reply)[2]
    assert apple == expected
    details = push.send(message={"token": token + "2"}).json()["error"]["details"]
    assert details == [own]


def test_a_quota_has_a_detail_of_its_own(push, token):
    register(push, token, state="quotaExceeded")
    details = push.send(message={"token": token}).json()["error"]["details"]
    assert [each["@type"].removeprefix(TYPE) for each in details] == [
        "google.firebase.fcm.v1.FcmError",
        "google.rpc.QuotaFailure",
    ]
    assert details[1]["violations"]


@pytest.mark.parametrize(
    ("state", "status", "word"),
    [
        ("registered", 200, None),
        ("unregistered", 404, "NOT_FOUND"),
        ("invalidArgument", 400, "INVALID_ARGUMENT"),
        ("senderIdMismatch", 403, "PERMISSION_DENIED"),
        ("quotaExceeded", 429, "RESOURCE_EXHAUSTED"),
        ("unavailable", 503, "DEADLINE_EXCEEDED"),
        ("internalError", 500, "INTERNAL"),
    ],
)
def test_topics_of_a_device_in_each_state(push, token, state, status, word):
    register(push, token, state=state)
    assert topic(push, token, topic_name="news").status_code == status
    results = batch(push, "/topics/other", token, token + "2").json()["results"]
    assert results == [{"error": word} if word else {}, {}]


def test_a_whole_call_about_topics_that_is_too_much(push):
    fault = {"operation": "iid.batchAdd", "effect": {"error": "QUOTA_EXCEEDED"}, "times": 1}
    requests.post(f"{push.control}/faults", json=fault, timeout=30).raise_for_status()
    reply = batch(push, "/topics/a", "t")
    assert (reply.status_code, reply.json()) == (429, {"error": "RESOURCE_EXHAUSTED"})


def test_private_topics(push, token):
    assert topic(push, token, topicName="private/mine").status_code == 200
    assert batch(push, "/topics/private/other", token).json() == {"results": [{}]}
    assert topic(push, token, "GET", "/private%2Fmine").json()["topicName"] == "private/mine"
    assert batch(push, "/topics/private/", token).status_code == 400


def test_topics_come_in_pages(push, token):
    names = [f"topic-{number}" for number in range(5)]
    for name in names:
        topic(push, token, topic_name=name)
    found, query = [], {"pageSize": "2"}
    for count in (2, 2, 1):
        page = topic(push, token, "GET", **query).json()
        assert len(page["topicSubscriptions"]) == count
        found += [each["topicName"] for each in page["topicSubscriptions"]]
        query["pageToken"] = page.get("nextPageToken")
    assert found == names and query["pageToken"] is None
    assert topic(push, token, "GET", pageSize="x").status_code == 400


def test_the_number_of_a_project(push, token):
    reply = requests.post(
        f"{push.auth}/v1/projects/123456789012/messages:send",
        json={"message": {"token": token, "data": {"a": "b"}}},
        headers={"Authorization": "Bearer owner"},
        timeout=30,
    )
    assert reply.json()["name"].startswith(f"projects/{PROJECT}/messages/")
    assert push.latest(token)["push"]["data"] == {"a": "b"}


def test_light_settings_need_all_three(push, token):
    light = {"color": {"red": 1}, "light_on_duration": "1s", "light_off_duration": "1s"}
    for missing in (None, *light):
        settings = {name: value for name, value in light.items() if name != missing}
        notification = {"title": "a", "light_settings": settings}
        reply = push.send(message={"token": token, "android": {"notification": notification}})
        assert reply.status_code == (400 if missing else 200), reply.text
        assert not missing or missing in reply.json()["error"]["message"]
