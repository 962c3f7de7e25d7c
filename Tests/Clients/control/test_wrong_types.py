"""Each field of the control endpoints for providers, push messages and App Check, with a value of each wrong type:
none is taken, none is a 5xx, and the refusal says something.
"""

import copy

import pytest
import requests
from support.steering import guard, project  # noqa: F401

WRONG = {
    str: [5, True, ["a"], {"a": "b"}],
    bool: ["yes", 1, [True], {}],
    list: [5, "a", True, {"a": "b"}],
    dict: [5, "a", True, ["a"]],
    int: ["a", 1.5, [5], {"a": 5}],
}
PERSONA = {
    "email": "ann@example.com",
    "emailVerified": True,
    "displayName": "Ann",
    "picture": "https://a.example/p.png",
    "groups": ["staff"],
    "claims": {},
    "subject": "s",
    "tenant": "t",
    "hidesEmail": False,
    "denies": False,
    "disabled": False,
    "secondFactor": "123456",
}
CLIENTS = [{"clientId": "a", "clientSecret": "s", "redirectUris": ["https://a.example/back"]}]
APP = "1:448618578101:web:cc6c1dc7a65cc83c"
FINGERPRINT = ":".join(["AB"] * 32)
CALLS = {
    "personas": ("PUT", "/personas", {"personas": {"ann": PERSONA}}),
    "persona": ("PUT", "/personas/ann", PERSONA),
    "sign-in": (
        "POST",
        "/personas/ann:signIn",
        {"provider": "google.com", "clientId": "c", "nonce": "n", "scope": "openid"},
    ),
    "sign-in with an address": (
        "POST",
        "/personas/ann:signIn",
        {
            "authorizationUrl": "http://localhost/idp/oidc/authorize?client_id=a&scope=openid"
            "&redirect_uri=http://localhost/&response_type=code"
        },
    ),
    "provider": (
        "PUT",
        "/identityProviders/oidc",
        {"clients": CLIENTS, "asksConsent": True, "fault": "none", "algorithm": "RS256"},
    ),
    "provider of SAML": (
        "PUT",
        "/identityProviders/saml",
        {"clients": CLIENTS, "signs": "assertion"},
    ),
    "links of apps": (
        "PUT",
        "/appLinks",
        {
            "ios": [{"appId": "ABCDE12345.com.example.app", "paths": ["/a"]}],
            "android": [{"packageName": "com.example", "sha256Fingerprints": [FINGERPRINT]}],
        },
    ),
    "device": (
        "POST",
        "/devices",
        {
            "token": "t",
            "platform": "ios",
            "topics": ["news"],
            "name": "Ann's phone",
            "state": "registered",
            "language": "de",
        },
    ),
    "texts": (
        "PUT",
        "/texts",
        {"ios": {"K": "x"}, "languages": {"de": {"android": {"K": "x"}}}, "language": "de"},
    ),
    "token of App Check": (
        "POST",
        "/appCheck:token",
        {"appId": APP, "lifetime": 3600, "limitedUse": True},
    ),
}


def places(value, path=()):
    """All members and elements below a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for name, each in inner:
        yield (*path, name), each
        if isinstance(each, dict | list):
            yield from places(each, (*path, name))


def changed(body: dict, path: tuple, value) -> dict:
    body = copy.deepcopy(body)
    place = body
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    return body


@pytest.mark.parametrize("name", CALLS)
def test_each_field(project, name):  # noqa: F811
    method, path, body = CALLS[name]
    url = project.server.auth + project.control + path
    project.own("PUT", "/personas/ann", json=PERSONA)
    project.own(method, path, json=body)

    def complaint(told) -> str:
        reply = requests.request(method, url, json=told, timeout=30)
        assert reply.status_code == 400, (told, reply.text)
        return reply.json()["error"]["message"]

    for place, value in places(body):
        # Texts of an app may be the file itself.
        wrong = [each for each in WRONG[type(value)] if name != "texts" or each != "a"]
        for each in wrong:
            assert len(complaint(changed(body, place, each))) > 10, place
    for each in (5, "a", []):
        assert complaint(each)
    assert "nobodyKnows" in complaint(body | {"nobodyKnows": 1})
