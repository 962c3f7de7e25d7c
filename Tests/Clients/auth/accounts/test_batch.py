"""Batch operations: uploading, downloading, deleting and querying many accounts."""

import re
import time

import pytest
import requests
from support.auth.project import Project, claims

A, B = "a@example.com", "b@example.com"
ONE, TWO = "+15555550100", "+15555550101"
UPLOADED = "identitytoolkit#UploadAccountResponse"
DOWNLOADED = "identitytoolkit#DownloadAccountResponse"


@pytest.fixture
def project(hearth) -> Project:
    return Project(hearth)


def upload(project, *users: dict, status: int = 200, tenant=None, **more) -> dict:
    return project.admin("/accounts:batchCreate", {"users": list(users), **more}, status, tenant)


def errors(project, *users: dict, **more) -> list[tuple[int, str]]:
    answer = upload(project, *users, **more)
    assert answer.keys() == {"kind", "error"} and answer["kind"] == UPLOADED
    return [(error["index"], error["message"]) for error in answer["error"]]


def download(project, tenant=None, status: int = 200, **params) -> dict:
    scope = project.v1 + (f"/tenants/{tenant}" if tenant else "")
    return project.owner("GET", f"{scope}/accounts:batchGet", status, params=params)


def ids(users: list[dict]) -> list[str]:
    return [user["localId"] for user in users]


# MARK: Checks of the whole request


def google(raw_id: str) -> dict:
    return {"providerId": "google.com", "rawId": raw_id}


WHOLE = {
    "no users": ({}, "MISSING_USER_ACCOUNT"),
    "empty users": ({"users": []}, "MISSING_USER_ACCOUNT"),
    "same address": (
        {
            "sanityCheck": True,
            "users": [{"localId": "1", "email": A}, {"localId": "2", "email": A}],
        },
        f"DUPLICATE_EMAIL : {A}",
    ),
    "same address, before others": (
        {
            "sanityCheck": True,
            "users": [
                {"localId": "1", "email": A, "providerUserInfo": [google("g")]},
                {"localId": "1", "email": A, "providerUserInfo": [google("g")]},
            ],
        },
        f"DUPLICATE_EMAIL : {A}",
    ),
    "same provider account": (
        {
            "sanityCheck": True,
            "users": [
                {"localId": "1", "providerUserInfo": [google("g")]},
                {"localId": "1", "providerUserInfo": [google("g")]},
            ],
        },
        "DUPLICATE_RAW_ID : Provider id(google.com), Raw id(g)",
    ),
    "same password entry": (
        {
            "sanityCheck": True,
            "users": [
                {"localId": str(n), "providerUserInfo": [{"providerId": "password", "rawId": A}]}
                for n in range(2)
            ],
        },
        f"DUPLICATE_RAW_ID : Provider id(password), Raw id({A})",
    ),
    "same nothing": (
        {
            "sanityCheck": True,
            "users": [
                {"localId": str(n), "providerUserInfo": [{"providerId": "phone"}]} for n in range(2)
            ],
        },
        "DUPLICATE_RAW_ID : Provider id(phone), Raw id(undefined)",
    ),
    "same id": (
        {"users": [{"localId": "1"}, {"localId": "2"}, {"localId": "1"}]},
        "DUPLICATE_LOCAL_ID : 1",
    ),
    "no ids": ({"users": [{}, {}]}, "DUPLICATE_LOCAL_ID : "),
}


@pytest.mark.parametrize("body, message", WHOLE.values(), ids=WHOLE)
def test_requests_that_are_refused_as_a_whole(project, body, message):
    assert project.admin_error("/accounts:batchCreate", body) == message
    assert project.users() == []
    tenant = project.disabled_tenant()
    assert project.admin_error("/accounts:batchCreate", body, tenant=tenant) == "PROJECT_DISABLED"


def test_without_a_sanity_check_only_the_second_user_is_refused(project):
    assert errors(project, {"localId": "1", "email": A}, {"localId": "2", "email": A}) == [
        (1, f"((Auth Emulator does not support importing duplicate email: {A}))")
    ]
    assert ids(project.users()) == ["1"]


