"""The console in Chromium: the focus is never lost, whatever is deleted or drawn again."""

from selenium.webdriver.common.keys import Keys
from support.console import browser, console, console_url  # noqa: F401

FOCUSED = """
    const { activeElement: one } = document;
    return one === document.body ? "" : one.ariaLabel || one.innerText"""


def comes_to(console, words):
    """Waits until the focus is where these words are."""
    console.until(lambda: words in console.run(FOCUSED))


def press(console, label, key=Keys.ENTER):
    """Brings the focus to a button, and presses it by the keyboard."""
    find = """
      const one = [...document.querySelectorAll("button, input")].find((one) =>
        [one.innerText.trim(), one.ariaLabel].includes(arguments[0]) && !one.ariaDisabled
        && one.checkVisibility() && !one.closest("main:has(~ dialog)"));
      one?.focus();
      return one === document.activeElement && one"""
    console.until(lambda: console.run(find, label)).send_keys(key)


def put_users(console, count):
    users = [{"localId": f"u{one}", "email": f"u{one}@example.com"} for one in range(count)]
    console.admin(":batchCreate", {"users": users})


def test_after_a_row_is_gone_the_next_one_has_the_focus(console):
    for name in ("signUp", "update"):
        console.own("POST", "snapshots", {"name": name})
        console.own("POST", "faults", {"operation": f"*.{name}", "effect": {"status": 503}})
    console.open("settings/snapshots").caught_up()
    press(console, "Delete signUp")
    press(console, "Delete")
    comes_to(console, "Delete update")
    console.open("faults").caught_up()
    press(console, "Remove the fault of *.signUp")
    comes_to(console, "Remove the fault of *.update")


def test_a_table_that_is_drawn_again_keeps_the_focus(console):
    tenants = f"/identitytoolkit.googleapis.com/v2/projects/{console.project}/tenants"
    for name in ("North", "South"):
        console.call("POST", tenants, {"displayName": name, "allowPasswordSignup": True})
    console.open("settings/tenants").caught_up()
    press(console, "Edit South")
    press(console, "Save")
    console.says("Tenant saved.")
    comes_to(console, "Edit South")
    press(console, "Undo")
    console.says("Undone.")
    comes_to(console, "Edit South")


def test_after_chosen_ones_are_deleted_the_list_has_the_focus(console):
    put_users(console, 3)
    console.open("users").caught_up()
    press(console, "Choose u1@example.com", Keys.SPACE)
    press(console, "Delete chosen")
    press(console, "Delete")
    console.says("1 user deleted.")
    comes_to(console, "Choose u")
    for name in "ab":
        body = {"requestType": "EMAIL_SIGNIN", "email": f"{name}@example.com"}
        console.client("sendOobCode", body)
    console.open("mailbox").caught_up()
    console.until(lambda: len(console.all(".mails li")) == 2)
    console.find(".mails [data-choose]").send_keys(Keys.SPACE)
    press(console, "Delete chosen")
    console.says("1 message deleted.")
    comes_to(console, "Choose Sign in")


def test_a_field_is_removed_by_the_keyboard(console):
    console.call(
        "PATCH",
        f"/v1/projects/{console.project}/databases/(default)/documents/cities/wien",
        {"fields": {name: {"stringValue": "x"} for name in "abc"}},
    )
    console.open("firestore/cities/wien").caught_up()
    press(console, "Remove the field b")
    comes_to(console, "Remove the field c")
    # What a click on nothing has let go of is not taken up again.
    console.run("document.activeElement.blur()")
    console.button("Save")
    console.says("Document saved.")
    console.run("document.activeElement.blur()")
    console.call(
        "PATCH",
        f"/v1/projects/{console.project}/databases/(default)/documents/cities/wien",
        {"fields": {"d": {"stringValue": "x"}}},
    )
    console.until(lambda: console.all('[aria-label="Remove the field d"]'))
    assert console.run(FOCUSED) == ""
