"""The cases of OpenID's conformance suite for its basic profile, each with its public name.

https://gitlab.com/openid/conformance-suite has them as oidcc-basic-certification-test-plan. The guide
on identity providers lists them with what came of each.
"""

import pathlib
import re
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import requests
from identity_providers.conftest import BACK, Browser, Providers, answer
from joserfc import jwt
from joserfc.jwk import KeySet
from support.server import ROOT

CASES = {}


def case(name: str):
    """The test of one case."""

    def note(test):
        CASES[name] = test.__name__
        return test

    return note


class Party:
    """A relying party that is registered, with a browser."""

    client, secret = "basic", "s3cret"

    def __init__(self, providers: Providers, browser: Browser):
        self.providers = providers
        self.browser = browser
        self.document = self.get(".well-known/openid-configuration")
        self.registered()

    def registered(self, **more) -> None:
        ours = {"clientId": self.client, "clientSecret": self.secret, "redirectUris": [BACK]}
        self.providers.settings("oidc", clients=[ours], **more)

    def get(self, endpoint: str) -> dict:
        reply = requests.get(self.providers.address("oidc", endpoint), timeout=30)
        assert reply.status_code == 200, reply.text
        return reply.json()

    def query(self, **more: str | None) -> dict:
        query = {
            "client_id": self.client,
            "redirect_uri": BACK,
            "response_type": "code",
            "scope": "openid",
            "state": "a state",
            "nonce": "n-1",
        } | more
        return {name: value for name, value in query.items() if value is not None}

    def ask(self, method: str = "GET", **more: str | None) -> requests.Response:
        where = self.document["authorization_endpoint"]
        place = "params" if method == "GET" else "data"
        return self.browser.request(
            method, where, **{place: self.query(**more)}, allow_redirects=False, timeout=30
        )

    def code(self, method: str = "GET", **more: str | None) -> str:
        """Of somebody who has to sign in."""
        page = self.ask(method, **more)
        assert page.status_code == 200 and 'data-testid="personas"' in page.text, page.text
        fields = answer(self.browser.press(page, persona="ada"))
        assert fields["state"] == "a state" and fields["iss"] == self.document["issuer"]
        return fields["code"]

    def silent_code(self, **more: str | None) -> str:
        """Of somebody who is signed in."""
        return answer(self.ask(**more))["code"]

    def redeemed(self, code: str, posts_secret: bool = False, **more: str) -> requests.Response:
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": BACK} | more
        auth = None if posts_secret else (self.client, self.secret)
        if posts_secret:
            form |= {"client_id": self.client, "client_secret": self.secret}
        return requests.post(self.document["token_endpoint"], data=form, auth=auth, timeout=30)

    def tokens(self, code: str, posts_secret: bool = False, **more: str) -> dict:
        reply = self.redeemed(code, posts_secret, **more)
        assert reply.status_code == 200, reply.text
        assert reply.headers["Cache-Control"] == "no-store"
        assert reply.json()["token_type"] == "Bearer"
        return reply.json()

    def claims(self, token: str) -> dict:
        """Those of a token that a published key has signed."""
        keys = requests.get(self.document["jwks_uri"], timeout=30).json()
        claims = jwt.decode(token, KeySet.import_key_set(keys)).claims
        assert claims["iss"] == self.document["issuer"] and claims["aud"] == self.client
        assert claims["sub"] and claims["iat"] < claims["exp"]
        return claims

    def user_info(self, token: str, method: str = "GET", **more) -> dict:
        headers = {"Authorization": f"Bearer {token}"}
        where = self.document["userinfo_endpoint"]
        reply = requests.request(method, where, timeout=30, **{"headers": headers} | more)
        assert reply.status_code == 200, reply.text
        return reply.json()

    def signed_in(self, **more: str | None) -> dict:
        return self.tokens(self.code(**more))

    def advance(self, time: str) -> None:
        where = f"{self.providers.control}/clock"
        assert requests.patch(where, json={"advance": time}, timeout=30).status_code == 200


@pytest.fixture
def party(providers, browser) -> Party:
    return Party(providers, browser)


# MARK: Tokens


@case("oidcc-server")
def test_a_code_becomes_tokens(party):
    made = party.signed_in()
    claims = party.claims(made["id_token"])
    assert claims["nonce"] == "n-1" and claims["at_hash"]
    assert made["expires_in"] == 3600


@case("oidcc-server-client-secret-post")
def test_the_secret_may_be_in_the_form(party):
    assert party.claims(party.tokens(party.code(), posts_secret=True)["id_token"])
    assert "client_secret_post" in party.document["token_endpoint_auth_methods_supported"]
    form = {"client_id": party.client, "client_secret": "other", "grant_type": "refresh_token"}
    reply = requests.post(party.document["token_endpoint"], data=form, timeout=30)
    assert (reply.status_code, reply.json()["error"]) == (401, "invalid_client")


@case("oidcc-response-type-missing")
def test_the_response_type_is_needed(party):
    assert answer(party.ask(response_type=None))["error"] == "invalid_request"


