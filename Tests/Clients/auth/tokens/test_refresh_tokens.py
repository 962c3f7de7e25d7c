"""Exchanging refresh tokens."""

import itertools

import pytest
import requests
from support.auth.accounts import GOOD, cases, exchange, hearth, refresh, update  # noqa: F401
from support.auth.project import claims
from support.steering import Steered, guard, project  # noqa: F401
from support.wire import TOKEN, decoded

A, B, C = "a@example.com", "b@example.com", "c@example.com"
ONE = "+15555550100"
SCHEMA = "Invalid JSON payload received. "


# MARK: Refreshing


def test_what_refreshing_answers(project):
    session = project.sign_up(A)
    answer = refresh(project, session)
    assert list(answer) == [
        "id_token",
        "access_token",
        "expires_in",
        "refresh_token",
        "token_type",
        "user_id",
        "project_id",
    ]
    assert answer["id_token"] == answer["access_token"]
    assert (answer["expires_in"], answer["token_type"], answer["project_id"]) == (
        "3600",
        "Bearer",
        "12345",
    )
    assert answer["user_id"] == session["localId"]
    assert isinstance(answer["refresh_token"], str) and answer["refresh_token"]


FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize(
    "names",
    cases(
        {
            "snake case": (["grant_type", "refresh_token"],),
            "camel case": (["grantType", "refreshToken"],),
            "mixed": (["grant_type", "refreshToken"],),
        }
    ),
)
@pytest.mark.parametrize("form", ["json", "form"])
def test_the_forms_of_refreshing(project, names, form):
    session = project.sign_up(A)
    body = dict(zip(names, ("refresh_token", session["refreshToken"]))) | {"code": "ignored"}
    options = {"json": body} if form == "json" else {"data": body, "headers": FORM}
    answer = project.request("POST", TOKEN, params={"key": project.id}, **options)
    assert answer["user_id"] == session["localId"]


@pytest.mark.parametrize(
    "name, pointer", [("grant_type", "/grantType"), ("refresh_token", "/refreshToken")]
)
def test_a_key_of_a_form_comes_once(project, name, pointer):
    session = project.sign_up(A)
    fields = [("grant_type", "refresh_token"), ("refresh_token", session["refreshToken"])]
    fields += [field for field in fields if field[0] == name]
    answer = project.request(
        "POST", TOKEN, 400, params={"key": project.id}, data=fields, headers=FORM
    )
    assert answer["error"]["message"] == f"{SCHEMA}{pointer} must be string"
    assert answer["error"]["status"] == "INVALID_ARGUMENT"


def test_refreshing_wants_a_key_and_looks_at_no_bearer(project):
    body = {"grant_type": "refresh_token", "refresh_token": project.sign_up(A)["refreshToken"]}
    owner = {"Authorization": "Bearer owner"}
    answer = project.request("POST", TOKEN, 403, json=body, headers=owner)
    assert answer["error"]["message"] == "The request is missing a valid API key."
    for value in ("Bearer unknown", "Bearer owner"):
        project.request(
            "POST", TOKEN, params={"key": project.id}, json=body, headers={"Authorization": value}
        )
    project.request("POST", TOKEN, json=body, headers={"x-goog-api-key": project.id})


def test_refreshing_may_name_the_project_in_its_body(project):
    """Only where a Bearer could be used is it a privilege."""
    session = project.sign_up(A)
    other = Steered(project.server)
    answer = other.post(
        TOKEN,
        {
            "grant_type": "refresh_token",
            "refresh_token": session["refreshToken"],
            "targetProjectId": project.id,
        },
    )
    assert decoded(answer["id_token"])[1]["aud"] == project.id


def test_a_refresh_token_stays_good(project):
    session = project.sign_up(A)
    first = refresh(project, session)
    project.advance("P30D")
    for token in (session["refreshToken"], first["refresh_token"]):
        assert refresh(project, {"refreshToken": token})["user_id"] == session["localId"]


def test_a_refreshed_token_shows_the_user_of_today(project):
    session = exchange(project, GOOD | {"claims": {"role": "admin"}})
    before, token = project.user("u"), claims(session)
    project.advance("PT2H")
    update(project, "u", displayName="Ann", phoneNumber=ONE, customAttributes='{"level":3}')
    again = decoded(refresh(project, session)["id_token"])[1]
    assert (again["name"], again["phone_number"], again["level"], again["role"]) == (
        "Ann",
        ONE,
        3,
        "admin",
    )
    assert again["firebase"] == {"identities": {"phone": [ONE]}, "sign_in_provider": "custom"}
    assert again["auth_time"] == token["auth_time"] == int(before["lastLoginAt"]) // 1000
    assert again["iat"] >= token["iat"] + 7200 and again["exp"] == again["iat"] + 3600
    after = project.user("u")
    assert after["lastLoginAt"] == before["lastLoginAt"]
    assert after["lastRefreshAt"] > before["lastRefreshAt"]


