"""`--import` and `--export-on-exit`, with the official meaning of each combination."""

import json
import subprocess

import pytest
from support.folders import OUTPUT, OVERALL, SAMPLES, Place
from support.server import Server, binary

FULL = SAMPLES / "09-full-folder"


def refused(*flags: str, cwd=None) -> str:
    ports = ["--auth-port", "0", "--firestore-port", "0", "--console-port", "0"]
    done = subprocess.run(
        [binary(), *ports, *flags], capture_output=True, text=True, timeout=30, cwd=cwd
    )
    assert done.returncode != 0
    return done.stdout + done.stderr


def test_the_official_folder_comes_back(tmp_path):
    server = Server(
        "--project", "demo-full", "--import", str(FULL), "--export-on-exit", str(tmp_path / "out")
    )
    place = Place(server.auth, "demo-full")
    assert len(place.documents()) == 2
    assert any("Imported 2 documents" in line for line in server.lines)
    server.stop()
    ours = tmp_path / "out"
    for file in (OVERALL, OUTPUT):
        assert (ours / "firestore_export" / file).read_bytes() == (
            FULL / "firestore_export" / file
        ).read_bytes()
    assert (ours / "firebase-export-metadata.json").read_bytes() == (
        FULL / "firebase-export-metadata.json"
    ).read_bytes()
    names = {path.name for path in (FULL / "auth_export").iterdir()}
    assert names <= {path.name for path in (ours / "auth_export").iterdir()}


def test_the_official_accounts_come_back(tmp_path):
    """The same bytes, with the passwords in clear; in projects of any name."""
    server = Server(
        "--project",
        "real-project",
        "--import",
        str(FULL),
        "--export-on-exit",
        str(tmp_path / "out"),
    )
    assert any(
        "Passwords in clear: 2. Exports have them in clear again. A password that is set here is "
        "exported as a hash that only Hearth can use." in line
        for line in server.lines
    )
    server.stop()
    before, after = (
        {path.name: path.read_bytes() for path in (folder / "auth_export").glob("*.json")}
        for folder in (FULL, tmp_path / "out")
    )
    assert after == before


