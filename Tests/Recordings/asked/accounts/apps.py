"""What apps asked about accounts."""

from ...steps import (
    CODE,
    NUMBERS,
    Answer,
    Program,
    Step,
    admin,
    app,
    change,
    create,
    me,
    refresh,
    show,
    sign_in,
    sign_up,
    token_of,
)
from .names import mail, mixed_case, uid

SECRET = "password123"
RECAPTCHA = {"recaptchaToken": "fake-recaptcha-token"}


def anonymous(name: str) -> Step:
    return app(name, "signUp", returnSecureToken=True)


def send_code(name: str, index: int, **more) -> Step:
    return app(name, "sendVerificationCode", phoneNumber=NUMBERS[index], **more)


def by_phone(name: str, sent: str, code: str | None = CODE, **more) -> Step:
    body = {"sessionInfo": Answer(sent, "sessionInfo")} | ({"code": code} if code else {})
    return app(name, "signInWithPhoneNumber", **body, **more)


def by_proof(name: str) -> Step:
    return app(
        name,
        "signInWithPhoneNumber",
        temporaryProof=Answer("link-taken-phone", "temporaryProof"),
        phoneNumber=NUMBERS[0],
    )


def with_a_client(case: str, body: dict) -> list[Step]:
    """A new account that tries to change what only administrators may."""
    return [
        create(
            f"create-{case}",
            localId=uid(f"priv-{case}"),
            email=mail(f"priv-{case}"),
            password=SECRET,
        ),
        sign_in(f"sign-in-{case}", mail(f"priv-{case}")),
        change(f"client-update-{case}", f"sign-in-{case}", **body),
        show(f"admin-readback-{case}", uid(f"priv-{case}")),
    ]


def with_settings(key: str, value: bool, steps: list[Step]) -> Program:
    return Program(steps, {key: value})


LIFECYCLE = [
    sign_up("sign-up", mail("primary")),
    sign_in("sign-in", mail("primary")),
    sign_in("wrong-password", mail("primary"), "wrong-password"),
    sign_in("unknown-email", mail("nobody")),
    me("lookup", "sign-in"),
    refresh("refresh", "sign-in"),
    app("delete", "delete", idToken=token_of("sign-in")),
    sign_in("sign-in-after-delete", mail("primary")),
    me("lookup-after-delete", "sign-in"),
    refresh("refresh-after-delete", "sign-in"),
]

PROFILE = [
    sign_up("sign-up", mail("profile")),
    change(
        "set-name-and-photo",
        "sign-up",
        displayName="Probe User",
        photoUrl="https://example.com/a.png",
        returnSecureToken=True,
    ),
    me("lookup-after-set", "sign-up"),
    change(
        "replace-name-and-photo",
        "sign-up",
        displayName="Second Name",
        photoUrl="https://example.com/b.png",
        returnSecureToken=False,
    ),
    me("lookup-after-replace", "sign-up"),
    change("delete-display-name", "sign-up", deleteAttribute=["DISPLAY_NAME"]),
    me("lookup-after-delete-name", "sign-up"),
    change("delete-photo-url", "sign-up", deleteAttribute=["PHOTO_URL"]),
    me("lookup-after-delete-photo", "sign-up"),
    app("update-with-invalid-token", "update", idToken="not-a-jwt", displayName="Nope"),
    me("lookup-after-refusal", "sign-up"),
]

PASSWORD_CHANGE = [
    sign_up("sign-up", mail("pwchange")),
    change("change-password", "sign-up", password="new-password-456", returnSecureToken=True),
    sign_in("sign-in-old-password", mail("pwchange")),
    sign_in("sign-in-new-password", mail("pwchange"), "new-password-456"),
    me("lookup-with-pre-change-token", "sign-up"),
    refresh("refresh-pre-change-token", "sign-up"),
    me("lookup-with-post-change-token", "change-password"),
    me("lookup-with-pre-change-token-next-second", "sign-up", wait=1.1),
    refresh("refresh-pre-change-token-next-second", "sign-up"),
    refresh("refresh-post-change-token-next-second", "change-password"),
]

VALIDATION = [
    sign_up("invalid-email", "not-an-email"),
    sign_up("weak-password", mail("weak"), "123"),
    app("missing-password", "signUp", email=mail("nopass"), returnSecureToken=True),
    sign_up("empty-email", ""),
    app("sign-in-missing-email", "signInWithPassword", password=SECRET, returnSecureToken=True),
    app(
        "sign-in-missing-password", "signInWithPassword", email=mail("weak"), returnSecureToken=True
    ),
    sign_in("sign-in-invalid-email", "not-an-email"),
]

