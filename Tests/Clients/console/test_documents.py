"""The console in Chromium: large, deep and odd documents, queries, and what is taken back."""

import pytest
import requests
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select
from support.console import browser, console, console_url  # noqa: F401


def put(console, path, fields, mask=None):
    query = "?" + "&".join(f"updateMask.fieldPaths={name}" for name in mask) if mask else ""
    return console.call(
        "PATCH",
        f"/v1/projects/{console.project}/databases/(default)/documents/{path}{query}",
        {"fields": fields},
    )


def commit(console, paths):
    root = f"projects/{console.project}/databases/(default)/documents"
    console.call(
        "POST",
        f"/v1/{root}:commit",
        {"writes": [{"update": {"name": f"{root}/{path}", "fields": {}}} for path in paths]},
    )


def is_there(console, path):
    reply = requests.get(
        f"{console.origin}/v1/projects/{console.project}/databases/(default)/documents/{path}",
        headers={"Authorization": "Bearer owner"},
        timeout=30,
    )
    return reply.status_code == 200


def text(value):
    return {"stringValue": value}


def integer(value):
    return {"integerValue": str(value)}


def row(console, path):
    return console.until(lambda: console.find(f'[data-path="{path}"]'))


# MARK: Long and deep


def test_a_document_beyond_the_first_ones_is_in_its_list(console):
    commit(console, [f"many/d{number:03}" for number in range(70)])
    console.open("firestore/many/d069")
    chosen = console.until(lambda: console.find(".column:nth-child(2) [aria-current]"))
    assert chosen.text.split("\n") == ["d069", "further down"]
    console.button("More")
    console.until(lambda: len(console.all(".column:nth-child(2) li")) == 70)
    assert console.find(".column:nth-child(2) li:last-child [aria-current]").text == "d069"


def test_deep_documents_have_no_empty_columns(console):
    put(console, "rooms/r1/messages/m1", {"text": text("hello")})
    console.open("firestore/rooms/r1/messages/m1")
    row(console, "text")
    columns = [column.text.split("\n")[0] for column in console.all(".column")]
    assert [one for one in columns if one] == ["Collections", "messages", "m1"]
    assert "Empty" not in console.find(".columns").text


def test_large_values_are_folded(console):
    numbers = {"arrayValue": {"values": [integer(number) for number in range(1500)]}}
    maps = {
        "arrayValue": {
            "values": [{"mapValue": {"fields": {"n": integer(number)}}} for number in range(300)]
        }
    }
    put(
        console,
        "big/one",
        {"numbers": numbers, "maps": maps, "few": {"arrayValue": {"values": [integer(1)]}}},
    )
    console.open("firestore/big/one")
    assert "1500 elements" in row(console, "numbers").text
    row(console, "few.0")
    assert console.run("return document.querySelectorAll('.editor *').length") < 400
    console.click('[aria-label="Show what numbers holds"]')
    row(console, "numbers.99")
    assert not console.all('[data-path="numbers.100"]')
    console.button("Show 100 of 1400 more")
    row(console, "numbers.199")
    # What is folded is saved all the same.
    value = console.find('[data-path="numbers.150"] [aria-label=Value]')
    value.clear()
    value.send_keys("7")
    console.button("Save")
    console.says("Document saved.")
    saved = console.document("big/one")["fields"]
    assert saved["maps"] == maps
    assert [one["integerValue"] for one in saved["numbers"]["arrayValue"]["values"]][149:152] == [
        "149",
        "7",
        "151",
    ]


def test_nothing_null_empty_and_zero_look_different(console):
    put(
        console,
        "odd/one",
        {"a": text(""), "b": {"nullValue": None}, "c": integer(0), "d": text("0")},
    )
    put(console, "odd/two", {"a": text("x")})
    console.open("firestore/odd/one")
    value = row(console, "a").find_element(By.CSS_SELECTOR, "[aria-label=Value]")
    assert value.get_attribute("placeholder") == "empty text"
    assert "null" in row(console, "b").text
    console.visit("firestore/odd?view=query")
    console.until(lambda: len(console.all("tbody tr")) == 2)
    cells = [
        [cell.text for cell in line.find_elements(By.CSS_SELECTOR, "td")]
        for line in console.all("tbody tr")
    ]
    assert cells == [['""', "null", "0", '"0"'], ["x", "–", "–", "–"]]


