"""Text messages to test numbers and second factors, as recorded from production."""

import re

import pytest
from support.auth.production import Production, claims, totp
from support.server import Server

NUMBERS = {f"+1650555010{n}": "123456" for n in range(1, 7)}
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
INVALID = "Request contains an invalid argument."
FACTORS = {
    "state": "ENABLED",
    "enabledProviders": ["PHONE_SMS"],
    "providerConfigs": [{"state": "ENABLED", "totpProviderConfig": {"adjacentIntervals": 5}}],
}
PHONE_FORMAT = "INVALID_PHONE_NUMBER : Invalid format."


@pytest.fixture(scope="module")
def server():
    server = Server("--profile", "production")
    yield server
    server.stop()


@pytest.fixture
def project(server) -> Production:
    project = Production(server)
    project.configure(
        "signIn.phoneNumber,mfa",
        {"signIn": {"phoneNumber": {"enabled": True, "testPhoneNumbers": NUMBERS}}, "mfa": FACTORS},
    )
    return project


def by_link(project: Production, email: str) -> dict:
    link = project.ok(
        "POST",
        f"{project.v1}/accounts:sendOobCode",
        {
            "requestType": "EMAIL_SIGNIN",
            "email": email,
            "continueUrl": f"https://{project.id}.firebaseapp.com/",
            "returnOobLink": True,
        },
        admin=True,
    )
    return project.ok(*project.to_v1("signInWithEmailLink", email=email, oobCode=link["oobCode"]))


# MARK: Phone numbers


def code(project: Production, number: str = "+16505550104") -> str:
    return project.ok(*project.to_v1("sendVerificationCode", phoneNumber=number))["sessionInfo"]


def phone_sign_in(project: Production, number: str = "+16505550104", **fields) -> dict:
    return project.ok(
        *project.to_v1(
            "signInWithPhoneNumber", sessionInfo=code(project, number), code="123456", **fields
        )
    )


@pytest.mark.parametrize(
    "given, number",
    [
        pytest.param("+1 650-555-0104", "+16505550104", id="A134-separators"),
        pytest.param("+1650555ABCD", "+16505552223", id="A134-letters"),
    ],
)
def test_a_number_is_normalised(project, given, number):
    project.configure(
        "signIn.phoneNumber.testPhoneNumbers",
        {"signIn": {"phoneNumber": {"testPhoneNumbers": {number: "123456"}}}},
    )
    answer = phone_sign_in(project, given)
    assert answer["phoneNumber"] == number
    assert sorted(answer) == [
        "expiresIn",
        "idToken",
        "isNewUser",
        "localId",
        "phoneNumber",
        "refreshToken",
    ], "A131"


@pytest.mark.parametrize(
    "number",
    [
        pytest.param("+0123456789", id="A134-zero"),
        pytest.param("16505550104", id="A134-no-plus"),
        pytest.param("not-a-number", id="A134-words"),
    ],
)
def test_what_is_no_number_is_refused(project, number):
    call = project.to_v1("sendVerificationCode", phoneNumber=number)
    assert project.refusal(*call) == PHONE_FORMAT


@pytest.mark.parametrize(
    "change, message",
    [
        pytest.param({"code": "654321"}, "INVALID_CODE", id="A132-wrong"),
        pytest.param({"sessionInfo": "x"}, "INVALID_SESSION_INFO", id="A132-session"),
        pytest.param({"code": ""}, "MISSING_CODE", id="A132-none"),
    ],
)
def test_a_phone_sign_in_is_refused(project, change, message):
    body = {"sessionInfo": code(project), "code": "123456"} | change
    assert project.refusal(*project.to_v1("signInWithPhoneNumber", **body)) == message


def test_a133_a_number_of_another_gives_a_proof_that_can_be_used_again(project):
    owner = phone_sign_in(project)["localId"]
    other = project.ok(*project.to_v1("signUp", returnSecureToken=True))["idToken"]
    answer = phone_sign_in(project, idToken=other)
    assert sorted(answer) == ["phoneNumber", "temporaryProof", "temporaryProofExpiresIn"]
    proof = {"temporaryProof": answer["temporaryProof"], "phoneNumber": answer["phoneNumber"]}
    for _ in range(2):
        assert project.ok(*project.to_v1("signInWithPhoneNumber", **proof))["localId"] == owner


