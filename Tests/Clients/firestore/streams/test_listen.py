"""Listen, message by message."""

import queue
import random
import threading

import grpc
import pytest
from google.cloud.firestore_v1.types import firestore as rpc
from google.cloud.firestore_v1.types import query as queries
from support.firestore.project import WAIT, Listener, Stream, base, guard, listener  # noqa: F401


def structured(
    collection: str, *orders, all_descendants: bool = False, **more
) -> queries.StructuredQuery:
    """As clients send it: the order always ends with the name."""
    return queries.StructuredQuery(
        from_=[{"collection_id": collection, "all_descendants": all_descendants}],
        order_by=[
            {"field": {"field_path": path}, "direction": direction} for path, direction in orders
        ]
        + [
            {
                "field": {"field_path": "__name__"},
                "direction": orders[-1][1] if orders else "ASCENDING",
            }
        ],
        **more,
    )


def at_least(n: int):
    return {
        "field_filter": {
            "field": {"field_path": "n"},
            "op": "GREATER_THAN_OR_EQUAL",
            "value": {"integer_value": n},
        }
    }


# MARK: Listen, message by message


def test_order_of_the_first_answer(base, listener):
    base.commit(base.set("c/d", {"n": 1}))
    listener.add(2, "c/d")
    assert [listener.event() for _ in range(4)] == [
        ("ADD", [2]),
        ("change", "c/d", {"n": 1}, [2], []),
        ("CURRENT", [2]),
        ("NO_CHANGE", []),
    ]
    assert listener.resume_token and listener.read_times


def test_current_and_no_change_carry_token_and_time(base, listener):
    listener.add(2, "c/d")
    marks = {}
    while "NO_CHANGE" not in marks:
        message = listener.next()
        if rpc.ListenResponse.pb(message).WhichOneof("response_type") == "target_change":
            marks[message.target_change.target_change_type.name] = message.target_change
    for kind in ("CURRENT", "NO_CHANGE"):
        assert marks[kind].resume_token and rpc.TargetChange.pb(marks[kind]).HasField(
            "read_time"
        ), kind
    assert list(marks["NO_CHANGE"].target_ids) == []


def test_missing_document_is_deleted_before_current(listener):
    listener.add(2, "c/none")
    assert listener.snapshot() == [("ADD", [2]), ("delete", "c/none", [2]), ("CURRENT", [2])]


def test_deletion_of_a_missing_document_has_a_time(listener):
    listener.add(2, "c/none")
    listener.event()
    message = listener.next()
    assert rpc.ListenResponse.pb(message).document_delete.HasField("read_time")


def test_changes_of_a_document(base, listener):
    listener.add(2, "c/d")
    listener.snapshot()
    base.commit(base.set("c/d", {"n": 1}))
    assert listener.snapshot() == [("change", "c/d", {"n": 1}, [2], [])]
    base.commit(base.set("c/d", {"n": 2}))
    assert listener.snapshot() == [("change", "c/d", {"n": 2}, [2], [])]
    base.commit(base.delete("c/d"))
    assert listener.snapshot() == [("delete", "c/d", [2])]


def test_change_carries_the_time_of_the_commit(base, listener):
    listener.add(2, "c/d")
    listener.snapshot()
    committed = base.commit(base.set("c/d", {"n": 1})).commit_time
    message = listener.next()
    assert message.document_change.document.update_time == committed
    assert message.document_change.document.create_time == committed
    assert listener.event() == ("NO_CHANGE", [])
    assert listener.read_times[-1] >= committed


def test_query_target(base, listener):
    base.commit(*[base.set(f"c/{n}", {"n": n}) for n in range(4)])
    listener.add(2, query=structured("c", ("n", "ASCENDING"), where=at_least(2)))
    events = listener.snapshot()
    assert events[0] == ("ADD", [2]) and events[-1] == ("CURRENT", [2])
    assert sorted(events[1:-1]) == [("change", f"c/{n}", {"n": n}, [2], []) for n in (2, 3)]
    base.commit(base.set("c/0", {"n": 7}))
    assert listener.snapshot() == [("change", "c/0", {"n": 7}, [2], [])]
    base.commit(base.set("c/2", {"n": 1}))
    [gone] = listener.snapshot()
    assert gone in [("change", "c/2", {"n": 1}, [], [2]), ("remove", "c/2", [2])]
    base.commit(base.delete("c/3"))
    assert listener.snapshot() == [("delete", "c/3", [2])]


