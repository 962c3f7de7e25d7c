"""Paths, pages, CORS, credentials, errors, the order of checks, all routes: auth-a 1.1 to 1.10.

Bodies and projects are in test_auth_a_server_bodies.py.
"""

import json
import re
import socket
import uuid
from dataclasses import dataclass

import pytest
import requests

from support.auth.project import IT
from support.server import PROJECT, Server
from support.steering import guard  # noqa: F401
from auth.accounts.test_delete_and_query import INSUFFICIENT, SCHEMA, cases
from support.wire import TOKEN, V1, V3, unsigned

IT1, IT2 = f"{IT}/v1", f"{IT}/v2"
OWNER = {"Authorization": "Bearer owner"}
JSON_TYPE = {"Content-Type": "application/json"}
ORIGIN = "https://app.example.com"

MISSING_KEY = {
    "code": 403, "status": "PERMISSION_DENIED",
    "message": "The request is missing a valid API key.",
    "errors": [{"message": "The request is missing a valid API key.", "reason": "forbidden",
                "domain": "global"}]}
BAD_BEARER_ITEM = {
    "message": "Invalid Credentials", "domain": "global", "reason": "authError",
    "location": "Authorization", "locationType": "header"}
NOT_FOUND = {
    "code": 404, "message": "Not Found", "status": "NOT_FOUND",
    "errors": [{"message": "Not Found", "reason": "notFound"}]}


# MARK: 1.10, the table

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
    *rows("O+K", "POST", *(f"{V1}{verb}" for verb in (
        "signUp", "signInWithPassword", "sendOobCode", "resetPassword", "signInWithEmailLink",
        "lookup", "update", "delete", "createAuthUri", "signInWithCustomToken", "signInWithIdp",
        "sendVerificationCode", "signInWithPhoneNumber"))),
    *rows("O+K", "POST", *(f"{P1}{scope}/accounts{verb}" for scope in SCOPES for verb in (
        "", ":sendOobCode", ":lookup", ":update", ":delete", ":query", ":batchCreate",
        ":batchDelete"))),
    *rows("O+K", "GET", *(f"{P1}{scope}/accounts:batchGet" for scope in SCOPES)),
    *rows("O+K", "POST", f"{P1}:queryAccounts",
          *(f"{P1}{scope}:createSessionCookie" for scope in SCOPES)),
    *rows("K", "POST", TOKEN),
    *rows("O+K", "GET", f"{IT1}/projects", f"{IT1}/recaptchaParams", f"{P2}/config"),
    *rows("O+K", "PATCH", f"{P2}/config"),
    *rows("O+K", "POST", *(f"{IT2}/accounts/{name}" for name in (
        "mfaEnrollment:start", "mfaEnrollment:finalize", "mfaEnrollment:withdraw",
        "mfaSignIn:start", "mfaSignIn:finalize"))),
    *rows("K", "POST", *(f"{IT2}/accounts/passkey{kind}:{verb}" for kind in (
        "Enrollment", "SignIn") for verb in ("start", "finalize"))),
    *rows("O+K", "GET", f"{P2}/tenants", f"{P2}/tenants/{{t}}"),
    *rows("O+K", "POST", f"{P2}/tenants"),
    *rows("O+K", "PATCH", f"{P2}/tenants/{{t}}"),
    *rows("O+K", "DELETE", f"{P2}/tenants/{{t}}"),
    *rows("-", "DELETE", *(f"{CONTROL}{scope}/accounts" for scope in SCOPES)),
    *rows("-", "GET", *(f"{CONTROL}{scope}/{kind}" for scope in SCOPES for kind in (
        "oobCodes", "verificationCodes")), f"{CONTROL}/config"),
    *rows("-", "PATCH", f"{CONTROL}/config"),
    *rows("-", "GET", "/emulator/action", "/emulator/auth/handler", "/emulator/auth/iframe",
          "/emulator/openapi.json"),
    # Those that only answer 501 there.
    *rows("O+K", "POST", f"{V1}issueSamlResponse", f"{V1}signInWithGameCenter",
          f"{V1}verifyIosClient", f"{IT2}/accounts:revokeToken",
          f"{P2}/identityPlatform:initializeAuth"),
    *rows("O+K", "GET", f"{IT2}/passwordPolicy", f"{IT2}/recaptchaConfig",
          f"{IT2}/defaultSupportedIdps"),
    *rows("K", "GET", f"{IT1}/sessionCookiePublicKeys"),
    *crud("defaultSupportedIdpConfigs"), *crud("inboundSamlConfigs"), *crud("oauthIdpConfigs"),
    *rows("O+K", "POST", *(f"{P2}/tenants/{{t}}:{verb}" for verb in (
        "getIamPolicy", "setIamPolicy", "testIamPermissions"))),
]
PATHS = {row.path: row for row in ROWS}
# Behind a slash these have an id, which may be empty.
COLLECTIONS = [
    "tenants", "defaultSupportedIdpConfigs", "inboundSamlConfigs", "oauthIdpConfigs"]
