"""What those see who watch a project: events, the log of requests, the list of projects; and who may."""

import base64
import contextlib
import hashlib
import json
import os
import signal
import socket
import subprocess
import time
import urllib.parse
import uuid

import grpc
import pytest
import requests

from support.auth.project import IT, idp_body
from support.firestore.channel import is_snapshot, listening, writing
from support.server import ROOT, Server, binary
from support.firestore.project import Firestore, Listener, Writer, forged
from support.steering import (  # noqa: F401
    COMMIT, SIGN_IN, SIGN_UP, Steered, another, guard, instant, near, project, unused)
from support.wire import TOKEN

NUMBER = "+15555550100"
DOCUMENTS = "firestore.projects.databases.documents."


@pytest.fixture
def watcher(project):
    watcher = project.watch()
    yield watcher
    watcher.close()


# MARK: Events


def test_the_stream_is_one_of_server_sent_events(project, watcher):
    headers = watcher.reply.headers
    assert headers["Content-Type"] == "text/event-stream; charset=utf-8"
    assert headers["Cache-Control"] == "no-cache"
    assert "Content-Length" not in headers
    assert watcher.comments


def test_a_message(project, watcher):
    email = unused()
    project.sign_up(email)
    project.call("sendOobCode", {"requestType": "PASSWORD_RESET", "email": email})
    told = watcher.until("message.captured")
    message = project.own("GET", f"/messages/{told['id']}")
    assert message["to"] == email and message["type"] == "PASSWORD_RESET"


def test_a_text_message(project, watcher):
    project.call("sendVerificationCode", {"phoneNumber": NUMBER})
    told = watcher.until("message.captured")
    assert project.own("GET", f"/messages/{told['id']}")["to"] == NUMBER


def test_a_user_comes_signs_in_and_goes(project, watcher):
    email = unused()
    uid = project.sign_up(email)["localId"]
    assert watcher.until("user.created")["localId"] == uid
    assert watcher.until("user.signedIn")["localId"] == uid
    session = project.sign_in(email)
    told = watcher.until("user.signedIn")
    assert (told["localId"], told["email"], told["signInProvider"]) == (uid, email, "password")
    project.call("delete", {"idToken": session["idToken"]})
    told = watcher.until("user.deleted")
    assert (told["localId"], told["email"]) == (uid, email)


@pytest.mark.parametrize("way", ["anonymous", "phone", "google.com", "custom", "emailLink"])
def test_ways_to_come(project, watcher, way):
    email = unused()
    if way == "anonymous":
        uid = project.call("signUp", {})["localId"]
    elif way == "phone":
        uid = project.phone(NUMBER)["localId"]
    elif way == "google.com":
        uid = project.idp("google.com", {"sub": "1", "email": email})["localId"]
    elif way == "custom":
        token = json.dumps({"uid": "u1"})
        project.call("signInWithCustomToken", {"token": token, "returnSecureToken": True})
        uid = "u1"
    else:
        project.call("sendOobCode", {
            "requestType": "EMAIL_SIGNIN", "email": email, "continueUrl": "http://localhost/"})
        code = project.messages(to=email)[-1]["oobCode"]
        uid = project.call("signInWithEmailLink", {"email": email, "oobCode": code})["localId"]
        assert watcher.until("code.used")
    assert watcher.until("user.created")["localId"] == uid
    assert watcher.until("user.signedIn")["localId"] == uid


def test_users_that_the_owner_makes_and_takes(project, watcher):
    email = unused()
    uid = project.admin("/accounts", {"email": email, "password": "secret1"})["localId"]
    assert watcher.until("user.created")["localId"] == uid
    project.admin("/accounts:delete", {"localId": uid})
    assert watcher.until("user.deleted")["localId"] == uid
    assert "user.signedIn" not in [name for name, _ in watcher.seen + watcher.drain()]


def test_many_users_are_imported_and_deleted(project, watcher):
    project.admin("/accounts:batchCreate", {"users": [
        {"localId": f"u{n}", "email": unused()} for n in range(3)]})
    project.admin("/accounts:batchDelete", {"localIds": ["u0", "u1", "u2"], "force": True})
    assert {watcher.until("user.deleted")["localId"] for _ in range(3)} == {"u0", "u1", "u2"}


@pytest.mark.parametrize("how", ["api", "page", "verify"])
def test_a_code_is_used(project, watcher, how):
    email = unused()
    session = project.sign_up(email)
    if how == "verify":
        project.call("sendOobCode", {"requestType": "VERIFY_EMAIL", "idToken": session["idToken"]})
        project.call("update", {"oobCode": project.messages(to=email)[-1]["oobCode"]})
    else:
        mail = project.reset_mail(email)
        # Looking at it is no use.
        project.call("resetPassword", {"oobCode": mail["oobCode"]})
        watcher.until("request", operation="identitytoolkit.accounts.resetPassword")
        assert "code.used" not in [name for name, _ in watcher.seen]
        if how == "api":
            project.call("resetPassword", {"oobCode": mail["oobCode"], "newPassword": "secret2"})
        else:
            reply = requests.post(mail["oobLink"], data={"newPassword": "secret2"}, timeout=30)
            assert reply.status_code == 200
    told = watcher.until("code.used")
    assert near(instant(told["usedAt"]), project.now())


@pytest.mark.parametrize("kind", [
    "PASSWORD_RESET", "VERIFY_EMAIL", "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL", "RECOVER_EMAIL"])
def test_a_code_that_is_used_is_told_with_its_message(project, watcher, kind):
    """A test that watches wants to know whose code it was."""
    email, other = unused(), unused("new")
    token = project.sign_up(email)["idToken"]
    to = other if kind == "VERIFY_AND_CHANGE_EMAIL" else email
    if kind == "RECOVER_EMAIL":
        project.call("update", {"idToken": token, "email": other})
    else:
        project.call("sendOobCode", {
            "requestType": kind, "email": email, "idToken": token, "newEmail": other,
            "continueUrl": "http://localhost/"})
    [mail] = project.messages(to=to)
    code = {"oobCode": mail["oobCode"]}
    match kind:
        case "PASSWORD_RESET":
            project.call("resetPassword", {**code, "newPassword": "secret2"})
        case "EMAIL_SIGNIN":
            project.call("signInWithEmailLink", {**code, "email": email})
        case _:
            project.call("update", code)
    told = watcher.until("code.used")
    used = project.own("GET", f"/messages/{mail['id']}")["usedAt"]
    assert told == {"id": mail["id"], "to": to, "type": kind, "usedAt": used}


