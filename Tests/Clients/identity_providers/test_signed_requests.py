"""OAuth 1.0a of X, with Authlib as the client, and twitter.com of Firebase."""

import json
import time
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from authlib.integrations.requests_client import OAuth1Auth, OAuth1Session
from identity_providers.conftest import BACK
from identity_providers.test_firebase import HANDLER, auth_uri, sign_in
from support.server import PROJECT

KEY, SECRET = "consumer key", "consumer secret&=%"


@pytest.fixture
def x(providers):
    """X with a registered client."""
    client = {"clientId": KEY, "clientSecret": SECRET, "redirectUris": [BACK]}
    providers.settings("x", clients=[client])
    yield providers
    providers.settings("x")


def client(**more) -> OAuth1Session:
    return OAuth1Session(KEY, **({"client_secret": SECRET, "redirect_uri": BACK} | more))


def where(providers, endpoint: str) -> str:
    return providers.address("x", endpoint)


def request_token(providers, session: OAuth1Session) -> dict:
    return session.fetch_request_token(where(providers, "oauth/request_token"))


def allowed(providers, session: OAuth1Session, persona: str = "ada") -> dict:
    """The tokens of somebody who has signed in without a browser."""
    token = request_token(providers, session)["oauth_token"]
    address = f"{where(providers, 'oauth/authenticate')}?oauth_token={token}"
    made = providers.sign_in(persona, authorizationUrl=address)
    session.parse_authorization_response(made["redirect"])
    return session.fetch_access_token(where(providers, "oauth/access_token"))


def error(reply: requests.Response) -> tuple[int, int]:
    return reply.status_code, reply.json()["errors"][0]["code"]


# MARK: The way of a client


@pytest.mark.parametrize("endpoint", ["oauth/authorize", "oauth/authenticate"])
def test_the_whole_way_with_a_browser(x, browser, endpoint):
    session = client()
    token = request_token(x, session)
    assert token["oauth_callback_confirmed"] == "true"
    page = browser.get(
        session.create_authorization_url(where(x, endpoint)), timeout=30, allow_redirects=False
    )
    assert "Ada Otter" in page.text and KEY in page.text
    reply = browser.press(page, persona="ada")
    back = reply.headers["Location"]
    assert back.startswith(f"{BACK}?oauth_token={token['oauth_token']}&oauth_verifier=")
    session.parse_authorization_response(back)
    made = session.fetch_access_token(where(x, "oauth/access_token"))
    assert made["screen_name"] == "ada" and made["oauth_token"].startswith(made["user_id"] + "-")
    user = session.get(where(x, "1.1/account/verify_credentials.json")).json()
    assert user["id_str"] == made["user_id"] and user["id"] == int(made["user_id"])
    assert user["screen_name"] == "ada" and "email" not in user
    # Parameters that are there twice, empty or not ASCII are part of what is signed.
    more = "include_email=true&b=2&a=%C3%A9+%20%2B&a=1&c="
    user = session.get(where(x, "1.1/account/verify_credentials.json") + "?" + more).json()
    assert user["email"] == "ada@example.com"


def test_authenticate_asks_once_and_authorize_each_time(x, browser):
    first = client()
    request_token(x, first)
    page = browser.get(first.create_authorization_url(where(x, "oauth/authenticate")), timeout=30)
    assert browser.press(page, persona="ada").status_code == 302
    asked = {}
    for name in ("oauth/authenticate", "oauth/authorize"):
        session = client()
        request_token(x, session)
        reply = browser.get(
            session.create_authorization_url(where(x, name)), timeout=30, allow_redirects=False
        )
        asked[name] = reply.status_code == 200
    assert asked == {"oauth/authenticate": False, "oauth/authorize": True}
    session = client()
    request_token(x, session)
    address = session.create_authorization_url(where(x, "oauth/authenticate"), force_login="true")
    assert browser.get(address, timeout=30, allow_redirects=False).status_code == 200


def test_who_refuses_comes_back_with_the_token_that_is_denied(x, browser):
    for persona in ("ken", ""):
        session = client()
        token = request_token(x, session)["oauth_token"]
        address = session.create_authorization_url(where(x, "oauth/authorize"))
        page = browser.get(address, timeout=30)
        assert browser.press(page, persona=persona).headers["Location"] == f"{BACK}?denied={token}"
        assert browser.get(address, timeout=30).status_code == 403
    session = client()
    request_token(x, session)
    address = session.create_authorization_url(where(x, "oauth/authorize"))
    page = browser.press(browser.get(address, timeout=30), persona="eve")
    assert page.status_code == 403 and "disabled" in page.text


