"""Faults: their rules, their effects, and the command."""

import concurrent.futures
import contextlib
import http.client
import json
import os
import select
import socket
import subprocess
import time

import pytest
import requests
from google.cloud.firestore_v1.types import firestore as messages
from support.auth.project import IT
from support.faults import dropped, rule, timed, user  # noqa: F401
from support.firestore.project import Firestore
from support.server import Server, binary
from support.steering import SIGN_IN, SIGN_UP, Steered, another, guard, project, unused  # noqa: F401
from support.waiting import until

DOCUMENTS = "firestore.projects.databases.documents."


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


@pytest.mark.parametrize(
    "effect, is_end",
    [
        ({"status": 503}, True),
        ({"error": "TOO_MANY_ATTEMPTS_TRY_LATER"}, True),
        ({"drop": "before"}, True),
        ({"latency": "1ms"}, False),
        ({"drop": "after"}, False),
    ],
)
def test_a_rule_after_one_that_ends_the_request_is_not_used_up(project, user, effect, is_end):
    project.faults(rule(SIGN_IN, effect, times=1), rule(SIGN_IN, {"status": 502}, times=1))
    with contextlib.suppress(requests.ConnectionError):
        project.raw("signInWithPassword", {})
    first, second = project.own("GET", "/faults")["faults"]
    assert (first["hits"], second["hits"]) == (1, 0 if is_end else 1)
    if is_end:
        assert project.raw("signInWithPassword", {}).status_code == 502
    project.sign_in(user)


@pytest.mark.parametrize(
    "given, pointer",
    [
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
        (
            {"faults": [rule("*", {"latency": {"min": "2s", "max": "1s"}})]},
            "/faults/0/effect/latency",
        ),
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
        (
            {"faults": [rule("*", {"status": 503}), rule("*", {"status": 5})]},
            "/faults/1/effect/status",
        ),
    ],
)
def test_a_mistake_is_refused_with_its_place_and_changes_nothing(project, given, pointer):
    kept = project.faults(rule(SIGN_IN, {"status": 503}, times=3))
    message = project.complaint("PUT", "/faults", given)
    assert message.startswith(f"INVALID_ARGUMENT : {pointer} "), message
    assert project.kept_faults() == kept


@pytest.mark.parametrize(
    "operation, near",
    [
        ("identitytoolkit.acounts.signUp", "identitytoolkit.accounts.signUp"),
        ("identitytoolkit.accounts.signup", "identitytoolkit.accounts.signUp"),
        ("signUp", "identitytoolkit.accounts.signUp"),
        ("*.sginInWithPassword", "identitytoolkit.accounts.signInWithPassword"),
        ("firestore.projects.databases.documents.lst", DOCUMENTS + "list"),
        ("quite.something.else", None),
        ("hearth.clock.xyzzy", None),
    ],
)
def test_an_unknown_operation_is_refused_with_similar_names(project, operation, near):
    for method, body in (
        ("PUT", {"faults": [rule(operation, {"status": 503})]}),
        ("POST", rule(operation, {"status": 503})),
    ):
        message = project.complaint(method, "/faults", body)
        assert "/operation matches no operation; " in message
        assert (f"did you mean {near}" if near else "see `hearth routes`") in message
    assert project.kept_faults() == []


def test_hits_are_counted_and_one_is_added_to_others(project, user):
    project.faults(
        rule(SIGN_IN, {"status": 503}, times=2), rule(SIGN_IN, {"error": "USER_DISABLED"}, times=1)
    )
    for status in (503, 503, 400):
        reply = project.raw("signInWithPassword", {"email": user, "password": "secret1"})
        assert reply.status_code == status
    first, second = project.own("GET", "/faults")["faults"]
    assert (first["hits"], first["remaining"]) == (2, 0)
    assert (second["hits"], second["remaining"]) == (1, 0)
    # Those that are spent make room; the others go on.
    project.own("POST", "/faults", json=rule("firestore.*", {"status": 500}, times=3))
    added = project.own("POST", "/faults", json=rule(SIGN_IN, {"status": 504}))
    assert [(kept["operation"], kept["hits"]) for kept in added["faults"]] == [
        ("firestore.*", 0),
        (SIGN_IN, 0),
    ]
    assert project.raw("signInWithPassword", {}).status_code == 504
    assert project.calls()[-1]["fault"] == f'#2 {SIGN_IN} {{"status":504}}'


