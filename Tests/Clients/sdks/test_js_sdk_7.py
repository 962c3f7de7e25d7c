"""The Firebase JavaScript SDK itself, unmodified, in Chromium; js_sdk.py tells where it is from."""

import json
import time
from urllib.parse import parse_qs, urlsplit

import jwt
import pytest
import requests
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

from support.js_sdk import Failure, legacy_script, modular_script, sdk_page
from support.steering import SIGN_IN, Steered, guard  # noqa: F401

PASSWORD = "secret1"
NUMBERS = iter(range(10_000))


@pytest.fixture(scope="module")
def page(hearth, tmp_path_factory):
    with sdk_page(hearth, tmp_path_factory.mktemp("page")) as page:
        yield page


@pytest.fixture(scope="module")
def legacy(page):
    return page.add("legacy", legacy_script())


@pytest.fixture(scope="module")
def modular(page, tmp_path_factory):
    return page.add("modular", modular_script(tmp_path_factory.mktemp("modules")))


class App:
    """The SDK on its page, in a project that no other test uses."""

    def __init__(self, page, project: Steered):
        self.page, self.project = page, project
        self.run, self.error = page.run, page.error

    def codes(self, email: str, kind: str) -> list[dict]:
        answer = self.project.request("GET", f"{self.project.control}/oobCodes")
        return [code for code in answer["oobCodes"]
                if code["email"] == email and code["requestType"] == kind]

    def mail(self, email: str, kind: str) -> dict:
        """The newest message of that kind, from the mailbox."""
        return self.project.request(
            "GET", f"{self.project.control}/messages/latest",
            params={"to": email, "type": kind, "wait": "10s"})

    def sms(self, number: str) -> str:
        return self.project.code(number)["code"]

    def user(self, email: str) -> dict:
        [user] = self.project.admin("/accounts:lookup", {"email": [email]})["users"]
        return user


def number() -> str:
    return f"+1555{next(NUMBERS):07}"


def custom_token(uid: str, **claims) -> str:
    body = {
        "aud": "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1."
               "IdentityToolkit",
        "iss": "x@y.iam.gserviceaccount.com", "sub": "x@y.iam.gserviceaccount.com", "uid": uid,
        "iat": int(time.time()), "exp": int(time.time()) + 3600}
    return jwt.encode(body | ({"claims": claims} if claims else {}), "", algorithm="none")


def google_token(email: str, **more) -> str:
    return json.dumps({"sub": "raw-" + email, "email": email, "email_verified": True} | more)


# MARK: 7.15.5, all of it


@pytest.fixture
def old(legacy, hearth) -> App:
    project = Steered(hearth)
    legacy.open("legacy")
    legacy.run("""
        const app = firebase.initializeApp({
          apiKey: a[0], authDomain: "auth.example.com", projectId: a[0] });
        window.auth = app.auth();
        await auth.setPersistence("none");
        auth.settings.appVerificationDisabledForTesting = true;
        window.captcha = () => new firebase.auth.RecaptchaVerifier(
          document.body.appendChild(document.createElement("div")), { size: "invisible" });
        """, project.id)
    return App(legacy, project)


def sign_up(old: App, email: str) -> dict:
    return old.run("""
        const { user, additionalUserInfo, operationType } =
          await auth.createUserWithEmailAndPassword(a[0], a[1]);
        return { user, additionalUserInfo, operationType }
        """, email, PASSWORD)


def test_old_a_new_user(old, address):
    made = sign_up(old, address)
    assert made["operationType"] == "signIn"
    assert made["additionalUserInfo"] == {"providerId": "password", "isNewUser": True}
    user = made["user"]
    assert user["uid"] == old.user(address)["localId"]
    assert user["email"] == address and user["emailVerified"] is False
    assert user["isAnonymous"] is False
    [provider] = user["providerData"]
    assert provider | {"displayName": None, "photoURL": None, "phoneNumber": None} == provider
    assert (provider["providerId"], provider["uid"]) == ("password", address)
    assert user["createdAt"] and user["lastLoginAt"]
    known = old.run("""
        await auth.signOut();
        const { user, additionalUserInfo } = await auth.signInWithEmailAndPassword(a[0], a[1]);
        return { uid: user.uid, metadata: user.metadata, isNewUser: additionalUserInfo.isNewUser,
                 methods: await auth.fetchSignInMethodsForEmail(a[0]) };
        """, address, PASSWORD)
    assert known["uid"] == user["uid"] and known["isNewUser"] is False
    assert known["methods"] == ["password"]
    assert known["metadata"]["creationTime"].endswith("GMT")


def test_old_what_goes_wrong(old, address):
    sign_up(old, address)
    for call, code in (
        (f"signInWithEmailAndPassword('{address}', 'wrong password')", "wrong-password"),
        ("signInWithEmailAndPassword('nobody@example.com', 'secret1')", "user-not-found"),
        ("signInWithEmailAndPassword('no address', 'secret1')", "invalid-email"),
        (f"createUserWithEmailAndPassword('{address}', 'secret1')", "email-already-in-use"),
        ("createUserWithEmailAndPassword('new@example.com', '123')", "weak-password"),
        ("createUserWithEmailAndPassword('nonsense', 'secret1')", "invalid-email"),
        ("sendPasswordResetEmail('nobody@example.com')", "user-not-found"),
        ("confirmPasswordReset('no code', 'secret2')", "invalid-action-code"),
        ("verifyPasswordResetCode('no code')", "invalid-action-code"),
        ("applyActionCode('no code')", "invalid-action-code"),
        ("checkActionCode('no code')", "invalid-action-code"),
        ("signInWithCustomToken('no token')", "invalid-custom-token"),
    ):
        assert old.error(f"await auth.{call}") == "auth/" + code, call
    uid = old.user(address)["localId"]
    old.project.admin("/accounts:update", {"localId": uid, "disableUser": True})
    assert old.error("await auth.signInWithEmailAndPassword(a[0], a[1])", address,
                     PASSWORD) == "auth/user-disabled"
    assert old.error("await auth.currentUser.getIdToken(true)") == "auth/user-disabled"


def test_old_a_profile(old, address):
    sign_up(old, address)
    profile = {"displayName": "Ann Otter", "photoURL": "https://example.com/a.png"}
    assert old.run("""
        await auth.currentUser.updateProfile(a[0]);
        const { displayName, photoURL, providerData } = auth.currentUser;
        return { displayName, photoURL, entry: providerData[0].displayName };
        """, profile) == profile | {"entry": "Ann Otter"}
    gone = old.run("""
        await auth.currentUser.updateProfile({ displayName: "", photoURL: null });
        await auth.currentUser.reload();
        return { name: auth.currentUser.displayName, photo: auth.currentUser.photoURL };
        """)
    assert gone == {"name": None, "photo": None}


