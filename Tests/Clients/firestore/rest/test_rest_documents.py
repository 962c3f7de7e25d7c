"""Firestore over REST to the letter: values, names, lists, errors (sdk-wire B.6, B.7)."""

import json
import re
import urllib.parse

import pytest
import requests

from support.server import Server
from support.firestore.project import STORY_RULES, Firestore, base, forged, guard

RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z")


def text(value: str) -> dict:
    return {"stringValue": value}


def number(value: int) -> dict:
    return {"integerValue": str(value)}


def put(base, path: str, fields: dict, **more) -> dict:
    return base.rest("PATCH", f"/{path}", json={"fields": fields}, **more)


def fields(base, path: str) -> dict:
    return base.rest("GET", f"/{path}").get("fields", {})


def listed(answer: dict) -> list[str]:
    return [document["name"].rsplit("/", 1)[1] for document in answer.get("documents", [])]


def from_(collection: str, **more) -> dict:
    return {"structuredQuery": {"from": [{"collectionId": collection}], **more}}


def found(base, answer: list) -> list[str]:
    return [base.path(each["document"]["name"]) for each in answer if "document" in each]


# MARK: Errors

def test_error_is_an_object_of_code_message_and_status(base):
    answer = base.rest("GET", "/c/none", 404)
    assert set(answer) == {"error"} and set(answer["error"]) >= {"code", "message", "status"}
    assert answer["error"]["code"] == 404 and answer["error"]["status"] == "NOT_FOUND"
    assert answer["error"]["message"] == f'Document "{base.name("c/none")}" not found.'


def aborted(base) -> tuple:
    base.switch(transactions="optimistic")
    put(base, "c/d", {})
    transaction = base.rest("POST", ":beginTransaction", json={})["transaction"]
    base.rest("GET", "/c/d", params={"transaction": transaction})
    put(base, "c/d", {"n": number(1)})
    return "POST", ":commit", {"json": {"transaction": transaction, "writes": [
        {"delete": base.name("c/d")}]}}


STATUSES = {
    "invalid argument": (400, "INVALID_ARGUMENT", lambda b: ("PATCH", "/c/__x__", {"json": {}})),
    "failed precondition": (400, "FAILED_PRECONDITION", lambda b: (
        "DELETE", "/c/d?currentDocument.updateTime=2000-01-01T00:00:00Z", {})),
    "unauthenticated": (401, "UNAUTHENTICATED", lambda b: ("GET", "/c/d", {"token": forged(b.sign_up()[1])})),
    "permission denied": (403, "PERMISSION_DENIED", lambda b: (
        "POST", ":listCollectionIds", {"token": None, "json": {}})),
    "not found": (404, "NOT_FOUND", lambda b: ("DELETE", "/c/d?currentDocument.exists=true", {})),
    "aborted": (409, "ABORTED", aborted),
    "unimplemented": (501, "UNIMPLEMENTED", lambda b: ("POST", ":executePipeline", {"json": {}})),
}


@pytest.mark.parametrize("name", STATUSES)
def test_http_status_of_each_code(base, name):
    code, status, request = STATUSES[name]
    method, path, options = request(base)
    assert base.refused(method, path, code, **options) == status


@pytest.mark.parametrize("authorization", [
    "Basic b3duZXI6", "owner", "Bearer", "Bearer ", "Bearer  ", "Bearer owner x", "Token owner"])
def test_what_is_not_a_token_is_an_invalid_argument(base, authorization):
    reply = requests.get(
        f"{base.server.addresses['firestore']}/v1/{base.name('c/d')}", timeout=15,
        headers={"Authorization": authorization})
    assert reply.status_code == 400
    assert reply.json()["error"] == {"code": 400, "message": "invalid jwt", "status": "INVALID_ARGUMENT"}


# MARK: Values

