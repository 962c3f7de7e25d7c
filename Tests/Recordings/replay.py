"""Sends the steps of a program to a server, each with what earlier answers gave."""

import dataclasses
import datetime
import json
import re
import urllib.parse
import uuid

import requests

from . import tokens, wire
from .steps import (
    CODE,
    IT,
    NUMBERS,
    Answer,
    Claim,
    Code,
    Custom,
    Form,
    Instant,
    Moment,
    Program,
    Spoilt,
    Step,
)

# How the recorded project was set up before each program.
BASELINE = {
    "signIn.email.enabled": True,
    "signIn.email.passwordRequired": True,
    "signIn.anonymous.enabled": True,
    "signIn.phoneNumber.enabled": True,
    "signIn.phoneNumber.testPhoneNumbers": dict.fromkeys(NUMBERS, CODE),
    "emailPrivacyConfig.enableImprovedEmailPrivacy": True,
    "mfa.state": "DISABLED",
}


# The id of the tenant that a step made.
TENANT = "<tenant:"
TENANT_OF = re.compile(f"{TENANT}([\\w-]+)>")
DATABASE = re.compile(r"<db:(\w)>")


class Unresolved(Exception):
    """An earlier answer lacks what a step needs."""


@dataclasses.dataclass(frozen=True)
class Addresses:
    """Where the services of Hearth are, each as a host with a port."""

    auth: str
    firestore: str


@dataclasses.dataclass(frozen=True)
class Reply:
    """`body`: the JSON, or None for an answer that is something else. Over gRPC the status is 0."""

    status: int
    body: object
    text: str


