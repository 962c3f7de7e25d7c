"""Listeners of google-cloud-firestore and of browsers, while a snapshot of their project is restored."""

import queue
import time

import pytest
import requests
from google.cloud import firestore
from support.firestore.channel import HTTP2, is_snapshot, listening
from support.firestore.project import WAIT, base, db, guard  # noqa: F401


class Watched:
    """What a listener shows: the documents by their ids."""

    def __init__(self, query):
        self.shown: queue.Queue = queue.Queue()
        self.watch = query.on_snapshot(
            lambda docs, changes, at: self.shown.put({doc.id: doc.to_dict() for doc in docs})
        )

    def until(self, wanted: dict) -> None:
        deadline = time.monotonic() + WAIT
        last = None
        while last != wanted:
            try:
                last = self.shown.get(timeout=max(0.01, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError(f"shows {last}, not {wanted}") from None


@pytest.fixture
def snapshots(base):
    """Posts to the snapshots of the project."""

    def post(rest: str = "", **body):
        reply = requests.post(
            f"{base.server.addresses['auth']}/emulator/v1/projects/{base.project}/snapshots{rest}",
            json=body,
            timeout=WAIT,
        )
        assert reply.status_code == 200, reply.text
        return reply.json()

    return post


def test_listener_gets_the_restored_documents(base, db, snapshots):
    towns = db.collection("towns")
    seeded = {"rome": {"n": 1}, "oslo": {"n": 2}}
    for name, fields in seeded.items():
        towns.document(name).set(fields)
    snapshots(name="seeded")
    all_towns, small = (
        Watched(towns),
        Watched(towns.where(filter=firestore.FieldFilter("n", "<", 2))),
    )
    all_towns.until(seeded)
    small.until({"rome": {"n": 1}})
    try:
        for _ in range(2):
            towns.document("rome").set({"n": 5})
            towns.document("oslo").delete()
            towns.document("bern").set({"n": 0})
            all_towns.until({"rome": {"n": 5}, "bern": {"n": 0}})
            small.until({"bern": {"n": 0}})
            snapshots("/seeded:restore")
            all_towns.until(seeded)
            small.until({"rome": {"n": 1}})
        reply = requests.delete(
            f"{base.server.addresses['firestore']}/emulator/v1/{base.root}", timeout=WAIT
        )
        assert reply.status_code == 200
        all_towns.until({})
        snapshots("/seeded:restore")
        all_towns.until(seeded)
        towns.document("bern").set({"n": 0})
        all_towns.until(seeded | {"bern": {"n": 0}})
    finally:
        all_towns.watch.unsubscribe()
        small.watch.unsubscribe()


@pytest.mark.parametrize("version", [1, 2])
def test_listener_of_a_browser_begins_again(base, snapshots, version):
    def write(number: int) -> None:
        base.rest("PATCH", "/towns/rome", json={"fields": {"n": {"integerValue": str(number)}}})

    def numbers(messages: list[dict]) -> list[str]:
        return [
            message["documentChange"]["document"]["fields"]["n"]["integerValue"]
            for message in messages
            if "documentChange" in message
        ]

    write(1)
    snapshots(name="seeded")
    client = requests if version == 1 else HTTP2(base.server.addresses["firestore"])
    channel = listening(base, "towns/rome", client=client)
    assert numbers(channel.hear(is_snapshot)) == ["1"]
    for _ in range(2):
        write(5)
        assert numbers(channel.hear(is_snapshot)) == ["5"]
        snapshots("/seeded:restore")
        heard = channel.hear(is_snapshot)
        kinds = [message.get("targetChange", {}).get("targetChangeType") for message in heard]
        assert "RESET" in kinds and numbers(heard) == ["1"]
        [place] = [n for n, message in enumerate(heard) if "documentChange" in message]
        assert kinds.index("RESET") < place
    channel.close()
