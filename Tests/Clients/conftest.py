"""The fixtures of every folder: one server for each file, and unused addresses."""

import uuid

import pytest

pytest.register_assert_rewrite("support")

from support.server import Server  # noqa: E402


@pytest.fixture(scope="module")
def hearth():
    server = Server()
    yield server
    server.stop()


@pytest.fixture
def address() -> str:
    """An e-mail address that no other test uses."""
    return f"user-{uuid.uuid4().hex[:12]}@example.com"
