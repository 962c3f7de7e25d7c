"""Queries and aggregations (sdk-wire B.4, B.6): each operator, order, cursors, and random queries against a model."""

import datetime
import math
import random

import grpc
import pytest
from google.api_core import exceptions
from google.cloud import firestore
from google.cloud.firestore_v1 import _helpers
from google.cloud.firestore_v1.base_vector_query import DistanceMeasure
from google.cloud.firestore_v1.field_path import FieldPath
from google.cloud.firestore_v1.types import (
    common, document as documents, firestore as rpc, query as queries)
from google.cloud.firestore_v1.vector import Vector

from support.firestore.model import MISSING, Composite, Filter, ModelQuery, lookup, order
from support.firestore.project import Firestore, base, db, guard

UTC = datetime.timezone.utc
INVALID = grpc.StatusCode.INVALID_ARGUMENT
DESCENDING = firestore.Query.DESCENDING
QUERIES = 300


def where(source, path, op, value):
    return source.where(filter=firestore.FieldFilter(path, op, value))


def ids(query, **more) -> list[str]:
    return [doc.id for doc in query.stream(timeout=30, **more)]


def fill(db, data: dict[str, dict], collection: str = "c"):
    items = list(data.items())
    for start in range(0, len(items), 400):
        batch = db.batch()
        for name, fields in items[start:start + 400]:
            batch.set(db.collection(collection).document(name), fields)
        batch.commit(timeout=30)
    return db.collection(collection)


NUMBERS = {"a": {"n": 1}, "b": {"n": 2}, "c": {"n": 2.0}, "d": {"n": 3}, "e": {"n": "2"}, "f": {"n": None},
           "g": {"m": 2}, "h": {"n": math.nan}, "i": {"n": [2]}, "j": {"n": True}}


# MARK: Operators

@pytest.mark.parametrize("op, value, expected", [
    ("==", 2, "bc"), ("==", 2.0, "bc"), ("==", "2", "e"), ("==", None, "f"), ("==", math.nan, "h"), ("==", [2], "i"),
    ("==", True, "j"), ("==", 7, ""),
    ("<", 2, "a"), ("<=", 2, "abc"), (">", 2, "d"), (">=", 2, "bcd"), (">", "1", "e"), (">=", False, "j"),
    (">", [1], "i"), ("<", "2", ""),
    ("!=", 2, "jhadei"), ("!=", None, "jhabcdei"), ("!=", math.nan, "jabcdei"), ("!=", "2", "jhabcdi"),
    ("in", [1, 3], "ad"), ("in", [2, "2"], "bce"), ("in", [[2], 9], "i"), ("in", [5], ""),
    ("not-in", [2, 3], "jhaei"), ("not-in", ["2", True], "habcdi"),
    ("array_contains", 2, "i"), ("array_contains", 1, ""), ("array_contains_any", [1, 2], "i"),
])
def test_operator(db, op, value, expected):
    c = fill(db, NUMBERS)
    assert "".join(ids(where(c, "n", op, value))) == expected


@pytest.mark.parametrize("op, expected", [
    ("IS_NULL", "f"), ("IS_NAN", "h"), ("IS_NOT_NULL", "jhabcdei"), ("IS_NOT_NAN", "jabcdei")])
def test_unary_operator(base, op, expected):
    fill(base.client, NUMBERS)
    query = structured("c", where={"unary_filter": {"field": {"field_path": "n"}, "op": op}})
    assert "".join(name[-1] for name in run(base, query)) == expected


def structured(collection: str, all_descendants: bool = False, **more) -> queries.StructuredQuery:
    return queries.StructuredQuery(
        from_=[{"collection_id": collection, "all_descendants": all_descendants}], **more)


def run(base, query, parent: str = "") -> list[str]:
    answers = base.stream("run_query", rpc.RunQueryRequest(
        parent=f"{base.root}/{parent}".rstrip("/"), structured_query=query))
    return [base.path(answer.document.name) for answer in answers if answer.document.name]


def test_equality_with_values_of_every_type(db):
    values = {
        "null": None, "bool": False, "int": 5, "double": 2.5, "time": datetime.datetime(2024, 1, 1, tzinfo=UTC),
        "text": "ü😀", "bytes": b"\0\xff", "reference": db.document("x/y"), "point": firestore.GeoPoint(1, 2),
        "array": [1, {"a": "b"}], "vector": Vector([1.0, 2.0]), "map": {"a": [1], "b": {"c": None}}, "empty": {},
        "none": [], "zero": ""}
    c = fill(db, {name: {"v": value} for name, value in values.items()})
    for name, value in values.items():
        if name == "vector":
            continue
        assert ids(where(c, "v", "==", value)) == [name], name


def test_nested_and_quoted_fields(db):
    c = fill(db, {"a": {"m": {"x.y": 1, "z": [1]}}, "b": {"m": {"x": {"y": 1}}}})
    assert ids(where(c, FieldPath("m", "x.y").to_api_repr(), "==", 1)) == ["a"]
    assert ids(where(c, "m.x.y", "==", 1)) == ["b"]
    assert ids(where(c, "m.z", "array_contains", 1)) == ["a"]


def test_range_stays_within_its_type(db):
    time = datetime.datetime(2024, 1, 1, tzinfo=UTC)
    c = fill(db, {"a": {"v": "b"}, "b": {"v": 5}, "c": {"v": time}, "d": {"v": b"b"}, "e": {"v": [5]}, "f": {"v": {}}})
    assert ids(where(c, "v", ">=", "a")) == ["a"]
    assert ids(where(c, "v", "<", time + datetime.timedelta(days=1))) == ["c"]
    assert ids(where(c, "v", ">", b"a")) == ["d"]
    assert ids(where(c, "v", "<=", {"a": 1})) == ["f"]


