"""`--trigger-email`: documents become mails, seen with the SDK for Python and the mailbox."""

import queue
import threading
import uuid

import pytest
import requests
from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore
from support.server import Server
from support.steering import guard  # noqa: F401
from support.waiting import until


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("trigger-email")
    (folder / "extensions").mkdir()
    (folder / "extensions" / "mails.env").write_text(
        "MAIL_COLLECTION=outbox\nDEFAULT_FROM=Shop <shop@example.com>\n"
        "TEMPLATES_COLLECTION=templates\n"
    )
    (folder / "firebase.json").write_text(
        '{"extensions": {"mails": "firebase/firestore-send-email@^0.2"}}'
    )
    server = Server(cwd=str(folder))
    yield server
    server.stop()


@pytest.fixture
def db(server, monkeypatch):
    monkeypatch.setenv(
        "FIRESTORE_EMULATOR_HOST", server.addresses["firestore"].removeprefix("http://")
    )
    return firestore.Client(f"demo-{uuid.uuid4().hex[:8]}", credentials=AnonymousCredentials())


def latest(server, db, **query):
    reply = requests.get(
        f"{server.auth}/emulator/v1/projects/{db.project}/messages/latest",
        params=query | {"wait": "20s"},
        timeout=30,
    )
    assert reply.status_code == 200, reply.text
    return reply.json()


def test_a_listener_sees_each_step(server, db):
    states = queue.Queue()
    listening = threading.Event()
    document = db.document("outbox/a")

    def hear(docs, changes, time):
        for doc in docs:
            states.put((doc.to_dict() or {}).get("delivery", {}).get("state"))
        listening.set()

    watch = document.on_snapshot(hear)
    # A listener that starts later sees fewer states.
    assert listening.wait(60)
    document.set(
        {
            "to": ["ann@example.com", "bob@example.com"],
            "message": {"subject": "Sign in", "text": "Your verification code is 482915."},
        }
    )
    mail = latest(server, db, to="bob@example.com")
    assert mail["source"] == "trigger" and mail["code"] == "482915"
    assert mail["from"] == "shop@example.com" and mail["fromName"] == "Shop"
    seen = []
    while "SUCCESS" not in seen:
        seen.append(states.get(timeout=60))
    watch.unsubscribe()
    assert [state for state in seen if state] == ["PENDING", "PROCESSING", "SUCCESS"]
    delivery = document.get().to_dict()["delivery"]
    assert delivery["info"]["accepted"] == ["ann@example.com", "bob@example.com"]
    assert delivery["info"]["response"].endswith(mail["id"])


def test_a_template_is_rendered(server, db):
    db.document("templates/welcome").set(
        {"subject": "Hello {{name}}", "html": "<ul>{{#each items}}<li>{{this}}</li>{{/each}}</ul>"}
    )
    db.collection("outbox").add(
        {
            "to": "ann@example.com",
            "template": {"name": "welcome", "data": {"name": "Ann & Co", "items": ["<a>", 2]}},
        }
    )
    mail = latest(server, db, to="ann@example.com")
    assert mail["subject"] == "Hello Ann & Co"
    assert "<li>&lt;a&gt;</li><li>2</li>" in mail["html"]


def test_a_tag_of_many_words_takes_no_longer_for_each(server, db):
    db.document("templates/long").set({"subject": "x", "html": "{{x " + "a " * 100_000 + "}}"})
    _, document = db.collection("outbox").add(
        {"to": "ann@example.com", "template": {"name": "long"}}
    )
    error = until(lambda: (document.get().to_dict().get("delivery") or {}).get("error"))
    assert error == 'Error: Missing helper: "x"'


def test_its_attachment_is_downloaded(server, db):
    db.collection("outbox").add(
        {
            "to": "ann@example.com",
            "message": {
                "subject": "Invoice",
                "text": "see there",
                "attachments": [{"filename": "ä b.pdf", "content": b"\x00\xff%PDF"}],
            },
        }
    )
    mail = latest(server, db, q="has:attachment")
    [file] = mail["attachments"]
    assert file["name"] == "ä b.pdf" and file["type"] == "application/pdf"
    reply = requests.get(
        f"{server.auth}/emulator/v1/projects/{db.project}/messages/{mail['id']}/attachments/1",
        timeout=30,
    )
    assert reply.content == b"\x00\xff%PDF"
    assert reply.headers["Content-Disposition"].startswith("attachment;")
    assert reply.headers["X-Content-Type-Options"] == "nosniff"
