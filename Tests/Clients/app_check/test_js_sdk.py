"""App Check of the JavaScript SDK in Chromium: the provider for debugging, and one of the app's own."""

from urllib.parse import urlsplit

import pytest
from support.auth.app_check import APP, SECRET, AppCheck
from support.auth.js_app_check import app_check_script
from support.js_sdk import Page, sdk_page

# As in the guide.
PROVIDERS = """
  const providers = {
    // While debugging no provider is asked, but the exchange for debug tokens.
    debug: () => new fb.ReCaptchaV3Provider("a-site-key"),
    custom: () => new fb.CustomProvider({
      getToken: async () => {
        const host = `${emulator}/firebaseappcheck.googleapis.com`;
        const reply = await fetch(
          `${host}/v1/projects/${projectId}/apps/${appId}:exchangeDebugToken?key=any`,
          { method: "POST", headers: { "Content-Type": "application/json" },
            body: '{"debug_token":"any"}' });
        const { token, ttl } = await reply.json();
        return { token, expireTimeMillis: Date.now() + parseInt(ttl) * 1000 };
      },
    }),
  };"""


@pytest.fixture(scope="module")
def page(hearth, tmp_path_factory):
    script = app_check_script(tmp_path_factory.mktemp("modules"))
    with sdk_page(hearth, tmp_path_factory.mktemp("page")) as page:
        yield page.add("app-check", script)


def start(page: Page, app_check: AppCheck, provider: str | None) -> None:
    """An app with that provider."""
    address = urlsplit(app_check.server.addresses["firestore"])
    page.open("app-check")
    page.run(
        f"""
        const [projectId, appId, secret, provider, firestore] = a;
        {PROVIDERS}
        if (provider === "debug") self.FIREBASE_APPCHECK_DEBUG_TOKEN = secret;
        const app = fb.initializeApp({{ apiKey: projectId, appId, projectId }}, projectId);
        if (provider) {{
          window.appCheck = fb.initializeAppCheck(app, {{ provider: providers[provider]() }});
        }}
        window.auth = fb.initializeAuth(app, {{ persistence: fb.inMemoryPersistence }});
        fb.connectAuthEmulator(auth, emulator, {{ disableWarnings: true }});
        window.database = fb.getFirestore(app);
        fb.connectFirestoreEmulator(database, ...firestore);
        """,
        app_check.project,
        APP,
        SECRET,
        provider,
        [address.hostname, address.port],
    )


SIGN_UP = "return (await fb.signInAnonymously(auth)).user.uid"
WRITE = """
  await fb.setDoc(fb.doc(database, "a/b"), { n: 1 });
  return (await fb.getDoc(fb.doc(database, "a/b"))).data()"""
LISTEN = """
  const name = `projects/${a[0]}/databases/(default)`;
  const { token } = await fb.getToken(appCheck);
  const channel = new Channel(a[1], "Listen", name, { app: token });
  await channel.open({ addTarget: { targetId: 2, documents: {
    documents: [`${name}/documents/a/b`] } } });
  await channel.current();
  channel.close();
  return true"""


@pytest.mark.parametrize("provider", ["debug", "custom"])
def test_a_provider(page, app_check, provider):
    app_check.switches(appCheckAuth="enforce", appCheckFirestore="enforce")
    if provider == "debug":
        app_check.switches(appCheckAttestation="registered")
        body = {"displayName": "CI", "token": SECRET}
        assert app_check.admin("POST", f"/apps/{APP}/debugTokens", body).status_code == 200
    start(page, app_check, provider)
    assert page.run(SIGN_UP)
    assert page.run(WRITE) == {"n": 1}
    # The SDK's WebChannel is not in its repository; its token is.
    assert page.run(LISTEN, app_check.project, app_check.server.addresses["firestore"])
    report = app_check.report
    assert (report["unverified"], report["refused"]) == (0, 0)
    assert {call["caller"] for call in report["calls"]} == {APP}


def test_a_limited_use_token(page, app_check):
    start(page, app_check, "debug")
    token = page.run("return (await fb.getLimitedUseToken(appCheck)).token")
    body = {"app_check_token": token}
    consumed = [app_check.admin("POST", ":verifyAppCheckToken", body).json() for _ in range(2)]
    assert consumed == [{}, {"alreadyConsumed": True}]


def test_an_app_without_a_provider(page, app_check):
    app_check.switches(appCheckAuth="enforce", appCheckFirestore="enforce")
    start(page, app_check, None)
    # The name that the SDK makes of production's message.
    assert page.error(SIGN_UP) == "auth/firebase-app-check-token-is-invalid."
    assert page.error(WRITE) == "permission-denied"


def test_an_attestation_that_is_refused(page, app_check):
    """The SDK sends a placeholder then, which production counts by itself."""
    app_check.switches(appCheckAuth="enforce", appCheckAttestation="refuse")
    start(page, app_check, "debug")
    assert page.error(SIGN_UP) == "auth/firebase-app-check-token-is-invalid."
    noted = app_check.control("GET", "/requests")["requests"]
    [sign_up] = [one for one in noted if one["operation"].endswith("accounts.signUp")]
    assert sign_up["appCheck"] == "placeholder"


def test_a_token_that_expires(page, app_check):
    """The SDK believes in its own clock; the server's is moved."""
    app_check.switches(appCheckAuth="enforce")
    start(page, app_check, "custom")
    assert page.run(SIGN_UP)
    with app_check.later("PT61M"):
        assert page.error("await auth.currentUser.reload()") == (
            "auth/firebase-app-check-token-is-invalid."
        )
        # A new token counts again.
        page.run("await fb.getToken(appCheck, true); await auth.signOut()")
        assert page.run(SIGN_UP)
