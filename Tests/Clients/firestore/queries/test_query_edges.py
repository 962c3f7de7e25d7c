"""Edge cases of queries: null, NaN, names, cursors, projections, limits."""

import math

import grpc
import pytest
from google.cloud import firestore
from google.cloud.firestore_v1.field_path import FieldPath
from google.cloud.firestore_v1.types import firestore as rpc
from google.cloud.firestore_v1.types import query as queries
from support.firestore.project import base, db, guard  # noqa: F401
from support.firestore.queries import cursor, field_filter, run, structured, where

INVALID = grpc.StatusCode.INVALID_ARGUMENT
DESCENDING = firestore.Query.DESCENDING
LOWEST = "__id-9223372036854775808__"


def ids(query) -> str:
    return "".join(doc.id for doc in query.stream(timeout=30))


def fill(db, data: dict[str, dict], collection: str = "c"):
    batch = db.batch()
    for name, fields in data.items():
        batch.set(db.collection(collection).document(name), fields)
    batch.commit(timeout=30)
    return db.collection(collection)


# MARK: Null and NaN

ZIPS = {
    "a": {"v": math.nan, "l": [math.nan]},
    "b": {"v": 1, "l": [1]},
    "c": {"v": 2, "l": [2, None]},
    "d": {"v": "2", "l": ["2"]},
    "e": {"v": [2], "l": [2]},
    "f": {"v": {"k": 1}, "l": [{"k": 1}]},
    "g": {"other": 1},
    "h": {"v": None, "l": [None]},
}


@pytest.mark.parametrize(
    "op, value, expected",
    [
        ("!=", 2, "abdef"),
        ("!=", {"k": 1}, "abcde"),
        ("!=", None, "abcdef"),
        ("!=", math.nan, "bcdef"),
        ("not-in", [2, "2"], "abef"),
        ("not-in", [{"k": 1}], "abcde"),
        ("not-in", [None], ""),
        ("not-in", [None, 2], ""),
        ("not-in", [math.nan], "abcdef"),
        ("not-in", [math.nan, 1], "acdef"),
        ("==", None, "h"),
        ("==", math.nan, "a"),
        ("in", [1, [2]], "be"),
        ("in", [{"k": 1}], "f"),
        ("in", [None], ""),
        ("in", [1, None], "b"),
        ("in", [math.nan], ""),
        ("in", [1, math.nan], "b"),
    ],
    ids=[
        "unlike a number",
        "unlike a map",
        "unlike null",
        "unlike NaN",
        "not in",
        "not in maps",
        "not in null",
        "not in null and more",
        "not in NaN",
        "not in NaN and more",
        "null",
        "NaN",
        "in with an array",
        "in with a map",
        "in null",
        "in null and more",
        "in NaN",
        "in NaN and more",
    ],
)
def test_null_and_nan_among_values(db, op, value, expected):
    assert ids(where(fill(db, ZIPS), "v", op, value)) == expected


@pytest.mark.parametrize(
    "values, expected",
    [
        ([2], "ce"),
        ([{"k": 1}], "f"),
        ([2, "2"], "cde"),
        ([None], ""),
        ([1, None], "b"),
        ([math.nan], ""),
    ],
    ids=["number", "map", "two", "null", "null and more", "NaN"],
)
def test_null_and_nan_among_elements(db, values, expected):
    assert ids(where(fill(db, ZIPS), "l", "array_contains_any", values)) == expected


def test_zeros_are_equal_and_arrays_and_maps_compare_their_numbers(db):
    c = fill(
        db,
        {
            "a": {"v": [0, 1]},
            "b": {"v": [-0.0, 1.0]},
            "c": {"v": {"x": 1, "y": 2}},
            "d": {"v": {"y": 2.0, "x": 1.0}},
            "e": {"v": [1, 0]},
        },
    )
    assert ids(where(c, "v", "==", [0.0, 1])) == "ab"
    assert ids(where(c, "v", "==", {"x": 1, "y": 2})) == "cd"
    assert ids(where(c, "v", "in", [[1, 0], {"x": 1, "y": 2.0}])) == "cde"
    assert ids(where(c, "v", ">", [0, 1])) == "e"


# MARK: Lists of values


