"""What is special about each provider."""

import base64
import hmac
import json
import time
from urllib.parse import parse_qs, urlencode

import jwt as pyjwt
import pytest
import requests
from cryptography.hazmat.primitives.asymmetric import ec
from identity_providers.conftest import BACK


def claims(token: str) -> dict:
    return pyjwt.decode(token, options={"verify_signature": False})


def code(providers, place: str, persona: str = "ada", **more) -> str:
    query = {"client_id": "web", "redirect_uri": BACK, "response_type": "code"} | more
    address = f"{providers.address(place, 'authorize')}?{urlencode(query)}"
    return providers.sign_in(persona, authorizationUrl=address)["fields"]["code"]


def redeem(providers, place: str, text: str, status: int = 200, headers=None, **more):
    form = {
        "client_id": "web",
        "redirect_uri": BACK,
        "grant_type": "authorization_code",
        "code": text,
    } | more
    reply = requests.post(providers.address(place, "token"), data=form, headers=headers, timeout=30)
    assert reply.status_code == status, reply.text
    return reply


# MARK: Google


def test_google_gives_refresh_tokens_to_who_asks_for_them(providers):
    scope = "openid email"
    token = redeem(providers, "google", code(providers, "google", scope=scope)).json()
    assert "refresh_token" not in token and token["expires_in"] == 3599
    token = redeem(
        providers, "google", code(providers, "google", scope=scope, access_type="offline")
    ).json()
    told = claims(token["id_token"])
    assert told["azp"] == "web" and len(told["sub"]) == 21 and told["sub"].isdigit()
    info = requests.get(
        providers.address("google", "tokeninfo"), params={"id_token": token["id_token"]}, timeout=30
    ).json()
    assert info["email_verified"] == "true" and info["alg"] == "RS256"
    again = redeem(
        providers, "google", "", grant_type="refresh_token", refresh_token=token["refresh_token"]
    ).json()
    assert "refresh_token" not in again and again["access_token"]


def test_google_auth_verifies_the_token(providers):
    from google.auth.transport.requests import Request
    from google.oauth2 import id_token

    made = providers.sign_in("ada", provider="google", clientId="web")
    certificates = providers.address("google", "jwks")
    told = id_token.verify_token(made["idToken"], Request(), "web", certs_url=certificates)
    assert told["email"] == "ada@example.com"


# MARK: Apple


def secret(providers, **change) -> str:
    now = int(time.time())
    told = {
        "iss": "TEAM",
        "iat": now,
        "exp": now + 3600,
        "aud": "https://appleid.apple.com",
        "sub": "web",
    } | change
    key = ec.generate_private_key(ec.SECP256R1())
    return pyjwt.encode(told, key, algorithm="ES256", headers={"kid": "K"})


def apple_code(providers) -> str:
    return code(providers, "apple", scope="name email", response_mode="form_post")


def test_apple_wants_a_signed_secret_and_writes_booleans_as_text(providers):
    providers.put("/personas/shy", {"email": "shy@example.com", "hidesEmail": True})
    text = code(providers, "apple", "shy", scope="name email", response_mode="form_post")
    token = redeem(providers, "apple", text, client_secret=secret(providers)).json()
    told = claims(token["id_token"])
    assert told["email"].endswith("@privaterelay.appleid.com")
    assert told["is_private_email"] == "true" and told["email_verified"] == "true"
    assert "name" not in told and told["sub"].count(".") == 2
    assert "typ" not in pyjwt.get_unverified_header(token["id_token"])
    assert (
        requests.get(
            providers.address("apple", "userinfo"),
            headers={"Authorization": f"Bearer {token['access_token']}"},
            timeout=30,
        ).json()["sub"]
        == told["sub"]
    )


@pytest.mark.parametrize(
    "change",
    [{"sub": "other"}, {"aud": "https://a.example"}, {"exp": 1}, {"exp": 2**31}, {"iss": ""}],
    ids=["sub", "aud", "ended", "long", "iss"],
)
def test_apple_refuses_other_secrets(providers, change):
    reply = redeem(
        providers, "apple", apple_code(providers), 400, client_secret=secret(providers, **change)
    )
    assert reply.json()["error"] == "invalid_client"


def test_apple_wants_to_post_and_forgets_after_revocation(providers):
    query = {"client_id": "web", "redirect_uri": BACK, "response_type": "code", "scope": "name"}
    address = f"{providers.address('apple', 'authorize')}?{urlencode(query)}"
    made = providers.sign_in("ada", authorizationUrl=address)
    assert made["fields"]["error"] == "invalid_request"
    address += "&response_mode=form_post"
    first = providers.sign_in("ada", authorizationUrl=address)
    assert first["method"] == "POST"
    token = redeem(
        providers, "apple", first["fields"]["code"], client_secret=secret(providers)
    ).json()
    assert "user" not in providers.sign_in("ada", authorizationUrl=address)["fields"]
    for _ in range(2):
        reply = requests.post(
            providers.address("apple", "revoke"),
            data={
                "client_id": "web",
                "client_secret": secret(providers),
                "token": token["refresh_token"],
            },
            timeout=30,
        )
        assert (reply.status_code, reply.text) == (200, "")
    fields = providers.sign_in("ada", authorizationUrl=address)["fields"]
    assert json.loads(fields["user"])["name"] == {"firstName": "Ada", "lastName": "Otter"}


