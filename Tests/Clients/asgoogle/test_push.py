"""Push messages of back ends in Go and Node.js, and of web apps, as they run in production."""

import os
import pathlib
import subprocess

import pytest
from support.as_google import PROGRAMS, built_go, needs
from support.server import ROOT

REFUSALS = [
    ["404", "UNREGISTERED"],
    ["403", "SENDER_ID_MISMATCH"],
    ["429", "QUOTA_EXCEEDED"],
    ["401", "THIRD_PARTY_AUTH_ERROR"],
    ["400", "INVALID_ARGUMENT"],
]


def lines(done: subprocess.CompletedProcess) -> list[list[str]]:
    return [line.split() for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def go_program(tmp_path_factory) -> str:
    return built_go("push.go", "google.golang.org/api/fcm", tmp_path_factory.mktemp("go"))


modes = pytest.mark.parametrize(
    "flags", [(), ("--as-google-mode", "proxy")], ids=["namespace", "proxy"]
)


@modes
def test_go(as_google, go_program, flags):
    found = lines(as_google.run(go_program, flags=flags))
    assert found == [
        ["sent", "true"],
        *(["refused", *refusal] for refusal in REFUSALS),
        ["failures", "0"],
        ["subscribed", "1", "0"],
    ]


def test_many_streams_on_one_connection(as_google):
    """Five thousand messages, five hundred at a time."""
    done = as_google.run(needs("node"), str(PROGRAMS / "streams.mjs"), "10", "500")
    assert lines(done) == [["sent", "5000"]], done.stdout[-2000:]


@pytest.fixture(scope="session")
def node_modules() -> pathlib.Path:
    """A folder with firebase-admin: HEARTH_NODE_ADMIN, or what npm puts into .build."""
    given = os.environ.get("HEARTH_NODE_ADMIN")
    folder = pathlib.Path(given) if given else ROOT / ".build/node-admin"
    if not (folder / "node_modules/firebase-admin/package.json").exists():
        folder.mkdir(parents=True, exist_ok=True)
        command = [needs("npm"), "install", "--prefix", str(folder), "--no-audit", "--no-fund"]
        command += ["--ignore-scripts", "--fetch-retries=0", "firebase-admin@13.6.0"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=240)
        except subprocess.TimeoutExpired:
            pytest.skip("firebase-admin for Node.js takes too long to download")
        if done.returncode != 0:
            pytest.skip(f"firebase-admin for Node.js cannot be downloaded: {done.stderr[-400:]}")
    return folder


def test_the_admin_sdk_for_node(as_google, node_modules):
    done = as_google.run(needs("node"), str(PROGRAMS / "messages.mjs"), str(node_modules))
    assert lines(done) == [
        ["name", "projects"],
        ["code", "messaging/registration-token-not-registered"],
        ["code", "messaging/mismatched-credential"],
        ["code", "messaging/message-rate-exceeded"],
        ["code", "messaging/third-party-auth-error"],
        ["many", "499", "1", "messaging/registration-token-not-registered"],
        ["multicast", "1", "1"],
        ["subscribed", "1", "1"],
        ["reached", "1"],
        ["legacy", "20"],
    ], done.stdout + done.stderr


@modes
def test_a_web_app_gets_a_message(as_google, flags):
    """The SDK's files are on no package index for Python: they are where the variable says."""
    folder = os.environ.get("HEARTH_JS_MESSAGING")
    if not folder:
        pytest.skip("there is no copy of the messaging SDK for the web")
    needs("chromedriver")
    assert as_google.python("web_push.py", folder, flags=flags)["done"]
