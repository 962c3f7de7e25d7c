"""kill -9 in the middle of Firestore commits loses no acknowledged one, and leaves no half of any."""

import os
import random
import sqlite3
import threading
import uuid

import grpc
import requests
from google.cloud import firestore
from support.firestore.project import Firestore, guard  # noqa: F401
from support.server import Server

ROUNDS = int(os.environ.get("HEARTH_KILL_ROUNDS", "20"))
PROJECT = "demo-kill9"


class Ledger:
    """What was acknowledged: for each pair of documents the last number, and what was sent after it."""

    def __init__(self):
        self.acknowledged: dict[str, int] = {}
        self.sent: dict[str, int] = {}
        self.deleted: set[str] = set()
        self.times: list[tuple] = []

    def send(self, key: str) -> int:
        self.sent[key] = self.sent.get(key, 0) + 1
        return self.sent[key]


def write_over_grpc(base: Firestore, ledger: Ledger) -> None:
    """Pairs of documents by one commit each, changed again and again."""
    try:
        while True:
            key = uuid.uuid4().hex
            for _ in range(5):
                n = ledger.send(key)
                time = base.commit(
                    base.set(f"left/{key}", {"n": n, "key": key}),
                    base.set(f"right/{key}", {"n": n, "tags": [key, str(n)]}),
                ).commit_time
                ledger.acknowledged[key] = n
                ledger.times.append(time)
    except grpc.RpcError:
        return


def write_over_rest(base: Firestore, ledger: Ledger) -> None:
    session = requests.Session()
    url = f"{base.server.addresses['firestore']}/v1/{base.root}:commit"
    try:
        while True:
            key = uuid.uuid4().hex
            n = ledger.send(key)
            writes = [
                {
                    "update": {
                        "name": base.name(f"{side}/{key}"),
                        "fields": {"n": {"integerValue": str(n)}},
                    }
                }
                for side in ("left", "right")
            ]
            session.post(url, json={"writes": writes}, timeout=30).raise_for_status()
            ledger.acknowledged[key] = n
            if random.random() < 0.2:
                # What is being deleted may be there or not until the answer comes.
                del ledger.acknowledged[key]
                session.post(
                    url,
                    json={
                        "writes": [
                            {"delete": base.name(f"{side}/{key}")} for side in ("left", "right")
                        ]
                    },
                    timeout=30,
                ).raise_for_status()
                ledger.deleted.add(key)
    except requests.RequestException:
        return


def test_acknowledged_commits_survive(tmp_path):
    data = str(tmp_path / "data")
    ledger = Ledger()
    chance = random.Random(9)
    last_time = None
    for _ in range(ROUNDS):
        server = Server("--data", data)
        bases = [Firestore(server, PROJECT) for _ in range(4)]
        first = bases[0].commit(bases[0].set("marks/m", {"n": 1})).commit_time
        # Times go on growing over a restart.
        assert last_time is None or first > last_time
        writers = [
            threading.Thread(target=work, args=(base, ledger))
            for base, work in zip(
                bases, [write_over_grpc, write_over_grpc, write_over_rest, write_over_rest]
            )
        ]
        for writer in writers:
            writer.start()
        threading.Event().wait(chance.uniform(0.1, 0.5))
        server.kill()
        for writer in writers:
            writer.join(60)
            assert not writer.is_alive()
        for base in bases:
            base.close()
        last_time = max([first, *ledger.times])

    with sqlite3.connect(data + "/hearth.sqlite") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert len(ledger.acknowledged) > ROUNDS
    server = Server("--data", data)
    try:
        base = Firestore(server, PROJECT)
        db = base.client
        left = {doc.id: doc.to_dict() for doc in db.collection("left").stream(timeout=60)}
        right = {doc.id: doc.to_dict() for doc in db.collection("right").stream(timeout=60)}
        assert {key: doc["n"] for key, doc in left.items()} == {
            key: doc["n"] for key, doc in right.items()
        }, "half a commit"
        for key, n in ledger.acknowledged.items():
            # A commit that was sent but not acknowledged may have come through.
            assert key in left and n <= left[key]["n"] <= ledger.sent[key]
        assert not ledger.deleted & left.keys()
        # The index says the same as the documents.
        for collection, found in (("left", left), ("right", right)):
            ordered = [doc.id for doc in db.collection(collection).order_by("n").stream(timeout=60)]
            assert ordered == sorted(found, key=lambda key: (found[key]["n"], key))
            assert db.collection(collection).count().get(timeout=60)[0][0].value == len(found)
        tagged = [key for key in right if "tags" in right[key]]
        for key in random.Random(1).sample(tagged, min(30, len(tagged))):
            where = firestore.FieldFilter("tags", "array_contains", key)
            assert [
                doc.id for doc in db.collection("right").where(filter=where).stream(timeout=30)
            ] == [key]
        base.close()
    finally:
        server.stop()
