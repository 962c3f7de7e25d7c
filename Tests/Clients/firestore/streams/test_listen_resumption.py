"""Times of snapshots, and resuming targets."""

import datetime
import random
import threading

from google.cloud.firestore_v1.types import common
from google.cloud.firestore_v1.types import firestore as rpc
from support.firestore.project import Firestore, Listener, base, guard, listener  # noqa: F401
from support.firestore.targets import comparison, query

# MARK: Times


def test_global_mark_is_not_older_than_what_came_before(base, listener):
    listener.add(2, query=query("c"))
    # Else the commits may be there before the target is, which tells them all at once then.
    listener.snapshot()
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
                self.faults.append("a change was told after the mark that stood for it")
        elif kind == "target_change" and not message.target_change.target_ids:
            if self.mark and message.target_change.read_time < self.mark:
                self.faults.append("a mark is older than the one before")
            self.mark = message.target_change.read_time
        return kind, message


def test_global_mark_covers_all_targets_while_others_are_added(base, listener):
    """What comes after a mark was committed after its time, also for the older targets."""
    listener.add(2, "c/d")
    listener.snapshot()
    # A commit that takes its time, so that targets are added while it runs.
    increment = [{"field_path": "n", "increment": {"integer_value": 1}}]
    request = rpc.CommitRequest.serialize(
        base.commit_request(
            *[
                base.set(path, {}, update_mask=common.DocumentMask(), update_transforms=increment)
                for path in ["c/d", *[f"x/{number}" for number in range(300)]]
            ]
        )
    )
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
        # The others have begun.
        while not marks.changes:
            marks.next()
        for target in range(4, 804, 2):
            listener.add(target, "other/d")
            listener.remove(target)
        while removed < 400 and not marks.faults:
            kind, message = marks.next()
            if kind == "target_change":
                removed += message.target_change.target_change_type.name == "REMOVE"
        assert not marks.faults
    finally:
        done.set()
        for thread in threads:
            thread.join(30)


def test_batch_arrives_in_one_snapshot_beside_a_limited_query(base, listener):
    """One target shows half of a commit, and its other half comes after the mark."""
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
    """What comes between ADD and CURRENT."""
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
        ("change", "d/a", {"n": 2}, [2], [])
    ]


def test_resumed_query_after_random_changes_ends_as_the_query(base):
    chance = random.Random(7)
    wanted = query("c", ("n", "ASCENDING"), where=comparison("n", "GREATER_THAN_OR_EQUAL", 5))
    state: dict[str, dict] = {}
    more: dict = {}
    for _ in range(15):
        for _ in range(chance.randrange(4)):
            name = f"c/{chance.randrange(8)}"
            base.commit(
                *[
                    base.delete(name)
                    if chance.random() < 0.3
                    else base.set(name, {"n": chance.randrange(10)})
                ]
            )
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
        answers = base.stream(
            "run_query", rpc.RunQueryRequest(parent=base.root, structured_query=wanted)
        )
        assert state == {
            base.path(answer.document.name): base.data(answer.document)
            for answer in answers
            if answer.document.name
        }


def test_reset_comes_before_the_whole_result(base, listener):
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


def test_resumed_target_reports_missing_documents_again(base):
    at = base.commit(base.set("c/x", {})).commit_time
    assert resumed(base, "c/none", read_time=at) == [("delete", "c/none", [2])]


def test_resume_by_the_time_of_a_commit_shows_what_came_later(base):
    base.commit(base.set("c/a", {"n": 1}))
    at = base.commit(base.set("c/b", {"n": 1})).commit_time
    base.commit(base.set("c/c", {"n": 1}))
    assert resumed(base, query=query("c"), read_time=at) == [("change", "c/c", {"n": 1}, [2], [])]


def test_resume_from_a_time_before_the_start_begins_again(base):
    base.commit(base.set("c/a", {"n": 1}))
    then = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)
    assert resumed(base, query=query("c"), read_time=then) == [
        ("RESET", [2]),
        ("change", "c/a", {"n": 1}, [2], []),
    ]


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
    """What has changed since then is unknown; silence would leave the client as it is."""
    base.commit(base.set("c/d", {"n": 1}))
    future = datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=1)
    listener.add(2, "c/d", read_time=future)
    assert listener.event() == ("ADD", [2])
    event = listener.event()
    assert event in [("RESET", [2]), ("REMOVE", [2], 3)] or event[0] == "change"
