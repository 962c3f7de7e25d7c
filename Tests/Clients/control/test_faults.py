"""Faults: what a test asks for happens to the requests that it means, and to no others."""

import concurrent.futures
import contextlib
import json
import os
import socket
import subprocess
import time

import grpc
import pytest
import requests
from google.cloud.firestore_v1.types import firestore as messages

from support.auth.project import IT
from support.firestore.channel import is_snapshot, listening, writing
from support.server import ROOT, Server, binary
from support.firestore.project import Firestore, Listener, Writer, forged
from support.steering import (  # noqa: F401
    COMMIT, SIGN_IN, SIGN_UP, Steered, guard, project, unused)
from support.wire import TOKEN

DOCUMENTS = "firestore.projects.databases.documents."


def rule(operation: str, effect: dict, **more) -> dict:
    return {"operation": operation, "effect": effect, **more}


def timed(action) -> float:
    start = time.monotonic()
    action()
    return time.monotonic() - start


@contextlib.contextmanager
def dropped():
    """The connection ends without an answer."""
    with pytest.raises(requests.ConnectionError):
        yield


@pytest.fixture
def user(project) -> str:
    email = unused()
    project.sign_up(email)
    return email


# MARK: The rules themselves


def test_rules_are_kept_as_they_were_given(project):
    assert project.own("GET", "/faults") == {"faults": []}
    rules = [
        rule(SIGN_IN, {"latency": "50ms"}),
        rule("identitytoolkit.*", {"latency": {"min": "1ms", "max": "2s"}}, share=0.5, seed=7),
        rule("*.commit", {"error": "ABORTED"}, times=2, email="Ana@example.com"),
        rule("*", {"status": 503}, share=0, seed=-1),
        rule("dialect.*", {"drop": "before"}, share=1),
        rule("dialect.*", {"drop": "after"}),
        rule("securetoken.token", {"slowBody": "1KB/s"}),
    ]
    assert project.faults(*rules) == rules
    # What is shown can be given back.
    shown = project.own("GET", "/faults")
    assert project.own("PUT", "/faults", json=shown) == shown
    assert project.kept_faults() == rules
    assert project.faults(rules[0]) == rules[:1]
    assert project.faults() == []


def test_they_can_be_taken_away(project, user):
    project.faults(rule(SIGN_IN, {"status": 503}))
    assert project.raw("signInWithPassword", {}).status_code == 503
    assert project.own("DELETE", "/faults") == {"faults": []}
    assert project.own("GET", "/faults") == {"faults": []}
    project.sign_in(user)
    project.faults(rule(SIGN_IN, {"status": 503}))
    project.faults()
    project.sign_in(user)


@pytest.mark.parametrize("given, pointer", [
    ({}, "/faults"),
    ({"faults": {}}, "/faults"),
    ({"faults": None}, "/faults"),
    ({"faults": [5]}, "/faults/0"),
    ({"faults": [{}]}, "/faults/0/operation"),
    ({"faults": [rule("", {"status": 503})]}, "/faults/0/operation"),
    ({"faults": [rule(5, {"status": 503})]}, "/faults/0/operation"),
    ({"faults": [{"operation": "*"}]}, "/faults/0/effect"),
    ({"faults": [rule("*", "drop")]}, "/faults/0/effect"),
    ({"faults": [rule("*", {})]}, "/faults/0/effect"),
    ({"faults": [rule("*", {"status": 503, "drop": "before"})]}, "/faults/0/effect"),
    ({"faults": [rule("*", {"explode": True})]}, "/faults/0/effect/explode"),
    ({"faults": [rule("*", {"latency": 50})]}, "/faults/0/effect/latency"),
    ({"faults": [rule("*", {"latency": "50"})]}, "/faults/0/effect/latency"),
    ({"faults": [rule("*", {"latency": "-50ms"})]}, "/faults/0/effect/latency"),
    ({"faults": [rule("*", {"latency": {"min": "50ms"}})]}, "/faults/0/effect/latency"),
    ({"faults": [rule("*", {"latency": {"min": "2s", "max": "1s"}})]}, "/faults/0/effect/latency"),
    ({"faults": [rule("*", {"error": ""})]}, "/faults/0/effect/error"),
    ({"faults": [rule("*", {"error": 503})]}, "/faults/0/effect/error"),
    ({"faults": [rule("*", {"status": 200})]}, "/faults/0/effect/status"),
    ({"faults": [rule("*", {"status": 302})]}, "/faults/0/effect/status"),
    ({"faults": [rule("*", {"status": 600})]}, "/faults/0/effect/status"),
    ({"faults": [rule("*", {"status": "503"})]}, "/faults/0/effect/status"),
    ({"faults": [rule("*", {"drop": True})]}, "/faults/0/effect/drop"),
    ({"faults": [rule("*", {"drop": "during"})]}, "/faults/0/effect/drop"),
    ({"faults": [rule("*", {"slowBody": "1KB"})]}, "/faults/0/effect/slowBody"),
    ({"faults": [rule("*", {"slowBody": "0B/s"})]}, "/faults/0/effect/slowBody"),
    ({"faults": [rule("*", {"slowBody": "-1KB/s"})]}, "/faults/0/effect/slowBody"),
    ({"faults": [rule("*", {"slowBody": 1024})]}, "/faults/0/effect/slowBody"),
    ({"faults": [rule("*", {"status": 503}, share=1.5)]}, "/faults/0/share"),
    ({"faults": [rule("*", {"status": 503}, share=-0.1)]}, "/faults/0/share"),
    ({"faults": [rule("*", {"status": 503}, share="half")]}, "/faults/0/share"),
    ({"faults": [rule("*", {"status": 503}, seed="x")]}, "/faults/0/seed"),
    ({"faults": [rule("*", {"status": 503}, seed=0.5)]}, "/faults/0/seed"),
    ({"faults": [rule("*", {"status": 503}, times=0)]}, "/faults/0/times"),
    ({"faults": [rule("*", {"status": 503}, times=-1)]}, "/faults/0/times"),
    ({"faults": [rule("*", {"status": 503}, times=1.5)]}, "/faults/0/times"),
    ({"faults": [rule("*", {"status": 503}, times="2")]}, "/faults/0/times"),
    ({"faults": [rule("*", {"status": 503}, email=5)]}, "/faults/0/email"),
    ({"faults": [rule("*", {"status": 503}, emial="a@b.c")]}, "/faults/0/emial"),
    ({"faults": [rule("*", {"status": 503}), rule("*", {"status": 5})]}, "/faults/1/effect/status"),
])
def test_a_mistake_is_told_with_its_place_and_changes_nothing(project, given, pointer):
    kept = project.faults(rule(SIGN_IN, {"status": 503}, times=3))
    message = project.complaint("PUT", "/faults", given)
    assert message.startswith(f"INVALID_ARGUMENT : {pointer} "), message
    assert project.kept_faults() == kept