IAM = ("IamPolicy", "IamPermissions")
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
    """Sends as it stands: no redirects, and no header that the test does not give."""
    def send(method: str, path: str, **options) -> requests.Response:
        return http.request(
            method, hearth.auth + path, timeout=20, allow_redirects=False, **options)
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
    return {"code": 400, "message": message,
            "errors": [{"message": message, "reason": "invalid", "domain": "global"}]}


def of_schema(message: str) -> dict:
    return plain(message) | {"status": "INVALID_ARGUMENT"}


def raw(hearth, text: str, timeout: float = 5) -> bytes:
    """What comes back for these bytes, until the server closes or has answered."""
    host, port = hearth.host.rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=timeout) as connection:
        connection.sendall(text.encode().replace(b"\n", b"\r\n"))
        received = b""
        while b"\r\n\r\n" not in received:
            part = connection.recv(65536)
            if not part:
                break
            received += part
        return received


def good_body(row: Row) -> dict:
    return {"json": {}} if row.has_body else {}


# MARK: 1.1, paths

@pytest.mark.parametrize("row", each(ROWS))
def test_every_path_of_the_table_is_served(send, anywhere, row):
    """Whatever it says to a good credential, it is no 404 of a path and no 405."""
    reply = send(row.method, row.at(anywhere), headers=OWNER, params={"key": anywhere},
                 **good_body(row))
    assert reply.status_code not in (401, 403, 405, 500), reply.text
    if reply.status_code == 404:
        # An entity of ours that is missing; unknown paths say "Not Found".
        assert reply.json()["error"]["message"] != "Not Found"
    if not row.path.startswith("/emulator/a"):
        assert reply.headers["Content-Type"].startswith("application/json")


@pytest.mark.parametrize("row", each(
    row for row in PATHS.values() if row.path.rsplit("/")[-1] not in COLLECTIONS))
def test_a_trailing_slash_is_another_path(send, anywhere, row):
    reply = send(row.method, row.at(anywhere) + "/", headers=OWNER, **good_body(row))
    assert error(reply, 404) == NOT_FOUND


@pytest.mark.parametrize("escape", ["%3A", "%3a"])
@pytest.mark.parametrize("row", each(
    row for row in PATHS.values() if ":" in row.path and not row.path.endswith(IAM)))
def test_the_colon_of_a_verb_is_literal(send, anywhere, row, escape):
    reply = send(row.method, row.at(anywhere).replace(":", escape), headers=OWNER,
                 **good_body(row))
    assert error(reply, 404) == NOT_FOUND


@pytest.mark.parametrize("path, methods", [
    *((f"{P2}/tenants/t1%3A{verb}", {"GET", "PATCH", "DELETE"}) for verb in (
        "getIamPolicy", "setIamPolicy", "testIamPermissions")),
    *((f"{P2}/{kind}/", {"GET", "PATCH", "DELETE"}) for kind in COLLECTIONS)])
def test_a_path_that_another_template_takes(send, anywhere, path, methods):
    """A decoded colon in an id, and an empty id."""
    reply = send("POST", path.replace("{p}", anywhere), headers=OWNER, json={})
    assert reply.status_code == 405
    assert set(reply.headers["Allow"].split(",")) == methods


@pytest.mark.parametrize("method, path", [
    ("GET", "/nowhere"), ("POST", "/identitytoolkit.googleapis.com"), ("POST", IT1), ("GET", IT2),
    ("POST", f"{V1}nothing"), ("POST", f"{IT1}/accounts"), ("POST", f"{IT1}/accounts:signup"),
    ("POST", f"{IT1}/Accounts:signUp"), ("POST", f"{IT}/v3/accounts:signUp"),
    ("POST", "/securetoken.googleapis.com/v1/tokens"),
    ("POST", "/securetoken.googleapis.com/token"),
    ("POST", f"{V3}nothing"), ("POST", V3), ("GET", "/emulator/v1/projects/p/nothing"),
    ("GET", "/emulator/v1/projects/p/tenants/t/config"),
    ("PATCH", "/emulator/v1/projects/p/tenants/t/config"),
    ("GET", f"/identitytoolkit.googleapis.com/emulator/v1/projects/p/oobCodes"),
    ("GET", f"{IT1}/publicKeys"), ("GET", f"{IT1}/setProjectConfig"),
    ("POST", f"{IT1}/setProjectConfig"), ("POST", f"{IT2}/accounts:signUp"),
    ("POST", f"{IT1}/accounts/mfaSignIn:start"), ("POST", f"{IT1}//accounts:signUp"),
    ("POST", f"{IT1}/projects/p/tenants/t/accounts:nothing"),
    ("POST", f"{IT1}/projects/p/tenants/t:queryAccounts"),
])
@pytest.mark.parametrize("headers", [{}, OWNER, {"Authorization": "Bearer x"}],
                         ids=["nobody", "owner", "stranger"])
def test_unknown_paths(send, method, path, headers):
    """Before anybody asks who is calling."""
    assert error(send(method, path, headers=headers, json={}), 404) == NOT_FOUND
    assert error(send(method, path + "?key=any", headers=headers), 404) == NOT_FOUND


@pytest.mark.parametrize("host", [
    "identitytoolkit.googleapis.com", "securetoken.googleapis.com", "www.googleapis.com",
    "localhost:1", "example.com", "x"])
