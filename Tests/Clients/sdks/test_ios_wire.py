"""What FirebaseAuth for iOS and macOS puts on the wire, and what its parsers insist on."""

import json
import time

import pytest
from support.server import PROJECT
from support.wire import CUSTOM_TOKEN_AUDIENCE, TOKEN, V2, V3, App, id_token, unsigned, user_record

CLIENT = {"returnSecureToken": True, "clientType": "CLIENT_TYPE_IOS"}
SETTINGS = {
    "continueUrl": "http://localhost/done?a=b",
    "iOSBundleId": "com.example.app",
    "androidPackageName": "com.example.app",
    "androidMinimumVersion": "12",
    "androidInstallApp": True,
    "canHandleCodeInApp": True,
    "linkDomain": "links.example.com",
    "clientType": "CLIENT_TYPE_IOS",
}


class IOSApp(App):
    def call(self, name: str, body: dict, **options) -> dict:
        return self.request("POST", V3 + name, json=body, **options)

    def fails(self, name: str, body: dict) -> str:
        return self.refused(V3 + name, body)

    def tokens(self, answer: dict, provider: str) -> dict:
        """Both tokens or neither, and `expiresIn` as a string: a number costs a refresh at each call."""
        assert answer["expiresIn"] == "3600"
        assert answer["refreshToken"]
        assert "mfaPendingCredential" not in answer and "mfaInfo" not in answer
        return id_token(answer["idToken"], provider)

    def account(self, token: str) -> dict:
        answer = self.call("getAccountInfo", {"idToken": token})
        assert len(answer["users"]) == 1
        return user_record(answer["users"][0])

    def create(self, address: str, password: str = "secret1") -> dict:
        return self.call("signupNewUser", {"email": address, "password": password} | CLIENT)

    def sign_in(self, address: str, password: str = "secret1", **options) -> dict:
        return self.call(
            "verifyPassword", {"email": address, "password": password} | CLIENT, **options
        )

    def send(self, kind: str, body: dict, **options) -> None:
        self.call("getOobConfirmationCode", {"requestType": kind} | body | SETTINGS, **options)


@pytest.fixture
def ios(hearth) -> IOSApp:
    return IOSApp(
        hearth,
        {
            "X-Client-Version": "iOS/FirebaseSDK/12.19.0/FirebaseCore-iOS",
            "X-Ios-Bundle-Identifier": "com.example.app",
            "X-Firebase-GMPID": "1:1:ios:1",
            "X-Firebase-Client": "H4sIAAAAAAAAAKtWykhNLCpJSk0sKVayio7VUSpLLSrOzM9TslIyUqoFAFyivEQfAAAA",
            "Accept-Language": "de-DE",
            "User-Agent": "FirebaseAuth.iOS/12.19.0 com.example.app/1.0 iPhone/18.0 hw/sim",
        },
    )


def test_create_user_reads_the_account_at_once(ios, address):
    answer = ios.create(address)
    claims = ios.tokens(answer, "password")
    assert claims["email"] == address and claims["email_verified"] is False
    account = ios.account(answer["idToken"])
    assert account["email"] == address and account["passwordHash"]
    assert account["createdAt"] and account["lastLoginAt"]
    [provider] = account["providerUserInfo"]
    assert provider["providerId"] == "password" and provider["email"] == address


def test_sign_in_gives_both_tokens(ios, address):
    created = ios.create(address)
    answer = ios.sign_in(address)
    ios.tokens(answer, "password")
    assert ios.account(answer["idToken"])["localId"] == created["localId"]


def test_an_anonymous_account_has_neither_password_nor_provider(ios):
    answer = ios.call("signupNewUser", dict(CLIENT))
    ios.tokens(answer, "anonymous")
    account = ios.account(answer["idToken"])
    assert "passwordHash" not in account and not account.get("providerUserInfo")


def test_an_anonymous_account_is_linked_to_a_password(ios, address):
    anonymous = ios.call("signupNewUser", dict(CLIENT))
    linked = ios.call(
        "signupNewUser",
        {"idToken": anonymous["idToken"], "email": address, "password": "secret1"} | CLIENT,
    )
    ios.tokens(linked, "password")
    assert ios.account(linked["idToken"])["localId"] == anonymous["localId"]
    assert ios.account(linked["idToken"])["email"] == address


