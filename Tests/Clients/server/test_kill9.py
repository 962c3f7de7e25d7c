"""kill -9 in the middle of a load loses no acknowledged write."""

import os
import random
import sqlite3
import threading
import uuid

import jwt
import requests
from support.server import Server

ROUNDS = int(os.environ.get("HEARTH_KILL_ROUNDS", "20"))


def write_until_dead(server, acknowledged, tokens, writing):
    session = requests.Session()
    url = f"{server.auth}/identitytoolkit.googleapis.com/v1/accounts"
    try:
        while True:
            email = f"{uuid.uuid4().hex}@example.com"
            reply = session.post(
                url + ":signUp?key=any", json={"email": email, "password": "secret1"}, timeout=30
            )
            body = reply.json()
            assert reply.status_code == 200, reply.text
            acknowledged[body["localId"]] = None
            tokens.append(body["idToken"])
            writing.set()
            name = uuid.uuid4().hex
            session.post(
                url + ":update?key=any",
                json={"idToken": body["idToken"], "displayName": name},
                timeout=30,
            ).raise_for_status()
            acknowledged[body["localId"]] = name
    except (requests.RequestException, ValueError):
        return


def test_acknowledged_writes_survive(tmp_path):
    data = str(tmp_path / "data")
    acknowledged: dict[str, str | None] = {}
    tokens: list[str] = []
    chance = random.Random(9)
    for _ in range(ROUNDS):
        server = Server("--data", data)
        writing = threading.Event()
        writers = [
            threading.Thread(target=write_until_dead, args=(server, acknowledged, tokens, writing))
            for _ in range(4)
        ]
        for writer in writers:
            writer.start()
        assert writing.wait(60), "nothing was acknowledged"
        threading.Event().wait(chance.uniform(0, 0.3))
        server.kill()
        for writer in writers:
            writer.join()

    with sqlite3.connect(data + "/hearth.sqlite") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert len(acknowledged) > ROUNDS
    server = Server("--data", data)
    ids = list(acknowledged)
    for start in range(0, len(ids), 100):
        users = server.admin("/accounts:lookup", {"localId": ids[start : start + 100]})["users"]
        names = {user["localId"]: user.get("displayName") for user in users}
        for local_id in ids[start : start + 100]:
            assert local_id in names
            # A name that was sent but not acknowledged may have come through.
            assert acknowledged[local_id] in (None, names[local_id])
    keys = jwt.PyJWKClient(server.auth + "/.well-known/jwks.json")
    for token in (tokens[0], tokens[-1]):
        key = keys.get_signing_key_from_jwt(token).key
        assert jwt.decode(token, key, algorithms=["RS256"], audience="demo-hearth")
    server.stop()