@pytest.mark.parametrize("why", ["deleted", "handed to the owner"])
def test_a_code_without_a_message_is_used(project, watcher, why):
    email = unused()
    project.sign_up(email)
    if why == "deleted":
        code = project.reset_mail(email)["oobCode"]
        project.own("DELETE", "/messages")
    else:
        code = project.admin("/accounts:sendOobCode", {
            "requestType": "PASSWORD_RESET", "email": email, "returnOobLink": True})["oobCode"]
    project.call("resetPassword", {"oobCode": code, "newPassword": "secret2"})
    told = watcher.until("code.used")
    assert told.pop("usedAt") and told == {"to": email, "type": "PASSWORD_RESET"}


def test_a_code_that_is_used_up_by_a_refusal(project, watcher):
    email = unused()
    session = project.sign_up(email)
    mail = project.reset_mail(email)
    project.call("delete", {"idToken": session["idToken"]})
    body = {"oobCode": mail["oobCode"], "newPassword": "secret2"}
    assert project.error("resetPassword", body) == "INVALID_OOB_CODE"
    assert watcher.until("code.used")["id"] == mail["id"]


def test_an_sms_code_is_used(project, watcher):
    project.phone(NUMBER)
    told = watcher.until("code.used")
    assert told.pop("usedAt") and told == {
        "id": project.messages(to=NUMBER)[-1]["id"], "to": NUMBER, "type": "SMS"}


def test_a_token_is_refused(project, watcher):
    email = unused()
    session = project.sign_up(email)
    assert project.error("lookup", {"idToken": "nonsense"}) == "INVALID_ID_TOKEN"
    told = watcher.until("token.refused")
    assert (told["operation"], told["status"], told["error"]) == (
        "identitytoolkit.accounts.lookup", 400, "INVALID_ID_TOKEN")
    project.advance("PT61M")
    project.error("lookup", {"idToken": session["idToken"]})
    assert watcher.until("token.refused")["error"] == "TOKEN_EXPIRED"
    # A refresh token that nobody knows says nothing of its project; this one does.
    project.admin("/accounts:delete", {"localId": session["localId"]})
    project.request("POST", TOKEN, 400, params={"key": project.id}, data={
        "grant_type": "refresh_token", "refresh_token": session["refreshToken"]})
    assert project.error("lookup", {"idToken": session["idToken"]}) == "USER_NOT_FOUND"


@pytest.mark.parametrize("way", ["REST", "gRPC", "a stream over gRPC", "WebChannel"])
@pytest.mark.parametrize("why", ["expired", "tampered with", "another's"])
def test_a_token_that_firestore_refuses(project, watcher, way, why):
    token = project.sign_up(unused())["idToken"]
    match why:
        case "expired":
            project.advance("PT61M")
        case "tampered with":
            token = forged(token)
        case _:
            token = another(project.server).sign_up(unused())["idToken"]
    with contextlib.closing(Firestore(project.server, project.id)) as base:
        verb = call(base, way, token)
    told = watcher.until("token.refused")
    assert told == {
        "operation": DOCUMENTS + verb, "status": 401, "error": "UNAUTHENTICATED"}
    watcher.drain()
    assert [name for name, _ in watcher.seen].count("token.refused") == 1


def call(base: Firestore, way: str, token: str) -> str:
    """Calls Firestore with a token that it refuses, and tells by which operation."""
    match way:
        case "REST":
            base.rest("GET", "/c/d", 401, token=token)
            return "get"
        case "gRPC":
            assert base.fails("get_document", base.get_request("c/d"), token) \
                == grpc.StatusCode.UNAUTHENTICATED
            return "get"
        case "a stream over gRPC":
            assert Writer(base, token).opening is None
            return "write"
        case _:
            with contextlib.closing(listening(base, "c/d", token)) as channel:
                assert channel.failure()["status"] == "UNAUTHENTICATED"
            return "listen"


def test_a_call_that_presents_no_token_refuses_none(project, watcher):
    with contextlib.closing(Firestore(project.server, project.id)) as base:
        base.rules(
            "service cloud.firestore { match /databases/{d}/documents { "
            "match /none/{n} { allow read; } } }")
        base.rest("GET", "/c/d", 403, token=None)
        assert base.fails("get_document", base.get_request("c/d"), None)
    told = watcher.until("request", operation=DOCUMENTS + "get")
    assert (told["status"], told["error"]) == (403, "PERMISSION_DENIED")
    assert "token.refused" not in [name for name, _ in watcher.seen + watcher.drain()]


def test_requests(project, watcher):
    email = unused()
    project.sign_up(email)
    told = watcher.until("request", operation=SIGN_UP)
    assert told == {"operation": SIGN_UP, "status": 200}
    project.error("signInWithPassword", {"email": email, "password": "wrong-one"})
    told = watcher.until("request", operation=SIGN_IN)
    assert told == {"operation": SIGN_IN, "status": 400, "error": "INVALID_PASSWORD"}
    # Those of the control endpoints are none.
    project.clock()
    project.messages()
    assert [name for name, _ in watcher.drain()] == []


def test_requests_to_firestore(project, watcher):
    with contextlib.closing(Firestore(project.server, project.id)) as base:
        base.rest("PATCH", "/c/d", json={"fields": {}})
    watcher.until("request", operation="firestore.projects.databases.documents.patch", status=200)


def test_requests_to_firestore_over_grpc(project, watcher):
    with contextlib.closing(Firestore(project.server, project.id)) as base:
        base.commit(base.set("c/d", {"n": 1}))
        assert watcher.until("request") == {"operation": DOCUMENTS + "commit", "status": 200}
        base.batch_get("c/d")
        assert watcher.until("request") == {"operation": DOCUMENTS + "batchGet", "status": 200}
        base.fails("get_document", base.get_request("c/none"))
        assert watcher.until("request") == {
            "operation": DOCUMENTS + "get", "status": 404, "error": "NOT_FOUND"}


