"""Transactions of google-cloud-firestore and their RPCs."""

import contextlib
import threading

import grpc
import pytest
from google.api_core import exceptions
from google.cloud import firestore
from google.cloud.firestore_v1.types import common
from google.cloud.firestore_v1.types import firestore as rpc
from google.cloud.firestore_v1.types import query as queries
from support.firestore.project import OWNER, Firestore, base, db, guard, metadata  # noqa: F401

INVALID, ABORTED = grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.ABORTED


def together(count: int, work) -> None:
    """Runs `work(number)` in threads; the first failure of any is raised."""
    failures = []

    def run(number):
        try:
            work(number)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(number,), daemon=True) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive(), "a transaction hangs"
    if failures:
        raise failures[0]


def increment(db, reference, attempts: int = 5, by: int = 1) -> None:
    @firestore.transactional
    def body(transaction):
        n = reference.get(transaction=transaction, timeout=45).get("n")
        transaction.update(reference, {"n": n + by})

    body(db.transaction(max_attempts=attempts))


# MARK: The client's transactions


def test_ten_threads_lose_no_increment(db):
    reference = db.document("c/counter")
    reference.set({"n": 0})

    def work(_):
        for _ in range(10):
            increment(db, reference, attempts=100)

    together(10, work)
    assert reference.get().get("n") == 100


def test_five_attempts_are_enough_for_ten_clients(hearth, base):
    base.client.document("c/counter").set({"n": 0})
    others = [Firestore(hearth, base.project) for _ in range(10)]
    together(
        10,
        lambda number: increment(
            others[number].client, others[number].client.document("c/counter")
        ),
    )
    assert base.client.document("c/counter").get().get("n") == 10
    for other in others:
        other.close()


def test_transfers_between_accounts_keep_the_sum(db):
    accounts = [db.document(f"accounts/{n}") for n in range(4)]
    for account in accounts:
        account.set({"n": 100})

    def work(number):
        for step in range(6):
            source, target = accounts[(number + step) % 4], accounts[(number + 2 * step + 1) % 4]
            if source.id == target.id:
                continue

            @firestore.transactional
            def body(transaction):
                have = {
                    snapshot.id: snapshot.get("n")
                    for snapshot in transaction.get_all([source, target], timeout=45)
                }
                transaction.update(source, {"n": have[source.id] - 5})
                transaction.update(target, {"n": have[target.id] + 5})

            body(db.transaction(max_attempts=100))

    together(6, work)
    assert sum(account.get().get("n") for account in accounts) == 400


@pytest.mark.parametrize("mode", ["pessimistic", "optimistic"])
def test_transaction_that_loses_is_run_again(base, mode):
    base.switch(transactions=mode)
    db = base.client
    reference = db.document("c/d")
    reference.set({"n": 1})
    attempts, outside = [], []

    @firestore.transactional
    def body(transaction):
        n = reference.get(transaction=transaction).get("n")
        attempts.append(n)
        if len(attempts) == 1:
            # A writer without a transaction; whether it has to wait is left to the server.
            writer = threading.Thread(
                target=lambda: outside.append(reference.set({"n": 100}, timeout=40))
            )
            writer.start()
            writer.join(2)
            body.writer = writer
        transaction.set(reference, {"n": n + 1})

    body(db.transaction())
    body.writer.join(45)
    assert len(outside) == 1
    # Either the write came first and the transaction saw it at last, or it came after.
    assert (attempts, reference.get().get("n")) in [([1, 100], 101), ([1], 100)]


@pytest.mark.parametrize("mode", ["pessimistic", "optimistic"])
def test_write_that_cannot_wait_makes_the_transaction_fail_or_win(base, mode):
    base.switch(transactions=mode)
    base.commit(base.set("c/d", {"n": 1}))
    transaction = base.begin(read_write={})
    base.batch_get("c/d", transaction=transaction)
    writer = threading.Thread(
        target=lambda: base.rpc.commit(
            base.commit_request(base.set("c/d", {"n": 100})), metadata=metadata(OWNER), timeout=40
        )
    )
    writer.start()
    # It waits only where what was read is locked.
    writer.join(2 if mode == "pessimistic" else 45)
    waited = writer.is_alive()
    request = base.commit_request(base.set("c/d", {"n": 2}), transaction=transaction)
    if waited:
        base.call("commit", request)
    else:
        assert base.fails("commit", request) == ABORTED
    writer.join(45)
    assert base.client.document("c/d").get().get("n") == 100


