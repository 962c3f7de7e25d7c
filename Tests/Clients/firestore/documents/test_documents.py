"""Documents as google-cloud-firestore writes and reads them (sdk-wire B.3, B.4, B.6)."""

import datetime
import math
import struct
import threading
import uuid

import grpc
import pytest
from google.api_core import exceptions
from google.api_core.datetime_helpers import DatetimeWithNanoseconds
from google.cloud import firestore
from google.cloud.firestore_v1 import _helpers
from google.cloud.firestore_v1.field_path import FieldPath
from google.cloud.firestore_v1.types import common, document as documents, firestore as rpc, write
from google.cloud.firestore_v1.vector import Vector

from support.firestore.project import Firestore, base, db, guard

UTC = datetime.timezone.utc
INT_MAX, INT_MIN = 2**63 - 1, -(2**63)
INVALID = grpc.StatusCode.INVALID_ARGUMENT
MIB = 1_048_576


def bits(value: float) -> bytes:
    return struct.pack(">d", value)


def stored(reference):
    return reference.get(timeout=15).to_dict()


# MARK: Create, set, update, delete

def test_created_document_is_read_back(db):
    reference = db.document("cities/LA")
    result = reference.create({"name": "Los Angeles", "n": 1})
    snapshot = reference.get(timeout=15)
    assert snapshot.exists and snapshot.id == "LA"
    assert snapshot.to_dict() == {"name": "Los Angeles", "n": 1}
    assert snapshot.create_time == snapshot.update_time == result.update_time
    assert snapshot.read_time >= snapshot.update_time


def test_missing_document_does_not_exist(db):
    snapshot = db.document("cities/none").get(timeout=15)
    assert not snapshot.exists and snapshot.to_dict() is None
    assert snapshot.create_time is None and snapshot.update_time is None
    assert snapshot.read_time is not None


def test_second_create_is_refused_and_changes_nothing(db):
    reference = db.document("cities/LA")
    reference.create({"n": 1})
    with pytest.raises(exceptions.AlreadyExists):
        reference.create({"n": 2})
    assert stored(reference) == {"n": 1}


def test_added_document_gets_an_id(db):
    when, reference = db.collection("cities").add({"n": 1})
    assert len(reference.id) == 20 and stored(reference) == {"n": 1}
    assert reference.get().create_time == when


def test_set_replaces_the_whole_document(db):
    reference = db.document("cities/LA")
    first = reference.set({"a": 1, "b": {"c": 1}})
    second = reference.set({"d": 1})
    snapshot = reference.get()
    assert snapshot.to_dict() == {"d": 1}
    assert snapshot.create_time == first.update_time
    assert snapshot.update_time == second.update_time > first.update_time


def test_merge_keeps_what_it_does_not_name(db):
    reference = db.document("cities/LA")
    reference.set({"a": 1, "b": {"c": 1, "d": 1}})
    reference.set({"b": {"c": 2}, "e": 3}, merge=True)
    assert stored(reference) == {"a": 1, "b": {"c": 2, "d": 1}, "e": 3}


def test_merge_creates_a_missing_document(db):
    reference = db.document("cities/LA")
    reference.set({"a": {"b": 1}}, merge=True)
    assert stored(reference) == {"a": {"b": 1}}


def test_merge_of_named_fields_takes_only_those(db):
    reference = db.document("cities/LA")
    reference.set({"a": 1, "b": {"c": 1, "d": 1}})
    reference.set({"a": 2, "b": {"c": 2}}, merge=["b.c"])
    assert stored(reference) == {"a": 1, "b": {"c": 2, "d": 1}}


def test_merge_with_delete_field_deletes_it(db):
    reference = db.document("cities/LA")
    reference.set({"a": 1, "b": {"c": 1, "d": 1}})
    reference.set({"a": firestore.DELETE_FIELD, "b": {"c": firestore.DELETE_FIELD}}, merge=True)
    assert stored(reference) == {"b": {"d": 1}}


def test_empty_merge_creates_an_empty_document(db):
    reference = db.document("cities/LA")
    reference.set({}, merge=True)
    assert reference.get().exists and stored(reference) == {}
    reference.set({"a": 1})
    reference.set({}, merge=True)
    assert stored(reference) == {"a": 1}


def test_set_of_nothing_empties_the_document(db):
    reference = db.document("cities/LA")
    reference.set({"a": 1})
    reference.set({})
    assert reference.get().exists and stored(reference) == {}


def test_update_changes_only_what_it_names(db):
    reference = db.document("cities/LA")
    reference.set({"a": 1, "b": {"c": 1, "d": {"e": 1}}, "f": [1]})
    reference.update({"b.d": 2, "f": [2, 3], "g.h.i": True})
    assert stored(reference) == {
        "a": 1, "b": {"c": 1, "d": 2}, "f": [2, 3], "g": {"h": {"i": True}}}
    reference.update({"b": {"x": 1}})
    assert stored(reference)["b"] == {"x": 1}
    reference.update({"b": firestore.DELETE_FIELD, "g.h.i": firestore.DELETE_FIELD})
    assert stored(reference) == {"a": 1, "f": [2, 3], "g": {"h": {}}}


def test_update_through_a_value_that_is_no_map_replaces_it(db):
    reference = db.document("cities/LA")
    reference.set({"a": 1})
    reference.update({"a.b": 2})
    assert stored(reference) == {"a": {"b": 2}}


