"""Targets of Listen: numbers, contents, sources of changes, refusals."""

import grpc
import pytest
from google.cloud.firestore_v1.types import firestore as rpc
from support.firestore.project import STORY_RULES, Listener, base, guard, listener  # noqa: F401
from support.firestore.targets import comparison, query

INVALID = grpc.StatusCode.INVALID_ARGUMENT


# MARK: The numbers of targets


@pytest.mark.parametrize("target", [1, 2, 3, 0x5079, 2**31 - 1])
def test_any_positive_number_is_a_target(base, listener, target):
    listener.add(target, "c/d")
    assert listener.snapshot() == [
        ("ADD", [target]),
        ("delete", "c/d", [target]),
        ("CURRENT", [target]),
    ]
    listener.remove(target)
    assert listener.event() == ("REMOVE", [target])


def test_targets_without_a_number_get_one_each(base, listener):
    seen = set()
    for _ in range(3):
        listener.add(0, "c/d")
        kind, [target] = listener.event()
        assert kind == "ADD" and target > 0
        seen.add(target)
        listener.snapshot()
    assert len(seen) == 3
    base.commit(base.set("c/d", {"n": 1}))
    [change] = listener.snapshot()
    assert sorted(change[3]) == sorted(seen)


def test_each_request_is_acknowledged_once_and_in_order(base, listener):
    for _ in range(5):
        listener.add(2, "c/a")
        listener.add(4, "c/b")
        listener.remove(2)
        listener.remove(4)
    seen = []
    while len(seen) < 20:
        event = listener.event()
        if event[0] in ("ADD", "REMOVE"):
            seen.append((event[0], event[1][0]))
    assert seen == [("ADD", 2), ("ADD", 4), ("REMOVE", 2), ("REMOVE", 4)] * 5


def test_removal_has_no_cause(base, listener):
    listener.add(2, "c/d")
    listener.snapshot()
    listener.remove(2)
    message = listener.next()
    assert message.target_change.target_change_type.name == "REMOVE"
    assert not rpc.TargetChange.pb(message.target_change).HasField("cause")


@pytest.mark.parametrize(
    "tag",
    ["limbo-document", "existence-filter-mismatch", "existence-filter-mismatch-bloom", "index-x"],
)
def test_labels_are_information_only(base, listener, tag):
    listener.send(
        rpc.ListenRequest(
            database=base.database,
            labels={"goog-listen-tags": tag},
            add_target=rpc.Target(
                target_id=1, documents=rpc.Target.DocumentsTarget(documents=[base.name("c/d")])
            ),
        )
    )
    assert listener.snapshot() == [("ADD", [1]), ("delete", "c/d", [1]), ("CURRENT", [1])]


# MARK: What targets show


def test_document_that_a_target_names_twice_arrives_once(base, listener):
    base.commit(base.set("c/a", {"n": 1}))
    listener.add(2, "c/a", "c/a", "c/none", "c/none")
    assert listener.snapshot() == [
        ("ADD", [2]),
        ("change", "c/a", {"n": 1}, [2], []),
        ("delete", "c/none", [2]),
        ("CURRENT", [2]),
    ]


def test_document_has_its_times(base, listener):
    created = base.commit(base.set("c/d", {"n": 1})).commit_time
    updated = base.commit(base.set("c/d", {"n": 2})).commit_time
    listener.add(2, "c/d")
    listener.event()
    document = listener.next().document_change.document
    assert (document.create_time, document.update_time) == (created, updated)


def test_projection_of_a_query_target(base, listener):
    base.commit(base.set("c/a", {"n": 1, "m": 2}))
    listener.add(2, query=query("c", select={"fields": [{"field_path": "m"}]}))
    assert ("change", "c/a", {"m": 2}, [2], []) in listener.snapshot()
    base.commit(base.set("c/a", {"n": 1, "m": 3}))
    assert listener.snapshot() == [("change", "c/a", {"m": 3}, [2], [])]


