"""Searches of the nearest vectors, and partitions, with the indexes that production asks for."""

import json

import pytest
import requests
from support.firestore.production import (
    Replay,
    array,
    ascending,
    compare,
    count,
    descending,
    double,
    error,
    field,
    integer,
    reference,
    rows,
    source,
    string,
    total,
    vector,
)

EMBEDDINGS = {
    "v1": ((1, 0, 0), "red"),
    "v2": ((0, 1, 0), "blue"),
    "v3": ((0, 0, 1), "red"),
    "v4": ((1, 1, 0), "blue"),
    "v5": ((-1, 0, 0), "red"),
    "v9": ((0, 0, 0), "blue"),
    "v10": ((2, 0, 0), "green"),
    "v11": ((0.5, 0.5, 0.5), "green"),
}
SEED = (
    {
        f"qvec/{name}": {"emb": vector(*numbers), "color": string(color), "n": integer(name[1:])}
        for name, (numbers, color) in EMBEDDINGS.items()
    }
    | {
        "qvec/v6": {"emb": vector(1, 2), "color": string("red"), "n": integer(6)},
        "qvec/v7": {"emb": array(double(1), double(2), double(3)), "n": integer(7)},
        "qvec/v8": {"color": string("red"), "n": integer(8)},
    }
    | {f"qroot/r{i % 2}/qp/s{i}": {"n": integer(i)} for i in range(5)}
)
EMB = {"fieldPath": "emb", "vectorConfig": {"dimension": 3, "flat": {}}}
INDEXES = {
    "indexes": [
        {"collectionGroup": "qvec", "queryScope": "COLLECTION", "fields": [EMB]},
        {
            "collectionGroup": "qvec",
            "queryScope": "COLLECTION",
            "fields": [{"fieldPath": "color", "order": "ASCENDING"}, EMB],
        },
    ]
}
BY_DISTANCE = ["v1", "v11", "v10", "v4", "v9", "v2", "v3", "v5"]
LIMIT = "FindNearest.limit must be a positive integer of no more than 1000"


@pytest.fixture(scope="module")
def replay(hearth):
    replay = Replay(hearth, SEED, indexes="enforce")
    reply = requests.put(
        f"{hearth.auth}/emulator/v1/{replay.database}/indexes", json=INDEXES, timeout=30
    )
    assert reply.status_code == 200, reply.text
    return replay


def nearest(**change) -> dict:
    search = {
        "vectorField": field("emb"),
        "queryVector": vector(1, 0, 0),
        "distanceMeasure": "EUCLIDEAN",
        "limit": 3,
    } | change
    return {name: value for name, value in search.items() if value is not None}


def search(replay, clauses: dict | None = None, **change) -> tuple[int, object]:
    query = {"from": source("qvec"), "findNearest": nearest(**change)} | (clauses or {})
    return replay.query(query)


def missing(replay, config: str, scope: str = "COLLECTION", group: str = "qvec") -> str:
    return (
        "Missing vector index configuration. Please create the required index with the following "
        f"gcloud command: gcloud firestore indexes composite create --project={replay.project} "
        f"--collection-group={group} --query-scope={scope} {config}"
    )


def vectors(path: str, dimension: int) -> str:
    config = json.dumps(str(dimension))
    return f'--field-config=vector-config=\'{{"dimension":{config},"flat": "{{}}"}}\',field-path={path}'


ORDERED = "--field-config=order=ASCENDING,field-path=n "


# MARK: What is found


@pytest.mark.parametrize(
    "change, found",
    [
        ({}, BY_DISTANCE[:3]),
        ({"limit": 1000}, BY_DISTANCE),
        ({"distanceThreshold": 1, "limit": 10}, BY_DISTANCE[:5]),
        ({"distanceMeasure": "DOT_PRODUCT", "limit": 4}, ["v10", "v1", "v4", "v11"]),
        (
            {"distanceMeasure": "DOT_PRODUCT", "limit": 10, "distanceThreshold": 0.5},
            ["v10", "v1", "v4", "v11"],
        ),
    ],
)
def test_the_nearest(replay, change, found):
    status, body = search(replay, **change)
    assert (status, rows(body)) == (200, found)


@pytest.mark.parametrize("name", ["distance", "a.b", "a..b", "color"])
def test_the_field_of_the_distance(replay, name):
    """It is a name and not a path, and what was there goes."""
    status, body = search(replay, distanceResultField=name, limit=2)
    assert status == 200
    found = [row["document"]["fields"][name] for row in body]
    assert found == [double(0), double(0.8660254037844386)]


@pytest.mark.parametrize(
    "clauses, found",
    [
        ({"where": compare("color", "EQUAL", string("red"))}, ["v1", "v3", "v5"]),
        ({"where": compare("color", "GREATER_THAN", string("blue"))}, ["v1", "v11", "v10"]),
        (
            {"where": compare("color", "IN", array(string("red"), string("blue")))},
            ["v1", "v4", "v9"],
        ),
    ],
)
def test_with_a_filter(replay, clauses, found):
    status, body = search(replay, clauses)
    assert (status, rows(body)) == (200, found)


def test_a_projection(replay):
    _, body = search(replay, {"select": {"fields": [field("emb")]}}, limit=1)
    assert body[0]["document"]["fields"] == {"emb": vector(1, 0, 0)}


def test_a_count(replay):
    status, body = replay.aggregate(
        {"from": source("qvec"), "findNearest": nearest()}, [count("c")]
    )
    assert status == 200, body
    assert body[0]["result"]["aggregateFields"]["c"] == integer(3)


# MARK: What is refused