ANONYMOUS = [
    anonymous("anonymous-sign-up"),
    me("lookup", "anonymous-sign-up"),
    refresh("refresh", "anonymous-sign-up"),
    app("delete", "delete", idToken=token_of("anonymous-sign-up")),
    me("lookup-after-delete", "anonymous-sign-up"),
]

UPGRADE = [
    anonymous("anonymous-a"),
    app(
        "upgrade-with-sign-up",
        "signUp",
        idToken=token_of("anonymous-a"),
        email=mail("upgrade-a"),
        password=SECRET,
        returnSecureToken=True,
    ),
    me("lookup-after-sign-up-upgrade", "upgrade-with-sign-up"),
    sign_in("sign-in-upgraded", mail("upgrade-a")),
    anonymous("anonymous-b"),
    change(
        "upgrade-with-update",
        "anonymous-b",
        email=mail("upgrade-b"),
        password=SECRET,
        returnSecureToken=True,
    ),
    me("lookup-after-update-upgrade", "anonymous-b"),
    anonymous("anonymous-c"),
    app(
        "upgrade-to-taken-email",
        "signUp",
        idToken=token_of("anonymous-c"),
        email=mail("upgrade-a"),
        password=SECRET,
        returnSecureToken=True,
    ),
    me("lookup-after-collision", "anonymous-c"),
]

EMAIL_CASE = [
    sign_up("mixed-case-sign-up", mixed_case("case")),
    me("lookup", "mixed-case-sign-up"),
    sign_in("lowercase-sign-in", mail("case")),
    sign_in("mixed-case-sign-in", mixed_case("case")),
    sign_up("lowercase-duplicate", mail("case"), "password456"),
    sign_up("exact-duplicate", mixed_case("case"), "password456"),
]

EMAIL_CHANGE = [
    sign_up("sign-up", mail("change-old")),
    sign_up("other", mail("change-taken")),
    change("change-email", "sign-up", email=mail("change-new"), returnSecureToken=True),
    me("lookup-with-original-token", "sign-up"),
    sign_in("sign-in-new-address", mail("change-new")),
    sign_in("sign-in-old-address", mail("change-old")),
    change("change-to-taken", "sign-up", email=mail("change-taken"), returnSecureToken=True),
    change("change-to-invalid", "sign-up", email="not-an-email", returnSecureToken=True),
    admin("admin-lookup", "lookup", email=[mail("change-old"), mail("change-new")]),
]

DELETION = [
    sign_up("sign-up", mail("cdel")),
    app("delete", "delete", idToken=token_of("sign-up")),
    sign_in("sign-in", mail("cdel")),
    me("old-id-token", "sign-up"),
    refresh("old-refresh-token", "sign-up"),
    app("delete-again", "delete", idToken=token_of("sign-up")),
]

TAMPERED = [
    sign_up("sign-up", mail("tamper")),
    app(
        "tampered-token-with-custom-attributes",
        "update",
        idToken=Answer("sign-up", "idToken", "x"),
        customAttributes='{"role":"admin"}',
    ),
    app(
        "tampered-token-with-display-name",
        "update",
        idToken=Answer("sign-up", "idToken", "x"),
        displayName="Nope",
    ),
    me("lookup-after", "sign-up"),
]

PRIVILEGES = [
    create("victim", localId=uid("victim"), email=mail("victim"), password=SECRET),
    *with_a_client("custom-attributes", {"customAttributes": '{"role":"admin"}'}),
    *with_a_client("email-verified", {"emailVerified": True}),
    *with_a_client("disable-user", {"disableUser": True}),
    *with_a_client("valid-since", {"validSince": "1700000000"}),
    *with_a_client(
        "link-provider", {"linkProviderUserInfo": {"providerId": "google.com", "rawId": "raw-priv"}}
    ),
    *with_a_client("foreign-local-id", {"localId": uid("victim"), "displayName": "Hijacked"}),
    create(
        "create-selectors",
        localId=uid("priv-selectors"),
        email=mail("priv-selectors"),
        password=SECRET,
    ),
    sign_in("sign-in-selectors", mail("priv-selectors")),
    app(
        "client-lookup-with-admin-selectors",
        "lookup",
        idToken=token_of("sign-in-selectors"),
        localId=[uid("victim")],
        email=[mail("victim")],
    ),
    show("admin-readback-victim", uid("victim")),
]

