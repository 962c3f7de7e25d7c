"""python3-saml and pysaml2 as services of SAML's provider, and the provider's pages."""

import html
import re
from urllib.parse import urlsplit

import pytest
import requests
from identity_providers.saml import (
    ACS,
    SERVICE,
    answered,
    deflated,
    encoded,
    names,
    request,
    sso,
    xml,
)
from onelogin.saml2.auth import OneLogin_Saml2_Auth
from onelogin.saml2.idp_metadata_parser import OneLogin_Saml2_IdPMetadataParser
from saml2 import BINDING_HTTP_POST, BINDING_HTTP_REDIRECT
from saml2.client import Saml2Client
from saml2.config import SPConfig
from saml2.response import VerificationError
from saml2.sigver import SignatureError


@pytest.fixture
def provider(providers):
    providers.settings("saml")
    yield providers
    providers.settings("saml")


def metadata(provider) -> str:
    reply = requests.get(provider.address("saml", "metadata"), timeout=30)
    assert reply.headers["Content-Type"].startswith("application/samlmetadata+xml")
    return reply.text


# MARK: python3-saml


def python3_saml(provider, fields: dict | None = None) -> OneLogin_Saml2_Auth:
    acs = urlsplit(ACS)
    settings = OneLogin_Saml2_IdPMetadataParser.parse(metadata(provider)) | {
        "strict": True,
        "sp": {
            "entityId": SERVICE,
            "assertionConsumerService": {"url": ACS},
            "NameIDFormat": "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
        },
        "security": {
            "wantAssertionsSigned": True,
            "wantMessagesSigned": True,
            "rejectDeprecatedAlgorithm": True,
        },
    }
    call = {
        "http_host": acs.netloc,
        "script_name": acs.path,
        "get_data": {},
        "post_data": fields or {},
    }
    return OneLogin_Saml2_Auth(call, settings)


def test_python3_saml_signs_in_with_a_browser(provider, browser):
    service = python3_saml(provider)
    page = browser.get(service.login(return_to="/after"), timeout=30)
    assert 'data-persona="ada"' in page.text
    posted = browser.press(page, persona="ada")
    fields = {
        name: html.unescape(value)
        for name, value in re.findall(r'type="hidden" name="([^"]*)" value="([^"]*)"', posted.text)
    }
    assert f'action="{ACS}"' in posted.text and fields["RelayState"] == "/after"
    answer = python3_saml(provider, fields)
    answer.process_response(request_id=service.get_last_request_id())
    assert answer.get_errors() == [], answer.get_last_error_reason()
    assert answer.is_authenticated() and answer.get_nameid() == "ada@example.com"
    assert answer.get_attribute("groups") == ["staff"]
    assert answer.get_attribute("displayName") == ["Ada Otter"]
    # The provider remembers the browser.
    again = browser.get(python3_saml(provider).login(force_authn=False), timeout=30)
    assert "SAMLResponse" in again.text
    forced = browser.get(python3_saml(provider).login(force_authn=True), timeout=30)
    assert 'data-persona="ada"' in forced.text


