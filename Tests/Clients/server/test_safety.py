"""What must not stop the server, and what must end it."""

import base64
import contextlib
import gzip
import json
import os
import pathlib
import random
import re
import resource
import select
import shutil
import signal
import socket
import subprocess
import time
from concurrent import futures

import bcrypt
import pytest
import requests
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from support.server import PROJECT, Server, binary
from support.waiting import until
from support.wire import V1

ROUNDS = int(os.environ.get("HEARTH_FUZZ_REQUESTS", "200000")) // 1000
DOCUMENTS = f"/v1/projects/{PROJECT}/databases/(default)/documents"
# Seconds after a signal in which another one counts as its echo.
ECHO = 0.2
PORTS = ["--auth-port", "0", "--firestore-port", "0", "--console-port", "0"]


def start(*flags) -> subprocess.CompletedProcess:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("HEARTH_")}
    return subprocess.run(
        [binary(), *PORTS, *map(str, flags)], capture_output=True, text=True, timeout=60, env=clean
    )


# MARK: Signing keys


PLAIN = serialization.NoEncryption()


def pem(key, encryption=PLAIN) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption
    )


RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
UNUSABLE = {
    "emptied": ("000001.pem", b""),
    "cut": ("000001.pem", pem(RSA)[:700]),
    "of 1024 bits": ("000001.pem", pem(rsa.generate_private_key(65537, 1024))),
    "of a curve": ("000001.pem", pem(ec.generate_private_key(ec.SECP256R1()))),
    "encrypted": ("000001.pem", pem(RSA, serialization.BestAvailableEncryption(b"x"))),
    "of another name": ("evil.pem", pem(RSA)),
}


@pytest.mark.parametrize("name, content", UNUSABLE.values(), ids=UNUSABLE)
def test_a_key_that_cannot_be_used_ends_the_start(tmp_path, name, content):
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys/000007.pem").write_bytes(pem(RSA))
    (tmp_path / "keys" / name).write_bytes(content)
    done = start("--data", tmp_path)
    assert done.returncode == 1 and name in done.stderr
    assert "All emulators ready" not in done.stdout


def test_a_first_key_that_cannot_be_written_ends_the_start(tmp_path):
    (tmp_path / "keys/000001.pem.partial").mkdir(parents=True)
    done = start("--data", tmp_path)
    assert done.returncode == 1 and f"cannot write a signing key to {tmp_path}" in done.stderr


def test_a_disk_that_is_full_when_the_first_key_is_written_may_get_room_again(tmp_path):
    if subprocess.run(["unshare", "-rm", "true"], capture_output=True).returncode != 0:
        pytest.skip("this machine gives out no namespaces")
    keys = tmp_path / "keys"
    keys.mkdir()
    # The keys have a disk of one page, which is taken.
    fill = f"mount -t tmpfs -o size=4k none {keys} && head -c 4096 /dev/zero > {keys}/filler"
    below = ("unshare", "-rm", "sh", "-c", fill + ' && exec "$@"', "sh")
    server = Server("--data", str(tmp_path), below=below)
    reply = server.post("/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any")
    assert reply.status_code == 500
    assert reply.json()["error"]["message"].endswith("the server's log says why")
    inside = pathlib.Path(f"/proc/{server.process.pid}/root{keys}")
    (inside / "filler").unlink()
    assert server.accounts("signUp", {})["idToken"]
    assert (inside / "000001.pem").exists()
    server.stop()
    full = f"cannot write a signing key to {keys}: No space left on device"
    assert any(full in line for line in server.lines)


def test_a_key_that_others_can_read_causes_a_warning(tmp_path):
    (tmp_path / "keys").mkdir()
    key = tmp_path / "keys/000001.pem"
    key.write_bytes(pem(RSA))
    for mode, is_told in [(0o644, True), (0o600, False)]:
        key.chmod(mode)
        server = Server("--data", str(tmp_path))
        server.stop()
        assert any(f"chmod 600 {key}" in line for line in server.lines) == is_told


def test_a_rotation_that_cannot_be_written_says_why_and_no_more(tmp_path):
    server = Server("--data", str(tmp_path))
    server.accounts("signUp", {})
    (tmp_path / "keys/000002.pem.partial").mkdir()
    reply = server.post("/emulator/v1/keys:rotate")
    assert reply.status_code == 500
    message = reply.json()["error"]["message"]
    assert message == "INTERNAL : the new signing key cannot be written: File exists"
    server.accounts("signUp", {})
    server.stop()


