"""`on_snapshot` of google-cloud-firestore."""

import queue
import random
import threading
import time

import pytest
from google.cloud import firestore
from support.firestore.project import WAIT, base, db, guard  # noqa: F401


class Snapshots:
    """What the client's `on_snapshot` reports."""

    def __init__(self, watched):
        self.queue: queue.Queue = queue.Queue()
        self.seen: list = []
        self.watch = watched.on_snapshot(
            lambda docs, changes, time: self.queue.put((list(docs), list(changes), time))
        )

    def next(self, timeout: float = WAIT):
        try:
            snapshot = self.queue.get(timeout=timeout)
        except queue.Empty:
            raise AssertionError(f"no snapshot within {timeout} seconds") from None
        self.seen.append(snapshot)
        return snapshot

    def until(self, condition, timeout: float = 30):
        deadline = time.monotonic() + timeout
        while True:
            docs, changes, at = self.next(max(0.01, deadline - time.monotonic()))
            if condition(docs):
                return docs

    def stop(self):
        self.watch.unsubscribe()


@pytest.fixture
def watch():
    watches = []

    def start(watched) -> Snapshots:
        watches.append(Snapshots(watched))
        return watches[-1]

    yield start
    for each in watches:
        each.stop()


# MARK: on_snapshot


def test_document_is_watched_through_its_life(db, watch):
    reference = db.document("c/d")
    snapshots = watch(reference)
    docs, changes, _ = snapshots.next()
    assert docs == [] and changes == []
    reference.set({"n": 1})
    [doc], [change], _ = snapshots.next()
    assert doc.to_dict() == {"n": 1} and change.type.name == "ADDED"
    reference.update({"n": 2})
    [doc], [change], _ = snapshots.next()
    assert doc.to_dict() == {"n": 2} and change.type.name == "MODIFIED"
    reference.delete()
    docs, [change], _ = snapshots.next()
    assert docs == [] and change.type.name == "REMOVED"
    reference.set({"n": 3})
    [doc], _, _ = snapshots.next()
    assert doc.to_dict() == {"n": 3}


def test_document_watch_sees_two_hundred_quick_writes_in_order(db, watch):
    reference = db.document("c/d")
    reference.set({"n": -1})
    snapshots = watch(reference)
    snapshots.next()
    for n in range(200):
        reference.set({"n": n})
    snapshots.until(lambda docs: docs[0].get("n") == 199)
    seen = [docs[0].get("n") for docs, _, _ in snapshots.seen]
    times = [at for _, _, at in snapshots.seen]
    assert seen == sorted(set(seen)) and times == sorted(times)


def test_query_watch_with_order_and_limit_follows_its_window(db, watch):
    c = db.collection("c")
    for n in range(6):
        c.document(str(n)).set({"n": n * 10})
    snapshots = watch(c.order_by("n").limit(3))

    def names(snapshot):
        return [doc.id for doc in snapshot[0]]

    assert names(snapshots.next()) == ["0", "1", "2"]
    c.document("1").delete()
    assert names(snapshots.next()) == ["0", "2", "3"]
    c.document("new").set({"n": 5})
    assert names(snapshots.next()) == ["0", "new", "2"]
    c.document("0").update({"n": 15})
    assert names(snapshots.next()) == ["new", "0", "2"]
    c.document("0").update({"n": 100})
    assert names(snapshots.next()) == ["new", "2", "3"]
    c.document("5").update({"n": 1})
    assert names(snapshots.next()) == ["5", "new", "2"]
    c.document("new").update({"n": firestore.DELETE_FIELD})
    assert names(snapshots.next()) == ["5", "2", "3"]


def test_query_watch_under_load_ends_as_the_query(db, watch):
    c = db.collection("c")
    # The client sorts snapshots of descending orders wrongly by itself, so this one ascends.
    query = c.where(filter=firestore.FieldFilter("n", ">=", 50)).order_by("n").limit(10)
    snapshots = watch(query)
    snapshots.next()
    failures = []

    def work(number):
        chance = random.Random(number)
        try:
            for _ in range(50):
                reference = c.document(str(chance.randrange(40)))
                if chance.random() < 0.2:
                    reference.delete(timeout=30)
                else:
                    reference.set({"n": chance.randrange(100), "by": number}, timeout=30)
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []
    db.document("c/!mark").set({"n": 50})
    expected = [(doc.id, doc.to_dict()) for doc in query.stream(timeout=30)]
    docs = snapshots.until(lambda docs: docs and docs[0].id == "!mark")
    assert [(doc.id, doc.to_dict()) for doc in docs] == expected
    for docs, _, _ in snapshots.seen:
        values = [doc.get("n") for doc in docs]
        assert len(docs) <= 10 and values == sorted(values) and all(n >= 50 for n in values)


def test_collection_watch_sees_two_hundred_documents(db, watch):
    c = db.collection("c")
    snapshots = watch(c)
    snapshots.next()
    for n in range(200):
        c.document(f"{n:03}").set({"n": n})
    docs = snapshots.until(lambda docs: len(docs) == 200)
    assert [doc.get("n") for doc in docs] == list(range(200))
    added = [change.document.id for _, changes, _ in snapshots.seen for change in changes]
    assert added == [f"{n:03}" for n in range(200)]


def test_unsubscribed_watch_is_quiet(db, watch):
    reference = db.document("c/d")
    snapshots = watch(reference)
    snapshots.next()
    snapshots.stop()
    reference.set({"n": 1})
    assert db.document("c/d").get().exists
    with pytest.raises(queue.Empty):
        snapshots.queue.get(timeout=0.5)


def test_forty_watches_of_one_document(db, watch):
    reference = db.document("c/d")
    every = [watch(reference) for _ in range(40)]
    for snapshots in every:
        snapshots.next()
    for n in range(5):
        reference.set({"n": n})
    for snapshots in every:
        snapshots.until(lambda docs: docs and docs[0].get("n") == 4)
