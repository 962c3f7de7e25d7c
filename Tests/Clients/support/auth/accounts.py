"""Sessions of users in every state, and the calls that several account tests share."""

import itertools

import pytest
from support.auth.project import claims
from support.server import Server
from support.wire import CUSTOM_TOKEN_AUDIENCE, TOKEN, unsigned

A, B, C = "a@example.com", "b@example.com", "c@example.com"
INSUFFICIENT = (
    "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id."
)


@pytest.fixture(scope="module")
def hearth():
    """Does not warn of the many projects: its output is not read until it stops."""
    server = Server("--single-project-mode", "no-warning")
    yield server
    server.stop()


def update(project, uid: str, **change) -> None:
    project.admin("/accounts:update", {"localId": uid, **change})


def disabled(project) -> dict:
    """A session whose user has been disabled since."""
    session = project.sign_up(A)
    update(project, session["localId"], disableUser=True)
    return session


def revoked(project, **more) -> dict:
    """A session that `validSince` has ended."""
    session = project.sign_up(A)
    since = str(claims(session)["iat"] + 5)
    update(project, session["localId"], validSince=since, **more)
    return session


def gone(project) -> dict:
    """A session of a user who has been deleted."""
    session = project.sign_up(A)
    project.admin("/accounts:delete", {"localId": session["localId"]})
    return session


def refresh(project, session: dict, **more) -> dict:
    return project.post(
        TOKEN, {"grant_type": "refresh_token", "refresh_token": session["refreshToken"], **more}
    )


def link(project, uid: str, provider: str, email: str | None = None, **more) -> None:
    entry = {"providerId": provider, "rawId": f"{uid}-{provider}", **more}
    update(project, uid, linkProviderUserInfo=entry | ({"email": email} if email else {}))


def by_link(project, email: str, **more) -> dict:
    """Signs in with an e-mail link."""
    project.call(
        "sendOobCode",
        {"requestType": "EMAIL_SIGNIN", "email": email, "continueUrl": "http://localhost/"},
    )
    [*_, code] = oob_codes(project)
    return project.call("signInWithEmailLink", {"email": email, "oobCode": code["oobCode"], **more})


def oob_codes(project) -> list[dict]:
    return project.request("GET", f"{project.control}/oobCodes")["oobCodes"]


def cases(table: dict):
    """Rows by name; a tuple is several arguments."""
    return [
        pytest.param(*(row if isinstance(row, tuple) else (row,)), id=name)
        for name, row in table.items()
    ]


def in_pairs(faults: dict) -> list:
    """Two faults of one request: (fields, name, change) each; the earlier one is reported."""
    return [
        pytest.param(*[faults[first], faults[second]], id=f"{first} before {second}")
        for first, second in itertools.combinations(faults, 2)
        if not set(faults[first][0]) & set(faults[second][0])
    ]


URI = {"identifier": A, "continueUri": "http://localhost/"}


def registered(project, email: str = A, **more) -> dict:
    return project.call("createAuthUri", URI | {"identifier": email} | more)


def privacy(project) -> None:
    project.configure("emailPrivacyConfig", emailPrivacyConfig={"enableImprovedEmailPrivacy": True})


GOOD = {"aud": CUSTOM_TOKEN_AUDIENCE, "uid": "u"}


def exchange(project, token, **more) -> dict:
    token = token if isinstance(token, str) else unsigned(token)
    return project.call("signInWithCustomToken", {"token": token, **more})
