"""Signing in with an email link."""

import base64
import json
import re

import pytest
from support.auth.codes import project, token  # noqa: F401
from support.auth.project import claims
from support.auth.sign_up import freeze, fresh, hearth, same_time, token_block  # noqa: F401
from support.wire import V1, V3

TOKENS = {"idToken", "refreshToken", "expiresIn"}
OPEN = {"allowPasswordSignup": True, "enableEmailLinkSignin": True, "enableAnonymousUser": True}
A, B, C = "a@example.com", "b@example.com", "c@example.com"
PHONE = "+15555550100"
MISMATCH = "INVALID_EMAIL : The email provided does not match the sign-in email address."


# MARK: Signing in with a link

LINKS = pytest.mark.parametrize(
    "path", [V1 + "signInWithEmailLink", V3 + "emailLinkSignin"], ids=["v1", "v3"]
)
LINK_ANSWER = {"kind", "email", "localId", "isNewUser"}


@LINKS
@pytest.mark.parametrize("email", [A, A.upper()])
@pytest.mark.parametrize("more", [{}, {"idToken": ""}], ids=["absent", "empty"])
def test_a_link_makes_a_user(project, path, email, more):
    now = freeze(project)
    answer = project.post(path, {"email": email, "oobCode": project.oob("EMAIL_SIGNIN"), **more})
    assert answer.keys() == LINK_ANSWER | TOKENS
    assert answer["kind"] == "identitytoolkit#EmailLinkSigninResponse"
    assert answer["email"] == A and answer["isNewUser"] is True
    assert re.fullmatch(r"[A-Za-z0-9]{28}", answer["localId"])
    content = token_block(answer)
    assert content["firebase"] == {"identities": {"email": [A]}, "sign_in_provider": "password"}
    assert content["email_verified"] is True and "provider_id" not in content
    record = project.user(answer["localId"])
    assert record == {
        "localId": answer["localId"],
        "email": A,
        "emailVerified": True,
        "emailLinkSignin": True,
        "createdAt": str(now),
        "lastLoginAt": str(now),
        "lastRefreshAt": record["lastRefreshAt"],
        "providerUserInfo": [{"providerId": "password", "email": A, "federatedId": A, "rawId": A}],
    }
    assert project.pending() == []


@LINKS
@pytest.mark.parametrize(
    "user",
    [{"password": "secret1"}, {}, {"password": "secret1", "displayName": "Ann", "photoUrl": "u"}],
    ids=["plain", "without password", "profile"],
)
def test_a_link_for_a_user(project, path, user):
    """`validSince`, the password and the profile stay."""
    uid = project.make(email=A, **user)
    before = project.user(uid)
    project.advance("PT1H")
    now = freeze(project)
    answer = project.post(path, {"email": A, "oobCode": project.oob("EMAIL_SIGNIN")})
    assert answer.keys() == LINK_ANSWER | TOKENS
    assert (answer["localId"], answer["isNewUser"]) == (uid, False)
    after = project.user(uid)
    same_time(after, "lastLoginAt", now)
    assert (after["emailVerified"], after["emailLinkSignin"]) == (True, True)
    changed = {
        "lastLoginAt",
        "lastRefreshAt",
        "emailVerified",
        "emailLinkSignin",
        "providerUserInfo",
    }
    assert {n: v for n, v in after.items() if n not in changed} == {
        n: v for n, v in before.items() if n not in changed
    }
    assert [entry["providerId"] for entry in after["providerUserInfo"]] == ["password"]


@LINKS
@pytest.mark.parametrize("password", [True, False], ids=["password", "anonymous"])
def test_a_link_replaces_the_address_of_the_tokens_user(project, path, password):
    """Without an initial address, and without a code to recover it."""
    session = project.sign_up(B) if password else project.call("signUp", {})
    before = project.user(session["localId"])
    code = project.oob("EMAIL_SIGNIN")
    project.advance("PT10M")
    answer = project.post(path, {"email": A, "oobCode": code, "idToken": session["idToken"]})
    assert (answer["localId"], answer["isNewUser"]) == (session["localId"], False)
    assert answer["email"] == A
    assert token_block(answer)["firebase"]["sign_in_provider"] == "password"
    [record] = project.users()
    assert record["email"] == A and record["emailVerified"] is True
    assert "initialEmail" not in record
    assert record.get("validSince") == before.get("validSince")
    assert record["createdAt"] == before["createdAt"]
    assert project.pending() == [] and project.sent_messages() == []
    project.call("lookup", {"idToken": session["idToken"]})


