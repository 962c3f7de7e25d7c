"""Clock, faults, the request log, switches and snapshots of a project."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Union
from urllib.parse import quote

from hearth_emulator._http import HearthError, wait_time
from hearth_emulator._models import Clock, Raw, Request, Snapshot
from hearth_emulator._project import Project

Duration = Union[str, timedelta, float]


class Controls(Project):
    """What a test sets around the app that it tests."""

    # Clock

    def clock(self) -> Clock:
        return Clock.of(self._control("GET", "/clock"))

    def advance_clock(self, by: Duration) -> Clock:
        """Moves the time of the project, by `"2h"`, seconds or a timedelta."""
        return Clock.of(self._control("PATCH", "/clock", {"advance": _duration(by)}))

    def set_clock(self, now: str | datetime, *, frozen: bool | None = None) -> Clock:
        text = now if isinstance(now, str) else now.astimezone().isoformat()
        body: dict[str, Any] = {"now": text}
        if frozen is not None:
            body["frozen"] = frozen
        return Clock.of(self._control("PATCH", "/clock", body))

    def freeze_clock(self, frozen: bool = True) -> Clock:
        return Clock.of(self._control("PATCH", "/clock", {"frozen": frozen}))

    def reset_clock(self) -> Clock:
        """Back to the machine's time."""
        return Clock.of(self._control("DELETE", "/clock"))

    # App Check

    def app_check_token(
        self, app_id: str | None = None, *, limited_use: bool = False, lifetime: int | None = None
    ) -> str:
        """A token of App Check for an app, as its `X-Firebase-AppCheck`. `lifetime` is in seconds."""
        body = {"appId": app_id, "limitedUse": limited_use, "lifetime": lifetime}
        given = {name: value for name, value in body.items() if value is not None}
        return str(self._control("POST", "/appCheck:token", given)["token"])

    def app_check_report(self) -> Raw:
        """Which calls brought a token that counts."""
        return dict(self._control("GET", "/appCheck")["report"])

    # Faults

    def add_fault(
        self, operation: str, effect: Mapping[str, Any], *, times: int | None = None, **more: Any
    ) -> None:
        """Adds a fault: `add_fault("*.signUp", {"error": "UNAVAILABLE"}, times=1)`."""
        fault = {"operation": operation, "effect": effect, "times": times, **more}
        self._control("POST", "/faults", {k: v for k, v in fault.items() if v is not None})

    def set_faults(self, faults: Sequence[Mapping[str, Any]]) -> None:
        """Replaces all faults of the project."""
        self._control("PUT", "/faults", {"faults": list(faults)})

    def faults(self) -> list[Raw]:
        """The faults, with their `hits` and what is `remaining`."""
        return list(self._control("GET", "/faults")["faults"])

    def clear_faults(self) -> None:
        self._control("DELETE", "/faults")

    # Requests

    def requests(
        self, operation: str | None = None, *, status: int | str | None = None, **filters: Any
    ) -> list[Request]:
        """The calls of this project, oldest first. `operation` may have `*`; `status` is 403, "4xx"
        or "failed"; other filters are those of the control endpoint."""
        query = {"operation": operation, "status": status, **filters}
        log = self._control("GET", "/requests", query=query)
        return [Request.of(one) for one in log["requests"]]

    def wait_for_requests(
        self, operation: str, *, status: int | str | None = None, times: int = 1, within: float = 5
    ) -> list[Request]:
        """Waits until so many calls have been made; else the error lists those that were."""
        end = time.monotonic() + within
        found: list[Request] = []
        while len(found) < times:
            more = self.requests(
                operation,
                status=status,
                after=found[-1].id if found else None,
                wait=wait_time(end - time.monotonic()),
            )
            found += more
            if not more and time.monotonic() >= end:
                words = self._made_instead(operation, status, times, found, within)
                raise HearthError("TIMEOUT", words)
        return found

    def _made_instead(
        self, operation: str, status: Any, times: int, found: list[Request], within: float
    ) -> str:
        wanted = operation if status is None else f"{operation} with status {status}"
        said = [f"{len(found)} of {times} calls of {wanted} within {within:g} s."]
        made = self.requests()[-10:]
        said.append(f"The latest calls of {self.project}:" if made else "No call was made at all.")
        said += [one.line for one in made]
        return "\n".join(said)

    def clear_requests(self) -> None:
        self._control("DELETE", "/requests")

    # Switches

    def switches(self) -> dict[str, Any]:
        """Switches, limits and modes of the project, by their names in the settings."""
        return dict(self._control("GET", "/switches"))

    def set_switches(self, **switches: Any) -> None:
        """Changes switches: `set_switches(emailEnumerationProtection=True)`."""
        self._control("PATCH", "/switches", switches)

    # Snapshots

    def save_snapshot(self, name: str, *, replace: bool = False) -> Snapshot:
        return Snapshot.of(self._control("POST", "/snapshots", {"name": name, "replace": replace}))

    def snapshots(self) -> list[Snapshot]:
        return [Snapshot.of(one) for one in self._control("GET", "/snapshots")["snapshots"]]

    def restore_snapshot(self, name: str, *, keep_clock: bool = False) -> None:
        """Gives the project what the snapshot holds."""
        self._control("POST", f"/snapshots/{quote(name)}:restore", {"keepClock": keep_clock})

    def delete_snapshot(self, name: str) -> None:
        self._control("DELETE", f"/snapshots/{quote(name)}")

    # The project

    def seed(self, content: str) -> None:
        """Adds what a seed says: users, documents, switches …, in YAML or JSON."""
        self._control("POST", "/seed", {"content": content})

    def clear(self) -> None:
        """Deletes all that the project holds, with its settings, faults and clock."""
        self._control("DELETE", "")


def _duration(by: Duration) -> str:
    if isinstance(by, str):
        return by
    seconds = by.total_seconds() if isinstance(by, timedelta) else by
    return f"{'-' if seconds < 0 else ''}{round(abs(seconds) * 1000)}ms"