def test_faults_are_put_back_with_their_hits(project, user):
    project.faults(rule(SIGN_IN, {"status": 503}, times=2))
    assert project.raw("signInWithPassword", {}).status_code == 503
    kept = project.own("GET", "/faults")
    for body, remaining in [(kept | {"keepHits": True}, 1), (kept, 2)]:
        project.own("DELETE", "/faults")
        [put] = project.own("PUT", "/faults", json=body)["faults"]
        assert (put["hits"], put["remaining"]) == (2 - remaining, remaining)
    kept["faults"][0]["hits"] = 9
    [put] = project.own("PUT", "/faults", json=kept | {"keepHits": True})["faults"]
    assert (put["hits"], put["remaining"]) == (9, 0)
    assert project.raw("signInWithPassword", {}).status_code != 503


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"keepHits": 1}, "/keepHits must be true or false"),
        ({"keepHits": True, "faults": [rule(SIGN_IN, {"status": 503}) | {"hits": -1}]}, "/hits"),
    ],
)
def test_hits_that_cannot_be_kept(project, more, words):
    assert words in project.complaint("PUT", "/faults", {"faults": []} | more)


def test_a_list_and_a_get_are_different_operations(project):
    with contextlib.closing(Firestore(project.server, project.id)) as base:
        project.faults(rule(DOCUMENTS + "list", {"status": 503}))
        base.rest("GET", "/c/d", 404)
        base.rest("GET", "/c", 503)
        base.fails(
            "list_documents", messages.ListDocumentsRequest(parent=base.root, collection_id="c")
        )
    assert [call["operation"] for call in project.calls()] == [
        DOCUMENTS + "get",
        DOCUMENTS + "list",
        DOCUMENTS + "list",
    ]


@pytest.mark.parametrize("body", ["", "{", "[]", "5", "null"])
def test_a_body_that_is_not_an_object_is_refused(project, body):
    kept = project.faults(rule(SIGN_IN, {"status": 503}))
    reply = requests.put(
        f"{project.server.auth}{project.control}/faults",
        data=body,
        timeout=30,
        headers={"Content-Type": "application/json"},
    )
    assert reply.status_code == 400 and reply.json()["error"]["message"]
    assert project.kept_faults() == kept


def test_a_member_beside_faults_is_refused(project):
    message = project.complaint("PUT", "/faults", {"faults": [], "fautls": []})
    assert message.startswith("INVALID_ARGUMENT : unknown member 'fautls'")


# MARK: Effects


def test_latency(project, user):
    plain = timed(lambda: project.sign_in(user))
    project.faults(rule(SIGN_IN, {"latency": "400ms"}))
    late = [timed(lambda: project.sign_in(user)) for _ in range(3)]
    # What a busy machine adds differs each time.
    assert 0.4 <= min(late) < 0.4 + plain + 1


def test_latency_delays_no_other_request():
    """Neither those that are late, too, nor the others."""
    server = Server()
    late = Steered(server)
    email = unused()
    late.sign_up(email)
    late.faults(rule(SIGN_IN, {"latency": "2m"}))
    waiting = [http.client.HTTPConnection(server.host) for _ in range(8)]
    try:
        for one in waiting:
            one.request(
                "POST",
                f"{IT}/v1/accounts:signInWithPassword?key={late.id}",
                json.dumps({"email": email, "password": "secret1"}),
                {"Content-Type": "application/json"},
            )
        until(lambda: late.own("GET", "/faults")["faults"][0]["hits"] == 8)
        late.call("createAuthUri", {"identifier": email, "continueUri": "http://localhost"})
        assert not select.select([one.sock for one in waiting], [], [], 0)[0]
    finally:
        server.kill()
        for one in waiting:
            one.close()


def test_latency_is_real_time_even_with_a_frozen_clock(project, user):
    project.clock(frozen=True)
    project.faults(rule(SIGN_IN, {"latency": "300ms"}))
    assert timed(lambda: project.sign_in(user)) >= 0.3
    project.faults(rule(SIGN_IN, {"latency": "300ms"}))
    project.advance("P1D")
    assert timed(lambda: project.sign_in(user)) >= 0.3


