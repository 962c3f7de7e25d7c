"""Localisation keys in the language of the device, and files of an app that has several languages."""

import json

import pytest
import requests
from support.server import PROJECT
from support.terminal import hearth

CATALOGUE = json.dumps(
    {
        "sourceLanguage": "en",
        "version": "1.0",
        "strings": {
            "SENT": {
                "extractionState": "manual",
                "localizations": {
                    "en": {"stringUnit": {"state": "translated", "value": "Sent to %@"}},
                    "de": {"stringUnit": {"state": "translated", "value": "Gesendet nach %@"}},
                    "pt-BR": {"stringUnit": {"state": "new", "value": ""}},
                },
            },
            "Written here": {},
            "SONGS": {
                "localizations": {
                    "de": {
                        "variations": {
                            "plural": {
                                "one": {"stringUnit": {"state": "translated", "value": "Ein Lied"}},
                                "other": {
                                    "stringUnit": {"state": "translated", "value": "%lld Lieder"}
                                },
                            }
                        }
                    },
                    "en": {
                        "variations": {
                            "device": {
                                "iphone": {
                                    "stringUnit": {"state": "translated", "value": "%@ songs, tap"}
                                },
                                "other": {
                                    "stringUnit": {"state": "translated", "value": "%@ songs"}
                                },
                            }
                        }
                    },
                }
            },
        },
    }
)


@pytest.fixture
def app_texts(push):
    def put(**texts) -> requests.Response:
        return requests.put(f"{push.control}/texts", json=texts, timeout=30)

    yield put
    requests.delete(f"{push.control}/texts", timeout=30)
    requests.delete(f"{push.control}/devices", timeout=30)


def apple(key: str, *arguments: str) -> dict:
    alert = {"loc-key": key, "loc-args": list(arguments)}
    return {"apns": {"payload": {"aps": {"alert": alert}}}}


def android(key: str, *arguments: str) -> dict:
    return {"android": {"notification": {"body_loc_key": key, "body_loc_args": list(arguments)}}}


def shown(push, token: str, message: dict) -> dict:
    assert push.send(message={"token": token, **message}).status_code == 200
    return push.latest(token)["push"]["notification"]


@pytest.mark.parametrize(
    ("language", "key", "arguments", "body"),
    [
        ("de", "SENT", ["Oslo"], "Gesendet nach Oslo"),
        ("de_AT", "SENT", ["Oslo"], "Gesendet nach Oslo"),
        ("en-GB", "SENT", ["Oslo"], "Sent to Oslo"),
        # The project's language: that which the app is written in.
        (None, "SENT", ["Oslo"], "Sent to Oslo"),
        ("fr", "SENT", ["Oslo"], "Sent to Oslo"),
        ("pt-BR", "SENT", ["Oslo"], "Sent to Oslo"),
        ("de", "Written here", [], "Written here"),
        # Of texts that vary, the general form.
        ("de", "SONGS", ["3"], "3 Lieder"),
        ("en", "SONGS", ["3"], "3 songs, tap"),
    ],
)
def test_a_string_catalogue(push, app_texts, language, key, arguments, body):
    kept = app_texts(ios=CATALOGUE).json()
    assert kept["language"] == "en"
    assert sorted(kept["languages"]) == ["de", "en"]
    phone = push.register(platform="ios", language=language)
    assert shown(push, phone["token"], apple(key, *arguments)) == {"body": body}


def test_strings_of_several_languages(push, app_texts):
    app_texts(
        android={"SENT": "Sent", "ONLY": "Only here"},
        languages={"de": {"android": {"SENT": "Gesendet"}}, "de-AT": {"android": {"SENT": "Weg"}}},
    )
    for language, body in [("de-AT", "Weg"), ("de-CH", "Gesendet"), ("fr", "Sent"), (None, "Sent")]:
        phone = push.register(language=language)["token"]
        assert shown(push, phone, android("SENT")) == {"body": body}
        assert shown(push, phone, android("ONLY")) == {"body": "Only here"}
    assert shown(push, "made-up", android("SENT")) == {"body": "Sent"}
    # Devices without a language have the project's, if it is set.
    app_texts(language="de")
    phone = push.register()["token"]
    assert shown(push, phone, android("SENT")) == {"body": "Gesendet"}
    assert shown(push, phone, android("NO"))["unresolved"] == [
        "body_loc_key: no text for the key NO on android"
    ]
    phone = push.register(language="fr")["token"]
    assert shown(push, phone, android("NO"))["unresolved"] == [
        "body_loc_key: no text for the key NO on android in fr"
    ]


def test_texts_of_languages_only(push, app_texts):
    """English, or the first of them, where nothing says which language counts."""
    app_texts(languages={"it": {"ios": {"K": "it"}}, "de": {"ios": {"K": "de"}}})
    assert shown(push, "made-up", apple("K")) == {"body": "de"}
    app_texts(languages={"en": {"ios": {"K": "en"}}})
    assert shown(push, "made-up", apple("K")) == {"body": "en"}


