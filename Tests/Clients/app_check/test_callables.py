"""What callable functions get as their `app`, by the code of firebase-functions itself.

Callable functions are called without Hearth, and read the token by themselves. No package of the
Python index has the library: where a copy of the repository firebase-functions is in
.build/firebase-functions, or in the folder that HEARTH_FIREBASE_FUNCTIONS names, it is used.
"""

import json
import os
import pathlib
import shutil
import subprocess

import pytest
import requests
from support.auth.app_check import APP, PLACEHOLDER
from support.server import ROOT

PROGRAM = pathlib.Path(__file__).with_name("callable.mjs")
# What it imports. The Admin SDK is not asked in the mode of the functions emulator.
STAND_INS = {
    "cors": "module.exports = () => (_request, _response, next) => next();",
    "express": "",
    "firebase-admin/app": "exports.getApp = () => null;",
    "firebase-admin/app-check": "",
    "firebase-admin/auth": "",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> pathlib.Path:
    given = os.environ.get("HEARTH_FIREBASE_FUNCTIONS")
    sources = pathlib.Path(given or ROOT / ".build" / "firebase-functions") / "src"
    if not sources.is_dir():
        pytest.skip("there is no copy of firebase-functions")
    if not shutil.which("esbuild") or not shutil.which("node"):
        pytest.skip("esbuild or node is not installed")
    folder = tmp_path_factory.mktemp("functions")
    shutil.copytree(sources, folder / "src")
    for name, text in STAND_INS.items():
        path = folder / "node_modules" / f"{name}.js"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    entry = 'export { onCallHandler } from "./src/common/providers/https";'
    (folder / "entry.ts").write_text(entry)
    command = ["esbuild", "entry.ts", "--bundle", "--platform=node", "--outfile=library.cjs"]
    made = subprocess.run(
        [*command, "--log-level=error"], cwd=folder, capture_output=True, text=True, timeout=120
    )
    assert made.returncode == 0, made.stderr
    return folder / "library.cjs"


@pytest.fixture(scope="module")
def function(library):
    environment = os.environ | {
        "FIREBASE_DEBUG_MODE": "true",
        "FIREBASE_DEBUG_FEATURES": json.dumps({"skipTokenVerification": True}),
    }
    process = subprocess.Popen(
        ["node", str(PROGRAM), str(library)], stdout=subprocess.PIPE, text=True, env=environment
    )
    port = process.stdout.readline().strip()
    assert port, "the function did not start"
    yield f"http://127.0.0.1:{port}/"
    process.terminate()
    process.wait(30)
    process.stdout.close()


def call(function: str, token: str | None) -> requests.Response:
    headers = {} if token is None else {"X-Firebase-AppCheck": token}
    return requests.post(function, json={"data": None}, headers=headers, timeout=30)


@pytest.mark.parametrize("limited_use", [False, True])
def test_a_function_sees_the_app(app_check, function, limited_use):
    reply = call(function, app_check.token(limited_use=limited_use))
    assert reply.status_code == 200, reply.text
    app = reply.json()["result"]
    assert app["appId"] == app["token"]["app_id"] == app["token"]["sub"] == APP
    assert f"projects/{app_check.project}" in app["token"]["aud"]
    assert ("jti" in app["token"]) == limited_use
    # The emulator consumes no token.
    assert app["alreadyConsumed"] is False


def test_a_function_refuses_a_call_without_an_app(function):
    reply = call(function, None)
    assert (reply.status_code, reply.json()["error"]["status"]) == (401, "UNAUTHENTICATED")


def test_a_placeholder_has_no_app(function):
    """The mode of the functions emulator takes it: it has no signature that would be looked at."""
    reply = call(function, PLACEHOLDER)
    assert reply.json()["result"]["appId"] is None
