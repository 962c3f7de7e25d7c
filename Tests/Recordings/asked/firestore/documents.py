"""The documents and the indexes that the recorded queries met.

The recordings have no writes: what is here gives the recorded answers, and where whole documents were answered, those.
"""

from .words import (
    FALSE,
    NAN,
    NULL,
    ONE,
    TRUE,
    TWO,
    array,
    double,
    integer,
    integers,
    mapped,
    place,
    raw,
    reference,
    stamp,
    string,
    vector,
)

# Ten documents in which a field of each kind goes up with the number.
NUMBERS = {
    f"qn/d{i}": {
        "n": integer(i),
        "g": string("odd" if i % 2 else "even"),
        "h": integer(i % 3),
        "s": string(chr(ord("j") - i)),
        "d": double(i / 2),
        "t": stamp(f"2020-01-{i + 1:02}T00:00:00Z"),
        "nested": mapped(a=integer(i % 2), b=mapped(c=integer(i))),
        "tags": integers(i % 3, (i + 1) % 3),
        **({"opt": integer(i)} if i % 4 else {}),
    }
    for i in range(10)
}
# Six documents with composite indexes.
INDEXED = {
    f"qx/x{i}": {
        "a": integer(i % 2),
        "b": integer(i % 3),
        "c": integer(i),
        "d": integer(i),
        "s": string(f"s{i}"),
        "nx": integer(i),
        "tags": integers(i % 2),
    }
    for i in range(6)
}
# Values of all types, in the order of their numbers.
VALUES = {
    "null": NULL,
    "false": FALSE,
    "true": TRUE,
    "nan": NAN,
    "neg-inf": double("-Infinity"),
    "neg-big": integer(-(2**63)),
    "neg-one": integer(-1),
    "neg-half": double(-0.5),
    "zero": integer(0),
    "neg-zero": double(-0.0),
    "zero-double": double(0.0),
    "one": ONE,
    "one-double": double(1.0),
    "one-half": double(1.5),
    "two-53-plus-one": integer(2**53 + 1),
    "two-53-double": double(float(2**53)),
    "max-int": integer(2**63 - 1),
    "pos-inf": double("Infinity"),
    "ts-epoch": stamp("1970-01-01T00:00:00Z"),
    "ts-2020": stamp("2020-01-01T00:00:00Z"),
    "ts-2020-micro": stamp("2020-01-01T00:00:00.000001Z"),
    "str-empty": string(""),
    "str-a": string("a"),
    "str-aa": string("aa"),
    "str-b": string("b"),
    "str-upper-b": string("B"),
    "str-e-acute": string("é"),
    "str-emoji": string("😀"),
    "str-bmp-high": string("\uff5e"),
    "bytes-empty": raw(""),
    "bytes-01": raw("AQ=="),
    "bytes-0102": raw("AQI="),
    "bytes-ff": raw("/w=="),
    "ref-a": reference("qv/a"),
    "ref-b": reference("qv/b"),
    "ref-sub": reference("qv/a/sub/c"),
    "geo-origin": place(0, 0),
    "geo-lat": place(1, 0),
    "geo-lng": place(0, 1),
    "arr-empty": array(),
    "arr-1": array(ONE),
    "arr-1-2": array(ONE, TWO),
    "arr-2": array(TWO),
    "arr-a": array(string("a")),
    "arr-null": array(NULL),
    "arr-nan": array(NAN),
    "arr-map": array(mapped(a=ONE)),
    "vec-2": vector(1, 2),
    "vec-3": vector(1, 2, 3),
    "map-empty": mapped(),
    "map-a1": mapped(a=ONE),
    "map-a1-b2": mapped(a=ONE, b=TWO),
    "map-a2": mapped(a=TWO),
    "map-b0": mapped(b=integer(0)),
}
TYPED = {
    f"qv/{name}": {
        "n": integer(i),
        "tags": array(string("odd" if i % 2 else "even"), integer(i % 3)),
        "m": mapped(
            k=integer(i % 4), r=double(i / 2), deep=mapped(x=string("z" if i % 2 else "y"))
        ),
        "a.b": integer(i % 5),
        "x y": string(f"s{i % 3}"),
        "v": value,
    }
    for i, (name, value) in enumerate(VALUES.items())
} | {"qv/missing": {"n": integer(len(VALUES))}}
# A collection group on several levels, and another one beside it.
GROUP = {
    path: {"n": integer(n), **({"k": string(k)} if k else {})}
    for path, n, k in (
        ("qg/top1", 1, "top"),
        ("qg/top2", 2, "top"),
        ("qroot/r1", 0, ""),
        ("qroot/r1/qg/c1", 3, "r1"),
        ("qroot/r1/qg/c2", 4, "r1"),
        ("qroot/r2/qg/c3", 5, "r2"),
        ("qroot/r1/sub/s1/qg/d1", 6, "deep"),
        ("qroot/r3/qg/c4", 7, "r3"),
        ("qgx/x1", 8, ""),
        ("qroot/r1/qgx/x2", 9, ""),
        ("qroot/r1/qg/c1/qg/e1", 10, "nested"),
    )
}
OVERRIDES = {
    "qcg/y0": {"a": integer(0), "b": ONE},
    "qcg/y1": {"a": ONE, "b": ONE},
    "qroot/r1/qcg/y2": {"a": integer(0), "b": TWO},
    "items/i1": {"n": ONE},
    "qroot/r1/items/i2": {"n": TWO},
    "pk/p1": {"a": ONE},
}
# Numbers of all kinds to add up; one document has none.
ADDED = {
    "qa/a0": {"n": ONE, "d": double(0.5), "mix": ONE, "big": integer(2**63 - 1), "k": string("x")},
    "qa/a1": {"n": TWO, "d": NAN, "mix": double(2.5), "big": ONE, "k": string("x")},
    "qa/a2": {"n": integer(3), "d": double(1.5), "mix": string("no"), "k": string("y")},
    "qa/a3": {"n": integer(-1), "d": double(2.0), "mix": NULL, "m": mapped(x=double(2.25))},
    "qa/a4": {"n": integer(0), "d": double("Infinity"), "neg": double("-Infinity")},
    "qa/a5": {"n": integer(0), "d": double(0.0)},
    "qa/a6": {"other": ONE},
}
LIMITS = {
    f"ql/d{i}": {f"f{i}": integer(i), "n": integer(i), "tags": integers(i)} for i in range(30)
}
VECTORS = {
    f"qvec/v{i}": {"n": integer(i), "color": string(color), "emb": vector(*numbers)}
    for i, color, numbers in (
        (1, "red", (1, 0, 0)),
        (2, "blue", (0, 1, 0)),
        (3, "red", (0, 0, 1)),
        (4, "blue", (1, 1, 0)),
        (5, "red", (-1, 0, 0)),
        (9, "blue", (0, 0, 0)),
        (10, "green", (2, 0, 0)),
        (11, "green", (0.5, 0.5, 0.5)),
    )
}
VECTORS["qvec/v10"]["dist"] = integer(99)
VECTORS["qvec/v11"]["emb2"] = vector(1, 1, 1)


