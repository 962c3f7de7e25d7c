"""A quiet server, and the tokens of a new user."""

import pytest
from support.server import Server
from support.steering import Steered, instant
from support.wire import decoded, unsigned

LEGACY = {
    "signUp": "signupNewUser",
    "signInWithPassword": "verifyPassword",
    "sendOobCode": "getOobConfirmationCode",
    "resetPassword": "resetPassword",
    "signInWithEmailLink": "emailLinkSignin",
    "lookup": "getAccountInfo",
    "update": "setAccountInfo",
}


@pytest.fixture(scope="module")
def hearth():
    """Its output is not read, and each project would print a line."""
    server = Server("--log-level", "error")
    yield server
    server.stop()


@pytest.fixture
def project(hearth) -> Steered:  # noqa: F811
    return Steered(hearth)


def freeze(project) -> int:
    """Freezes the project's clock, and returns its milliseconds."""
    now = instant(project.clock(frozen=True)["now"])
    return round(now.timestamp() * 1000)


def token_block(answer: dict) -> dict:
    """Checks the tokens of an answer; returns the claims."""
    assert answer["expiresIn"] == "3600"
    assert type(answer["refreshToken"]) is str and answer["refreshToken"]
    header, content = decoded(answer["idToken"])
    assert (header["alg"], header["typ"]) == ("RS256", "JWT")
    assert content["exp"] - content["iat"] == 3600
    return content


def same_time(record: dict, name: str, milliseconds: int) -> None:
    assert record[name] == str(milliseconds), name


def fresh(session: dict) -> str:
    """A token of that user that has not expired."""
    return unsigned(
        {
            "user_id": session["localId"],
            "iat": 4_000_000_000,
            "firebase": {"sign_in_provider": "anonymous"},
        }
    )
