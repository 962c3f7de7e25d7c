"""The console in Chromium: it destroys nothing, says what is so, and disturbs nothing."""

import json
import threading

import pytest
import requests
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from support.console import Console, browser, console, console_url  # noqa: F401
from support.server import Server

OPEN_RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /{document=**} { allow read, write: if true; }
  }
}
"""
ASKED = "return performance.getEntriesByType('resource').map(({ name }) => name)"


def tenant_of(console, name):
    tenants = f"/identitytoolkit.googleapis.com/v2/projects/{console.project}/tenants"
    made = console.call("POST", tenants, {"displayName": name, "allowPasswordSignup": True})
    return made["name"].split("/")[-1]


def put_users(console, names, tenant=None, **members):
    console.admin(
        ":batchCreate",
        {
            "users": [
                {"localId": f"uid-{name}", "email": f"{name}@example.com"} | members
                for name in names
            ],
            **({"tenantId": tenant} if tenant else {}),
        },
    )


def uids(console, tenant=None):
    rest = f"accounts?limit=500{f'&tenantId={tenant}' if tenant else ''}"
    return sorted(user["localId"] for user in console.own("GET", rest).get("userInfo", []))


def put(console, path, fields, mask=None):
    query = "?" + "&".join(f"updateMask.fieldPaths={name}" for name in mask) if mask else ""
    console.call(
        "PATCH",
        f"/v1/projects/{console.project}/databases/(default)/documents/{path}{query}",
        {"fields": fields},
    )


def integer(value):
    return {"integerValue": str(value)}


def read(console, path):
    """An app's call."""
    return requests.get(
        f"{console.origin}/v1/projects/{console.project}/databases/(default)/documents/{path}",
        timeout=30,
    )


def value_of(console, path):
    """The control of a field of the document."""
    return console.until(
        lambda: console.find(f'[data-path="{path}"] > .value > [aria-label=Value]')
    )


def write_rules(console, text):
    console.until(lambda: console.find("textarea[aria-label=Rules]"))
    console.run(
        "const editor = document.querySelector('textarea[aria-label=Rules]');"
        "editor.value = arguments[0]; editor.dispatchEvent(new Event('input'))",
        text,
    )


def rules_shown(console):
    return console.find("textarea[aria-label=Rules]").get_attribute("value")


# MARK: M1, what is deleted is what is listed


def test_delete_all_deletes_the_users_of_the_tenant_that_is_shown(console):
    tenant = tenant_of(console, "North")
    put_users(console, ["ann", "carla"])
    put_users(console, ["bob"], tenant)
    console.open(f"users?tenant={tenant}")
    console.sees("1–1 of 1")
    console.button("Delete all")
    console.sees("1 user will be deleted: all of tenant North.", "dialog")
    console.button("Delete all", "dialog")
    console.says("1 user deleted.")
    assert uids(console, tenant) == []
    assert uids(console) == ["uid-ann", "uid-carla"]


def test_delete_all_deletes_what_the_search_and_the_filters_find(console):
    put_users(console, ["ann", "joanna", "bob"])
    put_users(console, ["annette", "carla"], disabled=True)
    console.open("users?q=ann&disabled=false")
    console.sees("1–2 of 2")
    console.button("Delete all")
    console.sees("2 users will be deleted", "dialog")
    console.sees("with “ann”, state enabled", "dialog")
    console.button("Delete all", "dialog")
    console.says("2 users deleted.")
    assert uids(console) == ["uid-annette", "uid-bob", "uid-carla"]


# MARK: M2, a save writes what was changed


def test_a_save_leaves_what_the_app_wrote_meanwhile(console):
    dims = {"mapValue": {"fields": {"max": integer(3), "min": integer(1)}}}
    put(console, "products/p1", {"stock": integer(49), "dims": dims})
    console.open("firestore/products/p1")
    field = value_of(console, "dims.max")
    field.clear()
    field.send_keys("4")
    put(
        console,
        "products/p1",
        {"stock": integer(777), "fromServer": {"booleanValue": True}},
        ["stock", "fromServer"],
    )
    console.button("Save")
    console.says("Document saved.")
    assert console.document("products/p1")["fields"] == {
        "stock": integer(777),
        "fromServer": {"booleanValue": True},
        "dims": {"mapValue": {"fields": {"max": integer(4), "min": integer(1)}}},
    }


