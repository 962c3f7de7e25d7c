"""Security rules as they meet every operation (sdk-wire C), set over `PUT :securityRules` or from a file."""

import datetime
import json
import time

import grpc
import pytest
from google.cloud import firestore
from google.cloud.firestore_v1.types import (
    common, document as documents, firestore as rpc, query as queries)

from support.server import Server
from support.firestore.project import OWNER, Firestore, Listener, Writer, base, guard

DENIED, NOT_FOUND = grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.NOT_FOUND


def ruled(body: str) -> str:
    return ("rules_version = '2';\nservice cloud.firestore {\n"
            "  match /databases/{database}/documents {\n" + body + "\n  }\n}\n")


def allowed(base, token, *writes) -> bool:
    request = base.commit_request(*writes)
    try:
        base.call("commit", request, token)
        return True
    except grpc.RpcError as error:
        assert error.code() == DENIED, error
        return False


def readable(base, token, path: str) -> bool:
    try:
        base.call("get_document", base.get_request(path), token)
        return True
    except grpc.RpcError as error:
        if error.code() == NOT_FOUND:
            return True
        assert error.code() == DENIED, error
        return False


def structured(collection: str, *filters, all_descendants: bool = False, **more) -> queries.StructuredQuery:
    parts = [{"field_filter": {"field": {"field_path": path}, "op": op, "value": value}}
             for path, op, value in filters]
    where = {} if not parts else {"where": parts[0] if len(parts) == 1 else {
        "composite_filter": {"op": "AND", "filters": parts}}}
    return queries.StructuredQuery(
        from_=[{"collection_id": collection, "all_descendants": all_descendants}], **where, **more)


def listed(base, token, query: queries.StructuredQuery, parent: str = ""):
    """The names of the results, or nothing if the query is refused."""
    try:
        answers = base.stream("run_query", rpc.RunQueryRequest(
            parent=f"{base.root}/{parent}".rstrip("/"), structured_query=query), token)
    except grpc.RpcError as error:
        assert error.code() == DENIED, error
        return None
    return [base.path(answer.document.name) for answer in answers if answer.document.name]


def text(value: str):
    return documents.Value(string_value=value)


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


@pytest.mark.parametrize("body, line", [
    ("match /c/{id} {\n  allow read: if request.auth != null &&;\n}", 5),
    ("match c/{id} {\n allow read;\n}", 4),
    ("match /c/{id} {\n}", 5),
    ("match /c/{id} {\n  allow read: if 'open;\n}", 5),
])
def test_rules_with_an_error_name_its_place_and_leave_the_old_ones(base, body, line):
    base.rules(ruled("match /c/{id} { allow read: if false; }"))
    reply = base.control("PUT", ":securityRules", json={
        "rules": {"files": [{"name": "firestore.rules", "content": ruled(body)}]}})
    assert reply.status_code == 400
    error = reply.json()["error"]
    assert error["status"] == "INVALID_ARGUMENT"
    assert error["message"].startswith(f"Error compiling rules:\nL{line}:")
    assert not readable(base, None, "c/d")


@pytest.mark.parametrize("content", ["", "service cloud.firestore { }", "rules_version = '3';", "nonsense"])
def test_what_is_no_ruleset_is_refused(base, content):
    reply = base.control("PUT", ":securityRules", json={
        "rules": {"files": [{"name": "firestore.rules", "content": content}]}})
    assert reply.status_code == 400 and reply.json()["error"]["message"].startswith("Error compiling rules:")
    assert readable(base, None, "c/d")


def test_rules_of_a_file_and_its_changes(tmp_path):
    path = tmp_path / "firestore.rules"
    path.write_text(ruled("match /c/{id} { allow read; }"))
    server = Server("--rules", str(path))
    try:
        base = Firestore(server)
        assert readable(base, None, "c/d") and not readable(base, None, "x/d")
        path.write_text(ruled("match /x/{id} { allow read; }"))
        deadline = time.monotonic() + 15
        while not readable(base, None, "x/d"):
            assert time.monotonic() < deadline, "the changed file is not read"
            time.sleep(0.1)
        assert not readable(base, None, "c/d")
        # A file with an error keeps the old rules.
        path.write_text("nonsense")
        while "The old rules stay" not in (line := server.process.stdout.readline()):
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
                found.append((place["column"], {
                    json.dumps(value["value"]): value["count"] for value in node["values"]}))
                lines = source.split("\n")
                assert place["currentOffset"] == sum(
                    len(text) + 1 for text in lines[:line - 1]) + place["column"] - 1
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


def test_coverage_without_rules_is_empty(base):
    assert base.control("GET", ":ruleCoverage").json() == {"rules": {}, "report": []}


