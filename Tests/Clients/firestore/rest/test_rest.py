"""Firestore over REST: documents, lists, queries, commits, errors and clearing."""

import re
import urllib.parse

import pytest
import requests
from support.firestore.project import Firestore, base, guard  # noqa: F401

OK_BODY = "Ok"
AUTO_ID = re.compile(r"[A-Za-z0-9]{20}")
RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z")


def text(value: str) -> dict:
    return {"stringValue": value}


def number(value: int) -> dict:
    return {"integerValue": str(value)}


def put(base, path: str, fields: dict, **more) -> dict:
    return base.rest("PATCH", f"/{path}", json={"fields": fields}, **more)


def fields(base, path: str):
    return base.rest("GET", f"/{path}").get("fields", {})


# MARK: Documents


def test_document_is_created_read_changed_and_deleted(base):
    made = base.rest("POST", "/c", params={"documentId": "d"}, json={"fields": {"a": text("x")}})
    assert made["name"] == base.name("c/d") and made["fields"] == {"a": {"stringValue": "x"}}
    assert made["createTime"] == made["updateTime"] and RFC3339.fullmatch(made["createTime"])
    assert base.rest("GET", "/c/d") == made
    changed = put(base, "c/d", {"b": number(1)})
    assert changed["fields"] == {"b": {"integerValue": "1"}}
    assert (
        changed["createTime"] == made["createTime"] and changed["updateTime"] > made["updateTime"]
    )
    assert base.rest("DELETE", "/c/d") == {}
    assert base.refused("GET", "/c/d", 404) == "NOT_FOUND"
    assert base.rest("DELETE", "/c/d") == {}


def test_create_without_an_id_makes_one(base):
    made = base.rest("POST", "/c", json={"fields": {}})
    assert AUTO_ID.fullmatch(made["name"].rsplit("/", 1)[1])
    assert not made.get("fields")
    below = base.rest("POST", "/c/d/e", json={"fields": {"n": number(1)}})
    assert base.path(below["name"]).startswith("c/d/e/")


def test_create_of_an_existing_document_is_refused(base):
    put(base, "c/d", {"n": number(1)})
    assert base.refused("POST", "/c?documentId=d", 409, json={"fields": {}}) == "ALREADY_EXISTS"
    assert fields(base, "c/d") == {"n": number(1)}


def test_update_mask(base):
    put(
        base,
        "c/d",
        {"a": number(1), "b": {"mapValue": {"fields": {"c": number(1), "d": number(1)}}}},
    )
    mask = {"updateMask.fieldPaths": ["a", "b.c", "`x.y`"]}
    answer = put(
        base,
        "c/d",
        {"b": {"mapValue": {"fields": {"c": number(2)}}}, "x.y": number(3)},
        params=mask,
    )
    assert answer["fields"] == {
        "b": {"mapValue": {"fields": {"c": number(2), "d": number(1)}}},
        "x.y": number(3),
    }
    answer = put(
        base,
        "c/d",
        {"x.y": number(4)},
        params={"updateMask.fieldPaths": "`x.y`", "mask.fieldPaths": "`x.y`"},
    )
    assert answer["fields"] == {"x.y": number(4)}


def test_response_mask(base):
    put(
        base,
        "c/d",
        {"a": number(1), "b": {"mapValue": {"fields": {"c": number(1), "d": number(1)}}}},
    )
    answer = base.rest("GET", "/c/d", params={"mask.fieldPaths": ["a", "b.d"]})
    assert base.rest("GET", "/c/d", params={"mask.field_paths": ["a", "b.d"]}) == answer
    assert answer["fields"] == {"a": number(1), "b": {"mapValue": {"fields": {"d": number(1)}}}}
    answer = base.rest("GET", "/c/d", params={"mask.fieldPaths": "zzz"})
    assert not answer.get("fields") and answer["name"] == base.name("c/d")


