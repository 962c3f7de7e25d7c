"""The configuration of a project: how it is changed, read and refused, and what it does."""

from ..steps import (
    CODE,
    IT,
    NUMBERS,
    Answer,
    Program,
    Step,
    admin,
    app,
    change,
    create,
    sign_in,
    sign_up,
)
from .accounts.names import mail, uid
from .accounts.policies import policy

CONFIG = f"{IT}/v2/projects/<project>/config"
# Other recordings have the first members. The texts of mails are Hearth's own.
LEFT_OUT = (
    "mfa",
    "multiTenant",
    "blockingFunctions",
    *(
        f"notification.sendEmail.{name}Template"
        for name in ("resetPassword", "verifyEmail", "changeEmail", "revertSecondFactorAddition")
    ),
)
FINISH = "https://<project>.firebaseapp.com/finish"
FIXED = dict.fromkeys(NUMBERS, CODE)


def set_to(name: str, path: str, value: object, mask: str | None = None) -> Step:
    """Changes the configuration at a path. `mask`: the paths, where they are others."""
    body = value
    for member in reversed(path.split(".")):
        body = {member: body}
    return patch(name, path if mask is None else mask, body)


def patch(name: str, mask: str, body: object) -> Step:
    return Step(name, "PATCH", CONFIG, "admin", body, {"updateMask": mask}, left_out=LEFT_OUT)


def get(name: str, path: str = CONFIG) -> Step:
    return Step(name, "GET", path, "admin", left_out=LEFT_OUT)


def shown(name: str, path: str, caller: str = "key", **query) -> Step:
    """What apps can read."""
    return Step(name, "GET", IT + path, caller, query=query)


def numbers(name: str, number: str, code: str = CODE) -> Step:
    return set_to(name, "signIn.phoneNumber.testPhoneNumbers", FIXED | {number: code})


def account(name: str, email: str) -> Step:
    return create(name, email=mail(email), password="password123")


def send(name: str, index: int) -> Step:
    return app(name, "sendVerificationCode", phoneNumber=NUMBERS[index])


def code(name: str, kind: str, email: str, **fields) -> Step:
    """A link for a mail that an administrator sends."""
    fields = {"continueUrl": FINISH} | fields
    fields = {member: value for member, value in fields.items() if value is not None}
    return admin(
        name, "sendOobCode", requestType=kind, email=mail(email), returnOobLink=True, **fields
    )


def reset(name: str, email: str, **fields) -> Step:
    return code(name, "PASSWORD_RESET", email, **fields)


def link(name: str, email: str, **fields) -> Step:
    return code(name, "EMAIL_SIGNIN", email, **fields)


def sign_up_switch(name: str, state: object = True) -> Step:
    return set_to(name, "client.permissions.disabledUserSignup", state)


def privacy(name: str, state: object, mask: str | None = None) -> Step:
    return set_to(name, "emailPrivacyConfig.enableImprovedEmailPrivacy", state, mask)


LINKS_ON = set_to("links-on", "signIn.email.passwordRequired", False)
PERMISSIONS = [
    create("create-phone", phoneNumber=NUMBERS[1]),
    account("create-email", "existing"),
    sign_up_switch("signup-off"),
    send("send-new-number", 0),
    send("send-existing-number", 1),
    app(
        "sign-in-existing-number",
        "signInWithPhoneNumber",
        sessionInfo=Answer("send-existing-number", "sessionInfo"),
        code=CODE,
    ),
    LINKS_ON,
    link("link-new", "new"),
    link("link-existing", "existing"),
    app(
        "sign-in-link-existing",
        "signInWithEmailLink",
        email=mail("existing"),
        oobCode=Answer("link-existing", "oobCode"),
    ),
]


def domain(name: str, text: str) -> Step:
    return set_to(f"domain-{name}", "authorizedDomains", [text])


def regions(name: str, path: str, *codes: str) -> Step:
    return set_to(name, f"smsRegionConfig.{path}", list(codes), "smsRegionConfig")


