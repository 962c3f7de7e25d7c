"""The console in Chromium: the look that one chooses, what moves, what axe finds, and its styles."""

import importlib.util
import re
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys
from support.console import browser, console, console_url, reset_mail  # noqa: F401

ROOT = Path(__file__).resolve().parents[3]
SHEETS = [*(ROOT / "Sources/HearthConsole/web/style").glob("*.css")]
SHEETS += [ROOT / "Sources/HearthPages/web/page.css"]
SHEETS += [ROOT / "Sources/HearthIdentityToolkit/web/auth-handler.css"]
AXE = Path(importlib.util.find_spec("axe_selenium_python").origin).parent
SHIFTS = """
    window.shifted = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) {
        if (!hadRecentInput) window.shifted += value;
      }
    }).observe({ type: "layout-shift", buffered: true });"""
VIEWS = [
    "overview",
    "mailbox",
    "mailbox/{mail}",
    "users",
    "users/ann",
    "users/+new",
    "firestore",
    "firestore/cities/wien",
    "firestore/cities?view=query",
    "firestore/cities?view=table",
    "rules",
    "indexes",
    "timeline",
    "triggers",
    "requests",
    "requests/{request}",
    "faults",
    "clock",
    "appcheck",
    "keys",
    "settings",
    "settings/tenants",
    "settings/providers",
    "settings/passwords",
    "settings/templates",
    "settings/mailRules",
    "settings/snapshots",
    "settings/project",
]


@pytest.fixture
def filled(console):
    """A project with something in each view, and the addresses of all of them."""
    console.admin("", {"localId": "ann", "email": "ann@example.com", "password": "old secret"})
    console.client("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "ann@example.com"})
    console.client("sendVerificationCode", {"phoneNumber": "+15555550100"})
    console.call(
        "PATCH",
        f"/v1/projects/{console.project}/databases/(default)/documents/cities/wien",
        {"fields": {"people": {"integerValue": "19"}}},
    )
    mail = console.own("GET", "messages")["messages"][0]["id"]
    request = console.own("GET", "requests")["requests"][0]["id"]
    return [view.format(mail=mail, request=request) for view in VIEWS]


def media(console, scheme):
    console.browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}] if scheme else []},
    )


def settled(console):
    """Waits until the view has got all that it has asked for, and rests."""
    console.until(
        lambda: console.browser.execute_async_script("""
          const done = arguments[0];
          const count = () => performance.getEntriesByType("resource").length;
          const before = count();
          // What breathes does so for ever.
          const moves = () => document.getAnimations()
            .some((one) => one.effect.getTiming().iterations !== Infinity);
          requestAnimationFrame(() => requestAnimationFrame(() =>
            requestIdleCallback(() => done(count() === before && !moves()))));""")
    )


def test_nothing_moves_on_the_way_to_a_view(console, filled):
    script = console.browser.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": SHIFTS}
    )["identifier"]
    try:
        moved = {}
        for view in filled:
            console.open(view).caught_up()
            settled(console)
            moved[view] = console.run("return window.shifted")
        assert {view: shift for view, shift in moved.items() if shift > 0.05} == {}
    finally:
        console.browser.execute_cdp_cmd(
            "Page.removeScriptToEvaluateOnNewDocument", {"identifier": script}
        )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(console, filled, scheme):
    media(console, scheme)
    try:
        console.open("overview")
        console.run((AXE / "node_modules/axe-core/axe.min.js").read_text())
        found = {}
        for view in [*filled, "palette"]:
            if view == "palette":
                console.click("#tools .find")
                console.until(lambda: console.all("[role=option]"))
            else:
                console.visit(view)
            settled(console)
            violations = console.browser.execute_async_script("""
              const done = arguments[0];
              axe.run(document, { iframes: false }).then(({ violations }) => done(violations.map(
                ({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 160))])))""")
            if violations:
                found[view] = violations
        assert found == {}
    finally:
        media(console, None)


