"""The SDKs of the gateways of text messages, with the addresses that they have built in."""

import bird_python.client
import boto3
import messagebird
import requests
import telnyx
from common import CONTROL, clock, done, refused
from sinch import SinchClient
from twilio.base.exceptions import TwilioRestException
from twilio.rest import Client
from vonage import Auth, Vonage
from vonage_http_client.errors import HttpRequestError
from vonage_messages import Sms
from vonage_sms import SmsMessage
from vonage_verify import SmsChannel, VerifyRequest

TEXT = "Your code is 482913."
FROM = "+15005550006"
numbers = iter(range(4915112340000, 4915112349999))


def number() -> str:
    return f"+{next(numbers)}"


def latest(to: str, **filters) -> dict:
    reply = requests.get(
        f"{CONTROL}/messages/latest",
        params={"to": to, "type": "SMS", "wait": "10s", **filters},
        timeout=30,
    )
    assert reply.ok, reply.text
    return reply.json()


def kept(to: str, source: str) -> None:
    message = latest(to)
    assert (message["source"], message["code"], message["text"]) == (source, "482913", TEXT)
    assert message["sms"]["segments"] == 1, message


twilio = Client("AC" + "0" * 32, "token")
to = number()
sent = twilio.messages.create(to=to, from_=FROM, body=TEXT)
assert (sent.status, sent.num_segments) == ("queued", "1")
kept(to, "twilio")
assert twilio.messages(sent.sid).fetch().status == "delivered"
with refused(TwilioRestException):
    twilio.messages.create(to="+15005550001", from_=FROM, body=TEXT)

service = twilio.verify.v2.services.create(friendly_name="App")
verify = twilio.verify.v2.services(service.sid)
to = number()
assert verify.verifications.create(to=to, channel="sms").status == "pending"
code = latest(to)["code"]
assert verify.verification_checks.create(to=to, code="0").status == "pending"
assert verify.verification_checks.create(to=to, code=code).status == "approved"
assert latest(to, state="used")["code"] == code
with refused(TwilioRestException):
    verify.verification_checks.create(to=to, code=code)
# It expires by the project's clock.
verify.verifications.create(to=to, channel="sms")
code = latest(to)["code"]
with clock("PT11M"), refused(TwilioRestException):
    verify.verification_checks.create(to=to, code=code)

vonage = Vonage(Auth(api_key="key", api_secret="secret"))
to = number()
answer = vonage.sms.send(SmsMessage(to=to[1:], from_="Acme", text=TEXT))
assert answer.messages[0].status == "0"
kept(to, "vonage")
to = number()
assert vonage.messages.send(Sms(to=to[1:], from_="Acme", text=TEXT)).message_uuid
kept(to, "vonage")
to = number()
request = vonage.verify.start_verification(
    VerifyRequest(brand="Acme", workflow=[SmsChannel(channel="sms", to=to[1:])])
).request_id
code = latest(to)["code"]
with refused(HttpRequestError):
    vonage.verify.check_code(request_id=request, code="0000" if code != "0000" else "1111")
assert vonage.verify.check_code(request_id=request, code=code).status == "completed"

bird = messagebird.Client("key")
to = number()
assert bird.message_create("Acme", to, TEXT).recipients["totalSentCount"] == 1
kept(to, "messagebird")
to = number()
started = bird.verify_create(to)
assert bird.verify_verify(started.id, latest(to)["code"]).status == "verified"

to = number()
bird = bird_python.client.Client("key", "organization", "workspace")
contacts = [{"identifierKey": "phonenumber", "identifierValue": to}]
body = {"receiver": {"contacts": contacts}, "body": {"type": "text", "text": {"text": TEXT}}}
assert bird.send_message("channel", body)["status"] == "accepted"
kept(to, "bird")

to = number()
message = telnyx.Telnyx(api_key="KEY").messages.send(to=to, from_=FROM, text=TEXT)
assert message.data.parts == 1
kept(to, "telnyx")

keys = {"aws_access_key_id": "a", "aws_secret_access_key": "b", "region_name": "eu-west-1"}
to = number()
assert boto3.client("sns", **keys).publish(PhoneNumber=to, Message=TEXT)["MessageId"]
kept(to, "sns")
to = number()
voice = boto3.client("pinpoint-sms-voice-v2", **keys)
assert voice.send_text_message(DestinationPhoneNumber=to, MessageBody=TEXT)["MessageId"]
kept(to, "aws-sms")

to = number()
sinch = SinchClient(service_plan_id="plan", sms_api_token="token", sms_region="us")
sinch.sms.batches.send_sms(to=[to], from_=FROM, body=TEXT)
kept(to, "sinch")
# With the keys of a project, which are exchanged for a token first.
to = number()
sinch = SinchClient(project_id="project", key_id="key", key_secret="secret", sms_region="eu")
batch = sinch.sms.batches.send_sms(to=[to], from_=FROM, body=TEXT)
assert batch.id, batch
kept(to, "sinch")
done()