def test_writes_appear_at_the_commit_and_together(db):
    one, two = db.document("c/1"), db.document("c/2")

    @firestore.transactional
    def body(transaction):
        transaction.create(one, {"n": 1})
        transaction.set(two, {"n": 2})
        assert not one.get().exists and not two.get().exists
        return "result"

    transaction = db.transaction()
    assert body(transaction) == "result"
    assert len(transaction.write_results) == 2
    assert one.get().update_time == two.get().update_time == transaction.commit_time


def test_error_in_the_body_rolls_back(db):
    reference = db.document("c/d")
    reference.set({"n": 1})

    @firestore.transactional
    def body(transaction):
        reference.get(transaction=transaction)
        transaction.set(reference, {"n": 2})
        raise KeyError("mine")

    with pytest.raises(KeyError):
        body(db.transaction())
    # The first attempt fails where the transaction that was rolled back still holds the document.
    increment(db, reference, attempts=1)
    assert reference.get().get("n") == 2


def test_precondition_that_fails_ends_the_transaction(db):
    reference = db.document("c/d")
    reference.set({"n": 1})

    @firestore.transactional
    def body(transaction):
        transaction.set(db.document("c/other"), {"n": 1})
        transaction.create(reference, {"n": 2})

    with pytest.raises(exceptions.AlreadyExists):
        body(db.transaction())
    assert not db.document("c/other").get().exists
    assert reference.get().get("n") == 1
    increment(db, reference)


def test_queries_in_a_transaction(db):
    for n in range(5):
        db.document(f"c/{n}").set({"n": n})

    @firestore.transactional
    def body(transaction):
        query = db.collection("c").where(filter=firestore.FieldFilter("n", ">=", 3))
        total = sum(doc.get("n") for doc in transaction.get(query))
        counted = query.count().get(transaction=transaction)[0][0].value
        transaction.set(db.document("sums/s"), {"total": total, "count": counted})

    body(db.transaction())
    assert db.document("sums/s").get().to_dict() == {"total": 7, "count": 2}


# MARK: Read-only


def test_read_only_transaction_reads_and_cannot_write(db):
    reference = db.document("c/d")
    reference.set({"n": 1})

    @firestore.transactional
    def body(transaction):
        return reference.get(transaction=transaction).get("n")

    assert body(db.transaction(read_only=True)) == 1


def test_read_only_transaction_sees_one_moment(base):
    base.commit(base.set("c/d", {"n": 1}))
    transaction = base.begin(read_only={})
    first = base.batch_get("c/d", transaction=transaction)[0]
    base.commit(base.set("c/d", {"n": 2}), base.set("c/e", {"n": 2}))
    second = base.batch_get("c/d", "c/e", transaction=transaction)
    found = {
        base.path(answer.found.name): base.data(answer.found)
        for answer in second
        if answer.found.name
    }
    assert base.data(first.found) == {"n": 1}
    assert found == {"c/d": {"n": 1}}, "the second read is of another moment"
    answers = base.stream(
        "run_query",
        rpc.RunQueryRequest(
            parent=base.root,
            structured_query=queries.StructuredQuery(from_=[{"collection_id": "c"}]),
            transaction=transaction,
        ),
    )
    assert [base.data(answer.document) for answer in answers if answer.document.name] == [{"n": 1}]


def test_read_only_transaction_of_the_past(base):
    first = base.commit(base.set("c/d", {"n": 1})).commit_time
    base.commit(base.set("c/d", {"n": 2}))
    transaction = base.begin(read_only={"read_time": first})
    [answer] = [each for each in base.batch_get("c/d", transaction=transaction) if each.found.name]
    assert base.data(answer.found) == {"n": 1}
    answers = base.stream(
        "run_query",
        rpc.RunQueryRequest(
            parent=base.root,
            structured_query=queries.StructuredQuery(
                from_=[{"collection_id": "c"}],
                where={
                    "field_filter": {
                        "field": {"field_path": "n"},
                        "op": "EQUAL",
                        "value": {"integer_value": 1},
                    }
                },
            ),
            transaction=transaction,
        ),
    )
    assert [base.path(answer.document.name) for answer in answers if answer.document.name] == [
        "c/d"
    ]


