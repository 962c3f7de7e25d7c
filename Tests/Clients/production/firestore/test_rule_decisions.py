"""What rules of production decide, as it was recorded; each case has the number of its fact."""

import pytest
from support.firestore.end_users import DENIED, ROOT, call, query, source, tree
from support.firestore.project import Firestore

# A document with these values: n is 1, owner is the user.
GETS = [
    ("R29", None, "request.auth == null", 200),
    ("R29", None, "request.auth.token.email == null", 403),
    ("R30", "mine", "request.auth.uid == request.auth.token.sub", 200),
    ("R30", "mine", "request.auth.uid == request.auth.token.user_id", 200),
    (
        "R30",
        "mine",
        "request.auth.token.keys().hasOnly(['iss', 'aud', 'auth_time', 'user_id', 'sub', 'iat', "
        "'exp', 'firebase', 'email', 'email_verified'])",
        200,
    ),
    ("R31", "mine", "request.auth.token.size() == 10", 200),
    ("R32", "mine", "request.auth.token.exp - request.auth.token.iat == 3600", 200),
    ("R32", "mine", "request.auth.token.auth_time <= request.auth.token.iat", 200),
    ("R32", "mine", "timestamp.value(request.auth.token.iat * 1000) <= request.time", 200),
    (
        "R33",
        "mine",
        "request.auth.token.firebase.keys().hasOnly(['identities', 'sign_in_provider'])",
        200,
    ),
    ("R34", "mine", "request.auth.token.firebase.identities.keys().hasOnly(['email'])", 200),
    ("R45", None, "true", 200),
    ("R51", None, f"existsAfter({ROOT}/c/d) && getAfter({ROOT}/c/d).data.n == 1", 200),
    ("R52", None, "get(path('/databases/' + database + '/documents/c/d')).data.n == 1", 200),
    ("R62", None, "resource.data.none == 1 || true", 200),
    ("R62", None, "true || resource.data.none == 1", 200),
    ("R62", None, "!(resource.data.none == 1 && false)", 200),
    ("R62", None, "!(false && resource.data.none == 1)", 200),
    ("R63", None, "resource.data.none == 1", 403),
    ("R63", None, "9223372036854775807 + resource.data.n > 0", 403),
    ("R63", None, "'a'.matches(resource.data.pattern)", 403),
    ("R61", None, tree(334), 200),
    ("R61", None, tree(335), 403),
    ("R65", None, "7 / 2 == 3 && 7.0 / 2 == 3.5 && 1 == 1.0 && 'é'.size() == 1", 200),
    ("R65", None, "request.time.date() is timestamp", 200),
    ("R65", None, "duration.value(1, 's') == duration.value(1000, 'ms')", 200),
    ("R65", None, "debug(true)", 200),
    ("R70", None, "!('resource' in request)", 200),
    ("R70", None, "request.resource == null", 403),
]


@pytest.fixture
def base(hearth):
    base = Firestore(hearth)
    uid, token = base.sign_up()
    base.tokens = {None: None, "mine": token}
    base.uid = uid
    base.rest(
        "PATCH",
        "/c/d",
        json={
            "fields": {
                "n": {"integerValue": "1"},
                "owner": {"stringValue": uid},
                "pattern": {"stringValue": "["},
            }
        },
    )
    yield base
    base.close()


@pytest.mark.parametrize("fact, who, condition, status", GETS)
def test_a_get(base, fact, who, condition, status):
    base.rules(source(f"match /c/{{d}} {{ allow get: if {condition}; }}"))
    assert call(base, "GET", "/c/d", base.tokens[who])[0] == status, fact


BROKEN = ["resource.data.none == 1", "'a'.matches(resource.data.pattern)"]


@pytest.mark.parametrize("broken", BROKEN)
def test_R58_an_error_in_one_allow_hinders_no_other(base, broken):
    for first, second in [("true", broken), (broken, "true")]:
        base.rules(source(f"match /c/{{d}} {{ allow get: if {first}; allow get: if {second}; }}"))
        assert call(base, "GET", "/c/d")[0] == 200


def test_R60_too_many_expressions_end_all(base):
    # With what is around them, more than 1000.
    for first, second, status in [
        (tree(500), "true", 403),
        ("true", tree(500), 200),
        (f"({tree(500)}) || true", "false", 403),
    ]:
        base.rules(source(f"match /c/{{d}} {{ allow get: if {first}; allow get: if {second}; }}"))
        assert call(base, "GET", "/c/d")[0] == status


# MARK: Queries

BY_OWNER = "resource.data.owner == request.auth.uid"


def owner_is(*values: str) -> dict:
    """One value is compared, several are listed."""
    texts = [{"stringValue": value} for value in values]
    return {
        "where": {
            "fieldFilter": {
                "field": {"fieldPath": "owner"},
                "op": "IN",
                "value": {"arrayValue": {"values": texts}},
            }
        }
    }


ORDERED = {"orderBy": [{"field": {"fieldPath": "n"}, "direction": "ASCENDING"}]}


