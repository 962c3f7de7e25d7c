"""Orders, cursors, limits, offsets and selected fields."""

from ...steps import Program, Step
from .documents import INDEXES, NUMBERS
from .words import (
    DOCUMENTS,
    NULL,
    ONE,
    THREE,
    TWO,
    above,
    ascending,
    ask,
    below,
    both,
    compare,
    cursor,
    descending,
    double,
    equal,
    integer,
    integers,
    query,
    reference,
    string,
    unary,
)

NAME = "__name__"
ODD = equal("g", string("odd"))


def numbers(name: str, *orders: dict, where: dict | None = None, **members) -> Step:
    return ask(name, query("qn", where, *orders, **members))


def start(name: str, *values: dict, orders=("n",), before: bool | None = True, **more) -> Step:
    """Ascending orders, from a cursor on."""
    return numbers(name, *map(ascending, orders), startAt=cursor(*values, before=before), **more)


def end(name: str, *values: dict, before: bool | None = None, **more) -> Step:
    return numbers(name, ascending("n"), endAt=cursor(*values, before=before), **more)


ELSEWHERE = DOCUMENTS.replace("(default)", "other-db")
NAMES = [
    start("name-order-reference", reference("qn/d3"), orders=(NAME,)),
    start("implicit-name-order-reference", reference("qn/d3"), orders=()),
    numbers("name-descending-reference", descending(NAME), startAt=cursor(reference("qn/d3"))),
    start("name-reference-absent-document", reference("qn/d35"), orders=(NAME,)),
    start("name-string-value", string("d3"), orders=(NAME,)),
    start("name-string-full-path", string(f"{DOCUMENTS}/qn/d3"), orders=(NAME,)),
    start("name-integer-value", THREE, orders=(NAME,)),
    start("name-foreign-collection", reference("zz/z1"), orders=(NAME,)),
    start("name-subcollection-document", reference("qn/d3/sub/x"), orders=(NAME,)),
    start("name-collection-reference", reference("qn"), orders=(NAME,)),
    start("name-other-database", reference("qn/d3", ELSEWHERE), orders=(NAME,)),
    start("field-then-name-string", THREE, string("d3")),
]
SIX = integer(6)
CURSORS = [
    start("start-at", THREE),
    start("start-after", THREE, before=False),
    start("start-before-omitted", THREE, before=None),
    end("end-at", THREE, before=False),
    end("end-before", THREE, before=True),
    end("end-before-omitted", THREE),
    start("start-and-end", TWO, endAt=cursor(integer(5), before=False)),
    start("start-past-end", integer(10)),
    numbers("descending-start-at", descending("n"), startAt=cursor(SIX)),
    numbers("descending-end-before", descending("n"), endAt=cursor(TWO)),
    start("double-cursor-on-int-order", double(2.5)),
    start("string-cursor-on-int-order", string("a")),
    start("null-cursor", NULL),
    start("prefix-cursor", string("odd"), orders=("g", "n")),
    start("full-cursor-two-fields", string("even"), SIX, orders=("g", "n")),
    start("cursor-with-name-tiebreak", THREE, reference("qn/d3")),
    start("cursor-empty-values"),
    start("cursor-too-many-values", ONE, TWO, THREE),
    start("cursor-too-many-without-order", ONE, TWO, orders=()),
    start("cursor-with-range-filter", THREE, orders=(), where=above("n", ONE)),
    end("end-cursor-with-limit", integer(5), limit=3),
    start("cursor-with-offset", TWO, offset=1, limit=2),
    numbers("cursor-value-without-values-key", ascending("n"), startAt={"before": True}),
]
LIMITS = [
    numbers("limit-3", limit=3),
    numbers("limit-0", limit=0),
    numbers("limit-negative", limit=-1),
    numbers("limit-string", limit="3"),
    numbers("limit-wrapper-object", limit={"value": 3}),
    numbers("limit-int32-max", limit=2**31 - 1),
    numbers("limit-int32-overflow", limit=2**31),
    numbers("limit-fraction", limit=1.5),
    numbers("offset-2", offset=2),
    numbers("offset-0", offset=0),
    numbers("offset-negative", offset=-1),
    numbers("offset-past-end", offset=20),
    numbers("offset-equals-size", offset=10),
    numbers("offset-and-limit", offset=3, limit=2),
    numbers("offset-and-limit-0", offset=3, limit=0),
    numbers("offset-int32-max", offset=2**31 - 1),
    numbers("offset-with-filter", where=ODD, offset=1),
    numbers("offset-with-descending-order", descending("n"), offset=7),
    numbers("limit-to-last-wire-form", descending("n"), limit=3),
    numbers("offset-string", offset="2"),
]
BASIC = [
    numbers("default-order"),
    numbers("ascending", ascending("n")),
    numbers("missing-field-excludes", ascending("opt")),
    numbers("nested-field", ascending("nested.b.c")),
    numbers("string-field", ascending("s")),
    numbers("two-fields-both-ascending", ascending("g"), ascending("n")),
    numbers("name-ascending", ascending(NAME)),
    numbers("field-then-name-descending", ascending("n"), descending(NAME)),
    numbers("field-then-name-ascending", descending("n"), ascending(NAME)),
    numbers("field-after-name", ascending(NAME), ascending("n")),
    numbers("duplicate-field", ascending("n"), ascending("n")),
    numbers("duplicate-field-opposite", ascending("n"), descending("n")),
    numbers("empty-field-path", ascending("")),
    numbers("order-without-field", {"direction": "ASCENDING"}),
]
FILTERED = [
    numbers(
        "two-ranges-explicit-order", descending("h"), where=both(below("h", TWO), above("n", ONE))
    ),
    numbers("equality-then-order-same-field", ascending("n"), where=equal("n", THREE)),
    numbers("equality-then-order-other", descending("n"), where=ODD),
    numbers("in-then-order-same-field", descending("n"), where=compare("n", "IN", integers(3, 1))),
    numbers("not-equal-implies-order", where=compare("n", "NOT_EQUAL", THREE)),
    numbers("not-in-implies-order", where=compare("n", "NOT_IN", integers(3, 4))),
    numbers("is-not-null-implies-order", where=unary("opt", "IS_NOT_NULL")),
    numbers("name-range-descending", descending(NAME), where=above(NAME, reference("qn/d4"))),
]