# MARK: Where a rule applies

def test_match_applies_to_its_path_only(base):
    base.rules(ruled("match /a/{id} { allow read; match /b/{other} { allow read: if id == other; } }"))
    assert readable(base, None, "a/1") and readable(base, None, "a/1/b/1")
    assert not readable(base, None, "a/1/b/2") and not readable(base, None, "a/1/c/1")
    assert not readable(base, None, "a/1/b/1/c/1") and not readable(base, None, "aa/1")


def test_rest_of_a_path(base):
    base.rules(ruled("match /a/{rest=**} { allow read: if rest != null; }\nmatch /{x=**}/deep/{id} { allow read; }"))
    assert readable(base, None, "a/1") and readable(base, None, "a/1/b/2/c/3") and not readable(base, None, "b/1")
    assert readable(base, None, "deep/1") and readable(base, None, "x/1/y/2/deep/1")


def test_any_allow_is_enough_and_errors_count_as_no(base):
    base.rules(ruled(
        "match /c/{id} { allow read: if resource.data.missing.more == 1; allow get: if 1 / 0 == 1 || id == 'a'; }\n"
        "match /{any}/{id} { allow get: if id == 'b'; allow get: if false && any; }"))
    assert readable(base, None, "c/a") and readable(base, None, "c/b") and not readable(base, None, "c/c")


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
    "get": {"get"}, "list": {"list"}, "read": {"get", "list"}, "create": {"create"}, "update": {"update"},
    "delete": {"delete"}, "write": {"create", "update", "delete"}, "get, delete": {"get", "delete"}}


@pytest.mark.parametrize("method", METHODS)
def test_method_allows_its_operations_and_no_other(base, method):
    base.rules(ruled(f"match /c/{{id}} {{ allow {method}; }}"))
    base.commit(base.set("c/d", {"n": 1}), base.set("c/gone", {}))
    got = {
        "get": readable(base, None, "c/d"),
        "list": listed(base, None, structured("c")) is not None,
        "create": allowed(base, None, base.set("c/new", {})),
        "update": allowed(base, None, base.set("c/d", {"n": 2})),
        "delete": allowed(base, None, base.delete("c/gone"))}
    assert {name for name, yes in got.items() if yes} == METHODS[method]


@pytest.mark.parametrize("method", ["get", "list"])
def test_each_reading_operation_asks_for_its_method(base, method):
    base.rules(ruled(f"match /c/{{id}} {{ allow {method}; }}"))
    base.commit(base.set("c/d", {"n": 1}))
    query = structured("c")
    get = {
        "get_document": base.get_request("c/d"),
        "batch_get_documents": rpc.BatchGetDocumentsRequest(database=base.database, documents=[base.name("c/d")])}
    lists = {
        "run_query": rpc.RunQueryRequest(parent=base.root, structured_query=query),
        "run_aggregation_query": rpc.RunAggregationQueryRequest(
            parent=base.root, structured_aggregation_query=queries.StructuredAggregationQuery(
                structured_query=query, aggregations=[{"alias": "c", "count": {}}])),
        "list_documents": rpc.ListDocumentsRequest(parent=base.root, collection_id="c")}
    granted, refused = (get, lists) if method == "get" else (lists, get)
    for name, request in granted.items():
        answer = getattr(base.rpc, name)(request, timeout=15)
        if isinstance(answer, grpc.Call):
            assert list(answer)
    for name, request in refused.items():
        assert base.fails(name, request, token=None) == DENIED, name


def test_one_forbidden_document_refuses_the_whole_batch_get(base):
    base.rules(ruled("match /c/{id} { allow get: if id == 'a'; }"))
    assert len(base.batch_get("c/a", token=None)) == 1
    request = rpc.BatchGetDocumentsRequest(database=base.database, documents=[base.name("c/a"), base.name("c/b")])
    assert base.fails("batch_get_documents", request, token=None) == DENIED


def test_metadata_operations_need_the_owner(base):
    base.rules(ruled("match /{path=**} { allow read, write; }"))
    base.commit(base.set("c/d", {}))
    _, token = base.sign_up()
    for caller in (None, token):
        assert base.fails("list_collection_ids", rpc.ListCollectionIdsRequest(parent=base.root), caller) == DENIED
        assert base.fails("list_documents", rpc.ListDocumentsRequest(
            parent=base.root, collection_id="c", show_missing=True), caller) == DENIED
    assert base.rest("POST", ":listCollectionIds", json={}) == {"collectionIds": ["c"]}


# MARK: Data of reads and writes

