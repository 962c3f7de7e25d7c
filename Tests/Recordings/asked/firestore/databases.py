"""Databases, as the Admin API makes, changes and deletes them."""

import dataclasses

from ...steps import Answer, Program, Step
from .words import ONE, integer

V1 = "/v1/projects/<project>/databases"
NATIVE = {"type": "FIRESTORE_NATIVE", "locationId": "us-central1"}
A, B, C, Z = (f"<db:{letter}>" for letter in "abcz")
DEFAULT = "(default)"
PROTECTED = {"deleteProtectionState": "DELETE_PROTECTION_ENABLED"}
UNPROTECTED = {"deleteProtectionState": "DELETE_PROTECTION_DISABLED"}
# Seconds until the id of a deleted database can be used again.
REUSE_AFTER = 300
OPTIMISTIC = {"concurrencyMode": "OPTIMISTIC"}
DATASTORE = {"type": "DATASTORE_MODE"}
# Operations of Hearth are done at once.
DONE = ("done",)
BULK_DONE = (
    DONE
    + tuple(
        f"metadata.{name}"
        for name in ("endTime", "operationState", "progressBytes", "progressDocuments")
    )
    + ("response",)
)
# The default database of the recorded project is older than the run.
OLDER = ("createTime", "updateTime")


def create(name: str, database: str | None = A, wait: float = 0, **members) -> Step:
    """`members` whose value is None are left out."""
    body = {member: value for member, value in (NATIVE | members).items() if value is not None}
    query = {} if database is None else {"databaseId": database}
    return Step(name, "POST", V1, "admin", body, query, wait=wait)


def get(name: str, path: str = A, left_out: tuple[str, ...] = (), **query) -> Step:
    return Step(name, "GET", f"{V1}/{path}", "admin", query=query, left_out=left_out)


def delete(name: str, database: str = A, left_out: tuple[str, ...] = (), **query) -> Step:
    left_out += DONE
    return Step(name, "DELETE", f"{V1}/{database}", "admin", query=query, left_out=left_out)


def patch(name: str, mask: str | None, database: str = A, **members) -> Step:
    query = {"updateMask": mask} if mask else {}
    return Step(name, "PATCH", f"{V1}/{database}", "admin", members, query)


def post(name: str, path: str, /, **body) -> Step:
    return Step(name, "POST", f"{V1}/{path}", "admin", body)


def listing(name: str, default: int, **query) -> Step:
    """`default`: where the default database is in the list."""
    left_out = tuple(f"databases.{default}.{time}" for time in OLDER)
    return Step(name, "GET", V1, "admin", query=query, left_out=left_out)


def operation(name: str, step: str) -> Step:
    return get(name, f"{A}/operations/<tenant:{step}>")


def seed(name: str, database: str = A, **documents: dict) -> Step:
    """Documents by path, with `__` for a slash."""
    root = f"projects/<project>/databases/{database}/documents"
    writes = [
        {"update": {"name": f"{root}/{path.replace('__', '/')}", "fields": fields}}
        for path, fields in documents.items()
    ]
    return post(name, f"{database}/documents:commit", writes=writes)


