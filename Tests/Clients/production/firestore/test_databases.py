"""The Admin API: databases and their operations."""

import uuid

import pytest
import requests
from google.cloud import firestore_admin_v1 as admin
from google.cloud.firestore_admin_v1.services.firestore_admin.transports import rest
from google.cloud.firestore_admin_v1.types import Database
from google.oauth2.credentials import Credentials
from google.protobuf.field_mask_pb2 import FieldMask

OWNER = {"Authorization": "Bearer owner"}
NATIVE = {"type": "FIRESTORE_NATIVE", "locationId": "us-central1"}
KIND = "type.googleapis.com/google.firestore.admin.v1."
ID = "database_id should be 4-63 characters, and valid characters are /[a-z][0-9]-/"
GONE = "Requested database was not found."
CONCURRENT = "There are concurrent database changes, please try again."
# What production was recorded with of a new database, but for times, uid, etag and names.
NEW = {
    "appEngineIntegrationMode": "DISABLED",
    "concurrencyMode": "PESSIMISTIC",
    "databaseEdition": "STANDARD",
    "deleteProtectionState": "DELETE_PROTECTION_DISABLED",
    "enhancedTextSearchQueryMode": "ENHANCED_QUERY_MODE_ENABLED",
    "freeTier": False,
    "locationId": "us-central1",
    "pointInTimeRecoveryEnablement": "POINT_IN_TIME_RECOVERY_DISABLED",
    "realtimeUpdatesMode": "REALTIME_UPDATES_MODE_ENABLED",
    "type": "FIRESTORE_NATIVE",
    "versionRetentionPeriod": "3600s",
}
VARIABLE = {"createTime", "earliestVersionTime", "etag", "name", "uid", "updateTime"}


class Project:
    def __init__(self, server):
        self.server = server
        self.id = f"demo-{uuid.uuid4().hex[:10]}"
        self.name = f"projects/{self.id}"

    def call(self, method: str, path: str = "", body=None, headers=OWNER) -> tuple[int, dict]:
        address = f"{self.server.addresses['firestore']}/v1/{self.name}/databases{path}"
        reply = requests.request(method, address, json=body, headers=headers, timeout=30)
        return reply.status_code, reply.json()

    def done(self, method: str, path: str, body=None) -> dict:
        status, operation = self.call(method, path, body)
        assert status == 200 and operation["done"], operation
        return operation

    def create(self, name: str, **more) -> dict:
        return self.done("POST", f"?databaseId={name}", NATIVE | more)["response"]

    def own(self, method: str, path: str, body=None):
        reply = requests.request(
            method, f"{self.server.auth}/emulator/v1/{self.name}{path}", json=body, timeout=30
        )
        assert reply.status_code == 200, reply.text
        return reply.json()


@pytest.fixture
def project(hearth):
    return Project(hearth)


def refusal(code: int, status: str, message: str) -> tuple[int, dict]:
    return code, {"error": {"code": code, "message": message, "status": status}}


def invalid(message: str) -> tuple[int, dict]:
    return refusal(400, "INVALID_ARGUMENT", message)


def ids(answer: tuple[int, dict]) -> list[str]:
    assert answer[0] == 200, answer
    return [entry["name"].rsplit("/", 1)[1] for entry in answer[1].get("databases", [])]


def test_a_database_is_created_read_and_listed(project):
    operation = project.done("POST", "?databaseId=orders", NATIVE)
    assert operation["name"].startswith(f"{project.name}/databases/orders/operations/")
    assert operation["metadata"] == {"@type": KIND + "CreateDatabaseMetadata"}
    created = operation["response"]
    assert created.pop("@type") == KIND + "Database"
    assert created["name"] == f"{project.name}/databases/orders"
    assert created["createTime"] == created["updateTime"] == created["earliestVersionTime"]
    assert {key: value for key, value in created.items() if key not in VARIABLE} == NEW
    assert created.keys() == NEW.keys() | VARIABLE and len(created["uid"]) == 36
    status, found = project.call("GET", "/orders")
    assert status == 200 and found == created
    status, usual = project.call("GET", "/(default)")
    assert status == 200 and usual["freeTier"] is True and usual["uid"] != created["uid"]
    assert ids(project.call("GET")) == ["orders", "(default)"]
    assert project.call("POST", "?databaseId=orders", NATIVE) == refusal(
        409, "ALREADY_EXISTS", "Database already exists. Please use another database_id"
    )
    path = operation["name"].split("/databases", 1)[1]
    assert project.call("GET", path) == (
        200,
        operation | {"response": created | {"@type": KIND + "Database"}},
    )
    assert project.call("GET", "/orders/operations") == (200, {})
    assert project.call("DELETE", path) == (200, {})
    missing = refusal(404, "NOT_FOUND", "Operation does not exist")
    assert project.call("GET", path) == project.call("DELETE", path) == missing


