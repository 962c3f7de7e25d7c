"""accounts:signInWithIdp with what the providers here have given out, by all ways."""

import json
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import requests
from identity_providers.conftest import answer
from support.server import PROJECT

HANDLER = "/emulator/auth/handler"


def sign_in(providers, status: int = 200, request_uri: str = "http://localhost", **fields) -> dict:
    more = {k: fields.pop(k) for k in ("sessionId", "idToken") if k in fields}
    reply = requests.post(
        f"{providers.auth}/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp?key=any",
        json={
            "requestUri": request_uri,
            "postBody": urlencode(fields),
            "returnSecureToken": True,
            **more,
        },
        timeout=30,
    )
    assert reply.status_code == status, reply.text
    return reply.json()


@pytest.fixture
def strict(providers):
    """Providers that are strict, with google.com and one of the project's own configured."""
    configs = f"{providers.auth}/identitytoolkit.googleapis.com/v2/projects/{PROJECT}"
    owner = {"Authorization": "Bearer owner"}
    for path, config in (
        (
            "/defaultSupportedIdpConfigs?idpId=google.com",
            {"clientId": "web", "clientSecret": "s", "enabled": True},
        ),
        (
            "/defaultSupportedIdpConfigs?idpId=github.com",
            {"clientId": "web", "clientSecret": "s", "enabled": True},
        ),
        (
            "/oauthIdpConfigs?oauthIdpConfigId=oidc.here",
            {
                "clientId": "web",
                "issuer": f"{providers.auth}/idp/oidc",
                "enabled": True,
                "displayName": "Here",
            },
        ),
    ):
        reply = requests.post(configs + path, json=config, headers=owner, timeout=30)
        assert reply.status_code in (200, 409), reply.text
    providers.switches(strictProviders=True)
    yield providers
    providers.switches(strictProviders=False)


def test_an_id_token_is_verified_with_the_providers_key(strict):
    made = strict.sign_in("ada", provider="google.com", clientId="web")
    answered = sign_in(strict, providerId="google.com", id_token=made["idToken"])
    assert answered["email"] == "ada@example.com" and answered["emailVerified"] is True
    assert answered["federatedId"].startswith("https://accounts.google.com/1")
    assert answered["oauthIdToken"] == made["idToken"]
    assert json.loads(answered["rawUserInfo"])["email"] == "ada@example.com"


@pytest.mark.parametrize(
    ("fault", "client", "words"),
    [
        ("wrongSignature", "web", "Unable to verify the ID Token signature."),
        ("expired", "web", "ID Token is stale"),
        ("wrongAudience", "web", "The audience in ID Token [another-client]"),
        ("none", "somebody-else", "The audience in ID Token [somebody-else]"),
    ],
)
def test_tampered_foreign_and_old_tokens_are_refused(strict, fault, client, words):
    strict.settings("google", fault=fault)
    made = strict.sign_in("ada", provider="google.com", clientId=client)
    refused = sign_in(strict, 400, providerId="google.com", id_token=made["idToken"])
    assert words in refused["error"]["message"]


def test_an_access_token_is_that_persons(strict):
    made = strict.sign_in("ada", provider="github.com", scope="user:email")
    answered = sign_in(strict, providerId="github.com", access_token=made["accessToken"])
    assert answered["screenName"] == "ada" and answered["email"] == "ada@example.com"
    # GitHub's tokens do not end.
    assert "oauthExpireIn" not in answered
    assert json.loads(answered["rawUserInfo"])["login"] == "ada"
    assert answered["oauthAccessToken"] == made["accessToken"]
    refused = sign_in(strict, 400, providerId="github.com", access_token="gho_made_up")
    assert refused["error"]["message"].startswith("INVALID_IDP_RESPONSE")
    again = sign_in(strict, providerId="github.com", access_token=made["accessToken"])
    assert again["localId"] == answered["localId"]


@pytest.mark.parametrize(
    ("provider", "domain", "trusted"),
    [
        ("google.com", "example.com", True),
        ("microsoft.com", "outlook.com", True),
        ("microsoft.com", "example.com", False),
        ("yahoo.com", "yahoo.com", True),
        ("yahoo.com", "example.com", False),
        ("facebook.com", "example.com", False),
    ],
)
def test_whose_word_makes_an_address_verified(providers, provider, domain, trusted):
    providers.put("/personas/ida", {"email": f"ida@{domain}"})
    made = providers.sign_in("ida", provider=provider)
    answered = sign_in(providers, providerId=provider, access_token=made["accessToken"])
    assert answered["emailVerified"] is trusted


def test_facebook_tells_of_scopes_and_a_photo(providers):
    scope = "email public_profile"
    made = providers.sign_in("ada", provider="facebook.com", scope=scope)
    answered = sign_in(providers, providerId="facebook.com", access_token=made["accessToken"])
    told = json.loads(answered["rawUserInfo"])
    assert told["granted_scopes"] == ["email", "public_profile"]
    assert answered["photoUrl"] == f"https://graph.facebook.com/{told['id']}/picture"
    assert "screenName" not in answered and answered["oauthExpireIn"] <= 5_183_999


def test_an_address_to_come_back_to_has_no_fragment(providers):
    reply = requests.post(
        f"{providers.auth}/identitytoolkit.googleapis.com/v1/accounts:createAuthUri?key=any",
        json={"providerId": "google.com", "continueUri": "http://localhost/#a"},
        timeout=30,
    )
    assert reply.json()["error"]["message"] == (
        "INVALID_CONTINUE_URI : Invalid parameter value for redirect_uri: fragment not allowed."
    )


