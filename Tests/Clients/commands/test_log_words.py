"""What the log says of requests: once, where once is enough, and no errors that are none."""

import base64
import json
import time

import requests
from support.server import PROJECT, TalkingServer

AUDIENCE = (
    "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
)


def custom_token(**claims) -> str:
    """Signed by nobody whom the server knows."""
    now = int(time.time())
    claims = {
        "iss": "a@b.c",
        "sub": "a@b.c",
        "aud": AUDIENCE,
        "iat": now,
        "exp": now + 600,
        "uid": "ann",
        **claims,
    }
    parts = [json.dumps(part).encode() for part in ({"alg": "RS256", "typ": "JWT"}, claims)]
    return ".".join(
        base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in [*parts, b"signature"]
    )


def test_what_concerns_every_request_is_said_once():
    server = TalkingServer()
    server.accounts("signUp", {"email": "a@example.com", "password": "secret-1"})
    for _ in range(3):
        server.accounts(
            "sendOobCode",
            {
                "requestType": "EMAIL_SIGNIN",
                "email": "a@example.com",
                "canHandleCodeInApp": True,
                "continueUrl": "http://localhost/",
            },
        )
        server.accounts("signInWithCustomToken", {"token": custom_token()})
    server.stop()
    for words in (
        "canHandleCodeInApp has no effect",
        "signature of a custom token was not verified",
    ):
        assert sum(words in line for line in server.heard) == 1, words
    assert not any("Auth Emulator" in line for line in server.heard)


def test_an_internal_error_of_production_is_told_as_such():
    server = TalkingServer("--profile", "production")
    project = f"/identitytoolkit.googleapis.com/v2/projects/{PROJECT}/tenants"
    made = server.post(project, {"displayName": "some-tenant"}, Authorization="Bearer owner").json()
    tenant = made["name"].rpartition("/")[2]
    reply = server.post(
        "/identitytoolkit.googleapis.com/v1/accounts:signInWithCustomToken?key=any",
        {"token": custom_token(), "tenantId": tenant},
    )
    assert reply.status_code == 500, reply.text
    server.stop()
    assert any(
        "was deliberately answered with 500: a custom token without tenant_id" in line
        for line in server.heard
    )
    assert not any(line.startswith("✖") for line in server.heard)


def test_too_many_attempts_have_the_words_of_production():
    server = TalkingServer("--profile", "production")
    control = f"/emulator/v1/projects/{PROJECT}/switches"
    assert requests.patch(server.auth + control, json={"wrongPasswordLimit": 1}, timeout=30).ok
    server.accounts("signUp", {"email": "a@example.com", "password": "secret-1"})
    replies = [
        server.post(
            "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any",
            {"email": "a@example.com", "password": "wrong"},
        )
        for _ in range(2)
    ]
    assert replies[-1].json()["error"]["message"] == (
        "TOO_MANY_ATTEMPTS_TRY_LATER : Access to this account has been temporarily disabled due to "
        "many failed login attempts. You can immediately restore it by resetting your password or "
        "you can try again later."
    )
    server.stop()
