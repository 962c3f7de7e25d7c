"""accounts:signInWithIdp: checks, inputs and answers."""

import json
import urllib.parse

import jwt
import pytest
from support.auth.project import claims, idp_body
from support.auth.sign_in import entry, project, token, whole  # noqa: F401
from support.wire import TOKEN, unsigned

A, B = "a@example.com", "b@example.com"
KIND = "identitytoolkit#VerifyAssertionResponse"


# MARK: The order of the checks

STRICT = "((Auth Emulator failed to parse fake id_token as strict JSON.))"
NEITHER = "((Auth Emulator only accepts strict JSON or JWTs as fake id_tokens.))"
NO_SUB = (
    "INVALID_IDP_RESPONSE : Invalid Idp Response: id_token missing required fields. "
    '((Missing "sub" field. This field is required and must be a unique identifier.))'
)
SAML = {"assertion": {"subject": {"nameId": A}}}


def saml(response) -> dict:
    return idp_body("saml.x", token(), inputs={"SAMLResponse": json.dumps(response)})


def unparsed(value: str, why: str) -> str:
    return f"INVALID_IDP_RESPONSE : Unable to parse id_token: {value} {why}"


REFUSED = {
    "returnRefreshToken": (
        {"returnRefreshToken": True},
        501,
        "returnRefreshToken is not implemented yet.",
    ),
    "pendingIdToken": ({"pendingIdToken": "x"}, 501, "pendingIdToken is not implemented yet."),
    "both": (
        {"returnRefreshToken": True, "pendingIdToken": "x"},
        501,
        "returnRefreshToken is not implemented yet.",
    ),
    "no requestUri": ({"postBody": "providerId=google.com"}, 400, "MISSING_REQUEST_URI"),
    "empty requestUri": (
        idp_body("google.com", token(), requestUri=""),
        400,
        "MISSING_REQUEST_URI",
    ),
    "no uri": (idp_body("google.com", token(), requestUri="no uri"), 400, "INVALID_REQUEST_URI"),
    "relative": (idp_body("google.com", token(), requestUri="/a"), 400, "INVALID_REQUEST_URI"),
    "no host": (idp_body("google.com", token(), requestUri="http://"), 400, "INVALID_REQUEST_URI"),
    "no provider": (
        {"requestUri": "http://localhost?a=b#c=d", "postBody": "e=f"},
        400,
        "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: "
        "http://localhost/?a=b&e=f&c=d",
    ),
    "merged once": (
        {"requestUri": "HTTP://u@LOCALHOST:80/p?a=1&e=x&a=2#e=z&e=y", "postBody": "a=+&n=1"},
        400,
        "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: "
        "http://u@localhost/p?a=+&e=z&n=1",
    ),
    "empty provider": (
        {"requestUri": "http://localhost", "postBody": "providerId="},
        400,
        "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: "
        "http://localhost/?providerId=",
    ),
    "no inputs": (
        {"requestUri": "http://localhost"},
        400,
        "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: http://localhost/",
    ),
    "foreign pendingToken": (
        {"requestUri": "http://localhost", "pendingToken": "x"},
        400,
        "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: http://localhost/",
    ),
    "no credentials": (
        idp_body("google.com"),
        501,
        "The Auth Emulator only supports sign-in with credentials (id_token required).",
    ),
    "SAML response alone": (
        idp_body("saml.x", inputs={"SAMLResponse": json.dumps(SAML)}),
        501,
        "The Auth Emulator only supports sign-in with credentials (id_token required).",
    ),
    "access token, SAML": (
        idp_body("saml.x", inputs={"access_token": "x"}),
        501,
        "The Auth Emulator does not support saml.x sign-in with credentials.",
    ),
    "access token, Apple": (
        idp_body("apple.com", inputs={"access_token": "x"}),
        501,
        "The Auth Emulator only support sign-in with apple.com using id_token, not access_token. "
        "Please update your code to use id_token.",
    ),
    "no JWT": (idp_body("google.com", "x"), 400, unparsed("x", NEITHER)),
    "two parts": (idp_body("google.com", "e30.e30"), 400, unparsed("e30.e30", NEITHER)),
    "loose JSON": (idp_body("google.com", "{sub: 1}"), 400, unparsed("{sub: 1}", STRICT)),
    "no sub": (idp_body("google.com", {"email": A}), 400, NO_SUB),
    "empty sub": (idp_body("google.com", {"sub": ""}), 400, NO_SUB),
    "no sub in a JWT": (idp_body("google.com", unsigned({"email": A})), 400, NO_SUB),
    "numeric sub": (
        idp_body("google.com", {"sub": 12345}),
        400,
        'INVALID_IDP_RESPONSE : ((The "sub" field must be a string.))',
    ),
    "SAML without assertion": (
        saml({}),
        400,
        "INVALID_IDP_RESPONSE ((Missing assertion in SAMLResponse.))",
    ),
    "SAML without subject": (
        saml({"assertion": {}}),
        400,
        "INVALID_IDP_RESPONSE ((Missing assertion.subject in SAMLResponse.))",
    ),
    "SAML without nameId": (
        saml({"assertion": {"subject": {}}}),
        400,
        "INVALID_IDP_RESPONSE ((Missing assertion.subject.nameId in SAMLResponse.))",
    ),
    "SAML with an empty nameId": (
        saml({"assertion": {"subject": {"nameId": ""}}}),
        400,
        "INVALID_IDP_RESPONSE ((Missing assertion.subject.nameId in SAMLResponse.))",
    ),
    "bad idToken": (idp_body("google.com", token(), idToken="x"), 400, "INVALID_ID_TOKEN"),
    "bad idToken, softly": (
        idp_body("google.com", token(), idToken="x", returnIdpCredential=True),
        400,
        "INVALID_ID_TOKEN",
    ),
}


