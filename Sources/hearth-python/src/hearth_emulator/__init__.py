"""Hearth for tests in Python: a server, and a client of its projects.

    with HearthServer.find() as server:
        hearth = server.isolated_project()
        hearth.create_user("ann@example.com", "old secret")
        hearth.send_password_reset("ann@example.com")
        hearth.reset_password(hearth.wait_for_code("ann@example.com"), "new secret")

With pytest, the fixtures `hearth` and `hearth_project` do the first two lines.
"""

from hearth_emulator._accounts import SecondFactorRequired, custom_token
from hearth_emulator._binary import NoBinary
from hearth_emulator._client import HearthClient, Rewound
from hearth_emulator._http import HearthError
from hearth_emulator._models import Account, Clock, Device, Mail, Request, Session, Snapshot
from hearth_emulator._server import HearthServer

__all__ = [
    "Account",
    "Clock",
    "HearthClient",
    "HearthError",
    "HearthServer",
    "Device",
    "Mail",
    "NoBinary",
    "Request",
    "Rewound",
    "SecondFactorRequired",
    "Session",
    "Snapshot",
    "custom_token",
]

# A traceback names an error as programs import it.
for _error in (HearthError, NoBinary, SecondFactorRequired):
    _error.__module__ = __name__