# MARK: Microsoft


def test_microsoft_has_tenants(providers):
    where = providers.address("microsoft", "common/v2.0/.well-known/openid-configuration")
    document = requests.get(where, timeout=30).json()
    # The tenant is the person's, so that the issuer of a token is another one.
    assert document["issuer"].endswith("/idp/microsoft/{tenantid}/v2.0")
    assert document["token_endpoint"].endswith("/common/oauth2/v2.0/token")
    query = {
        "client_id": "web",
        "redirect_uri": BACK,
        "response_type": "code",
        "scope": "openid profile email offline_access",
    }
    made = providers.sign_in(
        "ada", authorizationUrl=f"{document['authorization_endpoint']}?{urlencode(query)}"
    )
    token = requests.post(
        document["token_endpoint"],
        data={
            "client_id": "web",
            "redirect_uri": BACK,
            "grant_type": "authorization_code",
            "code": made["fields"]["code"],
        },
        timeout=30,
    ).json()
    told = claims(token["id_token"])
    assert told["ver"] == "2.0" and told["tid"].startswith("9188040d")
    assert told["iss"] == document["issuer"].replace("{tenantid}", told["tid"])
    assert {"aio", "rh", "uti", "nbf", "oid"} <= told.keys()
    assert document["subject_types_supported"] == ["pairwise"]
    assert told["preferred_username"] == "ada@example.com" and told["groups"] == ["staff"]
    assert token["ext_expires_in"] == token["expires_in"]
    me = requests.get(
        providers.address("microsoft", "me"),
        headers={"Authorization": f"Bearer {token['access_token']}"},
        timeout=30,
    ).json()
    assert me["id"] == told["oid"] and me["displayName"] == "Ada Otter"


def test_microsoft_numbers_its_refusals(providers):
    refused = redeem(providers, "microsoft", "c.wrong", 400).json()
    assert refused["error_codes"] == [70008]
    assert refused["error_description"].startswith("AADSTS70008: ")


# MARK: GitHub


def test_github_answers_forms_and_refuses_with_200(providers):
    text = code(providers, "github", scope="read:user user:email")
    form = {
        name: values[0] for name, values in parse_qs(redeem(providers, "github", text).text).items()
    }
    assert form["access_token"].startswith("gho_") and form["token_type"] == "bearer"
    assert form["scope"] == "read:user,user:email"
    bearer = {"Authorization": f"token {form['access_token']}"}
    user = requests.get(providers.address("github", "me"), headers=bearer, timeout=30).json()
    assert isinstance(user["id"], int) and user["login"] == "ada"
    emails = requests.get(providers.address("github", "emails"), headers=bearer, timeout=30).json()
    assert emails[0]["email"] == "ada@example.com" and emails[0]["primary"] is True
    refused = redeem(providers, "github", text, headers={"Accept": "application/json"}).json()
    assert refused["error"] == "bad_verification_code"
    assert refused["error_uri"].endswith("#bad-verification-code")


def test_github_asks_for_little(providers):
    """Neither the type of the answer nor, with the code, the address has to be named."""
    query = urlencode({"client_id": "web", "redirect_uri": BACK, "scope": "read:user"})
    address = f"{providers.address('github', 'authorize')}?{query}"
    text = providers.sign_in("ada", authorizationUrl=address)["fields"]["code"]
    accept = {"Accept": "application/json"}
    where = providers.address("github", "token")
    form = {"client_id": "web", "code": text, "redirect_uri": BACK + "x"}
    refused = requests.post(where, data=form, headers=accept, timeout=30)
    assert (refused.status_code, refused.json()["error"]) == (200, "redirect_uri_mismatch")
    text = providers.sign_in("ada", authorizationUrl=address)["fields"]["code"]
    form = {"client_id": "web", "code": text}
    token = requests.post(where, data=form, headers=accept, timeout=30).json()["access_token"]
    for endpoint, bearer, status in [("me", "x", 401), ("emails", token, 404), ("me", token, 200)]:
        reply = requests.get(
            providers.address("github", endpoint),
            headers={"Authorization": f"Bearer {bearer}"},
            timeout=30,
        )
        assert reply.status_code == status, reply.text
        assert status == 200 or reply.json()["documentation_url"]


