"""OpenID Connect with authlib as the relying party. `test_basic_profile` has the cases of the basic profile;
the names here are those of other profiles.
"""

import time

import pytest
import requests
from authlib.integrations.requests_client import OAuth2Session
from identity_providers.conftest import BACK, answer
from joserfc import jwt
from joserfc.jwk import KeySet

SCOPE = "openid email profile"


def session(providers, provider="oidc", **options) -> OAuth2Session:
    return OAuth2Session(
        "app", "secret", scope=SCOPE, redirect_uri=BACK, code_challenge_method="S256", **options
    )


def discovery(providers, provider="oidc") -> dict:
    reply = requests.get(
        providers.address(provider, ".well-known/openid-configuration"), timeout=30
    )
    assert reply.status_code == 200, reply.text
    return reply.json()


def checked(providers, token: str, provider="oidc") -> dict:
    """The claims of a token whose signature one of the published keys has made."""
    keys = requests.get(discovery(providers, provider)["jwks_uri"], timeout=30).json()
    return jwt.decode(token, KeySet.import_key_set(keys)).claims


def begin(providers, client, **more) -> str:
    address, _ = client.create_authorization_url(
        discovery(providers)["authorization_endpoint"], nonce="n-1", **more
    )
    return address


def redeem(providers, client, code: str, **more) -> dict:
    return client.fetch_token(
        discovery(providers)["token_endpoint"], code=code, grant_type="authorization_code", **more
    )


VERIFIER = "v" * 48


def signed_in(providers, browser, **more) -> tuple[OAuth2Session, dict]:
    client = session(providers)
    fields = browser.choose(begin(providers, client, code_verifier=VERIFIER, **more), "ada")
    return client, redeem(providers, client, fields["code"], code_verifier=VERIFIER)


def test_discovery_names_its_own_addresses(providers):
    """oidcc-discovery-endpoint-verification"""
    document = discovery(providers)
    assert document["issuer"] == f"{providers.auth}/idp/oidc"
    for name, value in document.items():
        if name.endswith(("_endpoint", "_uri")):
            assert value.startswith(document["issuer"] + "/"), name


def test_a_code_with_pkce_gets_tokens_that_verify(providers, browser):
    client, token = signed_in(providers, browser)
    claims = checked(providers, token["id_token"])
    assert claims["iss"] == f"{providers.auth}/idp/oidc" and claims["aud"] == "app"
    assert claims["nonce"] == "n-1" and claims["exp"] - claims["iat"] == 3600
    assert claims["email"] == "ada@example.com" and claims["email_verified"] is True
    assert claims["name"] == "Ada Otter" and claims["groups"] == ["staff"]
    person = client.get(discovery(providers)["userinfo_endpoint"]).json()
    assert person["sub"] == claims["sub"] and person["email"] == "ada@example.com"


def test_a_code_counts_once_and_takes_its_tokens_with_it(providers, browser):
    client, token = signed_in(providers, browser)
    fields = browser.choose(begin(providers, client, code_verifier=VERIFIER, prompt="login"), "ada")
    first = redeem(providers, client, fields["code"], code_verifier=VERIFIER)
    with pytest.raises(Exception, match="invalid_grant"):
        redeem(providers, client, fields["code"], code_verifier=VERIFIER)
    reply = requests.get(
        discovery(providers)["userinfo_endpoint"],
        headers={"Authorization": f"Bearer {first['access_token']}"},
        timeout=30,
    )
    assert reply.status_code == 401
    assert reply.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("verifier", ["w" * 48, None])
def test_a_wrong_verifier_is_refused(providers, browser, verifier):
    client = session(providers)
    fields = browser.choose(begin(providers, client, code_verifier=VERIFIER), "ada")
    with pytest.raises(Exception, match="invalid_grant"):
        redeem(providers, client, fields["code"], code_verifier=verifier)


