"""Inspecting a code, and resetting a password with it."""

import pytest
from support.auth.codes import project  # noqa: F401
from support.auth.sign_up import freeze, hearth  # noqa: F401
from support.wire import V1, V3, unsigned

OPEN = {"allowPasswordSignup": True, "enableEmailLinkSignin": True, "enableAnonymousUser": True}
A, B, C = "a@example.com", "b@example.com", "c@example.com"
PHONE = "+15555550100"
WEAK = "WEAK_PASSWORD : Password should be at least 6 characters"


# MARK: Inspecting a code

RESETS = pytest.mark.parametrize(
    "path", [V1 + "resetPassword", V3 + "resetPassword"], ids=["v1", "v3"]
)


@RESETS
@pytest.mark.parametrize("more", [{}, {"newPassword": ""}], ids=["absent", "empty"])
@pytest.mark.parametrize(
    "kind, shown",
    [
        ("PASSWORD_RESET", {"email": A}),
        ("VERIFY_EMAIL", {"email": A}),
        ("EMAIL_SIGNIN", {}),
        ("VERIFY_AND_CHANGE_EMAIL", {"email": A, "newEmail": B}),
    ],
)
def test_inspecting(project, path, kind, shown, more):
    """Any type; nothing is consumed."""
    project.make(email=A)
    code = project.oob(kind, newEmail=B)
    for _ in range(2):
        assert project.post(path, {"oobCode": code, **more}) == {
            "kind": "identitytoolkit#ResetPasswordResponse",
            "requestType": kind,
            **shown,
        }
    assert [one["oobCode"] for one in project.pending()] == [code]


def test_inspecting_a_code_that_recovers(project):
    session = project.sign_up(A)
    project.call("update", {"idToken": session["idToken"], "email": B})
    [record] = project.pending()
    assert project.call("resetPassword", {"oobCode": record["oobCode"]}) == {
        "kind": "identitytoolkit#ResetPasswordResponse",
        "requestType": "RECOVER_EMAIL",
        "email": A,
    }
    assert project.pending() == [record]


@pytest.mark.parametrize("gone", ["deleted", "cleared", "changed"])
def test_inspecting_does_not_look_at_the_user(project, gone):
    """Codes outlive accounts."""
    uid = project.make(email=A)
    code = project.oob("PASSWORD_RESET")
    leave(project, uid, gone)
    assert project.call("resetPassword", {"oobCode": code})["email"] == A
    assert (
        project.error("resetPassword", {"oobCode": code, "newPassword": "secret2"})
        == "INVALID_OOB_CODE"
    )
    assert code not in [one["oobCode"] for one in project.pending()]
    assert project.error("resetPassword", {"oobCode": code}) == "INVALID_OOB_CODE"


def leave(project, uid: str, way: str) -> None:
    if way == "deleted":
        project.admin("/accounts:delete", {"localId": uid})
    elif way == "cleared":
        project.request("DELETE", f"{project.control}/accounts")
    else:
        project.admin("/accounts:update", {"localId": uid, "email": C})


# MARK: Resetting a password


