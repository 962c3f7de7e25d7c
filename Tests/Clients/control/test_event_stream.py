"""The event stream of a project: order, watchers, secrets, dialects."""

import json
import os
import signal
import socket
import time

import pytest
import requests
from support.events import played, watcher  # noqa: F401
from support.server import Server
from support.steering import Steered, Watcher, guard, project, unused  # noqa: F401
from support.waiting import until


@pytest.fixture(scope="module", autouse=True)
def silent(hearth):
    """A stream that is open while the other tests of this file run, and when it was opened."""
    watcher = Steered(hearth).watch()
    yield watcher, time.monotonic()
    watcher.close()


# MARK: Events


def test_in_their_order(project, watcher):
    email = unused()
    project.sign_up(email)
    mail = project.reset_mail(email)
    project.call("resetPassword", {"oobCode": mail["oobCode"], "newPassword": "secret2"})
    project.sign_in(email, password="secret2")
    names = [name for name, _ in watcher.drain() if name != "request"]
    assert names == [
        "user.created",
        "user.signedIn",
        "message.captured",
        "code.used",
        "user.updated",
        "user.signedIn",
    ]


def chunks_of(project, every: str) -> requests.Response:
    return requests.get(
        f"{project.server.auth}{project.control}/events", {"every": every}, stream=True, timeout=30
    )


def test_gathered(project):
    with chunks_of(project, "2000") as reply:
        chunks = reply.iter_content(chunk_size=None)
        assert next(chunks) == b": hearth\n\n"
        for _ in range(4):
            project.sign_up(unused())
        events = b""
        # What was gathered comes whole, and what a slow machine did later comes too.
        while events.count(b"event: request\n") < 4:
            chunk = next(chunks)
            assert chunk.endswith(b"\n\n")
            events += chunk
        assert events.startswith(b"event: user.created\n")
        assert events.count(b"event: user.created\n") == 4


def test_a_chunk_has_several_events(project):
    with chunks_of(project, "2000") as reply:
        chunks = reply.iter_content(chunk_size=None)
        next(chunks)
        project.sign_up(unused())
        assert next(chunks).count(b"event: ") >= 2


@pytest.mark.parametrize("every", ["", "0", "-1", "1.5", "10001", "soon", "9" * 30])
def test_how_long_events_are_gathered(project, every):
    reply = chunks_of(project, every)
    assert reply.status_code == 400
    assert "every must be a number of milliseconds" in reply.json()["error"]["message"]


def test_no_secret_in_an_event(project, watcher):
    email = unused()
    session = project.sign_up(email)
    mail = project.reset_mail(email)
    project.advance("PT2S")
    project.call("resetPassword", {"oobCode": mail["oobCode"], "newPassword": "secret-new-2"})
    assert project.error("lookup", {"idToken": session["idToken"]}) == "TOKEN_EXPIRED"
    text = json.dumps(watcher.drain())
    for secret in (
        "secret1",
        "secret-new-2",
        mail["oobCode"],
        session["idToken"],
        session["refreshToken"],
    ):
        assert secret not in text


def test_only_the_own_project(project, watcher):
    other = Steered(project.server)
    theirs = other.watch()
    email = unused()
    other.sign_up(email)
    other.reset_mail(email)
    other.clock(advance="PT1H")
    other.faults()
    other.error("lookup", {"idToken": "x"})
    theirs.until("token.refused")
    theirs.close()
    assert watcher.drain() == []
    uid = project.sign_up(unused())["localId"]
    assert watcher.until("user.created")["localId"] == uid


def test_a_tenants_events_are_its_projects(project, watcher):
    tenant = project.tenant(allowPasswordSignup=True)
    email = unused()
    uid = project.sign_up(email, tenantId=tenant)["localId"]
    assert watcher.until("user.created")["localId"] == uid
    project.call(
        "sendOobCode", {"requestType": "PASSWORD_RESET", "email": email, "tenantId": tenant}
    )
    assert watcher.until("message.captured")


def test_several_watchers_see_the_same(project):
    watchers = [project.watch() for _ in range(20)]
    email = unused()
    project.sign_up(email)
    project.reset_mail(email)
    seen = []
    for each in watchers:
        each.until("message.captured")
        each.until("request", operation="identitytoolkit.accounts.sendOobCode")
        seen.append(each.seen)
    assert all(events == seen[0] for events in seen)
    for each in watchers:
        each.close()


def test_watchers_on_every_port(project):
    urls = project.server.addresses
    for name in ("auth", "console", "firestore"):
        with requests.get(urls[name] + project.control + "/events", stream=True, timeout=30) as r:
            assert r.status_code == 200 and r.headers["Content-Type"].startswith(
                "text/event-stream"
            )


def test_nothing_of_before(project):
    project.sign_up(unused())
    watcher = project.watch()
    assert watcher.drain() == []
    watcher.close()