def test_update_of_a_missing_document_is_refused(db):
    reference = db.document("cities/LA")
    with pytest.raises(exceptions.NotFound):
        reference.update({"a": 1})
    assert not reference.get().exists


def test_deleted_document_is_gone_and_may_be_deleted_again(db):
    reference = db.document("cities/LA")
    reference.set({"a": 1})
    reference.delete(timeout=15)
    assert not reference.get().exists
    reference.delete(timeout=15)


def test_recreated_document_has_a_new_create_time(db):
    reference = db.document("cities/LA")
    first = reference.set({"a": 1}).update_time
    reference.delete()
    reference.set({"a": 1})
    assert reference.get().create_time > first


def test_deleting_a_document_keeps_what_is_below_it(db):
    db.document("a/b/c/d").set({"n": 1})
    db.document("a/b").set({"n": 0})
    db.document("a/b").delete()
    assert stored(db.document("a/b/c/d")) == {"n": 1}


def test_get_with_field_paths_answers_only_those(db):
    reference = db.document("cities/LA")
    reference.set({"a": 1, "b": {"c": 1, "d": 1}, "x.y": 5})
    assert reference.get(["b.c"]).to_dict() == {"b": {"c": 1}}
    assert reference.get(["a", "missing"]).to_dict() == {"a": 1}
    assert reference.get(["`x.y`"]).to_dict() == {"x.y": 5}
    assert reference.get(["missing"]).exists


def test_update_times_grow_strictly(db):
    times = [db.document(f"c/{n % 3}").set({"n": n}).update_time for n in range(60)]
    assert all(a < b for a, b in zip(times, times[1:]))


def test_concurrent_writers_get_distinct_times(db):
    times, lock = [], threading.Lock()

    def run(number):
        for n in range(25):
            time = db.document(f"c/{number}").set({"n": n}).update_time
            with lock:
                times.append(time)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(times) == 200 == len(set(times))


# MARK: Values

VALUES = {
    "null": None,
    "true": True,
    "false": False,
    "zero": 0,
    "negative": -1,
    "largest integer": INT_MAX,
    "smallest integer": INT_MIN,
    "beyond the precision of doubles": 2**53 + 1,
    "double": 1.5,
    "smallest double": 5e-324,
    "largest double": 1.7976931348623157e308,
    "infinity": math.inf,
    "negative infinity": -math.inf,
    "empty text": "",
    "text": "a\0b\n\"ü€😀\u2028",
    "no bytes": b"",
    "bytes": bytes(range(256)),
    "empty array": [],
    "array": [None, True, 1, 1.0, "a", b"b", {"c": [1, {"d": []}]}],
    "empty map": {},
    "map": {"a": {"b": {"c": {}}}},
}


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES.keys())
def test_value_is_read_back(db, value):
    reference = db.document("values/v")
    reference.set({"v": value, "in": {"map": value}})
    got = stored(reference)
    for read in (got["v"], got["in"]["map"]):
        assert read == value and type(read) is type(value)


def test_integers_and_doubles_keep_their_kind(base):
    base.client.document("values/v").set({"i": 1, "d": 1.0})
    fields = base.call("get_document", base.get_request("values/v")).fields
    kinds = {name: documents.Value.pb(value).WhichOneof("value_type") for name, value in fields.items()}
    assert kinds == {"i": "integer_value", "d": "double_value"}


def test_nan_and_negative_zero(db):
    reference = db.document("values/v")
    reference.set({"nan": math.nan, "zero": -0.0, "list": [math.nan, -0.0, 0.0]})
    got = stored(reference)
    assert math.isnan(got["nan"]) and bits(got["zero"]) == bits(-0.0)
    assert math.isnan(got["list"][0])
    assert [bits(number) for number in got["list"][1:]] == [bits(-0.0), bits(0.0)]


@pytest.mark.parametrize("time", [
    datetime.datetime(2024, 2, 29, 23, 59, 59, 123456, UTC),
    datetime.datetime(1970, 1, 1, tzinfo=UTC),
    datetime.datetime(1969, 12, 31, 23, 59, 59, 999999, UTC),
    datetime.datetime(1, 1, 1, tzinfo=UTC),
    datetime.datetime(9999, 12, 31, 23, 59, 59, 999999, UTC),
], ids=str)
def test_timestamp_is_kept_to_the_microsecond(db, time):
    reference = db.document("values/v")
    reference.set({"t": time})
    assert stored(reference)["t"] == time


def test_nanoseconds_are_cut_to_microseconds(base):
    base.client.document("values/v").set({
        "t": DatetimeWithNanoseconds(2024, 1, 1, nanosecond=123456789, tzinfo=UTC)})
    document = base.call("get_document", base.get_request("values/v"))
    assert documents.Document.pb(document).fields["t"].timestamp_value.nanos == 123456000


def test_references_points_and_vectors(db):
    reference = db.document("values/v")
    there = db.document("other/place/below/it ü")
    point = firestore.GeoPoint(-90.0, 179.999)
    reference.set({
        "r": there, "g": point, "v": Vector([1.0, -2.5, 0.0]),
        "all": [there, point]})
    got = stored(reference)
    assert got["r"]._document_path == there._document_path
    assert got["g"] == point and got["v"] == Vector([1.0, -2.5, 0.0])
    assert got["all"][0].path == there.path and got["all"][1] == point