def test_query_of_alternatives(base, listener):
    listener.add(
        2,
        query=query(
            "c",
            where={
                "composite_filter": {
                    "op": "OR",
                    "filters": [
                        comparison("n", "EQUAL", 1),
                        comparison("tags", "ARRAY_CONTAINS_ANY", ["x", "y"]),
                        comparison("n", "IN", [5, 6]),
                    ],
                }
            },
        ),
    )
    listener.snapshot()
    base.commit(
        base.set("c/a", {"n": 1}),
        base.set("c/b", {"tags": ["y"]}),
        base.set("c/c", {"n": 2}),
        base.set("c/d", {"n": 6}),
    )
    assert sorted(event[1] for event in listener.snapshot()) == ["c/a", "c/b", "c/d"]
    base.commit(
        base.set("c/a", {"n": 2, "tags": ["x"]}), base.set("c/d", {"n": 7}), base.delete("c/b")
    )
    events = {event[1]: event for event in listener.snapshot()}
    assert events["c/a"][0] == "change" and events["c/a"][3] == [2]
    assert events["c/b"] == ("delete", "c/b", [2])
    assert events["c/d"][0] in ("remove", "change") and events["c/d"][-1] == [2]


def test_document_enters_with_the_field_that_orders(base, listener):
    listener.add(2, query=query("c", ("n", "ASCENDING")))
    listener.snapshot()
    base.commit(base.set("c/a", {"m": 1}))
    base.commit(base.set("c/a", {"n": None}))
    assert listener.snapshot() == [("change", "c/a", {"n": None}, [2], [])]
    base.commit(base.set("c/a", {"m": 1}))
    [gone] = listener.snapshot()
    assert gone in [("remove", "c/a", [2]), ("change", "c/a", {"m": 1}, [], [2])]


def test_cursors_bound_a_query_target(base, listener):
    listener.add(
        2,
        query=query(
            "c",
            ("n", "DESCENDING"),
            start_at={"values": [{"integer_value": 8}], "before": True},
            end_at={"values": [{"integer_value": 2}], "before": True},
        ),
    )
    listener.snapshot()
    base.commit(*[base.set(f"c/{n}", {"n": n}) for n in (9, 8, 3, 2, 1)])
    assert sorted(event[1] for event in listener.snapshot()) == ["c/3", "c/8"]


# MARK: From whom changes come


def test_changes_of_every_kind_of_write_arrive(base, listener):
    listener.add(2, "c/d")
    listener.snapshot()

    def heard(n):
        assert listener.snapshot() == [("change", "c/d", {"n": n}, [2], [])]

    base.rest("PATCH", "/c/d", json={"fields": {"n": {"integerValue": "1"}}})
    heard(1)
    base.call(
        "batch_write",
        rpc.BatchWriteRequest(database=base.database, writes=[base.set("c/d", {"n": 2})]),
    )
    heard(2)
    transaction = base.begin(read_write={})
    base.batch_get("c/d", transaction=transaction)
    base.commit(base.set("c/d", {"n": 3}), transaction=transaction)
    heard(3)
    base.call("update_document", rpc.UpdateDocumentRequest(document=base.document("c/d", {"n": 4})))
    heard(4)
    base.call("delete_document", rpc.DeleteDocumentRequest(name=base.name("c/d")))
    assert listener.snapshot() == [("delete", "c/d", [2])]
    base.call(
        "create_document",
        rpc.CreateDocumentRequest(
            parent=base.root,
            collection_id="c",
            document_id="d",
            document={"fields": {"n": {"integer_value": 5}}},
        ),
    )
    heard(5)


def test_clearing_a_database_reaches_listeners(base, listener):
    base.commit(base.set("c/a", {"n": 1}), base.set("c/b", {"n": 2}), base.set("d/a", {"n": 3}))
    listener.add(2, query=query("c"))
    listener.add(4, "d/a")
    listener.until(("CURRENT", [4]))
    listener.event()
    assert base.control("DELETE", "/databases/(default)/documents").status_code == 200
    assert sorted(listener.snapshot()) == [
        ("delete", "c/a", [2]),
        ("delete", "c/b", [2]),
        ("delete", "d/a", [4]),
    ]
    # What is made again is newer than what was there.
    at = listener.read_times[-1]
    assert base.commit(base.set("c/a", {"n": 9})).commit_time > at
    assert listener.snapshot() == [("change", "c/a", {"n": 9}, [2], [])]


TWICE = {
    "set and set": (lambda b: [b.set("c/d", {"n": 1}), b.set("c/d", {"n": 2})], {"n": 2}),
    "set and delete": (lambda b: [b.set("c/d", {"n": 1}), b.delete("c/d")], None),
    "delete and set": (lambda b: [b.delete("c/d"), b.set("c/d", {"n": 2})], {"n": 2}),
}