@pytest.mark.parametrize("way", ["gRPC", "WebChannel"])
def test_streams_are_told_when_they_open_and_when_they_fail(project, watcher, way):
    with contextlib.closing(Firestore(project.server, project.id)) as base:
        listener, writer = open_streams(base, way)
        opened = [watcher.until("request") for _ in range(2)]
        assert opened == [
            {"operation": DOCUMENTS + "listen", "status": 200},
            {"operation": DOCUMENTS + "write", "status": 200}]
        missing = base.set("c/none", {}, current_document={"exists": True})
        if way == "gRPC":
            writer.write(missing)
            assert writer.end() == grpc.StatusCode.NOT_FOUND
        else:
            [first] = writer.hear(lambda message: "streamId" in message)
            writer.send({"streamToken": first["streamToken"], "writes": [{
                "update": {"name": base.name("c/none")}, "currentDocument": {"exists": True}}]})
            assert writer.failure()["status"] == "NOT_FOUND"
        assert watcher.until("request") == {
            "operation": DOCUMENTS + "write", "status": 404, "error": "NOT_FOUND"}
        for stream in (listener, writer):
            stream.cancel() if way == "gRPC" else stream.close()
    # That a client hangs up is no failure.
    assert watcher.drain() == []


def open_streams(base: Firestore, way: str) -> tuple:
    if way == "gRPC":
        listener = Listener(base)
        listener.add(2, "c/d")
        listener.snapshot()
        return listener, Writer(base)
    channel = listening(base, "c/d")
    channel.hear(is_snapshot)
    return channel, writing(base)


def test_clock_and_faults(project, watcher):
    project.clock(advance="PT2H")
    told = watcher.until("clock.changed")
    assert told["offset"] == "PT2H" and told["frozen"] is False and instant(told["now"])
    project.own("DELETE", "/clock")
    assert watcher.until("clock.changed")["offset"] == "PT0S"
    [rule] = project.faults({"operation": "*", "effect": {"status": 503}})
    assert watcher.until("faults.changed") == {"faults": [{**rule, "hits": 0}]}
    project.no_faults()
    assert watcher.until("faults.changed") == {"faults": []}
    # What was refused changed nothing.
    project.complaint("PATCH", "/clock", {"advance": "x"})
    project.complaint("PUT", "/faults", {"faults": [5]})
    project.clock()
    assert watcher.drain() == []


@pytest.mark.parametrize("how", [
    "profile", "address", "password", "owner", "link", "factor", "reset", "verified", "overwritten"])
def test_a_user_is_updated(project, watcher, how):
    email, told_email = unused(), None
    session = project.sign_up(email)
    uid, token = session["localId"], session["idToken"]
    match how:
        case "profile":
            project.call("update", {"idToken": token, "displayName": "Ann"})
        case "address":
            told_email = unused("new")
            project.call("update", {"idToken": token, "email": told_email})
        case "password":
            project.call("update", {"idToken": token, "password": "secret2"})
        case "owner":
            project.admin("/accounts:update", {"localId": uid, "disableUser": True})
        case "link":
            project.call("signInWithIdp", {
                **idp_body("google.com", {"sub": "1", "email": email}), "idToken": token})
        case "factor":
            project.admin("/accounts:update", {"localId": uid, "mfa": {"enrollments": [
                {"mfaEnrollmentId": "m1", "phoneInfo": NUMBER}]}})
        case "reset":
            code = project.reset_mail(email)["oobCode"]
            project.call("resetPassword", {"oobCode": code, "newPassword": "secret2"})
        case "verified":
            project.call("sendOobCode", {"requestType": "VERIFY_EMAIL", "idToken": token})
            project.call("update", {"oobCode": project.messages(to=email)[-1]["oobCode"]})
        case "overwritten":
            project.admin("/accounts:batchCreate", {"allowOverwrite": True, "users": [
                {"localId": uid, "email": email, "displayName": "Ann"}]})
    assert watcher.until("user.updated") == {"localId": uid, "email": told_email or email}
    watcher.drain()
    assert [name for name, _ in watcher.seen].count("user.updated") == 1


def test_a_password_at_the_same_instant_is_an_update(project, watcher):
    project.clock(frozen=True)
    session = project.sign_up(unused())
    project.call("update", {"idToken": session["idToken"], "password": "secret2"})
    assert watcher.until("user.updated")["localId"] == session["localId"]


def test_to_sign_in_is_no_update(project, watcher):
    email = unused()
    session = project.sign_up(email)
    for claims in [{"sub": "1", "email": unused()}] * 2:
        project.idp("google.com", claims)
    project.phone(NUMBER)
    project.phone(NUMBER)
    project.call("signUp", {})
    project.advance("PT5M")
    project.sign_in(email)
    project.request("POST", TOKEN, params={"key": project.id}, data={
        "grant_type": "refresh_token", "refresh_token": session["refreshToken"]})
    project.call("update", {"idToken": session["idToken"]})
    assert "user.updated" not in [name for name, _ in watcher.drain(1)]


def test_an_imported_password_that_is_read_is_no_update(project, watcher):
    email = unused()
    project.admin("/accounts:batchCreate", {
        "hashAlgorithm": "SHA256", "rounds": 1, "users": [{
            "localId": "a", "email": email,
            "passwordHash": base64.urlsafe_b64encode(
                hashlib.sha256(b"secret1").digest()).decode()}]})
    project.sign_in(email)
    project.sign_in(email)
    assert "user.updated" not in [name for name, _ in watcher.drain(1)]
    project.admin("/accounts:update", {"localId": "a", "password": "secret2"})
    assert watcher.until("user.updated")["localId"] == "a"


def test_messages_are_deleted(project, watcher):
    for email in ("a@example.com", "b@example.com", "b@example.com", "c@example.com"):
        project.call("sendOobCode", {
            "requestType": "EMAIL_SIGNIN", "email": email, "continueUrl": "http://localhost/"})
    first, *both, last = [message["id"] for message in project.messages()]
    project.own("DELETE", f"/messages/{first}")
    assert watcher.until("message.deleted") == {"id": first}
    project.own("DELETE", "/messages", params={"to": "b@example.com"})
    assert [watcher.until("message.deleted")["id"] for _ in both] == both
    project.own("DELETE", "/messages")
    assert watcher.until("message.deleted") == {"id": last}
    project.own("DELETE", "/messages")
    project.own("DELETE", f"/messages/{first}", 404)
    assert watcher.drain() == []


def test_switches_are_changed(project, watcher):
    project.switch(rateLimits=True)
    told = watcher.until("switches.changed")
    assert told["rateLimits"] is True and told == project.own("GET", "/switches")
    project.configure("emailPrivacyConfig.enableImprovedEmailPrivacy",
                      emailPrivacyConfig={"enableImprovedEmailPrivacy": True})
    assert watcher.until("switches.changed")["emailEnumerationProtection"] is True
    project.configure("signIn.allowDuplicateEmails", signIn={"allowDuplicateEmails": True})
    project.switch(rateLimits=True)
    project.own("PATCH", "/switches", 400, json={"rateLimits": 5})
    assert "switches.changed" not in [name for name, _ in watcher.drain()]