def test_a_reference_in_a_table_is_its_path(console):
    name = f"projects/{console.project}/databases/(default)/documents/users/ann"
    put(console, "odd/one", {"owner": {"referenceValue": name}})
    console.open("firestore/odd?view=table")
    console.sees("users/ann", "tbody")
    assert "projects/" not in console.find("tbody").text


def test_another_type_loses_nothing(console):
    inner = {"mapValue": {"fields": {"max": integer(3)}}}
    put(console, "cities/wien", {"dims": inner})
    console.open("firestore/cities/wien")
    kind = Select(row(console, "dims").find_element(By.CSS_SELECTOR, ":scope > [aria-label=Type]"))
    kind.select_by_visible_text("integer")
    console.until(lambda: not console.all('[data-path="dims.max"]'))
    kind.select_by_visible_text("map")
    row(console, "dims.max")
    console.button("Save")
    console.says("Nothing had changed.")
    assert console.document("cities/wien")["fields"] == {"dims": inner}


def test_a_document_that_is_deleted_meanwhile_says_so(console):
    put(console, "cities/wien", {"people": integer(19)})
    console.open("firestore/cities/wien").caught_up()
    row(console, "people")
    console.call(
        "DELETE", f"/v1/projects/{console.project}/databases/(default)/documents/cities/wien"
    )
    console.sees("This document was deleted. Saving creates it again.")


def test_the_focus_stays_while_the_document_changes(console):
    put(console, "cities/wien", {"people": integer(19), "name": text("Wien")})
    console.open("firestore/cities/wien").caught_up()
    control = row(console, "name").find_element(By.CSS_SELECTOR, "[aria-label=Value]")
    console.run("arguments[0].focus()", control)
    put(console, "cities/wien", {"people": integer(20), "area": integer(414)}, ["people", "area"])
    row(console, "area")
    assert console.focused() == control
    assert "changed" in row(console, "people").get_attribute("class")


def test_what_is_typed_in_one_form_is_in_the_other(console):
    put(console, "cities/wien", {"people": integer(19)})
    console.open("firestore/cities/wien")
    control = row(console, "people").find_element(By.CSS_SELECTOR, "[aria-label=Value]")
    control.clear()
    control.send_keys("20")
    console.button("JSON")
    assert '"integerValue": "20"' in console.labelled("Fields").get_attribute("value")
    console.type("Fields", '{"people": 21}')
    console.button("Fields")
    console.until(
        lambda: (
            row(console, "people")
            .find_element(By.CSS_SELECTOR, "[aria-label=Value]")
            .get_attribute("value")
            == "21"
        )
    )


# MARK: Queries


def test_a_plan_tells_the_index_that_production_would_miss(console):
    put(console, "orders/o1", {"status": text("open"), "placed": integer(1)})
    console.open("firestore/orders?view=query")
    console.sees("1 document in")
    console.sees("on the server")
    console.find('[aria-label="Field"]').send_keys("status")
    console.find('[aria-label="Value"]').send_keys("open")
    console.button("Add order")
    console.find('[aria-label="Order by field"]').send_keys("placed")
    console.button("Run")
    console.sees("Production would refuse this query: no index serves it.")
    console.button("Plan")
    console.sees("(status ASC, placed ASC")
    console.button("Add the index")
    console.says("The index was added to the project.")
    console.button("Run")
    console.sees("1 document in")
    console.until(lambda: "Production would refuse" not in console.find("main").text)


# MARK: Undo


