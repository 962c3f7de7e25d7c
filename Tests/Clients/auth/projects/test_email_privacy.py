"""Duplicate email addresses, and every effect of email enumeration protection."""

import itertools

import pytest
import requests
from support.auth.accounts import cases, hearth, oob_codes, privacy, update  # noqa: F401
from support.auth.project import claims
from support.auth.projects import FRESH, config, duplicate, google, patch, view
from support.steering import guard, project  # noqa: F401

A, B, C = "a@example.com", "b@example.com", "c@example.com"


# MARK: The stored object

SIGN_IN = {"signIn": {"allowDuplicateEmails": True}}


# MARK: Duplicates


@pytest.mark.parametrize("way", ["config", "view"])
@pytest.mark.parametrize("tenant", [None, "t1"])
def test_duplicates_relax_identity_providers(project, tenant, way):
    more = {"tenantId": tenant} if tenant else {}
    if way == "config":
        patch(project, SIGN_IN, "signIn.allowDuplicateEmails")
    else:
        project.request("PATCH", f"{project.control}/config", json=SIGN_IN)
    assert config(project) == FRESH | SIGN_IN
    assert duplicate(project, **more) is True
    users = project.users(tenant=tenant)
    assert len(users) == 2 and [user.get("email") for user in users].count(A) <= 1


@pytest.mark.parametrize("tenant", [None, "t1"])
def test_one_account_for_an_address(project, tenant):
    assert duplicate(project, **({"tenantId": tenant} if tenant else {})) is False
    assert len(project.users(tenant=tenant)) == 1


@pytest.mark.parametrize(
    "act",
    cases(
        {
            "sign-up": lambda p, s: p.error("signUp", {"email": A, "password": "secret1"}),
            "sign-up by the owner": lambda p, s: p.admin_error("/accounts", {"email": A.upper()}),
            "linking": lambda p, s: p.error(
                "signUp", {"idToken": s["idToken"], "email": A, "password": "secret1"}
            ),
            "update": lambda p, s: p.error("update", {"idToken": s["idToken"], "email": A}),
            "update by the owner": lambda p, s: p.admin_error(
                "/accounts:update", {"localId": s["localId"], "email": A}
            ),
        }
    ),
)
def test_a_top_level_address_stays_unique(project, act):
    patch(project, SIGN_IN)
    project.sign_up(A)
    assert act(project, project.sign_up(B)) == "EMAIL_EXISTS"


# MARK: E-mail privacy: the complete list

SENT = "identitytoolkit#GetOobConfirmationCodeResponse"


def sign_in(email: str, password: str = "wrong password", **more):
    return lambda p: p.error("signInWithPassword", {"email": email, "password": password, **more})


def reset_by_owner(project):
    reply = requests.post(
        f"{project.server.auth}{project.v1}/accounts:sendOobCode",
        timeout=30,
        json={"requestType": "PASSWORD_RESET", "email": C.upper(), "returnOobLink": True},
        headers={"Authorization": "Bearer owner"},
    )
    assert oob_codes(project) == []
    return reply.json() if reply.status_code == 200 else reply.json()["error"]["message"]


def reset(project):
    reply = project.raw("sendOobCode", {"requestType": "PASSWORD_RESET", "email": C.upper()})
    assert oob_codes(project) == [] and project.messages() == []
    return reply.json() if reply.status_code == 200 else reply.json()["error"]["message"]


def oob(kind: str, **more):
    return lambda p: p.error("sendOobCode", {"requestType": kind, **more})


def oob_by_owner(kind: str, **more):
    return lambda p: p.admin_error(
        "/accounts:sendOobCode", {"requestType": kind, "returnOobLink": True, **more}
    )


def in_users_name(verb: str, **more):
    """As B, who has a password."""
    return lambda p: p.error(verb, {"idToken": p.sign_in(B)["idToken"], **more})


def codes_for(kind: str, email: str):
    def send(project):
        project.call(
            "sendOobCode", {"requestType": kind, "email": email, "continueUrl": "http://localhost/"}
        )
        return [(code["requestType"], code["email"]) for code in oob_codes(project)]

    return send


def uri_error(**more):
    return lambda p: p.error(
        "createAuthUri", {"identifier": A, "continueUri": "http://localhost/", **more}
    )


def change_address(project):
    session = project.sign_in(B)
    answer = project.call("update", {"idToken": session["idToken"], "email": C})
    return answer["email"], answer["newEmail"], answer["emailVerified"]


