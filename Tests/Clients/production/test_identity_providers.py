"""Sign-in at configured providers: what production checks of their tokens, and SAML's answers."""

import hashlib
import json
import time
from urllib.parse import quote

import pytest

from support.auth.production import Production, claims, rs256
from support.auth.project import IT

OIDC = {"clientId": "client-a", "issuer": "https://issuer.example.com", "enabled": True,
        "responseType": {"idToken": True}}
SAML = {
    "idpConfig": {"idpEntityId": "https://idp.example.com/saml",
                  "ssoUrl": "https://idp.example.com/sso",
                  "idpCertificates": [{"x509Certificate": "x"}]},
    "spConfig": {"spEntityId": "sp", "callbackUri": "https://app.example.com/__/auth/handler"},
    "enabled": True,
}
GOOGLE = {"enabled": True, "clientId": "client", "clientSecret": "secret"}


@pytest.fixture
def project(hearth) -> Production:
    project = Production(hearth)
    configs = f"{IT}/v2/projects/{project.id}"
    for path, body, query in (
            ("oauthIdpConfigs", OIDC, {"oauthIdpConfigId": "oidc.made"}),
            ("inboundSamlConfigs", SAML, {"inboundSamlConfigId": "saml.made"}),
            ("defaultSupportedIdpConfigs", GOOGLE, {"idpId": "google.com"})):
        project.ok("POST", f"{configs}/{path}", body, admin=True, **query)
    return project


def oidc(**change) -> str:
    now = int(time.time())
    return rs256({"iss": OIDC["issuer"], "aud": OIDC["clientId"], "sub": "subject", "iat": now,
                  "exp": now + 3600} | change)


def at_provider(project: Production, provider: str, **parameters: str) -> tuple:
    body = "&".join(f"{name}={quote(value)}" for name, value in parameters.items())
    return project.to_v1("signInWithIdp", requestUri="http://localhost", returnSecureToken=True,
                         postBody=f"providerId={provider}&{body}")


def saml(name: str, **attributes) -> dict[str, str]:
    """As emulators take it: JSON in place of XML."""
    assertion = {"subject": {"nameId": name}} | (
        {"attributeStatements": attributes} if attributes else {})
    return {"SAMLResponse": json.dumps({"assertion": assertion}), "id_token": json.dumps({"sub": name})}


# MARK: OpenID Connect


def test_the_nonce_of_a_token(project):
    digest = hashlib.sha256(b"nonce-a").hexdigest()
    token = oidc(nonce=digest)
    assert project.refusal(*at_provider(project, "oidc.made", id_token=token, nonce="nonce-b")) == (
        f'MISSING_OR_INVALID_NONCE : The nonce in ID Token "{digest}" does not match the SHA256 hash '
        'of the raw nonce "nonce-b" in the request.')
    project.ok(*at_provider(project, "oidc.made", id_token=token, nonce="nonce-a"))


@pytest.mark.parametrize("change", [
    pytest.param({"azp": "client-other"}, id="another party"),
    pytest.param({"azp": "client-a", "aud": ["client-a", "client-x"]}, id="its own party"),
    *(pytest.param({"age": age}, id=f"{age} s old") for age in (300, 3500, 3700, 7200)),
])
def test_a_token_is_taken(project, change):
    if "age" in change:
        # Now, and not when the tests were collected.
        change = {"iat": int(time.time()) - change["age"], "exp": int(time.time()) + 600}
    answer = project.ok(*at_provider(project, "oidc.made", id_token=oidc(**change)))
    assert answer["federatedId"] == "oidc.made/subject"


def test_a_token_of_google_that_is_none(project):
    call = at_provider(project, "google.com", id_token="garbage")
    assert project.refusal(*call) == (
        "INVALID_IDP_RESPONSE : Unable to parse Google id_token: garbage")


def test_an_address_of_two_accounts(project):
    project.configure("signIn.allowDuplicateEmails", {"signIn": {"allowDuplicateEmails": True}})
    owner = project.user("shared", emailVerified=False)
    token = oidc(email="shared@example.com", email_verified=True)
    answer = project.ok(*at_provider(project, "oidc.made", id_token=token))
    assert answer["localId"] != owner["localId"] and answer["isNewUser"] is True
    assert "email" not in claims(answer["idToken"])
    assert claims(answer["idToken"])["firebase"]["identities"] == {"oidc.made": ["subject"]}
    user = project.shown(answer["localId"])
    assert sorted(user) == [
        "createdAt", "lastLoginAt", "lastRefreshAt", "localId", "providerUserInfo", "validSince"]
    assert project.shown(owner["localId"])["email"] == "shared@example.com"
    found = project.ok(*project.to_v1(
        "createAuthUri", identifier="shared@example.com", continueUri="http://localhost"))
    assert sorted(found) == ["kind", "sessionId"]


# MARK: SAML


@pytest.mark.parametrize("name, attributes, verified", [
    ("first@example.com", {"department": "a", "groups": ["reader", "writer"]}, True),
    ("expired@example.com", {}, True),
    ("persistent-1", {}, False),
])
def test_an_answer_of_saml(project, name, attributes, verified):
    call = at_provider(project, "saml.made", **saml(name, **attributes))
    answer = project.ok(*call)
    assert sorted(answer) == sorted([
        "context", "emailVerified", "expiresIn", "federatedId", "idToken", "isNewUser", "kind",
        "localId", "pendingToken", "providerId", "refreshToken",
        *(["email"] if verified else []), *(["rawUserInfo"] if attributes else [])])
    assert answer["context"] == "" and answer["emailVerified"] is verified
    assert answer["federatedId"] == f"saml.made/{name}"
    assert json.loads(answer.get("rawUserInfo", "{}")) == attributes
    found = claims(answer["idToken"])
    assert found["firebase"].get("sign_in_attributes", {}) == attributes
    assert found["firebase"]["identities"]["saml.made"] == [name]
    assert found.get("email_verified", False) is verified
    user = project.shown(answer["localId"])
    assert "validSince" in user and user.get("emailVerified", False) is verified
    assert "isNewUser" not in project.ok(*call)
    renewed = project.ok(*project.token(
        grant_type="refresh_token", refresh_token=answer["refreshToken"]))
    firebase = claims(renewed["id_token"])["firebase"]
    assert firebase.get("sign_in_attributes", {}) == attributes
    assert firebase["sign_in_provider"] == "saml.made"
