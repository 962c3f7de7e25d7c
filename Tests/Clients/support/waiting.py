"""Waiting for a condition instead of for a time."""

import errno
import socket
import time


def until(condition, seconds: float = 30, what: str = "the condition"):
    """The first true value of `condition`. Fails when it stays false for that long."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, f"{what} is not met within {seconds} s"
        time.sleep(0.01)
    return value


def refuses(port: int) -> bool:
    """Whether nobody listens at the port. A server that is ending may reset instead: not yet."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == errno.ECONNREFUSED
