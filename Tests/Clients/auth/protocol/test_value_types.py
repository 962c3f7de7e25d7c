"""Which project and tenant, bodies and parameters, the legacy names: auth-a 1.5, 1.8 and 1.9."""

import gzip
import json
import uuid
import zlib

import pytest

from support.auth.project import claims
from support.server import PROJECT, Server
from support.steering import guard, project  # noqa: F401
from auth.accounts.test_delete_and_query import INSUFFICIENT, SCHEMA, cases
from auth.protocol.test_paths import (  # noqa: F401
    API, IT1, IT2, JSON_TYPE, MISSING_KEY, OWNER, ROWS, anywhere, each, error, good_body, hearth,
    http, of_schema, plain, send)
from support.wire import TOKEN, V1, V3, decoded, segment, unsigned

A = "a@example.com"
FORM_TYPE = {"Content-Type": "application/x-www-form-urlencoded"}
MISMATCH = plain("TENANT_ID_MISMATCH")
ALLOWED = "must be equal to one of the allowed values"
BODIES = [row for row in API if row.has_body]
# An operation that works in every project, and says in which one it did.
PASSKEY = f"{IT2}/accounts/passkeyEnrollment:start"


def of_tenant(tenant: str, uid: str = "u") -> str:
    return unsigned({"user_id": uid, "firebase": {"tenant": tenant}})


def post(send, path: str, body, status: int = 200, **options) -> dict:
    reply = send("POST", path, json=body, **options)
    if status >= 400:
        return error(reply, status)
    assert reply.status_code == status, reply.text
    return reply.json()


def tenants(project) -> dict[str, dict]:
    found = project.owner("GET", f"{project.v2}/tenants").get("tenants", [])
    return {tenant["tenantId"]: tenant for tenant in found}


# MARK: 1.5, projects

@pytest.mark.parametrize("row", each(
    row for row in API if row.names_project and row.auth == "O+K"))
@pytest.mark.parametrize("own", [True, False], ids=["default", "other"])
def test_a_path_with_a_project_wants_privilege(send, anywhere, row, own):
    """For the default project too."""
    reply = send(row.method, row.at(PROJECT if own else anywhere), params={"key": "any"},
                 **good_body(row))
    assert error(reply, 400) == plain(INSUFFICIENT)


@pytest.mark.parametrize("row", each(
    row for row in BODIES if row.auth == "O+K" and not row.names_project))
@pytest.mark.parametrize("name", ["targetProjectId", "target_project_id", "TargetProjectId"])
def test_a_body_with_a_project_wants_privilege(send, anywhere, row, name):
    for target in (PROJECT, anywhere):
        reply = send("POST", row.path, params={"key": "any"}, json={name: target})
        assert error(reply, 400) == plain(INSUFFICIENT)
    reply = send("POST", row.path, headers=OWNER, json={name: anywhere})
    assert "INSUFFICIENT_PERMISSION :" not in reply.text


@pytest.mark.parametrize("method, path", [
    ("DELETE", "/accounts"), ("GET", "/oobCodes"), ("GET", "/verificationCodes"),
    ("GET", "/config"), ("PATCH", "/config")])
@pytest.mark.parametrize("headers", [{}, {"x-goog-api-key": "any"}], ids=["nobody", "key"])
def test_open_operations_name_any_project(send, anywhere, method, path, headers):
    options = {"json": {}} if method == "PATCH" else {}
    reply = send(method, f"/emulator/v1/projects/{anywhere}{path}", headers=headers, **options)
    assert reply.status_code == 200


@pytest.mark.parametrize("path", [PASSKEY, TOKEN], ids=["passkey", "token"])
def test_key_only_operations_take_a_project_from_the_body(send, project, path):
    """Unchecked."""
    session = project.sign_up(A)
    body = {"targetProjectId": project.id, "idToken": session["idToken"]}
    if path == TOKEN:
        body = {"targetProjectId": project.id, "grantType": "refresh_token",
                "refreshToken": session["refreshToken"]}
    answer = post(send, f"{path}?key=any", body)
    if path == TOKEN:
        assert decoded(answer["id_token"])[1]["aud"] == project.id
    else:
        assert answer["credentialCreationOptions"]["user"]["name"] == A


@pytest.mark.parametrize("verb, body", [("", {}), (":lookup", {"localId": ["u"]})])
def test_the_path_wins_over_the_body(send, project, verb, body):
    project.admin("/accounts", {"localId": "u"})
    other = {"targetProjectId": project.id + "x"}
    answer = project.admin(f"/accounts{verb}", {**body, **other})
    if verb:
        assert [user["localId"] for user in answer["users"]] == ["u"]
    else:
        assert len(project.users()) == 2


def test_the_body_chooses_where_the_path_does_not(send, project):
    post(send, f"{V1}signUp", {"localId": "u", "targetProjectId": project.id}, headers=OWNER)
    assert [user["localId"] for user in project.users()] == ["u"]


@pytest.mark.parametrize("target", [{}, {"targetProjectId": ""}], ids=["none", "empty"])
def test_else_the_default_project(send, hearth, target):
    uid = uuid.uuid4().hex
    post(send, f"{V1}signUp", {"localId": uid, **target}, headers=OWNER)
    assert hearth.admin("/accounts:lookup", {"localId": [uid]})["users"]


# MARK: 1.5, tenants

IN_TENANT = [row for row in BODIES if "{t}" in row.path and "Configs" not in row.path
             and row.method == "POST"]


def link_to(project, **more) -> None:
    """Makes a code, which stands in the list of the tenant that was chosen."""
    project.call("sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": A, **more})


def links(project, tenant: str | None = None) -> list[dict]:
    scope = f"{project.control}/tenants/{tenant}" if tenant else project.control
    return project.request("GET", f"{scope}/oobCodes")["oobCodes"]


