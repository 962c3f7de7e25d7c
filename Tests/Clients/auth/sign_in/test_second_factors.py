"""Second factors: enrolment, signing in, tenants, withdrawal."""

import base64
import json
import re

import pytest
from support.auth.project import IT, Project, claims
from support.auth.sign_in import project, refuse, second, wrong  # noqa: F401
from support.wire import TOKEN

A, B = "a@example.com", "b@example.com"
ONE, TWO = "+15555550100", "+15555550101"
BAD_NUMBER = "INVALID_PHONE_NUMBER : Invalid format."
MFA_FIRST = "UNSUPPORTED_FIRST_FACTOR : MFA is not available for the given first factor."
MFA_OFF = "OPERATION_NOT_ALLOWED : SMS based MFA not enabled."
EXISTS = "SECOND_FACTOR_EXISTS : Phone number already enrolled as second factor for this account."
ANDROID = "androidVerificationProof is unsupported!"


# MARK: Enrolment


def enrolment(session: dict | None, number=ONE, **more) -> dict:
    info = {} if number is None else {"phoneNumber": number}
    return ({"idToken": session["idToken"]} if session else {}) | {
        "phoneEnrollmentInfo": {**info, **more}
    }


FIRST_FACTORS = {
    "anonymous": lambda project: project.call("signUp", {}),
    "phone": lambda project: project.phone(ONE),
    "custom": lambda project: project.call(
        "signInWithCustomToken", {"token": json.dumps({"uid": "someone"})}
    ),
}


@pytest.mark.parametrize("prepare", FIRST_FACTORS.values(), ids=FIRST_FACTORS)
def test_first_factors_that_have_no_second(project, prepare):
    session = prepare(project)
    assert project.error(f"{IT}/v2/accounts/mfaEnrollment:start", enrolment(session)) == MFA_FIRST
    assert (
        project.error(f"{IT}/v2/accounts/mfaEnrollment:finalize", {"idToken": session["idToken"]})
        == MFA_FIRST
    )


@pytest.mark.parametrize(
    "prepare",
    [
        lambda project: project.verified(A),
        lambda project: project.idp("google.com", {"sub": "1", "email": A, "email_verified": True}),
    ],
)
def test_first_factors_that_have(project, prepare):
    answer = project.factor("mfaEnrollment:start", enrolment(prepare(project)))
    assert answer.keys() == {"phoneSessionInfo"}
    assert answer["phoneSessionInfo"].keys() == {"sessionInfo"}
    assert len(answer["phoneSessionInfo"]["sessionInfo"]) == 226
    [code] = project.codes()
    assert code["phoneNumber"] == ONE


def test_what_the_start_of_an_enrolment_refuses(project):
    start = "mfaEnrollment:start"
    assert refuse(project, start, {}) == "MISSING_ID_TOKEN"
    assert refuse(project, start, enrolment({"idToken": "x"})) == "INVALID_ID_TOKEN"
    unverified = project.sign_up(B)
    for body in ({"idToken": unverified["idToken"]}, enrolment(unverified)):
        assert refuse(project, start, body) == (
            "UNVERIFIED_EMAIL : Need to verify email first before enrolling second factors."
        )
    session = project.verified(A)
    assert refuse(project, start, {"idToken": session["idToken"]}) == (
        "INVALID_ARGUMENT : ((Missing phoneEnrollmentInfo.))"
    )
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
        "INVALID_ARGUMENT : ((Missing phoneVerificationInfo.))"
    )
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
        "displayName": "My phone",
        "phoneInfo": ONE,
        "unobfuscatedPhoneInfo": ONE,
    }
    token = claims(answer)["firebase"]
    assert token["sign_in_provider"] == "password"
    assert token["sign_in_second_factor"] == "phone"
    assert token["second_factor_identifier"] == factor["mfaEnrollmentId"]
    refreshed = project.post(
        TOKEN, {"grant_type": "refresh_token", "refresh_token": answer["refreshToken"]}
    )
    again = claims({"idToken": refreshed["id_token"]})["firebase"]
    assert again["second_factor_identifier"] == factor["mfaEnrollmentId"]


def test_the_session_of_an_enrolment_may_come_from_any_start(project):
    session = project.verified(A)
    code = project.sms(ONE)
    project.factor(
        "mfaEnrollment:finalize", {"idToken": session["idToken"], "phoneVerificationInfo": code}
    )
    [factor] = project.user(session["localId"])["mfaInfo"]
    assert factor["phoneInfo"] == ONE and "displayName" not in factor


# MARK: Signing in with two factors


@pytest.fixture
def enrolled(project):
    session = project.verified(A)
    project.enroll(session, ONE, displayName="My phone")
    return session


