"""Signing in with a custom token."""

import json

import jwt
import pytest
from support.auth.accounts import GOOD, cases, exchange, hearth, in_pairs, refresh, update  # noqa: F401
from support.auth.project import claims
from support.server import Server
from support.steering import guard, project  # noqa: F401
from support.wire import CUSTOM_TOKEN_AUDIENCE, decoded, segment, unsigned

A, B, C = "a@example.com", "b@example.com", "c@example.com"
ONE = "+15555550100"


# MARK: Custom tokens

STRICT = (
    "INVALID_CUSTOM_TOKEN : ((Auth Emulator only accepts strict JSON or JWTs as fake custom "
    "tokens.))"
)
FORMAT = "INVALID_CUSTOM_TOKEN : Invalid assertion format"


def refused(project, token, **more) -> str:
    token = token if isinstance(token, str) else unsigned(token)
    return project.error("signInWithCustomToken", {"token": token, **more})


def test_a_custom_token_makes_a_user(project):
    answer = exchange(
        project, GOOD, returnSecureToken=False, delegatedProjectNumber="1", instanceId="x"
    )
    assert list(answer)[:2] == ["kind", "isNewUser"]
    assert answer.keys() == {"kind", "isNewUser", "idToken", "refreshToken", "expiresIn"}
    assert answer["kind"] == "identitytoolkit#VerifyCustomTokenResponse"
    assert answer["isNewUser"] is True and answer["expiresIn"] == "3600"
    user = project.user("u")
    assert user.keys() == {"localId", "createdAt", "lastLoginAt", "lastRefreshAt", "customAuth"}
    assert user["customAuth"] is True and user["createdAt"] == user["lastLoginAt"]
    token = claims(answer)
    assert token["firebase"] == {"identities": {}, "sign_in_provider": "custom"}
    assert not {"email_verified", "provider_id"} & token.keys()


def test_a_custom_token_signs_a_known_user_in(project):
    session = project.sign_up(A, displayName="Ann")
    uid = session["localId"]
    before = project.user(uid)
    project.advance("PT1H")
    answer = exchange(project, GOOD | {"uid": uid})
    assert answer["isNewUser"] is False
    after = project.user(uid)
    assert int(after["lastLoginAt"]) >= int(before["lastLoginAt"]) + 3_600_000
    changed = {"lastLoginAt", "lastRefreshAt", "customAuth"}
    assert {k: v for k, v in after.items() if k not in changed} == {
        k: v for k, v in before.items() if k not in changed
    }
    assert after["customAuth"] is True and "customAuth" not in before
    token = claims(answer)
    assert token["firebase"] == {"identities": {"email": [A]}, "sign_in_provider": "custom"}
    assert (token["name"], token["email"], token["email_verified"]) == ("Ann", A, False)
    assert token["auth_time"] == int(after["lastLoginAt"]) // 1000


def test_a_custom_token_asks_for_no_second_factor(project):
    session = project.verified(A)
    project.enroll(session, ONE)
    assert exchange(project, GOOD | {"uid": session["localId"]})["idToken"]


@pytest.mark.parametrize(
    "given, uid",
    cases(
        {
            "uid": ('{"uid":"u"}', "u"),
            "user_id": ('{"user_id":"u"}', "u"),
            "uid wins": ('{"user_id":"v","uid":"u"}', "u"),
            "number": ('{"uid":5}', "5"),
            "zero": ('{"uid":0}', "0"),
            "negative": ('{"uid":-5}', "-5"),
            "half": ('{"uid":1.5}', "1.5"),
            "exponent": ('{"uid":1e3}', "1000"),
            "whole double": ('{"uid":2.0}', "2"),
            "true": ('{"uid":true}', "true"),
            "false": ('{"uid":false}', "false"),
            "null uid": ('{"uid":null,"user_id":"u"}', "u"),
            "array uid": ('{"uid":["x"],"user_id":"u"}', "u"),
            "object uid": ('{"uid":{},"user_id":7}', "7"),
            "blank": ('{"uid":" "}', " "),
            "129 characters": (json.dumps({"uid": "u" * 129}), "u" * 129),
            "1000 characters": (json.dumps({"uid": "é" * 1000}), "é" * 1000),
            "15 zeros": ('{"uid":1e15}', "1" + "0" * 15),
            "16 zeros": ('{"uid":1e16}', "1" + "0" * 16),
            "20 zeros": ('{"uid":1e20}', "1" + "0" * 20),
            "21 zeros": ('{"uid":1e21}', "1e+21"),
            "small": ('{"uid":1e-6}', "0.000001"),
            "smaller": ('{"uid":1.5e-7}', "1.5e-7"),
        }
    ),
)
@pytest.mark.parametrize("form", ["json", "jwt"])
def test_the_id_in_a_custom_token(project, given, uid, form):
    if form == "jwt":
        payload = given.replace("{", f'{{"aud":"{CUSTOM_TOKEN_AUDIENCE}",', 1)
        given = ".".join(
            [segment({"alg": "none"}), jwt.utils.base64url_encode(payload.encode()).decode(), ""]
        )
    assert claims(exchange(project, given))["sub"] == uid
    assert project.user(uid)["localId"] == uid


