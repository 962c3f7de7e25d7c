"""Back ends of apps that send their reset mails by SMTP, and users who finish the reset with the mail.

Each back end sends as the app does that it is made after; the code or link is taken from the mailbox.
"""

import contextlib
import re
import secrets
import smtplib
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText

import pytest
from support.server import Server
from support.steering import Steered, guard, unused  # noqa: F401

LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"


@pytest.fixture(scope="module")
def hearth():
    server = Server("--smtp-port", "0", "--smtp-tls-port", "0")
    yield server
    server.stop()


class BackEnd:
    """Accounts with passwords, and secrets that reset them once."""

    def __init__(self, server: Server, user: str):
        self.plain, self.tls = (
            int(server.addresses[name].rsplit(":", 1)[1]) for name in ("smtp", "smtp tls")
        )
        self.user = user
        self.passwords: dict[str, str] = {}
        self.secrets: dict[str, str] = {}

    def forgot_password(self, email: str) -> None:
        if email in self.passwords:
            secret = self.new_secret()
            self.secrets[secret] = email
            self.send(email, secret)

    def reset_password(self, secret: str, password: str) -> bool:
        email = self.secrets.pop(secret, None)
        if email is None:
            return False
        self.passwords[email] = password
        return True


class HouseHunting(BackEnd):
    """An HTML mail whose text is made of the HTML with its style sheet; STARTTLS and login without a
    look at what is offered; a link of the app's own scheme."""

    found = "linkToken"

    def new_secret(self) -> str:
        return secrets.token_urlsafe(32)

    def send(self, email: str, secret: str) -> None:
        link = f"artitec://reset-password?token={secret}"
        html = f"""<html><head><style>
            .container {{ color: #856404; max-width: 600px; }} .note {{ background: #123456; }}
            </style></head><body><div class="container"><h1>Password Reset Request</h1>
            <p>Hi there,</p><p><a href="{link}" class="button">Reset Password</a></p>
            <p class="note">This link will expire in 1 hour.</p></div></body></html>"""
        message = MIMEMultipart("alternative")
        message["Subject"] = "Reset Your Password"
        message["From"] = f"The app <{self.user}>"
        message["To"] = email
        message.attach(MIMEText(re.sub("<[^<]+?>", "", html), "plain"))
        message.attach(MIMEText(html, "html"))
        with smtplib.SMTP("127.0.0.1", self.tls, timeout=60) as server:
            server.starttls()
            server.login(self.user, "app password")
            server.send_message(message)


class Feedback(BackEnd):
    """A code of eight characters, shown large; a plain connection with a password."""

    found = "code"

    def new_secret(self) -> str:
        # A code of letters alone is not told apart from a word.
        return "".join(secrets.choice(LETTERS) for _ in range(6)) + "42"

    def send(self, email: str, secret: str) -> None:
        message = MIMEMultipart("alternative")
        message["Subject"] = "Reset your password - Feedback"
        message["From"], message["To"] = "no-reply@feedback.test", email
        message.attach(
            MIMEText(
                f"Use this code to reset your password:\n\n{secret}\n\nThis code expires in 1 hour."
            )
        )
        message.attach(
            MIMEText(
                "<p>Use this code to reset your password:</p><div style='font-size:32px;color:#112233'>"
                f"{secret}</div><p>This code expires in 1 hour.</p>",
                "html",
            )
        )
        with smtplib.SMTP("127.0.0.1", self.plain, timeout=60) as server:
            server.login(self.user, "secret")
            server.sendmail("no-reply@feedback.test", [email], message.as_string())


class Study(BackEnd):
    """A Django back end; a link to a page of the app's, with the secret in the query."""

    found = "linkToken"

    def new_secret(self) -> str:
        return secrets.token_hex(20)

    def send(self, email: str, secret: str) -> None:
        from django.conf import settings
        from django.core.mail import EmailMultiAlternatives, get_connection

        if not settings.configured:
            settings.configure(DEFAULT_CHARSET="utf-8")
        link = f"https://study.page.link/?type=reset_password&token={secret}"
        message = EmailMultiAlternatives(
            "Password reset",
            f"To choose a new password, open\n{link}\n",
            "help@study.test",
            [email],
            connection=get_connection(
                "django.core.mail.backends.smtp.EmailBackend",
                host="127.0.0.1",
                port=self.plain,
                username=self.user,
                password="x",
            ),
        )
        message.attach_alternative(
            f'<a href="{link.replace("&", "&amp;")}">Choose a new password</a>', "text/html"
        )
        assert message.send() == 1


@pytest.mark.parametrize("kind", [HouseHunting, Feedback, Study])
def test_a_reset_from_the_captured_mail(hearth, kind):
    project = Steered(hearth)
    app = kind(hearth, project.id)
    email = unused()
    app.passwords[email] = "old"
    app.forgot_password(unused("stranger"))
    app.forgot_password(email)
    mail = project.own("GET", "/messages/latest", params={"to": email, "wait": "10s"})
    assert app.reset_password(mail[kind.found], "new")
    assert app.passwords[email] == "new"
    # The same mail does not work twice, and nobody else got one.
    assert not app.reset_password(mail[kind.found], "newer")
    assert len(project.messages()) == 1


def test_a_mail_server_that_is_down_for_a_moment(hearth):
    """The back end tries again, and one mail arrives."""
    project = Steered(hearth)
    project.faults({"operation": "smtp.mail", "effect": {"status": 421}, "times": 1})
    app = Feedback(hearth, project.id)
    email = unused()
    app.passwords[email] = "old"
    with contextlib.suppress(smtplib.SMTPException):
        app.forgot_password(email)
    assert project.messages() == []
    app.forgot_password(email)
    assert len(project.messages(to=email)) == 1