def test_reading_by_the_stored_data(base):
    base.rules(ruled("match /c/{id} { allow get: if resource.data.open == true; allow get: if resource == null; }"))
    base.commit(base.set("c/open", {"open": True}), base.set("c/shut", {"open": False}), base.set("c/none", {}))
    assert readable(base, None, "c/open") and not readable(base, None, "c/shut") and not readable(base, None, "c/none")
    assert readable(base, None, "c/missing")


def test_create_sees_the_new_document(base):
    base.rules(ruled("""match /c/{id} {
      allow create: if resource == null && request.resource.data.owner == request.auth.uid
        && request.resource.data.keys().hasOnly(['owner', 'n']) && request.resource.data.n is int
        && request.resource.id == id;
    }"""))
    uid, token = base.sign_up()
    assert allowed(base, token, base.set("c/1", {"owner": uid, "n": 1}))
    assert not allowed(base, token, base.set("c/2", {"owner": "else", "n": 1}))
    assert not allowed(base, token, base.set("c/2", {"owner": uid, "n": 1, "more": 1}))
    assert not allowed(base, token, base.set("c/2", {"owner": uid, "n": 1.5}))
    assert not allowed(base, None, base.set("c/2", {"owner": uid, "n": 1}))
    # It exists now, so this is an update.
    assert not allowed(base, token, base.set("c/1", {"owner": uid, "n": 2}))


def test_update_sees_both_the_old_and_the_new_document(base):
    base.rules(ruled("""match /c/{id} {
      allow update: if resource.data.owner == request.auth.uid
        && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['n', 't'])
        && request.resource.data.n == resource.data.n + 1;
    }"""))
    uid, token = base.sign_up()
    _, other = base.sign_up()
    base.commit(base.set("c/d", {"owner": uid, "n": 1, "kept": "x"}))
    mask = common.DocumentMask(field_paths=["n"])
    assert allowed(base, token, base.set("c/d", {"n": 2}, update_mask=mask))
    assert not allowed(base, token, base.set("c/d", {"n": 9}, update_mask=mask))
    assert not allowed(base, other, base.set("c/d", {"n": 3}, update_mask=mask))
    assert not allowed(base, token, base.set("c/d", {"n": 3})), "the others would be lost"
    assert allowed(base, token, base.set("c/d", {}, update_mask=common.DocumentMask(), update_transforms=[
        {"field_path": "n", "increment": {"integer_value": 1}}]))
    assert not allowed(base, token, base.set("c/d", {}, update_mask=common.DocumentMask(), update_transforms=[
        {"field_path": "n", "increment": {"integer_value": 2}}]))
    assert base.client.document("c/d").get().to_dict() == {"owner": uid, "n": 3, "kept": "x"}


def test_delete_sees_the_old_document(base):
    base.rules(ruled("match /c/{id} { allow delete: if resource.data.owner == request.auth.uid; }"))
    uid, token = base.sign_up()
    base.commit(base.set("c/mine", {"owner": uid}), base.set("c/else", {"owner": "else"}))
    assert allowed(base, token, base.delete("c/mine")) and not allowed(base, token, base.delete("c/else"))
    assert not allowed(base, token, base.delete("c/missing"))


def test_server_time_is_the_time_of_the_request(base):
    base.rules(ruled("match /c/{id} { allow create: if request.resource.data.at == request.time; }"))
    assert allowed(base, None, base.set("c/1", {}, update_transforms=[
        {"field_path": "at", "set_to_server_value": "REQUEST_TIME"}]))
    assert not allowed(base, None, base.set("c/2", {"at": 5}))


def test_denied_write_writes_nothing_of_its_batch(base):
    base.rules(ruled("match /open/{id} { allow write; }"))
    assert not allowed(base, None, base.set("open/1", {}), base.set("shut/1", {}), base.set("open/2", {}))
    assert not base.client.document("open/1").get().exists
    assert allowed(base, None, base.set("open/1", {}), base.set("open/2", {}))


def test_denial_comes_before_preconditions(base):
    """Whether a document exists is nobody's business who may not read it."""
    base.rules(ruled("match /c/{id} { allow get: if false; }"))
    base.commit(base.set("c/there", {}))
    for path in ("c/there", "c/missing"):
        for exists in (True, False):
            request = base.commit_request(base.set(path, {}, current_document=common.Precondition(exists=exists)))
            assert base.fails("commit", request, token=None) == DENIED, (path, exists)


def test_batch_writes_are_for_admins(base):
    """Whatever the rules say."""
    base.rules(ruled("match /open/{id} { allow write; }"))
    request = rpc.BatchWriteRequest(database=base.database, writes=[base.set("open/1", {})])
    assert base.fails("batch_write", request, token=None) == DENIED
    assert [status.code for status in base.call("batch_write", request).status] == [0]


