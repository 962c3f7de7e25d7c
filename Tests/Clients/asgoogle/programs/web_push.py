"""Chromium with the messaging SDK of web apps: a token, a message from a back end, and what the page gets.

The folder that is named first has the SDK's files. Chromium here has no push service: the page's
`subscribe` is replaced, and DevTools hand the captured message to the service worker.
"""

import json
import pathlib
import sys

import firebase_admin
import requests
from chromium import chromium
from common import CONTROL, PROJECT, done, refused
from firebase_admin import messaging
from support.js_sdk import Pages, serving

SDK = pathlib.Path(sys.argv[1])
CONFIG = {
    "apiKey": "AIza-a-web-key",
    "projectId": PROJECT,
    "messagingSenderId": "123456789012",
    "appId": "1:123456789012:web:abc",
}
INITIALIZE = f"firebase.initializeApp({json.dumps(CONFIG)}); firebase.messaging();"
SCRIPTS = ("firebase-app-compat.js", "firebase-messaging-compat.js")
FILES = {f"/{name}": ("text/javascript", (SDK / name).read_text()) for name in SCRIPTS}
FILES["/firebase-messaging-sw.js"] = (
    "text/javascript",
    f"importScripts({', '.join(repr('/' + name) for name in SCRIPTS)}); {INITIALIZE}",
)
FILES["/"] = (
    "text/html",
    "<!doctype html><meta charset=utf-8><title>App</title>"
    + "".join(f"<script src='/{name}'></script>" for name in SCRIPTS)
    + f"<script>{INITIALIZE}</script>",
)
# What a push service answers: two keys of the right sizes. Chromium takes a network without a route
# for offline.
SUBSCRIBE = """
Object.defineProperty(Navigator.prototype, "onLine", { get: () => true });
PushManager.prototype.subscribe = async function () {
  const key = (size) => Uint8Array.from({ length: size }, (_, index) => index).buffer;
  return {
    endpoint: "https://push.example/1",
    getKey: (name) => key(name === "auth" ? 16 : 65),
    unsubscribe: async () => true,
  };
};"""


def run(browser, script: str):
    outcome = browser.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        f"(async () => {{ {script} }})().then("
        "(value) => done({ value }), (error) => done({ error: `${error}` }));"
    )
    assert "error" not in outcome, outcome
    return outcome.get("value")


def deliver(browser, origin: str, to: str) -> None:
    """Hands the newest captured message to the service worker."""
    message = requests.get(
        f"{CONTROL}/messages/latest", params={"to": to, "wait": "10s"}, timeout=30
    )
    number = message.json()["id"]
    payload = requests.get(f"{CONTROL}/messages/{number}/payload/webpush", timeout=30)
    browser.execute_cdp_cmd("ServiceWorker.enable", {})
    browser.execute_cdp_cmd(
        "ServiceWorker.deliverPushMessage",
        # The only registration of a new profile.
        {"origin": origin, "registrationId": "0", "data": payload.text},
    )


def story(browser, origin: str) -> None:
    browser.execute_cdp_cmd(
        "Browser.grantPermissions", {"origin": origin, "permissions": ["notifications"]}
    )
    browser.get(origin + "/")
    token = run(browser, SUBSCRIBE + "return await firebase.messaging().getToken();")
    assert isinstance(token, str) and ":APA91b" in token, token
    device = requests.get(f"{CONTROL}/devices/{token}", timeout=30).json()
    assert (device["platform"], device["state"]) == ("web", "registered"), device
    run(browser, "window.got = new Promise((resolve) => firebase.messaging().onMessage(resolve));")
    messaging.send(
        messaging.Message(
            token=token,
            notification=messaging.Notification(title="Order", body="It is on its way."),
            data={"order": "12"},
        )
    )
    deliver(browser, origin, token)
    got = run(browser, "return await got;")
    assert got["notification"]["title"] == "Order", got
    assert got["data"] == {"order": "12"}, got
    # The installation of the token is a target too.
    assert messaging.send(messaging.Message(token=token.split(":")[0])).startswith("projects/")
    assert run(browser, "return await firebase.messaging().deleteToken();") is True
    with refused(messaging.UnregisteredError):
        messaging.send(messaging.Message(token=token))


def main() -> None:
    firebase_admin.initialize_app()
    with serving(type("ThesePages", (Pages,), {"files": FILES})) as port:
        browser = chromium()
        try:
            story(browser, f"http://localhost:{port}")
        finally:
            browser.quit()
    done()


main()
