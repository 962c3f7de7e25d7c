"""Aggregations, nearest neighbours, and queries that are refused."""

import math

import grpc
import pytest
from google.api_core import exceptions
from google.cloud.firestore_v1 import _helpers
from google.cloud.firestore_v1.base_vector_query import DistanceMeasure
from google.cloud.firestore_v1.types import common
from google.cloud.firestore_v1.types import document as documents
from google.cloud.firestore_v1.types import firestore as rpc
from google.cloud.firestore_v1.types import query as queries
from google.cloud.firestore_v1.vector import Vector
from support.firestore.project import base, db, guard  # noqa: F401
from support.firestore.queries import aggregate, fill, ids, structured, where

INVALID = grpc.StatusCode.INVALID_ARGUMENT


# MARK: Aggregations


def test_count_sum_and_average(db):
    c = fill(db, {f"{n}": {"n": n, "k": n % 2} for n in range(10)})
    query = c.count(alias="all").sum("n", alias="sum").avg("n", alias="avg")
    assert aggregate(query) == {"all": 10, "sum": 45, "avg": 4.5}
    odd = where(c, "k", "==", 1)
    assert aggregate(odd.count(alias="c").sum("n", alias="s").avg("n", alias="a")) == {
        "c": 5,
        "s": 25,
        "a": 5.0,
    }
    assert aggregate(c.order_by("n").limit(3).count(alias="c").sum("n", alias="s")) == {
        "c": 3,
        "s": 3,
    }
    assert aggregate(c.order_by("n").start_at({"n": 8}).count(alias="c")) == {"c": 2}
    assert aggregate(c.order_by("n").offset(4).count(alias="c")) == {"c": 6}


def test_an_aggregation_with_a_limit_is_of_the_first_by_its_field(db):
    """As Google's own tests of production say; the name decides last."""
    c = fill(db, {f"{n}": {"n": 9 - n, "m": n % 3} for n in range(10)} | {"00": {"k": 1}})
    assert aggregate(c.limit(3).sum("n", alias="s").count(alias="c")) == {"s": 3, "c": 3}
    assert aggregate(c.limit(3).avg("n", alias="a")) == {"a": 1.0}
    assert aggregate(c.offset(8).sum("n", alias="s")) == {"s": 17}
    assert aggregate(c.order_by("m").limit(2).sum("n", alias="s")) == {"s": 3}
    assert aggregate(c.order_by("m", direction="DESCENDING").limit(1).sum("n", alias="s")) == {
        "s": 7
    }
    with pytest.raises(exceptions.InvalidArgument, match="requires an index"):
        aggregate(c.order_by("__name__").limit(3).sum("n", alias="s"))
    assert aggregate(where(c, "m", ">", 0).limit(2).sum("n", alias="s")) == {"s": 7}


def test_aggregations_without_an_alias_are_numbered(db):
    c = fill(db, {"a": {"n": 1}, "b": {"n": 4}})
    assert aggregate(c.count().sum("n").avg("n")) == {"field_1": 2, "field_2": 5, "field_3": 2.5}


def test_aggregations_of_nothing(base):
    assert {
        name: aggregated_value(base, aggregation)
        for name, aggregation in {
            "c": {"count": {}},
            "s": {"sum": {"field": {"field_path": "n"}}},
            "a": {"avg": {"field": {"field_path": "n"}}},
        }.items()
    } == {"c": 0, "s": 0, "a": None}


@pytest.mark.parametrize(
    "values, total, mean",
    [
        ([1, 2, 3], 6, 2.0),
        ([1, 2.5], 3.5, 1.75),
        ([1, "x", None, True, [5]], 1, 1.0),
        (["x"], 0, None),
        ([2**63 - 1, 2**63 - 1], float(2**64), float(2**63)),
        ([2**63 - 1, 1, -2], 2**63 - 2, (2**63 - 2) / 3),
        ([1.5, 1.5], 3.0, 1.5),
        ([math.inf, 1], math.inf, math.inf),
    ],
    ids=str,
)
def test_sum_and_average_of(base, values, total, mean):
    fill(base.client, {f"{n}": {"v": value} for n, value in enumerate(values)})
    assert aggregated_value(base, {"sum": {"field": {"field_path": "v"}}}) == pytest.approx(total)
    got = aggregated_value(base, {"avg": {"field": {"field_path": "v"}}})
    assert got is None if mean is None else got == pytest.approx(mean)


