"""Random and mutated requests: no crash, no 5xx, no answer outside the envelope."""

import json
import multiprocessing
import os
import pathlib
import random
import socket

from support.fuzz import DOCUMENTS, NAME, RULES, TEXTS, fields, structured, written
from support.server import PROJECT, ROOT, Server

REQUESTS = int(os.environ.get("HEARTH_FUZZ_REQUESTS", "200000"))
WORKERS = 2
PIPELINE = 50
SURFACE = json.loads((ROOT / "fixtures/discovery/identitytoolkit-surface.json").read_text())
OWN = [
    ("GET", f"/emulator/v1/projects/{PROJECT}/messages"),
    ("GET", f"/emulator/v1/projects/{PROJECT}/messages/latest"),
    ("DELETE", f"/emulator/v1/projects/{PROJECT}/messages/1"),
    ("GET", f"/emulator/v1/projects/{PROJECT}/switches"),
    ("PATCH", f"/emulator/v1/projects/{PROJECT}/switches"),
    ("GET", "/emulator/action"),
    ("POST", "/emulator/action"),
    ("GET", "/mailbox"),
    ("GET", "/mailbox/1"),
    ("GET", "/emulator/openapi.json"),
    ("GET", "/"),
    ("GET", "/.well-known/jwks.json"),
    ("POST", f"/emulator/v1/projects/{PROJECT}:export"),
]
# What the console and deployments send, by their members.
CONTROL = f"/emulator/v1/projects/{PROJECT}"
CONSOLE = [
    ("GET", CONTROL + "/rules", None),
    ("DELETE", CONTROL + "/rules", None),
    (
        "PUT",
        CONTROL + "/rules",
        {
            "rules": {"files": [{"name": "string", "content": {"enum": [RULES, "", "service"]}}]},
            "revision": "string",
        },
    ),
    (
        "PUT",
        CONTROL + "/rules:file",
        {"rules": {"files": [{"content": {"enum": [RULES, "", "service"]}}]}, "revision": "string"},
    ),
    ("GET", CONTROL + "/rules:requests", None),
    ("POST", CONTROL + "/requests:compare", {"requests": ["integer"], "in": "string"}),
    (
        "POST",
        "/emulator/v1/links:check",
        {"links": [{"enum": ["http://localhost:1/", "http://127.0.0.1/", "x", "http://[::1]:9/"]}]},
    ),
    ("GET", CONTROL + "/rules:coverage", None),
    ("DELETE", CONTROL + "/rules:coverage", None),
    (
        "POST",
        CONTROL + "/rules:evaluate",
        {
            "path": {"enum": ["c/a", "/databases/(default)/documents/c/a", "c"]},
            "method": {"enum": ["get", "list", "create", "write"]},
            "auth": {"uid": "string", "token": {"map": "string"}},
            "rules": {"enum": [RULES, ""]},
            "data": {"map": "string"},
            "resource": {"map": "string"},
            "time": "string",
        },
    ),
    ("GET", CONTROL + "/accounts", None),
    (
        "POST",
        CONTROL + "/accounts:bulk",
        {
            "action": {"enum": ["disable", "enable", "delete", "revokeSessions"]},
            "localIds": ["string"],
            "tenantId": "string",
            "all": "boolean",
            "filter": {
                "q": "string",
                "provider": {"enum": ["anonymous", "custom", "password", "google.com"]},
                "disabled": "boolean",
                "verified": "boolean",
                "factor": {"enum": ["none", "phone", "totp"]},
            },
        },
    ),
    (
        "PATCH",
        f"/identitytoolkit.googleapis.com/v2/projects/{PROJECT}/config",
        {
            "blockingFunctions": {
                "triggers": {
                    # Nobody answers there, and nothing else is called.
                    "beforeCreate": {"functionUri": {"enum": ["http://127.0.0.1:1/", "http://a"]}},
                    "beforeSignIn": {"functionUri": "string"},
                },
                "forwardInboundCredentials": {"idToken": "boolean", "accessToken": "boolean"},
            }
        },
    ),
]
SERVICE_ACCOUNT = "/iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/{account}"
INSTALLATIONS = "/firebaseinstallations.googleapis.com/v1/projects/{project}/installations"
GOOGLE = [
    ("POST", "/oauth2.googleapis.com/token"),
    ("POST", "/www.googleapis.com/oauth2/v4/token"),
    ("GET", "/oauth2.googleapis.com/tokeninfo"),
    ("POST", "/oauth2.googleapis.com/tokeninfo"),
    ("GET", "/oauth2.googleapis.com/revoke"),
    ("POST", "/oauth2.googleapis.com/revoke"),
    ("POST", "/sts.googleapis.com/v1/token"),
    ("POST", SERVICE_ACCOUNT + ":signBlob"),
    ("POST", SERVICE_ACCOUNT + ":signJwt"),
    ("POST", SERVICE_ACCOUNT + ":generateAccessToken"),
    ("POST", SERVICE_ACCOUNT + ":generateIdToken"),
    ("GET", SERVICE_ACCOUNT + "/allowedLocations"),
    ("GET", "/metadata.google.internal/computeMetadata/v1/{path}"),
    ("POST", INSTALLATIONS),
    ("POST", INSTALLATIONS + "/{installation}/authTokens:generate"),
    ("DELETE", INSTALLATIONS + "/{installation}"),
    ("GET", "/__/firebase/init.json"),
    ("GET", "/__/firebase/init.js"),
    ("GET", "/__/auth/links"),
    ("GET", "/emulator/v1/refusedHosts"),
    ("POST", f"/emulator/v1/projects/{PROJECT}/seed"),
]
LEGACY = [
    ("POST", f"/www.googleapis.com/identitytoolkit/v3/relyingparty/{name}")
    for name in (
        "verifyPassword",
        "getAccountInfo",
        "setAccountInfo",
        "downloadAccount",
        "uploadAccount",
        "getOobConfirmationCode",
        "resetPassword",
        "publicKeys",
    )
]
OPERATIONS = (
    [
        (
            o["method"],
            ("" if o["host"] == "(emulator)" else "/" + o["host"]) + o["path"],
            (o.get("request") or {}).get("application/json"),
        )
        for o in SURFACE["operations"]
    ]
    + [(method, path, None) for method, path in OWN + GOOGLE + LEGACY]
    + CONSOLE
)


