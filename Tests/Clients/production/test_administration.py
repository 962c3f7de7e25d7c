"""What administrators do with accounts."""

import base64
import hashlib

import pytest
from support.auth.recorded import PASSWORD, REDACTED, Recorded, refusal, refused

KIND = "identitytoolkit#UploadAccountResponse"
HASH = {
    "passwordHash": base64.b64encode(hashlib.sha256(b"salt" + b"secret1").digest()).decode(),
    "salt": base64.b64encode(b"salt").decode(),
}
KEY = base64.b64encode(b"key").decode()


@pytest.fixture
def project(hearth):
    return Recorded(hearth)


def imported(project, *users, **options):
    return project.owned("/accounts:batchCreate", {"users": list(users), **options})


# MARK: Creating


@pytest.mark.parametrize(
    "fields, email",
    [
        pytest.param({}, "", id="A192-empty"),
        pytest.param({"email": "a@example.com"}, "a@example.com", id="A192-email"),
        pytest.param({"localId": "i" * 256}, "", id="A193-256"),
        pytest.param({"localId": "a/b"}, "", id="A193-slash"),
        pytest.param({"localId": "ユーザー"}, "", id="A193-unicode"),
        pytest.param({"localId": ""}, "", id="A193-empty"),
        pytest.param({"photoUrl": "not a url"}, "", id="A194-photo"),
        pytest.param({"displayName": "Name"}, "", id="name"),
        pytest.param(
            {"email": "l" * 65 + "@example.com"}, "l" * 65 + "@example.com", id="A194-local"
        ),
    ],
)
def test_created_accounts(project, fields, email):
    answer = project.done(project.owned("/accounts", fields))
    assert set(answer) == {"kind", "email", "localId"} and answer["email"] == email
    if "localId" in fields:
        assert answer["localId"] == fields["localId"]


@pytest.mark.parametrize(
    "fields, message",
    [
        pytest.param({"localId": "known"}, "DUPLICATE_LOCAL_ID", id="A193-id"),
        pytest.param({"email": "known@example.com"}, "EMAIL_EXISTS", id="A193-email"),
        pytest.param({"phoneNumber": "+16505550101"}, "PHONE_NUMBER_EXISTS", id="A193-phone"),
        pytest.param(
            {"phoneNumber": "6505550101"},
            "INVALID_PHONE_NUMBER : Invalid format.",
            id="A193-format",
        ),
        pytest.param({"email": " a@example.com"}, "INVALID_EMAIL", id="A194-blank"),
    ],
)
def test_refused_accounts(project, fields, message):
    project.create("known", phoneNumber="+16505550101")
    assert refusal(project.owned("/accounts", fields)) == refused(message)


def test_members_of_an_account_without_an_address(project):
    project.done(project.owned("/accounts", {"localId": "bare"}))
    assert set(project.shown("bare")) == {"localId", "validSince", "disabled", "createdAt"}


# MARK: Changing


def test_changes(project):
    """A195, A196"""
    assert refusal(project.owned("/accounts:update", {})) == refused("MISSING_LOCAL_ID")
    missing = project.owned("/accounts:update", {"localId": "none"})
    assert refusal(missing) == refused("USER_NOT_FOUND")
    project.create("user", emailVerified=True)
    moved = project.change("user", email="moved@example.com")
    assert moved["emailVerified"] is True and "newEmail" not in moved
    assert "initialEmail" not in project.shown("user")
    answer = project.change("user", deleteAttribute=["EMAIL"])
    assert set(answer) == {"kind", "localId", "passwordHash", "emailVerified"}
    answer = project.change("user", deleteAttribute=["PASSWORD"])
    assert set(answer) == {"kind", "localId", "emailVerified"}
    assert "passwordUpdatedAt" in project.shown("user")


