"""The unmodified Firebase JavaScript SDK 7.15.5 in Chromium: providers, phones, tenants, sessions."""

import json
import time

import jwt
import pytest
from support.js_app import custom_token, google_token, legacy, number, old, page, sign_up  # noqa: F401
from support.steering import SIGN_IN, guard  # noqa: F401

PASSWORD = "secret1"


# MARK: 7.15.5, all of it


def test_old_a_provider_signs_in(old, address):
    made = old.run(
        """
        const credential = firebase.auth.GoogleAuthProvider.credential(a[0]);
        const { user, additionalUserInfo, credential: back } =
          await auth.signInWithCredential(credential);
        return { user: user.toJSON(), additionalUserInfo, back: back.providerId };
        """,
        google_token(address, name="Ann"),
    )
    assert made["user"]["email"] == address and made["user"]["emailVerified"] is True
    assert made["user"]["displayName"] == "Ann" and made["back"] == "google.com"
    [entry] = made["user"]["providerData"]
    assert (entry["providerId"], entry["uid"]) == ("google.com", "raw-" + address)
    info = made["additionalUserInfo"]
    assert info["isNewUser"] is True and info["providerId"] == "google.com"
    assert info["profile"]["email"] == address
    old.run(
        """
        await auth.currentUser.reauthenticateWithCredential(
          firebase.auth.GoogleAuthProvider.credential(a[0]));
        await auth.currentUser.linkWithCredential(
          firebase.auth.EmailAuthProvider.credential(a[1], "secret1"));
        """,
        google_token(address),
        address,
    )
    assert old.run("""
        await auth.currentUser.unlink("google.com");
        return auth.currentUser.providerData.map((entry) => entry.providerId);
        """) == ["password"]
    assert old.error("await auth.currentUser.unlink('google.com')") == "auth/no-such-provider"
    assert (
        old.error("""await auth.signInWithCredential(
        firebase.auth.GoogleAuthProvider.credential("nonsense"))""")
        == "auth/invalid-credential"
    )


def test_old_a_provider_of_another_user(old, address):
    old.project.idp("google.com", {"sub": "raw-" + address, "email": address})
    sign_up(old, "other-" + address)
    assert (
        old.error(
            """await auth.currentUser.linkWithCredential(
        firebase.auth.GoogleAuthProvider.credential(a[0]))""",
            google_token(address),
        )
        == "auth/credential-already-in-use"
    )
    facebook = json.dumps({"sub": "f-" + address, "email": "other-" + address})
    assert (
        old.error(
            """
        await auth.signOut();
        await auth.signInWithCredential(firebase.auth.FacebookAuthProvider.credential(a[0]));
        """,
            facebook,
        )
        == "auth/account-exists-with-different-credential"
    )


def test_old_a_phone_signs_in(old):
    phone = number()
    send = """
        window.confirmation = await auth.signInWithPhoneNumber(a[0], captcha());
        return confirmation.verificationId;
        """
    assert old.run(send, phone)
    assert old.error("await confirmation.confirm('000000')") == "auth/invalid-verification-code"
    made = old.run(
        """
        const { user, additionalUserInfo } = await confirmation.confirm(a[0]);
        const { signInProvider } = await user.getIdTokenResult();
        return { phone: user.phoneNumber, isNew: additionalUserInfo.isNewUser, signInProvider,
                 providers: user.providerData.map((entry) => entry.providerId) };
        """,
        old.sms(phone),
    )
    assert made == {
        "phone": phone,
        "isNew": True,
        "signInProvider": "phone",
        "providers": ["phone"],
    }
    assert old.error("await auth.signInWithPhoneNumber('12', captcha())") == (
        "auth/invalid-phone-number"
    )
    other = number()
    old.run(
        """window.id = await new firebase.auth.PhoneAuthProvider(auth)
        .verifyPhoneNumber(a[0], captcha())""",
        other,
    )
    assert (
        old.run(
            """
        await auth.currentUser.updatePhoneNumber(
          firebase.auth.PhoneAuthProvider.credential(id, a[0]));
        return auth.currentUser.phoneNumber;
        """,
            old.sms(other),
        )
        == other
    )
    assert old.error("""await auth.signInWithCredential(
        firebase.auth.PhoneAuthProvider.credential("nonsense", "123456"))""") == (
        "auth/invalid-verification-id"
    )


