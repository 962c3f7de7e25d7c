"""A simple Firestore in memory: the order of values and the meaning of queries."""

import datetime
import math
from dataclasses import dataclass, field

from google.cloud import firestore
from google.cloud.firestore_v1.base_document import BaseDocumentReference
from google.cloud.firestore_v1.vector import Vector

MISSING = object()


def order(value) -> tuple:
    """A key that sorts values of every type as Firestore does."""
    if value is None:
        return (0,)
    if isinstance(value, bool):
        return (1, value)
    if isinstance(value, (int, float)):
        return (2, 0, 0) if math.isnan(value) else (2, 1, value)
    if isinstance(value, datetime.datetime):
        return (3, value)
    if isinstance(value, str):
        return (4, value.encode())
    if isinstance(value, bytes):
        return (5, value)
    if isinstance(value, BaseDocumentReference):
        return (6, name_order(value.path))
    if isinstance(value, firestore.GeoPoint):
        return (7, value.latitude, value.longitude)
    if isinstance(value, Vector):
        return (9, len(value), tuple(value))
    if isinstance(value, list):
        return (8, tuple(order(element) for element in value))
    if isinstance(value, dict):
        return (10, tuple(sorted((name.encode(), order(member)) for name, member in value.items())))
    raise AssertionError(f"{value!r} has no order")


def name_order(path: str) -> tuple:
    return tuple(segment.encode() for segment in path.split("/"))


def lookup(data: dict, path: str):
    for name in path.split("."):
        if not isinstance(data, dict) or name not in data:
            return MISSING
        data = data[name]
    return data


INEQUALITIES = {"<", "<=", ">", ">=", "!=", "not-in"}


@dataclass(frozen=True)
class Filter:
    path: str
    op: str
    value: object

    def matches(self, data: dict) -> bool:
        value = lookup(data, self.path)
        if value is MISSING:
            return False
        own = order(value)
        match self.op:
            case "==":
                return own == order(self.value)
            case "!=":
                return value is not None and own != order(self.value)
            case "in":
                return own in [order(each) for each in self.value]
            case "not-in":
                return value is not None and own not in [order(each) for each in self.value]
            case "array_contains":
                return own[0] == 8 and order(self.value) in own[1]
            case "array_contains_any":
                return own[0] == 8 and any(order(each) in own[1] for each in self.value)
        other = order(self.value)
        if own[0] != other[0]:
            return False
        return {"<": own < other, "<=": own <= other, ">": own > other, ">=": own >= other}[self.op]

    def filters(self) -> list["Filter"]:
        return [self]

    def sent(self):
        return firestore.FieldFilter(self.path, self.op, self.value)


@dataclass(frozen=True)
class Composite:
    op: str
    parts: tuple

    def matches(self, data: dict) -> bool:
        return (all if self.op == "and" else any)(part.matches(data) for part in self.parts)

    def filters(self) -> list[Filter]:
        return [each for part in self.parts for each in part.filters()]

    def sent(self):
        return (firestore.And if self.op == "and" else firestore.Or)(
            [part.sent() for part in self.parts]
        )


@dataclass
class ModelQuery:
    where: Filter | Composite | None = None
    orders: list[tuple[str, bool]] = field(default_factory=list)
    """Field path and whether it descends."""
    start: tuple[list, bool] | None = None
    """Values, and whether the start is before them."""
    end: tuple[list, bool] | None = None
    offset: int = 0
    limit: int | None = None

    def full_orders(self) -> list[tuple[str, bool]]:
        orders = list(self.orders)
        last = orders[-1][1] if orders else False
        named = {path for path, _ in orders}
        uneven = (
            {each.path for each in self.where.filters() if each.op in INEQUALITIES}
            if self.where
            else set()
        )
        orders += [(path, last) for path in sorted(uneven - named)]
        return orders

    def run(self, collection: dict[str, dict]) -> list[str]:
        """The names of the results, in their order."""
        orders = self.full_orders()
        last = orders[-1][1] if orders else False

        def rank(name: str, values: list) -> tuple:
            keys = [
                Reverse(order(value)) if down else order(value)
                for value, (_, down) in zip(values, orders)
            ]
            if name is not None:
                keys.append(Reverse(name_order(name)) if last else name_order(name))
            return tuple(keys)

        found = []
        for name, data in collection.items():
            values = [lookup(data, path) for path, _ in orders]
            if MISSING in values or (self.where is not None and not self.where.matches(data)):
                continue
            key = rank(name, values)
            if self.start is not None:
                values, before = self.start
                edge, part = rank(None, values), key[: len(values)]
                if part < edge or (part == edge and not before):
                    continue
            if self.end is not None:
                values, before = self.end
                edge, part = rank(None, values), key[: len(values)]
                if edge < part or (part == edge and before):
                    continue
            found.append((key, name))
        names = [name for _, name in sorted(found)][self.offset :]
        return names if self.limit is None else names[: self.limit]

    def sent(self, query):
        if self.where is not None:
            query = query.where(filter=self.where.sent())
        for path, down in self.orders:
            query = query.order_by(
                path, direction=firestore.Query.DESCENDING if down else firestore.Query.ASCENDING
            )
        if self.start is not None:
            values, before = self.start
            document = dict(zip([path for path, _ in self.orders], values))
            query = query.start_at(document) if before else query.start_after(document)
        if self.end is not None:
            values, before = self.end
            document = dict(zip([path for path, _ in self.orders], values))
            query = query.end_before(document) if before else query.end_at(document)
        if self.offset:
            query = query.offset(self.offset)
        return query if self.limit is None else query.limit(self.limit)


class Reverse:
    """Turns the order of a key around."""

    def __init__(self, key):
        self.key = key

    def __lt__(self, other):
        return other.key < self.key

    def __eq__(self, other):
        return self.key == other.key

    __hash__ = None