INVALID = [
    numbers("phone-without-plus", "16505550107"),
    numbers("phone-letters", "+1650555ABCD"),
    numbers("phone-code-short", "+16505550107", "12345"),
    numbers("phone-code-letters", "+16505550107", "abcdef"),
    domain("with-scheme", "https://app.example.com"),
    domain("with-port", "app.example.com:8080"),
    domain("wildcard", "*.example.com"),
    domain("empty", ""),
    domain("with-space", "app example.com"),
    set_to("mobile-links-unknown-domain", "mobileLinksConfig.domain", "CUSTOM_DOMAIN"),
    set_to("sms-region-both", "smsRegionConfig", {"allowByDefault": {}, "allowlistOnly": {}}),
    regions("sms-region-unknown-code", "allowlistOnly.allowedRegions", "ZZ"),
    regions("sms-region-lower-case", "allowlistOnly.allowedRegions", "us"),
    privacy("privacy-string", "true"),
    sign_up_switch("permissions-number", 1),
    set_to("unknown-body-member", "unknownMember", 1),
    patch("body-array", "signIn", []),
    patch("body-malformed", "signIn", "{"),
    get("read-after-refusals"),
]
BOTH = {"disabledUserSignup": True, "disabledUserDeletion": False}
DUPLICATES = "signIn.allowDuplicateEmails"
MASKS = [
    privacy("leaf", False),
    get("read-after-leaf"),
    privacy("parent", True, "emailPrivacyConfig"),
    sign_up_switch("set-signup-switch"),
    patch("masked-but-absent", "client.permissions.disabledUserSignup", {}),
    get("read-after-masked-but-absent"),
    patch(
        "outside-mask",
        DUPLICATES,
        {"signIn": {"allowDuplicateEmails": True}, "client": {"permissions": BOTH}},
    ),
    get("read-after-outside-mask"),
    set_to("set-both-switches", "client.permissions", BOTH),
    set_to("parent-permissions", "client.permissions", {"disabledUserDeletion": True}),
    get("read-after-parent-permissions"),
    patch("unknown-path", "notAMember", {}),
    patch("unknown-nested-path", "signIn.notAMember", {}),
    set_to("duplicate-path", DUPLICATES, False, f"{DUPLICATES},{DUPLICATES}"),
    set_to("read-only-name", "name", "projects/1/config"),
    set_to("read-only-subtype", "subtype", "FIREBASE_AUTH"),
    set_to("read-only-hosting-site", "defaultHostingSite", "other"),
    get("read-final"),
]


def recaptcha(name: str, kind: str | None, version: str | None = "RECAPTCHA_ENTERPRISE") -> Step:
    query = {"clientType": kind, "version": version}
    query = {member: value for member, value in query.items() if value}
    return shown(f"recaptcha-{name}", "/v2/recaptchaConfig", **query)


READS = [
    get("admin-get", f"{IT}/admin/v2/projects/<project>/config"),
    get("admin-get-v2-path"),
    shown("projects", "/v1/projects"),
    shown("projects-without-key", "/v1/projects", "none"),
    shown("password-policy", "/v2/passwordPolicy"),
    shown("password-policy-unknown-tenant", "/v2/passwordPolicy", tenantId="nobody-abcde"),
    recaptcha("web", "CLIENT_TYPE_WEB"),
    recaptcha("ios", "CLIENT_TYPE_IOS"),
    recaptcha("android", "CLIENT_TYPE_ANDROID"),
    recaptcha("without-client-type", None),
    recaptcha("without-version", "CLIENT_TYPE_WEB", None),
    recaptcha("unknown-client-type", "CLIENT_TYPE_TV"),
    shown("recaptcha-params", "/v1/recaptchaParams"),
]


def imported(name: str) -> dict:
    return {"localId": uid(f"dup-{name}"), "email": mail("dup"), "rawPassword": f"password-{name}"}


def auth_uri(name: str, email: str | None = None, **fields) -> Step:
    fields = ({"identifier": mail(email)} if email else {}) | {"continueUri": FINISH} | fields
    fields = {member: value for member, value in fields.items() if value is not None}
    return app(name, "createAuthUri", **fields)


