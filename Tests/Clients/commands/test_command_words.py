"""Mistakes in the words of the command line, help, completion, and the doctor."""

import json
import os
import re
import shutil
import socket
import subprocess

import pytest
import requests
from support.server import PROJECT, Server, binary
from support.terminal import hearth


@pytest.fixture(scope="module")
def server():
    server = Server()
    yield server
    server.stop()


@pytest.mark.parametrize(
    "arguments, words",
    [
        (
            ["clock", "--advance", "soon"],
            "--advance: 'soon' is not a duration such as 2h, -1d or PT2H",
        ),
        (
            ["clock", "--set", "2027-01-01"],
            "--set: '2027-01-01' is not a time such as 2027-01-31T09:30:00Z",
        ),
        (["clock", "--advance", "3000000d"], "--advance leaves the years 1 to 9998"),
        (["snapshot", "save", "a b"], "the name 'a b' "),
        (["snapshot", "fork", "none", "a b"], "the project 'a b' "),
        (["fault", "*.signUp"], "the effect is missing: one of --latency, --error"),
        (
            ["fault", "*.signUp", "--error", "UNAVAILABLE", "--status", "503"],
            "--error and --status: a fault has exactly one of --latency",
        ),
        (
            ["fault", "*.signUp", "--latency", "5"],
            "--latency: '5' is not a duration such as 300ms, nor a range such as 100ms-2s",
        ),
        (
            ["fault", "*.signUp", "--error", "EMAIL_NOT_FUND"],
            "--error has the unknown error code 'EMAIL_NOT_FUND'; did you mean 'EMAIL_NOT_FOUND'?",
        ),
        (
            ["fault", "*.signUp", "--error", "WEIRD"],
            "; known are codes of Auth, such as EMAIL_NOT_FOUND",
        ),
        (["fault", "*.signUp", "--slow-body", "5"], "--slow-body must be a rate such as 1KB/s"),
        (["help", "nosuch"], "unknown command 'nosuch'; the commands are "),
        (["help", "helth"], "unknown command 'helth'; did you mean 'health'?"),
        (
            ["emulators:export", "out"],
            "unknown command 'emulators:export'; the command is: hearth export out",
        ),
    ],
)
def test_mistakes_are_told_in_the_words_of_the_command_line(server, arguments, words):
    address = {"HEARTH_CONSOLE_URL": server.addresses["console"]}
    done = hearth(*arguments, **address)
    assert done.returncode == 64 and words in done.stderr, done.stderr
    assert "INVALID_ARGUMENT" not in done.stderr


def test_faults_give_the_codes_that_only_phones_get(server):
    address = {"HEARTH_CONSOLE_URL": server.addresses["console"]}
    for code in ("APP_NOT_VERIFIED", "MISSING_CLIENT_IDENTIFIER"):
        options = ("--project", "demo-faults", "--error", code, "--times", "1")
        assert hearth("fault", "*.signUp", *options, **address).returncode == 0
        reply = server.post("/identitytoolkit.googleapis.com/v1/accounts:signUp?key=demo-faults")
        assert reply.status_code == 400 and reply.json()["error"]["message"] == code


def test_unknown_switches_are_told_with_the_nearest(server):
    url = f"{server.auth}/emulator/v1/projects/{PROJECT}/switches"
    for name, words in [
        ("emailEnumeration", "did you mean 'emailEnumerationProtection'?"),
        ("rateLimit", "did you mean 'rateLimits'?"),
        ("qwertyuiop", "the switches are "),
    ]:
        reply = requests.patch(url, json={name: True}, timeout=30)
        assert reply.status_code == 400
        assert f"unknown switch '{name}'; {words}" in reply.json()["error"]["message"]


