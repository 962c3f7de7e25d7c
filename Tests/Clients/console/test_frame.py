"""The web console in Chromium: frame and mailbox."""

import json
import pathlib
import re
import uuid
from urllib.parse import urljoin

import pytest
import requests
from selenium.webdriver.common.keys import Keys
from support.accessibility import TEXT_CONTRAST
from support.console import browser, console, console_url, reset_mail  # noqa: F401

VIEWS = [
    "overview",
    "mailbox",
    "users",
    "firestore",
    "rules",
    "indexes",
    "timeline",
    "requests",
    "triggers",
    "faults",
    "clock",
    "appcheck",
    "keys",
    "settings",
]
SETTINGS = [
    "settings/tenants",
    "settings/providers",
    "settings/passwords",
    "settings/templates",
    "settings/mailRules",
    "settings/snapshots",
    "settings/project",
]


def answer_with(console, status, pattern):
    """Lets the page meet a server that lacks some endpoints."""
    body = {"error": {"code": status, "message": "Not Found", "status": "NOT_FOUND"}}
    return console.browser.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument",
        {
            "source": f"""
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
    """
        },
    )["identifier"]


# MARK: The files


def test_the_files_are_there_small_and_ours(console):
    """Follows what the page loads, and what that loads."""
    seen, wanted, total = set(), ["/console/"], 0
    while wanted:
        path = wanted.pop()
        if path in seen:
            continue
        seen.add(path)
        reply = requests.get(console.origin + path, timeout=30)
        assert reply.status_code == 200, path
        assert "default-src 'none'" in reply.headers["Content-Security-Policy"]
        total += len(reply.content)
        if path.endswith(".js"):
            assert reply.headers["Content-Type"] == "text/javascript; charset=utf-8"
            assert reply.text.count("\n") <= 300, path
        wanted += re.findall(r'(?:href|src)="(/console/assets/[^"]+)"', reply.text)
        wanted += [urljoin(path, name) for name in re.findall(r'from "(\.[^"]+)"', reply.text)]
        if path.endswith("views.js"):
            # As the page asks for them: each file counts once.
            names = re.findall(r'"(\w+/\w+\.js)"', reply.text)
            wanted += [urljoin(path, f"../{name}") for name in names]
    assert len(seen) > 40 and total < 400_000
    for path in ["nothing.js", "frame/nothing.js", "nothing/app.js"]:
        reply = requests.get(f"{console.origin}/console/assets/{path}", timeout=30)
        assert reply.status_code == 404, path


def test_each_fault_that_was_mended_has_its_test():
    folder = pathlib.Path(__file__).parent
    faults = {}
    for line in (folder / "mended.txt").read_text().splitlines():
        if line.startswith("N"):
            faults[line.split()[0]] = tests = []
        elif line.startswith("  "):
            file, _, name = line.strip().partition(" ")
            source = (folder.parent / file).read_text()
            assert f"def {name}(" in source or f"func `{name}`(" in source, line
            tests.append(name)
    assert list(faults) == [f"N{number}" for number in range(1, 30)]
    assert all(faults.values())


# MARK: The frame


