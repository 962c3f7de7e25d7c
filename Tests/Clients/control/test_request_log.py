"""The log of requests, and that it contains no secrets."""

import contextlib
import json
import urllib.parse

import pytest
import requests
from support.auth.project import IT, idp_body
from support.events import call, open_streams, played  # noqa: F401
from support.firestore.project import Firestore, Listener
from support.steering import (  # noqa: F401
    COMMIT,
    SIGN_IN,
    SIGN_UP,
    Steered,
    guard,
    instant,
    near,
    project,
    unused,
)
from support.waiting import until
from support.wire import TOKEN

NUMBER = "+15555550100"
DOCUMENTS = "firestore.projects.databases.documents."


# MARK: The log of requests


def test_an_entry(project):
    email = unused()
    project.sign_up(email)
    project.error("signInWithPassword", {"email": email, "password": "wrong-one"})
    first, second = project.calls()
    assert first.keys() == {
        "id",
        "time",
        "method",
        "path",
        "operation",
        "caller",
        "status",
        "milliseconds",
        "body",
        "response",
        "canReplay",
    }
    assert second.keys() == first.keys() | {"error", "reason"}
    assert first["caller"] == "apiKey" and second["reason"] == "INVALID_PASSWORD"
    assert (first["method"], first["operation"], first["status"]) == ("POST", SIGN_UP, 200)
    assert first["path"] == f"{IT}/v1/accounts:signUp?key={project.id}"
    assert near(instant(first["time"]), project.now()) and 0 <= first["milliseconds"] < 60_000
    assert first["body"]["email"] == email
    assert (second["operation"], second["status"], second["error"]) == (
        SIGN_IN,
        400,
        "INVALID_PASSWORD",
    )
    assert second["response"]["error"]["code"] == 400
    assert second["id"] > first["id"]


def test_each_project_has_its_own(project):
    Steered(project.server).sign_up(unused())
    assert project.calls() == []
    project.admin("/accounts:query")
    project.request("GET", f"{project.v2}/config", headers={"Authorization": "Bearer owner"})
    assert [call["method"] for call in project.calls()] == ["POST", "GET"]
    project.own("GET", "/clock")
    project.messages()
    assert len(project.calls()) == 2


def test_firestore_and_refused_calls_are_in_it(project):
    with contextlib.closing(Firestore(project.server, project.id)) as base:
        base.rest("PATCH", "/c/d", json={"fields": {"a": {"stringValue": "x"}}})
        base.rest("GET", "/c/none", 404)
    assert [(call["operation"].rpartition(".")[2], call["status"]) for call in project.calls()] == [
        ("patch", 200),
        ("get", 404),
    ]


def test_calls_over_grpc_are_in_it(project):
    email = unused()
    token = project.sign_up(email)["idToken"]
    with contextlib.closing(Firestore(project.server, project.id)) as base:
        base.commit(base.set("c/d", {"pin": SECRET}), token=token)
        base.fails("get_document", base.get_request("c/none"), token)
        list(base.client.collection("c").stream())
    commit, get, query = project.calls()[1:]
    assert commit.keys() == {
        "id",
        "time",
        "method",
        "path",
        "operation",
        "resource",
        "caller",
        "uid",
        "status",
        "milliseconds",
        "canReplay",
    }
    assert (commit["method"], commit["path"], commit["operation"], commit["resource"]) == (
        "POST",
        "/google.firestore.v1.Firestore/Commit",
        COMMIT,
        base.database,
    )
    assert commit["status"] == 200 and 0 <= commit["milliseconds"] < 60_000
    assert near(instant(commit["time"]), project.now())
    assert (get["operation"], get["resource"], get["status"], get["error"]) == (
        DOCUMENTS + "get",
        base.name("c/none"),
        404,
        "NOT_FOUND",
    )
    assert (query["operation"], query["resource"], query["status"]) == (
        DOCUMENTS + "runQuery",
        f"{base.root}/c",
        200,
    )
    assert [commit["id"], get["id"], query["id"]] == sorted({commit["id"], get["id"], query["id"]})
    for secret in (SECRET, token, "Bearer"):
        assert secret not in json.dumps(project.calls())


