"""Security rules: the data of reads and writes, and lookups of other documents."""

import grpc
from google.cloud.firestore_v1.types import common
from google.cloud.firestore_v1.types import firestore as rpc
from support.firestore.project import base, guard  # noqa: F401
from support.firestore.rules import allowed, readable, ruled

DENIED, NOT_FOUND = grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.NOT_FOUND


# MARK: Data of reads and writes


def test_reading_by_the_stored_data(base):
    base.rules(
        ruled(
            "match /c/{id} { allow get: if resource.data.open == true; allow get: if resource == null; }"
        )
    )
    base.commit(
        base.set("c/open", {"open": True}),
        base.set("c/shut", {"open": False}),
        base.set("c/none", {}),
    )
    assert (
        readable(base, None, "c/open")
        and not readable(base, None, "c/shut")
        and not readable(base, None, "c/none")
    )
    assert readable(base, None, "c/missing")


def test_create_sees_the_new_document(base):
    base.rules(
        ruled("""match /c/{id} {
      allow create: if resource == null && request.resource.data.owner == request.auth.uid
        && request.resource.data.keys().hasOnly(['owner', 'n']) && request.resource.data.n is int
        && request.resource.id == id;
    }""")
    )
    uid, token = base.sign_up()
    assert allowed(base, token, base.set("c/1", {"owner": uid, "n": 1}))
    assert not allowed(base, token, base.set("c/2", {"owner": "else", "n": 1}))
    assert not allowed(base, token, base.set("c/2", {"owner": uid, "n": 1, "more": 1}))
    assert not allowed(base, token, base.set("c/2", {"owner": uid, "n": 1.5}))
    assert not allowed(base, None, base.set("c/2", {"owner": uid, "n": 1}))
    # It exists now, so this is an update.
    assert not allowed(base, token, base.set("c/1", {"owner": uid, "n": 2}))


def test_update_sees_both_the_old_and_the_new_document(base):
    base.rules(
        ruled("""match /c/{id} {
      allow update: if resource.data.owner == request.auth.uid
        && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['n', 't'])
        && request.resource.data.n == resource.data.n + 1;
    }""")
    )
    uid, token = base.sign_up()
    _, other = base.sign_up()
    base.commit(base.set("c/d", {"owner": uid, "n": 1, "kept": "x"}))
    mask = common.DocumentMask(field_paths=["n"])
    assert allowed(base, token, base.set("c/d", {"n": 2}, update_mask=mask))
    assert not allowed(base, token, base.set("c/d", {"n": 9}, update_mask=mask))
    assert not allowed(base, other, base.set("c/d", {"n": 3}, update_mask=mask))
    assert not allowed(base, token, base.set("c/d", {"n": 3})), "the others would be lost"
    assert allowed(
        base,
        token,
        base.set(
            "c/d",
            {},
            update_mask=common.DocumentMask(),
            update_transforms=[{"field_path": "n", "increment": {"integer_value": 1}}],
        ),
    )
    assert not allowed(
        base,
        token,
        base.set(
            "c/d",
            {},
            update_mask=common.DocumentMask(),
            update_transforms=[{"field_path": "n", "increment": {"integer_value": 2}}],
        ),
    )
    assert base.client.document("c/d").get().to_dict() == {"owner": uid, "n": 3, "kept": "x"}


def test_delete_sees_the_old_document(base):
    base.rules(ruled("match /c/{id} { allow delete: if resource.data.owner == request.auth.uid; }"))
    uid, token = base.sign_up()
    base.commit(base.set("c/mine", {"owner": uid}), base.set("c/else", {"owner": "else"}))
    assert allowed(base, token, base.delete("c/mine")) and not allowed(
        base, token, base.delete("c/else")
    )
    assert not allowed(base, token, base.delete("c/missing"))


def test_server_time_is_the_time_of_the_request(base):
    base.rules(
        ruled("match /c/{id} { allow create: if request.resource.data.at == request.time; }")
    )
    assert allowed(
        base,
        None,
        base.set(
            "c/1",
            {},
            update_transforms=[{"field_path": "at", "set_to_server_value": "REQUEST_TIME"}],
        ),
    )
    assert not allowed(base, None, base.set("c/2", {"at": 5}))


def test_denied_write_writes_nothing_of_its_batch(base):
    base.rules(ruled("match /open/{id} { allow write; }"))
    assert not allowed(
        base, None, base.set("open/1", {}), base.set("shut/1", {}), base.set("open/2", {})
    )
    assert not base.client.document("open/1").get().exists
    assert allowed(base, None, base.set("open/1", {}), base.set("open/2", {}))


