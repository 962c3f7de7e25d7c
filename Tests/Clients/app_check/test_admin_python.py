"""verify_token of the Admin SDK for Python against tokens from here. The SDK's own tests of the same cases take the
place of the network and of PyJWT, so that they say nothing of a server.
"""

import base64
import concurrent.futures
import json
import uuid

import firebase_admin
import google.oauth2.credentials
import jwt
import pytest
from firebase_admin import app_check as sdk
from firebase_admin import credentials, exceptions
from support.auth.app_check import APP, AppCheck

ISSUER = "https://firebaseappcheck.googleapis.com/"


class Owner(credentials.Base):
    def get_credential(self):
        return google.oauth2.credentials.Credentials("owner")


@pytest.fixture
def admin(app_check, monkeypatch):
    """A back end of the project. The SDK has no setting for the addresses."""
    service = sdk._AppCheckService
    monkeypatch.setattr(service, "_JWKS_URL", f"{app_check.base}/v1/jwks")
    monkeypatch.setattr(
        service,
        "_VERIFY_URL_FORMAT",
        f"{app_check.base}/v1beta/projects/{{project_id}}:verifyAppCheckToken",
    )
    app = firebase_admin.initialize_app(
        Owner(), {"projectId": app_check.project}, name=uuid.uuid4().hex
    )
    yield app
    firebase_admin.delete_app(app)


def changed(token: str, header: dict | None = None, claims: dict | None = None) -> str:
    """The same token with other words, and the old signature."""
    parts = token.split(".")
    for place, change in enumerate((header, claims)):
        if change:
            told = json.loads(base64.urlsafe_b64decode(parts[place] + "==")) | change
            text = base64.urlsafe_b64encode(json.dumps(told).encode()).decode()
            parts[place] = text.rstrip("=")
    return ".".join(parts)


@pytest.mark.parametrize("limited", [False, True], ids=["session", "limited-use"])
def test_a_token_counts(app_check, admin, limited):
    claims = sdk.verify_token(app_check.token(limited_use=limited), admin)
    assert claims["app_id"] == claims["sub"] == APP
    assert f"projects/{app_check.project}" in claims["aud"] and isinstance(claims["aud"], list)
    assert claims["iss"].startswith(ISSUER) and ("jti" in claims) == limited
    assert claims["exp"] - claims["iat"] == (300 if limited else 3600)


@pytest.mark.parametrize(
    ("header", "claims", "words"),
    [
        ({"typ": "WRONG"}, None, "incorrect type header"),
        ({"alg": "HS256"}, None, "Expected RS256 but got HS256"),
        ({"alg": "none"}, None, "Expected RS256 but got none"),
        (None, {"sub": "1:1:web:2"}, "has an invalid signature"),
        (None, {"exp": 2**40}, "has an invalid signature"),
        (None, {"aud": ["projects/another"]}, "has an invalid signature"),
    ],
)
def test_what_was_changed_on_the_way(app_check, admin, header, claims, words):
    with pytest.raises(ValueError, match=words):
        sdk.verify_token(changed(app_check.token(), header, claims), admin)


def test_an_unknown_key(app_check, admin):
    with pytest.raises(jwt.PyJWKClientError, match="Unable to find a signing key"):
        sdk.verify_token(changed(app_check.token(), {"kid": "another"}), admin)


def test_another_project(app_check, admin, hearth):
    with pytest.raises(ValueError, match='incorrect "aud"'):
        sdk.verify_token(AppCheck(hearth).token(), admin)


def test_an_old_token(app_check, admin):
    with app_check.later("-PT2H"):
        old = app_check.token()
    with pytest.raises(ValueError, match="has expired"):
        sdk.verify_token(old, admin)


@pytest.mark.parametrize("token", [[], {}, True, 1, None, "", "no token", "a.b.c"], ids=repr)
def test_what_is_no_token(admin, token):
    with pytest.raises(ValueError):
        sdk.verify_token(token, admin)


def test_a_limited_use_token_is_consumed_once(app_check, admin):
    token = app_check.token(limited_use=True)
    assert "already_consumed" not in sdk.verify_token(token, admin)
    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        found = pool.map(lambda _: sdk.verify_token(token, admin, consume=True), range(100))
    assert [each["already_consumed"] for each in found].count(False) == 1


def test_a_service_that_refuses(app_check, admin):
    token = app_check.token()
    fault = {
        "operation": "*.verifyAppCheckToken",
        "effect": {"error": "PERMISSION_DENIED"},
        "times": 1,
    }
    app_check.control("POST", "/faults", fault)
    with pytest.raises(exceptions.PermissionDeniedError):
        sdk.verify_token(token, admin, consume=True)
    assert sdk.verify_token(token, admin, consume=True)["already_consumed"] is False
