"""Bodies that are not the JSON of the request: production says where and why."""

import json

import pytest
from support.firestore.production import NUMBERS, Replay, compare, error, integer, source, write

STAMP = "type.googleapis.com/google.protobuf.Timestamp"
OPERATOR = "type.googleapis.com/google.firestore.v1.StructuredQuery.{}.Operator"
ILLEGAL = "Illegal timestamp format; timestamps must end with 'Z' or have a valid timezone offset."


def query(**members):
    return json.dumps({"structuredQuery": {"from": source("qn")} | members})


def where(value, op="EQUAL"):
    return query(where=compare("n", op, value))


def unknown(name, path):
    at = f" at '{path}'" if path else ""
    return f'Invalid JSON payload received. Unknown name "{name}"{at}: Cannot find field.', path


def invalid(path, kind):
    return f"Invalid value at '{path}' {kind}", path


VALUE = "structured_query.where.field_filter.value"
ROOT = 'Invalid JSON payload received. Unknown name "": Root element must be a message.', ""
SYNTAX = "Invalid JSON payload received. "

# The body, the message, and the path of the field that is to blame; None for what is not JSON.
QUERIES = {
    "F11": ("{not json", (SYNTAX + "Expected : between key:value pair.\n{not json\n     ^", None)),
    "no-json": ("not json", (SYNTAX + "Unexpected token.\nnot json\n^", None)),
    "array": ("[]", ROOT),
    "string": ('"x"', ROOT),
    "F10-top": ('{"structuredQuery": {}, "extra": 1}', unknown("extra", "")),
    "F10": (query(extra=1), unknown("extra", "structured_query")),
    "F10-value": (where({"fooValue": 1}), unknown("fooValue", VALUE)),
    "F10-operator": (
        where(integer(1), "NOT_AN_OP"),
        invalid(
            "structured_query.where.field_filter.op",
            f'({OPERATOR.format("FieldFilter")}), "NOT_AN_OP"',
        ),
    ),
    "F10-unary": (
        query(where={"unaryFilter": {"op": "IS_SOMETHING"}}),
        invalid(
            "structured_query.where.unary_filter.op",
            f'({OPERATOR.format("UnaryFilter")}), "IS_SOMETHING"',
        ),
    ),
    "F25-range": (
        where(integer(9223372036854775808)),
        invalid(f"{VALUE}.integer_value", '(TYPE_INT64), "9223372036854775808"'),
    ),
    "two-kinds": (
        where({"integerValue": "1", "stringValue": "a"}),
        invalid(
            VALUE, "(oneof), oneof field 'value_type' is already set. Cannot set 'stringValue'"
        ),
    ),
    "F26-range": (
        where({"timestampValue": "10000-01-01T00:00:00Z"}),
        invalid(
            f"{VALUE}.timestamp_value",
            f"({STAMP}), Field 'timestampValue', Timestamp value exceeds limits",
        ),
    ),
    "F26": (
        where({"timestampValue": "not a time"}),
        invalid(f"{VALUE}.timestamp_value", f"({STAMP}), Field 'timestampValue', {ILLEGAL}"),
    ),
    "read-time": (
        '{"structuredQuery": {}, "readTime": "yesterday"}',
        invalid("read_time", f"({STAMP}), Field 'readTime', {ILLEGAL}"),
    ),
    "explain": (
        '{"structuredQuery": {}, "explainOptions": {"verbose": true}}',
        unknown("verbose", "explain_options"),
    ),
}

ENTRY = "writes[0].update.fields[0].value"
COMMITS = {
    "F25": (
        {"a": integer(99999999999999999999)},
        invalid(f"{ENTRY}.integer_value", '(TYPE_INT64), "99999999999999999999"'),
    ),
    "F10": ({"a": {"fooValue": 1}}, unknown("fooValue", ENTRY)),
    "F26": (
        {"a": {"timestampValue": "not a time"}},
        invalid(f"{ENTRY}.timestamp_value", f"({STAMP}), Field 'timestampValue', {ILLEGAL}"),
    ),
    "base64": (
        {"a": {"bytesValue": "!!!"}},
        invalid(f"{ENTRY}.bytes_value", '(TYPE_BYTES), Base64 decoding failed for "!!!"'),
    ),
}


@pytest.fixture(scope="module")
def replay(hearth):
    return Replay(hearth, NUMBERS)


def check(answer, message, path):
    status, body = answer
    assert status == 400
    expected = {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}
    if path is not None:
        violation = {"description": message} | ({"field": path} if path else {})
        expected["details"] = [
            {"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [violation]}
        ]
    assert error(body) == expected


@pytest.mark.parametrize("body, expected", QUERIES.values(), ids=QUERIES)
def test_a_query_that_cannot_be_read(replay, body, expected):
    answer = replay.post(":runQuery", body)
    assert isinstance(answer[1], list)  # F42
    check(answer, *expected)


@pytest.mark.parametrize("fields, expected", COMMITS.values(), ids=COMMITS)
def test_a_write_that_cannot_be_read(replay, fields, expected):
    answer = replay.commit(write("err/x", fields))
    assert isinstance(answer[1], dict)
    check(answer, *expected)


def test_F28_two_operations_in_one_write(replay):
    check(
        replay.commit(write("err/x", {}) | {"delete": "{docs}/err/x"}),
        *invalid(
            "writes[0]", "(oneof), oneof field 'operation' is already set. Cannot set 'delete'"
        ),
    )


def test_F33_a_transaction_is_base64(replay):
    check(
        replay.commit(write("err/x", {}), transaction="not base64!"),
        *invalid("transaction", '(TYPE_BYTES), Base64 decoding failed for "not base64!"'),
    )


@pytest.mark.parametrize(
    "body, message",
    [
        pytest.param(":runQuery", "only structured queries are supported", id="F12"),
        pytest.param(
            ":runAggregationQuery",
            "Only structured aggregation queries are supported.",
            id="aggregation",
        ),
    ],
)
@pytest.mark.parametrize("text", ["{}", ""])
def test_an_empty_body(replay, body, message, text):
    status, answer = replay.post(body, text)
    assert (status, error(answer)["message"]) == (400, message)


def test_a_comma_may_be_the_last(replay):
    status, _ = replay.post(":runQuery", '{"structuredQuery":{"from":[{"collectionId":"qn"},],},}')
    assert status == 200


def test_F25_numbers_and_texts_of_numbers(replay):
    status, body = replay.commit(
        write("err/n", {"a": {"integerValue": 5}, "b": {"doubleValue": "1.5"}})
    )
    assert status == 200, body