def test_a_database_with_documents_exists(project):
    path = f"{project.server.addresses['firestore']}/v1/{project.name}/databases/used/documents/c/d"
    assert requests.patch(path, json={}, headers=OWNER, timeout=30).status_code == 200
    assert project.call("GET", "/used")[0] == 200
    assert ids(project.call("GET")) == ["used", "(default)"]


def test_only_administrators_may_call(project):
    assert project.call("GET", "", headers={}) == refusal(
        403, "PERMISSION_DENIED", "The caller does not have permission"
    )


@pytest.mark.parametrize("name", ["Bad_Id", "abc", "a" * 64, "-abc", ""])
def test_refused_ids(project, name):
    assert project.call("POST", f"?databaseId={name}", NATIVE) == invalid(ID)


@pytest.mark.parametrize(
    "body, answer",
    [
        (
            {"type": "FIRESTORE_NATIVE"},
            invalid("location_id must be specified when creating a database."),
        ),
        ({"locationId": "us-central1"}, invalid("database type must be set.")),
        (
            NATIVE | {"locationId": "nowhere-1"},
            refusal(
                403,
                "PERMISSION_DENIED",
                "Permission denied on 'locations/nowhere-1' (or it may not exist).",
            ),
        ),
        (
            NATIVE | {"wrong": 1},
            invalid(
                "Invalid JSON payload received. Unknown name \"wrong\" at 'database': Cannot find field."
            ),
        ),
    ],
    ids=["no location", "no type", "unknown location", "unknown member"],
)
def test_refused_databases(project, body, answer):
    assert project.call("POST", "?databaseId=orders", body) == answer
    assert ids(project.call("GET")) == ["(default)"]


@pytest.mark.parametrize(
    "member, field, kind, value",
    [
        ("databaseEdition", "database_edition", "DatabaseEdition", "PREMIUM"),
        ("type", "type", "DatabaseType", "SPANNER"),
        ("concurrencyMode", "concurrency_mode", "ConcurrencyMode", "NOPE"),
    ],
)
def test_refused_words(project, member, field, kind, value):
    status, body = project.call("POST", "?databaseId=orders", NATIVE | {member: value})
    message = f"Invalid value at 'database.{field}' ({KIND}Database.{kind}), \"{value}\""
    assert status == 400 and body["error"] == {
        "code": 400,
        "message": message,
        "status": "INVALID_ARGUMENT",
        "details": [
            {
                "@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": [{"field": f"database.{field}", "description": message}],
            }
        ],
    }


@pytest.mark.parametrize(
    "body", [{"type": "DATASTORE_MODE"}, {"databaseEdition": "ENTERPRISE"}, {"tags": {"a/b": "c"}}]
)
def test_databases_that_cannot_be_played(project, body):
    status, answer = project.call("POST", "?databaseId=orders", NATIVE | body)
    assert (status, answer["error"]["status"]) == (501, "UNIMPLEMENTED")


def test_updates(project):
    first = project.create("orders", concurrencyMode="OPTIMISTIC")
    assert first["concurrencyMode"] == "OPTIMISTIC"
    protect = {"deleteProtectionState": "DELETE_PROTECTION_ENABLED"}
    changed = project.done("PATCH", "/orders?updateMask=deleteProtectionState", protect)
    assert changed["metadata"] == {"@type": KIND + "UpdateDatabaseMetadata"}
    response = changed["response"]
    assert response["deleteProtectionState"] == "DELETE_PROTECTION_ENABLED"
    assert response["concurrencyMode"] == "OPTIMISTIC"
    assert response["updateTime"] > first["updateTime"] and response["etag"] != first["etag"]
    recovery = project.done(
        "PATCH",
        "/orders?updateMask=point_in_time_recovery_enablement",
        {"pointInTimeRecoveryEnablement": "POINT_IN_TIME_RECOVERY_ENABLED"},
    )["response"]
    assert recovery["versionRetentionPeriod"] == "604800s"
    # Without a mask all that may change does.
    bare = project.done("PATCH", "/orders", {})["response"]
    assert {key: bare[key] for key in NEW} == NEW and bare["uid"] == first["uid"]
    for mask, message in (
        ("locationId", "Changing database location is not supported."),
        ("databaseEdition", "Changing the edition of a database is not supported."),
        ("nope", "Invalid updateMask for database proto."),
    ):
        assert project.call("PATCH", f"/orders?updateMask={mask}", {}) == invalid(message)
    assert project.call("PATCH", "/missing", {}) == refusal(404, "NOT_FOUND", GONE)