def test_a23_new_numbers_are_refused_where_sign_up_is_off_and_old_ones_work(project):
    phone_sign_in(project)
    project.configure("client", {"client": {"permissions": {"disabledUserSignup": True}}})
    phone_sign_in(project)
    call = project.to_v1("sendVerificationCode", phoneNumber="+16505550105")
    assert project.refusal(*call) == "ADMIN_ONLY_OPERATION"


# MARK: Enrolment


def start(project: Production, token: str | None, number: str | None = None) -> tuple:
    info = (
        {"phoneEnrollmentInfo": {"phoneNumber": number}} if number else {"totpEnrollmentInfo": {}}
    )
    return project.to_v2(
        "mfaEnrollment:start", **({"idToken": token} if token is not None else {}), **info
    )


def app_proof(project: Production, session: dict, offset: int = 0) -> dict:
    verification = totp(session["sharedSecretKey"], project.now(), offset)
    return {
        "totpVerificationInfo": {
            "sessionInfo": session["sessionInfo"],
            "verificationCode": verification,
        }
    }


def enrolled_app(project: Production, name: str) -> tuple[dict, str]:
    """An authenticator app: the answer of its enrolment, and its secret."""
    token = project.sign_in(name)["idToken"]
    session = project.ok(*start(project, token))["totpSessionInfo"]
    answer = project.ok(
        *project.to_v2(
            "mfaEnrollment:finalize",
            idToken=token,
            displayName="App",
            **app_proof(project, session),
        )
    )
    return answer, session["sharedSecretKey"]


def enrolled_phone(project: Production, token: str, number: str = "+16505550101") -> dict:
    session = project.ok(*start(project, token, number))["phoneSessionInfo"]["sessionInfo"]
    return project.ok(
        *project.to_v2(
            "mfaEnrollment:finalize",
            idToken=token,
            displayName="Phone",
            phoneVerificationInfo={"sessionInfo": session, "code": "123456"},
        )
    )


@pytest.mark.parametrize("kind", ["app", "phone"])
def test_who_may_not_enrol(project, kind):
    number = "+16505550101" if kind == "phone" else None
    assert project.refusal(*start(project, None, number)) == "INVALID_ID_TOKEN", "A135"
    assert project.refusal(*start(project, "x", number)) == "INVALID_ID_TOKEN", "A135"
    project.user("unverified", emailVerified=False)
    token = project.sign_in("unverified")["idToken"]
    assert project.refusal(*start(project, token, number)) == (
        "UNVERIFIED_EMAIL : Need to verify email first before enrolling second factors."
    ), "A135"
    for answer in (
        project.ok(*project.to_v1("signUp", returnSecureToken=True)),
        phone_sign_in(project),
    ):
        assert project.refusal(*start(project, answer["idToken"], number)) == (
            "UNSUPPORTED_FIRST_FACTOR : MFA is not available for the given first factor."
        ), "A136"


def test_a137_an_enrolment_is_of_one_kind(project):
    project.user("both")
    token = project.sign_in("both")["idToken"]
    both = project.to_v2(
        "mfaEnrollment:start",
        idToken=token,
        totpEnrollmentInfo={},
        phoneEnrollmentInfo={"phoneNumber": "+16505550101"},
    )
    assert project.refusal(*both) == (
        "Invalid value (oneof), oneof field 'enrollment_info' is already set. "
        "Cannot set 'phoneEnrollmentInfo'"
    )
    assert project.refusal(*project.to_v2("mfaEnrollment:start", idToken=token)) == INVALID


@pytest.mark.parametrize(
    "config, message",
    [
        pytest.param({"state": "DISABLED"}, "{} based MFA not enabled.", id="off"),
        pytest.param({"state": "ENABLED"}, "{} based MFA not enabled.", id="no-provider"),
    ],
)
def test_second_factors_that_are_off(project, config, message):
    project.user("off")
    project.configure("mfa", {"mfa": config})
    token = project.sign_in("off")["idToken"]
    for number, name in ((None, "TOTP"), ("+16505550101", "SMS")):
        assert project.refusal(*start(project, token, number)) == (
            "OPERATION_NOT_ALLOWED : " + message.format(name)
        )


def test_a_project_that_is_off_asks_for_no_second_factor(project):
    project.user("asked")
    project.change("asked", mfa={"enrollments": [{"phoneInfo": "+16505550102"}]})
    assert "mfaPendingCredential" in project.sign_in("asked")
    project.configure("mfa", {"mfa": {"state": "DISABLED"}})
    assert "idToken" in project.sign_in("asked")


