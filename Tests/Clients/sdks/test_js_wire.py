"""What firebase/auth for the web puts on the wire, and what it insists on."""

import json
import time

import pytest
import requests
from support.server import PROJECT
from support.wire import CUSTOM_TOKEN_AUDIENCE, TOKEN, V1, V2, App, id_token, unsigned, user_record

ORIGIN = "http://localhost:5173"
CLIENT = {"returnSecureToken": True, "clientType": "CLIENT_TYPE_WEB"}


class WebApp(App):
    def request(self, method: str, path: str, status: int = 200, **options) -> dict:
        answer = super().request(method, path, status, **options)
        # The presence of these keys alone turns a success into an error.
        if status == 200 and ":resetPassword" not in path:
            assert not {"needConfirmation", "errorMessage"} & answer.keys()
        return answer

    def call(self, verb: str, body: dict, **options) -> dict:
        return self.request("POST", V1 + verb, json=body, **options)

    def fails(self, verb: str, body: dict) -> str:
        """The code as the SDK cuts it off: it splits at the first space-colon-space."""
        return self.refused(V1 + verb, body).split(" : ")[0]

    def tokens(self, answer: dict, provider: str) -> dict:
        assert answer["refreshToken"] and answer["expiresIn"] == "3600"
        assert "mfaPendingCredential" not in answer
        return id_token(answer["idToken"], provider)

    def account(self, token: str) -> dict:
        [user] = self.call("lookup", {"idToken": token})["users"]
        # The persistence layer asserts on these two.
        assert isinstance(user["createdAt"], str) and isinstance(user["lastLoginAt"], str)
        return user_record(user)

    def create(self, address: str, password: str = "secret1") -> dict:
        return self.call("signUp", {"email": address, "password": password} | CLIENT)

    def refresh(self, refresh_token: str, **options) -> dict:
        return self.request(
            "POST",
            TOKEN,
            data={"grant_type": "refresh_token", "refresh_token": refresh_token},
            **options,
        )


@pytest.fixture
def web(hearth) -> WebApp:
    return WebApp(
        hearth,
        {
            "Origin": ORIGIN,
            "X-Client-Version": "Chrome/JsCore/12.3.0/FirebaseCore-web",
            "X-Firebase-gmpid": "1:1:web:1",
            "X-Firebase-Client": "eyJ2ZXJzaW9uIjoyLCJoZWFydGJlYXRzIjpbXX0",
            "X-Firebase-Locale": "en",
        },
    )


@pytest.mark.parametrize(
    "path", [V1 + "signUp", TOKEN, V2 + "accounts/mfaSignIn:start", "/nowhere"]
)
def test_a_preflight_is_answered(hearth, path):
    asked = (
        "content-type,x-client-version,x-firebase-gmpid,x-firebase-client,x-firebase-locale,"
        "x-firebase-appcheck"
    )
    reply = requests.options(
        hearth.auth + path,
        timeout=30,
        headers={
            "Origin": ORIGIN,
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": asked,
            "Access-Control-Request-Private-Network": "true",
        },
    )
    assert (reply.status_code, reply.content) == (204, b"")
    assert reply.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert reply.headers["Access-Control-Allow-Headers"] == asked
    assert reply.headers["Access-Control-Allow-Methods"] == "GET,HEAD,PUT,PATCH,POST,DELETE"
    assert reply.headers["Access-Control-Allow-Private-Network"] == "true"
    assert {"Origin", "Access-Control-Request-Headers"} <= set(reply.headers["Vary"].split(", "))


@pytest.mark.parametrize(
    "path, status",
    [
        (V1 + "signUp?key=any", 200),
        (V1 + "signUp", 403),
        (V1 + "lookup?key=any", 400),
        ("/nowhere", 404),
    ],
)
def test_pages_of_any_origin_may_read_answers_and_errors(hearth, path, status):
    reply = requests.post(hearth.auth + path, json={}, headers={"Origin": ORIGIN}, timeout=30)
    assert reply.status_code == status
    assert reply.headers["Access-Control-Allow-Origin"] == ORIGIN
    assert "Origin" in reply.headers["Vary"]


