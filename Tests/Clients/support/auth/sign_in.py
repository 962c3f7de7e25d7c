"""Second factors, passkeys and provider tokens for tests of signing in."""

import pytest
from support.auth.project import Project

A, B = "a@example.com", "b@example.com"


def token(sub: str = "1", **more) -> dict:
    return {"sub": sub, **more}


def whole(sub: str = "1", email: str = A, verified: bool = True) -> dict:
    return token(
        sub,
        email=email,
        email_verified=verified,
        name="Ann",
        screen_name="ann",
        picture="http://localhost/a.png",
        given_name="Ann",
        family_name="Example",
        locale="de",
        extra={"a": [1]},
    )


def entry(user: dict, provider: str) -> dict:
    [found] = [e for e in user["providerUserInfo"] if e["providerId"] == provider]
    return found


ONE, TWO = "+15555550100", "+15555550101"


@pytest.fixture
def project(hearth) -> Project:
    return Project(hearth)


def wrong(code: dict) -> dict:
    return code | {"code": f"{(int(code['code']) + 1) % 10**6:06}"}


def refuse(project, name: str, body: dict, status: int = 400) -> str:
    return project.factor(name, body, status)["error"]["message"]


def second(project, pending: dict, number: str = ONE, tenant=None, status: int = 200) -> dict:
    more = {"tenantId": tenant} if tenant else {}
    started = project.factor(
        "mfaSignIn:start",
        {
            "mfaPendingCredential": pending["mfaPendingCredential"],
            "mfaEnrollmentId": pending["mfaInfo"][0]["mfaEnrollmentId"],
            **more,
        },
    )
    assert started.keys() == {"phoneResponseInfo"}
    assert started["phoneResponseInfo"].keys() == {"sessionInfo"}
    return project.factor(
        "mfaSignIn:finalize",
        {
            "mfaPendingCredential": pending["mfaPendingCredential"],
            "phoneVerificationInfo": project.code(number, tenant),
            **more,
        },
        status,
    )


def finalize(project, session, credential: dict, status: int = 200, **more) -> dict:
    return project.factor(
        "passkeyEnrollment:finalize",
        {"idToken": session["idToken"], "authenticatorRegistrationResponse": credential, **more},
        status,
    )


def enter(project, credential: dict, status: int = 200, **more) -> dict:
    return project.factor(
        "passkeySignIn:finalize",
        {"authenticatorAuthenticationResponse": credential, **more},
        status,
    )
