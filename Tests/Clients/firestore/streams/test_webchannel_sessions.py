"""WebChannel byte by byte, as the web SDK's own transport speaks it (sdk-wire B.5)."""

import json
import re
import threading
import urllib.parse

import pytest
import requests

from support.firestore.project import STORY_RULES, Firestore, base, guard

ORIGIN = "http://localhost:5173"
RFC3339 = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z")
BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
SDK_HEADERS = (
    "X-Goog-Api-Client:gl-js/ fire/12.3.0\r\nContent-Type:text/plain\r\n"
    "X-Firebase-GMPID:1:1:web:1\r\n")


class Frames:
    """Reads arrays off an answer: a length, a line feed, that many characters; again and again."""

    def __init__(self, chunks):
        self.chunks = iter(chunks)
        self.rest = b""
        self.arrays: list = []
        self.raw = b""

    def _more(self) -> bool:
        chunk = next(self.chunks, None)
        if chunk is None:
            return False
        self.rest += chunk
        self.raw += chunk
        return True

    def chunk(self) -> list | None:
        """The pairs of the next chunk; None at the end, which must not come inside of a chunk."""
        while b"\n" not in self.rest:
            if not self._more():
                assert self.rest == b"", f"the answer ends within a chunk: {self.rest!r}"
                return None
        head, _, rest = self.rest.partition(b"\n")
        assert re.fullmatch(rb"[1-9][0-9]*", head), head
        while len(rest) < int(head):
            assert self._more(), "the answer ends within a chunk"
            rest = self.rest.partition(b"\n")[2]
        text, self.rest = rest[:int(head)], rest[int(head):]
        assert text.isascii(), "characters and bytes must be the same"
        return json.loads(text)


class Session:
    """One logical stream: forward POSTs, and the GET that hangs."""

    def __init__(self, base: Firestore, service: str = "Listen", messages=(), headers: str = "",
                 token: str | None = None, query: dict | None = None, real: dict | None = None,
                 database: str | None = None):
        self.base = base
        self.url = (f"{base.server.addresses['firestore']}"
                    f"/google.firestore.v1.Firestore/{service}/channel")
        self.common = {"VER": "8", "database": database or base.database}
        self.rid, self.ofs, self.last = 31415, 0, 0
        if token is not None:
            headers += f"Authorization:Bearer {token}\r\n"
        self.opening = self._post(
            {"RID": self.rid, "CVER": "22", "X-HTTP-Session-Id": "gsessionid", **(query or {})},
            messages, {"headers": SDK_HEADERS + headers}, real)
        self.ofs = len(messages)
        self.id = None
        if self.opening.status_code == 200:
            [[zero, greeting]] = Frames([self.opening.content]).chunk()
            assert zero == 0
            self.greeting = greeting
            self.id = greeting[1]
        self.heard: list = []

    def _post(self, query: dict, messages, form: dict | None = None, real: dict | None = None,
              ofs: int | None = None) -> requests.Response:
        body = dict(form or {})
        body |= {"count": len(messages), "ofs": self.ofs if ofs is None else ofs}
        for index, message in enumerate(messages):
            body[f"req{index}___data__"] = json.dumps(message)
        return requests.post(
            self.url, params=self.common | query | {"zx": "a1b2", "t": "1"},
            data=urllib.parse.urlencode(body), timeout=20, headers={
                "Content-Type": "application/x-www-form-urlencoded", "Origin": ORIGIN,
                **(real or {})})

    def post(self, *messages, rid: int | None = None, ofs: int | None = None,
             aid: int | None = None) -> requests.Response:
        if rid is None:
            self.rid += 1
            rid = self.rid
        answer = self._post(
            {"SID": self.id, "RID": rid, "AID": self.last if aid is None else aid}, messages,
            ofs=ofs)
        if ofs is None:
            self.ofs += len(messages)
        return answer

    def say(self, *messages) -> list:
        """What a POST reports: whether a GET is open, the last array sent, bytes on their way."""
        answer = self.post(*messages)
        assert answer.status_code == 200, answer.text
        frames = Frames([answer.content])
        report = frames.chunk()
        assert frames.chunk() is None
        return report

    def get(self, aid: int | None = None, ci: int = 0, **more) -> requests.Response:
        answer = requests.get(
            self.url, stream=True, timeout=20, headers={"Origin": ORIGIN},
            params=self.common | {
                "SID": self.id, "RID": "rpc", "AID": self.last if aid is None else aid,
                "CI": ci, "TYPE": "xmlhttp", "zx": "a", "t": "1", **more})
        return answer

    def arrays(self, answer: requests.Response):
        """The pairs of an answer as they come."""
        frames = Frames(answer.raw.stream(1 << 16, decode_content=False))
        while (pairs := frames.chunk()) is not None:
            for number, payload in pairs:
                yield number, payload

    def hear(self, condition) -> list:
        """Messages by buffered GETs, until one fulfils the condition."""
        messages: list = []
        while True:
            answer = self.get(ci=1)
            assert answer.status_code == 200, answer.text
            for number, payload in self.arrays(answer):
                assert number == self.last + 1, "numbers go up by one"
                self.last = number
                if payload != ["noop"]:
                    messages.append(payload)
            if any(isinstance(payload[0], dict) and condition(payload[0]) for payload in messages):
                return [payload[0] for payload in messages]

    def terminate(self, **more) -> requests.Response:
        self.rid += 1
        return requests.post(
            self.url, timeout=20, headers={"Origin": ORIGIN}, **more,
            params=self.common | {"SID": self.id, "RID": self.rid, "TYPE": "terminate", "zx": "a"})


