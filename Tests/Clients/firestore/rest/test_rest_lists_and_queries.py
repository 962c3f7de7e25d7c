"""Firestore over REST: lists, batches, commits, queries."""

import re
import urllib.parse

import pytest
import requests
from support.firestore.project import base, guard  # noqa: F401
from support.firestore.rest import fields, found, from_, listed, number, put

RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z")


# MARK: Lists


def test_long_answers_are_whole(base):
    """The JSON of a long answer is made in two parts."""
    texts = {f"d{n:03}": f'{n}"\\\n' + "x" * 5000 for n in range(200)}
    base.rest(
        "POST",
        ":commit",
        json={
            "writes": [
                {
                    "update": {
                        "name": f"{base.root}/c/{name}",
                        "fields": {"t": {"stringValue": text}},
                    }
                }
                for name, text in texts.items()
            ]
        },
    )
    page = base.rest("GET", "/c", params={"pageSize": 150})
    rest = base.rest("GET", "/c", params={"pageSize": 150, "pageToken": page["nextPageToken"]})
    listed_documents = page["documents"] + rest["documents"]
    results = base.rest("POST", ":runQuery", json=from_("c"))
    for documents in (listed_documents, [result["document"] for result in results]):
        assert {
            document["name"].rsplit("/", 1)[1]: document["fields"]["t"]["stringValue"]
            for document in documents
        } == texts


@pytest.mark.parametrize("more", [{}, {"showMissing": "true"}, {"orderBy": "n desc"}], ids=str)
def test_pages_are_as_large_as_those_of_the_official_emulator(base, more):
    base.rest(
        "POST",
        ":commit",
        json={
            "writes": [
                {"update": {"name": f"{base.root}/c/{n:03}", "fields": {"n": number(n)}}}
                for n in range(160)
            ]
        },
    )
    for asked, size in ((None, 30), (0, 30), (149, 149), (151, 150), (1000, 150)):
        answer = base.rest(
            "GET", "/c", params=more | ({} if asked is None else {"pageSize": asked})
        )
        assert len(answer["documents"]) == size and answer["nextPageToken"]


def test_ids_of_collections_have_one_page_unless_a_size_is_asked_for(base):
    base.rest(
        "POST",
        ":commit",
        json={"writes": [{"update": {"name": f"{base.root}/c{n:03}/x"}} for n in range(310)]},
    )
    answer = base.rest("POST", ":listCollectionIds", json={})
    assert len(answer["collectionIds"]) == 310 and "nextPageToken" not in answer


def test_all_rows_but_the_last_tell_what_an_offset_has_skipped(base):
    for n in range(4):
        put(base, f"c/{n}", {})

    def rows(offset: int) -> list:
        query = {"from": [{"collectionId": "c"}], "offset": offset}
        return [
            (row.get("skippedResults"), row.get("done"))
            for row in base.rest("POST", ":runQuery", json={"structuredQuery": query})
        ]

    assert rows(1) == [(1, None), (1, None), (None, True)]
    assert rows(3) == rows(4) == rows(41) == [(None, True)]


def test_page_size_zero_is_the_default(base):
    for n in range(5):
        put(base, f"c/{n}", {})
    answer = base.rest("GET", "/c", params={"pageSize": 0})
    assert listed(answer) == list("01234") and "nextPageToken" not in answer


def test_full_page_has_a_token_also_where_nothing_follows(base):
    for n in range(4):
        put(base, f"c/{n}", {})
    answer = base.rest("GET", "/c", params={"pageSize": 2})
    answer = base.rest("GET", "/c", params={"pageSize": 2, "pageToken": answer["nextPageToken"]})
    assert listed(answer) == ["2", "3"]
    answer = base.rest("GET", "/c", params={"pageSize": 2, "pageToken": answer["nextPageToken"]})
    assert answer == {}


