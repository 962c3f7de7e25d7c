"""What Listen and Write promise beyond the first answer (sdk-wire B.2, B.3, D.5)."""

import datetime
import random
import threading
import time

import grpc
import pytest
from google.cloud.firestore_v1 import _helpers
from google.cloud.firestore_v1.types import common, firestore as rpc, query as queries, write

from support.firestore.project import (
    STORY_RULES, Firestore, Listener, Stream, Writer, base, guard, listener, writer)

INVALID = grpc.StatusCode.INVALID_ARGUMENT


def query(collection: str, *orders, all_descendants: bool = False, **more):
    last = orders[-1][1] if orders else "ASCENDING"
    return queries.StructuredQuery(
        from_=[{"collection_id": collection, "all_descendants": all_descendants}],
        order_by=[{"field": {"field_path": path}, "direction": direction}
                  for path, direction in [*orders, ("__name__", last)]], **more)


def test_of(path: str, op: str, value) -> dict:
    return {"field_filter": {
        "field": {"field_path": path}, "op": op, "value": _helpers.encode_value(value)}}


test_of.__test__ = False


# MARK: The numbers of targets

@pytest.mark.parametrize("target", [1, 2, 3, 0x5079, 2**31 - 1])
def test_any_positive_number_is_a_target(base, listener, target):
    listener.add(target, "c/d")
    assert listener.snapshot() == [
        ("ADD", [target]), ("delete", "c/d", [target]), ("CURRENT", [target])]
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


@pytest.mark.parametrize("tag", [
    "limbo-document", "existence-filter-mismatch", "existence-filter-mismatch-bloom", "index-x"])
def test_labels_are_information_only(base, listener, tag):
    listener.send(rpc.ListenRequest(
        database=base.database, labels={"goog-listen-tags": tag}, add_target=rpc.Target(
            target_id=1, documents=rpc.Target.DocumentsTarget(documents=[base.name("c/d")]))))
    assert listener.snapshot() == [("ADD", [1]), ("delete", "c/d", [1]), ("CURRENT", [1])]


# MARK: What targets show

def test_document_that_a_target_names_twice_is_told_once(base, listener):
    base.commit(base.set("c/a", {"n": 1}))
    listener.add(2, "c/a", "c/a", "c/none", "c/none")
    assert listener.snapshot() == [
        ("ADD", [2]), ("change", "c/a", {"n": 1}, [2], []), ("delete", "c/none", [2]),
        ("CURRENT", [2])]


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
    listener.add(2, query=query("c", where={"composite_filter": {"op": "OR", "filters": [
        test_of("n", "EQUAL", 1), test_of("tags", "ARRAY_CONTAINS_ANY", ["x", "y"]),
        test_of("n", "IN", [5, 6])]}}))
    listener.snapshot()
    base.commit(base.set("c/a", {"n": 1}), base.set("c/b", {"tags": ["y"]}),
                base.set("c/c", {"n": 2}), base.set("c/d", {"n": 6}))
    assert sorted(event[1] for event in listener.snapshot()) == ["c/a", "c/b", "c/d"]
    base.commit(base.set("c/a", {"n": 2, "tags": ["x"]}), base.set("c/d", {"n": 7}),
                base.delete("c/b"))
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
    listener.add(2, query=query(
        "c", ("n", "DESCENDING"), start_at={"values": [{"integer_value": 8}], "before": True},
        end_at={"values": [{"integer_value": 2}], "before": True}))
    listener.snapshot()
    base.commit(*[base.set(f"c/{n}", {"n": n}) for n in (9, 8, 3, 2, 1)])
    assert sorted(event[1] for event in listener.snapshot()) == ["c/3", "c/8"]


# MARK: From whom changes come

def test_changes_of_every_kind_of_write_are_heard(base, listener):
    listener.add(2, "c/d")
    listener.snapshot()

    def heard(n):
        assert listener.snapshot() == [("change", "c/d", {"n": n}, [2], [])]

    base.rest("PATCH", "/c/d", json={"fields": {"n": {"integerValue": "1"}}})
    heard(1)
    base.call("batch_write", rpc.BatchWriteRequest(
        database=base.database, writes=[base.set("c/d", {"n": 2})]))
    heard(2)
    transaction = base.begin(read_write={})
    base.batch_get("c/d", transaction=transaction)
    base.commit(base.set("c/d", {"n": 3}), transaction=transaction)
    heard(3)
    base.call("update_document", rpc.UpdateDocumentRequest(document=base.document("c/d", {"n": 4})))
    heard(4)
    base.call("delete_document", rpc.DeleteDocumentRequest(name=base.name("c/d")))
    assert listener.snapshot() == [("delete", "c/d", [2])]
    base.call("create_document", rpc.CreateDocumentRequest(
        parent=base.root, collection_id="c", document_id="d", document={
            "fields": {"n": {"integer_value": 5}}}))
    heard(5)


