"""What a start says: which rules hold, which names it does not know, and who has a port."""

import json
import os
import socket
import subprocess

import pytest
import requests
from support.firestore.rules import ruled
from support.server import PROJECT, Server, binary
from support.terminal import hearth

CLOSED = ruled("match /{all=**} { allow read: if false; }")
FREE = [
    "--auth-port",
    "0",
    "--firestore-port",
    "0",
    "--console-port",
    "0",
    "--hub-port",
    "none",
    "--smtp-port",
    "none",
    "--smtp-tls-port",
    "none",
    "--mail-api-port",
    "none",
]


def told(server: Server, subject: str) -> list[str]:
    return [line[11:] for line in server.lines if line.startswith(subject.ljust(11))]


# MARK: Rules and imports


def test_the_rules_of_a_seed_are_named(tmp_path):
    (tmp_path / "firestore.rules").write_text(CLOSED)
    seed = tmp_path / "seed.yaml"
    seed.write_text("rules: firestore.rules\n")
    server = Server("--seed", str(seed), cwd=str(tmp_path))
    assert told(server, "rules") == [f"firestore.rules (of the seed {seed})"]
    server.stop()


def test_rules_of_named_databases_leave_the_others_without(tmp_path):
    (tmp_path / "firebase.json").write_text(
        json.dumps(
            {
                "firestore": [
                    {"database": "second", "rules": "b.rules"},
                    {"database": "third", "rules": "b.rules"},
                ]
            }
        )
    )
    (tmp_path / "b.rules").write_text(CLOSED)
    for flags, effect in [
        ([], "Firestore is open to everybody"),
        (["--profile", "production"], "every client is refused, as in production"),
    ]:
        server = Server(*flags, cwd=str(tmp_path))
        assert told(server, "rules") == [
            f"none for other databases: {effect}",
            f"{tmp_path}/b.rules (second)",
            f"{tmp_path}/b.rules (third)",
        ]
        assert any(
            f"has no rules for the database (default) and for databases without rules of their "
            f"own: {effect}." in line
            for line in server.lines
        )
        server.stop()


def test_production_says_what_happens_without_rules(tmp_path):
    server = Server("--profile", "production", cwd=str(tmp_path))
    assert told(server, "rules") == ["none: every client is refused, as in production"]
    server.stop()
    warning = "rules: none: every client is refused, as in production (--rules FILE sets them)"
    (tmp_path / "a.rules").write_text(CLOSED)
    for flags, is_warned in [
        (["--profile", "production"], True),
        ([], False),
        (["--profile", "production", "--rules", "a.rules"], False),
    ]:
        done = hearth("exec", *flags, "--", "true", cwd=str(tmp_path))
        assert done.returncode == 0 and (warning in done.stderr) == is_warned, done.stderr


def test_an_import_of_nothing_is_not_called_imported(tmp_path):
    (tmp_path / "e").mkdir()
    server = Server("--import", "e", cwd=str(tmp_path))
    assert any("e has neither accounts nor documents" in line for line in server.lines)
    assert told(server, "imported") == []
    server.stop()


# MARK: Unknown names


@pytest.mark.parametrize(
    "name, near",
    [
        ("HEARTH_RULE", "did you mean HEARTH_RULES?"),
        ("HEARTH_AUTH_PROT", "did you mean HEARTH_AUTH_PORT?"),
        ("HEARTH_QWERTYUIOP", "`hearth help serve` lists all"),
    ],
)
def test_unknown_variables_are_told(name, near):
    done = hearth("exec", "--", "true", **{name: "1"})
    assert done.returncode == 0 and f"unknown variable {name}; {near}" in done.stderr


def test_variables_of_tests_and_of_children_are_known():
    known = dict.fromkeys(
        ["HEARTH_BINARY", "HEARTH_URL", "HEARTH_UNSIGNED_AUTH_HOST", "HEARTH_FUZZ_CALLS"], "1"
    )
    assert hearth("exec", "--", "true", **known).stderr == ""
    # A server within a server: whatever the outer one sets.
    inner = hearth("exec", "--", binary(), "exec", "--", "true")
    assert (inner.returncode, inner.stderr) == (0, "")


@pytest.mark.parametrize(
    "content, words",
    [
        ({"firestroe": {}}, "unknown member 'firestroe'; did you mean 'firestore'?"),
        (
            {"emulators": {"auth": {"prot": 0}}},
            "unknown member 'emulators.auth.prot'; did you mean 'port'?",
        ),
        ({"emulators": {"uii": {}}}, "unknown member 'emulators.uii'; did you mean 'ui'?"),
        (
            {"firestore": [{"rules": "r.rules"}, {"ruels": "r.rules"}]},
            "unknown member 'firestore.ruels'; did you mean 'rules'?",
        ),
        ({"qwertyuiop": 1}, "unknown member 'qwertyuiop'"),
    ],
)
def test_unknown_members_of_firebase_json_are_told(tmp_path, content, words):
    (tmp_path / "r.rules").write_text(CLOSED)
    (tmp_path / "firebase.json").write_text(json.dumps(content))
    done = hearth("exec", "--", "true", cwd=str(tmp_path))
    assert done.returncode == 0 and f"{tmp_path}/firebase.json: {words}" in done.stderr