def documents_target(base, *paths: str, target: int = 2, **more) -> dict:
    return {"database": base.database, "addTarget": {
        "documents": {"documents": [base.name(path) for path in paths]}, "targetId": target,
        **more}}


def is_snapshot(message: dict) -> bool:
    """The global mark: a time, and no targets."""
    change = message.get("targetChange", {})
    return "readTime" in change and not change.get("targetIds")


def is_error(message: dict) -> bool:
    return "error" in message


def kinds(messages: list) -> list:
    """`ADD`, `documentChange`, … in their order."""
    return [message["targetChange"].get("targetChangeType", "NO_CHANGE")
            if "targetChange" in message else next(iter(message)) for message in messages]


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
    session = Session(base, messages=[documents_target(base, "c/d")], real={
        "Accept-Encoding": "gzip, deflate, br"})
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
    session = Session(base, messages=[
        documents_target(base, "c/a"), documents_target(base, "c/b", target=4)])
    messages = session.hear(
        lambda message: message.get("targetChange", {}).get("targetIds") == [4]
        and message["targetChange"].get("targetChangeType") == "CURRENT")
    current = [message["targetChange"]["targetIds"] for message in messages
               if message.get("targetChange", {}).get("targetChangeType") == "CURRENT"]
    assert current == [[2], [4]]


@pytest.mark.parametrize("name", ["second", "(default)"])
def test_database_is_the_one_of_the_parameter_and_the_message(hearth, name):
    base = Firestore(hearth, None, name)
    base.rest("PATCH", "/c/d", json={"fields": {"n": {"integerValue": "7"}}})
    session = Session(base, messages=[documents_target(base, "c/d")])
    [change] = [message["documentChange"] for message in session.hear(is_snapshot)
                if "documentChange" in message]
    assert change["document"]["name"] == base.name("c/d")
    base.close()


def test_a_listen_message_may_leave_the_database_to_the_parameter(base):
    message = documents_target(base, "c/d")
    del message["database"]
    session = Session(base, messages=[message])
    assert "CURRENT" in kinds(session.hear(is_snapshot))


# MARK: Who calls

@pytest.fixture
def app(hearth):
    """The story's rule, and a user with a profile."""
    app = Firestore(hearth)
    app.rules(STORY_RULES)
    app.uid, app.token = app.sign_up()
    app.rest("PATCH", f"/users/{app.uid}", json={"fields": {"n": {"integerValue": "1"}}})
    yield app
    app.close()


