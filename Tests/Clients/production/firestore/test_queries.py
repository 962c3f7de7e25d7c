"""Queries: what production refuses, in its words, and the shape of what it answers."""

import pytest
from support.firestore.production import (
    NUMBERS,
    Replay,
    array,
    ascending,
    both,
    compare,
    descending,
    double,
    either,
    error,
    field,
    integer,
    mapped,
    reference,
    rows,
    source,
    string,
    unary,
    vector,
)

PATH = (
    'Invalid property path "{}". Unquoted property paths must match regex '
    "([a-zA-Z_][a-zA-Z_0-9]*), and quoted property paths must match regex "
    "(`(?:[^`\\\\]|(?:\\\\.))+`)"
)
SINGLE = (
    "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per query."
)
NOT_IN = "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'."
ELEMENTS = "A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction."
KEY = "__key__ filter value must be a Key"
KEY_EQUALITY = (
    "Equality on key is not allowed if there are other inequality fields and key does "
    "not appear in inequalities."
)
DISJUNCTIONS = (
    "Too many disjunctions after normalization. Result had {} disjunctions which is "
    "more than the maximum of 30"
)
INEQUALITIES = (
    "The query contains {} distinct inequality fields: [{}]. A query may not have more than 10 "
    "distinct inequality fields."
)
DATABASE = (
    "The request was for database 'projects/{project}/databases/(default)' but was "
    "attempting to access database 'projects/{project}/databases/other-db'"
)
OTHER = {"referenceValue": "projects/{project}/databases/other-db/documents/qn/d1"}
ONE, TWO = integer(1), integer(2)


def where(*filters):
    return {"from": source("qn"), "where": filters[0]}


def inequalities(*names):
    return where(both(*(compare(name, "GREATER_THAN", ONE) for name in names)))


def ordered(*orders, **members):
    return {"from": source("qn"), "orderBy": list(orders)} | members


def values(count):
    return array(*map(integer, range(count)))