def test_preconditions(base):
    assert base.refused("PATCH", "/c/d?currentDocument.exists=true", 404, json={}) == "NOT_FOUND"
    first = put(base, "c/d", {"n": number(1)}, params={"currentDocument.exists": "false"})
    assert (
        base.refused("PATCH", "/c/d?currentDocument.exists=false", 409, json={}) == "ALREADY_EXISTS"
    )
    second = put(
        base, "c/d", {"n": number(2)}, params={"currentDocument.updateTime": first["updateTime"]}
    )
    stale = {"currentDocument.updateTime": first["updateTime"]}
    assert base.refused("PATCH", "/c/d", 400, params=stale, json={}) == "FAILED_PRECONDITION"
    assert base.refused("DELETE", "/c/d", 400, params=stale) == "FAILED_PRECONDITION"
    base.rest("DELETE", "/c/d", params={"currentDocument.updateTime": second["updateTime"]})
    assert base.refused("DELETE", "/c/d?currentDocument.exists=true", 404) == "NOT_FOUND"


VALUES = [
    {"nullValue": None},
    {"booleanValue": True},
    {"booleanValue": False},
    {"integerValue": "-9223372036854775808"},
    {"integerValue": "9007199254740993"},
    {"doubleValue": 1.5},
    {"doubleValue": "NaN"},
    {"doubleValue": "Infinity"},
    {"doubleValue": "-Infinity"},
    {"timestampValue": "2024-02-29T23:59:59.123456Z"},
    {"timestampValue": "0001-01-01T00:00:00Z"},
    {"stringValue": ""},
    {"stringValue": 'ü😀\n"\\\u2028'},
    {"bytesValue": "AP8="},
    {"bytesValue": ""},
    {"geoPointValue": {"latitude": -1.5, "longitude": 2}},
    {
        "arrayValue": {
            "values": [{"integerValue": "1"}, {"mapValue": {"fields": {"a": {"nullValue": None}}}}]
        }
    },
    {"mapValue": {"fields": {"a": {"mapValue": {"fields": {"b": {"stringValue": "c"}}}}}}},
    {
        "mapValue": {
            "fields": {
                "__type__": {"stringValue": "__vector__"},
                "value": {"arrayValue": {"values": [{"doubleValue": 1.5}, {"doubleValue": 2.5}]}},
            }
        }
    },
]


@pytest.mark.parametrize("value", VALUES, ids=str)
def test_value_is_read_back(base, value):
    put(base, "c/d", {"v": value})
    assert fields(base, "c/d")["v"] == value


@pytest.mark.parametrize(
    "sent, stored",
    [
        ({"nullValue": "NULL_VALUE"}, {"nullValue": None}),
        ({"integerValue": 5}, {"integerValue": "5"}),
        ({"bytesValue": "AP-_"}, {"bytesValue": "AP+/"}),
        (
            {"timestampValue": "2024-01-01T01:00:00.123456789+01:00"},
            {"timestampValue": "2024-01-01T00:00:00.123456Z"},
        ),
        ({"doubleValue": 2}, {"doubleValue": 2}),
    ],
    ids=str,
)
def test_value_in_another_form_is_accepted(base, sent, stored):
    put(base, "c/d", {"v": sent})
    assert fields(base, "c/d")["v"] == stored


def test_empty_array_and_map_keep_their_kind(base):
    put(
        base,
        "c/d",
        {
            "a": {"arrayValue": {}},
            "b": {"arrayValue": {"values": []}},
            "m": {"mapValue": {}},
            "n": {"mapValue": {"fields": {}}},
        },
    )
    got = fields(base, "c/d")
    assert {name: list(value) for name, value in got.items()} == {
        "a": ["arrayValue"],
        "b": ["arrayValue"],
        "m": ["mapValue"],
        "n": ["mapValue"],
    }
    assert not any(
        list(value.values())[0].get("values") or list(value.values())[0].get("fields")
        for value in got.values()
    )


def test_negative_zero_keeps_its_sign(base):
    url = f"{base.server.addresses['firestore']}/v1/{base.name('c/d')}"
    requests.patch(url, data='{"fields":{"v":{"doubleValue":-0.0}}}', timeout=30).raise_for_status()
    assert re.search(r'"doubleValue"\s*:\s*-0(\.0)?\b', requests.get(url, timeout=30).text)


def test_reference_value(base):
    put(base, "c/d", {"r": {"referenceValue": base.name("c/other")}})
    assert fields(base, "c/d")["r"] == {"referenceValue": base.name("c/other")}


