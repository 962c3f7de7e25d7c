"""A server, and what an app and a test do with push messages."""

import requests
from support.server import PROJECT, Server

FCM_ERROR = "type.googleapis.com/google.firebase.fcm.v1.FcmError"


def error(reply: requests.Response) -> tuple[int, str, str | None]:
    found = reply.json()["error"]
    assert found["code"] == reply.status_code
    codes = [each["errorCode"] for each in found.get("details", []) if each["@type"] == FCM_ERROR]
    return reply.status_code, found["status"], codes[0] if codes else None


class PushServer(Server):
    """Requests as a hand-written client of Cloud Messaging makes them, and the control endpoints."""

    @property
    def control(self) -> str:
        return f"{self.auth}/emulator/v1/projects/{PROJECT}"

    def send(self, token: str | None = "owner", **body) -> requests.Response:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return requests.post(
            f"{self.auth}/v1/projects/{PROJECT}/messages:send",
            json=body,
            headers=headers,
            timeout=30,
        )

    def latest(self, to: str) -> dict:
        reply = requests.get(
            f"{self.control}/messages/latest",
            params={"to": to, "type": "PUSH", "wait": "10s"},
            timeout=30,
        )
        assert reply.status_code == 200, reply.text
        return reply.json()

    def messages(self, **filters) -> list[dict]:
        reply = requests.get(f"{self.control}/messages", params=filters, timeout=30)
        assert reply.status_code == 200, reply.text
        return reply.json()["messages"]

    def register(self, **device) -> dict:
        reply = requests.post(f"{self.control}/devices", json=device, timeout=30)
        assert reply.status_code == 200, reply.text
        return reply.json()

    def switch(self, **switches) -> None:
        reply = requests.patch(f"{self.control}/switches", json=switches, timeout=30)
        assert reply.status_code == 200, reply.text
