"""gRPC metadata, deadlines, cancelled calls, resource names."""

import threading

import grpc
import pytest
from google.cloud.firestore_v1.types import common
from google.cloud.firestore_v1.types import firestore as rpc
from support.firestore.project import (  # noqa: F401
    OWNER,
    STORY_RULES,
    Listener,
    Writer,
    address,
    base,
    guard,
    metadata,
)

SERVICE = "/google.firestore.v1.Firestore/"
INVALID = grpc.StatusCode.INVALID_ARGUMENT


# MARK: Metadata

SENT = {
    "all of an SDK": [
        ("google-cloud-resource-prefix", "DATABASE"),
        ("x-goog-request-params", "DATABASE"),
        ("x-goog-api-client", "gl-objc/ fire/12.19.0 grpc/"),
        ("x-firebase-gmpid", "1:1:ios:abc"),
        ("x-firebase-client", "eyJ2ZXJzaW9uIjoyfQ"),
        ("x-firebase-client-log-type", "3"),
        ("x-firebase-appcheck", "eyJlcnJvciI6IlVOS05PV05fRVJST1IifQ=="),
        ("x-goog-api-key", "any"),
    ],
    "encoded parent": [
        ("x-goog-request-params", "parent=projects%2Fp%2Fdatabases%2F%28default%29")
    ],
    "encoded database": [("x-goog-request-params", "database=projects%2Fother%2Fdatabases%2Fx")],
    "project": [("x-goog-request-params", "project_id=other")],
    "nonsense": [("x-goog-request-params", "%%%=&&"), ("google-cloud-resource-prefix", "")],
}


@pytest.mark.parametrize("name", SENT)
def test_metadata_that_is_only_a_hint_changes_nothing(base, name):
    base.rules(STORY_RULES)
    uid, token = base.sign_up()
    path = f"users/{uid}"
    base.commit(base.set(path, {"n": 1}))
    more = [(key, base.database if value == "DATABASE" else value) for key, value in SENT[name]]
    document = base.rpc.get_document(
        base.get_request(path), metadata=metadata(token) + more, timeout=30
    )
    assert base.data(document) == {"n": 1}
    listener = Listener(base, token, more)
    listener.add(2, path)
    assert ("change", path, {"n": 1}, [2], []) in listener.snapshot()
    listener.cancel()
    writer = Writer(base, token, more)
    writer.write(base.set(path, {"n": 2}))
    assert writer.end() == grpc.StatusCode.PERMISSION_DENIED


def test_long_claims_fit_into_the_metadata(base):
    base.rules(STORY_RULES)
    path = "users/u"
    base.commit(base.set(path, {"n": 1}))
    token = base.mock_token("u", roles=[f"role-{n:05}" for n in range(400)])
    assert len(token) > 7000
    assert base.call("get_document", base.get_request(path), token)


def test_open_stream_keeps_the_identity_of_its_beginning(base):
    """Another user's stream on the same connection is another user."""
    base.rules(STORY_RULES)
    users = [base.sign_up() for _ in range(2)]
    base.commit(*[base.set(f"users/{uid}", {"uid": uid}) for uid, _ in users])
    listeners = [Listener(base, token) for _, token in users]
    for (uid, _), listener in zip(users, listeners):
        listener.add(2, f"users/{uid}")
        assert ("change", f"users/{uid}", {"uid": uid}, [2], []) in listener.snapshot()
    listeners[0].add(4, f"users/{users[1][0]}")
    assert listeners[0].until(("REMOVE", [4], 7)) == [("ADD", [4])]
    for listener in listeners:
        listener.cancel()


def test_signed_out_stays_denied_and_is_not_unauthenticated(base):
    base.rules(STORY_RULES)
    assert base.fails("get_document", base.get_request("users/a"), None) == (
        grpc.StatusCode.PERMISSION_DENIED
    )


# MARK: Deadlines and cancelled calls


def test_deadline_ends_a_read_that_waits_and_nothing_else(base):
    base.switch(transactions="pessimistic")
    base.commit(base.set("c/d", {"n": 1}))
    holder, waiter = base.begin(read_write={}), base.begin(read_write={})
    base.batch_get("c/d", transaction=holder)
    request = rpc.BatchGetDocumentsRequest(
        database=base.database, documents=[base.name("c/d")], transaction=waiter
    )
    with pytest.raises(grpc.RpcError) as raised:
        base.stream("batch_get_documents", request, timeout=0.3)
    assert raised.value.code() == grpc.StatusCode.DEADLINE_EXCEEDED
    base.call("rollback", rpc.RollbackRequest(database=base.database, transaction=waiter))
    base.commit(base.set("c/d", {"n": 2}), transaction=holder)
    third = base.begin(read_write={})
    [answer] = base.batch_get("c/d", transaction=third)
    assert base.data(answer.found) == {"n": 2}
    base.commit(base.set("c/d", {"n": 3}), transaction=third)


