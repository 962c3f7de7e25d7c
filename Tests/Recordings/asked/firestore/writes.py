"""Preconditions, masks, transforms and lists, as the matrix of three servers asked them."""

from ...steps import Answer, Program, Step
from .matrix import commit, get
from .words import (
    DOCUMENTS,
    NAN,
    ONE,
    TWO,
    V1,
    array,
    double,
    integer,
    integers,
    mapped,
    string,
    write,
)


def put(name: str, path: str, fields: dict, mask: list | None = None, **current) -> Step:
    """Writes a document, with a mask of its fields and a precondition."""
    given = write(f"wr/{path}", fields)
    given |= {"updateMask": {"fieldPaths": mask}} if mask else {}
    return commit(name, given | ({"currentDocument": current} if current else {}))


def remove(name: str, path: str, **current) -> Step:
    given = {"delete": f"{DOCUMENTS}/wr/{path}"}
    return commit(name, given | ({"currentDocument": current} if current else {}))


def verify(name: str, path: str) -> Step:
    return commit(name, {"verify": f"{DOCUMENTS}/wr/{path}", "currentDocument": {"exists": True}})


def patch(name: str, **query) -> Step:
    return Step(name, "PATCH", f"{V1}/wr/patched", "admin", {"fields": {"a": ONE}}, query)


def create(name: str, **query) -> Step:
    return Step(name, "POST", f"{V1}/wr", "admin", {"fields": {"a": ONE}}, query)


def delete(name: str, **query) -> Step:
    return Step(name, "DELETE", f"{V1}/wr/created", "admin", query=query)


CONDITIONS = [
    put("create-with-exists-false", "new", {"a": ONE}, exists=False),
    put("create-again-is-already-exists", "new", {"a": ONE}, exists=False),
    put("update-missing-with-exists-true", "none", {"a": ONE}, exists=True),
    put(
        "mask-sets-and-deletes",
        "existing",
        {"b": TWO, "nested": mapped(keep=string("k2"))},
        ["b", "nested.keep", "nested.drop"],
    ),
    get("read-after-mask", "wr/existing"),
    put("mask-on-missing-document-creates-it", "masked-new", {"a": ONE, "b": ONE}, ["a"]),
    get("read-masked-new", "wr/masked-new"),
    put("mask-naming-an-absent-field-deletes-it", "existing", {}, ["b"]),
    get("read-after-delete-by-mask", "wr/existing"),
    put("replace-without-mask", "existing", {"only": {"booleanValue": True}}),
    get("read-after-replace", "wr/existing"),
    put(
        "update-time-precondition-matches",
        "existing",
        {"only": ONE},
        updateTime=Answer("read-after-replace", "updateTime"),
    ),
    put(
        "update-time-precondition-is-stale",
        "existing",
        {"only": TWO},
        updateTime=Answer("read-after-replace", "updateTime"),
    ),
    put(
        "update-time-precondition-on-a-missing-document",
        "none",
        {"a": ONE},
        updateTime="2020-01-01T00:00:00Z",
    ),
    remove("delete-missing-is-ok", "none"),
    remove("delete-missing-with-exists-true", "none", exists=True),
    commit(
        "atomic-failure-writes-nothing",
        write("wr/atomic-1", {"a": ONE}),
        write("wr/none", {"a": ONE}) | {"currentDocument": {"exists": True}},
    ),
    get("atomic-1-is-absent", "wr/atomic-1"),
    commit(
        "same-document-twice-in-one-commit",
        write("wr/twice", {"a": ONE, "b": ONE}),
        write("wr/twice", {"a": TWO}) | {"updateMask": {"fieldPaths": ["a"]}},
    ),
    get("read-twice", "wr/twice"),
    commit("empty-commit"),
    verify("verify-write", "existing"),
    verify("verify-missing", "none"),
    put("no-op-set-keeps-update-time", "twice", {"a": TWO, "b": ONE}),
    get("read-after-no-op", "wr/twice"),
    patch(
        "patch-with-mask-and-exists-precondition-on-missing",
        **{"updateMask.fieldPaths": "a", "currentDocument.exists": "true"},
    ),
    patch("patch-creates"),
    get("read-patched", "wr/patched"),
    create("create-document", documentId="created"),
    create("create-document-again", documentId="created"),
    create("create-document-with-generated-id"),
    delete("delete-document"),
    delete("delete-document-again"),
    delete("delete-with-exists-precondition", **{"currentDocument.exists": "true"}),
]
INCREMENTS = [
    {"fieldPath": "at", "setToServerValue": "REQUEST_TIME"},
    {"fieldPath": "n", "increment": TWO},
    {"fieldPath": "d", "increment": ONE},
    {"fieldPath": "s", "increment": ONE},
    {"fieldPath": "missing", "increment": double(0.5)},
    {"fieldPath": "m.inner", "increment": integer(-5)},
]
LISTS = [
    {"fieldPath": "tags", "appendMissingElements": array(string("a"), string("b"))["arrayValue"]},
    {"fieldPath": "tags", "removeAllFromArray": integers(1)["arrayValue"]},
    {"fieldPath": "s", "appendMissingElements": array(string("x"))["arrayValue"]},
]
CREATED = [
    {"fieldPath": "count", "increment": ONE},
    {"fieldPath": "at", "setToServerValue": "REQUEST_TIME"},
]


