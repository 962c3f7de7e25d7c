"""The types of the fields of delete, query, createAuthUri, custom tokens and cookies."""

import json

import pytest
from support.auth.accounts import URI, hearth  # noqa: F401
from support.steering import guard, project  # noqa: F401
from support.wire import V3

SCHEMA = "Invalid JSON payload received. "


# MARK: Deleting

DELETED = {"kind": "identitytoolkit#DeleteAccountResponse"}


# MARK: The types of fields, ignored ones too

STRINGS = {
    "delete": ["localId", "idToken", "tenantId", "targetProjectId", "delegatedProjectNumber"],
    "createAuthUri": [
        "identifier",
        "continueUri",
        "providerId",
        "sessionId",
        "tenantId",
        "appId",
        "context",
        "authFlowType",
        "hostedDomain",
        "oauthConsumerKey",
        "oauthScope",
        "openidRealm",
        "otaApp",
    ],
    "signInWithCustomToken": ["token", "tenantId", "delegatedProjectNumber", "instanceId"],
}
TYPES = [
    *(
        (verb, name, value, f"/{name} must be string")
        for verb, fields in STRINGS.items()
        for name in fields
        for value in (True, [], {}, None)
    ),
    ("createAuthUri", "customParameter", "x", "/customParameter must be object"),
    ("createAuthUri", "customParameter", {"a": []}, "/customParameter/a must be string"),
    ("signInWithCustomToken", "returnSecureToken", "true", "/returnSecureToken must be boolean"),
    ("signInWithCustomToken", "returnSecureToken", 1, "/returnSecureToken must be boolean"),
    *(
        (":createSessionCookie", name, value, f"/{name} must be string")
        for name in ("idToken", "validDuration", "tenantId")
        for value in (True, [])
    ),
]


@pytest.mark.parametrize(
    "verb, name, value, problem",
    [pytest.param(*row, id=f"{row[0]} {row[1]} {json.dumps(row[2])}") for row in TYPES],
)
def test_types(project, verb, name, value, problem):
    """Before everything that the operation checks."""
    ask = project.admin_error if verb.startswith(":") else project.error
    assert ask(verb, {name: value}) == SCHEMA + problem


def test_a_number_is_a_text(project):
    answer = project.call("createAuthUri", URI | {"sessionId": 12.5})
    assert answer["sessionId"] == "12.5"
    assert project.admin_error("/accounts:delete", {"localId": 12}) == "USER_NOT_FOUND"
    project.admin("/accounts", {"localId": "12"})
    assert project.admin("/accounts:delete", {"local_id": 12}) == DELETED


# MARK: The old names


@pytest.mark.parametrize(
    "name, body, message",
    [
        ("createAuthUri", {}, "MISSING_IDENTIFIER"),
        ("deleteAccount", {}, "MISSING_ID_TOKEN"),
        ("verifyCustomToken", {}, "MISSING_CUSTOM_TOKEN"),
    ],
)
def test_the_legacy_names(project, name, body, message):
    assert project.error(V3 + name, body) == message
