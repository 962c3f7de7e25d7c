"""The wheel: the command, the client, and the fixtures of pytest."""

import contextlib
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from support.packages.installed import (
    CONTRACT,
    ROOT,
    build,
    clean_environment,
    dialects,
    run,
    stripped,
    venv,
)
from support.server import READY
from support.waiting import refuses, until


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("wheels")


@pytest.fixture(scope="module")
def wheel(folder) -> pathlib.Path:
    [path] = build("python", folder, "--binary", stripped(folder))
    return path


@pytest.fixture(scope="module")
def with_binary(folder, wheel):
    return venv(folder / "with", wheel)


@pytest.fixture(scope="module")
def without_binary(folder):
    [path] = build("python", folder)
    assert path.name.endswith("-py3-none-any.whl")
    return venv(folder / "without", path)


# MARK: The wheel


def test_the_wheel_says_what_it_needs_and_has_the_same_bytes_again(folder, wheel):
    assert re.fullmatch(
        r"hearth_emulator-[0-9.]+-py3-none-manylinux_2_\d+_(x86_64|aarch64)\.whl", wheel.name
    )
    [again] = build("python", folder / "again", "--binary", folder / "hearth")
    assert again.read_bytes() == wheel.read_bytes()


def test_pip_builds_it_from_the_sources(tmp_path):
    """Without a network: the build backend is in the sources."""
    source = tmp_path / "Sources/hearth-python"
    shutil.copytree(ROOT / "Sources/hearth-python", source)
    (tmp_path / "Sources/HearthOperations").mkdir()
    shutil.copy(
        ROOT / "Sources/HearthOperations/HearthVersion.swift", tmp_path / "Sources/HearthOperations"
    )
    run(
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-index",
        "--no-deps",
        "-w",
        tmp_path / "out",
        source,
    )
    assert [path.name.split("-")[0] for path in (tmp_path / "out").iterdir()] == ["hearth_emulator"]


def test_the_client_is_typed(with_binary, tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "sample.py").write_text(
        "from hearth_emulator import HearthClient\n"
        "def code(hearth: HearthClient) -> str:\n"
        "    return hearth.wait_for_code('ann@example.com', within=1)\n"
        "def mistake(hearth: HearthClient) -> int:\n"
        "    return hearth.wait_for_code(1)\n"
    )
    words = run(with_binary.python, "-m", "mypy", "--strict", "sample.py", cwd=tmp_path, status=1)
    assert "Found 2 errors in 1 file" in words
    run(with_binary.python, "-m", "mypy", "--strict", ROOT / "Sources/hearth-python/src")


# MARK: The command


def test_the_command_is_the_binary(with_binary):
    assert run(with_binary.hearth, "--version").startswith("hearth 0.")
    assert run(with_binary.python, "-m", "hearth_emulator", "version")
    run(with_binary.hearth, "exec", "--", "sh", "-c", "exit 7", status=7)
    run(with_binary.hearth, "exec", "--", "sh", "-c", "kill -9 $$", status=137)
    run(with_binary.hearth, "exec", "--", "no-such-command", status=127)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_signals_reach_the_binary(with_binary, name):
    with started([with_binary.hearth]) as process:
        process.send_signal(signal.Signals[name])
        assert process.wait(60) == 0


@contextlib.contextmanager
def started(command):
    """A server that is started by a launcher."""
    ports = [word for port in ("auth", "firestore", "console") for word in (f"--{port}-port", "0")]
    none = [
        word
        for port in ("hub", "smtp", "smtp-tls", "mail-api")
        for word in (f"--{port}-port", "none")
    ]
    process = subprocess.Popen(
        [str(word) for word in [*command, *ports, *none]],
        stdout=subprocess.PIPE,
        text=True,
        env=clean_environment(),
    )
    try:
        assert any(line.startswith(READY) for line in process.stdout)
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def test_a_machine_without_a_binary_is_told_what_there_is(without_binary):
    words = run(without_binary.hearth, "--version", status=1, PATH="/nowhere")
    assert "has no binary for this machine" in words and "Linux x86_64" in words
    assert "HEARTH_CONSOLE_URL" in words
    start = "from hearth_emulator import HearthServer; HearthServer.find()"
    words = run(without_binary.python, "-c", start, status=1, PATH="/nowhere")
    assert "NoBinary" in words and "has no binary for this machine" in words
    words = run(without_binary.hearth, status=1, HEARTH_BINARY="/no/hearth")
    assert "HEARTH_BINARY names /no/hearth, which is not a file" in words


