"""A server that several people share: what each transport refuses without a project's token."""

import os
import smtplib
import subprocess
import sys
import threading

import grpc
import pytest
import requests
from google.cloud.firestore_v1.types import firestore as rpc
from support.firestore.channel import listening
from support.firestore.project import Firestore, guard, metadata  # noqa: F401
from support.server import OPERATOR, Server, Shared, bearer, binary

DENIED = grpc.StatusCode.PERMISSION_DENIED
INVALID = grpc.StatusCode.INVALID_ARGUMENT
UNAUTHENTICATED = grpc.StatusCode.UNAUTHENTICATED
EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    server = Shared(tmp_path_factory.mktemp("shared"), "--hub-port", "0", "--smtp-port", "0")
    yield server
    server.stop()


@pytest.fixture
def base(shared):
    base = Firestore(shared)
    base.token = shared.opens(base.project)
    yield base
    base.close()


def status_of(call) -> grpc.StatusCode:
    try:
        call()
    except grpc.RpcError as error:
        return error.code()
    return grpc.StatusCode.OK


def commit(base, token, data=None):
    request = rpc.CommitRequest(database=base.database, writes=[base.set("a/1", data or {"n": 1})])
    return status_of(
        lambda: base.rpc.commit(request, metadata=metadata(token) if token else (), timeout=30)
    )


def test_grpc_takes_the_token_of_the_project_for_an_administrator(shared, base):
    other = Firestore(shared)
    foreign = shared.opens(other.project)
    assert commit(base, "owner") == UNAUTHENTICATED
    assert commit(base, "ya29.token") == UNAUTHENTICATED
    assert commit(base, " ya29.token") == UNAUTHENTICATED
    assert commit(base, base.token[:-1]) == UNAUTHENTICATED
    assert commit(base, foreign) == DENIED
    assert commit(base, base.token) == grpc.StatusCode.OK
    assert commit(base, OPERATOR) == grpc.StatusCode.OK
    # Clients of apps need none: without rules the project is open to them.
    assert commit(base, None) == grpc.StatusCode.OK
    other.close()


def test_grpc_refuses_a_project_that_is_not_open(shared):
    closed = Firestore(shared)
    for token in (None, "owner", OPERATOR):
        assert commit(closed, token) == DENIED
    closed.close()


def test_a_message_reaches_no_document_of_another_project(shared, base):
    other = Firestore(shared)
    shared.opens(other.project)
    assert commit(other, None) == grpc.StatusCode.OK
    mine = metadata(base.token)
    foreign = rpc.CommitRequest(database=base.database, writes=[other.set("a/1", {"n": 2})])
    reads = rpc.BatchGetDocumentsRequest(database=base.database, documents=[other.name("a/1")])
    assert status_of(lambda: base.rpc.commit(foreign, metadata=mine, timeout=30)) != (
        grpc.StatusCode.OK
    )
    assert status_of(
        lambda: list(base.rpc.batch_get_documents(reads, metadata=mine, timeout=30))
    ) != (grpc.StatusCode.OK)
    document = rpc.GetDocumentRequest(name=other.name("a/1"))
    assert status_of(lambda: base.rpc.get_document(document, metadata=mine, timeout=30)) == DENIED
    target = rpc.ListenRequest(
        database=base.database,
        add_target={"target_id": 2, "documents": {"documents": [other.name("a/1")]}},
    )
    call = base.rpc.listen(iter([target]), metadata=mine, timeout=30)
    assert refusal_of_target(call) == INVALID.value[0]
    other.close()


@pytest.mark.parametrize("method", ["ExportData", "ImportData"])
def test_files_of_the_machine_are_the_operators(shared, base, method, tmp_path):
    channel = grpc.insecure_channel(shared.addresses["firestore"].removeprefix("http://"))
    call = channel.unary_unary(f"/google.firestore.emulator.v1.FirestoreEmulator/{method}")
    # database = 1, export_directory = 2
    database, folder = base.database.encode(), str(tmp_path / "export").encode()
    request = bytes([10, len(database)]) + database + bytes([18, len(folder)]) + folder
    for token, code in ((None, UNAUTHENTICATED), ("owner", UNAUTHENTICATED), (base.token, DENIED)):
        sent = metadata(token) if token else ()
        assert status_of(lambda sent=sent: call(request, metadata=sent, timeout=30)) == code
    assert not (tmp_path / "export").exists()
    channel.close()


