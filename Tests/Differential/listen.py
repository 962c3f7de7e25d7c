"""Listeners: random targets and writes; the view of each target is compared after each step.

The two speak differently: the official server repeats the whole result after each commit, Hearth sends
what changed, as production does. What a client has in its hands must be the same.
"""

import json
import queue
import threading
import time

import grpc
from google.cloud.firestore_v1.types import firestore as rpc
from google.protobuf import json_format

from . import values, writes
from .compare import Normal, Verdict, written
from .queries import fill, structured
from .rounds import Round, resolved
from .transport import OWNER, Answer, Request, Server

SENTINEL = 1
PATIENCE = 20


class Listener:
    """One Listen stream and the view of each of its targets."""

    def __init__(self, server: Server, round: Round, token: str | None = OWNER):
        self.requests: queue.Queue = queue.Queue()
        self.messages: queue.Queue = queue.Queue()
        self.views: dict[int, dict] = {}
        self.ended: dict[int, int] = {}
        self.resume: dict[int, str] = {}
        self.current: set[int] = set()
        self.counts: list[str] = []
        self.database = round.database
        headers = [("google-cloud-resource-prefix", round.database)]
        if token is not None:
            headers.append(("authorization", f"Bearer {token}"))
        call = server.channel.stream_stream(
            "/google.firestore.v1.Firestore/Listen",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=rpc.ListenResponse.pb().FromString)
        self.call = call(iter(self.requests.get, None), metadata=headers)
        threading.Thread(target=self.pump, daemon=True).start()

    def pump(self) -> None:
        try:
            for message in self.call:
                self.messages.put(json_format.MessageToDict(message))
        except grpc.RpcError as error:
            self.messages.put({"end": f"{error.code().name} {error.details()}"})

    def send(self, body: dict) -> None:
        self.requests.put(json_format.ParseDict(
            {"database": self.database} | body, rpc.ListenRequest.pb()()))

    def add(self, target: int, body: dict, resume: bool = False) -> None:
        self.ended.pop(target, None)
        self.current.discard(target)
        if resume and target in self.resume:
            body = body | {"resumeToken": self.resume[target]}
        else:
            self.views[target] = {}
        self.send({"addTarget": body | {"targetId": target}})

    def remove(self, target: int) -> None:
        self.send({"removeTarget": target})

    def until(self, done, consistent: bool = True) -> str | None:
        """Takes messages until `done()`, at a consistent moment if wanted; else what is wrong."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                message = self.messages.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                return f"nothing more came within {PATIENCE} s"
            if "end" in message:
                self.messages.put(message)
                return message["end"]
            if (self.take(message) or not consistent) and done():
                return None

    def take(self, message: dict) -> bool:
        """Whether all targets are consistent after this message."""
        if "targetChange" in message:
            return self.take_change(message["targetChange"])
        if "documentChange" in message:
            change = message["documentChange"]
            document = change["document"]
            for target in change.get("targetIds", []):
                self.views.setdefault(target, {})[document["name"]] = document
            self.leave(document["name"], change.get("removedTargetIds", []))
        for kind in ("documentDelete", "documentRemove"):
            if kind in message:
                self.leave(message[kind]["document"], message[kind].get("removedTargetIds", []))
        if "filter" in message:
            target, count = message["filter"]["targetId"], message["filter"].get("count", 0)
            if count != len(self.views.get(target, {})):
                self.counts.append(f"target {target}: {count} is not {len(self.views.get(target, {}))}")
        return False

    def take_change(self, change: dict) -> bool:
        kind = change.get("targetChangeType", "NO_CHANGE")
        targets = change.get("targetIds", [])
        for target in targets or list(self.views):
            if change.get("resumeToken"):
                self.resume[target] = change["resumeToken"]
        if kind == "RESET":
            for target in targets or list(self.views):
                self.views[target] = {}
        if kind == "CURRENT":
            self.current.update(targets)
        if kind == "REMOVE":
            for target in targets:
                self.ended[target] = change.get("cause", {}).get("code", 0)
        return kind == "NO_CHANGE" and not targets

    def leave(self, name: str, targets: list[int]) -> None:
        for target in targets:
            self.views.get(target, {}).pop(name, None)

    def close(self) -> None:
        self.requests.put(None)
        self.call.cancel()

    def seen(self) -> dict:
        views = {str(target): [view[name] for name in sorted(view)] if target not in self.ended
                 else f"ended with {self.ended[target]}"
                 for target, view in sorted(self.views.items()) if target != SENTINEL}
        return views | ({"counts": self.counts} if self.counts else {})


class Stage:
    """A listener on each server, and steps that both take."""

    def __init__(self, round: Round, token: str | None = OWNER):
        self.round = round
        self.token = token
        self.listeners = [Listener(server, round, token) for server in round.servers]
        self.targets: dict[int, dict] = {}
        self.number = 0
        for listener in self.listeners:
            listener.add(SENTINEL, {"documents": {"documents": [self.sentinel]}})

    @property
    def sentinel(self) -> str:
        return f"{self.round.root}/sentinel/s"

    def heard(self, target: int, gone: bool) -> None:
        """Waits until a target that was added is current, or one that was removed has ended."""
        for listener in self.listeners:
            listener.until(lambda: target in listener.ended or not gone and target in listener.current,
                           consistent=False)

    def settle(self, step: str) -> bool:
        """Writes to a document that both watch; what comes before it is the answer to the step."""
        self.number += 1
        body = {"database": self.round.database, "writes": [{"update": {
            "name": self.sentinel, "fields": {"n": {"integerValue": str(self.number)}}}}]}
        seen = []
        for server, listener, memory in zip(self.round.servers, self.listeners, self.round.memory):
            server.send(Request("Commit", body), resolved(body, memory))
            wrong = listener.until(lambda: self.arrived(listener))
            seen.append(Answer("OK" if wrong is None else "STREAM", wrong or "", listener.seen()))
        request = Request("Listen", {"database": self.round.database, "targets": {
            str(target): body for target, body in self.targets.items()}}, remark=step)
        verdict = views_verdict(request, *seen, self.round.options)
        self.round.count(request, *seen, verdict)
        return verdict.kind == "equal" and seen[0].status == "OK"

    def arrived(self, listener: Listener) -> bool:
        document = listener.views.get(SENTINEL, {}).get(self.sentinel)
        return SENTINEL in listener.ended or document is not None and (
            document["fields"]["n"]["integerValue"] == str(self.number))

    def close(self) -> None:
        for listener in self.listeners:
            listener.close()


def views_verdict(request: Request, official: Answer, hearth: Answer, options) -> Verdict:
    if official.status != hearth.status:
        return Verdict("status", f"{official.message} | {hearth.message}")
    one, other = Normal(request).of(official.body), Normal(request).of(hearth.body)
    if written(one, False) == written(other, False):
        return Verdict("equal")
    return Verdict("view", " ".join(
        target for target in one.keys() | other.keys()
        if json.dumps(one.get(target), sort_keys=True) != json.dumps(other.get(target), sort_keys=True)))


def target(round: Round) -> dict:
    chance, root = round.chance, round.root
    if chance.rarely(0.3):
        names = {f"{root}/{values.document_path(chance, odd=False)}" for _ in range(chance.randrange(1, 4))}
        return {"documents": {"documents": sorted(names)}}
    parent, query = structured(chance, root)
    for name in ("findNearest", "offset"):
        query.pop(name, None)
    return {"query": {"parent": parent, "structuredQuery": query}}


def is_answered(round: Round, body: dict) -> bool:
    """Whether both servers answer this query; what one refuses is compared in another part."""
    if "query" not in body:
        return True
    request = Request("RunQuery", body["query"])
    return all(server.send(request, request.body).status == "OK" for server in round.servers)


def play(round: Round) -> None:
    chance = round.chance
    paths = fill(round, 15)
    if not round.state():
        return
    stage = Stage(round)
    try:
        if not stage.settle("nothing"):
            return
        for _ in range(12):
            step = chance.choice([add, add, change, change, change, change, leave, again])
            if not stage.settle(step(round, stage, paths)):
                return
    finally:
        stage.close()


def add(round: Round, stage: Stage, paths: list[str]) -> str:
    body = target(round)
    while not is_answered(round, body):
        body = target(round)
    number = 2 * (len(stage.targets) + 1)
    stage.targets[number] = body
    for listener in stage.listeners:
        listener.add(number, body)
    stage.heard(number, gone=False)
    return f"add target {number}"


def change(round: Round, stage: Stage, paths: list[str]) -> str:
    """Writes that both servers take."""
    chance, root = round.chance, round.root
    made = []
    for path in chance.sample(paths, min(len(paths), chance.randrange(1, 4))):
        name = f"{root}/{path}"
        made.append(chance.of(
            {"delete": name}, lambda: {"update": {"name": name, "fields": values.fields(chance, root)}},
            lambda: {"update": {"name": name, "fields": {"n": values.number(chance)}},
                     "updateMask": {"fieldPaths": ["n"]}}))
    round.send("Commit", {"database": round.database, "writes": made}, "grpc")
    return "write " + json.dumps(made, ensure_ascii=False)


def leave(round: Round, stage: Stage, paths: list[str]) -> str:
    """A target ends, and a later step may resume it."""
    live = [number for number in stage.targets if number not in stage.listeners[0].ended]
    if not live:
        return "nothing"
    number = round.chance.choice(live)
    for listener in stage.listeners:
        listener.remove(number)
    stage.heard(number, gone=True)
    return f"remove target {number}"


def again(round: Round, stage: Stage, paths: list[str]) -> str:
    gone = [number for number in stage.targets if number in stage.listeners[0].ended]
    if not gone:
        return "nothing"
    number = round.chance.choice(gone)
    for listener in stage.listeners:
        listener.add(number, stage.targets[number], resume=True)
    stage.heard(number, gone=False)
    return f"resume target {number}"