@pytest.mark.parametrize("row", each(IN_TENANT))
def test_tenants_of_path_and_body_agree(send, anywhere, row):
    path = row.at(anywhere)
    assert error(send("POST", path, headers=OWNER, json={"tenantId": "t2"}), 400) == MISMATCH
    for same in ("t1", ""):
        assert "TENANT_ID_MISMATCH" not in send(
            "POST", path, headers=OWNER, json={"tenantId": same}).text


@pytest.mark.parametrize("row", each(
    row for row in BODIES if "{t}" not in row.path or row in IN_TENANT))
def test_the_tenant_of_a_token_agrees(send, anywhere, row):
    """On any operation, whatever the token is good for."""
    path = row.at(anywhere)
    body = {"idToken": of_tenant("t2")} | ({} if row in IN_TENANT else {"tenantId": "t1"})
    options = {"headers": OWNER, "params": {"key": "any"}}
    assert error(send(row.method, path, json=body, **options), 400) == MISMATCH
    body["idToken"] = of_tenant("t1")
    reply = send(row.method, path, json=body, **options)
    assert reply.json().get("error", {}).get("message") != "TENANT_ID_MISMATCH"


@pytest.mark.parametrize("header, signature", [
    ({"alg": "none"}, ""), ({"alg": "RS256", "kid": "x"}, "c2ln"), ({"alg": "HS256"}, "c2ln"),
    ({}, ""), ({"alg": "none", "typ": "x"}, "c2ln")],
    ids=["unsigned", "rs256", "hs256", "no-algorithm", "none-but-signed"])
def test_a_tokens_tenant_is_read_without_verification(send, header, signature):
    token = of_tenant("t2").split(".")[1]
    body = {"idToken": f"{segment(header)}.{token}.{signature}", "tenantId": "t1"}
    assert post(send, f"{V1}signUp?key=any", body, 400) == MISMATCH


@pytest.mark.parametrize("token", ["x", "a.b.c", "", unsigned({}), unsigned({"firebase": {}})],
                         ids=["word", "dots", "empty", "no-firebase", "no-tenant"])
def test_a_token_without_a_tenant_chooses_none(send, project, token):
    """The body's tenant stays."""
    link_to(project, tenantId="t1", idToken=token)
    assert len(links(project, "t1")) == 1 and links(project) == []
    link_to(project, idToken=token)
    assert len(links(project)) == 1


@pytest.mark.parametrize("kind", ["ours", "unsigned"])
def test_a_token_alone_selects_the_tenant(project, kind):
    session = project.call("signUp", {"tenantId": "t1"})
    token = session["idToken"] if kind == "ours" else of_tenant("t1", session["localId"])
    [user] = project.call("lookup", {"idToken": token})["users"]
    assert user["tenantId"] == "t1"
    # On an operation that does not look at the token otherwise.
    link_to(project, idToken=token)
    assert len(links(project, "t1")) == 1 and links(project) == []


@pytest.mark.parametrize("row", each(row for row in BODIES if "{t}" not in row.path))
def test_a_refresh_token_nobody_issued(send, anywhere, row):
    """On any operation."""
    for name in ("refreshToken", "refresh_token"):
        reply = send(row.method, row.at(anywhere), headers=OWNER, params={"key": "any"},
                     json={name: "nonsense"})
        assert error(reply, 400) == plain("INVALID_REFRESH_TOKEN")


def test_a_refresh_token_is_looked_at_before_the_operation(project):
    session = project.sign_up(A)
    assert project.error("lookup", {
        "idToken": session["idToken"], "refreshToken": "x"}) == "INVALID_REFRESH_TOKEN"
    for token in (session["refreshToken"], ""):
        body = {"idToken": session["idToken"], "refreshToken": token}
        assert project.call("lookup", body)["users"]


@pytest.mark.parametrize("path, body", [
    (TOKEN, {"grantType": "refresh_token"}),
    (f"{V1}sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": A}), (f"{V1}lookup", {})],
    ids=["token", "sendOobCode", "lookup"])
def test_the_tenant_of_a_refresh_token(project, path, body):
    session = project.sign_up(A, tenantId="t1")
    body = {**body, "refreshToken": session["refreshToken"]}
    assert project.error(path, {**body, "tenantId": "t2"}).startswith("TENANT_ID_MISMATCH")
    if path == TOKEN:
        answer = project.post(path, body)
        assert decoded(answer["id_token"])[1]["firebase"]["tenant"] == "t1"
        assert project.post(path, {**body, "tenantId": "t1"})["user_id"] == session["localId"]
    elif "Code" in path:
        project.post(path, body)
        assert len(links(project, "t1")) == 1 and links(project) == []


def test_the_tenants_of_both_tokens_agree(project):
    one, two = (project.sign_up(A, tenantId=t) for t in ("t1", "t2"))
    assert project.error("lookup", {
        "idToken": one["idToken"],
        "refreshToken": two["refreshToken"]}).startswith("TENANT_ID_MISMATCH")


OPEN = {
    "allowPasswordSignup": True, "enableAnonymousUser": True, "enableEmailLinkSignin": True,
    "disableAuth": False, "mfaConfig": {"state": "ENABLED", "enabledProviders": ["PHONE_SMS"]}}
