"""Security rules: queries, streams, expressions."""

import datetime

import grpc
import pytest
from google.cloud import firestore
from google.cloud.firestore_v1.types import common
from google.cloud.firestore_v1.types import document as documents
from google.cloud.firestore_v1.types import firestore as rpc
from google.cloud.firestore_v1.types import query as queries
from support.firestore.project import OWNER, Listener, Writer, base, guard  # noqa: F401
from support.firestore.rules import listed, readable, ruled, structured

DENIED, NOT_FOUND = grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.NOT_FOUND


def text(value: str):
    return documents.Value(string_value=value)


# MARK: Queries


@pytest.fixture
def posts(base):
    base.rules(
        ruled("""
      match /posts/{id} {
        allow get: if true;
        allow list: if resource.data.owner == request.auth.uid || resource.data.public == true;
      }
      match /limited/{id} { allow list: if request.query.limit <= 5; }
      match /open/{id} { allow list; }
      match /mine/{uid}/notes/{id} { allow list: if request.auth.uid == uid; }
      match /{path=**}/grouped/{id} { allow list: if resource.data.public == true; }
      match /signed/{id} { allow list: if request.auth != null; }""")
    )
    base.uid, base.token = base.sign_up()
    base.commit(
        base.set("posts/1", {"owner": base.uid, "public": False}),
        base.set("posts/2", {"owner": "else", "public": True}),
        base.set("posts/3", {"owner": "else", "public": False}),
        base.set(f"mine/{base.uid}/notes/1", {}),
        base.set("mine/else/notes/1", {}),
        base.set("x/1/grouped/1", {"public": True}),
        base.set("grouped/2", {"public": False}),
        base.set("open/1", {}),
    )
    return base


YES = documents.Value(boolean_value=True)


def test_query_must_be_provable(posts):
    own = structured("posts", ("owner", "EQUAL", text(posts.uid)))
    assert listed(posts, posts.token, own) == ["posts/1"]
    assert listed(posts, posts.token, structured("posts", ("public", "EQUAL", YES))) == ["posts/2"]
    assert listed(posts, posts.token, structured("posts")) is None
    assert listed(posts, posts.token, structured("posts", ("owner", "EQUAL", text("else")))) is None
    assert listed(posts, None, own) is None
    assert listed(posts, None, structured("posts", ("public", "EQUAL", YES))) == ["posts/2"]


def test_query_that_finds_nothing_forbidden_is_refused_all_the_same(posts):
    base = posts
    base.commit(base.delete("posts/2"), base.delete("posts/3"))
    assert listed(base, base.token, structured("posts")) is None


def test_narrower_query_is_allowed_and_wider_is_not(posts):
    own = ("owner", "EQUAL", text(posts.uid))
    assert listed(posts, posts.token, structured("posts", own, ("public", "EQUAL", YES))) == []
    either = queries.StructuredQuery(
        from_=[{"collection_id": "posts"}],
        where={
            "composite_filter": {
                "op": "OR",
                "filters": [
                    {
                        "field_filter": {
                            "field": {"field_path": "owner"},
                            "op": "EQUAL",
                            "value": text(posts.uid),
                        }
                    },
                    {
                        "field_filter": {
                            "field": {"field_path": "public"},
                            "op": "EQUAL",
                            "value": YES,
                        }
                    },
                ],
            }
        },
    )
    assert listed(posts, posts.token, either) == ["posts/1", "posts/2"]
    wider = queries.StructuredQuery(
        from_=[{"collection_id": "posts"}],
        where={
            "composite_filter": {
                "op": "OR",
                "filters": [
                    {
                        "field_filter": {
                            "field": {"field_path": "owner"},
                            "op": "EQUAL",
                            "value": text(posts.uid),
                        }
                    },
                    {
                        "field_filter": {
                            "field": {"field_path": "owner"},
                            "op": "EQUAL",
                            "value": text("else"),
                        }
                    },
                ],
            }
        },
    )
    assert listed(posts, posts.token, wider) is None