ACCEPTED = {
    "integer as a number": ({"integerValue": -7}, {"integerValue": "-7"}),
    "largest integer": ({"integerValue": "9223372036854775807"},) * 2,
    "double that is whole": ({"doubleValue": 1e3}, {"doubleValue": 1000}),
    "double beyond integers": ({"doubleValue": 1e300},) * 2,
    "smallest double": ({"doubleValue": 5e-324},) * 2,
    "third of a double": ({"doubleValue": 0.1},) * 2,
    "infinity": ({"doubleValue": "Infinity"},) * 2,
    "bool as text": ({"booleanValue": "true"}, {"booleanValue": True}),
    "text as a number": ({"stringValue": 5.5}, {"stringValue": "5.5"}),
    "text as a bool": ({"stringValue": False}, {"stringValue": "false"}),
    "integer with an empty fraction": ({"integerValue": "2.0"}, {"integerValue": "2"}),
    "time without fraction": ({"timestampValue": "2024-01-01T00:00:00Z"},) * 2,
    "time of milliseconds": ({"timestampValue": "2024-01-01T00:00:00.120Z"},) * 2,
    "time with an offset": (
        {"timestampValue": "2024-01-01T00:00:00-01:30"},
        {"timestampValue": "2024-01-01T01:30:00Z"}),
    "last time": (
        {"timestampValue": "9999-12-31T23:59:59.999999999Z"},
        {"timestampValue": "9999-12-31T23:59:59.999999Z"}),
    "base64 without padding": ({"bytesValue": "AP8"}, {"bytesValue": "AP8="}),
    "null by name": ({"nullValue": "NULL_VALUE"}, {"nullValue": None}),
    "point at the origin": (
        {"geoPointValue": {"latitude": 0, "longitude": 0}}, {"geoPointValue": {}}),
    "point without members": ({"geoPointValue": {}},) * 2,
    "array in a map in an array": (
        {"arrayValue": {"values": [{"mapValue": {"fields": {"a": {"arrayValue": {}}}}}]}},) * 2,
    "vector": ({"mapValue": {"fields": {
        "__type__": {"stringValue": "__vector__"},
        "value": {"arrayValue": {"values": [{"doubleValue": 1.5}, {"doubleValue": -2}]}}}}},) * 2,
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_value_is_answered_in_its_canonical_form(base, name):
    sent, stored = ACCEPTED[name]
    put(base, "c/d", {"v": sent})
    got = fields(base, "c/d")["v"]
    if "geoPointValue" in stored:
        point = got["geoPointValue"]
        assert point.get("latitude", 0) == point.get("longitude", 0) == 0
    else:
        assert got == stored


REFUSED = {
    "no member": {}, "two members": {"booleanValue": True, "nullValue": None},
    "integer with a fraction": {"integerValue": "1.5"}, "empty integer": {"integerValue": ""},
    "integer below the smallest": {"integerValue": "-9223372036854775809"},
    "bool as a word": {"booleanValue": "yes"}, "bool as a number": {"booleanValue": 1},
    "text as an object": {"stringValue": {}},
    "double as a word": {"doubleValue": "one"},
    "time without a zone": {"timestampValue": "2024-01-01T00:00:00"},
    "time of another calendar": {"timestampValue": "2024-13-01T00:00:00Z"},
    "time of the year zero": {"timestampValue": "0000-12-31T23:59:59Z"},
    "bytes that are none": {"bytesValue": "a b*"},
    "point beyond the pole": {"geoPointValue": {"latitude": 90.1, "longitude": 0}},
    "point that is no number": {"geoPointValue": {"latitude": "NaN", "longitude": 0}},
    "reference without documents": {"referenceValue": "c/d"},
    "array in an array": {"arrayValue": {"values": [{"arrayValue": {}}]}},
    "array of plain values": {"arrayValue": {"values": [1]}},
    "array as a list": {"arrayValue": []},
    "map of plain values": {"mapValue": {"fields": {"a": 1}}},
    "vector of texts": {"mapValue": {"fields": {
        "__type__": {"stringValue": "__vector__"},
        "value": {"arrayValue": {"values": [{"stringValue": "x"}]}}}}},
    "unknown member": {"int": "5"},
}


@pytest.mark.parametrize("name", REFUSED)
def test_value_that_is_none_is_refused(base, name):
    assert base.refused("PATCH", "/c/d", 400, json={"fields": {"v": REFUSED[name]}}) == (
        "INVALID_ARGUMENT")
    assert base.refused("GET", "/c/d", 404) == "NOT_FOUND"


def test_null_is_written_as_null(base):
    put(base, "c/d", {"v": {"nullValue": None}})
    url = f"{base.server.addresses['firestore']}/v1/{base.name('c/d')}"
    assert re.search(r'"nullValue"\s*:\s*null', requests.get(url, timeout=15).text)


def test_times_of_documents_and_answers(base):
    made = put(base, "c/d", {})
    assert RFC3339.fullmatch(made["createTime"]) and RFC3339.fullmatch(made["updateTime"])
    [answer] = base.rest("POST", ":batchGet", json={"documents": [base.name("c/d")]})
    assert RFC3339.fullmatch(answer["readTime"]) and answer["readTime"] >= made["updateTime"]
    commit = base.rest("POST", ":commit", json={"writes": [{"delete": base.name("c/d")}]})
    assert RFC3339.fullmatch(commit["commitTime"])


# MARK: Names

@pytest.mark.parametrize("identifier", [
    "a:b", "d:runQuery", ":", "a%2Fb", " ", "e\u0301", "é", "漢字", "a\u200bb", "~!$&'()*+,;=@", "-",
    "%", "\\", "\t", "a.b.c", "...", "__", "___", "__x", "x__", "__id7__", "(default)",
    "documents"], ids=ascii)
def test_identifier_is_kept_as_it_is(base, identifier):
    quoted = urllib.parse.quote(identifier, safe="")
    made = put(base, f"c/{quoted}", {"n": number(1)})
    assert made["name"] == base.name(f"c/{identifier}")
    assert base.rest("GET", f"/c/{quoted}") == made
    assert listed(base.rest("GET", "/c")) == [identifier]
    [answer] = base.rest("POST", ":batchGet", json={"documents": [made["name"]]})
    assert answer["found"]["name"] == made["name"]
    assert base.rest("DELETE", f"/c/{quoted}") == {}
    created = base.rest("POST", "/c", params={"documentId": identifier}, json={})
    assert created["name"] == made["name"]
    below = put(base, f"c/{quoted}/{quoted}/x", {})
    assert below["name"] == base.name(f"c/{identifier}/{identifier}/x")
    answer = base.rest("POST", f"/c/{quoted}:listCollectionIds", json={})
    assert answer["collectionIds"] == [identifier]


def test_two_writings_of_one_letter_are_two_documents(base):
    for n, identifier in enumerate(["é", "e\u0301"]):
        put(base, f"c/{urllib.parse.quote(identifier)}", {"n": number(n)})
    assert fields(base, "c/" + urllib.parse.quote("é")) == {"n": number(0)}
    assert listed(base.rest("GET", "/c")) == ["e\u0301", "é"]


def test_colon_need_not_be_encoded(base):
    put(base, "c/a:b", {"n": number(1)})
    assert fields(base, "c/a%3Ab") == {"n": number(1)}
    assert base.rest("GET", "/c/a:b")["name"] == base.name("c/a:b")


def test_query_below_a_document_with_a_colon(base):
    put(base, "c/a:b/d/e", {"n": number(1)})
    answer = base.rest("POST", "/c/a:b:runQuery", json=from_("d"))
    assert found(base, answer) == ["c/a:b/d/e"]
    answer = base.rest("POST", "/c/a%3Ab:runQuery", json=from_("d"))
    assert found(base, answer) == ["c/a:b/d/e"]


@pytest.mark.parametrize("identifier", ["", ".", "..", "__x__", "____", "a/b", "x" * 1501],
                         ids=["empty", "dot", "dots", "reserved", "lines", "slash", "long"])
def test_created_document_needs_a_valid_identifier(base, identifier):
    if identifier == "":
        made = base.rest("POST", "/c", params={"documentId": ""}, json={})
        assert re.fullmatch("[A-Za-z0-9]{20}", made["name"].rsplit("/", 1)[1])
        return
    status = base.refused("POST", "/c", 400, params={"documentId": identifier}, json={})
    assert status == "INVALID_ARGUMENT"


@pytest.mark.parametrize("path", ["/c/", "/c//d", "/c/%2E%2E", "/c/a%2Fb", "/%2E/d"])
def test_path_with_an_invalid_segment_is_refused(base, path):
    assert base.refused("PATCH", path, 400, json={}) == "INVALID_ARGUMENT"


@pytest.mark.parametrize("method", ["PATCH", "DELETE"])
def test_collection_is_no_document(base, method):
    assert base.refused(method, "/c", 400, json={}) == "INVALID_ARGUMENT"


def test_name_of_more_than_six_kibibytes_is_refused(base):
    path = "/".join(["x" * 1400] * 6)
    assert base.refused("PATCH", f"/{path}", 400, json={}) == "INVALID_ARGUMENT"


def test_document_below_a_hundred_documents_is_refused(base):
    assert base.refused("PATCH", "/" + "/".join(["c", "d"] * 101), 400, json={}) == (
        "INVALID_ARGUMENT")


# MARK: Create, change, delete

def test_create_takes_no_notice_of_what_the_server_sets(base):
    made = base.rest("POST", "/c", params={"documentId": "d", "mask.fieldPaths": "a"}, json={
        "fields": {"a": number(1), "b": number(2)},
        "createTime": "2000-01-01T00:00:00Z", "updateTime": "2000-01-01T00:00:00Z"})
    assert made["name"] == base.name("c/d") and made["fields"] == {"a": number(1)}
    assert made["createTime"] > "2001"
    assert fields(base, "c/d") == {"a": number(1), "b": number(2)}
    assert base.refused("POST", "/c", 400, json={"name": base.name("x/y")}) == "INVALID_ARGUMENT"
    assert base.refused("GET", "/x/y", 404) == "NOT_FOUND"


def test_create_without_a_body_makes_an_empty_document(base):
    made = base.rest("POST", "/c", params={"documentId": "d"})
    assert made["name"] == base.name("c/d") and not made.get("fields")
    made = base.rest("PATCH", "/c/e")
    assert made["name"] == base.name("c/e") and not made.get("fields")


def test_existing_document_is_named_in_the_refusal(base):
    put(base, "c/d", {})
    error = base.rest("POST", "/c?documentId=d", 409, json={})["error"]
    assert error["status"] == "ALREADY_EXISTS" and base.name("c/d") in error["message"]


MASKS = {
    "nested": (["a.b"], {"a": {"mapValue": {"fields": {"b": number(9), "z": number(9)}}}},
               {"a": {"mapValue": {"fields": {"b": number(9), "c": number(2)}}}, "x.y": number(3)}),
    "absent is deleted": (["a.b", "`x.y`"], {},
                          {"a": {"mapValue": {"fields": {"c": number(2)}}}}),
    "quoted below plain": (["a.`d e`.`f.g`"], {"a": {"mapValue": {"fields": {
        "d e": {"mapValue": {"fields": {"f.g": number(5)}}}}}}},
        {"a": {"mapValue": {"fields": {"b": number(1), "c": number(2), "d e": {
            "mapValue": {"fields": {"f.g": number(5)}}}}}}, "x.y": number(3)}),
    "escaped": (["`\\`\\\\`"], {"`\\": number(6)},
                {"a": {"mapValue": {"fields": {"b": number(1), "c": number(2)}}},
                 "x.y": number(3), "`\\": number(6)}),
    "whole map": (["a"], {"a": {"mapValue": {"fields": {"q": number(7)}}}},
                  {"a": {"mapValue": {"fields": {"q": number(7)}}}, "x.y": number(3)}),
    "through a number": (["`x.y`.k"], {"x.y": {"mapValue": {"fields": {"k": number(8)}}}},
                         {"a": {"mapValue": {"fields": {"b": number(1), "c": number(2)}}},
                          "x.y": {"mapValue": {"fields": {"k": number(8)}}}}),
    "not named": (["other"], {"a": number(1)},
                  {"a": {"mapValue": {"fields": {"b": number(1), "c": number(2)}}},
                   "x.y": number(3)}),
}


@pytest.mark.parametrize("name", MASKS)
def test_update_mask_names_what_changes(base, name):
    mask, given, expected = MASKS[name]
    put(base, "c/d", {"a": {"mapValue": {"fields": {"b": number(1), "c": number(2)}}},
                      "x.y": number(3)})
    answer = put(base, "c/d", given, params={"updateMask.fieldPaths": mask})
    assert answer["fields"] == fields(base, "c/d") == expected


@pytest.mark.parametrize("path", ["a..b", "`a", "a b", "a`b`", "1a", "*", "a.", "__name__"])
def test_mask_that_is_no_path_is_refused(base, path):
    put(base, "c/d", {"a": number(1)})
    params = {"updateMask.fieldPaths": path}
    assert base.refused("PATCH", "/c/d", 400, params=params, json={}) == "INVALID_ARGUMENT"
    assert fields(base, "c/d") == {"a": number(1)}


def test_commit_with_an_empty_mask_touches_nothing(base):
    write = {"update": {"name": base.name("c/d"), "fields": {"n": number(1)}}, "updateMask": {}}
    base.rest("POST", ":commit", json={"writes": [write]})
    assert fields(base, "c/d") == {}
    put(base, "c/d", {"m": number(2)})
    base.rest("POST", ":commit", json={"writes": [write]})
    assert fields(base, "c/d") == {"m": number(2)}


@pytest.mark.parametrize("exists, condition, status", [
    (True, "false", 409), (False, "false", 200), (True, "true", 200), (False, "true", 404)],
    ids=["there but must not", "missing and must", "there and must", "missing but must not"])
def test_delete_with_a_condition_of_existence(base, exists, condition, status):
    if exists:
        put(base, "c/d", {})
    base.rest("DELETE", "/c/d", status, params={"currentDocument.exists": condition})


@pytest.mark.parametrize("params", [
    {"currentDocument.exists": "maybe"}, {"currentDocument.updateTime": "yesterday"}],
    ids=["exists", "time"])
def test_condition_that_cannot_be_read_is_refused(base, params):
    assert base.refused("PATCH", "/c/d", 400, params=params, json={}) == "INVALID_ARGUMENT"
    assert base.refused("DELETE", "/c/d", 400, params=params) == "INVALID_ARGUMENT"


def test_condition_of_the_time_counts_microseconds(base):
    made = put(base, "c/d", {})
    head, _, fraction = made["updateTime"].removesuffix("Z").partition(".")
    micro = int((fraction + "000000")[:6])
    if micro > 0:
        assert base.refused("PATCH", "/c/d", 400, json={}, params={
            "currentDocument.updateTime": f"{head}.{micro - 1:06}Z"}) == "FAILED_PRECONDITION"
    if micro < 999999:
        assert base.refused("PATCH", "/c/d", 400, json={}, params={
            "currentDocument.updateTime": f"{head}.{micro + 1:06}Z"}) == "INVALID_ARGUMENT"
    same = f"{head}.{micro:06}000+00:00"
    put(base, "c/d", {"n": number(1)}, params={"currentDocument.updateTime": same})


# MARK: Lists

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
def test_pages_go_on_behind_the_last_document(base, change, show_missing):
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
    "plain": ("n", "bca"), "ascending": ("n asc", "bca"), "descending": ("n desc", "acb"),
    "large letters": ("n DESC", "acb"), "nested": ("m.x desc", "bac"),
    "two": ("k desc, n", "bca"), "blanks": ("k desc ,  n  ", "bca"),
    "two that descend": ("k desc, n desc", "bac"), "quoted": ("`n` desc", "acb"),
    "name": ("__name__", "abc"), "missing field": ("zzz", ""),
}


