"""Which index serves a query, and what a collection group is."""

from ...steps import Program, Step
from .documents import GROUP, INDEXED, INDEXES, OVERRIDES
from .words import (
    ONE,
    TWO,
    above,
    aggregate,
    among,
    ascending,
    ask,
    both,
    compare,
    count,
    cursor,
    descending,
    either,
    equal,
    integer,
    query,
    reference,
    string,
    total,
)

NAME = "__name__"
A, B, C = equal("a", ONE), equal("b", ONE), equal("c", ONE)
TAG = compare("tags", "ARRAY_CONTAINS", ONE)


def indexed(name: str, where: dict | None, *orders: dict, **more) -> Step:
    return ask(name, query("qx", where, *orders, select=("c",), **more))


AUTOMATIC = [
    indexed("single-equality", A),
    indexed("single-range-and-order", above("c", TWO), descending("c")),
    indexed("single-order-descending", None, descending("c")),
    indexed("array-contains-alone", TAG),
    indexed("two-equalities-merge", both(A, B)),
    indexed("three-equalities-merge", both(A, B, C)),
    indexed("equality-and-array-contains-merge", both(A, TAG)),
    indexed("equalities-with-order-merged", both(A, B), ascending("c")),
    indexed("equality-and-name-descending", A, descending(NAME)),
    indexed("equality-and-name-ascending", A, ascending(NAME)),
    indexed("name-descending-alone", None, descending(NAME)),
    ask("name-descending-with-own-index", query("ord", None, descending(NAME))),
    indexed("name-range-descending", above(NAME, reference("qx/x1")), descending(NAME)),
    indexed("in-merge", both(among("a", integer(0), ONE), B)),
    indexed("or-of-single-fields", either(A, equal("c", integer(3)))),
]
POSITIVE = both(above("a", integer(0)), above("b", integer(0)))
COMPOSITES = [
    indexed("equality-then-order", A, ascending("b")),
    indexed("equality-then-order-descending-missing", A, descending("b")),
    indexed("two-ranges", POSITIVE),
    indexed("two-ranges-order-reversed-missing", POSITIVE, ascending("b")),
    indexed("two-orders", None, ascending("a"), ascending("b")),
    indexed("two-orders-missing", None, ascending("b"), ascending("a")),
    indexed("array-contains-and-order", TAG, ascending("b")),
    indexed("array-contains-and-order-missing", TAG, ascending("c")),
    indexed("equalities-with-order-one-missing", both(A, equal("d", ONE)), ascending("c")),
    indexed("equality-range-missing", both(equal("s", string("s1")), above("c", ONE))),
    indexed("equality-and-name-range", both(A, above(NAME, reference("qx/x1")))),
    indexed("range-and-name-order-descending", above("c", ONE), ascending("c"), descending(NAME)),
    indexed(
        "or-needing-composite",
        either(both(A, above("c", ONE)), both(equal("b", TWO), above("c", ONE))),
    ),
    aggregate("sum-with-composite", query("qx", A, select=None), total("b", "s")),
    aggregate("sum-missing-composite", query("qx", A, select=None), total("d", "s")),
    aggregate(
        "count-missing-composite",
        query("qx", equal("s", string("s1")), ascending("d"), select=None),
        count("c"),
    ),
]


def group(name: str, collection: str, where: dict | None, *orders: dict, **more) -> Step:
    return ask(name, query(collection, where, *orders, group=True, **more))


NOTHING = equal("a", integer(0))
SCOPES = [
    indexed("exempted-field-equality", equal("nx", ONE)),
    indexed("exempted-field-order", None, ascending("nx")),
    ask("wildcard-exempt-collection", query("pk", A)),
    group("group-field-without-group-index", "qg", equal("n", ONE)),
    group("group-order-without-group-index", "qg", None, ascending("n")),
    group("group-order-descending-without-group-index", "qg", None, descending("n")),
    group("group-array-contains-without-group-index", "qg", TAG),
    group("group-scope-composite-for-group", "qcg", NOTHING, ascending("b"), select=None),
    ask("group-scope-composite-for-collection", query("qcg", NOTHING, ascending("b"), select=None)),
    group("collection-scope-composite-for-group", "qx", A, ascending("b")),
    group("group-only-override-group-equality", "items", equal("n", ONE)),
    ask("group-only-override-collection-equality", query("items", equal("n", ONE))),
    group("group-only-override-group-order", "items", None, ascending("n")),
]
PARENT = "/qroot/r1"


