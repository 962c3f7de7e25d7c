"""The web console in Chromium: requests, faults, clock, keys and switches."""

import re
import subprocess

import requests
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from support.console import browser, console, console_url, reset_mail  # noqa: F401

# MARK: Requests, faults, clock, keys, settings


def test_requests_are_listed_filtered_and_copied(console):
    console.open("requests")
    reset_mail(console, "o'hara@example.com")
    console.until(lambda: len([r for r in console.all("tbody tr") if r.is_displayed()]) == 2)
    requests.post(
        f"{console.origin}/identitytoolkit.googleapis.com/v1/projects/{console.project}/accounts",
        json={"email": "o'hara@example.com"},
        headers={"Authorization": "Bearer owner"},
        timeout=30,
    )
    console.until(lambda: len([r for r in console.all("tbody tr") if r.is_displayed()]) == 3)
    console.click(lambda: console.labelled("Only errors"))
    console.sees("1 of the last")
    console.click(
        lambda: next(r for r in console.all("tbody tr") if r.is_displayed()).find_element(
            By.CSS_SELECTOR, "button"
        )
    )
    console.sees("EMAIL_EXISTS", ".whole")
    console.button("Copy as curl")
    copied = console.until(lambda: console.clipboard().startswith("curl") and console.clipboard())
    again = subprocess.run(["sh", "-c", copied], capture_output=True, text=True, timeout=60)
    assert "EMAIL_EXISTS" in again.stdout
    console.click(lambda: console.labelled("Only errors"))
    console.type("Filter", "sendoobcode 200")
    console.until(lambda: len([r for r in console.all("tbody tr") if r.is_displayed()]) == 1)


def test_faults_are_added_and_removed(console):
    console.open("faults")
    console.sees("No faults")
    console.type("Delay", "200ms")
    console.button("Add")
    console.sees("200ms late")
    Select(console.labelled("What happens")).select_by_visible_text("A random delay")
    console.type("From", "100ms")
    console.type("To", "2s")
    console.click("details summary")
    console.type("Share of calls, in percent", "50")
    console.type("How many times", "3")
    console.type("Seed", "1")
    console.type("Only for e-mail", "ann@example.com")
    console.button("Add")
    console.sees("100ms to 2s late")
    assert console.own("GET", "faults")["faults"] == [
        {"operation": "identitytoolkit.*", "effect": {"latency": "200ms"}, "hits": 0},
        {
            "operation": "identitytoolkit.*",
            "effect": {"latency": {"min": "100ms", "max": "2s"}},
            "share": 0.5,
            "times": 3,
            "seed": 1,
            "email": "ann@example.com",
            "hits": 0,
            "remaining": 3,
        },
    ]
    console.button("Remove the fault of identitytoolkit.*")
    console.says("Fault removed.")
    assert len(console.own("GET", "faults")["faults"]) == 1
    console.button("Remove all")
    console.button("Remove all", "dialog")
    console.sees("No faults")
    for kind, effect in [
        ("The connection drops before the operation", {"drop": "before"}),
        ("An HTTP status", {"status": 503}),
        ("A slow answer", {"slowBody": "1KB/s"}),
    ]:
        Select(console.labelled("What happens")).select_by_visible_text(kind)
        console.button("Add")
        console.says("Fault added.")
        assert any(fault["effect"] == effect for fault in console.own("GET", "faults")["faults"])


def test_the_last_part_of_an_operation_is_enough(console):
    console.open("faults")
    console.type("Operation", "signUp")
    console.sees("*.signUp matches ")
    console.button("Add")
    console.until(
        lambda: [one["operation"] for one in console.own("GET", "faults")["faults"]] == ["*.signUp"]
    )


def test_faults_and_presets_are_said_in_words(console):
    console.own(
        "PUT",
        "faults",
        {
            "faults": [
                {"operation": "*", "effect": {"status": 503}, "every": number}
                for number in (3, 11, 22)
            ]
        },
    )
    console.open("faults")
    for words in ["every 3rd call", "every 11th call", "every 22nd call"]:
        console.sees(words)
    console.button("Offline")
    console.says("The preset “Offline” is in force.")
    console.own("DELETE", "faults")