@pytest.mark.parametrize("show_missing", ["false", "true"])
@pytest.mark.parametrize("change", ["deleted", "added"])
def test_pages_continue_after_the_last_document(base, change, show_missing):
    """As for who deletes or adds documents page by page."""
    for name in "bcdefg":
        put(base, f"c/{name}", {})
    params = {"pageSize": 2, "showMissing": show_missing}
    answer = base.rest("GET", "/c", params=params)
    assert listed(answer) == ["b", "c"]
    if change == "deleted":
        base.rest("DELETE", "/c/b")
        base.rest("DELETE", "/c/c")
    else:
        put(base, "c/a", {})
    answer = base.rest("GET", "/c", params={**params, "pageToken": answer["nextPageToken"]})
    assert listed(answer) == ["d", "e"]


ORDERS = {
    "plain": ("n", "bca"),
    "ascending": ("n asc", "bca"),
    "descending": ("n desc", "acb"),
    "large letters": ("n DESC", "acb"),
    "nested": ("m.x desc", "bac"),
    "two": ("k desc, n", "bca"),
    "blanks": ("k desc ,  n  ", "bca"),
    "two that descend": ("k desc, n desc", "bac"),
    "quoted": ("`n` desc", "acb"),
    "name": ("__name__", "abc"),
    "missing field": ("zzz", ""),
}


@pytest.mark.parametrize("name", ORDERS)
def test_list_in_an_order(base, name):
    order, expected = ORDERS[name]
    for identifier, n, k, x in (("a", 3, 1, 5), ("b", 1, 2, 9), ("c", 2, 1, 1)):
        put(
            base,
            f"c/{identifier}",
            {"n": number(n), "k": number(k), "m": {"mapValue": {"fields": {"x": number(x)}}}},
        )
    assert "".join(listed(base.rest("GET", "/c", params={"orderBy": order}))) == expected


@pytest.mark.parametrize(
    "order, status",
    [
        ("__name__ desc", "FAILED_PRECONDITION"),
        (" n", "INVALID_ARGUMENT"),
        ("__name__, n", "INVALID_ARGUMENT"),
        ("n,", "INVALID_ARGUMENT"),
    ],
)
def test_list_in_an_order_that_is_refused(base, order, status):
    assert base.refused("GET", "/c", 400, params={"orderBy": order}) == status


@pytest.mark.parametrize("name", ["a b", "a,b"])
def test_list_in_the_order_of_a_quoted_field(base, name):
    put(base, "c/x", {name: number(1)})
    put(base, "c/y", {name: number(2)})
    answer = base.rest("GET", "/c", params={"orderBy": f"`{name}` desc"})
    assert listed(answer) == ["y", "x"]


def test_missing_documents_come_without_order_and_owner_only(base):
    put(base, "c/a/d/e", {})
    assert base.refused("GET", "/c", 400, params={"showMissing": "true", "orderBy": "n"}) == (
        "INVALID_ARGUMENT"
    )
    assert base.refused("GET", "/c", 403, token=None, params={"showMissing": "true"}) == (
        "PERMISSION_DENIED"
    )
    assert base.rest("GET", "/c", token=None) == {}


def test_list_of_the_past(base):
    put(base, "c/a", {"n": number(1)})
    at = put(base, "c/b", {"n": number(1)})["updateTime"]
    put(base, "c/a", {"n": number(2)})
    base.rest("DELETE", "/c/b")
    put(base, "c/c", {})
    answer = base.rest("GET", "/c", params={"readTime": at})
    assert listed(answer) == ["a", "b"] and answer["documents"][0]["fields"] == {"n": number(1)}


def test_lists_of_names_know_the_past(base):
    at = put(base, "c/b/sub/d", {})["updateTime"]
    base.rest("DELETE", "/c/b/sub/d")
    put(base, "later/d", {})
    past = {"readTime": at, "showMissing": "true"}
    assert listed(base.rest("GET", "/c", params=past)) == ["b"]
    assert base.rest("POST", ":listCollectionIds", json={"readTime": at})["collectionIds"] == ["c"]
    assert base.rest("POST", ":listCollectionIds", json={})["collectionIds"] == ["later"]