PHONE = [
    send_code("send-code-without-recaptcha", 0),
    send_code("send-code", 0, **RECAPTCHA),
    by_phone("sign-in-new", "send-code"),
    me("lookup-phone-user", "sign-in-new"),
    send_code("send-code-again", 0, **RECAPTCHA),
    by_phone("sign-in-existing", "send-code-again"),
    send_code("send-code-wrong", 1, **RECAPTCHA),
    by_phone("wrong-code", "send-code-wrong", "000000"),
    app("invalid-session-info", "signInWithPhoneNumber", sessionInfo="not-a-session", code=CODE),
    by_phone("missing-code", "send-code-wrong", None),
    create("admin-create-phone", localId=uid("ph"), phoneNumber=NUMBERS[2]),
    admin("admin-lookup-by-phone", "lookup", phoneNumber=[NUMBERS[2]]),
    sign_up("email-account", mail("phone-link")),
    send_code("send-code-link", 3, **RECAPTCHA),
    by_phone("link-phone", "send-code-link", idToken=token_of("email-account")),
    me("lookup-linked", "email-account"),
    send_code("send-code-collision", 0, **RECAPTCHA),
    by_phone("link-taken-phone", "send-code-collision", idToken=token_of("email-account")),
    by_proof("sign-in-with-temporary-proof"),
    by_proof("sign-in-with-temporary-proof-again"),
    change("unlink-phone", "email-account", deleteProvider=["phone"]),
    me("lookup-unlinked", "email-account"),
]

DUPLICATES = [
    sign_up("sign-up-first", mail("dup")),
    sign_up("sign-up-duplicate", mail("dup"), "password456"),
    create("admin-create-duplicate", localId=uid("dup-admin"), email=mail("dup")),
    admin(
        "import-duplicate",
        "batchCreate",
        users=[{"localId": uid("dup-import"), "email": mail("dup")}],
    ),
    sign_in("sign-in-first-password", mail("dup")),
    sign_in("sign-in-second-password", mail("dup"), "password456"),
    admin("admin-lookup-by-email", "lookup", email=[mail("dup")]),
    sign_up("other", mail("dup-other")),
    change("update-email-to-taken", "other", email=mail("dup"), returnSecureToken=True),
]

PRIVACY = [
    sign_up("sign-up", mail("privacy")),
    sign_in("wrong-password", mail("privacy"), "wrong-password"),
    sign_in("unknown-email", mail("unknown-privacy")),
    app(
        "reset-for-unknown-email",
        "sendOobCode",
        requestType="PASSWORD_RESET",
        email=mail("unknown-reset"),
    ),
    sign_up("sign-up-duplicate", mail("privacy")),
]

PERMISSIONS = [
    sign_up("client-sign-up", mail("perm")),
    anonymous("anonymous-sign-up"),
    create("admin-create", localId=uid("perm"), email=mail("perm-admin"), password=SECRET),
    sign_in("sign-in-admin-created", mail("perm-admin")),
    app("client-delete", "delete", idToken=token_of("sign-in-admin-created")),
    show("lookup-after-client-delete", uid("perm")),
    admin("admin-delete", "delete", localId=uid("perm")),
]

PROGRAMS = {
    "auth-account/client/anonymous": Program(ANONYMOUS),
    "auth-account/client/anonymous-upgrade": Program(UPGRADE),
    "auth-account/client/delete-effects": Program(DELETION),
    "auth-account/client/email-case": Program(EMAIL_CASE),
    "auth-account/client/email-change": Program(EMAIL_CHANGE),
    "auth-account/client/lifecycle": Program(LIFECYCLE),
    "auth-account/client/password-change": Program(PASSWORD_CHANGE),
    "auth-account/client/profile": Program(PROFILE),
    "auth-account/client/validation": Program(VALIDATION),
    "auth-account/config/client-permissions": Program(
        PERMISSIONS,
        {
            "client.permissions.disabledUserSignup": True,
            "client.permissions.disabledUserDeletion": True,
        },
    ),
    "auth-account/config/duplicate-email": with_settings(
        "signIn.allowDuplicateEmails", True, DUPLICATES
    ),
    "auth-account/config/email-privacy/off": with_settings(
        "emailPrivacyConfig.enableImprovedEmailPrivacy", False, PRIVACY
    ),
    "auth-account/config/email-privacy/on": Program(PRIVACY),
    "auth-account/phone": Program(PHONE),
    "auth-account/privilege/tampered-token": Program(TAMPERED),
    "auth-account/privilege/valid-token-admin-fields": Program(PRIVILEGES),
}
