"""Which requests had a line of the rules evaluated."""

import contextlib

import pytest
from support.firestore.channel import is_snapshot, listening, writing
from support.firestore.project import Firestore
from support.firestore.rules import ruled
from support.steering import guard, project, unused  # noqa: F401

RULES = ruled(
    """    match /seen/{id} {
      allow read: if request.auth != null;
      allow write: if request.auth.uid != "nobody";
    }
    match /open/{id} {
      allow read: if true;
    }"""
)
READ, WRITE, OPEN = (
    1 + RULES.split("\n").index(line)
    for line in RULES.split("\n")
    if line.strip().startswith("allow")
)


@pytest.fixture
def base(project):
    base = Firestore(project.server, project.id)
    base.rules(RULES)
    yield base
    base.close()


@pytest.fixture
def token(project):
    return project.sign_up(unused())["idToken"]


def operations(project, line) -> list:
    found = project.own("GET", f"/rules:requests?line={line}")["requests"]
    return [each["operation"].rsplit(".", 1)[1] for each in found]


def test_of_a_get(project, base, token):
    base.rest("GET", "/seen/a", status=404, token=token)
    assert operations(project, READ) == ["get"]
    assert operations(project, WRITE) == operations(project, OPEN) == []


def test_of_a_listen_stream(project, base, token):
    with contextlib.closing(listening(base, "seen/a", token)) as channel:
        channel.hear(is_snapshot)
        assert operations(project, READ) == ["listen"]


def test_of_a_write_stream(project, base, token):
    with contextlib.closing(writing(base, token)) as channel:
        [opened] = channel.hear(lambda message: "streamId" in message)
        write = {"update": {"name": base.name("seen/a"), "fields": {}}}
        channel.send({"streamToken": opened["streamToken"], "writes": [write]})
        channel.hear(lambda message: "commitTime" in message)
        assert operations(project, WRITE) == ["write"]


def test_other_rules_have_no_requests_yet(project, base, token):
    base.rest("GET", "/seen/a", status=404, token=token)
    base.rules(RULES.replace("nobody", "somebody"))
    assert operations(project, READ) == []


@pytest.mark.parametrize("line", ["", "0", "-1", "x", "9" * 30])
def test_a_line_is_a_number(project, base, line):
    error = project.own("GET", f"/rules:requests?line={line}", 400)["error"]
    assert error["status"] == "INVALID_ARGUMENT"
