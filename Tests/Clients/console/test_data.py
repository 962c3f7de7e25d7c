"""The web console in Chromium: users and documents."""

import json
from urllib.parse import quote

import requests
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from support.console import browser, console, console_url  # noqa: F401

# MARK: Users


def test_a_user_is_made_changed_and_deleted(console):
    console.open("users")
    console.sees("No users yet")
    console.button("New user")
    console.type("E-mail", "ann@example.com")
    console.type("Password", "short")
    console.button("Create")
    console.sees("WEAK_PASSWORD")
    console.type("Password", "long enough")
    console.type("Custom claims", "[1]")
    console.button("Create")
    console.sees("Custom claims must be a JSON object")
    console.type("Custom claims", '{"role": "admin"}')
    console.button("Create")
    console.until(lambda: console.focused().text == "ann@example.com")
    [user] = console.admin(":query", {})["userInfo"]
    assert json.loads(user["customAttributes"]) == {"role": "admin"}

    console.type("Name", "Ann <img src=x onerror=alert(1)>")
    console.type("Phone", "+15555550100")
    console.click(lambda: console.labelled("E-mail is verified"))
    console.button("Save")
    console.says("User saved.")
    assert console.focused().tag_name == "h2"
    [user] = console.admin(":query", {})["userInfo"]
    assert user["displayName"] == "Ann <img src=x onerror=alert(1)>"
    assert user["phoneNumber"] == "+15555550100" and user["emailVerified"] is True

    console.type("Name", " ").send_keys(Keys.BACKSPACE)
    console.type("Phone", " ").send_keys(Keys.BACKSPACE)
    console.type("Custom claims", " ").send_keys(Keys.BACKSPACE)
    console.button("Save")
    console.says("User saved.")
    [user] = console.admin(":query", {})["userInfo"]
    assert "phoneNumber" not in user
    assert "displayName" not in user and user.get("customAttributes", "{}") == "{}"

    console.button("Disable")
    console.says("User disabled.")
    assert console.admin(":query", {})["userInfo"][0]["disabled"]
    console.button("Enable")
    console.says("User enabled.")
    assert not console.admin(":query", {})["userInfo"][0].get("disabled")
    console.button("Send password reset")
    console.until(lambda: console.own("GET", "messages")["messages"])
    console.button("Delete")
    console.button("Delete", "dialog")
    console.sees("No users yet")


def test_sessions_are_ended(console):
    session = console.client(
        "signUp", {"email": "ann@example.com", "password": "old secret", "returnSecureToken": True}
    )
    console.open(f"users/{session['localId']}")
    console.button("End sessions")
    console.says("All sessions ended.")
    reply = requests.post(
        f"{console.origin}/securetoken.googleapis.com/v1/token?key={console.project}",
        data={"grant_type": "refresh_token", "refresh_token": session["refreshToken"]},
        timeout=30,
    )
    assert reply.json()["error"]["message"].startswith("TOKEN_EXPIRED")


def test_many_users_come_in_pages_and_are_found(console):
    console.admin(
        ":batchCreate",
        {
            "users": [
                {
                    "localId": f"user-{n:03}",
                    "email": f"user-{n:03}@example.com",
                    "phoneNumber": f"+1555555{n:04}",
                    "createdAt": str(1700000000000 + n),
                }
                for n in range(120)
            ]
        },
    )
    console.open("users")
    console.sees("1–50 of 120")
    console.until(lambda: console.find("tbody th").text == "user-119@example.com")
    console.button("Next")
    console.sees("51–100 of 120")
    console.button("Next")
    console.sees("101–120 of 120")
    console.until(
        lambda: not [b for b in console.all("button") if b.text == "Next" and b.is_displayed()]
    )
    for search in ["USER-007@example.com", "+1 (555) 555-0007", "user-007"]:
        console.type("Find", search + Keys.ENTER)
        console.sees("1–1 of 1")
        console.until(lambda: console.find("tbody th a").text == "user-007@example.com")
    console.type("Find", "nobody@example.com" + Keys.ENTER)
    console.sees("No users found.")


def test_users_of_tenants_are_looked_for_there(console):
    tenant = console.call(
        "POST",
        f"/identitytoolkit.googleapis.com/v2/projects/{console.project}/tenants",
        {"displayName": "Acme", "allowPasswordSignup": True},
    )["name"].split("/")[-1]
    console.call(
        "POST",
        f"/identitytoolkit.googleapis.com/v1/projects/{console.project}/tenants/{tenant}/accounts",
        {"email": "ann@example.com", "password": "old secret"},
    )
    console.open("users")
    console.sees("No users outside of the tenants.")
    Select(console.labelled("Tenant")).select_by_value(tenant)
    console.sees("ann@example.com")


