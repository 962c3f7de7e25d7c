"""What was asked about tokens, refresh tokens and session cookies."""

from ..steps import (
    CODE,
    IT,
    NUMBERS,
    SECURE_TOKEN,
    Answer,
    Custom,
    Moment,
    Program,
    Spoilt,
    Step,
    admin,
    app,
    change,
    cookie,
    create,
    exchange,
    me,
    refresh,
    show,
    sign_in,
    sign_up,
    token_of,
)
from .accounts.names import mail, uid

SECRET = "password123"
RESERVED = [
    "acr",
    "amr",
    "at_hash",
    "aud",
    "auth_time",
    "azp",
    "cnf",
    "c_hash",
    "exp",
    "firebase",
    "iat",
    "iss",
    "jti",
    "nbf",
    "nonce",
    "sub",
]


def by_custom(name: str, token: object, wait: float = 0) -> Step:
    return app(name, "signInWithCustomToken", wait, token=token, returnSecureToken=True)


def person(name: str, who: str, **more) -> Step:
    return create(name, localId=uid(who), email=mail(who), password=SECRET, **more)


def update(name: str, who: object, wait: float = 0, /, **fields) -> Step:
    return admin(name, "update", wait, localId=who, **fields)


def look(name: str, token: object, wait: float = 0) -> Step:
    return app(name, "lookup", wait, idToken=token)


def anonymous(name: str) -> Step:
    return app(name, "signUp", returnSecureToken=True)


def sent(name: str, index: int) -> Step:
    return app(name, "sendVerificationCode", phoneNumber=NUMBERS[index])


def by_phone(name: str, step: str, **more) -> Step:
    return app(
        name, "signInWithPhoneNumber", sessionInfo=Answer(step, "sessionInfo"), code=CODE, **more
    )


def id_of(step: str) -> Answer:
    return Answer(step, "localId")


def form(name: str, **fields) -> Step:
    return Step(name, "POST", SECURE_TOKEN, "key", form=fields)


def factor(name: str, verb: str, **body) -> Step:
    return Step(name, "POST", f"{IT}/v2/accounts/mfaEnrollment:{verb}", "key", body)


METHODS = Program(
    [
        sign_up("password-sign-up", mail("pw")),
        sign_in("password-sign-in", mail("pw")),
        anonymous("anonymous-sign-up"),
        sent("phone-send-code", 0),
        by_phone("phone-sign-in", "phone-send-code"),
        by_custom("custom-sign-in", Custom("plain")),
        by_custom("custom-sign-in-with-claims", Custom("claims")),
        person(
            "admin-create-rich",
            "rich",
            emailVerified=True,
            displayName="Rich User",
            photoUrl="https://example.com/rich.png",
            phoneNumber=NUMBERS[1],
        ),
        sign_in("rich-sign-in", mail("rich")),
        by_custom("custom-sign-in-existing-email-account", Custom("rich")),
        show("admin-lookup-after-custom-sign-in", uid("rich")),
        update(
            "set-account-claims",
            uid("rich"),
            customAttributes='{"role":"account","level":3,"flags":{"beta":true}}',
        ),
        sign_in("rich-sign-in-with-account-claims", mail("rich")),
    ],
    tokens={
        "plain": {"uid": uid("custom")},
        "claims": {
            "uid": uid("custom-claims"),
            "claims": {
                "role": "developer",
                "n": 1,
                "list": ["a", 2],
                "nested": {"x": True},
                "empty": None,
            },
        },
        "rich": {"uid": uid("rich")},
    },
)

