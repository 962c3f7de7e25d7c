"""Tenants: how they are managed, their accounts, codes, factors and settings, and what is kept apart."""

import dataclasses

from ..steps import (
    CODE,
    IT,
    NUMBERS,
    Answer,
    Code,
    Custom,
    Program,
    Step,
    admin,
    app,
    create,
    exchange,
    show,
    sign_in,
    sign_up,
    token_of,
)
from .accounts.names import mail, uid
from .factors import call

TENANTS = f"{IT}/v2/projects/<project>/tenants"
UNKNOWN = "nobody-abcde"
OPEN = {"allowPasswordSignup": True, "enableEmailLinkSignin": True, "enableAnonymousUser": True}
NEW = "password456"
SHORT = "short12"
LOCAL = "http://localhost"


def the(label: str) -> str:
    """The id of a tenant that the program has from the start."""
    return of(f"tenant-{label}")


def of(step: str) -> str:
    """The id of the tenant that a step made."""
    return f"<tenant:{step}>"


def made(name: str, display: str | None, **fields) -> Step:
    body = ({} if display is None else {"displayName": display}) | fields
    return Step(name, "POST", TENANTS, "admin", body)


def given(label: str, display: str, **fields) -> Step:
    """A tenant that was there before the recording began."""
    return made(f"tenant-{label}", display, **OPEN, **fields)


def got(name: str, tenant: str) -> Step:
    return Step(name, "GET", f"{TENANTS}/{tenant}", "admin")


def patch(name: str, tenant: str, mask: str | None, **body) -> Step:
    query = {} if mask is None else {"updateMask": mask}
    return Step(name, "PATCH", f"{TENANTS}/{tenant}", "admin", body, query)


def drop(name: str, tenant: str) -> Step:
    return Step(name, "DELETE", f"{TENANTS}/{tenant}", "admin")


def listed(name: str, **query) -> Step:
    return Step(name, "GET", TENANTS, "admin", query=query)


def within(tenant: str, step: Step) -> Step:
    """The call of an administrator, for a tenant."""
    path = step.path.replace("/projects/<project>", f"/projects/<project>/tenants/{tenant}")
    return dataclasses.replace(step, path=path)


def client(tenant: object, step: Step) -> Step:
    """The call of an app, for a tenant."""
    return dataclasses.replace(step, body=step.body | {"tenantId": tenant})


def person(name: str, who: str, **more) -> Step:
    body = {"localId": uid(who), "email": mail(who), "password": "password123"}
    return create(name, **body | {"emailVerified": True} | more)


def code(name: str, kind: str, who: str, **more) -> Step:
    return admin(name, "sendOobCode", requestType=kind, email=mail(who), returnOobLink=True, **more)


def found(name: str, who: str) -> Step:
    return admin(name, "lookup", email=[mail(who)])


def oob(step: str) -> Answer:
    return Answer(step, "oobCode")


FINISH = "https://<project>.firebaseapp.com/finish"


def by_link(name: str) -> Step:
    return app(name, "signInWithEmailLink", email=mail("a1"), oobCode=oob("link-code-a1"))


def verify(name: str) -> Step:
    return app(name, "update", oobCode=oob("verify-code-a1"))


def send(name: str, kind: str, **more) -> Step:
    return app(name, "sendOobCode", requestType=kind, **more)


RESET_MAIL = {"email": mail("a1")}
ACTIONS = [
    given("a", "atb-act-a"),
    given("b", "atb-act-b"),
    within(the("a"), person("create-a1", "a1", emailVerified=False)),
    within(the("a"), code("verify-code-a1", "VERIFY_EMAIL", "a1")),
    client(the("b"), verify("verify-in-b")),
    verify("verify-no-tenant"),
    client(the("a"), verify("verify-in-a")),
    within(the("a"), show("lookup-a1-verified", uid("a1"))),
    within(the("a"), code("link-code-a1", "EMAIL_SIGNIN", "a1", continueUrl=FINISH)),
    client(the("b"), by_link("link-in-b")),
    by_link("link-no-tenant"),
    client(the("a"), by_link("link-in-a")),
    client(the("a"), send("client-reset-mail-a", "PASSWORD_RESET", **RESET_MAIL)),
    client(UNKNOWN, send("client-reset-mail-unknown-tenant", "PASSWORD_RESET", **RESET_MAIL)),
    client(the("a"), send("client-verify-mail-a", "VERIFY_EMAIL", idToken=token_of("link-in-a"))),
    code("project-code-for-tenant-user", "PASSWORD_RESET", "a1"),
]


