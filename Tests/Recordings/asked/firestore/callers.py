"""Whom rules take a caller for: users of tenants and of other projects, and transactions of others.

The rules are not in the recording; its names and answers tell what they ask for.
"""

import dataclasses

from ...steps import IT, Answer, Program, Rpc, Step, create, sign_in, token_of
from ..tenants import OPEN, client, drop, made, of, within
from .words import DOCUMENTS, V1, both, equal, integer, query, string, write

TOKEN = "request.auth.token.firebase.get('tenant', null)"
MINE = "request.auth.uid == resource.data.owner"
RULES = f"""rules_version = '2';
service cloud.firestore {{
  match /databases/{{database}}/documents {{
    match /afc-open/{{id}} {{ allow read; }}
    match /afc-signed-in/{{id}} {{ allow read: if request.auth != null; }}
    match /afc-create/{{id}} {{ allow create: if request.auth != null; }}
    match /afc-owned/{{id}} {{ allow read: if {MINE}; }}
    match /afc-same/{{id}} {{ allow read: if {MINE} && {TOKEN} == resource.data.tenant; }}
  }}
}}"""
NUMBER = {"n": integer(1)}
OWNED = {"owner": string("owner")}
DATA = {"afc-open/d": NUMBER, "afc-signed-in/d": NUMBER, "afc-owned/a": OWNED}
FOREIGN = f"{IT}/v1/accounts:signUp"


def person(uid: str) -> list[Step]:
    email = f"{uid}@example.com"
    account = create(f"create-{uid}", localId=uid, email=email, password="password123")
    return [account, sign_in(uid, email)]


def same(step: str, tenant: str | None) -> list[Step]:
    """One of three accounts with the same uid."""
    account, session = person("same")
    account = dataclasses.replace(account, name=f"create-{step}")
    session = dataclasses.replace(session, name=step)
    return [within(tenant, account), client(tenant, session)] if tenant else [account, session]


TENANTS = [made(label, f"tenant-{label}", **OPEN) for label in ("t1", "t2")]
CALLERS = {"same-project": None, "same-t1": of("t1"), "same-t2": of("t2")}
OWN = {"same-project": "p", "same-t1": "t1", "same-t2": "t2"}
SAME = [
    *TENANTS,
    *(step for name, tenant in CALLERS.items() for step in same(name, tenant)),
    Step(
        "seed",
        "POST",
        f"{V1}:commit",
        "admin",
        {
            "writes": [
                write(
                    f"afc-same/{OWN[name]}",
                    {
                        "owner": string("same"),
                        "tenant": string(tenant) if tenant else {"nullValue": None},
                    },
                )
                for name, tenant in CALLERS.items()
            ]
        },
    ),
]


def caller(name: str) -> str | Answer:
    return "none" if name == "none" else token_of(name)


def rest(name: str, who: str, verb: str, wait: float = 0, **body) -> Step:
    return Step(name, "POST", f"{V1}:{verb}", caller(who), body, wait=wait)


def remote(name: str, who: str, method: str, /, **body) -> Step:
    return Step(name, "POST", "", caller(who), body, rpc=Rpc(method))


def gets(name: str, who: str, path: str, wait: float = 0) -> list[Step]:
    """The same over REST and gRPC, as the next functions too."""
    return [
        Step(f"{name}-rest", "GET", f"{V1}/{path}", caller(who), wait=wait),
        remote(f"{name}-grpc", who, "GetDocument", name=f"{DOCUMENTS}/{path}"),
    ]


def queries(name: str, who: str, structured: dict) -> list[Step]:
    return [
        rest(f"{name}-rest", who, "runQuery", structuredQuery=structured),
        remote(f"{name}-grpc", who, "RunQuery", parent=DOCUMENTS, structuredQuery=structured),
    ]


def batch(name: str, who: str, *paths: str, **more) -> Step:
    return rest(name, who, "batchGet", documents=[f"{DOCUMENTS}/{path}" for path in paths], **more)


DATABASE = DOCUMENTS.removesuffix("/documents")


def remote_batch(name: str, who: str, *paths: str, **more) -> Step:
    names = [f"{DOCUMENTS}/{path}" for path in paths]
    return remote(name, who, "BatchGetDocuments", database=DATABASE, documents=names, **more)


def creates(name: str, who: str) -> list[Step]:
    writes = [
        [write(f"afc-create/{name}-{way}", NUMBER) | {"currentDocument": {"exists": False}}]
        for way in ("rest", "grpc")
    ]
    return [
        rest(f"{name}-rest", who, "commit", writes=writes[0]),
        remote(f"{name}-grpc", who, "Commit", database=DATABASE, writes=writes[1]),
    ]