def test_official_members_are_known(tmp_path):
    (tmp_path / "r.rules").write_text(CLOSED)
    (tmp_path / "firebase.json").write_text(
        json.dumps(
            {
                "$schema": "x",
                "hosting": {"public": "web"},
                "functions": [{"source": "f"}],
                "storage": {"rules": "s.rules"},
                "remoteconfig": {},
                "extensions": {},
                "firestore": {
                    "database": "(default)",
                    "location": "nam5",
                    "rules": "r.rules",
                    "predeploy": "true",
                },
                "emulators": {
                    "auth": {"host": "127.0.0.1"},
                    "firestore": {"websocketPort": 9150},
                    "ui": {"enabled": True},
                    "logging": {"port": 4500},
                    "dataconnect": {"a": 1},
                    "singleProjectMode": True,
                },
            }
        )
    )
    assert hearth("exec", "--", "true", cwd=str(tmp_path)).stderr == ""


@pytest.mark.parametrize(
    "content, words",
    [
        ("[1]", "it must be an object"),
        ('{"emulators": 1}', "emulators must be an object"),
        ('{"firestore": "x"}', "firestore must be an object or an array of objects"),
        ('{\n  "emulators": {\n    "auth": x\n', "firebase.json:3:13: Unexpected token in JSON"),
    ],
)
def test_a_firebase_json_of_another_form_ends_the_start(tmp_path, content, words):
    (tmp_path / "firebase.json").write_text(content)
    done = hearth(*FREE, cwd=str(tmp_path))
    assert done.returncode == 1 and words in done.stderr


# MARK: Ports


def test_a_port_of_another_hearth_is_the_first_thing_said(tmp_path):
    project = f"demo-taken-{os.getpid()}"
    first = Server("--project", project, "--hub-port", "0", cwd=str(tmp_path))
    auth, firestore = (first.addresses[name].rpartition(":")[2] for name in ("auth", "firestore"))
    environment = {k: v for k, v in os.environ.items() if not k.startswith("HEARTH_")}
    second = subprocess.run(
        [binary(), "--auth-port", auth, "--firestore-port", firestore, "--import", "nowhere"],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=tmp_path,
        env=environment,
    )
    owner = f"by another hearth (project {project}, process {first.process.pid}, in {tmp_path})"
    assert second.returncode == 1 and second.stdout == ""
    assert second.stderr.splitlines() == [
        f"Error: port {auth} is already in use {owner} (choose another with --auth-port)",
        f"port {firestore} is already in use {owner} (choose another with --firestore-port)",
    ]
    first.stop()


def test_a_port_of_another_program_is_told_with_its_process():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = hearth("--auth-port", str(port), "--firestore-port", "0", "--console-port", "0")
    assert done.returncode == 1
    assert f"port {port} is already in use by " in done.stderr
    assert f"(process {os.getpid()})" in done.stderr


# MARK: Data


def test_a_data_directory_that_cannot_be_used_says_why(tmp_path):
    (tmp_path / "file").write_text("")
    for path, words in [
        (str(tmp_path / "file"), f"'{tmp_path}/file' is a file"),
        (str(tmp_path / "file" / "below"), f"'{tmp_path}/file' is a file"),
        ("/proc/nowhere", "in '/proc': no directory can be made there"),
    ]:
        done = hearth(*FREE, "--data", path)
        assert (
            done.returncode == 1 and f"cannot open {path} for data (--data): {words}" in done.stderr
        )
    empty = hearth(*FREE, "--data", "")
    assert empty.returncode == 64 and "Error: --data: the value is empty" in empty.stderr


# MARK: Tokens


@pytest.mark.parametrize("flags", [["--tokens", "none"], ["--unsigned-auth-port", "0"]])
def test_production_takes_the_unsigned_tokens_that_the_server_issues(flags):
    server = Server("--profile", "production", *flags)
    auth = server.addresses.get("unsigned", server.auth)
    url = f"{auth}/identitytoolkit.googleapis.com/v1/accounts"
    session = requests.post(
        f"{url}:signUp?key=any",
        json={"email": "a@example.com", "password": "secret-1", "returnSecureToken": True},
        timeout=30,
    )
    token = session.json()["idToken"]
    assert token.endswith(".")

    def looked_up(token: str) -> str:
        reply = requests.post(f"{url}:lookup?key=any", json={"idToken": token}, timeout=30).json()
        return reply["error"]["message"] if "error" in reply else reply["users"][0]["email"]

    def read(token: str) -> int:
        document = f"/v1/projects/{PROJECT}/databases/(default)/documents/c/d"
        return requests.get(
            server.addresses["firestore"] + document,
            headers={"Authorization": f"Bearer {token}"},
            timeout=30,
        ).status_code

    assert looked_up(token) == "a@example.com" and read(token) in (403, 404)
    control = f"{server.auth}/emulator/v1/projects/{PROJECT}/switches"
    # Whatever the switch says, now and later.
    for is_on in (True, False):
        assert requests.patch(control, json={"acceptUnsignedTokens": is_on}, timeout=30).ok
        assert looked_up(token) == "a@example.com" and read(token) in (403, 404)
    # Of another project it is still refused.
    other = requests.post(
        url.replace("/v1/accounts", "/v1/projects/demo-other/accounts") + ":lookup?key=any",
        json={"idToken": token},
        timeout=30,
    )
    assert other.status_code == 400
    server.stop()


def test_google_and_unsigned_tokens_exclude_each_other():
    for flags in (["--tokens", "none"], ["--unsigned-auth-port", "0"]):
        done = hearth(*FREE, "--as-google", "--tls-port", "0", *flags)
        assert done.returncode == 64 and "cannot be combined with --as-google" in done.stderr