def test_a_password_is_reset(ios, hearth, address):
    ios.create(address)
    ios.send("PASSWORD_RESET", {"email": address})
    code = hearth.mail(address, "PASSWORD_RESET")["oobCode"]
    # The SDK traps when `email` is missing here.
    checked = ios.call("resetPassword", {"oobCode": code})
    assert checked["email"] == address and checked["requestType"] == "PASSWORD_RESET"
    ios.call("resetPassword", {"oobCode": code, "newPassword": "secret2"})
    assert (
        ios.fails("verifyPassword", {"email": address, "password": "secret1"} | CLIENT)
        == "INVALID_PASSWORD"
    )
    ios.tokens(ios.sign_in(address, "secret2"), "password")
    assert ios.fails("resetPassword", {"oobCode": code}) == "INVALID_OOB_CODE"


def test_the_mail_speaks_the_language_of_the_app(ios, hearth, address):
    ios.create(address)
    ios.send("PASSWORD_RESET", {"email": address}, headers={"X-Firebase-Locale": "de"})
    assert hearth.mail(address, "PASSWORD_RESET")["locale"] == "de"


def test_an_address_is_verified(ios, hearth, address):
    session = ios.create(address)
    ios.send("VERIFY_EMAIL", {"idToken": session["idToken"]})
    code = hearth.mail(address, "VERIFY_EMAIL")["oobCode"]
    checked = ios.call("resetPassword", {"oobCode": code})
    assert checked["email"] == address and checked["requestType"] == "VERIFY_EMAIL"
    ios.call("setAccountInfo", {"oobCode": code, "returnSecureToken": True})
    assert ios.account(session["idToken"])["emailVerified"] is True


def test_an_address_is_verified_before_it_changes(ios, hearth, address):
    session = ios.create(address)
    ios.send(
        "VERIFY_AND_CHANGE_EMAIL", {"idToken": session["idToken"], "newEmail": "new-" + address}
    )
    code = hearth.mail("new-" + address, "VERIFY_AND_CHANGE_EMAIL")["oobCode"]
    checked = ios.call("resetPassword", {"oobCode": code})
    assert checked["email"] == address and checked["newEmail"] == "new-" + address
    ios.call("setAccountInfo", {"oobCode": code, "returnSecureToken": True})
    account = ios.account(ios.sign_in("new-" + address)["idToken"])
    assert account["email"] == "new-" + address and account["emailVerified"] is True


def test_a_link_signs_in(ios, hearth, address):
    ios.send("EMAIL_SIGNIN", {"email": address})
    code = hearth.mail(address, "EMAIL_SIGNIN")["oobCode"]
    answer = ios.call("emailLinkSignin", {"email": address, "oobCode": code})
    claims = ios.tokens(answer, "password")
    assert answer["isNewUser"] is True and claims["email_verified"] is True
    assert ios.account(answer["idToken"])["email"] == address
    methods = ios.call(
        "createAuthUri", {"identifier": address, "continueUri": "http://www.google.com/"}
    )
    assert methods["signinMethods"] == ["emailLink"]


def test_a_link_is_linked_to_a_session(ios, hearth, address):
    anonymous = ios.call("signupNewUser", dict(CLIENT))
    ios.send("EMAIL_SIGNIN", {"email": address})
    code = hearth.mail(address, "EMAIL_SIGNIN")["oobCode"]
    answer = ios.call(
        "emailLinkSignin", {"email": address, "oobCode": code, "idToken": anonymous["idToken"]}
    )
    assert answer["localId"] == anonymous["localId"] and answer["isNewUser"] is False


def test_the_token_request_is_camel_case_json(ios, address):
    session = ios.create(address)
    answer = ios.request(
        "POST", TOKEN, json={"grantType": "refresh_token", "refreshToken": session["refreshToken"]}
    )
    claims = id_token(answer["access_token"], "password")
    assert claims["sub"] == session["localId"]
    assert answer["id_token"] == answer["access_token"]
    assert answer["expires_in"] == "3600" and answer["refresh_token"]
    assert answer["token_type"] == "Bearer" and answer["user_id"] == session["localId"]
    assert isinstance(answer["project_id"], str)


def test_a_profile_changes(ios, address):
    session = ios.create(address)
    change = {"idToken": session["idToken"], "returnSecureToken": True}
    ios.call(
        "setAccountInfo", change | {"displayName": "Ann", "photoUrl": "http://localhost/a.png"}
    )
    account = ios.account(session["idToken"])
    assert account["displayName"] == "Ann" and account["photoUrl"] == "http://localhost/a.png"
    ios.call("setAccountInfo", change | {"deleteAttribute": ["DISPLAY_NAME", "PHOTO_URL"]})
    account = ios.account(session["idToken"])
    assert "displayName" not in account and "photoUrl" not in account


