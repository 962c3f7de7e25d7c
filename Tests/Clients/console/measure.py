"""How soon the console's pages are painted, and lists of many accounts answered:

HEARTH_BINARY=hearth .venv/bin/python Tests/Clients/console/measure.py [number of accounts]

What watching costs: bytes, requests and moved places of each view, how much longer the app waits while
it is open, and the memory after half an hour of events in a few minutes:

HEARTH_BINARY=hearth .venv/bin/python Tests/Clients/console/measure.py watching [events a second]

How much longer the app waits, alone: `measure.py waiting`.
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

VIEWS = ["overview", "mailbox", "users", "firestore/cities", "rules", "indexes", "timeline"]
VIEWS += ["triggers", "requests", "faults", "clock", "keys", "settings"]
# A request each 20 ms, of which the median is taken.
PACE, READS = 0.02, 150
# A view is open and closed in turns, so that what else the machine does strikes both.
ROUNDS = 5
MINUTES = 30
SHIFTS = """
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) {
      if (!hadRecentInput) window.shifted += value;
    }
  }).observe({ type: "layout-shift", buffered: true });"""
LOADED = """
  const all = [...performance.getEntriesByType("navigation"),
    ...performance.getEntriesByType("resource")];
  const files = all.filter(({ name }) => name.includes("/console/"));
  const bytes = (some) => some.reduce((sum, one) => sum + one.transferSize, 0) / 1000;
  return { count: all.length, files: bytes(files), all: bytes(all), shifted: window.shifted };"""


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


def chromium(script: str) -> webdriver.Chrome:
    """A browser that runs the script in each page."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--window-size=1440,900",
    ):
        options.add_argument(argument)
    browser = webdriver.Chrome(
        options=options, service=webdriver.ChromeService("/usr/bin/chromedriver")
    )
    browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
    return browser


def paint(server: Server) -> None:
    browser = chromium(WATCH)
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


class Watched:
    def __init__(self):
        self.server = Server()
        self.session = requests.Session()
        self.documents = (
            f"{self.server.addresses['firestore']}/v1/projects/{PROJECT}/databases/(default)"
            "/documents/cities"
        )
        self.browser = chromium(SHIFTS)

    def open(self, view: str) -> None:
        self.browser.get("about:blank")
        self.browser.get(f"{self.server.addresses['console']}/console/?project={PROJECT}#/{view}")
        time.sleep(1.5)

    def write(self, number: int) -> None:
        fields = {"fields": {"n": {"integerValue": str(number)}}}
        url = f"{self.documents}/c{number % 20}"
        self.session.patch(url, json=fields, timeout=60).raise_for_status()

    def mail(self) -> None:
        self.session.post(
            f"{self.server.auth}/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=any",
            json={"requestType": "PASSWORD_RESET", "email": "ann@example.com"},
            timeout=60,
        ).raise_for_status()

    def reads(self) -> float:
        """The median of an app's reads, in milliseconds."""
        times = []
        for number in range(READS):
            start = time.perf_counter()
            self.session.get(f"{self.documents}/c{number % 20}", timeout=60)
            took = time.perf_counter() - start
            times.append(took * 1000)
            time.sleep(max(0, PACE - took))
        return statistics.median(times)

    def heap(self) -> float:
        self.browser.execute_cdp_cmd("HeapProfiler.enable", {})
        self.browser.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
        self.browser.execute_cdp_cmd("Performance.enable", {})
        found = self.browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
        return next(one["value"] for one in found if one["name"] == "JSHeapUsedSize") / 1e6


def loads(watched: Watched) -> None:
    for view in VIEWS:
        watched.open(view)
        first = watched.browser.execute_script(LOADED)
        watched.browser.refresh()
        time.sleep(1.5)
        again = watched.browser.execute_script(LOADED)
        print(
            f"{view:18} first {first['count']:3} requests, files {first['files']:5.1f} kB, "
            f"all {first['all']:5.1f} kB; reload files {again['files']:.1f} kB, all "
            f"{again['all']:.1f} kB; CLS {max(first['shifted'], again['shifted']):.3f}"
        )


def watching(watched: Watched) -> None:
    print(f"the app's reads, 50 a second: medians of {ROUNDS} rounds, with a view open and without")
    for view in VIEWS:
        opened, closed = [], []
        for number in range(ROUNDS):
            for is_open in (True, False) if number % 2 else (False, True):
                if is_open:
                    watched.open(view)
                else:
                    watched.browser.get("about:blank")
                (opened if is_open else closed).append(watched.reads())
        ratio = statistics.median(one / other for one, other in zip(opened, closed, strict=True))
        print(
            f"{view:18} {statistics.median(opened):5.2f} ms, without "
            f"{statistics.median(closed):5.2f} ms, {ratio - 1:+.0%} (median of the rounds)",
            flush=True,
        )


def half_an_hour(watched: Watched, rate: int) -> None:
    """Writes and mails of half an hour, as quickly as the server takes them; one view after another."""
    views = ["requests", "timeline", "mailbox", "overview", "firestore/cities"]
    total, heaps = MINUTES * 60 * rate, []
    watched.open(views[0])
    for number in range(total):
        watched.write(number)
        if number % 50 == 0:
            watched.mail()
        if number % (total // 20) == 0:
            watched.browser.execute_script(
                "location.hash = arguments[0]", "#/" + views[len(heaps) % len(views)]
            )
            heaps.append(watched.heap())
    heaps.append(watched.heap())
    middle, end = statistics.mean(heaps[8:13]), statistics.mean(heaps[-5:])
    print(f"{total} events: heap {' '.join(f'{heap:.1f}' for heap in heaps)} MB")
    print(f"heap at the end / in the middle: {end / middle:.2f}")


def watch(rate: int) -> None:
    watched = Watched()
    for number in range(20):
        watched.write(number)
    watched.session.post(
        f"{watched.server.auth}/identitytoolkit.googleapis.com/v1/projects/{PROJECT}/accounts",
        json={"email": "ann@example.com", "password": "old secret"},
        headers={"Authorization": "Bearer owner"},
        timeout=60,
    ).raise_for_status()
    watched.mail()
    loads(watched)
    watching(watched)
    half_an_hour(watched, rate)
    watched.browser.quit()
    watched.server.stop()


def wait() -> None:
    watched = Watched()
    for number in range(20):
        watched.write(number)
    watching(watched)
    watched.browser.quit()
    watched.server.stop()


def main() -> None:
    if sys.argv[1:2] == ["watching"]:
        return watch(int(sys.argv[2]) if len(sys.argv) > 2 else 5)
    if sys.argv[1:2] == ["waiting"]:
        return wait()
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