def test_colours_and_rows_are_chosen_and_remembered(console, filled):
    paper = "return getComputedStyle(document.body).backgroundColor"
    row = "return document.querySelector('.people tbody tr').getBoundingClientRect().height"
    console.open("users")
    console.until(lambda: console.all(".people tbody tr"))
    light, compact = console.run(paper), console.run(row)
    assert 31 <= compact <= 33
    choose = lambda label: console.click(  # noqa: E731
        lambda: next(one for one in console.all(".menu label") if one.text == label)
    )
    try:
        console.button("Look", "header")
        choose("Dark")
        choose("Comfortable")
        assert console.run(paper) != light
        console.open("users")
        console.until(lambda: console.all(".people tbody tr"))
        assert console.run("return document.documentElement.dataset.theme") == "dark"
        assert console.run(paper) != light and 39 <= console.run(row) <= 41
        # What is chosen is stronger than the system.
        media(console, "dark")
        dark = console.run(paper)
        console.button("Look", "header")
        choose("Light")
        assert console.run(paper) == light != dark
        choose("As the system")
        choose("Compact")
        assert console.run(paper) == dark and console.run(row) == compact
        assert console.run("return localStorage.getItem('hearth.theme')") is None
    finally:
        media(console, None)
        console.run("localStorage.removeItem('hearth.theme')")
        console.run("localStorage.removeItem('hearth.density')")


def test_the_font_is_ours_and_numbers_have_one_width(console, filled):
    console.open("users")
    assert console.browser.execute_async_script("""
      const done = arguments[0];
      document.fonts.load("500 14px 'Hearth UI'").then((faces) => done(faces.length))""")
    [size] = console.run("""
      return performance.getEntriesByType("resource")
        .filter(({ name }) => name.endsWith(".woff2")).map(({ decodedBodySize }) => decodedBodySize)""")
    assert 0 < size <= 40_000
    time = console.until(lambda: console.find("td time"))
    assert "tabular-nums" in console.run(
        "return getComputedStyle(arguments[0]).fontVariantNumeric", time
    )


def test_filters_are_chips_in_one_line(console, filled):
    console.browser.set_window_size(1440, 900)
    for view in ["users", "requests"]:
        console.open(view)
        tops = console.until(
            lambda: console.run("""
              return [...new Set([...document.querySelectorAll(".bar > *")]
                .filter((one) => one.checkVisibility())
                .map((one) => Math.round(one.getBoundingClientRect().top)))]""")
        )
        assert len(tops) == 1, view


def test_what_one_touches_is_large_enough(console, filled):
    console.browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False},
    )
    try:
        for view in ["mailbox", "users", "requests", "overview"]:
            console.open(view)
            settled(console)
            assert (
                console.run("""
              return [...document.querySelectorAll("button, select, input, a.button, nav a")]
                .filter((one) => one.checkVisibility() && !one.closest(".unseen"))
                .filter((one) => one.getBoundingClientRect().height < 24)
                .map((one) => one.outerHTML)""")
                == []
            ), view
    finally:
        console.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.stem)
def test_measures_are_those_of_the_tokens(sheet):
    """Type, space, corners and elevation have a scale; other sizes are those of what they measure."""
    measured = (
        r"(?:font-size|padding[\w-]*|margin[\w-]*|(?:row-|column-)?gap|border-radius|box-shadow)"
    )
    literal = re.compile(rf"^\s*{measured}: [^;]*?(?<![\w-])\d*\.?\d+(?:rem|em)\b[^;]*;", re.M)
    assert literal.findall(sheet.read_text()) == []


def test_a_first_visit_has_four_hints(console):
    console.open("overview")
    console.run("localStorage.removeItem('hearth.tour')")
    console.open("overview")
    for step in range(1, 4):
        console.button(f"Next, {step} of 4", ".tour")
        assert len(console.all(".pointed")) == 1
    console.button("Done", ".tour")
    assert not console.all(".tour") and not console.all(".pointed")
    console.open("overview").caught_up()
    assert not console.all(".tour")


def test_a_printed_mail_is_the_mail(console, filled):
    console.open(filled[2])
    console.until(lambda: console.all(".detail h2"))
    console.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        shown = console.run("""
          return ["header", "body > nav", ".bar", ".mails", ".toolbar", ".detail h2", ".detail iframe"]
            .map((selector) => document.querySelector(selector)?.checkVisibility() ?? false)""")
        assert shown == [False, False, False, False, False, True, True]
    finally:
        console.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


@pytest.fixture
def phone(console):
    """The page on a phone."""
    console.browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False},
    )
    yield console
    console.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_the_collections_are_there_on_a_phone(phone, filled):
    phone.open("firestore")
    phone.sees("cities")


