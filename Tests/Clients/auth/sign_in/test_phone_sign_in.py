"""Signing in with a phone number."""

import re

import pytest
from support.auth.project import IT, claims
from support.auth.sign_in import project, wrong  # noqa: F401

A, B = "a@example.com", "b@example.com"
ONE, TWO = "+15555550100", "+15555550101"
BAD_NUMBER = "INVALID_PHONE_NUMBER : Invalid format."
PHONE_FIRST = (
    "UNSUPPORTED_FIRST_FACTOR : A phone number cannot be set as a first factor on an "
    "SMS based MFA user."
)


# MARK: sendVerificationCode


@pytest.mark.parametrize(
    "more",
    [
        {},
        {
            "recaptchaToken": "x",
            "captchaResponse": "x",
            "clientType": "CLIENT_TYPE_WEB",
            "recaptchaVersion": "RECAPTCHA_ENTERPRISE",
            "iosReceipt": "x",
            "iosSecret": "x",
            "safetyNetToken": "x",
            "playIntegrityToken": "x",
            "autoRetrievalInfo": {"appSignatureHash": "x"},
        },
    ],
)
def test_a_code_is_sent(project, more):
    answer = project.call("sendVerificationCode", {"phoneNumber": ONE, **more})
    assert answer.keys() == {"sessionInfo"}
    assert re.fullmatch(r"[A-Za-z0-9_-]{226}", answer["sessionInfo"])
    [code] = project.codes()
    assert re.fullmatch(r"\d{6}", code.pop("code"))
    assert code == {"phoneNumber": ONE, "sessionInfo": answer["sessionInfo"]}


@pytest.mark.parametrize("number", [None, "", "5555550100", "tel:+1", " +1555"])
def test_invalid_numbers(project, number):
    body = {} if number is None else {"phoneNumber": number}
    assert project.error("sendVerificationCode", body) == BAD_NUMBER
    assert project.codes() == []


@pytest.mark.parametrize("number", ["+", "+1", "+1 555-555 (0100)", "+abc"])
def test_anything_starting_with_a_plus_is_a_number(project, number):
    assert project.phone(number)["phoneNumber"] == number


def test_each_sending_is_independent(project):
    first, second = project.sms(ONE), project.sms(ONE)
    assert first["sessionInfo"] != second["sessionInfo"]
    assert [code["sessionInfo"] for code in project.codes()] == [
        first["sessionInfo"],
        second["sessionInfo"],
    ]
    for code in (first, second):
        project.call("signInWithPhoneNumber", code)
    assert project.codes() == []


def test_codes_survive_their_accounts(project):
    code = project.sms(ONE)
    project.request("DELETE", f"{project.control}/accounts")
    assert len(project.codes()) == 1
    assert project.call("signInWithPhoneNumber", code)["isNewUser"] is True


def test_a_disabled_account_gets_codes(project):
    project.admin("/accounts", {"phoneNumber": ONE, "disabled": True})
    code = project.sms(ONE)
    assert project.error("signInWithPhoneNumber", code) == "USER_DISABLED"


def test_a_number_of_a_user_with_second_factors(project):
    session = project.verified(A, phoneNumber=ONE)
    code = project.sms(ONE)
    project.enroll(session, TWO)
    assert project.error("sendVerificationCode", {"phoneNumber": ONE}) == PHONE_FIRST
    assert project.error("signInWithPhoneNumber", code) == PHONE_FIRST
    project.call("sendVerificationCode", {"phoneNumber": TWO})


@pytest.mark.parametrize("verb", ["sendVerificationCode", "signInWithPhoneNumber"])
@pytest.mark.parametrize("body", [{}, {"phoneNumber": ONE}])
def test_tenants_have_no_phone_sign_in(project, verb, body):
    tenant = project.tenant()
    assert project.error(verb, {**body, "tenantId": tenant}) == "UNSUPPORTED_TENANT_OPERATION"
    disabled = project.disabled_tenant()
    assert project.error(verb, {**body, "tenantId": disabled}) == "PROJECT_DISABLED"


# MARK: signInWithPhoneNumber


@pytest.mark.parametrize(
    "body, message",
    [
        ({"temporaryProof": "x"}, "MISSING_PHONE_NUMBER"),
        ({"temporaryProof": "x", "sessionInfo": "x", "code": "x"}, "MISSING_PHONE_NUMBER"),
        ({"temporaryProof": "x", "phoneNumber": ""}, "MISSING_PHONE_NUMBER"),
        ({"temporaryProof": "x", "phoneNumber": ONE}, "INVALID_TEMPORARY_PROOF"),
        ({}, "MISSING_SESSION_INFO"),
        ({"code": "123456"}, "MISSING_SESSION_INFO"),
        ({"phoneNumber": ONE, "temporaryProof": ""}, "MISSING_SESSION_INFO"),
        ({"sessionInfo": "x"}, "MISSING_CODE"),
        ({"sessionInfo": "x", "code": ""}, "MISSING_CODE"),
        ({"sessionInfo": "x", "code": "123456"}, "INVALID_SESSION_INFO"),
        ({"sessionInfo": "x", "code": "123456", "idToken": "x"}, "INVALID_SESSION_INFO"),
    ],
)
def test_what_phone_sign_in_refuses(project, body, message):
    assert project.error("signInWithPhoneNumber", body) == message