def test_preconditions_say_whether_a_write_creates_or_updates(base):
    """As the official emulator judges: what the client expects comes before what exists."""
    base.commit(base.set("create/there", {}), base.set("update/there", {}))
    base.rules(ruled("""
      match /create/{id} { allow create; }
      match /update/{id} { allow update; }"""))
    now = {"seconds": 1577836800}
    for path, condition, create, update in (
        ("missing", {"exists": True}, DENIED, grpc.StatusCode.NOT_FOUND),
        ("missing", {"update_time": now}, DENIED, grpc.StatusCode.FAILED_PRECONDITION),
        ("there", {"exists": False}, grpc.StatusCode.ALREADY_EXISTS, DENIED),
        ("there", {"exists": True}, DENIED, None),
        ("missing", {"exists": False}, None, DENIED),
    ):
        for collection, code in (("create", create), ("update", update)):
            request = base.commit_request(base.set(
                f"{collection}/{path}", {}, current_document=common.Precondition(**condition)))
            if code is None:
                base.call("commit", request, None)
            else:
                assert base.fails("commit", request, token=None) == code, (collection, path, condition)


def test_request_resource_is_null_on_a_deletion(base):
    base.commit(base.set("c/a", {"n": 1}))
    base.rules(ruled("match /c/{id} { allow write: if request.resource == null || request.resource.data.n > 1; }"))
    base.commit(base.set("c/a", {"n": 2}), token=None)
    assert base.fails("commit", base.commit_request(base.set("c/a", {"n": 1})), token=None) == DENIED
    base.commit(base.delete("c/a"), token=None)
    base.rules(ruled("match /c/{id} { allow read: if request.resource == null; }"))
    assert not readable(base, None, "c/a")


# MARK: Looking elsewhere

def test_get_and_exists(base):
    base.rules(ruled("""
      function role(uid) { return get(/databases/$(database)/documents/roles/$(uid)).data.role; }
      match /c/{id} {
        allow read: if exists(/databases/$(database)/documents/roles/$(request.auth.uid));
        allow write: if role(request.auth.uid) == 'editor';
      }"""))
    uid, token = base.sign_up()
    assert not readable(base, token, "c/d") and not allowed(base, token, base.set("c/d", {}))
    base.commit(base.set(f"roles/{uid}", {"role": "reader"}))
    assert readable(base, token, "c/d") and not allowed(base, token, base.set("c/d", {}))
    base.commit(base.set(f"roles/{uid}", {"role": "editor"}))
    assert allowed(base, token, base.set("c/d", {}))
    assert not readable(base, None, "c/d")


def test_get_after_sees_the_whole_batch(base):
    base.rules(ruled("""
      function there(id) { return /databases/$(database)/documents/counts/$(id); }
      match /items/{id} {
        allow create: if existsAfter(there(id)) && getAfter(there(id)).data.n == request.resource.data.n
          && !exists(there(id));
      }
      match /counts/{id} { allow create: if existsAfter(/databases/$(database)/documents/items/$(id)); }"""))
    item, count = base.set("items/a", {"n": 1}), base.set("counts/a", {"n": 1})
    assert not allowed(base, None, item) and not allowed(base, None, count)
    assert not allowed(base, None, item, base.set("counts/a", {"n": 2}))
    assert allowed(base, None, item, count)
    assert allowed(base, None, base.set("counts/b", {"n": 2}), base.set("items/b", {"n": 2})), "the order does not matter"


def test_get_sees_what_was_before_the_batch(base):
    base.rules(ruled("""
      match /c/{id} { allow write: if get(/databases/$(database)/documents/lock/l).data.open; }
      match /lock/l { allow write; }"""))
    base.commit(base.set("lock/l", {"open": False}))
    assert not allowed(base, None, base.set("lock/l", {"open": True}), base.set("c/d", {}))
    assert allowed(base, None, base.set("lock/l", {"open": True}))
    assert allowed(base, None, base.set("lock/l", {"open": False}), base.set("c/d", {}))


def test_more_than_ten_look_ups_are_too_many(base):
    def looks(count):
        return " && ".join(f"!exists(/databases/$(database)/documents/x/{n})" for n in range(count))

    base.rules(ruled(
        f"match /ten/{{id}} {{ allow get: if {looks(10)}; }}\nmatch /eleven/{{id}} {{ allow get: if {looks(11)}; }}\n"
        "match /same/{id} { allow get: if "
        + " && ".join(["!exists(/databases/$(database)/documents/x/1)"] * 15) + "; }"))
    assert readable(base, None, "ten/d") and readable(base, None, "same/d") and not readable(base, None, "eleven/d")