def test_old_a_phone_is_linked(old, address):
    sign_up(old, address)
    phone = number()
    old.run(
        "window.confirmation = await auth.currentUser.linkWithPhoneNumber(a[0], captcha())", phone
    )
    assert old.run(
        """
        const { operationType, user } = await confirmation.confirm(a[0]);
        return [operationType, user.phoneNumber, user.providerData.length];
        """,
        old.sms(phone),
    ) == ["link", phone, 2]
    # A second user cannot have it; the error carries a credential that signs in.
    old.run(
        """
        await auth.signOut();
        await auth.signInAnonymously();
        window.confirmation = await auth.currentUser.linkWithPhoneNumber(a[0], captcha());
        """,
        phone,
    )
    taken = old.run(
        """
        try { await confirmation.confirm(a[0]); } catch (error) {
          const { user } = await auth.signInWithCredential(error.credential);
          return { code: error.code, email: user.email };
        }
        """,
        old.sms(phone),
    )
    assert taken == {"code": "auth/credential-already-in-use", "email": address}


def test_old_a_second_factor(old, address):
    old.project.verified(address)
    old.run("await auth.signInWithEmailAndPassword(a[0], a[1])", address, PASSWORD)
    phone = number()
    old.run(
        """
        const session = await auth.currentUser.multiFactor.getSession();
        window.id = await new firebase.auth.PhoneAuthProvider(auth)
          .verifyPhoneNumber({ phoneNumber: a[0], session }, captcha());
        """,
        phone,
    )
    enroll = """
        const credential = firebase.auth.PhoneAuthProvider.credential(id, a[0]);
        const assertion = firebase.auth.PhoneMultiFactorGenerator.assertion(credential);
        await auth.currentUser.multiFactor.enroll(assertion, "my phone");
        return auth.currentUser.multiFactor.enrolledFactors;
        """
    assert old.error(enroll, "000000") == "auth/invalid-verification-code"
    [factor] = old.run(enroll, old.sms(phone))
    assert (factor["factorId"], factor["displayName"], factor["phoneNumber"]) == (
        "phone",
        "my phone",
        phone,
    )
    asked = old.run(
        """
        await auth.signOut();
        try { await auth.signInWithEmailAndPassword(a[0], a[1]); } catch (error) {
          window.resolver = error.resolver;
          window.id = await new firebase.auth.PhoneAuthProvider(auth).verifyPhoneNumber(
            { multiFactorHint: resolver.hints[0], session: resolver.session }, captcha());
          return { code: error.code, hints: resolver.hints };
        }
        """,
        address,
        PASSWORD,
    )
    assert asked["code"] == "auth/multi-factor-auth-required"
    [hint] = asked["hints"]
    assert hint["uid"] == factor["uid"] and hint["phoneNumber"].endswith(phone[-4:])
    resolve = """
        const credential = firebase.auth.PhoneAuthProvider.credential(id, a[0]);
        const { user } = await resolver.resolveSignIn(
          firebase.auth.PhoneMultiFactorGenerator.assertion(credential));
        const { claims } = await user.getIdTokenResult();
        return { email: user.email, factor: claims.firebase.sign_in_second_factor,
                 factors: user.multiFactor.enrolledFactors.length };
        """
    assert old.error(resolve, "000000") == "auth/invalid-verification-code"
    assert old.run(resolve, old.sms(phone)) == {"email": address, "factor": "phone", "factors": 1}
    assert (
        old.run("""
        const { multiFactor } = auth.currentUser;
        await multiFactor.unenroll(multiFactor.enrolledFactors[0]);
        return multiFactor.enrolledFactors.length;
        """)
        == 0
    )
    old.run(
        "await auth.signOut(); await auth.signInWithEmailAndPassword(a[0], a[1])", address, PASSWORD
    )


def test_old_a_second_factor_needs_a_verified_address(old, address):
    sign_up(old, address)
    assert (
        old.error(
            """
        const session = await auth.currentUser.multiFactor.getSession();
        await new firebase.auth.PhoneAuthProvider(auth)
          .verifyPhoneNumber({ phoneNumber: a[0], session }, captcha());
        """,
            number(),
        )
        == "auth/unverified-email"
    )


def test_old_a_tenant_of_its_own(old, address):
    tenant = old.project.tenant(displayName="work", allowPasswordSignup=True)
    made = old.run(
        """
        auth.tenantId = a[0];
        const { user } = await auth.createUserWithEmailAndPassword(a[1], a[2]);
        await user.getIdToken(true);
        return { tenant: user.tenantId,
                 claim: (await user.getIdTokenResult()).claims.firebase.tenant };
        """,
        tenant,
        address,
        PASSWORD,
    )
    assert made == {"tenant": tenant, "claim": tenant}
    assert (
        old.error(
            """
        auth.tenantId = null;
        await auth.signInWithEmailAndPassword(a[0], a[1]);
        """,
            address,
            PASSWORD,
        )
        == "auth/user-not-found"
    )


