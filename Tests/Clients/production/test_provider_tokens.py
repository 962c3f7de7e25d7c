"""ID tokens of identity providers, as recorded."""

import time

import pytest
from support.auth.production import IT, Production, claims, rs256, tampered
from support.server import Server

OIDC = {
    "clientId": "client-a",
    "issuer": "https://issuer.example.com",
    "enabled": True,
    "responseType": {"idToken": True},
}


@pytest.fixture(scope="module")
def server():
    server = Server("--profile", "production")
    yield server
    server.stop()


@pytest.fixture
def project(server) -> Production:
    return Production(server)


def oidc_token(**claims) -> str:
    """As a provider signs it; its key is nobody's."""
    now = int(time.time())
    found = {
        "iss": OIDC["issuer"],
        "aud": OIDC["clientId"],
        "sub": "subject",
        "iat": now,
        "exp": now + 3600,
    } | claims
    return rs256({name: value for name, value in found.items() if value is not None})


def at_provider(project: Production, token: str | None, provider: str = "oidc.made") -> tuple:
    body = f"providerId={provider}" + (f"&id_token={token}" if token else "")
    return project.to_v1(
        "signInWithIdp", requestUri="http://localhost", postBody=body, returnSecureToken=True
    )


@pytest.fixture
def provider(project) -> Production:
    project.ok(
        "POST",
        f"{IT}/v2/projects/{project.id}/oauthIdpConfigs",
        OIDC,
        admin=True,
        oauthIdpConfigId="oidc.made",
    )
    return project


STALE = "INVALID_IDP_RESPONSE : ID Token issued at {} is stale to sign-in."
NOT_FOUND = "OPERATION_NOT_ALLOWED : The identity provider configuration is not found."


@pytest.mark.parametrize(
    "token, name, message",
    [
        pytest.param(
            lambda: oidc_token(iss="https://other.example.com"),
            "oidc.made",
            "INVALID_IDP_RESPONSE : The issuer in ID Token https://other.example.com does not "
            "match the expected one in config: https://issuer.example.com.",
            id="A168-issuer",
        ),
        pytest.param(
            lambda: oidc_token(aud="other"),
            "oidc.made",
            "INVALID_IDP_RESPONSE : The audience in ID Token [other] does not match the "
            "expected audience client-a.",
            id="A168-audience",
        ),
        pytest.param(
            lambda: oidc_token(iat=1000, exp=4600),
            "oidc.made",
            STALE.format(1000),
            id="A167-expired",
        ),
        pytest.param(
            lambda: oidc_token(iat=3_999_000_000, exp=3_999_003_600),
            "oidc.made",
            STALE.format(3_999_000_000),
            id="A167-future",
        ),
        pytest.param(
            lambda: oidc_token(sub=None, iat=1, exp=3_999_000_000),
            "oidc.made",
            "INVALID_IDP_RESPONSE : ID Token does not contain user's identity in 'sub' claim: "
            '{"aud":"client-a","exp":3999000000,"iat":1,"iss":"https://issuer.example.com"}',
            id="A169",
        ),
        pytest.param(
            lambda: tampered(oidc_token(), header={"alg": "HS256"}),
            "oidc.made",
            "INVALID_IDP_RESPONSE : Unable to verify the ID Token signature.",
            id="A166-hs256",
        ),
        pytest.param(
            "garbage",
            "oidc.made",
            "INVALID_IDP_RESPONSE : Unable to parse the ID Token.",
            id="A166-garbage",
        ),
        pytest.param(
            None,
            "oidc.made",
            "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP "
            "response/credential: http://localhost?providerId=oidc.made",
            id="A170",
        ),
        pytest.param(lambda: oidc_token(), "oidc.Made", NOT_FOUND, id="A171-case"),
        pytest.param(lambda: oidc_token(), "oidc.other", NOT_FOUND, id="A171-unknown"),
    ],
)
def test_a_token_of_a_provider_is_refused(provider, token, name, message):
    # Tokens are made by the test that takes them: they have an hour.
    token = token() if callable(token) else token
    assert provider.refusal(*at_provider(provider, token, name)) == message


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"nbf": 3_999_000_000}, id="A167-nbf"),
        pytest.param({"aud": ["client-a", "other"]}, id="A168-audiences"),
    ],
)
def test_a160_a161_a165_a_token_of_a_provider_signs_in_again_and_again(provider, fields):
    call = at_provider(provider, oidc_token(**fields))
    answer = provider.ok(*call)
    assert sorted(answer) == [
        "emailVerified",
        "expiresIn",
        "federatedId",
        "idToken",
        "isNewUser",
        "kind",
        "localId",
        "oauthIdToken",
        "pendingToken",
        "providerId",
        "rawUserInfo",
        "refreshToken",
    ]
    assert answer["federatedId"] == "oidc.made/subject" and answer["emailVerified"] is False
    assert claims(answer["idToken"])["firebase"]["identities"] == {"oidc.made": ["subject"]}
    assert "isNewUser" not in provider.ok(*call)
    pending = provider.to_v1(
        "signInWithIdp",
        requestUri="http://localhost",
        returnSecureToken=True,
        pendingToken=answer["pendingToken"],
    )
    for _ in range(2):
        assert provider.ok(*pending)["localId"] == answer["localId"]


def test_a162_a_verified_address_takes_an_unverified_account_over(provider):
    made = provider.ok(
        *provider.to_v1(
            "signUp", email="taken@example.com", password="password123", returnSecureToken=True
        )
    )
    token = oidc_token(email="taken@example.com", email_verified=True)
    answer = provider.ok(*at_provider(provider, token))
    assert answer["localId"] == made["localId"]
    user = provider.shown(made["localId"])
    assert user["emailVerified"] is True
    assert [entry["providerId"] for entry in user["providerUserInfo"]] == ["oidc.made"]
