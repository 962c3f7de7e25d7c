"""What happened in order, ways back to it, and what was called of functions and webhooks."""

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
import requests
from selenium.webdriver.support.ui import Select
from support.console import browser, console, console_url, reset_mail  # noqa: F401


def lines(console):
    return console.run("""
      return [...document.querySelectorAll(".timeline li")]
        .map((line) => line.querySelector("div").innerText)""")


def put(console, path, people):
    console.call(
        "PATCH",
        f"/v1/projects/{console.project}/databases/(default)/documents/{path}",
        {"fields": {"people": {"integerValue": str(people)}}},
    )


# MARK: The timeline


def test_what_happened_is_in_order(console):
    console.open("timeline").caught_up()
    console.sees("Nothing has happened yet")
    reset_mail(console)
    put(console, "cities/wien", 1)
    console.own("PATCH", "clock", {"advance": "PT1H"})
    console.own(
        "PUT", "rules", {"rules": {"files": [{"name": "firestore.rules", "content": RULES}]}}
    )
    reply = requests.get(
        f"{console.origin}/v1/projects/{console.project}/databases/(default)/documents/cities/wien",
        timeout=30,
    )
    assert reply.status_code == 403
    console.until(lambda: len(lines(console)) == 7)
    shown = [line.splitlines()[0] for line in lines(console)]
    assert shown[0].startswith("Refused: get cities/wien")
    assert shown[1:4] == ["Set the rules", "Moved the clock", "Wrote cities/wien"]
    assert any("Password reset" in line for line in shown[4:])
    Select(console.labelled("Show")).select_by_visible_text("Mails")
    console.until(lambda: len(lines(console)) == 1)
    console.click(".timeline a")
    console.until(lambda: console.find("h1").text == "Mailbox")


RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /cities/{id} { allow read: if request.auth != null; }
  }
}
"""


def test_one_goes_back_to_a_moment(console):
    put(console, "cities/wien", 1)
    console.open("timeline")
    console.button("Keep this moment")
    console.says("This moment is kept")
    put(console, "cities/wien", 2)
    console.click(".timeline [data-kind=snapshots] button")
    console.button("Go back", "dialog")
    console.says("The project is as it was.")
    assert console.document("cities/wien")["fields"]["people"] == {"integerValue": "1"}
    console.button("Undo", "#toasts > :last-child")
    console.says("Undone.")
    assert console.document("cities/wien")["fields"]["people"] == {"integerValue": "2"}


def test_a_moment_is_looked_at_in_a_project_of_its_own(console):
    put(console, "cities/wien", 1)
    console.open("timeline")
    console.button("Keep this moment")
    console.says("This moment is kept")
    put(console, "cities/wien", 2)
    console.click(".timeline [data-kind=snapshots] button:nth-of-type(2)")
    console.until(lambda: "-rewind-" in console.browser.current_url)
    console.visit("firestore/cities/wien")
    console.until(lambda: console.find(".row .value input").get_attribute("value") == "1")
    assert console.document("cities/wien")["fields"]["people"] == {"integerValue": "2"}


def test_one_looks_at_the_project_as_it_was_at_a_line(console):
    put(console, "cities/wien", 1)
    reset_mail(console)
    put(console, "cities/wien", 2)
    console.open("timeline").caught_up()
    console.until(lambda: len(lines(console)) == 5)
    # Of the mail, which is no request.
    console.click("[aria-label='Rewind to Password reset']")
    console.sees("as they are now", "dialog")
    console.button("Open it", "dialog")
    console.until(lambda: f"{console.project}-rewind" in console.browser.current_url)
    console.visit("firestore/cities/wien")
    console.until(lambda: console.find(".row .value input").get_attribute("value") == "1")
    console.visit("mailbox")
    console.sees("ann@example.com", ".mails")
    assert console.document("cities/wien")["fields"]["people"] == {"integerValue": "2"}


def test_a_line_says_that_it_cannot_be_rebuilt(console):
    put(console, "cities/wien", 1)
    path = f"/emulator/v1/projects/{console.project}/databases/(default)/documents"
    requests.delete(console.origin + path, timeout=30).raise_for_status()
    console.open("timeline").caught_up()
    console.sees("cannot be rebuilt", ".timeline")
    put(console, "cities/graz", 1)
    console.until(lambda: console.find("[aria-label='Rewind to Wrote cities/graz']"))
    assert not console.all("[aria-label='Rewind to Wrote cities/wien']")


# MARK: Functions and webhooks


@pytest.fixture
def receiver():
    """What a webhook has got: bodies and headers."""
    got = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            got.append((body, dict(self.headers)))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(b'{"taken": true}')

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/hook", got
    server.shutdown()


def test_39_a_webhook_is_added_and_its_calls_are_seen_and_made_again(console, receiver):
    url, got = receiver
    console.open("triggers").caught_up()
    console.sees("No functions and no webhooks")
    console.button("New webhook")
    console.type("Address", url, "dialog")
    console.button("Add", "dialog")
    console.says("Webhook added.")
    put(console, "cities/wien", 1)
    console.sees("cities/wien", ".log")
    console.click(".log tbody button")
    console.sees('"taken": true', ".whole")
    assert "google.cloud.firestore.document.v1.created" in console.text(".whole")
    console.button("Send again")
    console.says("Sent again; the answer is 200.")
    console.until(lambda: len(console.all(".log tbody > tr")) == 3)
    (first, headers), (again, later) = got
    assert first == again and headers["webhook-id"] == later["webhook-id"]
    assert later["webhook-signature"].startswith("v1,")
    console.sees("again", ".log .tag:not([data-kind])")


def test_a_removed_webhook_comes_back(console, receiver):
    url, _ = receiver
    console.own("PUT", "webhooks", {"webhooks": [{"url": url}]})
    console.open("triggers")
    console.button(f"Remove {url}")
    console.button("Remove", "dialog")
    console.says("Webhook removed.")
    assert console.own("GET", "webhooks")["webhooks"] == []
    console.button("Undo", "#toasts")
    console.says("Undone.")
    assert [one["url"] for one in console.own("GET", "webhooks")["webhooks"]] == [url]


# MARK: The rules' editor


def test_rules_are_typed_with_names_and_colours(console):
    put(console, "cities/wien", 1)
    console.open("rules").caught_up()
    console.button("Begin with rules for signed-in users")
    console.until(lambda: "match" in [part.text for part in console.all(".colours .key")])
    editor = console.find("textarea[aria-label=Rules]")
    console.run(
        "const at = arguments[0].value.indexOf('request.auth.uid');"
        "arguments[0].focus(); arguments[0].setSelectionRange(at, at)",
        editor,
    )
    editor.send_keys("resource.da")
    console.until(lambda: console.all(".names [role=option]")[0].text == "data")
    editor.send_keys("\ue007.pe")
    console.until(lambda: console.all(".names [role=option]")[0].text == "people")
    editor.send_keys("\ue007")
    assert "resource.data.peoplerequest.auth.uid" in editor.get_attribute("value")
    console.find("[aria-label='Find in the rules']").send_keys("allow\ue007")
    console.until(lambda: "6" in console.find(".gutter .at").text)


def test_saved_rules_are_undone(console):
    console.own(
        "PUT", "rules", {"rules": {"files": [{"name": "firestore.rules", "content": RULES}]}}
    )
    console.open("rules").caught_up()
    editor = console.until(lambda: console.find("textarea[aria-label=Rules]"))
    console.until(lambda: "cities" in editor.get_attribute("value"))
    console.run(
        "arguments[0].value = arguments[0].value.replace('cities', 'towns');"
        "arguments[0].dispatchEvent(new Event('input'))",
        editor,
    )
    console.button("Save rules")
    console.says("Rules saved.")
    console.button("Undo", "#toasts")
    console.says("Undone.")
    assert "cities" in console.own("GET", "rules")["rules"]["files"][0]["content"]
    assert "cities" in editor.get_attribute("value")


# MARK: The files


def test_files_are_sent_compressed(console):
    for path in ["/console/", "/console/assets/frame/app.js"]:
        plain = requests.get(
            console.origin + path, headers={"Accept-Encoding": "identity"}, timeout=30
        )
        packed = requests.get(
            console.origin + path, headers={"Accept-Encoding": "gzip"}, timeout=30
        )
        assert "Content-Encoding" not in plain.headers
        assert packed.headers["Content-Encoding"] == "gzip" and packed.content == plain.content
        assert int(packed.headers["Content-Length"]) < int(plain.headers["Content-Length"]) * 0.6
        refused = requests.get(
            console.origin + path, headers={"Accept-Encoding": "gzip;q=0"}, timeout=30
        )
        assert "Content-Encoding" not in refused.headers
        asked = requests.head(console.origin + path, timeout=30)
        assert asked.status_code == 200 and asked.headers["ETag"] == plain.headers["ETag"]


def test_a_reload_asks_for_no_file_again(console):
    console.open("overview").caught_up()
    console.browser.refresh()
    console.caught_up()
    sizes = console.run("""
      return [...performance.getEntriesByType("navigation"),
        ...performance.getEntriesByType("resource")]
        .filter(({ name }) => name.includes("/console/")).map((one) => one.transferSize)""")
    assert len(sizes) > 20 and sum(sizes) <= 5000, sizes
