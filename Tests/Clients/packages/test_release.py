"""What docker/release makes, as far as it needs no packing: Tests/run packs, and checks the packages."""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

import pytest
from support.server import ROOT, binary

sys.path.insert(0, str(ROOT / "docker/release"))

from steps import archive, link, manual, sbom  # noqa: E402
from steps.source import Source  # noqa: E402

SOURCE = Source("1.2.3", "0123456789ab", 1_700_000_000, "x86_64")


def folder_with_files(parent, names, time):
    folder = parent / "files"
    for name in names:
        archive.write(folder / name, f"the text of {name}", 0o755 if name == "run" else 0o640)
        os.utime(folder / name, (time, time))
    return folder


@pytest.mark.parametrize("make", [archive.tar_gz, archive.zip_file])
def test_the_same_files_make_the_same_bytes(make, tmp_path):
    made = []
    for number, names in enumerate((["a", "b/c", "run"], ["run", "b/c", "a"])):
        parent = tmp_path / str(number)
        folder = folder_with_files(parent, names, time=1_000_000_000 + number)
        make(folder, parent / "archive", SOURCE.epoch)
        made.append((parent / "archive").read_bytes())
    assert made[0] == made[1]


def test_programs_stay_programs_and_the_time_is_that_of_the_commit(tmp_path):
    folder = folder_with_files(tmp_path, ["a", "run"], time=1)
    archive.zip_file(folder, tmp_path / "archive.zip", SOURCE.epoch)
    with zipfile.ZipFile(tmp_path / "archive.zip") as made:
        assert {file.filename: oct(file.external_attr >> 16)[-3:] for file in made.infolist()} == {
            "a": "644",
            "run": "755",
        }
        assert {file.date_time[:3] for file in made.infolist()} == {(2023, 11, 14)}


def test_every_command_has_a_page_that_lists_its_flags():
    pages = manual.pages(binary(), SOURCE)
    help_text = subprocess.run(
        [binary(), "help", "exec"], capture_output=True, text=True, check=True, timeout=30
    ).stdout
    assert {
        "hearth.1",
        "hearth-exec.1",
        "hearth-snapshot-save.1",
        "hearth-emulators-exec.1",
    } <= set(pages)
    assert "hearth-settings.1" not in pages  # Hidden from the help.
    for flag in ("--rules", "--auth-port"):
        assert flag in help_text and flag.replace("-", "\\-") in pages["hearth-exec.1"]
    assert '"hearth 1.2.3"' in pages["hearth.1"]


@pytest.mark.parametrize(
    "text, roff",
    [
        ("a-b", "a\\-b"),
        ("back\\slash", "back\\eslash"),
        (".dot first", "\\&.dot first"),
        ("'quote", "\\&'quote"),
    ],
)
def test_text_is_literal_in_the_manual(text, roff):
    assert manual.escaped(text) == roff


def test_the_bill_of_materials_names_every_package_once(tmp_path):
    program = tmp_path / "hearth"
    program.write_bytes(b"a program")
    made = sbom.document(SOURCE, program, is_static=True)
    identifiers = [part["SPDXID"] for part in made["packages"]]
    assert len(identifiers) == len(set(identifiers))
    assert {"hearth", "swift-nio", "SQLite", "zlib"} <= {part["name"] for part in made["packages"]}
    assert {row["relatedSpdxElement"] for row in made["relationships"]} == set(identifiers)


def test_without_a_build_the_link_says_what_to_do(tmp_path):
    with pytest.raises(SystemExit, match="run swift build -c release first"):
        link.command(tmp_path)


def compiled(folder):
    """Objects of C++ and Swift whose sources are in a folder, as a release links them."""
    archive.write(folder / "a.cc", 'extern "C" const char *n() { return __FILE__; }\n')
    archive.write(
        folder / "a.swift", "public struct A { public var text = String(describing: 1) }\n"
    )
    subprocess.run(
        [
            "clang++",
            "-g",
            "-O2",
            f"-ffile-prefix-map={folder}=/hearth",
            "-c",
            folder / "a.cc",
            "-o",
            folder / "cc.o",
        ],
        check=True,
        timeout=120,
    )
    subprocess.run(
        [
            "swiftc",
            "-g",
            "-O",
            "-wmo",
            "-parse-as-library",
            "-emit-object",
            "-module-name",
            "A",
            folder / "a.swift",
            "-o",
            folder / "swift.o",
        ],
        check=True,
        timeout=120,
    )
    made = archive.folder_of(folder, "made")
    copies = link.without(link.OF_THIS_MACHINE, [folder / "cc.o", folder / "swift.o"], made)
    return [pathlib.Path(copy).read_bytes() for copy in copies]


@pytest.mark.skipif(not shutil.which("swiftc"), reason="needs the compiler")
def test_objects_are_the_same_wherever_their_source_is(tmp_path):
    first, second = (compiled(tmp_path / name) for name in ("one", "another-folder"))
    assert first == second


def test_a_folder_of_its_own_is_built_without_paths_of_the_machine(tmp_path, monkeypatch):
    ran = []
    monkeypatch.setattr(
        link.subprocess,
        "run",
        lambda words, cwd: ran.append(words) or argparse.Namespace(returncode=0),
    )
    source = tmp_path / "source"
    source.mkdir()
    link.built(ROOT / ".build", source)
    link.built(tmp_path / "build", source)
    assert not any("prefix-map" in word for word in ran[0])
    assert ran[1][-6:] == [
        "-Xcc",
        f"-ffile-prefix-map={tmp_path}/source=/hearth",
        "-Xcc",
        f"-ffile-prefix-map={tmp_path}/build=/build",
        "-Xcc",
        "-DNDEBUG",
    ]