def test_a138_to_a145_an_authenticator_app_is_enrolled(project):
    project.freeze()
    project.user("app")
    old = project.sign_in("app")
    session = project.ok(*start(project, old["idToken"]))["totpSessionInfo"]
    assert {
        name: session[name] for name in ("verificationCodeLength", "hashingAlgorithm", "periodSec")
    } == {"verificationCodeLength": 6, "hashingAlgorithm": "SHA1", "periodSec": 30}

    def finalize(**fields):
        body = {"idToken": old["idToken"], "displayName": "App"} | fields
        return project.to_v2("mfaEnrollment:finalize", **body)

    wrong = {"sessionInfo": session["sessionInfo"], "verificationCode": "000000"}
    assert project.refusal(
        *finalize(displayName="", totpVerificationInfo={"sessionInfo": session["sessionInfo"]})
    ) == ("MISSING_DISPLAY_NAME : display name cannot be empty"), "A140"
    for info in ({"verificationCode": "000000"}, wrong | {"sessionInfo": "x"}):
        assert project.refusal(*finalize(totpVerificationInfo=info)) == "INVALID_SESSION_INFO"
    for _ in range(2):
        assert project.refusal(*finalize(totpVerificationInfo=wrong)) == "INVALID_CODE", "A141"

    project.advance("PT5S")
    answer = project.ok(*finalize(**app_proof(project, session)))
    assert sorted(answer) == ["idToken", "refreshToken", "totpAuthInfo"], "A142"
    found = claims(answer["idToken"])
    assert found["auth_time"] == found["iat"] == claims(old["idToken"])["iat"] + 5
    assert found["firebase"]["sign_in_second_factor"] == "totp", "A143"
    assert UUID.fullmatch(found["firebase"]["second_factor_identifier"]), "A143"
    again = {"idToken": answer["idToken"]} | app_proof(project, session, 1)
    assert project.refusal(*finalize(**again)) == (
        "TOO_MANY_ENROLLMENT_ATTEMPTS : restart enrollment"
    ), "A141"
    assert project.ok(*project.to_v1("lookup", idToken=old["idToken"])), "A144"
    assert project.refusal(*start(project, answer["idToken"])) == (
        "SECOND_FACTOR_LIMIT_EXCEEDED : Too many TOTP based second factors enrolled for this "
        "account."
    ), "A145"


@pytest.mark.parametrize("offset, taken", [(-6, False), (-5, True), (5, True), (6, False)])
def test_codes_of_five_periods_around_now_are_taken(project, offset, taken):
    project.freeze()
    project.user("window")
    token = project.sign_in("window")["idToken"]
    session = project.ok(*start(project, token))["totpSessionInfo"]
    call = project.to_v2(
        "mfaEnrollment:finalize",
        idToken=token,
        displayName="App",
        **app_proof(project, session, offset),
    )
    if taken:
        project.ok(*call)
    else:
        assert project.refusal(*call) == "INVALID_CODE"


@pytest.mark.parametrize("age, message", [(240, None), (330, "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")])
def test_a139_an_enrolment_needs_a_new_session(project, age, message):
    project.freeze()
    project.user("aged")
    token = project.sign_in("aged")["idToken"]
    project.advance(f"PT{age}S")
    if message:
        assert project.refusal(*start(project, token)) == message
    else:
        project.ok(*start(project, token))


@pytest.mark.parametrize("age, message", [(870, None), (930, "SESSION_EXPIRED")])
def test_a151_the_enrolment_of_an_app_takes_a_quarter_of_an_hour(project, age, message):
    project.freeze()
    project.user("slow")
    session = project.ok(*start(project, project.sign_in("slow")["idToken"]))["totpSessionInfo"]
    project.advance(f"PT{age}S")
    call = project.to_v2(
        "mfaEnrollment:finalize",
        idToken=project.sign_in("slow")["idToken"],
        displayName="App",
        **app_proof(project, session),
    )
    if message:
        assert project.refusal(*call) == message
    else:
        project.ok(*call)


