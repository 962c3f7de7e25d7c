"""The legacy names of operations below www.googleapis.com."""

import json

import pytest
from support.auth.accounts import INSUFFICIENT
from support.auth.routes import (  # noqa: F401
    IT1,
    MISSING_KEY,
    anywhere,
    error,
    hearth,
    http,
    of_schema,
    plain,
    post,
    send,
)
from support.steering import guard, project  # noqa: F401
from support.wire import V1, V3

SCHEMA = "Invalid JSON payload received. "
OWNER = {"Authorization": "Bearer owner"}
JSON_TYPE = {"Content-Type": "application/json"}


# MARK: Old names

LEGACY = {
    "createAuthUri": "createAuthUri",
    "deleteAccount": "delete",
    "emailLinkSignin": "signInWithEmailLink",
    "getAccountInfo": "lookup",
    "getOobConfirmationCode": "sendOobCode",
    "sendVerificationCode": "sendVerificationCode",
    "setAccountInfo": "update",
    "signupNewUser": "signUp",
    "verifyAssertion": "signInWithIdp",
    "verifyCustomToken": "signInWithCustomToken",
    "verifyPassword": "signInWithPassword",
    "verifyPhoneNumber": "signInWithPhoneNumber",
    "resetPassword": "resetPassword",
}
LEGACY_GETS = {"getProjectConfig": f"{IT1}/projects", "getRecaptchaParam": f"{IT1}/recaptchaParams"}
BROKEN = [
    {},
    {"email": 5, "idToken": "x"},
    {"email": []},
    {"targetProjectId": "x"},
    {"refreshToken": "x"},
]


@pytest.mark.parametrize("body", BROKEN, ids=lambda body: json.dumps(body))
@pytest.mark.parametrize("old, new", LEGACY.items())
def test_old_names_do_the_same(send, old, new, body):
    for options in (
        {},
        {"params": {"key": "any"}},
        {"headers": {"x-goog-api-key": "any"}},
        {"headers": OWNER},
        {"headers": {"Authorization": "Bearer x"}},
    ):
        expected = send("POST", V1 + new, json=body, **options)
        reply = send("POST", V3 + old, json=body, **options)
        assert reply.status_code == expected.status_code
        if expected.status_code != 200:
            assert reply.json() == expected.json()
        else:
            assert reply.json().keys() == expected.json().keys()


@pytest.mark.parametrize("old, new", LEGACY_GETS.items())
def test_old_names_of_gets(send, old, new):
    for options in (
        {},
        {"params": {"key": "any"}},
        {"headers": {"x-goog-api-key": "any"}},
        {"headers": OWNER},
    ):
        expected = send("GET", new, **options)
        reply = send("GET", V3 + old, **options)
        assert (reply.status_code, reply.json()) == (expected.status_code, expected.json())


@pytest.mark.parametrize("query", ["alt=xml", "prettyPrint=maybe", "fields=kind", "unknown=1"])
@pytest.mark.parametrize(
    "method, name",
    [("POST", "signupNewUser"), ("GET", "getProjectConfig"), ("GET", "getRecaptchaParam")],
)
def test_old_names_drop_parameters(send, method, name, query):
    options = {"json": {}} if method == "POST" else {}
    expected = send(method, f"{V3}{name}?key=any", **options)
    reply = send(method, f"{V3}{name}?{query}&key=any", **options)
    assert reply.status_code == expected.status_code == 200
    assert reply.json().keys() == expected.json().keys()


@pytest.mark.parametrize("query", ["", "?key=", "?key=a&key=b"])
def test_old_names_want_a_key(send, query):
    assert error(send("POST", f"{V3}verifyPassword{query}", json={}), 403) == MISSING_KEY


@pytest.mark.parametrize("name", [*LEGACY, *LEGACY_GETS])
def test_methods_of_old_names(send, name):
    """The method must be the new name's."""
    fitting = "GET" if name in LEGACY_GETS else "POST"
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"} - {fitting}:
        reply = send(method, f"{V3}{name}?key=any")
        assert (reply.status_code, reply.headers["Allow"]) == (405, fitting)


@pytest.mark.parametrize("method", ["GET", "POST", "PUT"])
@pytest.mark.parametrize("name", ["setProjectConfig", "nothing", "signUp", "verifypassword"])
def test_legacy_names_that_are_not_served(send, method, name):
    reply = send(method, f"{V3}{name}?key=any")
    assert error(reply, 404)["status"] == "NOT_FOUND"