@pytest.mark.parametrize("lose", [shutil.rmtree, lambda path: path.rename(f"{path}-moved")])
def test_a_data_directory_that_is_gone_is_told_of(tmp_path, lose):
    data = tmp_path / "data"
    server = Server("--data", str(data))
    # A token needs the key, which is in the directory by then.
    server.accounts("signUp", {})
    assert requests.get(server.auth, timeout=30).status_code == 200
    lose(data)
    reply = requests.get(server.auth, timeout=30)
    assert reply.status_code == 503 and "the data directory is gone" in reply.text
    line = next(line for line in server.process.stdout if "is gone" in line)
    assert str(data) in line
    server.accounts("signUp", {})
    server.stop()


# MARK: Slow work


def slow_user(server: Server, cost: int) -> None:
    hashed = base64.b64encode(
        bcrypt.hashpw(b"right", bcrypt.gensalt(4)).replace(b"$04$", f"${cost}$".encode())
    ).decode()
    answer = server.admin(
        "/accounts:batchCreate",
        {
            "hashAlgorithm": "BCRYPT",
            "users": [{"localId": "slow", "email": "slow@example.com", "passwordHash": hashed}],
        },
    )
    assert answer["error"] == []


def sign_in(server: Server) -> requests.Response:
    return requests.post(
        f"{server.auth}{V1}signInWithPassword?key=any",
        timeout=200,
        json={"email": "slow@example.com", "password": "wrong"},
    )


def test_slow_passwords_delay_no_other_request_and_are_bounded():
    server = Server()
    # Slow enough that all have come before the first ones are done.
    slow_user(server, 12)
    with futures.ThreadPoolExecutor(60) as clients:
        waiting = [clients.submit(sign_in, server) for _ in range(60)]
        assert requests.get(server.auth, timeout=30).status_code == 200
        assert not all(one.done() for one in waiting)
        replies = [one.result() for one in waiting]
    server.stop()
    assert {reply.status_code for reply in replies} == {400, 503}
    for reply in replies:
        error = reply.json()["error"]
        if reply.status_code == 400:
            assert error["message"] == "INVALID_PASSWORD"
        else:
            assert error["status"] == "UNAVAILABLE" and "password hashing" in error["message"]


# MARK: The end


def test_slow_work_does_not_hold_up_the_end():
    server = Server()
    slow_user(server, 13)
    with futures.ThreadPoolExecutor(30) as clients:
        waiting = [clients.submit(sign_in, server) for _ in range(30)]
        futures.wait(waiting, timeout=1)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(60) == 0
        assert any(one.exception() for one in waiting), "the end waited for all of them"
    server.process.stdout.close()


ENDLESS = """rules_version = '2';
service cloud.firestore { match /databases/{d}/documents { match /{a=**} {
  function f(a) { let b = [a, a]; let c = [b, b]; let d = [c, c]; let e = [d, d]; return [e, e]; }
  function g(a) { return f(f(f(f(a)))); }
  allow read: if g(g(g(1))) == g(g(g(1)));
} } }
"""


def test_expensive_rules_keep_nobody_else_waiting(tmp_path):
    (tmp_path / "rules").write_text(ENDLESS)
    server = Server("--rules", str(tmp_path / "rules"), "--rules-budget", str(10**18))
    url = f"{server.addresses['firestore']}{DOCUMENTS}/c/d"
    owner = {"Authorization": "Bearer owner"}
    with futures.ThreadPoolExecutor(4) as clients, contextlib.ExitStack() as cleanup:
        cleanup.callback(server.process.stdout.close)
        cleanup.callback(server.process.wait)
        cleanup.callback(server.process.kill)
        # More than there are threads for them.
        stuck = [clients.submit(requests.get, url, timeout=60) for _ in range(4)]
        assert not futures.wait(stuck, timeout=1).done
        for number in range(20):
            body = {"fields": {"n": {"integerValue": str(number)}}}
            done = requests.patch(url, json=body, headers=owner, timeout=60)
            assert done.status_code == 200, done.text
        server.admin("/accounts", {"localId": "u"})
        assert not any(one.done() for one in stuck)


def test_threads_that_are_stuck_do_not_hold_up_the_end(tmp_path):
    (tmp_path / "rules").write_text(ENDLESS)
    server = Server("--rules", str(tmp_path / "rules"), "--rules-budget", str(10**18))
    url = f"{server.addresses['firestore']}{DOCUMENTS}/c/d"
    with futures.ThreadPoolExecutor(16) as clients:
        waiting = [clients.submit(requests.get, url, timeout=60) for _ in range(16)]
        assert not futures.wait(waiting, timeout=2).done
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(30) == 0
        assert all(one.exception() for one in waiting)
    server.process.stdout.close()


