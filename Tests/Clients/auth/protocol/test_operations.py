"""Who may call each operation, the forms of requests and errors, legacy names."""

import json
import re
import subprocess
import urllib.parse

import pytest
import requests
from support.auth.project import IT, Project, check_error, claims
from support.server import PROJECT, binary
from support.wire import TOKEN, V1, V3, segment, unsigned

A, B = "a@example.com", "b@example.com"
FORBIDDEN = "The request is missing a valid API key."
INSUFFICIENT = (
    "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id."
)


@pytest.fixture
def project(hearth) -> Project:
    return Project(hearth)


def routes() -> list[tuple[str, str, str, str, str]]:
    done = subprocess.run([binary(), "routes"], capture_output=True, text=True, check=True)
    return [tuple(line.split("\t")) for line in done.stdout.splitlines()]


ROUTES = [
    route
    for route in routes()
    if route[2].startswith(("identitytoolkit.", "securetoken.", "signOutUser"))
]
# These two look for the project in the body first.
WITH_CREDENTIAL = [
    route
    for route in ROUTES
    if route[3] != "open" and not route[1].endswith(("/uploadAccount", "/downloadAccount"))
]
UNBUILT = [route for route in ROUTES if route[4] == "501"]
BODIES = ("POST", "PATCH", "PUT")


def named(chosen):
    return pytest.mark.parametrize(
        "method, template, operation, credential",
        [route[:4] for route in chosen],
        ids=[f"{route[0]} {route[1]}" for route in chosen],
    )


def filled(template: str) -> str:
    return re.sub(
        r"\{(\w+)\}", lambda name: PROJECT if name[1] == "targetProjectId" else "t1", template
    )


def send(hearth, method: str, path: str, body=None, **options) -> requests.Response:
    if method in BODIES and "data" not in options:
        options["json"] = {} if body is None else body
    return requests.request(method, hearth.auth + path, timeout=30, **options)


def fails(reply: requests.Response, status: int, message: str | None = None) -> dict:
    assert reply.status_code == status, reply.text
    error = reply.json()["error"]
    check_error(error, status)
    if message is not None:
        assert error["message"] == message
    return error


# MARK: Who may call


@named(WITH_CREDENTIAL)
def test_without_credentials(hearth, method, template, operation, credential):
    error = fails(send(hearth, method, filled(template)), 403, FORBIDDEN)
    assert error["status"] == "PERMISSION_DENIED"
    assert error["errors"] == [{"message": FORBIDDEN, "reason": "forbidden", "domain": "global"}]


@named([route for route in WITH_CREDENTIAL if route[3] == "bearerOrKey"])
def test_a_bearer_that_is_unknown(hearth, method, template, operation, credential):
    for params in ({}, {"key": "any"}):
        error = fails(
            send(
                hearth,
                method,
                filled(template),
                params=params,
                headers={"Authorization": "Bearer unknown"},
            ),
            401,
        )
        assert error["status"] == "UNAUTHENTICATED"


@named([route for route in WITH_CREDENTIAL if route[3] == "keyOnly"])
def test_a_bearer_where_a_key_is_wanted(hearth, method, template, operation, credential):
    reply = send(hearth, method, filled(template), headers={"Authorization": "Bearer owner"})
    fails(reply, 403, FORBIDDEN)


@named(
    [
        route
        for route in WITH_CREDENTIAL
        if "{targetProjectId}" in route[1] and route[4] == "built" and route[3] == "bearerOrKey"
    ]
)
def test_a_key_alone_does_not_open_a_project(hearth, method, template, operation, credential):
    reply = send(hearth, method, filled(template), params={"key": "any"})
    fails(reply, 400, INSUFFICIENT)