def test_functions_with_let_and_endless_calls(base):
    base.rules(ruled("""
      function sum(a, b) { let c = a + b; let d = c * 2; return d; }
      match /c/{id} { allow get: if sum(int(id), 3) == 10; }"""))
    assert readable(base, None, "c/2") and not readable(base, None, "c/3") and not readable(base, None, "c/x")
    reply = base.control("PUT", ":securityRules", json={"rules": {"files": [{
        "name": "f", "content": ruled("function f(a) { return f(a); } match /c/{id} { allow get: if f(id); }")}]}})
    # Refused at once, or denied when it runs.
    assert reply.status_code == 400 or not readable(base, None, "c/2")


# MARK: Queries

@pytest.fixture
def posts(base):
    base.rules(ruled("""
      match /posts/{id} {
        allow get: if true;
        allow list: if resource.data.owner == request.auth.uid || resource.data.public == true;
      }
      match /limited/{id} { allow list: if request.query.limit <= 5; }
      match /open/{id} { allow list; }
      match /mine/{uid}/notes/{id} { allow list: if request.auth.uid == uid; }
      match /{path=**}/grouped/{id} { allow list: if resource.data.public == true; }
      match /signed/{id} { allow list: if request.auth != null; }"""))
    base.uid, base.token = base.sign_up()
    base.commit(
        base.set("posts/1", {"owner": base.uid, "public": False}), base.set("posts/2", {"owner": "else", "public": True}),
        base.set("posts/3", {"owner": "else", "public": False}), base.set(f"mine/{base.uid}/notes/1", {}),
        base.set("mine/else/notes/1", {}), base.set("x/1/grouped/1", {"public": True}),
        base.set("grouped/2", {"public": False}), base.set("open/1", {}))
    return base


YES = documents.Value(boolean_value=True)


def test_query_must_be_provable(posts):
    own = structured("posts", ("owner", "EQUAL", text(posts.uid)))
    assert listed(posts, posts.token, own) == ["posts/1"]
    assert listed(posts, posts.token, structured("posts", ("public", "EQUAL", YES))) == ["posts/2"]
    assert listed(posts, posts.token, structured("posts")) is None
    assert listed(posts, posts.token, structured("posts", ("owner", "EQUAL", text("else")))) is None
    assert listed(posts, None, own) is None
    assert listed(posts, None, structured("posts", ("public", "EQUAL", YES))) == ["posts/2"]


def test_query_that_finds_nothing_forbidden_is_refused_all_the_same(posts):
    base = posts
    base.commit(base.delete("posts/2"), base.delete("posts/3"))
    assert listed(base, base.token, structured("posts")) is None


def test_narrower_query_is_allowed_and_wider_is_not(posts):
    own = ("owner", "EQUAL", text(posts.uid))
    assert listed(posts, posts.token, structured("posts", own, ("public", "EQUAL", YES))) == []
    either = queries.StructuredQuery(from_=[{"collection_id": "posts"}], where={"composite_filter": {"op": "OR", "filters": [
        {"field_filter": {"field": {"field_path": "owner"}, "op": "EQUAL", "value": text(posts.uid)}},
        {"field_filter": {"field": {"field_path": "public"}, "op": "EQUAL", "value": YES}}]}})
    assert listed(posts, posts.token, either) == ["posts/1", "posts/2"]
    wider = queries.StructuredQuery(from_=[{"collection_id": "posts"}], where={"composite_filter": {"op": "OR", "filters": [
        {"field_filter": {"field": {"field_path": "owner"}, "op": "EQUAL", "value": text(posts.uid)}},
        {"field_filter": {"field": {"field_path": "owner"}, "op": "EQUAL", "value": text("else")}}]}})
    assert listed(posts, posts.token, wider) is None


def test_limit_of_a_query(posts):
    assert listed(posts, None, structured("limited", limit=5)) == []
    assert listed(posts, None, structured("limited", limit=6)) is None
    assert listed(posts, None, structured("limited")) is None


def test_query_by_the_place_of_its_collection(posts):
    assert listed(posts, posts.token, structured("notes"), f"mine/{posts.uid}") == [f"mine/{posts.uid}/notes/1"]
    assert listed(posts, posts.token, structured("notes"), "mine/else") is None
    assert listed(posts, posts.token, structured("signed")) == [] and listed(posts, None, structured("signed")) is None


def test_collection_group_needs_a_rule_for_every_place(posts):
    public = ("public", "EQUAL", YES)
    assert listed(posts, None, structured("grouped", public, all_descendants=True)) == ["x/1/grouped/1"]
    assert listed(posts, None, structured("grouped", all_descendants=True)) is None
    assert listed(posts, None, structured("open", all_descendants=True)) is None, "the rule covers one place only"


