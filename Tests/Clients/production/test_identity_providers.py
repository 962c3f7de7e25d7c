"""Sign-in at configured providers: what production checks of their tokens, and SAML's answers."""

import hashlib
import json
import time
from urllib.parse import quote

import pytest
from support.auth.production import Production, claims, rs256
from support.auth.project import IT

OIDC = {
    "clientId": "client-a",
    "issuer": "https://issuer.example.com",
    "enabled": True,
    "responseType": {"idToken": True},
}
SAML = {
    "idpConfig": {
        "idpEntityId": "https://idp.example.com/saml",
        "ssoUrl": "https://idp.example.com/sso",
        "idpCertificates": [{"x509Certificate": "x"}],
    },
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
        ("defaultSupportedIdpConfigs", GOOGLE, {"idpId": "google.com"}),
    ):
        project.ok("POST", f"{configs}/{path}", body, admin=True, **query)
    return project


def oidc(**change) -> str:
    now = int(time.time())
    return rs256(
        {
            "iss": OIDC["issuer"],
            "aud": OIDC["clientId"],
            "sub": "subject",
            "iat": now,
            "exp": now + 3600,
        }
        | change
    )


def at_provider(project: Production, provider: str, **parameters: str) -> tuple:
    body = "&".join(f"{name}={quote(value)}" for name, value in parameters.items())
    return project.to_v1(
        "signInWithIdp",
        requestUri="http://localhost",
        returnSecureToken=True,
        postBody=f"providerId={provider}&{body}",
    )


def saml(name: str, **attributes) -> dict[str, str]:
    """As emulators take it: JSON in place of XML."""
    assertion = {"subject": {"nameId": name}} | (
        {"attributeStatements": attributes} if attributes else {}
    )
    return {
        "SAMLResponse": json.dumps({"assertion": assertion}),
        "id_token": json.dumps({"sub": name}),
    }


# MARK: OpenID Connect


def test_the_nonce_of_a_token(project):
    digest = hashlib.sha256(b"nonce-a").hexdigest()
    token = oidc(nonce=digest)
    assert project.refusal(*at_provider(project, "oidc.made", id_token=token, nonce="nonce-b")) == (
        f'MISSING_OR_INVALID_NONCE : The nonce in ID Token "{digest}" does not match the SHA256 hash '
        'of the raw nonce "nonce-b" in the request.'
    )
    project.ok(*at_provider(project, "oidc.made", id_token=token, nonce="nonce-a"))


def nonce(raw: str) -> str:
    return hashlib.sha256(raw.encode()).hexdigest()


DUPLICATE = (
    "MISSING_OR_INVALID_NONCE : Duplicate credential received. Please try again with a new "
    "credential."
)
# The tokens of Google and Apple are judged by their nonce alone.
TOKENS = {
    "oidc.made": lambda **change: oidc(**change),
    "google.com": lambda **change: rs256(
        {"iss": "https://accounts.google.com", "aud": "c"} | change
    ),
    "apple.com": lambda **change: rs256(
        {"iss": "https://appleid.apple.com", "aud": "app"} | change
    ),
}
APPLE = {"enabled": True, "clientId": "client", "clientSecret": "secret"}


@pytest.fixture
def providers(project) -> Production:
    project.ok(
        "POST",
        f"{IT}/v2/projects/{project.id}/defaultSupportedIdpConfigs",
        APPLE,
        admin=True,
        idpId="apple.com",
    )
    return project


@pytest.mark.parametrize("provider", TOKENS)
def test_a_nonce_has_to_be_that_of_the_token(providers, provider):
    token = TOKENS[provider](sub="a", nonce=nonce("right"))
    assert providers.refusal(*at_provider(providers, provider, id_token=token)) == (
        "MISSING_OR_INVALID_NONCE : Nonce is missing in the request."
    )
    refusal = providers.refusal(*at_provider(providers, provider, id_token=token, nonce="wrong"))
    assert refusal == (
        f'MISSING_OR_INVALID_NONCE : The nonce in ID Token "{nonce("right")}" does not match the '
        'SHA256 hash of the raw nonce "wrong" in the request.'
    )
    providers.ok(*at_provider(providers, provider, id_token=token, nonce="right"))
    # A nonce that no token asks for is not looked at.
    plain = TOKENS[provider](sub="a")
    for _ in range(2):
        providers.ok(*at_provider(providers, provider, id_token=plain, nonce="any"))


@pytest.mark.parametrize("provider", TOKENS)
def test_a_nonce_counts_once(providers, provider):
    first, second = (TOKENS[provider](sub="a", nonce=nonce("once"), jti=jti) for jti in "ab")
    providers.ok(*at_provider(providers, provider, id_token=first, nonce="once"))
    for token in (first, second):
        call = at_provider(providers, provider, id_token=token, nonce="once")
        assert providers.refusal(*call) == DUPLICATE
    # That is said first, whatever comes with the token.
    call = at_provider(providers, provider, id_token=first, nonce="other")
    assert providers.refusal(*call) == DUPLICATE
    fresh = TOKENS[provider](sub="a", nonce=nonce("again"))
    providers.ok(*at_provider(providers, provider, id_token=fresh, nonce="again"))


