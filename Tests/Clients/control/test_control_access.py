"""The list of projects, and which pages may call control endpoints."""

import contextlib
import subprocess
import uuid

import pytest
import requests
from support.auth.project import IT
from support.firestore.project import Firestore
from support.server import Server, binary
from support.steering import Steered, guard, instant, near, project, unused  # noqa: F401

NUMBER = "+15555550100"


# MARK: Projects


def test_projects(project):
    url = f"{project.server.auth}/emulator/v1/projects"

    def listed() -> list[str]:
        return requests.get(url, timeout=30).json()["projects"]

    assert "demo-hearth" in listed() and project.id not in listed()
    project.sign_up(unused())
    assert project.id in listed() and len(listed()) == len(set(listed()))


def test_the_default_project_comes_first_and_then_the_last_used(project):
    url = f"{project.server.auth}/emulator/v1/projects"
    other = Steered(project.server)
    for one in (project, other, project):
        one.sign_up(unused())
        about = requests.get(url, timeout=30).json()
        assert about["projects"][:2] == ["demo-hearth", one.id]
        assert about["defaultProject"] == "demo-hearth"
        assert near(instant(about["lastActivity"][one.id]), one.now())
    # Looking at a project is not using it.
    other.own("GET", "/messages")
    other.request(
        "GET",
        f"{other.v2}/config",
        headers={"Authorization": "Bearer owner", "X-Hearth-Client": "console"},
    )
    assert requests.get(url, timeout=30).json()["projects"][1] == project.id


@pytest.mark.parametrize("how", ["firestore", "switches", "message", "config"])
def test_projects_without_users_are_listed_too(project, how):
    if how == "firestore":
        with contextlib.closing(Firestore(project.server, project.id)) as base:
            base.rest("PATCH", "/c/d", json={"fields": {}})
    elif how == "switches":
        project.switch(rateLimits=True)
    elif how == "message":
        project.call("sendVerificationCode", {"phoneNumber": NUMBER})
    else:
        project.configure("signIn.allowDuplicateEmails", signIn={"allowDuplicateEmails": True})
    reply = requests.get(f"{project.server.auth}/emulator/v1/projects", timeout=30)
    assert project.id in reply.json()["projects"]


# MARK: Who may


def control_routes() -> list[tuple[str, str]]:
    lines = subprocess.run([binary(), "routes"], capture_output=True, text=True, timeout=30).stdout
    rows = [line.split("\t") for line in lines.splitlines()]
    # The hub's are served at a port of their own.
    return [
        (method, path)
        for method, path, name, credential, _ in rows
        if credential == "control" and not name.startswith("hub.")
    ]


ROUTES = control_routes()


def filled(path: str) -> str:
    for name, value in [
        ("targetProjectId", f"demo-{uuid.uuid4().hex[:8]}"),
        ("messageId", "1"),
        ("version", "1"),
        ("asset", "app.js"),
        ("triggerId", "one"),
        ("databaseId", "(default)"),
        ("snapshot", "one"),
        ("attachment", "1"),
        ("folder", "core"),
        ("presetName", "one"),
        ("requestId", "1"),
        ("registration", "one"),
        ("form", "apns"),
        ("persona", "ann"),
        ("provider", "google"),
    ]:
        path = path.replace("{" + name + "}", value)
    assert "{" not in path, path
    return path


def ask(server: Server, method: str, path: str, port: str = "auth", **headers: str):
    body = {} if method in ("PUT", "PATCH", "POST") else None
    return requests.request(
        method,
        server.addresses[port] + filled(path),
        json=body,
        headers=headers,
        timeout=30,
        stream=True,
    )


def test_there_are_control_endpoints():
    names = {path.rpartition("/")[2] for _, path in ROUTES}
    assert {"faults", "clock", "events", "requests", "messages", "switches", "projects"} <= names