def test_sum_of_integers_is_an_integer_and_average_a_double(base):
    fill(base.client, {"a": {"n": 1}, "b": {"n": 3}})
    answer = aggregated(
        base,
        structured("c"),
        {"alias": "s", "sum": {"field": {"field_path": "n"}}},
        {"alias": "a", "avg": {"field": {"field_path": "n"}}},
    )
    fields = answer.result.aggregate_fields
    kinds = {
        name: documents.Value.pb(value).WhichOneof("value_type") for name, value in fields.items()
    }
    assert kinds == {"s": "integer_value", "a": "double_value"}


def test_nan_spoils_sum_and_average(db):
    c = fill(db, {"a": {"v": math.nan}, "b": {"v": 1}})
    assert math.isnan(aggregate(c.sum("v", alias="s"))["s"])
    assert math.isnan(aggregate(c.avg("v", alias="a"))["a"])


def aggregated(base, query, *aggregations, **more):
    *begun, answer = base.stream(
        "run_aggregation_query",
        rpc.RunAggregationQueryRequest(
            parent=base.root,
            structured_aggregation_query=queries.StructuredAggregationQuery(
                structured_query=query, aggregations=list(aggregations)
            ),
            **more,
        ),
    )
    assert answer.read_time and [first.transaction != b"" for first in begun] == (
        [True] if "new_transaction" in more else []
    )
    return answer


def aggregated_value(base, aggregation: dict):
    """The client reads a null as zero."""
    answer = aggregated(base, structured("c"), {"alias": "x", **aggregation})
    return _helpers.decode_value(answer.result.aggregate_fields["x"], base.client)


def test_count_up_to(base):
    fill(base.client, {f"{n}": {"n": n} for n in range(10)})
    for limit, expected in ((0, 0), (3, 3), (10, 10), (11, 10)):
        answer = aggregated(
            base, structured("c"), {"alias": "c", "count": {"up_to": {"value": limit}}}
        )
        assert answer.result.aggregate_fields["c"].integer_value == expected


def test_aggregation_of_twice_the_same_alias_is_refused(base):
    request = rpc.RunAggregationQueryRequest(
        parent=base.root,
        structured_aggregation_query=queries.StructuredAggregationQuery(
            structured_query=structured("c"),
            aggregations=[{"alias": "c", "count": {}}, {"alias": "c", "count": {}}],
        ),
    )
    assert base.fails("run_aggregation_query", request) == INVALID


def test_aggregation_may_begin_a_transaction(base):
    answer = aggregated(
        base,
        structured("c"),
        {"alias": "c", "count": {}},
        new_transaction=common.TransactionOptions(read_only={}),
    )
    assert answer.result.aggregate_fields["c"].integer_value == 0


# MARK: Nearest neighbours

VECTORS = {
    "a": {"v": Vector([1.0, 0.0]), "k": 1},
    "b": {"v": Vector([0.0, 2.0]), "k": 1},
    "c": {"v": Vector([3.0, 4.0]), "k": 2},
    "d": {"v": Vector([-1.0, 0.0]), "k": 2},
    "e": {"v": Vector([1.0, 2.0, 3.0])},
    "f": {"v": "no vector"},
    "g": {"k": 1},
    "h": {"v": [1.0, 0.0]},
}


@pytest.mark.parametrize(
    "measure, expected",
    [
        (DistanceMeasure.EUCLIDEAN, [("a", 0.0), ("d", 2.0), ("b", 5**0.5), ("c", 20**0.5)]),
        (DistanceMeasure.COSINE, [("a", 0.0), ("c", 0.4), ("b", 1.0), ("d", 2.0)]),
        (DistanceMeasure.DOT_PRODUCT, [("c", 3.0), ("a", 1.0), ("b", 0.0), ("d", -1.0)]),
    ],
    ids=["euclidean", "cosine", "dot product"],
)
def test_find_nearest(db, measure, expected):
    c = fill(db, VECTORS)
    query = c.find_nearest("v", Vector([1.0, 0.0]), 10, measure, distance_result_field="distance")
    got = [(doc.id, doc.get("distance")) for doc in query.stream(timeout=30)]
    assert [name for name, _ in got] == [name for name, _ in expected]
    assert [distance for _, distance in got] == pytest.approx(
        [distance for _, distance in expected]
    )
    assert ids(c.find_nearest("v", Vector([1.0, 0.0]), 2, measure)) == [
        name for name, _ in expected[:2]
    ]


