"""ID tokens at Firestore: whose they are decides before the rules do."""

import uuid

import grpc
import pytest
import requests
from google.cloud.firestore_v1.types import firestore as messages
from support.auth.project import IT
from support.firestore.project import Firestore, metadata
from support.wire import V1

DENIED = {
    "error": {
        "code": 403,
        "message": "Missing or insufficient permissions.",
        "status": "PERMISSION_DENIED",
    }
}
RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /open/{id} { allow read, write: if true; }
    match /known/{id} { allow read, write: if request.auth != null; }
    match /owned/{id} { allow read: if resource.data.owner == request.auth.uid; }
    match /same/{id} {
      allow read: if resource.data.owner == request.auth.uid
        && resource.data.tenant == request.auth.token.firebase.get('tenant', null);
    }
  }
}
"""


@pytest.fixture(scope="module")
def base(hearth):
    base = Firestore(hearth)
    base.rules(RULES)
    yield base
    base.close()


def document(fields: dict) -> dict:
    values = {
        name: {"nullValue": None} if value is None else {"stringValue": value}
        for name, value in fields.items()
    }
    return {"fields": values}


def rest(base, method: str, path: str, token: str | None = None, body=None) -> tuple[int, object]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    reply = requests.request(
        method,
        f"{base.server.addresses['firestore']}/v1/{base.root}{path}",
        json=body,
        headers=headers,
        timeout=30,
    )
    return reply.status_code, reply.json()


def put(base, path: str, **fields) -> None:
    status, answer = rest(base, "PATCH", path, "owner", document(fields))
    assert status == 200, answer


def query(base, collection: str, token: str | None, where: dict | None = None):
    structured = {"from": [{"collectionId": collection}]} | ({"where": where} if where else {})
    return rest(base, "POST", ":runQuery", token, {"structuredQuery": structured})


def equals(field: str, value) -> dict:
    operand = {"nullValue": None} if value is None else {"stringValue": value}
    if value is None:
        return {"unaryFilter": {"field": {"fieldPath": field}, "op": "IS_NULL"}}
    return {"fieldFilter": {"field": {"fieldPath": field}, "op": "EQUAL", "value": operand}}


@pytest.mark.parametrize("path", ["/open/d", "/known/d", "/owned/d"])
def test_a_token_of_another_project(base, hearth, path):
    _, foreign = Firestore(hearth).sign_up()
    put(base, path, owner="somebody")
    assert rest(base, "GET", path, foreign) == (403, DENIED)
    assert query(base, path.split("/")[1], foreign) == (403, [DENIED])
    with pytest.raises(grpc.RpcError) as refused:
        base.rpc.get_document(
            messages.GetDocumentRequest(name=base.root + path),
            metadata=metadata(foreign),
            timeout=30,
        )
    assert refused.value.code() == grpc.StatusCode.PERMISSION_DENIED
    assert refused.value.details() == "Missing or insufficient permissions."


def test_a_token_of_this_project(base):
    _, token = base.sign_up()
    put(base, "/known/d", n="1")
    assert rest(base, "GET", "/known/d", token)[0] == 200


def test_the_emulator_asks_for_another_token(hearth):
    base = Firestore(hearth)
    base.switch(answers="emulator")
    _, foreign = Firestore(hearth).sign_up()
    status, answer = rest(base, "GET", "/open/d", foreign)
    assert (status, answer["error"]["status"]) == (401, "UNAUTHENTICATED")


def test_a_transaction_is_nobodys(base):
    """Another caller may continue a transaction; the rules check each caller."""
    (owner, mine), (_, other) = base.sign_up(), base.sign_up()
    put(base, "/owned/a", owner=owner)
    begun = rest(base, "POST", ":beginTransaction", mine, {"options": {"readOnly": {}}})[1]
    body = {"documents": [f"{base.root}/owned/a"], "transaction": begun["transaction"]}
    assert rest(base, "POST", ":batchGet", mine, body)[0] == 200
    assert rest(base, "POST", ":batchGet", other, body) == (403, [DENIED])
    assert rest(base, "POST", ":batchGet", None, body) == (403, [DENIED])
    body["documents"] = [f"{base.root}/open/a"]
    assert rest(base, "POST", ":batchGet", other, body)[0] == 200


@pytest.fixture
def tenants(base) -> list[str]:
    """Two tenants, in each of which somebody has the same id as a user of the project."""
    found = []
    for _ in range(2):
        reply = requests.post(
            f"{base.server.auth}{IT}/v2/projects/{base.project}/tenants",
            json={"displayName": "tenant", "allowPasswordSignup": True},
            headers={"Authorization": "Bearer owner"},
            timeout=30,
        )
        assert reply.status_code == 200, reply.text
        found.append(reply.json()["name"].rsplit("/", 1)[1])
    return found


def signed_in(base, uid: str, tenant: str | None = None) -> str:
    email = f"{uuid.uuid4().hex[:12]}@example.com"
    path = f"{V1[: -len('accounts:')]}projects/{base.project}" + (
        f"/tenants/{tenant}" if tenant else ""
    )
    body = {"localId": uid, "email": email, "password": "password1", "emailVerified": True}
    reply = requests.post(
        f"{base.server.auth}{path}/accounts",
        json=body,
        timeout=30,
        headers={"Authorization": "Bearer owner"},
    )
    assert reply.status_code == 200, reply.text
    body = {"email": email, "password": "password1", "returnSecureToken": True} | (
        {"tenantId": tenant} if tenant else {}
    )
    reply = requests.post(
        f"{base.server.auth}{V1}signInWithPassword",
        json=body,
        timeout=30,
        params={"key": base.project},
    )
    assert reply.status_code == 200, reply.text
    return reply.json()["idToken"]


def test_one_id_in_several_tenants(base, tenants):
    uid = f"same-{uuid.uuid4().hex[:8]}"
    places = {None: "p", tenants[0]: "t1", tenants[1]: "t2"}
    for tenant, name in places.items():
        put(base, f"/same/{name}", owner=uid, tenant=tenant)
    for tenant, own in places.items():
        token = signed_in(base, uid, tenant)
        for name in places.values():
            status, answer = rest(base, "GET", f"/same/{name}", token)
            assert (status, answer if status == 403 else None) == (
                (200, None) if name == own else (403, DENIED)
            )
        all_of_them = {"documents": [f"{base.root}/same/{name}" for name in places.values()]}
        assert rest(base, "POST", ":batchGet", token, all_of_them) == (403, [DENIED])
        where = {
            "compositeFilter": {
                "op": "AND",
                "filters": [equals("owner", uid), equals("tenant", tenant)],
            }
        }
        status, answer = query(base, "same", token, where)
        assert status == 200, answer
        assert [row["document"]["name"].rsplit("/", 1)[1] for row in answer] == [own]
        assert query(base, "same", token, equals("owner", uid)) == (403, [DENIED])


def test_a_token_outlives_its_tenant(base, tenants):
    uid = f"same-{uuid.uuid4().hex[:8]}"
    token = signed_in(base, uid, tenants[0])
    put(base, "/same/outlived", owner=uid, tenant=tenants[0])
    put(base, "/known/d", n="1")
    reply = requests.delete(
        f"{base.server.auth}{IT}/v2/projects/{base.project}/tenants/{tenants[0]}",
        headers={"Authorization": "Bearer owner"},
        timeout=30,
    )
    assert reply.status_code == 200, reply.text
    for path in ("/same/outlived", "/known/d", "/open/d"):
        assert rest(base, "GET", path, token)[0] in (200, 404), path
    assert query(base, "known", token)[0] == 200
    created = rest(base, "PATCH", "/known/made", token, document({"n": "1"}))
    assert created[0] == 200, created