@pytest.mark.parametrize(
    "link, message",
    [
        pytest.param(
            {"providerId": "google.com"},
            "MISSING_IDENTIFIER : providerId & rawId are both required for provider linking",
            id="no-raw-id",
        ),
        pytest.param(
            {"providerId": "password", "rawId": "x"}, "INVALID_PROVIDER_ID", id="password"
        ),
        pytest.param(
            {"providerId": "google.com", "rawId": "taken"},
            "FEDERATED_USER_ID_ALREADY_LINKED",
            id="taken",
        ),
    ],
)
def test_refused_links(project, link, message):
    project.create("owner")
    project.change("owner", linkProviderUserInfo={"providerId": "google.com", "rawId": "taken"})
    project.create("user")
    body = {"localId": "user", "linkProviderUserInfo": link}
    assert refusal(project.owned("/accounts:update", body)) == refused(message)


@pytest.mark.parametrize(
    "text, message",
    [
        pytest.param('{"k":"' + "v" * 993 + '"}', "CLAIMS_TOO_LARGE", id="A197"),
        pytest.param('{"azp":"x"}', "FORBIDDEN_CLAIM : azp", id="A198"),
        pytest.param("[1,2]", "INVALID_CLAIMS : Not a JSON Object: [1,2]", id="A199-list"),
        pytest.param('"text"', 'INVALID_CLAIMS : Not a JSON Object: "text"', id="A199-text"),
        pytest.param("null", "INVALID_CLAIMS : Not a JSON Object: null", id="A199-null"),
    ],
)
def test_refused_claims(project, text, message):
    project.create("user")
    body = {"localId": "user", "customAttributes": text}
    assert refusal(project.owned("/accounts:update", body)) == refused(message)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"k":"' + "v" * 992 + '"}', id="A197-1000"),
        pytest.param('{ "b": 1,  "a" : [ 2 ] }', id="A197-verbatim"),
        pytest.param("{}", id="A197-empty"),
        pytest.param('{"user_id":"x"}', id="A198-user_id"),
    ],
)
def test_claims(project, text):
    project.create("user")
    project.change("user", customAttributes=text)
    assert project.shown("user")["customAttributes"] == text


# MARK: Deleting


def test_deletions(project):
    """A200, A201"""
    for body, message in (({}, "MISSING_LOCAL_ID"), ({"localId": "none"}, "USER_NOT_FOUND")):
        assert refusal(project.owned("/accounts:delete", body)) == refused(message)
    for ids in ([], None, ["x"] * 1001):
        batch = project.owned("/accounts:batchDelete", {"localIds": ids, "force": True})
        assert refusal(batch) == refused("LOCAL_ID_LIST_EXCEEDS_LIMIT")
    project.create("user")
    body = {"localIds": ["none", "user"]}
    assert project.owned("/accounts:batchDelete", body) == (
        200,
        {
            "errors": [
                {
                    "index": 1,
                    "localId": "user",
                    "message": "NOT_DISABLED : Disable the account before batch deletion.",
                }
            ]
        },
    )
    assert project.owned("/accounts:batchDelete", {**body, "force": True}) == (200, {})


# MARK: Listing


def test_downloads(project):
    """A202"""
    for name in ("u1", "u2", "u3"):
        project.create(name)

    def page(**query):
        return project.done(project.owned("/accounts:batchGet", method="GET", **query))

    first = page(maxResults=2)
    assert [user["localId"] for user in first["users"]] == ["u1", "u2"]
    assert first["nextPageToken"] == "u2"
    user = first["users"][0]
    assert user["passwordHash"] != REDACTED and user["salt"] and user["version"] == 0
    second = page(maxResults=2, nextPageToken="u2")
    assert [user["localId"] for user in second["users"]] == ["u3"] and len(second) == 2
    only = {"kind": "identitytoolkit#DownloadAccountResponse"}
    assert page(maxResults=0) == only
    assert page(maxResults=2, nextPageToken="x") == only
    assert len(page(maxResults=1001)["users"]) == 3


