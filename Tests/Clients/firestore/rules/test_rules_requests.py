"""Security rules: what a request contains, lookups, denials."""

import grpc
import pytest
from google.cloud.firestore_v1.types import common, write
from google.cloud.firestore_v1.types import firestore as rpc
from google.cloud.firestore_v1.types import query as queries
from support.firestore.project import OWNER, Listener, Writer, base, guard  # noqa: F401
from support.firestore.rules_language import may_read, ruled, status

DENIED, NOT_FOUND = grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.NOT_FOUND
DOCUMENTS = "/databases/$(database)/documents"


def may_write(base, *writes, token: str | None = None) -> bool:
    try:
        base.commit(*writes, token=token)
        return True
    except grpc.RpcError as error:
        assert error.code() == DENIED, error
        return False


# MARK: What a request contains

METHODS = {
    "get": lambda b: b.call("get_document", b.get_request("m/get"), None),
    "create": lambda b: b.commit(b.set("m/create", {}), token=None),
    "update": lambda b: b.commit(b.set("m/update", {"n": 2}), token=None),
    "delete": lambda b: b.commit(b.delete("m/delete"), token=None),
}


@pytest.mark.parametrize("method", METHODS)
def test_method_and_path_of_a_request(base, method):
    base.commit(*[base.set(f"m/{name}", {}) for name in METHODS if name != "create"])
    base.rules(
        ruled(f"""match /m/{{id}} {{
      allow read, write: if request.method == '{method}' && request.method == id
        && request.path == {DOCUMENTS}/m/$(id);
    }}""")
    )
    METHODS[method](base)
    other = "update" if method != "update" else "delete"
    with pytest.raises(grpc.RpcError) as raised:
        METHODS[other](base)
    assert raised.value.code() == DENIED


def test_query_of_a_list_request(base):
    base.rules(
        ruled("""
      match /limit/{id} { allow list: if request.query.limit == 3; }
      match /offset/{id} { allow list: if request.query.offset == 2; }
      match /method/{id} { allow list: if request.method == 'list'; }""")
    )

    def runs(collection, **more):
        query = queries.StructuredQuery(from_=[{"collection_id": collection}], **more)
        try:
            base.stream(
                "run_query", rpc.RunQueryRequest(parent=base.root, structured_query=query), None
            )
            return True
        except grpc.RpcError as error:
            assert error.code() == DENIED
            return False

    assert runs("limit", limit=3) and not runs("limit", limit=4) and not runs("limit")
    assert runs("offset", offset=2) and not runs("offset", offset=1)
    assert runs("method")


def test_resource_after_masks_and_transforms(base):
    base.rules(
        ruled("""match /c/{id} {
      allow update: if request.resource.data.keys().hasOnly(['a', 'b', 'n', 'l'])
        && request.resource.data.a == 1 && request.resource.data.b == 2
        && request.resource.data.n == resource.data.n + 1
        && request.resource.data.l == [1, 2] && request.resource.id == id;
    }""")
    )
    base.commit(base.set("c/d", {"a": 1, "n": 5, "l": [1], "gone": True}))
    transforms = [
        {"field_path": "n", "increment": {"integer_value": 1}},
        {"field_path": "l", "append_missing_elements": {"values": [{"integer_value": 2}]}},
    ]
    mask = common.DocumentMask(field_paths=["b", "gone"])
    write_ = base.set("c/d", {"b": 2}, update_mask=mask, update_transforms=transforms)
    assert may_write(base, write_)
    assert not may_write(base, base.set("c/d", {"b": 3}, update_mask=mask))
    assert base.client.document("c/d").get().to_dict() == {"a": 1, "b": 2, "n": 6, "l": [1, 2]}


def test_deleting_has_no_new_document(base):
    base.rules(
        ruled("""match /c/{id} {
      allow delete: if request.resource == null;
    }
    match /d/{id} { allow delete: if request.resource.data.n == 1; }
    match /e/{id} { allow delete: if resource == null; }""")
    )
    base.commit(base.set("c/a", {"n": 1}), base.set("d/a", {"n": 1}), base.set("e/a", {"n": 1}))
    assert not may_write(base, base.delete("d/a"))
    assert not may_write(base, base.delete("e/a")) and may_write(base, base.delete("e/missing"))


def test_transform_of_a_missing_document_creates(base):
    base.rules(ruled("match /c/{id} { allow create: if request.resource.data.n == 1; }"))
    increment = write.Write(
        transform=write.DocumentTransform(
            document=base.name("c/d"),
            field_transforms=[{"field_path": "n", "increment": {"integer_value": 1}}],
        )
    )
    assert may_write(base, increment)
    assert not may_write(base, increment), "now it is an update"


