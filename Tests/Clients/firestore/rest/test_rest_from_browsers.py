"""Firestore over REST as web pages call it: CORS, and JSON that is sent as plain text."""

import json
import re

import pytest
import requests
from support.firestore.project import base, guard  # noqa: F401

ORIGIN = "http://localhost:5173"
JS_HEADERS = [
    "authorization",
    "content-type",
    "google-cloud-resource-prefix",
    "x-firebase-gmpid",
    "x-goog-api-client",
    "x-goog-request-params",
    "x-firebase-appcheck",
    "x-goog-api-key",
]


@pytest.mark.parametrize(
    "path",
    [
        "/v1/projects/p/databases/(default)/documents:commit",
        "/v1/projects/p/databases/(default)/documents:batchGet",
        "/v1/projects/p/databases/(default)/documents:runQuery",
        "/v1/projects/p/databases/(default)/documents:runAggregationQuery",
        "/v1/projects/p/databases/(default)/documents/c/d",
        "/emulator/v1/projects/p/databases/(default)/documents",
    ],
)
def test_preflight(base, path):
    reply = requests.options(
        base.server.addresses["firestore"] + path,
        timeout=30,
        headers={
            "Origin": ORIGIN,
            "Access-Control-Request-Method": "DELETE" if "emulator" in path else "POST",
            "Access-Control-Request-Headers": ",".join(JS_HEADERS),
        },
    )
    assert reply.status_code in (200, 204)
    assert reply.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert reply.headers["Access-Control-Allow-Credentials"] == "true"
    assert "Origin" in reply.headers["Vary"]
    methods = set(re.split(r"\s*,\s*", reply.headers["Access-Control-Allow-Methods"]))
    assert {"GET", "POST", "PUT", "PATCH", "DELETE"} <= methods
    allowed = {
        name.lower() for name in re.split(r"\s*,\s*", reply.headers["Access-Control-Allow-Headers"])
    }
    assert set(JS_HEADERS) <= allowed


def test_answers_and_errors_carry_the_origin(base):
    url = base.server.addresses["firestore"] + "/v1/" + base.root
    replies = [
        requests.post(
            url + ":batchGet",
            json={"documents": [base.name("c/d")]},
            headers={"Origin": ORIGIN},
            timeout=30,
        ),
        requests.get(url + "/c/none", headers={"Origin": ORIGIN}, timeout=30),
        requests.post(url + ":runQuery", data="{", headers={"Origin": ORIGIN}, timeout=30),
    ]
    assert [reply.status_code for reply in replies] == [200, 404, 400]
    for reply in replies:
        assert reply.headers["Access-Control-Allow-Origin"] == ORIGIN
        assert reply.headers["Access-Control-Allow-Credentials"] == "true"
        assert "Origin" in reply.headers["Vary"]


def test_js_lite_sends_json_as_plain_text(base):
    url = f"{base.server.addresses['firestore']}/v1/{base.root}"
    headers = {
        "Content-Type": "text/plain",
        "Origin": ORIGIN,
        "X-Goog-Api-Client": "gl-js/ fire/12.3.0",
        "google-cloud-resource-prefix": base.database,
        "x-goog-request-params": base.database,
        "X-Firebase-GMPID": "1:1:web:1",
    }
    document = {"name": base.name("c/d"), "fields": {"n": {"integerValue": "1"}}}
    reply = requests.post(
        url + ":commit",
        headers=headers,
        timeout=30,
        data=json.dumps({"writes": [{"update": document}]}),
    )
    assert reply.status_code == 200 and len(reply.json()["writeResults"]) == 1
    reply = requests.post(
        url + ":batchGet",
        headers=headers,
        timeout=30,
        data=json.dumps({"documents": [document["name"]]}),
    )
    assert reply.json()[0]["found"]["fields"] == document["fields"]
