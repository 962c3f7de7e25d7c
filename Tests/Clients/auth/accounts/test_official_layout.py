"""The layout of the official export, and the files of firebase auth:export."""

import base64
import hashlib
import hmac
import json

import pytest
import requests
from support.auth.exports import (  # noqa: F401
    command,
    download,
    everything,
    exported,
    imported,
    on,
    project,
    several_tenants,
    tenants,
)
from support.auth.hashes import PUBLISHED_HASH, PUBLISHED_PARAMETERS, firebase_scrypt_hash
from support.auth.project import Project

PASSWORD = "correct horse – batterie à cheval"
SALT = b"\x00salt/\xfb\xff+"
SEPARATOR = b"\x07"
PUBLISHED_SALT = "42xEC+ixf3L2lw=="
PUBLISHED_PASSWORD = "user1password"
A, B = "a@example.com", "b@example.com"
ONE, TWO = "+15555550100", "+15555550101"


# MARK: The layout, and the official suite's driver


def test_the_layout(project, tmp_path):
    several_tenants(project)
    exported(project, tmp_path)
    metadata = json.loads((tmp_path / "firebase-export-metadata.json").read_text())
    assert metadata["auth"]["path"] == "auth_export" and metadata["auth"]["version"]
    folder = tmp_path / "auth_export"
    users = json.loads((folder / "accounts.json").read_text())
    assert users == {"kind": "identitytoolkit#DownloadAccountResponse", "users": download(project)}
    for tenant in tenants(project):
        name = f"accounts-{tenant['tenantId']}.json"
        assert json.loads((folder / name).read_text())["users"] == download(
            project, tenant["tenantId"]
        )
    assert json.loads((folder / "config.json").read_text()) == project.request(
        "GET", f"{project.control}/config"
    )


def official_export(project, folder) -> None:
    """The calls of the official command line tool."""
    folder.mkdir(parents=True)

    def save(name: str, answer: dict) -> None:
        (folder / name).write_text(json.dumps(answer))

    path = f"{project.v1}/accounts:batchGet"
    save("accounts.json", project.owner("GET", path, params={"maxResults": -1}))
    for tenant in project.owner("GET", f"{project.v2}/tenants")["tenants"]:
        save(
            f"accounts-{tenant['tenantId']}.json",
            project.owner("GET", path, params={"maxResults": -1, "tenantId": tenant["tenantId"]}),
        )
    save("config.json", project.request("GET", f"{project.control}/config"))


def official_import(project, folder) -> None:
    config = json.loads((folder / "config.json").read_text())
    project.request("PATCH", f"{project.control}/config", json=config)
    for path in sorted(folder.iterdir()):
        if "accounts" not in path.name:
            continue
        tenant = path.name.removesuffix(".json").removeprefix("accounts").removeprefix("-")
        reply = requests.post(
            f"{project.server.auth}{project.v1}/tenants/{tenant}/accounts:batchCreate",
            data=path.read_bytes(),
            timeout=30,
            headers={"Authorization": "Bearer owner", "Content-Type": "application/json"},
        )
        if reply.status_code == 200:
            assert reply.json()["error"] == []
        else:
            assert reply.json()["error"]["message"] == "MISSING_USER_ACCOUNT"


@pytest.mark.parametrize(
    "write, read",
    [
        (official_export, lambda project, folder: imported(project, folder.parent)),
        (lambda project, folder: exported(project, folder.parent), official_import),
        (official_export, official_import),
    ],
)
def test_the_official_suite_reads_ours_and_ours_reads_its(project, tmp_path, write, read):
    project.configure("signIn", signIn={"allowDuplicateEmails": True})
    several_tenants(project)
    metadata = {"version": "15.28.1", "auth": {"version": "15.28.1", "path": "auth_export"}}
    (tmp_path / "firebase-export-metadata.json").write_text(json.dumps(metadata))
    write(project, tmp_path / "auth_export")
    other = Project(project.server)
    read(other, tmp_path / "auth_export")
    assert other.request("GET", f"{other.control}/config")["signIn"]["allowDuplicateEmails"] is True
    for tenant in [None, *(tenant["tenantId"] for tenant in tenants(project))]:
        lost = {"validSince", "lastRefreshAt", "passwordUpdatedAt"}
        assert [without(user, lost) for user in download(other, tenant)] == [
            without(user, lost) for user in download(project, tenant)
        ]
    assert other.sign_in(A, tenantId="implicit")["localId"]


