"""A project with two personas, and the ways in which a browser and a test answer a provider."""

import html
import re
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from support.server import PROJECT

PERSONAS = {
    "ada": {"email": "ada@example.com", "displayName": "Ada Otter", "groups": ["staff"]},
    "ken": {"email": "ken@example.com", "denies": True},
    "eve": {"email": "eve@example.com", "disabled": True},
}
BACK = "http://localhost:9/callback"


class Providers:
    """What a test steers the providers of a project with."""

    def __init__(self, hearth):
        self.auth = hearth.auth
        self.control = f"{hearth.auth}/emulator/v1/projects/{PROJECT}"

    def put(self, path: str, body: dict, status: int = 200) -> dict:
        reply = requests.put(self.control + path, json=body, timeout=30)
        assert reply.status_code == status, reply.text
        return reply.json()

    def settings(self, provider: str, **settings) -> None:
        self.put(f"/identityProviders/{provider}", settings)

    def switches(self, **switches) -> None:
        reply = requests.patch(self.control + "/switches", json=switches, timeout=30)
        assert reply.status_code == 200, reply.text

    def sign_in(self, persona: str, status: int = 200, **body) -> dict:
        reply = requests.post(f"{self.control}/personas/{persona}:signIn", json=body, timeout=30)
        assert reply.status_code == status, reply.text
        return reply.json()

    def address(self, provider: str, endpoint: str) -> str:
        return f"{self.auth}/idp/{provider}/{endpoint}"


class Browser(requests.Session):
    """Goes to a provider's page, and presses what is on it."""

    def press(self, page: requests.Response, **button: str) -> requests.Response:
        fields = dict(
            re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', page.text)
        )
        fields = {name: html.unescape(value) for name, value in fields.items()}
        action = html.unescape(re.search(r'action="([^"]*)"', page.text)[1])
        return self.post(
            action,
            data=fields | button,
            headers={"Origin": self.origin(page, action)},
            allow_redirects=False,
            timeout=30,
        )

    @staticmethod
    def origin(page: requests.Response, action: str) -> str:
        """What a browser says of the page when it sends a form: nothing, if the page wants it so."""
        own, other = ("/".join(address.split("/")[:3]) for address in (page.url, action))
        policy = page.headers["Referrer-Policy"]
        tells = policy == "origin" or (policy == "same-origin" and own == other)
        return own if tells else "null"

    def choose(self, address: str, persona: str) -> dict:
        """The answer in the redirect after somebody was chosen."""
        page = self.get(address, timeout=30, allow_redirects=False)
        assert page.status_code == 200, page.text
        return answer(self.press(page, persona=persona))


def answer(reply: requests.Response) -> dict:
    assert reply.status_code == 302, reply.text
    parts = urlsplit(reply.headers["Location"])
    fields = parse_qs(parts.query or parts.fragment)
    return {name: values[0] for name, values in fields.items()}


@pytest.fixture
def providers(hearth) -> Providers:
    providers = Providers(hearth)
    providers.put("/personas", {"personas": PERSONAS})
    for name in ("oidc", "google", "apple", "microsoft", "github"):
        providers.settings(name)
    providers.switches(silentProviders=False, providerPages=False)
    return providers


@pytest.fixture
def browser() -> Browser:
    with Browser() as browser:
        yield browser