OLD_TOKENS = Program(
    [
        app("password-sign-up", "signUp", email=mail("legacy"), password=SECRET),
        app("password-sign-in", "signInWithPassword", email=mail("legacy"), password=SECRET),
        me("lookup-with-legacy-password-token", "password-sign-in"),
        app("anonymous-sign-up", "signUp"),
        app("custom-sign-in", "signInWithCustomToken", token=Custom("plain")),
        app(
            "custom-sign-in-false",
            "signInWithCustomToken",
            token=Custom("plain"),
            returnSecureToken=False,
        ),
        app("custom-sign-in-with-claims", "signInWithCustomToken", token=Custom("claims")),
        me("lookup-with-legacy-custom-token", "custom-sign-in"),
        cookie("cookie-from-legacy-custom-token", token_of("custom-sign-in")),
        cookie("cookie-from-legacy-password-token", token_of("password-sign-in")),
        change("update-with-legacy-password-token", "password-sign-in", displayName="Legacy Name"),
        app(
            "send-verification-with-legacy-token",
            "sendOobCode",
            requestType="VERIFY_EMAIL",
            idToken=token_of("password-sign-in"),
        ),
        factor(
            "mfa-start-with-legacy-token",
            "start",
            idToken=token_of("password-sign-in"),
            totpEnrollmentInfo={},
        ),
        factor(
            "mfa-withdraw-with-legacy-token",
            "withdraw",
            idToken=token_of("password-sign-in"),
            mfaEnrollmentId="unknown",
        ),
        sent("phone-send-code-for-link", 4),
        by_phone(
            "phone-link-with-legacy-token",
            "phone-send-code-for-link",
            idToken=token_of("password-sign-in"),
        ),
        app(
            "sign-up-upgrade-with-legacy-token",
            "signUp",
            idToken=token_of("custom-sign-in"),
            email=mail("legacy-upgrade"),
            password=SECRET,
        ),
        app("delete-with-legacy-custom-token", "delete", idToken=token_of("custom-sign-in")),
        show("admin-lookup-after-legacy-delete", uid("legacy-custom")),
    ],
    tokens={
        "plain": {"uid": uid("legacy-custom")},
        "claims": {"uid": uid("legacy-claims"), "claims": {"role": "developer"}},
    },
)

EXCHANGE = Program(
    [
        sign_up("sign-up", mail("refresh")),
        refresh("refresh-form", "sign-up"),
        Step(
            "refresh-json",
            "POST",
            SECURE_TOKEN,
            "key",
            {"grant_type": "refresh_token", "refresh_token": Answer("sign-up", "refreshToken")},
        ),
        exchange("refresh-with-returned-token", Answer("refresh-form", "refresh_token")),
        look("lookup-with-refreshed-id-token", Answer("refresh-with-returned-token", "id_token")),
        me("lookup-with-original-id-token", "sign-up"),
        anonymous("anonymous-sign-up"),
        refresh("anonymous-refresh", "anonymous-sign-up"),
        by_custom("custom-sign-in", Custom("claims")),
        refresh("custom-refresh", "custom-sign-in"),
        sent("phone-send-code", 2),
        by_phone("phone-sign-in", "phone-send-code"),
        refresh("phone-refresh", "phone-sign-in"),
        change(
            "set-display-name",
            "sign-up",
            displayName="Refreshed Name",
            photoUrl="https://example.com/refreshed.png",
        ),
        update("admin-verify-email", id_of("sign-up"), emailVerified=True),
        refresh("refresh-after-profile-change", "sign-up"),
    ],
    tokens={"claims": {"uid": uid("refresh-custom"), "claims": {"role": "developer"}}},
)

REFUSED_REFRESH = Program(
    [
        sign_up("sign-up", mail("refusal")),
        form("no-refresh-token", grant_type="refresh_token"),
        form("no-grant-type", refresh_token=Answer("sign-up", "refreshToken")),
        form(
            "password-grant-type",
            grant_type="password",
            refresh_token=Answer("sign-up", "refreshToken"),
        ),
        form("authorization-code-grant-type", grant_type="authorization_code", code="not-a-code"),
        exchange("malformed-refresh-token", "not-a-refresh-token"),
        exchange("empty-refresh-token", ""),
        exchange("id-token-as-refresh-token", token_of("sign-up")),
        exchange("truncated-refresh-token", Answer("sign-up", "refreshToken", without_last=8)),
        form("empty-body"),
        exchange("no-api-key", Answer("sign-up", "refreshToken"), caller="none"),
        exchange(
            "invalid-api-key",
            Answer("sign-up", "refreshToken"),
            caller="none",
            key="fireemu-not-a-real-api-key",
        ),
        refresh("control-still-valid", "sign-up"),
    ]
)

