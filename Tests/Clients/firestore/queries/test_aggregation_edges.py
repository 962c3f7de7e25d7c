"""Edge cases of aggregations, queries in the past, and where queries look."""

import math

import grpc
import pytest
from google.api_core import exceptions
from google.cloud.firestore_v1 import _helpers
from google.cloud.firestore_v1.types import firestore as rpc
from google.cloud.firestore_v1.types import query as queries
from google.cloud.firestore_v1.vector import Vector
from support.firestore.project import base, db, guard  # noqa: F401
from support.firestore.queries import cursor, field_filter, run, structured, where

INVALID = grpc.StatusCode.INVALID_ARGUMENT


# MARK: Aggregations


def aggregated(base, query, *aggregations, parent: str = "", **more) -> dict:
    [answer] = base.stream(
        "run_aggregation_query",
        rpc.RunAggregationQueryRequest(
            parent=f"{base.root}/{parent}".rstrip("/"),
            structured_aggregation_query=queries.StructuredAggregationQuery(
                structured_query=query, aggregations=list(aggregations)
            ),
            **more,
        ),
    )
    return {
        name: _helpers.decode_value(value, base.client)
        for name, value in answer.result.aggregate_fields.items()
    }


def total(path: str, alias: str = "") -> dict:
    return {"alias": alias, "sum": {"field": {"field_path": path}}}


def mean(path: str, alias: str = "") -> dict:
    return {"alias": alias, "avg": {"field": {"field_path": path}}}


COUNT = {"count": {}}


def test_aggregations_of_several_fields_take_documents_that_have_all(base):
    base.commit(
        *[
            base.set(f"c/{name}", fields)
            for name, fields in {
                "a": {"pages": 100, "year": 1980},
                "b": {"pages": 50, "year": 2020},
                "c": {"pages": 150, "year": 2021},
                "d": {"pages": 50},
            }.items()
        ]
    )
    assert aggregated(
        base,
        structured("c"),
        total("pages", "sum"),
        mean("pages", "avg"),
        mean("year", "year"),
        {"alias": "count", "count": {}},
    ) == {"sum": 300, "avg": 100.0, "year": 2007.0, "count": 3}


def test_values_that_are_not_numbers_are_counted_and_not_summed(base):
    base.commit(
        *[
            base.set(f"c/{n}", {"v": value})
            for n, value in enumerate([5, 4, "3", 1, None, True, [7]])
        ]
    )
    assert aggregated(base, structured("c"), total("v"), mean("v"), COUNT) == {
        "field_1": 10,
        "field_2": 10 / 3,
        "field_3": 7,
    }


def test_aggregations_over_nested_quoted_and_missing_fields(base):
    base.commit(
        base.set("c/a", {"m": {"x y": 1, "z": {"w": 2}}}),
        base.set("c/b", {"m": {"x y": 2.5, "z": {"w": 4}}}),
    )
    assert aggregated(base, structured("c"), total("m.`x y`"), mean("m.z.w")) == {
        "field_1": 3.5,
        "field_2": 3.0,
    }
    assert aggregated(base, structured("c"), total("none"), mean("m.none")) == {
        "field_1": 0,
        "field_2": None,
    }


def test_nan_of_one_field_spoils_no_other(base):
    base.commit(
        *[
            base.set(f"c/{n}", {"r": r, "p": p})
            for n, (r, p) in enumerate([(5, 100), (math.nan, 50), (0, 50)])
        ]
    )
    got = aggregated(base, structured("c"), total("r"), total("p"), mean("p"))
    assert math.isnan(got["field_1"]) and got["field_2"] == 200
    assert got["field_3"] == pytest.approx(200 / 3)


def test_aggregations_of_groups_alternatives_and_cursors(base):
    base.commit(
        *[base.set(f"x/{n % 2}/g/{n}", {"n": n}) for n in range(6)],
        base.set("g/7", {"n": 7}),
        base.set("x/0/gg/8", {"n": 100}),
    )
    assert aggregated(base, structured("g", True), COUNT, total("n")) == {
        "field_1": 7,
        "field_2": 22,
    }
    assert aggregated(base, structured("g", True), COUNT, parent="x/0") == {"field_1": 3}
    either = {
        "composite_filter": {
            "op": "OR",
            "filters": [field_filter("n", "LESS_THAN", 2), field_filter("n", "IN", [1, 5])],
        }
    }
    assert aggregated(base, structured("g", True, where=either), COUNT, total("n")) == {
        "field_1": 3,
        "field_2": 6,
    }
    window = structured(
        "g",
        True,
        order_by=[{"field": {"field_path": "n"}}],
        limit=3,
        start_at=cursor(2, before=False),
    )
    assert aggregated(base, window, COUNT, total("n")) == {"field_1": 3, "field_2": 12}


def test_count_of_a_collection_that_is_not_there(base):
    assert aggregated(base, structured("none"), COUNT) == {"field_1": 0}


