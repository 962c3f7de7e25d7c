"""The web console on a page in Chromium."""

import re
import uuid
from urllib.parse import urlsplit

import pytest
import requests
from selenium.webdriver.common.by import By
from support.browser import browser, until  # noqa: F401

# One script instead of several questions for each element, which take most of a test's time.
FIND_BUTTON = """
    return [...document.querySelectorAll(arguments[0])].find((button) =>
      [button.innerText.trim(), button.getAttribute("aria-label")].includes(arguments[1])
      && !button.ariaDisabled
      && button.checkVisibility({ visibilityProperty: true, opacityProperty: true }))"""
FIND_LABELLED = """
    const label = [...document.querySelectorAll(arguments[0])].find((label) =>
      label.innerText.trim() === arguments[1] && label.checkVisibility())
    return label && document.getElementById(label.htmlFor)"""
NOTE_CLICK = """
    window.isClicked = false;
    arguments[0].addEventListener(
      "click", () => { window.isClicked = true; }, { capture: true, once: true });"""
# What is said in the corner goes away after some seconds, which a busy machine may miss.
KEEP_SAID = """
    window.said = [];
    new MutationObserver((changes) => {
      for (const change of changes) for (const node of change.addedNodes) said.push(node.innerText);
    }).observe(document.getElementById("toasts"), { childList: true });"""
HAS_SAID = """
    const at = said.findIndex((words) => words.includes(arguments[0]));
    return at >= 0 && said.splice(0, at + 1)"""
HAS_CAUGHT_UP = """
    return performance.getEntriesByType("resource")
      .some(({ name }) => name.includes("q=is:unread"))"""


@pytest.fixture(scope="module")
def console_url(hearth):
    return hearth.addresses["console"] + "/console/"


class Console:
    """A page of the console in one project that no other test uses."""

    def __init__(self, browser, url):
        self.browser, self.url = browser, url
        self.origin = "http://" + urlsplit(url).netloc
        self.project = "demo-" + uuid.uuid4().hex[:10]

    # The server's side.

    def call(self, method, path, body=None, status=200):
        reply = requests.request(
            method,
            self.origin + path,
            json=body,
            timeout=30,
            headers={"Authorization": "Bearer owner"},
        )
        assert reply.status_code == status, reply.text
        return reply.json()

    def own(self, method, rest, body=None):
        return self.call(method, f"/emulator/v1/projects/{self.project}/{rest}", body)

    def admin(self, verb, body):
        return self.call(
            "POST",
            f"/identitytoolkit.googleapis.com/v1/projects/{self.project}/accounts{verb}",
            body,
        )

    def client(self, verb, body):
        reply = requests.post(
            f"{self.origin}/identitytoolkit.googleapis.com/v1/accounts:{verb}?key={self.project}",
            json=body,
            timeout=30,
        )
        assert reply.status_code == 200, reply.text
        return reply.json()

    def document(self, path):
        return self.call("GET", f"/v1/projects/{self.project}/databases/(default)/documents/{path}")

    # The person's side.

    def open(self, route):
        self.browser.get("about:blank")
        self.browser.get(f"{self.url}?project={self.project}#/{route}")
        self.until(lambda: self.find("main h1"))
        self.run(KEEP_SAID)
        return self

    def caught_up(self):
        """Waits until the page hears what happens. It reads again then what it shows, and replaces
        it; the unread mails are counted last."""
        self.until(lambda: self.run(HAS_CAUGHT_UP))
        return self

    def visit(self, route):
        """Goes to another view of the page that is open."""
        self.run("location.hash = arguments[0]", "#/" + route)
        name = re.split(r"[/?]", route)[0]
        self.until(
            lambda: self.run(
                """
          const root = document.querySelector("main > .view");
          return root.classList.contains(arguments[0]) && root.innerText.trim()""",
                name,
            )
        )
        return self

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def until(self, condition):
        return until(self.browser, condition)

    def in_frame(self, condition, selector="iframe"):
        """The first true value of `condition` in the frame, which the page may load again."""

        def inside():
            try:
                self.browser.switch_to.frame(self.find(selector))
                return condition()
            finally:
                self.browser.switch_to.default_content()

        return self.until(inside)

    def sees(self, words, selector="main"):
        return self.until(
            lambda: (
                words
                in self.run(
                    "return document.querySelector(arguments[0])?.innerText ?? ''", selector
                )
            )
        )

    def says(self, words):
        """Waits until the words are said in the corner, after those that were waited for before."""
        return self.until(lambda: self.run(HAS_SAID, words))

    def texts(self, selector):
        """The words of each element, also of one that is just appearing."""
        return self.run(
            "return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText)",
            selector,
        )

    def text(self, selector):
        return self.until(lambda: self.find(selector).text)

    def click(self, find):
        """Clicks what `find` returns, a selector's element or a function's, once it is there.

        A click is lost where the page replaces the element between the press and the release.
        """

        def press():
            found = find() if callable(find) else self.find(find)
            if not found:
                return False
            self.run(NOTE_CLICK, found)
            found.click()
            return self.run("return window.isClicked !== false")

        self.until(press)

    def button(self, label, within="main"):
        """Presses the button, once it is there."""
        self.click(lambda: self.run(FIND_BUTTON, f"{within} button, {within} a.button", label))

    def labelled(self, label, within="main"):
        return self.until(lambda: self.run(FIND_LABELLED, f"{within} label", label))

    def type(self, label, text, within="main"):
        def enter():
            control = self.labelled(label, within)
            control.clear()
            control.send_keys(text)
            return control

        return self.until(enter)

    def focused(self):
        return self.browser.switch_to.active_element

    def run(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def clipboard(self):
        return self.browser.execute_async_script(
            "const done = arguments[0]; navigator.clipboard.readText().then(done, () => done(''))"
        )


@pytest.fixture
def console(browser, console_url):
    browser.set_window_size(1200, 900)
    browser.get_log("browser")
    console = Console(browser, console_url)
    yield console
    blocked = [
        entry["message"]
        for entry in browser.get_log("browser")
        if "Content Security Policy" in entry["message"] or "Error:" in entry["message"]
    ]
    assert not blocked
    origins = console.run(
        "return performance.getEntriesByType('resource').map(entry => new URL(entry.name).origin)"
    )
    assert set(origins) <= {console.origin}


def reset_mail(console, address="ann@example.com"):
    console.admin("", {"email": address, "password": "old secret"})
    console.client("sendOobCode", {"requestType": "PASSWORD_RESET", "email": address})
    return console.own("GET", "messages")["messages"][-1]
