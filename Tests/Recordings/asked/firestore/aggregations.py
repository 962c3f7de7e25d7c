"""Counts, sums and averages."""

from ...steps import Program, Step
from .documents import ADDED, INDEXES, NUMBERS
from .words import (
    above,
    aggregate,
    ascending,
    average,
    count,
    cursor,
    descending,
    double,
    equal,
    integer,
    query,
    string,
    total,
)


def numbers(name: str, *aggregations: dict, where: dict | None = None, orders=(), **more) -> Step:
    """Aggregates the ten numbers."""
    structured = query("qn", where, *orders, select=None, **more)
    return aggregate(name, structured, *aggregations)


def added(name: str, *aggregations: dict, where: dict | None = None) -> Step:
    return aggregate(name, query("qa", where, select=None), *aggregations)


ALIASES = [
    numbers("default-aliases", count(), total("n"), average("n")),
    numbers("default-aliases-around-named", average("n", "a"), total("n"), count("c"), count()),
    numbers("named-collides-with-default", count("field_1"), total("n")),
    numbers("named-field-2-with-one-default", count(), total("n", "field_2")),
    numbers("duplicate-alias", count("x"), total("n", "x")),
    numbers("alias-with-space", count("a b")),
    numbers("alias-with-dot", count("a.b")),
    numbers("alias-reserved", count("__x__")),
    numbers("alias-backquoted", count("`a`")),
    numbers("alias-empty", count("")),
    numbers("alias-1500-bytes", count("a" * 1500)),
    numbers("alias-1501-bytes", count("a" * 1501)),
    numbers("five-aggregations", count(), total("n"), average("n"), total("d"), average("d")),
    numbers("six-aggregations", *(count() for _ in range(6))),
    numbers("no-aggregations"),
    numbers("aggregation-without-operator", {"alias": "a"}),
    numbers("sum-on-name", total("__name__")),
    numbers("avg-on-name", average("__name__")),
    numbers("sum-without-field", {"sum": {}}),
    numbers("sum-invalid-path", total("a..b")),
    numbers("sum-reserved-path", total("__x__")),
    numbers("alias-equal-to-field-name", count("n")),
]
N = ascending("n")
OPTIONS = [
    numbers("count-up-to", count("c", 3)),
    numbers("count-up-to-above-size", count("c", 100)),
    numbers("count-up-to-one", count("c", 1)),
    numbers("count-up-to-zero", count("c", 0)),
    numbers("count-up-to-negative", count("c", -1)),
    numbers("count-up-to-int64-max", count("c", 2**63 - 1)),
    numbers("count-with-limit", count("c"), limit=4),
    numbers("count-with-offset", count("c"), offset=7),
    numbers("count-with-offset-and-limit", count("c"), offset=2, limit=3),
    numbers("count-up-to-with-limit", count("c", 2), limit=5),
    numbers("count-with-cursor", count("c"), orders=(N,), startAt=cursor(integer(6))),
    numbers("count-with-order-on-missing", count("c"), orders=(ascending("opt"),)),
    numbers("sum-with-order-on-missing", total("n", "s"), orders=(ascending("opt"),)),
    numbers("sum-with-limit", total("n", "s"), limit=3),
    numbers("sum-with-limit-and-order", total("n", "s"), orders=(descending("n"),), limit=3),
    numbers("avg-with-offset", average("n", "a"), orders=(N,), offset=5),
    numbers("sum-with-range-on-other-field", total("n", "s"), where=above("d", double(1.5))),
    aggregate("count-with-select", query("qn"), count("c")),
    numbers(
        "cursor-too-many-values",
        count("c"),
        orders=(N,),
        startAt=cursor(integer(1), integer(2), integer(3)),
    ),
]
SEMANTICS = [
    added("count-all", count("c")),
    added("count-with-filter", count("c"), where=equal("k", string("x"))),
    added("count-empty-result", count("c"), where=equal("k", string("none"))),
    aggregate("count-missing-collection", query("none", select=None), count("c")),
    added("sum-integers", total("n", "s")),
    added("sum-doubles-with-nan", total("d", "s")),
    added("sum-mixed-types", total("mix", "s")),
    added("sum-overflow", total("big", "s")),
    added("sum-infinities", total("d", "s"), total("neg", "t")),
    added("sum-missing-field", total("none", "s")),
    added("sum-empty-result", total("k", "s"), where=equal("k", string("none"))),
    added("avg-integers", average("n", "a")),
    added("avg-doubles-with-nan", average("d", "a")),
    added("avg-mixed-types", average("mix", "a")),
    added("avg-overflow-input", average("big", "a")),
    added("avg-empty-result", average("k", "a"), where=equal("k", string("none"))),
    added("avg-missing-field", average("none", "a")),
    added("count-sum-avg", count("c"), total("n", "s"), average("n", "a")),
    added("count-beside-sum-over-missing", count("c"), total("d", "s")),
    added("count-beside-avg-over-missing", count("c"), average("d", "a")),
    added("sum-and-avg-different-fields", total("n", "s"), average("d", "a")),
    added("sum-nested-field", total("m.x", "s")),
    added("same-aggregation-twice", total("n", "s1"), total("n", "s2")),
]


def program(steps: list[Step], documents: dict) -> Program:
    return Program(steps, documents=documents, indexes=INDEXES)


PROGRAMS = {
    "fs-query-index/aggregation/aliases-and-refusals": program(ALIASES, NUMBERS),
    "fs-query-index/aggregation/options": program(OPTIONS, NUMBERS),
    "fs-query-index/aggregation/semantics": program(SEMANTICS, ADDED),
}