def test_a_wait_for_mail_in_vain_says_what_is_there(server):
    address = {"HEARTH_CONSOLE_URL": server.addresses["console"]}

    def mail(*flags):
        return hearth("mail", "--project", "demo-vain", "--wait", "0s", *flags, **address)

    path = "/identitytoolkit.googleapis.com/v1/projects/demo-vain/accounts"
    empty = mail("--to", "b@example.com")
    assert empty.returncode == 1 and "The mailbox is empty." in empty.stderr
    for body in ({"email": "a@example.com", "password": "secret-1"},):
        assert server.post(path, body, Authorization="Bearer owner").ok
    for email, status in [("a@example.com", 200), ("b@example.com", 400)]:
        reply = server.post(
            f"{path}:sendOobCode",
            {"requestType": "PASSWORD_RESET", "email": email},
            Authorization="Bearer owner",
        )
        assert reply.status_code == status, reply.text
    told = mail("--to", "b@example.com").stderr
    assert "PASSWORD_RESET to a@example.com, pending: " in told
    assert "sendOobCode: 400 EMAIL_NOT_FOUND" in told


# MARK: Help


def subcommands(shown: str) -> list[str]:
    """The names in the list of subcommands of a help."""
    _, _, listed = shown.partition("SUBCOMMANDS:\n")
    return re.findall(r"^  ([a-z][a-z:-]*)(?: \(default\))?(?:  |$)", listed, re.MULTILINE)


def helps(command: list[str]):
    """The help of a command, and of each below it."""
    shown = hearth(*command, "--help", COLUMNS="80").stdout
    yield command, shown
    for name in subcommands(shown):
        yield from helps([*command, name])


def test_each_help_fits_a_terminal():
    wide, known = [], []
    for command, shown in helps([]):
        known.append(" ".join(command))
        wide += [(command, line) for line in shown.splitlines() if len(line) > 80]
        assert "USAGE: hearth" in shown
    assert not wide
    assert {"serve", "mail", "emulators:exec", "snapshot fork", "trust export"} <= set(known)


def test_the_help_of_a_server_is_grouped():
    shown = hearth("serve", "--help").stdout
    places = [
        shown.index(title)
        for title in ("GENERAL:", "PORTS AND ADDRESSES:", "FIRESTORE:", "MAIL:", "OPTIONS:")
    ]
    assert places == sorted(places)
    assert "--profile <emulator|production>" in shown
    official = hearth("emulators:start", "--help").stdout
    assert "-P" in official and "-c" in official and "--debug" in official


def test_the_schema_of_seeds_is_printed():
    schema = json.loads(hearth("seed", "--schema").stdout)
    assert "users" in schema["properties"]


def test_a_seed_of_an_unknown_kind_says_how_yaml_is_named(tmp_path):
    (tmp_path / "s.txt").write_text("users:\n  - uid: ann\n")
    done = hearth("exec", "--seed", str(tmp_path / "s.txt"), "--", "true")
    assert done.returncode == 1 and "end with .yaml or .yml" in done.stderr


# MARK: Arguments


def test_arguments_do_not_need_proc():
    """Without /proc, a program must do what it was asked to, and start no server."""
    if subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode != 0:
        pytest.skip("no namespaces here")
    for arguments in (["--version"], ["version"]):
        done = subprocess.run(
            [
                "unshare",
                "-rm",
                "sh",
                "-c",
                'mount -t tmpfs none /proc && exec "$@"',
                "sh",
                binary(),
                *arguments,
            ],
            capture_output=True,
            text=True,
            timeout=30,
        )
        assert done.returncode == 0 and done.stdout.startswith("hearth "), done.stderr


# MARK: Completion


