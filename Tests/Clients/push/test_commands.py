"""hearth push and hearth inbox."""

import json

import requests
from support.server import PROJECT
from support.terminal import hearth


def run(push, *arguments: str):
    return hearth(*arguments, "--address", push.auth, "--project", PROJECT)


def test_devices(push):
    flags = ["--platform", "ios", "--topic", "cli", "--name", "Ann", "--language", "de_at"]
    made = run(push, "push", "register", *flags)
    token = made.stdout.strip()
    assert ":APA91b" in token, made.stderr
    line = next(each for each in run(push, "push", "devices").stdout.splitlines() if token in each)
    assert line.split("\t") == [token, "ios", "registered", "cli", "Ann", "de-AT"]
    state = run(push, "push", "register", "--token", token, "--state", "quotaExceeded", "--json")
    assert json.loads(state.stdout)["state"] == "quotaExceeded"
    assert push.send(message={"token": token}).status_code == 429
    assert run(push, "push", "forget", token).returncode == 0
    wrong = run(push, "push", "register", "--platform", "windows")
    assert wrong.returncode != 0 and "android, ios, web" in wrong.stderr


def test_inbox(push, token):
    push.send(message={"token": token, "notification": {"title": "Hi", "body": "code 482913"}})
    requests.post(
        f"{push.auth}/identitytoolkit.googleapis.com/v1/accounts:sendVerificationCode",
        params={"key": "k"},
        json={"phoneNumber": "+491701234567", "recaptchaToken": "x"},
        timeout=30,
    )
    lines = [line.split("\t")[2:] for line in run(push, "inbox").stdout.splitlines()]
    assert ["push", token, "Hi", "482913"] in lines
    assert any(line[:2] == ["sms", "+491701234567"] for line in lines)
    only = run(push, "inbox", "--kind", "push", "--to", token, "--wait", "5s", "--json")
    message = json.loads(only.stdout)
    assert message["push"]["notification"]["title"] == "Hi"
    assert {
        line.split("\t")[2] for line in run(push, "inbox", "--kind", "sms").stdout.splitlines()
    } == {"sms"}
    file = run(push, "push", "payload", message["id"], "--bundle", "com.acme.app")
    assert json.loads(file.stdout)["Simulator Target Bundle"] == "com.acme.app"
    adb = run(push, "push", "payload", message["id"], "--adb", "--package", "com.acme")
    assert adb.stdout.startswith("adb shell ")
