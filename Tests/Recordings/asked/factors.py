"""What was asked about second factors."""

from ..steps import (
    CODE,
    IT,
    NUMBERS,
    Answer,
    Claim,
    Code,
    Custom,
    Program,
    Step,
    admin,
    app,
    cookie,
    create,
    me,
    refresh,
    show,
    sign_in,
    token_of,
)
from .accounts.names import mail, uid

ENABLED = {
    "mfa": {
        "state": "ENABLED",
        "enabledProviders": ["PHONE_SMS"],
        "providerConfigs": [{"state": "ENABLED", "totpProviderConfig": {"adjacentIntervals": 5}}],
    }
}


def call(name: str, method: str, /, **body) -> Step:
    """`method`: as in "mfaEnrollment:start". A member that is None is left out."""
    body = {member: value for member, value in body.items() if value is not None}
    return Step(name, "POST", f"{IT}/v2/accounts/{method}", "key", body)


def person(name: str, who: str, **more) -> Step:
    fields = {"email": mail(who), "password": "password123", "emailVerified": True} | more
    return create(name, localId=uid(who), **fields)


def update(name: str, who: str, **fields) -> Step:
    return admin(name, "update", localId=uid(who), **fields)


def delete(name: str, who: str) -> Step:
    return admin(name, "delete", localId=uid(who))


def enter(name: str, who: str, password: str = "password123") -> Step:
    return sign_in(name, mail(who), password)


def phone(index: int, name: str | None = None) -> dict:
    return {"phoneInfo": NUMBERS[index], "displayName": name or f"Phone {index}"}


def set_phones(name: str, who: str, *phones: dict) -> Step:
    return update(name, who, mfa={"enrollments": list(phones)})


def totp_start(name: str, session: str) -> Step:
    return call(name, "mfaEnrollment:start", idToken=token_of(session), totpEnrollmentInfo={})


def totp_enroll(name: str, session: str, start: str, code: Code | None = None) -> Step:
    return call(
        name,
        "mfaEnrollment:finalize",
        idToken=token_of(session),
        totpVerificationInfo={
            "sessionInfo": Answer(start, "totpSessionInfo.sessionInfo"),
            "verificationCode": code or Code(start, 0),
        },
        displayName="Authenticator",
    )


def enrolled(who: str, tag: str = "") -> list[Step]:
    """An account that enrols an app."""
    tag = tag or who
    return [
        person(f"create-{tag}", who),
        enter(f"sign-in-{tag}", who),
        totp_start(f"start-{tag}", f"sign-in-{tag}"),
        totp_enroll(f"finalize-{tag}", f"sign-in-{tag}", f"start-{tag}"),
    ]


def phone_start(name: str, session: str, index: int) -> Step:
    return call(
        name,
        "mfaEnrollment:start",
        idToken=token_of(session),
        phoneEnrollmentInfo={"phoneNumber": NUMBERS[index]},
    )


def phone_enroll(name: str, session: str, start: str) -> Step:
    return call(
        name,
        "mfaEnrollment:finalize",
        idToken=token_of(session),
        phoneVerificationInfo={
            "sessionInfo": Answer(start, "phoneSessionInfo.sessionInfo"),
            "code": CODE,
        },
        displayName="Phone",
    )


def withdraw(name: str, session: str | None, factor: object = None) -> Step:
    token = token_of(session) if session else None
    return call(name, "mfaEnrollment:withdraw", idToken=token, mfaEnrollmentId=factor)


def listed(pending: str, index: int = 0) -> Answer:
    return Answer(pending, f"mfaInfo.{index}.mfaEnrollmentId")


def factor_of(session: str) -> Claim:
    return Claim(session, "firebase.second_factor_identifier")


def pending_of(step: str) -> Answer:
    return Answer(step, "mfaPendingCredential")


def with_app(name: str, pending: str, code: Code | None, /, **more) -> Step:
    body = {
        "mfaPendingCredential": pending_of(pending),
        "mfaEnrollmentId": listed(pending),
        "totpVerificationInfo": {"verificationCode": code},
    }
    return call(name, "mfaSignIn:finalize", **body | more)


def sms_start(name: str, pending: str, index: int = 0) -> Step:
    return call(
        name,
        "mfaSignIn:start",
        mfaPendingCredential=pending_of(pending),
        mfaEnrollmentId=listed(pending, index),
        phoneSignInInfo={},
    )