@RESETS
@pytest.mark.parametrize(
    "user",
    [
        {"password": "secret1"},
        {"disabled": True},
        {"password": "secret1", "disabled": True},
        {"emailVerified": True},
        {"phoneNumber": PHONE},
        {},
    ],
    ids=["plain", "disabled without password", "disabled", "verified", "phone", "bare"],
)
def test_resetting(project, path, user):
    """A new hash, a verified address; no tokens, no sign-in."""
    uid = project.make(email=A, **user)
    before = project.user(uid)
    code = project.oob("PASSWORD_RESET")
    project.advance("PT10M")
    now = freeze(project)
    answer = project.post(path, {"oobCode": code, "newPassword": "Secret 2"})
    assert answer == {
        "kind": "identitytoolkit#ResetPasswordResponse",
        "requestType": "PASSWORD_RESET",
        "email": A,
    }
    after = project.user(uid)
    assert after["emailVerified"] is True
    assert after["passwordUpdatedAt"] == now and type(after["passwordUpdatedAt"]) is int
    assert after["validSince"] == str(now // 1000)
    assert after["passwordHash"] != before.get("passwordHash")
    assert after["salt"] != before.get("salt")
    providers = {entry["providerId"] for entry in after["providerUserInfo"]}
    assert providers == {"password"} | ({"phone"} if "phoneNumber" in user else set())
    changed = {
        "emailVerified",
        "passwordUpdatedAt",
        "validSince",
        "passwordHash",
        "salt",
        "providerUserInfo",
    }
    assert {n: v for n, v in after.items() if n not in changed} == {
        n: v for n, v in before.items() if n not in changed
    }
    assert project.pending() == []
    if not user.get("disabled"):
        assert project.sign_in(A, password="Secret 2")["localId"] == uid
        assert (
            project.error("signInWithPassword", {"email": A, "password": "secret1"})
            == "INVALID_PASSWORD"
        )


def test_resetting_ends_older_tokens(project):
    session = project.sign_up(A)
    code = project.oob("PASSWORD_RESET")
    project.advance("PT1M")
    project.call("resetPassword", {"oobCode": code, "newPassword": "secret2"})
    assert project.error("lookup", {"idToken": session["idToken"]}) == "TOKEN_EXPIRED"


def test_a_token_of_the_same_second_stays_valid(project):
    """`iat` equal to `validSince` passes."""
    freeze(project)
    session = project.sign_up(A)
    project.call(
        "resetPassword", {"oobCode": project.oob("PASSWORD_RESET"), "newPassword": "secret2"}
    )
    project.call("lookup", {"idToken": session["idToken"]})


@pytest.mark.parametrize("kind", [float, str, lambda time: time + 0.25])
def test_the_time_of_a_token_is_any_number(project, kind):
    uid = project.make(email=A, password="secret1")
    since = int(project.user(uid)["validSince"])
    claims = {"user_id": uid, "firebase": {"sign_in_provider": "password"}}
    project.call("lookup", {"idToken": unsigned(claims | {"iat": kind(since)})})
    for bad in ({"iat": kind(since - 1)}, {"iat": "now"}, {"iat": None}, {}):
        assert project.error("lookup", {"idToken": unsigned(claims | bad)}) == "TOKEN_EXPIRED"


def test_resetting_unlinks_providers(project):
    """The entries for password and phone stay, and the others find no user."""
    uid = project.make(email=A, password="secret1", phoneNumber=PHONE)
    for provider in ("google.com", "apple.com"):
        project.admin(
            "/accounts:update",
            {
                "localId": uid,
                "linkProviderUserInfo": {"providerId": provider, "rawId": "1", "email": A},
            },
        )
    assert len(project.user(uid)["providerUserInfo"]) == 4
    project.call(
        "resetPassword", {"oobCode": project.oob("PASSWORD_RESET"), "newPassword": "secret2"}
    )
    entries = {entry["providerId"]: entry for entry in project.user(uid)["providerUserInfo"]}
    assert entries == {
        "password": {"providerId": "password", "email": A, "federatedId": A, "rawId": A},
        "phone": {"providerId": "phone", "phoneNumber": PHONE, "rawId": PHONE},
    }
    assert "users" not in project.admin(
        "/accounts:lookup", {"federatedUserId": [{"providerId": "google.com", "rawId": "1"}]}
    )


def test_a_code_belongs_to_its_address(project):
    """Who has the address now is meant."""
    first = project.make(email=A)
    code = project.oob("PASSWORD_RESET")
    project.admin("/accounts:delete", {"localId": first})
    second = project.make(email=A)
    project.call("resetPassword", {"oobCode": code, "newPassword": "secret2"})
    assert project.sign_in(A, password="secret2")["localId"] == second


@pytest.mark.parametrize("kind", ["VERIFY_EMAIL", "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL"])
@pytest.mark.parametrize("password", ["secret2", "short"])
def test_other_codes_do_not_reset(project, kind, password):
    """The type is looked at before the password, and the code is kept."""
    uid = project.make(email=A, password="secret1")
    before = project.user(uid)
    code = project.oob(kind, newEmail=B)
    assert (
        project.error("resetPassword", {"oobCode": code, "newPassword": password})
        == "INVALID_OOB_CODE"
    )
    assert [one["oobCode"] for one in project.pending()] == [code]
    assert project.user(uid) == before


def test_a_code_that_recovers_does_not_reset(project):
    session = project.sign_up(A)
    project.call("update", {"idToken": session["idToken"], "email": B})
    [record] = project.pending()
    assert (
        project.error("resetPassword", {"oobCode": record["oobCode"], "newPassword": "secret2"})
        == "INVALID_OOB_CODE"
    )
    assert project.pending() == [record]


@pytest.mark.parametrize("password", ["x", "short", "\U0001f600\U0001f600a"])
def test_a_code_survives_a_weak_password(project, password):
    project.make(email=A)
    code = project.oob("PASSWORD_RESET")
    assert project.error("resetPassword", {"oobCode": code, "newPassword": password}) == WEAK
    project.call("resetPassword", {"oobCode": code, "newPassword": "\U0001f600" * 3})


@pytest.mark.parametrize(
    "body, message",
    [
        ({}, "MISSING_OOB_CODE"),
        ({"oobCode": ""}, "MISSING_OOB_CODE"),
        ({"oobCode": "", "newPassword": "secret2"}, "MISSING_OOB_CODE"),
        ({"newPassword": "short"}, "MISSING_OOB_CODE"),
        ({"email": A, "oldPassword": "secret1", "newPassword": "secret2"}, "MISSING_OOB_CODE"),
        ({"oobCode": "x"}, "INVALID_OOB_CODE"),
        ({"oobCode": "x", "newPassword": "short"}, "INVALID_OOB_CODE"),
        ({"oobCode": 12, "newPassword": "secret2"}, "INVALID_OOB_CODE"),
    ],
)
def test_resets_that_are_refused(project, body, message):
    """The form with the old password is unsupported."""
    project.make(email=A, password="secret1")
    assert project.error("resetPassword", body) == message
    project.sign_in(A)


def test_what_has_no_effect_on_a_reset(project):
    project.make(email=A, password="secret1")
    project.make(email=B, password="secret1")
    project.call(
        "resetPassword",
        {
            "oobCode": project.oob("PASSWORD_RESET"),
            "newPassword": "secret2",
            "email": B,
            "oldPassword": "wrong one",
        },
    )
    project.sign_in(A, password="secret2")
    project.sign_in(B)


def test_an_administrator_resets_like_a_user(project):
    project.make(email=A)
    answer = project.owner(
        "POST",
        V1 + "resetPassword",
        json={
            "oobCode": project.oob("PASSWORD_RESET"),
            "newPassword": "secret2",
            "targetProjectId": project.id,
        },
    )
    assert answer["requestType"] == "PASSWORD_RESET"


def test_codes_of_a_tenant_are_its_own(project):
    tenant = project.tenant(**OPEN)
    project.make(email=A, tenant=tenant)
    project.make(email=A)
    code = project.oob("PASSWORD_RESET", tenant=tenant)
    assert project.error("resetPassword", {"oobCode": code}) == "INVALID_OOB_CODE"
    project.call("resetPassword", {"oobCode": code, "newPassword": "secret2", "tenantId": tenant})
    project.sign_in(A, password="secret2", tenantId=tenant)


@pytest.mark.parametrize("kind", ["PASSWORD_RESET", "EMAIL_SIGNIN", "VERIFY_EMAIL"])
def test_a_code_is_used_once(project, kind):
    project.make(email=A)
    code = project.oob(kind)
    verb, body = {
        "PASSWORD_RESET": ("resetPassword", {"newPassword": "secret2"}),
        "EMAIL_SIGNIN": ("signInWithEmailLink", {"email": A}),
        "VERIFY_EMAIL": ("update", {}),
    }[kind]
    project.call(verb, {"oobCode": code, **body})
    assert project.error(verb, {"oobCode": code, **body}) == "INVALID_OOB_CODE"
    assert project.error("resetPassword", {"oobCode": code}) == "INVALID_OOB_CODE"