def query(name: str) -> Step:
    return admin(name, "query", returnUserInfo=True)


IMPORTED = [{"localId": uid("x"), "email": mail("x2")}, {"localId": uid("y"), "email": mail("y")}]
ACCOUNTS = [
    given("a", "atb-adm-a"),
    given("b", "atb-adm-b"),
    within(the("a"), person("create-x-in-a", "x")),
    within(the("b"), person("create-x-in-b", "x")),
    person("create-x-in-project", "x"),
    within(the("a"), found("lookup-email-in-a", "x")),
    within(the("b"), found("lookup-email-in-b", "x")),
    found("lookup-email-in-project", "x"),
    within(the("a"), query("query-in-a")),
    query("query-in-project"),
    within(the("a"), admin("batch-create-in-a", "batchCreate", users=IMPORTED)),
    Step(
        "batch-get-in-a",
        "GET",
        f"{IT}/v1/projects/<project>/tenants/{the('a')}/accounts:batchGet",
        "admin",
    ),
    within(the("a"), admin("update-in-a", "update", localId=uid("x"), displayName="Tenant X")),
    within(the("b"), show("lookup-x-in-b-after-update", uid("x"))),
    within(the("a"), admin("delete-in-a", "delete", localId=uid("x"))),
    within(the("a"), show("lookup-x-in-a-after-delete", uid("x"))),
    show("lookup-x-in-project-after-delete", uid("x")),
    within(the("b"), admin("batch-delete-in-b", "batchDelete", localIds=[uid("x")], force=True)),
    within(the("b"), show("lookup-x-in-b-after-batch-delete", uid("x"))),
    within(the("a"), person("create-in-a-body-tenant-b", "z", tenantId=the("b"))),
]


def cookie(name: str, tenant: str | None) -> Step:
    owner = f"/tenants/{tenant}" if tenant else ""
    path = f"{IT}/v1/projects/<project>{owner}:createSessionCookie"
    body = {"idToken": token_of("sign-in-a1"), "validDuration": 3600}
    return Step(name, "POST", path, "admin", body)


def reset(name: str, step: str, password: str | None = None) -> Step:
    body = {"oobCode": oob(step)} | ({"newPassword": password} if password else {})
    return app(name, "resetPassword", **body)


SESSION = token_of("sign-in-a1")
CREDENTIALS = [
    given("a", "atb-cred-a"),
    given("b", "atb-cred-b"),
    within(the("a"), person("create-a1", "a1")),
    client(the("a"), sign_in("sign-in-a1", mail("a1"))),
    client(the("b"), app("delete-with-tenant-b", "delete", idToken=SESSION)),
    within(the("a"), show("admin-lookup-after-delete-b", uid("a1"))),
    client(the("b"), send("verify-mail-tenant-b", "VERIFY_EMAIL", idToken=SESSION)),
    cookie("cookie-in-b", the("b")),
    cookie("cookie-in-project", None),
    cookie("cookie-in-a", the("a")),
    within(the("a"), code("reset-code-a1", "PASSWORD_RESET", "a1")),
    client(the("b"), reset("reset-check-in-b", "reset-code-a1")),
    reset("reset-check-no-tenant", "reset-code-a1"),
    client(the("b"), reset("reset-in-b", "reset-code-a1", NEW)),
    client(the("a"), reset("reset-in-a", "reset-code-a1", NEW)),
    client(the("a"), sign_in("sign-in-a1-new-password", mail("a1"), NEW)),
]


def by_custom(name: str, token: str) -> Step:
    return app(name, "signInWithCustomToken", token=Custom(token), returnSecureToken=True)