def open_files(server: Server) -> int:
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="counts files in /proc")
def test_a_watcher_that_disconnects_is_removed(project):
    stays = project.watch()
    before = open_files(project.server)
    for _ in range(5):
        gone = [project.watch() for _ in range(10)]
        for each in gone:
            each.close()
        project.call("signUp", {})
    until(lambda: open_files(project.server) <= before + 5)
    stays.drain()
    uid = project.call("signUp", {})["localId"]
    assert stays.until("user.created")["localId"] == uid
    stays.close()


def test_a_watcher_that_does_not_read_delays_no_one(project):
    host, port = project.server.host.split(":")
    lazy = socket.socket()
    lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    lazy.connect((host, int(port)))
    lazy.sendall(
        f"GET {project.control}/events HTTP/1.1\r\nHost: {project.server.host}\r\n\r\n".encode()
    )
    watcher = project.watch()
    big = {"operation": "*" * 2000, "effect": {"status": 503}}
    for _ in range(150):
        project.faults(*[big] * 5)
    project.clock(advance="PT5H")
    watcher.until("clock.changed")
    watcher.close()
    lazy.close()
    project.no_faults()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_server_stops_quickly_with_watchers(how):
    server = Server()
    watched = Steered(server)
    watchers = [watched.watch() for _ in range(10)]
    watched.sign_up(unused())
    # None of the streams would end by itself.
    server.process.send_signal(how)
    assert server.process.wait(30) == 0
    for each in watchers:
        assert each.has_ended.wait(30)
    server.process.stdout.close()


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_events_are_only_read(project, method):
    reply = requests.request(
        method, f"{project.server.auth}{project.control}/events", json={}, timeout=30
    )
    assert reply.status_code == 405 and reply.headers["Allow"] == "GET"


# MARK: Dialects and relatives


def watched_reset(played) -> Watcher:
    """A watcher before whose eyes a password is reset over the dialect."""
    email = unused()
    played.sign_up(email)
    watcher = played.watch()
    base = f"{played.server.auth}/api/v1/auth"
    requests.post(f"{base}/forgot-password", json={"email": email}, timeout=30)
    code = played.messages(to=email)[-1]["oobCode"]
    reply = requests.post(
        f"{base}/reset-password", json={"code": code, "new_password": "new-password"}, timeout=30
    )
    assert reply.status_code == 200
    return watcher


def test_what_a_dialect_does_sends_events(played):
    watcher = watched_reset(played)
    message = played.own("GET", f"/messages/{watcher.until('message.captured')['id']}")
    assert message["type"] == "PASSWORD_RESET"
    watcher.until("request", operation="dialect.swiftly-feedback.requestReset", status=200)
    watcher.until("request", operation="dialect.swiftly-feedback.confirmReset", status=200)
    watcher.close()


def test_a_code_of_a_dialect_is_used(played):
    watcher = watched_reset(played)
    told = watcher.until("code.used")
    # And what follows from it.
    watcher.until("user.updated")
    watcher.close()
    message = played.own("GET", f"/messages/{told['id']}")
    assert told == {
        "id": message["id"],
        "to": message["to"],
        "type": "PASSWORD_RESET",
        "usedAt": message["usedAt"],
    }


def test_a_code_of_a_dialect_that_another_replaces_is_not_used(played):
    email = unused()
    played.sign_up(email)
    watcher = played.watch()
    for _ in range(2):
        requests.post(
            f"{played.server.auth}/api/v1/auth/forgot-password", json={"email": email}, timeout=30
        )
    assert "code.used" not in [name for name, _ in watcher.drain()]
    watcher.close()


def test_a_sign_in_at_a_dialect(played):
    email = unused()
    played.sign_up(email)
    watcher = played.watch()
    requests.post(
        f"{played.server.auth}/api/v1/auth/login",
        timeout=30,
        json={"email": email, "password": "secret1"},
    )
    told = watcher.until("user.signedIn")
    watcher.close()
    assert told.pop("localId") and told == {"email": email, "signInProvider": "password"}


def test_a_sign_in_that_a_dialect_refuses(played):
    email = unused()
    played.sign_up(email)
    watcher = played.watch()
    requests.post(
        f"{played.server.auth}/api/v1/auth/login",
        timeout=30,
        json={"email": email, "password": "wrong-one"},
    )
    assert "user.signedIn" not in [name for name, _ in watcher.drain()]
    watcher.close()


# MARK: Silence


def test_a_silent_stream_stays_open(silent):
    """Longer than a request may take, with a comment now and then."""
    watcher, opened = silent
    assert not watcher.has_ended.wait(max(0, opened + 33 - time.monotonic()))
    assert len(watcher.comments) >= 2
    uid = watcher.project.call("signUp", {})["localId"]
    assert watcher.until("user.created")["localId"] == uid
