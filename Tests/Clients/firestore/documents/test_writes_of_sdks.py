"""Writes and transactions as each SDK composes them, and limits."""

import datetime

import grpc
import pytest
from google.cloud import firestore
from google.cloud.firestore_v1 import _helpers
from google.cloud.firestore_v1.types import common, write
from google.cloud.firestore_v1.types import document as documents
from google.cloud.firestore_v1.types import firestore as rpc
from support.firestore.project import OWNER, base, guard, metadata  # noqa: F401

INVALID, ABORTED = grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.ABORTED
FAILED = grpc.StatusCode.FAILED_PRECONDITION
MIB = 1_048_576


def stored(base, path: str):
    return base.client.document(path).get(timeout=30).to_dict()


def mask(*paths: str) -> common.DocumentMask:
    return common.DocumentMask(field_paths=paths)


# MARK: Masks

B_C = {"d": 1, "e": 1}
MASKS = {
    "nested quoted": (
        ["a.`b.c`.d"],
        {"a": {"b.c": {"d": 2, "e": 2}}},
        {"a": {"b.c": {"d": 2, "e": 1}, "f": 1}, "g": 1},
    ),
    "quoted map": (["a.`b.c`"], {"a": {"b.c": {"x": 2}}}, {"a": {"b.c": {"x": 2}, "f": 1}, "g": 1}),
    "absent ones": (["a.`b.c`.d", "a.f"], {}, {"a": {"b.c": {"e": 1}}, "g": 1}),
    "through a number": (
        ["a.f.g.h"],
        {"a": {"f": {"g": {"h": 2}}}},
        {"a": {"b.c": B_C, "f": {"g": {"h": 2}}}, "g": 1},
    ),
    "absent below a number": (["a.f.g.h"], {}, {"a": {"b.c": B_C, "f": 1}, "g": 1}),
    "needless quotes": (["`g`"], {"g": 2}, {"a": {"b.c": B_C, "f": 1}, "g": 2}),
    "escapes": (
        ["`\\\\`.`\\``"],
        {"\\": {"`": 2}},
        {"a": {"b.c": B_C, "f": 1}, "g": 1, "\\": {"`": 2}},
    ),
    "absent map": (["a"], {}, {"g": 1}),
    "empty": ([], {"g": 2}, {"a": {"b.c": B_C, "f": 1}, "g": 1}),
}


@pytest.mark.parametrize("name", MASKS)
def test_mask_decides_what_is_set_and_what_goes(base, name):
    paths, given, expected = MASKS[name]
    base.commit(base.set("c/d", {"a": {"b.c": B_C, "f": 1}, "g": 1}))
    base.commit(base.set("c/d", given, update_mask=mask(*paths)))
    assert stored(base, "c/d") == expected


@pytest.mark.parametrize("paths", [["a", "a.b"], ["a.b", "a"], ["a", "a"]], ids=ascii)
def test_mask_may_name_what_it_has_named(base, paths):
    base.commit(base.set("c/d", {"a": {"b": 1, "c": 2}}, update_mask=mask(*paths)))
    assert stored(base, "c/d") == {"a": {"b": 1, "c": 2}}


@pytest.mark.parametrize(
    "paths", [["``"], ["a.``"], ["a`b`"], ["`a`b"], ["\\"], ["a.b."], ["é"], ["``.a"]], ids=ascii
)
def test_mask_of_what_is_not_a_path_is_refused(base, paths):
    request = base.commit_request(base.set("c/d", {"a": {"b": 1}}, update_mask=mask(*paths)))
    assert base.fails("commit", request) == INVALID
    assert stored(base, "c/d") is None


@pytest.mark.parametrize("method", ["get_document", "batch_get_documents", "list_documents"])
def test_empty_mask_shows_no_fields(base, method):
    """As Admin Node lists documents: their names and times are all it wants."""
    base.commit(base.set("c/d", {"n": 1}))
    if method == "get_document":
        document = base.call(method, base.get_request("c/d", mask=mask()))
    elif method == "batch_get_documents":
        [answer] = base.batch_get("c/d", mask=mask())
        document = answer.found
    else:
        [document] = base.call(
            method,
            rpc.ListDocumentsRequest(
                parent=base.root, collection_id="c", show_missing=True, mask=mask()
            ),
        ).documents
    assert document.name == base.name("c/d") and not document.fields
    assert documents.Document.pb(document).HasField("update_time")


