"""Localisation keys of messages, with the texts of the app that a test handed over."""

import json

import pytest
import requests
from support.server import PROJECT
from support.terminal import hearth

STRINGS = """\ufeff/* Shown when
   an order leaves. */
"ORDER_SENT" = "Order %1$@ goes to %2$@";
"HELLO" = "Hello \\"%@\\",\\nwelcome \\U00e9"; // a comment
DONE = "100%% done";
"""
XML = """<?xml version="1.0" encoding="utf-8"?>
<resources xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2">
    <!-- <string name="OLD">Old</string> -->
    <string name="ORDER_SENT">Your order <xliff:g id="n">%1$s</xliff:g>
        isn\\'t &lt;here&gt; &amp; goes to %2$s</string>
    <string name="HELLO" translatable="false">"  Hello %s"</string>
    <string name="DONE"><![CDATA[<b>100%% done]]></string>
    <string name="EMPTY" />
    <plurals name="songs"><item quantity="one">%d song</item></plurals>
</resources>
"""


@pytest.fixture
def app_texts(push):
    def put(**texts) -> requests.Response:
        return requests.put(f"{push.control}/texts", json=texts, timeout=30)

    yield put
    requests.delete(f"{push.control}/texts", timeout=30)


def shown(push, token, **message) -> dict:
    assert push.send(message={"token": token, **message}).status_code == 200
    return push.latest(token)["push"].get("notification")


def android(**notification) -> dict:
    return {"android": {"notification": notification}}


def apple(**alert) -> dict:
    alert = {name.replace("_", "-"): value for name, value in alert.items()}
    return {"apns": {"payload": {"aps": {"alert": alert}}}}


ARGUMENTS = ["12", "Oslo"]


@pytest.mark.parametrize(
    ("message", "title", "body"),
    [
        (
            apple(title_loc_key="DONE", loc_key="ORDER_SENT", loc_args=ARGUMENTS),
            "100% done",
            "Order 12 goes to Oslo",
        ),
        (
            apple(title_loc_key="HELLO", title_loc_args=["Ann"], body="b"),
            'Hello "Ann",\nwelcome é',
            "b",
        ),
        (
            android(title_loc_key="DONE", body_loc_key="ORDER_SENT", body_loc_args=ARGUMENTS),
            "<b>100% done",
            "Your order 12 isn't <here> & goes to Oslo",
        ),
        (
            android(title_loc_key="HELLO", title_loc_args=["Ann"], body_loc_key="EMPTY"),
            "  Hello Ann",
            "",
        ),
        # A text counts before a key.
        (android(title="Given", title_loc_key="DONE"), "Given", None),
    ],
)
def test_keys_are_resolved(push, token, app_texts, message, title, body):
    assert app_texts(ios=STRINGS, android=XML).status_code == 200
    found = shown(push, token, **message)
    assert (found.get("title"), found.get("body")) == (title, body)
    assert "unresolved" not in found
    assert push.latest(token)["subject"] == title


def test_keys_without_a_text_are_said(push, token, app_texts):
    app_texts(android={"TWO": "%1$s and %2$s"})
    found = shown(
        push,
        token,
        **android(
            title_loc_key="TWO", title_loc_args=["one"], body_loc_key="NO", body_loc_args=["x"]
        ),
    )
    assert (found["title"], found["body"]) == ("TWO(one)", "NO(x)")
    assert found["unresolved"] == [
        "title_loc_key: the text for the key TWO on android takes 2 arguments, and 1 are given",
        "body_loc_key: no text for the key NO on android",
    ]
    # Keys of one platform are not looked up in the other's texts.
    found = shown(push, token, **apple(loc_key="TWO"))
    assert found["unresolved"] == ["loc-key: no text for the key TWO on ios"]


def test_a_device_shows_what_its_platform_has(push, app_texts):
    app_texts(ios={"K": "Apple's"}, android={"K": "Android's"})
    message = {
        "notification": {"title": "Common", "body": "All"},
        **android(title_loc_key="K"),
        **apple(title_loc_key="K"),
    }
    for platform, title in [("ios", "Apple's"), ("android", "Android's"), ("web", "Common")]:
        token = push.register(platform=platform)["token"]
        found = shown(push, token, **message)
        assert (found["title"], found["body"]) == (title, "All")


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        ({"ios": '"a" "b";'}, "line 1"),
        ({"ios": '"a" = "b"'}, "semicolon"),
        ({"ios": '\n\n"a" = "b";\n<'}, "line 4"),
        ({"android": "<resource/>"}, "no element <resources>"),
        ({"android": '<resources><string name="a">b'}, "no end"),
        ({"android": "<resources><string id='a'>b</string>"}, "no name"),
        ({"android": {"a": 1}}, "object of texts"),
        ({"android": 1}, "object of texts"),
        ({"web": {}}, "unknown member 'web'"),
        ({"ios": {str(number): "" for number in range(5001)}}, "more than 5000 keys"),
        ({"ios": {"long": "a" * 262_145}}, "more than 262144 bytes"),
        ({"android": "<resources>" + "a" * 262_144}, "at most 262144 bytes"),
        # Many small pieces take no longer than few large ones.
        ({"ios": 'a="b";' * 43_000 + "<"}, "line 1"),
        ({"android": '<resources><string name="a">' + "<![CDATA[>" * 26_000}, "no end"),
    ],
)
def test_what_is_refused(push, app_texts, texts, reason):
    assert app_texts(android={"kept": "yes"}).status_code == 200
    reply = app_texts(**texts)
    assert reply.status_code == 400 and reason in reply.text, reply.text
    assert requests.get(f"{push.control}/texts", timeout=30).json() == {"android": {"kept": "yes"}}


def test_the_command(push, tmp_path):
    (tmp_path / "Localizable.strings").write_bytes('"A" = "Ä %@";'.encode("utf-16"))
    (tmp_path / "strings.xml").write_text(XML)

    def run(*arguments: str):
        return hearth("push", "texts", *arguments, "--address", push.auth, "--project", PROJECT)

    files = [str(tmp_path / name) for name in ("Localizable.strings", "strings.xml")]
    done = run(*files)
    assert done.stdout.splitlines() == ["android\t4", "ios\t1"], done.stderr
    assert json.loads(run().stdout)["ios"] == {"A": "Ä %@"}
    assert "only one file" in run(files[0], files[0]).stderr
    assert "cannot read" in run("missing.strings").stderr
    assert run("--clear").returncode == 0
    assert json.loads(run().stdout) == {}


def test_snapshots_have_texts(push, app_texts):
    app_texts(ios={"K": "kept"})
    requests.post(f"{push.control}/snapshots", json={"name": "texts"}, timeout=30)
    app_texts(ios={"K": "changed"})
    requests.post(f"{push.control}/snapshots/texts:restore", json={}, timeout=30)
    assert requests.get(f"{push.control}/texts", timeout=30).json() == {"ios": {"K": "kept"}}