CUSTOM = [
    given("a", "atb-ct-a"),
    given("b", "atb-ct-b"),
    client(the("a"), by_custom("custom-tenant-a-in-a", "in-a")),
    client(the("b"), by_custom("custom-tenant-a-in-b", "in-a")),
    by_custom("custom-tenant-a-no-tenant", "in-a"),
    client(the("a"), by_custom("custom-plain-in-a", "plain")),
    by_custom("custom-plain-no-tenant", "plain"),
    by_custom("custom-unknown-tenant-claim", "unknown"),
    app("lookup-custom-a", "lookup", idToken=token_of("custom-tenant-a-in-a")),
    within(the("a"), show("admin-lookup-custom-a", uid("ct1"))),
    show("admin-lookup-custom-project", uid("ct2")),
]
CUSTOM_TOKENS = {
    "in-a": {"uid": uid("ct1"), "set": {"tenant_id": the("a")}},
    "plain": {"uid": uid("ct2")},
    "unknown": {"uid": uid("ct3"), "set": {"tenant_id": UNKNOWN}},
}


def look(name: str, session: str) -> Step:
    return app(name, "lookup", idToken=token_of(session))


DELETION = [
    given("d", "atb-del-d"),
    within(the("d"), person("create-d1", "d1")),
    client(the("d"), sign_in("sign-in-d1", mail("d1"))),
    within(the("d"), code("reset-code-d1", "PASSWORD_RESET", "d1")),
    drop("delete-d", the("d")),
    client(the("d"), look("lookup-after-delete", "sign-in-d1")),
    look("lookup-after-delete-no-tenant", "sign-in-d1"),
    exchange("refresh-after-delete", Answer("sign-in-d1", "refreshToken")),
    within(the("d"), show("admin-lookup-after-delete", uid("d1"))),
    client(the("d"), sign_in("sign-in-after-delete", mail("d1"))),
    client(the("d"), reset("reset-after-delete", "reset-code-d1", NEW)),
    made("recreate-same-name", "atb-del-d", **OPEN),
    got("get-recreated", of("recreate-same-name")),
    within(of("recreate-same-name"), show("admin-lookup-in-recreated", uid("d1"))),
]
WRONG = "wrong-password"
LATE = of("create-after")


def phone_start(name: str, session: str, number: int) -> Step:
    phone = {"phoneNumber": NUMBERS[number]}
    return call(name, "mfaEnrollment:start", idToken=token_of(session), phoneEnrollmentInfo=phone)