def test_old_a_forgotten_password(old, address):
    sign_up(old, address)
    old.run("await auth.signOut(); await auth.sendPasswordResetEmail(a[0])", address)
    code = old.mail(address, "PASSWORD_RESET")["oobCode"]
    assert old.run("return await auth.verifyPasswordResetCode(a[0])", code) == address
    assert old.run("return await auth.checkActionCode(a[0])", code) == {
        "data": {"email": address, "fromEmail": None, "previousEmail": None,
                 "multiFactorInfo": None},
        "operation": "PASSWORD_RESET"}
    assert old.error("await auth.confirmPasswordReset(a[0], '123')", code) == "auth/weak-password"
    old.run("await auth.confirmPasswordReset(a[0], 'secret2')", code)
    assert old.error("await auth.confirmPasswordReset(a[0], 'secret3')",
                     code) == "auth/invalid-action-code"
    assert old.error("await auth.signInWithEmailAndPassword(a[0], a[1])", address,
                     PASSWORD) == "auth/wrong-password"
    old.run("await auth.signInWithEmailAndPassword(a[0], 'secret2')", address)


def test_old_a_link_that_continues(old, address):
    sign_up(old, address)
    old.run("await auth.sendPasswordResetEmail(a[0], { url: a[1], handleCodeInApp: true })",
            address, "http://localhost:5000/back?x=1")
    link = old.mail(address, "PASSWORD_RESET")["oobLink"]
    parsed = old.run("""
        const link = firebase.auth.ActionCodeURL.parseLink(a[0]);
        return { operation: link.operation, code: link.code, continueUrl: link.continueUrl };
        """, link)
    assert parsed["operation"] == "PASSWORD_RESET" and parsed["code"]
    assert parsed["continueUrl"] == "http://localhost:5000/back?x=1"
    assert old.run("return await auth.verifyPasswordResetCode(a[0])", parsed["code"]) == address


def test_old_an_address_is_verified(old, address):
    sign_up(old, address)
    old.run("await auth.currentUser.sendEmailVerification()")
    code = old.mail(address, "VERIFY_EMAIL")["oobCode"]
    assert old.run("return (await auth.checkActionCode(a[0])).operation", code) == "VERIFY_EMAIL"
    verified = old.run("""
        await auth.applyActionCode(a[0]);
        await auth.currentUser.reload();
        const before = (await auth.currentUser.getIdTokenResult()).claims.email_verified;
        const after = (await auth.currentUser.getIdTokenResult(true)).claims.email_verified;
        return { user: auth.currentUser.emailVerified, before, after };
        """, code)
    assert verified == {"user": True, "before": False, "after": True}
    assert old.error("await auth.applyActionCode(a[0])", code) == "auth/invalid-action-code"


def test_old_a_link_signs_in(old, address):
    old.run("""await auth.sendSignInLinkToEmail(
        a[0], { url: "http://localhost:5000/finish", handleCodeInApp: true })""", address)
    link = old.mail(address, "EMAIL_SIGNIN")["oobLink"]
    assert old.run("return auth.isSignInWithEmailLink(a[0])", link) is True
    assert old.error("await auth.signInWithEmailLink('other@example.com', a[0])",
                     link) == "auth/invalid-email"
    made = old.run("""
        const { user, additionalUserInfo } = await auth.signInWithEmailLink(a[0], a[1]);
        const { signInProvider, claims } = await user.getIdTokenResult();
        return { verified: user.emailVerified, isNew: additionalUserInfo.isNewUser, signInProvider,
                 methods: await auth.fetchSignInMethodsForEmail(a[0]) };
        """, address, link)
    assert made == {
        "verified": True, "isNew": True, "signInProvider": "password", "methods": ["emailLink"]}
    assert old.error("await auth.signInWithEmailLink(a[0], a[1])", address,
                     link) == "auth/invalid-action-code"


def test_old_a_link_is_linked_and_reauthenticates(old, address):
    old.run("await auth.signInAnonymously()")
    send = """await auth.sendSignInLinkToEmail(
        a[0], { url: "http://localhost:5000/finish", handleCodeInApp: true })"""
    old.run(send, address)
    use = """
        const credential = firebase.auth.EmailAuthProvider.credentialWithLink(a[0], a[1]);
        const { user, operationType } = await auth.currentUser[a[2]](credential);
        return { operationType, anonymous: user.isAnonymous, email: user.email };
        """
    link = old.mail(address, "EMAIL_SIGNIN")["oobLink"]
    assert old.run(use, address, link, "linkWithCredential") == {
        "operationType": "link", "anonymous": False, "email": address}
    old.run(send, address)
    link = old.mail(address, "EMAIL_SIGNIN")["oobLink"]
    assert old.run(use, address, link, "reauthenticateWithCredential")[
        "operationType"] == "reauthenticate"


def test_old_a_guest_becomes_somebody(old, address):
    guest = old.run("""
        const { user, additionalUserInfo } = await auth.signInAnonymously();
        const again = (await auth.signInAnonymously()).user.uid;
        const { signInProvider } = await user.getIdTokenResult();
        return { uid: user.uid, anonymous: user.isAnonymous, again, signInProvider,
                 isNew: additionalUserInfo.isNewUser, providers: user.providerData.length };
        """)
    assert guest == {"uid": guest["uid"], "again": guest["uid"], "anonymous": True,
                     "signInProvider": "anonymous", "isNew": True, "providers": 0}
    made = old.run("""
        const credential = firebase.auth.EmailAuthProvider.credential(a[0], a[1]);
        const { user } = await auth.currentUser.linkWithCredential(credential);
        return { uid: user.uid, anonymous: user.isAnonymous, email: user.email,
                 providers: user.providerData.map((entry) => entry.providerId) };
        """, address, PASSWORD)
    assert made == {
        "uid": guest["uid"], "anonymous": False, "email": address, "providers": ["password"]}
    link = """
        const credential = firebase.auth.EmailAuthProvider.credential(a[0], "secret1");
        await auth.currentUser.linkWithCredential(credential);
        """
    assert old.error(link, "more-" + address) == "auth/provider-already-linked"
    old.run("await auth.signOut(); await auth.signInAnonymously()")
    assert old.error(link, address) == "auth/email-already-in-use"


def test_old_a_token_of_ones_own(old):
    made = old.run("""
        const { user, additionalUserInfo } = await auth.signInWithCustomToken(a[0]);
        const { claims, signInProvider } = await user.getIdTokenResult();
        return { uid: user.uid, isNew: additionalUserInfo.isNewUser, claims, signInProvider };
        """, custom_token("uid-1", role="admin"))
    assert made["uid"] == "uid-1" and made["isNew"] is True
    assert made["signInProvider"] == "custom" and made["claims"]["role"] == "admin"
    refreshed = old.run("return (await auth.currentUser.getIdTokenResult(true)).claims")
    assert refreshed["role"] == "admin" and refreshed["user_id"] == "uid-1"