def test_find_nearest_with_a_threshold_and_a_filter(db):
    c = fill(db, VECTORS)
    near = c.find_nearest(
        "v", Vector([1.0, 0.0]), 10, DistanceMeasure.EUCLIDEAN, distance_threshold=2.0
    )
    assert ids(near) == ["a", "d"]
    far = c.find_nearest(
        "v", Vector([1.0, 0.0]), 10, DistanceMeasure.DOT_PRODUCT, distance_threshold=1.0
    )
    assert ids(far) == ["c", "a"]
    filtered = where(c, "k", "==", 2).find_nearest(
        "v", Vector([1.0, 0.0]), 1, DistanceMeasure.EUCLIDEAN
    )
    assert ids(filtered) == ["d"]
    group = db.collection_group("c").find_nearest(
        "v", Vector([1.0, 0.0]), 1, DistanceMeasure.EUCLIDEAN
    )
    assert ids(group) == ["a"]


@pytest.mark.parametrize(
    "nearest",
    [
        {"limit": {"value": 0}},
        {"limit": {"value": 1001}},
        {"distance_measure": 0},
        {"vector_field": {"field_path": ""}},
        {"query_vector": {"string_value": "x"}},
    ],
)
def test_find_nearest_that_is_invalid_is_refused(base, nearest):
    valid = {
        "vector_field": {"field_path": "v"},
        "query_vector": _helpers.encode_value(Vector([1.0])),
        "distance_measure": 1,
        "limit": {"value": 1},
    }
    request = rpc.RunQueryRequest(
        parent=base.root, structured_query=structured("c", find_nearest={**valid, **nearest})
    )
    assert base.fails("run_query", request) == INVALID


# MARK: What is refused


def field_filter(path, op, value):
    return {
        "field_filter": {
            "field": {"field_path": path},
            "op": op,
            "value": _helpers.encode_value(value),
        }
    }


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
        "c", where={"composite_filter": {"filters": [field_filter("n", "EQUAL", 1)]}}
    ),
    "negative limit": structured("c", limit=-1),
    "negative offset": structured("c", offset=-1),
    "cursor without order": structured(
        "c", start_at={"values": [{"integer_value": 1}, {"integer_value": 1}]}
    ),
    "cursor too long": structured(
        "c",
        order_by=[{"field": {"field_path": "n"}, "direction": 1}],
        end_at={"values": [{"integer_value": 1}] * 3},
    ),
    "name against a number": structured("c", where=field_filter("__name__", "EQUAL", 1)),
    "not-in with not equal": structured(
        "c",
        where={
            "composite_filter": {
                "op": "AND",
                "filters": [field_filter("n", "NOT_EQUAL", 1), field_filter("n", "NOT_IN", [2])],
            }
        },
    ),
    "two not-in": structured(
        "c",
        where={
            "composite_filter": {
                "op": "AND",
                "filters": [field_filter("n", "NOT_IN", [1]), field_filter("m", "NOT_IN", [2])],
            }
        },
    ),
    "too many disjunctions": structured(
        "c",
        where={
            "composite_filter": {
                "op": "AND",
                "filters": [
                    field_filter("n", "IN", list(range(6))),
                    field_filter("m", "IN", list(range(6))),
                ],
            }
        },
    ),
    "collection with a slash": structured("a/b"),
    "reserved collection": structured("__x__"),
    "order by twice": structured(
        "c",
        order_by=[
            {"field": {"field_path": "n"}, "direction": 1},
            {"field": {"field_path": "n"}, "direction": 2},
        ],
    ),
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