def test_old_second_factors_and_their_limits(old, address):
    """A second one, one twice, a session for nothing, and signing in again with one."""
    old.project.verified(address)
    old.run("await auth.signInWithEmailAndPassword(a[0], a[1])", address, PASSWORD)
    send = """
        const session = await auth.currentUser.multiFactor.getSession();
        window.id = await new firebase.auth.PhoneAuthProvider(auth)
          .verifyPhoneNumber({ phoneNumber: a[0], session }, captcha());
        """
    enroll = """
        await auth.currentUser.multiFactor.enroll(firebase.auth.PhoneMultiFactorGenerator.assertion(
          firebase.auth.PhoneAuthProvider.credential(id, a[0])), a[1]);
        return auth.currentUser.multiFactor.enrolledFactors.map(({ displayName }) => displayName);
        """
    phones = [number(), number()]
    for count, phone in enumerate(phones, 1):
        old.run(send, phone)
        assert len(old.run(enroll, old.sms(phone), f"phone {count}")) == count
    assert old.error(send, phones[0]) == "auth/second-factor-already-in-use"
    again = """
        try {
          await auth.currentUser.reauthenticateWithCredential(
            firebase.auth.EmailAuthProvider.credential(a[0], a[1]));
        } catch (error) {
          window.resolver = error.resolver;
          window.id = await new firebase.auth.PhoneAuthProvider(auth).verifyPhoneNumber(
            { multiFactorUid: resolver.hints[1].uid, session: resolver.session }, captcha());
          return [error.code, resolver.hints.map(({ displayName }) => displayName)];
        }
        """
    assert old.run(again, address, PASSWORD) == [
        "auth/multi-factor-auth-required",
        ["phone 1", "phone 2"],
    ]
    assert (
        old.run(
            """
        const { operationType } = await resolver.resolveSignIn(
          firebase.auth.PhoneMultiFactorGenerator.assertion(
            firebase.auth.PhoneAuthProvider.credential(id, a[0])));
        return operationType;
        """,
            old.sms(phones[1]),
        )
        == "reauthenticate"
    )
    assert old.error("await auth.currentUser.multiFactor.unenroll('nobody')") == (
        "auth/multi-factor-info-not-found"
    )


def test_old_a_second_factor_after_a_provider(old, address):
    phone = number()
    session = old.project.idp(
        "google.com", {"sub": "raw-" + address, "email": address, "email_verified": True}
    )
    old.project.enroll(session, phone)
    assert (
        old.run(
            """
        try {
          await auth.signInWithCredential(firebase.auth.GoogleAuthProvider.credential(a[0]));
        } catch (error) {
          window.resolver = error.resolver;
          window.id = await new firebase.auth.PhoneAuthProvider(auth).verifyPhoneNumber(
            { multiFactorHint: resolver.hints[0], session: resolver.session }, captcha());
          return error.code;
        }
        """,
            google_token(address),
        )
        == "auth/multi-factor-auth-required"
    )
    assert old.run(
        """
        const { user, additionalUserInfo } = await resolver.resolveSignIn(
          firebase.auth.PhoneMultiFactorGenerator.assertion(
            firebase.auth.PhoneAuthProvider.credential(id, a[0])));
        const { signInProvider } = await user.getIdTokenResult();
        return [user.email, signInProvider, additionalUserInfo.providerId];
        """,
        old.sms(phone),
    ) == [address, "google.com", "google.com"]


def test_old_what_a_tenant_does_not_allow(old, address):
    tenant = old.project.tenant(
        displayName="closed",
        allowPasswordSignup=False,
        enableAnonymousUser=False,
        enableEmailLinkSignin=False,
    )
    old.run("auth.tenantId = a[0]", tenant)
    for call, code in (
        ("createUserWithEmailAndPassword(a[0], a[1])", "operation-not-allowed"),
        ("signInWithEmailAndPassword(a[0], a[1])", "operation-not-allowed"),
        ("signInAnonymously()", "admin-restricted-operation"),
    ):
        assert old.error("await auth." + call, address, PASSWORD) == "auth/" + code, call
    assert (
        old.error(
            "auth.tenantId = 'nobody'; await auth.signInWithCustomToken(a[0])", custom_token("uid")
        )
        == "auth/tenant-id-mismatch"
    )


@pytest.mark.parametrize(
    "settings, code",
    [
        ("{ url: '' }", "invalid-continue-uri"),
        ("{ url: 'no address' }", "invalid-continue-uri"),
        ("{ url: 'http://localhost', dynamicLinkDomain: '' }", "argument-error"),
    ],
)
def test_old_settings_of_a_link(old, address, settings, code):
    old.project.sign_up(address)
    assert (
        old.error(f"await auth.sendPasswordResetEmail(a[0], {settings})", address) == "auth/" + code
    )


