"""The console in Chromium: chips of what is not as usual, the palette, and the newest code."""

import contextlib

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from support.console import browser, console, console_url, reset_mail  # noqa: F401

RULES = """rules_version = "2";
service cloud.firestore { match /databases/{d}/documents/{document=**} { allow read; } }"""


def chips(console):
    return [chip.text for chip in console.all("#state .chip")]


def undo(console, label):
    console.button(label, "#state")
    console.until(lambda: chips(console) == [])


def ask(console, words, open_with=Keys.CONTROL):
    """Opens the palette by its keys, and writes into it."""
    ActionChains(console.browser).key_down(open_with).send_keys("k").key_up(open_with).perform()
    field = console.until(lambda: console.find(".palette [role=combobox]"))
    assert console.focused() == field
    field.send_keys(words)
    return field


def options(console):
    return [one.text.replace("\n", " ") for one in console.all(".palette [role=option]")]


def test_a_moved_clock_is_told_and_set_right(console):
    console.open("users").caught_up()
    assert chips(console) == []
    console.own("PATCH", "clock", {"advance": "PT24H"})
    console.until(lambda: chips(console) == ["1 day ahead"])
    console.own("PATCH", "clock", {"frozen": True})
    console.until(lambda: chips(console) == ["Frozen, 1 day ahead"])
    assert console.find("#state a").get_attribute("href").endswith("#/clock")
    # The page of the clock says the same.
    console.visit("clock").sees("1 day ahead")
    undo(console, "Back to real time")
    assert console.own("GET", "clock")["offset"] == "PT0S"


def test_faults_are_told_by_their_preset_and_removed(console):
    console.open("overview").caught_up()
    console.own("POST", "faultPresets/slow-3g:apply", {})
    console.until(lambda: chips(console) == ["Slow 3G"])
    # They are told on a page that is opened later, too.
    console.open("mailbox")
    console.until(lambda: chips(console) == ["Slow 3G"])
    assert console.find("#state a").get_attribute("href").endswith("#/faults")
    undo(console, "Remove all faults")
    assert console.own("GET", "faults")["faults"] == []
    console.own("POST", "faults", {"operation": "*.signUp", "effect": {"status": 503}})
    console.until(lambda: chips(console) == ["1 fault"])


def test_rules_and_answers_that_were_set_are_told_and_taken_back(console):
    console.open("clock").caught_up()
    console.call(
        "PUT",
        f"/emulator/v1/projects/{console.project}:securityRules",
        {"rules": {"files": [{"name": "firestore.rules", "content": RULES}]}},
    )
    console.until(lambda: chips(console) == ["Rules set here"])
    undo(console, "Take these rules away")
    assert console.own("GET", "rules")["source"] != "set"
    console.own("PATCH", "switches", {"answers": "production"})
    console.until(lambda: chips(console) == ["As production"])
    undo(console, "Answer as the official emulator")
    assert console.own("GET", "switches")["answers"] == "emulator"


def test_the_palette_finds_what_a_project_holds(console):
    message = reset_mail(console)
    console.call(
        "PATCH",
        f"/v1/projects/{console.project}/databases/(default)/documents/cities/wien",
        {"fields": {"people": {"integerValue": "19"}}},
    )
    console.open("clock")
    ask(console, "ann@example.com")
    console.until(lambda: any("ann@example.com" in one for one in options(console)))
    groups = [one.get_attribute("aria-label") for one in console.all(".palette [role=group]")]
    console.until(lambda: groups[:2] == ["Mails", "Users"])
    selected = console.find(".palette [aria-selected=true]")
    assert console.focused().get_attribute("aria-activedescendant") == selected.get_attribute("id")
    console.focused().send_keys(Keys.ENTER)
    console.until(lambda: console.find(".detail h2").text == message["subject"])
    assert not console.all(".palette")
    ask(console, "cities/wi")
    console.until(lambda: "cities/wien Document" in options(console))
    console.focused().send_keys(Keys.ENTER)
    console.until(lambda: console.browser.current_url.endswith("#/firestore/cities/wien"))
    ask(console, "sendOob")
    console.until(lambda: any("sendOobCode" in one for one in options(console)))
    console.focused().send_keys(Keys.ESCAPE)
    console.until(lambda: not console.all(".palette"))


