"""Phone sign-in, second factors and passkeys: auth-b 4 to 6, table by table."""

import base64
import json
import re

import pytest

from support.auth.project import IT, Project, claims
from support.wire import TOKEN

A, B = "a@example.com", "b@example.com"
ONE, TWO = "+15555550100", "+15555550101"
BAD_NUMBER = "INVALID_PHONE_NUMBER : Invalid format."
PHONE_FIRST = ("UNSUPPORTED_FIRST_FACTOR : A phone number cannot be set as a first factor on an "
               "SMS based MFA user.")
MFA_FIRST = "UNSUPPORTED_FIRST_FACTOR : MFA is not available for the given first factor."
MFA_OFF = "OPERATION_NOT_ALLOWED : SMS based MFA not enabled."
EXISTS = ("SECOND_FACTOR_EXISTS : Phone number already enrolled as second factor for this "
          "account.")
ANDROID = "androidVerificationProof is unsupported!"


@pytest.fixture
def project(hearth) -> Project:
    return Project(hearth)


def wrong(code: dict) -> dict:
    return code | {"code": f"{(int(code['code']) + 1) % 10**6:06}"}


# MARK: 4.1 sendVerificationCode

@pytest.mark.parametrize("more", [{}, {
    "recaptchaToken": "x", "captchaResponse": "x", "clientType": "CLIENT_TYPE_WEB",
    "recaptchaVersion": "RECAPTCHA_ENTERPRISE", "iosReceipt": "x", "iosSecret": "x",
    "safetyNetToken": "x", "playIntegrityToken": "x",
    "autoRetrievalInfo": {"appSignatureHash": "x"}}])
def test_a_code_is_sent(project, more):
    answer = project.call("sendVerificationCode", {"phoneNumber": ONE, **more})
    assert answer.keys() == {"sessionInfo"}
    assert re.fullmatch(r"[A-Za-z0-9_-]{226}", answer["sessionInfo"])
    [code] = project.codes()
    assert re.fullmatch(r"\d{6}", code.pop("code"))
    assert code == {"phoneNumber": ONE, "sessionInfo": answer["sessionInfo"]}


@pytest.mark.parametrize("number", [None, "", "5555550100", "tel:+1", " +1555"])
def test_numbers_that_are_none(project, number):
    body = {} if number is None else {"phoneNumber": number}
    assert project.error("sendVerificationCode", body) == BAD_NUMBER
    assert project.codes() == []


@pytest.mark.parametrize("number", ["+", "+1", "+1 555-555 (0100)", "+abc"])
def test_whatever_starts_with_a_plus_is_a_number(project, number):
    assert project.phone(number)["phoneNumber"] == number


def test_each_sending_is_independent(project):
    first, second = project.sms(ONE), project.sms(ONE)
    assert first["sessionInfo"] != second["sessionInfo"]
    assert [code["sessionInfo"] for code in project.codes()] == [
        first["sessionInfo"], second["sessionInfo"]]
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


# MARK: 4.2 signInWithPhoneNumber

@pytest.mark.parametrize("body, message", [
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
])
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
        "isNewUser", "phoneNumber", "localId", "idToken", "refreshToken", "expiresIn"}
    assert (answer["isNewUser"], answer["phoneNumber"]) == (True, ONE)
    token = claims(answer)
    assert token["phone_number"] == ONE
    assert token["firebase"] == {"sign_in_provider": "phone", "identities": {"phone": [ONE]}}
    user = project.user(answer["localId"])
    assert user["providerUserInfo"] == [{"providerId": "phone", "phoneNumber": ONE, "rawId": ONE}]
    assert user["createdAt"].isdigit() and user["lastLoginAt"].isdigit()
    again = project.phone(ONE)
    assert (again["isNewUser"], again["localId"]) == (False, answer["localId"])


@pytest.mark.parametrize("ignored", [
    {"operation": "LINK"}, {"operation": 1}, {"verificationProof": "x"}])
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


# MARK: 4.3 temporary proofs

