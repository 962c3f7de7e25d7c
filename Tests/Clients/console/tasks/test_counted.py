"""The numbers of the guide's table, counted in Chromium: each click and each field that is filled."""

import re
from pathlib import Path

import pytest
import requests
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from support.console import browser, console, console_url, reset_mail  # noqa: F401

GUIDE = Path(__file__).resolve().parents[4] / "Sources/hearth/Hearth.docc/Console.md"
TABLE = dict(re.findall(r"^\| (\d+) \|.*\| (\d+)[^|]*\|$", GUIDE.read_text(), re.M))
# A click counts, and a field once until one leaves it. Enter in a field clicks the form's button.
COUNT = """
    window.steps = 0;
    let filled = null;
    const isField = (one) => one.closest("select, textarea, input:not([type=checkbox])");
    addEventListener("click", (event) => {
      if (!event.isTrusted || isField(event.target) || event.target.closest("label")) return;
      if (!event.target.closest("a, button, summary, input")) return;
      window.steps += 1;
      filled = null;
    }, { capture: true });
    for (const name of ["input", "change"]) {
      addEventListener(name, ({ target, isTrusted }) => {
        // WebDriver chooses an option by an event of its own.
        if (!isField(target) || target === filled) return;
        if (!isTrusted && target.tagName !== "SELECT") return;
        window.steps += 1;
        filled = target;
      }, { capture: true });
    }"""


def put(console, path, **fields):
    console.call(
        "PATCH",
        f"/v1/projects/{console.project}/databases/(default)/documents/{path}",
        {"fields": fields},
    )


def begin(console, view, complete):
    """Opens the page from which one begins, and counts from then on."""
    console.open(view).caught_up()
    console.until(lambda: console.all(complete))
    console.run(COUNT)


def fill(console, element, words):
    console.until(lambda: element).send_keys(words)


def task_9(console):
    for name in ("ann", "bob"):
        console.admin("", {"localId": name, "email": f"{name}@example.com"})
    begin(console, "users", "tbody tr:nth-child(2)")
    for name in ("ann", "bob"):
        console.click(f'[aria-label="Choose {name}@example.com"]')
    console.button("Disable")
    console.says("2 users disabled.")


def task_10(console):
    console.admin("", {"localId": "ann", "email": "ann@example.com"})
    begin(console, "users", "tbody tr")
    console.click(".people tbody a")
    console.button("Act as")
    console.labelled("More claims").send_keys('{"role": "admin"}')
    console.button("Mint a token")
    console.button("Copy ID token")
    console.until(lambda: console.clipboard().count(".") == 2)


def task_14(console):
    put(console, "cities/wien", name={"stringValue": "Wien"})
    begin(console, "firestore/cities", ".column:nth-child(2) li")
    console.button("Query")
    fill(console, console.find('[aria-label="Field"]'), "name")
    fill(console, console.find('[aria-label="Value"]'), "Wien")
    console.button("Run")
    console.button("Code")
    console.button("Copy Web")
    console.until(lambda: 'where("name", "==", "Wien")' in console.clipboard())


def task_18(console):
    rules = """service cloud.firestore { match /databases/{d}/documents {
      match /notes/{uid} { allow read: if request.auth.uid == uid; } } }"""
    console.own("PUT", "rules", {"rules": {"files": [{"name": "r", "content": rules}]}})
    begin(console, "rules", ".gutter li:nth-child(2)")
    path = console.labelled("Document or collection")
    path.send_keys(Keys.CONTROL, "a")
    path.send_keys("notes/bob")
    Select(console.labelled("Caller")).select_by_visible_text("A user")
    uid = console.labelled("Uid")
    uid.send_keys(Keys.CONTROL, "a")
    uid.send_keys("bob")
    console.button("Evaluate")
    console.sees("allowed", ".verdict")


def task_19(console):
    begin(console, "faults", "form")
    console.button("The next sign-up fails")
    console.sees("1 of 1")
    sign_up = (
        f"{console.origin}/identitytoolkit.googleapis.com/v1/accounts:signUp?key={console.project}"
    )
    assert [requests.post(sign_up, json={}, timeout=30).status_code for _ in range(2)] == [500, 200]


def task_22(console):
    console.admin("", {"localId": "uid-of-ann", "email": "ann@example.com"})
    begin(console, "users", "tbody tr")
    console.button("Copy the uid uid-of-ann")
    console.until(lambda: console.clipboard() == "uid-of-ann")


def task_25(console):
    put(console, "users/ann")
    begin(console, "firestore/users/ann", ".editor form")
    console.button("JSON")
    source = console.labelled("Fields")
    source.send_keys(Keys.CONTROL, "a")
    source.send_keys('{"home": {"city": "Wien", "zip": "1010"}}')
    console.button("Save")
    console.says("Document saved.")