def test_a_save_is_taken_back(console):
    put(console, "cities/wien", {"people": integer(19), "name": text("Wien")})
    console.open("firestore/cities/wien")
    control = row(console, "people").find_element(By.CSS_SELECTOR, "[aria-label=Value]")
    control.clear()
    control.send_keys("20")
    console.button("Save")
    console.says("Document saved.")
    put(console, "cities/graz", {})
    console.button("Undo", "#toasts")
    console.says("Undone.")
    assert console.document("cities/wien")["fields"]["people"] == integer(19)


def test_a_save_that_the_app_has_built_upon_is_not_taken_back(console):
    put(console, "cities/wien", {"people": integer(19)})
    console.open("firestore/cities/wien")
    control = row(console, "people").find_element(By.CSS_SELECTOR, "[aria-label=Value]")
    control.clear()
    control.send_keys("20")
    console.button("Save")
    console.says("Document saved.")
    put(console, "cities/wien", {"people": integer(21)})
    console.button("Undo", "#toasts")
    console.sees("Not undone: the document has changed since.", "#toasts")
    assert console.document("cities/wien")["fields"]["people"] == integer(21)


def test_a_deleted_document_comes_back(console):
    put(console, "cities/wien", {"people": integer(19)})
    console.open("firestore/cities/wien")
    console.button("Delete document")
    console.button("Delete document", "dialog")
    console.says("Document deleted.")
    assert not is_there(console, "cities/wien")
    console.button("Undo", "#toasts")
    console.says("Undone.")
    assert console.document("cities/wien")["fields"] == {"people": integer(19)}


@pytest.mark.parametrize("is_app_at_work", [False, True])
def test_a_deleted_collection_comes_back(console, is_app_at_work):
    commit(console, ["cities/wien", "cities/wien/streets/ring", "rivers/danube"])
    console.open("firestore/cities")
    console.button("Delete collection")
    console.button("Delete collection", "dialog")
    console.says("Collection deleted.")
    assert not is_there(console, "cities/wien/streets/ring")
    if is_app_at_work:
        put(console, "rivers/mur", {})
    console.button("Undo", "#toasts")
    if is_app_at_work:
        console.sees("What apps have written since is lost.", "dialog")
        console.button("Undo", "dialog")
    console.says("Undone.")
    assert is_there(console, "cities/wien/streets/ring") and is_there(console, "rivers/danube")


def test_deleted_users_come_back_with_their_passwords(console):
    secret = {"email": "ann@example.com", "password": "old secret"}
    console.client("signUp", secret)
    console.admin("", {"email": "bob@example.com", "password": "old secret"})
    console.open("users")
    console.sees("1–2 of 2")
    console.button("Delete all")
    console.button("Delete all", "dialog")
    console.says("2 users deleted.")
    assert console.admin(":query", {}).get("userInfo", []) == []
    console.button("Undo", "#toasts")
    console.says("Undone.")
    console.sees("1–2 of 2")
    assert console.client("signInWithPassword", secret)["email"] == "ann@example.com"


def test_automatic_snapshots_are_few_and_leave_the_others(console):
    console.own("POST", "snapshots", {"name": "mine"})
    for _ in range(7):
        console.own("POST", "snapshots:automatic", {"reason": "delete-users"})
    names = [one["name"] for one in console.own("GET", "snapshots")["snapshots"]]
    assert "mine" in names
    assert len(names) == 6 and sum(name.startswith("before-delete-users-") for name in names) == 5


@pytest.mark.parametrize(
    "body", [{}, {"reason": ""}, {"reason": "A b"}, {"reason": "x" * 25}, {"name": "x"}]
)
def test_an_automatic_snapshot_needs_a_reason(console, body):
    path = f"/emulator/v1/projects/{console.project}/snapshots:automatic"
    error = console.call("POST", path, body, status=400)["error"]
    assert error["status"] == "INVALID_ARGUMENT"


def test_beside_a_list_it_is_said_what_can_be_opened(console):
    put(console, "cities/wien", {"people": integer(19)})
    console.open("firestore")
    console.sees("Choose a collection to see its documents.")
    console.visit("firestore/cities").sees("Choose a document to see and change its fields.")
    console.button("All as a table")
    console.until(lambda: console.texts("tbody th") == ["wien"])
