"""What counts as a credential at Firestore, for a document that everybody may read."""

import grpc
import pytest
import requests
from google.cloud.firestore_v1.types import firestore as messages
from support.firestore.project import WAIT, Firestore, forged

DENIED = {
    "error": {
        "code": 403,
        "message": "Missing or insufficient permissions.",
        "status": "PERMISSION_DENIED",
    }
}
NO_TOKEN = (
    "Request had invalid authentication credentials. Expected OAuth 2 access token, login "
    "cookie or other valid authentication credential. See "
    "https://developers.google.com/identity/sign-in/web/devconsole-project."
)
OVER = "Missing or invalid authentication."
RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents { match /open/{id} { allow read: if true; } }
}
"""


@pytest.fixture(scope="module")
def base(hearth):
    base = Firestore(hearth)
    base.rules(RULES)
    base.rest("PATCH", "/open/d", json={"fields": {"n": {"integerValue": "1"}}})
    yield base
    base.close()


def get(base, authorization: str | None) -> tuple[int, dict]:
    headers = {"Authorization": authorization} if authorization is not None else {}
    reply = requests.get(
        f"{base.server.addresses['firestore']}/v1/{base.root}/open/d", headers=headers, timeout=30
    )
    return reply.status_code, reply.json()


def rpc(base, authorization: str) -> tuple[grpc.StatusCode, str]:
    try:
        base.rpc.get_document(
            messages.GetDocumentRequest(name=base.name("open/d")),
            metadata=[("authorization", authorization)],
            timeout=WAIT,
        )
        return grpc.StatusCode.OK, ""
    except grpc.RpcError as refused:
        return refused.code(), refused.details()


def test_what_counts(base):
    _, token = base.sign_up()
    for authorization in (None, f"Bearer {token}", "Bearer owner"):
        assert get(base, authorization)[0] == 200, authorization


@pytest.mark.parametrize(
    "form",
    ["Bearer ", "Basic dXNlcjpwYXNz", "bearer {token}", "Bearer {forged}", "Bearer {unsigned}"],
)
def test_what_is_refused_without_a_reason(base, form):
    uid, token = base.sign_up()
    authorization = form.format(token=token, forged=forged(token), unsigned=base.mock_token(uid))
    assert get(base, authorization) == (403, DENIED)
    assert rpc(base, authorization) == (
        grpc.StatusCode.PERMISSION_DENIED,
        DENIED["error"]["message"],
    )


def test_what_is_no_token(base):
    status, answer = get(base, "Bearer not-a-token")
    assert (status, answer["error"]["status"]) == (401, "UNAUTHENTICATED")
    assert answer["error"]["message"] == NO_TOKEN
    [detail] = answer["error"]["details"]
    assert detail["reason"] == "CREDENTIALS_MISSING"
    assert detail["metadata"] == {
        "method": "google.firestore.v1.Firestore.GetOrListDocuments",
        "service": "firestore.googleapis.com",
    }
    assert rpc(base, "Bearer not-a-token") == (grpc.StatusCode.UNAUTHENTICATED, NO_TOKEN)


def test_an_expired_token_counts_for_thirty_seconds(base):
    """With a clock that stands still, so that no second passes in between."""
    assert base.control("PATCH", "/clock", json={"frozen": True}).ok
    _, token = base.sign_up()

    def advance(seconds: int):
        assert base.control("PATCH", "/clock", json={"advance": f"{seconds}s"}).ok

    advance(3600)
    for step in (1, 9, 10, 9):
        advance(step)
        assert get(base, f"Bearer {token}")[0] == 200
        assert rpc(base, f"Bearer {token}")[0] == grpc.StatusCode.OK
    advance(1)
    status, answer = get(base, f"Bearer {token}")
    assert (status, answer) == (
        401,
        {"error": {"code": 401, "message": OVER, "status": "UNAUTHENTICATED"}},
    )
    assert rpc(base, f"Bearer {token}") == (grpc.StatusCode.UNAUTHENTICATED, OVER)


def test_the_emulator_says_what_is_no_token(hearth):
    base = Firestore(hearth)
    base.switch(answers="emulator")
    for authorization in ("Basic dXNlcjpwYXNz", "Bearer not-a-token"):
        assert get(base, authorization) == (
            400,
            {"error": {"code": 400, "message": "invalid jwt", "status": "INVALID_ARGUMENT"}},
        )
    base.close()
