"""Every path of the route table, unknown paths, the root page and the description."""

import re
import uuid

import pytest
from support.auth.project import IT
from support.auth.routes import (  # noqa: F401
    IT1,
    IT2,
    NOT_FOUND,
    P2,
    PATHS,
    ROWS,
    anywhere,
    each,
    error,
    good_body,
    hearth,
    http,
    send,
)
from support.server import Server
from support.steering import guard  # noqa: F401
from support.wire import V1, V3

OWNER = {"Authorization": "Bearer owner"}


# MARK: The table

# After a slash these have an id, which may be empty.
COLLECTIONS = ["tenants", "defaultSupportedIdpConfigs", "inboundSamlConfigs", "oauthIdpConfigs"]
IAM = ("IamPolicy", "IamPermissions")


# MARK: Paths


@pytest.mark.parametrize("row", each(ROWS))
def test_every_path_of_the_table_is_served(send, anywhere, row):
    """With a valid credential the answer is neither the 404 of an unknown path nor a 405."""
    reply = send(
        row.method, row.at(anywhere), headers=OWNER, params={"key": anywhere}, **good_body(row)
    )
    assert reply.status_code not in (401, 403, 405, 500), reply.text
    if reply.status_code == 404:
        # An entity of ours that is missing; unknown paths say "Not Found".
        assert reply.json()["error"]["message"] != "Not Found"
    if not row.path.startswith("/emulator/a"):
        assert reply.headers["Content-Type"].startswith("application/json")


@pytest.mark.parametrize(
    "row",
    each(
        row
        for row in PATHS.values()
        if row.path.rsplit("/")[-1] not in [*COLLECTIONS, "openapi.json"]
    ),
)
def test_a_trailing_slash_is_another_path(send, anywhere, row):
    reply = send(row.method, row.at(anywhere) + "/", headers=OWNER, **good_body(row))
    assert error(reply, 404) == NOT_FOUND


@pytest.mark.parametrize("escape", ["%3A", "%3a"])
@pytest.mark.parametrize(
    "row", each(row for row in PATHS.values() if ":" in row.path and not row.path.endswith(IAM))
)
def test_the_colon_of_a_verb_is_literal(send, anywhere, row, escape):
    reply = send(row.method, row.at(anywhere).replace(":", escape), headers=OWNER, **good_body(row))
    assert error(reply, 404) == NOT_FOUND


@pytest.mark.parametrize(
    "path, methods",
    [
        *(
            (f"{P2}/tenants/t1%3A{verb}", {"GET", "PATCH", "DELETE"})
            for verb in ("getIamPolicy", "setIamPolicy", "testIamPermissions")
        ),
        *((f"{P2}/{kind}/", {"GET", "PATCH", "DELETE"}) for kind in COLLECTIONS),
    ],
)
def test_a_path_that_another_template_takes(send, anywhere, path, methods):
    """A decoded colon in an id, and an empty id."""
    reply = send("POST", path.replace("{p}", anywhere), headers=OWNER, json={})
    assert reply.status_code == 405
    assert set(reply.headers["Allow"].split(",")) == methods


@pytest.mark.parametrize(
    "method, path",
    [
        ("GET", "/nowhere"),
        ("POST", "/identitytoolkit.googleapis.com"),
        ("POST", IT1),
        ("GET", IT2),
        ("POST", f"{V1}nothing"),
        ("POST", f"{IT1}/accounts"),
        ("POST", f"{IT1}/accounts:signup"),
        ("POST", f"{IT1}/Accounts:signUp"),
        ("POST", f"{IT}/v3/accounts:signUp"),
        ("POST", "/securetoken.googleapis.com/v1/tokens"),
        ("POST", "/securetoken.googleapis.com/token"),
        ("POST", f"{V3}nothing"),
        ("POST", V3),
        ("GET", "/emulator/v1/projects/p/nothing"),
        ("GET", "/emulator/v1/projects/p/tenants/t/config"),
        ("PATCH", "/emulator/v1/projects/p/tenants/t/config"),
        ("GET", "/identitytoolkit.googleapis.com/emulator/v1/projects/p/oobCodes"),
        ("GET", f"{IT1}/publicKeys"),
        ("GET", f"{IT1}/setProjectConfig"),
        ("POST", f"{IT1}/setProjectConfig"),
        ("POST", f"{IT2}/accounts:signUp"),
        ("POST", f"{IT1}/accounts/mfaSignIn:start"),
        ("POST", f"{IT1}//accounts:signUp"),
        ("POST", f"{IT1}/projects/p/tenants/t/accounts:nothing"),
        ("POST", f"{IT1}/projects/p/tenants/t:queryAccounts"),
    ],
)
@pytest.mark.parametrize(
    "headers", [{}, OWNER, {"Authorization": "Bearer x"}], ids=["nobody", "owner", "stranger"]
)
def test_unknown_paths(send, method, path, headers):
    """Before anybody asks who is calling."""
    assert error(send(method, path, headers=headers, json={}), 404) == NOT_FOUND
    assert error(send(method, path + "?key=any", headers=headers), 404) == NOT_FOUND


