"""Request bodies that are compressed, as some HTTP clients do by themselves."""

import gzip
import json
import random
import zlib

import pytest
import requests
from support.server import PROJECT
from support.wire import V1


def bare(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


FORMS = {
    "gzip": ("gzip", gzip.compress),
    "zlib": ("deflate", zlib.compress),
    "bare": ("deflate", bare),
    "stored": ("gzip", lambda data: gzip.compress(data, 0)),
    "identity": ("identity", bytes),
    "fast": ("deflate", lambda data: zlib.compress(data, 1)),
    "more-after-the-end": ("gzip", lambda data: gzip.compress(data) + b"more"),
}


def send(hearth, body: bytes, encoding: str) -> requests.Response:
    return requests.post(
        f"{hearth.auth}{V1}signUp?key=any",
        data=body,
        timeout=30,
        headers={"Content-Type": "application/json", "Content-Encoding": encoding},
    )


@pytest.mark.parametrize("form", FORMS)
def test_bodies_are_unpacked(hearth, address, form):
    encoding, pack = FORMS[form]
    noise = "".join(random.Random(form).choices("abcdefgh\u00e9\u4e2d", k=5000)) + "x" * 70_000
    body = json.dumps({"email": address, "password": "secret1", "displayName": noise}).encode()
    reply = send(hearth, pack(body), encoding)
    assert reply.status_code == 200, reply.text
    assert reply.json()["displayName"] == noise


@pytest.mark.parametrize(
    "body, encoding, status",
    [
        (b"{}", "gzip", 400),
        (gzip.compress(b"{}")[:-1], "gzip", 400),
        (b"{}", "br", 415),
        (gzip.compress(b"{}")[:-4] + b"abcd", "gzip", 400),
        (b"", "gzip", 400),
        (gzip.compress(b" " * (200 << 20)), "gzip", 413),
        (bare(b" " * (11 << 20)), "deflate", 413),
    ],
    ids=["not-gzip", "cut", "unknown-encoding", "bad-check-sum", "empty", "bomb", "over-the-limit"],
)
def test_damaged_and_huge_bodies_are_refused(hearth, body, encoding, status):
    assert send(hearth, body, encoding).status_code == status


def test_an_import_may_be_longer(hearth):
    """Its limit is another one, and is of what the body is unpacked to."""
    users = b'{"users":[{"localId":"packed"}' + b" " * (11 << 20) + b"]}"
    for body, status in [(users, 200), (b" " * (65 << 20), 413)]:
        reply = requests.post(
            f"{hearth.auth}/identitytoolkit.googleapis.com/v1/projects/{PROJECT}"
            "/accounts:batchCreate",
            data=gzip.compress(body),
            timeout=30,
            headers={
                "Content-Type": "application/json",
                "Content-Encoding": "gzip",
                "Authorization": "Bearer owner",
            },
        )
        assert reply.status_code == status, reply.text


def test_random_bytes_never_end_the_server(hearth):
    source = random.Random(7)
    good = gzip.compress(b'{"returnSecureToken":true}')
    for _ in range(500):
        body = bytearray(good)
        for _ in range(source.randrange(1, 4)):
            body[source.randrange(len(body))] = source.randrange(256)
        assert send(hearth, bytes(body), source.choice(["gzip", "deflate"])).status_code < 500
