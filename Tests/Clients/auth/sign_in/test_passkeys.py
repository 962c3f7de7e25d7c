"""Passkeys."""

import base64
import re

import pytest
from support.auth.project import IT, claims
from support.auth.sign_in import enter, finalize, project, refuse  # noqa: F401

A, B = "a@example.com", "b@example.com"
ONE, TWO = "+15555550100", "+15555550101"


# MARK: Passkeys


def start(project, session) -> dict:
    return project.factor("passkeyEnrollment:start", {"idToken": session["idToken"]})


def challenge(text: str) -> None:
    assert re.fullmatch(rb"[A-Za-z0-9]{32}", base64.b64decode(text, validate=True))


@pytest.mark.parametrize("named", [True, False])
def test_the_options_of_a_passkey(project, named):
    session = project.sign_up(A, displayName="Ann") if named else project.call("signUp", {})
    answer = start(project, session)
    assert answer.keys() == {"credentialCreationOptions"}
    options = answer["credentialCreationOptions"]
    challenge(options.pop("challenge"))
    assert options == {
        "rp": {"name": "localhost", "id": "localhost"},
        "user": {
            "id": base64.b64encode(session["localId"].encode()).decode(),
            "name": A if named else "user@example.com",
            "displayName": "Ann" if named else "User",
        },
        "pubKeyCredParams": [
            {"type": "public-key", "alg": -7},
            {"type": "public-key", "alg": -257},
        ],
        "timeout": 60000,
        "attestation": "none",
    }
    answer = project.factor("passkeySignIn:start", {})
    assert answer.keys() == {"credentialRequestOptions"}
    challenge(answer["credentialRequestOptions"].pop("challenge"))
    assert answer["credentialRequestOptions"] == {
        "rpId": "localhost",
        "userVerification": "required",
    }


@pytest.mark.parametrize(
    "names, expected",
    [
        ({}, "Unnamed Passkey"),
        ({"displayName": "Shown"}, "Shown"),
        ({"name": "Named", "displayName": "Shown"}, "Named"),
    ],
)
def test_a_passkey_signs_in(project, names, expected):
    session = project.sign_up(A)
    answer = finalize(project, session, {"id": "p1", "response": {"clientDataJSON": "x"}}, **names)
    assert answer.keys() == {"localId", "idToken", "refreshToken"}
    assert answer["localId"] == session["localId"]
    assert claims(answer)["firebase"]["sign_in_provider"] == "passkey"
    user = project.user(session["localId"])
    assert user["passkeyInfo"] == [{"credentialId": "p1", "name": expected}]
    project.advance("PT1S")
    again = enter(project, {"id": "p1"}, name="ignored")
    assert again.keys() == {"idToken", "refreshToken"}
    assert claims(again)["sub"] == session["localId"]
    assert claims(again)["firebase"]["sign_in_provider"] == "passkey"
    assert int(project.user(session["localId"])["lastLoginAt"]) > int(user["lastLoginAt"])


def test_what_passkeys_refuse(project):
    session = project.sign_up(A)
    for name in ("passkeyEnrollment:start", "passkeyEnrollment:finalize"):
        assert refuse(project, name, {}) == "MISSING_ID_TOKEN"
    assert refuse(project, "passkeyEnrollment:start", {"idToken": "x"}) == "INVALID_ID_TOKEN"
    assert refuse(project, "passkeyEnrollment:finalize", {"idToken": "x"}) == (
        "MISSING_AUTHENTICATOR_RESPONSE"
    )
    bad = {"idToken": "x"}
    assert finalize(project, bad, {}, 400)["error"]["message"] == "INVALID_ID_TOKEN"
    assert finalize(project, session, {}, 400)["error"]["message"] == "INVALID_CREDENTIAL_ID"
    finalize(project, session, {"id": "p1"})
    for taken in (session, project.sign_up(B)):
        answer = finalize(project, taken, {"id": "p1"}, 400)
        assert answer["error"]["message"] == "CREDENTIAL_ALREADY_IN_USE"
    assert refuse(project, "passkeySignIn:finalize", {}) == "MISSING_AUTHENTICATOR_RESPONSE"
    assert enter(project, {}, 400)["error"]["message"] == "INVALID_CREDENTIAL_ID"
    assert enter(project, {"id": "p2"}, 400)["error"]["message"] == "PASSKEY_CREDENTIAL_NOT_FOUND"
    project.admin("/accounts:update", {"localId": session["localId"], "disableUser": True})
    assert enter(project, {"id": "p1"}, 400)["error"]["message"] == "USER_DISABLED"


PASSKEYS = [
    "passkeyEnrollment:start",
    "passkeyEnrollment:finalize",
    "passkeySignIn:start",
    "passkeySignIn:finalize",
]


@pytest.mark.parametrize("name", PASSKEYS)
def test_passkeys_want_a_key_and_an_enabled_tenant(project, name):
    assert refuse(project, name, {"tenantId": project.disabled_tenant()}) == "PROJECT_DISABLED"
    answer = project.owner("POST", f"{IT}/v2/accounts/{name}", 403, json={})
    assert answer["error"]["status"] == "PERMISSION_DENIED"
    assert answer["error"]["message"] == "The request is missing a valid API key."


def test_passkeys_belong_to_a_tenant(project):
    session = project.sign_up(A, tenantId="t1")
    finalize(project, session, {"id": "p1"})
    assert enter(project, {"id": "p1"}, 400)["error"]["message"] == "PASSKEY_CREDENTIAL_NOT_FOUND"
    answer = enter(project, {"id": "p1"}, tenantId="t1")
    assert claims(answer)["firebase"]["tenant"] == "t1"
    finalize(project, project.sign_up(A), {"id": "p1"})


def test_a_passkey_is_given_up(project):
    session = project.sign_up(A)
    for credential in ("p1", "p2"):
        finalize(project, session, {"id": credential})
    project.call("update", {"idToken": session["idToken"], "deletePasskey": ["p1", "unknown"]})
    info = project.user(session["localId"])["passkeyInfo"]
    assert [passkey["credentialId"] for passkey in info] == ["p2"]
    project.admin("/accounts:update", {"localId": session["localId"], "deletePasskey": ["p2"]})
    assert project.user(session["localId"])["passkeyInfo"] == []
    other = project.sign_up(B)
    project.admin("/accounts:update", {"localId": other["localId"], "deletePasskey": ["p2"]})
    assert project.user(other["localId"])["passkeyInfo"] == []
    finalize(project, other, {"id": "p1"})


def test_deleting_a_user_frees_their_passkeys(project):
    session = project.sign_up(A)
    finalize(project, session, {"id": "p1"})
    project.call("delete", {"idToken": session["idToken"]})
    finalize(project, project.sign_up(B), {"id": "p1"})


def test_a_passkey_session_may_have_second_factors(project):
    session = finalize(project, project.verified(A), {"id": "p1"})
    project.enroll(session, ONE)
