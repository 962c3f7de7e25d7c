"""Firestore over REST: rules, clearing, health."""

import json

import pytest
import requests
from support.firestore.project import STORY_RULES, Firestore, base, guard  # noqa: F401
from support.firestore.rest import fields, number, put

# MARK: What the emulator adds


def rules_body(content: str, **more) -> dict:
    return {"rules": {"files": [{"content": content}]}, **more}


CLOSED = (
    "rules_version = '2'; service cloud.firestore { match /databases/{d}/documents "
    "{ match /{path=**} { allow read, write: if false; } } }"
)


@pytest.mark.parametrize("kind", ["application/json", "text/plain;charset=UTF-8"])
def test_rules_as_the_test_library_sends_them(base, kind):
    """Without a name of the file, and with the content type that `fetch` gives to a text."""
    reply = requests.put(
        f"{base.server.addresses['firestore']}/emulator/v1/projects/{base.project}:securityRules",
        data=json.dumps(rules_body(CLOSED)),
        headers={"Content-Type": kind},
        timeout=30,
    )
    assert reply.status_code == 200 and reply.json() == {}
    assert base.refused("GET", "/c/d", 403, token=None) == "PERMISSION_DENIED"


def test_issue_of_rules_has_a_place_and_a_severity(base):
    reply = base.control(
        "PUT",
        ":securityRules",
        json=rules_body(
            "rules_version = '2'; service cloud.firestore { match /c/{d} {\nallow read: if foo; } }"
        ),
    )
    assert reply.status_code == 200
    assert reply.json() == {
        "issues": [
            {
                "sourcePosition": {"line": 2, "column": 16, "currentOffset": 77, "endOffset": 79},
                "description": "Invalid variable name: foo.",
                "severity": "WARNING",
            }
        ]
    }


def test_rules_that_cannot_be_read_are_an_error_with_the_place(base):
    reply = base.control("PUT", ":securityRules", json=rules_body("rules_version = '2';\nnonsense"))
    assert reply.status_code == 400
    assert reply.json() == {
        "error": {
            "code": 400,
            "status": "INVALID_ARGUMENT",
            "message": "Error compiling rules:\nL2:1 'service' or 'function' is expected, found 'nonsense'",
        }
    }


@pytest.mark.parametrize(
    "body",
    [
        {"foo": 1, **rules_body(CLOSED)},
        {"rules": {"foo": 1, **rules_body(CLOSED)["rules"]}},
        {"rules": {"files": [{"content": CLOSED, "foo": None}]}},
    ],
    ids=["body", "rules", "file"],
)
def test_members_that_rules_do_not_have_are_refused(base, body):
    reply = base.control("PUT", ":securityRules", json=body)
    assert reply.status_code == 400
    assert reply.json()["error"]["message"] == "Payload isn't valid for request."


def test_bodies_of_rules_have_a_bound(base):
    """Each value takes many times more memory than its text."""
    reply = base.control(
        "PUT",
        ":securityRules",
        data=b"[" + b"0," * 500_000 + b"0]",
        headers={"Content-Type": "application/json"},
    )
    assert reply.status_code == 400


@pytest.mark.parametrize(
    "path, message",
    [
        ("/databases//documents", "lacks a database id at index"),
        ("/databases//documents/c/a", "lacks a database id at index"),
        ("/databases/(default)/documents/c//a", ""),
        ("/databases/(default)/documents//", ""),
    ],
)
def test_clearing_what_has_no_name_is_refused(base, path, message):
    reply = base.control("DELETE", path)
    assert reply.status_code == 400 and message in reply.json()["error"]["message"]


@pytest.mark.parametrize("path, status", [("/c/a/", 200), ("/", 200), ("/c/", 400)])
def test_nothing_is_cleared_with_a_slash_at_the_end(base, path, status):
    """As at the official emulator: the slash begins the name of a collection without an id."""
    put(base, "c/a", {})
    reply = base.control("DELETE", f"/databases/(default)/documents{path}")
    assert reply.status_code == status
    assert base.rest("GET", "/c")


@pytest.mark.parametrize(
    "condition, params",
    [
        ("request.query.orderBy == {} && request.query.limit == 30", {}),
        ("request.query.orderBy == {'n': 'ASC'}", {"orderBy": "n"}),
        ("request.query.orderBy == {'__name__': 'ASC'}", {"orderBy": "__name__"}),
        ("request.query.limit == 150", {"pageSize": 300}),
    ],
    ids=str,
)
def test_rules_see_the_orders_that_a_list_was_given(base, condition, params):
    base.rules(
        "rules_version = '2'; service cloud.firestore { match /databases/{d}/documents "
        f"{{ match /c/{{x}} {{ allow list: if {condition}; }} }} }}"
    )
    base.rest("GET", "/c", params=params, token=None)


