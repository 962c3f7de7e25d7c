"""Firestore, `hearth clock` and stored data follow the project's clock."""

import contextlib
import os
import subprocess
import uuid
from datetime import timedelta

import grpc
import pytest
from support.firestore.project import Firestore, Listener
from support.server import Server, binary
from support.steering import Steered, guard, instant, near, project, real  # noqa: F401

# MARK: Firestore


@pytest.fixture
def base(project):
    base = Firestore(project.server, project.id)
    yield base
    base.close()


def transform(base, path: str) -> dict:
    return base.rest(
        "POST",
        ":commit",
        json={
            "writes": [
                {
                    "transform": {
                        "document": base.name(path),
                        "fieldTransforms": [
                            {"fieldPath": "at", "setToServerValue": "REQUEST_TIME"}
                        ],
                    }
                }
            ]
        },
    )


def test_firestore_times(project, base):
    base.rest("PATCH", "/c/before", json={"fields": {}})
    project.clock(now="2030-06-01T00:00:00Z")
    document = base.rest("PATCH", "/c/d", json={"fields": {}})
    assert near(instant(document["createTime"]), project.now())
    assert near(instant(document["updateTime"]), project.now())
    answer = transform(base, "c/t")
    [result] = answer["writeResults"]
    stamp = instant(base.rest("GET", "/c/t")["fields"]["at"]["timestampValue"])
    assert instant(result["transformResults"][0]["timestampValue"]) == stamp
    assert near(stamp, project.now()) and near(instant(answer["commitTime"]), project.now())
    [found] = base.rest("POST", ":batchGet", json={"documents": [base.name("c/d")]})
    assert near(instant(found["readTime"]), project.now())


def test_firestore_times_over_grpc(project, base):
    project.clock(now="2030-06-01T00:00:00Z")
    committed = base.commit(base.set("c/d", {"n": 1}))
    assert near(committed.commit_time, project.now())
    from google.cloud import firestore

    base.client.document("c/t").set({"at": firestore.SERVER_TIMESTAMP})
    assert near(base.client.document("c/t").get().get("at"), project.now())


def test_update_times_never_go_back(project, base):
    def write() -> str:
        # A write that changes nothing leaves the time as it is.
        return base.rest(
            "PATCH", "/c/d", json={"fields": {"n": {"stringValue": uuid.uuid4().hex}}}
        )["updateTime"]

    times = [write()]
    project.advance("P30D")
    times += [write(), write()]
    project.advance("-P60D")
    times += [write(), write()]
    project.clock(frozen=True)
    times += [write(), write()]
    project.own("DELETE", "/clock")
    times += [write(), write()]
    moments = [instant(moment) for moment in times]
    assert moments == sorted(set(moments)), times
    created = instant(base.rest("GET", "/c/d")["createTime"])
    assert created == moments[0]
    # Another project starts with its own time.
    with contextlib.closing(Firestore(project.server)) as other:
        assert near(instant(other.rest("PATCH", "/c/d", json={"fields": {}})["updateTime"]), real())


def test_listeners_follow_a_clock_that_is_set_back(project, base):
    project.advance("P1D")
    base.commit(base.set("c/d", {"n": 1}))
    listener = Listener(base)
    listener.add(2, "c/d")
    assert ("change", "c/d", {"n": 1}, [2], []) in listener.snapshot()
    project.own("DELETE", "/clock")
    base.commit(base.set("c/d", {"n": 2}))
    assert ("change", "c/d", {"n": 2}, [2], []) in listener.snapshot()
    assert listener.read_times == sorted(listener.read_times)
    listener.cancel()


def test_a_transaction_continues_while_the_clock_moves(project, base):
    base.commit(base.set("c/d", {"n": 1}))
    transaction = base.begin(read_write={})
    base.batch_get("c/d", transaction=transaction)
    project.advance("-PT1H")
    base.commit(base.set("c/d", {"n": 2}), transaction=transaction)
    assert base.data(base.call("get_document", base.get_request("c/d"))) == {"n": 2}


RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /c/{id} {
      allow read: if request.time > timestamp.date(2030, 1, 1);
      allow write: if request.resource.data.at == request.time;
    }
  }
}
"""


def test_request_time_in_rules(project, base):
    base.rest("PATCH", "/c/d", json={"fields": {}})
    base.rules(RULES)
    assert base.refused("GET", "/c/d", 403, token=None) == "PERMISSION_DENIED"
    assert (
        base.fails("get_document", base.get_request("c/d"), token=None)
        == grpc.StatusCode.PERMISSION_DENIED
    )
    project.clock(now="2030-06-01T00:00:00Z")
    base.rest("GET", "/c/d", token=None)
    base.call("get_document", base.get_request("c/d"), token=None)
    project.own("DELETE", "/clock")
    assert base.refused("GET", "/c/d", 403, token=None) == "PERMISSION_DENIED"


@pytest.mark.parametrize(
    "change", [{}, {"advance": "PT5H"}, {"frozen": True}, {"now": "2030-06-01T00:00:00Z"}]
)
def test_a_server_timestamp_is_the_request_time(project, base, change):
    base.rules(RULES)
    if change:
        project.clock(**change)
    for _ in range(3):
        base.rest(
            "POST",
            ":commit",
            token=None,
            json={
                "writes": [
                    {
                        "update": {"name": base.name("c/t"), "fields": {}},
                        "updateTransforms": [
                            {"fieldPath": "at", "setToServerValue": "REQUEST_TIME"}
                        ],
                    }
                ]
            },
        )


def test_an_expired_token_ends_access_to_firestore(project, base):
    base.rules("""rules_version = '2';
service cloud.firestore {
  match /databases/{d}/documents { match /{path=**} { allow read, write: if request.auth != null; } }
}""")
    uid, token = base.sign_up()
    base.rest("PATCH", "/c/d", token=token, json={"fields": {}})
    project.advance("PT61M")
    assert base.refused("GET", "/c/d", 401, token=token) == "UNAUTHENTICATED"
    assert (
        base.fails("get_document", base.get_request("c/d"), token=token)
        == grpc.StatusCode.UNAUTHENTICATED
    )


# MARK: The command and the data


def command(server: Server, *arguments: str) -> subprocess.CompletedProcess:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("HEARTH_")}
    return subprocess.run(
        [binary(), "clock", *arguments, "--address", server.host],
        capture_output=True,
        text=True,
        timeout=30,
        env=clean,
    )


def test_the_command(project):
    def here(*more: str) -> str:
        done = command(project.server, *more, "--project", project.id)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    assert near(instant(here()), real())
    assert near(instant(here("--advance", "PT2H")), real() + timedelta(hours=2))
    assert near(project.now(), real() + timedelta(hours=2))
    assert here("--set", "2027-01-31T09:30:00Z", "--freeze") == "2027-01-31T09:30:00.000Z"
    assert project.clock()["frozen"] is True
    shown = command(project.server, "--project", project.id)
    assert shown.stdout == "2027-01-31T09:30:00.000Z\n"
    assert "the clock is stopped" in shown.stderr and " from real time" in shown.stderr
    here("--run")
    assert project.clock()["frozen"] is False
    assert near(instant(here("--reset")), real()) and project.clock()["offset"] == "PT0S"
    assert command(project.server, "--project", project.id).stderr == ""
    # A duration that begins with a minus, as the help shows it.
    assert near(instant(here("--advance=-P1D")), real() - timedelta(days=1))


@pytest.mark.parametrize("arguments", [["--advance", "-P1D"]])
def test_the_command_sets_the_clock_back_as_its_help_says(project, arguments):
    done = command(project.server, *arguments, "--project", project.id)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    "arguments, words",
    [(["--advance", "soon"], "--advance: 'soon'"), (["--set", "tomorrow"], "--set: 'tomorrow'")],
)
def test_the_command_reports_mistakes(project, arguments, words):
    done = command(project.server, *arguments, "--project", project.id)
    assert done.returncode != 0 and words in done.stderr


def test_update_times_do_not_go_back_after_a_restart(tmp_path):
    """A moved clock ends with its server; what it wrote does not."""
    name = f"demo-{uuid.uuid4().hex[:8]}"
    first = Server("--data", str(tmp_path))
    moved = Steered(first, name)
    moved.advance("P30D")
    with contextlib.closing(Firestore(first, name)) as base:
        ahead = instant(base.rest("PATCH", "/c/d", json={"fields": {}})["updateTime"])
    first.stop()
    second = Server("--data", str(tmp_path))
    with contextlib.closing(Firestore(second, name)) as base:
        again = base.rest("PATCH", "/c/d", json={"fields": {"n": {"booleanValue": True}}})
        assert instant(again["updateTime"]) > ahead
    second.stop()