def test_keys_are_rotated(project, watcher):
    """They are those of all projects."""
    other = another(project.server).watch()
    key = project.request("POST", "/emulator/v1/keys:rotate", json={})
    assert watcher.until("keys.rotated") == other.until("keys.rotated") == {"kid": key["kid"]}
    other.close()


def test_in_their_order(project, watcher):
    email = unused()
    project.sign_up(email)
    mail = project.reset_mail(email)
    project.call("resetPassword", {"oobCode": mail["oobCode"], "newPassword": "secret2"})
    project.sign_in(email, password="secret2")
    names = [name for name, _ in watcher.drain(1) if name != "request"]
    assert names == [
        "user.created", "user.signedIn", "message.captured", "code.used", "user.updated",
        "user.signedIn"]


def test_no_secret_in_an_event(project, watcher):
    email = unused()
    session = project.sign_up(email)
    mail = project.reset_mail(email)
    project.advance("PT2S")
    project.call("resetPassword", {"oobCode": mail["oobCode"], "newPassword": "secret-new-2"})
    assert project.error("lookup", {"idToken": session["idToken"]}) == "TOKEN_EXPIRED"
    text = json.dumps(watcher.drain(1))
    for secret in ("secret1", "secret-new-2", mail["oobCode"], session["idToken"],
                   session["refreshToken"]):
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
    project.call("sendOobCode", {
        "requestType": "PASSWORD_RESET", "email": email, "tenantId": tenant})
    assert watcher.until("message.captured")


def test_several_watchers_see_the_same(project):
    watchers = [project.watch() for _ in range(20)]
    email = unused()
    project.sign_up(email)
    project.reset_mail(email)
    seen = []
    for watcher in watchers:
        watcher.until("message.captured")
        watcher.until("request", operation="identitytoolkit.accounts.sendOobCode")
        seen.append(watcher.seen)
    assert all(events == seen[0] for events in seen)
    for watcher in watchers:
        watcher.close()


def test_watchers_on_every_port(project):
    urls = project.server.addresses
    for name in ("auth", "console", "firestore"):
        with requests.get(urls[name] + project.control + "/events", stream=True, timeout=10) as r:
            assert r.status_code == 200 and r.headers["Content-Type"].startswith("text/event-stream")


def test_nothing_of_before(project):
    project.sign_up(unused())
    watcher = project.watch()
    assert watcher.drain() == []
    watcher.close()


def open_files(server: Server) -> int:
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="counts files in /proc")
def test_a_watcher_that_goes_away_leaves_nothing_behind(project):
    stays = project.watch()
    before = open_files(project.server)
    for _ in range(5):
        gone = [project.watch() for _ in range(10)]
        for watcher in gone:
            watcher.close()
        project.call("signUp", {})
    deadline = time.monotonic() + 10
    while open_files(project.server) > before + 5 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert open_files(project.server) <= before + 5
    stays.drain()
    uid = project.call("signUp", {})["localId"]
    assert stays.until("user.created")["localId"] == uid
    stays.close()


def test_a_watcher_that_does_not_read_holds_nobody_up(project):
    host, port = project.server.host.split(":")
    lazy = socket.socket()
    lazy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    lazy.connect((host, int(port)))
    lazy.sendall(
        f"GET {project.control}/events HTTP/1.1\r\nHost: {project.server.host}\r\n\r\n".encode())
    watcher = project.watch()
    big = {"operation": "*" * 2000, "effect": {"status": 503}}
    start = time.monotonic()
    for _ in range(150):
        project.faults(*[big] * 5)
    project.clock(advance="PT5H")
    assert time.monotonic() - start < 15
    # This test reads byte for byte, which is slow.
    watcher.until("clock.changed", timeout=30)
    watcher.close()
    lazy.close()
    project.no_faults()


def test_a_silent_stream_stays_open(project):
    """Longer than what a request may take, and with a sign of life now and then."""
    watcher = project.watch()
    assert not watcher.has_ended.wait(33)
    assert len(watcher.comments) >= 2
    uid = project.call("signUp", {})["localId"]
    assert watcher.until("user.created")["localId"] == uid
    watcher.close()


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_server_stops_quickly_with_watchers(how):
    server = Server()
    watched = Steered(server)
    watchers = [watched.watch() for _ in range(10)]
    watched.sign_up(unused())
    start = time.monotonic()
    server.process.send_signal(how)
    assert server.process.wait(10) == 0
    assert time.monotonic() - start < 4
    for watcher in watchers:
        assert watcher.has_ended.wait(5)
    server.process.stdout.close()


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_events_are_only_read(project, method):
    reply = requests.request(
        method, f"{project.server.auth}{project.control}/events", json={}, timeout=10)
    assert reply.status_code == 405 and reply.headers["Allow"] == "GET"


# MARK: Dialects and relatives


@pytest.fixture(scope="module")
def played():
    server = Server("--dialect", str(ROOT / "fixtures/dialects/swiftly-feedback.json"))
    yield Steered(server, "demo-hearth")
    server.stop()


def watched_reset(played) -> "Watcher":
    """A watcher before whose eyes a password is reset over the dialect."""
    email = unused()
    played.sign_up(email)
    watcher = played.watch()
    base = f"{played.server.auth}/api/v1/auth"
    requests.post(f"{base}/forgot-password", json={"email": email}, timeout=30)
    code = played.messages(to=email)[-1]["oobCode"]
    reply = requests.post(
        f"{base}/reset-password", json={"code": code, "new_password": "new-password"}, timeout=30)
    assert reply.status_code == 200
    return watcher


def test_what_a_dialect_does_is_told(played):
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
        "id": message["id"], "to": message["to"], "type": "PASSWORD_RESET",
        "usedAt": message["usedAt"]}


def test_a_code_of_a_dialect_that_another_replaces_is_not_used(played):
    email = unused()
    played.sign_up(email)
    watcher = played.watch()
    for _ in range(2):
        requests.post(
            f"{played.server.auth}/api/v1/auth/forgot-password", json={"email": email}, timeout=30)
    assert "code.used" not in [name for name, _ in watcher.drain(1)]
    watcher.close()