@pytest.mark.parametrize("operation, near", [
    ("identitytoolkit.acounts.signUp", "identitytoolkit.accounts.signUp"),
    ("identitytoolkit.accounts.signup", "identitytoolkit.accounts.signUp"),
    ("signUp", "identitytoolkit.accounts.signUp"),
    ("*.sginInWithPassword", "identitytoolkit.accounts.signInWithPassword"),
    ("firestore.projects.databases.documents.lst", DOCUMENTS + "list"),
    ("quite.something.else", None), ("hearth.clock.xyzzy", None),
])
def test_an_operation_that_there_is_not_is_refused_with_its_neighbours(project, operation, near):
    for method, body in (("PUT", {"faults": [rule(operation, {"status": 503})]}),
                         ("POST", rule(operation, {"status": 503}))):
        message = project.complaint(method, "/faults", body)
        assert "/operation matches no operation; " in message
        assert (f"did you mean {near}" if near else "see `hearth routes`") in message
    assert project.kept_faults() == []


def test_hits_are_counted_and_one_is_added_to_others(project, user):
    project.faults(rule(SIGN_IN, {"status": 503}, times=2), rule(SIGN_IN, {"error": "USER_DISABLED"}, times=1))
    for status in (503, 503, 200):
        reply = project.raw("signInWithPassword", {"email": user, "password": "secret1"})
        assert reply.status_code == status
    first, second = project.own("GET", "/faults")["faults"]
    assert (first["hits"], first["remaining"]) == (2, 0)
    assert (second["hits"], second["remaining"]) == (1, 0)
    # Those that are spent make room; the others go on.
    project.own("POST", "/faults", json=rule("firestore.*", {"status": 500}, times=3))
    added = project.own("POST", "/faults", json=rule(SIGN_IN, {"status": 504}))
    assert [(kept["operation"], kept["hits"]) for kept in added["faults"]] == [
        ("firestore.*", 0), (SIGN_IN, 0)]
    assert project.raw("signInWithPassword", {}).status_code == 504
    assert project.calls()[-1]["fault"] == f'#2 {SIGN_IN} {{"status":504}}'


def test_a_list_is_told_from_a_get(project):
    with contextlib.closing(Firestore(project.server, project.id)) as base:
        project.faults(rule(DOCUMENTS + "list", {"status": 503}))
        base.rest("GET", "/c/d", 404)
        base.rest("GET", "/c", 503)
        base.fails("list_documents", messages.ListDocumentsRequest(
            parent=base.root, collection_id="c"))
    assert [call["operation"] for call in project.calls()] == [
        DOCUMENTS + "get", DOCUMENTS + "list", DOCUMENTS + "list"]


@pytest.mark.parametrize("body", ["", "{", "[]", "5", "null"])
def test_a_body_that_is_no_object_is_refused(project, body):
    kept = project.faults(rule(SIGN_IN, {"status": 503}))
    reply = requests.put(
        f"{project.server.auth}{project.control}/faults", data=body, timeout=30,
        headers={"Content-Type": "application/json"})
    assert reply.status_code == 400 and reply.json()["error"]["message"]
    assert project.kept_faults() == kept


def test_a_member_beside_faults_is_refused(project):
    message = project.complaint("PUT", "/faults", {"faults": [], "fautls": []})
    assert message.startswith("INVALID_ARGUMENT : /fautls ")


# MARK: Effects


def test_latency(project, user):
    plain = timed(lambda: project.sign_in(user))
    project.faults(rule(SIGN_IN, {"latency": "400ms"}))
    assert 0.4 <= timed(lambda: project.sign_in(user)) < 0.4 + plain + 1


def test_latency_holds_nobody_else_up(project, user):
    project.faults(rule(SIGN_IN, {"latency": "2s"}))
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        start = time.monotonic()
        slow = [pool.submit(project.sign_in, user) for _ in range(8)]
        time.sleep(0.2)
        assert timed(lambda: project.call("createAuthUri", {
            "identifier": user, "continueUri": "http://localhost"})) < 1
        assert not any(one.done() for one in slow)
        for one in slow:
            one.result()
        assert 2 <= time.monotonic() - start < 6


def test_latency_is_real_time_also_where_the_clock_stands(project, user):
    project.clock(frozen=True)
    project.faults(rule(SIGN_IN, {"latency": "300ms"}))
    assert timed(lambda: project.sign_in(user)) >= 0.3
    project.faults(rule(SIGN_IN, {"latency": "300ms"}))
    project.advance("P1D")
    assert timed(lambda: project.sign_in(user)) >= 0.3


def test_a_range_of_latency_keeps_to_it_and_to_its_seed(project):
    def measure(seed: int) -> list[float]:
        project.faults(rule(SIGN_IN, {"latency": {"min": "50ms", "max": "450ms"}}, seed=seed))
        return [timed(lambda: project.raw("signInWithPassword", {})) for _ in range(6)]

    def best(seed: int) -> list[float]:
        """What a busy machine adds differs each time."""
        return [min(times) for times in zip(*(measure(seed) for _ in range(3)))]

    measure(1)
    one, again, other = best(7), best(7), best(8)
    for times in (one, again, other):
        assert all(0.05 <= seconds < 0.8 for seconds in times), times
    assert max(one) - min(one) > 0.05, one
    assert all(abs(a - b) < 0.12 for a, b in zip(one, again)), (one, again)
    assert any(abs(a - b) > 0.05 for a, b in zip(one, other)), (one, other)


@pytest.mark.parametrize("code, status, text", [
    ("EMAIL_NOT_FOUND", 400, None), ("INVALID_PASSWORD", 400, None), ("USER_DISABLED", 400, None),
    ("TOO_MANY_ATTEMPTS_TRY_LATER", 400, None), ("INVALID_LOGIN_CREDENTIALS", 400, None),
    ("UNAVAILABLE", 503, "UNAVAILABLE"), ("INTERNAL", 500, "INTERNAL"),
    ("PERMISSION_DENIED", 403, "PERMISSION_DENIED"), ("NOT_FOUND", 404, "NOT_FOUND"),
    ("QUOTA_EXCEEDED", 429, "RESOURCE_EXHAUSTED"),
    ("RESOURCE_EXHAUSTED", 429, "RESOURCE_EXHAUSTED"), ("ABORTED", 409, "ABORTED"),
    ("DEADLINE_EXCEEDED", 504, "DEADLINE_EXCEEDED"),
])
def test_an_error_of_the_table(project, user, code, status, text):
    project.faults(rule(SIGN_IN, {"error": code}))
    reply = project.raw("signInWithPassword", {"email": user, "password": "secret1"})
    error = reply.json()["error"]
    assert (reply.status_code, error["code"]) == (status, status)
    # Some rows have a detail, which is that of the real error.
    assert error["message"].split(" : ")[0] == code
    assert error.get("status") == text
    assert error["errors"][0]["message"] == error["message"]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 418, 429, 500, 502, 503, 504, 599])
