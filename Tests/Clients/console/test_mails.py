"""The console in Chromium: mails that apps send by themselves."""

import contextlib
import http.server
import json
import smtplib
import threading
from email.message import EmailMessage

import pytest

from support.console import browser, console, console_url, reset_mail  # noqa: F401
from support.server import Server
from support.smtp import Catcher
from support.waiting import until

PANEL = "[role=tabpanel]:not([hidden])"


@pytest.fixture(scope="module")
def peer():
    catcher = Catcher()
    yield catcher
    catcher.controller.stop()


@pytest.fixture(scope="module")
def hearth(peer):
    server = Server("--smtp-port", "0", "--smtp-relay", f"127.0.0.1:{peer.port}",
                    "--smtp-relay-to", "*@allowed.test")
    yield server
    server.stop()


@pytest.fixture
def send(hearth, console):
    """Sends a mail of the app to the project of the test, and gives the message."""
    def send(subject="Hello", text="", html="", to="ann@example.com", pictures=()):
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = "Shop <shop@example.com>", to, subject
        mail.set_content(text or "Hello")
        if html:
            mail.add_alternative(html, subtype="html")
            for cid, content in pictures:
                mail.get_payload()[1].add_related(content, "image", "png", cid=f"<{cid}>")
        host, port = hearth.addresses["smtp"].rsplit(":", 1)
        with smtplib.SMTP(host.removeprefix("smtp://"), int(port), timeout=20) as client:
            client.login(console.project, "x")
            client.send_message(mail)
        return console.own("GET", f"messages/latest?to={to}")
    return send


@contextlib.contextmanager
def picture_server():
    """A server of pictures on another origin; gives its address, and what it was asked for."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "image/png")
            self.end_headers()
            self.wfile.write(PNG)

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}", asked
        server.shutdown()
        thread.join()


# One red pixel.
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63f8cf"
    "c0000003010100c9fe92ef0000000049454e44ae426082")


def test_pictures_of_other_servers_are_loaded_on_request(console, send):
    with picture_server() as (origin, asked):
        message = send(
            html=f"<p>Hi <img id=own src=cid:logo><img id=far src='{origin}/open.png'>",
            pictures=[("logo", PNG)])
        console.open(f"mailbox/{message['id']}")
        console.sees("1 picture of other servers is not loaded", ".detail")
        console.in_frame(lambda: console.run("return own.complete && own.naturalWidth") == 1)
        assert asked == []
        console.button("Load remote pictures")
        console.until(lambda: asked == ["/open.png"])
        console.until(lambda: "not loaded" not in console.find(".detail").text)
        console.in_frame(lambda: console.run("return far.complete && far.naturalWidth") == 1)


def test_a_hostile_mail_can_be_styled_but_does_nothing(console, send):
    message = send(
        text="x", html="<style>p { color: rgb(1, 2, 3) }</style><body bgcolor=red>"
        "<p style='margin: 7px'>Hi<script>parent.document.title = 'caught'</script>"
        "<img src=x onerror=\"parent.document.title = 'caught'\">"
        "<form action='/shutdown'><button>Go</button></form>"
        "<a href=\"javascript:parent.document.title='caught'\">link</a>")
    console.open(f"mailbox/{message['id']}")
    assert console.in_frame(lambda: console.run("""
      const { color, marginTop } = getComputedStyle(document.querySelector("p"));
      return [color, marginTop]""")) == ["rgb(1, 2, 3)", "7px"]
    assert console.in_frame(lambda: not console.all("script, form, button, [onerror]"))
    assert console.in_frame(lambda: console.find("a").click() or True)
    assert console.browser.title.startswith("Hello")
    assert len(console.browser.window_handles) == 1


def test_a_link_that_does_harm_cannot_be_opened(console):
    message = reset_mail(console) | {"oobLink": "javascript:alert(1)", "html": ""}
    script = console.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": f"""
      if (window === top) window.fetch = () => Promise.resolve(
        Response.json({json.dumps({"messages": [message], "total": 1})}));
    """})["identifier"]
    try:
        console.open(f"mailbox/{message['id']}")
        console.sees("javascript:alert(1)", ".detail")
        assert "Open link" not in console.text(".detail")
    finally:
        console.browser.execute_cdp_cmd(
            "Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})
        console.browser.get_log("browser")


def test_every_message_of_a_long_list_is_reached(console):
    """Text messages are the shortest."""
    for number in range(205):
        console.client("sendVerificationCode", {"phoneNumber": f"+1555555{number:04}"})
    console.open("mailbox")
    console.sees("The newest 100 of 205 messages")
    console.button("Show older messages")
    console.sees("The newest 200 of 205 messages")
    console.button("Show older messages")
    console.sees("205 messages, newest first")
    assert len(console.all(".list li")) == 205
    assert not [b for b in console.all("button") if b.text == "Show older messages"]
    # What happens to an old message is seen, and a new one keeps the old ones.
    oldest = console.own("GET", "messages?limit=1000")["messages"][0]
    console.own("DELETE", f"messages/{oldest['id']}")
    console.sees("204 messages, newest first")
    console.client("sendVerificationCode", {"phoneNumber": "+15555559999"})
    console.sees("205 messages, newest first")
    console.type("Search", "to:+15555550003")
    console.sees("1 message,")


def test_a_mail_is_released_to_an_allowed_address(console, send, peer):
    message = send("For release")
    console.open(f"mailbox/{message['id']}")
    console.button("Release…")
    console.type("To", "ann@elsewhere.test", "dialog")
    console.button("Send", "dialog")
    console.sees("ann@elsewhere.test is not allowed by --smtp-relay-to", "dialog")
    console.type("To", "ann@allowed.test", "dialog")
    console.button("Send", "dialog")
    console.sees("Released.", "#toasts")
    until(lambda: [mail["Subject"] for _, mail in peer.caught] == ["For release"], what="the mail")


def test_tags_and_marks_are_kept(console, send):
    message = send()
    console.open(f"mailbox/{message['id']}")
    console.button("Add tag")
    console.type("Tag", "checkout", "dialog")
    console.button("Add", "dialog")
    console.sees("#checkout", ".list")
    console.button("Mark unread")
    console.until(lambda: console.all(".list .unread"))
    stored = console.own("GET", f"messages/{message['id']}")
    assert stored["tags"] == ["checkout"] and stored["read"] is False
    console.button("Remove the tag checkout")
    console.until(lambda: console.own("GET", f"messages/{message['id']}")["tags"] == [])


def test_rules_of_codes_are_edited(console, send):
    assert send(text="Ticket QRSTU").get("code") is None
    console.open("settings/mailRules")
    console.sees("No rules")
    console.button("Add a rule")
    console.type("Subject contains", "Your ticket")
    console.type("Code, a regular expression", "Ticket ([A-Z]+")
    console.button("Save")
    console.sees("/rules/0", "[role=alert]")
    console.type("Code, a regular expression", "Ticket ([A-Z]+)")
    console.button("Save")
    console.sees("Rules saved.", "#toasts")
    assert console.own("GET", "mailRules") == {"rules": [
        {"match": {"subject": "Your ticket"}, "code": "Ticket ([A-Z]+)"}]}
    assert send("Your ticket", text="Ticket QRSTU")["code"] == "QRSTU"
    console.visit("settings/tenants")
    console.visit("settings/mailRules")
    assert console.labelled("Subject contains").get_attribute("value") == "Your ticket"
    console.button("Remove this rule")
    console.button("Save")
    console.until(lambda: console.own("GET", "mailRules") == {"rules": []})