def test_changes_outside_of_a_target_are_not_sent(base, listener):
    listener.add(2, query=structured("c", ("n", "ASCENDING"), where=at_least(5)))
    listener.add(4, "c/watched")
    listener.snapshot()
    listener.snapshot()
    base.commit(
        base.set("c/low", {"n": 1}), base.set("d/high", {"n": 9}), base.set("c/a/c/b", {"n": 9})
    )
    base.commit(base.delete("c/low"))
    base.commit(base.set("c/watched", {"n": 9}))
    events = listener.snapshot()
    assert {event[1] for event in events} == {"c/watched"}


def test_collection_group_target(base, listener):
    base.commit(base.set("x/a/g/1", {"n": 1}))
    listener.add(2, query=structured("g", all_descendants=True))
    assert ("change", "x/a/g/1", {"n": 1}, [2], []) in listener.snapshot()
    base.commit(base.set("x/b/y/c/g/2", {"n": 2}), base.set("x/b", {"n": 2}))
    assert listener.snapshot() == [("change", "x/b/y/c/g/2", {"n": 2}, [2], [])]


def test_query_target_below_a_document(base, listener):
    base.commit(base.set("u/a/posts/1", {"n": 1}), base.set("u/b/posts/1", {"n": 2}))
    listener.add(2, query=structured("posts"), parent="u/a")
    assert listener.snapshot()[1:-1] == [("change", "u/a/posts/1", {"n": 1}, [2], [])]


def test_one_commit_is_one_snapshot(base, listener):
    listener.add(2, query=structured("c"))
    listener.snapshot()
    for round in range(5):
        base.commit(*[base.set(f"c/{n}", {"n": round}) for n in range(50)])
        events = listener.snapshot()
        assert sorted(event[1] for event in events) == sorted(f"c/{n}" for n in range(50))
        assert {event[2]["n"] for event in events} == {round}


def test_window_of_a_limit(base, listener):
    base.commit(*[base.set(f"c/{n}", {"n": n}) for n in range(5)])
    listener.add(2, query=structured("c", ("n", "ASCENDING"), limit=2))
    assert sorted(event[1] for event in listener.snapshot()[1:-1]) == ["c/0", "c/1"]

    def window(events):
        """Which documents came, and which went."""
        came = {event[1] for event in events if event[0] == "change" and event[3] == [2]}
        return came, {event[1] for event in events} - came

    base.commit(base.delete("c/0"))
    assert window(listener.snapshot()) == ({"c/2"}, {"c/0"})
    base.commit(base.set("c/x", {"n": -1}))
    assert window(listener.snapshot()) == ({"c/x"}, {"c/2"})
    base.commit(base.set("c/1", {"n": 50}))
    assert window(listener.snapshot()) == ({"c/2"}, {"c/1"})
    base.commit(base.set("c/4", {"n": 60}))
    base.commit(base.set("c/2", {"n": 0}))
    assert window(listener.snapshot()) == ({"c/2"}, set())


def test_several_targets_on_one_stream(base, listener):
    base.commit(base.set("c/d", {"n": 1}))
    for target in (2, 4, 6):
        if target == 4:
            listener.add(target, query=structured("c"))
        else:
            listener.add(target, "c/d")
    current = set()
    documents: dict[int, int] = {}
    while current != {2, 4, 6}:
        event = listener.event()
        if event[0] == "CURRENT":
            current |= set(event[1])
        if event[0] == "change":
            for target in event[3]:
                documents[target] = documents.get(target, 0) + 1
    assert documents == {2: 1, 4: 1, 6: 1}
    assert listener.event() == ("NO_CHANGE", [])
    base.commit(base.set("c/d", {"n": 2}))
    told = list(listener.snapshot())
    assert sorted(target for event in told for target in event[3]) == [2, 4, 6]
    assert {(event[0], event[1], event[2]["n"]) for event in told} == {("change", "c/d", 2)}


