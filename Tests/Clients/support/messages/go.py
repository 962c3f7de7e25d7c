"""Programs in Go, built with the packages of the system, as Debian has them."""

import os
import pathlib
import shutil
import subprocess

import pytest
from support.as_google import PROGRAMS, needs

SOURCES = pathlib.Path("/usr/share/gocode/src")


def build(program: str, package: str, folder: pathlib.Path) -> str:
    """The path of the built program; the test is skipped where the package is not installed."""
    go = needs("go")
    if not (SOURCES / package).is_dir():
        pytest.skip(f"{package} for Go is not installed")
    shutil.copy(PROGRAMS / program, folder / "main.go")
    environment = os.environ | {
        "GO111MODULE": "off",
        "GOPATH": str(SOURCES.parent),
        "GOFLAGS": "-mod=mod",
        "GOCACHE": str(folder / "cache"),
    }
    built = subprocess.run(
        [go, "build", "-o", "program", "main.go"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert built.returncode == 0, built.stderr
    return str(folder / "program")
