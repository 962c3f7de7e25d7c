"""The command as scripts run it, and at a terminal."""

import contextlib
import os
import pty
import subprocess

from support.server import binary


def at_a_terminal(*command: str, keys: bytes) -> tuple[bytes, int]:
    """What a command says at a terminal of its own, where it reads those keys."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(command[0], command)
    said = b""
    with contextlib.suppress(OSError):  # The terminal has gone with the command.
        while piece := os.read(terminal, 4096):
            said += piece
            if b"ready" in said and keys:
                os.write(terminal, keys)
                keys = b""
    os.close(terminal)
    return said, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def hearth(*arguments, cwd=None, **environment):
    """What became of the command, without the variables of this process that are Hearth's."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("HEARTH_")}
    return subprocess.run(
        [binary(), *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=cwd,
        env=clean | environment,
    )