EVERYBODYS = query("afc-open", select=None)
SIGNED_IN = query("afc-signed-in", None, select=None)
MINE_ALONE = query("afc-owned", equal("owner", string("owner")), select=None)
ABROAD = [
    Step(
        "foreign",
        "POST",
        FOREIGN,
        "none",
        {"returnSecureToken": True},
        {"key": "demo-recordings-foreign"},
    ),
    *person("owner"),
    *gets("foreign-open", "foreign", "afc-open/d"),
    *gets("foreign-signed-in", "foreign", "afc-signed-in/d"),
    *gets("foreign-owned", "foreign", "afc-owned/a"),
    *queries("foreign-query-open", "foreign", EVERYBODYS),
    *gets("same-project-signed-in", "owner", "afc-signed-in/d"),
]
BEGUN = {"transaction": Answer("begin-read-only", "transaction")}
OPENED = {"transaction": Answer("query-opens-read-only", "0.transaction")}
TRANSACTIONS = [
    *person("owner"),
    *person("other"),
    *TENANTS,
    *same("same-t2", of("t2")),
    rest("begin-read-only", "owner", "beginTransaction", options={"readOnly": {}}),
    *(
        step
        for who in ("owner", "other", "same-t2", "none")
        for step in (
            batch(f"batch-get-owned-as-{who}", who, "afc-owned/a", **BEGUN),
            rest(f"query-owned-as-{who}", who, "runQuery", structuredQuery=MINE_ALONE, **BEGUN),
            batch(f"batch-get-open-as-{who}", who, "afc-open/d", **BEGUN),
        )
    ),
    remote_batch("batch-get-owned-as-owner-grpc", "owner", "afc-owned/a", **BEGUN),
    remote_batch("batch-get-owned-as-other-grpc", "other", "afc-owned/a", **BEGUN),
    rest(
        "query-opens-read-only",
        "owner",
        "runQuery",
        structuredQuery=MINE_ALONE,
        newTransaction={"readOnly": {}},
    ),
    *(
        batch(f"batch-get-owned-in-query-transaction-as-{who}", who, "afc-owned/a", **OPENED)
        for who in ("owner", "other")
    ),
]


def after(time: str, wait: float) -> list[Step]:
    return [
        *gets(f"t1-own-doc-{time}", "same-t1", "afc-same/t1", wait),
        *gets(f"t1-signed-in-doc-{time}", "same-t1", "afc-signed-in/d"),
        *gets(f"t1-open-doc-{time}", "same-t1", "afc-open/d"),
        *queries(f"t1-signed-in-query-{time}", "same-t1", SIGNED_IN),
        *creates(f"t1-create-{time}", "same-t1"),
        *gets(f"t2-own-doc-{time}", "same-t2", "afc-same/t2"),
    ]


DELETED = [
    *SAME,
    Step("t1-own-doc-before", "GET", f"{V1}/afc-same/t1", caller("same-t1")),
    drop("delete-t1", of("t1")),
    *after("3s", 1),
    *after("65s", 50),
]


def mine(who: str) -> dict:
    tenant = CALLERS[who]
    nothing = {"unaryFilter": {"op": "IS_NULL", "field": {"fieldPath": "tenant"}}}
    return equal("tenant", string(tenant)) if tenant else nothing


ALL = [f"afc-same/{name}" for name in OWN.values()]
THEIRS = equal("owner", string("same"))
SEPARATION = [
    *SAME,
    *(
        step
        for who in CALLERS
        for name in OWN.values()
        for step in gets(f"get-{name}-as-{who}", who, f"afc-same/{name}")
    ),
    *(
        step
        for who in CALLERS
        for step in (
            batch(f"batch-get-all-as-{who}-rest", who, *ALL),
            remote_batch(f"batch-get-all-as-{who}-grpc", who, *ALL),
        )
    ),
    *(
        step
        for who in CALLERS
        for step in queries(
            f"query-owner-and-tenant-as-{who}",
            who,
            query("afc-same", both(THEIRS, mine(who)), select=None),
        )
    ),
    *(
        step
        for who in CALLERS
        for step in queries(
            f"query-owner-only-as-{who}", who, query("afc-same", THEIRS, select=None)
        )
    ),
]
PROGRAMS = {
    f"auth-fs-cross/{name}": Program(steps, documents=DATA, rules=RULES)
    for name, steps in {
        "foreign-project/token": ABROAD,
        "read-only-transaction/binding": TRANSACTIONS,
        "tenant-same-uid/deleted-tenant": DELETED,
        "tenant-same-uid/separation": SEPARATION,
    }.items()
}
