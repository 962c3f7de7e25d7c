"""Content types, and the keys of JSON bodies."""

import gzip
import json
import zlib

import pytest
from support.auth.routes import (  # noqa: F401
    API,
    MISSING_KEY,
    ROWS,
    anywhere,
    each,
    error,
    hearth,
    http,
    of_schema,
    plain,
    send,
)
from support.steering import guard, project  # noqa: F401
from support.wire import TOKEN, V1, V3

SCHEMA = "Invalid JSON payload received. "
OWNER = {"Authorization": "Bearer owner"}
JSON_TYPE = {"Content-Type": "application/json"}
A = "a@example.com"
FORM_TYPE = {"Content-Type": "application/x-www-form-urlencoded"}
ALLOWED = "must be equal to one of the allowed values"
BODIES = [row for row in API if row.has_body]


# MARK: Content types


@pytest.mark.parametrize("row", each(BODIES))
def test_bodies_are_json(send, anywhere, row):
    """Refused before anybody asks who is calling; parameters of the type do not matter."""
    path = row.at(anywhere)
    for given in (
        "text/plain",
        "multipart/form-data; boundary=x",
        "application/xml",
        *(() if row.path == TOKEN else FORM_TYPE.values()),
    ):
        message = f"Invalid content-type: {given}"
        found = error(send(row.method, path, data="{}", headers={"Content-Type": given}), 400)
        assert found == {
            "code": 400,
            "message": message,
            "errors": [{"message": message, "reason": "unknown"}],
        }
    for given in (
        "application/json",
        "application/json; charset=utf-8",
        "application/json;charset=UTF-8",
        "Application/JSON",
        'application/json; charset="utf-8"; x=y',
    ):
        reply = send(row.method, path, data="{}", headers={"Content-Type": given})
        assert error(reply, 403) == MISSING_KEY


@pytest.mark.parametrize(
    "given",
    [
        "application/vnd.api+json",
        "text/json",
        "application/jsonx",
        "json",
        "*/*",
        "application/json-patch+json",
        "application/octet-stream",
        "text/plain;charset=UTF-8",
    ],
)
def test_types_that_are_not_json(send, given):
    headers = {"Content-Type": given}
    found = error(send("POST", f"{V1}signUp?key=any", data="{}", headers=headers), 400)
    assert found["message"] == f"Invalid content-type: {given}"


GETS = [
    row
    for row in ROWS
    if row.method == "GET"
    and not row.path.startswith("/emulator/a")
    and row.path != "/emulator/openapi.json"
]


@pytest.mark.parametrize("row", each(GETS))
@pytest.mark.parametrize("given", ["application/json", "text/plain"])
def test_a_get_with_a_type_has_no_body(send, anywhere, row, given):
    path, headers = row.at(anywhere), {"Content-Type": given}
    message = f"Invalid content-type: {given}"
    found = error(send("GET", path, data="{}", headers=headers), 400)
    assert found == {
        "code": 400,
        "message": message,
        "errors": [{"message": message, "reason": "unknown"}],
    }
    for options in ({"headers": OWNER | headers}, {"headers": OWNER, "data": "{"}):
        reply = send("GET", path, params={"key": "any"}, **options)
        assert "Invalid" not in reply.text and reply.status_code != 500


DELETES = [row for row in ROWS if row.method == "DELETE"]


@pytest.mark.parametrize("row", each(DELETES))
@pytest.mark.parametrize(
    "headers, body",
    [
        (JSON_TYPE, b"{"),
        (JSON_TYPE, b'{"idToken": 5, "tenantId": "x", "targetProjectId": "y"}'),
        ({"Content-Type": "text/plain"}, b"nonsense"),
        (JSON_TYPE, b"null"),
        ({}, b"{"),
        ({"Content-Type": "application/json; charset=iso-8859-1"}, b"{}"),
        (JSON_TYPE, b""),
        (JSON_TYPE, b'{"refreshToken": "x"}'),
    ],
    ids=["malformed", "fields", "text", "null", "no-type", "charset", "empty", "refresh-token"],
)
def test_a_delete_has_no_body(send, anywhere, row, headers, body):
    expected = send("DELETE", row.at(anywhere), headers=OWNER)
    reply = send("DELETE", row.at(anywhere), headers=OWNER | headers, data=body)
    assert (reply.status_code, reply.json()) == (expected.status_code, expected.json())
    assert reply.status_code in (200, 404)


