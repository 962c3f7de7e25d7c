"""The pages of links, of the provider and of the mailbox, and mails, in a real Chromium."""

import html
import os
import re
import uuid
from urllib.parse import quote, urlencode

import pytest
import requests
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from support.accessibility import emulate, faults
from support.browser import browser, until  # noqa: F401
from support.server import Server

LANGUAGES = ["en", "de", "fr", "es", "it", "pt-BR", "ja", "zh-CN", "ar", "he"]
POLICY = {
    "passwordPolicyConfig": {
        "passwordPolicyEnforcementState": "ENFORCE",
        "passwordPolicyVersions": [
            {
                "customStrengthOptions": {
                    "minPasswordLength": 8,
                    "maxPasswordLength": 30,
                    "containsUppercaseCharacter": True,
                    "containsNumericCharacter": True,
                    "containsNonAlphanumericCharacter": True,
                }
            }
        ],
    }
}


class App:
    """A project that no other test uses, with a user and a browser."""

    def __init__(self, server: Server, browser):
        self.server, self.browser = server, browser
        self.project = "demo-" + uuid.uuid4().hex[:10]
        self.email = f"{uuid.uuid4().hex[:8]}@example.com"
        self.user = self.accounts("signUp", {"email": self.email, "password": "secret1"})

    def call(self, method: str, path: str, body=None, **headers) -> dict:
        reply = requests.request(
            method,
            self.server.auth + path,
            json=body,
            timeout=30,
            headers={"Authorization": "Bearer owner", **headers},
        )
        assert reply.status_code == 200, reply.text
        return reply.json()

    def accounts(self, verb: str, body: dict, **headers) -> dict:
        """A client's call; the key is the project's name."""
        reply = requests.post(
            f"{self.server.auth}/identitytoolkit.googleapis.com/v1/accounts:{verb}",
            params={"key": self.project},
            json=body,
            headers=headers,
            timeout=30,
        )
        assert reply.status_code == 200, reply.text
        return reply.json()

    def configure(self, mask: str, config: dict) -> None:
        self.call(
            "PATCH",
            f"/identitytoolkit.googleapis.com/v2/projects/{self.project}/config?updateMask={mask}",
            config,
        )

    def rename(self, **names: str) -> None:
        if "app" in names:
            self.call(
                "PATCH", f"/emulator/v1/projects/{self.project}/switches", {"appName": names["app"]}
            )
        if "user" in names:
            self.accounts("update", {"idToken": self.user["idToken"], "displayName": names["user"]})

    def send(self, kind: str = "PASSWORD_RESET", language: str = "", **more) -> dict:
        """The mail."""
        body = {"requestType": kind, **more}
        body |= (
            {"email": self.email}
            if kind in ("PASSWORD_RESET", "EMAIL_SIGNIN")
            else {"idToken": self.user["idToken"]}
        )
        self.accounts("sendOobCode", body, **({"X-Firebase-Locale": language} if language else {}))
        return self.call("GET", f"/emulator/v1/projects/{self.project}/messages/latest")

    def open(self, mail: dict, more: str = "") -> None:
        self.browser.get(mail["oobLink"] + more)

    def find(self, selector: str):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector: str = "main") -> str:
        return self.find(selector).text

    def focused(self) -> str:
        return self.browser.switch_to.active_element.get_attribute("id")

    def until(self, condition):
        return until(self.browser, condition)


@pytest.fixture
def app(hearth, browser):
    emulate(browser)
    return App(hearth, browser)


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_and_mail_speak_one_language(app, language):
    app.rename(app="Artitec", user="Ann Otter")
    mail = app.send(language=language)
    assert "Ann Otter" in mail["text"].splitlines()[0] and "Artitec" in mail["subject"]
    for scheme in ("light", "dark"):
        emulate(app.browser, scheme, 320)
        app.open(mail)
        assert app.find("html").get_attribute("lang") == language == mail["locale"]
        right_to_left = language in ("ar", "he")
        assert (app.find("html").get_attribute("dir") == "rtl") == right_to_left
        assert "Artitec" in app.text() and "Ann Otter" in app.text()
        assert faults(app.browser) == []
        app.browser.get("data:text/html;charset=utf-8," + quote(mail["html"]))
        assert (app.find("html").get_attribute("dir") == "rtl") == right_to_left
        # A mail has no landmarks: mail programs show it inside of theirs.
        assert [fault for fault in faults(app.browser) if fault != "main"] == []