def select(name: str, *paths: str, limit: int = 2, **more) -> Step:
    return numbers(name, select=paths, limit=limit, **more)


PROJECTION = [
    select("one-field", "g"),
    select("two-fields", "g", "n"),
    select("nested-leaf", "nested.b.c"),
    select("nested-map", "nested"),
    select("parent-and-child", "nested", "nested.a"),
    select("missing-field", "none"),
    select("partly-missing-field", "opt", limit=5),
    select("empty-list"),
    ask("empty-select", query("qn", select=None, limit=2) | {"select": {}}),
    select("name-only", NAME),
    select("name-and-field", NAME, "n"),
    select("duplicate-field", "n", "n"),
    select("invalid-path", "a..b"),
    select("reserved-path", "__x__"),
    numbers("order-by-unselected", descending("n"), select=("g",), limit=3),
    numbers("filter-on-unselected", where=below("n", THREE), select=("g",)),
    select("quoted-segment", "nested.`a`"),
]


def program(steps: list[Step]) -> Program:
    return Program(steps, documents=NUMBERS, indexes=INDEXES)


PROGRAMS = {
    "fs-query-index/cursors/names": program(NAMES),
    "fs-query-index/cursors/values": program(CURSORS),
    "fs-query-index/offset-limit/all": program(LIMITS),
    "fs-query-index/order-by/basic": program(BASIC),
    "fs-query-index/order-by/with-filters": program(FILTERED),
    "fs-query-index/projection/all": program(PROJECTION),
}