def test_a_link_for_the_tokens_own_address(project):
    session = project.sign_up(A)
    answer = project.call(
        "signInWithEmailLink",
        {"email": A, "oobCode": project.oob("EMAIL_SIGNIN"), "idToken": session["idToken"]},
    )
    assert (answer["localId"], answer["isNewUser"]) == (session["localId"], False)


@pytest.mark.parametrize("token_of", ["anonymous", "password"])
def test_a_link_for_the_address_of_another_user(project, token_of):
    """The code is gone."""
    project.make(email=A)
    session = project.call("signUp", {}) if token_of == "anonymous" else project.sign_up(B)
    code = project.oob("EMAIL_SIGNIN")
    body = {"email": A, "oobCode": code, "idToken": session["idToken"]}
    assert project.error("signInWithEmailLink", body) == "EMAIL_EXISTS"
    assert project.pending() == []
    assert project.error("signInWithEmailLink", body) == "INVALID_OOB_CODE"


def test_the_address_of_another_user_is_checked_before_disabled(project):
    """It is the token's user who must not be disabled."""
    project.make(email=A, disabled=True)
    session = project.call("signUp", {})
    assert (
        project.error(
            "signInWithEmailLink",
            {"email": A, "oobCode": project.oob("EMAIL_SIGNIN"), "idToken": session["idToken"]},
        )
        == "EMAIL_EXISTS"
    )


def test_a_link_for_a_disabled_user(project):
    """The code is gone, the user unchanged."""
    uid = project.make(email=A, disabled=True)
    before = project.user(uid)
    body = {"email": A, "oobCode": project.oob("EMAIL_SIGNIN")}
    assert project.error("signInWithEmailLink", body) == "USER_DISABLED"
    assert project.error("signInWithEmailLink", body) == "INVALID_OOB_CODE"
    assert project.user(uid) == before


def test_a_link_with_the_token_of_a_disabled_user(project):
    """The token is looked at first, and the code is kept."""
    uid = project.make(email=B, disabled=True)
    code = project.oob("EMAIL_SIGNIN")
    assert (
        project.error("signInWithEmailLink", {"email": A, "oobCode": code, "idToken": token(uid)})
        == "USER_DISABLED"
    )
    assert [one["oobCode"] for one in project.pending()] == [code]


@pytest.mark.parametrize(
    "body, message",
    [
        ({}, "MISSING_EMAIL"),
        ({"email": ""}, "MISSING_EMAIL"),
        ({"oobCode": "x"}, "MISSING_EMAIL"),
        ({"email": A}, "MISSING_OOB_CODE"),
        ({"email": A, "oobCode": ""}, "MISSING_OOB_CODE"),
        ({"email": "x"}, "MISSING_OOB_CODE"),
        ({"email": A, "oobCode": "x"}, "INVALID_OOB_CODE"),
        ({"email": "x", "oobCode": "x"}, "INVALID_OOB_CODE"),
        ({"idToken": "x"}, "INVALID_ID_TOKEN"),
        ({"email": A, "idToken": "x"}, "INVALID_ID_TOKEN"),
    ],
)
def test_links_that_are_refused(project, body, message):
    assert project.error("signInWithEmailLink", body) == message


@pytest.mark.parametrize("kind", ["PASSWORD_RESET", "VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"])
@pytest.mark.parametrize("email", [A, B])
def test_other_codes_do_not_sign_in(project, kind, email):
    """The type is looked at before the address, and the code is kept."""
    project.make(email=A)
    code = project.oob(kind, newEmail=B)
    assert (
        project.error("signInWithEmailLink", {"email": email, "oobCode": code})
        == "INVALID_OOB_CODE"
    )
    assert [one["oobCode"] for one in project.pending()] == [code]


