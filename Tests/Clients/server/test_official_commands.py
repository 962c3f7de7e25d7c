"""`hearth emulators:start` and `emulators:exec`, as scripts for the official command call them."""

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess

import pytest
from support.server import READY, binary, end_of, free_port


@pytest.fixture
def place(tmp_path):
    """A project with a firebase.json, and a folder in it."""
    (tmp_path / "firebase.json").write_text(
        json.dumps(
            {
                "emulators": {
                    "auth": {"port": 0},
                    "firestore": {"port": 0},
                    "ui": {"enabled": True, "port": 0},
                    "hub": {"port": 0},
                    "functions": {"port": 5001},
                    "hosting": {"port": 5000},
                    "logging": {"port": 4500},
                    "singleProjectMode": True,
                }
            }
        )
    )
    (tmp_path / ".firebaserc").write_text(
        json.dumps({"projects": {"default": "demo-default", "staging": "demo-staging"}})
    )
    (tmp_path / "functions/src").mkdir(parents=True)
    (tmp_path / "temporary").mkdir()
    return tmp_path


def environment(place):
    clean = {
        k: v
        for k, v in os.environ.items()
        if not k.startswith(("HEARTH_", "FIREBASE_", "FIRESTORE_", "GCLOUD"))
    }
    return {**clean, "TMPDIR": str(place / "temporary")}


def run(place, *arguments):
    return subprocess.run(
        [binary(), *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        env=environment(place),
        cwd=place / "functions/src",
    )


@pytest.mark.parametrize(
    "flags, project",
    [
        ([], "demo-default"),
        (["--project", "staging"], "demo-staging"),
        (["-P", "demo-other"], "demo-other"),
        (
            ["--only", "auth,firestore,functions", "--inspect-functions", "--ui", "--debug"],
            "demo-default",
        ),
        (["--only", "firestore", "--log-verbosity", "SILENT", "--non-interactive"], "demo-default"),
        (["-c", "../../firebase.json", "--inspect-functions", "9230", "--json"], "demo-default"),
        (["--export-on-exit", "--import", "absent"], "demo-default"),
        (["-Pstaging", "-c../../firebase.json", "-j", "-i", "--debug"], "demo-staging"),
        (["--interactive", "--json", "--non-interactive"], "demo-default"),
    ],
)
def test_exec_takes_a_script_in_quotes(place, flags, project):
    script = 'echo "$GCLOUD_PROJECT" && test -n "$FIREBASE_EMULATOR_HUB" && exit 7'
    if "--import" in flags:
        (place / "functions/src/absent").mkdir()
        hearth = run(place, "exec", "--export-on-exit", "absent", "--", "true")
        assert hearth.returncode == 0, hearth.stderr
    done = run(place, "emulators:exec", *flags, script)
    assert (done.returncode, done.stdout) == (7, project + "\n"), done.stderr
    if "--only" not in flags:
        assert "functions, hosting: not part of hearth" in done.stderr


def test_projects_of_which_nobody_has_chosen_one_are_named(place):
    (place / ".firebaserc").write_text('{"projects": {"prod": "my-prod", "dev": "my-dev"}}')
    words = (
        "⚠  .firebaserc has no default project, so this is demo-hearth. "
        "Choose one with --project: dev, prod.\n"
    )
    done = run(place, "emulators:exec", 'echo "$GCLOUD_PROJECT"')
    assert (done.stdout, done.stderr.count(words)) == ("demo-hearth\n", 1), done.stderr
    for flags in (["-P", "dev"], ["--project", "demo-other"], ["--project", "demo-hearth"]):
        assert words not in run(place, "emulators:exec", *flags, "true").stderr


def test_exec_keeps_the_ports_of_the_file(place):
    with open(place / "firebase.json", "r+") as file:
        settings = json.load(file)
        port = free_port()
        settings["emulators"]["firestore"]["port"] = port
        file.seek(0)
        json.dump(settings, file)
        file.truncate()
    done = run(place, "emulators:exec", "echo $FIRESTORE_EMULATOR_HOST")
    assert done.stdout == f"127.0.0.1:{port}\n", done.stderr
    done = run(
        place,
        "emulators:exec",
        "--only",
        "auth",
        "echo $FIREBASE_AUTH_EMULATOR_HOST,$FIRESTORE_EMULATOR_HOST,",
    )
    assert done.stdout.startswith("127.0.0.1:") and done.stdout.endswith(",,\n"), done.stdout


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["emulators:exec", "npm", "test"], "one script in quotes"),
        (["emulators:exec"], "expected one script in quotes"),
        (
            ["emulators:start", "--only", "ui"],
            "--only: 'ui' selects no emulator\nUsage: hearth emulators:start",
        ),
        (
            ["emulators:exec", "--only", "firestor", "true"],
            "--only: unknown emulator 'firestor'\nUsage: hearth emulators:exec",
        ),
        (["emulators:start", "--no-such-flag"], "--no-such-flag"),
        (
            ["emulators:export", "x"],
            "unknown command 'emulators:export'; the command is: hearth export x",
        ),
    ],
)
def test_mistakes_are_told(place, arguments, words):
    done = run(place, *arguments)
    assert done.returncode == 64 and words in done.stderr


@pytest.mark.parametrize("command", [["emulators:start"], ["emulators:start", "-j", "-i"], []])
def test_start_says_what_is_not_here(place, command):
    process = subprocess.Popen(
        [binary(), *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(place),
        cwd=place / "functions/src",
    )
    lines = []
    for line in process.stdout:
        lines.append(line.rstrip("\n"))
        if line.startswith(READY):
            break
    assert (place / "temporary/hub-demo-default.json").exists()
    process.send_signal(signal.SIGTERM)
    assert end_of(process)[0] == 0
    process.stdout.close()
    assert (
        "elsewhere  functions, hosting: not part of hearth; emulators:start and --with-rest start "
        "them with firebase-tools" in lines
    )
    assert "export GCLOUD_PROJECT=demo-default" in lines
    assert any(line.startswith("export FIREBASE_EMULATOR_HUB=") for line in lines)


@contextlib.contextmanager
def started(place, *arguments, **options):
    process = subprocess.Popen(
        [binary(), "emulators:start", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment(place),
        cwd=place,
        **options,
    )
    try:
        for line in process.stdout:
            if line.startswith(READY):
                break
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"])
def test_a_signal_ends_the_server_with_its_export(place, name):
    with started(place, f"--export-on-exit={place}/out") as process:
        process.send_signal(signal.Signals[name])
        assert end_of(process)[0] == 0
    assert (place / "out/firebase-export-metadata.json").exists()
    assert not (place / "temporary/hub-demo-default.json").exists()


def test_a_server_below_nohup_outlives_its_terminal(place):
    with started(place, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as process:
        status = pathlib.Path(f"/proc/{process.pid}/status")
        if not status.exists():
            pytest.skip("needs /proc")
        ignored = int(re.search(r"SigIgn:\s*(\w+)", status.read_text())[1], 16)
        assert ignored & 1 << signal.SIGHUP - 1
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        assert end_of(process)[0] == 0