def test_aggregations_and_lists_are_judged_as_queries(posts):
    def count(query):
        return rpc.RunAggregationQueryRequest(
            parent=posts.root, structured_aggregation_query=queries.StructuredAggregationQuery(
                structured_query=query, aggregations=[{"alias": "c", "count": {}}]))

    own = structured("posts", ("owner", "EQUAL", text(posts.uid)))
    [answer] = posts.stream("run_aggregation_query", count(own), posts.token)
    assert answer.result.aggregate_fields["c"].integer_value == 1
    assert posts.fails("run_aggregation_query", count(structured("posts")), posts.token) == DENIED
    assert posts.fails("list_documents", rpc.ListDocumentsRequest(
        parent=posts.root, collection_id="posts"), posts.token) == DENIED
    answer = posts.call("list_documents", rpc.ListDocumentsRequest(parent=posts.root, collection_id="open"), None)
    assert len(answer.documents) == 1


def test_query_of_everything_needs_a_rule_for_everything(posts):
    everything = queries.StructuredQuery(from_=[{"all_descendants": True}])
    assert listed(posts, posts.token, everything) is None
    assert len(listed(posts, OWNER, everything)) == 8
    posts.rules(ruled("match /{path=**} { allow list: if request.auth != null; }"))
    assert len(listed(posts, posts.token, everything)) == 8
    assert listed(posts, None, everything) is None


def test_query_by_name_is_judged_by_the_documents(posts):
    """As the official emulator: each named document is read and must pass, `get` is not enough."""
    def named(*paths, field="__name__", op="IN"):
        values = [documents.Value(reference_value=posts.name(path)) for path in paths]
        value = values[0] if op == "EQUAL" else documents.Value(array_value={"values": values})
        return (field, op, value)

    def found(*filters, token=posts.token, **more):
        return listed(posts, token, structured("posts", *filters, **more))

    assert found(named("posts/1")) == ["posts/1"] == found(named("posts/1", op="EQUAL"))
    assert found(named("posts/1", "posts/2")) == ["posts/1", "posts/2"]
    assert found(named("posts/1", "posts/3")) is None and found(named("posts/3", op="EQUAL")) is None
    assert found(named("posts/1"), token=None) is None and found(named("posts/2"), token=None) == ["posts/2"]
    # A document that is missing has no data.
    assert found(named("posts/1", "posts/9")) is None
    # What else the query asks for does not make it right to ask for this one.
    assert found(named("posts/3"), ("owner", "EQUAL", text(posts.uid))) is None
    # One of another collection is judged too, and not found.
    assert found(named("x/1/grouped/1"), token=None, all_descendants=True) == []
    assert found(named("grouped/2"), token=None, all_descendants=True) is None
    posts.rules(ruled("match /posts/{id} { allow get: if true; allow list: if resource == null || id == '9'; }"))
    assert found(named("posts/1")) is None and found(named("posts/9")) == [] and found(named("posts/8")) is None


def test_what_rules_see_of_a_query(posts):
    def sees(condition, query, parent=""):
        posts.rules(ruled(f"match /{{path=**}}/posts/{{id}} {{ allow list: if {condition}; }}"))
        return listed(posts, None, query, parent) is not None

    ordered = structured("posts", order_by=[
        {"field": {"field_path": "a.b"}, "direction": "DESCENDING"}, {"field": {"field_path": "c"}}])
    assert sees("request.query.orderBy == {'a.b': 'DESC', 'c': 'ASC'}", ordered)
    assert sees("request.query.orderBy == {}", structured("posts"))
    # An order that the query has without being asked does not show.
    assert sees("request.query.orderBy == {}", structured("posts", ("n", "GREATER_THAN", documents.Value(integer_value=1))))
    assert sees("request.query.limit == null && request.query.offset == 0", structured("posts"))
    assert sees("request.path == /databases/(default)/documents/posts", structured("posts"))
    assert sees("request.path == /databases/$(database)/documents/x/1/posts", structured("posts"), "x/1")
    assert not sees("request.path == request.path", structured("posts", all_descendants=True))


# MARK: Streams

def test_denied_target_is_removed_from_a_healthy_stream(base):
    base.rules(ruled("match /open/{id} { allow read; }"))
    listener = Listener(base, None)
    started = time.monotonic()
    listener.add(2, "shut/d")
    assert [listener.event(), listener.event()] == [("ADD", [2]), ("REMOVE", [2], 7)]
    assert time.monotonic() - started < 2
    listener.add(4, query=structured("shut"))
    assert listener.until(("REMOVE", [4], 7)) in ([("ADD", [4])], [])
    listener.add(6, "open/d")
    assert listener.until(("CURRENT", [6])) == [("ADD", [6]), ("delete", "open/d", [6])]
    base.commit(base.set("open/d", {"n": 1}), base.set("shut/d", {"n": 1}))
    assert [event for event in listener.snapshot()] == [("change", "open/d", {"n": 1}, [6], [])]
    listener.half_close()
    assert listener.end() == grpc.StatusCode.OK


