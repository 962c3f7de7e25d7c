"""`hearth snapshot`, as scripts use it."""

import os
import subprocess

import requests
from support.server import PROJECT, Server, binary


def test_snapshots_are_saved_restored_forked_listed_and_deleted():
    server = Server()
    try:
        auth = server.addresses["auth"]

        def snapshot(*arguments: str) -> tuple[int, str, str]:
            clean = {k: v for k, v in os.environ.items() if not k.startswith("HEARTH_")}
            done = subprocess.run(
                [
                    binary(),
                    "snapshot",
                    *arguments,
                    "--project",
                    PROJECT,
                    "--address",
                    auth.removeprefix("http://"),
                ],
                capture_output=True,
                text=True,
                timeout=60,
                env=clean,
            )
            return done.returncode, done.stdout, done.stderr

        def sign_up() -> int:
            return requests.post(
                f"{auth}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any",
                json={"email": "ann@example.com", "password": "secret1"},
                timeout=30,
            ).status_code

        assert snapshot("list")[1:] == ("", "hearth: no snapshots\n")
        assert snapshot("save", "empty")[1].startswith("Saved empty, 20")
        status, _, complaint = snapshot("save", "empty")
        assert status != 0 and "snapshot empty already exists" in complaint
        assert snapshot("save", "empty", "--replace")[0] == 0
        assert (sign_up(), sign_up()) == (200, 400)
        assert snapshot("restore", "empty", "--keep-clock")[1] == "Restored empty.\n"
        assert (sign_up(), sign_up()) == (200, 400)
        assert snapshot("fork", "empty", "demo-copy")[1] == "Created project demo-copy.\n"
        assert len(snapshot("list")[1].splitlines()) == 1
        assert snapshot("delete", "empty")[1] == "Deleted empty.\n"
        status, _, complaint = snapshot("restore", "empty")
        assert status != 0 and "no snapshot empty" in complaint
    finally:
        server.stop()


def test_a_snapshot_is_deleted_if_it_is_still_the_one_that_is_meant():
    server = Server()
    try:
        snapshots = f"{server.addresses['auth']}/emulator/v1/projects/{PROJECT}/snapshots"

        def delete(made: str):
            url = f"{snapshots}/seeded"
            return requests.delete(url, params={"createdAt": made}, timeout=30)

        made = requests.post(snapshots, json={"name": "seeded"}, timeout=30).json()["createdAt"]
        refused = delete("2026-01-31T09:30:00.000Z")
        assert refused.status_code == 409, refused.text
        assert refused.json()["error"]["status"] == "ABORTED"
        assert "snapshot seeded" in refused.json()["error"]["message"]
        assert len(requests.get(snapshots, timeout=30).json()["snapshots"]) == 1
        assert delete("yesterday").status_code == 409
        assert delete(made).status_code == 200
        assert delete(made).status_code == 404
    finally:
        server.stop()


def test_rules_count_towards_the_bytes_of_a_snapshot():
    server = Server()
    try:
        project = f"{server.addresses['auth']}/emulator/v1/projects/{PROJECT}"

        def size(name: str) -> int:
            reply = requests.post(project + "/snapshots", json={"name": name}, timeout=30)
            assert reply.status_code == 200, reply.text
            return reply.json()["bytes"]

        before = size("before")
        rules = (
            "rules_version = '2'; // " + "x" * 50_000 + "\nservice cloud.firestore {"
            "match /databases/{d}/documents { match /{x=**} { allow read: if true; } } }"
        )
        reply = requests.put(
            f"{server.addresses['firestore']}/emulator/v1/projects/{PROJECT}:securityRules",
            json={"rules": {"files": [{"content": rules}]}},
            timeout=30,
        )
        assert reply.status_code == 200, reply.text
        assert size("after") >= before + 50_000
    finally:
        server.stop()