INHERITANCE = [
    given("i", "atb-inh-i", testPhoneNumbers={NUMBERS[2]: CODE}),
    got("get-before", the("i")),
    within(the("i"), person("create-i1", "i1")),
    person("create-p1", "p1"),
    client(the("i"), sign_in("wrong-password-in-tenant", mail("i1"), WRONG)),
    sign_in("wrong-password-in-project", mail("p1"), WRONG),
    client(the("i"), sign_up("sign-up-in-tenant", mail("i2"))),
    sign_up("sign-up-in-project", mail("p2")),
    client(the("i"), sign_in("sign-in-i1", mail("i1"))),
    client(the("i"), phone_start("phone-enroll-in-tenant", "sign-in-i1", 2)),
    within(the("i"), create("create-dup-in-tenant", localId=uid("i3"), email=mail("i1"))),
    made("create-after", "atb-inh-late", **OPEN),
    got("get-after", LATE),
    client(LATE, sign_up("sign-up-in-late-tenant", mail("l1"))),
    client(LATE, sign_in("wrong-password-in-late-tenant", mail("l1"), WRONG)),
]
APP = {"totpProviderConfig": {"adjacentIntervals": 5}, "state": "ENABLED"}
FACTORS = {"state": "ENABLED", "enabledProviders": ["PHONE_SMS"], "providerConfigs": [APP]}
INHERITED = {
    "emailPrivacyConfig.enableImprovedEmailPrivacy": False,
    "client.permissions.disabledUserSignup": True,
    "signIn.allowDuplicateEmails": True,
    "mfa": FACTORS,
}
POLICY = {
    "passwordPolicyEnforcementState": "ENFORCE",
    "passwordPolicyVersions": [{"customStrengthOptions": {"minPasswordLength": 8}}],
}
SETTINGS = {
    "inheritance": {"emailSendingConfig": True},
    "monitoring": {"requestLogging": {"enabled": True}},
    "emailPrivacyConfig": {"enableImprovedEmailPrivacy": True},
    "client": {"permissions": {"disabledUserSignup": True, "disabledUserDeletion": True}},
}
PHONES = {"testPhoneNumbers": {NUMBERS[0]: CODE}, "smsRegionConfig": {"allowByDefault": {}}}
KINDS = {
    "minimal": ("atb-man-min", {}),
    "open": ("atb-man-open", OPEN),
    "mfa": ("atb-man-mfa", {"mfaConfig": FACTORS}),
    "phones": ("atb-man-phones", PHONES),
    "policy": ("atb-man-policy", {"passwordPolicyConfig": POLICY}),
    "settings": ("atb-man-set", SETTINGS),
}
MINIMAL, OPENED = of("create-minimal"), of("create-open")
MANAGEMENT = [
    *(
        step
        for name, (display, fields) in KINDS.items()
        for step in (
            made(f"create-{name}", display, **fields),
            got(f"get-{name}", of(f"create-{name}")),
        )
    ),
    made("create-unknown-field", "atb-man-unk", notAField=1),
    made("create-bad-type", "atb-man-type", allowPasswordSignup="true"),
    made("create-name-short", "abc"),
    made("create-name-digit-first", "1atb-man"),
    made("create-name-underscore", "atb_man"),
    made("create-name-long", "a" * 21),
    made("create-name-upper", "Atb-Upper"),
    made("create-no-name", None),
    listed("list-page-1", pageSize=2),
    listed("list-page-2", pageSize=2, pageToken=Answer("list-page-1", "nextPageToken")),
    listed("list-size-zero", pageSize=0),
    listed("list-size-negative", pageSize=-1),
    listed("list-size-large", pageSize=100_000),
    listed("list-bad-token", pageToken="garbage"),
    patch("patch-name", MINIMAL, "displayName", displayName="atb-man-min2"),
    patch("patch-no-mask", MINIMAL, None, allowPasswordSignup=True),
    patch("patch-unknown-mask", MINIMAL, "notAField"),
    patch("patch-bad-type", MINIMAL, "allowPasswordSignup", allowPasswordSignup="true"),
    patch("patch-bad-name", MINIMAL, "displayName", displayName="x"),
    patch(
        "patch-mfa", MINIMAL, "mfaConfig", mfaConfig={"state": "ENABLED", "providerConfigs": [APP]}
    ),
    patch("patch-mask-omitted-value", OPENED, "enableAnonymousUser"),
    got("get-after-patch", MINIMAL),
    got("get-open-after-patch", OPENED),
    got("get-unknown", UNKNOWN),
    patch("patch-unknown", UNKNOWN, "displayName", displayName="atb-man-min3"),
    drop("delete-minimal", MINIMAL),
    got("get-deleted", MINIMAL),
    drop("delete-again", MINIMAL),
    drop("delete-unknown", UNKNOWN),
]


def with_sms(name: str) -> Step:
    return call(
        name,
        "mfaSignIn:finalize",
        mfaPendingCredential=Answer("second-factor-m1", "mfaPendingCredential"),
        phoneVerificationInfo={
            "sessionInfo": Answer("sms-start-m1", "phoneResponseInfo.sessionInfo"),
            "code": CODE,
        },
    )


def totp_start(name: str, session: str) -> Step:
    return call(name, "mfaEnrollment:start", idToken=token_of(session), totpEnrollmentInfo={})