@pytest.mark.parametrize("email", [B, "x", "a@example.co", f" {A}", f"{A} "])
def test_a_link_for_another_address(project, email):
    """The code is kept."""
    code = project.oob("EMAIL_SIGNIN")
    assert project.error("signInWithEmailLink", {"email": email, "oobCode": code}) == MISMATCH
    assert project.call("signInWithEmailLink", {"email": A, "oobCode": code})["isNewUser"]


def test_a_link_for_an_address_that_only_looks_alike(project):
    code = project.oob("EMAIL_SIGNIN", "\u00e4@example.com")
    assert (
        project.error("signInWithEmailLink", {"email": "a\u0308@example.com", "oobCode": code})
        == MISMATCH
    )


def test_a_link_for_an_invalid_address(project):
    """Neither step looks at its form."""
    answer = project.call(
        "signInWithEmailLink", {"email": "NoBody", "oobCode": project.oob("EMAIL_SIGNIN", "nobody")}
    )
    assert answer["email"] == "nobody" and answer["isNewUser"] is True


@LINKS
@pytest.mark.parametrize("with_token", [False, True], ids=["address", "token"])
def test_a_link_of_a_user_with_a_second_factor(project, path, with_token):
    """The address is changed and verified, but the user has not signed in yet."""
    session = project.sign_up(
        B if with_token else A, mfaInfo=[{"phoneInfo": PHONE, "displayName": "Mine"}]
    )
    before = project.user(session["localId"])
    code = project.oob("EMAIL_SIGNIN")
    project.advance("PT10M")
    body = {"email": A, "oobCode": code}
    if with_token:
        body["idToken"] = session["idToken"]
    answer = project.post(path, body)
    assert answer.keys() == LINK_ANSWER | {"mfaPendingCredential", "mfaInfo"}
    assert (answer["localId"], answer["email"]) == (session["localId"], A)
    assert answer["isNewUser"] is False
    [factor] = answer["mfaInfo"]
    assert factor["phoneInfo"] == "+*******0100" and factor["displayName"] == "Mine"
    assert factor["mfaEnrollmentId"] == before["mfaInfo"][0]["mfaEnrollmentId"]
    content = json.loads(base64.b64decode(answer["mfaPendingCredential"], validate=True))
    assert content["_AuthEmulatorMfaPendingCredential"]
    assert (content["localId"], content["signInProvider"], content["projectId"]) == (
        session["localId"],
        "password",
        project.id,
    )
    after = project.user(session["localId"])
    assert (after["email"], after["emailVerified"], after["emailLinkSignin"]) == (A, True, True)
    for name in ("lastLoginAt", "lastRefreshAt", "validSince"):
        assert after[name] == before[name]


def test_a_tenant_without_second_factors_does_not_ask(project):
    tenant = project.tenant(**OPEN, mfaConfig={"state": "DISABLED"})
    project.sign_up(A, tenantId=tenant, mfaInfo=[{"phoneInfo": PHONE}])
    code = project.oob("EMAIL_SIGNIN", tenant=tenant)
    answer = project.call("signInWithEmailLink", {"email": A, "oobCode": code, "tenantId": tenant})
    assert answer.keys() >= TOKENS


def test_a_link_of_a_tenant(project):
    tenant = project.tenant(**OPEN)
    code = project.oob("EMAIL_SIGNIN", tenant=tenant)
    body = {"email": A, "oobCode": code}
    assert project.error("signInWithEmailLink", body) == "INVALID_OOB_CODE"
    answer = project.call("signInWithEmailLink", {**body, "tenantId": tenant})
    assert claims(answer)["firebase"]["tenant"] == tenant
    assert project.user(answer["localId"], tenant=tenant)["tenantId"] == tenant
    assert project.users() == []


def test_an_anonymous_user_keeps_their_id(project):
    """With a token that is older than the last sign-in elsewhere."""
    session = project.call("signUp", {})
    answer = project.call(
        "signInWithEmailLink",
        {"email": A, "oobCode": project.oob("EMAIL_SIGNIN"), "idToken": fresh(session)},
    )
    assert answer["localId"] == session["localId"]


def test_the_owner_signs_in_like_a_user(project):
    token_block(
        project.owner(
            "POST",
            V1 + "signInWithEmailLink",
            json={
                "email": A,
                "oobCode": project.oob("EMAIL_SIGNIN"),
                "targetProjectId": project.id,
            },
        )
    )
