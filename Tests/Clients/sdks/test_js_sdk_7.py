"""The unmodified Firebase JavaScript SDK 7.15.5 in Chromium: accounts and emails."""

import json

from support.js_app import custom_token, legacy, old, page, sign_up  # noqa: F401
from support.steering import guard  # noqa: F401

PASSWORD = "secret1"


# MARK: 7.15.5, all of it


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
    known = old.run(
        """
        await auth.signOut();
        const { user, additionalUserInfo } = await auth.signInWithEmailAndPassword(a[0], a[1]);
        return { uid: user.uid, metadata: user.metadata, isNewUser: additionalUserInfo.isNewUser,
                 methods: await auth.fetchSignInMethodsForEmail(a[0]) };
        """,
        address,
        PASSWORD,
    )
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
    assert (
        old.error("await auth.signInWithEmailAndPassword(a[0], a[1])", address, PASSWORD)
        == "auth/user-disabled"
    )
    assert old.error("await auth.currentUser.getIdToken(true)") == "auth/user-disabled"


def test_old_a_profile(old, address):
    sign_up(old, address)
    profile = {"displayName": "Ann Otter", "photoURL": "https://example.com/a.png"}
    assert old.run(
        """
        await auth.currentUser.updateProfile(a[0]);
        const { displayName, photoURL, providerData } = auth.currentUser;
        return { displayName, photoURL, entry: providerData[0].displayName };
        """,
        profile,
    ) == profile | {"entry": "Ann Otter"}
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
        "data": {
            "email": address,
            "fromEmail": None,
            "previousEmail": None,
            "multiFactorInfo": None,
        },
        "operation": "PASSWORD_RESET",
    }
    assert old.error("await auth.confirmPasswordReset(a[0], '123')", code) == "auth/weak-password"
    old.run("await auth.confirmPasswordReset(a[0], 'secret2')", code)
    assert (
        old.error("await auth.confirmPasswordReset(a[0], 'secret3')", code)
        == "auth/invalid-action-code"
    )
    assert (
        old.error("await auth.signInWithEmailAndPassword(a[0], a[1])", address, PASSWORD)
        == "auth/wrong-password"
    )
    old.run("await auth.signInWithEmailAndPassword(a[0], 'secret2')", address)


def test_old_a_link_that_continues(old, address):
    sign_up(old, address)
    old.run(
        "await auth.sendPasswordResetEmail(a[0], { url: a[1], handleCodeInApp: true })",
        address,
        "http://localhost:5000/back?x=1",
    )
    link = old.mail(address, "PASSWORD_RESET")["oobLink"]
    parsed = old.run(
        """
        const link = firebase.auth.ActionCodeURL.parseLink(a[0]);
        return { operation: link.operation, code: link.code, continueUrl: link.continueUrl };
        """,
        link,
    )
    assert parsed["operation"] == "PASSWORD_RESET" and parsed["code"]
    assert parsed["continueUrl"] == "http://localhost:5000/back?x=1"
    assert old.run("return await auth.verifyPasswordResetCode(a[0])", parsed["code"]) == address


def test_old_an_address_is_verified(old, address):
    sign_up(old, address)
    old.run("await auth.currentUser.sendEmailVerification()")
    code = old.mail(address, "VERIFY_EMAIL")["oobCode"]
    assert old.run("return (await auth.checkActionCode(a[0])).operation", code) == "VERIFY_EMAIL"
    verified = old.run(
        """
        await auth.applyActionCode(a[0]);
        await auth.currentUser.reload();
        const before = (await auth.currentUser.getIdTokenResult()).claims.email_verified;
        const after = (await auth.currentUser.getIdTokenResult(true)).claims.email_verified;
        return { user: auth.currentUser.emailVerified, before, after };
        """,
        code,
    )
    assert verified == {"user": True, "before": False, "after": True}
    assert old.error("await auth.applyActionCode(a[0])", code) == "auth/invalid-action-code"


def test_old_a_link_signs_in(old, address):
    old.run(
        """await auth.sendSignInLinkToEmail(
        a[0], { url: "http://localhost:5000/finish", handleCodeInApp: true })""",
        address,
    )
    link = old.mail(address, "EMAIL_SIGNIN")["oobLink"]
    assert old.run("return auth.isSignInWithEmailLink(a[0])", link) is True
    assert (
        old.error("await auth.signInWithEmailLink('other@example.com', a[0])", link)
        == "auth/invalid-email"
    )
    made = old.run(
        """
        const { user, additionalUserInfo } = await auth.signInWithEmailLink(a[0], a[1]);
        const { signInProvider, claims } = await user.getIdTokenResult();
        return { verified: user.emailVerified, isNew: additionalUserInfo.isNewUser, signInProvider,
                 methods: await auth.fetchSignInMethodsForEmail(a[0]) };
        """,
        address,
        link,
    )
    assert made == {
        "verified": True,
        "isNew": True,
        "signInProvider": "password",
        "methods": ["emailLink"],
    }
    assert (
        old.error("await auth.signInWithEmailLink(a[0], a[1])", address, link)
        == "auth/invalid-action-code"
    )


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
        "operationType": "link",
        "anonymous": False,
        "email": address,
    }
    old.run(send, address)
    link = old.mail(address, "EMAIL_SIGNIN")["oobLink"]
    assert (
        old.run(use, address, link, "reauthenticateWithCredential")["operationType"]
        == "reauthenticate"
    )