def test_auth_time_is_that_of_the_last_login(project):
    first = project.sign_up(A)
    project.advance("PT1H")
    second = project.sign_in(A)
    project.advance("PT1H")
    again = decoded(refresh(project, first)["id_token"])[1]
    assert again["auth_time"] == claims(second)["auth_time"] >= claims(first)["auth_time"] + 3600


def test_refreshing_in_a_disabled_tenant(project):
    session = project.sign_up(A, tenantId="t1")
    project.owner(
        "PATCH",
        f"{project.v2}/tenants/t1",
        params={"updateMask": "disableAuth"},
        json={"disableAuth": True},
    )
    again = decoded(refresh(project, session)["id_token"])[1]
    assert again["firebase"]["tenant"] == "t1"


REFRESH_FAULTS = {
    "undecodable": (["token"], "INVALID_REFRESH_TOKEN"),
    "MISSING_GRANT_TYPE": (["grant"], "MISSING_GRANT_TYPE"),
    "INVALID_GRANT_TYPE": (["grant"], "INVALID_GRANT_TYPE"),
    "MISSING_REFRESH_TOKEN": (["token"], "MISSING_REFRESH_TOKEN"),
    "another project": (["project"], "INVALID_REFRESH_TOKEN"),
    "a user who is gone": (["user"], "INVALID_REFRESH_TOKEN"),
    "USER_DISABLED": (["user"], "USER_DISABLED"),
}


def refreshing_with(project, *faults: str) -> str:
    session = project.sign_up(A)
    body = {"grant_type": "refresh_token", "refresh_token": session["refreshToken"]}
    caller = project
    for fault in faults:
        match fault:
            case "undecodable":
                body["refresh_token"] = "x"
            case "MISSING_GRANT_TYPE":
                del body["grant_type"]
            case "INVALID_GRANT_TYPE":
                body["grant_type"] = "authorization_code"
            case "MISSING_REFRESH_TOKEN":
                del body["refresh_token"]
            case "another project":
                caller = Steered(project.server)
            case "a user who is gone":
                project.admin("/accounts:delete", {"localId": session["localId"]})
            case "USER_DISABLED":
                update(project, session["localId"], disableUser=True)
    return caller.error(TOKEN, body)


@pytest.mark.parametrize("fault", REFRESH_FAULTS)
def test_what_refreshing_refuses(project, fault):
    assert refreshing_with(project, fault) == REFRESH_FAULTS[fault][1]


# The token of a deleted user is deleted, too, and is reported first, unlike the official emulator.
REFRESH_PAIRS = [
    (first, second)
    for first, second in itertools.combinations(REFRESH_FAULTS, 2)
    if REFRESH_FAULTS[first][0] != REFRESH_FAULTS[second][0]
    and not (first.endswith("GRANT_TYPE") and second == "a user who is gone")
]


@pytest.mark.parametrize(
    "first, second", REFRESH_PAIRS, ids=[f"{one} before {two}" for one, two in REFRESH_PAIRS]
)
def test_the_order_of_refreshing(project, first, second):
    assert refreshing_with(project, first, second) == REFRESH_FAULTS[first][1]


@pytest.mark.parametrize(
    "body, message",
    cases(
        {
            "empty grant": ({"grant_type": "", "refresh_token": ""}, "MISSING_GRANT_TYPE"),
            "empty token": (
                {"grant_type": "refresh_token", "refresh_token": ""},
                "MISSING_REFRESH_TOKEN",
            ),
            "another grant in capitals": ({"grant_type": "REFRESH_TOKEN"}, "INVALID_GRANT_TYPE"),
            "nothing": ({}, "MISSING_GRANT_TYPE"),
            "a wrong type beside a bad token": (
                {"grant_type": True, "refresh_token": "x"},
                SCHEMA + "/grantType must be string",
            ),
            "a code of a wrong type": ({"code": []}, SCHEMA + "/code must be string"),
        }
    ),
)
def test_bodies_of_refreshing(project, body, message):
    assert project.error(TOKEN, body) == message


def test_refreshing_is_a_post(project):
    reply = requests.get(project.server.auth + TOKEN, params={"key": project.id}, timeout=30)
    assert (reply.status_code, reply.headers["Allow"]) == (405, "POST")
