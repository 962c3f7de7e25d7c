"""Random WebChannel sessions and random rules: never a crash, never a 5xx, never an answer out of form."""

import http.client
import json
import os
import pathlib
import random
import re
from urllib.parse import urlencode

from support.firestore.channel import ORIGIN, frames, is_snapshot, listening
from support.firestore.project import Firestore
from support.fuzz import NAME, RULES, TEXTS, structured, written
from support.server import PROJECT, Server

SESSIONS = int(os.environ.get("HEARTH_FUZZ_REQUESTS", "200000")) // 1000
DATABASE = NAME.removesuffix("/documents")
NUMBERS = ["0", "1", "2", "-1", "100", "x", "", "1.5", "9" * 30]


class Session:
    """One client that knows the protocol and often does not keep to it."""

    def __init__(self, chance: random.Random, connection: http.client.HTTPConnection):
        self.chance, self.connection = chance, connection
        self.verb = chance.choice(["Listen", "Listen", "Write"])
        self.session = chance.choice(["nope", "", "\u00e9"])
        self.sent = self.last = 0
        self.heard = 0
        self.faults: list[str] = []

    def play(self) -> list[str]:
        self.open()
        for _ in range(self.chance.randrange(1, 9)):
            self.chance.choice([self.send, self.send, self.hear, self.hear, self.end])()
        return self.faults

    def one_of(self, right, share: float = 0.1):
        """Mostly the right value."""
        return self.chance.choice(NUMBERS + TEXTS) if self.chance.random() < share else right

    def message(self) -> dict:
        chance = self.chance
        if self.verb == "Write":
            return chance.choice(
                [
                    {},
                    {"database": DATABASE},
                    {"streamToken": chance.choice(["", "AAAA", "!", None])},
                    {
                        "writes": [written(chance) for _ in range(chance.randrange(3))],
                        "streamToken": "AAAA",
                    },
                ]
            )
        target = chance.choice([2, 4, 0, -1, 2**31, "x"])
        return {"database": chance.choice([DATABASE, DATABASE, DATABASE, "", "x"])} | chance.choice(
            [
                {
                    "addTarget": {
                        "targetId": target,
                        "query": {"parent": NAME, "structuredQuery": structured(chance)},
                    }
                },
                {
                    "addTarget": {
                        "targetId": target,
                        "documents": {"documents": [f"{NAME}/c/{chance.choice('ab/')}"]},
                    }
                },
                {
                    "addTarget": {
                        "targetId": target,
                        "query": {"parent": NAME, "structuredQuery": structured(chance)},
                        "resumeToken": chance.choice(["AAAA", "!", ""]),
                    }
                },
                {"removeTarget": target},
                {},
                {"labels": {"goog-listen-tags": "x"}},
            ]
        )

    def body(self, **fields) -> bytes:
        chance = self.chance
        messages = [self.message() for _ in range(chance.choice([0, 1, 1, 1, 2, 3]))]
        content = {"count": self.one_of(len(messages)), "ofs": self.one_of(self.sent), **fields}
        for index, each in enumerate(messages):
            text = json.dumps(each)
            if chance.random() < 0.1:
                at = chance.randrange(len(text))
                text = text[:at] + chance.choice(TEXTS) + text[at + 1 :]
            content[f"req{self.one_of(index, 0.03)}___data__"] = text
        self.sent += len(messages)
        body = urlencode(content).encode()
        if chance.random() < 0.05:
            at = chance.randrange(len(body))
            body = body[:at] + bytes([chance.randrange(256)]) + body[at + 1 :]
        return body

    def call(self, method: str, query: dict, body: bytes | None = None) -> str:
        query = {"VER": self.one_of(8, 0.02), "database": self.one_of(DATABASE, 0.02)} | query
        for name in [name for name in query if self.chance.random() < 0.02]:
            del query[name]
        path = f"/google.firestore.v1.Firestore/{self.verb}/channel?" + urlencode(query)
        headers = ORIGIN | (
            {"Content-Type": "application/x-www-form-urlencoded"} if body is not None else {}
        )
        try:
            self.connection.request(method, path, body, headers)
            reply = self.connection.getresponse()
            text = reply.read().decode()
        except (http.client.HTTPException, ConnectionError) as error:
            self.connection.close()
            self.faults.append(f"{method} {path} {body!r} -> {error!r}")
            return ""
        if reply.status >= 500 and reply.status != 501:
            self.faults.append(f"{method} {path} {body!r} -> {reply.status} {text[:300]}")
        return text if reply.status == 200 else ""

    def open(self) -> None:
        text = self.call(
            "POST",
            {"RID": self.one_of(100), "CVER": self.one_of(22)},
            self.body(headers=self.one_of("Authorization:Bearer owner\r\n")),
        )
        found = re.search(r'\["c","([^"]*)"', text)
        if found:
            self.session = found[1]

    def send(self) -> None:
        self.call(
            "POST",
            {
                "SID": self.session,
                "RID": self.one_of(100 + self.sent),
                "AID": self.one_of(self.last),
            },
            self.body(),
        )

    def hear(self) -> None:
        text = self.call(
            "GET",
            {
                "SID": self.session,
                "RID": "rpc",
                "AID": self.one_of(self.last),
                "CI": 1,
                "TYPE": self.one_of("xmlhttp", 0.02),
                "TO": 20,
            },
        )
        try:
            for number, _ in frames(text):
                self.last = max(self.last, number)
                self.heard += 1
        except ValueError as error:
            self.faults.append(f"frames: {error} in {text[:300]!r}")

    def end(self) -> None:
        if self.chance.random() < 0.3:
            self.call(
                "POST", {"SID": self.session, "RID": self.one_of(900), "TYPE": "terminate"}, b""
            )