@pytest.mark.parametrize("name", ORDERS)
def test_list_in_an_order(base, name):
    order, expected = ORDERS[name]
    for identifier, n, k, x in (("a", 3, 1, 5), ("b", 1, 2, 9), ("c", 2, 1, 1)):
        put(base, f"c/{identifier}", {
            "n": number(n), "k": number(k), "m": {"mapValue": {"fields": {"x": number(x)}}}})
    assert "".join(listed(base.rest("GET", "/c", params={"orderBy": order}))) == expected


@pytest.mark.parametrize("order, status", [
    ("__name__ desc", "FAILED_PRECONDITION"), (" n", "INVALID_ARGUMENT"),
    ("__name__, n", "INVALID_ARGUMENT"), ("n,", "INVALID_ARGUMENT")])
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
        "INVALID_ARGUMENT")
    assert base.refused("GET", "/c", 403, token=None, params={"showMissing": "true"}) == (
        "PERMISSION_DENIED")
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
        answer = base.rest("POST", "/p/q:listCollectionIds", json={
            "pageSize": page_size, "pageToken": token})
        page = answer.get("collectionIds", [])
        assert len(page) <= page_size
        seen += page
        token = answer.get("nextPageToken", "")
        if not token:
            break
    assert seen == ["Z", "a", "b", "c:d", "é"]