REFUSALS = {
    # Operators and values.
    "F13-unspecified": (
        where(compare("n", "OPERATOR_UNSPECIFIED", ONE)),
        "Unknown FieldFilter operator.",
    ),
    "F13-number": (where(compare("n", 99, ONE)), "Unknown FieldFilter operator."),
    "F13-unary": (where(unary("n", "OPERATOR_UNSPECIFIED")), "Unknown UnaryFilter operator."),
    "F13-composite": (
        where({"compositeFilter": {"filters": [compare("n", "EQUAL", ONE)]}}),
        "Unsupported CompositeFilter operator.",
    ),
    "F13-or-empty": (where(either()), "Composite filter must have at least one sub-filter."),
    "no-value": (
        where({"fieldFilter": {"field": field("n"), "op": "EQUAL"}}),
        "Cannot convert firestore.v1.Value with type unset.",
    ),
    "no-field": (
        where({"fieldFilter": {"op": "EQUAL", "value": ONE}}),
        "Invalid empty property path string.",
    ),
    "no-unary-field": (
        where({"unaryFilter": {"op": "IS_NULL"}}),
        "Unsupported UnaryFilter operand type (non-FIELD).",
    ),
    "no-filter": (where({}), "Unknown Filter type."),
    "F14-in": (where(compare("n", "IN", ONE)), "'IN' requires an ArrayValue."),
    "F14-in-empty": (where(compare("n", "IN", array())), "'IN' requires an non-empty ArrayValue."),
    "F14-not-in": (where(compare("n", "NOT_IN", ONE)), "'NOT_IN' requires an ArrayValue."),
    "F14-not-in-empty": (
        where(compare("n", "NOT_IN", array())),
        "'NOT_IN' requires an non-empty ArrayValue.",
    ),
    "F14-any": (
        where(compare("n", "ARRAY_CONTAINS_ANY", ONE)),
        "'ARRAY_CONTAINS_ANY' requires an ArrayValue.",
    ),
    "F14-any-empty": (
        where(compare("n", "ARRAY_CONTAINS_ANY", array())),
        "'ARRAY_CONTAINS_ANY' requires an non-empty ArrayValue.",
    ),
    "F14-31": (where(compare("n", "IN", values(31))), "'IN' supports up to 30 comparison values."),
    "F14-not-in-11": (
        where(compare("n", "NOT_IN", values(11))),
        "'NOT_IN' supports up to 10 comparison values.",
    ),
    # Combinations.
    "F15-two-not-in": (
        where(both(compare("n", "NOT_IN", array(ONE)), compare("h", "NOT_IN", array(ONE)))),
        SINGLE,
    ),
    "F15-not-equal": (
        where(both(compare("n", "NOT_EQUAL", ONE), compare("n", "NOT_EQUAL", TWO))),
        SINGLE,
    ),
    "F15-not-null": (
        where(both(compare("n", "NOT_EQUAL", ONE), unary("h", "IS_NOT_NULL"))),
        SINGLE,
    ),
    "F15-in": (
        where(both(compare("n", "NOT_IN", array(ONE)), compare("h", "IN", array(ONE)))),
        NOT_IN,
    ),
    "F15-any": (
        where(
            both(compare("n", "NOT_IN", array(ONE)), compare("h", "ARRAY_CONTAINS_ANY", array(ONE)))
        ),
        NOT_IN,
    ),
    "F15-or": (
        where(either(compare("n", "NOT_IN", array(ONE)), compare("h", "EQUAL", ONE))),
        NOT_IN,
    ),
    "F16": (
        where(both(compare("tags", "ARRAY_CONTAINS", ONE), compare("tags", "ARRAY_CONTAINS", TWO))),
        ELEMENTS,
    ),
    "F16-any": (
        where(
            both(
                compare("tags", "ARRAY_CONTAINS", ONE),
                compare("h", "ARRAY_CONTAINS_ANY", array(TWO)),
            )
        ),
        ELEMENTS,
    ),
    "or-31": (
        where(either(*(compare(f"f{i}", "EQUAL", ONE) for i in range(31)))),
        DISJUNCTIONS.format(31),
    ),
    "in-16-and-in-2": (
        where(both(compare("n", "IN", values(16)), compare("h", "IN", values(2)))),
        DISJUNCTIONS.format(32),
    ),
    "inequalities-of-letters": (
        inequalities(*"abcdefghijk"),
        INEQUALITIES.format(11, "g, f, e, d, c, b, a, k, j, i, h"),
    ),
    "inequalities-11": (
        inequalities(*(f"f{i}" for i in range(11))),
        INEQUALITIES.format(11, "f8, f9, f6, f7, f4, f5, f2, f3, f0, f1, f10"),
    ),
    "inequalities-12": (
        inequalities(*(f"g{i}" for i in range(11, -1, -1))),
        INEQUALITIES.format(12, "g9, g7, g8, g5, g6, g3, g4, g1, g2, g10, g11, g0"),
    ),
    # Paths and names.
    "F17-empty": (where(compare("", "EQUAL", ONE)), "Invalid empty property path string."),
    "F17": (where(compare("a..b", "EQUAL", ONE)), PATH.format("a..b")),
    "F17-dot": (where(compare("a.", "EQUAL", ONE)), PATH.format("a.")),
    "F17-open": (where(compare("`a", "EQUAL", ONE)), PATH.format("`a")),
    "F17-hyphen": (where(compare("a-b", "EQUAL", ONE)), PATH.format("a-b")),
    "F17-digit": (where(compare("1a", "EQUAL", ONE)), PATH.format("1a")),
    "F17-quotes": (where(compare("``", "EQUAL", ONE)), PATH.format("``")),
    "F17-bracket": (where(compare("a[0]", "EQUAL", ONE)), "Invalid property path"),
    "reserved": (
        where(compare("a.__x__", "EQUAL", ONE)),
        "Invalid reserved name in field path __x__",
    ),
    "F20": (where(compare("__name__", "EQUAL", string("qn/d1"))), KEY),
    "F20-in": (where(compare("__name__", "IN", array(reference("qn/d1"), ONE))), KEY),
    "F20-null": (where(compare("__name__", "EQUAL", {"nullValue": None})), KEY),
    "F20-contains": (
        where(compare("__name__", "ARRAY_CONTAINS", reference("qn/d1"))),
        "the name __key__ is reserved",
    ),
    "name-is-null": (where(unary("__name__", "IS_NULL")), KEY),
    "F21": (where(compare("__name__", "EQUAL", OTHER)), DATABASE),
    "name-and-inequality": (
        where(
            both(
                compare("__name__", "EQUAL", reference("qn/d1")), compare("n", "GREATER_THAN", ONE)
            )
        ),
        KEY_EQUALITY,
    ),
    # Order, cursors and limits.
    "order-empty": (ordered(ascending("")), "Invalid empty property path string."),
    "order-after-name": (
        ordered(ascending("__name__"), ascending("n")),
        "order by clause cannot contain more fields after the key",
    ),
    "order-twice": (
        ordered(ascending("n"), ascending("n")),
        "order by clause cannot contain duplicate fields n",
    ),
    "F18-cursor": (
        ordered(ascending("n"), startAt={"values": [ONE, TWO, ONE], "before": True}),
        "Cursor has too many values.",
    ),
    "F18-limit": ({"from": source("qn"), "limit": -1}, "limit is negative"),
    "F18-offset": ({"from": source("qn"), "offset": -1}, "offset is negative"),
    # Sources.
    "F19": (
        {"from": source("qn") + source("qv")},
        "StructuredQuery.from cannot have more than one collection selector.",
    ),
    "F19-slash": (
        {"from": source("a/b")},
        'Collection id "a/b" is invalid because it contains "/".',
    ),
    "F19-reserved": (
        {"from": source("__x__")},
        'Collection id "__x__" is invalid because it is reserved.',
    ),
    "F19-dot": ({"from": source(".")}, 'Collection id "." is invalid because it is reserved.'),
    "F19-long": ({"from": source("q" * 1501)}, "The query kind is longer than 1500 bytes."),
    "kindless-filter": (
        {"from": [{"allDescendants": True}], "where": compare("n", "EQUAL", ONE)},
        "kind is required for filter: n",
    ),
    "kindless-order": (
        {"from": [{"allDescendants": True}], "orderBy": [descending("__name__")]},
        "kind is required for all orders except __key__ ascending",
    ),
}