def test_overwriting_the_same_id_in_one_request(project):
    assert (
        errors(
            project,
            {"localId": "1", "email": A},
            {"localId": "1", "displayName": "Ann"},
            allowOverwrite=True,
        )
        == []
    )
    [user] = project.users()
    assert user["displayName"] == "Ann" and "email" not in user


def test_duplicates_allowed_the_sanity_check_does_not_look_at_addresses(project):
    project.configure("signIn.allowDuplicateEmails", signIn={"allowDuplicateEmails": True})
    assert errors(
        project, {"localId": "1", "email": A}, {"localId": "2", "email": A}, sanityCheck=True
    ) == [(1, f"((Auth Emulator does not support importing duplicate email: {A}))")]


# MARK: Checks of each user


def factor(number: str | None = ONE, **more) -> dict:
    return ({"phoneInfo": number} if number is not None else {}) | more


def with_factors(*given: dict, **more) -> dict:
    return {"localId": "1", "email": A, "emailVerified": True, "mfaInfo": list(given), **more}


EACH = {
    "no id": ({"email": A}, "localId is missing"),
    "empty id": ({"localId": ""}, "localId is missing"),
    "another tenant": (
        {"localId": "1", "tenantId": "t1"},
        "Tenant id in userInfo does not match the tenant id in request.",
    ),
    "large claims": (
        {"localId": "1", "customAttributes": "x" * 1001},
        "Custom claims provided are too large.",
    ),
    "claims no JSON": (
        {"localId": "1", "customAttributes": "{"},
        "Invalid custom claims provided.",
    ),
    "claims no object": (
        {"localId": "1", "customAttributes": "[1]"},
        "Invalid custom claims provided.",
    ),
    "reserved claims": (
        {"localId": "1", "customAttributes": '{"sub":1}'},
        "Custom claims provided include a reserved claim.",
    ),
    "no rawId": (
        {"localId": "1", "providerUserInfo": [{"providerId": "google.com"}]},
        "federatedId or (providerId & rawId) is required",
    ),
    "no providerId": (
        {"localId": "1", "providerUserInfo": [{"rawId": "1"}]},
        "federatedId or (providerId & rawId) is required",
    ),
    "federatedId": (
        {"localId": "1", "providerUserInfo": [{"providerId": "google.com", "federatedId": "f"}]},
        "((Parsing federatedId is not implemented in Auth Emulator; please specify providerId AND "
        "rawId as a workaround.))",
    ),
    "taken provider account": (
        {"localId": "1", "providerUserInfo": [google("taken")]},
        "raw id exists in other account in database",
    ),
    "number": ({"localId": "1", "phoneNumber": "5555"}, "phone number format is invalid"),
    "address": ({"localId": "1", "email": "a"}, "email is invalid"),
    "address with two ats": ({"localId": "1", "email": "a@b@c"}, "email is invalid"),
    "taken address": (
        {"localId": "1", "email": B},
        f"((Auth Emulator does not support importing duplicate email: {B}))",
    ),
    "factors without address": (
        with_factors(factor(), email=""),
        "Second factor account requires email to be presented.",
    ),
    "factors unverified": (
        with_factors(factor(), emailVerified=False),
        "Second factor account requires email to be verified.",
    ),
    "same factor id": (
        with_factors(factor(mfaEnrollmentId="x"), factor(TWO, mfaEnrollmentId="x")),
        "Enrollment id already exists.",
    ),
    "factor without number": (with_factors(factor(None)), "Second factor not supported."),
    "factor with a bad number": (with_factors(factor("5555")), "Phone number format is invalid"),
    "taken id": (
        {"localId": "taken"},
        "localId belongs to an existing account - can not overwrite.",
    ),
    "same factor number": (
        with_factors(factor(), factor()),
        "INTERNAL_ERROR : MFA Enrollment Phone Numbers must be unique.",
    ),
}


def occupied(project) -> None:
    assert (
        errors(project, {"localId": "taken", "email": B, "providerUserInfo": [google("taken")]})
        == []
    )


@pytest.mark.parametrize("user, message", EACH.values(), ids=EACH)
def test_users_that_are_refused(project, user, message):
    """The others of the request go in."""
    occupied(project)
    assert errors(project, {"localId": "before"}, user, {"localId": "after"}) == [(1, message)]
    assert {"before", "after", "taken"} <= {*ids(project.users())}