def code(providers, provider: str, persona: str = "ada", **more) -> str:
    query = {
        "client_id": "web",
        "redirect_uri": "http://localhost:9/cb",
        "response_type": "code",
        "scope": "openid email profile",
    } | more
    address = f"{providers.address(provider, 'authorize')}?{urlencode(query)}"
    return providers.sign_in(persona, authorizationUrl=address)["fields"]["code"]


def test_a_code_is_redeemed_once(strict):
    text = code(strict, "google")
    answered = sign_in(
        strict, request_uri=f"http://localhost/?code={text}", providerId="google.com"
    )
    assert answered["email"] == "ada@example.com" and answered["oauthIdToken"].count(".") == 2
    assert answered["oauthAccessToken"].startswith("ya29.")
    refused = sign_in(strict, 400, providerId="google.com", code=text)
    assert "invalid_grant" in refused["error"]["message"]
    other = code(strict, "google")
    refused = sign_in(strict, 400, providerId="github.com", code=other)
    assert "The code is one of google" in refused["error"]["message"]


def auth_uri(providers, provider_id: str, **more) -> dict:
    reply = requests.post(
        f"{providers.auth}/identitytoolkit.googleapis.com/v1/accounts:createAuthUri?key=any",
        json={"providerId": provider_id, "continueUri": providers.auth + HANDLER, **more},
        timeout=30,
    )
    assert reply.status_code == 200, reply.text
    return reply.json()


def test_create_auth_uri_leads_to_the_providers_page_where_it_is_asked_for(strict):
    assert HANDLER in auth_uri(strict, "google.com")["authUri"]
    strict.switches(providerPages=True)
    made = auth_uri(strict, "google.com", customParameter={"prompt": "select_account"})
    address = urlsplit(made["authUri"])
    query = {name: values[0] for name, values in parse_qs(address.query).items()}
    assert address.path == "/idp/google/authorize"
    assert query["response_type"] == "code" and query["prompt"] == "select_account"
    assert query["client_id"] == "web" and query["redirect_uri"] == strict.auth + HANDLER


@pytest.mark.parametrize("provider_id", ["google.com", "github.com", "oidc.here"])
def test_the_whole_way_from_create_auth_uri_to_the_account(strict, browser, provider_id):
    strict.switches(providerPages=True)
    made = auth_uri(strict, provider_id)
    page = browser.get(made["authUri"], timeout=30)
    reply = browser.press(page, persona="ada")
    back = reply.headers["Location"]
    assert back.startswith(strict.auth + HANDLER)
    refused = sign_in(strict, 400, request_uri=back, sessionId="another")
    assert "sessionId" in refused["error"]["message"]
    answered = sign_in(strict, request_uri=back, sessionId=made["sessionId"])
    assert answered["providerId"] == provider_id and answered["email"] == "ada@example.com"
    assert answered["oauthAccessToken"] or provider_id == "oidc.here"


def test_apple_posts_its_answer_and_tells_the_name_once(providers, browser):
    providers.switches(providerPages=True)
    providers.put("/personas/zoe", {"email": "zoe@example.com", "displayName": "Zoe Hare"})
    names = []
    for _ in range(2):
        made = auth_uri(providers, "apple.com")
        page = browser.get(made["authUri"] + "&prompt=login", timeout=30)
        posted = browser.press(page, persona="zoe")
        assert posted.status_code == 200 and "document.getElementById" in posted.text
        final = browser.press(posted)
        assert 'data-provider-step="return"' in final.text
        fields = final.request.body
        names.append("user" in parse_qs(fields))
        answered = sign_in(
            providers,
            request_uri=providers.auth + HANDLER,
            sessionId=made["sessionId"],
            **{name: values[0] for name, values in parse_qs(fields).items()},
        )
        assert answered["providerId"] == "apple.com" and answered["email"] == "zoe@example.com"
        assert not names[-1] or answered["displayName"] == "Zoe Hare"
    assert names == [True, False]


def test_a_handler_that_is_opened_for_a_provider_goes_there(providers):
    providers.switches(providerPages=True)
    query = {
        "apiKey": "any",
        "providerId": "google.com",
        "appName": "[DEFAULT]",
        "authType": "signInViaPopup",
        "eventId": "1",
        "customParameters": json.dumps({"login_hint": "ada"}),
    }
    page = requests.get(providers.auth + HANDLER, params=query, timeout=30)
    assert 'data-provider-step="go"' in page.text
    assert "login_hint=ada" in page.text
    back = requests.get(providers.auth + HANDLER, params={"state": "s", "code": "c"}, timeout=30)
    assert 'data-provider-step="return"' in back.text


def test_somebody_who_denies_comes_back_with_a_refusal(providers, browser):
    providers.switches(providerPages=True)
    page = browser.get(auth_uri(providers, "google.com")["authUri"], timeout=30)
    assert answer(browser.press(page, persona="ken"))["error"] == "access_denied"


def test_a_persona_signs_in_with_one_call_and_an_ordinary_one(providers):
    made = providers.sign_in("ada", provider="google.com")
    answered = sign_in(providers, providerId=made["providerId"], id_token=made["idToken"])
    assert answered["displayName"] == "Ada Otter"
    refused = providers.sign_in("ken", 400, provider="google.com")
    assert "ken denies apps" in refused["error"]["message"]
    assert providers.sign_in("nobody", 404)["error"]["message"].endswith("no persona nobody")
