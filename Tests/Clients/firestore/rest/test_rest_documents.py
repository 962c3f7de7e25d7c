"""Firestore over REST: errors, values, names, create, update, delete."""

import re
import urllib.parse

import pytest
import requests
from support.firestore.project import base, forged, guard  # noqa: F401
from support.firestore.rest import fields, found, from_, listed, number, put

RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z")


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
    return (
        "POST",
        ":commit",
        {"json": {"transaction": transaction, "writes": [{"delete": base.name("c/d")}]}},
    )


STATUSES = {
    "invalid argument": (400, "INVALID_ARGUMENT", lambda b: ("PATCH", "/c/__x__", {"json": {}})),
    "failed precondition": (
        400,
        "FAILED_PRECONDITION",
        lambda b: ("DELETE", "/c/d?currentDocument.updateTime=2000-01-01T00:00:00Z", {}),
    ),
    "unauthenticated": (
        401,
        "UNAUTHENTICATED",
        lambda b: ("GET", "/c/d", {"token": forged(b.sign_up()[1])}),
    ),
    "permission denied": (
        403,
        "PERMISSION_DENIED",
        lambda b: ("POST", ":listCollectionIds", {"token": None, "json": {}}),
    ),
    "not found": (404, "NOT_FOUND", lambda b: ("DELETE", "/c/d?currentDocument.exists=true", {})),
    "aborted": (409, "ABORTED", aborted),
    "unimplemented": (501, "UNIMPLEMENTED", lambda b: ("POST", ":executePipeline", {"json": {}})),
}


@pytest.mark.parametrize("name", STATUSES)
def test_http_status_of_each_code(base, name):
    code, status, request = STATUSES[name]
    method, path, options = request(base)
    assert base.refused(method, path, code, **options) == status


@pytest.mark.parametrize(
    "authorization",
    ["Basic b3duZXI6", "owner", "Bearer", "Bearer ", "Bearer  ", "Bearer owner x", "Token owner"],
)
def test_what_is_not_a_token_is_an_invalid_argument(base, authorization):
    reply = requests.get(
        f"{base.server.addresses['firestore']}/v1/{base.name('c/d')}",
        timeout=30,
        headers={"Authorization": authorization},
    )
    assert reply.status_code == 400
    assert reply.json()["error"] == {
        "code": 400,
        "message": "invalid jwt",
        "status": "INVALID_ARGUMENT",
    }


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
        {"timestampValue": "2024-01-01T01:30:00Z"},
    ),
    "last time": (
        {"timestampValue": "9999-12-31T23:59:59.999999999Z"},
        {"timestampValue": "9999-12-31T23:59:59.999999Z"},
    ),
    "base64 without padding": ({"bytesValue": "AP8"}, {"bytesValue": "AP8="}),
    "null by name": ({"nullValue": "NULL_VALUE"}, {"nullValue": None}),
    "point at the origin": (
        {"geoPointValue": {"latitude": 0, "longitude": 0}},
        {"geoPointValue": {}},
    ),
    "point without members": ({"geoPointValue": {}},) * 2,
    "array in a map in an array": (
        {"arrayValue": {"values": [{"mapValue": {"fields": {"a": {"arrayValue": {}}}}}]}},
    )
    * 2,
    "vector": (
        {
            "mapValue": {
                "fields": {
                    "__type__": {"stringValue": "__vector__"},
                    "value": {
                        "arrayValue": {"values": [{"doubleValue": 1.5}, {"doubleValue": -2}]}
                    },
                }
            }
        },
    )
    * 2,
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
    "no member": {},
    "two members": {"booleanValue": True, "nullValue": None},
    "integer with a fraction": {"integerValue": "1.5"},
    "empty integer": {"integerValue": ""},
    "integer below the smallest": {"integerValue": "-9223372036854775809"},
    "bool as a word": {"booleanValue": "yes"},
    "bool as a number": {"booleanValue": 1},
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
    "vector of texts": {
        "mapValue": {
            "fields": {
                "__type__": {"stringValue": "__vector__"},
                "value": {"arrayValue": {"values": [{"stringValue": "x"}]}},
            }
        }
    },
    "unknown member": {"int": "5"},
}


