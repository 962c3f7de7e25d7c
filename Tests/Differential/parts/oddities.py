"""Calls at the edges: what one of the two refuses, does not have, or never answers."""

from ..rounds import Round
from ..transport import Request
from . import values

LONG = "x" * 1501
DEEP = "/".join(["c", "a"] * 101)


def play(round: Round) -> None:
    chance, root = round.chance, round.root
    round.send(
        "Commit",
        {
            "database": round.database,
            "writes": [
                {
                    "update": {
                        "name": f"{root}/{path}",
                        "fields": {"n": {"integerValue": "1"}, "v": values.vector(chance, 2)},
                    }
                }
                for path in ("c/a", "c/b", "d/a")
            ],
        },
        "grpc",
    )
    for kind in chance.sample(KINDS, 12):
        kind(round)
        if round.diverged and not round.state():
            return


def structured(**more) -> dict:
    return {"from": [{"collectionId": "c"}]} | more


def other_database(round: Round) -> None:
    """One call that names documents of another database or project."""
    other = round.chance.choice(
        [
            f"projects/{round.project}/databases/other/documents",
            round.root.replace(round.project, "demo-elsewhere"),
        ]
    )
    name = f"{other}/c/a"
    round.chance.of(
        lambda: round.send(
            "Commit", {"database": round.database, "writes": [{"update": {"name": name}}]}
        ),
        lambda: round.send(
            "BatchWrite", {"database": round.database, "writes": [{"delete": name}]}
        ),
        lambda: round.send(
            "BatchGetDocuments", {"database": round.database, "documents": [name]}, "grpc"
        ),
    )


def long_name(round: Round) -> None:
    name = f"{round.root}/{round.chance.choice([f'c/{LONG}', f'{LONG}/a', DEEP])}"
    round.chance.of(
        lambda: round.send("GetDocument", {"name": name}, "grpc"),
        lambda: round.send("DeleteDocument", {"name": name}, "grpc"),
        lambda: round.send("UpdateDocument", {"document": {"name": name}}, "grpc"),
        lambda: round.send(
            "BatchGetDocuments", {"database": round.database, "documents": [name]}, "grpc"
        ),
    )


def malformed_name(round: Round) -> None:
    name = round.chance.choice(
        [
            "x",
            "",
            round.root,
            f"{round.root}/c",
            f"{round.root}/c/",
            f"{round.root}//a",
            f"{round.root}/c/.",
            f"{round.root}/c/__x__",
            f"{round.root}/__x__/a",
            "projects//databases/(default)/documents/c/a",
        ]
    )
    round.chance.of(
        lambda: round.send("GetDocument", {"name": name}, "grpc"),
        lambda: round.send("DeleteDocument", {"name": name}, "grpc"),
        lambda: round.send(
            "Commit", {"database": round.database, "writes": [{"delete": name}]}, "grpc"
        ),
        lambda: round.send(
            "BatchGetDocuments", {"database": round.database, "documents": [name]}, "grpc"
        ),
        lambda: round.send("RunQuery", {"parent": name, "structuredQuery": structured()}, "grpc"),
        lambda: round.send("ListCollectionIds", {"parent": name}, "grpc"),
    )


def partition(round: Round) -> None:
    round.send(
        "PartitionQuery",
        {
            "parent": round.root,
            "partitionCount": round.chance.choice(["1", "3"]),
            "structuredQuery": {
                "from": [{"collectionId": "c", "allDescendants": True}],
                "orderBy": [{"field": {"fieldPath": "__name__"}, "direction": "ASCENDING"}],
            },
        },
        "grpc",
    )


def pipeline(round: Round) -> None:
    round.send(
        "ExecutePipeline",
        {
            "database": round.database,
            "structuredPipeline": {
                "pipeline": {"stages": [{"name": "collection", "args": [{"referenceValue": "/c"}]}]}
            },
        },
        "grpc",
    )


def aggregations(round: Round) -> None:
    many = round.chance.choice(
        [
            [{"count": {}}] * 6,
            [],
            [{}],
            [{"count": {"upTo": "0"}}],
            [{"count": {"upTo": "-1"}}],
            [{"sum": {"field": {"fieldPath": "__name__"}}}],
            [{"sum": {"field": {"fieldPath": ""}}}],
            [{"alias": "x", "count": {}}, {"alias": "x", "count": {}}],
            [{"alias": "__x__", "count": {}}],
            [{"alias": LONG, "count": {}}],
            [{"avg": {}}],
        ]
    )
    round.send(
        "RunAggregationQuery",
        {
            "parent": round.root,
            "structuredAggregationQuery": {"structuredQuery": structured(), "aggregations": many},
        },
        "grpc",
    )


