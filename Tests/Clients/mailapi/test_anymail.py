"""django-anymail: one client for five providers."""

import django
import pytest
from django.conf import settings

if not settings.configured:
    settings.configure(INSTALLED_APPS=["anymail"], EMAIL_TIMEOUT=30)
    django.setup()

from anymail.message import AnymailMessage  # noqa: E402
from django.core.mail import get_connection  # noqa: E402

BACKENDS = {
    "resend": lambda url: {"api_key": "re_x", "api_url": url},
    "sendgrid": lambda url: {"api_key": "SG.x", "api_url": url + "/v3"},
    "postmark": lambda url: {"server_token": "x", "api_url": url},
    "mailgun": lambda url: {"api_key": "x", "api_url": url + "/v3"},
    "amazon_ses": lambda url: {
        "client_params": {
            "endpoint_url": url,
            "region_name": "eu-west-1",
            "aws_access_key_id": "AKIAX",
            "aws_secret_access_key": "x",
        }
    },
}


@pytest.mark.parametrize("provider", BACKENDS)
def test_a_mail_with_everything(mail, address, provider):
    message = AnymailMessage(
        subject="Grüße 你好",
        body="Your code is 482913.",
        from_email="Acme <app@acme.example>",
        to=[f'"Käufer, Sam" <{address}>'],
        cc=["cc-" + address],
        bcc=["bcc-" + address],
        reply_to=["help@acme.example"],
        headers={"X-Note": "7"},
    )
    message.attach_alternative("<p>Your code is <b>482913</b>.</p>", "text/html")
    message.attach("Übersicht.txt", b"hello", "text/plain")
    message.tags, message.metadata = ["welcome"], {"order": "12"}
    message.connection = get_connection(
        f"anymail.backends.{provider}.EmailBackend", **BACKENDS[provider](mail.api)
    )
    assert message.send() == 1
    assert message.anymail_status.message_id
    kept = mail.latest("bcc-" + address)
    assert kept["subject"] == "Grüße 你好" and kept["code"] == "482913"
    assert mail.latest(address)["id"] == mail.latest("cc-" + address)["id"] == kept["id"]
    assert [part["name"] for part in kept["attachments"]] == ["Übersicht.txt"]
    assert kept["replyTo"] == "help@acme.example"
    # Anymail sends them to SES and Resend in headers of its own.
    if provider not in ("amazon_ses", "resend"):
        assert kept["tags"] == ["welcome"]