@pytest.mark.parametrize("way", ["gRPC", "WebChannel"])
def test_streams_are_in_it(project, way):
    token = project.sign_up(unused())["idToken"]
    with contextlib.closing(Firestore(project.server, project.id)) as base:
        streams = open_streams(base, way)
        # A channel is open before the call that it carries is noted.
        listen, write = until(lambda: len(calls := project.calls()) == 3 and calls)[1:]
        for stream in streams:
            stream.cancel() if way == "gRPC" else stream.close()
        end = "/channel" if way == "WebChannel" else ""
        for entry, name in ((listen, "Listen"), (write, "Write")):
            assert entry["path"] == f"/google.firestore.v1.Firestore/{name}{end}"
            assert (entry["operation"], entry["resource"], entry["status"]) == (
                DOCUMENTS + name.lower(),
                base.database,
                200,
            )
        assert call(base, "WebChannel" if end else "a stream over gRPC", token + "x")
        last = until(lambda: (last := project.calls()[-1])["status"] != 200 and last)
    assert (last["status"], last["error"]) == (401, "UNAUTHENTICATED")
    assert token not in json.dumps(project.calls())


QUERY = {
    "from": [{"collectionId": "c"}],
    "where": {
        "fieldFilter": {"field": {"fieldPath": "a"}, "op": "EQUAL", "value": {"integerValue": "1"}}
    },
    "orderBy": [{"field": {"fieldPath": "b"}}],
}


@pytest.mark.parametrize("mode, expected", [("warn", "missing"), ("off", None)])
def test_queries_that_are_answered_without_their_index(project, mode, expected):
    project.own("PATCH", "/switches", json={"indexes": mode})
    from google.cloud.firestore_v1.base_query import FieldFilter

    with contextlib.closing(Firestore(project.server, project.id)) as base:
        base.rest("POST", ":runQuery", json={"structuredQuery": QUERY})
        query = base.client.collection("c").where(filter=FieldFilter("a", "==", 1)).order_by("b")
        assert list(query.stream()) == []
        query.count().get()
        base.rest("POST", ":runQuery", json={"structuredQuery": {"from": [{"collectionId": "c"}]}})
        listener = Listener(base)
        listener.add(2, query=query._to_protobuf())
        listener.snapshot()
        listener.cancel()
    entries = project.calls()
    verbs = [entry["operation"].rpartition(".")[2] for entry in entries]
    assert verbs == ["runQuery", "runQuery", "runAggregationQuery", "runQuery", "listen"]
    assert [entry.get("index", {}).get("status") for entry in entries] == [
        expected,
        expected,
        expected,
        None,
        expected,
    ]
    if expected:
        index = entries[0]["index"]
        assert index["query"] == "collection c where a == … order by b"
        assert [found["collectionGroup"] for found in index["missing"]] == ["c"]
        assert all(entry["status"] == 200 for entry in entries)


def test_faults_over_grpc_are_seen_in_it(project):
    with contextlib.closing(Firestore(project.server, project.id)) as base:
        for when in ("before", "after"):
            project.faults({"operation": COMMIT, "effect": {"drop": when}})
            base.fails("commit", base.commit_request(base.set("c/d", {"n": 1})))
    # What happened, and not what the client received.
    assert [(entry["status"], entry.get("error")) for entry in project.calls()] == [
        (503, "UNAVAILABLE"),
        (200, None),
    ]


def test_who_called_and_why_it_was_refused(project):
    email = unused()
    session = project.sign_up(email)
    project.call("lookup", {"idToken": session["idToken"]})
    project.admin("/accounts:query")
    requests.put(
        f"{project.server.auth}/emulator/v1/projects/{project.id}:securityRules",
        timeout=30,
        json={
            "rules": {
                "files": [
                    {
                        "name": "r",
                        "content": "rules_version = '2';\n"
                        "service cloud.firestore { match /databases/{d}/documents {\n"
                        "match /c/{id} { allow read: if false; } } }",
                    }
                ]
            }
        },
    )
    url = f"{project.server.auth}/v1/projects/{project.id}/databases/(default)/documents/c/d"
    for headers in (
        {},
        {"Authorization": f"Bearer {session['idToken']}"},
        {"Authorization": "Bearer owner"},
    ):
        requests.get(url, headers=headers, timeout=30)
    with contextlib.closing(Firestore(project.server, project.id)) as base:
        base.fails("get_document", base.get_request("c/d"), session["idToken"])
    uid = session["localId"]
    calls = [call for call in project.calls() if call["operation"] != SET_RULES]
    assert [(call["caller"], call.get("uid")) for call in calls] == [
        ("apiKey", None),
        ("user", uid),
        ("owner", None),
        ("anonymous", None),
        ("user", uid),
        ("owner", None),
        ("user", uid),
    ]
    for denied in (calls[3], calls[4], calls[6]):
        assert denied["error"] == "PERMISSION_DENIED" and "L3:17" in denied["reason"], denied