SECOND_FACTORS = [
    given("m", "atb-mfa-m", testPhoneNumbers={NUMBERS[0]: CODE}, mfaConfig=FACTORS),
    given("n", "atb-mfa-n", testPhoneNumbers={NUMBERS[1]: CODE}),
    within(the("m"), person("create-m1", "m1")),
    client(the("m"), sign_in("sign-in-m1", mail("m1"))),
    client(the("m"), phone_start("phone-start-m1", "sign-in-m1", 0)),
    client(
        the("m"),
        call(
            "phone-finalize-m1",
            "mfaEnrollment:finalize",
            idToken=token_of("sign-in-m1"),
            phoneVerificationInfo={
                "sessionInfo": Answer("phone-start-m1", "phoneSessionInfo.sessionInfo"),
                "code": CODE,
            },
            displayName="Phone",
        ),
    ),
    client(the("m"), sign_in("second-factor-m1", mail("m1"))),
    client(
        the("m"),
        call(
            "sms-start-m1",
            "mfaSignIn:start",
            mfaPendingCredential=Answer("second-factor-m1", "mfaPendingCredential"),
            mfaEnrollmentId=Answer("second-factor-m1", "mfaInfo.0.mfaEnrollmentId"),
            phoneSignInInfo={},
        ),
    ),
    client(the("n"), with_sms("sms-finalize-m1-in-n")),
    client(the("m"), with_sms("sms-finalize-m1")),
    within(the("m"), show("lookup-m1-second-factor", uid("m1"))),
    client(the("m"), totp_start("totp-start-m1", "sms-finalize-m1")),
    client(
        the("m"),
        call(
            "totp-finalize-m1",
            "mfaEnrollment:finalize",
            idToken=token_of("sms-finalize-m1"),
            totpVerificationInfo={
                "sessionInfo": Answer("totp-start-m1", "totpSessionInfo.sessionInfo"),
                "verificationCode": Code("totp-start-m1", 0),
            },
            displayName="Authenticator",
        ),
    ),
    within(the("n"), person("create-n1", "n1")),
    client(the("n"), sign_in("sign-in-n1", mail("n1"))),
    client(the("n"), phone_start("phone-start-n1", "sign-in-n1", 1)),
    client(the("n"), totp_start("totp-start-n1", "sign-in-n1")),
    within(
        the("n"),
        admin(
            "admin-factor-n1",
            "update",
            localId=uid("n1"),
            mfa={"enrollments": [{"phoneInfo": NUMBERS[1], "displayName": "Phone"}]},
        ),
    ),
    client(the("n"), sign_in("sign-in-n1-with-factor", mail("n1"))),
    patch("tenant-m-mfa-off", the("m"), "mfaConfig", mfaConfig={"state": "DISABLED"}),
    client(the("m"), sign_in("sign-in-m1-mfa-off", mail("m1"))),
    got("get-m-at-end", the("m")),
    got("get-n-at-end", the("n")),
]


def shown(name: str, **query) -> Step:
    return Step(name, "GET", f"{IT}/v2/passwordPolicy", "key", query=query)


PASSWORDS = [
    given("p", "atb-pol-p", passwordPolicyConfig=POLICY),
    given("q", "atb-pol-q"),
    shown("policy-tenant-p", tenantId=the("p")),
    shown("policy-tenant-q", tenantId=the("q")),
    shown("policy-project"),
    shown("policy-unknown-tenant", tenantId=UNKNOWN),
    client(the("p"), sign_up("sign-up-short-in-p", mail("p0"), SHORT)),
    client(the("p"), sign_up("sign-up-long-in-p", mail("p1"))),
    client(the("q"), sign_up("sign-up-short-in-q", mail("q1"), SHORT)),
    client(
        the("p"),
        app("update-short-in-p", "update", idToken=token_of("sign-up-long-in-p"), password=SHORT),
    ),
    within(the("p"), person("admin-create-short-in-p", "p2", password=SHORT)),
    within(the("p"), code("reset-code-p1", "PASSWORD_RESET", "p1")),
    client(the("p"), reset("reset-short-in-p", "reset-code-p1", SHORT)),
    client(the("p"), sign_in("sign-in-p1", mail("p1"))),
]
OIDC = "oidc.atb-a"


def provider(name: str, method: str, tenant: str | None, id: str = f"/{OIDC}", **more) -> Step:
    owner = f"/tenants/{tenant}" if tenant else ""
    path = f"{IT}/v2/projects/<project>{owner}/oauthIdpConfigs{id}"
    return Step(name, method, path, "admin", **more)


