"""The parts of a fault rule, and what a client sees of it."""

import contextlib
import time

import pytest
import requests
from support.steering import project, unused  # noqa: F401


def rule(operation: str, effect: dict, **more) -> dict:
    return {"operation": operation, "effect": effect, **more}


def timed(action) -> float:
    start = time.monotonic()
    action()
    return time.monotonic() - start


@contextlib.contextmanager
def dropped():
    """The connection ends without an answer."""
    with pytest.raises(requests.ConnectionError):
        yield


@pytest.fixture
def user(project) -> str:
    email = unused()
    project.sign_up(email)
    return email