def test_the_status_of_requests_is_seen_on_a_phone(phone, filled):
    phone.open("requests")
    status = phone.until(lambda: phone.find("tbody tr .tag"))
    assert status.rect["x"] + status.rect["width"] <= 390
    phone.sees("cities/wien", "tbody")


def test_long_names_of_users_push_nothing_out_of_sight(console):
    name = "Maximiliane-Wilhelmine von Hohenstein-Schwarzenberg"
    mail = "a.very.long.mailbox.name.that.does.not.end.soon@department.example.com"
    console.admin("", {"email": mail, "displayName": name, "emailVerified": True})
    console.open("users")
    table = console.until(lambda: console.find(".people"))
    assert console.run("return arguments[0].parentNode.scrollWidth", table) == table.size["width"]
    state = console.find(".people tbody .tag")
    assert state.rect["x"] + state.rect["width"] <= console.run("return innerWidth")


def test_tabs_stay_in_one_line_and_the_chosen_one_is_seen(phone, filled):
    phone.open("settings/snapshots")
    chosen = phone.until(lambda: phone.find(".tabs [aria-current]"))
    assert chosen.rect["x"] >= 0 and chosen.rect["x"] + chosen.rect["width"] <= 390
    assert phone.find(".tabs").size["height"] < 2 * chosen.size["height"]
    mail = next(view for view in filled if view.startswith("mailbox/"))
    phone.open(mail)
    tabs = phone.until(lambda: phone.all("[role=tab]"))
    assert len({tab.rect["y"] for tab in tabs}) == 1
    phone.run("arguments[0].focus()", tabs[0])
    tabs[0].send_keys(Keys.END)
    last = phone.until(lambda: phone.find("[role=tab][aria-selected=true]"))
    phone.until(lambda: last.rect["x"] + last.rect["width"] <= 390)


def test_a_code_is_never_broken_into_lines(console, filled):
    message = console.own("GET", "messages")["messages"][-1]
    console.browser.set_window_size(1024, 900)
    try:
        console.open(f"mailbox/{message['id']}")
        code = console.until(lambda: console.find(".hero .big"))
        assert code.text == message["code"] and code.size["height"] < 60
    finally:
        console.browser.set_window_size(1200, 900)


def test_the_font_is_taken_also_where_it_comes_late(console):
    console.open("overview")
    displays = console.run("""
      return [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules])
        .filter((rule) => rule instanceof CSSFontFaceRule && rule.style.fontFamily.includes("Hearth"))
        .map((rule) => rule.style.getPropertyValue("font-display"))""")
    assert displays == ["swap"]


def seen(console, element):
    """Whether all of it is within what is seen of the page and of what it is scrolled in."""
    return console.run(
        """
      const { left, right } = arguments[0].getBoundingClientRect();
      let clip = arguments[0];
      while ((clip = clip.parentElement) && !/auto|hidden/.test(getComputedStyle(clip).overflowX));
      const around = (clip ?? document.body).getBoundingClientRect();
      return left >= around.left - 1 && right <= Math.min(around.right, innerWidth) + 1""",
        element,
    )


@pytest.fixture
def small(console):
    """The page in a small window of a laptop."""
    console.browser.set_window_size(1024, 900)
    yield console
    console.browser.set_window_size(1200, 900)


def make_tenants(console):
    for name in ("North", "South-of-the-river"):
        console.call(
            "POST",
            f"/identitytoolkit.googleapis.com/v2/projects/{console.project}/tenants",
            {"displayName": name, "allowPasswordSignup": True, "enableAnonymousUser": True},
        )


def test_what_expires_is_let_expire_on_a_phone(phone, filled):
    phone.client(
        "sendOobCode",
        {"requestType": "EMAIL_SIGNIN", "email": "a.long.name.of.a.mailbox@example.com"},
    )
    phone.open("clock")
    phone.sees("a.long.name", ".expiries")
    assert all(seen(phone, button) for button in phone.all(".expiries button"))


def test_tenants_are_edited_on_a_phone(phone):
    make_tenants(phone)
    phone.open("settings/tenants")
    phone.until(lambda: len(phone.all(".tenants tbody tr")) == 2)
    assert all(seen(phone, button) for button in phone.all(".tenants button"))


