"""accounts:signInWithIdp with responses of SAML, verified with what the project has configured."""

import base64
import json
import re

import pytest
import requests
from identity_providers.saml import (
    HANDLER,
    PROVIDER,
    Project,
    answered,
    certificate,
    encoded,
    inflated,
    query,
    request,
    sso,
    xml,
)


@pytest.fixture
def project(providers):
    providers.settings("saml")
    providers.switches(providerPages=True)
    project = Project(providers)
    project.configure([certificate(providers)])
    yield project
    providers.settings("saml")
    providers.switches(providerPages=False, strictProviders=False)


def claims(token: str) -> dict:
    part = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def test_create_auth_uri_is_as_recorded(project):
    began = project.begin()
    assert began["providerId"] == PROVIDER and began["sessionId"]
    fields = query(began["authUri"])
    assert began["authUri"].startswith(project.providers.address("saml", "sso") + "?SAMLRequest=")
    assert list(fields) == ["SAMLRequest", "RelayState"]
    text = inflated(fields["SAMLRequest"])
    text = re.sub(r' ID="_[0-9a-f]{32}"', ' ID="_x"', text)
    text = re.sub(r'Instant="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"', 'Instant="t"', text)
    assert text == (
        '<?xml version="1.0" encoding="UTF-8"?><saml2p:AuthnRequest '
        'xmlns:saml2p="urn:oasis:names:tc:SAML:2.0:protocol" '
        f'AssertionConsumerServiceURL="{project.auth}{HANDLER}" '
        f'Destination="{project.providers.address("saml", "sso")}" ID="_x" IssueInstant="t" '
        'ProtocolBinding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Version="2.0">'
        '<saml2:Issuer xmlns:saml2="urn:oasis:names:tc:SAML:2.0:assertion">service</saml2:Issuer>'
        "</saml2p:AuthnRequest>"
    )


def test_the_whole_way_to_the_account(project):
    began = project.begin()
    fields = answered(project.providers, began["authUri"])
    made = project.finish(began, fields)
    assert made["providerId"] == PROVIDER and made["email"] == "ada@example.com"
    assert made["emailVerified"] is True and "oauthIdToken" not in made
    assert json.loads(made["rawUserInfo"])["groups"] == "staff"
    firebase = claims(made["idToken"])["firebase"]
    assert firebase["sign_in_provider"] == PROVIDER
    assert firebase["sign_in_attributes"]["displayName"] == "Ada Otter"
    assert firebase["identities"][PROVIDER] == ["ada@example.com"]


def test_a_name_that_is_no_address_vouches_for_none(project):
    project.providers.put(
        "/personas/zoe", {"email": "z@example.com", "hidesEmail": True, "subject": "z1"}
    )
    began = project.begin()
    made = project.finish(began, answered(project.providers, began["authUri"], "zoe"))
    assert "email" not in made and made["federatedId"].endswith("z1")


REFUSALS = {
    "unsigned": "Missing signature in Assertion and Response enclosing it (if present).",
    "tampered": "Failed to verify the signature in SAMLResponse",
    "wrongSignature": "Failed to verify the signature in SAMLResponse",
    "expired": "is on or after NotOnOrAfter attribute, ",
    "wrongAudience": "All <AudienceRestriction>s should contain the SAML RP entity ID: 'service'.",
    "wrongIssuer": "Assertion has Issuer https://somebody-else.example which is different from "
    "expected Issuer http://",
    "wrongNonce": "InResponseTo in both Response and SubjectConfirmationData must match the "
    "request ID.",
    "wrongDestination": "SAMLResponse destination https://somebody-else.example/acs does not match "
    "RP callback URL http://",
    "failed": "SAMLResponse status code not SUCCESS, instead it is: "
    "urn:oasis:names:tc:SAML:2.0:status:Requester",
    "consentRefused": "SAMLResponse status code not SUCCESS, instead it is: "
    "urn:oasis:names:tc:SAML:2.0:status:Responder",
}


@pytest.mark.parametrize("fault", REFUSALS)
def test_wrong_answers_are_refused_in_production_s_words(project, fault):
    project.providers.settings("saml", fault=fault)
    began = project.begin()
    message = project.refusal(began, answered(project.providers, began["authUri"]))
    assert message.startswith("INVALID_IDP_RESPONSE : ") and REFUSALS[fault] in message


def test_an_answer_counts_once_and_for_its_own_request(project):
    began = project.begin()
    fields = answered(project.providers, began["authUri"])
    project.finish(began, fields)
    mismatch = "must match the request ID"
    assert mismatch in project.refusal(began, fields)
    other = project.begin()
    assert mismatch in project.refusal(
        other, fields | {"RelayState": query(other["authUri"])["RelayState"]}
    )
    assert "sessionId" in project.refusal(
        {"sessionId": "another"}, answered(project.providers, other["authUri"])
    )