def test_limit_of_a_query(posts):
    assert listed(posts, None, structured("limited", limit=5)) == []
    assert listed(posts, None, structured("limited", limit=6)) is None
    assert listed(posts, None, structured("limited")) is None


def test_query_by_the_place_of_its_collection(posts):
    assert listed(posts, posts.token, structured("notes"), f"mine/{posts.uid}") == [
        f"mine/{posts.uid}/notes/1"
    ]
    assert listed(posts, posts.token, structured("notes"), "mine/else") is None
    assert (
        listed(posts, posts.token, structured("signed")) == []
        and listed(posts, None, structured("signed")) is None
    )


def test_collection_group_needs_a_rule_for_every_place(posts):
    public = ("public", "EQUAL", YES)
    assert listed(posts, None, structured("grouped", public, all_descendants=True)) == [
        "x/1/grouped/1"
    ]
    assert listed(posts, None, structured("grouped", all_descendants=True)) is None
    assert listed(posts, None, structured("open", all_descendants=True)) is None, (
        "the rule covers one place only"
    )


def test_aggregations_and_lists_are_judged_as_queries(posts):
    def count(query):
        return rpc.RunAggregationQueryRequest(
            parent=posts.root,
            structured_aggregation_query=queries.StructuredAggregationQuery(
                structured_query=query, aggregations=[{"alias": "c", "count": {}}]
            ),
        )

    own = structured("posts", ("owner", "EQUAL", text(posts.uid)))
    [answer] = posts.stream("run_aggregation_query", count(own), posts.token)
    assert answer.result.aggregate_fields["c"].integer_value == 1
    assert posts.fails("run_aggregation_query", count(structured("posts")), posts.token) == DENIED
    assert (
        posts.fails(
            "list_documents",
            rpc.ListDocumentsRequest(parent=posts.root, collection_id="posts"),
            posts.token,
        )
        == DENIED
    )
    answer = posts.call(
        "list_documents", rpc.ListDocumentsRequest(parent=posts.root, collection_id="open"), None
    )
    assert len(answer.documents) == 1


def test_query_of_everything_needs_a_rule_for_everything(posts):
    everything = queries.StructuredQuery(from_=[{"all_descendants": True}])
    assert listed(posts, posts.token, everything) is None
    assert len(listed(posts, OWNER, everything)) == 8
    posts.rules(ruled("match /{path=**} { allow list: if request.auth != null; }"))
    assert len(listed(posts, posts.token, everything)) == 8
    assert listed(posts, None, everything) is None


def test_query_by_name_is_judged_by_the_documents(posts):
    """As the official emulator: each named document is read and must pass, `get` is not enough."""

    def named(*paths, field="__name__", op="IN"):
        values = [documents.Value(reference_value=posts.name(path)) for path in paths]
        value = values[0] if op == "EQUAL" else documents.Value(array_value={"values": values})
        return (field, op, value)

    def found(*filters, token=posts.token, **more):
        return listed(posts, token, structured("posts", *filters, **more))

    assert found(named("posts/1")) == ["posts/1"] == found(named("posts/1", op="EQUAL"))
    assert found(named("posts/1", "posts/2")) == ["posts/1", "posts/2"]
    assert (
        found(named("posts/1", "posts/3")) is None and found(named("posts/3", op="EQUAL")) is None
    )
    assert found(named("posts/1"), token=None) is None and found(named("posts/2"), token=None) == [
        "posts/2"
    ]
    # A document that is missing has no data.
    assert found(named("posts/1", "posts/9")) is None
    # What else the query asks for does not make it right to ask for this one.
    assert found(named("posts/3"), ("owner", "EQUAL", text(posts.uid))) is None
    # One of another collection is judged too, and not found.
    assert found(named("x/1/grouped/1"), token=None, all_descendants=True) == []
    assert found(named("grouped/2"), token=None, all_descendants=True) is None
    posts.rules(
        ruled(
            "match /posts/{id} { allow get: if true; allow list: if resource == null || id == '9'; }"
        )
    )
    assert (
        found(named("posts/1")) is None
        and found(named("posts/9")) == []
        and found(named("posts/8")) is None
    )