@pytest.mark.parametrize("method, path", ROUTES)
def test_pages_of_other_origins_are_refused(hearth, method, path):
    for port in ("auth", "console", "firestore"):
        for origin in (
            "https://evil.example",
            "null",
            "http://localhost.evil.example",
            "http://127.0.0.1.evil.example",
            "http://evil.example:4000",
        ):
            with ask(hearth, method, path, port, Origin=origin) as reply:
                assert reply.status_code == 403, (port, origin, reply.status_code)
                assert "Access-Control-Allow-Origin" not in reply.headers
            with requests.options(
                hearth.addresses[port] + filled(path),
                timeout=30,
                headers={"Origin": origin, "Access-Control-Request-Method": method},
            ) as reply:
                assert reply.status_code == 403
                assert "Access-Control-Allow-Origin" not in reply.headers


@pytest.mark.parametrize("method, path", ROUTES)
def test_other_host_names_are_refused(hearth, method, path):
    for host in ("evil.example", "evil.example:9099", "127.0.0.1.evil.example", "localhost.evil"):
        with ask(hearth, method, path, Host=host) as reply:
            assert reply.status_code == 403, (host, reply.status_code)


# Files of this machine are for Hearth's own pages only.
FILES = [
    (method, path)
    for method, path in ROUTES
    if path.endswith((":export", ":import", "rules:file", "links:check"))
    or (method == "POST" and path.endswith("/seed"))
]


@pytest.mark.parametrize("method, path", [each for each in ROUTES if each not in FILES])
def test_pages_of_this_machine_are_answered(hearth, method, path):
    for origin in ("http://localhost:3000", "http://127.0.0.1:4000", "http://[::1]:5173"):
        with ask(hearth, method, path, Origin=origin) as reply:
            assert reply.status_code != 403
            assert reply.headers["Access-Control-Allow-Origin"] == origin
        with requests.options(
            hearth.auth + filled(path),
            timeout=30,
            headers={"Origin": origin, "Access-Control-Request-Method": method},
        ) as reply:
            assert reply.status_code == 204
            assert method in reply.headers["Access-Control-Allow-Methods"]


def test_what_is_refused_is_not_done(project):
    email = unused()
    project.sign_up(email)
    project.reset_mail(email)
    project.faults({"operation": "*", "effect": {"status": 503}})
    project.clock(advance="PT5M")
    evil = {"Origin": "https://evil.example"}
    url = project.server.auth + project.control
    for method, path, body in [
        ("DELETE", "/messages", None),
        ("DELETE", "/faults", None),
        ("DELETE", "/clock", None),
        ("PUT", "/faults", {"faults": []}),
        ("PATCH", "/clock", {"advance": "P1D"}),
        ("PATCH", "/switches", {"rateLimits": True}),
    ]:
        assert (
            requests.request(method, url + path, json=body, headers=evil, timeout=30).status_code
            == 403
        )
    assert len(project.messages()) == 1 and len(project.own("GET", "/faults")["faults"]) == 1
    assert project.clock()["offset"] == "PT5M"
    assert project.own("GET", "/switches")["rateLimits"] is False


def test_a_simple_form_of_another_origin_is_refused(project):
    """What a page can send without asking first: text/plain, and no Origin in old browsers."""
    reply = requests.post(
        project.server.auth + "/emulator/v1/keys:rotate",
        data="{}",
        timeout=30,
        headers={"Content-Type": "text/plain", "Origin": "https://evil.example"},
    )
    assert reply.status_code == 403


def test_sdk_calls_stay_open_to_every_origin(project):
    reply = requests.post(
        f"{project.server.auth}{IT}/v1/accounts:signUp?key={project.id}",
        json={},
        timeout=30,
        headers={"Origin": "https://my-app.example", "Host": "my-machine.local:9099"},
    )
    assert reply.status_code == 200
    assert reply.headers["Access-Control-Allow-Origin"] == "https://my-app.example"


def test_allowed_hosts():
    server = Server("--allowed-host", "hearth.test", "--allowed-host", "Other.Test")
    for host, status in [
        ("hearth.test:9099", 200),
        ("HEARTH.TEST", 200),
        ("other.test", 200),
        ("third.test", 403),
        ("localhost", 200),
        ("[::1]:9099", 200),
    ]:
        reply = requests.get(
            server.auth + "/emulator/v1/projects", headers={"Host": host}, timeout=30
        )
        assert reply.status_code == status, host
    server.stop()