@pytest.mark.parametrize(
    "host",
    [
        "identitytoolkit.googleapis.com",
        "securetoken.googleapis.com",
        "www.googleapis.com",
        "localhost:1",
        "example.com",
        "x",
    ],
)
@pytest.mark.parametrize(
    "method, path, status",
    [
        ("GET", f"{IT1}/projects?key=any", 200),
        ("GET", "/emulator/v1/projects/demo-h/oobCodes", 200),
        ("GET", "/", 200),
        ("GET", "/projects?key=any", 404),
        ("POST", "/accounts:signUp", 404),
        ("POST", "/token?key=any", 404),
        ("POST", "/identitytoolkit/v3/verifyPassword?key=any", 404),
    ],
)
def test_the_host_header_routes_nothing(send, host, method, path, status):
    reply = send(method, path, headers={"Host": host}, **({"json": {}} if method != "GET" else {}))
    assert reply.status_code == status


@pytest.mark.parametrize(
    "segment, project_id",
    [
        ("demo-a%3Ab", "demo-a:b"),
        ("demo-a:b", "demo-a:b"),
        ("demo-%C3%A4", "demo-\u00e4"),
        ("demo%2Da", "demo-a"),
        ("demo+a", "demo+a"),
        ("demo%3Aquery:x", "demo:query:x"),
    ],
)
def test_the_project_of_a_path_is_decoded(send, segment, project_id):
    """The same project by its name in a body."""
    uid = uuid.uuid4().hex
    made = send("POST", f"{IT1}/projects/{segment}/accounts", json={"localId": uid}, headers=OWNER)
    assert made.status_code == 200, made.text
    found = send(
        "POST", f"{V1}lookup", headers=OWNER, json={"localId": [uid], "targetProjectId": project_id}
    )
    assert [user["localId"] for user in found.json()["users"]] == [uid]


@pytest.mark.parametrize("segment", ["demo%20a", "demo%2Fa", "demo%25a", "demo%00a", "x" * 200])
def test_a_project_that_cannot_be(send, segment):
    """A deliberate difference: the official emulator takes any text."""
    reply = send("POST", f"{IT1}/projects/{segment}/accounts", json={}, headers=OWNER)
    assert reply.status_code == 400 and "project id" in reply.json()["error"]["message"]


def test_a_colon_in_a_project_before_a_verb(send, anywhere):
    for segment in (f"{anywhere}:x", f"{anywhere}%3Ax"):
        reply = send("POST", f"{IT1}/projects/{segment}:queryAccounts", json={}, headers=OWNER)
        assert reply.json() == {"recordsCount": "0", "userInfo": []}


@pytest.mark.parametrize(
    "segment, tenant", [("a%3Ab", "a:b"), ("a:b", "a:b"), ("a%20b", "a b"), ("%E2%82%AC", "\u20ac")]
)
def test_the_tenant_of_a_path_is_decoded(send, anywhere, segment, tenant):
    path = f"{IT1}/projects/{anywhere}/tenants/{segment}/accounts"
    made = send("POST", path, json={"localId": "u"}, headers=OWNER)
    assert made.status_code == 200, made.text
    [user] = send(
        "POST", f"{path}:lookup", headers=OWNER, json={"localId": ["u"], "tenantId": tenant}
    ).json()["users"]
    assert user["tenantId"] == tenant


