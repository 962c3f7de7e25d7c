"""What `firebase.json` and `.firebaserc` say of databases, of the console and of addresses."""

import json
import os
import signal
import socket
import subprocess

import pytest
import requests
from support.firestore.rules import ruled
from support.server import PROJECT, READY, Server, TalkingServer, binary, end_of
from support.waiting import until

ONLY_A = ruled("match /a/{id} { allow read; }")
ONLY_B = ruled("match /b/{id} { allow read; }")


def write(folder, settings: dict, **files: str):
    (folder / "firebase.json").write_text(json.dumps(settings))
    for name, text in files.items():
        (folder / f"{name}.rules").write_text(text)


def readable(server: Server, database: str, collection: str, project: str = PROJECT) -> bool:
    status = requests.get(
        f"{server.addresses['firestore']}/v1/projects/{project}/databases/{database}/documents/"
        f"{collection}/x",
        timeout=30,
    ).status_code
    assert status in (403, 404), status
    return status == 404


def open_collections(server: Server, database: str, project: str = PROJECT) -> str:
    return "".join(name for name in "ab" if readable(server, database, name, project))


# MARK: Rules of databases

TARGETS = {"targets": {PROJECT: {"firestore": {"more": ["second", "third"]}}}}


@pytest.mark.parametrize(
    "entries, expected",
    [
        (
            [
                {"database": "second", "rules": "b.rules"},
                {"database": "(default)", "rules": "a.rules"},
            ],
            {"(default)": "a", "second": "b", "third": "a"},
        ),
        (
            [{"rules": "a.rules"}, {"database": "second", "rules": "b.rules"}],
            {"(default)": "a", "second": "b", "third": "a"},
        ),
        (
            [{"rules": "a.rules"}, {"target": "more", "rules": "b.rules"}],
            {"(default)": "a", "second": "b", "third": "b"},
        ),
        # One entry is for all databases, as in the official emulator.
        ([{"database": "second", "rules": "b.rules"}], {"(default)": "b", "second": "b"}),
        ({"rules": "a.rules"}, {"(default)": "a", "second": "a"}),
        (
            [{"database": "second", "rules": "b.rules"}, {"database": "third", "rules": "a.rules"}],
            {"(default)": "ab", "second": "b", "third": "a"},
        ),
    ],
)
def test_each_database_has_the_rules_of_its_entry(tmp_path, entries, expected):
    write(tmp_path, {"firestore": entries}, a=ONLY_A, b=ONLY_B)
    (tmp_path / ".firebaserc").write_text(json.dumps(TARGETS))
    server = Server(cwd=str(tmp_path))
    try:
        found = {database: open_collections(server, database) for database in expected}
        assert found == expected
        # In other projects, too.
        assert open_collections(server, "second", "demo-other") == expected["second"]
        warned = any("has no rules for the database (default)" in line for line in server.lines)
        assert warned == (expected["(default)"] == "ab")
        if expected["(default)"] == "a" and expected["second"] == "b":
            assert f"rules      {tmp_path}/b.rules (second)" in server.lines
    finally:
        server.stop()


def test_what_a_user_sets_comes_before_the_files(tmp_path):
    write(
        tmp_path,
        {"firestore": [{"database": "second", "rules": "b.rules"}, {"rules": "a.rules"}]},
        a=ONLY_A,
        b=ONLY_B,
    )
    server = Server(cwd=str(tmp_path))
    v1 = f"{server.addresses['firestore']}/emulator/v1/projects/{PROJECT}"
    rules = {"rules": {"files": [{"name": "x", "content": ONLY_B}]}}
    assert requests.get(f"{v1}/databases/second:securityRules", timeout=30).json()["rules"][
        "files"
    ] == [{"name": "b.rules", "content": ONLY_B}]
    assert requests.put(f"{v1}:securityRules", json=rules, timeout=30).ok
    assert (open_collections(server, "(default)"), open_collections(server, "second")) == ("b", "b")
    server.stop()
    named = Server("--rules", "a.rules", "--project", "demo-x", cwd=str(tmp_path))
    assert (open_collections(named, "(default)"), open_collections(named, "second")) == ("a", "a")
    named.stop()


def test_each_file_is_read_again_when_it_changes(tmp_path):
    write(
        tmp_path,
        {"firestore": [{"database": "second", "rules": "b.rules"}, {"rules": "a.rules"}]},
        a=ONLY_A,
        b=ONLY_B,
    )
    server = TalkingServer(cwd=str(tmp_path))
    try:
        (tmp_path / "b.rules").write_text(ONLY_A)
        until(lambda: open_collections(server, "second") == "a")
        assert open_collections(server, "(default)") == "a"
        (tmp_path / "a.rules").write_text(ONLY_B)
        until(lambda: open_collections(server, "(default)") == "b")
        assert open_collections(server, "second") == "a"
        (tmp_path / "b.rules").write_text("nonsense")
        server.wait_for("Keeping the previous rules")
        assert open_collections(server, "second") == "a"
    finally:
        server.stop()