def test_reference_to_another_project_is_kept(base):
    name = "projects/else/databases/other/documents/a/b"
    base.commit(write.Write(update=documents.Document(
        name=base.name("values/v"), fields={"r": documents.Value(reference_value=name)})))
    got = base.call("get_document", base.get_request("values/v"))
    assert got.fields["r"].reference_value == name


@pytest.mark.parametrize("value", [
    documents.Value(geo_point_value={"latitude": 90.5, "longitude": 0}),
    documents.Value(geo_point_value={"latitude": 0, "longitude": -181}),
    documents.Value(reference_value="not a name"),
    documents.Value(array_value={"values": [{"array_value": {"values": [{"integer_value": 1}]}}]}),
], ids=["latitude", "longitude", "reference", "array in array"])
def test_value_that_cannot_be_stored_is_refused(base, value):
    request = base.commit_request(write.Write(update=documents.Document(
        name=base.name("values/v"), fields={"v": value})))
    assert base.fails("commit", request) == INVALID
    assert not base.client.document("values/v").get().exists


def test_document_of_every_value_at_once(db):
    reference = db.document("values/all")
    reference.set({name: value for name, value in VALUES.items()})
    assert stored(reference) == VALUES


# MARK: Field paths

NAMES = ["a.b", "a b", "ü", "😀", "a`b", "a\\b", "a/b", "a*b", "~", "[0]", "0", "1a", "-", "a~b", "\"", "'",
         "__a", "a__", "_", "\n", "`", "\\", "`.`"]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_field_name_of_special_characters(db, name):
    reference = db.document("fields/f")
    reference.set({name: 1, "other": {name: 1, "kept": 1}})
    path = FieldPath("other", name).to_api_repr()
    reference.update({path: 2, FieldPath(name).to_api_repr(): 3})
    assert stored(reference) == {name: 3, "other": {name: 2, "kept": 1}}
    assert reference.get([path]).to_dict() == {"other": {name: 2}}
    assert reference.get().get(path) == 2
    reference.update({path: firestore.DELETE_FIELD, FieldPath(name).to_api_repr(): firestore.Increment(4)})
    assert stored(reference) == {name: 7, "other": {"kept": 1}}


@pytest.mark.parametrize("path", ["", "a..b", ".a", "a.", "`a", "a b", "1a", "a-b"], ids=ascii)
def test_malformed_field_path_in_a_mask_is_refused(base, path):
    request = base.commit_request(base.set(
        "fields/f", {"a": 1}, update_mask=common.DocumentMask(field_paths=[path])))
    assert base.fails("commit", request) == INVALID


def test_mask_over_absent_fields_deletes_them(base):
    base.commit(base.set("f/f", {"a": 1, "b": {"c": 1, "d": 1}}))
    base.commit(base.set("f/f", {}, update_mask=common.DocumentMask(field_paths=["a", "b.c", "z.z"])))
    assert stored(base.client.document("f/f")) == {"b": {"d": 1}}


# MARK: Preconditions

def test_update_with_the_right_time_goes_through_once(db):
    reference = db.document("c/d")
    first = reference.set({"n": 1}).update_time
    option = db.write_option(last_update_time=first)
    reference.update({"n": 2}, option=option)
    with pytest.raises(exceptions.FailedPrecondition):
        reference.update({"n": 3}, option=option)
    assert stored(reference) == {"n": 2}


def test_delete_with_a_precondition(db):
    reference = db.document("c/d")
    first = reference.set({"n": 1}).update_time
    second = reference.set({"n": 2}).update_time
    with pytest.raises(exceptions.FailedPrecondition):
        reference.delete(option=db.write_option(last_update_time=first))
    reference.delete(option=db.write_option(last_update_time=second))
    assert not reference.get().exists
    with pytest.raises(exceptions.NotFound):
        reference.delete(option=db.write_option(exists=True))
    with pytest.raises(exceptions.FailedPrecondition):
        reference.delete(option=db.write_option(last_update_time=second))


@pytest.mark.parametrize("exists, condition, code", [
    (True, {"exists": True}, None),
    (True, {"exists": False}, grpc.StatusCode.ALREADY_EXISTS),
    (False, {"exists": True}, grpc.StatusCode.NOT_FOUND),
    (False, {"exists": False}, None),
    (True, {"update_time": datetime.datetime(2000, 1, 1, tzinfo=UTC)}, grpc.StatusCode.FAILED_PRECONDITION),
    (False, {"update_time": datetime.datetime(2000, 1, 1, tzinfo=UTC)}, grpc.StatusCode.FAILED_PRECONDITION),
    (True, {"update_time": datetime.datetime(2100, 1, 1, tzinfo=UTC)}, INVALID),
    (False, {"update_time": datetime.datetime(2100, 1, 1, tzinfo=UTC)}, grpc.StatusCode.FAILED_PRECONDITION),
    (True, {"update_time": datetime.datetime(1960, 1, 1, tzinfo=UTC)}, INVALID),
])
def test_precondition_of_a_set(base, exists, condition, code):
    if exists:
        base.commit(base.set("c/d", {"n": 1}))
    request = base.commit_request(
        base.set("c/d", {"n": 2}, current_document=common.Precondition(**condition)))
    if code is None:
        base.call("commit", request)
        assert stored(base.client.document("c/d")) == {"n": 2}
    else:
        assert base.fails("commit", request) == code
        assert stored(base.client.document("c/d")) == ({"n": 1} if exists else None)