def test_verification_is_a_read(base):
    base.rules(ruled("match /open/{id} { allow get; } match /w/{id} { allow write; }"))
    assert may_write(base, base.verify("open/d", exists=False), base.set("w/d", {}))
    assert not may_write(base, base.verify("w/x", exists=False), base.set("w/e", {}))
    assert not may_write(base, base.set("open/d", {}))


# MARK: Look-ups


def test_look_ups_of_documents_that_are_missing(base):
    base.rules(
        ruled(f"""
      match /get/{{id}} {{ allow get: if get({DOCUMENTS}/x/none).data.n == 1; }}
      match /exists/{{id}} {{ allow get: if !exists({DOCUMENTS}/x/none); }}
      match /field/{{id}} {{ allow get: if get({DOCUMENTS}/x/there).data.none == 1; }}
      match /name/{{id}} {{ allow get: if get({DOCUMENTS}/x/there).id == 'there'; }}
      match /path/{{id}} {{ allow get: if get(path('/databases/' + database
        + '/documents/x/there')).data.n == 1; }}""")
    )
    base.commit(base.set("x/there", {"n": 1}))
    assert not may_read(base, "get/d") and may_read(base, "exists/d")
    assert not may_read(base, "field/d") and may_read(base, "name/d") and may_read(base, "path/d")


def looks(count: int, first: int = 0) -> str:
    return " && ".join(f"!exists({DOCUMENTS}/x/{n})" for n in range(first, first + count))


def looking(base) -> None:
    """Each collection looks up ten documents of its own."""
    base.rules(
        ruled(
            "\n".join(
                f"match /{name}/{{id}} {{ allow read, write: if {looks(10, first)}; }}"
                for name, first in (("a", 0), ("b", 10), ("c", 20))
            )
            + f"\nmatch /d/{{id}} {{ allow read, write: if {looks(11)}; }}"
        )
    )


def test_batches_may_look_up_twenty_documents(base):
    looking(base)
    assert may_write(base, base.set("a/1", {}), base.set("b/1", {}))
    assert may_write(base, base.set("a/1", {}), base.set("a/2", {}), base.set("a/3", {}))
    assert not may_write(base, base.set("d/1", {}))
    assert len(base.batch_get("a/1", "b/1", token=None)) == 2


@pytest.mark.parametrize("how", ["commit", "batchGet"])
def test_batches_may_not_look_up_thirty_documents(base, how):
    looking(base)
    if how == "commit":
        assert not may_write(base, base.set("a/1", {}), base.set("b/1", {}), base.set("c/1", {}))
    else:
        request = rpc.BatchGetDocumentsRequest(
            database=base.database, documents=[base.name(f"{name}/1") for name in "abc"]
        )
        assert base.fails("batch_get_documents", request, None) == DENIED


@pytest.mark.parametrize("count, good", [(10, True), (11, False)])
def test_queries_may_look_up_ten_documents(base, count, good):
    base.rules(ruled(f"match /c/{{id}} {{ allow list: if {looks(count)}; }}"))
    assert (status(base, "GET", "/c") == 200) == good


def test_state_after_a_deletion(base):
    base.rules(
        ruled(f"""
      match /a/{{id}} {{ allow delete: if !existsAfter({DOCUMENTS}/b/$(id))
        && exists({DOCUMENTS}/b/$(id)); }}
      match /b/{{id}} {{ allow delete; }}""")
    )
    base.commit(base.set("a/1", {}), base.set("b/1", {}))
    assert not may_write(base, base.delete("a/1"))
    assert may_write(base, base.delete("a/1"), base.delete("b/1"))


# MARK: Denials


def test_denial_names_the_line(base):
    base.rules(ruled("match /c/{id} {\n allow get: if id == 'x';\n }"))
    error = base.rest("GET", "/c/d", 403, token=None)["error"]
    assert error["status"] == "PERMISSION_DENIED" and "L5" in error["message"]


@pytest.mark.parametrize("token", [None, "user"])
def test_denied_is_never_unauthenticated(base, token):
    base.rules(ruled("match /c/{id} { allow read, write: if false; }"))
    token = base.sign_up()[1] if token else None
    for method, path, options in [
        ("GET", "/c/d", {}),
        ("PATCH", "/c/d", {"json": {}}),
        ("DELETE", "/c/d", {}),
        ("GET", "/c", {}),
        ("POST", "/c", {"json": {}}),
        ("POST", ":runQuery", {"json": {"structuredQuery": {"from": [{"collectionId": "c"}]}}}),
    ]:
        assert status(base, method, path, token, **options) == 403, (method, path)