def test_the_order_of_the_checks_of_a_user(project):
    """Each check hides all later ones; so the first message of a user who fails all is fixed."""
    occupied(project)
    user = with_factors(
        factor("5555"),
        factor(None),
        email="a",
        tenantId="t1",
        customAttributes="{",
        providerUserInfo=[{"providerId": "google.com"}],
        phoneNumber="5555",
        emailVerified=False,
    )
    for repair, message in [
        ({"tenantId": ""}, EACH["another tenant"][1]),
        ({"customAttributes": "{}"}, EACH["claims no JSON"][1]),
        ({"providerUserInfo": []}, EACH["no rawId"][1]),
        ({"phoneNumber": TWO}, EACH["number"][1]),
        ({"email": A}, EACH["address"][1]),
        ({"emailVerified": True}, EACH["factors unverified"][1]),
        ({"mfaInfo": [factor("5555"), factor(None)]}, EACH["factor with a bad number"][1]),
        ({"mfaInfo": [factor()]}, None),
    ]:
        if message is None:
            assert errors(project, user | repair) == []
        else:
            assert errors(project, user) == [(0, message)]
        user |= repair


def test_a_taken_address_with_a_sanity_check(project):
    occupied(project)
    user = {"localId": "1", "email": B}
    assert errors(project, user, sanityCheck=True) == [
        (0, "email exists in other account in database")
    ]
    project.configure("signIn.allowDuplicateEmails", signIn={"allowDuplicateEmails": True})
    assert errors(project, user, sanityCheck=True) == [(0, EACH["taken address"][1])]


# MARK: What is stored


def test_what_is_imported(project):
    before = int(time.time())
    given = {
        "localId": "1",
        "email": "Ann@Example.COM",
        "displayName": "Ann",
        "photoUrl": "http://localhost/a.png",
        "lastLoginAt": "1000",
        "createdAt": "2000",
        "emailVerified": True,
        "disabled": True,
        "phoneNumber": ONE,
        "customAttributes": '{"a":1}',
        "providerUserInfo": [
            google("g")
            | {
                "email": B,
                "displayName": "G",
                "federatedId": "f",
                "screenName": "s",
                "photoUrl": "http://localhost/g",
            }
        ],
        "mfaInfo": [factor(TWO, displayName="Mine")],
        # None of these.
        "validSince": "5",
        "lastRefreshAt": "2001-01-01T00:00:00.000Z",
        "emailLinkSignin": True,
        "customAuth": True,
        "initialEmail": B,
        "screenName": "ann",
        "dateOfBirth": "2001",
        "passkeyInfo": [{"credentialId": "p", "name": "n"}],
        "language": "de",
        "timeZone": "x",
        "version": 3,
    }
    assert errors(project, given) == []
    user = project.user("1")
    [imported] = user.pop("mfaInfo")
    assert re.fullmatch(r"[A-Za-z0-9]{28}", imported.pop("mfaEnrollmentId"))
    assert imported.pop("enrolledAt").endswith("Z")
    assert imported == {"phoneInfo": TWO, "unobfuscatedPhoneInfo": TWO, "displayName": "Mine"}
    entries = {entry.pop("providerId"): entry for entry in user.pop("providerUserInfo")}
    assert entries["google.com"] == {
        "rawId": "g",
        "email": B,
        "displayName": "G",
        "federatedId": "f",
        "screenName": "s",
        "photoUrl": "http://localhost/g",
    }
    assert entries["phone"] == {"phoneNumber": ONE, "rawId": ONE}
    assert before <= int(user.pop("validSince")) <= time.time() + 1
    assert user == {
        "localId": "1",
        "email": "ann@example.com",
        "displayName": "Ann",
        "photoUrl": "http://localhost/a.png",
        "lastLoginAt": "1000",
        "createdAt": "2000",
        "emailVerified": True,
        "disabled": True,
        "phoneNumber": ONE,
        "customAttributes": '{"a":1}',
    }


