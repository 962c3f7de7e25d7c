"""Explain: the indexes of a query, and what it costs."""

import pytest
import requests
from google.cloud.firestore_v1.base_vector_query import DistanceMeasure
from google.cloud.firestore_v1.field_path import FieldPath
from google.cloud.firestore_v1.query_profile import ExplainOptions
from google.cloud.firestore_v1.vector import Vector
from support.firestore.production import (
    NUMBERS,
    Replay,
    array,
    ascending,
    average,
    both,
    compare,
    count,
    descending,
    either,
    error,
    field,
    integer,
    rows,
    source,
    string,
    total,
    vector,
)
from support.firestore.project import Firestore

ODD = compare("g", "EQUAL", string("odd"))
VECTORS = {
    f"qvec/v{i}": {"emb": vector(*numbers), "color": string(color), "n": integer(i)}
    for i, (numbers, color) in enumerate(
        [
            ((1, 0, 0), "red"),
            ((0, 1, 0), "blue"),
            ((0, 0, 1), "red"),
            ((1, 1, 0), "blue"),
            ((-1, 0, 0), "red"),
            ((1, 2), "red"),
            ((2, 0, 0), "green"),
            ((0.5, 0.5, 0.5), "green"),
        ]
    )
}
SEED = (
    NUMBERS
    | VECTORS
    | {
        f"qx/x{i}": {
            "a": integer(i % 2),
            "b": integer(i % 3),
            "c": integer(i),
            "d": integer(5 - i),
            "s": string(f"s{i}"),
        }
        for i in range(6)
    }
)


def where(*filters, **members):
    return {"from": source("qn"), "where": filters[0]} | members


def numbers(**members):
    return {"from": source("qn")} | members


def on_x(*filters):
    return {"from": source("qx"), "where": both(*filters)}


def equal(path, value):
    return compare(path, "EQUAL", integer(value))


# The query, its indexes, and what is returned, which documents and which entries are read.
QUERIES = {
    "full-scan": (numbers(), ["__name__ ASC"], (10, 10, 10)),
    "equality": (where(ODD), ["g ASC, __name__ ASC"], (5, 5, 5)),
    "range-descending": (
        where(compare("n", "GREATER_THAN", integer(3)), orderBy=[descending("n")]),
        ["n DESC, __name__ DESC"],
        (6, 6, 6),
    ),
    "or": (
        where(either(ODD, equal("h", 0))),
        ["g ASC, __name__ ASC", "h ASC, __name__ ASC"],
        (7, 7, 9),
    ),
    "in": (
        where(compare("n", "IN", array(*map(integer, (1, 4, 7))))),
        ["n ASC, __name__ ASC"] * 3,
        (3, 3, 3),
    ),
    "not-equal": (
        where(compare("n", "NOT_EQUAL", integer(4))),
        ["n ASC, __name__ ASC"] * 2,
        (9, 9, 9),
    ),
    "array-contains": (
        where(compare("tags", "ARRAY_CONTAINS", integer(1))),
        ["tags ARRAY_CONTAINS, __name__ ASC"],
        (7, 7, 7),
    ),
    "empty-result": (
        where(compare("g", "EQUAL", string("none"))),
        ["g ASC, __name__ ASC"],
        (0, 0, 0),
    ),
    "limit": (numbers(orderBy=[ascending("n")], limit=3), ["n ASC, __name__ ASC"], (3, 3, 4)),
    "limit-zero": (numbers(limit=0), [], (0, 0, 0)),
    "offset": (
        numbers(orderBy=[ascending("n")], offset=4, limit=2),
        ["n ASC, __name__ ASC"],
        (2, 6, 7),
    ),
    "cursor": (
        numbers(orderBy=[ascending("n")], startAt={"values": [integer(6)], "before": True}),
        ["n ASC, __name__ ASC"],
        (4, 4, 4),
    ),
    "name-descending": (
        {"from": source("qx"), "where": equal("a", 1), "orderBy": [descending("__name__")]},
        ["a DESC, __name__ DESC"],
        (3, 3, 3),
    ),
    "merge": (
        on_x(equal("c", 1), equal("d", 4)),
        ["d ASC, __name__ ASC", "c ASC, __name__ ASC"],
        (1, 1, 2),
    ),
    "merge-reversed": (
        on_x(equal("d", 4), equal("c", 1)),
        ["d ASC, __name__ ASC", "c ASC, __name__ ASC"],
        (1, 1, 2),
    ),
    "merge-of-three": (
        on_x(equal("d", 4), compare("s", "EQUAL", string("s1")), equal("c", 1)),
        ["d ASC, __name__ ASC", "c ASC, __name__ ASC", "s ASC, __name__ ASC"],
        (1, 1, 3),
    ),
}