def test_target_of_several_documents(base, listener):
    base.commit(base.set("c/a", {"n": 1}))
    listener.add(2, "c/a", "c/b")
    events = listener.snapshot()
    assert events[0] == ("ADD", [2]) and events[-1] == ("CURRENT", [2])
    assert sorted(events[1:-1]) == [("change", "c/a", {"n": 1}, [2], []), ("delete", "c/b", [2])]


def test_removed_target_is_acknowledged_and_quiet(base, listener):
    listener.add(2, "c/d")
    listener.add(4, "c/e")
    listener.until(("CURRENT", [4]))
    listener.remove(2)
    listener.until(("REMOVE", [2]))
    base.commit(base.set("c/d", {"n": 1}))
    base.commit(base.set("c/e", {"n": 1}))
    assert listener.snapshot() == [("change", "c/e", {"n": 1}, [4], [])]


def test_target_may_be_added_again_under_its_number(base, listener):
    base.commit(base.set("c/d", {"n": 1}))
    for _ in range(3):
        listener.add(2, "c/d")
        assert listener.snapshot() == [
            ("ADD", [2]),
            ("change", "c/d", {"n": 1}, [2], []),
            ("CURRENT", [2]),
        ]
        listener.remove(2)
        assert listener.event() == ("REMOVE", [2])


def test_target_number_zero_gets_a_number(base, listener):
    listener.add(0, "c/none")
    kind, [target] = listener.event()
    assert kind == "ADD" and target != 0
    assert listener.snapshot() == [("delete", "c/none", [target]), ("CURRENT", [target])]


def test_removing_an_unknown_target_does_not_end_the_stream(base, listener):
    listener.remove(77)
    listener.add(2, "c/d")
    assert listener.until(("CURRENT", [2])) in (
        [("ADD", [2]), ("delete", "c/d", [2])],
        [("REMOVE", [77]), ("ADD", [2]), ("delete", "c/d", [2])],
    )


def test_once_target_is_removed_after_current(base, listener):
    listener.add(2, "c/d", once=True)
    events = [listener.event()]
    while events[-1] != ("REMOVE", [2]):
        events.append(listener.event())
    assert ("CURRENT", [2]) in events


def resumed(base, token: bytes, *paths, query=None, **more) -> list[tuple]:
    listener = Listener(base)
    listener.add(2, *paths, query=query, resume_token=token, **more)
    events = listener.snapshot()
    listener.cancel()
    assert events[0] == ("ADD", [2]) and events[-1] == ("CURRENT", [2])
    return events[1:-1]


def test_resumed_query_gets_differences_or_a_reset(base, listener):
    base.commit(*[base.set(f"c/{n}", {"n": n}) for n in range(6)])
    query = structured("c", ("n", "ASCENDING"), where=at_least(1))
    listener.add(2, query=query)
    state = {event[1] for event in listener.snapshot()[1:-1]}
    token = listener.resume_token
    listener.cancel()
    base.commit(base.delete("c/1"))
    base.commit(base.set("c/2", {"n": 0}))
    base.commit(base.set("c/3", {"n": 33}))
    base.commit(base.set("c/new", {"n": 7}))
    events = resumed(base, token, query=query, expected_count={"value": 5})
    if ("RESET", [2]) in events:
        state = set()
    else:
        assert "c/4" not in {event[1] for event in events}, "not a difference"
    filters = [event for event in events if event[0] == "filter"]
    for event in events:
        if event[0] == "change" and 2 in event[3]:
            state.add(event[1])
        elif event[0] in ("delete", "remove") or event[0] == "change":
            state.discard(event[1])
    expected = {"c/3", "c/4", "c/5", "c/new"}
    # A filter with the true count makes the client forget; nothing at all would leave it wrong.
    assert state == expected or any(count == len(expected) != len(state) for _, _, count in filters)


def test_resumed_document_that_was_deleted_meanwhile(base, listener):
    base.commit(base.set("c/d", {"n": 1}))
    listener.add(2, "c/d")
    listener.snapshot()
    token = listener.resume_token
    listener.cancel()
    base.commit(base.delete("c/d"))
    assert ("delete", "c/d", [2]) in resumed(base, token, "c/d")


