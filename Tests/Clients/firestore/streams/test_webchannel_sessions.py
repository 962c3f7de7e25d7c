"""WebChannel byte by byte: handshake, caller, messages as JSON."""

import json
import re

import grpc
import pytest
import requests
from google.cloud.firestore_v1.types.firestore import GetDocumentRequest
from support.firestore.project import Firestore, base, guard  # noqa: F401
from support.firestore.webchannel import (  # noqa: F401
    Frames,
    Session,
    app,
    documents_target,
    is_error,
    is_snapshot,
)

RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z")
BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")


def kinds(messages: list) -> list:
    """`ADD`, `documentChange`, … in their order."""
    return [
        message["targetChange"].get("targetChangeType", "NO_CHANGE")
        if "targetChange" in message
        else next(iter(message))
        for message in messages
    ]


# MARK: Handshake


def test_handshake_is_one_chunk_with_the_array_zero(base):
    session = Session(base, messages=[documents_target(base, "c/d")])
    reply = session.opening
    assert reply.status_code == 200
    kind, media = reply.headers["Content-Type"].split(";")[0].split("/")
    assert (kind, media) in (("text", "plain"), ("application", "json"))
    mark, identifier, prefix, protocol, server, keep_alive, *_ = session.greeting
    assert mark == "c" and identifier and isinstance(identifier, str)
    assert not prefix and protocol == 8 and server >= 12
    assert isinstance(keep_alive, int) and 1000 <= keep_alive <= 60_000
    frames = Frames([reply.content])
    assert frames.chunk() and frames.chunk() is None
    assert "X-Client-Wire-Protocol" not in reply.headers
    if "X-HTTP-Session-Id" in reply.headers:
        assert "x-http-session-id" in reply.headers["Access-Control-Expose-Headers"].lower()


def test_sessions_have_names_of_their_own(base):
    names = {Session(base, messages=[documents_target(base, "c/d")]).id for _ in range(5)}
    assert len(names) == 5 and all(len(name) >= 16 for name in names)


def test_nothing_is_compressed_or_kept_by_caches(base):
    session = Session(
        base,
        messages=[documents_target(base, "c/d")],
        real={"Accept-Encoding": "gzip, deflate, br"},
    )
    answer = session.get(ci=1)
    for reply in (session.opening, answer):
        assert "Content-Encoding" not in reply.headers
        assert "no-cache" in reply.headers["Cache-Control"]
    assert answer.headers["X-Accel-Buffering"] == "no"
    assert list(session.arrays(answer))


def test_handshake_without_a_message_waits_for_one(base):
    session = Session(base, messages=[])
    assert session.id
    report = session.say(documents_target(base, "c/d"))
    assert len(report) == 3
    assert kinds(session.hear(is_snapshot)) == ["ADD", "documentDelete", "CURRENT", "NO_CHANGE"]


def test_handshake_may_bring_several_messages(base):
    session = Session(
        base, messages=[documents_target(base, "c/a"), documents_target(base, "c/b", target=4)]
    )
    messages = session.hear(
        lambda message: (
            message.get("targetChange", {}).get("targetIds") == [4]
            and message["targetChange"].get("targetChangeType") == "CURRENT"
        )
    )
    current = [
        message["targetChange"]["targetIds"]
        for message in messages
        if message.get("targetChange", {}).get("targetChangeType") == "CURRENT"
    ]
    assert current == [[2], [4]]


@pytest.mark.parametrize("name", ["second", "(default)"])
def test_database_is_the_one_of_the_parameter_and_the_message(hearth, name):
    base = Firestore(hearth, None, name)
    base.rest("PATCH", "/c/d", json={"fields": {"n": {"integerValue": "7"}}})
    session = Session(base, messages=[documents_target(base, "c/d")])
    [change] = [
        message["documentChange"]
        for message in session.hear(is_snapshot)
        if "documentChange" in message
    ]
    assert change["document"]["name"] == base.name("c/d")
    base.close()