AGGREGATIONS = {
    "count": (numbers(), [count("c")], ["__name__ ASC"], 10),
    "count-filtered": (where(ODD), [count("c")], ["g ASC, __name__ ASC"], 5),
    "count-up-to": (numbers(), [count("c", 3)], ["__name__ ASC"], 3),
    "count-empty": (
        where(compare("g", "EQUAL", string("none"))),
        [count("c")],
        ["g ASC, __name__ ASC"],
        0,
    ),
    "sum": (numbers(), [total("n", "s"), average("n", "a")], ["n ASC, __name__ ASC"], 10),
}


@pytest.fixture(scope="module")
def replay(hearth):
    return Replay(hearth, SEED)


def plan(properties, scope="Collection"):
    indexes = [{"query_scope": scope, "properties": f"({text})"} for text in properties]
    return {"indexesUsed": indexes} if indexes else {}


def statistics(returned, documents, entries, billed=0, **billing):
    reads = max(1, documents + (billed + 999) // 1000)
    free = documents == 0 and billed == 0
    stats = {
        "readOperations": str(reads),
        "debugStats": {
            "documents_scanned": str(documents),
            "index_entries_scanned": str(entries),
            "billing_details": {
                "documents_billable": str(documents),
                "index_entries_billable": str(billed),
                "small_ops": "0",
                "min_query_cost": "1" if free else "0",
            }
            | billing,
        },
    }
    return stats | ({"resultsReturned": str(returned)} if returned else {})


def measured(metrics):
    """What was measured, without the time, which is never the same."""
    stats = dict(metrics["executionStats"])
    assert stats.pop("executionDuration").endswith("s")
    return stats


@pytest.mark.parametrize("query, indexes, cost", QUERIES.values(), ids=QUERIES)
def test_a_plan_alone(replay, query, indexes, cost):
    assert replay.query(query, explainOptions={}) == (
        200,
        [{"explainMetrics": {"planSummary": plan(indexes)}}],
    )


@pytest.mark.parametrize("query, indexes, cost", QUERIES.values(), ids=QUERIES)
def test_a_query_with_its_cost(replay, query, indexes, cost):
    _, body = replay.query(query, explainOptions={"analyze": True})
    assert [row for row in body[:-1] if "explainMetrics" in row] == []
    metrics = body[-1]["explainMetrics"]
    assert metrics["planSummary"] == plan(indexes)
    assert measured(metrics) == statistics(*cost)
    assert "readTime" in body[-1] and len(rows(body)) == cost[0]


@pytest.mark.parametrize(
    "query, aggregations, indexes, entries", AGGREGATIONS.values(), ids=AGGREGATIONS
)
def test_an_aggregation(replay, query, aggregations, indexes, entries):
    assert replay.aggregate(query, aggregations, explainOptions={"analyze": False}) == (
        200,
        [{"explainMetrics": {"planSummary": plan(indexes)}}],
    )
    _, body = replay.aggregate(query, aggregations, explainOptions={"analyze": True})
    assert sorted(body[0]) == ["explainMetrics", "readTime", "result"]
    metrics = body[0]["explainMetrics"]
    assert metrics["planSummary"] == plan(indexes)
    assert measured(metrics) == statistics(1, 0, entries, billed=entries)


def test_a_collection_group(replay):
    _, body = replay.query({"from": source("qn", group=True)}, explainOptions={})
    assert body[0]["explainMetrics"]["planSummary"] == plan(["__name__ ASC"], "Collection group")


@pytest.mark.parametrize(
    "condition, limit, index, returned, vectors",
    [
        (None, 3, "__name__ ASC, emb VECTOR<3>", 3, 7),
        (
            compare("color", "EQUAL", string("red")),
            2,
            "color ASC, __name__ ASC, emb VECTOR<3>",
            2,
            3,
        ),
    ],
)
def test_nearest_neighbours(replay, condition, limit, index, returned, vectors):
    query = {
        "from": source("qvec"),
        "findNearest": {
            "vectorField": field("emb"),
            "queryVector": vector(1, 0, 0),
            "distanceMeasure": "EUCLIDEAN",
            "limit": limit,
        },
    }
    if condition:
        query["where"] = condition
    _, body = replay.query(query, explainOptions={"analyze": True})
    metrics = body[-1]["explainMetrics"]
    assert metrics["planSummary"] == plan([index])
    expected = statistics(
        returned, returned, vectors, knn_vector_index_entries_billable=str(vectors)
    )
    assert measured(metrics) == expected | {"readOperations": str(returned + 1)}


def test_F45_no_cosine_to_a_vector_without_a_direction(hearth):
    replay = Replay(hearth, {"v/a": {"e": vector(0, 0)}, "v/b": {"e": vector(1, 0)}})
    status, body = replay.query(
        {
            "from": source("v"),
            "findNearest": {
                "vectorField": field("e"),
                "queryVector": vector(1, 0),
                "distanceMeasure": "COSINE",
                "limit": 1,
            },
        }
    )
    assert (status, error(body)) == (
        400,
        {
            "code": 400,
            "status": "FAILED_PRECONDITION",
            "message": "Cannot compute cosine distance against a vector with a magnitude of zero.",
            "details": [
                {
                    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                    "reason": "COSINE_DISTANCE_ON_ZERO_VECTOR",
                    "domain": "firestore.googleapis.com",
                }
            ],
        },
    )


def test_an_invalid_query_has_no_plan(replay):
    for options in ({}, {"analyze": True}):
        status, body = replay.query({"from": source("qn"), "limit": -1}, explainOptions=options)
        assert (status, error(body)["message"]) == (400, "limit is negative")


class TestPython:
    """google-cloud-firestore, which reads the same over gRPC."""

    @pytest.fixture(scope="class")
    @classmethod
    def collection(cls, hearth):
        database = Firestore(hearth)
        # Vectors have no automatic index.
        requests.patch(
            f"{hearth.auth}/emulator/v1/projects/{database.project}/switches",
            json={"indexes": "off"},
            timeout=30,
        ).raise_for_status()
        collection = database.client.collection("c")
        for i in range(4):
            collection.document(f"d{i}").set({"n": i, "e": Vector([float(i), 1.0])})
        yield collection
        database.close()

    def test_a_plan(self, collection):
        result = collection.where("n", ">", 1).get(explain_options=ExplainOptions(analyze=False))
        assert len(result) == 0
        assert result.get_explain_metrics().plan_summary.indexes_used == [
            {"query_scope": "Collection", "properties": "(n ASC, __name__ ASC)"}
        ]

    def test_a_query(self, collection):
        result = collection.where("n", ">", 1).get(explain_options=ExplainOptions(analyze=True))
        stats = result.get_explain_metrics().execution_stats
        assert (len(result), stats.results_returned, stats.read_operations) == (2, 2, 2)
        assert stats.debug_stats["index_entries_scanned"] == "2"
        assert stats.execution_duration.total_seconds() >= 0

    def test_an_aggregation(self, collection):
        result = collection.count().get(explain_options=ExplainOptions(analyze=True))
        assert result[0][0].value == 4
        assert result.get_explain_metrics().execution_stats.read_operations == 1

    def test_a_plan_of_an_aggregation(self, collection):
        result = collection.count().get(explain_options=ExplainOptions(analyze=False))
        assert result.get_explain_metrics().plan_summary.indexes_used[0]["properties"] == (
            "(__name__ ASC)"
        )

    def test_nearest_neighbours(self, collection):
        result = collection.find_nearest(
            "e", Vector([0.0, 1.0]), distance_measure=DistanceMeasure.EUCLIDEAN, limit=2
        ).get(explain_options=ExplainOptions(analyze=True))
        assert [document.id for document in result] == ["d0", "d1"]
        assert result.get_explain_metrics().execution_stats.read_operations == 3

    def test_a_stream(self, collection):
        stream = collection.order_by(FieldPath.document_id()).stream(
            explain_options=ExplainOptions(analyze=True)
        )
        assert len(list(stream)) == 4
        assert stream.get_explain_metrics().execution_stats.results_returned == 4
