"""What the matrix of three servers asked Auth. It has no times and lifetimes."""

import dataclasses

from ..steps import IT, Answer, Program, Step, app, me, sign_in, sign_up


def mail(name: str) -> str:
    return f"fireemu-auth-probe-<run>-{name}@example.com"


PRIMARY = mail("primary")
PASSWORDS = [
    sign_up("sign-up", PRIMARY),
    sign_up("duplicate-email", PRIMARY),
    sign_in("sign-in", PRIMARY),
    sign_in("wrong-password", PRIMARY, "wrong-password"),
    sign_in("unknown-email", mail("nobody")),
    me("lookup", "sign-in"),
    app(
        "update-display-name",
        "update",
        idToken=Answer("sign-in", "idToken"),
        displayName="Probe User",
    ),
    app("delete", "delete", idToken=Answer("sign-in", "idToken")),
    sign_in("sign-in-after-delete", PRIMARY),
]
VALIDATION = [
    sign_up("invalid-email", "not-an-address"),
    sign_up("weak-password", mail("weak"), "123"),
    app("missing-password", "signInWithPassword", email=mail("weak"), returnSecureToken=True),
    app("missing-email", "signInWithPassword", password="password123", returnSecureToken=True),
]
ANONYMOUS = [
    app("anonymous-sign-up", "signUp", returnSecureToken=True),
    me("lookup-anonymous", "anonymous-sign-up"),
    app("delete-anonymous", "delete", idToken=Answer("anonymous-sign-up", "idToken")),
]
TOKENS = [
    app("lookup-with-garbage-token", "lookup", idToken="garbage"),
    app("custom-token-garbage", "signInWithCustomToken", token="garbage", returnSecureToken=True),
    app("reset-password-bad-code", "resetPassword", oobCode="bad", newPassword="password456"),
    app("update-with-bad-oob-code", "update", oobCode="bad"),
    app("unknown-method", "nothing"),
    app(
        "password-reset-for-unknown-email",
        "sendOobCode",
        requestType="PASSWORD_RESET",
        email=mail("nobody"),
    ),
    Step(
        "mfa-enrollment-start-without-token",
        "POST",
        f"{IT}/v2/accounts/mfaEnrollment:start",
        "key",
        {"phoneEnrollmentInfo": {"phoneNumber": "+16505550101"}},
    ),
]
PROGRAMS = {
    name: Program([dataclasses.replace(step, in_part=True) for step in steps])
    for name, steps in {
        "password/sign-up-and-sign-in": PASSWORDS,
        "password/validation": VALIDATION,
        "anonymous/lifecycle": ANONYMOUS,
        "tokens/errors": TOKENS,
    }.items()
}