def test_read_only_transaction_neither_waits_nor_blocks(base):
    base.commit(base.set("c/d", {"n": 1}))
    holder = base.begin(read_write={})
    base.batch_get("c/d", transaction=holder)
    reader = base.begin(read_only={})
    base.batch_get("c/d", transaction=reader)
    base.call("commit", base.commit_request(base.set("c/d", {"n": 2}), transaction=holder))


def test_commit_of_writes_in_a_read_only_transaction_is_refused(base):
    transaction = base.begin(read_only={})
    request = base.commit_request(base.set("c/d", {"n": 1}), transaction=transaction)
    assert base.fails("commit", request) == INVALID
    assert not base.client.document("c/d").get().exists


# MARK: The RPCs


def test_batch_get_begins_a_transaction_with_its_first_message(base):
    base.commit(base.set("c/a", {"n": 1}), base.set("c/b", {"n": 1}))
    answers = base.batch_get(
        "c/a", "c/b", "c/none", new_transaction=common.TransactionOptions(read_write={})
    )
    assert answers[0].transaction and not any(answer.transaction for answer in answers[1:])
    seen = [answer.found.name or answer.missing for answer in answers]
    assert sorted(base.path(name) for name in seen if name) == ["c/a", "c/b", "c/none"]
    assert all(answer.read_time for answer in answers if answer.found.name or answer.missing)
    base.commit(base.set("c/a", {"n": 2}), transaction=answers[0].transaction)
    assert base.client.document("c/a").get().get("n") == 2


def test_conflict_of_two_transactions(base):
    """Both read, both write: one at most may build on the old value."""
    base.commit(base.set("c/d", {"n": 0}))
    outcomes = []

    def work(_):
        transaction = base.begin(read_write={})
        try:
            [found] = base.stream(
                "batch_get_documents",
                rpc.BatchGetDocumentsRequest(
                    database=base.database, documents=[base.name("c/d")], transaction=transaction
                ),
                timeout=45,
            )
            n = base.data(found.found)["n"]
            barrier.wait(1)
        except threading.BrokenBarrierError:
            pass
        except grpc.RpcError as error:
            outcomes.append(error.code())
            return
        try:
            base.call(
                "commit",
                base.commit_request(base.set("c/d", {"n": n + 1}), transaction=transaction),
                timeout=45,
            )
            outcomes.append(None)
        except grpc.RpcError as error:
            outcomes.append(error.code())

    barrier = threading.Barrier(2)
    together(2, work)
    assert set(outcomes) <= {None, ABORTED}
    assert base.client.document("c/d").get().get("n") == outcomes.count(None) >= 1


@pytest.mark.parametrize("mode", ["pessimistic", "optimistic"])
def test_document_that_appears_after_it_was_missed_is_a_conflict(base, mode):
    base.switch(transactions=mode)
    transaction = base.begin(read_write={})
    base.batch_get("c/d", transaction=transaction)
    writer = threading.Thread(
        target=lambda: base.rpc.commit(
            base.commit_request(base.set("c/d", {"n": 1})), metadata=metadata(OWNER), timeout=40
        )
    )
    writer.start()
    writer.join(2 if mode == "pessimistic" else 45)
    request = base.commit_request(base.set("c/other", {"n": 1}), transaction=transaction)
    if writer.is_alive():
        base.call("commit", request)
        writer.join(45)
    else:
        assert base.fails("commit", request) == ABORTED


@pytest.mark.parametrize("mode", ["pessimistic", "optimistic"])
def test_document_that_enters_a_query_is_a_conflict(base, mode):
    base.switch(transactions=mode)
    base.commit(base.set("c/a", {"n": 1}))
    transaction = base.begin(read_write={})
    base.stream(
        "run_query",
        rpc.RunQueryRequest(
            parent=base.root,
            structured_query=queries.StructuredQuery(from_=[{"collection_id": "c"}]),
            transaction=transaction,
        ),
    )
    writer = threading.Thread(
        target=lambda: base.rpc.commit(
            base.commit_request(base.set("c/b", {"n": 1})), metadata=metadata(OWNER), timeout=40
        )
    )
    writer.start()
    # In no mode: what the query did not find is not locked.
    writer.join(45)
    assert not writer.is_alive()
    request = base.commit_request(base.set("c/sum", {"n": 1}), transaction=transaction)
    assert base.fails("commit", request) == ABORTED


