"""The client of a project."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from hearth_emulator._control import Controls
from hearth_emulator._documents import Documents
from hearth_emulator._mailbox import Mailbox
from hearth_emulator._models import Request
from hearth_emulator._project import random_project

#: The variables that name a server, as `hearth exec` and the official tools set them.
ADDRESSES = ("HEARTH_CONSOLE_URL", "FIREBASE_AUTH_EMULATOR_HOST", "FIRESTORE_EMULATOR_HOST")


def address(environment: Mapping[str, str]) -> str | None:
    """The server that an environment names; each of these three ports answers everything."""
    return next((environment[name] for name in ADDRESSES if environment.get(name)), None)


@dataclass(frozen=True)
class Rewound:
    """A project that is as another one was."""

    client: HearthClient
    #: What is not as it was then: sentences for people.
    not_rebuilt: tuple[str, ...]


class HearthClient(Mailbox, Controls, Documents):
    """Calls of one project on a server: users, mails, clock, faults, documents, rules.

    A client has no state but its address and its project, and can be shared by threads.
    """

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> HearthClient | None:
        """The client of the server that the environment names; None where it names none."""
        environment = os.environ if environment is None else environment
        url = address(environment)
        return cls(url, environment.get("GCLOUD_PROJECT", "demo-hearth")) if url else None

    def isolated_project(self) -> HearthClient:
        """A client of a new project on the same server."""
        return type(self)(self.url, random_project())

    def fork_snapshot(self, name: str, to: str | None = None) -> HearthClient:
        """A client of a new project that holds what a snapshot of this one holds."""
        fork = type(self)(self.url, to or random_project())
        self._control("POST", f"/snapshots/{name}:fork", {"to": fork.project})
        return fork

    def rewind(self, moment: Request | datetime | str, to: str | None = None) -> Rewound:
        """A new project that is as this one was after a request of the log, or at a time.

        Times are those of the project's clock. This project does not change.
        """
        if isinstance(moment, Request):
            body: dict[str, object] = {"request": int(moment.id)}
        else:
            body = {"time": moment if isinstance(moment, str) else moment.astimezone().isoformat()}
        if to is not None:
            body["to"] = to
        made = self._control("POST", "/rewind", body)
        return Rewound(type(self)(self.url, made["project"]), tuple(made["notRebuilt"]))
