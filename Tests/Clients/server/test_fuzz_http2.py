"""Random frames of HTTP/2 and random calls of gRPC: never a crash, never a hang."""

import contextlib
import os
import random
import socket
import struct
import zlib

import h2.exceptions
import pytest
import requests
from google.cloud.firestore_v1.types import firestore as rpc
from support.firestore.project import guard  # noqa: F401
from support.h2_client import Connection
from support.server import PROJECT

CONNECTIONS = int(os.environ.get("HEARTH_FUZZ_CONNECTIONS", "150"))
CALLS = int(os.environ.get("HEARTH_FUZZ_CALLS", "3000"))
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\x04\0\0\0\0\0"
METHODS = [
    "GetDocument",
    "ListDocuments",
    "UpdateDocument",
    "DeleteDocument",
    "BatchGetDocuments",
    "BeginTransaction",
    "Commit",
    "Rollback",
    "RunQuery",
    "RunAggregationQuery",
    "PartitionQuery",
    "ListCollectionIds",
    "BatchWrite",
    "CreateDocument",
    "ExecutePipeline",
    "Nothing",
    "Listen",
    "Write",
]
DATABASE = f"projects/{PROJECT}/databases/(default)"
GOOD = [
    rpc.CommitRequest.serialize(
        rpc.CommitRequest(
            {
                "database": DATABASE,
                "writes": [
                    {
                        "update": {
                            "name": f"{DATABASE}/documents/f/a",
                            "fields": {"n": {"integer_value": 1}},
                        }
                    }
                ],
            }
        )
    ),
    rpc.RunQueryRequest.serialize(
        rpc.RunQueryRequest(
            {
                "parent": f"{DATABASE}/documents",
                "structured_query": {"from_": [{"collection_id": "f"}], "limit": 3},
            }
        )
    ),
    rpc.ListenRequest.serialize(
        rpc.ListenRequest(
            {
                "database": DATABASE,
                "add_target": {
                    "target_id": 1,
                    "documents": {"documents": [f"{DATABASE}/documents/f/a"]},
                },
            }
        )
    ),
    rpc.GetDocumentRequest.serialize(rpc.GetDocumentRequest({"name": f"{DATABASE}/documents/f/a"})),
]


@pytest.fixture
def address(hearth):
    return hearth.addresses["firestore"].removeprefix("http://")


def is_well(address):
    return requests.get(f"http://{address}/", timeout=60).status_code == 200


def frame(chance):
    kind = chance.choice([*range(10), chance.randrange(256)])
    stream = chance.choice([0, 1, 3, 5, 2, chance.randrange(1 << 31)])
    body = bytes(chance.randrange(256) for _ in range(chance.choice([0, 4, 5, 6, 8, 9, 40])))
    if kind == 1 and chance.random() < 0.7:
        # A well-formed request: POST, http, a path and a type, as literals.
        fields = [
            (":method", "POST"),
            (":scheme", "http"),
            (":authority", "localhost"),
            (":path", f"/google.firestore.v1.Firestore/{chance.choice(METHODS)}"),
            ("content-type", chance.choice(["application/grpc", "text/plain", ""])),
        ]
        chance.shuffle(fields) if chance.random() < 0.2 else None
        body = b"".join(
            b"\0" + bytes([len(n)]) + n.encode() + bytes([len(v)]) + v.encode() for n, v in fields
        )
    length = len(body) if chance.random() < 0.9 else chance.randrange(1 << 24)
    return (
        struct.pack(">I", length)[1:]
        + bytes([kind, chance.randrange(256)])
        + struct.pack(">I", stream)
        + body
    )


def test_random_frames(address):
    host, _, port = address.rpartition(":")
    for seed in range(CONNECTIONS):
        chance = random.Random(seed)
        with socket.create_connection((host, int(port)), timeout=30) as connection:
            data = PREFACE if chance.random() < 0.95 else PREFACE[: chance.randrange(len(PREFACE))]
            data += b"".join(frame(chance) for _ in range(chance.randrange(1, 40)))
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(1 << 16):
                    pass
            except (ConnectionError, BrokenPipeError):
                pass
    assert is_well(address)


def message(chance):
    good = bytearray(chance.choice(GOOD))
    for _ in range(chance.choice([0, 0, 1, 3, 10])):
        good[chance.randrange(len(good))] = chance.randrange(256)
    return bytes(good[: chance.randrange(len(good) + 1)] if chance.random() < 0.2 else good)


def call(connection, chance):
    body = message(chance)
    flag = b"\0" if chance.random() < 0.9 else bytes([chance.randrange(3)])
    if flag == b"\x01" and chance.random() < 0.5:
        body = zlib.compress(body)
    length = len(body) if chance.random() < 0.95 else chance.randrange(1 << 32)
    headers = [("authorization", chance.choice(["Bearer owner", "Bearer x", "", "Basic a"]))]
    if chance.random() < 0.2:
        headers.append(("grpc-encoding", chance.choice(["gzip", "deflate", "identity", "x"])))
    if chance.random() < 0.2:
        headers.append(
            ("grpc-timeout", chance.choice(["1S", "100m", "1n", "x", "99999999H", "-1S"]))
        )
    framed = flag + length.to_bytes(4, "big") + body
    return connection.call(
        chance.choice(METHODS), headers=headers, framed=framed * chance.choice([1, 1, 2])
    )


def test_random_calls(address):
    seeds = iter(range(CALLS))
    while True:
        batch = [seed for seed, _ in zip(seeds, range(100))]
        if not batch:
            break
        with Connection(address) as connection:
            streams = []
            for seed in batch:
                chance = random.Random(seed)
                stream = call(connection, chance)
                streams.append(stream)
                if chance.random() < 0.1:
                    with contextlib.suppress(h2.exceptions.ProtocolError):
                        connection.h2.reset_stream(stream)
                    streams.remove(stream)
            # Streams that listen end, too, since their clients have said all.
            assert connection.until(
                lambda: all(s in connection.ended or s in connection.resets for s in streams)
            )
            assert connection.goaway is None
            for stream in streams:
                assert connection.status(stream) is not None, connection.headers.get(stream)
    assert is_well(address)