REFUSED_TOKENS = Program(
    [
        sign_up("sign-up", mail("idrefusal")),
        look("garbage", "not-a-jwt"),
        look("empty", ""),
        app("missing", "lookup"),
        look("tampered-signature", Spoilt("sign-up", "signature")),
        look("stripped-signature", Spoilt("sign-up", "no signature")),
        look("alg-none", Spoilt("sign-up", "none")),
        look("tampered-payload", Spoilt("sign-up", "payload")),
        look("refresh-token-as-id-token", Answer("sign-up", "refreshToken")),
        app(
            "update-with-tampered",
            "update",
            idToken=Spoilt("sign-up", "signature"),
            displayName="Nope",
        ),
        app("delete-with-tampered", "delete", idToken=Spoilt("sign-up", "signature")),
        cookie("cookie-with-garbage", "not-a-jwt"),
        cookie("cookie-with-tampered", Spoilt("sign-up", "signature")),
        me("control-original", "sign-up"),
    ]
)

REVOCATION = Program(
    [
        sign_up("sign-up", mail("revoke")),
        update("valid-since-equal", id_of("sign-up"), validSince=Moment("sign-up")),
        admin("read-back-equal", "lookup", localId=[id_of("sign-up")]),
        me("lookup-at-equal", "sign-up"),
        refresh("refresh-at-equal", "sign-up"),
        cookie("cookie-at-equal", token_of("sign-up")),
        update("valid-since-after", id_of("sign-up"), validSince=Moment("sign-up", 1)),
        me("lookup-after", "sign-up"),
        refresh("refresh-after", "sign-up"),
        cookie("cookie-after", token_of("sign-up")),
        change("update-after", "sign-up", displayName="Nope"),
        sign_in("new-sign-in", mail("revoke")),
        me("lookup-new-session", "new-sign-in"),
        refresh("refresh-new-session", "new-sign-in"),
        cookie("cookie-new-session", token_of("new-sign-in")),
        update("valid-since-before", id_of("sign-up"), validSince=Moment("sign-up", -1)),
        me("lookup-old-after-moving-back", "sign-up"),
        refresh("refresh-old-after-moving-back", "sign-up"),
        update("valid-since-future", id_of("sign-up"), validSince=Moment("new-sign-in", 600)),
        sign_in("sign-in-before-future-valid-since", mail("revoke")),
        me("lookup-before-future-valid-since", "sign-in-before-future-valid-since"),
        refresh("refresh-before-future-valid-since", "sign-in-before-future-valid-since"),
        by_custom("custom-sign-in", Custom("custom")),
        update(
            "custom-valid-since-after", uid("revoke-custom"), validSince=Moment("custom-sign-in", 1)
        ),
        me("custom-lookup-after", "custom-sign-in"),
        refresh("custom-refresh-after", "custom-sign-in"),
        by_custom("custom-sign-in-again", Custom("custom")),
        person("admin-create", "revoke-admin"),
        sign_in("admin-account-sign-in", mail("revoke-admin")),
        update("admin-password-change", uid("revoke-admin"), password="password456"),
        me("lookup-after-admin-password-change", "admin-account-sign-in"),
        refresh("refresh-after-admin-password-change", "admin-account-sign-in"),
    ],
    tokens={"custom": {"uid": uid("revoke-custom")}},
)

CUSTOM = Program(
    [
        by_custom("new-account", Custom("first")),
        show("admin-lookup-new-account", uid("custom-new")),
        by_custom("existing-account", Custom("first")),
        refresh("refresh", "new-account"),
        by_custom("uid-128", Custom("uid128")),
        by_custom("uid-129", Custom("uid129")),
        by_custom("uid-with-symbols", Custom("symbols")),
        create("admin-create-disabled", localId=uid("custom-disabled"), disabled=True),
        by_custom("disabled-account", Custom("disabled")),
        by_custom("claims-at-limit", Custom("at-limit")),
        by_custom("claims-over-limit", Custom("over-limit")),
        by_custom("claims-empty-object", Custom("no-claims")),
        by_custom("iat-in-future", Custom("future")),
        by_custom("lifetime-over-hour", Custom("long-lived")),
        by_custom("no-exp", Custom("no-exp")),
        by_custom("no-iat", Custom("no-iat")),
        me("lookup-new-account-token", "new-account"),
        cookie("cookie-from-custom-session", token_of("new-account")),
    ],
    tokens={
        "first": {"uid": uid("custom-new"), "claims": {"role": "developer", "premium": True}},
        "uid128": {"uid": "u" * 128},
        "uid129": {"uid": "u" * 129},
        "symbols": {"uid": uid("sym") + "/with.symbols+and space"},
        "disabled": {"uid": uid("custom-disabled")},
        "at-limit": {"uid": uid("claims-limit"), "claims": {"k": "x" * 992}},
        "over-limit": {"uid": uid("claims-over"), "claims": {"k": "x" * 993}},
        "no-claims": {"uid": uid("claims-empty"), "claims": {}},
        "future": {"uid": uid("iat-future"), "later": 600},
        "long-lived": {"uid": uid("long-lived"), "lifetime": 7200},
        "no-exp": {"uid": uid("no-exp"), "omit": ["exp"]},
        "no-iat": {"uid": uid("no-iat"), "omit": ["iat"]},
    },
)

