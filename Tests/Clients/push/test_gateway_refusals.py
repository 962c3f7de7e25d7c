"""Refusals as each gateway writes them, and those that a test asks for with the gateway's own code."""

import pytest
import requests

BASIC = {"auth": ("key", "secret")}
NUMBER = "4915112345678"


def post(texts, path: str, body: dict, scheme: str = "Bearer", **headers) -> requests.Response:
    headers["Authorization"] = f"{scheme} key"
    auth = {}
    if scheme == "Basic":
        del headers["Authorization"]
        auth = BASIC
    return requests.post(texts.api + path, json=body, headers=headers, timeout=30, **auth)


def fault(texts, gateway: str, **effect) -> None:
    body = {"operation": f"smsApi.{gateway}", "effect": effect, "times": 1}
    reply = requests.post(f"{texts.control}/faults", json=body, timeout=30)
    assert reply.status_code == 200, reply.text


def message_of(texts, number: str = NUMBER, **more) -> requests.Response:
    return post(texts, "/messages", {"originator": "A", "body": "x", "recipients": number} | more)


@pytest.mark.parametrize(
    ("more", "code", "parameter"),
    [
        ({"recipients": ""}, 9, "recipients"),
        ({"originator": ""}, 9, "originator"),
        ({"originator": "A name of 15 ch"}, 10, "originator"),
        ({"body": ""}, 9, "body"),
    ],
)
def test_messagebird_names_the_parameter(texts, more, code, parameter):
    reply = message_of(texts, **more)
    [error] = reply.json()["errors"]
    assert (reply.status_code, error["code"], error["parameter"]) == (422, code, parameter)


def test_messagebird_without_a_key(texts):
    reply = requests.post(f"{texts.api}/messages", json={}, timeout=30)
    [error] = reply.json()["errors"]
    assert (reply.status_code, error["code"], error["parameter"]) == (401, 2, "access_key")


@pytest.mark.parametrize("originator", ["+4915112345678", "Acme Stores", "4915112345678"])
def test_messagebird_takes_numbers_and_short_names(texts, originator):
    assert message_of(texts, originator=originator).status_code == 201


@pytest.mark.parametrize(("field", "value"), [("to", "x"), ("from", ""), ("text", "")])
def test_vonage_names_the_field(texts, field, value):
    body = {"message_type": "text", "channel": "sms", "to": NUMBER, "from": "A", "text": "x"}
    reply = post(texts, "/v1/messages", body | {field: value}, "Basic")
    told = reply.json()
    assert (reply.status_code, told["title"]) == (422, "Invalid params")
    assert told["type"] == "https://developer.vonage.com/api-errors/messages#1150"
    assert told["invalid_parameters"][0]["name"] == field


@pytest.mark.parametrize(
    ("effect", "status"),
    [
        ({"error": "RESOURCE_EXHAUSTED"}, "1"),
        ({"error": "UNAUTHENTICATED"}, "4"),
        ({"error": "UNAVAILABLE"}, "5"),
        ({"status": 400, "text": "9: Quota Exceeded"}, "9"),
        ({"status": 400, "text": "29: Non-Whitelisted Destination"}, "29"),
    ],
)
def test_vonage_sms_answers_200_whatever_happens(texts, effect, status):
    fault(texts, "vonage", **effect)
    reply = post(texts, "/sms/json", {"from": "A", "to": NUMBER, "text": "x"}, "Basic")
    assert (reply.status_code, reply.json()["messages"][0]["status"]) == (200, status)


@pytest.mark.parametrize(
    ("effect", "status", "code"),
    [
        ({"status": 400, "text": "21608: unverified"}, 400, 21608),
        ({"status": 400, "text": "21610"}, 400, 21610),
        ({"error": "PERMISSION_DENIED"}, 403, 21608),
        ({"error": "RESOURCE_EXHAUSTED"}, 429, 20429),
    ],
)
def test_a_code_of_twilio(texts, number, effect, status, code):
    fault(texts, "twilio", **effect)
    reply = texts.twilio(number)
    assert (reply.status_code, reply.json()["code"]) == (status, code)


def test_telnyx_points_at_the_field(texts):
    reply = post(texts, "/v2/messages", {"to": "x", "from": "1", "text": "x"})
    assert reply.json()["errors"][0]["source"] == {"pointer": "/to"}


def test_amazon_names_the_field_and_reasons(texts):
    target = {"X-Amz-Target": "PinpointSMSVoiceV2.SendTextMessage"}
    body = {"DestinationPhoneNumber": "1", "MessageBody": "x"}
    signed = "AWS4-HMAC-SHA256 Credential=AK/20260101/us-east-1/sms-voice/aws4_request, Signature=x"

    def send(body: dict) -> dict:
        headers = target | {"Authorization": signed}
        return requests.post(f"{texts.api}/", json=body, headers=headers, timeout=30).json()

    told = send(body)
    assert (told["__type"], told["Reason"]) == ("ValidationException", "FIELD_VALIDATION_FAILED")
    assert told["Fields"][0]["Name"] == "DestinationPhoneNumber"
    fault(texts, "aws-sms", status=400, text="ConflictException: DESTINATION_COUNTRY_BLOCKED")
    told = send(body | {"DestinationPhoneNumber": "+" + NUMBER})
    assert (told["__type"], told["Reason"]) == ("ConflictException", "DESTINATION_COUNTRY_BLOCKED")


def test_a_verification_goes_the_ways_of_its_workflow(texts, number):
    steps = [{"channel": channel, "to": number[1:]} for channel in ("sms", "voice")]
    started = post(texts, "/v2/verify", {"brand": "A", "workflow": steps}, "Basic")
    path = f"/v2/verify/{started.json()['request_id']}"
    first = texts.latest(number)
    assert post(texts, path + "/next_workflow", {}, "Basic").status_code == 200
    second = texts.latest(number)
    assert second["id"] != first["id"] and second["code"] == first["code"]
    reply = post(texts, path + "/next_workflow", {}, "Basic")
    assert (reply.status_code, reply.json()["title"]) == (409, "Conflict")
    done = post(texts, path, {"code": first["code"]}, "Basic")
    assert done.json()["status"] == "completed"


@pytest.mark.parametrize("form", ["{}", "+{}", "00{}", "+49 151 {2}", "(49) 151-{2}"])
def test_numbers_are_found_however_they_are_written(texts, number, form):
    texts.twilio(number)
    digits = number[1:]
    assert texts.latest(form.format(digits, "", digits[5:]))["to"] == number