def verified(base, path: str, **condition) -> write.Write:
    """`Write.verify`, field 5, which the public messages lack."""
    name = base.name(path).encode()
    assert len(name) < 128
    message = write.Write(current_document=common.Precondition(**condition))
    write.Write.pb(message).MergeFromString(b"\x2a" + bytes([len(name)]) + name)
    return message


def test_verify_guards_a_commit_and_writes_nothing(base):
    time = base.commit(base.set("c/read", {"n": 1})).write_results[0].update_time
    answer = base.commit(verified(base, "c/read", update_time=time), base.set("c/w", {"n": 1}))
    assert len(answer.write_results) == 2
    base.commit(verified(base, "c/none", exists=False), base.set("c/w", {"n": 2}))
    assert stored(base.client.document("c/w")) == {"n": 2}
    assert base.client.document("c/read").get().update_time == time
    assert not base.client.document("c/none").get().exists
    base.commit(base.set("c/read", {"n": 2}))
    request = base.commit_request(verified(base, "c/read", update_time=time), base.set("c/w", {"n": 3}))
    assert base.fails("commit", request) == grpc.StatusCode.FAILED_PRECONDITION
    request = base.commit_request(verified(base, "c/read", exists=False), base.set("c/w", {"n": 3}))
    assert base.fails("commit", request) == grpc.StatusCode.ALREADY_EXISTS
    assert stored(base.client.document("c/w")) == {"n": 2}


# MARK: Transforms

def transformed(db, before, transform):
    reference = db.document(f"t/{uuid.uuid4().hex}")
    reference.set({} if before is ABSENT else {"f": before})
    result = reference.update({"f": transform})
    return stored(reference)["f"], result.transform_results[0]


ABSENT = "(absent)"


@pytest.mark.parametrize("before, by, after", [
    (1, 2, 3), (1, -2, -1), (1, 0.5, 1.5), (1.5, 1, 2.5), (0.5, 0.5, 1.0), (ABSENT, 3, 3), (ABSENT, 1.5, 1.5),
    ("text", 4, 4), (None, 4, 4), ([1], 2.5, 2.5), (INT_MAX, 1, INT_MAX), (INT_MAX - 1, 5, INT_MAX),
    (INT_MIN, -1, INT_MIN), (INT_MIN, INT_MIN, INT_MIN), (INT_MAX, 1.0, float(2**63)), (1.0, 1, 2.0),
    (math.inf, 1, math.inf), (1, math.inf, math.inf),
], ids=str)
def test_increment(db, before, by, after):
    got, result = transformed(db, before, firestore.Increment(by))
    assert got == after and type(got) is type(after)
    assert _helpers.decode_value(result, db) == after


def test_increment_of_nan_stays_nan(db):
    assert math.isnan(transformed(db, math.nan, firestore.Increment(1))[0])


@pytest.mark.parametrize("before, operand, after", [
    (1, 2, 2), (3, 2, 3), (1.5, 1, 1.5), (1, 1.5, 1.5), (3, 3.0, 3), (3.0, 3, 3.0), (ABSENT, -5, -5), ("text", 1, 1),
    (0.0, -0.0, 0.0), (INT_MAX, 1e30, 1e30), (-math.inf, 0, 0),
], ids=str)
def test_maximum(db, before, operand, after):
    got, result = transformed(db, before, firestore.Maximum(operand))
    assert got == after and type(got) is type(after)
    assert _helpers.decode_value(result, db) == after


@pytest.mark.parametrize("before, operand, after", [
    (1, 2, 1), (3, 2, 2), (1.5, 1, 1), (1, 0.5, 0.5), (3, 3.0, 3), (3.0, 3, 3.0), (ABSENT, 5, 5), ([1], 1, 1),
    (INT_MIN, -1e30, -1e30),
], ids=str)
def test_minimum(db, before, operand, after):
    got, result = transformed(db, before, firestore.Minimum(operand))
    assert got == after and type(got) is type(after)
    assert _helpers.decode_value(result, db) == after


def test_maximum_and_minimum_with_nan_are_nan(db):
    assert math.isnan(transformed(db, 5, firestore.Maximum(math.nan))[0])
    assert math.isnan(transformed(db, math.nan, firestore.Minimum(5))[0])


@pytest.mark.parametrize("before, elements, after", [
    ([1, 2], [2, 3], [1, 2, 3]), (ABSENT, [1, 1, 2], [1, 2]), ("text", [1], [1]), ([], [{"a": 1}], [{"a": 1}]),
    ([{"a": 1}], [{"a": 1}, {"a": 2}], [{"a": 1}, {"a": 2}]), ([1], [1.0], [1]), ([1, 1], [2], [1, 1, 2]),
    ([None], [None], [None]), (["a"], ["A", "a"], ["a", "A"]),
], ids=str)
def test_array_union(db, before, elements, after):
    got, result = transformed(db, before, firestore.ArrayUnion(elements))
    assert got == after and [type(value) for value in got] == [type(value) for value in after]
    assert documents.Value.pb(result).WhichOneof("value_type") == "null_value"


@pytest.mark.parametrize("before, elements, after", [
    ([1, 2, 1, 3], [1], [2, 3]), (ABSENT, [1], []), ("text", [1], []), ([1.0, 2], [1], [2]),
    ([{"a": 1}, {"a": 2}], [{"a": 2}], [{"a": 1}]), ([None, 1], [None], [1]), ([1], [2], [1]),
], ids=str)
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
    batch.set(one, {"t": firestore.SERVER_TIMESTAMP, "in": {"u": firestore.SERVER_TIMESTAMP}, "n": 1})
    batch.set(two, {"t": firestore.SERVER_TIMESTAMP})
    results = batch.commit(timeout=15)
    got = stored(one)
    assert got["n"] == 1
    times = [got["t"], got["in"]["u"], stored(two)["t"]]
    assert len(set(times)) == 1
    assert before < times[0] < datetime.datetime.now(UTC) + datetime.timedelta(seconds=5)
    for result in results:
        for answer in result.transform_results:
            assert answer.timestamp_value == times[0]