PAST = {"exp": 1, "iat": 99999999999, "nbf": 99999999999, "iss": "x", "sub": "y"}
KEY = "k" * 32


@pytest.mark.parametrize(
    "token",
    cases(
        {
            "json": '{"uid":"u"}',
            "json with white space": '{ "uid" : "u" }\n',
            "json of another audience": '{"uid":"u","aud":"x"}',
            "unsigned": unsigned(GOOD),
            "unsigned, out of date": unsigned(GOOD | PAST),
            "HS256": jwt.encode(GOOD, KEY, algorithm="HS256"),
            "HS256, out of date": jwt.encode(GOOD | PAST, KEY, algorithm="HS256"),
            "a wrong signature": unsigned(GOOD) + "c2lnbmF0dXJl",
            "an unknown algorithm": f"{segment({'alg': 'x'})}.{segment(GOOD)}.c2ln",
            "a tenant that nobody asks for": unsigned(GOOD | {"tenant_id": "t1"}),
            "empty claims": unsigned(GOOD | {"claims": {}}),
        }
    ),
)
def test_custom_tokens_that_count(project, token):
    answer = exchange(project, token)
    assert claims(answer)["sub"] == "u" and "tenant" not in claims(answer)["firebase"]


@pytest.mark.parametrize(
    "token, message",
    cases(
        {
            "empty": ("", "MISSING_CUSTOM_TOKEN"),
            "a brace": ("{", STRICT),
            "single quotes": ("{'uid':'u'}", STRICT),
            "no quotes": ("{uid:1}", STRICT),
            "a comma too much": ('{"uid":"u",}', STRICT),
            "something after": ('{"uid":"u"}x', STRICT),
            "a comment": ('{"uid":"u"/**/}', STRICT),
            "a space in front": (' {"uid":"u"}', FORMAT),
            "an array": ('["u"]', FORMAT),
            "a word": ("token", FORMAT),
            "three words": ("a.b.c", FORMAT),
            "two segments": (unsigned(GOOD).removesuffix("."), FORMAT),
            "four segments": (unsigned(GOOD) + ".", FORMAT),
            "no payload": (segment({"alg": "none"}) + "..", FORMAT),
            "no header": (f".{segment(GOOD)}.", FORMAT),
            "header is no JSON": (f"e3s.{segment(GOOD)}.", FORMAT),
            "payload is no JSON": (segment({"alg": "none"}) + ".e3s.", FORMAT),
            "signature is not base64url": (unsigned(GOOD) + "$$$", FORMAT),
            "a space after": (unsigned(GOOD) + " ", FORMAT),
            "no id": (unsigned({"aud": CUSTOM_TOKEN_AUDIENCE}), "MISSING_IDENTIFIER"),
            "empty id": (unsigned(GOOD | {"uid": ""}), "MISSING_IDENTIFIER"),
            "null id": (unsigned(GOOD | {"uid": None}), "MISSING_IDENTIFIER"),
            "ids of no use": ('{"uid":[],"user_id":{}}', "MISSING_IDENTIFIER"),
            "empty object": ("{}", "MISSING_IDENTIFIER"),
            **{
                f"claims {json.dumps(value)}": (
                    unsigned(GOOD | {"claims": value}),
                    "INVALID_CLAIMS",
                )
                for value in (None, "x", "", "{}", 5, 0, True, False, [], [{}])
            },
            **{
                f"json claims {json.dumps(value)}": (
                    json.dumps({"uid": "u", "claims": value}),
                    "INVALID_CLAIMS",
                )
                for value in (None, "{}", 0, False, [])
            },
        }
    ),
)
def test_custom_tokens_that_do_not_count(project, token, message):
    assert refused(project, token) == message
    assert project.users() == []


def test_a_custom_token_is_wanted(project):
    assert project.error("signInWithCustomToken", {}) == "MISSING_CUSTOM_TOKEN"


@pytest.mark.parametrize(
    "audience",
    cases(
        {
            "another": "other",
            "almost": CUSTOM_TOKEN_AUDIENCE + "/",
            "a list": [CUSTOM_TOKEN_AUDIENCE],
            "in capitals": CUSTOM_TOKEN_AUDIENCE.upper(),
            "a number": 5,
            "none": None,
        }
    ),
)
def test_the_audience_of_a_custom_token(project, audience):
    payload = {"uid": "u"} | ({} if audience is None else {"aud": audience})
    message = refused(project, payload)
    assert message.startswith("INVALID_CUSTOM_TOKEN : ((Invalid aud ") and message.endswith("))")
    if isinstance(audience, (str, int)):
        assert str(audience) in message


