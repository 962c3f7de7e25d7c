"""The web console in a real Chromium, against a real server."""

import json
import os
import re
import subprocess
import sys
import uuid
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
import requests
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException, WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

VIEWS = ["mailbox", "users", "firestore", "requests", "faults", "clock", "keys", "settings"]


@pytest.fixture(scope="module")
def console_url(hearth):
    return hearth.addresses["console"] + "/console/"


@pytest.fixture(scope="module")
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--lang=en-US"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    driver.execute_cdp_cmd("Browser.grantPermissions", {
        "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    yield driver
    driver.quit()


class Console:
    """A page of the console in one project that no other test uses."""

    def __init__(self, browser, url):
        self.browser, self.url = browser, url
        self.origin = "http://" + urlsplit(url).netloc
        self.project = "demo-" + uuid.uuid4().hex[:10]

    # The server's side.

    def call(self, method, path, body=None, status=200):
        reply = requests.request(
            method, self.origin + path, json=body, timeout=30,
            headers={"Authorization": "Bearer owner"})
        assert reply.status_code == status, reply.text
        return reply.json()

    def own(self, method, rest, body=None):
        return self.call(method, f"/emulator/v1/projects/{self.project}/{rest}", body)

    def admin(self, verb, body):
        return self.call(
            "POST", f"/identitytoolkit.googleapis.com/v1/projects/{self.project}/accounts{verb}",
            body)

    def client(self, verb, body):
        reply = requests.post(
            f"{self.origin}/identitytoolkit.googleapis.com/v1/accounts:{verb}"
            f"?key={self.project}", json=body, timeout=30)
        assert reply.status_code == 200, reply.text
        return reply.json()

    def document(self, path):
        return self.call(
            "GET", f"/v1/projects/{self.project}/databases/(default)/documents/{path}")

    # The person's side.

    def open(self, route):
        self.browser.get("about:blank")
        self.browser.get(f"{self.url}?project={self.project}#/{route}")
        self.until(lambda: self.find("main h1"))
        return self

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def until(self, condition, seconds=10):
        def holds(_):
            try:
                return condition()
            except (StaleElementReferenceException, IndexError):
                return False
        wait = WebDriverWait(self.browser, seconds, 0.1, ignored_exceptions=[WebDriverException])
        return wait.until(holds)

    def sees(self, words, selector="main"):
        return self.until(lambda: words in self.find(selector).text)

    def button(self, label, within="main"):
        """Presses the button, once it is there."""
        def press():
            found = [b for b in self.all(f"{within} button, {within} a.button")
                     if label in (b.text, b.get_attribute("aria-label")) and b.is_displayed()]
            if found:
                found[0].click()
            return bool(found)
        self.until(press)

    def labelled(self, label, within="main"):
        def control():
            for found in self.all(f"{within} label"):
                if found.text == label and found.is_displayed():
                    return self.browser.find_element(By.ID, found.get_attribute("for"))
        return self.until(control)

    def type(self, label, text, within="main"):
        control = self.labelled(label, within)
        control.clear()
        control.send_keys(text)
        return control

    def focused(self):
        return self.browser.switch_to.active_element

    def run(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def clipboard(self):
        return self.browser.execute_async_script(
            "const done = arguments[0]; navigator.clipboard.readText().then(done, done)")


@pytest.fixture
def console(browser, console_url):
    browser.set_window_size(1200, 900)
    browser.get_log("browser")
    console = Console(browser, console_url)
    yield console
    blocked = [entry["message"] for entry in browser.get_log("browser")
               if "Content Security Policy" in entry["message"] or "Error:" in entry["message"]]
    assert not blocked
    origins = console.run(
        "return performance.getEntriesByType('resource').map(entry => new URL(entry.name).origin)")
    assert set(origins) <= {console.origin}


def answer_with(console, status, pattern):
    """Lets the page meet a server that lacks some endpoints."""
    body = {"error": {"code": status, "message": "Not Found", "status": "NOT_FOUND"}}
    return console.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": f"""
      const real = window.fetch;
      const lacks = (path) => new RegExp({json.dumps(pattern)}).test(path);
      window.fetch = (path, options) => lacks(path)
        ? Promise.resolve(new Response({json.dumps(json.dumps(body))}, {{ status: {status} }}))
        : real(path, options);
      const Source = window.EventSource;
      window.EventSource = function (path) {{
        if (!lacks(path)) return new Source(path);
        this.readyState = 2;
        this.addEventListener = this.close = () => {{}};
        setTimeout(() => this.onerror(new Event("error")));
      }};
      window.EventSource.CLOSED = 2;
    """})["identifier"]


def reset_mail(console, address="ann@example.com"):
    console.admin("", {"email": address, "password": "old secret"})
    console.client("sendOobCode", {"requestType": "PASSWORD_RESET", "email": address})
    return console.own("GET", "messages")["messages"][-1]


# The frame


def test_every_view_can_be_reached_and_says_where_one_is(console):
    console.open("")
    console.until(lambda: console.find("h1").text == "Mailbox")
    for view in [*VIEWS[1:], "mailbox", "keys", "settings"]:
        link = console.find(f'nav a[href="#/{view}"]')
        link.click()
        console.until(lambda: console.find("h1").text == link.text)
        assert console.focused() == console.find("h1")
        assert [a.text for a in console.all("nav [aria-current]")][0] == link.text
        assert console.browser.title == f"{link.text} – {console.project} – Hearth"
    console.browser.back()
    console.until(lambda: console.find("h1").text == "Keys")


def test_the_page_has_landmarks_names_and_a_way_past_the_navigation(console):
    console.open("mailbox")
    assert len(console.all("main")) == len(console.all("body > header")) == 1
    assert console.find("html").get_attribute("lang") == "en"
    console.find("body").send_keys(Keys.TAB)
    assert console.focused().text == "Skip to the content"
    console.focused().send_keys(Keys.ENTER)
    assert console.focused().tag_name == "main"
    for view in [*VIEWS, "users/+new"]:
        console.open(view)
        console.until(lambda: console.run(
            "return document.querySelector('main h1').nextSibling.childNodes.length"))
        nameless = console.run("""
          return [...document.querySelectorAll("input, select, textarea, button, iframe, a")]
            .filter((element) => !element.labels?.length && !element.textContent.trim()
              && !element.getAttribute("aria-label") && !element.title)
            .map((element) => element.outerHTML)""")
        assert nameless == []
        twice = console.run("""
          const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
          return ids.filter((id, index) => ids.indexOf(id) !== index)""")
        assert twice == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_in_light_and_in_the_dark(console, scheme):
    message = reset_mail(console)
    console.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": scheme}]})
    try:
        for view in [*VIEWS, f"mailbox/{message['id']}", "users/+new"]:
            console.open(view)
            console.until(lambda: console.run(
                "return document.querySelector('main h1').nextSibling.childNodes.length"))
            assert console.run(CONTRAST) == []
    finally:
        console.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


# WCAG's contrast of every text with what is behind it.
CONTRAST = """
  const parse = (color) => color.match(/[\\d.]+/g).map(Number);
  const light = (color) => parse(color).slice(0, 3).map((part) => part / 255)
    .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const ground = (element) => {
    for (; element; element = element.parentElement) {
      const color = getComputedStyle(element).backgroundColor;
      if ((parse(color)[3] ?? 1) > 0.9) return color;
    }
    return "rgb(255, 255, 255)";
  };
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    const words = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!words || !element.checkVisibility() || element.closest(".unseen, option")) continue;
    const [a, b] = [light(getComputedStyle(element).color), light(ground(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) found.push([element.outerHTML.slice(0, 90), ratio.toFixed(2)]);
  }
  return found;
"""


def test_nothing_runs_off_a_narrow_screen(console):
    message = reset_mail(console)
    user = console.admin(":query", {})["userInfo"][0]["localId"]
    console.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": False})
    try:
        for view in [*VIEWS, f"mailbox/{message['id']}", f"users/{user}", "users/+new"]:
            console.open(view)
            console.until(lambda: console.run(
                "return document.querySelector('main h1').nextSibling.childNodes.length"))
            assert console.run(
                "return document.documentElement.scrollWidth") <= 360, view
    finally:
        console.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_projects_are_picked_and_kept_apart(console):
    reset_mail(console)
    console.open("mailbox")
    console.sees("1 message")
    picker = Select(console.labelled("Project", "header"))
    assert picker.first_selected_option.text == console.project
    picker.select_by_visible_text("Another…")
    other = "demo-" + uuid.uuid4().hex[:8]
    console.type("Project id", other, "dialog")
    console.button("Show", "dialog")
    console.sees("No mail yet")
    assert f"project={other}" in console.browser.current_url
    console.browser.back()
    console.sees("1 message")


def test_what_a_server_lacks_is_said_and_nothing_breaks(console):
    script = answer_with(console, 501, r"/(projects|requests|faults|clock|events|jwk)(/|$|\?)(?!demo)"
                         r"|/databases/")
    try:
        for view in ["firestore", "requests", "faults", "clock", "keys"]:
            console.open(view)
            console.sees("Not available in this version of Hearth.")
        # Without events, new mail is found by asking.
        console.open("mailbox")
        console.sees("No mail yet")
        reset_mail(console)
        console.sees("1 message")
    finally:
        console.browser.execute_cdp_cmd(
            "Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})


# Mailbox


def test_new_mail_appears_and_is_announced(console):
    console.open("mailbox")
    console.sees("No mail yet")
    message = reset_mail(console)
    console.sees("pending, expires in 60 min", ".list")
    console.until(lambda: console.find("#announcer").get_attribute("textContent")
                  == f"New message: {message['subject']}, to ann@example.com")


def test_a_mail_is_read_in_all_its_forms(console):
    message = reset_mail(console)
    console.open("mailbox")
    console.until(lambda: console.find(".list a")).click()
    console.until(lambda: console.focused().text == message["subject"])
    assert console.focused().tag_name == "h2"
    assert message["subject"] in console.browser.title
    assert message["oobCode"] in console.find(".detail").text
    console.button("Copy code")
    console.until(lambda: console.clipboard() == message["oobCode"])
    console.button("Copy link")
    console.until(lambda: console.clipboard() == message["oobLink"])
    link = next(a for a in console.all(".detail a.button") if a.text == "Open link")
    assert link.get_attribute("href") == message["oobLink"]
    assert link.get_attribute("target") == "_blank"

    frame = console.find("iframe")
    assert "allow-scripts" not in frame.get_attribute("sandbox")
    console.browser.switch_to.frame(frame)
    inside = console.until(lambda: console.find("a.button"))
    assert inside.get_attribute("href") == message["oobLink"]
    assert inside.value_of_css_property("background-color") == "rgba(26, 86, 219, 1)"
    assert inside.get_attribute("target") == "_blank"
    console.browser.switch_to.default_content()

    tabs = console.all("[role=tab]")
    tabs[0].send_keys(Keys.ARROW_RIGHT)
    assert console.focused() == tabs[1]
    console.sees(message["text"].splitlines()[0], "[role=tabpanel]:not([hidden])")
    tabs[1].send_keys(Keys.END)
    assert tabs[3].get_attribute("aria-selected") == "true"
    console.sees("Content-Type: text/html", "[role=tabpanel]:not([hidden])")
    tabs[3].send_keys(Keys.ARROW_LEFT)
    console.sees("X-Hearth-Type: PASSWORD_RESET", "[role=tabpanel]:not([hidden])")
    assert "Content-Type: text/html" not in console.find("[role=tabpanel]:not([hidden])").text


def test_a_hostile_mail_can_be_styled_but_does_nothing(console):
    message = reset_mail(console) | {
        "html": "<style>p { color: rgb(1, 2, 3) }</style><p style='margin: 7px'>Hi"
        "<script>parent.document.title = document.title = 'caught'</script>"
        "<img src=x onerror=\"parent.document.title = 'caught'\">"
        "<a href=\"javascript:parent.document.title='caught'\">link</a>",
        "oobLink": "javascript:alert(1)"}
    script = console.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": f"""
      if (window === top) window.fetch = () => Promise.resolve(
        new Response({json.dumps(json.dumps({"messages": [message]}))}));
    """})["identifier"]
    try:
        console.open(f"mailbox/{message['id']}")
        console.sees("javascript:alert(1)", ".detail")
        assert "Open link" not in console.find(".detail").text
        console.browser.switch_to.frame(console.until(lambda: console.find("iframe")))
        words = console.until(lambda: console.find("p"))
        console.until(lambda: words.value_of_css_property("color") == "rgba(1, 2, 3, 1)")
        assert words.value_of_css_property("margin-top") == "7px"
        console.find("a").click()
        console.browser.switch_to.default_content()
        assert console.browser.title.startswith("Reset your password")
        console.until(lambda: any("script" in entry["message"].lower()
                                  for entry in console.browser.get_log("browser")))
    finally:
        console.browser.execute_cdp_cmd(
            "Page.removeScriptToEvaluateOnNewDocument", {"identifier": script})
        while len(console.browser.window_handles) > 1:
            console.browser.switch_to.window(console.browser.window_handles[-1])
            console.browser.close()
            console.browser.switch_to.window(console.browser.window_handles[0])
        console.browser.get_log("browser")


def test_search_understands_fields_and_words(console):
    reset_mail(console)
    console.client("sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": "bob@example.com"})
    console.client("sendVerificationCode", {"phoneNumber": "+15555550100"})
    console.open("mailbox")
    console.sees("3 messages")
    for search, count in [("to:ann", 1), ("type:email-signin", 1), ("to:ann type:EMAIL_SIGNIN", 0),
                          ("RESET", 1), ("to:+1555 type:sms", 1), ("state:pending", 3),
                          ('"new password"', 1), ("nothing of the kind", 0)]:
        console.type("Search", search)
        console.until(lambda: len(console.all(".list li")) == count)
    console.type("Search", "sms")
    console.labelled("Search").clear()
    console.labelled("Search").send_keys("type:SMS")
    console.until(lambda: len(console.all(".list li")) == 1)
    console.find(".list a").click()
    console.sees("Copy code", ".detail")
    assert "Open link" not in console.find(".detail").text
    console.run("sessionStorage.clear()")


def test_a_code_that_is_used_is_shown_as_used_at_once(console):
    message = reset_mail(console)
    console.open(f"mailbox/{message['id']}")
    console.sees("expires in", ".detail")
    console.client("resetPassword", {"oobCode": message["oobCode"], "newPassword": "new secret"})
    console.until(lambda: [tag.text for tag in console.all(".detail dd .tag")] == ["used"])


def test_messages_are_deleted(console):
    message = reset_mail(console)
    console.client("sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": "bob@example.com"})
    console.open(f"mailbox/{message['id']}")
    console.sees("2 messages")
    console.button("Delete message")
    console.sees("1 message,")
    console.button("Delete all")
    assert console.until(lambda: console.find("dialog h2")).text == "Delete all?"
    console.button("Cancel", "dialog")
    console.until(lambda: not console.all("dialog"))
    assert len(console.own("GET", "messages")["messages"]) == 1
    console.button("Delete all")
    console.button("Delete all", "dialog")
    console.sees("No mail yet")
    assert console.own("GET", "messages")["messages"] == []


# Users


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
    console.labelled("E-mail is verified").click()
    console.button("Save")
    console.sees("User saved.", "#toasts")
    assert console.focused().tag_name == "h2"
    [user] = console.admin(":query", {})["userInfo"]
    assert user["displayName"] == "Ann <img src=x onerror=alert(1)>"
    assert user["phoneNumber"] == "+15555550100" and user["emailVerified"] is True

    console.type("Name", " ").send_keys(Keys.BACKSPACE)
    console.type("Phone", " ").send_keys(Keys.BACKSPACE)
    console.type("Custom claims", " ").send_keys(Keys.BACKSPACE)
    console.button("Save")
    console.until(lambda: "phoneNumber" not in console.admin(":query", {})["userInfo"][0])
    [user] = console.admin(":query", {})["userInfo"]
    assert "displayName" not in user and user.get("customAttributes", "{}") == "{}"

    console.button("Disable")
    console.until(lambda: console.admin(":query", {})["userInfo"][0].get("disabled"))
    console.button("Enable")
    console.until(lambda: not console.admin(":query", {})["userInfo"][0].get("disabled"))
    console.button("Send password reset")
    console.until(lambda: console.own("GET", "messages")["messages"])
    console.button("Delete")
    console.button("Delete", "dialog")
    console.sees("No users yet")


def test_sessions_are_ended(console):
    session = console.client("signUp", {
        "email": "ann@example.com", "password": "old secret", "returnSecureToken": True})
    console.open(f"users/{session['localId']}")
    console.button("End sessions")
    console.sees("All sessions ended.", "#toasts")
    reply = requests.post(
        f"{console.origin}/securetoken.googleapis.com/v1/token?key={console.project}",
        data={"grant_type": "refresh_token", "refresh_token": session["refreshToken"]}, timeout=30)
    assert reply.json()["error"]["message"].startswith("TOKEN_EXPIRED")


def test_many_users_come_in_pages_and_are_found(console):
    console.admin(":batchCreate", {"users": [
        {"localId": f"user-{n:03}", "email": f"user-{n:03}@example.com",
         "phoneNumber": f"+1555555{n:04}", "createdAt": str(1700000000000 + n)}
        for n in range(120)]})
    console.open("users")
    console.sees("1–50 of 120")
    assert console.find("tbody th").text == "user-119@example.com"
    console.button("Next")
    console.sees("51–100 of 120")
    console.button("Next")
    console.sees("101–120 of 120")
    assert not [b for b in console.all("button") if b.text == "Next" and b.is_displayed()]
    for search in ["USER-007@example.com", "+1 (555) 555-0007", "user-007"]:
        console.type("Find", search + Keys.ENTER)
        console.sees("1–1 of 1")
        assert console.find("tbody th a").text == "user-007@example.com"
    console.type("Find", "nobody@example.com" + Keys.ENTER)
    console.sees("Nobody found.")


def test_a_new_user_appears_by_itself(console):
    console.open("users")
    console.sees("No users yet")
    console.client("signUp", {"email": "ann@example.com", "password": "old secret"})
    console.sees("ann@example.com")


# Firestore


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
        row = console.all(".row")[-1]
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
    add("tags", "array", '[{"stringValue": "old"}]')
    add("mayor", "map", '{"name": {"stringValue": "M"}}')
    console.button("Save")
    console.sees("Document saved.", "#toasts")
    assert console.document(path)["fields"] == {
        "name": {"stringValue": "Wien"}, "people": {"integerValue": "9007199254740993"},
        "area": {"doubleValue": 414.8}, "capital": {"booleanValue": True},
        "founded": {"timestampValue": "2026-01-31T12:00:00Z"}, "nothing": {"nullValue": None},
        "place": {"geoPointValue": {"latitude": 48.2, "longitude": 16.37}},
        "tags": {"arrayValue": {"values": [{"stringValue": "old"}]}},
        "mayor": {"mapValue": {"fields": {"name": {"stringValue": "M"}}}}}
    console.button("Save")
    console.button("Remove the field mayor")
    console.button("Save")
    console.until(lambda: "mayor" not in console.document(path)["fields"])

    console.until(lambda: len(console.all(".row")) == 8)
    console.button("JSON")
    console.type("Fields", '{"name": {"stringValue": "Graz"}}')
    console.button("Save")
    console.until(lambda: console.document(path)["fields"] == {"name": {"stringValue": "Graz"}})

    console.until(lambda: len(console.all(".column")) == 4)
    console.all(".column")[2].find_element(By.XPATH, ".//button[.='New collection']").click()
    console.type("Collection id", "streets", "dialog")
    console.button("Create", "dialog")
    console.until(lambda: len(console.all(".column")) == 6)
    console.button("Delete document")
    console.button("Delete document", "dialog")
    console.until(lambda: len(console.all(".column")) == 4)


def test_a_long_collection_comes_in_pages(console):
    base = f"/v1/projects/{console.project}/databases/(default)/documents/many"
    for n in range(60):
        console.call("POST", f"{base}?documentId=d{n:02}", {"fields": {}})
    console.open("firestore/many")
    console.until(lambda: len(console.all(".column:last-child li")) == 50)
    console.button("More")
    console.until(lambda: len(console.all(".column:last-child li")) == 60)


# Requests, faults, clock, keys, settings


def test_requests_are_listed_filtered_and_copied(console):
    console.open("requests")
    reset_mail(console, "o'hara@example.com")
    console.until(lambda: len([r for r in console.all("tbody tr") if r.is_displayed()]) == 2)
    requests.post(f"{console.origin}/identitytoolkit.googleapis.com/v1/projects/{console.project}"
                  "/accounts", json={"email": "o'hara@example.com"},
                  headers={"Authorization": "Bearer owner"}, timeout=30)
    console.until(lambda: len([r for r in console.all("tbody tr") if r.is_displayed()]) == 3)
    console.labelled("Only errors").click()
    console.sees("1 of the last")
    row = next(r for r in console.all("tbody tr") if r.is_displayed())
    row.find_element(By.CSS_SELECTOR, "button").click()
    console.sees("EMAIL_EXISTS")
    console.button("Copy as curl")
    console.until(lambda: console.clipboard().startswith("curl"))
    copied = console.clipboard()
    again = subprocess.run(["sh", "-c", copied], capture_output=True, text=True, timeout=30)
    assert "EMAIL_EXISTS" in again.stdout
    console.labelled("Only errors").click()
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
    console.type("Share of calls, in percent", "50")
    console.type("How many times", "3")
    console.type("Seed", "1")
    console.type("Only for e-mail", "ann@example.com")
    console.button("Add")
    console.sees("100ms to 2s late")
    assert console.own("GET", "faults")["faults"] == [
        {"operation": "identitytoolkit.*", "effect": {"latency": "200ms"}, "hits": 0},
        {"operation": "identitytoolkit.*", "effect": {"latency": {"min": "100ms", "max": "2s"}},
         "share": 0.5, "times": 3, "seed": 1, "email": "ann@example.com", "hits": 0,
         "remaining": 3}]
    console.button("Remove the fault of identitytoolkit.*")
    console.until(lambda: len(console.own("GET", "faults")["faults"]) == 1)
    console.button("Remove all")
    console.button("Remove all", "dialog")
    console.sees("No faults")
    for kind, effect in [("The call is lost before it is done", {"drop": "before"}),
                         ("An HTTP status", {"status": 503}), ("A slow answer", {"slowBody": "1KB/s"})]:
        Select(console.labelled("What happens")).select_by_visible_text(kind)
        console.button("Add")
        console.until(lambda: any(fault["effect"] == effect
                                  for fault in console.own("GET", "faults")["faults"]))


def test_the_clock_moves_and_codes_expire_by_it(console):
    message = reset_mail(console)
    console.open("clock")
    console.sees("none: this is the real time")
    console.button("+1 hour")
    console.sees("1 hour ahead")
    console.button("+1 day")
    console.sees("1 day 1 hour ahead")
    console.find('nav a[href="#/mailbox"]').click()
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
    session = console.client("signUp", {
        "email": "ann@example.com", "password": "old secret", "returnSecureToken": True})
    head, body, signature = session["idToken"].split(".")
    console.open("keys")
    token = console.labelled("Token")
    console.run("arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))",
                token, session["idToken"])
    console.sees("valid", ".token dd")
    assert session["localId"] in console.find(".token").text
    for wrong, words in [
        (f"{head}.{body[:-4]}AAAA.{signature}", "The token's payload is not JSON"),
        (f"{head}.{body}.{signature[:20]}AAAA{signature[24:]}", "wrong: the token was changed"),
        ("eyJhbGciOiJub25lIn0." + body + ".", "not signed"), ("nonsense", "three parts"),
    ]:
        console.run(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))",
            token, wrong)
        console.sees(words, ".token")


def test_keys_are_rotated(console):
    console.open("keys")
    before = console.until(lambda: [row.text for row in console.all("tbody tr")])
    console.button("Rotate")
    console.button("Rotate", "dialog")
    console.until(lambda: len(console.all("tbody tr")) == len(before) + 1)


def test_switches_hold_at_once(console):
    console.open("settings")
    box = console.labelled("Refuse too many attempts")
    box.click()
    console.sees("Saved.", "#toasts")
    assert console.own("GET", "switches")["rateLimits"] is True
    console.type("Life of a password-reset code, in seconds", "60" + Keys.TAB)
    console.until(lambda: console.own("GET", "switches")["passwordResetCodeLifetime"] == 60)
    reset_mail(console)
    console.find('nav a[href="#/mailbox"]').click()
    console.sees("expires in", ".list")
    assert re.search(r"expires in \d+ s", console.find(".list").text)
