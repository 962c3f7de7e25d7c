"""Answers of each provider that are tampered with, replayed, old, or another's: none signs anybody in."""

import base64
import hashlib
import hmac
import json

import jwt as pyjwt
import pytest
import requests
from identity_providers.test_firebase import code, sign_in
from support.server import PROJECT

OPENID = {
    "google": "google.com",
    "apple": "apple.com",
    "microsoft": "microsoft.com",
    "facebook": "facebook.com",
    "yahoo": "yahoo.com",
    "linkedin": "linkedin.com",
    "oidc": "oidc.here",
}
OAUTH = {
    "google": "google.com",
    "microsoft": "microsoft.com",
    "github": "github.com",
    "facebook": "facebook.com",
    "x": "twitter.com",
    "yahoo": "yahoo.com",
    "linkedin": "linkedin.com",
    "oidc": "oidc.here",
}
RAW = "a-nonce-of-the-app"
HASH = hashlib.sha256(RAW.encode()).hexdigest()
REFUSED = ("INVALID_IDP_RESPONSE", "MISSING_OR_INVALID_NONCE", "INVALID_CREDENTIAL_OR_PROVIDER_ID")


@pytest.fixture
def strict(providers):
    """A project that has all providers configured, for one client, and believes nobody else."""
    configs = f"{providers.auth}/identitytoolkit.googleapis.com/v2/projects/{PROJECT}"
    for provider in {**OPENID, **OAUTH}.values():
        config = {"clientId": "web", "clientSecret": "s", "enabled": True}
        path = f"/defaultSupportedIdpConfigs?idpId={provider}"
        if provider.startswith("oidc."):
            path = f"/oauthIdpConfigs?oauthIdpConfigId={provider}"
            config |= {"issuer": f"{providers.auth}/idp/oidc", "responseType": {"code": True}}
        headers = {"Authorization": "Bearer owner"}
        reply = requests.post(configs + path, json=config, headers=headers, timeout=30)
        assert reply.status_code in (200, 409), reply.text
    for name in ("facebook", "x", "yahoo", "linkedin"):
        providers.settings(name)
    providers.switches(strictProviders=True)
    yield providers
    requests.delete(f"{providers.control}/clock", timeout=30)
    providers.switches(strictProviders=False)


def made(providers, name: str, **more) -> dict:
    """What the provider gives to the project's client. Facebook's ID tokens need a nonce."""
    provider = {**OPENID, **OAUTH}[name]
    return providers.sign_in("ada", provider=provider, clientId="web", nonce=HASH, **more)


def with_id_token(providers, provider: str, token: str, status: int = 200, **more) -> dict:
    fields = {"providerId": provider, "id_token": token, "nonce": RAW} | more
    return sign_in(providers, status, **fields)


def with_access_token(providers, provider: str, made: dict, status: int = 200) -> dict:
    fields = {"providerId": provider, "access_token": made["accessToken"]}
    if made.get("tokenSecret"):
        fields["oauth_token_secret"] = made["tokenSecret"]
    return sign_in(providers, status, **fields)


def is_refused(answered: dict) -> bool:
    return answered["error"]["message"].startswith(REFUSED)


def encoded(part: dict) -> str:
    return base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")


def flipped(text: str) -> str:
    """Another character in the middle: the last ones may hold bits that are not used."""
    place = len(text) // 2
    return text[:place] + ("A" if text[place] != "A" else "B") + text[place + 1 :]


def forgeries(providers, name: str, token: str) -> dict[str, str]:
    """Tokens that somebody makes who has one of their own, and the published keys."""
    head, body, signature = token.split(".")
    header = pyjwt.get_unverified_header(token)
    claims = pyjwt.decode(token, options={"verify_signature": False}) | {"sub": "another"}
    keys = requests.get(providers.address(name, "jwks"), timeout=30).json()["keys"]
    hashed = f"{encoded(header | {'alg': 'HS256'})}.{encoded(claims)}"
    secret = json.dumps(keys[0]).encode()
    mac = hmac.new(secret, hashed.encode(), hashlib.sha256).digest()
    mac = base64.urlsafe_b64encode(mac).decode().rstrip("=")
    return {
        "other claims": f"{head}.{encoded(claims)}.{signature}",
        "other signature": f"{head}.{body}.{flipped(signature)}",
        "no signature": f"{head}.{body}.",
        "alg none": f"{encoded(header | {'alg': 'none'})}.{encoded(claims)}.",
        "alg none, no key": f"{encoded({'alg': 'none', 'typ': 'JWT'})}.{encoded(claims)}.",
        "public key as secret": f"{hashed}.{mac}",
        "other key": f"{encoded(header | {'kid': 'x'})}.{body}.{signature}",
        "cut short": token[:-20],
        "more": token + "A",
    }


