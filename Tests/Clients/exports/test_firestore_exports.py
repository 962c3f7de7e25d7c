"""Exports and imports of documents, in the official layout."""

import json
import queue
import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests
from support.firestore.project import base, db  # noqa: F401
from support.folders import NAMES, OUTPUT, OVERALL, SAMPLES, Place, plain, sample
from support.server import Server


def expected(name: str) -> dict[str, dict]:
    return {
        document["name"].split("/documents/", 1)[1]: document.get("fields", {})
        for document in sample(name)["documents"]
    }


def database(name: str) -> str:
    return sample(name)["database"]


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_is_read_and_written_again_byte_for_byte(hearth, tmp_path, name):
    place = Place(hearth.auth, database=database(name))
    folder = SAMPLES / name / "firestore_export"
    assert place.load(folder / OVERALL) == {}
    assert plain(place.documents()) == plain(expected(name))
    assert place.export(tmp_path) == {}
    ours = tmp_path / "firestore_export"
    assert (ours / OVERALL).read_bytes() == (folder / OVERALL).read_bytes()
    if (folder / OUTPUT).exists():
        assert (ours / OUTPUT).read_bytes() == (folder / OUTPUT).read_bytes()
    # A second time: every document is replaced.
    place.load(folder / OVERALL)
    assert plain(place.documents()) == plain(expected(name))


def test_a_write_makes_a_record_ours(hearth, tmp_path):
    place = Place(hearth.auth)
    place.load(SAMPLES / "06-fieldnames/firestore_export" / OVERALL)
    path = sorted(place.documents())[0]
    place.write({path: {"new": {"stringValue": "x"}}})
    place.export(tmp_path)
    again = Place(hearth.auth)
    again.load(tmp_path / "firestore_export" / OVERALL)
    assert plain(again.documents()) == plain(place.documents())
    output = (tmp_path / "firestore_export" / OUTPUT).read_bytes()
    assert f"dev~{place.project}".encode() in output and b"dev~demo-sample" in output


def test_documents_stay_are_replaced_and_are_found(hearth, tmp_path):
    place, other = Place(hearth.auth), Place(hearth.auth)
    other.write({"c/a": {"n": {"integerValue": "1"}}, "c/b": {"n": {"integerValue": "2"}}})
    other.export(tmp_path)
    place.write(
        {
            "c/b": {"n": {"integerValue": "9"}, "old": {"booleanValue": True}},
            "c/z": {"n": {"integerValue": "3"}},
            "d/x": {},
        }
    )
    place.load(tmp_path / "firestore_export" / OVERALL)
    assert place.documents() == {
        "c/a": {"n": {"integerValue": "1"}},
        "c/b": {"n": {"integerValue": "2"}},
        "c/z": {"n": {"integerValue": "3"}},
        "d/x": {},
    }
    rows = place.call(
        "POST",
        f"/v1/{place.name}/documents:runQuery",
        json={
            "structuredQuery": {
                "from": [{"collectionId": "c"}],
                "orderBy": [{"field": {"fieldPath": "n"}}],
            }
        },
    )
    assert [row["document"]["name"][-1] for row in rows] == ["a", "b", "z"]


def broken(tmp_path, change) -> str:
    folder = tmp_path / "broken"
    shutil.copytree(SAMPLES / "05-blocks/firestore_export", folder)
    change(folder)
    return str(folder / OVERALL)


def flip(path, place: int) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= 0xFF
    path.write_bytes(data)


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda folder: flip(folder / OUTPUT, -5), "checksum does not match"),
        (
            lambda folder: (folder / OUTPUT).write_bytes((folder / OUTPUT).read_bytes()[:-3]),
            "the file ends within it",
        ),
        (lambda folder: flip(folder / OVERALL, 7), "checksum does not match"),
        (lambda folder: (folder / OUTPUT).unlink(), "not found: "),
        (
            lambda folder: (folder / OUTPUT).write_bytes(
                (folder / OUTPUT).read_bytes()[:32768] * 2
            ),
            "record",
        ),
    ],
)
def test_a_broken_export_changes_nothing(hearth, tmp_path, change, words):
    place = Place(hearth.auth)
    place.write({"c/kept": {}})
    error = place.load(broken(tmp_path, change), 400)["error"]
    assert words in error["message"] and error["status"] == "INVALID_ARGUMENT"
    assert place.documents() == {"c/kept": {}}


