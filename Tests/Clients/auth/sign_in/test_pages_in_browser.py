"""The pages in a real Chromium: sign-in with a provider, and the pages that mail links open."""

import http.server
import json
import os
import ssl
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest
import requests
from selenium import webdriver
from selenium.webdriver.common.by import By
from support.browser import until
from support.js_sdk import certificate, serving

# What both sides load from Google: enough of it to see what the frame registers and sends.
API_JS = """
window.gapi = {
  load: (name, options) => setTimeout(options.callback, 0),
  iframes: {
    CROSS_ORIGIN_IFRAMES_FILTER: "filter",
    getContext: () => ({ getParentIframe: () => ({
      register: (name, handler, filter) => parent.postMessage(
        { registered: name, answer: handler(), filter: filter }, "*"),
      send: (name, message, answered, filter) => {
        parent.postMessage({ sent: name, message: message, filter: filter }, "*");
        answered([{ status: "ACK" }]);
      },
    }) }),
  },
};
"""

# A page that does what the SDK does: a hidden frame, and a popup or a redirect.
APP = """<!doctype html><title>app</title><button id="open">Sign in</button><script>
const query = new URLSearchParams(location.search);
window.heard = [];
addEventListener("message", (event) => heard.push(event.data));
const frame = document.createElement("iframe");
frame.src = query.get("frame");
document.body.append(frame);
document.getElementById("open").onclick = () => window.open(query.get("handler"));
</script>"""


class Pages(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path.startswith("/js/api.js"):
            kind, body = "text/javascript", API_JS
        else:
            kind, body = "text/html", APP
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *arguments):
        pass


