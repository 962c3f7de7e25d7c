"""Makes a difference smaller: fewer documents and a shorter request that still differ in the same way."""

import json

from .compare import Verdict, cause_of, judge, state_verdict
from .rounds import Round, resolved
from .transport import Request

TRIES = 250
PARTS = {"queries", "aggregations", "writes", "lists", "oddities"}
# What a request needs to be one.
KEPT = {"parent", "database", "name", "document", "fieldPath"}


class Shrinker:
    def __init__(self, round: Round, wanted: Verdict, cause: str):
        self.round, self.wanted, self.cause = round, wanted, cause
        self.tries = 0

    def differs(self, documents: list, request: Request) -> dict | None:
        """The answers, if they still differ in the same way in a project of its own."""
        if self.tries >= TRIES:
            return None
        self.tries += 1
        fresh = f"{self.round.project}-s{self.round.shrunk}-{self.tries}"

        def moved(value):
            return json.loads(json.dumps(value).replace(self.round.project, fresh))

        root = moved(self.round.root)
        commit = {
            "database": moved(self.round.database),
            "writes": [
                {"update": {"name": moved(each["name"]), "fields": moved(each.get("fields", {}))}}
                for each in documents
            ],
        }
        body = moved(request.body)
        sent = Request(request.rpc, body, request.transport, request.token)
        answers, states = [], []
        state = Request(
            "RunQuery",
            {"parent": root, "structuredQuery": {"from": [{"allDescendants": True}]}},
            "rest",
        )
        try:
            for server in self.round.servers:
                if documents:
                    server.send(Request("Commit", commit, "rest"), commit)
                answers.append(server.send(sent, resolved(body, {})))
                if self.wanted.kind == "state":
                    states.append(server.send(state, state.body))
        except Exception:
            # A message that cannot be written any more is not smaller.
            return None
        finally:
            for server in self.round.servers:
                server.http("DELETE", f"/emulator/v1/{root}")
        verdict = judge(sent, *answers, self.round.options)
        if states:
            verdict = state_verdict(state, *states, self.round.options)
            answers = states
        if verdict.kind != self.wanted.kind or cause_of(verdict, *answers) != self.cause:
            return None
        return {
            "documents": documents,
            "request": sent.shown(),
            "official": answers[0].shown(),
            "hearth": answers[1].shown(),
        }

    def smallest(self, documents: list, request: Request) -> dict | None:
        best = self.differs(documents, request)
        if best is None:
            return None
        found = self.differs([], request)
        best, documents = (found, []) if found else (best, documents)
        for index in reversed(range(len(documents))):
            fewer = documents[:index] + documents[index + 1 :]
            found = self.differs(fewer, request)
            best, documents = (found, fewer) if found else (best, documents)
        again = True
        while again and self.tries < TRIES:
            again = False
            for body in smaller(request.body):
                other = Request(request.rpc, body, request.transport, request.token)
                found = self.differs(documents, other)
                if found:
                    best, request, again = found, other, True
                    break
        again = True
        while again and self.tries < TRIES:
            again = False
            for fewer in smaller([each.get("fields", {}) for each in documents], whole=True):
                changed = [
                    {"name": each["name"], "fields": fields}
                    for each, fields in zip(documents, fewer)
                ]
                found = self.differs(changed, request)
                if found:
                    best, documents, again = found, changed, True
                    break
        return best


def smaller(value, whole: bool = False):
    """The value with one part less, the largest parts first; `whole` keeps the length of the outer list."""
    if isinstance(value, dict):
        if value.keys() & {"update", "delete", "transform", "verify"} and len(value) == 1:
            yield from inside(value)
            return
        if "compositeFilter" in value:
            yield from value["compositeFilter"].get("filters", [])
        for name in value:
            if name not in KEPT:
                yield {key: each for key, each in value.items() if key != name}
        yield from inside(value)
    elif isinstance(value, list):
        if not whole:
            for index in range(len(value)):
                yield value[:index] + value[index + 1 :]
        for index, each in enumerate(value):
            for less in smaller(each):
                yield [*value[:index], less, *value[index + 1 :]]


def inside(value: dict):
    for name, member in value.items():
        for less in smaller(member):
            yield value | {name: less}