@pytest.mark.parametrize(
    "body, status, message", [pytest.param(*case, id=name) for name, case in REFUSED.items()]
)
def test_what_is_refused(project, body, status, message):
    assert project.error("signInWithIdp", body, status) == message
    assert project.users() == []


@pytest.mark.parametrize("name", REFUSED)
def test_a_disabled_tenant_refuses_first(project, name):
    body = REFUSED[name][0] | {"tenantId": project.disabled_tenant()}
    assert project.error("signInWithIdp", body) == "PROJECT_DISABLED"


def test_saml_that_is_not_json_is_refused(project):
    """The official emulator answers 500."""
    body = idp_body("saml.x", token(), inputs={"SAMLResponse": "<xml>"})
    assert project.error("signInWithIdp", body).startswith("INVALID_IDP_RESPONSE")


@pytest.mark.parametrize("claim, value", [("email", 5), ("name", 5), ("picture", 5)])
def test_claims_of_a_wrong_type_are_refused(project, claim, value):
    """The official emulator answers 500."""
    project.idp("google.com", token(**{claim: value}), 400)


@pytest.mark.parametrize(
    "uri", ["localhost:8080", "http://localhost", "https://example.com/a?b=c#d=e", "app://x", "a:b"]
)
def test_uris_that_are_absolute(project, uri):
    assert project.idp("google.com", token(), requestUri=uri)["isNewUser"] is True


SIGNED = jwt.encode(
    {"sub": "1", "exp": 1, "iss": "anybody", "aud": "anything"}, "k" * 32, algorithm="HS256"
)


@pytest.mark.parametrize("given", [json.dumps({"sub": "1"}), unsigned({"sub": "1"}), SIGNED])
@pytest.mark.parametrize("provider", ["google.com", "facebook.com"])
def test_every_form_of_an_id_token(project, given, provider):
    answer = project.idp(provider, given)
    assert answer["oauthIdToken"] == given
    assert entry(project.user(answer["localId"]), provider)["rawId"] == "1"


@pytest.mark.parametrize("id_token", [None, "undecodable"])
def test_claims_may_come_in_the_access_token(project, id_token):
    given = json.dumps(whole())
    answer = project.idp("google.com", id_token, inputs={"access_token": given})
    assert answer["oauthAccessToken"] == given and answer["email"] == A
    assert answer.get("oauthIdToken") == id_token


@pytest.mark.parametrize("provider", ["google.com", "facebook.com", "anything"])
def test_an_access_token_without_claims_counts_for_somebody(project, provider):
    """The official emulator answers 501."""
    answer = project.idp(provider, None, inputs={"access_token": "x"})
    assert answer["oauthAccessToken"] == "x" and answer["displayName"]
    again = project.idp(provider, None, inputs={"access_token": "x"})
    assert again["localId"] == answer["localId"] and "oauthIdToken" not in again


# MARK: Where the inputs come from


def form(**inputs) -> str:
    return urllib.parse.urlencode(inputs)


