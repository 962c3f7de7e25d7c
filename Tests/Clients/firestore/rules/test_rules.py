"""Security rules: loading, where a rule applies, methods."""

import json

import grpc
import pytest
from google.cloud.firestore_v1.types import firestore as rpc
from google.cloud.firestore_v1.types import query as queries
from support.firestore.project import Firestore, base, guard  # noqa: F401
from support.firestore.rules import allowed, listed, readable, ruled, structured
from support.server import Server
from support.waiting import until

DENIED, NOT_FOUND = grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.NOT_FOUND


# MARK: Loading


def test_without_rules_everything_is_allowed(base):
    base.commit(base.set("c/d", {"n": 1}), token=None)
    assert readable(base, None, "c/d")


def test_rules_hold_from_the_moment_they_are_set(base):
    base.rules(ruled("match /c/{id} { allow read; }"))
    base.commit(base.set("c/d", {"n": 1}))
    assert readable(base, None, "c/d") and not readable(base, None, "x/d")
    assert not allowed(base, None, base.set("c/d", {"n": 2}))
    base.rules(ruled("match /c/{id} { allow write; }"))
    assert not readable(base, None, "c/d") and allowed(base, None, base.set("c/d", {"n": 2}))


def test_rules_belong_to_their_project_and_hold_in_all_its_databases(hearth, base):
    base.rules(ruled("match /c/{id} { allow read: if false; }"))
    other, second = Firestore(hearth), Firestore(hearth, base.project, "second")
    assert readable(other, None, "c/d")
    assert not readable(base, None, "c/d") and not readable(second, None, "c/d")
    other.close()
    second.close()


@pytest.mark.parametrize(
    "body, line",
    [
        ("match /c/{id} {\n  allow read: if request.auth != null &&;\n}", 5),
        ("match c/{id} {\n allow read;\n}", 4),
        ("match /c/{id} {\n}", 5),
        ("match /c/{id} {\n  allow read: if 'open;\n}", 5),
    ],
)
def test_rules_with_an_error_name_its_place_and_leave_the_old_ones(base, body, line):
    base.rules(ruled("match /c/{id} { allow read: if false; }"))
    reply = base.control(
        "PUT",
        ":securityRules",
        json={"rules": {"files": [{"name": "firestore.rules", "content": ruled(body)}]}},
    )
    assert reply.status_code == 400
    error = reply.json()["error"]
    assert error["status"] == "INVALID_ARGUMENT"
    assert error["message"].startswith(f"Error compiling rules:\nL{line}:")
    assert not readable(base, None, "c/d")


@pytest.mark.parametrize(
    "content", ["", "service cloud.firestore { }", "rules_version = '3';", "nonsense"]
)
def test_invalid_rulesets_are_refused(base, content):
    reply = base.control(
        "PUT",
        ":securityRules",
        json={"rules": {"files": [{"name": "firestore.rules", "content": content}]}},
    )
    assert reply.status_code == 400 and reply.json()["error"]["message"].startswith(
        "Error compiling rules:"
    )
    assert readable(base, None, "c/d")


def test_rules_of_a_file_and_its_changes(tmp_path):
    path = tmp_path / "firestore.rules"
    path.write_text(ruled("match /c/{id} { allow read; }"))
    server = Server("--rules", str(path))
    try:
        base = Firestore(server)
        assert readable(base, None, "c/d") and not readable(base, None, "x/d")
        path.write_text(ruled("match /x/{id} { allow read; }"))
        until(lambda: readable(base, None, "x/d"))
        assert not readable(base, None, "c/d")
        # A file with an error keeps the old rules.
        path.write_text("nonsense")
        while "Keeping the previous rules" not in (line := server.process.stdout.readline()):
            assert line, "the broken file is not noticed"
        assert readable(base, None, "x/d") and not readable(base, None, "c/d")
        base.close()
    finally:
        server.stop()


def test_server_with_rules_that_do_not_parse_does_not_start(tmp_path):
    path = tmp_path / "firestore.rules"
    path.write_text(ruled("match /c/{id} {\n allow read: if (;\n}"))
    with pytest.raises(AssertionError, match="did not start") as raised:
        Server("--rules", str(path))
    assert "5" in str(raised.value), "the line of the error is not named"


