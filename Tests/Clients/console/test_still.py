"""The console in Chromium: nothing jumps, and what one looks at stays where it is."""

import requests
from selenium.webdriver.support.ui import Select
from support.console import browser, console, console_url  # noqa: F401

TOP = "return document.querySelector(arguments[0])?.getBoundingClientRect().top"
# How much of the page has moved by itself since it was loaded: what CLS adds up.
SHIFTS = """
    window.shifts = 0;
    new PerformanceObserver((list) => {
      for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifts += one.value;
    }).observe({ type: "layout-shift", buffered: true });"""


def put_users(console, names):
    console.admin(
        ":batchCreate",
        {"users": [{"localId": f"uid-{name}", "email": f"{name}@example.com"} for name in names]},
    )


def app_reads(console, count, first=0):
    url = f"{console.origin}/v1/projects/{console.project}/databases/(default)/documents/cities"
    for number in range(first, first + count):
        assert requests.get(f"{url}/c{number}", timeout=30).status_code == 404


# MARK: Users


def test_ticking_a_box_moves_no_row(console):
    put_users(console, ["ann", "bob", "carla"])
    for width in (1200, 390):
        console.browser.set_window_size(width, 900)
        console.open("users")
        console.sees("1–3 of 3")
        before = console.run(TOP, "tbody tr")
        console.click('[aria-label="Choose ann@example.com"]')
        console.sees("1 chosen", ".bulk")
        assert console.run(TOP, "tbody tr") == before
        console.click('[aria-label="Choose bob@example.com"]')
        console.sees("2 chosen", ".bulk")
        console.click('[aria-label="Choose ann@example.com"]')
        console.click('[aria-label="Choose bob@example.com"]')
        console.until(lambda: not console.all(".bulk"))


def test_all_that_match_are_changed_at_once(console):
    put_users(console, [f"user-{number:03}" for number in range(60)] + ["other"])
    console.open("users?q=user")
    console.sees("1–50 of 60")
    console.click("tbody input[type=checkbox]")
    console.click(lambda: console.labelled("All 60 that match"))
    console.sees("60 chosen", ".bulk")
    console.button("Disable")
    console.says("60 users disabled.")
    users = console.own("GET", "accounts?limit=100")["userInfo"]
    assert [user["localId"] for user in users if not user.get("disabled")] == ["uid-other"]


def test_the_focus_stays_while_the_list_of_users_changes(console):
    put_users(console, ["ann", "bob"])
    console.open("users").caught_up()
    console.sees("1–2 of 2")
    box = console.find('[aria-label="Choose ann@example.com"]')
    console.run("arguments[0].focus()", box)
    put_users(console, ["carla"])
    console.sees("1–3 of 3")
    assert console.focused() == box
    console.admin(":update", {"localId": "uid-bob", "displayName": "Bob"})
    console.sees("Bob", "tbody")
    assert console.focused() == box


def test_a_new_user_begins_in_the_tenant_that_is_shown(console):
    tenants = f"/identitytoolkit.googleapis.com/v2/projects/{console.project}/tenants"
    made = console.call("POST", tenants, {"displayName": "North", "allowPasswordSignup": True})
    tenant = made["name"].split("/")[-1]
    console.open("users")
    console.sees("No users outside of the tenants.")
    Select(console.labelled("Tenant")).select_by_value(tenant)
    console.sees("No users yet.")
    console.button("New user")
    console.until(lambda: console.labelled("Tenant").get_attribute("value") == tenant)
    console.type("E-mail", "ann@example.com")
    console.type("Password", "long enough")
    console.button("Create")
    console.says("User created.")
    found = console.own("GET", f"accounts?limit=5&tenantId={tenant}")["userInfo"]
    assert [user["email"] for user in found] == ["ann@example.com"]


# MARK: Requests


def test_an_open_request_stays_where_it_is(console):
    app_reads(console, 3)
    console.open("requests").caught_up()
    console.until(lambda: len(console.all("tbody tr")) == 3)
    console.click("tbody tr:nth-child(2) button")
    console.until(lambda: console.all("td.whole pre"))
    detail = console.find("td.whole")
    before = console.run(TOP, "td.whole")
    app_reads(console, 12, 100)
    console.sees("12 new")
    assert console.find("td.whole") == detail
    assert console.run(TOP, "td.whole") == before
    assert len(console.all("tbody > tr")) == 4
    console.button("12 new")
    console.until(lambda: len(console.all("tbody > tr")) == 15)
    assert not console.all("td.whole")


def test_the_filter_of_requests_is_that_of_the_address(console):
    app_reads(console, 2)
    console.admin("", {"email": "ann@example.com", "password": "old secret"})
    console.open("requests?failed=1")
    console.until(lambda: len(console.all("tbody tr")) == 2)
    assert console.labelled("Only errors").is_selected()
    console.click('nav a[href="#/requests"]')
    console.until(lambda: len(console.all("tbody tr")) == 3)
    assert not console.labelled("Only errors").is_selected()


# MARK: Every view


def test_no_view_jumps_while_it_loads(console):
    put_users(console, ["ann", "bob"])
    app_reads(console, 5)
    console.call(
        "PATCH",
        f"/v1/projects/{console.project}/databases/(default)/documents/cities/wien",
        {"fields": {name: {"stringValue": "x"} for name in ["a", "b", "c", "d"]}},
    )
    shifts = {}
    for view in [
        "users",
        "users/uid-ann",
        "firestore",
        "firestore/cities/wien",
        "firestore/cities?view=query",
        "rules",
        "indexes",
        "requests",
        "faults",
        "clock",
        "settings",
    ]:
        console.open(view).caught_up()
        console.run(SHIFTS)
        # Buffered entries come with the next frames.
        console.browser.execute_async_script(
            "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))"
        )
        shifts[view] = round(console.run("return window.shifts"), 3)
    assert {view: sum for view, sum in shifts.items() if sum > 0.05} == {}