def test_a_binary_elsewhere_is_found(without_binary, wheel, folder):
    binary = folder / "hearth"
    assert run(without_binary.hearth, "--version", HEARTH_BINARY=str(binary)).startswith("hearth")
    # The launcher itself is in the PATH too, and is passed over.
    path = f"{without_binary.path / 'bin'}:{folder}:/usr/bin:/bin"
    assert run(without_binary.hearth, "--version", PATH=path).startswith("hearth")


# MARK: The fixtures


@pytest.mark.parametrize("workers", [[], ["-n", "3"]], ids=["alone", "xdist"])
def test_the_contract(with_binary, tmp_path, workers):
    shutil.copy(CONTRACT / "contract.py", tmp_path)
    words = with_binary.pytest(*workers, "contract.py", cwd=tmp_path, DIALECTS=dialects(tmp_path))
    assert re.search(r"\b\d+ passed in ", words) and "skipped" not in words, words


SHARED = """
import os

def test_a_server_is_shared(hearth):
    assert hearth.url == os.environ["HEARTH_CONSOLE_URL"] == os.environ["SHARED"]
    assert hearth.log == ""  # It was not started here.

def test_the_next(hearth):
    test_a_server_is_shared(hearth)
"""


def test_workers_share_the_server_of_hearth_exec(with_binary, tmp_path):
    (tmp_path / "test_shared.py").write_text(SHARED)
    words = run(
        with_binary.hearth,
        "exec",
        "--",
        "sh",
        "-c",
        f"SHARED=$HEARTH_CONSOLE_URL {with_binary.python} -m pytest -q -n 2",
        cwd=tmp_path,
    )
    assert "2 passed" in words


SETTINGS = """
import os

def test_flags_and_variables(hearth, hearth_project, request):
    assert hearth.client().project == "demo-flags"
    assert os.environ["GCLOUD_PROJECT"] == hearth_project.project != "demo-flags"
    assert os.environ["FIREBASE_AUTH_EMULATOR_HOST"] in hearth.environment.values()

def test_afterwards(hearth):
    assert os.environ["GCLOUD_PROJECT"] == "demo-flags"
"""


def test_flags_and_variables(with_binary, tmp_path):
    (tmp_path / "test_settings.py").write_text(SETTINGS)
    (tmp_path / "pytest.ini").write_text("[pytest]\nhearth_flags = --project demo-flags\n")
    assert "2 passed" in with_binary.pytest(cwd=tmp_path)


def test_the_example_of_the_guide(with_binary, tmp_path):
    example = ROOT / "Sources/hearth-python/example/test_first.py"
    shutil.copy(example, tmp_path)
    assert "1 passed" in with_binary.pytest(cwd=tmp_path)


# MARK: The server of a test process

# A shell starts what runs in the background with SIGINT ignored, which processes inherit.
ENDLESS = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from hearth_emulator import HearthServer
print(HearthServer.start().url.rsplit(":", 1)[1], flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("name", ["SIGKILL", "SIGTERM", "SIGINT"])
def test_the_server_ends_with_its_process(with_binary, name):
    process = subprocess.Popen(
        [with_binary.python, "-c", ENDLESS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=clean_environment(),
    )
    with process:
        port = int(process.stdout.readline())
        socket.create_connection(("127.0.0.1", port)).close()
        process.send_signal(signal.Signals[name])
        process.wait(60)

        until(lambda: refuses(port), what="the end of the server")


def test_a_start_that_fails_says_why(with_binary):
    start = "from hearth_emulator import HearthServer; HearthServer.start('--rules', '/no/rules')"
    words = run(with_binary.python, "-c", start, status=1)
    assert "hearth did not start:" in words and "/no/rules" in words


class Other(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(404)
        self.end_headers()

    def log_message(self, *_):
        pass


def test_a_server_of_somebody_else_is_refused(with_binary):
    with HTTPServer(("127.0.0.1", 0), Other) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        host = f"127.0.0.1:{other.server_port}"
        find = "from hearth_emulator import HearthServer; HearthServer.find()"
        words = run(with_binary.python, "-c", find, status=1, FIREBASE_AUTH_EMULATOR_HOST=host)
        other.shutdown()
    assert f"{host}, which the environment names, is not a Hearth server" in words
