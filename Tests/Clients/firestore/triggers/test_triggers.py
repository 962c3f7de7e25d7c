"""Functions that run when documents change, registered as the functions emulator does it."""

import urllib.parse
import uuid

import pytest
import requests
from support.firestore.functions import RECORDED, Event, Triggered, first, second
from support.steering import guard  # noqa: F401


@pytest.fixture(scope="module")
def triggered():
    triggered = Triggered()
    yield triggered
    triggered.close()


class Writer:
    """A project of a test's own."""

    def __init__(self, triggered: Triggered, project: str | None = None):
        self.base = triggered.server.auth
        self.functions = triggered.functions
        self.project = project or "demo-" + uuid.uuid4().hex[:10]
        self.control = f"{self.base}/emulator/v1/projects/{self.project}"

    def call(
        self, method: str, url: str, status: int = 200, token: str | None = "owner", **options
    ):
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        reply = requests.request(method, url, headers=headers, timeout=30, **options)
        assert reply.status_code == status, reply.text
        return reply.json()

    def first(self, key: str, kind: str, path: str, status: int = 200, **more):
        return self.call(
            "PUT",
            f"{self.control}/triggers/{key}",
            status,
            json=first(self.project, kind, path, **more),
        )

    def second(self, key: str, kind: str, path: str, status: int = 200, **more):
        return self.call(
            "POST",
            f"{self.control}/eventarcTrigger?eventarcTriggerId={key}",
            status,
            json=second(kind, path, **more),
        )

    def documents(self, database: str = "(default)") -> str:
        return f"{self.base}/v1/projects/{self.project}/databases/{database}/documents"

    def set(self, path: str, fields: dict | None = None, token="owner", database="(default)"):
        fields = {"n": {"integerValue": "1"}} if fields is None else fields
        path = urllib.parse.quote(path)
        return self.call(
            "PATCH", f"{self.documents(database)}/{path}", token=token, json={"fields": fields}
        )

    def next(self) -> Event:
        """The next event about a document of this project."""
        while True:
            event = self.functions.next()
            if f"/projects/{self.project}/triggers/" in event.path:
                return event

    def delete(self, path: str):
        return self.call("DELETE", f"{self.documents()}/{path}")


@pytest.fixture
def writer(triggered):
    return Writer(triggered)


def timeless(body: dict) -> dict:
    """Without what differs from one run to the next; times agree with each other."""
    context = body["context"]
    value = body["data"].get("value")
    if value:
        assert context["timestamp"] == value["updateTime"]
    for document in (value, body["data"].get("oldValue")):
        if document:
            assert document.pop("createTime") <= document.pop("updateTime")
    uuid.UUID(context.pop("eventId"))
    context.pop("timestamp")
    return body


CHANGING = {"ce-id", "ce-time", "ce-source"}


def same(recorded: Event, event: Event) -> None:
    ours = {name: value for name, value in event.headers.items() if name.startswith("ce-")}
    theirs = {name: value for name, value in recorded.headers.items() if name.startswith("ce-")}
    assert ours.keys() == theirs.keys()
    assert {name: ours[name] for name in ours.keys() - CHANGING} == {
        name: theirs[name] for name in theirs.keys() - CHANGING
    }
    assert event.headers["content-type"] == recorded.headers["content-type"]
    if not theirs:
        assert list(event.json) == list(recorded.json)
        assert list(event.json["data"]) == list(recorded.json["data"])
        assert timeless(event.json) == timeless(recorded.json)
        return
    # The official emulator repeats "projects/"; production does not.
    assert ours["ce-source"] == theirs["ce-source"].replace("projects/projects/", "projects/")
    assert len(ours["ce-time"]) == len(theirs["ce-time"])
    ours, theirs = event.documents, recorded.documents
    assert ours.keys() == theirs.keys()
    for number in ours:
        for document in (ours[number], theirs[number]):
            assert document.HasField("create_time") and document.HasField("update_time")
            document.ClearField("create_time")
            document.ClearField("update_time")
        assert ours[number] == theirs[number]


def recorded(index: int) -> Event:
    row = RECORDED[index]
    return Event(row["path"], row["headers"], row["body"].encode("latin-1"))