def first_answer(session: Session) -> dict:
    """What is told of target 2: its document, or why it was removed."""
    messages = session.hear(lambda message: is_snapshot(message) or is_error(message)
                            or "cause" in message.get("targetChange", {}))
    for message in messages:
        if "documentChange" in message or is_error(message):
            return message
        if "cause" in message.get("targetChange", {}):
            return message["targetChange"]
    raise AssertionError(messages)


@pytest.mark.parametrize("colon", [":", ": "], ids=["no blank", "blank"])
def test_identity_is_read_from_the_headers_in_the_body(app, colon):
    session = Session(app, messages=[documents_target(app, f"users/{app.uid}")],
                      headers=f"Authorization{colon}Bearer {app.token}\r\n")
    assert first_answer(session)["documentChange"]["document"]["fields"] == {
        "n": {"integerValue": "1"}}


def test_identity_falls_back_to_the_real_header(app):
    session = Session(app, messages=[documents_target(app, f"users/{app.uid}")],
                      real={"Authorization": f"Bearer {app.token}"})
    assert "documentChange" in first_answer(session)


def test_identity_of_the_body_wins_over_the_real_header(app):
    _, other = app.sign_up()
    session = Session(app, messages=[documents_target(app, f"users/{app.uid}")], token=other,
                      real={"Authorization": f"Bearer {app.token}"})
    assert first_answer(session)["cause"]["code"] == 7


def test_identity_of_older_sdks_stands_in_the_address(app):
    session = Session(app, messages=[documents_target(app, f"users/{app.uid}")], query={
        "$httpHeaders": f"Authorization:Bearer {app.token}\r\n"})
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
        lambda message: message.get("targetChange", {}).get("targetIds") == [4]
        and "cause" in message["targetChange"])
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
        session.url, timeout=20, headers={"Authorization": "Bearer garbage"},
        params=session.common | {"SID": session.id, "RID": session.rid + 1, "AID": 0},
        data={"count": 1, "ofs": 0,
              "req0___data__": json.dumps(documents_target(app, f"users/{app.uid}"))})
    assert "documentChange" in first_answer(session)


# MARK: Messages as JSON

def test_messages_are_proto_json(base):
    base.rest("PATCH", "/c/d", json={"fields": {
        "i": {"integerValue": "9007199254740993"}, "d": {"doubleValue": "NaN"},
        "b": {"bytesValue": "AP8="}, "z": {"nullValue": None},
        "t": {"timestampValue": "2024-02-29T23:59:59.123456Z"}, "e": {"mapValue": {}}}})
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
    [gone] = [message["documentDelete"] for message in session.hear(is_snapshot)
              if "documentDelete" in message]
    assert gone["document"] == base.name("c/none") and gone["removedTargetIds"] == [2]
    assert RFC3339.fullmatch(gone["readTime"])


def test_characters_outside_of_ascii_are_escaped(base):
    text = "ü😀\u2028\x00\"\\" + "漢" * 200
    base.rest("PATCH", "/c/d", json={"fields": {"ä": {"stringValue": text}}})
    session = Session(base, messages=[documents_target(base, "c/d")])
    frames = Frames(session.get(ci=0).raw.stream(1 << 16, decode_content=False))
    found: list = []
    while not found:
        # What is told of the target may come before.
        found = [payload[0]["documentChange"] for _, payload in frames.chunk()
                 if isinstance(payload[0], dict) and "documentChange" in payload[0]]
    assert found[0]["document"]["fields"] == {"ä": {"stringValue": text}}
    assert frames.raw.isascii()