MENTIONS = {
    "body": lambda p: p.call("signUp", {"tenantId": "new"}),
    "path": lambda p: p.admin("/accounts", {}, tenant="new"),
    "query in path": lambda p: p.admin("/accounts:query", {}, tenant="new"),
    "lookup": lambda p: p.admin("/accounts:lookup", {}, tenant="new"),
    "token": lambda p: link_to(p, idToken=of_tenant("new")),
    "get": lambda p: p.owner("GET", f"{p.v2}/tenants/new"),
    "a call that fails": lambda p: p.error("signInWithPassword", {"tenantId": "new"}),
    "a token that is refused": lambda p: p.error("lookup", {"idToken": of_tenant("new")}),
    "codes": lambda p: p.request("GET", f"{p.control}/tenants/new/oobCodes"),
    "verification codes": lambda p: p.codes("new"),
    "clearing": lambda p: p.request("DELETE", f"{p.control}/tenants/new/accounts"),
    "batchGet": lambda p: p.owner("GET", f"{p.v1}/tenants/new/accounts:batchGet"),
}


@pytest.mark.parametrize("mention", cases(MENTIONS))
def test_naming_a_tenant_makes_it(project, mention):
    """It is in the list, with everything enabled."""
    mention(project)
    assert OPEN.items() <= tenants(project)["new"].items()


@pytest.mark.parametrize("mention", cases({name: MENTIONS[name] for name in (
    "body", "path", "token", "codes", "a call that fails")}))
def test_a_tenant_that_was_named_is_open(project, mention):
    mention(project)
    tenant = project.owner("GET", f"{project.v2}/tenants/new")
    assert OPEN.items() <= tenant.items() and tenant["tenantId"] == "new"
    project.sign_up(A, tenantId="new")
    project.call("signUp", {"tenantId": "new"})
    project.call("sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": A, "tenantId": "new"})
    session = project.verified("b@example.com", tenant="new")
    assert claims(project.enroll(session, "+15555550100", "new"))["firebase"]["tenant"] == "new"


# MARK: 1.5, single project mode

@pytest.fixture(scope="module")
def strict():
    server = Server("--single-project-mode", "error", "--log-level", "error")
    yield server
    server.stop()


