"""A project as it was at a moment: over the endpoint, and with `hearth rewind`."""

import os
import subprocess
import uuid

import pytest
import requests
from support.server import Server, binary


@pytest.fixture(scope="module")
def server():
    server = Server()
    yield server
    server.stop()


class Project:
    def __init__(self, server, name):
        self.server, self.name = server, name
        self.origin = server.addresses["auth"]

    def call(self, method, path, body=None, status=200):
        reply = requests.request(
            method,
            self.origin + path,
            json=body,
            headers={"Authorization": "Bearer owner"},
            timeout=30,
        )
        assert reply.status_code == status, reply.text
        return reply.json()

    def own(self, method, rest, body=None, status=200):
        return self.call(method, f"/emulator/v1/projects/{self.name}/{rest}", body, status)

    def firestore(self, method, path, body=None):
        reply = requests.request(
            method,
            self.server.addresses["firestore"]
            + f"/v1/projects/{self.name}/databases/(default)/documents/{path}",
            json=body,
            headers={"Authorization": "Bearer owner"},
            timeout=30,
        )
        return reply.json()

    def put(self, path, number):
        """Writes a document; gives the number of the request."""
        self.firestore("PATCH", path, {"fields": {"n": {"integerValue": str(number)}}})
        return self.newest()

    def delete(self, path):
        self.firestore("DELETE", path)
        return self.newest()

    def number(self, path):
        fields = self.firestore("GET", path).get("fields")
        return fields and int(fields["n"]["integerValue"])

    def newest(self):
        return self.own("GET", "requests?limit=1&all=true")["requests"][-1]["id"]

    def sign_up(self, email):
        path = f"/identitytoolkit.googleapis.com/v1/accounts:signUp?key={self.name}"
        self.call("POST", path, {"email": email, "password": "secret1"})
        return self.newest()

    def reset(self, email):
        path = f"/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key={self.name}"
        self.call("POST", path, {"requestType": "PASSWORD_RESET", "email": email})
        return self.newest()

    def emails(self):
        users = self.own("GET", "accounts")["userInfo"]
        return sorted(user["email"] for user in users)

    def mails(self):
        return [mail["to"] for mail in self.own("GET", "messages")["messages"]]

    def snapshot(self, name):
        self.own("POST", "snapshots", {"name": name})

    def restore(self, name):
        self.own("POST", f"snapshots/{name}:restore", {})

    def rewind(self, **body):
        made = self.own("POST", "rewind", body)
        return Project(self.server, made["project"]), made


@pytest.fixture
def project(server):
    return Project(server, "demo-" + uuid.uuid4().hex[:10])


def test_a_moment_has_the_documents_users_and_mails_of_then(project):
    project.put("a/1", 1)
    project.put("a/2", 1)
    project.sign_up("ann@example.com")
    moment = project.reset("ann@example.com")
    project.put("a/1", 2)
    project.delete("a/2")
    project.put("b/3/c/3", 3)
    project.sign_up("bob@example.com")
    project.reset("bob@example.com")
    then, made = project.rewind(request=moment)
    assert made["project"] == f"{project.name}-rewind"
    assert "as they are now" in made["notRebuilt"][0]
    assert [then.number(path) for path in ("a/1", "a/2", "b/3/c/3")] == [1, 1, None]
    assert then.emails() == ["ann@example.com"] and then.mails() == ["ann@example.com"]
    # Which is found by a query too, so that the indexes fit.
    query = {
        "structuredQuery": {
            "from": [{"collectionId": "a"}],
            "where": {
                "fieldFilter": {
                    "field": {"fieldPath": "n"},
                    "op": "EQUAL",
                    "value": {"integerValue": "1"},
                }
            },
        }
    }
    path = f"/v1/projects/{then.name}/databases/(default)/documents:runQuery"
    found = [row["document"]["name"] for row in project.call("POST", path, query)]
    assert [name.rsplit("/", 2)[1:] for name in found] == [["a", "1"], ["a", "2"]]
    # The project itself has not changed.
    assert [project.number(path) for path in ("a/1", "a/2", "b/3/c/3")] == [2, None, 3]
    assert len(project.mails()) == 2 and len(project.emails()) == 2


def test_each_request_is_a_moment(project):
    moments = [project.put("a/1", number) for number in range(5)]
    for number, moment in enumerate(moments):
        then, made = project.rewind(request=moment)
        assert then.number("a/1") == number
        assert made["project"].endswith("-rewind" if number == 0 else f"-rewind-{number + 1}")
    ranges = project.own("GET", "rewind")["requests"]
    assert len(ranges) == 1
    assert ranges[0]["first"] <= moments[0] and ranges[0]["last"] >= moments[-1]