@pytest.mark.parametrize(
    "identifier", ["a b", "ü", "😀", "a%2Fb", "a+b", "a?b", "a#b", "a:b", "a&b=c", "100%"]
)
def test_path_segments_are_decoded_once(base, identifier):
    quoted = urllib.parse.quote(identifier, safe="")
    made = put(base, f"{quoted}/{quoted}", {"n": number(1)})
    assert made["name"] == base.name(f"{identifier}/{identifier}")
    assert base.rest("GET", f"/{quoted}/{quoted}") == made
    assert base.client.collection(identifier).document(identifier).get().exists


def test_parentheses_of_the_default_database_may_be_encoded(base):
    put(base, "c/d", {"n": number(1)})
    url = f"{base.server.addresses['firestore']}/v1/{base.name('c/d')}".replace(
        "(default)", "%28default%29"
    )
    assert requests.get(url, timeout=30).json()["name"] == base.name("c/d")


def test_rest_and_grpc_share_their_documents(base):
    base.client.document("c/d").set({"n": 5})
    assert fields(base, "c/d") == {"n": number(5)}
    put(base, "c/e", {"n": number(6)})
    assert base.client.document("c/e").get().to_dict() == {"n": 6}


def test_key_and_alt_parameters_are_allowed(base):
    put(base, "c/d", {}, params={"key": "any", "alt": "json", "prettyPrint": "false"})
    base.rest("GET", "/c/d", params={"key": "any", "$alt": "json"})


def test_read_time(base):
    first = put(base, "c/d", {"n": number(1)})["updateTime"]
    put(base, "c/d", {"n": number(2)})
    assert base.rest("GET", "/c/d", params={"readTime": first})["fields"] == {"n": number(1)}


# MARK: Lists


def listed(base, path: str, **params) -> list[str]:
    """The names of all pages."""
    names = []
    while True:
        answer = base.rest("GET", path, params=params)
        documents = answer.get("documents", [])
        assert len(documents) <= params.get("pageSize", 1000)
        names += [base.path(document["name"]) for document in documents]
        if not answer.get("nextPageToken"):
            return names
        params["pageToken"] = answer["nextPageToken"]


@pytest.mark.parametrize("page_size", [1, 3, 4, 100])
def test_documents_are_listed_by_pages(base, page_size):
    for n in range(7):
        put(base, f"c/{n}", {"n": number(n % 3)})
    put(base, "c/1/x/y", {})
    assert listed(base, "/c", pageSize=page_size) == [f"c/{n}" for n in range(7)]
    assert listed(base, "/c", pageSize=page_size, orderBy="n desc") == [
        "c/5",
        "c/2",
        "c/4",
        "c/1",
        "c/6",
        "c/3",
        "c/0",
    ]
    assert listed(base, "/c", pageSize=page_size, orderBy="n desc, __name__") == [
        "c/2",
        "c/5",
        "c/1",
        "c/4",
        "c/0",
        "c/3",
        "c/6",
    ]
    assert listed(base, "/c/1/x") == ["c/1/x/y"]


def test_missing_documents_are_shown_on_demand(base):
    put(base, "c/a/x/y", {})
    put(base, "c/b", {"n": number(1)})
    assert listed(base, "/c") == ["c/b"]
    assert listed(base, "/c", showMissing="True", pageSize=1) == ["c/a", "c/b"]
    assert listed(base, "/c", showMissing="true", pageSize=1) == ["c/a", "c/b"]
    [missing, _] = base.rest("GET", "/c", params={"showMissing": "true"})["documents"]
    assert set(missing) == {"name"}


def test_list_with_a_mask(base):
    put(base, "c/a", {"n": number(1), "m": number(2)})
    [document] = base.rest("GET", "/c", params={"mask.fieldPaths": "m"})["documents"]
    assert document["fields"] == {"m": number(2)}


def test_empty_list_is_an_empty_object(base):
    assert base.rest("GET", "/c") == {}


@pytest.mark.parametrize(
    "params",
    [{"pageSize": -1}, {"pageSize": "x"}, {"pageToken": "nonsense"}, {"orderBy": "n sideways"}],
)
def test_list_with_bad_parameters_is_refused(base, params):
    put(base, "c/a", {"n": number(1)})
    assert base.refused("GET", "/c", 400, params=params) == "INVALID_ARGUMENT"