def test_cleared_database_is_told_to_listeners(base, listener):
    base.commit(base.set("c/a", {"n": 1}), base.set("c/b", {"n": 2}), base.set("d/a", {"n": 3}))
    listener.add(2, query=query("c"))
    listener.add(4, "d/a")
    listener.until(("CURRENT", [4]))
    listener.event()
    assert base.control("DELETE", "/databases/(default)/documents").status_code == 200
    assert sorted(listener.snapshot()) == [
        ("delete", "c/a", [2]), ("delete", "c/b", [2]), ("delete", "d/a", [4])]
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
def test_document_written_twice_in_one_commit_is_told_as_it_ends(base, listener, name, kind):
    writes, after = TWICE[name]
    base.commit(base.set("c/d", {"n": 0}))
    if kind == "document":
        listener.add(2, "c/d")
    else:
        listener.add(2, query=query("c"))
    listener.snapshot()
    base.commit(*writes(base))
    assert listener.snapshot() == [
        ("delete", "c/d", [2]) if after is None else ("change", "c/d", after, [2], [])]


def test_document_made_and_dropped_in_one_commit_was_never_there(base, listener):
    listener.add(2, query=query(
        "c", ("n", "ASCENDING"), where=test_of("n", "GREATER_THAN", 5)))
    listener.snapshot()
    base.commit(base.set("c/a", {"n": 1}), base.delete("c/a"))
    base.commit(base.set("c/b", {"n": 9}))
    assert listener.snapshot() == [("change", "c/b", {"n": 9}, [2], [])]


# MARK: Times

def test_global_mark_is_not_older_than_what_came_before(base, listener):
    listener.add(2, query=query("c"))
    latest = None
    marks = []
    for n in range(30):
        base.commit(*[base.set(f"c/{k}", {"n": n}) for k in range(3)])
    while len(marks) < 20:
        message = listener.next()
        kind = rpc.ListenResponse.pb(message).WhichOneof("response_type")
        if kind == "document_change":
            time = message.document_change.document.update_time
            latest = time if latest is None else max(latest, time)
        elif kind == "target_change" and not message.target_change.target_ids:
            marks.append(message.target_change.read_time)
            assert latest is None or marks[-1] >= latest
    assert marks == sorted(marks)


class Marks:
    """Reads on, and holds every change against the marks that came before it."""

    def __init__(self, listener):
        self.listener = listener
        self.mark = None
        self.changes = 0
        self.faults: list[str] = []

    def next(self):
        message = self.listener.next()
        kind = rpc.ListenResponse.pb(message).WhichOneof("response_type")
        if kind == "document_change":
            self.changes += 1
            if self.mark and message.document_change.document.update_time <= self.mark:
                self.faults.append("a change was told behind the mark that stood for it")
        elif kind == "target_change" and not message.target_change.target_ids:
            if self.mark and message.target_change.read_time < self.mark:
                self.faults.append("a mark is older than the one before")
            self.mark = message.target_change.read_time
        return kind, message


def test_global_mark_stands_for_all_targets_while_others_are_added(base, listener):
    """What is told after a mark was committed after its time, also for the older targets."""
    listener.add(2, "c/d")
    listener.snapshot()
    # A commit that takes its time, so that targets are added while it runs.
    increment = [{"field_path": "n", "increment": {"integer_value": 1}}]
    request = rpc.CommitRequest.serialize(base.commit_request(*[
        base.set(path, {}, update_mask=common.DocumentMask(), update_transforms=increment)
        for path in ["c/d", *[f"x/{number}" for number in range(300)]]]))
    done = threading.Event()

    def work():
        # On connections of their own, so that the listener's is free.
        other = Firestore(base.server, base.project)
        commit = other.rpc.grpc_channel.unary_unary("/google.firestore.v1.Firestore/Commit")
        while not done.is_set():
            commit(request, metadata=[("authorization", "Bearer owner")], timeout=30)
        other.close()

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        marks, removed = Marks(listener), 0
        for target in range(4, 804, 2):
            listener.add(target, "other/d")
            listener.remove(target)
        while removed < 400 and not marks.faults:
            kind, message = marks.next()
            if kind == "target_change":
                removed += message.target_change.target_change_type.name == "REMOVE"
        assert marks.changes and not marks.faults
    finally:
        done.set()
        for thread in threads:
            thread.join(30)