def test_a_range_of_latency_keeps_to_it_and_to_its_seed(project):
    def measure(seed: int) -> list[float]:
        one = another(project.server)
        one.faults(rule(SIGN_IN, {"latency": {"min": "50ms", "max": "450ms"}}, seed=seed))
        return [timed(lambda: one.raw("signInWithPassword", {})) for _ in range(6)]

    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        rounds = [list(pool.map(measure, [7, 7, 8])) for _ in range(3)]
    # What a busy machine adds differs each time.
    one, again, other = ([min(times) for times in zip(*same)] for same in zip(*rounds))
    for times in (one, again, other):
        assert all(seconds >= 0.05 for seconds in times), times
    assert max(one) - min(one) > 0.05, one
    assert all(abs(a - b) < 0.12 for a, b in zip(one, again)), (one, again)
    assert any(abs(a - b) > 0.05 for a, b in zip(one, other)), (one, other)


@pytest.mark.parametrize(
    "code, status, text",
    [
        ("EMAIL_NOT_FOUND", 400, None),
        ("INVALID_PASSWORD", 400, None),
        ("USER_DISABLED", 400, None),
        ("TOO_MANY_ATTEMPTS_TRY_LATER", 400, None),
        ("INVALID_LOGIN_CREDENTIALS", 400, None),
        ("UNAVAILABLE", 503, "UNAVAILABLE"),
        ("INTERNAL", 500, "INTERNAL"),
        ("PERMISSION_DENIED", 403, "PERMISSION_DENIED"),
        ("NOT_FOUND", 404, "NOT_FOUND"),
        ("QUOTA_EXCEEDED", 429, "RESOURCE_EXHAUSTED"),
        ("RESOURCE_EXHAUSTED", 429, "RESOURCE_EXHAUSTED"),
        ("ABORTED", 409, "ABORTED"),
        ("DEADLINE_EXCEEDED", 504, "DEADLINE_EXCEEDED"),
    ],
)
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
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall(
            (
                f"POST {IT}/v1/accounts:signUp?key={project.id} HTTP/1.1\r\nHost: {project.server.host}"
                f"\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
            ).encode()
        )
        with contextlib.suppress(ConnectionResetError):
            assert connection.recv(1000) == b""


def test_a_session_continues_after_a_drop(project, user):
    with requests.Session() as session:

        def sign_in():
            return session.post(
                f"{project.server.auth}{IT}/v1/accounts:signInWithPassword?key={project.id}",
                json={"email": user, "password": "secret1"},
                timeout=30,
            )

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
    project.admin(
        "/accounts:batchCreate",
        {"users": [{"localId": f"user-{n}", "email": unused()} for n in range(40)]},
    )
    path = f"{project.server.auth}{project.v1}/accounts:query"
    owner = {"Authorization": "Bearer owner"}
    plain = requests.post(path, json={}, headers=owner, timeout=30)
    project.faults(rule("identitytoolkit.projects.accounts.query", {"slowBody": "4KB/s"}))
    expected = len(plain.content) / 4096
    assert expected > 0.8, "the body is too short for this test"

    def crawled() -> list[float]:
        start = time.monotonic()
        reply = requests.post(path, json={}, headers=owner, timeout=30, stream=True)
        arrivals, body = [], b""
        for chunk in reply.iter_content(None):
            arrivals.append(time.monotonic() - start)
            body += chunk
        assert body == plain.content and reply.status_code == 200
        assert reply.headers["Content-Type"] == plain.headers["Content-Type"]
        assert 0.6 * expected < arrivals[-1]
        return arrivals

    def is_even(arrivals: list[float]) -> bool:
        return (
            arrivals[-1] < 2 * expected + 1
            and arrivals[0] < 0.5
            and len(arrivals) >= 5
            and max(b - a for a, b in zip(arrivals, arrivals[1:])) < 0.5
        )

    # A busy machine makes pauses of its own now and then.
    assert any(is_even(crawled()) for _ in range(3))