LOGIN = "INVALID_LOGIN_CREDENTIALS"
# What is asked; the answer without privacy; with it, where it differs.
PRIVACY = {
    # The rows of the table
    "sign-in, unknown": (sign_in(C), "EMAIL_NOT_FOUND", LOGIN),
    "sign-in, unknown, in capitals": (sign_in(C.upper()), "EMAIL_NOT_FOUND", LOGIN),
    "sign-in, wrong password": (sign_in(A), "INVALID_PASSWORD", LOGIN),
    "sign-in, password in capitals": (sign_in(A, "SECRET1"), "INVALID_PASSWORD", LOGIN),
    "sign-in, no password": (sign_in("none@example.com"), "INVALID_PASSWORD", LOGIN),
    "sign-in, unknown in a tenant": (sign_in(A, tenantId="t1"), "EMAIL_NOT_FOUND", LOGIN),
    "reset, unknown": (reset, "EMAIL_NOT_FOUND", {"kind": SENT, "email": C}),
    "reset by the owner, unknown": (reset_by_owner, "EMAIL_NOT_FOUND", {"kind": SENT, "email": C}),
    # Everything else
    "sign-in, disabled": (sign_in("off@example.com", "secret1"), "USER_DISABLED"),
    "sign-in, disabled, wrong password": (sign_in("off@example.com"), "USER_DISABLED"),
    "sign-in, no address": (
        lambda p: p.error("signInWithPassword", {"password": "x"}),
        "MISSING_EMAIL",
    ),
    "sign-in, empty address": (sign_in(""), "INVALID_EMAIL"),
    "sign-in, bad address": (sign_in("x"), "INVALID_EMAIL"),
    "sign-in, empty password": (sign_in(C, ""), "MISSING_PASSWORD"),
    "sign-in": (lambda p: p.sign_in(A)["registered"], True),
    "sign-up": (lambda p: p.error("signUp", {"email": A, "password": "secret1"}), "EMAIL_EXISTS"),
    "sign-up, weak": (lambda p: p.error("signUp", {"email": A, "password": "x"}), "EMAIL_EXISTS"),
    "sign-up by the owner": (lambda p: p.admin_error("/accounts", {"email": A}), "EMAIL_EXISTS"),
    "linking": (in_users_name("signUp", email=A, password="secret1"), "EMAIL_EXISTS"),
    "reset, no address": (oob("PASSWORD_RESET"), "MISSING_EMAIL"),
    "reset, known": (codes_for("PASSWORD_RESET", A), [("PASSWORD_RESET", A)]),
    "reset, disabled": (
        codes_for("PASSWORD_RESET", "off@example.com"),
        [("PASSWORD_RESET", "off@example.com")],
    ),
    "link, unknown": (codes_for("EMAIL_SIGNIN", C), [("EMAIL_SIGNIN", C)]),
    "verify by the owner, unknown": (oob_by_owner("VERIFY_EMAIL", email=C), "USER_NOT_FOUND"),
    "verify by the owner, no address": (oob_by_owner("VERIFY_EMAIL"), "MISSING_EMAIL"),
    "change by the owner, unknown": (
        oob_by_owner("VERIFY_AND_CHANGE_EMAIL", email=C, newEmail=A),
        "USER_NOT_FOUND",
    ),
    "change by the owner, taken": (
        oob_by_owner("VERIFY_AND_CHANGE_EMAIL", email=B, newEmail=A),
        "EMAIL_EXISTS",
    ),
    "change, taken": (
        in_users_name("sendOobCode", requestType="VERIFY_AND_CHANGE_EMAIL", newEmail=A),
        "EMAIL_EXISTS",
    ),
    "update": (change_address, (C, C, False)),
    "update, taken": (in_users_name("update", email=A), "EMAIL_EXISTS"),
    "update by the owner, taken": (
        lambda p: p.admin_error("/accounts:update", {"localId": "none", "email": A}),
        "EMAIL_EXISTS",
    ),
    "update by the owner, unknown": (
        lambda p: p.admin_error("/accounts:update", {"localId": "x"}),
        "USER_NOT_FOUND",
    ),
    "delete by the owner, unknown": (
        lambda p: p.admin_error("/accounts:delete", {"localId": "x"}),
        "USER_NOT_FOUND",
    ),
    "lookup by the owner": (
        lambda p: p.admin("/accounts:lookup", {"email": [A]})["users"][0]["email"],
        A,
    ),
    "lookup by the owner, unknown": (
        lambda p: "users" in p.admin("/accounts:lookup", {"email": [C]}),
        False,
    ),
    "reset code, unknown": (
        lambda p: p.error("resetPassword", {"oobCode": "x"}),
        "INVALID_OOB_CODE",
    ),
    "link code, unknown": (
        lambda p: p.error("signInWithEmailLink", {"email": C, "oobCode": "x"}),
        "INVALID_OOB_CODE",
    ),
    "identity provider": (
        lambda p: p.idp("facebook.com", {"sub": "1", "email": A}).get("needConfirmation"),
        True,
    ),
    "createAuthUri, no identifier": (uri_error(identifier=""), "MISSING_IDENTIFIER"),
    "createAuthUri, no uri": (uri_error(continueUri=""), "MISSING_CONTINUE_URI"),
    "createAuthUri, bad identifier": (uri_error(identifier="x"), "INVALID_IDENTIFIER"),
    "createAuthUri, bad uri": (uri_error(continueUri="x"), "INVALID_CONTINUE_URI"),
}