@pytest.mark.parametrize("returned", [True, False])
def test_a_refused_link_uses_up_the_nonce(providers, returned):
    """Apps sign in with the credential of the error, because the same one is refused."""
    taken = TOKENS["apple.com"](sub="taken", nonce=nonce("first"))
    providers.ok(*at_provider(providers, "apple.com", id_token=taken, nonce="first"))
    person = providers.ok(*providers.to_v1("signUp", returnSecureToken=True))
    again = TOKENS["apple.com"](sub="taken", nonce=nonce("second"))
    method, path, body = at_provider(providers, "apple.com", id_token=again, nonce="second")
    status, answer = providers.ask(
        method, path, body | {"idToken": person["idToken"], "returnIdpCredential": returned}
    )
    assert "FEDERATED_USER_ID_ALREADY_LINKED" in json.dumps(answer)
    assert status == (200 if returned else 400)
    assert providers.refusal(method, path, body) == DUPLICATE


@pytest.mark.parametrize("provider", TOKENS)
def test_a_second_account_of_one_provider_is_refused(providers, provider):
    person = providers.ok(*at_provider(providers, provider, id_token=TOKENS[provider](sub="one")))
    method, path, body = at_provider(providers, provider, id_token=TOKENS[provider](sub="two"))
    body["idToken"] = person["idToken"]
    assert providers.refusal(method, path, body) == "PROVIDER_ALREADY_LINKED"
    answer = providers.ok(method, path, body | {"returnIdpCredential": True})
    assert answer["errorMessage"] == "PROVIDER_ALREADY_LINKED" and "idToken" not in answer
    [linked] = providers.shown(person["localId"])["providerUserInfo"]
    assert linked["rawId"] == "one"


def test_an_address_of_another_account_is_refused_first(providers):
    providers.user("other")
    person = providers.ok(*at_provider(providers, "oidc.made", id_token=oidc(sub="one")))
    token = oidc(sub="two", email="other@example.com", email_verified=True)
    method, path, body = at_provider(providers, "oidc.made", id_token=token)
    body["idToken"] = person["idToken"]
    assert providers.refusal(method, path, body) == "EMAIL_EXISTS"


def test_a_pending_token_needs_no_nonce(providers):
    """It was checked when it came, and people link it once they have signed in."""
    owner = providers.user("pending")
    token = oidc(nonce=nonce("n"), email="pending@example.com", email_verified=False)
    found = providers.ok(*at_provider(providers, "oidc.made", id_token=token, nonce="n"))
    assert found["needConfirmation"] is True
    person = providers.sign_in("pending")
    answer = providers.ok(
        *providers.to_v1(
            "signInWithIdp",
            requestUri="http://localhost",
            returnSecureToken=True,
            idToken=person["idToken"],
            pendingToken=found["pendingToken"],
        )
    )
    assert answer["localId"] == owner["localId"]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"azp": "client-other"}, id="another party"),
        pytest.param({"azp": "client-a", "aud": ["client-a", "client-x"]}, id="its own party"),
        *(pytest.param({"age": age}, id=f"{age} s old") for age in (300, 3500, 3700, 7200)),
    ],
)
def test_a_token_is_taken(project, change):
    if "age" in change:
        # Now, and not when the tests were collected.
        change = {"iat": int(time.time()) - change["age"], "exp": int(time.time()) + 600}
    answer = project.ok(*at_provider(project, "oidc.made", id_token=oidc(**change)))
    assert answer["federatedId"] == "oidc.made/subject"


def test_a_token_of_google_that_is_none(project):
    call = at_provider(project, "google.com", id_token="garbage")
    assert project.refusal(*call) == (
        "INVALID_IDP_RESPONSE : Unable to parse Google id_token: garbage"
    )


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
        "createdAt",
        "lastLoginAt",
        "lastRefreshAt",
        "localId",
        "providerUserInfo",
        "validSince",
    ]
    assert project.shown(owner["localId"])["email"] == "shared@example.com"
    found = project.ok(
        *project.to_v1(
            "createAuthUri", identifier="shared@example.com", continueUri="http://localhost"
        )
    )
    assert sorted(found) == ["kind", "sessionId"]


# MARK: SAML


@pytest.mark.parametrize(
    "name, attributes, verified",
    [
        ("first@example.com", {"department": "a", "groups": ["reader", "writer"]}, True),
        ("expired@example.com", {}, True),
        ("persistent-1", {}, False),
    ],
)
def test_an_answer_of_saml(project, name, attributes, verified):
    call = at_provider(project, "saml.made", **saml(name, **attributes))
    answer = project.ok(*call)
    assert sorted(answer) == sorted(
        [
            "context",
            "emailVerified",
            "expiresIn",
            "federatedId",
            "idToken",
            "isNewUser",
            "kind",
            "localId",
            "pendingToken",
            "providerId",
            "refreshToken",
            *(["email"] if verified else []),
            *(["rawUserInfo"] if attributes else []),
        ]
    )
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
    renewed = project.ok(
        *project.token(grant_type="refresh_token", refresh_token=answer["refreshToken"])
    )
    firebase = claims(renewed["id_token"])["firebase"]
    assert firebase.get("sign_in_attributes", {}) == attributes
    assert firebase["sign_in_provider"] == "saml.made"
