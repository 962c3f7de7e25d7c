"""How production writes its errors."""

import pytest
import requests
from support.auth.project import IT
from support.auth.recorded import Recorded

UNREGISTERED = (
    "Method doesn't allow unregistered callers (callers without established identity). "
    "Please use API Key or other form of API consumer identity to call this API."
)
SORT = (
    "Invalid value at 'sort_by' "
    "(type.googleapis.com/google.cloud.identitytoolkit.v1.QueryUserInfoRequest.SortByField), "
    '"NOT_A_FIELD"'
)


@pytest.fixture
def project(hearth):
    return Recorded(hearth)


def item(message: str, reason: str = "invalid") -> dict:
    return {"message": message, "domain": "global", "reason": reason}


def violation(field: str, text: str) -> dict:
    return {
        "code": 400,
        "message": text,
        "errors": [{"message": text, "reason": "invalid"}],
        "status": "INVALID_ARGUMENT",
        "details": [
            {
                "@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": [{"field": field, "description": text}],
            }
        ],
    }


@pytest.mark.parametrize(
    "verb, body, message",
    [
        pytest.param("signUp", {"email": "none", "password": "secret1"}, "INVALID_EMAIL", id="A1"),
        pytest.param("lookup", {}, "MISSING_ID_TOKEN", id="A35-missing"),
        pytest.param("lookup", {"idToken": None}, "MISSING_ID_TOKEN", id="A35-null"),
        pytest.param("lookup", {"idToken": ""}, "INVALID_ID_TOKEN", id="A35-empty"),
        pytest.param("lookup", {"idToken": 42}, "INVALID_ID_TOKEN", id="A35-number"),
    ],
)
def test_business_errors_of_v1_have_no_status(project, verb, body, message):
    assert project.client(verb, body) == (
        400,
        {"error": {"code": 400, "message": message, "errors": [item(message)]}},
    )


def test_secure_token_has_no_list_of_errors(project):
    """A2"""
    assert project.refresh("x") == (
        400,
        {"error": {"code": 400, "message": "INVALID_REFRESH_TOKEN", "status": "INVALID_ARGUMENT"}},
    )


def test_v2_has_no_list_of_errors(project):
    """A3"""
    status, body = project.send(
        "POST", f"{IT}/v2/accounts/mfaEnrollment:start", {"idToken": "x"}, key=project.id
    )
    assert status == 400
    assert set(body["error"]) == {"code", "message", "status"}


@pytest.mark.parametrize(
    "path, body, field, text",
    [
        pytest.param("/accounts:query", {"sortBy": "NOT_A_FIELD"}, "sort_by", SORT, id="A4-enum"),
        pytest.param(
            "/accounts:update",
            {"localId": "u", "deleteAttribute": ["X"]},
            "delete_attribute[0]",
            "Invalid value at 'delete_attribute[0]' (type.googleapis.com/google.cloud.identitytoolkit"
            '.v1.SetAccountInfoRequest.UserAttributeName), "X"',
            id="A4-element",
        ),
        pytest.param(
            "/accounts:sendOobCode",
            {"requestType": "X"},
            "req_type",
            "Invalid value at 'req_type' "
            '(type.googleapis.com/google.cloud.identitytoolkit.v1.OobReqType), "X"',
            id="A74-unknown",
        ),
        pytest.param(
            "/accounts:batchCreate",
            {"users": [{"localId": "u", "createdAt": "yesterday"}]},
            "users[0].created_at",
            "Invalid value at 'users[0].created_at' (TYPE_INT64), \"yesterday\"",
            id="A4-number",
        ),
        pytest.param(
            "/accounts:batchCreate",
            {"users": [{"localId": "u", "passwordHash": "not base64!"}]},
            "users[0].password",
            "Invalid value at 'users[0].password' (TYPE_BYTES), "
            'Base64 decoding failed for "not base64!"',
            id="A4-bytes",
        ),
    ],
)
def test_fields_of_a_wrong_type_are_named(project, path, body, field, text):
    assert project.owned(path, body) == (400, {"error": violation(field, text)})


