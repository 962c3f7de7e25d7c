"""A functions emulator, played: it takes events, answers as a test wants, and lists its functions."""

import base64
import http.server
import json
import queue
import threading

from google.cloud.firestore_v1 import types
from support.server import ROOT, Server

RECORDED = [
    json.loads(line)
    for line in (ROOT / "fixtures/triggers/recorded.jsonl").read_text().splitlines()
]
PROTOBUF = "google.cloud.firestore.document.v1."


class Event:
    """A request that was to run a function."""

    def __init__(self, path: str, headers: list, body: bytes):
        self.path, self.body = path, body
        self.key = path.rsplit("/", 1)[-1]
        self.headers = {name.lower(): value for name, value in headers}

    @property
    def json(self) -> dict:
        return json.loads(self.body)

    @property
    def documents(self) -> dict:
        """The parts of the message of the second generation, by their numbers."""
        data, parts, place = base64.b64decode(self.body, validate=True), {}, 0
        while place < len(data):
            number, length, shift = data[place] >> 3, 0, 0
            assert data[place] & 7 == 2
            while True:
                place += 1
                length |= (data[place] & 0x7F) << shift
                shift += 7
                if not data[place] & 0x80:
                    break
            parts[number] = data[place + 1 : place + 1 + length]
            place += 1 + length
        assert parts.pop(3) == b""
        return {number: types.Document.pb().FromString(part) for number, part in parts.items()}


class PlayedFunctions:
    def __init__(self):
        self.events: queue.Queue[Event] = queue.Queue()
        self.triggers: list[dict] = []
        self.keys: set[str] | None = None
        self.disabled: set[str] = set()
        self.answer = lambda event: 200
        played = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                event = Event(self.path, self.headers.items(), body)
                status, text = 200, '{"status":"acknowledged"}'
                if played.keys is not None and event.key not in played.keys:
                    names = ", ".join(sorted(played.keys))
                    status = 404
                    text = f"Function {event.key} does not exist, valid functions are: {names}"
                elif event.key in played.disabled:
                    status, text = 204, ""
                else:
                    # First: who takes the event may change the answer at once.
                    status = played.answer(event)
                    played.events.put(event)
                self.reply(status, text)

            def do_GET(self):
                if self.path != "/backends":
                    return self.reply(404, "")
                self.reply(200, json.dumps({"backends": [{"functionTriggers": played.triggers}]}))

            def reply(self, status, text):
                self.send_response(status)
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.host = f"127.0.0.1:{self.server.server_port}"

    def next(self) -> Event:
        return self.events.get(timeout=30)

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


class Triggered:
    """A server with a played functions emulator."""

    def __init__(self, *flags: str):
        self.functions = PlayedFunctions()
        self.server = Server("--functions-emulator", self.functions.host, *flags)

    def close(self) -> None:
        self.server.stop()
        self.functions.close()


def first(project: str, kind: str, path: str, database: str = "(default)") -> dict:
    return {
        "eventTrigger": {
            "eventType": f"providers/cloud.firestore/eventTypes/document.{kind}",
            "resource": f"projects/{project}/databases/{database}/documents/{path}",
            "service": "firestore.googleapis.com",
        }
    }


def second(kind: str, path: str, database: str = "(default)", match: str = "PATH_PATTERN") -> dict:
    return {
        "eventType": PROTOBUF + kind,
        "database": database,
        "namespace": "(default)",
        "document": {"value": path, "matchType": match},
    }
