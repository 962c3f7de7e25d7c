"""Fields come in the order in which they were written, over every transport."""

import json

import grpc
import pytest
import requests
from support.firestore.channel import is_snapshot, listening, writing
from support.firestore.project import OWNER, WAIT, address, base, guard, metadata  # noqa: F401

SERVICE = "/google.firestore.v1.Firestore/"
# Neither sorted nor as any hash has them; the inner ones are other than the outer ones.
NAMES = [f"{letter}{number}" for number in range(9, -1, -1) for letter in "zam10"]
FIELDS = {
    **{name: {"integerValue": str(place)} for place, name in enumerate(NAMES)},
    "Map": {
        "mapValue": {
            "fields": {
                name: {
                    "mapValue": {"fields": {inner: {"nullValue": None} for inner in "cabxyz321"}}
                }
                for name in reversed(NAMES[:12])
            }
        }
    },
    "array": {
        "arrayValue": {
            "values": [
                {"mapValue": {"fields": {name: {"booleanValue": True} for name in names}}}
                for names in ("zyx", "acb", ("10", "9", "é", "e\u0301"))
            ]
        }
    },
}


def shape(fields: dict):
    """Names in their order, on every level."""
    return [(name, *inner(value)) for name, value in fields.items()]


def inner(value: dict):
    if "mapValue" in value:
        yield shape(value["mapValue"].get("fields", {}))
    for element in value.get("arrayValue", {}).get("values", []):
        yield from inner(element)


# MARK: The wire, by hand: protobuf libraries have orders of their own


def varint(number: int) -> bytes:
    out = b""
    while number > 127:
        out, number = out + bytes([number & 127 | 128]), number >> 7
    return out + bytes([number])


def field(number: int, content) -> bytes:
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    content = content.encode() if isinstance(content, str) else content
    return varint(number << 3 | 2) + varint(len(content)) + content


def entries(number: int, fields: dict) -> bytes:
    return b"".join(
        field(number, field(1, name) + field(2, packed(value))) for name, value in fields.items()
    )


def packed(value: dict) -> bytes:
    ((kind, content),) = value.items()
    match kind:
        case "nullValue":
            return field(11, 0)
        case "booleanValue":
            return field(1, int(content))
        case "integerValue":
            return field(2, int(content))
        case "mapValue":
            return field(6, entries(1, content["fields"]))
        case "arrayValue":
            return field(9, b"".join(field(1, packed(each)) for each in content["values"]))


def parsed(message: bytes):
    """Pairs of number and content."""
    place = 0

    def number():
        nonlocal place
        value = shift = 0
        while True:
            byte = message[place]
            place += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while place < len(message):
        tag = number()
        match tag & 7:
            case 0:
                yield tag >> 3, number()
            case 1:
                yield tag >> 3, message[place : place + 8]
                place += 8
            case 2:
                length = number()
                yield tag >> 3, message[place : place + length]
                place += length


def unpacked_fields(message: bytes, number: int) -> dict:
    found = {}
    for member, content in parsed(message):
        if member == number:
            entry = dict(parsed(content))
            found[entry.get(1, b"").decode()] = unpacked(entry[2])
    return found


def unpacked(message: bytes) -> dict:
    ((kind, content),) = parsed(message)
    match kind:
        case 6:
            return {"mapValue": {"fields": unpacked_fields(content, 1)}}
        case 9:
            return {"arrayValue": {"values": [unpacked(each) for _, each in parsed(content)]}}
        case _:
            return {}


class Wire:
    def __init__(self, base):
        self.base = base
        self.channel = grpc.insecure_channel(
            address(base.server), options=[("grpc.use_local_subchannel_pool", 1)]
        )

    def call(self, method: str, request: bytes) -> bytes:
        return self.channel.unary_unary(SERVICE + method)(
            request, metadata=metadata(OWNER), timeout=WAIT
        )

    def stream(self, method: str, request: bytes) -> list[bytes]:
        return list(
            self.channel.unary_stream(SERVICE + method)(
                request, metadata=metadata(OWNER), timeout=WAIT
            )
        )

    def document(self, path: str, fields: dict) -> bytes:
        return field(1, self.base.name(path)) + entries(2, fields)

    def fields(self, path: str) -> dict:
        return unpacked_fields(self.call("GetDocument", field(1, self.base.name(path))), 2)


@pytest.fixture
def wire(base):
    wire = Wire(base)
    yield wire
    wire.channel.close()


def write_over_grpc(base, wire):
    write = field(1, wire.document("c/d", FIELDS))
    wire.call("Commit", field(1, base.database) + field(2, write))


def write_over_rest(base, wire):
    base.rest("PATCH", "/c/d", json={"fields": FIELDS})


def write_over_webchannel(base, wire):
    channel = writing(base)
    token = channel.hear(lambda message: "streamToken" in message)[-1]["streamToken"]
    channel.send(
        {"streamToken": token, "writes": [{"update": {"name": base.name("c/d"), "fields": FIELDS}}]}
    )
    channel.hear(lambda message: "writeResults" in message)
    channel.close()


