"""Finds, starts and stops the official emulator and Hearth."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from .transport import OFFICIAL, Server

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEBIAN = "/usr/lib/google-cloud-sdk/platform/cloud-firestore-emulator/cloud_firestore_emulator"
# The emulator shares its machine with tests: one core and little memory are enough.
JVM = "-Xmx1g -XX:ActiveProcessorCount=1 -XX:+UseSerialGC"
PATIENCE = 60


def emulator_command(wanted: str | None) -> str | None:
    """The command of the official emulator, where there is one."""
    if wanted:
        return shutil.which(wanted)
    return shutil.which("cloud_firestore_emulator") or shutil.which(DEBIAN)


def hearth_binary(wanted: str | None) -> str:
    wanted = wanted or os.environ.get("HEARTH_BINARY")
    if wanted:
        return wanted
    built = [path for path in (ROOT / ".build").glob("*/hearth") if path.is_file()]
    if not built:
        raise SystemExit("build hearth first: swift build -c release --product hearth")
    return str(max(built, key=lambda path: path.stat().st_mtime))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Program:
    """A server in a process of its own, stopped with its children."""

    def __init__(self, name: str, command: list[str], port: int, environment: dict):
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(
            command,
            stdout=self.log,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
        )
        self.server = Server(name, f"127.0.0.1:{port}")
        end = time.monotonic() + PATIENCE
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            if self.process.poll() is not None or time.monotonic() > end:
                self.stop()
                self.log.seek(0)
                raise SystemExit(
                    f"{name} did not start:\n{self.log.read().decode(errors='replace')}"
                )
            time.sleep(0.05)

    def stop(self) -> None:
        for sent in (signal.SIGTERM, signal.SIGKILL):
            if self.process.poll() is None:
                os.killpg(self.process.pid, sent)
                try:
                    self.process.wait(10)
                except subprocess.TimeoutExpired:
                    continue


def start_official(command: str) -> Program:
    port = free_port()
    environment = os.environ | {"JAVA_TOOL_OPTIONS": JVM}
    return Program(
        OFFICIAL, [command, "start", "--host=127.0.0.1", f"--port={port}"], port, environment
    )


def start_hearth(binary: str) -> Program:
    ports = {name: free_port() for name in ("auth", "firestore", "console")}
    flags = [part for name, port in ports.items() for part in (f"--{name}-port", str(port))]
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("HEARTH_")
    }
    return Program(
        "hearth",
        [
            binary,
            "serve",
            "--project",
            "demo-test",
            "--tokens",
            "none",
            "--log-level",
            "error",
            *flags,
        ],
        ports["firestore"],
        environment,
    )
