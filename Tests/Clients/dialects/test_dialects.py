"""The cases of every dialect over HTTP, and several dialects in one server."""

import json
import re
import socket

import pytest
import requests
from support.auth.project import IT
from support.dialects import DIALECTS, Played, placed, playing
from support.server import Server
from support.steering import Steered, guard, instant, unused  # noqa: F401

NAMES = ["artitec", "jabrutouch", "swiftly-feedback"]
PROJECT = "demo-hearth"
TYPES = {"token": "PASSWORD_RESET", "newPassword": "NEW_PASSWORD", "notice": "NOTICE"}


# MARK: The cases


def cases() -> list:
    return [
        pytest.param(name, case["steps"], id=f"{name}: {case['case']}")
        for name in NAMES
        for case in json.loads((DIALECTS / f"cases/{name}.json").read_text())
    ]


def matches(value, pattern) -> bool:
    """Expected JSON in which `*` stands for any run of characters, and alone for any value."""
    if pattern == "*":
        return True
    if isinstance(value, str) and isinstance(pattern, str):
        return (
            re.fullmatch(
                ".*".join(re.escape(part) for part in pattern.split("*")), value, re.DOTALL
            )
            is not None
        )
    if isinstance(value, dict) and isinstance(pattern, dict):
        return value.keys() == pattern.keys() and all(
            matches(value[name], pattern[name]) for name in pattern
        )
    return type(value) is type(pattern) and value == pattern


class Case:
    """Plays the steps of one case."""

    def __init__(self, played: Played):
        self.played = played
        self.variables: dict[str, str] = {}
        self.seen = 0
        # The cases count to the second: nothing passes by itself.
        played.clock(frozen=True)

    def run(self, steps: list, place: str = "step") -> None:
        for index, step in enumerate(steps):
            self.step(step, f"{place} {index + 1}: {json.dumps(step)[:100]}")

    def filled(self, value):
        if isinstance(value, dict):
            return {name: self.filled(member) for name, member in value.items()}
        if isinstance(value, list):
            return [self.filled(member) for member in value]
        if not isinstance(value, str):
            return value
        for name, text in self.variables.items():
            value = value.replace(f"${{{name}}}", text).replace(f"${{{name}:lower}}", text.lower())
        return value

    def step(self, step: dict, place: str) -> None:
        if "account" in step:
            account = dict(step["account"])
            phone = account.pop("phone", None)
            self.played.admin("/accounts", account | ({"phoneNumber": phone} if phone else {}))
        elif "advance" in step:
            text = step["advance"]
            self.played.advance(("P" if text.endswith("d") else "PT") + text.upper())
        elif "post" in step or "get" in step:
            self.send(step, place)
        elif "mail" in step:
            self.mail(step, place)
        elif "noMail" in step:
            assert len(self.played.messages()) == self.seen, f"{place}: no mail"
        elif "settled" in step:
            self.settled(step["settled"], place)
        elif "signIn" in step:
            wanted = self.filled(step["signIn"])
            works = self.played.signs_in(wanted["email"], wanted["password"])
            assert works == step["works"], place
        elif "steps" in step:
            for _ in range(step.get("repeat", 1)):
                self.run(step["steps"], place)
        else:
            raise AssertionError(f"{place}: is no step")

    def send(self, step: dict, place: str) -> None:
        headers = {"Content-Type": "application/json", **self.filled(step.get("headers", {}))}
        body = (
            step["text"]
            if "text" in step
            else (json.dumps(self.filled(step["body"])) if "body" in step else "")
        )
        reply = self.played.send(
            "POST" if "post" in step else "GET",
            step.get("post") or step["get"],
            data=body,
            headers=headers,
        )
        if "unserved" in step:
            assert reply.status_code == 404, place
            return
        assert reply.status_code == step["status"], f"{place}: {reply.status_code} {reply.text}"
        if "reply" in step:
            wanted = self.filled(step["reply"])
            assert matches(reply.json(), wanted), f"{place}: {reply.text} is not {wanted}"
        for variable, pointer in step.get("keep", {}).items():
            value = reply.json()
            for key in pointer.strip("/").split("/"):
                value = value[key]
            self.variables[variable] = value

    def mail(self, step: dict, place: str) -> None:
        messages = self.played.messages()
        assert len(messages) == self.seen + 1, f"{place}: one more message"
        message, expected = messages[-1], step["mail"]
        self.seen += 1
        if "code" in step:
            self.variables[step["code"]] = message["oobCode"]
        if "type" in expected:
            assert message["type"] == TYPES[expected["type"]], place
        for name, member in [
            ("to", "to"),
            ("subject", "subject"),
            ("text", "text"),
            ("html", "html"),
            ("link", "oobLink"),
            ("code", "oobCode"),
        ]:
            if name not in expected:
                continue
            wanted, value = self.filled(expected[name]), message.get(member)
            if wanted is None:
                assert value is None, f"{place}: {name} is {value}"
            else:
                assert matches(value, wanted), f"{place}: {name} is {value}"
        if "codeLength" in expected:
            assert len(message["oobCode"]) == expected["codeLength"], place
        if "codeOf" in expected:
            assert set(message["oobCode"]) <= set(expected["codeOf"]), place

    def settled(self, end: str, place: str) -> None:
        """What the mailbox shows of the message whose token came to that end."""
        mails = [one for one in self.played.messages() if one["type"] == "PASSWORD_RESET"]
        message = mails[-2] if end == "replaced" else mails[-1]
        if end == "used":
            assert instant(message["usedAt"]) <= self.played.now(), place
        else:
            assert "usedAt" not in message, place
            assert instant(message["expiresAt"]) <= self.played.now(), place