def test_old_tokens_are_refreshed(old, address):
    sign_up(old, address)
    first = old.run("return await auth.currentUser.getIdTokenResult()")
    assert {"token", "authTime", "issuedAtTime", "expirationTime", "signInProvider",
            "claims"} <= first.keys()
    uid = old.user(address)["localId"]
    old.project.admin("/accounts:update", {
        "localId": uid, "customAttributes": json.dumps({"level": 9})})
    again = old.run("""
        const kept = (await auth.currentUser.getIdTokenResult()).claims.level;
        const heard = [];
        const stop = auth.onIdTokenChanged(async (user) => heard.push(await user.getIdToken()));
        await new Promise((resolve) => setTimeout(resolve, 50));
        await new Promise((resolve) => setTimeout(resolve, 1000));
        const fresh = await auth.currentUser.getIdTokenResult(true);
        await new Promise((resolve) => setTimeout(resolve, 50));
        stop();
        return { kept: kept ?? null, level: fresh.claims.level, heard: heard.length,
                 last: heard[heard.length - 1] === fresh.token };
        """)
    assert again == {"kept": None, "level": 9, "heard": 2, "last": True}


def test_old_changes_need_no_more_than_a_token(old, address):
    sign_up(old, address)
    other = "other-" + address
    changed = old.run("""
        const user = auth.currentUser;
        const credential = firebase.auth.EmailAuthProvider.credential(a[0], a[2]);
        const { operationType } = await user.reauthenticateWithCredential(credential);
        await user.updatePassword("secret2");
        await user.updateEmail(a[1]);
        await user.getIdToken(true);
        return { operationType, email: user.email, entry: user.providerData[0].uid };
        """, address, other, PASSWORD)
    assert changed == {"operationType": "reauthenticate", "email": other, "entry": other}
    old.run("await auth.signOut(); await auth.signInWithEmailAndPassword(a[0], 'secret2')", other)
    assert old.error("await auth.currentUser.updatePassword('1')") == "auth/weak-password"
    assert old.error("await auth.currentUser.updateEmail('nonsense')") == "auth/invalid-email"
    reauthenticate = """
        const credential = firebase.auth.EmailAuthProvider.credential(a[0], a[1]);
        await auth.currentUser.reauthenticateWithCredential(credential);
        """
    assert old.error(reauthenticate, other, "wrong") == "auth/wrong-password"
    old.project.sign_up("third-" + address)
    assert old.error(reauthenticate, "third-" + address, PASSWORD) == "auth/user-mismatch"
    assert old.error("await auth.currentUser.updateEmail(a[0])",
                     "third-" + address) == "auth/email-already-in-use"


def test_old_a_changed_address_can_be_taken_back(old, address):
    sign_up(old, address)
    old.run("await auth.currentUser.updateEmail(a[0])", "thief-" + address)
    [code] = old.codes(address, "RECOVER_EMAIL")
    checked = old.run("return await auth.checkActionCode(a[0])", code["oobCode"])
    assert checked["operation"] == "RECOVER_EMAIL"
    assert checked["data"]["email"] == address
    old.run("await auth.applyActionCode(a[0])", code["oobCode"])
    assert old.user(address)["emailVerified"] is True


def test_old_an_address_is_verified_before_it_changes(old, address):
    sign_up(old, address)
    other = "other-" + address
    old.run("await auth.currentUser.verifyBeforeUpdateEmail(a[0])", other)
    code = old.mail(other, "VERIFY_AND_CHANGE_EMAIL")["oobCode"]
    checked = old.run("return await auth.checkActionCode(a[0])", code)
    assert checked["operation"] == "VERIFY_AND_CHANGE_EMAIL"
    assert (checked["data"]["email"], checked["data"]["previousEmail"]) == (other, address)
    old.run("await auth.applyActionCode(a[0])", code)
    assert old.run("""
        await auth.currentUser.reload();
        return [auth.currentUser.email, auth.currentUser.emailVerified];
        """) == [other, True]


def test_old_a_provider_signs_in(old, address):
    made = old.run("""
        const credential = firebase.auth.GoogleAuthProvider.credential(a[0]);
        const { user, additionalUserInfo, credential: back } =
          await auth.signInWithCredential(credential);
        return { user: user.toJSON(), additionalUserInfo, back: back.providerId };
        """, google_token(address, name="Ann"))
    assert made["user"]["email"] == address and made["user"]["emailVerified"] is True
    assert made["user"]["displayName"] == "Ann" and made["back"] == "google.com"
    [entry] = made["user"]["providerData"]
    assert (entry["providerId"], entry["uid"]) == ("google.com", "raw-" + address)
    info = made["additionalUserInfo"]
    assert info["isNewUser"] is True and info["providerId"] == "google.com"
    assert info["profile"]["email"] == address
    old.run("""
        await auth.currentUser.reauthenticateWithCredential(
          firebase.auth.GoogleAuthProvider.credential(a[0]));
        await auth.currentUser.linkWithCredential(
          firebase.auth.EmailAuthProvider.credential(a[1], "secret1"));
        """, google_token(address), address)
    assert old.run("""
        await auth.currentUser.unlink("google.com");
        return auth.currentUser.providerData.map((entry) => entry.providerId);
        """) == ["password"]
    assert old.error("await auth.currentUser.unlink('google.com')") == "auth/no-such-provider"
    assert old.error("""await auth.signInWithCredential(
        firebase.auth.GoogleAuthProvider.credential("nonsense"))""") == "auth/invalid-credential"


def test_old_a_provider_somebody_else_has(old, address):
    old.project.idp("google.com", {"sub": "raw-" + address, "email": address})
    sign_up(old, "other-" + address)
    assert old.error("""await auth.currentUser.linkWithCredential(
        firebase.auth.GoogleAuthProvider.credential(a[0]))""",
                     google_token(address)) == "auth/credential-already-in-use"
    facebook = json.dumps({"sub": "f-" + address, "email": "other-" + address})
    assert old.error("""
        await auth.signOut();
        await auth.signInWithCredential(firebase.auth.FacebookAuthProvider.credential(a[0]));
        """, facebook) == "auth/account-exists-with-different-credential"