def test_what_rules_see_of_a_query(posts):
    def sees(condition, query, parent=""):
        posts.rules(ruled(f"match /{{path=**}}/posts/{{id}} {{ allow list: if {condition}; }}"))
        return listed(posts, None, query, parent) is not None

    ordered = structured(
        "posts",
        order_by=[
            {"field": {"field_path": "a.b"}, "direction": "DESCENDING"},
            {"field": {"field_path": "c"}},
        ],
    )
    assert sees("request.query.orderBy == {'a.b': 'DESC', 'c': 'ASC'}", ordered)
    assert sees("request.query.orderBy == {}", structured("posts"))
    # An order that the query has without being asked does not show.
    assert sees(
        "request.query.orderBy == {}",
        structured("posts", ("n", "GREATER_THAN", documents.Value(integer_value=1))),
    )
    assert sees("request.query.limit == null && request.query.offset == 0", structured("posts"))
    assert sees("request.path == /databases/(default)/documents/posts", structured("posts"))
    assert sees(
        "request.path == /databases/$(database)/documents/x/1/posts", structured("posts"), "x/1"
    )
    assert not sees("request.path == request.path", structured("posts", all_descendants=True))


# MARK: Streams


def test_denied_target_is_removed_from_a_healthy_stream(base):
    base.rules(ruled("match /open/{id} { allow read; }"))
    listener = Listener(base, None)
    listener.add(2, "shut/d")
    assert [listener.event(), listener.event()] == [("ADD", [2]), ("REMOVE", [2], 7)]
    listener.add(4, query=structured("shut"))
    assert listener.until(("REMOVE", [4], 7)) in ([("ADD", [4])], [])
    listener.add(6, "open/d")
    assert listener.until(("CURRENT", [6])) == [("ADD", [6]), ("delete", "open/d", [6])]
    base.commit(base.set("open/d", {"n": 1}), base.set("shut/d", {"n": 1}))
    assert list(listener.snapshot()) == [("change", "open/d", {"n": 1}, [6], [])]
    listener.half_close()
    assert listener.end() == grpc.StatusCode.OK


def test_listened_query_is_judged_as_one_that_runs(posts):
    listener = Listener(posts, posts.token)
    listener.add(2, query=structured("posts"))
    assert listener.until(("REMOVE", [2], 7)) in ([("ADD", [2])], [])
    listener.add(2, query=structured("posts", ("owner", "EQUAL", text(posts.uid))))
    assert any(event[1] == "posts/1" for event in listener.snapshot())
    posts.commit(
        posts.set("posts/3", {"owner": "else"}), posts.set("posts/4", {"owner": posts.uid})
    )
    assert [event[1] for event in listener.snapshot()] == ["posts/4"]
    listener.cancel()


def test_denied_write_ends_the_write_stream(base):
    base.rules(ruled("match /open/{id} { allow write; }"))
    writer = Writer(base, None)
    writer.write(base.set("open/d", {"n": 1}))
    assert writer.result().write_results
    writer.write(base.set("open/d", {"n": 2}), base.set("shut/d", {"n": 2}))
    assert writer.end() == DENIED
    assert base.client.document("open/d").get().to_dict() == {"n": 1}


def test_transaction_of_a_client_is_judged(base):
    base.rules(
        ruled(
            "match /c/{id} { allow read; allow update: if request.resource.data.n == resource.data.n + 1; }"
        )
    )
    base.commit(base.set("c/d", {"n": 1}))
    answers = base.batch_get(
        "c/d", token=None, new_transaction=common.TransactionOptions(read_write={})
    )
    request = base.commit_request(base.set("c/d", {"n": 5}), transaction=answers[0].transaction)
    assert base.fails("commit", request, token=None) == DENIED
    answers = base.batch_get(
        "c/d", token=None, new_transaction=common.TransactionOptions(read_write={})
    )
    base.commit(base.set("c/d", {"n": 2}), token=None, transaction=answers[0].transaction)


