"""The web console in Chromium: indexes that queries have missed."""

import requests
from support.console import browser, console, console_url  # noqa: F401

QUERY = {
    "from": [{"collectionId": "c"}],
    "where": {
        "fieldFilter": {"field": {"fieldPath": "a"}, "op": "EQUAL", "value": {"integerValue": "1"}}
    },
    "orderBy": [{"field": {"fieldPath": "b"}}],
}


def ask(console, hearth):
    return requests.post(
        f"{hearth.addresses['firestore']}/v1/projects/{console.project}/databases/(default)"
        "/documents:runQuery",
        json={"structuredQuery": QUERY},
        headers={"Authorization": "Bearer owner"},
        timeout=30,
    )


def test_the_link_of_a_refusal_shows_the_index_and_a_button_adds_it(console, hearth):
    console.own("PATCH", "switches", {"indexes": "enforce"})
    refusal = ask(console, hearth)
    assert refusal.status_code == 400
    console.browser.get(refusal.json()[0]["error"]["message"].split("here: ")[1])
    console.sees("collection c where a == … order by b")
    console.sees('"fieldPath": "a"')
    console.until(lambda: "collection c" in console.focused().text)
    console.button("Copy as JSON")
    console.until(lambda: '"collectionGroup": "c"' in console.clipboard())
    console.button("Add to the project")
    console.sees("served now")
    console.sees("a ASC, b ASC")
    assert ask(console, hearth).status_code == 200


def test_what_is_missed_appears_at_once(console, hearth):
    console.open("indexes")
    console.sees("without a look at indexes")
    console.own("PATCH", "switches", {"indexes": "warn"})
    console.browser.refresh()
    console.sees("No index is missing")
    assert ask(console, hearth).status_code == 200
    console.sees("collection c where a == … order by b")


def test_missing_indexes_are_looked_for_from_the_page_that_lists_them(console):
    console.open("indexes")
    console.button("Report missing indexes")
    console.says("listed here from now on")
    assert console.own("GET", "switches")["indexes"] == "warn"
    console.sees("No index is missing")
    console.button("Undo", "#toasts")
    console.sees("without a look at indexes")
    assert console.own("GET", "switches")["indexes"] == "off"
