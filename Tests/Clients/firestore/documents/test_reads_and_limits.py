"""Reading many documents, plain RPCs, several databases, limits, reads in the past."""

import datetime

import grpc
import pytest
from google.api_core import exceptions
from google.cloud.firestore_v1 import _helpers
from google.cloud.firestore_v1.types import common, write
from google.cloud.firestore_v1.types import document as documents
from google.cloud.firestore_v1.types import firestore as rpc
from support.firestore.documents import stored
from support.firestore.project import Firestore, base, db, guard  # noqa: F401

UTC = datetime.UTC
INVALID = grpc.StatusCode.INVALID_ARGUMENT
MIB = 1_048_576


# MARK: Reading many


def test_get_all_answers_each_document_once(db):
    c = db.collection("c")
    for n in range(5):
        c.document(str(n)).set({"n": n, "m": n})
    references = [c.document(str(n)) for n in (4, 7, 0, 4, 2)]
    snapshots = list(db.get_all(references, timeout=30))
    assert sorted(snapshot.id for snapshot in snapshots) == ["0", "2", "4", "7"]
    assert {snapshot.id: snapshot.to_dict() for snapshot in snapshots} == {
        "0": {"n": 0, "m": 0},
        "2": {"n": 2, "m": 2},
        "4": {"n": 4, "m": 4},
        "7": None,
    }
    assert len({snapshot.read_time for snapshot in snapshots}) == 1
    masked = list(db.get_all(references[:1], field_paths=["m"], timeout=30))
    assert masked[0].to_dict() == {"m": 4}


def test_documents_of_another_database_are_refused(base):
    request = rpc.BatchGetDocumentsRequest(
        database=base.database, documents=[f"projects/{base.project}/databases/else/documents/a/b"]
    )
    assert base.fails("batch_get_documents", request) == INVALID


@pytest.mark.parametrize("page_size", [1, 2, 3, 5, 100])
def test_list_documents_by_pages_with_missing_ancestors(db, page_size):
    c = db.collection("c")
    for path in ("a", "b/d/e", "c/d/e/f/g", "d", "e"):
        db.document(f"c/{path}").set({"n": 1})
    listed = list(c.list_documents(page_size=page_size, timeout=30))
    assert [reference.id for reference in listed] == ["a", "b", "c", "d", "e"]


def test_missing_ancestors_have_no_times(base):
    base.commit(base.set("c/a/d/e", {"n": 1}), base.set("c/b", {"n": 1}))
    request = {"parent": base.root, "collection_id": "c"}
    answer = base.call("list_documents", rpc.ListDocumentsRequest(show_missing=True, **request))
    a, b = answer.documents
    assert (base.path(a.name), base.path(b.name)) == ("c/a", "c/b")
    assert not documents.Document.pb(a).HasField("create_time") and not a.fields
    assert documents.Document.pb(b).HasField("update_time") and b.fields
    answer = base.call("list_documents", rpc.ListDocumentsRequest(**request))
    assert [base.path(document.name) for document in answer.documents] == ["c/b"]


def test_list_documents_with_order_mask_and_pages(base):
    base.commit(*[base.set(f"c/{n}", {"n": n % 3, "m": n}) for n in range(7)])
    seen, token = [], ""
    while True:
        answer = base.call(
            "list_documents",
            rpc.ListDocumentsRequest(
                parent=base.root,
                collection_id="c",
                order_by="n desc",
                page_size=3,
                page_token=token,
                mask=common.DocumentMask(field_paths=["m"]),
            ),
        )
        assert len(answer.documents) <= 3
        seen += [base.data(document)["m"] for document in answer.documents]
        assert all(set(document.fields) == {"m"} for document in answer.documents)
        token = answer.next_page_token
        if not token:
            break
    assert [n % 3 for n in seen] == [2, 2, 1, 1, 0, 0, 0] and sorted(seen) == list(range(7))


def test_list_documents_of_all_collections_below_a_parent(base):
    base.commit(base.set("a/1", {"n": 1}), base.set("b/2", {"n": 2}))
    answer = base.call("list_documents", rpc.ListDocumentsRequest(parent=base.root))
    assert [base.path(document.name) for document in answer.documents] == ["a/1", "b/2"]