def test_a_status(project, user, status):
    project.faults(rule(SIGN_UP, {"status": status}))
    email = unused()
    reply = project.raw("signUp", {"email": email, "password": "secret1"})
    assert reply.status_code == status and reply.json()["error"]["code"] == status
    assert not project.is_known(email)


def test_dropped_before_it_ran(project):
    email = unused()
    project.faults(rule(SIGN_UP, {"drop": "before"}))
    with dropped():
        project.raw("signUp", {"email": email, "password": "secret1"})
    project.no_faults()
    assert not project.is_known(email)
    project.sign_up(email)


def test_dropped_after_it_ran(project):
    email = unused()
    project.faults(rule(SIGN_UP, {"drop": "after"}))
    with dropped():
        project.raw("signUp", {"email": email, "password": "secret1"})
    assert project.is_known(email)
    project.sign_in(email)


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_dropped_connection_carries_not_one_byte(project, when):
    project.faults(rule(SIGN_UP, {"drop": when}))
    host, port = project.server.host.split(":")
    body = json.dumps({"email": unused(), "password": "secret1"})
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall((
            f"POST {IT}/v1/accounts:signUp?key={project.id} HTTP/1.1\r\nHost: {project.server.host}"
            f"\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        ).encode())
        try:
            assert connection.recv(1000) == b""
        except ConnectionResetError:
            pass


def test_a_session_goes_on_after_a_drop(project, user):
    with requests.Session() as session:
        def sign_in():
            return session.post(
                f"{project.server.auth}{IT}/v1/accounts:signInWithPassword?key={project.id}",
                json={"email": user, "password": "secret1"}, timeout=30)

        assert sign_in().status_code == 200
        project.faults(rule(SIGN_IN, {"drop": "before"}, times=1))
        with dropped():
            sign_in()
        assert sign_in().status_code == 200


def test_dropped_after_it_refused(project):
    project.faults(rule(SIGN_IN, {"drop": "after"}))
    with dropped():
        project.raw("signInWithPassword", {"email": unused(), "password": "secret1"})


def test_a_slow_body_crawls_and_is_whole(project):
    project.admin("/accounts:batchCreate", {"users": [
        {"localId": f"user-{n}", "email": unused()} for n in range(40)]})
    path = f"{project.server.auth}{project.v1}/accounts:query"
    owner = {"Authorization": "Bearer owner"}
    plain = requests.post(path, json={}, headers=owner, timeout=30)
    project.faults(rule("identitytoolkit.projects.accounts.query", {"slowBody": "4KB/s"}))
    start = time.monotonic()
    reply = requests.post(path, json={}, headers=owner, timeout=30, stream=True)
    arrivals, body = [], b""
    for chunk in reply.iter_content(None):
        arrivals.append(time.monotonic() - start)
        body += chunk
    assert body == plain.content and reply.status_code == 200
    assert reply.headers["Content-Type"] == plain.headers["Content-Type"]
    expected = len(body) / 4096
    assert expected > 0.8, "the body is too short for this test"
    assert 0.6 * expected < arrivals[-1] < 2 * expected + 1
    assert arrivals[0] < 0.5 and len(arrivals) >= 5
    # It comes evenly.
    assert max(b - a for a, b in zip(arrivals, arrivals[1:])) < 0.5


def test_a_slow_body_in_bytes(project, user):
    session = project.sign_in(user)
    project.faults(rule("identitytoolkit.accounts.lookup", {"slowBody": "512B/s"}))
    seconds = timed(lambda: project.call("lookup", {"idToken": session["idToken"]}))
    assert 0.3 < seconds < 4


def test_a_slow_refusal(project):
    project.faults(rule(SIGN_IN, {"slowBody": "200B/s"}))
    assert timed(lambda: project.error("signInWithPassword", {
        "email": unused(), "password": "secret1"})) > 0.5


def test_who_leaves_a_slow_body_early_does_no_harm(project, user):
    project.faults(rule(SIGN_IN, {"slowBody": "10B/s"}))
    with requests.post(
            f"{project.server.auth}{IT}/v1/accounts:signInWithPassword?key={project.id}",
            json={"email": user, "password": "secret1"}, stream=True, timeout=10) as reply:
        assert reply.status_code == 200
    project.no_faults()
    project.sign_in(user)


def test_a_server_stops_in_time_while_answers_crawl():
    server = Server()
    crawling = Steered(server)
    email = unused()
    crawling.sign_up(email)
    crawling.faults(rule(SIGN_IN, {"slowBody": "1B/s"}))
    reply = requests.post(
        f"{server.auth}{IT}/v1/accounts:signInWithPassword?key={crawling.id}",
        json={"email": email, "password": "secret1"}, stream=True, timeout=10)
    assert timed(server.stop) < 8
    reply.close()


# MARK: Which requests


@pytest.mark.parametrize("operation, hits", [
    (SIGN_IN, True),
    ("identitytoolkit.*", True),
    ("*", True),
    ("*signInWithPassword", True),
    ("identitytoolkit.*.signIn*", True),
    ("*sign*With*Password*", True),
    ("**", True),
    ("*.signUp", False),
    ("dialect.*", False),
])
def test_globs(project, user, operation, hits):
    project.faults(rule(operation, {"status": 503}))
    reply = project.raw("signInWithPassword", {"email": user, "password": "secret1"})
    assert reply.status_code == (503 if hits else 200)


@pytest.mark.parametrize("operation", [
    "signInWithPassword", "identitytoolkit.accounts", "identitytoolkit.accounts.signIn",
    "IDENTITYTOOLKIT.*", "identitytoolkit.accounts.signInWithPassword.*",
    "identitytoolkit?accounts?signInWithPassword", ".*"])
def test_globs_that_match_nothing_are_refused(project, operation):
    message = project.complaint("PUT", "/faults", {"faults": [rule(operation, {"status": 503})]})
    assert "/faults/0/operation matches no operation" in message


@pytest.mark.parametrize("operation", [
    "dialect." + "*" * 200 + "x", "dialect." + "*i*" * 40 + "x"])
def test_a_glob_of_many_stars_is_quick(operation):
    server = Server()
    starry = Steered(server)
    starry.faults(rule(operation, {"status": 503}))
    try:
        starry.raw("signInWithPassword", {}, timeout=5)
    finally:
        server.kill()


@pytest.mark.parametrize("path, operation", [
    (f"{IT}/v1/accounts:signInWithPassword", SIGN_IN),
    ("/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPassword", SIGN_IN),
    ("/v1/accounts:signInWithPassword", SIGN_IN),
    (TOKEN, "securetoken.token"),
    (f"{IT}/v2/accounts/mfaSignIn:start", "identitytoolkit.accounts.mfaSignIn.start"),
])
def test_every_path_of_an_operation(project, path, operation):
    project.faults(rule(operation, {"status": 503}))
    form = {"data": {"grant_type": "refresh_token", "refresh_token": "x"}} if path == TOKEN else {
        "json": {"email": unused(), "password": "x"}}
    reply = requests.post(
        project.server.auth + path, params={"key": project.id}, timeout=30, **form)
    # A refresh token tells its project; the key does elsewhere.
    assert reply.status_code == 503, reply.text


def test_calls_of_the_owner(project):
    project.faults(rule("identitytoolkit.projects.accounts", {"error": "QUOTA_EXCEEDED"}))
    assert project.admin_error("/accounts", {"email": unused()}, 429) == "QUOTA_EXCEEDED"
    project.admin("/accounts:query")


def test_rules_add_up_in_their_order(project, user):
    project.faults(
        rule(SIGN_IN, {"latency": "200ms"}), rule(SIGN_IN, {"latency": "200ms"}),
        rule(SIGN_IN, {"error": "USER_DISABLED"}), rule(SIGN_IN, {"status": 503}))
    answers = []
    assert timed(lambda: answers.append(project.error("signInWithPassword", {
        "email": user, "password": "secret1"}))) >= 0.4
    assert answers == ["USER_DISABLED"]


def pattern(project, count: int = 40) -> list[int]:
    return [project.raw("signInWithPassword", {}).status_code for _ in range(count)]


def test_a_share_is_the_same_in_every_run(project):
    half = rule(SIGN_IN, {"status": 503}, share=0.5, seed=7)
    project.faults(half)
    one = pattern(project)
    project.faults(half)
    assert pattern(project) == one
    assert 8 <= one.count(503) <= 32 and set(one) == {400, 503}
    project.faults({**half, "seed": 8})
    assert pattern(project) != one
    # Also in another project, and beside requests that are not meant.
    other = Steered(project.server)
    other.faults(half)
    mixed = []
    for _ in one:
        other.raw("createAuthUri", {"identifier": "a@example.com", "continueUri": "http://x"})
        mixed.append(other.raw("signInWithPassword", {}).status_code)
    assert mixed == one


def test_a_share_is_the_same_on_another_server(project):
    half = rule(SIGN_IN, {"status": 503}, share=0.3, seed=12345)
    project.faults(half)
    one = pattern(project)
    server = Server()
    other = Steered(server)
    other.faults(half)
    assert pattern(other) == one
    server.stop()


def test_a_share_without_a_seed_is_repeated_too(project):
    project.faults(rule(SIGN_IN, {"status": 503}, share=0.5))
    one = pattern(project)
    project.faults(rule(SIGN_IN, {"status": 503}, share=0.5))
    assert pattern(project) == one


@pytest.mark.parametrize("share, count", [(0, 0), (0.0, 0), (1, 20), (1.0, 20)])
def test_none_and_all(project, share, count):
    project.faults(rule(SIGN_IN, {"status": 503}, share=share, seed=3))
    assert pattern(project, 20).count(503) == count


def test_shares_come_near_what_was_asked_for(project):
    project.faults(rule(SIGN_IN, {"status": 503}, share=0.2, seed=99))
    assert 30 <= pattern(project, 300).count(503) <= 95


def test_a_number_of_times(project):
    project.faults(rule(SIGN_IN, {"status": 503}, times=2))
    assert pattern(project, 5) == [503, 503, 400, 400, 400]
    # What is given again counts anew.
    project.faults(rule(SIGN_IN, {"status": 503}, times=1))
    assert pattern(project, 3) == [503, 400, 400]


def test_only_hits_count_as_times(project):
    project.faults(rule(SIGN_IN, {"status": 503}, share=0.5, seed=7, times=3))
    seen = pattern(project, 40)
    assert seen.count(503) == 3
    project.faults(rule(SIGN_IN, {"status": 503}, share=0.5, seed=7))
    unlimited = pattern(project, 40)
    third = [index for index, status in enumerate(unlimited) if status == 503][2]
    assert seen[:third + 1] == unlimited[:third + 1]


def test_times_hold_among_requests_at_once(project):
    project.faults(rule(SIGN_IN, {"status": 503}, times=7))
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(
            lambda _: project.raw("signInWithPassword", {}).status_code, range(60)))
    assert answers.count(503) == 7 and answers.count(400) == 53


def test_one_rule_after_the_other(project):
    project.faults(
        rule(SIGN_IN, {"status": 503}, times=1), rule(SIGN_IN, {"status": 429}, times=2))
    # A request that the first rule takes uses up one time of the second as well or does not; both
    # end after three requests at the latest.
    seen = pattern(project, 4)
    assert seen[0] == 503 and seen[1] == 429 and seen[3] == 400


# MARK: The address


def test_only_requests_about_an_address(project):
    one, other = unused("one"), unused("other")
    for email in (one, other):
        project.sign_up(email)
    project.faults(rule("identitytoolkit.*", {"error": "UNAVAILABLE"}, email=one.upper()))
    wanted = {"email": one, "password": "secret1"}
    assert project.error("signInWithPassword", wanted, 503) == "UNAVAILABLE"
    assert project.error("signInWithPassword", {**wanted, "email": one.upper()}, 503)
    assert project.error("sendOobCode", {"requestType": "PASSWORD_RESET", "email": one}, 503)
    assert project.error("createAuthUri", {"identifier": one, "continueUri": "http://x"}, 503)
    project.sign_in(other)
    # No address: anonymous, and calls that name nobody.
    project.call("signUp", {})
    assert project.error("signInWithPassword", {}) == "MISSING_EMAIL"
    project.admin("/accounts:query")


def test_the_address_in_a_token_counts(project):
    one, other = unused("one"), unused("other")
    mine, theirs = project.sign_up(one), project.sign_up(other)
    project.faults(rule("*.lookup", {"error": "UNAVAILABLE"}, email=one))
    assert project.error("lookup", {"idToken": mine["idToken"]}, 503) == "UNAVAILABLE"
    project.call("lookup", {"idToken": theirs["idToken"]})


def test_the_times_of_an_address_are_its_own(project, user):
    project.faults(rule(SIGN_IN, {"status": 503}, email=user, times=1))
    for _ in range(3):
        project.raw("signInWithPassword", {"email": unused(), "password": "x"})
    assert project.error("signInWithPassword", {"email": user, "password": "secret1"}, 503)
    project.sign_in(user)


# MARK: What is spared


def test_control_endpoints_have_no_faults(project, user):
    mail = project.reset_mail(user)
    project.faults(rule("*", {"drop": "before"}), rule("hearth.*", {"status": 503}))
    for method, path in [
            ("GET", "/faults"), ("GET", "/clock"), ("GET", "/requests"), ("GET", "/switches"),
            ("GET", "/messages"), ("GET", f"/messages/{mail['id']}"), ("GET", "/messages/latest"),
            ("DELETE", f"/messages/{mail['id']}"), ("DELETE", "/messages"), ("DELETE", "/clock")]:
        project.own(method, path)
    project.clock(advance="PT1S")
    project.switch(rateLimits=True)
    for path in ["/console/", "/emulator/v1/projects", "/mailbox", "/"]:
        reply = requests.get(project.server.addresses["console"] + path, timeout=30)
        assert reply.status_code == 200, path
    watcher = project.watch()
    project.faults(rule("*", {"drop": "before"}))
    watcher.until("faults.changed")
    watcher.close()
    project.no_faults()
    project.sign_in(user)


def test_control_endpoints_of_the_default_project_have_none_either():
    server = Server()
    default = Steered(server, "demo-hearth")
    default.faults(rule("*", {"status": 503}))
    for path in ["/console/", "/mailbox", "/emulator/v1/projects"]:
        assert requests.get(server.addresses["console"] + path, timeout=30).status_code == 200, path
    assert requests.post(
        server.auth + "/emulator/v1/keys:rotate", json={}, timeout=30).status_code == 200
    default.no_faults()
    server.stop()


def test_other_projects_are_not_affected(project):
    project.faults(rule("*", {"drop": "before"}))
    other = Steered(project.server)
    email = unused()
    other.sign_up(email)
    other.sign_in(email)
    assert other.own("GET", "/faults") == {"faults": []}
    with contextlib.closing(Firestore(project.server, other.id)) as base:
        base.rest("PATCH", "/c/d", json={"fields": {}})
    other.no_faults()
    assert len(project.own("GET", "/faults")["faults"]) == 1


def test_a_tenant_belongs_to_its_project(project):
    tenant = project.tenant(allowPasswordSignup=True)
    project.faults(rule(SIGN_UP, {"status": 503}))
    assert project.error("signUp", {
        "tenantId": tenant, "email": unused(), "password": "secret1"}, 503)


def test_faults_are_seen_in_the_log_of_requests(project, user):
    project.faults(
        rule(SIGN_IN, {"error": "UNAVAILABLE"}, times=1), rule(SIGN_IN, {"latency": "120ms"}))
    project.raw("signInWithPassword", {"email": user, "password": "secret1"})
    project.sign_in(user)
    entries = [entry for entry in project.calls() if entry["operation"] == SIGN_IN]
    assert [entry["status"] for entry in entries] == [503, 200]
    assert entries[0]["error"] == "UNAVAILABLE"
    assert entries[1]["milliseconds"] >= 120


# MARK: Firestore over REST


@pytest.fixture
def base(project):
    base = Firestore(project.server, project.id)
    yield base
    base.close()


def commit_body(base: Firestore, path: str) -> dict:
    return {"writes": [{"update": {"name": base.name(path), "fields": {"n": {"integerValue": "1"}}}}]}


@pytest.mark.parametrize("verb, method, path, body", [
    ("get", "GET", "/c/d", None),
    ("list", "GET", "/c", None),
    ("createDocument", "POST", "/c", {"fields": {}}),
    ("patch", "PATCH", "/c/d", {"fields": {}}),
    ("delete", "DELETE", "/c/d", None),
    ("batchGet", "POST", ":batchGet", {"documents": []}),
    ("batchWrite", "POST", ":batchWrite", {"writes": []}),
    ("beginTransaction", "POST", ":beginTransaction", {}),
    ("commit", "POST", ":commit", {"writes": []}),
    ("rollback", "POST", ":rollback", {"transaction": "AAAA"}),
    ("listCollectionIds", "POST", ":listCollectionIds", {}),
    ("listCollectionIds", "POST", "/c/d:listCollectionIds", {}),
    ("runQuery", "POST", ":runQuery", {"structuredQuery": {"from": [{"collectionId": "c"}]}}),
    ("runAggregationQuery", "POST", ":runAggregationQuery", {}),
    ("partitionQuery", "POST", ":partitionQuery", {}),
])
def test_firestore_operations_by_their_ids(project, base, verb, method, path, body):
    project.faults(rule(DOCUMENTS + verb, {"error": "UNAVAILABLE"}))
    assert base.refused(method, path, 503, json=body) == "UNAVAILABLE"
    other = "commit" if verb != "commit" else "rollback"
    project.faults(rule(DOCUMENTS + other, {"error": "UNAVAILABLE"}))
    reply = requests.request(
        method, f"{project.server.addresses['firestore']}/v1/{base.root}{path}", json=body,
        headers={"Authorization": "Bearer owner"}, timeout=30)
    assert reply.status_code != 503


@pytest.mark.parametrize("code, status", [
    ("UNAVAILABLE", 503), ("INTERNAL", 500), ("NOT_FOUND", 404), ("PERMISSION_DENIED", 403),
    ("UNAUTHENTICATED", 401), ("ABORTED", 409), ("RESOURCE_EXHAUSTED", 429),
    ("DEADLINE_EXCEEDED", 504), ("INVALID_ARGUMENT", 400), ("FAILED_PRECONDITION", 400),
    ("OUT_OF_RANGE", 400), ("ALREADY_EXISTS", 409), ("CANCELLED", 499),
    ("DATA_LOSS", 500), ("UNKNOWN", 500), ("UNIMPLEMENTED", 501),
])
def test_firestore_codes(project, base, code, status):
    """google.rpc.Code and its HTTP mapping; a client reads `error.status`."""
    project.faults(rule(COMMIT, {"error": code}))
    reply = requests.post(
        f"{project.server.addresses['firestore']}/v1/{base.root}:commit", json={"writes": []},
        headers={"Authorization": "Bearer owner"}, timeout=30)
    error = reply.json()["error"]
    assert (reply.status_code, error["code"], error.get("status")) == (status, status, code)


def test_a_firestore_commit_dropped_before_and_after(project, base):
    url = f"{project.server.addresses['firestore']}/v1/{base.root}:commit"
    owner = {"Authorization": "Bearer owner"}
    project.faults(
        rule(COMMIT, {"drop": "before"}, times=1))
    with dropped():
        requests.post(url, json=commit_body(base, "c/before"), headers=owner, timeout=30)
    project.faults(rule(COMMIT, {"drop": "after"}, times=1))
    with dropped():
        requests.post(url, json=commit_body(base, "c/after"), headers=owner, timeout=30)
    assert base.refused("GET", "/c/before", 404) == "NOT_FOUND"
    assert base.rest("GET", "/c/after")["fields"] == {"n": {"integerValue": "1"}}


def test_a_firestore_refusal_dropped_after_it_was_made(project, base):
    project.faults(rule(DOCUMENTS + "get", {"drop": "after"}))
    with dropped():
        base.rest("GET", "/c/none")


def test_firestore_latency_and_slow_bodies(project, base):
    base.rest("PATCH", "/c/d", json={"fields": {"t": {"stringValue": "x" * 900}}})
    project.faults(rule("firestore.*", {"latency": "200ms"}))
    assert timed(lambda: base.rest("GET", "/c/d")) >= 0.2
    project.faults(rule("firestore.*", {"slowBody": "1KB/s"}))
    assert 0.5 < timed(lambda: base.rest("GET", "/c/d")) < 5


def test_an_address_in_a_rule_spares_firestore_calls_of_others(project, base):
    project.faults(rule("*", {"status": 503}, email="ana@example.com"))
    base.rest("PATCH", "/c/d", json={"fields": {}})


def test_the_address_in_the_token_of_a_firestore_call_counts(project, base):
    email = unused()
    session = project.sign_up(email)
    project.faults(rule(COMMIT, {"error": "UNAVAILABLE"}, email=email))
    assert base.refused(
        "POST", ":commit", 503, token=session["idToken"], json={"writes": []}) == "UNAVAILABLE"


# MARK: Firestore over gRPC


@pytest.mark.parametrize("code", ["UNAVAILABLE", "PERMISSION_DENIED", "ABORTED", "NOT_FOUND",
                                  "RESOURCE_EXHAUSTED", "DEADLINE_EXCEEDED", "UNAUTHENTICATED"])
def test_an_error_over_grpc(project, base, code):
    project.faults(rule(COMMIT, {"error": code}))
    request = base.commit_request(base.set("c/d", {"n": 1}))
    assert base.fails("commit", request) == grpc.StatusCode[code]
    project.no_faults()
    assert base.refused("GET", "/c/d", 404) == "NOT_FOUND"


def test_a_status_over_grpc(project, base):
    project.faults(rule(COMMIT, {"status": 503}))
    request = base.commit_request(base.set("c/d", {"n": 1}))
    assert base.fails("commit", request) == grpc.StatusCode.UNAVAILABLE


def test_latency_over_grpc(project, base):
    base.commit(base.set("c/d", {"n": 0}))
    project.faults(rule(COMMIT, {"latency": "400ms"}))
    assert timed(lambda: base.commit(base.set("c/d", {"n": 1}))) >= 0.4


def test_drops_over_grpc(project, base):
    lost = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED, grpc.StatusCode.UNKNOWN,
            grpc.StatusCode.INTERNAL}
    project.faults(rule(COMMIT, {"drop": "before"}, times=1))
    assert base.fails("commit", base.commit_request(base.set("c/before", {"n": 1}))) in lost
    project.faults(rule(COMMIT, {"drop": "after"}, times=1))
    assert base.fails("commit", base.commit_request(base.set("c/after", {"n": 1}))) in lost
    assert base.refused("GET", "/c/before", 404) == "NOT_FOUND"
    base.rest("GET", "/c/after")