def without(user: dict, names: set) -> dict:
    """An import writes `disabled` where sign-up leaves it out."""
    return {"disabled": False} | {name: user[name] for name in user.keys() - names}


def test_the_clear_passwords_of_an_official_export(project, tmp_path):
    folder = tmp_path / "auth_export"
    folder.mkdir()
    (tmp_path / "firebase-export-metadata.json").write_text(
        json.dumps({"version": "15.28.1", "auth": {"version": "15.28.1", "path": "auth_export"}})
    )
    (folder / "config.json").write_text(json.dumps({"signIn": {"allowDuplicateEmails": False}}))
    (folder / "accounts.json").write_text(
        json.dumps(
            {
                "kind": "identitytoolkit#DownloadAccountResponse",
                "users": [
                    {
                        "localId": "1",
                        "email": A,
                        "emailVerified": False,
                        "salt": "fakeSaltabc",
                        "passwordHash": "fakeHash:salt=fakeSaltabc:password=a:b c",
                        "createdAt": "1",
                        "lastLoginAt": "2",
                        "validSince": "3",
                        "passwordUpdatedAt": 4,
                        "providerUserInfo": [
                            {"providerId": "password", "email": A, "federatedId": A, "rawId": A}
                        ],
                    }
                ],
            }
        )
    )
    assert imported(project, tmp_path) == [
        "Imported 1 account.",
        "Passwords in clear: 1. Exports have them in clear again. A password that is set here is "
        "exported as a hash that only Hearth can use.",
    ]
    session = project.call("signInWithPassword", {"email": A, "password": "a:b c"})
    assert session["localId"] == "1"
    assert "a:b c" not in json.dumps(download(project))


def test_an_export_of_other_emulators_only(project, tmp_path):
    (tmp_path / "firebase-export-metadata.json").write_text(
        json.dumps({"version": "15.28.1", "database": {"version": "1", "path": "database_export"}})
    )
    assert imported(project, tmp_path) == ["Imported 0 accounts."]
    exported(project, tmp_path)
    metadata = json.loads((tmp_path / "firebase-export-metadata.json").read_text())
    assert metadata["database"] == {"version": "1", "path": "database_export"}
    assert metadata["auth"]["path"] == "auth_export"


def test_importing_twice_refuses_existing_users(project, tmp_path):
    several_tenants(project)
    before = everything(project)
    exported(project, tmp_path)
    lines = imported(project, tmp_path)
    assert lines[0] == "Imported 0 accounts." and len(lines) == 6
    assert all(line.startswith("Not imported: ") for line in lines[1:])
    assert everything(project) == before


def test_importing_again_does_not_change_existing_users(project, tmp_path):
    uid = project.sign_up(A)["localId"]
    exported(project, tmp_path)
    project.admin(
        "/accounts:update",
        {"localId": uid, "disableUser": True, "emailVerified": True, "validSince": "7"},
    )
    before = everything(project)
    assert imported(project, tmp_path)[0] == "Imported 0 accounts."
    assert everything(project) == before


def test_an_export_replaces_the_one_before(project, tmp_path):
    session = project.sign_up(A, tenantId="t1")
    exported(project, tmp_path)
    project.call("delete", {"idToken": session["idToken"]})
    project.owner("DELETE", f"{project.v2}/tenants/t1")
    exported(project, tmp_path)
    assert not (tmp_path / "auth_export/accounts-t1.json").exists()
    assert not [path for path in tmp_path.iterdir() if "hearth-" in path.name]


# MARK: The files of firebase auth:export

