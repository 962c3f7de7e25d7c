"""Rules are written to the file that the server was started with, for this machine only."""

import os

import pytest
import requests
from support.server import Server

RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /{document=**} { allow read, write: if true; }
  }
}
"""


class Rules:
    def __init__(self, server, file):
        self.file = file
        self.url = f"{server.auth}/emulator/v1/projects/demo-hearth/rules"

    def source(self):
        return requests.get(self.url, timeout=30).json()

    def write(self, content, revision=None, query="", **headers):
        body = {"rules": {"files": [{"content": content}]}}
        body["revision"] = revision or self.source()["revision"]
        return requests.put(f"{self.url}:file{query}", json=body, headers=headers, timeout=30)


@pytest.fixture
def rules(tmp_path):
    file = tmp_path / "real" / "firestore.rules"
    file.parent.mkdir()
    file.write_text(RULES)
    file.chmod(0o640)
    link = tmp_path / "firestore.rules"
    link.symlink_to(file)
    server = Server("--rules", str(link))
    yield Rules(server, link)
    server.stop()


def test_a_link_stays_a_link_and_the_mode_stays(rules):
    assert rules.source()["file"] == str(rules.file)
    reply = rules.write(RULES + "// more")
    assert reply.status_code == 200, reply.text
    assert reply.json()["source"] == "file"
    assert rules.file.is_symlink() and rules.file.read_text() == RULES + "// more"
    assert rules.file.resolve().stat().st_mode & 0o777 == 0o640
    assert os.listdir(rules.file.resolve().parent) == ["firestore.rules"]


def test_what_is_wrong_or_was_changed_meanwhile_is_not_written(rules):
    revision = rules.source()["revision"]
    reply = rules.write("nonsense")
    assert reply.status_code == 400 and "L1:1" in reply.text
    rules.file.write_text(RULES + "// theirs")
    reply = rules.write(RULES + "// ours", revision)
    assert reply.status_code == 409 and "has changed" in reply.text
    assert rules.file.read_text() == RULES + "// theirs"


def test_foreign_pages_and_databases_without_a_file_write_nothing(rules):
    foreign = {"Origin": "https://evil.example"}
    assert rules.write("// evil", **foreign).status_code == 403
    other = {"Origin": "http://localhost:5173"}
    assert rules.write("// app under test", **other).status_code == 403
    reply = rules.write(RULES, query="?database=archive")
    assert reply.status_code == 400 and "without a file of rules" in reply.text
    assert rules.file.read_text() == RULES


def test_links_of_this_machine_are_tried_and_no_others(rules):
    origin = rules.url.split("/emulator/")[0]
    links = [
        f"{origin}/emulator/action?mode=resetPassword",
        f"{origin}/emulator/acton",
        "http://localhost:1/welcome",
        "http://192.168.1.1/",
        "http://localhost.evil.example/",
        "ftp://localhost/",
    ]
    answer = requests.post(f"{origin}/emulator/v1/links:check", json={"links": links}, timeout=30)
    assert answer.status_code == 200, answer.text
    states = {one["link"]: one["state"] for one in answer.json()["links"]}
    assert states == {links[0]: "open", links[1]: "unknown", links[2]: "closed"}
    foreign = {"Origin": "http://localhost:5173"}
    reply = requests.post(
        f"{origin}/emulator/v1/links:check", json={"links": links}, headers=foreign, timeout=30
    )
    assert reply.status_code == 403