def test_collections_of_root_and_of_a_document(db):
    for path in ("b/1", "a/1", "a/1/z/1", "a/1/y/1", "a/2/x/1", "c/1/d/1"):
        db.document(path).set({"n": 1})
    assert [c.id for c in db.collections(timeout=30)] == ["a", "b", "c"]
    assert [c.id for c in db.document("a/1").collections(timeout=30)] == ["y", "z"]
    assert [c.id for c in db.document("c/1").collections(timeout=30)] == ["d"]
    assert list(db.document("b/1").collections(timeout=30)) == []


def test_collection_ids_come_in_pages(base):
    base.commit(*[base.set(f"c{n:02}/d", {"n": 1}) for n in range(25)])
    seen, token = [], ""
    while True:
        answer = base.call(
            "list_collection_ids",
            rpc.ListCollectionIdsRequest(parent=base.root, page_size=10, page_token=token),
        )
        assert len(list(rpc.ListCollectionIdsResponse.pb(answer).collection_ids)) <= 10
        seen += answer.collection_ids
        token = answer.next_page_token
        if not token:
            break
    assert seen == [f"c{n:02}" for n in range(25)]


def test_emptied_collection_is_no_longer_listed(db):
    db.document("a/1").set({"n": 1})
    db.document("a/1").delete()
    assert list(db.collections(timeout=30)) == []


def test_recursive_delete(db):
    for path in ("a/1", "a/1/b/1", "a/1/b/1/c/1", "a/2/b/1", "ab/1", "a/3"):
        db.document(path).set({"n": 1})
    assert db.recursive_delete(db.document("a/1")) == 3
    assert not db.document("a/1/b/1/c/1").get().exists
    db.recursive_delete(db.collection("a"))
    assert [c.id for c in db.collections()] == ["ab"]


# MARK: The plain operations


def test_get_document_answers_not_found(base):
    assert base.fails("get_document", base.get_request("c/none")) == grpc.StatusCode.NOT_FOUND


def test_create_document_with_and_without_an_id(base):
    def request(**more):
        return rpc.CreateDocumentRequest(
            parent=base.root,
            collection_id="c",
            document=documents.Document(fields=_helpers.encode_dict({"n": 1})),
            **more,
        )

    made = base.call("create_document", request())
    assert len(made.name.split("/")[-1]) == 20 and base.data(made) == {"n": 1}
    assert made.create_time == made.update_time
    made = base.call("create_document", request(document_id="x"))
    assert base.path(made.name) == "c/x"
    assert base.fails("create_document", request(document_id="x")) == grpc.StatusCode.ALREADY_EXISTS
    below = rpc.CreateDocumentRequest(
        parent=base.name("c/x"), collection_id="d", document_id="y", document=documents.Document()
    )
    assert base.path(base.call("create_document", below).name) == "c/x/d/y"


def test_update_document_with_masks(base):
    document = base.document("c/d", {"a": 1, "b": 2})
    base.call("update_document", rpc.UpdateDocumentRequest(document=document))
    answer = base.call(
        "update_document",
        rpc.UpdateDocumentRequest(
            document=base.document("c/d", {"a": 5}),
            update_mask=common.DocumentMask(field_paths=["a", "c"]),
            mask=common.DocumentMask(field_paths=["b"]),
        ),
    )
    assert base.data(answer) == {"b": 2}
    assert stored(base.client.document("c/d")) == {"a": 5, "b": 2}
    request = rpc.UpdateDocumentRequest(
        document=base.document("c/none", {}), current_document=common.Precondition(exists=True)
    )
    assert base.fails("update_document", request) == grpc.StatusCode.NOT_FOUND


def test_delete_document(base):
    base.commit(base.set("c/d", {"n": 1}))
    base.call("delete_document", rpc.DeleteDocumentRequest(name=base.name("c/d")))
    base.call("delete_document", rpc.DeleteDocumentRequest(name=base.name("c/d")))
    request = rpc.DeleteDocumentRequest(
        name=base.name("c/d"), current_document=common.Precondition(exists=True)
    )
    assert base.fails("delete_document", request) == grpc.StatusCode.NOT_FOUND


def test_execute_pipeline_is_unimplemented(base):
    request = rpc.ExecutePipelineRequest(database=base.database)
    assert base.fails("execute_pipeline", request) == grpc.StatusCode.UNIMPLEMENTED


