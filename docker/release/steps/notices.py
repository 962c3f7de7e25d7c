"""The packages and libraries that the binary contains, and their licences."""

import json
import re
import subprocess
from pathlib import Path

from steps.source import LOCK, run

# Every Swift package that is locked is under this licence.
SWIFT_LICENCE = "Apache-2.0"
# Static library: its Debian package, the package with its copyright file, its licence.
LIBRARIES = {
    "OpenSSL libcrypto": ("libssl-dev", "libssl-dev", "Apache-2.0"),
    "SQLite": ("libsqlite3-dev", "libsqlite3-dev", "blessing"),
    "zlib": ("zlib1g-dev", "zlib1g-dev", "Zlib"),
    "libstdc++": ("libstdc++-12-dev", "gcc-12-base", "GPL-3.0-or-later WITH GCC-exception-3.1"),
}


def pins():
    """Name, version, address and revision of each Swift package, sorted by name."""
    found = json.loads(LOCK.read_text())["pins"]
    return sorted(
        (pin["identity"], pin["state"]["version"], pin["location"], pin["state"]["revision"])
        for pin in found
    )


def debian_version(package):
    done = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True
    )
    return done.stdout.strip() if done.returncode == 0 else ""


def swift_version():
    return re.search(r"Swift version (\S+)", run("swift", "--version"))[1]


def swift_licence():
    compiler = Path(run("which", "swift").strip()).resolve()
    found = compiler.parent.parent / "share/swift/LICENSE.txt"
    return found.read_text() if found.exists() else ""


def checkout(scratch, location):
    return scratch / "checkouts" / location.rsplit("/", 1)[-1].removesuffix(".git")


def texts(scratch):
    """Headings and licence texts, the same text once only."""
    for name, version, location, _ in pins():
        folder = checkout(scratch, location)
        files = sorted([*folder.glob("LICENSE*"), *folder.glob("NOTICE*")])
        if not files:
            raise SystemExit(f"{folder} has no licence; run swift build -c release first")
        boring = sorted(folder.glob("Sources/C*BoringSSL/LICENSE*"))
        for file in [*files, *boring]:
            yield f"{name} {version}, {file.relative_to(folder)}", file.read_text(errors="replace")
    yield f"Swift {swift_version()}", swift_licence()
    for file in sorted((Path(__file__).parent.parent / "licences").glob("*.txt")):
        yield f"{file.stem}, embedded in the console", file.read_text()


def library_texts():
    for name, (package, owner, _) in LIBRARIES.items():
        file = Path(f"/usr/share/doc/{owner}/copyright")
        if file.exists():
            yield f"{name} {debian_version(package)}", file.read_text(errors="replace")


def notices(scratch, is_static):
    """The text of ThirdPartyNotices.txt."""
    known, made = (
        {},
        ["Hearth contains these packages and libraries. Their licences and notices:\n"],
    )
    for heading, text in [*texts(scratch), *(library_texts() if is_static else [])]:
        text = text.strip()
        made.append(f"\n{'=' * 100}\n{heading}\n{'=' * 100}\n\n")
        made.append(f"The same text as that of {known[text]}.\n" if text in known else f"{text}\n")
        known.setdefault(text, heading)
    return "".join(made)