def test_deletion(project):
    project.create("orders", deleteProtectionState="DELETE_PROTECTION_ENABLED")
    assert project.call("DELETE", "/orders") == refusal(
        400,
        "FAILED_PRECONDITION",
        "Cannot delete the database because delete protection state "
        "is set to DELETE_PROTECTION_ENABLED.",
    )
    stale = project.call("GET", "/orders")[1]["etag"]
    project.done("PATCH", "/orders?updateMask=deleteProtectionState", {})
    documents = (
        f"{project.server.addresses['firestore']}/v1/{project.name}/databases/orders/documents"
    )
    requests.patch(documents + "/c/d", json={}, headers=OWNER, timeout=30)
    assert project.call("DELETE", "/orders?etag=" + stale.replace("+", "%2B")) == refusal(
        409, "ABORTED", CONCURRENT
    )
    assert project.call("DELETE", "/orders?etag=***") == refusal(
        500, "INTERNAL", "Internal error encountered."
    )
    uid = project.call("GET", "/orders")[1]["uid"]
    deleted = project.done("DELETE", "/orders")
    assert deleted["metadata"] == {"@type": KIND + "DeleteDatabaseMetadata"}
    response = deleted["response"]
    assert response["name"] == f"{project.name}/databases/{uid}"
    assert response["previousId"] == "orders" and response["deleteTime"]
    assert project.call("GET", "/orders") == refusal(404, "NOT_FOUND", GONE)
    assert project.call("DELETE", "/orders") == refusal(404, "NOT_FOUND", GONE)
    assert requests.get(documents + "/c/d", headers=OWNER, timeout=30).status_code == 404
    assert ids(project.call("GET")) == ["(default)"]
    assert ids(project.call("GET", "?showDeleted=true")) == [uid, "(default)"]
    status, answer = project.call("POST", "?databaseId=orders", NATIVE)
    assert status == 400 and answer["error"]["message"].startswith(
        f"Database ID 'orders' is not available in project '{project.id}'. Please retry in "
    )
    project.own("PATCH", "/clock", {"advance": "5m"})
    assert project.create("orders")["uid"] != uid


def test_the_default_database_can_be_deleted(project):
    project.done("DELETE", "/(default)")
    assert project.call("GET") == (200, {})
    project.own("PATCH", "/clock", {"advance": "5m"})
    assert project.create("(default)")["freeTier"] is True


def test_a_database_that_never_was(project):
    missing = refusal(
        404, "NOT_FOUND", f"Project '{project.id}' or database 'nothing' does not exist."
    )
    assert project.call("GET", "/nothing") == missing
    assert project.call("GET", "/nothing/operations") == missing


@pytest.mark.parametrize(
    "method, path",
    [
        ("POST", "/(default):exportDocuments"),
        ("POST", ":restore"),
        ("GET", "/(default)/collectionGroups/c/indexes"),
        ("PATCH", "/(default)/collectionGroups/c/fields/f"),
    ],
)
def test_what_is_not_built_says_so(project, method, path):
    status, body = project.call(method, path, {})
    assert (status, body["error"]["status"]) == (501, "UNIMPLEMENTED")


@pytest.mark.parametrize("kind", ["changeStreams", "userCreds"])
def test_what_only_the_enterprise_edition_has(project, kind):
    refused = refusal(400, "FAILED_PRECONDITION", "This operation requires an Enterprise database.")
    assert project.call("GET", f"/(default)/{kind}") == refused
    assert project.call("GET", f"/(default)/{kind}/one") == refused
    assert project.call("POST", f"/(default)/{kind}", {}) == refused
    status, _ = project.call("GET", f"/(default)/{kind}", headers={})
    assert status == 403