@pytest.mark.parametrize(
    "fact, condition, more, status",
    [
        ("R38", BY_OWNER, lambda uid: owner_is(uid), 200),
        ("R38", BY_OWNER, lambda uid: owner_is(uid, "other"), 403),
        ("R38", BY_OWNER, {}, 403),
        ("R39", "request.query.limit == null", {}, 200),
        ("R39", "request.query.limit <= 2", {}, 403),
        ("R39", "request.query.limit <= 2 && request.query.limit is int", {"limit": 2}, 200),
        ("R40", "request.query.offset == 0 && request.query.offset is int", {}, 200),
        ("R40", "request.query.offset == 1", {"offset": 1}, 200),
        ("R41", "request.query.orderBy is map && request.query.orderBy.size() == 0", {}, 200),
        (
            "R41",
            "request.query.orderBy.n == 'ASC' && request.query.orderBy.size() == 1",
            ORDERED,
            200,
        ),
    ],
)
def test_a_query(base, fact, condition, more, status):
    base.rules(source(f"match /c/{{d}} {{ allow list: if {condition}; }}"))
    more = more(base.uid) if callable(more) else more
    assert call(base, "POST", ":runQuery", base.tokens["mine"], query(**more))[0] == status, fact


def test_R43_an_offset_that_skips_all(base):
    base.rules(source("match /c/{d} { allow list: if true; }"))
    status, rows = call(base, "POST", ":runQuery", None, query(offset=1))
    assert status == 200 and [row.keys() for row in rows] == [{"readTime", "skippedResults"}]
    assert rows[0]["skippedResults"] == 1


@pytest.mark.parametrize(
    "condition, status", [("d == 'd'", 200), ("d == 'e'", 403), ("resource.data.n == 1", 200)]
)
def test_R44_a_query_by_name_is_judged_by_the_document(base, condition, status):
    base.rules(source(f"match /c/{{d}} {{ allow list: if {condition}; }}"))
    by_name = {
        "fieldFilter": {
            "field": {"fieldPath": "__name__"},
            "op": "EQUAL",
            "value": {"referenceValue": base.name("c/d")},
        }
    }
    assert call(base, "POST", ":runQuery", None, query(where=by_name))[0] == status


def test_R45_allowing_a_get_allows_no_query(base):
    base.rules(source("match /c/{d} { allow get: if true; }"))
    assert call(base, "POST", ":runQuery", None, query()) == (403, [DENIED])


def test_R46_a_group_needs_a_match_of_any_depth(base):
    for match, status in [("/c/{d}", 403), ("/{path=**}/c/{d}", 200)]:
        base.rules(source(f"match {match} {{ allow read: if true; }}"))
        assert call(base, "POST", ":runQuery", None, query(groups=True))[0] == status
        assert call(base, "POST", ":runQuery", None, query())[0] == 200


def test_R48_a_count_is_judged_as_its_query(base):
    base.rules(source(f"match /c/{{d}} {{ allow list: if {BY_OWNER}; }}"))
    for more, status in [({}, 403), (owner_is(base.uid), 200)]:
        body = {"structuredAggregationQuery": query(**more) | {"aggregations": [{"count": {}}]}}
        found, _ = call(base, "POST", ":runAggregationQuery", base.tokens["mine"], body)
        assert found == status


def test_R49_the_size_of_a_page_is_its_limit(base):
    base.rules(source("match /c/{d} { allow list: if request.query.limit <= 2; }"))
    assert call(base, "GET", "/c")[0] == 403
    assert call(base, "GET", "/c?pageSize=3")[0] == 403
    assert call(base, "GET", "/c?pageSize=2")[0] == 200
    base.rules(source("match /{any=**} { allow list: if true; }"))
    assert call(base, "GET", "/none?pageSize=2") == (200, {})


# MARK: Budgets


def exists(name: str, count: int) -> str:
    return " && ".join(f"!exists({ROOT}/x/{name}u{number})" for number in range(count))


def test_R54_a_get_looks_up_ten_documents(base):
    for condition, status in [
        (exists("u", 10), 200),
        (exists("u", 11), 403),
        (" && ".join([f"exists({ROOT}/c/d)"] * 11 + [f"getAfter({ROOT}/c/d).data.n == 1"]), 200),
    ]:
        base.rules(source(f"match /c/{{d}} {{ allow get: if {condition}; }}"))
        assert call(base, "GET", "/c/d")[0] == status


@pytest.mark.parametrize(
    "writes, each, shared, status",
    [(2, 10, False, 200), (3, 7, False, 403), (3, 7, True, 200), (1, 11, False, 403)],
)
def test_R56_a_commit_looks_up_ten_for_a_write_and_twenty_in_all(
    base, writes, each, shared, status
):
    name = "u" if shared else "$(d)/y/"
    base.rules(source(f"match /w/{{d}} {{ allow write: if {exists(name, each)}; }}"))
    body = {
        "writes": [
            {"update": {"name": base.name(f"w/d{number}"), "fields": {}}}
            for number in range(writes)
        ]
    }
    assert call(base, "POST", ":commit", None, body)[0] == status


@pytest.mark.parametrize("counts, status", [((6, 6, 6), 200), ((6, 6, 6, 7), 403)])
def test_R57_a_batch_looks_up_twenty(base, counts, status):
    rules = " ".join(
        f"match /r{number}/{{d}} {{ allow get: if {exists(f'{number}-', count)}; }}"
        for number, count in enumerate(counts)
    )
    base.rules(source(rules))
    body = {"documents": [base.name(f"r{number}/d") for number in range(len(counts))]}
    assert call(base, "POST", ":batchGet", None, body)[0] == status
