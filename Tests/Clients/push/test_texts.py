"""Text messages at the port of the send APIs: what gateways answer and refuse."""

import json

import boto3
import plivo
import plivo.rest.client
import pytest
import requests
from support.messages.texts import ACCOUNT


@pytest.mark.parametrize(
    ("text", "encoding", "segments"),
    [
        ("a" * 160, "GSM-7", 1),
        ("a" * 161, "GSM-7", 2),
        ("€" * 80, "GSM-7", 1),
        ("€" * 81, "GSM-7", 2),
        ("ж" * 70, "UCS-2", 1),
        ("ж" * 71, "UCS-2", 2),
        ("😀" * 35, "UCS-2", 1),
        # A part has an escape and what it escapes, and both halves of an emoji.
        ("€" * 76 + "a" + "€" * 76, "GSM-7", 2),
        ("a" + "€" * 152, "GSM-7", 2),
        ("€" * 153, "GSM-7", 3),
        ("😀" * 66, "UCS-2", 2),
        ("😀" * 67, "UCS-2", 3),
    ],
)
def test_segments(texts, number, text, encoding, segments):
    assert texts.twilio(number, text).json()["num_segments"] == str(segments)
    sms = texts.latest(number)["sms"]
    assert (sms["encoding"], sms["segments"]) == (encoding, segments)


def test_texts_of_auth_have_segments_too(texts, number):
    requests.post(
        f"{texts.auth}/identitytoolkit.googleapis.com/v1/accounts:sendVerificationCode",
        params={"key": "k"},
        json={"phoneNumber": number, "recaptchaToken": "x"},
        timeout=30,
    )
    message = texts.latest(number)
    assert (message["type"], message["sms"]["segments"]) == ("SMS", 1)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Your code is 482913.\n\n@example.com #482913", "482913"),
        ("<#> 123456 is your code\nFA+9qCX9VSu", "123456"),
        ("Hello there", None),
    ],
)
def test_codes(texts, number, text, code):
    texts.twilio(number, text)
    assert texts.latest(number).get("code") == code


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"To": "11234"}, 21211),
        ({"To": ""}, 21604),
        ({"Body": ""}, 21602),
        ({"Body": "x" * 1601}, 21617),
        ({"To": "+15005550004"}, 21610),
        ({"From": "+15005550007"}, 21606),
    ],
)
def test_what_twilio_refuses(texts, number, fields, code):
    reply = texts.twilio(number, **fields) if "To" not in fields else texts.twilio(fields["To"])
    assert (reply.status_code, reply.json()["code"]) == (400, code)
    assert reply.json()["more_info"].endswith(str(code))


def test_credentials_are_needed(texts, number):
    url = f"{texts.api}/2010-04-01/Accounts/{ACCOUNT}/Messages.json"
    assert requests.post(url, data={"To": number}, timeout=30).json()["code"] == 20003
    reply = requests.post(f"{texts.api}/sms/json", data={"to": number[1:]}, timeout=30)
    assert reply.json()["messages"][0]["status"] == "4"


def test_plivo(texts, number, monkeypatch):
    """Its SDK ignores the certificates of the environment, so it is pointed by its constant."""
    monkeypatch.setattr(plivo.rest.client, "PLIVO_API_BASE_URI", f"{texts.api}/v1/Account")
    client = plivo.RestClient("MAXXXXXXXXXXXXXXXXXX", "token")
    sent = client.messages.create(src="+15005550006", dst=number, text="Your code is 482913.")
    message = texts.latest(number)
    assert message["sms"]["gatewayId"] == sent.message_uuid[0]
    assert (message["source"], message["code"]) == ("plivo", "482913")


def test_amazon_shares_the_address_with_its_mails(texts, number):
    keys = {"aws_access_key_id": "a", "aws_secret_access_key": "b", "region_name": "us-east-1"}
    sns = boto3.client("sns", endpoint_url=texts.api, **keys)
    sns.publish(
        PhoneNumber=number,
        Message="Your code is 482913.",
        MessageAttributes={"AWS.SNS.SMS.SenderID": {"DataType": "String", "StringValue": "Acme"}},
    )
    message = texts.latest(number)
    assert (message["source"], message["from"], message["code"]) == ("sns", "Acme", "482913")
    with pytest.raises(sns.exceptions.InvalidParameterException):
        sns.publish(PhoneNumber="abcd", Message="x")
    ses = boto3.client("ses", endpoint_url=texts.api, **keys)
    assert ses.get_send_quota()["MaxSendRate"] == 500


def test_faults(texts, number):
    fault = {"operation": "smsApi.twilio", "effect": {"status": 429}, "times": 1}
    assert requests.post(f"{texts.control}/faults", json=fault, timeout=30).status_code == 200
    assert (texts.twilio(number).status_code, texts.twilio(number).status_code) == (429, 201)


def test_web_pages_send_no_texts(texts, number):
    reply = requests.post(
        f"{texts.api}/messages",
        json={"recipients": number, "originator": "a", "body": "b"},
        headers={"Origin": "https://evil.example", "Authorization": "AccessKey k"},
        timeout=30,
    )
    assert reply.status_code == 403


@pytest.mark.parametrize("path", ["/messages", "/v2/messages", "/xms/v1/p/batches", "/v2/verify"])
@pytest.mark.parametrize("body", ["", "{", "[]", '{"to":{}}', "a=b", json.dumps({"to": [[]] * 99})])
def test_bodies_that_make_no_sense(texts, path, body):
    headers = {"Authorization": "Bearer k", "Content-Type": "application/json"}
    reply = requests.post(texts.api + path, data=body, headers=headers, timeout=30)
    assert 400 <= reply.status_code < 500, reply.text
