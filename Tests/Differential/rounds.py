"""A round: a project of its own on both servers, a seed, and the requests that it sends to both."""

import json
from dataclasses import dataclass, field

from .compare import Verdict, cause_of, judge, state_verdict
from .parts.values import Chance
from .transport import DEADLINE, OWNER, Answer, Request, Server

UNKNOWN_TIME = "2020-01-01T00:00:00Z"


def last_time(path: str) -> dict:
    """Stands for the update time that each server gave to this document."""
    return {"$time": path}


def given(name: str, otherwise: str = "") -> dict:
    """Stands for what each server answered: a transaction, a page token."""
    return {"$given": name, "otherwise": otherwise}


class Diverged(Exception):
    """Ends a script."""


@dataclass
class Difference:
    part: str
    round: int
    index: int
    verdict: Verdict
    request: dict
    official: dict
    hearth: dict
    cause: str
    smallest: dict | None = None

    def line(self, seed: int) -> str:
        return json.dumps(
            ({"smallest": self.smallest} if self.smallest else {})
            | {
                "replay": f"--seed {seed} --parts {self.part} --round {self.round}",
                "index": self.index,
                "kind": self.verdict.kind,
                "detail": self.verdict.detail,
                "request": self.request,
                "official": self.official,
                "hearth": self.hearth,
            },
            ensure_ascii=False,
        )


@dataclass
class Tally:
    """What a run counts."""

    requests: int = 0
    equal: int = 0
    errors: int = 0
    deliberate: dict = field(default_factory=dict)
    texts: dict = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)
    recorded: dict = field(default_factory=lambda: {"deliberate": {}, "equal": {}})


