"""Filters, queries and data for tests of queries."""

import datetime
import math

from google.cloud import firestore
from google.cloud.firestore_v1 import _helpers
from google.cloud.firestore_v1.types import firestore as rpc
from google.cloud.firestore_v1.types import query as queries
from google.cloud.firestore_v1.vector import Vector


def field_filter(path: str, op: str, value) -> dict:
    return {
        "field_filter": {
            "field": {"field_path": path},
            "op": op,
            "value": _helpers.encode_value(value),
        }
    }


def run(base, query, parent: str = "", **more) -> list[str]:
    answers = base.stream(
        "run_query",
        rpc.RunQueryRequest(
            parent=f"{base.root}/{parent}".rstrip("/"), structured_query=query, **more
        ),
    )
    return [base.path(answer.document.name) for answer in answers if answer.document.name]


def cursor(*values, before: bool) -> dict:
    return {"values": [_helpers.encode_value(value) for value in values], "before": before}


UTC = datetime.UTC


def where(source, path, op, value):
    return source.where(filter=firestore.FieldFilter(path, op, value))


def ids(query, **more) -> list[str]:
    return [doc.id for doc in query.stream(timeout=30, **more)]


def fill(db, data: dict[str, dict], collection: str = "c"):
    items = list(data.items())
    for start in range(0, len(items), 400):
        batch = db.batch()
        for name, fields in items[start : start + 400]:
            batch.set(db.collection(collection).document(name), fields)
        batch.commit(timeout=30)
    return db.collection(collection)


def structured(collection: str, all_descendants: bool = False, **more) -> queries.StructuredQuery:
    return queries.StructuredQuery(
        from_=[{"collection_id": collection, "all_descendants": all_descendants}], **more
    )


ORDERED = [
    None,
    False,
    True,
    math.nan,
    -math.inf,
    -(2**63),
    -1.5,
    -1,
    0,
    0.5,
    1,
    2**53,
    2**53 + 1,
    2**63 - 1,
    float(2**63),
    math.inf,
    datetime.datetime(1, 1, 1, tzinfo=UTC),
    datetime.datetime(2024, 1, 1, 0, 0, 0, 1, UTC),
    datetime.datetime(2024, 1, 1, 0, 0, 0, 2, UTC),
    "",
    "\0",
    "\0\0",
    "\0\x01",
    "\x01",
    "A",
    "a",
    "a\0",
    "aa",
    "b",
    "é",
    "￿",
    "😀",
    b"",
    b"\0",
    b"\0\0",
    b"\x01",
    b"a",
    b"\xff",
    b"\xff\xff",
    "ref:a/b",
    "ref:a/b/c/d",
    "ref:a/b!",
    "ref:a/c",
    "ref:aa/a",
    firestore.GeoPoint(-90, 0),
    firestore.GeoPoint(0, -180),
    firestore.GeoPoint(0, 180),
    firestore.GeoPoint(1, -1),
    [],
    [None],
    [1],
    [1, 1],
    [1, "a"],
    [2],
    ["a"],
    ["b", 1],
    [{"a": 1}],
    Vector([5.0]),
    Vector([6.0]),
    Vector([1.0, 2.0]),
    Vector([1.0, 3.0]),
    Vector([0.0, 0.0, 0.0]),
    {},
    {"a": None},
    {"a": 1},
    {"a": 1, "b": 0},
    {"a": 2},
    {"a": "x"},
    {"b": 0},
    {"é": 1},
]


def aggregate(query) -> dict:
    [[*results]] = query.get(timeout=30)
    return {result.alias: result.value for result in results}
