"""Writes the wheel, with the binary in it or without. Needs Python 3.11 and nothing else.

It is also the build backend of `pip install Sources/hearth-python`, which packs the binary that
HEARTH_BINARY names, if it names one.
"""

import base64
import hashlib
import os
import re
import time
import zipfile
from pathlib import Path

import tomllib

HERE = Path(__file__).resolve().parent
ELF_MACHINES = {62: "x86_64", 183: "aarch64"}
VERSION_FILE = HERE.parent / "HearthOperations/HearthVersion.swift"


def version_of_sources() -> str:
    return re.search(r'text = "(.+?)"', VERSION_FILE.read_text())[1]


def platform_tag(binary: bytes) -> str:
    """The oldest glibc and the processor that the binary runs with."""
    if binary[:4] != b"\x7fELF":
        raise SystemExit("the binary is not one of Linux; other platforms have no wheel yet")
    machine = ELF_MACHINES[int.from_bytes(binary[18:20], "little")]
    glibc = max(int(minor) for minor in re.findall(rb"GLIBC_2\.(\d+)", binary))
    return f"manylinux_2_{glibc}_{machine}"


def write_wheel(folder: Path, version: str, binary: Path | None) -> str:
    """Writes the wheel into the folder, and returns its file name."""
    program = binary.read_bytes() if binary else None
    tag = f"py3-none-{platform_tag(program) if program else 'any'}"
    files = {
        f"hearth_emulator/{path.relative_to(HERE / 'src/hearth_emulator')}": path.read_bytes()
        for path in sorted((HERE / "src/hearth_emulator").rglob("*"))
        if path.suffix == ".py" or path.name == "py.typed"
    }
    if program:
        files["hearth_emulator/bin/hearth"] = program
    info = f"hearth_emulator-{version}.dist-info"
    files |= {f"{info}/{name}": text.encode() for name, text in metadata(version, tag).items()}
    record = "".join(f"{path},{digest(text)},{len(text)}\n" for path, text in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    name = f"hearth_emulator-{version}-{tag}.whl"
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as wheel:
        for path, content in files.items():
            wheel.writestr(entry(path), content)
    return name


def entry(path: str) -> zipfile.ZipInfo:
    """The same bytes for the same contents: the time is that of the commit, if it is given."""
    # A zip file knows no time before 1980.
    seconds = max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315532800)
    one = zipfile.ZipInfo(path, time.gmtime(seconds)[:6])
    one.compress_type = zipfile.ZIP_DEFLATED
    one.create_system = 3
    one.external_attr = (0o100755 if path.endswith("/bin/hearth") else 0o100644) << 16
    return one


def digest(content: bytes) -> str:
    value = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=")
    return f"sha256={value.decode()}"


def licence_lines() -> list[str]:
    """What the file LICENSE names; nothing without it."""
    file = HERE.parent.parent / "LICENSE"
    known = file.read_text() if file.exists() else ""
    found = re.search(r"^SPDX-License-Identifier: (\S.*)$", known, re.MULTILINE)
    return [f"License: {found[1].strip()}"] if found else []


def metadata(version: str, tag: str) -> dict[str, str]:
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {project['name']}",
        f"Version: {version}",
        f"Summary: {project['description']}",
        f"Requires-Python: {project['requires-python']}",
        f"Keywords: {','.join(project['keywords'])}",
        *licence_lines(),
        *(f"Classifier: {one}" for one in project["classifiers"]),
        "Description-Content-Type: text/markdown",
        "",
        (HERE / project["readme"]).read_text(),
    ]
    points = {"console_scripts": project["scripts"], **project["entry-points"]}
    return {
        "METADATA": "\n".join(lines),
        "WHEEL": "\n".join(
            [
                "Wheel-Version: 1.0",
                "Generator: hearth_wheel",
                "Root-Is-Purelib: false",
                f"Tag: {tag}",
                "",
            ]
        ),
        "entry_points.txt": "\n".join(
            f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in entries.items())
            for group, entries in points.items()
        ),
    }


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Called by pip."""
    binary = os.environ.get("HEARTH_BINARY")
    return write_wheel(
        Path(wheel_directory), version_of_sources(), Path(binary) if binary else None
    )