def test_collection_ids(base):
    for path in ("b/1", "a/1", "a/1/z/1", "a/1/y/1"):
        put(base, path, {})
    assert base.rest("POST", ":listCollectionIds", json={})["collectionIds"] == ["a", "b"]
    assert base.rest("POST", "/a/1:listCollectionIds", json={})["collectionIds"] == ["y", "z"]
    first = base.rest("POST", ":listCollectionIds", json={"pageSize": 1})
    second = base.rest(
        "POST", ":listCollectionIds", json={"pageSize": 1, "pageToken": first["nextPageToken"]}
    )
    assert first["collectionIds"] + second["collectionIds"] == ["a", "b"]
    assert base.rest("POST", "/b/1:listCollectionIds", json={}).get("collectionIds", []) == []


# MARK: Streams as arrays


def test_batch_get_is_an_array(base):
    put(base, "c/a", {"n": number(1), "m": number(2)})
    answer = base.rest(
        "POST",
        ":batchGet",
        json={
            "documents": [base.name("c/a"), base.name("c/none"), base.name("c/a")],
            "mask": {"fieldPaths": ["n"]},
        },
    )
    assert isinstance(answer, list) and len(answer) == 2
    [found] = [each for each in answer if "found" in each]
    [missing] = [each for each in answer if "missing" in each]
    assert found["found"]["name"] == base.name("c/a") and found["found"]["fields"] == {
        "n": number(1)
    }
    assert found["found"]["createTime"] and found["found"]["updateTime"]
    assert missing["missing"] == base.name("c/none")
    assert all(RFC3339.fullmatch(each["readTime"]) for each in answer)


def query(collection: str, **more) -> dict:
    return {"structuredQuery": {"from": [{"collectionId": collection}], **more}}


def test_run_query_is_an_array(base):
    for n in range(5):
        put(base, f"c/{n}", {"n": number(n)})
    put(base, "c/1/d/x", {"n": number(9)})
    answer = base.rest(
        "POST",
        ":runQuery",
        json=query(
            "c",
            where={
                "compositeFilter": {
                    "op": "AND",
                    "filters": [
                        {
                            "fieldFilter": {
                                "field": {"fieldPath": "n"},
                                "op": "GREATER_THAN",
                                "value": number(0),
                            }
                        },
                        {
                            "fieldFilter": {
                                "field": {"fieldPath": "n"},
                                "op": "LESS_THAN",
                                "value": {"doubleValue": 4},
                            }
                        },
                    ],
                }
            },
            orderBy=[{"field": {"fieldPath": "n"}, "direction": "DESCENDING"}],
            limit=2,
            offset=1,
        ),
    )
    assert isinstance(answer, list)
    assert [base.path(each["document"]["name"]) for each in answer if "document" in each] == [
        "c/2",
        "c/1",
    ]
    assert all(each["readTime"] for each in answer if "document" in each)
    answer = base.rest(
        "POST", "/c/1:runQuery", json=query("d", select={"fields": [{"fieldPath": "__name__"}]})
    )
    assert [base.path(each["document"]["name"]) for each in answer] == ["c/1/d/x"]


def test_empty_query_answers_a_read_time(base):
    [answer] = base.rest("POST", ":runQuery", json=query("none"))
    assert set(answer) == {"readTime", "done"} and answer["done"] is True


def test_run_aggregation_query_is_an_array(base):
    for n in range(4):
        put(base, f"c/{n}", {"n": number(n)})
    [answer] = base.rest(
        "POST",
        ":runAggregationQuery",
        json={
            "structuredAggregationQuery": {
                **query("c"),
                "aggregations": [
                    {"alias": "all", "count": {}},
                    {"alias": "two", "count": {"upTo": "2"}},
                    {"alias": "sum", "sum": {"field": {"fieldPath": "n"}}},
                    {"avg": {"field": {"fieldPath": "n"}}},
                ],
            }
        },
    )
    assert answer["result"]["aggregateFields"] == {
        "all": number(4),
        "two": number(2),
        "sum": number(6),
        "field_1": {"doubleValue": 1.5},
    }
    assert set(answer) == {"result", "readTime", "done"} and answer["done"] is True


