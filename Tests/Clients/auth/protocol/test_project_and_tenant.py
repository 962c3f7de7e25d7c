"""Which project and which tenant a request is for, and single-project mode."""

import uuid

import pytest
from support.auth.accounts import INSUFFICIENT, cases
from support.auth.project import claims
from support.auth.routes import (  # noqa: F401
    API,
    IT1,
    IT2,
    MISSING_KEY,
    anywhere,
    each,
    error,
    good_body,
    hearth,
    http,
    of_schema,
    plain,
    post,
    send,
)
from support.server import PROJECT, Server
from support.steering import guard, project  # noqa: F401
from support.wire import TOKEN, V1, decoded, segment, unsigned

SCHEMA = "Invalid JSON payload received. "
OWNER = {"Authorization": "Bearer owner"}
A = "a@example.com"
MISMATCH = plain("TENANT_ID_MISMATCH")
BODIES = [row for row in API if row.has_body]
# An operation that works in every project, and says in which one it did.
PASSKEY = f"{IT2}/accounts/passkeyEnrollment:start"


def of_tenant(tenant: str, uid: str = "u") -> str:
    return unsigned({"user_id": uid, "firebase": {"tenant": tenant}})


def tenants(project) -> dict[str, dict]:
    found = project.owner("GET", f"{project.v2}/tenants").get("tenants", [])
    return {tenant["tenantId"]: tenant for tenant in found}


# MARK: Projects


@pytest.mark.parametrize("row", each(row for row in API if row.names_project and row.auth == "O+K"))
@pytest.mark.parametrize("own", [True, False], ids=["default", "other"])
def test_a_path_with_a_project_wants_privilege(send, anywhere, row, own):
    """For the default project too."""
    reply = send(
        row.method, row.at(PROJECT if own else anywhere), params={"key": "any"}, **good_body(row)
    )
    assert error(reply, 400) == plain(INSUFFICIENT)


@pytest.mark.parametrize(
    "row", each(row for row in BODIES if row.auth == "O+K" and not row.names_project)
)
@pytest.mark.parametrize("name", ["targetProjectId", "target_project_id", "TargetProjectId"])
def test_a_body_with_a_project_wants_privilege(send, anywhere, row, name):
    for target in (PROJECT, anywhere):
        reply = send("POST", row.path, params={"key": "any"}, json={name: target})
        assert error(reply, 400) == plain(INSUFFICIENT)
    reply = send("POST", row.path, headers=OWNER, json={name: anywhere})
    assert "INSUFFICIENT_PERMISSION :" not in reply.text


@pytest.mark.parametrize(
    "method, path",
    [
        ("DELETE", "/accounts"),
        ("GET", "/oobCodes"),
        ("GET", "/verificationCodes"),
        ("GET", "/config"),
        ("PATCH", "/config"),
    ],
)
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
        body = {
            "targetProjectId": project.id,
            "grantType": "refresh_token",
            "refreshToken": session["refreshToken"],
        }
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


# MARK: Tenants

IN_TENANT = [
    row
    for row in BODIES
    if "{t}" in row.path and "Configs" not in row.path and row.method == "POST"
]


def link_to(project, **more) -> None:
    """Requests a code, which is in the list of the tenant that was chosen."""
    project.call("sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": A, **more})


def links(project, tenant: str | None = None) -> list[dict]:
    scope = f"{project.control}/tenants/{tenant}" if tenant else project.control
    return project.request("GET", f"{scope}/oobCodes")["oobCodes"]


@pytest.mark.parametrize("row", each(IN_TENANT))
def test_tenants_of_path_and_body_agree(send, anywhere, row):
    path = row.at(anywhere)
    assert error(send("POST", path, headers=OWNER, json={"tenantId": "t2"}), 400) == MISMATCH
    for same in ("t1", ""):
        assert (
            "TENANT_ID_MISMATCH"
            not in send("POST", path, headers=OWNER, json={"tenantId": same}).text
        )


@pytest.mark.parametrize(
    "row", each(row for row in BODIES if "{t}" not in row.path or row in IN_TENANT)
)
def test_the_tenant_of_a_token_agrees(send, anywhere, row):
    """On any operation, whatever the token is good for."""
    path = row.at(anywhere)
    body = {"idToken": of_tenant("t2")} | ({} if row in IN_TENANT else {"tenantId": "t1"})
    options = {"headers": OWNER, "params": {"key": "any"}}
    assert error(send(row.method, path, json=body, **options), 400) == MISMATCH
    body["idToken"] = of_tenant("t1")
    reply = send(row.method, path, json=body, **options)
    assert reply.json().get("error", {}).get("message") != "TENANT_ID_MISMATCH"


