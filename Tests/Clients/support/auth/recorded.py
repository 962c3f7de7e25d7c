"""A project of a server with production's answers. Calls hand back the status and the body."""

import requests
from support.auth.project import Project
from support.wire import TOKEN, V1

REDACTED = "UkVEQUNURUQ="
PASSWORD = "password123"


class Recorded(Project):
    def send(self, method: str, path: str, body=None, headers=None, **query):
        reply = requests.request(
            method,
            self.server.auth + path,
            json=body,
            params=query,
            headers=headers or {},
            timeout=30,
        )
        return reply.status_code, reply.json() if "json" in reply.headers["content-type"] else {}

    def client(self, verb: str, body: dict):
        return self.send("POST", V1 + verb, body, key=self.id)

    def owned(self, path: str, body=None, method: str = "POST", **query):
        return self.send(method, self.v1 + path, body, {"Authorization": "Bearer owner"}, **query)

    def refresh(self, token: str):
        reply = requests.post(
            self.server.auth + TOKEN,
            params={"key": self.id},
            data={"grant_type": "refresh_token", "refresh_token": token},
            timeout=30,
        )
        return reply.status_code, reply.json()

    # MARK: What must succeed

    def done(self, answer) -> dict:
        status, body = answer
        assert status == 200, body
        return body

    def create(self, uid: str, **fields) -> dict:
        return self.done(
            self.owned(
                "/accounts",
                {"localId": uid, "email": f"{uid}@example.com", "password": PASSWORD, **fields},
            )
        )

    def change(self, uid: str, **fields) -> dict:
        return self.done(self.owned("/accounts:update", {"localId": uid, **fields}))

    def session(self, uid: str, password: str = PASSWORD) -> dict:
        return self.done(
            self.client(
                "signInWithPassword",
                {"email": f"{uid}@example.com", "password": password, "returnSecureToken": True},
            )
        )

    def signed_up(self, name: str, **fields) -> dict:
        return self.done(
            self.client(
                "signUp",
                {
                    "email": f"{name}@example.com",
                    "password": PASSWORD,
                    "returnSecureToken": True,
                    **fields,
                },
            )
        )

    def anonymous(self) -> dict:
        return self.done(self.client("signUp", {"returnSecureToken": True}))

    def looked_up(self, token: str) -> dict:
        [user] = self.done(self.client("lookup", {"idToken": token}))["users"]
        return user

    def shown(self, uid: str) -> dict:
        [user] = self.done(self.owned("/accounts:lookup", {"localId": [uid]}))["users"]
        return user

    def link(self, kind: str, **fields):
        """What an administrator is answered who asks for a link."""
        return self.owned(
            "/accounts:sendOobCode", {"requestType": kind, "returnOobLink": True, **fields}
        )

    def code(self, kind: str, uid: str, **fields) -> str:
        fields = {"email": f"{uid}@example.com", **fields}
        return self.done(self.link(kind, **fields))["oobCode"]

    def set(self, mask: str, **config) -> dict:
        return self.configure(mask, **config)


def refusal(answer) -> tuple[int, str]:
    status, body = answer
    return status, body["error"]["message"]


def refused(message: str) -> tuple[int, str]:
    return 400, message