@pytest.fixture(scope="module")
def app():
    with serving(Pages) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(tmp_path_factory.mktemp("tls"), "apis.google.com"))
    with serving(Pages, context) as port:
        options = webdriver.ChromeOptions()
        options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        for argument in (
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--ignore-certificate-errors",
            "--disable-popup-blocking",
            f"--host-resolver-rules=MAP apis.google.com 127.0.0.1:{port}",
        ):
            options.add_argument(argument)
        service = webdriver.ChromeService(os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver"))
        driver = webdriver.Chrome(options=options, service=service)
        yield driver
        driver.quit()


def find(browser, selector):
    return browser.find_element(By.CSS_SELECTOR, selector)


def handler(hearth, **query):
    query = {"apiKey": "key", "appName": "[DEFAULT]", "providerId": "google.com", "v": "11"} | query
    return f"{hearth.auth}/emulator/auth/handler?" + urlencode(query)


def frame(hearth):
    return f"{hearth.auth}/emulator/auth/iframe?" + urlencode(
        {"apiKey": "key", "appName": "[DEFAULT]", "v": "11"}
    )


def heard(browser, name):
    return [
        message
        for message in browser.execute_script("return heard")
        if message.get("sent") == name or message.get("registered") == name
    ]


def sign_in(hearth, event):
    return hearth.accounts(
        "signInWithIdp",
        {
            "requestUri": event["urlResponse"],
            "sessionId": event["sessionId"],
            "returnSecureToken": True,
            "returnIdpCredential": True,
        },
    )


def open_app(browser, app, hearth, **query):
    browser.get(
        app + "/?" + urlencode({"frame": frame(hearth), "handler": handler(hearth, **query)})
    )
    until(browser, lambda: heard(browser, "authEvent"))


def make_account(browser, address):
    find(browser, ".js-new-account").click()
    assert not find(browser, "#sign-in").is_enabled()
    find(browser, "#email-input").send_keys(address)
    find(browser, "#display-name-input").send_keys("Ann <b>Otter</b>")
    until(browser, lambda: find(browser, "#sign-in").is_enabled())
    find(browser, "#sign-in").click()


def test_a_popup_returns_the_user_to_the_app(browser, app, hearth, address):
    open_app(browser, app, hearth, authType="signInViaPopup", eventId="4711", redirectUrl=app)
    [support] = heard(browser, "webStorageSupport")
    assert support["answer"] == {"status": "ACK", "webStorageSupport": True}
    assert support["filter"] == "filter"
    [first] = heard(browser, "authEvent")
    assert first["message"] == {
        "type": "authEvent",
        "authEvent": {"type": "unknown", "error": {"code": "auth/no-auth-event"}},
    }
    window = browser.current_window_handle
    find(browser, "#open").click()
    until(browser, lambda: len(browser.window_handles) == 2)
    popup = next(handle for handle in browser.window_handles if handle != window)
    browser.switch_to.window(popup)
    # The heading is there before the script that hears the buttons.
    until(
        browser,
        lambda: (
            find(browser, "h1").text == "Sign in with Google.com"
            and browser.execute_script("return document.readyState") == "complete"
        ),
    )
    make_account(browser, address)
    browser.close()
    browser.switch_to.window(window)
    until(browser, lambda: len(heard(browser, "authEvent")) == 2)
    event = heard(browser, "authEvent")[1]["message"]["authEvent"]
    assert event | {"urlResponse": ""} == {
        "type": "signInViaPopup",
        "eventId": "4711",
        "urlResponse": "",
        "sessionId": "ValueNotUsedByAuthEmulator",
        "postBody": "",
        "tenantId": None,
        "error": None,
    }
    assert event["urlResponse"].startswith(hearth.auth + "/emulator/auth/handler?providerId=google")
    session = sign_in(hearth, event)
    assert session["email"] == address and session["displayName"] == "Ann <b>Otter</b>"
    assert session["isNewUser"] is True


def test_the_page_has_what_tests_of_browsers_wait_for(browser, hearth, address):
    identity = json.dumps({"sub": "raw-" + address, "email": address})
    hearth.accounts(
        "signInWithIdp",
        {
            "requestUri": "http://localhost",
            "postBody": urlencode({"providerId": "google.com", "id_token": identity}),
        },
    )
    browser.get(handler(hearth, authType="signInViaPopup", hl="de"))
    until(browser, lambda: "Auth Emulator" in browser.title)
    assert browser.title == "Auth Emulator IDP Login Widget"
    until(browser, lambda: browser.execute_script("return typeof toggleForm !== 'undefined'"))
    assert find(browser, "html").get_attribute("data-ready") == "true"
    assert find(browser, f'[data-testid=account][data-email="{address}"]').is_displayed()
    for form in (True, False):
        browser.execute_script("toggleForm()")
        assert find(browser, "[data-testid=email]").is_displayed() is form
        assert find(browser, "[data-testid=accounts]").is_displayed() is not form
    find(browser, "[data-testid=new-account]").click()
    find(browser, "[data-testid=generate]").click()
    assert find(browser, "[data-testid=sign-in]").is_enabled()


def test_a_redirect_comes_back_through_the_frame(browser, app, hearth, address):
    # The account exists, and is picked from the list.
    identity = json.dumps({"sub": "raw-" + address, "email": address, "name": "Bob"})
    made = hearth.accounts(
        "signInWithIdp",
        {
            "requestUri": "http://localhost",
            "postBody": urlencode({"providerId": "facebook.com", "id_token": identity}),
        },
    )
    back = app + "/?" + urlencode({"frame": frame(hearth), "handler": ""})
    browser.get(
        handler(hearth, authType="signInViaRedirect", redirectUrl=back, providerId="facebook.com")
    )
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, ".js-reuse-account"))
    item = next(
        item
        for item in browser.find_elements(By.CSS_SELECTOR, ".js-reuse-account")
        if address in item.text
    )
    item.find_element(By.TAG_NAME, "button").click()
    until(browser, lambda: browser.current_url.startswith(app))
    until(browser, lambda: heard(browser, "authEvent"))
    event = heard(browser, "authEvent")[0]["message"]["authEvent"]
    assert event["type"] == "signInViaRedirect" and event["eventId"] is None
    session = sign_in(hearth, event)
    assert session["localId"] == made["localId"] and "isNewUser" not in session
    # It is reported once.
    browser.get(back)
    until(browser, lambda: heard(browser, "authEvent"))
    assert heard(browser, "authEvent")[0]["message"]["authEvent"]["type"] == "unknown"


