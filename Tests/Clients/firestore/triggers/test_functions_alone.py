"""A functions emulator that registers nothing: it is asked for its functions."""

import pytest
import requests
from support.firestore.functions import PROTOBUF, Triggered
from support.server import PROJECT
from support.steering import guard  # noqa: F401
from support.waiting import until


@pytest.fixture
def triggered():
    triggered = Triggered()
    yield triggered
    triggered.close()


def function(name: str, path: str) -> dict:
    return {
        "id": f"us-central1-{name}",
        "name": name,
        "region": "us-central1",
        "eventTrigger": {
            "eventType": PROTOBUF + "written",
            "eventFilters": {"database": "(default)"},
            "eventFilterPathPatterns": {"document": path},
        },
    }


def write(triggered, path: str, number: int = 1) -> None:
    reply = requests.patch(
        f"{triggered.server.auth}/v1/projects/{PROJECT}/databases/(default)/documents/{path}",
        json={"fields": {"n": {"integerValue": str(number)}}},
        headers={"Authorization": "Bearer owner"},
        timeout=30,
    )
    assert reply.status_code == 200, reply.text


def test_functions_are_found_without_registration(triggered):
    functions = triggered.functions
    functions.triggers = [
        function("one", "a/{b}"),
        {"id": "us-central1-http", "httpsTrigger": {}},
        {
            "id": "us-central1-two",
            "eventTrigger": {
                "eventType": "providers/cloud.firestore/eventTypes/document.create",
                "resource": f"projects/{PROJECT}/databases/(default)/documents/a/{{b}}",
            },
        },
    ]
    write(triggered, "a/1")
    assert {functions.next().key for _ in range(2)} == {"us-central1-two-0", "us-central1-one-0"}


def test_functions_that_were_loaded_again_have_other_keys(triggered):
    functions = triggered.functions
    functions.triggers = [function("one", "a/{b}")]
    functions.keys = {"us-central1-one-0", "us-central1-one-1"}
    functions.disabled = {"us-central1-one-0"}
    write(triggered, "a/1")
    assert functions.next().key == "us-central1-one-1"
    functions.keys = {"us-central1-one-2"}
    write(triggered, "a/2")
    assert functions.next().key == "us-central1-one-2"


def test_functions_that_come_later_are_found(triggered):
    write(triggered, "a/1")
    triggered.functions.triggers = [function("one", "a/{b}")]
    numbers = iter(range(2, 1000))

    def arrives():
        write(triggered, f"a/{next(numbers)}")
        return not triggered.functions.events.empty()

    until(arrives, what="an event")