def test_a_mistake_in_any_file_ends_the_start(tmp_path):
    write(
        tmp_path,
        {"firestore": [{"rules": "a.rules"}, {"database": "second", "rules": "b.rules"}]},
        a=ONLY_A,
        b="no",
    )
    with pytest.raises(AssertionError, match=r"b\.rules:1:1: "):
        Server(cwd=str(tmp_path))


def test_a_target_without_databases_is_told(tmp_path):
    write(
        tmp_path,
        {"firestore": [{"rules": "a.rules"}, {"target": "more", "rules": "b.rules"}]},
        a=ONLY_A,
        b=ONLY_B,
    )
    (tmp_path / ".firebaserc").write_text(json.dumps(TARGETS))
    for project, is_told in [("demo-other", True), (PROJECT, False)]:
        server = Server("--project", project, cwd=str(tmp_path))
        assert open_collections(server, "second", project) == ("a" if is_told else "b")
        server.stop()
        assert is_told == any("target 'more' are not used" in line for line in server.lines)


# MARK: The console and the addresses


class Started:
    """`emulators:start` in a folder; all ports are free ones but that of the console."""

    def __init__(self, folder, emulators: dict, *flags: str):
        ports = {name: {"port": 0, **emulators.pop(name, {})} for name in ("auth", "firestore")}
        write(folder, {"emulators": ports | emulators})
        environment = {k: v for k, v in os.environ.items() if not k.startswith("HEARTH_")}
        none = [
            word
            for flag in ("--hub-port", "--smtp-port", "--smtp-tls-port", "--mail-api-port")
            for word in (flag, "none")
        ]
        self.process = subprocess.Popen(
            [binary(), "emulators:start", *none, *flags],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=folder,
            env=environment,
        )
        self.lines = []
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))
            if line.startswith(READY):
                break
        self.text = "\n".join(self.lines)
        self.console = next(
            (int(line.rsplit(":", 1)[1]) for line in self.lines if line.startswith("console ")),
            None,
        )

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        status, _ = end_of(self.process)
        self.process.stdout.close()
        return status


@pytest.fixture
def busy():
    """The console's usual port, which something else has."""
    with socket.socket() as taken:
        try:
            taken.bind(("127.0.0.1", 4000))
            taken.listen()
        except OSError:
            pass  # Some other program has it; that is as good.
        yield 4000


@pytest.mark.parametrize("emulators", [{}, {"ui": {"enabled": True}}])
def test_the_console_moves_from_a_port_that_nobody_asked_for(tmp_path, busy, emulators):
    server = Started(tmp_path, emulators)
    try:
        assert server.console not in (None, busy), server.text
        assert (
            f"Port {busy} is taken; the console is at {server.console} (--console-port)."
            in server.text
        )
        assert requests.get(f"http://127.0.0.1:{server.console}/console/", timeout=30).ok
    finally:
        assert server.stop() == 0


@pytest.mark.parametrize(
    "emulators, flags",
    [
        ({"ui": {"port": 4000}}, []),
        ({}, ["--console-port", "4000"]),
        ({"ui": {"enabled": False}}, ["--console-port", "4000"]),
    ],
)
def test_a_port_that_was_asked_for_ends_the_start(tmp_path, busy, emulators, flags):
    server = Started(tmp_path, emulators, *flags)
    assert server.stop() != 0
    assert f"port {busy} is already in use" in server.text
    assert "(choose another with --console-port)" in server.text


def test_a_console_that_is_not_enabled_takes_a_free_port(tmp_path, busy):
    server = Started(tmp_path, {"ui": {"enabled": False, "port": busy}})
    assert server.console not in (None, busy), server.text
    assert "is taken" not in server.text
    assert server.stop() == 0


@pytest.mark.parametrize(
    "emulators, flags, unused",
    [
        ({"firestore": {"host": "0.0.0.0"}}, [], "Not used: auth 127.0.0.1, ui 127.0.0.1."),
        (
            {"auth": {"host": "127.0.0.1"}, "ui": {"port": 0, "host": "0.0.0.0"}},
            [],
            "Not used: ui 0.0.0.0.",
        ),
        ({"hub": {"host": "0.0.0.0"}}, [], "Not used: hub 0.0.0.0."),
        ({"firestore": {"host": "0.0.0.0"}}, ["--host", "127.0.0.1"], None),
        ({"auth": {"host": "localhost"}, "ui": {"port": 0, "host": "127.0.0.1"}}, [], None),
        ({name: {"port": 0, "host": "0.0.0.0"} for name in ("auth", "firestore", "ui")}, [], None),
    ],
)
def test_hosts_that_disagree_are_told(tmp_path, emulators, flags, unused):
    host = (
        "127.0.0.1"
        if flags
        else next(
            (
                emulators[name]["host"]
                for name in ("auth", "firestore")
                if "host" in emulators.get(name, {})
            ),
            "127.0.0.1",
        )
    )
    server = Started(tmp_path, emulators, "--console-port", "0", *flags)
    assert server.stop() == 0, server.text
    warnings = [line for line in server.lines if "one address for all" in line]
    if unused is None:
        assert warnings == []
    else:
        [warning] = warnings
        assert f"all ports are at {host}, because" in warning and unused in warning
