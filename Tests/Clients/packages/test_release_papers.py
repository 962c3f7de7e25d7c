"""What a release says of itself: notes, provenance, licence, and the image's settings."""

import io
import json
import re
import runpy
import sys
import tarfile

import pytest
from support.server import ROOT

sys.path.insert(0, str(ROOT / "docker/release"))

from steps import archive, image, licence, notes, provenance  # noqa: E402
from steps.source import Source  # noqa: E402

SOURCE = Source("1.2.3", "0123456789ab", 1_700_000_000, "x86_64")
CHANGES = """# Change log

## Unreleased

- One
  more.
- [Two](Two.md#a).

## 1.2.3

1 January 2026. See [the console](Console.md).

## 1.2.2

- Old.
"""


def test_the_newest_version_has_a_date_and_one_page():
    known = notes.sections(notes.CHANGES.read_text())
    newest = next(name for name in known if name != "Unreleased")
    assert re.match(r"\d{1,2} [A-Z][a-z]+ \d{4}, ", known[newest])
    assert len(known[newest].splitlines()) <= 60


def test_notes_are_the_section_of_the_version_without_links():
    made = notes.notes("1.2.3", CHANGES)
    assert made == "# Hearth 1.2.3\n\n1 January 2026. See the console.\n"
    assert notes.unreleased(CHANGES) == 2
    with pytest.raises(SystemExit, match=r"has no section 9\.9\.9"):
        notes.notes("9.9.9", CHANGES)


def test_the_version_of_the_source_has_its_section_and_its_database():
    text = (ROOT / "Sources/HearthOperations/HearthVersion.swift").read_text()
    version = re.search(r'static let text = "([^"]+)"', text)[1]
    first = notes.notes(version).splitlines()[2]
    assert re.match(r"\d{1,2} [A-Z][a-z]+ \d{4}, ", first), first
    assert (ROOT / f"fixtures/databases/hearth-{version}/hearth.sqlite").exists()


def test_the_provenance_names_every_package_by_its_sum(tmp_path):
    archive.write(tmp_path / "b", "two")
    archive.write(tmp_path / "a", "one")
    made = json.loads(provenance.text(SOURCE, tmp_path))
    assert made["_type"] == "https://in-toto.io/Statement/v1"
    assert [row["name"] for row in made["subject"]] == ["a", "b"]
    assert made["subject"][0]["digest"]["sha256"] == archive.sha256(tmp_path / "a")
    built = made["predicate"]["buildDefinition"]
    assert built["resolvedDependencies"][0]["digest"] == {"gitCommit": "0123456789ab"}
    assert len(built["resolvedDependencies"]) > 10


def test_the_licence_is_read_from_one_file(tmp_path):
    file = tmp_path / "LICENSE"
    assert licence.identifier(file) is None
    assert "not chosen" in licence.debian(file)
    file.write_text("Some Licence\n\nSPDX-License-Identifier: Apache-2.0\n\nThe words.\n")
    assert licence.identifier(file) == "Apache-2.0"
    assert licence.debian(file).splitlines()[:3] == ["License: Apache-2.0", " Some Licence", " ."]
    file.write_text("Words only.\n")
    with pytest.raises(SystemExit, match="SPDX-License-Identifier"):
        licence.identifier(file)


def test_no_registry_takes_a_package_whose_name_is_not_reserved():
    npm = runpy.run_path(str(ROOT / "Sources/hearth-js/build"))
    elf = b"\x7fELF" + bytes(14) + b"\x3e\0"
    for files in (npm["main_package"]("1.2.3"), npm["platform_package"]("1.2.3", elf)):
        assert json.loads(files["package.json"])["private"] is True
    wheel = runpy.run_path(str(ROOT / "Sources/hearth-python/hearth_wheel.py"))
    said = wheel["metadata"]("1.2.3", "py3-none-any")["METADATA"]
    assert "\nClassifier: Private :: Do Not Upload\n" in said


def test_guides_say_that_no_licence_is_chosen_while_there_is_none():
    installing = (ROOT / "Sources/hearth/Hearth.docc/Installing.md").read_text()
    assert ("licence of Hearth is not chosen" in installing) == (licence.text() is None)


def test_the_image_is_run_as_the_dockerfile_says():
    settings = image.settings(SOURCE)
    assert settings["User"] == "10001:10001"
    assert settings["Entrypoint"] == ["hearth"] and settings["Cmd"] == ["serve"]
    assert settings["Env"] == ["PATH=/usr/local/bin", "HEARTH_HOST=0.0.0.0"]
    assert settings["Healthcheck"] == {
        "Test": ["CMD", "hearth", "health"],
        "Interval": 5 * 10**9,
        "Timeout": 3 * 10**9,
        "StartPeriod": 5 * 10**9,
    }
    assert settings["Labels"]["org.opencontainers.image.version"] == "1.2.3"
    assert "9099/tcp" in settings["ExposedPorts"]


def test_the_archive_of_the_image_is_what_engines_load(tmp_path):
    made = image.write(SOURCE, ROOT.joinpath("/bin/sh"), tmp_path)
    first = made.read_bytes()
    assert image.write(SOURCE, ROOT.joinpath("/bin/sh"), tmp_path).read_bytes() == first
    with tarfile.open(made) as tar:

        def read(name):
            return tar.extractfile(name).read()

        [entry] = json.loads(read("index.json"))["manifests"]
        manifest = json.loads(read("blobs/" + entry["digest"].replace(":", "/")))
        [older] = json.loads(read("manifest.json"))
        assert older["RepoTags"] == ["hearth:1.2.3"]
        assert older["Layers"] == [
            "blobs/" + layer["digest"].replace(":", "/") for layer in manifest["layers"]
        ]
        for layer in manifest["layers"]:
            content = read("blobs/" + layer["digest"].replace(":", "/"))
            assert layer["size"] == len(content)
            assert layer["digest"] == f"sha256:{image.digest(content)}"
        with tarfile.open(fileobj=io.BytesIO(content)) as program:
            [binary] = [one for one in program if one.isfile()]
            assert (binary.name, binary.mode, binary.uid) == ("usr/local/bin/hearth", 0o755, 0)