@pytest.mark.parametrize(
    "token, message",
    cases(
        {
            "another tenant": (unsigned(GOOD | {"tenant_id": "t2"}), "TENANT_ID_MISMATCH"),
            "no tenant": (unsigned(GOOD), "TENANT_ID_MISMATCH"),
            "a tenant that is no text": (unsigned(GOOD | {"tenant_id": 1}), "TENANT_ID_MISMATCH"),
            "no token": ("token", "TENANT_ID_MISMATCH"),
            "its tenant": (unsigned(GOOD | {"tenant_id": "t1"}), None),
            "json": ('{"uid":"u"}', None),
            "json of another": ('{"uid":"u","tenant_id":"t2"}', None),
            "text that is not json": ("{uid}", STRICT),
        }
    ),
)
def test_the_tenant_of_a_custom_token(project, token, message):
    if message is not None:
        assert refused(project, token, tenantId="t1") == message
        return
    answer = exchange(project, token, tenantId="t1")
    assert claims(answer)["firebase"]["tenant"] == "t1"
    [user] = project.users(tenant="t1")
    assert (user["localId"], user["tenantId"]) == ("u", "t1") and project.users() == []


def wrong_audience(payload):
    payload["aud"] = "other"


def no_id(payload):
    del payload["uid"]


def no_claims(payload):
    payload["claims"] = []


def reserved_claim(payload):
    payload["claims"] = {"sub": "x"}


def other_tenant(payload):
    payload["tenant_id"] = "t2"


CUSTOM_FAULTS = {
    "TENANT_ID_MISMATCH": (["tenant_id"], "TENANT_ID_MISMATCH", other_tenant),
    "aud": (["aud"], "INVALID_CUSTOM_TOKEN : ((Invalid aud ", wrong_audience),
    "MISSING_IDENTIFIER": (["uid"], "MISSING_IDENTIFIER", no_id),
    "INVALID_CLAIMS": (["claims"], "INVALID_CLAIMS", no_claims),
    "FORBIDDEN_CLAIM": (["claims"], "FORBIDDEN_CLAIM : sub", reserved_claim),
    "USER_DISABLED": (["uid"], "USER_DISABLED", lambda payload: None),
}


@pytest.mark.parametrize("first, second", in_pairs(CUSTOM_FAULTS))
def test_the_order_of_a_custom_tokens_checks(project, first, second):
    payload = GOOD | {"tenant_id": "t1"}
    project.admin("/accounts", {"localId": "u", "disabled": True}, tenant="t1")
    for _, _, spoil in (first, second):
        spoil(payload)
    assert refused(project, payload, tenantId="t1").startswith(first[1])


@pytest.mark.parametrize(
    "token",
    ["", "x", "{", unsigned({}), unsigned(GOOD)],
    ids=["missing", "no jwt", "no json", "no audience", "good"],
)
def test_a_custom_token_in_a_disabled_tenant(project, token):
    assert refused(project, token, tenantId=project.disabled_tenant()) == "PROJECT_DISABLED"


def test_a_custom_token_of_a_disabled_user(project):
    project.admin("/accounts", {"localId": "u", "disabled": True})
    before = project.user("u")
    assert refused(project, GOOD) == "USER_DISABLED"
    assert project.user("u") == before


def test_the_claims_of_a_custom_token_ride_in_its_session_only(project):
    project.admin("/accounts", {"localId": "u"})
    update(project, "u", customAttributes='{"a":"stored","kept":1}')
    extra = {"a": "token", "deep": {"x": [1, None, "é"]}, "big": "x" * 2000}
    session = exchange(project, GOOD | {"claims": extra})
    assert project.user("u")["customAttributes"] == '{"a":"stored","kept":1}'
    again = refresh(project, session)
    third = refresh(project, {"refreshToken": again["refresh_token"]})
    for token in (session["idToken"], again["id_token"], third["id_token"]):
        token = decoded(token)[1]
        assert (extra | {"kept": 1}).items() <= token.items()
    other = claims(exchange(project, GOOD))
    assert other["a"] == "stored" and "deep" not in other


# MARK: What is logged


@pytest.mark.parametrize(
    "token, warns",
    [
        (unsigned(GOOD), False),
        ('{"uid":"u"}', False),
        (jwt.encode(GOOD, KEY, algorithm="HS256"), True),
    ],
    ids=["unsigned", "json", "signed"],
)
def test_a_signed_custom_token_is_worth_a_warning(token, warns):
    server = Server()
    begin = len(server.lines)
    server.accounts("signInWithCustomToken", {"token": token})
    server.stop()
    assert any("custom token" in line for line in server.lines[begin:]) is warns
