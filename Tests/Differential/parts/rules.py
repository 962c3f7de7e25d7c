"""Random rules: whether both load them, what expressions come to, and who may do what."""

import base64
import json
import re

from ..rounds import Round
from ..transport import OWNER, Answer, Request
from . import expressions, spellings, values

EXPRESSIONS = 8
# The official server also guesses types, and warns of what can never be true. Hearth does not.
WARNINGS = re.compile(
    r"^(Invalid (variable|function|method|property) name|Incorrect number of arguments|Unused )"
)
HEAD = (
    "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{database}/documents {\n"
)
FUNCTIONS = "    function twice(x) { let y = x; return y + y; }\n"
TAIL = "  }\n}\n"


def user(round: Round, uid: str | None, **claims) -> str | None:
    """An unsigned ID token."""
    if uid is None:
        return None
    body = {
        "sub": uid,
        "user_id": uid,
        "aud": round.project,
        "auth_time": 1700000000,
        "iat": 1700000000,
        "exp": 4000000000,
        "iss": f"https://securetoken.google.com/{round.project}",
        "firebase": {"sign_in_provider": "password", "identities": {}},
    } | claims
    parts = ({"alg": "none", "typ": "JWT"}, body)
    return (
        ".".join(
            base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")
            for part in parts
        )
        + "."
    )


def load(round: Round, source: str) -> bool:
    """Puts the rules into both. Whether both took them."""
    body = {"rules": {"files": [{"name": "firestore.rules", "content": source}]}}
    request = Request("PutRules", body, "rest")
    answers = [
        server.http("PUT", f"/emulator/v1/projects/{round.project}:securityRules", body)
        for server in round.servers
    ]
    round.count(request, *(taken(answer) for answer in answers))
    return all(answer.status == "OK" for answer in answers)


def taken(answer: Answer) -> Answer:
    """Whether rules were taken, and what they are warned of."""
    if answer.http != 200:
        return answer
    issues = answer.body.get("issues", []) if isinstance(answer.body, dict) else []
    return Answer(
        "OK",
        body={
            "warnings": sorted(
                [issue["sourcePosition"].get("line", 0), issue["description"]]
                for issue in issues
                if WARNINGS.match(issue["description"])
            )
        },
        http=200,
    )


def documents(round: Round) -> None:
    """What the expressions look at."""
    chance, root = round.chance, round.root
    fields = {
        "a": {"integerValue": "1"},
        "b": {"booleanValue": chance.rarely(0.5)},
        "n": values.number(chance),
        "s": {"stringValue": chance.choice(["a", "b", "", "alice", "é😀"])},
        "l": {"arrayValue": {"values": [{"integerValue": "1"}, {"stringValue": "a"}]}},
        "m": {"mapValue": {"fields": {"a": {"integerValue": "1"}, "n": {"doubleValue": 1.5}}}},
        "t": {"timestampValue": "2020-01-02T03:04:05.678Z"},
        "v": values.vector(chance),
        "owner": {"stringValue": "alice"},
        "tags": {"arrayValue": {"values": [{"stringValue": "a"}, {"stringValue": "b"}]}},
    }
    names = ["k/a", "k/b"] + [
        f"e{index}/{kind}" for index in range(EXPRESSIONS) for kind in ("t", "f")
    ]
    round.send(
        "Commit",
        {
            "database": round.database,
            "writes": [{"update": {"name": f"{root}/{name}", "fields": fields}} for name in names],
        },
        "grpc",
    )


def play(round: Round) -> None:
    if round.chance.rarely(0.5):
        evaluate(round)
    elif round.chance.rarely(0.4):
        syntax(round)
    else:
        access(round)


def evaluate(round: Round) -> None:
    """Each expression is asked for twice, once negated: true, false, or an error."""
    documents(round)
    for _ in range(3):
        chosen = [expressions.boolean(round.chance) for _ in range(EXPRESSIONS)]
        source = (
            HEAD
            + FUNCTIONS
            + "".join(
                f"    match /e{index}/t {{ allow get: if look({index}, 't'); function look(x, d) {{ return {text}; }} }}\n"
                f"    match /e{index}/f {{ allow get: if !look({index}, 't'); function look(x, d) {{ return {text}; }} }}\n"
                for index, text in enumerate(chosen)
            )
            + TAIL
        )
        if not load(round, source):
            continue
        token = user(round, "alice", admin=round.chance.rarely(0.5))
        for index, text in enumerate(chosen):
            outcomes = [outcome(round, side, index, token) for side in (0, 1)]
            request = Request("Expression", {"expression": text}, "rest", "alice")
            round.count(request, *outcomes)


def outcome(round: Round, side: int, index: int, token: str | None) -> Answer:
    allowed = []
    for kind in ("t", "f"):
        body = {"name": f"{round.root}/e{index}/{kind}"}
        answer = round.servers[side].send(Request("GetDocument", body, "grpc", token), body)
        if answer.status not in ("OK", "PERMISSION_DENIED"):
            return answer
        allowed.append(answer.status == "OK")
    return Answer(
        "OK",
        body={
            (True, False): "true",
            (False, True): "false",
            (False, False): "error",
            (True, True): "both",
        }[tuple(allowed)],
    )