def test_a142_to_a148_a_phone_is_enrolled(project):
    project.freeze()
    project.user("phone")
    old = project.sign_in("phone")
    session = project.ok(*start(project, old["idToken"], "+16505550101"))
    proof = {"sessionInfo": session["phoneSessionInfo"]["sessionInfo"]}

    def finalize(token: str, **info):
        return project.to_v2(
            "mfaEnrollment:finalize",
            idToken=token,
            displayName="Phone",
            phoneVerificationInfo=proof | info,
        )

    assert project.refusal(*finalize(old["idToken"])) == "MISSING_CODE"
    assert project.refusal(*finalize(old["idToken"], code="654321")) == "INVALID_CODE"
    project.advance("PT5S")
    answer = project.ok(*finalize(old["idToken"], code="123456"))
    assert sorted(answer) == ["idToken", "refreshToken"], "A142"
    assert project.refusal(*project.to_v1("lookup", idToken=old["idToken"])) == "TOKEN_EXPIRED", (
        "A144"
    )
    exists = (
        "SECOND_FACTOR_EXISTS : Phone number already enrolled as second factor for this account."
    )
    assert project.refusal(*finalize(answer["idToken"], code="123456")) == exists, "A147"
    assert project.refusal(*start(project, answer["idToken"], "+16505550101")) == exists, "A147"

    pending = project.sign_in("phone")
    assert [factor["phoneInfo"] for factor in pending["mfaInfo"]] == ["+*******0101"], "A148"
    shown = project.shown("phone")["mfaInfo"][0]
    assert shown["phoneInfo"] == "+16505550101" and "unobfuscatedPhoneInfo" not in shown, "A148"
    assert re.search(r"\.\d{6}Z$", shown["enrolledAt"]), "A148"


def test_a146_five_phones_and_an_app(project):
    project.user("five")
    factors = [{"phoneInfo": number, "displayName": number} for number in NUMBERS]
    project.change("five", mfa={"enrollments": factors[:5]})
    update = f"{project.v1}/accounts:update"
    six = {"localId": "five", "mfa": {"enrollments": factors}}
    assert project.refusal("POST", update, six, admin=True) == "SECOND_FACTOR_LIMIT_EXCEEDED"
    pending = project.sign_in("five")
    token = by_message(project, pending, 4)["idToken"]
    assert project.refusal(*start(project, token, "+16505550106")) == (
        "SECOND_FACTOR_LIMIT_EXCEEDED : Too many second factors enrolled for this account."
    )
    project.ok(*start(project, token))


# MARK: Signing in


def by_message(project: Production, pending: dict, index: int = 0) -> dict:
    credential = {
        "mfaPendingCredential": pending["mfaPendingCredential"],
        "mfaEnrollmentId": pending["mfaInfo"][index]["mfaEnrollmentId"],
    }
    session = project.ok(*project.to_v2("mfaSignIn:start", phoneSignInInfo={}, **credential))
    proof = {"sessionInfo": session["phoneResponseInfo"]["sessionInfo"], "code": "123456"}
    return project.ok(
        *project.to_v2("mfaSignIn:finalize", phoneVerificationInfo=proof, **credential)
    )


def with_app(project: Production, pending: dict, secret: str, offset: int = 0, **fields) -> tuple:
    body = {
        "mfaPendingCredential": pending["mfaPendingCredential"],
        "mfaEnrollmentId": pending["mfaInfo"][0]["mfaEnrollmentId"],
        "totpVerificationInfo": {"verificationCode": totp(secret, project.now(), offset)},
    }
    return project.to_v2(
        "mfaSignIn:finalize",
        **{name: value for name, value in (body | fields).items() if value is not None},
    )


def test_a_link_that_needs_a_second_factor_says_nothing_about_new_accounts(project):
    project.user("linked")
    project.change("linked", mfa={"enrollments": [{"phoneInfo": "+16505550102"}]})
    pending = by_link(project, "linked@example.com")
    assert "mfaPendingCredential" in pending and "isNewUser" not in pending