VALIDATION = Program(
    [
        by_custom("other-project-signer", Custom("other")),
        by_custom("tampered-signature", Custom("valid", "signature")),
        by_custom("stripped-signature", Custom("valid", "no signature")),
        by_custom("alg-none", Custom("valid", "none")),
        by_custom("tampered-payload", Custom("valid", "payload")),
        by_custom("garbage", "not-a-jwt"),
        by_custom("empty", ""),
        app("missing-token", "signInWithCustomToken", returnSecureToken=True),
        by_custom("json-object-token", '{"uid":"fake"}'),
        by_custom("wrong-audience", Custom("audience")),
        by_custom("missing-uid", Custom("no-uid")),
        by_custom("empty-uid", Custom("empty-uid")),
        by_custom("numeric-uid", Custom("numeric-uid")),
        by_custom("iss-not-sub", Custom("subject")),
        by_custom("claims-not-object", Custom("claims-text")),
        by_custom("claims-array", Custom("claims-list")),
        *(by_custom(f"reserved-{name}", Custom(f"reserved-{name}")) for name in RESERVED),
        by_custom("user-id-developer-claim", Custom("user-id")),
        Step(
            "invalid-api-key",
            "POST",
            f"{IT}/v1/accounts:signInWithCustomToken",
            "none",
            {"token": Custom("valid"), "returnSecureToken": True},
            {"key": "fireemu-not-a-real-api-key"},
        ),
        by_custom("control-valid", Custom("valid")),
    ],
    tokens={
        "valid": {"uid": uid("valid")},
        "other": {"uid": uid("other"), "owner": "another-project"},
        "audience": {
            "uid": uid("wrong-aud"),
            "set": {"aud": "https://example.com/not-identitytoolkit"},
        },
        "no-uid": {},
        "empty-uid": {"uid": ""},
        "numeric-uid": {"set": {"uid": 12345}},
        "subject": {"uid": uid("iss-not-sub"), "set": {"sub": "someone-else@example.com"}},
        "claims-text": {"uid": uid("claims-string"), "set": {"claims": "role=admin"}},
        "claims-list": {"uid": uid("claims-array"), "set": {"claims": ["role"]}},
        "user-id": {"uid": uid("user-id-claim"), "claims": {"user_id": "someone-else"}},
    }
    | {
        f"reserved-{name}": {
            "uid": uid("reserved-" + name.replace("_", "-")),
            "claims": {name: "value"},
        }
        for name in RESERVED
    },
)

PRECEDENCE = Program(
    [
        person("create", "prec"),
        update(
            "set-account-claims", uid("prec"), customAttributes='{"role":"account","tier":"gold"}'
        ),
        sign_in("password-session", mail("prec")),
        by_custom("custom-session-same-name", Custom("session")),
        update(
            "change-account-claims",
            uid("prec"),
            customAttributes='{"role":"changed","tier":"platinum","added":1}',
        ),
        refresh("refresh-custom-session", "custom-session-same-name"),
        refresh("refresh-password-session", "password-session"),
        update("clear-account-claims", uid("prec"), customAttributes="{}"),
        refresh("refresh-custom-after-clear", "custom-session-same-name"),
        refresh("refresh-password-after-clear", "password-session"),
        update("reserved-account-claim", uid("prec"), customAttributes='{"sub":"x"}'),
        update("firebase-account-claim", uid("prec"), customAttributes='{"firebase":{"x":1}}'),
        cookie("cookie-custom-session", Answer("refresh-custom-session", "id_token")),
    ],
    tokens={"session": {"uid": uid("prec"), "claims": {"role": "session", "only_session": True}}},
)