def sums(round: Round) -> None:
    """Numbers of very different sizes."""
    numbers = round.chance.choice(
        [[-1e16, 0.3, 1e16], [-1e308, 3.3, 1e308], [-1e16, 0.3, 1.5, 1e16, 3.3]]
    )
    round.send(
        "Commit",
        {
            "database": round.database,
            "writes": [
                {
                    "update": {
                        "name": f"{round.root}/sums/{index}",
                        "fields": {"n": {"doubleValue": number}},
                    }
                }
                for index, number in enumerate(numbers)
            ],
        },
        "grpc",
    )
    round.send(
        "RunAggregationQuery",
        {
            "parent": round.root,
            "structuredAggregationQuery": {
                "structuredQuery": {"from": [{"collectionId": "sums"}]},
                "aggregations": [
                    {round.chance.choice(["sum", "avg"]): {"field": {"fieldPath": "n"}}}
                ],
            },
        },
        "grpc",
    )


def vectors(round: Round) -> None:
    chance = round.chance
    nearest = {
        "vectorField": {"fieldPath": "v"},
        "queryVector": values.vector(chance, 2),
        "distanceMeasure": "EUCLIDEAN",
        "limit": 2,
    }
    nearest |= chance.choice(
        [
            {"limit": 0},
            {"limit": 1001},
            {"limit": -1},
            {"distanceResultField": "a..b"},
            {"distanceResultField": "__name__"},
            {"distanceMeasure": "DISTANCE_MEASURE_UNSPECIFIED"},
            {"queryVector": {"integerValue": "1"}},
            {"vectorField": {"fieldPath": "n"}},
            {"vectorField": {}},
            {"distanceResultField": "m.d"},
            {"distanceThreshold": 0.0, "distanceMeasure": "COSINE"},
        ]
    )
    round.send(
        "RunQuery",
        {"parent": round.root, "structuredQuery": structured(findNearest=nearest)},
        "grpc",
    )


def empty_batch_get(round: Round) -> None:
    round.send(
        "BatchGetDocuments",
        {"database": round.database}
        | round.chance.choice([{}, {"newTransaction": {"readOnly": {}}}]),
        "grpc",
    )


def odd_fields(round: Round) -> None:
    chance, root = round.chance, round.root
    name = f"{root}/c/a"
    path = chance.choice(
        [
            "__name__",
            "__x__",
            "____",
            "`__x__`",
            "a.__x__",
            "a" * 1500,
            "a" * 1501,
            ".".join("a" * 21),
            ".".join("a" * 100),
            "",
            "a..b",
            "`",
            "a b",
            "`a`.`b`",
            "1",
            "é",
        ]
    )
    value = {"integerValue": "2"}
    chance.of(
        lambda: round.send(
            "Commit",
            {
                "database": round.database,
                "writes": [{"update": {"name": name}, "updateMask": {"fieldPaths": [path]}}],
            },
        ),
        lambda: round.send(
            "Commit",
            {
                "database": round.database,
                "writes": [
                    {
                        "update": {"name": name},
                        "updateMask": {"fieldPaths": []},
                        "updateTransforms": [{"fieldPath": path, "increment": value}],
                    }
                ],
            },
        ),
        lambda: round.send(
            "Commit",
            {
                "database": round.database,
                "writes": [{"update": {"name": name, "fields": {path: value}}}],
            },
        ),
        lambda: round.send(
            "RunQuery",
            {
                "parent": root,
                "structuredQuery": structured(
                    where={
                        "fieldFilter": {"field": {"fieldPath": path}, "op": "EQUAL", "value": value}
                    }
                ),
            },
        ),
        lambda: round.send(
            "RunQuery",
            {
                "parent": root,
                "structuredQuery": structured(
                    orderBy=[{"field": {"fieldPath": path}, "direction": "ASCENDING"}]
                ),
            },
        ),
        lambda: round.send(
            "RunQuery",
            {
                "parent": root,
                "structuredQuery": structured(select={"fields": [{"fieldPath": path}]}),
            },
        ),
        lambda: round.send("GetDocument", {"name": name, "mask": {"fieldPaths": [path]}}, "grpc"),
    )


def odd_writes(round: Round) -> None:
    chance, root = round.chance, round.root
    name = f"{root}/c/a"
    value = chance.choice(
        [
            values.bad_value(chance, root),
            {"stringValue": "x" * 1_048_500},
            {"bytesValue": "AAAA" * 262_200},
        ]
    )
    write = chance.choice(
        [
            {},
            {"update": {}},
            {"delete": ""},
            {"transform": {"document": name}},
            {"update": {"name": name}, "updateTransforms": [{"fieldPath": "a"}]},
            {"delete": name, "updateMask": {"fieldPaths": ["a"]}},
            {"update": {"name": name}, "currentDocument": {}},
            {
                "update": {"name": name},
                "updateTransforms": [
                    {"fieldPath": "x", "increment": {"integerValue": "1"}},
                    {"fieldPath": "x.y", "increment": {"integerValue": "1"}},
                ],
            },
            {"update": {"name": name}, "currentDocument": {"updateTime": "2100-01-01T00:00:00Z"}},
            {
                "update": {"name": name},
                "currentDocument": {"updateTime": "2020-01-01T00:00:00.0000001Z"},
            },
            {"update": {"name": name, "fields": {"x": value}}},
            {"update": {"name": name, "fields": {"x": value}}},
        ]
    )
    chance.of(
        lambda: round.send("Commit", {"database": round.database, "writes": [write]}),
        lambda: round.send(
            "BatchWrite", {"database": round.database, "writes": [write, {"delete": f"{root}/c/z"}]}
        ),
        lambda: round.send(
            "BatchWrite",
            {
                "database": round.database,
                "writes": [{"delete": f"{root}/c/z"}, {"delete": f"{root}/c/z"}],
            },
        ),
        lambda: round.send(
            "CreateDocument",
            {"parent": root, "collectionId": "c", "documentId": "n1", "document": {"name": name}},
            "grpc",
        ),
    )


