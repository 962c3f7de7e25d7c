"""What is released: the version, the commit, the platform, and the time that files get."""

import os
import platform
import re
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
HERE = ROOT / "docker/release"
LOCK = ROOT / "docker/Package.resolved"
CATALOGUE = ROOT / "Sources/hearth/Hearth.docc"
# The variables that Debian's own tools read.
MAINTAINER = (
    f"{os.environ.get('DEBFULLNAME', 'The maintainers of Hearth')} "
    f"<{os.environ.get('DEBEMAIL', 'hearth@localhost.localdomain')}>"
)
SUMMARY = "local emulator of Firebase Auth and Firestore"
DESCRIPTION = (
    "Hearth is one program that answers as Firebase Auth and Firestore do, for tests and for work on "
    "an app. It signs its tokens, keeps every mail in a mailbox, checks security rules, and has a web "
    "console, faults, a clock and snapshots."
)
# The names of one machine, by the name that the kernel has.
DEBIAN = {"x86_64": "amd64", "aarch64": "arm64"}


def run(*words, **options):
    """The output of a command, or its error as the end of this program."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words[:3]))} … failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def git(*words):
    done = subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


@dataclass(frozen=True)
class Source:
    version: str
    commit: str
    epoch: int
    arch: str

    @property
    def date(self):
        return time.strftime("%Y-%m-%d", time.gmtime(self.epoch))

    @property
    def timestamp(self):
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.epoch))

    @property
    def build(self):
        """What `hearth --version` shows in parentheses."""
        return f"commit {self.commit}, {self.date}, linux-{self.arch}"

    @property
    def debian(self):
        return DEBIAN[self.arch]

    @property
    def triple(self):
        return f"{self.arch}-unknown-linux-gnu"

    @property
    def name(self):
        return f"hearth-{self.version}-linux-{self.arch}"


def present():
    text = (ROOT / "Sources/HearthOperations/HearthVersion.swift").read_text()
    version = re.search(r'static let text = "([^"]+)"', text)[1]
    commit = git("rev-parse", "--short=12", "HEAD") or "unknown"
    if git("status", "--porcelain", "--untracked-files=no"):
        commit += " with changes"
    epoch = os.environ.get("SOURCE_DATE_EPOCH") or git("log", "-1", "--format=%ct") or "315532800"
    arch = platform.machine()
    if arch not in DEBIAN or platform.system() != "Linux":
        raise SystemExit(f"packages are made on Linux, on {' or '.join(DEBIAN)}; this is {arch}")
    return Source(version, commit, int(epoch), arch)
