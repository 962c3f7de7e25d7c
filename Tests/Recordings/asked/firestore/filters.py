"""Filters of one field and of several, over values of all types."""

from ...steps import Program, Step
from .documents import INDEXES, NUMBERS, TYPED
from .words import (
    FALSE,
    NAN,
    NULL,
    ONE,
    TRUE,
    TWO,
    above,
    array,
    ascending,
    ask,
    below,
    both,
    compare,
    double,
    either,
    equal,
    integer,
    integers,
    mapped,
    place,
    query,
    raw,
    reference,
    stamp,
    string,
    unary,
    vector,
)
from .words import among as one_of

EVEN, ODD = string("even"), string("odd")


def typed(name: str, op: str, value: dict, path: str = "v") -> Step:
    return ask(name, query("qv", compare(path, op, value)))


def among(name: str, op: str, *values: dict, path: str = "v") -> Step:
    return typed(name, op, array(*values), path)


def numbers(name: str, where: dict, *orders: dict, **members) -> Step:
    return ask(name, query("qn", where, *orders, **members))


MEMBERSHIP = [
    typed("array-contains-int", "ARRAY_CONTAINS", ONE),
    typed("array-contains-double-for-int", "ARRAY_CONTAINS", double(1.0)),
    typed("array-contains-null", "ARRAY_CONTAINS", NULL),
    typed("array-contains-nan", "ARRAY_CONTAINS", NAN),
    typed("array-contains-map", "ARRAY_CONTAINS", mapped(a=ONE)),
    typed("array-contains-array-operand", "ARRAY_CONTAINS", integers(1)),
    typed("array-contains-tag", "ARRAY_CONTAINS", ODD, "tags"),
    among("array-contains-any-tags", "ARRAY_CONTAINS_ANY", ODD, TWO, path="tags"),
    among("array-contains-any-null", "ARRAY_CONTAINS_ANY", NULL, TWO),
    among("array-contains-any-nan", "ARRAY_CONTAINS_ANY", NAN),
    among("in-mixed-types", "IN", ONE, string("a"), TRUE),
    among("in-double-for-int", "IN", double(1.0)),
    among("in-null", "IN", NULL),
    among("in-nan", "IN", NAN),
    among("in-array-candidate", "IN", integers(1), array()),
    among("in-duplicate-values", "IN", ONE, ONE),
    among("not-in-mixed-types", "NOT_IN", ONE, string("a")),
    among("not-in-null", "NOT_IN", NULL),
    among("not-in-nan", "NOT_IN", NAN),
    among("not-in-null-and-value", "NOT_IN", NULL, ONE),
]
EQUALS = {
    "false": FALSE,
    "true": TRUE,
    "int-one": ONE,
    "double-one": double(1.0),
    "double-zero": double(0.0),
    "negative-zero": double(-0.0),
    "int-beyond-double": integer(2**53 + 1),
    "double-two-53": double(float(2**53)),
    "min-int": integer(-(2**63)),
    "infinity": double("Infinity"),
    "timestamp": stamp("2020-01-01T00:00:00Z"),
    "timestamp-micro": stamp("2020-01-01T00:00:00.000001Z"),
    "string": string("a"),
    "string-empty": string(""),
    "string-upper": string("B"),
    "string-unicode": string("é"),
    "bytes": raw("AQ=="),
    "bytes-empty": raw(""),
    "reference": reference("qv/a"),
    "geo": place(1, 0),
    "array": integers(1),
    "array-empty": array(),
    "map": mapped(a=ONE),
    "map-empty": mapped(),
    "vector": vector(1, 2),
    "null": NULL,
    "nan": NAN,
}
EQUALITY = [
    ask("eq-full-documents", query("qv", equal("v", string("a")), select=None)),
    *(typed(f"eq-{name}", "EQUAL", value) for name, value in EQUALS.items()),
    typed("not-equal-int-one", "NOT_EQUAL", ONE),
    typed("not-equal-string", "NOT_EQUAL", string("a")),
    typed("not-equal-null", "NOT_EQUAL", NULL),
    typed("not-equal-nan", "NOT_EQUAL", NAN),
]
PATHS = [
    typed("nested-map-field", "EQUAL", ONE, "m.k"),
    typed("nested-map-deep", "EQUAL", string("z"), "m.deep.x"),
    typed("quoted-dotted-field", "EQUAL", ONE, "`a.b`"),
    typed("quoted-space-field", "EQUAL", string("s0"), "`x y`"),
    typed("unquoted-dotted-is-nested", "EQUAL", ONE, "a.b"),
    typed("missing-field", "EQUAL", ONE, "none"),
    typed("name-equal", "EQUAL", reference("qv/str-a"), "__name__"),
    typed("name-greater-than", "GREATER_THAN_OR_EQUAL", reference("qv/str-a"), "__name__"),
    among("name-in", "IN", reference("qv/str-a"), reference("qv/one"), path="__name__"),
]
RANGES = [
    typed("gte-vector", "GREATER_THAN_OR_EQUAL", vector(1, 2)),
    typed("gt-null", "GREATER_THAN", NULL),
    typed("lt-nan", "LESS_THAN", NAN),
    typed("gt-nan", "GREATER_THAN", NAN),
]
G_ODD, H_NONE = equal("g", ODD), equal("h", integer(0))
N_ONE, N_TWO = equal("n", ONE), equal("n", TWO)
COMPOSITE = [
    numbers("and-two-equalities", both(G_ODD, equal("h", ONE))),
    numbers("and-equality-and-range", both(G_ODD, above("n", integer(3)))),
    numbers("and-two-ranges-same-field", both(above("n", TWO), below("n", integer(6)))),
    numbers("and-contradiction", both(N_ONE, N_TWO)),
    numbers("and-duplicate-filter", both(N_ONE, N_ONE)),
    numbers("and-single-child", both(N_ONE)),
    numbers("and-with-unary", both(G_ODD, unary("opt", "IS_NOT_NULL"))),
    numbers("or-two-fields", either(G_ODD, H_NONE)),
    numbers("or-overlapping", either(below("n", integer(5)), above("n", TWO))),
    numbers("or-single-child", either(N_ONE)),
    numbers("or-with-in", either(one_of("n", ONE, TWO), H_NONE)),
    numbers("or-ranges-different-fields", either(below("h", ONE), above("n", integer(7)))),
    numbers("or-with-not-equal", either(compare("n", "NOT_EQUAL", ONE), N_TWO)),
    numbers("or-with-array-contains", either(compare("tags", "ARRAY_CONTAINS", TWO), N_ONE)),
    numbers("and-of-or", both(either(G_ODD, H_NONE), above("n", TWO))),
    numbers(
        "or-of-and", either(both(G_ODD, equal("h", ONE)), both(equal("g", EVEN), equal("h", TWO)))
    ),
    numbers(
        "nested-three-levels",
        either(both(G_ODD, either(H_NONE, equal("h", ONE))), equal("n", integer(0))),
    ),
    numbers("or-ordered", either(G_ODD, H_NONE), ascending("n")),
    numbers("or-limited", either(G_ODD, H_NONE), limit=2),
]


def program(steps: list[Step], documents: dict) -> Program:
    return Program(steps, documents=documents, indexes=INDEXES)


PROGRAMS = {
    "fs-query-index/field-filters/array-and-membership": program(MEMBERSHIP, TYPED),
    "fs-query-index/field-filters/equality": program(EQUALITY, TYPED),
    "fs-query-index/field-filters/paths-and-names": program(PATHS, TYPED),
    "fs-query-index/field-filters/ranges": program(RANGES, TYPED),
    "fs-query-index/composite-filters/all": program(COMPOSITE, NUMBERS),
}
