"""Security rules as production decides: without rules, and where it decides otherwise than the emulator."""

import grpc
import pytest
from google.cloud.firestore_v1.types import common, query
from google.cloud.firestore_v1.types import firestore as messages
from support.firestore.end_users import DENIED, call, source
from support.firestore.project import Firestore, Listener
from support.server import Server, TalkingServer

OPEN = "match /{any=**} { allow read, write: if true; }"


@pytest.fixture
def base(hearth):
    base = Firestore(hearth)
    base.rest("PATCH", "/c/d", json={"fields": {"n": {"integerValue": "1"}}})
    yield base
    base.close()


QUERY = {"structuredQuery": {"from": [{"collectionId": "c"}]}}


def listed(base, rules: str, token: str | None = None) -> int:
    base.rules(source(rules))
    return call(base, "POST", ":runQuery", token, QUERY)[0]


# MARK: Without rules


def test_nobody_gets_in_without_rules(base):
    _, mine = base.sign_up()
    for token in (None, mine):
        for path in ("/c/d", "/c/missing"):
            assert call(base, "GET", path, token) == (403, DENIED)
        assert call(base, "PATCH", "/c/new", token, {"fields": {}}) == (403, DENIED)
        assert call(base, "GET", "/c", token) == (403, DENIED)
        assert call(base, "POST", ":runQuery", token, QUERY) == (403, [DENIED])
        with pytest.raises(grpc.RpcError) as refused:
            base.call("get_document", base.get_request("c/d"), token)
        assert refused.value.details() == DENIED["error"]["message"]
        listener = Listener(base, token)
        listener.add(2, "c/d")
        assert listener.event() == ("ADD", [2])
        assert listener.event() == ("REMOVE", [2], 7)
        listener.cancel()
    assert call(base, "GET", "/c/d", "owner")[0] == 200
    base.rules(source(OPEN))
    assert call(base, "GET", "/c/d")[0] == 200


def test_a_named_database_has_rules_of_its_own(base):
    base.rules(source(OPEN))
    assert call(base, "PATCH", "/c/d", "owner", {"fields": {}}, "second")[0] == 200
    assert call(base, "GET", "/c/d", database="second") == (403, DENIED)
    reply = base.control(
        "PUT",
        "/databases/second:securityRules",
        json={"rules": {"files": [{"name": "firestore.rules", "content": source(OPEN)}]}},
    )
    assert reply.status_code == 200, reply.text
    assert call(base, "GET", "/c/d", database="second")[0] == 200


def test_rules_of_firebase_json_are_of_their_database(tmp_path):
    (tmp_path / "firestore.rules").write_text(source(OPEN))
    server = Server("--profile", "production", "--rules", str(tmp_path / "firestore.rules"))
    try:
        base = Firestore(server)
        assert call(base, "GET", "/c/d")[0] == 404
        assert call(base, "GET", "/c/d", database="second") == (403, DENIED)
        base.close()
    finally:
        server.stop()


def test_the_first_refusal_is_in_the_log_with_its_remedy():
    server = TalkingServer("--profile", "production")
    try:
        base = Firestore(server)
        words = f"{base.database} has no security rules"
        for _ in range(3):
            assert call(base, "GET", "/c/d")[0] == 403
        server.wait_for(words)
        [entry] = base.control("GET", "/requests", params={"limit": 1}).json()["requests"]
        details = base.control("GET", f"/requests/{entry['id']}").json()
        assert words in str(details) and "--rules" in str(details), details
        base.close()
    finally:
        server.stop()
    told = [line for line in server.heard if words in line]
    assert len(told) == 1 and "--rules" in told[0], server.heard


# MARK: What end users may do


@pytest.mark.parametrize("options", [{}, {"readWrite": {}}], ids=str)
def test_end_users_lock_nothing(base, options):
    base.rules(source(OPEN))
    _, mine = base.sign_up()
    for token in (None, mine):
        assert call(base, "POST", ":beginTransaction", token, {"options": options}) == (403, DENIED)
        body = {"documents": [base.name("c/d")], "newTransaction": {"readWrite": {}}}
        assert call(base, "POST", ":batchGet", token, body) == (403, [DENIED])
        read_only = {"options": {"readOnly": {}}}
        assert call(base, "POST", ":beginTransaction", token, read_only)[0] == 200
        body["newTransaction"] = {"readOnly": {}}
        status, rows = call(base, "POST", ":batchGet", token, body)
        assert status == 200 and list(rows[0]) == ["transaction"]
    with pytest.raises(grpc.RpcError) as refused:
        base.call(
            "begin_transaction",
            messages.BeginTransactionRequest(
                database=base.database, options=common.TransactionOptions()
            ),
            mine,
        )
    assert refused.value.code() == grpc.StatusCode.PERMISSION_DENIED
    assert call(base, "POST", ":beginTransaction", "owner", {"options": options})[0] == 200