def test_the_palette_does_what_is_written(console):
    reset_mail(console)
    console.open("overview")
    field = ask(console, "")
    shown = options(console)
    assert "Copy newest code c" in shown and "Mailbox g m" in shown
    field.send_keys("advance 90 min" + Keys.ENTER)
    console.says("The clock is 90 min further.")
    assert console.own("GET", "clock")["offset"] == "PT1H30M"
    ask(console, "offline")
    console.until(lambda: options(console)[:1] == ["Offline Preset of faults"])
    console.focused().send_keys(Keys.ENTER)
    console.says("The preset “Offline” is in force.")
    console.own("DELETE", "faults")
    ask(console, "act as ann@example.com" + Keys.ENTER)
    console.says("Copied an ID token of ann@example.com.")
    assert console.clipboard().count(".") == 2
    ask(console, "colours: dark" + Keys.ENTER)
    console.until(lambda: console.run("return document.documentElement.dataset.theme") == "dark")
    console.run("localStorage.removeItem('hearth.theme')")


def test_one_key_copies_the_newest_code_from_any_page(console):
    console.open("clock")
    console.find("body").send_keys("c")
    console.says("No message has a code yet.")
    old = reset_mail(console)
    console.client("sendVerificationCode", {"phoneNumber": "+15555550100"})
    code = console.own("GET", "messages")["messages"][-1]["code"]
    console.find("body").send_keys("c")
    console.says(f"Copied {code} for +15555550100.")
    assert console.clipboard() == code
    # A code that has expired is of no use: that of the mail is valid for longer.
    console.own("PATCH", "clock", {"advance": "PT30M"})
    console.find("body").send_keys("c")
    console.says("Copied the code for ann@example.com.")
    assert console.clipboard() == old["oobCode"]


def test_the_newest_code_is_on_top_of_the_mailbox_and_counts_down(console):
    console.open("mailbox")
    console.sees("Waiting for the first message")
    console.client("sendVerificationCode", {"phoneNumber": "+15555550100"})
    code = console.until(lambda: console.own("GET", "messages")["messages"][-1]["code"])
    console.until(lambda: console.find(".newest .big").text == code)
    assert console.text(".newest .left").startswith(("9:", "10:"))
    large = console.run("return getComputedStyle(document.querySelector('.newest .big')).fontSize")
    assert large == "40px"
    console.own("PATCH", "clock", {"advance": "PT1H"})
    console.until(lambda: not console.find(".newest").is_displayed())


@contextlib.contextmanager
def hidden(console):
    """The page as it is in a tab that is not looked at, with notifications that are noted."""
    script = console.browser.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument",
        {
            "source": """
      window.told = [];
      window.Notification = class {
        static permission = "granted";
        static requestPermission = async () => "granted";
        constructor(title, options) { told.push([title, options.body]); }
      };
      localStorage.setItem("hearth.notify", "on");
      Object.defineProperty(document, "hidden", { get: () => true });"""
        },
    )["identifier"]
    try:
        yield
    finally:
        console.browser.execute_cdp_cmd(
            "Page.removeScriptToEvaluateOnNewDocument", {"identifier": script}
        )
        console.run("localStorage.removeItem('hearth.notify')")


def test_the_browser_tells_of_a_code_while_the_page_is_hidden(console):
    with hidden(console):
        console.open("users").caught_up()
        console.client("sendVerificationCode", {"phoneNumber": "+15555550100"})
        code = console.own("GET", "messages")["messages"][-1]["code"]
        [[title, body]] = console.until(lambda: console.run("return told.length && told"))
        assert title == code and "+15555550100" in body


def test_words_stand_for_names_of_the_api(console):
    reset_mail(console)
    console.open("mailbox")
    console.until(lambda: console.all(".mails .type"))
    [kind] = console.all(".mails .type")
    assert (kind.text, kind.get_attribute("title")) == ("Password reset", "PASSWORD_RESET")
    assert "noreply@" in console.text(".mails .to")
    # It is seen where there is room for it.
    preview = console.find(".mails .line-of-text").get_attribute("textContent")
    assert "wants a new password" in preview


def test_a_search_that_is_being_written_is_not_wrong(console):
    reset_mail(console)
    console.open("mailbox")
    console.until(lambda: console.all(".mails li"))
    console.type("Search", "is:unr")
    console.until(lambda: console.find(".wrong").text)
    assert "bad" not in console.find(".wrong").get_attribute("class")
    console.until(lambda: len(console.all(".mails.stale li")) == 1)
    console.labelled("Search").send_keys("ead")
    console.until(lambda: not console.all(".stale") and not console.find(".wrong").text)
    # The mail that is read stays, though the search finds it no longer.
    console.click(".mails a")
    console.until(lambda: console.own("GET", "messages")["messages"][0]["read"])
    console.client("sendVerificationCode", {"phoneNumber": "+15555550100"})
    console.until(lambda: len(console.all(".mails li")) == 2)
    assert len(console.all(".mails [aria-current=true]")) == 1