TWICE = [
    set_to("allow", DUPLICATES, True),
    admin("import-two", "batchCreate", users=[imported("a"), imported("b")]),
    admin("lookup-by-email", "lookup", email=[mail("dup")]),
    auth_uri("create-auth-uri", "dup"),
    sign_in("sign-in-first-password", mail("dup"), "password-a"),
    sign_in("sign-in-second-password", mail("dup"), "password-b"),
    set_to("disallow-with-duplicates", DUPLICATES, False),
    get("read-after-disallow"),
    admin("lookup-after-disallow", "lookup", email=[mail("dup")]),
]


def asked_uris(state: str) -> list[Step]:
    return [
        *(auth_uri(f"{state}-auth-uri-{name}", name) for name in ("pw", "mixed", "nopw")),
        auth_uri(f"{state}-auth-uri-unknown", "unknown"),
        auth_uri(f"{state}-auth-uri-provider", providerId="google.com"),
        auth_uri(f"{state}-auth-uri-no-continue", "pw", continueUri=None),
    ]


PRIVACY = [
    account("create-password", "pw"),
    create("create-mixed", email=mail("mixed"), password="password123", phoneNumber=NUMBERS[4]),
    create("create-no-password", email=mail("nopw")),
    privacy("privacy-off", False),
    *asked_uris("off"),
    privacy("privacy-on", True),
    *asked_uris("on"),
]
IPHONE = {"iOSBundleId": "com.example.app"}
ANDROID = {"androidPackageName": "com.example.app"}
ALL = (
    IPHONE
    | ANDROID
    | {"androidInstallApp": True, "androidMinimumVersion": "12", "canHandleCodeInApp": True}
)
PLAIN: dict = {"continueUrl": None}
MOBILE = [
    reset("reset-all-settings", "mobile-1", **ALL),
    reset("reset-ios-only", "mobile-2", **IPHONE),
    reset("reset-android-only", "mobile-3", **ANDROID),
    reset("reset-android-version-code", "mobile-4", **ANDROID, androidMinimumVersion="12"),
    reset("reset-install-without-package", "mobile-5", androidInstallApp=True),
    reset("reset-version-without-package", "mobile-6", androidMinimumVersion="12"),
    reset("reset-ios-without-continue", "mobile-7", **IPHONE, **PLAIN),
    reset("reset-in-app-without-continue", "mobile-8", canHandleCodeInApp=True, **PLAIN),
    reset("reset-link-domain-hosting", "mobile-9", **ALL, linkDomain="<project>.web.app"),
    reset("reset-link-domain-other", "mobile-10", **ALL, linkDomain="links.example.com"),
    reset("reset-dynamic-link-domain", "mobile-11", **ALL, dynamicLinkDomain="app.page.link"),
    code("verify-all-settings", "VERIFY_EMAIL", "mobile-12", **ALL),
    link("sign-in-all-settings", "mobile-13", **ALL),
    link("sign-in-not-in-app", "mobile-14", **IPHONE),
    link("sign-in-under-dynamic-link-domain", "mobile-15", **ALL),
    reset("reset-under-dynamic-link-domain", "mobile-16", **ALL),
]
MOBILE = [
    step
    for number, sent in enumerate(MOBILE, 1)
    for step in (account(f"create-mobile-{number}", f"mobile-{number}"), sent)
]
FIRST_LINK = 2 * 12
FIRST_DYNAMIC = 2 * 14
MOBILE = [
    *MOBILE[:FIRST_LINK],
    LINKS_ON,
    *MOBILE[FIRST_LINK:FIRST_DYNAMIC],
    set_to("dynamic-link-domain", "mobileLinksConfig.domain", "FIREBASE_DYNAMIC_LINK_DOMAIN"),
    get("read-dynamic-link-domain"),
    *MOBILE[FIRST_DYNAMIC:],
]
OWN = "app.example.com"
HOSTING = ["<project>.firebaseapp.com", "<project>.web.app"]
OTHERS = [
    account("create", "other"),
    set_to("locale", "notification.defaultLocale", "ja"),
    get("read-locale"),
    reset("reset-under-locale", "other"),
    set_to("reset-subject", "notification.sendEmail.resetPasswordTemplate.subject", "Hello"),
    get("read-reset-subject"),
    set_to("autodelete", "autodeleteAnonymousUsers", True),
    set_to("request-logging", "monitoring.requestLogging.enabled", True),
    get("read-switches"),
    regions("allowlist-japan", "allowlistOnly.allowedRegions", "JP"),
    send("send-us-under-allowlist", 0),
    regions("deny-united-states", "allowByDefault.disallowedRegions", "US"),
    get("read-sms-region"),
    send("send-us-under-denylist", 0),
    set_to("add-domain", "authorizedDomains", [*HOSTING, OWN]),
    shown("projects-with-domain", "/v1/projects"),
    reset("reset-to-added-domain", "other", continueUrl=f"https://{OWN}/finish"),
    set_to("remove-hosting-domains", "authorizedDomains", [OWN]),
    reset("reset-to-removed-domain", "other"),
    get("read-domains"),
]


