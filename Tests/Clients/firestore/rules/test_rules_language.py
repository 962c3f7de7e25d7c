"""The rules language: expressions, matches, functions."""

import pytest
from support.firestore.project import base, guard  # noqa: F401
from support.firestore.rules_language import may_read, ruled


def loads(base, source: str) -> bool:
    reply = base.control("PUT", ":securityRules", json={"rules": {"files": [{"content": source}]}})
    assert reply.status_code in (200, 400)
    return reply.status_code == 200


# MARK: Expressions

EXPRESSIONS = [
    # Precedence, high to low.
    ("-2 * -3 == 6 && 10 - 2 - 3 == 5 && 12 / 2 / 3 == 2", True),
    ("!true || true", True),
    ("!(true || true)", False),
    ("true || true && false", True),
    ("(true || true) && false", False),
    ("1 + 1 < 3 == true", True),
    ("1 < 2 && 2 <= 2 && 3 >= 3", True),
    ("false ? false : true ? true : false", True),
    ("1 in [1] && !(2 in [1])", True),
    ("5 % 3 == 2 && -5 % 3 == -2", True),
    ("1 + 2 + 'a' == '3a'", False),
    # Literals.
    ("'a\\'b' == \"a'b\" && \"a\\\"b\" == 'a\"b'", True),
    ("'\\n'.size() == 1 && '\\\\'.size() == 1", True),
    ("'ü😀' == 'ü😀'", True),
    ("[] == [] && {} == {} && [1, [2]][1][0] == 2", True),
    ("{'a': {'b': [1]}}.a.b[0] == 1 && {'a': 1}['a'] == 1", True),
    ("1. == 1.0 && .5 == 0.5", True),
    ("9223372036854775807 > 9223372036854775806", True),
    ("null == null && null != 1", True),
    # Types.
    ("'a'.toUtf8() is bytes && !('a' is bytes)", True),
    ("[1].toSet() is set && !([1] is set)", True),
    ("1 is int && !(1.0 is int) && 1.0 is number && 1.0 is float", True),
    ("null is map", False),
    ("{} is map && [] is list && /a is path && true is bool", True),
    # Errors are false, and another operand may decide.
    ("{'a': 1}.b == 1", False),
    ("{'a': 1}.b != 1", False),
    ("[1][1] == 1", False),
    ("null.a == 1", False),
    ("1 % 0 == 0", False),
    ("'a' < 1", False),
    ("'a' == 1", False),
    ("'a' != 1", True),
    ("false && [1][5] == 1 || true", True),
    ("[1][5] == 1 || true", True),
    ("[1][5] == 1 && false || true", True),
    ("true || nothing_wrong()", True),
    # Text.
    ("'abcdef'[1:3] == 'bc' && 'abc'[2] == 'c'", True),
    ("'a1b22'.split('[0-9]+') == ['a', 'b']", True),
    ("'banana'.replace('an', 'o') == 'booa' && 'a.b'.replace('[.]', '-') == 'a-b'", True),
    ("'ab'.matches('a') || 'ab'.matches('b')", False),
    ("'ab'.matches('.*') && 'ab'.matches('(?i)AB')", True),
    ("'é'.size() == 1 && 'é'.toUtf8().size() == 2", True),
    ("string(true) == 'true' && string(1.5) == '1.5' && string(null) == 'null'", True),
    ("int('12') == 12 && int(2.9) == 2 && float('0.5') == 0.5 && float(1) is float", True),
    ("int('x') == 0", False),
    # Numbers.
    ("math.isNaN(1.0) == false && math.isInfinite(1.0) == false", True),
    ("math.ceil(-1.5) == -1 && math.floor(-1.5) == -2 && math.round(2.4) == 2", True),
    ("math.pow(2, 0.5) > 1.41 && math.abs(-1.5) == 1.5 && math.sqrt(2.25) == 1.5", True),
    ("math.floor(1.5) is float && math.round(1.5) is int && math.sqrt(4) is float", True),
    # Lists, sets, maps.
    ("[1, 2, 3][0:2] == [1, 2] && [1, 2].concat([3]).size() == 3", True),
    ("[1, 2, 3].removeAll([1, 3]) == [2] && [1, 'a'].join(',') == '1,a'", True),
    ("[].hasAll([]) && ![].hasAny([1]) && [].hasOnly([1])", True),
    ("1 in [1].toSet() && [1, 2].toSet().hasAll([1]) && [1].toSet().hasOnly([1])", True),
    ("[1, 2].toSet().intersection([2, 3].toSet()) == [2].toSet()", True),
    ("[1].toSet().union([2].toSet()).size() == 2", True),
    ("[2, 1].toSet() == [1, 2].toSet()", True),
    ("{'a': 1}.keys() == ['a'].toSet() || {'a': 1}.keys() == ['a']", True),
    ("{'a': 1, 'b': 2}.size() == 2 && {'a': null}.get('a', 1) == null", True),
    ("{'a': {'b': 1}}.get(['a', 'c'], 7) == 7", True),
    ("{'a': 1, 'b': 1, 'c': 1}.diff({'a': 1, 'b': 2}).changedKeys() == ['b'].toSet()", True),
    ("{'a': 1, 'b': 1}.diff({'a': 1}).unchangedKeys() == ['a'].toSet()", True),
    # Times.
    (
        "timestamp.date(2024, 1, 1).dayOfWeek() == 1 && "
        "timestamp.date(2024, 12, 31).dayOfYear() == 366",
        True,
    ),
    ("timestamp.date(2024, 1, 3) - timestamp.date(2024, 1, 1) == duration.value(2, 'd')", True),
    (
        "timestamp.value(1704164645678).hours() == 3 && "
        "timestamp.value(1704164645678).minutes() == 4",
        True,
    ),
    (
        "timestamp.value(1704164645678).seconds() == 5 && "
        "timestamp.value(1704164645678).nanos() == 678000000",
        True,
    ),
    (
        "timestamp.value(1704164645678).year() == 2024 && "
        "timestamp.value(1704164645678).day() == 2",
        True,
    ),
    ("timestamp.value(1704164645678).date() == timestamp.date(2024, 1, 2)", True),
    ("timestamp.value(1704164645678).time() == duration.time(3, 4, 5, 678000000)", True),
    ("duration.value(1, 'w').seconds() == 604800 && duration.value(2, 'm').seconds() == 120", True),
    (
        "duration.value(1500, 'ms').seconds() == 1 && "
        "duration.value(1500, 'ms').nanos() == 500000000",
        True,
    ),
    (
        "duration.value(5, 'ns').nanos() == 5 && "
        "duration.abs(duration.value(-5, 's')) == duration.value(5, 's')",
        True,
    ),
    ("timestamp.date(2024, 3, 1) - duration.value(1, 'd') == timestamp.date(2024, 2, 29)", True),
    # The rest.
    ("latlng.value(1.5, -2.5).longitude() == -2.5 && latlng.value(1.5, 2).latitude() == 1.5", True),
    ("hashing.crc32('a').size() == 4 && hashing.crc32c('a') != hashing.crc32('a')", True),
    ("hashing.sha256('').toHexString().lower()[0:8] == 'e3b0c442'", True),
    ("path('/a/b') == /a/b && /a/b/c[1] == 'b'", True),
    ("/a/$('b' + 'c') == /a/bc", True),
    ("debug(1 + 1) == 2", True),
    # The request.
    ("request.method == 'get' && request.path[4] == id && request.path is path", True),
    ("request.auth == null && !(request.auth != null)", True),
    ("request.time is timestamp", True),
    ("resource == null", False),
    ("resource.id == id && resource.data is map", True),
    ("resource.__name__ == /databases/$(database)/documents/e/$(id)", True),
    ("resource['__name__'][3] == 'e'", True),
    ("request.resource == null", None),
    ("database == '(default)'", True),
]


