"""The console in Chromium: mails that apps send by themselves."""

import contextlib
import http.server
import json
import smtplib
import threading
from email.message import EmailMessage

import pytest
import requests
from support.console import FIND_BUTTON, browser, console, console_url, reset_mail  # noqa: F401
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
    server = Server(
        "--smtp-port",
        "0",
        "--mail-api-port",
        "0",
        "--smtp-relay",
        f"127.0.0.1:{peer.port}",
        "--smtp-relay-to",
        "*@allowed.test",
    )
    yield server
    server.stop()


@pytest.fixture
def send(hearth, console):
    """Sends a mail of the app to the project of the test, and gives the message."""

    def send(
        subject="Hello", text="Hello", html="", to="ann@example.com", pictures=(), only=(), files=()
    ):
        mail = EmailMessage()
        mail["From"], mail["Subject"] = "Shop <shop@example.com>", subject
        if not only:
            mail["To"] = to
        mail.set_content(text)
        if html:
            mail.add_alternative(html, subtype="html")
            for cid, content in pictures:
                mail.get_payload()[1].add_related(content, "image", "png", cid=f"<{cid}>")
        for name, content in files:
            mail.add_attachment(content, "application", "pdf", filename=name)
        host, port = hearth.addresses["smtp"].rsplit(":", 1)
        with smtplib.SMTP(host.removeprefix("smtp://"), int(port), timeout=60) as client:
            client.login(console.project, "x")
            client.send_message(mail, to_addrs=list(only) or None)
        return console.own("GET", f"messages/latest?to={only[0] if only else to.split(',')[0]}")

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
    "c0000003010100c9fe92ef0000000049454e44ae426082"
)


