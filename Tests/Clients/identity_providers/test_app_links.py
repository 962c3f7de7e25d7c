"""Links that open apps: the two documents of a domain, and `hearth links check`."""

import subprocess

import pytest
import requests
from support.auth.project import Project
from support.server import PROJECT, binary

APP = "ABCDE12345.com.example.app"
PRINT = ":".join(["AB"] * 32)
ENTITLEMENTS = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
  <key>application-identifier</key>
  <string>{app}</string>
  <key>com.apple.developer.associated-domains</key>
  <array>
    <string>webcredentials:other.example.com</string>
    <string>applinks:{domain}?mode=developer</string>
  </array>
</dict></plist>
"""


@pytest.fixture
def links(hearth):
    """Sets what the default project serves, and takes it back."""
    address = f"{hearth.auth}/emulator/v1/projects/{PROJECT}/appLinks"

    def put(body: dict, status: int = 200) -> dict:
        reply = requests.put(address, json=body, timeout=30)
        assert reply.status_code == status, reply.text
        return reply.json()

    put({})
    yield put
    put({})


def document(hearth, name: str, status: int = 200):
    reply = requests.get(f"{hearth.auth}/.well-known/{name}", timeout=30, allow_redirects=False)
    assert reply.status_code == status, reply.text
    assert reply.headers["Content-Type"].startswith("application/json")
    return reply.json()


def test_documents_are_those_of_the_project(hearth, links):
    for name in ("apple-app-site-association", "assetlinks.json"):
        assert "is set" in document(hearth, name, 404)["error"]["message"]
    links(
        {
            "ios": [{"appId": APP, "paths": ["/__/auth/*"]}],
            "android": [{"packageName": "com.example", "sha256Fingerprints": [PRINT.lower()]}],
        }
    )
    assert document(hearth, "apple-app-site-association") == {
        "applinks": {"details": [{"appIDs": [APP], "components": [{"/": "/__/auth/*"}]}]},
        "webcredentials": {"apps": [APP]},
    }
    assert document(hearth, "assetlinks.json") == [
        {
            "relation": ["delegate_permission/common.handle_all_urls"],
            "target": {
                "namespace": "android_app",
                "package_name": "com.example",
                "sha256_cert_fingerprints": [PRINT],
            },
        }
    ]


@pytest.mark.parametrize(
    "body, words",
    [
        ({"ioss": []}, "unknown member 'ioss'; did you mean 'ios'?"),
        ({"ios": {}}, "/ios must be a list"),
        ({"ios": [{"appId": "com.example"}]}, "/ios/0/appId"),
        ({"ios": [{"appId": APP, "paths": ["a"]}]}, "/ios/0/paths"),
        ({"ios": [{"appId": APP, "paths": [1]}]}, "/ios/0/paths"),
        ({"ios": [{"appId": APP, "paths": ["/" + "a" * 1024]}]}, "/ios/0/paths"),
        ({"ios": [{"appId": APP, "path": ["/"]}]}, "'path' of /ios/0; did you mean 'paths'?"),
        ({"ios": [{"appId": "." + APP}]}, "/ios/0/appId"),
        ({"ios": [APP]}, "/ios/0 must be an object"),
        ({"ios": [{"appId": APP}] * 51}, "/ios must be a list of at most 50"),
        ({"android": [{"sha256Fingerprints": [PRINT]}]}, "/android/0/packageName"),
        ({"android": [{"packageName": "a", "sha256Fingerprints": [PRINT + ":"]}]}, "32 bytes"),
        ({"android": [{"packageName": "a", "sha256Fingerprints": ["+" + PRINT[1:]]}]}, "32 bytes"),
        ({"android": [{"packageName": "a", "sha256Fingerprints": ["AB"]}]}, "sha256Fingerprints"),
    ],
)
def test_what_is_wrong_is_named_and_nothing_is_lost(hearth, links, body, words):
    links({"ios": [{"appId": APP}]})
    before = document(hearth, "apple-app-site-association")
    assert words in links(body, 400)["error"]["message"]
    assert document(hearth, "apple-app-site-association") == before


def check(hearth, project, file, *more: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [binary(), "links", "check", str(file), "--address", hearth.host, "--project", project.id]
        + list(more),
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_an_app_is_held_against_its_mails(hearth, tmp_path, address):
    project = Project(hearth)
    apps = f"/emulator/v1/projects/{project.id}/appLinks"
    file = tmp_path / "App.entitlements"
    file.write_text(ENTITLEMENTS.format(app="$(AppIdentifierPrefix)com.example.app", domain="a.b"))
    nothing = check(hearth, project, file)
    assert nothing.returncode == 1 and "has no app for iOS" in nothing.stdout
    project.request("PUT", apps, json={"ios": [{"appId": APP}]})
    good = check(hearth, project, file)
    assert (good.returncode, good.stdout) == (0, ""), good
    project.sign_up(address)
    project.call("sendOobCode", {"requestType": "PASSWORD_RESET", "email": address})
    other = check(hearth, project, file)
    assert other.returncode == 1
    assert "links go to 127.0.0.1, which is not an associated domain" in other.stdout
    assert "phones take https alone" in other.stdout
    assert f"(PASSWORD_RESET to {address})" in other.stdout
    file.write_text(ENTITLEMENTS.format(app="ZZZZZ12345.other", domain="127.0.0.1"))
    project.request("PUT", apps, json={"ios": [{"appId": APP, "paths": ["/elsewhere/?"]}]})
    wrong = check(hearth, project, file)
    assert "the app is ZZZZZ12345.other, and the project serves links for" in wrong.stdout
    assert "no path of the apps fits /emulator/action" in wrong.stdout
    assert "associated domain" not in wrong.stdout
    same = check(hearth, project, file, "--app-id", APP)
    assert "the app is" not in same.stdout
    # Another app takes the path, so this one does not open.
    project.request(
        "PUT",
        apps,
        json={"ios": [{"appId": APP, "paths": ["/elsewhere"]}, {"appId": "ZZZZZ12345.other"}]},
    )
    first = check(hearth, project, file, "--app-id", APP)
    assert "no path of the apps fits /emulator/action" in first.stdout
    assert "no path of the apps" not in check(hearth, project, file).stdout
    assert check(hearth, project, tmp_path / "none").returncode == 1


def test_entitlements_without_domains(hearth, tmp_path):
    file = tmp_path / "App.entitlements"
    file.write_text("<plist><dict></dict></plist>")
    found = check(hearth, Project(hearth), file)
    assert found.returncode == 1 and "no associated domain" in found.stdout


@pytest.mark.parametrize("domains", ["applinks:a.b", {"a": 1}, ["applinks:a.b", 7]])
def test_domains_of_a_wrong_type(hearth, domains):
    project = Project(hearth)
    path = f"/emulator/v1/projects/{project.id}/appLinks:check"
    answer = project.request("POST", path, 400, json={"associatedDomains": domains})
    assert answer["error"]["message"].endswith("/associatedDomains must be a list of strings")