@pytest.mark.parametrize("name", OPENID)
def test_forged_id_tokens(strict, name):
    provider = OPENID[name]
    token = made(strict, name)["idToken"]
    for kind, forged in forgeries(strict, name, token).items():
        answered = with_id_token(strict, provider, forged, 400)
        assert is_refused(answered), (kind, answered)
    assert with_id_token(strict, provider, token)["localId"]


@pytest.mark.parametrize("name", OPENID)
def test_id_tokens_of_others(strict, name):
    provider = OPENID[name]
    other_client = strict.sign_in("ada", provider=provider, clientId="evil", nonce=HASH)
    assert is_refused(with_id_token(strict, provider, other_client["idToken"], 400))
    for other in OPENID:
        if other == name or provider.startswith("oidc."):
            continue
        foreign = made(strict, other)["idToken"]
        assert is_refused(with_id_token(strict, provider, foreign, 400)), other


@pytest.mark.parametrize("name", OPENID)
def test_old_id_tokens_and_other_nonces(strict, name):
    provider = OPENID[name]
    token = made(strict, name)["idToken"]
    assert is_refused(with_id_token(strict, provider, token, 400, nonce="another"))
    clock = f"{strict.control}/clock"
    requests.patch(clock, json={"advance": "2d"}, timeout=30).raise_for_status()
    assert is_refused(with_id_token(strict, provider, token, 400))


@pytest.mark.parametrize("name", OAUTH)
def test_access_tokens_that_do_not_count(strict, name):
    provider = OAUTH[name]
    given = made(strict, name)
    changed = given | {"accessToken": flipped(given["accessToken"])}
    assert is_refused(with_access_token(strict, provider, changed, 400))
    if given.get("tokenSecret"):
        other = given | {"tokenSecret": flipped(given["tokenSecret"])}
        assert is_refused(with_access_token(strict, provider, other, 400))
    for other in OAUTH:
        if other != name and not OAUTH[other].startswith("oidc."):
            refused = with_access_token(strict, OAUTH[other], given, 400)
            assert is_refused(refused), (other, refused)
    assert with_access_token(strict, provider, given)["localId"]
    # GitHub's tokens have no end, and those of OAuth 1.0a neither.
    if name not in ("github", "x"):
        clock = f"{strict.control}/clock"
        requests.patch(clock, json={"advance": "100d"}, timeout=30).raise_for_status()
        assert is_refused(with_access_token(strict, provider, given, 400))


# X signs in with OAuth 1.0a: test_signed_requests has its verifiers.
@pytest.mark.parametrize("name", sorted({**OPENID, **OAUTH}.keys() - {"x"}))
def test_codes_that_do_not_count(strict, name):
    provider = {**OPENID, **OAUTH}[name]
    more = {
        "apple": {"response_mode": "form_post"},
        # Without a token of Limited Login, which would want a nonce.
        "facebook": {"scope": "email public_profile"},
    }.get(name, {})

    def fresh() -> str:
        return code(strict, name, **more)

    def redeem(text: str, status: int = 200, to: str = provider) -> dict:
        return sign_in(strict, status, providerId=to, code=text)

    first = fresh()
    assert is_refused(redeem(flipped(first), 400))
    assert redeem(first)["localId"]
    assert is_refused(redeem(first, 400))
    if not provider.startswith("oidc."):
        other = "google.com" if name != "google" else "github.com"
        assert is_refused(redeem(fresh(), 400, to=other))
    stranger = code(strict, name, client_id="evil", **more)
    assert is_refused(redeem(stranger, 400))
    old = fresh()
    clock = f"{strict.control}/clock"
    requests.patch(clock, json={"advance": "11m"}, timeout=30).raise_for_status()
    assert is_refused(redeem(old, 400))