def test_no_session_breaks_the_server():
    server = Server("--log-level", "critical")
    port = int(server.addresses["firestore"].rpartition(":")[2])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    chance = random.Random(11)
    faults, heard = [], 0
    for _ in range(SESSIONS):
        session = Session(chance, connection)
        faults += session.play()
        heard += session.heard
        assert len(faults) < 5, faults
    assert faults == []
    # Sessions that hear nothing prove nothing.
    assert heard > SESSIONS / 2
    base = Firestore(server)
    channel = listening(base, "c/a")
    channel.hear(is_snapshot)
    channel.close()
    status = pathlib.Path(f"/proc/{server.process.pid}/status")
    if status.exists():
        resident = [line for line in status.read_text().splitlines() if line.startswith("VmRSS")][0]
        assert int(resident.split()[1]) < 300 * 1024
    server.stop()


# MARK: Rules

PIECES = [
    "rules_version = '2';",
    "service",
    "cloud.firestore",
    "match",
    "/a/{b}",
    "/{c=**}",
    "allow",
    "read",
    "write:",
    "if",
    "function f(x)",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "let y =",
    "return",
    "true",
    "null",
    "'a'",
    "1",
    "2.5",
    "resource.data",
    "request.auth.uid",
    "==",
    "&&",
    "||",
    "!",
    "in",
    "is",
    "string",
    "?",
    ":",
    "get(/a/$(b))",
    ".matches('(a*)*')",
    "//",
    "/*",
    "*/",
    "\\",
    "$",
    "\u00e9",
    "\u0000",
    "\ud83d\ude00",
    "\n",
]


def rules(chance: random.Random) -> str:
    kind = chance.randrange(3)
    if kind == 0:
        return " ".join(chance.choice(PIECES) for _ in range(chance.randrange(60)))
    text = RULES
    for _ in range(chance.choice([1, 1, 2, 5])):
        at = chance.randrange(len(text))
        piece = chance.choice(PIECES + ["", " ", "\n", " ", "/* */"])
        text = text[:at] + piece + text[at + chance.choice([0, 0, 1, 3]) :]
    if kind == 2:
        # Deep and long: what a parser that calls itself does not survive.
        piece = chance.choice(
            ["(", "[", "!", "-", "{'a':", "match /a/{b} {", "f(", "1 + ", "a.", "true && "]
        )
        text = RULES.replace("if ", "if " + piece * chance.choice([5, 50, 5000]), 1)
    return text


def test_no_rules_break_the_server():
    server = Server("--log-level", "critical")
    base = server.addresses["firestore"]
    port = int(base.rpartition(":")[2])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    chance = random.Random(12)
    taken = refused = 0
    for _ in range(SESSIONS * 5):
        source = rules(chance)
        body = json.dumps({"rules": {"files": [{"name": "firestore.rules", "content": source}]}})
        connection.request(
            "PUT",
            f"/emulator/v1/projects/{PROJECT}:securityRules",
            body,
            {"Content-Type": "application/json"},
        )
        reply = connection.getresponse()
        text = reply.read()
        assert reply.status in (200, 400), f"{reply.status} {text[:300]!r} of {source!r}"
        answer = json.loads(text)
        if reply.status == 400:
            refused += 1
            assert "error" in answer or answer["issues"], f"{text[:300]!r} of {source!r}"
            continue
        taken += 1
        connection.request("GET", f"/v1/{NAME}/c/a")
        read = connection.getresponse()
        text = read.read()
        assert read.status in (200, 403, 404), f"{read.status} {text[:300]!r} under {source!r}"
    # Both happen, or the fuzzing says little.
    assert taken > 20 and refused > 20
    server.stop()
