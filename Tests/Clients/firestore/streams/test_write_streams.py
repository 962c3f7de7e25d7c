"""Write streams, message by message."""

import grpc
import pytest
from google.cloud.firestore_v1.types import common, write
from google.cloud.firestore_v1.types import firestore as rpc
from support.firestore.project import (  # noqa: F401
    Firestore,
    Listener,
    Stream,
    Writer,
    base,
    guard,
    listener,
    writer,
)

# MARK: Write streams


def test_handshake_and_writes(base, writer):
    assert writer.opening.stream_id and writer.opening.stream_token
    assert not writer.opening.write_results
    tokens = {writer.opening.stream_token}
    writer.write(base.set("c/a", {"n": 1}), base.set("c/b", {"n": 1}))
    first = writer.result()
    assert len(first.write_results) == 2 and first.commit_time
    assert {result.update_time for result in first.write_results} == {first.commit_time}
    tokens.add(first.stream_token)
    writer.write(
        base.delete("c/a"),
        base.set(
            "c/b",
            {},
            update_transforms=[
                {"field_path": "n", "increment": {"integer_value": 5}},
                {"field_path": "t", "set_to_server_value": "REQUEST_TIME"},
            ],
        ),
    )
    second = writer.result()
    tokens.add(second.stream_token)
    gone, kept = second.write_results
    assert not write.WriteResult.pb(gone).HasField("update_time")
    assert [result.integer_value for result in kept.transform_results][:1] == [5]
    assert kept.transform_results[1].timestamp_value
    assert second.commit_time > first.commit_time and len(tokens) == 3
    assert not base.client.document("c/a").get().exists


def test_ten_requests_in_flight_are_answered_in_order(base, writer):
    for _ in range(30):
        writer.write(
            base.set(
                "c/counter",
                {},
                update_mask=common.DocumentMask(),
                update_transforms=[{"field_path": "n", "increment": {"integer_value": 1}}],
            )
        )
    results = [writer.result() for _ in range(30)]
    assert [
        result.write_results[0].transform_results[0].integer_value for result in results
    ] == list(range(1, 31))
    times = [result.commit_time for result in results]
    assert times == sorted(set(times))


def test_write_is_seen_by_a_listener_with_its_time(base, writer, listener):
    listener.add(2, "c/d")
    listener.snapshot()
    writer.write(base.set("c/d", {"n": 1}))
    result = writer.result()
    message = listener.next()
    assert message.document_change.document.update_time == result.write_results[0].update_time
    assert listener.event() == ("NO_CHANGE", [])
    assert listener.read_times[-1] >= result.commit_time


@pytest.mark.parametrize(
    "condition, code",
    [
        ({"exists": True}, grpc.StatusCode.NOT_FOUND),
        ({"update_time": "2000-01-01T00:00:00Z"}, grpc.StatusCode.FAILED_PRECONDITION),
    ],
)
def test_failed_precondition_ends_the_stream(base, writer, condition, code):
    writer.write(base.set("c/a", {"n": 1}))
    writer.result()
    precondition = common.Precondition()
    if "exists" in condition:
        precondition.exists = True
    else:
        common.Precondition.pb(precondition).update_time.FromJsonString(condition["update_time"])
    writer.write(base.set("c/a", {"n": 2}), base.set("c/none", {}, current_document=precondition))
    assert writer.end() == code
    assert base.client.document("c/a").get().get("n") == 1


def test_existing_document_ends_the_stream_with_already_exists(base, writer):
    base.commit(base.set("c/a", {"n": 1}))
    writer.write(base.set("c/a", {"n": 2}, current_document=common.Precondition(exists=False)))
    assert writer.end() == grpc.StatusCode.ALREADY_EXISTS


def test_invalid_write_ends_the_stream(base, writer):
    writer.write(base.set("c/__x__", {"n": 2}))
    assert writer.end() == grpc.StatusCode.INVALID_ARGUMENT


def test_empty_write_and_half_close_end_with_ok(base, writer):
    writer.write(base.set("c/a", {"n": 1}))
    writer.result()
    writer.write()
    writer.half_close()
    assert writer.end() == grpc.StatusCode.OK
    assert base.client.document("c/a").get().exists


def test_write_stream_without_a_database_is_refused(base):
    stream = Stream(base.rpc.write)
    stream.send(rpc.WriteRequest())
    assert stream.end() == grpc.StatusCode.INVALID_ARGUMENT


def test_failure_on_one_stream_leaves_others_alone(base, listener):
    one, two = Writer(base), Writer(base)
    listener.add(2, "c/a")
    listener.snapshot()
    one.write(base.set("c/none", {}, current_document=common.Precondition(exists=True)))
    assert one.end() == grpc.StatusCode.NOT_FOUND
    two.write(base.set("c/a", {"n": 1}))
    two.result()
    assert listener.snapshot() == [("change", "c/a", {"n": 1}, [2], [])]
    one.cancel()
    two.cancel()


def test_a_hundred_streams_at_once(base):
    """The bidirectional calls of fifty clients on fifty connections."""
    clients = [Firestore(base.server, base.project) for _ in range(50)]
    listeners = [Listener(client) for client in clients]
    writers = [Writer(client) for client in clients]
    for each in listeners:
        each.add(2, "c/d")
    for each in listeners:
        each.snapshot()
    for number, each in enumerate(writers):
        each.write(base.set(f"c/{number}", {"n": number}))
    for each in writers:
        each.result()
    base.commit(base.set("c/d", {"n": 1}))
    for each in listeners:
        assert each.snapshot() == [("change", "c/d", {"n": 1}, [2], [])]
    for each in [*listeners, *writers]:
        each.half_close()
    assert {each.end() for each in [*listeners, *writers]} == {grpc.StatusCode.OK}
    for client in clients:
        client.close()
