"""Deleting and querying accounts."""

import pytest
from support.auth.accounts import (  # noqa: F401
    INSUFFICIENT,
    cases,
    disabled,
    gone,
    hearth,
    oob_codes,
    refresh,
    registered,
    revoked,
    update,
)
from support.auth.project import IT, claims
from support.auth.sign_in import enter, finalize
from support.steering import guard, project  # noqa: F401

A, B, C = "a@example.com", "b@example.com", "c@example.com"
ONE = "+15555550100"
SCHEMA = "Invalid JSON payload received. "


# MARK: Whom the tests need


def refuse(project, privileged: bool, verb: str, body: dict) -> str:
    if privileged:
        return project.admin_error(f"/accounts:{verb}", body)
    return project.error(verb, body)


# MARK: Deleting

DELETED = {"kind": "identitytoolkit#DeleteAccountResponse"}


def test_a_user_deletes_themselves_once(project):
    session = project.sign_up(A)
    assert project.call("delete", {"idToken": session["idToken"]}) == DELETED
    assert project.users() == []
    assert project.error("delete", {"idToken": session["idToken"]}) == "USER_NOT_FOUND"


def test_the_owner_deletes_anybody(project):
    session = disabled(project)
    other = project.sign_up(B)["localId"]
    body = {"localId": session["localId"], "delegatedProjectNumber": "1"}
    assert project.admin("/accounts:delete", body) == DELETED
    assert [user["localId"] for user in project.users()] == [other]
    assert project.admin_error("/accounts:delete", body) == "USER_NOT_FOUND"


def test_a_privileged_call_without_a_project_in_its_path(project):
    uid = project.sign_up(A)["localId"]
    answer = project.owner(
        "POST", f"{IT}/v1/accounts:delete", json={"localId": uid, "targetProjectId": project.id}
    )
    assert answer == DELETED and project.users() == []


@pytest.mark.parametrize("privileged", [True, False], ids=["owner", "user"])
def test_only_the_credential_selects_the_deleted_user(project, privileged):
    """A user's localId and an owner's idToken are ignored."""
    ann, bob = project.sign_up(A), project.sign_up(B)
    body = {"idToken": ann["idToken"], "localId": bob["localId"]}
    if privileged:
        project.admin("/accounts:delete", body)
    else:
        project.call("delete", body)
    [left] = project.users()
    assert left["localId"] == (ann if privileged else bob)["localId"]


@pytest.mark.parametrize(
    "privileged, make, message",
    cases(
        {
            "owner with nothing": (True, lambda p: {}, "MISSING_LOCAL_ID"),
            "owner with a token only": (
                True,
                lambda p: {"idToken": p.sign_up(A)["idToken"]},
                "MISSING_LOCAL_ID",
            ),
            "owner with a broken token only": (
                True,
                lambda p: {"idToken": "x"},
                "MISSING_LOCAL_ID",
            ),
            "owner, unknown": (True, lambda p: {"localId": "unknown"}, "USER_NOT_FOUND"),
            "owner, unknown beside a good token": (
                True,
                lambda p: {"localId": "unknown", "idToken": p.sign_up(A)["idToken"]},
                "USER_NOT_FOUND",
            ),
            "owner, id in another case": (
                True,
                lambda p: {"localId": p.sign_up(A)["localId"].swapcase()},
                "USER_NOT_FOUND",
            ),
            "owner, id in another tenant": (
                True,
                lambda p: {"localId": p.sign_up(A, tenantId="t1")["localId"]},
                "USER_NOT_FOUND",
            ),
            "user with nothing": (False, lambda p: {}, "MISSING_ID_TOKEN"),
            "user with an id only": (
                False,
                lambda p: {"localId": p.sign_up(A)["localId"]},
                "MISSING_ID_TOKEN",
            ),
            "user with an empty token": (False, lambda p: {"idToken": ""}, "MISSING_ID_TOKEN"),
            "user with a broken token": (False, lambda p: {"idToken": "x"}, "INVALID_ID_TOKEN"),
            "user who is gone": (
                False,
                lambda p: {"idToken": gone(p)["idToken"]},
                "USER_NOT_FOUND",
            ),
            "user who is disabled": (
                False,
                lambda p: {"idToken": disabled(p)["idToken"]},
                "USER_DISABLED",
            ),
            "user who is revoked": (
                False,
                lambda p: {"idToken": revoked(p)["idToken"]},
                "TOKEN_EXPIRED",
            ),
            "user who is revoked and disabled": (
                False,
                lambda p: {"idToken": revoked(p, disableUser=True)["idToken"]},
                "TOKEN_EXPIRED",
            ),
        }
    ),
)
def test_what_deleting_refuses(project, privileged, make, message):
    body = make(project)
    before = project.users()
    assert refuse(project, privileged, "delete", body) == message
    assert project.users() == before


@pytest.mark.parametrize("privileged", [True, False], ids=["owner", "user"])
def test_deleting_in_a_disabled_tenant(project, privileged):
    """Before anything is missed."""
    body = {"tenantId": project.disabled_tenant()}
    assert refuse(project, privileged, "delete", body) == "PROJECT_DISABLED"