def test_sign_up_reads_the_account_at_once(web, address):
    answer = web.create(address)
    web.tokens(answer, "password")
    # `isNewUser` comes from the end of `kind`.
    assert answer["kind"].endswith("SignupNewUserResponse")
    account = web.account(answer["idToken"])
    assert account["email"] == address and account["passwordHash"]
    [provider] = account["providerUserInfo"]
    assert provider["providerId"] == "password" and provider["rawId"] == address


def test_sign_in_is_not_a_new_user(web, address):
    created = web.create(address)
    answer = web.call("signInWithPassword", {"email": address, "password": "secret1"} | CLIENT)
    claims = web.tokens(answer, "password")
    assert claims["sub"] == answer["localId"] == created["localId"]
    assert not answer["kind"].endswith("SignupNewUserResponse") and not answer.get("isNewUser")


def test_an_anonymous_account_looks_like_one(web):
    answer = web.call("signUp", dict(CLIENT))
    assert web.tokens(answer, "anonymous")["provider_id"] == "anonymous"
    account = web.account(answer["idToken"])
    assert not account.get("providerUserInfo") and "passwordHash" not in account


def test_the_token_request_is_a_form(web, address):
    session = web.create(address)
    answer = web.refresh(session["refreshToken"])
    assert id_token(answer["access_token"], "password")["sub"] == session["localId"]
    assert answer["expires_in"] == "3600" and answer["refresh_token"]
    assert web.account(answer["access_token"])["email"] == address


def test_a_password_is_reset(web, hearth, address):
    web.create(address)
    web.call(
        "sendOobCode",
        {"requestType": "PASSWORD_RESET", "email": address, "clientType": "CLIENT_TYPE_WEB"},
    )
    code = hearth.mail(address, "PASSWORD_RESET")["oobCode"]
    checked = web.call("resetPassword", {"oobCode": code})
    assert checked["email"] == address and checked["requestType"] == "PASSWORD_RESET"
    web.call("resetPassword", {"oobCode": code, "newPassword": "secret2"})
    assert web.fails("signInWithPassword", {"email": address, "password": "secret1"}) == (
        "INVALID_PASSWORD"
    )
    assert web.call("signInWithPassword", {"email": address, "password": "secret2"})["idToken"]


def test_an_address_is_verified(web, hearth, address):
    session = web.create(address)
    web.call("sendOobCode", {"requestType": "VERIFY_EMAIL", "idToken": session["idToken"]})
    web.call("update", {"oobCode": hearth.mail(address, "VERIFY_EMAIL")["oobCode"]})
    assert web.account(session["idToken"])["emailVerified"] is True
    answer = web.refresh(session["refreshToken"])
    assert id_token(answer["id_token"], "password")["email_verified"] is True


def test_check_action_code_returns_both_addresses(web, hearth, address):
    session = web.create(address)
    web.call(
        "sendOobCode",
        {
            "requestType": "VERIFY_AND_CHANGE_EMAIL",
            "idToken": session["idToken"],
            "newEmail": "new-" + address,
        },
    )
    code = hearth.mail("new-" + address, "VERIFY_AND_CHANGE_EMAIL")["oobCode"]
    checked = web.call("resetPassword", {"oobCode": code})
    assert checked["requestType"] == "VERIFY_AND_CHANGE_EMAIL"
    assert checked["newEmail"] == "new-" + address


def test_a_changed_address_can_be_recovered(web, hearth, address):
    session = web.create(address)
    changed = web.call(
        "update",
        {"idToken": session["idToken"], "email": "new-" + address, "returnSecureToken": True},
    )
    web.tokens(changed, "password")
    code = hearth.mail(address, "RECOVER_EMAIL")["oobCode"]
    assert web.call("resetPassword", {"oobCode": code})["email"] == address
    web.call("update", {"oobCode": code})
    assert web.account(changed["idToken"])["email"] == address


