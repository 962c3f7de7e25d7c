"""The table of Auth routes, and raw requests to them."""

import uuid
from dataclasses import dataclass

import pytest
import requests
from support.auth.project import IT
from support.server import Server
from support.wire import TOKEN, V1


def post(send, path: str, body, status: int = 200, **options) -> dict:
    reply = send("POST", path, json=body, **options)
    if status >= 400:
        return error(reply, status)
    assert reply.status_code == status, reply.text
    return reply.json()


IT1, IT2 = f"{IT}/v1", f"{IT}/v2"
MISSING_KEY = {
    "code": 403,
    "status": "PERMISSION_DENIED",
    "message": "The request is missing a valid API key.",
    "errors": [
        {
            "message": "The request is missing a valid API key.",
            "reason": "forbidden",
            "domain": "global",
        }
    ],
}
NOT_FOUND = {
    "code": 404,
    "message": "Not Found",
    "status": "NOT_FOUND",
    "errors": [{"message": "Not Found", "reason": "notFound"}],
}


@dataclass(frozen=True)
class Row:
    """One method of one path. `O+K` takes a Bearer or a key, `K` a key, `-` nothing."""

    method: str
    path: str
    auth: str

    def __str__(self) -> str:
        short = self.path.replace(IT1, "IT1").replace(IT2, "IT2").replace("{p}", "P")
        return f"{self.method} {short.replace('{t}', 'T')}"

    def at(self, project_id: str, tenant: str = "t1") -> str:
        return self.path.replace("{p}", project_id).replace("{t}", tenant)

    @property
    def names_project(self) -> bool:
        return "{p}" in self.path

    @property
    def has_body(self) -> bool:
        return self.method in ("POST", "PATCH")


P1, P2 = f"{IT1}/projects/{{p}}", f"{IT2}/projects/{{p}}"
CONTROL = "/emulator/v1/projects/{p}"
SCOPES = ("", "/tenants/{t}")


def rows(auth: str, method: str, *paths: str) -> list[Row]:
    return [Row(method, path, auth) for path in paths]


def crud(kind: str) -> list[Row]:
    found = []
    for scope in SCOPES:
        path = f"{P2}{scope}/{kind}"
        found += rows("O+K", "GET", path) + rows("O+K", "POST", path)
        for method in ("GET", "PATCH", "DELETE"):
            found += rows("O+K", method, f"{path}/an-id")
    return found