@pytest.mark.parametrize(
    "body, ids",
    [
        pytest.param({}, ["q1", "q2", "q3"], id="A203-default"),
        pytest.param({"sortBy": "USER_EMAIL"}, ["q3", "q2", "q1"], id="A203-email"),
        pytest.param(
            {"sortBy": "LAST_LOGIN_AT", "order": "DESC"}, ["q1", "q2", "q3"], id="A203-ties"
        ),
        pytest.param({"limit": "501"}, ["q1", "q2", "q3"], id="A203-501"),
        pytest.param({"limit": "1", "offset": "1"}, ["q2"], id="A203-offset"),
        pytest.param({"limit": "0"}, [], id="A203-0"),
        pytest.param({"expression": [{"userId": "q2"}, {"userId": "q3"}]}, ["q2"], id="A203-two"),
        pytest.param(
            {"expression": [{"userId": "q2", "email": "B@example.com"}]}, ["q1"], id="A203-both"
        ),
        pytest.param({"expression": [{}]}, ["q1", "q2", "q3"], id="A203-empty"),
        pytest.param({"expression": [{"email": "none@example.com"}]}, [], id="A203-none"),
    ],
)
def test_queries(project, body, ids):
    project.create("q1", email="b@example.com")
    project.create("q2", email="a@example.com")
    project.done(project.owned("/accounts", {"localId": "q3"}))
    answer = project.done(project.owned("/accounts:query", body))
    assert answer["recordsCount"] == str(len(ids))
    assert [user["localId"] for user in answer.get("userInfo", [])] == ids
    assert ("userInfo" in answer) == bool(ids)


def test_counts(project):
    """A203"""
    project.create("user")
    assert project.owned("/accounts:query", {"returnUserInfo": False}) == (
        200,
        {"recordsCount": "1"},
    )


# MARK: Importing


def test_imports(project):
    """A204, A205"""
    first = {"localId": "u1", "email": "u1@example.com", "emailVerified": True}
    assert imported(project, first) == (200, {"kind": KIND})
    assert imported(project, {"localId": "u1", "email": "n1@example.com"}) == (200, {"kind": KIND})
    assert project.shown("u1")["email"] == "n1@example.com"
    pair = [
        {"localId": "u2", "email": "a@example.com"},
        {"localId": "u2", "email": "b@example.com"},
    ]
    assert imported(project, *pair) == (200, {"kind": KIND})
    assert project.shown("u2")["email"] == "b@example.com"
    assert refusal(imported(project)) == refused("MISSING_USER_ACCOUNT")
    assert imported(project, *({"localId": f"b{i}"} for i in range(1001))) == (200, {"kind": KIND})


def test_what_an_import_leaves_out(project):
    provider = {"providerId": "google.com", "rawId": "raw-1"}
    assert imported(project, {"localId": "u1", "providerUserInfo": [provider]}) == (
        200,
        {"kind": KIND},
    )
    user = project.shown("u1")
    assert user["emailVerified"] is False
    assert user["providerUserInfo"] == [provider | {"federatedId": "raw-1"}]


def test_imported_addresses_repeat(project):
    """A204, A209"""
    users = [{"localId": name, "email": "same@example.com"} for name in ("u1", "u2")]
    checked = imported(project, *users, sanityCheck=True)
    assert refusal(checked) == refused("DUPLICATE_EMAIL : same@example.com")
    assert imported(project, *users) == (200, {"kind": KIND})
    found = project.done(project.owned("/accounts:lookup", {"email": ["same@example.com"]}))
    assert [user["localId"] for user in found["users"]] == ["u1", "u2"]
    body = {"email": "same@example.com", "password": PASSWORD}
    assert refusal(project.client("signUp", body)) == refused("EMAIL_EXISTS")


def test_refused_rows(project):
    """A205"""
    answer = imported(
        project,
        {"localId": "u1", "email": "u1@example.com"},
        {"localId": "u2", "email": "none"},
        {"localId": "u3", "phoneNumber": "6505550101"},
        {"email": "u4@example.com"},
    )
    assert answer == (
        200,
        {
            "kind": KIND,
            "error": [
                {"index": 1, "message": "email is invalid"},
                {"index": 2, "message": "phone number format is invalid"},
                {"index": 3, "message": "localId is missing"},
            ],
        },
    )


def argon2(**more) -> dict:
    return {
        "hashAlgorithm": "ARGON2",
        "argon2Parameters": {
            "memoryCostKib": 64,
            "iterations": 2,
            "parallelism": 1,
            "hashLengthBytes": 32,
            "hashType": "ARGON2_ID",
            "version": "VERSION_13",
            **more,
        },
    }