@pytest.mark.parametrize(
    "header, signature",
    [
        ({"alg": "none"}, ""),
        ({"alg": "RS256", "kid": "x"}, "c2ln"),
        ({"alg": "HS256"}, "c2ln"),
        ({}, ""),
        ({"alg": "none", "typ": "x"}, "c2ln"),
    ],
    ids=["unsigned", "rs256", "hs256", "no-algorithm", "none-but-signed"],
)
def test_a_tokens_tenant_is_read_without_verification(send, header, signature):
    token = of_tenant("t2").split(".")[1]
    body = {"idToken": f"{segment(header)}.{token}.{signature}", "tenantId": "t1"}
    assert post(send, f"{V1}signUp?key=any", body, 400) == MISMATCH


@pytest.mark.parametrize(
    "token",
    ["x", "a.b.c", "", unsigned({}), unsigned({"firebase": {}})],
    ids=["word", "dots", "empty", "no-firebase", "no-tenant"],
)
def test_a_token_without_a_tenant_selects_no_tenant(send, project, token):
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
def test_a_refresh_token_that_was_never_issued(send, anywhere, row):
    """On any operation."""
    for name in ("refreshToken", "refresh_token"):
        reply = send(
            row.method,
            row.at(anywhere),
            headers=OWNER,
            params={"key": "any"},
            json={name: "nonsense"},
        )
        assert error(reply, 400) == plain("INVALID_REFRESH_TOKEN")


def test_a_refresh_token_is_looked_at_before_the_operation(project):
    session = project.sign_up(A)
    assert (
        project.error("lookup", {"idToken": session["idToken"], "refreshToken": "x"})
        == "INVALID_REFRESH_TOKEN"
    )
    for token in (session["refreshToken"], ""):
        body = {"idToken": session["idToken"], "refreshToken": token}
        assert project.call("lookup", body)["users"]


@pytest.mark.parametrize(
    "path, body",
    [
        (TOKEN, {"grantType": "refresh_token"}),
        (f"{V1}sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": A}),
        (f"{V1}lookup", {}),
    ],
    ids=["token", "sendOobCode", "lookup"],
)
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
    assert project.error(
        "lookup", {"idToken": one["idToken"], "refreshToken": two["refreshToken"]}
    ).startswith("TENANT_ID_MISMATCH")


OPEN = {
    "allowPasswordSignup": True,
    "enableAnonymousUser": True,
    "enableEmailLinkSignin": True,
    "disableAuth": False,
    "mfaConfig": {"state": "ENABLED", "enabledProviders": ["PHONE_SMS"]},
}
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


@pytest.mark.parametrize(
    "mention",
    cases(
        {name: MENTIONS[name] for name in ("body", "path", "token", "codes", "a call that fails")}
    ),
)
def test_a_tenant_that_was_named_is_open(project, mention):
    mention(project)
    tenant = project.owner("GET", f"{project.v2}/tenants/new")
    assert OPEN.items() <= tenant.items() and tenant["tenantId"] == "new"
    project.sign_up(A, tenantId="new")
    project.call("signUp", {"tenantId": "new"})
    project.call("sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": A, "tenantId": "new"})
    session = project.verified("b@example.com", tenant="new")
    assert claims(project.enroll(session, "+15555550100", "new"))["firebase"]["tenant"] == "new"


# MARK: Single project mode


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
    found = error(http.request(method, strict.auth + path, timeout=30, **options), 400)
    assert found == plain(found["message"])
    assert "single project mode" in found["message"]
    assert "other" in found["message"] and PROJECT in found["message"]


@pytest.mark.parametrize("name", OTHERS)
def test_the_projects_own_name_is_not_refused(http, strict, name):
    method, path, options = OTHERS[name]
    if "json" in options and "targetProjectId" in options["json"]:
        options = options | {"json": {"targetProjectId": PROJECT}}
    path = path.replace("/other/", f"/{PROJECT}/")
    reply = http.request(method, strict.auth + path, timeout=30, **options)
    assert "single project mode" not in reply.text
    assert reply.status_code == (400 if name == "key only" else 200)


def test_other_checks_come_before_the_project(http, strict):
    path = f"{strict.auth}{IT1}/projects/other/accounts:lookup"
    assert error(http.post(path, json={}), 403) == MISSING_KEY
    assert error(http.post(f"{path}?key=any", json={}), 400) == plain(INSUFFICIENT)
    found = error(http.post(path, json={"email": "a"}, headers=OWNER), 400)
    assert found == of_schema(f"{SCHEMA}/email must be array")