# MARK: Transforms


def test_transforms_see_the_update_and_each_other(base):
    base.commit(base.set("c/d", {"n": 1, "l": [1, 2]}))
    [result] = base.commit(
        base.set(
            "c/d",
            {"n": 10, "l": [3]},
            update_mask=mask("n", "l"),
            update_transforms=[
                {"field_path": "n", "increment": {"integer_value": 1}},
                {"field_path": "n", "increment": {"integer_value": 1}},
                {
                    "field_path": "l",
                    "append_missing_elements": {
                        "values": [{"integer_value": 4}, {"double_value": 3.0}]
                    },
                },
                {"field_path": "l", "remove_all_from_array": {"values": [{"double_value": 4.0}]}},
                {"field_path": "l", "append_missing_elements": {"values": [{"integer_value": 5}]}},
            ],
        )
    ).write_results
    assert [_helpers.decode_value(value, base.client) for value in result.transform_results] == [
        11,
        12,
        None,
        None,
        None,
    ]
    assert stored(base, "c/d") == {"n": 12, "l": [3, 5]}


def test_transforms_of_nested_and_quoted_fields(base):
    base.commit(
        base.set(
            "c/d",
            {"a": {"kept": 1, "b.c": 1}},
            update_transforms=[
                {"field_path": "a.`b.c`", "increment": {"integer_value": 4}},
                {"field_path": "x.y.z", "maximum": {"double_value": 1.5}},
                {"field_path": "`t t`.at", "set_to_server_value": "REQUEST_TIME"},
            ],
        )
    )
    got = stored(base, "c/d")
    assert got["a"] == {"kept": 1, "b.c": 5} and got["x"] == {"y": {"z": 1.5}}
    assert isinstance(got["t t"]["at"], datetime.datetime)


def test_transform_alone_of_a_document_that_must_exist(base):
    transform = write.Write(
        transform=write.DocumentTransform(
            document=base.name("c/d"),
            field_transforms=[{"field_path": "n", "increment": {"integer_value": 1}}],
        ),
        current_document=common.Precondition(exists=True),
    )
    assert base.fails("commit", base.commit_request(transform)) == grpc.StatusCode.NOT_FOUND
    base.commit(base.set("c/d", {}))
    base.commit(transform)
    assert stored(base, "c/d") == {"n": 1}


def test_server_times_have_milliseconds_and_are_never_later_than_the_commit(base):
    for n in range(20):
        answer = base.commit(
            base.set(
                "c/d",
                {"n": n},
                update_transforms=[{"field_path": "t", "set_to_server_value": "REQUEST_TIME"}],
            )
        )
        stamp = answer.write_results[0].transform_results[0].timestamp_value
        assert stamp.microsecond % 1000 == 0 and stamp <= answer.commit_time
        assert stored(base, "c/d")["t"] == stamp


def test_delete_takes_no_transforms(base):
    base.commit(base.set("c/d", {"n": 1}))
    request = base.commit_request(
        write.Write(
            delete=base.name("c/d"),
            update_transforms=[{"field_path": "n", "increment": {"integer_value": 1}}],
        )
    )
    assert base.fails("commit", request) == INVALID
    assert stored(base, "c/d") == {"n": 1}


# MARK: Batches


def test_more_than_five_hundred_writes(base):
    answer = base.commit(*[base.set(f"c/{n}", {"n": n}) for n in range(600)])
    assert len(answer.write_results) == 600
    assert base.client.collection("c").count().get(timeout=30)[0][0].value == 600