def test_old_a_phone_signs_in(old):
    phone = number()
    send = """
        window.confirmation = await auth.signInWithPhoneNumber(a[0], captcha());
        return confirmation.verificationId;
        """
    assert old.run(send, phone)
    assert old.error("await confirmation.confirm('000000')") == "auth/invalid-verification-code"
    made = old.run("""
        const { user, additionalUserInfo } = await confirmation.confirm(a[0]);
        const { signInProvider } = await user.getIdTokenResult();
        return { phone: user.phoneNumber, isNew: additionalUserInfo.isNewUser, signInProvider,
                 providers: user.providerData.map((entry) => entry.providerId) };
        """, old.sms(phone))
    assert made == {
        "phone": phone, "isNew": True, "signInProvider": "phone", "providers": ["phone"]}
    assert old.error("await auth.signInWithPhoneNumber('12', captcha())") == (
        "auth/invalid-phone-number")
    other = number()
    old.run("""window.id = await new firebase.auth.PhoneAuthProvider(auth)
        .verifyPhoneNumber(a[0], captcha())""", other)
    assert old.run("""
        await auth.currentUser.updatePhoneNumber(
          firebase.auth.PhoneAuthProvider.credential(id, a[0]));
        return auth.currentUser.phoneNumber;
        """, old.sms(other)) == other
    assert old.error("""await auth.signInWithCredential(
        firebase.auth.PhoneAuthProvider.credential("nonsense", "123456"))""") == (
            "auth/invalid-verification-id")


def test_old_a_phone_is_linked(old, address):
    sign_up(old, address)
    phone = number()
    old.run("window.confirmation = await auth.currentUser.linkWithPhoneNumber(a[0], captcha())",
            phone)
    assert old.run("""
        const { operationType, user } = await confirmation.confirm(a[0]);
        return [operationType, user.phoneNumber, user.providerData.length];
        """, old.sms(phone)) == ["link", phone, 2]
    # A second user cannot have it; the error carries a credential that signs in.
    old.run("""
        await auth.signOut();
        await auth.signInAnonymously();
        window.confirmation = await auth.currentUser.linkWithPhoneNumber(a[0], captcha());
        """, phone)
    taken = old.run("""
        try { await confirmation.confirm(a[0]); } catch (error) {
          const { user } = await auth.signInWithCredential(error.credential);
          return { code: error.code, email: user.email };
        }
        """, old.sms(phone))
    assert taken == {"code": "auth/credential-already-in-use", "email": address}


def test_old_a_second_factor(old, address):
    old.project.verified(address)
    old.run("await auth.signInWithEmailAndPassword(a[0], a[1])", address, PASSWORD)
    phone = number()
    old.run("""
        const session = await auth.currentUser.multiFactor.getSession();
        window.id = await new firebase.auth.PhoneAuthProvider(auth)
          .verifyPhoneNumber({ phoneNumber: a[0], session }, captcha());
        """, phone)
    enroll = """
        const credential = firebase.auth.PhoneAuthProvider.credential(id, a[0]);
        const assertion = firebase.auth.PhoneMultiFactorGenerator.assertion(credential);
        await auth.currentUser.multiFactor.enroll(assertion, "my phone");
        return auth.currentUser.multiFactor.enrolledFactors;
        """
    assert old.error(enroll, "000000") == "auth/invalid-verification-code"
    [factor] = old.run(enroll, old.sms(phone))
    assert (factor["factorId"], factor["displayName"], factor["phoneNumber"]) == (
        "phone", "my phone", phone)
    asked = old.run("""
        await auth.signOut();
        try { await auth.signInWithEmailAndPassword(a[0], a[1]); } catch (error) {
          window.resolver = error.resolver;
          window.id = await new firebase.auth.PhoneAuthProvider(auth).verifyPhoneNumber(
            { multiFactorHint: resolver.hints[0], session: resolver.session }, captcha());
          return { code: error.code, hints: resolver.hints };
        }
        """, address, PASSWORD)
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
    assert old.run("""
        const { multiFactor } = auth.currentUser;
        await multiFactor.unenroll(multiFactor.enrolledFactors[0]);
        return multiFactor.enrolledFactors.length;
        """) == 0
    old.run("await auth.signOut(); await auth.signInWithEmailAndPassword(a[0], a[1])", address,
            PASSWORD)


def test_old_a_second_factor_needs_a_verified_address(old, address):
    sign_up(old, address)
    assert old.error("""
        const session = await auth.currentUser.multiFactor.getSession();
        await new firebase.auth.PhoneAuthProvider(auth)
          .verifyPhoneNumber({ phoneNumber: a[0], session }, captcha());
        """, number()) == "auth/unverified-email"


def test_old_a_tenant_of_its_own(old, address):
    tenant = old.project.tenant(displayName="work", allowPasswordSignup=True)
    made = old.run("""
        auth.tenantId = a[0];
        const { user } = await auth.createUserWithEmailAndPassword(a[1], a[2]);
        await user.getIdToken(true);
        return { tenant: user.tenantId,
                 claim: (await user.getIdTokenResult()).claims.firebase.tenant };
        """, tenant, address, PASSWORD)
    assert made == {"tenant": tenant, "claim": tenant}
    assert old.error("""
        auth.tenantId = null;
        await auth.signInWithEmailAndPassword(a[0], a[1]);
        """, address, PASSWORD) == "auth/user-not-found"


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
        "auth/multi-factor-auth-required", ["phone 1", "phone 2"]]
    assert old.run("""
        const { operationType } = await resolver.resolveSignIn(
          firebase.auth.PhoneMultiFactorGenerator.assertion(
            firebase.auth.PhoneAuthProvider.credential(id, a[0])));
        return operationType;
        """, old.sms(phones[1])) == "reauthenticate"
    assert old.error("await auth.currentUser.multiFactor.unenroll('nobody')") == (
        "auth/multi-factor-info-not-found")


def test_old_a_second_factor_behind_a_provider(old, address):
    phone = number()
    session = old.project.idp("google.com", {
        "sub": "raw-" + address, "email": address, "email_verified": True})
    old.project.enroll(session, phone)
    assert old.run("""
        try {
          await auth.signInWithCredential(firebase.auth.GoogleAuthProvider.credential(a[0]));
        } catch (error) {
          window.resolver = error.resolver;
          window.id = await new firebase.auth.PhoneAuthProvider(auth).verifyPhoneNumber(
            { multiFactorHint: resolver.hints[0], session: resolver.session }, captcha());
          return error.code;
        }
        """, google_token(address)) == "auth/multi-factor-auth-required"
    assert old.run("""
        const { user, additionalUserInfo } = await resolver.resolveSignIn(
          firebase.auth.PhoneMultiFactorGenerator.assertion(
            firebase.auth.PhoneAuthProvider.credential(id, a[0])));
        const { signInProvider } = await user.getIdTokenResult();
        return [user.email, signInProvider, additionalUserInfo.providerId];
        """, old.sms(phone)) == [address, "google.com", "google.com"]