@pytest.mark.parametrize(
    "write",
    [write_over_grpc, write_over_rest, write_over_webchannel],
    ids=lambda each: each.__name__,
)
def test_order_written_is_the_order_read(base, wire, write):
    write(base, wire)
    wanted = shape(FIELDS)
    assert shape(wire.fields("c/d")) == wanted, "GetDocument"
    batch = wire.stream("BatchGetDocuments", field(1, base.database) + field(2, base.name("c/d")))
    assert shape(unpacked_fields(dict(parsed(batch[0]))[1], 2)) == wanted, "BatchGetDocuments"
    query = field(2, field(2, field(2, "c")))
    found = wire.stream("RunQuery", field(1, base.root) + query)
    assert shape(unpacked_fields(dict(parsed(found[0]))[1], 2)) == wanted, "RunQuery"

    assert shape(base.rest("GET", "/c/d")["fields"]) == wanted
    assert shape(base.rest("GET", "/c")["documents"][0]["fields"]) == wanted
    answer = base.rest(
        "POST", ":runQuery", json={"structuredQuery": {"from": [{"collectionId": "c"}]}}
    )
    assert shape(answer[0]["document"]["fields"]) == wanted

    channel = listening(base, "c/d")
    heard = channel.hear(is_snapshot)
    changes = [each["documentChange"] for each in heard if "documentChange" in each]
    assert shape(changes[0]["document"]["fields"]) == wanted, "Listen"
    channel.close()


def fields(base) -> list[str]:
    return list(base.rest("GET", "/c/d")["fields"])


def test_updates_keep_places_and_append(base):
    number = {"integerValue": "1"}
    base.rest("PATCH", "/c/d", json={"fields": dict.fromkeys("zbma", number)})
    base.rest(
        "PATCH",
        "/c/d?updateMask.fieldPaths=b&updateMask.fieldPaths=x&updateMask.fieldPaths=c",
        json={"fields": {"x": number, "c": number, "b": {"integerValue": "2"}}},
    )
    assert fields(base) == list("zbmaxc")
    base.rest("PATCH", "/c/d?updateMask.fieldPaths=b", json={"fields": {}})
    base.rest("PATCH", "/c/d?updateMask.fieldPaths=b", json={"fields": {"b": number}})
    assert fields(base) == list("zmaxcb")
    base.rest(
        "POST",
        ":commit",
        json={
            "writes": [
                {
                    "transform": {
                        "document": base.name("c/d"),
                        "fieldTransforms": [
                            {"fieldPath": name, "increment": number} for name in ("t", "m", "s")
                        ],
                    }
                }
            ]
        },
    )
    assert fields(base) == list("zmaxcbts")
    assert list(
        base.rest("GET", "/c/d?mask.fieldPaths=b&mask.fieldPaths=z&mask.fieldPaths=x")["fields"]
    ) == list("zxb")
    # What replaces the document has the order given, though no value changes but one.
    base.rest("PATCH", "/c/d", json={"fields": dict.fromkeys("abmz", number)})
    assert fields(base) == list("abmz")


def test_a_name_twice_is_one_with_the_last_value(base, wire):
    url = f"{base.server.addresses['firestore']}/v1/{base.name('c/d')}"
    requests.patch(
        url,
        headers={"Authorization": "Bearer owner"},
        timeout=WAIT,
        data=(
            '{"fields":{"b":{"integerValue":"1"},"a":{"integerValue":"2"},"b":{"integerValue":"3"}}}'
        ),
    ).raise_for_status()
    wanted = [("b", {"integerValue": "3"}), ("a", {"integerValue": "2"})]
    assert list(base.rest("GET", "/c/d")["fields"].items()) == wanted
    document = wire.document("c/e", {"b": {"integerValue": "1"}, "a": {"integerValue": "2"}})
    document += entries(2, {"b": {"integerValue": "3"}})
    wire.call("Commit", field(1, base.database) + field(2, field(1, document)))
    assert list(base.rest("GET", "/c/e")["fields"].items()) == wanted


def test_aggregations_come_in_the_order_asked(base, wire):
    base.rest("PATCH", "/c/d", json={"fields": {"n": {"integerValue": "1"}}})
    aliases = ["zz", "s", "a", "k"]
    answer = base.rest(
        "POST",
        ":runAggregationQuery",
        json={
            "structuredAggregationQuery": {
                "structuredQuery": {"from": [{"collectionId": "c"}]},
                "aggregations": [{"alias": alias, "count": {}} for alias in aliases],
            }
        },
    )
    assert list(answer[0]["result"]["aggregateFields"]) == aliases
    aggregations = b"".join(field(3, field(1, b"") + field(7, alias)) for alias in aliases)
    query = field(2, field(1, field(2, field(2, "c"))) + aggregations)
    found = wire.stream("RunAggregationQuery", field(1, base.root) + query)
    result = dict(parsed(found[0]))[1]
    assert list(unpacked_fields(result, 2)) == aliases


def test_equal_documents_look_equal(base):
    """Twenty documents of one shape had several orders in one answer."""
    for number in range(20):
        base.rest("PATCH", f"/c/{number}", json={"fields": FIELDS})
    texts = {json.dumps(each["fields"]) for each in base.rest("GET", "/c")["documents"]}
    assert len(texts) == 1
