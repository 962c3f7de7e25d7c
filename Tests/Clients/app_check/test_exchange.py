"""Attestations become tokens that libraries verify."""

import base64
import time

import jwt
import pytest
import requests
from cryptography.hazmat.primitives.asymmetric import rsa
from support.auth.app_check import APP
from support.server import PROJECT

ATTESTATIONS = {
    "exchangeDebugToken": {"debug_token": "any"},
    "exchangeRecaptchaV3Token": {"recaptcha_v3_token": "any"},
    "exchangeRecaptchaEnterpriseToken": {"recaptcha_enterprise_token": "any"},
    "exchangeDeviceCheckToken": {"device_token": "YW55"},
    "exchangeAppAttestAssertion": {"artifact": "YQ==", "assertion": "YQ==", "challenge": "YQ=="},
    "exchangePlayIntegrityToken": {"playIntegrityToken": "any"},
    "exchangeSafetyNetToken": {"safetyNetToken": "any"},
}


def verified(app_check, token: str) -> dict:
    """What PyJWT makes of it, with the keys at the address that libraries have built in."""
    keys = jwt.PyJWKClient(app_check.base + "/v1/jwks")
    header = jwt.get_unverified_header(token)
    assert (header["alg"], header["typ"]) == ("RS256", "JWT")
    return jwt.decode(
        token,
        keys.get_signing_key_from_jwt(token).key,
        algorithms=["RS256"],
        audience=f"projects/{app_check.project}",
        options={"require": ["exp", "iat", "iss", "sub"]},
    )


@pytest.mark.parametrize("method", ATTESTATIONS)
@pytest.mark.parametrize(
    "host", ["firebaseappcheck.googleapis.com", "content-firebaseappcheck.googleapis.com"]
)
def test_an_attestation_becomes_a_token(app_check, method, host):
    reply = app_check.exchange(method, ATTESTATIONS[method], host)
    assert reply.status_code == 200, reply.text
    assert reply.json()["ttl"] == "3600s"
    claims = verified(app_check, reply.json()["token"])
    assert claims["sub"] == APP
    assert claims["aud"] == ["projects/448618578101", f"projects/{app_check.project}"]
    assert claims["iss"] == "https://firebaseappcheck.googleapis.com/448618578101"
    assert claims["exp"] - claims["iat"] == 3600
    assert "jti" not in claims


def test_the_first_attestation_of_app_attest(app_check):
    challenge = app_check.exchange("generateAppAttestChallenge", {}).json()
    assert len(base64.b64decode(challenge["challenge"])) == 32
    reply = app_check.exchange(
        "exchangeAppAttestAttestation",
        {
            "attestation_statement": "YQ==",
            "challenge": challenge["challenge"],
            "key_id": "YQ==",
            "limited_use": True,
        },
    ).json()
    assert reply["artifact"] and reply["appCheckToken"]["ttl"] == "300s"
    claims = verified(app_check, reply["appCheckToken"]["token"])
    assert claims["jti"] and claims["exp"] - claims["iat"] == 300


CLIENT = "448618578101-cc6c1dc7.apps.googleusercontent.com"


@pytest.mark.parametrize("method", ["exchangeDebugToken", "exchangeAppAttestAssertion"])
def test_google_sign_in_for_ios(app_check, method):
    """The resource is an OAuth client, without a project or a key."""
    reply = requests.post(
        f"{app_check.base}/v1beta/oauthClients/{CLIENT}:{method}",
        json=ATTESTATIONS[method] | {"limited_use": True},
        timeout=30,
    )
    assert reply.status_code == 200, reply.text
    # OAuth clients belong to the default project.
    app_check.project = PROJECT
    claims = verified(app_check, reply.json()["token"])
    assert claims["sub"] == CLIENT and claims["jti"]
    assert claims["iss"].endswith("/448618578101")


def test_a_page_may_ask(app_check):
    url = f"{app_check.base}/v1/projects/{app_check.project}/apps/{APP}:exchangeRecaptchaV3Token"
    page = {
        "Origin": "https://app.example.com",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type,x-firebase-client",
    }
    reply = requests.options(url, headers=page, timeout=30)
    assert reply.headers["Access-Control-Allow-Origin"] in ("*", "https://app.example.com")
    assert "x-firebase-client" in reply.headers["Access-Control-Allow-Headers"].lower()