@pytest.mark.parametrize("method, path, status", [
    ("GET", f"{IT1}/projects?key=any", 200), ("GET", "/emulator/v1/projects/demo-h/oobCodes", 200),
    ("GET", "/", 200), ("GET", "/projects?key=any", 404), ("POST", "/accounts:signUp", 404),
    ("POST", "/token?key=any", 404), ("POST", "/identitytoolkit/v3/verifyPassword?key=any", 404),
])
def test_the_host_header_routes_nothing(send, host, method, path, status):
    reply = send(method, path, headers={"Host": host}, **({"json": {}} if method != "GET" else {}))
    assert reply.status_code == status


@pytest.mark.parametrize("segment, project_id", [
    ("demo-a%3Ab", "demo-a:b"), ("demo-a:b", "demo-a:b"), ("demo-%C3%A4", "demo-\u00e4"),
    ("demo%2Da", "demo-a"), ("demo+a", "demo+a"), ("demo%3Aquery:x", "demo:query:x")])
def test_the_project_of_a_path_is_decoded(send, segment, project_id):
    """The same project by its name in a body."""
    uid = uuid.uuid4().hex
    made = send("POST", f"{IT1}/projects/{segment}/accounts", json={"localId": uid}, headers=OWNER)
    assert made.status_code == 200, made.text
    found = send("POST", f"{V1}lookup", headers=OWNER, json={
        "localId": [uid], "targetProjectId": project_id})
    assert [user["localId"] for user in found.json()["users"]] == [uid]


@pytest.mark.parametrize("segment", ["demo%20a", "demo%2Fa", "demo%25a", "demo%00a", "x" * 200])
def test_a_project_that_cannot_be(send, segment):
    """A deliberate difference: the official emulator takes any text."""
    reply = send("POST", f"{IT1}/projects/{segment}/accounts", json={}, headers=OWNER)
    assert reply.status_code == 400 and "project id" in reply.json()["error"]["message"]


def test_a_colon_in_a_project_before_a_verb(send, anywhere):
    for segment in (f"{anywhere}:x", f"{anywhere}%3Ax"):
        reply = send("POST", f"{IT1}/projects/{segment}:queryAccounts", json={}, headers=OWNER)
        assert reply.json() == {"recordsCount": "0", "userInfo": []}


@pytest.mark.parametrize("segment, tenant", [
    ("a%3Ab", "a:b"), ("a:b", "a:b"), ("a%20b", "a b"), ("%E2%82%AC", "\u20ac")])
def test_the_tenant_of_a_path_is_decoded(send, anywhere, segment, tenant):
    path = f"{IT1}/projects/{anywhere}/tenants/{segment}/accounts"
    made = send("POST", path, json={"localId": "u"}, headers=OWNER)
    assert made.status_code == 200, made.text
    [user] = send("POST", f"{path}:lookup", headers=OWNER,
                  json={"localId": ["u"], "tenantId": tenant}).json()["users"]
    assert user["tenantId"] == tenant


@pytest.mark.parametrize("verb, body", [
    ("", {"localId": "v"}), (":batchCreate", {"users": [{"localId": "v"}]})])
def test_an_empty_tenant_is_none(send, anywhere, verb, body):
    path = f"{IT1}/projects/{anywhere}"
    reply = send("POST", f"{path}/tenants//accounts{verb}", json=body, headers=OWNER)
    assert reply.status_code == 200, reply.text
    [user] = send("POST", f"{path}/accounts:lookup", json={"localId": ["v"]}, headers=OWNER).json()[
        "users"]
    assert "tenantId" not in user
    [user] = send("POST", f"{path}/tenants//accounts:query", json={}, headers=OWNER).json()[
        "userInfo"]
    assert user["localId"] == "v"


def test_projects_come_to_be_when_they_are_named(send, anywhere):
    """Each has accounts of its own."""
    for name in (anywhere, anywhere + "x"):
        assert send("GET", f"/emulator/v1/projects/{name}/oobCodes").json() == {"oobCodes": []}
        path = f"{IT1}/projects/{name}/accounts"
        assert send("POST", path, json={"localId": "u"}, headers=OWNER).status_code == 200
        counted = send("POST", f"{path}:query", json={"returnUserInfo": False}, headers=OWNER)
        assert counted.json() == {"recordsCount": "1"}


def test_what_admin_sdks_are_told(hearth):
    """Host and port, without a scheme."""
    assert f"export FIREBASE_AUTH_EMULATOR_HOST={hearth.host}" in hearth.lines
    assert re.fullmatch(r"[^/:]+:[0-9]+", hearth.host)


def test_nothing_is_written_to_disk(tmp_path):
    server = Server("--log-level", "error", cwd=str(tmp_path))
    server.accounts("signUp", {"email": "a@example.com", "password": "secret1"})
    assert list(tmp_path.iterdir()) == []
    server.stop()
    assert list(tmp_path.iterdir()) == []


# MARK: 1.2, the page at the root, the description

