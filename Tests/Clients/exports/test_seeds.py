"""`--seed`: users, documents and settings that people write, and `hearth seed dump`."""

import json
import subprocess

import jsonschema
import pytest
import requests
from support.folders import Place
from support.server import PROJECT, ROOT, Server, binary

SEED = {
    "tenants": {"north": {"displayName": "North"}},
    "users": [
        {
            "uid": "ada",
            "email": "ada@example.com",
            "emailVerified": True,
            "password": "secret-1",
            "claims": {"role": "admin"},
            "factors": [{"phone": "+15555550100"}],
        },
        {
            "uid": "bob",
            "tenant": "north",
            "email": "bob@example.com",
            "password": "secret-2",
            "providers": [{"provider": "google.com", "uid": "g-1"}],
        },
    ],
    "documents": {
        "users/ada": {
            "name": "Ada",
            "age": 36,
            "ratio": 0.5,
            "none": None,
            "yes": True,
            "list": [1, "x", {}],
            "whole": {"$double": 2},
            "nan": {"$double": "NaN"},
            "born": {"$timestamp": "1815-12-10T00:00:00Z"},
            "friend": {"$reference": "users/bob"},
            "home": {"$geopoint": [51.5, -0.25]},
            "key": {"$bytes": "AAEC"},
            "vector": {"$vector": [0.5, 1.5]},
            "odd": {"$map": {"$bytes": "plain"}},
            "deep": {"a": {"b": [{"$timestamp": "2027-01-31T09:30:00Z"}]}},
        }
    },
    "databases": {"second": {"c/d": {"n": 1}}},
    "switches": {"codeExpiry": False},
    "faults": [{"operation": "*.signUp", "effect": {"error": "UNAVAILABLE"}, "times": 1}],
    "clock": {"now": "2027-01-31T09:30:00.000Z", "frozen": True},
}


YAML = """# The same as SEED.
tenants: {north: {displayName: North}}
users:
  - uid: ada
    email: ada@example.com
    emailVerified: true
    password: secret-1
    claims: {role: admin}
    factors:
    - phone: "+15555550100"
  - {uid: bob, tenant: north, email: bob@example.com, password: secret-2,
     providers: [{provider: google.com, uid: g-1}]}
documents:
  users/ada:
    name: Ada
    age: 36
    ratio: 0.5
    none: ~
    yes: true
    list: [1, x, {}]
    whole: !double 2
    nan: .nan
    born: !timestamp 1815-12-10T00:00:00Z
    friend: !reference users/bob
    home: !geopoint [51.5, -0.25]
    key: !bytes AAEC
    vector: !vector [0.5, 1.5]
    odd: !map {$bytes: plain}
    deep:
      a:
        b:
        - $timestamp: 2027-01-31T09:30:00Z
databases: {second: {c/d: {n: 1}}}
switches: {codeExpiry: false}
faults:
- {operation: "*.signUp", effect: {error: UNAVAILABLE}, times: 1}
clock: {now: 2027-01-31T09:30:00.000Z, frozen: true}
"""


def written(tmp_path, seed, name="seed.json") -> str:
    path = tmp_path / name
    path.write_text(seed if isinstance(seed, str) else json.dumps(seed, indent=1))
    return str(path)


