"""What a seed says of apps: App Check, and the texts of localisation keys."""

import json

import jsonschema
import pytest
import requests
from support.server import PROJECT, ROOT, Server
from support.terminal import hearth

APP = "1:12345:web:abc"
SECRET = "3F2504E0-4F89-41D3-9A0C-0305E82C3301"
SEED = f"""
appCheck:
  auth: enforce
  firestore: monitor
  replay: enforce
  attestation: registered
  debugTokens:
    "{APP}":
    - {{displayName: CI, token: {SECRET}}}
texts:
  ios: Localizable.xcstrings
  android: {{K: base}}
  language: de
  languages:
    de: {{android: values-de/strings.xml}}
"""
CATALOGUE = {
    "sourceLanguage": "en",
    "strings": {"K": {"localizations": {"de": {"stringUnit": {"value": "Apfel"}}}}},
}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "Localizable.xcstrings").write_text(json.dumps(CATALOGUE))
    (tmp_path / "values-de").mkdir()
    (tmp_path / "values-de" / "strings.xml").write_text(
        '<resources><string name="K">deutsch</string></resources>'
    )
    (tmp_path / "seed.yaml").write_text(SEED)
    return tmp_path


def control(server, path: str) -> dict:
    reply = requests.get(f"{server.auth}/emulator/v1/projects/{PROJECT}/{path}", timeout=30)
    assert reply.status_code == 200, reply.text
    return reply.json()


def exchanged(server, secret: str) -> int:
    path = f"/firebaseappcheck.googleapis.com/v1/projects/{PROJECT}/apps/{APP}:exchangeDebugToken"
    return server.post(path + "?key=any", {"debugToken": secret}).status_code


def names(server) -> list[str]:
    reply = requests.get(
        f"{server.auth}/firebaseappcheck.googleapis.com/v1/projects/{PROJECT}/apps/{APP}/debugTokens",
        headers={"Authorization": "Bearer owner"},
        timeout=30,
    )
    return [token["displayName"] for token in reply.json().get("debugTokens", [])]


def test_app_check_and_texts(folder):
    start = ("--seed", str(folder / "seed.yaml"), "--data", str(folder / "data"))
    for name in ["CI", "Renamed"]:
        server = Server(*start)
        switches = control(server, "switches")
        assert [
            switches[each] for each in ["appCheckAuth", "appCheckFirestore", "appCheckReplay"]
        ] == ["enforce", "monitor", "enforce"]
        assert switches["appCheckAttestation"] == "registered"
        reply = server.post(
            "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any",
            {"email": "ann@example.com", "password": "secret-1"},
        )
        assert (reply.status_code, "App Check" in reply.text) == (401, True)
        assert exchanged(server, SECRET.lower()) == 200
        assert exchanged(server, SECRET.replace("3", "4")) == 403
        # The secret is registered once, whatever it is called.
        assert names(server) == [name]
        assert control(server, "texts") == {
            "android": {"K": "base"},
            "language": "de",
            "languages": {
                "de": {"android": {"K": "deutsch"}, "ios": {"K": "Apfel"}},
                "en": {"ios": {"K": "K"}},
            },
        }
        # Secrets are not written into seeds.
        assert SECRET.lower() not in hearth("seed", "dump", "--address", server.host).stdout.lower()
        server.stop()
        (folder / "seed.yaml").write_text(SEED.replace("CI", "Renamed"))


def test_the_schema_knows_them():
    schema = json.loads((ROOT / "Sources/hearth/web/seed.schema.json").read_text())
    check = jsonschema.Draft202012Validator(schema).is_valid
    token = {"displayName": "CI", "token": SECRET}
    assert check({"appCheck": {"auth": "enforce", "debugTokens": {APP: [token]}}})
    assert check({"texts": {"ios": "a.strings", "languages": {"de": {"android": {"K": "x"}}}}})
    for mistake in [
        {"appCheck": {"auth": "on"}},
        {"appCheck": {"debugTokens": {APP: [{"token": SECRET}]}}},
        {"appCheck": {"debugTokens": {APP: [token | {"token": "x"}]}}},
        {"texts": {"ios": "/etc/passwd"}},
        {"texts": {"web": {}}},
    ]:
        assert not check(mistake), mistake


@pytest.mark.parametrize(
    ("seed", "words"),
    [
        ("appCheck:\n  auth: maybe\n", ":2: /appCheck/auth "),
        ("appCheck:\n  storage: enforce\n", ":2: /appCheck/storage is unknown"),
        ("appCheck:\n  auth: true\n", ":2: /appCheck/auth must be a string"),
        (
            f"appCheck:\n  debugTokens:\n    {APP}:\n    - {{displayName: x, token: abc}}\n",
            ":4: /appCheck/debugTokens/1:12345:web:abc/0 token must be a UUID of version 4",
        ),
        (
            f"appCheck:\n  debugTokens:\n    {APP}:\n    - {{token: {SECRET}}}\n",
            ":4: /appCheck/debugTokens/1:12345:web:abc/0 display_name must not be empty",
        ),
        (
            f"appCheck:\n  debugTokens:\n    a/b:\n    - {{displayName: x, token: {SECRET}}}\n",
            ":4: /appCheck/debugTokens/a/b/0 Invalid app id",
        ),
        ("texts:\n  ios: /etc/passwd\n", ":2: /texts/ios must be an object, or a file that ends"),
        ("texts:\n  ios: no.strings\n", ":2: /texts/ios "),
        ("texts:\n  language: German\n", ":1: /texts 'German' is not a language"),
    ],
)
def test_mistakes(hearth, tmp_path, seed, words):
    reply = requests.post(
        f"{hearth.auth}/emulator/v1/projects/{PROJECT}/seed",
        json={"content": seed, "path": str(tmp_path / "seed.yaml")},
        timeout=30,
    )
    assert reply.status_code == 400 and words in reply.text, reply.text