@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer x"}], ids=["nobody", "stranger"])
@pytest.mark.parametrize("query", ["", "?key=", "?a=b"])
def test_the_root(send, headers, query):
    reply = send("GET", "/" + query, headers=headers)
    assert reply.status_code == 200
    assert reply.headers["Content-Type"].startswith("application/json")
    assert list(reply.json()) == ["authEmulator"]
    about = reply.json()["authEmulator"]
    assert about.keys() == {"ready", "docs", "apiSpec"}
    assert about["ready"] is True and about["apiSpec"] == "/emulator/openapi.json"
    assert about["docs"].startswith("https://")


def test_the_head_of_the_root(send):
    reply = send("HEAD", "/")
    assert (reply.status_code, reply.content) == (200, b"")


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_other_methods_of_the_root(send, method):
    assert error(send(method, "/"), 404) == NOT_FOUND


@pytest.mark.parametrize("host", [None, "example.com:81"])
def test_the_description(send, hearth, host):
    reply = send("GET", "/emulator/openapi.json", headers={"Host": host} if host else {})
    assert reply.status_code == 200
    assert reply.headers["Content-Type"].startswith("application/json")
    document = reply.json()
    assert document["openapi"] == "3.0.3"
    base = document["servers"][0]["variables"]["EMULATOR"]["default"]
    assert base == f"http://{host or hearth.host}"


# MARK: 1.3, CORS

CALLS = {
    "200": ("GET", f"{IT1}/projects?key=any", {}, 200),
    "400": ("POST", f"{V1}signInWithPassword?key=any", {"json": {}}, 400),
    "400 type": ("POST", f"{V1}signUp", {"data": "x", "headers": {"Content-Type": "a/b"}}, 400),
    "400 parse": ("POST", f"{V1}signUp?key=any", {"data": "{", "headers": JSON_TYPE}, 400),
    "401": ("POST", f"{V1}signUp", {"json": {}, "headers": {"Authorization": "Bearer x"}}, 401),
    "403": ("POST", f"{V1}signUp", {"json": {}}, 403),
    "404": ("POST", "/nowhere", {}, 404),
    "405": ("GET", f"{V1}signUp?key=any", {}, 405),
    "501": ("POST", f"{V3}signOutUser", {"json": {}}, 501),
    "415 charset": ("POST", f"{V1}signUp?key=any", {
        "data": "{}", "headers": {"Content-Type": "application/json; charset=iso-8859-1"}}, 415),
    "415 encoding": ("POST", f"{V1}signUp?key=any", {
        "data": "{}", "headers": JSON_TYPE | {"Content-Encoding": "br"}}, 415),
    "303": ("GET", "/emulator/action?mode=signIn&oobCode=x&apiKey=k&continueUrl=http://a", {}, 303),
    "root": ("GET", "/", {}, 200), "HEAD": ("HEAD", "/", {}, 200),
    "DELETE": ("DELETE", "/emulator/v1/projects/demo-cors/accounts", {}, 200),
    "emulator": ("GET", "/emulator/v1/projects/demo-cors/config", {}, 200),
}
NEVER = {"Access-Control-Allow-Credentials", "Access-Control-Max-Age",
         "Access-Control-Expose-Headers"}


def call(send, name: str, **headers):
    method, path, options, status = CALLS[name]
    headers = options.get("headers", {}) | headers
    reply = send(method, path, **options | {"headers": headers})
    assert reply.status_code == status, reply.text
    assert not NEVER & {header.title() for header in reply.headers}
    return reply.headers


@pytest.mark.parametrize("origin", ["https://app.example.com", "null", "http://localhost:5000",
                                    "chrome-extension://abc", "HTTP://UPPER.example", "*"])
@pytest.mark.parametrize("name", CALLS)
def test_every_answer_is_for_every_origin(send, name, origin):
    """Verbatim, errors included."""
    headers = call(send, name, Origin=origin)
    assert headers["Access-Control-Allow-Origin"] == origin
    assert headers["Vary"] == "Origin"
    assert "Access-Control-Allow-Private-Network" not in headers


@pytest.mark.parametrize("value", ["true", "false"])
@pytest.mark.parametrize("name", CALLS)
def test_private_networks_are_allowed_where_they_are_asked_for(send, name, value):
    headers = call(send, name, Origin=ORIGIN, **{"Access-Control-Request-Private-Network": value})
    assert headers["access-control-allow-private-network"] == "true"


@pytest.mark.parametrize("path", [
    "/", "/nowhere", f"{V1}signUp", f"{V1}signUp?key=any", f"{V1}signUp/", f"{IT1}/projects",
    TOKEN, f"{V3}verifyPassword", f"{V3}nothing", "/emulator/v1/projects/p/oobCodes",
    "/emulator/action", "/emulator/auth/handler", f"{IT1}/accounts%3AsignUp", "//", "/%ff"])
@pytest.mark.parametrize(
    "wanted", ["content-type", "X-Client-Version, x-firebase-gmpid", "*", None],
    ids=["one", "two", "star", "none"])