def test_a_sign_in_at_a_dialect(played):
    email = unused()
    played.sign_up(email)
    watcher = played.watch()
    requests.post(f"{played.server.auth}/api/v1/auth/login", timeout=30, json={
        "email": email, "password": "secret1"})
    told = watcher.until("user.signedIn")
    watcher.close()
    assert told.pop("localId") and told == {"email": email, "signInProvider": "password"}


def test_a_sign_in_that_a_dialect_refuses(played):
    email = unused()
    played.sign_up(email)
    watcher = played.watch()
    requests.post(f"{played.server.auth}/api/v1/auth/login", timeout=30, json={
        "email": email, "password": "wrong-one"})
    assert "user.signedIn" not in [name for name, _ in watcher.drain()]
    watcher.close()


# MARK: The log of requests


def test_an_entry(project):
    email = unused()
    project.sign_up(email)
    project.error("signInWithPassword", {"email": email, "password": "wrong-one"})
    first, second = project.calls()
    assert first.keys() == {"id", "time", "method", "path", "operation", "caller", "status",
                            "milliseconds", "body"}
    assert second.keys() == first.keys() | {"error", "reason"}
    assert first["caller"] == "apiKey" and second["reason"] == "INVALID_PASSWORD"
    assert (first["method"], first["operation"], first["status"]) == ("POST", SIGN_UP, 200)
    assert first["path"] == f"{IT}/v1/accounts:signUp?key={project.id}"
    assert near(instant(first["time"]), project.now()) and 0 <= first["milliseconds"] < 10_000
    assert first["body"]["email"] == email
    assert (second["operation"], second["status"], second["error"]) == (
        SIGN_IN, 400, "INVALID_PASSWORD")
    assert second["id"] > first["id"]


def test_each_project_has_its_own(project):
    Steered(project.server).sign_up(unused())
    assert project.calls() == []
    project.admin("/accounts:query")
    project.request("GET", f"{project.v2}/config", headers={"Authorization": "Bearer owner"})
    assert [call["method"] for call in project.calls()] == ["POST", "GET"]
    project.own("GET", "/clock")
    project.messages()
    assert len(project.calls()) == 2


def test_firestore_and_refused_calls_are_in_it(project):
    with contextlib.closing(Firestore(project.server, project.id)) as base:
        base.rest("PATCH", "/c/d", json={"fields": {"a": {"stringValue": "x"}}})
        base.rest("GET", "/c/none", 404)
    assert [(call["operation"].rpartition(".")[2], call["status"]) for call in project.calls()] == [
        ("patch", 200), ("get", 404)]


def test_calls_over_grpc_are_in_it(project):
    email = unused()
    token = project.sign_up(email)["idToken"]
    with contextlib.closing(Firestore(project.server, project.id)) as base:
        base.commit(base.set("c/d", {"pin": SECRET}), token=token)
        base.fails("get_document", base.get_request("c/none"), token)
        list(base.client.collection("c").stream())
    commit, get, query = project.calls()[1:]
    assert commit.keys() == {
        "id", "time", "method", "path", "operation", "resource", "caller", "uid", "status",
        "milliseconds"}
    assert (commit["method"], commit["path"], commit["operation"], commit["resource"]) == (
        "POST", "/google.firestore.v1.Firestore/Commit", COMMIT, base.database)
    assert commit["status"] == 200 and 0 <= commit["milliseconds"] < 10_000
    assert near(instant(commit["time"]), project.now())
    assert (get["operation"], get["resource"], get["status"], get["error"]) == (
        DOCUMENTS + "get", base.name("c/none"), 404, "NOT_FOUND")
    assert (query["operation"], query["resource"], query["status"]) == (
        DOCUMENTS + "runQuery", base.root, 200)
    assert [commit["id"], get["id"], query["id"]] == sorted({commit["id"], get["id"], query["id"]})
    for secret in (SECRET, token, "Bearer"):
        assert secret not in json.dumps(project.calls())


@pytest.mark.parametrize("way", ["gRPC", "WebChannel"])
def test_streams_are_in_it(project, way):
    token = project.sign_up(unused())["idToken"]
    with contextlib.closing(Firestore(project.server, project.id)) as base:
        streams = open_streams(base, way)
        listen, write = project.calls()[1:]
        for stream in streams:
            stream.cancel() if way == "gRPC" else stream.close()
        end = "/channel" if way == "WebChannel" else ""
        for entry, name in ((listen, "Listen"), (write, "Write")):
            assert entry["path"] == f"/google.firestore.v1.Firestore/{name}{end}"
            assert (entry["operation"], entry["resource"], entry["status"]) == (
                DOCUMENTS + name.lower(), base.database, 200)
        assert call(base, "WebChannel" if end else "a stream over gRPC", token + "x")
    last = project.calls()[-1]
    assert (last["status"], last["error"]) == (401, "UNAUTHENTICATED")
    assert token not in json.dumps(project.calls())


def test_faults_over_grpc_are_seen_in_it(project):
    with contextlib.closing(Firestore(project.server, project.id)) as base:
        for when in ("before", "after"):
            project.faults({"operation": COMMIT, "effect": {"drop": when}})
            base.fails("commit", base.commit_request(base.set("c/d", {"n": 1})))
    # What happened, and not what the client has heard of it.
    assert [(entry["status"], entry.get("error")) for entry in project.calls()] == [
        (503, "UNAVAILABLE"), (200, None)]


def test_who_called_and_why_it_was_refused(project):
    email = unused()
    session = project.sign_up(email)
    project.call("lookup", {"idToken": session["idToken"]})
    project.admin("/accounts:query")
    requests.put(
        f"{project.server.auth}/emulator/v1/projects/{project.id}:securityRules", timeout=30,
        json={"rules": {"files": [{"name": "r", "content": "rules_version = '2';\n"
              "service cloud.firestore { match /databases/{d}/documents {\n"
              "match /c/{id} { allow read: if false; } } }"}]}})
    url = f"{project.server.auth}/v1/projects/{project.id}/databases/(default)/documents/c/d"
    for headers in ({}, {"Authorization": f"Bearer {session['idToken']}"},
                    {"Authorization": "Bearer owner"}):
        requests.get(url, headers=headers, timeout=30)
    with contextlib.closing(Firestore(project.server, project.id)) as base:
        base.fails("get_document", base.get_request("c/d"), session["idToken"])
    uid = session["localId"]
    calls = [call for call in project.calls() if call["operation"] != SET_RULES]
    assert [(call["caller"], call.get("uid")) for call in calls] == [
        ("apiKey", None), ("user", uid), ("owner", None), ("anonymous", None), ("user", uid),
        ("owner", None), ("user", uid)]
    for denied in (calls[3], calls[4], calls[6]):
        assert denied["error"] == "PERMISSION_DENIED" and "L3:17" in denied["reason"], denied