@pytest.mark.parametrize(
    "member, text",
    [
        pytest.param(
            {"x": 1},
            "Invalid JSON payload received. Unknown name \"x\" at 'config': Cannot find field.",
            id="A211-unknown",
        )
    ],
)
def test_unknown_members_are_named(project, member, text):
    status, body = project.send(
        "PATCH", f"{project.v2}/config", member, {"Authorization": "Bearer owner"}
    )
    assert (status, body["error"]["message"]) == (400, text)
    assert "errors" not in body["error"]


def test_lists_and_single_values_stand_for_each_other(project):
    """A44"""
    project.create("one")
    [user] = project.done(project.owned("/accounts:lookup", {"localId": "one"}))["users"]
    assert user["localId"] == "one"
    assert project.owned("/accounts:lookup", {"localId": [42]}) == (
        200,
        {"kind": "identitytoolkit#GetAccountInfoResponse"},
    )


@pytest.mark.parametrize(
    "method, path",
    [
        pytest.param("POST", f"{IT}/v1/accounts:unknownMethod", id="A5"),
        pytest.param("POST", f"{IT}/v1/projects/demo-hearth/accounts:batchGet", id="A6"),
    ],
)
def test_unknown_methods_are_a_page(hearth, method, path):
    reply = requests.request(
        method, hearth.auth + path, json={}, headers={"Authorization": "Bearer owner"}, timeout=30
    )
    assert reply.status_code == 404
    assert reply.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize(
    "method, path",
    [
        ("POST", "documents:none"),
        ("GET", "documents:commit"),
        ("PUT", "documents/a/b"),
        ("POST", "none"),
    ],
)
def test_unknown_methods_of_firestore_are_a_page(hearth, method, path):
    url = f"{hearth.addresses['firestore']}/v1/projects/demo-hearth/databases/(default)/{path}"
    owner = {"Authorization": "Bearer owner"}
    reply = requests.request(method, url, json={}, headers=owner, timeout=30)
    assert reply.status_code == 404
    assert reply.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize(
    "body, problem",
    [
        ("{not json", "Expected : between key:value pair.\n{not json\n     ^"),
        ("not json", "Unexpected token.\nnot json\n^"),
        (
            '{"email": [1 2]}',
            'Expected , or ] after array value.\n{"email": [1 2]}\n             ^',
        ),
        ('"x"', 'Unknown name "": Root element must be a message.'),
    ],
)
def test_a_body_that_is_not_json(hearth, body, problem):
    """As F11 was recorded; one front end of Google's reads the bodies of all APIs."""
    reply = requests.post(
        f"{hearth.auth}{IT}/v1/accounts:signUp?key=any",
        data=body,
        headers={"Content-Type": "application/json"},
        timeout=30,
    )
    assert reply.status_code == 400
    error = reply.json()["error"]
    assert error["message"] == f"Invalid JSON payload received. {problem}"
    assert error["status"] == "INVALID_ARGUMENT"


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(f"{IT}/v1/accounts:signUp", id="A7"),
        pytest.param(f"{IT}/v1/projects/demo-hearth/accounts:lookup", id="A8"),
    ],
)
def test_calls_without_credentials(project, path):
    assert project.send("POST", path, {}) == (
        403,
        {
            "error": {
                "code": 403,
                "message": UNREGISTERED,
                "errors": [item(UNREGISTERED, "forbidden")],
                "status": "PERMISSION_DENIED",
            }
        },
    )


def test_a_key_does_not_administer(project):
    """A9"""
    status, body = project.send(
        "POST", f"{project.v1}/accounts:lookup", {"localId": ["u"]}, key=project.id
    )
    assert (status, body["error"]["message"]) == (
        400,
        "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id.",
    )


def test_a_key_makes_no_session_cookie(project):
    """A11"""
    status, body = project.send(
        "POST", f"{project.v1}:createSessionCookie", {"idToken": "x"}, key=project.id
    )
    error = body["error"]
    assert (status, error["status"]) == (401, "UNAUTHENTICATED")
    assert error["details"][0]["reason"] == "CREDENTIALS_MISSING"
    assert error["errors"][0]["reason"] == "required"
    assert error["errors"][0]["location"] == "Authorization"


def test_internal_failures(project):
    """A12"""
    text = "Internal error encountered."
    assert project.owned("/accounts:query", {"offset": "-1"}) == (
        500,
        {
            "error": {
                "code": 500,
                "message": text,
                "errors": [item(text, "backendError")],
                "status": "INTERNAL",
            }
        },
    )
