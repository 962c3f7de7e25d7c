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
        [binary(), *ports, *flags], capture_output=True, text=True, timeout=30, cwd=cwd)
    assert done.returncode != 0
    return done.stdout + done.stderr


def test_the_official_folder_comes_back(tmp_path):
    server = Server("--project", "demo-full", "--import", str(FULL),
                    "--export-on-exit", str(tmp_path / "out"))
    place = Place(server.auth, "demo-full")
    assert len(place.documents()) == 2
    assert any("Imported 2 documents" in line for line in server.lines)
    server.stop()
    ours = tmp_path / "out"
    for file in (OVERALL, OUTPUT):
        assert (ours / "firestore_export" / file).read_bytes() == (
            FULL / "firestore_export" / file).read_bytes()
    assert (ours / "firebase-export-metadata.json").read_bytes() == (
        FULL / "firebase-export-metadata.json").read_bytes()
    names = {path.name for path in (FULL / "auth_export").iterdir()}
    assert names <= {path.name for path in (ours / "auth_export").iterdir()}


def accounts(folder) -> dict[str, dict]:
    return {path.name: json.loads(path.read_text())
            for path in (folder / "auth_export").glob("accounts*.json")}


@pytest.mark.parametrize("flags", [(), ("--export-readable-passwords",)])
def test_the_official_accounts_come_back(tmp_path, flags):
    """All their members and no others. Passwords in clear are hashed, unless they are wanted."""
    Server("--project", "demo-full", "--import", str(FULL), *flags,
           "--export-on-exit", str(tmp_path / "out")).stop()
    before, after = accounts(FULL), accounts(tmp_path / "out")
    for file in [] if flags else [*before.values(), *after.values()]:
        for user in file["users"]:
            for name in {"passwordHash", "salt"} & user.keys():
                user[name] = "hidden"
    assert after == before
    for name, file in before.items():
        for user, other in zip(file["users"], after[name]["users"]):
            # The order of an account's members tells how it came to be; providers' have another.
            if user.get("email") != "grace@example.com":
                assert json.dumps(other) == json.dumps(user)


@pytest.mark.parametrize("files", [
    {}, {".gitkeep": ""}, {"demo-db.json": '{"rules": {}}'}, {"accounts.json.bak": "{}"}, None],
    ids=["empty", "gitkeep", "realtime database", "copy", "plain file"])
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
    assert any(f"{seed} has neither accounts nor documents to import" in line
               for line in server.lines)
    done = subprocess.run([binary(), "import", str(seed), "--address", server.host],
                          capture_output=True, text=True, timeout=30)
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


@pytest.mark.parametrize("flags, words", [
    (("--export-on-exit",), "--export-on-exit needs a directory"),
    (("--export-on-exit=.",), "working directory"),
    (("--export-on-exit=..",), "working directory"),
    (("--export-on-exit=/",), "working directory"),
    (("--import=absent", "--export-on-exit=out"), "not found: absent"),
    (("--import=file.json", "--export-on-exit"), "is a file"),
    (("--export-on-exit=file.json",), "'file.json' is a file"),
    (("--export-on-exit=file.json/below/it",), "file.json' is a file"),
    (("--import=absent",), "not found: absent"),
])
def test_what_is_refused(tmp_path, flags, words):
    (tmp_path / "file.json").write_text('{"users": []}')
    assert words in refused(*flags, cwd=tmp_path)


@pytest.mark.parametrize("command, words", [
    ("export", "the directory to export to is empty"),
    ("import", "the path to import from is empty")])
def test_a_path_that_is_not_set_is_not_the_working_directory(tmp_path, command, words):
    server = Server("--project", "demo-empty")
    done = subprocess.run(
        [binary(), command, "", "--project", "demo-empty", "--address", server.host],
        capture_output=True, text=True, timeout=30, cwd=tmp_path)
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
        '{"users": [{"localId": "a"}, {"localId": "b"}, {"localId": "a"}]}')
    words = refused("--import", str(folder), "--data", data)
    assert "accounts.json, user 3: the localId 'a' comes twice" in words
    server = Server("--data", data)
    assert not server.post(
        "/identitytoolkit.googleapis.com/v1/projects/demo-hearth/accounts:query", {},
        Authorization="Bearer owner").json().get("userInfo")
    server.stop()


def test_a_broken_import_stops_the_start(tmp_path):
    folder = tmp_path / "firestore_export"
    folder.mkdir()
    (folder / OVERALL).write_bytes(b"nothing of the kind")
    assert f"{OVERALL}, record 1 at byte 0" in refused("--import", str(folder))


@pytest.mark.parametrize("flags, project, clear", [
    (("--export-readable-passwords",), "demo-clear", True),
    ((), "demo-clear", False), (("--export-readable-passwords",), "real-project", False)])
def test_readable_passwords(tmp_path, flags, project, clear):
    server = Server("--project", project, "--import", str(FULL), *flags,
                    "--export-on-exit", str(tmp_path / "out"))
    reply = server.post(f"/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key={project}",
                        {"email": "ada@example.com", "password": "secret-1"})
    assert reply.status_code == 200 and "secret-1" not in reply.text
    server.stop()
    users = json.loads((tmp_path / "out/auth_export/accounts.json").read_text())["users"]
    [ada] = [user for user in users if user.get("email") == "ada@example.com"]
    assert ada["passwordHash"].endswith(":password=secret-1") == clear
    everything = "".join(path.read_text() for path in (tmp_path / "out/auth_export").iterdir())
    assert ("secret-1" in everything) == clear


def test_an_import_with_data_is_there_after_a_restart(tmp_path):
    data = str(tmp_path / "data")
    Server("--data", data, "--import", str(SAMPLES / "05-blocks/firestore_export")).stop()
    server = Server("--data", data)
    assert Place(server.auth, "demo-hearth").documents()
    server.stop()