def test_queries_over_grpc(project, base):
    project.faults(rule(DOCUMENTS + "batchGet", {"error": "UNAVAILABLE"}))
    with pytest.raises(grpc.RpcError) as raised:
        base.batch_get("c/d")
    assert raised.value.code() == grpc.StatusCode.UNAVAILABLE


def test_a_refusal_over_grpc_dropped_after_it_was_made(project, base):
    project.faults(rule(DOCUMENTS + "get", {"drop": "after"}))
    assert base.fails("get_document", base.get_request("c/none")) == grpc.StatusCode.UNAVAILABLE


def test_a_list_is_the_same_operation_over_both(project, base):
    """What REST calls list, too."""
    project.faults(rule(DOCUMENTS + "list", {"error": "UNAVAILABLE"}))
    assert base.refused("GET", "/c", 503) == "UNAVAILABLE"
    assert base.fails("list_documents", messages.ListDocumentsRequest(
        parent=base.root, collection_id="c")) == grpc.StatusCode.UNAVAILABLE


def test_a_listener_over_grpc(project, base):
    project.faults(rule(DOCUMENTS + "listen", {"error": "UNAVAILABLE"}))
    listener = Listener(base)
    listener.add(2, "c/d")
    try:
        assert listener.end(3) == grpc.StatusCode.UNAVAILABLE
    finally:
        listener.cancel()


