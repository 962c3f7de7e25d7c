"""Tests the comparison itself, without servers: with recorded answers, some of them changed."""

import argparse
import copy
import json
import pathlib

from . import deliberate
from .compare import IGNORED, OPAQUE, is_now, judge, state_verdict
from .messages import EQUIVALENT, same_class
from .transport import Answer, Request

RECORDED = pathlib.Path(__file__).with_name("recorded.json")
FINE = ("equal", "text")
# An example of each row of texts, in the table's order.
TEXTS = [
    (
        'no entity to update: app: "dev~p"\npath <',
        "No document to update: projects/p/databases/d/documents/c/a",
    ),
    (
        "entity already exists: EntityRef{path=/c/a}",
        "Document already exists: projects/p/databases/d/documents/c/a",
    ),
    (
        "Document (projects/p/databases/d/documents/c/a) not found.",
        'Document "projects/p/databases/d/documents/c/a" not found.',
    ),
    ("\nfalse for 'get' @ L5", "Missing or insufficient permissions. (denied: L5:1 false)"),
    (
        "Aggregation aliases contain duplicate alias: x",
        "Aggregation aliases contain duplicate alias 'x'.",
    ),
    (
        "Error compiling rules:\nL5:28 Unexpected '}'.\nL6:1 Unexpected '}'.",
        "Error compiling rules:\nL5:28 ';' expected",
    ),
    (
        "The same document cannot be written more than once in a single request.",
        'BatchWrite must not write to "c/a" twice.',
    ),
]


def options(without: list[str] = (), order: bool = False) -> argparse.Namespace:
    return argparse.Namespace(without=list(without), order=order)


def answer(shown: dict) -> Answer:
    return Answer(shown["status"], shown.get("message", ""), shown.get("body"), shown.get("http"))


def pair(recorded: dict) -> tuple[Request, Answer, Answer]:
    request = recorded["request"]
    return (
        Request(
            request["rpc"],
            request["body"],
            request["transport"],
            request["token"],
            request.get("remark", ""),
        ),
        answer(recorded["official"]),
        answer(recorded["hearth"]),
    )


def main() -> int:
    recorded = json.loads(RECORDED.read_text())
    faults = rows(recorded["deliberate"]) + changes(recorded["equal"]) + texts() + states()
    for fault in faults:
        print(fault)
    print(
        f"self-test: {len(deliberate.ROWS)} rows, {len(recorded['equal'])} recorded answers, "
        f"{len(faults)} faults"
    )
    return 1 if faults else 0


def rows(recorded: dict) -> list[str]:
    """Each row explains what was recorded for it, and nothing else does."""
    faults = [
        f"{name}: recorded, but the table has no such row"
        for name in recorded.keys() - {row.name for row in deliberate.ROWS}
    ]
    for row in deliberate.ROWS:
        pairs = recorded.get(row.name, [])
        if not pairs:
            faults.append(f"{row.name}: nothing is recorded for it")
        for each in map(pair, pairs):
            found = judge(*each, options())
            if (found.kind, found.detail) != ("deliberate", row.name):
                faults.append(f"{row.name}: explained by {found}")
            found = judge(*each, options(without=[row.name]))
            if found.kind in (*FINE, "deliberate"):
                faults.append(f"{row.name}: not missed when it is taken out, but {found}")
    return faults


def changes(recorded: list) -> list[str]:
    """What was equal is no longer equal after any change."""
    faults, tried = [], 0
    for each in recorded:
        request, official, hearth = pair(each)
        found = judge(request, official, hearth, options())
        if found.kind not in FINE:
            faults.append(f"{request.rpc}: not equal, but {found}")
        for label, body in changed(hearth.body) if hearth.status == "OK" else ():
            tried += 1
            other = Answer(hearth.status, hearth.message, body, hearth.http)
            if judge(request, official, other, options()).kind == "equal":
                faults.append(f"{request.rpc}: no difference seen after {label}")
        other = Answer("ABORTED" if hearth.status == "OK" else "OK", "", hearth.body, hearth.http)
        if judge(request, official, other, options()).kind in FINE:
            faults.append(f"{request.rpc}: no difference seen after another status")
    return faults if tried > 100 else [*faults, f"only {tried} changes were tried"]


def changed(body, path: str = ""):
    """Each body with one change that must be seen."""
    name = path.split("/")[-1]
    if isinstance(body, dict):
        for member, value in body.items():
            if member in IGNORED:
                continue
            if not (member in ("values", "fields") and not value):
                yield (
                    f"no {path}/{member}",
                    {key: each for key, each in body.items() if key != member},
                )
            for label, other in changed(value, f"{path}/{member}"):
                yield label, body | {member: other}
        yield f"another member in {path}", body | {"surplus": {"integerValue": "1"}}
    elif isinstance(body, list):
        for index, value in enumerate(body):
            # An element of a stream that says nothing but a time may be left out.
            if not isinstance(value, dict) or value.keys() - IGNORED:
                yield f"no {path}/{index}", body[:index] + body[index + 1 :]
            for label, other in changed(value, f"{path}/{index}"):
                yield label, [*body[:index], other, *body[index + 1 :]]
        if name == "documents" and len(body) > 1:
            yield f"{path} the other way round", body[::-1]
    elif isinstance(body, bool):
        yield f"not {path}", not body
    elif isinstance(body, str):
        if not is_now(body) and name not in OPAQUE:
            yield f"another text at {path}", body + "x"
    elif body is None:
        yield f"no null at {path}", 0
    else:
        yield f"another number at {path}", -body if body else -0.0 if isinstance(body, float) else 1


def texts() -> list[str]:
    faults = []
    for (official, hearth), row in zip(TEXTS, EQUIVALENT, strict=True):
        if not same_class(official, hearth)[0]:
            faults.append(f"{row[0]}: its example is not the same")
        if same_class(official, "Something else went wrong.")[0]:
            faults.append(f"{row[0]}: any text would do")
    return faults


def states() -> list[str]:
    """The state after writes: values, times in their order, and the order of fields if wanted."""
    document = {
        "document": {
            "name": "projects/p/databases/d/documents/c/a",
            "fields": {"b": {"integerValue": "1"}, "a": {"doubleValue": 0.0}},
            "createTime": "2026-01-01T00:00:00Z",
            "updateTime": "2026-01-01T00:00:01Z",
        }
    }
    request = Request("RunQuery", {})
    official = Answer("OK", body=[document])

    def verdict(change, **wanted) -> str:
        other = copy.deepcopy(document)
        change(other["document"])
        return state_verdict(request, official, Answer("OK", body=[other]), options(**wanted)).kind

    def turn(found: dict) -> None:
        found["fields"] = dict(reversed(found["fields"].items()))

    expected = [
        (verdict(lambda found: None), "equal"),
        (verdict(turn), "equal"),
        (verdict(turn, order=True), "state"),
        (verdict(lambda found: found["fields"]["a"].update(doubleValue=-0.0)), "state"),
        (verdict(lambda found: found.update(updateTime="2026-01-01T00:00:00.000Z")), "state"),
        (verdict(lambda found: found.update(updateTime="2026-01-01T00:00:09Z")), "equal"),
    ]
    return [
        f"state {index}: {found}, not {wanted}"
        for index, (found, wanted) in enumerate(expected)
        if found != wanted
    ]
