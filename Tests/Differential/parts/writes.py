"""Random writes, with preconditions, masks and transforms, and the calls that carry them."""

from ..rounds import Round, last_time
from . import values
from .values import Chance

CHANGES = {"increment", "maximum", "minimum"}


def precondition(chance: Chance, path: str) -> dict:
    return chance.choice(
        [
            {"exists": True},
            {"exists": False},
            {"updateTime": last_time(path)},
            {"updateTime": "2020-01-01T00:00:00Z"},
            {"exists": True},
            {"exists": False},
        ]
    )


def transform(chance: Chance, root: str) -> dict:
    kind = chance.choice(
        [
            "increment",
            "maximum",
            "minimum",
            "appendMissingElements",
            "removeAllFromArray",
            "setToServerValue",
        ]
    )
    path = values.field_path(chance)
    if kind in CHANGES:
        chosen = values.number(chance)
        if chance.rarely(0.05):
            chosen = values.value(chance, root)
        return {"fieldPath": path, kind: chosen}
    if kind == "setToServerValue":
        return {"fieldPath": path, kind: "REQUEST_TIME"}
    elements = values.array(chance, root, most=3)["arrayValue"]
    if chance.rarely(0.03):
        elements = {"values": [values.bad_value(chance, root)]}
    return {"fieldPath": path, kind: elements}


def mask(chance: Chance, fields: dict) -> dict:
    """Mostly fields that are written or deleted."""
    paths = []
    for _ in range(chance.randrange(4)):
        if fields and chance.rarely(0.6):
            paths.append(values.quoted(chance.choice(list(fields))))
        elif chance.rarely(0.02):
            paths.append(chance.choice(values.BAD_PATHS))
        else:
            paths.append(values.field_path(chance))
    return {"fieldPaths": paths}


def document(chance: Chance, root: str, path: str) -> dict:
    fields = values.fields(chance, root)
    if chance.rarely(0.02):
        fields[chance.choice(["a", "v", "x y"])] = values.large(chance, root)
    if chance.rarely(0.03):
        fields[chance.choice(["a", "__x__", "__type__"])] = values.bad_value(chance, root)
    return {"name": f"{root}/{path}", "fields": fields}


def path_of(chance: Chance, paths: list[str]) -> str:
    """Mostly one of a few documents, so that writes meet what is there."""
    if chance.rarely(0.01):
        return chance.choice(["c/__x__", "c", "c/a/d", "/", "c/a/", "c/..", "__c__/a"])
    return chance.choice(paths)


def write(chance: Chance, root: str, paths: list[str], verify: bool = False) -> dict:
    path = path_of(chance, paths)
    kind = chance.choice(
        ["set", "set", "set", "update", "update", "delete", "transform"]
        + (["verify"] if verify else [])
    )
    if kind == "delete":
        made = {"delete": f"{root}/{path}"}
    elif kind == "verify":
        made = {"verify": f"{root}/{path}"}
    elif kind == "transform":
        made = {
            "transform": {
                "document": f"{root}/{path}",
                "fieldTransforms": [transform(chance, root) for _ in range(chance.randrange(1, 3))],
            }
        }
    else:
        made = {"update": document(chance, root, path)}
        if kind == "update":
            made["updateMask"] = mask(chance, made["update"]["fields"])
        if chance.rarely(0.35):
            made["updateTransforms"] = [
                transform(chance, root) for _ in range(chance.randrange(1, 4))
            ]
    if chance.rarely(0.3):
        made["currentDocument"] = precondition(chance, path)
    return made


def some_paths(chance: Chance) -> list[str]:
    return [values.document_path(chance) for _ in range(chance.randrange(1, 5))]


def play(round: Round) -> None:
    """Random lists of writes and single calls on a few documents; the state is compared after each."""
    chance, root = round.chance, round.root
    paths = some_paths(chance)
    for _ in range(14):
        chance.of(
            lambda: commit(round, paths),
            lambda: commit(round, paths),
            lambda: commit(round, paths),
            lambda: batch(round, paths),
            lambda: single(round, paths),
            lambda: single(round, paths),
            lambda: stream(round, paths),
        )
        if not round.state():
            return
    round.send(
        "BatchGetDocuments",
        {"database": round.database, "documents": [f"{root}/{path}" for path in paths]},
    )


def commit(round: Round, paths: list[str]) -> None:
    chance = round.chance
    transport = round.transport()
    amount = chance.choice([1, 1, 1, 2, 2, 3])
    round.send(
        "Commit",
        {
            "database": round.database,
            "writes": [
                write(chance, round.root, paths, transport == "rest") for _ in range(amount)
            ],
        },
        transport,
    )


def batch(round: Round, paths: list[str]) -> None:
    """No document twice, which both refuse."""
    chance = round.chance
    amount = chance.choice([1, 2, 3])
    round.send(
        "BatchWrite",
        {
            "database": round.database,
            "writes": [write(chance, round.root, paths) for _ in range(amount)],
        },
    )


def stream(round: Round, paths: list[str]) -> None:
    """A Write stream: a handshake, then some lists of writes. A refused one ends the stream."""
    chance = round.chance
    # No empty list: the official server ends the stream without a word.
    lists = [
        [write(chance, round.root, paths) for _ in range(chance.choice([1, 2]))]
        for _ in range(chance.randrange(1, 4))
    ]
    round.send("Write", {"database": round.database, "lists": lists}, "grpc")


def single(round: Round, paths: list[str]) -> None:
    chance, root = round.chance, round.root
    path = path_of(chance, paths)
    kind = chance.choice(["create", "update", "update", "delete", "get"])
    transport = round.transport()
    if kind == "create":
        parent, _, identifier = path.rpartition("/")
        above, _, collection = parent.rpartition("/")
        round.send(
            "CreateDocument",
            {
                "parent": f"{root}/{above}".rstrip("/"),
                "collectionId": collection,
                "documentId": identifier,
                "document": {"fields": values.fields(chance, root)},
            },
            transport,
        )
        return
    if kind == "get":
        body = {"name": f"{root}/{path}"}
        if chance.rarely(0.4):
            body["mask"] = mask(chance, {})
        round.send("GetDocument", body, transport)
        return
    if kind == "delete":
        body = {"name": f"{root}/{path}"}
    else:
        made = document(chance, root, path)
        body = {"document": made}
        if chance.rarely(0.6):
            body["updateMask"] = mask(chance, made["fields"])
        if chance.rarely(0.2):
            body["mask"] = mask(chance, made["fields"])
    if chance.rarely(0.3):
        body["currentDocument"] = precondition(chance, path)
        # The official server reads this parameter of an URL as 0.
        if "updateTime" in body["currentDocument"]:
            transport = "grpc"
    round.send({"delete": "DeleteDocument", "update": "UpdateDocument"}[kind], body, transport)