def test_there_are_thirty_five_cases():
    assert len(cases()) == 35


@pytest.mark.parametrize("name, steps", cases())
def test_case(tmp_path, name, steps):
    with playing(name, tmp_path) as played:
        Case(played).run(steps)


# MARK: All at once


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """One server that plays all three."""
    directory = tmp_path_factory.mktemp("dialects")
    flags, ports = [], {}
    for name in NAMES:
        path, ports[name] = placed(name, directory)
        flags += ["--dialect", path]
    server = Server(*flags)
    server.artitec = f"http://127.0.0.1:{ports['artitec']}"
    yield server
    server.stop()


def test_three_back_ends_have_the_same_accounts(three):
    """What one of them resets, the others and Firebase take."""
    everyone = Steered(three, PROJECT)
    email = unused()
    everyone.sign_up(email)
    requests.post(f"{three.auth}/api/v1/auth/forgot-password", json={"email": email}, timeout=30)
    code = everyone.messages(to=email)[-1]["oobCode"]
    reply = requests.post(
        f"{three.auth}/api/v1/auth/reset-password",
        timeout=30,
        json={"code": code, "new_password": "New-passw0rd"},
    )
    assert reply.status_code == 200
    for url in (
        f"{three.auth}/api/v1/auth/login",
        f"{three.auth}/api/login/",
        f"{three.artitec}/v1/auth/login",
    ):
        for password, status in (("New-passw0rd", 200), ("secret1", 401)):
            reply = requests.post(url, json={"email": email, "password": password}, timeout=30)
            assert reply.status_code == status, url
    everyone.sign_in(email, password="New-passw0rd")


def test_a_token_of_one_back_end_is_unknown_to_another(three):
    everyone = Steered(three, PROJECT)
    email = unused()
    everyone.sign_up(email)
    requests.post(f"{three.artitec}/v1/auth/forgot-password", json={"email": email}, timeout=30)
    token = everyone.messages(to=email)[-1]["oobCode"]
    reply = requests.post(
        f"{three.auth}/api/confirm_reset_password/",
        timeout=30,
        json={"token": token, "new_password": "New-passw0rd"},
    )
    assert reply.status_code == 400
    assert everyone.error("resetPassword", {"oobCode": token}) == "INVALID_OOB_CODE"
    reply = requests.post(
        f"{three.artitec}/v1/auth/reset-password",
        timeout=30,
        json={"token": token, "new_password": "New-passw0rd"},
    )
    assert reply.status_code == 200


