"""The SDKs of mail providers, with the addresses that they have built in."""

import boto3
import requests
import resend
import sendgrid
from common import CONTROL, address, done
from postmarker.core import PostmarkClient
from sendgrid.helpers.mail import Mail

FROM = "app@acme.example"
TEXT = "Your code is 482913."


def kept(to: str) -> str:
    """Which API a mail to the address came by."""
    mail = requests.get(
        f"{CONTROL}/messages/latest",
        params={"to": to, "delivery": "any", "wait": "10s"},
        timeout=30,
    ).json()
    assert mail["code"] == "482913", mail
    return mail["source"]


sources = []
to = address()
resend.api_key = "re_test"
resend.Emails.send({"from": FROM, "to": [to], "subject": "Sign in", "text": TEXT})
sources.append(kept(to))
to = address()
sendgrid.SendGridAPIClient("SG.test").send(Mail(FROM, to, "Sign in", TEXT))
sources.append(kept(to))
to = address()
PostmarkClient(server_token="test").emails.send(From=FROM, To=to, Subject="Sign in", TextBody=TEXT)
sources.append(kept(to))
to = address()
boto3.client(
    "ses", region_name="eu-west-1", aws_access_key_id="a", aws_secret_access_key="b"
).send_email(
    Source=FROM,
    Destination={"ToAddresses": [to]},
    Message={"Subject": {"Data": "Sign in"}, "Body": {"Text": {"Data": TEXT}}},
)
sources.append(kept(to))
done(sources=sources)
