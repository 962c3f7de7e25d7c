"""Documents that expire, with google-cloud-firestore and the movable clock."""

import queue
from datetime import timedelta

import pytest
from google.cloud import firestore
from support.firestore.project import Firestore
from support.steering import guard, project  # noqa: F401

CONFIGURATION = {
    "indexes": [],
    "fieldOverrides": [
        {"collectionGroup": "sessions", "fieldPath": "end", "ttl": True, "indexes": []},
        {"collectionGroup": "users", "fieldPath": "name", "indexes": []},
    ],
}


@pytest.fixture
def db(project):
    base = Firestore(project.server, project.id)
    project.own("PUT", "/databases/(default)/indexes", json=CONFIGURATION)
    yield base.client
    base.close()


def ids(query) -> list[str]:
    return sorted(each.reference.path for each in query.stream())


def test_the_clock_removes_exactly_what_has_expired(db, project):
    now = project.now()
    batch = db.batch()
    for hours in range(1, 49):
        batch.set(db.document(f"sessions/h{hours}"), {"end": now + timedelta(hours=hours)})
        batch.set(db.document(f"users/u{hours}/sessions/s"), {"end": now + timedelta(hours=hours)})
    batch.set(db.document("sessions/h1/parts/p"), {"end": now})
    batch.set(db.document("sessions/text"), {"end": now.isoformat()})
    batch.set(db.document("sessions/null"), {"end": None})
    batch.set(db.document("users/u1"), {"end": now})
    batch.commit()
    project.clock(
        frozen=True, now=(now + timedelta(hours=24, minutes=30)).strftime("%Y-%m-%dT%H:%M:%SZ")
    )
    left = [f"h{hours}" for hours in range(25, 49)]
    assert ids(db.collection("sessions")) == sorted(
        f"sessions/{name}" for name in [*left, "text", "null"]
    )
    assert len(ids(db.collection_group("sessions"))) == 2 * 24 + 2
    assert ids(db.collection("sessions/h1/parts")) == ["sessions/h1/parts/p"]
    assert db.document("users/u1").get().exists
    project.advance("P1D")
    assert ids(db.collection("sessions")) == ["sessions/null", "sessions/text"]


def test_listeners_hear_of_it(db, project):
    now = project.now()
    db.document("sessions/a").set({"end": now + timedelta(hours=1)})
    db.document("sessions/b").set({"end": now + timedelta(hours=3)})
    seen: queue.Queue = queue.Queue()
    watch = db.collection("sessions").on_snapshot(
        lambda documents, changes, time: seen.put(
            [(each.type.name, each.document.id) for each in changes]
        )
    )
    assert sorted(seen.get(timeout=30)) == [("ADDED", "a"), ("ADDED", "b")]
    project.advance("2h")
    assert seen.get(timeout=30) == [("REMOVED", "a")]
    watch.unsubscribe()


@pytest.mark.parametrize(
    "switches, after_a_day, after_two",
    [
        ({"timeToLive": "delayed"}, True, False),
        ({"timeToLive": "never"}, True, True),
        ({"timeToLive": "delayed", "timeToLiveDelay": 60}, False, False),
    ],
    ids=["delayed by a day", "never", "delayed by a minute"],
)
def test_deletion_may_be_delayed(db, project, switches, after_a_day, after_two):
    project.switch(**switches)
    db.document("sessions/a").set({"end": project.now() + timedelta(minutes=1)})
    project.advance("23h")
    assert db.document("sessions/a").get().exists == after_a_day
    project.advance("2h")
    assert db.document("sessions/a").get().exists == after_two
    project.switch(timeToLive="immediate")
    project.advance("1s")
    assert not db.document("sessions/a").get().exists


def test_rules_are_not_asked_and_a_later_time_counts(db, project):
    now = project.now()
    document = db.document("sessions/a")
    document.set({"end": now + timedelta(hours=1)})
    document.update({"end": now + timedelta(hours=5)})
    project.advance("2h")
    assert document.get().exists
    document.update({"end": firestore.SERVER_TIMESTAMP})
    project.advance("1s")
    assert not document.get().exists