@pytest.mark.parametrize(
    "verb, body", [("", {"localId": "v"}), (":batchCreate", {"users": [{"localId": "v"}]})]
)
def test_an_empty_tenant_counts_as_absent(send, anywhere, verb, body):
    path = f"{IT1}/projects/{anywhere}"
    reply = send("POST", f"{path}/tenants//accounts{verb}", json=body, headers=OWNER)
    assert reply.status_code == 200, reply.text
    [user] = send("POST", f"{path}/accounts:lookup", json={"localId": ["v"]}, headers=OWNER).json()[
        "users"
    ]
    assert "tenantId" not in user
    [user] = send("POST", f"{path}/tenants//accounts:query", json={}, headers=OWNER).json()[
        "userInfo"
    ]
    assert user["localId"] == "v"


def test_projects_exist_as_soon_as_they_are_named(send, anywhere):
    """Each has accounts of its own."""
    for name in (anywhere, anywhere + "x"):
        assert send("GET", f"/emulator/v1/projects/{name}/oobCodes").json() == {"oobCodes": []}
        path = f"{IT1}/projects/{name}/accounts"
        assert send("POST", path, json={"localId": "u"}, headers=OWNER).status_code == 200
        counted = send("POST", f"{path}:query", json={"returnUserInfo": False}, headers=OWNER)
        assert counted.json() == {"recordsCount": "1"}


def test_what_admin_sdks_receive(hearth):
    """Host and port, without a scheme."""
    assert f"export FIREBASE_AUTH_EMULATOR_HOST={hearth.host}" in hearth.lines
    assert re.fullmatch(r"[^/:]+:[0-9]+", hearth.host)


def test_nothing_is_written_to_disk(tmp_path):
    server = Server("--log-level", "error", cwd=str(tmp_path))
    server.accounts("signUp", {"email": "a@example.com", "password": "secret1"})
    assert list(tmp_path.iterdir()) == []
    server.stop()
    assert list(tmp_path.iterdir()) == []


# MARK: The page at the root, the description


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer x"}], ids=["nobody", "stranger"])
@pytest.mark.parametrize("query", ["", "?key=", "?a=b"])
def test_the_root(send, headers, query):
    reply = send("GET", "/" + query, headers=headers)
    assert reply.status_code == 200
    assert reply.headers["Content-Type"].startswith("application/json")
    assert list(reply.json()) == ["authEmulator"]
    about = reply.json()["authEmulator"]
    assert about.keys() == {"ready", "docs", "apiSpec"}
    assert about["ready"] is True and about["apiSpec"] == "/emulator/openapi.json"
    assert about["docs"].startswith("https://")


def test_the_head_of_the_root(send):
    reply = send("HEAD", "/")
    assert (reply.status_code, reply.content) == (200, b"")


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_other_methods_of_the_root(send, method):
    assert error(send(method, "/"), 404) == NOT_FOUND


@pytest.mark.parametrize("host", [None, "example.com:81"])
def test_the_description(send, hearth, host):
    reply = send("GET", "/emulator/openapi.json", headers={"Host": host} if host else {})
    assert reply.status_code == 200
    assert reply.headers["Content-Type"].startswith("application/json")
    document = reply.json()
    assert document["openapi"] == "3.0.3"
    base = document["servers"][0]["variables"]["EMULATOR"]["default"]
    assert base == f"http://{host or hearth.host}"


@pytest.mark.parametrize(
    "method, path",
    [
        ("DELETE", "/emulator/v1/projects//accounts"),
        ("DELETE", "/emulator/v1/projects//messages"),
        ("GET", "/emulator/v1/projects//config"),
        ("POST", f"{IT1}/projects//accounts"),
        ("POST", f"{IT1}/projects//accounts:query"),
    ],
)
def test_an_empty_project_id_is_not_the_default_project(send, method, path):
    """Such as that of a variable that is not set."""
    reply = send(method, path, headers=OWNER, json={} if method == "POST" else None)
    assert error(reply, 400)["message"] == "INVALID_ARGUMENT : the project id is empty"