def test_tenants_and_users_fit_into_a_small_window(small, filled):
    make_tenants(small)
    user = {"email": "ann@example.com", "password": "old secret"}
    small.client("signInWithPassword", user)
    small.admin(
        ":update",
        {
            "localId": "ann",
            "emailVerified": True,
            "phoneNumber": "+15555550199",
            "linkProviderUserInfo": {"providerId": "google.com", "rawId": "1"},
        },
    )
    small.open("settings/tenants")
    small.until(lambda: len(small.all(".tenants tbody tr")) == 2)
    assert all(seen(small, button) for button in small.all(".tenants button"))
    assert len({row.size["height"] for row in small.all(".tenants tbody a")}) == 1
    small.open("users")
    last = small.until(lambda: small.find(".people tbody tr:last-child td:last-child"))
    assert last.text and seen(small, last)


def test_only_whole_columns_are_beside_a_document(small):
    path = f"/v1/projects/{small.project}/databases/(default)/documents/"
    for name in ("cities/wien", "cities/wien/parts/one", "cities/wien/parts/one/more/two"):
        small.call("PATCH", path + name, {"fields": {"people": {"integerValue": "19"}}})
    for width in (1024, 1200):
        small.browser.set_window_size(width, 900)
        for name in ("cities/wien", "cities/wien/parts/one/more/two"):
            small.open("firestore/" + name)
            small.until(lambda: small.all(".editor .row"))
            columns = [one for one in small.all(".column") if one.is_displayed()]
            assert len(columns) > 1 and all(seen(small, column) for column in columns)


def test_the_state_of_a_mail_is_read_in_a_small_window(small, filled):
    small.open("mailbox")
    states = small.until(lambda: small.all(".mails .state"))
    codes = small.all(".mails li:has(.state) > button")
    for state, code in zip(states, codes, strict=True):
        assert seen(small, state)
        assert state.rect["x"] + state.rect["width"] <= code.rect["x"]


def test_rows_of_requests_are_as_high_as_others(console, filled):
    console.open("requests")
    row = console.until(lambda: console.find(".log tbody tr"))
    assert 31 <= row.size["height"] <= 33


def test_pages_beside_the_console_fit_on_a_phone(phone, filled):
    rules = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /users/{uid} { allow read: if request.auth != null && request.auth.uid == uid; }
  }
}"""
    phone.own("PUT", "rules", {"rules": {"files": [{"name": "r", "content": rules}]}})
    project = f"projects/{phone.project}"
    for path in (f"emulator/v1/{project}:ruleCoverage.html", f"mailbox?project={phone.project}"):
        phone.browser.get(f"{phone.origin}/{path}")
        assert phone.run("return document.documentElement.scrollWidth") <= 390, path
    # An address of a usual length takes one line, or two.
    cell = phone.until(lambda: phone.find("tbody td"))
    assert "ann@example.com" in phone.find("table").text
    assert cell.size["width"] >= 130


def test_what_is_above_a_table_takes_one_line(console, filled):
    """At the width of a small laptop; a button that is not there leaves no gap."""
    console.browser.set_window_size(1280, 900)
    for view in ("requests", "timeline", "rules"):
        console.open(view)
        parts = console.until(
            lambda: console.run("""
          return [...document.querySelectorAll(".bar > *")].filter((one) => one.checkVisibility())
            .map((one) => one.getBoundingClientRect().toJSON())""")
        )
        parts = [part for part in parts if part["width"]]
        assert max(part["top"] for part in parts) < min(part["bottom"] for part in parts), view
        edges = list(zip(parts, parts[1:], strict=False))
        assert all(after["left"] - before["right"] < 12 for before, after in edges), view


def test_rows_of_a_collection_are_as_high_as_others(console, filled):
    console.open("firestore/cities?view=table")
    row = console.until(lambda: console.find("tbody tr"))
    assert 31 <= row.size["height"] <= 33


def test_hints_in_fields_are_not_cut(console, filled):
    make_tenants(console)
    console.browser.set_window_size(1440, 900)
    for view in ("users", "mailbox", "requests", "timeline", "firestore", "rules"):
        console.open(view)
        cut = console.until(
            lambda: console.run("""
          const fields = [...document.querySelectorAll("main input[placeholder]")];
          const pen = document.createElement("canvas").getContext("2d");
          const isCut = (field) => {
            const { font, paddingLeft, paddingRight } = getComputedStyle(field);
            pen.font = font;
            const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
            return pen.measureText(field.placeholder).width > room;
          };
          return fields.length && { found: fields.filter(isCut).map((one) => one.placeholder) }""")
        )
        assert cut["found"] == [], view
