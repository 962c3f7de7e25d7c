"""Random values, documents and queries."""

from support.server import PROJECT

TEXTS = [
    "",
    "a@b.c",
    "A@B.C",
    "secret1",
    "x" * 5000,
    "é𝄞\u0000\n",
    "{",
    "{}",
    "[]",
    '{"sub":"1"}',
    "null",
    "PASSWORD_RESET",
    "EMAIL_SIGNIN",
    "VERIFY_EMAIL",
    "+15555550100",
    "google.com",
    "0",
    "-1",
    "9" * 30,
    "1e400",
    "http://localhost",
    "mailto:x",
    "javascript:alert(1)",
    "../../etc",
    "' OR 1=1 --",
    "%00%ff",
    "eyJhbGciOiJub25lIn0.e30.",
    "a.b.c",
    "..",
    "eyJhbGciOiJub25lIn0..",
    "refresh_token",
    "demo-other",
]
DOCUMENTS = f"/v1/projects/{PROJECT}/databases/(default)/documents"
NAME = DOCUMENTS.removeprefix("/v1/")
IDS = ["a", "b", "c%2Fd", "%00", "..", "__id7__", "__x__", "%C3%A9", "", "x" * 1501, "%f0%9f%98%80"]
FIELDS = ["a", "a.b", "`a b`", "__name__", "", ".", "a..b", "`", "\u00e9", "a" * 1501]
OPS = [
    "EQUAL",
    "NOT_EQUAL",
    "LESS_THAN",
    "GREATER_THAN_OR_EQUAL",
    "ARRAY_CONTAINS",
    "IN",
    "NOT_IN",
    "ARRAY_CONTAINS_ANY",
    "IS_NAN",
    "AND",
    "NOTHING",
]
RULES = (
    "rules_version = '2'; service cloud.firestore { match /databases/{d}/documents { "
    "function f(x) { let y = x.size(); return y > 1 && 'a' in x; } match /c/{id=**} { "
    "allow read: if f(request.auth.uid) || resource.data.get('a', [1, 2.5])[0] != null; } } }"
)


def field_value(chance, depth=0):
    inner = depth < 3
    return chance.choice(
        [
            lambda: {
                "integerValue": chance.choice(["1", "-9223372036854775808", "9" * 30, 1, "x"])
            },
            lambda: {"doubleValue": chance.choice([0.5, "NaN", "-Infinity", -0.0, 1e308, "x"])},
            lambda: {"stringValue": chance.choice(TEXTS)},
            lambda: {"nullValue": None},
            lambda: {"booleanValue": chance.choice([True, "true"])},
            lambda: {
                "timestampValue": chance.choice(["2026-01-01T00:00:00.123456789Z", "x", "0001"])
            },
            lambda: {"bytesValue": chance.choice(["AAA=", "!"])},
            lambda: {"referenceValue": f"{NAME}/c/{chance.choice(IDS)}"},
            lambda: {"geoPointValue": {"latitude": chance.choice([1, 91, "x"]), "longitude": -180}},
            lambda: {"arrayValue": {"values": [field_value(chance, depth + 1)] if inner else []}},
            lambda: {"mapValue": {"fields": fields(chance, depth + 1) if inner else {}}},
            dict,
            list,
            lambda: {"integerValue": "1", "stringValue": "2"},
        ]
    )()


def fields(chance, depth=0):
    return {chance.choice(FIELDS): field_value(chance, depth) for _ in range(chance.randrange(3))}


def condition(chance, depth=0):
    if depth < 3 and chance.random() < 0.3:
        return {
            "compositeFilter": {
                "op": chance.choice(["AND", "OR", "X"]),
                "filters": [condition(chance, depth + 1) for _ in range(chance.randrange(3))],
            }
        }
    if chance.random() < 0.2:
        return {
            "unaryFilter": {
                "field": {"fieldPath": chance.choice(FIELDS)},
                "op": chance.choice(["IS_NAN", "IS_NULL", "IS_NOT_NULL", "X"]),
            }
        }
    return {
        "fieldFilter": {
            "field": {"fieldPath": chance.choice(FIELDS)},
            "op": chance.choice(OPS),
            "value": field_value(chance),
        }
    }


def structured(chance):
    members = {
        "from": [
            {
                "collectionId": chance.choice(["c", "", "a/b", "__x__"]),
                "allDescendants": chance.random() < 0.3,
            }
        ],
        "where": condition(chance),
        "limit": chance.choice([1, 0, -1, "x", {"value": 1}]),
        "orderBy": [
            {
                "field": {"fieldPath": chance.choice(FIELDS)},
                "direction": chance.choice(["ASCENDING", "DESCENDING", "X"]),
            }
        ],
        "startAt": {"values": [field_value(chance)], "before": True},
        "endAt": {"values": [field_value(chance), field_value(chance)]},
        "offset": chance.choice([1, -1, 2**40]),
        "select": {"fields": [{"fieldPath": chance.choice(FIELDS)}]},
        "findNearest": {
            "vectorField": {"fieldPath": "v"},
            "limit": chance.choice([1, 0, 2000]),
            "queryVector": field_value(chance),
            "distanceMeasure": "EUCLIDEAN",
        },
    }
    return {name: members[name] for name in members if name == "from" or chance.random() < 0.25}


def written(chance):
    name = f"{NAME}/c/{chance.choice(IDS)}"
    return chance.choice(
        [
            {"update": {"name": name, "fields": fields(chance)}},
            {"delete": name},
            {"verify": name},
            {
                "update": {"name": name, "fields": fields(chance)},
                "updateMask": {"fieldPaths": [chance.choice(FIELDS)]},
            },
            {
                "update": {"name": name},
                "updateTransforms": [
                    {
                        "fieldPath": chance.choice(FIELDS),
                        chance.choice(
                            ["increment", "maximum", "setToServerValue", "appendMissingElements"]
                        ): chance.choice(
                            [field_value(chance), "REQUEST_TIME", {"values": [field_value(chance)]}]
                        ),
                    }
                ],
            },
            {"delete": name, "currentDocument": {"exists": chance.choice([True, False, "x"])}},
            {},
        ]
    )