def test_a_page_without_a_language_asks_the_browser(app):
    link = app.send()["oobLink"].replace("&lang=en", "")
    for header, tag in (("he, en;q=0.5", "he"), ("tlh", "en")):
        page = requests.get(
            link, timeout=30, headers={"Accept": "text/html", "Accept-Language": header}
        ).text
        assert f'<html lang="{tag}"' in page


def test_the_default_language_of_the_project(app):
    app.configure("notification.defaultLocale", {"notification": {"defaultLocale": "fr"}})
    mail = app.send()
    assert mail["locale"] == "fr" and "&lang=fr&" in mail["oobLink"]
    assert app.send(language="de")["locale"] == "de"


def test_rules_are_told_as_one_types(app):
    app.configure("passwordPolicyConfig", POLICY)
    app.open(app.send())
    # A field takes the focus after the page is loaded.
    app.until(lambda: app.focused() == "new-password")
    rules = lambda: {  # noqa: E731
        rule.text: rule.get_attribute("data-is")
        for rule in app.browser.find_elements(By.CSS_SELECTOR, "[data-rule]")
    }
    assert set(rules().values()) == {None} and len(rules()) == 5
    app.browser.switch_to.active_element.send_keys("Ab1")
    assert rules() == {
        "At least 8 characters": "open",
        "At most 30 characters": "met",
        "An uppercase letter": "met",
        "A digit": "met",
        "A special character such as ! or ?": "open",
    }
    app.until(
        lambda: (
            app.find("#strength").get_attribute("textContent")
            == ("Still missing: at least 8 characters, a special character such as ! or ?")
        )
    )
    app.browser.switch_to.active_element.send_keys("!efgh")
    assert set(rules().values()) == {"met"}
    # By keyboard: show the password, save it.
    app.browser.switch_to.active_element.send_keys(Keys.TAB)
    app.browser.switch_to.active_element.send_keys(Keys.SPACE)
    assert app.find("#new-password").get_attribute("type") == "text"
    app.browser.switch_to.active_element.send_keys(Keys.TAB)
    app.browser.switch_to.active_element.send_keys(Keys.ENTER)
    app.until(lambda: app.text("h1") == "Password changed")
    app.accounts("signInWithPassword", {"email": app.email, "password": "Ab1!efgh"})


@pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])
def test_a_refused_password_can_be_mended(app, scripts):
    app.configure("passwordPolicyConfig", POLICY)
    emulate(app.browser, scripts=scripts)
    app.open(app.send(language="de"))
    app.find("#new-password").send_keys("password1" + Keys.ENTER)
    app.until(lambda: app.browser.title.startswith("Fehler") and app.focused() == "new-password")
    assert app.text("#problem") == "Dieses Passwort erfüllt die Anforderungen nicht."
    missing = [
        rule.text for rule in app.browser.find_elements(By.CSS_SELECTOR, "[data-is=missing]")
    ]
    assert missing == ["Einen Großbuchstaben", "Ein Sonderzeichen wie ! oder ?"]
    field = app.find("#new-password")
    assert field.get_attribute("aria-invalid") == "true"
    assert app.find("#show-password").is_displayed() == scripts
    field.send_keys("Password1!")
    assert app.find("#problem").is_displayed() != scripts
    field.send_keys(Keys.ENTER)
    app.until(lambda: app.text("h1") == "Passwort geändert")


@pytest.mark.parametrize("scripts", [True, False], ids=["script", "no script"])
@pytest.mark.parametrize("password", ["", "abc"])
def test_a_short_password_is_refused_in_the_words_of_the_page(app, scripts, password):
    """A browser would say it in its own language, in a bubble, and send nothing."""
    emulate(app.browser, scripts=scripts)
    app.open(app.send(language="de"))
    app.find("#new-password").send_keys(password + Keys.ENTER)
    app.until(lambda: app.browser.title.startswith("Fehler"))
    assert app.text("#problem") == "Dieses Passwort erfüllt die Anforderungen nicht."
    assert app.find("#new-password").get_attribute("aria-invalid") == "true"