def test_the_clock_moves_and_codes_expire_by_it(console):
    message = reset_mail(console)
    console.open("clock")
    console.sees("none: this is the real time")
    console.button("+1 hour")
    console.sees("1 hour ahead")
    console.button("+1 day")
    console.sees("1 day 1 hour ahead")
    console.click('body > nav a[href="#/mailbox"]')
    console.sees("expired", ".list")
    console.open(f"mailbox/{message['id']}")
    console.until(lambda: [tag.text for tag in console.all(".detail dd .tag")] == ["expired"])
    console.open("clock")
    console.button("Back to real time")
    console.sees("none: this is the real time")
    console.type("Move by", "PT2H30M")
    console.button("Move")
    console.sees("2 hours 30 minutes ahead")
    console.own("DELETE", "clock")
    console.sees("none: this is the real time")


def test_tokens_are_decoded_and_their_signature_is_checked(console):
    session = console.client(
        "signUp", {"email": "ann@example.com", "password": "old secret", "returnSecureToken": True}
    )
    head, body, signature = session["idToken"].split(".")
    console.open("keys")
    token = console.labelled("Token")
    console.run(
        "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))",
        token,
        session["idToken"],
    )
    console.sees("valid", ".token dd")
    assert session["localId"] in console.text(".token")
    for wrong, words in [
        (f"{head}.{body[:-4]}AAAA.{signature}", "The token's payload is not JSON"),
        (f"{head}.{body}.{signature[:20]}AAAA{signature[24:]}", "wrong: the token was changed"),
        ("eyJhbGciOiJub25lIn0." + body + ".", "not signed"),
        ("nonsense", "three parts"),
    ]:
        console.run(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))",
            token,
            wrong,
        )
        console.sees(words, ".token")


def test_keys_are_rotated(console):
    console.open("keys")
    before = console.until(lambda: [row.text for row in console.all("tbody tr")])
    console.button("Rotate")
    console.button("Rotate", "dialog")
    console.until(lambda: len(console.all("tbody tr")) == len(before) + 1)


def test_switches_hold_at_once(console):
    # Switches that nobody touches are read once more when events begin.
    console.open("settings").caught_up()
    console.click(lambda: console.labelled("Limit the number of attempts"))
    console.says("Saved.")
    assert console.own("GET", "switches")["rateLimits"] is True
    console.type("Lifetime of a password-reset code, in seconds", "60" + Keys.TAB)
    console.until(lambda: console.own("GET", "switches")["passwordResetCodeLifetime"] == 60)
    mode = console.labelled("Transactions lock documents")
    assert [option.text for option in Select(mode).options] == [
        "As the official emulator",
        "While they are read",
        "When they are committed",
    ]
    Select(mode).select_by_value("optimistic")
    console.until(lambda: console.own("GET", "switches")["transactions"] == "optimistic")
    # People read words; the name for scripts is shown where the pointer rests.
    names = [*console.own("GET", "switches")]
    assert not [name for name in names if name in console.text(".view").split()]
    assert mode.get_attribute("title") == "transactions"
    reset_mail(console)
    console.click('body > nav a[href="#/mailbox"]')
    console.sees("expires in", ".list")
    assert re.search(r"expires in \d+ s", console.text(".list"))


# MARK: Ways back


def undo(console):
    console.button("Undo", "#toasts > :last-child")
    console.says("Undone.")


def test_a_user_that_was_changed_is_as_before(console):
    made = console.admin(
        "", {"email": "ann@example.com", "displayName": "Ann", "password": "first secret"}
    )
    look = lambda: console.admin(":lookup", {"localId": [made["localId"]]})["users"][0]  # noqa: E731
    console.open(f"users/{made['localId']}").caught_up()
    console.type("Name", "Anna", ".profile")
    console.type("Photo", "https://example.com/a.png", ".profile")
    console.button("Save")
    console.says("User saved.")
    assert (look()["displayName"], look()["photoUrl"]) == ("Anna", "https://example.com/a.png")
    undo(console)
    assert look()["displayName"] == "Ann" and "photoUrl" not in look()
    console.button("Disable")
    console.says("User disabled.")
    undo(console)
    assert not look().get("disabled")
    # A password is not known: the project is what it was.
    console.type("New password", "another secret", ".profile")
    console.button("Save")
    console.says("User saved.")
    undo(console)
    console.client("signInWithPassword", {"email": "ann@example.com", "password": "first secret"})


def test_a_user_that_was_made_is_gone_again(console):
    console.open("users").caught_up()
    console.button("New user")
    console.type("E-mail", "ann@example.com")
    console.type("Password", "secret1")
    console.button("Create")
    console.says("User created.")
    undo(console)
    assert not console.own("GET", "accounts").get("userInfo")


