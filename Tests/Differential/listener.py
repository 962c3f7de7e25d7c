"""A Listen stream on each server, and what a client sees in each of its targets.

The two speak differently: the official server repeats the whole result after each commit, Hearth sends
what changed, as production does. What a client has in its hands must be the same.
"""

import queue
import threading
import time

import grpc
from google.cloud.firestore_v1.types import firestore as rpc
from google.protobuf import json_format

from .compare import differ_views, judge
from .rounds import Round, resolved
from .transport import DEADLINE, OFFICIAL, OWNER, Answer, Request, Server

SENTINEL = 1
SENTINEL_PATH = "/sentinel/s"
# The official server's stream may fall silent; Hearth's goes on, on a busy machine late.
PATIENCE = {OFFICIAL: 20}
# For targets that are answered after the one that says that all are: on a busy machine it takes
# longer, but it is not waited for where the views may differ.
LATE = 5
LATEST = 30


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
        self.patience = PATIENCE.get(server.name, DEADLINE)
        headers = [("google-cloud-resource-prefix", round.database)]
        if token is not None:
            headers.append(("authorization", f"Bearer {token}"))
        call = server.channel.stream_stream(
            "/google.firestore.v1.Firestore/Listen",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=lambda data: data,
        )
        self.call = call(iter(self.requests.get, None), metadata=headers)
        threading.Thread(target=self.pump, daemon=True).start()

    def pump(self) -> None:
        try:
            for data in self.call:
                message = rpc.ListenResponse.pb().FromString(data)
                self.messages.put(json_format.MessageToDict(message))
        except grpc.RpcError as error:
            self.messages.put({"end": f"{error.code().name} {error.details()}"})
        except Exception as error:
            self.messages.put({"end": f"{error!r} of {data!r}"})

    def send(self, body: dict) -> None:
        self.requests.put(
            json_format.ParseDict({"database": self.database} | body, rpc.ListenRequest.pb()())
        )

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
        end = time.monotonic() + self.patience
        while True:
            try:
                message = self.messages.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                return f"nothing more came within {self.patience} s"
            if "end" in message:
                self.messages.put(message)
                return message["end"]
            if (self.take(message) or not consistent) and done():
                return None

    def drain(self, seconds: float) -> None:
        """Takes what comes in this time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                message = self.messages.get(timeout=left)
            except queue.Empty:
                return
            if "end" in message:
                self.messages.put(message)
                return
            self.take(message)

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
                self.counts.append(
                    f"target {target}: {count} is not {len(self.views.get(target, {}))}"
                )
        return False

    def take_change(self, change: dict) -> bool:
        kind = change.get("targetChangeType", "NO_CHANGE")
        targets = change.get("targetIds", [])
        # A token for all is for those that are listened to.
        for target in targets or [target for target in self.views if target not in self.ended]:
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
        # The sentinel only marks steps. The official emulator may leave its change out of a target
        # that was added just before.
        views = {
            str(target): [view[name] for name in sorted(view) if not name.endswith(SENTINEL_PATH)]
            if target not in self.ended
            else f"ended with {self.ended[target]}"
            for target, view in sorted(self.views.items())
            if target != SENTINEL
        }
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
        self.heard(SENTINEL, gone=False)

    @property
    def sentinel(self) -> str:
        return f"{self.round.root}{SENTINEL_PATH}"

    def heard(self, target: int, gone: bool) -> None:
        """Waits until a target that was added is current, or one that was removed has ended."""
        for listener in self.listeners:
            listener.until(
                lambda: target in listener.ended or not gone and target in listener.current,
                consistent=False,
            )

    def settle(self, step: str) -> bool:
        """Writes to a document that both watch; what comes before it is the answer to the step."""
        self.number += 1
        body = {
            "database": self.round.database,
            "writes": [
                {
                    "update": {
                        "name": self.sentinel,
                        "fields": {"n": {"integerValue": str(self.number)}},
                    }
                }
            ],
        }
        seen = []
        for server, listener, memory in zip(self.round.servers, self.listeners, self.round.memory):
            server.send(Request("Commit", body), resolved(body, memory))
            wrong = listener.until(lambda: self.arrived(listener))
            seen.append(Answer("OK" if wrong is None else "STREAM", wrong or "", listener.seen()))
        request = Request(
            "Listen",
            {
                "database": self.round.database,
                "targets": {str(target): body for target, body in self.targets.items()},
            },
            remark=step,
        )
        # After new rules the official server judges its targets one by one, in no order.
        begin = time.monotonic()
        while (
            all(answer.status == "OK" for answer in seen)
            and differ_views(request, *seen).kind != "equal"
        ):
            waited = time.monotonic() - begin
            explained = judge(request, *seen, self.round.options).kind == "deliberate"
            if waited > (LATE if explained else LATEST):
                break
            for listener, answer in zip(self.listeners, seen):
                listener.drain(0.1)
                answer.body = listener.seen()
        verdict = self.round.count(request, *seen)
        return verdict.kind == "equal" and seen[0].status == "OK"

    def arrived(self, listener: Listener) -> bool:
        document = listener.views.get(SENTINEL, {}).get(self.sentinel)
        return (
            SENTINEL in listener.ended
            or document is not None
            and (document["fields"]["n"]["integerValue"] == str(self.number))
        )

    def close(self) -> None:
        for listener in self.listeners:
            listener.close()