@pytest.mark.parametrize("name", REFUSED)
def test_invalid_value_is_refused(base, name):
    assert base.refused("PATCH", "/c/d", 400, json={"fields": {"v": REFUSED[name]}}) == (
        "INVALID_ARGUMENT"
    )
    assert base.refused("GET", "/c/d", 404) == "NOT_FOUND"


def test_null_is_written_as_null(base):
    put(base, "c/d", {"v": {"nullValue": None}})
    url = f"{base.server.addresses['firestore']}/v1/{base.name('c/d')}"
    assert re.search(r'"nullValue"\s*:\s*null', requests.get(url, timeout=30).text)


def test_times_of_documents_and_answers(base):
    made = put(base, "c/d", {})
    assert RFC3339.fullmatch(made["createTime"]) and RFC3339.fullmatch(made["updateTime"])
    [answer] = base.rest("POST", ":batchGet", json={"documents": [base.name("c/d")]})
    assert RFC3339.fullmatch(answer["readTime"]) and answer["readTime"] >= made["updateTime"]
    commit = base.rest("POST", ":commit", json={"writes": [{"delete": base.name("c/d")}]})
    assert RFC3339.fullmatch(commit["commitTime"])


# MARK: Names


@pytest.mark.parametrize(
    "identifier",
    [
        "a:b",
        "d:runQuery",
        ":",
        "a%2Fb",
        " ",
        "e\u0301",
        "é",
        "漢字",
        "a\u200bb",
        "~!$&'()*+,;=@",
        "-",
        "%",
        "\\",
        "\t",
        "a.b.c",
        "...",
        "__",
        "___",
        "__x",
        "x__",
        "__id7__",
        "(default)",
        "documents",
    ],
    ids=ascii,
)
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


@pytest.mark.parametrize(
    "identifier",
    ["", ".", "..", "__x__", "____", "a/b", "x" * 1501],
    ids=["empty", "dot", "dots", "reserved", "lines", "slash", "long"],
)
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
def test_collection_is_not_a_document(base, method):
    assert base.refused(method, "/c", 400, json={}) == "INVALID_ARGUMENT"


def test_name_of_more_than_six_kibibytes_is_refused(base):
    path = "/".join(["x" * 1400] * 6)
    assert base.refused("PATCH", f"/{path}", 400, json={}) == "INVALID_ARGUMENT"


def test_document_below_a_hundred_documents_is_refused(base):
    assert base.refused("PATCH", "/" + "/".join(["c", "d"] * 101), 400, json={}) == (
        "INVALID_ARGUMENT"
    )


# MARK: Create, change, delete


def test_create_takes_no_notice_of_what_the_server_sets(base):
    made = base.rest(
        "POST",
        "/c",
        params={"documentId": "d", "mask.fieldPaths": "a"},
        json={
            "fields": {"a": number(1), "b": number(2)},
            "createTime": "2000-01-01T00:00:00Z",
            "updateTime": "2000-01-01T00:00:00Z",
        },
    )
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
    "nested": (
        ["a.b"],
        {"a": {"mapValue": {"fields": {"b": number(9), "z": number(9)}}}},
        {"a": {"mapValue": {"fields": {"b": number(9), "c": number(2)}}}, "x.y": number(3)},
    ),
    "absent is deleted": (["a.b", "`x.y`"], {}, {"a": {"mapValue": {"fields": {"c": number(2)}}}}),
    "quoted below plain": (
        ["a.`d e`.`f.g`"],
        {"a": {"mapValue": {"fields": {"d e": {"mapValue": {"fields": {"f.g": number(5)}}}}}}},
        {
            "a": {
                "mapValue": {
                    "fields": {
                        "b": number(1),
                        "c": number(2),
                        "d e": {"mapValue": {"fields": {"f.g": number(5)}}},
                    }
                }
            },
            "x.y": number(3),
        },
    ),
    "escaped": (
        ["`\\`\\\\`"],
        {"`\\": number(6)},
        {
            "a": {"mapValue": {"fields": {"b": number(1), "c": number(2)}}},
            "x.y": number(3),
            "`\\": number(6),
        },
    ),
    "whole map": (
        ["a"],
        {"a": {"mapValue": {"fields": {"q": number(7)}}}},
        {"a": {"mapValue": {"fields": {"q": number(7)}}}, "x.y": number(3)},
    ),
    "through a number": (
        ["`x.y`.k"],
        {"x.y": {"mapValue": {"fields": {"k": number(8)}}}},
        {
            "a": {"mapValue": {"fields": {"b": number(1), "c": number(2)}}},
            "x.y": {"mapValue": {"fields": {"k": number(8)}}},
        },
    ),
    "not named": (
        ["other"],
        {"a": number(1)},
        {"a": {"mapValue": {"fields": {"b": number(1), "c": number(2)}}}, "x.y": number(3)},
    ),
}