def test_old_what_a_tenant_does_not_allow(old, address):
    tenant = old.project.tenant(
        displayName="closed", allowPasswordSignup=False, enableAnonymousUser=False,
        enableEmailLinkSignin=False)
    old.run("auth.tenantId = a[0]", tenant)
    for call, code in (
        ("createUserWithEmailAndPassword(a[0], a[1])", "operation-not-allowed"),
        ("signInWithEmailAndPassword(a[0], a[1])", "operation-not-allowed"),
        ("signInAnonymously()", "admin-restricted-operation"),
    ):
        assert old.error("await auth." + call, address, PASSWORD) == "auth/" + code, call
    assert old.error("auth.tenantId = 'nobody'; await auth.signInWithCustomToken(a[0])",
                     custom_token("uid")) == "auth/tenant-id-mismatch"


@pytest.mark.parametrize("settings, code", [
    ("{ url: '' }", "invalid-continue-uri"),
    ("{ url: 'no address' }", "invalid-continue-uri"),
    ("{ url: 'http://localhost', dynamicLinkDomain: '' }", "argument-error"),
])
def test_old_settings_of_a_link(old, address, settings, code):
    old.project.sign_up(address)
    assert old.error(f"await auth.sendPasswordResetEmail(a[0], {settings})",
                     address) == "auth/" + code


def test_old_custom_tokens_that_are_none(old):
    body = jwt.decode(custom_token("uid"), options={"verify_signature": False})
    for change, code in (
        ({"aud": "somebody else"}, "invalid-custom-token"),
        ({"uid": None}, "internal-error"),
        ({"claims": {"sub": "other"}}, "internal-error"),
    ):
        token = jwt.encode({k: v for k, v in (body | change).items() if v is not None}, "",
                           algorithm="none")
        assert old.error("await auth.signInWithCustomToken(a[0])", token) == "auth/" + code


def test_old_the_language_of_a_mail(old, address):
    old.project.sign_up(address)
    old.run("auth.languageCode = 'fr'; await auth.sendPasswordResetEmail(a[0])", address)
    assert old.mail(address, "PASSWORD_RESET")["locale"] == "fr"


def test_old_a_user_goes(old, address):
    sign_up(old, address)
    assert old.run("""
        const user = auth.currentUser;
        await user.delete();
        return auth.currentUser;
        """) is None
    assert old.error("await auth.signInWithEmailAndPassword(a[0], a[1])", address,
                     PASSWORD) == "auth/user-not-found"
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
    old.run("window.confirmation = await auth.currentUser.linkWithPhoneNumber(a[0], captcha())",
            phone)
    sms = old.sms(phone)
    old.project.switch(recentLogin=True)
    old.project.advance("PT50M")
    assert old.error("await auth.currentUser.updatePassword('secret2')") == (
        "auth/requires-recent-login")
    assert old.error("await auth.currentUser.delete()") == "auth/requires-recent-login"
    old.run("""await auth.currentUser.reauthenticateWithCredential(
        firebase.auth.EmailAuthProvider.credential(a[0], a[1]))""", address, PASSWORD)
    old.run("await auth.currentUser.updatePassword('secret2')")
    assert old.error("await confirmation.confirm(a[0])", sms) == "auth/code-expired"
    old.project.advance("PT100H")
    for call in ("checkActionCode(a[0])", "verifyPasswordResetCode(a[0])",
                 "confirmPasswordReset(a[0], 'secret3')"):
        assert old.error("await auth." + call, code) == "auth/expired-action-code", call
    # The token is old; this browser, whose clock nobody moved, does not know.
    assert old.error("await auth.currentUser.reload()") == "auth/user-token-expired"


def test_old_sessions_are_revoked(old, address):
    sign_up(old, address)
    later = str(int(time.time()) + 5)
    old.project.admin("/accounts:update", {
        "localId": old.user(address)["localId"], "validSince": later})
    assert old.error("await auth.currentUser.reload()") == "auth/user-token-expired"


@pytest.mark.parametrize("effect, code", [
    ({"error": "TOO_MANY_ATTEMPTS_TRY_LATER"}, "too-many-requests"),
    ({"error": "OPERATION_NOT_ALLOWED"}, "operation-not-allowed"),
    ({"status": 503}, "internal-error"),
    ({"drop": "before"}, "network-request-failed"),
])
def test_old_faults(old, address, effect, code):
    old.project.sign_up(address)
    old.project.faults({"operation": SIGN_IN, "effect": effect})
    sign_in = "return (await auth.signInWithEmailAndPassword(a[0], a[1])).user.email"
    assert old.error(sign_in, address, PASSWORD) == "auth/" + code
    old.project.no_faults()
    assert old.run(sign_in, address, PASSWORD) == address


# MARK: 11.3.1: connectAuthEmulator, and what a popup or a redirect brings


@pytest.fixture
def new(modular, hearth) -> App:
    app = App(modular, Steered(hearth))
    start(app)
    return app


def start(new: App) -> None:
    new.page.open("modular")
    new.run("""
        const app = fb.initializeApp({
          apiKey: a[0], authDomain: "auth.example.com", projectId: a[0] });
        window.auth = fb.getAuth(app);
        fb.connectAuthEmulator(auth, emulator, { disableWarnings: true });
        auth.settings.appVerificationDisabledForTesting = true;
        await auth.authStateReady();
        """, new.project.id)


def test_new_users_and_passwords(new, address):
    made = new.run("""
        const { user } = await fb.createUserWithEmailAndPassword(auth, a[0], a[1]);
        const { claims, signInProvider } = await user.getIdTokenResult();
        return { user, email: claims.email, signInProvider, version: fb.SDK_VERSION };
        """, address, PASSWORD)
    assert made["version"] == "11.3.1"
    assert made["email"] == address and made["signInProvider"] == "password"
    assert made["user"]["stsTokenManager"]["refreshToken"]
    again = new.run("""
        await fb.signOut(auth);
        const { user } = await fb.signInWithEmailAndPassword(auth, a[0], a[1]);
        await fb.reload(user);
        const credential = fb.EmailAuthProvider.credential(a[0], a[1]);
        const { operationType } = await fb.reauthenticateWithCredential(user, credential);
        const before = await user.getIdToken();
        await new Promise((resolve) => setTimeout(resolve, 1100));
        const after = await user.getIdToken(true);
        return { uid: user.uid, operationType, changed: before !== after };
        """, address, PASSWORD)
    assert again == {
        "uid": made["user"]["uid"], "operationType": "reauthenticate", "changed": True}


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
        "emailPrivacyConfig", emailPrivacyConfig={"enableImprovedEmailPrivacy": True})
    for email in (address, "nobody@example.com"):
        assert new.error("await fb.signInWithEmailAndPassword(auth, a[0], 'wrong')",
                         email) == "auth/invalid-credential"
    new.run("await fb.sendPasswordResetEmail(auth, 'nobody@example.com')")