@pytest.mark.parametrize(
    "request_uri, post_body, provider",
    [
        (
            "http://localhost?" + form(providerId="google.com", id_token='{"sub":"1"}'),
            None,
            "google.com",
        ),
        (
            "http://localhost#" + form(providerId="google.com", id_token='{"sub":"1"}'),
            None,
            "google.com",
        ),
        (
            "http://localhost?providerId=twitter.com",
            form(providerId="google.com", id_token='{"sub":"1"}'),
            "google.com",
        ),
        (
            "http://localhost?providerId=twitter.com#providerId=github.com",
            form(providerId="google.com", id_token='{"sub":"1"}'),
            "github.com",
        ),
        (
            "http://localhost",
            'providerId=google.com&providerId=github.com&id_token={"sub":"1"}',
            "google.com",
        ),
        ("http://localhost", 'id_token={"sub":"1"}&providerId=GooGle.COM', "google.com"),
        ("http://localhost", 'id_token={"sub":"1"}&providerId=anything', "anything"),
    ],
)
def test_where_inputs_come_from(project, request_uri, post_body, provider):
    body = {"requestUri": request_uri} | ({"postBody": post_body} if post_body else {})
    answer = project.call("signInWithIdp", body)
    assert answer["providerId"] == provider
    assert claims(answer)["firebase"]["sign_in_provider"] == provider


def test_forms_are_decoded(project):
    body = (
        'providerId=google.com&id_token={"sub":"a=b","name":"Ann+Example",'
        '"screen_name":"%C3%A9%2B"}'
    )
    answer = project.call("signInWithIdp", {"requestUri": "http://localhost", "postBody": body})
    assert (answer["displayName"], answer["screenName"]) == ("Ann Example", "é+")
    assert answer["federatedId"].endswith("/a=b")


@pytest.mark.parametrize(
    "ignored",
    [
        {"sessionId": "x"},
        {"autoCreate": False},
        {"returnSecureToken": False},
        {"delegatedProjectNumber": "5"},
    ],
)
def test_what_is_ignored(project, ignored):
    answer = project.idp("google.com", token(), **ignored)
    assert answer["isNewUser"] is True and answer["idToken"]


def test_privilege_makes_no_difference(project):
    answer = project.owner(
        "POST",
        "/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp",
        json=idp_body("google.com", token(project.id)),
    )
    assert answer["idToken"]


# MARK: What comes back


def test_googles_answer(project):
    given = whole()
    answer = project.idp("google.com", given)
    tokens = {name: answer.pop(name) for name in ("idToken", "refreshToken", "expiresIn")}
    assert tokens["expiresIn"] == "3600" and tokens["refreshToken"]
    local_id = answer.pop("localId")
    assert json.loads(answer.pop("rawUserInfo")) == {
        "granted_scopes": "openid https://www.googleapis.com/auth/userinfo.profile "
        "https://www.googleapis.com/auth/userinfo.email",
        "id": "1",
        "name": "Ann",
        "given_name": "Ann",
        "family_name": "Example",
        "verified_email": True,
        "locale": "en",
        "email": A,
        "picture": "http://localhost/a.png",
    }
    assert answer == {
        "kind": KIND,
        "context": "",
        "providerId": "google.com",
        "isNewUser": True,
        "federatedId": "https://accounts.google.com/1",
        "displayName": "Ann",
        "fullName": "Ann",
        "screenName": "ann",
        "email": A,
        "emailVerified": True,
        "firstName": "Ann",
        "lastName": "Example",
        "photoUrl": "http://localhost/a.png",
        "oauthAccessToken": "FirebaseAuthEmulatorFakeAccessToken_google.com",
        "oauthIdToken": json.dumps(given),
    }
    user = project.user(local_id)
    assert user["providerUserInfo"] == [
        {
            "providerId": "google.com",
            "rawId": "1",
            "federatedId": "1",
            "email": A,
            "displayName": "Ann",
            "screenName": "ann",
            "photoUrl": "http://localhost/a.png",
        }
    ]
    assert (user["email"], user["emailVerified"]) == (A, True)
    assert (user["displayName"], user["screenName"]) == ("Ann", "ann")
    assert user["photoUrl"] == "http://localhost/a.png"
    assert claims(tokens)["firebase"] == {
        "identities": {"email": [A], "google.com": ["1"]},
        "sign_in_provider": "google.com",
    }


def test_googles_answer_of_little(project):
    answer = project.idp("google.com", token())
    assert json.loads(answer["rawUserInfo"]) == {
        "granted_scopes": "openid https://www.googleapis.com/auth/userinfo.profile",
        "id": "1",
        "verified_email": False,
        "locale": "en",
    } or json.loads(answer["rawUserInfo"]) == {
        "granted_scopes": "openid https://www.googleapis.com/auth/userinfo.profile",
        "id": "1",
        "locale": "en",
    }
    absent = {
        "displayName",
        "fullName",
        "screenName",
        "email",
        "photoUrl",
        "firstName",
        "lastName",
        "emailVerified",
        "tenantId",
        "errorMessage",
        "needConfirmation",
        "emailRecycled",
    }
    assert not absent & answer.keys()