def test_transforms_apply_in_order_after_the_update(base):
    answer = base.commit(base.set("t/t", {"n": 5, "kept": 1}, update_transforms=[
        {"field_path": "n", "increment": {"integer_value": 2}},
        {"field_path": "n", "maximum": {"integer_value": 10}},
        {"field_path": "n", "increment": {"double_value": 0.5}},
        {"field_path": "list", "append_missing_elements": {"values": [{"integer_value": 1}]}},
        {"field_path": "t", "set_to_server_value": "REQUEST_TIME"},
    ]))
    results = answer.write_results[0].transform_results
    assert [_helpers.decode_value(result, base.client) for result in results[:4]] == [7, 10, 10.5, None]
    got = stored(base.client.document("t/t"))
    assert (got["n"], got["kept"], got["list"], got["t"]) == (10.5, 1, [1], results[4].timestamp_value)


def test_old_style_transform_write(base):
    base.commit(base.set("t/t", {"n": 1, "kept": 1}))
    answer = base.commit(write.Write(transform=write.DocumentTransform(
        document=base.name("t/t"),
        field_transforms=[{"field_path": "n", "increment": {"integer_value": 2}}])))
    assert answer.write_results[0].transform_results[0].integer_value == 3
    assert stored(base.client.document("t/t")) == {"n": 3, "kept": 1}
    base.commit(write.Write(transform=write.DocumentTransform(
        document=base.name("t/new"),
        field_transforms=[{"field_path": "a.b", "increment": {"integer_value": 2}}])))
    assert stored(base.client.document("t/new")) == {"a": {"b": 2}}


def test_transform_creates_the_document_and_nested_fields(db):
    reference = db.document("t/t")
    reference.set({"a": {"b": firestore.Increment(1)}, "c": firestore.ArrayUnion([1])}, merge=True)
    reference.set({"a": {"b": firestore.Increment(1)}, "d": 1}, merge=True)
    assert stored(reference) == {"a": {"b": 2}, "c": [1], "d": 1}


def test_increment_by_what_is_no_number_is_refused(base):
    request = base.commit_request(base.set("t/t", {}, update_transforms=[
        {"field_path": "n", "increment": {"string_value": "1"}}]))
    assert base.fails("commit", request) == INVALID


@pytest.mark.parametrize("count", [500, 501])
def test_at_most_500_transforms_of_one_document(base, count):
    request = base.commit_request(base.set("t/t", {}, update_transforms=[
        {"field_path": f"f{n}", "increment": {"integer_value": 1}} for n in range(count)]))
    if count == 500:
        assert len(base.call("commit", request).write_results[0].transform_results) == 500
    else:
        assert base.fails("commit", request) == INVALID


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
    results = batch.commit(timeout=15)
    assert len(results) == 5
    assert {doc.id: doc.to_dict() for doc in c.stream(timeout=15)} == {
        "create": {"n": 1}, "set": {"n": 1, "m": 2}, "update": {"n": 2}}


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
        batch.commit(timeout=15)
    assert {doc.id: doc.to_dict() for doc in c.stream(timeout=15)} == {"there": {"n": 1}}


def test_later_writes_of_a_batch_see_earlier_ones(db):
    reference = db.document("b/b")
    batch = db.batch()
    batch.create(reference, {"n": 1})
    batch.update(reference, {"n": firestore.Increment(1)})
    batch.delete(reference)
    batch.create(reference, {"m": 1})
    batch.update(reference, {"m": firestore.Increment(5)})
    batch.commit(timeout=15)
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
            batch.commit(timeout=15)

    writer = threading.Thread(target=run)
    writer.start()
    try:
        for _ in range(100):
            values = {snapshot.to_dict() and snapshot.get("n")
                      for snapshot in base.client.get_all([one, two], timeout=15)}
            if len(values) != 1:
                torn.append(values)
    finally:
        done.set()
        writer.join(30)
    assert torn == []


def test_batch_write_is_not_atomic(base):
    base.commit(base.set("b/there", {"n": 1}))
    answer = base.call("batch_write", rpc.BatchWriteRequest(database=base.database, writes=[
        base.set("b/1", {"n": 1}),
        base.set("b/there", {"n": 2}, current_document=common.Precondition(exists=False)),
        base.set("b/2", {"n": 2}),
        base.delete("b/none", current_document=common.Precondition(exists=True)),
    ]))
    assert [status.code for status in answer.status] == [0, 6, 0, 5]
    assert len(answer.write_results) == 4
    assert answer.write_results[0].update_time
    got = {doc.id: doc.get("n") for doc in base.client.collection("b").stream()}
    assert got == {"1": 1, "2": 2, "there": 1}


def test_batch_write_takes_a_document_once(base):
    request = rpc.BatchWriteRequest(database=base.database, writes=[
        base.set("b/1", {"n": 1}), base.set("b/1", {"n": 2})])
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
    got = {doc.id: doc.to_dict() for doc in c.stream(timeout=15)}
    assert len(got) == 150
    assert got["000"] == {"n": 0, "m": 1} and got["001"] == {"n": 1, "m": 1}
    assert got["there"] == {"n": -1} and "002" not in got