def test_preflights(send, path, wanted):
    headers = {"Origin": ORIGIN, "Access-Control-Request-Method": "POST",
               "Authorization": "Bearer x"}
    if wanted:
        headers["Access-Control-Request-Headers"] = wanted
    reply = send("OPTIONS", path, headers=headers)
    assert (reply.status_code, reply.content) == (204, b"")
    assert reply.headers["Access-Control-Allow-Methods"] == "GET,HEAD,PUT,PATCH,POST,DELETE"
    assert reply.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert reply.headers["Vary"] == "Origin, Access-Control-Request-Headers"
    assert reply.headers.get("Access-Control-Allow-Headers") == wanted
    assert not NEVER & {header.title() for header in reply.headers}
    assert "Access-Control-Allow-Private-Network" not in reply.headers


@pytest.mark.parametrize("path", ["/", f"{V1}signUp", "/nowhere"])
def test_preflights_for_private_networks(send, path):
    reply = send("OPTIONS", path, headers={
        "Origin": ORIGIN, "Access-Control-Request-Private-Network": "true"})
    assert reply.status_code == 204
    assert reply.headers["access-control-allow-private-network"] == "true"


@pytest.mark.parametrize("path", ["/", f"{V1}signUp", "/nowhere"])
def test_options_without_an_origin(send, path):
    """And with a body that is no JSON, which nobody reads."""
    reply = send("OPTIONS", path, data="{", headers=JSON_TYPE)
    assert (reply.status_code, reply.content) == (204, b"")
    assert reply.headers["Access-Control-Allow-Methods"] == "GET,HEAD,PUT,PATCH,POST,DELETE"
    assert reply.headers["Vary"] == "Origin, Access-Control-Request-Headers"


def test_a_preflight_that_asks_for_no_headers(send):
    reply = send("OPTIONS", f"{V1}signUp", headers={
        "Origin": ORIGIN, "Access-Control-Request-Headers": ""})
    assert "Access-Control-Allow-Headers" not in reply.headers


# MARK: 1.4, who is calling

STRANGER = {"Authorization": "Bearer stranger"}


@pytest.mark.parametrize("row", each(API))
def test_without_a_credential(send, anywhere, row):
    reply = send(row.method, row.at(anywhere), **good_body(row))
    assert error(reply, 403) == MISSING_KEY


@pytest.mark.parametrize("key", ["", "any"], ids=["no key", "key"])
@pytest.mark.parametrize("row", each(row for row in API if row.auth == "O+K"))
def test_an_unknown_bearer(send, anywhere, row, key):
    """At once, with a good key too."""
    reply = send(row.method, row.at(anywhere), headers=STRANGER,
                 params={"key": key} if key else {}, **good_body(row))
    found = error(reply, 401)
    assert found["status"] == "UNAUTHENTICATED"
    assert found["message"].startswith("Request had invalid authentication credentials.")
    assert found["errors"] == [BAD_BEARER_ITEM]


@pytest.mark.parametrize("bearer", ["Bearer owner", "Bearer stranger", "Bearer ya29.x"])
@pytest.mark.parametrize("row", each(row for row in API if row.auth == "K"))
def test_where_only_a_key_counts(send, anywhere, row, bearer):
    """Nobody looks at the Bearer, good or bad."""
    headers = {"Authorization": bearer}
    reply = send(row.method, row.at(anywhere), headers=headers, **good_body(row))
    assert error(reply, 403) == MISSING_KEY
    reply = send(row.method, row.at(anywhere), headers=headers, params={"key": "any"},
                 **good_body(row))
    assert reply.status_code not in (401, 403)


@pytest.mark.parametrize("headers", [
    {}, STRANGER, OWNER, {"Authorization": "Basic x"}, {"x-goog-api-key": ""}],
    ids=["none", "stranger", "owner", "basic", "empty key"])
@pytest.mark.parametrize("row", each(row for row in ROWS if row.auth == "-"))
def test_where_no_credential_is_looked_at(send, anywhere, row, headers):
    expected = send(row.method, row.at(anywhere), **good_body(row))
    reply = send(row.method, row.at(anywhere), headers=headers, params={"key": ""},
                 **good_body(row))
    assert reply.status_code == expected.status_code
    assert reply.status_code not in (401, 403, 404, 405)


LOOKUP = {"localId": ["nobody"]}
AS_ADMIN = {"kind": "identitytoolkit#GetAccountInfoResponse"}
AS_USER = plain("MISSING_ID_TOKEN")


@pytest.mark.parametrize("header", [
    "Bearer owner", "bearer owner", "BEARER owner", "Bearer OWNER", "Bearer Owner", "bEaReR oWnEr",
    "Bearer ya29.", "Bearer ya29.some-token", "bearer ya29.x y", "BEARER ya29.YA29."])
@pytest.mark.parametrize("query", ["", "?key=any", "?key="], ids=["no key", "key", "empty key"])
def test_bearers_that_are_accepted(send, header, query):
    """As the administrator of the default project, whatever key is there."""
    reply = send("POST", f"{V1}lookup{query}", json=LOOKUP, headers={"Authorization": header})
    assert (reply.status_code, reply.json()) == (200, AS_ADMIN)


@pytest.mark.parametrize("header", [
    "Bearer  owner", "Bearer   owner", "bearer stranger", "Bearer YA29.x", "Bearer Ya29.x",
    "Bearer ya29", "Bearer ownerx", "Bearer owner x", "Bearer owne", "Bearer xya29.x",
    "Bearer eyJhbGciOiJub25lIn0.e30.", "Bearer \"owner\"", "Bearer  ya29.x", "Bearer owner,owner"])