def test_a_message_that_was_deleted_comes_back(console):
    message = reset_mail(console)
    console.open(f"mailbox/{message['id']}")
    console.button("Delete message")
    console.says("Message deleted.")
    assert console.own("GET", "messages")["messages"] == []
    undo(console)
    assert len(console.own("GET", "messages")["messages"]) == 1


def test_faults_come_back(console):
    fault = {"operation": "*.signUp", "effect": {"error": "UNAVAILABLE"}, "times": 2}
    other = {"operation": "*.signInWithPassword", "effect": {"status": 503}, "times": 3}
    console.own("PUT", "faults", {"faults": [fault, other]})
    for operation in ["signUp", "signInWithPassword"]:
        reply = requests.post(
            f"{console.origin}/identitytoolkit.googleapis.com/v1/accounts:{operation}?key="
            + console.project,
            json={"targetProjectId": console.project},
            headers={"Authorization": "Bearer owner"},
            timeout=30,
        )
        assert reply.status_code == 503, reply.text
    faults = lambda: [  # noqa: E731
        (one["operation"], one.get("remaining")) for one in console.own("GET", "faults")["faults"]
    ]
    both = [("*.signUp", 1), ("*.signInWithPassword", 2)]
    assert faults() == both
    console.open("faults").caught_up()
    console.button("Remove the fault of *.signUp")
    console.says("Fault removed.")
    # The other one goes on.
    assert faults() == both[1:]
    undo(console)
    # What was used up stays so.
    assert faults() == both
    console.until(lambda: console.find("#state .chip"))
    console.click("[aria-label='Remove all faults']")
    console.says("All faults are removed.")
    assert faults() == []
    undo(console)
    assert faults() == both
    console.button("Offline")
    console.says("is in force")
    undo(console)
    assert faults() == both


def test_a_snapshot_is_deleted_when_it_could_be_kept_no_more(console):
    for name in ("one", "two"):
        console.own("POST", "snapshots", {"name": name})
    names = lambda: [one["name"] for one in console.own("GET", "snapshots")["snapshots"]]  # noqa: E731
    console.open("settings/snapshots").caught_up()
    console.button("Delete one")
    console.sees("in 15 s", "dialog")
    console.button("Delete", "dialog")
    console.says("Snapshot one is deleted in 15 s.")
    console.until(
        lambda: "two" in console.find("table").text and "one" not in console.find("table").text
    )
    undo(console)
    console.sees("one", "table")
    assert names() == ["one", "two"]
    console.button("Delete two")
    console.button("Delete", "dialog")
    console.says("Snapshot two is deleted in 15 s.")
    assert names() == ["one", "two"]
    # It does not wait when one leaves.
    console.browser.get("about:blank")
    console.until(lambda: names() == ["one"])


def test_a_snapshot_that_was_made_again_is_not_deleted(console):
    def kept():
        return console.own("GET", "snapshots")["snapshots"]

    for name in ("one", "two"):
        console.own("POST", "snapshots", {"name": name})
    console.open("settings/snapshots").caught_up()
    console.button("Delete one")
    console.button("Delete", "dialog")
    console.says("Snapshot one is deleted in 15 s.")
    made = console.own("POST", "snapshots", {"name": "one", "replace": True})
    console.button("Delete two")
    console.button("Delete", "dialog")
    console.says("Snapshot two is deleted in 15 s.")
    console.browser.get("about:blank")
    console.until(lambda: [one["name"] for one in kept()] == ["one"])
    assert kept()[0] == made


def test_the_name_of_a_snapshot_that_is_about_to_be_deleted_is_free(console):
    console.own("POST", "snapshots", {"name": "one"})
    console.open("settings/snapshots").caught_up()
    console.button("Delete one")
    console.button("Delete", "dialog")
    console.says("Snapshot one is deleted in 15 s.")
    console.type("Name", "one")
    console.button("Save")
    console.says("Snapshot saved.")
    console.sees("one", "table")


def test_a_provider_that_was_added_is_gone_again(console):
    console.open("settings/providers").caught_up()
    console.button("Add a provider")
    console.button("Add", "dialog")
    console.says("Provider added.")
    console.sees("Google", "table")
    undo(console)
    console.until(lambda: "Google" not in console.find("main").text)
