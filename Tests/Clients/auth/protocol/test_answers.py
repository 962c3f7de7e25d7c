"""The form of answers and errors."""

import json
import socket

import pytest
from support.auth.routes import (  # noqa: F401
    IT1,
    IT2,
    MISSING_KEY,
    NOT_FOUND,
    error,
    hearth,
    http,
    of_schema,
    plain,
    send,
)
from support.steering import guard  # noqa: F401
from support.wire import TOKEN, V1, V3

SCHEMA = "Invalid JSON payload received. "
OWNER = {"Authorization": "Bearer owner"}
JSON_TYPE = {"Content-Type": "application/json"}


# MARK: The table


def raw(hearth, text: str, timeout: float = 30) -> bytes:
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


# MARK: Who is calling

LOOKUP = {"localId": ["nobody"]}


# MARK: The form of answers

KINDS = {
    "semantic": ("POST", f"{V1}signInWithPassword?key=any", {"json": {}}, plain("MISSING_EMAIL")),
    "with a detail": (
        "POST",
        f"{V1}signUp?key=any",
        {"json": {"email": "a-weak-one@example.com", "password": "short"}},
        plain("WEAK_PASSWORD : Password should be at least 6 characters"),
    ),
    "schema": (
        "POST",
        f"{V1}signUp?key=any",
        {"json": {"email": True}},
        of_schema(f"{SCHEMA}/email must be string"),
    ),
    "parameter": (
        "GET",
        f"{IT1}/projects?key=any&alt=xml",
        {},
        of_schema(f"{SCHEMA} must be equal to one of the allowed values"),
    ),
    "content type": (
        "POST",
        f"{V1}signUp?key=any",
        {"data": "{}", "headers": {"Content-Type": "text/plain"}},
        {
            "code": 400,
            "message": "Invalid content-type: text/plain",
            "errors": [{"message": "Invalid content-type: text/plain", "reason": "unknown"}],
        },
    ),
    "no key": ("POST", f"{V1}signUp", {"json": {}}, MISSING_KEY),
    "no path": ("POST", "/nowhere", {"json": {}}, NOT_FOUND),
    "hint": (
        "POST",
        f"{V1}sendOobCode?key=any",
        {"json": {"requestType": "EMAIL_SIGNIN", "email": "a@b", "continueUrl": "x"}},
        plain("INVALID_CONTINUE_URI : ((expected an absolute URI with valid scheme and host))"),
    ),
}


@pytest.mark.parametrize("name", KINDS)
def test_kinds_of_errors(send, name):
    method, path, options, expected = KINDS[name]
    assert error(send(method, path, **options), expected["code"]) == expected


@pytest.mark.parametrize(
    "path, body, message",
    [
        (f"{V3}signOutUser", {}, None),
        (
            f"{V1}signInWithPassword",
            {"email": "a@b", "password": "secret1", "pendingIdToken": "x"},
            None,
        ),
        (f"{V1}sendOobCode", {"requestType": "RECOVER_EMAIL"}, "RECOVER_EMAIL"),
    ],
)
def test_what_is_not_implemented(send, path, body, message):
    found = error(send("POST", f"{path}?key=any", json=body), 501)
    assert found.keys() == {"code", "message", "errors", "status"}
    assert found["status"] == "NOT_IMPLEMENTED"
    assert found["errors"] == [{"message": found["message"], "reason": "unimplemented"}]
    assert message in (None, found["message"])


@pytest.mark.parametrize(
    "body",
    [
        "{",
        "[",
        "nonsense",
        "{'a': 1}",
        '{"a": 1,}',
        '{"a": 1} x',
        "{a: 1}",
        '{"a": NaN}',
        '{"a": undefined}',
        '{"a": 01}',
        '{"a": "\n"}',
    ],
    ids=lambda body: repr(body).strip("'"),
)
@pytest.mark.parametrize(
    "path", [f"{V1}signUp", TOKEN, f"{V3}signupNewUser"], ids=["signUp", "token", "signupNewUser"]
)
def test_invalid_json(send, path, body):
    found = error(send("POST", f"{path}?key=any", data=body, headers=JSON_TYPE), 400)
    message = found["message"]
    assert message.startswith(SCHEMA) and len(message) > len(SCHEMA)
    assert found["status"] == "INVALID_ARGUMENT"
    assert found["errors"] == [{"message": message, "domain": "global", "reason": "parseError"}]


@pytest.mark.parametrize(
    "method, path, options",
    [
        ("POST", f"{V1}signUp?key=any", {"json": {}}),
        ("GET", f"{IT1}/projects?key=any", {}),
        ("POST", f"{V1}lookup", {"json": LOOKUP, "headers": OWNER}),
        ("GET", f"{IT2}/projects/demo-form/config", {"headers": OWNER}),
        ("DELETE", "/emulator/v1/projects/demo-form/accounts", {}),
        ("GET", "/emulator/v1/projects/demo-form/config", {}),
    ],
)
def test_answers_are_compact(send, method, path, options):
    reply = send(method, path, **options)
    assert reply.status_code == 200
    assert reply.headers["Content-Type"] == "application/json"
    assert reply.text == json.dumps(reply.json(), separators=(",", ":"), ensure_ascii=False)
    # Tokens are random, and have no colon.
    assert ":null" not in reply.text


def test_errors_are_pretty(send):
    reply = send("POST", f"{V1}signInWithPassword?key=any", json={})
    assert reply.text.rstrip("\n") == json.dumps(reply.json(), indent=2)
    assert list(reply.json()["error"]) == ["code", "message", "errors"]
    reply = send("POST", f"{V1}signUp", json={})
    assert list(reply.json()["error"]) == ["code", "message", "errors", "status"]


@pytest.mark.parametrize("charset", ["iso-8859-1", "ISO-8859-1", "latin1", "windows-1252", "nope"])
def test_unknown_charsets_are_ignored(send, charset):
    reply = send(
        "POST",
        f"{V1}signUp?key=any",
        data="{}",
        headers={"Content-Type": f"application/json; charset={charset}"},
    )
    assert reply.status_code == 415 and reply.json()


@pytest.mark.parametrize("encoding", ["br", "zstd", "compress", "nope"])
def test_unknown_encodings_are_ignored(send, encoding):
    reply = send(
        "POST", f"{V1}signUp?key=any", data="{}", headers=JSON_TYPE | {"Content-Encoding": encoding}
    )
    assert reply.status_code == 415 and reply.json()


@pytest.mark.parametrize("length", [(64 << 20) + 1, (1 << 30) + 1], ids=["64 MiB", "1 GiB"])
def test_a_body_beyond_the_limit(hearth, length):
    """Refused by its length, before it is sent. Our limit is lower than the official one."""
    answer = raw(
        hearth,
        f"POST {V1}signUp?key=any HTTP/1.1\nHost: {hearth.host}\n"
        f"Content-Type: application/json\nContent-Length: {length}\n\n",
    )
    assert answer.startswith(b"HTTP/1.1 413 ")