def test_a_saml_provider_gets_its_assertion(browser, app, hearth, address):
    back = app + "/?" + urlencode({"frame": frame(hearth), "handler": ""})
    browser.get(
        handler(hearth, authType="signInViaRedirect", redirectUrl=back, providerId="saml.work")
    )
    make_account(browser, address)
    until(browser, lambda: browser.current_url.startswith(app))
    until(browser, lambda: heard(browser, "authEvent"))
    session = sign_in(hearth, heard(browser, "authEvent")[0]["message"]["authEvent"])
    assert session["email"] == address and session["providerId"] == "saml.work"


def test_create_auth_uri_leads_back_with_the_answer(browser, app, hearth, address):
    made = hearth.accounts(
        "createAuthUri",
        {"providerId": "github.com", "continueUri": app + "/back", "context": "state-1"},
    )
    browser.get(made["authUri"])
    make_account(browser, address)
    until(browser, lambda: browser.current_url.startswith(app + "/back"))
    query = parse_qs(urlsplit(browser.current_url).query)
    assert query["state"] == ["state-1"] and query["providerId"] == ["github.com"]
    session = hearth.accounts(
        "signInWithIdp", {"requestUri": browser.current_url, "sessionId": made["sessionId"]}
    )
    assert session["email"] == address


def test_generated_users_and_the_way_back(browser, hearth):
    browser.get(handler(hearth, authType="signInViaPopup"))
    find(browser, ".js-new-account").click()
    find(browser, "#autogen-button").click()
    assert find(browser, "#email-input").get_attribute("value").endswith("@example.com")
    assert find(browser, "#sign-in").is_enabled()
    find(browser, "#back-button").click()
    assert find(browser, "#accounts-list").is_displayed()
    assert not find(browser, "#add-user").is_displayed()


@pytest.mark.parametrize(
    "query, text",
    [({"error": "App not found"}, "App not found"), ({"appName": ""}, "Internal error")],
)
def test_problems_are_shown(browser, hearth, query, text):
    browser.get(handler(hearth, **query))
    until(browser, lambda: text in find(browser, "#error").text)


def test_a_script_is_not_a_valid_redirect(browser, hearth, address):
    browser.get(
        handler(
            hearth, authType="signInViaRedirect", redirectUrl="javascript:document.title='pwned'"
        )
    )
    make_account(browser, address)
    until(browser, lambda: "not a web address" in find(browser, "#error").text)
    assert browser.title != "pwned"


def test_a_forgotten_password_is_reset_on_the_page(browser, hearth, address):
    hearth.accounts("signUp", {"email": address, "password": "secret1"})
    hearth.accounts("sendOobCode", {"requestType": "PASSWORD_RESET", "email": address})
    browser.get(hearth.mail(address, "PASSWORD_RESET")["oobLink"])
    field = until(browser, lambda: find(browser, "input[type=password]"))
    field.send_keys("123")
    find(browser, "form button").click()
    # The page says it in its own language. The browser's bubble would speak the browser's.
    until(browser, lambda: find(browser, "[role=alert]").text)
    refused = browser.get_log("browser")  # later tests find no line of it
    assert ["status of 400" in entry["message"] for entry in refused] == [True]
    find(browser, "input[type=password]").send_keys("new secret")
    find(browser, "form button").click()
    until(browser, lambda: not browser.find_elements(By.CSS_SELECTOR, "input[type=password]"))
    reply = hearth.accounts("signInWithPassword", {"email": address, "password": "new secret"})
    assert reply["email"] == address