def test_batch_is_told_in_one_snapshot_also_beside_a_limited_query(base, listener):
    """One target shows half of a commit, and its other half comes behind the mark."""
    listener.add(2, query=query("c", ("n", "DESCENDING"), limit=3))
    listener.add(4, "d/d")
    listener.until(("CURRENT", [4]))
    listener.event()

    def work(number):
        for n in range(60):
            base.commit(base.set(f"c/{number}", {"n": n}), base.set("d/d", {"n": n, "by": number}))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    base.commit(base.set("d/d", {"n": -1}))
    marks = Marks(listener)
    while True:
        kind, message = marks.next()
        if kind == "document_change" and base.data(message.document_change.document)["n"] == -1:
            break
    assert not marks.faults


def test_tokens_are_opaque_bytes_that_are_never_empty(base, listener):
    listener.add(2, "c/d")
    listener.snapshot()
    for n in range(3):
        base.commit(base.set("c/d", {"n": n}))
        while True:
            change = listener.next().target_change
            if rpc.TargetChange.pb(change).HasField("read_time"):
                assert change.resume_token
                break


# MARK: Resumption

def resumed(base, *paths, query=None, **more) -> list[tuple]:
    """What stands between ADD and CURRENT."""
    listener = Listener(base)
    listener.add(2, *paths, query=query, **more)
    events = listener.snapshot()
    listener.cancel()
    assert events[0] == ("ADD", [2]) and events[-1] == ("CURRENT", [2])
    return events[1:-1]


def test_token_of_a_later_mark_holds_for_every_target(base, listener):
    base.commit(base.set("c/a", {"n": 1}), base.set("d/a", {"n": 1}))
    listener.add(2, "c/a")
    listener.add(4, query=query("d"))
    listener.until(("CURRENT", [4]))
    listener.event()
    base.commit(base.set("c/a", {"n": 2}))
    listener.snapshot()
    token = listener.resume_token
    listener.cancel()
    base.commit(base.set("d/a", {"n": 2}))
    assert resumed(base, "c/a", resume_token=token) == []
    assert resumed(base, query=query("d"), resume_token=token) == [
        ("change", "d/a", {"n": 2}, [2], [])]


def test_resumed_query_after_random_changes_ends_as_the_query(base):
    chance = random.Random(7)
    wanted = query("c", ("n", "ASCENDING"), where=test_of("n", "GREATER_THAN_OR_EQUAL", 5))
    state: dict[str, dict] = {}
    more: dict = {}
    for _ in range(15):
        for _ in range(chance.randrange(4)):
            name = f"c/{chance.randrange(8)}"
            base.commit(*[base.delete(name) if chance.random() < 0.3 else
                          base.set(name, {"n": chance.randrange(10)})])
        listener = Listener(base)
        listener.add(2, query=wanted, **more)
        for event in listener.snapshot():
            if event == ("RESET", [2]):
                state = {}
            elif event[0] == "change" and event[3] == [2]:
                state[event[1]] = event[2]
            elif event[0] in ("change", "delete", "remove"):
                state.pop(event[1], None)
        more = {"resume_token": listener.resume_token, "expected_count": {"value": len(state)}}
        listener.cancel()
        answers = base.stream("run_query", rpc.RunQueryRequest(
            parent=base.root, structured_query=wanted))
        assert state == {base.path(answer.document.name): base.data(answer.document)
                         for answer in answers if answer.document.name}


def test_reset_stands_before_the_whole_result(base, listener):
    base.commit(*[base.set(f"c/{n}", {"n": n}) for n in range(4)])
    wanted = query("c", ("n", "ASCENDING"), limit=2)
    listener.add(2, query=wanted)
    listener.snapshot()
    token = listener.resume_token
    listener.cancel()
    base.commit(base.delete("c/0"))
    events = resumed(base, query=wanted, resume_token=token, expected_count={"value": 2})
    if ("RESET", [2]) in events:
        assert events[0] == ("RESET", [2])
        assert sorted(event[1] for event in events[1:]) == ["c/1", "c/2"]
    else:
        told = {event[1]: event[0] for event in events}
        assert told["c/2"] == "change" and told["c/0"] == "delete"