@case("oidcc-idtoken-signature")
def test_a_token_names_its_key(party):
    header = jwt.decode(
        party.signed_in()["id_token"], KeySet.import_key_set(party.get("jwks"))
    ).header
    known = [key["kid"] for key in party.get("jwks")["keys"]]
    assert header["alg"] == "RS256" and header["kid"] in known and len(set(known)) == len(known)


@case("oidcc-idtoken-unsigned")
def test_tokens_without_a_signature_are_not_offered(party):
    assert "none" not in party.document["id_token_signing_alg_values_supported"]


@case("oidcc-ensure-request-without-nonce-succeeds-for-code-flow")
def test_a_code_needs_no_nonce(party):
    assert "nonce" not in party.claims(party.signed_in(nonce=None)["id_token"])


@case("oidcc-refresh-token")
def test_a_refresh_token_gives_a_token_of_the_same_person(party):
    first = party.signed_in(scope="openid offline_access")
    form = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}
    auth = (party.client, party.secret)
    where = party.document["token_endpoint"]
    reply = requests.post(where, data=form, auth=auth, timeout=30)
    old, new = (party.claims(each["id_token"]) for each in (first, reply.json()))
    assert (old["sub"], old["auth_time"]) == (new["sub"], new["auth_time"])
    other = [{"clientId": "second", "clientSecret": "s"}, {"clientId": party.client}]
    party.providers.settings("oidc", clients=other)
    stolen = {**form, "refresh_token": reply.json()["refresh_token"]}
    reply = requests.post(where, data=stolen, auth=("second", "s"), timeout=30)
    assert reply.json()["error"] == "invalid_grant"


@case("oidcc-ensure-request-with-valid-pkce-succeeds")
def test_proof_keys_are_taken(party):
    challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"  # of RFC 7636
    code = party.code(code_challenge=challenge, code_challenge_method="S256")
    assert party.tokens(code, code_verifier="dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")


@case("oidcc-codereuse")
def test_a_code_counts_once(party):
    code = party.code()
    party.tokens(code)
    assert party.redeemed(code).json()["error"] == "invalid_grant"


@case("oidcc-codereuse-30seconds")
def test_a_code_counts_no_more_after_a_while_and_takes_its_tokens_with_it(party):
    code = party.code()
    made = party.tokens(code)
    party.advance("30s")
    reply = party.redeemed(code)
    assert (reply.status_code, reply.json()["error"]) == (400, "invalid_grant")
    headers = {"Authorization": f"Bearer {made['access_token']}"}
    reply = requests.get(party.document["userinfo_endpoint"], headers=headers, timeout=30)
    assert reply.status_code == 401 and "invalid_token" in reply.headers["WWW-Authenticate"]


# MARK: Claims


@case("oidcc-userinfo-get")
def test_who_it_is(party):
    made = party.signed_in()
    assert party.user_info(made["access_token"])["sub"] == party.claims(made["id_token"])["sub"]


@case("oidcc-userinfo-post-header")
def test_who_it_is_by_post(party):
    assert party.user_info(party.signed_in()["access_token"], "POST")["sub"]


@case("oidcc-userinfo-post-body")
def test_who_it_is_with_the_token_in_the_body(party):
    token = party.signed_in()["access_token"]
    assert party.user_info("", "POST", headers={}, data={"access_token": token})["sub"]


@case("oidcc-scope-profile")
def test_the_scope_profile(party):
    found = party.user_info(party.signed_in(scope="openid profile")["access_token"])
    assert (found["name"], found["given_name"], found["family_name"]) == (
        *("Ada Otter", "Ada", "Otter"),
    )
    assert "email" not in found


@case("oidcc-scope-email")
def test_the_scope_email(party):
    found = party.user_info(party.signed_in(scope="openid email")["access_token"])
    assert (found["email"], found["email_verified"]) == ("ada@example.com", True)
    assert "name" not in found


@pytest.mark.parametrize(
    "scope",
    [
        pytest.param("address", id="oidcc-scope-address"),
        pytest.param("phone", id="oidcc-scope-phone"),
        pytest.param("profile email address phone", id="oidcc-scope-all"),
    ],
)
@case("oidcc-scope-address")
@case("oidcc-scope-phone")
@case("oidcc-scope-all")
def test_scopes_that_are_not_offered_do_no_harm(party, scope):
    made = party.signed_in(scope=f"openid {scope}")
    assert not {"address", "phone"} & set(party.document["scopes_supported"])
    assert ("email" in party.user_info(made["access_token"])) == ("email" in scope)


@case("oidcc-ensure-other-scope-order-succeeds")
def test_the_order_of_scopes_does_not_count(party):
    assert party.claims(party.signed_in(scope="email openid")["id_token"])["email"]


@case("oidcc-claims-essential")
def test_claims_that_are_asked_for_do_no_harm(party):
    asked = party.signed_in(claims='{"userinfo": {"name": {"essential": true}}}')
    assert party.claims(asked["id_token"])
    assert party.document["claims_parameter_supported"] is False