def test_ranges_of_one_and_of_two_fields(db):
    c = fill(db, {f"{x}{y}": {"x": x, "y": y} for x in range(5) for y in range(5)})
    assert ids(where(where(c, "x", ">", 1), "x", "<=", 2)) == ["20", "21", "22", "23", "24"]
    # Without an order the fields of inequalities follow in the order of their names.
    assert ids(where(where(c, "y", ">", 3), "x", "<", 2)) == ["04", "14"]
    query = where(where(c, "x", ">=", 3), "y", "<", 2).order_by("y")
    assert ids(query) == ["30", "40", "31", "41"]
    query = where(where(c, "x", ">=", 3), "y", "<", 2).order_by("y", direction=DESCENDING)
    assert ids(query) == ["41", "31", "40", "30"]


def test_array_contains_elements_of_every_kind(db):
    c = fill(db, {"a": {"v": [1, None]}, "b": {"v": [1.0, {"k": 1}]}, "c": {"v": ["1"]}, "d": {"v": []}, "e": {"v": 1}})
    assert ids(where(c, "v", "array_contains", 1)) == ["a", "b"]
    assert ids(where(c, "v", "array_contains", {"k": 1})) == ["b"]
    assert ids(where(c, "v", "array_contains", "1")) == ["c"]
    assert ids(where(c, "v", "array_contains_any", ["1", {"k": 1.0}])) == ["b", "c"]
    assert ids(where(where(c, "v", "array_contains", 1), "v", "==", [1, None])) == ["a"]


def test_composite_filters(db):
    c = fill(db, {f"{x}{y}": {"x": x, "y": y} for x in range(4) for y in range(4)})
    x1, y2 = firestore.FieldFilter("x", "==", 1), firestore.FieldFilter("y", "==", 2)
    assert ids(c.where(filter=firestore.And([x1, y2]))) == ["12"]
    assert ids(c.where(filter=firestore.Or([x1, y2]))) == ["02", "10", "11", "12", "13", "22", "32"]
    nested = firestore.Or([
        firestore.And([x1, y2]),
        firestore.And([firestore.FieldFilter("x", "in", [0, 3]), firestore.FieldFilter("y", "==", 0)])])
    assert ids(c.where(filter=nested)) == ["00", "12", "30"]
    assert ids(where(c.where(filter=firestore.Or([x1, y2])), "x", "==", 3)) == ["32"]
    ranges = firestore.Or([firestore.FieldFilter("x", "<", 1), firestore.FieldFilter("x", ">", 2)])
    assert ids(c.where(filter=ranges).order_by("x", direction=DESCENDING).limit(5)) == ["33", "32", "31", "30", "03"]


def test_or_with_an_inequality_leaves_out_what_lacks_its_field(db):
    c = fill(db, {"a": {"x": 5, "y": 0}, "b": {"y": 1}, "c": {"x": 1, "y": 1}})
    query = c.where(filter=firestore.Or([
        firestore.FieldFilter("x", ">", 3), firestore.FieldFilter("y", "==", 1)]))
    assert ids(query) == ["c", "a"]


def test_document_matching_both_sides_of_or_comes_once(db):
    c = fill(db, {"a": {"v": [1, 2]}})
    assert ids(where(c, "v", "array_contains_any", [1, 2])) == ["a"]
    assert ids(c.where(filter=firestore.Or([
        firestore.FieldFilter("v", "array_contains", 1), firestore.FieldFilter("v", "array_contains", 2)]))) == ["a"]


# MARK: Names

def test_filters_of_the_name(db):
    c = fill(db, {name: {"n": 1} for name in "abcd"})
    name = FieldPath.document_id()
    assert ids(where(c, name, "==", c.document("b"))) == ["b"]
    assert ids(where(c, name, ">", c.document("b"))) == ["c", "d"]
    assert ids(where(c, name, "in", [c.document("d"), c.document("a"), c.document("x")])) == ["a", "d"]
    assert ids(where(c, name, "not-in", [c.document("d"), c.document("a")])) == ["b", "c"]
    down = where(c, "n", "==", 1).order_by(name, direction=DESCENDING)
    assert ids(down.limit(2)) == ["d", "c"]
    with pytest.raises(exceptions.FailedPrecondition, match="descending key scans"):
        ids(c.order_by(name, direction=DESCENDING).limit(2))
    assert ids(c.order_by(name).start_after({"__name__": c.document("b")})) == ["c", "d"]


def test_names_are_in_byte_order(db):
    names = ["~", "a", "A", "Z", "aa", "a b", "é", "z", "￿", "😀", "0", "10", "9", "_"]
    c = fill(db, {name: {"n": 1} for name in names})
    assert ids(c) == sorted(names, key=str.encode)


# MARK: Order

