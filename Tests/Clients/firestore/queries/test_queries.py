"""Queries: operators, names, order, cursors, limits, collection groups."""

import datetime
import math
import random

import pytest
from google.api_core import exceptions
from google.cloud import firestore
from google.cloud.firestore_v1.field_path import FieldPath
from google.cloud.firestore_v1.types import common
from google.cloud.firestore_v1.types import firestore as rpc
from google.cloud.firestore_v1.types import query as queries
from google.cloud.firestore_v1.vector import Vector
from support.firestore.project import base, db, guard  # noqa: F401
from support.firestore.queries import ORDERED, fill, ids, structured, where

UTC = datetime.UTC
DESCENDING = firestore.Query.DESCENDING
NUMBERS = {
    "a": {"n": 1},
    "b": {"n": 2},
    "c": {"n": 2.0},
    "d": {"n": 3},
    "e": {"n": "2"},
    "f": {"n": None},
    "g": {"m": 2},
    "h": {"n": math.nan},
    "i": {"n": [2]},
    "j": {"n": True},
}


# MARK: Operators


@pytest.mark.parametrize(
    "op, value, expected",
    [
        ("==", 2, "bc"),
        ("==", 2.0, "bc"),
        ("==", "2", "e"),
        ("==", None, "f"),
        ("==", math.nan, "h"),
        ("==", [2], "i"),
        ("==", True, "j"),
        ("==", 7, ""),
        ("<", 2, "a"),
        ("<=", 2, "abc"),
        (">", 2, "d"),
        (">=", 2, "bcd"),
        (">", "1", "e"),
        (">=", False, "j"),
        (">", [1], "i"),
        ("<", "2", ""),
        ("!=", 2, "jhadei"),
        ("!=", None, "jhabcdei"),
        ("!=", math.nan, "jabcdei"),
        ("!=", "2", "jhabcdi"),
        ("in", [1, 3], "ad"),
        ("in", [2, "2"], "bce"),
        ("in", [[2], 9], "i"),
        ("in", [5], ""),
        ("not-in", [2, 3], "jhaei"),
        ("not-in", ["2", True], "habcdi"),
        ("array_contains", 2, "i"),
        ("array_contains", 1, ""),
        ("array_contains_any", [1, 2], "i"),
    ],
)
def test_operator(db, op, value, expected):
    c = fill(db, NUMBERS)
    assert "".join(ids(where(c, "n", op, value))) == expected


@pytest.mark.parametrize(
    "op, expected",
    [("IS_NULL", "f"), ("IS_NAN", "h"), ("IS_NOT_NULL", "jhabcdei"), ("IS_NOT_NAN", "jabcdei")],
)
def test_unary_operator(base, op, expected):
    fill(base.client, NUMBERS)
    query = structured("c", where={"unary_filter": {"field": {"field_path": "n"}, "op": op}})
    assert "".join(name[-1] for name in run(base, query)) == expected


def run(base, query, parent: str = "") -> list[str]:
    answers = base.stream(
        "run_query",
        rpc.RunQueryRequest(parent=f"{base.root}/{parent}".rstrip("/"), structured_query=query),
    )
    return [base.path(answer.document.name) for answer in answers if answer.document.name]


def test_equality_with_values_of_every_type(db):
    values = {
        "null": None,
        "bool": False,
        "int": 5,
        "double": 2.5,
        "time": datetime.datetime(2024, 1, 1, tzinfo=UTC),
        "text": "ü😀",
        "bytes": b"\0\xff",
        "reference": db.document("x/y"),
        "point": firestore.GeoPoint(1, 2),
        "array": [1, {"a": "b"}],
        "vector": Vector([1.0, 2.0]),
        "map": {"a": [1], "b": {"c": None}},
        "empty": {},
        "none": [],
        "zero": "",
    }
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
    c = fill(
        db,
        {
            "a": {"v": "b"},
            "b": {"v": 5},
            "c": {"v": time},
            "d": {"v": b"b"},
            "e": {"v": [5]},
            "f": {"v": {}},
        },
    )
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
    c = fill(
        db,
        {
            "a": {"v": [1, None]},
            "b": {"v": [1.0, {"k": 1}]},
            "c": {"v": ["1"]},
            "d": {"v": []},
            "e": {"v": 1},
        },
    )
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
    nested = firestore.Or(
        [
            firestore.And([x1, y2]),
            firestore.And(
                [firestore.FieldFilter("x", "in", [0, 3]), firestore.FieldFilter("y", "==", 0)]
            ),
        ]
    )
    assert ids(c.where(filter=nested)) == ["00", "12", "30"]
    assert ids(where(c.where(filter=firestore.Or([x1, y2])), "x", "==", 3)) == ["32"]
    ranges = firestore.Or([firestore.FieldFilter("x", "<", 1), firestore.FieldFilter("x", ">", 2)])
    assert ids(c.where(filter=ranges).order_by("x", direction=DESCENDING).limit(5)) == [
        "33",
        "32",
        "31",
        "30",
        "03",
    ]


def test_or_with_an_inequality_leaves_out_what_lacks_its_field(db):
    c = fill(db, {"a": {"x": 5, "y": 0}, "b": {"y": 1}, "c": {"x": 1, "y": 1}})
    query = c.where(
        filter=firestore.Or(
            [firestore.FieldFilter("x", ">", 3), firestore.FieldFilter("y", "==", 1)]
        )
    )
    assert ids(query) == ["c", "a"]