# MARK: Requests


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"display": "page"}, id="oidcc-display-page"),
        pytest.param({"display": "popup"}, id="oidcc-display-popup"),
        pytest.param({"ui_locales": "se"}, id="oidcc-ui-locales"),
        pytest.param({"claims_locales": "se"}, id="oidcc-claims-locales"),
        pytest.param({"acr_values": "1 2"}, id="oidcc-ensure-request-with-acr-values-succeeds"),
        pytest.param(
            {"extra": "foobar"}, id="oidcc-ensure-request-with-unknown-parameter-succeeds"
        ),
        pytest.param({"login_hint": "buffy@example.com"}, id="oidcc-login-hint"),
    ],
)
@case("oidcc-display-page")
@case("oidcc-display-popup")
@case("oidcc-ui-locales")
@case("oidcc-claims-locales")
@case("oidcc-ensure-request-with-acr-values-succeeds")
@case("oidcc-ensure-request-with-unknown-parameter-succeeds")
@case("oidcc-login-hint")
def test_what_a_request_may_have_besides(party, more):
    assert party.claims(party.signed_in(**more)["id_token"])


@case("oidcc-ensure-post-request-succeeds")
def test_a_request_may_be_a_form(party):
    assert party.claims(party.tokens(party.code("POST"))["id_token"])


@case("oidcc-ensure-registered-redirect-uri")
def test_answers_go_to_registered_addresses_only(party):
    for other in (BACK + "/other", BACK + "?a=b", "https://evil.example/"):
        reply = party.ask(redirect_uri=other)
        assert reply.status_code == 400 and "Location" not in reply.headers


@pytest.mark.parametrize(
    ("more", "error"),
    [
        pytest.param(
            {"request": "eyJhbGciOiJub25lIn0.e30."},
            "request_not_supported",
            id="oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported",
        ),
        pytest.param(
            {"request": "eyJhbGciOiJub25lIn0.eyJyZWRpcmVjdF91cmkiOiJodHRwczovL2EuYi8ifQ."},
            "request_not_supported",
            id="oidcc-ensure-request-object-with-redirect-uri",
        ),
        pytest.param(
            {"request_uri": "https://app.example/request.jwt"},
            "request_uri_not_supported",
            id="oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported",
        ),
    ],
)
@case("oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported")
@case("oidcc-ensure-request-object-with-redirect-uri")
@case("oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported")
def test_request_objects_are_refused_as_not_supported(party, more, error):
    fields = answer(party.ask(**more))
    assert (fields["error"], fields["state"]) == (error, "a state")
    assert party.document["request_parameter_supported"] is False
    assert party.document["request_uri_parameter_supported"] is False


# MARK: Sessions


@case("oidcc-prompt-login")
def test_a_login_may_be_asked_for(party):
    first = party.claims(party.signed_in()["id_token"])
    party.advance("2s")
    again = party.claims(party.signed_in(prompt="login")["id_token"])
    assert again["auth_time"] > first["auth_time"]


@case("oidcc-prompt-none-not-logged-in")
def test_nobody_is_signed_in(party):
    assert answer(party.ask(prompt="none"))["error"] == "login_required"


@case("oidcc-prompt-none-logged-in")
def test_somebody_is_signed_in(party):
    first = party.claims(party.signed_in()["id_token"])
    again = party.claims(party.tokens(party.silent_code(prompt="none"))["id_token"])
    assert (first["sub"], first["auth_time"]) == (again["sub"], again["auth_time"])


@case("oidcc-max-age-1")
def test_a_login_may_be_too_old(party):
    first = party.claims(party.signed_in()["id_token"])
    party.advance("2s")
    again = party.claims(party.signed_in(max_age="1")["id_token"])
    assert again["auth_time"] > first["auth_time"]


@case("oidcc-max-age-10000")
def test_a_login_may_be_young_enough(party):
    first = party.claims(party.signed_in()["id_token"])
    party.advance("2s")
    again = party.claims(party.tokens(party.silent_code(max_age="10000"))["id_token"])
    assert again["auth_time"] == first["auth_time"]


@case("oidcc-id-token-hint")
def test_a_token_says_who_is_meant(party):
    first = party.signed_in()["id_token"]
    code = party.silent_code(prompt="none", id_token_hint=first)
    assert party.claims(party.tokens(code)["id_token"])["sub"] == party.claims(first)["sub"]
    party.providers.put("/personas/bob", {"email": "bob@example.com"})
    address = f"{party.document['authorization_endpoint']}?{urlencode(party.query())}"
    made = party.providers.sign_in("bob", authorizationUrl=address)
    other = party.tokens(parse_qs(urlsplit(made["redirect"]).query)["code"][0])["id_token"]
    refused = answer(party.ask(prompt="none", id_token_hint=other))
    assert refused["error"] == "login_required"


# MARK: The list


def test_the_guide_lists_each_case():
    guide = pathlib.Path(ROOT / "Sources/hearth/Hearth.docc/IdentityProviders.md").read_text()
    rows = re.findall(r"^\| `(oidcc-[\w-]+)` \| (.*) \|$", guide, re.M)
    assert [name for name, _ in rows] == sorted(CASES)
    assert all(said == "passes" or said.startswith("does not apply: ") for _, said in rows)