def test_googles_library_waits_for_the_operations(project):
    address = project.server.addresses["firestore"].removeprefix("http://")
    client = admin.FirestoreAdminClient(
        transport=rest.FirestoreAdminRestTransport(
            host=address, url_scheme="http", credentials=Credentials("owner")
        )
    )
    wanted = Database(location_id="eur3", type_=Database.DatabaseType.FIRESTORE_NATIVE)
    created = client.create_database(
        parent=project.name, database=wanted, database_id="orders"
    ).result(timeout=30)
    assert (created.name, created.location_id) == (f"{project.name}/databases/orders", "eur3")
    created.delete_protection_state = Database.DeleteProtectionState.DELETE_PROTECTION_ENABLED
    changed = client.update_database(
        database=created, update_mask=FieldMask(paths=["delete_protection_state"])
    ).result(timeout=30)
    assert changed.delete_protection_state.name == "DELETE_PROTECTION_ENABLED"
    assert [found.name for found in client.list_databases(parent=project.name).databases] == [
        created.name,
        f"{project.name}/databases/(default)",
    ]
    client.update_database(
        database=Database(name=created.name),
        update_mask=FieldMask(paths=["delete_protection_state"]),
    ).result(timeout=30)
    assert client.delete_database(name=created.name).result(timeout=30).previous_id == "orders"


# MARK: Bulk deletion


def documents(project: Project, method: str, path: str, body=None) -> int:
    return project.call(method, f"/(default)/documents{path}", body)[0]


@pytest.mark.parametrize(
    "body", [{}, {"collectionIds": []}, {"collectionIds": [], "namespaceIds": []}], ids=str
)
def test_a_bulk_deletion_of_nothing(project, body):
    status, answer = project.call("POST", "/(default):bulkDeleteDocuments", body)
    assert (status, answer["error"]) == (
        400,
        {
            "code": 400,
            "status": "INVALID_ARGUMENT",
            "message": "Empty entity filter. To delete all entities, Use database deletion instead.",
        },
    )


def test_a_bulk_deletion(project):
    fields = {"fields": {"n": {"integerValue": "1"}}}
    for path in ("/gone/a", "/kept/a", "/kept/a/gone/b"):
        assert documents(project, "PATCH", path, fields) == 200
    operation = project.done("POST", "/(default):bulkDeleteDocuments", {"collectionIds": ["gone"]})
    metadata = operation["metadata"]
    assert metadata["@type"] == KIND + "BulkDeleteDocumentsMetadata"
    assert metadata["operationState"] == "SUCCESSFUL" and metadata["collectionIds"] == ["gone"]
    assert metadata["startTime"] <= metadata["endTime"] and metadata["snapshotTime"]
    assert metadata["progressDocuments"] == {"completedWork": "2"}
    # The names take 16 + 5 + 2 and 16 + 5 + 2 + 5 + 2 bytes, the fields 10 each, a document 32 more.
    assert metadata["progressBytes"] == {"completedWork": "137"}
    assert operation["response"] == {"@type": KIND + "BulkDeleteDocumentsResponse"}
    found = [documents(project, "GET", path) for path in ("/gone/a", "/kept/a", "/kept/a/gone/b")]
    assert found == [404, 200, 404]
    name = operation["name"].split("/databases")[1]
    assert project.call("GET", name) == (200, operation)


def test_a_bulk_deletion_that_cannot_be_read(project):
    for body, words in (
        ({"ids": []}, 'Unknown name "ids"'),
        ({"collectionIds": [1]}, "collection_ids"),
        ({"collectionIds": ["a/b"]}, "a/b"),
    ):
        status, answer = project.call("POST", "/(default):bulkDeleteDocuments", body)
        assert status == 400 and words in answer["error"]["message"], answer
    status, answer = project.call("POST", "/none:bulkDeleteDocuments", {"collectionIds": ["c"]})
    assert (status, answer["error"]["message"]) == (
        404,
        f"Project '{project.id}' or database 'none' does not exist.",
    )
    status, _ = project.call(
        "POST", "/(default):bulkDeleteDocuments", {"collectionIds": ["c"]}, headers={}
    )
    assert status == 403
