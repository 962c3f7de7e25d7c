"""Listen and Write as a browser speaks them: WebChannel, an answer at a time."""

import json
import time
from urllib.parse import urlencode

import requests
from support.firestore.project import OWNER, Firestore
from support.h2_client import Connection

ORIGIN = {"Origin": "http://localhost:5173"}


def frames(text: str) -> list:
    """Each chunk is its length, a line feed, and that many characters."""
    found = []
    while text:
        length, _, rest = text.partition("\n")
        found += json.loads(rest[: int(length)])
        text = rest[int(length) :]
    return found


class Answer:
    """An answer over HTTP/2, as `requests` shows one."""

    def __init__(self, connection: Connection, stream: int):
        assert connection.finish(stream) and stream in connection.ended
        self.headers = requests.structures.CaseInsensitiveDict(connection.headers[stream])
        self.status_code = int(self.headers.pop(":status"))
        self.text = connection.bodies.get(stream, b"").decode()


class HTTP2:
    """What `requests` does here, on one connection in clear text."""

    def __init__(self, base: str):
        self.base = base
        self.connection = Connection(base.removeprefix("http://"))

    def get(self, url: str, headers: dict, timeout: float) -> Answer:
        return self._ask("GET", url, headers)

    def post(self, url: str, headers: dict, timeout: float, data: dict | None = None) -> Answer:
        form = {"content-type": "application/x-www-form-urlencoded"} if data else {}
        return self._ask("POST", url, headers | form, urlencode(data or {}).encode())

    def _ask(self, method: str, url: str, headers: dict, body: bytes | None = None) -> Answer:
        fields = [(name.lower(), value) for name, value in headers.items()]
        return Answer(
            self.connection, self.connection.open(method, url.removeprefix(self.base), fields, body)
        )


class Channel:
    """A stream of one database. What its SDK would hear comes out of `hear`."""

    def __init__(
        self, base: Firestore, verb: str, first: dict, token: str | None = OWNER, client=requests
    ):
        self.client = client
        self.url = (
            f"{base.server.addresses['firestore']}/google.firestore.v1.Firestore/{verb}/channel"
        )
        self.query = {"VER": 8, "database": base.database}
        self.sent = 0
        self.last = 0
        headers = "Content-Type:text/plain\r\n"
        if token is not None:
            headers += f"Authorization:Bearer {token}\r\n"
        [[_, [mark, session, *_]]] = frames(
            self._post({"RID": 100, "CVER": 22}, first, headers=headers)
        )
        assert mark == "c"
        self.query["SID"] = session

    def _post(self, query: dict, message: dict, **fields) -> str:
        reply = self.client.post(
            f"{self.url}?{urlencode(self.query | query)}",
            headers=ORIGIN,
            timeout=30,
            data={**fields, "count": 1, "ofs": self.sent, "req0___data__": json.dumps(message)},
        )
        assert reply.status_code == 200, reply.text
        self.sent += 1
        return reply.text

    def send(self, message: dict) -> None:
        self._post({"RID": 100 + self.sent, "AID": self.last}, message)

    def hear(self, wanted, timeout: float = 30) -> list[dict]:
        """The messages up to the first for which `wanted` is true, that one included."""
        heard: list[dict] = []
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            reply = self.client.get(
                f"{self.url}?"
                + urlencode(
                    self.query
                    | {"RID": "rpc", "AID": self.last, "CI": 1, "TYPE": "xmlhttp", "TO": 2000}
                ),
                headers=ORIGIN,
                timeout=30,
            )
            assert reply.status_code == 200, reply.text
            for number, payload in frames(reply.text):
                self.last = max(self.last, number)
                heard += [message for message in payload if isinstance(message, dict)]
            if any(wanted(message) for message in heard):
                return heard
        raise AssertionError(f"not heard: {heard}")

    def failure(self) -> dict:
        """The error with which the stream ends."""
        return self.hear(lambda message: "error" in message)[-1]["error"]

    def close(self) -> None:
        self.client.post(
            f"{self.url}?" + urlencode(self.query | {"RID": 900, "TYPE": "terminate"}),
            headers=ORIGIN,
            timeout=30,
        )


def listening(base: Firestore, path: str, token: str | None = OWNER, client=requests) -> Channel:
    return Channel(
        base,
        "Listen",
        {
            "database": base.database,
            "addTarget": {"documents": {"documents": [base.name(path)]}, "targetId": 2},
        },
        token,
        client,
    )


def writing(base: Firestore, token: str | None = OWNER) -> Channel:
    return Channel(base, "Write", {"database": base.database}, token)


def is_snapshot(message: dict) -> bool:
    """The mark after which all targets are complete."""
    change = message.get("targetChange", {})
    return "readTime" in change and not change.get("targetIds")