def test_listened_query_is_judged_as_one_that_runs(posts):
    listener = Listener(posts, posts.token)
    listener.add(2, query=structured("posts"))
    assert listener.until(("REMOVE", [2], 7)) in ([("ADD", [2])], [])
    listener.add(2, query=structured("posts", ("owner", "EQUAL", text(posts.uid))))
    assert any(event[1] == "posts/1" for event in listener.snapshot())
    posts.commit(posts.set("posts/3", {"owner": "else"}), posts.set("posts/4", {"owner": posts.uid}))
    assert [event[1] for event in listener.snapshot()] == ["posts/4"]
    listener.cancel()


def test_denied_write_ends_the_write_stream(base):
    base.rules(ruled("match /open/{id} { allow write; }"))
    writer = Writer(base, None)
    writer.write(base.set("open/d", {"n": 1}))
    assert writer.result().write_results
    writer.write(base.set("open/d", {"n": 2}), base.set("shut/d", {"n": 2}))
    assert writer.end() == DENIED
    assert base.client.document("open/d").get().to_dict() == {"n": 1}


def test_transaction_of_a_client_is_judged(base):
    base.rules(ruled("match /c/{id} { allow read; allow update: if request.resource.data.n == resource.data.n + 1; }"))
    base.commit(base.set("c/d", {"n": 1}))
    answers = base.batch_get("c/d", token=None, new_transaction=common.TransactionOptions(read_write={}))
    request = base.commit_request(base.set("c/d", {"n": 5}), transaction=answers[0].transaction)
    assert base.fails("commit", request, token=None) == DENIED
    answers = base.batch_get("c/d", token=None, new_transaction=common.TransactionOptions(read_write={}))
    base.commit(base.set("c/d", {"n": 2}), token=None, transaction=answers[0].transaction)


def test_rest_is_judged_as_grpc(base):
    base.rules(ruled("match /c/{id} { allow get, create: if id == 'a'; allow list: if false; }"))
    assert base.rest("POST", "/c?documentId=a", token=None, json={"fields": {}})
    assert base.rest("GET", "/c/a", token=None)
    for method, path, body in [
        ("GET", "/c/b", None), ("POST", "/c?documentId=b", {}), ("PATCH", "/c/a", {}), ("DELETE", "/c/a", None),
        ("GET", "/c", None), ("POST", ":runQuery", {"structuredQuery": {"from": [{"collectionId": "c"}]}}),
        ("POST", ":batchGet", {"documents": [base.name("c/b")]}),
        ("POST", ":commit", {"writes": [{"delete": base.name("c/a")}]}),
    ]:
        assert base.refused(method, path, 403, token=None, json=body) == "PERMISSION_DENIED", (method, path)


# MARK: Expressions

