"""What is done with many things at once, and what was before: tables, histories, tests of requests."""

import requests
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select
from support.console import browser, console, console_url, reset_mail  # noqa: F401


def put(console, path, **values):
    wire = {
        name: {"integerValue": str(value)} if isinstance(value, int) else {"stringValue": value}
        for name, value in values.items()
    }
    console.call(
        "PATCH",
        f"/v1/projects/{console.project}/databases/(default)/documents/{path}",
        {"fields": wire},
    )


def ids(console):
    return [row.text for row in console.all("tbody th")]


def cities(console):
    for name, people in [("graz", 3), ("linz", 2), ("wien", 19)]:
        put(console, f"cities/{name}", people=people, name=name.title())


# MARK: A collection as a table


def test_32_a_collection_is_sorted_and_filtered_in_its_head(console):
    cities(console)
    console.open("firestore/cities")
    console.button("Table")
    console.until(lambda: ids(console) == ["graz", "linz", "wien"])
    console.button("people")
    console.until(lambda: ids(console) == ["linz", "graz", "wien"])
    console.button("people")
    console.until(lambda: ids(console) == ["wien", "graz", "linz"])
    Select(console.labelled("Where")).select_by_visible_text("people")
    Select(console.labelled("Is")).select_by_visible_text(">")
    console.type("Filter", "2")
    console.until(lambda: ids(console) == ["wien", "graz"])
    console.browser.refresh()
    console.until(lambda: ids(console) == ["wien", "graz"])


def test_a_cell_writes_its_field_and_nothing_else(console):
    cities(console)
    console.open("firestore/cities?view=table")
    console.click('[aria-label="people of graz: 3"]')
    # What the app writes meanwhile stays; the table has read it by the time of the write.
    console.type("Value", "4", "dialog")
    console.button("Save", "dialog")
    console.says("Saved.")
    assert console.document("cities/graz")["fields"] == {
        "people": {"integerValue": "4"},
        "name": {"stringValue": "Graz"},
    }
    console.button("Undo", "#toasts")
    console.says("Undone.")
    assert console.document("cities/graz")["fields"]["people"] == {"integerValue": "3"}


def test_a_field_is_set_for_all_that_are_chosen(console):
    cities(console)
    console.open("firestore/cities?view=table")
    for name in ["graz", "wien"]:
        console.click(f'[aria-label="Choose {name}"]')
    console.button("Set a field")
    console.type("Field", "state", "dialog")
    console.type("Value", "open", "dialog")
    console.button("Save", "dialog")
    console.says("2 documents changed.")
    assert console.document("cities/wien")["fields"]["state"] == {"stringValue": "open"}
    assert "state" not in console.document("cities/linz")["fields"]
    console.button("Delete chosen")
    console.button("Delete chosen", "dialog")
    console.says("2 documents deleted.")
    console.until(lambda: ids(console) == ["linz"])
    console.button("Undo", "#toasts > :last-child")
    console.until(lambda: ids(console) == ["graz", "linz", "wien"])


# MARK: Documents


def test_28_a_document_has_a_history_and_goes_back(console):
    for people in [1, 2, 3]:
        put(console, "cities/wien", people=people, name="Wien")
    console.open("firestore/cities/wien")
    console.click(".history summary")
    rows = console.until(lambda: len(console.all(".history tbody tr")) == 3) and console.all(
        ".history tbody tr"
    )
    assert "people" in rows[0].text and "Created" in rows[2].text
    assert [part.text for part in rows[0].find_elements("css selector", "del, ins")] == ["2", "3"]
    console.click(lambda: console.all(".history tbody button")[-1])
    console.says("The document is as it was.")
    assert console.document("cities/wien")["fields"]["people"] == {"integerValue": "1"}
    console.button("Undo", "#toasts")
    console.says("Undone.")
    assert console.document("cities/wien")["fields"]["people"] == {"integerValue": "3"}


