"""Queries that are refused, limits of queries, and bodies that are not a query."""

from ...steps import Program, Step
from .documents import GROUP, INDEXES, LIMITS, NUMBERS
from .words import (
    DOCUMENTS,
    NULL,
    ONE,
    TWO,
    V1,
    above,
    array,
    ascending,
    ask,
    both,
    compare,
    cursor,
    descending,
    divide,
    either,
    equal,
    field,
    integer,
    integers,
    query,
    reference,
    string,
    unary,
    vector,
)

NAME = "__name__"


def where(name: str, *filters: dict) -> Step:
    """The ten numbers, with all the filters."""
    return ask(name, query("qn", filters[0] if len(filters) == 1 else both(*filters)))


def value(name: str, made: dict) -> Step:
    return where(name, equal("n", made))


def path(name: str, text: str) -> Step:
    return where(name, equal(text, ONE))


def key(name: str, made: dict, op: str = "EQUAL", *more: dict) -> Step:
    return where(name, compare(NAME, op, made), *more)


NOT_ONE = compare("n", "NOT_EQUAL", ONE)
ANY = compare("tags", "ARRAY_CONTAINS_ANY", integers(1, 2))
HAS = compare("tags", "ARRAY_CONTAINS", ONE)


def none_of(name: str, *values: int) -> dict:
    return compare(name, "NOT_IN", integers(*values))


def one_of(name: str, *values: int) -> dict:
    return compare(name, "IN", integers(*values))


COMBINATIONS = [
    where("two-not-in", none_of("n", 1), none_of("h", 1)),
    where("not-in-and-not-equal", none_of("n", 1), compare("h", "NOT_EQUAL", ONE)),
    where("not-in-and-in", none_of("n", 1), one_of("h", 1)),
    where("not-in-and-array-contains-any", none_of("n", 1), ANY),
    where("not-in-inside-or", either(none_of("n", 1), equal("h", ONE))),
    where("two-not-equal-different-fields", NOT_ONE, compare("h", "NOT_EQUAL", ONE)),
    where("two-not-equal-same-field", NOT_ONE, compare("n", "NOT_EQUAL", TWO)),
    where("not-equal-and-is-not-null", NOT_ONE, unary("h", "IS_NOT_NULL")),
    where("is-not-null-and-is-not-nan", unary("n", "IS_NOT_NULL"), unary("n", "IS_NOT_NAN")),
    where("two-is-not-null", unary("n", "IS_NOT_NULL"), unary("h", "IS_NOT_NULL")),
    where("not-equal-and-range-same-field", NOT_ONE, above("n", integer(0))),
    where("two-array-contains", HAS, compare("tags", "ARRAY_CONTAINS", TWO)),
    where("array-contains-and-any", HAS, ANY),
    where("two-array-contains-any", ANY, compare("h", "ARRAY_CONTAINS_ANY", integers(3, 4))),
    where("array-contains-per-disjunct", either(HAS, both(HAS, equal("h", ONE)))),
    where("array-contains-any-and-in", ANY, one_of("n", 20, 21)),
    where("in-and-in", one_of("n", 1, 2), one_of("h", 1, 2)),
    where("in-and-equal-same-field", one_of("n", 1, 2), equal("n", ONE)),
]


def without(name: str, kind: str, **members) -> Step:
    return where(name, {kind: members})