def test_owner_is_above_the_rules_on_every_way(base):
    base.rules(ruled("match /{path=**} { allow read, write: if false; }"))
    base.rest("PATCH", "/c/d", json={"fields": {}})
    assert base.call("get_document", base.get_request("c/d"), OWNER)
    listener, writer = Listener(base, OWNER), Writer(base, OWNER)
    listener.add(2, "c/d")
    assert ("change", "c/d", {}, [2], []) in listener.snapshot()
    writer.write(base.set("c/e", {}))
    assert len(writer.result().write_results) == 1
    listener.cancel()
    writer.cancel()


# MARK: Several writes of one document

SEQUENCES = {
    "two updates": (lambda b: [b.set("c/a", {"n": 2}), b.set("c/a", {"n": 3})], "update", 3),
    "delete, then set": (lambda b: [b.delete("c/a"), b.set("c/a", {"n": 3})], "update", 3),
    "set, then delete": (lambda b: [b.set("c/a", {"n": 3}), b.delete("c/a")], "delete", None),
    "create, then update": (
        lambda b: [b.set("c/z", {"n": 2}), b.set("c/z", {"n": 3})],
        "create",
        3,
    ),
    "create, then delete": (lambda b: [b.set("c/z", {"n": 2}), b.delete("c/z")], "delete", None),
    "delete of nothing, then set": (
        lambda b: [b.delete("c/z"), b.set("c/z", {"n": 3})],
        "create",
        3,
    ),
    "create only, then update only": (
        lambda b: [
            b.set("c/z", {"n": 2}, current_document=common.Precondition(exists=False)),
            b.set("c/z", {"n": 3}, current_document=common.Precondition(exists=True)),
        ],
        "create",
        3,
    ),
}


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_writes_of_one_document_are_judged_as_one(base, sequence):
    """From the state before the commit to the one after it."""
    writes, method, number = SEQUENCES[sequence]
    base.commit(base.set("c/a", {"n": 1}))
    for other in {"create", "update", "delete"} - {method}:
        base.rules(ruled(f"match /c/{{id}} {{ allow {other}; }}"))
        assert not may_write(base, *writes(base))
    after = "request.resource == null" if number is None else f"request.resource.data.n == {number}"
    before = (
        "resource == null"
        if method == "create" or "z" in str(writes(base)[0])
        else ("resource.data.n == 1")
    )
    base.rules(
        ruled(f"""match /c/{{id}} {{
      allow {method}: if request.method == '{method}' && {after} && {before}; }}""")
    )
    assert may_write(base, *writes(base))


@pytest.mark.parametrize(
    "path, exists, method", [("c/a", False, "create"), ("c/z", True, "update")]
)
def test_a_condition_of_a_deletion_says_what_a_set_after_it_is(base, path, exists, method):
    """Also where it is not met: rules are asked first."""
    base.commit(base.set("c/a", {"n": 1}))
    condition = common.Precondition(exists=exists)
    writes = [base.delete(path, current_document=condition), base.set(path, {"n": 2})]
    other = "update" if method == "create" else "create"
    base.rules(ruled(f"match /c/{{id}} {{ allow {other}, delete; }}"))
    assert not may_write(base, *writes)
    base.rules(ruled(f"match /c/{{id}} {{ allow {method}; }}"))
    with pytest.raises(grpc.RpcError) as raised:
        base.commit(*writes, token=None)
    assert raised.value.code() in (grpc.StatusCode.ALREADY_EXISTS, NOT_FOUND)


def test_fields_of_several_writes_are_shown_together(base):
    base.commit(base.set("c/a", {"n": 1}))
    base.rules(
        ruled("""match /c/{id} {
      allow update: if request.writeFields == ['t', 'm', 'n'] && request.transforms == ['t']; }""")
    )
    transform = write.DocumentTransform.FieldTransform(
        field_path="t", set_to_server_value="REQUEST_TIME"
    )
    assert may_write(
        base,
        base.set("c/a", {"n": 2}, update_mask=common.DocumentMask(field_paths=["n"])),
        base.set(
            "c/a",
            {"m": 2},
            update_mask=common.DocumentMask(field_paths=["m"]),
            update_transforms=[transform],
        ),
    )


@pytest.mark.parametrize(
    "path, resource",
    [("c/a", "request.resource.data == resource.data"), ("c/z", "request.resource == null")],
)
def test_verified_documents_are_shown(base, path, resource):
    base.commit(base.set("c/a", {"n": 1}))
    base.rules(ruled(f"match /c/{{id}} {{ allow get: if {resource}; }}"))
    assert may_write(base, base.verify(path, exists=path == "c/a"))
