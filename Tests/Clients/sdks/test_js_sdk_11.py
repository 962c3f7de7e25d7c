"""The unmodified Firebase JavaScript SDK 11.3.1 in Chromium."""

from urllib.parse import parse_qs, urlsplit

import pytest
from selenium.webdriver.common.by import By
from support.browser import until
from support.js_app import App, google_token, modular, new, number, page, start  # noqa: F401
from support.steering import SIGN_IN, guard  # noqa: F401

PASSWORD = "secret1"


# MARK: 11.3.1: connectAuthEmulator, and what a popup or a redirect brings


def test_new_users_and_passwords(new, address):
    made = new.run(
        """
        const { user } = await fb.createUserWithEmailAndPassword(auth, a[0], a[1]);
        const { claims, signInProvider } = await user.getIdTokenResult();
        return { user, email: claims.email, signInProvider, version: fb.SDK_VERSION };
        """,
        address,
        PASSWORD,
    )
    assert made["version"] == "11.3.1"
    assert made["email"] == address and made["signInProvider"] == "password"
    assert made["user"]["stsTokenManager"]["refreshToken"]
    again = new.run(
        """
        await fb.signOut(auth);
        const { user } = await fb.signInWithEmailAndPassword(auth, a[0], a[1]);
        await fb.reload(user);
        const credential = fb.EmailAuthProvider.credential(a[0], a[1]);
        const { operationType } = await fb.reauthenticateWithCredential(user, credential);
        return { uid: user.uid, operationType, token: await user.getIdToken() };
        """,
        address,
        PASSWORD,
    )
    assert again["uid"] == made["user"]["uid"] and again["operationType"] == "reauthenticate"
    new.project.advance("PT1S")
    assert new.run("return await auth.currentUser.getIdToken(true)") != again["token"]


def test_new_errors(new, address):
    new.project.sign_up(address)
    for call, code in (
        (f"signInWithEmailAndPassword(auth, '{address}', 'wrong')", "wrong-password"),
        ("signInWithEmailAndPassword(auth, 'nobody@example.com', 'wrong')", "user-not-found"),
        ("signInWithEmailAndPassword(auth, 'nonsense', 'secret1')", "invalid-email"),
        (f"signInWithEmailAndPassword(auth, '{address}', '')", "missing-password"),
        (f"createUserWithEmailAndPassword(auth, '{address}', 'secret1')", "email-already-in-use"),
        ("createUserWithEmailAndPassword(auth, 'new@example.com', '123')", "weak-password"),
        ("createUserWithEmailAndPassword(auth, 'new@example.com', '')", "missing-password"),
        ("sendPasswordResetEmail(auth, 'nobody@example.com')", "user-not-found"),
        ("verifyPasswordResetCode(auth, 'no code')", "invalid-action-code"),
        ("confirmPasswordReset(auth, 'no code', 'secret2')", "invalid-action-code"),
        ("applyActionCode(auth, 'no code')", "invalid-action-code"),
    ):
        assert new.error(f"await fb.{call}") == "auth/" + code, call
    new.project.configure(
        "emailPrivacyConfig", emailPrivacyConfig={"enableImprovedEmailPrivacy": True}
    )
    for email in (address, "nobody@example.com"):
        assert (
            new.error("await fb.signInWithEmailAndPassword(auth, a[0], 'wrong')", email)
            == "auth/invalid-credential"
        )
    new.run("await fb.sendPasswordResetEmail(auth, 'nobody@example.com')")


def test_new_a_forgotten_password(new, address):
    new.project.sign_up(address)
    new.run(
        "await fb.sendPasswordResetEmail(auth, a[0], { url: 'http://localhost/after' })", address
    )
    link = new.mail(address, "PASSWORD_RESET")["oobLink"]
    assert new.run(
        """
        const { operation, code, continueUrl } = fb.ActionCodeURL.parseLink(a[0]);
        const { data } = await fb.checkActionCode(auth, code);
        const email = await fb.verifyPasswordResetCode(auth, code);
        await fb.confirmPasswordReset(auth, code, "secret2");
        const { user } = await fb.signInWithEmailAndPassword(auth, email, "secret2");
        return [operation, continueUrl, data.email, user.emailVerified];
        """,
        link,
    ) == ["PASSWORD_RESET", "http://localhost/after", address, True]