@pytest.mark.parametrize("name", MASKS)
def test_update_mask_names_what_changes(base, name):
    mask, given, expected = MASKS[name]
    put(
        base,
        "c/d",
        {"a": {"mapValue": {"fields": {"b": number(1), "c": number(2)}}}, "x.y": number(3)},
    )
    answer = put(base, "c/d", given, params={"updateMask.fieldPaths": mask})
    assert answer["fields"] == fields(base, "c/d") == expected


def test_masks_without_the_name_of_their_member(base):
    """As the official emulator takes them: without a mask the document would be replaced."""
    put(base, "c/d", {"a": number(1), "b": number(2), "c": number(3)})
    answer = put(base, "c/d", {"a": number(4)}, params={"updateMask": ["a", "b"], "mask": "c"})
    assert answer["fields"] == {"c": number(3)}
    assert fields(base, "c/d") == {"a": number(4), "c": number(3)}


@pytest.mark.parametrize("path", ["a..b", "`a", "a b", "a`b`", "1a", "*", "a."])
def test_mask_that_is_not_a_path_is_refused(base, path):
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


@pytest.mark.parametrize(
    "exists, condition, status",
    [(True, "false", 409), (False, "false", 200), (True, "true", 200), (False, "true", 404)],
    ids=["there but must not", "missing and must", "there and must", "missing but must not"],
)
def test_delete_with_a_condition_of_existence(base, exists, condition, status):
    if exists:
        put(base, "c/d", {})
    base.rest("DELETE", "/c/d", status, params={"currentDocument.exists": condition})


@pytest.mark.parametrize(
    "params",
    [{"currentDocument.exists": "maybe"}, {"currentDocument.updateTime": "yesterday"}],
    ids=["exists", "time"],
)
def test_condition_that_cannot_be_read_is_refused(base, params):
    assert base.refused("PATCH", "/c/d", 400, params=params, json={}) == "INVALID_ARGUMENT"
    assert base.refused("DELETE", "/c/d", 400, params=params) == "INVALID_ARGUMENT"


def test_condition_of_the_time_counts_microseconds(base):
    made = put(base, "c/d", {})
    head, _, fraction = made["updateTime"].removesuffix("Z").partition(".")
    micro = int((fraction + "000000")[:6])
    if micro > 0:
        assert (
            base.refused(
                "PATCH",
                "/c/d",
                400,
                json={},
                params={"currentDocument.updateTime": f"{head}.{micro - 1:06}Z"},
            )
            == "FAILED_PRECONDITION"
        )
    if micro < 999999:
        assert (
            base.refused(
                "PATCH",
                "/c/d",
                400,
                json={},
                params={"currentDocument.updateTime": f"{head}.{micro + 1:06}Z"},
            )
            == "INVALID_ARGUMENT"
        )
    same = f"{head}.{micro:06}000+00:00"
    put(base, "c/d", {"n": number(1)}, params={"currentDocument.updateTime": same})