# MARK: Reading many

def test_get_all_answers_each_document_once(db):
    c = db.collection("c")
    for n in range(5):
        c.document(str(n)).set({"n": n, "m": n})
    references = [c.document(str(n)) for n in (4, 7, 0, 4, 2)]
    snapshots = list(db.get_all(references, timeout=15))
    assert sorted(snapshot.id for snapshot in snapshots) == ["0", "2", "4", "7"]
    assert {snapshot.id: snapshot.to_dict() for snapshot in snapshots} == {
        "0": {"n": 0, "m": 0}, "2": {"n": 2, "m": 2}, "4": {"n": 4, "m": 4}, "7": None}
    assert len({snapshot.read_time for snapshot in snapshots}) == 1
    masked = list(db.get_all(references[:1], field_paths=["m"], timeout=15))
    assert masked[0].to_dict() == {"m": 4}


def test_documents_of_another_database_are_refused(base):
    request = rpc.BatchGetDocumentsRequest(
        database=base.database, documents=[f"projects/{base.project}/databases/else/documents/a/b"])
    assert base.fails("batch_get_documents", request) == INVALID


@pytest.mark.parametrize("page_size", [1, 2, 3, 5, 100])
def test_list_documents_by_pages_with_missing_ancestors(db, page_size):
    c = db.collection("c")
    for path in ("a", "b/d/e", "c/d/e/f/g", "d", "e"):
        db.document(f"c/{path}").set({"n": 1})
    listed = list(c.list_documents(page_size=page_size, timeout=15))
    assert [reference.id for reference in listed] == ["a", "b", "c", "d", "e"]


def test_missing_ancestors_have_no_times(base):
    base.commit(base.set("c/a/d/e", {"n": 1}), base.set("c/b", {"n": 1}))
    request = dict(parent=base.root, collection_id="c")
    answer = base.call("list_documents", rpc.ListDocumentsRequest(show_missing=True, **request))
    a, b = answer.documents
    assert (base.path(a.name), base.path(b.name)) == ("c/a", "c/b")
    assert not documents.Document.pb(a).HasField("create_time") and not a.fields
    assert documents.Document.pb(b).HasField("update_time") and b.fields
    answer = base.call("list_documents", rpc.ListDocumentsRequest(**request))
    assert [base.path(document.name) for document in answer.documents] == ["c/b"]


def test_list_documents_with_order_mask_and_pages(base):
    base.commit(*[base.set(f"c/{n}", {"n": n % 3, "m": n}) for n in range(7)])
    seen, token = [], ""
    while True:
        answer = base.call("list_documents", rpc.ListDocumentsRequest(
            parent=base.root, collection_id="c", order_by="n desc", page_size=3, page_token=token,
            mask=common.DocumentMask(field_paths=["m"])))
        assert len(answer.documents) <= 3
        seen += [base.data(document)["m"] for document in answer.documents]
        assert all(set(document.fields) == {"m"} for document in answer.documents)
        token = answer.next_page_token
        if not token:
            break
    assert [n % 3 for n in seen] == [2, 2, 1, 1, 0, 0, 0] and sorted(seen) == list(range(7))


def test_list_documents_of_all_collections_below_a_parent(base):
    base.commit(base.set("a/1", {"n": 1}), base.set("b/2", {"n": 2}))
    answer = base.call("list_documents", rpc.ListDocumentsRequest(parent=base.root))
    assert [base.path(document.name) for document in answer.documents] == ["a/1", "b/2"]


def test_collections_of_root_and_of_a_document(db):
    for path in ("b/1", "a/1", "a/1/z/1", "a/1/y/1", "a/2/x/1", "c/1/d/1"):
        db.document(path).set({"n": 1})
    assert [c.id for c in db.collections(timeout=15)] == ["a", "b", "c"]
    assert [c.id for c in db.document("a/1").collections(timeout=15)] == ["y", "z"]
    assert [c.id for c in db.document("c/1").collections(timeout=15)] == ["d"]
    assert list(db.document("b/1").collections(timeout=15)) == []


def test_collection_ids_come_in_pages(base):
    base.commit(*[base.set(f"c{n:02}/d", {"n": 1}) for n in range(25)])
    seen, token = [], ""
    while True:
        answer = base.call("list_collection_ids", rpc.ListCollectionIdsRequest(
            parent=base.root, page_size=10, page_token=token))
        assert len(list(rpc.ListCollectionIdsResponse.pb(answer).collection_ids)) <= 10
        seen += answer.collection_ids
        token = answer.next_page_token
        if not token:
            break
    assert seen == [f"c{n:02}" for n in range(25)]


def test_emptied_collection_is_no_longer_listed(db):
    db.document("a/1").set({"n": 1})
    db.document("a/1").delete()
    assert list(db.collections(timeout=15)) == []


def test_recursive_delete(db):
    for path in ("a/1", "a/1/b/1", "a/1/b/1/c/1", "a/2/b/1", "ab/1", "a/3"):
        db.document(path).set({"n": 1})
    assert db.recursive_delete(db.document("a/1")) == 3
    assert not db.document("a/1/b/1/c/1").get().exists
    db.recursive_delete(db.collection("a"))
    assert [c.id for c in db.collections()] == ["ab"]


# MARK: The plain operations