class Round:
    def __init__(
        self,
        part: str,
        number: int,
        seed: int,
        servers: tuple[Server, Server],
        tally: Tally,
        options,
    ):
        self.part, self.number, self.servers, self.tally = part, number, servers, tally
        self.options = options
        self.chance = Chance(f"{seed}/{part}/{number}")
        self.project = f"demo-{part[:4]}-{seed}-{number}"
        named = part not in ("rules", "listen", "control") and self.chance.rarely(0.1)
        self.database = f"projects/{self.project}/databases/{'second' if named else '(default)'}"
        self.root = f"{self.database}/documents"
        self.memory: list[dict] = [{}, {}]
        self.index = 0
        self.last: Request | None = None
        # What an answer depends on besides its request: the rules.
        self.remark = ""
        # Whether an answer differed since the state was last compared.
        self.diverged = False
        # Whether an answer that differs ends a script: what follows would only differ because of it.
        self.strict = False
        self.documents: list[dict] = []
        self.shrunk = 0

    def transport(self) -> str:
        return self.chance.choice(["grpc", "grpc", "rest"])

    def send(
        self,
        rpc: str,
        body: dict,
        transport: str | None = None,
        token: str | None = OWNER,
        remember: dict | None = None,
    ) -> tuple[Answer, Answer]:
        """Sends the same to both and judges the answers. `remember` names members to use later."""
        request = Request(rpc, body, transport or self.transport(), token, self.remark)
        answers = tuple(
            server.send(request, resolved(body, memory))
            for server, memory in zip(self.servers, self.memory)
        )
        for key, member in (remember or {}).items():
            members = [found(answer.body, member) for answer in answers]
            for each, memory in zip(members, self.memory):
                memory[key] = each if all(members) else None
        self.count(request, *answers)
        return answers

    def count(
        self, request: Request, official: Answer, hearth: Answer, verdict: Verdict | None = None
    ) -> Verdict:
        verdict = verdict or judge(request, official, hearth, self.options)
        self.last = request
        self.index += 1
        self.tally.requests += 1
        self.tally.errors += official.status != "OK"
        differs = verdict.kind not in ("equal", "text")
        self.diverged = self.diverged or differs
        if self.options.record:
            self.record(request, official, hearth, verdict)
        if verdict.kind == "equal":
            self.tally.equal += 1
        elif verdict.kind == "text":
            self.tally.equal += 1
            self.tally.texts[verdict.detail] = self.tally.texts.get(verdict.detail, 0) + 1
        elif verdict.kind == "deliberate":
            rows = self.tally.deliberate
            rows[verdict.detail] = rows.get(verdict.detail, 0) + 1
        else:
            difference = Difference(
                self.part,
                self.number,
                self.index,
                verdict,
                request.shown(),
                official.shown(),
                hearth.shown(),
                cause_of(verdict, official, hearth),
            )
            seen = sum(each.cause == difference.cause for each in self.tally.differences)
            self.tally.differences.append(difference)
            if self.options.shrink and seen < 3:
                self.shrink(difference, request)
        if differs and self.strict:
            raise Diverged
        return verdict

    def shrink(self, difference: Difference, request: Request) -> None:
        from . import shrink

        if self.part in shrink.PARTS and " REST" not in request.rpc:
            self.shrunk += 1
            difference.smallest = shrink.Shrinker(
                self, difference.verdict, difference.cause
            ).smallest(self.documents, request)

    def record(self, request: Request, official: Answer, hearth: Answer, verdict: Verdict) -> None:
        """Keeps an example of each row, and of what is equal, for the self-test: the shortest in reason."""
        example = {
            "request": request.shown(),
            "official": official.shown(),
            "hearth": hearth.shown(),
        }
        size = len(json.dumps(example))
        if verdict.kind == "deliberate":
            kept, key = self.tally.recorded["deliberate"], verdict.detail
            better = key not in kept or size < kept[key][0]
        else:
            kept, key = (
                self.tally.recorded["equal"],
                f"{request.rpc} {request.transport} {official.status}",
            )
            better = verdict.kind == "equal" and size < 3000 and size > kept.get(key, (0,))[0]
        if better:
            kept[key] = (size, example)

    def state(self) -> bool:
        """Whether both hold the same documents. A state that differs ends a round.

        What made it differ is reported once: a request whose answers already differed is not reported again.
        """
        diverged, last = self.diverged, self.last
        self.diverged = False
        request = Request(
            "RunQuery",
            {"parent": self.root, "structuredQuery": {"from": [{"allDescendants": True}]}},
            "rest",
        )
        # Such a query is always answered.
        answers = [server.over_rest(request, request.body, DEADLINE) for server in self.servers]
        for answer, memory in zip(answers, self.memory):
            for each in answer.body if isinstance(answer.body, list) else []:
                if "document" in each:
                    path = each["document"]["name"].removeprefix(self.root + "/")
                    memory["time " + path] = each["document"]["updateTime"]
        verdict = state_verdict(request, *answers, self.options)
        if verdict.kind != "equal" and not diverged:
            after = Request(
                last.rpc, last.body, last.transport, last.token, "the state after it differs"
            )
            self.count(after, *answers, Verdict("state", verdict.detail))
        elif verdict.kind == "equal":
            self.tally.requests += 1
            self.tally.equal += 1
            self.documents = [each["document"] for each in answers[0].body if "document" in each]
        return verdict.kind == "equal"

    def close(self) -> None:
        for server in self.servers:
            server.http("DELETE", f"/emulator/v1/{self.root}")


def resolved(value, memory: dict):
    """The request as one server gets it: with its own times, transactions and tokens."""
    if isinstance(value, dict):
        if "$time" in value:
            return memory.get("time " + value["$time"], UNKNOWN_TIME)
        if "$given" in value:
            return memory.get(value["$given"]) or value["otherwise"]
        return {name: resolved(member, memory) for name, member in value.items()}
    if isinstance(value, list):
        return [resolved(each, memory) for each in value]
    return value


def found(body, member: str):
    """The first member of this name in an answer."""
    for each in body if isinstance(body, list) else [body]:
        if isinstance(each, dict) and member in each:
            return each[member]
    return None