def test_resumed_target_tells_of_missing_documents_again(base):
    at = base.commit(base.set("c/x", {})).commit_time
    assert resumed(base, "c/none", read_time=at) == [("delete", "c/none", [2])]


def test_resume_by_the_time_of_a_commit_shows_what_came_later(base):
    base.commit(base.set("c/a", {"n": 1}))
    at = base.commit(base.set("c/b", {"n": 1})).commit_time
    base.commit(base.set("c/c", {"n": 1}))
    assert resumed(base, query=query("c"), read_time=at) == [("change", "c/c", {"n": 1}, [2], [])]


def test_resume_from_a_time_before_the_start_begins_again(base):
    base.commit(base.set("c/a", {"n": 1}))
    then = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=1)
    assert resumed(base, query=query("c"), read_time=then) == [
        ("RESET", [2]), ("change", "c/a", {"n": 1}, [2], [])]


def test_token_of_another_database_is_not_believed(hearth, base):
    """At worst everything comes again; nothing stays wrong."""
    other = Firestore(hearth)
    base.commit(base.set("c/d", {"n": 1}))
    first = Listener(other)
    first.add(2, "c/d")
    first.snapshot()
    base.commit(base.delete("c/d"))
    assert ("delete", "c/d", [2]) in resumed(base, "c/d", resume_token=first.resume_token)
    first.cancel()
    other.close()


def test_resume_from_a_time_to_come_is_refused_or_begins_again(base, listener):
    """Nobody can tell what has changed since then; silence would leave the client as it is."""
    base.commit(base.set("c/d", {"n": 1}))
    future = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)
    listener.add(2, "c/d", read_time=future)
    assert listener.event() == ("ADD", [2])
    event = listener.event()
    assert event in [("RESET", [2]), ("REMOVE", [2], 3)] or event[0] == "change"


# MARK: Refusals of one target

REFUSED = {
    "no kind": rpc.Target(target_id=2),
    "no documents": rpc.Target(target_id=2, documents=rpc.Target.DocumentsTarget()),
    "malformed name": rpc.Target(
        target_id=2, documents=rpc.Target.DocumentsTarget(documents=["c/d"])),
    "other database": rpc.Target(target_id=2, documents=rpc.Target.DocumentsTarget(
        documents=["projects/else/databases/(default)/documents/c/d"])),
    "collection": rpc.Target(target_id=2, documents=rpc.Target.DocumentsTarget(
        documents=["ROOT/c"])),
    "query elsewhere": rpc.Target(target_id=2, query=rpc.Target.QueryTarget(
        parent="projects/else/databases/(default)/documents", structured_query=query("c"))),
    "bad cursor": rpc.Target(target_id=2, query=rpc.Target.QueryTarget(
        parent="ROOT", structured_query=query("c", start_at={"values": [{"null_value": 0}]}))),
}


@pytest.mark.parametrize("name", REFUSED)
def test_target_that_is_invalid_is_removed_with_its_cause(base, listener, name):
    target = rpc.Target.deserialize(rpc.Target.serialize(REFUSED[name]))
    if target.query.parent == "ROOT":
        target.query.parent = base.root
    target.documents.documents = [
        each.replace("ROOT", base.root) for each in target.documents.documents] or (
            target.documents.documents)
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


def test_denial_comes_at_once(base):
    """Within a second, and not as the end of the stream: else the app believes to be offline."""
    base.rules(STORY_RULES)
    uid, token = base.sign_up()
    listener = Listener(base, token)
    started = time.monotonic()
    listener.add(2, "users/other")
    listener.until(("REMOVE", [2], 7))
    assert time.monotonic() - started < 1
    assert listener.call.is_active()
    listener.cancel()


def test_removed_target_is_not_told_of_later_changes(base):
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
    listener.send(rpc.ListenRequest(
        database=f"projects/{base.project}/databases/second", remove_target=2))
    assert listener.end() == INVALID


# MARK: Write streams

def test_handshake_has_a_token_and_no_results(base):
    stream = Stream(base.rpc.write)
    stream.send(rpc.WriteRequest(database=base.database))
    opening = stream.next()
    assert opening.stream_id and opening.stream_token and not opening.write_results
    assert not rpc.WriteResponse.pb(opening).HasField("commit_time")
    stream.cancel()