@pytest.mark.parametrize("choice, stock", [("Keep mine", 50), ("Take theirs", 777)])
def test_a_field_that_both_have_changed_has_a_choice(console, choice, stock):
    put(console, "products/p1", {"stock": integer(49), "name": {"stringValue": "Cup"}})
    console.open("firestore/products/p1")
    field = value_of(console, "stock")
    field.clear()
    field.send_keys("50")
    put(console, "products/p1", {"stock": integer(777)}, ["stock"])
    console.sees("The document has changed on the server")
    console.button("Save")
    console.sees("Not saved: stock has changed on the server.")
    assert console.document("products/p1")["fields"]["stock"] == integer(777)
    Select(console.find('[aria-label="Which value of stock holds"]')).select_by_visible_text(choice)
    console.button("Save")
    console.says("Document saved")
    assert console.document("products/p1")["fields"] == {
        "stock": integer(stock),
        "name": {"stringValue": "Cup"},
    }


# MARK: M3, faults strike the app alone


def test_a_fault_is_still_there_for_the_app_after_the_console_was_open(console):
    put(console, "cities/wien", {"people": integer(19)})
    console.own(
        "POST",
        "faults",
        {"operation": "firestore.*", "effect": {"error": "UNAVAILABLE"}, "times": 2},
    )
    console.open("firestore/cities/wien")
    value_of(console, "people")
    console.run("performance.clearResourceTimings()")
    # The page has asked for the document again by then.
    console.until(lambda: sum("/cities/wien" in name for name in console.run(ASKED)) >= 2)
    [fault] = console.own("GET", "faults")["faults"]
    assert (fault["hits"], fault["remaining"]) == (0, 2)
    assert [read(console, "cities/wien").status_code for _ in range(3)] == [503, 503, 200]


def test_the_console_sees_everything_under_the_preset_offline(console):
    put(console, "cities/wien", {"people": integer(19)})
    put_users(console, ["ann"])
    console.own("POST", "faultPresets/offline:apply", {})
    with pytest.raises(requests.ConnectionError):
        read(console, "cities/wien")
    console.open("overview")
    for view, words in [
        ("overview", console.project),
        ("users", "ann@example.com"),
        ("users/uid-ann", "Send password reset"),
        ("firestore/cities/wien", "Updated"),
        ("rules", "Save rules"),
        ("settings/templates", "Subject"),
        ("requests", "cities/wien"),
    ]:
        console.visit(view)
        console.sees(words)
        assert "does not answer" not in console.find("body").text, view


# MARK: M4, watching costs the app nothing


def app_reads(console, count):
    session = requests.Session()
    url = f"{console.origin}/v1/projects/{console.project}/databases/(default)/documents/cities"
    for number in range(count):
        assert session.get(f"{url}/c{number}", timeout=30).status_code == 404


