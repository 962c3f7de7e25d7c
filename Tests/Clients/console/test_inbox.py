"""The console in Chromium: one inbox for mails, text messages and push messages."""

import pytest
import requests
from support.console import browser, console, console_url, reset_mail  # noqa: F401

PANEL = "[role=tabpanel]:not([hidden])"


def send(console, **message) -> None:
    path = f"/v1/projects/{console.project}/messages:send"
    console.call("POST", path, {"message": message})


@pytest.fixture
def inbox(console):
    """A project with a message of each kind."""
    console.client("signUp", {"email": "ann@example.com", "password": "secret1"})
    console.client("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "ann@example.com"})
    console.client("sendVerificationCode", {"phoneNumber": "+491701234567", "recaptchaToken": "x"})
    console.own("POST", "devices", {"name": "Ann's phone", "topics": ["news"]})
    send(
        console,
        topic="news",
        notification={"title": "Your order"},
        android={"notification": {"body_loc_key": "SENT", "body_loc_args": ["12"]}},
        data={"order": "12"},
    )
    return console


def test_kinds_are_chosen(inbox):
    inbox.open("mailbox")
    inbox.sees("Your order")
    for kind, seen, unseen in [
        ("Push", "Your order", "+491701234567"),
        ("SMS", "+491701234567", "Your order"),
        ("Mails", "ann@example.com", "Your order"),
    ]:
        inbox.button(kind)
        inbox.until(
            lambda seen=seen, unseen=unseen: (
                seen in inbox.find("main").text and unseen not in inbox.find("main").text
            )
        )
        pressed = inbox.all("[aria-label='Kind of message'] [aria-pressed=true]")
        assert [button.text for button in pressed] == [kind]
    inbox.button("All")
    inbox.sees("Your order")
    inbox.sees("ann@example.com")


def test_a_push_message_is_a_card(inbox):
    number = inbox.own("GET", "messages/latest?type=PUSH")["id"]
    inbox.open(f"mailbox/{number}")
    inbox.until(lambda: inbox.find(f"{PANEL} .phone-card"))
    card = inbox.text(f"{PANEL} .phone-card")
    assert "Your order" in card and "SENT(12)" in card
    inbox.sees("topic news", PANEL)
    inbox.sees("no text for the key SENT on android", PANEL)
    inbox.sees("Ann's phone", PANEL)
    # Once the texts are known, the next message has them.
    inbox.own("PUT", "texts", {"android": {"SENT": "Order %s is on its way"}})
    send(
        inbox,
        topic="news",
        android={"notification": {"body_loc_key": "SENT", "body_loc_args": ["9"]}},
    )
    number = inbox.own("GET", "messages/latest?type=PUSH")["id"]
    inbox.visit(f"mailbox/{number}")
    inbox.sees("Order 9 is on its way", f"{PANEL} .phone-card")


def test_a_text_is_a_card(inbox):
    message = inbox.own("GET", "messages/latest?type=SMS")
    inbox.open(f"mailbox/{message['id']}")
    inbox.sees(message["code"], f"{PANEL} .phone-card")


def test_the_mail_that_is_read_stays_in_a_search_for_unread_ones(inbox):
    number = inbox.own("GET", "messages/latest?type=PASSWORD_RESET")["id"]
    row = f".mails [data-id='{number}']"
    inbox.open("mailbox?q=is:unread")
    inbox.click(f"{row} a")
    inbox.until(lambda: inbox.own("GET", f"messages/{number}")["read"])
    # The list is read again, without it.
    inbox.client("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "ann@example.com"})
    newest = inbox.until(
        lambda: (
            inbox.own("GET", "messages/latest?type=PASSWORD_RESET")["id"] != number
            and inbox.own("GET", "messages/latest?type=PASSWORD_RESET")["id"]
        )
    )
    inbox.until(lambda: inbox.all(f".mails [data-id='{newest}']"))
    assert inbox.find(f"{row} a").get_attribute("aria-current") == "true"
    assert len(inbox.all(".mails [aria-current=true]")) == 1


def test_a_mail_that_is_deleted_while_it_is_read_says_so(console):
    message = reset_mail(console)
    console.own("POST", "snapshots", {"name": "before"})
    console.open(f"mailbox/{message['id']}").caught_up()
    console.sees(message["subject"], ".detail h2")
    console.own("DELETE", f"messages/{message['id']}")
    gone = "This message was deleted."
    console.until(lambda: gone in console.texts(".detail > .notice"))
    # What is put back is there again.
    console.own("POST", "snapshots/before:restore", {})
    console.until(lambda: gone not in console.texts(".detail > .notice"))
    console.sees(message["subject"], ".detail h2")


def test_the_dialog_of_delete_all_has_number_and_scope(console):
    for name in ("ann", "bob", "anna"):
        body = {"requestType": "EMAIL_SIGNIN", "email": f"{name}@example.com"}
        console.client("sendOobCode", body)
    console.open("mailbox?q=to:ann").caught_up()
    console.until(lambda: len(console.all(".mails li")) == 2)
    console.button("Delete all")
    console.sees("2 messages will be deleted: all that match “to:ann”.", "dialog")
    console.button("Cancel", "dialog")
    console.button("Clear the search")
    console.until(lambda: len(console.all(".mails li")) == 3)
    console.button("Delete all")
    console.sees(f"3 messages will be deleted: all of {console.project}.", "dialog")


def test_the_page_without_scripts_says_in_words_what_a_message_is_for(inbox):
    page = f"{inbox.origin}/mailbox?project={inbox.project}"
    inbox.browser.get(page)
    kinds = dict(
        inbox.run(
            "return [...document.querySelectorAll('td [title]')].map(one => [one.title, one.innerText])"
        )
    )
    assert kinds["PASSWORD_RESET"] == "Password reset"
    assert kinds["SMS"] == "Text message" and kinds["PUSH"] == "Push message"
    assert "PASSWORD_RESET" not in inbox.text("table")
    german = requests.get(page, headers={"Accept-Language": "de"}, timeout=30).text
    assert '<span title="PASSWORD_RESET">Neues Passwort wählen</span>' in german


def test_a_mailbox_that_was_not_read_does_not_say_that_it_is_empty(inbox):
    script = """
      const ask = window.fetch;
      window.fetch = (address, ...more) =>
        String(address.url ?? address).includes("/messages")
          ? Promise.resolve(new Response("{}", { status: 500 }))
          : ask(address, ...more);"""
    command = "Page.addScriptToEvaluateOnNewDocument"
    added = inbox.browser.execute_cdp_cmd(command, {"source": script})
    try:
        inbox.open("mailbox")
        inbox.sees("500")
        assert "No mail yet" not in inbox.text("main")
    finally:
        inbox.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
