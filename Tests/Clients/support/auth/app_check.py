"""App Check as a client and as an administrator see it."""

import contextlib
import uuid

import requests
from support.server import Server

APP = "1:448618578101:web:cc6c1dc7a65cc83c"
OWNER = {"Authorization": "Bearer owner"}
# What SDKs send where they got no token.
PLACEHOLDER = "eyJlcnJvciI6IlVOS05PV05fRVJST1IifQ=="
SECRET = "2c7ae1f4-9d0b-4b8e-a0a6-2f1c53c5a3b8"


class AppCheck:
    """A project of its own on a server that several tests share."""

    def __init__(self, server: Server):
        self.server = server
        self.project = f"demo-{uuid.uuid4().hex[:12]}"
        self.base = f"{server.auth}/firebaseappcheck.googleapis.com"

    def exchange(self, method: str, body: dict, host: str = "", app: str = APP, **query: str):
        return requests.post(
            f"{self.server.auth}/{host or 'firebaseappcheck.googleapis.com'}"
            f"/v1/projects/{self.project}/apps/{app}:{method}",
            params={"key": "any"} | query,
            json=body,
            timeout=30,
        )

    def token(self, **body) -> str:
        reply = self.exchange("exchangeDebugToken", {"debug_token": SECRET} | body)
        assert reply.status_code == 200, reply.text
        return reply.json()["token"]

    def admin(self, method: str, path: str, body: dict | None = None, **query: str):
        return requests.request(
            method,
            f"{self.base}/v1beta/projects/{self.project}{path}",
            json=body,
            params=query,
            headers=OWNER,
            timeout=30,
        )

    def control(self, method: str, path: str, body: dict | None = None):
        reply = requests.request(
            method,
            f"{self.server.auth}/emulator/v1/projects/{self.project}{path}",
            json=body,
            timeout=30,
        )
        assert reply.status_code == 200, reply.text
        return reply.json()

    def switches(self, **switches: str) -> None:
        self.control("PATCH", "/switches", switches)

    def sign_up(self, token: str | None = None, **headers: str) -> requests.Response:
        headers |= {"X-Firebase-AppCheck": token} if token is not None else {}
        return requests.post(
            f"{self.server.auth}/identitytoolkit.googleapis.com/v1/accounts:signUp",
            params={"key": self.project},
            json={},
            headers=headers,
            timeout=30,
        )

    @property
    def report(self) -> dict:
        return self.control("GET", "/appCheck")["report"]

    @contextlib.contextmanager
    def later(self, by: str):
        self.control("PATCH", "/clock", {"advance": by})
        yield
        self.control("DELETE", "/clock")
