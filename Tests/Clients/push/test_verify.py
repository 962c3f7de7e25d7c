"""Verify APIs: the code that was captured, for a time, for a few tries, and in its own project."""

import pytest
import requests
from support.messages.texts import ACCOUNT, AUTH
from support.server import PROJECT

OTHER = "demo-other"
SERVICE = f"/v2/Services/VA{'0' * 32}"


class Twilio:
    life, tries = "PT11M", 5

    def __init__(self, texts, number, project=None):
        self.base, self.number = texts.api + SERVICE, number
        self.headers = {"X-Hearth-Project": project} if project else {}

    def post(self, path, **fields):
        return requests.post(
            self.base + path, data=fields, auth=AUTH, headers=self.headers, timeout=30
        )

    def start(self):
        reply = self.post("/Verifications", To=self.number, Channel="sms")
        assert reply.status_code == 201, reply.text
        self.id = reply.json()["sid"]

    def check(self, code):
        reply = self.post("/VerificationCheck", To=self.number, Code=code)
        return reply.status_code == 200 and reply.json()["status"] == "approved"


class Vonage:
    life, tries = "PT6M", 3

    def __init__(self, texts, number, project=None):
        self.base, self.number = texts.api + "/v2/verify", number
        self.headers = {"X-Hearth-Project": project} if project else {}

    def post(self, path, body):
        return requests.post(
            self.base + path, json=body, auth=AUTH, headers=self.headers, timeout=30
        )

    def start(self):
        step = {"channel": "sms", "to": self.number[1:]}
        reply = self.post("", {"brand": "Acme", "workflow": [step], "code_length": 8})
        assert reply.status_code == 202, reply.text
        self.id = reply.json()["request_id"]

    def check(self, code):
        return self.post("/" + self.id, {"code": code}).status_code == 200


class MessageBird:
    life, tries = "PT1M", 3

    def __init__(self, texts, number, project=None):
        self.base, self.number = texts.api + "/verify", number
        self.headers = {"Authorization": "AccessKey k"}
        if project:
            self.headers["X-Hearth-Project"] = project

    def start(self):
        reply = requests.post(
            self.base, json={"recipient": self.number}, headers=self.headers, timeout=30
        )
        assert reply.status_code == 201, reply.text
        self.id = reply.json()["id"]

    def check(self, code):
        reply = requests.get(
            f"{self.base}/{self.id}", params={"token": code}, headers=self.headers, timeout=30
        )
        return reply.status_code == 200 and reply.json()["status"] == "verified"


ALL = pytest.mark.parametrize("kind", [Twilio, Vonage, MessageBird])


@ALL
def test_the_captured_code_counts_once(texts, number, kind):
    verify = kind(texts, number)
    verify.start()
    code = texts.latest(number)["code"]
    assert not verify.check("x")
    assert verify.check(code)
    assert not verify.check(code)
    # The code was used: the text is no longer one that a test waits for.
    listed = requests.get(
        f"{texts.control}/messages", params={"to": number, "state": "used"}, timeout=30
    )
    assert [each["code"] for each in listed.json()["messages"]] == [code]


@ALL
def test_codes_are_refused_after_the_documented_tries(texts, number, kind):
    verify = kind(texts, number)
    verify.start()
    code = texts.latest(number)["code"]
    for _ in range(kind.tries):
        assert not verify.check("x")
    assert not verify.check(code)


@ALL
@pytest.mark.parametrize("project", [PROJECT, OTHER])
def test_codes_expire_by_the_clock_of_their_project(texts, number, kind, project):
    verify = kind(texts, number, project)
    # The other project's day is another one from the beginning.
    texts.move(OTHER, "P3D")
    try:
        verify.start()
        texts.move(PROJECT if project == OTHER else OTHER, kind.life)
        assert verify.check(texts.latest(number, project)["code"])
        again = kind(texts, number, project)
        again.start()
        code = texts.latest(number, project)["code"]
        texts.move(project, kind.life)
        assert not again.check(code)
    finally:
        for each in (PROJECT, OTHER):
            requests.delete(f"{texts.auth}/emulator/v1/projects/{each}/clock", timeout=30)


@ALL
def test_other_projects_do_not_find_it(texts, number, kind):
    """Not by its number, and not by its id."""
    verify = kind(texts, number, OTHER)
    verify.start()
    code = texts.latest(number, OTHER)["code"]
    foreign = kind(texts, number, "demo-third")
    foreign.id = verify.id
    assert not foreign.check(code)
    # The same number can be verified there at the same time.
    foreign.start()
    assert foreign.check(texts.latest(number, "demo-third")["code"])
    assert verify.check(code)


def test_other_projects_do_not_find_texts(texts, number):
    headers = {"X-Hearth-Project": OTHER}
    base = f"{texts.api}/2010-04-01/Accounts/{ACCOUNT}/Messages"
    sent = requests.post(
        base + ".json",
        data={"To": number, "From": "+15005550006", "Body": "Hello"},
        auth=AUTH,
        headers=headers,
        timeout=30,
    ).json()
    url = f"{base}/{sent['sid']}.json"
    assert requests.get(url, auth=AUTH, headers=headers, timeout=30).status_code == 200
    headers["X-Hearth-Project"] = "demo-third"
    assert requests.get(url, auth=AUTH, headers=headers, timeout=30).status_code == 404


def test_what_each_gateway_says_after_the_tries(texts, number):
    twilio = Twilio(texts, number)
    twilio.start()
    replies = [
        twilio.post("/VerificationCheck", To=number, Code="wrong") for _ in range(twilio.tries + 1)
    ]
    assert [reply.status_code for reply in replies] == [200] * 5 + [429]
    assert replies[-1].json()["code"] == 60202
    vonage = Vonage(texts, number)
    vonage.start()
    assert (
        vonage.post(
            "", {"brand": "A", "workflow": [{"channel": "sms", "to": number[1:]}]}
        ).status_code
        == 409
    )
    statuses = [vonage.post("/" + vonage.id, {"code": "x"}).status_code for _ in range(4)]
    assert statuses == [400, 400, 410, 404]
    bird = MessageBird(texts, number)
    bird.start()
    for _ in range(3):
        bird.check("x")
    shown = requests.get(f"{bird.base}/{bird.id}", headers=bird.headers, timeout=30).json()
    assert shown["status"] == "failed"


@pytest.mark.parametrize(
    "field",
    [
        {"channel_timeout": 14},
        {"channel_timeout": 2**63 - 1},
        {"channel_timeout": -1},
        {"code_length": 11},
        {"code": "abc"},
        {"code": "12 345"},
    ],
)
def test_vonage_refuses_what_its_documents_exclude(texts, number, field):
    body = {"brand": "A", "workflow": [{"channel": "sms", "to": number[1:]}], **field}
    reply = Vonage(texts, number).post("", body)
    assert (reply.status_code, reply.json()["title"]) == (422, "Invalid params")
    [wrong] = reply.json()["invalid_parameters"]
    assert wrong["name"] == next(iter(field)) and wrong["reason"]


def test_codes_are_sent_again_a_few_times(texts, number):
    twilio = Twilio(texts, number)
    for _ in range(5):
        twilio.start()
    refused = twilio.post("/Verifications", To=number, Channel="sms")
    assert (refused.status_code, refused.json()["code"]) == (429, 60203)