@pytest.mark.parametrize("body", [
    {"pageSize": -1}, {"pageToken": "*"}, {"pageSize": "x"}], ids=["size", "token", "text"])
def test_collection_ids_with_bad_parameters(base, body):
    assert base.refused("POST", ":listCollectionIds", 400, json=body) == "INVALID_ARGUMENT"


# MARK: Batches and commits

def test_batch_get_answers_in_an_array_each_once(base):
    put(base, "c/a", {"n": number(1), "x.y": number(2)})
    answer = base.rest("POST", ":batchGet", json={
        "documents": [base.name("c/a"), base.name("c/b"), base.name("c/a")],
        "mask": {"fieldPaths": ["`x.y`"]}})
    assert len(answer) == 2
    by_kind = {"found" if "found" in each else "missing": each for each in answer}
    assert by_kind["found"]["found"]["fields"] == {"x.y": number(2)}
    assert by_kind["missing"]["missing"] == base.name("c/b")
    assert len({each["readTime"] for each in answer}) == 1


def test_batch_get_of_the_past(base):
    at = put(base, "c/a", {"n": number(1)})["updateTime"]
    put(base, "c/a", {"n": number(2)})
    [answer] = base.rest("POST", ":batchGet", json={
        "documents": [base.name("c/a")], "readTime": at})
    assert answer["found"]["fields"] == {"n": number(1)} and answer["readTime"] == at