def test_a_topic_with_several_languages(push, app_texts):
    app_texts(ios={"K": "Hello"}, languages={"de": {"ios": {"K": "Hallo"}}})
    for language in ["de", "fr", None]:
        push.register(platform="ios", topics=["all"], language=language)
    assert push.send(message={"topic": "all", **apple("K")}).status_code == 200
    found = push.latest("topic:all")["push"]
    assert found["notification"] == {"body": "Hello"}
    assert found["languages"] == {"de": {"body": "Hallo"}, "fr": {"body": "Hello"}}
    assert {device.get("language") for device in found["devices"]} == {"de", "fr", None}
    requests.delete(f"{push.control}/devices", timeout=30)
    push.register(platform="ios", topics=["all"], language="de")
    assert push.send(message={"topic": "all", **apple("K")}).status_code == 200
    found = push.latest("topic:all")["push"]
    assert found["notification"] == {"body": "Hallo"} and "languages" not in found


def test_a_device_changes_its_language(push):
    phone = push.register(language="de_at")
    assert phone["language"] == "de-AT"
    path = f"{push.control}/devices/{phone['fid']}"
    assert requests.patch(path, json={"name": "x"}, timeout=30).json()["language"] == "de-AT"
    assert "language" not in requests.patch(path, json={"language": None}, timeout=30).json()
    for language in ["", "German", "de at", 1]:
        reply = requests.patch(path, json={"language": language}, timeout=30)
        assert reply.status_code == 400, reply.text


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        ({"ios": "{"}, "ios cannot be read"),
        ({"ios": '{"strings": {}}'}, "sourceLanguage and strings"),
        ({"ios": CATALOGUE.replace('"de"', '"German"')}, "which is not a language"),
        ({"ios": "{" + " " * (4 << 20)}, "at most 4194304 bytes"),
        ({"languages": {"German": {}}}, "not a language"),
        ({"languages": {"de": {"web": {}}}}, "unknown member 'web'"),
        ({"languages": {"de": {"ios": CATALOGUE}}}, "line 1"),
        ({"languages": []}, "must be an object"),
        ({"language": 1}, "not a language"),
        (
            {
                "languages": {
                    "a" + chr(97 + n // 26) + chr(97 + n % 26): {"ios": {}} for n in range(101)
                }
            },
            "more than 100 tables",
        ),
        (
            {"languages": {f"a{chr(97 + n)}": {"ios": {"k": "x" * 200_000}} for n in range(22)}},
            "more than 4194304 bytes",
        ),
    ],
)
def test_what_is_refused(push, app_texts, texts, reason):
    assert app_texts(languages={"de": {"ios": {"kept": "ja"}}}).status_code == 200
    reply = app_texts(**texts)
    assert reply.status_code == 400 and reason in reply.text, reply.text
    kept = requests.get(f"{push.control}/texts", timeout=30).json()
    assert kept == {"languages": {"de": {"ios": {"kept": "ja"}}}}


def test_the_command(push, app_texts, tmp_path):
    def run(*arguments: str):
        return hearth("push", *arguments, "--address", push.auth, "--project", PROJECT)

    def file(path: str, content: str) -> str:
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(content)
        return str(tmp_path / path)

    def xml(text: str) -> str:
        return f'<resources><string name="K">{text}</string></resources>'

    done = run(
        "texts",
        file("Base.lproj/Localizable.strings", '"K" = "en";'),
        file("de.lproj/Localizable.strings", '"K" = "de";'),
        file("values/strings.xml", xml("en")),
        file("values-de-rAT/strings.xml", xml("at")),
        file("values-b+sr+Latn/strings.xml", xml("sr")),
        "--project-language",
        "de",
    )
    assert done.stdout.splitlines() == [
        "android\t1",
        "ios\t1",
        "ios\t1\tde",
        "android\t1\tde-AT",
        "android\t1\tsr-Latn",
    ], done.stderr
    night = file("values-night/strings.xml", xml("night"))
    assert run("texts", night).stdout.splitlines()[0] == "android\t1"
    catalogue = file("Localizable.xcstrings", CATALOGUE)
    assert "ios\t3\ten" in run("texts", catalogue).stdout
    assert "only one file of android in it" in run("texts", night, night, "--language", "it").stderr
    phone = json.loads(run("register", "--language", "de", "--json").stdout)
    assert phone["language"] == "de"
    assert run("devices").stdout.splitlines()[0].split("\t")[-1] == "de"


def test_snapshots_have_languages(push, app_texts):
    phone = push.register(language="de")
    app_texts(ios=CATALOGUE)
    requests.post(f"{push.control}/snapshots", json={"name": "languages"}, timeout=30)
    kept = requests.get(f"{push.control}/texts", timeout=30).json()
    requests.delete(f"{push.control}/texts", timeout=30)
    requests.delete(f"{push.control}/devices", timeout=30)
    requests.post(f"{push.control}/snapshots/languages:restore", json={}, timeout=30)
    assert requests.get(f"{push.control}/texts", timeout=30).json() == kept
    devices = requests.get(f"{push.control}/devices", timeout=30).json()["devices"]
    assert devices == [phone]
