"""Listen as a browser speaks it: WebChannel, from the handshake to the first snapshot."""

import json
from urllib.parse import urlencode

import pytest
import requests
from support.firestore.channel import HTTP2, ORIGIN, frames
from support.server import PROJECT

DATABASE = f"projects/{PROJECT}/databases/(default)"


@pytest.mark.parametrize("version", [1, 2])
def test_a_document_is_listened_to(hearth, version):
    base = hearth.addresses["firestore"]
    name = f"{DATABASE}/documents/channel/d"
    written = requests.patch(
        f"{base}/v1/{name}", json={"fields": {"n": {"integerValue": "1"}}}, timeout=30
    )
    assert written.status_code == 200, written.text
    client = requests if version == 1 else HTTP2(base)
    path = f"{base}/google.firestore.v1.Firestore/Listen/channel"
    first = {"database": DATABASE, "addTarget": {"documents": {"documents": [name]}, "targetId": 2}}
    opened = client.post(
        path + "?" + urlencode({"VER": 8, "database": DATABASE, "RID": 100, "CVER": 22, "t": 1}),
        data={
            "headers": "Content-Type:text/plain\r\n",
            "count": 1,
            "ofs": 0,
            "req0___data__": json.dumps(first),
        },
        headers=ORIGIN,
        timeout=30,
    )
    assert opened.status_code == 200, opened.text
    assert opened.headers["Access-Control-Allow-Origin"] == ORIGIN["Origin"]
    assert opened.headers["Access-Control-Allow-Credentials"] == "true"
    [[zero, [mark, session, *_]]] = frames(opened.text)
    assert (zero, mark) == (0, "c")
    query = {"VER": 8, "database": DATABASE, "SID": session}
    heard, last = [], 0
    for _ in range(10):
        polled = client.get(
            path
            + "?"
            + urlencode(query | {"RID": "rpc", "AID": last, "CI": 1, "TYPE": "xmlhttp", "t": 1}),
            headers=ORIGIN,
            timeout=40,
        )
        assert polled.status_code == 200, polled.text
        for number, payload in frames(polled.text):
            last = max(last, number)
            heard += [message for message in payload if isinstance(message, dict)]
        if any(
            "readTime" in message.get("targetChange", {})
            and not message["targetChange"].get("targetIds")
            for message in heard
        ):
            break
    assert heard[0]["targetChange"]["targetChangeType"] == "ADD"
    [change] = [message["documentChange"] for message in heard if "documentChange" in message]
    assert change["document"]["name"] == name and change["targetIds"] == [2]
    ended = client.post(
        path + "?" + urlencode(query | {"RID": 101, "TYPE": "terminate"}),
        headers=ORIGIN,
        timeout=30,
    )
    assert ended.status_code == 200


def test_an_unknown_session_is_refused(hearth):
    path = hearth.addresses["firestore"] + "/google.firestore.v1.Firestore/Listen/channel"
    reply = requests.get(
        path
        + "?"
        + urlencode(
            {
                "VER": 8,
                "database": DATABASE,
                "SID": "nope",
                "RID": "rpc",
                "AID": 0,
                "CI": 0,
                "TYPE": "xmlhttp",
            }
        ),
        timeout=30,
    )
    assert reply.status_code == 400 and reply.text.find("Unknown SID") > 0


def test_other_methods_have_no_channel(hearth):
    path = hearth.addresses["firestore"] + "/google.firestore.v1.Firestore/Commit/channel"
    reply = requests.post(
        path + "?" + urlencode({"VER": 8, "database": DATABASE, "RID": 1, "CVER": 22, "t": 1}),
        data={"count": 0},
        timeout=30,
    )
    assert reply.status_code == 404, reply.text
