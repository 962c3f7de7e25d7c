"""What the server answers, with names of Python. `raw` is the answer as it came."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

Raw = Mapping[str, Any]


def instant(text: str | None) -> datetime | None:
    """A time such as `2026-08-21T09:30:00.250Z`."""
    return datetime.fromisoformat(text.replace("Z", "+00:00")) if text else None


@dataclass(frozen=True)
class Session:
    """A signed-in user."""

    local_id: str
    #: What the app sends to its back end.
    id_token: str
    #: Exchanged for new ID tokens by `HearthClient.refresh`.
    refresh_token: str
    raw: Raw = field(repr=False, compare=False, default_factory=dict)

    @property
    def claims(self) -> dict[str, Any]:
        """The claims of the ID token, which are not verified here."""
        payload = self.id_token.split(".")[1]
        claims: dict[str, Any] = json.loads(
            base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))
        )
        return claims


@dataclass(frozen=True)
class Account:
    """A user's account."""

    local_id: str
    email: str | None
    email_verified: bool
    display_name: str | None
    phone_number: str | None
    disabled: bool
    #: The custom claims.
    claims: Mapping[str, Any]
    raw: Raw = field(repr=False, compare=False)

    @classmethod
    def of(cls, raw: Raw) -> Account:
        return cls(
            raw["localId"],
            raw.get("email"),
            bool(raw.get("emailVerified")),
            raw.get("displayName"),
            raw.get("phoneNumber"),
            bool(raw.get("disabled")),
            json.loads(raw.get("customAttributes") or "{}"),
            raw,
        )


@dataclass(frozen=True)
class Mail:
    """A mail or a text message in the mailbox of a project."""

    id: str
    to: str
    sender: str
    subject: str
    #: `PASSWORD_RESET`, `SMS` …; see the guide of the mailbox.
    kind: str
    #: `auth`, or the way in which the app sent it: `smtp`, `resend` …
    source: str
    code: str | None
    link: str | None
    link_token: str | None
    codes: tuple[str, ...]
    links: tuple[str, ...]
    #: What became of the code: `pending`, `used` or `expired`.
    state: str
    delivery: str
    created_at: datetime | None
    expires_at: datetime | None
    locale: str
    text: str
    html: str
    raw: Raw = field(repr=False, compare=False)

    @classmethod
    def of(cls, raw: Raw) -> Mail:
        return cls(
            raw["id"],
            raw["to"],
            raw["from"],
            raw["subject"],
            raw["type"],
            raw["source"],
            raw.get("code"),
            raw.get("link"),
            raw.get("linkToken"),
            tuple(raw["codes"]),
            tuple(raw["links"]),
            raw["state"],
            raw["delivery"]["state"],
            instant(raw.get("createdAt")),
            instant(raw.get("expiresAt")),
            raw["locale"],
            raw["text"],
            raw["html"],
            raw,
        )

    @property
    def push(self) -> Raw:
        """What only push messages have: target, notification, data, devices."""
        return dict(self.raw.get("push") or {})

    @property
    def sms(self) -> Raw:
        """How a text message travels: encoding and segments."""
        return dict(self.raw.get("sms") or {})


@dataclass(frozen=True)
class Device:
    """A device that gets push messages."""

    token: str
    fid: str
    platform: str
    #: What a send to it ends with: `registered`, `unregistered`, `quotaExceeded` …
    state: str
    topics: tuple[str, ...]
    name: str | None
    #: What it shows localisation keys in; the project's language where it is None.
    language: str | None = None

    @classmethod
    def of(cls, raw: Raw) -> Device:
        return cls(
            raw["token"],
            raw["fid"],
            raw["platform"],
            raw["state"],
            tuple(raw["topics"]),
            raw.get("name"),
            raw.get("language"),
        )


@dataclass(frozen=True)
class Request:
    """A call in the request log of a project."""

    id: str
    operation: str
    method: str
    path: str
    status: int
    error: str | None
    raw: Raw = field(repr=False, compare=False)

    @classmethod
    def of(cls, raw: Raw) -> Request:
        return cls(
            str(raw["id"]),
            raw.get("operation", ""),
            raw.get("method", ""),
            raw.get("path", ""),
            int(raw.get("status", 0)),
            raw.get("error"),
            raw,
        )

    @property
    def line(self) -> str:
        """As the messages of errors list it."""
        return f"  {self.operation}: {self.status} {self.error or ''}".rstrip()


@dataclass(frozen=True)
class Clock:
    """The time of a project."""

    now: datetime
    #: The distance to the machine's time, such as `PT2H`.
    offset: str
    frozen: bool

    @classmethod
    def of(cls, raw: Raw) -> Clock:
        now = instant(raw["now"])
        assert now is not None
        return cls(now, raw["offset"], bool(raw["frozen"]))


@dataclass(frozen=True)
class Snapshot:
    """What a project held at a time."""

    name: str
    created_at: datetime | None
    bytes: int

    @classmethod
    def of(cls, raw: Raw) -> Snapshot:
        return cls(raw["name"], instant(raw["createdAt"]), int(raw["bytes"]))
