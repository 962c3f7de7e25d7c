"""Faults in Firestore over REST, gRPC and WebChannel."""

import contextlib
import time

import grpc
import pytest
import requests
from google.cloud.firestore_v1.types import firestore as messages
from support.faults import dropped, rule, timed
from support.firestore.channel import is_snapshot, listening, writing
from support.firestore.project import Firestore, Listener, Writer, forged
from support.steering import COMMIT, guard, project, unused  # noqa: F401

DOCUMENTS = "firestore.projects.databases.documents."


# MARK: Firestore over REST


@pytest.fixture
def base(project):
    base = Firestore(project.server, project.id)
    yield base
    base.close()


def commit_body(base: Firestore, path: str) -> dict:
    return {
        "writes": [{"update": {"name": base.name(path), "fields": {"n": {"integerValue": "1"}}}}]
    }


@pytest.mark.parametrize(
    "verb, method, path, body",
    [
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
    ],
)
def test_firestore_operations_by_their_ids(project, base, verb, method, path, body):
    project.faults(rule(DOCUMENTS + verb, {"error": "UNAVAILABLE"}))
    assert base.refused(method, path, 503, json=body) == "UNAVAILABLE"
    other = "commit" if verb != "commit" else "rollback"
    project.faults(rule(DOCUMENTS + other, {"error": "UNAVAILABLE"}))
    reply = requests.request(
        method,
        f"{project.server.addresses['firestore']}/v1/{base.root}{path}",
        json=body,
        headers={"Authorization": "Bearer owner"},
        timeout=30,
    )
    assert reply.status_code != 503


@pytest.mark.parametrize(
    "code, status",
    [
        ("UNAVAILABLE", 503),
        ("INTERNAL", 500),
        ("NOT_FOUND", 404),
        ("PERMISSION_DENIED", 403),
        ("UNAUTHENTICATED", 401),
        ("ABORTED", 409),
        ("RESOURCE_EXHAUSTED", 429),
        ("DEADLINE_EXCEEDED", 504),
        ("INVALID_ARGUMENT", 400),
        ("FAILED_PRECONDITION", 400),
        ("OUT_OF_RANGE", 400),
        ("ALREADY_EXISTS", 409),
        ("CANCELLED", 499),
        ("DATA_LOSS", 500),
        ("UNKNOWN", 500),
        ("UNIMPLEMENTED", 501),
    ],
)
def test_firestore_codes(project, base, code, status):
    """google.rpc.Code and its HTTP mapping; a client reads `error.status`."""
    project.faults(rule(COMMIT, {"error": code}))
    reply = requests.post(
        f"{project.server.addresses['firestore']}/v1/{base.root}:commit",
        json={"writes": []},
        headers={"Authorization": "Bearer owner"},
        timeout=30,
    )
    error = reply.json()["error"]
    assert (reply.status_code, error["code"], error.get("status")) == (status, status, code)


def test_a_firestore_commit_dropped_before_and_after(project, base):
    url = f"{project.server.addresses['firestore']}/v1/{base.root}:commit"
    owner = {"Authorization": "Bearer owner"}
    project.faults(rule(COMMIT, {"drop": "before"}, times=1))
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
    assert timed(lambda: base.rest("GET", "/c/d")) > 0.5


def test_an_address_in_a_rule_spares_firestore_calls_of_others(project, base):
    project.faults(rule("*", {"status": 503}, email="ana@example.com"))
    base.rest("PATCH", "/c/d", json={"fields": {}})


def test_the_address_in_the_token_of_a_firestore_call_counts(project, base):
    email = unused()
    session = project.sign_up(email)
    project.faults(rule(COMMIT, {"error": "UNAVAILABLE"}, email=email))
    assert (
        base.refused("POST", ":commit", 503, token=session["idToken"], json={"writes": []})
        == "UNAVAILABLE"
    )


# MARK: Firestore over gRPC


@pytest.mark.parametrize(
    "code",
    [
        "UNAVAILABLE",
        "PERMISSION_DENIED",
        "ABORTED",
        "NOT_FOUND",
        "RESOURCE_EXHAUSTED",
        "DEADLINE_EXCEEDED",
        "UNAUTHENTICATED",
    ],
)
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
    lost = {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.INTERNAL,
    }
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
    assert (
        base.fails(
            "list_documents", messages.ListDocumentsRequest(parent=base.root, collection_id="c")
        )
        == grpc.StatusCode.UNAVAILABLE
    )


def test_a_listener_over_grpc(project, base):
    project.faults(rule(DOCUMENTS + "listen", {"error": "UNAVAILABLE"}))
    listener = Listener(base)
    listener.add(2, "c/d")
    try:
        assert listener.end() == grpc.StatusCode.UNAVAILABLE
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


@pytest.mark.parametrize(
    "effect, code",
    [
        ({"error": "RESOURCE_EXHAUSTED"}, "RESOURCE_EXHAUSTED"),
        ({"error": "UNAUTHENTICATED"}, "UNAUTHENTICATED"),
        ({"error": "INTERNAL"}, "INTERNAL"),
        ({"status": 503}, "UNAVAILABLE"),
        ({"drop": "before"}, "UNAVAILABLE"),
    ],
)
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


def test_a_listener_is_dropped_after_its_snapshot(project, base):
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
        "match /none/{n} { allow read; } } }"
    )
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


def test_a_slow_body_has_no_effect_over_grpc(project, base):
    project.faults(rule("firestore.*", {"slowBody": "1B/s"}))
    assert timed(lambda: base.commit(base.set("c/d", {"n": 1}))) < 20
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
        "/google.firestore.v1.Firestore/ExecutePipeline",
        request_serializer=bytes,
        response_deserializer=bytes,
    )
    database = base.database.encode()
    request = b"\x0a" + bytes([len(database)]) + database
    for code in ("ABORTED", "UNIMPLEMENTED"):
        with pytest.raises(grpc.RpcError) as raised:
            list(call(request, timeout=30))
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


def test_an_address_in_an_unverified_token_is_ignored(project, base):
    """A token of an expired session, and one that was tampered with."""
    email = unused()
    session = project.sign_up(email)
    project.faults(rule("firestore.*", {"error": "ABORTED"}, email=email))
    request = base.commit_request(base.set("c/d", {"n": 1}))
    assert (
        base.fails("commit", request, forged(session["idToken"])) == grpc.StatusCode.UNAUTHENTICATED
    )
    project.advance("PT61M")
    assert base.fails("commit", request, session["idToken"]) == grpc.StatusCode.UNAUTHENTICATED
    assert (
        base.refused("POST", ":commit", 401, token=session["idToken"], json={"writes": []})
        == "UNAUTHENTICATED"
    )


def test_grpc_calls_of_other_projects(project, base):
    project.faults(rule("*", {"error": "UNAVAILABLE"}))
    with contextlib.closing(Firestore(project.server)) as other:
        other.commit(other.set("c/d", {"n": 1}))


# MARK: Firestore over WebChannel


@pytest.mark.parametrize(
    "effect, code, status",
    [
        ({"error": "RESOURCE_EXHAUSTED"}, 429, "RESOURCE_EXHAUSTED"),
        ({"status": 503}, 503, "UNAVAILABLE"),
        ({"drop": "before"}, 503, "UNAVAILABLE"),
    ],
)
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
        channel.send(
            {"streamToken": opened["streamToken"], "writes": commit_body(base, "c/d")["writes"]}
        )
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