@pytest.mark.parametrize(
    "headers, params",
    [
        ({}, {"key": "any"}),
        ({"x-goog-api-key": "any"}, {}),
        ({"Authorization": "Bearer owner"}, {}),
        ({"Authorization": "bearer OWNER"}, {}),
        ({"Authorization": "Bearer ya29.x"}, {}),
        ({"Authorization": "Basic x"}, {"key": "any"}),
    ],
)
def test_credentials_that_count(hearth, headers, params):
    reply = send(hearth, "POST", V1 + "signUp", headers=headers, params=params)
    assert reply.status_code == 200, reply.text


@pytest.mark.parametrize("params", [{"key": ""}, {"keys": "any"}])
def test_keys_that_do_not_count(hearth, params):
    fails(send(hearth, "POST", V1 + "signUp", params=params), 403, FORBIDDEN)


# MARK: The order of processing


@named(UNBUILT)
def test_what_is_not_built_says_so(hearth, method, template, operation, credential):
    """An API key is enough to hear it, and comes first."""
    params = {} if credential == "open" else {"key": "any"}
    error = fails(
        send(hearth, method, filled(template), params=params),
        501,
        f"{operation} is not implemented in the Auth Emulator.",
    )
    assert error["status"] == "NOT_IMPLEMENTED"
    if method in BODIES and credential != "open":
        reply = send(
            hearth,
            method,
            filled(template),
            params=params,
            data="{",
            headers={"Content-Type": "application/json"},
        )
        assert fails(reply, 400)["status"] == "INVALID_ARGUMENT"