@pytest.mark.parametrize(
    "headers, body, decoder",
    [
        (JSON_TYPE, b"", None),
        ({}, b"", None),
        ({}, b"{}", None),
        (JSON_TYPE, b"{}", None),
        (JSON_TYPE, b"\xef\xbb\xbf{}", None),
        (JSON_TYPE, b" \r\n\t{ } \n", None),
        (JSON_TYPE, gzip.compress(b"{}", mtime=0), "gzip"),
        (JSON_TYPE, zlib.compress(b"{}"), "deflate"),
    ],
    ids=["empty", "nothing", "no-type", "object", "byte-order-mark", "blanks", "gzip", "deflate"],
)
@pytest.mark.parametrize(
    "path, message",
    [
        ("signInWithPassword", "MISSING_EMAIL"),
        ("lookup", "MISSING_ID_TOKEN"),
        ("sendOobCode", "MISSING_REQ_TYPE"),
        (TOKEN, "MISSING_GRANT_TYPE"),
        (f"{V3}verifyPassword", "MISSING_EMAIL"),
    ],
)
def test_bodies_that_are_an_empty_object(send, path, message, headers, body, decoder):
    path = path if path.startswith("/") else V1 + path
    headers = headers | ({"Content-Encoding": decoder} if decoder else {})
    reply = send("POST", f"{path}?key=any", data=body, headers=headers)
    assert error(reply, 400) == plain(message)


def test_json_without_a_type_is_read(send):
    reply = send("POST", f"{V1}signInWithPassword?key=any", data=json.dumps({"email": "x"}))
    assert error(reply, 400) == plain("INVALID_EMAIL")


@pytest.mark.parametrize("body", ['"text"', "12", "-1.5", "null", "true", "false", '""'])
@pytest.mark.parametrize(
    "path", [f"{V1}signUp", TOKEN, f"{V3}signupNewUser"], ids=["signUp", "token", "signupNewUser"]
)
def test_json_that_is_neither_object_nor_array(send, path, body):
    found = error(send("POST", f"{path}?key=any", data=body, headers=JSON_TYPE), 400)
    assert found["message"].startswith(SCHEMA)
    assert found["status"] == "INVALID_ARGUMENT"
    assert found["errors"] == [
        {"message": found["message"], "domain": "global", "reason": "parseError"}
    ]


@pytest.mark.parametrize("body", ["[]", "[{}]", '["a"]', '[{"email": "a"}]'])
@pytest.mark.parametrize(
    "path", [f"{V1}signUp", TOKEN, f"{V3}signupNewUser"], ids=["signUp", "token", "signupNewUser"]
)
def test_an_array_is_not_a_body(send, path, body):
    found = error(send("POST", f"{path}?key=any", data=body, headers=JSON_TYPE), 400)
    assert found == of_schema("Invalid JSON payload received.  must be object")


def test_the_token_endpoint_takes_forms(send, project):
    session = project.sign_up(A)
    for given in (FORM_TYPE, {"Content-Type": "application/x-www-form-urlencoded; charset=UTF-8"}):
        for names in (
            "grant_type=refresh_token&refresh_token=",
            "grantType=refresh_token&refreshToken=",
            "GrantType=refresh_token&unknown=1&Refresh-Token=",
        ):
            reply = send(
                "POST",
                TOKEN,
                params={"key": project.id},
                headers=given,
                data=names + session["refreshToken"],
            )
            assert reply.status_code == 200, reply.text
            assert reply.json()["user_id"] == session["localId"]
    found = error(send("POST", f"{TOKEN}?key=any", headers={"Content-Type": "text/plain"}), 400)
    assert found["message"] == "Invalid content-type: text/plain"


# MARK: Keys


