"""The files of exports and imports."""

import json
import re

import pytest
import requests
from support.auth.accounts import cases, hearth, update  # noqa: F401
from support.auth.records import only, password_entry, phone_entry
from support.auth.sign_up import freeze
from support.steering import guard, project  # noqa: F401

A, B, C = "a@example.com", "b@example.com", "c@example.com"
ONE, TWO = "+15555550100", "+15555550101"


# MARK: Files of exports and imports

DOWNLOAD = "identitytoolkit#DownloadAccountResponse"


def export(project, folder):
    project.request("POST", f"{project.control}:export", json={"directory": str(folder)})
    return folder / "auth_export"


def restore(project, folder, *, status: int = 200) -> dict:
    return project.request("POST", f"{project.control}:import", status, json={"path": str(folder)})


def written(tmp_path, files: dict, path: str = "auth_export"):
    """A directory of an export with these files."""
    (tmp_path / "firebase-export-metadata.json").write_text(
        json.dumps({"version": "15.28.1", "auth": {"version": "15.28.1", "path": path}})
    )
    folder = tmp_path / path
    folder.mkdir()
    for name, content in files.items():
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / name).write_text(text)
    return tmp_path


def accounts(*users: dict) -> dict:
    return {"kind": DOWNLOAD, "users": list(users)}


