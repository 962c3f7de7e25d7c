"""Rules for one test, and what end users ask under them."""

import requests

DENIED = {
    "error": {
        "code": 403,
        "message": "Missing or insufficient permissions.",
        "status": "PERMISSION_DENIED",
    }
}
FILE = (
    "rules_version = '2';\nservice cloud.firestore {\n  match /databases/{database}/documents {\n"
)
ROOT = "/databases/$(database)/documents"


def source(rules: str) -> str:
    return f"{FILE}    {rules}\n  }}\n}}\n"


def call(base, method: str, path: str, token: str | None = None, body=None, database="(default)"):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    root = base.root.replace("(default)", database)
    reply = requests.request(
        method,
        f"{base.server.addresses['firestore']}/v1/{root}{path}",
        json=body,
        headers=headers,
        timeout=30,
    )
    return reply.status_code, reply.json()


def administer(base, verb: str, body: dict) -> None:
    """Changes or deletes an account as an administrator."""
    reply = requests.post(
        f"{base.server.auth}/identitytoolkit.googleapis.com/v1/projects/{base.project}"
        f"/accounts:{verb}",
        json=body,
        headers={"Authorization": "Bearer owner"},
        timeout=30,
    )
    assert reply.status_code == 200, reply.text


def publish(base, text: str) -> int:
    """The status of an answer to a source."""
    files = [{"name": "firestore.rules", "content": text}]
    return base.control("PUT", ":securityRules", json={"rules": {"files": files}}).status_code


def query(collection: str = "c", groups: bool = False, **more) -> dict:
    return {
        "structuredQuery": {
            "from": [{"collectionId": collection, "allDescendants": groups}],
            **more,
        }
    }


def tree(terms: int) -> str:
    """A conjunction, as deep as it has to be."""
    if terms == 1:
        return "true"
    return f"({tree(terms // 2)} && {tree(terms - terms // 2)})"