def test_a_listen_message_may_leave_the_database_to_the_parameter(base):
    message = documents_target(base, "c/d")
    del message["database"]
    session = Session(base, messages=[message])
    assert "CURRENT" in kinds(session.hear(is_snapshot))


# MARK: Who calls


def first_answer(session: Session) -> dict:
    """What arrives for target 2: its document, or why it was removed."""
    messages = session.hear(
        lambda message: (
            is_snapshot(message) or is_error(message) or "cause" in message.get("targetChange", {})
        )
    )
    for message in messages:
        if "documentChange" in message or is_error(message):
            return message
        if "cause" in message.get("targetChange", {}):
            return message["targetChange"]
    raise AssertionError(messages)


@pytest.mark.parametrize("colon", [":", ": "], ids=["no blank", "blank"])
def test_identity_is_read_from_the_headers_in_the_body(app, colon):
    session = Session(
        app,
        messages=[documents_target(app, f"users/{app.uid}")],
        headers=f"Authorization{colon}Bearer {app.token}\r\n",
    )
    assert first_answer(session)["documentChange"]["document"]["fields"] == {
        "n": {"integerValue": "1"}
    }


def test_identity_falls_back_to_the_real_header(app):
    session = Session(
        app,
        messages=[documents_target(app, f"users/{app.uid}")],
        real={"Authorization": f"Bearer {app.token}"},
    )
    assert "documentChange" in first_answer(session)


def test_identity_of_the_body_wins_over_the_real_header(app):
    _, other = app.sign_up()
    session = Session(
        app,
        messages=[documents_target(app, f"users/{app.uid}")],
        token=other,
        real={"Authorization": f"Bearer {app.token}"},
    )
    assert first_answer(session)["cause"]["code"] == 7


def test_identity_of_older_sdks_is_in_the_url(app):
    session = Session(
        app,
        messages=[documents_target(app, f"users/{app.uid}")],
        query={"$httpHeaders": f"Authorization:Bearer {app.token}\r\n"},
    )
    assert "documentChange" in first_answer(session)


@pytest.mark.parametrize("literal", ["owner", "mock"])
def test_literal_and_mocked_tokens_of_the_web_sdk(app, literal):
    token = "owner" if literal == "owner" else app.mock_token(app.uid)
    session = Session(app, messages=[documents_target(app, f"users/{app.uid}")], token=token)
    assert "documentChange" in first_answer(session)


def test_signed_out_is_denied_within_the_channel(app):
    session = Session(app, messages=[documents_target(app, f"users/{app.uid}")])
    assert session.opening.status_code == 200
    removed = first_answer(session)
    assert removed["targetChangeType"] == "REMOVE" and removed["targetIds"] == [2]
    assert removed["cause"]["code"] == 7 and removed["cause"]["message"]
    # The stream is healthy: the next target is answered.
    session.post({"database": app.database, "removeTarget": 2})
    session.post(documents_target(app, "users/none", target=4))
    messages = session.hear(
        lambda message: (
            message.get("targetChange", {}).get("targetIds") == [4]
            and "cause" in message["targetChange"]
        )
    )
    assert messages[-1]["targetChange"]["cause"]["code"] == 7


def test_token_that_is_not_a_jwt_ends_the_stream_with_invalid_argument(app):
    session = Session(app, messages=[documents_target(app, f"users/{app.uid}")], token="garbage")
    assert session.opening.status_code == 200
    error = first_answer(session)["error"]
    assert (error["code"], error["status"]) == (400, "INVALID_ARGUMENT") and error["message"]


def test_identity_stays_that_of_the_handshake(app):
    """Credentials of later requests of the session are of no interest."""
    session = Session(app, messages=[], token=app.token)
    requests.post(
        session.url,
        timeout=30,
        headers={"Authorization": "Bearer garbage"},
        params=session.common | {"SID": session.id, "RID": session.rid + 1, "AID": 0},
        data={
            "count": 1,
            "ofs": 0,
            "req0___data__": json.dumps(documents_target(app, f"users/{app.uid}")),
        },
    )
    assert "documentChange" in first_answer(session)