def test_old_invalid_custom_tokens(old):
    body = jwt.decode(custom_token("uid"), options={"verify_signature": False})
    for change, code in (
        ({"aud": "somebody else"}, "invalid-custom-token"),
        ({"uid": None}, "internal-error"),
        ({"claims": {"sub": "other"}}, "internal-error"),
    ):
        token = jwt.encode(
            {k: v for k, v in (body | change).items() if v is not None}, "", algorithm="none"
        )
        assert old.error("await auth.signInWithCustomToken(a[0])", token) == "auth/" + code


def test_old_the_language_of_a_mail(old, address):
    old.project.sign_up(address)
    old.run("auth.languageCode = 'fr'; await auth.sendPasswordResetEmail(a[0])", address)
    assert old.mail(address, "PASSWORD_RESET")["locale"] == "fr"


def test_old_a_user_goes(old, address):
    sign_up(old, address)
    assert (
        old.run("""
        const user = auth.currentUser;
        await user.delete();
        return auth.currentUser;
        """)
        is None
    )
    assert (
        old.error("await auth.signInWithEmailAndPassword(a[0], a[1])", address, PASSWORD)
        == "auth/user-not-found"
    )
    sign_up(old, address)
    old.project.admin("/accounts:delete", {"localId": old.user(address)["localId"]})
    assert old.error("await auth.currentUser.reload()") == "auth/user-token-expired"


def test_old_a_page_that_is_loaded_again(old, address):
    """What was kept in the browser is signed in still, and asked for."""
    sign_up(old, address)
    old.run("await auth.setPersistence('local')")
    uid = old.run("return auth.currentUser.uid")
    again = """
        const app = firebase.initializeApp({ apiKey: a[0], authDomain: "auth.example.com" });
        window.auth = app.auth();
        return await new Promise((resolve) => auth.onAuthStateChanged(
          (user) => resolve(user && user.uid)));
        """
    old.page.open("legacy")
    assert old.run(again, old.project.id) == uid
    old.project.admin("/accounts:delete", {"localId": uid})
    old.page.open("legacy")
    assert old.run(again, old.project.id) is None


def test_old_what_the_clock_does(old, address):
    sign_up(old, address)
    old.run("await auth.sendPasswordResetEmail(a[0])", address)
    code = old.mail(address, "PASSWORD_RESET")["oobCode"]
    phone = number()
    old.run(
        "window.confirmation = await auth.currentUser.linkWithPhoneNumber(a[0], captcha())", phone
    )
    sms = old.sms(phone)
    old.project.switch(recentLogin=True)
    old.project.advance("PT50M")
    assert old.error("await auth.currentUser.updatePassword('secret2')") == (
        "auth/requires-recent-login"
    )
    assert old.error("await auth.currentUser.delete()") == "auth/requires-recent-login"
    old.run(
        """await auth.currentUser.reauthenticateWithCredential(
        firebase.auth.EmailAuthProvider.credential(a[0], a[1]))""",
        address,
        PASSWORD,
    )
    old.run("await auth.currentUser.updatePassword('secret2')")
    assert old.error("await confirmation.confirm(a[0])", sms) == "auth/code-expired"
    old.project.advance("PT100H")
    for call in (
        "checkActionCode(a[0])",
        "verifyPasswordResetCode(a[0])",
        "confirmPasswordReset(a[0], 'secret3')",
    ):
        assert old.error("await auth." + call, code) == "auth/expired-action-code", call
    # The token is old; this browser, whose clock was not moved, does not know.
    assert old.error("await auth.currentUser.reload()") == "auth/user-token-expired"


def test_old_sessions_are_revoked(old, address):
    sign_up(old, address)
    later = str(int(time.time()) + 5)
    old.project.admin(
        "/accounts:update", {"localId": old.user(address)["localId"], "validSince": later}
    )
    assert old.error("await auth.currentUser.reload()") == "auth/user-token-expired"


@pytest.mark.parametrize(
    "effect, code",
    [
        ({"error": "TOO_MANY_ATTEMPTS_TRY_LATER"}, "too-many-requests"),
        ({"error": "OPERATION_NOT_ALLOWED"}, "operation-not-allowed"),
        ({"status": 503}, "internal-error"),
        ({"drop": "before"}, "network-request-failed"),
    ],
)
def test_old_faults(old, address, effect, code):
    old.project.sign_up(address)
    old.project.faults({"operation": SIGN_IN, "effect": effect})
    sign_in = "return (await auth.signInWithEmailAndPassword(a[0], a[1])).user.email"
    assert old.error(sign_in, address, PASSWORD) == "auth/" + code
    old.project.no_faults()
    assert old.run(sign_in, address, PASSWORD) == address
