"""A server at which apps send text messages, and an app that hears what became of them."""

import contextlib
import http.server
import queue

import requests
from support.js_sdk import serving
from support.server import PROJECT, Server

ACCOUNT = "AC" + "0" * 32
AUTH = (ACCOUNT, "token")


class TextServer(Server):
    def __init__(self, *flags: str):
        super().__init__("--mail-api-port", "0", *flags)
        self.api = self.addresses["mail-api"]
        self.control = f"{self.auth}/emulator/v1/projects/{PROJECT}"

    def twilio(self, to: str, body: str = "Hello", **fields) -> requests.Response:
        return requests.post(
            f"{self.api}/2010-04-01/Accounts/{ACCOUNT}/Messages.json",
            data={"To": to, "From": "+15005550006", "Body": body, **fields},
            auth=AUTH,
            timeout=30,
        )

    def latest(self, to: str, project: str = PROJECT) -> dict:
        reply = requests.get(
            f"{self.auth}/emulator/v1/projects/{project}/messages/latest",
            params={"to": to, "wait": "10s"},
            timeout=30,
        )
        assert reply.status_code == 200, reply.text
        return reply.json()

    def move(self, project: str, duration: str) -> None:
        reply = requests.patch(
            f"{self.auth}/emulator/v1/projects/{project}/clock",
            json={"advance": duration},
            timeout=30,
        )
        assert reply.status_code == 200, reply.text


@contextlib.contextmanager
def app():
    """Its address, and a queue of what it gets: path, headers and body."""
    told = queue.Queue()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            # Before the answer, because the gateway sends the next call after it.
            told.put((self.path, dict(self.headers), body))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_GET = do_POST

        def log_message(self, *_):
            pass

    with serving(Handler) as port:
        yield f"http://127.0.0.1:{port}/told", told