def test_document_matching_both_sides_of_or_comes_once(db):
    c = fill(db, {"a": {"v": [1, 2]}})
    assert ids(where(c, "v", "array_contains_any", [1, 2])) == ["a"]
    assert ids(
        c.where(
            filter=firestore.Or(
                [
                    firestore.FieldFilter("v", "array_contains", 1),
                    firestore.FieldFilter("v", "array_contains", 2),
                ]
            )
        )
    ) == ["a"]


# MARK: Names


def test_filters_of_the_name(db):
    c = fill(db, {name: {"n": 1} for name in "abcd"})
    name = FieldPath.document_id()
    assert ids(where(c, name, "==", c.document("b"))) == ["b"]
    assert ids(where(c, name, ">", c.document("b"))) == ["c", "d"]
    assert ids(where(c, name, "in", [c.document("d"), c.document("a"), c.document("x")])) == [
        "a",
        "d",
    ]
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


@pytest.mark.parametrize("down", [False, True])
def test_mixed_values_in_their_order(db, down):
    values = [
        db.document(value[4:]) if isinstance(value, str) and value.startswith("ref:") else value
        for value in ORDERED
    ]
    numbers = list(range(len(values)))
    random.Random(1).shuffle(numbers)
    c = fill(
        db,
        {f"{place:03}": {"v": values[number], "i": number} for place, number in enumerate(numbers)},
    )
    fill(db, {"without": {"i": 0}})
    query = c.order_by("v", direction=DESCENDING) if down else c.order_by("v")
    got = [doc.get("i") for doc in query.stream(timeout=30)]
    assert got == sorted(numbers, reverse=down)


def test_equal_numbers_of_two_kinds_are_ordered_by_name(db):
    c = fill(
        db,
        {
            "a": {"v": 1.0},
            "b": {"v": 1},
            "c": {"v": 1.0},
            "d": {"v": 0},
            "e": {"v": -0.0},
            "f": {"v": 0.0},
        },
    )
    assert ids(c.order_by("v")) == ["d", "e", "f", "a", "b", "c"]
    assert ids(c.order_by("v", direction=DESCENDING)) == ["c", "b", "a", "f", "e", "d"]
    assert ids(where(c, "v", "==", 0)) == ["d", "e", "f"]


def test_order_by_several_fields(db):
    data = {
        f"{x}{y}{z}": {"x": x, "y": y, "z": z} for x in range(3) for y in range(3) for z in range(3)
    }
    c = fill(db, data)
    got = ids(
        c.order_by("y", direction=DESCENDING).order_by("x").order_by("z", direction=DESCENDING)
    )
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
    c = fill(
        db, {"a": {"v": "x" * 1400 + "b"}, "b": {"v": "x" * 1400 + "a"}, "c": {"v": "x" * 1400}}
    )
    assert ids(c.order_by("v")) == ["c", "b", "a"]
    assert ids(where(c, "v", "==", "x" * 1400 + "a")) == ["b"]


def test_long_values_with_equal_beginnings_are_not_equal(base):
    """In production. The official emulator compares with no value as long as that."""
    c = fill(base.client, {"a": {"v": "x" * 5000 + "b"}, "b": {"v": "x" * 5000 + "a"}})
    with pytest.raises(exceptions.InvalidArgument):
        ids(where(c, "v", "==", "x" * 1500))
    base.switch(answers="production")
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
    assert ids(q.order_by("m", direction=DESCENDING).start_after({"n": 1, "m": 3})) == [
        "2",
        "5",
        "4",
        "7",
        "6",
    ]
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
    answers = base.stream(
        "run_query",
        rpc.RunQueryRequest(parent=base.root, structured_query=structured("c", offset=4)),
    )
    # The last row does not tell it, as on the official emulator.
    assert [answer.skipped_results for answer in answers] == [4, 4, 4, 4, 0]


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
    [answer] = [
        a
        for a in base.stream(
            "run_query",
            rpc.RunQueryRequest(
                parent=base.root,
                structured_query=structured("c", select={"fields": [{"field_path": "n"}]}, limit=1),
            ),
        )
        if a.document.name
    ]
    assert set(answer.document.fields) == {"n"} and answer.document.update_time and answer.read_time


def test_empty_result_is_one_message_with_a_time(base):
    [answer] = base.stream(
        "run_query", rpc.RunQueryRequest(parent=base.root, structured_query=structured("none"))
    )
    assert not answer.document.name and answer.read_time


def test_query_may_begin_a_transaction(base):
    base.commit(base.set("c/a", {"n": 1}))
    answers = base.stream(
        "run_query",
        rpc.RunQueryRequest(
            parent=base.root,
            structured_query=structured("c"),
            new_transaction=common.TransactionOptions(read_write={}),
        ),
    )
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
    assert paths(where(group, "n", ">", 1).order_by("n", direction=DESCENDING)) == [
        "g/3",
        "x/b/g/2",
        "x/a/g/2",
    ]
    assert paths(group.order_by("n").limit(3)) == ["x/b/y/c/g/0", "g/1", "g/1/g/1"]
    assert paths(where(group, "__name__", ">", db.document("g/3"))) == every[3:]
    assert paths(where(group, "__name__", "==", db.document("x/a/g/2"))) == ["x/a/g/2"]
    assert [doc.reference.path for doc in group.order_by("n").limit_to_last(2).get()] == [
        "x/b/g/2",
        "g/3",
    ]
    assert group.count().get(timeout=30)[0][0].value == 6


def test_collection_group_below_a_document(base):
    base.commit(
        *[base.set(path, {"n": 1}) for path in ("x/a/g/1", "x/a/y/b/g/2", "x/b/g/3", "g/4")]
    )
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