def test_a_tenants_user_is_deleted_in_the_tenant(project):
    """A token selects the tenant, also for the owner."""
    ann, bob = project.sign_up(A, tenantId="t1"), project.sign_up(B, tenantId="t1")
    assert (
        project.admin("/accounts:delete", {"localId": bob["localId"], "idToken": ann["idToken"]})
        == DELETED
    )
    assert [user["localId"] for user in project.users(tenant="t1")] == [ann["localId"]]
    assert project.call("delete", {"idToken": ann["idToken"]}) == DELETED
    session = project.sign_up(A, tenantId="t1")
    assert project.call("delete", {"idToken": session["idToken"]}) == DELETED
    uid = project.sign_up(A, tenantId="t1")["localId"]
    assert project.admin("/accounts:delete", {"localId": uid}, tenant="t1") == DELETED
    assert project.users(tenant="t1") == []


def test_a_deleted_user_is_not_found(project):
    """Address, first address, number, provider and passkey are free for another user."""
    first = project.idp("google.com", {"sub": "1", "email": A, "email_verified": True})
    uid = first["localId"]
    project.call("update", {"idToken": first["idToken"], "email": B})
    update(project, uid, phoneNumber=ONE)
    session = refresh_session(project, project.idp("google.com", {"sub": "1"}))
    finalize(project, session, {"id": "p1"})
    [recover] = [code for code in oob_codes(project) if code["requestType"] == "RECOVER_EMAIL"]
    project.admin("/accounts:delete", {"localId": uid})

    assert project.error("update", {"oobCode": recover["oobCode"]}) == "INVALID_OOB_CODE"
    assert enter(project, {"id": "p1"}, 400)["error"]["message"] == "PASSKEY_CREDENTIAL_NOT_FOUND"
    for email in (A, B):
        assert "users" not in project.admin("/accounts:lookup", {"email": [email]})
        assert registered(project, email)["registered"] is False
    for provider, raw in (("google.com", "1"), ("phone", ONE), ("password", B)):
        assert "users" not in project.admin(
            "/accounts:lookup", {"federatedUserId": [{"providerId": provider, "rawId": raw}]}
        )
    again = project.idp("google.com", {"sub": "1", "email": A, "email_verified": True})
    assert again["isNewUser"] is True and again["localId"] != uid
    assert project.phone(ONE)["isNewUser"] is True
    other = project.sign_up(B)
    finalize(project, other, {"id": "p1"})
    assert claims(enter(project, {"id": "p1"}))["sub"] == other["localId"]


def refresh_session(project, session: dict) -> dict:
    answer = refresh(project, session)
    return {"idToken": answer["id_token"], "refreshToken": answer["refresh_token"]}


def test_codes_outlive_the_user_they_are_for(project):
    project.sign_up(A)
    for kind in ("PASSWORD_RESET", "EMAIL_SIGNIN"):
        project.call(
            "sendOobCode", {"requestType": kind, "email": A, "continueUrl": "http://localhost/"}
        )
    before = oob_codes(project)
    project.admin("/accounts:delete", {"localId": project.users()[0]["localId"]})
    assert len(before) == 2 and oob_codes(project) == before
    assert project.call("resetPassword", {"oobCode": before[0]["oobCode"]})["email"] == A
    assert (
        project.call("signInWithEmailLink", {"email": A, "oobCode": before[1]["oobCode"]})[
            "isNewUser"
        ]
        is True
    )


# MARK: Querying

QUERIES = ["/accounts:query", ":queryAccounts"]


@pytest.mark.parametrize("path", [*QUERIES, "/tenants/t1/accounts:query"])
def test_a_query_without_privilege(project, path):
    assert project.error(project.v1 + path, {}) == INSUFFICIENT


@pytest.mark.parametrize("path", QUERIES)
def test_a_query_answers_whole_records(project, path):
    uid = project.sign_up(A, displayName="Ann")["localId"]
    answer = project.admin(path)
    assert answer.keys() == {"recordsCount", "userInfo"} and answer["recordsCount"] == "1"
    assert answer["userInfo"] == [project.user(uid)]


@pytest.mark.parametrize("path", QUERIES)
def test_a_query_without_results(project, path):
    assert project.admin(path) == {"recordsCount": "0", "userInfo": []}
    assert project.admin(path, {"returnUserInfo": False}) == {"recordsCount": "0"}


def test_a_query_sees_one_tenant_or_none(project):
    project.sign_up(A)
    mine = project.sign_up(A, tenantId="t1")["localId"]
    by_path = project.admin("/accounts:query", tenant="t1")
    assert by_path == project.admin("/accounts:query", {"tenantId": "t1"})
    assert [user["localId"] for user in by_path["userInfo"]] == [mine]
    assert project.admin("/accounts:query")["recordsCount"] == "1"


NAMES = ["a", "B", "10", "9", "é", "~", "-", "ﬀ"]


