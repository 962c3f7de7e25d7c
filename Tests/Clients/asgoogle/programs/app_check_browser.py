"""Chromium with App Check of the SDK for web apps, configured as in production, for debugging."""

import pathlib
import sys

import requests
from chromium import Nobody, chromium
from common import CONTROL, PROJECT, done
from support.js_sdk import PAGE, Page, Pages, serving

APP = "1:448618578101:web:cc6c1dc7a65cc83c"
SIGN_UP = "return (await fb.signInAnonymously(auth)).user.uid"
WRITE = """
  await fb.setDoc(fb.doc(database, "a/b"), { n: 1 });
  return (await fb.getDoc(fb.doc(database, "a/b"))).data()"""


def start(page: Page, has_provider: bool) -> None:
    page.open("app-check")
    page.run(
        """
        self.FIREBASE_APPCHECK_DEBUG_TOKEN = "2c7ae1f4-9d0b-4b8e-a0a6-2f1c53c5a3b8";
        const app = fb.initializeApp({ apiKey: "AIza-a-web-key", appId: a[1], projectId: a[0] });
        if (a[2]) fb.initializeAppCheck(app, { provider: new fb.ReCaptchaV3Provider("a-site-key") });
        window.auth = fb.initializeAuth(app, { persistence: fb.inMemoryPersistence });
        window.database = fb.getFirestore(app);
        """,
        PROJECT,
        APP,
        has_provider,
    )


def main() -> None:
    files = {"/": ("text/html", PAGE.read_text())}
    with serving(type("ThesePages", (Pages,), {"files": files})) as port:
        browser = chromium()
        try:
            page = Page(browser, f"http://localhost:{port}", Nobody, files)
            page.add("app-check", pathlib.Path(sys.argv[1]).read_text())
            start(page, has_provider=True)
            assert page.run(SIGN_UP)
            assert page.run(WRITE) == {"n": 1}
            start(page, has_provider=False)
            assert page.error(SIGN_UP) == "auth/firebase-app-check-token-is-invalid."
            assert page.error(WRITE) == "permission-denied"
        finally:
            browser.quit()
    report = requests.get(f"{CONTROL}/appCheck", timeout=30).json()["report"]
    assert (report["verified"], report["refused"]) == (4, 2), report
    done()


main()