def test_list_below_a_document_that_is_missing(base):
    put(base, "c/none/d/e", {"n": number(1)})
    assert listed(base.rest("GET", "/c/none/d")) == ["e"]


@pytest.mark.parametrize("page_size", [1, 2, 3, 7])
def test_collection_ids_by_pages(base, page_size):
    for name in ("b", "a", "é", "Z", "c:d"):
        put(base, f"p/q/{urllib.parse.quote(name)}/x/deeper/y", {})
    seen, token = [], ""
    while True:
        answer = base.rest(
            "POST", "/p/q:listCollectionIds", json={"pageSize": page_size, "pageToken": token}
        )
        page = answer.get("collectionIds", [])
        assert len(page) <= page_size
        seen += page
        token = answer.get("nextPageToken", "")
        if not token:
            break
    assert seen == ["Z", "a", "b", "c:d", "é"]


@pytest.mark.parametrize(
    "body", [{"pageSize": -1}, {"pageToken": "*"}, {"pageSize": "x"}], ids=["size", "token", "text"]
)
def test_collection_ids_with_bad_parameters(base, body):
    assert base.refused("POST", ":listCollectionIds", 400, json=body) == "INVALID_ARGUMENT"


# MARK: Batches and commits


def test_batch_get_answers_in_an_array_each_once(base):
    put(base, "c/a", {"n": number(1), "x.y": number(2)})
    answer = base.rest(
        "POST",
        ":batchGet",
        json={
            "documents": [base.name("c/a"), base.name("c/b"), base.name("c/a")],
            "mask": {"fieldPaths": ["`x.y`"]},
        },
    )
    assert len(answer) == 2
    by_kind = {"found" if "found" in each else "missing": each for each in answer}
    assert by_kind["found"]["found"]["fields"] == {"x.y": number(2)}
    assert by_kind["missing"]["missing"] == base.name("c/b")
    assert len({each["readTime"] for each in answer}) == 1


def test_batch_get_of_the_past(base):
    at = put(base, "c/a", {"n": number(1)})["updateTime"]
    put(base, "c/a", {"n": number(2)})
    [answer] = base.rest(
        "POST", ":batchGet", json={"documents": [base.name("c/a")], "readTime": at}
    )
    assert answer["found"]["fields"] == {"n": number(1)} and answer["readTime"] == at


def test_transforms_of_a_commit_in_their_order(base):
    put(base, "c/d", {"n": number(5), "l": {"arrayValue": {"values": [number(1), number(2)]}}})
    answer = base.rest(
        "POST",
        ":commit",
        json={
            "writes": [
                {
                    "update": {"name": base.name("c/d"), "fields": {"n": number(10)}},
                    "updateMask": {"fieldPaths": ["n"]},
                    "updateTransforms": [
                        {"fieldPath": "n", "increment": number(1)},
                        {"fieldPath": "n", "maximum": {"doubleValue": 11.5}},
                        {"fieldPath": "n", "minimum": number(3)},
                        {"fieldPath": "l", "removeAllFromArray": {"values": [number(1)]}},
                        {
                            "fieldPath": "l",
                            "appendMissingElements": {"values": [number(1), number(2)]},
                        },
                        {"fieldPath": "`a.b`.c", "increment": {"doubleValue": 0.5}},
                        {"fieldPath": "t", "setToServerValue": "REQUEST_TIME"},
                    ],
                }
            ]
        },
    )
    [result] = answer["writeResults"]
    assert result["updateTime"] == answer["commitTime"]
    *numbers, time = result["transformResults"]
    assert numbers == [
        number(11),
        {"doubleValue": 11.5},
        number(3),
        {"nullValue": None},
        {"nullValue": None},
        {"doubleValue": 0.5},
    ]
    got = fields(base, "c/d")
    assert got["n"] == number(3) and got["t"] == time
    assert got["l"]["arrayValue"]["values"] == [number(2), number(1)]
    assert got["a.b"] == {"mapValue": {"fields": {"c": {"doubleValue": 0.5}}}}