def pending_ways(project, session):
    project.call(
        "sendOobCode",
        {"requestType": "EMAIL_SIGNIN", "email": A, "continueUrl": "http://localhost/"},
    )
    [*_, code] = [
        code
        for code in project.request("GET", f"{project.control}/oobCodes")["oobCodes"]
        if code["email"] == A
    ]
    return {
        "password": project.sign_in(A),
        "google.com": project.idp("google.com", {"sub": "1", "email": A, "email_verified": True}),
        "link": project.call("signInWithEmailLink", {"email": A, "oobCode": code["oobCode"]}),
    }


def test_the_first_factor_gives_a_pending_credential(project, enrolled):
    [factor] = project.user(enrolled["localId"])["mfaInfo"]
    for way, answer in pending_ways(project, enrolled).items():
        assert not {"idToken", "refreshToken", "expiresIn"} & answer.keys()
        assert answer["mfaInfo"] == [
            {
                "mfaEnrollmentId": factor["mfaEnrollmentId"],
                "enrolledAt": factor["enrolledAt"],
                "displayName": "My phone",
                "phoneInfo": "+*******0100",
            }
        ], way


def test_what_is_in_a_pending_credential(project, enrolled):
    text = base64.b64decode(project.sign_in(A)["mfaPendingCredential"], validate=True)
    # Ours adds when it was issued, because it expires.
    assert list(json.loads(text).items())[:4] == [
        ("_AuthEmulatorMfaPendingCredential", "DO NOT MODIFY"),
        ("localId", enrolled["localId"]),
        ("signInProvider", "password"),
        ("projectId", project.id),
    ]


@pytest.mark.parametrize("way", ["password", "google.com"])
def test_the_first_factor_is_in_the_token(project, enrolled, way):
    session = second(project, pending_ways(project, enrolled)[way])
    token = claims(session)["firebase"]
    assert token["sign_in_provider"] == way and token["sign_in_second_factor"] == "phone"


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
    assert (
        claims(answer)["firebase"]["second_factor_identifier"]
        == (after["mfaInfo"][0]["mfaEnrollmentId"])
    )


def test_what_the_start_of_a_second_factor_refuses(project, enrolled):
    start, pending = "mfaSignIn:start", project.sign_in(A)["mfaPendingCredential"]
    [factor] = project.user(enrolled["localId"])["mfaInfo"]
    assert refuse(project, start, {}) == (
        "MISSING_MFA_PENDING_CREDENTIAL : Request does not have MFA pending credential."
    )
    assert refuse(project, start, {"mfaPendingCredential": "x"}) == (
        "MISSING_MFA_ENROLLMENT_ID : No second factor identifier is provided."
    )
    for bad in ("x", "e30=", base64.b64encode(b'"text"').decode()):
        body = {"mfaPendingCredential": bad, "mfaEnrollmentId": factor["mfaEnrollmentId"]}
        assert refuse(project, start, body) == (
            "((Invalid phoneVerificationInfo.mfaPendingCredential.))"
        ), bad
    body = {"mfaPendingCredential": pending, "mfaEnrollmentId": "unknown"}
    assert refuse(project, start, body) == "MFA_ENROLLMENT_NOT_FOUND"
    body["mfaEnrollmentId"] = factor["mfaEnrollmentId"]
    other = Project(project.server)
    assert refuse(other, start, body) == (
        "INVALID_PROJECT_ID : Project ID does not match MFA pending credential."
    )
    project.admin("/accounts:delete", {"localId": enrolled["localId"]})
    assert refuse(project, start, body) == ("((User in pendingCredentialPayload does not exist.))")