def named(project, *names: str) -> None:
    for name in names:
        project.admin("/accounts", {"localId": name})


def ids(answer: dict) -> list[str]:
    return [user["localId"] for user in answer["userInfo"]]


@pytest.mark.parametrize(
    "body, descends",
    cases(
        {
            "nothing": ({}, False),
            "ASC": ({"order": "ASC"}, False),
            "DESC": ({"order": "DESC"}, True),
            "unspecified": ({"order": "ORDER_UNSPECIFIED"}, False),
            "order 0": ({"order": 0}, False),
            "order 1": ({"order": 1}, False),
            "order 2": ({"order": 2}, True),
            "order '2'": ({"order": "2"}, True),
            "USER_ID": ({"sortBy": "USER_ID"}, False),
            "sortBy 1 DESC": ({"sortBy": 1, "order": 2}, True),
            "sortBy 0": ({"sortBy": 0}, False),
            "sort_by '1'": ({"sort_by": "1", "order": "DESC"}, True),
            "sortBy unspecified": ({"sortBy": "SORT_BY_FIELD_UNSPECIFIED"}, False),
            "offset 0": ({"offset": "0"}, False),
            "offset as a number": ({"offset": 0}, False),
            "empty limit": ({"limit": ""}, False),
            "no expression": ({"expression": []}, False),
            "returnUserInfo": ({"returnUserInfo": True}, False),
        }
    ),
)
def test_a_query_is_sorted_by_id(project, body, descends):
    named(project, *NAMES)
    expected = sorted(NAMES, reverse=descends)
    answer = project.admin("/accounts:query", body)
    assert answer["recordsCount"] == str(len(NAMES)) and ids(answer) == expected


def test_a_query_of_many_conditions(project):
    named(project, "a", "b", "c")
    uid = project.sign_up(A)["localId"]
    wanted = [{"userId": f"nobody-{number}"} for number in range(3_000)]
    wanted += [{"userId": "b"}, {"email": A}]
    answer = project.admin("/accounts:query", {"expression": wanted})
    assert sorted(ids(answer)) == sorted([uid, "b"])
    too_many = {"expression": [{"userId": "a"}] * 10_001}
    assert (
        project.admin_error("/accounts:query", too_many)
        == "INVALID_ARGUMENT : expression must have at most 10000 conditions"
    )


@pytest.mark.parametrize("order", ["ASC", "DESC"])
def test_ids_are_compared_by_utf16_units(project, order):
    names = ["\uff5e", "😀", "z", "\ue000"]
    named(project, *names)
    expected = sorted(names, key=lambda name: name.encode("utf-16-be"), reverse=order == "DESC")
    assert ids(project.admin("/accounts:query", {"order": order})) == expected


@pytest.mark.parametrize(
    "more",
    cases(
        {
            "alone": {},
            "a limit": {"limit": "1"},
            "an offset": {"offset": "2"},
            "zero": {"limit": "0"},
            "sorting": {"sortBy": "NAME", "order": "DESC"},
            "a limit that is not a number": {"limit": "abc"},
            "an offset that is not one": {"offset": "-1"},
        }
    ),
)
def test_counting_looks_at_nothing_else(project, more):
    named(project, "a", "b", "c")
    body = {"returnUserInfo": False, **more}
    assert project.admin("/accounts:query", body) == {"recordsCount": "3"}


@pytest.mark.parametrize(
    "body, problem",
    cases(
        {
            "returnUserInfo": ({"returnUserInfo": "false"}, "/returnUserInfo must be boolean"),
            "expression": ({"expression": {}}, "/expression must be array"),
            "expression of texts": ({"expression": ["x"]}, "/expression/0 must be object"),
            "limit": ({"limit": True}, "/limit must be string"),
            "offset": ({"offset": []}, "/offset must be string"),
            "order": ({"order": "UP"}, "/order must be equal to one of the allowed values"),
            "order 3": ({"order": 3}, "/order must be equal to one of the allowed values"),
            "sortBy": ({"sortBy": "user_id"}, "/sortBy must be equal to one of the allowed values"),
            "sortBy 6": ({"sortBy": 6}, "/sortBy must be equal to one of the allowed values"),
        }
    ),
)
def test_queries_of_a_wrong_form(project, body, problem):
    assert project.admin_error("/accounts:query", body) == SCHEMA + problem
    # The form is judged before the tenant, and before privilege.
    tenant = project.disabled_tenant()
    assert project.admin_error("/accounts:query", body, tenant=tenant) == SCHEMA + problem
    assert project.error(f"{project.v1}/accounts:query", body) == SCHEMA + problem


@pytest.mark.parametrize(
    "body",
    cases(
        {
            "nothing": {},
            "a count": {"returnUserInfo": False},
            "an expression": {"expression": [{"email": A}]},
            "a limit that is not a number": {"limit": "abc"},
        }
    ),
)
def test_a_query_in_a_disabled_tenant(project, body):
    tenant = project.disabled_tenant()
    assert project.admin_error("/accounts:query", body, tenant=tenant) == "PROJECT_DISABLED"
