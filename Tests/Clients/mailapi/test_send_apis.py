"""The SDKs of mail providers send to Hearth, and get what their providers answer."""

import base64
import contextlib
import http.client
import json
from email.message import EmailMessage

import boto3
import botocore.config
import botocore.exceptions
import mailgun.client
import pytest
import requests
import resend
import resend.exceptions
import sendgrid
from postmarker.core import PostmarkClient
from postmarker.exceptions import ClientError
from python_http_client.exceptions import BadRequestsError, UnauthorizedError
from sendgrid.helpers.mail import Bcc, Mail, To

FROM = "Acme <app@acme.example>"
CODE = "Your code is 482913."


def check(message: dict, source: str) -> None:
    assert message["source"] == source
    assert message["from"] == "app@acme.example"
    assert message["code"] == "482913"
    assert message["text"].strip() == CODE
    assert "<p>" in message["html"]


@pytest.fixture
def resend_sdk(mail):
    resend.api_url, resend.api_key = mail.api, "re_test"
    return resend


def resend_mail(to: str, **more) -> dict:
    return {
        "from": FROM,
        "to": [to],
        "subject": "Sign in",
        "text": CODE,
        "html": f"<p>{CODE}</p>",
        **more,
    }


def test_resend(mail, resend_sdk, address):
    sent = resend_sdk.Emails.send(
        resend_mail(
            address,
            tags=[{"name": "kind", "value": "otp"}],
            attachments=[{"filename": "a.txt", "content": list(b"hi")}],
        )
    )
    check(mail.latest(address), "resend")
    assert resend_sdk.Emails.get(sent["id"])["last_event"] == "delivered"


def test_resend_sends_once_for_a_key(mail, resend_sdk, address):
    first = resend_sdk.Emails.send(resend_mail(address), {"idempotency_key": address})
    again = resend_sdk.Emails.send(resend_mail(address), {"idempotency_key": address})
    assert first["id"] == again["id"] and mail.count(address) == 1


def test_resend_refuses_a_mail_without_sender(resend_sdk, address):
    with pytest.raises(resend.exceptions.MissingRequiredFieldsError):
        resend_sdk.Emails.send(resend_mail(address, **{"from": ""}))


def test_resend_batch(mail, resend_sdk, address):
    sent = resend_sdk.Batch.send([resend_mail(address), resend_mail("other-" + address)])
    assert len(sent["data"]) == 2
    check(mail.latest("other-" + address), "resend")


def sendgrid_mail(to: str) -> Mail:
    return Mail("app@acme.example", to, "Sign in", CODE, f"<p>{CODE}</p>")


def test_sendgrid(mail, address):
    sent = sendgrid.SendGridAPIClient("SG.test", host=mail.api).send(sendgrid_mail(address))
    assert sent.status_code == 202 and sent.headers["X-Message-Id"]
    check(mail.latest(address), "sendgrid")


def test_sendgrid_blind_copies(mail, address):
    message = sendgrid_mail(address)
    message.add_bcc(Bcc("blind-" + address))
    message.add_to(To("second-" + address, name="Zwei"), is_multiple=False)
    sendgrid.SendGridAPIClient("SG.test", host=mail.api).send(message)
    check(mail.latest("blind-" + address), "sendgrid")


def test_sendgrid_refusals(mail, address):
    with pytest.raises(BadRequestsError) as refusal:
        sendgrid.SendGridAPIClient("SG.test", host=mail.api).client.mail.send.post(
            request_body={"personalizations": []}
        )
    assert refusal.value.to_dict["errors"][0]["field"] == "personalizations"
    with pytest.raises(UnauthorizedError):
        client = sendgrid.SendGridAPIClient("", host=mail.api)
        client.client.request_headers.pop("Authorization")
        client.client.mail.send.post(request_body=sendgrid_mail(address).get())


def test_postmark(mail, address):
    client = PostmarkClient(server_token="token", root_api_url=mail.api)
    sent = client.emails.send(
        From=FROM,
        To=address,
        Subject="Sign in",
        TextBody=CODE,
        HtmlBody=f"<p>{CODE}</p>",
        Tag="otp",
        Metadata={"user": "7"},
    )
    assert sent["ErrorCode"] == 0 and sent["MessageID"]
    check(mail.latest(address), "postmark")
    client.emails.send_batch(
        {
            "From": FROM,
            "To": "batch-" + address,
            "Subject": "Sign in",
            "TextBody": CODE,
            "HtmlBody": f"<p>{CODE}</p>",
        }
    )
    check(mail.latest("batch-" + address), "postmark")
    client.emails.send_with_template(
        TemplateId=7, TemplateModel={"code": "482913"}, From=FROM, To="template-" + address
    )
    assert "482913" in mail.latest("template-" + address)["text"]
    with pytest.raises(ClientError) as refusal:
        client.emails.send(From=FROM, To="", Subject="x", TextBody="y")
    assert refusal.value.error_code == 300


def test_mailgun(mail, address):
    with mailgun.client.Client(auth=("api", "key"), api_url=mail.api) as client:
        data = {
            "from": FROM,
            "to": address,
            "subject": "Sign in",
            "text": CODE,
            "html": f"<p>{CODE}</p>",
            "o:tag": ["a", "b"],
        }
        sent = client.messages.create(data=data, domain="acme.example")
        assert sent.status_code == 200 and sent.json()["message"] == "Queued. Thank you."
        check(mail.latest(address), "mailgun")
        data["to"] = "file-" + address
        client.messages.create(
            data=data, domain="acme.example", files=[("attachment", ("a.txt", b"hi"))]
        )
        check(mail.latest("file-" + address), "mailgun")
        refusal = client.messages.create(data={"to": address}, domain="acme.example")
        assert refusal.status_code == 400


