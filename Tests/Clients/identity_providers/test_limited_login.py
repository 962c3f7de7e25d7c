"""Limited Login of Facebook: an ID token in place of an access token, with a nonce."""

import hashlib
import json
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt as pyjwt
import pytest
import requests
from identity_providers.test_firebase import sign_in
from support.server import PROJECT

RAW = "a-nonce-of-the-app"
HASH = hashlib.sha256(RAW.encode()).hexdigest()


def limited(providers, persona: str = "ada", **more) -> dict:
    """What Facebook's SDK for iOS gets in the fragment of its redirect."""
    query = {
        "client_id": "123456",
        "redirect_uri": "fb123456://authorize",
        "response_type": "id_token,graph_domain,user_token_nonce",
        "scope": "public_profile,email,openid",
        "tp": "ios_14_do_not_track",
        "nonce": HASH,
        "state": "s",
    } | more
    address = f"{providers.address('facebook', 'authorize')}?{urlencode(query)}"
    redirect = providers.sign_in(persona, authorizationUrl=address)["redirect"]
    parts = urlsplit(redirect)
    assert (parts.scheme, parts.netloc, parts.query) == ("fb123456", "authorize", "")
    return {name: values[0] for name, values in parse_qs(parts.fragment).items()}


@pytest.fixture(params=["emulator", "production", "strict"])
def answers(providers, request):
    """A project that has Facebook configured, and each of the ways to look at its tokens."""
    requests.post(
        f"{providers.auth}/identitytoolkit.googleapis.com/v2/projects/{PROJECT}"
        "/defaultSupportedIdpConfigs?idpId=facebook.com",
        json={"clientId": "123456", "clientSecret": "s", "enabled": True},
        headers={"Authorization": "Bearer owner"},
        timeout=30,
    )
    if request.param == "strict":
        providers.switches(strictProviders=True)
    else:
        providers.switches(answers=request.param)
    yield request.param
    providers.switches(strictProviders=False, answers="emulator")
    providers.settings("facebook")


def test_the_token_is_one_of_openid_connect(providers):
    fields = limited(providers)
    assert "access_token" not in fields and "code" not in fields
    assert (fields["state"], fields["graph_domain"]) == ("s", "facebook")
    token = fields["id_token"]
    assert pyjwt.get_unverified_header(token)["alg"] == "RS256"
    where = providers.address("facebook", ".well-known/openid-configuration/").rstrip("/")
    document = requests.get(where, timeout=30).json()
    keys = pyjwt.PyJWKClient(document["jwks_uri"])
    told = pyjwt.decode(
        token,
        keys.get_signing_key_from_jwt(token),
        algorithms=["RS256"],
        audience="123456",
        issuer=document["issuer"],
    )
    assert told["nonce"] == HASH and told["email"] == "ada@example.com"
    assert (told["name"], told["given_name"], told["family_name"]) == ("Ada Otter", "Ada", "Otter")
    assert told["sub"].isdigit() and told["jti"]
    assert "email_verified" not in told
    again = pyjwt.decode(limited(providers)["id_token"], options={"verify_signature": False})
    assert again["jti"] != told["jti"] and again["sub"] == told["sub"]


def test_other_providers_have_no_commas_among_response_types(providers):
    query = {
        "client_id": "web",
        "redirect_uri": "http://localhost:9/cb",
        "response_type": "id_token,graph_domain",
        "nonce": "n",
    }
    address = f"{providers.address('google', 'authorize')}?{urlencode(query)}"
    fields = providers.sign_in("ada", authorizationUrl=address)["fields"]
    assert fields["error"] == "unsupported_response_type"


def test_the_same_person_as_with_an_access_token(providers):
    made = providers.sign_in("ada", provider="facebook.com", scope="email public_profile")
    usual = sign_in(providers, providerId="facebook.com", access_token=made["accessToken"])
    token = limited(providers)["id_token"]
    answered = sign_in(providers, providerId="facebook.com", id_token=token, nonce=RAW)
    assert answered["localId"] == usual["localId"]


def test_firebase_takes_the_token_with_the_nonce_of_the_app(providers, answers):
    nonce = f"{RAW}-{answers}"
    token = limited(providers, nonce=hashlib.sha256(nonce.encode()).hexdigest())["id_token"]
    answered = sign_in(providers, providerId="facebook.com", id_token=token, nonce=nonce)
    assert (answered["providerId"], answered["displayName"]) == ("facebook.com", "Ada Otter")
    assert answered["emailVerified"] is False and answered["oauthIdToken"] == token
    assert json.loads(answered["rawUserInfo"])["email"] == "ada@example.com"


@pytest.mark.parametrize("answers", ["production", "strict"], indirect=True)
@pytest.mark.parametrize(
    ("more", "nonce", "words"),
    [
        ({}, None, "Nonce is missing in the request."),
        ({}, "another", "does not match the SHA256 hash of the raw nonce"),
        ({"nonce": ""}, None, "Nonce is missing in the request."),
        ({"nonce": ""}, RAW, "does not match the SHA256 hash of the raw nonce"),
        ({"nonce": RAW}, RAW, "does not match the SHA256 hash of the raw nonce"),
    ],
)
def test_no_nonce_and_another_are_refused(providers, answers, more, nonce, words):
    token = limited(providers, **more)["id_token"]
    fields = {"nonce": f"{nonce}-{answers}" if nonce == "another" else nonce} if nonce else {}
    refused = sign_in(providers, 400, providerId="facebook.com", id_token=token, **fields)
    assert refused["error"]["message"].startswith("MISSING_OR_INVALID_NONCE")
    assert words in refused["error"]["message"]


@pytest.mark.parametrize("answers", ["production"], indirect=True)
def test_a_nonce_counts_once(providers, answers):
    token = limited(providers, nonce=hashlib.sha256(b"once").hexdigest())["id_token"]
    sign_in(providers, providerId="facebook.com", id_token=token, nonce="once")
    refused = sign_in(providers, 400, providerId="facebook.com", id_token=token, nonce="once")
    assert "Duplicate credential received." in refused["error"]["message"]


@pytest.mark.parametrize("answers", ["strict"], indirect=True)
@pytest.mark.parametrize("fault", ["wrongSignature", "expired", "wrongAudience", "wrongNonce"])
def test_strict_providers_refuse_what_facebook_did_not_say(providers, answers, fault):
    providers.settings("facebook", fault=fault)
    token = limited(providers)["id_token"]
    sign_in(providers, 400, providerId="facebook.com", id_token=token, nonce=RAW)
