"""A grammar of rules expressions: mostly of the right type, sometimes not."""

from .values import Chance

DATA = ["a", "b", "n", "s", "l", "m", "v", "t", "owner", "tags", "none"]
STRINGS = ["'a'", "'b'", "''", "'alice'", "'A b'", "'é'", "'a,b'", "'10'", "'1.5'", '"x"', "'true'"]
INTEGERS = ["0", "1", "2", "3", "-1", "10", "9007199254740993"]
FLOATS = ["0.0", "1.0", "1.5", "-2.5", "2.0"]


def boolean(chance: Chance, depth: int = 0) -> str:
    if depth > 3:
        return chance.choice(["true", "false", "request.auth != null"])
    deeper = depth + 1
    return chance.of(
        lambda: f"({boolean(chance, deeper)} && {boolean(chance, deeper)})",
        lambda: f"({boolean(chance, deeper)} || {boolean(chance, deeper)})",
        lambda: f"!({boolean(chance, deeper)})",
        lambda: comparison(chance, deeper),
        lambda: comparison(chance, deeper),
        lambda: comparison(chance, deeper),
        lambda: membership(chance, deeper),
        lambda: membership(chance, deeper),
        lambda: kind_test(chance, deeper),
        lambda: string_test(chance, deeper),
        lambda: set_test(chance, deeper),
        lambda: document_test(chance, deeper),
        lambda: time_test(chance, deeper),
        lambda: (
            f"({boolean(chance, deeper)} ? {boolean(chance, deeper)} : {boolean(chance, deeper)})"
        ),
        lambda: chance.choice(
            [
                "true",
                "false",
                "resource.data.b",
                "request.auth != null",
                "request.auth.token.admin == true",
                "debug(true)",
            ]
        ),
    )


def comparison(chance: Chance, depth: int) -> str:
    if chance.rarely(0.4):
        return f"{number(chance, depth)} {chance.choice(['==', '!=', '<', '<=', '>', '>='])} {number(chance, depth)}"
    if chance.rarely(0.4):
        return (
            f"{text(chance, depth)} {chance.choice(['==', '!=', '<', '>='])} {text(chance, depth)}"
        )
    return f"{anything(chance, depth)} {chance.choice(['==', '!='])} {anything(chance, depth)}"


def anything(chance: Chance, depth: int) -> str:
    if depth > 4:
        return data(chance)
    return chance.of(
        lambda: number(chance, depth + 1),
        lambda: text(chance, depth + 1),
        lambda: sequence(chance, depth + 1),
        lambda: mapping(chance, depth + 1),
        "null",
        lambda: data(chance),
        lambda: data(chance),
        lambda: moment(chance),
        lambda: f"({boolean(chance, depth + 1)})",
        lambda: chance.choice(
            [
                "request.auth.uid",
                "request.method",
                "request.path[1]",
                "x",
                "d",
                "resource.id",
                "resource.__name__",
                "latlng.value(1, 2)",
                "/databases/(default)/documents/k/a",
                "path('k/a')",
                "b'a'",
                "hashing.md5('a')",
                "duration.value(1, 'h')",
            ]
        ),
    )


def data(chance: Chance) -> str:
    member = chance.choice(DATA)
    return chance.choice(
        [
            f"resource.data.{member}",
            f"resource.data['{member}']",
            f"resource.data.get('{member}', 0)",
            f"resource.data.m.{member}",
            f"resource.data.get(['m', '{member}'], null)",
            "resource.data.l[0]",
        ]
    )


