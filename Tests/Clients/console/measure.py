"""How soon the console's pages are painted, and lists of many accounts answered.

HEARTH_BINARY=hearth .venv/bin/python Tests/Clients/console/measure.py [number of accounts]
"""

import json
import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import requests  # noqa: E402
from selenium import webdriver  # noqa: E402
from support.server import PROJECT, Server  # noqa: E402

ROWS = 10_000
RUNS = 15
# When the first row of a list was there, in milliseconds after the page was asked for.
WATCH = """
  new MutationObserver((_, observer) => {
    if (!document.querySelector("main li, main tbody tr")) return;
    requestAnimationFrame(() => { window.rowsAt = performance.now(); });
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });"""


def fill(server: Server, session: requests.Session, accounts: int) -> None:
    toolkit = f"{server.auth}/identitytoolkit.googleapis.com/v1"
    for number in range(ROWS):
        session.post(
            f"{toolkit}/accounts:sendVerificationCode?key=any",
            json={"phoneNumber": f"+1555{number:07}"},
        ).raise_for_status()
    root = f"projects/{PROJECT}/databases/(default)/documents"
    for start in range(0, ROWS, 500):
        session.post(
            f"{server.addresses['firestore']}/v1/{root}:commit",
            headers=owner(),
            json={
                "writes": [
                    {"update": {"name": f"{root}/cities/c{number:05}", "fields": {}}}
                    for number in range(start, start + 500)
                ]
            },
        ).raise_for_status()
    for start in range(0, accounts, 1000):
        session.post(
            f"{toolkit}/projects/{PROJECT}/accounts:batchCreate",
            headers=owner(),
            json={
                "users": [
                    {
                        "localId": f"u{number:07}",
                        "email": f"user{number:07}@example.com",
                        "displayName": f"Person {number:07}",
                    }
                    for number in range(start, min(accounts, start + 1000))
                ]
            },
        ).raise_for_status()


def owner() -> dict:
    return {"Authorization": "Bearer owner"}


def spread(times: list[float]) -> str:
    return f"{statistics.median(times):6.0f} ms (best {min(times):.0f}, worst {max(times):.0f})"


def paint(server: Server) -> None:
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(argument)
    browser = webdriver.Chrome(
        options=options, service=webdriver.ChromeService("/usr/bin/chromedriver")
    )
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
    for page in ("mailbox", "users", "firestore/cities", "requests"):
        painted, listed = [], []
        for _ in range(RUNS):
            browser.get("about:blank")
            browser.get(f"{server.addresses['console']}/console/?project={PROJECT}#/{page}")
            while not (rows := browser.execute_script("return window.rowsAt")):
                time.sleep(0.01)
            listed.append(rows)
            painted.append(
                browser.execute_script(
                    "return performance.getEntriesByName('first-contentful-paint')[0].startTime"
                )
            )
        print(f"{page:20} first paint {spread(painted)}, rows {spread(listed)}")
    browser.quit()


def ask(server: Server, session: requests.Session, name: str, query: str) -> None:
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        reply = session.get(
            f"{server.auth}/emulator/v1/projects/{PROJECT}/accounts?{query}", timeout=60
        )
        times.append((time.perf_counter() - start) * 1000)
        assert reply.status_code == 200, reply.text
    print(f"{name:20} {spread(times[1:])}, the first {times[0]:.0f} ms")


def main() -> None:
    accounts = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    server, session = Server(), requests.Session()
    fill(server, session, accounts)
    print(json.dumps({"messages": ROWS, "documents": ROWS, "accounts": accounts}))
    ask(server, session, "first search", "limit=50&q=nobody-has-this")
    ask(server, session, "page of users", "limit=50")
    ask(server, session, "sorted page", "limit=50&sort=email&order=desc&offset=1000")
    ask(server, session, "substring, frequent", "limit=50&q=99")
    ask(server, session, "substring, rare", "limit=50&q=0123456")
    paint(server)
    server.stop()


main()
