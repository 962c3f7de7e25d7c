"""A server with one dialect, and what its app would send."""

import contextlib
import json

import requests
from support.server import ROOT, Server, free_port
from support.steering import Steered

DIALECTS = ROOT / "fixtures/dialects"
PROJECT = "demo-hearth"


def definition(name: str) -> dict:
    return json.loads((DIALECTS / f"{name}.json").read_text())


def placed(name: str, directory) -> tuple[str, int | None]:
    """A definition's file, with a free port in place of its own one, and that port."""
    shape = definition(name)
    if "port" not in shape["serve"]:
        return str(DIALECTS / f"{name}.json"), None
    shape["serve"]["port"] = free_port()
    path = directory / f"{name}.json"
    path.write_text(json.dumps(shape))
    return str(path), shape["serve"]["port"]


class Played(Steered):
    """A server that plays one back end, and what the app would do."""

    def __init__(self, name: str, directory):
        path, port = placed(name, directory)
        super().__init__(Server("--dialect", path), PROJECT)
        self.base = f"http://127.0.0.1:{port}" if port else self.server.auth
        self.prefix = definition(name)["serve"].get("prefix", "")

    def send(self, method: str, path: str, **options) -> requests.Response:
        # No User-Agent of a library: some back ends look at it.
        headers = {"User-Agent": None, **options.pop("headers", {})}
        return requests.request(method, self.base + path, headers=headers, timeout=30, **options)

    def ask(self, path: str, body: dict, status: int = 200, **headers: str) -> dict:
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        reply = self.send("POST", self.prefix + path, json=body, headers=headers)
        assert reply.status_code == status, f"{reply.status_code} {reply.text}"
        return reply.json()

    def look(self, path: str, authorization: str, status: int = 200) -> dict:
        reply = self.send("GET", self.prefix + path, headers={"Authorization": authorization})
        assert reply.status_code == status, f"{reply.status_code} {reply.text}"
        return reply.json()

    def mail(self, email: str) -> dict:
        return self.messages(to=email)[-1]

    def signs_in(self, email: str, password: str) -> bool:
        return self.raw("signInWithPassword", {"email": email, "password": password}).ok


@contextlib.contextmanager
def playing(name: str, directory):
    played = Played(name, directory)
    try:
        yield played
    finally:
        played.server.stop()