@pytest.mark.parametrize(
    "transform",
    [
        {"fieldPath": "n"},
        {"fieldPath": "", "increment": {"integerValue": "1"}},
        {"fieldPath": "n", "setToServerValue": "SERVER_VALUE_UNSPECIFIED"},
        {"fieldPath": "n", "setToServerValue": "NOON"},
        {"fieldPath": "n", "increment": {}},
        {"fieldPath": "n", "maximum": {"stringValue": "x"}},
        {"fieldPath": "__name__", "increment": {"integerValue": "1"}},
        {"fieldPath": "n", "appendMissingElements": {"values": [{"arrayValue": {}}]}},
    ],
    ids=["none", "no path", "unspecified", "unknown", "no number", "text", "name", "nested array"],
)
def test_transform_that_is_invalid_is_refused(base, transform):
    body = {"writes": [{"update": {"name": base.name("c/d")}, "updateTransforms": [transform]}]}
    assert base.refused("POST", ":commit", 400, json=body) == "INVALID_ARGUMENT"
    assert base.refused("GET", "/c/d", 404) == "NOT_FOUND"


def test_results_of_a_commit_have_the_length_of_its_writes(base):
    put(base, "c/a", {})
    answer = base.rest(
        "POST",
        ":commit",
        json={
            "writes": [
                {"delete": base.name("c/a")},
                {"verify": base.name("c/b"), "currentDocument": {"exists": False}},
                {"update": {"name": base.name("c/c")}},
                {
                    "transform": {
                        "document": base.name("c/d"),
                        "fieldTransforms": [{"fieldPath": "n", "increment": number(1)}],
                    }
                },
            ]
        },
    )
    one, two, three, four = answer["writeResults"]
    assert one == {} and two == {"updateTime": answer["commitTime"]}
    assert three == {"updateTime": answer["commitTime"]}
    assert four["transformResults"] == [number(1)]


def test_empty_commit_is_empty(base):
    assert base.rest("POST", ":commit", json={}) == {}


def test_batch_write_returns_each_status(base):
    put(base, "c/there", {})
    answer = base.rest(
        "POST",
        ":batchWrite",
        json={
            "labels": {"a": "b"},
            "writes": [
                {"update": {"name": base.name("c/a"), "fields": {"n": number(1)}}},
                {"update": {"name": base.name("c/there")}, "currentDocument": {"exists": False}},
                {
                    "delete": base.name("c/none"),
                    "currentDocument": {"updateTime": "2000-01-01T00:00:00Z"},
                },
                {"delete": base.name("c/none2")},
            ],
        },
    )
    assert [status.get("code", 0) for status in answer["status"]] == [0, 6, 9, 0]
    assert answer["status"][0] == {} and all(
        status.get("message") for status in answer["status"] if status
    )
    assert len(answer["writeResults"]) == 4 and answer["writeResults"][0]["updateTime"]
    assert fields(base, "c/a") == {"n": number(1)}


def test_batch_write_of_nothing(base):
    assert base.rest("POST", ":batchWrite", json={}) == {}


# MARK: Queries as arrays


def test_enums_of_a_query_may_be_numbers(base):
    put(base, "c/a", {"n": number(1)})
    answer = base.rest(
        "POST",
        ":runQuery",
        json=from_(
            "c",
            where={"fieldFilter": {"field": {"fieldPath": "n"}, "op": 5, "value": number(1)}},
            orderBy=[{"field": {"fieldPath": "__name__"}, "direction": 2}],
        ),
    )
    assert found(base, answer) == ["c/a"] and answer[-1]["done"] is True