BULK = [
    create("create-database"),
    seed(
        "seed",
        items__a={"a": ONE},
        items__b={"a": ONE, "b": integer(3), "nx": integer(6)},
        other__c={"a": ONE},
    ),
    post("empty-filter", f"{A}:bulkDeleteDocuments"),
    dataclasses.replace(
        post("collections", f"{A}:bulkDeleteDocuments", collectionIds=["other"]), left_out=BULK_DONE
    ),
    operation("operation", "collections"),
    get("deleted-document", f"{A}/documents/other/c"),
    get("kept-document", f"{A}/documents/items/b"),
    post("missing-database", f"{Z}:bulkDeleteDocuments", collectionIds=["other"]),
]
BASIC = [create("create"), operation("operation", "create"), get("get"), create("duplicate")]
REUSE = [
    create("create"),
    delete("delete"),
    get("get-deleted"),
    create("recreate"),
    get("get-after"),
]
KEY = "projects/<project>/locations/us-central1/keyRings/ring/cryptoKeys/key"
REFUSALS = [
    create("bad-id", "Bad_Id"),
    create("too-short", "abc"),
    create("too-long", "a" * 64),
    create("leading-dash", "-abcd"),
    create("no-id", None),
    create("no-location", locationId=None),
    create("no-type", type=None),
    create("unknown-location", locationId="nowhere-1"),
    create("unknown-edition", databaseEdition="PREMIUM"),
    create("unknown-type", type="SPANNER"),
    create("customer-managed-key", cmekConfig={"kmsKeyName": KEY}),
    create("tags", tags={"key": "value"}),
    create("unknown-concurrency", concurrencyMode="NOPE"),
]
VARIANTS = [
    create("datastore-mode", **DATASTORE),
    create("enterprise", B, databaseEdition="ENTERPRISE"),
    create("multi-region-optimistic-protected", C, locationId="nam5", **OPTIMISTIC, **PROTECTED),
    get("get-datastore-mode"),
    get("get-enterprise", B),
    get("get-multi-region", C),
]
DELETION = [
    create("create"),
    seed("seed", items__a={"a": ONE}),
    delete("delete"),
    operation("operation", "delete"),
    get("get-after"),
    listing("list-show-deleted", 1, showDeleted="true"),
    listing("list-after", 0),
    get("document-after", f"{A}/documents/items/a"),
    delete("delete-again"),
    delete("delete-missing", Z),
]
PROTECTION = [
    create("create", **PROTECTED),
    delete("delete-protected"),
    get("get"),
    patch("unprotect", "deleteProtectionState", **UNPROTECTED),
    delete("delete-stale-etag", etag=Answer("get", "etag")),
    delete("delete-malformed-etag", etag="***"),
    delete("delete"),
]
CHANGES = [
    create("create"),
    patch("protect", "deleteProtectionState", **PROTECTED),
    patch(
        "unprotect-and-optimistic",
        "deleteProtectionState,concurrencyMode",
        **UNPROTECTED,
        **OPTIMISTIC,
    ),
    patch("no-mask", None, concurrencyMode="PESSIMISTIC"),
    get("get"),
    patch("location", "locationId", locationId="europe-west1"),
    patch("type", "type", **DATASTORE),
    patch("edition", "databaseEdition", databaseEdition="ENTERPRISE"),
    patch("unknown-mask", "nope"),
    patch("missing", "deleteProtectionState", Z, **PROTECTED),
    create("create-nonempty", B),
    seed("seed-nonempty", B, items__a={"a": ONE}),
    patch("type-nonempty", "type", B, **DATASTORE),
]
MODES = [
    create("create-datastore", **DATASTORE),
    create("create-enterprise", B, databaseEdition="ENTERPRISE"),
    get("datastore-get-document", f"{A}/documents/c/d"),
    seed("datastore-commit", c__d={"a": ONE}),
    post(
        "datastore-query",
        f"{A}/documents:runQuery",
        structuredQuery={"from": [{"collectionId": "c"}]},
    ),
    get("enterprise-get-document", f"{B}/documents/c/d"),
    seed("enterprise-commit", B, c__d={"a": ONE}),
    get("datastore-list-indexes", f"{A}/collectionGroups/-/indexes"),
    get("enterprise-list-indexes", f"{B}/collectionGroups/-/indexes"),
]
ENTERPRISE = [
    create("create"),
    get("change-streams-list", f"{A}/changeStreams"),
    get("change-streams-get", f"{A}/changeStreams/stream"),
    post("change-streams-create", f"{A}/changeStreams"),
    get("user-creds-list", f"{A}/userCreds"),
    get("user-creds-get", f"{A}/userCreds/user"),
    post("user-creds-create", f"{A}/userCreds"),
]
SHOWN = [
    get("get-default", DEFAULT, OLDER),
    create("create"),
    get("get-named"),
    listing("list", 1),
    listing("list-show-deleted-false", 1, showDeleted="false"),
    get("get-missing", Z),
]
USUAL = [
    get("get-before", DEFAULT, OLDER),
    delete("delete", DEFAULT, tuple(f"response.{time}" for time in OLDER)),
    get("absent", DEFAULT),
    get("document-without-default", f"{DEFAULT}/documents/c/d"),
    post(
        "query-without-default",
        f"{DEFAULT}/documents:runQuery",
        structuredQuery={"from": [{"collectionId": "c"}]},
    ),
    Step("list-without-default", "GET", V1, "admin"),
    create("recreate", DEFAULT, wait=REUSE_AFTER),
    get("get-after", DEFAULT),
    get("document-after", f"{DEFAULT}/documents/c/d"),
]

PROGRAMS = {
    f"fs-config/{name}": Program(steps)
    for name, steps in {
        "bulk-delete/collections": BULK,
        "database/create/basic": BASIC,
        "database/create/id-reuse": REUSE,
        "database/create/refusals": REFUSALS,
        "database/create/variants": VARIANTS,
        "database/delete/basic": DELETION,
        "database/delete/protection-and-etag": PROTECTION,
        "database/mode-gating/datastore-and-enterprise": MODES,
        "database/mode-gating/enterprise-only-apis": ENTERPRISE,
        "database/patch/fields": CHANGES,
        "database/projection/default-and-named": SHOWN,
        "default-database/lifecycle": USUAL,
    }.items()
}