def test_the_mailbox_page_shows_the_mail(browser, hearth, address):
    hearth.accounts("signUp", {"email": address, "password": "secret1"})
    hearth.accounts("sendOobCode", {"requestType": "PASSWORD_RESET", "email": address})
    browser.get(hearth.auth + "/mailbox")
    # The page loads itself again every few seconds.
    until(browser, lambda: address in find(browser, "body").text)
    errors = [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    assert not errors


def test_an_unknown_code_is_explained(browser, hearth):
    browser.get(hearth.auth + "/emulator/action?mode=resetPassword&oobCode=nope&apiKey=key")
    assert find(browser, "h1").text
    assert requests.get(browser.current_url, timeout=30).status_code == 400


SCRIPT = "javascript:document.body.id='ran'//"


@pytest.mark.parametrize(
    "query",
    [
        {"ibi": SCRIPT},
        {"ibi": "JavaScript:document.body.id='ran'//"},
        {"ibi": "javascript"},
        {"ibi": "data"},
        {"ibi": "https"},
        {"ibi": "VBScript"},
        {"ibi": "com example"},
        {"ibi": "com.example", "clientId": "javascript"},
        {"ibi": "x", "appId": "1:2/3"},
        {"apn": "com.example;S.browser_fallback_url=http%3A%2F%2Fevil.example;end"},
        {"apn": "com.example/x"},
        {"apn": "1com"},
    ],
    ids=lambda query: " ".join(query.values()),
)
def test_what_is_not_the_name_of_an_app_is_not_opened(browser, hearth, query):
    browser.get(handler(hearth, authType="signInViaRedirect", **query))
    address = browser.current_url
    make_account(browser, "eve@example.com")
    until(browser, lambda: find(browser, "#error").is_displayed())
    assert browser.current_url == address
    assert find(browser, "body").get_attribute("id") == ""


@pytest.mark.parametrize(
    "app_query, start",
    [
        ({"appId": "1:2:ios:3"}, "app-1-2-ios-3://firebaseauth/link?deep_link_id="),
        (
            {"clientId": "1-a.apps.googleusercontent.com"},
            "com.googleusercontent.apps.1-a://firebaseauth/link?deep_link_id=",
        ),
    ],
    ids=["app", "client"],
)
def test_the_page_of_recaptcha_leads_back_to_the_app(browser, hearth, app_query, start):
    """As the SDK for iOS reads it: the token is a parameter of the address within the address."""
    query = {
        "apiKey": "key",
        "authType": "verifyApp",
        "ibi": "com.example.app",
        "v": "iOS",
        "eventId": "EVENTAAAAA",
    } | app_query
    browser.get(f"{hearth.auth}/emulator/auth/handler?{urlencode(query)}#fac=token")
    link = until(browser, lambda: find(browser, "#return-to-app").get_attribute("href"))
    assert link.startswith(start) and find(browser, "#return-to-app").is_displayed()
    [callback] = parse_qs(urlsplit(link).query)["deep_link_id"]
    found = parse_qs(urlsplit(callback).query)
    assert callback.startswith(hearth.auth + "/__/auth/callback?")
    assert (found["authType"], found["eventId"]) == (["verifyApp"], ["EVENTAAAAA"])
    [token] = found["recaptchaToken"]
    sent = hearth.accounts(
        "sendVerificationCode",
        {"phoneNumber": "+15555550100", "recaptchaToken": token, "clientType": "CLIENT_TYPE_IOS"},
    )
    assert sent["sessionInfo"]


@pytest.mark.parametrize(
    "query",
    [{"ibi": "javascript"}, {"ibi": "x", "appId": "1:2/3"}, {}],
    ids=["script", "path", "nothing"],
)
def test_the_page_of_recaptcha_opens_apps_only(browser, hearth, query):
    address = f"{hearth.auth}/emulator/auth/handler?" + urlencode(
        {"apiKey": "key", "authType": "verifyApp", "eventId": "E"} | query
    )
    browser.get(address)
    until(browser, lambda: find(browser, "#error").is_displayed())
    assert browser.current_url == address
    assert not find(browser, "#return-to-app").get_attribute("href")


def test_a_page_of_another_origin_cannot_frame_the_handler(browser, app, hearth):
    browser.get(app + "/?" + urlencode({"frame": handler(hearth), "handler": ""}))
    browser.switch_to.frame(find(browser, "iframe"))
    assert not browser.find_elements(By.CSS_SELECTOR, "#accounts-list")
    browser.switch_to.default_content()