def test_new_a_password_policy(new):
    new.project.configure(
        "passwordPolicyConfig",
        passwordPolicyConfig={
            "passwordPolicyEnforcementState": "ENFORCE",
            "passwordPolicyVersions": [
                {
                    "customStrengthOptions": {
                        "minPasswordLength": 8,
                        "containsNumericCharacter": True,
                    }
                }
            ],
        },
    )
    status = new.run("return await fb.validatePassword(auth, 'short')")
    assert status["isValid"] is False
    assert status["meetsMinPasswordLength"] is False
    assert status["containsNumericCharacter"] is False
    assert new.run("return (await fb.validatePassword(auth, 'long enough 1')).isValid") is True


@pytest.mark.parametrize(
    "effect, code",
    [
        ({"error": "TOO_MANY_ATTEMPTS_TRY_LATER"}, "too-many-requests"),
        ({"error": "OPERATION_NOT_ALLOWED"}, "operation-not-allowed"),
        ({"drop": "before"}, "network-request-failed"),
        ({"drop": "after"}, "network-request-failed"),
    ],
)
def test_new_faults(new, address, effect, code):
    new.project.sign_up(address)
    new.project.faults({"operation": SIGN_IN, "effect": effect})
    sign_in = "return (await fb.signInWithEmailAndPassword(auth, a[0], a[1])).user.email"
    assert new.error(sign_in, address, PASSWORD) == "auth/" + code
    new.project.no_faults()
    assert new.run(sign_in, address, PASSWORD) == address


def test_new_the_key_of_a_captcha(new):
    new.run("await fb.initializeRecaptchaConfig(auth)")


def test_new_tokens_expire(new, address):
    new.run("await fb.createUserWithEmailAndPassword(auth, a[0], a[1])", address, PASSWORD)
    new.project.advance("PT2H")
    assert new.run("return !!(await auth.currentUser.getIdToken(true))") is True
    new.project.advance("PT2H")
    assert new.error("await fb.reload(auth.currentUser)") == "auth/user-token-expired"
    assert new.run("return auth.currentUser") is None


def test_new_a_token_of_a_provider_is_revoked(new, address):
    new.run(
        """
        const provider = new fb.OAuthProvider("apple.com");
        const credential = provider.credential({ idToken: a[0] });
        await fb.signInWithCredential(auth, credential);
        await fb.revokeAccessToken(auth, "access token");
        """,
        google_token(address),
    )


def test_new_users_go(new, address):
    new.run("await fb.createUserWithEmailAndPassword(auth, a[0], a[1])", address, PASSWORD)
    assert new.run("await fb.deleteUser(auth.currentUser); return auth.currentUser") is None
    assert (
        new.error("await fb.signInWithEmailAndPassword(auth, a[0], a[1])", address, PASSWORD)
        == "auth/user-not-found"
    )


def test_new_a_phone(new, address):
    phone = number()
    new.run(
        """
        const verifier = new fb.RecaptchaVerifier(auth, "captcha", { size: "invisible" });
        window.confirmation = await fb.signInWithPhoneNumber(auth, a[0], verifier);
        """,
        phone,
    )
    assert new.error("await confirmation.confirm('000000')") == "auth/invalid-verification-code"
    assert new.run(
        """
        const { user } = await confirmation.confirm(a[0]);
        return [user.phoneNumber, (await user.getIdTokenResult()).signInProvider];
        """,
        new.sms(phone),
    ) == [phone, "phone"]


def test_new_a_page_that_is_loaded_again(new, address):
    """The user is kept in the browser's database, and looked up again."""
    uid = new.run(
        """
        return (await fb.createUserWithEmailAndPassword(auth, a[0], a[1])).user.uid;
        """,
        address,
        PASSWORD,
    )
    start(new)
    assert new.run("return auth.currentUser.uid") == uid
    new.project.admin("/accounts:delete", {"localId": uid})
    start(new)
    assert new.run("return auth.currentUser") is None


def provider_page(new: App):
    """The browser at the page of the pretended provider, whose script listens to clicks."""
    browser = new.page.browser
    until(
        browser,
        lambda: (
            browser.find_elements(By.CSS_SELECTOR, ".js-new-account")
            and browser.execute_script("return document.readyState") == "complete"
        ),
    )
    return browser


