"""`--trigger-email`: what was written is sent, whatever happens to the server."""

import contextlib
import signal
import threading

import pytest
import requests
from support.server import Server
from support.steering import guard  # noqa: F401
from support.waiting import until

DOCUMENTS = "/v1/projects/demo-mails/databases/(default)/documents"
OWNER = {"Authorization": "Bearer owner"}
MAIL = {
    "to": {"stringValue": "ann@example.com"},
    "message": {
        "mapValue": {
            "fields": {
                "subject": {"stringValue": "Hello"},
                "text": {"stringValue": "Your code is 482915"},
            }
        }
    },
}


def start(data, *flags: str) -> Server:
    return Server("--data", str(data), *flags)


def write(server, *ids: str, collection: str = "mail") -> None:
    reply = requests.post(
        f"{server.addresses['firestore']}{DOCUMENTS}:commit",
        headers=OWNER,
        timeout=120,
        json={
            "writes": [
                {
                    "update": {
                        "name": f"{DOCUMENTS.removeprefix('/v1/')}/{collection}/{name}",
                        "fields": MAIL,
                    }
                }
                for name in ids
            ]
        },
    )
    assert reply.status_code == 200, reply.text


def states(server) -> dict[str, str | None]:
    """The state of each document of the collection."""
    found = {}
    token = ""
    while True:
        reply = requests.get(
            f"{server.addresses['firestore']}{DOCUMENTS}/mail",
            headers=OWNER,
            timeout=120,
            params={"pageSize": 300, "pageToken": token},
        ).json()
        for document in reply.get("documents", []):
            delivery = document["fields"].get("delivery", {}).get("mapValue", {}).get("fields", {})
            name = document["name"].rsplit("/", 1)[1]
            found[name] = delivery.get("state", {}).get("stringValue")
        token = reply.get("nextPageToken")
        if not token:
            return found


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_no_document_is_lost_by_a_stop(tmp_path, end):
    server = start(tmp_path, "--trigger-email", "mail")
    written: list[str] = []

    # As many writers as keep a backlog, until the server is gone.
    def keep_writing(writer: int) -> None:
        with contextlib.suppress(requests.RequestException, AssertionError):
            for number in range(100):
                ids = [f"{writer}-{number}-{part}" for part in range(20)]
                write(server, *ids)
                written.extend(ids)

    threads = [threading.Thread(target=keep_writing, args=(writer,)) for writer in range(3)]
    for thread in threads:
        thread.start()
    until(lambda: len(written) >= 200, what="a backlog")
    server.process.send_signal(end)
    rest = server.process.stdout.read()
    status = server.process.wait(60)
    server.process.stdout.close()
    for thread in threads:
        thread.join()
    if end == signal.SIGTERM:
        assert status == 0 and "of Trigger Email wait to be sent" in rest, rest
    server = start(tmp_path, "--trigger-email", "mail")
    try:
        # What was in work has an error after its lease of a minute.
        requests.patch(
            f"{server.auth}/emulator/v1/projects/demo-mails/clock",
            timeout=30,
            json={"advance": "PT2M"},
        )
        final = {"SUCCESS", "ERROR"}
        until(lambda: set(states(server).values()) <= final, what="an end of all", seconds=120)
        found = states(server)
    finally:
        server.stop()
    assert set(written) <= found.keys()
    assert sum(state == "ERROR" for state in found.values()) <= 1


def test_only_what_was_written_while_it_was_on_is_sent(tmp_path):
    server = start(tmp_path)
    write(server, "before")
    server.stop()
    server = start(tmp_path, "--trigger-email", "mail")
    try:
        write(server, "after")
        until(lambda: states(server)["after"] == "SUCCESS", what="the mail")
        assert states(server)["before"] is None
    finally:
        server.stop()


def test_a_large_backlog_is_sent_whole(tmp_path):
    server = Server("--trigger-email", "mail")
    count = 11_000
    try:
        for first in range(0, count, 500):
            write(server, *(f"{number:05}" for number in range(first, first + 500)))
        # The last one is the last to be sent.
        last = f"{count - 1:05}"
        url = f"{server.addresses['firestore']}{DOCUMENTS}/mail/{last}"
        until(
            lambda: "SUCCESS" in requests.get(url, headers=OWNER, timeout=60).text,
            what="the last mail",
            seconds=500,
        )
        found = states(server)
        assert len(found) == count and set(found.values()) == {"SUCCESS"}
    finally:
        server.stop()


def test_a_template_that_never_ends_is_an_error_of_its_document(tmp_path):
    parameters = tmp_path / "mails.env"
    parameters.write_text("MAIL_COLLECTION=mail\nTEMPLATES_COLLECTION=templates\n")
    server = Server("--trigger-email", str(parameters))
    base = f"{server.addresses['firestore']}{DOCUMENTS}"
    try:
        text = "{{#each @root.a}}" * 30 + "{{/each}}" * 30
        requests.patch(
            f"{base}/templates/endless",
            headers=OWNER,
            timeout=30,
            json={"fields": {"subject": {"stringValue": "x"}, "text": {"stringValue": text}}},
        )
        values = {"arrayValue": {"values": [{"integerValue": "1"}] * 10}}
        data = {"mapValue": {"fields": {"a": values}}}
        requests.patch(
            f"{base}/mail/endless",
            headers=OWNER,
            timeout=30,
            json={
                "fields": {
                    "to": {"stringValue": "ann@example.com"},
                    "template": {
                        "mapValue": {"fields": {"name": {"stringValue": "endless"}, "data": data}}
                    },
                }
            },
        )
        write(server, "other")
        until(
            lambda: states(server) == {"endless": "ERROR", "other": "SUCCESS"},
            what="both",
            seconds=120,
        )
        reply = requests.get(f"{base}/mail/endless", headers=OWNER, timeout=30)
        assert "The template takes more than 1000000 steps" in reply.text
    finally:
        server.stop()
