"""Faults of the send APIs: of a provider as a whole, and of recipients."""

import pytest
import requests
from support.faults import dropped, rule
from support.server import Server
from support.steering import guard, project, unused  # noqa: F401


@pytest.fixture(scope="module")
def server():
    server = Server("--mail-api-port", "0")
    yield server
    server.stop()


@pytest.fixture
def hearth(server):
    return server


def send(project, to: str | list[str], **headers) -> requests.Response:
    """The API key is the project, so that its faults act."""
    return requests.post(
        project.server.addresses["mail-api"] + "/emails",
        timeout=30,
        headers={"Authorization": f"Bearer {project.id}"} | headers,
        json={"from": "app@x.test", "to": to, "subject": "Hi", "text": "t"},
    )


@pytest.mark.parametrize("status, state", [(550, "bounced"), (452, "deferred")])
def test_a_recipient_bounces_after_the_mail_was_taken(project, status, state):
    project.faults(
        rule("mail.deliver", {"status": status, "text": "5.2.2 Mailbox full"}, email="full@*")
    )
    good = unused()
    assert send(project, good).status_code == 200
    assert send(project, [good, "full@x.test"]).status_code == 200
    assert [mail["delivery"]["state"] for mail in project.messages(to=good)] == ["delivered", state]
    [mail] = project.messages(to="full@x.test")
    assert mail["delivery"] == {"state": state, "code": status, "text": "5.2.2 Mailbox full"}


def test_a_mail_is_lost_before_it_is_kept(project):
    project.faults(rule("mail.deliver", {"drop": "before"}, times=1))
    address = unused()
    with dropped():
        send(project, address)
    assert project.messages(to=address) == []
    assert send(project, address).status_code == 200


def test_a_lost_answer_is_repeated_for_the_same_idempotency_key(project):
    project.faults(rule("mail.deliver", {"drop": "after"}, times=1))
    address = unused()
    key = {"Idempotency-Key": unused()}
    with dropped():
        send(project, address, **key)
    assert send(project, address, **key).json()["id"]
    assert len(project.messages(to=address)) == 1


def test_a_provider_limits_the_rate(project):
    project.faults(rule("mailApi.resend", {"status": 429, "text": "Too many requests"}, times=1))
    address = unused()
    reply = send(project, address)
    assert reply.status_code == 429
    assert reply.json() == {
        "statusCode": 429,
        "name": "rate_limit_exceeded",
        "message": "Too many requests",
    }
    assert project.messages(to=address) == []
    assert send(project, address).status_code == 200


def test_a_provider_is_down(project):
    project.faults(rule("mailApi.*", {"drop": "before"}))
    with dropped():
        send(project, unused())


def test_faults_of_another_project_do_not_act(project):
    project.faults(rule("mailApi.*", {"status": 500}), rule("mail.deliver", {"status": 550}))
    reply = send(project, unused(), Authorization="Bearer demo-another")
    assert reply.status_code == 200
    named = {"Authorization": "Bearer secret", "X-Hearth-Project": project.id}
    assert send(project, unused(), **named).status_code == 500