OPERATORS = [
    where("operator-unspecified", compare("n", "OPERATOR_UNSPECIFIED", ONE)),
    where("operator-unknown", compare("n", "SIMILAR_TO", ONE)),
    without("operator-unknown-number", "fieldFilter", field=field("n"), op=99, value=ONE),
    where("unary-operator-unspecified", unary("n", "OPERATOR_UNSPECIFIED")),
    without("field-filter-without-value", "fieldFilter", field=field("n"), op="EQUAL"),
    without("field-filter-without-field", "fieldFilter", op="EQUAL", value=ONE),
    without("unary-filter-without-field", "unaryFilter", op="IS_NULL"),
    where("filter-without-kind", {}),
    value("value-unknown-kind", {"futureValue": 1}),
    value("value-two-kinds", {"integerValue": "1", "stringValue": "a"}),
    value("integer-out-of-range", integer(2**63)),
    value("timestamp-out-of-range", {"timestampValue": "10000-01-01T00:00:00Z"}),
    where("in-non-array", compare("n", "IN", ONE)),
    where("in-empty-array", compare("n", "IN", array())),
    where("not-in-non-array", compare("n", "NOT_IN", ONE)),
    where("not-in-empty-array", compare("n", "NOT_IN", array())),
    where("array-contains-any-non-array", compare("n", "ARRAY_CONTAINS_ANY", ONE)),
    where("array-contains-any-empty-array", compare("n", "ARRAY_CONTAINS_ANY", array())),
    where("composite-empty", both()),
    without(
        "composite-operator-unspecified",
        "compositeFilter",
        op="OPERATOR_UNSPECIFIED",
        filters=[equal("n", ONE)],
    ),
    without("composite-without-operator", "compositeFilter", filters=[equal("n", ONE)]),
    where("or-empty", either()),
]
D1 = reference("qn/d1")
PATHS = [
    path("field-path-empty", ""),
    path("field-path-double-dot", "a..b"),
    path("field-path-trailing-dot", "a."),
    path("field-path-unterminated-quote", "`a"),
    path("field-path-reserved", "__x__"),
    path("field-path-nested-reserved", "a.__x__"),
    path("field-path-bracket", "a[0]"),
    path("field-path-quoted-empty", "``"),
    path("field-path-hyphen", "a-b"),
    path("field-path-leading-digit", "1a"),
    path("field-path-space", "a b"),
    path("field-path-tilde", "a~b"),
    path("field-path-star", "a*b"),
    path("field-path-slash", "a/b"),
    path("field-path-quoted-escaped-backtick", "`a\\`b`"),
    path("field-path-quoted-literal-backslash", "`a\\\\b`"),
    key("name-with-string", string("qn/d1")),
    key("name-range-with-string", string("qn/d1"), "GREATER_THAN"),
    key("name-in-with-string", array(string("qn/d1")), "IN"),
    key("name-in-with-mixed", array(D1, ONE), "IN"),
    key("name-array-contains", D1, "ARRAY_CONTAINS"),
    key("name-collection-reference", reference("qn")),
    key("name-other-database", reference("qn/d1", DOCUMENTS.replace("(default)", "other-db"))),
    key("name-null", NULL),
    key("name-equal-with-other-inequality", D1, "EQUAL", above("n", integer(0))),
    key("name-equal-with-name-inequality", D1, "EQUAL", above(NAME, reference("qn/d0"))),
    key("name-in-with-other-inequality", array(D1), "IN", above("n", integer(0))),
]


def split(name: str, *orders: dict, filter: dict | None = None, count=2, **more) -> Step:
    """Divides a collection group, by default in the order of its names."""
    structured = query(
        "qp", filter, *(orders or (ascending(NAME),)), group=True, select=None, **more
    )
    return divide(name, structured, partitionCount=count)


NAMED = query("qp", None, ascending(NAME), group=True, select=None)
FLAT = query("qp", None, ascending(NAME), select=None)
NEAREST = {
    "vectorField": field("e"),
    "queryVector": vector(1, 0),
    "distanceMeasure": "EUCLIDEAN",
    "limit": 1,
}
DIVISIONS = [
    split("count-0", count=0),
    split("count-negative", count=-1),
    divide("count-missing", NAMED),
    divide("page-size-negative", NAMED, partitionCount=2, pageSize=-1),
    divide("page-token-garbage", NAMED, partitionCount=2, pageToken="garbage"),
    divide("not-collection-group", FLAT, partitionCount=2),
    split("with-filter", filter=above("n", ONE)),
    split("with-limit", limit=5),
    split("with-offset", offset=1),
    divide("with-select", NAMED | {"select": {"fields": [field("n")]}}, partitionCount=2),
    split("order-by-field", ascending("n")),
    split("order-by-name-descending", descending(NAME)),
    split("with-start-cursor", startAt=cursor(reference("qp/d1"))),
    divide(
        "with-find-nearest",
        query("qp", group=True, select=None) | {"findNearest": NEAREST},
        partitionCount=2,
    ),
    divide(
        "kindless", query(None, None, ascending(NAME), group=True, select=None), partitionCount=2
    ),
    divide("structured-query-missing", None, partitionCount=2),
]
SMALL = query("qg", None, ascending(NAME), group=True, select=None)
SMALL_DIVISIONS = [
    divide("count-1", SMALL, partitionCount=1),
    divide("count-2", SMALL, partitionCount=2),
    divide("count-64", SMALL, partitionCount=64),
    divide("count-2-page-size-1", SMALL, partitionCount=2, pageSize=1),
    divide("without-order", query("qg", group=True, select=None), partitionCount=2),
    divide("document-parent", SMALL, "/qroot/r1", partitionCount=2),
    divide(
        "absent-group",
        query("none", None, ascending(NAME), group=True, select=None),
        partitionCount=2,
    ),
]


def pipeline(name: str, **body) -> Step:
    return Step(name, "POST", f"{V1}:executePipeline", "admin", body)