def test_a_slow_body_in_bytes(project, user):
    session = project.sign_in(user)
    project.faults(rule("identitytoolkit.accounts.lookup", {"slowBody": "512B/s"}))
    seconds = timed(lambda: project.call("lookup", {"idToken": session["idToken"]}))
    assert seconds > 0.3


def test_a_slow_refusal(project):
    project.faults(rule(SIGN_IN, {"slowBody": "200B/s"}))
    assert (
        timed(
            lambda: project.error("signInWithPassword", {"email": unused(), "password": "secret1"})
        )
        > 0.5
    )


def test_leaving_a_slow_body_early_does_no_harm(project, user):
    project.faults(rule(SIGN_IN, {"slowBody": "10B/s"}))
    with requests.post(
        f"{project.server.auth}{IT}/v1/accounts:signInWithPassword?key={project.id}",
        json={"email": user, "password": "secret1"},
        stream=True,
        timeout=30,
    ) as reply:
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
        json={"email": email, "password": "secret1"},
        stream=True,
        timeout=30,
    )
    # The answer would take many minutes.
    server.stop()
    reply.close()


# MARK: The command


def command(server: Server, *arguments: str) -> subprocess.CompletedProcess:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("HEARTH_")}
    return subprocess.run(
        [binary(), "fault", *arguments, "--address", server.host],
        capture_output=True,
        text=True,
        timeout=30,
        env=clean,
    )


@pytest.mark.parametrize(
    "arguments, expected, words",
    [
        ([SIGN_UP, "--latency", "50ms"], rule(SIGN_UP, {"latency": "50ms"}), "50ms late, 0 hits"),
        (
            ["securetoken.*", "--latency", "50ms-2s"],
            rule("securetoken.*", {"latency": {"min": "50ms", "max": "2s"}}),
            "50ms to 2s late, 0 hits",
        ),
        (
            ["*", "--error", "USER_DISABLED", "--times", "1"],
            rule("*", {"error": "USER_DISABLED"}, times=1),
            "error USER_DISABLED, 0 hits, 1 left",
        ),
        (
            ["*", "--status", "503", "--share", "0.5", "--seed", "7"],
            rule("*", {"status": 503}, share=0.5, seed=7),
            "HTTP status 503, 50.0 % of calls, 0 hits",
        ),
        (
            ["*", "--drop", "after", "--email", "a@example.com"],
            rule("*", {"drop": "after"}, email="a@example.com"),
            "the answer is lost, only a@example.com, 0 hits",
        ),
        (
            ["*", "--slow-body", "1KB/s"],
            rule("*", {"slowBody": "1KB/s"}),
            "the answer comes at 1KB/s, 0 hits",
        ),
    ],
)
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
        f"#1  {arguments[0]}: {words}",
        "#2  *.signUp: HTTP status 500, 0 hits",
    ]
    shown = [json.loads(line) for line in here("--json").stdout.splitlines()]
    assert [rule["hits"] for rule in shown] == [0, 0]
    assert here("--clear").stdout == "Removed 2 faults.\n"
    assert project.own("GET", "/faults") == {"faults": []}


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["*.signUp"], "Error: the effect is missing: one of --latency, --error"),
        (["*.signUp", "--status", "200"], "Error: --status: 200 is not a status from 400 to 599"),
        (["*.signUp", "--error", "X"], "Error: --error has the unknown error code 'X'"),
        (["*.signUp", "--slow-body", "fast"], "Error: --slow-body must be a rate such as 1KB/s"),
        (
            ["*.signUp", "--status", "503", "--share", "2"],
            "Error: --share: 2.0 is not a number from 0 to 1",
        ),
        (
            ["--contention", "0.5", "--share", "0.5"],
            "Error: --share and --contention cannot be combined",
        ),
        (["--contention", "2"], "Error: --contention: 2.0 is not a number from 0 to 1"),
        (["*.signUp", "--drop", "never"], "Error: --drop: 'never' is not one of before and after"),
        (
            ["*.signUp", "--status", "503", "--drop", "before"],
            "Error: --status and --drop: a fault has exactly one of",
        ),
        (
            ["*.sginUp", "--status", "503"],
            "Error: '*.sginUp' matches no operation; did you mean identitytoolkit.accounts.signUp",
        ),
    ],
)
def test_the_command_reports_mistakes(project, arguments, words):
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