def number(chance: Chance, depth: int) -> str:
    if depth > 4:
        return chance.choice(INTEGERS + FLOATS)
    deeper = depth + 1
    return chance.of(
        lambda: chance.choice(INTEGERS),
        lambda: chance.choice(FLOATS),
        "resource.data.n",
        lambda: f"({number(chance, deeper)} {chance.choice('+-*/%')} {number(chance, deeper)})",
        lambda: f"-({number(chance, deeper)})",
        lambda: f"{text(chance, deeper)}.size()",
        lambda: f"{sequence(chance, deeper)}.size()",
        lambda: f"{mapping(chance, deeper)}.size()",
        lambda: (
            f"math.{chance.choice(['abs', 'ceil', 'floor', 'round', 'sqrt'])}({number(chance, deeper)})"
        ),
        lambda: f"math.pow({number(chance, deeper)}, {number(chance, deeper)})",
        lambda: f"int({anything(chance, deeper)})",
        lambda: f"float({anything(chance, deeper)})",
        lambda: (
            f"{moment(chance)}.{chance.choice(['year', 'month', 'day', 'hours', 'toMillis', 'dayOfWeek'])}()"
        ),
        lambda: f"twice({number(chance, deeper)})",
    )


def text(chance: Chance, depth: int) -> str:
    if depth > 4:
        return chance.choice(STRINGS)
    deeper = depth + 1
    return chance.of(
        lambda: chance.choice(STRINGS),
        lambda: chance.choice(STRINGS),
        "resource.data.s",
        "request.auth.uid",
        "d",
        "request.method",
        "resource.data.owner",
        lambda: f"({text(chance, deeper)} + {text(chance, deeper)})",
        lambda: f"{text(chance, deeper)}.{chance.choice(['lower', 'upper', 'trim'])}()",
        lambda: (
            f"{text(chance, deeper)}.replace({chance.choice(STRINGS)}, {chance.choice(STRINGS)})"
        ),
        lambda: f"{text(chance, deeper)}[{chance.choice(INTEGERS)}]",
        lambda: (
            f"{text(chance, deeper)}[{chance.choice(['0:1', '1:2', '0:0', '1:9', '2:1', '1:', ':1', ':', ':9'])}]"
        ),
        lambda: f"string({anything(chance, deeper)})",
        lambda: f"{sequence(chance, deeper)}.join({chance.choice(STRINGS)})",
    )


def sequence(chance: Chance, depth: int) -> str:
    if depth > 4:
        return chance.choice(["[]", "['a', 'b']", "[1, 2]", "resource.data.l"])
    deeper = depth + 1
    return chance.of(
        lambda: "[" + ", ".join(anything(chance, deeper) for _ in range(chance.randrange(4))) + "]",
        "resource.data.l",
        "resource.data.tags",
        "['a', 'b']",
        "[1, 2]",
        lambda: f"{text(chance, deeper)}.split({chance.choice(STRINGS)})",
        lambda: f"{mapping(chance, deeper)}.{chance.choice(['keys', 'values'])}()",
        lambda: (
            f"{sequence(chance, deeper)}.{chance.choice(['concat', 'removeAll'])}({sequence(chance, deeper)})"
        ),
        lambda: (
            f"{sequence(chance, deeper)}[{chance.choice(['0:1', '0:2', '1:1', '1:9', '1:', ':1', ':', '9:'])}]"
        ),
    )


def mapping(chance: Chance, depth: int) -> str:
    if depth > 4:
        return chance.choice(["{}", "{'a': 1}", "resource.data.m", "resource.data"])
    return chance.of(
        lambda: (
            "{"
            + ", ".join(
                f"'{chance.choice('abc')}': {anything(chance, depth + 1)}"
                for _ in range(chance.randrange(3))
            )
            + "}"
        ),
        "resource.data.m",
        "resource.data",
        "request.auth.token",
        "{'a': 1, 'b': 'x'}",
        "get(/databases/$(database)/documents/k/b).data",
    )


def membership(chance: Chance, depth: int) -> str:
    return chance.of(
        lambda: f"{anything(chance, depth)} in {sequence(chance, depth)}",
        lambda: f"{text(chance, depth)} in {mapping(chance, depth)}",
        lambda: f"{anything(chance, depth)} in {sequence(chance, depth)}.toSet()",
        lambda: f"{anything(chance, depth)} in {anything(chance, depth)}",
    )