def test_the_files_of_an_export(project, tmp_path):
    """Byte for byte what the calls answer."""
    for email in (B, A):
        project.sign_up(email, displayName='é "x" 😀')
    project.sign_up(A, tenantId="t1")
    project.sign_up(A, tenantId="t2")
    folder = export(project, tmp_path)
    metadata = (tmp_path / "firebase-export-metadata.json").read_text()
    parsed = json.loads(metadata)
    assert list(parsed) == ["version", "firestore", "auth"] and list(parsed["auth"]) == [
        "version",
        "path",
    ]
    assert parsed["version"] == parsed["auth"]["version"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", parsed["version"])
    assert parsed["auth"]["path"] == "auth_export"
    assert metadata.rstrip("\n") == json.dumps(parsed, indent=2)
    for name, params in (
        ("accounts.json", {}),
        ("accounts-t1.json", {"tenantId": "t1"}),
        ("accounts-t2.json", {"tenantId": "t2"}),
    ):
        reply = requests.get(
            f"{project.server.auth}{project.v1}/accounts:batchGet",
            timeout=30,
            params={"maxResults": -1, **params},
            headers={"Authorization": "Bearer owner"},
        )
        assert (folder / name).read_bytes() == reply.content
        users = reply.json()
        assert list(users) == ["kind", "users"] and users["kind"] == DOWNLOAD
        ids = [user["localId"] for user in users["users"]]
        assert ids == sorted(ids)
    assert (folder / "config.json").read_bytes() == requests.get(
        f"{project.server.auth}{project.control}/config", timeout=30
    ).content
    assert json.loads((folder / "config.json").read_text()) == {
        "signIn": {"allowDuplicateEmails": False},
        "emailPrivacyConfig": {"enableImprovedEmailPrivacy": False},
    }
    named = [path.name for path in folder.iterdir() if "accounts" in path.name]
    assert sorted(named) == ["accounts-t1.json", "accounts-t2.json", "accounts.json"]


def test_an_export_without_users(project, tmp_path):
    assert json.loads((export(project, tmp_path) / "accounts.json").read_text()) == accounts()


FULL = {
    "localId": "u",
    "displayName": "Ann",
    "photoUrl": "http://x",
    "lastLoginAt": "2",
    "createdAt": "1",
    "email": "Ann@Example.com",
    "emailVerified": True,
    "disabled": True,
    "phoneNumber": ONE,
    "customAttributes": '{ "a":1}',
    "passwordHash": "fakeHash:salt=fakeSaltx:password=secret1",
    "salt": "fakeSaltx",
    "providerUserInfo": [
        {"providerId": "password", "email": C, "federatedId": C, "rawId": C},
        {
            "providerId": "google.com",
            "rawId": "1",
            "federatedId": "1",
            "email": C,
            "displayName": "G",
            "photoUrl": "p",
            "screenName": "s",
        },
        {"providerId": "phone", "phoneNumber": TWO, "rawId": TWO},
    ],
    "mfaInfo": [
        {
            "mfaEnrollmentId": "f",
            "phoneInfo": TWO,
            "unobfuscatedPhoneInfo": TWO,
            "displayName": "Phone",
            "enrolledAt": "2020-01-01T00:00:00.000Z",
        }
    ],
}
PAST = {
    "initialEmail": B,
    "emailLinkSignin": True,
    "customAuth": True,
    "screenName": "s",
    "lastRefreshAt": "2020-01-01T00:00:00.000Z",
    "passwordUpdatedAt": 5,
    "validSince": "5",
    "passkeyInfo": [{"credentialId": "p", "name": "n"}],
}


@pytest.mark.parametrize("tenant", [None, "t1"])
def test_what_an_import_keeps(project, tmp_path, tenant):
    """All that the official layout has, and more than the official importer; a hash of ours
    replaces the clear text. Entries that follow from the account keep their places."""
    name = f"accounts-{tenant}.json" if tenant else "accounts.json"
    user = FULL | PAST | ({"tenantId": tenant} if tenant else {})
    restore(project, written(tmp_path, {name: accounts(user)}))
    stored = only(project, tenant)
    assert stored.keys() == user.keys()
    kept = user.keys() - {"passwordHash", "salt", "email", "providerUserInfo"}
    assert {name: stored[name] for name in kept} == {name: user[name] for name in kept}
    assert stored["email"] == "ann@example.com"
    assert stored["providerUserInfo"] == [
        password_entry("ann@example.com", displayName="Ann", photoUrl="http://x"),
        FULL["providerUserInfo"][1],
        phone_entry(ONE),
    ]
    if tenant is None:
        update(project, "u", disableUser=False, mfa={})
        assert project.sign_in("ann@example.com")["localId"] == "u"


def test_what_a_user_of_a_file_lacks_stays_away(project, tmp_path):
    """Beside the time of creation, which every account has."""
    users = [
        {"localId": "a", "createdAt": "1"},
        {
            "localId": "b",
            "createdAt": "1",
            "email": A,
            "emailVerified": True,
            "emailLinkSignin": True,
            "providerUserInfo": [password_entry(A)],
        },
    ]
    restore(project, written(tmp_path, {"accounts.json": accounts(*users)}))
    assert project.users() == users


def test_a_validity_that_begins_later_begins_now(project, tmp_path):
    """Else every token of the user is refused until then."""
    user = {
        "localId": "u",
        "email": A,
        "validSince": "4000000000",
        "salt": "s",
        "passwordHash": "fakeHash:salt=s:password=secret1",
    }
    now = freeze(project)
    restore(project, written(tmp_path, {"accounts.json": accounts(user)}))
    assert only(project)["validSince"] == str(now // 1000)
    assert project.call("lookup", {"idToken": project.sign_in(A)["idToken"]})["users"]


@pytest.mark.parametrize(
    "password",
    cases(
        {"plain": "secret1", "colon": "a:b c", "emoji": "é😀x", "a mark in front": "\u0301secret"}
    ),
)
def test_clear_passwords_of_an_import(project, tmp_path, password):
    user = {
        "localId": "u",
        "email": A,
        "salt": "s",
        "passwordHash": f"fakeHash:salt=s:password={password}",
    }
    restore(project, written(tmp_path, {"accounts.json": accounts(user)}))
    assert project.sign_in(A, password=password)["localId"] == "u"


@pytest.mark.parametrize("beside", [{}, {"salt": "another"}], ids=["no salt", "another salt"])
def test_clear_passwords_of_an_import_with_another_salt_match_nothing(project, tmp_path, beside):
    user = {
        "localId": "u",
        "email": A,
        "passwordHash": "fakeHash:salt=s:password=secret:password=1",
    } | beside
    restore(project, written(tmp_path, {"accounts.json": accounts(user)}))
    assert "secret" not in only(project)["passwordHash"]
    assert (
        project.error("signInWithPassword", {"email": A, "password": "secret:password=1"})
        == "INVALID_PASSWORD"
    )


@pytest.mark.parametrize(
    "created, expected",
    [("1500000000000", "1500000000000"), (1500000000000, "1500000000000"), ("soon", None)],
    ids=["text", "number", "no number"],
)
def test_creation_times_of_an_import(project, tmp_path, created, expected):
    user = {"localId": "u", "createdAt": created}
    now = freeze(project)
    restore(project, written(tmp_path, {"accounts.json": accounts(user)}))
    assert only(project)["createdAt"] == (expected or str(now))


def test_an_import_happens_in_the_projects_time(project, tmp_path):
    """Else a session of yesterday is too old before it begins."""
    project.advance("-P1D")
    now = freeze(project)
    user = {
        "localId": "u",
        "email": A,
        "passwordHash": "fakeHash:salt=s:password=secret1",
        "salt": "s",
    }
    restore(project, written(tmp_path, {"accounts.json": accounts(user)}))
    assert only(project)["validSince"] == str(now // 1000)
    assert project.call("lookup", {"idToken": project.sign_in(A)["idToken"]})["users"]


def test_factors_want_a_verified_address(project, tmp_path):
    """Users that are refused are left out, and the others are imported."""
    users = [FULL | {"emailVerified": False}, {"localId": "v"}]
    restore(project, written(tmp_path, {"accounts.json": accounts(*users)}))
    assert [user["localId"] for user in project.users()] == ["v"]


@pytest.mark.parametrize(
    "name, tenant",
    cases(
        {
            "the project's": ("accounts.json", None),
            "a dash": ("accounts-t1.json", "t1"),
            "no dash": ("accountst1.json", "t1"),
            "two dashes": ("accounts--t1.json", "-t1"),
            "dots": ("accounts-a.b.json", "a.b"),
            "something in front": ("x-accounts.json", "x-"),
        }
    ),
)
def test_the_tenant_in_a_files_name(project, tmp_path, name, tenant):
    restore(project, written(tmp_path, {name: accounts({"localId": "u"})}))
    assert only(project, tenant).get("tenantId") == tenant


@pytest.mark.parametrize(
    "files",
    [
        {"accounts.json": accounts({"localId": "v"}, {"localId": "u"}, {"localId": "u"})},
        {
            "accounts.json": accounts({"localId": "v"}),
            "accounts-t.json": accounts({"localId": "u"}),
            "accountst.json": accounts({"localId": "u"}),
        },
    ],
    ids=["one file", "two files"],
)
def test_an_id_that_comes_twice_refuses_the_import(project, tmp_path, files):
    """As it refuses the file in the official importer. Nothing is changed."""
    folder = written(tmp_path, files | {"config.json": {"signIn": {"allowDuplicateEmails": True}}})
    reply = restore(project, folder, status=400)
    assert re.search(
        r"accounts\w*\.json, user [13]: the localId 'u' appears twice", reply["error"]["message"]
    )
    assert project.users() == [] and project.users(tenant="t") == []
    config = project.request("GET", f"{project.control}/config")
    assert config["signIn"] == {"allowDuplicateEmails": False}


def test_ids_are_those_of_a_tenant(project, tmp_path):
    files = {
        "accounts.json": accounts({"localId": "u"}),
        "accounts-t.json": accounts({"localId": "u"}),
    }
    assert restore(project, written(tmp_path, files))["imported"] == 2


def test_users_that_cannot_be_are_left_out_and_listed(project, tmp_path):
    """As by the official importer, which does not list them."""
    users = [
        {"localId": "a", "email": A},
        {"localId": "b", "email": A},
        {"email": B},
        5,
        {"localId": "c", "email": "none"},
        {"localId": "d"},
    ]
    report = restore(project, written(tmp_path, {"accounts.json": accounts(*users)}))
    assert report["imported"] == 2 and report["refusals"] == [
        "b: email exists in other account in database",
        "?: localId is missing",
        "?: localId is missing",
        "c: email is invalid",
    ]
    assert [user["localId"] for user in project.users()] == ["a", "d"]


@pytest.mark.parametrize(
    "name", ["accounts.json.bak", "accounts.json~", "accounts", "accounts.txt"]
)
def test_other_files_beside_the_accounts_do_not_count(project, tmp_path, name):
    files = {"accounts.json": accounts({"localId": "u"}), name: accounts({"localId": "old"})}
    assert restore(project, written(tmp_path, files))["imported"] == 1
    assert project.owner("GET", f"{project.v2}/tenants")["tenants"] == []


def test_an_import_keeps_existing_users(project, tmp_path):
    project.sign_up(B)
    files = {
        "config.json": {"signIn": {"allowDuplicateEmails": True}},
        "accounts.json": accounts({"localId": "u", "email": A}, {"localId": "v", "email": B}),
        "accounts-t1.json": accounts(),
    }
    restore(project, written(tmp_path, files, path="elsewhere"))
    assert {user["email"] for user in project.users()} == {A, B}
    assert len(project.users()) == 2
    config = project.request("GET", f"{project.control}/config")
    assert config["signIn"] == {"allowDuplicateEmails": True}
    assert config["emailPrivacyConfig"] == {"enableImprovedEmailPrivacy": False}


def test_an_import_without_a_configuration(project, tmp_path):
    project.configure("signIn", signIn={"allowDuplicateEmails": True})
    restore(project, written(tmp_path, {"accounts.json": accounts({"localId": "u"})}))
    assert only(project)["localId"] == "u"
    config = project.request("GET", f"{project.control}/config")
    assert config["signIn"] == {"allowDuplicateEmails": True}
