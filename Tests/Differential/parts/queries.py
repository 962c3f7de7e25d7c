"""Random structured queries, and aggregations over them."""

import json

from ..rounds import Round
from . import values
from .values import Chance

UNARY = ["IS_NAN", "IS_NULL", "IS_NOT_NAN", "IS_NOT_NULL"]
RANGES = ["LESS_THAN", "LESS_THAN_OR_EQUAL", "GREATER_THAN", "GREATER_THAN_OR_EQUAL"]
LISTS = ["IN", "NOT_IN", "ARRAY_CONTAINS_ANY"]


def fill(round: Round, amount: int, tame: bool = False) -> list[str]:
    """Documents for queries, if tame without numbers that the official server does not sum exactly."""
    chance, root = round.chance, round.root
    documents = {}
    for _ in range(amount):
        path = values.document_path(chance)
        fields = values.fields(chance, root)
        if tame:
            text = json.dumps(fields)
            fields = json.loads(
                text.replace("-1e+308", "-1.5").replace("9.223372036854776e+18", "1.5")
            )
        documents[path] = {"update": {"name": f"{root}/{path}", "fields": fields}}
    round.send("Commit", {"database": round.database, "writes": list(documents.values())}, "grpc")
    return list(documents)


def operand(chance: Chance, root: str, path: str) -> dict:
    """Mostly a value of the kind that the field holds."""
    last = path.split(".")[-1]
    if path == "__name__":
        long = "x" * chance.choice([1500, 1501])
        return (
            {"referenceValue": f"{root}/c/{long}"}
            if chance.rarely(0.02)
            else values.reference(chance, root)
        )
    if chance.rarely(0.02):
        return values.large(chance, root)
    if chance.rarely(0.02):
        return values.bad_value(chance, root)
    return (
        values.typed(chance, last, root, depth=2)
        if last in "ns"
        else values.value(chance, root, depth=2)
    )


def field_filter(chance: Chance, root: str) -> dict:
    path = "__name__" if chance.rarely(0.1) else values.field_path(chance)
    if chance.rarely(0.01):
        path = chance.choice(values.BAD_PATHS)
    field = {"fieldPath": path}
    if chance.rarely(0.12):
        return {"unaryFilter": {"field": field, "op": chance.choice(UNARY)}}
    op = chance.choice(["EQUAL"] * 4 + ["NOT_EQUAL", "ARRAY_CONTAINS", *RANGES, *LISTS])
    if op in LISTS:
        many = [operand(chance, root, path) for _ in range(chance.randrange(1, 4))]
        return {
            "fieldFilter": {"field": field, "op": op, "value": {"arrayValue": {"values": many}}}
        }
    return {"fieldFilter": {"field": field, "op": op, "value": operand(chance, root, path)}}


def condition(chance: Chance, root: str, depth: int = 0) -> dict:
    if depth < 3 and chance.rarely(0.35):
        return {
            "compositeFilter": {
                "op": chance.choice(["AND", "AND", "OR"]),
                "filters": [
                    condition(chance, root, depth + 1) for _ in range(chance.randrange(1, 4))
                ],
            }
        }
    return field_filter(chance, root)


def orders(chance: Chance) -> list[dict]:
    paths = [values.field_path(chance) for _ in range(chance.choice([0, 1, 1, 1, 2]))]
    if chance.rarely(0.3):
        paths.append("__name__")
    return [
        {
            "field": {"fieldPath": path},
            "direction": chance.choice(["ASCENDING", "ASCENDING", "DESCENDING"]),
        }
        for path in paths
    ]


def cursor(chance: Chance, root: str, by: list[dict]) -> dict:
    amount = len(by) if chance.rarely(0.7) else chance.randrange(0, len(by) + 2)
    paths = [each["field"]["fieldPath"] for each in by] + ["__name__"]
    made = {"values": [operand(chance, root, path) for path in paths[:amount]]}
    return made | ({"before": True} if chance.rarely(0.5) else {})