def test_a_listener_ends_with_its_project(shared, base):
    assert commit(base, base.token) == grpc.StatusCode.OK
    ends, over = [], threading.Event()
    for token in (base.token, None):
        first = rpc.ListenRequest(
            database=base.database,
            add_target={"target_id": 2, "documents": {"documents": [base.name("a/1")]}},
        )
        sent = metadata(token) if token else ()
        answers = iter(base.rpc.listen(waiting(first, over), metadata=sent, timeout=60))
        next(answers)
        ends.append(answers)
    shared.closes(base.project)
    shared.opens(base.project)
    for answers in ends:
        assert status_of(lambda answers=answers: list(answers)) == DENIED
    over.set()


def refusal_of_target(answers) -> int:
    """The code that a target is removed with; no document may come before."""
    for answer in answers:
        assert not answer.document_change.document.name
        if answer.target_change.cause.code:
            return answer.target_change.cause.code
    return 0


def waiting(first, over: threading.Event):
    """The first message; then nothing, until the test is over."""
    yield first
    over.wait(60)


def test_webchannel_takes_the_token_and_not_owner(shared, base):
    assert commit(base, base.token) == grpc.StatusCode.OK
    for token, status in (("owner", "UNAUTHENTICATED"), ("guess", "UNAUTHENTICATED")):
        failure = listening(base, "a/1", token).failure()
        assert failure["status"] == status, failure
    closed = Firestore(shared)
    assert listening(closed, "a/1", None).failure()["status"] == "PERMISSION_DENIED"
    for token in (base.token, None):
        channel = listening(base, "a/1", token)
        channel.hear(lambda message: "documentChange" in message)
        channel.close()
    channel = listening(base, "a/1", base.token)
    channel.hear(lambda message: "documentChange" in message)
    shared.closes(base.project)
    assert channel.failure()["status"] == "PERMISSION_DENIED"


def test_grpc_refuses_what_is_over_the_quota(shared):
    small = Firestore(shared)
    token = shared.opens(small.project, quotaBytes=2000)
    assert commit(small, token) == grpc.StatusCode.OK
    assert commit(small, token, {"text": "x" * 3000}) == EXHAUSTED
    document = small.rpc.get_document(
        rpc.GetDocumentRequest(name=small.name("a/1")), metadata=metadata(token), timeout=30
    )
    assert "n" in document.fields
    small.close()


ADMIN = """
import sys
import firebase_admin
from firebase_admin import auth, credentials

firebase_admin.initialize_app(options={"projectId": sys.argv[1]})
user = auth.create_user(email="ann@example.com", password="secret1")
print(auth.get_user(user.uid).email, len(list(auth.list_users().iterate_all())))
"""


def test_an_admin_sdk_has_the_token_in_its_address(shared, base):
    def run(host: str) -> subprocess.CompletedProcess:
        environment = {**os.environ, "FIREBASE_AUTH_EMULATOR_HOST": host}
        return subprocess.run(
            [sys.executable, "-c", ADMIN, base.project],
            env=environment,
            capture_output=True,
            text=True,
            timeout=60,
        )

    done = run(f"{shared.host}/with-token/{base.token}")
    assert done.stdout.split() == ["ann@example.com", "1"], done.stderr
    assert run(shared.host).returncode != 0


def test_commands_take_the_token_from_the_environment(shared, base):
    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess:
        kept = {k: v for k, v in os.environ.items() if not k.startswith("HEARTH_")}
        return subprocess.run(
            [binary(), *arguments, "--address", shared.host, "--project", base.project],
            env=kept | environment,
            capture_output=True,
            text=True,
            timeout=60,
        )

    refused = run("clock")
    assert refused.returncode != 0 and "token of the project" in refused.stderr
    done = run("clock", HEARTH_PROJECT_TOKEN=base.token)
    assert done.returncode == 0, done.stderr
    assert run("clock", HEARTH_OPERATOR_TOKEN=OPERATOR).returncode == 0


def test_mail_is_taken_for_open_projects_only(shared, base):
    host, _, port = shared.addresses["smtp"].rpartition(":")
    mail = "Subject: hello\r\n\r\ntext\r\n"

    def send(project: str):
        with smtplib.SMTP(host, int(port), timeout=30) as client:
            client.ehlo()
            client.login(project, "any", initial_response_ok=True)
            client.sendmail("a@example.com", ["b@example.com"], mail)

    send(base.project)
    with pytest.raises(smtplib.SMTPDataError):
        send("demo-never-opened")
    messages = requests.get(
        f"{shared.auth}/emulator/v1/projects/{base.project}/messages",
        headers=bearer(base.token),
        timeout=30,
    ).json()["messages"]
    assert [message["subject"] for message in messages] == ["hello"]


