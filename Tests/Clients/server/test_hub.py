"""The hub: how other programs of the suite find the emulators, and what they have it do."""

import json
import os
import socket
import subprocess
import sys

import pytest
import requests
from support.firestore.functions import PlayedFunctions
from support.server import PROJECT, Server, binary


class Hub:
    """A server with a hub, and a directory of its own for temporary files."""

    def __init__(self, monkeypatch, directory, *flags: str):
        monkeypatch.setenv("TMPDIR", str(directory))
        self.file = directory / f"hub-{PROJECT}.json"
        self.server = Server("--hub-port", "0", *flags)
        self.url = self.server.addresses["hub"]

    def get(self, path: str) -> dict:
        reply = requests.get(self.url + path, timeout=30)
        assert reply.status_code == 200, reply.text
        return reply.json()

    def stop(self):
        self.server.stop()


@pytest.fixture
def hub(monkeypatch, tmp_path):
    hub = Hub(monkeypatch, tmp_path)
    yield hub
    hub.stop()


def test_the_file_says_where_it_is_while_it_runs(monkeypatch, tmp_path):
    hub = Hub(monkeypatch, tmp_path)
    locator = json.loads(hub.file.read_text())
    assert locator == {"version": "0.1.0", "origins": [hub.url], "pid": hub.server.process.pid}
    port = int(hub.url.rsplit(":", 1)[1])
    assert hub.get("/") == {**locator, "host": "127.0.0.1", "port": port}
    hub.stop()
    assert not hub.file.exists()


@pytest.mark.parametrize("pid, stays", [("alive", True), (2**22 + 1, False), (None, False)])
def test_the_file_of_a_hub_that_runs_stays(monkeypatch, tmp_path, pid, stays):
    if pid == "alive":
        pid = os.getpid()
    old = {"version": "15.28.1", "origins": ["http://127.0.0.1:4400"], "pid": pid}
    file = tmp_path / f"hub-{PROJECT}.json"
    file.write_text(json.dumps(old))
    hub = Hub(monkeypatch, tmp_path)
    hub.get("/")
    hub.stop()
    assert file.exists() == stays
    if stays:
        assert json.loads(file.read_text()) == old
        assert any("Another hub" in line for line in hub.server.lines)


def test_discovery_finds_the_emulators(hub):
    """As `@firebase/rules-unit-testing` reads it."""
    emulators = hub.get("/emulators")
    assert list(emulators) == ["hub", "ui", "auth", "firestore"]
    for name, kind in [
        ("hub", "hub"),
        ("ui", "console"),
        ("auth", "auth"),
        ("firestore", "firestore"),
    ]:
        entry = emulators[name]
        assert f"http://{entry['host']}:{entry['port']}" == hub.server.addresses[kind]
        assert entry["name"] == name
        assert entry["listen"] == [
            {"address": entry["host"], "port": entry["port"], "family": "IPv4"}
        ]


def test_no_page_may_use_it(hub, tmp_path):
    for method, path in [
        ("GET", "/"),
        ("GET", "/emulators"),
        ("POST", "/_admin/export"),
        ("OPTIONS", "/"),
        ("PUT", "/functions/disableBackgroundTriggers"),
    ]:
        for headers in (
            {"Origin": "http://localhost:3000"},
            {"Origin": hub.url},
            {"Host": "evil.example"},
            {"Sec-Fetch-Site": "cross-site"},
        ):
            reply = requests.request(
                method,
                hub.url + path,
                headers=headers,
                timeout=30,
                json={"path": str(tmp_path / "out")},
            )
            assert reply.status_code == 403, (method, path, headers)
            assert "Access-Control-Allow-Origin" not in reply.headers
    assert not (tmp_path / "out").exists()
    reply = requests.post(hub.url + "/_admin/export", headers={"Origin": "x"}, timeout=30)
    assert reply.json() == {"message": "Export cannot be triggered by external callers."}


def test_it_exports(hub, tmp_path):
    def export(body):
        return requests.post(hub.url + "/_admin/export", json=body, timeout=30)

    hub.server.accounts("signUp", {})
    reply = export(
        {
            "path": str(tmp_path / "out"),
            "initiatedBy": "emulators:export",
            "targets": ["auth", "firestore"],
        }
    )
    assert (reply.status_code, reply.json()) == (200, {"message": "OK"})
    assert (tmp_path / "out/firebase-export-metadata.json").exists()
    for body, words in [
        ({"path": str(tmp_path / "no/such/out")}, "ENOENT"),
        ({"path": "relative"}, "absolute"),
        ({}, "absolute"),
        ({"path": str(tmp_path / "x"), "targets": ["storage"]}, "No running emulators support"),
    ]:
        reply = export(body)
        assert reply.status_code == 500 and words in reply.json()["message"], reply.text


