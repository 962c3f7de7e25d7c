"""accounts:createAuthUri: the sign-in methods of an email address."""

import re

import pytest
from support.auth.accounts import (  # noqa: F401
    URI,
    by_link,
    cases,
    disabled,
    hearth,
    in_pairs,
    link,
    privacy,
    registered,
    update,
)
from support.steering import guard, project  # noqa: F401

A, B, C = "a@example.com", "b@example.com", "c@example.com"
ONE = "+15555550100"


# MARK: createAuthUri

KIND = "identitytoolkit#CreateAuthUriResponse"


def duplicates(project) -> None:
    project.configure("signIn.allowDuplicateEmails", signIn={"allowDuplicateEmails": True})


def google(project, email: str = A, sub: str = "1") -> dict:
    return project.idp("google.com", {"sub": sub, "email": email, "email_verified": True})


def elsewhere(project, **more) -> str:
    """A user with a password at B, and with A at a provider only."""
    uid = project.sign_up(B)["localId"]
    link(project, uid, "google.com", A, **more)
    return uid


def nameless(project) -> None:
    """A user without an address of their own, and with A at a provider."""
    project.call("signInWithCustomToken", {"token": '{"uid":"u"}'})
    link(project, "u", "google.com", A)


def both_ways(project) -> None:
    project.sign_up(A)
    by_link(project, A)


def password_after_google(project) -> None:
    session = google(project)
    project.call("update", {"idToken": session["idToken"], "password": "secret1"})


def password_deleted(project) -> None:
    update(project, project.sign_up(A)["localId"], deleteAttribute=["PASSWORD"])


def with_phone(project) -> None:
    update(project, project.sign_up(A)["localId"], phoneNumber=ONE)


def several(project) -> None:
    uid = project.sign_up(A)["localId"]
    for provider in ("oidc.x", "apple.com", "saml.y"):
        link(project, uid, provider)


def owner_and_other(project) -> None:
    elsewhere(project)
    project.sign_up(A)


USERS = {
    # name: (fill, (registered, providers, methods), the same with duplicates allowed)
    "nobody": (lambda p: None, (False, [], []), (False, [], [])),
    "password": (
        lambda p: p.sign_up(A),
        (True, ["password"], ["password"]),
        (True, ["password"], ["password"]),
    ),
    "e-mail link": (
        lambda p: by_link(p, A),
        (True, ["password"], ["emailLink"]),
        (True, ["password"], ["emailLink"]),
    ),
    "password and link": (
        both_ways,
        (True, ["password"], ["password", "emailLink"]),
        (True, ["password"], ["password", "emailLink"]),
    ),
    "google": (google, (True, ["google.com"], ["google.com"]), (True, [], [])),
    "google, then a password": (
        password_after_google,
        (True, ["google.com", "password"], ["google.com", "password"]),
        (True, ["password"], ["password"]),
    ),
    "a password and a number": (
        with_phone,
        (True, ["password"], ["password"]),
        (True, ["password"], ["password"]),
    ),
    "several providers": (
        several,
        (
            True,
            ["password", "oidc.x", "apple.com", "saml.y"],
            ["password", "oidc.x", "apple.com", "saml.y"],
        ),
        (True, ["password"], ["password"]),
    ),
    "an address only": (
        lambda p: p.admin("/accounts", {"email": A}),
        (True, [], []),
        (True, [], []),
    ),
    "a password that is gone": (password_deleted, (True, [], []), (True, [], [])),
    "disabled": (disabled, (True, ["password"], ["password"]), (True, ["password"], ["password"])),
    "at a provider only": (
        elsewhere,
        (True, ["password", "google.com"], ["password", "google.com"]),
        (True, ["password"], ["password"]),
    ),
    "at a provider only, nameless": (
        nameless,
        (True, ["google.com"], ["google.com"]),
        (False, [], []),
    ),
    "the owner goes first": (
        owner_and_other,
        (True, ["password"], ["password"]),
        (True, ["password"], ["password"]),
    ),
    "in a tenant": (lambda p: p.sign_up(A, tenantId="t1"), (False, [], []), (False, [], [])),
}


