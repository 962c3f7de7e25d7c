"""The pages that stand in for a provider in a popup, a redirect or a frame."""

import json
import urllib.parse
import uuid
from html.parser import HTMLParser

import pytest
from support.auth.project import idp_body
from support.auth.routes import hearth, http, send  # noqa: F401
from support.steering import guard  # noqa: F401

# MARK: The widget


class Entries(HTMLParser):
    """The accounts that the page offers: their claims, and what one sees."""

    def __init__(self, text: str):
        super().__init__()
        self.claims, self.texts, self.images = [], [], []
        self.is_inside = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "data-id-token" in attributes:
            self.claims.append(json.loads(urllib.parse.unquote(attributes["data-id-token"])))
            self.texts.append("")
            self.is_inside = True
        elif tag == "img" and self.is_inside:
            self.images.append(attributes["src"])

    def handle_endtag(self, tag):
        if tag == "li":
            self.is_inside = False

    def handle_data(self, data):
        if self.is_inside:
            self.texts[-1] += data


def handler(send, status: int = 200, **query):
    reply = send("GET", "/emulator/auth/handler", params=query)
    assert reply.status_code == status, reply.text
    assert reply.headers["Content-Type"].lower().replace(" ", "") == "text/html;charset=utf-8"
    return reply


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"apiKey": "k"},
        {"providerId": "google.com"},
        {"apiKey": "", "providerId": "google.com"},
        {"apiKey": "k", "providerId": ""},
    ],
    ids=["nothing", "key", "provider", "empty key", "empty provider"],
)
def test_the_handler_needs_key_and_provider(send, query):
    """JSON under the name of HTML."""
    answer = handler(send, 400, **query).json()
    assert list(answer) == ["authEmulator"] and list(answer["authEmulator"]) == ["error"]
    assert type(answer["authEmulator"]["error"]) is str


def idp_user(hearth, provider: str, tenant: str | None = None, **claims) -> dict:
    body = idp_body(provider, {"sub": uuid.uuid4().hex, **claims})
    return hearth.accounts("signInWithIdp", body | ({"tenantId": tenant} if tenant else {}))


def test_the_handler_offers_the_accounts_of_the_provider(hearth, send):
    provider = f"oidc.x{uuid.uuid4().hex}"
    photo = "http://localhost/p.png"
    one = idp_user(
        hearth,
        provider,
        email="one@example.org",
        name="O'Ne <b>&",
        picture=photo,
        screen_name="one1",
    )
    two = idp_user(hearth, provider)
    idp_user(hearth, f"{provider}y", email="three@example.org")
    entries = Entries(handler(send, apiKey="k", providerId=provider, appName="a").text)
    claims = {entry["sub"]: entry for entry in entries.claims}
    assert claims.keys() == {json.loads(answer["rawUserInfo"])["sub"] for answer in (one, two)}
    fixed = {"iss": "", "aud": "", "exp": 0, "iat": 0, "email_verified": True}
    assert all(fixed.items() <= entry.items() for entry in entries.claims)
    [rich] = [entry for entry in entries.claims if entry.get("email")]
    [poor] = [entry for entry in entries.claims if not entry.get("email")]
    assert (rich["name"], rich["email"], rich["picture"]) == ("O'Ne <b>&", "one@example.org", photo)
    assert poor.keys() == fixed.keys() | {"sub"}
    [seen] = [text for text in entries.texts if "one@example.org" in text]
    assert "O'Ne <b>&" in seen and entries.images == [photo]
    assert all(text.strip() for text in entries.texts)


@pytest.mark.parametrize("name", ["tenantId", "tid"])
def test_the_handler_of_a_tenant(hearth, send, name):
    provider = f"oidc.x{uuid.uuid4().hex}"
    here, there = f"{uuid.uuid4().hex}@example.org", f"{uuid.uuid4().hex}@example.org"
    idp_user(hearth, provider, email=here)
    idp_user(hearth, provider, "t1", email=there)
    query = {"apiKey": "k", "providerId": provider, "appName": "a"}
    [entry] = Entries(handler(send, **query, **{name: "t1"}).text).claims
    assert entry["email"] == there
    [entry] = Entries(handler(send, **query).text).claims
    assert entry["email"] == here


@pytest.mark.parametrize(
    "word",
    [
        "apiKey",
        "appName",
        "tid",
        "authType",
        "providerId",
        "redirectUrl",
        "eventId",
        "clientId",
        "appId",
        "apn",
        "ibi",
        "error",
        "SAMLResponse",
        "firebase:redirectEvent:",
        "sendAuthEvent",
        "genericidp",
        "B.encryptionEnabled=false",
        "S.browser_fallback_url",
        "/__/auth/callback",
        "deep_link_id",
        "firebaseauth",
    ],
)
def test_the_script_of_the_handler(send, word):
    """What it reads and what it hands over, by its machine-visible words."""
    assert word in handler(send, apiKey="k", providerId="google.com").text


def test_the_iframe(send):
    for query in ({"apiKey": "k", "appName": "a"}, {}):
        reply = send("GET", "/emulator/auth/iframe", params=query)
        assert reply.status_code == 200
        assert reply.headers["Content-Type"].lower().replace(" ", "") == "text/html;charset=utf-8"
        for word in (
            "apiKey",
            "appName",
            "https://apis.google.com/js/api.js",
            "gapi.iframes",
            "webStorageSupport",
            "ACK",
            "sendAuthEvent",
            "authEvent",
            "unknown",
            "auth/no-auth-event",
            "firebase:redirectEvent:",
        ):
            assert word in reply.text
