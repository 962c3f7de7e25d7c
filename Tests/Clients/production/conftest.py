"""Servers of this folder answer as production does."""

import pytest
from support.server import Server


@pytest.fixture(scope="module")
def hearth():
    server = Server("--profile", "production")
    yield server
    server.stop()