def test_a_write_stream_over_grpc(project, base):
    project.faults(rule(DOCUMENTS + "write", {"error": "UNAVAILABLE"}))
    writer = Writer(base)
    try:
        assert writer.opening is None and writer.call.code() == grpc.StatusCode.UNAVAILABLE
    finally:
        writer.cancel()


class Hung:
    """A stream that is cancelled in the end, as other things are closed."""

    def __init__(self, stream):
        self.stream = stream
        self.close = stream.cancel

    def __getattr__(self, name):
        return getattr(self.stream, name)


@pytest.mark.parametrize("effect, code", [
    ({"error": "RESOURCE_EXHAUSTED"}, "RESOURCE_EXHAUSTED"),
    ({"error": "UNAUTHENTICATED"}, "UNAUTHENTICATED"),
    ({"error": "INTERNAL"}, "INTERNAL"),
    ({"status": 503}, "UNAVAILABLE"),
    ({"drop": "before"}, "UNAVAILABLE"),
])
def test_streams_over_grpc_are_refused(project, base, effect, code):
    project.faults(rule("firestore.*", effect))
    with contextlib.closing(Hung(Listener(base))) as listener:
        listener.add(2, "c/d")
        assert listener.next() is None and listener.call.code() == grpc.StatusCode[code]
    with contextlib.closing(Hung(Writer(base))) as writer:
        assert writer.opening is None and writer.call.code() == grpc.StatusCode[code]