SET_RULES = "emulator.firestore.setSecurityRules"


def test_what_the_console_asks_is_kept_apart(project):
    headers = {"X-Hearth-Client": "console", "Authorization": "Bearer owner"}
    watcher = project.watch()
    project.request("GET", f"{project.v2}/config", headers=headers)
    project.admin("/accounts:query")
    assert [name for name, _ in watcher.drain()] == ["request"]
    watcher.close()
    [own] = project.calls()
    assert own["method"] == "POST" and "client" not in own
    both = project.own("GET", "/requests", params={"all": "true"})["requests"]
    assert [call.get("client") for call in both] == ["console", None]
    assert project.own("DELETE", "/requests") == {"requests": []}
    assert project.calls() == []


@pytest.mark.parametrize("body", [
    {"email": "a@example.com", "password": ["Sesame-4-Secret"]},
    {"email": ["a"], "password": "Sesame-4-Secret"}, {"idToken": ["Sesame-4-Secret"]},
    {"refreshToken": "Sesame-4-Secret"},
])
def test_reasons_do_not_repeat_secrets(project, body):
    project.raw("signInWithPassword", body)
    assert "Sesame-4-Secret" not in json.dumps(project.calls())


def test_imported_users_are_told_of_together(project):
    watcher = project.watch()
    project.admin("/accounts:batchCreate", {"users": [
        {"localId": f"u{n}", "email": f"u{n}@example.com"} for n in range(3)]})
    assert watcher.until("users.imported") == {"count": 3}
    watcher.close()


def test_users_are_found_by_a_part(project):
    project.admin("/accounts:batchCreate", {"users": [
        {"localId": "one", "email": "ann@example.com", "displayName": "Zoë 100%"},
        {"localId": "two", "email": "bob@example.com", "phoneNumber": "+15555550100"},
        {"localId": "three_ann", "email": "eve@example.org"}]})

    def found(**query):
        answer = project.own("GET", "/accounts", params=query)
        return int(answer["recordsCount"]), {user["localId"] for user in answer["userInfo"]}

    assert found() == (3, {"one", "two", "three_ann"})
    assert found(q="ann") == (2, {"one", "three_ann"})
    assert found(q="ANN@") == (1, {"one"})
    assert found(q="555") == (1, {"two"})
    assert found(q="zo") == found(q="100%") == (1, {"one"})
    assert found(q="example.org") == found(q="e_a") == (1, {"three_ann"})
    assert found(q="'") == (0, set())
    count, page = found(q="example", limit="2", offset="2")
    assert count == 3 and len(page) == 1
    project.complaint("GET", "/accounts?limit=0", None)


def test_the_last_thousand(project):
    session = requests.Session()
    url = f"{project.server.auth}{IT}/v1/accounts:createAuthUri?key={project.id}"
    for n in range(1050):
        session.post(url, json={
            "identifier": f"u{n}@example.com", "continueUri": "http://localhost"}, timeout=30)
    calls = project.calls()
    assert len(calls) == 1000
    assert [call["body"]["identifier"] for call in calls] == [
        f"u{n}@example.com" for n in range(50, 1050)]
    assert [call["id"] for call in calls] == sorted({call["id"] for call in calls})
    for n in range(1050, 2100):
        session.post(url, json={
            "identifier": f"u{n}@example.com", "continueUri": "http://localhost"}, timeout=30)
    assert [call["body"]["identifier"] for call in project.calls()] == [
        f"u{n}@example.com" for n in range(1100, 2100)]


def test_what_is_no_json_and_what_is_large(project):
    requests.post(
        f"{project.server.auth}{IT}/v1/accounts:signUp?key={project.id}", data="{no json",
        headers={"Content-Type": "application/json"}, timeout=30)
    project.sign_up(unused(), displayName="x" * 20_000)
    for call in project.calls():
        assert "body" not in call


SECRET = "Sesame-4-Secret"


