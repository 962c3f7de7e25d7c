"""A watcher of a project's events, and calls that cause them."""

import contextlib

import grpc
import pytest
from support.firestore.channel import is_snapshot, listening, writing
from support.firestore.project import Firestore, Listener, Writer
from support.server import ROOT, Server
from support.steering import Steered, project  # noqa: F401


@pytest.fixture
def watcher(project):
    watcher = project.watch()
    yield watcher
    watcher.close()


def call(base: Firestore, way: str, token: str) -> str:
    """Calls Firestore with a token that it refuses, and returns the operation."""
    match way:
        case "REST":
            base.rest("GET", "/c/d", 401, token=token)
            return "get"
        case "gRPC":
            assert (
                base.fails("get_document", base.get_request("c/d"), token)
                == grpc.StatusCode.UNAUTHENTICATED
            )
            return "get"
        case "a stream over gRPC":
            assert Writer(base, token).opening is None
            return "write"
        case _:
            with contextlib.closing(listening(base, "c/d", token)) as channel:
                assert channel.failure()["status"] == "UNAUTHENTICATED"
            return "listen"


def open_streams(base: Firestore, way: str) -> tuple:
    if way == "gRPC":
        listener = Listener(base)
        listener.add(2, "c/d")
        listener.snapshot()
        return listener, Writer(base)
    channel = listening(base, "c/d")
    channel.hear(is_snapshot)
    return channel, writing(base)


@pytest.fixture(scope="module")
def played():
    server = Server("--dialect", str(ROOT / "fixtures/dialects/swiftly-feedback.json"))
    yield Steered(server, "demo-hearth")
    server.stop()