def named(op: str, path: str) -> dict:
    return compare(NAME, op, reference(path))


QUERIES = [
    group("filter-with-group-index", "qg", equal("k", string("r1"))),
    group("order-with-group-index", "qg", None, descending("k")),
    group("name-order", "qg", None, ascending(NAME)),
    group("name-descending", "qg", None, descending(NAME)),
    group(
        "name-range-prefix",
        "qg",
        both(named("GREATER_THAN_OR_EQUAL", "qroot/r1"), named("LESS_THAN", "qroot/r2")),
    ),
    group("name-equality", "qg", named("EQUAL", "qroot/r1/qg/c1")),
    group("name-in", "qg", among(NAME, reference("qroot/r2/qg/c3"), reference("qg/top1"))),
    group("name-equality-other-group", "qg", named("EQUAL", "qgx/x1")),
    group(
        "full-reference-cursor",
        "qg",
        None,
        ascending(NAME),
        startAt=cursor(reference("qroot/r1/sub/s1/qg/d1")),
    ),
    group(
        "short-reference-cursor", "qg", None, ascending(NAME), startAt=cursor(reference("qroot/r1"))
    ),
    group("limit-and-offset", "qg", None, offset=2, limit=3),
    ask(
        "parent-name-range",
        query("qg", named("GREATER_THAN", "qroot/r1/qg/c1"), group=True),
        PARENT,
    ),
    ask(
        "parent-collection-name-range", query("qg", named("GREATER_THAN", "qroot/r1/qg/c1")), PARENT
    ),
    ask(
        "parent-collection-foreign-name",
        query("qg", named("GREATER_THAN", "qroot/r2/qg/c3")),
        PARENT,
    ),
    aggregate("count-group", query("qg", group=True, select=None), count("c")),
    aggregate(
        "count-group-under-parent", query("qg", group=True, select=None), count("c"), parent=PARENT
    ),
]


def under(name: str, parent: str, collection: str | None, group: bool = False, *orders) -> Step:
    return ask(name, query(collection, None, *orders, group=group), parent)


PARENTS = [
    under("root-all-descendants", "", "qg", True),
    under("parent-all-descendants", PARENT, "qg", True),
    under("missing-parent-all-descendants", "/qroot/r3", "qg", True),
    under("absent-parent-all-descendants", "/qroot/none", "qg", True),
    under("deep-parent-all-descendants", "/qroot/r1/sub/s1", "qg", True),
    under("root-collection", "", "qg"),
    under("parent-collection", PARENT, "qg"),
    under("missing-parent-collection", "/qroot/r3", "qg"),
    under("nested-same-id-collection", "/qroot/r1/qg/c1", "qg"),
    under("group-absent-id", "", "none", True),
    under("kindless-root", "", None, True),
    under("kindless-parent", PARENT, None, True),
    under("kindless-without-descendants", "", None),
    ask("kindless-with-filter", query(None, equal("n", ONE), group=True)),
    under("kindless-name-order", "", None, True, ascending(NAME)),
    under("kindless-name-descending", "", None, True, descending(NAME)),
]


def program(steps: list[Step], documents: dict) -> Program:
    return Program(steps, documents=documents, indexes=INDEXES)


PROGRAMS = {
    "fs-query-index/index-selection/automatic-and-merge": program(AUTOMATIC, INDEXED),
    "fs-query-index/index-selection/composites": program(COMPOSITES, INDEXED),
    "fs-query-index/index-selection/scopes-and-exemptions": program(SCOPES, INDEXED | OVERRIDES),
    "fs-query-index/collection-group/queries": program(QUERIES, GROUP),
    "fs-query-index/collection-group/scopes": program(PARENTS, GROUP),
}
