"""Blocking functions before mails and text messages: what they are sent, and what they decide."""

import re
import time

import pytest
from support.auth.functions import Functions
from support.auth.project import Project
from support.server import PROJECT, Server

SENDS = ("beforeSendEmail", "beforeSendSms")
A, ONE, TEST = "a@example.com", "+15555550100", "+15555550111"
FAILED = "BLOCKING_FUNCTION_ERROR_RESPONSE : "
REFUSAL = (403, {"error": {"message": "not now", "status": "PERMISSION_DENIED"}})


@pytest.fixture(scope="module")
def played():
    functions = Functions()
    yield functions
    functions.close()


@pytest.fixture
def functions(played):
    played.answers.clear()
    played.forget()
    return played


@pytest.fixture
def project(hearth, functions) -> Project:
    """Both functions are configured and let everything pass."""
    project = Project(hearth)
    answer = project.configure(
        "blockingFunctions",
        blockingFunctions={
            "triggers": {event: {"functionUri": functions.url(event)} for event in SENDS}
        },
    )
    assert answer["blockingFunctions"]["triggers"].keys() == set(SENDS)
    return project


def reset(project: Project, status: int = 200, **more) -> dict:
    return project.call(
        "sendOobCode", {"requestType": "PASSWORD_RESET", "email": A, **more}, status
    )


def sign_in_link(project: Project, **more) -> dict:
    return project.call(
        "sendOobCode",
        {"requestType": "EMAIL_SIGNIN", "email": A, "continueUrl": "http://localhost/", **more},
    )


def messages(project: Project) -> list[dict]:
    return project.request("GET", project.control + "/messages")["messages"]


def envelope(claims: dict, project: Project, functions: Functions, event: str) -> dict:
    """Checks what all events have, and returns the rest. It is about nobody."""
    assert claims.pop("iss") == f"https://securetoken.google.com/{project.id}"
    assert claims.pop("aud") == functions.url(event)
    assert claims.pop("exp") == claims["iat"] + 600
    assert abs(claims.pop("iat") - time.time()) < 300
    assert re.fullmatch(r"[A-Za-z0-9_-]{16}", claims.pop("event_id"))
    assert claims.pop("event_type") == event
    assert claims.pop("user_agent").startswith("python-requests/")
    assert claims.pop("ip_address") == "127.0.0.1"
    assert claims.pop("locale") == "en"
    return claims


# MARK: What is asked


@pytest.mark.parametrize("kind", ["PASSWORD_RESET", "EMAIL_SIGN_IN"])
def test_a_mail_is_asked_about(project, functions, kind):
    project.sign_up(A)
    reset(project) if kind == "PASSWORD_RESET" else sign_in_link(project)
    name, claims = functions.call()
    assert functions.quiet()
    assert envelope(claims, project, functions, name) == {"email": A, "email_type": kind}
    [message] = messages(project)
    verdict = {"event": "beforeSendEmail", "url": functions.url("beforeSendEmail")}
    assert message["delivery"] == {"state": "delivered", "verdict": verdict}
    one = project.request("GET", f"{project.control}/messages/{message['id']}")
    assert one["delivery"]["verdict"] == verdict


def test_the_link_of_an_administrator_is_asked_about(project, functions):
    project.sign_up(A)
    body = {"requestType": "PASSWORD_RESET", "email": A, "returnOobLink": True}
    assert project.admin("/accounts:sendOobCode", body)["oobLink"]
    assert functions.call()[1]["email_type"] == "PASSWORD_RESET"
    [message] = messages(project)
    assert message["delivery"]["state"] == "notSent"
    assert message["delivery"]["verdict"]["event"] == "beforeSendEmail"
    functions.answers["beforeSendEmail"] = REFUSAL
    assert project.admin_error("/accounts:sendOobCode", body).startswith(FAILED)


def test_mails_that_verify_are_not_asked_about(project, functions):
    token = project.sign_up(A)["idToken"]
    project.call("sendOobCode", {"requestType": "VERIFY_EMAIL", "idToken": token})
    project.call(
        "sendOobCode",
        {"requestType": "VERIFY_AND_CHANGE_EMAIL", "idToken": token, "newEmail": "b@example.com"},
    )
    assert functions.quiet()
    assert [message["delivery"] for message in messages(project)] == [{"state": "delivered"}] * 2


def test_an_unknown_address_is_not_asked_about(project, functions):
    project.configure("emailPrivacyConfig", emailPrivacyConfig={"enableImprovedEmailPrivacy": True})
    reset(project)
    assert functions.quiet() and messages(project) == []


def test_a_code_for_signing_in_is_asked_about(project, functions):
    project.sms(ONE)
    name, claims = functions.call()
    assert envelope(claims, project, functions, name) == {
        "phone_number": ONE,
        "sms_type": "SIGN_IN_OR_SIGN_UP",
    }
    [message] = messages(project)
    assert message["delivery"]["verdict"]["event"] == "beforeSendSms"


def test_codes_of_second_factors_are_asked_about(project, functions):
    project.enroll(project.verified(A), ONE)
    assert functions.call()[1]["sms_type"] == "MULTI_FACTOR_ENROLLMENT"
    pending = project.sign_in(A)
    project.factor(
        "mfaSignIn:start",
        {
            "mfaPendingCredential": pending["mfaPendingCredential"],
            "mfaEnrollmentId": pending["mfaInfo"][0]["mfaEnrollmentId"],
            "phoneSignInInfo": {},
        },
    )
    name, claims = functions.call()
    assert envelope(claims, project, functions, name) == {
        "phone_number": ONE,
        "sms_type": "MULTI_FACTOR_SIGN_IN",
    }


