"""Raw calls in the form that a mobile or web SDK gives them, and what every SDK expects of answers."""

import base64
import json

import requests
from support.server import PROJECT, Server

V1 = "/identitytoolkit.googleapis.com/v1/accounts:"
V2 = "/identitytoolkit.googleapis.com/v2/"
V3 = "/www.googleapis.com/identitytoolkit/v3/relyingparty/"
TOKEN = "/securetoken.googleapis.com/v1/token"
CUSTOM_TOKEN_AUDIENCE = (
    "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
)


def no_null(value, at: str = "$") -> None:
    """Absent members are left out: parsers take a null for a value."""
    assert value is not None, f"{at} is null"
    if isinstance(value, dict):
        for name, member in value.items():
            no_null(member, f"{at}.{name}")
    if isinstance(value, list):
        for index, member in enumerate(value):
            no_null(member, f"{at}[{index}]")


def segment(value: dict) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def unsigned(claims: dict) -> str:
    return f"{segment({'alg': 'none', 'typ': 'JWT'})}.{segment(claims)}."


def decoded(token: str) -> tuple[dict, dict]:
    """Header and claims as a client reads them, which never verifies a signature."""
    header, claims, _ = token.split(".")
    assert "=" not in token
    return tuple(json.loads(base64.urlsafe_b64decode(part + "==")) for part in (header, claims))


def id_token(token: str, provider: str) -> dict:
    """What the SDKs insist on in an ID token; answers the claims."""
    header, claims = decoded(token)
    assert header["alg"] == "RS256" and header["typ"] == "JWT" and header["kid"]
    assert claims["iss"] == f"https://securetoken.google.com/{PROJECT}"
    assert claims["aud"] == PROJECT
    assert claims["sub"] == claims["user_id"] and 1 <= len(claims["sub"]) <= 128
    for name in ("auth_time", "iat", "exp"):
        assert type(claims[name]) is int, name
    assert claims["exp"] - claims["iat"] == 3600
    assert claims["firebase"]["sign_in_provider"] == provider
    assert isinstance(claims["firebase"]["identities"], dict)
    no_null(claims)
    return claims


def user_record(user: dict) -> dict:
    """The types that strict parsers want in one element of `users`."""
    assert isinstance(user["localId"], str)
    strings = {
        "email",
        "displayName",
        "photoUrl",
        "phoneNumber",
        "tenantId",
        "createdAt",
        "lastLoginAt",
        "validSince",
        "lastRefreshAt",
        "passwordHash",
        "customAttributes",
    }
    for name in strings & user.keys():
        assert isinstance(user[name], str) and user[name] != "", name
    for name in {"createdAt", "lastLoginAt", "validSince"} & user.keys():
        assert user[name].isdigit(), name
    for name in {"emailVerified", "disabled"} & user.keys():
        assert isinstance(user[name], bool), name
    for entry in user.get("providerUserInfo", []):
        assert entry["providerId"] and entry["rawId"]
    for factor in user.get("mfaInfo", []):
        assert factor["mfaEnrollmentId"] and factor["enrolledAt"]
    return user


class App:
    """An SDK's transport: its headers, its key, and its demands on every answer."""

    key = "AIzaSy-not-a-real-key"

    def __init__(self, server: Server, headers: dict[str, str]):
        self.server = server
        self.headers = headers
        self.session = requests.Session()

    def request(self, method: str, path: str, status: int = 200, **options) -> dict:
        options.setdefault("params", {})["key"] = self.key
        options["headers"] = self.headers | options.get("headers", {})
        reply = self.session.request(method, self.server.auth + path, timeout=30, **options)
        assert reply.headers["Content-Type"].startswith("application/json"), reply.headers
        answer = reply.json()
        assert isinstance(answer, dict)
        no_null(answer)
        assert reply.status_code == status, reply.text
        if status >= 400:
            self.check_error(answer["error"], status)
        return answer

    @staticmethod
    def check_error(error: dict, status: int) -> None:
        assert error["code"] == status and isinstance(error["message"], str)
        for item in error["errors"]:
            assert all(isinstance(member, str) for member in item.values())

    def refused(self, path: str, body: dict, status: int = 400) -> str:
        """The message of an error that must come."""
        return self.request("POST", path, status, json=body)["error"]["message"]
