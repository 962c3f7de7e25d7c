"""Plans of queries, and what they cost."""

from ...steps import Program, Step
from .documents import INDEXED, INDEXES, NUMBERS, OVERRIDES, VECTORS
from .words import (
    ONE,
    TWO,
    above,
    aggregate,
    among,
    ascending,
    ask,
    average,
    both,
    compare,
    count,
    cursor,
    descending,
    either,
    equal,
    integer,
    nearest,
    query,
    string,
    total,
)

ODD, NONE = equal("g", string("odd")), equal("g", string("none"))
A, B, C, D = (equal(path, ONE) for path in "abcd")
S = equal("s", string("s1"))


def explained(structured: dict, name: str) -> list[Step]:
    """The plan alone, and with what the query cost."""
    return [
        ask(f"{name}-plan", structured, explainOptions={}),
        ask(f"{name}-analyze", structured, explainOptions={"analyze": True}),
    ]


def counted(name: str, structured: dict, *aggregations: dict) -> list[Step]:
    return [
        aggregate(f"{name}-plan", structured, *aggregations, explainOptions={}),
        aggregate(f"{name}-analyze", structured, *aggregations, explainOptions={"analyze": True}),
    ]


def numbers(where: dict | None = None, *orders: dict, **more) -> dict:
    return query("qn", where, *orders, **more)


def indexed(where: dict, *orders: dict) -> dict:
    return query("qx", where, *orders, select=("c",))


QUERIES = {
    "full-scan": numbers(),
    "equality": numbers(ODD),
    "range-descending": numbers(above("n", integer(3)), descending("n")),
    "composite": numbers(both(ODD, above("n", integer(3)))),
    "merge": indexed(both(A, B)),
    "merge-with-order": indexed(both(A, B), ascending("c")),
    "or": numbers(either(ODD, equal("h", integer(0)))),
    "in": numbers(among("n", ONE, integer(4), integer(7))),
    "not-equal": numbers(compare("n", "NOT_EQUAL", integer(4))),
    "array-contains": numbers(compare("tags", "ARRAY_CONTAINS", ONE)),
    "empty-result": numbers(NONE),
    "limit": numbers(None, ascending("n"), limit=3),
    "limit-zero": numbers(limit=0),
    "offset": numbers(None, ascending("n"), offset=4, limit=2),
    "cursor": numbers(None, ascending("n"), startAt=cursor(integer(6))),
    "name-descending": indexed(A, descending("__name__")),
    "collection-group": numbers(group=True),
    "collection-group-composite": query(
        "qcg", equal("a", integer(0)), ascending("b"), group=True, select=None
    ),
    "missing-index": indexed(A, descending("b")),
    "invalid-query": numbers(limit=-1),
}
AGGREGATIONS = [
    *counted("count", query("qn", select=None), count("c")),
    *counted("count-filtered", query("qn", ODD, select=None), count("c")),
    *counted("count-up-to", query("qn", select=None), count("c", 3)),
    *counted("sum-avg", query("qn", select=None), total("n", "s"), average("d", "a")),
    *counted("sum-composite", query("qx", A, select=None), total("b", "s")),
    *counted("count-empty", query("qn", NONE, select=None), count("c")),
    *counted("sum-missing-index", query("qx", A, select=None), total("d", "s")),
]
MERGED = {
    "larger-later-field": indexed(both(A, B), ascending("c")),
    "larger-earlier-field": indexed(both(equal("a", integer(0)), equal("b", TWO)), ascending("c")),
    "filters-reversed": indexed(both(B, A), ascending("c")),
    "automatic-members": indexed(both(D, C)),
    "automatic-members-reversed": indexed(both(C, D)),
    "three-automatic-members": indexed(both(D, C, S)),
}
VECTOR = {
    "nearest": nearest("qvec"),
    "nearest-prefiltered": nearest("qvec", equal("color", string("red")), limit=2),
}


def pairs(queries: dict) -> list[Step]:
    return [step for name, made in queries.items() for step in explained(made, name)]


SINGLE = [
    ask("analyze-false", numbers(ODD), explainOptions={"analyze": False}),
    ask("analyze-string", numbers(), explainOptions={"analyze": "true"}),
    ask("options-unknown-field", numbers(), explainOptions={"verbose": True}),
    ask(
        "full-documents-analyze",
        query("qn", equal("n", TWO), select=None),
        explainOptions={"analyze": True},
    ),
]


def program(steps: list[Step], documents: dict) -> Program:
    return Program(steps, documents=documents, indexes=INDEXES)


PROGRAMS = {
    "fs-query-index/explain/aggregations": program(AGGREGATIONS, NUMBERS | INDEXED),
    "fs-query-index/explain/merge-order": program(pairs(MERGED), INDEXED),
    "fs-query-index/explain/queries": program(
        pairs(QUERIES) + SINGLE, NUMBERS | INDEXED | OVERRIDES
    ),
    "fs-query-index/explain/vector": program(pairs(VECTOR), VECTORS),
}