# MARK: Messages as JSON


def test_messages_are_proto_json(base):
    base.rest(
        "PATCH",
        "/c/d",
        json={
            "fields": {
                "i": {"integerValue": "9007199254740993"},
                "d": {"doubleValue": "NaN"},
                "b": {"bytesValue": "AP8="},
                "z": {"nullValue": None},
                "t": {"timestampValue": "2024-02-29T23:59:59.123456Z"},
                "e": {"mapValue": {}},
            }
        },
    )
    session = Session(base, messages=[documents_target(base, "c/d")])
    messages = session.hear(is_snapshot)
    assert kinds(messages) == ["ADD", "documentChange", "CURRENT", "NO_CHANGE"]
    add, change, current, mark = messages
    assert add == {"targetChange": {"targetChangeType": "ADD", "targetIds": [2]}}
    document = change["documentChange"]["document"]
    assert change["documentChange"]["targetIds"] == [2]
    assert document["name"] == base.name("c/d")
    assert RFC3339.fullmatch(document["createTime"]) and RFC3339.fullmatch(document["updateTime"])
    fields = document["fields"]
    assert fields["i"] == {"integerValue": "9007199254740993"}
    assert fields["d"] == {"doubleValue": "NaN"} and fields["b"] == {"bytesValue": "AP8="}
    assert fields["z"] == {"nullValue": None} and list(fields["e"]) == ["mapValue"]
    assert fields["t"] == {"timestampValue": "2024-02-29T23:59:59.123456Z"}
    assert current["targetChange"]["targetChangeType"] == "CURRENT"
    for each in (current, mark):
        assert BASE64.fullmatch(each["targetChange"]["resumeToken"])
        assert RFC3339.fullmatch(each["targetChange"]["readTime"])
    assert not mark["targetChange"].get("targetIds")
    assert mark["targetChange"].get("targetChangeType", "NO_CHANGE") == "NO_CHANGE"


def test_missing_document_is_a_delete_with_a_time(base):
    session = Session(base, messages=[documents_target(base, "c/none")])
    [gone] = [
        message["documentDelete"]
        for message in session.hear(is_snapshot)
        if "documentDelete" in message
    ]
    assert gone["document"] == base.name("c/none") and gone["removedTargetIds"] == [2]
    assert RFC3339.fullmatch(gone["readTime"])


def test_characters_outside_of_ascii_are_escaped(base):
    text = 'ü😀\u2028\x00"\\' + "漢" * 200
    base.rest("PATCH", "/c/d", json={"fields": {"ä": {"stringValue": text}}})
    session = Session(base, messages=[documents_target(base, "c/d")])
    frames = Frames(session.get(ci=0).raw.stream(1 << 16, decode_content=False))
    found: list = []
    while not found:
        # Changes of the target may come before.
        found = [
            payload[0]["documentChange"]
            for _, payload in frames.chunk()
            if isinstance(payload[0], dict) and "documentChange" in payload[0]
        ]
    assert found[0]["document"]["fields"] == {"ä": {"stringValue": text}}
    assert frames.raw.isascii()


