"""Custom tokens as a service account signs them, and tokens that were tampered with."""

import base64
import hashlib
import hmac
import json
import struct
import time

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

AUDIENCE = (
    "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
)
# Nobody's key: Hearth does not know the keys of Google's service accounts.
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
)


def minted(project: str, fields: dict) -> str:
    """A token of a service account, or of an identity provider where `set` has its claims.

    `uid`, `claims` and `set` go into the token, and `header` into its header. `later` is added to its `iat`, `starts` to that for `nbf`, `lifetime` are its
    seconds, `omit` names claims that it lacks, and `owner` is the project of its account."""
    now = int(time.time()) + fields.get("later", 0)
    account = f"admin@{fields.get('owner', project)}.iam.gserviceaccount.com"
    token = {
        "iss": account,
        "sub": account,
        "aud": AUDIENCE,
        "iat": now,
        "exp": now + fields.get("lifetime", 3600),
    }
    token |= {name: fields[name] for name in ("uid", "claims") if name in fields}
    token |= fields.get("set", {})
    if "starts" in fields:
        token["nbf"] = token["iat"] + fields["starts"]
    for name in fields.get("omit", ()):
        del token[name]
    signed = jwt.api_jws.encode(json.dumps(token).encode(), KEY, algorithm="RS256")
    header, rest = signed.split(".", 1)
    return encoded(decoded(header) | {"kid": "one"} | fields.get("header", {})) + "." + rest


def spoilt(token: str, how: str) -> str:
    """`how`: "signature", "payload", "no signature", or "none" for the algorithm alone; "" leaves it."""
    header, payload, signature = token.split(".")
    if how == "signature":
        signature = ("A" if signature[0] != "A" else "B") + signature[1:]
    elif how == "payload":
        payload = encoded(decoded(payload) | {"tampered": True})
    elif how == "no signature":
        signature = ""
    elif how == "none":
        header = encoded(decoded(header) | {"alg": "none"})
    return f"{header}.{payload}.{signature}"


def claims(token: str) -> dict:
    return decoded(token.split(".")[1])


def encoded(value: dict) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def decoded(part: str) -> dict:
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def app_code(secret: str, at: float, periods: int = 0) -> str:
    """The code that an authenticator app shows, some periods of 30 seconds after a time."""
    key = base64.b32decode(secret + "=" * (-len(secret) % 8))
    mac = hmac.new(key, struct.pack(">Q", int(at) // 30 + periods), hashlib.sha1).digest()
    place = mac[19] & 15
    number = struct.unpack(">I", mac[place : place + 4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06d}"


def wrong_code(secret: str, at: float) -> str:
    near = {app_code(secret, at, periods) for periods in range(-20, 21)}
    return next(code for code in ("123456", *map(str, range(100_000, 100_099))) if code not in near)