def query_target(base, collection: str, target: int = 2, **more) -> dict:
    """As the web SDK writes it, with the order by name at its end."""
    return {"database": base.database, "addTarget": {
        "query": {"parent": base.root, "structuredQuery": {
            "from": [{"collectionId": collection}],
            "where": {"fieldFilter": {"field": {"fieldPath": "n"}, "op": "GREATER_THAN",
                                      "value": {"integerValue": "0"}}},
            "orderBy": [{"field": {"fieldPath": "n"}, "direction": "ASCENDING"},
                        {"field": {"fieldPath": "__name__"}, "direction": "ASCENDING"}],
            "limit": 2}},
        "targetId": target, **more}}


def test_query_target_and_its_resumption(base):
    for n in range(4):
        base.rest("PATCH", f"/c/{n}", json={"fields": {"n": {"integerValue": str(n)}}})
    session = Session(base, messages=[query_target(base, "c")])
    messages = session.hear(is_snapshot)
    assert sorted(message["documentChange"]["document"]["name"][-1] for message in messages
                  if "documentChange" in message) == ["1", "2"]
    token = messages[-1]["targetChange"]["resumeToken"]
    again = Session(base, messages=[
        {**query_target(base, "c", resumeToken=token, expectedCount=2),
         "labels": {"goog-listen-tags": "existence-filter-mismatch-bloom"}}])
    told = kinds(again.hear(is_snapshot))
    assert told[0] == "ADD" and told[-2:] == ["CURRENT", "NO_CHANGE"]
    assert "documentChange" not in told or "RESET" in told


def test_removed_target_is_acknowledged_without_a_cause(base):
    session = Session(base, messages=[documents_target(base, "c/d")])
    session.hear(is_snapshot)
    session.say({"database": base.database, "removeTarget": 2})
    [message] = session.hear(
        lambda message: message.get("targetChange", {}).get("targetChangeType") == "REMOVE")
    assert message == {"targetChange": {"targetChangeType": "REMOVE", "targetIds": [2]}}


@pytest.mark.parametrize("message", [
    "{", '{"addTarget":5}', '{"database":"nonsense","removeTarget":2}', "[]", ""])
def test_message_that_cannot_be_read_ends_the_stream_within_the_channel(base, message):
    session = Session(base, messages=[])
    reply = requests.post(
        session.url, timeout=20, params=session.common | {
            "SID": session.id, "RID": session.rid + 1, "AID": 0},
        data={"count": 1, "ofs": 0, "req0___data__": message})
    assert reply.status_code == 200, reply.text
    error = session.hear(is_error)[-1]["error"]
    assert (error["code"], error["status"]) == (400, "INVALID_ARGUMENT")


# MARK: The back channel

def test_streaming_answer_has_no_length_and_goes_on(base):
    session = Session(base, messages=[documents_target(base, "c/d")])
    answer = session.get(ci=0)
    assert answer.status_code == 200 and "Content-Length" not in answer.headers
    stream = session.arrays(answer)
    seen = []
    for number, payload in stream:
        seen.append(number)
        if isinstance(payload[0], dict) and is_snapshot(payload[0]):
            break
    for n in range(3):
        base.rest("PATCH", "/c/d", json={"fields": {"n": {"integerValue": str(n)}}})
        for number, payload in stream:
            seen.append(number)
            if isinstance(payload[0], dict) and is_snapshot(payload[0]):
                break
    assert seen == list(range(1, len(seen) + 1))
    answer.close()


def test_first_streaming_answer_shows_bytes_at_once(base):
    """Else the browser takes the network for one that holds answers back."""
    session = Session(base, "Write", messages=[])
    answer = session.get(ci=0)
    assert next(session.arrays(answer)) == (1, ["noop"])
    answer.close()


def test_buffered_answer_ends_behind_its_first_chunk(base):
    session = Session(base, messages=[documents_target(base, "c/d")])
    answer = session.get(ci=1)
    frames = Frames(answer.raw.stream(1 << 16, decode_content=False))
    assert frames.chunk() and frames.chunk() is None


@pytest.mark.parametrize("ci", [0, 1])
def test_patience_of_an_idle_answer_is_bounded_by_to(base, ci):
    session = Session(base, messages=[documents_target(base, "c/d")])
    session.hear(is_snapshot)
    answer = session.get(ci=ci, TO=200)
    number, payload = next(session.arrays(answer))
    assert (number, payload) == (session.last + 1, ["noop"])
    answer.close()