def test_new_a_forgotten_password(new, address):
    new.project.sign_up(address)
    new.run("await fb.sendPasswordResetEmail(auth, a[0], { url: 'http://localhost/after' })",
            address)
    link = new.mail(address, "PASSWORD_RESET")["oobLink"]
    assert new.run("""
        const { operation, code, continueUrl } = fb.ActionCodeURL.parseLink(a[0]);
        const { data } = await fb.checkActionCode(auth, code);
        const email = await fb.verifyPasswordResetCode(auth, code);
        await fb.confirmPasswordReset(auth, code, "secret2");
        const { user } = await fb.signInWithEmailAndPassword(auth, email, "secret2");
        return [operation, continueUrl, data.email, user.emailVerified];
        """, link) == ["PASSWORD_RESET", "http://localhost/after", address, True]


def test_new_a_password_policy(new):
    new.project.configure("passwordPolicyConfig", passwordPolicyConfig={
        "passwordPolicyEnforcementState": "ENFORCE",
        "passwordPolicyVersions": [{"customStrengthOptions": {
            "minPasswordLength": 8, "containsNumericCharacter": True}}]})
    status = new.run("return await fb.validatePassword(auth, 'short')")
    assert status["isValid"] is False
    assert status["meetsMinPasswordLength"] is False
    assert status["containsNumericCharacter"] is False
    assert new.run("return (await fb.validatePassword(auth, 'long enough 1')).isValid") is True


@pytest.mark.parametrize("effect, code", [
    ({"error": "TOO_MANY_ATTEMPTS_TRY_LATER"}, "too-many-requests"),
    ({"error": "OPERATION_NOT_ALLOWED"}, "operation-not-allowed"),
    ({"drop": "before"}, "network-request-failed"),
    ({"drop": "after"}, "network-request-failed"),
])
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
    new.run("""
        const provider = new fb.OAuthProvider("apple.com");
        const credential = provider.credential({ idToken: a[0] });
        await fb.signInWithCredential(auth, credential);
        await fb.revokeAccessToken(auth, "access token");
        """, google_token(address))


def test_new_users_go(new, address):
    new.run("await fb.createUserWithEmailAndPassword(auth, a[0], a[1])", address, PASSWORD)
    assert new.run("await fb.deleteUser(auth.currentUser); return auth.currentUser") is None
    assert new.error("await fb.signInWithEmailAndPassword(auth, a[0], a[1])", address,
                     PASSWORD) == "auth/user-not-found"


def test_new_a_phone(new, address):
    phone = number()
    new.run("""
        const verifier = new fb.RecaptchaVerifier(auth, "captcha", { size: "invisible" });
        window.confirmation = await fb.signInWithPhoneNumber(auth, a[0], verifier);
        """, phone)
    assert new.error("await confirmation.confirm('000000')") == "auth/invalid-verification-code"
    assert new.run("""
        const { user } = await confirmation.confirm(a[0]);
        return [user.phoneNumber, (await user.getIdTokenResult()).signInProvider];
        """, new.sms(phone)) == [phone, "phone"]


def test_new_a_page_that_is_loaded_again(new, address):
    """The user is kept in the browser's database, and looked up again."""
    uid = new.run("""
        return (await fb.createUserWithEmailAndPassword(auth, a[0], a[1])).user.uid;
        """, address, PASSWORD)
    start(new)
    assert new.run("return auth.currentUser.uid") == uid
    new.project.admin("/accounts:delete", {"localId": uid})
    start(new)
    assert new.run("return auth.currentUser") is None


def fill_in(new: App, address: str, name: str = "Ann Otter") -> None:
    """The page of the pretended provider."""
    browser = new.page.browser

    def find(selector):
        return WebDriverWait(browser, 10).until(
            lambda b: b.find_element(By.CSS_SELECTOR, selector))

    find(".js-new-account").click()
    find("#email-input").send_keys(address)
    find("#display-name-input").send_keys(name)
    WebDriverWait(browser, 10).until(
        lambda b: b.find_element(By.CSS_SELECTOR, "#sign-in").is_enabled())
    find("#sign-in").click()


def in_popup(new: App, call: str, act, *arguments):
    """What the call, started by a click, comes to while `act` is done in its popup."""
    browser = new.page.browser
    new.run(f"""
        document.getElementById("act").onclick = () => {{
          window.outcome = ({call})(...a).then((value) => ({{ value }}), (error) => ({{
            code: error.code, data: error.customData }}));
        }};
        """, *arguments)
    window = browser.current_window_handle
    browser.find_element(By.ID, "act").click()
    WebDriverWait(browser, 15).until(lambda b: len(b.window_handles) == 2)
    [popup] = [handle for handle in browser.window_handles if handle != window]
    browser.switch_to.window(popup)
    act()
    browser.switch_to.window(window)
    outcome = new.run("return await outcome")
    WebDriverWait(browser, 10).until(lambda b: len(b.window_handles) == 1)
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
        seen.update(parse_qs(urlsplit(new.page.browser.current_url).query))
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
    again = in_popup(new, """async () => {
        const { user, operationType } =
          await fb.reauthenticateWithPopup(auth.currentUser, new fb.GoogleAuthProvider());
        return [operationType, user.uid];
        }""", lambda: reuse(new, address))
    assert again == {"value": ["reauthenticate", made["user"]["uid"]]}
    linked = in_popup(new, """async () => {
        const { user, operationType } =
          await fb.linkWithPopup(auth.currentUser, new fb.FacebookAuthProvider());
        return [operationType, user.providerData.map((entry) => entry.providerId)];
        }""", lambda: fill_in(new, address))
    assert linked["value"][0] == "link"
    assert set(linked["value"][1]) == {"google.com", "facebook.com"}


def reuse(new: App, address: str) -> None:
    items = WebDriverWait(new.page.browser, 10).until(
        lambda b: b.find_elements(By.CSS_SELECTOR, ".js-reuse-account"))
    [item] = [item for item in items if address in item.text]
    item.find_element(By.TAG_NAME, "button").click()


def test_new_a_popup_that_is_closed(new):
    assert in_popup(new, GOOGLE_POPUP, lambda: new.page.browser.close()) | {"data": None} == {
        "code": "auth/popup-closed-by-user", "data": None}


