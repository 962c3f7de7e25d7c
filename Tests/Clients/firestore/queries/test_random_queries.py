"""Random queries agree with a simple model."""

import datetime
import math
import random

import pytest
from google.api_core import exceptions
from google.cloud import firestore
from support.firestore.model import MISSING, Composite, Filter, ModelQuery, lookup, order
from support.firestore.project import Firestore, base, db, guard  # noqa: F401
from support.firestore.queries import ORDERED, aggregate, fill, ids

UTC = datetime.UTC
QUERIES = 300


# MARK: Against a model

TEXTS = ["", "a", "b", "ab", "é", "￿", "😀", "a\0", "A"]


def random_value(chance: random.Random, db, depth: int = 0):
    kind = chance.randrange(12 if depth < 2 else 9)
    match kind:
        case 0:
            return None
        case 1:
            return chance.random() < 0.5
        case 2 | 3:
            return chance.randrange(-3, 6)
        case 4:
            return chance.choice([-2.5, -1.0, 0.0, 0.5, 1.0, 2.0, 3.5, 1e300, -math.inf])
        case 5:
            return datetime.datetime(2024, 1, 1, 0, 0, 0, chance.randrange(3), UTC)
        case 6:
            return chance.choice(TEXTS)
        case 7:
            return chance.choice([b"", b"\0", b"a", b"\xff"])
        case 8:
            return chance.choice(
                [
                    db.document(chance.choice(["a/b", "a/b/c/d", "b/a"])),
                    firestore.GeoPoint(chance.randrange(2), 5),
                ]
            )
        case 9 | 10:
            elements = [random_value(chance, db, depth + 1) for _ in range(chance.randrange(4))]
            return [element for element in elements if not isinstance(element, list)]
        case _:
            return {
                name: random_value(chance, db, depth + 1)
                for name in chance.sample(["p", "q"], chance.randrange(3))
            }


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
    values = [value for data in collection.values() if (value := lookup(data, path)) is not MISSING]
    return (
        chance.choice(values) if values and chance.random() < 0.9 else chance.choice([0, "a", True])
    )


def random_filter(chance: random.Random, collection: dict, ops: list[str]) -> Filter:
    op = chance.choice(ops)
    if op.startswith("array"):
        path = chance.choice(["t", "c", "m.y"])

        def element():
            values = [
                each
                for data in collection.values()
                if isinstance(lookup(data, path), list)
                for each in lookup(data, path)
            ]
            return chance.choice(values or [1])

        if op == "array_contains":
            while (value := element()) is None:
                pass
            return Filter(path, op, value)
        return Filter(
            path, op, [value for value in (element() for _ in range(3)) if value is not None] or [1]
        )
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
        case 0:
            return None
        case 1:
            return random_filter(chance, collection, SINGLE)
        case 2:
            return random_filter(
                chance, collection, ["!=", "not-in", "in", "array_contains", "array_contains_any"]
            )
        case 3:
            return Composite(
                "and", tuple(random_filter(chance, collection, SINGLE) for _ in range(2))
            )
        case 4:
            return Composite(
                "and",
                (
                    random_filter(chance, collection, SINGLE),
                    random_filter(
                        chance, collection, ["in", "array_contains", "!=", "array_contains_any"]
                    ),
                ),
            )
        case 5:
            return Composite(
                "or",
                tuple(
                    random_filter(chance, collection, [*SINGLE, "in", "array_contains"])
                    for _ in range(chance.randrange(2, 4))
                ),
            )
        case _:
            return Composite(
                "or",
                (
                    Composite(
                        "and", tuple(random_filter(chance, collection, SINGLE) for _ in range(2))
                    ),
                    random_filter(chance, collection, ["==", "in"]),
                ),
            )


def random_query(chance: random.Random, collection: dict) -> ModelQuery:
    query = ModelQuery(where=random_where(chance, collection))
    paths = chance.sample(["a", "b", "c", "t", "m.x", "m.y"], chance.choice([0, 0, 1, 1, 2, 3]))
    query.orders = [(path, chance.random() < 0.4) for path in paths]
    if paths:

        def edge():
            values = [
                random_operand(chance, collection, path)
                for path in paths[: chance.randrange(1, len(paths) + 1)]
            ]
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
            assert aggregate(sent.count(alias="c")) == {"c": len(expected)}, (
                f"count {number}: {query}"
            )
    assert results


def test_the_model_orders_as_the_list_of_all_types_says(db):
    values = [
        db.document(value[4:]) if isinstance(value, str) and value.startswith("ref:") else value
        for value in ORDERED
    ]
    keys = [order(value) for value in values]
    assert keys == sorted(keys)
