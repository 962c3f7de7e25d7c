"""Personas with a second factor: every login page asks for the code."""

import base64
import re
import time
import uuid
from urllib.parse import quote

import pytest
import requests
from identity_providers.conftest import BACK, PERSONAS, answer
from joserfc import jwt
from joserfc.jwk import KeySet

CODE = "123456"


@pytest.fixture
def providers(providers):
    providers.put("/personas", {"personas": PERSONAS | {"mia": {"secondFactor": CODE}}})
    return providers


def address(providers, provider="oidc", **more) -> str:
    query = {"response_type": "id_token", "client_id": "app", "redirect_uri": BACK}
    query |= {"scope": "openid", "nonce": "n", "state": "kept"} | more
    page = providers.address(provider, "authorize")
    return requests.Request("GET", page, params=query).prepare().url


def asks(page: requests.Response) -> bool:
    assert page.status_code == 200, page.text
    return 'data-testid="factor"' in page.text


def test_the_code_is_asked_for(providers, browser):
    page = browser.press(browser.get(address(providers), timeout=30), persona="mia")
    assert asks(page) and "That is not" not in page.text
    wrong = browser.press(page, persona="mia", factor="000000")
    assert asks(wrong) and "That is not the code." in wrong.text
    fields = answer(browser.press(wrong, persona="mia", factor="123 456"))
    assert fields["state"] == "kept"
    keys = requests.get(providers.address("oidc", "jwks"), timeout=30).json()
    claims = jwt.decode(fields["id_token"], KeySet.import_key_set(keys)).claims
    assert claims["amr"] == ["pwd", "mfa"]
    # The provider knows this browser from now on.
    assert answer(browser.get(address(providers), allow_redirects=False, timeout=30))["id_token"]


def test_consent_comes_after_it(providers, browser):
    page = browser.get(address(providers, prompt="consent"), timeout=30)
    page = browser.press(page, persona="mia")
    assert asks(page)
    consent = browser.press(page, persona="mia", factor=CODE)
    assert 'data-testid="scopes"' in consent.text
    assert answer(browser.press(consent, consent="yes"))["id_token"]


def test_others_have_none(providers, browser):
    page = browser.get(address(providers), timeout=30)
    fields = answer(browser.press(page, persona="ada"))
    assert "amr" not in jwt_claims(fields["id_token"])


def jwt_claims(token: str) -> str:
    part = token.split(".")[1]
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)).decode()


def test_a_device_asks_too(providers, browser):
    begun = requests.post(
        providers.address("oidc", "device"),
        data={"client_id": "app", "scope": "openid"},
        timeout=30,
    ).json()
    page = browser.get(begun["verification_uri_complete"], timeout=30)
    page = browser.press(page, persona="mia", user_code=begun["user_code"])
    assert asks(page)
    assert "Connected" in browser.press(page, persona="mia", factor=CODE).text


def test_x_asks_too(providers, browser):
    client = {"oauth_consumer_key": "key", "oauth_callback": BACK}
    begun = requests.post(
        providers.address("x", "oauth/request_token"),
        headers={"Authorization": oauth(client)},
        timeout=30,
    )
    token = re.search(r"oauth_token=([^&]+)", begun.text)[1]
    page = browser.get(
        providers.address("x", "oauth/authorize"), params={"oauth_token": token}, timeout=30
    )
    page = browser.press(page, persona="mia")
    assert asks(page)
    assert answer(browser.press(page, persona="mia", factor=CODE))["oauth_verifier"]


def oauth(fields: dict) -> str:
    fields = fields | {
        "oauth_nonce": uuid.uuid4().hex,
        "oauth_timestamp": str(int(time.time())),
        "oauth_signature_method": "HMAC-SHA1",
        "oauth_signature": "any",
        "oauth_version": "1.0",
    }
    return "OAuth " + ", ".join(f'{name}="{quote(text, "")}"' for name, text in fields.items())


def test_a_test_signs_in_without_the_code(providers):
    reply = requests.post(
        f"{providers.control}/personas/mia:signIn", json={"provider": "google.com"}, timeout=30
    )
    assert reply.status_code == 200 and reply.json()["idToken"]