@pytest.fixture(scope="module")
def replay(hearth):
    return Replay(hearth, NUMBERS)


@pytest.mark.parametrize("query, message", REFUSALS.values(), ids=REFUSALS)
def test_queries_are_refused_in_productions_words(replay, query, message):
    status, body = replay.query(query)
    assert status == 400 and isinstance(body, list) and len(body) == 1  # F42
    assert error(body) == {
        "code": 400,
        "message": replay.fill(message),
        "status": "INVALID_ARGUMENT",
    }


def test_a_name_of_a_collection_is_not_one_of_a_document(replay):
    name = f"{replay.docs}/qn"
    _, body = replay.query(where(compare("__name__", "EQUAL", reference("qn"))))
    assert error(body)["message"] == (
        f'Document parent name "{name}" lacks "/" at index {len(name)}.'
    )


def test_a_parent_is_a_document(replay):
    name = f"{replay.docs}/qroot/r1/qg"
    _, body = replay.query({"from": source("qn")}, parent="/qroot/r1/qg")
    assert error(body)["message"] == (
        f'Document parent name "{name}" lacks "/" at index {len(name)}.'
    )


def test_F1_rows_have_times_and_no_end_is_marked(replay):
    _, body = replay.query({"from": source("qn"), "limit": 2})
    assert [sorted(row) for row in body] == [["document", "readTime"]] * 2
    _, body = replay.query({"from": source("none")})
    assert [sorted(row) for row in body] == [["readTime"]]


@pytest.mark.parametrize(
    "offset, limit, shown", [(2, 3, 3), (20, None, 0), (10, None, 0), (3, 0, 0)]
)
def test_what_an_offset_skips_has_a_row_of_its_own(replay, offset, limit, shown):
    query = {"from": source("qn"), "offset": offset} | ({} if limit is None else {"limit": limit})
    _, body = replay.query(query)
    assert sorted(body[0]) == ["readTime", "skippedResults"]
    assert body[0]["skippedResults"] == min(offset, 10) and len(rows(body[1:])) == shown


@pytest.mark.parametrize(
    "query",
    [
        pytest.param({}, id="F12"),
        pytest.param({"from": []}, id="F12-empty"),
        pytest.param({"from": source("")}, id="F19-empty"),
        pytest.param(where(both()), id="F13-empty"),
        pytest.param(where(compare("n", "equal", ONE)), id="lower-case"),
        pytest.param(where(compare("n", 5, ONE)), id="number"),
        pytest.param(
            where(
                either(compare("tags", "ARRAY_CONTAINS", ONE), compare("h", "ARRAY_CONTAINS", TWO))
            ),
            id="contains-per-disjunct",
        ),
        pytest.param(
            where(either(*(compare(f"f{i}", "EQUAL", ONE) for i in range(30)))), id="or-30"
        ),
        pytest.param({"from": source("q" * 1500)}, id="1500-bytes"),
        pytest.param(ordered({"field": field("n")}), id="no-direction"),
    ],
)
def test_queries_are_answered(replay, query):
    status, body = replay.query(query)
    assert status == 200, body


def test_F36_a_new_transaction_comes_first(replay):
    _, body = replay.query({"from": source("qn"), "limit": 1}, newTransaction={"readOnly": {}})
    assert [sorted(row) for row in body] == [["transaction"], ["document", "readTime"]]


NULL, NAN = {"nullValue": None}, double("NaN")


