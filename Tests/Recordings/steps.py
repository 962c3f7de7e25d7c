"""How the requests of a recording are written down.

A program is a list of steps on an empty project. `<run>` in a text becomes the tag of the run,
`<project>` the project, as in the recorded answers, `<db:a>` a database, and `<tenant:step>` the id of
the tenant, or the operation, that a step made.
"""

import dataclasses

IT = "/identitytoolkit.googleapis.com"
SECURE_TOKEN = "/securetoken.googleapis.com/v1/token"
# The numbers that have a fixed code in the recorded project.
NUMBERS = [f"+1650555010{last}" for last in range(1, 7)]
CODE = "123456"


@dataclasses.dataclass(frozen=True)
class Answer:
    """A member of an earlier step's answer, with a text after it or without its last characters.

    `member` may be a path, as in `mfaInfo.0.mfaEnrollmentId`.
    """

    step: str
    member: str
    ending: str = ""
    without_last: int = 0


@dataclasses.dataclass(frozen=True)
class Custom:
    """A custom token of the program, by its name there. `spoilt`: see `tokens.spoilt`."""

    name: str
    spoilt: str = ""


@dataclasses.dataclass(frozen=True)
class Spoilt:
    """The ID token of an earlier step, made invalid. `how`: see `tokens.spoilt`."""

    step: str
    how: str


@dataclasses.dataclass(frozen=True)
class Form:
    """A text in the form of a query, as in `postBody`."""

    fields: dict


@dataclasses.dataclass(frozen=True)
class Claim:
    """A claim of an earlier step's ID token; `name` may be a path."""

    step: str
    name: str


@dataclasses.dataclass(frozen=True)
class Code:
    """The code of an authenticator app, `periods` from now. `start`: the step that gave its secret.

    Without `periods` a code that is wrong for a long time. `again`: the code that this step sent.
    """

    start: str = ""
    periods: int | None = None
    again: str = ""


@dataclasses.dataclass(frozen=True)
class Moment:
    """The `auth_time` of an earlier step's ID token, some seconds later, as a text."""

    step: str
    later: int = 0


@dataclasses.dataclass(frozen=True)
class Instant:
    """A time in an earlier step's answer, some seconds later. `digits`: of its fraction; the last
    of nine is 1."""

    step: str
    member: str
    later: float = 0
    digits: int = 6


@dataclasses.dataclass(frozen=True)
class Rpc:
    """A method of Firestore's gRPC service."""

    method: str


@dataclasses.dataclass(frozen=True)
class Step:
    """One request. A body that is a text is sent as it is.

    `caller` is "key" (an app with its API key), "admin", "none", or an ID token. `wait`: seconds that the
    project's clock goes on before it, beside the second between any two. `in_part`: the recording
    has only some members of the answer; `left_out`: paths of members that
    are not compared.
    """

    name: str
    method: str
    path: str
    caller: str | Answer
    body: object = None
    query: dict = dataclasses.field(default_factory=dict)
    form: dict | None = None
    wait: float = 0
    in_part: bool = False
    left_out: tuple[str, ...] = ()
    rpc: Rpc | None = None


@dataclasses.dataclass(frozen=True)
class Program:
    """`settings`: paths in the project's configuration, with their values. `tokens`: custom tokens
    that are signed before the first step, by name, as `tokens.minted` takes them. `documents` are
    in Firestore before the first step, by path, and `indexes` are as in a file of indexes. `rules`
    are a source."""

    steps: list[Step]
    settings: dict = dataclasses.field(default_factory=dict)
    tokens: dict[str, dict] = dataclasses.field(default_factory=dict)
    documents: dict[str, dict] = dataclasses.field(default_factory=dict)
    indexes: dict | None = None
    rules: str | None = None


def app(name: str, verb: str, /, wait: float = 0, **body) -> Step:
    """A call of an app."""
    return Step(name, "POST", f"{IT}/v1/accounts:{verb}", "key", body, wait=wait)


def admin(name: str, verb: str, /, wait: float = 0, caller: str = "admin", **body) -> Step:
    """A call of an administrator; without a verb it creates an account."""
    path = f"{IT}/v1/projects/<project>/accounts" + (f":{verb}" if verb else "")
    return Step(name, "POST", path, caller, body, wait=wait)


def create(name: str, /, **body) -> Step:
    return admin(name, "", **body)


def show(name: str, *ids: str) -> Step:
    """Looks accounts up as an administrator."""
    return admin(name, "lookup", localId=list(ids))


def sign_up(name: str, email: str, password: str = "password123") -> Step:
    return app(name, "signUp", email=email, password=password, returnSecureToken=True)


def sign_in(name: str, email: str, password: str = "password123") -> Step:
    return app(name, "signInWithPassword", email=email, password=password, returnSecureToken=True)


def token_of(step: str) -> Answer:
    return Answer(step, "idToken")


def me(name: str, step: str, wait: float = 0) -> Step:
    """Looks the account of a session up, as an app."""
    return app(name, "lookup", wait, idToken=token_of(step))


def change(name: str, step: str, /, **body) -> Step:
    """Changes the account of a session, as an app."""
    return app(name, "update", idToken=token_of(step), **body)


def refresh(name: str, step: str, wait: float = 0) -> Step:
    return exchange(name, Answer(step, "refreshToken"), wait)


def exchange(name: str, token: object, wait: float = 0, caller: str = "key", **query) -> Step:
    """Asks for a new ID token with any refresh token."""
    form = {"grant_type": "refresh_token", "refresh_token": token}
    return Step(name, "POST", SECURE_TOKEN, caller, query=query, form=form, wait=wait)


def cookie(name: str, token: object, wait: float = 0, **duration) -> Step:
    """A session cookie for any ID token, by default for an hour."""
    body = {"idToken": token, "validDuration": 3600} | duration
    body = {member: value for member, value in body.items() if value is not None}
    path = f"{IT}/v1/projects/<project>:createSessionCookie"
    return Step(name, "POST", path, "admin", body, wait=wait)