ORDERED = [
    None, False, True, math.nan, -math.inf, -2**63, -1.5, -1, 0, 0.5, 1, 2**53, 2**53 + 1, 2**63 - 1, float(2**63),
    math.inf, datetime.datetime(1, 1, 1, tzinfo=UTC), datetime.datetime(2024, 1, 1, 0, 0, 0, 1, UTC),
    datetime.datetime(2024, 1, 1, 0, 0, 0, 2, UTC), "", "\0", "\0\0", "\0\x01", "\x01", "A", "a", "a\0", "aa", "b", "é",
    "￿", "😀", b"", b"\0", b"\0\0", b"\x01", b"a", b"\xff", b"\xff\xff",
    "ref:a/b", "ref:a/b/c/d", "ref:a/b!", "ref:a/c", "ref:aa/a",
    firestore.GeoPoint(-90, 0), firestore.GeoPoint(0, -180), firestore.GeoPoint(0, 180), firestore.GeoPoint(1, -1),
    [], [None], [1], [1, 1], [1, "a"], [2], ["a"], ["b", 1], [{"a": 1}],
    Vector([5.0]), Vector([6.0]), Vector([1.0, 2.0]), Vector([1.0, 3.0]), Vector([0.0, 0.0, 0.0]),
    {}, {"a": None}, {"a": 1}, {"a": 1, "b": 0}, {"a": 2}, {"a": "x"}, {"b": 0}, {"é": 1},
]


@pytest.mark.parametrize("down", [False, True])
def test_mixed_values_in_their_order(db, down):
    values = [db.document(value[4:]) if isinstance(value, str) and value.startswith("ref:") else value
              for value in ORDERED]
    numbers = list(range(len(values)))
    random.Random(1).shuffle(numbers)
    c = fill(db, {f"{place:03}": {"v": values[number], "i": number} for place, number in enumerate(numbers)})
    fill(db, {"without": {"i": 0}})
    query = c.order_by("v", direction=DESCENDING) if down else c.order_by("v")
    got = [doc.get("i") for doc in query.stream(timeout=30)]
    assert got == sorted(numbers, reverse=down)


def test_equal_numbers_of_two_kinds_are_ordered_by_name(db):
    c = fill(db, {"a": {"v": 1.0}, "b": {"v": 1}, "c": {"v": 1.0}, "d": {"v": 0}, "e": {"v": -0.0}, "f": {"v": 0.0}})
    assert ids(c.order_by("v")) == ["d", "e", "f", "a", "b", "c"]
    assert ids(c.order_by("v", direction=DESCENDING)) == ["c", "b", "a", "f", "e", "d"]
    assert ids(where(c, "v", "==", 0)) == ["d", "e", "f"]


def test_order_by_several_fields(db):
    data = {f"{x}{y}{z}": {"x": x, "y": y, "z": z} for x in range(3) for y in range(3) for z in range(3)}
    c = fill(db, data)
    got = ids(c.order_by("y", direction=DESCENDING).order_by("x").order_by("z", direction=DESCENDING))
    assert got == sorted(data, key=lambda n: (-data[n]["y"], data[n]["x"], -data[n]["z"]))
    got = ids(c.order_by("y").order_by("__name__", direction=DESCENDING))
    assert got == sorted(sorted(data, reverse=True), key=lambda n: data[n]["y"])
    got = ids(c.order_by("y", direction=DESCENDING))
    assert got == sorted(data, key=lambda n: (data[n]["y"], n), reverse=True)


def test_document_without_an_ordered_field_is_left_out(db):
    c = fill(db, {"a": {"x": 1}, "b": {"x": 0, "y": 1}, "c": {"y": 0}, "d": {"x": None, "y": None}})
    assert ids(c.order_by("x")) == ["d", "b", "a"]
    assert ids(c.order_by("x").order_by("y")) == ["d", "b"]


def test_long_texts_that_differ_late_keep_their_order(db):
    c = fill(db, {"a": {"v": "x" * 1400 + "b"}, "b": {"v": "x" * 1400 + "a"}, "c": {"v": "x" * 1400}})
    assert ids(c.order_by("v")) == ["c", "b", "a"]
    assert ids(where(c, "v", "==", "x" * 1400 + "a")) == ["b"]


def test_long_values_of_equal_beginning_are_told_apart_by_equality(db):
    c = fill(db, {"a": {"v": "x" * 5000 + "b"}, "b": {"v": "x" * 5000 + "a"}})
    assert ids(where(c, "v", "==", "x" * 5000 + "a")) == ["b"]


# MARK: Cursors, limits, projection

