"""Random names, values and documents, from small pools so that they meet each other."""

import base64
import random

IDS = [
    "a",
    "b",
    "c",
    "d",
    "é",
    "😀",
    "a b",
    "a.b",
    "`",
    "10",
    "9",
    "_x",
    "~",
    "a%b",
    "A",
    "__id7__",
    "__id10__",
]
BAD_IDS = ["__x__", ".", ".."]
COLLECTIONS = ["c", "d", "m n", "é"]
PLAIN_FIELDS = ["a", "b", "n", "s", "l", "m", "v"]
ODD_FIELDS = ["x y", "é", "😀", "a.b", "q`t", "b\\s", "1a", "", "_u", "a" * 40]
NUMBERS = [
    {"integerValue": text}
    for text in (
        "0",
        "1",
        "2",
        "-1",
        "10",
        "9007199254740992",
        "9007199254740993",
        "9223372036854775807",
        "-9223372036854775808",
    )
] + [
    {"doubleValue": number}
    for number in (
        0.0,
        "-0.0",
        0.1,
        0.2,
        0.3,
        1.0,
        1.5,
        -1.5,
        2.0,
        9007199254740992.0,
        1e308,
        -1e308,
        5e-324,
        9.223372036854775807e18,
        "NaN",
        "Infinity",
        "-Infinity",
    )
]
TEXTS = ["", "a", "b", "ab", "A", "é", "e\u0301", "😀", "\uffee", "z", "a\u0000b", "\n", "ß"]
TIMES = [
    "1970-01-01T00:00:00Z",
    "2020-01-01T00:00:00Z",
    "2020-01-01T00:00:00.000001Z",
    "2020-01-01T00:00:00.123456Z",
    "2020-01-01T00:00:00.123456789Z",
    "1969-12-31T23:59:59.999999Z",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999Z",
]
BYTES = [b"", b"\x00", b"a", b"a\x00", b"\xff", b"ab"]
PLACES = [(0, 0), (90, 180), (-90, -180), (1.5, 2.5), (1.5, -2.5), (0, 1e-9)]


class Chance(random.Random):
    """A source of choices that a seed repeats."""

    def of(self, *options):
        """One of some functions or values."""
        chosen = self.choice(options)
        return chosen() if callable(chosen) else chosen

    def rarely(self, share: float = 0.05) -> bool:
        return self.random() < share

    def some(self, options: list, most: int = 3) -> list:
        return [self.choice(options) for _ in range(self.randrange(1, most + 1))]


def numeral(value: dict) -> dict:
    return {"doubleValue": -0.0} if value.get("doubleValue") == "-0.0" else value


def number(chance: Chance) -> dict:
    return numeral(chance.choice(NUMBERS))


def vector(chance: Chance, size: int | None = None) -> dict:
    size = size or chance.choice([1, 2, 3])
    numbers = [{"doubleValue": chance.choice([0.0, 1.0, -1.0, 0.5, 3.0, 4.0])} for _ in range(size)]
    return {
        "mapValue": {
            "fields": {
                "__type__": {"stringValue": "__vector__"},
                "value": {"arrayValue": {"values": numbers}},
            }
        }
    }


def reference(chance: Chance, root: str) -> dict:
    return {"referenceValue": f"{root}/{document_path(chance, odd=False)}"}


def document_path(chance: Chance, depth: int = 0, odd: bool = True) -> str:
    ids = IDS if odd and chance.rarely(0.5) else IDS[:3]
    collections = COLLECTIONS if odd and chance.rarely(0.2) else COLLECTIONS[:2]
    path = f"{chance.choice(collections)}/{chance.choice(ids)}"
    if depth < 2 and chance.rarely(0.25):
        return f"{path}/{document_path(chance, depth + 1, odd)}"
    return path


def value(chance: Chance, root: str, depth: int = 0, in_array: bool = False) -> dict:
    """A value that both servers must accept."""
    kind = chance.randrange(11 if depth < 3 else 8)
    if kind == 0:
        return {"nullValue": None}
    if kind == 1:
        return {"booleanValue": chance.choice([True, False])}
    if kind <= 3:
        return number(chance)
    if kind == 4:
        return {"stringValue": chance.choice(TEXTS)}
    if kind == 5:
        return {"timestampValue": chance.choice(TIMES)}
    if kind == 6:
        return chance.of(
            {"bytesValue": base64.b64encode(chance.choice(BYTES)).decode()}, lambda: place(chance)
        )
    if kind == 7:
        return reference(chance, root)
    if kind == 8 and not in_array:
        return array(chance, root, depth)
    if kind == 9 and not in_array:
        return vector(chance)
    return {"mapValue": {"fields": fields(chance, root, depth + 1, most=3)}}


def place(chance: Chance) -> dict:
    latitude, longitude = chance.choice(PLACES)
    return {"geoPointValue": {"latitude": latitude, "longitude": longitude}}


def array(chance: Chance, root: str, depth: int = 0, most: int = 4) -> dict:
    return {
        "arrayValue": {
            "values": [
                value(chance, root, depth + 1, in_array=True) for _ in range(chance.randrange(most))
            ]
        }
    }