@pytest.mark.parametrize("change", [{"password": "secret2"}, {"email": "new-"}])
def test_a_changed_secret_gives_new_tokens(ios, address, change):
    session = ios.create(address)
    change = {name: value + address if name == "email" else value for name, value in change.items()}
    answer = ios.call("setAccountInfo", {"idToken": session["idToken"]} | change | CLIENT)
    ios.tokens(answer, "password")
    assert ios.account(answer["idToken"])["email"] == change.get("email", address)
    refresh = {"grantType": "refresh_token", "refreshToken": answer["refreshToken"]}
    assert ios.request("POST", TOKEN, json=refresh)["access_token"]


def test_an_account_is_deleted(ios, address):
    session = ios.create(address)
    ios.call("deleteAccount", {"idToken": session["idToken"], "localId": session["localId"]})
    assert ios.fails("getAccountInfo", {"idToken": session["idToken"]}) == "USER_NOT_FOUND"


def test_a_custom_token_is_exchanged(ios, address):
    now = int(time.time())
    token = unsigned(
        {
            "aud": CUSTOM_TOKEN_AUDIENCE,
            "iss": "firebase-auth-emulator@example.com",
            "sub": "firebase-auth-emulator@example.com",
            "iat": now,
            "exp": now + 3600,
            "uid": address,
            "claims": {"plan": "pro"},
        }
    )
    answer = ios.call("verifyCustomToken", {"token": token, "returnSecureToken": True})
    claims = ios.tokens(answer, "custom")
    assert claims["plan"] == "pro"
    assert ios.account(answer["idToken"])["localId"] == address


def test_a_provider_signs_in(ios, address):
    identity = json.dumps({"sub": address, "email": address, "email_verified": True, "name": "Ann"})
    answer = ios.call(
        "verifyAssertion",
        {
            "requestUri": "http://localhost",
            "postBody": f"providerId=google.com&id_token={identity}",
            "autoCreate": True,
            "returnSecureToken": True,
            "returnIdpCredential": True,
        },
    )
    ios.tokens(answer, "google.com")
    # Both would turn success into a failure.
    assert "errorMessage" not in answer and "needConfirmation" not in answer
    assert answer["isNewUser"] is True
    account = ios.account(answer["idToken"])
    assert [entry["providerId"] for entry in account["providerUserInfo"]] == ["google.com"]


def test_a_phone_signs_in(ios, hearth):
    number = "+15555550177"
    sent = ios.call(
        "sendVerificationCode", {"phoneNumber": number, "iosReceipt": "r", "iosSecret": "s"}
    )
    listed = ios.session.get(
        f"{hearth.auth}/emulator/v1/projects/{PROJECT}/verificationCodes", timeout=30
    ).json()
    [code] = [
        entry["code"]
        for entry in listed["verificationCodes"]
        if entry["sessionInfo"] == sent["sessionInfo"]
    ]
    answer = ios.call(
        "verifyPhoneNumber",
        {"sessionInfo": sent["sessionInfo"], "code": code, "operation": "SIGN_UP_OR_IN"},
    )
    claims = ios.tokens(answer, "phone")
    assert claims["phone_number"] == number and answer["isNewUser"] is True
    assert ios.account(answer["idToken"])["phoneNumber"] == number


def test_a_second_factor_is_asked_for(ios, hearth, address):
    hearth.admin(
        "/accounts",
        {
            "email": address,
            "password": "secret1",
            "emailVerified": True,
            "mfaInfo": [{"phoneInfo": "+15555550188", "displayName": "work"}],
        },
    )
    answer = ios.sign_in(address)
    assert answer["mfaPendingCredential"] and "idToken" not in answer
    [factor] = answer["mfaInfo"]
    assert factor["mfaEnrollmentId"] and factor["phoneInfo"].endswith("0188")
    started = ios.request(
        "POST",
        V2 + "accounts/mfaSignIn:start",
        json={
            "mfaPendingCredential": answer["mfaPendingCredential"],
            "mfaEnrollmentId": factor["mfaEnrollmentId"],
            "phoneSignInInfo": {},
        },
    )
    info = started["phoneResponseInfo"]["sessionInfo"]
    listed = ios.session.get(
        f"{hearth.auth}/emulator/v1/projects/{PROJECT}/verificationCodes", timeout=30
    ).json()
    [code] = [
        entry["code"] for entry in listed["verificationCodes"] if entry["sessionInfo"] == info
    ]
    done = ios.request(
        "POST",
        V2 + "accounts/mfaSignIn:finalize",
        json={
            "mfaPendingCredential": answer["mfaPendingCredential"],
            "phoneVerificationInfo": {"sessionInfo": info, "code": code},
        },
    )
    claims = id_token(done["idToken"], "password")
    assert claims["firebase"]["sign_in_second_factor"] == "phone"
    assert claims["firebase"]["second_factor_identifier"] == factor["mfaEnrollmentId"]