def test_what_was_not_acknowledged_comes_again(base):
    session = Session(base, messages=[documents_target(base, "c/d")])
    first = list(session.arrays(session.get(aid=0, ci=1)))
    assert [number for number, _ in first] == list(range(1, len(first) + 1))
    # The connection broke: the new GET has the old number.
    again = list(session.arrays(session.get(aid=0, ci=1)))
    assert again[:len(first)] == first
    rest = list(session.arrays(session.get(aid=1, ci=1)))
    assert rest[:len(first) - 1] == first[1:]


def test_acknowledgement_by_a_post_counts_too(base):
    session = Session(base, messages=[documents_target(base, "c/d")])
    arrays = list(session.arrays(session.get(aid=0, ci=1)))
    last = arrays[-1][0]
    session.last = last
    session.say(documents_target(base, "c/e", target=4))
    later = list(session.arrays(session.get(aid=0, ci=1)))
    assert all(number > last for number, _ in later), "acknowledged arrays come again"


def test_second_get_replaces_the_first(base):
    session = Session(base, messages=[documents_target(base, "c/d")])
    session.hear(is_snapshot)
    first = session.get(ci=0)
    ended = threading.Event()

    def drain():
        for _ in session.arrays(first):
            pass
        ended.set()

    threading.Thread(target=drain, daemon=True).start()
    second = session.get(ci=0)
    assert ended.wait(10), "the old GET still hangs"
    base.rest("PATCH", "/c/d", json={"fields": {}})
    assert any("documentChange" in payload[0] for _, payload in
               [next(session.arrays(second))] if isinstance(payload[0], dict))
    second.close()


# MARK: The forward channel

def test_report_tells_of_the_back_channel(base):
    session = Session(base, messages=[documents_target(base, "c/d")])
    is_open, last, on_the_way = session.say(documents_target(base, "c/e", target=4))
    assert is_open == 0 and isinstance(last, int) and isinstance(on_the_way, int)
    session.hear(lambda message: message.get("targetChange", {}).get("targetIds") == [4]
                 and message["targetChange"].get("targetChangeType") == "CURRENT")
    answer = session.get(ci=0)
    stream = session.arrays(answer)
    is_open, last, on_the_way = session.say()
    assert is_open == 1 and last >= session.last and on_the_way >= 0
    del stream
    answer.close()


def test_repeated_post_is_taken_once(base):
    session = Session(base, "Write", messages=[{"database": base.database}])
    token = session.hear(lambda message: "streamToken" in message)[-1]["streamToken"]
    write = {"streamToken": token, "writes": [{
        "update": {"name": base.name("c/d"), "fields": {}}, "updateMask": {},
        "updateTransforms": [{"fieldPath": "n", "increment": {"integerValue": "1"}}]}]}
    for _ in range(3):
        assert session.post(write, rid=session.rid + 1, ofs=1).status_code == 200
    session.ofs, session.rid = 2, session.rid + 1
    # One that overlaps brings only what is new.
    assert session.post(write, write, ofs=1).status_code == 200
    results = []
    while len(results) < 2:
        results += [message for message in session.hear(lambda m: "writeResults" in m)
                    if "writeResults" in message]
    assert base.rest("GET", "/c/d")["fields"] == {"n": {"integerValue": "2"}}


def test_a_gap_in_the_numbers_kills_the_session(base):
    session = Session(base, messages=[documents_target(base, "c/d")])
    assert session.post(documents_target(base, "c/e", target=4), ofs=5).status_code == 400
    assert session.get(ci=1).status_code == 400


@pytest.mark.parametrize("method", ["POST", "GET"])
def test_unknown_session_is_named_behind_the_start_of_the_text(base, method):
    session = Session(base, messages=[])
    session.id = "unknown"
    reply = session.post(documents_target(base, "c/d")) if method == "POST" else session.get()
    assert reply.status_code == 400 and reply.text.find("Unknown SID") > 0
    assert reply.headers["Access-Control-Allow-Origin"] == ORIGIN


