"""A server for as long as a test process runs."""

from __future__ import annotations

import os
import selectors
import subprocess
import tempfile
import time
from collections.abc import Mapping
from types import TracebackType
from typing import IO

from hearth_emulator import _binary
from hearth_emulator._client import HearthClient, address
from hearth_emulator._http import Connection, HearthError

#: Prints the environment that `hearth exec` makes, and ends when the pipe from this process closes:
#: at its end, however it ends. Then the server ends too.
_CHILD = r"env -0; printf '\0'; exec cat > /dev/null"
_QUIET = (("--log-level", "warning"), ("--single-project-mode", "no-warning"))
_OF_THE_SHELL = {"_", "PWD", "OLDPWD", "SHLVL"}


class HearthServer:
    """A server that runs already, or one that was started for this process."""

    def __init__(
        self,
        environment: Mapping[str, str],
        process: subprocess.Popen[bytes] | None = None,
        log: IO[bytes] | None = None,
    ):
        #: The variables by which SDKs and the commands of hearth find the server.
        self.environment = dict(environment)
        found = address(self.environment)
        if found is None:
            raise HearthError("UNREACHABLE", "no variable names a server")
        self.url = Connection(found).url
        self._process = process
        self._log = log

    @classmethod
    def find(cls, *flags: str) -> HearthServer:
        """The server that the environment names, else a new one; `flags` are those of a new one."""
        return cls.running() or cls.start(*flags)

    @classmethod
    def running(cls, environment: Mapping[str, str] | None = None) -> HearthServer | None:
        """The server that the environment names; None where it names none."""
        environment = os.environ if environment is None else environment
        named = address(environment)
        if named is None:
            return None
        connection = Connection(named)
        try:
            overview = connection.call("GET", "/emulator/v1/overview")
            addresses = overview["addresses"]
        except (HearthError, KeyError, TypeError) as error:
            words = f"{named}, which the environment names, is not a Hearth server: {error}"
            raise HearthError("UNREACHABLE", words) from None
        variables = {"HEARTH_CONSOLE_URL": connection.url}
        for service, variable in (
            ("auth", "FIREBASE_AUTH_EMULATOR_HOST"),
            ("firestore", "FIRESTORE_EMULATOR_HOST"),
        ):
            if variable in environment:
                variables[variable] = environment[variable]
            elif service in addresses:
                variables[variable] = addresses[service]
        project = environment.get("GCLOUD_PROJECT") or overview["defaultProject"]
        return cls({**variables, "GCLOUD_PROJECT": project, "GOOGLE_CLOUD_PROJECT": project})

    @classmethod
    def start(cls, *flags: str, binary: str | None = None, timeout: float = 30) -> HearthServer:
        """Starts a server on free ports. It ends with this process, also when that is killed."""
        log = tempfile.TemporaryFile()
        chosen = {flag.split("=")[0] for flag in flags}
        defaults = [word for pair in _QUIET if pair[0] not in chosen for word in pair]
        # A session of its own: the terminal's Ctrl-C is for the tests, which then end the server.
        process = subprocess.Popen(
            [binary or _binary.find(), "exec", *defaults, *flags, "--", "sh", "-c", _CHILD],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
        )
        try:
            variables = _variables(process, time.monotonic() + timeout)
        except HearthError as error:
            process.kill()
            process.wait()
            log.seek(0)
            words = log.read().decode(errors="replace").strip()
            raise HearthError(error.code, f"{error.message}\n{words}".strip()) from None
        new = {
            name: value
            for name, value in variables.items()
            if name not in _OF_THE_SHELL and os.environ.get(name) != value
        }
        return cls(new, process, log)

    def client(self, project: str | None = None) -> HearthClient:
        """A client of a project; without an id, of the default project."""
        return HearthClient(
            self.url, project or self.environment.get("GCLOUD_PROJECT", "demo-hearth")
        )

    def isolated_project(self) -> HearthClient:
        """A client of a new project."""
        return self.client().isolated_project()

    @property
    def log(self) -> str:
        """What a server that was started here has logged."""
        if self._log is None:
            return ""
        self._log.seek(0)
        return self._log.read().decode(errors="replace")

    def stop(self) -> None:
        """Ends the server, if it was started here."""
        process, self._process = self._process, None
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def __enter__(self) -> HearthServer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


def _variables(process: subprocess.Popen[bytes], deadline: float) -> dict[str, str]:
    """The environment of the child, which it prints with a zero after each and one at the end."""
    assert process.stdout is not None
    text = b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while not text.endswith(b"\0\0"):
            left = deadline - time.monotonic()
            if left <= 0 or not selector.select(left):
                raise HearthError("TIMEOUT", "hearth did not start in time")
            part = os.read(process.stdout.fileno(), 65536)
            if not part:
                raise HearthError("NOT_STARTED", "hearth did not start:")
            text += part
    pairs = (os.fsdecode(one).partition("=") for one in text.split(b"\0") if one)
    return {name: value for name, _, value in pairs}