def test_rules_are_read_back(base):
    default = base.control("GET", ":securityRules").json()
    assert [file["name"] for file in default["rules"]["files"]] == ["OPEN_RULES"]
    assert "issues" not in default
    base.control(
        "PUT", ":securityRules", json={"rules": {"files": [{"name": "a", "content": CLOSED}]}}
    )
    assert base.control("GET", ":securityRules").json() == {
        "rules": {"files": [{"content": CLOSED, "name": "a"}]}
    }


def test_rules_of_one_database(base):
    """They hold whatever is set for the project later, and for no other database."""
    path = "/databases/other:securityRules"
    open_rules = CLOSED.replace("false", "true")
    assert base.control("PUT", path, json=rules_body(open_rules)).json() == {}
    assert base.control("PUT", ":securityRules", json=rules_body(CLOSED)).json() == {}
    assert base.control("GET", path).json()["rules"]["files"][0]["content"] == open_rules
    assert (
        base.control("GET", "/databases/third:securityRules").json()["rules"]["files"][0]["content"]
        == CLOSED
    )
    root = f"{base.server.addresses['firestore']}/v1/projects/{base.project}/databases"
    for database, status in (("other", 404), ("third", 403), ("(default)", 403)):
        assert requests.get(f"{root}/{database}/documents/c/d", timeout=30).status_code == status


def test_issues_are_an_answer_where_errors_are_to_be_ignored(base):
    """As the command line sends rules: mistakes still answer 200, and are in the body."""
    reply = base.control("PUT", ":securityRules", json=rules_body("nonsense", ignore_errors=True))
    assert reply.status_code == 200 and reply.json()["issues"]


def test_clearing_needs_no_credential(base):
    """Neither rules nor a token matter, not even an invalid one."""
    put(base, "c/d", {})
    base.rules(CLOSED)
    for headers in ({}, {"Authorization": "Bearer garbage"}):
        put(base, "c/d", {})
        reply = base.control("DELETE", "/databases/(default)/documents", headers=headers)
        assert reply.status_code == 200
        assert base.rest("POST", ":listCollectionIds", json={}) == {}
    # Rules are not documents.
    assert base.refused("GET", "/c/d", 403, token=None) == "PERMISSION_DENIED"


def test_clearing_one_database_of_a_project(base):
    second = Firestore(base.server, base.project, "second")
    put(base, "c/d", {})
    put(second, "c/d", {})
    assert base.control("DELETE", "/databases/second/documents").status_code == 200
    assert fields(base, "c/d") == {} and second.refused("GET", "/c/d", 404) == "NOT_FOUND"


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_health(base, method):
    reply = requests.request(method, base.server.addresses["firestore"], timeout=30)
    assert reply.status_code == 200
    assert reply.text.strip() == ("Ok" if method == "GET" else "")


# MARK: Rules over REST


def test_signed_in_and_out_over_rest(base):
    base.rules(STORY_RULES)
    uid, token = base.sign_up()
    put(base, f"users/{uid}", {"n": number(1)})
    assert base.rest("GET", f"/users/{uid}", token=token)["fields"] == {"n": number(1)}
    error = base.rest("GET", f"/users/{uid}", 403, token=None)["error"]
    assert error["status"] == "PERMISSION_DENIED" and error["message"]
    [answer] = base.rest(
        "POST", ":batchGet", token=token, json={"documents": [base.name(f"users/{uid}")]}
    )
    assert answer["found"]["fields"] == {"n": number(1)}
    assert (
        base.refused(
            "POST",
            ":batchGet",
            403,
            token=token,
            json={"documents": [base.name(f"users/{uid}"), base.name("users/other")]},
        )
        == "PERMISSION_DENIED"
    )


def test_page_size_is_the_limit_that_rules_see(base):
    base.rules(
        "rules_version = '2'; service cloud.firestore { match /databases/{d}/documents "
        "{ match /c/{x} { allow list: if request.query.limit <= 10; } } }"
    )
    assert base.rest("GET", "/c", token=None, params={"pageSize": 10}) == {}


@pytest.mark.parametrize("size, status", [(9, 200), (12, 403)])
def test_page_sizes_on_both_sides_of_a_limit(base, size, status):
    base.rules(
        "rules_version = '2'; service cloud.firestore { match /databases/{d}/documents "
        "{ match /c/{x} { allow list: if request.query.limit <= 10; } } }"
    )
    base.rest("GET", "/c", status, token=None, params={"pageSize": size})