def test_a_document_that_comes_twice_is_refused_with_its_place(hearth, tmp_path):
    folder = tmp_path / "twice"
    shutil.copytree(SAMPLES / "07-second-database/firestore_export", folder)
    data = (folder / OUTPUT).read_bytes()
    (folder / OUTPUT).write_bytes(data * 2)
    place = Place(hearth.auth, database="second")
    message = place.load(folder / OVERALL, 400)["error"]["message"]
    assert "output-0, record" in message and f"at byte {len(data)}" in message
    assert "already" in message
    assert place.documents() == {}


def test_an_unknown_version_is_refused(hearth, tmp_path):
    folder = tmp_path / "version"
    folder.mkdir()
    # A record "2" with its checksum.
    (folder / OVERALL).write_bytes(bytes.fromhex("d10eacfb") + b"\x01\x00\x01" + b"2")
    error = Place(hearth.auth).load(folder / OVERALL, 400)["error"]
    assert OVERALL in error["message"]


def test_which_directories_are_taken(hearth, tmp_path):
    place = Place(hearth.auth)
    refusal = {"code": 400, "status": "FAILED_PRECONDITION"}
    for directory in ("relative", str(tmp_path / "absent")):
        error = place.export(directory, status=400)["error"]
        assert {name: error[name] for name in refusal} == refusal
    assert place.export(tmp_path / "absent", status=400)["error"]["message"] == (
        "export_directory must be a directory"
    )
    error = place.emulator("export", 400, export_directory=str(tmp_path))["error"]
    assert error["message"] == 'Database name "" lacks "projects" at index 0.'
    for origin in ("http://localhost:3000", "https://evil.example"):
        place.export(tmp_path, status=403, headers={"Origin": origin})
        place.load(SAMPLES / "01-scalars" / OVERALL, 403, headers={"Origin": origin})
    assert list(tmp_path.iterdir()) == []


def test_relative_directories_lie_below_the_one_that_is_allowed(tmp_path):
    (tmp_path / "in").mkdir()
    server = Server("--allow-export-below", str(tmp_path))
    place = Place(server.auth)
    place.write({"c/d": {}})
    place.export("in")
    assert (tmp_path / "in/firestore_export" / OVERALL).exists()
    place.load(f"in/firestore_export/{OVERALL}")
    place.export("../out", status=400)
    server.stop()


def test_links_do_not_lead_out_of_that_directory(tmp_path):
    allowed, outside = tmp_path / "allowed", tmp_path / "outside"
    for folder in (allowed / "in", outside / "deep"):
        folder.mkdir(parents=True)
    (allowed / "out").symlink_to(outside)
    (allowed / "nowhere").symlink_to(tmp_path / "absent")
    (allowed / "inside").symlink_to(allowed / "in")
    # The directory itself may be reached through a link.
    (tmp_path / "link").symlink_to(allowed)
    server = Server("--allow-export-below", str(tmp_path / "link"))
    place = Place(server.auth)
    place.write({"c/d": {}})
    for directory in ("out", "out/deep", "in/../out", "nowhere", "in\0/../../out"):
        place.export(directory, status=400)
    place.export(str(outside / "deep"))
    error = place.load(f"out/deep/firestore_export/{OVERALL}", 400)["error"]
    assert error["message"] == (
        "export_directory leads out of the directory of --allow-export-below"
    )
    place.export("inside")
    place.load(f"inside/firestore_export/{OVERALL}")
    place.export("absent", status=400)
    server.stop()
    assert [path.name for path in outside.iterdir()] == ["deep"]


def test_a_project_comes_back_whole(hearth, tmp_path):
    place = Place(hearth.auth)
    second = Place(hearth.auth, place.project, "second")
    place.write({"c/d": {"n": {"integerValue": "1"}}})
    second.write({"c/d": {"n": {"integerValue": "2"}}})
    place.call(
        "POST",
        f"/identitytoolkit.googleapis.com/v1/projects/{place.project}/accounts",
        json={"localId": "ann", "email": "ann@example.com"},
    )
    place.emulator("export", directory=str(tmp_path / "out"))
    metadata = json.loads((tmp_path / "out/firebase-export-metadata.json").read_text())
    assert list(metadata) == ["version", "firestore", "auth"]
    target = Place(hearth.auth)
    report = target.emulator("import", path=str(tmp_path / "out"))
    assert report == {"imported": 1, "documents": 2, "refusals": []}
    assert target.documents() == place.documents()
    assert Place(hearth.auth, target.project, "second").documents() == second.documents()