def proof(project, number: str = ONE) -> dict:
    owner = project.phone(number)
    session = project.sign_up(A)
    answer = project.phone(number, idToken=session["idToken"])
    assert answer.keys() == {"phoneNumber", "temporaryProof", "temporaryProofExpiresIn"}
    assert (answer["phoneNumber"], answer["temporaryProofExpiresIn"]) == (number, "3600")
    assert re.fullmatch(r"[A-Za-z0-9_-]{119}", answer["temporaryProof"])
    return {"owner": owner, "session": session, "body": {
        "phoneNumber": number, "temporaryProof": answer["temporaryProof"]}}


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


# MARK: 4.4, 4.5

def test_codes_are_listed_per_tenant(project):
    tenant = project.tenant(mfaConfig={"state": "ENABLED", "enabledProviders": ["PHONE_SMS"]},
                            allowPasswordSignup=True)
    session = project.verified(A, tenant=tenant)
    project.factor("mfaEnrollment:start", {
        "idToken": session["idToken"], "phoneEnrollmentInfo": {"phoneNumber": ONE}})
    assert project.codes() == []
    assert len(project.codes(tenant)) == 1


def test_recaptcha_parameters(project):
    answer = project.request("GET", f"{IT}/v1/recaptchaParams", params={"key": project.id})
    assert answer["kind"] == "identitytoolkit#GetRecaptchaParamResponse"
    assert answer["recaptchaStoken"] and answer["recaptchaSiteKey"]


# MARK: 5.1, 5.2 enrolment

def enrolment(session: dict | None, number=ONE, **more) -> dict:
    info = {} if number is None else {"phoneNumber": number}
    return ({"idToken": session["idToken"]} if session else {}) | {
        "phoneEnrollmentInfo": {**info, **more}}


FIRST_FACTORS = {
    "anonymous": lambda project: project.call("signUp", {}),
    "phone": lambda project: project.phone(ONE),
    "custom": lambda project: project.call(
        "signInWithCustomToken", {"token": json.dumps({"uid": "someone"})}),
}


@pytest.mark.parametrize("prepare", FIRST_FACTORS.values(), ids=FIRST_FACTORS)
def test_first_factors_that_have_no_second(project, prepare):
    session = prepare(project)
    assert project.error(
        f"{IT}/v2/accounts/mfaEnrollment:start", enrolment(session)) == MFA_FIRST
    assert project.error(f"{IT}/v2/accounts/mfaEnrollment:finalize", {
        "idToken": session["idToken"]}) == MFA_FIRST


@pytest.mark.parametrize("prepare", [
    lambda project: project.verified(A),
    lambda project: project.idp("google.com", {"sub": "1", "email": A, "email_verified": True}),
])
def test_first_factors_that_have(project, prepare):
    answer = project.factor("mfaEnrollment:start", enrolment(prepare(project)))
    assert answer.keys() == {"phoneSessionInfo"}
    assert answer["phoneSessionInfo"].keys() == {"sessionInfo"}
    assert len(answer["phoneSessionInfo"]["sessionInfo"]) == 226
    [code] = project.codes()
    assert code["phoneNumber"] == ONE


def refuse(project, name: str, body: dict, status: int = 400) -> str:
    return project.factor(name, body, status)["error"]["message"]


def test_what_the_start_of_an_enrolment_refuses(project):
    start = "mfaEnrollment:start"
    assert refuse(project, start, {}) == "MISSING_ID_TOKEN"
    assert refuse(project, start, enrolment({"idToken": "x"})) == "INVALID_ID_TOKEN"
    unverified = project.sign_up(B)
    for body in ({"idToken": unverified["idToken"]}, enrolment(unverified)):
        assert refuse(project, start, body) == (
            "UNVERIFIED_EMAIL : Need to verify email first before enrolling second factors.")
    session = project.verified(A)
    assert refuse(project, start, {"idToken": session["idToken"]}) == (
        "INVALID_ARGUMENT : ((Missing phoneEnrollmentInfo.))")
    for number in (None, "", "5555"):
        assert refuse(project, start, enrolment(session, number)) == BAD_NUMBER
    project.enroll(session, ONE)
    assert refuse(project, start, enrolment(session)) == EXISTS
    project.factor(start, enrolment(session, TWO))