def test_cancelled_listeners_leave_the_server_in_peace(base):
    for _ in range(30):
        listener = Listener(base)
        listener.add(2, "c/d")
        listener.event()
        listener.cancel()
    base.commit(base.set("c/d", {"n": 1}))
    assert base.client.document("c/d").get().to_dict() == {"n": 1}


def test_cancelled_query_stream_of_large_answers(base):
    for n in range(5):
        base.commit(base.set(f"c/{n}", {"text": "x" * 800_000}))
    answers = base.rpc.run_query(
        rpc.RunQueryRequest(parent=base.root, structured_query={"from_": [{"collection_id": "c"}]}),
        metadata=metadata(OWNER),
        timeout=30,
    )
    next(iter(answers))
    answers.cancel()
    assert base.call("get_document", base.get_request("c/0"))


# MARK: Where project and database come from


@pytest.mark.parametrize(
    "method, request_of",
    [
        ("get_document", lambda base: rpc.GetDocumentRequest(name="projects/p/databases/d/c/d")),
        ("get_document", lambda base: rpc.GetDocumentRequest()),
        ("commit", lambda base: rpc.CommitRequest()),
        ("commit", lambda base: rpc.CommitRequest(database=base.root)),
        ("begin_transaction", lambda base: rpc.BeginTransactionRequest(database="projects/p")),
        ("rollback", lambda base: rpc.RollbackRequest(database=base.database)),
        (
            "batch_get_documents",
            lambda base: rpc.BatchGetDocumentsRequest(documents=[base.name("c/d")]),
        ),
        ("list_collection_ids", lambda base: rpc.ListCollectionIdsRequest(parent=base.database)),
        (
            "list_documents",
            lambda base: rpc.ListDocumentsRequest(parent=base.name("c"), collection_id="d"),
        ),
        ("run_query", lambda base: rpc.RunQueryRequest(parent="")),
        ("create_document", lambda base: rpc.CreateDocumentRequest(parent=base.root)),
        ("batch_write", lambda base: rpc.BatchWriteRequest(database="x")),
    ],
    ids=[
        "no documents",
        "no name",
        "no database",
        "database too long",
        "database too short",
        "no transaction",
        "batch without database",
        "parent too short",
        "parent is a collection",
        "no parent",
        "no collection",
        "batch write",
    ],
)
def test_malformed_resource_names_are_invalid(base, method, request_of):
    assert base.fails(method, request_of(base)) == INVALID


def test_batch_get_answers_each_distinct_document_with_a_time(base):
    base.commit(base.set("c/a", {}))
    answers = base.batch_get("c/a", "c/b", "c/a", "c/b", "c/c")
    assert len(answers) == 3 and all(answer.read_time for answer in answers)
    assert len({answer.read_time for answer in answers}) == 1


def test_batch_get_of_nothing_may_begin_a_transaction(base):
    [answer] = base.batch_get(new_transaction=common.TransactionOptions(read_only={}))
    assert answer.transaction and not answer.found.name and not answer.missing


def test_calls_in_parallel_on_one_connection(base):
    failures: list = []

    def work(number):
        try:
            for n in range(20):
                base.call("commit", base.commit_request(base.set(f"c/{number}-{n}", {"n": n})))
                assert base.call("get_document", base.get_request(f"c/{number}-{n}"))
        except Exception as error:
            failures.append(error)

    # Made before the threads, which share it.
    assert base.rpc
    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []


@pytest.mark.parametrize("compression", [grpc.Compression.Gzip, grpc.Compression.Deflate])
def test_messages_may_be_compressed(base, compression):
    """And are sent back uncompressed."""
    transport = grpc.insecure_channel(address(base.server), compression=compression)
    call = transport.unary_unary(
        SERVICE + "Commit",
        request_serializer=rpc.CommitRequest.serialize,
        response_deserializer=rpc.CommitResponse.deserialize,
    )
    text = "long and dull " * 10_000
    call(base.commit_request(base.set("c/d", {"text": text})), metadata=metadata(OWNER), timeout=30)
    transport.close()
    assert base.data(base.call("get_document", base.get_request("c/d")))["text"] == text