def test_unknown_method_is_unimplemented(base):
    method = base.rpc.grpc_channel.unary_unary("/google.firestore.v1.Firestore/Nothing")
    with pytest.raises(grpc.RpcError) as raised:
        method(b"", timeout=30)
    assert raised.value.code() == grpc.StatusCode.UNIMPLEMENTED


def test_message_that_cannot_be_read_has_a_status(base):
    method = base.rpc.grpc_channel.unary_unary("/google.firestore.v1.Firestore/GetDocument")
    with pytest.raises(grpc.RpcError) as raised:
        method(b"\xff\xff\xff", timeout=30)
    assert raised.value.code() in (INVALID, grpc.StatusCode.INTERNAL)


# MARK: Several projects and databases


def test_projects_and_databases_are_apart(hearth, base):
    others = [
        Firestore(hearth, base.project, "second"),
        Firestore(hearth, base.project, "third-db"),
        Firestore(hearth),
    ]
    everything = [base, *others]
    for number, one in enumerate(everything):
        one.client.document("c/d").set({"n": number})
        one.client.document(f"c{number}/d").set({"n": number})
    for number, one in enumerate(everything):
        assert stored(one.client.document("c/d")) == {"n": number}
        assert [c.id for c in one.client.collections()] == ["c", f"c{number}"]
        assert [doc.get("n") for doc in one.client.collection_group("c").stream()] == [number]
    for one in others:
        one.close()


def test_commit_across_databases_is_refused(hearth, base):
    other = Firestore(hearth, base.project, "second")
    request = base.commit_request(base.set("c/d", {}), other.set("c/d", {}))
    assert base.fails("commit", request) == INVALID
    assert not base.client.document("c/d").get().exists


# MARK: Limits


def test_document_of_almost_one_mebibyte(db):
    reference = db.document("c/large")
    text = "x" * (MIB - 1000)
    reference.set({"text": text}, timeout=30)
    assert stored(reference)["text"] == text


