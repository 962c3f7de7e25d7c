"""The Write stream over WebChannel, and pages of other origins."""

import json
import re
import urllib.parse

import pytest
import requests
from support.firestore.project import base, guard  # noqa: F401
from support.firestore.webchannel import (  # noqa: F401
    Session,
    app,
    documents_target,
    is_error,
    is_snapshot,
    opened_writer,
)

ORIGIN = "http://localhost:5173"
RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z")


# MARK: The Write stream


def test_writes_are_answered_in_order_with_new_tokens(base):
    session = opened_writer(base)
    tokens = [session.token]
    session.say(
        *[
            {
                "streamToken": session.token,
                "writes": [
                    {
                        "update": {
                            "name": base.name("c/d"),
                            "fields": {"n": {"integerValue": str(n)}},
                        }
                    }
                ],
            }
            for n in range(10)
        ]
    )
    times: list = []
    while len(times) < 10:
        for message in session.hear(lambda message: "writeResults" in message):
            assert message["streamToken"] not in tokens and len(message["writeResults"]) == 1
            assert message["writeResults"][0]["updateTime"] == message["commitTime"]
            tokens.append(message["streamToken"])
            times.append(message["commitTime"])
    assert len(set(times)) == 10 and RFC3339.fullmatch(times[0])
    assert base.rest("GET", "/c/d")["fields"] == {"n": {"integerValue": "9"}}


def test_results_of_transforms_deletes_and_verifications(base):
    session = opened_writer(base)
    session.say(
        {
            "streamToken": session.token,
            "writes": [
                {
                    "update": {"name": base.name("c/d"), "fields": {"n": {"integerValue": "1"}}},
                    "updateTransforms": [
                        {"fieldPath": "n", "increment": {"integerValue": "2"}},
                        {"fieldPath": "t", "setToServerValue": "REQUEST_TIME"},
                        {
                            "fieldPath": "a",
                            "appendMissingElements": {"values": [{"stringValue": "x"}]},
                        },
                    ],
                },
                {"delete": base.name("c/e")},
                {"verify": base.name("c/f"), "currentDocument": {"exists": False}},
            ],
        }
    )
    [answer] = session.hear(lambda message: "writeResults" in message)
    one, two, three = answer["writeResults"]
    number, time, array = one["transformResults"]
    assert number == {"integerValue": "3"} and array == {"nullValue": None}
    assert RFC3339.fullmatch(time["timestampValue"])
    assert "updateTime" not in two and "transformResults" not in two


@pytest.mark.parametrize(
    "condition, code, status",
    [
        ({"exists": True}, 404, "NOT_FOUND"),
        ({"exists": False}, 409, "ALREADY_EXISTS"),
        ({"updateTime": "2000-01-01T00:00:00Z"}, 400, "FAILED_PRECONDITION"),
    ],
    ids=["not found", "already exists", "failed precondition"],
)
def test_failed_write_ends_the_stream_with_its_status(base, condition, code, status):
    path = "c/there" if condition.get("exists") is False else "c/none"
    base.rest("PATCH", "/c/there", json={})
    session = opened_writer(base)
    session.say(
        {
            "streamToken": session.token,
            "writes": [{"update": {"name": base.name(path)}, "currentDocument": condition}],
        }
    )
    error = session.hear(is_error)[-1]["error"]
    assert (error["code"], error["status"]) == (code, status) and error["message"]


def test_denied_write_ends_the_stream_with_permission_denied(app):
    session = opened_writer(app, app.token)
    session.say(
        {
            "streamToken": session.token,
            "writes": [{"update": {"name": app.name(f"users/{app.uid}")}}],
        }
    )
    error = session.hear(is_error)[-1]["error"]
    assert (error["code"], error["status"]) == (403, "PERMISSION_DENIED")


def test_listener_hears_of_the_write_with_its_time(base):
    listener = Session(base, messages=[documents_target(base, "c/d")])
    listener.hear(is_snapshot)
    writer = opened_writer(base)
    writer.say({"streamToken": writer.token, "writes": [{"update": {"name": base.name("c/d")}}]})
    [answer] = writer.hear(lambda message: "writeResults" in message)
    change, mark = listener.hear(is_snapshot)
    assert (
        change["documentChange"]["document"]["updateTime"]
        == (answer["writeResults"][0]["updateTime"])
    )
    assert mark["targetChange"]["readTime"] >= answer["commitTime"]


# MARK: Pages of other origins


@pytest.mark.parametrize("service", ["Listen", "Write"])
def test_preflight_of_a_channel(base, service):
    asked = "x-goog-api-client,x-firebase-gmpid,authorization,google-cloud-resource-prefix"
    url = f"{base.server.addresses['firestore']}/google.firestore.v1.Firestore/{service}/channel"
    reply = requests.options(
        url,
        timeout=30,
        headers={
            "Origin": ORIGIN,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": asked,
        },
    )
    assert reply.status_code in (200, 204)
    assert reply.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert reply.headers["Access-Control-Allow-Credentials"] == "true"
    allowed = reply.headers["Access-Control-Allow-Headers"].lower().replace(" ", "").split(",")
    assert set(asked.split(",")) <= set(allowed)
    assert "Origin" in reply.headers["Vary"]


def test_every_answer_of_a_session_names_the_origin(base):
    session = Session(base, messages=[documents_target(base, "c/d")])
    replies = [
        session.opening,
        session.post(documents_target(base, "c/e", target=4)),
        session.get(ci=1),
        session.terminate(),
        session.get(),
    ]
    assert [reply.status_code for reply in replies] == [200, 200, 200, 200, 400]
    for reply in replies:
        assert reply.headers["Access-Control-Allow-Origin"] == ORIGIN
        assert reply.headers["Access-Control-Allow-Credentials"] == "true"
        assert "Origin" in reply.headers["Vary"]


def test_without_an_origin_no_origin_is_returned(base):
    session = Session(base, messages=[])
    reply = requests.post(
        session.url,
        params=session.common | {"SID": session.id, "RID": session.rid + 1, "TYPE": "terminate"},
        timeout=30,
    )
    assert "Access-Control-Allow-Origin" not in reply.headers


# MARK: Large bodies

MIB = 1 << 20


@pytest.mark.parametrize("size, status", [(12 * MIB, 200), (16 * MIB, 413)])
def test_how_long_a_body_may_be(base, size, status):
    """As production and the official emulator take 12 MiB (R103)."""
    session = opened_writer(base)
    update = {"name": base.name("c/large"), "fields": {"n": {"integerValue": "1"}}}
    message = json.dumps({"streamToken": session.token, "writes": [{"update": update}]})
    body = urllib.parse.urlencode({"count": 1, "ofs": session.ofs, "req0___data__": message})
    reply = requests.post(
        session.url,
        params=session.common | {"SID": session.id, "RID": session.rid + 1, "AID": session.last},
        data=body.ljust(size, "+"),
        headers={"Content-Type": "application/x-www-form-urlencoded", "Origin": ORIGIN},
        timeout=60,
    )
    assert reply.status_code == status
    if status == 200:
        [answer] = session.hear(lambda message: "writeResults" in message)
        assert len(answer["writeResults"]) == 1
