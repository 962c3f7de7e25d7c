"""Webhooks: events of documents, users and mails, signed, to any address."""

import base64
import hashlib
import hmac
import http.server
import json
import queue
import socket
import threading

import pytest
import requests
from support.server import Server, TalkingServer
from support.steering import Steered, guard, project, unused  # noqa: F401

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
DOCUMENT = "google.cloud.firestore.document.v1."
USER = "google.firebase.auth.user.v1."


class Receiver:
    """Keeps what it is sent."""

    def __init__(self):
        self.events: queue.Queue = queue.Queue()
        self.statuses: list[int] = []
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.events.put((self.path, self.headers, body))
                self.send_response(receiver.statuses.pop(0) if receiver.statuses else 200)
                self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def next(self) -> dict:
        """The next event, whose signature must be right."""
        path, headers, body = self.events.get(timeout=30)
        assert path == "/hook"
        assert headers["Content-Type"].startswith("application/cloudevents+json")
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        key = base64.b64decode(SECRET.removeprefix("whsec_"))
        digest = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        assert headers["webhook-signature"] == "v1," + digest
        event = json.loads(body)
        assert event["specversion"] == "1.0" and event["id"] == headers["webhook-id"]
        return event


@pytest.fixture
def receiver():
    receiver = Receiver()
    yield receiver
    receiver.server.shutdown()
    receiver.server.server_close()


def hook(project, receiver, **more) -> None:
    project.own(
        "PUT",
        "/webhooks",
        json={"webhooks": [{"url": receiver.url + "/hook", "secret": SECRET, **more}]},
    )


def document(project, method: str, path: str, fields=None):
    return project.request(
        method,
        f"/v1/projects/{project.id}/databases/(default)/documents/{path}",
        headers={"Authorization": "Bearer owner"},
        **({"json": {"fields": fields}} if fields else {}),
    )


def test_documents(project, receiver):
    hook(project, receiver, path="towns/{town}")
    document(project, "PATCH", "other/rome", {"n": {"integerValue": "0"}})
    document(project, "PATCH", "towns/rome", {"n": {"integerValue": "1"}})
    document(project, "PATCH", "towns/rome", {"n": {"integerValue": "2"}})
    document(project, "DELETE", "towns/rome")
    events = [receiver.next() for _ in range(3)]
    assert [event["type"] for event in events] == [
        DOCUMENT + kind for kind in ("created", "updated", "deleted")
    ]
    assert [sorted(event["data"]) for event in events] == [
        ["value"],
        ["oldValue", "value"],
        ["oldValue"],
    ]
    event = events[1]
    assert event["data"]["value"]["fields"] == {"n": {"integerValue": "2"}}
    assert (
        event["source"] == f"//firestore.googleapis.com/projects/{project.id}/databases/(default)"
    )
    assert (event["subject"], event["document"]) == ("documents/towns/rome", "towns/rome")
    assert event["time"] == event["data"]["value"]["updateTime"]


def test_only_the_events_that_are_asked_for(project, receiver):
    hook(project, receiver, events=[DOCUMENT + "written.withAuthContext", USER + "deleted"])
    email = unused()
    session = project.sign_up(email)
    document(project, "PATCH", "a/b", {"n": {"integerValue": "1"}})
    event = receiver.next()
    assert event["type"] == DOCUMENT + "written.withAuthContext"
    assert event["authtype"] == "service_account"
    project.call("delete", {"idToken": session["idToken"]})
    event = receiver.next()
    assert event["type"] == USER + "deleted" and event["subject"] == "users/" + session["localId"]
    assert event["data"]["email"] == email and receiver.events.empty()


def test_mails(project, receiver):
    hook(project, receiver, events=["hearth.message.captured"])
    email = unused()
    project.sign_up(email)
    project.call("sendOobCode", {"requestType": "PASSWORD_RESET", "email": email})
    event = receiver.next()
    [mail] = project.messages(to=email)
    assert event["type"] == "hearth.message.captured"
    assert event["subject"] == f"messages/{mail['id']}" and event["data"] == mail


def test_push_messages(project, receiver):
    """The same event as for mails, with the push message as the list shows it."""
    hook(project, receiver, events=["hearth.message.captured"])
    token = f"token-{unused()}"
    message = {"token": token, "notification": {"title": "Hi"}, "data": {"code": "482913"}}
    sent = project.request(
        "POST",
        f"/v1/projects/{project.id}/messages:send",
        headers={"Authorization": "Bearer owner"},
        json={"message": message},
    )
    event = receiver.next()
    [push] = project.messages(to=token)
    assert event["type"] == "hearth.message.captured"
    assert event["subject"] == f"messages/{push['id']}" and event["data"] == push
    data = event["data"]
    assert (data["type"], data["source"], data["code"]) == ("PUSH", "fcm", "482913")
    assert data["push"]["name"] == sent["name"]
    assert data["push"]["notification"]["title"] == "Hi"


def test_one_that_fails_is_sent_again_with_the_same_id(project, receiver):
    hook(project, receiver, events=[DOCUMENT + "*"])
    receiver.statuses = [503, 200]
    document(project, "PATCH", "a/b", {"n": {"integerValue": "1"}})
    one, other = receiver.next(), receiver.next()
    assert one == other


