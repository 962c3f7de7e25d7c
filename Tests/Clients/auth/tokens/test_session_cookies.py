"""Session cookies."""

import pytest
from support.auth.accounts import (  # noqa: F401
    GOOD,
    INSUFFICIENT,
    cases,
    disabled,
    exchange,
    gone,
    hearth,
    revoked,
    update,
)
from support.auth.project import claims
from support.steering import guard, project  # noqa: F401
from support.wire import decoded, unsigned

A, B, C = "a@example.com", "b@example.com", "c@example.com"
COOKIE = "https://session.firebase.google.com/"


# MARK: Deleting

DELETED = {"kind": "identitytoolkit#DeleteAccountResponse"}


# MARK: Session cookies


def cookie_of(project, session: dict, **more) -> str:
    answer = project.admin(":createSessionCookie", {"idToken": session["idToken"], **more})
    assert answer.keys() == {"sessionCookie"}
    return answer["sessionCookie"]


DURATIONS = {
    "missing": (None, 1209600),
    "empty": ("", 1209600),
    "'0'": ("0", 1209600),
    "0": (0, 1209600),
    "a word": ("soon", 1209600),
    "a number and a word": ("300s", 1209600),
    "NaN": ("NaN", 1209600),
    "nan": ("nan", 1209600),
    "inf": ("inf", 1209600),
    "'300'": ("300", 300),
    "300": (300, 300),
    "301.0": (301.0, 301),
    "1209600": (1209600, 1209600),
    "'1209600'": ("1209600", 1209600),
    "3600": ("3600", 3600),
    "'299'": ("299", None),
    "299": (299, None),
    "299.9": (299.9, None),
    "1": ("1", None),
    "'1209601'": ("1209601", None),
    "1209601": (1209601, None),
    "-300": ("-300", None),
    "Infinity": ("Infinity", None),
    "-1": (-1, None),
    "1e9": (1e9, None),
}


@pytest.mark.parametrize("duration, seconds", cases(DURATIONS))
def test_the_duration_of_a_cookie(project, duration, seconds):
    body = {} if duration is None else {"validDuration": duration}
    session = project.sign_up(A)
    if seconds is None:
        assert project.admin_error(
            ":createSessionCookie", {"idToken": session["idToken"], **body}
        ) == (
            "INVALID_DURATION"
            if duration != 299.9
            else 'Invalid JSON payload received. /validDuration must match format "int64"'
        )
        return
    project.clock(frozen=True)
    now = int(project.now().timestamp())
    cookie = decoded(cookie_of(project, session, **body))[1]
    assert (cookie["iat"], cookie["exp"]) == (now, now + seconds)
    assert type(cookie["iat"]) is int and type(cookie["exp"]) is int


def test_a_cookie_holds_what_the_token_held(project):
    session = exchange(project, GOOD | {"claims": {"role": "admin", "iss2": [1]}})
    token = claims(session)
    update(project, "u", displayName="Later", customAttributes='{"role":"none"}')
    project.advance("PT5M")
    cookie = decoded(cookie_of(project, session))[1]
    changed = {"iat", "exp", "iss"}
    assert {k: v for k, v in cookie.items() if k not in changed} == {
        k: v for k, v in token.items() if k not in changed
    }
    assert cookie["iss"] == COOKIE + project.id
    assert cookie["iat"] >= token["iat"] + 300


def test_the_issuer_of_a_cookie_follows_the_tokens_audience(project):
    """A token that is unsigned may be for anybody."""
    uid = project.sign_up(A)["localId"]
    token = unsigned(
        {
            "aud": "somebody",
            "user_id": uid,
            "iat": 99999999999,
            "firebase": {"sign_in_provider": "password", "identities": {}},
            "x": 1,
        }
    )
    cookie = decoded(cookie_of(project, {"idToken": token}))[1]
    assert cookie["iss"] == COOKIE + "somebody" and cookie["aud"] == "somebody"
    assert cookie["x"] == 1 and cookie["user_id"] == uid


def test_a_cookie_is_taken_for_a_token(project):
    session = project.sign_up(A)
    cookie = cookie_of(project, session)
    [user] = project.call("lookup", {"idToken": cookie})["users"]
    assert user["localId"] == session["localId"]
    again = decoded(cookie_of(project, {"idToken": cookie}, validDuration="300"))[1]
    assert again["iss"] == COOKIE + project.id and again["exp"] - again["iat"] == 300
    project.advance("P13D")
    assert project.call("update", {"idToken": cookie, "displayName": "Ann"})["displayName"] == "Ann"
    assert project.call("delete", {"idToken": cookie}) == DELETED


def test_a_cookie_in_a_tenant(project):
    session = project.sign_up(A, tenantId="t1")
    for tenant in (None, "t1"):
        cookie = project.admin(
            ":createSessionCookie", {"idToken": session["idToken"]}, tenant=tenant
        )["sessionCookie"]
        assert decoded(cookie)[1]["firebase"]["tenant"] == "t1"
    assert (
        project.admin_error(":createSessionCookie", {"idToken": session["idToken"]}, tenant="t2")
        == "TENANT_ID_MISMATCH"
    )


def test_a_cookie_in_a_disabled_tenant(project):
    session = project.sign_up(A, tenantId="t1")
    project.owner(
        "PATCH",
        f"{project.v2}/tenants/t1",
        params={"updateMask": "disableAuth"},
        json={"disableAuth": True},
    )
    assert project.admin(":createSessionCookie", {"idToken": session["idToken"]}, tenant="t1")[
        "sessionCookie"
    ]


@pytest.mark.parametrize("path", [":createSessionCookie", "/tenants/t1:createSessionCookie"])
def test_a_cookie_without_privilege(project, path):
    for body in ({}, {"idToken": project.sign_up(A)["idToken"]}):
        assert project.error(project.v1 + path, body) == INSUFFICIENT


@pytest.mark.parametrize(
    "make, message",
    cases(
        {
            "nothing": (lambda p: {}, "MISSING_ID_TOKEN"),
            "an empty token": (lambda p: {"idToken": ""}, "MISSING_ID_TOKEN"),
            "no token, no duration": (lambda p: {"validDuration": "1"}, "MISSING_ID_TOKEN"),
            "a broken token, no duration": (
                lambda p: {"idToken": "x", "validDuration": "1"},
                "INVALID_DURATION",
            ),
            "a user who is gone, no duration": (
                lambda p: {"idToken": gone(p)["idToken"], "validDuration": "1"},
                "INVALID_DURATION",
            ),
            "a broken token": (lambda p: {"idToken": "x"}, "INVALID_ID_TOKEN"),
            "a user who is gone": (lambda p: {"idToken": gone(p)["idToken"]}, "USER_NOT_FOUND"),
            "a user who is revoked": (
                lambda p: {"idToken": revoked(p)["idToken"]},
                "TOKEN_EXPIRED",
            ),
            "a user who is disabled": (
                lambda p: {"idToken": disabled(p)["idToken"]},
                "USER_DISABLED",
            ),
            "a user who is disabled, no duration": (
                lambda p: {"idToken": disabled(p)["idToken"], "validDuration": "1"},
                "INVALID_DURATION",
            ),
            "a user who is revoked and disabled": (
                lambda p: {"idToken": revoked(p, disableUser=True)["idToken"]},
                "TOKEN_EXPIRED",
            ),
        }
    ),
)
def test_cookies_that_are_refused(project, make, message):
    assert project.admin_error(":createSessionCookie", make(project)) == message