def test_cursors_of_values(db):
    c = fill(db, {f"{n}": {"n": n // 2, "m": n} for n in range(8)})
    q = c.order_by("n")
    assert ids(q.start_at({"n": 2})) == ["4", "5", "6", "7"]
    assert ids(q.start_after({"n": 2})) == ["6", "7"]
    assert ids(q.end_at({"n": 1})) == ["0", "1", "2", "3"]
    assert ids(q.end_before({"n": 1})) == ["0", "1"]
    assert ids(q.start_after({"n": 0}).end_before({"n": 3})) == ["2", "3", "4", "5"]
    assert ids(q.order_by("m", direction=DESCENDING).start_after({"n": 1, "m": 3})) == ["2", "5", "4", "7", "6"]
    assert ids(c.order_by("n", direction=DESCENDING).start_at({"n": 1})) == ["3", "2", "1", "0"]
    assert ids(q.start_at({"n": "text"})) == [] and ids(q.start_at({"n": None})) == list("01234567")


def test_cursors_of_snapshots(db):
    c = fill(db, {f"{n}": {"n": n // 3, "m": -n} for n in range(9)})
    four = c.document("4").get()
    q = c.order_by("n")
    assert ids(q.start_at(four)) == ["4", "5", "6", "7", "8"]
    assert ids(q.start_after(four).limit(2)) == ["5", "6"]
    assert ids(q.end_before(four)) == ["0", "1", "2", "3"]
    assert ids(q.end_at(four)) == ["0", "1", "2", "3", "4"]
    assert ids(c.order_by("n", direction=DESCENDING).start_after(four)) == ["3", "2", "1", "0"]
    assert ids(where(c, "n", ">", 0).order_by("n").start_after(four)) == ["5", "6", "7", "8"]
    assert ids(c.start_after(four)) == ["5", "6", "7", "8"]


@pytest.mark.parametrize("down", [False, True])
def test_pages_by_cursor_show_everything_once(db, down):
    c = fill(db, {f"{n:03}": {"n": n % 7} for n in range(100)})
    query = c.order_by("n", direction=DESCENDING if down else "ASCENDING").limit(9)
    seen, page = [], list(query.stream(timeout=30))
    while page:
        seen += [(doc.get("n"), doc.id) for doc in page]
        page = list(query.start_after(page[-1]).stream(timeout=30))
    assert seen == sorted(seen, reverse=down) and len(set(seen)) == 100


def test_offset_and_limit(base):
    c = fill(base.client, {f"{n}": {"n": n} for n in range(9)})
    assert ids(c.order_by("n").offset(3).limit(2)) == ["3", "4"]
    assert ids(c.offset(8)) == ["8"] and ids(c.offset(20)) == []
    assert ids(c.limit(100)) == [f"{n}" for n in range(9)]
    assert ids(c.order_by("n").start_at({"n": 2}).offset(1).limit(1)) == ["3"]
    answers = base.stream("run_query", rpc.RunQueryRequest(
        parent=base.root, structured_query=structured("c", offset=4)))
    assert sum(answer.skipped_results for answer in answers) == 4


def test_limit_to_last(db):
    c = fill(db, {f"{n}": {"n": n} for n in range(9)})
    assert [doc.id for doc in c.order_by("n").limit_to_last(3).get(timeout=30)] == ["6", "7", "8"]
    query = where(c, "n", "<", 5).order_by("n", direction=DESCENDING).limit_to_last(2)
    assert [doc.id for doc in query.get(timeout=30)] == ["1", "0"]


def test_projection(base):
    c = fill(base.client, {"a": {"n": 1, "m": {"x": 1, "y": 2}, "o.p": 3}, "b": {"n": 2}})
    got = {doc.id: doc.to_dict() for doc in c.select(["m.x", "`o.p`"]).stream(timeout=30)}
    assert got == {"a": {"m": {"x": 1}, "o.p": 3}, "b": {}}
    got = {doc.id: doc.to_dict() for doc in c.select([]).stream(timeout=30)}
    assert got == {"a": {}, "b": {}}
    got = [doc.to_dict() for doc in where(c, "n", ">", 1).select(["m"]).stream(timeout=30)]
    assert got == [{}]
    [answer] = [a for a in base.stream("run_query", rpc.RunQueryRequest(
        parent=base.root, structured_query=structured("c", select={"fields": [{"field_path": "n"}]}, limit=1)))
        if a.document.name]
    assert set(answer.document.fields) == {"n"} and answer.document.update_time and answer.read_time


def test_empty_result_is_one_message_with_a_time(base):
    [answer] = base.stream("run_query", rpc.RunQueryRequest(
        parent=base.root, structured_query=structured("none")))
    assert not answer.document.name and answer.read_time


def test_query_may_begin_a_transaction(base):
    base.commit(base.set("c/a", {"n": 1}))
    answers = base.stream("run_query", rpc.RunQueryRequest(
        parent=base.root, structured_query=structured("c"),
        new_transaction=common.TransactionOptions(read_write={})))
    assert answers[0].transaction
    assert not any(answer.transaction for answer in answers[1:])
    base.commit(base.set("c/a", {"n": 2}), transaction=answers[0].transaction)


# MARK: Where queries look

def test_query_sees_its_collection_only(db):
    fill(db, {"a": {"n": 1}})
    fill(db, {"b": {"n": 1}}, "c/a/c")
    fill(db, {"d": {"n": 1}}, "cc")
    assert ids(db.collection("c")) == ["a"]
    assert ids(db.collection("c/a/c")) == ["b"]
    assert ids(where(db.collection("c"), "n", "==", 1)) == ["a"]


def test_collection_group(db):
    for path in ("g/1", "g/3", "x/a/g/2", "x/b/g/2", "x/b/y/c/g/0", "x/b/gg/9", "g/1/g/1"):
        db.document(path).set({"n": int(path[-1]), "p": path})
    group = db.collection_group("g")
    every = ["g/1", "g/1/g/1", "g/3", "x/a/g/2", "x/b/g/2", "x/b/y/c/g/0"]

    def paths(query):
        return [doc.reference.path for doc in query.stream(timeout=30)]

    assert paths(group) == every
    assert paths(where(group, "n", "==", 2)) == ["x/a/g/2", "x/b/g/2"]
    assert paths(where(group, "n", ">", 1).order_by("n", direction=DESCENDING)) == ["g/3", "x/b/g/2", "x/a/g/2"]
    assert paths(group.order_by("n").limit(3)) == ["x/b/y/c/g/0", "g/1", "g/1/g/1"]
    assert paths(where(group, "__name__", ">", db.document("g/3"))) == every[3:]
    assert paths(where(group, "__name__", "==", db.document("x/a/g/2"))) == ["x/a/g/2"]
    assert [doc.reference.path for doc in group.order_by("n").limit_to_last(2).get()] == ["x/b/g/2", "g/3"]
    assert group.count().get(timeout=30)[0][0].value == 6


def test_collection_group_below_a_document(base):
    base.commit(*[base.set(path, {"n": 1}) for path in ("x/a/g/1", "x/a/y/b/g/2", "x/b/g/3", "g/4")])
    assert run(base, structured("g", True), "x/a") == ["x/a/g/1", "x/a/y/b/g/2"]
    assert run(base, structured("g"), "x/a") == ["x/a/g/1"]


def test_query_of_everything(base):
    paths = ["a/1", "a/1/b/1", "b/1", "c/1/d/2/e/3"]
    base.commit(*[base.set(path, {"n": 1}) for path in paths])
    query = queries.StructuredQuery(from_=[{"all_descendants": True}])
    assert run(base, query) == paths
    assert run(base, query, "a/1") == ["a/1/b/1"]


@pytest.mark.parametrize("count", [1, 2, 5, 40])
def test_partitions_cover_the_group_once(db, count):
    batch = db.batch()
    for n in range(200):
        batch.set(db.document(f"x/{n % 9}/g/{n:03}"), {"n": n})
    batch.commit(timeout=30)
    seen = []
    partitions = list(db.collection_group("g").get_partitions(count, timeout=30))
    # Asked is how many cuts there may be.
    assert 1 <= len(partitions) <= count + 1
    for partition in partitions:
        seen += [doc.get("n") for doc in partition.query().stream(timeout=30)]
    assert sorted(seen) == list(range(200))


# MARK: Changes are seen

def test_index_follows_updates_and_deletes(db):
    c = fill(db, {f"{n}": {"n": n, "t": [n], "m": {"x": n}} for n in range(6)})
    c.document("0").update({"n": 100})
    c.document("1").update({"n": firestore.DELETE_FIELD})
    c.document("2").delete()
    c.document("3").set({"m": {"x": 0}})
    c.document("4").update({"t": firestore.ArrayUnion([0])})
    c.document("5").update({"n": firestore.Increment(1)})
    assert ids(c.order_by("n")) == ["4", "5", "0"]
    assert ids(where(c, "n", ">=", 5)) == ["5", "0"] and ids(where(c, "n", "==", 5)) == []
    assert ids(where(c, "n", "==", 6)) == ["5"]
    assert ids(where(c, "t", "array_contains", 0)) == ["0", "4"]
    assert ids(where(c, "t", "array_contains", 3)) == []
    assert ids(where(c, "m.x", "==", 0)) == ["0", "3"]
    assert ids(where(c, "m", "==", {"x": 0})) == ["0", "3"]
    assert c.count().get()[0][0].value == 5


# MARK: Aggregations

def aggregate(query) -> dict:
    [[*results]] = query.get(timeout=30)
    return {result.alias: result.value for result in results}


def test_count_sum_and_average(db):
    c = fill(db, {f"{n}": {"n": n, "k": n % 2} for n in range(10)})
    query = c.count(alias="all").sum("n", alias="sum").avg("n", alias="avg")
    assert aggregate(query) == {"all": 10, "sum": 45, "avg": 4.5}
    odd = where(c, "k", "==", 1)
    assert aggregate(odd.count(alias="c").sum("n", alias="s").avg("n", alias="a")) == {"c": 5, "s": 25, "a": 5.0}
    assert aggregate(c.order_by("n").limit(3).count(alias="c").sum("n", alias="s")) == {"c": 3, "s": 3}
    assert aggregate(c.order_by("n").start_at({"n": 8}).count(alias="c")) == {"c": 2}
    assert aggregate(c.order_by("n").offset(4).count(alias="c")) == {"c": 6}


def test_an_aggregation_with_a_limit_is_of_the_first_by_its_field(db):
    """As Google's own tests of production say; the name decides last."""
    c = fill(db, {f"{n}": {"n": 9 - n, "m": n % 3} for n in range(10)} | {"00": {"k": 1}})
    assert aggregate(c.limit(3).sum("n", alias="s").count(alias="c")) == {"s": 3, "c": 3}
    assert aggregate(c.limit(3).avg("n", alias="a")) == {"a": 1.0}
    assert aggregate(c.offset(8).sum("n", alias="s")) == {"s": 17}
    assert aggregate(c.order_by("m").limit(2).sum("n", alias="s")) == {"s": 3}
    assert aggregate(c.order_by("m", direction="DESCENDING").limit(1).sum("n", alias="s")) == {"s": 7}
    with pytest.raises(exceptions.InvalidArgument, match="requires an index"):
        aggregate(c.order_by("__name__").limit(3).sum("n", alias="s"))
    assert aggregate(where(c, "m", ">", 0).limit(2).sum("n", alias="s")) == {"s": 7}


def test_aggregations_without_an_alias_are_numbered(db):
    c = fill(db, {"a": {"n": 1}, "b": {"n": 4}})
    assert aggregate(c.count().sum("n").avg("n")) == {"field_1": 2, "field_2": 5, "field_3": 2.5}


def test_aggregations_of_nothing(base):
    assert {name: aggregated_value(base, aggregation) for name, aggregation in {
        "c": {"count": {}}, "s": {"sum": {"field": {"field_path": "n"}}},
        "a": {"avg": {"field": {"field_path": "n"}}}}.items()} == {"c": 0, "s": 0, "a": None}


@pytest.mark.parametrize("values, total, mean", [
    ([1, 2, 3], 6, 2.0), ([1, 2.5], 3.5, 1.75), ([1, "x", None, True, [5]], 1, 1.0), (["x"], 0, None),
    ([2**63 - 1, 2**63 - 1], float(2**64), float(2**63)), ([2**63 - 1, 1, -2], 2**63 - 2, (2**63 - 2) / 3),
    ([1.5, 1.5], 3.0, 1.5), ([math.inf, 1], math.inf, math.inf),
], ids=str)
def test_sum_and_average_of(base, values, total, mean):
    fill(base.client, {f"{n}": {"v": value} for n, value in enumerate(values)})
    assert aggregated_value(base, {"sum": {"field": {"field_path": "v"}}}) == pytest.approx(total)
    got = aggregated_value(base, {"avg": {"field": {"field_path": "v"}}})
    assert got is None if mean is None else got == pytest.approx(mean)


def test_sum_of_integers_is_an_integer_and_average_a_double(base):
    fill(base.client, {"a": {"n": 1}, "b": {"n": 3}})
    answer = aggregated(base, structured("c"), {"alias": "s", "sum": {"field": {"field_path": "n"}}},
                        {"alias": "a", "avg": {"field": {"field_path": "n"}}})
    fields = answer.result.aggregate_fields
    kinds = {name: documents.Value.pb(value).WhichOneof("value_type") for name, value in fields.items()}
    assert kinds == {"s": "integer_value", "a": "double_value"}


def test_nan_spoils_sum_and_average(db):
    c = fill(db, {"a": {"v": math.nan}, "b": {"v": 1}})
    assert math.isnan(aggregate(c.sum("v", alias="s"))["s"])
    assert math.isnan(aggregate(c.avg("v", alias="a"))["a"])


def aggregated(base, query, *aggregations, **more):
    *begun, answer = base.stream("run_aggregation_query", rpc.RunAggregationQueryRequest(
        parent=base.root, structured_aggregation_query=queries.StructuredAggregationQuery(
            structured_query=query, aggregations=list(aggregations)), **more))
    assert answer.read_time and [first.transaction != b"" for first in begun] == (
        [True] if "new_transaction" in more else [])
    return answer


def aggregated_value(base, aggregation: dict):
    """The client reads a null as zero."""
    answer = aggregated(base, structured("c"), {"alias": "x", **aggregation})
    return _helpers.decode_value(answer.result.aggregate_fields["x"], base.client)


def test_count_up_to(base):
    fill(base.client, {f"{n}": {"n": n} for n in range(10)})
    for limit, expected in ((0, 0), (3, 3), (10, 10), (11, 10)):
        answer = aggregated(base, structured("c"), {"alias": "c", "count": {"up_to": {"value": limit}}})
        assert answer.result.aggregate_fields["c"].integer_value == expected


def test_aggregation_of_twice_the_same_alias_is_refused(base):
    request = rpc.RunAggregationQueryRequest(
        parent=base.root, structured_aggregation_query=queries.StructuredAggregationQuery(
            structured_query=structured("c"), aggregations=[{"alias": "c", "count": {}}, {"alias": "c", "count": {}}]))
    assert base.fails("run_aggregation_query", request) == INVALID


def test_aggregation_may_begin_a_transaction(base):
    answer = aggregated(base, structured("c"), {"alias": "c", "count": {}},
                        new_transaction=common.TransactionOptions(read_only={}))
    assert answer.result.aggregate_fields["c"].integer_value == 0


# MARK: Nearest neighbours

VECTORS = {"a": {"v": Vector([1.0, 0.0]), "k": 1}, "b": {"v": Vector([0.0, 2.0]), "k": 1},
           "c": {"v": Vector([3.0, 4.0]), "k": 2}, "d": {"v": Vector([-1.0, 0.0]), "k": 2},
           "e": {"v": Vector([1.0, 2.0, 3.0])}, "f": {"v": "no vector"}, "g": {"k": 1}, "h": {"v": [1.0, 0.0]}}


@pytest.mark.parametrize("measure, expected", [
    (DistanceMeasure.EUCLIDEAN, [("a", 0.0), ("d", 2.0), ("b", 5**0.5), ("c", 20**0.5)]),
    (DistanceMeasure.COSINE, [("a", 0.0), ("c", 0.4), ("b", 1.0), ("d", 2.0)]),
    (DistanceMeasure.DOT_PRODUCT, [("c", 3.0), ("a", 1.0), ("b", 0.0), ("d", -1.0)]),
], ids=["euclidean", "cosine", "dot product"])
def test_find_nearest(db, measure, expected):
    c = fill(db, VECTORS)
    query = c.find_nearest("v", Vector([1.0, 0.0]), 10, measure, distance_result_field="distance")
    got = [(doc.id, doc.get("distance")) for doc in query.stream(timeout=30)]
    assert [name for name, _ in got] == [name for name, _ in expected]
    assert [distance for _, distance in got] == pytest.approx([distance for _, distance in expected])
    assert ids(c.find_nearest("v", Vector([1.0, 0.0]), 2, measure)) == [name for name, _ in expected[:2]]


def test_find_nearest_with_a_threshold_and_a_filter(db):
    c = fill(db, VECTORS)
    near = c.find_nearest("v", Vector([1.0, 0.0]), 10, DistanceMeasure.EUCLIDEAN, distance_threshold=2.0)
    assert ids(near) == ["a", "d"]
    far = c.find_nearest("v", Vector([1.0, 0.0]), 10, DistanceMeasure.DOT_PRODUCT, distance_threshold=1.0)
    assert ids(far) == ["c", "a"]
    filtered = where(c, "k", "==", 2).find_nearest("v", Vector([1.0, 0.0]), 1, DistanceMeasure.EUCLIDEAN)
    assert ids(filtered) == ["d"]
    group = db.collection_group("c").find_nearest("v", Vector([1.0, 0.0]), 1, DistanceMeasure.EUCLIDEAN)
    assert ids(group) == ["a"]


@pytest.mark.parametrize("nearest", [
    {"limit": {"value": 0}}, {"limit": {"value": 1001}}, {"distance_measure": 0}, {"vector_field": {"field_path": ""}},
    {"query_vector": {"string_value": "x"}}])
def test_find_nearest_that_is_invalid_is_refused(base, nearest):
    valid = {"vector_field": {"field_path": "v"}, "query_vector": _helpers.encode_value(Vector([1.0])),
             "distance_measure": 1, "limit": {"value": 1}}
    request = rpc.RunQueryRequest(
        parent=base.root, structured_query=structured("c", find_nearest={**valid, **nearest}))
    assert base.fails("run_query", request) == INVALID


# MARK: What is refused

def field_filter(path, op, value):
    return {"field_filter": {
        "field": {"field_path": path}, "op": op, "value": _helpers.encode_value(value)}}


INVALID_QUERIES = {
    "two sources": queries.StructuredQuery(from_=[{"collection_id": "a"}, {"collection_id": "b"}]),
    "no operator": structured("c", where=field_filter("n", 0, 1)),
    "empty in": structured("c", where=field_filter("n", "IN", [])),
    "in of 31": structured("c", where=field_filter("n", "IN", list(range(31)))),
    "in of no array": structured("c", where=field_filter("n", "IN", 1)),
    "not-in of 11": structured("c", where=field_filter("n", "NOT_IN", list(range(11)))),
    "empty any": structured("c", where=field_filter("n", "ARRAY_CONTAINS_ANY", [])),
    "empty path": structured("c", where=field_filter("", "EQUAL", 1)),
    "bad path": structured("c", where=field_filter("a..b", "EQUAL", 1)),
    "empty composite": structured("c", where={"composite_filter": {"op": "OR"}}),
    "composite without operator": structured(
        "c", where={"composite_filter": {"filters": [field_filter("n", "EQUAL", 1)]}}),
    "negative limit": structured("c", limit=-1),
    "negative offset": structured("c", offset=-1),
    "cursor without order": structured("c", start_at={"values": [{"integer_value": 1}, {"integer_value": 1}]}),
    "cursor too long": structured(
        "c", order_by=[{"field": {"field_path": "n"}, "direction": 1}],
        end_at={"values": [{"integer_value": 1}] * 3}),
    "name against a number": structured("c", where=field_filter("__name__", "EQUAL", 1)),
    "not-in with not equal": structured("c", where={"composite_filter": {"op": "AND", "filters": [
        field_filter("n", "NOT_EQUAL", 1), field_filter("n", "NOT_IN", [2])]}}),
    "two not-in": structured("c", where={"composite_filter": {"op": "AND", "filters": [
        field_filter("n", "NOT_IN", [1]), field_filter("m", "NOT_IN", [2])]}}),
    "too many disjunctions": structured("c", where={"composite_filter": {"op": "AND", "filters": [
        field_filter("n", "IN", list(range(6))), field_filter("m", "IN", list(range(6)))]}}),
    "collection with a slash": structured("a/b"),
    "reserved collection": structured("__x__"),
    "order by twice": structured("c", order_by=[
        {"field": {"field_path": "n"}, "direction": 1}, {"field": {"field_path": "n"}, "direction": 2}]),
}


@pytest.mark.parametrize("name", INVALID_QUERIES)
def test_query_that_is_invalid_is_refused(base, name):
    base.commit(base.set("c/a", {"n": 1}))
    request = rpc.RunQueryRequest(parent=base.root, structured_query=INVALID_QUERIES[name])
    assert base.fails("run_query", request) == INVALID


def test_in_of_30_values_is_allowed(db):
    c = fill(db, {f"{n:02}": {"n": n} for n in range(40)})
    assert ids(where(c, "n", "in", list(range(30)))) == [f"{n:02}" for n in range(30)]


def test_parent_must_be_a_document_or_the_root(base):
    request = rpc.RunQueryRequest(parent=base.name("c"), structured_query=structured("d"))
    assert base.fails("run_query", request) == INVALID


# MARK: Against a model

TEXTS = ["", "a", "b", "ab", "é", "￿", "😀", "a\0", "A"]


def random_value(chance: random.Random, db, depth: int = 0):
    kind = chance.randrange(12 if depth < 2 else 9)
    match kind:
        case 0: return None
        case 1: return chance.random() < 0.5
        case 2 | 3: return chance.randrange(-3, 6)
        case 4: return chance.choice([-2.5, -1.0, 0.0, 0.5, 1.0, 2.0, 3.5, 1e300, -math.inf])
        case 5: return datetime.datetime(2024, 1, 1, 0, 0, 0, chance.randrange(3), UTC)
        case 6: return chance.choice(TEXTS)
        case 7: return chance.choice([b"", b"\0", b"a", b"\xff"])
        case 8: return chance.choice([
            db.document(chance.choice(["a/b", "a/b/c/d", "b/a"])), firestore.GeoPoint(chance.randrange(2), 5)])
        case 9 | 10:
            elements = [random_value(chance, db, depth + 1) for _ in range(chance.randrange(4))]
            return [element for element in elements if not isinstance(element, list)]
        case _: return {name: random_value(chance, db, depth + 1)
                        for name in chance.sample(["p", "q"], chance.randrange(3))}


def random_document(chance: random.Random, db) -> dict:
    data = {}
    if chance.random() < 0.9:
        data["a"] = chance.randrange(8)
    if chance.random() < 0.8:
        data["b"] = chance.choice([*TEXTS, chance.randrange(4), chance.randrange(4) + 0.5])
    if chance.random() < 0.8:
        data["c"] = random_value(chance, db)
    if chance.random() < 0.7:
        data["t"] = [chance.randrange(6) for _ in range(chance.randrange(4))]
    if chance.random() < 0.7:
        data["m"] = {"x": chance.randrange(5), "y": random_value(chance, db)}
    return data


def random_operand(chance: random.Random, collection: dict, path: str):
    """Mostly a value that some document has there."""
    values = [value for data in collection.values()
              if (value := lookup(data, path)) is not MISSING]
    return chance.choice(values) if values and chance.random() < 0.9 else chance.choice([0, "a", True])


def random_filter(chance: random.Random, collection: dict, ops: list[str]) -> Filter:
    op = chance.choice(ops)
    if op.startswith("array"):
        path = chance.choice(["t", "c", "m.y"])
        def element():
            values = [each for data in collection.values() if isinstance(lookup(data, path), list)
                      for each in lookup(data, path)]
            return chance.choice(values or [1])
        if op == "array_contains":
            while (value := element()) is None:
                pass
            return Filter(path, op, value)
        return Filter(path, op, [value for value in (element() for _ in range(3)) if value is not None] or [1])
    path = chance.choice(["a", "b", "c", "t", "m.x", "m.y", "m"])
    if op in ("in", "not-in"):
        values = [random_operand(chance, collection, path) for _ in range(chance.randrange(1, 4))]
        return Filter(path, op, [value for value in values if value is not None] or [1])
    value = random_operand(chance, collection, path)
    if value is None and op not in ("==", "!="):
        value = 1
    return Filter(path, op, value)


SINGLE = ["==", "==", "<", "<=", ">", ">="]


def random_where(chance: random.Random, collection: dict):
    match chance.randrange(7):
        case 0: return None
        case 1: return random_filter(chance, collection, SINGLE)
        case 2: return random_filter(chance, collection, ["!=", "not-in", "in", "array_contains", "array_contains_any"])
        case 3: return Composite("and", tuple(random_filter(chance, collection, SINGLE) for _ in range(2)))
        case 4: return Composite("and", (
            random_filter(chance, collection, SINGLE),
            random_filter(chance, collection, ["in", "array_contains", "!=", "array_contains_any"])))
        case 5: return Composite("or", tuple(
            random_filter(chance, collection, [*SINGLE, "in", "array_contains"]) for _ in range(chance.randrange(2, 4))))
        case _: return Composite("or", (
            Composite("and", tuple(random_filter(chance, collection, SINGLE) for _ in range(2))),
            random_filter(chance, collection, ["==", "in"])))


def random_query(chance: random.Random, collection: dict) -> ModelQuery:
    query = ModelQuery(where=random_where(chance, collection))
    paths = chance.sample(["a", "b", "c", "t", "m.x", "m.y"], chance.choice([0, 0, 1, 1, 2, 3]))
    query.orders = [(path, chance.random() < 0.4) for path in paths]
    if paths:
        def edge():
            values = [random_operand(chance, collection, path) for path in paths[:chance.randrange(1, len(paths) + 1)]]
            return values, chance.random() < 0.5
        if chance.random() < 0.3:
            query.start = edge()
        if chance.random() < 0.3:
            query.end = edge()
    if chance.random() < 0.2:
        query.offset = chance.randrange(1, 20)
    if chance.random() < 0.4:
        query.limit = chance.randrange(1, 30)
    return query


@pytest.fixture(scope="module")
def world(hearth):
    """300 random documents, a third of them written twice."""
    base = Firestore(hearth)
    chance = random.Random(20240607)
    collection = {f"{n:03}": random_document(chance, base.client) for n in range(300)}
    fill(base.client, collection)
    for name in chance.sample(list(collection), 100):
        collection[name] = random_document(chance, base.client)
        base.client.collection("c").document(name).set(collection[name])
    yield base, collection
    base.close()


@pytest.mark.parametrize("part", range(10))
def test_random_queries_agree_with_the_model(world, part):
    base, collection = world
    chance = random.Random(1000 + part)
    results = 0
    for number in range(QUERIES // 10):
        query = random_query(chance, collection)
        expected = query.run(collection)
        sent = query.sent(base.client.collection("c"))
        try:
            got = ids(sent)
        except exceptions.GoogleAPICallError as error:
            raise AssertionError(f"query {number}: {query}") from error
        assert got == expected, f"query {number}: {query}"
        results += len(got)
        if number % 3 == 0:
            assert aggregate(sent.count(alias="c")) == {"c": len(expected)}, f"count {number}: {query}"
    assert results


def test_the_model_orders_as_the_list_of_all_types_says(db):
    values = [db.document(value[4:]) if isinstance(value, str) and value.startswith("ref:") else value
              for value in ORDERED]
    keys = [order(value) for value in values]
    assert keys == sorted(keys)