def test_a_test_number_is_not_asked_about(project, functions):
    project.configure(
        "signIn.phoneNumber",
        signIn={"phoneNumber": {"enabled": True, "testPhoneNumbers": {TEST: "123456"}}},
    )
    functions.answers["beforeSendSms"] = REFUSAL
    assert project.call("sendVerificationCode", {"phoneNumber": TEST})["sessionInfo"]
    assert functions.quiet()


def test_a_mail_of_a_tenant_is_asked_about_without_its_name(project, functions):
    tenant = project.tenant(allowPasswordSignup=True, enableEmailLinkSignin=True)
    sign_in_link(project, tenantId=tenant)
    name, claims = functions.call()
    assert envelope(claims, project, functions, name) == {"email": A, "email_type": "EMAIL_SIGN_IN"}


# MARK: What it decides


def test_a_refused_mail_is_not_sent(project, functions):
    project.sign_up(A)
    functions.answers["beforeSendEmail"] = REFUSAL
    message = reset(project, 400)["error"]["message"]
    assert message == (
        f"{FAILED}((HTTP request to {functions.url('beforeSendEmail')} returned HTTP error 403: "
        '{"error": {"message": "not now", "status": "PERMISSION_DENIED"}}))'
    )
    assert messages(project) == []
    assert project.request("GET", project.control + "/oobCodes")["oobCodes"] == []


def test_a_refused_text_message_is_not_sent(project, functions):
    functions.answers["beforeSendSms"] = REFUSAL
    assert project.error("sendVerificationCode", {"phoneNumber": ONE}).startswith(FAILED)
    assert messages(project) == [] and project.codes() == []


@pytest.mark.parametrize("override", ["ALLOW", "BLOCK"])
def test_an_override_is_noted(project, functions, override):
    """Without enforcement of reCAPTCHA, BLOCK has no effect."""
    functions.answers["beforeSendSms"] = {"recaptchaActionOverride": override}
    project.sms(ONE)
    [message] = messages(project)
    assert message["delivery"]["verdict"] == {
        "event": "beforeSendSms",
        "url": functions.url("beforeSendSms"),
        "recaptchaActionOverride": override,
    }


@pytest.mark.parametrize(
    "state, event",
    [("emailPasswordEnforcementState", SENDS[0]), ("phoneEnforcementState", SENDS[1])],
)
def test_block_refuses_where_recaptcha_is_enforced(project, functions, state, event):
    project.sign_up(A)
    project.configure("recaptchaConfig", recaptchaConfig={state: "ENFORCE"})
    functions.answers[event] = {"recaptchaActionOverride": "BLOCK"}
    if event == "beforeSendSms":
        message = project.error("sendVerificationCode", {"phoneNumber": ONE})
    else:
        message = reset(project, 400)["error"]["message"]
    assert message.startswith("CAPTCHA_CHECK_FAILED")
    assert messages(project) == []


def test_a_record_in_the_answer_means_nothing(project, functions):
    functions.answers["beforeSendSms"] = {"userRecord": {"displayName": "x"}}
    project.sms(ONE)
    assert len(messages(project)) == 1


# MARK: Found at a functions emulator


@pytest.fixture
def emulator():
    functions = Functions()
    server = Server("--functions-emulator", functions.host)
    yield functions, Project(server, PROJECT)
    server.stop()
    functions.close()


def blocking(event: str, name: str | None = None) -> dict:
    return {
        "id": f"us-central1-{name or event}",
        "region": "us-central1",
        "name": name or event,
        "blockingTrigger": {"eventType": f"providers/cloud.auth/eventTypes/user.{event}"},
    }


def test_functions_of_an_emulator_need_no_configuration(emulator):
    functions, project = emulator
    functions.triggers = [blocking("beforeSendEmail"), blocking("beforeSendSms")]
    project.sms(ONE)
    assert functions.call()[1]["sms_type"] == "SIGN_IN_OR_SIGN_UP"
    sign_in_link(project)
    assert functions.call()[1]["email_type"] == "EMAIL_SIGN_IN"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_function_for_mails_that_is_registered_for_sign_ins(emulator, host):
    """The official functions emulator does so with all but beforeCreate."""
    functions, project = emulator
    functions.triggers = [blocking("beforeSendEmail", name="mails")]
    uri = functions.url("mails").replace("127.0.0.1", host)
    project.configure(
        "blockingFunctions", blockingFunctions={"triggers": {"beforeSignIn": {"functionUri": uri}}}
    )
    project.sign_in(project.sign_up(A)["email"])
    assert "mails" not in functions.seen
    functions.answers["mails"] = REFUSAL
    assert reset(project, 400)["error"]["message"].startswith(FAILED)
    assert functions.seen.count("mails") == 1


def test_credentials_go_where_the_function_asks_for_them(emulator):
    functions, project = emulator
    asking = blocking("beforeCreate")
    asking["blockingTrigger"]["options"] = {"accessToken": True}
    functions.triggers = [asking]
    project.call(
        "signInWithIdp",
        {
            "requestUri": "http://localhost",
            "postBody": "providerId=github.com&access_token=any-text",
            "returnSecureToken": True,
        },
    )
    calls = [functions.calls.get(timeout=30) for _ in functions.seen]
    [body] = [body for name, _, _, body in calls if name == "beforeCreate"]
    assert functions.claims(body)["oauth_access_token"] == "any-text"


def test_an_emulator_that_is_not_there_hinders_nobody(emulator):
    functions, project = emulator
    functions.close()
    project.sign_in(project.sign_up(A)["email"])
    reset(project)
    [message] = messages(project)
    assert message["delivery"] == {"state": "delivered"}