def test_a_broken_half_keeps_the_other_out(hearth, tmp_path):
    place = Place(hearth.auth)
    place.write({"c/d": {}})
    place.call(
        "POST",
        f"/identitytoolkit.googleapis.com/v1/projects/{place.project}/accounts",
        json={"localId": "ann"},
    )
    place.emulator("export", directory=str(tmp_path))
    output, accounts = (
        tmp_path / "firestore_export" / OUTPUT,
        tmp_path / "auth_export/accounts.json",
    )
    for file, words in ((output, "output-0, record 1 at byte 0"), (accounts, "accounts.json")):
        whole = file.read_bytes()
        file.write_bytes(whole[:-4] + b"\0\0\0")
        target = Place(hearth.auth)
        error = target.emulator("import", 400, path=str(tmp_path))["error"]
        assert words in error["message"]
        assert target.documents() == {}
        users = target.call(
            "GET", f"/identitytoolkit.googleapis.com/v1/projects/{target.project}/accounts:batchGet"
        )
        assert not users.get("users")
        file.write_bytes(whole)


def test_other_services_are_carried_along(hearth, tmp_path):
    (tmp_path / "database_export").mkdir()
    (tmp_path / "database_export/demo.json").write_text("{}")
    (tmp_path / "notes.txt").write_text("ours")
    (tmp_path / "firebase-export-metadata.json").write_text(
        json.dumps(
            {
                "version": "14.0.0",
                "database": {"version": "4.11.2", "path": "database_export"},
                "storage": {"version": "14.0.0", "path": "storage_export"},
            }
        )
    )
    Place(hearth.auth).emulator("export", directory=str(tmp_path))
    assert (tmp_path / "database_export/demo.json").read_text() == "{}"
    assert (tmp_path / "notes.txt").read_text() == "ours"
    metadata = json.loads((tmp_path / "firebase-export-metadata.json").read_text())
    assert list(metadata) == ["version", "firestore", "database", "auth", "storage"]
    assert metadata["version"] == "14.0.0"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "auth_export",
        "database_export",
        "firebase-export-metadata.json",
        "firestore_export",
        "notes.txt",
    ]


def test_exports_to_one_directory_wait_for_each_other(hearth, tmp_path):
    place = Place(hearth.auth)
    place.write({f"c/{number}": {"n": {"integerValue": str(number)}} for number in range(300)})
    with ThreadPoolExecutor(6) as pool:
        for folder in ("new", "new", "new/firestore_export/deep"):
            done = [
                pool.submit(place.emulator, "export", directory=str(tmp_path / folder))
                for _ in range(6)
            ]
            assert all(job.result(60)["directory"] for job in done)
    target = Place(hearth.auth)
    target.emulator("import", path=str(tmp_path / "new"))
    assert target.documents() == place.documents()
    assert not [path for path in tmp_path.rglob("*hearth-*") if path.suffix != ".ndjson"]


@pytest.mark.parametrize(
    "call",
    [
        lambda place, folder: place.emulator("export", 400, directory=f"{folder}\0x"),
        lambda place, folder: place.export(f"{folder}\0x", status=400),
        lambda place, folder: place.export(folder.parent, f"{folder.name}\0x", status=400),
    ],
)
def test_a_path_with_a_zero_touches_nothing(hearth, tmp_path, call):
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "precious").write_text("x")
    call(Place(hearth.auth), folder)
    assert [str(path) for path in tmp_path.rglob("*")] == [str(folder), str(folder / "precious")]


@pytest.mark.parametrize(
    "metadata, words",
    [
        ({"firestore": {"path": "f"}}, "'firestore' has no 'metadata_file'"),
        ({"firestore": "f"}, "'firestore' has no 'metadata_file'"),
        ({"auth": {"version": "1"}}, "'auth' has no 'path'"),
        ({"auth": {"path": "../a"}}, "'../a' is not inside the export"),
        ({"firestore": {"metadata_file": "/etc/passwd"}}, "'/etc/passwd' is not inside the export"),
        ({"firestore": {"metadata_file": "f\\..\\..\\x"}}, "is not inside the export"),
    ],
)
def test_metadata_that_leads_nowhere_is_refused(hearth, tmp_path, metadata, words):
    (tmp_path / "firebase-export-metadata.json").write_text(json.dumps(metadata))
    error = Place(hearth.auth).emulator("import", 400, path=str(tmp_path))["error"]
    assert words in error["message"]