# MARK: Indexes


def composite(collection: str, *fields: str, scope: str = "COLLECTION") -> dict:
    """A field with a minus before it is descending, one with a colon contains."""
    return {"collectionGroup": collection, "queryScope": scope, "fields": [*map(part, fields)]}


def part(name: str) -> dict:
    if name[0] == ":":
        return {"fieldPath": name[1:], "arrayConfig": "CONTAINS"}
    if name[0] == "-":
        return {"fieldPath": name[1:], "order": "DESCENDING"}
    if name == "emb":
        return {"fieldPath": name, "vectorConfig": {"dimension": 3, "flat": {}}}
    return {"fieldPath": name, "order": "ASCENDING"}


def override(collection: str, path: str, *orders: str) -> dict:
    """An override with indexes of the collection group alone."""
    indexes = [{"order": order, "queryScope": "COLLECTION_GROUP"} for order in orders]
    return {"collectionGroup": collection, "fieldPath": path, "indexes": indexes}


INDEXES = {
    "indexes": [
        composite("qn", "g", "n"),
        composite("qn", "g", "-n"),
        composite("qn", "h", "n"),
        composite("qn", "n", "-__name__"),
        composite("qx", "a", "b"),
        composite("qx", "a", "c"),
        composite("qx", "b", "c"),
        composite("qx", ":tags", "b"),
        composite("ord", "-__name__"),
        composite("qcg", "a", "b", scope="COLLECTION_GROUP"),
        composite("qvec", "emb"),
        composite("qvec", "color", "emb"),
    ],
    "fieldOverrides": [
        override("items", "n", "ASCENDING"),
        override("qg", "k", "ASCENDING", "DESCENDING"),
        override("pk", "*"),
        override("qx", "nx"),
    ],
}