def test_a_wrong_code_leaves_the_right_one_usable(project):
    code = project.sms(ONE)
    assert project.error("signInWithPhoneNumber", wrong(code)) == "INVALID_CODE"
    assert project.call("signInWithPhoneNumber", code)["isNewUser"] is True
    assert project.error("signInWithPhoneNumber", code) == "INVALID_SESSION_INFO"


def test_a_phone_session(project):
    answer = project.phone(ONE)
    assert answer.keys() == {
        "isNewUser",
        "phoneNumber",
        "localId",
        "idToken",
        "refreshToken",
        "expiresIn",
    }
    assert (answer["isNewUser"], answer["phoneNumber"]) == (True, ONE)
    token = claims(answer)
    assert token["phone_number"] == ONE
    assert token["firebase"] == {"sign_in_provider": "phone", "identities": {"phone": [ONE]}}
    user = project.user(answer["localId"])
    assert user["providerUserInfo"] == [{"providerId": "phone", "phoneNumber": ONE, "rawId": ONE}]
    assert user["createdAt"].isdigit() and user["lastLoginAt"].isdigit()
    again = project.phone(ONE)
    assert (again["isNewUser"], again["localId"]) == (False, answer["localId"])


@pytest.mark.parametrize(
    "ignored", [{"operation": "LINK"}, {"operation": 1}, {"verificationProof": "x"}]
)
def test_what_phone_sign_in_ignores(project, ignored):
    assert project.phone(ONE, **ignored)["isNewUser"] is True


def test_linking_a_number_replaces_the_old_one(project):
    session = project.sign_up(A)
    for number in (ONE, TWO):
        answer = project.phone(number, idToken=session["idToken"])
        assert (answer["isNewUser"], answer["localId"]) == (False, session["localId"])
        user = project.user(session["localId"])
        assert user["phoneNumber"] == number
    assert project.phone(ONE)["isNewUser"] is True


def test_a_bad_id_token_uses_up_the_code(project):
    code = project.sms(ONE)
    body = {**code, "idToken": "x"}
    assert project.error("signInWithPhoneNumber", body) == "INVALID_ID_TOKEN"
    assert project.error("signInWithPhoneNumber", code) == "INVALID_SESSION_INFO"


def test_linking_for_users_with_second_factors_and_disabled_users(project):
    session = project.verified(A)
    project.enroll(session, TWO)
    body = {**project.sms(ONE), "idToken": session["idToken"]}
    assert project.error("signInWithPhoneNumber", body) == PHONE_FIRST
    other = project.sign_up(B)
    project.admin("/accounts:update", {"localId": other["localId"], "disableUser": True})
    body = {**project.sms(ONE), "idToken": other["idToken"]}
    assert project.error("signInWithPhoneNumber", body) == "USER_DISABLED"


# MARK: Temporary proofs


def proof(project, number: str = ONE) -> dict:
    owner = project.phone(number)
    session = project.sign_up(A)
    answer = project.phone(number, idToken=session["idToken"])
    assert answer.keys() == {"phoneNumber", "temporaryProof", "temporaryProofExpiresIn"}
    assert (answer["phoneNumber"], answer["temporaryProofExpiresIn"]) == (number, "3600")
    assert re.fullmatch(r"[A-Za-z0-9_-]{119}", answer["temporaryProof"])
    return {
        "owner": owner,
        "session": session,
        "body": {"phoneNumber": number, "temporaryProof": answer["temporaryProof"]},
    }


def test_a_proof_signs_in_to_the_owner_more_than_once(project):
    given = proof(project)
    for _ in range(2):
        answer = project.call("signInWithPhoneNumber", given["body"])
        assert answer["localId"] == given["owner"]["localId"] and answer["isNewUser"] is False


def test_a_proof_creates_an_account_when_the_owner_is_gone(project):
    given = proof(project)
    project.call("delete", {"idToken": given["owner"]["idToken"]})
    assert project.call("signInWithPhoneNumber", given["body"])["isNewUser"] is True


def test_a_proof_does_not_link(project):
    given = proof(project)
    body = {**given["body"], "idToken": given["session"]["idToken"]}
    assert project.error("signInWithPhoneNumber", body) == "PHONE_NUMBER_EXISTS"
    other = {**given["body"], "phoneNumber": TWO}
    assert project.error("signInWithPhoneNumber", other) == "INVALID_TEMPORARY_PROOF"


# MARK: Codes of tenants, reCAPTCHA


def test_codes_are_listed_per_tenant(project):
    tenant = project.tenant(
        mfaConfig={"state": "ENABLED", "enabledProviders": ["PHONE_SMS"]}, allowPasswordSignup=True
    )
    session = project.verified(A, tenant=tenant)
    project.factor(
        "mfaEnrollment:start",
        {"idToken": session["idToken"], "phoneEnrollmentInfo": {"phoneNumber": ONE}},
    )
    assert project.codes() == []
    assert len(project.codes(tenant)) == 1


def test_recaptcha_parameters(project):
    answer = project.request("GET", f"{IT}/v1/recaptchaParams", params={"key": project.id})
    assert answer["kind"] == "identitytoolkit#GetRecaptchaParamResponse"
    assert answer["recaptchaStoken"] and answer["recaptchaSiteKey"]