SET_RULES = "emulator.firestore.setSecurityRules"


def test_what_the_console_asks_is_kept_apart(project):
    headers = {"X-Hearth-Client": "console", "Authorization": "Bearer owner"}
    watcher = project.watch()
    project.request("GET", f"{project.v2}/config", headers=headers)
    project.admin("/accounts:query")
    assert [name for name, _ in watcher.drain()] == ["request"]
    watcher.close()
    [own] = project.calls()
    assert own["method"] == "POST" and "client" not in own
    both = project.own("GET", "/requests", params={"all": "true"})["requests"]
    both = [call for call in both if not call["operation"].startswith("hearth.")]
    assert [call.get("client") for call in both] == ["console", None]
    assert project.own("DELETE", "/requests") == {"requests": []}
    assert project.calls() == []


def test_what_steers_the_server_is_kept_apart(project):
    project.own("PATCH", "/clock", json={"advance": "PT1H"})
    project.own("GET", "/clock")
    assert project.calls() == []
    [moved] = project.own("GET", "/requests", params={"all": "true"})["requests"]
    assert moved["operation"] == "hearth.clock.update" and moved["body"] == {"advance": "PT1H"}


@pytest.mark.parametrize(
    "body",
    [
        {"email": "a@example.com", "password": ["Sesame-4-Secret"]},
        {"email": ["a"], "password": "Sesame-4-Secret"},
        {"idToken": ["Sesame-4-Secret"]},
        {"refreshToken": "Sesame-4-Secret"},
    ],
)
def test_reasons_do_not_repeat_secrets(project, body):
    project.raw("signInWithPassword", body)
    assert "Sesame-4-Secret" not in json.dumps(project.calls())


def test_imported_users_are_reported_together(project):
    watcher = project.watch()
    project.admin(
        "/accounts:batchCreate",
        {"users": [{"localId": f"u{n}", "email": f"u{n}@example.com"} for n in range(3)]},
    )
    assert watcher.until("users.imported") == {"count": 3}
    watcher.close()


def test_users_are_found_by_a_part(project):
    project.admin(
        "/accounts:batchCreate",
        {
            "users": [
                {"localId": "one", "email": "ann@example.com", "displayName": "Zoë 100%"},
                {"localId": "two", "email": "bob@example.com", "phoneNumber": "+15555550100"},
                {"localId": "three_ann", "email": "eve@example.org"},
            ]
        },
    )

    def found(**query):
        answer = project.own("GET", "/accounts", params=query)
        return int(answer["recordsCount"]), {user["localId"] for user in answer["userInfo"]}

    assert found() == (3, {"one", "two", "three_ann"})
    assert found(q="ann") == (2, {"one", "three_ann"})
    assert found(q="ANN@") == (1, {"one"})
    assert found(q="555") == (1, {"two"})
    assert found(q="zo") == found(q="100%") == (1, {"one"})
    assert found(q="example.org") == found(q="e_a") == (1, {"three_ann"})
    assert found(q="'") == (0, set())
    count, page = found(q="example", limit="2", offset="2")
    assert count == 3 and len(page) == 1
    project.complaint("GET", "/accounts?limit=0", None)


def test_the_last_thousand(project):
    session = requests.Session()
    url = f"{project.server.auth}{IT}/v1/accounts:createAuthUri?key={project.id}"
    for n in range(1050):
        session.post(
            url,
            json={"identifier": f"u{n}@example.com", "continueUri": "http://localhost"},
            timeout=30,
        )
    calls = project.calls()
    assert len(calls) == 1000
    assert [call["body"]["identifier"] for call in calls] == [
        f"u{n}@example.com" for n in range(50, 1050)
    ]
    assert [call["id"] for call in calls] == sorted({call["id"] for call in calls})
    for n in range(1050, 1150):
        session.post(
            url,
            json={"identifier": f"u{n}@example.com", "continueUri": "http://localhost"},
            timeout=30,
        )
    assert [call["body"]["identifier"] for call in project.calls()] == [
        f"u{n}@example.com" for n in range(150, 1150)
    ]


