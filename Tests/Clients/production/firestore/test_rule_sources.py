"""Which sources of rules production compiles (R72 to R78). What is refused was recorded without words."""

import pytest
from support.firestore.end_users import publish, source
from support.firestore.project import Firestore


@pytest.fixture
def base(hearth):
    base = Firestore(hearth)
    yield base
    base.close()


def allow(condition: str, before: str = "") -> str:
    return source(f"{before} match /c/{{d}} {{ allow read: if {condition}; }}")


def function(parameters: int) -> str:
    names = ", ".join(f"p{number}" for number in range(parameters))
    return f"function f({names}) {{ return true; }}"


def variables(count: int) -> str:
    lines = " ".join(f"let v{number} = {number};" for number in range(count))
    return f"function f() {{ {lines} return true; }}"


def nested(depth: int) -> str:
    text = "allow read: if true;"
    for number in range(depth):
        text = f"match /c{number}/{{d{number}}} {{ {text} }}"
    return source(text)


def chain(operator: str, count: int, term: str = "true") -> str:
    return f" {operator} ".join([term] * count)


def calls(depth: int) -> str:
    """Functions that call each other, so that a call is that deep."""
    text = "function f0() { return true; } "
    for number in range(1, depth):
        text += f"function f{number}() {{ return f{number - 1}(); }} "
    return allow(f"f{depth - 1}()", text)


def padded(size: int) -> str:
    text = allow("true")
    return text + "//" + "x" * (size - len(text) - 3) + "\n"


FIRST = "service cloud.firestore {{ match /databases/{{database}}/documents {{ {} }} }}"

COMPILES = {
    "R72 an unknown function": allow("none()"),
    "R72 an unknown variable": allow("none == 1"),
    "R72 an unknown member of math": allow("math.none(1) == 1"),
    "R72 too many arguments": allow("f(1, 2, 3)", function(2)),
    "R72 a sum of a number and a text": allow("1 + 'a' == 2"),
    "R72 an unknown method": source("match /c/{d} { allow fetch: if true; }"),
    "R72 another service": "rules_version = '2'; service firebase.storage { match /b/{bucket}/o {"
    " match /{all=**} { allow read: if true; } } }",
    "R72 no semicolon": source("match /c/{d} { allow read: if true }"),
    "R72 no version": FIRST.format("match /c/{d} { allow read: if true; }"),
    "R73 seven parameters": allow("true", function(7)),
    "R73 eleven variables": allow("f()", variables(11)),
    "R74 ten matches": nested(10),
    "R76 the longest source": padded(262_144 - 64),
    "R77 the rest at the end": FIRST.format("match /c/{d=**} { allow read: if true; }"),
    "R77 the rest in the middle": source("match /{a=**}/c/{d} { allow read: if true; }"),
    "R78 99 conjunctions": allow(chain("&&", 99)),
    "R78 98 sums": allow(chain("+", 98, "1") + " == 98"),
    "R78 98 negations": allow("!" * 98 + "true"),
    "R78 98 parentheses": allow("(" * 98 + "true" + ")" * 98),
}
REFUSED = {
    "R72 a mistake": source("match /c/{d} { allow read: if ; }"),
    "R72 two functions of one name": allow("f()", variables(1) + " " + variables(1)),
    "R72 recursion": allow("f()", "function f() { return f(); }"),
    "R72 an invalid expression": allow("'a'.matches('[')"),
    "R72 version 3": allow("true").replace("'2'", "'3'"),
    "R73 eight parameters": allow("true", function(8)),
    "R73 twenty variables": allow("f()", variables(20)),
    "R74 eleven matches": nested(11),
    "R76 a source that is too long": padded(262_144 + 64),
    "R77 the rest in the middle, version 1": FIRST.format(
        "match /{a=**}/c/{d} { allow read: if true; }"
    ),
    "R77 two rests": source("match /{a=**}/c/{b=**} { allow read: if true; }"),
    "R78 99 sums": allow(chain("+", 99, "1") + " == 99"),
    "R78 99 negations": allow("!" * 99 + "true"),
    "R78 99 parentheses": allow("(" * 99 + "true" + ")" * 99),
}


@pytest.mark.parametrize("text", COMPILES.values(), ids=COMPILES)
def test_a_source_that_compiles(base, text):
    assert publish(base, text) == 200


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_a_source_that_does_not_compile(base, text):
    assert publish(base, text) == 400


def test_R73_calls_that_are_21_deep(base):
    assert publish(base, calls(21)) == 200