def test_a_client_without_an_address_gets_a_number(x, browser):
    session = client(redirect_uri="oob")
    token = request_token(x, session)
    page = browser.get(session.create_authorization_url(where(x, "oauth/authorize")), timeout=30)
    shown = browser.press(page, persona="ada")
    number = shown.text.split('data-testid="notice">')[1].split("</p>")[0]
    number = "".join(character for character in number if character.isdigit())
    assert shown.status_code == 200 and len(number) == 7
    made = session.fetch_access_token(where(x, "oauth/access_token"), verifier=number)
    assert made["screen_name"] == "ada" and token["oauth_token"] != made["oauth_token"]


def test_consent_is_asked_for_where_it_is_wanted(x, browser):
    known = {"clientId": KEY, "clientSecret": SECRET, "redirectUris": []}
    x.settings("x", clients=[known], asksConsent=True)
    x.put("/personas/mia", {"email": "mia@example.com"})
    session = client()
    request_token(x, session)
    page = browser.get(session.create_authorization_url(where(x, "oauth/authorize")), timeout=30)
    consent = browser.press(page, persona="mia")
    assert consent.status_code == 200 and 'data-testid="allow"' in consent.text
    assert "denied=" in browser.press(consent, consent="no").headers["Location"]


# MARK: What is refused


def test_a_wrong_secret_is_refused_everywhere(x):
    made = allowed(x, client())
    good = {"token": made["oauth_token"], "token_secret": made["oauth_token_secret"]}
    user = where(x, "1.1/account/verify_credentials.json")
    assert client(**good).get(user).status_code == 200
    for bad in (good | {"client_secret": "another"}, good | {"token_secret": "another"}):
        assert error(client(**bad).get(user)) == (401, 32)
    assert error(client(token="1-unknown", token_secret="s").get(user)) == (401, 89)
    wrong = client(client_secret="another")
    reply = wrong.post(where(x, "oauth/request_token"))
    assert error(reply) == (401, 32)
    unknown = OAuth1Session("nobody", client_secret=SECRET, redirect_uri=BACK)
    assert error(unknown.post(where(x, "oauth/request_token"))) == (401, 32)


def test_what_was_changed_on_its_way_is_refused(x):
    made = allowed(x, client())
    session = client(token=made["oauth_token"], token_secret=made["oauth_token_secret"])
    user = where(x, "1.1/account/verify_credentials.json")
    prepared = requests.Request("GET", user, auth=session.auth).prepare()
    signed = prepared.url
    with requests.Session() as plain:
        prepared.url = signed + "?include_email=true"
        assert error(plain.send(prepared, timeout=30)) == (401, 32)
        prepared.url = signed
        assert plain.send(prepared, timeout=30).status_code == 200
        # A request counts once.
        assert error(plain.send(prepared, timeout=30)) == (401, 32)


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ({"timestamp": str(int(time.time()) - 3600)}, (401, 135)),
        ({"timestamp": str(int(time.time()) + 3600)}, (401, 135)),
        ({"timestamp": "soon"}, (401, 32)),
        ({"signature_method": "PLAINTEXT"}, (401, 32)),
    ],
)
def test_other_times_and_methods_are_refused(x, change, wanted):
    change = dict(change)
    stamp = change.pop("timestamp", None)
    auth = OAuth1Auth(KEY, SECRET, redirect_uri=BACK, **change)
    if stamp:
        auth.get_oauth_params = lambda nonce, timestamp: OAuth1Auth.get_oauth_params(
            auth, nonce, stamp
        )
    reply = requests.post(where(x, "oauth/request_token"), auth=auth, timeout=30)
    assert error(reply) == wanted


def test_a_request_without_a_signature_says_nothing(x):
    assert error(requests.post(where(x, "oauth/request_token"), timeout=30)) == (400, 215)
    user = where(x, "1.1/account/verify_credentials.json")
    assert error(requests.get(user, timeout=30)) == (400, 215)
    made = allowed(x, client())
    bearer = {"Authorization": f"Bearer {made['oauth_token']}"}
    assert requests.get(where(x, "me"), headers=bearer, timeout=30).status_code == 401


@pytest.mark.parametrize("address", ["http://localhost:9/another", "javascript:alert(1)", "", None])
def test_callbacks_that_are_not_the_clients_are_refused(x, address):
    reply = client(redirect_uri=address).post(where(x, "oauth/request_token"))
    assert error(reply) == (403, 415)


