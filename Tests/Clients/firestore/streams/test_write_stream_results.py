"""Handshake and results of Write streams."""

import grpc
from google.cloud.firestore_v1.types import common, write
from google.cloud.firestore_v1.types import firestore as rpc
from support.firestore.project import Stream, Writer, base, guard, listener, writer  # noqa: F401
from support.firestore.targets import query

INVALID = grpc.StatusCode.INVALID_ARGUMENT


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


def test_one_result_for_each_write(base, writer):
    base.commit(base.set("c/old", {"n": 1}))
    writer.write(
        base.set("c/a", {"n": 1}),
        base.delete("c/old"),
        base.verify("c/none", exists=False),
        write.Write(
            transform=write.DocumentTransform(
                document=base.name("c/t"),
                field_transforms=[{"field_path": "n", "increment": {"integer_value": 2}}],
            )
        ),
        base.delete("c/none 2"),
    )
    answer = writer.result()
    assert len(answer.write_results) == 5
    has_time = [
        write.WriteResult.pb(result).HasField("update_time") for result in answer.write_results
    ]
    assert has_time == [True, False, True, True, False]
    assert [result.integer_value for result in answer.write_results[3].transform_results] == [2]


def test_failed_verification_ends_the_stream(base, writer):
    base.commit(base.set("c/d", {"n": 1}))
    writer.write(base.verify("c/d", exists=False), base.set("c/e", {}))
    assert writer.end() == grpc.StatusCode.ALREADY_EXISTS
    assert not base.client.document("c/e").get().exists


def test_write_that_changes_nothing_returns_the_stored_time(base, writer, listener):
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
    writer.write(
        *[
            base.set(
                f"c/{n}",
                {"n": n},
                update_transforms=[{"field_path": "t", "set_to_server_value": "REQUEST_TIME"}],
            )
            for n in range(5)
        ]
    )
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


def test_next_batch_uses_a_new_stream_after_a_failure(base):
    """What was sent after the failing batch is not applied."""
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
    again.send(
        rpc.WriteRequest(
            database=base.database, stream_id=writer.opening.stream_id, stream_token=writer.token
        )
    )
    opening = again.next()
    assert opening.stream_token and not opening.write_results
    again.cancel()