def test_the_send_api_tells_nobody_what_it_took(tmp_path):
    server = Shared(tmp_path, "--mail-api-port", "0")
    try:
        token = server.opens("demo-one")
        api = server.addresses["mail-api"]
        mail = {"from": "a@example.com", "to": "b@example.com", "subject": "hi", "text": "x"}
        sent = requests.post(f"{api}/emails", json=mail, headers=bearer("demo-one"), timeout=30)
        assert sent.status_code == 200, sent.text
        listed = requests.get(f"{api}/emails", headers=bearer("demo-one"), timeout=30)
        assert listed.json()["data"] == []
        one = f"{api}/emails/{sent.json()['id']}"
        assert requests.get(one, headers=bearer("demo-one"), timeout=30).status_code == 404
        messages = requests.get(
            f"{server.auth}/emulator/v1/projects/demo-one/messages",
            headers=bearer(token),
            timeout=30,
        ).json()["messages"]
        assert [message["subject"] for message in messages] == ["hi"]
    finally:
        server.stop()


def test_templates_and_keys_of_the_send_apis_stay_with_their_project(tmp_path):
    server = Shared(tmp_path, "--mail-api-port", "0")
    try:
        for name in ("demo-one", "demo-two"):
            server.opens(name)
        api = server.addresses["mail-api"]

        def ses(method: str, path: str, project: str, **body) -> requests.Response:
            scope = f"Credential={project}/20260101/us-east-1/ses/aws4_request"
            headers = {"Authorization": f"AWS4-HMAC-SHA256 {scope}, Signature=x"}
            return requests.request(method, api + path, json=body, headers=headers, timeout=30)

        templates = "/v2/email/templates"
        content = {"TemplateContent": {"Subject": "Welcome", "Text": "x"}}
        made = ses("POST", templates, "demo-one", TemplateName="welcome", **content)
        assert made.status_code == 200, made.text
        assert ses("GET", templates, "demo-two").json()["TemplatesMetadata"] == []
        for method, body in (("GET", {}), ("PUT", content)):
            reply = ses(method, f"{templates}/welcome", "demo-two", **body)
            assert reply.status_code == 404, reply.text
        ses("DELETE", f"{templates}/welcome", "demo-two")
        assert ses("GET", f"{templates}/welcome", "demo-one").status_code == 200

        subscriptions = f"{api}/workspaces/w/webhook-subscriptions"
        order = {"service": "channels", "event": "sms.outbound", "url": "http://127.0.0.1:9/"}
        bird = {"Authorization": "AccessKey demo-one"}
        order["signingKey"] = "secret"
        made = requests.post(subscriptions, json=order, headers=bird, timeout=30)
        assert made.status_code == 201, made.text
        assert requests.get(subscriptions, headers=bird, timeout=30).json() == {"results": []}
    finally:
        server.stop()


def test_the_hub_is_the_operators(shared, base):
    hub = shared.addresses["hub"]
    for path in ("/emulators", "/"):
        assert requests.get(hub + path, timeout=30).status_code == 401
        assert requests.get(hub + path, headers=bearer(base.token), timeout=30).status_code == 403
        assert requests.get(hub + path, headers=bearer(OPERATOR), timeout=30).status_code == 200


def test_agents_may_do_what_their_token_may(shared, base):
    console = shared.addresses["console"]

    def use(tool: str, headers: dict, **arguments) -> requests.Response:
        call = {"name": tool, "arguments": arguments}
        return requests.post(
            console + "/mcp",
            json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call},
            headers=headers,
            timeout=30,
        )

    user = {"email": "ann@example.com", "password": "secret1"}
    mine = bearer(base.token)
    assert use("create_user", {}, project=base.project, **user).status_code == 401
    assert (
        not use("create_user", mine, project=base.project, **user).json()["result"].get("isError")
    )
    other = Firestore(shared)
    shared.opens(other.project)
    for project in (other.project, "demo-never-opened"):
        refused = use("create_user", mine, project=project, **user).json()["result"]
        assert refused["isError"], refused


def test_the_log_names_who_was_refused(tmp_path):
    server = Shared(tmp_path)
    try:
        tokens = [server.opens(name) for name in ("demo-one", "demo-two")]
        for token, status in zip(tokens, (200, 403), strict=True):
            for path in ("emulator/v1/projects/demo-one/messages", "mailbox?project=demo-one"):
                url = f"{server.auth}/{path}"
                assert requests.get(url, headers=bearer(token), timeout=30).status_code == status
    finally:
        server.stop()
    pages = [line.split()[-2:] for line in server.lines if "mailbox.list" in line]
    assert pages == [["demo-one", "200"], ["demo-one", "403"]]
    calls = [line.split() for line in server.lines if "messages.list demo-one" in line]
    assert [call[-1] for call in calls] == ["200", "403"]
    # `control: token HASH …`, of two projects.
    assert all(call[2] == "token" for call in calls)
    assert calls[0][3] != calls[1][3]
    assert not [line for line in server.lines if "Multiple projectIds" in line]