def test_transforms_of_a_commit_in_their_order(base):
    put(base, "c/d", {"n": number(5), "l": {"arrayValue": {"values": [number(1), number(2)]}}})
    answer = base.rest("POST", ":commit", json={"writes": [{
        "update": {"name": base.name("c/d"), "fields": {"n": number(10)}},
        "updateMask": {"fieldPaths": ["n"]},
        "updateTransforms": [
            {"fieldPath": "n", "increment": number(1)},
            {"fieldPath": "n", "maximum": {"doubleValue": 11.5}},
            {"fieldPath": "n", "minimum": number(3)},
            {"fieldPath": "l", "removeAllFromArray": {"values": [number(1)]}},
            {"fieldPath": "l", "appendMissingElements": {"values": [number(1), number(2)]}},
            {"fieldPath": "`a.b`.c", "increment": {"doubleValue": 0.5}},
            {"fieldPath": "t", "setToServerValue": "REQUEST_TIME"}]}]})
    [result] = answer["writeResults"]
    assert result["updateTime"] == answer["commitTime"]
    *numbers, time = result["transformResults"]
    assert numbers == [number(11), {"doubleValue": 11.5}, number(3), {"nullValue": None},
                       {"nullValue": None}, {"doubleValue": 0.5}]
    got = fields(base, "c/d")
    assert got["n"] == number(3) and got["t"] == time
    assert got["l"]["arrayValue"]["values"] == [number(2), number(1)]
    assert got["a.b"] == {"mapValue": {"fields": {"c": {"doubleValue": 0.5}}}}


@pytest.mark.parametrize("transform", [
    {"fieldPath": "n"}, {"fieldPath": "", "increment": {"integerValue": "1"}},
    {"fieldPath": "n", "setToServerValue": "SERVER_VALUE_UNSPECIFIED"},
    {"fieldPath": "n", "setToServerValue": "NOON"}, {"fieldPath": "n", "increment": {}},
    {"fieldPath": "n", "maximum": {"stringValue": "x"}},
    {"fieldPath": "__name__", "increment": {"integerValue": "1"}},
    {"fieldPath": "n", "appendMissingElements": {"values": [{"arrayValue": {}}]}}],
    ids=["none", "no path", "unspecified", "unknown", "no number", "text", "name", "nested array"])
def test_transform_that_is_invalid_is_refused(base, transform):
    body = {"writes": [{"update": {"name": base.name("c/d")}, "updateTransforms": [transform]}]}
    assert base.refused("POST", ":commit", 400, json=body) == "INVALID_ARGUMENT"
    assert base.refused("GET", "/c/d", 404) == "NOT_FOUND"


def test_results_of_a_commit_have_the_length_of_its_writes(base):
    put(base, "c/a", {})
    answer = base.rest("POST", ":commit", json={"writes": [
        {"delete": base.name("c/a")}, {"verify": base.name("c/b"), "currentDocument": {
            "exists": False}},
        {"update": {"name": base.name("c/c")}},
        {"transform": {"document": base.name("c/d"), "fieldTransforms": [
            {"fieldPath": "n", "increment": number(1)}]}}]})
    one, two, three, four = answer["writeResults"]
    assert one == {} and two == {"updateTime": answer["commitTime"]}
    assert three == {"updateTime": answer["commitTime"]}
    assert four["transformResults"] == [number(1)]


def test_empty_commit_is_empty(base):
    assert base.rest("POST", ":commit", json={}) == {}


def test_batch_write_tells_each_status(base):
    put(base, "c/there", {})
    answer = base.rest("POST", ":batchWrite", json={"labels": {"a": "b"}, "writes": [
        {"update": {"name": base.name("c/a"), "fields": {"n": number(1)}}},
        {"update": {"name": base.name("c/there")}, "currentDocument": {"exists": False}},
        {"delete": base.name("c/none"), "currentDocument": {"updateTime": "2000-01-01T00:00:00Z"}},
        {"delete": base.name("c/none2")}]})
    assert [status.get("code", 0) for status in answer["status"]] == [0, 6, 9, 0]
    assert answer["status"][0] == {} and all(
        status.get("message") for status in answer["status"] if status)
    assert len(answer["writeResults"]) == 4 and answer["writeResults"][0]["updateTime"]
    assert fields(base, "c/a") == {"n": number(1)}