@pytest.mark.parametrize(
    "condition",
    [
        compare("v", "EQUAL", NULL),
        compare("v", "EQUAL", NAN),
        compare("v", "NOT_EQUAL", NULL),
        compare("v", "NOT_IN", array(NULL, ONE)),
        compare("v", "ARRAY_CONTAINS", NULL),
        compare("v", "ARRAY_CONTAINS", NAN),
        compare("v", "LESS_THAN", NAN),
        compare("v", "GREATER_THAN", NULL),
        compare("v", "IN", array(NULL)),
    ],
)
def test_F51_null_and_nan_are_equal_to_nothing(hearth, condition):
    replay = Replay(
        hearth,
        {
            "q/null": {"v": NULL},
            "q/nan": {"v": NAN},
            "q/one": {"v": ONE},
            "q/list": {"v": array(NULL, NAN)},
        },
    )
    _, body = replay.query({"from": source("q"), "where": condition})
    assert [sorted(row) for row in body] == [["readTime"]]


def test_F50_values_of_all_types_have_an_order(hearth):
    """Each name begins with its place."""
    kinds = [
        NULL,
        {"booleanValue": False},
        {"booleanValue": True},
        NAN,
        integer(-3),
        double(1.5),
        double("Infinity"),
        {"timestampValue": "2001-02-03T04:05:06Z"},
        string(""),
        string("B"),
        string("a"),
        {"bytesValue": ""},
        {"bytesValue": "AQ=="},
        reference("q/a"),
        {"geoPointValue": {"latitude": -1, "longitude": 5}},
        array(),
        array(ONE),
        vector(1, 2),
        vector(1, 2, 3),
        mapped(),
        mapped(a=ONE),
        mapped(a=ONE, b=ONE),
        mapped(b=ONE),
    ]
    replay = Replay(hearth, {f"q/{place:02}": {"v": value} for place, value in enumerate(kinds)})
    _, body = replay.query({"from": source("q"), "orderBy": [ascending("v")]})
    assert rows(body) == [f"{place:02}" for place in range(len(kinds))]


GROUP = {"from": source("qn", group=True), "orderBy": [ascending("__name__")]}
PARTITIONS = {
    "count": ({"structuredQuery": GROUP}, "Partition count must be greater than zero."),
    "page": (
        {"structuredQuery": GROUP, "partitionCount": 2, "pageSize": -1},
        "Page size must be nonnegative.",
    ),
    "no-group": (
        {"structuredQuery": ordered(ascending("__name__")), "partitionCount": 2},
        "Query must select all descendant collections.",
    ),
    "limit": (
        {"structuredQuery": GROUP | {"limit": 1}, "partitionCount": 2},
        "Query limit is not supported.",
    ),
    "offset": (
        {"structuredQuery": GROUP | {"offset": 1}, "partitionCount": 2},
        "Query offset is not supported.",
    ),
    "select": (
        {"structuredQuery": GROUP | {"select": {"fields": [field("n")]}}, "partitionCount": 2},
        "Property masks are not supported.",
    ),
    "start": (
        {
            "structuredQuery": GROUP
            | {"startAt": {"values": [reference("qn/d1")], "before": True}},
            "partitionCount": 2,
        },
        "Query start cursors are not supported.",
    ),
    "filter": (
        {
            "structuredQuery": GROUP | {"where": compare("n", "GREATER_THAN", ONE)},
            "partitionCount": 2,
        },
        "order by clause cannot contain more fields after the key",
    ),
    "no-query": ({"partitionCount": 2}, "Query is required."),
}


@pytest.mark.parametrize("body, message", PARTITIONS.values(), ids=PARTITIONS)
def test_partitions_are_refused(replay, body, message):
    status, answer = replay.post(":partitionQuery", body)
    assert (status, error(answer)) == (
        400,
        {"code": 400, "message": message, "status": "INVALID_ARGUMENT"},
    )


def test_partitions_are_of_the_whole_database(replay):
    _, answer = replay.post(
        "/qroot/r1:partitionQuery", {"structuredQuery": GROUP, "partitionCount": 2}
    )
    assert error(answer)["message"] == "Ancestor queries are not supported."


def test_F49_few_documents_are_one_partition(hearth):
    replay = Replay(hearth, {f"qn/d{i:03}": {} for i in range(200)})

    def points(body):
        status, answer = replay.post(":partitionQuery", body | {"partitionCount": 10})
        assert status == 200
        return len(answer.get("partitions", []))

    assert points({"structuredQuery": GROUP}) == 2
    assert points({"structuredQuery": {"from": source("qn", group=True)}}) == 0
    assert points({"structuredQuery": GROUP | {"from": source("none", group=True)}}) == 0


def test_pipelines_are_of_another_edition(replay):
    status, answer = replay.post(":executePipeline", {})
    assert (status, error(answer)["status"]) == (400, "FAILED_PRECONDITION")
    assert error(answer)["details"][0]["reason"] == "PIPELINE_REQUIRES_ENTERPRISE_EDITION"