@pytest.mark.parametrize("text, expected", EXPRESSIONS, ids=[text for text, _ in EXPRESSIONS])
def test_expression(base, text, expected):
    source = ruled(f"""
      function nothing_wrong() {{ return true; }}
      match /e/{{id}} {{ allow get: if {text}; }}""")
    base.commit(base.set("e/x", {"n": 1}))
    if not loads(base, source):
        # Statically wrong: as good as an error when it runs.
        assert not expected, text
        return
    if expected is not None:
        assert may_read(base, "e/x") == expected


# MARK: Matches


def test_comments_of_both_kinds(base):
    base.rules(
        ruled("""
      // match /shut/{id} { allow read; }
      /* match /shut/{id} {
           allow read; } */
      match /open/{id} { allow read /* all */ ; // always
      }""")
    )
    assert may_read(base, "open/d") and not may_read(base, "shut/d")


@pytest.mark.parametrize(
    "version, own",
    [("", False), ("rules_version = '1';", False), ("rules_version = '2';", True)],
    ids=["none", "one", "two"],
)
def test_rest_of_a_path_by_version(base, version, own):
    """One or more segments in version 1, and zero or more in version 2."""
    base.rules(ruled("match /c/d/{rest=**} { allow read; }", version))
    assert may_read(base, "c/d") == own
    assert may_read(base, "c/d/e/f") and may_read(base, "c/d/e/f/g/h")
    assert not may_read(base, "c/x")