class Replay:
    """One program on a project of its own."""

    def __init__(
        self,
        addresses: Addresses,
        program: Program,
        recorded_project: str,
        domains: list[str],
        length: int,
    ):
        self.addresses = addresses
        self.address = f"http://{addresses.auth}"
        self.recorded_project = recorded_project
        self.project = f"demo-{uuid.uuid4().hex}"[:length]
        self.run = uuid.uuid4().hex[:8]
        self.replies: dict[str, Reply] = {}
        self.codes: dict[str, str] = {}
        self.session = requests.Session()
        settings = BASELINE | program.settings
        if domains:
            hosts = [host.replace("{project}", self.project) for host in domains]
            settings |= {"authorizedDomains": hosts}
        self.configure(settings)
        # Only the steps move the clock: a border of one second is met exactly.
        self.clock(frozen=True)
        self.program = program
        self.tokens: dict[str, str] = {}
        for name in program.tokens:
            if TENANT not in str(program.tokens[name]):
                self.token(name)
        self.fill_firestore(program)

    def fill_firestore(self, program: Program) -> None:
        database = f"projects/{self.project}/databases/(default)"
        owner = {"Authorization": "Bearer owner"}
        if program.indexes is not None:
            url = f"{self.address}/emulator/v1/{database}/indexes"
            self.session.put(url, json=program.indexes, timeout=30).raise_for_status()
        if program.rules is not None:
            url = f"http://{self.addresses.firestore}/emulator/v1/projects/{self.project}"
            files = [{"name": "firestore.rules", "content": self.text(program.rules)}]
            body = {"rules": {"files": files}}
            self.session.put(f"{url}:securityRules", json=body, timeout=30).raise_for_status()
        documents = [*program.documents.items()]
        for start in range(0, len(documents), 400):
            writes = [
                {"update": {"name": f"{database}/documents/{path}", "fields": self.filled(fields)}}
                for path, fields in documents[start : start + 400]
            ]
            url = f"http://{self.addresses.firestore}/v1/{database}/documents:commit"
            reply = self.session.post(url, json={"writes": writes}, headers=owner, timeout=60)
            reply.raise_for_status()

    def configure(self, settings: dict) -> None:
        config: dict = {}
        for path, value in settings.items():
            *parents, last = path.split(".")
            place = config
            for name in parents:
                place = place.setdefault(name, {})
            place[last] = value
        self.session.patch(
            f"{self.address}{IT}/v2/projects/{self.project}/config",
            params={"updateMask": ",".join(settings)},
            json=config,
            headers={"Authorization": "Bearer owner"},
            timeout=30,
        ).raise_for_status()

    def clock(self, **change) -> None:
        url = f"{self.address}/emulator/v1/projects/{self.project}/clock"
        self.session.patch(url, json=change, timeout=30).raise_for_status()

    def now(self) -> float:
        """Seconds of the project's clock."""
        url = f"{self.address}/emulator/v1/projects/{self.project}/clock"
        text = self.session.get(url, timeout=30).json()["now"]
        return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()

    def send(self, step: Step) -> Reply:
        # Production took its time: what happens in one second there does not hide what comes later.
        self.clock(advance=f"PT{1 + step.wait}S")
        self.step = step.name
        headers = self.headers(step)
        if step.rpc:
            body = wire.asked(
                self.addresses.firestore,
                step.rpc.method,
                self.filled(step.body),
                headers.get("Authorization"),
            )
            self.replies[step.name] = Reply(0, body, json.dumps(body, ensure_ascii=False))
            return self.replies[step.name]
        query = self.filled(step.query)
        if step.caller == "key":
            query["key"] = self.project
        content = {"data": self.filled(step.form)} if step.form is not None else {}
        if step.form is None and step.method != "GET":
            headers["Content-Type"] = "application/json"
            body = self.filled(step.body)
            content = {"data": (body if isinstance(body, str) else json.dumps(body)).encode()}
        firestore = step.path.startswith("/v1/projects/")
        address = f"http://{self.addresses.firestore}" if firestore else self.address
        reply = self.session.request(
            step.method,
            address + self.text(step.path),
            params=query,
            headers=headers,
            timeout=60,
            **content,
        )
        try:
            body = reply.json()
        except ValueError:
            body = None
        self.replies[step.name] = Reply(reply.status_code, body, reply.text)
        return self.replies[step.name]

    def headers(self, step: Step) -> dict[str, str]:
        if step.caller == "admin":
            return {"Authorization": "Bearer owner"}
        if isinstance(step.caller, Answer):
            return {"Authorization": f"Bearer {self.filled(step.caller)}"}
        return {}

    def filled(self, value):
        """A value with the run's own names, and with what earlier answers gave."""
        if isinstance(value, dict):
            return {self.text(name): self.filled(member) for name, member in value.items()}
        if isinstance(value, list):
            return [self.filled(member) for member in value]
        if isinstance(value, Form):
            return urllib.parse.urlencode(self.filled(value.fields))
        if isinstance(value, Custom):
            return tokens.spoilt(self.token(value.name), value.spoilt)
        if isinstance(value, Spoilt):
            return tokens.spoilt(self.given(value.step, "idToken"), value.how)
        if isinstance(value, Claim):
            return member_of(tokens.claims(self.given(value.step, "idToken")), value.name)
        if isinstance(value, Code):
            self.codes[self.step] = self.code(value)
            return self.codes[self.step]
        if isinstance(value, Moment):
            claims = tokens.claims(self.given(value.step, "idToken"))
            return str(claims["auth_time"] + value.later)
        if isinstance(value, Instant):
            return self.instant(value)
        if isinstance(value, Answer):
            found = self.given(value.step, value.member)
            return found[: len(found) - value.without_last] + value.ending
        return self.text(value) if isinstance(value, str) else value

    def instant(self, wanted: Instant) -> str:
        text = self.given(wanted.step, wanted.member)
        time = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
        time += datetime.timedelta(seconds=wanted.later)
        fraction = f"{time.microsecond:06}".ljust(wanted.digits, "0")
        if wanted.digits > 6:
            fraction = fraction[:-1] + "1"
        return f"{time:%Y-%m-%dT%H:%M:%S}.{fraction}Z"

    def code(self, wanted: Code) -> str:
        if wanted.again:
            return self.codes[wanted.again]
        secret = self.given(wanted.start, "totpSessionInfo.sharedSecretKey")
        if wanted.periods is None:
            return tokens.wrong_code(secret, self.now())
        return tokens.app_code(secret, self.now(), wanted.periods)

    def given(self, step: str, member: str) -> str:
        reply = self.replies.get(step)
        found = member_of(reply.body, member) if reply else None
        if not isinstance(found, str):
            raise Unresolved(f"{step} gave no {member}")
        return found

    def token(self, name: str) -> str:
        """A custom token of the program. One for a tenant is signed when it is first used."""
        if name not in self.tokens:
            fields = self.filled(self.program.tokens[name])
            self.tokens[name] = tokens.minted(self.project, fields)
        return self.tokens[name]

    def text(self, text: str) -> str:
        text = text.replace("<run>", self.run).replace("<project>", self.project)
        text = DATABASE.sub(rf"db-\1-{self.run}", text)
        return TENANT_OF.sub(lambda made: self.given(made[1], "name").rpartition("/")[2], text)

    def recorded(self, value):
        """A recorded answer with the run's own names."""
        text = json.dumps(value)
        if self.recorded_project:
            text = text.replace(self.recorded_project, self.project)
        return self.filled(json.loads(text))


def member_of(value, path: str):
    """The value at a path of names and indices, or None."""
    for name in path.split("."):
        if isinstance(value, list):
            value = value[int(name)] if int(name) < len(value) else None
        else:
            value = value.get(name) if isinstance(value, dict) else None
    return value