def test_a149_a153_a_text_message_signs_in_twice(project):
    project.user("message")
    project.change("message", mfa={"enrollments": [{"phoneInfo": "+16505550102"}]})
    pending = project.sign_in("message")
    credential = {
        "mfaPendingCredential": pending["mfaPendingCredential"],
        "mfaEnrollmentId": pending["mfaInfo"][0]["mfaEnrollmentId"],
    }
    assert project.refusal(*project.to_v2("mfaSignIn:start", **credential)) == INVALID, "A154"
    unknown = credential | {"mfaEnrollmentId": "x", "phoneSignInInfo": {}}
    assert project.refusal(*project.to_v2("mfaSignIn:start", **unknown)) == (
        "MFA_ENROLLMENT_NOT_FOUND"
    ), "A154"
    session = project.ok(*project.to_v2("mfaSignIn:start", phoneSignInInfo={}, **credential))
    proof = {"sessionInfo": session["phoneResponseInfo"]["sessionInfo"]}
    wrong = credential | {"phoneVerificationInfo": proof | {"code": "654321"}}
    assert project.refusal(*project.to_v2("mfaSignIn:finalize", **wrong)) == "INVALID_CODE"
    right = credential | {"phoneVerificationInfo": proof | {"code": "123456"}}
    for _ in range(2):
        answer = project.ok(*project.to_v2("mfaSignIn:finalize", **right))
        assert sorted(answer) == ["idToken", "refreshToken"], "A149"
    found = claims(answer["idToken"])["firebase"]
    assert found["sign_in_second_factor"] == "phone"
    assert found["second_factor_identifier"] == credential["mfaEnrollmentId"]
    form = {"grant_type": "refresh_token", "refresh_token": answer["refreshToken"]}
    fresh = project.ok(*project.token(**form))["id_token"]
    assert claims(fresh)["firebase"] == found, "A143"


def test_a152_a154_a_code_of_an_app_is_good_once(project):
    project.freeze()
    project.user("once")
    _, secret = enrolled_app(project, "once")
    pending = project.sign_in("once")
    for change, message in [
        ({"mfaPendingCredential": None}, INVALID),
        ({"mfaPendingCredential": "x"}, "INVALID_PENDING_TOKEN"),
        ({"mfaEnrollmentId": None}, INVALID),
        ({"mfaEnrollmentId": "x"}, "INVALID_MFA_ENROLLMENT_ID"),
        ({"totpVerificationInfo": {}}, INVALID),
        ({"totpVerificationInfo": None}, INVALID),
        (
            {
                "totpVerificationInfo": None,
                "phoneVerificationInfo": {"sessionInfo": "x", "code": "123456"},
            },
            "INVALID_SESSION_INFO",
        ),
    ]:
        assert project.refusal(*with_app(project, pending, secret, **change)) == message, change
    as_phone = {
        "mfaPendingCredential": pending["mfaPendingCredential"],
        "mfaEnrollmentId": pending["mfaInfo"][0]["mfaEnrollmentId"],
        "phoneSignInInfo": {},
    }
    assert project.refusal(*project.to_v2("mfaSignIn:start", **as_phone)) == PHONE_FORMAT
    project.ok(*with_app(project, pending, secret, 4))
    project.ok(*with_app(project, pending, secret, 5))
    again = project.sign_in("once")
    for offset in (5, 0, 2):
        assert project.refusal(*with_app(project, again, secret, offset)) == "INVALID_CODE"


@pytest.mark.parametrize(
    "age, message",
    [
        (290, None),
        (300, "TOTP_CHALLENGE_TIMEOUT : TOTP challenge timeout, provide first factor again."),
    ],
)
def test_a150_the_code_of_an_app_has_five_minutes(project, age, message):
    project.freeze()
    project.user("late")
    _, secret = enrolled_app(project, "late")
    pending = project.sign_in("late")
    project.advance(f"PT{age}S")
    call = with_app(project, pending, secret)
    if message:
        assert project.refusal(*call) == message
    else:
        project.ok(*call)


@pytest.mark.parametrize(
    "age, message",
    [(450, None), (600, "INVALID_MFA_PENDING_CREDENTIAL : MFA pending credential is expired.")],
)
def test_a_text_message_has_ten_minutes(project, age, message):
    project.freeze()
    project.user("later")
    project.change("later", mfa={"enrollments": [{"phoneInfo": "+16505550102"}]})
    pending = project.sign_in("later")
    project.advance(f"PT{age}S")
    if message is None:
        by_message(project, pending)
        return
    call = project.to_v2(
        "mfaSignIn:start",
        mfaPendingCredential=pending["mfaPendingCredential"],
        mfaEnrollmentId=pending["mfaInfo"][0]["mfaEnrollmentId"],
        phoneSignInInfo={},
    )
    assert project.refusal(*call) == message