@pytest.mark.parametrize(
    "change, message",
    [
        ({"limit": 1001}, LIMIT),
        ({"limit": 0}, LIMIT),
        ({"limit": -1}, LIMIT),
        ({"limit": None}, LIMIT),
        ({"distanceMeasure": "DISTANCE_MEASURE_UNSPECIFIED"}, "Unknown Distance Measure."),
        ({"distanceMeasure": None}, "Unknown Distance Measure."),
        ({"vectorField": None}, "Invalid empty property path string."),
        ({"queryVector": None}, "Cannot convert firestore.v1.Value with type unset."),
        ({"queryVector": array(double(1), double(0))}, "Query Value must be of type vector."),
        ({"queryVector": vector()}, "Cannot have a zero length vector."),
        (
            {"distanceResultField": "__name__"},
            'The distanceResultField.property.name "__name__" is reserved.',
        ),
        ({"distanceThreshold": "NaN"}, "distanceThreshold must be a finite number."),
    ],
    ids=str,
)
def test_a_search_is_refused(replay, change, message):
    status, body = search(replay, **change)
    assert (status, error(body)) == (
        400,
        {"code": 400, "message": message, "status": "INVALID_ARGUMENT"},
    )


@pytest.mark.parametrize(
    "clauses, message",
    [
        ({"limit": 2}, "A query limit cannot be used with FindNearest"),
        ({"offset": 1}, "A query offset cannot be used with FindNearest"),
        (
            {
                "orderBy": [ascending("__name__")],
                "startAt": {"values": [reference("qvec/v2")], "before": True},
            },
            "A cursor cannot be used with FindNearest",
        ),
    ],
)
def test_a_clause_is_refused(replay, clauses, message):
    status, body = search(replay, clauses)
    assert (status, error(body)["message"]) == (400, message)


@pytest.mark.parametrize(
    "clauses, change, scope, config",
    [
        ({}, {"queryVector": vector(1, 0)}, "COLLECTION", vectors("emb", 2)),
        ({}, {"queryVector": vector(1, 0, 0, 0)}, "COLLECTION", vectors("emb", 4)),
        ({}, {"vectorField": field("emb2")}, "COLLECTION", vectors("emb2", 3)),
        ({}, {"vectorField": field("__name__")}, "COLLECTION", vectors("__name__", 3)),
        (
            {"where": compare("n", "EQUAL", integer(1))},
            {},
            "COLLECTION",
            ORDERED + vectors("emb", 3),
        ),
        ({"orderBy": [ascending("n")]}, {}, "COLLECTION", ORDERED + vectors("emb", 3)),
        ({"from": source("qvec", group=True)}, {}, "COLLECTION_GROUP", vectors("emb", 3)),
    ],
    ids=str,
)
def test_an_index_is_missing(replay, clauses, change, scope, config):
    status, body = search(replay, clauses, **change)
    assert (status, error(body)) == (
        400,
        {"code": 400, "message": missing(replay, config, scope), "status": "FAILED_PRECONDITION"},
    )


def test_a_sum_needs_its_field_in_the_index(replay):
    status, body = replay.aggregate(
        {"from": source("qvec"), "findNearest": nearest()}, [total("n", "s")]
    )
    assert (status, error(body)["message"]) == (400, missing(replay, ORDERED + vectors("emb", 3)))


# MARK: Partitions


def partitions(replay, query: dict, **body) -> tuple[int, dict]:
    return replay.post(":partitionQuery", {"structuredQuery": query, "partitionCount": "2"} | body)


GROUP = {"from": source("qp", group=True)}
BY_NAME = GROUP | {"orderBy": [ascending("__name__")]}


def test_partitions_by_a_field_need_an_index(replay):
    status, answer = partitions(replay, GROUP | {"orderBy": [ascending("n")]})
    assert status == 400 and answer["error"]["status"] == "FAILED_PRECONDITION"
    assert answer["error"]["message"].startswith(
        "The query requires a COLLECTION_GROUP_ASC index for collection qp and field n. You can "
        "create it here: "
    )


def test_partitions_by_name_backwards_need_an_index(replay):
    status, answer = partitions(replay, GROUP | {"orderBy": [descending("__name__")]})
    assert status == 400 and answer["error"]["status"] == "FAILED_PRECONDITION"
    assert answer["error"]["message"].startswith("The query requires an index. ")


def test_partitions_of_the_nearest_need_an_index(replay):
    query = BY_NAME | {
        "findNearest": nearest(vectorField=field("e"), queryVector=vector(1, 0), limit=2)
    }
    status, answer = partitions(replay, query)
    assert (status, answer["error"]["message"]) == (
        400,
        missing(replay, vectors("e", 2), "COLLECTION_GROUP", "qp"),
    )


@pytest.mark.parametrize(
    "query",
    [
        BY_NAME,
        GROUP,
        BY_NAME | {"from": source("none", group=True)},
        {"from": [{"allDescendants": True}], "orderBy": [ascending("__name__")]},
    ],
)
def test_few_documents_are_one_partition(replay, query):
    assert partitions(replay, query) == (200, {})


def test_a_token_that_nobody_gave_out(replay):
    status, answer = partitions(replay, BY_NAME, pageToken="not-a-token")
    assert (status, answer["error"]["message"]) == (400, "invalid page token")


def test_pages_of_partitions(hearth):
    replay = Replay(hearth, {f"qp/d{i:03}": {} for i in range(500)})
    _, first = partitions(replay, BY_NAME, partitionCount=4, pageSize=3)
    assert len(first["partitions"]) == 3
    token = first["nextPageToken"]
    _, second = partitions(replay, BY_NAME, partitionCount=4, pageSize=3, pageToken=token)
    assert len(second["partitions"]) == 1 and "nextPageToken" not in second
    status, answer = partitions(replay, BY_NAME, partitionCount=5, pageSize=3, pageToken=token)
    assert (status, answer["error"]["message"]) == (400, "Invalid page token.")