def test_streams_over_grpc_are_slow_to_open(project, base):
    project.faults(rule("firestore.*", {"latency": "400ms"}))
    start = time.monotonic()
    with contextlib.closing(Hung(Listener(base))) as listener:
        listener.add(2, "c/d")
        assert listener.event() == ("ADD", [2])
        assert time.monotonic() - start >= 0.4
        project.no_faults()
        listener.snapshot()
        base.commit(base.set("c/d", {"n": 1}))
        assert ("change", "c/d", {"n": 1}, [2], []) in listener.snapshot()
    project.faults(rule("firestore.*", {"latency": "400ms"}))
    assert timed(lambda: Writer(base).cancel()) >= 0.4


def test_a_listener_is_dropped_behind_its_snapshot(project, base):
    """So that a client has something to resume from."""
    base.commit(base.set("c/d", {"n": 1}))
    project.faults(rule(DOCUMENTS + "listen", {"drop": "after"}, times=1))
    with contextlib.closing(Hung(Listener(base))) as listener:
        listener.add(2, "c/d")
        assert ("change", "c/d", {"n": 1}, [2], []) in listener.snapshot()
        token = listener.resume_token
        assert token and listener.end() == grpc.StatusCode.UNAVAILABLE
    base.commit(base.set("c/d", {"n": 2}))
    with contextlib.closing(Hung(Listener(base))) as listener:
        listener.add(2, "c/d", resume_token=token)
        assert ("change", "c/d", {"n": 2}, [2], []) in listener.snapshot()


