"""Limits, contention and reads of the past, with google-cloud-firestore and the profile of production."""

from datetime import UTC, datetime, timedelta

import pytest
from google.api_core import exceptions
from google.cloud import firestore
from google.cloud.firestore_v1.types import common
from google.cloud.firestore_v1.types import firestore as rpc
from support.firestore.project import Firestore
from support.steering import guard, project  # noqa: F401


@pytest.fixture
def base(project):
    base = Firestore(project.server, project.id)
    yield base
    base.close()


@pytest.fixture
def db(base):
    return base.client


def nested(depth: int) -> dict:
    value = {"leaf": 1}
    for _ in range(depth - 1):
        value = {"m": value}
    return value


@pytest.mark.parametrize(
    "fields, refusal",
    [
        ({"a": list(range(19_999))}, None),
        ({"a": list(range(20_000))}, "too many index entries for entity /limits/a"),
        ({"t": "x" * 1_048_487}, None),
        (
            {"t": "x" * 600_000, "u": "x" * 600_000},
            "exceeds the maximum allowed size of 1,048,576 bytes",
        ),
        ({"t": "x" * 1_048_488}, 'The value of property "t" is longer than 1048487 bytes.'),
        ({"a": nested(20)}, None),
        ({"a": nested(21)}, "Property a contains an invalid nested entity."),
        ({"n" * 1500: 1}, None),
        ({"n" * 1501: 1}, "The property.name is longer than 1500 bytes."),
    ],
    ids=lambda value: None if isinstance(value, dict) else str(value)[:40],
)
def test_documents(db, fields, refusal):
    if refusal is None:
        db.document("limits/a").set(fields)
        return
    with pytest.raises(exceptions.InvalidArgument) as caught:
        db.document("limits/a").set(fields)
    assert refusal in caught.value.message
    assert not db.document("limits/a").get().exists


def test_a_commit_of_more_than_10_MiB(db):
    batch = db.batch()
    for number in range(11):
        batch.set(db.document(f"big/{number}"), {"b": b"x" * 1_000_000})
    with pytest.raises(
        exceptions.InvalidArgument, match="Transaction too big. Decrease transaction size."
    ):
        batch.commit()
    assert not list(db.collection("big").stream())


def test_more_than_500_writes_in_a_commit(db):
    batch = db.batch()
    for number in range(1200):
        batch.set(db.document(f"many/{number}"), {"n": number})
    batch.commit()
    assert db.collection("many").count().get()[0][0].value == 1200


@pytest.mark.parametrize("pause, lives", [("59s", True), ("60s", False)])
def test_an_idle_transaction(db, project, pause, lives):
    # Else a second that passes by itself is one too many.
    project.clock(frozen=True)
    transaction = db.transaction()
    transaction._begin()
    db.document("t/a").get(transaction=transaction)
    project.advance(pause)
    transaction.set(db.document("t/a"), {"n": 1})
    if lives:
        transaction._commit()
        return
    with pytest.raises(exceptions.InvalidArgument, match="has expired or is no longer valid"):
        transaction._commit()


@pytest.mark.parametrize("share, seed", [(0.5, 1), (0.3, 9)])
def test_contention_is_survived_by_retrying(db, project, share, seed):
    project.faults({"effect": {"contention": share}, "seed": seed})
    counter = db.document("contended/counter")
    tries = 0

    @firestore.transactional
    def increment(transaction):
        nonlocal tries
        tries += 1
        found = counter.get(transaction=transaction)
        transaction.set(counter, {"n": (found.get("n") if found.exists else 0) + 1})

    for _ in range(12):
        increment(db.transaction(max_attempts=30))
    assert counter.get().get("n") == 12
    assert tries > 12
    hits = project.own("GET", "/faults")["faults"][0]["hits"]
    assert hits == tries - 12


def test_contention_that_lasts(db, project):
    project.faults({"operation": "*.commit", "effect": {"contention": True}})
    with pytest.raises(exceptions.Aborted) as caught:
        db.batch().commit()
    assert caught.value.message == "Too much contention on these documents. Please try again."
    project.no_faults()
    db.document("contended/later").set({"n": 1})


def test_reads_of_the_past(base, db, project):
    counter = db.document("past/a")
    then = counter.set({"n": 1}).update_time
    db.document("past/b").set({"n": 1})
    counter.set({"n": 2})
    project.advance("59m")
    query = db.collection("past").order_by("n")
    assert counter.get(read_time=then).get("n") == 1
    assert [each.id for each in query.stream(read_time=then)] == ["a"]
    assert [each.get("n") for each in db.get_all([counter], read_time=then)] == [1]
    assert query.count().get(read_time=then)[0][0].value == 1
    # The client begins no transaction at a time.
    options = common.TransactionOptions(read_only={"read_time": then})
    transaction = db.transaction(read_only=True)
    transaction._id = base.call(
        "begin_transaction", rpc.BeginTransactionRequest(database=base.database, options=options)
    ).transaction
    assert counter.get(transaction=transaction).get("n") == 1
    assert [each.id for each in query.stream(transaction=transaction)] == ["a"]
    project.advance("2m")
    with pytest.raises(
        exceptions.FailedPrecondition, match="The requested 'read_time' is too old."
    ):
        counter.get(read_time=then)


@pytest.mark.parametrize(
    "shift, kind, message",
    [
        (
            timedelta(days=-3000),
            exceptions.InvalidArgument,
            "The requested 'read_time' cannot be before database creation time.",
        ),
        (
            timedelta(days=1),
            exceptions.InvalidArgument,
            "The requested 'read_time' cannot be in the future.",
        ),
    ],
    ids=["before the database", "in the future"],
)
def test_times_that_cannot_be_read(db, shift, kind, message):
    with pytest.raises(kind) as caught:
        db.document("past/a").get(read_time=datetime.now(UTC) + shift)
    assert caught.value.message == message