@pytest.mark.parametrize("query", ["", "?key=any"], ids=["no key", "key"])
def test_bearers_that_are_refused(send, header, query):
    reply = send("POST", f"{V1}lookup{query}", json=LOOKUP, headers={"Authorization": header})
    assert error(reply, 401)["errors"] == [BAD_BEARER_ITEM]


@pytest.mark.parametrize("header", [
    "Basic owner", "Basic b3duZXI=", "owner", "ya29.token", "Bearer", "Bearer ", "bearer", "",
    "Bearer\towner", "Bearerowner", "Token owner", "Bearer:owner"])
def test_what_is_no_bearer_is_ignored(send, header):
    """Then the rules of keys decide."""
    headers = {"Authorization": header}
    reply = send("POST", f"{V1}lookup", json=LOOKUP, headers=headers)
    assert error(reply, 403) == MISSING_KEY
    reply = send("POST", f"{V1}lookup?key=any", json=LOOKUP, headers=headers)
    assert error(reply, 400) == AS_USER


@pytest.mark.parametrize("key", [
    "any", "0", "false", "null", "%20", "%26", "a+b", "AIzaSyx", "%E2%82%AC", "a%3Db"])
@pytest.mark.parametrize("place", ["query", "header"])
def test_every_key_is_good(send, key, place):
    if place == "header":
        if "%" in key:
            return
        reply = send("POST", f"{V1}lookup", json=LOOKUP, headers={"x-goog-api-key": key})
    else:
        reply = send("POST", f"{V1}lookup?key={key}", json=LOOKUP)
    assert error(reply, 400) == AS_USER


@pytest.mark.parametrize("query", [
    "", "?", "?key", "?key=", "?key=a&key=b", "?key=a&key=a", "?key=&key=a", "?Key=a", "?apiKey=a",
    "?api_key=a", "?x-goog-api-key=a", "?kez=a"])
def test_keys_that_are_none(send, query):
    assert error(send("POST", f"{V1}lookup{query}", json=LOOKUP), 403) == MISSING_KEY
    assert error(send("POST", f"{TOKEN}{query}", json={}), 403) == MISSING_KEY


@pytest.mark.parametrize("name", ["x-goog-api-key", "X-Goog-Api-Key", "X-GOOG-API-KEY"])
@pytest.mark.parametrize("path, body, message", [
    (f"{V1}lookup", {}, "MISSING_ID_TOKEN"), (TOKEN, {}, "MISSING_GRANT_TYPE")])
def test_a_key_in_a_header(send, name, path, body, message):
    assert error(send("POST", path, json=body, headers={name: "any"}), 400) == plain(message)
    assert error(send("POST", path, json=body, headers={name: ""}), 403) == MISSING_KEY


@pytest.mark.parametrize("query", cases(
    {"empty": "?key=", "twice": "?key=a&key=b"}))
def test_a_key_in_a_header_beside_a_bad_one(send, query):
    """Either place will do."""
    reply = send("POST", f"{V1}lookup{query}", json=LOOKUP, headers={"x-goog-api-key": "any"})
    assert error(reply, 400) == AS_USER


@pytest.mark.parametrize("query, headers", [
    ("?key=any", {}), ("", {"x-goog-api-key": "any"}), ("", OWNER),
    ("", {"Authorization": "Bearer ya29.x"})], ids=["query", "header", "owner", "service account"])
def test_credentials_lead_to_the_default_project(send, hearth, query, headers):
    email = f"{uuid.uuid4().hex}@example.com"
    made = send("POST", f"{V1}signUp{query}", headers=headers,
                json={"email": email, "password": "secret1"})
    assert made.status_code == 200
    [user] = hearth.admin("/accounts:lookup", {"email": [email]})["users"]
    assert user["localId"] == made.json()["localId"]
    # Privileged answers have no tokens.
    assert ("idToken" in made.json()) == ("Authorization" not in headers)


def test_a_bearer_counts_more_than_a_key(send, hearth):
    """An administrator's field is taken."""
    uid = uuid.uuid4().hex
    reply = send("POST", f"{V1}signUp?key=any", headers=OWNER, json={"localId": uid})
    assert reply.json() == {"kind": "identitytoolkit#SignupNewUserResponse", "localId": uid}
    assert hearth.admin("/accounts:lookup", {"localId": [uid]})["users"]


# MARK: 1.6, the form of answers