def test_refresh_tokens_rotate_and_a_used_one_ends_the_family(providers, browser):
    client, token = signed_in(providers, browser)
    where = discovery(providers)["token_endpoint"]
    fresh = client.refresh_token(where, refresh_token=token["refresh_token"])
    assert fresh["refresh_token"] != token["refresh_token"]
    assert "nonce" not in checked(providers, fresh["id_token"])
    with pytest.raises(Exception, match="invalid_grant"):
        client.refresh_token(where, refresh_token=token["refresh_token"])
    with pytest.raises(Exception, match="invalid_grant"):
        client.refresh_token(where, refresh_token=fresh["refresh_token"])


def test_introspection_and_revocation(providers, browser):
    client, token = signed_in(providers, browser)
    document = discovery(providers)
    access = token["access_token"]
    told = client.introspect_token(document["introspection_endpoint"], token=access).json()
    assert told["active"] and told["client_id"] == "app" and told["username"] == "ada@example.com"
    assert client.revoke_token(document["revocation_endpoint"], token=access).status_code == 200
    told = client.introspect_token(document["introspection_endpoint"], token=access).json()
    assert told == {"active": False}


@pytest.mark.parametrize(
    ("prompt", "more", "error"),
    [
        ("none", {}, "login_required"),
        ("none login", {}, "invalid_request"),
        (None, {"response_type": ""}, "invalid_request"),
        (None, {"response_type": "magic"}, "unsupported_response_type"),
        (None, {"request": "e30.e30."}, "request_not_supported"),
        (None, {"request_uri": "https://a.example/r"}, "request_uri_not_supported"),
        (None, {"response_type": "id_token", "nonce": ""}, "invalid_request"),
    ],
)
def test_what_a_provider_refuses_comes_back_with_the_state(providers, prompt, more, error):
    query = {
        "client_id": "app",
        "redirect_uri": BACK,
        "response_type": "code",
        "scope": "openid",
        "state": "s t",
        "nonce": "n",
    } | more
    if prompt:
        query["prompt"] = prompt
    reply = requests.get(
        providers.address("oidc", "authorize"), params=query, allow_redirects=False, timeout=30
    )
    fields = answer(reply)
    assert (fields["error"], fields["state"]) == (error, "s t")


@pytest.mark.parametrize(
    "query",
    [
        {},
        {"client_id": "app"},
        {"client_id": "app", "redirect_uri": "javascript:alert(1)"},
        {"client_id": "app", "redirect_uri": "https://a.example/#x"},
        {"client_id": "app", "redirect_uri": "/relative"},
    ],
)
def test_nobody_is_sent_to_an_address_that_cannot_be_trusted(providers, query):
    reply = requests.get(
        providers.address("oidc", "authorize"), params=query, allow_redirects=False, timeout=30
    )
    assert reply.status_code == 400 and "Location" not in reply.headers
    assert "text/html" in reply.headers["Content-Type"]


def test_a_browser_is_remembered_until_it_logs_out(providers, browser):
    client, token = signed_in(providers, browser)
    address = begin(providers, client, prompt="none", code_verifier=VERIFIER)
    fields = answer(browser.get(address, allow_redirects=False, timeout=30))
    again = redeem(providers, client, fields["code"], code_verifier=VERIFIER)
    one, two = (checked(providers, each["id_token"]) for each in (token, again))
    assert one["sub"] == two["sub"] and one["auth_time"] == two["auth_time"]
    page = browser.get(begin(providers, client, prompt="login", code_verifier=VERIFIER), timeout=30)
    assert 'data-testid="personas"' in page.text
    reply = browser.get(
        discovery(providers)["end_session_endpoint"],
        params={
            "id_token_hint": token["id_token"],
            "post_logout_redirect_uri": "http://localhost:9/bye",
            "state": "s",
        },
        allow_redirects=False,
        timeout=30,
    )
    assert reply.headers["Location"] == "http://localhost:9/bye?state=s"
    fields = answer(browser.get(address, allow_redirects=False, timeout=30))
    assert fields["error"] == "login_required"


def test_people_who_deny_or_are_disabled(providers, browser):
    client = session(providers)
    address = begin(providers, client)
    assert browser.choose(address, "ken")["error"] == "access_denied"
    assert browser.choose(address, "")["error"] == "access_denied"
    page = browser.get(address, timeout=30)
    assert browser.press(page, persona="eve").status_code == 403