def populated(server: Server, count: int) -> None:
    for start in range(0, count, 1000):
        server.admin(
            "/accounts:batchCreate",
            {
                "users": [
                    {"localId": f"u{n}", "displayName": "x" * 200}
                    for n in range(start, start + 1000)
                ]
            },
        )


def test_a_second_signal_ends_an_export_and_leaves_the_old_one(tmp_path):
    first = Server("--export-on-exit", str(tmp_path))
    first.admin("/accounts", {"localId": "old"})
    first.stop()
    accounts = tmp_path / "auth_export/accounts.json"
    before = accounts.read_text()
    second = Server("--export-on-exit", str(tmp_path))
    # More than are written until the second signal is there.
    populated(second, 60_000)
    second.process.send_signal(signal.SIGTERM)
    for line in second.process.stdout:
        if "Exporting to" in line:
            break
    heard = time.monotonic()
    second.process.send_signal(signal.SIGSTOP)
    until(lambda: time.monotonic() - heard > ECHO, what="the end of the time for echoes")
    second.process.send_signal(signal.SIGTERM)
    second.process.send_signal(signal.SIGCONT)
    assert second.process.wait(30) == 128 + signal.SIGTERM
    second.process.stdout.close()
    assert accounts.read_text() == before
    # The remains of the interrupted export do no harm.
    third = Server("--import", str(tmp_path), "--export-on-exit", str(tmp_path))
    third.stop()
    assert [user["localId"] for user in json.loads(accounts.read_text())["users"]] == ["old"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "auth_export",
        "firebase-export-metadata.json",
        "firestore_export",
    ]


def test_an_export_shows_its_progress_and_is_private(tmp_path):
    server = Server("--export-on-exit", str(tmp_path / "out"))
    populated(server, 21_000)
    server.stop()
    said = "\n".join(server.lines)
    assert "Exporting to" in said and "Exported 20000 accounts so far." in said
    modes = {path.name: oct(path.stat().st_mode & 0o777) for path in (tmp_path / "out").rglob("*")}
    folders = {modes.pop("auth_export"), modes.pop("firestore_export")}
    assert folders == {"0o700"} and set(modes.values()) == {"0o600"}
    assert (tmp_path / "out").stat().st_mode & 0o777 == 0o700


# MARK: Imports


def import_of(server: Server, path) -> requests.Response:
    return server.post(f"/emulator/v1/projects/{PROJECT}:import", {"path": str(path)})


def test_an_import_reads_regular_files_only(hearth, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    os.mkfifo(tmp_path / "pipe.csv")
    folder = tmp_path / "folder"
    folder.mkdir()
    os.mkfifo(folder / "accounts.json")
    metadata = tmp_path / "metadata"
    metadata.mkdir()
    os.mkfifo(metadata / "firebase-export-metadata.json")
    for path in [tmp_path / "pipe.csv", folder, metadata]:
        reply = import_of(hearth, path)
        assert reply.status_code == 400, reply.text
        assert "is not a regular file" in reply.json()["error"]["message"]
    for path in [tmp_path / "pipe", "/dev/zero"]:
        reply = import_of(hearth, path)
        assert reply.status_code == 400, reply.text
        assert "there is no export in" in reply.json()["error"]["message"]


def test_an_export_that_was_interrupted_between_its_steps_is_read(hearth, tmp_path):
    (tmp_path / "firebase-export-metadata.json").write_text(
        json.dumps({"version": "15.28.1", "auth": {"version": "15.28.1", "path": "auth_export"}})
    )
    folder = tmp_path / ".auth_export.hearth-previous"
    folder.mkdir()
    (folder / "accounts.json").write_text('{"users": [{"localId": "interrupted"}]}')
    assert import_of(hearth, tmp_path).json()["imported"] == 1


# MARK: Files of all kinds

USERS = json.dumps(
    {
        "users": [
            {
                "localId": "u",
                "email": "A@b.c",
                "passwordHash": "fakeHash:salt=s:password=p",
                "salt": "s",
                "createdAt": "1",
                "providerUserInfo": [{"providerId": "google.com", "rawId": "1"}],
                "mfaInfo": [{"mfaEnrollmentId": "m", "phoneInfo": "+1"}],
                "customAttributes": "{}",
            }
        ]
    }
)
EXTRA = (
    '{"config":{},"switches":{},"tenants":[{"tenantId":"t"}],"idpConfigs":[]}\n'
    '{"localId":"u","createdAt":"5","mfaInfo":[{"totpSecret":"A"}]}\n'
)
FILES = {
    "accounts.json": USERS,
    "accounts-t.json": USERS,
    "hearth-extra.ndjson": EXTRA,
    "config.json": '{"signIn":{"allowDuplicateEmails":true}}',
    "firebase-export-metadata.json": '{"version":"1","auth":{"version":"1","path":"."}}',
    "users.csv": 'u,a@b.c,true,aGFzaA==,c2E=,"A ""B""",,,,,,,,,,,,,,,,,,1,2,+1,false,{}\n',
}
PIECES = [
    b"",
    b"\x00",
    b"\xff\xfe",
    b"null",
    b"[",
    b"}",
    b'"',
    b"\\u0000",
    b"1e999",
    b"-",
    b",,",
    b"\n",
    b'{"localId":1}',
    b"9" * 400,
    b"[" * 3000,
    "é\u0301".encode(),
]


def mutated(chance: random.Random, text: str) -> bytes:
    content = bytearray(text.encode())
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(content) + 1)
        until = at + chance.choice([0, 0, 1, 5, 50])
        content[at:until] = chance.choice(PIECES)
    return bytes(content)


