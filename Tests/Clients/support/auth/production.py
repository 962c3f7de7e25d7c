"""A project of a server with production's answers, and what clients of production need."""

import base64
import datetime
import hashlib
import hmac
import json
import struct
import time

import jwt
import requests
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from support.auth.project import IT, Project
from support.wire import CUSTOM_TOKEN_AUDIENCE, TOKEN, V1, decoded

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
)
ACCOUNT = "sdk@demo-hearth.iam.gserviceaccount.com"


def custom_token(uid=None, without=(), **claims) -> str:
    """As an Admin SDK with a service account signs it; the key is nobody's."""
    now = int(time.time())
    token = {
        "iss": ACCOUNT,
        "sub": ACCOUNT,
        "aud": CUSTOM_TOKEN_AUDIENCE,
        "iat": now,
        "exp": now + 3600,
    }
    if uid is not None:
        token["uid"] = uid
    token |= claims
    for name in without:
        del token[name]
    return rs256(token)


def rs256(claims: dict) -> str:
    return jwt.api_jws.encode(json.dumps(claims).encode(), KEY, algorithm="RS256")


def tampered(token: str, signature: str | None = None, header: dict | None = None) -> str:
    parts = token.split(".")
    if signature is not None:
        parts[2] = signature
    if header is not None:
        parts[0] = base64.urlsafe_b64encode(json.dumps(header).encode()).decode().rstrip("=")
    return ".".join(parts)


class Production(Project):
    """Calls answer the status and the body, whether they succeed or not."""

    def ask(self, method: str, path: str, body=None, admin=False, **query) -> tuple[int, dict]:
        headers = {"Authorization": "Bearer owner"} if admin else {}
        if not admin:
            query["key"] = self.id
        reply = requests.request(
            method, self.server.auth + path, params=query, json=body, headers=headers, timeout=30
        )
        return reply.status_code, reply.json()

    def ok(self, *arguments, **options) -> dict:
        status, answer = self.ask(*arguments, **options)
        assert status == 200, answer
        return answer

    def refusal(self, *arguments, status: int = 400, **options) -> str:
        found, answer = self.ask(*arguments, **options)
        assert found == status, answer
        return answer["error"]["message"]

    # MARK: What is called most

    def to_v1(self, verb: str, **body) -> tuple[str, str, dict]:
        return "POST", V1 + verb, body

    def to_v2(self, name: str, **body) -> tuple[str, str, dict]:
        return "POST", f"{IT}/v2/accounts/{name}", body

    def token(self, **form) -> tuple[str, str, dict]:
        return "POST", TOKEN, form

    def user(self, name: str, tenant: str | None = None, **fields) -> dict:
        """Creates a verified account as an administrator."""
        owner = f"{self.v1}/tenants/{tenant}" if tenant else self.v1
        body = {
            "localId": name,
            "email": f"{name}@example.com",
            "password": "password123",
            "emailVerified": True,
        } | fields
        return self.ok("POST", f"{owner}/accounts", body, admin=True)

    def change(self, local_id: str, **fields) -> dict:
        return self.ok(
            "POST", f"{self.v1}/accounts:update", {"localId": local_id} | fields, admin=True
        )

    def shown(self, local_id: str) -> dict:
        answer = self.ok("POST", f"{self.v1}/accounts:lookup", {"localId": [local_id]}, admin=True)
        return answer["users"][0]

    def sign_in(self, name: str, **fields) -> dict:
        body = {
            "email": f"{name}@example.com",
            "password": "password123",
            "returnSecureToken": True,
        } | fields
        return self.ok("POST", V1 + "signInWithPassword", body)

    def configure(self, mask: str, config: dict) -> dict:
        return self.ok(
            "PATCH", f"{IT}/v2/projects/{self.id}/config", config, admin=True, updateMask=mask
        )

    def freeze(self) -> None:
        """Stops the project's clock."""
        self.request("PATCH", self.control + "/clock", json={"frozen": True})

    def now(self) -> float:
        """Seconds of the project's clock."""
        text = self.request("GET", self.control + "/clock")["now"]
        return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def claims(token: str) -> dict:
    return decoded(token)[1]


def totp(secret: str, at: float, offset: int = 0) -> str:
    """The code of an authenticator app, some periods from now."""
    step = int(at) // 30 + offset
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    mac = hmac.new(key, struct.pack(">Q", step), hashlib.sha1).digest()
    place = mac[19] & 15
    number = struct.unpack(">I", mac[place : place + 4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06d}"
