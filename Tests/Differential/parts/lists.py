"""Listings: of documents, page by page to the end, with missing parents, and of collections."""

from ..rounds import Round, given
from . import values
from .queries import fill


def play(round: Round) -> None:
    if round.chance.rarely(0.2):
        many(round)
        return
    paths = fill(round, 25)
    if not round.state():
        return
    gone = round.chance.sample(paths, min(3, len(paths)))
    round.send(
        "Commit",
        {
            "database": round.database,
            "writes": [{"delete": f"{round.root}/{path}"} for path in gone],
        },
        "grpc",
    )
    for _ in range(12):
        round.chance.of(
            lambda: documents(round),
            lambda: documents(round),
            lambda: collections(round),
            lambda: several(round, paths),
            lambda: automatic(round),
        )
        if not round.state():
            return


def parent_of(round: Round) -> str:
    if round.chance.rarely(0.4):
        return f"{round.root}/{values.document_path(round.chance, odd=False)}"
    return round.root


def documents(round: Round) -> None:
    chance = round.chance
    collection = chance.choice(values.COLLECTIONS[:2] if chance.rarely(0.9) else values.COLLECTIONS)
    body = {"parent": parent_of(round), "collectionId": "" if chance.rarely(0.05) else collection}
    if chance.rarely(0.7):
        body["pageSize"] = chance.choice([1, 2, 3, 10])
    if chance.rarely(0.4):
        body["showMissing"] = True
    elif chance.rarely(0.4):
        body["orderBy"] = chance.choice(
            [
                "a",
                "n desc",
                "a, n",
                "__name__",
                "__name__ desc",
                "a asc, __name__",
                "m.a desc",
                "`x y`",
                "",
                "a descending",
                "A",
                "a,,b",
                " a  asc ",
            ]
        )
    if chance.rarely(0.3):
        body["mask"] = {"fieldPaths": chance.sample(["a", "n", "m.a", "é", "`x y`"], 2)}
    # The official server never answers REST with a parameter that it cannot read, and these are fine.
    pages(round, "ListDocuments", body)


def many(round: Round) -> None:
    """More documents and collections than a page has, in one commit each."""
    chance, root = round.chance, round.root
    amount = chance.choice([31, 150, 151, 301, 350])
    for name in ("big/d{0:03}", "c/a/k{0:03}/x"):
        round.send(
            "Commit",
            {
                "database": round.database,
                "writes": [
                    {
                        "update": {
                            "name": f"{root}/{name.format(each)}",
                            "fields": {"n": {"integerValue": str(each % 7)}},
                        }
                    }
                    for each in range(amount)
                ],
            },
            "grpc",
        )
    for _ in range(10):
        sizes = [None, 0, 30, 149, 150, 151, 300, 320, 1000]
        asked = chance.choice(sizes)
        size = {} if asked is None else {"pageSize": asked}
        if chance.rarely(0.3):
            pages(round, "ListCollectionIds", {"parent": f"{root}/c/a"} | size)
        else:
            more = chance.choice([{}, {}, {"showMissing": True}, {"orderBy": "n desc"}])
            pages(round, "ListDocuments", {"parent": root, "collectionId": "big"} | size | more)


def collections(round: Round) -> None:
    body = {"parent": parent_of(round)}
    if round.chance.rarely(0.6):
        body["pageSize"] = round.chance.choice([1, 2, 3])
    pages(round, "ListCollectionIds", body)


def pages(round: Round, rpc: str, body: dict) -> None:
    """Follows the tokens of both to the end."""
    transport = round.transport()
    for _ in range(40):
        for memory in round.memory:
            memory.pop("token", None) if "pageToken" not in body else None
        round.send(rpc, body, transport, remember={"token": "nextPageToken"})
        tokens = [memory.get("token") for memory in round.memory]
        if not all(tokens) or round.diverged:
            return
        body = body | {"pageToken": given("token")}


def several(round: Round, paths: list[str]) -> None:
    chance = round.chance
    names = [
        f"{round.root}/{chance.choice(paths) if chance.rarely(0.7) else values.document_path(chance)}"
        for _ in range(chance.randrange(0, 5))
    ]
    body = {"database": round.database, "documents": names}
    if chance.rarely(0.4):
        body["mask"] = {"fieldPaths": chance.sample(["a", "n", "m.a", "__name__", "`x y`", "é"], 2)}
    round.send("BatchGetDocuments", body)


def automatic(round: Round) -> None:
    """An automatic id; the document does not stay, for it is not the same on both."""
    body = {
        "parent": parent_of(round),
        "collectionId": "c",
        "document": {"fields": values.fields(round.chance, round.root)},
    }
    for memory in round.memory:
        memory.pop("made", None)
    round.send("CreateDocument", body, remember={"made": "name"})
    round.send("DeleteDocument", {"name": given("made", f"{round.root}/c/none")})