def completed(tmp_path, *words: str) -> list[str]:
    """What bash offers for the last of the words."""
    script = tmp_path / "completion.bash"
    script.write_text(hearth("--generate-completion-script", "bash").stdout)
    # Bash splits words at colons.
    split: list[str] = []
    for word in words:
        first, colon, rest = word.partition(":")
        split += [first, colon, rest] if colon and rest else [first, colon] if colon else [first]
    done = subprocess.run(
        [
            "bash",
            "--norc",
            "-c",
            """
           source "$1"; shift
           COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
           current="${COMP_WORDS[COMP_CWORD]}"; [ "$current" = : ] && current=
           _hearth_words hearth "$current" "${COMP_WORDS[COMP_CWORD - 1]}"
           printf '%s\\n' "${COMPREPLY[@]}"
         """,
            "bash",
            str(script),
            *split,
        ],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_completion_knows_values_files_and_commands(tmp_path):
    (tmp_path / "firestore.rules").write_text("")
    (tmp_path / "folder").mkdir()
    assert completed(tmp_path, "hearth", "serve", "--profile", "") == ["emulator", "production"]
    assert completed(tmp_path, "hearth", "serve", "--tokens", "") == ["rs256", "none"]
    assert "report" in completed(tmp_path, "hearth", "exec", "--indexes", "")
    assert "firestore.rules" in completed(tmp_path, "hearth", "serve", "--rules", "f")
    for flag in ("--seed", "--import", "--rules"):
        assert "folder" in completed(tmp_path, "hearth", "serve", flag, "fo"), flag
    assert completed(tmp_path, "hearth", "serve", "--data", "f") == ["folder"]
    assert completed(tmp_path, "hearth", "hea") == ["health"]


def test_completion_knows_commands_with_a_colon(tmp_path):
    # Bash puts the answer in place of what comes after the colon.
    assert completed(tmp_path, "hearth", "emulators:st") == ["start"]
    assert sorted(completed(tmp_path, "hearth", "emulators:")) == ["exec", "start"]
    assert sorted(completed(tmp_path, "hearth", "auth:")) == ["export", "import"]
    assert completed(tmp_path, "hearth", "auth:ex") == ["export"]
    assert "SALT_FIRST" in completed(tmp_path, "hearth", "auth:import", "--hash-input-order", "")
    assert "DEBUG" in completed(tmp_path, "hearth", "emulators:start", "--log-verbosity", "")


def test_completion_knows_the_command_of_exec(tmp_path):
    (tmp_path / "app.js").write_text("")
    assert "bash" in completed(tmp_path, "hearth", "exec", "--", "ba")
    assert "app.js" in completed(tmp_path, "hearth", "exec", "--", "node", "app")


def test_scripts_of_other_shells_are_made():
    for shell, words in [("zsh", "_normal"), ("fish", "__hearth_is_after_dashes")]:
        script = hearth("--generate-completion-script", shell).stdout
        assert words in script
        if program := shutil.which(shell):
            assert subprocess.run([program, "-n"], input=script, text=True).returncode == 0


# MARK: The doctor


def test_the_doctor_finds_what_ends_a_start(tmp_path):
    (tmp_path / "firebase.json").write_text(json.dumps({"firestore": {"rules": "r.rules"}}))
    (tmp_path / "r.rules").write_text("nonsense")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = hearth(
            "doctor",
            cwd=str(tmp_path),
            HEARTH_AUTH_PORT=port,
            HEARTH_FIRESTORE_PORT="0",
            HEARTH_CONSOLE_PORT="0",
            HEARTH_DATA=str(tmp_path / "r.rules"),
        )
    assert done.returncode == 1
    lines = [line.split(None, 1) for line in done.stdout.splitlines() if line]
    bad = " ".join(rest for mark, rest in lines if mark == "FAIL")
    assert "r.rules:1:1: " in bad and "is a file (--data)" in bad
    assert f"port {port}" in bad and f"(process {os.getpid()})" in bad
    assert done.stdout.endswith("A server would not start here.\n")


def test_the_doctor_is_content(tmp_path):
    free = {f"HEARTH_{name}_PORT": "0" for name in ("AUTH", "FIRESTORE", "CONSOLE")}
    done = hearth("doctor", cwd=str(tmp_path), **free)
    assert done.returncode == 0, done.stdout
    assert "no firebase.json here or above" in done.stdout or "firebase.json" in done.stdout
    assert "none: Firestore is open to everybody" in done.stdout
    assert done.stdout.endswith("A server can start here.\n")
