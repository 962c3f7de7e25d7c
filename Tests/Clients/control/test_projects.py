"""Projects as a whole."""

import http.client
import json
import threading

import pytest

AT_ONCE = 50


def at_once(hearth, method, path, body):
    """The status of as many requests, on as many connections, which begin together."""
    start, found = threading.Barrier(AT_ONCE), []

    def send(number):
        connection = http.client.HTTPConnection(hearth.host)
        connection.connect()
        start.wait()
        connection.request(
            method,
            f"/emulator/v1/projects/demo-{number}{path}",
            json.dumps(body),
            {"Content-Type": "application/json"},
        )
        found.append(connection.getresponse().status)
        connection.close()

    threads = [threading.Thread(target=send, args=[number]) for number in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


@pytest.mark.parametrize(
    "method, path, body",
    [("POST", "/snapshots", {"name": "a"}), ("DELETE", "/snapshots/a", {}), ("DELETE", "", {})],
)
def test_tests_that_begin_and_end_together_are_all_served(hearth, method, path, body):
    assert at_once(hearth, method, path, body) == [200] * AT_ONCE