def test_imports_of_all_kinds_are_answered(tmp_path):
    chance = random.Random(7)
    server = Server()
    for _ in range(ROUNDS):
        for name, text in FILES.items():
            (tmp_path / name).write_bytes(
                mutated(chance, text) if chance.random() < 0.4 else text.encode()
            )
        path = chance.choice(
            [tmp_path, tmp_path, tmp_path / "users.csv", tmp_path / "accounts.json"]
        )
        reply = import_of(server, path)
        assert reply.status_code in (200, 400), reply.text
        # What becomes of passwords in clear is said where there are some.
        assert reply.json().keys() - {"note"} == (
            {"error"} if reply.status_code == 400 else {"imported", "refusals"}
        )
    server.accounts("signUp", {})
    server.stop()


SETTINGS = json.dumps(
    {
        "emulators": {
            "auth": {"port": 0, "host": "127.0.0.1"},
            "firestore": {"port": 0},
            "singleProjectMode": True,
        },
        "firestore": {"rules": "x.rules"},
    }
)
RULES = (
    "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{d}/documents {\n"
    "    match /{a=**} { allow read, write: if request.auth != null; }\n  }\n}\n"
)


def test_settings_of_all_kinds_start_or_say_in_one_line_why_not(tmp_path):
    chance = random.Random(11)
    for number in range(max(10, ROUNDS // 10)):
        broken = number % 3
        (tmp_path / "firebase.json").write_bytes(
            mutated(chance, SETTINGS) if broken != 1 else SETTINGS.encode()
        )
        (tmp_path / "x.rules").write_bytes(
            mutated(chance, RULES) if broken != 0 else RULES.encode()
        )
        process = subprocess.Popen(
            [binary(), *PORTS, "--config", str(tmp_path / "firebase.json")],
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            errors="replace",
            env={k: v for k, v in os.environ.items() if not k.startswith("HEARTH_")},
        )
        started = any(line.startswith("All emulators ready") for line in process.stdout)
        if started:
            process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
        if started:
            assert process.returncode == 0, errors
        else:
            assert process.returncode in (1, 64), errors
            assert errors.count("Error: ") == 1 and "Fatal" not in errors, errors


MIB = 1 << 20


def resident(server: Server, peak: bool = False) -> int:
    """Bytes of memory that the server has, or has had."""
    status = open(f"/proc/{server.process.pid}/status").read()
    return int(re.search(rf"Vm{'HWM' if peak else 'RSS'}:\s+(\d+) kB", status)[1]) << 10


def raw(url: str, request: bytes, room: int | None = None) -> socket.socket:
    host, _, port = url.removeprefix("http://").rpartition(":")
    connection = socket.socket()
    if room:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    connection.settimeout(60)
    connection.connect((host, int(port)))
    connection.sendall(request)
    return connection


BODIES = {
    "values": b'{"x":[' + b"0," * (5 * MIB - 20) + b"0]}",
    "lists": b'{"x":[' + b"[{}]," * (2 * MIB - 20) + b"0]}",
    "members": b"{" + b",".join(b'"%d":1' % n for n in range(800_000)) + b"}",
    "texts": b'{"x":[' + b'"0123456789abcdef",' * 480_000 + b"0]}",
    "a text": b'{"x":"' + b"0" * (10 * MIB - 20) + b'"}',
}


def zipped(server: Server, body: bytes) -> requests.Response:
    return requests.post(
        f"{server.auth}{V1}signUp?key=any",
        data=gzip.compress(body),
        timeout=80,
        headers={"Content-Type": "application/json", "Content-Encoding": "gzip"},
    )


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_body_takes_little_memory_however_it_is_packed(body):
    server = Server()
    assert len(body) <= 10 * MIB
    assert zipped(server, body).status_code in (200, 400)
    assert resident(server, peak=True) < 200 * MIB
    server.stop()


def test_many_large_bodies_at_once_take_little_more_memory():
    server = Server()
    # So that each keeps what it was read into.
    server.post(
        f"/emulator/v1/projects/{PROJECT}/faults",
        {"operation": "*.signUp", "effect": {"latency": "1s"}},
    )
    with futures.ThreadPoolExecutor(6) as clients:
        waiting = [clients.submit(zipped, server, BODIES["texts"]) for _ in range(6)]
        assert requests.get(server.auth, timeout=60).status_code == 200
        assert {one.result().status_code for one in waiting} == {200}
    assert resident(server, peak=True) < 400 * MIB
    server.stop()


def test_many_writes_of_a_large_document_keep_one_version_of_it():
    server = Server()
    documents = f"/v1/projects/{PROJECT}/databases/(default)/documents"
    document = f"{documents.removeprefix('/v1/')}/large/a"

    def commit(*writes: dict) -> int:
        return requests.post(
            f"{server.addresses['firestore']}{documents}:commit",
            headers={"Authorization": "Bearer owner"},
            json={"writes": writes},
            timeout=150,
        ).status_code

    def numbers(start: int, count: int) -> dict:
        return {"values": [{"integerValue": str(start + number)} for number in range(count)]}

    list_ = {"arrayValue": numbers(0, 50_000)}
    assert commit({"update": {"name": document, "fields": {"list": list_}}}) == 200
    added = [
        {"fieldPath": "list", "appendMissingElements": numbers(100_000 + number, 1)}
        for number in range(100)
    ]
    writes = [{"transform": {"document": document, "fieldTransforms": [each]}} for each in added]
    assert commit(*writes) == 200
    # Each version takes 3 MB.
    assert resident(server, peak=True) < 200 * MIB
    server.stop()


def test_a_server_with_few_files_serves_some_and_then_the_others(tmp_path, monkeypatch):
    few = tmp_path / "hearth"
    few.write_text(f'#!/bin/sh\nulimit -n 64\nexec "{binary()}" "$@"\n')
    few.chmod(0o755)
    monkeypatch.setenv("HEARTH_BINARY", str(few))
    server = Server()
    hello = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
    waiting = [raw(url, hello) for url in server.addresses.values() for _ in range(30)]
    assert select.select(waiting, [], [], 60)[0]
    wait_until_idle(server)
    rounds = 0
    while waiting:
        served = select.select(waiting, [], [], 60)[0]
        assert served, f"{len(waiting)} are never served"
        rounds += 1
        for client in served:
            assert client.recv(12) == b"HTTP/1.1 200"
            client.close()
            waiting.remove(client)
    assert rounds > 1
    server.accounts("signUp", {})
    server.stop()


def test_a_server_without_a_file_left_waits_for_one():
    server = Server()
    # Its key is made by now, which would count as work below.
    server.accounts("signUp", {})
    left = len(os.listdir(f"/proc/{server.process.pid}/fd")) + 3
    resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (left, left))
    clients = [raw(server.auth, b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") for _ in range(20)]
    assert select.select(clients, [], [], 60)[0]
    wait_until_idle(server)
    for client in clients:
        client.close()
    server.accounts("signUp", {})
    server.stop()


def wait_until_idle(server: Server) -> None:
    """A server that tries to take connections again and again is never idle."""
    looks = []

    def is_idle() -> bool:
        looks.append(used(server))
        return len(looks) > 20 and looks[-20] == looks[-1]

    until(is_idle, what="a server that uses no processor time")


def used(server: Server) -> float:
    """Seconds of processor time."""
    fields = open(f"/proc/{server.process.pid}/stat").read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize("line", [b"GET /\x01 HTTP/1.1", b"GE T / HTTP/1.1", b"nonsense"])
def test_what_is_not_http_is_told_so_in_full(hearth, line):
    for _ in range(20):
        client = raw(hearth.auth, line + b"\r\nHost: localhost\r\n\r\n")
        # What comes after it is read too: an answer on its way is lost when bytes are left unread.
        with contextlib.suppress(ConnectionError):
            for _ in range(10):
                client.sendall(b"x" * 20_000)
        answer = b""
        with contextlib.suppress(ConnectionError):
            while piece := client.recv(1 << 16):
                answer += piece
        head, _, body = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 400")
        assert json.loads(body)["error"]["code"] == 400
        assert f"content-length: {len(body)}".encode() in head.lower()
        client.close()