def test_what_the_end_of_a_second_factor_refuses(project, enrolled):
    end, pending = "mfaSignIn:finalize", project.sign_in(A)["mfaPendingCredential"]
    code = project.sms(ONE)

    def given(**info) -> dict:
        return {"mfaPendingCredential": pending, "phoneVerificationInfo": info}

    assert refuse(project, end, {}) == ("MISSING_CREDENTIAL : Please set MFA Pending Credential.")
    assert refuse(project, end, {"mfaPendingCredential": pending}) == (
        "INVALID_ARGUMENT : MFA provider not supported!"
    )
    assert refuse(project, end, given(androidVerificationProof="x"), 501) == ANDROID
    assert refuse(project, end, given()) == "MISSING_CODE"
    assert refuse(project, end, given(sessionInfo="x")) == "MISSING_CODE"
    assert refuse(project, end, given(code="x")) == "MISSING_SESSION_INFO"
    assert refuse(project, end, given(code="x", sessionInfo="x")) == "INVALID_SESSION_INFO"
    assert refuse(project, end, given(**wrong(code))) == "INVALID_CODE"
    assert refuse(project, end, {**given(**code), "mfaPendingCredential": "x"}) == (
        "((Invalid phoneVerificationInfo.mfaPendingCredential.))"
    )
    # The code is used up before the credential is looked at.
    assert refuse(project, end, given(**code)) == "INVALID_SESSION_INFO"
    assert refuse(project, end, given(**project.sms(TWO))) == "MFA_ENROLLMENT_NOT_FOUND"
    other = Project(project.server)
    assert refuse(other, end, given(**other.sms(ONE))) == (
        "INVALID_PROJECT_ID : Project ID does not match MFA pending credential."
    )
    project.admin("/accounts:update", {"localId": enrolled["localId"], "disableUser": True})
    assert refuse(project, end, given(**project.sms(ONE))) == "USER_DISABLED"
    project.admin("/accounts:delete", {"localId": enrolled["localId"]})
    assert refuse(project, end, given(**project.sms(ONE))) == (
        "((User in pendingCredentialPayload does not exist.))"
    )


def test_an_obfuscated_number_counts_at_the_end(project, enrolled):
    """The iOS SDK sends the number that it was shown."""
    pending = project.sign_in(A)["mfaPendingCredential"]
    shown = "+*******0100"
    code = project.sms(shown)
    answer = project.factor(
        "mfaSignIn:finalize", {"mfaPendingCredential": pending, "phoneVerificationInfo": code}
    )
    assert claims(answer)["sub"] == enrolled["localId"]


def test_pending_credentials_do_not_cross_tenants(project):
    session = project.verified(A, tenant="t1")
    project.enroll(session, ONE, tenant="t1")
    pending = project.sign_in(A, tenantId="t1")
    body = {
        "mfaPendingCredential": pending["mfaPendingCredential"],
        "mfaEnrollmentId": pending["mfaInfo"][0]["mfaEnrollmentId"],
    }
    assert refuse(project, "mfaSignIn:start", {**body, "tenantId": "t2"}) == (
        "INVALID_PROJECT_ID : Project ID does not match MFA pending credential."
    )
    assert refuse(project, "mfaSignIn:start", body) == (
        "((User in pendingCredentialPayload does not exist.))"
    )
    answer = second(project, pending, tenant="t1")
    assert claims(answer)["firebase"]["tenant"] == "t1"


# MARK: Tenants and their settings

NAMES = ["mfaEnrollment:start", "mfaEnrollment:finalize", "mfaSignIn:start", "mfaSignIn:finalize"]


@pytest.mark.parametrize("name", [*NAMES, "mfaEnrollment:withdraw"])
def test_a_disabled_tenant_has_no_second_factors(project, name):
    tenant = project.disabled_tenant()
    assert refuse(project, name, {"tenantId": tenant}) == "PROJECT_DISABLED"


@pytest.mark.parametrize(
    "config, is_on",
    [
        (None, False),
        ({}, False),
        ({"state": "DISABLED", "enabledProviders": ["PHONE_SMS"]}, False),
        ({"state": "STATE_UNSPECIFIED", "enabledProviders": ["PHONE_SMS"]}, False),
        ({"state": "ENABLED"}, False),
        ({"state": "ENABLED", "enabledProviders": []}, False),
        ({"state": "ENABLED", "enabledProviders": ["PHONE_SMS"]}, True),
        ({"state": "MANDATORY", "enabledProviders": ["PHONE_SMS"]}, True),
        ({"enabledProviders": ["PHONE_SMS"]}, False),
    ],
)
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
    project.owner(
        "PATCH",
        f"{project.v2}/tenants/t1",
        params={"updateMask": "mfaConfig.state"},
        json={"mfaConfig": {"state": "DISABLED"}},
    )
    assert project.sign_in(A, tenantId="t1")["idToken"]


def test_mandatory_second_factors_are_not_enforced(project):
    tenant = project.tenant(
        allowPasswordSignup=True,
        mfaConfig={"state": "MANDATORY", "enabledProviders": ["PHONE_SMS"]},
    )
    assert project.verified(A, tenant=tenant)["idToken"]


def test_custom_tokens_passkeys_and_refresh_ignore_second_factors(project, enrolled):
    project.factor(
        "passkeyEnrollment:finalize",
        {"idToken": enrolled["idToken"], "authenticatorRegistrationResponse": {"id": "p"}},
    )
    assert project.factor(
        "passkeySignIn:finalize", {"authenticatorAuthenticationResponse": {"id": "p"}}
    )["idToken"]
    token = json.dumps({"uid": enrolled["localId"]})
    assert project.call("signInWithCustomToken", {"token": token})["idToken"]
    assert project.post(
        TOKEN, {"grant_type": "refresh_token", "refresh_token": enrolled["refreshToken"]}
    )["id_token"]


