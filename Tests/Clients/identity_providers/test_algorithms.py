"""ID tokens that are signed by RS256 or by ES256, as each provider or a test wants it."""

import jwt as pyjwt
import pytest
import requests
from identity_providers.test_firebase import sign_in, strict  # noqa: F401
from joserfc import jwk, jwt


def document(providers, provider: str) -> dict:
    where = providers.address(provider, ".well-known/openid-configuration")
    return requests.get(where, timeout=30).json()


def keys(providers, provider: str) -> list[dict]:
    return requests.get(providers.address(provider, "jwks"), timeout=30).json()["keys"]


def verified(token: str, keys: list[dict], *algorithms: str) -> dict:
    """By two libraries of different roots: PyJWT and joserfc."""
    kid = pyjwt.get_unverified_header(token)["kid"]
    key = next(key for key in keys if key["kid"] == kid)
    told = pyjwt.decode(
        token, pyjwt.PyJWK(key), algorithms=list(algorithms), audience="web", leeway=30
    )
    known = jwk.KeySet.import_key_set({"keys": keys})
    assert jwt.decode(token, known, algorithms=list(algorithms)).claims == told
    return told


@pytest.fixture(params=["oidc", "apple", "google", "microsoft", "facebook", "linkedin"])
def elliptic(providers, request):
    """A provider that signs with ES256 because a test wants it so."""
    providers.settings(request.param, algorithm="ES256")
    yield request.param
    providers.settings(request.param)


def test_a_setting_has_a_provider_sign_with_es256(providers, elliptic):
    assert document(providers, elliptic)["id_token_signing_alg_values_supported"] == [
        "ES256",
        "RS256",
    ]
    first = keys(providers, elliptic)[0]
    assert (first["kty"], first["crv"], first["alg"]) == ("EC", "P-256", "ES256")
    assert len(first["x"]) == len(first["y"]) == 43
    assert first["kid"] == jwk.ECKey.import_key(first).thumbprint()
    made = providers.sign_in("ada", provider=elliptic, clientId="web")
    header = pyjwt.get_unverified_header(made["idToken"])
    assert header["alg"] == "ES256" and ("typ" in header) == (elliptic != "apple")
    verified(made["idToken"], keys(providers, elliptic), "ES256")


def test_what_was_signed_before_stays_good(providers):
    old = providers.sign_in("ada", provider="oidc", clientId="web")["idToken"]
    providers.settings("oidc", algorithm="ES256")
    new = providers.sign_in("ada", provider="oidc", clientId="web")["idToken"]
    rotated = requests.post(
        providers.control + "/identityProviders/oidc:rotateKeys", json={}, timeout=30
    ).json()["kid"]
    newest = providers.sign_in("ada", provider="oidc", clientId="web")["idToken"]
    assert pyjwt.get_unverified_header(newest) == {"alg": "ES256", "kid": rotated, "typ": "JWT"}
    published = keys(providers, "oidc")
    for token, algorithm in ((old, "RS256"), (new, "ES256"), (newest, "ES256")):
        verified(token, published, algorithm)


def test_many_signatures_have_the_length_of_two_numbers(providers):
    """A number with a zero at its start, one in 128, still has all its bytes."""
    providers.settings("oidc", algorithm="ES256")
    for _ in range(300):
        token = providers.sign_in("ada", provider="oidc", clientId="web")["idToken"]
        assert len(token.rsplit(".", 1)[1]) == 86
    verified(token, keys(providers, "oidc"), "ES256")


def test_yahoo_signs_with_es256_by_itself(providers):
    made = providers.sign_in("ada", provider="yahoo", clientId="web")
    verified(made["idToken"], keys(providers, "yahoo"), "ES256")
    assert "ES256" in document(providers, "yahoo")["id_token_signing_alg_values_supported"]
    providers.settings("yahoo", algorithm="RS256")
    made = providers.sign_in("ada", provider="yahoo", clientId="web")
    verified(made["idToken"], keys(providers, "yahoo"), "RS256")
    providers.settings("yahoo")


@pytest.mark.parametrize(
    ("provider", "value", "words"),
    [
        ("oidc", "HS256", "/algorithm must be one of RS256, ES256"),
        ("github", "ES256", "github has none"),
        ("saml", "ES256", "saml has none"),
    ],
)
def test_other_settings_are_refused(providers, provider, value, words):
    reply = requests.put(
        f"{providers.control}/identityProviders/{provider}", json={"algorithm": value}, timeout=30
    )
    assert reply.status_code == 400 and words in reply.json()["error"]["message"]


@pytest.mark.parametrize("provider_id", ["google.com", "oidc.here"])
def test_strict_providers_take_es256_of_a_provider_here(strict, provider_id):  # noqa: F811
    name = "google" if provider_id == "google.com" else "oidc"
    strict.settings(name, algorithm="ES256")
    made = strict.sign_in("ada", provider=provider_id, clientId="web")
    answered = sign_in(strict, providerId=provider_id, id_token=made["idToken"])
    assert answered["email"] == "ada@example.com"
    head, body, signature = made["idToken"].split(".")
    tampered = ".".join((head, body, ("B" if signature[0] == "A" else "A") + signature[1:]))
    other = pyjwt.utils.base64url_encode(b'{"alg":"RS256","kid":"%s"}' % kid(head)).decode()
    for token in (tampered, f"{head}.{body}.AAAA", f"{other}.{body}.{signature}"):
        refused = sign_in(strict, 400, providerId=provider_id, id_token=token)
        assert "Unable to verify the ID Token signature." in refused["error"]["message"]
    strict.settings(name)


def kid(head: str) -> bytes:
    return pyjwt.get_unverified_header(head + ".e30.")["kid"].encode()


def test_as_production_a_project_takes_es256_of_a_provider_here(strict):  # noqa: F811
    strict.settings("oidc", algorithm="ES256")
    strict.switches(answers="production")
    try:
        made = strict.sign_in("ada", provider="oidc.here", clientId="web")
        answered = sign_in(strict, providerId="oidc.here", id_token=made["idToken"])
        assert answered["providerId"] == "oidc.here"
    finally:
        strict.switches(answers="emulator")
        strict.settings("oidc")