def value(chance, kind, depth=0):
    if chance.random() < 0.15 or depth > 4:
        return chance.choice([None, True, False, 0, -1, 2**63, 1.5, [], {}, [[]], *TEXTS])
    if isinstance(kind, list):
        return [value(chance, kind[0], depth + 1) for _ in range(chance.randrange(3))]
    if isinstance(kind, dict):
        if "enum" in kind:
            return chance.choice([*kind["enum"], chance.randrange(9)])
        if "map" in kind:
            return {chance.choice(TEXTS): value(chance, kind["map"], depth + 1)}
        return message(chance, kind, depth + 1)
    if kind in SURFACE["schemas"]:
        return message(chance, SURFACE["schemas"][kind], depth + 1)
    if kind.startswith("boolean"):
        return chance.random() < 0.5
    if kind.startswith(("integer", "number")):
        return chance.randrange(-5, 2000)
    return chance.choice(TEXTS)


def message(chance, fields, depth=0):
    chosen = [name for name in fields if chance.random() < 0.4]
    return {name: value(chance, fields[name], depth) for name in chosen}


def body_of(chance, schema):
    fields = schema if isinstance(schema, dict) else SURFACE["schemas"].get(schema)
    fields = fields or dict.fromkeys(("email", "mode", "oobCode"), "string")
    text = json.dumps(message(chance, fields)).encode()
    if chance.random() < 0.15:
        for _ in range(chance.randrange(1, 5)):
            at = chance.randrange(len(text))
            text = text[:at] + bytes([chance.randrange(256)]) + text[at + chance.randrange(2) :]
    return text