# MARK: Withdrawing, and factors that are written


def test_withdrawing(project, enrolled):
    withdraw = "mfaEnrollment:withdraw"
    [factor] = project.user(enrolled["localId"])["mfaInfo"]
    body = {"idToken": enrolled["idToken"], "mfaEnrollmentId": factor["mfaEnrollmentId"]}
    assert refuse(project, withdraw, {}) == "MISSING_ID_TOKEN"
    assert refuse(project, withdraw, {"idToken": "x"}) == "INVALID_ID_TOKEN"
    for other in ({}, {"mfaEnrollmentId": "unknown"}):
        assert refuse(project, withdraw, {"idToken": enrolled["idToken"], **other}) == (
            "MFA_ENROLLMENT_NOT_FOUND"
        )
    answer = project.factor(withdraw, body)
    assert answer.keys() == {"idToken", "refreshToken", "expiresIn"}
    token = claims(answer)["firebase"]
    assert not {"sign_in_second_factor", "second_factor_identifier"} & token.keys()
    assert project.user(enrolled["localId"])["mfaInfo"] == []
    assert refuse(project, withdraw, body) == "MFA_ENROLLMENT_NOT_FOUND"
    assert project.sign_in(A)["idToken"]
    nobody = project.sign_up(B)
    assert refuse(project, withdraw, {**body, "idToken": nobody["idToken"]}) == (
        "MFA_ENROLLMENT_NOT_FOUND"
    )


def test_withdrawing_does_not_ask_whether_second_factors_are_on(project):
    session = project.verified(A, tenant="t1")
    project.enroll(session, ONE, tenant="t1")
    [factor] = project.user(session["localId"], tenant="t1")["mfaInfo"]
    project.owner(
        "PATCH",
        f"{project.v2}/tenants/t1",
        params={"updateMask": "mfaConfig.state"},
        json={"mfaConfig": {"state": "DISABLED"}},
    )
    project.factor(
        "mfaEnrollment:withdraw",
        {"idToken": session["idToken"], "mfaEnrollmentId": factor["mfaEnrollmentId"]},
    )


def factors(*given: dict) -> dict:
    return {"mfa": {"enrollments": list(given)}}


@pytest.mark.parametrize(
    "given, message",
    [
        ([{"mfaEnrollmentId": "1"}], "INVALID_MFA_PHONE_NUMBER : Invalid format."),
        (
            [{"mfaEnrollmentId": "1", "phoneInfo": "5"}],
            "INVALID_MFA_PHONE_NUMBER : Invalid format.",
        ),
        ([{"phoneInfo": ONE}], "INVALID_MFA_ENROLLMENT_ID : mfaEnrollmentId must be defined."),
        (
            [
                {"mfaEnrollmentId": "1", "phoneInfo": ONE},
                {"mfaEnrollmentId": "1", "phoneInfo": TWO},
            ],
            "DUPLICATE_MFA_ENROLLMENT_ID",
        ),
    ],
)
def test_factors_that_an_update_refuses(project, given, message):
    uid = project.verified(A)["localId"]
    assert project.admin_error("/accounts:update", {"localId": uid, **factors(*given)}) == message
    assert "mfaInfo" not in project.user(uid)


def test_an_update_drops_repeated_numbers_and_can_clear_all(project):
    uid = project.verified(A)["localId"]
    project.admin(
        "/accounts:update",
        {
            "localId": uid,
            **factors(
                {"mfaEnrollmentId": "1", "phoneInfo": ONE},
                {"mfaEnrollmentId": "2", "phoneInfo": ONE},
            ),
        },
    )
    assert [f["mfaEnrollmentId"] for f in project.user(uid)["mfaInfo"]] == ["1"]
    project.admin("/accounts:update", {"localId": uid, "mfa": {}})
    assert project.user(uid).get("mfaInfo", []) == []


def test_sign_up_makes_new_ids(project):
    uid = project.admin(
        "/accounts",
        {
            "email": A,
            "emailVerified": True,
            "mfaInfo": [
                {"mfaEnrollmentId": "mine", "phoneInfo": ONE},
                {"phoneInfo": ONE},
                {"phoneInfo": TWO, "displayName": "Two"},
            ],
        },
    )["localId"]
    info = project.user(uid)["mfaInfo"]
    assert [f["phoneInfo"] for f in info] == [ONE, TWO]
    assert all(re.fullmatch(r"[A-Za-z0-9]{28}", f["mfaEnrollmentId"]) for f in info)