def test_resumed_document_that_did_not_change(base, listener):
    base.commit(base.set("c/d", {"n": 1}))
    listener.add(2, "c/d")
    listener.snapshot()
    token = listener.resume_token
    listener.cancel()
    events = [event for event in resumed(base, token, "c/d") if event[0] != "filter"]
    assert events in ([], [("RESET", [2]), ("change", "c/d", {"n": 1}, [2], [])])


@pytest.mark.parametrize("token", [b"x", b"\0" * 40, b"from another server"])
def test_strange_resume_token_gives_everything_after_a_reset(base, token):
    base.commit(base.set("c/d", {"n": 1}))
    events = resumed(base, token, "c/d")
    assert events == [("RESET", [2]), ("change", "c/d", {"n": 1}, [2], [])]


def test_resume_by_time(base):
    time_then = base.commit(base.set("c/a", {"n": 1}), base.set("c/b", {"n": 1})).commit_time
    base.commit(base.delete("c/a"))
    listener = Listener(base)
    listener.add(2, query=structured("c"), read_time=time_then)
    events = listener.snapshot()
    listener.cancel()
    assert (
        ("RESET", [2]) in events or ("delete", "c/a", [2]) in events or ("filter", 2, 1) in events
    )


@pytest.mark.parametrize(
    "query",
    [
        queries.StructuredQuery(from_=[{"collection_id": "c"}, {"collection_id": "d"}]),
        structured(
            "c",
            where={
                "field_filter": {
                    "field": {"field_path": "n"},
                    "op": "IN",
                    "value": {"array_value": {}},
                }
            },
        ),
        structured("__bad__"),
        queries.StructuredQuery(from_=[{"collection_id": "c"}], limit=-1),
    ],
    ids=["two sources", "empty in", "reserved", "negative limit"],
)
def test_invalid_query_removes_its_target_and_keeps_the_stream(base, listener, query):
    listener.add(2, query=query)
    event = listener.event()
    if event == ("ADD", [2]):
        event = listener.event()
    assert event == ("REMOVE", [2], 3)
    listener.add(4, "c/d")
    listener.until(("CURRENT", [4]))


def test_half_close_ends_with_ok(base, listener):
    listener.add(2, "c/d")
    listener.snapshot()
    listener.half_close()
    assert listener.end() == grpc.StatusCode.OK


def test_half_close_of_an_unused_stream_ends_with_ok(base):
    listener = Listener(base)
    listener.half_close()
    assert listener.end() == grpc.StatusCode.OK


def test_headers_come_before_the_first_message(base):
    stream = Stream(base.rpc.listen)
    got: queue.Queue = queue.Queue()
    threading.Thread(target=lambda: got.put(stream.call.initial_metadata()), daemon=True).start()
    got.get(timeout=WAIT)
    stream.cancel()


def test_listening_to_a_malformed_database_is_refused(base):
    stream = Stream(base.rpc.listen)
    stream.send(
        rpc.ListenRequest(
            database="nonsense",
            add_target=rpc.Target(
                target_id=2, documents=rpc.Target.DocumentsTarget(documents=[base.name("c/d")])
            ),
        )
    )
    assert stream.end() == grpc.StatusCode.INVALID_ARGUMENT


