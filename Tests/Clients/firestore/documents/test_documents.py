"""Documents with google-cloud-firestore: writes, values, field paths, preconditions."""

import datetime
import math
import struct
import threading

import grpc
import pytest
from google.api_core import exceptions
from google.api_core.datetime_helpers import DatetimeWithNanoseconds
from google.cloud import firestore
from google.cloud.firestore_v1.field_path import FieldPath
from google.cloud.firestore_v1.types import common, write
from google.cloud.firestore_v1.types import document as documents
from google.cloud.firestore_v1.vector import Vector
from support.firestore.documents import stored
from support.firestore.project import base, db, guard  # noqa: F401

UTC = datetime.UTC
INT_MAX, INT_MIN = 2**63 - 1, -(2**63)
INVALID = grpc.StatusCode.INVALID_ARGUMENT


def bits(value: float) -> bytes:
    return struct.pack(">d", value)


# MARK: Create, set, update, delete


def test_created_document_is_read_back(db):
    reference = db.document("cities/LA")
    result = reference.create({"name": "Los Angeles", "n": 1})
    snapshot = reference.get(timeout=30)
    assert snapshot.exists and snapshot.id == "LA"
    assert snapshot.to_dict() == {"name": "Los Angeles", "n": 1}
    assert snapshot.create_time == snapshot.update_time == result.update_time
    assert snapshot.read_time >= snapshot.update_time


def test_missing_document_does_not_exist(db):
    snapshot = db.document("cities/none").get(timeout=30)
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
        "a": 1,
        "b": {"c": 1, "d": 2},
        "f": [2, 3],
        "g": {"h": {"i": True}},
    }
    reference.update({"b": {"x": 1}})
    assert stored(reference)["b"] == {"x": 1}
    reference.update({"b": firestore.DELETE_FIELD, "g.h.i": firestore.DELETE_FIELD})
    assert stored(reference) == {"a": 1, "f": [2, 3], "g": {"h": {}}}


def test_update_through_a_value_that_is_not_a_map_replaces_it(db):
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
    reference.delete(timeout=30)
    assert not reference.get().exists
    reference.delete(timeout=30)


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
    "text": 'a\0b\n"ü€😀\u2028',
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
    kinds = {
        name: documents.Value.pb(value).WhichOneof("value_type") for name, value in fields.items()
    }
    assert kinds == {"i": "integer_value", "d": "double_value"}


def test_nan_and_negative_zero(db):
    reference = db.document("values/v")
    reference.set({"nan": math.nan, "zero": -0.0, "list": [math.nan, -0.0, 0.0]})
    got = stored(reference)
    assert math.isnan(got["nan"]) and bits(got["zero"]) == bits(-0.0)
    assert math.isnan(got["list"][0])
    assert [bits(number) for number in got["list"][1:]] == [bits(-0.0), bits(0.0)]


@pytest.mark.parametrize(
    "time",
    [
        datetime.datetime(2024, 2, 29, 23, 59, 59, 123456, UTC),
        datetime.datetime(1970, 1, 1, tzinfo=UTC),
        datetime.datetime(1969, 12, 31, 23, 59, 59, 999999, UTC),
        datetime.datetime(1, 1, 1, tzinfo=UTC),
        datetime.datetime(9999, 12, 31, 23, 59, 59, 999999, UTC),
    ],
    ids=str,
)
def test_timestamp_is_kept_to_the_microsecond(db, time):
    reference = db.document("values/v")
    reference.set({"t": time})
    assert stored(reference)["t"] == time


def test_nanoseconds_are_cut_to_microseconds(base):
    base.client.document("values/v").set(
        {"t": DatetimeWithNanoseconds(2024, 1, 1, nanosecond=123456789, tzinfo=UTC)}
    )
    document = base.call("get_document", base.get_request("values/v"))
    assert documents.Document.pb(document).fields["t"].timestamp_value.nanos == 123456000


def test_references_points_and_vectors(db):
    reference = db.document("values/v")
    there = db.document("other/place/below/it ü")
    point = firestore.GeoPoint(-90.0, 179.999)
    reference.set({"r": there, "g": point, "v": Vector([1.0, -2.5, 0.0]), "all": [there, point]})
    got = stored(reference)
    assert got["r"]._document_path == there._document_path
    assert got["g"] == point and got["v"] == Vector([1.0, -2.5, 0.0])
    assert got["all"][0].path == there.path and got["all"][1] == point


def test_reference_to_another_project_is_kept(base):
    name = "projects/else/databases/other/documents/a/b"
    base.commit(
        write.Write(
            update=documents.Document(
                name=base.name("values/v"), fields={"r": documents.Value(reference_value=name)}
            )
        )
    )
    got = base.call("get_document", base.get_request("values/v"))
    assert got.fields["r"].reference_value == name


