"""Rules spelt in ways that one compiler may take and another may not."""

from .values import Chance

# In the place of the condition of `allow get: if …;` in a file of the second version.
CONDITIONS = [
    "true", "x in ['a','b',]", "{'a':1,}.size() == 1", "f(1,)", "unknown == 1 || true", "unknown(1) || true",
    "'a'.unknown() || true", "request.unknown == null || true", "request.headers == null", "requst.auth == null",
    "f() || true", "f(1, 2) || true", "1e3 == 1000", "1.5e2 == 150.0", ".5 == 0.5", "1. == 1.0", "010 == 10",
    "4/2 == 2", "4 / 2 == 2", "x/2 == 2", "--1 == 1", "-(-1) == 1", "x is null", "null is null", "x is vector",
    "x is map_diff", "'\\x41' == 'A'", "'\\101' == 'A'", "'\\u0041' == 'A'", "'\\n'.size() == 1",
    "-9223372036854775808 < 0", "9223372036854775807 > 0", "9223372036854775808 > 0", "debug('x', 1) == 'x'",
    "debug(true)", "exists(/a/{b})", "exists(/databases/$(database)/documents/c/b)", "exists() || true",
    "/a/b == /a/b", "/a/$(x)/c == /a/a/c", "(/a/b) != null",
    "true ? true : false", "true ? true : true ? false : true",
    "!!true", "! true == false", "1 == 1 == true", "'a' in ['a'] == true", "1 < 2 == true", "x == 'a' && 1 in [1]",
    "true && true || false", "true || false && false",
    "x['a'] == 1 || true", "x[0:1] == 'a'", "request['auth'] == null",
    "request.auth.uid == 'b' || true", "\"a\" == 'a'", "b'a' == b'a'", "[] == []", "{} == {}", "[[1]][0][0] == 1",
    "{a:1}.a == 1", "{'a': {'b': 1}}.a.b == 1", "{1: 2}[1] == 2", "if true", "true; false", "(true", "true)", "", "=",
    "a.b.c.d == 1 || true", "math.abs(-1) == 1", "math == null || true", "timestamp.date(2020, 1, 1).year() == 2020",
    "string(1) == '1'", "get == null || true", "service == 1 || true", "match == 1 || true", "return == 1", "let == 1",
    "true // comment", "true /* comment */", "/* a */ true", "true && // one\n true", "g()", "h(2) == 3",
    "x == database",
]
# In the place of a declaration beside it.
DECLARATIONS = [
    "", "allow list", "allow list;", "allow list: if true }", "allow foo: if true;", "allow read, write: if false",
    "allow get: if true allow list: if true;", "allow list, : if true;", "allow: if true;", "allow list if true;",
    "function g() { return true }", "function g() { return true; } function h(a) { let b = a; return b + 1; }",
    "function h(a) { let b = a return b + 1; }", "function get() { return true; }", "function string(a) { return a; }",
    "function g(a, a) { return true; }", "function g() { let a = 1; let a = 2; return true; }", "function g() { }",
    "function g() { return g(); }", "function g() { return true; } function g() { return false; }",
    "let a = 1;",
    "function g() { let a = b; let b = 1; return true; }", "match /{y=*} { allow read; }", "match /y { }",
    "match /*/y { allow read; }", "match /{match} { allow read; }", "match /{math} { allow read; }",
    "match /é { allow read; }", "match y { allow read; }", "match /y/ { allow read; }",
    "match /{y=**}/z { allow get; }",
    "match /{y=**} { allow get; match /z { allow get; } }", "match //y { allow read; }", "match /$(y) { allow read; }",
    "match 'y' { allow read; }", "match /y/{z} { allow read; };", ";", "}", "{", "// end", "/* end", "\u00a0",
]
# SERVICE is where the rest stands.
FILES = [
    "rules_version = '2';\nSERVICE", "rules_version = '1';\nSERVICE", "SERVICE",
    "rules_version = '2'\nSERVICE", "rules_version = '3';\nSERVICE",
    "rules_version = \"2\";\nSERVICE", "rules_version='2';SERVICE", "\ufeffrules_version = '2';\nSERVICE",
    "rules_version = '2';\nfunction g() { return true; }\nSERVICE",
    "rules_version = '2';\nSERVICE\nservice firebase.storage { match /b/{b}/o { allow read; } }",
    "rules_version = '2';\nservice firebase.storage { }\nSERVICE", "rules_version = '2';\nSERVICE\nSERVICE",
    "// comment\nSERVICE",
    "rules_version = '2';\r\nSERVICE", "SERVICE\nrules_version = '2';", "rules_version = '2';\nSERVICE;",
]


def source(chance: Chance) -> str:
    """Mostly one oddity at a time, so that it can be seen."""
    odd = chance.randrange(3)
    text = chance.choice(CONDITIONS) if odd == 0 else "true"
    beside = chance.choice(DECLARATIONS) if odd == 1 else ""
    file = chance.choice(FILES) if odd == 2 else FILES[0]
    service = ("service cloud.firestore {\n  match /databases/{database}/documents {\n"
               "    function f(a) { return a == 1; }\n"
               f"    match /c/{{x}} {{\n      allow get: if {text};\n      {beside}\n    }}\n  }}\n}}")
    return file.replace("SERVICE", service)