def test_whole_query_of_the_web_sdk(base):
    """As the lite SDK writes it, with nulls where nothing is set."""
    for n in range(4):
        put(base, f"c/{n}", {"n": number(n), "m": {"mapValue": {"fields": {"x y": number(n)}}}})
    answer = base.rest(
        "POST",
        ":runQuery",
        json=from_(
            "c",
            where={
                "compositeFilter": {
                    "op": "AND",
                    "filters": [
                        {
                            "fieldFilter": {
                                "field": {"fieldPath": "m.`x y`"},
                                "op": "GREATER_THAN_OR_EQUAL",
                                "value": number(1),
                            }
                        },
                        {"unaryFilter": {"field": {"fieldPath": "n"}, "op": "IS_NOT_NULL"}},
                    ],
                }
            },
            orderBy=[
                {"field": {"fieldPath": "m.`x y`"}, "direction": "DESCENDING"},
                {"field": {"fieldPath": "n"}, "direction": "DESCENDING"},
                {"field": {"fieldPath": "__name__"}, "direction": "DESCENDING"},
            ],
            startAt={"values": [number(2)], "before": True},
            endAt={"values": [number(1)], "before": False},
            limit=5,
        ),
    )
    assert found(base, answer) == ["c/2", "c/1"]
    assert all(RFC3339.fullmatch(each["readTime"]) for each in answer)


@pytest.mark.parametrize("verb", ["runQuery", "runAggregationQuery"])
def test_refused_query_has_one_error(base, verb):
    reply = requests.post(
        f"{base.server.addresses['firestore']}/v1/{base.root}:{verb}",
        timeout=30,
        json={"structuredQuery": {"offset": -1}}
        if verb == "runQuery"
        else {"structuredAggregationQuery": {"structuredQuery": {"from": [{"collectionId": "c"}]}}},
    )
    assert reply.status_code == 400
    answer = reply.json()
    error = answer[0] if isinstance(answer, list) and len(answer) == 1 else answer
    assert error["error"]["status"] == "INVALID_ARGUMENT" and error["error"]["code"] == 400


def test_aggregates_are_values_as_any(base):
    for n in range(3):
        put(base, f"c/{n}", {"n": number(2**53 + n), "d": {"doubleValue": 0.5}})
    [answer] = base.rest(
        "POST",
        ":runAggregationQuery",
        json={
            "structuredAggregationQuery": {
                **from_("c"),
                "aggregations": [
                    {"count": {}},
                    {"sum": {"field": {"fieldPath": "n"}}},
                    {"sum": {"field": {"fieldPath": "d"}}},
                    {"alias": "x", "count": {"upTo": 2}},
                ],
            }
        },
    )
    assert answer["result"]["aggregateFields"] == {
        "field_1": number(3),
        "field_2": number(3 * 2**53 + 3),
        "field_3": {"doubleValue": 1.5},
        "x": number(2),
    }


def test_partitions_cut_a_group(base):
    for n in range(30):
        put(base, f"p/{n % 2}/g/{n:02}", {})
    body = {
        "structuredQuery": {
            "from": [{"collectionId": "g", "allDescendants": True}],
            "orderBy": [{"field": {"fieldPath": "__name__"}, "direction": "ASCENDING"}],
        },
        "partitionCount": "4",
    }
    answer = base.rest("POST", ":partitionQuery", json=body)
    cuts = [cut["values"][0]["referenceValue"] for cut in answer["partitions"]]
    assert cuts == sorted(cuts) and 1 <= len(cuts) <= 4
    assert base.refused("POST", ":partitionQuery", 403, token=None, json=body) == (
        "PERMISSION_DENIED"
    )
    for count in ("0", "-1"):
        assert (
            base.refused("POST", ":partitionQuery", 400, json={**body, "partitionCount": count})
            == "INVALID_ARGUMENT"
        )


def test_partitions_come_in_pages(base):
    for n in range(30):
        put(base, f"g/{n:02}", {})
    body = {
        "structuredQuery": {
            "from": [{"collectionId": "g", "allDescendants": True}],
            "orderBy": [{"field": {"fieldPath": "__name__"}, "direction": "ASCENDING"}],
        },
        "partitionCount": "6",
        "pageSize": 2,
    }
    answer = base.rest("POST", ":partitionQuery", json=body)
    assert len(answer["partitions"]) <= 2