@pytest.mark.parametrize(
    ("provider", "fields"),
    [
        ("google", {"error": "access_denied"}),
        ("apple", {"error": "user_cancelled_authorize"}),
        ("github", {"error": "access_denied", "error_uri": "#access-denied"}),
        ("facebook", {"error": "access_denied", "error_reason": "user_denied"}),
        ("microsoft", {"error": "access_denied", "error_description": "AADSTS65004: "}),
    ],
)
def test_who_cancels_is_told_of_in_the_words_of_the_provider(providers, provider, fields):
    query = {"client_id": "web", "redirect_uri": BACK, "response_type": "code", "scope": "name"}
    address = f"{providers.address(provider, 'authorize')}?{urlencode(query)}&state=s"
    if provider == "apple":
        address += "&response_mode=form_post"
    told = providers.sign_in("ken", authorizationUrl=address)
    assert told["fields"]["state"] == "s"
    for name, value in fields.items():
        assert value in told["fields"][name]
    assert told["redirect"].endswith("#_=_") == (provider == "facebook")


def test_google_says_little_of_a_wrong_code(providers):
    told = redeem(providers, "google", "4/wrong", 400).json()
    assert told == {"error": "invalid_grant", "error_description": "Malformed auth code."}
    assert redeem(providers, "google", "c.x", 400).json()["error_description"] == "Bad Request"


def test_longer_names_of_scopes(providers):
    scope = "openid " + " ".join(
        f"https://www.googleapis.com/auth/userinfo.{name}" for name in ("email", "profile")
    )
    made = providers.sign_in("ada", provider="google", scope=scope)
    told = claims(made["idToken"])
    assert (told["email"], told["name"]) == ("ada@example.com", "Ada Otter")


@pytest.mark.parametrize(
    ("provider", "more", "error"),
    [
        ("apple", {"response_type": "id_token"}, "unsupported_response_type"),
        ("x", {"response_type": "code"}, "invalid_request"),
    ],
    ids=["apple has no id_token alone", "x wants PKCE"],
)
def test_what_a_provider_does_not_offer(providers, provider, more, error):
    query = {"client_id": "web", "redirect_uri": BACK, "nonce": "n", **more}
    address = f"{providers.address(provider, 'authorize')}?{urlencode(query)}"
    told = providers.sign_in("ada", authorizationUrl=address)["fields"]
    assert told["error"] == error


# MARK: The others


def test_facebook_debugs_tokens(providers):
    made = providers.sign_in("ada", provider="facebook", scope="email public_profile")
    token = made["accessToken"]
    where = providers.address("facebook", "introspect")
    told = requests.get(where, params={"input_token": token}, timeout=30).json()["data"]
    assert told["is_valid"] and told["type"] == "USER"
    assert {"scope": "email"} in told["granular_scopes"]
    assert told["expires_at"] - told["issued_at"] == 5_183_999
    me = graph(providers, token, fields="id,name,email").json()
    assert me == {"id": told["user_id"], "name": "Ada Otter", "email": "ada@example.com"}
    assert graph(providers, token).json().keys() == {"id", "name"}


def graph(providers, token: str, **query) -> requests.Response:
    where = providers.address("facebook", "me")
    return requests.get(where, params={"access_token": token} | query, timeout=30)


def test_facebook_refuses_with_numbers(providers):
    reply = graph(providers, "x")
    error = reply.json()["error"]
    assert (reply.status_code, error["code"], error["type"]) == (401, 190, "OAuthException")
    assert error["fbtrace_id"]
    assert redeem(providers, "facebook", "c.x", 400).json()["error"]["code"] == 100


def test_facebook_checks_the_proof_of_a_client(providers):
    providers.settings("facebook", clients=[{"clientId": "web", "clientSecret": "s"}])
    token = providers.sign_in("ada", provider="facebook", clientId="web")["accessToken"]
    proof = hmac.new(b"s", token.encode(), "sha256").hexdigest()
    assert graph(providers, token, appsecret_proof=proof).status_code == 200
    error = graph(providers, token, appsecret_proof="00").json()["error"]
    assert (error["code"], error["type"]) == (100, "GraphMethodException")


@pytest.mark.parametrize("provider", ["yahoo", "linkedin", "facebook", "google", "apple"])
def test_those_with_openid_connect_sign_with_keys_of_their_own(providers, provider):
    made = providers.sign_in("ada", provider=provider)
    keys = requests.get(providers.address(provider, "jwks"), timeout=30).json()["keys"]
    header = pyjwt.get_unverified_header(made["idToken"])
    assert header["kid"] in [key["kid"] for key in keys]


def test_x_tells_users_by_their_name(providers):
    made = providers.sign_in("ada", provider="twitter.com", scope="users.read")
    user = requests.get(
        providers.address("x", "me"),
        headers={"Authorization": f"Bearer {made['accessToken']}"},
        timeout=30,
    ).json()
    assert user["data"]["username"] == "ada" and made.get("idToken") is None


def test_basic_credentials_are_decoded_as_forms(providers):
    providers.settings("oidc", clients=[{"clientId": "a b", "clientSecret": "s:%"}])
    pair = base64.b64encode(b"a+b:s%3A%25").decode()
    reply = requests.post(
        providers.address("oidc", "token"),
        data={"grant_type": "client_credentials"},
        headers={"Authorization": f"Basic {pair}"},
        timeout=30,
    )
    assert reply.status_code == 200, reply.text
