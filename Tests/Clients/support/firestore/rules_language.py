"""A rules file around one body, and whether a read is allowed."""

import requests


def ruled(body: str, version: str = "rules_version = '2';") -> str:
    return (
        f"{version}\nservice cloud.firestore {{\n"
        f"  match /databases/{{database}}/documents {{\n{body}\n  }}\n}}\n"
    )


def status(base, method: str, path: str, token: str | None = None, **options) -> int:
    return requests.request(
        method,
        f"{base.server.addresses['firestore']}/v1/{base.root}{path}",
        timeout=30,
        headers={} if token is None else {"Authorization": f"Bearer {token}"},
        **options,
    ).status_code


def may_read(base, path: str, token: str | None = None) -> bool:
    answer = status(base, "GET", f"/{path}", token)
    assert answer in (200, 403, 404)
    return answer != 403