def test_get_document_answers_not_found(base):
    assert base.fails("get_document", base.get_request("c/none")) == grpc.StatusCode.NOT_FOUND


def test_create_document_with_and_without_an_id(base):
    def request(**more):
        return rpc.CreateDocumentRequest(parent=base.root, collection_id="c", document=documents.Document(
            fields=_helpers.encode_dict({"n": 1})), **more)

    made = base.call("create_document", request())
    assert len(made.name.split("/")[-1]) == 20 and base.data(made) == {"n": 1}
    assert made.create_time == made.update_time
    made = base.call("create_document", request(document_id="x"))
    assert base.path(made.name) == "c/x"
    assert base.fails("create_document", request(document_id="x")) == grpc.StatusCode.ALREADY_EXISTS
    below = rpc.CreateDocumentRequest(
        parent=base.name("c/x"), collection_id="d", document_id="y", document=documents.Document())
    assert base.path(base.call("create_document", below).name) == "c/x/d/y"


def test_update_document_with_masks(base):
    document = base.document("c/d", {"a": 1, "b": 2})
    base.call("update_document", rpc.UpdateDocumentRequest(document=document))
    answer = base.call("update_document", rpc.UpdateDocumentRequest(
        document=base.document("c/d", {"a": 5}),
        update_mask=common.DocumentMask(field_paths=["a", "c"]),
        mask=common.DocumentMask(field_paths=["b"])))
    assert base.data(answer) == {"b": 2}
    assert stored(base.client.document("c/d")) == {"a": 5, "b": 2}
    request = rpc.UpdateDocumentRequest(
        document=base.document("c/none", {}), current_document=common.Precondition(exists=True))
    assert base.fails("update_document", request) == grpc.StatusCode.NOT_FOUND


def test_delete_document(base):
    base.commit(base.set("c/d", {"n": 1}))
    base.call("delete_document", rpc.DeleteDocumentRequest(name=base.name("c/d")))
    base.call("delete_document", rpc.DeleteDocumentRequest(name=base.name("c/d")))
    request = rpc.DeleteDocumentRequest(
        name=base.name("c/d"), current_document=common.Precondition(exists=True))
    assert base.fails("delete_document", request) == grpc.StatusCode.NOT_FOUND


def test_execute_pipeline_is_unimplemented(base):
    request = rpc.ExecutePipelineRequest(database=base.database)
    assert base.fails("execute_pipeline", request) == grpc.StatusCode.UNIMPLEMENTED


def test_unknown_method_is_unimplemented(base):
    method = base.rpc.grpc_channel.unary_unary("/google.firestore.v1.Firestore/Nothing")
    with pytest.raises(grpc.RpcError) as raised:
        method(b"", timeout=15)
    assert raised.value.code() == grpc.StatusCode.UNIMPLEMENTED


def test_message_that_cannot_be_read_has_a_status(base):
    method = base.rpc.grpc_channel.unary_unary("/google.firestore.v1.Firestore/GetDocument")
    with pytest.raises(grpc.RpcError) as raised:
        method(b"\xff\xff\xff", timeout=15)
    assert raised.value.code() in (INVALID, grpc.StatusCode.INTERNAL)


# MARK: Several projects and databases

def test_projects_and_databases_are_apart(hearth, base):
    others = [
        Firestore(hearth, base.project, "second"), Firestore(hearth, base.project, "third-db"), Firestore(hearth)]
    everything = [base, *others]
    for number, one in enumerate(everything):
        one.client.document("c/d").set({"n": number})
        one.client.document(f"c{number}/d").set({"n": number})
    for number, one in enumerate(everything):
        assert stored(one.client.document("c/d")) == {"n": number}
        assert [c.id for c in one.client.collections()] == ["c", f"c{number}"]
        assert [doc.get("n") for doc in one.client.collection_group("c").stream()] == [number]
    for one in others:
        one.close()


def test_commit_across_databases_is_refused(hearth, base):
    other = Firestore(hearth, base.project, "second")
    request = base.commit_request(base.set("c/d", {}), other.set("c/d", {}))
    assert base.fails("commit", request) == INVALID
    assert not base.client.document("c/d").get().exists


# MARK: Limits

def test_document_of_almost_one_mebibyte(db):
    reference = db.document("c/large")
    text = "x" * (MIB - 1000)
    reference.set({"text": text}, timeout=30)
    assert stored(reference)["text"] == text