def test_every_view_can_be_reached_and_says_where_one_is(console):
    console.open("")
    console.until(lambda: console.find("h1").text == "Overview")
    for view in [*VIEWS[1:], "mailbox", "keys", "settings"]:
        link = console.find(f'body > nav a[href="#/{view}"]')
        link.click()
        console.until(lambda: console.find("h1").text == link.text)
        assert console.focused() == console.find("h1")
        assert [a.text for a in console.all("body > nav [aria-current]")][0] == link.text
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
    for view in [*VIEWS, *SETTINGS, "users/+new", "firestore/cities?view=query"]:
        console.visit(view)
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
def test_text_has_enough_contrast(console, scheme):
    message = reset_mail(console)
    console.browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
    )
    console.open("")
    try:
        for view in [*VIEWS, *SETTINGS, f"mailbox/{message['id']}", "users/+new"]:
            console.visit(view)
            assert console.run(TEXT_CONTRAST) == []
    finally:
        console.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_nothing_runs_off_a_narrow_screen(console):
    message = reset_mail(console)
    user = console.admin(":query", {})["userInfo"][0]["localId"]
    console.browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 320, "height": 740, "deviceScaleFactor": 1, "mobile": False},
    )
    console.open("")
    try:
        for view in [
            *VIEWS,
            f"mailbox/{message['id']}",
            f"users/{user}",
            "users/+new",
            *SETTINGS,
            "firestore/cities/vienna?view=query",
            "firestore/cities/vienna",
        ]:
            console.visit(view)
            assert console.run("return document.documentElement.scrollWidth") <= 320, view
    finally:
        console.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_what_is_chosen_is_on_a_narrow_screen(console):
    put = f"/v1/projects/{console.project}/databases/(default)/documents/c/{'d' * 60}"
    console.call("PATCH", put, {"fields": {"name": {"stringValue": "x" * 200}}})
    [entry] = console.own("GET", "requests")["requests"]
    console.browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 320, "height": 740, "deviceScaleFactor": 1, "mobile": False},
    )
    try:
        console.open("settings")
        console.until(
            lambda: console.run(
                """const { left, right } = document.querySelector("nav [aria-current]")
              .getBoundingClientRect(); return left >= 0 && right <= innerWidth"""
            )
        )
        console.visit(f"requests/{entry['id']}")
        # The table scrolls sideways, and its details do not.
        console.until(lambda: console.find(".whole .actions button"))
        assert (
            console.run("""
          return [...document.querySelectorAll(".whole > div *")].filter((element) =>
            element.checkVisibility() && element.getBoundingClientRect().right > innerWidth)
            .map((element) => element.outerHTML)""")
            == []
        )
    finally:
        console.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_controls_of_a_row_stand_in_a_line(console):
    console.browser.set_window_size(1280, 900)
    for view, rows in [("users", 1), ("requests", 1), ("firestore", 1)]:
        console.open(view)
        bottoms = console.until(
            lambda: console.run("""
          const controls = [...document.querySelectorAll(".bar :is(.field, .goto) > :is(input, select)")]
            .filter((control) => control.type !== "checkbox" && control.checkVisibility());
          return controls.length > 1
            && [...new Set(controls.map((one) => Math.round(one.getBoundingClientRect().bottom)))]""")
        )
        assert len(bottoms) <= rows, view


def test_projects_are_picked_and_kept_apart(console):
    reset_mail(console)
    console.open("mailbox")
    console.sees("1 message")
    console.button(f"Project {console.project}", "header")
    other = "demo-" + uuid.uuid4().hex[:8]
    console.type("Find a project", other + Keys.ENTER, "dialog")
    console.sees("No mail yet")
    assert f"project={other}" in console.browser.current_url
    console.browser.back()
    console.sees("1 message")


def test_what_a_server_lacks_is_said_and_nothing_breaks(console):
    script = answer_with(
        console,
        501,
        r"/(projects|requests|faults|clock|events|jwk)(/|$|\?)(?!demo)"
        r"|/databases/",
    )
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
            "Page.removeScriptToEvaluateOnNewDocument", {"identifier": script}
        )


# MARK: Mailbox


def test_new_mail_appears_and_is_announced(console):
    console.open("mailbox")
    console.sees("No mail yet")
    message = reset_mail(console)
    console.sees("expires in 60 min", ".list")
    console.until(
        lambda: (
            console.find("#announcer").get_attribute("textContent")
            == f"New message: {message['subject']}, to ann@example.com"
        )
    )
    # Lists are read without the texts of mails.
    asked = console.run("return performance.getEntriesByType('resource').map((one) => one.name)")
    lists = [path for path in asked if "/messages?" in path]
    assert lists and not [path for path in lists if "summary=true" not in path]