def test_error_of_a_streaming_call_has_the_envelope(base):
    assert (
        base.refused("POST", ":runQuery", 400, json={"structuredQuery": {"offset": -1}})
        == "INVALID_ARGUMENT"
    )
    assert base.refused("POST", ":batchGet", 400, json={"documents": ["x"]}) == "INVALID_ARGUMENT"


def test_partition_query(base):
    for n in range(60):
        put(base, f"x/{n % 3}/g/{n:02}", {})
    answer = base.rest(
        "POST",
        ":partitionQuery",
        json={
            "structuredQuery": {
                "from": [{"collectionId": "g", "allDescendants": True}],
                "orderBy": [{"field": {"fieldPath": "__name__"}, "direction": "ASCENDING"}],
            },
            "partitionCount": "3",
        },
    )
    cuts = [cut["values"][0]["referenceValue"] for cut in answer.get("partitions", [])]
    assert len(cuts) <= 3 and cuts == sorted(cuts)


# MARK: Commits and transactions


def test_commit(base):
    answer = base.rest(
        "POST",
        ":commit",
        json={
            "writes": [
                {"update": {"name": base.name("c/a"), "fields": {"n": number(1)}}},
                {
                    "update": {"name": base.name("c/a"), "fields": {"m": number(1)}},
                    "updateMask": {"fieldPaths": ["m"]},
                    "updateTransforms": [
                        {"fieldPath": "n", "increment": number(4)},
                        {"fieldPath": "t", "setToServerValue": "REQUEST_TIME"},
                    ],
                    "currentDocument": {"exists": True},
                },
                {"delete": base.name("c/b")},
            ]
        },
    )
    assert len(answer["writeResults"]) == 3 and RFC3339.fullmatch(answer["commitTime"])
    results = answer["writeResults"][1]["transformResults"]
    assert results[0] == number(5)
    assert "updateTime" not in answer["writeResults"][2]
    got = fields(base, "c/a")
    assert got == {"n": number(5), "m": number(1), "t": results[1]}


def test_commit_is_atomic(base):
    assert (
        base.refused(
            "POST",
            ":commit",
            404,
            json={
                "writes": [
                    {"update": {"name": base.name("c/a"), "fields": {}}},
                    {
                        "update": {"name": base.name("c/b"), "fields": {}},
                        "currentDocument": {"exists": True},
                    },
                ]
            },
        )
        == "NOT_FOUND"
    )
    assert base.refused("GET", "/c/a", 404) == "NOT_FOUND"


def test_verify_in_a_commit(base):
    put(base, "c/a", {})
    body = {
        "writes": [
            {"verify": base.name("c/a"), "currentDocument": {"updateTime": "2000-01-01T00:00:00Z"}},
            {"update": {"name": base.name("c/b"), "fields": {}}},
        ]
    }
    assert base.refused("POST", ":commit", 400, json=body) == "FAILED_PRECONDITION"
    assert base.refused("GET", "/c/b", 404) == "NOT_FOUND"


def test_transaction(base):
    put(base, "c/a", {"n": number(1)})
    transaction = base.rest("POST", ":beginTransaction", json={"options": {"readWrite": {}}})[
        "transaction"
    ]
    [answer] = base.rest(
        "POST", ":batchGet", json={"documents": [base.name("c/a")], "transaction": transaction}
    )
    assert answer["found"]["fields"] == {"n": number(1)}
    assert base.rest("GET", "/c/a", params={"transaction": transaction})["fields"] == {
        "n": number(1)
    }
    write = {
        "writes": [{"update": {"name": base.name("c/a"), "fields": {"n": number(2)}}}],
        "transaction": transaction,
    }
    base.rest("POST", ":commit", json=write)
    assert base.refused("POST", ":commit", 400, json=write) == "INVALID_ARGUMENT"
    assert fields(base, "c/a") == {"n": number(2)}


def test_batch_get_begins_a_transaction(base):
    answer = base.rest(
        "POST",
        ":batchGet",
        json={"documents": [base.name("c/a")], "newTransaction": {"readWrite": {}}},
    )
    assert answer[0]["transaction"]
    assert base.rest("POST", ":rollback", json={"transaction": answer[0]["transaction"]}) == {}