def test_rest_is_judged_as_grpc(base):
    base.rules(ruled("match /c/{id} { allow get, create: if id == 'a'; allow list: if false; }"))
    assert base.rest("POST", "/c?documentId=a", token=None, json={"fields": {}})
    assert base.rest("GET", "/c/a", token=None)
    for method, path, body in [
        ("GET", "/c/b", None),
        ("POST", "/c?documentId=b", {}),
        ("PATCH", "/c/a", {}),
        ("DELETE", "/c/a", None),
        ("GET", "/c", None),
        ("POST", ":runQuery", {"structuredQuery": {"from": [{"collectionId": "c"}]}}),
        ("POST", ":batchGet", {"documents": [base.name("c/b")]}),
        ("POST", ":commit", {"writes": [{"delete": base.name("c/a")}]}),
    ]:
        assert base.refused(method, path, 403, token=None, json=body) == "PERMISSION_DENIED", (
            method,
            path,
        )


# MARK: Expressions

EXPRESSIONS = [
    ("true", True),
    ("false", False),
    ("!false", True),
    ("1 + 2 * 3 == 7", True),
    ("7 / 2 == 3", True),
    ("7 % 4 == 3", True),
    ("7.0 / 2 == 3.5", True),
    ("-3 < -2", True),
    ("1 == 1.0", True),
    ("'a' + 'b' == \"ab\"", True),
    ("'abc'[1] == 'b'", True),
    ("'abc'[0:2] == 'ab'", True),
    ("1 == 1 ? true : false", True),
    ("true || 1 / 0 == 1", True),
    ("1 / 0 == 1 || true", True),
    ("false && 1 / 0 == 1", False),
    ("!(1 / 0 == 1)", False),
    ("'a' in ['a', 'b']", True),
    ("'c' in ['a']", False),
    ("'k' in {'k': 1}", True),
    ("!('x' in {'k': 1})", True),
    ("1 is int && 1 is number && !(1 is float)", True),
    ("1.5 is float", True),
    ("'x' is string", True),
    ("[1] is list", True),
    ("{'a': 1} is map", True),
    ("true is bool", True),
    ("null == null", True),
    ("request.time is timestamp", True),
    ("duration.value(1, 'h') is duration", True),
    ("/a/b is path", True),
    ("latlng.value(1, 2) is latlng", True),
    ("'ab'.toUtf8() is bytes", True),
    ("'Ab'.lower() == 'ab' && 'Ab'.upper() == 'AB'", True),
    ("' a '.trim() == 'a'", True),
    ("'abc'.size() == 3", True),
    ("'abc'.matches('a.c')", True),
    ("'abcd'.matches('a.c')", False),
    ("'a-b'.split('-') == ['a', 'b']", True),
    ("'aXbX'.replace('X', 'y') == 'ayby'", True),
    ("string(5) == '5' && int('5') == 5 && float('1.5') == 1.5", True),
    (
        "math.abs(-2) == 2 && math.ceil(1.2) == 2 && math.floor(1.8) == 1 && math.round(1.5) == 2",
        True,
    ),
    ("math.pow(2, 3) == 8 && math.sqrt(9) == 3", True),
    ("[1, 2, 3].hasAll([1, 2]) && [1, 2].hasAny([2, 5]) && [1].hasOnly([1, 2])", True),
    ("[1, 2].hasOnly([1])", False),
    ("[1, 2].size() == 2 && [1].concat([2]) == [1, 2] && ['a', 'b'].join('-') == 'a-b'", True),
    ("[1, 2, 2].removeAll([2]) == [1]", True),
    ("[1, 1, 2].toSet().size() == 2", True),
    ("['a'].toSet() == ['a', 'a'].toSet()", True),
    ("[1, 2].toSet().difference([2].toSet()) == [1].toSet()", True),
    (
        "{'a': 1, 'b': 2}.keys().hasAll(['a', 'b']) && {'a': 1}.values() == [1] && {'a': 1}.size() == 1",
        True,
    ),
    (
        "{'a': 1}.get('a', 0) == 1 && {'a': 1}.get('x', 5) == 5 && {'a': {'b': 2}}.get(['a', 'b'], 0) == 2",
        True,
    ),
    ("{'a': 1, 'b': 2}.diff({'b': 3, 'c': 4}).affectedKeys() == ['a', 'b', 'c'].toSet()", True),
    (
        "{'a': 1}.diff({'c': 4}).addedKeys() == ['a'].toSet() && {'a': 1}.diff({'c': 4}).removedKeys() == ['c'].toSet()",
        True,
    ),
    (
        "{'a': 1}.diff({'a': 1}).unchangedKeys().hasOnly(['a']) && {'a': 1}.diff({'a': 2}).changedKeys().size() == 1",
        True,
    ),
    (
        "timestamp.date(2024, 2, 29).month() == 2 && timestamp.date(2024, 2, 29).dayOfYear() == 60",
        True,
    ),
    ("timestamp.value(1000).toMillis() == 1000", True),
    ("timestamp.date(2024, 1, 1) + duration.value(1, 'd') == timestamp.date(2024, 1, 2)", True),
    ("request.time > timestamp.date(2020, 1, 1)", True),
    ("duration.time(1, 1, 1, 0).seconds() == 3661", True),
    ("latlng.value(0, 0).distance(latlng.value(0, 1)) > 110000", True),
    ("hashing.md5('a').toHexString().lower() == '0cc175b9c0f1b6a831c399e269772661'", True),
    ("hashing.sha256('a').size() == 32", True),
    ("'a'.toUtf8().toBase64() == 'YQ=='", True),
    ("request.method == 'get'", True),
    ("request.auth == null", True),
    ("request.auth.uid == 'x'", False),
    ("request.path == /databases/$(database)/documents/expr/$(id)", True),
    ("resource.data.text == 'x'", True),
    (
        "resource.data.n == 5 && resource.data.list[1] == 2 && resource.data.map.k == 'v' && resource.data['n'] == 5",
        True,
    ),
    ("resource.data.when < request.time && resource.data.at.latitude() == 1.0", True),
    ("resource.id == id", True),
    ("resource.data.nothing == null", True),
    ("resource.data.missing == null", False),
    ("resource.data.get('missing', 1) == 1", True),
    ("resource.data.ref == /databases/$(database)/documents/a/b", True),
    ("'text' in resource.data", True),
    ("debug(true)", True),
]