def test_events_are_those_that_the_official_emulator_was_seen_to_send(triggered):
    writer = Writer(triggered, "demo-tr")
    for kind in ("create", "write", "update", "delete"):
        writer.first(f"us-central1-v1{kind}-0", kind, "users/{uid}")
    for kind in ("created", "written", "updated", "deleted"):
        writer.second(f"us-central1-v2{kind}-0", kind, "users/{uid}")
    writer.second("us-central1-v2exact-0", "written", "users/exact", match="EXACT")
    created, updated, exact = (recorded(index).json["data"]["value"] for index in (0, 4, 16))
    writer.set("users/ada", created["fields"])
    writer.set("users/ada", updated["fields"])
    # Neither changes anything: production has no event for it, the official emulator has some.
    writer.set("users/ada", updated["fields"])
    writer.delete("users/ada")
    writer.delete("users/ada")
    writer.set("users/exact", exact["fields"])
    expected = [recorded(index) for index in range(21) if index not in (8, 9, 14, 15)]
    got = [writer.next() for _ in expected]
    assert triggered.functions.events.empty()
    for document in ("users/ada", "users/exact"):

        def about(events):
            return [
                event
                for event in events
                if document
                in (event.headers.get("ce-document") or event.json["context"]["resource"]["name"])
            ]

        # The functions of one change, and which of them comes first, are not promised.
        pairs = zip(sorted(about(expected), key=place), sorted(about(got), key=place))
        for one, other in pairs:
            assert one.path == other.path
            same(one, other)


def place(event: Event) -> tuple:
    if "ce-type" in event.headers:
        parts = event.documents
    else:
        parts = {1: 1} if "value" in event.json["data"] else {}
        parts |= {2: 2} if "oldValue" in event.json["data"] else {}
    return [{1}, {1, 2}, {2}].index(set(parts)), event.key


def test_other_databases_and_other_letters(writer):
    writer.second("u", "written", "{c}/{d}")
    writer.first("u1", "write", "{c}/{d}")
    writer.second("k2", "written", "a/{b}", database="second")
    writer.first("k1", "write", "a/{b}", database="second")
    writer.first("any", "write", "any/{b}", database="{database}")
    name = recorded(22).headers["ce-document"].encode("latin-1").decode()
    writer.set(name, {"v": {"integerValue": "1"}})
    # Which of the two functions comes first is not promised.
    two, one = sorted([writer.next(), writer.next()], key=lambda event: event.key)
    assert [one.key, two.key] == ["u1", "u"]
    assert one.json["context"]["resource"]["name"].endswith("/documents/" + name)
    assert two.headers["ce-document"] == recorded(22).headers["ce-document"]
    assert two.headers["ce-subject"] == recorded(22).headers["ce-subject"]
    writer.set("a/n", database="second")
    one, two = sorted([writer.next(), writer.next()], key=lambda event: event.key)
    assert [one.key, two.key] == ["k1", "k2"]
    assert two.headers["ce-database"] == recorded(23).headers["ce-database"] == "second"
    for database in ("(default)", "third"):
        writer.set("any/n", database=database)
        keys = {writer.next().key for _ in range(1 + (database == "(default)") * 2)}
        assert "any" in keys


def test_who_wrote(writer, address):
    writer.second("au", "written.withAuthContext", "a/{b}")
    session = requests.post(
        f"{writer.base}/identitytoolkit.googleapis.com/v1/accounts:signUp?key={writer.project}",
        json={"email": address, "password": "secret1"},
        timeout=30,
    ).json()
    for token, kind, uid in [
        ("owner", "service_account", f"firebase-adminsdk@{writer.project}.iam.gserviceaccount.com"),
        (None, "unauthenticated", None),
        (session["idToken"], "unknown", session["localId"]),
    ]:
        writer.set(f"a/{kind}", token=token)
        event = writer.next()
        assert event.headers["ce-authtype"] == kind
        assert event.headers.get("ce-authid") == uid


