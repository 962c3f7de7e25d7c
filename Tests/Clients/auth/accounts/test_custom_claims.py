"""Custom claims: their size, reserved names, and tokens that carry them."""

import itertools
import json

import pytest
from support.auth.accounts import cases, hearth, refresh, update  # noqa: F401
from support.auth.project import claims
from support.auth.records import custom
from support.steering import guard, project  # noqa: F401

A, B, C = "a@example.com", "b@example.com", "c@example.com"
ONE, TWO = "+15555550100", "+15555550101"


# MARK: Custom claims

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


def sized(units: int, fill: str = "x") -> str:
    """Claims of that many UTF-16 units."""
    width = len(fill.encode("utf-16-le")) // 2
    text = '{"a":"' + fill * ((units - 8) // width)
    return text + "y" * (units - 2 - len(text.encode("utf-16-le")) // 2) + '"}'


def set_claims(project, text: str, status: int = 200):
    uid = project.admin("/accounts", {})["localId"]
    answer = project.admin("/accounts:update", {"localId": uid, "customAttributes": text}, status)
    return uid if status == 200 else answer["error"]["message"]


@pytest.mark.parametrize("fill", ["x", "é", "😀"], ids=["ascii", "umlauts", "emoji"])
def test_the_size_of_claims(project, fill):
    text = sized(1000, fill)
    assert len(text.encode("utf-16-le")) == 2000
    assert project.user(set_claims(project, text))["customAttributes"] == text
    assert set_claims(project, sized(1001, fill), 400) == "CLAIMS_TOO_LARGE"


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "{",
        "}",
        "null",
        "true",
        "5",
        '"x"',
        "[]",
        '[{"a":1}]',
        "{'a':1}",
        "{a:1}",
        '{"a":1,}',
        '{"a":1}x',
        '{"a":01}',
        '{"a":NaN}',
        '{"a":1}{}',
        '{"a":"\n"}',
        '{"a":"\\x"}',
        " ",
    ],
)
def test_claims_that_are_not_an_object(project, text):
    assert set_claims(project, text, 400) == "INVALID_CLAIMS"


def by_token(project, claims: dict) -> str:
    return project.error(
        "signInWithCustomToken", {"token": json.dumps({"uid": "u", "claims": claims})}
    )


@pytest.mark.parametrize("name", RESERVED)
@pytest.mark.parametrize("value", ["x", None, {}], ids=["text", "null", "object"])
def test_reserved_claims(project, name, value):
    message = f"FORBIDDEN_CLAIM : {name}"
    assert set_claims(project, json.dumps({name: value}), 400) == message
    assert by_token(project, {name: value}) == message


@pytest.mark.parametrize("first, second", list(itertools.pairwise(RESERVED)))
def test_the_order_of_reserved_claims(project, first, second):
    """The list's, not the object's."""
    assert set_claims(project, json.dumps({second: 1, first: 1}), 400) == (
        f"FORBIDDEN_CLAIM : {first}"
    )
    assert by_token(project, {"x": 1, second: 1, first: 1}) == f"FORBIDDEN_CLAIM : {first}"


@pytest.mark.parametrize(
    "text, message",
    cases(
        {
            "size before form": ("x" * 1001, "CLAIMS_TOO_LARGE"),
            "size before names": (json.dumps({"sub": "x" * 1000}), "CLAIMS_TOO_LARGE"),
            "form before names": ('{"sub":1', "INVALID_CLAIMS"),
        }
    ),
)
def test_the_order_of_the_checks_of_claims(project, text, message):
    assert set_claims(project, text, 400) == message


@pytest.mark.parametrize(
    "name",
    [
        "Sub",
        "sub ",
        "subject",
        "email",
        "email_verified",
        "phone_number",
        "user_id",
        "provider_id",
        "name",
        "picture",
        "uid",
        "tenant",
        "identities",
        "sign_in_provider",
        "",
        "a.b",
        "ünï",
    ],
)
def test_names_that_are_free(project, name):
    set_claims(project, json.dumps({name: 1}))
    assert project.call(
        "signInWithCustomToken", {"token": json.dumps({"uid": "u", "claims": {name: 1}})}
    )["idToken"]


def test_reserved_names_deeper_down_are_free(project):
    set_claims(project, '{"a":{"sub":1,"firebase":{}}}')
    assert claims(custom(project, a={"sub": 1}))["a"] == {"sub": 1}


def test_the_size_of_a_custom_tokens_claims_does_not_matter(project):
    assert claims(custom(project, a="x" * 5000))["a"] == "x" * 5000


ACCOUNT = {
    "email": "claim",
    "email_verified": "claim",
    "phone_number": "claim",
    "user_id": "claim",
    "provider_id": "claim",
}


@pytest.mark.parametrize("way", ["attributes", "token"])
@pytest.mark.parametrize("full", [True, False], ids=["with account values", "without"])
def test_claims_that_are_the_accounts(project, way, full):
    """They are the account's, or go; name and picture are the claims'."""
    given = ACCOUNT | {"name": "Claim", "picture": 5}
    fields = {"email": A, "phoneNumber": ONE, "displayName": "Ann", "photoUrl": "http://x"}
    if full:
        project.admin("/accounts", {"localId": "u", **fields})
    else:
        custom(project)
    if way == "attributes":
        update(project, "u", customAttributes=json.dumps(given))
        session = custom(project)
    else:
        session = custom(project, **given)
    for token in (claims(session), claims({"idToken": refresh(project, session)["id_token"]})):
        expected = {"user_id": "u", "name": "Claim", "picture": 5}
        if full:
            expected |= {"email": A, "email_verified": False, "phone_number": ONE}
        assert {name: token[name] for name in given if name in token} == expected


def test_later_claims_win(project):
    project.admin("/accounts", {"localId": "u", "displayName": "Ann", "photoUrl": "http://x"})
    update(project, "u", customAttributes='{"name":"Stored","picture":"s","a":1,"b":1}')
    token = claims(custom(project, picture="t", b=2, c=2))
    assert {name: token[name] for name in ("name", "picture", "a", "b", "c")} == {
        "name": "Stored",
        "picture": "t",
        "a": 1,
        "b": 2,
        "c": 2,
    }