def test_a_card_is_in_the_middle_of_the_screen(app):
    emulate(app.browser, width=1440)
    app.open(app.send())
    left, right, top = app.browser.execute_script("""
      const { left, right, top } = document.querySelector("main").getBoundingClientRect();
      return [left, innerWidth - right, top]""")
    assert abs(left - right) <= 1 and top > 60


def states(app: App):
    """Pages of every kind, with the state that each shows."""
    mail = app.send()
    yield mail["oobLink"], "open"
    yield mail["oobLink"].replace("oobCode=", "oobCode=x"), "problem"
    verify = app.send("VERIFY_EMAIL")["oobLink"]
    yield verify, "done"
    yield verify, "warning"
    yield app.send("VERIFY_EMAIL", continueUrl="artitec://done?x=1")["oobLink"], "done"
    yield app.send("VERIFY_EMAIL")["oobLink"] + "&continueUrl=javascript:alert(1)", "done"
    yield app.send("EMAIL_SIGNIN", continueUrl="artitec://sign-in")["oobLink"], "open"
    late = app.send("VERIFY_EMAIL")["oobLink"]
    app.call("PATCH", f"/emulator/v1/projects/{app.project}/clock", {"advance": "P30D"})
    yield late, "warning"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1200])
def test_every_state_is_plain_to_see(app, scheme, width):
    app.rename(app="An app with a rather long name, " * 3)
    emulate(app.browser, scheme, width)
    for number, (link, state) in enumerate(states(app)):
        app.browser.get(link)
        assert app.find("main").get_attribute("data-state") == state, link
        assert faults(app.browser) == [], link
        folder = os.environ.get("SCREENSHOTS")
        if folder:
            app.browser.save_screenshot(f"{folder}/{scheme}-{width}-{number}-{state}.png")


def test_an_app_is_opened_by_hand(app):
    url = "artitec://done?x=1&y=%22"
    for kind, title in (
        ("VERIFY_EMAIL", "E-mail address verified"),
        ("EMAIL_SIGNIN", "Continue in the app"),
    ):
        app.open(app.send(kind, continueUrl=url))
        assert app.text("h1") == title
        assert app.browser.current_url.startswith("http://127.0.0.1:")
        button = app.find("a.button")
        assert button.text == "Open in the app"
        assert button.get_attribute("href").startswith("artitec://done?x=1&y=%22")
        assert "artitec://done?x=1&y=%22" in app.text("#opens")


@pytest.mark.parametrize(
    "url", ["javascript://x/%0aalert(1)", "data:text/html,x", "JavaScript:alert(1)", "vbscript:x"]
)
def test_what_could_run_is_not_offered(app, url):
    app.open(app.send("VERIFY_EMAIL"), "&continueUrl=" + quote(url, safe=""))
    assert app.text("h1") == "E-mail address verified"
    assert "are not opened" in app.text() and not app.browser.find_elements(By.TAG_NAME, "a")
    app.open(app.send("EMAIL_SIGNIN"), "&continueUrl=" + quote(url, safe=""))
    assert app.text("h1") == "This link leads nowhere"


def test_the_web_is_returned_to_at_once(app):
    back = app.server.auth + "/mailbox"
    app.open(app.send("VERIFY_EMAIL", continueUrl=back))
    assert app.browser.current_url == back


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1200])
def test_the_provider_page_and_the_mailbox(app, scheme, width):
    app.accounts(
        "signInWithIdp",
        {
            "requestUri": "http://localhost",
            "postBody": urlencode(
                {
                    "providerId": "google.com",
                    "id_token": f'{{"sub": "raw", "email": "g-{app.email}", "name": "آن"}}',
                }
            ),
        },
    )
    app.rename(app="Artitec")
    mail = app.send(language="ar")
    emulate(app.browser, scheme, width)
    pages = {
        "provider": "/emulator/auth/handler?"
        + urlencode(
            {
                "apiKey": app.project,
                "appName": "a",
                "providerId": "google.com",
                "authType": "signInViaPopup",
            }
        ),
        "mailbox": f"/mailbox?project={app.project}&refresh=off",
        "message": f"/mailbox/{mail['id']}?project={app.project}",
    }
    for name, path in pages.items():
        app.browser.get(app.server.auth + path)
        assert faults(app.browser) == [], name
        if name == "provider":
            assert "Artitec" in app.text() and "g-" + app.email in app.text("#accounts-list")
            app.find(".js-new-account").send_keys(Keys.ENTER)
            assert app.browser.switch_to.active_element.get_attribute("id") == "email-input"
            assert faults(app.browser) == []