def test_updated_fields_keep_their_places_on_every_transport(base):
    def number(value: int) -> dict:
        return {"integerValue": str(value)}

    inner = {"yy": number(1), "aa": number(2)}
    base.rest(
        "PATCH",
        "/c/d",
        json={"fields": {"zz": number(1), "bb": number(2), "mm": {"mapValue": {"fields": inner}}}},
    )
    base.rest(
        "PATCH",
        "/c/d",
        params={"updateMask.fieldPaths": ["bb", "cc"]},
        json={"fields": {"cc": number(4), "bb": number(3)}},
    )

    def places(fields: dict) -> list:
        return [*fields, *fields["mm"]["mapValue"]["fields"]]

    wanted = ["zz", "bb", "mm", "cc", "yy", "aa"]
    assert places(base.rest("GET", "/c/d")["fields"]) == wanted
    session = Session(base, messages=[documents_target(base, "c/d")])
    [change] = [
        message["documentChange"]
        for message in session.hear(is_snapshot)
        if "documentChange" in message
    ]
    assert places(change["document"]["fields"]) == wanted
    channel = grpc.insecure_channel(base.server.addresses["firestore"].removeprefix("http://"))
    get = channel.unary_unary("/google.firestore.v1.Firestore/GetDocument")
    wire = get(
        GetDocumentRequest.pb()(name=base.name("c/d")).SerializeToString(),
        timeout=30,
        metadata=[("authorization", "Bearer owner")],
    )
    on_the_wire = ["zz", "bb", "mm", "yy", "aa", "cc"]
    assert (
        sorted(on_the_wire, key=lambda name: wire.index(b"\n\x02" + name.encode())) == on_the_wire
    )
    channel.close()


def query_target(base, collection: str, target: int = 2, **more) -> dict:
    """As the web SDK writes it, with the order by name at its end."""
    return {
        "database": base.database,
        "addTarget": {
            "query": {
                "parent": base.root,
                "structuredQuery": {
                    "from": [{"collectionId": collection}],
                    "where": {
                        "fieldFilter": {
                            "field": {"fieldPath": "n"},
                            "op": "GREATER_THAN",
                            "value": {"integerValue": "0"},
                        }
                    },
                    "orderBy": [
                        {"field": {"fieldPath": "n"}, "direction": "ASCENDING"},
                        {"field": {"fieldPath": "__name__"}, "direction": "ASCENDING"},
                    ],
                    "limit": 2,
                },
            },
            "targetId": target,
            **more,
        },
    }


def test_query_target_and_its_resumption(base):
    for n in range(4):
        base.rest("PATCH", f"/c/{n}", json={"fields": {"n": {"integerValue": str(n)}}})
    session = Session(base, messages=[query_target(base, "c")])
    messages = session.hear(is_snapshot)
    assert sorted(
        message["documentChange"]["document"]["name"][-1]
        for message in messages
        if "documentChange" in message
    ) == ["1", "2"]
    token = messages[-1]["targetChange"]["resumeToken"]
    again = Session(
        base,
        messages=[
            {
                **query_target(base, "c", resumeToken=token, expectedCount=2),
                "labels": {"goog-listen-tags": "existence-filter-mismatch-bloom"},
            }
        ],
    )
    told = kinds(again.hear(is_snapshot))
    assert told[0] == "ADD" and told[-2:] == ["CURRENT", "NO_CHANGE"]
    assert "documentChange" not in told or "RESET" in told


def test_removed_target_is_acknowledged_without_a_cause(base):
    session = Session(base, messages=[documents_target(base, "c/d")])
    session.hear(is_snapshot)
    session.say({"database": base.database, "removeTarget": 2})
    [message] = session.hear(
        lambda message: message.get("targetChange", {}).get("targetChangeType") == "REMOVE"
    )
    assert message == {"targetChange": {"targetChangeType": "REMOVE", "targetIds": [2]}}


@pytest.mark.parametrize(
    "message", ["{", '{"addTarget":5}', '{"database":"nonsense","removeTarget":2}', "[]", ""]
)
def test_message_that_cannot_be_read_ends_the_stream_within_the_channel(base, message):
    session = Session(base, messages=[])
    reply = requests.post(
        session.url,
        timeout=30,
        params=session.common | {"SID": session.id, "RID": session.rid + 1, "AID": 0},
        data={"count": 1, "ofs": 0, "req0___data__": message},
    )
    assert reply.status_code == 200, reply.text
    error = session.hear(is_error)[-1]["error"]
    assert (error["code"], error["status"]) == (400, "INVALID_ARGUMENT")