def test_coverage_counts_what_came_out_of_each_expression(base):
    source = ruled("""
      function isOwner(id) { return request.auth.uid == id; }
      match /users/{id} { allow read: if isOwner(id) || resource.data.open == true; }
      function always() { return true; }
      match /never/{id} { allow write: if id == "x"; }""")
    base.rules(source)
    base.commit(base.set("users/ann", {"open": False}))
    for caller in ("ann", "bob", "bob", None):
        readable(base, caller and base.mock_token(caller), "users/ann")
    told = base.control("GET", ":ruleCoverage").json()
    [file] = told["rules"]["files"]
    assert file["content"] == source

    def at(marker):
        """The counts of all expressions that begin on the line with that text."""
        line = 1 + next(n for n, text in enumerate(source.split("\n")) if marker in text)
        found = []

        def walk(node):
            place = node["sourcePosition"]
            if place["line"] == line:
                found.append(
                    (
                        place["column"],
                        {json.dumps(value["value"]): value["count"] for value in node["values"]},
                    )
                )
                lines = source.split("\n")
                assert (
                    place["currentOffset"]
                    == sum(len(text) + 1 for text in lines[: line - 1]) + place["column"] - 1
                )
            for child in node["children"]:
                walk(child)

        for node in told["report"]:
            walk(node)
        return [counts for _, counts in sorted(found, key=lambda pair: pair[0])]

    true, false, failed = '{"boolValue": true}', '{"boolValue": false}', '{"undefined": {}}'
    assert {true: 1, false: 2, failed: 1} in at("function isOwner")
    assert at("match /users")[0] == {true: 1, false: 3}, "the allow itself"
    assert {false: 3} in at("match /users"), "resource.data.open == true"
    assert all(counts == {} for counts in at("match /never"))
    assert at("function always") == [], "a value is not evaluated, and so not missed either"


def test_coverage_is_a_page_too(base):
    base.rules(ruled("match /c/{id} { allow read: if id == '<b>'; }"))
    readable(base, None, "c/1")
    reply = base.control("GET", ":ruleCoverage.html")
    assert reply.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "default-src 'none'" in reply.headers["Content-Security-Policy"]
    assert "false ×1" in reply.text and "&#39;&lt;b&gt;&#39;" in reply.text


def test_coverage_has_a_row_for_each_line_whatever_ends_it(base):
    source = ruled("match /c/{id} { allow read: if id == 'x'; }")
    base.rules(source.replace("\n", "\r\n"))
    readable(base, None, "c/1")
    text = base.control("GET", ":ruleCoverage.html").text
    assert text.count('<th scope="row">') == source.count("\n") + 1
    assert "false ×1" in text


def test_coverage_without_rules_is_empty(base):
    assert base.control("GET", ":ruleCoverage").json() == {"rules": {}, "report": []}


# MARK: Where a rule applies


def test_match_applies_to_its_path_only(base):
    base.rules(
        ruled("match /a/{id} { allow read; match /b/{other} { allow read: if id == other; } }")
    )
    assert readable(base, None, "a/1") and readable(base, None, "a/1/b/1")
    assert not readable(base, None, "a/1/b/2") and not readable(base, None, "a/1/c/1")
    assert not readable(base, None, "a/1/b/1/c/1") and not readable(base, None, "aa/1")


def test_rest_of_a_path(base):
    base.rules(
        ruled(
            "match /a/{rest=**} { allow read: if rest != null; }\nmatch /{x=**}/deep/{id} { allow read; }"
        )
    )
    assert (
        readable(base, None, "a/1")
        and readable(base, None, "a/1/b/2/c/3")
        and not readable(base, None, "b/1")
    )
    assert readable(base, None, "deep/1") and readable(base, None, "x/1/y/2/deep/1")


def test_any_allow_is_enough_and_errors_count_as_no(base):
    base.rules(
        ruled(
            "match /c/{id} { allow read: if resource.data.missing.more == 1; allow get: if 1 / 0 == 1 || id == 'a'; }\n"
            "match /{any}/{id} { allow get: if id == 'b'; allow get: if false && any; }"
        )
    )
    assert (
        readable(base, None, "c/a")
        and readable(base, None, "c/b")
        and not readable(base, None, "c/c")
    )