def test_one_event_for_a_document_that_a_commit_writes_twice(writer):
    writer.first("w", "write", "a/{b}")
    name = writer.documents().split("/v1/")[1]

    def commit(*writes):
        writer.call("POST", writer.documents() + ":commit", json={"writes": writes})

    def update(path, number):
        return {"update": {"name": f"{name}/{path}", "fields": {"n": {"integerValue": number}}}}

    commit(update("a/twice", "1"), update("a/twice", "2"))
    data = writer.next().json["data"]
    assert data["value"]["fields"]["n"] == {"integerValue": "2"} and "oldValue" not in data
    # Nothing is left of it, and nothing was there before.
    commit(update("a/gone", "1"), {"delete": f"{name}/a/gone"})
    writer.set("a/last")
    assert writer.next().json["data"]["value"]["name"].endswith("/a/last")


def test_clears_tell_nothing(writer):
    writer.first("w", "write", "{all=**}")
    writer.set("a/1")
    writer.set("a/1/b/2")
    assert {writer.next().key for _ in range(2)} == {"w"}
    database = f"{writer.control}/databases/(default)"
    writer.call("DELETE", f"{database}/documents/a/1")
    writer.set("a/3")
    writer.next()
    writer.call(
        "POST",
        f"{writer.control}:bulkDelete",
        json={"database": f"projects/{writer.project}/databases/(default)", "collectionIds": ["a"]},
    )
    writer.call("DELETE", f"{database}/documents")
    writer.set("a/last")
    assert writer.next().json["data"]["value"]["name"].endswith("/a/last")


@pytest.mark.parametrize(
    "path", ["a/pre{x}", "a//b", "/a/{x}", "a/{x=b}", "users/{id}/posts", "users"]
)
def test_a_pattern_that_matches_nothing_is_refused(writer, path):
    assert "pattern" in writer.first("bad", "write", path, 400)["error"]["message"]
    if path != "/a/{x}":
        assert "pattern" in writer.second("bad", "written", path, 400)["error"]["message"]
    assert writer.call("GET", f"{writer.control}/triggers") == {"triggers": []}


def test_a_database_that_cannot_be_is_refused(writer):
    for register in (writer.first, writer.second):
        kind = "write" if register == writer.first else "written"
        error = register("bad", kind, "a/{b}", 400, database="No_Such")["error"]
        assert "the database 'No_Such' cannot exist" in error["message"]
    exact = second("written", "a/{b}")
    exact["document"]["matchType"] = "EXACT"
    url = f"{writer.control}/eventarcTrigger?eventarcTriggerId=bad"
    assert "PATH_PATTERN" in writer.call("POST", url, 400, json=exact)["error"]["message"]
    assert writer.call("GET", f"{writer.control}/triggers") == {"triggers": []}


def test_the_same_key_replaces(writer):
    writer.first("k", "write", "a/{b}")
    writer.first("k", "write", "c/{d}")
    writer.set("a/1")
    writer.set("c/1")
    assert writer.next().json["data"]["value"]["name"].endswith("/c/1")
    [trigger] = writer.call("GET", f"{writer.control}/triggers")["triggers"]
    assert trigger["document"] == "c/{d}"


def test_pages_register_nothing(writer):
    for method, path, body in [
        ("PUT", "triggers/k", first(writer.project, "write", "a/{b}")),
        ("POST", "eventarcTrigger?eventarcTriggerId=k", second("written", "a/{b}")),
        ("PUT", "webhooks", {"webhooks": []}),
    ]:
        reply = requests.request(
            method,
            f"{writer.control}/{path}",
            json=body,
            headers={"Origin": "https://evil.example"},
            timeout=30,
        )
        assert reply.status_code == 403


def test_a_write_does_not_wait_and_failures_are_in_the_log(writer):
    writer.first("w", "write", "a/{b}")
    writer.functions.answer = lambda event: 500
    try:
        writer.set("a/1")
        writer.next()
        writer.functions.answer = lambda event: 200
        writer.set("a/2")
        writer.next()
        writer.set("a/1", {"n": {"integerValue": "2"}})
        writer.next()
    finally:
        writer.functions.answer = lambda event: 200
    calls = [
        call
        for call in writer.call("GET", f"{writer.control}/requests")["requests"]
        if call["operation"] == "functions.trigger" and call["resource"].endswith("/a/1")
    ]
    assert calls[0]["status"] == 500 and calls[0]["error"] == "UNKNOWN"