@pytest.mark.parametrize("origin", ["http://localhost:3000", "https://evil.example", "null"])
def test_web_pages_cannot_export_or_import(hearth, tmp_path, origin):
    place = Place(hearth.auth)
    headers = {"Origin": origin}
    place.emulator("export", 403, headers, directory=str(tmp_path / "out"))
    place.emulator("import", 403, headers, path=str(SAMPLES / "09-full-folder"))
    assert list(tmp_path.iterdir()) == [] and place.documents() == {}


def test_an_import_that_fails_in_its_middle_is_undone(hearth, tmp_path):
    place, target = Place(hearth.auth), Place(hearth.auth)
    place.write({"c/d": {}})
    users = f"/identitytoolkit.googleapis.com/v1/projects/{place.project}"
    for uid in ("ann", "bob"):
        place.call("POST", f"{users}/accounts", json={"localId": uid})
    place.call("POST", f"{users.replace('v1', 'v2')}/tenants", json={"displayName": "North"})
    place.emulator("export", directory=str(tmp_path))
    extras = tmp_path / "auth_export/hearth-extra.ndjson"
    lines = extras.read_text().splitlines()
    facts = json.loads(lines[0])
    # Known only when settings, the first users and tenants are written.
    facts["idpConfigs"] = [{"kind": "oauthIdpConfigs", "id": "no prefix", "config": {}}]
    extras.write_text("\n".join([json.dumps(facts), *lines[1:]]) + "\n")
    before = target.call("GET", f"/emulator/v1/projects/{target.project}/seed")
    target.emulator("import", 400, path=str(tmp_path))
    assert target.call("GET", f"/emulator/v1/projects/{target.project}/seed") == before == {}


def test_an_export_that_fails_leaves_the_old_one(hearth, tmp_path):
    place = Place(hearth.auth)
    place.write({"c/d": {"n": {"integerValue": "1"}}})
    place.emulator("export", directory=str(tmp_path / "out"))
    before = (tmp_path / "out/firestore_export" / OUTPUT).read_bytes()
    # Where the accounts are to go, there is a folder that cannot be moved out of the way.
    (tmp_path / "out/.export.hearth-partial").write_text("in the way")
    (tmp_path / "file").write_text("not a directory")
    place.emulator("export", 400, directory=str(tmp_path / "file/out"))
    assert (tmp_path / "out/firestore_export" / OUTPUT).read_bytes() == before
    place.emulator("export", directory=str(tmp_path / "out"))
    assert (tmp_path / "out/firestore_export" / OUTPUT).read_bytes() == before


def test_listeners_and_projects_see_no_staging(hearth):
    place = Place(hearth.auth)
    place.load(SAMPLES / "01-scalars/firestore_export" / OVERALL)
    projects = requests.get(hearth.auth + "/emulator/v1/projects", timeout=30).json()["projects"]
    assert place.project in projects
    assert not [name for name in projects if "/" in name]


def message(*texts: str) -> bytes:
    """A protobuf message of strings, in fields from 1."""
    data = b""
    for number, text in enumerate(texts, 1):
        assert len(text) < 128
        data += bytes([number << 3 | 2, len(text)]) + text.encode()
    return data


def test_exports_and_imports_over_grpc(hearth, tmp_path):
    grpc = pytest.importorskip("grpc")
    place, target = Place(hearth.auth), Place(hearth.auth)
    place.write({"c/d": {"n": {"integerValue": "1"}}})
    with grpc.insecure_channel(hearth.host) as channel:

        def call(method: str, *texts: str) -> bytes:
            name = f"/google.firestore.emulator.v1.FirestoreEmulator/{method}"
            return channel.unary_unary(name)(
                message(*texts), timeout=30, metadata=[("authorization", "Bearer owner")]
            )

        assert call("ExportData", place.name, str(tmp_path), "e") == b""
        assert call("ImportData", target.name, str(tmp_path / "e/e.overall_export_metadata")) == b""
        with pytest.raises(grpc.RpcError) as refusal:
            call("ExportData", place.name, "relative", "e")
        assert refusal.value.code() == grpc.StatusCode.FAILED_PRECONDITION
    assert target.documents() == place.documents()


def test_listeners_hear_of_an_import(hearth, db):
    seen = queue.Queue()
    watch = db.collection("s").on_snapshot(lambda documents, *_: seen.put(len(documents)))
    assert seen.get(timeout=30) == 0
    Place(hearth.auth, db.project).load(SAMPLES / "01-scalars/firestore_export" / OVERALL)
    assert seen.get(timeout=30) == len(sample("01-scalars")["documents"])
    db.document("s/bool").delete()
    assert seen.get(timeout=30) == len(sample("01-scalars")["documents"]) - 1
    watch.unsubscribe()