def test_31_a_document_is_duplicated(console):
    put(console, "cities/wien", people=1)
    console.open("firestore/cities/wien")
    console.button("Duplicate")
    console.type("Document id", "graz", "dialog")
    console.button("Create", "dialog")
    console.until(lambda: console.find(".editor h2").text == "graz")
    assert console.document("cities/graz")["fields"] == {"people": {"integerValue": "1"}}


# MARK: Mails


def test_35_mails_are_chosen_in_a_row_and_deleted(console):
    for name in "abcde":
        console.client(
            "sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": f"{name}@example.com"}
        )
    console.open("mailbox").caught_up()
    console.until(lambda: len(console.all(".mails li")) == 5)
    boxes = console.all(".mails [data-choose]")
    boxes[1].click()
    ActionChains(console.browser).key_down(Keys.SHIFT).click(boxes[3]).key_up(Keys.SHIFT).perform()
    console.sees("3 chosen", ".bulk")
    console.button("Delete chosen")
    console.says("3 messages deleted.")
    console.until(lambda: len(console.all(".mails li")) == 2)
    assert {one["to"] for one in console.own("GET", "messages")["messages"]} == {
        "a@example.com",
        "e@example.com",
    }
    console.button("Undo", "#toasts")
    console.until(lambda: len(console.all(".mails li")) == 5)


def test_kinds_of_messages_are_chosen(console):
    reset_mail(console)
    console.client("sendVerificationCode", {"phoneNumber": "+15555550100"})
    console.open("mailbox")
    console.until(lambda: len(console.all(".mails li")) == 2)
    console.button("SMS")
    console.until(lambda: len(console.all(".mails li")) == 1)
    console.click(".mails a")
    console.sees("+15555550100", ".phone-card")
    console.button("Mails")
    console.until(lambda: "ann@example.com" in console.find(".mails").text)
    console.button("All")
    console.until(lambda: len(console.all(".mails li")) == 2)


def test_29_the_address_of_a_mail_is_copied(console):
    message = reset_mail(console)
    console.open(f"mailbox/{message['id']}")
    console.button("Copy address")
    console.until(lambda: console.clipboard().endswith(f"#/mailbox/{message['id']}"))


# MARK: Requests


