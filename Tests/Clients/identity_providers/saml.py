"""A service of SAML, and a project that has Hearth's provider configured."""

import base64
import re
import zlib
from urllib.parse import parse_qs, urlencode, urlsplit
from xml.etree import ElementTree

import requests
from support.server import PROJECT

ACS = "http://localhost:9/acs"
SERVICE = "http://localhost:9/metadata"
HANDLER = "/emulator/auth/handler"
PROVIDER = "saml.here"


def request(acs: str = ACS, issuer: str = SERVICE, **attributes: str) -> str:
    """An AuthnRequest as text."""
    more = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return (
        '<samlp:AuthnRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_r1" '
        f'Version="2.0" IssueInstant="2030-01-01T00:00:00Z" AssertionConsumerServiceURL="{acs}"'
        f'{more}><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">{issuer}'
        "</saml:Issuer></samlp:AuthnRequest>"
    )


def deflated(text: str) -> str:
    packer = zlib.compressobj(wbits=-15)
    return base64.b64encode(packer.compress(text.encode()) + packer.flush()).decode()


def inflated(text: str) -> str:
    return zlib.decompress(base64.b64decode(text), -15).decode()


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def sso(providers, text: str | None = None, **more: str) -> str:
    query = {"SAMLRequest": deflated(text or request())} | more
    return f"{providers.address('saml', 'sso')}?{urlencode(query)}"


def answered(providers, address: str, persona: str = "ada") -> dict:
    """The form that a browser would bring back."""
    return providers.sign_in(persona, authorizationUrl=address)["fields"]


def xml(fields: dict) -> str:
    return base64.b64decode(fields["SAMLResponse"]).decode()


def certificate(providers) -> str:
    text = requests.get(providers.address("saml", "metadata"), timeout=30).text
    return re.search("<ds:X509Certificate>([^<]*)<", text)[1]


def names(text: str) -> dict:
    """The attributes of a response, without looking at its signature."""
    space = "{urn:oasis:names:tc:SAML:2.0:assertion}"
    return {
        attribute.get("Name"): [value.text for value in attribute]
        for attribute in ElementTree.fromstring(text).iter(space + "Attribute")
    }


class Project:
    """Firebase's side."""

    def __init__(self, providers):
        self.providers = providers
        self.auth = providers.auth

    def configure(self, certificates: list[str] | None = None, tenant: str | None = None) -> None:
        config = {
            "idpConfig": {
                "idpEntityId": self.providers.address("saml", "metadata"),
                "ssoUrl": self.providers.address("saml", "sso"),
                "idpCertificates": [{"x509Certificate": text} for text in certificates or []],
            },
            "spConfig": {"spEntityId": "service", "callbackUri": self.auth + HANDLER},
            "enabled": True,
            "displayName": "Here",
        }
        configs = f"{self.auth}/identitytoolkit.googleapis.com/v2/projects/{PROJECT}"
        owner = {"Authorization": "Bearer owner"}
        place = f"/tenants/{tenant}" if tenant else ""
        address = f"{configs}{place}/inboundSamlConfigs"
        requests.delete(f"{address}/{PROVIDER}", headers=owner, timeout=30)
        reply = requests.post(
            f"{address}?inboundSamlConfigId={PROVIDER}", json=config, headers=owner, timeout=30
        )
        assert reply.status_code == 200, reply.text

    def call(self, name: str, body: dict, status: int = 200) -> dict:
        reply = requests.post(
            f"{self.auth}/identitytoolkit.googleapis.com/v1/accounts:{name}?key=any",
            json=body,
            timeout=30,
        )
        assert reply.status_code == status, reply.text
        return reply.json()

    def begin(self, **more: str) -> dict:
        return self.call(
            "createAuthUri", {"providerId": PROVIDER, "continueUri": self.auth + HANDLER} | more
        )

    def finish(self, began: dict, fields: dict, status: int = 200, **more) -> dict:
        body = {
            "requestUri": self.auth + HANDLER,
            "sessionId": began["sessionId"],
            "postBody": urlencode({"providerId": PROVIDER} | fields),
            "returnSecureToken": True,
            "returnIdpCredential": True,
        }
        return self.call("signInWithIdp", body | more, status)

    def refusal(self, began: dict, fields: dict) -> str:
        return self.finish(began, fields, 400)["error"]["message"]


def query(address: str) -> dict:
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
