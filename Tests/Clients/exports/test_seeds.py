"""`--seed`: users, documents and settings that people write, and `hearth seed dump`."""

import json
import subprocess

import pytest
import requests

from support.folders import Place
from support.server import PROJECT, Server, binary

SEED = {
    "tenants": {"north": {"displayName": "North"}},
    "users": [
        {"uid": "ada", "email": "ada@example.com", "emailVerified": True, "password": "secret-1",
         "claims": {"role": "admin"}, "factors": [{"phone": "+15555550100"}]},
        {"uid": "bob", "tenant": "north", "email": "bob@example.com", "password": "secret-2",
         "providers": [{"provider": "google.com", "uid": "g-1"}]}],
    "documents": {"users/ada": {
        "name": "Ada", "age": 36, "ratio": 0.5, "none": None, "yes": True, "list": [1, "x", {}],
        "whole": {"$double": 2}, "nan": {"$double": "NaN"},
        "born": {"$timestamp": "1815-12-10T00:00:00Z"}, "friend": {"$reference": "users/bob"},
        "home": {"$geopoint": [51.5, -0.25]}, "key": {"$bytes": "AAEC"},
        "vector": {"$vector": [0.5, 1.5]}, "odd": {"$map": {"$bytes": "plain"}},
        "deep": {"a": {"b": [{"$timestamp": "2027-01-31T09:30:00Z"}]}}}},
    "databases": {"second": {"c/d": {"n": 1}}},
    "switches": {"codeExpiry": False},
    "faults": [{"operation": "*.signUp", "effect": {"error": "UNAVAILABLE"}, "times": 1}],
    "clock": {"now": "2027-01-31T09:30:00.000Z", "frozen": True},
}


def written(tmp_path, seed, name="seed.json") -> str:
    path = tmp_path / name
    path.write_text(seed if isinstance(seed, str) else json.dumps(seed, indent=1))
    return str(path)


def dumped(server: Server) -> dict:
    done = subprocess.run([binary(), "seed", "dump", "--address", server.host],
                          capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_seed_is_read_and_written(tmp_path):
    server = Server("--seed", written(tmp_path, SEED))
    fields = Place(server.auth, PROJECT).documents()["users/ada"]
    assert fields["age"] == {"integerValue": "36"} and fields["ratio"] == {"doubleValue": 0.5}
    assert fields["born"] == {"timestampValue": "1815-12-10T00:00:00Z"}
    assert fields["friend"]["referenceValue"].endswith("/documents/users/bob")
    assert fields["odd"]["mapValue"]["fields"] == {"$bytes": {"stringValue": "plain"}}
    assert Place(server.auth, PROJECT, "second").documents() == {"c/d": {"n": {"integerValue": "1"}}}
    reply = server.post("/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any",
                        {"email": "ada@example.com", "password": "secret-1"})
    assert reply.status_code == 200 and "mfaPendingCredential" in reply.json()
    control = f"{server.auth}/emulator/v1/projects/{PROJECT}"
    assert requests.get(f"{control}/clock", timeout=30).json()["frozen"]
    assert requests.get(f"{control}/switches", timeout=30).json()["codeExpiry"] is False
    dump = dumped(server)
    for name in ("documents", "databases", "switches", "clock"):
        assert dump[name] == SEED[name], name
    assert [user["uid"] for user in dump["users"]] == ["ada", "bob"]
    assert dump["users"][0]["claims"] == {"role": "admin"}
    server.stop()
    # What was written is a seed.
    again = Server("--seed", written(tmp_path, dump, "dump.json"))
    assert dumped(again)["documents"] == SEED["documents"]
    again.stop()


def test_rules_lie_beside_the_seed(tmp_path):
    (tmp_path / "closed.rules").write_text(
        "rules_version = '2'; service cloud.firestore { match /databases/{d}/documents {"
        " match /{p=**} { allow read: if false; } } }")
    server = Server("--seed", written(tmp_path, {"rules": "closed.rules"}))
    reply = requests.get(
        f"{server.auth}/v1/projects/{PROJECT}/databases/(default)/documents/c/d", timeout=30)
    assert reply.status_code == 403
    server.stop()


@pytest.mark.parametrize("text, words", [
    ('{\n "users": [\n  {"uid": "a",\n   "emial": "x"}]}', "seed.json:4: /users/0/emial is not known"),
    ('{\n "users": [\n  {"email": "a@b.c"}]}', "seed.json:3: /users/0 lacks a uid"),
    ('{\n "users": [{"uid": "a"},\n  {"uid": "a"}]}', "seed.json:3: /users/1"),
    ('{"documents":\n {"users":\n {}}}', "seed.json:3: /documents/users is not the path"),
    ('{"documents": {"c/d": {\n"t": {"$timestamp": "x"}}}}', "seed.json:2: /documents/c/d/t/$timestamp"),
    ('{"documents": {"c/d": {\n"t": {"$time": "x"}}}}', "is not a tag"),
    ('{"documents": {"c/d":\n {"a": [[1]]}}}', "seed.json:2: /documents/c/d"),
    ('{\n"switches": {"x": true}}', "seed.json:2: /switches"),
    ('{\n"nothing": 1}', "seed.json:2: /nothing is not known"),
    ('{\n"a": \n}', "seed.json:3: "),
    ("[]", "seed.json:1: / must be an object"),
])
def test_a_mistake_is_told_with_line_and_path(tmp_path, text, words):
    ports = ["--auth-port", "0", "--firestore-port", "0", "--console-port", "0"]
    done = subprocess.run([binary(), *ports, "--seed", written(tmp_path, text)],
                          capture_output=True, text=True, timeout=30)
    assert done.returncode != 0 and words in done.stdout + done.stderr