@pytest.mark.parametrize(
    "name",
    [
        "requestType",
        "request_type",
        "RequestType",
        "REQUEST_TYPE",
        "request-type",
        "request type",
        "Request_Type",
        "_request_type",
        "request__type",
    ],
)
def test_spellings_of_a_key(project, name):
    project.sign_up(A)
    assert project.call("sendOobCode", {name: "PASSWORD_RESET", "email": A})["email"] == A


@pytest.mark.parametrize(
    "field, spelling",
    [
        ("photoUrl", "photoURL"),
        ("photoUrl", "photo_url"),
        ("photoUrl", "PhotoUrl"),
        ("photoUrl", "PhotoURL"),
        ("displayName", "DisplayName"),
        ("displayName", "display_name"),
        ("displayName", "displayName"),
        ("phoneNumber", "phone_number"),
        ("localId", "local_id"),
        ("localId", "LocalId"),
        ("localId", "localID"),
    ],
)
def test_spellings_are_one_field(project, field, spelling):
    project.admin("/accounts", {spelling: "+1"})
    [user] = project.users()
    assert user[field] == "+1"


def test_keys_at_every_depth(project):
    uid = project.sign_up(A)["localId"]
    project.admin(
        "/accounts:update",
        {
            "local_id": uid,
            "email_verified": True,
            "MFA": {
                "Enrollments": [{"mfa_enrollment_id": "m", "phone_info": "+1", "display-name": "d"}]
            },
            "link_provider_user_info": {"provider_id": "x.com", "raw_id": "r", "photo_URL": "p"},
        },
    )
    user = project.user(uid)
    [factor] = user["mfaInfo"]
    assert (factor["mfaEnrollmentId"], factor["phoneInfo"], factor["displayName"]) == (
        "m",
        "+1",
        "d",
    )
    entry = next(entry for entry in user["providerUserInfo"] if entry["providerId"] == "x.com")
    assert (entry["rawId"], entry["photoUrl"]) == ("r", "p")
    found = project.admin(
        "/accounts:lookup", {"federated_user_id": [{"provider_id": "x.com", "raw_id": "r"}]}
    )
    assert [user["localId"] for user in found["users"]] == [uid]


def test_keys_of_the_configuration(project):
    body = {
        "sign_in": {"allow_duplicate_emails": True},
        "EmailPrivacyConfig": {"enable_improved_email_privacy": True},
    }
    project.owner("PATCH", f"{project.v2}/config", json=body)
    answer = project.request("GET", f"{project.control}/config")
    assert answer == {
        "signIn": {"allowDuplicateEmails": True},
        "emailPrivacyConfig": {"enableImprovedEmailPrivacy": True},
    }


def test_a_violation_names_the_key_as_it_is_read(project):
    path = f"{V1}sendOobCode"
    assert project.error(path, {"Request_Type": "x"}) == f"{SCHEMA}/requestType {ALLOWED}"
    assert (
        project.error(
            f"{V1}update", {"MFA": {"enroll_ments": 5, "Enrollments": [{"Phone_Info": []}]}}
        )
        == f"{SCHEMA}/mfa/enrollments/0/phoneInfo must be string"
    )


@pytest.mark.parametrize(
    "value",
    [None, True, 5, "x", [], {}, [None], {"a": None}, {"a": [{}]}],
    ids=lambda value: json.dumps(value),
)
def test_unknown_fields_are_ignored(project, value):
    session = project.sign_up(A, unknown=value, **{"un_known": value, "": value})
    project.admin(
        "/accounts:update",
        {
            "localId": session["localId"],
            "unknown": value,
            "mfa": {"unknown": value, "enrollments": []},
            "linkProviderUserInfo": {"providerId": "x.com", "rawId": "r", "unknown": value},
        },
    )
    assert "unknown" not in json.dumps(project.users())


@pytest.mark.parametrize(
    "value", [None, True, False, 5, "x", "true", [], {}], ids=lambda value: json.dumps(value)
)
def test_signing_up_declares_no_wish_for_tokens(project, value):
    """So any type will do."""
    assert project.call("signUp", {"returnSecureToken": value})["idToken"]