def with_sms(name: str, pending: str, start: str, index: int = 0) -> Step:
    return call(
        name,
        "mfaSignIn:finalize",
        mfaPendingCredential=pending_of(pending),
        mfaEnrollmentId=listed(pending, index),
        phoneVerificationInfo={
            "sessionInfo": Answer(start, "phoneResponseInfo.sessionInfo"),
            "code": CODE,
        },
    )


def link(name: str, who: str) -> Step:
    return admin(
        name,
        "sendOobCode",
        requestType="EMAIL_SIGNIN",
        email=mail(who),
        continueUrl="https://<project>.firebaseapp.com/finish",
        canHandleCodeInApp=True,
        returnOobLink=True,
    )


def by_link(name: str, step: str, who: str) -> Step:
    return app(name, "signInWithEmailLink", oobCode=Answer(step, "oobCode"), email=mail(who))


def wrong(who: str) -> Code:
    return Code(f"start-{who}")


DISABLED = Program(
    [
        person("create-a", "a"),
        enter("sign-in-a", "a"),
        totp_start("totp-start", "sign-in-a"),
        phone_start("phone-start", "sign-in-a", 0),
        set_phones("admin-set-phone-factor", "a", phone(1)),
        show("admin-lookup-a", uid("a")),
        enter("sign-in-a-with-factor", "a"),
        sms_start("sms-start", "sign-in-a-with-factor"),
        with_sms("sms-finalize", "sign-in-a-with-factor", "sms-start"),
    ]
)

SIGN_IN = Program(
    [
        *enrolled("c"),
        enter("pending-1", "c"),
        enter("wrong-password", "c", "password999"),
        call(
            "start-totp",
            "mfaSignIn:start",
            mfaPendingCredential=pending_of("pending-1"),
            mfaEnrollmentId=listed("pending-1"),
        ),
        sms_start("start-totp-as-phone", "pending-1"),
        with_app("finalize-missing-pending", "pending-1", wrong("c"), mfaPendingCredential=None),
        with_app(
            "finalize-unknown-pending",
            "pending-1",
            wrong("c"),
            mfaPendingCredential="not-a-pending-credential",
        ),
        with_app("finalize-missing-code", "pending-1", None, totpVerificationInfo={}),
        with_app(
            "finalize-unknown-enrollment",
            "pending-1",
            wrong("c"),
            mfaEnrollmentId="not-an-enrollment",
        ),
        with_app("finalize-wrong-code", "pending-1", wrong("c")),
        with_app("finalize-minus-6", "pending-1", Code("start-c", -6)),
        with_app("finalize-plus-6", "pending-1", Code("start-c", 6)),
        with_app("finalize-plus-4", "pending-1", Code("start-c", 4)),
        with_app("pending-1-again", "pending-1", Code("start-c", 5)),
        refresh("refresh-after-mfa", "finalize-plus-4"),
        me("lookup-after-mfa", "finalize-plus-4"),
        cookie("cookie-after-mfa", token_of("finalize-plus-4")),
        enter("pending-2", "c"),
        with_app("replayed-sign-in-code", "pending-2", Code(again="finalize-plus-4")),
        with_app("replayed-enrollment-code", "pending-2", Code(again="finalize-c")),
        with_app("older-unused-code", "pending-2", Code("start-c", 2)),
        *enrolled("d"),
        enter("pending-d1", "d"),
        with_app(
            "finalize-without-enrollment-id", "pending-d1", Code("start-d", 2), mfaEnrollmentId=None
        ),
        enter("pending-d2", "d"),
        with_app(
            "finalize-phone-info-for-totp",
            "pending-d2",
            None,
            totpVerificationInfo=None,
            phoneVerificationInfo={"sessionInfo": "not-a-session", "code": CODE},
        ),
    ],
    ENABLED,
)


def one_wrong_code(who: str, check: str, code: Code) -> list[Step]:
    return [
        *enrolled(who),
        enter(f"pending-{who}", who),
        with_app(f"plus-4-{who}", f"pending-{who}", Code(f"start-{who}", 4)),
        enter(f"pending-{who}-again", who),
        with_app(check, f"pending-{who}-again", code),
    ]


QUOTA_FREE = Program(
    [
        *one_wrong_code("qe", "replayed-enrollment-code", Code(again="finalize-qe")),
        *one_wrong_code("qo", "older-unused-code", Code("start-qo", 2)),
    ],
    ENABLED,
)