def test_a_port_of_its_own_serves_nothing_else(three):
    reply = requests.post(f"{three.artitec}{IT}/v1/accounts:signUp?key=x", json={}, timeout=30)
    assert reply.status_code == 404
    reply = requests.get(f"{three.artitec}/emulator/v1/projects", timeout=30)
    assert reply.status_code == 404
    reply = requests.post(f"{three.auth}/v1/auth/login", json={}, timeout=30)
    assert reply.status_code == 404


def test_pages_of_other_origins_may_call_a_back_end(three):
    """As the app's own website would."""
    url = f"{three.artitec}/v1/auth/forgot-password"
    origin = {"Origin": "https://artitec.com"}
    asked = requests.options(
        url,
        timeout=30,
        headers={
            **origin,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "content-type",
        },
    )
    assert asked.status_code == 204
    assert asked.headers["Access-Control-Allow-Origin"] == "https://artitec.com"
    reply = requests.post(url, json={"email": unused()}, headers=origin, timeout=30)
    assert reply.status_code == 200
    assert reply.headers["Access-Control-Allow-Origin"] == "https://artitec.com"


@pytest.mark.parametrize(
    "path, method, status",
    [
        ("/v1/auth/nowhere", "POST", 404),
        ("/v1/auth/login", "GET", 405),
        ("/v1/auth/me", "POST", 405),
    ],
)
def test_unknown_paths(three, path, method, status):
    reply = requests.request(method, three.artitec + path, json={}, timeout=30)
    assert reply.status_code == status and reply.json().keys() == {"detail"}


def test_the_shipped_files_as_they_are():
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", 8000)) == 0:
            pytest.skip("port 8000 is taken")
    server = Server(
        *(flag for name in NAMES for flag in ("--dialect", str(DIALECTS / f"{name}.json")))
    )
    reply = requests.post(
        "http://localhost:8000/v1/auth/forgot-password", json={"email": unused()}, timeout=30
    )
    assert reply.status_code == 200
    server.stop()


def test_the_mailbox_finds_every_type_that_a_back_end_writes(tmp_path):
    with playing("jabrutouch", tmp_path) as played:
        email = unused()
        played.sign_up(email)
        played.ask("/reset_password/", {"email": email})
        [found] = played.messages(to=email, type="NEW_PASSWORD")
        assert found["type"] == "NEW_PASSWORD"
        played.advance("PT2M")
        played.ask("/reset_password/", {"email": email}, User_Agent="Jabrutouch/2.0")
        token = played.mail(email)["oobCode"]
        played.ask("/confirm_reset_password/", {"token": token, "new_password": "new-password"})
        [found] = played.messages(to=email, type="NOTICE")


def test_tokens_and_sessions_survive_a_restart(tmp_path):
    path = str(DIALECTS / "swiftly-feedback.json")
    first = Server("--dialect", path, "--data", str(tmp_path / "data"))
    email = unused()
    Steered(first, PROJECT).sign_up(email)
    base = f"{first.auth}/api/v1/auth"
    session = requests.post(
        f"{base}/login", json={"email": email, "password": "secret1"}, timeout=30
    ).json()["token"]
    requests.post(f"{base}/forgot-password", json={"email": email}, timeout=30)
    code = Steered(first, PROJECT).messages(to=email)[-1]["oobCode"]
    first.stop()
    second = Server("--dialect", path, "--data", str(tmp_path / "data"))
    base = f"{second.auth}/api/v1/auth"
    bearer = {"Authorization": f"Bearer {session}"}
    assert requests.get(f"{base}/me", headers=bearer, timeout=30).status_code == 200
    assert (
        requests.post(
            f"{base}/reset-password",
            timeout=30,
            json={"code": code, "new_password": "new-password"},
        ).status_code
        == 200
    )
    assert requests.get(f"{base}/me", headers=bearer, timeout=30).status_code == 401
    second.stop()
