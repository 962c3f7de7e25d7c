"""Requests of more than 11 MiB: what users of production report."""

import gzip
import json

import grpc
import pytest
import requests
from google.cloud.firestore_v1.types import firestore as messages
from support.firestore.project import Firestore
from support.server import Server

MIB = 1 << 20
TEXT = "Request payload size exceeds the limit: 11534336 bytes."
REFUSAL = {"error": {"code": 400, "message": TEXT, "status": "INVALID_ARGUMENT"}}
OWNER = {"Authorization": "Bearer owner", "Content-Type": "application/json"}


def body(base, size: int) -> bytes:
    """A commit that long, as JSON. It writes nothing that would be too large itself."""
    text = json.dumps({"writes": [{"delete": base.name("c/d")}]})
    return text.encode() + b" " * (size - len(text))


def post(base, data: bytes, path: str = "/documents:commit", **headers) -> requests.Response:
    address = f"{base.server.addresses['firestore']}/v1/{base.database}{path}"
    return requests.post(address, data=data, headers=OWNER | headers, timeout=60)


@pytest.fixture(scope="module")
def base(hearth):
    base = Firestore(hearth)
    yield base
    base.close()


def test_over_rest(base):
    assert post(base, body(base, 11 * MIB)).status_code == 200
    large = body(base, 11 * MIB + 1)
    for answer in (
        post(base, large),
        post(base, gzip.compress(large), **{"Content-Encoding": "gzip"}),
    ):
        assert (answer.status_code, answer.json()) == (400, REFUSAL)


def test_over_grpc(base):
    def commit(size: int):
        # Without a name the write is refused for that, when the size has been accepted.
        return messages.CommitRequest(database=base.database, transaction=b"x" * size)

    with pytest.raises(grpc.RpcError) as refused:
        base.rpc.commit(commit(11 * MIB), metadata=[("authorization", "Bearer owner")])
    assert refused.value.code() == grpc.StatusCode.INVALID_ARGUMENT
    assert refused.value.details() == TEXT
    with pytest.raises(grpc.RpcError) as smaller:
        base.rpc.commit(commit(11 * MIB - 200), metadata=[("authorization", "Bearer owner")])
    assert smaller.value.details() != TEXT


def test_nothing_changes_without_the_profile():
    server = Server()
    try:
        base = Firestore(server)
        assert post(base, body(base, 10 * MIB)).status_code == 200
        assert post(base, body(base, 10 * MIB + 1)).status_code == 413
        base.close()
    finally:
        server.stop()