EXPRESSIONS = [
    ("true", True), ("false", False), ("!false", True), ("1 + 2 * 3 == 7", True), ("7 / 2 == 3", True), ("7 % 4 == 3", True),
    ("7.0 / 2 == 3.5", True), ("-3 < -2", True), ("1 == 1.0", True), ("'a' + 'b' == \"ab\"", True), ("'abc'[1] == 'b'", True),
    ("'abc'[0:2] == 'ab'", True), ("1 == 1 ? true : false", True), ("true || 1 / 0 == 1", True), ("1 / 0 == 1 || true", True),
    ("false && 1 / 0 == 1", False), ("!(1 / 0 == 1)", False), ("'a' in ['a', 'b']", True), ("'c' in ['a']", False),
    ("'k' in {'k': 1}", True), ("!('x' in {'k': 1})", True), ("1 is int && 1 is number && !(1 is float)", True),
    ("1.5 is float", True), ("'x' is string", True), ("[1] is list", True), ("{'a': 1} is map", True), ("true is bool", True),
    ("null == null", True), ("request.time is timestamp", True), ("duration.value(1, 'h') is duration", True),
    ("/a/b is path", True), ("latlng.value(1, 2) is latlng", True), ("'ab'.toUtf8() is bytes", True),
    ("'Ab'.lower() == 'ab' && 'Ab'.upper() == 'AB'", True), ("' a '.trim() == 'a'", True), ("'abc'.size() == 3", True),
    ("'abc'.matches('a.c')", True), ("'abcd'.matches('a.c')", False), ("'a-b'.split('-') == ['a', 'b']", True),
    ("'aXbX'.replace('X', 'y') == 'ayby'", True), ("string(5) == '5' && int('5') == 5 && float('1.5') == 1.5", True),
    ("math.abs(-2) == 2 && math.ceil(1.2) == 2 && math.floor(1.8) == 1 && math.round(1.5) == 2", True),
    ("math.pow(2, 3) == 8 && math.sqrt(9) == 3", True),
    ("[1, 2, 3].hasAll([1, 2]) && [1, 2].hasAny([2, 5]) && [1].hasOnly([1, 2])", True), ("[1, 2].hasOnly([1])", False),
    ("[1, 2].size() == 2 && [1].concat([2]) == [1, 2] && ['a', 'b'].join('-') == 'a-b'", True),
    ("[1, 2, 2].removeAll([2]) == [1]", True), ("[1, 1, 2].toSet().size() == 2", True),
    ("['a'].toSet() == ['a', 'a'].toSet()", True), ("[1, 2].toSet().difference([2].toSet()) == [1].toSet()", True),
    ("{'a': 1, 'b': 2}.keys().hasAll(['a', 'b']) && {'a': 1}.values() == [1] && {'a': 1}.size() == 1", True),
    ("{'a': 1}.get('a', 0) == 1 && {'a': 1}.get('x', 5) == 5 && {'a': {'b': 2}}.get(['a', 'b'], 0) == 2", True),
    ("{'a': 1, 'b': 2}.diff({'b': 3, 'c': 4}).affectedKeys() == ['a', 'b', 'c'].toSet()", True),
    ("{'a': 1}.diff({'c': 4}).addedKeys() == ['a'].toSet() && {'a': 1}.diff({'c': 4}).removedKeys() == ['c'].toSet()", True),
    ("{'a': 1}.diff({'a': 1}).unchangedKeys().hasOnly(['a']) && {'a': 1}.diff({'a': 2}).changedKeys().size() == 1", True),
    ("timestamp.date(2024, 2, 29).month() == 2 && timestamp.date(2024, 2, 29).dayOfYear() == 60", True),
    ("timestamp.value(1000).toMillis() == 1000", True),
    ("timestamp.date(2024, 1, 1) + duration.value(1, 'd') == timestamp.date(2024, 1, 2)", True),
    ("request.time > timestamp.date(2020, 1, 1)", True), ("duration.time(1, 1, 1, 0).seconds() == 3661", True),
    ("latlng.value(0, 0).distance(latlng.value(0, 1)) > 110000", True),
    ("hashing.md5('a').toHexString().lower() == '0cc175b9c0f1b6a831c399e269772661'", True),
    ("hashing.sha256('a').size() == 32", True), ("'a'.toUtf8().toBase64() == 'YQ=='", True),
    ("request.method == 'get'", True), ("request.auth == null", True), ("request.auth.uid == 'x'", False),
    ("request.path == /databases/$(database)/documents/expr/$(id)", True), ("resource.data.text == 'x'", True),
    ("resource.data.n == 5 && resource.data.list[1] == 2 && resource.data.map.k == 'v' && resource.data['n'] == 5", True),
    ("resource.data.when < request.time && resource.data.at.latitude() == 1.0", True), ("resource.id == id", True),
    ("resource.data.nothing == null", True), ("resource.data.missing == null", False), ("resource.data.get('missing', 1) == 1", True),
    ("resource.data.ref == /databases/$(database)/documents/a/b", True), ("'text' in resource.data", True),
    ("debug(true)", True),
]


@pytest.mark.parametrize("text, expected", EXPRESSIONS, ids=[text for text, _ in EXPRESSIONS])
def test_expression(base, text, expected):
    base.rules(ruled(f"match /expr/{{id}} {{ allow get: if {text}; }}"))
    base.commit(base.set("expr/e", {
        "text": "x", "n": 5, "list": [1, 2], "map": {"k": "v"}, "nothing": None, "at": firestore.GeoPoint(1, 2),
        "when": datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc), "ref": base.client.document("a/b")}))
    assert readable(base, None, "expr/e") == expected


@pytest.mark.parametrize("text", ["'text'", "5", "null", "1 + true", "'a' - 'b'", "[1].nothing()", "nobody", "1 &&", "(1"])
def test_expression_without_a_truth_value_never_allows(base, text):
    reply = base.control("PUT", ":securityRules", json={"rules": {"files": [{
        "name": "f", "content": ruled(f"match /expr/{{id}} {{ allow get: if {text}; }}")}]}})
    # Refused when it is loaded, or denied when it runs.
    assert reply.status_code == 400 and reply.json()["error"] or not readable(base, None, "expr/e")
