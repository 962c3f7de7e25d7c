"""What rules of production see of writes, and what else they decide about documents."""

import pytest
from support.firestore.end_users import DENIED, ROOT, administer, call, publish, source
from support.firestore.project import Firestore


@pytest.fixture
def base(hearth):
    base = Firestore(hearth)
    base.rest("PATCH", "/c/d", json={"fields": {"n": {"integerValue": "1"}, "a": TEXT}})
    yield base
    base.close()


TEXT = {"stringValue": "x"}
OPEN = "match /{any=**} { allow read, write: if true; }"


def update(base, path: str, fields: dict | None = None, **more) -> dict:
    return {"update": {"name": base.name(path), "fields": fields or {}}, **more}


def commit(base, *writes: dict, token: str | None = None) -> tuple[int, dict]:
    return call(base, "POST", ":commit", token, {"writes": list(writes)})


def test_R2_without_its_release_a_database_is_closed_again(base):
    base.rules(source(OPEN))
    assert call(base, "GET", "/c/d")[0] == 200
    base.control("DELETE", "/rules")
    assert call(base, "GET", "/c/d") == (403, DENIED)


def test_R5_a_source_that_does_not_compile_changes_nothing(base):
    base.rules(source(OPEN))
    assert publish(base, source("match /c/{d} { allow read: if ; }")) == 400
    assert call(base, "GET", "/c/d")[0] == 200


def test_R12_one_refused_write_refuses_all(base):
    base.rules(source("match /a/{d} { allow write: if true; }"))
    assert commit(base, update(base, "a/1"), update(base, "b/1")) == (403, DENIED)
    assert call(base, "GET", "/a/1", "owner")[0] == 404


def test_R13_two_writes_of_one_document(base):
    base.rules(source(OPEN))
    status, answer = commit(base, update(base, "a/1"), update(base, "a/1", {"n": TEXT}))
    assert status == 200 and len(answer["writeResults"]) == 2


@pytest.mark.parametrize(
    "path, condition",
    [
        ("c/none", {"exists": True}),
        ("c/d", {"exists": False}),
        ("c/d", {"updateTime": "2020-01-01T00:00:00Z"}),
    ],
)
def test_R14_rules_come_before_preconditions(base, path, condition):
    base.rules(source("match /other/{d} { allow write: if true; }"))
    assert commit(base, update(base, path, currentDocument=condition)) == (403, DENIED)


def test_R15_rules_see_the_whole_document(base):
    base.rules(source("match /c/{d} { allow get: if resource.data.n == 1; }"))
    status, answer = call(base, "GET", "/c/d?mask.fieldPaths=a")
    assert status == 200 and answer["fields"] == {"a": TEXT}


@pytest.mark.parametrize(
    "condition",
    [
        "resource == null",
        "request.resource.id == d",
        "path('/databases/' + database + '/documents/w/' + d) == request.resource.__name__",
        "request.resource.data.a == 'x'",
        "request.method == 'create'",
    ],
)
def test_R66_a_create(base, condition):
    base.rules(source(f"match /w/{{d}} {{ allow create: if {condition}; }}"))
    body = {"fields": {"a": TEXT}}
    write = update(base, "w/1", {"a": TEXT}, currentDocument={"exists": False})
    assert commit(base, write)[0] == 200
    assert call(base, "PATCH", "/w/2?currentDocument.exists=false", None, body)[0] == 200
    assert call(base, "POST", "/w?documentId=3", None, body)[0] == 200


@pytest.mark.parametrize(
    "condition", ["request.resource.data.at == request.time", "request.resource.data.n == 3"]
)
def test_R67_transforms_are_in_the_document(base, condition):
    base.rules(source(f"match /c/{{d}} {{ allow update: if {condition}; }}"))
    transforms = [
        {"fieldPath": "at", "setToServerValue": "REQUEST_TIME"},
        {"fieldPath": "n", "increment": {"integerValue": "2"}},
    ]
    write = {
        "update": {"name": base.name("c/d"), "fields": {"a": TEXT}},
        "updateMask": {"fieldPaths": ["a"]},
        "updateTransforms": transforms,
    }
    assert commit(base, write)[0] == 200


