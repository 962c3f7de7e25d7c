"""What the programs share. They know Google's addresses, and the console's for what a person does
there: looking at mails and moving the clock."""

import contextlib
import json
import os
import time
import uuid

import jwt
import requests
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

PROJECT = os.environ["GOOGLE_CLOUD_PROJECT"]
CONTROL = f"{os.environ['HEARTH_CONSOLE_URL']}/emulator/v1/projects/{PROJECT}"
IDENTITY = "https://identitytoolkit.googleapis.com/v1"
DOCUMENTS = f"https://firestore.googleapis.com/v1/projects/{PROJECT}/databases/(default)/documents"

# No variable leads to an emulator.
assert not [name for name in os.environ if "EMULATOR" in name], os.environ


def address() -> str:
    return f"user-{uuid.uuid4().hex[:12]}@example.com"


def call(path: str, body: dict) -> dict:
    """A client's call to Identity Toolkit; it must succeed."""
    reply = requests.post(f"{IDENTITY}/{path}?key=AIza-a-web-key", json=body, timeout=30)
    assert reply.status_code == 200, reply.text
    assert reply.headers["x-hearth"] == "as-google"
    return reply.json()


def sign_up(email: str | None = None, password: str = "secret1") -> dict:
    return call(
        "accounts:signUp",
        {"email": email or address(), "password": password, "returnSecureToken": True},
    )


@contextlib.contextmanager
def clock(advance: str):
    """The project's clock, moved as a person moves it in the console."""
    reply = requests.patch(f"{CONTROL}/clock", json={"advance": advance}, timeout=30)
    assert reply.ok, reply.text
    try:
        yield
    finally:
        assert requests.delete(f"{CONTROL}/clock", timeout=30).ok


def expired() -> str:
    """An ID token of yesterday."""
    with clock("-P1D"):
        return sign_up()["idToken"]


def tampered(token: str) -> str:
    """The same with another user in it."""
    head, body, signature = token.split(".")
    claims = jwt.decode(token, options={"verify_signature": False}) | {
        "sub": "someone-else",
        "user_id": "someone-else",
    }
    body = jwt.utils.base64url_encode(json.dumps(claims).encode()).decode()
    return f"{head}.{body}.{signature}"


def key() -> str:
    return (
        rsa.generate_private_key(65537, 2048)
        .private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        .decode()
    )


def foreign(token: str) -> str:
    """The same claims, signed with a key that is not Hearth's, under the name of its key."""
    claims = jwt.decode(token, options={"verify_signature": False})
    return jwt.encode(
        claims, key(), algorithm="RS256", headers={"kid": jwt.get_unverified_header(token)["kid"]}
    )


def account() -> dict:
    """The service account's key file."""
    with open(os.environ["GOOGLE_APPLICATION_CREDENTIALS"]) as file:
        return json.load(file)


def assertion(signer: dict, age: int = 0, **more) -> str:
    now = int(time.time()) - age
    claims = {
        "iss": signer["client_email"],
        "sub": signer["client_email"],
        "iat": now,
        "exp": now + 3600,
        "aud": "https://oauth2.googleapis.com/token",
        "scope": "https://www.googleapis.com/auth/cloud-platform",
    }
    return jwt.encode(
        claims | more,
        signer["private_key"],
        algorithm="RS256",
        headers={"kid": signer["private_key_id"]},
    )


def grant(text: str, host: str = "oauth2.googleapis.com/token") -> requests.Response:
    return requests.post(
        f"https://{host}",
        data={"grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "assertion": text},
        timeout=30,
    )


@contextlib.contextmanager
def refused(*errors):
    try:
        yield
    except errors:
        return
    raise AssertionError("was not refused")


def done(**values) -> None:
    print(json.dumps({"done": True} | values))