def request_of(chance):
    method, path, schema = chance.choice(OPERATIONS)
    while "{" in path:
        before, rest = path.split("{", 1)
        name, after = rest.split("}", 1)
        given = PROJECT if name == "targetProjectId" else chance.choice(["", "t1", "x y", "ä"])
        path = (
            before
            + "".join(
                c
                if c.isascii() and c.isalnum() or c == "-"
                else "".join(f"%{b:02X}" for b in c.encode())
                for c in given
            )
            + after
        )
    if chance.random() < 0.05:
        path = path[: chance.randrange(1, len(path) + 1)] + chance.choice(
            ["", "/", "%", "%2", ":", "//"]
        )
    query = chance.choice(
        [
            "?key=a",
            "?key=a",
            "?key=demo-f",
            "",
            "?key=",
            "?key=a&alt=proto",
            "?updateMask=signIn.x,a..b,&key=a",
            "?maxResults=-1&key=a",
            "?mode=resetPassword&apiKey=a&oobCode=%00",
            "?%zz=%&&=&wait=1x",
        ]
    )
    if chance.random() < 0.05:
        method = chance.choice(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"])
    # Requests that write outside the server, or wait, are not for a storm.
    body = b"" if method == "GET" else body_of(chance, schema)
    headers = [b"Host: 127.0.0.1", b"Content-Length: %d" % len(body)]
    if method != "GET":
        headers.append(
            chance.choice(
                [
                    b"Content-Type: application/json",
                    b"Content-Type: application/json",
                    b"Content-Type: application/x-www-form-urlencoded",
                    b"X-Nothing: 1",
                    b"Content-Type: text/plain; charset=x",
                ]
            )
        )
    headers.append(
        chance.choice(
            [
                b"Authorization: Bearer owner",
                b"Authorization: Bearer x",
                b"Authorization: Basic",
                b"Origin: http://localhost",
                b"Accept: text/html",
                b"X-Firebase-Locale: \xc3\xa4",
            ]
        )
    )
    return b"\r\n".join([f"{method} {path}{query} HTTP/1.1".encode(), *headers, b"", b""]) + body


# MARK: Documents, rules and what steers a server

IDS = ["a", "b", "c%2Fd", "%00", "..", "__id7__", "__x__", "%C3%A9", "", "x" * 1501, "%f0%9f%98%80"]
FIELDS = ["a", "a.b", "`a b`", "__name__", "", ".", "a..b", "`", "\u00e9", "a" * 1501]


def document_request_of(chance):
    place = f"{DOCUMENTS}/c/{chance.choice(IDS)}"
    steering = f"/emulator/v1/projects/{chance.choice(['demo-steered', '', 'x%20y'])}"
    cut = chance.randrange(len(RULES))
    method, path, body = chance.choice(
        [
            lambda: ("GET", place + chance.choice(["", "?mask.fieldPaths=", "?readTime=x"]), None),
            lambda: (
                "GET",
                f"{DOCUMENTS}/c?pageSize={chance.choice(['1', '-1', 'x'])}&pageToken="
                f"{chance.choice(['', 'AAAA', '!', 'CgI='])}&orderBy={chance.choice(['a', '`', ','])}",
                None,
            ),
            lambda: ("PATCH", place, {"fields": fields(chance)}),
            lambda: (
                "POST",
                f"{DOCUMENTS}/c?documentId={chance.choice(IDS)}",
                {"fields": fields(chance)},
            ),
            lambda: ("DELETE", place, None),
            lambda: (
                "POST",
                f"{DOCUMENTS}:commit",
                {"writes": [written(chance) for _ in range(2)]},
            ),
            lambda: ("POST", f"{DOCUMENTS}:batchWrite", {"writes": [written(chance)]}),
            lambda: (
                "POST",
                f"{DOCUMENTS}:batchGet",
                {"documents": [f"{NAME}/c/{chance.choice(IDS)}"]},
            ),
            lambda: ("POST", f"{DOCUMENTS}:runQuery", {"structuredQuery": structured(chance)}),
            lambda: (
                "POST",
                f"{DOCUMENTS}:runAggregationQuery",
                {
                    "structuredAggregationQuery": {
                        "structuredQuery": structured(chance),
                        "aggregations": [
                            {"alias": "n", "count": {}},
                            {"sum": {"field": {"fieldPath": chance.choice(FIELDS)}}},
                        ],
                    }
                },
            ),
            lambda: (
                "POST",
                f"{DOCUMENTS}:partitionQuery",
                {
                    "structuredQuery": structured(chance),
                    "partitionCount": chance.choice(["3", "-1"]),
                },
            ),
            lambda: (
                "POST",
                f"{DOCUMENTS}:listCollectionIds",
                {"pageSize": chance.choice([1, -1])},
            ),
            lambda: (
                "POST",
                f"{DOCUMENTS}:rollback",
                {"transaction": chance.choice(["", "AAAA", "!"])},
            ),
            lambda: (
                "PUT",
                steering + ":securityRules",
                {
                    "rules": {
                        "files": [
                            {
                                "content": RULES[:cut]
                                + chance.choice(TEXTS)
                                + RULES[cut + chance.randrange(3) :]
                            }
                        ]
                    }
                },
            ),
            lambda: (
                "GET",
                steering + chance.choice([":ruleCoverage", ":ruleCoverage.html"]),
                None,
            ),
            lambda: (
                "PATCH",
                steering + "/clock",
                {
                    chance.choice(["advance", "now", "frozen", "x"]): chance.choice(
                        ["PT2H", "-P9999Y", "P1M1W", "2026-01-01T00:00:00Z", True, 1, *TEXTS]
                    )
                },
            ),
            lambda: (
                "PUT",
                steering + "/faults",
                {
                    "faults": [
                        {
                            "operation": chance.choice(["*", "firestore.*", "", "["]),
                            "share": chance.choice([0.5, 2]),
                            "effect": {
                                chance.choice(
                                    ["latency", "error", "status", "drop", "slowBody"]
                                ): chance.choice(
                                    ["1ms", {"min": "1ms", "max": "0ms"}, "X", 99, *TEXTS]
                                )
                            },
                        }
                    ]
                },
            ),
            lambda: ("GET", steering + chance.choice(["/clock", "/faults", "/requests"]), None),
            lambda: (
                "GET",
                f"/emulator/auth/handler?providerId={chance.choice(['', '<b>', 'google.com'])}"
                "&apiKey=a&authType=signInViaPopup&eventId=1",
                None,
            ),
        ]
    )()
    text = b"" if body is None else json.dumps(body).encode()
    if text and chance.random() < 0.1:
        at = chance.randrange(len(text))
        text = text[:at] + bytes([chance.randrange(256)]) + text[at + 1 :]
    headers = [
        b"Host: 127.0.0.1",
        b"Content-Type: application/json",
        b"Content-Length: %d" % len(text),
        chance.choice(
            [b"Authorization: Bearer owner", b"Authorization: Bearer x", b"X-Nothing: 1"]
        ),
    ]
    path = "".join(c if c.isascii() and c != " " else "%20" for c in path)
    return b"\r\n".join([f"{method} {path} HTTP/1.1".encode(), *headers, b"", b""]) + text


METADATA = (b"Missing required header", b"Forbidden\n", b"Not Found\n", b"non-empty audience")


METHODS = [
    "initialize",
    "server/discover",
    "ping",
    "tools/list",
    "tools/call",
    "tools/call",
    "tools/call",
    "",
]
# Those that wait, and faults for all that follows, are not for a storm.
TOOLS = [
    "snapshot",
    "restore",
    "rewind",
    "requests",
    "advance_clock",
    "query",
    "explain_denial",
    "try_rules",
    "missing_indexes",
    "write",
    "create_user",
    "sign_in",
    "mint_token",
    "open_link",
    "",
    "nothing",
]


def message_of_agent(chance):
    arguments = {
        chance.choice(["email", "path", "project", "wait", "body", "x"]): chance.choice(
            [None, 1, [], {}, *TEXTS]
        )
        for _ in range(3)
    }
    body = json.dumps(
        chance.choice(
            [
                {
                    "jsonrpc": "2.0",
                    "id": chance.choice([1, "a", None, [], 1.5]),
                    "method": chance.choice(METHODS),
                    "params": chance.choice(
                        [{"name": chance.choice(TOOLS), "arguments": arguments}, {}, [], None, "x"]
                    ),
                },
                {"jsonrpc": chance.choice(["2.0", "1.0", 2]), "result": {}},
                [],
                1,
                arguments,
            ]
        )
    ).encode()
    if chance.random() < 0.1:
        body = body[: chance.randrange(len(body))] + bytes([chance.randrange(256)])
    headers = [
        b"Host: 127.0.0.1",
        b"Content-Length: %d" % len(body),
        chance.choice(
            [
                b"Content-Type: application/json",
                b"Content-Type: application/json",
                b"Content-Type: text/plain",
            ]
        ),
        chance.choice([b"MCP-Protocol-Version: 1", b"Accept: text/event-stream", b"X-Nothing: 1"]),
    ]
    return b"\r\n".join([b"POST /mcp HTTP/1.1", *headers, b"", b""]) + body


class Connection:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self.reader = self.socket.makefile("rb")

    def answer(self):
        line = self.reader.readline()
        if not line:
            return None
        status, headers = int(line.split()[1]), {}
        while (line := self.reader.readline()) not in (b"\r\n", b""):
            name, _, content = line.partition(b":")
            headers[name.lower()] = content.strip()
        length = int(headers.get(b"content-length", 0))
        return status, headers, self.reader.read(length)


def judge(status, body):
    if status < 400:
        return None
    if status >= 500 and status != 501:
        return f"status {status}: {body[:300]!r}"
    try:
        answer = json.loads(body)
        # Rules that are wrong are answered with what is wrong with them.
        fine = (
            "authEmulator" in answer
            or "issues" in answer
            or "error_description" in answer
            or (answer.get("jsonrpc") == "2.0" and "error" in answer)
            or (answer["error"]["code"] == status and isinstance(answer["error"]["message"], str))
        )
    except (ValueError, KeyError, TypeError):
        fine = body.startswith((b"<!doctype html>", b"<!DOCTYPE html>", *METADATA))
    return None if fine else f"status {status} outside the envelope: {body[:300]!r}"


def storm(port, seed, count, request_of):
    chance = random.Random(seed)
    connection = Connection(port)
    faults, answered = [], 0
    for _ in range(count // PIPELINE):
        batch = [request_of(chance) for _ in range(PIPELINE)]
        connection.socket.sendall(b"".join(batch))
        for request in batch:
            method = request.split(b" ", 1)[0]
            answer = connection.answer()
            if answer is None or answer[1].get(b"connection") == b"close":
                # Broken HTTP ends a connection; what was sent after it is lost, too.
                connection = Connection(port)
                break
            answered += 1
            fault = judge(answer[0], answer[2]) if method not in (b"OPTIONS", b"HEAD") else None
            if fault:
                faults.append(f"{request[:400]!r} -> {fault}")
    # Without answers this test would prove nothing.
    if answered < count * 0.8:
        faults.append(f"only {answered} of {count} requests were answered")
    return faults[:5]


def test_no_request_breaks_the_server():
    server = Server("--log-level", "critical")
    port, console = (int(server.addresses[name].rsplit(":", 1)[1]) for name in ("auth", "console"))
    server.accounts("signUp", {"email": "a@b.c", "password": "secret1"})
    with multiprocessing.Pool(WORKERS) as pool:
        results = pool.starmap(
            storm,
            [(port, seed, REQUESTS // WORKERS, request_of) for seed in range(WORKERS)]
            + [
                (port, WORKERS + seed, REQUESTS // 5 // WORKERS, document_request_of)
                for seed in range(WORKERS)
            ]
            + [(console, 2 * WORKERS, REQUESTS // 40, message_of_agent)],
        )
    assert [fault for faults in results for fault in faults] == []
    assert server.accounts("signUp", {})["idToken"]
    status = pathlib.Path(f"/proc/{server.process.pid}/status")
    if status.exists():
        resident = [line for line in status.read_text().splitlines() if line.startswith("VmRSS")][0]
        assert int(resident.split()[1]) < 300 * 1024
    server.stop()


def test_broken_http_ends_the_connection_and_nothing_else(hearth):
    port = int(hearth.host.split(":")[1])
    for noise in [
        b"\x00" * 100,
        b"GET\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"GET / HTTP/1.1\r\n" + b"A: " + b"x" * 100_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"A: x\r\n" * 5000 + b"\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nshort",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ]:
        with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
            try:
                connection.sendall(noise)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65536):
                    pass
            except OSError:
                pass
    assert hearth.accounts("signUp", {})["idToken"]