def test_redirects_are_not_followed(project, receiver):
    hook(project, receiver, events=[DOCUMENT + "*"])
    receiver.statuses = [307, 200]
    document(project, "PATCH", "a/b", {"n": {"integerValue": "1"}})
    assert receiver.next() == receiver.next()


def test_they_are_listed_and_taken_away(project, receiver):
    hook(project, receiver)
    [listed] = project.own("GET", "/webhooks")["webhooks"]
    assert listed == {"url": receiver.url + "/hook", "secret": SECRET}
    assert project.own("DELETE", "/webhooks") == {"webhooks": []}
    document(project, "PATCH", "a/b", {"n": {"integerValue": "1"}})
    hook(project, receiver, path="c/d")
    document(project, "PATCH", "c/d", {"n": {"integerValue": "1"}})
    # The other document was written before.
    while (event := receiver.next())["type"].startswith(USER):
        pass
    assert event["document"] == "c/d"


def test_nothing_leaves_the_machine_unless_it_is_allowed(project):
    words = project.complaint("PUT", "/webhooks", {"webhooks": [{"url": "http://example.com/"}]})
    assert "--allow-calls-to example.com" in words
    server = Server("--allow-calls-to", "example.com")
    try:
        reply = requests.put(
            f"{server.auth}/emulator/v1/projects/demo-hearth/webhooks",
            timeout=30,
            json={"webhooks": [{"url": "http://example.com/"}]},
        )
        assert reply.status_code == 200 and reply.json()["webhooks"][0]["secret"].startswith(
            "whsec_"
        )
    finally:
        server.stop()


def test_one_host_that_is_no_longer_allowed_leaves_the_others(tmp_path):
    address = "/emulator/v1/projects/demo-hearth/webhooks"
    urls = ["http://127.0.0.1:1/a", "http://example.com/", "http://127.0.0.1:1/b"]
    server = Server("--data", str(tmp_path), "--allow-webhooks-to", "example.com")
    reply = requests.put(
        server.auth + address, timeout=30, json={"webhooks": [{"url": url} for url in urls]}
    )
    assert reply.status_code == 200
    server.stop()
    server = Server("--data", str(tmp_path))
    try:
        kept = requests.get(server.auth + address, timeout=30).json()["webhooks"]
        assert [webhook["url"] for webhook in kept] == [urls[0], urls[2]]
    finally:
        server.stop()
    [told] = [
        line for line in server.lines if "A webhook of project demo-hearth is not used" in line
    ]
    assert "/webhooks/1/url is on the host example.com" in told


def test_no_events_and_paths_of_collections_are_refused(project):
    for more, words in [
        ({"events": []}, "names no event; leave it out for all events"),
        ({"path": "users/{id}/posts"}, "names a collection"),
    ]:
        webhook = {"url": "http://127.0.0.1:1/", **more}
        assert words in project.complaint("PUT", "/webhooks", {"webhooks": [webhook]})


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:65536/",
        "http://127.0.0.1:0/",
        "http://localhost:99999/",
        "http://localhost/a b",
        "http://localhost/\r\nX: y",
        "http://localhost/ä",
    ],
)
def test_addresses_that_cannot_be_called_are_refused(project, address):
    assert "must be an address" in project.complaint(
        "PUT", "/webhooks", {"webhooks": [{"url": address}]}
    )


def test_users_of_the_second_generation(project, receiver):
    hook(project, receiver, events=["google.firebase.auth.user.v2.*"])
    uid = project.sign_up("ann@example.com")["localId"]
    event = receiver.next()
    assert event["type"] == "google.firebase.auth.user.v2.created"
    assert event["data"]["value"]["uid"] == uid


@pytest.mark.parametrize("kind", ["hangs", "is not there"])
def test_one_that_takes_nothing_costs_the_others_nothing(receiver, kind):
    server = TalkingServer()
    with socket.create_server(("127.0.0.1", 0), backlog=100) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/hook?key=secret"
        if kind == "is not there":
            silent.close()
        try:
            projects = [Steered(server), Steered(server)]
            projects[0].own(
                "PUT",
                "/webhooks",
                json={
                    "webhooks": [
                        {"url": address},
                        {"url": receiver.url + "/hook", "secret": SECRET},
                    ]
                },
            )
            hook(projects[1], receiver)
            content = {"x": {"stringValue": "x" * 900_000}}
            # A document counts twice and more while it waits: these are twice the share of one.
            for number in range(50):
                document(projects[0], "PATCH", f"a/{number}", content)
                assert receiver.next()["document"] == f"a/{number}"
            # One that refuses connections gives its deliveries up soon, and may keep up.
            if kind == "hangs":
                server.wait_for("does not keep up")
            document(projects[1], "PATCH", "a/b", content)
            assert receiver.next()["project"] == projects[1].id
            # Removing it frees what waited for it, and says how many it has lost.
            projects[0].own("DELETE", "/webhooks")
            if kind == "hangs":
                server.wait_for("events were dropped that waited for The webhook")
        finally:
            server.stop()
    told = [line for line in server.heard if "The webhook" in line]
    assert len(told) == 2 or kind != "hangs", told
    assert all(address.split("?")[0] in line and "secret" not in line for line in told)