def logged(server: Shared, project: str, token: str) -> str:
    """The calls in the log of a project, with all that is kept of them."""
    url = f"{server.auth}/emulator/v1/projects/{project}/requests"
    calls = requests.get(url, headers=bearer(token), timeout=30).json()["requests"]
    return "".join(
        requests.get(f"{url}/{call['id']}", headers=bearer(token), timeout=30).text
        for call in calls
    )


def test_what_was_refused_is_in_the_log_of_its_own_project(tmp_path):
    server = Shared(tmp_path)
    try:
        default, one = server.opens("demo-hearth"), server.opens("demo-one")
        accounts = f"{server.auth}/identitytoolkit.googleapis.com/v1/accounts"
        user = {"email": "ann@example.com", "password": "secret1"}
        for key, extra, token in (
            ("demo-one", {}, "guess"),
            ("demo-one", {"targetProjectId": "demo-two"}, None),
            # Which project is meant is not known yet.
            ("any", {"targetProjectId": "demo-one"}, "guess"),
        ):
            reply = requests.post(
                f"{accounts}:signUp?key={key}",
                json=user | extra,
                headers=bearer(token) if token else {},
                timeout=30,
            )
            assert reply.status_code in (400, 401), reply.text
        assert "ann@example.com" not in logged(server, "demo-hearth", default)
        assert "ann@example.com" in logged(server, "demo-one", one)
    finally:
        server.stop()


def test_projects_that_are_not_open_push_no_log_out(tmp_path):
    server = Shared(tmp_path)
    try:
        token = server.opens("demo-one")
        accounts = f"{server.auth}/identitytoolkit.googleapis.com/v1/accounts"
        user = {"email": "ann@example.com", "password": "secret1"}
        with requests.Session() as session:
            assert session.post(f"{accounts}:signUp?key=demo-one", json=user).status_code == 200
            # More projects than logs are kept of; they are counted with each thousandth call.
            for number in range(1000):
                reply = session.post(f"{accounts}:signUp?key=demo-{number}", json=user)
                assert reply.status_code == 403
        assert "ann@example.com" in logged(server, "demo-one", token)
    finally:
        server.stop()


def test_tls_makes_the_cookie_a_secure_one(tmp_path):
    server = Shared(tmp_path, "--tls")
    try:
        console = server.addresses["console"]
        order = requests.post(
            f"{server.auth}/emulator/v1/projects",
            json={"projectId": "demo-one"},
            headers=bearer(OPERATOR),
            timeout=30,
            verify=False,
        )
        assert order.status_code == 200, order.text
        reply = requests.post(
            console + "/console/signIn",
            data={"token": order.json()["token"]},
            headers={"Origin": console},
            timeout=30,
            verify=False,
            allow_redirects=False,
        )
        assert reply.status_code == 303
        assert reply.headers["Set-Cookie"].endswith("; HttpOnly; SameSite=Strict; Secure")
    finally:
        server.stop()


def start(*flags: str, **environment: str) -> subprocess.CompletedProcess:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("HEARTH_")}
    return subprocess.run(
        [binary(), *flags], env=kept | environment, capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--require-token", "--as-google"), "cannot be combined with --as-google"),
        (("--operator-token-file", "x"), "needs --require-token"),
        (("--require-token", "--operator-token-file", "/nowhere"), "cannot read /nowhere"),
        (("exec", "--require-token", "--", "true"), "cannot be used with exec"),
    ],
)
def test_what_cannot_be_is_said_at_the_start(flags, words):
    done = start(*flags)
    assert done.returncode != 0 and words in done.stderr, done.stderr


@pytest.mark.parametrize("token", ["short", "with.dots" * 5, "with spaces " * 5])
def test_a_token_that_can_be_guessed_is_not_taken(token):
    done = start("--require-token", HEARTH_OPERATOR_TOKEN=token)
    assert done.returncode != 0 and "32 letters" in done.stderr, done.stderr
    assert token not in done.stderr


def test_a_token_is_made_and_shown_once_where_none_is_given():
    server = Server("--require-token")
    try:
        [line] = [line for line in server.lines if line.startswith("operator ")]
        token = line.split()[1]
        assert token.startswith("hearth_") and len(token) == 50
        reply = requests.post(
            f"{server.auth}/emulator/v1/projects", json={}, headers=bearer(token), timeout=30
        )
        assert reply.status_code == 200, reply.text
        assert reply.json()["projectId"].startswith("demo-")
        assert reply.json()["token"] != token
    finally:
        server.stop()
    assert sum(token in line for line in server.lines) == 1
