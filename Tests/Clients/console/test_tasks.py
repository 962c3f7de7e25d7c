"""What people do in the console, task by task, as the guide lists them."""

import json
import shlex
import subprocess
import time

import pytest
import requests
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from support.console import browser, console, console_url, reset_mail  # noqa: F401
from support.server import binary

RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /users/{uid} {
      allow read: if request.auth != null && request.auth.uid == uid;
    }
  }
}
"""


def needs(console, method, path, body=None):
    """Skips what a server without the endpoint cannot show."""
    reply = requests.request(method, console.origin + path, json=body, timeout=30)
    if reply.status_code in (404, 405, 501) and "Not Found" in reply.text:
        pytest.skip(f"the server has no {path}")


def put_document(console, path, fields):
    console.call(
        "PATCH",
        f"/v1/projects/{console.project}/databases/(default)/documents/{path}",
        {"fields": fields},
    )


def put_rules(console, source):
    console.call(
        "PUT",
        f"/emulator/v1/projects/{console.project}:securityRules",
        {"rules": {"files": [{"name": "firestore.rules", "content": source}]}},
    )


def read_as_nobody(console, path):
    reply = requests.get(
        f"{console.origin}/v1/projects/{console.project}/databases/(default)/documents/{path}",
        timeout=30,
    )
    assert reply.status_code == 403, reply.text


def press(console, keys):
    ActionChains(console.browser).send_keys(keys).perform()


# MARK: Mailbox


def test_01_copy_the_code_of_the_newest_mail(console):
    console.open("mailbox")
    message = reset_mail(console)
    console.button("Copy the code of " + message["subject"])
    console.until(lambda: console.clipboard() == message["oobCode"])


def test_02_open_the_link_of_a_mail(console):
    message = reset_mail(console)
    console.open("mailbox")
    console.click(".list a")
    link = console.until(lambda: next(a for a in console.all(".hero a.button")))
    assert link.text == "Open link" and link.get_attribute("href") == message["oobLink"]


def test_03_find_a_mail_by_its_address_with_the_keyboard(console):
    reset_mail(console)
    console.client("sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": "bob@example.com"})
    console.open("mailbox")
    console.sees("2 messages")
    press(console, "/")
    press(console, "to:bob")
    console.until(lambda: len(console.all(".list li")) == 1)
    # Less than that finds it too.
    console.until(lambda: "q=to%3Abob" in console.browser.current_url)
    press(console, Keys.ESCAPE)
    press(console, "j")
    console.until(lambda: console.find(".detail h2").text.startswith("Sign in to"))
    console.browser.refresh()
    console.until(lambda: len(console.all(".list li")) == 1)


def test_04_see_that_a_code_was_used(console):
    message = reset_mail(console)
    console.open("mailbox")
    console.sees("expires in", ".list")
    console.client("resetPassword", {"oobCode": message["oobCode"], "newPassword": "new secret"})
    console.until(lambda: "used" in [tag.text for tag in console.all(".list .tag")])


def test_05_preview_a_mail_on_a_phone_and_in_the_dark(console):
    message = reset_mail(console)
    console.open(f"mailbox/{message['id']}")
    console.button("Phone")
    console.until(lambda: 300 < console.find("iframe").size["width"] <= 390)
    console.button("Dark")
    console.in_frame(
        lambda: console.run("return matchMedia('(prefers-color-scheme: dark)').matches")
    )
    console.button("Light")
    console.button("Desktop")


def test_06_check_the_links_of_a_mail(console):
    message = reset_mail(console)
    console.open(f"mailbox/{message['id']}")
    console.button("Links (1)")
    console.sees("on this machine", "[role=tabpanel]:not([hidden])")


def test_07_unread_mail_is_counted_in_the_title(console):
    message = reset_mail(console)
    console.open("overview")
    console.until(lambda: console.browser.title.startswith("(1) Overview"))
    console.visit(f"mailbox/{message['id']}")
    console.until(lambda: console.browser.title.startswith(message["subject"]))


# MARK: Users


def make_users(console, names):
    console.admin(
        ":batchCreate",
        {
            "users": [
                {
                    "localId": f"uid-{name}",
                    "email": f"{name}@example.com",
                    "displayName": name.title(),
                }
                for name in names
            ]
        },
    )


def test_08_find_a_user_by_a_part_of_the_name(console):
    make_users(console, ["ann", "bob", "joanna"])
    console.open("users")
    console.sees("1–3 of 3")
    console.type("Find", "ann")
    console.sees("1–2 of 2")
    console.until(lambda: "q=ann" in console.browser.current_url)


def test_09_disable_several_users_at_once(console):
    needs(console, "POST", f"/emulator/v1/projects/{console.project}/accounts:bulk", {})
    make_users(console, ["ann", "bob", "carla"])
    console.open("users")
    for name in ["ann", "carla"]:
        console.click(f'[aria-label="Choose {name}@example.com"]')
    console.button("Disable")
    console.says("2 users disabled.")
    disabled = [
        user["localId"] for user in console.admin(":query", {})["userInfo"] if user.get("disabled")
    ]
    assert sorted(disabled) == ["uid-ann", "uid-carla"]


def test_10_act_as_a_user(console):
    needs(console, "POST", f"/emulator/v1/projects/{console.project}/accounts:actAs", {})
    make_users(console, ["ann"])
    console.open("users/uid-ann")
    console.button("Act as")
    console.type("More claims", '{"role": "admin"}')
    console.button("Mint a token")
    console.sees("valid", ".token dd")
    console.button("Copy ID token")
    token = console.until(lambda: console.clipboard().count(".") == 2 and console.clipboard())
    [user] = console.client("lookup", {"idToken": token})["users"]
    assert user["localId"] == "uid-ann" and "customAttributes" not in user
    assert '"role": "admin"' in console.text(".token")


# MARK: Firestore


def test_11_change_a_value_inside_a_map(console):
    put_document(
        console,
        "cities/vienna",
        {"mayor": {"mapValue": {"fields": {"name": {"stringValue": "Michael"}}}}},
    )
    console.open("firestore/cities/vienna")
    value = console.until(lambda: console.find('.row .row [aria-label="Value"]'))
    value.clear()
    value.send_keys("Maria" + Keys.ENTER)
    console.says("Document saved.")
    assert console.document("cities/vienna")["fields"]["mayor"]["mapValue"]["fields"] == {
        "name": {"stringValue": "Maria"}
    }


def test_12_follow_a_reference(console):
    root = f"projects/{console.project}/databases/(default)/documents"
    put_document(console, "users/ann", {"name": {"stringValue": "Ann"}})
    put_document(console, "cities/vienna", {"mayor": {"referenceValue": f"{root}/users/ann"}})
    console.open("firestore/cities/vienna")
    assert (
        console.until(lambda: console.find(".row .value input")).get_attribute("value")
        == "users/ann"
    )
    console.click(".follow")
    console.until(lambda: console.find(".editor h2").text == "ann")


def test_13_see_a_document_change(console):
    put_document(
        console, "cities/vienna", {"people": {"integerValue": "1"}, "name": {"stringValue": "Wien"}}
    )
    console.open("firestore/cities/vienna")
    console.until(lambda: len(console.all(".editor .row")) == 2)
    put_document(
        console, "cities/vienna", {"people": {"integerValue": "2"}, "name": {"stringValue": "Wien"}}
    )
    changed = console.until(lambda: console.find(".row.changed"))
    assert changed.get_attribute("data-path") == "people"
    put_document(console, "cities/graz", {})
    console.until(
        lambda: [item.text for item in console.all(".column:nth-child(2) li")] == ["graz", "vienna"]
    )


def test_14_ask_a_query_and_take_its_code(console):
    for name, people in [("graz", 3), ("linz", 2), ("wien", 19)]:
        put_document(console, f"cities/{name}", {"people": {"integerValue": str(people)}})
    console.open("firestore/cities?view=query")
    console.until(lambda: console.find('[aria-label="Field"]')).send_keys("people")
    Select(console.find('[aria-label="Operator"]')).select_by_visible_text(">")
    Select(console.find('[aria-label="Type of the value"]')).select_by_visible_text("integer")
    console.find('[aria-label="Value"]').send_keys("2")
    console.button("Add order")
    console.find('[aria-label="Order by field"]').send_keys("people" + Keys.ENTER)
    console.until(
        lambda: [row.text for row in console.all("tbody th")] == ["cities/graz", "cities/wien"]
    )
    console.button("Plan")
    console.sees("(people ASC, __name__ ASC)")
    console.button("Code")
    console.button("Swift")
    console.button("Copy Swift")
    console.until(
        lambda: (
            console.clipboard()
            == (
                'let snapshot = try await db.collection("cities")\n'
                '  .whereField("people", isGreaterThan: 2)\n  .order(by: "people")\n  .limit(to: 50)\n'
                "  .getDocuments()"
            )
        )
    )
    console.browser.refresh()
    console.until(lambda: len(console.all("tbody th")) == 2)


def test_15_import_a_file(console, tmp_path):
    needs(
        console,
        "POST",
        f"/emulator/v1/projects/{console.project}/databases/(default):importDocuments",
    )
    put_document(console, "cities/linz", {})
    file = tmp_path / "cities.csv"
    file.write_text("id,name,people\nwien,Wien,19\ngraz,Graz,3\n")
    console.open("firestore/cities")
    console.button("Import")
    console.labelled("File", "dialog").send_keys(str(file))
    console.type("Field of the id", "id", "dialog")
    console.button("Import", "dialog")
    console.says("2 documents written.")
    assert console.document("cities/wien")["fields"]["name"] == {"stringValue": "Wien"}


# MARK: Rules and requests


def test_16_find_the_rule_that_refused_a_request(console):
    put_rules(console, RULES)
    console.open("requests")
    read_as_nobody(console, "users/ann")
    row = console.until(lambda: [r for r in console.all("tbody tr") if r.is_displayed()][0])
    assert row.text.split()[:3] == ["get", "GET", "users/ann"]
    assert "403 PERMISSION_DENIED" in row.text and "Signed out" in row.text
    console.click(lambda: row.find_element(By.CSS_SELECTOR, "button"))
    console.click(lambda: next(a for a in console.all("dd a") if a.text == "line 5"))
    console.until(lambda: console.find(".gutter .at").text.strip().endswith("5"))


def test_a_refusal_is_shown_with_the_values_of_its_rule(console):
    put_rules(
        console,
        RULES.replace("match /users/{uid}", "match /posts/{uid}").replace(
            "request.auth.uid == uid", "resource.data.owner == request.auth.uid"
        ),
    )
    put_document(console, "posts/a", {"owner": {"stringValue": "bob"}})
    user = console.client(
        "signUp", {"email": "ann@example.com", "password": "old secret", "returnSecureToken": True}
    )
    reply = requests.get(
        f"{console.origin}/v1/projects/{console.project}/databases/(default)/documents/posts/a",
        headers={"Authorization": f"Bearer {user['idToken']}"},
        timeout=30,
    )
    assert reply.status_code == 403
    [refused] = [
        entry for entry in console.own("GET", "requests")["requests"] if entry["status"] == 403
    ]
    console.open(f"requests/{refused['id']}")
    console.sees("allow in line 5: false", ".whole summary")
    console.until(
        lambda: (
            [
                item.text
                for item in console.all(".whole .tree li")
                if item.text.startswith("resource.data.owner")
            ][-1].splitlines()[0]
            == 'resource.data.owner "bob"'
        )
    )
    console.sees(f'request.auth.uid "{user["localId"]}"', ".whole .tree")
    console.click(
        lambda: next(s for s in console.all(".whole summary") if s.text == "Request headers")
    )
    console.until(lambda: "authorization: (hidden)" in console.find(".headers").text.lower())
    # The command has the place of the token, which the log has not.
    console.button("Copy as curl")
    console.until(lambda: "-H 'Authorization: Bearer TOKEN'" in console.clipboard())
    assert console.clipboard().splitlines()[-1] == f"# TOKEN: an ID token of {user['localId']}"


def test_17_correct_a_rule_where_its_error_is(console):
    put_rules(console, RULES)
    # Rules that nobody has edited yet are read once more when events begin.
    console.open("rules").caught_up()
    editor = console.until(lambda: console.find("textarea[aria-label=Rules]"))
    console.until(lambda: "allow read" in editor.get_attribute("value"))
    console.run(
        "arguments[0].value = arguments[0].value.replace('== uid;', '== ;');"
        "arguments[0].dispatchEvent(new Event('input'))",
        editor,
    )
    console.button("Save rules")
    console.sees("line 5", ".problems")
    console.run(
        "arguments[0].value = arguments[0].value.replace('== ;', '== uid || false;');"
        "arguments[0].dispatchEvent(new Event('input'))",
        editor,
    )
    console.button("Save rules")
    console.says("Rules saved.")
    read_as_nobody(console, "users/ann")
    console.sees("×1", ".gutter")


def test_18_try_a_rule_for_a_user(console):
    needs(console, "POST", f"/emulator/v1/projects/{console.project}/rules:evaluate", {})
    put_rules(console, RULES)
    console.open("rules")
    console.until(
        lambda: "allow read" in console.find("textarea[aria-label=Rules]").get_attribute("value")
    )
    console.button("Evaluate")
    console.sees("denied", ".verdict")
    Select(console.labelled("Caller")).select_by_visible_text("A user")
    console.button("Evaluate")
    console.sees("allowed", ".verdict")
    console.sees("request.auth.uid == uid", ".tree")


# MARK: Faults and time


def test_19_make_the_next_sign_in_fail(console):
    console.open("faults?operation=identitytoolkit.accounts.signUp")
    Select(console.labelled("What happens")).select_by_visible_text("An error")
    console.type("How many times", "1")
    console.button("Add")
    console.sees("1 of 1")
    reply = requests.post(
        f"{console.origin}/identitytoolkit.googleapis.com/v1/accounts:signUp?key={console.project}",
        json={},
        timeout=30,
    )
    assert reply.json()["error"]["message"].startswith("TOO_MANY_ATTEMPTS_TRY_LATER")
    console.sees("spent")
    console.visit("requests")
    console.sees("fault", "tbody")


def test_20_let_a_code_expire(console):
    message = reset_mail(console)
    console.open("clock")
    console.button("+1 day")
    console.sees("1 day ahead")
    console.visit(f"mailbox/{message['id']}")
    console.sees("expired", ".detail dd .tag")


# MARK: The frame


def test_a_list_is_walked_through_by_keys(console):
    reset_mail(console)
    console.client("sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": "bob@example.com"})
    console.open("mailbox")
    console.sees("2 messages")
    press(console, "j")
    first = console.until(lambda: console.find(".detail h2").text)
    press(console, "j")
    console.until(lambda: console.find(".detail h2").text != first)
    press(console, Keys.ARROW_UP)
    console.until(lambda: console.find(".detail h2").text == first)
    press(console, "?")
    console.sees("The next row of a list", "dialog")
    press(console, Keys.ESCAPE)
    console.until(lambda: not console.all("dialog"))
    # The second key counts for a second and a half.
    console.until(lambda: press(console, "gu") or console.find("h1").text == "Users")


def test_the_overview_has_what_an_sdk_needs(console):
    console.open("overview")
    console.button("Web")
    console.button("Copy Web")
    copied = console.until(
        lambda: "connectAuthEmulator" in console.clipboard() and console.clipboard()
    )
    assert f'projectId: "{console.project}"' in copied
    reset_mail(console)
    console.until(lambda: console.find('.tile[href="#/mailbox"] strong').text == "1")
    assert console.text('.tile[href="#/clock"]').split() == ["clock", "Real", "time"]
    asked = console.run("return performance.getEntriesByType('resource').map((one) => one.name)")
    assert not [path for path in asked if "/messages" in path and "limit=1&" not in path]


def test_the_overview_counts_users_of_tenants_and_documents_of_all_databases(console):
    tenants = f"/identitytoolkit.googleapis.com/v2/projects/{console.project}/tenants"
    name = console.call("POST", tenants, {"displayName": "north", "allowPasswordSignup": True})
    tenant = name["name"].split("/")[-1]
    for more in [{}, {"tenantId": tenant}]:
        console.client("signUp", {"email": "ann@example.com", "password": "secret1"} | more)
    for database in ["(default)", "archive"]:
        path = f"/v1/projects/{console.project}/databases/{database}/documents/cities"
        console.call("POST", path, {"fields": {}})
    console.open("overview")
    console.until(lambda: console.find('.tile[href="#/users"] strong').text == "2")
    console.until(lambda: console.find('.tile[href="#/firestore"] strong').text == "2")


def test_the_lines_of_the_overview_work(console):
    console.open("overview")
    console.button("curl")
    console.button("Copy curl")
    copied = console.until(lambda: "hearth mail" in console.clipboard() and console.clipboard())
    commands, mail = copied.split("hearth mail ")
    done = subprocess.run(["sh", "-ec", commands], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    shown = subprocess.run(
        [binary(), "mail", *shlex.split(mail)], capture_output=True, text=True, timeout=60
    )
    [message] = console.own("GET", "messages")["messages"]
    assert shown.stdout.strip() == message["code"], shown.stderr
    for tab, words in [("Swift", "settings.isSSLEnabled = false"), ("Node Admin", "--tokens none")]:
        console.button(tab)
        console.button(f"Copy {tab}")
        console.until(lambda: words in console.clipboard())


def test_an_invalid_project_id_is_reported(console):
    console.project = "bad project!"
    console.open("overview")
    console.sees("a project id has at most 128 bytes", ".tiles [class~=bad]")
    assert not console.all(".tile")
    console.browser.get_log("browser")


def test_a_lost_server_is_said_and_found_again(console):
    console.open("mailbox")
    console.sees("No mail yet")
    blocked = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    console.browser.execute_cdp_cmd("Network.enable", {})
    try:
        console.browser.execute_cdp_cmd("Network.emulateNetworkConditions", blocked)
        # The page asks when it is looked at, and not while it still waits for an answer.
        console.until(
            lambda: (
                "Hearth does not answer."
                in console.run("""
          document.dispatchEvent(new Event("visibilitychange"));
          return document.querySelector("#banner").innerText""")
            )
        )
        reset_mail(console)
    finally:
        console.browser.execute_cdp_cmd(
            "Network.emulateNetworkConditions", blocked | {"offline": False}
        )
    console.until(lambda: not console.find("#banner").text)
    console.sees("1 message,")
    console.browser.get_log("browser")


def test_long_names_leave_the_layout_as_it_is(console):
    long = "x" * 300
    put_document(console, f"cities/{long}", {long: {"stringValue": long}})
    console.admin(
        "", {"email": "a" * 60 + "@example.com", "displayName": "An extremely long name " * 8}
    )
    console.open(f"firestore/cities/{long}")
    console.until(lambda: console.all(".editor form"))
    for view in [f"firestore/cities/{long}", "firestore/cities?view=query", "users", "overview"]:
        console.visit(view)
        assert (
            console.run("""
          const main = document.querySelector("main");
          return main.scrollWidth - main.clientWidth""")
            <= 0
        ), view
    console.visit(f"firestore/cities/{long}")
    console.until(lambda: 0 <= console.find(".editor form").rect["x"] < 1200)


def test_the_accessibility_tree_names_everything(console):
    message = reset_mail(console)
    console.open("")
    console.browser.execute_cdp_cmd("Accessibility.enable", {})
    roles = {
        "button",
        "link",
        "textbox",
        "searchbox",
        "checkbox",
        "combobox",
        "tab",
        "dialog",
        "navigation",
        "region",
        "tabpanel",
        "Iframe",
        "table",
    }
    for view in [
        "overview",
        "mailbox",
        f"mailbox/{message['id']}",
        "users",
        "rules",
        "requests",
        "faults",
        "firestore",
        "settings/tenants",
    ]:
        console.visit(view)
        nodes = console.browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        shown = [node for node in nodes if not node.get("ignored")]
        nameless = [
            node["role"]["value"]
            for node in shown
            if node["role"]["value"] in roles and not node.get("name", {}).get("value")
        ]
        assert nameless == [], view
        headings = [node for node in shown if node["role"]["value"] == "heading"]
        assert headings[0]["name"]["value"], view
        assert sum(node["role"]["value"] == "main" for node in shown) == 1


def test_a_mail_is_on_the_screen_soon(console):
    console.open("mailbox")
    console.sees("No mail yet")
    console.run("""
      window.seen = new Promise((done) => new MutationObserver(() => {
        if (document.querySelector(".list li")) done(Date.now());
      }).observe(document.querySelector(".list"), { childList: true }));""")
    console.admin("", {"email": "ann@example.com", "password": "old secret"})
    started = time.time() * 1000
    console.client("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "ann@example.com"})
    seen = console.browser.execute_async_script("window.seen.then(arguments[0])")
    print(json.dumps({"milliseconds until a mail is shown": round(seen - started)}))
