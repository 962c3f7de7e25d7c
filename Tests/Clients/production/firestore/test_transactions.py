"""Transactions: what ends one, and what is said of one that is over."""

import pytest
from support.firestore.production import Replay, error, integer, write

OVER = "The referenced transaction has expired or is no longer valid."
ONE = write("tx/a", {"v": integer(1)})


@pytest.fixture
def replay(hearth):
    return Replay(hearth, {"tx/a": {"v": integer(0)}})


def refusal(answer):
    status, body = answer
    return status, error(body)["status"], error(body)["message"]


def test_F32_a_refused_write_ends_a_read_only_transaction(replay):
    id = replay.begin(readOnly={})
    assert refusal(replay.commit(ONE, transaction=id)) == (
        400,
        "INVALID_ARGUMENT",
        "Cannot modify entities in a read-only transaction.",
    )
    assert refusal(replay.commit(transaction=id)) == (400, "INVALID_ARGUMENT", OVER)


@pytest.mark.parametrize("options", [{}, {"readOnly": {}}])
def test_F33_a_commit_after_a_rollback(replay, options):
    id = replay.begin(**options)
    assert replay.post(":rollback", {"transaction": id}) == (200, {})
    answer = refusal(replay.commit(*[] if options else [ONE], transaction=id))
    expected = (400, "INVALID_ARGUMENT") if options else (409, "ABORTED")
    assert answer == (*expected, OVER)


def test_a_commit_after_a_commit(replay):
    id = replay.begin()
    assert replay.commit(ONE, transaction=id)[0] == 200
    assert refusal(replay.commit(ONE, transaction=id)) == (409, "ABORTED", OVER)


@pytest.mark.parametrize("method", [":commit", ":rollback"])
def test_F33_a_transaction_that_nobody_began(replay, method):
    assert refusal(replay.post(method, {"transaction": "AAAAAAAAAAA="})) == (
        400,
        "INVALID_ARGUMENT",
        "Invalid transaction.",
    )


def test_F34_a_write_without_reads_commits_after_a_write_from_outside(replay):
    id = replay.begin()
    assert replay.commit(write("tx/a", {"v": integer(7)}))[0] == 200
    assert replay.commit(ONE, transaction=id)[0] == 200


def test_a_writer_from_outside_loses_to_what_was_read(replay):
    id = replay.begin()
    replay.post(":batchGet", {"documents": ["{docs}/tx/a"], "transaction": id})
    assert refusal(replay.commit(write("tx/a", {"v": integer(7)}))) == (
        409,
        "ABORTED",
        "Too much contention on these documents. Please try again.",
    )
    assert replay.commit(ONE, transaction=id)[0] == 200


def test_a_new_transaction_of_batch_get_only_reads(replay):
    _, body = replay.post(":batchGet", {"documents": ["{docs}/tx/a"], "newTransaction": {}})
    assert [sorted(row) for row in body] == [["transaction"], ["found", "readTime"]]
    assert refusal(replay.commit(ONE, transaction=body[0]["transaction"])) == (
        400,
        "INVALID_ARGUMENT",
        "Cannot modify entities in a read-only transaction.",
    )
