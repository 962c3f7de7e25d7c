"""The packages for Python and JavaScript: built from the binary of these tests, installed offline."""

import json
import os
import pathlib
import shutil
import site
import subprocess
import sys
import tarfile
from dataclasses import dataclass

import pytest
from support.dialects import DIALECTS
from support.server import ROOT, binary

CONTRACT = ROOT / "Tests/Clients/packages/contract"
# What Tests/run unpacks there: Debian's jest and TypeScript.
NODE_MODULES = ROOT / ".build/node-modules/usr/share/nodejs"


def clean_environment(**more: str) -> dict[str, str]:
    """Ours, without the variables that name a server or a binary."""
    names = ("HEARTH_", "FIREBASE_", "FIRESTORE_", "GCLOUD_", "GOOGLE_CLOUD_", "PYTEST_", "NODE_")
    return {**{k: v for k, v in os.environ.items() if not k.startswith(names)}, **more}


def run(*command, cwd=None, status: int = 0, **environment: str) -> str:
    """What a command prints; it must end with that status."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=clean_environment(**environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    assert done.returncode == status, f"{done.returncode}: {command}\n{done.stdout}"
    return done.stdout


def stripped(folder: pathlib.Path) -> pathlib.Path:
    """The binary without debugging information, which would make the packages large and slow."""
    path = folder / "hearth"
    if shutil.which("strip"):
        run("strip", "-o", path, binary())
    else:
        shutil.copy(binary(), path)
    path.chmod(0o755)
    return path


def build(language: str, folder: pathlib.Path, *more) -> list[pathlib.Path]:
    """The files that the build script of a language writes."""
    script = ROOT / f"Sources/hearth-{language}/build"
    printed = run(sys.executable, script, "--out", folder, *more, PYTHONDONTWRITEBYTECODE="1")
    return [pathlib.Path(line) for line in printed.splitlines()]


def dialects(folder: pathlib.Path) -> str:
    """The definitions of the seed apps, on the server's own port: then many servers can run."""
    for path in DIALECTS.glob("*.json"):
        definition = json.loads(path.read_text())
        definition["serve"].pop("port", None)
        (folder / path.name).write_text(json.dumps(definition))
    return str(folder)


# MARK: Python


@dataclass(frozen=True)
class Venv:
    """An environment that has one wheel; pytest and the SDKs are those of these tests."""

    path: pathlib.Path

    @property
    def python(self) -> pathlib.Path:
        return self.path / "bin/python"

    @property
    def hearth(self) -> pathlib.Path:
        return self.path / "bin/hearth"

    def pytest(self, *words, cwd, **environment: str) -> str:
        return run(
            self.python,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            *words,
            cwd=cwd,
            **environment,
        )


def venv(folder: pathlib.Path, wheel: pathlib.Path) -> Venv:
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    made = Venv(folder)
    run(
        sys.executable,
        "-m",
        "pip",
        "--python",
        made.python,
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
        "--disable-pip-version-check",
        wheel,
    )
    [packages] = (folder / "lib").glob("python*/site-packages")
    (packages / "of-the-tests.pth").write_text("\n".join(site.getsitepackages()))
    return made


# MARK: JavaScript


def node_project(folder: pathlib.Path, *archives: pathlib.Path) -> pathlib.Path:
    """A project whose node_modules are the contents of the archives."""
    folder.mkdir(parents=True)
    (folder / "package.json").write_text(json.dumps({"name": "a-project", "private": True}))
    for archive in archives:
        with tarfile.open(archive) as tar:
            manifest = json.load(tar.extractfile("package/package.json"))
            tar.extractall(folder, filter="data")
        target = folder / "node_modules" / manifest["name"]
        target.parent.mkdir(exist_ok=True)
        (folder / "package").rename(target)
    return folder


# Debian's node says this of itself, and Debian's jest looks for it.
_LIKE_DEBIAN = """
const { config } = process;
const variables = {
  node_relative_path: "share/nodejs:lib/nodejs", node_prefix: "/usr", ...config.variables };
Object.defineProperty(process, "config", { value: { ...config, variables } });
"""


def debian_module(name: str, project: pathlib.Path) -> tuple[str, dict[str, str]]:
    """The path of a file of Debian's packages for node, and the variables that it needs."""
    for folder in (NODE_MODULES, pathlib.Path("/usr/share/nodejs")):
        if (folder / name).exists():
            (project / "like-debian.cjs").write_text(_LIKE_DEBIAN)
            return str(folder / name), {
                "NODE_PATH": str(folder),
                "NODE_OPTIONS": f"-r {project / 'like-debian.cjs'}",
            }
    pytest.skip(f"{name} is not there: Tests/Clients/packages/node-modules unpacks it")