def test_a_listener_that_is_refused_is_dropped_too(project, base):
    base.rules(
        "service cloud.firestore { match /databases/{d}/documents { "
        "match /none/{n} { allow read; } } }")
    project.faults(rule(DOCUMENTS + "listen", {"drop": "after"}))
    with contextlib.closing(Hung(Listener(base, None))) as listener:
        listener.add(2, "c/d")
        assert listener.end() == grpc.StatusCode.UNAVAILABLE


def test_a_write_stream_is_dropped_when_it_has_written(project, base):
    project.faults(rule(DOCUMENTS + "write", {"drop": "after"}))
    with contextlib.closing(Hung(Writer(base))) as writer:
        assert writer.opening is not None
        writer.write(base.set("c/d", {"n": 1}))
        assert writer.next() is None and writer.call.code() == grpc.StatusCode.UNAVAILABLE
    assert base.rest("GET", "/c/d")["fields"] == {"n": {"integerValue": "1"}}


def test_a_fault_counts_streams_and_not_their_messages(project, base):
    project.faults(rule(DOCUMENTS + "listen", {"error": "ABORTED"}, times=1))
    with contextlib.closing(Hung(Listener(base))) as listener:
        listener.add(2, "c/d")
        assert listener.end() == grpc.StatusCode.ABORTED
    with contextlib.closing(Hung(Listener(base))) as listener:
        for target in (2, 4, 6):
            listener.add(target, f"c/{target}")
            listener.snapshot()


def test_a_slow_body_is_none_over_grpc(project, base):
    project.faults(rule("firestore.*", {"slowBody": "1B/s"}))
    assert timed(lambda: base.commit(base.set("c/d", {"n": 1}))) < 2
    with contextlib.closing(Hung(Listener(base))) as listener:
        listener.add(2, "c/d")
        assert listener.snapshot()


def test_a_refused_token_is_dropped_over_grpc(project, base):
    project.faults(rule(DOCUMENTS + "get", {"drop": "after"}))
    assert base.fails("get_document", base.get_request("c/d"), "x") == grpc.StatusCode.UNAVAILABLE
    project.faults(rule(DOCUMENTS + "get", {"error": "ABORTED"}))
    assert base.fails("get_document", base.get_request("c/d"), "x") == grpc.StatusCode.ABORTED


def test_pipelines_over_grpc(project, base):
    project.faults(rule(DOCUMENTS + "executePipeline", {"error": "ABORTED"}))
    call = base.rpc.grpc_channel.unary_stream(
        "/google.firestore.v1.Firestore/ExecutePipeline", request_serializer=bytes,
        response_deserializer=bytes)
    database = base.database.encode()
    request = b"\x0a" + bytes([len(database)]) + database
    for code in ("ABORTED", "UNIMPLEMENTED"):
        with pytest.raises(grpc.RpcError) as raised:
            list(call(request, timeout=10))
        assert raised.value.code() == grpc.StatusCode[code]
        project.no_faults()


def test_the_address_in_a_token_counts_over_grpc(project, base):
    mine, theirs = unused(), unused()
    token, other = (project.sign_up(email)["idToken"] for email in (mine, theirs))
    project.faults(rule("firestore.*", {"error": "ABORTED"}, email=mine.upper()))
    request = base.commit_request(base.set("c/d", {"n": 1}))
    assert base.fails("commit", request, token) == grpc.StatusCode.ABORTED
    base.call("commit", request, other)
    base.call("commit", request, None)
    base.call("commit", request)
    for stream in (Listener, Writer):
        with contextlib.closing(Hung(stream(base, token))) as opened:
            if stream is Listener:
                opened.add(2, "c/d")
            assert opened.end() == grpc.StatusCode.ABORTED
    with contextlib.closing(Hung(Writer(base, other))) as writer:
        assert writer.opening is not None


def test_an_address_that_nobody_vouches_for_is_none(project, base):
    """A token of an expired session, and one that was tampered with."""
    email = unused()
    session = project.sign_up(email)
    project.faults(rule("firestore.*", {"error": "ABORTED"}, email=email))
    request = base.commit_request(base.set("c/d", {"n": 1}))
    assert base.fails("commit", request, forged(session["idToken"])) == \
        grpc.StatusCode.UNAUTHENTICATED
    project.advance("PT61M")
    assert base.fails("commit", request, session["idToken"]) == grpc.StatusCode.UNAUTHENTICATED
    assert base.refused(
        "POST", ":commit", 401, token=session["idToken"], json={"writes": []}) == "UNAUTHENTICATED"


def test_grpc_calls_of_other_projects(project, base):
    project.faults(rule("*", {"error": "UNAVAILABLE"}))
    with contextlib.closing(Firestore(project.server)) as other:
        other.commit(other.set("c/d", {"n": 1}))


# MARK: Firestore over WebChannel


@pytest.mark.parametrize("effect, code, status", [
    ({"error": "RESOURCE_EXHAUSTED"}, 429, "RESOURCE_EXHAUSTED"),
    ({"status": 503}, 503, "UNAVAILABLE"),
    ({"drop": "before"}, 503, "UNAVAILABLE"),
])
def test_streams_of_browsers_are_refused(project, base, effect, code, status):
    project.faults(rule("firestore.*", effect))
    for channel in (listening(base, "c/d"), writing(base)):
        error = channel.failure()
        assert (error["code"], error["status"]) == (code, status)
        channel.close()


def test_streams_of_browsers_are_slow_to_open(project, base):
    project.faults(rule(DOCUMENTS + "listen", {"latency": "400ms"}))
    start = time.monotonic()
    with contextlib.closing(listening(base, "c/d")) as channel:
        channel.hear(is_snapshot)
    assert time.monotonic() - start >= 0.4


def test_streams_of_browsers_are_dropped_when_something_has_happened(project, base):
    project.faults(rule("firestore.*", {"drop": "after"}))
    with contextlib.closing(listening(base, "c/d")) as channel:
        heard = channel.hear(lambda message: "error" in message)
        assert any(is_snapshot(message) for message in heard)
        assert heard[-1]["error"]["status"] == "UNAVAILABLE"
    with contextlib.closing(writing(base)) as channel:
        [opened] = channel.hear(lambda message: "streamId" in message)
        channel.send({"streamToken": opened["streamToken"], "writes": commit_body(base, "c/d")["writes"]})
        assert channel.failure()["status"] == "UNAVAILABLE"
    project.no_faults()
    assert base.rest("GET", "/c/d")["fields"] == {"n": {"integerValue": "1"}}


