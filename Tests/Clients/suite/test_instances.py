"""Servers side by side: `hearth ps`, worktrees, and ports that are taken."""

import concurrent.futures
import json
import os
import signal
import subprocess

import pytest
from support.server import Server, binary, free_port


@pytest.fixture
def runtime(tmp_path, monkeypatch):
    folder = tmp_path / "runtime"
    folder.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(folder))
    return folder


def ps(*flags):
    return subprocess.run([binary(), "ps", *flags], capture_output=True, text=True, timeout=30)


def test_ps_lists_what_runs(runtime, tmp_path):
    assert ps().stderr == "hearth: no hearth is running\n"
    place = tmp_path / "worktree"
    place.mkdir()
    server = Server("--project", "demo-one", cwd=str(place))
    try:
        (listed,) = [json.loads(line) for line in ps("--json").stdout.splitlines()]
        assert listed["process"] == server.process.pid
        assert (listed["project"], listed["folder"]) == ("demo-one", str(place))
        assert f"http://127.0.0.1:{listed['ports']['auth']}" == server.auth
        assert set(listed["ports"]) == {"auth", "firestore", "console"}
        header, row = ps().stdout.splitlines()
        assert header.split() == ["PROCESS", "PROJECT", "PORTS", "AGE", "FOLDER", "COMMAND"]
        assert f"auth {listed['ports']['auth']}, firestore " in row
        assert str(place) in row
    finally:
        server.process.send_signal(signal.SIGTERM)
        server.process.wait(30)
        server.process.stdout.close()
    assert ps("--json").stdout == ""


def test_the_name_of_a_folder_breaks_no_line_and_steers_no_terminal(runtime, tmp_path):
    place = tmp_path / "a\nb\x1b[2J\u202eü"
    place.mkdir()
    port = free_port()
    server = Server("--auth-port", str(port), cwd=str(place))
    shown = f"{tmp_path}/a\\u{{a}}b\\u{{1b}}[2J\\u{{202e}}ü"
    try:
        header, row = ps().stdout.splitlines()
        assert shown in row
        assert json.loads(ps("--json").stdout)["folder"] == str(place)
        second = subprocess.run(
            [binary(), "--auth-port", str(port), "--hub-port", "none"],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert f"in {shown})" in second.stderr
    finally:
        server.kill()


def test_a_command_without_a_server_names_those_that_run(runtime, tmp_path):
    free = f"127.0.0.1:{free_port()}"

    def clock():
        done = subprocess.run(
            [binary(), "clock", "--address", free], capture_output=True, text=True, timeout=30
        )
        assert done.returncode == 1
        return done.stderr

    words = f"no hearth answers at {free} "
    assert f"{words}(start one, or choose it with --address)" in clock()
    server = Server(cwd=str(tmp_path))
    try:
        address = server.auth.removeprefix("http://")
        assert f"{words}(running: --address {address} in {tmp_path})" in clock()
    finally:
        server.kill()


def test_a_port_that_is_wanted_twice_is_told_as_that(runtime):
    port = str(free_port())
    done = subprocess.run(
        [binary(), "--auth-port", port, "--firestore-port", port, "--hub-port", "none"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert (
        f"port {port} is already in use by this hearth itself (choose another with --firestore-port)"
    ) in done.stderr


def test_who_was_killed_is_not_listed(runtime):
    server = Server()
    server.kill()
    assert (runtime / f"hearth/{server.process.pid}.json").exists()
    assert ps("--json").stdout == ""
    assert list((runtime / "hearth").iterdir()) == []


def test_the_first_line_of_a_taken_port_says_by_what(runtime, tmp_path):
    port = free_port()
    server = Server("--project", "demo-first", "--auth-port", str(port), cwd=str(tmp_path))
    try:
        second = subprocess.run(
            [binary(), "--auth-port", str(port), "--firestore-port", "0", "--hub-port", "none"],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert second.returncode == 1
        assert (second.stdout + second.stderr).splitlines()[0].removeprefix("Error: ") == (
            f"port {port} is already in use by another hearth (project demo-first, "
            f"process {server.process.pid}, in {tmp_path}) (choose another with --auth-port)"
        )
    finally:
        server.kill()


def test_twelve_worktrees_at_once_without_configuration(runtime, tmp_path):
    """Each has the same firebase.json with fixed ports, as worktrees of a repository have."""
    settings = {
        "emulators": {
            "auth": {"port": 9099},
            "firestore": {"port": 8080},
            "ui": {"enabled": True, "port": 4000},
            "hub": {"port": 4400},
        }
    }
    script = (
        'echo "$FIREBASE_AUTH_EMULATOR_HOST $FIRESTORE_EMULATOR_HOST $FIREBASE_EMULATOR_HUB";'
        f' touch "{tmp_path}/started-$WORKTREE";'
        f' while [ "$(ls {tmp_path} | grep -c started-)" -lt 12 ]; do :; done;'
        f' [ "$WORKTREE" = 0 ] && "{binary()}" ps --json | wc -l; touch "{tmp_path}/done-$WORKTREE";'
        f' while [ "$(ls {tmp_path} | grep -c done-)" -lt 12 ]; do :; done'
    )

    def run(number):
        place = tmp_path / f"worktree-{number}"
        place.mkdir()
        (place / "firebase.json").write_text(json.dumps(settings))
        return subprocess.run(
            [binary(), "exec", "--", "sh", "-c", script],
            capture_output=True,
            text=True,
            timeout=120,
            cwd=place,
            env={**os.environ, "WORKTREE": str(number)},
        )

    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        runs = list(pool.map(run, range(12)))
    assert [done.returncode for done in runs] == [0] * 12, [done.stderr for done in runs]
    places = [word for done in runs for word in done.stdout.splitlines()[0].split()]
    assert len(set(places)) == 36
    assert runs[0].stdout.splitlines()[1].strip() == "12"


def test_there_may_be_no_console(runtime):
    server = Server("--console-port", "none")
    try:
        assert "console" not in server.addresses
        assert f"export HEARTH_CONSOLE_URL={server.auth}" in server.lines
        health = subprocess.run(
            [binary(), "health", "--addresses", "--address", server.host],
            capture_output=True,
            text=True,
            timeout=30,
        )
        assert health.returncode == 0
        assert "console" not in health.stdout
    finally:
        server.kill()
