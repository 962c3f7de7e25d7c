"""The unmodified Firebase JavaScript SDK 11.3.1 in Chromium, through the pages of the providers."""

import pytest
from selenium.webdriver.common.by import By
from support.browser import until
from support.js_app import App, modular, new, page, start  # noqa: F401
from support.steering import guard  # noqa: F401

PROVIDERS = {
    "google.com": "new fb.GoogleAuthProvider()",
    "apple.com": "new fb.OAuthProvider('apple.com')",
    "microsoft.com": "new fb.OAuthProvider('microsoft.com')",
    "github.com": "new fb.OAuthProvider('github.com')",
    "facebook.com": "new fb.FacebookAuthProvider()",
    "twitter.com": "new fb.OAuthProvider('twitter.com')",
    "yahoo.com": "new fb.OAuthProvider('yahoo.com')",
    "linkedin.com": "new fb.OAuthProvider('linkedin.com')",
    "oidc.implicit": "new fb.OAuthProvider('oidc.implicit')",
    "oidc.code": "new fb.OAuthProvider('oidc.code')",
    # The bundle of the tests has no SAMLAuthProvider. To the handler both are an id.
    "saml.here": "new fb.OAuthProvider('saml.here')",
}
RESULT = """({ user, operationType, providerId, _tokenResponse }) => ({
  operationType, providerId, email: user.email, name: user.displayName,
  isNew: _tokenResponse?.isNewUser, linked: user.providerData.map((entry) => entry.providerId) })"""


@pytest.fixture
def app(new: App) -> App:  # noqa: F811
    project = new.project
    own = f"{new.page.hearth.auth}/idp/projects/{project.id}"
    project.own("PATCH", "/switches", json={"providerPages": True})
    project.own(
        "PUT",
        "/personas",
        json={
            "personas": {
                "ada": {"email": "ada@example.com", "displayName": "Ada Otter"},
                "ken": {"email": "ken@example.com", "denies": True},
            }
        },
    )
    for name, response in (("implicit", {"idToken": True}), ("code", {"code": True})):
        project.owner(
            "POST",
            f"{project.v2}/oauthIdpConfigs",
            params={"oauthIdpConfigId": f"oidc.{name}"},
            json={
                "clientId": "web",
                "clientSecret": "secret",
                "issuer": f"{own}/oidc",
                "responseType": response,
                "enabled": True,
            },
        )
    project.owner(
        "POST",
        f"{project.v2}/inboundSamlConfigs",
        params={"inboundSamlConfigId": "saml.here"},
        json={
            "idpConfig": {"idpEntityId": f"{own}/saml/metadata", "ssoUrl": f"{own}/saml/sso"},
            "spConfig": {"spEntityId": "web", "callbackUri": "https://app.example.com/callback"},
            "enabled": True,
        },
    )
    return new


def choose(app: App, persona: str = "ada") -> None:
    browser = app.page.browser
    selector = f"[data-persona={persona}]"
    until(browser, lambda: browser.find_elements(By.CSS_SELECTOR, selector))
    assert "/idp/" in browser.current_url
    browser.find_element(By.CSS_SELECTOR, selector).click()


def popup(app: App, provider: str, persona: str = "ada") -> dict:
    """What signInWithPopup comes to after somebody was chosen on the provider's page."""
    browser = app.page.browser
    app.run(f"""
        document.getElementById("act").onclick = () => {{
          window.outcome = fb.signInWithPopup(auth, {PROVIDERS[provider]}).then(
            {RESULT}, (error) => ({{ code: error.code, message: error.message }}));
        }};
        """)
    window = browser.current_window_handle
    browser.find_element(By.ID, "act").click()
    until(browser, lambda: len(browser.window_handles) == 2)
    [opened] = [handle for handle in browser.window_handles if handle != window]
    browser.switch_to.window(opened)
    choose(app, persona)
    browser.switch_to.window(window)
    outcome = app.run("return await outcome")
    until(browser, lambda: len(browser.window_handles) == 1)
    return outcome


def redirected(app: App, provider: str, persona: str = "ada") -> dict | None:
    """What getRedirectResult brings after it."""
    browser = app.page.browser
    browser.execute_script(f"fb.signInWithRedirect(auth, {PROVIDERS[provider]})")
    choose(app, persona)
    until(
        browser,
        lambda: (
            browser.current_url.startswith(app.page.origin)
            and browser.execute_script("return document.readyState") == "complete"
        ),
    )
    return app.run(
        f"""
        const app = fb.initializeApp({{
          apiKey: a[0], authDomain: "auth.example.com", projectId: a[0] }});
        window.auth = fb.getAuth(app);
        fb.connectAuthEmulator(auth, emulator, {{ disableWarnings: true }});
        return await fb.getRedirectResult(auth).then(
          {RESULT}, (error) => ({{ code: error.code, message: error.message }}));
        """,
        app.project.id,
    )


def is_ada(outcome: dict, provider: str) -> bool:
    return outcome == {
        "operationType": "signIn",
        "providerId": provider,
        # X tells it to apps that have asked for it in its console.
        "email": None if provider == "twitter.com" else "ada@example.com",
        "name": None if provider == "saml.here" else "Ada Otter",
        "isNew": True,
        "linked": [provider],
    }


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_popup(app, provider):
    outcome = popup(app, provider)
    assert is_ada(outcome, provider), outcome


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_redirect(app, provider):
    outcome = redirected(app, provider)
    assert is_ada(outcome, provider), outcome


@pytest.mark.parametrize("provider", ["google.com", "apple.com", "oidc.implicit", "twitter.com"])
def test_who_denies_comes_back_to_the_app(app, provider):
    assert popup(app, provider, "ken")["code"] == "auth/user-cancelled"
    start(app)
    assert redirected(app, provider, "ken")["code"] == "auth/user-cancelled"


def test_a_refusal_of_saml_is_told(app):
    outcome = popup(app, "saml.here", "ken")
    assert outcome["code"] == "auth/invalid-credential" and "Responder" in outcome["message"]


def test_a_browser_that_is_known_is_not_asked_again(app):
    """A second popup goes through the provider's page by itself."""
    first = popup(app, "google.com")
    browser = app.page.browser
    app.run("""
        await fb.signOut(auth);
        document.getElementById("act").onclick = () => {
          window.outcome = fb.signInWithPopup(auth, new fb.GoogleAuthProvider()).then(
            ({ user }) => user.email, (error) => error.code);
        };
        """)
    browser.find_element(By.ID, "act").click()
    assert app.run("return await outcome") == first["email"]
    until(browser, lambda: len(browser.window_handles) == 1)
