"""`hearth exec --app-check` says at its end what production would refuse."""

import subprocess
import sys

import pytest
from support.server import binary

CALL = """
import os, sys, requests
host = os.environ["FIREBASE_AUTH_EMULATOR_HOST"]
project = os.environ["GOOGLE_CLOUD_PROJECT"]
headers = {}
if "token" in sys.argv:
    path = f"http://{host}/emulator/v1/projects/{project}/appCheck:token"
    headers["X-Firebase-AppCheck"] = requests.post(path, json={}).json()["token"]
url = f"http://{host}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any"
print(requests.post(url, json={}, headers=headers).status_code)
"""


@pytest.mark.parametrize(
    ("mode", "words", "status", "answer", "said"),
    [
        ("monitor", [], 0, "200", "App Check: 1 call would be refused in production"),
        ("check", [], 1, "200", "App Check: 1 call would be refused in production"),
        ("enforce", [], 1, "401", "App Check: 1 call refused, as in production"),
        ("enforce", ["token"], 0, "200", ""),
        ("off", [], 0, "200", ""),
    ],
)
def test_the_end(mode, words, status, answer, said):
    command = [binary(), "exec", "--app-check", mode, "--hub-port", "none", "--"]
    done = subprocess.run(
        [*command, sys.executable, "-c", CALL, *words], capture_output=True, text=True, timeout=120
    )
    assert done.stdout.strip() == answer, done.stderr
    assert done.returncode == status, done.stderr
    assert said in done.stderr
    assert said or "would be refused" not in done.stderr