def test_old_a_guest_becomes_a_user(old, address):
    guest = old.run("""
        const { user, additionalUserInfo } = await auth.signInAnonymously();
        const again = (await auth.signInAnonymously()).user.uid;
        const { signInProvider } = await user.getIdTokenResult();
        return { uid: user.uid, anonymous: user.isAnonymous, again, signInProvider,
                 isNew: additionalUserInfo.isNewUser, providers: user.providerData.length };
        """)
    assert guest == {
        "uid": guest["uid"],
        "again": guest["uid"],
        "anonymous": True,
        "signInProvider": "anonymous",
        "isNew": True,
        "providers": 0,
    }
    made = old.run(
        """
        const credential = firebase.auth.EmailAuthProvider.credential(a[0], a[1]);
        const { user } = await auth.currentUser.linkWithCredential(credential);
        return { uid: user.uid, anonymous: user.isAnonymous, email: user.email,
                 providers: user.providerData.map((entry) => entry.providerId) };
        """,
        address,
        PASSWORD,
    )
    assert made == {
        "uid": guest["uid"],
        "anonymous": False,
        "email": address,
        "providers": ["password"],
    }
    link = """
        const credential = firebase.auth.EmailAuthProvider.credential(a[0], "secret1");
        await auth.currentUser.linkWithCredential(credential);
        """
    assert old.error(link, "more-" + address) == "auth/provider-already-linked"
    old.run("await auth.signOut(); await auth.signInAnonymously()")
    assert old.error(link, address) == "auth/email-already-in-use"


def test_old_a_custom_token(old):
    made = old.run(
        """
        const { user, additionalUserInfo } = await auth.signInWithCustomToken(a[0]);
        const { claims, signInProvider } = await user.getIdTokenResult();
        return { uid: user.uid, isNew: additionalUserInfo.isNewUser, claims, signInProvider };
        """,
        custom_token("uid-1", role="admin"),
    )
    assert made["uid"] == "uid-1" and made["isNew"] is True
    assert made["signInProvider"] == "custom" and made["claims"]["role"] == "admin"
    refreshed = old.run("return (await auth.currentUser.getIdTokenResult(true)).claims")
    assert refreshed["role"] == "admin" and refreshed["user_id"] == "uid-1"


def test_old_tokens_are_refreshed(old, address):
    sign_up(old, address)
    first = old.run("return await auth.currentUser.getIdTokenResult()")
    assert {
        "token",
        "authTime",
        "issuedAtTime",
        "expirationTime",
        "signInProvider",
        "claims",
    } <= first.keys()
    uid = old.user(address)["localId"]
    old.project.admin(
        "/accounts:update", {"localId": uid, "customAttributes": json.dumps({"level": 9})}
    )
    kept = old.run("""
        window.heard = [];
        window.hears = (count) => new Promise((resolve) => {
          const look = () => heard.length === count ? resolve() : setTimeout(look, 5);
          look();
        });
        window.stop = auth.onIdTokenChanged(async (user) => heard.push(await user.getIdToken()));
        await hears(1);
        return (await auth.currentUser.getIdTokenResult()).claims.level ?? null;
        """)
    # Two tokens of one second with the same claims are the same.
    old.project.advance("PT1S")
    again = old.run("""
        const fresh = await auth.currentUser.getIdTokenResult(true);
        await hears(2);
        stop();
        return { level: fresh.claims.level, last: heard[1] === fresh.token };
        """)
    assert kept is None and again == {"level": 9, "last": True}


def test_old_changes_need_no_more_than_a_token(old, address):
    sign_up(old, address)
    other = "other-" + address
    changed = old.run(
        """
        const user = auth.currentUser;
        const credential = firebase.auth.EmailAuthProvider.credential(a[0], a[2]);
        const { operationType } = await user.reauthenticateWithCredential(credential);
        await user.updatePassword("secret2");
        await user.updateEmail(a[1]);
        await user.getIdToken(true);
        return { operationType, email: user.email, entry: user.providerData[0].uid };
        """,
        address,
        other,
        PASSWORD,
    )
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
    assert (
        old.error("await auth.currentUser.updateEmail(a[0])", "third-" + address)
        == "auth/email-already-in-use"
    )


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
