"""A project for one test, which controls its faults, clock, events and log of requests."""

import contextlib
import json
import queue
import signal
import threading
import time
import uuid
from datetime import UTC, datetime, timedelta

import pytest
import requests
from support.auth.project import Project
from support.server import Server

COMMIT = "firestore.projects.databases.documents.commit"
SIGN_IN = "identitytoolkit.accounts.signInWithPassword"
SIGN_UP = "identitytoolkit.accounts.signUp"


@pytest.fixture(autouse=True)
def guard():
    """No test hangs: a wait in the main thread is interrupted."""

    def stop(*_):
        raise TimeoutError("the test takes longer than 180 seconds")

    previous = signal.signal(signal.SIGALRM, stop)
    signal.alarm(180)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, previous)


def instant(text: str) -> datetime:
    """A time as JSON writes it, with any number of fractional digits."""
    assert text.endswith("Z"), text
    whole, _, fraction = text.removesuffix("Z").partition(".")
    return datetime.strptime(whole, "%Y-%m-%dT%H:%M:%S").replace(
        tzinfo=UTC, microsecond=int((fraction + "000000")[:6])
    )


def real() -> datetime:
    return datetime.now(UTC)


def near(one: datetime, other: datetime, seconds: float = 60) -> bool:
    """Clocks are moved by more than that, and a busy machine takes less between two looks."""
    return abs(one - other) < timedelta(seconds=seconds)


class Steered(Project):
    """Reads and writes what is below /emulator/v1/projects/{p}."""

    def own(self, method: str, path: str, status: int = 200, **options) -> dict:
        return self.request(method, self.control + path, status, **options)

    def complaint(self, method: str, path: str, body) -> str:
        """The message of a refusal for a bad body."""
        options = {"data": body} if isinstance(body, (str, bytes)) else {"json": body}
        headers = {"Content-Type": "application/json"}
        return self.own(method, path, 400, headers=headers, **options)["error"]["message"]

    # MARK: Faults

    def faults(self, *rules: dict) -> list[dict]:
        self.own("PUT", "/faults", json={"faults": list(rules)})
        return self.kept_faults()

    def kept_faults(self) -> list[dict]:
        """The rules as they were given, without their counts."""
        return [
            {name: value for name, value in rule.items() if name not in ("hits", "remaining")}
            for rule in self.own("GET", "/faults")["faults"]
        ]

    def no_faults(self) -> None:
        assert self.own("DELETE", "/faults") == {"faults": []}

    # MARK: Clock

    def clock(self, **change) -> dict:
        return self.own("PATCH", "/clock", json=change) if change else self.own("GET", "/clock")

    def advance(self, duration: str) -> None:
        self.clock(advance=duration)

    def now(self) -> datetime:
        return instant(self.clock()["now"])

    # MARK: What happened

    def calls(self) -> list[dict]:
        return self.own("GET", "/requests")["requests"]

    def messages(self, **query) -> list[dict]:
        return self.own("GET", "/messages", params=query)["messages"]

    def sent_messages(self, **query) -> list[dict]:
        """Without those whose links administrators got themselves."""
        return [
            each
            for each in self.messages(**query)
            if "delivery" not in each or each["delivery"]["state"] != "notSent"
        ]

    def reset_mail(self, email: str) -> dict:
        self.call("sendOobCode", {"requestType": "PASSWORD_RESET", "email": email})
        return self.messages(to=email, type="PASSWORD_RESET")[-1]

    def switch(self, **values) -> None:
        self.own("PATCH", "/switches", json=values)

    def raw(self, verb: str, body: dict, **options) -> requests.Response:
        """A client's call that may fail in any way, the connection included."""
        options.setdefault("timeout", 30)
        return requests.post(
            f"{self.server.auth}/identitytoolkit.googleapis.com/v1/accounts:{verb}",
            params={"key": self.id},
            json=body,
            **options,
        )

    def is_known(self, email: str) -> bool:
        return any(user.get("email") == email for user in self.users())

    def watch(self) -> "Watcher":
        return Watcher(self)


class Watcher:
    """Reads a project's server-sent events in a thread of its own."""

    def __init__(self, project: Steered):
        self.project = project
        self.reply = requests.get(
            f"{project.server.auth}{project.control}/events", stream=True, timeout=(30, 60)
        )
        assert self.reply.status_code == 200, self.reply.text
        self.seen: list[tuple[str, dict]] = []
        self.comments: list[str] = []
        self.has_ended = threading.Event()
        self._incoming: queue.Queue = queue.Queue()
        self._ready = threading.Event()
        threading.Thread(target=self._read, daemon=True).start()
        assert self._ready.wait(30), "the stream does not begin"

    def _read(self) -> None:
        name, data = None, []
        with contextlib.suppress(Exception):
            for line in self.reply.iter_lines(chunk_size=65536, decode_unicode=True):
                if line.startswith(":"):
                    self.comments.append(line)
                    self._ready.set()
                elif line.startswith("event: "):
                    name = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    data.append(line.removeprefix("data: "))
                elif line == "" and name is not None:
                    self._incoming.put((name, json.loads("\n".join(data))))
                    name, data = None, []
        self.has_ended.set()

    def next(self, timeout: float = 30) -> tuple[str, dict]:
        event = self._incoming.get(timeout=timeout)
        self.seen.append(event)
        return event

    def until(self, name: str, timeout: float = 30, **members) -> dict:
        """The data of the first event of that name whose members are these."""
        end = time.monotonic() + timeout
        while (left := end - time.monotonic()) > 0:
            try:
                found, data = self.next(left)
            except queue.Empty:
                break
            if found == name and members.items() <= data.items():
                return data
        raise AssertionError(f"no {name} {members} among {self.seen}")

    def drain(self) -> list[tuple[str, dict]]:
        """Every event so far: all before one that this causes itself."""
        self.project.clock(advance="PT0S")
        events = []
        while not events or events[-1][0] != "clock.changed":
            events.append(self.next())
        self.seen.pop()
        return events[:-1]

    def close(self) -> None:
        # The socket itself: requests would read the rest first.
        with contextlib.suppress(Exception):
            self.reply.raw._fp.fp.raw._sock.shutdown(2)
        self.reply.close()


@pytest.fixture
def project(hearth) -> Steered:
    return Steered(hearth)


def unused(prefix: str = "user") -> str:
    return f"{prefix}-{uuid.uuid4().hex[:12]}@example.com"


def another(server: Server) -> Steered:
    return Steered(server)