@pytest.mark.parametrize(
    "path",
    [
        f"{IT}/v1/accounts:unknown",
        f"{IT}/v1/accounts:SignUp",
        f"{IT}/v1/accounts:signUp/",
        f"{IT}/v3/accounts:signUp",
        f"{IT}/v1/accounts%3AsignUp",
        "/unknown",
        V3 + "unknown",
        V3 + "setProjectConfig",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_paths_that_are_unknown(hearth, method, path):
    reply = send(hearth, method, path, params={"key": "any"})
    error = fails(reply, 404)
    assert error["status"] == "NOT_FOUND" and error["errors"][0]["reason"] == "notFound"


@pytest.mark.parametrize(
    "method, path, allowed",
    [
        ("GET", f"{IT}/v1/accounts:signUp", {"POST"}),
        ("PUT", f"{IT}/v1/accounts:signUp", {"POST"}),
        ("DELETE", f"{IT}/v1/accounts:signUp", {"POST"}),
        ("POST", f"{IT}/v1/recaptchaParams", {"GET"}),
        ("POST", f"{IT}/v2/projects/p/tenants/t", {"GET", "PATCH", "DELETE"}),
        ("GET", V3 + "verifyPassword", {"POST"}),
    ],
)
def test_methods_that_are_unknown(hearth, method, path, allowed):
    reply = send(hearth, method, path, params={"key": "any"})
    assert reply.status_code == 405
    assert {name.strip() for name in reply.headers["Allow"].split(",")} >= allowed
    assert reply.json()["message"].startswith(f"Method {method} not allowed for ")


@pytest.mark.parametrize("given", ["text/plain", "application/xml", "multipart/form-data"])
def test_content_types_that_are_unknown(hearth, given):
    for params in ({"key": "any"}, {}):
        reply = send(
            hearth, "POST", V1 + "signUp", data="{}", params=params, headers={"Content-Type": given}
        )
        error = fails(reply, 400, f"Invalid content-type: {given}")
        assert error["errors"][0]["reason"] == "unknown"


@pytest.mark.parametrize(
    "given", ["application/json", "application/json; charset=utf-8", "Application/JSON"]
)
@pytest.mark.parametrize("data", ["", "{}"])
def test_content_types_that_count(hearth, given, data):
    reply = send(
        hearth,
        "POST",
        V1 + "signUp",
        data=data,
        params={"key": "any"},
        headers={"Content-Type": given},
    )
    assert reply.status_code == 200, reply.text


@pytest.mark.parametrize("data", ["", "{}"])
def test_without_a_content_type(hearth, data):
    """It counts as `{}`; the official emulator answers 500."""
    reply = send(hearth, "POST", V1 + "signUp", data=data.encode(), params={"key": "any"})
    assert reply.status_code == 200, reply.text


def test_requests_without_a_body_may_name_a_type(hearth):
    headers = {"Content-Type": "application/json"}
    reply = send(hearth, "GET", f"{IT}/v1/recaptchaParams", params={"key": "any"}, headers=headers)
    assert reply.status_code == 200
    reply = send(
        hearth,
        "DELETE",
        f"{IT}/v2/projects/{PROJECT}/tenants/nobody",
        json={"a": 1},
        headers={"Authorization": "Bearer owner", "Content-Type": "text/plain"},
    )
    assert reply.status_code == 200


# MARK: Bodies


@pytest.mark.parametrize("data", ["{", "nonsense", '{"email":}', "[1", '{"a":1}x'])
def test_bodies_that_are_not_json(hearth, data):
    reply = send(
        hearth,
        "POST",
        V1 + "signUp",
        data=data,
        params={"key": "any"},
        headers={"Content-Type": "application/json"},
    )
    error = fails(reply, 400)
    assert error["status"] == "INVALID_ARGUMENT"
    assert error["message"].startswith("Invalid JSON payload received. ")
    assert error["errors"][0]["reason"] == "parseError"


@pytest.mark.parametrize(
    "verb, body, pointer, kind",
    [
        ("signUp", {"email": True}, "/email", "string"),
        ("signUp", {"email": []}, "/email", "string"),
        ("signUp", {"email": None}, "/email", "string"),
        ("signUp", {"disabled": "yes"}, "/disabled", "boolean"),
        ("lookup", {"localId": "x"}, "/localId", "array"),
        ("lookup", {"localId": [{}]}, "/localId/0", "string"),
        ("update", {"mfa": []}, "/mfa", "object"),
        ("update", {"mfa": {"enrollments": {}}}, "/mfa/enrollments", "array"),
        ("signInWithIdp", {"returnIdpCredential": "x"}, "/returnIdpCredential", "boolean"),
        ("sendVerificationCode", {"phone_number": {}}, "/phoneNumber", "string"),
    ],
)
def test_values_of_a_wrong_type(project, verb, body, pointer, kind):
    error = project.call(verb, body, 400)["error"]
    assert error["message"] == f"Invalid JSON payload received. {pointer} must be {kind}"
    assert error["status"] == "INVALID_ARGUMENT"


@pytest.mark.parametrize(
    "body",
    [
        {"email": A, "password": "secret1", "unknown": {"a": [1]}},
        {"Email": A, "PASSWORD": "secret1"},
        {"email": A, "password": "secret1", "display_name": "Ann"},
    ],
)
def test_names_in_every_spelling(project, body):
    uid = project.call("signUp", body)["localId"]
    assert project.sign_in(A)["localId"] == uid
    assert project.user(uid).get("displayName") == body.get("display_name")


@pytest.mark.parametrize(
    "body, name",
    [
        ({"client_type": 1, "phone_number": "+1"}, "snake case"),
        ({"clientType": 99, "phoneNumber": "+1"}, None),
        ({"clientType": "x", "phoneNumber": "+1"}, None),
    ],
)
def test_enums(project, body, name):
    answer = project.call("sendVerificationCode", body, 200 if name else 400)
    if not name:
        assert answer["error"]["message"] == (
            "Invalid JSON payload received. /clientType must be equal to one of the allowed values"
        )


def test_a_number_counts_as_a_text(project):
    assert project.call("signUp", {"email": A, "password": 123456})["email"] == A
    project.call("signInWithPassword", {"email": A, "password": "123456"})


@pytest.mark.parametrize(
    "name, value, problem",
    [
        ("alt", "x", "must be equal to one of the allowed values"),
        ("prettyPrint", "x", "must be boolean"),
    ],
)
def test_query_parameters_that_are_refused(project, name, value, problem):
    reply = send(project.server, "POST", V1 + "signUp", params={"key": project.id, name: value})
    error = fails(reply, 400, f"Invalid JSON payload received.  {problem}")
    assert error["status"] == "INVALID_ARGUMENT"


@pytest.mark.parametrize(
    "params",
    [
        {"alt": "json"},
        {"alt": "media"},
        {"alt": "proto"},
        {"callback": "x"},
        {"oauth_token": "x"},
        {"prettyPrint": "false"},
        {"quotaUser": "x"},
        {"uploadType": "x"},
        {"upload_protocol": "x"},
        {"access_token": "x"},
        {"unknown": "x"},
    ],
)
def test_query_parameters_that_are_ignored(project, params):
    reply = send(project.server, "POST", V1 + "signUp", params={"key": project.id, **params})
    assert reply.status_code == 200 and reply.json()["idToken"], reply.text


# MARK: Projects and ID tokens


def test_a_project_in_the_body_wants_the_owner(project):
    body = {"targetProjectId": project.id, "localId": ["x"]}
    assert project.error("lookup", body) == INSUFFICIENT
    assert project.owner("POST", V1 + "lookup", json=body)
    key_only = f"{IT}/v2/accounts/passkeySignIn:start"
    assert project.post(key_only, {"targetProjectId": project.id})


@pytest.mark.parametrize(
    "token, message",
    [("x", "INVALID_ID_TOKEN"), ("a.b.c", "INVALID_ID_TOKEN"), ("..", "INVALID_ID_TOKEN")],
)
@pytest.mark.parametrize("verb", ["lookup", "update", "delete"])
def test_invalid_id_tokens(project, verb, token, message):
    assert project.error(verb, {"idToken": token}) == message


def test_an_id_token_of_an_unknown_user(project):
    session = project.sign_up(A)
    project.admin("/accounts:delete", {"localId": session["localId"]})
    assert project.error("lookup", {"idToken": session["idToken"]}) == "USER_NOT_FOUND"


def test_an_id_token_that_is_too_old(project):
    session = project.sign_up(A)
    issued = claims(session)["iat"]
    project.admin(
        "/accounts:update", {"localId": session["localId"], "validSince": str(issued + 1)}
    )
    assert project.error("lookup", {"idToken": session["idToken"]}) == "TOKEN_EXPIRED"


def test_an_id_token_of_a_disabled_user(project):
    session = project.sign_up(A)
    project.admin("/accounts:update", {"localId": session["localId"], "disableUser": True})
    assert project.error("lookup", {"idToken": session["idToken"]}) == "USER_DISABLED"


def test_the_first_fault_of_an_id_token_is_reported(project):
    session = project.sign_up(A)
    project.admin(
        "/accounts:update",
        {
            "localId": session["localId"],
            "disableUser": True,
            "validSince": str(claims(session)["iat"] + 1),
        },
    )
    assert project.error("lookup", {"idToken": session["idToken"]}) == "TOKEN_EXPIRED"


def test_an_unsigned_id_token_counts(project):
    """As test frameworks make them; that it has expired does not matter."""
    session = project.sign_up(A)
    for token in (claims(session), claims(session) | {"exp": claims(session)["iat"] - 1}):
        assert project.call("lookup", {"idToken": unsigned(token)})["users"]


def test_a_jwt_without_firebase_is_refused(project):
    """The official emulator answers 500."""
    token = f"{segment({'alg': 'none'})}.{segment({'user_id': 'x'})}."
    assert project.error("lookup", {"idToken": token})


@pytest.mark.parametrize(
    "body", [{"refreshToken": "x"}, {"refresh_token": "x", "grant_type": "refresh_token"}]
)
def test_invalid_refresh_tokens(project, body):
    body = {"grantType": "refresh_token", **body}
    assert project.error(TOKEN, body) == "INVALID_REFRESH_TOKEN"


# MARK: Tokens


def test_claims_that_users_cannot_set(project):
    uid = project.sign_up(A)["localId"]
    project.admin(
        "/accounts:update",
        {
            "localId": uid,
            "customAttributes": json.dumps(
                {
                    "email": B,
                    "email_verified": True,
                    "user_id": "x",
                    "provider_id": "x",
                    "phone_number": "+1",
                    "name": "Custom",
                    "picture": "p",
                    "mine": 1,
                }
            ),
        },
    )
    token = claims(project.sign_in(A))
    assert (token["email"], token["email_verified"], token["user_id"]) == (A, False, uid)
    assert "provider_id" not in token and "phone_number" not in token
    assert (token["name"], token["picture"], token["mine"]) == ("Custom", "p", 1)


def test_only_anonymous_users_have_a_provider_id(project):
    assert claims(project.call("signUp", {}))["provider_id"] == "anonymous"
    for session in (
        project.sign_up(A),
        project.phone("+15555550100"),
        project.idp("google.com", {"sub": "1"}),
    ):
        assert "provider_id" not in claims(session)


# MARK: Old names

LEGACY = {
    "createAuthUri": "createAuthUri",
    "deleteAccount": "delete",
    "emailLinkSignin": "signInWithEmailLink",
    "getAccountInfo": "lookup",
    "getOobConfirmationCode": "sendOobCode",
    "resetPassword": "resetPassword",
    "sendVerificationCode": "sendVerificationCode",
    "setAccountInfo": "update",
    "signupNewUser": "signUp",
    "verifyAssertion": "signInWithIdp",
    "verifyCustomToken": "signInWithCustomToken",
    "verifyPassword": "signInWithPassword",
    "verifyPhoneNumber": "signInWithPhoneNumber",
}


@pytest.mark.parametrize("old, new", LEGACY.items())
@pytest.mark.parametrize(
    "body",
    [
        {},
        {"idToken": "x"},
        {"email": "no address", "password": "x"},
        {"email": 1, "code": []},
        {"oobCode": "x", "newPassword": "secret1"},
        {"token": "x"},
        {"tenantId": "t"},
    ],
)
def test_old_names_answer_as_the_new(project, old, new, body):
    answers = [
        project.server.post(f"{path}?key={project.id}", body) for path in (V3 + old, V1 + new)
    ]
    first, second = ((answer.status_code, answer.json()) for answer in answers)
    assert first[0] == second[0]
    if first[0] == 200:
        assert first[1].keys() == second[1].keys()
    else:
        assert first[1] == second[1]


@pytest.mark.parametrize(
    "old, new",
    [("getProjectConfig", f"{IT}/v1/projects"), ("getRecaptchaParam", f"{IT}/v1/recaptchaParams")],
)
def test_old_names_that_are_read(project, old, new):
    answers = [project.request("GET", path, params={"key": project.id}) for path in (V3 + old, new)]
    assert answers[0] == answers[1]


def test_signing_out_is_unimplemented_and_needs_no_user(hearth):
    fails(
        send(hearth, "POST", V3 + "signOutUser"),
        501,
        "signOutUser is not implemented in the Auth Emulator.",
    )


# MARK: Generated identifiers


@pytest.mark.parametrize(
    "make, pattern",
    [
        (lambda project: project.call("signUp", {})["localId"], r"[A-Za-z0-9]{28}"),
        (lambda project: project.tenant(), r"[A-Za-z0-9]{28}"),
        (lambda project: project.sms("+1")["sessionInfo"], r"[A-Za-z0-9_-]{226}"),
        (lambda project: project.sms("+1")["code"], r"[0-9]{6}"),
    ],
)
def test_identifiers(project, make, pattern):
    found = {make(project) for _ in range(5)}
    assert len(found) > 1
    assert all(re.fullmatch(pattern, one) for one in found), found


def test_percent_signs_in_paths(project):
    uid = "a b:c/ü"
    project.admin("/accounts", {"localId": uid, "email": A})
    tenant = urllib.parse.quote("t 1:x", safe="")
    got = project.owner("GET", f"{project.v2}/tenants/{tenant}")
    assert got["tenantId"] == "t 1:x"
    assert project.user(uid)["email"] == A