def test_a_path_with_a_nul_touches_nothing(hub, tmp_path):
    kept = tmp_path / "kept"
    (kept / "folder").mkdir(parents=True)
    (kept / "file").write_text("x")
    v1 = f"{hub.server.auth}/emulator/v1/projects/{PROJECT}"
    for url, body in [
        (hub.url + "/_admin/export", {"path": f"{kept}/\0x"}),
        (v1 + ":export", {"directory": f"{kept}/\0x"}),
        (v1 + ":import", {"path": f"{kept}/\0x"}),
        (
            v1 + ":export",
            {
                "database": f"projects/{PROJECT}/databases/(default)",
                "export_directory": f"{kept}/\0",
                "export_name": "x",
            },
        ),
        (
            v1 + ":export",
            {
                "database": f"projects/{PROJECT}/databases/(default)",
                "export_directory": str(kept),
                "export_name": "folder\0",
            },
        ),
    ]:
        reply = requests.post(url, json=body, timeout=30)
        assert reply.status_code in (400, 500) and "U+0000" in reply.text, (url, reply.text)
    assert sorted(path.name for path in kept.iterdir()) == ["file", "folder"]


def test_the_root_is_not_exported_to(hub):
    url = f"{hub.server.auth}/emulator/v1/projects/{PROJECT}:export"
    reply = requests.post(url, json={"directory": "//"}, timeout=30)
    assert reply.status_code == 400 and "cannot export to /" in reply.text, reply.text


def test_triggers_are_paused_and_go_on(monkeypatch, tmp_path):
    functions = PlayedFunctions()
    hub = Hub(monkeypatch, tmp_path, "--functions-emulator", functions.host)
    try:
        for word, is_enabled, uid in [("disable", False, "a"), ("enable", True, "b")]:
            reply = requests.put(f"{hub.url}/functions/{word}BackgroundTriggers", timeout=30)
            assert (reply.status_code, reply.json()) == (200, {"enabled": is_enabled})
            hub.server.admin("/accounts", {"localId": uid, "email": f"{uid}@example.com"})
        assert functions.next().json["data"]["uid"] == "b" and functions.events.empty()
    finally:
        hub.stop()
        functions.close()


def test_without_functions_there_is_nothing_to_pause(hub):
    for word in ("disable", "enable"):
        reply = requests.put(f"{hub.url}/functions/{word}BackgroundTriggers", timeout=30)
        assert reply.status_code == 400
        assert "The Cloud Functions emulator is not running." in reply.text


def test_a_port_that_is_taken_does_not_stop_the_start(monkeypatch, tmp_path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        monkeypatch.setenv("TMPDIR", str(tmp_path))
        server = Server("--hub-port", str(port))
    try:
        assert requests.get(server.addresses["hub"], timeout=30).status_code == 200
        assert any(f"Port {port} is taken; the hub is at " in line for line in server.lines)
    finally:
        server.stop()


def test_it_can_be_left_out(monkeypatch, tmp_path):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    server = Server("--hub-port", "none")
    server.stop()
    assert "hub" not in server.addresses and not list(tmp_path.glob("hub-*"))


def test_exec_names_it_and_writes_no_file(tmp_path):
    script = (
        "import json, os, urllib.request as u\n"
        "hub = json.load(u.urlopen('http://' + os.environ['FIREBASE_EMULATOR_HUB'] + '/emulators'))\n"
        "host = '{host}:{port}'.format(**hub['firestore'])\n"
        "assert host == os.environ['FIRESTORE_EMULATOR_HOST']\n"
        "assert host == os.environ['FIREBASE_FIRESTORE_EMULATOR_ADDRESS']\n"
        "assert json.loads(os.environ['FIREBASE_CONFIG'])['projectId'] == 'demo-x'\n"
        # Certificates are there too.
        "print([name for name in os.listdir(os.environ['TMPDIR']) if 'hub' in name])"
    )
    environment = {
        k: v for k, v in os.environ.items() if not k.startswith(("HEARTH_", "FIREBASE_"))
    }
    done = subprocess.run(
        [binary(), "exec", "--project", "demo-x", "--", sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=60,
        env={**environment, "TMPDIR": str(tmp_path)},
    )
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr
    assert os.listdir(tmp_path) == []