def test_batch_write(base):
    answer = base.rest(
        "POST",
        ":batchWrite",
        json={
            "writes": [
                {"update": {"name": base.name("c/a"), "fields": {}}},
                {
                    "update": {"name": base.name("c/b"), "fields": {}},
                    "currentDocument": {"exists": True},
                },
            ]
        },
    )
    assert [status.get("code", 0) for status in answer["status"]] == [0, 5]
    assert len(answer["writeResults"]) == 2 and answer["writeResults"][0]["updateTime"]


# MARK: Errors


@pytest.mark.parametrize(
    "body",
    [
        '{"fields":',
        "[]",
        '"text"',
        '{"fields":{"a":{"integerValue":"x"}}}',
        '{"fields":{"a":{"integerValue":"9223372036854775808"}}}',
        '{"fields":{"a":{"noSuchValue":1}}}',
        '{"unknown":1}',
        '{"fields":{"a":1}}',
        '{"fields":{"a":{"timestampValue":"today"}}}',
        '{"fields":{"a":{"bytesValue":"*"}}}',
        '{"fields":{"a":{"stringValue":"x","integerValue":"1"}}}',
        '{"fields":{"a":{"geoPointValue":{"latitude":100,"longitude":0}}}}',
        '{"fields":{"__x__":{"nullValue":null}}}',
        '{"fields":{"a":{"doubleValue":"many"}}}',
    ],
)
def test_body_that_cannot_be_read_is_refused(base, body):
    assert base.refused("PATCH", "/c/d", 400, data=body) == "INVALID_ARGUMENT"
    assert base.refused("GET", "/c/d", 404) == "NOT_FOUND"


@pytest.mark.parametrize(
    "path", ["/c/__x__", "/c/..%2F", "/c/" + "x" * 1501, "/__c__/d"], ids=lambda path: path[:10]
)
def test_name_that_is_not_allowed_is_refused(base, path):
    assert base.refused("PATCH", path, 400, json={}) == "INVALID_ARGUMENT"


def test_unknown_verbs_and_paths_are_refused(base):
    assert base.refused("POST", ":nothing", 404, json={}) == "NOT_FOUND"
    assert base.refused("POST", ":executePipeline", 501, json={}) == "UNIMPLEMENTED"


def test_path_without_a_collection_leads_nowhere(base):
    assert base.refused("GET", "", 404) == "NOT_FOUND"
    assert base.refused("POST", "", 404, json={}) == "NOT_FOUND"


def test_document_is_not_created_below_a_collection(base):
    assert base.refused("POST", "/c/a", 400, json={}) == "INVALID_ARGUMENT"


def test_bad_transactions_are_refused(base):
    body = {"documents": [base.name("c/d")], "transaction": "AAAA"}
    assert base.refused("POST", ":batchGet", 400, json=body) == "INVALID_ARGUMENT"
    assert (
        base.refused("POST", ":batchGet", 400, json={**body, "transaction": "*"})
        == "INVALID_ARGUMENT"
    )


def test_document_that_is_too_large_is_refused(base):
    assert (
        base.refused("PATCH", "/c/d", 400, json={"fields": {"a": text("x" * 1_048_576)}})
        == "INVALID_ARGUMENT"
    )
    put(base, "c/d", {"a": text("x" * 1_000_000)})


# MARK: What the emulator adds


def test_health(base):
    reply = requests.get(base.server.addresses["firestore"] + "/", timeout=30)
    assert (reply.status_code, reply.text.strip()) == (200, OK_BODY)
    assert reply.headers["Content-Type"].startswith("text/plain")


def test_clearing_a_database_leaves_others_alone(hearth, base):
    other, second = Firestore(hearth), Firestore(hearth, base.project, "second")
    for each in (base, other, second):
        put(each, "c/d", {})
        put(each, "c/d/e/f", {})
    reply = base.control("DELETE", "/databases/(default)/documents")
    assert reply.status_code == 200
    assert base.rest("GET", "/c", params={"showMissing": "true"}) == {}
    assert base.rest("POST", ":listCollectionIds", json={}) == {}
    assert fields(other, "c/d") == fields(second, "c/d") == {}
    put(base, "c/d", {"n": number(1)})
    assert fields(base, "c/d") == {"n": number(1)}


def test_clearing_an_empty_database_succeeds(base):
    assert base.control("DELETE", "/databases/(default)/documents").status_code == 200
