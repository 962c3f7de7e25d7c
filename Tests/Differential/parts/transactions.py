"""Scripts of transactions, one call after the other; a few make two parties meet."""

from ..rounds import Diverged, Round, given
from ..transport import Answer, Request
from . import values, writes
from .queries import structured

PATHS = ["c/a", "c/b", "c/c", "d/a", "c/a/c/a"]


def play(round: Round) -> None:
    chance, root = round.chance, round.root
    round.send(
        "Commit",
        {
            "database": round.database,
            "writes": [
                {"update": {"name": f"{root}/{path}", "fields": values.fields(chance, root)}}
                for path in PATHS[:3]
            ],
        },
        "grpc",
        remember={"time": "commitTime"},
    )
    for _ in range(5):
        script = chance.choice([read_write, read_write, read_only, past, misuse])
        if chance.rarely(0.04):
            script = chance.choice(MEETINGS)
        round.strict = True
        try:
            script(round)
        except Diverged:
            pass
        finally:
            round.strict = False
            for name in ("tx", "other"):
                forget(round, name)
        if not round.state():
            return


def begin(round: Round, name: str = "tx", options: dict | None = None) -> None:
    """Starts a transaction, alone or with the first read."""
    chance = round.chance
    forget(round, name)
    options = options if options is not None else chance.choice([{}, {"readWrite": {}}])
    kind = chance.choice(["begin", "begin", "get", "query"])
    remember = {name: "transaction"}
    if kind == "begin" or not options:
        body = {"database": round.database} | ({"options": options} if options else {})
        round.send("BeginTransaction", body, remember=remember)
    elif kind == "get":
        round.send(
            "BatchGetDocuments",
            {
                "database": round.database,
                "documents": [f"{round.root}/{chance.choice(PATHS)}"],
                "newTransaction": options,
            },
            remember=remember,
        )
    else:
        # A query that it refuses leaves the official server with a transaction that nobody can end.
        query = {"from": [{"collectionId": chance.choice(["c", "d", "x"])}], "limit": 2}
        round.send(
            "RunQuery",
            {"parent": round.root, "structuredQuery": query, "newTransaction": options},
            remember=remember,
        )


def read(round: Round, name: str = "tx") -> None:
    chance, root = round.chance, round.root
    transaction = {"transaction": given(name, "AAAA")}
    kind = chance.choice(["get", "batch", "query", "count", "list"])
    # In a URL the official server cannot read a transaction, and never answers.
    if kind == "get":
        round.send("GetDocument", {"name": f"{root}/{chance.choice(PATHS)}"} | transaction, "grpc")
    elif kind == "batch":
        round.send(
            "BatchGetDocuments",
            {
                "database": round.database,
                "documents": [f"{root}/{each}" for each in chance.sample(PATHS, 2)],
            }
            | transaction,
        )
    elif kind == "list":
        round.send("ListDocuments", {"parent": root, "collectionId": "c"} | transaction, "grpc")
    else:
        parent, query = structured(chance, root)
        if kind == "query":
            round.send("RunQuery", {"parent": parent, "structuredQuery": query} | transaction)
        else:
            query.pop("findNearest", None)
            round.send(
                "RunAggregationQuery",
                {
                    "parent": parent,
                    "structuredAggregationQuery": {
                        "structuredQuery": query,
                        "aggregations": [{"count": {}, "alias": "n"}],
                    },
                }
                | transaction,
            )


def end(round: Round, name: str = "tx") -> tuple[Answer, Answer]:
    chance = round.chance
    if chance.rarely(0.2):
        return round.send(
            "Rollback", {"database": round.database, "transaction": given(name, "AAAA")}
        )
    made = [writes.write(chance, round.root, PATHS) for _ in range(chance.randrange(0, 3))]
    return round.send(
        "Commit",
        {"database": round.database, "writes": made, "transaction": given(name, "AAAA")},
        remember={"time": "commitTime"},
    )


def forget(round: Round, name: str) -> None:
    """Ends a transaction, if it is still open, so that it holds nothing. Not judged: either may know it."""
    for server, memory in zip(round.servers, round.memory):
        transaction = memory.pop(name, None)
        if transaction:
            body = {"database": round.database, "transaction": transaction}
            server.send(Request("Rollback", body), body)


