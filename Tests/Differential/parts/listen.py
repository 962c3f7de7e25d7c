"""Listeners: random targets and writes; the view of each target is compared after each step."""

import json

from ..listener import Stage
from ..rounds import Round
from ..transport import Request
from . import rules, values
from .queries import fill, structured


def target(round: Round) -> dict:
    chance, root = round.chance, round.root
    if chance.rarely(0.3):
        names = {
            f"{root}/{values.document_path(chance, odd=False)}"
            for _ in range(chance.randrange(1, 4))
        }
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
    if chance.rarely(0.3):
        play_ruled(round)
        return
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
        made.append(
            chance.of(
                {"delete": name},
                lambda: {"update": {"name": name, "fields": values.fields(chance, root)}},
                lambda: {
                    "update": {"name": name, "fields": {"n": values.number(chance)}},
                    "updateMask": {"fieldPaths": ["n"]},
                },
            )
        )
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


# MARK: Under rules: a listener is judged again at every change

RULES = [
    "allow read: if resource.data.owner == request.auth.uid;",
    "allow read: if get(/databases/$(database)/documents/acl/a).data.open == true;",
    "allow read: if exists(/databases/$(database)/documents/acl/b);",
    "allow read: if resource.data.n > 1;",
    "allow get: if resource == null || resource.data.n > 1;",
    "allow read;",
    "allow get; allow list: if request.query.limit <= 2;",
    "",
]
PATHS = ["c/a", "c/b", "c/c", "acl/a", "acl/b"]


def ruled(allows: str) -> str:
    return (
        "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{database}/documents {\n"
        "    match /sentinel/{x} { allow read; }\n"
        + (f"    match /c/{{x}} {{ {allows} }}\n" if allows else "")
        + "  }\n}\n"
    )


def small(chance: values.Chance) -> dict:
    return {
        "owner": {"stringValue": chance.choice(["alice", "alice", "bob"])},
        "n": {"integerValue": chance.choice("123")},
        "open": {"booleanValue": chance.rarely(0.8)},
    }


def put(round: Round, stage: Stage | None = None) -> str:
    """Some documents, by an administrator."""
    chance = round.chance
    made = [
        {"delete": f"{round.root}/{path}"}
        if stage and chance.rarely(0.25)
        else {"update": {"name": f"{round.root}/{path}", "fields": small(chance)}}
        for path in (chance.sample(PATHS, 2) if stage else PATHS)
    ]
    round.send("Commit", {"database": round.database, "writes": made}, "grpc")
    return "write " + json.dumps(made)


def change_rules(round: Round, stage: Stage) -> str:
    allows = round.chance.choice(RULES)
    rules.load(round, ruled(allows))
    return "rules " + allows


def add_ruled(round: Round, stage: Stage) -> str:
    chance, root = round.chance, round.root
    number = 2 * (len(stage.targets) + 1)
    where = chance.choice(
        [
            {},
            {"limit": 2},
            {
                "where": {
                    "fieldFilter": {
                        "field": {"fieldPath": "owner"},
                        "op": "EQUAL",
                        "value": {"stringValue": "alice"},
                    }
                }
            },
            {
                "where": {
                    "fieldFilter": {
                        "field": {"fieldPath": "n"},
                        "op": "GREATER_THAN",
                        "value": {"integerValue": "1"},
                    }
                }
            },
        ]
    )
    body = chance.of(
        lambda: {
            "documents": {
                "documents": [
                    f"{root}/{path}" for path in chance.sample(PATHS[:3], chance.choice([1, 1, 2]))
                ]
            }
        },
        {"query": {"parent": root, "structuredQuery": {"from": [{"collectionId": "c"}]} | where}},
    )
    stage.targets[number] = body
    for listener in stage.listeners:
        listener.add(number, body)
    stage.heard(number, gone=False)
    return f"add target {number}"


def play_ruled(round: Round) -> None:
    put(round)
    if not rules.load(round, ruled(round.chance.choice(RULES))):
        return
    stage = Stage(round, rules.user(round, "alice"))
    try:
        for _ in range(12):
            step = round.chance.choice([add_ruled, add_ruled, put, put, put, change_rules])
            if not stage.settle(step(round, stage)):
                return
    finally:
        stage.close()
