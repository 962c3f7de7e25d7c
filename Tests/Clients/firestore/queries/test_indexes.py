"""Indexes: refused queries, the file, the command, and the messages about missing indexes."""

import json
import pathlib
import subprocess
import uuid

import pytest
import requests
from google.api_core.exceptions import FailedPrecondition
from google.cloud.firestore_v1.base_query import FieldFilter
from support.firestore.project import Firestore, Listener, guard  # noqa: F401
from support.firestore.webchannel import Session
from support.server import PROJECT, Server, TalkingServer, binary

KNOWN = json.loads(
    (pathlib.Path(__file__).parents[4] / "fixtures/indexes/queries.json").read_text()
)
INDEX = {
    "collectionGroup": "c",
    "queryScope": "COLLECTION",
    "fields": [{"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "b", "order": "ASCENDING"}],
}
QUERY = {
    "from": [{"collectionId": "c"}],
    "where": {
        "fieldFilter": {"field": {"fieldPath": "a"}, "op": "EQUAL", "value": {"integerValue": "1"}}
    },
    "orderBy": [{"field": {"fieldPath": "b"}}],
}


@pytest.fixture(scope="module")
def enforcing():
    server = Server("--indexes", "enforce")
    yield server
    server.stop()


def own(server, project, rest, method="GET", body=None):
    return requests.request(
        method,
        f"{server.auth}/emulator/v1/projects/{project}/databases/(default)/indexes{rest}",
        json=body,
        timeout=30,
    )


def ask(server, project, verb, body):
    return requests.post(
        f"{server.addresses['firestore']}/v1/projects/{project}/databases/(default)/documents:{verb}",
        json=body,
        headers={"Authorization": "Bearer owner"},
        timeout=30,
    )


def refusal(reply):
    """The error of a refused query: in an array where the answers are those of production."""
    answer = reply.json()
    return (answer[0] if isinstance(answer, list) else answer)["error"]


@pytest.mark.parametrize("known", KNOWN, ids=[known["name"] for known in KNOWN])
def test_known_queries(enforcing, known):
    project = "demo-test" if known.get("link") else "demo-" + uuid.uuid4().hex[:8]
    reply = own(
        enforcing,
        project,
        "",
        "PUT",
        {"indexes": known.get("indexes", []), "fieldOverrides": known.get("fieldOverrides", [])},
    )
    assert reply.status_code == 200, reply.text
    query = json.loads(json.dumps(known["query"]).replace("demo-test", project))
    if known.get("aggregations"):
        reply = ask(
            enforcing,
            project,
            "runAggregationQuery",
            {
                "structuredAggregationQuery": {
                    "structuredQuery": query,
                    "aggregations": known["aggregations"],
                }
            },
        )
    else:
        reply = ask(enforcing, project, "runQuery", {"structuredQuery": query})
    if known["verdict"] == "invalid":
        assert refusal(reply)["status"] == "INVALID_ARGUMENT"
    elif not known["verdict"].endswith("-needed"):
        assert reply.status_code == 200, reply.text
    else:
        error = refusal(reply)
        assert (reply.status_code, error["status"]) == (400, "FAILED_PRECONDITION")
        assert known.get("link", "") in error["message"]
        several = error["message"].endswith("multiple-range-fields.")
        assert several == known.get("severalRanges", False)


@pytest.fixture
def base(enforcing):
    base = Firestore(enforcing)
    yield base
    base.close()


def test_python_sdk(enforcing, base):
    client = base.client
    client.collection("c").document("x").set({"a": 1, "b": 2})
    query = client.collection("c").where(filter=FieldFilter("a", "==", 1)).order_by("b")
    with pytest.raises(FailedPrecondition) as refused:
        query.get()
    console = enforcing.addresses["console"]
    assert refused.value.message.startswith(
        "The query requires an index. You can create it here: "
        f"{console}/v1/r/project/{base.project}/firestore/indexes?create_composite="
    )
    with pytest.raises(FailedPrecondition):
        query.sum("n").get()
    assert own(enforcing, base.project, "", "PUT", {"indexes": [INDEX]}).status_code == 200
    assert [found.id for found in query.get()] == ["x"]


def test_listeners_over_grpc(base):
    query = base.client.collection("c").where(filter=FieldFilter("a", "==", 1)).order_by("b")
    listener = Listener(base)
    listener.add(2, query=query._to_protobuf())
    change = listener.next().target_change
    while not change.cause.code:
        change = listener.next().target_change
    assert change.target_change_type.name == "REMOVE" and list(change.target_ids) == [2]
    assert change.cause.code == 9
    assert change.cause.message.startswith("The query requires an index. ")
    listener.cancel()


def test_listeners_over_webchannel(base):
    session = Session(
        base,
        messages=[
            {
                "database": base.database,
                "addTarget": {
                    "targetId": 2,
                    "query": {"parent": base.root, "structuredQuery": QUERY},
                },
            }
        ],
    )
    heard = session.hear(lambda message: "cause" in message.get("targetChange", {}))
    cause = heard[-1]["targetChange"]["cause"]
    assert cause["code"] == 9 and cause["message"].startswith("The query requires an index. ")
    session.terminate()


def test_link_leads_to_the_console(enforcing):
    reply = ask(enforcing, "demo-link", "runQuery", {"structuredQuery": QUERY})
    link = refusal(reply)["message"].split("here: ")[1]
    page = requests.get(link, allow_redirects=False, timeout=30)
    blob = link.split("?")[1]
    assert (page.status_code, page.headers["Location"]) == (
        302,
        f"/console?project=demo-link#/indexes?{blob}",
    )
    assert requests.get(link, timeout=30).status_code == 200


def test_foreign_pages_are_refused(enforcing):
    url = f"{enforcing.auth}/emulator/v1/projects/{PROJECT}/databases/(default)/indexes"
    for method, rest in [("PUT", ""), ("POST", ":add"), ("POST", ":check"), ("GET", ":report")]:
        reply = requests.request(
            method,
            url + rest,
            json={"indexes": []},
            headers={"Origin": "https://evil.example"},
            timeout=30,
        )
        assert reply.status_code == 403, (method, rest)


def test_snapshots_keep_what_was_put(enforcing):
    project = "demo-" + uuid.uuid4().hex[:8]
    root = f"{enforcing.auth}/emulator/v1/projects/{project}"
    own(enforcing, project, "", "PUT", {"indexes": [INDEX]})
    assert requests.post(f"{root}/snapshots", json={"name": "s"}, timeout=30).ok
    own(enforcing, project, "", "PUT", {"indexes": []})
    assert requests.post(f"{root}/snapshots/s:restore", json={}, timeout=30).ok
    assert own(enforcing, project, "").json()["indexes"] == [INDEX]
    assert requests.delete(root, timeout=30).ok
    assert own(enforcing, project, "").json()["indexes"] == []


def test_usage_has_the_official_form(enforcing):
    project = "demo-" + uuid.uuid4().hex[:8]
    own(enforcing, project, "", "PUT", {"indexes": [INDEX]})
    for _ in range(2):
        assert ask(enforcing, project, "runQuery", {"structuredQuery": QUERY}).ok
    database = f"projects/{project}/databases/(default)"
    usage = requests.get(
        f"{enforcing.addresses['firestore']}/emulator/v1/projects/{project}:indexUsage",
        params={"database": database},
        timeout=30,
    ).json()
    assert usage == {
        "reports": [
            {
                "numQueries": "2",
                "index": {
                    "name": f"{database}/collectionGroups/c/indexes/_",
                    "queryScope": "COLLECTION",
                    "fields": [*INDEX["fields"], {"fieldPath": "__name__", "order": "ASCENDING"}],
                },
            }
        ]
    }


def project_folder(folder, indexes):
    (folder / "firebase.json").write_text(
        json.dumps(
            {
                "firestore": [
                    {"database": "(default)", "indexes": "firestore.indexes.json"},
                    {"database": "other", "indexes": "other.json"},
                ]
            }
        )
    )
    (folder / "firestore.indexes.json").write_text(indexes)
    (folder / "other.json").write_text('{"indexes": []}')


def hearth_command(server, *arguments, cwd=None):
    return subprocess.run(
        [binary(), "indexes", *arguments, "--address", server.addresses["console"]],
        capture_output=True,
        text=True,
        timeout=30,
        cwd=cwd,
    )


def test_a_file_is_read_again_and_mistakes_leave_it(tmp_path):
    project_folder(tmp_path, '// none yet\n{"indexes": []}')
    server = TalkingServer(cwd=str(tmp_path))
    try:
        assert ask(server, PROJECT, "runQuery", {"structuredQuery": QUERY}).ok
        server.wait_for("misses an index: collection c where a == … order by b")
        assert ask(server, PROJECT, "runQuery", {"structuredQuery": QUERY}).ok
        report = own(server, PROJECT, ":report").json()
        assert (report["mode"], report["missing"][0]["count"]) == ("warn", 2)
        (tmp_path / "firestore.indexes.json").write_text('{"indexes": [{}]}')
        server.wait_for("Keeping the previous indexes: ")
        # The file may have been read before it was written to its end.
        server.wait_for('indexes[0]: Must contain "collectionGroup": {}')
        (tmp_path / "firestore.indexes.json").write_text(json.dumps({"indexes": [INDEX]}))
        server.wait_for("Reloaded the indexes from ")
        assert own(server, PROJECT, ":report").json()["missing"][0]["served"]
    finally:
        server.stop()


def test_the_command_does_not_take_unchecked_queries_for_good_ones(tmp_path):
    (tmp_path / "none.json").write_text('{"indexes": []}')
    server = Server()
    try:
        assert ask(server, PROJECT, "runQuery", {"structuredQuery": QUERY}).ok
        words = "queries are not checked: `indexes` is off; start with --indexes warn"
        for arguments in (("check", "none.json"), ("--write", "new.json")):
            done = hearth_command(server, *arguments, cwd=tmp_path)
            assert (done.returncode, done.stdout) == (1, "") and words in done.stderr
        assert not (tmp_path / "new.json").exists()
        for action in ("missing", "unused"):
            done = hearth_command(server, action)
            assert (done.returncode, done.stdout) == (0, "") and words in done.stderr
    finally:
        server.stop()


def test_a_malformed_file_ends_the_start_only_where_it_was_asked_for(tmp_path):
    project_folder(tmp_path, '{"indexes": 1}')
    server = TalkingServer(cwd=str(tmp_path))
    assert any(
        "Indexes are not checked" in line and "indexes: must be an array" in line
        for line in server.lines
    )
    assert ask(server, PROJECT, "runQuery", {"structuredQuery": QUERY}).ok
    assert own(server, PROJECT, ":report").json()["missing"] == []
    server.stop()
    asked = subprocess.run(
        [binary(), "--indexes", "enforce", "--auth-port", "0"],
        capture_output=True,
        text=True,
        timeout=30,
        cwd=tmp_path,
    )
    assert asked.returncode != 0
    assert "firestore.indexes.json: indexes: must be an array" in asked.stderr + asked.stdout


def test_the_command(tmp_path):
    project_folder(tmp_path, '{"indexes": []}')
    server = Server("--write-indexes", cwd=str(tmp_path))
    try:
        assert ask(server, PROJECT, "runQuery", {"structuredQuery": QUERY}).ok
        missing = hearth_command(server, "missing")
        assert missing.stdout.splitlines() == [
            "missing: collection c where a == … order by b",
            "  once, first runQuery by owner",
            "  c COLLECTION (a ASC, b ASC)",
        ]
        checked = hearth_command(server, "check", "firestore.indexes.json", cwd=tmp_path)
        assert (checked.returncode, "collection c" in checked.stdout) == (1, True)
        written = hearth_command(server, "--write", "new.json", cwd=tmp_path)
        assert written.stdout == "Added 1 to new.json.\n"
        assert json.loads((tmp_path / "new.json").read_text())["indexes"] == [INDEX]
        checked = hearth_command(server, "check", "new.json", cwd=tmp_path)
        assert checked.returncode == 0, checked.stdout + checked.stderr
        # As the button of the console does.
        entry = own(server, PROJECT, ":report").json()["missing"][0]
        assert own(server, PROJECT, ":add", "POST", entry["configuration"]).ok
        assert json.loads((tmp_path / "firestore.indexes.json").read_text())["indexes"] == [INDEX]
        assert hearth_command(server, "list").stdout == "c COLLECTION (a ASC, b ASC)\n"
        assert hearth_command(server, "unused").stdout == "c COLLECTION (a ASC, b ASC)\n"
        assert hearth_command(server, "missing").stdout == ""
    finally:
        server.stop()


def test_exec_ends_with_the_report(tmp_path):
    script = (
        "import json, os, urllib.request\n"
        "url = ('http://' + os.environ['FIRESTORE_EMULATOR_HOST'] + '/v1/projects/'\n"
        "       + os.environ['GCLOUD_PROJECT'] + '/databases/(default)/documents:runQuery')\n"
        f"body = json.dumps({{'structuredQuery': {QUERY!r}}}).encode()\n"
        "request = urllib.request.Request(url, body, {'Authorization': 'Bearer owner',\n"
        "                                             'Content-Type': 'application/json'})\n"
        "print(urllib.request.urlopen(request).status)\n"
    )
    (tmp_path / "ask.py").write_text(script)
    run = subprocess.run(
        [binary(), "exec", "--indexes", "report", "--hub-port", "none", "--", "python3", "ask.py"],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=tmp_path,
    )
    assert (run.returncode, run.stdout) == (0, "200\n"), run.stderr
    assert "Indexes: 1 queries miss one, 0 were not used." in run.stderr
    assert "c COLLECTION (a ASC, b ASC)" in run.stderr