def test_a_link_signs_in(web, hearth, address):
    web.call(
        "sendOobCode",
        {
            "requestType": "EMAIL_SIGNIN",
            "email": address,
            "continueUrl": ORIGIN + "/done",
            "canHandleCodeInApp": True,
        },
    )
    mail = hearth.mail(address, "EMAIL_SIGNIN")
    assert "mode=signIn" in mail["oobLink"] and "apiKey=" in mail["oobLink"]
    followed = requests.get(mail["oobLink"], allow_redirects=False, timeout=30)
    assert followed.status_code == 303
    assert followed.headers["Location"].startswith(ORIGIN + "/done?")
    assert f"oobCode={mail['oobCode']}" in followed.headers["Location"]
    answer = web.call(
        "signInWithEmailLink", {"email": address, "oobCode": mail["oobCode"]} | CLIENT
    )
    web.tokens(answer, "password")
    assert answer["isNewUser"] is True


def test_a_popup_result_signs_in(web, address):
    identity = json.dumps({"sub": address, "email": address, "name": "Ann"})
    answer = web.call(
        "signInWithIdp",
        {
            "requestUri": f"http://localhost/emulator/auth/handler?providerId=google.com&id_token={identity}",
            "sessionId": "s",
            "postBody": "",
            "returnIdpCredential": True,
        }
        | CLIENT,
    )
    web.tokens(answer, "google.com")
    assert answer["isNewUser"] is True
    assert json.loads(answer["rawUserInfo"])["email"] == address
    [entry] = web.account(answer["idToken"])["providerUserInfo"]
    assert entry["providerId"] == "google.com" and entry["rawId"] == address


def test_a_custom_token_is_exchanged(web, address):
    token = unsigned(
        {
            "aud": CUSTOM_TOKEN_AUDIENCE,
            "iat": int(time.time()),
            "uid": address,
            "claims": {"plan": "pro"},
        }
    )
    answer = web.call("signInWithCustomToken", {"token": token} | CLIENT)
    assert web.tokens(answer, "custom")["plan"] == "pro"
    again = web.refresh(answer["refreshToken"])
    assert id_token(again["id_token"], "custom")["plan"] == "pro"


def test_a_phone_signs_in(web, hearth):
    number = "+15555550166"
    sent = web.call(
        "sendVerificationCode",
        {
            "phoneNumber": number,
            "recaptchaToken": "token",
            "captchaResponse": "NO_RECAPTCHA",
            "clientType": "CLIENT_TYPE_WEB",
            "recaptchaVersion": "RECAPTCHA_ENTERPRISE",
        },
    )
    listed = requests.get(
        f"{hearth.auth}/emulator/v1/projects/{PROJECT}/verificationCodes", timeout=30
    ).json()
    code = next(
        entry["code"]
        for entry in listed["verificationCodes"]
        if entry["sessionInfo"] == sent["sessionInfo"]
    )
    answer = web.call("signInWithPhoneNumber", {"sessionInfo": sent["sessionInfo"], "code": code})
    web.tokens(answer, "phone")
    assert web.account(answer["idToken"])["phoneNumber"] == number


def test_an_account_is_deleted(web, address):
    session = web.create(address)
    web.call("delete", {"idToken": session["idToken"]})
    assert web.fails("lookup", {"idToken": session["idToken"]}) == "USER_NOT_FOUND"


def test_a_second_factor_is_asked_for(web, hearth, address):
    hearth.admin(
        "/accounts",
        {
            "email": address,
            "password": "secret1",
            "emailVerified": True,
            "mfaInfo": [{"phoneInfo": "+15555550189"}],
        },
    )
    answer = web.call("signInWithPassword", {"email": address, "password": "secret1"} | CLIENT)
    assert answer["mfaPendingCredential"] and answer["mfaInfo"][0]["mfaEnrollmentId"]
    assert not {"idToken", "refreshToken", "expiresIn"} & answer.keys()