def test_what_the_end_of_an_enrolment_refuses(project):
    end = "mfaEnrollment:finalize"
    assert refuse(project, end, {}) == "MISSING_ID_TOKEN"
    assert refuse(project, end, {"idToken": "x"}) == "INVALID_ID_TOKEN"
    session = project.verified(A)
    project.factor("mfaEnrollment:start", enrolment(session))
    code = project.code(ONE)

    def given(**info) -> dict:
        return {"idToken": session["idToken"], "phoneVerificationInfo": info}

    assert refuse(project, end, {"idToken": session["idToken"]}) == (
        "INVALID_ARGUMENT : ((Missing phoneVerificationInfo.))")
    assert refuse(project, end, given(androidVerificationProof="x"), 501) == ANDROID
    assert refuse(project, end, given()) == "MISSING_CODE"
    assert refuse(project, end, given(sessionInfo="x")) == "MISSING_CODE"
    assert refuse(project, end, given(code="x")) == "MISSING_SESSION_INFO"
    assert refuse(project, end, given(code="x", sessionInfo="x")) == "INVALID_SESSION_INFO"
    assert refuse(project, end, given(**wrong(code))) == "INVALID_CODE"
    project.factor("mfaEnrollment:start", enrolment(session))
    second = project.code(ONE)
    project.factor(end, given(**code))
    assert refuse(project, end, given(**code)) == "INVALID_SESSION_INFO"
    assert refuse(project, end, given(**second)) == EXISTS
    assert refuse(project, end, given(**second)) == "INVALID_SESSION_INFO"


