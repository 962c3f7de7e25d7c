"""A server that takes push messages, and one that takes text messages."""

import uuid

import pytest
from support.messages.push import PushServer
from support.messages.texts import TextServer


@pytest.fixture(scope="module")
def push():
    server = PushServer()
    yield server
    server.stop()


@pytest.fixture
def token() -> str:
    return "Token-" + uuid.uuid4().hex


@pytest.fixture(scope="module")
def texts():
    server = TextServer()
    yield server
    server.stop()


@pytest.fixture
def number() -> str:
    return "+49151" + str(uuid.uuid4().int)[:8]