def structured(chance: Chance, root: str) -> tuple[str, dict]:
    """The parent and the query."""
    group = chance.rarely(0.25)
    source = {
        "collectionId": chance.choice(
            values.COLLECTIONS[:2] if chance.rarely(0.9) else values.COLLECTIONS
        )
    }
    query = {"from": [source | ({"allDescendants": True} if group else {})]}
    parent = root
    if not group and chance.rarely(0.15) or chance.rarely(0.02):
        parent = f"{root}/{values.document_path(chance, odd=False)}"
    if chance.rarely(0.02):
        query["from"] = chance.choice([[], [{}], [{"allDescendants": True}], [source, source]])
    if chance.rarely(0.75):
        query["where"] = condition(chance, root)
    by = orders(chance) if chance.rarely(0.5) else []
    if by:
        query["orderBy"] = by
    if chance.rarely(0.2):
        query["startAt"] = cursor(chance, root, by)
    if chance.rarely(0.15):
        query["endAt"] = cursor(chance, root, by)
    if chance.rarely(0.3):
        query["limit"] = chance.choice([1, 2, 3, 5, 0, -1] if chance.rarely(0.1) else [1, 2, 3, 5])
    if chance.rarely(0.1):
        query["offset"] = chance.choice([1, 2, 5, -1] if chance.rarely(0.1) else [1, 2, 5, 40])
    if chance.rarely(0.15):
        query["select"] = {
            "fields": [{"fieldPath": values.field_path(chance)} for _ in range(chance.randrange(3))]
        }
        if chance.rarely(0.2):
            query["select"]["fields"].append({"fieldPath": "__name__"})
    if chance.rarely(0.06):
        nearest(chance, query)
    if chance.rarely(0.02):
        many_parts(chance, query)
    return parent, query


def many_parts(chance: Chance, query: dict) -> None:
    """About as many filters and orders as a query may have."""
    for name in ("where", "orderBy", "startAt", "endAt", "findNearest"):
        query.pop(name, None)
    filters = chance.choice([0, 50, 97, 98, 99, 100, 101])
    amount = chance.choice([100, 101]) - filters if filters in (0, 50) else 0
    equal = [
        {
            "fieldFilter": {
                "field": {"fieldPath": f"f{each}"},
                "op": "EQUAL",
                "value": {"integerValue": "1"},
            }
        }
        for each in range(filters)
    ]
    if equal:
        op = chance.choice(LISTS)
        several = {
            "arrayValue": {
                "values": [
                    number(each) for each in chance.choice([[1], [1, 2], [1, 1, 2], [1, None]])
                ]
            }
        }
        more = [
            chance.choice(equal),
            {"fieldFilter": {"field": {"fieldPath": "l"}, "op": op, "value": several}},
        ]
        query["where"] = {
            "compositeFilter": {"op": "AND", "filters": equal + more[: chance.randrange(3)]}
        }
    if amount:
        query["orderBy"] = [
            {"field": {"fieldPath": f"o{each}"}, "direction": "ASCENDING"} for each in range(amount)
        ]


def number(value: int | None) -> dict:
    return {"nullValue": None} if value is None else {"integerValue": str(value)}


def nearest(chance: Chance, query: dict) -> None:
    """A search in vectors, mostly without what the official server refuses beside it."""
    for name in ("limit", "offset", "startAt", "endAt", "orderBy"):
        if not chance.rarely(0.05):
            query.pop(name, None)
    query["findNearest"] = {
        "vectorField": {"fieldPath": "v"},
        "queryVector": values.vector(chance, chance.choice([1, 2, 3])),
        "distanceMeasure": chance.choice(["EUCLIDEAN", "COSINE", "DOT_PRODUCT"]),
        "limit": chance.choice([1, 2, 5, 1000]),
    }
    if chance.rarely(0.4):
        query["findNearest"]["distanceResultField"] = chance.choice(["d", "n", "m.d", "`x y`"])
    if chance.rarely(0.3):
        query["findNearest"]["distanceThreshold"] = chance.choice([0.0, 0.5, 1.0, 2.0, 5.0, -1.0])


def play(round: Round) -> None:
    fill(round, 30)
    if not round.state():
        return
    for _ in range(60):
        parent, query = structured(round.chance, round.root)
        body = {"parent": parent, "structuredQuery": query}
        if round.chance.rarely(0.02):
            body["explainOptions"] = {"analyze": True}
        round.send("RunQuery", body)


def play_aggregations(round: Round) -> None:
    fill(round, 30, tame=True)
    if not round.state():
        return
    for _ in range(50):
        chance = round.chance
        parent, query = structured(chance, round.root)
        if chance.rarely(0.8):
            query.pop("findNearest", None)
            query.pop("select", None)
        round.send(
            "RunAggregationQuery",
            {
                "parent": parent,
                "structuredAggregationQuery": {
                    "structuredQuery": query,
                    "aggregations": [
                        aggregation(chance) for _ in range(chance.choice([1, 1, 2, 3, 5]))
                    ],
                },
            },
        )


def aggregation(chance: Chance) -> dict:
    kind = chance.choice(["count", "sum", "avg"])
    if kind == "count":
        made = {
            "count": {"upTo": chance.choice(["1", "2", "5", "100"])} if chance.rarely(0.4) else {}
        }
    else:
        path = chance.choice(["n", "n", "n", "a", "m.n", "b"])
        if chance.rarely(0.02):
            path = chance.choice(values.BAD_PATHS)
        made = {kind: {"field": {"fieldPath": path}}}
    if chance.rarely(0.3):
        made["alias"] = chance.choice(["x", "y", "field_1", "`a b`", "é", "a.b", "total"])
    return made
