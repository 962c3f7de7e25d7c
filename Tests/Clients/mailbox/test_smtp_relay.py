"""`--smtp-relay`: every captured email is passed on to an SMTP server (aiosmtpd)."""

import asyncio
import re
import threading
import uuid

import pytest
import requests
from support.server import ROOT, Server
from support.smtp import catcher, project, relay, relaying  # noqa: F401
from support.steering import Steered, guard, unused  # noqa: F401

NUMBER = "+15555550100"


def parts(message) -> dict[str, str]:
    assert message.get_content_type() == "multipart/alternative"
    return {part.get_content_type(): part.get_content() for part in message.iter_parts()}


def newlines(text: str) -> str:
    return text.replace("\r\n", "\n").rstrip("\n")


def test_a_mail_arrives(project, catcher):
    address = unused()
    project.sign_up(address)
    kept = project.reset_mail(address)
    [(envelope, message)] = catcher.wait()
    assert envelope.rcpt_tos == [address] and envelope.mail_from == kept["from"]
    assert message["From"] == kept["from"] and message["To"] == address
    assert message["Subject"] == kept["subject"]
    assert message["X-Hearth-Type"] == "PASSWORD_RESET"
    assert message["MIME-Version"] == "1.0" and message["Message-ID"] and message["Date"]
    both = parts(message)
    assert both.keys() == {"text/plain", "text/html"}
    assert newlines(both["text/plain"]) == newlines(kept["text"])
    assert newlines(both["text/html"]) == newlines(kept["html"])
    assert kept["oobLink"] in both["text/plain"]


def test_it_is_the_mail_that_the_mailbox_gives_as_mime(project, catcher):
    address = unused()
    project.sign_up(address)
    kept = project.reset_mail(address)
    catcher.wait()
    given = requests.get(
        f"{project.server.auth}{project.control}/messages/{kept['id']}.eml", timeout=30
    )
    assert catcher.raw[0].rstrip() == given.content.rstrip()


def test_the_link_that_arrives_works(project, catcher):
    address = unused()
    project.sign_up(address)
    project.reset_mail(address)
    [(_, message)] = catcher.wait()
    link = re.search(r"http://\S+", parts(message)["text/plain"])[0]
    assert requests.post(link, data={"newPassword": "secret2"}, timeout=30).status_code == 200
    project.sign_in(address, password="secret2")


@pytest.mark.parametrize(
    "kind", ["PASSWORD_RESET", "VERIFY_EMAIL", "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL"]
)
def test_every_type(project, catcher, kind):
    address = unused()
    session = project.sign_up(address)
    body = {"requestType": kind, "email": address, "continueUrl": "http://localhost/"}
    if kind.startswith("VERIFY"):
        body |= {"idToken": session["idToken"], "newEmail": unused("new")}
    project.call("sendOobCode", body)
    [(_, message)] = catcher.wait()
    assert message["X-Hearth-Type"] == kind


@pytest.mark.parametrize("language", ["de", "ja", "ru", "fr", "pt-BR", "ar"])
def test_languages(project, catcher, language):
    address = unused()
    project.sign_up(address)
    requests.post(
        f"{project.server.auth}/identitytoolkit.googleapis.com/v1/accounts:sendOobCode",
        params={"key": project.id},
        json={"requestType": "PASSWORD_RESET", "email": address},
        headers={"X-Firebase-Locale": language},
        timeout=30,
    )
    kept = project.messages(to=address)[-1]
    [(_, message)] = catcher.wait()
    assert message["Subject"] == kept["subject"]
    assert newlines(parts(message)["text/plain"]) == newlines(kept["text"])
    assert newlines(parts(message)["text/html"]) == newlines(kept["html"])
    assert catcher.raw[0].isascii()


def template(project, **words) -> None:
    project.configure(
        "notification.sendEmail", notification={"sendEmail": {"resetPasswordTemplate": words}}
    )