@pytest.mark.parametrize(
    "options",
    [
        {"json": {}},
        {"json": {"instanceId": "x"}, "headers": OWNER},
        {"json": {}, "params": {"key": "a"}},
        {},
    ],
    ids=["nobody", "owner", "key", "no body"],
)
def test_signing_out_is_not_built(send, options):
    found = error(send("POST", f"{V3}signOutUser", **options), 501)
    assert found["status"] == "NOT_IMPLEMENTED"
    assert found["errors"] == [{"message": found["message"], "reason": "unimplemented"}]


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "HEAD"])
def test_signing_out_has_one_method(send, method):
    """405 as for every path that is known; the official emulator says 404 here."""
    assert send(method, f"{V3}signOutUser?key=any").status_code == 405


BATCHES = ["downloadAccount", "uploadAccount"]


@pytest.mark.parametrize("name", BATCHES)
@pytest.mark.parametrize(
    "body",
    [{}, {"targetProjectId": ""}, {"maxResults": 1, "users": []}],
    ids=["none", "empty", "others"],
)
@pytest.mark.parametrize("headers", [OWNER, {"x-goog-api-key": "any"}], ids=["owner", "key"])
def test_old_batches_want_a_project(send, name, body, headers):
    assert post(send, V3 + name, body, 400, headers=headers) == plain("INSUFFICIENT_PERMISSION")


@pytest.mark.parametrize("name", BATCHES)
def test_old_batches_want_privilege(send, anywhere, name):
    body = {"targetProjectId": anywhere}
    assert post(send, V3 + name, body, 403) == MISSING_KEY
    assert post(send, f"{V3}{name}?key=any", body, 400) == plain(INSUFFICIENT)


@pytest.mark.parametrize("name", BATCHES)
@pytest.mark.parametrize("body", ["{", "nonsense", '{"a": 1,}'])
def test_old_batches_want_json(send, name, body):
    reply = send("POST", V3 + name, data=body, headers=OWNER | JSON_TYPE)
    assert reply.status_code == 400 and reply.json()


@pytest.mark.parametrize("member", ["targetProjectId", "target_project_id", "TargetProjectId"])
def test_old_batches_work(send, project, member):
    users = [{"localId": f"u{index}", "email": f"{index}@example.com"} for index in range(3)]
    answer = post(send, f"{V3}uploadAccount", {member: project.id, "users": users}, headers=OWNER)
    assert answer == {"kind": "identitytoolkit#UploadAccountResponse", "error": []}
    assert [user["localId"] for user in project.users()] == ["u0", "u1", "u2"]

    def download(**more) -> dict:
        return post(send, f"{V3}downloadAccount", {member: project.id, **more}, headers=OWNER)

    assert download() == project.owner("GET", f"{project.v1}/accounts:batchGet")
    for size in (2, "2"):
        page = download(maxResults=size)
        assert [user["localId"] for user in page["users"]] == ["u0", "u1"]
    rest = download(max_results=2, next_page_token=page["nextPageToken"])
    assert [user["localId"] for user in rest["users"]] == ["u2"]
    assert download(tenantId="t1")["users"] == []


def test_an_old_upload_into_a_tenant(send, project):
    body = {"targetProjectId": project.id, "tenantId": "t1", "users": [{"localId": "u"}]}
    post(send, f"{V3}uploadAccount", body, headers=OWNER)
    [user] = project.users("t1")
    assert (user["localId"], user["tenantId"]) == ("u", "t1")


@pytest.mark.parametrize("value", ["x", "1.5", 1.5], ids=["word", "text", "fraction"])
def test_an_old_download_checks_what_become_parameters(send, anywhere, value):
    found = post(
        send,
        f"{V3}downloadAccount",
        {"targetProjectId": anywhere, "maxResults": value},
        400,
        headers=OWNER,
    )
    assert found == of_schema("Invalid JSON payload received.  must be integer")


def test_an_old_upload_checks_its_body(send, anywhere):
    found = post(
        send, f"{V3}uploadAccount", {"targetProjectId": anywhere, "users": {}}, 400, headers=OWNER
    )
    assert found == of_schema(f"{SCHEMA}/users must be array")