@pytest.mark.parametrize(
    "files",
    [{}, {".gitkeep": ""}, {"demo-db.json": '{"rules": {}}'}, {"accounts.json.bak": "{}"}, None],
    ids=["empty", "gitkeep", "realtime database", "copy", "plain file"],
)
def test_a_start_goes_on_without_an_export(tmp_path, files):
    """With a warning, as of the official tools. Who asks a server for an import gets an error."""
    seed = tmp_path / "seed"
    if files is None:
        seed.write_text("nothing of the kind")
    else:
        seed.mkdir()
    for name, text in (files or {}).items():
        (seed / name).write_text(text)
    server = Server("--import", str(seed), "--export-on-exit", str(tmp_path / "out"))
    assert any(
        f"{seed} has neither accounts nor documents to import" in line for line in server.lines
    )
    done = subprocess.run(
        [binary(), "import", str(seed), "--address", server.host],
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert done.returncode == 1 and f"there is no export in {seed}" in done.stderr
    server.stop()
    assert (tmp_path / "out/firebase-export-metadata.json").exists()


def test_an_empty_folder_is_exported_to(tmp_path):
    seed = tmp_path / "seed"
    seed.mkdir()
    for count in (0, 1):
        server = Server("--import", str(seed), "--export-on-exit")
        place = Place(server.auth, "demo-hearth")
        assert len(place.documents()) == count
        place.write({"c/d": {}})
        server.stop()


def test_without_a_value_the_export_goes_where_the_import_was(tmp_path):
    folder = tmp_path / "seed"
    # Not there yet: nothing is imported, and the export makes it.
    for count in (1, 2):
        server = Server("--import", str(folder), "--export-on-exit")
        place = Place(server.auth, "demo-hearth")
        assert len(place.documents()) == count - 1
        place.write({f"c/{count}": {}})
        server.stop()
    assert (folder / "firestore_export" / OUTPUT).exists()


@pytest.mark.parametrize(
    "flags, words",
    [
        (("--export-on-exit",), "--export-on-exit needs a directory"),
        (("--export-on-exit=.",), "working directory"),
        (("--export-on-exit=..",), "working directory"),
        (("--export-on-exit=/",), "working directory"),
        (("--import=absent", "--export-on-exit=out"), "not found: absent"),
        (("--import=file.json", "--export-on-exit"), "is a file"),
        (("--export-on-exit=file.json",), "'file.json' is a file"),
        (("--export-on-exit=file.json/below/it",), "file.json' is a file"),
        (("--import=absent",), "not found: absent"),
    ],
)
def test_what_is_refused(tmp_path, flags, words):
    (tmp_path / "file.json").write_text('{"users": []}')
    assert words in refused(*flags, cwd=tmp_path)


@pytest.mark.parametrize(
    "command, words",
    [
        ("export", "the directory to export to is empty"),
        ("import", "the path to import from is empty"),
    ],
)
def test_a_path_that_is_not_set_is_not_the_working_directory(tmp_path, command, words):
    server = Server("--project", "demo-empty")
    done = subprocess.run(
        [binary(), command, "", "--project", "demo-empty", "--address", server.host],
        capture_output=True,
        text=True,
        timeout=30,
        cwd=tmp_path,
    )
    server.stop()
    assert done.returncode == 64 and words in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", ["", OVERALL])
def test_an_export_of_firestore_alone(path):
    server = Server("--import", str(SAMPLES / "01-scalars/firestore_export" / path))
    assert Place(server.auth, "demo-hearth").documents()
    server.stop()


def test_an_account_that_comes_twice_stops_the_start(tmp_path):
    folder, data = tmp_path / "seed", str(tmp_path / "data")
    folder.mkdir()
    (folder / "accounts.json").write_text(
        '{"users": [{"localId": "a"}, {"localId": "b"}, {"localId": "a"}]}'
    )
    words = refused("--import", str(folder), "--data", data)
    assert "accounts.json, user 3: the localId 'a' appears twice" in words
    server = Server("--data", data)
    assert (
        not server.post(
            "/identitytoolkit.googleapis.com/v1/projects/demo-hearth/accounts:query",
            {},
            Authorization="Bearer owner",
        )
        .json()
        .get("userInfo")
    )
    server.stop()


def test_a_broken_import_stops_the_start(tmp_path):
    folder = tmp_path / "firestore_export"
    folder.mkdir()
    (folder / OVERALL).write_bytes(b"nothing of the kind")
    assert f"{OVERALL}, record 1 at byte 0" in refused("--import", str(folder))


V1 = "/identitytoolkit.googleapis.com/v1/"


def account(server: Server, method: str, body: dict, project: str = "demo-clear") -> dict:
    reply = server.post(f"{V1}accounts:{method}?key={project}", body)
    assert reply.status_code == 200, reply.text
    assert "secret-" not in reply.text
    return reply.json()


def exported(folder) -> dict[str, str]:
    """The accounts of an export by their addresses, as text."""
    text = (folder / "auth_export/accounts.json").read_text()
    users = json.loads(text)["users"]
    assert text == (
        '{"kind":"identitytoolkit#DownloadAccountResponse","users":['
        + ",".join(json.dumps(user, separators=(",", ":"), ensure_ascii=False) for user in users)
        + "]}"
    )
    return {user.get("email", user["localId"]): user for user in users}


def seed(folder, *users: dict):
    """An official folder with these accounts."""
    (folder / "auth_export").mkdir(parents=True)
    (folder / "firebase-export-metadata.json").write_text(
        '{"version": "15.28.1", "auth": {"version": "15.28.1", "path": "auth_export"}}'
    )
    (folder / "auth_export/accounts.json").write_text(
        json.dumps(
            {"kind": "identitytoolkit#DownloadAccountResponse", "users": users},
            separators=(",", ":"),
            ensure_ascii=False,
        )
    )
    return folder


def person(name: str, **members) -> dict:
    """In an order, and with members, that Hearth would not write."""
    return {
        "email": f"{name}@example.com",
        "localId": name,
        "futureMember": {"b": [1.5, None], "a": "é"},
        "emailVerified": False,
        "salt": "fakeSaltx",
        "passwordHash": f"fakeHash:salt=fakeSaltx:password=secret-{name}",
        "passwordUpdatedAt": 1795324671466,
        "validSince": "1795324671",
        "createdAt": "1795324671466",
        "lastLoginAt": "1795324671466",
        "providerUserInfo": [
            {
                "providerId": "password",
                "rawId": f"{name}@example.com",
                "email": f"{name}@example.com",
                "federatedId": f"{name}@example.com",
            }
        ],
    } | members


def test_only_what_changed_is_exported_otherwise(tmp_path):
    """Through restarts, of the server and of its data, and over the folder that it came from."""
    people = [person(name) for name in ("ann", "bob", "cid", "dora", "eve")]
    folder = seed(tmp_path / "seed", *people)
    before = (folder / "auth_export/accounts.json").read_bytes()
    data = ("--project", "demo-clear", "--data", str(tmp_path / "data"))
    Server(*data, "--import", str(folder)).stop()
    server = Server(*data, "--import", str(folder), "--export-on-exit")
    account(server, "signInWithPassword", {"email": "bob@example.com", "password": "secret-bob"})
    token = account(
        server, "signInWithPassword", {"email": "cid@example.com", "password": "secret-cid"}
    )["idToken"]
    account(server, "update", {"idToken": token, "displayName": "Cid"})
    token = account(
        server, "signInWithPassword", {"email": "dora@example.com", "password": "secret-dora"}
    )["idToken"]
    account(server, "update", {"idToken": token, "password": "secret-new"})
    server.post(
        f"{V1}projects/demo-clear/accounts:delete", {"localId": "eve"}, Authorization="Bearer owner"
    )
    account(server, "signUp", {"email": "fay@example.com", "password": "secret-fay"})
    server.stop()
    assert any(
        "3 that the official emulator can use, and 2 that were set here and only Hearth can use."
        in line
        for line in server.lines
    )
    first = exported(folder)
    assert first.keys() == {f"{name}@example.com" for name in ("ann", "bob", "cid", "dora", "fay")}
    ann, bob, cid, dora, _ = people
    assert json.dumps(first[ann["email"]]) == json.dumps(ann)
    for was, changed in (
        (bob, {"lastLoginAt", "lastRefreshAt"}),
        (cid, {"lastLoginAt", "lastRefreshAt", "displayName", "providerUserInfo"}),
        (
            dora,
            {
                "lastLoginAt",
                "lastRefreshAt",
                "passwordHash",
                "salt",
                "validSince",
                "passwordUpdatedAt",
            },
        ),
    ):
        now = first[was["email"]]
        assert [name for name in now if name in was] == list(was)
        assert {
            name for name in now.keys() | was.keys() if now.get(name) != was.get(name)
        } <= changed
    assert first[cid["email"]]["displayName"] == "Cid"
    assert "secret-" not in json.dumps([first[dora["email"]], first["fay@example.com"]])
    # A second run, without the data, changes nothing; everybody can still sign in.
    exported_first = (folder / "auth_export/accounts.json").read_bytes()
    assert exported_first != before
    Server("--project", "demo-clear", "--import", str(folder), "--export-on-exit").stop()
    assert (folder / "auth_export/accounts.json").read_bytes() == exported_first
    server = Server("--project", "demo-clear", "--import", str(folder))
    for name, password in (("ann", "ann"), ("cid", "cid"), ("dora", "new"), ("fay", "fay")):
        account(
            server,
            "signInWithPassword",
            {"email": f"{name}@example.com", "password": f"secret-{password}"},
        )
    server.stop()


def test_snapshots_and_forks_have_the_records_of_the_folder(tmp_path):
    folder = seed(tmp_path / "seed", person("ann"))
    server = Server("--project", "demo-clear", "--import", str(folder))
    control = "/emulator/v1/projects/demo-clear"
    assert server.post(f"{control}/snapshots", {"name": "seeded"}).status_code == 200
    server.post(
        f"{V1}projects/demo-clear/accounts:delete", {"localId": "ann"}, Authorization="Bearer owner"
    )
    account(server, "signUp", {"email": "ann@example.com", "password": "secret-other"})
    assert server.post(f"{control}/snapshots/seeded:restore", {}).status_code == 200
    assert server.post(f"{control}/snapshots/seeded:fork", {"to": "demo-fork"}).status_code == 200
    for name in ("demo-clear", "demo-fork"):
        out = tmp_path / name
        reply = server.post(f"/emulator/v1/projects/{name}:export", {"directory": str(out)})
        assert reply.status_code == 200, reply.text
        assert (out / "auth_export/accounts.json").read_bytes() == (
            folder / "auth_export/accounts.json"
        ).read_bytes()
    server.stop()


def test_an_account_that_is_made_again_has_nothing_of_the_old_one(tmp_path):
    folder = seed(tmp_path / "seed", person("ann"))
    server = Server(
        "--project",
        "demo-clear",
        "--import",
        str(folder),
        "--export-on-exit",
        str(tmp_path / "out"),
    )
    admin = {"Authorization": "Bearer owner"}
    server.post(f"{V1}projects/demo-clear/accounts:delete", {"localId": "ann"}, **admin)
    made = server.post(f"{V1}projects/demo-clear/accounts", {"localId": "ann"}, **admin)
    assert made.status_code == 200, made.text
    server.stop()
    again = exported(tmp_path / "out")["ann"]
    assert not again.keys() & {"email", "passwordHash", "futureMember", "providerUserInfo"}


def test_passwords_that_are_set_here_are_readable_where_that_is_wanted(tmp_path):
    folder = seed(tmp_path / "seed", person("ann"), person("bob"))
    server = Server(
        "--project",
        "demo-clear",
        "--import",
        str(folder),
        "--export-on-exit",
        "--export-readable-passwords",
    )
    assert any("So are passwords that are set here." in line for line in server.lines)
    account(server, "signUp", {"email": "fay@example.com", "password": "secret-fay"})
    token = account(
        server, "signInWithPassword", {"email": "bob@example.com", "password": "secret-bob"}
    )["idToken"]
    account(server, "update", {"idToken": token, "password": "secret-new"})
    server.stop()
    users = exported(folder)
    assert json.dumps(users["ann@example.com"]) == json.dumps(person("ann"))
    for name, password in (("bob", "new"), ("fay", "fay")):
        user = users[f"{name}@example.com"]
        assert user["passwordHash"] == f"fakeHash:salt={user['salt']}:password=secret-{password}"
    extras = (folder / "auth_export/hearth-extra.ndjson").read_text()
    assert "secret-" not in extras


def test_readable_passwords_of_a_real_project_are_refused(tmp_path):
    words = refused("--project", "real-project", "--export-readable-passwords")
    assert "--export-readable-passwords has no effect" in words and "'real-project'" in words


def test_an_import_with_data_is_there_after_a_restart(tmp_path):
    data = str(tmp_path / "data")
    Server("--data", data, "--import", str(SAMPLES / "05-blocks/firestore_export")).stop()
    server = Server("--data", data)
    assert Place(server.auth, "demo-hearth").documents()
    server.stop()