def test_a_number_that_comes_twice_is_the_later_ones(project):
    assert errors(project, *[{"localId": n, "phoneNumber": ONE} for n in ("z", "a")]) == []
    [found] = project.admin("/accounts:lookup", {"phoneNumber": [ONE]})["users"]
    assert found["localId"] == "a"


def test_what_is_stored_of_little(project):
    before = int(time.time() * 1000)
    assert errors(project, {"localId": "1", "createdAt": "then"}) == []
    user = project.user("1")
    assert before <= int(user.pop("createdAt")) <= time.time() * 1000 + 1000
    assert user.pop("validSince").isdigit()
    assert user == {"localId": "1", "emailVerified": False, "disabled": False}


def test_passwords_in_clear_are_imported(project):
    assert (
        errors(
            project,
            {"localId": "1", "email": A, "rawPassword": "a"},
            {
                "localId": "2",
                "email": B,
                "passwordHash": "fakeHash:salt=abc:password=b c",
                "salt": "abc",
            },
        )
        == []
    )
    for uid, email, password in [("1", A, "a"), ("2", B, "b c")]:
        user = project.user(uid)
        assert type(user["passwordUpdatedAt"]) in (int, float)
        assert user["passwordHash"] and user["salt"]
        assert [entry["providerId"] for entry in user["providerUserInfo"]] == ["password"]
        session = project.call("signInWithPassword", {"email": email, "password": password})
        assert session["localId"] == uid
        assert (
            project.error("signInWithPassword", {"email": email, "password": password + "x"})
            == "INVALID_PASSWORD"
        )


def test_a_hash_of_no_named_algorithm_matches_nothing(project):
    assert (
        errors(project, {"localId": "1", "email": A, "passwordHash": "aGFzaA==", "salt": "c2E="})
        == []
    )
    user = project.user("1")
    assert (user["passwordHash"], user["salt"]) == ("aGFzaA==", "c2E=")
    for password in ("hash", "aGFzaA=="):
        assert (
            project.error("signInWithPassword", {"email": A, "password": password})
            == "INVALID_PASSWORD"
        )


def test_overwriting_replaces_everything(project):
    assert (
        errors(
            project,
            {
                "localId": "1",
                "email": A,
                "phoneNumber": ONE,
                "displayName": "Ann",
                "rawPassword": "secret1",
                "providerUserInfo": [google("g")],
            },
        )
        == []
    )
    session = project.sign_in(A)
    assert errors(project, {"localId": "1", "email": B}, allowOverwrite=True) == []
    user = project.user("1")
    assert user["email"] == B
    assert not {"phoneNumber", "displayName", "passwordHash", "providerUserInfo"} & user.keys()
    assert project.idp("google.com", {"sub": "g"})["isNewUser"] is True
    assert project.phone(ONE)["isNewUser"] is True
    assert project.sign_up(A)["localId"] != "1"
    assert session["localId"] == "1"


def test_importing_into_a_tenant(project):
    assert (
        errors(
            project, {"localId": "1", "email": A, "tenantId": "t1"}, {"localId": "2"}, tenant="t1"
        )
        == []
    )
    assert [user["tenantId"] for user in project.users(tenant="t1")] == ["t1", "t1"]
    assert errors(project, {"localId": "3"}, tenantId="t1") == []
    assert ids(project.users(tenant="t1")) == ["1", "2", "3"] and project.users() == []


# MARK: batchGet


def pages(project, size=None, tenant=None) -> list[list[str]]:
    found, token = [], None
    while True:
        params = {} if size is None else {"maxResults": size}
        answer = download(project, tenant, **params, **({"nextPageToken": token} if token else {}))
        assert answer["kind"] == DOWNLOADED and answer["users"] is not None
        found.append(ids(answer["users"]))
        token = answer.get("nextPageToken")
        if not token:
            return found
        assert token == found[-1][-1]


