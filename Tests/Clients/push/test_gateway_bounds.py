"""Text messages that are too long, and calls that a gateway has and Hearth has not: answers have the
gateway's form, and one call does not keep the server busy."""

import time
import xml.etree.ElementTree

import pytest
import requests
from support.messages.texts import ACCOUNT, AUTH

BEARER = {"Authorization": "Bearer key"}
BASIC = {"Authorization": requests.auth._basic_auth_str(*AUTH)}
ACCESS = {"Authorization": "AccessKey key"}
AMAZON = {
    "Authorization": "AWS4-HMAC-SHA256 Credential=AK/20261128/us-east-1/sns/aws4_request, "
    "SignedHeaders=host, Signature=0"
}
LONG = "x" * 5000
TO = "4915112345678"


def call(texts, method: str, path: str, headers: dict, **more) -> requests.Response:
    return requests.request(method, texts.api + path, headers=headers, timeout=60, **more)


TOO_LONG = [
    ("/2010-04-01/Accounts/AC1/Messages.json", BASIC, {"To": f"+{TO}", "From": "a", "Body": LONG}),
    ("/messages", ACCESS, {"originator": "a", "recipients": TO, "body": LONG}),
    ("/v1/Account/MA1/Message/", BASIC, {"src": "1", "dst": TO, "text": LONG}),
    ("/v2/messages", BEARER, {"to": f"+{TO}", "from": "a", "text": LONG}),
    ("/xms/v1/plan/batches", BEARER, {"to": [TO], "from": "a", "body": LONG}),
    ("/v1/messages", BASIC, {"to": TO, "from": "a", "text": LONG}),
    ("/v1/messages", BASIC, {"to": TO, "from": "a", "text": "x", "channel": LONG}),
    ("/2010-04-01/Accounts/AC1/Messages.json", BASIC, {"To": f"+{TO}", "From": LONG, "Body": "x"}),
]


@pytest.mark.parametrize(("path", "headers", "body"), TOO_LONG, ids=range(len(TOO_LONG)))
def test_too_long(texts, path, headers, body):
    reply = call(texts, "POST", path, headers, json=body)
    assert 400 <= reply.status_code < 500, reply.text[:300]
    assert set(reply.json()) & {"code", "errors", "error", "title"}


def test_too_long_for_vonage(texts):
    body = {"from": "a", "to": TO, "text": LONG}
    [message] = call(texts, "POST", "/sms/json", BASIC, json=body).json()["messages"]
    assert message["status"] == "12"


def test_combining_characters_count(texts, number):
    assert texts.twilio(number, "e" + "\u0301" * 3000).json()["code"] == 21617
    assert texts.twilio(number, "😀" * 1600).status_code == 201


@pytest.mark.parametrize(
    ("path", "headers", "to"),
    [
        ("/v1/Account/MA1/Message/", BASIC, ("dst", lambda all_: "<".join(all_))),
        ("/xms/v1/plan/batches", BEARER, ("to", list)),
    ],
    ids=["plivo", "sinch"],
)
def test_a_long_text_to_many(texts, path, headers, to):
    name, joined = to
    numbers = [f"+49151123{i:05}" for i in range(1000)]
    text = {"src": "1", "text": "x" * 200_000, "from": "1", "body": "x" * 200_000}
    started = time.monotonic()
    reply = call(texts, "POST", path, headers, json={**text, name: joined(numbers)})
    assert reply.status_code in (400, 413)
    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    ("path", "member"),
    [
        ("/2010-04-01/Accounts/AC1/Messages.json", "code"),
        ("/v1/messages", "title"),
        ("/messages", "errors"),
        ("/v1/Account/MA1/Message/", "error"),
        ("/v2/messages", "errors"),
        ("/xms/v1/plan/batches", "code"),
        ("/workspaces/w/channels/c/messages", "code"),
    ],
)
def test_a_large_body(texts, path, member):
    reply = call(texts, "POST", path, BASIC, data=b"Body=" + b"x" * 300_000)
    assert (reply.status_code, member in reply.json()) == (413, True), reply.text[:300]


@pytest.mark.parametrize(
    ("method", "path", "status", "member"),
    [
        ("GET", f"/2010-04-01/Accounts/{ACCOUNT}/Messages.json", 405, "code"),
        ("GET", f"/2010-04-01/Accounts/{ACCOUNT}/Calls.json", 404, "code"),
        ("GET", "/v2/messages", 405, "errors"),
        ("GET", "/xms/v1/plan/inbounds", 404, "code"),
        ("GET", "/v1/Account/MA1/Message/", 405, "error"),
        ("PUT", "/verify", 405, "errors"),
        ("GET", "/v2/verify/x", 405, "title"),
    ],
)
def test_a_call_that_is_not_built(texts, method, path, status, member):
    reply = call(texts, method, path, BASIC)
    assert (reply.status_code, member in reply.json()) == (status, True), reply.text


def test_sns_answers_well_formed_documents(texts):
    form = {"Action": "Publish", "PhoneNumber": "a\0\x01<&>b", "Message": "x"}
    reply = call(texts, "POST", "/", AMAZON, data=form)
    found = xml.etree.ElementTree.fromstring(reply.text)
    assert "<&>" in found.findtext(".//{*}Message")
    unknown = call(texts, "POST", "/", AMAZON, data={"Action": "CreateTopic", "Name": "x"})
    assert unknown.status_code == 400 and "sns.amazonaws.com" in unknown.text
    assert "<Code>InvalidAction</Code>" in unknown.text


def test_sinch_refuses_what_is_not_json(texts):
    reply = call(texts, "POST", "/xms/v1/plan/batches", BEARER, data=b'{"body":')
    assert (reply.status_code, reply.json()["code"]) == (400, "syntax_invalid_json")


@pytest.mark.parametrize(
    "fields",
    [
        {"Channel": "pigeon"},
        {"To": "@", "Channel": "email"},
        {"To": "ann@example.com"},
        {"Channel": "email"},
        {"CustomCode": "123"},
        {"CustomCode": "1" * 11},
    ],
    ids=str,
)
def test_verify_checks_its_parameters(texts, number, fields):
    form = {"To": number, "Channel": "sms", **fields}
    reply = call(texts, "POST", "/v2/Services/VA1/Verifications", BASIC, data=form)
    assert (reply.status_code, reply.json()["code"]) == (400, 60200)


def test_verify_by_email(texts):
    form = {"To": "ann@example.com", "Channel": "email"}
    reply = call(texts, "POST", "/v2/Services/VA1/Verifications", BASIC, data=form)
    assert (reply.status_code, reply.json()["channel"]) == (201, "email")