def stages(*names: str) -> dict:
    made = [{"name": name, "args": [{"referenceValue": "/qn"}]} for name in names]
    return {"structuredPipeline": {"pipeline": {"stages": made}}}


PIPELINES = [
    pipeline("collection-stage", **stages("collection")),
    pipeline("empty-body"),
    pipeline("unknown-stage", **stages("collection", "levitate")),
]


def limited(name: str, *filters: dict, orders=()) -> Step:
    made = filters[0] if len(filters) == 1 else both(*filters)
    return ask(name, query("ql", made, *orders, select=None))


def equals(count: int) -> list[dict]:
    return [equal(f"e{i}", integer(i)) for i in range(count)]


COMPONENTS = [
    limited("equalities-100", *equals(100)),
    limited("equalities-101", *equals(101)),
    limited("equalities-100-and-order", *equals(100), orders=(ascending("n"),)),
]
F0 = equal("f30", integer(30))
DISJUNCTIONS = [
    limited("or-31", either(*(equal(f"f{i}", integer(i)) for i in range(31)))),
    limited("in-29-or-one", either(one_of("f0", *range(29)), F0)),
    limited("in-30-or-one", either(one_of("f0", *range(30)), F0)),
    limited("in-15-and-in-2", one_of("n", *range(15)), one_of("f0", 0, 1)),
    limited("in-16-and-in-2", one_of("n", *range(16)), one_of("f0", 0, 1)),
    limited(
        "in-10-and-any-3",
        one_of("f0", *range(10)),
        compare("tags", "ARRAY_CONTAINS_ANY", integers(0, 1, 2)),
    ),
    limited(
        "in-11-and-any-3",
        one_of("f0", *range(11)),
        compare("tags", "ARRAY_CONTAINS_ANY", integers(0, 1, 2)),
    ),
]


def empty(name: str, *filters: dict) -> Step:
    return ask(name, query("none", filters[0] if len(filters) == 1 else both(*filters)))


def ranges(*names: str) -> list[dict]:
    return [above(name, integer(0)) for name in names]


def names(count: int) -> dict:
    return compare(NAME, "NOT_IN", array(*(reference(f"none/d{i}") for i in range(count))))


ELEVEN = [f"f{i}" for i in range(11)]
INEQUALITIES = [
    empty("not-in-10", none_of("n", *range(10))),
    empty("not-in-11", none_of("n", *range(11))),
    empty("name-not-in-10", names(10)),
    empty("name-not-in-11", names(11)),
    empty("inequality-fields-11-letters", *ranges(*"abcdefghijk")),
    empty("inequality-fields-12-reversed", *ranges(*(f"g{i}" for i in range(11, -1, -1)))),
    empty("inequality-fields-11", *ranges(*ELEVEN)),
    empty(
        "inequality-fields-10-and-not-equal",
        *ranges(*ELEVEN[:10]),
        compare("f10", "NOT_EQUAL", integer(0)),
    ),
]


def body(name: str, text: str) -> Step:
    return Step(name, "POST", f"{V1}:runQuery", "admin", text)


ONE_NUMBER = query("qn", select=None)
SHAPES = [
    body("body-empty-object", "{}"),
    body("body-not-json", "not json"),
    body("body-empty", ""),
    body("body-array", "[]"),
    body("body-truncated", '{"structuredQuery":'),
    ask(
        "operator-as-number",
        ONE_NUMBER | {"where": {"fieldFilter": {"field": field("n"), "op": 5, "value": ONE}}},
    ),
    ask("integer-value-as-number", ONE_NUMBER | {"where": equal("n", {"integerValue": 1})}),
]


def program(steps: list[Step], documents: dict) -> Program:
    return Program(steps, documents=documents, indexes=INDEXES)


PROGRAMS = {
    "fs-query-index/filter-validation/combinations": program(COMBINATIONS, NUMBERS),
    "fs-query-index/filter-validation/operators-and-values": program(OPERATORS, NUMBERS),
    "fs-query-index/filter-validation/paths-and-names": program(PATHS, NUMBERS),
    "fs-query-index/partition-query/refusals": program(DIVISIONS, {}),
    "fs-query-index/partition-query/small-group": program(SMALL_DIVISIONS, GROUP),
    "fs-query-index/pipeline/standard-refusal": program(PIPELINES, NUMBERS),
    "fs-query-index/query-limits/components": program(COMPONENTS, LIMITS),
    "fs-query-index/query-limits/disjunctions": program(DISJUNCTIONS, LIMITS),
    "fs-query-index/query-limits/not-in-and-inequalities": program(INEQUALITIES, {}),
    "fs-query-index/request-shape/rest": program(SHAPES, NUMBERS),
}