def test_an_answer_counts_in_the_tenant_that_asked_alone(project):
    project.configure([certificate(project.providers)], tenant="t1")
    began = project.begin(tenantId="t1")
    fields = answered(project.providers, began["authUri"])
    assert "must match the request ID" in project.refusal(began, fields)
    made = project.finish(began, fields, tenantId="t1")
    assert claims(made["idToken"])["firebase"]["tenant"] == "t1"


def test_an_answer_without_a_request_is_refused(project):
    text = request(issuer="service", acs=project.auth + HANDLER)
    fields = answered(project.providers, sso(project.providers, text))
    assert "must match the request ID" in project.refusal(project.begin(), fields)


def test_the_times_are_those_of_the_project_s_clock(project):
    began = project.begin()
    fields = answered(project.providers, began["authUri"])
    clock = f"{project.providers.control}/clock"
    requests.patch(clock, json={"advance": "PT10M"}, timeout=30)
    try:
        assert "is on or after NotOnOrAfter" in project.refusal(began, fields)
    finally:
        requests.delete(clock, timeout=30)


def test_a_foreign_certificate_and_none_at_all(project):
    project.configure(["no certificate"])
    began = project.begin()
    fields = answered(project.providers, began["authUri"])
    assert "Failed to verify the signature" in project.refusal(began, fields)
    # A configuration without any means the provider here.
    project.configure()
    assert project.finish(began, fields)["email"] == "ada@example.com"


def test_a_forged_assertion_beside_the_signed_one(project):
    began = project.begin()
    fields = answered(project.providers, began["authUri"])
    text = xml(fields)
    [signed] = re.findall("<saml2:Assertion .*</saml2:Assertion>", text)
    forged = signed.replace("ada@example.com", "eve@example.com")
    for changed in (forged + signed, signed + forged, forged):
        message = project.refusal(
            began, fields | {"SAMLResponse": encoded(text.replace(signed, changed))}
        )
        assert message.startswith("INVALID_IDP_RESPONSE : ")


def test_a_response_with_a_document_type(project):
    began = project.begin()
    fields = answered(project.providers, began["authUri"])
    text = "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>" + xml(fields)
    assert "Unable to parse" in project.refusal(began, fields | {"SAMLResponse": encoded(text)})
    # Nothing else was wrong with it.
    project.finish(began, fields)


@pytest.mark.parametrize("text", ["<", "<a/>"])
def test_what_is_no_response(project, text):
    message = project.refusal(project.begin(), {"SAMLResponse": encoded(text)})
    assert message.startswith("INVALID_IDP_RESPONSE : ")


def test_a_conflict_can_be_resolved_with_the_pending_token(project, address):
    project.call("signUp", {"email": address, "password": "secret1"})
    project.providers.put("/personas/zoe", {"email": "z@example.com", "subject": "z2"})
    owner = project.call("signUp", {"email": "owner-" + address, "password": "secret1"})
    taken = project.begin()
    first = project.finish(taken, answered(project.providers, taken["authUri"], "zoe"))
    began = project.begin()
    fields = answered(project.providers, began["authUri"], "zoe")
    conflict = project.finish(began, fields, idToken=owner["idToken"])
    assert conflict["errorMessage"] == "FEDERATED_USER_ID_ALREADY_LINKED"
    again = project.call(
        "signInWithIdp",
        {
            "requestUri": "http://localhost",
            "pendingToken": conflict["pendingToken"],
            "returnSecureToken": True,
        },
    )
    assert again["localId"] == first["localId"]


def test_json_is_taken_unless_providers_are_strict(project):
    answer = json.dumps({"assertion": {"subject": {"nameId": "json@example.com"}}})
    fields = {"SAMLResponse": answer, "id_token": json.dumps({"sub": "json@example.com"})}
    assert project.finish(project.begin(), fields)["email"] == "json@example.com"
    project.providers.switches(strictProviders=True)
    assert "Missing signature" in project.refusal(project.begin(), fields)
    alone = {"id_token": fields["id_token"]}
    assert "Missing signature" in project.refusal(project.begin(), alone)
    began = project.begin()
    made = project.finish(began, answered(project.providers, began["authUri"]))
    assert made["email"] == "ada@example.com"


def test_without_the_switch_the_page_of_the_emulator_stays(project):
    project.providers.switches(providerPages=False)
    assert HANDLER in project.begin()["authUri"]