@pytest.mark.parametrize(
    "data",
    [
        {"text": "x" * MIB},
        {"bytes": b"x" * MIB},
        {"map": {f"{n:05}": n for n in range(80_000)}},
        {"list": [1.0] * (MIB // 8 + 1)},
        {"a": "x" * (MIB // 2), "b": "x" * (MIB // 2)},
    ],
    ids=["text", "bytes", "map", "list", "two"],
)
def test_document_of_more_than_one_mebibyte_is_refused(base, data):
    assert (
        base.fails("commit", base.commit_request(base.set("c/large", data)), timeout=30) == INVALID
    )
    assert not base.client.document("c/large").get().exists


def test_update_that_grows_a_document_beyond_the_limit_is_refused(db):
    reference = db.document("c/large")
    reference.set({"a": "x" * 600_000})
    with pytest.raises(exceptions.InvalidArgument):
        reference.update({"b": "x" * 600_000})
    assert set(stored(reference)) == {"a"}


def test_commit_of_several_mebibytes(db):
    batch = db.batch()
    for n in range(9):
        batch.set(db.document(f"c/{n}"), {"text": "x" * 1_000_000})
    batch.commit(timeout=60)
    assert sum(len(doc.get("text")) for doc in db.collection("c").stream(timeout=60)) == 9_000_000


def test_times_are_as_fine_as_a_clients(db):
    ref = db.document("c/d")
    for n in range(20):
        before = datetime.datetime.now(datetime.UTC)
        written = ref.set({"n": n}).update_time
        assert before <= written <= datetime.datetime.now(datetime.UTC)
        now = datetime.datetime.now(datetime.UTC)
        assert ref.get(read_time=now).exists


def nested(depth: int, kind: str):
    value = 1
    for _ in range(depth):
        value = {"m": value}
        if kind == "array":
            value = [value]
    return {"m": value}


@pytest.mark.parametrize("depth, fits", [(18, True), (20, True), (21, False), (25, False)])
def test_depth_of_maps(base, depth, fits):
    request = base.commit_request(base.set("c/deep", nested(depth, "map")))
    if fits:
        base.call("commit", request)
        assert stored(base.client.document("c/deep")) == nested(depth, "map")
    else:
        assert base.fails("commit", request) == INVALID


def test_arrays_count_as_depth(base):
    base.call("commit", base.commit_request(base.set("c/deep", nested(10, "array"))))
    assert (
        base.fails("commit", base.commit_request(base.set("c/deep", nested(11, "array"))))
        == INVALID
    )


@pytest.mark.parametrize(
    "path",
    ["c/.", "c/..", "c/__x__", "__x__/d", "c/____", "./d", "c//d/e", "c", "c/d/e"],
    ids=lambda path: path[:12],
)
def test_document_name_that_is_not_allowed_is_refused(base, path):
    assert base.fails("commit", base.commit_request(base.set(path, {"n": 1}))) == INVALID
    assert base.fails("get_document", base.get_request(path)) == INVALID


@pytest.mark.parametrize(
    "path",
    ["c/" + "x" * 1501, "c/" + "ü" * 751, "x" * 1501 + "/d", "c/d" + "/e/f" * 100],
    ids=lambda path: path[:6],
)
def test_document_name_that_is_too_long_is_not_found(base, path):
    assert base.fails("commit", base.commit_request(base.set(path, {"n": 1}))) == INVALID
    assert base.fails("get_document", base.get_request(path)) == grpc.StatusCode.NOT_FOUND
    base.commit(base.delete(path))


@pytest.mark.parametrize(
    "identifier",
    [
        "a b",
        "ü",
        "😀",
        "...",
        "__x",
        "x__",
        "x" * 1500,
        "%2F",
        "a%b",
        "a:b",
        "a?b#c",
        "\\",
        "'\"",
        "__id7__",
        "_",
        "a\nb",
        "~",
        "a.b",
        "*",
        "[x]",
    ],
    ids=lambda text: ascii(text[:12]),
)
def test_document_name_that_is_allowed(db, identifier):
    reference = db.collection("c").document(identifier)
    reference.set({"n": 1})
    assert stored(reference) == {"n": 1}
    assert [doc.id for doc in db.collection("c").stream()] == [identifier]
    assert [doc.id for doc in db.collection("c").list_documents()] == [identifier]
    below = reference.collection(identifier).document(identifier)
    below.set({"n": 2})
    assert [c.id for c in reference.collections()] == [identifier]
    assert [doc.reference.path for doc in db.collection_group(identifier).stream()] == [below.path]


@pytest.mark.parametrize("name", ["__x__", "", "x" * 1501], ids=["reserved", "empty", "long"])
def test_field_name_that_is_not_allowed_is_refused(base, name):
    for data in ({name: 1}, {"m": {name: 1}}):
        assert base.fails("commit", base.commit_request(base.set("c/d", data))) == INVALID


def test_names_of_other_databases_and_malformed_ones_are_refused(base):
    for name in (
        "",
        "c/d",
        "projects/p",
        f"{base.root}",
        f"{base.root}/",
        f"{base.database}/c/d",
        f"{base.root}/c/d/",
    ):
        request = base.commit_request(write.Write(update=documents.Document(name=name)))
        assert base.fails("commit", request) == INVALID, name


def test_write_without_an_operation_is_refused(base):
    assert base.fails("commit", base.commit_request(write.Write())) == INVALID


# MARK: Reading the past


def test_read_time_answers_the_older_version(db):
    reference = db.document("c/d")
    first = reference.set({"n": 1}).update_time
    second = reference.set({"n": 2}).update_time
    reference.delete()
    assert reference.get(read_time=first).to_dict() == {"n": 1}
    assert reference.get(read_time=second).to_dict() == {"n": 2}
    assert not reference.get(read_time=first - datetime.timedelta(microseconds=1)).exists
    assert not reference.get().exists
    docs = db.collection("c").stream(read_time=first)
    assert [doc.to_dict() for doc in docs] == [{"n": 1}]


def test_read_time_before_the_start_is_refused(base):
    """Memory keeps nothing of what an earlier run had."""
    request = rpc.BatchGetDocumentsRequest(
        database=base.database,
        documents=[base.name("c/d")],
        read_time=datetime.datetime.now(UTC) - datetime.timedelta(days=1),
    )
    assert base.fails("batch_get_documents", request) == grpc.StatusCode.FAILED_PRECONDITION


def test_read_time_of_the_future_is_refused(base):
    request = rpc.BatchGetDocumentsRequest(
        database=base.database,
        documents=[base.name("c/d")],
        read_time=datetime.datetime.now(UTC) + datetime.timedelta(hours=1),
    )
    assert base.fails("batch_get_documents", request) == INVALID
