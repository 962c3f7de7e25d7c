"""Programs that know nothing of Hearth, run by `hearth exec --as-google`."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest
from support.server import ROOT, binary

PROGRAMS = ROOT / "Tests" / "Clients" / "asgoogle" / "programs"
PROJECT = "demo-as-google"
GO_SOURCES = pathlib.Path("/usr/share/gocode/src")


class AsGoogle:
    """Runs commands for which Hearth is Google."""

    def __init__(self, home: pathlib.Path, key: pathlib.Path | None = None):
        self.home, self.key = home, key

    def command(self, *command: str, flags: tuple[str, ...] = ()) -> list[str]:
        own = ["--service-account", str(self.key)] if self.key else []
        return [binary(), "exec", "--as-google", "--project", PROJECT, *own, *flags, "--", *command]

    def environment(self, **more: str) -> dict[str, str]:
        """What a person has: a home, a path, and nothing of an emulator."""
        kept = ("PATH", "LANG", "CHROMIUM", "CHROMEDRIVER", "JAVA_HOME", "HEARTH_JS_SDK")
        return (
            {name: os.environ[name] for name in kept if name in os.environ}
            | {"HOME": str(self.home), "PYTHONDONTWRITEBYTECODE": "1"}
            | more
        )

    def run(
        self,
        *command: str,
        flags: tuple[str, ...] = (),
        status: int | None = 0,
        cwd: pathlib.Path | None = None,
        **environment: str,
    ) -> subprocess.CompletedProcess:
        done = subprocess.run(
            self.command(*command, flags=flags),
            capture_output=True,
            text=True,
            timeout=240,
            cwd=cwd or self.home,
            env=self.environment(**environment),
        )
        if status is not None:
            assert done.returncode == status, f"{done.stdout}\n{done.stderr}"
        return done

    def python(self, program: str, *arguments: str, **options) -> dict:
        """What a program of this folder prints last, as JSON."""
        done = self.run(sys.executable, str(PROGRAMS / program), *arguments, **options)
        assert done.stdout, done.stderr
        return json.loads(done.stdout.splitlines()[-1])


def needs(program: str) -> str:
    found = shutil.which(program)
    if not found:
        pytest.skip(f"{program} is not installed")
    return found


def built_go(program: str, package: str, folder: pathlib.Path) -> str:
    """The path of a program in Go, built with Debian's packages; the test is skipped where the package is not installed."""
    go = needs("go")
    if not (GO_SOURCES / package).is_dir():
        pytest.skip(f"{package} for Go is not installed")
    shutil.copy(PROGRAMS / program, folder / "main.go")
    environment = os.environ | {
        "GO111MODULE": "off",
        "GOPATH": str(GO_SOURCES.parent),
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