def leak(project, where: str) -> str | None:
    """Sends a secret that way, and gives it where it is another than SECRET."""
    email = unused()

    def post(path: str, body=None, **options):
        requests.post(
            project.server.auth + path, params={"key": project.id, **options.pop("params", {})},
            json=body, timeout=30, **options)

    accounts = f"{IT}/v1/accounts:"
    owner = {"headers": {"Authorization": "Bearer owner"}}
    match where:
        case "a new user's password":
            post(accounts + "signUp", {"email": email, "password": SECRET})
        case "a password to sign in with":
            post(accounts + "signInWithPassword", {"email": email, "password": SECRET})
        case "a new password":
            post(accounts + "resetPassword", {"oobCode": "x", "newPassword": SECRET})
        case "a code of a mail":
            post(accounts + "resetPassword", {"oobCode": SECRET})
        case "an ID token":
            post(accounts + "lookup", {"idToken": SECRET})
        case "a real ID token":
            token = project.sign_up(email)["idToken"]
            post(accounts + "update", {"idToken": token, "displayName": "x"})
            return token
        case "a refresh token":
            requests.post(
                project.server.auth + TOKEN, params={"key": project.id}, timeout=30,
                data={"grant_type": "refresh_token", "refresh_token": SECRET})
        case "a real refresh token":
            session = project.sign_up(email)
            requests.post(
                project.server.auth + TOKEN, params={"key": project.id}, timeout=30, data={
                    "grant_type": "refresh_token", "refresh_token": session["refreshToken"]})
            return session["refreshToken"]
        case "a refresh token as JSON":
            token = project.sign_up(email)["refreshToken"]
            post(TOKEN, {"grantType": "refresh_token", "refreshToken": token})
            return token
        case "a custom token":
            post(accounts + "signInWithCustomToken", {"token": SECRET})
        case "a custom token that is JSON":
            post(accounts + "signInWithCustomToken", {"token": json.dumps({"uid": SECRET})})
        case "a provider's token":
            project.raw("signInWithIdp", idp_body("google.com", {"sub": SECRET, "email": email}))
        case "a provider's token that is none":
            project.raw("signInWithIdp", idp_body("google.com", SECRET))
        case "a provider's access token":
            project.raw("signInWithIdp", idp_body(
                "github.com", None, inputs={"access_token": SECRET}))
        case "a provider's answer in its redirect":
            body = idp_body("google.com", {"sub": "1", "email": email})
            project.raw("signInWithIdp", {
                **body, "requestUri": f"http://localhost/handler?code={SECRET}#id_token={SECRET}"})
        case "a code of a text message":
            credential = project.sms(NUMBER)
            project.raw("signInWithPhoneNumber", {**credential, "code": "904417"})
            return "904417"
        case "a second factor's code":
            project.factor("mfaSignIn:finalize", {
                "mfaPendingCredential": SECRET, "phoneVerificationInfo": {
                    "sessionInfo": "x", "code": SECRET}}, 400)
        case "an authenticator's code":
            project.factor("mfaSignIn:finalize", {
                "mfaPendingCredential": "x", "mfaEnrollmentId": "y",
                "totpVerificationInfo": {"verificationCode": SECRET}}, 400)
        case "a link's code":
            post(accounts + "signInWithEmailLink", {"email": email, "oobCode": SECRET})
        case "an action page":
            requests.get(
                project.server.auth + "/emulator/action", timeout=30,
                params={"mode": "resetPassword", "oobCode": SECRET, "apiKey": project.id})
        case "an action page's form":
            requests.post(
                project.server.auth + "/emulator/action", timeout=30,
                params={"mode": "resetPassword", "oobCode": "x", "apiKey": project.id},
                data={"newPassword": SECRET})
        case "an action link with a new password":
            requests.get(
                project.server.auth + "/emulator/action", timeout=30, params={
                    "mode": "resetPassword", "oobCode": "x", "apiKey": project.id,
                    "newPassword": SECRET})
        case "the owner's users":
            post(f"{project.v1}/accounts", {"email": email, "password": SECRET}, **owner)
        case "imported users":
            post(f"{project.v1}/accounts:batchCreate", {"users": [{
                "localId": "a", "email": email, "passwordHash": SECRET, "salt": SECRET}]}, **owner)
        case "imported users' plain passwords":
            post(f"{project.v1}/accounts:batchCreate", {"users": [{
                "localId": "a", "email": email, "rawPassword": SECRET}]}, **owner)
        case "a session cookie":
            post(f"{project.v1}:createSessionCookie", {
                "idToken": SECRET, "validDuration": "3600"}, **owner)
        case "a provider's secret":
            post(f"{project.v2}/oauthIdpConfigs", {
                "name": "x", "clientId": "a", "issuer": "https://a.example",
                "clientSecret": SECRET}, params={"oauthIdpConfigId": "oidc.a"}, **owner)
        case "a test number's code":
            requests.patch(
                f"{project.server.auth}{project.v2}/config", timeout=30, **owner, json={
                    "signIn": {"phoneNumber": {"testPhoneNumbers": {NUMBER: "904417"}}}})
            return "904417"
        case "a mail server's password":
            requests.patch(
                f"{project.server.auth}{project.v2}/config", timeout=30, **owner, json={
                    "notification": {"sendEmail": {"smtp": {"password": SECRET}}}})
        case "a password in the old API":
            post("/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPassword", {
                "email": email, "password": SECRET})
        case "a password that is no text":
            post(accounts + "signUp", {"email": email, "password": [SECRET]})
        case "a token in the query":
            post(accounts + "lookup", {"idToken": "x"}, params={"access_token": SECRET})
        case "a revoked token":
            post(f"{IT}/v2/accounts:revokeToken", {
                "providerId": "apple.com", "tokenType": "ACCESS_TOKEN", "token": SECRET,
                "idToken": "x"})
        case "a temporary proof":
            post(accounts + "signInWithPhoneNumber", {
                "phoneNumber": NUMBER, "temporaryProof": SECRET})
        case _:
            raise AssertionError(where)
    return None


LEAKS = [
    "a new user's password", "a password to sign in with", "a new password", "a code of a mail",
    "an ID token", "a real ID token", "a refresh token", "a real refresh token",
    "a refresh token as JSON", "a custom token", "a custom token that is JSON",
    "a provider's token", "a provider's token that is none", "a provider's access token",
    "a provider's answer in its redirect", "a code of a text message", "a second factor's code",
    "an authenticator's code", "a link's code", "an action page", "an action page's form",
    "an action link with a new password", "the owner's users", "imported users",
    "imported users' plain passwords", "a session cookie", "a provider's secret",
    "a test number's code", "a mail server's password", "a password in the old API",
    "a password that is no text", "a token in the query", "a revoked token",
    "a temporary proof",
]


def logged(project) -> str:
    """Of all projects that the call may have been counted for."""
    default = Steered(project.server, "demo-hearth")
    return json.dumps([project.calls(), default.calls()])


@pytest.mark.parametrize("where", LEAKS)
def test_no_secret_can_be_read_in_the_log(project, where):
    before = logged(project)
    secret = leak(project, where) or SECRET
    after = logged(project)
    assert len(after) > len(before), "the call is not in the log"
    assert secret not in after and urllib.parse.quote(secret) not in after


@pytest.mark.parametrize("path, body", [
    ("login", {"email": "a@example.com", "password": SECRET}),
    ("reset-password", {"code": SECRET, "new_password": "new-password"}),
    ("reset-password", {"code": "ABCDEFGH", "new_password": SECRET}),
])
def test_no_secret_of_a_dialect_can_be_read_in_the_log(played, path, body):
    requests.post(f"{played.server.auth}/api/v1/auth/{path}", json=body, timeout=30)
    [*_, last] = played.calls()
    assert last["operation"].startswith("dialect.") and SECRET not in json.dumps(last)


def test_what_a_dialect_was_asked_is_in_the_log(played):
    requests.post(
        f"{played.server.auth}/api/v1/auth/forgot-password", json={"email": "a@example.com"},
        timeout=30)
    [*_, last] = played.calls()
    assert last["operation"] == "dialect.swiftly-feedback.requestReset"
    assert last["path"] == "/api/v1/auth/forgot-password" and last["status"] == 200
    assert last["body"] == {"email": "a@example.com"}


# MARK: Projects


def test_projects(project):
    url = f"{project.server.auth}/emulator/v1/projects"

    def listed() -> list[str]:
        return requests.get(url, timeout=30).json()["projects"]

    assert "demo-hearth" in listed() and project.id not in listed()
    project.sign_up(unused())
    assert project.id in listed() and len(listed()) == len(set(listed()))


