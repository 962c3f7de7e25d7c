"""WebChannel by hand, byte by byte."""

import json
import re
import urllib.parse

import pytest
import requests
from support.firestore.project import STORY_RULES, Firestore

ORIGIN = "http://localhost:5173"
BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
SDK_HEADERS = (
    "X-Goog-Api-Client:gl-js/ fire/12.3.0\r\nContent-Type:text/plain\r\n"
    "X-Firebase-GMPID:1:1:web:1\r\n"
)


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
        text, self.rest = rest[: int(head)], rest[int(head) :]
        assert text.isascii(), "characters and bytes must be the same"
        return json.loads(text)


class Session:
    """One logical stream: forward POSTs, and the GET that hangs."""

    def __init__(
        self,
        base: Firestore,
        service: str = "Listen",
        messages=(),
        headers: str = "",
        token: str | None = None,
        query: dict | None = None,
        real: dict | None = None,
        database: str | None = None,
    ):
        self.base = base
        self.url = (
            f"{base.server.addresses['firestore']}/google.firestore.v1.Firestore/{service}/channel"
        )
        self.common = {"VER": "8", "database": database or base.database}
        self.rid, self.ofs, self.last = 31415, 0, 0
        if token is not None:
            headers += f"Authorization:Bearer {token}\r\n"
        self.opening = self._post(
            {"RID": self.rid, "CVER": "22", "X-HTTP-Session-Id": "gsessionid", **(query or {})},
            messages,
            {"headers": SDK_HEADERS + headers},
            real,
        )
        self.ofs = len(messages)
        self.id = None
        if self.opening.status_code == 200:
            [[zero, greeting]] = Frames([self.opening.content]).chunk()
            assert zero == 0
            self.greeting = greeting
            self.id = greeting[1]
        self.heard: list = []

    def _post(
        self,
        query: dict,
        messages,
        form: dict | None = None,
        real: dict | None = None,
        ofs: int | None = None,
    ) -> requests.Response:
        body = dict(form or {})
        body |= {"count": len(messages), "ofs": self.ofs if ofs is None else ofs}
        for index, message in enumerate(messages):
            body[f"req{index}___data__"] = json.dumps(message)
        return requests.post(
            self.url,
            params=self.common | query | {"zx": "a1b2", "t": "1"},
            data=urllib.parse.urlencode(body),
            timeout=60,
            headers={
                "Content-Type": "application/x-www-form-urlencoded",
                "Origin": ORIGIN,
                **(real or {}),
            },
        )

    def post(
        self, *messages, rid: int | None = None, ofs: int | None = None, aid: int | None = None
    ) -> requests.Response:
        if rid is None:
            self.rid += 1
            rid = self.rid
        answer = self._post(
            {"SID": self.id, "RID": rid, "AID": self.last if aid is None else aid},
            messages,
            ofs=ofs,
        )
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
            self.url,
            stream=True,
            timeout=60,
            headers={"Origin": ORIGIN},
            params=self.common
            | {
                "SID": self.id,
                "RID": "rpc",
                "AID": self.last if aid is None else aid,
                "CI": ci,
                "TYPE": "xmlhttp",
                "zx": "a",
                "t": "1",
                **more,
            },
        )
        return answer

    def arrays(self, answer: requests.Response):
        """The pairs of an answer as they come."""
        frames = Frames(answer.raw.stream(1 << 16, decode_content=False))
        while (pairs := frames.chunk()) is not None:
            yield from map(tuple, pairs)

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
            self.url,
            timeout=60,
            headers={"Origin": ORIGIN},
            **more,
            params=self.common | {"SID": self.id, "RID": self.rid, "TYPE": "terminate", "zx": "a"},
        )


def documents_target(base, *paths: str, target: int = 2, **more) -> dict:
    return {
        "database": base.database,
        "addTarget": {
            "documents": {"documents": [base.name(path) for path in paths]},
            "targetId": target,
            **more,
        },
    }


def is_snapshot(message: dict) -> bool:
    """The global mark: a time, and no targets."""
    change = message.get("targetChange", {})
    return "readTime" in change and not change.get("targetIds")


def is_error(message: dict) -> bool:
    return "error" in message


@pytest.fixture
def app(hearth):
    """The story's rule, and a user with a profile."""
    app = Firestore(hearth)
    app.rules(STORY_RULES)
    app.uid, app.token = app.sign_up()
    app.rest("PATCH", f"/users/{app.uid}", json={"fields": {"n": {"integerValue": "1"}}})
    yield app
    app.close()


def opened_writer(base, token: str | None = None) -> Session:
    session = Session(base, "Write", messages=[{"database": base.database}], token=token)
    opening = session.hear(lambda message: "streamToken" in message or is_error(message))[-1]
    assert not opening.get("writeResults")
    session.token = opening["streamToken"]
    assert BASE64.fullmatch(session.token) and opening["streamId"]
    return session