def kind_test(chance: Chance, depth: int) -> str:
    kind = chance.choice(
        [
            "bool",
            "int",
            "float",
            "number",
            "string",
            "list",
            "map",
            "timestamp",
            "bytes",
            "duration",
            "latlng",
            "path",
            "set",
        ]
    )
    return f"{anything(chance, depth)} is {kind}"


def string_test(chance: Chance, depth: int) -> str:
    pattern = chance.choice(
        ["'a.*'", "'^a$'", "'[a-z]+'", "'.'", "''", "'(a|b)+'", "'a{2}'", "'\\\\d+'"]
    )
    if chance.rarely(0.02):
        pattern = "'['"
    return f"{text(chance, depth)}.matches({pattern})"


def set_test(chance: Chance, depth: int) -> str:
    name = chance.choice(["hasAll", "hasAny", "hasOnly"])
    return chance.of(
        lambda: f"{sequence(chance, depth)}.{name}({sequence(chance, depth)})",
        lambda: f"{sequence(chance, depth)}.toSet().{name}({sequence(chance, depth)}.toSet())",
        lambda: (
            f"{sequence(chance, depth)}.toSet().{chance.choice(['union', 'intersection', 'difference'])}"
            f"({sequence(chance, depth)}.toSet()).size() == {chance.choice(INTEGERS)}"
        ),
        lambda: (
            f"{mapping(chance, depth)}.diff({mapping(chance, depth)})."
            f"{chance.choice(['addedKeys', 'removedKeys', 'changedKeys', 'affectedKeys', 'unchangedKeys'])}()"
            f".{name}({sequence(chance, depth)})"
        ),
    )


def document_test(chance: Chance, depth: int) -> str:
    place = f"/databases/$(database)/documents/k/{chance.choice(['a', 'b', 'none', '$(d)', '$(resource.data.s)'])}"
    return chance.of(
        f"exists({place})",
        f"get({place}).data.n == {chance.choice(INTEGERS)}",
        f"get({place}).id == 'b'",
        f"get({place}) != null",
        f"get({place}).data.get('s', 'x') == 'a'",
    )


def moment(chance: Chance) -> str:
    return chance.choice(
        [
            "resource.data.t",
            "timestamp.date(2020, 1, 2)",
            "timestamp.value(1000)",
            "timestamp.value(1577836800000)",
        ]
    )


def time_test(chance: Chance, depth: int) -> str:
    return chance.of(
        lambda: f"{moment(chance)} < {moment(chance)}",
        lambda: (
            f"{moment(chance)} + duration.value({chance.choice(INTEGERS[:5])}, 'd') == {moment(chance)}"
        ),
        "request.time > timestamp.date(2020, 1, 1)",
        lambda: f"duration.time(1, 2, 3, 4) > duration.value({chance.choice(INTEGERS[:5])}, 'h')",
        "latlng.value(0, 0).distance(latlng.value(1, 1)) > 1000",
        "resource.data.t.date() == resource.data.t",
    )


MUTATIONS = [
    ";",
    ",",
    "}",
    "{",
    "(",
    ")",
    "'",
    "&&",
    "==",
    "if",
    "allow",
    "match",
    "return",
    "//",
    "/*",
    "\\",
    "$",
    "1e3",
    ".5",
    "1.",
    "function",
    "let x = 1;",
    "is",
    "in",
    "null",
    "é",
    "\u00a0",
    "@",
]


def mutated(chance: Chance, text: str) -> str:
    """The text with one or two small faults, of which some do not matter."""
    for _ in range(chance.choice([1, 1, 2])):
        at = chance.randrange(len(text))
        text = text[:at] + chance.of(
            lambda: text[at + 1 :],
            lambda: chance.choice(MUTATIONS) + text[at:],
            lambda: " " + text[at:],
            lambda: text[at : at + 5] + text[at:],
        )
    return text
