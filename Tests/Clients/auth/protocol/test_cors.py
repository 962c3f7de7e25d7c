"""CORS: every answer is for every origin, and preflights."""

import pytest
from support.auth.routes import IT1, hearth, http, send  # noqa: F401
from support.steering import guard  # noqa: F401
from support.wire import TOKEN, V1, V3

JSON_TYPE = {"Content-Type": "application/json"}
ORIGIN = "https://app.example.com"


# MARK: CORS

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
    "415 charset": (
        "POST",
        f"{V1}signUp?key=any",
        {"data": "{}", "headers": {"Content-Type": "application/json; charset=iso-8859-1"}},
        415,
    ),
    "415 encoding": (
        "POST",
        f"{V1}signUp?key=any",
        {"data": "{}", "headers": JSON_TYPE | {"Content-Encoding": "br"}},
        415,
    ),
    "303": ("GET", "/emulator/action?mode=signIn&oobCode=x&apiKey=k&continueUrl=http://a", {}, 303),
    "root": ("GET", "/", {}, 200),
    "HEAD": ("HEAD", "/", {}, 200),
    "DELETE": ("DELETE", "/emulator/v1/projects/demo-cors/accounts", {}, 200),
    "emulator": ("GET", "/emulator/v1/projects/demo-cors/config", {}, 200),
}
NEVER = {
    "Access-Control-Allow-Credentials",
    "Access-Control-Max-Age",
    "Access-Control-Expose-Headers",
}


def call(send, name: str, **headers):
    method, path, options, status = CALLS[name]
    headers = options.get("headers", {}) | headers
    reply = send(method, path, **options | {"headers": headers})
    assert reply.status_code == status, reply.text
    assert not NEVER & {header.title() for header in reply.headers}
    return reply.headers


@pytest.mark.parametrize(
    "origin",
    [
        "https://app.example.com",
        "null",
        "http://localhost:5000",
        "chrome-extension://abc",
        "HTTP://UPPER.example",
        "*",
    ],
)
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


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/nowhere",
        f"{V1}signUp",
        f"{V1}signUp?key=any",
        f"{V1}signUp/",
        f"{IT1}/projects",
        TOKEN,
        f"{V3}verifyPassword",
        f"{V3}nothing",
        "/emulator/v1/projects/p/oobCodes",
        "/emulator/action",
        "/emulator/auth/handler",
        f"{IT1}/accounts%3AsignUp",
        "//",
        "/%ff",
    ],
)
@pytest.mark.parametrize(
    "wanted",
    ["content-type", "X-Client-Version, x-firebase-gmpid", "*", None],
    ids=["one", "two", "star", "none"],
)
def test_preflights(send, path, wanted):
    headers = {
        "Origin": ORIGIN,
        "Access-Control-Request-Method": "POST",
        "Authorization": "Bearer x",
    }
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
    reply = send(
        "OPTIONS",
        path,
        headers={"Origin": ORIGIN, "Access-Control-Request-Private-Network": "true"},
    )
    assert reply.status_code == 204
    assert reply.headers["access-control-allow-private-network"] == "true"


@pytest.mark.parametrize("path", ["/", f"{V1}signUp", "/nowhere"])
def test_options_without_an_origin(send, path):
    """Also with a body that is not JSON, which is not read."""
    reply = send("OPTIONS", path, data="{", headers=JSON_TYPE)
    assert (reply.status_code, reply.content) == (204, b"")
    assert reply.headers["Access-Control-Allow-Methods"] == "GET,HEAD,PUT,PATCH,POST,DELETE"
    assert reply.headers["Vary"] == "Origin, Access-Control-Request-Headers"


def test_a_preflight_that_asks_for_no_headers(send):
    reply = send(
        "OPTIONS", f"{V1}signUp", headers={"Origin": ORIGIN, "Access-Control-Request-Headers": ""}
    )
    assert "Access-Control-Allow-Headers" not in reply.headers