def test_requests_become_a_test(console, tmp_path):
    console.admin("", {"email": "ann@example.com", "password": "old secret"})
    console.client("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "ann@example.com"})
    [message] = console.own("GET", "messages")["messages"]
    console.client("resetPassword", {"oobCode": message["oobCode"], "newPassword": "new secret"})
    console.client("signInWithPassword", {"email": "ann@example.com", "password": "new secret"})
    console.open("requests")
    console.until(lambda: len(console.all("tbody tr")) == 4)
    console.button("As a test")
    console.button("Copy JavaScript", "dialog")
    copied = console.until(lambda: "setupHearth" in console.clipboard() and console.clipboard())
    assert 'code = await hearth.waitForCode("ann@example.com");' in copied
    assert '`{"oobCode":"${code}"' in copied and console.project not in copied
    console.button("Python", "dialog")
    console.button("Copy Python", "dialog")
    copied = console.until(lambda: "def test_" in console.clipboard() and console.clipboard())
    runs_again(console, copied)
    console.button("Swift", "dialog")
    console.button("Copy Swift", "dialog")
    copied = console.until(lambda: "@Suite" in console.clipboard() and console.clipboard())
    assert 'code = try await hearth.waitForCode(to: "ann@example.com")' in copied
    assert copied.count("#expect(answer.status == 200)") == 4


def test_requests_are_replayed_on_a_snapshot_and_what_differs_is_shown(console):
    def answer(method, path, token="owner", **rest):
        return requests.request(
            method,
            f"{console.origin}/v1/projects/{console.project}/databases/(default)/documents/{path}",
            headers={"Authorization": f"Bearer {token}"},
            timeout=30,
            **rest,
        )

    def put_price(cents):
        body = {"fields": {"price": {"integerValue": str(cents)}}}
        assert answer("PATCH", "products/tea", json=body).status_code == 200

    rules = (
        "rules_version = '2'; service cloud.firestore {"
        " match /databases/{d}/documents/{path=**} { allow read: if request.auth != null; } }"
    )
    console.own("PUT", "rules", {"rules": {"files": [{"name": "r", "content": rules}]}})
    put_price(300)
    console.own("POST", "snapshots", {"name": "cheap"})
    put_price(900)
    console.own("DELETE", "requests")
    user = console.client("signUp", {"email": "ann@example.com", "password": "secret"})
    assert answer("GET", "products/tea", user["idToken"]).status_code == 200
    assert answer("GET", "products/none", user["idToken"]).status_code == 404
    console.client("lookup", {"idToken": user["idToken"]})
    console.open("requests")
    console.until(lambda: len(console.all("tbody tr")) == 4)
    console.click("tbody input[type=checkbox]")
    console.button("Choose all")
    console.sees("4 chosen")
    console.button("On a snapshot")
    console.button("Replay", "dialog")
    console.sees("1 of 4 answers differ on cheap.", "dialog")
    rows = console.texts("dialog tbody tr")
    assert "signUp" in rows[0] and "the same" in rows[0]
    assert "fields.price.integerValue" in rows[1] and '"900" "300"' in rows[1]
    assert "404" in rows[2] and "the same" in rows[2]
    assert "lookup" in rows[3] and "the same" in rows[3]
    # The first project is as it was.
    assert answer("GET", "products/tea").json()["fields"]["price"]["integerValue"] == "900"
    assert console.own("GET", "accounts")["recordsCount"] == "1"


def test_a_full_log_is_drawn_as_far_as_one_looks(console):
    """Some rows are drawn, and more where one scrolls; a filter begins with some again."""
    url = f"{console.origin}/v1/projects/{console.project}/databases/(default)/documents/c/"
    with requests.Session() as session:
        for number in range(1010):
            session.get(f"{url}{number}", timeout=30)
    console.open("requests")
    rows = "return document.querySelectorAll('tbody tr').length"
    console.until(lambda: console.run(rows) == 100)
    console.sees("1000 requests, newest first")
    assert "/1009" in console.text("tbody tr")

    def reach_the_end():
        console.run(
            "const main = document.querySelector('main'); main.scrollTop = main.scrollHeight"
        )
        return console.run(rows) == 1000

    console.until(reach_the_end)
    # The first ten have left the log.
    assert "/10" in console.texts("tbody tr")[-1]
    console.type("Filter", "c/1")
    console.until(lambda: console.run(rows) == 100)
    console.sees("120 of the last 1000 requests")


def test_more_of_the_log_is_drawn_where_the_whole_page_is_scrolled(console):
    url = f"{console.origin}/v1/projects/{console.project}/databases/(default)/documents/c/"
    for number in range(120):
        requests.get(f"{url}{number}", timeout=30)
    console.browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False},
    )
    try:
        console.open("requests")
        console.until(lambda: len(console.all("tbody tr")) == 100)
        console.run("scrollTo(0, 1e6)")
        console.until(lambda: len(console.all("tbody tr")) == 120)
        # New ones wait, as they do beside a list that is scrolled.
        requests.get(f"{url}new", timeout=30)
        console.sees("1 new")
    finally:
        console.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def runs_again(console, source):
    """Runs the Python test that was copied in a project of its own."""

    class Project:
        url, project = console.origin, console.project + "-again"

        def wait_for_code(self, to):
            reply = requests.get(
                f"{self.url}/emulator/v1/projects/{self.project}/messages/latest",
                params={"to": to, "wait": "10s"},
                timeout=30,
            )
            return reply.json()["code"]

    scope = {}
    exec(source, scope)
    scope["test_what_was_recorded_happens_again"](Project())
