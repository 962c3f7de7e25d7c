"""How many more instructions a call takes where App Check is enforced; counted by valgrind.

    HEARTH_BINARY=.build/release/hearth .venv/bin/python Tests/Clients/app_check/measure.py [CALLS]

Each server answers some calls first, so that keys are made and the token is known, and counts from
then on. A call is compared with the same one that brings no token to a server that asks for none. Where
App Check is off, a token costs as much as any header of its length: the libraries of HTTP look at each of
its bytes (HTTPTypes for HTTP/1, NIOHTTP2 for HTTP/2). What enforcement adds to that is named last.
"""

import glob
import http.client
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse
from collections.abc import Callable

import grpc

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

from support.packages.installed import stripped  # noqa: E402
from support.server import READY  # noqa: E402

PROJECT = "demo-app-check"
DOCUMENT = f"projects/{PROJECT}/databases/(default)/documents/a/b"
WARM_UP = 200


class CountedServer:
    """Hearth in valgrind, which counts what all its threads do."""

    def __init__(self, mode: str, folder: str):
        self.folder = folder
        none = ("console", "hub", "smtp", "smtp-tls", "mail-api")
        self.process = subprocess.Popen(
            [
                *("valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out"),
                # Valgrind does not understand the debugging information.
                *(stripped(pathlib.Path(folder)), "--project", PROJECT, "--app-check", mode),
                *("--auth-port", "0", "--firestore-port", "0"),
                *(word for name in none for word in (f"--{name}-port", "none")),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.hosts: dict[str, str] = {}
        for line in self.process.stdout:
            if found := re.match(r"(auth|firestore) +http://(\S+)", line):
                self.hosts[found[1]] = found[2]
            if line.startswith(READY):
                break
        self.connections = {
            name: http.client.HTTPConnection(host, timeout=600) for name, host in self.hosts.items()
        }
        self.rpc = grpc.insecure_channel(self.hosts["firestore"]).unary_unary(
            "/google.firestore.v1.Firestore/GetDocument"
        )

    def call(self, port: str, method: str, path: str, body: dict | None, **headers: str) -> dict:
        connection = self.connections[port]
        text = None if body is None else json.dumps(body)
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, text, {"Content-Type": "application/json"} | given)
        reply = connection.getresponse()
        read = reply.read()
        assert reply.status == 200, read
        return json.loads(read)

    def steer(self, *words: str) -> None:
        command = ["callgrind_control", *words, str(self.process.pid)]
        subprocess.run(command, check=True, capture_output=True)

    def count(self, call: Callable[[], object], calls: int) -> int:
        """Instructions for one call."""
        for _ in range(WARM_UP):
            call()
        self.steer("--zero")
        for _ in range(calls):
            call()
        self.steer("--dump")
        [newest] = sorted(glob.glob(f"{self.folder}/out.*"), key=number)[-1:]
        text = pathlib.Path(newest).read_text()
        return int(re.search(r"^totals: (\d+)", text, re.M)[1]) // calls

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(120)


def number(path: str) -> int:
    return int(path.rsplit(".", 1)[1])


def calls_of(server: CountedServer, token: str | None) -> dict[str, Callable[[], object]]:
    """What is measured, with the token or without one."""
    brought = {} if token is None else {"X_Firebase_AppCheck": token}
    metadata = () if token is None else (("x-firebase-appcheck", token),)
    accounts = "/identitytoolkit.googleapis.com/v1/accounts"
    user = server.call("auth", "POST", f"{accounts}:signUp?key={PROJECT}", {}, **brought)
    name = urllib.parse.quote(DOCUMENT, safe="/()")
    server.call("firestore", "PATCH", f"/v1/{name}", {"fields": {}}, Authorization="Bearer owner")
    request = bytes([0x0A, len(DOCUMENT)]) + DOCUMENT.encode()
    body = {"idToken": user["idToken"]}
    return {
        "lookup": lambda: server.call(
            "auth", "POST", f"{accounts}:lookup?key={PROJECT}", body, **brought
        ),
        "Firestore, REST get": lambda: server.call(
            "firestore", "GET", f"/v1/{name}", None, **brought
        ),
        "Firestore, gRPC get": lambda: server.rpc(request, metadata=metadata, timeout=120),
    }


def measured(mode: str, calls: int, *, brings: bool) -> dict[str, int]:
    with tempfile.TemporaryDirectory() as folder:
        server = CountedServer(mode, folder)
        try:
            path = f"/emulator/v1/projects/{PROJECT}/appCheck:token"
            token = server.call("auth", "POST", path, {})["token"] if brings else None
            made = calls_of(server, token)
            return {name: server.count(call, calls) for name, call in made.items()}
        finally:
            server.stop()


def main(calls: str = "1000") -> None:
    plain = measured("off", int(calls), brings=False)
    unread = measured("off", int(calls), brings=True)
    enforced = measured("enforce", int(calls), brings=True)
    for name, count in plain.items():
        print(
            f"{name:20} {count:8} instructions; with a token {unread[name]} "
            f"({(unread[name] / count - 1) * 100:+.1f} %); enforced {enforced[name]} "
            f"({(enforced[name] / count - 1) * 100:+.1f} %, "
            f"{(enforced[name] / unread[name] - 1) * 100:+.1f} % for the enforcement)"
        )


if __name__ == "__main__":
    main(*sys.argv[1:])
