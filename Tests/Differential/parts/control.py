"""The endpoints of the emulator itself: rules, deletion of a part, of collections, of all."""

from ..rounds import Round
from ..transport import Answer, Request
from . import values
from .queries import fill


def play(round: Round) -> None:
    paths = fill(round, 15)
    if not round.state():
        return
    for _ in range(8):
        step = round.chance.choice(
            [
                delete_part,
                delete_part,
                bulk_delete,
                put_rules,
                put_rules,
                get_rules,
                get_rules,
                index_usage,
                clear,
            ]
        )
        step(round, paths)
        if not round.state():
            return


def call(round: Round, method: str, path: str, content=None) -> tuple[Answer, Answer]:
    request = Request(f"{method} REST", {"path": path, "content": content}, "rest")
    answers = tuple(server.http(method, path, content, patience=3.0) for server in round.servers)
    round.count(request, *answers)
    return answers


def delete_part(round: Round, paths: list[str]) -> None:
    """A document with what is below it, or a collection."""
    chance = round.chance
    path = chance.choice(
        ["c", "d", "c/a", "c/a/c", "c/b/d/a", "nothing", "nothing/x", "c/", "c/a/", "", "c//a"]
    )
    root = round.root
    if chance.rarely(0.05):
        root = root.replace("databases/(default)", "databases/")
    call(round, "DELETE", f"/emulator/v1/{root}/{path}")


def bulk_delete(round: Round, paths: list[str]) -> None:
    body = {"database": round.database}
    if round.chance.rarely(0.8):
        body[round.chance.choice(["collection_ids", "collectionIds"])] = round.chance.some(
            ["c", "d", "nothing"], 2
        )
    call(round, "POST", f"/emulator/v1/{round.database}:bulkDelete", body)


def clear(round: Round, paths: list[str]) -> None:
    call(round, "DELETE", f"/emulator/v1/{round.root}")


def rules_of(round: Round, what: str) -> dict:
    content = (
        "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{database}/documents {\n"
        f"    match /{what}/{{x}} {{ allow read, write; }}\n  }}\n}}\n"
    )
    name = {"name": "firestore.rules"} if round.chance.rarely(0.7) else {}
    return {"rules": {"files": [{"content": content} | name]}}


def put_rules(round: Round, paths: list[str]) -> None:
    """Of the project, or of one database; then who may read."""
    chance = round.chance
    place = chance.choice(
        [f"projects/{round.project}", f"projects/{round.project}", round.database]
    )
    body = rules_of(round, chance.choice(["c", "d"]))
    if chance.rarely(0.2):
        body["ignore_errors"] = True
    if chance.rarely(0.1):
        chance.choice([body, body["rules"], body["rules"]["files"][0]])["foo"] = 1
    call(round, "PUT", f"/emulator/v1/{place}:securityRules", body)
    for path in ("c/a", "d/a"):
        round.send("GetDocument", {"name": f"{round.root}/{path}"}, token=None)
    other = round.root.replace("(default)", "second")
    round.send("GetDocument", {"name": f"{other}/{chance.choice(['c/a', 'd/a'])}"}, token=None)


def get_rules(round: Round, paths: list[str]) -> None:
    place = round.chance.choice([f"projects/{round.project}", round.database])
    call(round, "GET", f"/emulator/v1/{place}:securityRules")


def index_usage(round: Round, paths: list[str]) -> None:
    chance = round.chance
    query = {
        "from": [{"collectionId": "c"}],
        "orderBy": [
            {"field": {"fieldPath": path}, "direction": chance.choice(["ASCENDING", "DESCENDING"])}
            for path in chance.sample(values.PLAIN_FIELDS, 2)
        ],
    }
    round.send("RunQuery", {"parent": round.root, "structuredQuery": query})
    database = chance.choice(["?database=" + round.database] * 4 + ["", "?database=x"])
    call(round, "GET", f"/emulator/v1/projects/{round.project}:indexUsage{database}")