@pytest.mark.parametrize(
    "provider",
    [
        "facebook.com",
        "apple.com",
        "twitter.com",
        "github.com",
        "microsoft.com",
        "yahoo.com",
        "oidc.x",
        "anything",
    ],
)
def test_the_answer_of_the_others(project, provider):
    given = whole()
    answer = project.idp(provider, given, inputs={"access_token": "an access token"})
    assert json.loads(answer["rawUserInfo"]) == given
    assert answer["federatedId"] == "1"
    assert answer["oauthAccessToken"] == "an access token"
    assert not {"firstName", "lastName"} & answer.keys()


@pytest.mark.parametrize(
    "name_id, expected", [("Saml@Example.com", "Saml@Example.com"), ("no address", A)]
)
def test_samls_answer(project, name_id, expected):
    attributes = {"role": ["a"], "nested": {"b": 1}}
    response = {"assertion": {"subject": {"nameId": name_id}, "attributeStatements": attributes}}
    answer = project.idp(
        "saml.x", whole(verified=False), inputs={"SAMLResponse": json.dumps(response)}
    )
    assert (answer["email"], answer["emailVerified"]) == (expected, True)
    assert json.loads(answer["rawUserInfo"]) == attributes
    assert answer["federatedId"] == "1"
    assert claims(answer)["firebase"]["sign_in_attributes"] == attributes
    refreshed = project.post(
        TOKEN, {"grant_type": "refresh_token", "refresh_token": answer["refreshToken"]}
    )
    again = jwt.decode(refreshed["id_token"], options={"verify_signature": False})
    assert "sign_in_attributes" not in again["firebase"]


def test_an_address_by_saml_is_stored_in_lower_case(project):
    """The official emulator keeps it as written, and then the account is not found by its
    address any more: every other operation looks for it in lower case."""
    response = {"assertion": {"subject": {"nameId": "Saml@Example.com"}}}
    answer = project.idp("saml.x", token(), inputs={"SAMLResponse": json.dumps(response)})
    assert project.user(answer["localId"])["email"] == "saml@example.com"
    assert project.error("signUp", {"email": "Saml@Example.com", "password": "secret1"}) == (
        "EMAIL_EXISTS"
    )


def test_saml_without_attributes_has_no_raw_user_info(project):
    answer = project.idp("saml.x", token(), inputs={"SAMLResponse": json.dumps(SAML)})
    assert "rawUserInfo" not in answer
    assert "sign_in_attributes" not in claims(answer)["firebase"]


def test_every_provider_may_send_saml_but_only_saml_uses_it(project):
    response = {"assertion": {"subject": {"nameId": B}, "attributeStatements": {"a": 1}}}
    answer = project.idp("oidc.x", token(email=A), inputs={"SAMLResponse": json.dumps(response)})
    assert answer["email"] == A and json.loads(answer["rawUserInfo"]) == token(email=A)
    assert claims(answer)["firebase"]["sign_in_attributes"] == {"a": 1}


@pytest.mark.parametrize(
    "given, expected",
    [(True, True), (False, False), ("false", True), ("", False), (1, True), (0, False)],
)
def test_verification_counts_by_truth(project, given, expected):
    answer = project.idp("google.com", token(email=A, email_verified=given))
    assert answer["emailVerified"] is expected
    assert project.user(answer["localId"])["emailVerified"] is expected


def test_an_address_is_unverified_unless_claimed(project):
    answer = project.idp("google.com", token(email=A))
    assert answer["emailVerified"] is False and claims(answer)["email_verified"] is False
    assert project.user(answer["localId"])["emailVerified"] is False
    doubt = project.idp("oidc.x", token("2", email=A))
    assert doubt["needConfirmation"] is True and doubt["emailVerified"] is False
    # The provider's word counts where it names no address and the account has one.
    other = project.idp("facebook.com", token("3"), idToken=answer["idToken"])
    assert other["emailVerified"] is False


def test_a_foreign_pending_token_is_ignored(project):
    for foreign in ["junk", "", "cHJvdmlkZXI9eA"]:
        answer = project.idp("google.com", token("p" + foreign), pendingToken=foreign)
        assert answer["isNewUser"] is True


def test_addresses_are_lower_case(project):
    answer = project.idp("google.com", token(email="Ann@Example.COM"))
    assert answer["email"] == "ann@example.com"
    user = project.user(answer["localId"])
    assert user["email"] == entry(user, "google.com")["email"] == "ann@example.com"


@pytest.mark.parametrize("provider", ["google.com", "saml.x"])
def test_without_any_address_nothing_is_said_of_verification(project, provider):
    assert "emailVerified" not in project.idp(provider, token())
    again = project.idp(provider, token())
    assert "emailVerified" not in again and "isNewUser" not in again
