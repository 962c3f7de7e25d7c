"""The console in Chromium: what it saves as files, asks again, previews and deletes."""

import json
import re

import pytest
import requests
from support.console import browser, console, console_url, reset_mail  # noqa: F401
from support.waiting import until


@pytest.fixture
def downloads(browser, tmp_path):
    """The content of a file that the browser saves."""
    browser.execute_cdp_cmd(
        "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(tmp_path)}
    )

    def content(name: str) -> str:
        file = tmp_path / name
        return until(lambda: file.exists() and file.read_text(), what=name)

    return content


def put_city(console, name, people):
    console.call(
        "PATCH",
        f"/v1/projects/{console.project}/databases/(default)/documents/cities/{name}",
        {"fields": {"people": {"integerValue": str(people)}}},
    )


def test_requests_are_saved_as_an_archive(console, downloads):
    reset_mail(console)
    console.open("requests")
    console.sees("2 requests, newest first")
    console.button("Export HAR")
    archive = json.loads(downloads(f"{console.project}.har"))["log"]
    assert archive["version"] == "1.2"
    paths = {
        entry["request"]["url"].split("?")[0].rsplit("/", 1)[1] for entry in archive["entries"]
    }
    assert paths == {"accounts", "accounts:sendOobCode"}


def test_a_request_is_replayed(console):
    console.client("signUp", {"email": "ann@example.com", "password": "old secret"})
    console.open("requests")
    console.button("signUp")
    console.button("Replay")
    console.sees("Answer to the replay 400", ".whole")
    console.sees("EMAIL_EXISTS", ".whole")
    console.until(lambda: len(console.all("tbody .tag")) >= 2)
    console.sees("replay", "tbody")


@pytest.mark.parametrize(
    "label, name, parse",
    [
        ("Export JSON", "cities.json", lambda text: len(json.loads(text))),
        ("Export CSV", "cities.csv", lambda text: len(text.splitlines()) - 1),
    ],
)
def test_the_documents_of_a_query_are_saved(console, downloads, label, name, parse):
    for city, people in [("graz", 3), ("linz", 2), ("wien", 19)]:
        put_city(console, city, people)
    console.open("firestore/cities?view=query")
    console.sees("3 documents in")
    console.button(label)
    assert parse(downloads(name)) == 3


def test_a_template_is_previewed_while_it_is_written(console):
    console.open("settings/templates")
    console.type("Subject", "Hello from %APP_NAME%")
    console.type("Body", "<p>Go to <a href='%LINK%'>the page</a>")
    console.sees(f"Hello from {console.project}", "[aria-label=Preview]")
    console.in_frame(lambda: console.find("a").text == "the page", "[aria-label=Preview] iframe")
    assert console.own("GET", "messages")["messages"] == []
    console.button("Save")
    console.says("Template saved.")
    assert reset_mail(console)["subject"] == f"Hello from {console.project}"


def test_a_preview_greets_by_a_name(console):
    console.open("settings/templates")
    console.type("Subject", "Hi %DISPLAY_NAME%,")
    console.until(
        lambda: re.fullmatch(r"Hi \w+,", console.find("[aria-label=Preview] strong").text)
    )


def test_a_project_is_deleted(console):
    reset_mail(console)
    put_city(console, "wien", 19)
    console.open("settings/project")
    console.button("Delete the project")
    console.sees("will be deleted", "dialog")
    console.button("Delete the project", "dialog")
    console.says("The project is empty.")
    assert console.own("GET", "messages")["messages"] == []
    assert console.admin(":query", {}).get("userInfo", []) == []
    reply = requests.get(
        f"{console.origin}/v1/projects/{console.project}/databases/(default)/documents/cities/wien",
        timeout=30,
    )
    assert reply.status_code == 404