WITHDRAW = Program(
    [
        *enrolled("e"),
        withdraw("withdraw-missing-id", "finalize-e"),
        withdraw("withdraw-unknown-id", "finalize-e", "not-an-enrollment"),
        withdraw("withdraw-missing-token", None, factor_of("finalize-e")),
        withdraw("withdraw", "finalize-e", factor_of("finalize-e")),
        me("lookup-token-before-withdraw", "finalize-e"),
        refresh("refresh-token-before-withdraw", "finalize-e"),
        me("lookup-first-factor-token", "sign-in-e"),
        withdraw("withdraw-again", "finalize-e", factor_of("finalize-e")),
        show("admin-lookup-e", uid("e")),
        enter("sign-in-after-withdraw", "e"),
        me("lookup-after-withdraw", "sign-in-after-withdraw"),
        *enrolled("f"),
        withdraw("withdraw-with-first-factor-token", "sign-in-f", factor_of("finalize-f")),
        show("admin-lookup-f", uid("f")),
    ],
    ENABLED,
)

INTERACTIONS = Program(
    [
        person("create-u", "u", emailVerified=False),
        enter("sign-in-u", "u"),
        totp_start("unverified-totp-start", "sign-in-u"),
        phone_start("unverified-phone-start", "sign-in-u", 0),
        app("anonymous-sign-up", "signUp", returnSecureToken=True),
        totp_start("anonymous-totp-start", "anonymous-sign-up"),
        phone_start("anonymous-phone-start", "anonymous-sign-up", 0),
        app("phone-send-code", "sendVerificationCode", phoneNumber=NUMBERS[3]),
        app(
            "phone-sign-in",
            "signInWithPhoneNumber",
            sessionInfo=Answer("phone-send-code", "sessionInfo"),
            code=CODE,
        ),
        totp_start("phone-account-totp-start", "phone-sign-in"),
        phone_start("phone-account-phone-start", "phone-sign-in", 4),
        call("start-missing-token", "mfaEnrollment:start", totpEnrollmentInfo={}),
        call(
            "start-garbage-token",
            "mfaEnrollment:start",
            idToken="not-a-token",
            totpEnrollmentInfo={},
        ),
        person("create-b", "b"),
        enter("sign-in-b", "b"),
        call(
            "start-both-kinds",
            "mfaEnrollment:start",
            idToken=token_of("sign-in-b"),
            totpEnrollmentInfo={},
            phoneEnrollmentInfo={"phoneNumber": NUMBERS[0]},
        ),
        totp_start("start-b-totp", "sign-in-b"),
        totp_enroll("finalize-b-totp", "sign-in-b", "start-b-totp"),
        phone_start("start-b-phone", "finalize-b-totp", 0),
        phone_enroll("finalize-b-phone", "finalize-b-totp", "start-b-phone"),
        enter("pending-b", "b"),
        person("create-l", "l"),
        set_phones("admin-set-five-factors", "l", *map(phone, range(5))),
        enter("sign-in-l", "l"),
        sms_start("sign-in-l-start", "sign-in-l", 4),
        with_sms("sign-in-l-finalize", "sign-in-l", "sign-in-l-start", 4),
        totp_start("totp-start-at-limit", "sign-in-l-finalize"),
        phone_start("phone-start-at-limit", "sign-in-l-finalize", 5),
        set_phones("admin-set-six-factors", "l", *map(phone, range(6))),
        show("admin-lookup-l", uid("l")),
        *enrolled("x"),
        enter("pending-x-disabled", "x"),
        update("admin-disable-x", "x", disableUser=True),
        with_app("finalize-x-disabled", "pending-x-disabled", Code("start-x", 1)),
        update("admin-enable-x", "x", disableUser=False),
        with_app("finalize-x-enabled-again", "pending-x-disabled", Code("start-x", 2)),
        enter("pending-x-password", "x"),
        update("admin-password-change-x", "x", password="password456"),
        with_app("finalize-x-after-password-change", "pending-x-password", Code("start-x", 3)),
        enter("pending-x-cleared", "x", "password456"),
        update("admin-clear-factors-x", "x", mfa={}),
        with_app("finalize-x-after-factors-cleared", "pending-x-cleared", Code("start-x", 4)),
        *enrolled("y"),
        enter("pending-y", "y"),
        with_app(
            "finalize-y-other-account-factor",
            "pending-y",
            Code("start-y", 1),
            mfaEnrollmentId=listed("pending-b"),
        ),
        delete("admin-delete-y", "y"),
        with_app("finalize-y-deleted", "pending-y", Code("start-y", 2)),
    ],
    ENABLED,
)