HASH_OPTIONS = [
    "--hash-algo",
    "SCRYPT",
    "--hash-key",
    PUBLISHED_PARAMETERS["signerKey"],
    "--salt-separator",
    "Bw==",
    "--rounds",
    "8",
    "--mem-cost",
    "14",
]
CLOUD = {
    "localId": "1",
    "email": A,
    "emailVerified": True,
    "passwordHash": PUBLISHED_HASH,
    "salt": PUBLISHED_SALT,
    "displayName": "Ann, the first",
    "photoUrl": "http://localhost/a.png",
    "lastSignedInAt": "1500000000001",
    "createdAt": "1500000000000",
    "phoneNumber": ONE,
    "disabled": False,
    "customAttributes": '{"role":"admin"}',
    "providerUserInfo": [
        {
            "providerId": "google.com",
            "rawId": "g",
            "email": B,
            "displayName": "Gina",
            "photoUrl": "http://localhost/g.png",
        },
        {"providerId": "github.com", "rawId": "h"},
    ],
}


def cloud_user(project) -> dict:
    session = project.call("signInWithPassword", {"email": A, "password": PUBLISHED_PASSWORD})
    assert session["localId"] == "1"
    assert (
        project.error("signInWithPassword", {"email": A, "password": PASSWORD})
        == "INVALID_PASSWORD"
    )
    user = project.user("1")
    assert user == user | {
        "email": A,
        "emailVerified": True,
        "displayName": "Ann, the first",
        "photoUrl": "http://localhost/a.png",
        "createdAt": "1500000000000",
        "phoneNumber": ONE,
    }
    entries = {entry["providerId"]: entry for entry in user["providerUserInfo"]}
    assert entries.keys() == {"google.com", "github.com", "password", "phone"}
    google = CLOUD["providerUserInfo"][0]
    assert entries["google.com"] == entries["google.com"] | google
    assert entries["github.com"]["rawId"] == "h"
    return user


def test_a_json_file_of_the_cloud(project, tmp_path):
    path = tmp_path / "users.json"
    path.write_text(json.dumps({"users": [CLOUD, {"localId": "2", "disabled": True}]}, indent=2))
    assert imported(project, path, *HASH_OPTIONS) == ["Imported 2 accounts."]
    assert project.user("1")["lastLoginAt"] == "1500000000001"
    assert project.user("2")["disabled"] is True
    assert cloud_user(project)["customAttributes"] == '{"role":"admin"}'


# Where the four columns of each provider begin; those from 28 on are written since 15.19.0.
PROVIDERS = {
    "google.com": 7,
    "facebook.com": 11,
    "twitter.com": 15,
    "github.com": 19,
    "apple.com": 28,
    "microsoft.com": 32,
    "gc.apple.com": 36,
    "playgames.google.com": 40,
    "linkedin.com": 44,
    "yahoo.com": 48,
}


def csv_line(user: dict, end: str = "\n", count: int = 28) -> str:
    """The columns and a comma: https://firebase.google.com/docs/cli/auth#csv."""
    columns = [""] * count
    for index, name in enumerate(
        ["localId", "email", "emailVerified", "passwordHash", "salt", "displayName", "photoUrl"]
    ):
        columns[index] = quoted(user.get(name, ""))
    for entry in user.get("providerUserInfo", []):
        start = PROVIDERS[entry["providerId"]]
        for offset, name in enumerate(["rawId", "email", "displayName", "photoUrl"]):
            columns[start + offset] = quoted(entry.get(name, ""))
    for index, name in enumerate(
        ["createdAt", "lastSignedInAt", "phoneNumber", "disabled", "customAttributes"], 23
    ):
        columns[index] = quoted(user.get(name, ""))
    return ",".join(columns) + "," + end


def quoted(value) -> str:
    text = str(value).lower() if isinstance(value, bool) else value
    special = set(',"\r\n') & set(text)
    return '"' + text.replace('"', '""') + '"' if special else text


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_csv_file_of_the_cloud(project, tmp_path, end):
    path = tmp_path / "users.csv"
    path.write_bytes((csv_line(CLOUD, end) + csv_line({"localId": "2"}, end)).encode())
    assert imported(project, path, *HASH_OPTIONS) == ["Imported 2 accounts."]
    assert project.user("1")["lastLoginAt"] == "1500000000001"
    assert "email" not in project.user("2")
    cloud_user(project)