def dump_text(server: Server, *flags: str) -> str:
    done = subprocess.run(
        [binary(), "seed", "dump", "--address", server.host, *flags],
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def dumped(server: Server) -> dict:
    return json.loads(dump_text(server))


def test_the_command_loads_a_seed(tmp_path):
    server = Server()

    def load(file):
        return subprocess.run(
            [binary(), "seed", "load", file, "--address", server.host, "--project", "demo-load"],
            capture_output=True,
            text=True,
            timeout=30,
            cwd=tmp_path,
        )

    seed = "users: [{uid: ada, email: ada@example.com}]\ndocuments: {c/d: {n: 1}}\n"
    written(tmp_path, seed + "rules: firestore.rules\n", "seed.yaml")
    rules = "service cloud.firestore { match /databases/{id}/documents { allow read; } }"
    (tmp_path / "firestore.rules").write_text(rules)
    done = load("seed.yaml")
    assert (done.returncode, done.stdout) == (0, "Loaded seed.yaml.\n"), done.stderr
    assert Place(server.auth, "demo-load").documents() == {"c/d": {"n": {"integerValue": "1"}}}
    again = load("seed.yaml")
    assert again.returncode == 1
    assert f"{tmp_path}/seed.yaml:1: /users/0 localId belongs to an existing" in again.stderr
    assert "cannot read absent.yaml" in load("absent.yaml").stderr
    server.stop()


@pytest.mark.parametrize("seed, name", [(SEED, "seed.json"), (YAML, "seed.yaml")])
def test_a_seed_is_read_and_written(tmp_path, seed, name):
    server = Server("--seed", written(tmp_path, seed, name))
    fields = Place(server.auth, PROJECT).documents()["users/ada"]
    assert fields["age"] == {"integerValue": "36"} and fields["ratio"] == {"doubleValue": 0.5}
    assert fields["born"] == {"timestampValue": "1815-12-10T00:00:00Z"}
    assert fields["friend"]["referenceValue"].endswith("/documents/users/bob")
    assert fields["odd"]["mapValue"]["fields"] == {"$bytes": {"stringValue": "plain"}}
    assert Place(server.auth, PROJECT, "second").documents() == {
        "c/d": {"n": {"integerValue": "1"}}
    }
    reply = server.post(
        "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any",
        {"email": "ada@example.com", "password": "secret-1"},
    )
    assert reply.status_code == 200 and "mfaPendingCredential" in reply.json()
    control = f"{server.auth}/emulator/v1/projects/{PROJECT}"
    assert requests.get(f"{control}/clock", timeout=30).json()["frozen"]
    assert requests.get(f"{control}/switches", timeout=30).json()["codeExpiry"] is False
    dump = dumped(server)
    for name in ("documents", "databases", "switches", "clock"):
        assert dump[name] == SEED[name], name
    assert [user["uid"] for user in dump["users"]] == ["ada", "bob"]
    assert dump["users"][0]["claims"] == {"role": "admin"}
    text = dump_text(server, "--format", "yaml")
    server.stop()
    # What was written is a seed.
    for content, name in [(dump, "dump.json"), (text, "dump.yml")]:
        again = Server("--seed", written(tmp_path, content, name))
        assert dumped(again) == dump
        again.stop()


def test_the_schema_knows_what_a_seed_may_have():
    schema = json.loads((ROOT / "Sources/hearth/web/seed.schema.json").read_text())
    check = jsonschema.Draft202012Validator(schema).is_valid
    assert check(SEED)
    for mistake in [
        {"users": [{"email": "a@b.c"}]},
        {"users": [{"uid": "a", "emial": "x"}]},
        {"nothing": 1},
        {"tenants": {"t": {"nonsense": 1}}},
        {"databases": {"A b": {}}},
        {"documents": {"c/d": {"t": {"$time": "x"}}}},
        {"documents": {"c/d": {"t": {"$bytes": 1}}}},
        {"documents": {"c/d": {"t": [{"$geopoint": [1]}]}}},
        {"clock": {"nowx": 1}},
    ]:
        assert not check(mistake), mistake


def test_rules_lie_beside_the_seed(tmp_path):
    (tmp_path / "closed.rules").write_text(
        "rules_version = '2'; service cloud.firestore { match /databases/{d}/documents {"
        " match /{p=**} { allow read: if false; } } }"
    )
    server = Server("--seed", written(tmp_path, {"rules": "closed.rules"}))
    reply = requests.get(
        f"{server.auth}/v1/projects/{PROJECT}/databases/(default)/documents/c/d", timeout=30
    )
    assert reply.status_code == 403
    server.stop()


def refusal(tmp_path, text, name: str, *flags: str, before: str | None = None) -> str:
    ports = ["--auth-port", "0", "--firestore-port", "0", "--console-port", "0"]
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    seeds = [flag for file in (before, str(path)) if file for flag in ("--seed", file)]
    done = subprocess.run(
        [binary(), *ports, *seeds, *flags], capture_output=True, text=True, timeout=30
    )
    assert done.returncode != 0
    return done.stdout + done.stderr


@pytest.mark.parametrize(
    "text, words",
    [
        (
            '{\n "users": [\n  {"uid": "a",\n   "emial": "x"}]}',
            "seed.json:4: /users/0/emial is unknown",
        ),
        ('{\n "users": [\n  {"email": "a@b.c"}]}', "seed.json:3: /users/0 lacks a uid"),
        ('{\n "users": [{"uid": "a"},\n  {"uid": "a"}]}', "seed.json:3: /users/1"),
        ('{"users": [{"uid":\n ""}]}', "seed.json:2: /users/0/uid must not be empty"),
        ('{"users": [{"uid":\n 5}]}', "seed.json:2: /users/0/uid must be a string, in quotes"),
        ('{"users": [\n{"uid": "a", "email": "x"}]}', "seed.json:2: /users/0 email is invalid"),
        (
            '{"users": [{"uid": "a", "tenant":\n ""}]}',
            "seed.json:2: /users/0/tenant must not be empty",
        ),
        ('{"documents":\n {"users":\n {}}}', "seed.json:3: /documents/users is not the path"),
        (
            '{"documents": {"c/d": {\n"t": {"$timestamp": "x"}}}}',
            "seed.json:2: /documents/c/d/t/$timestamp",
        ),
        ('{"documents": {"c/d": {\n"t": {"$time": "x"}}}}', "is not a tag"),
        ('{"documents": {"c/d":\n {"a": [[1]]}}}', "seed.json:2: /documents/c/d"),
        ('{"documents": {"c/d": {},\n "c/d": {}}}', "seed.json:2: 'c/d' appears twice"),
        ('{"documents": {"c/d": {}}, "databases": {"(default)":\n {"c/d": {}}}}', "appears twice"),
        ('{"databases":\n {"A b": {}}}', "seed.json:2: /databases/A b is not the id of a database"),
        ('{"tenants":\n {"t": {"nonsense": 1}}}', "seed.json:2: /tenants/t/nonsense is unknown"),
        (
            '{"tenants": {"t":\n {"displayName": 5}}}',
            "seed.json:2: /tenants/t/displayName must be a string",
        ),
        ('{"tenants": {"a/b": {}}}', "seed.json:1: /tenants/a/b is not the id of a tenant"),
        ('{\n"switches": {"x": true}}', "seed.json:2: /switches"),
        ('{\n"switches": []}', "seed.json:2: /switches must be an object"),
        ('{\n"clock": "x"}', "seed.json:2: /clock must be an object"),
        ('{"clock": {"now":\n "x"}}', "seed.json:2: /clock/now must be a time"),
        (
            '{"faults":\n [{\n"operation": "x"}]}',
            "seed.json:3: /faults/0/operation matches no operation",
        ),
        ('{\n"rules": "/tmp"}', "seed.json:2: /rules /tmp is not a regular file"),
        ('{\n"nothing": 1}', "seed.json:2: /nothing is unknown"),
        ('{\n"a": \n}', "seed.json:3: "),
        ("[]", "seed.json:1: / must be an object"),
        (b'{"documents":\n {"c/\xff": {}}}', "seed.json:2: the file is not UTF-8 text"),
    ],
)
def test_a_mistake_is_told_with_line_and_path(tmp_path, text, words):
    assert words in refusal(tmp_path, text, "seed.json")


@pytest.mark.parametrize(
    "text, words",
    [
        ("users:\n- uid: a\n  emial: x\n", "seed.yaml:3: /users/0/emial is unknown"),
        ("users:\n- uid: 5\n", "seed.yaml:2: /users/0/uid must be a string, in quotes"),
        (
            "documents:\n  c/d:\n    t: !time x\n",
            "seed.yaml:3: /documents/c/d/t/$time is not a tag",
        ),
        ("a: &x 1\n", "seed.yaml:1: anchors"),
        ("users: [\n", "seed.yaml:1: '[' is not closed"),
        ("", "seed.yaml:1: / must be an object"),
    ],
)
def test_a_mistake_in_yaml_is_told_with_line_and_path(tmp_path, text, words):
    assert words in refusal(tmp_path, text, "seed.yaml")


def test_a_server_with_data_starts_again_with_its_seed(tmp_path):
    """Users stay as they have become, documents are those of the seed again."""
    start = (
        "--data",
        str(tmp_path / "data"),
        "--seed",
        written(
            tmp_path,
            {
                "tenants": {"north": {}},
                "documents": {"c/d": {"n": 1}, "c/e": {}},
                "users": [
                    {"uid": "ada", "email": "ada@example.com", "password": "secret-1"},
                    {"uid": "bob", "email": "bob@example.com", "tenant": "north"},
                    {"uid": "eve", "email": "eve@example.com"},
                ],
            },
        ),
    )
    server = Server(*start)
    place = Place(server.auth, PROJECT)
    place.write({"c/d": {"n": {"integerValue": "2"}}, "c/f": {}})
    accounts = f"/v1/projects/{PROJECT}/accounts"
    owner = {"headers": {"Authorization": "Bearer owner"}, "timeout": 30}
    base = f"{server.auth}/identitytoolkit.googleapis.com"
    for path, body in [
        (f"{accounts}:update", {"localId": "ada", "password": "secret-2", "displayName": "Ada"}),
        # Somebody else has the address now.
        (f"{accounts}:delete", {"localId": "eve"}),
        (accounts, {"localId": "other", "email": "eve@example.com"}),
    ]:
        assert requests.post(base + path, json=body, **owner).status_code == 200
    before = dumped(server)["users"]
    server.stop()
    for _ in range(2):
        server = Server(*start)
        assert dumped(server)["users"] == before
        assert Place(server.auth, PROJECT).documents() == {
            "c/d": {"n": {"integerValue": "1"}},
            "c/e": {},
            "c/f": {},
        }
        reply = server.post(
            "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=any",
            {"email": "ada@example.com", "password": "secret-2"},
        )
        assert reply.status_code == 200
        said = "\n".join(server.lines)
        assert "2 seed users already exist and were left unchanged." in said
        assert "/users/2 is left out: eve@example.com belongs to another account" in said
        server.stop()


def test_a_seed_for_a_running_server_has_new_users(tmp_path):
    server = Server("--seed", written(tmp_path, {"users": [{"uid": "ada"}]}))
    reply = requests.post(
        f"{server.auth}/emulator/v1/projects/{PROJECT}/seed",
        timeout=30,
        json={"content": "users:\n- uid: bob\n- uid: ada\n"},
    )
    assert reply.status_code == 400 and "seed:3: /users/1 localId belongs to" in reply.text
    assert [user["uid"] for user in dumped(server)["users"]] == ["ada"]
    server.stop()


@pytest.mark.parametrize("name, is_quoted", [("shadow", False), ("broken.rules", True)])
def test_a_seed_that_is_sent_quotes_rules_only(tmp_path, name, is_quoted):
    """It may name any file of the machine, and an error quotes what it does not understand."""
    (tmp_path / name).write_text("hunter2:x:0:0\n")
    server = Server()
    try:
        reply = requests.post(
            f"{server.auth}/emulator/v1/projects/{PROJECT}/seed",
            timeout=30,
            json={"content": f"rules: {tmp_path / name}", "path": str(tmp_path / "seed.yaml")},
        )
    finally:
        server.stop()
    assert reply.status_code == 400 and "/rules" in reply.text
    assert ("hunter2" in reply.text) == is_quoted
    assert ("does not compile" in reply.text) == (not is_quoted)


def test_a_document_of_many_values():
    document = {"list": [1] * 60_000, "map": {f"key{number}": 1 for number in range(15_000)}}
    server = Server()
    reply = requests.post(
        f"{server.auth}/emulator/v1/projects/{PROJECT}/seed",
        json={"content": json.dumps({"documents": {"c/long": document}})},
        timeout=30,
    )
    assert reply.status_code == 200, reply.text
    reply = requests.get(
        f"{server.addresses['firestore']}/v1/projects/{PROJECT}/databases/(default)/documents/c/long",
        headers={"Authorization": "Bearer owner"},
        timeout=30,
    )
    fields = reply.json()["fields"]
    assert len(fields["list"]["arrayValue"]["values"]) == 60_000
    assert len(fields["map"]["mapValue"]["fields"]) == 15_000
    server.stop()


def test_of_several_seeds_the_later_one_counts(tmp_path):
    files = [
        written(
            tmp_path,
            {"documents": {"c/d": {"n": n}, f"c/{n}": {}}, "users": [{"uid": f"u{n}"}]},
            f"{n}.json",
        )
        for n in (1, 2)
    ]
    server = Server("--seed", files[0], "--seed", files[1])
    dump = dumped(server)
    assert dump["documents"] == {"c/1": {}, "c/2": {}, "c/d": {"n": 2}}
    assert [user["uid"] for user in dump["users"]] == ["u1", "u2"]
    server.stop()


@pytest.mark.parametrize(
    "second, words",
    [
        ({"nothing": 1}, "second.json:2: /nothing is unknown"),
        ({"users": [{"uid": "b", "email": "none"}]}, "/users/0 email is invalid"),
        ({"users": [{"uid": "a"}]}, "/users/0 has the uid of an earlier user, 'a'"),
        (
            {"users": [{"uid": "b", "email": "a@example.com"}]},
            "/users/0 email exists in other account",
        ),
        ({"documents": {"c/e": {"a": [[1]]}}}, "/documents/c/e"),
        ({"rules": "absent.rules"}, "/rules not found: "),
    ],
)
def test_a_mistake_in_the_second_seed_keeps_the_first_out(tmp_path, second, words):
    data = str(tmp_path / "data")
    first = written(
        tmp_path,
        {
            "tenants": {"north": {}},
            "switches": {"codeExpiry": False},
            "documents": {"c/d": {}},
            "users": [{"uid": "a", "email": "a@example.com"}],
        },
        "first.json",
    )
    assert words in refusal(
        tmp_path, json.dumps(second, indent=1), "second.json", "--data", data, before=first
    )
    server = Server("--data", data)
    assert dumped(server) == {}
    server.stop()


def test_a_seed_with_a_mistake_leaves_nothing(tmp_path):
    data = str(tmp_path / "data")
    seed = {
        "tenants": {"north": {}},
        "switches": {"codeExpiry": False},
        "documents": {"c/d": {}},
        "users": [{"uid": "a"}, {"uid": "b", "tenant": "south"}, {"uid": "c", "email": "none"}],
    }
    assert "/users/2 email is invalid" in refusal(
        tmp_path, json.dumps(seed), "seed.json", "--data", data
    )
    server = Server("--data", data)
    assert dumped(server) == {}
    server.stop()
