"""Chromium with the SDK of web apps, configured as in production: passwords, tokens, a pop-up."""

import pathlib
import sys

from chromium import Nobody, chromium
from common import DOCUMENTS, PROJECT, address, done, expired, foreign, sign_up, tampered
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from support.js_sdk import PAGE, Page, Pages, serving


def pop_up(page: Page, email: str) -> dict:
    """Signs in with Google's window, as a person does."""
    browser = page.browser
    page.run("""
        document.getElementById("act").onclick = () => {
          window.outcome = fb.signInWithPopup(auth, new fb.GoogleAuthProvider())
            .then(({ user }) => ({ email: user.email, uid: user.uid }),
                  (error) => ({ code: error.code, text: error.message }));
        };""")
    window = browser.current_window_handle
    browser.find_element(By.ID, "act").click()
    WebDriverWait(browser, 60).until(lambda b: len(b.window_handles) == 2)
    [other] = [handle for handle in browser.window_handles if handle != window]
    browser.switch_to.window(other)
    handler = f"https://{PROJECT}.firebaseapp.com/__/auth/handler"
    # The buttons are there before the script that hears them.
    WebDriverWait(browser, 60).until(
        lambda b: (
            b.current_url.startswith(handler)
            and b.execute_script("return document.readyState") == "complete"
        )
    )

    def find(selector: str):
        return WebDriverWait(browser, 60).until(lambda b: b.find_element(By.CSS_SELECTOR, selector))

    find(".js-new-account").click()
    find("#email-input").send_keys(email)
    find("#display-name-input").send_keys("Ann Otter")
    WebDriverWait(browser, 60).until(lambda _: find("#sign-in").is_enabled())
    find("#sign-in").click()
    browser.switch_to.window(window)
    return page.run("return await outcome")


def main() -> None:
    script = pathlib.Path(sys.argv[1]).read_text()
    files = {"/": ("text/html", PAGE.read_text())}
    with serving(type("ThesePages", (Pages,), {"files": files})) as port:
        browser = chromium()
        try:
            page = Page(browser, f"http://localhost:{port}", Nobody, files).add("modular", script)
            page.open("modular")
            page.run(
                """
                const app = fb.initializeApp({
                  apiKey: "AIza-a-web-key", authDomain: `${a[0]}.firebaseapp.com`,
                  projectId: a[0] });
                window.auth = fb.getAuth(app);
                await auth.authStateReady();""",
                PROJECT,
            )
            email = address()
            made = page.run(
                """
                const { user } = await fb.createUserWithEmailAndPassword(auth, a[0], "secret1");
                await user.getIdToken(true);
                await fb.sendPasswordResetEmail(auth, a[0]);
                return user.email""",
                email,
            )
            assert made == email
            token = sign_up()["idToken"]
            statuses = page.run(
                """
                const found = [];
                for (const token of a[1]) found.push((await fetch(a[0] + "/cities",
                  { headers: { authorization: `Bearer ${token}` } })).status);
                return found""",
                DOCUMENTS,
                [token, tampered(token), foreign(token), expired()],
            )
            assert statuses == [200, 401, 401, 401], statuses
            streamed = page.run(
                """
                const channel = await new Channel("https://firestore.googleapis.com", "Listen",
                  `projects/${a[0]}/databases/(default)`, { token: a[1] }).open({
                  addTarget: { targetId: 2, documents: {
                    documents: [`projects/${a[0]}/databases/(default)/documents/cities/a`] } } });
                await channel.current();
                channel.close();
                return true""",
                PROJECT,
                token,
            )
            assert streamed
            page.run("""
                window.unhandled = [];
                addEventListener("unhandledrejection", ({ reason }) =>
                  unhandled.push(`${reason}`));""")
            other = address()
            assert pop_up(page, other).get("email") == other
            assert page.run("return unhandled") == []
            foreign_host = page.run("""
                return await fetch("https://example.com/").then(() => "answered", () => "refused")
                """)
            assert foreign_host == "refused"
        finally:
            browser.quit()
    done()


if __name__ == "__main__":
    main()