@pytest.mark.parametrize(
    "path, body",
    [
        (":batchWrite", {"writes": [{"update": {"name": "{root}/c/a"}}]}),
        (":listCollectionIds", {}),
        ("/c/d:listCollectionIds", {}),
        (
            ":partitionQuery",
            {
                "partitionCount": 2,
                "structuredQuery": {
                    "from": [{"collectionId": "c", "allDescendants": True}],
                    "orderBy": [{"field": {"fieldPath": "__name__"}, "direction": "ASCENDING"}],
                },
            },
        ),
    ],
    ids=["batchWrite", "listCollectionIds", "below-a-document", "partitionQuery"],
)
def test_calls_of_administrators(base, path, body):
    base.rules(source(OPEN))
    base.switch(indexes="off")
    _, mine = base.sign_up()
    if "writes" in body:
        body = {"writes": [{"update": {"name": base.name("c/a")}}]}
    for token in (None, mine):
        assert call(base, "POST", path, token, body) == (403, DENIED)
    assert call(base, "GET", "/c/a", "owner")[0] == 404


# MARK: Decisions


def exists(count: int) -> str:
    return " && ".join(
        f"!exists(/databases/$(database)/documents/x/u{number})" for number in range(count)
    )


@pytest.mark.parametrize("count, status", [(10, 200), (11, 200), (15, 200), (20, 200), (21, 403)])
def test_a_query_looks_up_twenty_documents(base, count, status):
    assert listed(base, f"match /c/{{d}} {{ allow list: if {exists(count)}; }}") == status


@pytest.mark.parametrize(
    "rules, status",
    [
        ("allow get: if get(/databases/$(database)/documents/x/none) == null;", 200),
        ("allow get: if get(/databases/$(database)/documents/x/none).data == null;", 403),
        (f"allow get: if {exists(11)}; allow get: if true;", 200),
        (f"allow get: if {exists(11)};", 403),
        ("allow get: if math.isInfinite(1.0) == false;", 403),
        ("allow get: if math.isNaN(1.0) == false;", 200),
    ],
    ids=str,
)
def test_decisions_about_a_document(base, rules, status):
    base.rules(source(f"match /c/{{d}} {{ {rules} }}"))
    assert call(base, "GET", "/c/d")[0] == status


@pytest.mark.parametrize("method, status", [("hasAll", 200), ("hasOnly", 403)])
def test_request_query_has_more_than_three_members(base, method, status):
    assert (
        listed(
            base,
            "match /c/{d} { allow list: if request.query.keys()."
            f"{method}(['limit', 'offset', 'orderBy']); }}",
        )
        == status
    )


@pytest.mark.parametrize("count, status", [(19, 200), (20, 400), (21, 400)])
def test_variables_of_a_path(base, count, status):
    path = "".join(f"/{{v{number}}}" for number in range(count))
    reply = base.control(
        "PUT",
        ":securityRules",
        json={
            "rules": {
                "files": [
                    {
                        "name": "firestore.rules",
                        "content": source(f"match {path} {{ allow read; }}"),
                    }
                ]
            }
        },
    )
    assert reply.status_code == status, reply.text


# MARK: Listeners


def test_an_id_that_is_in_use(base):
    listener = Listener(base)
    listener.add(1, "c/d")
    listener.until(("NO_CHANGE", []))
    listener.add(1, "c/e")
    assert listener.event() == ("REMOVE", [1], 6)
    listener.add(3, "c/e")
    assert listener.event() == ("ADD", [3])
    listener.cancel()


def test_an_id_of_its_own_beside_given_ones(base):
    listener = Listener(base)
    listener.add(0, "c/d")
    assert listener.event() == ("ADD", [1])
    listener.add(5, "c/e")
    assert listener.end() == grpc.StatusCode.INVALID_ARGUMENT


def test_a_resumed_query_ends_with_a_filter(base):
    target = query.StructuredQuery(
        from_=[query.StructuredQuery.CollectionSelector(collection_id="c")]
    )
    first = Listener(base)
    first.add(2, query=target)
    first.snapshot()
    token = first.resume_token
    first.cancel()
    base.commit(base.set("c/e", {"n": 2}))
    again = Listener(base)
    again.add(2, query=target, resume_token=token)
    assert again.until(("CURRENT", [2])) == [
        ("ADD", [2]),
        ("NO_CHANGE", []),
        ("change", "c/e", {"n": 2}, [2], []),
        ("filter", 2, 2),
    ]
    again.cancel()