def test_new_a_popup_finds_the_account_of_the_address(new, address):
    """The provider says that the address is verified: it takes over who has it."""
    made = new.project.sign_up(address)
    outcome = in_popup(new, """async () => {
        const { user, _tokenResponse } =
          await fb.signInWithPopup(auth, new fb.FacebookAuthProvider());
        return [user.uid, user.providerData.map((entry) => entry.providerId), user.emailVerified];
        }""", lambda: fill_in(new, address))
    assert outcome == {"value": [made["localId"], ["facebook.com"], True]}


def test_new_a_redirect(new, address):
    browser = new.page.browser
    assert new.run("return await fb.getRedirectResult(auth)") is None
    browser.execute_script(
        "fb.signInWithRedirect(auth, new fb.GoogleAuthProvider())")
    WebDriverWait(browser, 15).until(lambda b: b.find_elements(By.CSS_SELECTOR, ".js-new-account"))
    assert parse_qs(urlsplit(browser.current_url).query)["authType"] == ["signInViaRedirect"]
    fill_in(new, address)
    WebDriverWait(browser, 10).until(lambda b: b.current_url.startswith(new.page.origin))
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
        "operationType": "signIn", "email": address, "provider": "google.com"}
    assert new.run("return [await fb.getRedirectResult(auth), auth.currentUser.email]") == [
        None, address]
    start(new)
    assert new.run("return [await fb.getRedirectResult(auth), auth.currentUser.email]") == [
        None, address]


def test_new_a_popup_of_a_tenant(new, address):
    tenant = new.project.tenant(displayName="work")
    new.project.owner("POST", f"{new.project.v2}/tenants/{tenant}/oauthIdpConfigs",
                      params={"oauthIdpConfigId": "oidc.work"},
                      json={"clientId": "id", "issuer": "https://idp.example.com", "enabled": True})
    new.run("auth.tenantId = a[0]", tenant)
    outcome = in_popup(new, """async () => {
        const provider = new fb.OAuthProvider("oidc.work");
        const { user } = await fb.signInWithPopup(auth, provider);
        return [user.tenantId, user.email, user.providerData[0].providerId];
        }""", lambda: fill_in(new, address))
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
        WebDriverWait(browser, 10).until(lambda b: set(b.window_handles) - known)
        [handle] = set(browser.window_handles) - known
        return handle

    first = popup({window})
    second = popup({window, first})
    assert new.run("return await first") == "auth/cancelled-popup-request"
    browser.switch_to.window(second)
    fill_in(new, address)
    browser.switch_to.window(window)
    assert new.run("return await second") == "facebook.com"
    WebDriverWait(browser, 10).until(lambda b: b.window_handles == [window])


def test_new_a_redirect_links(new, address):
    browser = new.page.browser
    new.run("await fb.createUserWithEmailAndPassword(auth, a[0], a[1])", address, PASSWORD)
    browser.execute_script("fb.linkWithRedirect(auth.currentUser, new fb.GoogleAuthProvider())")
    WebDriverWait(browser, 15).until(lambda b: b.find_elements(By.CSS_SELECTOR, ".js-new-account"))
    fill_in(new, "google-" + address)
    WebDriverWait(browser, 10).until(lambda b: b.current_url.startswith(new.page.origin))
    assert new.run("""
        const app = fb.initializeApp({
          apiKey: a[0], authDomain: "auth.example.com", projectId: a[0] });
        window.auth = fb.getAuth(app);
        fb.connectAuthEmulator(auth, emulator, { disableWarnings: true });
        const { operationType, user } = await fb.getRedirectResult(auth);
        const providers = user.providerData.map((entry) => entry.providerId);
        return [operationType, user.email, providers.sort()];
        """, new.project.id) == ["link", address, ["google.com", "password"]]


# MARK: Firestore
#
# No package of the index has this part of the SDK. The page speaks WebChannel in its place (see
# js_sdk_page.html), with the sign-in of the real one: what a browser lets through is real here.


class Database(App):
    def __init__(self, page, project, hearth):
        super().__init__(page, project)
        self.base = hearth.addresses["firestore"]
        self.name = f"projects/{project.id}/databases/(default)"
        self.documents = f"{self.name}/documents"
        self.run("Object.assign(window, a[0])", {
            "base": self.base, "database": self.name, "documents": self.documents})

    def write(self, path: str, **fields: int) -> None:
        values = {name: {"integerValue": str(value)} for name, value in fields.items()}
        reply = requests.patch(f"{self.base}/v1/{self.documents}/{path}", json={"fields": values},
                               headers={"Authorization": "Bearer owner"}, timeout=10)
        assert reply.status_code == 200, reply.text

    def rules(self, condition: str) -> None:
        content = ("rules_version = '2';\nservice cloud.firestore {\n"
                   "  match /databases/{database}/documents {\n"
                   f"    match /{{path=**}} {{ allow read, write: if {condition}; }}\n  }}\n}}\n")
        reply = requests.put(
            f"{self.base}{self.project.control}:securityRules",
            json={"rules": {"files": [{"name": "firestore.rules", "content": content}]}},
            timeout=10)
        assert reply.status_code == 200, reply.text

    def listen(self, options: dict | None = None) -> None:
        """A listener for all documents of `c`, in `listener`, when it has its first state."""
        self.run("""
            window.listener = await new Channel(base, "Listen", database, a[0]).open({
              database, addTarget: { targetId: 2, query: { parent: documents, structuredQuery: {
                from: [{ collectionId: "c" }],
                orderBy: [{ field: { fieldPath: "__name__" }, direction: "ASCENDING" }] } } } });
            await listener.current();
            """, options or {})

    def heard(self, count: int) -> list:
        """What the documents of the changes so far say of `n`."""
        return self.run("""
            const changes = (messages) => messages.map((m) => m.documentChange).filter(Boolean);
            return await listener.until((messages) => changes(messages).length >= a[0] &&
              changes(messages).map(({ document }) => [
                document.name.split("/").pop(), document.fields.n.integerValue]));
            """, count)


@pytest.fixture
def database(new, hearth) -> Database:
    return Database(new.page, new.project, hearth)


@pytest.mark.parametrize("options", [{}, {"poll": True}, {"fetched": True}])
def test_firestore_listens(database, options):
    database.write("c/a", n=1)
    database.listen(options)
    assert database.heard(1) == [["a", "1"]]
    for n in range(2, 6):
        database.write("c/a", n=n)
        assert database.heard(n)[-1] == ["a", str(n)]
    database.write("c/b", n=1)
    assert database.heard(6) == [["a", str(n)] for n in range(1, 6)] + [["b", "1"]]
    gets = database.run("return listener.gets")
    # One request hangs and brings all of it, unless the page asks again and again.
    assert gets > 5 if options.get("poll") else gets == 1