REFUSED_AGGREGATIONS = {
    "none": [],
    "six": [{"alias": f"a{n}", "count": {}} for n in range(6)],
    "no operator": [{"alias": "a"}],
    "up to less": [{"count": {"up_to": {"value": -1}}}],
    "no field": [{"sum": {}}],
    "bad field": [{"avg": {"field": {"field_path": "a..b"}}}],
}


@pytest.mark.parametrize("name", REFUSED_AGGREGATIONS)
def test_aggregation_that_is_invalid_is_refused(base, name):
    request = rpc.RunAggregationQueryRequest(
        parent=base.root,
        structured_aggregation_query=queries.StructuredAggregationQuery(
            structured_query=structured("c"), aggregations=REFUSED_AGGREGATIONS[name]
        ),
    )
    assert base.fails("run_aggregation_query", request) == INVALID


def test_aggregation_in_a_transaction_and_of_the_past(base):
    at = base.commit(base.set("c/a", {"n": 1})).commit_time
    base.commit(base.set("c/b", {"n": 2}))
    assert aggregated(base, structured("c"), COUNT, total("n"), read_time=at) == {
        "field_1": 1,
        "field_2": 1,
    }
    transaction = base.begin(read_only={"read_time": at})
    assert aggregated(base, structured("c"), COUNT, transaction=transaction) == {"field_1": 1}


# MARK: The past


@pytest.mark.parametrize(
    "query, expected",
    [
        (lambda b: structured("c"), "abc"),
        (lambda b: structured("c", limit=2), "ab"),
        (lambda b: structured("c", offset=1), "bc"),
        (lambda b: structured("c", where=field_filter("n", "GREATER_THAN", 1)), "bc"),
        (
            lambda b: structured(
                "c", order_by=[{"field": {"field_path": "n"}, "direction": "DESCENDING"}], limit=1
            ),
            "c",
        ),
        (
            lambda b: structured(
                "c",
                order_by=[{"field": {"field_path": "__name__"}}],
                start_at=cursor(b.client.document("c/b"), before=True),
            ),
            "bc",
        ),
        (lambda b: structured("c", True), "abc"),
    ],
    ids=["all", "limit", "offset", "filter", "last", "cursor", "group"],
)
def test_query_of_the_past(base, query, expected):
    at = base.commit(
        *[base.set(f"c/{name}", {"n": n}) for n, name in enumerate("abc", 1)]
    ).commit_time
    base.commit(base.set("c/a", {"n": 9}), base.delete("c/b"), base.set("c/d", {"n": 3}))
    assert [name[-1] for name in run(base, query(base), read_time=at)] == list(expected)


def test_nearest_neighbours_of_the_past(base):
    def near(limit: int, **more) -> list[str]:
        return run(
            base,
            structured(
                "c",
                find_nearest={
                    "vector_field": {"field_path": "v"},
                    "distance_measure": 1,
                    "limit": limit,
                    "query_vector": _helpers.encode_value(Vector([0.0])),
                },
            ),
            **more,
        )

    at = base.commit(
        *[
            base.set(f"c/{name}", {"v": Vector([value])})
            for name, value in {"a": 1.0, "b": 3.0, "d": 9.0}.items()
        ]
    ).commit_time
    base.commit(base.delete("c/a"), base.set("c/d", {"v": Vector([2.0])}))
    assert near(1) == ["c/d"] and near(9) == ["c/d", "c/b"]
    assert near(9, read_time=at) == ["c/a", "c/b", "c/d"]
    assert near(1, read_time=at) == ["c/a"]


# MARK: Where queries look


def test_query_below_a_document_that_is_missing(base):
    base.commit(base.set("c/none/d/e", {"n": 1}))
    assert run(base, structured("d"), "c/none") == ["c/none/d/e"]
    assert run(base, structured("c")) == []


def test_collections_of_similar_names_are_apart(base):
    paths = ["c/a", "c1/a", "C/a", "c /a", "c\u0301/a", "c/a/c/a"]
    base.commit(*[base.set(path, {"p": path}) for path in paths])
    for path in paths[:-1]:
        assert run(base, structured(path.split("/")[0])) == [path]
    assert run(base, structured("c", True)) == ["c/a", "c/a/c/a"]


@pytest.mark.parametrize(
    "identifier", ["a/b", ".", "__x__", "x" * 1501], ids=["slash", "dot", "reserved", "long"]
)
def test_collection_that_cannot_be_is_refused(base, identifier):
    request = rpc.RunQueryRequest(parent=base.root, structured_query=structured(identifier))
    assert base.fails("run_query", request) == INVALID


def test_python_client_reports_an_invalid_query(db):
    with pytest.raises(exceptions.InvalidArgument):
        list(where(db.collection("c"), "n", "in", list(range(31))).stream(timeout=30))