def test_the_address_in_a_browsers_token_counts(project, base):
    mine, theirs = unused(), unused()
    token, other = (project.sign_up(email)["idToken"] for email in (mine, theirs))
    project.faults(rule(DOCUMENTS + "listen", {"error": "ABORTED"}, email=mine))
    with contextlib.closing(listening(base, "c/d", token)) as channel:
        assert channel.failure()["status"] == "ABORTED"
    with contextlib.closing(listening(base, "c/d", other)) as channel:
        channel.hear(is_snapshot)


# MARK: Dialects


@pytest.fixture(scope="module")
def played():
    """A server that plays SwiftlyFeedback's back end."""
    server = Server("--dialect", str(ROOT / "fixtures/dialects/swiftly-feedback.json"))
    yield server
    server.stop()


@pytest.fixture
def dialect(played):
    project = Steered(played, "demo-hearth")
    project.no_faults()
    yield project
    project.no_faults()


def forgot(project, email: str) -> requests.Response:
    return requests.post(
        f"{project.server.auth}/api/v1/auth/forgot-password", json={"email": email}, timeout=30)


@pytest.mark.parametrize("operation", [
    "dialect.swiftly-feedback.requestReset", "dialect.*", "dialect.swiftly-feedback.*", "*"])
def test_requests_of_a_dialect(dialect, operation):
    email = unused()
    dialect.sign_up(email)
    dialect.faults(rule(operation, {"status": 503}))
    assert forgot(dialect, email).status_code == 503
    assert dialect.messages(to=email) == []
    dialect.no_faults()
    assert forgot(dialect, email).status_code == 200
    assert len(dialect.messages(to=email)) == 1


@pytest.mark.parametrize("operation", [
    "dialect.swiftly-feedback.confirmReset", "dialect.other.requestReset", "identitytoolkit.*"])
def test_other_requests_of_a_dialect_go_on(dialect, operation):
    dialect.faults(rule(operation, {"status": 503}))
    assert forgot(dialect, unused()).status_code == 200


def test_a_dialect_drops_latency_address(dialect):
    one, other = unused("one"), unused("other")
    for email in (one, other):
        dialect.sign_up(email)
    asks = "dialect.swiftly-feedback.requestReset"
    dialect.faults(rule(asks, {"drop": "before"}, email=one))
    with dropped():
        forgot(dialect, one.upper())
    assert dialect.messages(to=one) == []
    assert forgot(dialect, other).status_code == 200
    dialect.faults(rule(asks, {"drop": "after"}, email=one))
    with dropped():
        forgot(dialect, one)
    assert len(dialect.messages(to=one)) == 1
    dialect.faults(rule(asks, {"latency": "300ms"}))
    assert timed(lambda: forgot(dialect, one)) >= 0.3
    dialect.faults(rule(asks, {"slowBody": "100B/s"}))
    assert timed(lambda: forgot(dialect, one)) >= 0.4


def test_a_dialect_with_an_error_of_the_table(dialect):
    dialect.faults(rule("dialect.*", {"error": "RESOURCE_EXHAUSTED"}, times=1))
    assert forgot(dialect, unused()).status_code == 429
    assert forgot(dialect, unused()).status_code == 200


# MARK: The command


def command(server: Server, *arguments: str) -> subprocess.CompletedProcess:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("HEARTH_")}
    return subprocess.run(
        [binary(), "fault", *arguments, "--address", server.host], capture_output=True, text=True,
        timeout=30, env=clean)


@pytest.mark.parametrize("arguments, expected, words", [
    ([SIGN_UP, "--latency", "50ms"], rule(SIGN_UP, {"latency": "50ms"}), "50ms late, 0 hits"),
    (["securetoken.*", "--latency", "50ms-2s"],
     rule("securetoken.*", {"latency": {"min": "50ms", "max": "2s"}}), "50ms to 2s late, 0 hits"),
    (["*", "--error", "USER_DISABLED", "--times", "1"],
     rule("*", {"error": "USER_DISABLED"}, times=1), "error USER_DISABLED, 0 hits, 1 left"),
    (["*", "--status", "503", "--share", "0.5", "--seed", "7"],
     rule("*", {"status": 503}, share=0.5, seed=7), "HTTP status 503, 50.0 % of calls, 0 hits"),
    (["*", "--drop", "after", "--email", "a@example.com"],
     rule("*", {"drop": "after"}, email="a@example.com"),
     "the answer is lost, only a@example.com, 0 hits"),
    (["*", "--slow-body", "1KB/s"], rule("*", {"slowBody": "1KB/s"}),
     "the answer comes at 1KB/s, 0 hits"),
])
def test_the_command_adds_lists_and_clears(project, arguments, expected, words):
    def here(*more):
        return command(project.server, *more, "--project", project.id)

    assert here().stdout == ""
    done = here(*arguments)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"Added #1  {arguments[0]}: {words}\n"
    assert project.kept_faults() == [expected]
    assert here("*.signUp", "--status", "500").returncode == 0
    assert here().stdout.splitlines() == [
        f"#1  {arguments[0]}: {words}", "#2  *.signUp: HTTP status 500, 0 hits"]
    shown = [json.loads(line) for line in here("--json").stdout.splitlines()]
    assert [rule["hits"] for rule in shown] == [0, 0]
    assert here("--clear").stdout == "Took 2 faults away.\n"
    assert project.own("GET", "/faults") == {"faults": []}


@pytest.mark.parametrize("arguments, words", [
    (["*.signUp"], "/effect"),
    (["*.signUp", "--status", "200"], "/effect/status"),
    (["*.signUp", "--drop", "never"], "/effect/drop"),
    (["*.signUp", "--status", "503", "--drop", "before"], "/effect"),
    (["*.sginUp", "--status", "503"], "did you mean identitytoolkit.accounts.signUp"),
])
def test_the_command_tells_mistakes(project, arguments, words):
    done = command(project.server, *arguments, "--project", project.id)
    assert done.returncode != 0 and words in done.stderr
    assert "INVALID_ARGUMENT" not in done.stderr
    assert project.own("GET", "/faults") == {"faults": []}


@pytest.mark.parametrize("name", ["a+b", "ü", "a:b"])
def test_a_project_of_any_name(hearth, name):
    done = command(hearth, "*.signUp", "--status", "503", "--project", name)
    assert done.returncode == 0, done.stderr
    assert len(command(hearth, "--project", name).stdout.splitlines()) == 1
    assert command(hearth, "--clear", "--project", name).returncode == 0