@pytest.mark.parametrize(
    "count, size, expected",
    [
        (0, None, [0]),
        (3, 2, [2, 1]),
        (2, 2, [2, 0]),
        (4, 2, [2, 2, 0]),
        (3, -1, [3]),
        (20, None, [20, 0]),
        (21, 0, [20, 1]),
        (3, 1000, [3]),
        (3, 5000, [3]),
        (1001, -1, [1001]),
        (1001, 5000, [1000, 1]),
    ],
)
def test_downloading(project, count, size, expected):
    names = [f"u{n:04}" for n in range(count)]
    if count:
        assert errors(project, *({"localId": name} for name in reversed(names))) == []
    found = pages(project, size)
    assert [len(page) for page in found] == expected and sum(found, []) == names


def test_downloading_a_tenant(project):
    assert errors(project, {"localId": "1"}, {"localId": "2"}, tenant="t1") == []
    assert pages(project, 1, tenant="t1") == [["1"], ["2"], []]
    assert ids(download(project, tenantId="t1")["users"]) == ["1", "2"]
    assert download(project)["users"] == []


@pytest.mark.parametrize("size", ["x", "1.5"])
def test_invalid_sizes(project, size):
    answer = download(project, status=400, maxResults=size)
    assert answer["error"]["message"] == "Invalid JSON payload received.  must be integer"


def test_the_whole_record_is_downloaded(project):
    session = project.verified(A)
    project.enroll(session, ONE)
    project.factor(
        "passkeyEnrollment:finalize",
        {"idToken": session["idToken"], "authenticatorRegistrationResponse": {"id": "p"}},
    )
    [user] = download(project)["users"]
    assert user == project.user(session["localId"])
    assert user["mfaInfo"][0]["phoneInfo"] == ONE
    assert user["passwordHash"] and user["salt"] and user["passkeyInfo"]


# MARK: batchDelete


@pytest.mark.parametrize(
    "body", [{}, {"localIds": []}, {"localIds": [str(n) for n in range(1001)], "force": True}]
)
def test_lists_of_ids_that_are_refused(project, body):
    assert project.admin_error("/accounts:batchDelete", body) == "LOCAL_ID_LIST_EXCEEDS_LIMIT"


def test_deleting_many(project):
    assert errors(project, *({"localId": str(n), "disabled": n % 2 == 0} for n in range(6))) == []
    assert project.admin(
        "/accounts:batchDelete", {"localIds": ["0", "1", "unknown", "2", "3"]}
    ) == {
        "errors": [
            {
                "index": index,
                "localId": uid,
                "message": "NOT_DISABLED : Disable the account before batch deletion.",
            }
            for index, uid in [(1, "1"), (4, "3")]
        ]
    }
    assert ids(project.users()) == ["1", "3", "4", "5"]
    many = {"localIds": [str(n) for n in range(1000)], "force": True}
    assert project.admin("/accounts:batchDelete", many) == {}
    assert project.users() == []


def test_deleting_in_a_tenant(project):
    assert errors(project, {"localId": "1"}) == []
    assert errors(project, {"localId": "1"}, {"localId": "2"}, tenant="t1") == []
    body = {"localIds": ["1"], "force": True}
    assert project.admin("/accounts:batchDelete", body, tenant="t1") == {}
    assert (
        project.admin("/accounts:batchDelete", {**body, "localIds": ["2"], "tenantId": "t1"}) == {}
    )
    assert ids(project.users()) == ["1"] and project.users(tenant="t1") == []


# MARK: Query


@pytest.mark.parametrize(
    "body, expected",
    [
        ({}, ["A", "B", "a", "b"]),
        ({"order": "ASC"}, ["A", "B", "a", "b"]),
        ({"order": "DESC"}, ["b", "a", "B", "A"]),
        ({"order": 2}, ["b", "a", "B", "A"]),
        ({"sortBy": "USER_ID"}, ["A", "B", "a", "b"]),
        ({"sortBy": "SORT_BY_FIELD_UNSPECIFIED"}, ["A", "B", "a", "b"]),
        ({"returnUserInfo": True}, ["A", "B", "a", "b"]),
        ({"offset": "0"}, ["A", "B", "a", "b"]),
        ({"expression": []}, ["A", "B", "a", "b"]),
        ({"returnUserInfo": False}, None),
    ],
)
@pytest.mark.parametrize("tenant", [None, "t1"])
def test_querying(project, body, expected, tenant):
    assert errors(project, *({"localId": name} for name in "bAaB"), tenant=tenant) == []
    paths = ["/accounts:query"] if tenant else ["/accounts:query", ":queryAccounts"]
    for path in paths:
        answer = project.admin(path, body, tenant=tenant)
        assert answer["recordsCount"] == "4"
        assert (ids(answer["userInfo"]) if "userInfo" in answer else None) == expected
    if tenant:
        assert project.admin("/accounts:query", body | {"tenantId": tenant})["recordsCount"] == "4"