REFUSALS = {
    "refuse": (403, "PERMISSION_DENIED", "App attestation failed."),
    "quota": (429, "RESOURCE_EXHAUSTED", "Too many attempts."),
}


@pytest.mark.parametrize("mode", REFUSALS)
@pytest.mark.parametrize("method", ATTESTATIONS)
def test_a_switch_refuses(app_check, method, mode):
    app_check.switches(appCheckAttestation=mode)
    reply = app_check.exchange(method, ATTESTATIONS[method])
    code, status, message = REFUSALS[mode]
    assert reply.status_code == code
    assert reply.json() == {"error": {"code": code, "message": message, "status": status}}


def test_only_what_is_registered_counts(app_check):
    app_check.switches(appCheckAttestation="registered")
    secret = "b6f0b1b2-6a2e-4c53-9a5b-8f5f5a3f1a11"
    assert app_check.exchange("exchangeDebugToken", {"debugToken": secret}).status_code == 403
    made = app_check.admin(
        "POST", f"/apps/{APP}/debugTokens", {"displayName": "CI", "token": secret}
    )
    assert made.status_code == 200, made.text
    reply = app_check.exchange("exchangeDebugToken", {"debugToken": secret.upper()})
    assert reply.status_code == 200, reply.text

    reply = app_check.exchange("exchangeRecaptchaV3Token", {"recaptchaV3Token": "any"})
    assert (reply.status_code, reply.json()["error"]["message"]) == (400, "App not registered")
    app_check.admin("PATCH", f"/apps/{APP}/recaptchaV3Config", {"tokenTtl": "7200s"})
    reply = app_check.exchange("exchangeRecaptchaV3Token", {"recaptchaV3Token": "any"})
    assert reply.json()["ttl"] == "7200s"


@pytest.mark.parametrize("body", [{}, {"debug_token": ""}, {"debug_token": 1}])
def test_a_request_without_an_attestation(app_check, body):
    reply = app_check.exchange("exchangeDebugToken", body)
    assert (reply.status_code, reply.json()["error"]["status"]) == (400, "INVALID_ARGUMENT")


def test_a_call_needs_a_key(app_check):
    reply = app_check.exchange("exchangeDebugToken", {"debug_token": "any"}, key="")
    assert reply.status_code == 403


# Any key will do: emulators do not check what Admin SDKs sign.
KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)
AUDIENCE = (
    "https://firebaseappcheck.googleapis.com/google.firebase.appcheck.v1.TokenExchangeService"
)


def custom(**claims) -> str:
    now = int(time.time())
    account = "someone@example.iam.gserviceaccount.com"
    standard = {"iss": account, "sub": account, "app_id": APP, "aud": AUDIENCE}
    times = {"iat": now, "exp": now + 300}
    return jwt.encode(standard | times | claims, KEY, algorithm="RS256")


def exchange_custom(app_check, **body):
    return app_check.admin("POST", f"/apps/{APP}:exchangeCustomToken", body)


def test_a_back_end_vouches_for_an_app(app_check):
    reply = exchange_custom(app_check, customToken=custom(ttl="1800s"))
    assert reply.json()["ttl"] == "1800s", reply.text
    assert verified(app_check, reply.json()["token"])["sub"] == APP
    reply = exchange_custom(app_check, customToken=custom(), limitedUse=True, jti="one")
    assert verified(app_check, reply.json()["token"])["jti"] == "one"


@pytest.mark.parametrize(
    "claims",
    [{"app_id": "1:1:web:other"}, {"aud": "https://example.com"}, {"exp": 1}, {"sub": "other"}],
    ids=str,
)
def test_a_custom_token_that_does_not_count(app_check, claims):
    reply = exchange_custom(app_check, customToken=custom(**claims))
    assert reply.json()["error"]["message"] == "App attestation failed."
    assert reply.status_code == 403


@pytest.mark.parametrize("ttl", ["60s", "8640000s", "soon"])
def test_a_life_that_is_too_short_or_too_long(app_check, ttl):
    assert exchange_custom(app_check, customToken=custom(ttl=ttl)).status_code == 400