def test_a_token_counts_once_and_for_its_verifier(x):
    session = client()
    token = request_token(x, session)["oauth_token"]
    access = where(x, "oauth/access_token")
    # Nobody has allowed it yet.
    session.auth.verifier = "v"
    assert error(session.post(access)) == (401, 89)
    address = f"{where(x, 'oauth/authorize')}?oauth_token={token}"
    verifier = x.sign_in("ada", authorizationUrl=address)["fields"]["oauth_verifier"]
    x.sign_in("ada", 400, authorizationUrl=address)
    assert error(session.post(access)) == (401, 89)
    session.auth.verifier = verifier
    assert session.post(access).status_code == 200
    assert error(session.post(access)) == (401, 89)


def test_other_providers_have_none_of_it(x):
    for provider in ("google", "oidc", "saml"):
        reply = requests.post(x.address(provider, "oauth/request_token"), timeout=30)
        assert reply.status_code == 404, reply.text


def test_a_provider_that_is_down_says_so(x):
    x.settings("x", fault="temporarilyUnavailable")
    assert error(client().post(where(x, "oauth/request_token"))) == (503, 130)
    x.settings("x", fault="consentRefused")
    session = client()
    token = request_token(x, session)["oauth_token"]
    address = f"{where(x, 'oauth/authorize')}?oauth_token={token}"
    assert x.sign_in("ada", authorizationUrl=address)["fields"] == {"denied": token}


# MARK: Firebase


@pytest.fixture
def twitter(x):
    requests.post(
        f"{x.auth}/identitytoolkit.googleapis.com/v2/projects/{PROJECT}"
        "/defaultSupportedIdpConfigs?idpId=twitter.com",
        json={"clientId": KEY, "clientSecret": SECRET, "enabled": True},
        headers={"Authorization": "Bearer owner"},
        timeout=30,
    )
    x.switches(strictProviders=True)
    yield x
    x.switches(strictProviders=False, providerPages=False)


def test_firebase_takes_the_token_with_its_secret(twitter):
    made = allowed(twitter, client())
    fields = {
        "providerId": "twitter.com",
        "access_token": made["oauth_token"],
        "oauth_token_secret": made["oauth_token_secret"],
    }
    answered = sign_in(twitter, **fields)
    assert (answered["screenName"], answered["displayName"]) == ("ada", "Ada Otter")
    assert answered["federatedId"] == f"http://twitter.com/{made['user_id']}"
    assert answered["oauthTokenSecret"] == made["oauth_token_secret"]
    assert answered["oauthAccessToken"] == made["oauth_token"]
    raw = json.loads(answered["rawUserInfo"])
    assert (raw["id_str"], raw["screen_name"]) == (made["user_id"], "ada")
    refused = sign_in(twitter, 400, **(fields | {"oauth_token_secret": "another"}))
    assert refused["error"]["message"].startswith("INVALID_IDP_RESPONSE")
    assert "twitter.com/1.1/account/verify_credentials.json" in refused["error"]["message"]
    fields.pop("oauth_token_secret")
    refused = sign_in(twitter, 400, **fields)
    assert refused["error"]["message"].startswith("INVALID_CREDENTIAL_OR_PROVIDER_ID")


def test_the_whole_way_from_create_auth_uri(twitter, browser):
    twitter.switches(providerPages=True)
    made = auth_uri(twitter, "twitter.com", customParameter={"lang": "de"})
    address = urlsplit(made["authUri"])
    assert address.path == "/idp/x/oauth/authenticate"
    assert list(parse_qs(address.query)) == ["oauth_token", "lang"]
    reply = browser.press(browser.get(made["authUri"], timeout=30), persona="ada")
    back = reply.headers["Location"]
    assert back.startswith(twitter.auth + HANDLER + "?state=") and "&oauth_verifier=" in back
    assert 'data-provider-step="return"' in requests.get(back, timeout=30).text
    refused = sign_in(twitter, 400, request_uri=back, sessionId="another")
    assert "sessionId" in refused["error"]["message"]
    refused = sign_in(twitter, 400, request_uri=back[:-1], sessionId=made["sessionId"])
    assert "the verifier is wrong" in refused["error"]["message"]
    answered = sign_in(twitter, request_uri=back, sessionId=made["sessionId"])
    assert answered["providerId"] == "twitter.com" and answered["screenName"] == "ada"
    assert answered["oauthAccessToken"] and answered["oauthTokenSecret"]


def test_a_persona_gets_a_secret_too(twitter):
    made = twitter.sign_in("ada", provider="twitter.com")
    answered = sign_in(
        twitter,
        providerId="twitter.com",
        access_token=made["accessToken"],
        oauth_token_secret=made["tokenSecret"],
    )
    assert answered["screenName"] == "ada"


def test_everybody_is_a_client_where_none_is_registered(x):
    x.settings("x")
    made = allowed(x, OAuth1Session("anybody", client_secret="any", redirect_uri=BACK))
    assert made["screen_name"] == "ada"
