"""Back ends as they run in production: no emulator variable, no changed line."""

import subprocess
import sys

import pytest
from support.as_google import PROGRAMS, built_go, needs

VERDICTS = ["true", "false", "false", "false"]
STATUSES = ["200", "401", "401", "401"]


@pytest.mark.parametrize(
    "program",
    [
        "admin.py",
        "app_check.py",
        "documents.py",
        "auth_library.py",
        "verifiers.py",
        "mails.py",
        "push.py",
        "texts.py",
    ],
)
def test_python(as_google, program):
    assert as_google.python(program)["done"]


@pytest.mark.parametrize("program", ["admin.py", "documents.py", "auth_library.py", "verifiers.py"])
def test_python_with_a_proxy(as_google, program):
    done = as_google.python(
        program, flags=("--as-google-mode", "proxy"), no_grpc_proxy="googleapis.com"
    )
    assert done["done"]


def lines(done: subprocess.CompletedProcess, word: str) -> list[str]:
    return [line.split()[1] for line in done.stdout.splitlines() if line.startswith(word + " ")]


def check(done: subprocess.CompletedProcess) -> None:
    """A program said what it thinks of four tokens, and what Firestore does."""
    assert lines(done, "token") == VERDICTS, done.stdout + done.stderr
    assert lines(done, "firestore") == STATUSES, done.stdout
    assert lines(done, "example.com") == ["refused"]


def beside(as_google, *command: str, **options) -> subprocess.CompletedProcess:
    return as_google.run(sys.executable, str(PROGRAMS / "beside.py"), *command, **options)


def test_java(as_google):
    check(beside(as_google, needs("java"), str(PROGRAMS / "Verify.java")))


def test_java_with_a_proxy(as_google):
    check(
        beside(
            as_google,
            needs("java"),
            str(PROGRAMS / "Verify.java"),
            flags=("--as-google-mode", "proxy"),
        )
    )


def test_node(as_google):
    check(beside(as_google, needs("node"), str(PROGRAMS / "verify.mjs")))


@pytest.fixture(scope="module")
def go_program(tmp_path_factory) -> str:
    return built_go("main.go", "cloud.google.com/go/firestore", tmp_path_factory.mktemp("go"))


@pytest.mark.parametrize("flags", [(), ("--as-google-mode", "proxy")], ids=["namespace", "proxy"])
def test_go(as_google, go_program, flags):
    done = beside(as_google, go_program, flags=flags)
    check(done)
    assert lines(done, "documents") == ["1"]


@pytest.mark.parametrize("version", ["--http1.1", "--http2"])
def test_curl(as_google, version):
    script = f"""
      for host in www.googleapis.com identitytoolkit.googleapis.com; do
        curl -sS {version} -o /dev/null -D - -w '%{{http_version}} %{{ssl_verify_result}}\\n' \
          https://$host/
      done
      curl -sS {version} https://example.com/ || echo "refused $?"
      curl -sS {version} -H "Host: example.com" https://www.googleapis.com/ -w '%{{http_code}}\\n'
    """
    done = as_google.run("sh", "-c", script)
    assert done.stdout.lower().count("x-hearth: as-google") >= 2, done.stdout
    number = version.removeprefix("--http").replace(".0", "")
    assert lines(done, number) == ["0", "0"], done.stdout
    assert "refused 6" in done.stdout and '"code":421' in done.stdout
