"""Transforms and batches with google-cloud-firestore."""

import datetime
import math
import threading
import uuid

import grpc
import pytest
from google.api_core import exceptions
from google.cloud import firestore
from google.cloud.firestore_v1 import _helpers
from google.cloud.firestore_v1.types import common, write
from google.cloud.firestore_v1.types import document as documents
from google.cloud.firestore_v1.types import firestore as rpc
from support.firestore.documents import stored
from support.firestore.project import base, db, guard  # noqa: F401

UTC = datetime.UTC
INT_MAX, INT_MIN = 2**63 - 1, -(2**63)
INVALID = grpc.StatusCode.INVALID_ARGUMENT


# MARK: Transforms


def transformed(db, before, transform):
    reference = db.document(f"t/{uuid.uuid4().hex}")
    reference.set({} if before is ABSENT else {"f": before})
    result = reference.update({"f": transform})
    return stored(reference)["f"], result.transform_results[0]


ABSENT = "(absent)"


@pytest.mark.parametrize(
    "before, by, after",
    [
        (1, 2, 3),
        (1, -2, -1),
        (1, 0.5, 1.5),
        (1.5, 1, 2.5),
        (0.5, 0.5, 1.0),
        (ABSENT, 3, 3),
        (ABSENT, 1.5, 1.5),
        ("text", 4, 4),
        (None, 4, 4),
        ([1], 2.5, 2.5),
        (INT_MAX, 1, INT_MAX),
        (INT_MAX - 1, 5, INT_MAX),
        (INT_MIN, -1, INT_MIN),
        (INT_MIN, INT_MIN, INT_MIN),
        (INT_MAX, 1.0, float(2**63)),
        (1.0, 1, 2.0),
        (math.inf, 1, math.inf),
        (1, math.inf, math.inf),
    ],
    ids=str,
)
def test_increment(db, before, by, after):
    got, result = transformed(db, before, firestore.Increment(by))
    assert got == after and type(got) is type(after)
    assert _helpers.decode_value(result, db) == after


def test_increment_of_nan_stays_nan(db):
    assert math.isnan(transformed(db, math.nan, firestore.Increment(1))[0])


@pytest.mark.parametrize(
    "before, operand, after",
    [
        (1, 2, 2),
        (3, 2, 3),
        (1.5, 1, 1.5),
        (1, 1.5, 1.5),
        (3, 3.0, 3),
        (3.0, 3, 3.0),
        (ABSENT, -5, -5),
        ("text", 1, 1),
        (0.0, -0.0, 0.0),
        (INT_MAX, 1e30, 1e30),
        (-math.inf, 0, 0),
    ],
    ids=str,
)
def test_maximum(db, before, operand, after):
    got, result = transformed(db, before, firestore.Maximum(operand))
    assert got == after and type(got) is type(after)
    assert _helpers.decode_value(result, db) == after


@pytest.mark.parametrize(
    "before, operand, after",
    [
        (1, 2, 1),
        (3, 2, 2),
        (1.5, 1, 1),
        (1, 0.5, 0.5),
        (3, 3.0, 3),
        (3.0, 3, 3.0),
        (ABSENT, 5, 5),
        ([1], 1, 1),
        (INT_MIN, -1e30, -1e30),
    ],
    ids=str,
)
def test_minimum(db, before, operand, after):
    got, result = transformed(db, before, firestore.Minimum(operand))
    assert got == after and type(got) is type(after)
    assert _helpers.decode_value(result, db) == after


def test_maximum_and_minimum_with_nan_are_nan(db):
    assert math.isnan(transformed(db, 5, firestore.Maximum(math.nan))[0])
    assert math.isnan(transformed(db, math.nan, firestore.Minimum(5))[0])


