"""Wrong methods, and which of several checks comes first."""

import json
import re

import pytest
import requests
from support.auth.accounts import INSUFFICIENT
from support.auth.routes import (  # noqa: F401
    IT1,
    IT2,
    MISSING_KEY,
    PATHS,
    ROWS,
    anywhere,
    each,
    error,
    hearth,
    http,
    send,
)
from support.server import PROJECT
from support.steering import guard  # noqa: F401
from support.wire import V1, unsigned

SCHEMA = "Invalid JSON payload received. "
ORIGIN = "https://app.example.com"


# MARK: The table

CONTROL = "/emulator/v1/projects/{p}"


# MARK: Who is calling

STRANGER = {"Authorization": "Bearer stranger"}


# MARK: Which check comes first

METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]


def allowed(path: str) -> set[str]:
    methods = {row.method for row in ROWS if row.path == path}
    # The form of the action page, answers that providers post, and the search of users are ours.
    ours = {
        "/emulator/action": {"POST"},
        "/emulator/auth/handler": {"POST"},
        f"{CONTROL}/accounts": {"GET"},
    }
    return methods | ours.get(path, set())


@pytest.mark.parametrize("row", each(PATHS.values()))
def test_wrong_methods(send, anywhere, row):
    """Neither content type nor credential is looked at."""
    path = row.at(anywhere)
    for method in METHODS:
        if method in allowed(row.path):
            continue
        target = f"{path}?a=b%20c&alt=x"
        reply = send(method, target, data="{", headers=STRANGER | {"Content-Type": "a/b"})
        assert reply.status_code == 405, f"{method} {reply.text}"
        assert set(reply.headers["Allow"].split(",")) == allowed(row.path)
        assert " " not in reply.headers["Allow"]
        assert reply.headers["Content-Type"].startswith("application/json")
        if method != "HEAD":
            assert reply.json()["message"] == f"Method {method} not allowed for {target}"


@pytest.mark.parametrize(
    "path, methods",
    [
        (f"{V1}signUp", "POST"),
        (f"{IT1}/projects", "GET"),
        (f"{IT2}/projects/p/config", "GET,PATCH"),
        ("/emulator/v1/projects/p/config", "GET,PATCH"),
        ("/emulator/v1/projects/p/accounts", "DELETE,GET"),
    ],
)
def test_the_methods_of_a_path(send, path, methods):
    reply = send("PUT", path, headers={"Origin": ORIGIN})
    assert (reply.status_code, reply.headers["Allow"]) == (405, methods)
    assert reply.json()["message"] == f"Method PUT not allowed for {path}"


def test_the_type_of_a_405(send):
    assert send("PUT", f"{V1}signUp").headers["Content-Type"] == "application/json"


BAD_TYPE = "Invalid content-type: text/plain"
PIPELINE = {
    # name: (what spoils the request, status, a word of the message)
    "404": ({"path": "/nowhere"}, 404, "Not Found"),
    "405": ({"method": "PUT"}, 405, None),
    "type": ({"type": "text/plain"}, 400, BAD_TYPE),
    "credential": ({"headers": STRANGER}, 401, "Request had invalid"),
    "parameter": ({"query": "&alt=x"}, 400, f"{SCHEMA} must be equal to one of"),
    "parse": ({"body": "{"}, 400, SCHEMA),
    "schema": ({"fields": {"email": []}}, 400, f"{SCHEMA}/email must be string"),
    "project": ({"fields": {"targetProjectId": PROJECT}}, 400, INSUFFICIENT),
    "tenant": ({"fields": {"tenantId": "t2"}}, 400, "TENANT_ID_MISMATCH"),
    "operation": ({"fields": {"password": ""}}, 400, "MISSING_PASSWORD"),
}


def token_of_tenant(tenant: str) -> str:
    return unsigned({"user_id": "u", "firebase": {"tenant": tenant}})


def spoiled(send, *names: str) -> requests.Response:
    """A request with these faults; it is in tenant t1 by its token."""
    merged = {
        "method": "POST",
        "path": f"{V1}signUp",
        "type": "application/json",
        "query": "",
        "headers": {},
        "body": None,
        "fields": {},
    }
    for name in names:
        for part, value in PIPELINE[name][0].items():
            merged[part] = merged[part] | value if isinstance(value, dict) else value
    fields = {
        "email": "a@b.example",
        "password": "secret1",
        "idToken": token_of_tenant("t1"),
        **merged["fields"],
    }
    if "operation" not in names and "tenant" not in names:
        del fields["idToken"]
    return send(
        merged["method"],
        f"{merged['path']}?key=any{merged['query']}",
        data=merged["body"] or json.dumps(fields),
        headers={"Content-Type": merged["type"]} | merged["headers"],
    )


ORDER = list(PIPELINE)


@pytest.mark.parametrize(
    "first, second",
    [
        (first, second)
        for index, first in enumerate(ORDER)
        for second in ORDER[index + 1 :]
        if {first, second} != {"parse", "operation"}
    ],
)
def test_the_earlier_check_answers(send, first, second):
    reply = spoiled(send, first, second)
    _, status, message = PIPELINE[first]
    assert reply.status_code == status, reply.text
    if message is not None:
        assert error(reply, status)["message"].startswith(message)


@pytest.mark.parametrize("headers", [{}, STRANGER], ids=["nobody", "stranger"])
def test_the_type_is_looked_at_before_the_caller(send, headers):
    reply = send("POST", f"{V1}signUp", data="x", headers=headers | {"Content-Type": "text/plain"})
    assert error(reply, 400)["message"] == BAD_TYPE


def test_parameters_are_looked_at_after_the_caller(send):
    assert error(send("GET", f"{IT1}/projects?alt=x"), 403) == MISSING_KEY


def test_one_violation_is_reported(send):
    found = error(
        send("POST", f"{V1}signUp?key=any", json={"email": [], "password": [], "displayName": {}}),
        400,
    )
    assert len(found["errors"]) == 1
    assert re.fullmatch(r"/\w+ must be string", found["message"].removeprefix(SCHEMA))