def aws(mail, service: str):
    return boto3.client(
        service,
        endpoint_url=mail.api,
        region_name="eu-west-1",
        aws_access_key_id="AKIATEST",
        aws_secret_access_key="secret",
        config=botocore.config.Config(retries={"max_attempts": 0}),
    )


def test_ses_2(mail, address):
    ses = aws(mail, "sesv2")
    body = {"Text": {"Data": CODE}, "Html": {"Data": f"<p>{CODE}</p>"}}
    sent = ses.send_email(
        FromEmailAddress=FROM,
        Destination={"ToAddresses": [address]},
        EmailTags=[{"Name": "kind", "Value": "otp"}],
        Content={"Simple": {"Subject": {"Data": "Sign in"}, "Body": body}},
    )
    assert sent["MessageId"]
    check(mail.latest(address), "ses")
    ses.create_email_template(
        TemplateName="code", TemplateContent={"Subject": "Hi {{name}}", "Text": "Code {{code}}"}
    )
    ses.send_bulk_email(
        FromEmailAddress=FROM,
        DefaultContent={"Template": {"TemplateName": "code", "TemplateData": "{}"}},
        BulkEmailEntries=[
            {
                "Destination": {"ToAddresses": ["bulk-" + address]},
                "ReplacementEmailContent": {
                    "ReplacementTemplate": {
                        "ReplacementTemplateData": '{"name": "Sam", "code": "482913"}'
                    }
                },
            }
        ],
    )
    bulk = mail.latest("bulk-" + address)
    assert bulk["subject"] == "Hi Sam" and bulk["code"] == "482913"
    with pytest.raises(ses.exceptions.NotFoundException):
        ses.get_email_template(TemplateName="none")


def test_ses_1(mail, address):
    ses = aws(mail, "ses")
    body = {"Text": {"Data": CODE}, "Html": {"Data": f"<p>{CODE}</p>"}}
    sent = ses.send_email(
        Source=FROM,
        Destination={"ToAddresses": [address]},
        Message={"Subject": {"Data": "Sign in"}, "Body": body},
    )
    assert sent["MessageId"]
    check(mail.latest(address), "ses")
    raw = EmailMessage()
    raw["From"], raw["To"], raw["Subject"] = FROM, "raw-" + address, "Grüße"
    raw.set_content(CODE)
    raw.add_alternative(f"<p>{CODE}</p>", subtype="html")
    ses.send_raw_email(RawMessage={"Data": raw.as_bytes()})
    check(mail.latest("raw-" + address), "ses")
    with pytest.raises(botocore.exceptions.ClientError) as refusal:
        ses.send_templated_email(
            Source=FROM, Destination={"ToAddresses": [address]}, Template="none", TemplateData="{}"
        )
    assert refusal.value.response["Error"]["Code"] == "TemplateDoesNotExist"


def test_the_key_or_a_header_names_the_project(mail, address):
    url, body = mail.api + "/emails", resend_mail(address)
    requests.post(url, json=body, headers={"Authorization": "Bearer demo-by-key"}, timeout=30)
    assert mail.latest(address, "demo-by-key")["source"] == "resend"
    requests.post(
        url,
        json=body,
        timeout=30,
        headers={"Authorization": "Bearer x", "X-Hearth-Project": "demo-by-header"},
    )
    assert mail.latest(address, "demo-by-header")["source"] == "resend"


def test_test_addresses_bounce(mail, address):
    label = address.split("@")[0]
    body = resend_mail(f"bounced+{label}@resend.dev")
    requests.post(
        mail.api + "/emails", json=body, headers={"Authorization": "Bearer x"}, timeout=30
    )
    kept = mail.latest(f"bounced+{label}@resend.dev")
    assert kept["delivery"]["state"] == "bounced"


def test_web_pages_are_refused(mail, address):
    reply = requests.post(
        mail.api + "/emails",
        json=resend_mail(address),
        timeout=30,
        headers={"Authorization": "Bearer x", "Origin": "https://elsewhere.example"},
    )
    assert reply.status_code == 403 and mail.count(address) == 0


def test_a_large_attachment_is_kept(mail, address):
    content = base64.b64encode(bytes(3_000_000)).decode()
    reply = requests.post(
        mail.api + "/emails",
        timeout=30,
        headers={"Authorization": "Bearer x"},
        json=resend_mail(address, attachments=[{"filename": "a.bin", "content": content}]),
    )
    assert reply.status_code == 200, reply.text
    check(mail.latest(address), "resend")


def test_a_body_that_is_too_large_is_refused_as_the_provider_does(mail):
    """Before it has come: its length is announced."""
    connection = http.client.HTTPConnection(mail.api.removeprefix("http://"), timeout=30)
    with contextlib.closing(connection):
        connection.putrequest("POST", "/emails")
        connection.putheader("Content-Length", str(60 << 20))
        connection.endheaders()
        reply = connection.getresponse()
        assert reply.status == 413
        assert json.load(reply)["statusCode"] == 413
