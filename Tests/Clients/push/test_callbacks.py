"""What gateways tell an app of its texts, checked as the app checks it: with the gateway's own SDK."""

import json
import time
import urllib.parse

import jwt
import messagebird.request_validator
import pytest
import requests
import telnyx
from plivo.utils.signature_v3 import validate_v3_signature
from sinch import SinchClient
from sinch.domains.authentication.sinch_events.v1.authentication_validation import (
    validate_signature_header,
)
from support.messages.texts import ACCOUNT, app
from telnyx.lib.webhook_verification import WebhookVerificationError, verify_webhook_signature
from twilio.request_validator import RequestValidator
from vonage import Auth
from vonage_jwt import verify_signature

SECRET = "secret-with-more-than-32-characters"


def post(texts, path: str, body: dict, key: str = SECRET, scheme: str = "Bearer", **headers):
    auth = ("key", key) if scheme == "Basic" else None
    if not auth:
        headers["Authorization"] = f"{scheme} {key}"
    reply = requests.post(texts.api + path, json=body, headers=headers, auth=auth, timeout=30)
    assert reply.ok, reply.text


def test_twilio(texts, number):
    with app() as (url, told):
        texts.twilio(number, StatusCallback=url)
        for status in ("queued", "sent", "delivered"):
            _, headers, body = told.get(timeout=20)
            fields = dict(urllib.parse.parse_qsl(body))
            assert (fields["MessageStatus"], fields["To"]) == (status, number)
            assert fields["AccountSid"] == ACCOUNT
            signature = headers["X-Twilio-Signature"]
            assert RequestValidator("token").validate(url, fields, signature)
            assert not RequestValidator("other").validate(url, fields, signature)


def test_twilio_tells_of_what_did_not_arrive(texts, number):
    fault = {
        "operation": "smsApi.twilio",
        "effect": {"status": 400, "text": "30005: Unknown destination handset"},
        "times": 1,
    }
    requests.post(f"{texts.control}/faults", json=fault, timeout=30).raise_for_status()
    with app() as (url, told):
        message = texts.twilio(number, StatusCallback=url).json()
        assert (message["status"], message["error_code"]) == ("queued", None)
        codes = []
        for status in ("queued", "sent", "undelivered"):
            _, headers, body = told.get(timeout=20)
            fields = dict(urllib.parse.parse_qsl(body))
            assert fields["MessageStatus"] == status
            signature = headers["X-Twilio-Signature"]
            assert RequestValidator("token").validate(url, fields, signature)
            codes.append(fields.get("ErrorCode"))
        assert codes == [None, None, "30005"]
        shown = requests.get(texts.api + message["uri"], auth=(ACCOUNT, "token"), timeout=30).json()
        assert (shown["status"], shown["error_code"]) == ("undelivered", 30005)


@pytest.mark.parametrize("query", ["", "?order=12&b=%20c&a=1"])
def test_plivo(texts, number, query):
    with app() as (url, told):
        url += query
        body = {"src": "+15005550006", "dst": number, "text": "Hello", "url": url}
        post(texts, "/v1/Account/MA/Message/", body, scheme="Basic")
        _, headers, body = told.get(timeout=20)
        signature, nonce = (headers[f"X-Plivo-Signature-V3{end}"] for end in ("", "-Nonce"))
        fields = dict(urllib.parse.parse_qsl(body))
        assert validate_v3_signature("POST", url, nonce, SECRET, signature, fields)
        fields["Status"] = "failed"
        assert not validate_v3_signature("POST", url, nonce, SECRET, signature, fields)


def test_messagebird(texts, number):
    with app() as (url, told):
        body = {"originator": "a", "recipients": number, "body": "Hello", "reportUrl": url}
        post(texts, "/messages", body, scheme="AccessKey")
        path, headers, body = told.get(timeout=20)
        address = urllib.parse.urljoin(url, path)
        validator = messagebird.request_validator.RequestValidator(SECRET)
        signature = headers["MessageBird-Signature-JWT"]
        claims = validator.validate_signature(signature, address, body.encode())
        assert claims["iss"] == "MessageBird" and claims["jti"]
        with pytest.raises(messagebird.error.ValidationError):
            validator.validate_signature(signature, address + "&x=1", b"")


