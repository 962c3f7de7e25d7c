"""Firestore over REST: transactions."""

import pytest
import requests
from support.firestore.project import base, guard  # noqa: F401
from support.firestore.rest import found, from_, listed, number, put

# MARK: Transactions


def begin(base, **options) -> str:
    return base.rest("POST", ":beginTransaction", json={"options": options})["transaction"]


@pytest.mark.parametrize(
    "body",
    [{}, {"options": {}}, {"options": {"readWrite": {}}}, {"options": {"readOnly": {}}}],
    ids=["nothing", "no mode", "read-write", "read-only"],
)
def test_begun_transaction_is_rolled_back(base, body):
    transaction = base.rest("POST", ":beginTransaction", json=body)["transaction"]
    assert transaction
    assert base.rest("POST", ":rollback", json={"transaction": transaction}) == {}
    assert base.rest("POST", ":rollback", json={"transaction": transaction}) == {}
    unknown = {"transaction": "AAAAAAAAAAAAAAAAAAAAAA=="}
    assert base.refused("POST", ":rollback", 400, json=unknown) == "INVALID_ARGUMENT"


def test_retried_transaction_names_the_one_before(base):
    first = begin(base, readWrite={})
    second = begin(base, readWrite={"retryTransaction": first})
    assert second != first
    base.rest("POST", ":commit", json={"transaction": second})


def test_read_only_transaction_of_the_past_reads_everything_as_it_was(base):
    at = put(base, "c/a", {"n": number(1)})["updateTime"]
    put(base, "c/a", {"n": number(2)})
    put(base, "c/b", {"n": number(2)})
    transaction = begin(base, readOnly={"readTime": at})
    assert base.rest("GET", "/c/a", params={"transaction": transaction})["fields"] == {
        "n": number(1)
    }
    assert base.refused("GET", "/c/b", 404, params={"transaction": transaction}) == "NOT_FOUND"
    assert listed(base.rest("GET", "/c", params={"transaction": transaction})) == ["a"]
    answer = base.rest(
        "POST",
        ":batchGet",
        json={"documents": [base.name("c/a"), base.name("c/b")], "transaction": transaction},
    )
    assert {"found" in each for each in answer} == {True, False}
    assert {each["readTime"] for each in answer} == {at}
    answer = base.rest("POST", ":runQuery", json={**from_("c"), "transaction": transaction})
    assert found(base, answer) == ["c/a"]
    [answer] = base.rest(
        "POST",
        ":runAggregationQuery",
        json={
            "transaction": transaction,
            "structuredAggregationQuery": {
                **from_("c"),
                "aggregations": [{"alias": "n", "count": {}}],
            },
        },
    )
    assert answer["result"]["aggregateFields"] == {"n": number(1)}
    assert base.rest("POST", ":commit", json={"transaction": transaction}) == {}


def test_read_only_transaction_takes_no_writes(base):
    transaction = begin(base, readOnly={})
    assert base.refused(
        "POST",
        ":commit",
        400,
        json={"transaction": transaction, "writes": [{"update": {"name": base.name("c/d")}}]},
    ) == ("INVALID_ARGUMENT")


NEW = {
    "batchGet": lambda base: (":batchGet", {"documents": [base.name("c/a")]}),
    "runQuery": lambda base: (":runQuery", from_("c")),
    "empty runQuery": lambda base: (":runQuery", from_("none")),
    "runAggregationQuery": lambda base: (
        ":runAggregationQuery",
        {"structuredAggregationQuery": {**from_("c"), "aggregations": [{"count": {}}]}},
    ),
}


@pytest.mark.parametrize("mode", ["readWrite", "readOnly"])
@pytest.mark.parametrize("name", NEW)
def test_first_element_brings_the_new_transaction(base, name, mode):
    for identifier in "abc":
        put(base, f"c/{identifier}", {"n": number(1)})
    verb, body = NEW[name](base)
    answer = base.rest("POST", verb, json={**body, "newTransaction": {mode: {}}})
    assert answer[0]["transaction"]
    assert not any("transaction" in each for each in answer[1:])
    writes = [{"update": {"name": base.name("c/new")}}] if mode == "readWrite" else []
    base.rest("POST", ":commit", json={"transaction": answer[0]["transaction"], "writes": writes})


def test_transaction_that_failed_is_over(base):
    transaction = begin(base, readWrite={})
    body = {
        "transaction": transaction,
        "writes": [{"update": {"name": base.name("c/d")}, "currentDocument": {"exists": True}}],
    }
    assert base.refused("POST", ":commit", 404, json=body) == "NOT_FOUND"
    assert base.refused("POST", ":commit", 400, json=body) == "INVALID_ARGUMENT"
    assert base.rest("POST", ":rollback", json={"transaction": transaction}) == {}


CONFLICTS = {
    "get": lambda base, transaction: base.rest("GET", "/c/d", params={"transaction": transaction}),
    "batchGet": lambda base, transaction: base.rest(
        "POST", ":batchGet", json={"documents": [base.name("c/d")], "transaction": transaction}
    ),
    "runQuery": lambda base, transaction: base.rest(
        "POST", ":runQuery", json={**from_("c"), "transaction": transaction}
    ),
    "runAggregationQuery": lambda base, transaction: base.rest(
        "POST",
        ":runAggregationQuery",
        json={
            "transaction": transaction,
            "structuredAggregationQuery": {**from_("c"), "aggregations": [{"count": {}}]},
        },
    ),
    "list": lambda base, transaction: base.rest("GET", "/c", params={"transaction": transaction}),
}


@pytest.mark.parametrize("name", CONFLICTS)
def test_what_a_transaction_has_read_must_still_be_so(base, name):
    base.switch(transactions="optimistic")
    put(base, "c/d", {"n": number(1)})
    transaction = begin(base, readWrite={})
    CONFLICTS[name](base, transaction)
    put(base, "c/d", {"n": number(2)})
    assert (
        base.refused(
            "POST",
            ":commit",
            409,
            json={
                "transaction": transaction,
                "writes": [{"update": {"name": base.name("c/sum"), "fields": {}}}],
            },
        )
        == "ABORTED"
    )
    assert base.refused("GET", "/c/sum", 404) == "NOT_FOUND"


def test_time_of_the_future_is_refused(base):
    future = "2999-01-01T00:00:00Z"
    for method, path, options in [
        ("GET", "/c/d", {"params": {"readTime": future}}),
        ("POST", ":batchGet", {"json": {"documents": [base.name("c/d")], "readTime": future}}),
        ("POST", ":runQuery", {"json": {**from_("c"), "readTime": future}}),
    ]:
        assert base.refused(method, path, 400, **options) == "INVALID_ARGUMENT", path


def test_time_before_everything_is_a_failed_precondition_or_empty(base):
    """No server keeps all that was; one that does not know must not answer what is now."""
    put(base, "c/d", {})
    reply = requests.get(
        f"{base.server.addresses['firestore']}/v1/{base.name('c/d')}",
        timeout=30,
        params={"readTime": "2001-01-01T00:00:00Z"},
        headers={"Authorization": "Bearer owner"},
    )
    assert (reply.status_code, reply.json()["error"]["status"]) in [
        (400, "FAILED_PRECONDITION"),
        (404, "NOT_FOUND"),
        (400, "INVALID_ARGUMENT"),
    ]
