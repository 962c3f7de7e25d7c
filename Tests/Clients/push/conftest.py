"""A server that takes push messages."""

import uuid

import pytest
from support.messages.push import PushServer


@pytest.fixture(scope="module")
def push():
    server = PushServer()
    yield server
    server.stop()


@pytest.fixture
def token() -> str:
    return "Token-" + uuid.uuid4().hex