KINDS = {
    "semantic": ("POST", f"{V1}signInWithPassword?key=any", {"json": {}}, plain("MISSING_EMAIL")),
    "with a detail": (
        "POST", f"{V1}signUp?key=any",
        {"json": {"email": "a-weak-one@example.com", "password": "short"}},
        plain("WEAK_PASSWORD : Password should be at least 6 characters")),
    "schema": ("POST", f"{V1}signUp?key=any", {"json": {"email": True}},
               of_schema(f"{SCHEMA}/email must be string")),
    "parameter": ("GET", f"{IT1}/projects?key=any&alt=xml", {},
                  of_schema(f"{SCHEMA} must be equal to one of the allowed values")),
    "content type": (
        "POST", f"{V1}signUp?key=any", {"data": "{}", "headers": {"Content-Type": "text/plain"}},
        {"code": 400, "message": "Invalid content-type: text/plain", "errors": [
            {"message": "Invalid content-type: text/plain", "reason": "unknown"}]}),
    "no key": ("POST", f"{V1}signUp", {"json": {}}, MISSING_KEY),
    "no path": ("POST", "/nowhere", {"json": {}}, NOT_FOUND),
    "hint": (
        "POST", f"{V1}sendOobCode?key=any",
        {"json": {"requestType": "EMAIL_SIGNIN", "email": "a@b", "continueUrl": "x"}},
        plain("INVALID_CONTINUE_URI : ((expected an absolute URI with valid scheme and host))")),
}


@pytest.mark.parametrize("name", KINDS)
def test_kinds_of_errors(send, name):
    method, path, options, expected = KINDS[name]
    assert error(send(method, path, **options), expected["code"]) == expected


@pytest.mark.parametrize("path, body, message", [
    (f"{V3}signOutUser", {}, None),
    (f"{V1}signInWithPassword", {
        "email": "a@b", "password": "secret1", "captchaResponse": "x"}, None),
    (f"{V1}sendOobCode", {"requestType": "RECOVER_EMAIL"}, "RECOVER_EMAIL")])
def test_what_is_not_implemented(send, path, body, message):
    found = error(send("POST", f"{path}?key=any", json=body), 501)
    assert found.keys() == {"code", "message", "errors", "status"}
    assert found["status"] == "NOT_IMPLEMENTED"
    assert found["errors"] == [{"message": found["message"], "reason": "unimplemented"}]
    assert message in (None, found["message"])


@pytest.mark.parametrize("body", [
    "{", "[", "nonsense", "{'a': 1}", '{"a": 1,}', '{"a": 1} x', "{a: 1}", '{"a": NaN}',
    '{"a": undefined}', '{"a": 01}', '{"a": "\n"}'], ids=lambda body: repr(body).strip("'"))
@pytest.mark.parametrize("path", [f"{V1}signUp", TOKEN, f"{V3}signupNewUser"],
                         ids=["signUp", "token", "signupNewUser"])
def test_what_is_no_json(send, path, body):
    found = error(send("POST", f"{path}?key=any", data=body, headers=JSON_TYPE), 400)
    message = found["message"]
    assert message.startswith(SCHEMA) and len(message) > len(SCHEMA)
    assert found["status"] == "INVALID_ARGUMENT"
    assert found["errors"] == [{"message": message, "domain": "global", "reason": "parseError"}]


@pytest.mark.parametrize("method, path, options", [
    ("POST", f"{V1}signUp?key=any", {"json": {}}), ("GET", f"{IT1}/projects?key=any", {}),
    ("POST", f"{V1}lookup", {"json": LOOKUP, "headers": OWNER}),
    ("GET", f"{IT2}/projects/demo-form/config", {"headers": OWNER}),
    ("DELETE", "/emulator/v1/projects/demo-form/accounts", {}),
    ("GET", "/emulator/v1/projects/demo-form/config", {})])
def test_answers_are_compact(send, method, path, options):
    reply = send(method, path, **options)
    assert reply.status_code == 200
    assert reply.headers["Content-Type"] == "application/json"
    assert reply.text == json.dumps(reply.json(), separators=(",", ":"), ensure_ascii=False)
    assert "null" not in reply.text


def test_errors_are_pretty(send):
    reply = send("POST", f"{V1}signInWithPassword?key=any", json={})
    assert reply.text.rstrip("\n") == json.dumps(reply.json(), indent=2)
    assert list(reply.json()["error"]) == ["code", "message", "errors"]
    reply = send("POST", f"{V1}signUp", json={})
    assert list(reply.json()["error"]) == ["code", "message", "errors", "status"]


@pytest.mark.parametrize("charset", ["iso-8859-1", "ISO-8859-1", "latin1", "windows-1252", "nope"])
def test_charsets_that_nobody_reads(send, charset):
    reply = send("POST", f"{V1}signUp?key=any", data="{}", headers={
        "Content-Type": f"application/json; charset={charset}"})
    assert reply.status_code == 415 and reply.json()


@pytest.mark.parametrize("encoding", ["br", "zstd", "compress", "nope"])
def test_encodings_that_nobody_reads(send, encoding):
    reply = send("POST", f"{V1}signUp?key=any", data="{}", headers=JSON_TYPE | {
        "Content-Encoding": encoding})
    assert reply.status_code == 415 and reply.json()


@pytest.mark.parametrize("length", [(64 << 20) + 1, (1 << 30) + 1], ids=["64 MiB", "1 GiB"])
def test_a_body_beyond_the_limit(hearth, length):
    """Refused by its length, before it is sent. Our limit is lower than the official one."""
    answer = raw(hearth, f"POST {V1}signUp?key=any HTTP/1.1\nHost: {hearth.host}\n"
                 f"Content-Type: application/json\nContent-Length: {length}\n\n")
    assert answer.startswith(b"HTTP/1.1 413 ")