def at_home(new: App) -> None:
    """Until a redirect has led back."""
    browser = new.page.browser
    until(
        browser,
        lambda: (
            browser.current_url.startswith(new.page.origin)
            and browser.execute_script("return document.readyState") == "complete"
        ),
    )


def fill_in(new: App, address: str, name: str = "Ann Otter") -> None:
    browser = provider_page(new)

    def find(selector):
        return until(browser, lambda: browser.find_element(By.CSS_SELECTOR, selector))

    find(".js-new-account").click()
    find("#email-input").send_keys(address)
    find("#display-name-input").send_keys(name)
    until(browser, lambda: browser.find_element(By.CSS_SELECTOR, "#sign-in").is_enabled())
    find("#sign-in").click()


def in_popup(new: App, call: str, act, *arguments):
    """What the call, started by a click, comes to while `act` is done in its popup."""
    browser = new.page.browser
    new.run(
        f"""
        document.getElementById("act").onclick = () => {{
          window.outcome = ({call})(...a).then((value) => ({{ value }}), (error) => ({{
            code: error.code, data: error.customData }}));
        }};
        """,
        *arguments,
    )
    window = browser.current_window_handle
    browser.find_element(By.ID, "act").click()
    until(browser, lambda: len(browser.window_handles) == 2)
    [popup] = [handle for handle in browser.window_handles if handle != window]
    browser.switch_to.window(popup)
    act()
    browser.switch_to.window(window)
    outcome = new.run("return await outcome")
    until(browser, lambda: len(browser.window_handles) == 1)
    return outcome


GOOGLE_POPUP = """async () => {
  const provider = new fb.GoogleAuthProvider();
  provider.addScope("https://www.googleapis.com/auth/calendar");
  provider.setCustomParameters({ prompt: "select_account" });
  const result = await fb.signInWithPopup(auth, provider);
  const credential = fb.GoogleAuthProvider.credentialFromResult(result);
  return { user: result.user, operationType: result.operationType, info: result._tokenResponse,
           token: !!(credential.idToken || credential.accessToken) };
}"""


def test_new_a_popup(new, address):
    seen = {}

    def act():
        seen.update(parse_qs(urlsplit(provider_page(new).current_url).query))
        fill_in(new, address)

    outcome = in_popup(new, GOOGLE_POPUP, act)
    assert "value" in outcome, outcome
    made = outcome["value"]
    assert made["operationType"] == "signIn" and made["token"] is True
    assert made["user"]["email"] == address and made["user"]["displayName"] == "Ann Otter"
    assert made["user"]["providerData"][0]["providerId"] == "google.com"
    assert made["info"]["isNewUser"] is True
    assert seen["providerId"] == ["google.com"] and seen["authType"] == ["signInViaPopup"]
    assert seen["scopes"] == ["profile,https://www.googleapis.com/auth/calendar"]
    again = in_popup(
        new,
        """async () => {
        const { user, operationType } =
          await fb.reauthenticateWithPopup(auth.currentUser, new fb.GoogleAuthProvider());
        return [operationType, user.uid];
        }""",
        lambda: reuse(new, address),
    )
    assert again == {"value": ["reauthenticate", made["user"]["uid"]]}
    linked = in_popup(
        new,
        """async () => {
        const { user, operationType } =
          await fb.linkWithPopup(auth.currentUser, new fb.FacebookAuthProvider());
        return [operationType, user.providerData.map((entry) => entry.providerId)];
        }""",
        lambda: fill_in(new, address),
    )
    assert linked["value"][0] == "link"
    assert set(linked["value"][1]) == {"google.com", "facebook.com"}


def reuse(new: App, address: str) -> None:
    items = provider_page(new).find_elements(By.CSS_SELECTOR, ".js-reuse-account")
    [item] = [item for item in items if address in item.text]
    item.find_element(By.TAG_NAME, "button").click()


def test_new_a_popup_that_is_closed(new):
    assert in_popup(new, GOOGLE_POPUP, lambda: new.page.browser.close()) | {"data": None} == {
        "code": "auth/popup-closed-by-user",
        "data": None,
    }


def test_new_a_popup_finds_the_account_of_the_address(new, address):
    """The provider says that the address is verified: it takes over who has it."""
    made = new.project.sign_up(address)
    outcome = in_popup(
        new,
        """async () => {
        const { user, _tokenResponse } =
          await fb.signInWithPopup(auth, new fb.FacebookAuthProvider());
        return [user.uid, user.providerData.map((entry) => entry.providerId), user.emailVerified];
        }""",
        lambda: fill_in(new, address),
    )
    assert outcome == {"value": [made["localId"], ["facebook.com"], True]}