@pytest.mark.parametrize(
    "before, elements, after",
    [
        ([1, 2], [2, 3], [1, 2, 3]),
        (ABSENT, [1, 1, 2], [1, 2]),
        ("text", [1], [1]),
        ([], [{"a": 1}], [{"a": 1}]),
        ([{"a": 1}], [{"a": 1}, {"a": 2}], [{"a": 1}, {"a": 2}]),
        ([1], [1.0], [1]),
        ([1, 1], [2], [1, 1, 2]),
        ([None], [None], [None]),
        (["a"], ["A", "a"], ["a", "A"]),
    ],
    ids=str,
)
def test_array_union(db, before, elements, after):
    got, result = transformed(db, before, firestore.ArrayUnion(elements))
    assert got == after and [type(value) for value in got] == [type(value) for value in after]
    assert documents.Value.pb(result).WhichOneof("value_type") == "null_value"


@pytest.mark.parametrize(
    "before, elements, after",
    [
        ([1, 2, 1, 3], [1], [2, 3]),
        (ABSENT, [1], []),
        ("text", [1], []),
        ([1.0, 2], [1], [2]),
        ([{"a": 1}, {"a": 2}], [{"a": 2}], [{"a": 1}]),
        ([None, 1], [None], [1]),
        ([1], [2], [1]),
    ],
    ids=str,
)
def test_array_remove(db, before, elements, after):
    got, result = transformed(db, before, firestore.ArrayRemove(elements))
    assert got == after
    assert documents.Value.pb(result).WhichOneof("value_type") == "null_value"


def test_array_union_knows_nan(db):
    got, _ = transformed(db, [math.nan], firestore.ArrayUnion([math.nan, 1]))
    assert len(got) == 2
    got, _ = transformed(db, [math.nan, 1], firestore.ArrayRemove([math.nan]))
    assert got == [1]


def test_server_timestamp_is_one_time_per_commit(db):
    before = datetime.datetime.now(UTC) - datetime.timedelta(seconds=5)
    batch = db.batch()
    one, two = db.document("t/1"), db.document("t/2")
    batch.set(
        one, {"t": firestore.SERVER_TIMESTAMP, "in": {"u": firestore.SERVER_TIMESTAMP}, "n": 1}
    )
    batch.set(two, {"t": firestore.SERVER_TIMESTAMP})
    results = batch.commit(timeout=30)
    got = stored(one)
    assert got["n"] == 1
    times = [got["t"], got["in"]["u"], stored(two)["t"]]
    assert len(set(times)) == 1
    assert before < times[0] < datetime.datetime.now(UTC) + datetime.timedelta(seconds=5)
    for result in results:
        for answer in result.transform_results:
            assert answer.timestamp_value == times[0]


def test_transforms_apply_in_order_after_the_update(base):
    answer = base.commit(
        base.set(
            "t/t",
            {"n": 5, "kept": 1},
            update_transforms=[
                {"field_path": "n", "increment": {"integer_value": 2}},
                {"field_path": "n", "maximum": {"integer_value": 10}},
                {"field_path": "n", "increment": {"double_value": 0.5}},
                {
                    "field_path": "list",
                    "append_missing_elements": {"values": [{"integer_value": 1}]},
                },
                {"field_path": "t", "set_to_server_value": "REQUEST_TIME"},
            ],
        )
    )
    results = answer.write_results[0].transform_results
    assert [_helpers.decode_value(result, base.client) for result in results[:4]] == [
        7,
        10,
        10.5,
        None,
    ]
    got = stored(base.client.document("t/t"))
    assert (got["n"], got["kept"], got["list"], got["t"]) == (
        10.5,
        1,
        [1],
        results[4].timestamp_value,
    )


def test_old_style_transform_write(base):
    base.commit(base.set("t/t", {"n": 1, "kept": 1}))
    answer = base.commit(
        write.Write(
            transform=write.DocumentTransform(
                document=base.name("t/t"),
                field_transforms=[{"field_path": "n", "increment": {"integer_value": 2}}],
            )
        )
    )
    assert answer.write_results[0].transform_results[0].integer_value == 3
    assert stored(base.client.document("t/t")) == {"n": 3, "kept": 1}
    base.commit(
        write.Write(
            transform=write.DocumentTransform(
                document=base.name("t/new"),
                field_transforms=[{"field_path": "a.b", "increment": {"integer_value": 2}}],
            )
        )
    )
    assert stored(base.client.document("t/new")) == {"a": {"b": 2}}