def test_transactions_over_different_documents_do_not_meet(base):
    base.commit(base.set("c/a", {"n": 1}), base.set("c/b", {"n": 1}))
    one, two = base.begin(read_write={}), base.begin(read_write={})
    base.batch_get("c/a", transaction=one)
    base.batch_get("c/b", transaction=two)
    base.commit(base.set("c/b", {"n": 2}), transaction=two)
    base.commit(base.set("c/a", {"n": 2}), transaction=one)


def test_crossed_transactions_do_not_wait_for_each_other_for_ever(base):
    base.commit(base.set("c/a", {"n": 0}), base.set("c/b", {"n": 0}))
    outcomes = []

    def work(number):
        first, second = [("c/a", "c/b"), ("c/b", "c/a")][number]
        transaction = base.begin(read_write={})
        try:
            for path in (first, second):
                list(
                    base.rpc.batch_get_documents(
                        rpc.BatchGetDocumentsRequest(
                            database=base.database,
                            documents=[base.name(path)],
                            transaction=transaction,
                        ),
                        metadata=metadata(OWNER),
                        timeout=45,
                    )
                )
                with contextlib.suppress(threading.BrokenBarrierError):
                    barrier.wait(1)
            base.call(
                "commit",
                base.commit_request(base.set(second, {"n": 1}), transaction=transaction),
                timeout=45,
            )
            outcomes.append(None)
        except grpc.RpcError as error:
            outcomes.append(error.code())

    barrier = threading.Barrier(2)
    together(2, work)
    assert None in outcomes and set(outcomes) <= {None, ABORTED}


def test_rollback_frees_the_documents(base):
    base.commit(base.set("c/d", {"n": 1}))
    transaction = base.begin(read_write={})
    base.batch_get("c/d", transaction=transaction)
    base.call("rollback", rpc.RollbackRequest(database=base.database, transaction=transaction))
    # The first attempt fails where somebody still holds the document.
    increment(base.client, base.client.document("c/d"), attempts=1)
    assert (
        base.fails(
            "commit", base.commit_request(base.set("c/d", {"n": 9}), transaction=transaction)
        )
        == INVALID
    )
    assert base.client.document("c/d").get().get("n") == 2


@pytest.mark.parametrize("transaction", [b"x", b"\0" * 16, b"unknown transaction"])
def test_unknown_transaction_is_refused(base, transaction):
    requests = [
        ("commit", base.commit_request(base.set("c/d", {"n": 1}), transaction=transaction)),
        (
            "batch_get_documents",
            rpc.BatchGetDocumentsRequest(
                database=base.database, documents=[base.name("c/d")], transaction=transaction
            ),
        ),
        (
            "run_query",
            rpc.RunQueryRequest(
                parent=base.root,
                transaction=transaction,
                structured_query=queries.StructuredQuery(from_=[{"collection_id": "c"}]),
            ),
        ),
        ("get_document", base.get_request("c/d", transaction=transaction)),
    ]
    for method, request in requests:
        assert base.fails(method, request) in (INVALID, grpc.StatusCode.NOT_FOUND), method
    assert not base.client.document("c/d").get().exists


def test_transaction_ends_with_its_commit(base):
    transaction = base.begin(read_write={})
    base.commit(base.set("c/d", {"n": 1}), transaction=transaction)
    assert (
        base.fails(
            "commit", base.commit_request(base.set("c/d", {"n": 2}), transaction=transaction)
        )
        == INVALID
    )
    assert base.client.document("c/d").get().get("n") == 1


def test_transaction_belongs_to_its_database(hearth, base):
    other = Firestore(hearth)
    transaction = other.begin(read_write={})
    assert (
        base.fails(
            "commit", base.commit_request(base.set("c/d", {"n": 1}), transaction=transaction)
        )
        == INVALID
    )
    other.close()


def test_retry_names_the_transaction_before(base):
    first = base.begin(read_write={})
    second = base.begin(read_write={"retry_transaction": first})
    assert first and second and first != second
    base.commit(base.set("c/d", {"n": 1}), transaction=second)


def test_read_after_a_write_outside_then_commit_with_time_preconditions(base):
    """As mobile and web clients do it: reads without a transaction, and preconditions at the commit."""
    base.commit(base.set("c/d", {"n": 1}))
    [answer] = base.batch_get("c/d")
    time_read = answer.found.update_time
    base.commit(base.set("c/d", {"n": 2}))
    request = base.commit_request(
        base.set("c/d", {"n": 9}, current_document=common.Precondition(update_time=time_read))
    )
    assert base.fails("commit", request) == grpc.StatusCode.FAILED_PRECONDITION
