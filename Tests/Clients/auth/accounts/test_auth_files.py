"""`hearth auth:export` and `auth:import`: the files and the flags of Firebase's tools."""

import base64
import hashlib
import json

import pytest
from support.auth.exports import command, on, project  # noqa: F401
from support.auth.project import Project

PROVIDERS = [
    "google.com",
    "facebook.com",
    "twitter.com",
    "github.com",
    "apple.com",
    "microsoft.com",
    "gc.apple.com",
    "playgames.google.com",
    "linkedin.com",
    "yahoo.com",
]
SHA = {"hashAlgorithm": "SHA256", "rounds": 1, "passwordHashOrder": "SALT_AND_PASSWORD"}
SALT = b"\xfb\xef salt"
HASH = base64.b64encode(hashlib.sha256(SALT + b"secret1").digest()).decode()


def users() -> list[dict]:
    """One with everything, one with nothing."""
    entries = [
        {
            "providerId": name,
            "rawId": f"id-{name}",
            "email": f"a@{name}",
            "displayName": f'Ann "{name}"',
            "photoUrl": f"https://{name}/a",
        }
        for name in PROVIDERS
    ]
    return [
        {
            "localId": "1",
            "email": "ann@example.com",
            "emailVerified": True,
            "passwordHash": HASH,
            "salt": base64.b64encode(SALT).decode(),
            "displayName": "Ann\nthe, first",
            "photoUrl": "https://example.com/a.png",
            "createdAt": "1500000000000",
            "lastLoginAt": "1500000000001",
            "phoneNumber": "+15555550100",
            "customAttributes": '{"a":"x\\"y, z"}',
            "providerUserInfo": [*entries, {"providerId": "oidc.own", "rawId": "o"}],
        },
        {"localId": "2"},
    ]


CSV = (
    "1,ann@example.com,true,{hash},{salt},"
    '"Ann\nthe, first",https://example.com/a.png,{first}'
    ",1500000000000,1500000000001,+15555550100,false,"
    '"{{""a"":""x\\"y, z""}}",{last},\n'
    "2,,false" + "," * 21 + "{made},,,false" + "," * 26 + "\n"
)


def four(name: str) -> str:
    return f'id-{name},a@{name},"Ann ""{name}""",https://{name}/a'


@pytest.fixture
def filled(project) -> Project:
    answer = project.admin("/accounts:batchCreate", SHA | {"users": users()})
    assert answer["error"] == []
    return project


def exported(project, file, *options) -> str:
    done = on(project, "auth:export", file, *options)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert done.stdout == f"Exported 2 accounts to {file}.\n"
    return file.read_bytes().decode()


def plain(user: dict) -> dict:
    """Without what an import sets itself."""
    times = {"validSince", "passwordUpdatedAt", "lastRefreshAt"}
    return {name: value for name, value in user.items() if name not in times}


def test_a_csv_file_has_the_bytes_of_the_official_tools(filled, tmp_path):
    made = filled.user("2")["createdAt"]
    assert exported(filled, tmp_path / "users.csv") == CSV.format(
        hash=HASH,
        salt=base64.b64encode(SALT).decode(),
        first=",".join(map(four, PROVIDERS[:4])),
        last=",".join(map(four, PROVIDERS[4:])),
        made=made,
    )


def test_a_json_file_has_the_members_of_the_official_tools(filled, tmp_path):
    text = exported(filled, tmp_path / "users.json")
    assert text.startswith('{"users": [\n{\n  "localId": "1",\n  "email": "ann@example.com",\n')
    assert text.endswith("\n}]}") and '\n},\n{\n  "localId": "2",' in text
    full, empty = json.loads(text)["users"]
    assert list(full) == [
        "localId",
        "email",
        "emailVerified",
        "passwordHash",
        "salt",
        "displayName",
        "photoUrl",
        "lastSignedInAt",
        "createdAt",
        "phoneNumber",
        "disabled",
        "customAttributes",
        "providerUserInfo",
    ]
    assert full["passwordHash"] == HASH and full["lastSignedInAt"] == "1500000000001"
    assert full["providerUserInfo"] == users()[0]["providerUserInfo"][:-1]
    assert empty["localId"] == "2" and "email" not in empty


@pytest.mark.parametrize("name", ["users.csv", "users.json"])
def test_a_round_trip(hearth, filled, tmp_path, name):
    file = tmp_path / name
    before = exported(filled, file)
    other = Project(hearth)
    flags = ["--hash-algo", "SHA256", "--rounds", "1", "--hash-input-order", "SALT_FIRST"]
    done = on(other, "auth:import", file, *flags)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert done.stdout == "Imported 2 accounts.\n"
    assert exported(other, file) == before
    assert other.sign_in("ann@example.com")["localId"] == "1"
    assert filled.sign_in("ann@example.com")["localId"] == "1"


def test_accounts_that_are_made_here_sign_in_after_a_round_trip(hearth, project, tmp_path):
    uid = project.sign_up("a@example.com")["localId"]
    project.sign_up("b@example.com")
    exported(project, tmp_path / "list", "--format", "CSV")
    (tmp_path / "list").rename(tmp_path / "list.csv")
    other = Project(hearth)
    assert on(other, "auth:import", tmp_path / "list.csv").returncode == 0
    assert other.sign_in("a@example.com")["localId"] == uid


def test_the_project_has_its_short_flag(filled, tmp_path):
    file = tmp_path / "users.json"
    done = command("auth:export", file, "-P", filled.id, "--address", filled.server.host)
    assert done.returncode == 0 and file.exists(), done.stderr


def test_files_and_flags_that_are_refused(project, tmp_path):
    for arguments, words in [
        (["auth:export", tmp_path / "users.txt"], "must end with .csv or .json"),
        (["auth:export", tmp_path / "users.csv", "--format", "xml"], "xml"),
        (["auth:import", tmp_path / "users.txt"], "must end with .csv or .json"),
        (["auth:import", tmp_path / "users.csv", "--hash-input-order", "x"], "hash-input-order"),
    ]:
        done = on(project, *arguments)
        assert done.returncode == 64 and words in done.stderr, (arguments, done.stderr)
    done = on(project, "auth:export", tmp_path / "none" / "users.csv")
    assert done.returncode == 1 and "cannot write" in done.stderr


def test_a_hash_that_is_not_base64_refuses_the_whole_file(project, tmp_path):
    file = tmp_path / "users.csv"
    file.write_text("1,a@example.com,true,aGFzaA==,c2FsdA==,\n2,b@example.com,true,???,,\n")
    done = on(project, "auth:import", file)
    assert done.returncode == 1
    assert f"{file}, line 2: passwordHash is not Base64" in done.stderr
    assert project.users() == []


@pytest.mark.parametrize(
    "body, words",
    [
        ({"file": "users.csv"}, "file must be an absolute path"),
        ({"file": "/tmp/users"}, "/file must end with .csv or .json"),
        ({"file": "/tmp/users.csv", "format": "xml"}, "/format must be csv or json"),
        ({"file": 1}, "file must be an absolute path"),
    ],
)
def test_what_the_endpoint_refuses(project, body, words):
    answer = project.request("POST", f"{project.control.removesuffix('/')}:export", 400, json=body)
    assert words in answer["error"]["message"]


def test_pages_of_others_cannot_export(project, tmp_path):
    project.request(
        "POST",
        f"{project.control}:export",
        403,
        json={"file": str(tmp_path / "users.csv")},
        headers={"Origin": "http://evil.example"},
    )
    assert not (tmp_path / "users.csv").exists()