def test_bodies_that_are_large_or_not_json(project):
    requests.post(
        f"{project.server.auth}{IT}/v1/accounts:signUp?key={project.id}",
        data="{no json",
        headers={"Content-Type": "application/json"},
        timeout=30,
    )
    project.sign_up(unused(), displayName="x" * 20_000)
    for each in project.calls():
        assert "body" not in each


SECRET = "Sesame-4-Secret"


class Sender:
    """Sends a secret in some way. A way that takes another secret than SECRET returns it."""

    def __init__(self, project):
        self.project, self.email = project, unused()

    def ask(self, method: str, path: str, body=None, params=None, **options) -> None:
        requests.request(
            method,
            self.project.server.auth + path,
            params={"key": self.project.id} | (params or {}),
            json=body,
            timeout=30,
            **options,
        )

    def accounts(self, verb: str, version: str = "v1", **body) -> None:
        self.ask("POST", f"{IT}/{version}/accounts{verb}", body)

    def owner(self, path: str, body: dict, method: str = "POST", **params) -> None:
        self.ask(method, path, body, params, headers={"Authorization": "Bearer owner"})

    def users(self, verb: str, **body) -> None:
        self.owner(f"{self.project.v1}{verb}", body)

    def config(self, **body) -> None:
        self.owner(f"{self.project.v2}/config", body, "PATCH")

    def idp(self, provider: str, claims=None, inputs=None, **more) -> None:
        self.accounts(":signInWithIdp", **idp_body(provider, claims, inputs=inputs, **more))

    def page(self, method: str, data=None, **query) -> None:
        self.ask(method, "/emulator/action", None, {"mode": "resetPassword"} | query, data=data)

    def real_id_token(self) -> str:
        token = self.project.sign_up(self.email)["idToken"]
        self.accounts(":update", idToken=token, displayName="x")
        return token

    def real_refresh_token(self, form: str) -> str:
        token = self.project.sign_up(self.email)["refreshToken"]
        grant = {
            "data": {"grant_type": "refresh_token", "refresh_token": token},
            "json": {"grantType": "refresh_token", "refreshToken": token},
        }[form]
        requests.post(
            self.project.server.auth + TOKEN,
            params={"key": self.project.id},
            timeout=30,
            **{form: grant},
        )
        return token

    def text_message(self) -> str:
        self.accounts(":signInWithPhoneNumber", **{**self.project.sms(NUMBER), "code": "904417"})
        return "904417"

    def test_number(self) -> str:
        self.config(signIn={"phoneNumber": {"testPhoneNumbers": {NUMBER: "904417"}}})
        return "904417"


