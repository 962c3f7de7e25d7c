"""Blocking functions and user events (auth-b 10 and 11): a small server plays the functions."""

import base64
import contextlib
import hashlib
import http.server
import json
import os
import queue
import re
import socket
import threading
import time
import urllib.parse
import uuid

import pytest
import requests

from support.server import PROJECT, Server
from support.wire import TOKEN, V1, V2, decoded, no_null

BEFORE = ("beforeCreate", "beforeSignIn")
FAILED = "BLOCKING_FUNCTION_ERROR_RESPONSE : "


class Functions:
    """A functions server: keeps what it is sent, and answers as the test wants."""

    def __init__(self):
        self.calls: queue.Queue = queue.Queue()
        self.seen: list[str] = []
        self.answers: dict = {}
        functions = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                name = self.path.rsplit("/", 1)[-1]
                functions.seen.append(name)
                functions.calls.put((name, self.path, dict(self.headers), body))
                answer = functions.answers.get(name, {})
                if callable(answer):
                    answer = answer(json.loads(body))
                status, content = answer if isinstance(answer, tuple) else (200, answer)
                content = content if isinstance(content, bytes) else json.dumps(content).encode()
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    self.send_response(status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.host = f"127.0.0.1:{self.server.server_port}"

    def url(self, event: str) -> str:
        return f"http://{self.host}/{PROJECT}/us-central1/{event}"

    def call(self, timeout: float = 5, nulls: bool = False) -> tuple[str, dict]:
        """The name and the claims of the next call, which must be well-formed."""
        name, path, headers, body = self.calls.get(timeout=timeout)
        assert path == urllib.parse.urlsplit(self.url(name)).path
        assert headers["Content-Type"].split(";")[0] == "application/json"
        assert "Authorization" not in headers
        body = json.loads(body)
        assert body == {"data": {"jwt": body["data"]["jwt"]}}
        token = body["data"]["jwt"]
        assert token.endswith(".") and token.count(".") == 2
        header, claims = decoded(token)
        assert header == {"alg": "none", "typ": "JWT"}
        if not nulls:
            no_null(claims)
        assert claims["event_type"] == name
        return name, claims

    def quiet(self) -> bool:
        """Whether no call is left: every call comes before the answer of the sign-in."""
        return self.calls.empty()

    def forget(self) -> None:
        self.seen.clear()
        while not self.calls.empty():
            self.calls.get()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def configure(hearth, functions: dict) -> dict:
    reply = requests.patch(
        f"{hearth.auth}{V2}projects/{PROJECT}/config", params={"updateMask": "blockingFunctions"},
        json={"blockingFunctions": functions}, headers={"Authorization": "Bearer owner"},
        timeout=10)
    assert reply.status_code == 200, reply.text
    return reply.json()


def triggers(functions: Functions, *events: str) -> dict:
    return {"triggers": {event: {"functionUri": functions.url(event)} for event in events}}


@pytest.fixture(scope="module")
def played():
    functions = Functions()
    yield functions
    functions.close()


@pytest.fixture
def functions(hearth, played):
    """Both functions are configured and change nothing."""
    played.answers.clear()
    played.forget()
    configure(hearth, triggers(played, *BEFORE))
    yield played
    configure(hearth, {})


# MARK: Ways to sign in

def sign_up(hearth, address, **more) -> dict:
    return hearth.accounts("signUp", {"email": address, "password": "secret1", **more})


def sign_in(hearth, address, **more) -> dict:
    return hearth.accounts("signInWithPassword", {"email": address, "password": "secret1", **more})


def idp_body(provider: str, claims: dict | None = None, **more) -> dict:
    inputs = {"providerId": provider} | ({"id_token": json.dumps(claims)} if claims else {})
    inputs |= more.pop("inputs", {})
    return {"requestUri": "http://localhost", "postBody": urllib.parse.urlencode(inputs),
            "returnSecureToken": True, "returnIdpCredential": True, **more}


def idp(hearth, provider: str, claims: dict, **more) -> dict:
    return hearth.accounts("signInWithIdp", idp_body(provider, claims, **more))


def code_for(hearth, number: str) -> dict:
    codes = requests.get(
        f"{hearth.auth}/emulator/v1/projects/{PROJECT}/verificationCodes", timeout=10).json()
    [*_, last] = [code for code in codes["verificationCodes"] if code["phoneNumber"] == number]
    return {"sessionInfo": last["sessionInfo"], "code": last["code"]}


def phone_body(hearth, number: str) -> dict:
    hearth.accounts("sendVerificationCode", {"phoneNumber": number})
    return code_for(hearth, number)


def phone(hearth, number: str, **more) -> dict:
    return hearth.accounts("signInWithPhoneNumber", {**phone_body(hearth, number), **more})


def link_body(hearth, address) -> dict:
    hearth.accounts("sendOobCode", {
        "requestType": "EMAIL_SIGNIN", "email": address, "continueUrl": "http://localhost/"})
    return {"email": address, "oobCode": hearth.mail(address, "EMAIL_SIGNIN")["oobCode"]}


def link(hearth, address, **more) -> dict:
    return hearth.accounts("signInWithEmailLink", {**link_body(hearth, address), **more})


def post(hearth, path: str, body: dict, status: int = 200) -> dict:
    reply = hearth.post(f"{path}?key=any", body)
    assert reply.status_code == status, reply.text
    return reply.json()


def refused(hearth, verb: str, body: dict, status: int = 400) -> dict:
    return post(hearth, V1 + verb, body, status)["error"]


def enrolled(hearth, address, number: str) -> dict:
    """A user with a second factor; answers the enrolment's session."""
    user = hearth.admin("/accounts", {
        "email": address, "password": "secret1", "emailVerified": True})
    token = sign_in(hearth, address)["idToken"]
    post(hearth, V2 + "accounts/mfaEnrollment:start", {
        "idToken": token, "phoneEnrollmentInfo": {"phoneNumber": number}})
    return {"localId": user["localId"], **post(hearth, V2 + "accounts/mfaEnrollment:finalize", {
        "idToken": token, "phoneVerificationInfo": code_for(hearth, number),
        "displayName": "My phone"})}


def second_factor(hearth, pending: dict, number: str, status: int = 200) -> dict:
    post(hearth, V2 + "accounts/mfaSignIn:start", {
        "mfaPendingCredential": pending["mfaPendingCredential"],
        "mfaEnrollmentId": pending["mfaInfo"][0]["mfaEnrollmentId"]})
    return post(hearth, V2 + "accounts/mfaSignIn:finalize", {
        "mfaPendingCredential": pending["mfaPendingCredential"],
        "phoneVerificationInfo": code_for(hearth, number)}, status)


def stored(hearth, uid: str) -> dict:
    [user] = hearth.admin("/accounts:lookup", {"localId": [uid]})["users"]
    return user


def known(hearth, **by) -> bool:
    return "users" in hearth.admin(
        "/accounts:lookup", {name: [value] for name, value in by.items()})


def claims_of(session: dict) -> dict:
    return decoded(session["idToken"])[1]


@pytest.fixture
def number() -> str:
    return f"+1{uuid.uuid4().int % 10**10:010}"


# MARK: What the functions are sent (10.3)

def common_claims(claims: dict, functions: Functions, event: str, method: str, uid: str) -> None:
    assert claims["iss"] == f"https://securetoken.google.com/{PROJECT}"
    assert claims["aud"] == functions.url(event)
    assert abs(claims["iat"] - time.time()) < 30 and claims["exp"] == claims["iat"] + 600
    assert re.fullmatch(r"[A-Za-z0-9_-]{16}", claims["event_id"])
    assert claims["event_type"] == event
    assert isinstance(claims["user_agent"], str) and claims["user_agent"]
    assert claims["ip_address"] == "127.0.0.1"
    assert claims["locale"] == "en"
    assert claims["sub"] == uid == claims["user_record"]["uid"]
    assert claims["sign_in_method"] == method


COMMON = {"iss", "aud", "iat", "exp", "event_id", "event_type", "user_agent", "ip_address",
          "locale", "sub", "user_record", "sign_in_method"}


def checked_metadata(record: dict, *names: str) -> None:
    """Both times are numbers in milliseconds."""
    metadata = record.pop("metadata")
    assert metadata.keys() == set(names)
    for value in metadata.values():
        assert type(value) is int and abs(value / 1000 - time.time()) < 60


def test_sign_up_with_a_password_asks_both_functions(hearth, functions, address):
    uid = sign_up(hearth, address)["localId"]
    [(first, creating), (second, signing_in)] = functions.call(), functions.call()
    assert (first, second) == BEFORE and functions.quiet()
    for event, claims in zip(BEFORE, (creating, signing_in)):
        common_claims(claims, functions, event, "password", uid)
        assert claims.keys() == COMMON
    assert creating["event_id"] != signing_in["event_id"]
    checked_metadata(creating["user_record"], "last_sign_in_time", "creation_time")
    assert creating["user_record"] == {
        "uid": uid, "email": address, "email_verified": False, "custom_claims": {},
        "provider_data": []} | (
            {"disabled": False} if "disabled" in creating["user_record"] else {})
    checked_metadata(signing_in["user_record"], "last_sign_in_time", "creation_time")
    assert signing_in["user_record"]["provider_data"] == [
        {"provider_id": "password", "email": address, "uid": address}]


def test_signing_in_shows_all_that_is_known_of_the_user(hearth, functions, address, number):
    user = hearth.admin("/accounts", {
        "email": address, "password": "secret1", "emailVerified": True, "displayName": "Ann",
        "photoUrl": "http://localhost/a.png", "phoneNumber": number})
    hearth.admin("/accounts:update", {
        "localId": user["localId"], "customAttributes": '{"role":"admin","n":[1,{"a":null}]}'})
    assert functions.quiet()
    sign_in(hearth, address)
    name, claims = functions.call(nulls=True)
    assert name == "beforeSignIn" and functions.quiet()
    common_claims(claims, functions, "beforeSignIn", "password", user["localId"])
    record = claims["user_record"]
    checked_metadata(record, *record["metadata"])
    record.pop("disabled", None)
    providers = sorted(record.pop("provider_data"), key=lambda entry: entry["provider_id"])
    assert record == {
        "uid": user["localId"], "email": address, "email_verified": True, "display_name": "Ann",
        "photo_url": "http://localhost/a.png", "phone_number": number,
        "custom_claims": {"role": "admin", "n": [1, {"a": None}]}}
    assert providers == [
        {"provider_id": "password", "email": address, "uid": address, "display_name": "Ann",
         "photo_url": "http://localhost/a.png"},
        {"provider_id": "phone", "phone_number": number, "uid": number}]


def test_a_disabled_user_is_shown_as_not_disabled_before_signing_in(hearth, functions, address):
    """What counts is the value, absent or false."""
    sign_up(hearth, address)
    for _ in BEFORE:
        assert not functions.call()[1]["user_record"].get("disabled", False)


def test_a_phone_user(hearth, functions, number):
    uid = phone(hearth, number)["localId"]
    [(first, creating), (second, signing_in)] = functions.call(), functions.call()
    assert (first, second) == BEFORE and functions.quiet()
    for event, claims in zip(BEFORE, (creating, signing_in)):
        common_claims(claims, functions, event, "phone", uid)
        assert claims.keys() == COMMON
        assert claims["user_record"]["phone_number"] == number
        assert "email" not in claims["user_record"]
        checked_metadata(claims["user_record"], "last_sign_in_time", "creation_time")
    assert creating["user_record"]["provider_data"] == []
    assert signing_in["user_record"]["provider_data"] == [
        {"provider_id": "phone", "phone_number": number, "uid": number}]


def test_a_user_by_email_link_has_not_signed_in_before_creation(hearth, functions, address):
    link(hearth, address)
    checked_metadata(functions.call()[1]["user_record"], "creation_time")


def test_an_email_link_user(hearth, functions, address):
    session = link(hearth, address)
    [(first, creating), (second, signing_in)] = functions.call(), functions.call()
    assert (first, second) == BEFORE and functions.quiet()
    for event, claims in zip(BEFORE, (creating, signing_in)):
        common_claims(claims, functions, event, "emailLink", session["localId"])
        assert claims.keys() == COMMON
        assert claims["user_record"]["email"] == address
        assert claims["user_record"]["email_verified"] is True
    assert creating["user_record"]["provider_data"] == []
    assert claims_of(session)["firebase"]["sign_in_provider"] == "password"


GOOGLE = {"sub": "1", "email_verified": True, "name": "Ann", "picture": "http://localhost/a.png",
          "given_name": "Ann", "family_name": "Example"}


def google(address, **more) -> dict:
    return {**GOOGLE, "sub": uuid.uuid4().hex, "email": address, **more}


def test_an_idp_user_is_shown_with_the_providers_entry_before_creation(hearth, functions, address):
    given = google(address)
    session = idp(hearth, "google.com", given)
    [(first, creating), (second, signing_in)] = functions.call(), functions.call()
    assert (first, second) == BEFORE and functions.quiet()
    entry = {"provider_id": "google.com", "display_name": "Ann", "email": address,
             "photo_url": "http://localhost/a.png", "uid": given["sub"]}
    for event, claims in zip(BEFORE, (creating, signing_in)):
        common_claims(claims, functions, event, "google.com", session["localId"])
        assert claims.keys() == COMMON | {"raw_user_info"}
        assert claims["raw_user_info"] == session["rawUserInfo"]
        assert json.loads(claims["raw_user_info"])["given_name"] == "Ann"
        record = claims["user_record"]
        assert record["provider_data"] == [entry]
        checked_metadata(record, "last_sign_in_time", "creation_time")
        assert (record["email"], record["email_verified"]) == (address, True)
        assert (record["display_name"], record["photo_url"]) == ("Ann", "http://localhost/a.png")


@pytest.mark.parametrize("wanted", [
    {}, {"accessToken": True}, {"idToken": True}, {"refreshToken": True},
    {"accessToken": True, "idToken": True, "refreshToken": True},
    {"accessToken": False, "idToken": False}])
@pytest.mark.parametrize("given", [{}, {"access_token": "the access token"}])
def test_credentials_are_forwarded_only_where_wanted(hearth, functions, address, wanted, given):
    configure(hearth, {**triggers(functions, *BEFORE), "forwardInboundCredentials": wanted})
    claims = google(address)
    idp(hearth, "google.com", claims, inputs=given)
    expected = {}
    if wanted.get("accessToken"):
        expected["oauth_access_token"] = given.get(
            "access_token", "FirebaseAuthEmulatorFakeAccessToken_google.com")
    if wanted.get("idToken"):
        expected["oauth_id_token"] = json.dumps(claims)
    for _ in BEFORE:
        sent = functions.call()[1]
        found = {name: value for name, value in sent.items() if name.startswith("oauth_")}
        assert found == expected


@pytest.mark.parametrize("provider", ["saml.example", "oidc.example"])
def test_saml_attributes_are_sent_as_a_string(hearth, functions, address, provider):
    attributes = {"groups": ["a", "b"], "level": 3}
    response = {"assertion": {"subject": {"nameId": address}, "attributeStatements": attributes}}
    session = idp(hearth, provider, google(address), inputs={"SAMLResponse": json.dumps(response)})
    for _ in BEFORE:
        claims = functions.call()[1]
        assert json.loads(claims["sign_in_attributes"]) == attributes
        assert claims["sign_in_method"] == provider
    assert claims_of(session)["firebase"]["sign_in_attributes"] == attributes


def test_a_user_with_a_second_factor_is_shown_when_it_is_done(hearth, functions, address, number):
    uid = enrolled(hearth, address, number)["localId"]
    functions.forget()
    pending = sign_in(hearth, address)
    assert "idToken" not in pending and functions.quiet()
    session = second_factor(hearth, pending, number)
    name, claims = functions.call()
    assert name == "beforeSignIn" and functions.quiet()
    common_claims(claims, functions, "beforeSignIn", "password", uid)
    assert claims.keys() == COMMON | {"sign_in_second_factor"}
    assert claims["sign_in_second_factor"] == "phone"
    [factor] = stored(hearth, uid)["mfaInfo"]
    assert claims["user_record"]["multi_factor"] == {"enrolled_factors": [{
        "uid": factor["mfaEnrollmentId"], "display_name": "My phone", "phone_number": number,
        "enrollment_time": factor["enrolledAt"], "factor_id": "phone"}]}
    assert claims_of(session)["firebase"]["sign_in_second_factor"] == "phone"


def test_the_tenants_use_the_functions_of_their_project(hearth, functions, address):
    tenant = f"tenant-{uuid.uuid4().hex[:8]}"
    session = sign_up(hearth, address, tenantId=tenant)
    for event in BEFORE:
        name, claims = functions.call()
        assert name == event
        common_claims(claims, functions, event, "password", session["localId"])
        assert claims.keys() == COMMON | {"tenant_id"}
        assert claims["tenant_id"] == tenant == claims["user_record"]["tenant_id"]
    functions.answers["beforeSignIn"] = changing(sessionClaims={"a": 1})
    assert claims_of(sign_in(hearth, address, tenantId=tenant))["a"] == 1


# MARK: Which calls ask which function (10.2)

def existing_phone(hearth, address, number):
    phone(hearth, number)
    return lambda: phone(hearth, number)


def existing_password(hearth, address, number):
    sign_up(hearth, address)
    return lambda: sign_in(hearth, address)


def existing_link(hearth, address, number):
    sign_up(hearth, address)
    return lambda: link(hearth, address)


def existing_idp(hearth, address, number):
    claims = google(address)
    idp(hearth, "google.com", claims)
    return lambda: idp(hearth, "google.com", claims)


def merging_idp(hearth, address, number):
    sign_up(hearth, address)
    return lambda: idp(hearth, "google.com", google(address))


def linking_idp(hearth, address, number):
    session = sign_up(hearth, address)
    return lambda: idp(hearth, "google.com", google(address), idToken=session["idToken"])


def linking_phone(hearth, address, number):
    session = sign_up(hearth, address)
    return lambda: phone(hearth, number, idToken=session["idToken"])


def linking_link(hearth, address, number):
    session = hearth.accounts("signUp", {})
    body = link_body(hearth, address)
    return lambda: hearth.accounts("signInWithEmailLink", {**body, "idToken": session["idToken"]})


def unconfirmed_idp(hearth, address, number):
    sign_up(hearth, address)
    return lambda: idp(hearth, "google.com", google(address, email_verified=False))


def linking_sign_up(hearth, address, number):
    session = hearth.accounts("signUp", {})
    return lambda: sign_up(hearth, address, idToken=session["idToken"])


def refreshing(hearth, address, number):
    session = sign_up(hearth, address)
    return lambda: post(hearth, TOKEN, {
        "grant_type": "refresh_token", "refresh_token": session["refreshToken"]})


def updating(hearth, address, number):
    session = sign_up(hearth, address)
    return lambda: hearth.accounts("update", {
        "idToken": session["idToken"], "displayName": "Ann", "returnSecureToken": True})


def passkey(hearth, address, number):
    session = sign_up(hearth, address)
    post(hearth, V2 + "accounts/passkeyEnrollment:finalize", {
        "idToken": session["idToken"], "authenticatorRegistrationResponse": {"id": address}})
    return lambda: post(hearth, V2 + "accounts/passkeySignIn:finalize", {
        "authenticatorAuthenticationResponse": {"id": address}})


CALLS = {
    "sign-up anonymous": (
        lambda hearth, *_: lambda: hearth.accounts("signUp", {}), []),
    "sign-up privileged": (
        lambda hearth, address, _: lambda: hearth.admin(
            "/accounts", {"email": address, "password": "secret1"}), []),
    "sign-up linking": (linking_sign_up, []),
    "sign-up with e-mail": (
        lambda hearth, address, _: lambda: sign_up(hearth, address), [*BEFORE]),
    "password": (existing_password, ["beforeSignIn"]),
    "e-mail link, new": (lambda hearth, address, _: lambda: link(hearth, address), [*BEFORE]),
    "e-mail link, existing": (existing_link, ["beforeSignIn"]),
    "e-mail link, linking": (linking_link, ["beforeSignIn"]),
    "idp, new": (
        lambda hearth, address, _: lambda: idp(hearth, "facebook.com", google(address)), [*BEFORE]),
    "idp, existing": (existing_idp, ["beforeSignIn"]),
    "idp, merging": (merging_idp, ["beforeSignIn"]),
    "idp, linking": (linking_idp, ["beforeSignIn"]),
    "idp, needConfirmation": (unconfirmed_idp, []),
    "phone, new": (lambda hearth, _, number: lambda: phone(hearth, number), [*BEFORE]),
    "phone, existing": (existing_phone, ["beforeSignIn"]),
    "phone, linking": (linking_phone, ["beforeSignIn"]),
    "custom token": (
        lambda hearth, address, _: lambda: hearth.accounts(
            "signInWithCustomToken", {"token": json.dumps({"uid": address})}), []),
    "passkey": (passkey, []),
    "refresh": (refreshing, []),
    "update": (updating, []),
    "batchCreate": (
        lambda hearth, address, _: lambda: hearth.admin(
            "/accounts:batchCreate", {"users": [{"localId": address, "email": address}]}), []),
}


@pytest.mark.parametrize("prepare, expected", CALLS.values(), ids=CALLS)
def test_which_call_asks_which_function(hearth, functions, address, number, prepare, expected):
    act = prepare(hearth, address, number)
    functions.forget()
    act()
    assert functions.seen == expected


@pytest.mark.parametrize("prepare, expected", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("event", BEFORE)
def test_a_function_that_is_not_configured_is_not_asked(
        hearth, functions, address, number, prepare, expected, event):
    configure(hearth, triggers(functions, event))
    act = prepare(hearth, address, number)
    functions.forget()
    act()
    assert functions.seen == [name for name in expected if name == event]


def test_enrolling_a_second_factor_asks_nobody(hearth, functions, address, number):
    enrolled(hearth, address, number)
    assert functions.seen == ["beforeSignIn"]


def test_nobody_is_asked_about_a_disabled_user(hearth, functions, address):
    hearth.admin("/accounts", {"email": address, "password": "secret1", "disabled": True})
    error = refused(hearth, "signInWithPassword", {"email": address, "password": "secret1"})
    assert error["message"] == "USER_DISABLED" and functions.quiet()
    error = refused(hearth, "signInWithEmailLink", link_body(hearth, address))
    assert error["message"] == "USER_DISABLED" and functions.quiet()
    error = refused(hearth, "signInWithIdp", idp_body("google.com", google(address)))
    assert error["message"] == "USER_DISABLED" and functions.quiet()


def test_nobody_is_asked_about_a_disabled_phone_user(hearth, functions, number):
    hearth.admin("/accounts", {"phoneNumber": number, "disabled": True})
    error = refused(hearth, "signInWithPhoneNumber", phone_body(hearth, number))
    assert error["message"] == "USER_DISABLED" and functions.quiet()


def test_nobody_is_asked_when_the_password_is_wrong_or_the_address_taken(
        hearth, functions, address):
    sign_up(hearth, address)
    functions.forget()
    refused(hearth, "signInWithPassword", {"email": address, "password": "wrong1"})
    refused(hearth, "signUp", {"email": address, "password": "secret1"})
    assert functions.quiet()


def test_an_existing_user_is_shown_with_the_changes_of_this_sign_in(hearth, functions, address):
    session = sign_up(hearth, address)
    functions.forget()
    given = google(address)
    idp(hearth, "google.com", given)
    record = functions.call()[1]["user_record"]
    assert record["uid"] == session["localId"]
    assert (record["display_name"], record["email_verified"]) == ("Ann", True)
    assert "google.com" in [entry["provider_id"] for entry in record["provider_data"]]


def test_linking_a_number_shows_it_before_signing_in(hearth, functions, address, number):
    session = sign_up(hearth, address)
    functions.forget()
    phone(hearth, number, idToken=session["idToken"])
    name, claims = functions.call()
    assert (name, claims["sign_in_method"]) == ("beforeSignIn", "phone")
    assert claims["user_record"]["phone_number"] == number


def test_a_new_user_is_not_stored_before_creation_but_before_signing_in(
        hearth, functions, address):
    found = {}

    def looking(event):
        def answer(_):
            found[event] = known(hearth, email=address)
            return {}
        return answer

    functions.answers = {event: looking(event) for event in BEFORE}
    sign_up(hearth, address)
    assert found == {"beforeCreate": False, "beforeSignIn": True}


# MARK: What their answers change (10.4)

def changing(mask: str | None = None, **record) -> dict:
    return {"userRecord": {**record, "updateMask": ",".join(record) if mask is None else mask}}


WAYS = {
    "password": lambda hearth, address, number: sign_up(hearth, address),
    "email link": lambda hearth, address, number: link(hearth, address),
    "idp": lambda hearth, address, number: idp(hearth, "google.com", google(address)),
    "phone": lambda hearth, address, number: phone(hearth, number),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("event", BEFORE)
def test_a_function_changes_the_user(hearth, functions, address, number, way, event):
    functions.answers[event] = changing(
        displayName="Changed", photoUrl="http://localhost/changed.png", emailVerified=True,
        customClaims={"role": "admin"})
    session = way(hearth, address, number)
    user = stored(hearth, session["localId"])
    assert user["displayName"] == "Changed"
    assert user["photoUrl"] == "http://localhost/changed.png"
    assert user["emailVerified"] is True
    assert json.loads(user["customAttributes"]) == {"role": "admin"}
    claims = claims_of(session)
    assert (claims["name"], claims["picture"], claims["role"]) == (
        "Changed", "http://localhost/changed.png", "admin")
    # The answer shows what the provider said.
    if "rawUserInfo" in session:
        assert (session["displayName"], session["photoUrl"]) == ("Ann", GOOGLE["picture"])


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_session_claims_live_in_the_session_and_its_refresh_token_only(
        hearth, functions, address, number, way):
    functions.answers["beforeSignIn"] = changing(sessionClaims={"session": {"a": [1]}, "role": "x"})
    session = way(hearth, address, number)
    assert claims_of(session)["session"] == {"a": [1]}
    refreshed = post(hearth, TOKEN, {
        "grant_type": "refresh_token", "refresh_token": session["refreshToken"]})
    claims = decoded(refreshed["id_token"])[1]
    assert (claims["session"], claims["role"]) == ({"a": [1]}, "x")
    assert not stored(hearth, session["localId"]).get("customAttributes", "").strip("{}")
    functions.answers.clear()
    assert "session" not in claims_of(way_again(hearth, session, address, number))


def way_again(hearth, session: dict, address: str, number: str) -> dict:
    user = stored(hearth, session["localId"])
    if "phoneNumber" in user:
        return phone(hearth, number)
    hearth.admin("/accounts:update", {"localId": user["localId"], "password": "secret1"})
    return sign_in(hearth, address)


def test_session_claims_override_custom_claims(hearth, functions, address):
    functions.answers["beforeSignIn"] = changing(
        customClaims={"role": "stored", "kept": 1}, sessionClaims={"role": "session"})
    claims = claims_of(sign_up(hearth, address))
    assert (claims["role"], claims["kept"]) == ("session", 1)


def test_session_claims_come_with_the_second_factor(hearth, functions, address, number):
    uid = enrolled(hearth, address, number)["localId"]
    functions.answers["beforeSignIn"] = changing(sessionClaims={"a": 1}, displayName="Changed")
    session = second_factor(hearth, sign_in(hearth, address), number)
    claims = claims_of(session)
    assert (claims["a"], claims["name"]) == (1, "Changed")
    assert claims["firebase"]["second_factor_identifier"]
    assert stored(hearth, uid)["displayName"] == "Changed"
    refreshed = post(hearth, TOKEN, {
        "grant_type": "refresh_token", "refresh_token": session["refreshToken"]})
    claims = decoded(refreshed["id_token"])[1]
    assert claims["a"] == 1 and claims["firebase"]["sign_in_second_factor"] == "phone"


def test_session_claims_do_not_outlive_an_enrolment(hearth, functions, address, number):
    functions.answers["beforeSignIn"] = changing(sessionClaims={"a": 1})
    assert "a" not in claims_of(enrolled(hearth, address, number))


def test_session_claims_before_creation_are_ignored(hearth, functions, address):
    functions.answers["beforeCreate"] = changing(sessionClaims={"a": 1}, displayName="Ann")
    claims = claims_of(sign_up(hearth, address))
    assert "a" not in claims and claims["name"] == "Ann"


def test_session_claims_cannot_take_the_place_of_the_tokens_own(hearth, functions, address):
    functions.answers["beforeSignIn"] = changing(sessionClaims={
        "firebase": {"sign_in_provider": "other"}, "email": "other@example.com",
        "email_verified": True, "user_id": "other", "auth_time": 1, "phone_number": "+15555550100",
        "provider_id": "other", "mine": 1})
    session = sign_up(hearth, address)
    claims = claims_of(session)
    assert claims["firebase"]["sign_in_provider"] == "password"
    assert (claims["email"], claims["email_verified"]) == (address, False)
    assert claims["user_id"] == claims["sub"] == session["localId"]
    assert claims["auth_time"] > 1 and claims["mine"] == 1
    assert "phone_number" not in claims and "provider_id" not in claims


@pytest.mark.parametrize("name, value", [
    ("sub", "other"), ("iss", "http://other"), ("aud", "other"), ("exp", 1), ("iat", "now")])
def test_session_claims_cannot_forge_the_token(hearth, functions, address, name, value):
    functions.answers["beforeSignIn"] = changing(sessionClaims={name: value}, displayName="Ann")
    error = refused(hearth, "signUp", {"email": address, "password": "secret1"}, 500)
    assert error["status"] == "UNKNOWN" and name in error["message"]
    [user] = hearth.admin("/accounts:lookup", {"email": [address]})["users"]
    assert user["displayName"] == "Ann"


def test_a_session_may_say_when_it_was_issued(hearth, functions, address):
    functions.answers["beforeSignIn"] = changing(sessionClaims={"iat": 5})
    assert claims_of(sign_up(hearth, address))["iat"] > 5


@pytest.mark.parametrize("answer", [None, {"userRecord": {"updateMask": "customClaims"}}])
@pytest.mark.parametrize("event", BEFORE)
def test_answers_that_the_official_emulator_stumbles_over(
        hearth, functions, address, event, answer):
    functions.answers[event] = (200, json.dumps(answer).encode())
    error = refused(hearth, "signUp", {"email": address, "password": "secret1"}, 500)
    assert error["status"] == "UNKNOWN" and error["errors"][0]["reason"] == "TypeError"
    assert known(hearth, email=address) == (event == "beforeSignIn")


@pytest.mark.parametrize("claims", ["text", 1, [1], True])
def test_session_claims_that_are_no_object_count_as_none(hearth, functions, address, claims):
    functions.answers["beforeSignIn"] = changing(sessionClaims=claims)
    assert claims_of(sign_up(hearth, address))["email"] == address


@pytest.mark.parametrize("answer", [
    {}, [], {"userRecord": None}, {"other": 1}, {"userRecord": {"updateMask": "nothing"}},
    {"userRecord": {"updateMask": "email,phoneNumber,uid,password", "email": "x@example.com",
                    "phoneNumber": "+15555550123", "uid": "other", "password": "other1"}}])
@pytest.mark.parametrize("event", BEFORE)
def test_answers_that_change_nothing(hearth, functions, address, event, answer):
    functions.answers[event] = answer
    session = sign_up(hearth, address, displayName="Ann")
    user = stored(hearth, session["localId"])
    assert (user["email"], user["displayName"]) == (address, "Ann")
    assert "phoneNumber" not in user and "customAttributes" not in user
    functions.answers.clear()
    sign_in(hearth, address)


@pytest.mark.parametrize("status", [200, 201, 204, 299])
def test_every_success_counts(hearth, functions, address, status):
    content = b"" if status == 204 else changing(displayName="Changed")
    functions.answers["beforeCreate"] = (status, content)
    reply = hearth.post(f"{V1}signUp?key=any", {"email": address, "password": "secret1"})
    if status == 204:
        assert reply.status_code == 500
        assert reply.json()["error"]["message"] == FAILED + "((Response body is not valid JSON.))"
    else:
        assert claims_of(reply.json())["name"] == "Changed"


@pytest.mark.parametrize("given, kept", [
    ("text", "text"), (5, "5"), (1.5, "1.5"), (True, "true"), (False, "false"),
    (None, None), ([1], None), ({"a": 1}, None)])
@pytest.mark.parametrize("field", ["displayName", "photoUrl"])
def test_texts(hearth, functions, address, field, given, kept):
    functions.answers["beforeCreate"] = changing(**{field: given})
    session = sign_up(hearth, address, displayName="Ann")
    assert stored(hearth, session["localId"]).get(field) == kept


@pytest.mark.parametrize("field", ["displayName", "photoUrl"])
def test_a_text_that_is_masked_but_missing_is_removed(hearth, functions, address, field):
    functions.answers["beforeSignIn"] = changing(field)
    session = idp(hearth, "google.com", google(address))
    user = stored(hearth, session["localId"])
    assert field not in user
    assert {"displayName", "photoUrl"} - {field} <= user.keys()


@pytest.mark.parametrize("given, kept", [
    (True, True), (False, False), (1, True), (0, False), ("false", True), ("", False),
    ([], True), ({}, True), (None, False)])
def test_flags_count_by_truth(hearth, functions, address, given, kept):
    functions.answers["beforeCreate"] = changing(emailVerified=given)
    assert stored(hearth, sign_up(hearth, address)["localId"])["emailVerified"] is kept


def test_a_masked_flag_that_is_missing_is_false(hearth, functions, address):
    functions.answers["beforeSignIn"] = changing("emailVerified")
    session = idp(hearth, "google.com", google(address))
    assert stored(hearth, session["localId"])["emailVerified"] is False
    assert claims_of(session)["email_verified"] is False


def test_the_answer_of_an_idp_sign_in_shows_the_accounts_verification(hearth, functions, address):
    functions.answers["beforeSignIn"] = changing(emailVerified=False)
    assert idp(hearth, "google.com", google(address))["emailVerified"] is False


def test_only_what_the_mask_names_is_changed(hearth, functions, address):
    functions.answers["beforeCreate"] = changing(
        "photoUrl", displayName="Changed", photoUrl="http://localhost/b.png")
    user = stored(hearth, sign_up(hearth, address, displayName="Ann")["localId"])
    assert (user["displayName"], user["photoUrl"]) == ("Ann", "http://localhost/b.png")


def test_the_mask_is_not_trimmed(hearth, functions, address):
    functions.answers["beforeCreate"] = changing(
        "displayName, photoUrl", displayName="Changed", photoUrl="http://localhost/b.png")
    user = stored(hearth, sign_up(hearth, address)["localId"])
    assert user["displayName"] == "Changed" and "photoUrl" not in user


def test_custom_claims_replace_the_old_ones(hearth, functions, address):
    session = sign_up(hearth, address)
    hearth.admin("/accounts:update", {
        "localId": session["localId"], "customAttributes": '{"old":1}'})
    functions.answers["beforeSignIn"] = changing(customClaims={"new": 1})
    claims = claims_of(sign_in(hearth, address))
    assert claims["new"] == 1 and "old" not in claims
    assert json.loads(stored(hearth, session["localId"])["customAttributes"]) == {"new": 1}


def test_before_sign_in_wins_over_before_create(hearth, functions, address):
    functions.answers = {
        "beforeCreate": changing(
            displayName="First", photoUrl="http://localhost/1.png", customClaims={"a": 1}),
        "beforeSignIn": changing(displayName="Second", customClaims={"b": 1})}
    session = sign_up(hearth, address)
    seen = [functions.call()[1]["user_record"] for _ in BEFORE]
    assert seen[1]["display_name"] == "First" and seen[1]["custom_claims"] == {"a": 1}
    user = stored(hearth, session["localId"])
    assert (user["displayName"], user["photoUrl"]) == ("Second", "http://localhost/1.png")
    assert json.loads(user["customAttributes"]) == {"b": 1}


BODIES = {
    "password": ("signUp", lambda hearth, address, number: {
        "email": address, "password": "secret1"}),
    "email link": ("signInWithEmailLink", lambda hearth, address, number: link_body(
        hearth, address)),
    "idp": ("signInWithIdp", lambda hearth, address, number: idp_body(
        "google.com", google(address))),
    "phone": ("signInWithPhoneNumber", lambda hearth, address, number: phone_body(hearth, number)),
}


def identity(verb: str, address: str, number: str) -> dict:
    return {"phoneNumber": number} if verb == "signInWithPhoneNumber" else {"email": address}


@pytest.mark.parametrize("verb, body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("event", BEFORE)
def test_a_function_that_disables_a_new_user(
        hearth, functions, address, number, verb, body, event):
    functions.answers[event] = changing(disabled=True, displayName="Changed")
    error = refused(hearth, verb, body(hearth, address, number))
    assert error["message"] == "USER_DISABLED"
    assert functions.seen == ["beforeCreate"] if event == "beforeCreate" else [*BEFORE]
    by = identity(verb, address, number)
    [user] = hearth.admin(
        "/accounts:lookup", {name: [value] for name, value in by.items()})["users"]
    assert user["disabled"] is True and user["displayName"] == "Changed"


def test_a_function_that_disables_an_existing_user(hearth, functions, address, number):
    uid = sign_up(hearth, address)["localId"]
    functions.answers["beforeSignIn"] = changing(disabled=True)
    body = {"email": address, "password": "secret1"}
    assert refused(hearth, "signInWithPassword", body)["message"] == "USER_DISABLED"
    assert stored(hearth, uid)["disabled"] is True
    functions.forget()
    assert refused(hearth, "signInWithPassword", body)["message"] == "USER_DISABLED"
    assert functions.quiet()


def test_a_function_that_disables_a_user_at_the_second_factor(hearth, functions, address, number):
    uid = enrolled(hearth, address, number)["localId"]
    functions.answers["beforeSignIn"] = changing(disabled=True)
    error = second_factor(hearth, sign_in(hearth, address), number, 400)["error"]
    assert error["message"] == "USER_DISABLED"
    assert stored(hearth, uid)["disabled"] is True


# MARK: Errors (10.5)

def failing_cases():
    big = {"a": "x" * 1000}
    yield "status 400", (400, b"no"), 400, "((HTTP request to URL returned HTTP error 400: no))"
    yield "status 403 with JSON", (403, {"error": {"status": "PERMISSION_DENIED"}}), 400, (
        '((HTTP request to URL returned HTTP error 403: '
        '{"error": {"status": "PERMISSION_DENIED"}}))')
    yield "status 500", (500, b""), 400, "((HTTP request to URL returned HTTP error 500: ))"
    yield "no JSON", (200, b"<html>"), 500, "((Response body is not valid JSON.))"
    yield "empty", (200, b""), 500, "((Response body is not valid JSON.))"
    for name, record in [("no mask", {"displayName": "x"}),
                         ("empty mask", {"updateMask": "", "displayName": "x"})]:
        yield name, {"userRecord": record}, 400, "((Response UserRecord is missing updateMask.))"
    yield "large claims", changing(customClaims=big), 400, "CLAIMS_TOO_LARGE"
    for name, bad in [("list", [1]), ("text", "x"), ("number", 5)]:
        yield f"claims are a {name}", changing(customClaims=bad), 400, "INVALID_CLAIMS"
    for name in ("iss", "sub", "firebase", "c_hash"):
        yield f"claim {name}", changing(customClaims={name: 1}), 400, f"FORBIDDEN_CLAIM : {name}"


FAILING = [pytest.param(*rest, id=name) for name, *rest in failing_cases()]


@pytest.mark.parametrize("answer, status, message", FAILING)
@pytest.mark.parametrize("event", BEFORE)
def test_a_function_that_fails_on_sign_up(
        hearth, functions, address, event, answer, status, message):
    """Without beforeCreate there is no user; what was stored before beforeSignIn stays."""
    functions.answers[event] = answer
    error = refused(hearth, "signUp", {"email": address, "password": "secret1"}, status)
    check_error(error, functions.url(event), status, message)
    assert known(hearth, email=address) == (event == "beforeSignIn")


def check_error(error: dict, url: str, status: int, message: str) -> None:
    if message.startswith("(("):
        message = FAILED + message.replace("URL", url)
    assert (error["code"], error["message"]) == (status, message)
    [item] = error["errors"]
    assert item["message"] == message
    if status == 500:
        assert error["status"] == "INTERNAL" and item["reason"]
    else:
        assert "status" not in error and (item["reason"], item["domain"]) == ("invalid", "global")


@pytest.mark.parametrize("verb, body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("event", BEFORE)
def test_a_function_that_refuses_a_new_user(hearth, functions, address, number, verb, body, event):
    functions.answers[event] = (418, b"teapot")
    error = refused(hearth, verb, body(hearth, address, number))
    check_error(error, functions.url(event), 400,
                "((HTTP request to URL returned HTTP error 418: teapot))")
    assert known(hearth, **identity(verb, address, number)) == (event == "beforeSignIn")
    assert functions.seen == [*BEFORE][: BEFORE.index(event) + 1]


def test_a_refused_sign_in_leaves_an_existing_user_as_it_was(hearth, functions, address, number):
    session = sign_up(hearth, address)
    before = stored(hearth, session["localId"])
    functions.answers["beforeSignIn"] = (403, b"no")
    for verb, body in [
        ("signInWithPassword", {"email": address, "password": "secret1"}),
        ("signInWithIdp", idp_body("google.com", google(address))),
        ("signInWithIdp", idp_body("google.com", google(address), idToken=session["idToken"])),
        ("signInWithPhoneNumber", {**phone_body(hearth, number), "idToken": session["idToken"]}),
    ]:
        error = refused(hearth, verb, body)
        assert error["message"].startswith(FAILED + "((HTTP request to ")
    assert stored(hearth, session["localId"]) == before


def test_a_refused_second_factor(hearth, functions, address, number):
    enrolled(hearth, address, number)
    functions.answers["beforeSignIn"] = (403, b"no")
    error = second_factor(hearth, sign_in(hearth, address), number, 400)["error"]
    check_error(error, functions.url("beforeSignIn"), 400,
                "((HTTP request to URL returned HTTP error 403: no))")


@pytest.mark.parametrize("event", BEFORE)
def test_a_function_that_is_not_there(address, event):
    """A refused connection is known at once."""
    hearth = Server()
    try:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{unused.getsockname()[1]}/gone"
            configure(hearth, {"triggers": {event: {"functionUri": url}}})
            reply = requests.post(
                f"{hearth.auth}{V1}signUp?key=any", timeout=5,
                json={"email": address, "password": "secret1"})
        assert reply.status_code == 500
        check_error(reply.json()["error"], url, 500, "((Failed to make request to URL.))")
        assert reply.json()["error"]["errors"][0]["reason"] == "fetch failed"
        assert known(hearth, email=address) == (event == "beforeSignIn")
    finally:
        hearth.kill()


def test_a_function_that_hangs_up(hearth, functions, address):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/gone"
        configure(hearth, {"triggers": {"beforeCreate": {"functionUri": url}}})
        hanging = threading.Thread(target=lambda: [listener.accept()[0].close() for _ in range(1)])
        hanging.start()
        error = refused(hearth, "signUp", {"email": address, "password": "secret1"}, 500)
        hanging.join()
    check_error(error, url, 500, "((Failed to make request to URL.))")


def test_a_slow_function_holds_up_nobody_else(hearth, functions, address):
    """The sign-in waits outside of every transaction."""
    entered, go_on = threading.Event(), threading.Event()

    def slow(_):
        entered.set()
        assert go_on.wait(20)
        return changing(displayName="Slow")

    functions.answers["beforeCreate"] = slow
    result = {}
    waiting = threading.Thread(target=lambda: result.update(sign_up(hearth, address)))
    waiting.start()
    try:
        assert entered.wait(10)
        started = time.monotonic()
        hearth.accounts("signUp", {})
        hearth.admin("/accounts", {"email": f"other-{address}", "password": "secret1"})
        assert time.monotonic() - started < 5
        assert not known(hearth, email=address)
    finally:
        go_on.set()
        waiting.join()
    assert claims_of(result)["name"] == "Slow"


@pytest.mark.skipif("HEARTH_SLOW_TESTS" not in os.environ, reason="takes a minute")
def test_a_function_that_does_not_answer_within_a_minute(hearth, functions, address):
    done = threading.Event()
    functions.answers["beforeCreate"] = lambda _: done.wait(75) and {}
    started = time.monotonic()
    try:
        reply = requests.post(
            f"{hearth.auth}{V1}signUp?key=any", json={"email": address, "password": "secret1"},
            timeout=90)
    finally:
        done.set()
    assert 59 < time.monotonic() - started < 65
    assert reply.status_code == 500
    check_error(reply.json()["error"], functions.url("beforeCreate"), 500,
                "((Deadline exceeded making request to URL.))")
    assert not known(hearth, email=address)


# MARK: What happens meanwhile

def test_an_address_that_is_taken_meanwhile(hearth, functions, address):
    functions.answers["beforeCreate"] = lambda _: hearth.admin(
        "/accounts", {"email": address, "password": "secret1"}) and {}
    error = refused(hearth, "signUp", {"email": address, "password": "secret1"})
    assert error["message"] == "EMAIL_EXISTS"


def test_a_number_that_is_taken_meanwhile_has_one_owner(hearth, functions, number):
    body = phone_body(hearth, number)
    owner = {}
    functions.answers["beforeCreate"] = lambda _: owner.update(
        hearth.admin("/accounts", {"phoneNumber": number})) or {}
    hearth.post(f"{V1}signInWithPhoneNumber?key=any", body)
    everybody = hearth.admin("/accounts:query", {})["userInfo"]
    assert [user["localId"] for user in everybody if user.get("phoneNumber") == number] == [
        owner["localId"]]


@pytest.mark.parametrize("with_email", [True, False])
def test_a_provider_account_that_is_taken_meanwhile_has_one_owner(
        hearth, functions, address, with_email):
    given = google(address) if with_email else {"sub": address}
    owner = {}

    def answer(_):
        if not owner:
            owner["localId"] = None
            owner.update(idp(hearth, "google.com", given))
        return {}

    functions.answers["beforeCreate"] = answer
    hearth.post(f"{V1}signInWithIdp?key=any", idp_body("google.com", given))
    everybody = hearth.admin("/accounts:query", {})["userInfo"]
    owners = [user["localId"] for user in everybody for entry in user.get("providerUserInfo", [])
              if (entry["providerId"], entry["rawId"]) == ("google.com", given["sub"])]
    assert owners == [owner["localId"]]


def test_a_change_made_meanwhile_is_not_lost(hearth, functions, address):
    uid = sign_up(hearth, address)["localId"]
    functions.answers["beforeSignIn"] = lambda _: hearth.admin("/accounts:update", {
        "localId": uid, "displayName": "Admin", "customAttributes": '{"role":"admin"}'}) and (
            changing(photoUrl="http://localhost/b.png"))
    session = sign_in(hearth, address)
    user = stored(hearth, uid)
    assert (user["displayName"], user["photoUrl"]) == ("Admin", "http://localhost/b.png")
    assert json.loads(user["customAttributes"]) == {"role": "admin"}
    assert claims_of(session)["name"] == "Admin"


def test_a_user_that_is_disabled_meanwhile_stays_disabled(hearth, functions, address):
    uid = sign_up(hearth, address)["localId"]
    functions.answers["beforeSignIn"] = lambda _: hearth.admin(
        "/accounts:update", {"localId": uid, "disableUser": True}) and {}
    hearth.post(f"{V1}signInWithPassword?key=any", {"email": address, "password": "secret1"})
    assert stored(hearth, uid)["disabled"] is True


def test_a_password_that_is_changed_meanwhile_stays_changed(hearth, functions, address):
    uid = sign_up(hearth, address)["localId"]
    functions.answers["beforeSignIn"] = lambda _: hearth.admin(
        "/accounts:update", {"localId": uid, "password": "a new secret"}) and {}
    hearth.post(f"{V1}signInWithPassword?key=any", {"email": address, "password": "secret1"})
    functions.answers.clear()
    hearth.accounts("signInWithPassword", {"email": address, "password": "a new secret"})


def test_a_user_that_is_deleted_meanwhile_stays_deleted(hearth, functions, address):
    uid = sign_up(hearth, address)["localId"]
    functions.answers["beforeSignIn"] = lambda _: hearth.admin(
        "/accounts:delete", {"localId": uid}) and {}
    reply = hearth.post(
        f"{V1}signInWithPassword?key=any", {"email": address, "password": "secret1"})
    assert not known(hearth, localId=uid)
    assert reply.status_code != 200


def test_a_number_that_is_taken_while_it_is_linked(hearth, functions, address, number):
    session = sign_up(hearth, address)
    body = {**phone_body(hearth, number), "idToken": session["idToken"]}
    functions.answers["beforeSignIn"] = lambda _: hearth.admin(
        "/accounts", {"phoneNumber": number}) and {}
    assert refused(hearth, "signInWithPhoneNumber", body)["message"] == "PHONE_NUMBER_EXISTS"
    assert "phoneNumber" not in stored(hearth, session["localId"])


def test_a_provider_account_that_is_taken_while_it_is_linked(hearth, functions, address):
    session = sign_up(hearth, address)
    owner = {}

    def answer(_):
        if not owner:
            owner["localId"] = None
            owner.update(idp(hearth, "oidc.x", {"sub": address}))
        return {}

    functions.answers["beforeSignIn"] = answer
    error = refused(hearth, "signInWithIdp", idp_body(
        "oidc.x", {"sub": address}, idToken=session["idToken"], returnIdpCredential=False))
    assert error["message"] == "FEDERATED_USER_ID_ALREADY_LINKED"
    assert idp(hearth, "oidc.x", {"sub": address})["localId"] == owner["localId"]


def test_a_provider_that_is_unlinked_meanwhile_stays_unlinked(hearth, functions, address):
    uid = sign_up(hearth, address)["localId"]
    claims = google(address) | {"email_verified": True}
    idp(hearth, "google.com", claims)
    functions.answers["beforeSignIn"] = lambda _: hearth.admin(
        "/accounts:update", {"localId": uid, "deleteProvider": ["google.com"]}) and {}
    idp(hearth, "google.com", claims | {"name": "Another name"})
    entries = {entry["providerId"] for entry in stored(hearth, uid)["providerUserInfo"]}
    assert "google.com" not in entries


def test_an_imported_password_that_is_changed_meanwhile_stays_changed(hearth, functions, address):
    """The first sign-in hashes it anew: that must not bring the old one back."""
    hashed = base64.b64encode(hashlib.sha256(b"secret1").digest()).decode()
    hearth.admin("/accounts:batchCreate", {"hashAlgorithm": "SHA256", "rounds": 1, "users": [
        {"localId": address, "email": address, "passwordHash": hashed}]})
    functions.answers["beforeSignIn"] = lambda _: hearth.admin(
        "/accounts:update", {"localId": address, "password": "a new secret"}) and {}
    sign_in(hearth, address)
    functions.answers.clear()
    hearth.accounts("signInWithPassword", {"email": address, "password": "a new secret"})


# MARK: Configuration (12.1)

def test_the_configuration_is_returned(hearth, functions):
    reply = requests.get(
        f"{hearth.auth}{V2}projects/{PROJECT}/config", headers={"Authorization": "Bearer owner"},
        timeout=10)
    assert reply.json()["blockingFunctions"] == triggers(functions, *BEFORE)


@pytest.mark.parametrize("given, message", [
    ({"beforeDelete": {"functionUri": "http://localhost/x"}}, "((Event type is invalid.))"),
    ({"beforeCreate": {}}, "((Expected an absolute URI with valid scheme and host.))"),
    ({"beforeCreate": {"functionUri": ""}},
     "((Expected an absolute URI with valid scheme and host.))"),
    ({"beforeSignIn": {"functionUri": "/relative"}},
     "((Expected an absolute URI with valid scheme and host.))"),
    ({"beforeSignIn": {"functionUri": "no uri"}},
     "((Expected an absolute URI with valid scheme and host.))"),
])
@pytest.mark.parametrize("mask", ["", "blockingFunctions", "signIn"])
def test_configurations_that_are_refused(hearth, given, message, mask):
    reply = requests.patch(
        f"{hearth.auth}{V2}projects/{PROJECT}/config", params={"updateMask": mask} if mask else {},
        json={"blockingFunctions": {"triggers": given}}, headers={"Authorization": "Bearer owner"},
        timeout=10)
    assert reply.status_code == 400, reply.text
    assert reply.json()["error"]["message"] == "INVALID_BLOCKING_FUNCTION : " + message


# MARK: User events (11)

@pytest.fixture(scope="module")
def told():
    """A server that tells a functions emulator of its users, and that functions emulator."""
    functions = Functions()
    server = Server("--functions-emulator", functions.host)
    yield server, functions
    server.stop()
    functions.close()


def event(functions: Functions) -> dict:
    name, path, headers, body = functions.calls.get(timeout=5)
    assert path == f"/functions/projects/{PROJECT}/trigger_multicast"
    assert headers["Content-Type"] == "application/json"
    body = json.loads(body)
    no_null(body)
    assert body.keys() == {"eventId", "eventType", "resource", "params", "timestamp", "data"}
    assert uuid.UUID(body["eventId"]) and body["params"] == {}
    assert body["resource"] == {
        "name": f"projects/{PROJECT}", "service": "firebaseauth.googleapis.com"}
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", body["timestamp"])
    assert not {"passwordHash", "salt", "validSince"} & body["data"].keys()
    return body


def created(functions: Functions) -> dict:
    body = event(functions)
    assert body["eventType"] == "providers/firebase.auth/eventTypes/user.create"
    return body["data"]


def deleted(functions: Functions) -> dict:
    body = event(functions)
    assert body["eventType"] == "providers/firebase.auth/eventTypes/user.delete"
    return body["data"]


def no_more(hearth, functions: Functions) -> None:
    """Nothing but the event of the user that this makes is under way."""
    uid = hearth.accounts("signUp", {})["localId"]
    assert created(functions)["uid"] == uid
    assert functions.quiet()


ISO = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"


def test_a_password_user_comes_and_goes(told, address):
    hearth, functions = told
    session = sign_up(hearth, address, displayName="Ann")
    data = created(functions)
    metadata = data.pop("metadata")
    assert metadata.keys() == {"creationTime", "lastSignInTime"}
    assert all(re.fullmatch(ISO, time) for time in metadata.values())
    data.pop("disabled", None)
    assert data == {
        "uid": session["localId"], "email": address, "emailVerified": False, "displayName": "Ann",
        "customClaims": {}, "providerData": [{
            "rawId": address, "providerId": "password", "displayName": "Ann", "email": address,
            "federatedId": address}]}
    hearth.accounts("delete", {"idToken": session["idToken"]})
    assert deleted(functions)["uid"] == session["localId"]
    no_more(hearth, functions)


@pytest.mark.parametrize("act", [
    lambda hearth, address, number: hearth.accounts("signUp", {}),
    lambda hearth, address, number: hearth.admin("/accounts", {"email": address}),
    lambda hearth, address, number: link(hearth, address),
    lambda hearth, address, number: idp(hearth, "google.com", google(address)),
    lambda hearth, address, number: phone(hearth, number),
    lambda hearth, address, number: {"localId": address} | hearth.accounts(
        "signInWithCustomToken", {"token": json.dumps({"uid": address})}),
    lambda hearth, address, number: sign_up(hearth, address, tenantId="tenant-a"),
], ids=["anonymous", "privileged", "email link", "idp", "phone", "custom", "tenant"])
def test_every_new_user_is_told(told, address, number, act):
    hearth, functions = told
    uid = act(hearth, address, number)["localId"]
    data = created(functions)
    assert data["uid"] == uid and isinstance(data["metadata"], dict)
    assert data["customClaims"] == {}
    if "tenantId" in data:
        assert data["tenantId"] == "tenant-a"
    no_more(hearth, functions)


def test_the_photo_has_its_own_spelling(told, address):
    hearth, functions = told
    given = google(address)
    idp(hearth, "google.com", given)
    data = created(functions)
    assert data["photoURL"] == GOOGLE["picture"] and "photoUrl" not in data
    assert data["providerData"] == [{
        "rawId": given["sub"], "providerId": "google.com", "displayName": "Ann", "email": address,
        "federatedId": given["sub"], "photoURL": GOOGLE["picture"]}]


def test_imported_users_are_not_told_but_their_deletion_is(told, address):
    hearth, functions = told
    ids = [f"{n}-{address}" for n in range(3)]
    users = [{"localId": uid, "disabled": True} for uid in ids]
    hearth.admin("/accounts:batchCreate", {"users": users})
    hearth.admin("/accounts:batchCreate", {"users": users, "allowOverwrite": True})
    no_more(hearth, functions)
    hearth.admin("/accounts:batchDelete", {"localIds": [*ids[:2], "unknown"]})
    assert {deleted(functions)["uid"] for _ in range(2)} == {*ids[:2]}
    hearth.admin("/accounts:delete", {"localId": ids[2]})
    assert deleted(functions)["uid"] == ids[2]
    no_more(hearth, functions)


def test_deleting_everything_is_not_told(told, address):
    hearth, functions = told
    sign_up(hearth, address)
    created(functions)
    sign_up(hearth, address, tenantId="tenant-b")
    created(functions)
    for path in (f"/emulator/v1/projects/{PROJECT}/accounts",
                 f"/emulator/v1/projects/{PROJECT}/tenants/tenant-b/accounts",
                 f"{V2}projects/{PROJECT}/tenants/tenant-b"):
        reply = requests.delete(
            hearth.auth + path, headers={"Authorization": "Bearer owner"}, timeout=10)
        assert reply.status_code == 200, reply.text
    no_more(hearth, functions)


def test_a_second_sign_in_is_not_told(told, address):
    hearth, functions = told
    sign_up(hearth, address)
    created(functions)
    sign_in(hearth, address)
    no_more(hearth, functions)


def test_the_event_shows_the_user_as_first_stored(told, address):
    hearth, functions = told
    configure(hearth, triggers(functions, *BEFORE))
    functions.answers = {
        "beforeCreate": changing(displayName="First", customClaims={"a": 1}),
        "beforeSignIn": changing(displayName="Second", customClaims={"b": 1})}
    try:
        sign_up(hearth, address)
    finally:
        functions.answers = {}
        configure(hearth, {})
    bodies = {}
    for _ in range(3):
        name, _, _, body = functions.calls.get(timeout=5)
        bodies[name] = json.loads(body)
    data = bodies["trigger_multicast"]["data"]
    assert data["displayName"] == "First" and data["customClaims"] == {"a": 1}


def test_a_user_that_before_create_refuses_is_not_told(told, address):
    hearth, functions = told
    configure(hearth, triggers(functions, "beforeCreate"))
    functions.answers = {"beforeCreate": (403, b"no")}
    try:
        refused(hearth, "signUp", {"email": address, "password": "secret1"})
    finally:
        functions.answers = {}
        configure(hearth, {})
    assert functions.calls.get(timeout=5)[0] == "beforeCreate"
    no_more(hearth, functions)


@pytest.mark.parametrize("answer", [(500, b"no"), (404, b""), (200, b"not json")])
def test_a_functions_emulator_that_fails_does_not_matter(told, address, answer):
    hearth, functions = told
    functions.answers = {"trigger_multicast": answer}
    sign_up(hearth, address)
    created(functions)
    functions.answers = {}
    sign_in(hearth, address)