def test_list_of_thirty_values_with_repetitions(db):
    c = fill(db, {"a": {"v": 1, "l": [1]}, "b": {"v": 29, "l": [29]}, "d": {"v": 30, "l": [30]}})
    assert ids(where(c, "v", "in", list(range(30)))) == "ab"
    assert ids(where(c, "v", "in", [1, 1.0, 1, 29])) == "ab"
    assert ids(where(c, "l", "array_contains_any", list(range(30)))) == "ab"
    assert ids(where(c, "v", "not-in", list(range(10)))) == "bd"


REFUSED = {
    "any of 31": field_filter("v", "ARRAY_CONTAINS_ANY", list(range(31))),
    "empty not-in": field_filter("v", "NOT_IN", []),
    "any of no array": field_filter("v", "ARRAY_CONTAINS_ANY", 1),
    "two array-contains": {
        "composite_filter": {
            "op": "AND",
            "filters": [
                field_filter("v", "ARRAY_CONTAINS", 1),
                field_filter("w", "ARRAY_CONTAINS", 1),
            ],
        }
    },
    "array-contains beside any": {
        "composite_filter": {
            "op": "AND",
            "filters": [
                field_filter("v", "ARRAY_CONTAINS", 1),
                field_filter("w", "ARRAY_CONTAINS_ANY", [1]),
            ],
        }
    },
    "two unequal": {
        "composite_filter": {
            "op": "AND",
            "filters": [field_filter("v", "NOT_EQUAL", 1), field_filter("w", "NOT_EQUAL", 1)],
        }
    },
    "not-in beside in": {
        "composite_filter": {
            "op": "AND",
            "filters": [field_filter("v", "NOT_IN", [1]), field_filter("w", "IN", [1])],
        }
    },
    "not-in beside or": {
        "composite_filter": {
            "op": "AND",
            "filters": [
                field_filter("v", "NOT_IN", [1]),
                {
                    "composite_filter": {
                        "op": "OR",
                        "filters": [field_filter("w", "EQUAL", 1), field_filter("w", "EQUAL", 2)],
                    }
                },
            ],
        }
    },
    "thirty-two alternatives": {
        "composite_filter": {
            "op": "AND",
            "filters": [
                {
                    "composite_filter": {
                        "op": "OR",
                        "filters": [
                            field_filter(f"f{n}", "EQUAL", 1),
                            field_filter(f"f{n}", "EQUAL", 2),
                        ],
                    }
                }
                for n in range(5)
            ],
        }
    },
    "no kind of filter": {},
    "unary without operator": {"unary_filter": {"field": {"field_path": "v"}}},
    "unary without field": {"unary_filter": {"op": "IS_NULL"}},
    "no value": {"field_filter": {"field": {"field_path": "v"}, "op": "EQUAL"}},
    "name in numbers": field_filter("__name__", "IN", [1]),
    "name contains": field_filter("__name__", "ARRAY_CONTAINS", 1),
    "name of a text": field_filter("__name__", "GREATER_THAN", "c/a"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_filter_that_is_invalid_is_refused(base, name):
    request = rpc.RunQueryRequest(
        parent=base.root, structured_query=structured("c", where=REFUSED[name])
    )
    assert base.fails("run_query", request) == INVALID


def test_thirty_alternatives_are_allowed(db):
    c = fill(db, {"a": {"v": 0, "w": 4}, "b": {"v": 5, "w": 0}, "d": {"v": 6, "w": 0}})
    query = where(where(c, "v", "in", list(range(6))), "w", "in", list(range(5)))
    assert ids(query) == "ab"


@pytest.mark.parametrize("fields", [10, 11])
def test_at_most_ten_fields_with_inequalities(base, fields):
    names = [f"f{n:02}" for n in range(fields)]
    base.commit(base.set("c/a", dict.fromkeys(names, 1)))
    request = rpc.RunQueryRequest(
        parent=base.root,
        structured_query=structured(
            "c",
            where={
                "composite_filter": {
                    "op": "AND",
                    "filters": [field_filter(name, "GREATER_THAN", 0) for name in names],
                }
            },
        ),
    )
    if fields == 10:
        assert run(base, request.structured_query) == ["c/a"]
    else:
        assert base.fails("run_query", request) == INVALID


def test_composite_of_one_and_nested_composites(base):
    base.commit(*[base.set(f"c/{x}{y}", {"x": x, "y": y}) for x in range(3) for y in range(3)])

    def composite(op, *filters):
        return {"composite_filter": {"op": op, "filters": list(filters)}}

    one = composite("AND", composite("OR", composite("AND", field_filter("x", "EQUAL", 1))))
    assert run(base, structured("c", where=one)) == ["c/10", "c/11", "c/12"]
    deep = composite(
        "OR",
        composite(
            "AND",
            field_filter("x", "EQUAL", 0),
            composite("OR", field_filter("y", "EQUAL", 0), field_filter("y", "EQUAL", 2)),
        ),
        composite("AND", field_filter("x", "GREATER_THAN", 1), field_filter("y", "LESS_THAN", 1)),
    )
    assert run(
        base,
        structured(
            "c",
            where=deep,
            order_by=[{"field": {"field_path": "x"}}, {"field": {"field_path": "y"}}],
        ),
    ) == ["c/00", "c/02", "c/20"]


# MARK: Several inequalities, orders


def test_two_ranges_in_the_orders_that_are_asked_for(db):
    c = fill(db, {f"{x}{y}": {"x": x, "y": y} for x in range(4) for y in range(4)})
    query = where(where(c, "x", ">=", 2), "y", "<=", 1)
    assert [doc.id for doc in query.stream()] == ["20", "21", "30", "31"]
    by_y = query.order_by("y", direction=DESCENDING)
    assert [doc.id for doc in by_y.stream()] == ["31", "21", "30", "20"]
    both = query.order_by("y").order_by("x", direction=DESCENDING)
    assert [doc.id for doc in both.stream()] == ["30", "20", "31", "21"]
    other = query.order_by("y", direction=DESCENDING).order_by("x").limit(3)
    assert [doc.id for doc in other.stream()] == ["21", "31", "20"]


def test_range_together_with_unlike(db):
    c = fill(db, {f"{x}{y}": {"x": x, "y": y} for x in range(3) for y in range(3)})
    query = where(where(c, "x", "!=", 1), "y", ">", 1)
    assert [doc.id for doc in query.stream()] == ["02", "22"]
    query = where(where(c, "x", "not-in", [0, 1]), "y", ">=", 1).order_by("y")
    assert [doc.id for doc in query.stream()] == ["21", "22"]


def test_direction_that_is_not_given_ascends(base):
    base.commit(*[base.set(f"c/{n}", {"n": -n}) for n in range(3)])
    query = structured("c", order_by=[{"field": {"field_path": "n"}}])
    assert run(base, query) == ["c/2", "c/1", "c/0"]


def test_arrays_have_no_fields(db):
    c = fill(db, {"a": {"v": [{"k": 1}]}, "b": {"v": {"k": 1}}, "d": {"v": {"0": 5}}})
    assert ids(where(c, "v.k", "==", 1)) == "b"
    assert ids(where(c, FieldPath("v", "0").to_api_repr(), "==", 5)) == "d"
    assert ids(c.order_by("v.k")) == "b"


# MARK: Cursors


@pytest.mark.parametrize(
    "start, end, expected",
    [
        (cursor(1, before=True), None, "10 11 12 20 21 22"),
        (cursor(1, before=False), None, "20 21 22"),
        (cursor(1, 1, before=True), None, "11 12 20 21 22"),
        (cursor(1, 1, before=False), None, "12 20 21 22"),
        (None, cursor(1, before=True), "00 01 02"),
        (None, cursor(1, before=False), "00 01 02 10 11 12"),
        (None, cursor(1, 1, before=True), "00 01 02 10"),
        (cursor(0, 2, before=False), cursor(2, 0, before=False), "10 11 12 20"),
        (cursor(2, before=True), cursor(1, before=True), ""),
        (cursor(before=True), cursor(before=False), "00 01 02 10 11 12 20 21 22"),
    ],
    ids=[
        "start before",
        "start after",
        "two start before",
        "two start after",
        "end before",
        "end after",
        "two end before",
        "between",
        "crossed",
        "empty",
    ],
)
def test_cursor_with_fewer_values_than_orders(base, start, end, expected):
    base.commit(*[base.set(f"c/{x}{y}", {"x": x, "y": y}) for x in range(3) for y in range(3)])
    more = {name: value for name, value in (("start_at", start), ("end_at", end)) if value}
    query = structured(
        "c", order_by=[{"field": {"field_path": "x"}}, {"field": {"field_path": "y"}}], **more
    )
    assert run(base, query) == [f"c/{name}" for name in expected.split()]


@pytest.mark.parametrize(
    "given, expected",
    [([], None), (["x"], None), (["x", "__name__"], "11 12 20 21 22")],
    ids=["none", "one", "two"],
)
def test_cursor_has_values_of_orders_that_are_given(base, given, expected):
    """The field of an inequality, and the name, follow without being written; not so for cursors."""
    base.commit(*[base.set(f"c/{x}{y}", {"x": x, "y": y}) for x in range(3) for y in range(3)])
    query = structured(
        "c",
        where=field_filter("x", "GREATER_THAN", 0),
        order_by=[{"field": {"field_path": path}} for path in given],
        start_at=cursor(1, base.client.document("c/11"), before=True),
    )
    if expected is None:
        request = rpc.RunQueryRequest(parent=base.root, structured_query=query)
        assert base.fails("run_query", request) == INVALID
    else:
        assert run(base, query) == [f"c/{name}" for name in expected.split()]


def test_cursor_of_a_descending_order(base):
    base.commit(*[base.set(f"c/{n}", {"n": n // 2}) for n in range(6)])
    query = structured(
        "c",
        order_by=[
            {"field": {"field_path": path}, "direction": "DESCENDING"} for path in ("n", "__name__")
        ],
        start_at=cursor(1, base.client.document("c/3"), before=False),
        end_at=cursor(0, base.client.document("c/1"), before=False),
    )
    assert run(base, query) == ["c/2", "c/1"]


def test_cursor_of_another_type_than_the_values(base):
    base.commit(
        *[
            base.set(f"c/{name}", {"v": value})
            for name, value in {
                "a": None,
                "b": False,
                "d": 5,
                "e": "x",
                "f": [1],
                "g": {"k": 1},
            }.items()
        ]
    )
    query = structured(
        "c",
        order_by=[{"field": {"field_path": "v"}}],
        start_at=cursor(7, before=True),
        end_at=cursor([0], before=True),
    )
    assert run(base, query) == ["c/e"]


# MARK: Names

NAMED = ["a/a/G/1", "a/b/a/b/G/2", "a/b/G/3", "a/b/c/d/G/4", "a/c/G/5", "G/6", "a/b/H/7"]


@pytest.mark.parametrize(
    "low, high, expected",
    [("a/b", "a/b0", "324"), ("a/b/G/3", "a/c", "324"), ("G/6", "a/a", "6"), ("a/c", "z/z", "5")],
    ids=["below a document", "from one of them", "first", "last"],
)
def test_group_between_names_of_any_depth(base, low, high, expected):
    base.commit(*[base.set(path, {"x": 1}) for path in NAMED])
    low, high = base.client.document(low), base.client.document(high)
    between = {
        "composite_filter": {
            "op": "AND",
            "filters": [
                field_filter("__name__", "GREATER_THAN_OR_EQUAL", low),
                field_filter("__name__", "LESS_THAN_OR_EQUAL", high),
            ],
        }
    }
    filtered = run(base, structured("G", True, where=between))
    assert [name[-1] for name in filtered] == list(expected)
    by_cursors = run(
        base,
        structured(
            "G",
            True,
            order_by=[{"field": {"field_path": "__name__"}}],
            start_at=cursor(low, before=True),
            end_at=cursor(high, before=False),
        ),
    )
    assert by_cursors == filtered


def test_recursive_deletion_of_the_node_admin_sdk(base):
    """Everything below a collection, of all collections, between the smallest names possible."""
    inside = ["c/a", "c/a/d/e", "c/b/c/f", "c/-"]
    outside = ["b/a", "c!/a", "cc/a", "d/a", "b/x/c/y"]
    base.commit(*[base.set(path, {"n": 1}) for path in inside + outside])
    query = queries.StructuredQuery(
        from_=[{"all_descendants": True}],
        select={"fields": [{"field_path": "__name__"}]},
        where={
            "composite_filter": {
                "op": "AND",
                "filters": [
                    {
                        "field_filter": {
                            "field": {"field_path": "__name__"},
                            "op": "GREATER_THAN_OR_EQUAL",
                            "value": {"reference_value": base.name(f"c/{LOWEST}")},
                        }
                    },
                    {
                        "field_filter": {
                            "field": {"field_path": "__name__"},
                            "op": "LESS_THAN",
                            "value": {"reference_value": base.name(f"c\0/{LOWEST}")},
                        }
                    },
                ],
            }
        },
        order_by=[{"field": {"field_path": "__name__"}, "direction": "ASCENDING"}],
        limit=5000,
    )
    assert sorted(run(base, query)) == sorted(inside)
    query.limit = 2
    page = run(base, query)
    query.start_at = queries.Cursor(values=[{"reference_value": base.name(page[-1])}], before=False)
    assert len(page) == 2 and sorted(page + run(base, query)) == sorted(inside)


def test_everything_below_a_document(base):
    paths = ["c/a", "c/a/d/e", "c/a/d/e/f/g", "c/b/d/e", "c/ab/d/e"]
    base.commit(*[base.set(path, {"n": 1}) for path in paths])
    query = queries.StructuredQuery(from_=[{"all_descendants": True}])
    assert run(base, query, "c/a") == ["c/a/d/e", "c/a/d/e/f/g"]


NUMERIC = ["__id-1__", "__id9__", "__id10__", "0", "~"]


@pytest.mark.parametrize("pages", [False, True], ids=["at once", "in pages"])
def test_numeric_ids_come_before_texts_in_the_order_of_numbers(db, pages):
    c = fill(db, {name: {"n": 1} for name in NUMERIC})
    if not pages:
        assert [doc.id for doc in c.stream()] == NUMERIC
        return
    seen, page = [], list(c.order_by("__name__").limit(2).stream())
    while page and len(seen) < 20:
        seen += [doc.id for doc in page]
        page = list(c.order_by("__name__").start_after(page[-1]).limit(2).stream())
    assert seen == NUMERIC


def test_name_unlike_and_not_in(db):
    c = fill(db, {name: {"n": 1} for name in "abcd"})
    name = FieldPath.document_id()
    assert ids(where(c, name, "!=", c.document("b"))) == "acd"
    assert ids(where(c, name, "not-in", [c.document("b"), c.document("z")])) == "acd"
    assert ids(where(where(c, name, ">=", c.document("b")), "n", "==", 1)) == "bcd"


# MARK: Projection


@pytest.mark.parametrize(
    "paths, expected",
    [
        (["m.x", "m.y"], {"m": {"x": 1, "y": 2}}),
        (["m", "m.x"], {"m": {"x": 1, "y": 2}}),
        (["n", "n"], {"n": 5}),
        (["__name__"], {}),
        (["__name__", "n"], {"n": 5}),
        (["none", "m.none"], {}),
        (["`a.b`.c"], {"a.b": {"c": 3}}),
        (["n.x"], {}),
    ],
    ids=[
        "two below",
        "map and member",
        "twice",
        "name",
        "name and more",
        "missing",
        "quoted",
        "below a number",
    ],
)
def test_projection(base, paths, expected):
    base.commit(base.set("c/a", {"n": 5, "m": {"x": 1, "y": 2}, "a.b": {"c": 3}}))
    [answer] = base.stream(
        "run_query",
        rpc.RunQueryRequest(
            parent=base.root,
            structured_query=structured(
                "c", select={"fields": [{"field_path": path} for path in paths]}
            ),
        ),
    )
    assert base.data(answer.document) == expected and answer.document.update_time


def test_projection_of_no_path_is_refused(base):
    request = rpc.RunQueryRequest(
        parent=base.root,
        structured_query=structured("c", select={"fields": [{"field_path": "a..b"}]}),
    )
    assert base.fails("run_query", request) == INVALID


# MARK: Offset, limit


@pytest.mark.parametrize(
    "more, expected",
    [
        ({"offset": 2}, "234"),
        ({"offset": 2, "limit": 2}, "23"),
        ({"offset": 9}, ""),
        ({"offset": 1, "start_at": {"values": [{"integer_value": 1}], "before": True}}, "234"),
        ({"offset": 1, "end_at": {"values": [{"integer_value": 3}], "before": True}}, "12"),
        ({"limit": 1}, "0"),
    ],
    ids=["offset", "both", "beyond", "start", "end", "limit"],
)
def test_offset_counts_from_the_first_cursor(base, more, expected):
    base.commit(*[base.set(f"c/{n}", {"n": n}) for n in range(5)])
    query = structured("c", order_by=[{"field": {"field_path": "n"}}], **more)
    assert [name[-1] for name in run(base, query)] == list(expected)


def test_offset_of_alternatives_counts_results(base):
    base.commit(*[base.set(f"c/{n}", {"n": n, "l": [n, n + 1]}) for n in range(6)])
    query = structured(
        "c", offset=1, limit=2, where=field_filter("l", "ARRAY_CONTAINS_ANY", [1, 2, 3])
    )
    assert run(base, query) == ["c/1", "c/2"]
