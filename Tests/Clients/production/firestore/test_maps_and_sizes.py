"""Names within maps, sizes at their borders, and details of refusals over gRPC."""

import grpc
import pytest
from google.cloud.firestore_v1.types import firestore as messages
from google.cloud.firestore_v1.types import query
from support.firestore.production import (
    Replay,
    array,
    compare,
    error,
    integer,
    mapped,
    source,
    string,
    write,
)
from support.firestore.project import Firestore, metadata

NESTED = "Property m contains an invalid nested entity."


@pytest.fixture(scope="module")
def replay(hearth):
    return Replay(hearth)


def written(replay, path: str, fields: dict) -> str | None:
    status, body = replay.commit(write(path, fields))
    return None if status == 200 else error(body)["message"]


def asked(replay, value: dict) -> str | None:
    status, body = replay.query({"from": source("c"), "where": compare("m", "EQUAL", value)})
    return None if status == 200 else error(body)["message"]


@pytest.mark.parametrize(
    "name, write_refusal, query_refusal",
    [
        ("__bad__", "field name '__bad__' is reserved.", "field name '__bad__' is reserved."),
        ("", NESTED, None),
        ("x" * 1501, NESTED, "value for m is too large to be used in a query"),
        ("x" * 1500, None, None),
    ],
    ids=["reserved", "empty", "long", "just short enough"],
)
def test_a_name_within_a_map(replay, name, write_refusal, query_refusal):
    value = mapped(**{name: integer(1)})
    assert written(replay, "c/x", {"m": value}) == write_refusal
    assert asked(replay, value) == query_refusal


def test_a_mark_that_is_no_text(replay):
    assert asked(replay, mapped(__type__=integer(1))) == (
        "Field __type__ must be a string; founds LONG."
    )


def test_a_long_text_within_a_map(replay):
    assert written(replay, "c/x", {"m": mapped(s=string("x" * 1_048_487))}) is None
    assert written(replay, "c/x", {"m": mapped(s=string("x" * 1_048_488))}) == NESTED


def test_the_emulator_bounds_the_whole_path(hearth):
    """And what a query compares with."""
    replay = Replay(hearth, answers="emulator")
    for name, refusal in (("", NESTED), ("x" * 1498, None), ("x" * 1499, NESTED)):
        assert written(replay, "c/x", {"m": mapped(**{name: integer(1)})}) == refusal
    assert asked(replay, mapped(**{"x" * 1491: integer(1)})) is None
    assert asked(replay, mapped(**{"x" * 1492: integer(1)})) == (
        "value for m is too large to be used in a query"
    )


def test_the_place_of_a_number_in_a_batch(replay):
    fields = {"a": integer(1), "b": {"integerValue": "not-a-number"}}
    status, body = replay.post(
        ":batchWrite", {"writes": [write("b/first", {}), write("b/middle", fields)]}
    )
    assert (status, error(body)["message"]) == (
        400,
        "Invalid value at 'writes[1].update.fields[1].value.integer_value' (TYPE_INT64), "
        '"not-a-number"',
    )


def path(size: int) -> str:
    """A path of that many bytes."""
    text = "c/"
    while size - len(text) > 1500:
        text += "d" * 1000 + "/c/"
    return text + "d" * (size - len(text))


@pytest.mark.parametrize(
    "text, size",
    [
        (1500, 2641),
        (1500, 2642),
        (2000, 2142),
        (2999, 1143),
        (2999, 1500),
        (2999, 2606),
        (2999, 2607),
    ],
)
def test_an_indexed_text_in_a_document_with_a_long_name(replay, text, size):
    assert written(replay, path(size), {"s": string("x" * text)}) is None


@pytest.mark.parametrize("size, refusal", [(4627, None), (4628, "Index entry is too large.")])
def test_the_longest_name_of_an_empty_document(replay, size, refusal):
    assert written(replay, path(size), {}) == refusal


@pytest.mark.parametrize(
    "name, elements, refusal",
    [
        ("g" * 498 + "/d", 19_999, None),
        ("g" * 998 + "/d", 12_124, None),
        ("g" * 1500 + "/" + "d" * 499, 7184, None),
        ("g" * 1500 + "/" + "d" * 499, 7185, "Transaction too big. Decrease transaction size."),
    ],
    ids=["500 bytes", "1000 bytes", "2000 bytes", "2000 bytes, one more"],
)
def test_entries_of_an_array(replay, name, elements, refusal):
    assert written(replay, name, {"a": array(*map(integer, range(elements)))}) == refusal


# MARK: Details over gRPC


def varints(data: bytes):
    """The fields of a message: numbers, and bytes."""
    place = 0

    def number() -> int:
        nonlocal place
        value, shift = 0, 0
        while True:
            byte = data[place]
            place += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while place < len(data):
        key = number()
        if key & 7:
            length = number()
            yield key >> 3, data[place : place + length]
            place += length
        else:
            yield key >> 3, number()


def test_a_refusal_over_grpc_has_its_details(hearth):
    base = Firestore(hearth)
    count = query.StructuredQuery
    aggregation = messages.RunAggregationQueryRequest(parent=base.root)
    aggregation.structured_aggregation_query.structured_query = count(
        {"from_": [{"collection_id": "c"}]}
    )
    for _ in range(6):
        aggregation.structured_aggregation_query.aggregations.append({"count": {}})
    with pytest.raises(grpc.RpcError) as refused:
        list(base.rpc.run_aggregation_query(aggregation, metadata=metadata("owner"), timeout=30))
    base.close()
    trailers = dict(refused.value.trailing_metadata())
    status = list(varints(trailers["grpc-status-details-bin"]))
    assert status[0] == (1, 3) and status[1] == (2, refused.value.details().encode())
    detail = dict(varints(status[2][1]))
    assert detail[1] == b"type.googleapis.com/google.rpc.ErrorInfo"
    info = list(varints(detail[2]))
    assert info[:2] == [(1, b"TOO_MANY_AGGREGATIONS"), (2, b"firestore.googleapis.com")]
    assert {tuple(value for _, value in varints(entry)) for _, entry in info[2:]} == {
        (b"actual_aggregations", b"6"),
        (b"max_aggregations", b"5"),
    }