SUBJECTS = [
    "Passwort zurücksetzen für Größe",
    "パスワードを再設定してください",
    "🔑 New password for %EMAIL%",
    "=?utf-8?q?not_encoded?=",
    "x" * 300,
    "ü" * 200,
    "a  b",
    "Réinitialiser: “%APP_NAME%”",
]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_subjects(project, catcher, subject):
    template(project, subject=subject)
    address = unused()
    project.sign_up(address)
    kept = project.reset_mail(address)
    assert kept["subject"] == subject.replace("%EMAIL%", address).replace("%APP_NAME%", project.id)
    [(_, message)] = catcher.wait()
    assert message["Subject"] == kept["subject"]
    assert all(len(line) <= 998 for line in catcher.raw[0].split(b"\r\n"))


@pytest.mark.parametrize(
    "body",
    [
        ".\n..\n.hidden\n...three\nend",
        "first\n.\nlast",
        ".",
        "\n\n.\n\n",
        "a" * 3000 + "\n." + "b" * 3000,
        "tabs\tand trailing \nblanks  ",
        "=3D is no equals sign\n=",
        "From here\n>From there",
        "ümlauts, 漢字 and 🔑\n.ü",
    ],
)
def test_bodies(project, catcher, body):
    """Dots at the start of lines above all: one alone would end the mail."""
    template(project, subject="s", body=body + "\n%LINK%", bodyFormat="PLAIN_TEXT")
    address = unused()
    project.sign_up(address)
    kept = project.reset_mail(address)
    assert newlines(kept["text"]).startswith(newlines(body)) or not body.strip()
    [(_, message)] = catcher.wait()
    assert newlines(parts(message)["text/plain"]) == newlines(kept["text"])
    assert newlines(parts(message)["text/html"]) == newlines(kept["html"])
    assert all(len(line) <= 998 for line in catcher.raw[0].split(b"\r\n"))


def test_html_whose_lines_begin_with_dots(project, catcher):
    template(
        project,
        subject="s",
        body="<style>\n.a { color: red }\n.\n</style>\n<a href='%LINK%'>x</a>",
        bodyFormat="HTML",
    )
    address = unused()
    project.sign_up(address)
    kept = project.reset_mail(address)
    assert ".a { color: red }" in kept["html"]
    [(_, message)] = catcher.wait()
    assert newlines(parts(message)["text/html"]) == newlines(kept["html"])


def test_a_sender_with_a_name_and_where_to_reply(project, catcher):
    template(
        project,
        subject="s",
        senderDisplayName="Größe & Co, Inc.",
        senderLocalPart="hello",
        replyTo="help@example.com",
    )
    address = unused()
    project.sign_up(address)
    kept = project.reset_mail(address)
    [(envelope, message)] = catcher.wait()
    [sender] = message["From"].addresses
    assert sender.display_name == "Größe & Co, Inc." and sender.addr_spec == kept["from"]
    assert kept["from"].startswith("hello@") and envelope.mail_from == kept["from"]
    assert message["Reply-To"] == "help@example.com"


@pytest.mark.parametrize("line", ["Bcc: victim@example.com", "RCPT TO:<victim@example.com>"])
def test_a_subject_adds_no_header_and_no_command(project, catcher, line):
    for count, end in enumerate(("\r\n", "\n", "\r"), 1):
        template(project, subject=f"one{end}{line}{end}{end}body")
        address = unused()
        project.sign_up(address)
        project.reset_mail(address)
        envelope, message = catcher.wait(count)[-1]
        assert envelope.rcpt_tos == [address]
        assert "Bcc" not in message and message.keys().count("Subject") == 1


def test_text_messages_are_not_relayed(project, catcher):
    project.call("sendVerificationCode", {"phoneNumber": NUMBER})
    address = unused()
    project.sign_up(address)
    project.reset_mail(address)
    [(envelope, _)] = catcher.wait()
    # Mails are relayed in their order: the text message would have come first.
    assert envelope.rcpt_tos == [address]


def test_many_mails_each_once_and_in_their_order(project, catcher):
    addresses = [unused(f"n{n}") for n in range(60)]
    for address in addresses:
        project.call(
            "sendOobCode",
            {"requestType": "EMAIL_SIGNIN", "email": address, "continueUrl": "http://localhost/"},
        )
    caught = catcher.wait(60, 60)
    assert [message["To"] for _, message in caught] == addresses
    assert len({message["Message-ID"] for _, message in caught}) == 60


