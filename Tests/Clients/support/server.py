"""Starts the binary as a real server on free ports."""

import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import threading

import requests
from support.waiting import until

ROOT = pathlib.Path(__file__).resolve().parents[3]
READY = "All emulators ready! It is now safe to connect your app."
PROJECT = "demo-hearth"


def binary() -> str:
    given = os.environ.get("HEARTH_BINARY")
    if given:
        return given
    built = [p for p in (ROOT / ".build").glob("*/hearth") if p.is_file()]
    assert built, "build hearth first: swift build -c release --product hearth"
    return str(max(built, key=lambda p: p.stat().st_mtime))


def free_port() -> int:
    """A port that nothing listens on.

    It is not one of those that the system gives out by itself, to clients and to servers at port 0:
    another test might get it before it is used.
    """
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as one:
            try:
                one.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


def end_of(process: subprocess.Popen, seconds: float = 60) -> tuple[int, str]:
    """The status of a program that is about to end, and what it still says.

    A program that goes on is killed: the pipe of one that never ends could be read for ever.
    """
    late = threading.Timer(seconds, process.kill)
    late.start()
    try:
        rest = process.stdout.read()
        status = process.wait(seconds)
    finally:
        late.cancel()
    assert status != -signal.SIGKILL, f"did not end within {seconds} s; its last output: {rest!r}"
    return status, rest


def use_default_signals() -> None:
    """Lets programs that are started from here on begin with the default signals.

    Below `nohup`, or in the background of a script, a signal that is ignored stays ignored in every
    program that is started. One that is handled is not: the handler ends at the start of a program.
    """
    for name in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        if signal.getsignal(name) is signal.SIG_IGN:
            signal.signal(name, lambda *_: None)


class Server:
    """A running hearth on free ports. `below` is a command that runs another one, such as `nice`."""

    def __init__(self, *flags: str, cwd: str | None = None, below: tuple[str, ...] = ()):
        ports = ["--auth-port", "0", "--firestore-port", "0", "--console-port", "0"]
        # A hub writes a file that all servers of a project share.
        if "--hub-port" not in flags:
            ports += ["--hub-port", "none"]
        for flag in ("--smtp-port", "--smtp-tls-port", "--mail-api-port"):
            if flag not in flags:
                ports += [flag, "none"]
        environment = {k: v for k, v in os.environ.items() if not k.startswith("HEARTH_")}
        self.process = subprocess.Popen(
            [*below, binary(), *ports, *flags],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
            cwd=cwd,
        )
        self.lines: list[str] = []
        self.addresses: dict[str, str] = {}
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))
            found = re.match(
                r"(auth|firestore|console|hub|mail-api|unsigned|smtp(?: tls)?) +(\S+)", line
            )
            if found:
                self.addresses[found[1]] = found[2]
            if line.startswith(READY):
                break
        else:
            raise AssertionError("hearth did not start:\n" + "\n".join(self.lines))
        self.auth = self.addresses["auth"]
        self.host = self.auth.removeprefix("http://")

    def post(self, path: str, body: dict | None = None, **headers: str) -> requests.Response:
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        return requests.post(self.auth + path, json=body or {}, headers=headers, timeout=30)

    def accounts(self, verb: str, body: dict) -> dict:
        """A client's call; it must succeed."""
        reply = self.post(f"/identitytoolkit.googleapis.com/v1/accounts:{verb}?key=any", body)
        assert reply.status_code == 200, reply.text
        return reply.json()

    def admin(self, path: str, body: dict | None = None) -> dict:
        reply = self.post(
            f"/identitytoolkit.googleapis.com/v1/projects/{PROJECT}{path}",
            body,
            Authorization="Bearer owner",
        )
        assert reply.status_code == 200, reply.text
        return reply.json()

    def mail(self, to: str, kind: str, **query: str) -> dict:
        reply = requests.get(
            f"{self.auth}/emulator/v1/projects/{PROJECT}/messages/latest",
            params={"to": to, "type": kind, "wait": "10s", **query},
            timeout=30,
        )
        assert reply.status_code == 200, reply.text
        return reply.json()

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(30)
        self.process.stdout.close()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        status, rest = end_of(self.process)
        assert status == 0, rest
        self.lines += rest.splitlines()
        self.process.stdout.close()


class TalkingServer(Server):
    """A server whose output is read while it runs."""

    def __init__(self, *flags: str, cwd: str | None = None):
        super().__init__(*flags, cwd=cwd)
        self.heard: list[str] = []
        self.reader = threading.Thread(target=self.listen, daemon=True)
        self.reader.start()

    def listen(self) -> None:
        for line in self.process.stdout:
            self.heard.append(line.rstrip("\n"))

    def wait_for(self, text: str, times: int = 1) -> None:
        """Waits until that many lines contain the text."""
        until(lambda: sum(text in line for line in self.heard) >= times, what=repr(text))

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.end()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        assert self.end() == 0, self.heard

    def end(self) -> int:
        status = self.process.wait(30)
        self.reader.join(30)
        self.process.stdout.close()
        return status


OPERATOR = "operator-operator-operator-operator"


def bearer(token: str) -> dict:
    return {"Authorization": f"Bearer {token}"}


class Shared(Server):
    """One that several people share, with `--require-token`."""

    def __init__(self, folder, *flags: str):
        path = folder / "operator-token"
        path.write_text(OPERATOR + "\n")
        super().__init__("--require-token", "--operator-token-file", str(path), *flags)

    def opens(self, name: str, **order) -> str:
        reply = requests.post(
            f"{self.auth}/emulator/v1/projects",
            json={"projectId": name, **order},
            headers=bearer(OPERATOR),
            timeout=30,
        )
        assert reply.status_code == 200, reply.text
        return reply.json()["token"]

    def closes(self, name: str) -> None:
        reply = requests.delete(
            f"{self.auth}/emulator/v1/projects/{name}", headers=bearer(OPERATOR), timeout=30
        )
        assert reply.status_code == 200, reply.text
