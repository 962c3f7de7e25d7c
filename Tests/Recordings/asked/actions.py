"""What was asked about the codes of mails."""

from ..steps import (
    CODE,
    IT,
    NUMBERS,
    Answer,
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
from .accounts.names import mail, mixed_case, uid

FINISH = "https://<project>.firebaseapp.com/finish"
ELSEWHERE = "https://unauthorized.example.com"
ANONYMOUS = {"returnSecureToken": True}


def person(name: str, who: str, **more) -> Step:
    return create(name, localId=uid(who), email=mail(who), password="password123", **more)


def change(name: str, who: str, **fields) -> Step:
    return admin(name, "update", localId=uid(who), **fields)


def delete(name: str, who: str) -> Step:
    return admin(name, "delete", localId=uid(who))


def by_mail(name: str, *who: str) -> Step:
    return admin(name, "lookup", email=[mail(one) for one in who])


def link(name: str, kind: str | None, /, **fields) -> Step:
    """A code for an administrator, who sends it. A field that is None is left out."""
    fields = {"requestType": kind, "returnOobLink": True} | fields
    return admin(
        name, "sendOobCode", **{key: value for key, value in fields.items() if value is not None}
    )


def reset_link(name: str, who: str, **fields) -> Step:
    return link(name, "PASSWORD_RESET", **{"email": mail(who)} | fields)


def verify_link(name: str, who: str, **fields) -> Step:
    return link(name, "VERIFY_EMAIL", **{"email": mail(who)} | fields)


def change_link(name: str, who: str, new: str) -> Step:
    return link(name, "VERIFY_AND_CHANGE_EMAIL", email=mail(who), newEmail=new)


def moved(name: str, who: str, new: str) -> Step:
    return change_link(name, who, mail(new))


def sign_in_link(name: str, who: str, **fields) -> Step:
    defaults = {"email": mail(who), "continueUrl": FINISH, "canHandleCodeInApp": True}
    return link(name, "EMAIL_SIGNIN", **defaults | fields)


def code_of(step: str) -> Answer:
    return Answer(step, "oobCode")


def shortened(step: str) -> Answer:
    return Answer(step, "oobCode", without_last=1)


def check(name: str, step: str, wait: float = 0, **more) -> Step:
    return app(name, "resetPassword", wait, oobCode=code_of(step), **more)


def reset(name: str, step: str, password: str = "password456", **more) -> Step:
    return app(name, "resetPassword", oobCode=code_of(step), newPassword=password, **more)


def apply(name: str, step: str, **more) -> Step:
    return app(name, "update", oobCode=code_of(step), **more)


def by_link(name: str, step: str, who: str, session: str | None = None) -> Step:
    token = {"idToken": token_of(session)} if session else {}
    return app(name, "signInWithEmailLink", oobCode=code_of(step), email=mail(who), **token)


def enter(name: str, who: str, password: str = "password123") -> Step:
    return sign_in(name, mail(who), password)


def old_token(name: str, who: str) -> Step:
    return app(name, "signInWithPassword", email=mail(who), password="password123")


def forgotten(name: str, caller: str = "key", **more) -> Step:
    body = {"requestType": "PASSWORD_RESET", "email": mail("unknown-1")} | more
    return Step(name, "POST", f"{IT}/v1/accounts:sendOobCode", caller, body)


BY_ADMINISTRATORS = [
    person("create-a", "a"),
    person("create-disabled", "d", disabled=True),
    create("create-phone", localId=uid("p"), phoneNumber=NUMBERS[0]),
    reset_link("reset-link", "a"),
    check("reset-link-check", "reset-link"),
    reset_link("reset-link-mixed-case", "a", email=mixed_case("a")),
    reset_link(
        "reset-link-continue-firebaseapp",
        "a",
        continueUrl="https://<project>.firebaseapp.com/done?x=1",
    ),
    reset_link("reset-link-continue-web-app", "a", continueUrl="https://<project>.web.app/next"),
    reset_link("reset-link-continue-localhost", "a", continueUrl="http://localhost:5000/done"),
    reset_link("reset-link-continue-unauthorized", "a", continueUrl=f"{ELSEWHERE}/done"),
    reset_link("reset-link-continue-malformed", "a", continueUrl="not a url"),
    reset_link("reset-link-continue-empty", "a", continueUrl=""),
    reset_link("reset-link-in-app", "a", continueUrl=FINISH, canHandleCodeInApp=True),
    reset_link("reset-link-unknown", "unknown-a"),
    reset_link("reset-link-disabled", "d"),
    link("reset-link-missing-email", "PASSWORD_RESET"),
    link("reset-link-invalid-email", "PASSWORD_RESET", email="not-an-email"),
    link("missing-request-type", None, email=mail("a")),
    link("unknown-request-type", "NOT_A_REQUEST_TYPE", email=mail("a")),
    link("unspecified-request-type", "OOB_REQ_TYPE_UNSPECIFIED", email=mail("a")),
    verify_link("verify-link", "a"),
    check("verify-link-check", "verify-link"),
    verify_link("verify-link-unknown", "unknown-v"),
    verify_link("verify-link-disabled", "d"),
    link("verify-link-missing-email", "VERIFY_EMAIL"),
    moved("change-link", "a", "a-new"),
    check("change-link-check", "change-link"),
    link("change-link-missing-new-email", "VERIFY_AND_CHANGE_EMAIL", email=mail("a")),
    moved("change-link-taken", "a", "d"),
    moved("change-link-same", "a", "a"),
    change_link("change-link-invalid-new", "a", "not-an-email"),
    moved("change-link-unknown", "unknown-c", "c-new"),
    moved("change-link-disabled", "d", "d-new"),
    sign_in_link("sign-in-link-password-required", "a"),
    enter("sign-in-a", "a"),
    link("verify-link-by-token", "VERIFY_EMAIL", idToken=token_of("sign-in-a")),
    link(
        "change-link-by-token",
        "VERIFY_AND_CHANGE_EMAIL",
        idToken=token_of("sign-in-a"),
        newEmail=mail("a-token"),
    ),
    check("change-link-by-token-check", "change-link-by-token"),
    link("verify-link-garbage-token", "VERIFY_EMAIL", idToken="not-a-token"),
    link(
        "verify-link-token-and-email",
        "VERIFY_EMAIL",
        idToken=token_of("sign-in-a"),
        email=mail("d"),
    ),
    app("phone-send-code", "sendVerificationCode", phoneNumber=NUMBERS[0]),
    app(
        "phone-sign-in",
        "signInWithPhoneNumber",
        sessionInfo=Answer("phone-send-code", "sessionInfo"),
        code=CODE,
    ),
    link("verify-link-phone-account", "VERIFY_EMAIL", idToken=token_of("phone-sign-in")),
]

BY_APPS = [
    forgotten("reset-unknown"),
    forgotten("reset-unknown-return-link", returnOobLink=True),
    forgotten("reset-unknown-continue-authorized", continueUrl=FINISH),
    forgotten("reset-unknown-continue-unauthorized", continueUrl=f"{ELSEWHERE}/done"),
    forgotten("reset-unknown-without-key", "none"),
]

RESET = [
    person("create-a", "a"),
    enter("sign-in-before", "a"),
    reset_link("reset-link-1", "a"),
    check("check-1", "reset-link-1"),
    reset_link("reset-link-2", "a"),
    check("check-1-after-second", "reset-link-1"),
    check("check-2", "reset-link-2"),
    reset("reset-weak-password", "reset-link-2", "12345"),
    check("check-2-after-weak", "reset-link-2"),
    app("reset-missing-code", "resetPassword", newPassword="password456"),
    app(
        "reset-unknown-code", "resetPassword", oobCode="not-a-real-code", newPassword="password456"
    ),
    app(
        "reset-truncated-code",
        "resetPassword",
        oobCode=shortened("reset-link-2"),
        newPassword="password456",
    ),
    reset("reset-empty-password", "reset-link-2", ""),
    reset("reset-consume", "reset-link-2"),
    reset("reset-reuse", "reset-link-2", "password789"),
    check("check-2-after-consume", "reset-link-2"),
    enter("sign-in-old-password", "a"),
    enter("sign-in-new-password", "a", "password456"),
    me("lookup-token-before-reset", "sign-in-before"),
    refresh("refresh-token-before-reset", "sign-in-before"),
    show("admin-lookup-after-reset", uid("a")),
    person("create-b", "b"),
    reset_link("reset-link-b", "b"),
    change("admin-password-change-b", "b", password="password789"),
    check("check-b-after-admin-password-change", "reset-link-b"),
    reset("reset-b-after-admin-password-change", "reset-link-b"),
    person("create-c", "c"),
    enter("sign-in-c", "c"),
    reset_link("reset-link-c", "c"),
    app(
        "client-password-change-c",
        "update",
        idToken=token_of("sign-in-c"),
        password="password789",
        returnSecureToken=True,
    ),
    check("check-c-after-client-password-change", "reset-link-c"),
    reset("reset-c-after-client-password-change", "reset-link-c"),
    person("create-e", "e"),
    reset_link("reset-link-e", "e"),
    change("admin-email-change-e", "e", email=mail("e-moved")),
    check("check-e-after-email-change", "reset-link-e"),
    reset("reset-e-after-email-change", "reset-link-e"),
    show("admin-lookup-e", uid("e")),
    person("create-f", "f"),
    reset_link("reset-link-f", "f"),
    change("admin-disable-f", "f", disableUser=True),
    check("check-f-disabled", "reset-link-f"),
    reset("reset-f-disabled", "reset-link-f"),
    change("admin-enable-f", "f", disableUser=False),
    check("check-f-enabled", "reset-link-f"),
    reset("reset-f-enabled", "reset-link-f"),
    person("create-g", "g"),
    reset_link("reset-link-g", "g"),
    delete("admin-delete-g", "g"),
    check("check-g-deleted", "reset-link-g"),
    reset("reset-g-deleted", "reset-link-g"),
    person("create-h", "h"),
    verify_link("verify-link-h", "h"),
    reset("reset-with-verify-code", "verify-link-h"),
    check("check-verify-code-after-reset-attempt", "verify-link-h"),
    enter("sign-in-h-original-password", "h"),
]

VERIFY = [
    person("create-a", "a"),
    enter("sign-in-a", "a"),
    verify_link("verify-link-1", "a"),
    verify_link("verify-link-2", "a"),
    check("check-1", "verify-link-1"),
    check("check-2", "verify-link-2"),
    apply("apply-2", "verify-link-2"),
    apply("apply-2-again", "verify-link-2"),
    apply("apply-1", "verify-link-1"),
    me("lookup-token-after-verify", "sign-in-a"),
    refresh("refresh-after-verify", "sign-in-a"),
    app("apply-unknown-code", "update", oobCode="not-a-real-code"),
    app("apply-truncated-code", "update", oobCode=shortened("verify-link-1")),
    verify_link("verify-link-verified", "a"),
    apply("apply-verified", "verify-link-verified"),
    person("create-b", "b"),
    verify_link("verify-link-b", "b"),
    change("admin-email-change-b", "b", email=mail("b-moved")),
    check("check-b-after-email-change", "verify-link-b"),
    apply("apply-b-after-email-change", "verify-link-b"),
    show("admin-lookup-b", uid("b")),
    person("create-c", "c"),
    verify_link("verify-link-c", "c"),
    change("admin-disable-c", "c", disableUser=True),
    apply("apply-c-disabled", "verify-link-c"),
    show("admin-lookup-c", uid("c")),
    person("create-e", "e"),
    verify_link("verify-link-e", "e"),
    delete("admin-delete-e", "e"),
    check("check-e-deleted", "verify-link-e"),
    apply("apply-e-deleted", "verify-link-e"),
    person("create-f", "f"),
    reset_link("reset-link-f", "f"),
    apply("apply-reset-code", "reset-link-f"),
    check("check-reset-code-after-apply-attempt", "reset-link-f"),
    show("admin-lookup-f", uid("f")),
]

CHANGE = [
    person("create-a", "a"),
    enter("sign-in-a", "a"),
    moved("change-link-1", "a", "a-first"),
    check("check-1", "change-link-1"),
    moved("change-link-2", "a", "a-second"),
    check("check-1-after-second", "change-link-1"),
    check("check-2", "change-link-2"),
    apply("apply-2", "change-link-2"),
    apply("apply-2-again", "change-link-2"),
    apply("apply-1", "change-link-1"),
    enter("sign-in-original-email", "a"),
    enter("sign-in-second-email", "a-second"),
    enter("sign-in-first-email", "a-first"),
    me("lookup-token-before-change", "sign-in-a"),
    refresh("refresh-token-before-change", "sign-in-a"),
    show("admin-lookup-a", uid("a")),
    person("create-b", "b"),
    moved("change-link-b", "b", "late"),
    person("create-late", "late"),
    apply("apply-b-taken", "change-link-b"),
    show("admin-lookup-b-after-taken", uid("b")),
    person("create-c", "c"),
    moved("change-link-c", "c", "c-new"),
    change("admin-email-change-c", "c", email=mail("c-admin")),
    check("check-c-after-admin-change", "change-link-c"),
    apply("apply-c-after-admin-change", "change-link-c"),
    show("admin-lookup-c", uid("c")),
    person("create-e", "e"),
    moved("change-link-e", "e", "e-new"),
    change("admin-disable-e", "e", disableUser=True),
    apply("apply-e-disabled", "change-link-e"),
    show("admin-lookup-e", uid("e")),
    person("create-f", "f"),
    moved("change-link-f", "f", "f-new"),
    delete("admin-delete-f", "f"),
    apply("apply-f-deleted", "change-link-f"),
    person("create-g", "g"),
    moved("change-link-g", "g", "g-new"),
    reset("reset-with-change-code", "change-link-g"),
    check("check-change-code-after-reset-attempt", "change-link-g"),
    person("create-h", "h"),
    verify_link("verify-link-h", "h"),
    moved("change-link-h", "h", "h-new"),
    apply("apply-change-h", "change-link-h"),
    apply("apply-old-verify-h", "verify-link-h"),
    show("admin-lookup-h", uid("h")),
]

SIGN_IN = [
    sign_in_link("link-n", "n"),
    check("check-link-n", "link-n"),
    by_link("sign-in-mismatch", "link-n", "other"),
    app("sign-in-missing-email", "signInWithEmailLink", oobCode=code_of("link-n")),
    app("sign-in-missing-code", "signInWithEmailLink", email=mail("n")),
    app("sign-in-unknown-code", "signInWithEmailLink", oobCode="not-a-real-code", email=mail("n")),
    by_link("sign-in-new", "link-n", "n"),
    by_link("sign-in-reuse", "link-n", "n"),
    by_mail("admin-lookup-n", "n"),
    sign_in_link("link-m", "m"),
    app(
        "sign-in-mixed-case",
        "signInWithEmailLink",
        oobCode=code_of("link-m"),
        email=mixed_case("m"),
    ),
    sign_in_link("link-without-continue-url", "x", continueUrl=None),
    sign_in_link("link-without-in-app", "x", canHandleCodeInApp=None),
    sign_in_link("link-in-app-false", "x", canHandleCodeInApp=False),
    sign_in_link("link-unauthorized-continue-url", "x", continueUrl=f"{ELSEWHERE}/finish"),
    sign_in_link("link-localhost-continue-url", "x", continueUrl="http://localhost:5000/finish"),
    person("create-p", "p"),
    sign_in_link("link-p", "p"),
    by_link("sign-in-existing", "link-p", "p"),
    show("admin-lookup-p", uid("p")),
    enter("sign-in-p-password", "p"),
    sign_in_link("link-q-1", "q"),
    sign_in_link("link-q-2", "q"),
    check("check-q-1-after-second", "link-q-1"),
    by_link("sign-in-q-1", "link-q-1", "q"),
    by_link("sign-in-q-2", "link-q-2", "q"),
    person("create-disabled", "dl", disabled=True),
    sign_in_link("link-disabled", "dl"),
    by_link("sign-in-disabled", "link-disabled", "dl"),
    person("create-deleted", "del"),
    sign_in_link("link-deleted", "del"),
    delete("admin-delete-del", "del"),
    by_link("sign-in-deleted", "link-deleted", "del"),
    by_mail("admin-lookup-del", "del"),
    app("anonymous-sign-up", "signUp", **ANONYMOUS),
    sign_in_link("link-anon", "anon"),
    by_link("sign-in-link-to-anonymous", "link-anon", "anon", "anonymous-sign-up"),
    by_mail("admin-lookup-anon", "anon"),
    person("create-owner", "owned"),
    app("anonymous-sign-up-2", "signUp", **ANONYMOUS),
    sign_in_link("link-owned", "owned"),
    by_link("sign-in-link-owned-address", "link-owned", "owned", "anonymous-sign-up-2"),
    person("create-r", "r"),
    enter("sign-in-r", "r"),
    sign_in_link("link-r-other-address", "r-other"),
    by_link("sign-in-link-other-address", "link-r-other-address", "r-other", "sign-in-r"),
    show("admin-lookup-r", uid("r")),
    sign_in_link("link-z", "z"),
    reset("reset-with-sign-in-code", "link-z"),
    apply("apply-sign-in-code", "link-z"),
    check("check-z-after-misuse", "link-z"),
    reset_link("reset-link-p", "p"),
    by_link("sign-in-with-reset-code", "reset-link-p", "p"),
    check("check-reset-link-p-after-misuse", "reset-link-p"),
    reset_link("reset-link-n", "n"),
    reset("reset-n", "reset-link-n"),
    by_mail("admin-lookup-n-after-reset", "n"),
    enter("sign-in-n-password", "n", "password456"),
]

SESSION = [
    sign_in_link("link-s", "s"),
    by_link("sign-in-s", "link-s", "s"),
    refresh("refresh-s", "sign-in-s"),
    me("lookup-s", "sign-in-s"),
    cookie("cookie-s", token_of("sign-in-s")),
    person("create-p", "p"),
    sign_in_link("link-p", "p"),
    by_link("sign-in-p", "link-p", "p"),
    refresh("refresh-p", "sign-in-p"),
    cookie("cookie-p", token_of("sign-in-p")),
    enter("sign-in-p-password", "p"),
    app("anonymous-sign-up", "signUp", **ANONYMOUS),
    sign_in_link("link-anon", "anon"),
    by_link("sign-in-anon-link", "link-anon", "anon", "anonymous-sign-up"),
    refresh("refresh-anon-link", "sign-in-anon-link"),
    cookie("cookie-anon-link", token_of("sign-in-anon-link")),
]

OLD_TOKENS = [
    person("create-a", "a"),
    old_token("legacy-sign-in-a", "a"),
    link("verify-link-by-legacy-token", "VERIFY_EMAIL", idToken=token_of("legacy-sign-in-a")),
    check("verify-link-by-legacy-token-check", "verify-link-by-legacy-token"),
    link(
        "change-link-by-legacy-token",
        "VERIFY_AND_CHANGE_EMAIL",
        idToken=token_of("legacy-sign-in-a"),
        newEmail=mail("a-legacy"),
    ),
    check("change-link-by-legacy-token-check", "change-link-by-legacy-token"),
    apply("apply-change-by-legacy-token", "change-link-by-legacy-token"),
    show("admin-lookup-a", uid("a")),
    person("create-r", "r"),
    old_token("legacy-sign-in-r", "r"),
    sign_in_link("link-legacy", "r-legacy"),
    by_link("sign-in-link-legacy-token", "link-legacy", "r-legacy", "legacy-sign-in-r"),
    show("admin-lookup-r", uid("r")),
    by_mail("admin-lookup-r-legacy", "r-legacy"),
]

OWNERS = [
    person("create-a", "a"),
    person("create-b", "b"),
    enter("sign-in-b", "b"),
    verify_link("verify-link-a", "a"),
    apply("apply-a-code-with-b-token", "verify-link-a", idToken=token_of("sign-in-b")),
    show("admin-lookup-both-after-verify", uid("a"), uid("b")),
    reset_link("reset-link-a", "a"),
    check("check-a-code-naming-b", "reset-link-a", email=mail("b")),
    reset("reset-a-code-naming-b", "reset-link-a", email=mail("b")),
    enter("sign-in-a-new-password", "a", "password456"),
    enter("sign-in-b-original-password", "b"),
    moved("change-link-a", "a", "a-new"),
    apply("apply-a-change-with-b-token", "change-link-a", idToken=token_of("sign-in-b")),
    show("admin-lookup-both-after-change", uid("a"), uid("b")),
    verify_link("verify-link-b", "b"),
    apply("apply-b-code-with-garbage-token", "verify-link-b", idToken="not-a-token"),
    show("admin-lookup-b", uid("b")),
]

EXPIRY = [
    person("create-a", "a"),
    person("create-b", "b"),
    verify_link("verify-link-a", "a"),
    moved("change-link-b", "b", "b-new"),
    sign_in_link("link-n", "n"),
    reset_link("reset-link-b", "b"),
    reset_link("reset-link-a", "a"),
    check("check-reset-before-hour", "reset-link-a", 3585),
    check("check-reset-across-hour", "reset-link-a", 25),
    reset("reset-after-hour", "reset-link-a"),
    reset("reset-b-after-hour", "reset-link-b"),
    check("check-verify-after-hour", "verify-link-a"),
    check("check-change-after-hour", "change-link-b"),
    check("check-sign-in-link-after-hour", "link-n"),
    apply("apply-verify-after-hour", "verify-link-a"),
    apply("apply-change-after-hour", "change-link-b"),
    by_link("sign-in-link-after-hour", "link-n", "n"),
    reset_link("reset-link-a-renewed", "a"),
    reset("reset-with-renewed-code", "reset-link-a-renewed"),
    show("admin-lookup-after-hour", uid("a"), uid("b")),
]

LINKS = {"signIn.email.passwordRequired": False}
PROGRAMS = {
    "auth-action/change-email": Program(CHANGE),
    "auth-action/email-link/session": Program(SESSION, LINKS),
    "auth-action/email-link/sign-in": Program(SIGN_IN, LINKS),
    "auth-action/expiry": Program(EXPIRY, LINKS),
    "auth-action/generate/admin": Program(BY_ADMINISTRATORS),
    "auth-action/generate/client": Program(BY_APPS),
    "auth-action/legacy-token": Program(OLD_TOKENS, LINKS),
    "auth-action/ownership": Program(OWNERS),
    "auth-action/password-reset": Program(RESET),
    "auth-action/verify-email": Program(VERIFY),
}