def test_listener_that_does_not_read_delays_no_one(base):
    """Many large changes for a reader that waits: writers continue, and the reader gets the last state."""
    stalled = grpc.insecure_channel(
        base.server.addresses["firestore"].removeprefix("http://"),
        options=[
            ("grpc.use_local_subchannel_pool", 1),
            ("grpc.http2.lookahead_bytes", 0),
            ("grpc.max_receive_message_length", -1),
        ],
    )
    method = stalled.stream_stream(
        "/google.firestore.v1.Firestore/Listen",
        request_serializer=rpc.ListenRequest.serialize,
        response_deserializer=rpc.ListenResponse.deserialize,
    )
    outgoing: queue.Queue = queue.Queue()
    call = method(
        iter(outgoing.get, None), metadata=[("authorization", "Bearer owner")], timeout=150
    )
    outgoing.put(
        rpc.ListenRequest(
            database=base.database,
            add_target=rpc.Target(
                target_id=2, documents=rpc.Target.DocumentsTarget(documents=[base.name("c/d")])
            ),
        )
    )
    next(call)
    for n in range(20):
        # Bytes, which nobody has to check. One that waits for the reader exceeds its deadline.
        base.commit(base.set("c/d", {"n": n, "bytes": b"x" * 900_000}))
    last = None
    try:
        for message in call:
            change = message.document_change
            if change.document.name:
                last = base.data(change.document)["n"]
            if last == 19:
                break
    except grpc.RpcError as error:
        # A server may also give up on it.
        assert error.code() in (
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            grpc.StatusCode.UNAVAILABLE,
            grpc.StatusCode.ABORTED,
        )
    else:
        assert last == 19
    call.cancel()
    outgoing.put(None)
    stalled.close()


def test_every_change_once_and_in_order_under_load(base, listener):
    """Four writers of forty documents; what is listened to replays to the state of a fresh query."""
    listener.add(2, query=structured("c"))
    listener.snapshot()
    failures = []

    def work(number):
        chance = random.Random(number)
        try:
            for step in range(50):
                writes = [
                    base.set(f"c/{chance.randrange(40)}", {"by": number, "step": step, "n": i})
                    for i in range(2)
                ]
                if chance.random() < 0.3:
                    writes = [base.delete(f"c/{chance.randrange(40)}")]
                base.commit(*writes)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]

    def close():
        for thread in threads:
            thread.join(60)
        base.commit(base.set("c/mark", {"n": 1}))

    for thread in [*threads, threading.Thread(target=close)]:
        thread.start()
    state: dict[str, dict] = {}
    times: dict[str, object] = {}
    steps: dict[int, int] = {}
    while "c/mark" not in state:
        message = listener.next()
        change = message.document_change
        if change.document.name:
            path = base.path(change.document.name)
            assert path not in times or change.document.update_time > times[path], (
                "a change came twice or late"
            )
            times[path] = change.document.update_time
            state[path] = base.data(change.document)
            by, step = state[path].get("by"), state[path].get("step", 0)
            assert step >= steps.get(by, 0), "changes of one writer out of order"
            steps[by] = step
        elif message.document_delete.document:
            # Deleting a missing document may be reported or not.
            state.pop(base.path(message.document_delete.document), None)
    assert failures == []
    assert state == {
        doc.reference.path: doc.to_dict() for doc in base.client.collection("c").stream(timeout=30)
    }


@pytest.mark.parametrize(
    "direction, limit", [("ASCENDING", 7), ("DESCENDING", 7), ("DESCENDING", 1)]
)
def test_window_replays_to_the_state_of_a_fresh_query(base, listener, direction, limit):
    """After each snapshot mark the window is what the query would have answered, judged by the last one."""
    query = structured("c", ("n", direction), where=at_least(20), limit=limit)
    listener.add(2, query=query)
    state: dict[str, dict] = {}
    listener.snapshot()
    chance = random.Random(limit)
    for step in range(120):
        writes = []
        for number in chance.sample(range(25), chance.randrange(1, 4)):
            writes.append(
                base.delete(f"c/{number}")
                if chance.random() < 0.25
                else base.set(f"c/{number}", {"n": chance.randrange(60), "step": step})
            )
        base.commit(*writes)
    base.commit(base.set("c/!", {"n": 20 if direction == "ASCENDING" else 1000}))
    while "c/!" not in state:
        for event in listener.snapshot():
            if event[0] == "change" and event[3] == [2]:
                state[event[1]] = event[2]
            else:
                assert event[0] in ("change", "delete", "remove"), event
                assert state.pop(event[1], None) is not None, "what was not there goes"
        assert len(state) <= limit
    answers = base.stream(
        "run_query", rpc.RunQueryRequest(parent=base.root, structured_query=query)
    )
    assert state == {
        base.path(answer.document.name): base.data(answer.document)
        for answer in answers
        if answer.document.name
    }