def imported(name: str, *factors: dict) -> dict:
    return {
        "localId": uid(name),
        "email": mail(name),
        "emailVerified": True,
        "mfaInfo": list(factors),
    }


ADMINISTRATORS = Program(
    [
        admin(
            "batch-create",
            "batchCreate",
            users=[
                imported("ia", phone(0, "Imported") | {"enrolledAt": "2020-01-02T03:04:05Z"}),
                imported(
                    "ib", phone(1, "Imported with id") | {"mfaEnrollmentId": "imported-factor-1"}
                ),
                imported("it", {"totpInfo": {}, "displayName": "Imported TOTP"}),
                imported("ix", {"phoneInfo": "not-a-phone", "displayName": "Invalid"}),
            ],
        ),
        show("admin-lookup-imported", *map(uid, ("ia", "ib", "it", "ix"))),
        update("admin-set-password-ia", "ia", password="password123"),
        enter("sign-in-ia", "ia"),
        sms_start("sign-in-ia-start", "sign-in-ia"),
        with_sms("sign-in-ia-finalize", "sign-in-ia", "sign-in-ia-start"),
        set_phones("admin-replace-factors-ia", "ia", phone(2, "Replaced")),
        show("admin-lookup-replaced", uid("ia")),
        set_phones("admin-set-totp-factor-ia", "ia", {"totpInfo": {}, "displayName": "Admin TOTP"}),
        set_phones("admin-set-invalid-phone-ia", "ia", {"phoneInfo": "not-a-phone"}),
        update("admin-clear-factors-ia", "ia", mfa={}),
        show("admin-lookup-cleared", uid("ia")),
        enter("sign-in-ia-after-clear", "ia"),
        person("create-m", "m"),
        set_phones("admin-set-factor-m", "m", phone(3)),
        enter("sign-in-m", "m"),
        sms_start("sign-in-m-start", "sign-in-m"),
        with_sms("sign-in-m-finalize", "sign-in-m", "sign-in-m-start"),
        totp_start("start-m-totp", "sign-in-m-finalize"),
        totp_enroll("finalize-m-totp", "sign-in-m-finalize", "start-m-totp"),
        show("admin-lookup-m", uid("m")),
    ],
    ENABLED,
)

LINKS = Program(
    [
        *enrolled("el"),
        link("link-el", "el"),
        by_link("sign-in-link-el", "link-el", "el"),
        with_app("finalize-link-el", "sign-in-link-el", Code("start-el", 1)),
        link("link-eln", "eln"),
        by_link("sign-in-link-eln", "link-eln", "eln"),
        totp_start("start-eln", "sign-in-link-eln"),
        totp_enroll("finalize-eln", "sign-in-link-eln", "start-eln"),
        link("link-eln-again", "eln"),
        by_link("sign-in-link-eln-again", "link-eln-again", "eln"),
        with_app("finalize-link-eln-again", "sign-in-link-eln-again", Code("start-eln", 1)),
    ],
    ENABLED | {"signIn.email.passwordRequired": False},
)

CUSTOM = Program(
    [
        *enrolled("ct"),
        app("custom-token-ct", "signInWithCustomToken", token=Custom("ct"), returnSecureToken=True),
        with_app("finalize-custom-token-ct", "custom-token-ct", Code("start-ct", 1)),
        refresh("refresh-custom-token-ct", "finalize-custom-token-ct"),
    ],
    ENABLED,
    {"ct": {"uid": uid("ct")}},
)

PROGRAMS = {
    "auth-mfa/admin-factors": ADMINISTRATORS,
    "auth-mfa/disabled": DISABLED,
    "auth-mfa/first-factor/custom-token": CUSTOM,
    "auth-mfa/first-factor/email-link": LINKS,
    "auth-mfa/interactions": INTERACTIONS,
    "auth-mfa/totp/quota-free": QUOTA_FREE,
    "auth-mfa/totp/sign-in": SIGN_IN,
    "auth-mfa/totp/withdraw": WITHDRAW,
}