def fields(chance: Chance, root: str, depth: int = 0, most: int = 6) -> dict:
    found = {}
    for _ in range(chance.randrange(most + 1)):
        name = chance.choice(ODD_FIELDS if chance.rarely(0.15) else PLAIN_FIELDS)
        if name == "" or name in found:
            continue
        found[name] = typed(chance, name, root, depth)
    return found


def typed(chance: Chance, name: str, root: str, depth: int) -> dict:
    """Some names mostly hold values of one type, so that queries of it find something."""
    if name == "n" and not chance.rarely(0.2):
        return number(chance)
    if name == "s" and not chance.rarely(0.2):
        return {"stringValue": chance.choice(TEXTS)}
    if name == "l" and depth < 3 and not chance.rarely(0.2):
        return array(chance, root, depth)
    if name == "v" and depth < 3 and not chance.rarely(0.2):
        return vector(chance)
    if name == "m" and depth < 3 and not chance.rarely(0.2):
        return {"mapValue": {"fields": fields(chance, root, depth + 1, most=3)}}
    return value(chance, root, depth)


def quoted(name: str) -> str:
    """A name as a part of a field path."""
    if name.isascii() and name.replace("_", "a").isalnum() and not name[0].isdigit():
        return name
    return "`" + name.replace("\\", "\\\\").replace("`", "\\`") + "`"


def field_path(chance: Chance, odd: float = 0.15) -> str:
    parts = [chance.choice(ODD_FIELDS if chance.rarely(odd) else PLAIN_FIELDS)]
    if parts == ["m"] and chance.rarely(0.7) or chance.rarely(0.1):
        parts.append(chance.choice(PLAIN_FIELDS))
    return ".".join(quoted(part) if part else "a" for part in parts)


BAD_PATHS = [
    "",
    ".",
    "a..b",
    "`",
    "a.",
    "1a",
    "x y",
    "__x__",
    "a.__y__",
    "`a``b`",
    "__name__",
    "a[0]",
]


def bad_value(chance: Chance, root: str) -> dict:
    """A value that at least one server may refuse."""
    return chance.choice(
        [
            {"geoPointValue": {"latitude": 91, "longitude": 0}},
            {"geoPointValue": {"latitude": 0, "longitude": -181}},
            {"arrayValue": {"values": [{"arrayValue": {"values": []}}]}},
            {"arrayValue": {"values": [vector(chance)]}},
            {"mapValue": {"fields": {"__x__": {"nullValue": None}}}},
            {"mapValue": {"fields": {"": {"nullValue": None}}}},
            {"mapValue": {"fields": {"__type__": {"stringValue": "__vector__"}}}},
            {
                "mapValue": {
                    "fields": {
                        "__type__": {"stringValue": "__vector__"},
                        "value": {"arrayValue": {"values": [{"integerValue": "1"}]}},
                    }
                }
            },
            {
                "mapValue": {
                    "fields": {
                        "__type__": {"stringValue": "__vector__"},
                        "value": {"arrayValue": {}},
                    }
                }
            },
            {"referenceValue": "x"},
            {"referenceValue": root},
            {"referenceValue": f"{root}/c"},
            {"referenceValue": "projects/other/databases/(default)/documents/c/a"},
            {"timestampValue": "2020-01-01T00:00:00.1234567Z"},
            nested(25),
            {},
        ]
    )


def large(chance: Chance, root: str) -> dict:
    """A value at one of the bounds of names, paths and operands."""
    text = {"stringValue": "x" * chance.choice([747, 748, 749, 750, 1497, 1498, 1499, 1500, 1501])}
    long = "x" * chance.choice([748, 749, 1490, 1491, 1492, 1497, 1498, 1499, 1500, 1501])
    one = {"integerValue": "1"}
    return chance.choice(
        [
            text,
            {"bytesValue": base64.b64encode(text["stringValue"].encode()).decode()},
            {"arrayValue": {"values": [text, text]}},
            {"arrayValue": {"values": [text]}},
            {"arrayValue": {"values": [one] * chance.choice([187, 188])}},
            {"mapValue": {"fields": {"a": text}}},
            {"mapValue": {"fields": {long: one}}},
            {"mapValue": {"fields": {long: {"mapValue": {"fields": {long: one}}}}}},
            {"mapValue": {"fields": {long: {"mapValue": {}}}}},
            {"mapValue": {"fields": {"": one}}},
            {"arrayValue": {"values": [{"mapValue": {"fields": {long: one}}}]}},
            vector(chance, chance.choice([187, 188])),
            {"referenceValue": f"{root}/c/{long}"},
            {"referenceValue": f"{root}/{long}/a"},
            {"referenceValue": f"{root}/c/{'x' * chance.choice([1481, 1482])}"},
            {"mapValue": {"fields": {"r": {"referenceValue": f"{root}/c/{long}"}}}},
        ]
    )


def nested(depth: int) -> dict:
    found = {"integerValue": "1"}
    for _ in range(depth):
        found = {"mapValue": {"fields": {"m": found}}}
    return found