def test_batch_write_fails_write_by_write(base):
    first = base.commit(base.set("c/a", {"n": 1})).commit_time
    increment = [{"field_path": "n", "increment": {"integer_value": 3}}]
    stale = common.Precondition(update_time=first)
    answer = base.call(
        "batch_write",
        rpc.BatchWriteRequest(
            database=base.database,
            labels={"k": "v"},
            writes=[
                base.set("c/a", {"n": 2}, current_document=stale),
                base.set("c/b", {"n": 2}, current_document=stale),
                base.delete("c/none"),
                base.set("c/large", {"t": "x" * (MIB // 2), "u": "x" * (MIB // 2)}),
                base.set("c/t", {}, update_transforms=increment),
                base.verify("c/z", exists=False),
            ],
        ),
    )
    assert [status.code for status in answer.status] == [0, 9, 0, 3, 0, 0]
    assert all(bool(status.message) == bool(status.code) for status in answer.status)
    assert len(answer.write_results) == 6
    assert [value.integer_value for value in answer.write_results[4].transform_results] == [3]
    assert stored(base, "c/a") == {"n": 2} and stored(base, "c/b") is None


@pytest.mark.parametrize("malformed", ["reserved name", "nothing", "long text"])
def test_batch_write_with_a_malformed_write_is_refused_whole(base, malformed):
    write_of = {
        "reserved name": base.set("c/__x__", {}),
        "nothing": write.Write(),
        "long text": base.set("c/large", {"t": "x" * MIB}),
    }
    request = rpc.BatchWriteRequest(
        database=base.database, writes=[base.set("c/d", {}), write_of[malformed]]
    )
    assert base.fails("batch_write", request) == INVALID
    assert stored(base, "c/d") is None


@pytest.mark.parametrize("kind", ["set and delete", "set and transform"])
def test_batch_write_of_one_document_twice_is_refused(base, kind):
    other = (
        base.delete("c/d")
        if kind == "set and delete"
        else write.Write(
            transform=write.DocumentTransform(
                document=base.name("c/d"),
                field_transforms=[{"field_path": "n", "increment": {"integer_value": 1}}],
            )
        )
    )
    request = rpc.BatchWriteRequest(database=base.database, writes=[base.set("c/d", {}), other])
    assert base.fails("batch_write", request) == INVALID
    assert stored(base, "c/d") is None


def test_writes_of_one_commit_see_each_other_in_their_order(base):
    base.commit(
        base.set("c/d", {"n": 1}, current_document=common.Precondition(exists=False)),
        base.delete("c/d", current_document=common.Precondition(exists=True)),
        base.set("c/d", {"n": 2}, current_document=common.Precondition(exists=False)),
    )
    assert stored(base, "c/d") == {"n": 2}


# MARK: Transactions as SDKs do them


def test_transaction_of_mobile_and_web_clients(base):
    """Reads without a transaction; what was read is said again in preconditions."""
    first = base.commit(base.set("c/read", {"n": 1}), base.set("c/both", {"n": 1})).commit_time
    answers = {
        base.path(answer.found.name or answer.missing): answer
        for answer in base.batch_get("c/read", "c/both", "c/new")
    }
    assert answers["c/new"].missing and answers["c/both"].found.update_time == first

    def request():
        return base.commit_request(
            base.set("c/both", {"n": 2}, current_document=common.Precondition(update_time=first)),
            base.set("c/new", {"n": 1}, current_document=common.Precondition(exists=False)),
            base.verify("c/read", update_time=first),
        )

    base.call("commit", request())
    assert stored(base, "c/both") == {"n": 2}
    # Somebody else was faster: each of these makes the client try again.
    assert base.fails("commit", request()) in (FAILED, ABORTED)
    only_new = base.commit_request(
        base.set("c/new", {"n": 9}, current_document=common.Precondition(exists=False))
    )
    assert base.fails("commit", only_new) == grpc.StatusCode.ALREADY_EXISTS
    base.commit(base.set("c/read", {"n": 2}))
    assert base.fails(
        "commit", base.commit_request(base.verify("c/read", update_time=first), base.set("c/x", {}))
    ) in (FAILED, ABORTED)
    assert stored(base, "c/x") is None


def test_transaction_of_admin_node(base):
    """Begun with the first read; later reads and the commit name it."""
    base.commit(base.set("c/a", {"n": 1}), base.set("c/b", {"n": 2}))
    answers = base.batch_get("c/a", new_transaction=common.TransactionOptions(read_write={}))
    assert not answers[0].found.name and not answers[0].read_time
    transaction = answers[0].transaction
    [second] = base.batch_get("c/b", transaction=transaction)
    assert transaction and not second.transaction and base.data(second.found) == {"n": 2}
    base.commit(base.set("c/sum", {"n": 3}), transaction=transaction)
    assert stored(base, "c/sum") == {"n": 3}


def test_transaction_of_admin_node_that_is_tried_again(base):
    base.switch(transactions="optimistic")
    base.commit(base.set("c/a", {"n": 1}))
    begun = base.batch_get("c/a", new_transaction=common.TransactionOptions(read_write={}))
    first = begun[0].transaction
    base.commit(base.set("c/a", {"n": 2}))
    request = base.commit_request(base.set("c/b", {}), transaction=first)
    assert base.fails("commit", request) == ABORTED
    base.call("rollback", rpc.RollbackRequest(database=base.database, transaction=first))
    again = base.batch_get(
        "c/a", new_transaction=common.TransactionOptions(read_write={"retry_transaction": first})
    )
    assert base.data(again[0].found or again[1].found) == {"n": 2}
    base.commit(base.set("c/b", {"n": 2}), transaction=again[0].transaction)


def test_read_only_transaction_with_a_time_may_be_shared(base):
    at = base.commit(base.set("c/a", {"n": 1})).commit_time
    base.commit(base.set("c/a", {"n": 2}))
    answers = base.batch_get(
        "c/a", new_transaction=common.TransactionOptions(read_only={"read_time": at})
    )
    assert [base.data(answer.found) for answer in answers if answer.found.name] == [{"n": 1}]
    request = base.get_request("c/a", transaction=answers[0].transaction)
    assert base.data(base.call("get_document", request)) == {"n": 1}


def test_transaction_may_write_what_it_did_not_read(base):
    transaction = base.begin(read_write={})
    base.commit(base.set("c/a", {"n": 1}))
    base.commit(base.set("c/a", {"n": 2}), base.delete("c/b"), transaction=transaction)
    assert stored(base, "c/a") == {"n": 2}


def test_commit_without_writes_ends_a_transaction(base):
    base.commit(base.set("c/a", {"n": 1}))
    transaction = base.begin(read_write={})
    base.batch_get("c/a", transaction=transaction)
    assert not base.commit(transaction=transaction).write_results
    assert base.fails("commit", base.commit_request(transaction=transaction)) == INVALID


def test_listing_is_a_read_of_the_transaction(base):
    base.switch(transactions="optimistic")
    base.commit(base.set("c/a", {"n": 1}))
    transaction = base.begin(read_write={})
    base.call(
        "list_documents",
        rpc.ListDocumentsRequest(parent=base.root, collection_id="c", transaction=transaction),
    )
    base.commit(base.set("c/b", {"n": 2}))
    request = base.commit_request(base.set("sums/s", {"n": 1}), transaction=transaction)
    assert base.fails("commit", request) == ABORTED


def test_aggregate_of_admin_node(base):
    base.commit(*[base.set(f"c/{n}", {}) for n in range(3)])
    [answer] = base.stream(
        "run_aggregation_query",
        rpc.RunAggregationQueryRequest(
            parent=base.root,
            structured_aggregation_query={
                "structured_query": {"from_": [{"collection_id": "c"}]},
                "aggregations": [{"alias": "aggregate_0", "count": {}}],
            },
        ),
    )
    assert answer.result.aggregate_fields["aggregate_0"].integer_value == 3
    assert answer.read_time and not answer.transaction


# MARK: Limits


@pytest.mark.parametrize("more, fits", [(0, True), (1, False)], ids=["exactly", "one byte more"])
def test_document_of_exactly_one_mebibyte(base, more, fits):
    # The name counts its segments and 16, each text one more than its bytes, a document 32.
    # One value alone is at most 89 bytes smaller.
    other = "y" * 1000
    length = MIB - (16 + 2 + 2) - 32 - len("text\0") - 1 - len("other\0") - 1001 + more
    request = base.commit_request(base.set("c/d", {"text": "x" * length, "other": other}))
    if fits:
        base.call("commit", request, timeout=30)
        assert len(stored(base, "c/d")["text"]) == length
    else:
        assert base.fails("commit", request, timeout=30) == INVALID


@pytest.mark.parametrize(
    "letters", ["ü" * 750, "x" * 1500, "😀" * 375], ids=["two bytes", "one byte", "four bytes"]
)
def test_names_of_exactly_fifteen_hundred_bytes(base, letters):
    base.commit(base.set(f"{letters}/{letters}", {letters: 1}))
    assert stored(base, f"{letters}/{letters}") == {letters: 1}
    for path, data in ((f"c/{letters}x", {}), (f"{letters}x/d", {}), ("c/d", {letters + "x": 1})):
        assert base.fails("commit", base.commit_request(base.set(path, data))) == INVALID


@pytest.mark.parametrize("count", [1000, 5000])
def test_many_fields(base, count):
    data = {f"field {n}": n for n in range(count)}
    base.commit(base.set("c/d", data))
    assert stored(base, "c/d") == data
    base.commit(base.set("c/d", {}, update_mask=mask(*[f"`field {n}`" for n in range(1, count)])))
    assert stored(base, "c/d") == {"field 0": 0}


@pytest.mark.parametrize(
    "identifier",
    [
        "__x__",
        "____",
        "__id__",
        "__idx__",
        "__id1.5__",
        "__id0__",
        "__id007__",
        "__id+7__",
        ".",
        "..",
    ],
)
def test_identifier_that_is_reserved(base, identifier):
    for path in (f"c/{identifier}", f"{identifier}/d"):
        assert base.fails("commit", base.commit_request(base.set(path, {}))) == INVALID
        assert base.fails("get_document", base.get_request(path)) == INVALID


@pytest.mark.parametrize(
    "identifier, reason",
    [
        ("__id9223372036854775808__", "it is not a 64 bit integer"),
        ("__id-9223372036854775809__", "it is not a 64 bit integer"),
        ("__id09223372036854775808__", "it is reserved"),
    ],
)
def test_identifier_with_a_number_that_is_too_large(base, identifier, reason):
    refusal = f'Resource id "{identifier}" is invalid because {reason}.'
    with pytest.raises(grpc.RpcError) as raised:
        base.commit(base.set(f"c/{identifier}", {}))
    assert raised.value.details() == refusal


@pytest.mark.parametrize(
    "identifier",
    ["__", "___", "__a", "a__", "__id7__", "__id-7__", "...", "\u202e", "\x7f"],
    ids=ascii,
)
def test_identifier_that_only_looks_reserved(base, identifier):
    base.commit(base.set(f"c/{identifier}", {"n": 1}))
    assert stored(base, f"c/{identifier}") == {"n": 1}
    [found] = base.client.collection("c").stream()
    assert found.id == identifier


# MARK: Times


def test_nothing_is_older_than_what_was_read_before(base):
    """A read at some time, and a commit after it: the commit is later."""
    for n in range(20):
        [answer] = base.batch_get("c/d")
        assert base.commit(base.set("c/d", {"n": n})).commit_time > answer.read_time


def test_recreated_documents_are_newer(base):
    times = []
    for _ in range(5):
        times.append(base.commit(base.set("c/d", {"n": 1})).write_results[0].update_time)
        base.commit(base.delete("c/d"))
    assert times == sorted(set(times))


def test_cancelled_call_of_a_waiting_transaction_leaves_the_document_free(base):
    base.commit(base.set("c/d", {"n": 1}))
    holder, waiter = base.begin(read_write={}), base.begin(read_write={})
    base.batch_get("c/d", transaction=holder)
    call = base.rpc.batch_get_documents(
        rpc.BatchGetDocumentsRequest(
            database=base.database, documents=[base.name("c/d")], transaction=waiter
        ),
        metadata=metadata(OWNER),
        timeout=30,
    )
    call.cancel()
    base.call("rollback", rpc.RollbackRequest(database=base.database, transaction=waiter))
    base.commit(base.set("c/d", {"n": 2}), transaction=holder)

    @firestore.transactional
    def body(transaction):
        reference = base.client.document("c/d")
        n = reference.get(transaction=transaction, timeout=30).get("n")
        transaction.set(reference, {"n": n + 1})

    body(base.client.transaction())
    assert stored(base, "c/d") == {"n": 3}