def test_transform_creates_the_document_and_nested_fields(db):
    reference = db.document("t/t")
    reference.set({"a": {"b": firestore.Increment(1)}, "c": firestore.ArrayUnion([1])}, merge=True)
    reference.set({"a": {"b": firestore.Increment(1)}, "d": 1}, merge=True)
    assert stored(reference) == {"a": {"b": 2}, "c": [1], "d": 1}


def test_increment_by_a_value_that_is_not_a_number_is_refused(base):
    request = base.commit_request(
        base.set(
            "t/t", {}, update_transforms=[{"field_path": "n", "increment": {"string_value": "1"}}]
        )
    )
    assert base.fails("commit", request) == INVALID


@pytest.mark.parametrize("count", [500, 501])
def test_at_most_500_transforms_of_one_document(base, count):
    request = base.commit_request(
        base.set(
            "t/t",
            {},
            update_transforms=[
                {"field_path": f"f{n}", "increment": {"integer_value": 1}} for n in range(count)
            ],
        )
    )
    if count == 500:
        assert len(base.call("commit", request).write_results[0].transform_results) == 500
    else:
        assert base.fails("commit", request) == INVALID


def test_arrays_of_many_elements(db):
    """Each is looked for in all of them, and nothing else is answered meanwhile."""
    reference = db.document(f"t/{uuid.uuid4().hex}")
    many = list(range(20_000))
    once = {"retry": None, "timeout": 30}
    reference.set({"f": firestore.ArrayUnion(many)}, **once)
    reference.update({"f": firestore.ArrayUnion([5.0, *range(19_999, 20_002)])}, **once)
    assert stored(reference)["f"] == list(range(20_002))
    reference.update({"f": firestore.ArrayRemove(many)}, **once)
    assert stored(reference)["f"] == [20_000, 20_001]


# MARK: Batches


def test_batch_of_all_kinds_in_order(db):
    c = db.collection("b")
    c.document("update").set({"n": 1})
    c.document("delete").set({"n": 1})
    batch = db.batch()
    batch.create(c.document("create"), {"n": 1})
    batch.set(c.document("set"), {"n": 1})
    batch.update(c.document("update"), {"n": 2})
    batch.delete(c.document("delete"))
    batch.set(c.document("set"), {"m": 2}, merge=True)
    results = batch.commit(timeout=30)
    assert len(results) == 5
    assert {doc.id: doc.to_dict() for doc in c.stream(timeout=30)} == {
        "create": {"n": 1},
        "set": {"n": 1, "m": 2},
        "update": {"n": 2},
    }


def test_delete_has_no_update_time(base):
    base.commit(base.set("b/b", {"n": 1}))
    [result] = base.commit(base.delete("b/b")).write_results
    assert not write.WriteResult.pb(result).HasField("update_time")


def test_failing_batch_writes_nothing(db):
    c = db.collection("b")
    c.document("there").set({"n": 1})
    batch = db.batch()
    for n in range(10):
        batch.set(c.document(f"d{n}"), {"n": n})
    batch.create(c.document("there"), {"n": 2})
    batch.delete(c.document("there"))
    with pytest.raises(exceptions.AlreadyExists):
        batch.commit(timeout=30)
    assert {doc.id: doc.to_dict() for doc in c.stream(timeout=30)} == {"there": {"n": 1}}


def test_later_writes_of_a_batch_see_earlier_ones(db):
    reference = db.document("b/b")
    batch = db.batch()
    batch.create(reference, {"n": 1})
    batch.update(reference, {"n": firestore.Increment(1)})
    batch.delete(reference)
    batch.create(reference, {"m": 1})
    batch.update(reference, {"m": firestore.Increment(5)})
    batch.commit(timeout=30)
    assert stored(reference) == {"m": 6}