FAULTS = {
    "unsigned": "no_signed|not signed|No Signature|is not signed",
    "wrongSignature": "Signature validation failed",
    "tampered": "Signature validation failed",
    "expired": "Timing issues|expired",
    "wrongAudience": "audience",
    "wrongIssuer": "issuer",
    "wrongNonce": "InResponseTo",
    "wrongDestination": "was received at",
    "failed": "status code of the Response was not Success",
    "consentRefused": "status code of the Response was not Success",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_python3_saml_refuses_what_is_wrong_on_purpose(provider, fault):
    provider.settings("saml", fault=fault)
    service = python3_saml(provider)
    fields = answered(provider, service.login())
    answer = python3_saml(provider, fields)
    answer.process_response(request_id=service.get_last_request_id())
    assert not answer.is_authenticated() and answer.get_errors()
    assert re.search(FAULTS[fault], answer.get_last_error_reason()), answer.get_last_error_reason()


# MARK: pysaml2


def pysaml2(provider) -> Saml2Client:
    config = SPConfig()
    config.load(
        {
            "entityid": SERVICE,
            "service": {
                "sp": {
                    "endpoints": {"assertion_consumer_service": [(ACS, BINDING_HTTP_POST)]},
                    "want_response_signed": True,
                    "want_assertions_signed": True,
                    "allow_unsolicited": False,
                }
            },
            "metadata": {"inline": [metadata(provider)]},
            "allow_unknown_attributes": True,
        }
    )
    return Saml2Client(config=config)


@pytest.mark.parametrize("binding", [BINDING_HTTP_REDIRECT, BINDING_HTTP_POST])
def test_pysaml2_signs_in(provider, browser, binding):
    client = pysaml2(provider)
    request_id, call = client.prepare_for_authenticate(binding=binding, relay_state="after")
    if binding == BINDING_HTTP_REDIRECT:
        page = browser.get(dict(call["headers"])["Location"], timeout=30)
    else:
        page = browser.post(call["url"], data=dict(hidden(call["data"])), timeout=30)
    posted = browser.press(page, persona="ada")
    fields = dict(hidden(posted.text))
    response = client.parse_authn_request_response(
        fields["SAMLResponse"], BINDING_HTTP_POST, {request_id: "/"}
    )
    assert str(response.name_id.text) == "ada@example.com"
    assert response.ava["groups"] == ["staff"]
    assert fields["RelayState"] == "after"


def hidden(text: str) -> list[tuple[str, str]]:
    return [
        (name, html.unescape(value))
        for name, value in re.findall(
            r'<input type="hidden" name="([^"]*)" value="([^"]*)"', str(text)
        )
    ]


@pytest.mark.parametrize("fault", ["unsigned", "wrongSignature", "tampered"])
def test_pysaml2_refuses_what_is_not_the_providers(provider, fault):
    provider.settings("saml", fault=fault)
    client = pysaml2(provider)
    request_id, call = client.prepare_for_authenticate(binding=BINDING_HTTP_REDIRECT)
    fields = answered(provider, dict(call["headers"])["Location"])
    with pytest.raises((SignatureError, VerificationError)):
        client.parse_authn_request_response(
            fields["SAMLResponse"], BINDING_HTTP_POST, {request_id: "/"}
        )


# MARK: The provider's pages


def test_a_post_does_what_a_redirect_does(provider, browser):
    page = browser.post(
        provider.address("saml", "sso"),
        data={"SAMLRequest": encoded(request()), "RelayState": "there"},
        timeout=30,
    )
    fields = dict(hidden(browser.press(page, persona="ada").text))
    assert fields["RelayState"] == "there" and 'InResponseTo="_r1"' in xml(fields)


def test_nobody_is_signed_in_unasked(provider, browser):
    page = browser.get(provider.address("saml", "sso"), timeout=30)
    assert page.status_code == 400 and "no SAMLRequest" in page.text


BAD = {
    "not Base64": "%",
    "not XML": encoded("<"),
    "not a request": encoded("<a/>"),
    "with a document type": encoded(
        "<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>" + request()
    ),
    "without an address": deflated(request(acs="")),
    "to a script": deflated(request(acs="javascript:alert(1)")),
    "in another binding": deflated(request(ProtocolBinding="urn:other")),
    "too long when unpacked": deflated(request() + " " * 3_000_000),
}


@pytest.mark.parametrize("case", BAD)
def test_requests_that_cannot_be_answered(provider, case):
    reply = requests.get(
        provider.address("saml", "sso"), params={"SAMLRequest": BAD[case]}, timeout=30
    )
    assert reply.status_code == 400 and "This request cannot be answered" in reply.text


def test_who_cancels_or_denies_comes_back_with_a_status(provider, browser):
    page = browser.get(sso(provider), timeout=30)
    for persona in ("", "ken"):
        text = xml(dict(hidden(browser.press(page, persona=persona).text)))
        assert "status:Responder" in text and "status:RequestDenied" in text
        assert "Assertion " not in text and "SignatureValue" in text
    shut = browser.press(page, persona="eve")
    assert shut.status_code == 403 and "disabled" in shut.text
    passive = requests.get(sso(provider, request(IsPassive="true")), timeout=30)
    assert "status:NoPassive" in xml(dict(hidden(passive.text)))


def test_names_and_attributes_are_the_personas(provider):
    provider.put(
        "/personas/zoe",
        {
            "email": "zoe@example.com",
            "displayName": "Zoe <Hare>",
            "groups": ["a", "b"],
            "claims": {"department": "otters", "level": 3, "roles": ["x", "y"]},
        },
    )
    text = xml(answered(provider, sso(provider), "zoe"))
    assert names(text) == {
        "email": ["zoe@example.com"],
        "displayName": ["Zoe <Hare>"],
        "givenName": ["Zoe"],
        "surname": ["<Hare>"],
        "groups": ["a", "b"],
        "department": ["otters"],
        "level": ["3"],
        "roles": ["x", "y"],
    }
    persistent = request().replace(
        "</samlp:AuthnRequest>",
        '<samlp:NameIDPolicy Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"/>'
        "</samlp:AuthnRequest>",
    )
    found = [
        re.search("<saml2:NameID[^>]*>([^<]*)<", xml(answered(provider, address, "zoe")))[1]
        for address in (sso(provider), sso(provider, persistent), sso(provider, persistent))
    ]
    assert found[0] == "zoe@example.com" and found[1] == found[2] and "@" not in found[1]


def test_registered_services_have_their_addresses(provider):
    provider.settings("saml", clients=[{"clientId": SERVICE, "redirectUris": [ACS]}])
    assert answered(provider, sso(provider))["SAMLResponse"]
    for text in (request(acs=ACS + "/other"), request(issuer="somebody")):
        reply = requests.get(sso(provider, text), timeout=30)
        assert reply.status_code == 400


def test_consent_is_asked_for_once(provider, browser):
    provider.settings("saml", asksConsent=True)
    address = sso(provider, request(issuer="http://localhost:9/consent", ForceAuthn="true"))
    page = browser.press(browser.get(address, timeout=30), persona="ada")
    assert "groups" in page.text and "SAMLResponse" not in page.text
    refused = browser.press(page, consent="no")
    assert "RequestDenied" in xml(dict(hidden(refused.text)))
    assert "SAMLResponse" in browser.press(page, consent="yes").text
    again = browser.press(browser.get(address, timeout=30), persona="ada")
    assert "SAMLResponse" in again.text


@pytest.mark.parametrize("signs", ["response", "assertion"])
def test_either_part_can_be_left_unsigned(provider, signs):
    provider.settings("saml", signs=signs)
    text = xml(answered(provider, sso(provider)))
    assert text.count("SignatureValue>") == 2
    before = text.index("<ds:Signature ") < text.index("<saml2:Assertion ")
    assert before is (signs == "response")


def test_settings_of_saml_are_saml_s(provider):
    for body in ({"fault": "unsigned"}, {"signs": "assertion"}):
        refused = provider.put("/identityProviders/google", body, 400)
        assert "are of SAML" in refused["error"]["message"]
    assert provider.put("/identityProviders/saml", {"signs": "nothing"}, 400)["error"]


def test_oauth_has_no_place_here(provider):
    reply = requests.get(provider.address("saml", "authorize"), timeout=30)
    assert reply.status_code == 404
    assert requests.get(provider.address("google", "sso"), timeout=30).status_code == 404
    refused = provider.sign_in("ada", 400, provider="saml")
    assert "SAML has no tokens" in refused["error"]["message"]


def test_a_rotated_key_is_in_the_metadata_with_the_older_one(provider):
    before = metadata(provider).count("X509Certificate>")
    requests.post(provider.control + "/identityProviders/saml:rotateKeys", json={}, timeout=30)
    assert metadata(provider).count("X509Certificate>") == before + 2
    test_python3_saml_refuses_what_is_wrong_on_purpose(provider, "tampered")