def test_rest_in_the_middle_of_a_path(base):
    assert not loads(base, ruled("match /{p=**}/g/{id} { allow read; }", ""))
    base.rules(ruled("match /{p=**}/g/{id} { allow read: if id == 'ok'; }"))
    assert may_read(base, "g/ok") and may_read(base, "a/b/g/ok") and may_read(base, "a/b/c/d/g/ok")
    assert not may_read(base, "g/no") and not may_read(base, "g/ok/h/ok")


def test_rest_is_a_path_and_single_segments_are_texts(base):
    base.rules(
        ruled("""
      match /c/{id}/{rest=**} {
        allow read: if id is string && rest is path && rest[0] == 'd' && rest[1] == 'e';
      }""")
    )
    assert may_read(base, "c/a/d/e") and not may_read(base, "c/a/d/f")


def test_nested_matches_concatenate_and_see_outer_names(base):
    base.rules(
        ruled("""
      match /u/{uid} {
        function own(other) { return uid == other; }
        match /posts/{post} {
          allow read: if uid == post;
          match /likes/{like} { allow read: if own(like) && post != uid; }
        }
      }""")
    )
    assert may_read(base, "u/a/posts/a") and not may_read(base, "u/a/posts/b")
    assert may_read(base, "u/a/posts/b/likes/a") and not may_read(base, "u/a/posts/a/likes/a")
    assert not may_read(base, "u/a")


def test_parts_of_the_path_are_decoded_names(base):
    base.rules(ruled("match /c/{id} { allow read: if id == 'a b/ü'.split('/')[0]; }"))
    assert may_read(base, "c/a%20b") and not may_read(base, "c/a%2520b")


def test_any_rule_of_any_match_is_enough(base):
    base.rules(
        ruled("""
      match /c/{id} { allow read: if false; }
      match /{any}/{id} { allow get: if any == 'c' && 1 / 0 == 1; allow get: if id == 'a'; }
      match /{path=**} { allow get: if path[1] == 'b'; }""")
    )
    assert may_read(base, "c/a") and may_read(base, "c/b") and not may_read(base, "c/d")
    assert may_read(base, "x/b")


# MARK: Functions


def test_functions_of_the_service_and_of_matches(base):
    base.rules("""rules_version = '2';
      service cloud.firestore {
        function signed() { return request.auth != null; }
        match /databases/{database}/documents {
          function own(uid) { return signed() && request.auth.uid == uid; }
          match /u/{uid} { allow read: if own(uid); }
        }
      }""")
    uid, token = base.sign_up()
    assert may_read(base, f"u/{uid}", token) and not may_read(base, "u/x", token)
    assert not may_read(base, f"u/{uid}")


@pytest.mark.parametrize("count, good", [(7, True), (8, False)])
def test_at_most_seven_parameters(base, count, good):
    names = ", ".join(f"p{n}" for n in range(count))
    values = ", ".join("1" for _ in range(count))
    assert (
        loads(
            base,
            ruled(f"""
      function f({names}) {{ return p0 == 1; }}
      match /c/{{id}} {{ allow read: if f({values}); }}"""),
        )
        == good
    )
    assert not good or may_read(base, "c/d")


@pytest.mark.parametrize("count, good", [(11, True), (12, False)])
def test_at_most_eleven_lets(base, count, good):
    lets = " ".join(f"let v{n} = {'1' if n == 0 else f'v{n - 1} + 1'};" for n in range(count))
    assert (
        loads(
            base,
            ruled(f"""
      function f() {{ {lets} return v{count - 1} == {count}; }}
      match /c/{{id}} {{ allow read: if f(); }}"""),
        )
        == good
    )
    assert not good or may_read(base, "c/d")


@pytest.mark.parametrize("depth, good", [(18, True), (22, False)])
def test_functions_call_each_other_twenty_deep(base, depth, good):
    functions = "\n".join(
        f"function f{n}() {{ return {'true' if n == depth - 1 else f'f{n + 1}()'}; }}"
        for n in range(depth)
    )
    loaded = loads(base, ruled(f"{functions}\nmatch /c/{{id}} {{ allow read: if f0(); }}"))
    assert loaded or not good
    if loaded:
        assert may_read(base, "c/d") == good


def test_recursion_is_refused_or_denied(base):
    source = ruled("""
      function f(a) { return g(a); }
      function g(a) { return f(a); }
      match /c/{id} { allow read: if f(id); }""")
    assert not loads(base, source) or not may_read(base, "c/d")


@pytest.mark.parametrize("count, good", [(300, True), (1100, False)])
def test_at_most_a_thousand_expressions(base, count, good):
    terms = ", ".join("-1" if n % 2 else "id + 'x'" for n in range(count))
    source = ruled(f"match /c/{{id}} {{ allow read: if [{terms}].size() == {count}; }}")
    if loads(base, source):
        assert may_read(base, "c/d") == good
    else:
        assert not good