def test_users_that_were_deleted_since_come_from_the_next_snapshot(project):
    moment = project.sign_up("ann@example.com")
    project.snapshot("kept")
    project.call("DELETE", f"/emulator/v1/projects/{project.name}/accounts")
    then, made = project.rewind(request=moment)
    assert then.emails() == ["ann@example.com"]
    assert made["snapshot"] == "kept" and "in the snapshot kept" in made["notRebuilt"][0]


def test_a_moment_before_a_restore_is_rebuilt_from_a_snapshot_of_then(project):
    first = project.put("a/1", 1)
    project.snapshot("one")
    second = project.put("a/1", 2)
    third = project.put("a/1", 3)
    project.snapshot("three")
    lost = project.put("a/1", 4)
    project.restore("one")
    now = project.newest()
    assert [project.rewind(request=one)[0].number("a/1") for one in (first, second, third)] == [
        1,
        2,
        3,
    ]
    assert project.rewind(request=now)[0].number("a/1") == 1
    error = project.own("POST", "rewind", {"request": lost}, 400)["error"]
    assert error["status"] == "FAILED_PRECONDITION" and "cannot be rebuilt" in error["message"]
    assert (
        "cannot be rebuilt"
        in project.own("GET", f"rewind?request={lost}", status=400)["error"]["message"]
    )
    ranges = project.own("GET", "rewind")["requests"]
    assert not any(one["first"] <= lost <= one["last"] for one in ranges)
    for one in (first, second, third, now):
        assert any(found["first"] <= one <= found["last"] for found in ranges)


def test_what_was_before_a_clear_cannot_be_rebuilt(project):
    moment = project.put("a/1", 1)
    path = f"/emulator/v1/projects/{project.name}/databases/(default)/documents"
    requests.delete(project.server.addresses["firestore"] + path, timeout=30).raise_for_status()
    project.own("POST", "rewind", {"request": moment}, 400)
    assert project.rewind(request=project.put("a/1", 2))[0].number("a/1") == 2


def test_a_time_of_the_project_is_a_moment(project):
    project.own("PATCH", "clock", {"now": "2030-01-01T00:00:00Z", "frozen": True})
    project.put("a/1", 1)
    project.own("PATCH", "clock", {"now": "2030-01-02T00:00:00Z"})
    project.put("a/1", 2)
    then, made = project.rewind(time="2030-01-01T12:00:00Z", to=f"{project.name}-noon")
    assert made["project"] == f"{project.name}-noon" and made["time"] == "2030-01-01T12:00:00.000Z"
    assert then.number("a/1") == 1
    project.own("POST", "rewind", {"time": "2029-01-01T00:00:00Z"}, 400)
    project.own("POST", "rewind", {"time": "2031-01-01T00:00:00Z"}, 400)


def test_a_code_that_was_used_later_is_unused(project):
    project.sign_up("ann@example.com")
    moment = project.reset("ann@example.com")
    [code] = project.own("GET", "oobCodes")["oobCodes"]
    project.call(
        "POST",
        f"/identitytoolkit.googleapis.com/v1/accounts:resetPassword?key={project.name}",
        {"oobCode": code["oobCode"], "newPassword": "secret2"},
    )
    assert "usedAt" in project.own("GET", "messages")["messages"][0]
    then, _ = project.rewind(request=moment)
    assert "usedAt" not in then.own("GET", "messages")["messages"][0]
    assert len(then.own("GET", "oobCodes")["oobCodes"]) == 1


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"request": 1, "time": "2030-01-01T00:00:00Z"},
        {"time": "yesterday"},
        {"request": "one"},
        {"request": 1, "to": "a/b"},
        {"request": 1, "from": "x"},
    ],
)
def test_a_moment_is_named_well(project, body):
    project.put("a/1", 1)
    project.own("POST", "rewind", body, 400)


def test_a_project_that_exists_is_left_alone(project):
    moment = project.put("a/1", 1)
    project.own("POST", "rewind", {"request": moment, "to": project.name}, 409)
    project.own("POST", "rewind", {"request": moment + 1000}, 404)


def test_the_command(project):
    moment = project.put("a/1", 1)
    project.put("a/1", 2)

    def rewind(*arguments):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("HEARTH_")}
        address = project.origin.removeprefix("http://")
        words = [binary(), "rewind", *arguments, "--project", project.name, "--address", address]
        done = subprocess.run(words, capture_output=True, text=True, timeout=60, env=clean)
        return done.returncode, done.stdout, done.stderr

    status, said, _ = rewind("--request", str(moment))
    assert status == 0 and said.startswith(
        f"Created project {project.name}-rewind.\nUsers and mails"
    )
    assert Project(project.server, f"{project.name}-rewind").number("a/1") == 1
    assert rewind("--request", str(moment), "--to", project.name)[0] != 0
    assert "either --request or --time" in rewind()[2]
    assert "not a time" in rewind("--time", "now")[2]