def test_session_of_one_service_is_unknown_to_the_other(base):
    session = Session(base, messages=[documents_target(base, "c/d")])
    session.url = session.url.replace("/Listen/", "/Write/")
    assert session.get(ci=1).status_code == 400


def test_a_thousand_messages_in_one_post(base):
    session = opened_writer(base)
    report = session.say(*[{"streamToken": session.token, "writes": [{
        "update": {"name": base.name("c/d"), "fields": {}}, "updateMask": {},
        "updateTransforms": [{"fieldPath": "n", "increment": {"integerValue": "1"}}]}]}
        for _ in range(1000)])
    assert len(report) == 3
    session.hear(lambda message: any(
        result["transformResults"] == [{"integerValue": "1000"}]
        for result in message.get("writeResults", [])))
    assert base.rest("GET", "/c/d")["fields"] == {"n": {"integerValue": "1000"}}


def test_document_of_a_mebibyte(base):
    text = "ü" * 500_000
    writer = opened_writer(base)
    writer.say({"streamToken": writer.token, "writes": [
        {"update": {"name": base.name("c/d"), "fields": {"text": {"stringValue": text}}}}]})
    writer.hear(lambda message: "writeResults" in message)
    session = Session(base, messages=[documents_target(base, "c/d")])
    [change] = [message["documentChange"] for message in session.hear(is_snapshot)
                if "documentChange" in message]
    assert change["document"]["fields"] == {"text": {"stringValue": text}}


# MARK: Close

@pytest.mark.parametrize("how", ["empty body", "form", "beacon", "image"])
def test_terminated_session_is_gone(base, how):
    session = Session(base, messages=[documents_target(base, "c/d")])
    if how == "image":
        reply = requests.get(session.url, timeout=20, params=session.common | {
            "SID": session.id, "RID": session.rid + 1, "TYPE": "terminate"})
    else:
        reply = session.terminate(**{
            "empty body": {}, "form": {"data": {"count": 0}}, "beacon": {"data": "\n"}}[how])
    assert reply.status_code == 200
    assert session.post(documents_target(base, "c/e", target=4)).status_code == 400
    assert session.get(ci=1).status_code == 400


def test_terminate_ends_the_hanging_get(base):
    session = Session(base, messages=[documents_target(base, "c/d")])
    session.hear(is_snapshot)
    answer = session.get(ci=0)
    threading.Timer(0.2, session.terminate).start()
    for _ in session.arrays(answer):
        pass


def test_terminating_an_unknown_session_is_no_error(base):
    session = Session(base, messages=[])
    assert session.terminate().status_code == 200
    assert session.terminate().status_code == 200


# MARK: The Write stream

def opened_writer(base, token: str | None = None) -> Session:
    session = Session(base, "Write", messages=[{"database": base.database}], token=token)
    opening = session.hear(lambda message: "streamToken" in message or is_error(message))[-1]
    assert not opening.get("writeResults")
    session.token = opening["streamToken"]
    assert BASE64.fullmatch(session.token) and opening["streamId"]
    return session


def test_writes_are_answered_in_order_with_new_tokens(base):
    session = opened_writer(base)
    tokens = [session.token]
    session.say(*[{"streamToken": session.token, "writes": [{
        "update": {"name": base.name("c/d"), "fields": {"n": {"integerValue": str(n)}}}}]}
        for n in range(10)])
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
    session.say({"streamToken": session.token, "writes": [
        {"update": {"name": base.name("c/d"), "fields": {"n": {"integerValue": "1"}}},
         "updateTransforms": [
            {"fieldPath": "n", "increment": {"integerValue": "2"}},
            {"fieldPath": "t", "setToServerValue": "REQUEST_TIME"},
            {"fieldPath": "a", "appendMissingElements": {"values": [{"stringValue": "x"}]}}]},
        {"delete": base.name("c/e")}, {"verify": base.name("c/f"), "currentDocument": {
            "exists": False}}]})
    [answer] = session.hear(lambda message: "writeResults" in message)
    one, two, three = answer["writeResults"]
    number, time, array = one["transformResults"]
    assert number == {"integerValue": "3"} and array == {"nullValue": None}
    assert RFC3339.fullmatch(time["timestampValue"])
    assert "updateTime" not in two and "transformResults" not in two


