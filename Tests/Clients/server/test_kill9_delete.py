"""kill -9 while a project is deleted leaves all of it, or nothing."""

import contextlib
import os
import random
import shutil
import sqlite3
import threading

import requests
from support.server import Server

ROUNDS = int(os.environ.get("HEARTH_KILL_ROUNDS", "12"))
PROJECT = "demo-deleted"
DOCUMENTS = 1500
USERS = 300


def fill(server) -> None:
    """Documents, accounts, a mail, a setting, a webhook and a snapshot."""
    firestore = server.addresses["firestore"]
    root = f"projects/{PROJECT}/databases/(default)/documents"
    owner = {"Authorization": "Bearer owner"}
    control = f"{server.auth}/emulator/v1/projects/{PROJECT}"
    accounts = f"{server.auth}/identitytoolkit.googleapis.com/v1/projects/{PROJECT}/accounts"

    def made(reply):
        assert reply.status_code == 200, reply.text

    for start in range(0, DOCUMENTS, 500):
        writes = [
            {"update": {"name": f"{root}/a/{n}", "fields": {"n": {"integerValue": n}}}}
            for n in range(start, start + 500)
        ]
        made(
            requests.post(
                f"{firestore}/v1/{root}:commit", json={"writes": writes}, headers=owner, timeout=30
            )
        )
    users = [{"localId": f"u{n}", "email": f"u{n}@example.com"} for n in range(USERS)]
    made(requests.post(accounts + ":batchCreate", json={"users": users}, headers=owner, timeout=30))
    made(
        requests.post(
            accounts + ":sendOobCode",
            json={"requestType": "PASSWORD_RESET", "email": "u1@example.com"},
            headers=owner,
            timeout=30,
        )
    )
    made(requests.patch(control + "/switches", json={"appName": "Before"}, timeout=30))
    made(
        requests.put(
            control + "/webhooks", json={"webhooks": [{"url": "http://127.0.0.1:1/"}]}, timeout=30
        )
    )
    made(requests.post(control + "/snapshots", json={"name": "one"}, timeout=30))


def left(path: str) -> dict[str, int]:
    """How many rows of each kind the project has in the database."""
    tables = {
        "documents": "SELECT count(*) FROM firestore_documents WHERE collection IN "
        "(SELECT id FROM firestore_collections WHERE project = ?)",
        "users": "SELECT count(*) FROM users WHERE project = ?",
        "mails": "SELECT count(*) FROM messages WHERE project = ?",
        "settings": "SELECT count(*) FROM projects WHERE project = ?",
        "webhooks": "SELECT count(*) FROM webhooks WHERE project = ?",
        "snapshots": "SELECT count(*) FROM snapshots WHERE project = ?",
    }
    with sqlite3.connect(path) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        known = {row[0] for row in database.execute("SELECT name FROM sqlite_master")}
        # Without snapshots there are no tables of them.
        if "snapshots" not in known:
            tables["snapshots"] = "SELECT count(*) WHERE ? = ''"
        return {
            name: database.execute(query, [PROJECT]).fetchone()[0] for name, query in tables.items()
        }


def test_a_killed_deletion_leaves_all_or_nothing(tmp_path):
    chance = random.Random(8)
    origin = tmp_path / "origin"
    server = Server("--data", str(origin))
    fill(server)
    server.stop()
    whole = left(f"{origin}/hearth.sqlite")
    assert (whole["documents"], whole["users"]) == (DOCUMENTS, USERS)
    nothing = dict.fromkeys(whole, 0)
    assert not any(whole[name] == 0 for name in whole), whole

    for number in range(ROUNDS):
        data = str(tmp_path / str(number))
        shutil.copytree(origin, data)
        server = Server("--data", data)
        answers = []

        def delete(server=server, answers=answers):
            with contextlib.suppress(requests.RequestException):
                reply = requests.delete(f"{server.auth}/emulator/v1/projects/{PROJECT}", timeout=30)
                answers.append(reply.status_code)

        deleting = threading.Thread(target=delete)
        deleting.start()
        # The last rounds wait for the answer.
        if number >= ROUNDS - 2:
            deleting.join()
        else:
            threading.Event().wait(chance.uniform(0, 0.2))
        server.kill()
        deleting.join()
        # The next start finishes what the database has in its log.
        server = Server("--data", data)
        server.stop()
        rows = left(data + "/hearth.sqlite")
        assert rows in (whole, nothing), rows
        if answers == [200]:
            assert rows == nothing
        shutil.rmtree(data)
