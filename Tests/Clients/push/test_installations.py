"""Installations and registrations, as the SDK for the web asks for them."""

import base64
import json

import pytest
import requests
from support.messages.push import error
from support.server import PROJECT

FID = "cd0123456789ABCDEFGHIJ"
KEY = {"x-goog-api-key": "AIza-key"}
WEB = {
    "web": {
        "origin": "localhost:3000",
        "endpoint": "https://p.example/1",
        "p256dh": "p",
        "auth": "a",
    }
}


class Installations:
    def __init__(self, push):
        self.base = (
            f"{push.auth}/firebaseinstallations.googleapis.com/v1/projects/{PROJECT}/installations"
        )
        self.registrations = (
            f"{push.auth}/fcmregistrations.googleapis.com/v1/projects/{PROJECT}/registrations"
        )

    def make(self, **fields) -> dict:
        body = {"appId": "1:1:web:1", "authVersion": "FIS_v2", "sdkVersion": "w:0.6.19", **fields}
        reply = requests.post(self.base, json=body, headers=KEY, timeout=30)
        assert reply.status_code == 200, reply.text
        return reply.json()

    def call(self, method, installation, path="", refresh=None, body=None) -> requests.Response:
        refresh = refresh or installation["refreshToken"]
        return requests.request(
            method,
            f"{self.base}/{installation['fid']}{path}",
            json=body,
            headers=KEY | {"Authorization": f"FIS_v2 {refresh}"},
            timeout=30,
        )

    def register(self, token: str | None, body=None) -> requests.Response:
        headers = KEY | ({"x-goog-firebase-installations-auth": f"FIS {token}"} if token else {})
        return requests.post(self.registrations, json=body or WEB, headers=headers, timeout=30)


@pytest.fixture
def web(push):
    return Installations(push)


def claims(token: str) -> dict:
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def test_an_installation(web):
    made = web.make(fid=FID)
    assert (made["fid"], made["name"]) == (FID, f"projects/{PROJECT}/installations/{FID}")
    assert made["authToken"]["expiresIn"] == "604800s"
    assert claims(made["authToken"]["token"])["fid"] == FID
    body = {"installation": {"sdkVersion": "w:0.7.0", "appId": "1:1:web:1"}}
    renewed = web.call("POST", made, "/authTokens:generate", body=body)
    assert claims(renewed.json()["token"]) | {"exp": 0} == {
        "appId": "1:1:web:1",
        "exp": 0,
        "fid": FID,
    }
    changed = web.call("PATCH", made, body=body)
    assert changed.json()["sdkVersion"] == "w:0.7.0", changed.text
    # The SDK for iOS ends the address with a slash.
    reply = requests.post(web.base + "/", json={"appId": "1:1:ios:1"}, headers=KEY, timeout=30)
    assert reply.status_code == 200, reply.text
    assert web.make(fid="too short")["fid"] != "too short"
    # Nobody gets the installation of another app by its id.
    assert web.make(fid=FID)["fid"] != FID
    assert web.call("POST", made, "/authTokens:generate", body=body).status_code == 200


def test_what_is_refused(web):
    made = web.make()
    for reply, status, name in [
        (requests.post(web.base, json={}, headers=KEY, timeout=30), 400, "INVALID_ARGUMENT"),
        (requests.post(web.base, json={"appId": "a"}, timeout=30), 403, "PERMISSION_DENIED"),
        (web.call("POST", made, "/authTokens:generate", refresh="x"), 401, "UNAUTHENTICATED"),
        (web.call("PATCH", made, refresh="x", body={}), 401, "UNAUTHENTICATED"),
        (web.call("DELETE", made, refresh="x"), 401, "UNAUTHENTICATED"),
        (web.call("DELETE", {"fid": "nonsense"}, refresh="x"), 404, "NOT_FOUND"),
        (web.register(None), 401, "UNAUTHENTICATED"),
        (web.register("x", {"web": {}}), 400, "INVALID_ARGUMENT"),
    ]:
        found = reply.json()["error"]
        assert (reply.status_code, found["code"], found["status"]) == (status, status, name)


def test_a_registration_is_of_its_installation(push, web):
    made = web.make()
    first = web.register(made["authToken"]["token"]).json()
    assert first["name"] == f"projects/{PROJECT}/registrations/{made['fid']}"
    assert first["token"].startswith(made["fid"] + ":APA91b")
    assert push.send(message={"fid": made["fid"]}).status_code == 200
    assert push.latest(made["fid"])["push"]["devices"][0]["platform"] == "web"
    second = web.register(made["authToken"]["token"]).json()
    assert error(push.send(message={"token": first["token"]}))[2] == "UNREGISTERED"
    assert push.send(message={"token": second["token"]}).status_code == 200
    # With the installation, its registration ends.
    assert web.call("DELETE", made).json() == {}
    assert error(push.send(message={"token": second["token"]}))[2] == "UNREGISTERED"
    assert error(push.send(message={"fid": made["fid"]}))[2] == "UNREGISTERED"
    assert web.register(made["authToken"]["token"]).status_code == 401
    assert web.call("POST", made, "/authTokens:generate").status_code == 404


def test_installations_of_an_earlier_server(push, web):
    """An app keeps them for months. Strict projects refuse them, as production refuses unknown ones."""
    known = {"fid": "eAbcdefghijklmnopqrst_", "refreshToken": "old"}
    renewed = web.call("POST", known, "/authTokens:generate")
    assert claims(renewed.json()["token"])["fid"] == known["fid"], renewed.text
    assert web.register("a token of another server").status_code == 200
    push.switch(strictDevices=True)
    try:
        assert web.call("POST", known, "/authTokens:generate").status_code == 404
        assert web.register("a token of another server").status_code == 401
    finally:
        push.switch(strictDevices=False)


def test_a_registration_belongs_to_its_installation(web):
    mine, other = web.make(), web.make()
    made = web.register(mine["authToken"]["token"]).json()["token"]
    url = f"{web.registrations}/{made}"

    def call(method, token):
        headers = KEY | ({"x-goog-firebase-installations-auth": f"FIS {token}"} if token else {})
        body = WEB if method == "PATCH" else None
        return requests.request(method, url, json=body, headers=headers, timeout=30)

    for method in ("PATCH", "DELETE"):
        assert error(call(method, None))[:2] == (401, "UNAUTHENTICATED")
        assert error(call(method, other["authToken"]["token"]))[:2] == (403, "PERMISSION_DENIED")
    own = mine["authToken"]["token"]
    assert call("PATCH", own).json()["token"] == made
    assert call("DELETE", own).json() == {}
    for method in ("PATCH", "DELETE"):
        assert error(call(method, own))[:2] == (404, "NOT_FOUND")


def test_the_origin_of_a_registration_has_a_bound(web):
    made = web.make()
    body = {"web": WEB["web"] | {"origin": "o" * 300_000}}
    reply = web.register(made["authToken"]["token"], body)
    assert error(reply)[:2] == (400, "INVALID_ARGUMENT")