def test_querying_nothing(project):
    assert project.admin("/accounts:query", {}) == {"recordsCount": "0", "userInfo": []}
    tenant = project.disabled_tenant()
    assert project.admin_error("/accounts:query", tenant=tenant) == "PROJECT_DISABLED"


def test_querying_has_no_limit_of_its_own(project):
    assert errors(project, *({"localId": f"{n:04}"} for n in range(600))) == []
    assert len(project.users()) == 600


# MARK: The legacy forms

V3 = "/www.googleapis.com/identitytoolkit/v3/relyingparty/"


def test_the_legacy_upload_and_download(project):
    answer = project.owner(
        "POST",
        V3 + "uploadAccount",
        json={
            "targetProjectId": project.id,
            "users": [{"localId": n, "email": f"{n}@example.com"} for n in ("1", "2", "3")],
        },
    )
    assert answer == {"kind": UPLOADED, "error": []}
    answer = project.owner(
        "POST", V3 + "downloadAccount", json={"target_project_id": project.id, "maxResults": 2}
    )
    assert answer["kind"] == DOWNLOADED
    assert (ids(answer["users"]), answer["nextPageToken"]) == (["1", "2"], "2")
    answer = project.owner(
        "POST",
        V3 + "downloadAccount",
        json={"targetProjectId": project.id, "maxResults": 2, "nextPageToken": "2"},
    )
    assert ids(answer["users"]) == ["3"] and "nextPageToken" not in answer


@pytest.mark.parametrize("name", ["uploadAccount", "downloadAccount"])
@pytest.mark.parametrize("headers", [{}, {"Authorization": "Bearer owner"}])
def test_the_legacy_forms_want_a_project(project, name, headers):
    answer = project.request("POST", V3 + name, 400, json={}, headers=headers)
    assert answer["error"]["message"] == "INSUFFICIENT_PERMISSION"


@pytest.mark.parametrize(
    "name, body", [("uploadAccount", {"users": [{"localId": "1"}]}), ("downloadAccount", {})]
)
def test_the_legacy_forms_want_the_owner(project, name, body):
    body = {**body, "targetProjectId": project.id}
    answer = project.request("POST", V3 + name, 400, params={"key": project.id}, json=body)
    assert answer["error"]["message"] == (
        "INSUFFICIENT_PERMISSION : Only authenticated requests can specify target_project_id."
    )


def test_a_large_legacy_upload(project):
    """The official emulator's limit is 100 KiB and an answer of its own; here it may succeed."""
    users = [{"localId": f"{n:05}", "displayName": "x" * 100} for n in range(2000)]
    reply = requests.post(
        project.server.auth + V3 + "uploadAccount",
        timeout=30,
        json={"targetProjectId": project.id, "users": users},
        headers={"Authorization": "Bearer owner"},
    )
    assert reply.status_code in (200, 413)
    if reply.status_code == 200:
        assert len(project.users()) == 2000


# MARK: Sessions of a user who is overwritten


def test_an_imported_session_ends_where_the_import_begins(project):
    session = project.sign_up(A)
    uid = session["localId"]
    project.advance("PT2S")
    assert (
        errors(project, {"localId": uid, "email": A, "rawPassword": "secret1"}, allowOverwrite=True)
        == []
    )
    assert project.error("lookup", {"idToken": session["idToken"]}) == "TOKEN_EXPIRED"
    assert claims(project.sign_in(A))["sub"] == uid


def test_a_hash_without_a_salt_stays_without(project):
    upload(project, {"localId": "u", "passwordHash": "aGFzaA=="})
    user = project.user("u")
    assert user["passwordHash"] == "aGFzaA==" and "salt" not in user
    assert "salt" not in download(project)["users"][0]