PDF = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>endobj
trailer<</Root 1 0 R>>
"""


def test_pictures_of_other_servers_are_loaded_on_request(console, send):
    with picture_server() as (origin, asked):
        message = send(
            html=f"<p>Hi <img id=own src=cid:logo><img id=far src='{origin}/open.png'>",
            pictures=[("logo", PNG)],
        )
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
        text="x",
        html="<style>p { color: rgb(1, 2, 3) }</style><body bgcolor=red>"
        "<p style='margin: 7px'>Hi<script>parent.document.title = 'caught'</script>"
        "<img src=x onerror=\"parent.document.title = 'caught'\">"
        "<form action='/shutdown'><button>Go</button></form>"
        "<a href=\"javascript:parent.document.title='caught'\">link</a>",
    )
    console.open(f"mailbox/{message['id']}")
    assert console.in_frame(
        lambda: console.run("""
      const { color, marginTop } = getComputedStyle(document.querySelector("p"));
      return [color, marginTop]""")
    ) == ["rgb(1, 2, 3)", "7px"]
    assert console.in_frame(lambda: not console.all("script, form, button, [onerror]"))
    assert console.in_frame(lambda: console.find("a").click() or True)
    console.until(lambda: console.browser.title.startswith("Hello"))
    assert len(console.browser.window_handles) == 1


def test_a_link_that_does_harm_cannot_be_opened(console):
    message = reset_mail(console) | {"oobLink": "javascript:alert(1)", "html": ""}
    script = console.browser.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument",
        {
            "source": f"""
      if (window === top) window.fetch = (path) => Promise.resolve(Response.json(
        path.includes("/messages/") ? {json.dumps(message)}
        : {json.dumps({"messages": [message], "total": 1})}));
    """
        },
    )["identifier"]
    try:
        console.open(f"mailbox/{message['id']}")
        console.sees("javascript:alert(1)", ".detail")
        assert "Open link" not in console.text(".detail")
    finally:
        console.browser.execute_cdp_cmd(
            "Page.removeScriptToEvaluateOnNewDocument", {"identifier": script}
        )
        console.browser.get_log("browser")


def test_links_are_readable_and_checked(console, send):
    address = "https://shop.example/reset?token=" + "a1b2" * 10
    message = send(
        html=f"<base href='https://elsewhere.example/'><a href='{address}'>Reset</a>"
        "<a href='nowhere'>x</a>"
    )
    for width in (320, 1280):
        console.browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False},
        )
        try:
            console.open(f"mailbox/{message['id']}")
            console.button("Links (2)")
            console.sees("not a full address: it leads nowhere in a mail", PANEL)
            column = console.find(f"{PANEL} tbody th").size["width"]
            frame = console.find(f"{PANEL} .scroll")
            assert (
                column >= 140
                and console.run("return arguments[0].scrollWidth - arguments[0].clientWidth", frame)
                == 0
            ), width
        finally:
            console.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_links_of_this_machine_that_lead_nowhere_are_marked(console, send):
    places = ["http://localhost:1/welcome", f"{console.origin}/emulator/acton", console.url]
    message = send(html="".join(f"<a href='{place}'>x</a>" for place in places))
    console.open(f"mailbox/{message['id']}")
    console.button("Links (3)")
    console.sees("broken: nothing listens at this port", PANEL)
    rows = [row.text for row in console.all(f"{PANEL} tbody tr")]
    assert "nothing listens" in rows[0] and "Hearth has no such page" in rows[1]
    assert "on this machine" in rows[2]


def test_a_mail_is_checked_against_mail_programs(console, send):
    message = send(
        html="<style>@media (width<600px) { p { color: red } }</style>"
        "<!-- display: grid --><div style='display: flex; border-radius: 9px'>"
        "<svg></svg><p>flexible</p></div>"
    )
    console.open(f"mailbox/{message['id']}")
    console.button("Mail programs")
    rows = console.until(
        lambda: console.run("""
      return [...document.querySelectorAll("[role=tabpanel]:not([hidden]) tbody tr")].map((row) =>
        [...row.cells].slice(0, 2).map((cell) => cell.innerText.trim()))""")
    )
    found = dict(rows)
    assert list(found) == ["display: flex", "border-radius", "@media", "<svg>"]
    assert found["display: flex"] == "Outlook for Windows"
    assert found["<svg>"].count("Gmail") == 2 and "Apple Mail" not in found["<svg>"]


def test_pictures_of_a_mail_are_seen_and_marked(console, send):
    message = send(html="<p>Hi <img src=cid:logo>", pictures=[("logo", PNG)])
    console.open(f"mailbox/{message['id']}")
    console.button("Attachments (1)")
    console.until(
        lambda: console.run("return document.querySelector('.pictures img')?.naturalWidth") == 1
    )
    console.sees("shown in the mail", PANEL)


def test_a_pdf_is_looked_at_in_the_browsers_own_viewer(console, send):
    message = send(
        html="<p>Hi", files=[("bill.pdf", PDF), ("page.pdf", b"<script>alert(1)</script>")]
    )
    base = f"{console.origin}/emulator/v1/projects/{console.project}/messages/{message['id']}"
    numbers = [one["id"] for one in message["attachments"]]
    first, second = (
        requests.get(f"{base}/attachments/{number}?view=1", timeout=30) for number in numbers
    )
    assert first.content == PDF and first.headers["Content-Type"] == "application/pdf"
    assert first.headers["Content-Disposition"] == "inline"
    assert "default-src 'none'" in first.headers["Content-Security-Policy"]
    # What only says that it is one is a file to save.
    assert second.headers["Content-Disposition"].startswith("attachment")
    assert "sandbox" in second.headers["Content-Security-Policy"]
    console.open(f"mailbox/{message['id']}")
    console.button("Attachments (2)")
    console.button("Look at bill.pdf")
    frame = console.until(lambda: console.find("dialog iframe"))
    assert frame.get_attribute("title") == "bill.pdf"
    # The viewer is a page of its own below the frame.
    console.until(
        lambda: console.in_frame(
            lambda: console.run("return document.contentType") == "application/pdf", "dialog iframe"
        )
    )
    console.button("Close", "dialog")
    console.run("Object.defineProperty(navigator, 'pdfViewerEnabled', { value: false })")
    console.button("Look at bill.pdf")
    console.sees("This browser shows no PDF.", "dialog")


def test_the_first_page_of_a_pdf_is_seen_unless_it_may_hold_a_script(console, send):
    scripted = PDF.replace(b"/Catalog", b"/Catalog/OpenAction 9 0 R")
    assert scripted != PDF
    message = send(html="<p>Hi", files=[("bill.pdf", PDF), ("script.pdf", scripted)])
    console.open(f"mailbox/{message['id']}")
    console.button("Attachments (2)")
    page = console.until(lambda: console.find(".pictures .page iframe"))
    assert page.get_attribute("title") == "First page of bill.pdf"
    # The keyboard goes past the viewer.
    assert console.run("return Boolean(arguments[0].closest('[inert]'))", page)
    assert len(console.all(".pictures .page iframe")) == 1
    console.button("Look at all of script.pdf")
    console.until(lambda: console.find("dialog iframe"))


def test_widths_and_colours_are_seen_side_by_side(console):
    message = reset_mail(console)
    console.open(f"mailbox/{message['id']}")
    console.button("Side by side")
    console.until(lambda: len(console.all(".stage iframe")) == 3)
    assert console.find(".stage iframe").size["width"] == 320
    schemes = [
        console.run("return arguments[0].style.colorScheme", one)
        for one in console.all(".stage iframe")
    ]
    assert schemes == ["light", "light", "dark"]
    console.button("Desktop")
    console.until(lambda: len(console.all(".stage iframe")) == 1)


def test_one_goes_on_to_the_mails_beside(console, send):
    for number in range(3):
        send(f"Mail {number}")
    [first, second, third] = console.own("GET", "messages")["messages"]
    console.open(f"mailbox/{second['id']}")
    console.click("[aria-label='Newer message']")
    console.until(lambda: console.find(".detail h2").text == third["subject"])
    assert not console.find("[aria-label='Newer message']").is_enabled()
    console.click("[aria-label='Older message']")
    console.until(lambda: console.find(".detail h2").text == second["subject"])
    # What is next is shown when a mail is gone.
    console.button("Delete message")
    console.until(lambda: console.find(".detail h2").text == first["subject"])
    top = console.run("return document.querySelector('.toolbar').getBoundingClientRect().bottom")
    assert top < console.run(
        "return document.querySelector('.detail h2').getBoundingClientRect().top"
    )


def facts(console):
    """The names and the values, all of one moment."""
    return dict(
        console.run("""
      return [...document.querySelectorAll(".detail dt")].map(
        (name) => [name.innerText, name.nextElementSibling.innerText])""")
    )


def test_recipients_of_a_mail(console, send):
    message = send(only=["hidden@example.com"])
    console.open(f"mailbox/{message['id']}")
    console.sees("hidden@example.com", ".detail dl")
    shown = facts(console)
    assert shown["Bcc"] == "hidden@example.com" and "To" not in shown and "Type" not in shown
    assert shown["Received by"] == "SMTP"
    console.sees("hidden@example.com", ".list")
    assert [tag.text for tag in console.all(".list .tag")] == []
    many = send(to=", ".join(f"user{number:02}@example.com" for number in range(40)))
    console.visit(f"mailbox/{many['id']}")
    console.sees("35 more", ".detail dl")
    assert "user30" not in console.find(".detail dl").text
    console.click(".others summary")
    console.sees("user39@example.com", ".detail dl")


def test_a_mail_without_a_text_says_so(console, send):
    message = send(text="")
    console.open(f"mailbox/{message['id']}")
    console.sees("No text.", PANEL)


def test_a_link_that_was_not_sent_has_the_state_of_its_code(console):
    console.admin("", {"email": "ann@example.com", "password": "old secret"})
    console.call(
        "POST",
        f"/identitytoolkit.googleapis.com/v1/projects/{console.project}/accounts:sendOobCode",
        {"requestType": "PASSWORD_RESET", "email": "ann@example.com", "returnOobLink": True},
    )
    [message] = console.own("GET", "messages")["messages"]
    console.open(f"mailbox/{message['id']}")
    console.sees("not sent", ".detail dl")
    shown = facts(console)
    assert shown["Delivery"].startswith("not sent") and shown["State"].startswith("expires in")
    assert console.find(".detail dl").text.count("not sent") == 1
    console.client("resetPassword", {"oobCode": message["code"], "newPassword": "new secret"})
    console.until(lambda: facts(console).get("State") == "used")
    console.until(
        lambda: (
            [tag.text for tag in console.all(".list .tag")]
            == ["not sent", "used", "Password reset"]
        )
    )


def test_an_old_mail_is_shown_in_the_list(console):
    first = None
    for number in range(40):
        console.client("sendVerificationCode", {"phoneNumber": f"+1555555{number:04}"})
        first = first or console.own("GET", "messages")["messages"][0]
    console.open(f"mailbox/{first['id']}")
    console.until(
        lambda: console.run("""
      const row = document.querySelector(".list [aria-current]").getBoundingClientRect();
      const list = document.querySelector(".list").getBoundingClientRect();
      return row.top >= list.top && row.bottom <= list.bottom + 1""")
    )


def test_every_message_of_a_long_list_is_reached(console):
    """Text messages are the shortest."""
    for number in range(205):
        console.client("sendVerificationCode", {"phoneNumber": f"+1555555{number:04}"})
    # The older messages that are shown are forgotten when events begin.
    console.open("mailbox").caught_up()
    console.sees("The newest 100 of 205 messages")
    console.button("Show older messages")
    console.sees("The newest 200 of 205 messages")
    console.button("Show older messages")
    console.sees("205 messages, newest first")
    assert len(console.all(".list li")) == 205
    assert not console.run(FIND_BUTTON, "button", "Show older messages")
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
    console.says("Released.")
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


def test_a_link_that_never_expires_is_not_waited_for(console, send):
    message = send("Welcome to Acme", "Verify: https://acme.example/verify?token=a1b2c3d4e5f6")
    console.open(f"mailbox/{message['id']}")
    console.sees("Welcome to Acme", ".mails")
    console.sees("https://acme.example/verify?token=a1b2c3d4e5f6", ".detail")
    assert not console.all(".mails .state, .detail .state")
    assert "pending" not in console.find("main").text


def test_tags_have_the_values_that_the_app_gave_them(console, hearth):
    mail = {
        "from": "Acme <app@acme.example>",
        "to": "ann@example.com",
        "subject": "Welcome",
        "text": "Hello",
        "tags": [{"name": "category", "value": "welcome"}],
    }
    reply = requests.post(
        hearth.addresses["mail-api"] + "/emails",
        json=mail,
        headers={"Authorization": f"Bearer {console.project}"},
        timeout=30,
    )
    assert reply.status_code == 200, reply.text
    console.open("mailbox")
    console.sees("#category: welcome", ".mails")


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
    console.says("Rules saved.")
    assert console.own("GET", "mailRules") == {
        "rules": [{"match": {"subject": "Your ticket"}, "code": "Ticket ([A-Z]+)"}]
    }
    assert send("Your ticket", text="Ticket QRSTU")["code"] == "QRSTU"
    console.visit("settings/tenants")
    console.visit("settings/mailRules")
    assert console.labelled("Subject contains").get_attribute("value") == "Your ticket"
    console.button("Remove this rule")
    console.button("Save")
    console.until(lambda: console.own("GET", "mailRules") == {"rules": []})