def test_a155_what_happens_between_the_factors(project):
    project.freeze()
    project.user("between")
    _, secret = enrolled_app(project, "between")
    pending = project.sign_in("between")
    project.change("between", disableUser=True)
    project.ok(*with_app(project, pending, secret, 1))
    project.change("between", disableUser=False, password="password456")
    project.ok(*with_app(project, pending, secret, 2))
    project.change("between", mfa={})
    assert project.refusal(*with_app(project, pending, secret, 3)) == "INVALID_MFA_ENROLLMENT_ID"
    project.ok("POST", f"{project.v1}/accounts:delete", {"localId": "between"}, admin=True)
    assert project.refusal(*with_app(project, pending, secret, 3)) == "USER_NOT_FOUND"


# MARK: Withdrawing


def test_a156_an_app_is_withdrawn(project):
    project.freeze()
    project.user("away")
    answer, _ = enrolled_app(project, "away")
    token = {"idToken": answer["idToken"]}
    factor = claims(answer["idToken"])["firebase"]["second_factor_identifier"]
    withdraw = "mfaEnrollment:withdraw"
    for body, message in [
        (token, "MFA_ENROLLMENT_NOT_FOUND"),
        (token | {"mfaEnrollmentId": "x"}, "MFA_ENROLLMENT_NOT_FOUND"),
        ({"mfaEnrollmentId": factor}, "INVALID_ID_TOKEN"),
    ]:
        assert project.refusal(*project.to_v2(withdraw, **body)) == message
    project.advance("PT5S")
    left = project.ok(*project.to_v2(withdraw, mfaEnrollmentId=factor, **token))
    assert sorted(left) == ["idToken", "refreshToken"]
    assert "sign_in_second_factor" not in claims(left["idToken"])["firebase"]
    assert project.refusal(*project.to_v1("lookup", **token)) == "TOKEN_EXPIRED"
    assert "mfaInfo" not in project.shown("away")


def test_a_session_keeps_its_own_factor_when_another_is_withdrawn(project):
    project.user("two")
    first = enrolled_phone(project, project.sign_in("two")["idToken"])
    second = enrolled_phone(project, first["idToken"], "+16505550103")
    factor = claims(first["idToken"])["firebase"]["second_factor_identifier"]
    left = project.ok(
        *project.to_v2("mfaEnrollment:withdraw", idToken=second["idToken"], mfaEnrollmentId=factor)
    )
    assert claims(left["idToken"])["firebase"] == claims(second["idToken"])["firebase"]


# MARK: Administrators


def test_a157_factors_of_imported_accounts(project):
    users = [
        {
            "localId": "a",
            "email": "a@example.com",
            "emailVerified": True,
            "mfaInfo": [{"phoneInfo": "+16505550101", "enrolledAt": "2020-01-02T03:04:05Z"}],
        },
        {
            "localId": "b",
            "email": "b@example.com",
            "emailVerified": True,
            "mfaInfo": [{"phoneInfo": "+16505550102", "mfaEnrollmentId": "imported-1"}],
        },
        {
            "localId": "c",
            "email": "c@example.com",
            "emailVerified": True,
            "mfaInfo": [{"totpInfo": {}, "displayName": "App"}],
        },
        {
            "localId": "d",
            "email": "d@example.com",
            "emailVerified": True,
            "mfaInfo": [{"phoneInfo": "not-a-phone"}],
        },
    ]
    answer = project.ok("POST", f"{project.v1}/accounts:batchCreate", {"users": users}, admin=True)
    assert answer["error"] == [
        {"index": 2, "message": "Importing TOTP MFA is not supported."},
        {"index": 3, "message": "Phone number format is invalid"},
    ]
    factor = project.shown("a")["mfaInfo"][0]
    assert UUID.fullmatch(factor["mfaEnrollmentId"])
    assert factor["enrolledAt"] == "2020-01-02T03:04:05Z"
    assert project.shown("b")["mfaInfo"][0]["mfaEnrollmentId"] == "imported-1"


@pytest.mark.parametrize(
    "factor, message",
    [
        pytest.param(
            {"totpInfo": {}, "displayName": "App"},
            "UNSUPPORTED_SECOND_FACTOR : attempting to add a new TOTP enrollment",
            id="A158",
        ),
        pytest.param({"phoneInfo": "not-a-phone"}, PHONE_FORMAT, id="A158-number"),
    ],
)
def test_factors_that_an_administrator_cannot_set(project, factor, message):
    project.user("set")
    body = {"localId": "set", "mfa": {"enrollments": [factor]}}
    found = project.refusal("POST", f"{project.v1}/accounts:update", body, admin=True)
    assert found == message