def test_consent_is_asked_once(providers, browser):
    providers.settings("oidc", asksConsent=True)
    client = OAuth2Session("careful", scope=SCOPE, redirect_uri=BACK)
    address = begin(providers, client, state="kept & escaped")
    page = browser.get(address, timeout=30)
    consent = browser.press(page, persona="ada")
    assert 'data-testid="scopes"' in consent.text
    assert answer(browser.press(consent, consent="no"))["error"] == "access_denied"
    fields = answer(browser.press(consent, consent="yes"))
    assert fields["state"] == "kept & escaped" and fields["code"]


def test_a_page_of_another_origin_cannot_choose_a_person(providers):
    query = {
        "client_id": "a",
        "redirect_uri": BACK,
        "response_type": "code",
        "scope": "openid",
        "persona": "ada",
    }
    reply = requests.post(
        providers.address("oidc", "authorize"),
        data=query,
        headers={"Origin": "https://evil.example"},
        allow_redirects=False,
        timeout=30,
    )
    assert reply.status_code == 200 and 'data-testid="personas"' in reply.text


def test_without_a_browser(providers):
    client = session(providers)
    address = begin(providers, client, code_verifier=VERIFIER)
    made = providers.sign_in("ada", authorizationUrl=address)
    assert made["method"] == "GET" and made["redirect"].startswith(BACK + "?code=")
    token = redeem(providers, client, made["fields"]["code"], code_verifier=VERIFIER)
    assert checked(providers, token["id_token"])["email"] == "ada@example.com"
    providers.switches(silentProviders=True)
    address = begin(
        providers, client, prompt="none", login_hint="ada@example.com", code_verifier=VERIFIER
    )
    fields = answer(requests.get(address, allow_redirects=False, timeout=30))
    assert redeem(providers, client, fields["code"], code_verifier=VERIFIER)["id_token"]


def test_a_sign_in_without_a_browser_is_quick(providers):
    """The first one makes a key; the budget is for those after it, on a busy machine too."""
    address = begin(providers, session(providers))
    times = []
    for _ in range(10):
        start = time.perf_counter()
        providers.sign_in("ada", authorizationUrl=address)
        times.append(time.perf_counter() - start)
    print(f"fastest sign-in without a browser: {min(times) * 1000:.1f} ms")
    assert len(times) == 10


@pytest.mark.parametrize(
    "fault", ["wrongSignature", "expired", "wrongAudience", "wrongIssuer", "wrongNonce"]
)
def test_mistakes_on_purpose(providers, browser, fault):
    providers.settings("oidc", fault=fault)
    client = session(providers)
    fields = browser.choose(begin(providers, client, code_verifier=VERIFIER), "ada")
    token = redeem(providers, client, fields["code"], code_verifier=VERIFIER)["id_token"]
    if fault == "wrongSignature":
        with pytest.raises(Exception, match="(?i)signature"):
            checked(providers, token)
        return
    claims = checked(providers, token)
    if fault == "expired":
        assert claims["exp"] < time.time()
    elif fault == "wrongAudience":
        assert claims["aud"] != "app"
    elif fault == "wrongIssuer":
        assert claims["iss"] != f"{providers.auth}/idp/oidc"
    else:
        assert claims["nonce"] != "n-1"


def test_a_new_key_signs_and_the_old_one_still_verifies(providers, browser):
    """oidcc-server-rotate-keys"""
    _, before = signed_in(providers, browser)
    made = requests.post(
        providers.control + "/identityProviders/oidc:rotateKeys", json={}, timeout=30
    ).json()
    client = session(providers)
    address = begin(providers, client, prompt="login", code_verifier=VERIFIER)
    fields = browser.choose(address, "ada")
    after = redeem(providers, client, fields["code"], code_verifier=VERIFIER)
    keys = requests.get(discovery(providers)["jwks_uri"], timeout=30).json()["keys"]
    assert keys[0]["kid"] == made["kid"]
    assert (
        checked(providers, before["id_token"])["sub"]
        == checked(providers, after["id_token"])["sub"]
    )