def test_the_last_columns_of_a_csv_file(project, tmp_path):
    path = tmp_path / "users.csv"
    path.write_text(
        csv_line(
            {"localId": "1", "disabled": True, "customAttributes": '{"role":"admin","n":[1,2]}'}
        )
    )
    assert imported(project, path) == ["Imported 1 account."]
    user = project.user("1")
    assert user["disabled"] is True
    assert json.loads(user["customAttributes"]) == {"role": "admin", "n": [1, 2]}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_csv_file_of_52_columns(project, tmp_path, end):
    """With an account at each provider, beside a line of an older release."""
    path = tmp_path / "users.csv"
    entries = [
        {
            "providerId": name,
            "rawId": f"id-{name}",
            "email": f"a@{name}",
            "displayName": f"Ann, {name}",
            "photoUrl": f"https://{name}/a",
        }
        for name in PROVIDERS
    ]
    path.write_bytes(
        (
            csv_line({"localId": "1", "providerUserInfo": entries}, end, 52)
            + csv_line({"localId": "2", "providerUserInfo": entries[2:3]}, end).replace(
                "id-twitter.com", "other"
            )
        ).encode()
    )
    assert imported(project, path) == ["Imported 2 accounts."]
    known = {entry["providerId"]: entry for entry in project.user("1")["providerUserInfo"]}
    assert known.keys() == PROVIDERS.keys()
    for entry in entries:
        assert entry.items() <= known[entry["providerId"]].items()
    assert [entry["rawId"] for entry in project.user("2")["providerUserInfo"]] == ["other"]


def test_an_unknown_column_of_a_csv_file_is_told(project, tmp_path):
    path = tmp_path / "users.csv"
    path.write_text(
        csv_line({"localId": "1"}, ",newer.com-id,,,\n", 52) + csv_line({"localId": "2"})
    )
    assert imported(project, path) == [
        "Imported 2 accounts.",
        "Not imported: 1: column 54 is unknown and left out: 'newer.com-id'",
    ]


def test_quotes_of_a_csv_file(project, tmp_path):
    """A name may have line ends, and escaped quotes in claims are not doubled."""
    path = tmp_path / "users.csv"
    line = csv_line({"localId": "1", "displayName": 'Ann\n"A", B', "photoUrl": "CLAIMS"})
    attributes = r'"{""a"":""x\"y, z""}"'
    line = line.replace("CLAIMS", "").removesuffix(",\n") + attributes + ",\n"
    path.write_text(line + csv_line({"localId": "2"}))
    assert imported(project, path) == ["Imported 2 accounts."]
    user = project.user("1")
    assert user["displayName"] == 'Ann\n"A", B'
    assert json.loads(user["customAttributes"]) == {"a": 'x"y, z'}
    path.write_text('3,"a\n' + csv_line({"localId": "4"}))
    done = on(project, "import", path)
    assert done.returncode == 1 and "line 1: a quote is not closed" in done.stderr


@pytest.mark.parametrize(
    "algorithm, options, hashed",
    [
        (
            "HMAC_SHA256",
            ["--hash-key", "a2V5"],
            hmac.digest(b"key", PASSWORD.encode() + SALT, "sha256"),
        ),
        (
            "SHA512",
            ["--rounds", "2"],
            hashlib.sha512(hashlib.sha512(SALT + PASSWORD.encode()).digest()).digest(),
        ),
        (
            "PBKDF2_SHA256",
            ["--rounds", "700"],
            hashlib.pbkdf2_hmac("sha256", PASSWORD.encode(), SALT, 700),
        ),
        (
            "SCRYPT",
            [
                "--hash-key",
                "a2V5",
                "--salt-separator",
                base64.b64encode(SEPARATOR).decode(),
                "--rounds",
                "2",
                "--mem-cost",
                "5",
            ],
            firebase_scrypt_hash(PASSWORD, SALT, b"key", 2, 5),
        ),
    ],
)
def test_the_hash_options(project, tmp_path, algorithm, options, hashed):
    path = tmp_path / "users.json"
    path.write_text(
        json.dumps(
            {
                "users": [
                    {
                        "localId": "1",
                        "email": A,
                        "passwordHash": base64.b64encode(hashed).decode(),
                        "salt": base64.b64encode(SALT).decode(),
                    }
                ]
            }
        )
    )
    assert imported(project, path, "--hash-algo", algorithm, *options) == ["Imported 1 account."]
    for _ in range(2):
        assert project.call("signInWithPassword", {"email": A, "password": PASSWORD})