ROWS = [
    *rows(
        "O+K",
        "POST",
        *(
            f"{V1}{verb}"
            for verb in (
                "signUp",
                "signInWithPassword",
                "sendOobCode",
                "resetPassword",
                "signInWithEmailLink",
                "lookup",
                "update",
                "delete",
                "createAuthUri",
                "signInWithCustomToken",
                "signInWithIdp",
                "sendVerificationCode",
                "signInWithPhoneNumber",
            )
        ),
    ),
    *rows(
        "O+K",
        "POST",
        *(
            f"{P1}{scope}/accounts{verb}"
            for scope in SCOPES
            for verb in (
                "",
                ":sendOobCode",
                ":lookup",
                ":update",
                ":delete",
                ":query",
                ":batchCreate",
                ":batchDelete",
            )
        ),
    ),
    *rows("O+K", "GET", *(f"{P1}{scope}/accounts:batchGet" for scope in SCOPES)),
    *rows(
        "O+K",
        "POST",
        f"{P1}:queryAccounts",
        *(f"{P1}{scope}:createSessionCookie" for scope in SCOPES),
    ),
    *rows("K", "POST", TOKEN),
    *rows("O+K", "GET", f"{IT1}/projects", f"{IT1}/recaptchaParams", f"{P2}/config"),
    *rows("O+K", "PATCH", f"{P2}/config"),
    *rows(
        "O+K",
        "POST",
        *(
            f"{IT2}/accounts/{name}"
            for name in (
                "mfaEnrollment:start",
                "mfaEnrollment:finalize",
                "mfaEnrollment:withdraw",
                "mfaSignIn:start",
                "mfaSignIn:finalize",
            )
        ),
    ),
    *rows(
        "K",
        "POST",
        *(
            f"{IT2}/accounts/passkey{kind}:{verb}"
            for kind in ("Enrollment", "SignIn")
            for verb in ("start", "finalize")
        ),
    ),
    *rows("O+K", "GET", f"{P2}/tenants", f"{P2}/tenants/{{t}}"),
    *rows("O+K", "POST", f"{P2}/tenants"),
    *rows("O+K", "PATCH", f"{P2}/tenants/{{t}}"),
    *rows("O+K", "DELETE", f"{P2}/tenants/{{t}}"),
    *rows("-", "DELETE", *(f"{CONTROL}{scope}/accounts" for scope in SCOPES)),
    *rows(
        "-",
        "GET",
        *(
            f"{CONTROL}{scope}/{kind}"
            for scope in SCOPES
            for kind in ("oobCodes", "verificationCodes")
        ),
        f"{CONTROL}/config",
    ),
    *rows("-", "PATCH", f"{CONTROL}/config"),
    *rows(
        "-",
        "GET",
        "/emulator/action",
        "/emulator/auth/handler",
        "/emulator/auth/iframe",
        "/emulator/openapi.json",
    ),
    # Those that only answer 501 there.
    *rows(
        "O+K",
        "POST",
        f"{V1}issueSamlResponse",
        f"{V1}signInWithGameCenter",
        f"{V1}verifyIosClient",
        f"{IT2}/accounts:revokeToken",
        f"{P2}/identityPlatform:initializeAuth",
    ),
    *rows(
        "O+K",
        "GET",
        f"{IT2}/passwordPolicy",
        f"{IT2}/recaptchaConfig",
        f"{IT2}/defaultSupportedIdps",
    ),
    *rows("K", "GET", f"{IT1}/sessionCookiePublicKeys"),
    *crud("defaultSupportedIdpConfigs"),
    *crud("inboundSamlConfigs"),
    *crud("oauthIdpConfigs"),
    *rows(
        "O+K",
        "POST",
        *(
            f"{P2}/tenants/{{t}}:{verb}"
            for verb in ("getIamPolicy", "setIamPolicy", "testIamPermissions")
        ),
    ),
]
PATHS = {row.path: row for row in ROWS}
API = [row for row in ROWS if row.auth != "-"]


def each(chosen):
    """Rows as parameters, by their text."""
    return [pytest.param(row, id=str(row)) for row in chosen]


@pytest.fixture(scope="module")
def hearth():
    """Nobody reads what it prints, and each project is worth a line."""
    server = Server("--log-level", "error")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def http():
    session = requests.Session()
    session.trust_env = False
    yield session
    session.close()


@pytest.fixture
def send(hearth, http):
    """Sends a request unchanged: no redirects, and only the headers that the test gives."""

    def send(method: str, path: str, **options) -> requests.Response:
        return http.request(
            method, hearth.auth + path, timeout=30, allow_redirects=False, **options
        )

    return send


@pytest.fixture
def anywhere() -> str:
    return f"demo-{uuid.uuid4().hex[:16]}"


def error(reply: requests.Response, status: int) -> dict:
    """The envelope, in the form that all errors have."""
    assert reply.status_code == status, f"{reply.status_code} {reply.text}"
    assert reply.headers["Content-Type"] == "application/json; charset=utf-8"
    assert reply.text.startswith('{\n  "error": {\n    "code": '), reply.text
    assert "null" not in reply.text and "WWW-Authenticate" not in reply.headers
    body = reply.json()
    assert list(body) == ["error"]
    assert body["error"].keys() <= {"code", "message", "errors", "status"}
    assert type(body["error"]["code"]) is int and body["error"]["code"] == status
    return body["error"]


def plain(message: str) -> dict:
    """A semantic failure: without `status`."""
    return {
        "code": 400,
        "message": message,
        "errors": [{"message": message, "reason": "invalid", "domain": "global"}],
    }


def of_schema(message: str) -> dict:
    return plain(message) | {"status": "INVALID_ARGUMENT"}


def good_body(row: Row) -> dict:
    return {"json": {}} if row.has_body else {}