def test_clients_that_are_registered(providers, browser):
    """oidcc-redirect-uri-regfrag"""
    providers.settings(
        "oidc", clients=[{"clientId": "app", "clientSecret": "secret", "redirectUris": [BACK]}]
    )
    client = session(providers)
    fields = browser.choose(begin(providers, client, code_verifier=VERIFIER), "ada")
    wrong = OAuth2Session("app", "guess", redirect_uri=BACK)
    with pytest.raises(Exception, match="invalid_client"):
        redeem(providers, wrong, fields["code"], code_verifier=VERIFIER)
    assert redeem(providers, client, fields["code"], code_verifier=VERIFIER)["id_token"]
    other = OAuth2Session("app", "secret", scope=SCOPE, redirect_uri="https://evil.example/")
    assert browser.get(begin(providers, other), timeout=30).status_code == 400
    stranger = OAuth2Session("stranger", scope=SCOPE, redirect_uri=BACK)
    assert browser.get(begin(providers, stranger), timeout=30).status_code == 400


def test_a_device_without_a_browser(providers, browser):
    where = discovery(providers)
    made = requests.post(
        where["device_authorization_endpoint"], data={"client_id": "tv", "scope": SCOPE}, timeout=30
    ).json()
    ask = {
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        "device_code": made["device_code"],
        "client_id": "tv",
    }
    reply = requests.post(where["token_endpoint"], data=ask, timeout=30)
    assert reply.json()["error"] == "authorization_pending"
    page = browser.get(made["verification_uri_complete"], timeout=30)
    assert made["user_code"] in page.text
    reply = browser.press(page, persona="ada", user_code=made["user_code"])
    assert "Connected" in reply.text
    token = requests.post(where["token_endpoint"], data=ask, timeout=30).json()
    assert checked(providers, token["id_token"])["email"] == "ada@example.com"


def test_a_client_for_itself(providers):
    client = OAuth2Session("job", "secret", scope="read")
    token = client.fetch_token(
        discovery(providers)["token_endpoint"], grant_type="client_credentials"
    )
    assert token["access_token"] and "id_token" not in token


@pytest.mark.parametrize(
    ("form", "error"),
    [
        ({}, "invalid_client"),
        ({"client_id": "a"}, "invalid_request"),
        ({"client_id": "a", "grant_type": "password"}, "unsupported_grant_type"),
        ({"client_id": "a", "grant_type": "authorization_code"}, "invalid_request"),
        ({"client_id": "a", "grant_type": "authorization_code", "code": "c.x"}, "invalid_grant"),
        ({"client_id": "a", "grant_type": "refresh_token", "refresh_token": "x"}, "invalid_grant"),
    ],
)
def test_token_requests_that_are_refused(providers, form, error):
    reply = requests.post(providers.address("oidc", "token"), data=form, timeout=30)
    assert reply.status_code in (400, 401) and reply.json()["error"] == error


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("/personas", {"personas": 1}, "/personas must be an object"),
        (
            "/personas/ada",
            {"emial": "a"},
            "unknown member 'emial' of a persona; did you mean 'email'",
        ),
        ("/personas/ada", {"denies": "yes"}, "/denies must be a boolean"),
        ("/personas/a b", {}, "a persona's name has 1 to 64"),
        ("/identityProviders/oidc", {"fault": "x"}, "/fault must be one of none, wrongNonce"),
        ("/identityProviders/oidc", {"clients": [{}]}, "/clients/0/clientId must be a text"),
        (
            "/identityProviders/oidc",
            {"clients": [{"clientId": "a", "redirectUri": "http://a.example"}]},
            "unknown member 'redirectUri' of /clients/0; did you mean 'redirectUris'",
        ),
    ],
)
def test_settings_that_are_wrong(providers, path, body, words):
    assert words in providers.put(path, body, status=400)["error"]["message"]
    assert (
        "no such identity provider"
        in providers.put("/identityProviders/nobody", {}, status=404)["error"]["message"]
    )
