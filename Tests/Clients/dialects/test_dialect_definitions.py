"""Mistakes in dialect definitions."""

import copy
import json
import socket
import subprocess

import pytest
import requests
from support.dialects import DIALECTS, definition
from support.server import Server, binary
from support.steering import guard  # noqa: F401

# MARK: Mistakes in definitions


def start(*flags: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [binary(), "--auth-port", "0", "--firestore-port", "0", "--console-port", "0", *flags],
        capture_output=True,
        text=True,
        timeout=30,
    )


def edited(pointer: str, value) -> dict:
    """SwiftlyFeedback's definition with one member set, or taken away where the value is None."""
    shape = copy.deepcopy(definition("swiftly-feedback"))
    *path, last = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    place = shape
    for part in path:
        place = place[int(part) if isinstance(place, list) else part]
    if isinstance(place, list):
        last = int(last)
    if value is None:
        del place[last]
    else:
        place[last] = value
    return shape


@pytest.mark.parametrize(
    "pointer, value",
    [
        ("/name", None),
        ("/name", "Big Name"),
        ("/title", 5),
        ("/colour", "red"),
        ("/a~1b~0c", 1),
        ("/serve", None),
        ("/serve/prefix", "api"),
        ("/serve/port", 70_000),
        ("/token/kind", "letters"),
        ("/token/length", 3),
        ("/token/lifetime", "1 hour"),
        ("/token/attempts", 0),
        ("/password/minLength", "8"),
        ("/sessions/lifetime", None),
        ("/messages/code/subject", None),
        ("/messages/code/text", "{link}"),
        ("/replies/notFound", None),
        ("/replies/notFound/status", 99),
        ("/shapes/error/reason", "{oops}"),
        ("/endpoints", []),
        ("/endpoints/0/does", "guess"),
        ("/endpoints/0/path", "forgot"),
        ("/endpoints/0/sends", "letter"),
        ("/endpoints/1/fields/newPassword", None),
        ("/endpoints/2/replies/maybe", {}),
    ],
)
def test_a_mistake_is_reported_at_the_start(tmp_path, pointer, value):
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(edited(pointer, value)))
    done = start("--dialect", str(path))
    assert done.returncode != 0
    assert f"{path}: {pointer}: " in done.stderr, done.stderr
    assert "All emulators ready" not in done.stdout


@pytest.mark.parametrize(
    "text, words",
    [
        ("{", "is not JSON"),
        ("", "is not JSON"),
        ("[]", "must be an object"),
        ('{"name": "a", "name": "b"}', "/name: occurs twice"),
    ],
)
def test_a_file_that_is_not_a_definition(tmp_path, text, words):
    path = tmp_path / "wrong.json"
    path.write_text(text)
    done = start("--dialect", str(path))
    assert done.returncode != 0 and str(path) in done.stderr and words in done.stderr


def test_a_missing_file(tmp_path):
    done = start("--dialect", str(tmp_path / "none.json"))
    assert done.returncode != 0 and str(tmp_path / "none.json") in done.stderr


def test_two_definitions_of_one_name_and_of_one_place(tmp_path):
    good = DIALECTS / "swiftly-feedback.json"
    for change, pointer in [
        ({"serve": {"prefix": "/other"}}, "/name"),
        ({"name": "other"}, "/serve"),
    ]:
        path = tmp_path / "second.json"
        path.write_text(json.dumps(definition("swiftly-feedback") | change))
        done = start("--dialect", str(good), "--dialect", str(path))
        assert done.returncode != 0 and f"{path}: {pointer}: " in done.stderr, done.stderr


def test_a_definition_whose_name_has_a_comma(tmp_path):
    path = tmp_path / "one, two.json"
    path.write_text((DIALECTS / "swiftly-feedback.json").read_text())
    other = str(DIALECTS / "jabrutouch.json")
    server = Server("--dialect", str(path), "--dialect", other)
    for place in ("/api/v1/auth/forgot-password", "/api/reset_password/"):
        reply = requests.post(server.auth + place, json={"email": "a@example.com"}, timeout=30)
        assert reply.status_code == 200, reply.text
    server.stop()


def test_definitions_that_a_variable_names(monkeypatch, tmp_path):
    """A comma separates two definitions there."""
    missing = tmp_path / "none.json"
    monkeypatch.setenv("HEARTH_DIALECT", f"{DIALECTS / 'swiftly-feedback.json'},{missing}")
    done = start()
    assert done.returncode != 0 and f"cannot read the dialect {missing}" in done.stderr


def test_a_port_that_is_taken(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        path = tmp_path / "artitec.json"
        path.write_text(
            json.dumps(
                definition("artitec")
                | {"serve": {"port": other.getsockname()[1], "prefix": "/v1/auth"}}
            )
        )
        done = start("--dialect", str(path))
    assert done.returncode != 0
    assert "is already in use" in done.stderr and "serve" in done.stderr
