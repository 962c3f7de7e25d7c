"""Counts, sums and averages: aliases, options and refusals."""

import pytest
from support.firestore.production import (
    NUMBERS,
    Replay,
    ascending,
    average,
    compare,
    count,
    double,
    error,
    field,
    integer,
    source,
    string,
    total,
)

PATH = (
    'Invalid property path "a..b". Unquoted property paths must match regex '
    "([a-zA-Z_][a-zA-Z_0-9]*), and quoted property paths must match regex "
    "(`(?:[^`\\\\]|(?:\\\\.))+`)"
)
DUPLICATE = "Aggregation aliases contain duplicate alias: {}."

REFUSALS = {
    "F37-default": ([count(), total("n", "field_1")], DUPLICATE.format("field_1")),
    "F37": ([count("x"), total("n", "x")], DUPLICATE.format("x")),
    "F38": ([count("__x__")], 'The property.name "__x__" is reserved.'),
    "F38-long": ([count("a" * 1501)], "The property.name is longer than 1500 bytes."),
    "F40": ([], "Aggregations can not be empty."),
    "F40-operator": ([{"alias": "x"}], "Operator field in Aggregation is not set."),
    "F40-name": (
        [total("__name__", "s")],
        "Aggregations are not supported for the property: __key__",
    ),
    "F40-reserved": ([total("__x__", "s")], "Invalid reserved name in field path __x__"),
    "path": ([total("a..b", "s")], PATH),
    "no-field": ([{"alias": "s", "sum": {}}], "Invalid empty property path string."),
    "F41": (
        [count("c", -1)],
        "The `up_to` value in a COUNT aggregation must be greater than or equal to zero.",
    ),
}

RESULTS = {
    "F37": (
        [count(), total("n"), average("n")],
        {"field_1": integer(10), "field_2": integer(45), "field_3": double(4.5)},
    ),
    "F37-around": (
        [count("c"), total("n"), average("n", "a"), count()],
        {"c": integer(10), "field_1": integer(45), "a": double(4.5), "field_2": integer(10)},
    ),
    "F38-dot": ([count("a.b")], {"a.b": integer(10)}),
    "F38-quote": ([count("`a`")], {"`a`": integer(10)}),
    "F38-empty": ([{"alias": "", "count": {}}], {"field_1": integer(10)}),
    "F38-1500": ([count("a" * 1500)], {"a" * 1500: integer(10)}),
    "F41": ([count("c", 3)], {"c": integer(3)}),
    "F44": ([average("absent", "a")], {"a": {"nullValue": None}}),
    "F44-sum": ([total("absent", "s")], {"s": integer(0)}),
    "F44-beside": ([count("c"), total("opt", "s")], {"c": integer(7), "s": integer(33)}),
}


@pytest.fixture(scope="module")
def replay(hearth):
    return Replay(hearth, NUMBERS)


@pytest.mark.parametrize("aggregations, message", REFUSALS.values(), ids=REFUSALS)
def test_aggregations_are_refused(replay, aggregations, message):
    status, body = replay.aggregate({"from": source("qn")}, aggregations)
    assert (status, error(body)) == (
        400,
        {"code": 400, "message": message, "status": "INVALID_ARGUMENT"},
    )


def test_F39_more_than_five(replay):
    _, body = replay.aggregate({"from": source("qn")}, [count(f"c{i}") for i in range(6)])
    assert error(body) == {
        "code": 400,
        "status": "INVALID_ARGUMENT",
        "message": "The maximum number of aggregations allowed in an aggregation query is 5. "
        "Received: 6",
        "details": [
            {
                "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                "reason": "TOO_MANY_AGGREGATIONS",
                "domain": "firestore.googleapis.com",
                "metadata": {"actual_aggregations": "6", "max_aggregations": "5"},
            }
        ],
    }


@pytest.mark.parametrize("aggregations, fields", RESULTS.values(), ids=RESULTS)
def test_results_have_aliases(replay, aggregations, fields):
    status, body = replay.aggregate({"from": source("qn")}, aggregations)
    assert status == 200, body
    assert [sorted(row) for row in body] == [["readTime", "result"]]
    assert body[0]["result"]["aggregateFields"] == fields


def test_F41_a_count_up_to_zero_looks_at_nothing(replay):
    _, body = replay.aggregate({"from": source("qn")}, [count("c", 0)])
    assert body == [
        {
            "readTime": "1969-12-31T23:59:59.999999Z",
            "result": {"aggregateFields": {"c": integer(0)}},
        }
    ]


@pytest.mark.parametrize(
    "query, found",
    [
        ({"limit": 4}, 4),
        ({"offset": 7}, 3),
        ({"offset": 2, "limit": 3}, 3),
        ({"orderBy": [ascending("n")], "startAt": {"values": [integer(6)], "before": True}}, 4),
        ({"orderBy": [ascending("opt")]}, 7),
        ({"select": {"fields": [field("n")]}}, 10),
        ({"where": compare("g", "EQUAL", string("odd"))}, 5),
        ({"where": compare("g", "EQUAL", string("none"))}, 0),
    ],
)
def test_counts_of_parts(replay, query, found):
    _, body = replay.aggregate({"from": source("qn")} | query, [count("c")])
    assert body[0]["result"]["aggregateFields"] == {"c": integer(found)}


def test_no_query_is_one_over_all_collections(replay):
    status, body = replay.post(
        ":runAggregationQuery", {"structuredAggregationQuery": {"aggregations": [count("c")]}}
    )
    assert (status, body[0]["result"]["aggregateFields"]) == (200, {"c": integer(10)})