def missing_index(console):
    console.own("PATCH", "switches", {"indexes": "enforce"})
    query = {
        "from": [{"collectionId": "orders"}],
        "where": {
            "fieldFilter": {
                "field": {"fieldPath": "status"},
                "op": "EQUAL",
                "value": {"stringValue": "open"},
            }
        },
        "orderBy": [{"field": {"fieldPath": "placed"}}],
    }
    path = f"/v1/projects/{console.project}/databases/(default)/documents:runQuery"
    console.call("POST", path, {"structuredQuery": query}, 400)


def task_26(console):
    missing_index(console)
    begin(console, "indexes", ".card")
    console.button("Add to the project")
    console.says("The index was added to the project.")


def task_27(console):
    missing_index(console)
    begin(console, "requests", "tbody tr")
    console.click("tbody button")
    console.sees("order by placed", ".whole")


def task_31(console):
    put(console, "cities/wien")
    begin(console, "firestore/cities/wien", ".editor form")
    console.button("Duplicate")
    console.labelled("Document id", "dialog").send_keys("graz")
    console.button("Create", "dialog")
    console.until(lambda: "graz" in console.texts(".editor h2"))


def task_32(console):
    for name, people in [("graz", 3), ("linz", 2), ("wien", 19)]:
        put(
            console,
            f"cities/{name}",
            name={"stringValue": name},
            people={"integerValue": str(people)},
        )
    begin(console, "firestore/cities", ".column:nth-child(2) li")
    console.button("Table")
    console.button("people")
    console.until(lambda: console.texts("tbody th") == ["linz", "graz", "wien"])
    Select(console.labelled("Is")).select_by_visible_text(">")
    console.labelled("Filter").send_keys("2")
    console.until(lambda: console.texts("tbody th") == ["graz", "wien"])


def task_34(console):
    begin(console, "clock", ".clock-face")
    console.button("+1 day")
    console.sees("1 day ahead")
    console.button("Back to real time")
    console.sees("this is the real time")


def task_40(console):
    reset_mail(console)
    begin(console, "overview", ".tile")
    console.click("#picker button")
    console.click("dialog .entry:not([aria-current])")
    console.until(lambda: console.project not in console.browser.current_url)


TASKS = {name[5:]: task for name, task in list(globals().items()) if name.startswith("task_")}


@pytest.mark.parametrize("number", TASKS)
def test_the_table_has_the_steps_of_a_task(console, number):
    TASKS[number](console)
    assert console.run("return window.steps") == int(TABLE[number])


HOME = {"mapValue": {"fields": {"city": {"stringValue": "Wien"}, "zip": {"stringValue": "1010"}}}}


def test_a_map_is_pasted_in_the_tree_in_five_steps(console):
    put(console, "users/ann")
    begin(console, "firestore/users/ann", ".editor form")
    console.button("Add field")
    fill(console, console.find('.row [aria-label="Name"]'), "home")
    fill(console, console.find('.row [aria-label="Value"]'), '{"city": "Wien", "zip": "1010"}')
    Select(console.find('.row [aria-label="Type"]')).select_by_visible_text("map")
    console.button("Save")
    console.says("Document saved.")
    assert console.document("users/ann")["fields"]["home"] == HOME
    assert console.run("return window.steps") == 5


def test_a_map_is_typed_in_the_tree_in_eight_steps(console):
    """A row for the next field comes by itself, and is nothing while nothing is typed in it."""
    put(console, "users/ann")
    begin(console, "firestore/users/ann", ".editor form")
    console.button("Add field")
    fill(console, console.find('.row [aria-label="Name"]'), "home")
    Select(console.find('.row [aria-label="Type"]')).select_by_visible_text("map")
    for row, (name, value) in enumerate([("city", "Wien"), ("zip", "1010")]):
        console.until(lambda count=row + 1: len(console.all(".row .row")) == count)
        fill(console, console.all('.row .row [aria-label="Name"]')[row], name)
        fill(console, console.all('.row .row [aria-label="Value"]')[row], value)
    console.sees("2 fields", ".editor")
    console.button("Save")
    console.says("Document saved.")
    assert console.document("users/ann")["fields"]["home"] == HOME
    assert console.run("return window.steps") == 8


def test_elements_of_a_new_array_are_typed_one_after_the_other(console):
    put(console, "users/ann")
    begin(console, "firestore/users/ann", ".editor form")
    console.button("Add field")
    fill(console, console.find('.row [aria-label="Name"]'), "tags")
    Select(console.find('.row [aria-label="Type"]')).select_by_visible_text("array")
    for row, word in enumerate(["new", "blue"]):
        console.until(lambda count=row + 1: len(console.all(".row .row")) == count)
        fill(console, console.all('.row .row [aria-label="Value"]')[row], word)
    console.button("Save")
    console.says("Document saved.")
    tags = console.document("users/ann")["fields"]["tags"]["arrayValue"]["values"]
    assert tags == [{"stringValue": "new"}, {"stringValue": "blue"}]
