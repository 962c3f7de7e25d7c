"""Access tokens of Microsoft: what an API that verifies them reads, and who else still takes them."""

from urllib.parse import urlencode

import jwt as pyjwt
import pytest
import requests
from identity_providers.conftest import BACK
from identity_providers.test_firebase import sign_in
from support.server import PROJECT

GRAPH = "00000003-0000-0000-c000-000000000000"
PERSONAL = "9188040d-6c67-4c5b-b112-36a304b66dad"
OWN = "11111111-2222-3333-4444-555555555555"


def document(providers, tenant: str) -> dict:
    where = f"{tenant}/v2.0/.well-known/openid-configuration"
    return requests.get(providers.address("microsoft", where), timeout=30).json()


def redeemed(providers, tenant: str = "common", persona: str = "ada", **more) -> dict:
    """The tokens of a web app, which asks with what it wants to be permitted."""
    found = document(providers, tenant)
    form = {"client_id": "web", "redirect_uri": BACK}
    query = form | {"response_type": "code", "scope": "openid profile email User.Read"} | more
    address = f"{found['authorization_endpoint']}?{urlencode(query)}"
    code = providers.sign_in(persona, authorizationUrl=address)["fields"]["code"]
    form |= {"grant_type": "authorization_code", "code": code, "client_secret": "s"}
    reply = requests.post(found["token_endpoint"], data=form, timeout=30)
    assert reply.status_code == 200, reply.text
    return reply.json()


def verified(providers, token: str, audience: str, tenant: str = "common") -> dict:
    """What an API sees, which knows the issuer and itself."""
    keys = pyjwt.PyJWKClient(document(providers, tenant)["jwks_uri"])
    key = keys.get_signing_key_from_jwt(token).key
    return pyjwt.decode(token, key, algorithms=["RS256"], audience=audience)


def test_a_token_is_for_graph(providers):
    made = redeemed(providers)
    told = verified(providers, made["access_token"], GRAPH)
    identity = pyjwt.decode(made["id_token"], options={"verify_signature": False})
    assert told["iss"] == identity["iss"] and told["iss"].endswith(
        f"/idp/microsoft/{PERSONAL}/v2.0"
    )
    assert (told["ver"], told["tid"], told["azp"], told["azpacr"]) == ("2.0", PERSONAL, "web", "1")
    assert (told["oid"], told["scp"]) == (identity["oid"], "openid profile email User.Read")
    assert told["exp"] - told["iat"] == made["expires_in"] and told["nbf"] == told["iat"]
    # Each API knows people by ids of its own.
    assert told["sub"] != identity["sub"]


@pytest.mark.parametrize(
    ("scope", "audience", "permissions"),
    [
        ("openid api://orders/read api://orders/write offline_access", "orders", "read write"),
        ("https://graph.microsoft.com/User.Read openid", GRAPH, "User.Read openid"),
        ("https://orders.example.com/api/read", "https://orders.example.com/api", "read"),
        ("api://orders/.default", "orders", None),
        ("api://orders/read api://other/read", "orders", "read"),
        ("openid / // https://x", GRAPH, "openid / // https://x"),
    ],
)
def test_the_scope_names_the_api(providers, scope, audience, permissions):
    made = redeemed(providers, scope=scope)
    assert verified(providers, made["access_token"], audience).get("scp") == permissions


def test_tenants_and_claims_of_a_persona(providers):
    providers.put(
        "/personas/eva",
        {"email": "eva@contoso.example", "tenant": OWN, "claims": {"roles": ["Admin"]}},
    )
    for tenant in ("common", OWN):
        told = verified(
            providers, redeemed(providers, tenant, "eva")["access_token"], GRAPH, tenant
        )
        assert (told["tid"], told["roles"]) == (OWN, ["Admin"])


def test_a_client_that_acts_for_itself(providers):
    form = {
        "client_id": "daemon",
        "client_secret": "s",
        "grant_type": "client_credentials",
        "scope": "api://orders/.default",
    }
    reply = requests.post(document(providers, OWN)["token_endpoint"], data=form, timeout=30)
    token = reply.json()["access_token"]
    told = verified(providers, token, "orders", OWN)
    assert (told["idtyp"], told["tid"], told["azp"]) == ("app", OWN, "daemon")
    assert told["sub"] == told["oid"] and "scp" not in told and "name" not in told
    headers = {"Authorization": f"Bearer {token}"}
    reply = requests.get(providers.address("microsoft", "me"), headers=headers, timeout=30)
    assert reply.status_code == 401


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("wrongSignature", pyjwt.InvalidSignatureError),
        ("wrongAudience", pyjwt.InvalidAudienceError),
        ("expired", pyjwt.ExpiredSignatureError),
    ],
)
def test_an_api_can_be_shown_tokens_that_are_wrong(providers, fault, error):
    providers.settings("microsoft", fault=fault)
    with pytest.raises(error):
        verified(providers, redeemed(providers)["access_token"], GRAPH)


def test_the_provider_takes_its_token_until_it_ends(providers):
    made = redeemed(providers, scope="openid offline_access")
    token = made["access_token"]

    def status(shown: str, endpoint: str = "userinfo") -> int:
        headers = {"Authorization": f"Bearer {shown}"}
        where = providers.address("microsoft", endpoint)
        return requests.get(where, headers=headers, timeout=30).status_code

    def introspected() -> dict:
        form = {"client_id": "web", "token": token}
        where = providers.address("microsoft", "introspect")
        return requests.post(where, data=form, timeout=30).json()

    assert (status(token), status(token, "me"), introspected()["active"]) == (200, 200, True)
    head, body, signature = token.split(".")
    other = "A" if signature[0] != "A" else "B"
    assert status(f"{head}.{body}.{other}{signature[1:]}") == 401
    assert status(made["id_token"]) == 401
    form = {
        "client_id": "web",
        "grant_type": "refresh_token",
        "refresh_token": made["refresh_token"],
    }
    where = document(providers, "common")["token_endpoint"]
    fresh = requests.post(where, data=form, timeout=30).json()["access_token"]
    assert fresh != token and status(fresh) == 200
    clock = f"{providers.control}/clock"
    assert requests.patch(clock, json={"advance": "3601s"}, timeout=30).status_code == 200
    assert (status(token), introspected()) == (401, {"active": False})


@pytest.mark.parametrize("strict", [False, True])
def test_firebase_takes_it(providers, strict):
    requests.post(
        f"{providers.auth}/identitytoolkit.googleapis.com/v2/projects/{PROJECT}"
        "/defaultSupportedIdpConfigs?idpId=microsoft.com",
        json={"clientId": "web", "clientSecret": "s", "enabled": True},
        headers={"Authorization": "Bearer owner"},
        timeout=30,
    )
    providers.switches(strictProviders=strict)
    try:
        made = redeemed(providers)
        answered = sign_in(providers, providerId="microsoft.com", access_token=made["access_token"])
        assert answered["email"] == "ada@example.com"
        assert answered["oauthAccessToken"] == made["access_token"]
        # One that is for an API says nothing to an app, though the same key has signed it.
        if strict:
            refused = sign_in(
                providers, 400, providerId="microsoft.com", id_token=made["access_token"]
            )
            assert "INVALID_IDP_RESPONSE" in refused["error"]["message"]
    finally:
        providers.switches(strictProviders=False)
