"""Ways to sign in and to change an account, by the field they affect."""

from support.auth.project import claims
from support.wire import CUSTOM_TOKEN_AUDIENCE, unsigned


def token_of(answer: dict) -> dict:
    return claims({"idToken": answer.get("idToken") or answer["id_token"]})


A, B, C = "a@example.com", "b@example.com", "c@example.com"


def only(project, tenant=None) -> dict:
    [user] = project.users(tenant=tenant)
    return user


def custom(project, uid: str = "u", **claims) -> dict:
    return project.call(
        "signInWithCustomToken",
        {
            "token": unsigned(
                {"aud": CUSTOM_TOKEN_AUDIENCE, "uid": uid, **({"claims": claims} if claims else {})}
            )
        },
    )


def google(project, sub: str = "1", email: str = A, **more) -> dict:
    return project.idp("google.com", {"sub": sub, "email": email, "email_verified": True, **more})


def send(project, kind: str, **more) -> str:
    """Asks for a code, and answers it."""
    project.call("sendOobCode", {"requestType": kind, "continueUrl": "http://localhost/", **more})
    return newest(project)


def newest(project, tenant=None) -> str:
    return pending(project, tenant)[-1]["oobCode"]


def pending(project, tenant=None) -> list[dict]:
    scope = project.control + (f"/tenants/{tenant}" if tenant else "")
    return project.request("GET", f"{scope}/oobCodes")["oobCodes"]


def password_entry(email: str, **more) -> dict:
    return {"providerId": "password", "email": email, "federatedId": email, "rawId": email, **more}


def phone_entry(number: str) -> dict:
    return {"providerId": "phone", "phoneNumber": number, "rawId": number}


def as_user(verb: str, **fields):
    return lambda p, session: p.call(verb, {"idToken": session["idToken"], **fields})


def as_owner(**fields):
    return lambda p, session: p.admin("/accounts:update", {"localId": session["localId"], **fields})


def redeem(kind: str, verb: str = "update", /, **fields):
    def run(p, session):
        needs_token = kind.startswith("VERIFY")
        code = send(
            p,
            kind,
            **({"idToken": session["idToken"]} if needs_token else {"email": A}),
            **({"newEmail": B} if kind == "VERIFY_AND_CHANGE_EMAIL" else {}),
        )
        p.call(verb, {"oobCode": code, **fields})

    return run


def anonymous(p):
    return p.call("signUp", {})


def password(p):
    return p.sign_up(A)