@pytest.mark.parametrize("kind", ["document", "query"])
@pytest.mark.parametrize("name", TWICE)
def test_document_written_twice_in_one_commit_arrives_in_its_last_state(base, listener, name, kind):
    writes, after = TWICE[name]
    base.commit(base.set("c/d", {"n": 0}))
    if kind == "document":
        listener.add(2, "c/d")
    else:
        listener.add(2, query=query("c"))
    listener.snapshot()
    base.commit(*writes(base))
    assert listener.snapshot() == [
        ("delete", "c/d", [2]) if after is None else ("change", "c/d", after, [2], [])
    ]


def test_document_made_and_dropped_in_one_commit_was_never_there(base, listener):
    listener.add(2, query=query("c", ("n", "ASCENDING"), where=comparison("n", "GREATER_THAN", 5)))
    listener.snapshot()
    base.commit(base.set("c/a", {"n": 1}), base.delete("c/a"))
    base.commit(base.set("c/b", {"n": 9}))
    assert listener.snapshot() == [("change", "c/b", {"n": 9}, [2], [])]


# MARK: Refusals of one target

REFUSED = {
    "no kind": rpc.Target(target_id=2),
    "no documents": rpc.Target(target_id=2, documents=rpc.Target.DocumentsTarget()),
    "malformed name": rpc.Target(
        target_id=2, documents=rpc.Target.DocumentsTarget(documents=["c/d"])
    ),
    "other database": rpc.Target(
        target_id=2,
        documents=rpc.Target.DocumentsTarget(
            documents=["projects/else/databases/(default)/documents/c/d"]
        ),
    ),
    "collection": rpc.Target(
        target_id=2, documents=rpc.Target.DocumentsTarget(documents=["ROOT/c"])
    ),
    "query elsewhere": rpc.Target(
        target_id=2,
        query=rpc.Target.QueryTarget(
            parent="projects/else/databases/(default)/documents", structured_query=query("c")
        ),
    ),
    "bad cursor": rpc.Target(
        target_id=2,
        query=rpc.Target.QueryTarget(
            parent="ROOT", structured_query=query("c", start_at={"values": [{"null_value": 0}]})
        ),
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_target_that_is_invalid_is_removed_with_its_cause(base, listener, name):
    target = rpc.Target.deserialize(rpc.Target.serialize(REFUSED[name]))
    if target.query.parent == "ROOT":
        target.query.parent = base.root
    target.documents.documents = [
        each.replace("ROOT", base.root) for each in target.documents.documents
    ] or (target.documents.documents)
    if name == "no kind":
        target = rpc.Target(target_id=2)
    elif "quer" in name or "cursor" in name:
        target = rpc.Target(target_id=2, query=target.query)
    listener.send(rpc.ListenRequest(database=base.database, add_target=target))
    assert listener.event() == ("ADD", [2])
    message = listener.next()
    assert listener.read(message) == ("REMOVE", [2], 3)
    assert message.target_change.cause.message
    listener.add(2, "c/d")
    assert listener.snapshot()[-1] == ("CURRENT", [2])


def test_one_forbidden_document_removes_the_whole_target(base):
    base.rules(STORY_RULES)
    uid, token = base.sign_up()
    base.commit(base.set(f"users/{uid}", {"n": 1}))
    listener = Listener(base, token)
    listener.add(2, f"users/{uid}", "users/other")
    assert [listener.event(), listener.event()] == [("ADD", [2]), ("REMOVE", [2], 7)]
    # The number is free again.
    listener.add(2, f"users/{uid}")
    assert ("change", f"users/{uid}", {"n": 1}, [2], []) in listener.snapshot()
    listener.cancel()


def test_denial_is_not_the_end_of_the_stream(base):
    """Else the app believes to be offline."""
    base.rules(STORY_RULES)
    _, token = base.sign_up()
    listener = Listener(base, token)
    for target in (1, 2):
        listener.add(target, "users/other")
        assert listener.until(("REMOVE", [target], 7)) == [("ADD", [target])]
    assert listener.call.is_active()
    listener.cancel()


def test_removed_target_gets_no_later_changes(base):
    base.rules(STORY_RULES)
    _, token = base.sign_up()
    listener = Listener(base, token)
    listener.add(2, "users/other")
    listener.until(("REMOVE", [2], 7))
    base.commit(base.set("users/other", {"secret": True}))
    assert listener.is_silent(0.3)
    listener.cancel()


def test_stream_stays_with_one_database(base, listener):
    listener.add(2, "c/d")
    listener.snapshot()
    listener.send(
        rpc.ListenRequest(database=f"projects/{base.project}/databases/second", remove_target=2)
    )
    assert listener.end() == INVALID