@pytest.mark.parametrize(
    "fill, expected", cases({name: (fill, expected) for name, (fill, expected, _) in USERS.items()})
)
def test_the_methods_of_an_address(project, fill, expected):
    fill(project)
    for identifier in (A, A.upper()):
        answer = registered(project, identifier)
        assert re.fullmatch(r"[A-Za-z0-9]{27}", answer.pop("sessionId"))
        assert answer == dict(
            zip(("kind", "registered", "allProviders", "signinMethods"), (KIND, *expected))
        )


@pytest.mark.parametrize(
    "fill, expected", cases({name: (fill, expected) for name, (fill, _, expected) in USERS.items()})
)
def test_the_methods_where_duplicates_are_allowed(project, fill, expected):
    """Providers are not returned, and only users with an address of their own count."""
    fill(project)
    duplicates(project)
    answer = registered(project)
    del answer["sessionId"]
    assert answer == dict(
        zip(("kind", "registered", "allProviders", "signinMethods"), (KIND, *expected))
    )


@pytest.mark.parametrize("fill", cases({name: row[0] for name, row in USERS.items()}))
@pytest.mark.parametrize("more", [False, True], ids=["one account", "duplicates"])
def test_the_methods_are_private(project, fill, more):
    fill(project)
    if more:
        duplicates(project)
    privacy(project)
    answer = registered(project)
    assert answer.keys() == {"kind", "sessionId"} and answer["kind"] == KIND


def test_the_session_id_of_the_request_comes_back(project):
    assert registered(project, sessionId="my session")["sessionId"] == "my session"
    found = {registered(project)["sessionId"] for _ in range(5)}
    assert len(found) == 5 and all(re.fullmatch(r"[A-Za-z0-9]{27}", one) for one in found)
    assert re.fullmatch(r"[A-Za-z0-9]{27}", registered(project, sessionId="")["sessionId"])


def test_what_create_auth_uri_ignores(project):
    project.sign_up(A)
    answer = registered(
        project,
        appId="x",
        authFlowType="x",
        context="x",
        customParameter={"a": "b"},
        hostedDomain="x",
        oauthConsumerKey="x",
        oauthScope="x",
        openidRealm="x",
        otaApp="x",
        providerId="",
        sessionId="s",
        unknown=[1],
    )
    assert answer == {
        "kind": KIND,
        "registered": True,
        "allProviders": ["password"],
        "sessionId": "s",
        "signinMethods": ["password"],
    }


def test_create_auth_uri_in_a_tenant(project):
    project.sign_up(A, tenantId="t1")
    assert registered(project, tenantId="t1")["registered"] is True
    assert registered(project, tenantId="t2")["registered"] is False


AUTH_URI_FAULTS = {
    "PROJECT_DISABLED": (["tenantId"], "PROJECT_DISABLED", "disabled"),
    "MISSING_IDENTIFIER": (["identifier"], "MISSING_IDENTIFIER", None),
    "MISSING_CONTINUE_URI": (["continueUri"], "MISSING_CONTINUE_URI", None),
    "INVALID_IDENTIFIER": (["identifier"], "INVALID_IDENTIFIER", "no address"),
    "INVALID_CONTINUE_URI": (["continueUri"], "INVALID_CONTINUE_URI", "no uri"),
}


def faulty(project, body: dict, *faults) -> dict:
    """The body with these faults: a field that is missing or has that value."""
    body = dict(body)
    for [name], _, value in faults:
        if value is None:
            del body[name]
        else:
            body[name] = project.disabled_tenant() if value == "disabled" else value
    return body


@pytest.mark.parametrize("private", [False, True], ids=["open", "private"])
@pytest.mark.parametrize("fault", AUTH_URI_FAULTS.values(), ids=AUTH_URI_FAULTS)
def test_what_create_auth_uri_refuses(project, fault, private):
    if private:
        privacy(project)
    assert project.error("createAuthUri", faulty(project, URI, fault)) == fault[1]
    if fault[2] is None:
        assert project.error("createAuthUri", URI | {fault[0][0]: ""}) == fault[1]


@pytest.mark.parametrize("first, second", in_pairs(AUTH_URI_FAULTS))
def test_the_order_of_create_auth_uri(project, first, second):
    assert project.error("createAuthUri", faulty(project, URI, first, second)) == first[1]
