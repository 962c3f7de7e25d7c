"""Where the binary is: the server that a test starts, and what the command runs."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

#: The platforms that have a wheel with the binary, as `platform.system()` and `.machine()` say it.
PLATFORMS = (("Linux", "x86_64"),)

_BUNDLED = Path(__file__).with_name("bin") / "hearth"


class NoBinary(RuntimeError):
    """No binary for this machine was found, and no running server."""


def find(environment: Mapping[str, str] | None = None) -> str:
    """The binary: that of `HEARTH_BINARY`, else the one of this package, else one in the PATH."""
    environment = os.environ if environment is None else environment
    given = environment.get("HEARTH_BINARY")
    if given:
        if not Path(given).is_file():
            raise NoBinary(f"HEARTH_BINARY names {given}, which is not a file")
        return given
    if _BUNDLED.is_file():
        return str(_BUNDLED)
    for path in _in_path(environment.get("PATH", "")):
        return path
    raise NoBinary(explanation())


def _in_path(folders: str) -> Iterator[str]:
    for folder in folders.split(os.pathsep):
        path = Path(folder or ".") / "hearth"
        if path.is_file() and os.access(path, os.X_OK) and not _is_script(path):
            yield str(path)


def _is_script(path: Path) -> bool:
    """Whether it is a launcher such as ours, which would look for a binary too."""
    try:
        with path.open("rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return True


def explanation() -> str:
    """What to do if no binary was found."""
    here = f"{platform.system()} {platform.machine()}"
    known = ", ".join(f"{system} {machine}" for system, machine in PLATFORMS)
    return (
        f"hearth-emulator has no binary for this machine ({here}); it has one for: {known}. "
        "Build hearth from its sources, and name it in HEARTH_BINARY or put it into the PATH; "
        "or name a server that runs already in HEARTH_CONSOLE_URL."
    )


def main() -> None:
    """The command `hearth`: it becomes the binary, whose signals and status these then are."""
    try:
        path = find()
        if os.path.realpath(path) == os.path.realpath(sys.argv[0]):
            raise NoBinary("HEARTH_BINARY names this launcher; it must name a binary")
        os.execv(path, ["hearth", *sys.argv[1:]])
    except (NoBinary, OSError) as error:
        sys.exit(f"hearth: {error}")