def test_batch_of_500_writes_has_one_time(db):
    c = db.collection("b")
    batch = db.batch()
    for n in range(500):
        batch.set(c.document(f"{n:03}"), {"n": n})
    results = batch.commit(timeout=30)
    assert len(results) == 500
    assert {result.update_time for result in results} == {batch.commit_time}
    docs = list(c.order_by("n").stream(timeout=30))
    assert [doc.get("n") for doc in docs] == list(range(500))
    assert {doc.update_time for doc in docs} == {batch.commit_time}


def test_empty_commit_is_empty(base):
    """Without a time, as on the official emulator."""
    assert base.commit() == rpc.CommitResponse()


def test_readers_never_see_half_a_batch(base):
    one, two = base.client.document("b/1"), base.client.document("b/2")
    done, torn = threading.Event(), []

    def run():
        n = 0
        while not done.is_set():
            n += 1
            batch = base.client.batch()
            batch.set(one, {"n": n})
            batch.set(two, {"n": n})
            batch.commit(timeout=30)

    writer = threading.Thread(target=run)
    writer.start()
    try:
        for _ in range(100):
            values = {
                snapshot.to_dict() and snapshot.get("n")
                for snapshot in base.client.get_all([one, two], timeout=30)
            }
            if len(values) != 1:
                torn.append(values)
    finally:
        done.set()
        writer.join(30)
    assert torn == []


def test_batch_write_is_not_atomic(base):
    base.commit(base.set("b/there", {"n": 1}))
    answer = base.call(
        "batch_write",
        rpc.BatchWriteRequest(
            database=base.database,
            writes=[
                base.set("b/1", {"n": 1}),
                base.set("b/there", {"n": 2}, current_document=common.Precondition(exists=False)),
                base.set("b/2", {"n": 2}),
                base.delete("b/none", current_document=common.Precondition(exists=True)),
            ],
        ),
    )
    assert [status.code for status in answer.status] == [0, 6, 0, 5]
    assert len(answer.write_results) == 4
    assert answer.write_results[0].update_time
    got = {doc.id: doc.get("n") for doc in base.client.collection("b").stream()}
    assert got == {"1": 1, "2": 2, "there": 1}


def test_batch_write_takes_a_document_once(base):
    request = rpc.BatchWriteRequest(
        database=base.database, writes=[base.set("b/1", {"n": 1}), base.set("b/1", {"n": 2})]
    )
    assert base.fails("batch_write", request) == INVALID


def test_bulk_writer(db):
    c = db.collection("bulk")
    c.document("there").set({"n": -1})
    failures, results = [], []
    writer = db.bulk_writer()
    writer.on_write_error(lambda failure, _: failures.append(failure) and False)
    writer.on_write_result(lambda reference, result, _: results.append(reference.id))
    for n in range(150):
        writer.create(c.document(f"{n:03}"), {"n": n})
    writer.create(c.document("there"), {"n": 1})
    writer.close()
    # A writer that was flushed forgets what comes later, so there is a second one.
    writer = db.bulk_writer()
    writer.on_write_error(lambda failure, _: failures.append(failure) and False)
    writer.on_write_result(lambda reference, result, _: results.append(reference.id))
    writer.update(c.document("000"), {"m": 1})
    writer.set(c.document("001"), {"m": 1}, merge=True)
    writer.delete(c.document("002"))
    writer.update(c.document("missing"), {"m": 1})
    writer.close()
    assert sorted(failure.code for failure in failures) == [5, 6]
    assert len(results) == 153
    got = {doc.id: doc.to_dict() for doc in c.stream(timeout=30)}
    assert len(got) == 150
    assert got["000"] == {"n": 0, "m": 1} and got["001"] == {"n": 1, "m": 1}
    assert got["there"] == {"n": -1} and "002" not in got