DEVICES = {
    "iPhone": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)",
    "Android": "Mozilla/5.0 (Linux; Android 15; Pixel 9)",
    "Linux": "Mozilla/5.0 (X11; Linux)",
}


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("kind", ["EMAIL_SIGNIN", "VERIFY_EMAIL"])
def test_a_phone_is_offered_the_app_that_the_settings_name(app, kind, device):
    back = "https://app.example.com/done?x=1"
    mail = app.send(
        kind, continueUrl=back, iOSBundleId="com.example.app", androidPackageName="com.example.app"
    )
    page = requests.get(
        mail["oobLink"],
        timeout=30,
        allow_redirects=False,
        headers={"Accept": "text/html", "User-Agent": DEVICES[device]},
    )
    target = mail["oobLink"] if kind == "EMAIL_SIGNIN" else back
    if device == "Linux":
        assert page.status_code == 303 and page.headers["Location"].startswith(back)
        return
    assert page.status_code == 200 and "Continue in the browser" in page.text
    if device == "iPhone":
        link = "com.example.app://google/link?deep_link_id=" + quote(target, safe="")
    else:
        scheme, rest = target.split(":", 1)
        link = f"intent:{rest}#Intent;scheme={scheme};package=com.example.app;end"
    assert f'href="{html.escape(link)}"' in page.text


def test_what_became_of_a_link(app):
    headers = {"Accept": "text/html"}
    link = app.send("VERIFY_EMAIL")["oobLink"]

    def title(link: str) -> str:
        page = requests.get(link, headers=headers, timeout=30).text
        return page.split("<h1>")[1].split("</h1>")[0]

    assert title(link) == "E-mail address verified"
    assert title(link) == "This link has been used"
    assert title(link.replace("oobCode=", "oobCode=x")) == "This link does not work"
    new = "new-" + app.email
    link = app.send("VERIFY_AND_CHANGE_EMAIL", newEmail=new)["oobLink"]
    app.accounts("signUp", {"email": new, "password": "secret1"})
    assert title(link) == "This address is in use"


def test_the_name_of_the_app_is_one_line(app):
    switches = f"{app.server.auth}/emulator/v1/projects/{app.project}/switches"
    for name in ("x" * 101, "a\nb", 1, None):
        assert requests.patch(switches, json={"appName": name}, timeout=30).status_code == 400
    app.rename(app="Söhne & <b>Co</b>")
    mail = app.send()
    assert mail["subject"] == "Reset your password for Söhne & <b>Co</b>"
    assert mail["fromName"] == "Söhne & <b>Co</b>"
    app.rename(app="")
    assert app.project in app.send()["subject"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_speak_the_language_of_the_browser(app, language):
    mail = app.send()
    pages = [
        f"/mailbox?project={app.project}",
        f"/mailbox/{mail['id']}?project={app.project}",
        f"/mailbox/none?project={app.project}",
        "/emulator/auth/handler?" + urlencode({"apiKey": app.project, "providerId": "google.com"}),
    ]
    for page in pages:
        texts = {
            tag: requests.get(
                app.server.auth + page, timeout=30, headers={"Accept-Language": tag}
            ).text
            for tag in (language, "en")
        }
        text = texts[language]
        assert f'<html lang="{language}"' in text, page
        assert (' dir="rtl">' in text) == (language in ("ar", "he")), page
        assert not re.search(r"\{(provider|project|count|forms|id)\}", text), page
        assert (texts["en"] == text) == (language == "en") or "nonce" in text, page
    handler = requests.get(
        app.server.auth + pages[3] + f"&hl={language}",
        timeout=30,
        headers={"Accept-Language": "en"},
    )
    assert f'<html lang="{language}"' in handler.text