def test_denial_comes_before_preconditions(base):
    """A caller who may not read a document does not learn whether it exists."""
    base.rules(ruled("match /c/{id} { allow get: if false; }"))
    base.commit(base.set("c/there", {}))
    for path in ("c/there", "c/missing"):
        for exists in (True, False):
            request = base.commit_request(
                base.set(path, {}, current_document=common.Precondition(exists=exists))
            )
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
    base.rules(
        ruled("""
      match /create/{id} { allow create; }
      match /update/{id} { allow update; }""")
    )
    now = {"seconds": 1577836800}
    for path, condition, create, update in (
        ("missing", {"exists": True}, DENIED, grpc.StatusCode.NOT_FOUND),
        ("missing", {"update_time": now}, DENIED, grpc.StatusCode.FAILED_PRECONDITION),
        ("there", {"exists": False}, grpc.StatusCode.ALREADY_EXISTS, DENIED),
        ("there", {"exists": True}, DENIED, None),
        ("missing", {"exists": False}, None, DENIED),
    ):
        for collection, code in (("create", create), ("update", update)):
            request = base.commit_request(
                base.set(
                    f"{collection}/{path}", {}, current_document=common.Precondition(**condition)
                )
            )
            if code is None:
                base.call("commit", request, None)
            else:
                assert base.fails("commit", request, token=None) == code, (
                    collection,
                    path,
                    condition,
                )


def test_request_resource_is_null_on_a_deletion(base):
    base.commit(base.set("c/a", {"n": 1}))
    base.rules(
        ruled(
            "match /c/{id} { allow write: if request.resource == null || request.resource.data.n > 1; }"
        )
    )
    base.commit(base.set("c/a", {"n": 2}), token=None)
    assert (
        base.fails("commit", base.commit_request(base.set("c/a", {"n": 1})), token=None) == DENIED
    )
    base.commit(base.delete("c/a"), token=None)
    base.rules(ruled("match /c/{id} { allow read: if request.resource == null; }"))
    assert not readable(base, None, "c/a")


# MARK: Looking elsewhere


def test_get_and_exists(base):
    base.rules(
        ruled("""
      function role(uid) { return get(/databases/$(database)/documents/roles/$(uid)).data.role; }
      match /c/{id} {
        allow read: if exists(/databases/$(database)/documents/roles/$(request.auth.uid));
        allow write: if role(request.auth.uid) == 'editor';
      }""")
    )
    uid, token = base.sign_up()
    assert not readable(base, token, "c/d") and not allowed(base, token, base.set("c/d", {}))
    base.commit(base.set(f"roles/{uid}", {"role": "reader"}))
    assert readable(base, token, "c/d") and not allowed(base, token, base.set("c/d", {}))
    base.commit(base.set(f"roles/{uid}", {"role": "editor"}))
    assert allowed(base, token, base.set("c/d", {}))
    assert not readable(base, None, "c/d")


def test_get_after_sees_the_whole_batch(base):
    base.rules(
        ruled("""
      function there(id) { return /databases/$(database)/documents/counts/$(id); }
      match /items/{id} {
        allow create: if existsAfter(there(id)) && getAfter(there(id)).data.n == request.resource.data.n
          && !exists(there(id));
      }
      match /counts/{id} { allow create: if existsAfter(/databases/$(database)/documents/items/$(id)); }""")
    )
    item, count = base.set("items/a", {"n": 1}), base.set("counts/a", {"n": 1})
    assert not allowed(base, None, item) and not allowed(base, None, count)
    assert not allowed(base, None, item, base.set("counts/a", {"n": 2}))
    assert allowed(base, None, item, count)
    assert allowed(base, None, base.set("counts/b", {"n": 2}), base.set("items/b", {"n": 2})), (
        "the order does not matter"
    )


def test_get_sees_what_was_before_the_batch(base):
    base.rules(
        ruled("""
      match /c/{id} { allow write: if get(/databases/$(database)/documents/lock/l).data.open; }
      match /lock/l { allow write; }""")
    )
    base.commit(base.set("lock/l", {"open": False}))
    assert not allowed(base, None, base.set("lock/l", {"open": True}), base.set("c/d", {}))
    assert allowed(base, None, base.set("lock/l", {"open": True}))
    assert allowed(base, None, base.set("lock/l", {"open": False}), base.set("c/d", {}))


def test_more_than_ten_look_ups_are_too_many(base):
    def looks(count):
        return " && ".join(f"!exists(/databases/$(database)/documents/x/{n})" for n in range(count))

    base.rules(
        ruled(
            f"match /ten/{{id}} {{ allow get: if {looks(10)}; }}\nmatch /eleven/{{id}} {{ allow get: if {looks(11)}; }}\n"
            "match /same/{id} { allow get: if "
            + " && ".join(["!exists(/databases/$(database)/documents/x/1)"] * 15)
            + "; }"
        )
    )
    assert (
        readable(base, None, "ten/d")
        and readable(base, None, "same/d")
        and not readable(base, None, "eleven/d")
    )


def test_functions_with_let_and_endless_calls(base):
    base.rules(
        ruled("""
      function sum(a, b) { let c = a + b; let d = c * 2; return d; }
      match /c/{id} { allow get: if sum(int(id), 3) == 10; }""")
    )
    assert (
        readable(base, None, "c/2")
        and not readable(base, None, "c/3")
        and not readable(base, None, "c/x")
    )
    reply = base.control(
        "PUT",
        ":securityRules",
        json={
            "rules": {
                "files": [
                    {
                        "name": "f",
                        "content": ruled(
                            "function f(a) { return f(a); } match /c/{id} { allow get: if f(id); }"
                        ),
                    }
                ]
            }
        },
    )
    # Refused at once, or denied when it runs.
    assert reply.status_code == 400 or not readable(base, None, "c/2")