DURATIONS = Program(
    [
        sign_up("sign-up", mail("cookie")),
        *(
            cookie(name, token_of("sign-up"), validDuration=duration)
            for name, duration in (
                ("default-duration", None),
                ("minimum", 300),
                ("below-minimum", 299),
                ("maximum", 1_209_600),
                ("above-maximum", 1_209_601),
                ("zero", 0),
                ("negative", -1),
                ("numeric-string", "3600"),
                ("fractional", 3600.5),
                ("not-a-number", "an hour"),
                ("relations", 3600),
            )
        ),
    ]
)

SESSIONS = Program(
    [
        sign_up("sign-up", mail("cookie-session")),
        cookie("missing-id-token", None),
        Step(
            "client-api-key",
            "POST",
            f"{IT}/v1/projects/<project>:createSessionCookie",
            "key",
            {"idToken": token_of("sign-up"), "validDuration": 3600},
        ),
        anonymous("anonymous-sign-up"),
        cookie("anonymous-session", token_of("anonymous-sign-up")),
        sent("phone-send-code", 3),
        by_phone("phone-sign-in", "phone-send-code"),
        cookie("phone-session", token_of("phone-sign-in")),
        person("create-with-claims", "cookie-claims"),
        update("set-claims", uid("cookie-claims"), customAttributes='{"role":"account"}'),
        sign_in("claims-sign-in", mail("cookie-claims")),
        cookie("account-claims-session", token_of("claims-sign-in")),
        update("change-claims", uid("cookie-claims"), customAttributes='{"role":"changed"}'),
        cookie("after-claims-change", token_of("claims-sign-in")),
        update("disable", uid("cookie-claims"), disableUser=True),
        cookie("disabled-account", token_of("claims-sign-in")),
        admin("delete", "delete", localId=uid("cookie-claims")),
        cookie("deleted-account", token_of("claims-sign-in")),
        cookie("session-cookie-as-id-token", Answer("account-claims-session", "sessionCookie")),
        look("session-cookie-on-lookup", Answer("account-claims-session", "sessionCookie")),
    ]
)

# The custom token ends 3594 s after the sign-up, the ID token 3600 s after it.
EXPIRY = Program(
    [
        sign_up("sign-up", mail("expiry")),
        cookie("cookie-before", token_of("sign-up"), validDuration=300),
        me("lookup-expired", "sign-up", 3610),
        change("update-expired", "sign-up", displayName="Late"),
        cookie("cookie-from-expired", token_of("sign-up")),
        by_custom("custom-token-expired", Custom("expiring")),
        refresh("refresh-after-hour", "sign-up"),
        look("lookup-refreshed", Answer("refresh-after-hour", "id_token")),
        by_custom("custom-token-at-exp-plus-299", Custom("expiring"), 275),
        by_custom("custom-token-at-exp-plus-300", Custom("expiring")),
        me("lookup-at-exp-plus-299", "sign-up", 4),
        me("lookup-at-exp-plus-300", "sign-up"),
        me("lookup-expired-later", "sign-up", 30),
        cookie("cookie-from-expired-later", token_of("sign-up")),
        by_custom("custom-token-expired-later", Custom("expiring")),
        app("delete-expired", "delete", idToken=token_of("sign-up")),
        admin("admin-lookup-after-delete-attempt", "lookup", localId=[id_of("sign-up")]),
    ],
    tokens={"expiring": {"uid": uid("expiring"), "lifetime": 3595}},
)

PROGRAMS = {
    "auth-credential/claims/precedence": PRECEDENCE,
    "auth-credential/custom-token/sign-in": CUSTOM,
    "auth-credential/custom-token/validation": VALIDATION,
    "auth-credential/expiry/one-hour": EXPIRY,
    "auth-credential/id-token/methods": METHODS,
    "auth-credential/id-token/refusals": REFUSED_TOKENS,
    "auth-credential/id-token/without-return-secure-token": OLD_TOKENS,
    "auth-credential/refresh/exchange": EXCHANGE,
    "auth-credential/refresh/refusals": REFUSED_REFRESH,
    "auth-credential/revocation/valid-since": REVOCATION,
    "auth-credential/session-cookie/durations": DURATIONS,
    "auth-credential/session-cookie/sessions": SESSIONS,
}