def syntax(round: Round) -> None:
    """Rules with small faults, and rules in unusual forms, each asked for a document."""
    round.send(
        "Commit",
        {
            "database": round.database,
            "writes": [{"update": {"name": f"{round.root}/c/a", "fields": small(round.chance)}}],
        },
        "grpc",
    )
    for _ in range(10):
        round.remark = spellings.source(round.chance)
        if load(round, round.remark):
            round.send("GetDocument", {"name": f"{round.root}/c/a"}, "grpc", token=None)
    round.remark = ""
    for _ in range(10):
        text = expressions.boolean(round.chance)
        source = (
            HEAD + FUNCTIONS + f"    match /c/{{x}} {{ allow get, list: if {text}; }}\n"
            "    match /d/{x=**} { allow write; }\n" + TAIL
        )
        load(round, expressions.mutated(round.chance, source))


# MARK: Who may do what

CONDITIONS = [
    "true",
    "false",
    "request.auth != null",
    "request.auth.uid == resource.data.owner",
    "request.auth.uid == request.resource.data.owner",
    "resource == null",
    "resource != null",
    "request.resource == null",
    "request.resource.data.n > resource.data.n",
    "resource.data.n > 1",
    "request.resource.data.keys().hasOnly(['n', 's', 'owner'])",
    "x == request.auth.uid",
    "request.resource.data.diff(resource.data).affectedKeys().hasOnly(['n'])",
    "exists(/databases/$(database)/documents/d/$(request.auth.uid))",
    "get(/databases/$(database)/documents/d/a).data.n == 1",
    "request.method == 'get'",
    "request.method in ['create', 'list']",
    "'n' in resource.data",
    "resource.data.s in ['a', 'b']",
    "request.query.limit <= 5",
    "request.query.limit < 50",
    "request.query.orderBy == {}",
    "request.query.orderBy == {'n': 'ASC'}",
    "getAfter(/databases/$(database)/documents/c/b).data.n == 1",
    "existsAfter(/databases/$(database)/documents/c/b)",
    "request.resource.data.owner is string",
    "request.time > resource.data.n",
    "resource.data.get('owner', 'alice') == request.auth.uid",
    "resource.data.l.hasAny(['a'])",
    "request.auth.token.admin == true",
    "resource.id == x",
    "request.path[4] == 'c'",
    "request.resource.id == x",
    "resource.data.n is int",
    "resource.data.owner != null",
    "!('s' in request.resource.data)",
    "request.resource.data.size() < 3",
]
METHODS = [
    "read",
    "write",
    "get",
    "list",
    "create",
    "update",
    "delete",
    "get, list",
    "create, update",
]


def condition(chance) -> str:
    text = chance.choice(CONDITIONS)
    if chance.rarely(0.3):
        text = f"({text}) {chance.choice(['&&', '||'])} ({chance.choice(CONDITIONS)})"
    return text


def ruleset(round: Round) -> str:
    chance = round.chance
    blocks = []
    for _ in range(chance.randrange(1, 4)):
        place = chance.choice(
            [
                "/c/{x}",
                "/c/{x}",
                "/d/{x}",
                "/{x}/{y}",
                "/c/{y}/c/{x}",
                "/{path=**}/c/{x}",
                "/{x=**}",
                "/c/{x=**}",
                "/c/a",
            ]
        )
        allows = "".join(
            f" allow {chance.choice(METHODS)}: if {condition(chance)};"
            for _ in range(chance.randrange(1, 4))
        )
        blocks.append(f"    match {place} {{{allows} }}\n")
    head = HEAD if chance.rarely(0.9) else HEAD.split("\n", 1)[1]
    return head + "".join(blocks) + TAIL


def small(chance) -> dict:
    fields = {
        "n": chance.choice(
            [
                {"integerValue": "1"},
                {"integerValue": "2"},
                {"doubleValue": 1.0},
                {"stringValue": "x"},
            ]
        ),
        "s": {"stringValue": chance.choice("abc")},
        "owner": {"stringValue": chance.choice(["alice", "bob"])},
        "l": {"arrayValue": {"values": [{"stringValue": "a"}]}},
    }
    return {name: value for name, value in fields.items() if chance.rarely(0.7)}


PATHS = ["c/a", "c/b", "c/alice", "d/a", "d/alice", "c/a/c/a", "c/z"]


