"""Refusals of blocking functions, as recorded from production."""

import json
import threading

import pytest
from support.auth.functions import Functions
from support.auth.production import Production, claims
from support.server import Server


@pytest.fixture(scope="module")
def server():
    server = Server("--profile", "production")
    yield server
    server.stop()


@pytest.fixture
def functions():
    functions = Functions()
    yield functions
    functions.server.shutdown()


@pytest.fixture
def project(server, functions) -> Production:
    project = Production(server)
    project.configure(
        "blockingFunctions",
        {
            "blockingFunctions": {
                "triggers": {
                    event: {"functionUri": functions.url(event)}
                    for event in ("beforeCreate", "beforeSignIn")
                }
            }
        },
    )
    return project


def test_a187_a_refusal_is_passed_on(project, functions):
    refusal = {"error": {"message": "not you", "status": "PERMISSION_DENIED"}}
    functions.answers["beforeSignIn"] = (403, refusal)
    project.user("refused")
    assert functions.seen == [], "A191"
    call = project.to_v1(
        "signInWithPassword",
        email="refused@example.com",
        password="password123",
        returnSecureToken=True,
    )
    assert project.refusal(*call) == (
        "BLOCKING_FUNCTION_ERROR_RESPONSE : HTTP Cloud Function returned an error: "
        + json.dumps(refusal)
    )


def test_a188_a190_both_run_at_sign_up_and_claims_of_the_session_stay(project, functions):
    functions.answers["beforeSignIn"] = {
        "userRecord": {"updateMask": "sessionClaims", "sessionClaims": {"from": "session"}}
    }
    answer = project.ok(
        *project.to_v1(
            "signUp", email="both@example.com", password="password123", returnSecureToken=True
        )
    )
    assert functions.seen == ["beforeCreate", "beforeSignIn"]
    form = {"grant_type": "refresh_token", "refresh_token": answer["refreshToken"]}
    assert claims(project.ok(*project.token(**form))["id_token"])["from"] == "session"


def test_a_refused_mail_and_the_longest_wait(server, project, functions):
    project.user("mailed")
    project.configure(
        "blockingFunctions",
        {
            "blockingFunctions": {
                "triggers": {"beforeSendEmail": {"functionUri": functions.url("beforeSendEmail")}}
            }
        },
    )
    refusal = {"error": {"message": "no mail", "status": "PERMISSION_DENIED"}}
    functions.answers["beforeSendEmail"] = (403, refusal)
    call = project.to_v1("sendOobCode", requestType="PASSWORD_RESET", email="mailed@example.com")
    assert project.refusal(*call) == (
        "BLOCKING_FUNCTION_ERROR_RESPONSE : HTTP Cloud Function returned an error: "
        + json.dumps(refusal)
    )
    done = threading.Event()
    functions.answers["beforeSendEmail"] = lambda _: done.wait(25) and {}
    try:
        assert project.refusal(*call) == (
            "BLOCKING_FUNCTION_ERROR_RESPONSE : Cloud function deadline exceeded."
        )
    finally:
        done.set()