def test_the_project_and_the_captcha_are_asked_for(ios):
    config = ios.request("GET", V3 + "getProjectConfig")
    assert "localhost" in config["authorizedDomains"]
    captcha = ios.request(
        "GET",
        V2 + "recaptchaConfig",
        params={"clientType": "CLIENT_TYPE_IOS", "version": "RECAPTCHA_ENTERPRISE"},
    )
    assert isinstance(captcha.get("recaptchaKey", ""), str)


@pytest.mark.parametrize(
    "name, body, code",
    [
        ("signupNewUser", {"email": "TAKEN", "password": "secret1"}, "EMAIL_EXISTS"),
        ("signupNewUser", {"email": "x", "password": "secret1"}, "INVALID_EMAIL"),
        ("signupNewUser", {"email": "new@example.com", "password": "short"}, "WEAK_PASSWORD"),
        ("signupNewUser", {"email": "new@example.com"}, "MISSING_PASSWORD"),
        ("verifyPassword", {"email": "TAKEN", "password": "wrong 1"}, "INVALID_PASSWORD"),
        ("verifyPassword", {"email": "nobody@example.com", "password": "x"}, "EMAIL_NOT_FOUND"),
        ("verifyPassword", {"email": "DISABLED", "password": "secret1"}, "USER_DISABLED"),
        ("getAccountInfo", {"idToken": "a.b.c"}, "INVALID_ID_TOKEN"),
        ("setAccountInfo", {"oobCode": "unknown"}, "INVALID_OOB_CODE"),
        ("resetPassword", {"oobCode": "unknown"}, "INVALID_OOB_CODE"),
        ("resetPassword", {}, "MISSING_OOB_CODE"),
        ("getOobConfirmationCode", {"requestType": "PASSWORD_RESET"}, "MISSING_EMAIL"),
        (
            "getOobConfirmationCode",
            {"requestType": "PASSWORD_RESET", "email": "TAKEN", "continueUrl": "x"},
            "INVALID_CONTINUE_URI",
        ),
        ("verifyCustomToken", {"token": "x"}, "INVALID_CUSTOM_TOKEN"),
        ("sendVerificationCode", {"phoneNumber": "1"}, "INVALID_PHONE_NUMBER"),
        ("verifyPhoneNumber", {"sessionInfo": "x", "code": "123456"}, "INVALID_SESSION_INFO"),
    ],
)
def test_errors_begin_with_the_code_that_the_sdk_maps(ios, hearth, address, name, body, code):
    ios.create(address)
    hearth.admin("/accounts", {"email": "off-" + address, "password": "secret1", "disabled": True})
    names = {"TAKEN": address, "DISABLED": "off-" + address}
    body = {key: names.get(value, value) for key, value in body.items()}
    # The SDK cuts at the first colon and trims.
    assert ios.fails(name, body).split(":")[0].strip() == code


def test_a_bad_refresh_token_does_not_sign_out(ios):
    body = {"grantType": "refresh_token", "refreshToken": "unknown"}
    assert ios.refused(TOKEN, body) == "INVALID_REFRESH_TOKEN"


def test_a_disabled_user_is_signed_out(ios, hearth, address):
    session = ios.create(address)
    hearth.admin("/accounts:update", {"localId": session["localId"], "disableUser": True})
    assert ios.fails("getAccountInfo", {"idToken": session["idToken"]}) == "USER_DISABLED"
    refresh = {"grantType": "refresh_token", "refreshToken": session["refreshToken"]}
    assert ios.refused(TOKEN, refresh) == "USER_DISABLED"


def test_the_same_names_work_without_the_host(ios, address):
    ios.create(address)
    path = V3.removeprefix("/www.googleapis.com")
    body = {"email": address, "password": "secret1"} | CLIENT
    assert ios.request("POST", path + "verifyPassword", json=body)["idToken"]