def test_what_the_sdk_asks_by_itself(web):
    captcha = web.request(
        "GET",
        V2 + "recaptchaConfig",
        params={"clientType": "CLIENT_TYPE_WEB", "version": "RECAPTCHA_ENTERPRISE"},
    )
    assert isinstance(captcha.get("recaptchaKey", ""), str)
    parameters = web.request("GET", "/identitytoolkit.googleapis.com/v1/recaptchaParams")
    assert isinstance(parameters["recaptchaSiteKey"], str)
    policy = web.request("GET", V2 + "passwordPolicy")
    assert policy["schemaVersion"] == 1 and policy["enforcementState"]
    assert isinstance(policy["customStrengthOptions"], dict)
    project = web.request("GET", "/identitytoolkit.googleapis.com/v1/projects")
    assert "localhost" in project["authorizedDomains"]


@pytest.mark.parametrize(
    "verb, body, code",
    [
        ("signUp", {"email": "TAKEN", "password": "secret1"}, "EMAIL_EXISTS"),
        ("signUp", {"email": "new@example.com", "password": "short"}, "WEAK_PASSWORD"),
        ("signUp", {"email": "x", "password": "secret1"}, "INVALID_EMAIL"),
        ("signUp", {"email": "new@example.com"}, "MISSING_PASSWORD"),
        ("signUp", {"localId": "chosen"}, "UNEXPECTED_PARAMETER"),
        ("signInWithPassword", {"email": "TAKEN", "password": "other one"}, "INVALID_PASSWORD"),
        ("signInWithPassword", {"email": "TAKEN"}, "MISSING_PASSWORD"),
        ("signInWithPassword", {"email": "nobody@example.com", "password": "x"}, "EMAIL_NOT_FOUND"),
        ("sendOobCode", {"email": "TAKEN"}, "MISSING_REQ_TYPE"),
        (
            "sendOobCode",
            {"requestType": "PASSWORD_RESET", "email": "TAKEN", "returnOobLink": True},
            "INSUFFICIENT_PERMISSION",
        ),
        ("sendOobCode", {"requestType": "VERIFY_EMAIL", "email": "TAKEN"}, "INVALID_ID_TOKEN"),
        ("resetPassword", {"oobCode": "x", "newPassword": "secret2"}, "INVALID_OOB_CODE"),
        ("update", {"idToken": "x", "displayName": "y"}, "INVALID_ID_TOKEN"),
        ("update", {"displayName": "y"}, "INVALID_REQ_TYPE"),
        ("update", {"idToken": "x", "customAttributes": "{}"}, "INSUFFICIENT_PERMISSION"),
        ("lookup", {}, "MISSING_ID_TOKEN"),
        ("delete", {"localId": "x"}, "MISSING_ID_TOKEN"),
        ("createAuthUri", {"identifier": "TAKEN"}, "MISSING_CONTINUE_URI"),
        ("signInWithCustomToken", {}, "MISSING_CUSTOM_TOKEN"),
        ("signInWithEmailLink", {"email": "TAKEN"}, "MISSING_OOB_CODE"),
    ],
)
def test_errors_begin_with_the_code_that_the_sdk_maps(web, address, verb, body, code):
    web.create(address)
    body = {name: address if value == "TAKEN" else value for name, value in body.items()}
    assert web.fails(verb, body) == code


def test_a_call_without_an_api_key_is_refused(hearth):
    reply = requests.post(hearth.auth + V1 + "signUp", json={}, timeout=30)
    error = reply.json()["error"]
    assert reply.status_code == 403 and error["status"] == "PERMISSION_DENIED"
    assert error["message"] == "The request is missing a valid API key."
    assert error["errors"] == [
        {"message": error["message"], "reason": "forbidden", "domain": "global"}
    ]


def test_a_mocked_user_token_is_accepted(web, hearth, address):
    """`mockUserToken` and the official emulator make unsigned tokens."""
    session = web.create(address)
    now = int(time.time())
    token = unsigned(
        {
            "iss": f"https://securetoken.google.com/{PROJECT}",
            "aud": PROJECT,
            "sub": session["localId"],
            "user_id": session["localId"],
            "iat": now,
            "exp": now + 3600,
            "auth_time": now,
            "firebase": {"sign_in_provider": "password", "identities": {}},
        }
    )
    assert web.account(token)["email"] == address