def read_write(round: Round) -> None:
    begin(round)
    for _ in range(round.chance.randrange(0, 4)):
        read(round)
    end(round)
    if round.chance.rarely(0.2):
        round.chance.choice([read, end])(round)


def read_only(round: Round) -> None:
    """A snapshot: what others write between its reads it does not see."""
    chance = round.chance
    options = {"readOnly": chance.of({}, {}, {"readTime": given("time", "2020-01-01T00:00:00Z")})}
    begin(round, options=options)
    read(round)
    if chance.rarely(0.6):
        writes.commit(round, PATHS)
    for _ in range(chance.randrange(1, 3)):
        read(round)
    end(round)


def past(round: Round) -> None:
    """Reads of a time."""
    chance, root = round.chance, round.root
    writes.commit(round, PATHS)
    time = {"readTime": given("time", "2020-01-01T00:00:00Z")}
    if chance.rarely(0.2):
        time = {"readTime": chance.choice(["2020-01-01T00:00:00Z", "2100-01-01T00:00:00Z"])}
    for _ in range(chance.randrange(1, 4)):
        kind = chance.choice(["get", "batch", "query", "list", "collections", "missing"])
        if kind == "get":
            round.send(
                "GetDocument", {"name": f"{root}/{chance.choice(PATHS)}"} | time, in_url(round)
            )
        elif kind == "batch":
            round.send(
                "BatchGetDocuments",
                {"database": round.database, "documents": [f"{root}/{each}" for each in PATHS]}
                | time,
            )
        elif kind == "query":
            parent, query = structured(chance, root)
            round.send("RunQuery", {"parent": parent, "structuredQuery": query} | time)
        elif kind == "collections":
            round.send("ListCollectionIds", {"parent": root} | time)
        else:
            body = {"parent": root, "collectionId": "c"} | time
            round.send(
                "ListDocuments",
                body | ({"showMissing": True} if kind == "missing" else {}),
                in_url(round),
            )


def in_url(round: Round) -> str:
    """Mostly gRPC: the official server reads a time in an URL as 0."""
    return "rest" if round.chance.rarely(0.1) else "grpc"


def misuse(round: Round) -> None:
    """Calls beside the order of things."""
    chance = round.chance
    begin(round)
    for _ in range(3):
        chance.choice(
            [
                end,
                read,
                lambda round: begin(
                    round, "other", {"readWrite": {"retryTransaction": given("tx", "AAAA")}}
                ),
            ]
        )(round)


# MARK: Two parties. The official server lets one of them wait for two seconds.


def set_to(round: Round, path: str, number: int, name: str | None = None) -> None:
    body = {
        "database": round.database,
        "writes": [
            {
                "update": {
                    "name": f"{round.root}/{path}",
                    "fields": {"n": {"integerValue": str(number)}},
                }
            }
        ],
    }
    if name:
        body["transaction"] = given(name, "AAAA")
    round.send("Commit", body, "grpc", remember={"time": "commitTime"})


def started(round: Round, name: str) -> None:
    round.send(
        "BeginTransaction", {"database": round.database}, "grpc", remember={name: "transaction"}
    )


def got(round: Round, path: str, name: str) -> None:
    round.send(
        "GetDocument", {"name": f"{round.root}/{path}", "transaction": given(name, "AAAA")}, "grpc"
    )


def write_of_what_was_read(round: Round) -> None:
    started(round, "tx")
    got(round, "c/a", "tx")
    set_to(round, "c/a", 1)
    set_to(round, "c/a", 2, "tx")


def two_readers(round: Round) -> None:
    for name in ("tx", "other"):
        started(round, name)
        got(round, "c/a", name)
    set_to(round, "c/a", 1, "tx")
    set_to(round, "c/a", 2, "other")


def insert_into_what_was_queried(round: Round) -> None:
    started(round, "tx")
    round.send(
        "RunQuery",
        {
            "parent": round.root,
            "structuredQuery": {"from": [{"collectionId": "c"}]},
            "transaction": given("tx", "AAAA"),
        },
        "grpc",
    )
    set_to(round, "c/z", 1)
    set_to(round, "c/a", 2, "tx")


MEETINGS = [write_of_what_was_read, two_readers, insert_into_what_was_queried]
