"""`hearth exec --app-check` and `hearth app-check` say what production would refuse."""

import json
import subprocess
import sys

import pytest
from support.auth.app_check import APP
from support.server import binary
from support.terminal import hearth as command

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


def test_projects_of_tests_count():
    """Kits give each test a project of its own, which is gone after it."""
    script = CALL.replace("key=any", "key=demo-of-a-test")
    script += 'requests.delete(f"http://{host}/emulator/v1/projects/demo-of-a-test")'
    flags = ("--app-check", "check", "--hub-port", "none")
    done = command("exec", *flags, "--", sys.executable, "-c", script)
    assert (done.stdout.strip(), done.returncode) == ("200", 1), done.stderr
    assert "App Check: 1 call would be refused in production" in done.stderr


def words(app_check, *arguments: str) -> str:
    place = ("--address", app_check.server.host, "--project", app_check.project)
    done = command("app-check", *arguments, *place)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_report_of_a_running_server(app_check):
    app_check.switches(appCheckAuth="monitor")
    app_check.sign_up(None, **{"X-Client-Version": "Web/12"})
    app_check.sign_up("no-token")
    token = words(app_check, "token", "--app", APP).strip()
    assert app_check.sign_up(token).status_code == 200
    first, *calls = words(app_check, "report").splitlines()
    assert first == "App Check: 2 calls would be refused in production (1 verified)"
    assert "  1 × identitytoolkit.accounts.signUp by Web/12: outdated client (missing)" in calls
    assert any(call.endswith(": invalid (malformed)") for call in calls)
    assert json.loads(words(app_check, "report", "--json"))["unverified"] == 2
    assert words(app_check, "clear") == ""
    assert words(app_check).startswith("App Check: 0 calls would be refused in production")


def test_a_token_of_the_command_is_used_once(app_check):
    app_check.switches(appCheckAuth="enforce", appCheckReplay="enforce")
    token = words(app_check, "token", "--limited-use").strip()
    assert [app_check.sign_up(token).status_code for _ in range(2)] == [200, 401]