def test_batch_write_of_nothing(base):
    assert base.rest("POST", ":batchWrite", json={}) == {}


# MARK: Queries as arrays

def test_query_tells_what_it_skipped(base):
    for n in range(5):
        put(base, f"c/{n}", {})
    answer = base.rest("POST", ":runQuery", json=from_("c", offset=3, limit=1))
    assert found(base, answer) == ["c/3"]
    assert sum(each.get("skippedResults", 0) for each in answer) == 3


def test_enums_of_a_query_may_be_numbers(base):
    put(base, "c/a", {"n": number(1)})
    answer = base.rest("POST", ":runQuery", json=from_(
        "c", where={"fieldFilter": {"field": {"fieldPath": "n"}, "op": 5, "value": number(1)}},
        orderBy=[{"field": {"fieldPath": "__name__"}, "direction": 2}]))
    assert found(base, answer) == ["c/a"] and answer[-1]["done"] is True


def test_whole_query_of_the_web_sdk(base):
    """As the lite SDK writes it, with nulls where nothing is set."""
    for n in range(4):
        put(base, f"c/{n}", {"n": number(n), "m": {"mapValue": {"fields": {"x y": number(n)}}}})
    answer = base.rest("POST", ":runQuery", json=from_(
        "c", where={"compositeFilter": {"op": "AND", "filters": [
            {"fieldFilter": {"field": {"fieldPath": "m.`x y`"}, "op": "GREATER_THAN_OR_EQUAL",
                             "value": number(1)}},
            {"unaryFilter": {"field": {"fieldPath": "n"}, "op": "IS_NOT_NULL"}}]}},
        orderBy=[{"field": {"fieldPath": "m.`x y`"}, "direction": "DESCENDING"},
                 {"field": {"fieldPath": "n"}, "direction": "DESCENDING"},
                 {"field": {"fieldPath": "__name__"}, "direction": "DESCENDING"}],
        startAt={"values": [number(2)], "before": True},
        endAt={"values": [number(1)], "before": False}, limit=5))
    assert found(base, answer) == ["c/2", "c/1"]
    assert all(RFC3339.fullmatch(each["readTime"]) for each in answer)


@pytest.mark.parametrize("verb", ["runQuery", "runAggregationQuery"])
def test_refused_query_has_one_error(base, verb):
    reply = requests.post(
        f"{base.server.addresses['firestore']}/v1/{base.root}:{verb}", timeout=15,
        json={"structuredQuery": {"offset": -1}} if verb == "runQuery" else {
            "structuredAggregationQuery": {"structuredQuery": {"from": [{"collectionId": "c"}]}}})
    assert reply.status_code == 400
    answer = reply.json()
    error = answer[0] if isinstance(answer, list) and len(answer) == 1 else answer
    assert error["error"]["status"] == "INVALID_ARGUMENT" and error["error"]["code"] == 400


def test_aggregates_are_values_as_any(base):
    for n in range(3):
        put(base, f"c/{n}", {"n": number(2**53 + n), "d": {"doubleValue": 0.5}})
    [answer] = base.rest("POST", ":runAggregationQuery", json={"structuredAggregationQuery": {
        **from_("c"), "aggregations": [
            {"count": {}}, {"sum": {"field": {"fieldPath": "n"}}},
            {"sum": {"field": {"fieldPath": "d"}}}, {"alias": "x", "count": {"upTo": 2}}]}})
    assert answer["result"]["aggregateFields"] == {
        "field_1": number(3), "field_2": number(3 * 2**53 + 3), "field_3": {"doubleValue": 1.5},
        "x": number(2)}


def test_partitions_cut_a_group(base):
    for n in range(30):
        put(base, f"p/{n % 2}/g/{n:02}", {})
    body = {"structuredQuery": {"from": [{"collectionId": "g", "allDescendants": True}],
                                "orderBy": [{"field": {"fieldPath": "__name__"},
                                             "direction": "ASCENDING"}]}, "partitionCount": "4"}
    answer = base.rest("POST", ":partitionQuery", json=body)
    cuts = [cut["values"][0]["referenceValue"] for cut in answer["partitions"]]
    assert cuts == sorted(cuts) and 1 <= len(cuts) <= 4
    assert base.refused("POST", ":partitionQuery", 403, token=None, json=body) == (
        "PERMISSION_DENIED")
    for count in ("0", "-1"):
        assert base.refused("POST", ":partitionQuery", 400, json={
            **body, "partitionCount": count}) == "INVALID_ARGUMENT"


def test_partitions_come_in_pages(base):
    for n in range(30):
        put(base, f"g/{n:02}", {})
    body = {"structuredQuery": {"from": [{"collectionId": "g", "allDescendants": True}],
                                "orderBy": [{"field": {"fieldPath": "__name__"},
                                             "direction": "ASCENDING"}]},
            "partitionCount": "6", "pageSize": 2}
    answer = base.rest("POST", ":partitionQuery", json=body)
    assert len(answer["partitions"]) <= 2


# MARK: Transactions

def begin(base, **options) -> str:
    return base.rest("POST", ":beginTransaction", json={"options": options})["transaction"]