# MARK: 1.7, which check comes first

METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]


def allowed(path: str) -> set[str]:
    methods = {row.method for row in ROWS if row.path == path}
    # The form of the action page and the search of users are ours.
    ours = {"/emulator/action": {"POST"}, f"{CONTROL}/accounts": {"GET"}}
    return methods | ours.get(path, set())


@pytest.mark.parametrize("row", each(PATHS.values()))
def test_wrong_methods(send, anywhere, row):
    """Neither content type nor credential is looked at."""
    path = row.at(anywhere)
    for method in METHODS:
        if method in allowed(row.path):
            continue
        target = f"{path}?a=b%20c&alt=x"
        reply = send(method, target, data="{", headers=STRANGER | {"Content-Type": "a/b"})
        assert reply.status_code == 405, f"{method} {reply.text}"
        assert set(reply.headers["Allow"].split(",")) == allowed(row.path)
        assert " " not in reply.headers["Allow"]
        assert reply.headers["Content-Type"].startswith("application/json")
        if method != "HEAD":
            assert reply.json()["message"] == f"Method {method} not allowed for {target}"


@pytest.mark.parametrize("path, methods", [
    (f"{V1}signUp", "POST"), (f"{IT1}/projects", "GET"), (f"{IT2}/projects/p/config", "GET,PATCH"),
    ("/emulator/v1/projects/p/config", "GET,PATCH"),
    ("/emulator/v1/projects/p/accounts", "DELETE,GET")])
def test_the_methods_of_a_path(send, path, methods):
    reply = send("PUT", path, headers={"Origin": ORIGIN})
    assert (reply.status_code, reply.headers["Allow"]) == (405, methods)
    assert reply.json()["message"] == f"Method PUT not allowed for {path}"


def test_the_type_of_a_405(send):
    assert send("PUT", f"{V1}signUp").headers["Content-Type"] == "application/json"


BAD_TYPE = "Invalid content-type: text/plain"
PIPELINE = {
    # name: (what spoils the request, status, a word of the message)
    "404": ({"path": "/nowhere"}, 404, "Not Found"),
    "405": ({"method": "PUT"}, 405, None),
    "type": ({"type": "text/plain"}, 400, BAD_TYPE),
    "credential": ({"headers": STRANGER}, 401, "Request had invalid"),
    "parameter": ({"query": "&alt=x"}, 400, f"{SCHEMA} must be equal to one of"),
    "parse": ({"body": "{"}, 400, SCHEMA),
    "schema": ({"fields": {"email": []}}, 400, f"{SCHEMA}/email must be string"),
    "project": ({"fields": {"targetProjectId": PROJECT}}, 400, INSUFFICIENT),
    "tenant": ({"fields": {"tenantId": "t2"}}, 400, "TENANT_ID_MISMATCH"),
    "operation": ({"fields": {"password": ""}}, 400, "MISSING_PASSWORD"),
}


def token_of_tenant(tenant: str) -> str:
    return unsigned({"user_id": "u", "firebase": {"tenant": tenant}})


def spoiled(send, *names: str) -> requests.Response:
    """A request with these faults; it is in tenant t1 by its token."""
    merged = {"method": "POST", "path": f"{V1}signUp", "type": "application/json", "query": "",
              "headers": {}, "body": None, "fields": {}}
    for name in names:
        for part, value in PIPELINE[name][0].items():
            merged[part] = merged[part] | value if isinstance(value, dict) else value
    fields = {"email": "a@b.example", "password": "secret1", "idToken": token_of_tenant("t1"),
              **merged["fields"]}
    if "operation" not in names and "tenant" not in names:
        del fields["idToken"]
    return send(merged["method"], f"{merged['path']}?key=any{merged['query']}",
                data=merged["body"] or json.dumps(fields),
                headers={"Content-Type": merged["type"]} | merged["headers"])


ORDER = list(PIPELINE)


@pytest.mark.parametrize("first, second", [
    (first, second) for index, first in enumerate(ORDER) for second in ORDER[index + 1:]
    if {first, second} != {"parse", "operation"}])
def test_the_earlier_check_tells(send, first, second):
    reply = spoiled(send, first, second)
    _, status, message = PIPELINE[first]
    assert reply.status_code == status, reply.text
    if message is not None:
        assert error(reply, status)["message"].startswith(message)


@pytest.mark.parametrize("headers", [{}, STRANGER], ids=["nobody", "stranger"])
def test_the_type_is_looked_at_before_the_caller(send, headers):
    reply = send("POST", f"{V1}signUp", data="x", headers=headers | {"Content-Type": "text/plain"})
    assert error(reply, 400)["message"] == BAD_TYPE


def test_parameters_are_looked_at_after_the_caller(send):
    assert error(send("GET", f"{IT1}/projects?alt=x"), 403) == MISSING_KEY


def test_one_violation_is_told(send):
    found = error(send("POST", f"{V1}signUp?key=any", json={
        "email": [], "password": [], "displayName": {}}), 400)
    assert len(found["errors"]) == 1
    assert re.fullmatch(r"/\w+ must be string", found["message"].removeprefix(SCHEMA))