def test_what_an_import_cannot_do(project, tmp_path):
    missing = on(project, "import", tmp_path / "missing.json")
    assert missing.returncode != 0 and "missing.json" in missing.stderr
    unknown = on(project, "import", tmp_path, "--hash-algo", "ARGON2")
    assert unknown.returncode != 0 and "ARGON2" in unknown.stderr
    nobody = command("import", tmp_path, "--address", "127.0.0.1:1")
    assert nobody.returncode != 0 and "127.0.0.1:1" in nobody.stderr


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "[]",
        "{",
        "[{}]",
        '{"users": [{}]}]',
        '{"users": [,{}]}',
        '{"users": [{},]}',
        '{"users": [{"localId": "1"}}',
        '{"users": {"localId": "1"}}',
        '{"users": [{"localId": "1"}]',
        '{"users": 5}',
        '{"users": [{"localId": "1"}, {]}',
        '{"users": [{"localId": "1"}, {"localI',
        '{"users": [{"localId": "1"}',
        '{"users": [{"localId": 1',
    ],
)
def test_a_file_that_is_broken_is_not_taken_for_whole(project, tmp_path, text):
    path = tmp_path / "broken.json"
    path.write_text(text)
    done = on(project, "import", path)
    assert done.returncode == 1 and "broken.json" in done.stderr, done.stdout
    assert " at position " in done.stderr
    assert download(project) == []


@pytest.mark.parametrize(
    "text, position",
    [
        ("", 0),
        ('{"users": [{"localId": "1"}, {"a": b}]}', 35),
        ('{"users": [{}}', 13),
        ('{"users": [{}, {"a": 1}], "b": c}', 31),
        ('{"a": b, "users": []}', 6),
    ],
)
def test_the_place_where_a_file_is_broken(project, tmp_path, text, position):
    path = tmp_path / "broken.json"
    path.write_text(text)
    assert f" at position {position}" in on(project, "import", path).stderr


@pytest.mark.parametrize("name", ["config.json", "accounts-t1.json", "hearth-extra.ndjson"])
def test_an_export_with_a_broken_file_changes_nothing(project, tmp_path, name):
    project.sign_up(B)
    project.sign_up(A, tenantId="t1")
    project.configure("signIn", signIn={"allowDuplicateEmails": True})
    exported(project, tmp_path)
    path = tmp_path / "auth_export" / name
    path.write_bytes(path.read_bytes()[:-3])
    other = Project(project.server)
    before = everything(other)
    done = on(other, "import", tmp_path)
    assert done.returncode == 1 and name in done.stderr
    assert everything(other) == before


def test_a_file_without_users(project, tmp_path):
    path = tmp_path / "none.json"
    for text in ("{}", '{"kind": "any"}', '{"users": [ ]}'):
        path.write_text(text)
        assert imported(project, path) == ["Imported 0 accounts."]


def test_users_that_are_refused_are_named(project, tmp_path):
    path = tmp_path / "users.json"
    path.write_text(
        json.dumps(
            {
                "users": [
                    {"localId": "1", "email": A},
                    {"localId": "2", "email": A},
                    {"localId": "3"},
                ]
            }
        )
    )
    assert imported(project, path) == [
        "Imported 2 accounts.",
        "Not imported: 2: email exists in other account in database",
    ]


def test_export_help_and_import_help():
    for name in ("export", "import"):
        done = command(name, "--help")
        assert done.returncode == 0 and f"USAGE: hearth {name} " in done.stdout
