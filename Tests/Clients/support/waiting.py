"""Waiting for a condition instead of for a time."""

import time


def until(condition, seconds: float = 30, what: str = "the condition"):
    """The first true value of `condition`. Fails when it stays false for that long."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, f"{what} is not met within {seconds} s"
        time.sleep(0.01)
    return value
