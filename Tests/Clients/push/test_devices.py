"""Devices that a test registers, topics, and what strict projects refuse."""

import urllib.parse

import pytest
import requests
from support.messages.push import error
from support.server import PROJECT

UNKNOWN = "cAbcdefghijklmnopqrst_:APA91bUnknown"


@pytest.fixture
def strict(push):
    push.switch(strictDevices=True)
    yield push
    push.switch(strictDevices=False)


def path(push, device: str) -> str:
    return f"{push.control}/devices/{urllib.parse.quote(device, safe='')}"


def test_a_device(push):
    device = push.register(platform="ios", name="Phone", topics=["news"])
    assert device["token"].startswith(device["fid"] + ":APA91b")
    assert (device["state"], device["topics"]) == ("registered", ["news"])
    assert requests.get(path(push, device["token"]), timeout=30).json() == device
    assert requests.get(path(push, device["fid"]), timeout=30).json() == device
    changed = requests.patch(path(push, device["token"]), json={"state": "unregistered"}).json()
    assert changed == device | {"state": "unregistered"}
    assert error(push.send(message={"token": device["token"]})) == (
        404,
        "NOT_FOUND",
        "UNREGISTERED",
    )
    assert error(push.send(message={"fid": device["fid"]})) == (404, "NOT_FOUND", "UNREGISTERED")
    listed = requests.get(f"{push.control}/devices", timeout=30).json()
    assert changed in listed["devices"] and listed["total"] >= 1
    assert requests.delete(path(push, device["token"]), timeout=30).status_code == 200
    assert requests.get(path(push, device["token"]), timeout=30).status_code == 404
    assert push.send(message={"token": device["token"]}).status_code == 200


@pytest.mark.parametrize(
    "device",
    [
        {"platform": "windows"},
        {"state": "gone"},
        {"topics": "news"},
        {"topics": ["a b"]},
        {"token": ""},
        {"token": "x" * 5000},
        {"tokens": "x"},
    ],
)
def test_what_is_no_device(push, device):
    reply = requests.post(f"{push.control}/devices", json=device, timeout=30)
    assert reply.status_code == 400 and "INVALID_ARGUMENT" in reply.text, reply.text


def test_web_pages_register_nothing(push):
    reply = requests.post(
        f"{push.control}/devices", json={}, headers={"Origin": "https://evil.example"}, timeout=30
    )
    assert reply.status_code == 403


def test_strict_projects(strict, token):
    assert error(strict.send(message={"token": token})) == (
        400,
        "INVALID_ARGUMENT",
        "INVALID_ARGUMENT",
    )
    assert error(strict.send(message={"token": UNKNOWN})) == (404, "NOT_FOUND", "UNREGISTERED")
    assert error(strict.send(message={"fid": "not-a-fid"})) == (404, "NOT_FOUND", "UNREGISTERED")
    known = strict.register()["token"]
    assert strict.send(message={"token": known}).status_code == 200


def test_older_topic_api(push):
    phone = push.register()["token"]
    gone = push.register(state="unregistered")["token"]
    headers = {"Authorization": "Bearer owner", "access_token_auth": "true"}
    body = {"to": "/topics/old", "registration_tokens": [phone, gone, ""]}
    reply = requests.post(f"{push.auth}/iid/v1:batchAdd", json=body, headers=headers, timeout=30)
    assert reply.json() == {
        "results": [{}, {"error": "NOT_FOUND"}, {"error": "INVALID_ARGUMENT"}]
    }, reply.text
    info = requests.get(
        f"{push.auth}/iid/info/{phone}?details=true", headers=headers, timeout=30
    ).json()
    assert list(info["rel"]["topics"]) == ["old"]
    push.send(message={"topic": "old"})
    assert [each["token"] for each in push.latest("topic:old")["push"]["devices"]] == [phone]
    requests.post(f"{push.auth}/iid/v1:batchRemove", json=body, headers=headers, timeout=30)
    push.send(message={"topic": "old", "data": {"second": "1"}})
    assert push.latest("topic:old")["push"]["deviceCount"] == 0


def test_newer_topic_api(push):
    device = push.register()
    base = f"{push.auth}/v1/projects/{PROJECT}/registrations/{device['fid']}/topicSubscriptions"

    def call(method: str, rest: str = "", **more) -> requests.Response:
        return requests.request(
            method, base + rest, headers={"Authorization": "Bearer owner"}, timeout=30, **more
        )

    created = call("POST", "?topic_name=new", json={})
    assert created.json()["topicName"] == "new", created.text
    assert call("POST", "?topicName=new", json={}).status_code == 409
    assert [each["topicName"] for each in call("GET").json()["topicSubscriptions"]] == ["new"]
    assert call("GET", "/new").json()["name"].endswith("/topicSubscriptions/new")
    push.send(message={"condition": "'new' in topics"})
    assert push.latest("'new' in topics")["push"]["deviceCount"] == 1
    assert call("DELETE", "/new").json() == {}
    assert call("DELETE", "/new").status_code == 404
    assert call("DELETE", "/new?allow_missing=true").status_code == 200


def test_a_browser_registers(push):
    base = f"{push.auth}/fcmregistrations.googleapis.com/v1/projects/{PROJECT}/registrations"
    headers = {"x-goog-api-key": "AIza-key", "x-goog-firebase-installations-auth": "FIS x"}
    web = {"web": {"origin": "localhost:3000", "endpoint": "https://p.example/1", "p256dh": "p"}}
    made = requests.post(base, json=web, headers=headers, timeout=30).json()
    assert requests.get(path(push, made["token"]), timeout=30).json()["platform"] == "web"
    renewed = requests.patch(f"{base}/{made['token']}", json=web, headers=headers, timeout=30)
    assert renewed.json()["token"] == made["token"]
    deleted = requests.delete(f"{base}/{made['token']}", headers=headers, timeout=30)
    assert deleted.json() == {}
    assert error(push.send(message={"token": made["token"]}))[2] == "UNREGISTERED"


def test_snapshots_have_devices(push):
    device = push.register(topics=["kept"])
    assert (
        requests.post(f"{push.control}/snapshots", json={"name": "devices"}, timeout=30).status_code
        == 200
    )
    requests.delete(f"{push.control}/devices", timeout=30)
    requests.post(f"{push.control}/snapshots/devices:restore", json={}, timeout=30)
    assert requests.get(path(push, device["token"]), timeout=30).json()["topics"] == ["kept"]