def test_what_an_enrolment_gives(project):
    session = project.verified(A)
    answer = project.enroll(session, ONE, displayName="My phone")
    assert answer.keys() == {"idToken", "refreshToken"}
    [factor] = project.user(session["localId"])["mfaInfo"]
    assert re.fullmatch(r"[A-Za-z0-9]{28}", factor["mfaEnrollmentId"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", factor["enrolledAt"])
    assert factor == factor | {
        "displayName": "My phone", "phoneInfo": ONE, "unobfuscatedPhoneInfo": ONE}
    token = claims(answer)["firebase"]
    assert token["sign_in_provider"] == "password"
    assert token["sign_in_second_factor"] == "phone"
    assert token["second_factor_identifier"] == factor["mfaEnrollmentId"]
    refreshed = project.post(TOKEN, {
        "grant_type": "refresh_token", "refresh_token": answer["refreshToken"]})
    again = claims({"idToken": refreshed["id_token"]})["firebase"]
    assert again["second_factor_identifier"] == factor["mfaEnrollmentId"]


def test_the_session_of_an_enrolment_may_come_from_any_start(project):
    session = project.verified(A)
    code = project.sms(ONE)
    project.factor("mfaEnrollment:finalize", {
        "idToken": session["idToken"], "phoneVerificationInfo": code})
    [factor] = project.user(session["localId"])["mfaInfo"]
    assert factor["phoneInfo"] == ONE and "displayName" not in factor


# MARK: 5.3 to 5.5, signing in with two factors

@pytest.fixture
def enrolled(project):
    session = project.verified(A)
    project.enroll(session, ONE, displayName="My phone")
    return session


def pending_ways(project, session):
    project.call("sendOobCode", {
        "requestType": "EMAIL_SIGNIN", "email": A, "continueUrl": "http://localhost/"})
    [*_, code] = [code for code in project.request(
        "GET", f"{project.control}/oobCodes")["oobCodes"] if code["email"] == A]
    return {
        "password": project.sign_in(A),
        "google.com": project.idp(
            "google.com", {"sub": "1", "email": A, "email_verified": True}),
        "link": project.call("signInWithEmailLink", {"email": A, "oobCode": code["oobCode"]}),
    }


def test_the_first_factor_gives_a_pending_credential(project, enrolled):
    [factor] = project.user(enrolled["localId"])["mfaInfo"]
    for way, answer in pending_ways(project, enrolled).items():
        assert not {"idToken", "refreshToken", "expiresIn"} & answer.keys()
        assert answer["mfaInfo"] == [{
            "mfaEnrollmentId": factor["mfaEnrollmentId"], "enrolledAt": factor["enrolledAt"],
            "displayName": "My phone", "phoneInfo": "+*******0100"}], way


def test_what_is_in_a_pending_credential(project, enrolled):
    text = base64.b64decode(project.sign_in(A)["mfaPendingCredential"], validate=True)
    # Ours adds when it was issued, because it expires.
    assert list(json.loads(text).items())[:4] == [
        ("_AuthEmulatorMfaPendingCredential", "DO NOT MODIFY"),
        ("localId", enrolled["localId"]), ("signInProvider", "password"),
        ("projectId", project.id)]


@pytest.mark.parametrize("way", ["password", "google.com"])
def test_the_first_factor_stands_in_the_token(project, enrolled, way):
    session = second(project, pending_ways(project, enrolled)[way])
    token = claims(session)["firebase"]
    assert token["sign_in_provider"] == way and token["sign_in_second_factor"] == "phone"


def second(project, pending: dict, number: str = ONE, tenant=None, status: int = 200) -> dict:
    more = {"tenantId": tenant} if tenant else {}
    started = project.factor("mfaSignIn:start", {
        "mfaPendingCredential": pending["mfaPendingCredential"],
        "mfaEnrollmentId": pending["mfaInfo"][0]["mfaEnrollmentId"], **more})
    assert started.keys() == {"phoneResponseInfo"}
    assert started["phoneResponseInfo"].keys() == {"sessionInfo"}
    return project.factor("mfaSignIn:finalize", {
        "mfaPendingCredential": pending["mfaPendingCredential"],
        "phoneVerificationInfo": project.code(number, tenant), **more}, status)


def test_both_factors(project, enrolled):
    before = project.user(enrolled["localId"])
    project.advance("PT1S")
    pending = project.sign_in(A)
    assert project.user(enrolled["localId"])["lastLoginAt"] == before["lastLoginAt"]
    for _ in range(2):
        answer = second(project, pending)
        assert answer.keys() == {"idToken", "refreshToken"}
    after = project.user(enrolled["localId"])
    assert int(after["lastLoginAt"]) > int(before["lastLoginAt"])
    assert claims(answer)["firebase"]["second_factor_identifier"] == (
        after["mfaInfo"][0]["mfaEnrollmentId"])


def test_what_the_start_of_a_second_factor_refuses(project, enrolled):
    start, pending = "mfaSignIn:start", project.sign_in(A)["mfaPendingCredential"]
    [factor] = project.user(enrolled["localId"])["mfaInfo"]
    assert refuse(project, start, {}) == (
        "MISSING_MFA_PENDING_CREDENTIAL : Request does not have MFA pending credential.")
    assert refuse(project, start, {"mfaPendingCredential": "x"}) == (
        "MISSING_MFA_ENROLLMENT_ID : No second factor identifier is provided.")
    for bad in ("x", "e30=", base64.b64encode(b'"text"').decode()):
        body = {"mfaPendingCredential": bad, "mfaEnrollmentId": factor["mfaEnrollmentId"]}
        assert refuse(project, start, body) == (
            "((Invalid phoneVerificationInfo.mfaPendingCredential.))"), bad
    body = {"mfaPendingCredential": pending, "mfaEnrollmentId": "unknown"}
    assert refuse(project, start, body) == "MFA_ENROLLMENT_NOT_FOUND"
    body["mfaEnrollmentId"] = factor["mfaEnrollmentId"]
    other = Project(project.server)
    assert refuse(other, start, body) == (
        "INVALID_PROJECT_ID : Project ID does not match MFA pending credential.")
    project.admin("/accounts:delete", {"localId": enrolled["localId"]})
    assert refuse(project, start, body) == (
        "((User in pendingCredentialPayload does not exist.))")


def test_what_the_end_of_a_second_factor_refuses(project, enrolled):
    end, pending = "mfaSignIn:finalize", project.sign_in(A)["mfaPendingCredential"]
    code = project.sms(ONE)

    def given(**info) -> dict:
        return {"mfaPendingCredential": pending, "phoneVerificationInfo": info}

    assert refuse(project, end, {}) == (
        "MISSING_CREDENTIAL : Please set MFA Pending Credential.")
    assert refuse(project, end, {"mfaPendingCredential": pending}) == (
        "INVALID_ARGUMENT : MFA provider not supported!")
    assert refuse(project, end, given(androidVerificationProof="x"), 501) == ANDROID
    assert refuse(project, end, given()) == "MISSING_CODE"
    assert refuse(project, end, given(sessionInfo="x")) == "MISSING_CODE"
    assert refuse(project, end, given(code="x")) == "MISSING_SESSION_INFO"
    assert refuse(project, end, given(code="x", sessionInfo="x")) == "INVALID_SESSION_INFO"
    assert refuse(project, end, given(**wrong(code))) == "INVALID_CODE"
    assert refuse(project, end, {**given(**code), "mfaPendingCredential": "x"}) == (
        "((Invalid phoneVerificationInfo.mfaPendingCredential.))")
    # The code is used up before the credential is looked at.
    assert refuse(project, end, given(**code)) == "INVALID_SESSION_INFO"
    assert refuse(project, end, given(**project.sms(TWO))) == "MFA_ENROLLMENT_NOT_FOUND"
    other = Project(project.server)
    assert refuse(other, end, given(**other.sms(ONE))) == (
        "INVALID_PROJECT_ID : Project ID does not match MFA pending credential.")
    project.admin("/accounts:update", {"localId": enrolled["localId"], "disableUser": True})
    assert refuse(project, end, given(**project.sms(ONE))) == "USER_DISABLED"
    project.admin("/accounts:delete", {"localId": enrolled["localId"]})
    assert refuse(project, end, given(**project.sms(ONE))) == (
        "((User in pendingCredentialPayload does not exist.))")


def test_an_obfuscated_number_counts_at_the_end(project, enrolled):
    """An iOS SDK sends what it was shown (auth-b 5.5 #9)."""
    pending = project.sign_in(A)["mfaPendingCredential"]
    shown = "+*******0100"
    code = project.sms(shown)
    answer = project.factor("mfaSignIn:finalize", {
        "mfaPendingCredential": pending, "phoneVerificationInfo": code})
    assert claims(answer)["sub"] == enrolled["localId"]


def test_pending_credentials_do_not_cross_tenants(project):
    session = project.verified(A, tenant="t1")
    project.enroll(session, ONE, tenant="t1")
    pending = project.sign_in(A, tenantId="t1")
    body = {"mfaPendingCredential": pending["mfaPendingCredential"],
            "mfaEnrollmentId": pending["mfaInfo"][0]["mfaEnrollmentId"]}
    assert refuse(project, "mfaSignIn:start", {**body, "tenantId": "t2"}) == (
        "INVALID_PROJECT_ID : Project ID does not match MFA pending credential.")
    assert refuse(project, "mfaSignIn:start", body) == (
        "((User in pendingCredentialPayload does not exist.))")
    answer = second(project, pending, tenant="t1")
    assert claims(answer)["firebase"]["tenant"] == "t1"


# MARK: 5, tenants and their settings

NAMES = ["mfaEnrollment:start", "mfaEnrollment:finalize", "mfaSignIn:start", "mfaSignIn:finalize"]


@pytest.mark.parametrize("name", [*NAMES, "mfaEnrollment:withdraw"])
def test_a_disabled_tenant_has_no_second_factors(project, name):
    tenant = project.disabled_tenant()
    assert refuse(project, name, {"tenantId": tenant}) == "PROJECT_DISABLED"


@pytest.mark.parametrize("config, is_on", [
    (None, False), ({}, False), ({"state": "DISABLED", "enabledProviders": ["PHONE_SMS"]}, False),
    ({"state": "STATE_UNSPECIFIED", "enabledProviders": ["PHONE_SMS"]}, False),
    ({"state": "ENABLED"}, False), ({"state": "ENABLED", "enabledProviders": []}, False),
    ({"state": "ENABLED", "enabledProviders": ["PHONE_SMS"]}, True),
    ({"state": "MANDATORY", "enabledProviders": ["PHONE_SMS"]}, True),
    ({"enabledProviders": ["PHONE_SMS"]}, False),
])
@pytest.mark.parametrize("name", NAMES)
def test_whether_second_factors_are_on(project, name, config, is_on):
    tenant = project.tenant(**({"mfaConfig": config} if config is not None else {}))
    message = refuse(project, name, {"tenantId": tenant})
    assert (message != MFA_OFF) == is_on and not message.startswith("PROJECT")


def test_the_main_project_has_second_factors_whatever_its_config_says(project):
    project.configure("mfa.state", mfa={"state": "DISABLED"})
    project.enroll(project.verified(A), ONE)
    assert project.sign_in(A)["mfaPendingCredential"]


def test_where_second_factors_are_off_the_first_is_enough(project):
    session = project.verified(A, tenant="t1")
    project.enroll(session, ONE, tenant="t1")
    assert "idToken" not in project.sign_in(A, tenantId="t1")
    project.owner("PATCH", f"{project.v2}/tenants/t1", params={"updateMask": "mfaConfig.state"},
                  json={"mfaConfig": {"state": "DISABLED"}})
    assert project.sign_in(A, tenantId="t1")["idToken"]


def test_mandatory_forces_nobody(project):
    tenant = project.tenant(allowPasswordSignup=True, mfaConfig={
        "state": "MANDATORY", "enabledProviders": ["PHONE_SMS"]})
    assert project.verified(A, tenant=tenant)["idToken"]


def test_custom_tokens_passkeys_and_refresh_ignore_second_factors(project, enrolled):
    project.factor("passkeyEnrollment:finalize", {
        "idToken": enrolled["idToken"], "authenticatorRegistrationResponse": {"id": "p"}})
    assert project.factor("passkeySignIn:finalize", {
        "authenticatorAuthenticationResponse": {"id": "p"}})["idToken"]
    token = json.dumps({"uid": enrolled["localId"]})
    assert project.call("signInWithCustomToken", {"token": token})["idToken"]
    assert project.post(TOKEN, {
        "grant_type": "refresh_token", "refresh_token": enrolled["refreshToken"]})["id_token"]


# MARK: 5.7 withdrawing, and factors that are written

def test_withdrawing(project, enrolled):
    withdraw = "mfaEnrollment:withdraw"
    [factor] = project.user(enrolled["localId"])["mfaInfo"]
    body = {"idToken": enrolled["idToken"], "mfaEnrollmentId": factor["mfaEnrollmentId"]}
    assert refuse(project, withdraw, {}) == "MISSING_ID_TOKEN"
    assert refuse(project, withdraw, {"idToken": "x"}) == "INVALID_ID_TOKEN"
    for other in ({}, {"mfaEnrollmentId": "unknown"}):
        assert refuse(project, withdraw, {"idToken": enrolled["idToken"], **other}) == (
            "MFA_ENROLLMENT_NOT_FOUND")
    answer = project.factor(withdraw, body)
    assert answer.keys() == {"idToken", "refreshToken", "expiresIn"}
    token = claims(answer)["firebase"]
    assert not {"sign_in_second_factor", "second_factor_identifier"} & token.keys()
    assert project.user(enrolled["localId"])["mfaInfo"] == []
    assert refuse(project, withdraw, body) == "MFA_ENROLLMENT_NOT_FOUND"
    assert project.sign_in(A)["idToken"]
    nobody = project.sign_up(B)
    assert refuse(project, withdraw, {**body, "idToken": nobody["idToken"]}) == (
        "MFA_ENROLLMENT_NOT_FOUND")


def test_withdrawing_does_not_ask_whether_second_factors_are_on(project):
    session = project.verified(A, tenant="t1")
    project.enroll(session, ONE, tenant="t1")
    [factor] = project.user(session["localId"], tenant="t1")["mfaInfo"]
    project.owner("PATCH", f"{project.v2}/tenants/t1", params={"updateMask": "mfaConfig.state"},
                  json={"mfaConfig": {"state": "DISABLED"}})
    project.factor("mfaEnrollment:withdraw", {
        "idToken": session["idToken"], "mfaEnrollmentId": factor["mfaEnrollmentId"]})


def factors(*given: dict) -> dict:
    return {"mfa": {"enrollments": list(given)}}


@pytest.mark.parametrize("given, message", [
    ([{"mfaEnrollmentId": "1"}], "INVALID_MFA_PHONE_NUMBER : Invalid format."),
    ([{"mfaEnrollmentId": "1", "phoneInfo": "5"}], "INVALID_MFA_PHONE_NUMBER : Invalid format."),
    ([{"phoneInfo": ONE}],
     "INVALID_MFA_ENROLLMENT_ID : mfaEnrollmentId must be defined."),
    ([{"mfaEnrollmentId": "1", "phoneInfo": ONE}, {"mfaEnrollmentId": "1", "phoneInfo": TWO}],
     "DUPLICATE_MFA_ENROLLMENT_ID"),
])
def test_factors_that_an_update_refuses(project, given, message):
    uid = project.verified(A)["localId"]
    assert project.admin_error("/accounts:update", {"localId": uid, **factors(*given)}) == message
    assert "mfaInfo" not in project.user(uid)


def test_an_update_drops_repeated_numbers_and_can_clear_all(project):
    uid = project.verified(A)["localId"]
    project.admin("/accounts:update", {"localId": uid, **factors(
        {"mfaEnrollmentId": "1", "phoneInfo": ONE}, {"mfaEnrollmentId": "2", "phoneInfo": ONE})})
    assert [f["mfaEnrollmentId"] for f in project.user(uid)["mfaInfo"]] == ["1"]
    project.admin("/accounts:update", {"localId": uid, "mfa": {}})
    assert project.user(uid).get("mfaInfo", []) == []


def test_sign_up_makes_new_ids(project):
    uid = project.admin("/accounts", {
        "email": A, "emailVerified": True, "mfaInfo": [
            {"mfaEnrollmentId": "mine", "phoneInfo": ONE}, {"phoneInfo": ONE},
            {"phoneInfo": TWO, "displayName": "Two"}]})["localId"]
    info = project.user(uid)["mfaInfo"]
    assert [f["phoneInfo"] for f in info] == [ONE, TWO]
    assert all(re.fullmatch(r"[A-Za-z0-9]{28}", f["mfaEnrollmentId"]) for f in info)


# MARK: 6 passkeys

def start(project, session) -> dict:
    return project.factor("passkeyEnrollment:start", {"idToken": session["idToken"]})


def finalize(project, session, credential: dict, status: int = 200, **more) -> dict:
    return project.factor("passkeyEnrollment:finalize", {
        "idToken": session["idToken"], "authenticatorRegistrationResponse": credential, **more},
        status)


def enter(project, credential: dict, status: int = 200, **more) -> dict:
    return project.factor("passkeySignIn:finalize", {
        "authenticatorAuthenticationResponse": credential, **more}, status)


def challenge(text: str) -> None:
    assert re.fullmatch(rb"[A-Za-z0-9]{32}", base64.b64decode(text, validate=True))


@pytest.mark.parametrize("named", [True, False])
def test_the_options_of_a_passkey(project, named):
    session = project.sign_up(A, displayName="Ann") if named else project.call("signUp", {})
    answer = start(project, session)
    assert answer.keys() == {"credentialCreationOptions"}
    options = answer["credentialCreationOptions"]
    challenge(options.pop("challenge"))
    assert options == {
        "rp": {"name": "localhost", "id": "localhost"},
        "user": {"id": base64.b64encode(session["localId"].encode()).decode(),
                 "name": A if named else "user@example.com",
                 "displayName": "Ann" if named else "User"},
        "pubKeyCredParams": [
            {"type": "public-key", "alg": -7}, {"type": "public-key", "alg": -257}],
        "timeout": 60000, "attestation": "none"}
    answer = project.factor("passkeySignIn:start", {})
    assert answer.keys() == {"credentialRequestOptions"}
    challenge(answer["credentialRequestOptions"].pop("challenge"))
    assert answer["credentialRequestOptions"] == {
        "rpId": "localhost", "userVerification": "required"}


@pytest.mark.parametrize("names, expected", [
    ({}, "Unnamed Passkey"), ({"displayName": "Shown"}, "Shown"),
    ({"name": "Named", "displayName": "Shown"}, "Named")])
def test_a_passkey_signs_in(project, names, expected):
    session = project.sign_up(A)
    answer = finalize(project, session, {"id": "p1", "response": {"clientDataJSON": "x"}}, **names)
    assert answer.keys() == {"localId", "idToken", "refreshToken"}
    assert answer["localId"] == session["localId"]
    assert claims(answer)["firebase"]["sign_in_provider"] == "passkey"
    user = project.user(session["localId"])
    assert user["passkeyInfo"] == [{"credentialId": "p1", "name": expected}]
    project.advance("PT1S")
    again = enter(project, {"id": "p1"}, name="ignored")
    assert again.keys() == {"idToken", "refreshToken"}
    assert claims(again)["sub"] == session["localId"]
    assert claims(again)["firebase"]["sign_in_provider"] == "passkey"
    assert int(project.user(session["localId"])["lastLoginAt"]) > int(user["lastLoginAt"])


def test_what_passkeys_refuse(project):
    session = project.sign_up(A)
    for name in ("passkeyEnrollment:start", "passkeyEnrollment:finalize"):
        assert refuse(project, name, {}) == "MISSING_ID_TOKEN"
    assert refuse(project, "passkeyEnrollment:start", {"idToken": "x"}) == "INVALID_ID_TOKEN"
    assert refuse(project, "passkeyEnrollment:finalize", {"idToken": "x"}) == (
        "MISSING_AUTHENTICATOR_RESPONSE")
    bad = {"idToken": "x"}
    assert finalize(project, bad, {}, 400)["error"]["message"] == "INVALID_ID_TOKEN"
    assert finalize(project, session, {}, 400)["error"]["message"] == "INVALID_CREDENTIAL_ID"
    finalize(project, session, {"id": "p1"})
    for taken in (session, project.sign_up(B)):
        answer = finalize(project, taken, {"id": "p1"}, 400)
        assert answer["error"]["message"] == "CREDENTIAL_ALREADY_IN_USE"
    assert refuse(project, "passkeySignIn:finalize", {}) == "MISSING_AUTHENTICATOR_RESPONSE"
    assert enter(project, {}, 400)["error"]["message"] == "INVALID_CREDENTIAL_ID"
    assert enter(project, {"id": "p2"}, 400)["error"]["message"] == "PASSKEY_CREDENTIAL_NOT_FOUND"
    project.admin("/accounts:update", {"localId": session["localId"], "disableUser": True})
    assert enter(project, {"id": "p1"}, 400)["error"]["message"] == "USER_DISABLED"


PASSKEYS = ["passkeyEnrollment:start", "passkeyEnrollment:finalize", "passkeySignIn:start",
            "passkeySignIn:finalize"]


@pytest.mark.parametrize("name", PASSKEYS)
def test_passkeys_want_a_key_and_an_enabled_tenant(project, name):
    assert refuse(project, name, {"tenantId": project.disabled_tenant()}) == "PROJECT_DISABLED"
    answer = project.owner("POST", f"{IT}/v2/accounts/{name}", 403, json={})
    assert answer["error"]["status"] == "PERMISSION_DENIED"
    assert answer["error"]["message"] == "The request is missing a valid API key."


def test_passkeys_belong_to_a_tenant(project):
    session = project.sign_up(A, tenantId="t1")
    finalize(project, session, {"id": "p1"})
    assert enter(project, {"id": "p1"}, 400)["error"]["message"] == "PASSKEY_CREDENTIAL_NOT_FOUND"
    answer = enter(project, {"id": "p1"}, tenantId="t1")
    assert claims(answer)["firebase"]["tenant"] == "t1"
    finalize(project, project.sign_up(A), {"id": "p1"})


def test_a_passkey_is_given_up(project):
    session = project.sign_up(A)
    for credential in ("p1", "p2"):
        finalize(project, session, {"id": credential})
    project.call("update", {"idToken": session["idToken"], "deletePasskey": ["p1", "unknown"]})
    info = project.user(session["localId"])["passkeyInfo"]
    assert [passkey["credentialId"] for passkey in info] == ["p2"]
    project.admin("/accounts:update", {"localId": session["localId"], "deletePasskey": ["p2"]})
    assert project.user(session["localId"])["passkeyInfo"] == []
    other = project.sign_up(B)
    project.admin("/accounts:update", {"localId": other["localId"], "deletePasskey": ["p2"]})
    assert project.user(other["localId"])["passkeyInfo"] == []
    finalize(project, other, {"id": "p1"})


def test_deleting_a_user_frees_their_passkeys(project):
    session = project.sign_up(A)
    finalize(project, session, {"id": "p1"})
    project.call("delete", {"idToken": session["idToken"]})
    finalize(project, project.sign_up(B), {"id": "p1"})


def test_a_passkey_session_may_have_second_factors(project):
    session = finalize(project, project.verified(A), {"id": "p1"})
    project.enroll(session, ONE)