def test_first_message_must_not_write(base):
    stream = Stream(base.rpc.write)
    stream.send(rpc.WriteRequest(database=base.database, writes=[base.set("c/d", {})]))
    assert stream.end() == INVALID
    assert not base.client.document("c/d").get().exists


def verified(base, path: str, **condition) -> write.Write:
    """`Write.verify`, field 5, which the public messages lack."""
    name = base.name(path).encode()
    message = write.Write(current_document=common.Precondition(**condition))
    write.Write.pb(message).MergeFromString(b"\x2a" + bytes([len(name)]) + name)
    return message


def test_one_result_for_each_write(base, writer):
    base.commit(base.set("c/old", {"n": 1}))
    writer.write(
        base.set("c/a", {"n": 1}), base.delete("c/old"), verified(base, "c/none", exists=False),
        write.Write(transform=write.DocumentTransform(
            document=base.name("c/t"), field_transforms=[
                {"field_path": "n", "increment": {"integer_value": 2}}])),
        base.delete("c/none 2"))
    answer = writer.result()
    assert len(answer.write_results) == 5
    has_time = [write.WriteResult.pb(result).HasField("update_time")
                for result in answer.write_results]
    assert has_time == [True, False, True, True, False]
    assert [result.integer_value
            for result in answer.write_results[3].transform_results] == [2]


def test_failed_verification_ends_the_stream(base, writer):
    base.commit(base.set("c/d", {"n": 1}))
    writer.write(verified(base, "c/d", exists=False), base.set("c/e", {}))
    assert writer.end() == grpc.StatusCode.ALREADY_EXISTS
    assert not base.client.document("c/e").get().exists


def test_write_that_changes_nothing_tells_the_time_that_is_stored(base, writer, listener):
    writer.write(base.set("c/d", {"n": 1}))
    writer.result()
    listener.add(2, "c/d")
    listener.snapshot()
    writer.write(base.set("c/d", {"n": 1}))
    answer = writer.result()
    stored = base.client.document("c/d").get()
    assert stored.update_time == answer.write_results[0].update_time <= answer.commit_time
    writer.write(base.set("c/d", {"n": 2}))
    result = writer.result()
    while True:
        change = listener.next().document_change
        if change.document.name and base.data(change.document) == {"n": 2}:
            assert change.document.update_time == result.write_results[0].update_time
            break


def test_times_of_a_batch_are_one(base, writer, listener):
    listener.add(2, query=query("c"))
    listener.snapshot()
    writer.write(*[base.set(f"c/{n}", {"n": n}, update_transforms=[
        {"field_path": "t", "set_to_server_value": "REQUEST_TIME"}]) for n in range(5)])
    answer = writer.result()
    assert {result.update_time for result in answer.write_results} == {answer.commit_time}
    stamps = {result.transform_results[0].timestamp_value for result in answer.write_results}
    assert len(stamps) == 1
    [stamp] = stamps
    assert abs((answer.commit_time - stamp).total_seconds()) < 0.1
    changes = []
    while len(changes) < 5:
        change = listener.next().document_change
        if change.document.name:
            changes.append(change.document)
    assert {document.update_time for document in changes} == {answer.commit_time}
    assert listener.event() == ("NO_CHANGE", [])


def test_next_batch_goes_over_a_new_stream_after_a_failure(base):
    """What was sent behind the failing batch is not applied."""
    one = Writer(base)
    one.write(base.set("c/a", {"n": 1}, current_document=common.Precondition(exists=True)))
    one.write(base.set("c/b", {"n": 1}))
    assert one.end() == grpc.StatusCode.NOT_FOUND
    assert not base.client.document("c/b").get().exists
    two = Writer(base)
    two.write(base.set("c/b", {"n": 1}))
    assert len(two.result().write_results) == 1
    two.half_close()
    assert two.end() == grpc.StatusCode.OK


def test_token_of_the_last_answer_reopens_a_stream(base, writer):
    writer.write(base.set("c/a", {"n": 1}))
    writer.result()
    writer.half_close()
    writer.end()
    again = Stream(base.rpc.write)
    again.send(rpc.WriteRequest(
        database=base.database, stream_id=writer.opening.stream_id, stream_token=writer.token))
    opening = again.next()
    assert opening.stream_token and not opening.write_results
    again.cancel()