def people(project) -> None:
    """A is verified, B is not, one has no password, one is disabled."""
    project.verified(A)
    project.sign_up(B)
    project.admin("/accounts", {"localId": "none", "email": "none@example.com"})
    project.admin(
        "/accounts",
        {"localId": "off", "email": "off@example.com", "password": "secret1", "disabled": True},
    )


@pytest.mark.parametrize("private", [False, True], ids=["open", "private"])
@pytest.mark.parametrize("row", PRIVACY.values(), ids=PRIVACY)
def test_what_privacy_changes(project, row, private):
    people(project)
    if private:
        privacy(project)
    ask, expected = row[0], row[-1] if private else row[1]
    assert ask(project) == expected


def test_identity_providers_do_not_notice_privacy(project):
    privacy(project)
    project.verified(A)
    answer = google(project, "1")
    assert answer.get("isNewUser", False) is False
    assert claims(answer)["firebase"]["identities"] == {"email": [A], "google.com": ["1"]}


@pytest.mark.parametrize("tenant", [None, "t1"])
@pytest.mark.parametrize("way", ["config", "view"])
def test_privacy_is_switched_on_and_off(project, way, tenant):
    """For the tenants too."""
    body = {"email": C, "password": "secret1"} | ({"tenantId": tenant} if tenant else {})
    messages = []
    for value in (False, True, False):
        given = {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": value}}
        if way == "config":
            patch(project, given, "emailPrivacyConfig.enableImprovedEmailPrivacy")
        else:
            project.request("PATCH", f"{project.control}/config", json=given)
        assert view(project)["emailPrivacyConfig"] == given["emailPrivacyConfig"]
        messages.append(project.error("signInWithPassword", body))
    assert messages == ["EMAIL_NOT_FOUND", LOGIN, "EMAIL_NOT_FOUND"]


RESET_FAULTS = {
    "PROJECT_DISABLED": ("tenantId", None),
    "MISSING_REQ_TYPE": ("requestType", "OOB_REQ_TYPE_UNSPECIFIED"),
    "INSUFFICIENT_PERMISSION": ("returnOobLink", True),
    "INVALID_CONTINUE_URI : ((expected an absolute URI with valid scheme and host))": (
        "continueUrl",
        "x",
    ),
    "MISSING_EMAIL": ("email", ""),
}


@pytest.mark.parametrize(
    "first, second",
    [
        pytest.param(*pair, id=" before ".join(fault.split(" ")[0] for fault in pair))
        for pair in itertools.combinations(RESET_FAULTS, 2)
    ],
)
def test_the_order_of_a_private_reset(project, first, second):
    """Privacy hides the address, not the faults of the request."""
    privacy(project)
    body = {"requestType": "PASSWORD_RESET", "email": C}
    for fault in (first, second):
        name, value = RESET_FAULTS[fault]
        body[name] = project.disabled_tenant() if name == "tenantId" else value
    assert project.error("sendOobCode", body) == first


@pytest.mark.parametrize(
    "body, message",
    cases(
        {
            "disabled before the address": ({"tenantId": None, "email": "x"}, "PROJECT_DISABLED"),
            "address before the password": ({"email": "x", "password": ""}, "INVALID_EMAIL"),
            "password before the user": ({"email": C, "password": ""}, "MISSING_PASSWORD"),
            "user before the password's worth": ({"email": C, "password": "x"}, LOGIN),
            "disabled user before the password": (
                {"email": "off@example.com", "password": "x"},
                "USER_DISABLED",
            ),
        }
    ),
)
def test_the_order_of_a_private_sign_in(project, body, message):
    people(project)
    privacy(project)
    if "tenantId" in body:
        body = body | {"tenantId": project.disabled_tenant()}
    assert project.error("signInWithPassword", body) == message


def test_a_private_sign_in_without_a_password_in_a_tenant(project):
    tenant = project.tenant(enableAnonymousUser=True)
    privacy(project)
    for body in ({}, {"email": A, "password": "x"}):
        assert project.error("signInWithPassword", {**body, "tenantId": tenant}) == (
            "PASSWORD_LOGIN_DISABLED"
        )


def test_the_owner_may_change_everything_while_privacy_is_on(project):
    privacy(project)
    session = project.sign_up(A)
    update(project, session["localId"], email=B, password="secret2")
    assert project.user(session["localId"])["email"] == B
    assert project.sign_in(B, password="secret2")["registered"] is True