def test_a_burst_of_mails_arrives_whole(project, catcher):
    """More than a buffer of changes holds while one mail is on its way."""
    count = 400
    kept, all_requested = catcher.handle_DATA, threading.Event()

    async def held(*arguments):
        while not all_requested.is_set():
            await asyncio.sleep(0.01)
        return await kept(*arguments)

    catcher.handle_DATA = held
    session = requests.Session()
    for n in range(count):
        reply = session.post(
            f"{project.server.auth}/identitytoolkit.googleapis.com/v1/accounts:sendOobCode",
            params={"key": project.id},
            timeout=30,
            json={
                "requestType": "EMAIL_SIGNIN",
                "email": f"burst{n}@example.com",
                "continueUrl": "http://localhost/",
            },
        )
        assert reply.status_code == 200
    all_requested.set()
    catcher.wait(count, 120)


@pytest.mark.parametrize("project_id", ["demo-hearth", "demo-other"])
def test_all_projects(project, catcher, project_id):
    other = Steered(project.server, project_id)
    address = unused()
    other.sign_up(address)
    other.reset_mail(address)
    [(envelope, _)] = catcher.wait()
    assert envelope.mail_from == f"noreply@{project_id}.firebaseapp.com"


def test_a_tenants_mail(project, catcher):
    tenant = project.tenant(allowPasswordSignup=True)
    address = unused()
    project.sign_up(address, tenantId=tenant)
    project.call(
        "sendOobCode", {"requestType": "PASSWORD_RESET", "email": address, "tenantId": tenant}
    )
    assert catcher.wait()[0][0].rcpt_tos == [address]


def test_a_back_ends_mails(catcher):
    path = str(ROOT / "fixtures/dialects/jabrutouch.json")
    with relaying(catcher.port, "--dialect", path) as project:
        default = Steered(project.server, "demo-hearth")
        address = unused()
        default.sign_up(address)
        requests.post(
            f"{project.server.auth}/api/reset_password/",
            json={"email": address},
            timeout=30,
            headers={"User-Agent": "Jabrutouch/2.0"},
        )
        [(_, message)] = catcher.wait()
        assert (
            "https://jabrutouch.page.link/?type=reset_password&token="
            in (parts(message)["text/plain"])
        )
        token = default.messages(to=address)[-1]["oobCode"]
        requests.post(
            f"{project.server.auth}/api/confirm_reset_password/",
            timeout=30,
            json={"token": token, "new_password": "new-password"},
        )
        assert "changed" in catcher.wait(2)[1][1]["Subject"]


def test_nothing_is_relayed_without_the_flag(catcher):
    server = Server()
    project = Steered(server)
    address = unused()
    project.sign_up(address)
    project.reset_mail(address)
    server.stop()
    assert catcher.attempts == 0


@pytest.mark.parametrize("local", ["o'brien+tag", "a.b_c-d", "x" * 60, "UPPER.Case"])
def test_addresses(project, catcher, local):
    address = f"{local}-{uuid.uuid4().hex[:6]}@example.com"
    project.call(
        "sendOobCode",
        {"requestType": "EMAIL_SIGNIN", "email": address, "continueUrl": "http://localhost/"},
    )
    [(envelope, message)] = catcher.wait()
    assert envelope.rcpt_tos == [address.lower()] and message["To"] == address.lower()


@pytest.mark.parametrize("address", ["jösé@example.com", "ana@bücher.example", "a b@example.com"])
def test_an_address_outside_of_ascii_never_becomes_another(project, catcher, address):
    """It is relayed unchanged or not at all: a changed one may be another person's mailbox."""
    reply = project.raw(
        "sendOobCode",
        {"requestType": "EMAIL_SIGNIN", "email": address, "continueUrl": "http://localhost/"},
    )
    if reply.status_code != 200:
        return
    follower = unused()
    project.call(
        "sendOobCode",
        {"requestType": "EMAIL_SIGNIN", "email": follower, "continueUrl": "http://localhost/"},
    )
    catcher.wait_for({"to": follower})
    recipients = [envelope.rcpt_tos[0] for envelope, _ in catcher.caught]
    assert recipients[-1] == follower
    assert recipients[:-1] in ([], [address], ["ana@xn--bcher-kva.example"])