def strengths(name: str, *versions: dict, state: str | None = "ENFORCE", **more) -> Step:
    """Sets the policy of passwords, with the options of its versions."""
    config = {"passwordPolicyVersions": [{"customStrengthOptions": made} for made in versions]}
    config |= {"passwordPolicyEnforcementState": state} if state else {}
    return set_to(name, "passwordPolicyConfig", config | more)


def lengths(least: object = None, most: object = None, **more) -> dict:
    made = {"minPasswordLength": least, "maxPasswordLength": most}
    return {member: value for member, value in made.items() if value is not None} | more


STATE = "passwordPolicyConfig.passwordPolicyEnforcementState"
UNSPECIFIED = "PASSWORD_POLICY_ENFORCEMENT_STATE_UNSPECIFIED"
POLICIES = [
    strengths("enforce-minimum", lengths(8)),
    get("read-enforce-minimum"),
    strengths("off-with-version", lengths(10, containsNumericCharacter=True), state="OFF"),
    get("read-off-with-version"),
    patch(
        "enforce-force-false", "passwordPolicyConfig", policy("ENFORCE", forceUpgradeOnSignin=False)
    ),
    get("read-enforce-force-false"),
    patch("clear", "passwordPolicyConfig", {}),
    get("read-cleared"),
    set_to("leaf-state-without-version", STATE, "ENFORCE"),
    strengths("minimum-5", lengths(5)),
    strengths("minimum-31", lengths(31)),
    strengths("minimum-fraction", lengths(6.5)),
    strengths("maximum-below-minimum", lengths(8, 7)),
    strengths("maximum-5", lengths(None, 5)),
    strengths("maximum-4097", lengths(None, 4097)),
    strengths("maximum-4096", lengths(None, 4096)),
    strengths("unknown-option", lengths(8, containsEmoji=True)),
    strengths("state-unspecified", lengths(8), state=UNSPECIFIED),
    strengths("state-unknown", lengths(8), state="NOT_ENFORCE"),
    set_to("enforce-without-version", STATE, "ENFORCE", "passwordPolicyConfig"),
    strengths("no-versions"),
    strengths("two-versions", lengths(8), lengths(9)),
    strengths(
        "schema-version-written",
        passwordPolicyVersions=[{"customStrengthOptions": lengths(8), "schemaVersion": 7}],
    ),
    get("read-final"),
]
WEAK, GOOD, BETTER = "weakpassword", "Strong-pass-1", "Strong-pass-2"


def forced(name: str, force: bool, state: str = "ENFORCE") -> Step:
    return patch(name, "passwordPolicyConfig", policy(state, forceUpgradeOnSignin=force))


def confirm(name: str, password: str) -> Step:
    return app(name, "resetPassword", oobCode=Answer("reset-link", "oobCode"), newPassword=password)


def weak(name: str, email: str) -> Step:
    return create(name, email=mail(email), password=WEAK)


def changed(name: str, password: str) -> Step:
    """As an administrator."""
    return admin(name, "update", localId=Answer("create-admin-probe", "localId"), password=password)