@pytest.mark.parametrize("body", [
    {}, {"options": {}}, {"options": {"readWrite": {}}}, {"options": {"readOnly": {}}}],
    ids=["nothing", "no mode", "read-write", "read-only"])
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
        "n": number(1)}
    assert base.refused("GET", "/c/b", 404, params={"transaction": transaction}) == "NOT_FOUND"
    assert listed(base.rest("GET", "/c", params={"transaction": transaction})) == ["a"]
    answer = base.rest("POST", ":batchGet", json={
        "documents": [base.name("c/a"), base.name("c/b")], "transaction": transaction})
    assert {"found" in each for each in answer} == {True, False}
    assert {each["readTime"] for each in answer} == {at}
    answer = base.rest("POST", ":runQuery", json={**from_("c"), "transaction": transaction})
    assert found(base, answer) == ["c/a"]
    [answer] = base.rest("POST", ":runAggregationQuery", json={
        "transaction": transaction, "structuredAggregationQuery": {
            **from_("c"), "aggregations": [{"alias": "n", "count": {}}]}})
    assert answer["result"]["aggregateFields"] == {"n": number(1)}
    assert base.rest("POST", ":commit", json={"transaction": transaction}) == {}


def test_read_only_transaction_takes_no_writes(base):
    transaction = begin(base, readOnly={})
    assert base.refused("POST", ":commit", 400, json={
        "transaction": transaction, "writes": [{"update": {"name": base.name("c/d")}}]}) == (
        "INVALID_ARGUMENT")


