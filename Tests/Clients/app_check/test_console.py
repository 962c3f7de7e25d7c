"""The page of App Check: what is enforced, who would be refused, debug tokens."""

import requests
from selenium.webdriver.support.ui import Select
from support.auth.app_check import APP, SECRET
from support.console import browser, console, console_url  # noqa: F401


def sign_up(console, **headers: str) -> int:
    return requests.post(
        f"{console.origin}/identitytoolkit.googleapis.com/v1/accounts:signUp?key={console.project}",
        json={},
        headers=headers,
        timeout=30,
    ).status_code


def test_enforcement_and_its_report(console):
    console.open("appcheck")
    Select(console.labelled("Auth without a token")).select_by_visible_text("Refused")
    console.says("Auth without a token: Refused")
    assert console.own("GET", "switches")["appCheckAuth"] == "enforce"
    assert sign_up(console) == 401
    token = console.own("POST", "appCheck:token", {"appId": APP})["token"]
    assert sign_up(console, **{"X-Firebase-AppCheck": token}) == 200
    console.button("Refresh")
    console.sees("1 verified, 0 invalid, 0 of outdated clients, 1 of unknown origin; 1 refused.")
    console.sees(APP)
    console.button("Clear the report")
    console.button("Clear the report", "dialog")
    console.sees("0 verified, 0 invalid, 0 of outdated clients, 0 of unknown origin; 0 refused.")


def test_debug_tokens_are_registered_and_deleted(console):
    console.open("appcheck")
    console.own("PATCH", "switches", {"appCheckAttestation": "registered"})
    console.button("Register a debug token")
    console.type("App id", APP, "dialog")
    console.type("Name", "CI", "dialog")
    console.type("Debug token", SECRET, "dialog")
    console.button("Register", "dialog")
    console.says("The debug token is registered.")
    console.sees("CI")
    reply = requests.post(
        f"{console.origin}/firebaseappcheck.googleapis.com/v1/projects/{console.project}"
        f"/apps/{APP}:exchangeDebugToken?key=any",
        json={"debug_token": SECRET},
        timeout=30,
    )
    assert reply.status_code == 200, reply.text
    console.button("Delete")
    console.button("Delete", "dialog")
    console.until(lambda: console.own("GET", "appCheck")["debugTokens"] == [])
    console.until(lambda: "CI" not in console.text("main"))