@pytest.mark.parametrize(
    "condition, mask, status",
    [
        ("request.resource.data.n == 1", ["b"], 200),
        ("request.resource.data.keys().hasOnly(['b'])", None, 200),
        ("request.resource.data.diff(resource.data).affectedKeys().hasOnly(['b'])", ["b"], 200),
        ("request.resource.data.diff(resource.data).changedKeys().size() == 0", ["b"], 200),
        ("request.resource.data.diff(resource.data).affectedKeys().hasOnly(['b'])", None, 403),
    ],
)
def test_R68_an_update(base, condition, mask, status):
    base.rules(source(f"match /c/{{d}} {{ allow update: if {condition}; }}"))
    more = {"updateMask": {"fieldPaths": mask}} if mask else {}
    assert commit(base, update(base, "c/d", {"b": TEXT}, **more))[0] == status


@pytest.mark.parametrize(
    "condition, path, status",
    [
        ("request.resource == null && 'resource' in request", "c/d", 200),
        ("resource == null", "c/none", 200),
        ("resource == null", "c/d", 403),
    ],
)
def test_R69_a_delete(base, condition, path, status):
    base.rules(source(f"match /c/{{d}} {{ allow delete: if {condition}; }}"))
    assert commit(base, {"delete": base.name(path)})[0] == status


def test_R71_results(base):
    base.rules(source(OPEN))
    base.rest("PATCH", "/c/e", json={"fields": {"n": {"integerValue": "6"}}})
    transforms = [
        {"fieldPath": "l", "appendMissingElements": {"values": [TEXT]}},
        {"fieldPath": "n", "increment": {"doubleValue": 5}},
    ]
    write = {
        "update": {"name": base.name("c/e"), "fields": {}},
        "updateMask": {"fieldPaths": []},
        "updateTransforms": transforms,
    }
    status, answer = commit(base, write, {"delete": base.name("c/d")})
    assert status == 200
    changed, deleted = answer["writeResults"]
    assert changed["transformResults"] == [{"nullValue": None}, {"doubleValue": 11}]
    assert deleted == {}


def test_R53_states_before_and_after_a_commit(base):
    other = f"{ROOT}/w/2"
    conditions = f"!exists({other}) && existsAfter({other}) && getAfter({other}).data.a == 'x'"
    base.rules(
        source(
            f"match /w/1 {{ allow write: if {conditions}; }} match /w/2 {{ allow write: if true; }}"
        )
    )
    assert commit(base, update(base, "w/1"), update(base, "w/2", {"a": TEXT}))[0] == 200
    assert commit(base, update(base, "w/1"))[0] == 403


# MARK: Tokens


@pytest.mark.parametrize(
    "change",
    [{"validSince": "4000000000"}, {"disableUser": True}, None],
    ids=["revoked", "disabled", "deleted"],
)
def test_R26_a_token_outlives_its_account(base, change):
    uid, token = base.sign_up()
    base.rules(source("match /{any=**} { allow read, write: if request.auth.uid != null; }"))
    verb = "update" if change else "delete"
    administer(base, verb, {"localId": uid} | (change or {}))
    assert call(base, "GET", "/c/d", token)[0] == 200
    assert call(base, "PATCH", "/c/new", token, {"fields": {}})[0] == 200


def test_R35_claims_keep_their_types(base):
    uid, _ = base.sign_up(email="claims@example.com")
    claims = '{"i":1,"f":1.5,"m":{"b":true},"l":[1,2]}'
    administer(base, "update", {"localId": uid, "customAttributes": claims})
    base.rules(
        source(
            "match /c/{d} { allow get: if request.auth.token.i is int && request.auth.token.f is "
            "float && request.auth.token.m.b is bool && request.auth.token.l is list; }"
        )
    )
    session = base.server.post(
        f"/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key={base.project}",
        {"email": "claims@example.com", "password": "secret1", "returnSecureToken": True},
    ).json()
    assert call(base, "GET", "/c/d", session["idToken"])[0] == 200
