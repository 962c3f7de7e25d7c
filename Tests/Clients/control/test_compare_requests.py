"""Requests of the log that are made again in a project of a snapshot."""

import uuid

import requests
from support.server import Server


def test_codes_come_from_the_mails_that_the_other_project_has_sent():
    server, project = Server(), "demo-" + uuid.uuid4().hex[:8]

    def own(method, rest, body=None):
        url = f"{server.auth}/emulator/v1/projects/{project}/{rest}"
        reply = requests.request(method, url, json=body, timeout=30)
        assert reply.status_code == 200, reply.text
        return reply.json()

    def client(verb, body):
        url = f"{server.auth}/identitytoolkit.googleapis.com/v1/accounts:{verb}?key={project}"
        reply = requests.post(url, json=body, timeout=30)
        assert reply.status_code == 200, reply.text
        return reply.json()

    def code():
        return own("GET", "messages")["messages"][-1]["code"]

    client("signUp", {"email": "ann@example.com", "password": "old secret"})
    own("POST", "snapshots", {"name": "start"})
    own("DELETE", "requests")
    client("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "ann@example.com"})
    client("resetPassword", {"oobCode": code(), "newPassword": "new secret"})
    client("signInWithPassword", {"email": "ann@example.com", "password": "new secret"})
    session = client("sendVerificationCode", {"phoneNumber": "+15555550100"})["sessionInfo"]
    client("signInWithPhoneNumber", {"sessionInfo": session, "code": code()})
    ids = [one["id"] for one in own("GET", "requests")["requests"]]
    other = f"{project}-again"
    own("POST", "snapshots/start:fork", {"to": other})
    results = own("POST", "requests:compare", {"requests": ids, "in": other})["results"]
    assert [(one["after"], one["isSame"]) for one in results] == [(200, True)] * 5, results
    server.stop()