def test_a_new_user_appears_by_itself(console):
    console.open("users")
    console.sees("No users yet")
    console.client("signUp", {"email": "ann@example.com", "password": "old secret"})
    console.sees("ann@example.com")


# MARK: Firestore


def test_documents_are_made_edited_and_deleted(console):
    console.open("firestore")
    console.button("New collection")
    console.type("Collection id", "cities", "dialog")
    console.type("Document id", "Wien ä/1".replace("/", "-"), "dialog")
    console.button("Create", "dialog")
    console.until(lambda: console.find(".editor h2").text == "Wien ä-1")
    path = "cities/" + quote("Wien ä-1")

    def add(name, kind, value):
        console.button("Add field")
        row = console.all(".fields > .group > .rows > .row")[-1]
        row.find_element(By.CSS_SELECTOR, "[aria-label=Name]").send_keys(name)
        Select(row.find_element(By.CSS_SELECTOR, "[aria-label=Type]")).select_by_visible_text(kind)
        control = row.find_element(By.CSS_SELECTOR, "[aria-label=Value]")
        if kind == "boolean":
            Select(control).select_by_visible_text(value)
        elif value:
            control.clear()
            control.send_keys(value)
        return control

    console.until(lambda: console.all(".editor form"))
    # Keys that are typed before it has got the focus would go there in part.
    console.until(lambda: console.focused().text == "Wien ä-1")
    add("name", "string", "Wien")
    people = add("people", "integer", "many")
    console.button("Save")
    console.sees("people: “many” is not an integer.")
    people.clear()
    people.send_keys("9007199254740993")
    add("area", "double", "414.8")
    add("capital", "boolean", "true")
    add("founded", "timestamp", "2026-01-31T12:00:00Z")
    add("nothing", "null", "")
    add("place", "geo point", "48.2, 16.37")
    for name, kind, inner in [("tags", "array", "old"), ("mayor", "map", "M")]:
        console.button("Add field")
        row = console.all(".fields > .group > .rows > .row")[-1]
        row.find_element(By.CSS_SELECTOR, "[aria-label=Name]").send_keys(name)
        Select(row.find_element(By.CSS_SELECTOR, "[aria-label=Type]")).select_by_visible_text(kind)
        if kind == "map":
            row.find_element(By.CSS_SELECTOR, ".value [aria-label=Name]").send_keys("name")
        row.find_element(By.CSS_SELECTOR, ".row [aria-label=Value]").send_keys(inner)
    console.button("Save")
    console.says("Document saved.")
    assert console.document(path)["fields"] == {
        "name": {"stringValue": "Wien"},
        "people": {"integerValue": "9007199254740993"},
        "area": {"doubleValue": 414.8},
        "capital": {"booleanValue": True},
        "founded": {"timestampValue": "2026-01-31T12:00:00Z"},
        "nothing": {"nullValue": None},
        "place": {"geoPointValue": {"latitude": 48.2, "longitude": 16.37}},
        "tags": {"arrayValue": {"values": [{"stringValue": "old"}]}},
        "mayor": {"mapValue": {"fields": {"name": {"stringValue": "M"}}}},
    }
    console.button("Remove the field mayor")
    console.button("Save")
    console.says("Document saved.")
    assert "mayor" not in console.document(path)["fields"]

    console.until(lambda: len(console.all(".fields > .group > .rows > .row")) == 8)
    console.button("JSON")
    console.type("Fields", '{"name": {"stringValue": "Graz"}}')
    console.button("Save")
    console.says("Document saved.")
    assert console.document(path)["fields"] == {"name": {"stringValue": "Graz"}}

    # A document without collections has no column of them.
    console.until(lambda: len(console.all(".column")) == 3)
    console.button("New collection", ".editor")
    console.type("Collection id", "streets", "dialog")
    console.button("Create", "dialog")
    console.until(lambda: len(console.all(".column")) == 5)
    console.button("Delete document")
    console.button("Delete document", "dialog")
    console.until(lambda: len(console.all(".column")) == 4)


def test_a_long_collection_comes_in_pages(console):
    base = f"/v1/projects/{console.project}/databases/(default)/documents/many"
    for n in range(60):
        console.call("POST", f"{base}?documentId=d{n:02}", {"fields": {}})
    # What is shown is read again when events begin, also while more is on its way.
    console.open("firestore/many").caught_up()
    console.until(lambda: len(console.all(".column:nth-child(2) li")) == 50)
    console.button("More")
    console.until(lambda: len(console.all(".column:nth-child(2) li")) == 60)
