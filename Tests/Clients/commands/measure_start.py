"""How many instructions a start takes, up to the first answer; counted by valgrind.

    HEARTH_BINARY=.build/release/hearth .venv/bin/python Tests/Clients/commands/measure_start.py

The data directory has a signing key. What reading it takes is left out of the second number: that
is OpenSSL's work, on a thread of its own.
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

from support.server import READY, binary  # noqa: E402
from support.waiting import until  # noqa: E402

NONE = ("hub", "smtp", "smtp-tls", "mail-api")
READING = "HearthTokens6KeySetC4load"


def start(folder: pathlib.Path, *before: str) -> subprocess.Popen:
    """A server that has answered once."""
    process = subprocess.Popen(
        [
            *(*before, str(folder / "hearth"), "--data", str(folder / "data")),
            *(
                word
                for name in ("auth", "firestore", "console")
                for word in (f"--{name}-port", "0")
            ),
            *(word for name in NONE for word in (f"--{name}-port", "none")),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    address = ""
    for line in process.stdout:
        if found := re.match(r"auth +(http://\S+)", line):
            address = found[1]
        if line.startswith(READY):
            break
    urllib.request.urlopen(address + "/").read()
    return process


def counts(file: pathlib.Path) -> tuple[int, int]:
    """All instructions, and those of reading the key with all that it calls."""
    printed = subprocess.run(
        ["callgrind_annotate", "--inclusive=yes", "--threshold=100", str(file)],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()

    def first(name: str) -> int:
        line = next(line for line in printed if name in line)
        return int(line.split()[0].replace(",", ""))

    return first("PROGRAM TOTALS"), first(READING)


def main() -> None:
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        # Valgrind does not understand the debugging information.
        subprocess.run(["strip", "-g", "-o", folder / "hearth", binary()], check=True)
        server = start(folder)
        until(lambda: list(folder.glob("data/keys/*.pem")), what="a signing key")
        server.terminate()
        server.wait()
        server = start(folder, "valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out")
        subprocess.run(["callgrind_control", "--dump", str(server.pid)], capture_output=True)
        server.kill()
        server.wait()
        total, reading = counts(max(folder.glob("out.*")))
    print(f"{total / 1e6:.1f} million instructions, {(total - reading) / 1e6:.1f} without the key")


if __name__ == "__main__":
    main()