def test_firestore_a_broken_connection(database):
    """What was not acknowledged comes again, what happened meanwhile too, each once."""
    database.listen()
    database.write("c/a", n=1)
    database.write("c/a", n=2)
    first = database.heard(2)
    database.run("listener.request.abort()")
    database.write("c/a", n=3)
    database.run("listener.get()")
    assert database.heard(3) == [*first, ["a", "3"]]
    database.run("""
        listener.request.abort();
        Object.assign(listener, { last: listener.asked, messages: [] });
        listener.get();
        """)
    assert database.heard(1) == [["a", "3"]]


def test_firestore_listens_to_more_and_less(database):
    database.write("d/x", n=7)
    database.listen()
    assert database.run("""
        const answer = await listener.send(
          { database, addTarget: { targetId: 4, documents: { documents: [documents + "/d/x"] } } });
        const { documentChange: change } = await listener.until((messages) => messages.find(
          ({ documentChange }) => documentChange && documentChange.targetIds.includes(4)));
        await listener.send({ database, removeTarget: 4 });
        await listener.until((messages) => messages.some(({ targetChange }) => targetChange &&
          targetChange.targetChangeType === "REMOVE" && targetChange.targetIds.includes(4)));
        return [answer.length, answer[0], change.document.fields.n.integerValue];
        """) == [3, 1, "7"]


def test_firestore_writes_in_a_stream(database):
    database.listen()
    assert database.run("""
        window.writer = await new Channel(base, "Write", database).open({ database });
        const { streamToken } = await writer.until(([first]) => first);
        const name = documents + "/c/w";
        await writer.send({ streamToken, writes: [{
          update: { name, fields: { n: { integerValue: "1" } } },
          updateTransforms: [{ fieldPath: "at", setToServerValue: "REQUEST_TIME" }] }] });
        const [, made] = await writer.until((messages) => messages.length > 1 && messages);
        await writer.send(
          { streamToken: made.streamToken, writes: [{
            transform: { document: name, fieldTransforms: [
              { fieldPath: "n", increment: { integerValue: "41" } }] } }] },
          { streamToken: made.streamToken, writes: [{
            update: { name: documents + "/c/x", fields: { n: { integerValue: "1" } } } }] });
        const [, , grown] = await writer.until((messages) => messages.length > 3 && messages);
        return [!!made.commitTime, made.writeResults.length,
                grown.writeResults[0].transformResults[0].integerValue];
        """) == [True, 1, "42"]
    assert database.heard(3) == [["w", "1"], ["w", "42"], ["x", "1"]]


def test_firestore_a_write_that_cannot_be(database):
    error = database.run("""
        const writer = await new Channel(base, "Write", database).open({ database });
        const { streamToken } = await writer.until(([first]) => first);
        await writer.send({ streamToken, writes: [{
          update: { name: documents + "/c/none", fields: {} },
          updateMask: { fieldPaths: [] }, currentDocument: { exists: true } }] });
        return (await writer.until((messages) => messages.find((m) => m.error))).error;
        """)
    assert (error["status"], error["code"]) == ("NOT_FOUND", 404)


def test_firestore_rules_know_who_is_signed_in(database, address):
    database.write("c/a", n=1)
    database.rules("request.auth.token.email_verified == false && request.auth.uid != null")
    denied = """
        const listener = await new Channel(base, "Listen", database, { token: a[0] }).open({
          database, addTarget: { targetId: 2, documents: { documents: [documents + "/c/a"] } } });
        const { targetChange } = await listener.until((messages) => messages.find(
          ({ targetChange }) => targetChange && targetChange.targetChangeType === "REMOVE"));
        return targetChange;
        """
    change = database.run(denied)
    assert change["targetIds"] == [2] and change["cause"]["code"] == 7  # PERMISSION_DENIED
    written = database.run("""
        const writer = await new Channel(base, "Write", database).open({ database });
        const { streamToken } = await writer.until(([first]) => first);
        await writer.send({ streamToken, writes: [{ delete: documents + "/c/a" }] });
        return (await writer.until((messages) => messages.find((m) => m.error))).error;
        """)
    assert (written["status"], written["code"]) == ("PERMISSION_DENIED", 403)
    token = database.run("""
        const { user } = await fb.createUserWithEmailAndPassword(auth, a[0], a[1]);
        return await user.getIdToken();
        """, address, PASSWORD)
    database.listen({"token": token})
    assert database.heard(1) == [["a", "1"]]


def test_firestore_a_page_that_leaves(database):
    """The beacon of a closed page ends the session, and the request that hangs with it."""
    database.listen()
    assert database.run("return listener.close()") is True
    assert database.run("""
        for (let n = 0; n < 100 && listener.status === undefined; n++)
          await new Promise((resolve) => setTimeout(resolve, 50));
        return listener.status;
        """) == 200
    with pytest.raises(Failure) as caught:
        database.run("await listener.send({ database, removeTarget: 2 })")
    assert caught.value.code == 400 and "Unknown SID" in str(caught.value)


def test_firestore_calls_with_a_preflight(database, address):
    """The calls of a transaction, a query and a count: JSON as text, and headers of their own."""
    database.rules("request.auth != null")
    call = """
        window.call = async (verb, body, token) => {
          const headers = {
            "Content-Type": "text/plain", "X-Goog-Api-Client": "gl-js/ fire/11.3.1",
            "X-Firebase-GMPID": "1:1:web:1", "google-cloud-resource-prefix": database,
            "x-goog-request-params": database };
          if (token) headers.Authorization = "Bearer " + token;
          const reply = await fetch(`${base}/v1/${documents}:${verb}`, {
            method: "POST", headers, body: JSON.stringify(body) });
          return await reply.json();
        };
        const { user } = await fb.createUserWithEmailAndPassword(auth, a[0], a[1]);
        window.token = await user.getIdToken();
        const name = documents + "/c/r";
        const [{ transaction }] = await call("batchGet", {
          documents: [name], newTransaction: { readWrite: {} } }, token);
        const { writeResults } = await call("commit", { transaction, writes: [
          { update: { name, fields: { n: { integerValue: "5" } } } }] }, token);
        const structuredQuery = { from: [{ collectionId: "c" }] };
        const [{ document }] = await call("runQuery", { structuredQuery }, token);
        const [{ result }] = await call("runAggregationQuery", { structuredAggregationQuery: {
          structuredQuery, aggregations: [{ alias: "count", count: {} }] } }, token);
        return [writeResults.length, document.fields.n.integerValue,
                result.aggregateFields.count.integerValue];
        """
    assert database.run(call, address, PASSWORD) == [1, "5", "1"]
    # The SDK takes an error as it is, and the first of a list.
    assert database.run("""
        const refused = await call("runQuery", {
          structuredQuery: { from: [{ collectionId: "c" }] } });
        return (Array.isArray(refused) ? refused[0] : refused).error.status;
        """) == "PERMISSION_DENIED"