@pytest.mark.parametrize(
    "value",
    [
        documents.Value(geo_point_value={"latitude": 90.5, "longitude": 0}),
        documents.Value(geo_point_value={"latitude": 0, "longitude": -181}),
        documents.Value(reference_value="not a name"),
        documents.Value(
            array_value={"values": [{"array_value": {"values": [{"integer_value": 1}]}}]}
        ),
    ],
    ids=["latitude", "longitude", "reference", "array in array"],
)
def test_value_that_cannot_be_stored_is_refused(base, value):
    request = base.commit_request(
        write.Write(update=documents.Document(name=base.name("values/v"), fields={"v": value}))
    )
    assert base.fails("commit", request) == INVALID
    assert not base.client.document("values/v").get().exists


def test_document_of_every_value_at_once(db):
    reference = db.document("values/all")
    reference.set(dict(VALUES.items()))
    assert stored(reference) == VALUES


# MARK: Field paths

NAMES = [
    "a.b",
    "a b",
    "ü",
    "😀",
    "a`b",
    "a\\b",
    "a/b",
    "a*b",
    "~",
    "[0]",
    "0",
    "1a",
    "-",
    "a~b",
    '"',
    "'",
    "__a",
    "a__",
    "_",
    "\n",
    "`",
    "\\",
    "`.`",
]


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_field_name_of_special_characters(db, name):
    reference = db.document("fields/f")
    reference.set({name: 1, "other": {name: 1, "kept": 1}})
    path = FieldPath("other", name).to_api_repr()
    reference.update({path: 2, FieldPath(name).to_api_repr(): 3})
    assert stored(reference) == {name: 3, "other": {name: 2, "kept": 1}}
    assert reference.get([path]).to_dict() == {"other": {name: 2}}
    assert reference.get().get(path) == 2
    reference.update(
        {path: firestore.DELETE_FIELD, FieldPath(name).to_api_repr(): firestore.Increment(4)}
    )
    assert stored(reference) == {name: 7, "other": {"kept": 1}}


@pytest.mark.parametrize("path", ["", "a..b", ".a", "a.", "`a", "a b", "1a", "a-b"], ids=ascii)
def test_malformed_field_path_in_a_mask_is_refused(base, path):
    request = base.commit_request(
        base.set("fields/f", {"a": 1}, update_mask=common.DocumentMask(field_paths=[path]))
    )
    assert base.fails("commit", request) == INVALID


def test_mask_over_absent_fields_deletes_them(base):
    base.commit(base.set("f/f", {"a": 1, "b": {"c": 1, "d": 1}}))
    base.commit(
        base.set("f/f", {}, update_mask=common.DocumentMask(field_paths=["a", "b.c", "z.z"]))
    )
    assert stored(base.client.document("f/f")) == {"b": {"d": 1}}


# MARK: Preconditions


def test_update_with_the_right_time_succeeds_once(db):
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


@pytest.mark.parametrize(
    "exists, condition, code",
    [
        (True, {"exists": True}, None),
        (True, {"exists": False}, grpc.StatusCode.ALREADY_EXISTS),
        (False, {"exists": True}, grpc.StatusCode.NOT_FOUND),
        (False, {"exists": False}, None),
        (
            True,
            {"update_time": datetime.datetime(2000, 1, 1, tzinfo=UTC)},
            grpc.StatusCode.FAILED_PRECONDITION,
        ),
        (
            False,
            {"update_time": datetime.datetime(2000, 1, 1, tzinfo=UTC)},
            grpc.StatusCode.FAILED_PRECONDITION,
        ),
        (True, {"update_time": datetime.datetime(2100, 1, 1, tzinfo=UTC)}, INVALID),
        (
            False,
            {"update_time": datetime.datetime(2100, 1, 1, tzinfo=UTC)},
            grpc.StatusCode.FAILED_PRECONDITION,
        ),
        (True, {"update_time": datetime.datetime(1960, 1, 1, tzinfo=UTC)}, INVALID),
    ],
)
def test_precondition_of_a_set(base, exists, condition, code):
    if exists:
        base.commit(base.set("c/d", {"n": 1}))
    request = base.commit_request(
        base.set("c/d", {"n": 2}, current_document=common.Precondition(**condition))
    )
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
    request = base.commit_request(
        verified(base, "c/read", update_time=time), base.set("c/w", {"n": 3})
    )
    assert base.fails("commit", request) == grpc.StatusCode.FAILED_PRECONDITION
    request = base.commit_request(verified(base, "c/read", exists=False), base.set("c/w", {"n": 3}))
    assert base.fails("commit", request) == grpc.StatusCode.ALREADY_EXISTS
    assert stored(base.client.document("c/w")) == {"n": 2}