def auth_uri(name: str, **fields) -> Step:
    return app(name, "createAuthUri", continueUri=LOCAL, **fields)


PROVIDERS = [
    given("a", "atb-prov-a"),
    given("b", "atb-prov-b"),
    provider(
        "create-oidc-in-a",
        "POST",
        the("a"),
        "",
        query={"oauthIdpConfigId": OIDC},
        body={
            "clientId": "atb-client",
            "issuer": "https://accounts.google.com",
            "displayName": "atb provider",
            "enabled": True,
        },
    ),
    provider("list-in-a", "GET", the("a"), ""),
    provider("list-in-b", "GET", the("b"), ""),
    provider("list-in-project", "GET", None, ""),
    provider("get-in-a", "GET", the("a")),
    provider("get-in-b", "GET", the("b")),
    provider("get-in-project", "GET", None),
    client(the("a"), auth_uri("auth-uri-a", providerId=OIDC)),
    client(the("b"), auth_uri("auth-uri-b", providerId=OIDC)),
    provider("delete-in-b", "DELETE", the("b")),
    provider("delete-in-a", "DELETE", the("a")),
    provider("get-in-a-after-delete", "GET", the("a")),
]


def enter(name: str) -> Step:
    return sign_in(name, mail("a1"))


def refreshed(name: str, session: str, **more) -> Step:
    step = exchange(name, Answer(session, "refreshToken"))
    return dataclasses.replace(step, form=step.form | more)


SELECTION = [
    given("a", "atb-sel-a"),
    given("b", "atb-sel-b"),
    within(the("a"), person("create-a1", "a1")),
    client(the("a"), enter("sign-in-a1")),
    client(the("b"), enter("sign-in-a1-in-b")),
    enter("sign-in-a1-no-tenant"),
    client(UNKNOWN, enter("sign-in-unknown-tenant")),
    client("", enter("sign-in-empty-tenant")),
    client(5, enter("sign-in-number-tenant")),
    look("lookup-no-tenant", "sign-in-a1"),
    client(the("a"), look("lookup-tenant-a", "sign-in-a1")),
    client(the("b"), look("lookup-tenant-b", "sign-in-a1")),
    client(UNKNOWN, look("lookup-unknown-tenant", "sign-in-a1")),
    client(the("b"), app("update-tenant-b", "update", idToken=SESSION, displayName="Other name")),
    within(the("a"), show("admin-lookup-a1-after-update", uid("a1"))),
    refreshed("refresh-a1", "sign-in-a1"),
    refreshed("refresh-a1-tenant-b", "sign-in-a1", tenantId=the("b")),
    client(the("b"), sign_up("sign-up-a1-address-in-b", mail("a1"))),
    within(the("b"), show("admin-lookup-a1-in-b", uid("a1"))),
    within(the("b"), found("admin-lookup-a1-email-in-b", "a1")),
    show("admin-lookup-a1-in-project", uid("a1")),
    client(the("a"), show("admin-lookup-a1-body-tenant", uid("a1"))),
    within(UNKNOWN, show("admin-lookup-unknown-tenant", uid("a1"))),
    client(the("a"), auth_uri("create-auth-uri-a", identifier=mail("a1"))),
    client(the("b"), auth_uri("create-auth-uri-b", identifier=mail("a1"))),
]
PERMISSIONS = "client.permissions"


def permit(name: str, switch: str) -> Step:
    mask = f"{PERMISSIONS}.{switch}"
    return patch(name, the("s"), mask, client={"permissions": {switch: True}})


def privacy(name: str, state: bool) -> Step:
    return patch(
        name,
        the("s"),
        "emailPrivacyConfig.enableImprovedEmailPrivacy",
        emailPrivacyConfig={"enableImprovedEmailPrivacy": state},
    )


def switch(name: str, member: str, state: bool) -> Step:
    return patch(name, the("s"), member, **{member: state})


def try_to_enter(name: str, who: str = "s1", password: str = WRONG) -> Step:
    return client(the("s"), sign_in(name, mail(who), password))