def test_a_mail_is_read_in_all_its_forms(console):
    message = reset_mail(console)
    # A list that is drawn again after the click would keep the focus.
    console.open("mailbox").caught_up()
    console.click(".list a")
    console.until(lambda: console.focused().text == message["subject"])
    assert console.focused().tag_name == "h2"
    assert message["subject"] in console.browser.title
    assert message["oobCode"] in console.text(".detail")
    console.button("Copy code")
    console.until(lambda: console.clipboard() == message["oobCode"])
    console.button("Copy link")
    console.until(lambda: console.clipboard() == message["oobLink"])
    link = next(a for a in console.all(".detail a.button") if a.text == "Open link")
    assert link.get_attribute("href") == message["oobLink"]
    assert link.get_attribute("target") == "_blank"

    # Nothing can be released without a relay.
    assert "Release…" not in console.find(".detail").text

    assert "allow-scripts" not in console.find("iframe").get_attribute("sandbox")
    assert console.in_frame(
        lambda: console.run("""
      const link = document.querySelector("a.button");
      return [link.href, link.target, getComputedStyle(link).backgroundColor]""")
    ) == [message["oobLink"], "_blank", "rgb(176, 64, 12)"]

    tabs = console.all("[role=tab]")
    tabs[0].send_keys(Keys.ARROW_RIGHT)
    assert console.focused() == tabs[1]
    console.sees(message["text"].splitlines()[0], "[role=tabpanel]:not([hidden])")
    tabs[1].send_keys(Keys.END)
    assert tabs[5].get_attribute("aria-selected") == "true"
    console.sees("Content-Type: text/html", "[role=tabpanel]:not([hidden])")
    tabs[5].send_keys(Keys.ARROW_LEFT)
    console.sees("X-Hearth-Type: PASSWORD_RESET", "[role=tabpanel]:not([hidden])")
    assert "Content-Type: text/html" not in console.text("[role=tabpanel]:not([hidden])")


def test_search_understands_fields_and_words(console):
    reset_mail(console)
    console.client("sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": "bob@example.com"})
    console.client("sendVerificationCode", {"phoneNumber": "+15555550100"})
    console.open("mailbox")
    console.sees("3 messages")
    for search, count in [
        ("to:ann", 1),
        ("type:email-signin", 1),
        ("to:ann type:EMAIL_SIGNIN", 0),
        ("RESET", 1),
        ("to:+1555 type:sms", 1),
        ("state:pending", 3),
        ('"new password"', 1),
        ("nothing of the kind", 0),
    ]:
        console.type("Search", search)
        console.until(lambda: len(console.all(".list li")) == count)
    console.type("Search", "sms")
    console.labelled("Search").clear()
    console.labelled("Search").send_keys("type:SMS")
    console.until(lambda: len(console.all(".list li")) == 1)
    console.click(".list a")
    console.sees("Copy code", ".detail")
    assert "Open link" not in console.text(".detail")


def test_a_search_that_is_not_understood_can_be_corrected(console):
    reset_mail(console)
    console.open("mailbox?q=after%3Axyz")
    console.sees('search: "after:" needs a day', "[role=alert]")
    assert "INVALID_ARGUMENT :" not in console.find("[role=alert]").text
    assert console.labelled("Search").get_attribute("value") == "after:xyz"
    console.type("Search", "to:ann")
    console.sees("1 message,")
    console.until(lambda: not console.find(".mailbox > [role=alert]").text)
    console.browser.get_log("browser")


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
    console.sees("Delete all?", "dialog h2")
    console.button("Cancel", "dialog")
    console.until(lambda: not console.all("dialog"))
    assert len(console.own("GET", "messages")["messages"]) == 1
    console.button("Delete all")
    console.button("Delete all", "dialog")
    console.sees("No mail yet")
    assert console.own("GET", "messages")["messages"] == []