EXISTING = [
    weak("create-weak", "weak"),
    weak("create-admin-probe", "admin-probe"),
    changed("admin-update-short", "short"),
    changed("admin-update-long", "a" * 4097),
    forced("enforce-force", True),
    sign_in("sign-in-weak-force", mail("weak"), WEAK),
    sign_in("sign-in-weak-force-wrong", mail("weak"), "wrongpassword"),
    forced("enforce-notify", False),
    sign_in("sign-in-weak-notify", mail("weak"), WEAK),
    change("update-weak-to-weak", "sign-in-weak-notify", password="weakpassword1"),
    change(
        "update-weak-to-compliant", "sign-in-weak-notify", password=GOOD, returnSecureToken=True
    ),
    sign_in("sign-in-compliant-notify", mail("weak"), GOOD),
    reset("reset-link", "weak", **PLAIN),
    confirm("reset-to-weak", WEAK),
    confirm("reset-to-compliant", BETTER),
    forced("off", False, "OFF"),
    weak("create-weak-off", "weak-off"),
    forced("enforce-force-again", True),
    sign_in("sign-in-created-under-off", mail("weak-off"), WEAK),
]
PROJECTION = [
    strengths("set-off", lengths(8, containsNumericCharacter=True), state="OFF"),
    shown("policy-off", "/v2/passwordPolicy"),
    strengths("set-enforce-minimum-only", lengths(12)),
    shown("policy-enforce-minimum-only", "/v2/passwordPolicy"),
    strengths("set-enforce-maximum-only", lengths(None, 16)),
    shown("policy-enforce-maximum-only", "/v2/passwordPolicy"),
    patch(
        "set-enforce-all-force",
        "passwordPolicyConfig",
        policy("ENFORCE", forceUpgradeOnSignin=True),
    ),
    shown("policy-enforce-all-force", "/v2/passwordPolicy"),
    patch("set-enforce-all-notify", "passwordPolicyConfig", policy("ENFORCE")),
    shown("policy-enforce-all-notify", "/v2/passwordPolicy"),
    patch("clear", "passwordPolicyConfig", {}),
    shown("policy-cleared", "/v2/passwordPolicy"),
]
SWITCHES = [
    account("create-email", "existing"),
    create("create-phone", phoneNumber=NUMBERS[1]),
    set_to("email-off", "signIn.email.enabled", False),
    sign_up("email-off-sign-up", mail("off")),
    sign_in("email-off-sign-in", mail("existing")),
    app(
        "email-off-reset-unknown",
        "sendOobCode",
        requestType="PASSWORD_RESET",
        email=mail("unknown-reset"),
    ),
    reset("email-off-admin-reset", "existing", **PLAIN),
    app(
        "email-off-reset-confirm",
        "resetPassword",
        oobCode=Answer("email-off-admin-reset", "oobCode"),
        newPassword="password456",
    ),
    account("email-off-admin-create", "admin-new"),
    set_to("email-on", "signIn.email.enabled", True),
    set_to("anonymous-off", "signIn.anonymous.enabled", False),
    app("anonymous-off-sign-up", "signUp", returnSecureToken=True),
    sign_up("anonymous-off-email-sign-up", mail("anon-off")),
    set_to("phone-off", "signIn.phoneNumber.enabled", False),
    send("phone-off-send-new", 0),
    send("phone-off-send-existing", 1),
    create("phone-off-admin-create", phoneNumber=NUMBERS[2]),
]


def quota(name: str, number: str) -> Step:
    config = {"quota": number, "startTime": "2030-01-01T00:00:00Z", "quotaDuration": "3600s"}
    return set_to(name, "quota.signUpQuotaConfig", config)


QUOTAS = [quota("set", "200"), get("read-set"), quota("negative", "-1")]
PROGRAMS = {
    f"auth-config-sdk/{name}": Program(steps)
    for name, steps in {
        "client-permissions": PERMISSIONS,
        "config/invalid": INVALID,
        "config/mask": MASKS,
        "config/read": READS,
        "duplicate-email": TWICE,
        "email-privacy": PRIVACY,
        "mobile-links": MOBILE,
        "other-fields": OTHERS,
        "password-policy/config": POLICIES,
        "password-policy/existing": EXISTING,
        "password-policy/projection": PROJECTION,
        "providers": SWITCHES,
        "quota": QUOTAS,
    }.items()
}