NEW = {
    "batchGet": lambda base: (":batchGet", {"documents": [base.name("c/a")]}),
    "runQuery": lambda base: (":runQuery", from_("c")),
    "empty runQuery": lambda base: (":runQuery", from_("none")),
    "runAggregationQuery": lambda base: (":runAggregationQuery", {
        "structuredAggregationQuery": {**from_("c"), "aggregations": [{"count": {}}]}}),
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
    body = {"transaction": transaction, "writes": [
        {"update": {"name": base.name("c/d")}, "currentDocument": {"exists": True}}]}
    assert base.refused("POST", ":commit", 404, json=body) == "NOT_FOUND"
    assert base.refused("POST", ":commit", 400, json=body) == "INVALID_ARGUMENT"
    assert base.rest("POST", ":rollback", json={"transaction": transaction}) == {}


CONFLICTS = {
    "get": lambda base, transaction: base.rest(
        "GET", "/c/d", params={"transaction": transaction}),
    "batchGet": lambda base, transaction: base.rest("POST", ":batchGet", json={
        "documents": [base.name("c/d")], "transaction": transaction}),
    "runQuery": lambda base, transaction: base.rest("POST", ":runQuery", json={
        **from_("c"), "transaction": transaction}),
    "runAggregationQuery": lambda base, transaction: base.rest(
        "POST", ":runAggregationQuery", json={"transaction": transaction,
                                              "structuredAggregationQuery": {
                                                  **from_("c"), "aggregations": [{"count": {}}]}}),
    "list": lambda base, transaction: base.rest("GET", "/c", params={"transaction": transaction}),
}


@pytest.mark.parametrize("name", CONFLICTS)
def test_what_a_transaction_has_read_must_still_be_so(base, name):
    base.switch(transactions="optimistic")
    put(base, "c/d", {"n": number(1)})
    transaction = begin(base, readWrite={})
    CONFLICTS[name](base, transaction)
    put(base, "c/d", {"n": number(2)})
    assert base.refused("POST", ":commit", 409, json={"transaction": transaction, "writes": [
        {"update": {"name": base.name("c/sum"), "fields": {}}}]}) == "ABORTED"
    assert base.refused("GET", "/c/sum", 404) == "NOT_FOUND"


def test_time_of_the_future_is_refused(base):
    future = "2999-01-01T00:00:00Z"
    for method, path, options in [
            ("GET", "/c/d", {"params": {"readTime": future}}),
            ("POST", ":batchGet", {"json": {"documents": [base.name("c/d")], "readTime": future}}),
            ("POST", ":runQuery", {"json": {**from_("c"), "readTime": future}})]:
        assert base.refused(method, path, 400, **options) == "INVALID_ARGUMENT", path


def test_time_before_everything_is_a_failed_precondition_or_empty(base):
    """No server keeps all that was; one that does not know must not answer what is now."""
    put(base, "c/d", {})
    reply = requests.get(
        f"{base.server.addresses['firestore']}/v1/{base.name('c/d')}", timeout=15,
        params={"readTime": "2001-01-01T00:00:00Z"}, headers={"Authorization": "Bearer owner"})
    assert (reply.status_code, reply.json()["error"]["status"]) in [
        (400, "FAILED_PRECONDITION"), (404, "NOT_FOUND"), (400, "INVALID_ARGUMENT")]


# MARK: What the emulator adds

def rules_body(content: str, **more) -> dict:
    return {"rules": {"files": [{"content": content}]}, **more}


CLOSED = ("rules_version = '2'; service cloud.firestore { match /databases/{d}/documents "
          "{ match /{path=**} { allow read, write: if false; } } }")


@pytest.mark.parametrize("kind", ["application/json", "text/plain;charset=UTF-8"])
def test_rules_as_the_test_library_sends_them(base, kind):
    """Without a name of the file, and with the content type that `fetch` gives to a text."""
    reply = requests.put(
        f"{base.server.addresses['firestore']}/emulator/v1/projects/{base.project}:securityRules",
        data=json.dumps(rules_body(CLOSED)), headers={"Content-Type": kind}, timeout=15)
    assert reply.status_code == 200 and reply.json() == {}
    assert base.refused("GET", "/c/d", 403, token=None) == "PERMISSION_DENIED"


def test_issue_of_rules_has_a_place_and_a_severity(base):
    reply = base.control("PUT", ":securityRules", json=rules_body(
        "rules_version = '2'; service cloud.firestore { match /c/{d} {\nallow read: if foo; } }"))
    assert reply.status_code == 200
    assert reply.json() == {"issues": [{
        "sourcePosition": {"line": 2, "column": 16, "currentOffset": 77, "endOffset": 79},
        "description": "Invalid variable name: foo.", "severity": "WARNING"}]}


def test_rules_that_cannot_be_read_are_an_error_with_the_place(base):
    reply = base.control("PUT", ":securityRules", json=rules_body("rules_version = '2';\nnonsense"))
    assert reply.status_code == 400
    assert reply.json() == {"error": {
        "code": 400, "status": "INVALID_ARGUMENT",
        "message": "Error compiling rules:\nL2:1 'service' or 'function' is expected, found 'nonsense'"}}


def test_rules_are_read_back(base):
    default = base.control("GET", ":securityRules").json()
    assert [file["name"] for file in default["rules"]["files"]] == ["OPEN_RULES"]
    assert "issues" not in default
    base.control("PUT", ":securityRules", json={"rules": {"files": [{"name": "a", "content": CLOSED}]}})
    assert base.control("GET", ":securityRules").json() == {
        "rules": {"files": [{"content": CLOSED, "name": "a"}]}}


def test_rules_of_one_database(base):
    """They hold whatever is set for the project later, and for no other database."""
    path = "/databases/other:securityRules"
    open_rules = CLOSED.replace("false", "true")
    assert base.control("PUT", path, json=rules_body(open_rules)).json() == {}
    assert base.control("PUT", ":securityRules", json=rules_body(CLOSED)).json() == {}
    assert base.control("GET", path).json()["rules"]["files"][0]["content"] == open_rules
    assert base.control("GET", "/databases/third:securityRules").json()["rules"]["files"][0]["content"] == CLOSED
    root = f"{base.server.addresses['firestore']}/v1/projects/{base.project}/databases"
    for database, status in (("other", 404), ("third", 403), ("(default)", 403)):
        assert requests.get(f"{root}/{database}/documents/c/d", timeout=15).status_code == status


def test_issues_are_an_answer_where_errors_are_to_be_ignored(base):
    """As the command line sends rules: mistakes still answer 200, and stand in the body."""
    reply = base.control("PUT", ":securityRules", json=rules_body("nonsense", ignore_errors=True))
    assert reply.status_code == 200 and reply.json()["issues"]


def test_clearing_asks_nobody(base):
    """Neither rules nor a token, nor one that is none."""
    put(base, "c/d", {})
    base.rules(CLOSED)
    for headers in ({}, {"Authorization": "Bearer garbage"}):
        put(base, "c/d", {})
        reply = base.control("DELETE", "/databases/(default)/documents", headers=headers)
        assert reply.status_code == 200
        assert base.rest("POST", ":listCollectionIds", json={}) == {}
    # Rules are no documents.
    assert base.refused("GET", "/c/d", 403, token=None) == "PERMISSION_DENIED"


def test_clearing_one_database_of_a_project(base):
    second = Firestore(base.server, base.project, "second")
    put(base, "c/d", {})
    put(second, "c/d", {})
    assert base.control("DELETE", "/databases/second/documents").status_code == 200
    assert fields(base, "c/d") == {} and second.refused("GET", "/c/d", 404) == "NOT_FOUND"


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_health(base, method):
    reply = requests.request(method, base.server.addresses["firestore"], timeout=15)
    assert reply.status_code == 200
    assert reply.text.strip() == ("Ok" if method == "GET" else "")


# MARK: Rules over REST

def test_signed_in_and_out_over_rest(base):
    base.rules(STORY_RULES)
    uid, token = base.sign_up()
    put(base, f"users/{uid}", {"n": number(1)})
    assert base.rest("GET", f"/users/{uid}", token=token)["fields"] == {"n": number(1)}
    error = base.rest("GET", f"/users/{uid}", 403, token=None)["error"]
    assert error["status"] == "PERMISSION_DENIED" and error["message"]
    [answer] = base.rest("POST", ":batchGet", token=token, json={
        "documents": [base.name(f"users/{uid}")]})
    assert answer["found"]["fields"] == {"n": number(1)}
    assert base.refused("POST", ":batchGet", 403, token=token, json={
        "documents": [base.name(f"users/{uid}"), base.name("users/other")]}) == "PERMISSION_DENIED"


def test_page_size_is_the_limit_that_rules_see(base):
    base.rules("rules_version = '2'; service cloud.firestore { match /databases/{d}/documents "
               "{ match /c/{x} { allow list: if request.query.limit <= 10; } } }")
    assert base.rest("GET", "/c", token=None, params={"pageSize": 10}) == {}


@pytest.mark.parametrize("size, status", [(9, 200), (12, 403)])
def test_page_sizes_on_both_sides_of_a_limit(base, size, status):
    base.rules("rules_version = '2'; service cloud.firestore { match /databases/{d}/documents "
               "{ match /c/{x} { allow list: if request.query.limit <= 10; } } }")
    base.rest("GET", "/c", status, token=None, params={"pageSize": size})