SWITCHES = [
    given("s", "atb-set-s"),
    within(the("s"), person("create-s1", "s1")),
    try_to_enter("sign-in-s1", password="password123"),
    switch("password-off", "allowPasswordSignup", False),
    try_to_enter("password-off-sign-in", password="password123"),
    client(the("s"), sign_up("password-off-sign-up", mail("s2"))),
    client(the("s"), send("password-off-reset-mail", "PASSWORD_RESET", email=mail("s1"))),
    client(
        the("s"),
        app("password-off-update-password", "update", idToken=token_of("sign-in-s1"), password=NEW),
    ),
    switch("password-on", "allowPasswordSignup", True),
    switch("link-off", "enableEmailLinkSignin", False),
    client(the("s"), send("link-off-mail", "EMAIL_SIGNIN", email=mail("s1"), continueUrl=FINISH)),
    switch("anonymous-off", "enableAnonymousUser", False),
    client(the("s"), app("anonymous-off-sign-up", "signUp", returnSecureToken=True)),
    switch("anonymous-on", "enableAnonymousUser", True),
    client(the("s"), app("anonymous-on-sign-up", "signUp", returnSecureToken=True)),
    switch("auth-off", "disableAuth", True),
    try_to_enter("auth-off-sign-in", password=NEW),
    refreshed("auth-off-refresh", "sign-in-s1"),
    client(the("s"), look("auth-off-lookup", "sign-in-s1")),
    within(the("s"), show("auth-off-admin-lookup", uid("s1"))),
    switch("auth-on", "disableAuth", False),
    permit("sign-up-off", "disabledUserSignup"),
    client(the("s"), sign_up("sign-up-off-sign-up", mail("s3"))),
    permit("deletion-off", "disabledUserDeletion"),
    try_to_enter("sign-in-s1-again", password="password123"),
    privacy("privacy-off", False),
    try_to_enter("privacy-off-wrong-password"),
    try_to_enter("privacy-off-unknown-address", "nobody"),
    client(the("s"), auth_uri("privacy-off-create-auth-uri", identifier=mail("s1"))),
    privacy("privacy-on", True),
    try_to_enter("privacy-on-wrong-password"),
    try_to_enter("privacy-on-unknown-address", "nobody"),
    patch(
        "tenant-test-phone", the("s"), "testPhoneNumbers", testPhoneNumbers={NUMBERS[1]: "654321"}
    ),
    client(the("s"), app("phone-tenant-number", "sendVerificationCode", phoneNumber=NUMBERS[1])),
    got("get-s-at-end", the("s")),
]
OFF = [
    Step("config-multi-tenant", "GET", f"{IT}/v2/projects/<project>/config", "admin", in_part=True),
    listed("list-off"),
    got("get-unknown-off", UNKNOWN),
    made("create-off", "atb-off", **OPEN),
    client(UNKNOWN, sign_up("sign-up-unknown-tenant-off", mail("off"))),
    within(UNKNOWN, show("admin-lookup-unknown-tenant-off", uid("off"))),
]
ALLOWED = "multiTenant.allowTenants"
PROGRAMS = {
    f"atb/tenant/{name}": Program(steps, settings={ALLOWED: True} | settings, tokens=tokens)
    for name, steps, settings, tokens in (
        ("actions", ACTIONS, {}, {}),
        ("admin-accounts", ACCOUNTS, {}, {}),
        ("credentials", CREDENTIALS, {}, {}),
        ("custom-token", CUSTOM, {}, CUSTOM_TOKENS),
        ("deletion", DELETION, {}, {}),
        ("inheritance", INHERITANCE, INHERITED, {}),
        ("manage", MANAGEMENT, {}, {}),
        ("mfa", SECOND_FACTORS, {}, {}),
        ("password-policy", PASSWORDS, {}, {}),
        ("providers", PROVIDERS, {}, {}),
        ("selection", SELECTION, {}, {}),
        ("settings", SWITCHES, {}, {}),
        ("switch-off", OFF, {ALLOWED: False}, {}),
    )
}
