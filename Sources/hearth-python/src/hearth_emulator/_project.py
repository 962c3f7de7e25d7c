"""A project on a server: what all groups of calls are built on."""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Mapping
from typing import Any

from hearth_emulator._http import Connection, HearthError
from hearth_emulator._models import Session

_OWNER = {"Authorization": "Bearer owner"}
#: How long a control endpoint may be busy, in seconds.
_PATIENCE = 30.0


def random_project() -> str:
    """The id of a project that no other test uses."""
    return f"demo-{uuid.uuid4().hex[:16]}"


class Project:
    """The project of a client, and its address."""

    def __init__(self, url: str, project: str = "demo-hearth"):
        self.connection = Connection(url)
        #: The id of the project.
        self.project = project

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.url!r}, {self.project!r})"

    @property
    def url(self) -> str:
        """The server. Its ports of Auth, Firestore and the console answer all calls."""
        return self.connection.url

    @property
    def api_key(self) -> str:
        """The API key that selects this project; other keys select the default project."""
        return self.project if self.project.startswith("demo-") else "fake-api-key"

    def _auth(
        self,
        verb: str,
        body: Mapping[str, Any],
        headers: Mapping[str, str] | None = None,
        version: str = "v1",
    ) -> Any:
        """A call of an app."""
        return self.connection.call(
            "POST",
            f"/identitytoolkit.googleapis.com/{version}/accounts{verb}",
            _known(body),
            query={"key": self.api_key},
            headers=headers,
        )

    def _admin(self, path: str, body: Mapping[str, Any]) -> Any:
        """A call of an administrator."""
        return self.connection.call(
            "POST",
            f"/identitytoolkit.googleapis.com/v1/projects/{self.project}/{path}",
            _known(body),
            headers=_OWNER,
        )

    def _control(
        self,
        method: str,
        path: str,
        body: Any | None = None,
        query: Mapping[str, Any] | None = None,
    ) -> Any:
        """A call of a control endpoint.

        Some refuse with 503 what would wait too long, before anything is done. With many tests on
        one server that is not a reason to fail: the call is made again a little later.
        """
        end = time.monotonic() + _PATIENCE
        while True:
            try:
                return self.connection.call(
                    method, f"/emulator/v1/projects/{self.project}{path}", body, query=query
                )
            except HearthError as error:
                if error.http_status != 503 or time.monotonic() >= end:
                    raise
            time.sleep(random.uniform(0.02, 0.1))

    def _firestore(
        self,
        method: str,
        path: str,
        body: Any | None = None,
        query: Mapping[str, Any] | None = None,
        session: Session | None = None,
    ) -> Any:
        """A call of Firestore, as an administrator or as a user."""
        headers = {"Authorization": f"Bearer {session.id_token}"} if session else _OWNER
        return self.connection.call(method, f"/v1/{path}", body, query=query, headers=headers)


def _known(body: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if value is not None}