@pytest.mark.parametrize("condition, code, status", [
    ({"exists": True}, 404, "NOT_FOUND"), ({"exists": False}, 409, "ALREADY_EXISTS"),
    ({"updateTime": "2000-01-01T00:00:00Z"}, 400, "FAILED_PRECONDITION")],
    ids=["not found", "already exists", "failed precondition"])
def test_failed_write_ends_the_stream_with_its_status(base, condition, code, status):
    path = "c/there" if condition.get("exists") is False else "c/none"
    base.rest("PATCH", "/c/there", json={})
    session = opened_writer(base)
    session.say({"streamToken": session.token, "writes": [
        {"update": {"name": base.name(path)}, "currentDocument": condition}]})
    error = session.hear(is_error)[-1]["error"]
    assert (error["code"], error["status"]) == (code, status) and error["message"]


def test_denied_write_ends_the_stream_with_permission_denied(app):
    session = opened_writer(app, app.token)
    session.say({"streamToken": session.token, "writes": [
        {"update": {"name": app.name(f"users/{app.uid}")}}]})
    error = session.hear(is_error)[-1]["error"]
    assert (error["code"], error["status"]) == (403, "PERMISSION_DENIED")


def test_listener_hears_of_the_write_with_its_time(base):
    listener = Session(base, messages=[documents_target(base, "c/d")])
    listener.hear(is_snapshot)
    writer = opened_writer(base)
    writer.say({"streamToken": writer.token, "writes": [{"update": {"name": base.name("c/d")}}]})
    [answer] = writer.hear(lambda message: "writeResults" in message)
    change, mark = listener.hear(is_snapshot)
    assert change["documentChange"]["document"]["updateTime"] == (
        answer["writeResults"][0]["updateTime"])
    assert mark["targetChange"]["readTime"] >= answer["commitTime"]


# MARK: Pages of other origins

@pytest.mark.parametrize("service", ["Listen", "Write"])
def test_preflight_of_a_channel(base, service):
    asked = "x-goog-api-client,x-firebase-gmpid,authorization,google-cloud-resource-prefix"
    url = f"{base.server.addresses['firestore']}/google.firestore.v1.Firestore/{service}/channel"
    reply = requests.options(url, timeout=15, headers={
        "Origin": ORIGIN, "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": asked})
    assert reply.status_code in (200, 204)
    assert reply.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert reply.headers["Access-Control-Allow-Credentials"] == "true"
    allowed = reply.headers["Access-Control-Allow-Headers"].lower().replace(" ", "").split(",")
    assert set(asked.split(",")) <= set(allowed)
    assert "Origin" in reply.headers["Vary"]


def test_every_answer_of_a_session_names_the_origin(base):
    session = Session(base, messages=[documents_target(base, "c/d")])
    replies = [session.opening, session.post(documents_target(base, "c/e", target=4)),
               session.get(ci=1), session.terminate(), session.get()]
    assert [reply.status_code for reply in replies] == [200, 200, 200, 200, 400]
    for reply in replies:
        assert reply.headers["Access-Control-Allow-Origin"] == ORIGIN
        assert reply.headers["Access-Control-Allow-Credentials"] == "true"
        assert "Origin" in reply.headers["Vary"]


def test_without_an_origin_none_is_named(base):
    session = Session(base, messages=[])
    reply = requests.post(session.url, params=session.common | {
        "SID": session.id, "RID": session.rid + 1, "TYPE": "terminate"}, timeout=20)
    assert "Access-Control-Allow-Origin" not in reply.headers