def transform(name: str, path: str, *transforms: dict, **more) -> Step:
    given = {"document": f"{DOCUMENTS}/tf/{path}", "fieldTransforms": list(transforms)}
    return commit(name, {"transform": given} | more)


def by(value: dict, path: str = "n") -> dict:
    return {"fieldPath": path, "increment": value}


TRANSFORMS = [
    transform("server-timestamp-and-increments", "doc", *INCREMENTS),
    get("read-after-increments", "tf/doc"),
    transform("maximum-and-minimum", "doc", {"fieldPath": "max-missing", "maximum": ONE}),
    get("read-after-max-min", "tf/doc"),
    transform("array-transforms", "doc", *LISTS),
    get("read-after-array-transforms", "tf/doc"),
    transform("transform-only-write-creates", "created", *CREATED),
    get("read-transform-created", "tf/created"),
    transform(
        "transform-write-with-exists-precondition",
        "none",
        by(ONE),
        currentDocument={"exists": True},
    ),
    transform("increment-with-non-numeric-operand", "doc", by(string("1"))),
    commit(
        "server-timestamp-on-a-delete",
        {"delete": f"{DOCUMENTS}/tf/doc", "updateTransforms": INCREMENTS[:1]},
    ),
    commit(
        "set-and-transform-same-field",
        write("tf/doc", {"n": integer(1000)})
        | {"updateMask": {"fieldPaths": ["n"]}, "updateTransforms": [by(ONE)]},
    ),
    get("read-set-and-transform", "tf/doc"),
    transform("integer-increment-saturates", "sat", by(integer(10))),
    get("read-saturated", "tf/sat"),
    transform("increment-on-nan", "nan", by(ONE)),
    transform("two-transforms-on-one-field-in-one-write", "dup", by(ONE), by(ONE)),
    get("read-dup", "tf/dup"),
]
CHANGED = {
    "n": ONE,
    "d": double(1.5),
    "s": string("text"),
    "tags": array(string("a"), ONE),
    "m": mapped(inner=integer(0)),
}
PROGRAMS = {
    "writes/preconditions-and-masks": Program(
        CONDITIONS,
        documents={
            "wr/existing": {
                "a": ONE,
                "b": ONE,
                "nested": mapped(keep=string("k"), drop=string("d")),
            }
        },
    ),
    "writes/transforms": Program(
        TRANSFORMS,
        documents={
            "tf/doc": CHANGED,
            "tf/sat": {"n": integer(2**63 - 2)},
            "tf/nan": {"n": NAN},
            "tf/dup": {"n": ONE},
        },
    ),
}
