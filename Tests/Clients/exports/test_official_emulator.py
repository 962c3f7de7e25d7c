"""What Hearth writes, read by the official Firestore emulator, and the other way round."""

import base64
import os
import random
import shutil
import signal
import socket
import subprocess

import pytest
from support.folders import OVERALL, Place, plain
from support.server import free_port
from support.waiting import until

DEBIAN = "/usr/lib/google-cloud-sdk/platform/cloud-firestore-emulator/cloud_firestore_emulator"
IDS = ["a", "B c", "ä", "__id7__", "__id-9__", "123", "x'y\"z", "日本"]


@pytest.fixture(scope="module")
def official():
    command = shutil.which("cloud_firestore_emulator") or shutil.which(DEBIAN)
    if command is None:
        pytest.skip("the official Firestore emulator is not installed")
    port = free_port()
    process = subprocess.Popen(
        [command, "start", "--host=127.0.0.1", f"--port={port}"],
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"JAVA_TOOL_OPTIONS": "-Xmx512m -XX:+UseSerialGC"},
    )

    def listens() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    until(listens, 60, "a listening emulator")
    yield f"http://127.0.0.1:{port}"
    os.killpg(process.pid, signal.SIGTERM)
    process.wait(30)


def value(choice: random.Random, depth: int = 0, in_array: bool = False) -> dict:
    kinds = ["null", "boolean", "integer", "double", "time", "string", "bytes", "reference", "geo"]
    kinds += [] if in_array else ["array", "vector"]
    kinds += ["map"] if depth < 3 else []
    match choice.choice(kinds):
        case "null":
            return {"nullValue": None}
        case "boolean":
            return {"booleanValue": choice.random() < 0.5}
        case "integer":
            return {"integerValue": str(choice.choice([0, 1, -1, 2**63 - 1, -(2**63)]))}
        case "double":
            return {"doubleValue": choice.choice([1.5, "NaN", "Infinity", -1e300, 5e-324])}
        case "time":
            return {
                "timestampValue": choice.choice(
                    [
                        "0001-01-01T00:00:00Z",
                        "1969-12-31T23:59:59.999999Z",
                        "9999-12-31T23:59:59.999999Z",
                    ]
                )
            }
        case "string":
            return {"stringValue": choice.choice(["", "x", "a\0b", "😀", "long " * 900])}
        case "bytes":
            return {
                "bytesValue": base64.b64encode(choice.choice([b"", b"\0\xff", b"text"])).decode()
            }
        case "reference":
            return {
                "referenceValue": f"projects/p/databases/(default)/documents/c/{choice.choice(IDS)}"
            }
        case "geo":
            return {
                "geoPointValue": {
                    "latitude": choice.choice([0, -90, 45.5]),
                    "longitude": choice.choice([180, -7.25]),
                }
            }
        case "array":
            return {
                "arrayValue": {
                    "values": [value(choice, depth + 1, True) for _ in range(choice.randrange(4))]
                }
            }
        case "vector":
            return {
                "mapValue": {
                    "fields": {
                        "__type__": {"stringValue": "__vector__"},
                        "value": {
                            "arrayValue": {
                                "values": [
                                    {"doubleValue": index / 3}
                                    for index in range(choice.randrange(1, 5))
                                ]
                            }
                        },
                    }
                }
            }
        case _:
            return {"mapValue": {"fields": fields(choice, depth + 1)}}


def fields(choice: random.Random, depth: int = 0) -> dict:
    return {
        f"{choice.choice(['f', 'ä ö', 'with.dot', '`'])}{index}": value(choice, depth)
        for index in range(choice.randrange(6))
    }


def documents(seed: int, count: int = 60) -> dict[str, dict]:
    choice = random.Random(seed)
    made = {}
    for _ in range(count):
        parts = [
            part
            for _ in range(choice.randrange(1, 4))
            for part in (choice.choice(["users", "Ω", "c d"]), choice.choice(IDS))
        ]
        made["/".join(parts)] = fields(choice)
    return made


def text(content: str) -> dict:
    return {"stringValue": content}


def array(*values: dict) -> dict:
    return {"arrayValue": {"values": list(values)}}


def level(**members: dict) -> dict:
    return {"mapValue": {"fields": members}}


def deep(depth: int) -> dict:
    return level(a=deep(depth - 1)) if depth else text("x")


# What is at the edge of what can be stored.
STRANGE = {
    "big/text": {"t": text("y" * 1_048_000)},
    "big/array": {"t": array(*[text("z" * 1000)] * 900)},
    "nested/arrays": {
        "l": array(level(l=array(level(l=array(text("x"), level())))), level(e=array()))
    },
    "nested/maps": {"d": deep(19), "m": level(), "n": level(x=level(y=level()))},
    "nested/empty": {},
    "nested/lists": {"a": array(), "m": level(a=array())},
    "ids/😀🏳️\u200d🌈": {},
    "ids/e\u0301": {"n": text("nfd")},
    "ids/\u00e9": {"n": text("nfc")},
    "ids/...": {},
    "ids/__id-1__": {},
    "ids/__id9223372036854775807__": {},
    "ids/" + "x" * 1500: {},
    "ünï çol/d/sub col/e": {},
    "a/b/c/d/e/f/g/h": {"x": text("no parents")},
    "names/a": {
        name: text(name) for name in ["a.b", "`", "\\", " ", "😀", "__a", "x" * 1500, "\n"]
    },
    "numbers/a": {"nan": {"doubleValue": "NaN"}, "most": {"doubleValue": 1.7976931348623157e308}},
    "times/a": {
        "least": {"timestampValue": "0001-01-01T00:00:00Z"},
        "most": {"timestampValue": "9999-12-31T23:59:59.999999999Z"},
    },
    "vectors/a": {
        "v": level(
            __type__=text("__vector__"),
            value=array(*[{"doubleValue": index / 7} for index in range(2048)]),
        )
    },
    "references/a": {"r": {"referenceValue": "projects/o/databases/two/documents/c/__id5__/x/ü"}},
}


@pytest.mark.parametrize("content", [0, 1, 2, 3, STRANGE], ids=["0", "1", "2", "3", "strange"])
@pytest.mark.parametrize("name", ["(default)", "second"])
def test_each_reads_what_the_other_writes(hearth, official, tmp_path, content, name):
    ours, theirs = Place(hearth.auth, database=name), Place(official, database=name)
    written = content if isinstance(content, dict) else documents(content)
    # All of it at once is more than a commit may have.
    for part in (
        [{path: fields} for path, fields in written.items()] if written is STRANGE else [written]
    ):
        ours.write(part)
    ours.export(tmp_path, "ours")
    theirs.load(tmp_path / "ours/ours.overall_export_metadata")
    assert plain(theirs.documents()) == plain(ours.documents())
    theirs.export(tmp_path, "theirs")
    again = Place(hearth.auth, database=name)
    again.load(tmp_path / "theirs/theirs.overall_export_metadata")
    assert plain(again.documents()) == plain(theirs.documents())
    again.export(tmp_path, "theirs-again")
    output = "all_namespaces/all_kinds/output-0"
    assert (tmp_path / "theirs-again" / output).read_bytes() == (
        tmp_path / "theirs" / output
    ).read_bytes()


def test_an_empty_database(hearth, official, tmp_path):
    ours, theirs = Place(hearth.auth), Place(official)
    ours.export(tmp_path)
    theirs.load(tmp_path / "firestore_export" / OVERALL)
    assert theirs.documents() == {}