@pytest.mark.parametrize("view", ["requests", "overview", "users", "mailbox", "indexes", "faults"])
def test_no_request_is_made_for_a_request_of_the_app(console, view):
    console.open(view).caught_up()
    console.run("performance.clearResourceTimings()")
    app_reads(console, 60)
    if view == "requests":
        console.until(lambda: len(console.all("tbody tr")) == 60)
    # What the page would ask because of these is asked before what it asks for a mail.
    console.admin("", {"email": "ann@example.com", "password": "old secret"})
    console.client("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "ann@example.com"})
    console.until(lambda: any("q=is:unread" in name for name in console.run(ASKED)))
    paths = [name.removeprefix(console.origin) for name in console.run(ASKED)]
    # The list of projects is read every few seconds, whatever happens.
    paths = [
        path for path in paths if path not in ("/emulator/v1/projects", "/emulator/v1/overview")
    ]
    asked = [path for path in paths if "/messages" not in path and "/accounts" not in path]
    asked = [path for path in asked if "/assets/" not in path]
    # What is shown is read once more when events begin, which may be now: each address once, four of
    # the header and two of a view.
    assert sorted(asked) == sorted(set(asked)), paths
    assert len(asked) <= 6, paths


def test_an_event_tells_a_request_in_few_bytes(console):
    large = {"text": {"stringValue": "x" * 6000}}
    events = f"{console.origin}/emulator/v1/projects/{console.project}/events"
    heard = []
    with requests.get(events, stream=True, timeout=30) as stream:
        lines = stream.iter_lines()
        next(lines)
        writer = threading.Thread(target=put, args=(console, "cities/wien", large))
        writer.start()
        for line in lines:
            heard.append(line)
            if line.startswith(b"data:") and b'"operation"' in line:
                break
        writer.join()
    entry = json.loads(heard[-1].removeprefix(b"data:"))
    assert entry["path"].endswith("/cities/wien") and entry["status"] == 200
    assert len(heard[-1]) < 1000


# MARK: M5, the rules of the editor are those that hold


@pytest.fixture
def rules_file(browser, tmp_path):
    """A console whose project follows a file of rules."""
    file = tmp_path / "firestore.rules"
    file.write_text(OPEN_RULES)
    server = Server("--rules", str(file))
    console = Console(browser, server.addresses["console"] + "/console/")
    yield console, file
    browser.get("about:blank")
    browser.get_log("browser")
    server.stop()


def test_the_editor_follows_the_file_and_a_reset_of_the_coverage_writes_nothing(rules_file):
    console, file = rules_file
    console.open("rules")
    console.sees("These rules come from the file")
    console.until(lambda: rules_shown(console) == OPEN_RULES)
    newer = OPEN_RULES.replace("read, write", "read")
    file.write_text(newer)
    console.until(lambda: rules_shown(console) == newer)
    assert read(console, "cities/wien").status_code == 404
    console.sees("×1", ".gutter")
    write_rules(console, newer + "// a draft\n")
    console.button("Reset coverage")
    console.says("The counts begin at zero.")
    source = console.own("GET", "rules")
    assert source["source"] == "file" and source["rules"]["files"][0]["content"] == newer
    # The file is still followed.
    newest = OPEN_RULES.replace("if true", "if 1 == 1")
    file.write_text(newest)
    console.sees("The rules have changed since you began to edit.")
    assert rules_shown(console) == newer + "// a draft\n"
    console.button("Save rules")
    console.sees("Not saved: the rules have changed since you began to edit.", "#toasts")
    assert console.own("GET", "rules")["rules"]["files"][0]["content"] == newest
    console.button("Show theirs")
    console.until(lambda: rules_shown(console) == newest)


def test_rules_that_are_set_say_so_and_give_way_to_the_file_again(rules_file):
    console, file = rules_file
    console.open("rules")
    console.until(lambda: rules_shown(console) == OPEN_RULES)
    write_rules(console, OPEN_RULES.replace("true", "false"))
    console.button("Save rules")
    console.says("Rules saved.")
    console.sees("The file is not followed and has other rules.")
    assert read(console, "cities/wien").status_code == 403
    console.button("Follow the file again")
    console.until(lambda: rules_shown(console) == OPEN_RULES)
    assert read(console, "cities/wien").status_code == 404
    file.write_text(OPEN_RULES.replace("true", "1 == 1"))
    console.until(lambda: "1 == 1" in rules_shown(console))


def test_rules_are_written_to_the_file_that_is_followed(rules_file):
    console, file = rules_file
    console.open("rules")
    console.until(lambda: rules_shown(console) == OPEN_RULES)
    # What was set in the console gives way to the file.
    write_rules(console, OPEN_RULES.replace("true", "1 == 2"))
    console.button("Save rules")
    console.says("Rules saved.")
    assert file.read_text() == OPEN_RULES
    closed = OPEN_RULES.replace("true", "false")
    write_rules(console, closed)
    console.button("Write to firestore.rules")
    console.says("Written to firestore.rules.")
    assert file.read_text() == closed
    console.sees("These rules come from the file")
    assert read(console, "cities/wien").status_code == 403
    # An error, or a file that somebody else has changed, is not written over.
    write_rules(console, closed.replace("if false", "if ;"))
    console.button("Write to firestore.rules")
    console.sees("Keeping the previous rules in force. Line 4", "#toasts")
    write_rules(console, closed + "// mine")
    theirs = closed + "// theirs"
    file.write_text(theirs)
    console.button("Write to firestore.rules")
    console.sees("Not written: the file has changed", "#toasts")
    assert file.read_text() == theirs
    console.sees("The rules have changed since you began to edit.")
    console.button("keep mine")
    console.button("Write to firestore.rules")
    console.says("Written to firestore.rules.")
    assert file.read_text() == closed + "// mine"
    console.button("Undo", "#toasts > :last-child")
    console.says("Undone.")
    assert file.read_text() == theirs


def test_without_a_file_nothing_is_offered_to_be_written(console):
    console.open("rules").caught_up()
    write_rules(console, OPEN_RULES)
    console.button("Save rules")
    console.says("Rules saved.")
    assert not console.run(
        "return [...document.querySelectorAll('main button')]"
        ".some((button) => button.innerText.startsWith('Write to'))"
    )


def test_warnings_about_rules_are_shown_where_they_are(console):
    console.open("rules").caught_up()
    unused = OPEN_RULES.replace(
        "    match /{doc", "    function unused() { return true; }\n    match /{doc"
    )
    write_rules(console, unused)
    console.button("Save rules")
    console.says("Rules saved.")
    console.sees("line 4: Unused function", ".problems")
    console.browser.refresh()
    console.sees("line 4: Unused function", ".problems")


def test_errors_of_rules_are_shown_while_they_are_typed(console):
    console.open("rules").caught_up()
    write_rules(console, OPEN_RULES.replace("if true", "if ;"))
    console.sees("line 4", ".problems")
    write_rules(console, OPEN_RULES)
    console.until(lambda: not console.find(".problems").text)
    assert console.own("GET", "rules")["source"] == "none"


# MARK: M6, what was typed is kept


def test_a_success_takes_the_place_of_an_error(console):
    console.open("rules").caught_up()
    write_rules(console, OPEN_RULES.replace("if true", "if ;"))
    console.button("Save rules")
    console.sees("Keeping the previous rules in force.", "#toasts")
    write_rules(console, OPEN_RULES)
    console.button("Save rules")
    console.says("Rules saved.")
    assert "Keeping" not in console.find("#toasts").text


def test_rules_that_were_not_saved_are_kept(console):
    console.open("rules").caught_up()
    write_rules(console, OPEN_RULES + "// mine")
    console.visit("overview")
    console.visit("rules")
    console.sees("Your text that was not saved is here again")
    assert rules_shown(console).endswith("// mine")
    console.browser.refresh()
    console.sees("Your text that was not saved is here again")
    assert rules_shown(console).endswith("// mine")
    console.button("Discard it")
    console.until(lambda: "// mine" not in rules_shown(console))
    console.visit("overview")
    console.visit("rules")
    console.until(lambda: "// mine" not in rules_shown(console))


def test_a_document_that_was_not_saved_is_kept(console):
    put(console, "cities/wien", {"people": integer(19)})
    put(console, "cities/graz", {"people": integer(3)})
    console.open("firestore/cities/wien")
    field = value_of(console, "people")
    field.clear()
    field.send_keys("20")
    console.visit("firestore/cities/graz")
    console.until(lambda: value_of(console, "people").get_attribute("value") == "3")
    console.visit("firestore/cities/wien")
    console.sees("Your text that was not saved is here again")
    assert value_of(console, "people").get_attribute("value") == "20"
    console.button("Save")
    console.says("Document saved.")
    assert console.document("cities/wien")["fields"] == {"people": integer(20)}
    console.visit("firestore/cities/graz")
    console.visit("firestore/cities/wien")
    console.until(lambda: value_of(console, "people").get_attribute("value") == "20")
    assert "not saved" not in console.find("main").text


def test_a_template_and_a_profile_that_were_not_saved_are_kept(console):
    put_users(console, ["ann"])
    console.open("settings/templates")
    console.type("Subject", "Welcome back")
    console.visit("users/uid-ann")
    console.type("Name", "Ann the First")
    console.visit("settings/templates")
    console.sees("Your text that was not saved is here again")
    assert console.labelled("Subject").get_attribute("value") == "Welcome back"
    console.button("Discard it")
    console.until(lambda: console.labelled("Subject").get_attribute("value") == "")
    console.visit("users/uid-ann")
    console.sees("Your text that was not saved is here again")
    assert console.labelled("Name").get_attribute("value") == "Ann the First"
    console.button("Save")
    console.says("User saved.")
    assert console.admin(":query", {})["userInfo"][0]["displayName"] == "Ann the First"


# MARK: M7, every view is live


def test_the_page_of_a_user_is_live(console):
    put_users(console, ["ann"])
    console.open("users/uid-ann").caught_up()
    console.sees("ann@example.com")
    console.admin(":update", {"localId": "uid-ann", "displayName": "Ann", "disableUser": True})
    console.sees("disabled", ".person")
    console.until(lambda: console.labelled("Name").get_attribute("value") == "Ann")
    console.type("Name", "Anna")
    console.admin(":update", {"localId": "uid-ann", "phoneNumber": "+15555550100"})
    console.sees("The user has changed on the server.")
    assert console.labelled("Name").get_attribute("value") == "Anna"
    console.admin(":delete", {"localId": "uid-ann"})
    console.sees("The user was deleted.")


def test_snapshots_and_tenants_are_live(console):
    console.open("settings/snapshots").caught_up()
    console.sees("No snapshots.")
    console.own("POST", "snapshots", {"name": "before"})
    console.sees("before", "main table")
    console.visit("settings/tenants")
    console.sees("No tenants.")
    tenant_of(console, "North")
    console.sees("North", "main table")


# MARK: Saving


def rests(console, label):
    return console.until(
        lambda: console.run(
            """
          const found = [...document.querySelectorAll("main button")]
            .find((one) => one.innerText === arguments[0] && one.checkVisibility());
          return found && [found.ariaDisabled === "true"]""",
            label,
        )
    )[0]


def test_nothing_is_saved_where_nothing_has_changed(console):
    """The button rests until something differs from what is stored, and after it was saved."""
    console.admin("", {"localId": "ann", "email": "ann@example.com"})
    put(console, "cities/wien", {"name": {"stringValue": "Wien"}})
    source = "service cloud.firestore { match /databases/{d}/documents/{p=**} { allow read; } }"
    console.own("PUT", "rules", {"rules": {"files": [{"name": "r", "content": source}]}})
    for view, save, label, words in [
        ("settings/mailRules", "Save", "Code, a regular expression", "([A-Z]+)"),
        ("settings/passwords", "Save", "At least, in characters", "9"),
        ("settings/templates", "Save", "Subject", "Hello"),
        ("users/ann", "Save", "Name", "Ann"),
    ]:
        console.open(view)
        assert rests(console, save), view
        if view.endswith("mailRules"):
            console.button("Add a rule")
        console.type(label, words)
        console.until(lambda save=save: not rests(console, save))
        console.button(save)
        console.says("saved.")
        console.until(lambda save=save: rests(console, save))
    console.open("firestore/cities/wien")
    assert rests(console, "Save")
    name = console.until(lambda: console.find('.row [aria-label="Value"]'))
    name.send_keys(Keys.ENTER)
    name.send_keys("!")
    assert not rests(console, "Save")
    name.send_keys(Keys.ENTER)
    console.says("Document saved.")
    console.until(lambda: rests(console, "Save"))
    console.open("rules")
    assert rests(console, "Save rules") and rests(console, "Undo changes")
    console.find(".source textarea").send_keys(" ")
    console.until(lambda: not rests(console, "Save rules"))
    console.button("Undo changes")
    console.until(lambda: rests(console, "Save rules"))


def test_a_document_that_is_not_there_can_be_saved(console):
    console.open("firestore/cities/none")
    console.sees("does not exist yet")
    assert not rests(console, "Save")
    console.button("Save")
    console.says("Document saved.")