LEAKS = {
    "a new user's password": lambda s: s.accounts(":signUp", email=s.email, password=SECRET),
    "a password to sign in with": lambda s: s.accounts(
        ":signInWithPassword", email=s.email, password=SECRET
    ),
    "a password that is no text": lambda s: s.accounts(":signUp", email=s.email, password=[SECRET]),
    "a password in the old API": lambda s: s.ask(
        "POST",
        "/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPassword",
        {"email": s.email, "password": SECRET},
    ),
    "a new password": lambda s: s.accounts(":resetPassword", oobCode="x", newPassword=SECRET),
    "a code of a mail": lambda s: s.accounts(":resetPassword", oobCode=SECRET),
    "a link's code": lambda s: s.accounts(":signInWithEmailLink", email=s.email, oobCode=SECRET),
    "an ID token": lambda s: s.accounts(":lookup", idToken=SECRET),
    "a real ID token": Sender.real_id_token,
    "a token in the query": lambda s: s.ask(
        "POST", f"{IT}/v1/accounts:lookup", {"idToken": "x"}, {"access_token": SECRET}
    ),
    "a refresh token": lambda s: s.ask(
        "POST", TOKEN, data={"grant_type": "refresh_token", "refresh_token": SECRET}
    ),
    "a real refresh token": lambda s: s.real_refresh_token("data"),
    "a refresh token as JSON": lambda s: s.real_refresh_token("json"),
    "a custom token": lambda s: s.accounts(":signInWithCustomToken", token=SECRET),
    "a custom token that is JSON": lambda s: s.accounts(
        ":signInWithCustomToken", token=json.dumps({"uid": SECRET})
    ),
    "a provider's token": lambda s: s.idp("google.com", {"sub": SECRET, "email": s.email}),
    "a provider's token that is not one": lambda s: s.idp("google.com", SECRET),
    "a provider's access token": lambda s: s.idp("github.com", inputs={"access_token": SECRET}),
    "a provider's answer in its redirect": lambda s: s.accounts(
        ":signInWithIdp",
        **{
            **idp_body("google.com", {"sub": "1", "email": s.email}),
            "requestUri": f"http://localhost/handler?code={SECRET}#id_token={SECRET}",
        },
    ),
    "a revoked token": lambda s: s.accounts(
        ":revokeToken",
        "v2",
        providerId="apple.com",
        tokenType="ACCESS_TOKEN",
        token=SECRET,
        idToken="x",
    ),
    "a code of a text message": Sender.text_message,
    "a temporary proof": lambda s: s.accounts(
        ":signInWithPhoneNumber", phoneNumber=NUMBER, temporaryProof=SECRET
    ),
    "a second factor's code": lambda s: s.accounts(
        "/mfaSignIn:finalize",
        "v2",
        mfaPendingCredential=SECRET,
        phoneVerificationInfo={"sessionInfo": "x", "code": SECRET},
    ),
    "an authenticator's code": lambda s: s.accounts(
        "/mfaSignIn:finalize",
        "v2",
        mfaPendingCredential="x",
        mfaEnrollmentId="y",
        totpVerificationInfo={"verificationCode": SECRET},
    ),
    "an action page": lambda s: s.page("GET", oobCode=SECRET, apiKey=s.project.id),
    "an action page's form": lambda s: s.page(
        "POST", {"newPassword": SECRET}, oobCode="x", apiKey=s.project.id
    ),
    "an action link with a new password": lambda s: s.page(
        "GET", oobCode="x", apiKey=s.project.id, newPassword=SECRET
    ),
    "the owner's users": lambda s: s.users("/accounts", email=s.email, password=SECRET),
    "imported users": lambda s: s.users(
        "/accounts:batchCreate",
        users=[{"localId": "a", "email": s.email, "passwordHash": SECRET, "salt": SECRET}],
    ),
    "imported users' plain passwords": lambda s: s.users(
        "/accounts:batchCreate", users=[{"localId": "a", "email": s.email, "rawPassword": SECRET}]
    ),
    "a session cookie": lambda s: s.users(
        ":createSessionCookie", idToken=SECRET, validDuration="3600"
    ),
    "a provider's secret": lambda s: s.owner(
        f"{s.project.v2}/oauthIdpConfigs",
        {"name": "x", "clientId": "a", "issuer": "https://a.example", "clientSecret": SECRET},
        oauthIdpConfigId="oidc.a",
    ),
    "a test number's code": Sender.test_number,
    "a mail server's password": lambda s: s.config(
        notification={"sendEmail": {"smtp": {"password": SECRET}}}
    ),
}


def logged(project) -> str:
    """Of all projects that the call may have been counted for."""
    default = Steered(project.server, "demo-hearth")
    return json.dumps([project.calls(), default.calls()])


@pytest.mark.parametrize("where", LEAKS)
def test_no_secret_can_be_read_in_the_log(project, where):
    before = logged(project)
    secret = LEAKS[where](Sender(project)) or SECRET
    after = logged(project)
    assert len(after) > len(before), "the call is not in the log"
    assert secret not in after and urllib.parse.quote(secret) not in after


@pytest.mark.parametrize(
    "path, body",
    [
        ("login", {"email": "a@example.com", "password": SECRET}),
        ("reset-password", {"code": SECRET, "new_password": "new-password"}),
        ("reset-password", {"code": "ABCDEFGH", "new_password": SECRET}),
    ],
)
def test_no_secret_of_a_dialect_can_be_read_in_the_log(played, path, body):
    requests.post(f"{played.server.auth}/api/v1/auth/{path}", json=body, timeout=30)
    [*_, last] = played.calls()
    assert last["operation"].startswith("dialect.") and SECRET not in json.dumps(last)


def test_what_a_dialect_was_asked_is_in_the_log(played):
    requests.post(
        f"{played.server.auth}/api/v1/auth/forgot-password",
        json={"email": "a@example.com"},
        timeout=30,
    )
    [*_, last] = played.calls()
    assert last["operation"] == "dialect.swiftly-feedback.requestReset"
    assert last["path"] == "/api/v1/auth/forgot-password" and last["status"] == 200
    assert last["body"] == {"email": "a@example.com"}