@pytest.mark.parametrize("data", [
    {"text": "x" * MIB}, {"bytes": b"x" * MIB}, {"map": {f"{n:05}": n for n in range(80_000)}},
    {"list": [1.0] * (MIB // 8 + 1)}, {"a": "x" * (MIB // 2), "b": "x" * (MIB // 2)},
], ids=["text", "bytes", "map", "list", "two"])
def test_document_of_more_than_one_mebibyte_is_refused(base, data):
    assert base.fails("commit", base.commit_request(base.set("c/large", data)), timeout=30) == INVALID
    assert not base.client.document("c/large").get().exists


def test_update_that_grows_a_document_beyond_the_limit_is_refused(db):
    reference = db.document("c/large")
    reference.set({"a": "x" * 600_000})
    with pytest.raises(exceptions.InvalidArgument):
        reference.update({"b": "x" * 600_000})
    assert set(stored(reference)) == {"a"}


def test_commit_of_several_mebibytes(db):
    batch = db.batch()
    for n in range(9):
        batch.set(db.document(f"c/{n}"), {"text": "x" * 1_000_000})
    batch.commit(timeout=60)
    assert sum(len(doc.get("text")) for doc in db.collection("c").stream(timeout=60)) == 9_000_000


def test_times_are_as_fine_as_a_clients(db):
    ref = db.document("c/d")
    for n in range(20):
        before = datetime.datetime.now(datetime.timezone.utc)
        written = ref.set({"n": n}).update_time
        assert before <= written <= datetime.datetime.now(datetime.timezone.utc)
        now = datetime.datetime.now(datetime.timezone.utc)
        assert ref.get(read_time=now).exists


def nested(depth: int, kind: str):
    value = 1
    for _ in range(depth):
        value = {"m": value}
        if kind == "array":
            value = [value]
    return {"m": value}


@pytest.mark.parametrize("depth, fits", [(18, True), (20, True), (21, False), (25, False)])
def test_depth_of_maps(base, depth, fits):
    request = base.commit_request(base.set("c/deep", nested(depth, "map")))
    if fits:
        base.call("commit", request)
        assert stored(base.client.document("c/deep")) == nested(depth, "map")
    else:
        assert base.fails("commit", request) == INVALID


def test_arrays_count_as_depth(base):
    base.call("commit", base.commit_request(base.set("c/deep", nested(10, "array"))))
    assert base.fails("commit", base.commit_request(base.set("c/deep", nested(11, "array")))) == INVALID


@pytest.mark.parametrize("path", [
    "c/.", "c/..", "c/__x__", "__x__/d", "c/____", "./d", "c//d/e", "c", "c/d/e",
], ids=lambda path: path[:12])
def test_document_name_that_is_not_allowed_is_refused(base, path):
    assert base.fails("commit", base.commit_request(base.set(path, {"n": 1}))) == INVALID
    assert base.fails("get_document", base.get_request(path)) == INVALID


@pytest.mark.parametrize(
    "path", ["c/" + "x" * 1501, "c/" + "ü" * 751, "x" * 1501 + "/d", "c/d" + "/e/f" * 100],
    ids=lambda path: path[:6])
def test_document_name_that_is_too_long_is_not_found(base, path):
    assert base.fails("commit", base.commit_request(base.set(path, {"n": 1}))) == INVALID
    assert base.fails("get_document", base.get_request(path)) == grpc.StatusCode.NOT_FOUND
    base.commit(base.delete(path))


@pytest.mark.parametrize("identifier", [
    "a b", "ü", "😀", "...", "__x", "x__", "x" * 1500, "%2F", "a%b", "a:b", "a?b#c", "\\", "'\"", "__id7__", "_",
    "a\nb", "~", "a.b", "*", "[x]",
], ids=lambda text: ascii(text[:12]))
def test_document_name_that_is_allowed(db, identifier):
    reference = db.collection("c").document(identifier)
    reference.set({"n": 1})
    assert stored(reference) == {"n": 1}
    assert [doc.id for doc in db.collection("c").stream()] == [identifier]
    assert [doc.id for doc in db.collection("c").list_documents()] == [identifier]
    below = reference.collection(identifier).document(identifier)
    below.set({"n": 2})
    assert [c.id for c in reference.collections()] == [identifier]
    assert [doc.reference.path for doc in db.collection_group(identifier).stream()] == [below.path]


@pytest.mark.parametrize("name", ["__x__", "", "x" * 1501], ids=["reserved", "empty", "long"])
def test_field_name_that_is_not_allowed_is_refused(base, name):
    for data in ({name: 1}, {"m": {name: 1}}):
        assert base.fails("commit", base.commit_request(base.set("c/d", data))) == INVALID


def test_names_of_other_databases_and_malformed_ones_are_refused(base):
    for name in ("", "c/d", "projects/p", f"{base.root}", f"{base.root}/", f"{base.database}/c/d",
                 f"{base.root}/c/d/"):
        request = base.commit_request(write.Write(update=documents.Document(name=name)))
        assert base.fails("commit", request) == INVALID, name


def test_write_without_an_operation_is_refused(base):
    assert base.fails("commit", base.commit_request(write.Write())) == INVALID


# MARK: Reading the past

def test_read_time_answers_the_older_version(db):
    reference = db.document("c/d")
    first = reference.set({"n": 1}).update_time
    second = reference.set({"n": 2}).update_time
    reference.delete()
    assert reference.get(read_time=first).to_dict() == {"n": 1}
    assert reference.get(read_time=second).to_dict() == {"n": 2}
    assert not reference.get(read_time=first - datetime.timedelta(microseconds=1)).exists
    assert not reference.get().exists
    docs = db.collection("c").stream(read_time=first)
    assert [doc.to_dict() for doc in docs] == [{"n": 1}]


def test_read_time_before_the_start_is_refused(base):
    """Memory keeps nothing of what an earlier run had."""
    request = rpc.BatchGetDocumentsRequest(
        database=base.database, documents=[base.name("c/d")],
        read_time=datetime.datetime.now(UTC) - datetime.timedelta(days=1))
    assert base.fails("batch_get_documents", request) == grpc.StatusCode.FAILED_PRECONDITION


def test_read_time_of_the_future_is_refused(base):
    request = rpc.BatchGetDocumentsRequest(
        database=base.database, documents=[base.name("c/d")],
        read_time=datetime.datetime.now(UTC) + datetime.timedelta(hours=1))
    assert base.fails("batch_get_documents", request) == INVALID
