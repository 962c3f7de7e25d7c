"""Mails of Auth are bounded in bytes where they are large, and links where no server would read them."""

import pytest
import requests
from support.server import PROJECT, TalkingServer

LARGE = "http://localhost/" + "<" * 8000


@pytest.fixture(scope="module")
def small():
    # It prints each link.
    server = TalkingServer("--mailbox-limit", "1")
    yield server
    server.stop()


def send_link(server, address: str, continue_url: str) -> requests.Response:
    return requests.post(
        f"{server.auth}/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=any",
        json={"requestType": "EMAIL_SIGNIN", "email": address, "continueUrl": continue_url},
        timeout=30,
    )


def own(server, rest: str) -> requests.Response:
    return requests.get(f"{server.auth}/emulator/v1/projects/{PROJECT}/{rest}", timeout=30)


def test_large_mails_make_room_for_newer_ones(small):
    assert send_link(small, "usual@example.com", "http://localhost/").status_code == 200
    for number in range(40):
        assert send_link(small, f"{number}@example.com", LARGE).status_code == 200
    messages = own(small, "messages?limit=1000").json()["messages"]
    assert messages[0]["to"] == "usual@example.com" and messages[-1]["to"] == "39@example.com"
    sizes = [len(message["text"]) + len(message["html"]) for message in messages[1:]]
    assert sum(sizes) <= 1 << 20 and len(sizes) > 1
    # Its source is made when it is asked for, however large the mail is.
    assert "To: 39@example.com" in own(small, f"messages/{messages[-1]['id']}/raw").text


def test_a_url_that_no_server_reads_is_refused(small):
    reply = send_link(small, "ann@example.com", "http://localhost/" + "<" * 8200)
    assert reply.status_code == 400
    assert reply.json()["error"]["message"] == "INVALID_CONTINUE_URI : it is longer than 8192 bytes"


def test_the_longest_link_opens(small):
    assert send_link(small, "bob@example.com", LARGE).status_code == 200
    link = own(small, "messages/latest?to=bob@example.com").json()["link"]
    assert requests.get(link, timeout=30, allow_redirects=False).status_code < 400