# MARK: REST as it is sent by hand


def plain(
    round: Round,
    method: str,
    path: str,
    content=None,
    headers: str | None = "owner",
    patience: float = 2.0,
) -> None:
    body = content if isinstance(content, (dict, list)) or content is None else content.decode()
    request = Request(f"{method} REST", {"path": path, "content": body}, "rest", headers)
    answers = [server.http(method, path, content, headers, patience) for server in round.servers]
    round.count(request, *answers)


def rest_methods(round: Round) -> None:
    root = f"/v1/{round.root}"
    method, path = round.chance.choice(
        [
            ("POST", f"{root}:listen"),
            ("POST", f"{root}:write"),
            ("GET", f"{root}:runQuery"),
            ("PUT", f"{root}/c/a"),
            ("POST", f"{root}/c/a"),
            ("POST", f"{root}:nothing"),
            ("GET", "/v1/nothing"),
            ("GET", f"/v1/{round.database}"),
            ("GET", f"/v1beta1/{round.root}/c/a"),
            ("GET", f"{root}/c/a/"),
            ("GET", f"{root}/c/a%2Fb"),
            ("PATCH", f"{root}/c"),
            ("DELETE", f"{root}/c"),
            ("GET", f"{root}/c%2Fa"),
        ]
    )
    plain(round, method, path, {} if method in ("POST", "PUT", "PATCH") else None)


def rest_parameters(round: Round) -> None:
    """The official server never answers some of these."""
    root = f"/v1/{round.root}"
    plain(
        round,
        "GET",
        round.chance.choice(
            [
                f"{root}/c?pageSize=x",
                f"{root}/c/a?transaction=AAAA",
                f"{root}/c?pageSize=-1",
                f"{root}/c?nothing=1",
                f"{root}/c/a?mask.fieldPaths=n&mask.fieldPaths=v",
                f"{root}/c/a?readTime=x",
                f"{root}/c?showMissing=maybe",
                f"{root}/c?orderBy=n%20desc&pageSize=1",
                f"{root}/c/a?mask.fieldPaths=`",
            ]
        ),
    )


def rest_bodies(round: Round) -> None:
    name = f"{round.root}/c/a"

    def value(text: str) -> bytes:
        update = f'{{"update": {{"name": "{name}", "fields": {{"b": {text}}}}}}}'
        return f'{{"writes": [{update}]}}'.encode()

    verb, content = round.chance.choice(
        [
            ("commit", b""),
            ("commit", b"{"),
            ("commit", b"[]"),
            ("commit", b"null"),
            ("commit", b'{"nothing": 1}'),
            ("commit", b'{"writes": {}}'),
            ("commit", b'{"writes": [{"nothing": 1}]}'),
            ("commit", b'{"database": "x"}'),
            ("runQuery", b'{"parent": "x"}'),
            ("runQuery", b'{"structuredQuery": {"from": {"collectionId": "c"}}}'),
            ("runQuery", b"{'structuredQuery': {from: [{collectionId: 'c'}]}}"),
            ("commit", value('{"booleanValue": "true"}')),
            ("commit", value('{"stringValue": 5}')),
            ("commit", value('{"integerValue": "x"}')),
            ("commit", value('{"integerValue": 1.5}')),
            ("commit", value('{"timestampValue": "x"}')),
            ("commit", value('{"bytesValue": "!"}')),
            ("commit", value('{"integerValue": "+1"}')),
            ("commit", value('{"doubleValue": "+1"}')),
            ("commit", value('{"nullValue": 1}')),
            ("commit", value('{"timestampValue": "2020-02-30T24:00:60Z"}')),
            ("commit", value('{"timestampValue": "2020-01-01t00:00:00z"}')),
            ("commit", value('{"bytesValue": "/_8="}')),
        ]
    )
    plain(round, "POST", f"/v1/{round.root}:{verb}", content)


def rest_tokens(round: Round) -> None:
    plain(
        round,
        "GET",
        f"/v1/{round.root}/c/a",
        headers=round.chance.choice(["x", "a.b.c", "", "eyJhbGciOiJub25lIn0.e30.", None]),
    )


KINDS = [
    other_database,
    long_name,
    malformed_name,
    partition,
    pipeline,
    aggregations,
    sums,
    vectors,
    empty_batch_get,
    odd_fields,
    odd_writes,
    odd_fields,
    odd_writes,
    malformed_name,
    rest_methods,
    rest_parameters,
    rest_bodies,
    rest_tokens,
]
