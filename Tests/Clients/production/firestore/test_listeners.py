"""Listeners as production was recorded: ids of targets, ends, and what goes on."""

import grpc
import pytest
from support.firestore.end_users import administer, source
from support.firestore.project import Firestore, Listener


@pytest.fixture
def base(hearth):
    base = Firestore(hearth)
    base.rest("PATCH", "/c/d", json={"fields": {"n": {"integerValue": "1"}}})
    yield base
    base.close()


@pytest.fixture
def listener(base):
    listener = Listener(base)
    yield listener
    listener.cancel()


def test_R79_the_server_counts_its_targets(listener):
    for number in (1, 2):
        listener.add(0, "c/d")
        assert listener.event() == ("ADD", [number])
        listener.until(("NO_CHANGE", []))


def test_R82_a_negative_id_ends_the_stream(listener):
    listener.add(-1, "c/d")
    assert listener.end() == grpc.StatusCode.INVALID_ARGUMENT


def test_R83_once(listener):
    listener.add(2, "c/d", once=True)
    assert [listener.event() for _ in range(5)] == [
        ("ADD", [2]),
        ("change", "c/d", {"n": 1}, [2], []),
        ("CURRENT", [2]),
        ("NO_CHANGE", []),
        ("REMOVE", [2]),
    ]


def test_R85_what_a_listener_hears(base, listener):
    listener.add(2, "c/d")
    listener.until(("NO_CHANGE", []))
    base.commit(base.set("c/d", {"n": 1}))
    base.commit(base.delete("c/d"))
    assert listener.snapshot() == [("delete", "c/d", [2])]
    listener.remove(2)
    assert listener.event() == ("REMOVE", [2])


def test_R86_a_read_time_in_place_of_a_token(base, listener):
    listener.add(2, "c/d")
    listener.until(("NO_CHANGE", []))
    time = listener.read_times[-1]
    base.commit(base.set("c/d", {"n": 2}))
    listener.until(("NO_CHANGE", []))
    again = Listener(base)
    again.add(2, "c/d", read_time=time)
    events = again.until(("CURRENT", [2]))
    assert [event for event in events if event[0] != "filter"] == [
        ("ADD", [2]),
        ("NO_CHANGE", []),
        ("change", "c/d", {"n": 2}, [2], []),
    ]
    assert again.event() == ("NO_CHANGE", [])
    again.cancel()


@pytest.mark.parametrize("change", [{"validSince": "4000000000"}, {"disableUser": True}, None])
def test_R91_a_stream_outlives_its_account(base, change):
    uid, token = base.sign_up()
    base.rules(source("match /{any=**} { allow read: if request.auth.uid != null; }"))
    listener = Listener(base, token)
    listener.add(2, "c/d")
    listener.until(("NO_CHANGE", []))
    administer(base, "update" if change else "delete", {"localId": uid} | (change or {}))
    base.commit(base.set("c/d", {"n": 2}))
    assert listener.snapshot() == [("change", "c/d", {"n": 2}, [2], [])]
    listener.cancel()