def test_database_variable(hearth):
    base = Firestore(hearth, database="other")
    base.rules(ruled("match /c/{id} { allow read: if database == 'other'; }"))
    default = Firestore(hearth, base.project)
    assert readable(base, None, "c/d") and not readable(default, None, "c/d")
    base.close()
    default.close()


def test_owner_may_do_everything_where_nobody_else_may(base):
    base.rules(ruled("match /{path=**} { allow read, write: if false; }"))
    base.commit(base.set("c/d", {"n": 1}))
    assert base.client.document("c/d").get().to_dict() == {"n": 1}
    assert [doc.id for doc in base.client.collection("c").stream()] == ["d"]
    assert base.rest("GET", "/c/d")["fields"]
    assert base.refused("GET", "/c/d", 403, token=None) == "PERMISSION_DENIED"


# MARK: Methods

METHODS = {
    "get": {"get"},
    "list": {"list"},
    "read": {"get", "list"},
    "create": {"create"},
    "update": {"update"},
    "delete": {"delete"},
    "write": {"create", "update", "delete"},
    "get, delete": {"get", "delete"},
}


@pytest.mark.parametrize("method", METHODS)
def test_method_allows_its_operations_and_no_other(base, method):
    base.rules(ruled(f"match /c/{{id}} {{ allow {method}; }}"))
    base.commit(base.set("c/d", {"n": 1}), base.set("c/gone", {}))
    got = {
        "get": readable(base, None, "c/d"),
        "list": listed(base, None, structured("c")) is not None,
        "create": allowed(base, None, base.set("c/new", {})),
        "update": allowed(base, None, base.set("c/d", {"n": 2})),
        "delete": allowed(base, None, base.delete("c/gone")),
    }
    assert {name for name, yes in got.items() if yes} == METHODS[method]


@pytest.mark.parametrize("method", ["get", "list"])
def test_each_reading_operation_asks_for_its_method(base, method):
    base.rules(ruled(f"match /c/{{id}} {{ allow {method}; }}"))
    base.commit(base.set("c/d", {"n": 1}))
    query = structured("c")
    get = {
        "get_document": base.get_request("c/d"),
        "batch_get_documents": rpc.BatchGetDocumentsRequest(
            database=base.database, documents=[base.name("c/d")]
        ),
    }
    lists = {
        "run_query": rpc.RunQueryRequest(parent=base.root, structured_query=query),
        "run_aggregation_query": rpc.RunAggregationQueryRequest(
            parent=base.root,
            structured_aggregation_query=queries.StructuredAggregationQuery(
                structured_query=query, aggregations=[{"alias": "c", "count": {}}]
            ),
        ),
        "list_documents": rpc.ListDocumentsRequest(parent=base.root, collection_id="c"),
    }
    granted, refused = (get, lists) if method == "get" else (lists, get)
    for name, request in granted.items():
        answer = getattr(base.rpc, name)(request, timeout=30)
        if isinstance(answer, grpc.Call):
            assert list(answer)
    for name, request in refused.items():
        assert base.fails(name, request, token=None) == DENIED, name


def test_one_forbidden_document_refuses_the_whole_batch_get(base):
    base.rules(ruled("match /c/{id} { allow get: if id == 'a'; }"))
    assert len(base.batch_get("c/a", token=None)) == 1
    request = rpc.BatchGetDocumentsRequest(
        database=base.database, documents=[base.name("c/a"), base.name("c/b")]
    )
    assert base.fails("batch_get_documents", request, token=None) == DENIED


def test_metadata_operations_need_the_owner(base):
    base.rules(ruled("match /{path=**} { allow read, write; }"))
    base.commit(base.set("c/d", {}))
    _, token = base.sign_up()
    for caller in (None, token):
        assert (
            base.fails(
                "list_collection_ids", rpc.ListCollectionIdsRequest(parent=base.root), caller
            )
            == DENIED
        )
        assert (
            base.fails(
                "list_documents",
                rpc.ListDocumentsRequest(parent=base.root, collection_id="c", show_missing=True),
                caller,
            )
            == DENIED
        )
    assert base.rest("POST", ":listCollectionIds", json={}) == {"collectionIds": ["c"]}