def access(round: Round) -> None:
    chance, root = round.chance, round.root
    round.send(
        "Commit",
        {
            "database": round.database,
            "writes": [
                {"update": {"name": f"{root}/{path}", "fields": small(chance)}}
                for path in PATHS[:5]
            ],
        },
        "grpc",
    )
    for _ in range(2):
        round.remark = ruleset(round)
        if not load(round, round.remark):
            continue
        tokens = [user(round, "alice"), user(round, "bob", admin=True), None, OWNER]
        for _ in range(25):
            token = chance.choice(tokens)
            chance.of(
                lambda: get(round, token),
                lambda: change(round, token),
                lambda: change(round, token),
                lambda: search(round, token),
                lambda: search(round, token),
            )
            if round.diverged:
                restore(round)


def restore(round: Round) -> None:
    """Both get the same documents again after an answer that differed."""
    root = round.root
    round.diverged = False
    for server in round.servers:
        server.http("DELETE", f"/emulator/v1/{root}")
    round.send(
        "Commit",
        {
            "database": round.database,
            "writes": [
                {"update": {"name": f"{root}/{path}", "fields": small(round.chance)}}
                for path in PATHS[:5]
            ],
        },
        "grpc",
    )


def get(round: Round, token: str | None) -> None:
    chance = round.chance
    names = [f"{round.root}/{chance.choice(PATHS)}" for _ in range(2)]
    chance.of(
        lambda: round.send("GetDocument", {"name": names[0]}, token=token),
        lambda: round.send(
            "BatchGetDocuments", {"database": round.database, "documents": names}, token=token
        ),
    )


def change(round: Round, token: str | None) -> None:
    chance = round.chance
    made = []
    paths = chance.sample(PATHS, chance.choice([1, 1, 1, 2]))
    if chance.rarely(0.3):
        # Several writes of one document.
        paths += [chance.choice(paths) for _ in range(chance.choice([1, 1, 2]))]
    for path in paths:
        name = f"{round.root}/{path}"
        write = chance.of(
            {"delete": name},
            {"update": {"name": name, "fields": small(chance)}},
            {"update": {"name": name, "fields": small(chance)}},
            {
                "update": {"name": name, "fields": {"n": {"integerValue": "2"}}},
                "updateMask": {"fieldPaths": ["n"]},
            },
            {
                "update": {"name": name, "fields": {}},
                "updateMask": {"fieldPaths": []},
                "updateTransforms": [{"fieldPath": "n", "increment": {"integerValue": "1"}}],
            },
        )
        if chance.rarely(0.35):
            write["currentDocument"] = {"exists": chance.rarely(0.5)}
        made.append(write)
    round.send(
        chance.choice(["Commit", "Commit", "Commit", "BatchWrite"]),
        {"database": round.database, "writes": made},
        token=token,
    )


def search(round: Round, token: str | None) -> None:
    chance = round.chance
    query = {
        "from": [
            {"collectionId": chance.choice("cccd")}
            | ({"allDescendants": True} if chance.rarely(0.2) else {})
        ]
    }
    filters = [
        {"fieldFilter": {"field": {"fieldPath": path}, "op": op, "value": value}}
        for path, op, value in chance.sample(
            [
                ("owner", "EQUAL", {"stringValue": "alice"}),
                ("n", "EQUAL", {"integerValue": "1"}),
                ("n", "GREATER_THAN", {"integerValue": "1"}),
                ("s", "EQUAL", {"stringValue": "a"}),
                (
                    "s",
                    "IN",
                    {"arrayValue": {"values": [{"stringValue": "a"}, {"stringValue": "b"}]}},
                ),
                ("owner", "IN", {"arrayValue": {"values": [{"stringValue": "alice"}]}}),
                ("l", "ARRAY_CONTAINS", {"stringValue": "a"}),
                ("__name__", "EQUAL", {"referenceValue": f"{round.root}/c/a"}),
                (
                    "__name__",
                    "IN",
                    {
                        "arrayValue": {
                            "values": [
                                {"referenceValue": f"{round.root}/c/{each}"} for each in ("a", "b")
                            ]
                        }
                    },
                ),
            ],
            chance.choice([0, 1, 1, 2]),
        )
    ]
    if filters:
        query["where"] = (
            filters[0]
            if len(filters) == 1
            else {
                "compositeFilter": {"op": chance.choice(["AND", "AND", "OR"]), "filters": filters}
            }
        )
    if chance.rarely(0.3):
        query["limit"] = chance.choice([1, 5, 10])
    chance.of(
        lambda: round.send(
            "RunQuery", {"parent": round.root, "structuredQuery": query}, token=token
        ),
        lambda: round.send(
            "RunQuery", {"parent": round.root, "structuredQuery": query}, token=token
        ),
        lambda: round.send(
            "ListDocuments",
            {"parent": round.root, "collectionId": "c"}
            | round.chance.choice([{}, {"orderBy": "n"}, {"pageSize": 300}]),
            token=token,
        ),
        lambda: round.send(
            "RunAggregationQuery",
            {
                "parent": round.root,
                "structuredAggregationQuery": {
                    "structuredQuery": query,
                    "aggregations": [{"alias": "n", "count": {}}],
                },
            },
            token=token,
        ),
    )