def test_new_a_redirect(new, address):
    browser = new.page.browser
    assert new.run("return await fb.getRedirectResult(auth)") is None
    browser.execute_script("fb.signInWithRedirect(auth, new fb.GoogleAuthProvider())")
    asked = parse_qs(urlsplit(provider_page(new).current_url).query)
    assert asked["authType"] == ["signInViaRedirect"]
    fill_in(new, address)
    at_home(new)
    begin = """
        const app = fb.initializeApp({
          apiKey: a[0], authDomain: "auth.example.com", projectId: a[0] });
        window.auth = fb.getAuth(app);
        fb.connectAuthEmulator(auth, emulator, { disableWarnings: true });
        const result = await fb.getRedirectResult(auth);
        return result && { operationType: result.operationType, email: result.user.email,
                           provider: result.providerId };
        """
    assert new.run(begin, new.project.id) == {
        "operationType": "signIn",
        "email": address,
        "provider": "google.com",
    }
    assert new.run("return [await fb.getRedirectResult(auth), auth.currentUser.email]") == [
        None,
        address,
    ]
    start(new)
    assert new.run("return [await fb.getRedirectResult(auth), auth.currentUser.email]") == [
        None,
        address,
    ]


def test_new_a_popup_of_a_tenant(new, address):
    tenant = new.project.tenant(displayName="work")
    new.project.owner(
        "POST",
        f"{new.project.v2}/tenants/{tenant}/oauthIdpConfigs",
        params={"oauthIdpConfigId": "oidc.work"},
        json={"clientId": "id", "issuer": "https://idp.example.com", "enabled": True},
    )
    new.run("auth.tenantId = a[0]", tenant)
    outcome = in_popup(
        new,
        """async () => {
        const provider = new fb.OAuthProvider("oidc.work");
        const { user } = await fb.signInWithPopup(auth, provider);
        return [user.tenantId, user.email, user.providerData[0].providerId];
        }""",
        lambda: fill_in(new, address),
    )
    assert outcome == {"value": [tenant, address, "oidc.work"]}
    assert [user["email"] for user in new.project.users(tenant)] == [address]


def test_new_a_second_popup_takes_the_place_of_the_first(new, address):
    new.run("""
        document.getElementById("act").onclick = () => {
          const Provider = window.first ? fb.FacebookAuthProvider : fb.GoogleAuthProvider;
          window[window.first ? "second" : "first"] = fb.signInWithPopup(auth, new Provider()).then(
            ({ user }) => user.providerData[0].providerId, (error) => error.code);
        };
        """)
    browser = new.page.browser
    window = browser.current_window_handle

    def popup(known):
        browser.switch_to.window(window)
        browser.find_element(By.ID, "act").click()
        until(browser, lambda: set(browser.window_handles) - known)
        [handle] = set(browser.window_handles) - known
        return handle

    first = popup({window})
    second = popup({window, first})
    assert new.run("return await first") == "auth/cancelled-popup-request"
    browser.switch_to.window(second)
    fill_in(new, address)
    browser.switch_to.window(window)
    assert new.run("return await second") == "facebook.com"
    until(browser, lambda: browser.window_handles == [window])


def test_new_a_redirect_links(new, address):
    browser = new.page.browser
    new.run("await fb.createUserWithEmailAndPassword(auth, a[0], a[1])", address, PASSWORD)
    browser.execute_script("fb.linkWithRedirect(auth.currentUser, new fb.GoogleAuthProvider())")
    fill_in(new, "google-" + address)
    at_home(new)
    assert new.run(
        """
        const app = fb.initializeApp({
          apiKey: a[0], authDomain: "auth.example.com", projectId: a[0] });
        window.auth = fb.getAuth(app);
        fb.connectAuthEmulator(auth, emulator, { disableWarnings: true });
        const { operationType, user } = await fb.getRedirectResult(auth);
        const providers = user.providerData.map((entry) => entry.providerId);
        return [operationType, user.email, providers.sort()];
        """,
        new.project.id,
    ) == ["link", address, ["google.com", "password"]]