def test_telnyx(texts, number):
    key = requests.get(
        f"{texts.api}/v2/public_key", headers={"Authorization": f"Bearer {SECRET}"}, timeout=30
    ).json()["data"]["public"]
    with app() as (url, told):
        body = {"to": number, "from": "+15005550006", "text": "Hello", "webhook_url": url}
        post(texts, "/v2/messages", body)
        client = telnyx.Telnyx(api_key=SECRET, public_key=key)
        for event, status in [("message.sent", "sent"), ("message.finalized", "delivered")]:
            _, headers, body = told.get(timeout=20)
            found = client.webhooks.unwrap(body, headers=headers)
            assert (found.data.event_type, found.data.payload.to[0].status) == (event, status)
            with pytest.raises(WebhookVerificationError):
                verify_webhook_signature(body + " ", headers, key)


def test_telnyx_has_a_key_pair_for_each_api_key(texts):
    keys = {
        requests.get(
            f"{texts.api}/v2/public_key", headers={"Authorization": f"Bearer {key}"}, timeout=30
        ).json()["data"]["public"]
        for key in ("one", "one", "two")
    }
    assert len(keys) == 2


def test_sinch(texts, number):
    with app() as (url, told):
        body = {"to": [number], "from": "a", "body": "Hello", "callback_url": url}
        post(texts, "/xms/v1/plan/batches", body)
        _, headers, body = told.get(timeout=20)
        sinch = SinchClient(service_plan_id="plan", sms_api_token=SECRET, sms_region="us")
        events = sinch.sms.sinch_events(SECRET)
        assert events.validate_authentication_header(headers, body)
        assert not events.validate_authentication_header(headers, body + " ")
        sent = {name.lower(): value for name, value in headers.items()}
        older = {"x-sinch-signature": sent["x-sinch-signature"]}
        assert validate_signature_header(SECRET, older, body)
        assert not validate_signature_header(SECRET, older, body + " ")
        report = events.parse_event(body)
        assert (report.recipient, report.status) == (number[1:], "Delivered")


def test_vonage_sms(texts, number):
    with app() as (url, told):
        body = {"from": "a", "to": number[1:], "text": "Hello", "callback": url}
        post(texts, "/sms/json", body, scheme="Basic")
        fields = json.loads(told.get(timeout=20)[2])
        assert (fields["msisdn"], fields["status"]) == (number[1:], "delivered")
        auth = Auth(api_key="key", signature_secret=SECRET)
        assert auth.check_signature(dict(fields))
        assert not auth.check_signature(fields | {"status": "failed"})


@pytest.mark.parametrize("application", [False, True], ids=["secret", "application"])
def test_vonage_messages(texts, number, application):
    """The token of an application does not tell the account's secret: its id stands for it."""
    identity = "aaaaaaaa-bbbb-cccc-dddd-eeeeeeee0123"
    token = jwt.encode({"application_id": identity, "iat": int(time.time())}, SECRET)
    with app() as (url, told):
        body = {
            "message_type": "text",
            "channel": "sms",
            "to": number[1:],
            "from": "Acme",
            "text": "Hello",
            "webhook_url": url,
        }
        if application:
            post(texts, "/v1/messages", body, key=token)
        else:
            post(texts, "/v1/messages", body, scheme="Basic")
        secret = identity if application else SECRET
        for status in ("submitted", "delivered"):
            _, headers, body = told.get(timeout=20)
            assert json.loads(body)["status"] == status
            bearer = headers["Authorization"].removeprefix("Bearer ")
            assert verify_signature(bearer, secret)
            assert not verify_signature(bearer, "another-secret-of-32-characters-00")
            claims = jwt.decode(bearer, secret, algorithms=["HS256"])
            assert (claims["iss"], claims["api_key"]) == (
                "Vonage",
                identity if application else "key",
            )


def test_other_hosts_are_told_nothing(texts, number):
    texts.twilio(number, StatusCallback="http://app.example/told")
    callback = texts.latest(number)["statusCallback"]
    assert "--allow-calls-to" in callback["refused"]
