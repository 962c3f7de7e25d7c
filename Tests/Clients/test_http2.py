"""What one HTTP/2 connection carries: many streams at once, and the clients that need it."""

import pytest

from h2_client import Connection


@pytest.fixture
def connection(hearth):
    address = hearth.addresses["firestore"].removeprefix("http://")
    with Connection(address) as connection:
        yield connection


def test_a_thousand_streams_are_allowed_at_once(connection):
    assert connection.most_streams >= 1000


def test_many_streams_are_open_at_once(connection):
    connection.until(lambda: False if connection.most_streams is None else True)
    streams = [connection.call("Listen", framed=b"", end=False) for _ in range(250)]
    connection.h2.ping(b"as usual")
    assert connection.until(lambda: connection.pongs == 1)
    assert connection.goaway is None
    assert not connection.ended & set(streams) and not connection.resets
