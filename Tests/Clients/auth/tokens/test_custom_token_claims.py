"""Custom tokens, reserved claims and session cookies in projects and tenants."""

import json

import jwt
import pytest
from support.auth.project import claims
from support.auth.sign_in import project  # noqa: F401
from support.wire import CUSTOM_TOKEN_AUDIENCE, TOKEN, unsigned

A, B = "a@example.com", "b@example.com"


# MARK: Custom tokens, reserved claims, session cookies

RESERVED = [
    "iss",
    "aud",
    "sub",
    "iat",
    "exp",
    "nbf",
    "jti",
    "nonce",
    "azp",
    "acr",
    "amr",
    "cnf",
    "auth_time",
    "firebase",
    "at_hash",
    "c_hash",
]
STRICT = (
    "INVALID_CUSTOM_TOKEN : ((Auth Emulator only accepts strict JSON or JWTs as fake custom "
    "tokens.))"
)


def audience(aud) -> str:
    return (
        f"INVALID_CUSTOM_TOKEN : ((Invalid aud (audience): {aud} Note: Firebase ID Tokens / "
        "third-party tokens cannot be used with signInWithCustomToken.))"
    )


@pytest.mark.parametrize(
    "token, message",
    [
        (None, "MISSING_CUSTOM_TOKEN"),
        ("", "MISSING_CUSTOM_TOKEN"),
        ("{uid: 1}", STRICT),
        ("x", "INVALID_CUSTOM_TOKEN : Invalid assertion format"),
        ("x.y.z", "INVALID_CUSTOM_TOKEN : Invalid assertion format"),
        (unsigned({"aud": "other", "uid": "u"}), audience("other")),
        ("{}", "MISSING_IDENTIFIER"),
        ('{"uid":""}', "MISSING_IDENTIFIER"),
        ('{"uid":"","user_id":"u"}', "MISSING_IDENTIFIER"),
        ('{"uid":{}}', "MISSING_IDENTIFIER"),
        (unsigned({"aud": CUSTOM_TOKEN_AUDIENCE}), "MISSING_IDENTIFIER"),
        ('{"uid":"u","claims":"x"}', "INVALID_CLAIMS"),
        ('{"uid":"u","claims":[1]}', "INVALID_CLAIMS"),
        ('{"uid":"u","claims":5}', "INVALID_CLAIMS"),
        ('{"uid":"u","claims":{"c_hash":1,"sub":1}}', "FORBIDDEN_CLAIM : sub"),
        *(
            (json.dumps({"uid": "u", "claims": {name: 1}}), f"FORBIDDEN_CLAIM : {name}")
            for name in RESERVED
        ),
    ],
)
def test_custom_tokens_that_are_refused(project, token, message):
    body = {} if token is None else {"token": token}
    assert project.error("signInWithCustomToken", body) == message
    assert project.users() == []


@pytest.mark.parametrize(
    "token, uid",
    [
        ('{"uid":"u"}', "u"),
        ('{"user_id":"u"}', "u"),
        ('{"uid":5}', "5"),
        ('{"uid":true}', "true"),
        (unsigned({"aud": CUSTOM_TOKEN_AUDIENCE, "uid": "u"}), "u"),
        (
            jwt.encode(
                {"aud": CUSTOM_TOKEN_AUDIENCE, "user_id": "u", "exp": 1, "iss": "x"},
                "k" * 32,
                algorithm="HS256",
            ),
            "u",
        ),
    ],
)
def test_custom_tokens_that_are_taken(project, token, uid):
    answer = project.call("signInWithCustomToken", {"token": token})
    assert answer.keys() == {"kind", "isNewUser", "idToken", "refreshToken", "expiresIn"}
    assert answer["kind"] == "identitytoolkit#VerifyCustomTokenResponse"
    assert answer["isNewUser"] is True and claims(answer)["sub"] == uid
    assert claims(answer)["firebase"]["sign_in_provider"] == "custom"
    assert project.user(uid)["customAuth"] is True
    again = project.call("signInWithCustomToken", {"token": token})
    assert again["isNewUser"] is False


def test_the_claims_of_a_custom_token(project):
    project.admin("/accounts", {"localId": "u"})
    project.admin(
        "/accounts:update", {"localId": "u", "customAttributes": '{"a":"stored","kept":1}'}
    )
    session = project.call(
        "signInWithCustomToken", {"token": '{"uid":"u","claims":{"a":"token","b":2}}'}
    )
    refreshed = project.post(
        TOKEN, {"grant_type": "refresh_token", "refresh_token": session["refreshToken"]}
    )
    for token in (session, {"idToken": refreshed["id_token"]}):
        assert {"a": "token", "kept": 1, "b": 2}.items() <= claims(token).items()
    project.admin("/accounts:update", {"localId": "u", "disableUser": True})
    assert project.error("signInWithCustomToken", {"token": '{"uid":"u"}'}) == "USER_DISABLED"


@pytest.mark.parametrize(
    "attributes, message",
    [
        ("x" * 1001, "CLAIMS_TOO_LARGE"),
        (json.dumps({"a": "x" * 1000}), "CLAIMS_TOO_LARGE"),
        ("{", "INVALID_CLAIMS"),
        ("[]", "INVALID_CLAIMS"),
        ("5", "INVALID_CLAIMS"),
        *((json.dumps({name: 1}), f"FORBIDDEN_CLAIM : {name}") for name in RESERVED),
    ],
)
def test_custom_claims_that_are_refused(project, attributes, message):
    uid = project.sign_up(A)["localId"]
    assert (
        project.admin_error("/accounts:update", {"localId": uid, "customAttributes": attributes})
        == message
    )


@pytest.mark.parametrize(
    "duration, seconds",
    [
        (None, 1209600),
        ("0", 1209600),
        ("300", 300),
        (300, 300),
        ("1209600", 1209600),
        ("abc", 1209600),
        ("299", None),
        ("1209601", None),
        ("-1", None),
    ],
)
def test_session_cookies(project, duration, seconds):
    session = project.sign_up(A)
    body = {"idToken": session["idToken"]}
    body |= {} if duration is None else {"validDuration": duration}
    if seconds is None:
        assert project.admin_error(":createSessionCookie", body) == "INVALID_DURATION"
        return
    answer = project.admin(":createSessionCookie", body)
    assert answer.keys() == {"sessionCookie"}
    cookie, token = claims({"idToken": answer["sessionCookie"]}), claims(session)
    assert cookie["exp"] - cookie["iat"] == seconds
    assert cookie["iss"] == f"https://session.firebase.google.com/{project.id}"
    changed = {"iss", "iat", "exp"}
    assert {k: v for k, v in cookie.items() if k not in changed} == {
        k: v for k, v in token.items() if k not in changed
    }


def test_session_cookies_that_are_refused(project):
    assert project.admin_error(":createSessionCookie", {}) == "MISSING_ID_TOKEN"
    assert project.admin_error(":createSessionCookie", {"validDuration": "1"}) == "MISSING_ID_TOKEN"
    assert (
        project.admin_error(":createSessionCookie", {"idToken": "x", "validDuration": "1"})
        == "INVALID_DURATION"
    )
    assert project.admin_error(":createSessionCookie", {"idToken": "x"}) == "INVALID_ID_TOKEN"