OTHERS = {
    "lookup": ("POST", f"{IT1}/projects/other/accounts:lookup", {"headers": OWNER, "json": {}}),
    "body": ("POST", f"{V1}lookup", {"headers": OWNER, "json": {"targetProjectId": "other"}}),
    "config": ("GET", f"{IT2}/projects/other/config", {"headers": OWNER}),
    "tenant": ("POST", f"{IT1}/projects/other/tenants/t/accounts", {"headers": OWNER, "json": {}}),
    "codes": ("GET", "/emulator/v1/projects/other/oobCodes", {}),
    "tenant codes": ("GET", "/emulator/v1/projects/other/tenants/t/verificationCodes", {}),
    "emulator config": ("GET", "/emulator/v1/projects/other/config", {}),
    "set emulator config": ("PATCH", "/emulator/v1/projects/other/config", {"json": {}}),
    "clear": ("DELETE", "/emulator/v1/projects/other/accounts", {}),
    "key only": ("POST", f"{TOKEN}?key=any", {"json": {"targetProjectId": "other"}}),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_projects_are_refused(http, strict, name):
    method, path, options = OTHERS[name]
    found = error(http.request(method, strict.auth + path, timeout=10, **options), 400)
    assert found == plain(found["message"])
    assert "single project mode" in found["message"]
    assert "other" in found["message"] and PROJECT in found["message"]


@pytest.mark.parametrize("name", OTHERS)
def test_the_projects_own_name_is_not_refused(http, strict, name):
    method, path, options = OTHERS[name]
    if "json" in options and "targetProjectId" in options["json"]:
        options = options | {"json": {"targetProjectId": PROJECT}}
    path = path.replace("/other/", f"/{PROJECT}/")
    reply = http.request(method, strict.auth + path, timeout=10, **options)
    assert "single project mode" not in reply.text
    assert reply.status_code == (400 if name == "key only" else 200)


def test_other_checks_come_before_the_project(http, strict):
    path = f"{strict.auth}{IT1}/projects/other/accounts:lookup"
    assert error(http.post(path, json={}), 403) == MISSING_KEY
    assert error(http.post(f"{path}?key=any", json={}), 400) == plain(INSUFFICIENT)
    found = error(http.post(path, json={"email": "a"}, headers=OWNER), 400)
    assert found == of_schema(f"{SCHEMA}/email must be array")


# MARK: 1.8, content types

@pytest.mark.parametrize("row", each(BODIES))
def test_bodies_are_json(send, anywhere, row):
    """Refused before anybody asks who is calling; parameters of the type do not matter."""
    path = row.at(anywhere)
    for given in ("text/plain", "multipart/form-data; boundary=x", "application/xml",
                  *(() if row.path == TOKEN else FORM_TYPE.values())):
        message = f"Invalid content-type: {given}"
        found = error(send(row.method, path, data="{}", headers={"Content-Type": given}), 400)
        assert found == {"code": 400, "message": message,
                         "errors": [{"message": message, "reason": "unknown"}]}
    for given in ("application/json", "application/json; charset=utf-8",
                  "application/json;charset=UTF-8", "Application/JSON",
                  'application/json; charset="utf-8"; x=y'):
        reply = send(row.method, path, data="{}", headers={"Content-Type": given})
        assert error(reply, 403) == MISSING_KEY


@pytest.mark.parametrize("given", [
    "application/vnd.api+json", "text/json", "application/jsonx", "json", "*/*",
    "application/json-patch+json", "application/octet-stream", "text/plain;charset=UTF-8"])
def test_types_that_are_not_json(send, given):
    headers = {"Content-Type": given}
    found = error(send("POST", f"{V1}signUp?key=any", data="{}", headers=headers), 400)
    assert found["message"] == f"Invalid content-type: {given}"


GETS = [row for row in ROWS if row.method == "GET" and not row.path.startswith("/emulator/a")
        and row.path != "/emulator/openapi.json"]


@pytest.mark.parametrize("row", each(GETS))
@pytest.mark.parametrize("given", ["application/json", "text/plain"])
def test_a_get_with_a_type_has_no_body(send, anywhere, row, given):
    path, headers = row.at(anywhere), {"Content-Type": given}
    message = f"Invalid content-type: {given}"
    found = error(send("GET", path, data="{}", headers=headers), 400)
    assert found == {"code": 400, "message": message,
                     "errors": [{"message": message, "reason": "unknown"}]}
    for options in ({"headers": OWNER | headers}, {"headers": OWNER, "data": "{"}):
        reply = send("GET", path, params={"key": "any"}, **options)
        assert "Invalid" not in reply.text and reply.status_code != 500


DELETES = [row for row in ROWS if row.method == "DELETE"]


@pytest.mark.parametrize("row", each(DELETES))
@pytest.mark.parametrize("headers, body", [
    (JSON_TYPE, b"{"), (JSON_TYPE, b'{"idToken": 5, "tenantId": "x", "targetProjectId": "y"}'),
    ({"Content-Type": "text/plain"}, b"nonsense"), (JSON_TYPE, b"null"), ({}, b"{"),
    ({"Content-Type": "application/json; charset=iso-8859-1"}, b"{}"), (JSON_TYPE, b""),
    (JSON_TYPE, b'{"refreshToken": "x"}')], ids=[
        "malformed", "fields", "text", "null", "no-type", "charset", "empty", "refresh-token"])
def test_a_delete_has_no_body(send, anywhere, row, headers, body):
    expected = send("DELETE", row.at(anywhere), headers=OWNER)
    reply = send("DELETE", row.at(anywhere), headers=OWNER | headers, data=body)
    assert (reply.status_code, reply.json()) == (expected.status_code, expected.json())
    assert reply.status_code in (200, 404)


@pytest.mark.parametrize("headers, body, decoder", [
    (JSON_TYPE, b"", None), ({}, b"", None), ({}, b"{}", None), (JSON_TYPE, b"{}", None),
    (JSON_TYPE, b"\xef\xbb\xbf{}", None), (JSON_TYPE, b" \r\n\t{ } \n", None),
    (JSON_TYPE, gzip.compress(b"{}", mtime=0), "gzip"),
    (JSON_TYPE, zlib.compress(b"{}"), "deflate")], ids=[
        "empty", "nothing", "no-type", "object", "byte-order-mark", "blanks", "gzip", "deflate"])
@pytest.mark.parametrize("path, message", [
    ("signInWithPassword", "MISSING_EMAIL"), ("lookup", "MISSING_ID_TOKEN"),
    ("sendOobCode", "MISSING_REQ_TYPE"), (TOKEN, "MISSING_GRANT_TYPE"),
    (f"{V3}verifyPassword", "MISSING_EMAIL")])
def test_bodies_that_are_an_empty_object(send, path, message, headers, body, decoder):
    path = path if path.startswith("/") else V1 + path
    headers = headers | ({"Content-Encoding": decoder} if decoder else {})
    reply = send("POST", f"{path}?key=any", data=body, headers=headers)
    assert error(reply, 400) == plain(message)


def test_json_without_a_type_is_read(send):
    reply = send("POST", f"{V1}signInWithPassword?key=any", data=json.dumps({"email": "x"}))
    assert error(reply, 400) == plain("INVALID_EMAIL")


@pytest.mark.parametrize("body", ['"text"', "12", "-1.5", "null", "true", "false", '""'])
@pytest.mark.parametrize("path", [f"{V1}signUp", TOKEN, f"{V3}signupNewUser"],
                         ids=["signUp", "token", "signupNewUser"])
def test_json_that_is_neither_object_nor_array(send, path, body):
    found = error(send("POST", f"{path}?key=any", data=body, headers=JSON_TYPE), 400)
    assert found["message"].startswith(SCHEMA)
    assert found["status"] == "INVALID_ARGUMENT"
    assert found["errors"] == [{
        "message": found["message"], "domain": "global", "reason": "parseError"}]


@pytest.mark.parametrize("body", ["[]", "[{}]", '["a"]', '[{"email": "a"}]'])
@pytest.mark.parametrize("path", [f"{V1}signUp", TOKEN, f"{V3}signupNewUser"],
                         ids=["signUp", "token", "signupNewUser"])
def test_an_array_is_no_body(send, path, body):
    found = error(send("POST", f"{path}?key=any", data=body, headers=JSON_TYPE), 400)
    assert found == of_schema("Invalid JSON payload received.  must be object")


def test_the_token_endpoint_takes_forms(send, project):
    session = project.sign_up(A)
    for given in (FORM_TYPE, {"Content-Type": "application/x-www-form-urlencoded; charset=UTF-8"}):
        for names in ("grant_type=refresh_token&refresh_token=",
                      "grantType=refresh_token&refreshToken=",
                      "GrantType=refresh_token&unknown=1&Refresh-Token="):
            reply = send("POST", TOKEN, params={"key": project.id}, headers=given,
                         data=names + session["refreshToken"])
            assert reply.status_code == 200, reply.text
            assert reply.json()["user_id"] == session["localId"]
    found = error(send("POST", f"{TOKEN}?key=any", headers={"Content-Type": "text/plain"}), 400)
    assert found["message"] == "Invalid content-type: text/plain"


# MARK: 1.8, keys

@pytest.mark.parametrize("name", [
    "requestType", "request_type", "RequestType", "REQUEST_TYPE", "request-type", "request type",
    "Request_Type", "_request_type", "request__type"])
def test_spellings_of_a_key(project, name):
    project.sign_up(A)
    assert project.call("sendOobCode", {name: "PASSWORD_RESET", "email": A})["email"] == A


@pytest.mark.parametrize("field, spelling", [
    ("photoUrl", "photoURL"), ("photoUrl", "photo_url"), ("photoUrl", "PhotoUrl"),
    ("photoUrl", "PhotoURL"), ("displayName", "DisplayName"), ("displayName", "display_name"),
    ("displayName", "displayName"), ("phoneNumber", "phone_number"), ("localId", "local_id"),
    ("localId", "LocalId"), ("localId", "localID")])
def test_spellings_are_one_field(project, field, spelling):
    project.admin("/accounts", {spelling: "+1"})
    [user] = project.users()
    assert user[field] == "+1"


def test_keys_at_every_depth(project):
    uid = project.sign_up(A)["localId"]
    project.admin("/accounts:update", {
        "local_id": uid, "email_verified": True,
        "MFA": {"Enrollments": [
            {"mfa_enrollment_id": "m", "phone_info": "+1", "display-name": "d"}]},
        "link_provider_user_info": {"provider_id": "x.com", "raw_id": "r", "photo_URL": "p"}})
    user = project.user(uid)
    [factor] = user["mfaInfo"]
    assert (factor["mfaEnrollmentId"], factor["phoneInfo"], factor["displayName"]) == (
        "m", "+1", "d")
    entry = next(entry for entry in user["providerUserInfo"] if entry["providerId"] == "x.com")
    assert (entry["rawId"], entry["photoUrl"]) == ("r", "p")
    found = project.admin("/accounts:lookup", {"federated_user_id": [
        {"provider_id": "x.com", "raw_id": "r"}]})
    assert [user["localId"] for user in found["users"]] == [uid]


def test_keys_of_the_configuration(project):
    body = {"sign_in": {"allow_duplicate_emails": True},
            "EmailPrivacyConfig": {"enable_improved_email_privacy": True}}
    project.owner("PATCH", f"{project.v2}/config", json=body)
    answer = project.request("GET", f"{project.control}/config")
    assert answer == {"signIn": {"allowDuplicateEmails": True},
                      "emailPrivacyConfig": {"enableImprovedEmailPrivacy": True}}


def test_a_violation_names_the_key_as_it_is_read(project):
    path = f"{V1}sendOobCode"
    assert project.error(path, {"Request_Type": "x"}) == f"{SCHEMA}/requestType {ALLOWED}"
    assert project.error(f"{V1}update", {"MFA": {"enroll_ments": 5, "Enrollments": [
        {"Phone_Info": []}]}}) == f"{SCHEMA}/mfa/enrollments/0/phoneInfo must be string"


@pytest.mark.parametrize("value", [None, True, 5, "x", [], {}, [None], {"a": None}, {"a": [{}]}],
                         ids=lambda value: json.dumps(value))
def test_unknown_fields_are_ignored(project, value):
    session = project.sign_up(A, unknown=value, **{"un_known": value, "": value})
    project.admin("/accounts:update", {
        "localId": session["localId"], "unknown": value,
        "mfa": {"unknown": value, "enrollments": []},
        "linkProviderUserInfo": {"providerId": "x.com", "rawId": "r", "unknown": value}})
    assert "unknown" not in json.dumps(project.users())


@pytest.mark.parametrize("value", [None, True, False, 5, "x", "true", [], {}],
                         ids=lambda value: json.dumps(value))
def test_signing_up_declares_no_wish_for_tokens(project, value):
    """So any type will do."""
    assert project.call("signUp", {"returnSecureToken": value})["idToken"]


# MARK: 1.8, types



@pytest.mark.parametrize("number, text", cases({
    "12": ("12", "12"), "negative": ("-7", "-7"), "zero": ("0", "0"), "1.5": ("1.5", "1.5"),
    "tenth": ("0.1", "0.1"), "1.0": ("1.0", "1"), "exponent": ("1E2", "100"),
    "1e3": ("1e3", "1000"), "milliseconds": ("1700000000000", "1700000000000"),
    "safe": ("9007199254740991", "9007199254740991"), "minus zero": ("-0", "0"),
    "small": ("0.000001", "0.000001"), "1e21": ("1e21", "1e+21"),
    "long": ("12345678901234567000", "12345678901234567000"), "1e20": ("1e20", "1" + "0" * 20),
    "1e-7": ("1e-7", "1e-7"),
}))
def test_a_number_becomes_its_text(send, project, number, text):
    body = f'{{"email": "{A}", "password": "secret1", "displayName": {number}}}'
    reply = send("POST", f"{V1}signUp", params={"key": project.id}, data=body, headers=JSON_TYPE)
    assert reply.status_code == 200, reply.text
    assert reply.json()["displayName"] == text


def test_numbers_where_strings_are_declared(project):
    assert project.error("signUp", {"email": 12, "password": 345678}) == "INVALID_EMAIL"
    uid = project.sign_up(A, password=1234567)["localId"]
    assert project.call("signInWithPassword", {"email": A, "password": "1234567"})["localId"] == uid
    project.admin("/accounts:update", {"localId": uid, "validSince": 1600000000,
                                       "createdAt": 1500000000000, "lastLoginAt": 2.0})
    user = project.user(uid)
    assert (user["validSince"], user["createdAt"], user["lastLoginAt"]) == (
        "1600000000", "1500000000000", "2")
    project.admin("/accounts", {"localId": 77})
    assert project.admin("/accounts:lookup", {"localId": [77]})["users"][0]["localId"] == "77"


PASSWORD_RESET = {
    "name": '"PASSWORD_RESET"', "index": "1", "digits": '"1"', "whole": "1.0"}


@pytest.mark.parametrize("value", cases(PASSWORD_RESET))
def test_values_of_an_enum(send, project, value):
    project.sign_up(A)
    body = f'{{"requestType": {value}, "email": "{A}"}}'
    reply = send("POST", f"{V1}sendOobCode", params={"key": project.id}, data=body,
                 headers=JSON_TYPE)
    assert reply.status_code == 200, reply.text


@pytest.mark.parametrize("index, name", list(enumerate([
    "OOB_REQ_TYPE_UNSPECIFIED", "PASSWORD_RESET", "OLD_EMAIL_AGREE", "NEW_EMAIL_ACCEPT",
    "VERIFY_EMAIL", "RECOVER_EMAIL", "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL",
    "REVERT_SECOND_FACTOR_ADDITION"])))
def test_an_index_means_what_the_name_means(send, project, index, name):
    answers = []
    for value in (name, index, str(index)):
        reply = send("POST", f"{V1}sendOobCode", params={"key": project.id},
                     json={"requestType": value, "email": "nobody@example.com"})
        answers.append((reply.status_code, reply.text))
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize("value", cases({
    "lower": '"password_reset"', "beyond": "9", "beyond digits": '"9"', "negative": "-1",
    "negative digits": '"-1"', "empty": '""', "fraction": "1.5",
    "name and more": '"PASSWORD_RESET "', "huge": "1e300",
    "words": '"one"', "hexadecimal": '"0x1"', "plus": '"+1"', "leading zero": '"01"',
}))
def test_values_that_an_enum_has_not(send, value):
    body = f'{{"requestType": {value}}}'
    reply = send("POST", f"{V1}sendOobCode?key=any", data=body, headers=JSON_TYPE)
    assert error(reply, 400) == of_schema(f"{SCHEMA}/requestType {ALLOWED}")


@pytest.mark.parametrize("value", cases({
    "boolean": "true", "null": "null", "array": "[1]", "object": "{}"}))
def test_types_that_an_enum_has_not(send, value):
    body = f'{{"requestType": {value}}}'
    reply = send("POST", f"{V1}sendOobCode?key=any", data=body, headers=JSON_TYPE)
    assert error(reply, 400) == of_schema(f"{SCHEMA}/requestType must be string")


def test_enums_in_lists(project):
    uid = project.sign_up(A, displayName="d")["localId"]
    project.admin("/accounts:update", {"localId": uid, "photoUrl": "p"})
    project.admin("/accounts:update", {"localId": uid, "deleteAttribute": [2, "4"]})
    user = project.user(uid)
    assert "displayName" not in user and "photoUrl" not in user
    for bad, problem in [("x", ALLOWED), (7, ALLOWED), (None, "must be string"),
                         (True, "must be string"), (["EMAIL"], "must be string")]:
        assert project.admin_error("/accounts:update", {"deleteAttribute": [bad]}) == (
            f"{SCHEMA}/deleteAttribute/0 {problem}")
    assert project.admin_error("/accounts:update", {"deleteAttribute": [1, "x"]}) == (
        f"{SCHEMA}/deleteAttribute/1 {ALLOWED}")


NOTHING_ELSE = {
    "true for a string": ("signUp", {"email": True}, "/email must be string"),
    "null for a string": ("signUp", {"email": None}, "/email must be string"),
    "array for a string": ("signUp", {"email": [A]}, "/email must be string"),
    "object for a string": ("signUp", {"email": {}}, "/email must be string"),
    "null password": ("signUp", {"password": None}, "/password must be string"),
    "text for a boolean": ("signUp", {"emailVerified": "true"}, "/emailVerified must be boolean"),
    "empty text for a boolean": ("signUp", {"disabled": ""}, "/disabled must be boolean"),
    "one for a boolean": ("signUp", {"disabled": 1}, "/disabled must be boolean"),
    "zero for a boolean": ("signUp", {"disabled": 0}, "/disabled must be boolean"),
    "null for a boolean": ("signUp", {"disabled": None}, "/disabled must be boolean"),
    "tokens": ("signInWithPassword", {"returnSecureToken": "true"},
               "/returnSecureToken must be boolean"),
    "ignored string": ("signUp", {"captchaResponse": False}, "/captchaResponse must be string"),
    "ignored enum": ("signUp", {"clientType": "WEB"}, f"/clientType {ALLOWED}"),
    "text for a list": ("lookup", {"localId": "x"}, "/localId must be array"),
    "object for a list": ("lookup", {"email": {}}, "/email must be array"),
    "null for a list": ("lookup", {"phoneNumber": None}, "/phoneNumber must be array"),
    "number for a list": ("lookup", {"initialEmail": 1}, "/initialEmail must be array"),
    "null in a list": ("lookup", {"localId": ["a", None]}, "/localId/1 must be string"),
    "boolean in a list": ("lookup", {"localId": [True]}, "/localId/0 must be string"),
    "list in a list": ("lookup", {"localId": [["x"]]}, "/localId/0 must be string"),
    "text in a list": ("lookup", {"federatedUserId": ["x"]}, "/federatedUserId/0 must be object"),
    "depth": ("lookup", {"federatedUserId": [{}, {"rawId": True}]},
              "/federatedUserId/1/rawId must be string"),
    "enrollments": ("update", {"mfa": {"enrollments": {}}}, "/mfa/enrollments must be array"),
    "enrollments null": ("update", {"mfa": {"enrollments": None}},
                         "/mfa/enrollments must be array"),
    "text for an object": ("update", {"mfa": "x"}, "/mfa must be object"),
    "list for an object": ("update", {"mfa": []}, "/mfa must be object"),
    "null for an object": ("update", {"mfa": None}, "/mfa must be object"),
    "number for an object": ("update", {"linkProviderUserInfo": 1},
                             "/linkProviderUserInfo must be object"),
    "attribute": ("update", {"deleteAttribute": ["NAME"]}, f"/deleteAttribute/0 {ALLOWED}"),
    "int64": ("update", {"validSince": True}, "/validSince must be string"),
    "int64 null": ("update", {"createdAt": None}, "/createdAt must be string"),
    "map": ("createAuthUri", {"customParameter": {"a": True}}, "/customParameter/a must be string"),
    "map list": ("createAuthUri", {"customParameter": []}, "/customParameter must be object"),
    "target": ("signUp", {"targetProjectId": True}, "/targetProjectId must be string"),
    "tenant": ("signUp", {"tenantId": None}, "/tenantId must be string"),
    "token": ("signUp", {"idToken": {}}, "/idToken must be string"),
}


@pytest.mark.parametrize("verb, body, problem", cases(NOTHING_ELSE))
def test_nothing_else_is_coerced(send, verb, body, problem):
    for options in ({"params": {"key": "any"}}, {"headers": OWNER}):
        found = error(send("POST", f"{V1}{verb}", json=body, **options), 400)
        assert found == of_schema(SCHEMA + problem)


@pytest.mark.parametrize("path, body, problem", [
    (TOKEN, {"grant_type": True}, "/grantType must be string"),
    (TOKEN, {"refresh_token": None}, "/refreshToken must be string"),
    (f"{IT2}/accounts/mfaEnrollment:start", {"phoneEnrollmentInfo": []},
     "/phoneEnrollmentInfo must be object"),
    (f"{IT2}/accounts/passkeyEnrollment:start", {"idToken": []}, "/idToken must be string"),
    (f"{V3}setAccountInfo", {"mfa": {"enrollments": 1}}, "/mfa/enrollments must be array")])
def test_types_on_other_paths(send, path, body, problem):
    found = error(send("POST", path, json=body, params={"key": "any"}), 400)
    assert found == of_schema(SCHEMA + problem)


# MARK: 1.8, parameters

# Passkeys do not declare them.
DECLARING = [row for row in API if "/accounts/passkey" not in row.path]


@pytest.mark.parametrize("name, value, rule", [
    ("alt", "xml", ALLOWED), ("alt", "", ALLOWED), ("alt", "JSON", ALLOWED),
    ("prettyPrint", "maybe", "must be boolean"), ("prettyPrint", "yes", "must be boolean")],
    ids=["alt", "alt empty", "alt upper", "pretty maybe", "pretty yes"])
@pytest.mark.parametrize("row", each(DECLARING))
def test_standard_parameters_have_types(send, anywhere, row, name, value, rule):
    reply = send(row.method, row.at(anywhere), headers=OWNER, params={"key": "any", name: value},
                 **good_body(row))
    assert error(reply, 400) == of_schema(f"Invalid JSON payload received.  {rule}")


@pytest.mark.parametrize("query", [
    "alt=json", "alt=media", "alt=proto", "access_token=x", "callback=call", "oauth_token=x",
    "prettyPrint=true", "prettyPrint=false", "quotaUser=q", "uploadType=x", "upload_protocol=raw",
    "fields=", "unknown=1", "unknown=1&unknown=2", "Alt=xml", "pretty_print=x", "$.xgafv=3",
    "access_token=ya29.x", "%24.xgafv=1"])
def test_parameters_without_effect(send, project, query):
    project.admin("/accounts", {"localId": "u"})
    plain_path = f"{IT1}/projects?key=any"
    assert send("GET", f"{plain_path}&{query}").json() == send("GET", plain_path).json()
    reply = send("POST", f"{project.v1}/accounts:query?{query}", headers=OWNER,
                 json={"returnUserInfo": False})
    assert (reply.status_code, reply.json()) == (200, {"recordsCount": "1"})
    assert reply.headers["Content-Type"] == "application/json"


def test_a_parameter_is_no_credential(send):
    for query in ("access_token=owner", "oauth_token=owner"):
        assert error(send("POST", f"{V1}lookup?{query}", json={}), 403) == MISSING_KEY


@pytest.mark.parametrize("row", each(row for row in ROWS if row.auth == "-" and row.names_project))
def test_emulator_endpoints_declare_no_parameters(send, anywhere, row):
    reply = send(row.method, row.at(anywhere), params={"alt": "xml", "prettyPrint": "x"},
                 **good_body(row))
    assert reply.status_code == 200


# MARK: 1.8, formats and lengths

def test_digits_are_not_verified(project):
    uid = project.sign_up(A)["localId"]
    project.admin("/accounts:update", {
        "localId": uid, "validSince": "abc", "createdAt": "x", "lastLoginAt": "y"})
    user = project.user(uid)
    assert (user["validSince"], user["createdAt"], user["lastLoginAt"]) == ("abc", "x", "y")
    project.call("signInWithPassword", {
        "email": A, "password": "secret1", "delegatedProjectNumber": "nonsense"})


def test_integers_of_64_bits_are_strings(project):
    session = project.sign_up(A)
    assert session["expiresIn"] == "3600"
    user = project.user(session["localId"])
    for name in ("createdAt", "lastLoginAt", "validSince"):
        assert user[name].isdigit(), name
    assert project.admin("/accounts:query", {})["recordsCount"] == "1"
    answer = project.post(TOKEN, {
        "grant_type": "refresh_token", "refresh_token": session["refreshToken"]})
    assert (answer["expires_in"], answer["project_id"]) == ("3600", "12345")


@pytest.mark.parametrize("value", ["300", 300, "86400", 86400])
def test_integers_of_64_bits_may_be_numbers(project, value):
    session = project.sign_up(A)
    answer = project.admin(":createSessionCookie", {
        "idToken": session["idToken"], "validDuration": value})
    content = decoded(answer["sessionCookie"])[1]
    assert content["exp"] - content["iat"] == int(value)


def test_bytes_are_as_they_were_sent(project):
    """Neither checked nor decoded."""
    answer = project.admin("/accounts:batchCreate", {"users": [
        {"localId": "u", "email": A, "passwordHash": "not base64!", "salt": "%%%"}]})
    assert answer["error"] == []
    user = project.user("u")
    assert (user["passwordHash"], user["salt"]) == ("not base64!", "%%%")


def test_times_and_masks_are_not_verified(project):
    uid = project.sign_up(A)["localId"]
    project.admin("/accounts:update", {"localId": uid, "mfa": {"enrollments": [
        {"mfaEnrollmentId": "m", "phoneInfo": "+1", "enrolledAt": "some day"}]}})
    assert project.user(uid)["mfaInfo"][0]["enrolledAt"] == "some day"
    project.owner("PATCH", f"{project.v2}/config", params={"updateMask": "!!,,x y"}, json={})


@pytest.mark.parametrize("password, is_long_enough", [
    ("\U0001f600" * 3, True), ("\U0001f600" * 2 + "a", False), ("\U0001f600" * 2 + "ab", True),
    ("\u00e4" * 6, True), ("\u00e4" * 5, False), ("\u4e2d" * 6, True), ("e\u0301" * 3, True),
    ("a" * 6, True), ("a" * 5, False), (" " * 6, True)],
    ids=["3 emojis", "5 units", "6 units", "6 umlauts", "5 umlauts", "6 ideographs", "combined",
         "6", "5", "blanks"])
def test_the_length_of_a_password(project, password, is_long_enough):
    if is_long_enough:
        project.sign_up(A, password=password)
        project.sign_in(A, password=password)
    else:
        assert project.error("signUp", {"email": A, "password": password}) == (
            "WEAK_PASSWORD : Password should be at least 6 characters")


@pytest.mark.parametrize("text, fits", [
    ("a" * 992, True), ("a" * 993, False), ("\U0001f600" * 496, True),
    ("\U0001f600" * 496 + "a", False), ("\u00e4" * 992, True), ("\u00e4" * 993, False)],
    ids=["1000", "1001", "emojis", "emojis and one", "umlauts", "umlauts and one"])
def test_the_length_of_claims(project, text, fits):
    uid = project.sign_up(A)["localId"]
    attributes = json.dumps({"a": text}, ensure_ascii=False, separators=(",", ":"))
    body = {"localId": uid, "customAttributes": attributes}
    if fits:
        project.admin("/accounts:update", body)
        assert project.user(uid)["customAttributes"] == attributes
    else:
        assert project.admin_error("/accounts:update", body) == "CLAIMS_TOO_LARGE"


# MARK: 1.9, old names

LEGACY = {
    "createAuthUri": "createAuthUri", "deleteAccount": "delete",
    "emailLinkSignin": "signInWithEmailLink", "getAccountInfo": "lookup",
    "getOobConfirmationCode": "sendOobCode", "sendVerificationCode": "sendVerificationCode",
    "setAccountInfo": "update", "signupNewUser": "signUp", "verifyAssertion": "signInWithIdp",
    "verifyCustomToken": "signInWithCustomToken", "verifyPassword": "signInWithPassword",
    "verifyPhoneNumber": "signInWithPhoneNumber", "resetPassword": "resetPassword"}
LEGACY_GETS = {"getProjectConfig": f"{IT1}/projects", "getRecaptchaParam": f"{IT1}/recaptchaParams"}
BROKEN = [{}, {"email": 5, "idToken": "x"}, {"email": []}, {"targetProjectId": "x"},
          {"refreshToken": "x"}]


@pytest.mark.parametrize("body", BROKEN, ids=lambda body: json.dumps(body))
@pytest.mark.parametrize("old, new", LEGACY.items())
def test_old_names_do_the_same(send, old, new, body):
    for options in ({}, {"params": {"key": "any"}}, {"headers": {"x-goog-api-key": "any"}},
                    {"headers": OWNER}, {"headers": {"Authorization": "Bearer x"}}):
        expected = send("POST", V1 + new, json=body, **options)
        reply = send("POST", V3 + old, json=body, **options)
        assert reply.status_code == expected.status_code
        if expected.status_code != 200:
            assert reply.json() == expected.json()
        else:
            assert reply.json().keys() == expected.json().keys()


@pytest.mark.parametrize("old, new", LEGACY_GETS.items())
def test_old_names_of_gets(send, old, new):
    for options in ({}, {"params": {"key": "any"}}, {"headers": {"x-goog-api-key": "any"}},
                    {"headers": OWNER}):
        expected = send("GET", new, **options)
        reply = send("GET", V3 + old, **options)
        assert (reply.status_code, reply.json()) == (expected.status_code, expected.json())


@pytest.mark.parametrize("query", ["alt=xml", "prettyPrint=maybe", "fields=kind", "unknown=1"])
@pytest.mark.parametrize("method, name", [
    ("POST", "signupNewUser"), ("GET", "getProjectConfig"), ("GET", "getRecaptchaParam")])
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
def test_old_names_that_nobody_serves(send, method, name):
    reply = send(method, f"{V3}{name}?key=any")
    assert error(reply, 404)["status"] == "NOT_FOUND"


@pytest.mark.parametrize("options", [
    {"json": {}}, {"json": {"instanceId": "x"}, "headers": OWNER},
    {"json": {}, "params": {"key": "a"}}, {}], ids=["nobody", "owner", "key", "no body"])
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
@pytest.mark.parametrize("body", [{}, {"targetProjectId": ""}, {"maxResults": 1, "users": []}],
                         ids=["none", "empty", "others"])
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
    found = post(send, f"{V3}downloadAccount", {
        "targetProjectId": anywhere, "maxResults": value}, 400, headers=OWNER)
    assert found == of_schema("Invalid JSON payload received.  must be integer")


def test_an_old_upload_checks_its_body(send, anywhere):
    found = post(send, f"{V3}uploadAccount", {
        "targetProjectId": anywhere, "users": {}}, 400, headers=OWNER)
    assert found == of_schema(f"{SCHEMA}/users must be array")