@pytest.mark.parametrize("text, expected", EXPRESSIONS, ids=[text for text, _ in EXPRESSIONS])
def test_expression(base, text, expected):
    base.rules(ruled(f"match /expr/{{id}} {{ allow get: if {text}; }}"))
    base.commit(
        base.set(
            "expr/e",
            {
                "text": "x",
                "n": 5,
                "list": [1, 2],
                "map": {"k": "v"},
                "nothing": None,
                "at": firestore.GeoPoint(1, 2),
                "when": datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC),
                "ref": base.client.document("a/b"),
            },
        )
    )
    assert readable(base, None, "expr/e") == expected


@pytest.mark.parametrize(
    "text",
    ["'text'", "5", "null", "1 + true", "'a' - 'b'", "[1].nothing()", "nobody", "1 &&", "(1"],
)
def test_expression_without_a_truth_value_never_allows(base, text):
    reply = base.control(
        "PUT",
        ":securityRules",
        json={
            "rules": {
                "files": [
                    {
                        "name": "f",
                        "content": ruled(f"match /expr/{{id}} {{ allow get: if {text}; }}"),
                    }
                ]
            }
        },
    )
    # Refused when it is loaded, or denied when it runs.
    assert reply.status_code == 400 and reply.json()["error"] or not readable(base, None, "expr/e")