def test_the_default_project_comes_first_and_then_the_last_used(project):
    url = f"{project.server.auth}/emulator/v1/projects"
    other = Steered(project.server)
    for one in (project, other, project):
        one.sign_up(unused())
        about = requests.get(url, timeout=30).json()
        assert about["projects"][:2] == ["demo-hearth", one.id]
        assert about["defaultProject"] == "demo-hearth"
        assert near(instant(about["lastActivity"][one.id]), one.now())
    # Looking at a project is not using it.
    other.own("GET", "/messages")
    other.request("GET", f"{other.v2}/config", headers={
        "Authorization": "Bearer owner", "X-Hearth-Client": "console"})
    assert requests.get(url, timeout=30).json()["projects"][1] == project.id


@pytest.mark.parametrize("how", ["firestore", "switches", "message", "config"])
def test_projects_without_users_are_listed_too(project, how):
    if how == "firestore":
        with contextlib.closing(Firestore(project.server, project.id)) as base:
            base.rest("PATCH", "/c/d", json={"fields": {}})
    elif how == "switches":
        project.switch(rateLimits=True)
    elif how == "message":
        project.call("sendVerificationCode", {"phoneNumber": NUMBER})
    else:
        project.configure("signIn.allowDuplicateEmails", signIn={"allowDuplicateEmails": True})
    reply = requests.get(f"{project.server.auth}/emulator/v1/projects", timeout=30)
    assert project.id in reply.json()["projects"]


# MARK: Who may


def control_routes() -> list[tuple[str, str]]:
    lines = subprocess.run([binary(), "routes"], capture_output=True, text=True, timeout=30).stdout
    rows = [line.split("\t") for line in lines.splitlines()]
    return [(method, path) for method, path, _, credential, _ in rows if credential == "control"]


ROUTES = control_routes()


def filled(path: str) -> str:
    for name, value in [("targetProjectId", f"demo-{uuid.uuid4().hex[:8]}"), ("messageId", "1"),
                        ("asset", "app.js")]:
        path = path.replace("{" + name + "}", value)
    assert "{" not in path, path
    return path


def ask(server: Server, method: str, path: str, port: str = "auth", **headers: str):
    body = {} if method in ("PUT", "PATCH", "POST") else None
    return requests.request(
        method, server.addresses[port] + filled(path), json=body, headers=headers, timeout=10,
        stream=True)


def test_there_are_control_endpoints():
    names = {path.rpartition("/")[2] for _, path in ROUTES}
    assert {"faults", "clock", "events", "requests", "messages", "switches", "projects"} <= names


@pytest.mark.parametrize("method, path", ROUTES)
def test_pages_of_other_origins_are_refused(hearth, method, path):
    for port in ("auth", "console", "firestore"):
        for origin in ("https://evil.example", "null", "http://localhost.evil.example",
                       "http://127.0.0.1.evil.example", "http://evil.example:4000"):
            with ask(hearth, method, path, port, Origin=origin) as reply:
                assert reply.status_code == 403, (port, origin, reply.status_code)
                assert "Access-Control-Allow-Origin" not in reply.headers
            with requests.options(hearth.addresses[port] + filled(path), timeout=10, headers={
                    "Origin": origin, "Access-Control-Request-Method": method}) as reply:
                assert reply.status_code == 403
                assert "Access-Control-Allow-Origin" not in reply.headers


@pytest.mark.parametrize("method, path", ROUTES)
def test_other_host_names_are_refused(hearth, method, path):
    for host in ("evil.example", "evil.example:9099", "127.0.0.1.evil.example", "localhost.evil"):
        with ask(hearth, method, path, Host=host) as reply:
            assert reply.status_code == 403, (host, reply.status_code)


@pytest.mark.parametrize("method, path", ROUTES)
def test_pages_of_this_machine_are_answered(hearth, method, path):
    for origin in ("http://localhost:3000", "http://127.0.0.1:4000", "http://[::1]:5173"):
        with ask(hearth, method, path, Origin=origin) as reply:
            assert reply.status_code != 403
            assert reply.headers["Access-Control-Allow-Origin"] == origin
        with requests.options(hearth.auth + filled(path), timeout=10, headers={
                "Origin": origin, "Access-Control-Request-Method": method}) as reply:
            assert reply.status_code == 204
            assert method in reply.headers["Access-Control-Allow-Methods"]


def test_what_is_refused_is_not_done(project):
    email = unused()
    project.sign_up(email)
    project.reset_mail(email)
    project.faults({"operation": "*", "effect": {"status": 503}})
    project.clock(advance="PT5M")
    evil = {"Origin": "https://evil.example"}
    url = project.server.auth + project.control
    for method, path, body in [
            ("DELETE", "/messages", None), ("DELETE", "/faults", None), ("DELETE", "/clock", None),
            ("PUT", "/faults", {"faults": []}), ("PATCH", "/clock", {"advance": "P1D"}),
            ("PATCH", "/switches", {"rateLimits": True})]:
        assert requests.request(
            method, url + path, json=body, headers=evil, timeout=10).status_code == 403
    assert len(project.messages()) == 1 and len(project.own("GET", "/faults")["faults"]) == 1
    assert project.clock()["offset"] == "PT5M"
    assert project.own("GET", "/switches")["rateLimits"] is False


def test_a_simple_form_of_another_origin_is_refused(project):
    """What a page can send without asking first: text/plain, and no Origin in old browsers."""
    reply = requests.post(
        project.server.auth + "/emulator/v1/keys:rotate", data="{}", timeout=10,
        headers={"Content-Type": "text/plain", "Origin": "https://evil.example"})
    assert reply.status_code == 403


def test_sdk_calls_stay_open_to_every_origin(project):
    reply = requests.post(
        f"{project.server.auth}{IT}/v1/accounts:signUp?key={project.id}", json={}, timeout=10,
        headers={"Origin": "https://my-app.example", "Host": "my-machine.local:9099"})
    assert reply.status_code == 200
    assert reply.headers["Access-Control-Allow-Origin"] == "https://my-app.example"


def test_allowed_hosts():
    server = Server("--allowed-host", "hearth.test", "--allowed-host", "Other.Test")
    for host, status in [("hearth.test:9099", 200), ("HEARTH.TEST", 200), ("other.test", 200),
                         ("third.test", 403), ("localhost", 200), ("[::1]:9099", 200)]:
        reply = requests.get(
            server.auth + "/emulator/v1/projects", headers={"Host": host}, timeout=10)
        assert reply.status_code == status, host
    server.stop()