@pytest.mark.parametrize(
    "options, message",
    [
        pytest.param({"hashAlgorithm": "NONE"}, "INVALID_HASH_ALGORITHM", id="A206-algorithm"),
        pytest.param({"hashAlgorithm": "HMAC_SHA256"}, "EMPTY_HASH_KEY", id="A206-key"),
        pytest.param({"hashAlgorithm": "PBKDF_SHA1"}, "INVALID_HASH_ROUNDS", id="A206-pbkdf-none"),
        pytest.param(
            {"hashAlgorithm": "PBKDF_SHA1", "rounds": 0}, "INVALID_HASH_ROUNDS", id="A206-pbkdf-0"
        ),
        pytest.param(
            {"hashAlgorithm": "PBKDF_SHA1", "rounds": 120001},
            "INVALID_HASH_ROUNDS",
            id="A206-pbkdf-120001",
        ),
        pytest.param(
            {"hashAlgorithm": "SHA256", "rounds": 8193}, "INVALID_HASH_ROUNDS", id="A206-sha256"
        ),
        pytest.param(
            {"hashAlgorithm": "MD5", "rounds": 8193}, "INVALID_HASH_ROUNDS", id="A206-md5"
        ),
        *(
            pytest.param(
                {"hashAlgorithm": "SCRYPT", "signerKey": KEY, "rounds": rounds, "memoryCost": 14},
                "INVALID_HASH_ROUNDS",
                id=f"A206-scrypt-rounds-{rounds}",
            )
            for rounds in (0, 9)
        ),
        *(
            pytest.param(
                {"hashAlgorithm": "SCRYPT", "signerKey": KEY, "rounds": 8, "memoryCost": cost},
                "INVALID_HASH_MEMORY_COSTS",
                id=f"A206-scrypt-cost-{cost}",
            )
            for cost in (0, 15)
        ),
        pytest.param(
            {"hashAlgorithm": "STANDARD_SCRYPT", "blockSize": 8, "parallelization": 1, "dkLen": 64},
            "INVALID_HASH_PARAMETER",
            id="A206-standard-scrypt",
        ),
        pytest.param(
            {"hashAlgorithm": "ARGON2"}, "INVALID_ARGON2_MEMORY_COST", id="A206-argon2-none"
        ),
        pytest.param(
            argon2(memoryCostKib=32769), "INVALID_ARGON2_MEMORY_COST", id="A206-argon2-memory"
        ),
        pytest.param(
            argon2(iterations=17), "INVALID_ARGON2_ITERATIONS", id="A206-argon2-iterations"
        ),
        pytest.param(
            argon2(parallelism=0), "INVALID_ARGON2_PARALLELISM", id="A206-argon2-parallelism"
        ),
        pytest.param(
            argon2(hashType="HASH_TYPE_UNSPECIFIED"),
            "INVALID_ARGON2_HASH_TYPE",
            id="A206-argon2-type",
        ),
    ],
)
def test_refused_hashes(project, options, message):
    answer = imported(project, {"localId": "u", "email": "u@example.com", **HASH}, **options)
    assert refusal(answer) == refused(message)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({}, id="A207"),
        pytest.param({"hashAlgorithm": "HMAC_SHA512"}, id="A206-sha512-without-key"),
        pytest.param(
            {"hashAlgorithm": "SCRYPT", "rounds": 8, "memoryCost": 14}, id="A206-scrypt-without-key"
        ),
    ],
)
def test_hashes_that_match_nothing(project, options):
    user = {"localId": "u", "email": "u@example.com", **HASH}
    assert imported(project, user, **options) == (200, {"kind": KIND})
    body = {"email": "u@example.com", "password": "secret1"}
    answer = project.client("signInWithPassword", body)
    assert refusal(answer) == refused("INVALID_LOGIN_CREDENTIALS")


def test_hashes_that_match(project):
    """A208"""
    user = {"localId": "u", "email": "u@example.com", **HASH}
    options = {"hashAlgorithm": "SHA256", "rounds": 1, "passwordHashOrder": "SALT_AND_PASSWORD"}
    assert imported(project, user, **options) == (200, {"kind": KIND})
    assert project.session("u", "secret1")["localId"] == "u"
