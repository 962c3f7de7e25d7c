"""Out-of-band codes, password resets and e-mail links: auth-a 2.3 to 2.5, row by row."""

import base64
import json
import re
import urllib.parse
import uuid

import pytest

from support.auth.project import check_error, claims
from support.server import PROJECT, Server
from support.steering import Steered
from auth.protocol.test_check_order import hearth  # noqa: F401
from auth.sign_in.test_sign_up import OPEN, PRIVATE, TOKENS, freeze, fresh, same_time, token_block
from support.wire import V1, V3, unsigned

A, B, C = "a@example.com", "b@example.com", "c@example.com"
PHONE = "+15555550100"
KIND = "identitytoolkit#GetOobConfirmationCodeResponse"
WEAK = "WEAK_PASSWORD : Password should be at least 6 characters"
BAD_URL = "INVALID_CONTINUE_URI : ((expected an absolute URI with valid scheme and host))"
MISMATCH = "INVALID_EMAIL : The email provided does not match the sign-in email address."
PATHS = pytest.mark.parametrize(
    "path", [V1 + "sendOobCode", V3 + "getOobConfirmationCode"], ids=["v1", "v3"])
MODES = {
    "EMAIL_SIGNIN": "signIn", "PASSWORD_RESET": "resetPassword", "VERIFY_EMAIL": "verifyEmail",
    "VERIFY_AND_CHANGE_EMAIL": "verifyAndChangeEmail"}
TYPES = ["OOB_REQ_TYPE_UNSPECIFIED", "PASSWORD_RESET", "OLD_EMAIL_AGREE", "NEW_EMAIL_ACCEPT",
         "VERIFY_EMAIL", "RECOVER_EMAIL", "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL",
         "REVERT_SECOND_FACTOR_ADDITION"]
UNBUILT = ["RECOVER_EMAIL", "OLD_EMAIL_AGREE", "NEW_EMAIL_ACCEPT",
           "REVERT_SECOND_FACTOR_ADDITION"]


class Codes(Steered):
    """Codes as administrators get them, and as the emulator lists them."""

    def pending(self, tenant=None) -> list[dict]:
        scope = self.control + (f"/tenants/{tenant}" if tenant else "")
        return self.request("GET", f"{scope}/oobCodes")["oobCodes"]

    def link(self, kind: str, email: str = A, tenant=None, **more) -> dict:
        more = {"requestType": kind, "email": email, "returnOobLink": True, **more}
        return self.admin("/accounts:sendOobCode", more, tenant=tenant)

    def oob(self, kind: str, email: str = A, tenant=None, **more) -> str:
        return self.link(kind, email, tenant, **more)["oobCode"]

    def make(self, tenant=None, **user) -> str:
        return self.admin("/accounts", user, tenant=tenant)["localId"]


@pytest.fixture
def project(hearth) -> Codes:  # noqa: F811
    return Codes(hearth)


def token(uid: str, **firebase) -> str:
    return unsigned({"user_id": uid, "iat": 4_000_000_000,
                     "firebase": {"sign_in_provider": "password", **firebase}})


# MARK: 2.3, request types

@PATHS
@pytest.mark.parametrize("given", ["number", "digits", "name"])
@pytest.mark.parametrize("index", range(9), ids=TYPES)
def test_request_types(project, path, index, given):
    """An enum is its name, its index, or that as digits."""
    session = project.sign_up(A)
    value = {"number": index, "digits": str(index), "name": TYPES[index]}[given]
    body = {"requestType": value, "email": A, "newEmail": B, "idToken": session["idToken"]}
    kind = TYPES[index]
    if kind in MODES:
        assert project.post(path, body) == {"kind": KIND, "email": A}
        [record] = project.pending()
        assert record["requestType"] == kind
        assert ("newEmail" in record) == (kind == "VERIFY_AND_CHANGE_EMAIL")
    elif kind in UNBUILT:
        error = project.post(path, body, 501)["error"]
        check_error(error, 501)
        assert error["message"] == kind
    else:
        assert project.post(path, body, 400)["error"]["message"] == "MISSING_REQ_TYPE"


@pytest.mark.parametrize("value", ["x", "password_reset", "", 9, -1, "9", "-1", 1.5])
def test_request_types_that_are_none(project, value):
    error = project.call("sendOobCode", {"requestType": value, "email": A}, 400)["error"]
    assert error["status"] == "INVALID_ARGUMENT"
    assert error["message"] == ("Invalid JSON payload received. /requestType must be equal to one "
                                "of the allowed values")


@pytest.mark.parametrize("value", [True, None, [1], {}])
def test_request_types_of_another_type(project, value):
    error = project.call("sendOobCode", {"requestType": value, "email": A}, 400)["error"]
    assert error["message"] == "Invalid JSON payload received. /requestType must be string"


def test_without_a_request_type(project):
    error = project.call("sendOobCode", {"email": A}, 400)["error"]
    assert error["message"] == "MISSING_REQ_TYPE" and "status" not in error


# MARK: 2.3, answers and records

def sent(project, kind: str, admin: bool, tenant=None, **more) -> dict:
    body = {"requestType": kind, "email": A.upper(), **more}
    if admin:
        return project.admin("/accounts:sendOobCode", {**body, "returnOobLink": True},
                             tenant=tenant)
    return project.call("sendOobCode", {**body, **({"tenantId": tenant} if tenant else {})})


@pytest.mark.parametrize("tenant", [False, True], ids=["project", "tenant"])
@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize("kind", MODES)
def test_the_answer_and_the_record(project, kind, admin, tenant):
    """One record comes to be, and its link goes to administrators who ask; else into a mail."""
    scope = project.tenant(**OPEN) if tenant else None
    uid = project.make(email=A, password="secret1", tenant=scope)
    more = {} if kind != "VERIFY_AND_CHANGE_EMAIL" else {"newEmail": B.upper()}
    if not admin and kind.startswith("VERIFY"):
        more["idToken"] = token(uid, **({"tenant": scope} if scope else {}))
    answer = sent(project, kind, admin, scope, **more)
    [record] = project.pending(scope)
    new_email = {"newEmail": B} if "newEmail" in more else {}
    assert record == {"email": A, "requestType": kind, "oobCode": record["oobCode"],
                      "oobLink": record["oobLink"], **new_email}
    assert re.fullmatch(r"[A-Za-z0-9_-]{54}", record["oobCode"])
    shown = {name: record[name] for name in ("oobCode", "oobLink")} if admin else {}
    assert answer == {"kind": KIND, "email": A, **shown}
    messages = project.messages()
    assert [message["oobCode"] for message in messages] == ([] if admin else [record["oobCode"]])
    if scope:
        assert project.pending() == []


@PATHS
def test_an_administrator_without_a_link_is_answered_as_a_user(project, path):
    project.make(email=A)
    for more in ({}, {"returnOobLink": False}):
        assert project.owner("POST", path, json={
            "requestType": "PASSWORD_RESET", "email": A, "targetProjectId": project.id,
            **more}) == {"kind": KIND, "email": A}
    assert len(project.messages()) == 2


@PATHS
def test_a_link_is_for_administrators(project, path):
    project.make(email=A)
    for kind in TYPES[1:]:
        assert project.post(path, {
            "requestType": kind, "email": A, "returnOobLink": True}, 400)["error"]["message"] == (
                "INSUFFICIENT_PERMISSION")
    assert project.pending() == []
    project.post(path, {"requestType": "PASSWORD_RESET", "email": A, "returnOobLink": False})


IGNORED = {
    "androidInstallApp": True, "androidMinimumVersion": "1", "androidPackageName": "p",
    "iOSAppStoreId": "1", "iOSBundleId": "b", "dynamicLinkDomain": "x", "linkDomain": "x",
    "captchaResp": "x", "challenge": "x", "clientType": "CLIENT_TYPE_ANDROID",
    "recaptchaVersion": "RECAPTCHA_ENTERPRISE", "userIp": "127.0.0.1", "canHandleCodeInApp": True}


def test_what_has_no_effect_on_a_code(project):
    project.make(email=A)
    plain = project.link("PASSWORD_RESET")
    other = project.link("PASSWORD_RESET", **IGNORED)
    assert other.keys() == plain.keys()
    assert other["oobLink"].replace(other["oobCode"], "") == plain["oobLink"].replace(
        plain["oobCode"], "")


@pytest.mark.parametrize("name", IGNORED)
def test_what_has_no_effect_must_have_its_type(project, name):
    error = project.call("sendOobCode", {"requestType": 1, "email": A, name: {}}, 400)["error"]
    assert error["status"] == "INVALID_ARGUMENT"
    assert error["message"].startswith("Invalid JSON payload received. /")


def test_codes_are_listed_in_order_and_stand_side_by_side(project):
    """A new one does not end the older ones, and redeeming one leaves the others."""
    project.make(email=A, password="secret1")
    codes = [project.oob("PASSWORD_RESET") for _ in range(3)]
    assert [one["oobCode"] for one in project.pending()] == codes
    for number, code in enumerate(codes):
        assert [one["oobCode"] for one in project.pending()] == codes[number:]
        project.call("resetPassword", {"oobCode": code, "newPassword": f"secret{number + 2}"})
    assert project.pending() == []


# MARK: 2.3, links

@pytest.mark.parametrize("kind", MODES)
def test_the_link(hearth, kind):  # noqa: F811
    """The parameters stand in this order; the language is always English."""
    project, email = Codes(hearth, PROJECT), f"{uuid.uuid4().hex}@example.com"
    project.make(email=email)
    more = {"newEmail": f"new-{email}"} if kind == "VERIFY_AND_CHANGE_EMAIL" else {}
    answer = project.owner("POST", f"{project.v1}/accounts:sendOobCode", json={
        "requestType": kind, "email": email, "returnOobLink": True, **more})
    assert answer["oobLink"] == (
        f"{hearth.auth}/emulator/action?mode={MODES[kind]}&lang=en&oobCode={answer['oobCode']}"
        "&apiKey=fake-api-key")


@pytest.mark.parametrize("url, encoded", [
    ("http://localhost/a b?x=1&y=2#z", "http%3A%2F%2Flocalhost%2Fa+b%3Fx%3D1%26y%3D2%23z"),
    ("http://localhost/~*-._!'()", "http%3A%2F%2Flocalhost%2F%7E*-._%21%27%28%29"),
    ("http://localhost/ü+€", "http%3A%2F%2Flocalhost%2F%C3%BC%2B%E2%82%AC"),
    ("http://localhost/%20%zz", "http%3A%2F%2Flocalhost%2F%2520%25zz"),
    ("mailto:x", "mailto%3Ax"), ("HTTP://LOCALHOST", "HTTP%3A%2F%2FLOCALHOST"),
], ids=["query", "signs", "letters", "percent", "mailto", "capitals"])
def test_the_url_to_go_on_with_stands_in_the_link(project, url, encoded):
    """Form-encoded, as it was given."""
    project.make(email=A)
    link = project.link("PASSWORD_RESET", continueUrl=url)["oobLink"]
    assert link.endswith(f"&continueUrl={encoded}")
    assert link.count("&") == 4


def test_the_tenant_stands_in_the_link(project):
    tenant = "a b&c"
    project.make(email=A, tenant=urllib.parse.quote(tenant))
    answer = project.admin("/accounts:sendOobCode", {
        "requestType": "PASSWORD_RESET", "email": A, "returnOobLink": True, "tenantId": tenant,
        "continueUrl": "http://localhost"})
    assert answer["oobLink"].endswith("&continueUrl=http%3A%2F%2Flocalhost&tenantId=a+b%26c")


@pytest.mark.parametrize("locale, lang", [
    (None, "en"), ("de", "de"), ("pt_BR", "pt_BR"), ("ar", "ar"), ("x&y=z", "en")])
def test_the_language_of_a_link_is_the_one_asked_for(project, locale, lang):
    project.make(email=A)
    project.request("POST", V1 + "sendOobCode", params={"key": project.id},
                    headers={"X-Firebase-Locale": locale} if locale else {},
                    json={"requestType": "PASSWORD_RESET", "email": A})
    [record] = project.pending()
    assert f"&lang={lang}&" in record["oobLink"]


URLS = [
    "http://localhost", "https://example.com/a?b=c#d", "mailto:x", "HTTP://EXAMPLE.COM",
    "http:example.com", "http:/example.com", "http:///example.com", " http://a ", "myapp://open",
    "myapp:", "a:b", "localhost:8080", "file:///x", "data:,x", "http://[::1]:80/",
    "http://a:65535", "http://a:", "http://u:p@a/", "http://a@b@c", "ftp://a", "http://a\\b",
    "http://ü.example", "http://a/ b", "x-y+z.1:q", "http://1.2.3.4", "http://a%41",
    "myapp:///a b", "myapp://a/b c", "http:\r\n//a"]
# A WHATWG parser takes tabs and line ends out of a URL, wherever they stand.
URLS_WITH_LINE_ENDS = ["ht\ntp://a"]
NO_URLS = [
    "x", "/path", "//host/path", "localhost", "1http://a", "-a:b", "a b:c", "://a", ":a", "?a:b",
    "#a:b", "a/b:c", "http:", "http://", "https://?x", "ws:", "http://a b/", "http://%",
    "http://%zz", "http://a<b", "http://a|b", "http://a^b", "http://%20",
    "http://a:b", "http://a:1:2", "http://a:99999", "http://user@", "http://user@/", "http://[::1",
    " "]
# Hosts that a WHATWG parser refuses on a closer look.
NO_HOSTS = [
    "http://[x]", "http://[::1]x", "http://[::1]:x", "http://[1:2:3:4:5:6:7:8:9]",
    "http://a%00b", "http://1.2.3.256", "http://1.2.3.4.5", "http://99999999999", "http://09",
    "http://\u0001a", "http://a\u007fb", "myapp://a b", "myapp://a<b",
    "myapp://host:port", "myapp://[x]", "file://a b"]


def readable(texts: list[str]) -> list:
    return [pytest.param(text, id=ascii(text)[1:-1]) for text in texts]


@pytest.mark.parametrize("url", readable(URLS + URLS_WITH_LINE_ENDS))
def test_absolute_urls(project, url):
    """Any scheme will do."""
    assert project.call("sendOobCode", {
        "requestType": "EMAIL_SIGNIN", "email": A, "continueUrl": url})["email"] == A


@pytest.mark.parametrize("url", readable(NO_URLS + NO_HOSTS))
def test_urls_that_are_not_absolute(project, url):
    assert project.error("sendOobCode", {
        "requestType": "EMAIL_SIGNIN", "email": A, "continueUrl": url}) == BAD_URL
    assert project.pending() == []


def test_an_empty_url_is_none(project):
    project.make(email=A)
    assert "continueUrl" not in project.link("PASSWORD_RESET", continueUrl="")["oobLink"]


# MARK: 2.3, each type

@pytest.mark.parametrize("kind", ["EMAIL_SIGNIN", "PASSWORD_RESET"])
@pytest.mark.parametrize("given", ["x", "a.b.c", ""])
def test_a_token_that_nobody_asks_for(project, kind, given):
    project.make(email=A)
    assert project.call("sendOobCode", {
        "requestType": kind, "email": A, "idToken": given, "newEmail": "x"})["email"] == A


@pytest.mark.parametrize("kind", ["PASSWORD_RESET", "VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"])
def test_codes_of_a_tenant_that_allows_nothing(project, kind):
    """Only links to sign in with can be switched off."""
    tenant = project.tenant()
    project.make(email=A, tenant=tenant)
    assert project.link(kind, tenant=tenant, newEmail=B)["oobCode"]
    assert project.admin_error("/accounts:sendOobCode", {
        "requestType": "EMAIL_SIGNIN", "email": A, "returnOobLink": True},
        tenant=tenant) == "OPERATION_NOT_ALLOWED"


@pytest.mark.parametrize("kind", ["EMAIL_SIGNIN", "PASSWORD_RESET"])
def test_an_address_does_not_end_at_a_nul(project, kind):
    """A link for one address is none for another."""
    project.make(email=A)
    body = {"requestType": kind, "email": A + "\0x"}
    if kind == "PASSWORD_RESET":
        assert project.error("sendOobCode", body) == "EMAIL_NOT_FOUND"
    else:
        project.call("sendOobCode", body)
        assert [one["email"] for one in project.pending()] == [A + "\0x"]


@PATHS
@pytest.mark.parametrize("email", ["x", "@", "A@B@C", " ", A])
def test_email_links_go_anywhere(project, path, email):
    """Neither the form of the address nor the user matters."""
    assert project.post(path, {"requestType": "EMAIL_SIGNIN", "email": email}) == {
        "kind": KIND, "email": email.lower()}
    assert [one["email"] for one in project.pending()] == [email.lower()]
    assert project.users() == []


@pytest.mark.parametrize("private", [False, True], ids=["open", "private"])
@pytest.mark.parametrize("kind, email", [
    ("EMAIL_SIGNIN", None), ("EMAIL_SIGNIN", ""), ("PASSWORD_RESET", None),
    ("PASSWORD_RESET", "")])
def test_without_an_address(project, kind, email, private):
    if private:
        project.configure("emailPrivacyConfig", **PRIVATE)
    body = {"requestType": kind, **({} if email is None else {"email": email})}
    assert project.error("sendOobCode", body) == "MISSING_EMAIL"
    assert project.admin_error("/accounts:sendOobCode", {**body, "returnOobLink": True}) == (
        "MISSING_EMAIL")


@pytest.mark.parametrize("user", [
    {"password": "secret1"}, {}, {"disabled": True}, {"password": "secret1", "disabled": True}],
    ids=["plain", "without password", "disabled without password", "disabled"])
def test_who_can_reset_a_password(project, user):
    project.make(email=A, **user)
    assert project.call("sendOobCode", {"requestType": "PASSWORD_RESET", "email": A.upper()}) == {
        "kind": KIND, "email": A}
    assert len(project.pending()) == 1


@pytest.mark.parametrize("email, error", [(A, "EMAIL_NOT_FOUND"), ("x", "INVALID_EMAIL")])
@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
def test_resetting_the_password_of_nobody(project, admin, email, error):
    """An address without a form is refused as in production, a difference of ours."""
    body = {"requestType": "PASSWORD_RESET", "email": email.upper()}
    if admin:
        body["returnOobLink"] = True
        assert project.admin_error("/accounts:sendOobCode", body) == error
    else:
        assert project.error("sendOobCode", body) == error
    project.configure("emailPrivacyConfig", **PRIVATE)
    status = 200 if error == "EMAIL_NOT_FOUND" else 400
    answer = (project.admin("/accounts:sendOobCode", body, status) if admin
              else project.call("sendOobCode", body, status))
    if status == 200:
        assert answer == {"kind": KIND, "email": email.lower()}
    assert project.pending() == [] and project.messages() == []


@pytest.mark.parametrize("private", [False, True], ids=["open", "private"])
@pytest.mark.parametrize("kind", ["VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"])
@pytest.mark.parametrize("email, message", [
    (None, "MISSING_EMAIL"), ("", "MISSING_EMAIL"), (B, "USER_NOT_FOUND"),
    ("x", "USER_NOT_FOUND")])
def test_verifying_as_an_administrator(project, kind, email, message, private):
    """Enumeration protection does not change this. Only with a link, and without a token."""
    if private:
        project.configure("emailPrivacyConfig", **PRIVATE)
    project.make(email=A)
    body = {"requestType": kind, "returnOobLink": True, "newEmail": C,
            **({} if email is None else {"email": email})}
    assert project.admin_error("/accounts:sendOobCode", body) == message
    missing = "INVALID_ID_TOKEN" if kind == "VERIFY_EMAIL" else "MISSING_ID_TOKEN"
    for other in ({"returnOobLink": False}, {"returnOobLink": False, "idToken": ""}):
        assert project.admin_error("/accounts:sendOobCode", body | other) == missing
    assert project.pending() == []


@pytest.mark.parametrize("kind", ["VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"])
def test_the_token_says_whose_address_is_verified(project, kind):
    """Also for administrators; `email` is not looked at."""
    session = project.sign_up(A)
    project.sign_up(B)
    for email in (B, "x", "", "unknown@example.com"):
        body = {"requestType": kind, "idToken": session["idToken"], "email": email, "newEmail": C}
        assert project.call("sendOobCode", body)["email"] == A
        assert project.admin(
            "/accounts:sendOobCode", {**body, "returnOobLink": True})["email"] == A
    assert {one["email"] for one in project.pending()} == {A}
    assert len(project.pending()) == 8


@pytest.mark.parametrize("kind, given, message", [
    ("VERIFY_EMAIL", None, "INVALID_ID_TOKEN"), ("VERIFY_EMAIL", "", "INVALID_ID_TOKEN"),
    ("VERIFY_EMAIL", "x", "INVALID_ID_TOKEN"),
    ("VERIFY_AND_CHANGE_EMAIL", None, "MISSING_ID_TOKEN"),
    ("VERIFY_AND_CHANGE_EMAIL", "", "MISSING_ID_TOKEN"),
    ("VERIFY_AND_CHANGE_EMAIL", "x", "INVALID_ID_TOKEN")])
def test_verifying_without_a_good_token(project, kind, given, message):
    project.make(email=A)
    body = {"requestType": kind, "email": A, "newEmail": B,
            **({} if given is None else {"idToken": given})}
    assert project.error("sendOobCode", body) == message


@pytest.mark.parametrize("kind", ["VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"])
def test_verifying_without_an_address_of_ones_own(project, kind):
    session = project.call("signUp", {})
    assert project.error("sendOobCode", {
        "requestType": kind, "email": A, "newEmail": B,
        "idToken": session["idToken"]}) == "MISSING_EMAIL"


@pytest.mark.parametrize("new", ["x", "@", "A@B@C", "New@Example.com"])
@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
def test_a_new_address_may_have_any_form(project, new, admin):
    session = project.sign_up(A)
    body = {"requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": new}
    if admin:
        answer = project.link("VERIFY_AND_CHANGE_EMAIL", newEmail=new)
    else:
        answer = project.call("sendOobCode", {**body, "idToken": session["idToken"]})
    assert answer["email"] == A and "newEmail" not in answer
    assert [one["newEmail"] for one in project.pending()] == [new.lower()]


@pytest.mark.parametrize("private", [False, True], ids=["open", "private"])
@pytest.mark.parametrize("new, message", [
    (None, "MISSING_NEW_EMAIL"), ("", "MISSING_NEW_EMAIL"), (A, "EMAIL_EXISTS"),
    (B, "EMAIL_EXISTS"), (B.upper(), "EMAIL_EXISTS")])
def test_new_addresses_that_are_refused(project, new, message, private):
    """Anybody's counts as taken, one's own too."""
    if private:
        project.configure("emailPrivacyConfig", **PRIVATE)
    session = project.sign_up(A)
    project.make(email=B)
    body = {"requestType": "VERIFY_AND_CHANGE_EMAIL",
            **({} if new is None else {"newEmail": new})}
    assert project.error("sendOobCode", {**body, "idToken": session["idToken"]}) == message
    assert project.admin_error("/accounts:sendOobCode", {
        **body, "email": A, "returnOobLink": True}) == message
    assert project.pending() == []


# MARK: 5, lines

def test_what_is_printed():
    """Every code that is mailed, and nothing of those that an administrator takes."""
    server = Server()
    try:
        project = Codes(server)
        session = project.sign_up(A)
        links = {}
        for kind in MODES:
            project.call("sendOobCode", {
                "requestType": kind, "email": A, "newEmail": B, "idToken": session["idToken"],
                "canHandleCodeInApp": True})
            links[kind] = project.pending()[-1]["oobLink"]
        silent = [project.oob(kind, newEmail=B) for kind in MODES]
        project.call("update", {"idToken": session["idToken"], "email": C})
        links["RECOVER_EMAIL"] = project.pending()[-1]["oobLink"]
    finally:
        server.stop()
    text = "\n".join(server.lines)
    for line in [
            f"To sign in as {A}, follow this link: {links['EMAIL_SIGNIN']}",
            f"To reset the password for {A}, follow this link: "
            f"{links['PASSWORD_RESET']}&newPassword=NEW_PASSWORD_HERE",
            f"To verify the email address {A}, follow this link: {links['VERIFY_EMAIL']}",
            f"To verify and change the email address from {A} to {B}, follow this link: "
            f"{links['VERIFY_AND_CHANGE_EMAIL']}",
            f"To reset your email address to {A}, follow this link: {links['RECOVER_EMAIL']}"]:
        assert sum(one.endswith(line) for one in server.lines) == 1, line
    assert not any(code in text for code in silent)
    assert text.count("canHandleCodeInApp") == len(MODES)


# MARK: 2.4, inspecting a code

RESETS = pytest.mark.parametrize(
    "path", [V1 + "resetPassword", V3 + "resetPassword"], ids=["v1", "v3"])


@RESETS
@pytest.mark.parametrize("more", [{}, {"newPassword": ""}], ids=["absent", "empty"])
@pytest.mark.parametrize("kind, shown", [
    ("PASSWORD_RESET", {"email": A}), ("VERIFY_EMAIL", {"email": A}), ("EMAIL_SIGNIN", {}),
    ("VERIFY_AND_CHANGE_EMAIL", {"email": A, "newEmail": B})])
def test_inspecting(project, path, kind, shown, more):
    """Any type; nothing is consumed."""
    project.make(email=A)
    code = project.oob(kind, newEmail=B)
    for _ in range(2):
        assert project.post(path, {"oobCode": code, **more}) == {
            "kind": "identitytoolkit#ResetPasswordResponse", "requestType": kind, **shown}
    assert [one["oobCode"] for one in project.pending()] == [code]


def test_inspecting_a_code_that_recovers(project):
    session = project.sign_up(A)
    project.call("update", {"idToken": session["idToken"], "email": B})
    [record] = project.pending()
    assert project.call("resetPassword", {"oobCode": record["oobCode"]}) == {
        "kind": "identitytoolkit#ResetPasswordResponse", "requestType": "RECOVER_EMAIL",
        "email": A}
    assert project.pending() == [record]


@pytest.mark.parametrize("gone", ["deleted", "cleared", "changed"])
def test_inspecting_does_not_look_at_the_user(project, gone):
    """Codes outlive accounts."""
    uid = project.make(email=A)
    code = project.oob("PASSWORD_RESET")
    leave(project, uid, gone)
    assert project.call("resetPassword", {"oobCode": code})["email"] == A
    assert project.error("resetPassword", {
        "oobCode": code, "newPassword": "secret2"}) == "INVALID_OOB_CODE"
    assert code not in [one["oobCode"] for one in project.pending()]
    assert project.error("resetPassword", {"oobCode": code}) == "INVALID_OOB_CODE"


def leave(project, uid: str, way: str) -> None:
    if way == "deleted":
        project.admin("/accounts:delete", {"localId": uid})
    elif way == "cleared":
        project.request("DELETE", f"{project.control}/accounts")
    else:
        project.admin("/accounts:update", {"localId": uid, "email": C})


# MARK: 2.4, resetting a password

@RESETS
@pytest.mark.parametrize("user", [
    {"password": "secret1"}, {"disabled": True}, {"password": "secret1", "disabled": True},
    {"emailVerified": True}, {"phoneNumber": PHONE}, {}],
    ids=["plain", "disabled without password", "disabled", "verified", "phone", "bare"])
def test_resetting(project, path, user):
    """A new hash, a verified address; no tokens, no sign-in."""
    uid = project.make(email=A, **user)
    before = project.user(uid)
    code = project.oob("PASSWORD_RESET")
    project.advance("PT10M")
    now = freeze(project)
    answer = project.post(path, {"oobCode": code, "newPassword": "Secret 2"})
    assert answer == {"kind": "identitytoolkit#ResetPasswordResponse",
                      "requestType": "PASSWORD_RESET", "email": A}
    after = project.user(uid)
    assert after["emailVerified"] is True
    assert after["passwordUpdatedAt"] == now and type(after["passwordUpdatedAt"]) is int
    assert after["validSince"] == str(now // 1000)
    assert after["passwordHash"] != before.get("passwordHash")
    assert after["salt"] != before.get("salt")
    providers = {entry["providerId"] for entry in after["providerUserInfo"]}
    assert providers == {"password"} | ({"phone"} if "phoneNumber" in user else set())
    changed = {"emailVerified", "passwordUpdatedAt", "validSince", "passwordHash", "salt",
               "providerUserInfo"}
    assert {n: v for n, v in after.items() if n not in changed} == {
        n: v for n, v in before.items() if n not in changed}
    assert project.pending() == []
    if not user.get("disabled"):
        assert project.sign_in(A, password="Secret 2")["localId"] == uid
        assert project.error("signInWithPassword", {
            "email": A, "password": "secret1"}) == "INVALID_PASSWORD"


def test_resetting_ends_older_tokens(project):
    session = project.sign_up(A)
    code = project.oob("PASSWORD_RESET")
    project.advance("PT1M")
    project.call("resetPassword", {"oobCode": code, "newPassword": "secret2"})
    assert project.error("lookup", {"idToken": session["idToken"]}) == "TOKEN_EXPIRED"


def test_a_token_of_the_same_second_goes_on(project):
    """`iat` equal to `validSince` passes."""
    freeze(project)
    session = project.sign_up(A)
    project.call("resetPassword", {
        "oobCode": project.oob("PASSWORD_RESET"), "newPassword": "secret2"})
    project.call("lookup", {"idToken": session["idToken"]})


@pytest.mark.parametrize("kind", [float, str, lambda time: time + 0.25])
def test_the_time_of_a_token_is_any_number(project, kind):
    uid = project.make(email=A, password="secret1")
    since = int(project.user(uid)["validSince"])
    claims = {"user_id": uid, "firebase": {"sign_in_provider": "password"}}
    project.call("lookup", {"idToken": unsigned(claims | {"iat": kind(since)})})
    for bad in ({"iat": kind(since - 1)}, {"iat": "now"}, {"iat": None}, {}):
        assert project.error("lookup", {"idToken": unsigned(claims | bad)}) == "TOKEN_EXPIRED"


def test_resetting_unlinks_providers(project):
    """The entries for password and phone stay, and nobody is found by the others."""
    uid = project.make(email=A, password="secret1", phoneNumber=PHONE)
    for provider in ("google.com", "apple.com"):
        project.admin("/accounts:update", {"localId": uid, "linkProviderUserInfo": {
            "providerId": provider, "rawId": "1", "email": A}})
    assert len(project.user(uid)["providerUserInfo"]) == 4
    project.call("resetPassword", {
        "oobCode": project.oob("PASSWORD_RESET"), "newPassword": "secret2"})
    entries = {entry["providerId"]: entry for entry in project.user(uid)["providerUserInfo"]}
    assert entries == {
        "password": {"providerId": "password", "email": A, "federatedId": A, "rawId": A},
        "phone": {"providerId": "phone", "phoneNumber": PHONE, "rawId": PHONE}}
    assert "users" not in project.admin("/accounts:lookup", {
        "federatedUserId": [{"providerId": "google.com", "rawId": "1"}]})


def test_a_code_goes_with_its_address(project):
    """Who has the address now is meant."""
    first = project.make(email=A)
    code = project.oob("PASSWORD_RESET")
    project.admin("/accounts:delete", {"localId": first})
    second = project.make(email=A)
    project.call("resetPassword", {"oobCode": code, "newPassword": "secret2"})
    assert project.sign_in(A, password="secret2")["localId"] == second


@pytest.mark.parametrize("kind", ["VERIFY_EMAIL", "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL"])
@pytest.mark.parametrize("password", ["secret2", "short"])
def test_other_codes_do_not_reset(project, kind, password):
    """The type is looked at before the password, and the code is kept."""
    uid = project.make(email=A, password="secret1")
    before = project.user(uid)
    code = project.oob(kind, newEmail=B)
    assert project.error("resetPassword", {
        "oobCode": code, "newPassword": password}) == "INVALID_OOB_CODE"
    assert [one["oobCode"] for one in project.pending()] == [code]
    assert project.user(uid) == before


def test_a_code_that_recovers_does_not_reset(project):
    session = project.sign_up(A)
    project.call("update", {"idToken": session["idToken"], "email": B})
    [record] = project.pending()
    assert project.error("resetPassword", {
        "oobCode": record["oobCode"], "newPassword": "secret2"}) == "INVALID_OOB_CODE"
    assert project.pending() == [record]


@pytest.mark.parametrize("password", ["x", "short", "\U0001f600\U0001f600a"])
def test_a_code_survives_a_weak_password(project, password):
    project.make(email=A)
    code = project.oob("PASSWORD_RESET")
    assert project.error("resetPassword", {"oobCode": code, "newPassword": password}) == WEAK
    project.call("resetPassword", {"oobCode": code, "newPassword": "\U0001f600" * 3})


@pytest.mark.parametrize("body, message", [
    ({}, "MISSING_OOB_CODE"), ({"oobCode": ""}, "MISSING_OOB_CODE"),
    ({"oobCode": "", "newPassword": "secret2"}, "MISSING_OOB_CODE"),
    ({"newPassword": "short"}, "MISSING_OOB_CODE"),
    ({"email": A, "oldPassword": "secret1", "newPassword": "secret2"}, "MISSING_OOB_CODE"),
    ({"oobCode": "x"}, "INVALID_OOB_CODE"),
    ({"oobCode": "x", "newPassword": "short"}, "INVALID_OOB_CODE"),
    ({"oobCode": 12, "newPassword": "secret2"}, "INVALID_OOB_CODE"),
])
def test_resets_that_are_refused(project, body, message):
    """The form with the old password is unsupported."""
    project.make(email=A, password="secret1")
    assert project.error("resetPassword", body) == message
    project.sign_in(A)


def test_what_has_no_effect_on_a_reset(project):
    project.make(email=A, password="secret1")
    project.make(email=B, password="secret1")
    project.call("resetPassword", {
        "oobCode": project.oob("PASSWORD_RESET"), "newPassword": "secret2", "email": B,
        "oldPassword": "wrong one"})
    project.sign_in(A, password="secret2")
    project.sign_in(B)


def test_an_administrator_resets_as_everybody(project):
    project.make(email=A)
    answer = project.owner("POST", V1 + "resetPassword", json={
        "oobCode": project.oob("PASSWORD_RESET"), "newPassword": "secret2",
        "targetProjectId": project.id})
    assert answer["requestType"] == "PASSWORD_RESET"


def test_codes_of_a_tenant_are_its_own(project):
    tenant = project.tenant(**OPEN)
    project.make(email=A, tenant=tenant)
    project.make(email=A)
    code = project.oob("PASSWORD_RESET", tenant=tenant)
    assert project.error("resetPassword", {"oobCode": code}) == "INVALID_OOB_CODE"
    project.call("resetPassword", {
        "oobCode": code, "newPassword": "secret2", "tenantId": tenant})
    project.sign_in(A, password="secret2", tenantId=tenant)


@pytest.mark.parametrize("kind", ["PASSWORD_RESET", "EMAIL_SIGNIN", "VERIFY_EMAIL"])
def test_a_code_is_used_once(project, kind):
    project.make(email=A)
    code = project.oob(kind)
    verb, body = {
        "PASSWORD_RESET": ("resetPassword", {"newPassword": "secret2"}),
        "EMAIL_SIGNIN": ("signInWithEmailLink", {"email": A}), "VERIFY_EMAIL": ("update", {}),
    }[kind]
    project.call(verb, {"oobCode": code, **body})
    assert project.error(verb, {"oobCode": code, **body}) == "INVALID_OOB_CODE"
    assert project.error("resetPassword", {"oobCode": code}) == "INVALID_OOB_CODE"


# MARK: 2.5, signing in with a link

LINKS = pytest.mark.parametrize(
    "path", [V1 + "signInWithEmailLink", V3 + "emailLinkSignin"], ids=["v1", "v3"])
LINK_ANSWER = {"kind", "email", "localId", "isNewUser"}


@LINKS
@pytest.mark.parametrize("email", [A, A.upper()])
@pytest.mark.parametrize("more", [{}, {"idToken": ""}], ids=["absent", "empty"])
def test_a_link_makes_a_user(project, path, email, more):
    now = freeze(project)
    answer = project.post(path, {
        "email": email, "oobCode": project.oob("EMAIL_SIGNIN"), **more})
    assert answer.keys() == LINK_ANSWER | TOKENS
    assert answer["kind"] == "identitytoolkit#EmailLinkSigninResponse"
    assert answer["email"] == A and answer["isNewUser"] is True
    assert re.fullmatch(r"[A-Za-z0-9]{28}", answer["localId"])
    content = token_block(answer)
    assert content["firebase"] == {
        "identities": {"email": [A]}, "sign_in_provider": "password"}
    assert content["email_verified"] is True and "provider_id" not in content
    record = project.user(answer["localId"])
    assert record == {
        "localId": answer["localId"], "email": A, "emailVerified": True, "emailLinkSignin": True,
        "createdAt": str(now), "lastLoginAt": str(now), "lastRefreshAt": record["lastRefreshAt"],
        "providerUserInfo": [
            {"providerId": "password", "email": A, "federatedId": A, "rawId": A}]}
    assert project.pending() == []


@LINKS
@pytest.mark.parametrize("user", [
    {"password": "secret1"}, {}, {"password": "secret1", "displayName": "Ann", "photoUrl": "u"}],
    ids=["plain", "without password", "profile"])
def test_a_link_for_a_user(project, path, user):
    """`validSince`, the password and the profile stay."""
    uid = project.make(email=A, **user)
    before = project.user(uid)
    project.advance("PT1H")
    now = freeze(project)
    answer = project.post(path, {"email": A, "oobCode": project.oob("EMAIL_SIGNIN")})
    assert answer.keys() == LINK_ANSWER | TOKENS
    assert (answer["localId"], answer["isNewUser"]) == (uid, False)
    after = project.user(uid)
    same_time(after, "lastLoginAt", now)
    assert (after["emailVerified"], after["emailLinkSignin"]) == (True, True)
    changed = {"lastLoginAt", "lastRefreshAt", "emailVerified", "emailLinkSignin",
               "providerUserInfo"}
    assert {n: v for n, v in after.items() if n not in changed} == {
        n: v for n, v in before.items() if n not in changed}
    assert [entry["providerId"] for entry in after["providerUserInfo"]] == ["password"]


@LINKS
@pytest.mark.parametrize("password", [True, False], ids=["password", "anonymous"])
def test_a_link_replaces_the_address_of_the_tokens_user(project, path, password):
    """Without an initial address, and without a code to recover it."""
    session = project.sign_up(B) if password else project.call("signUp", {})
    before = project.user(session["localId"])
    code = project.oob("EMAIL_SIGNIN")
    project.advance("PT10M")
    answer = project.post(path, {
        "email": A, "oobCode": code, "idToken": session["idToken"]})
    assert (answer["localId"], answer["isNewUser"]) == (session["localId"], False)
    assert answer["email"] == A
    assert token_block(answer)["firebase"]["sign_in_provider"] == "password"
    [record] = project.users()
    assert record["email"] == A and record["emailVerified"] is True
    assert "initialEmail" not in record
    assert record.get("validSince") == before.get("validSince")
    assert record["createdAt"] == before["createdAt"]
    assert project.pending() == [] and project.messages() == []
    project.call("lookup", {"idToken": session["idToken"]})


def test_a_link_for_the_tokens_own_address(project):
    session = project.sign_up(A)
    answer = project.call("signInWithEmailLink", {
        "email": A, "oobCode": project.oob("EMAIL_SIGNIN"), "idToken": session["idToken"]})
    assert (answer["localId"], answer["isNewUser"]) == (session["localId"], False)


@pytest.mark.parametrize("token_of", ["anonymous", "password"])
def test_a_link_for_somebody_elses_address(project, token_of):
    """The code is gone."""
    project.make(email=A)
    session = project.call("signUp", {}) if token_of == "anonymous" else project.sign_up(B)
    code = project.oob("EMAIL_SIGNIN")
    body = {"email": A, "oobCode": code, "idToken": session["idToken"]}
    assert project.error("signInWithEmailLink", body) == "EMAIL_EXISTS"
    assert project.pending() == []
    assert project.error("signInWithEmailLink", body) == "INVALID_OOB_CODE"


def test_somebody_elses_address_comes_before_their_being_disabled(project):
    """It is the token's user who must not be disabled."""
    project.make(email=A, disabled=True)
    session = project.call("signUp", {})
    assert project.error("signInWithEmailLink", {
        "email": A, "oobCode": project.oob("EMAIL_SIGNIN"),
        "idToken": session["idToken"]}) == "EMAIL_EXISTS"


def test_a_link_for_a_disabled_user(project):
    """The code is gone, the user unchanged."""
    uid = project.make(email=A, disabled=True)
    before = project.user(uid)
    body = {"email": A, "oobCode": project.oob("EMAIL_SIGNIN")}
    assert project.error("signInWithEmailLink", body) == "USER_DISABLED"
    assert project.error("signInWithEmailLink", body) == "INVALID_OOB_CODE"
    assert project.user(uid) == before


def test_a_link_with_the_token_of_a_disabled_user(project):
    """The token is looked at first, and the code is kept."""
    uid = project.make(email=B, disabled=True)
    code = project.oob("EMAIL_SIGNIN")
    assert project.error("signInWithEmailLink", {
        "email": A, "oobCode": code, "idToken": token(uid)}) == "USER_DISABLED"
    assert [one["oobCode"] for one in project.pending()] == [code]


@pytest.mark.parametrize("body, message", [
    ({}, "MISSING_EMAIL"), ({"email": ""}, "MISSING_EMAIL"), ({"oobCode": "x"}, "MISSING_EMAIL"),
    ({"email": A}, "MISSING_OOB_CODE"), ({"email": A, "oobCode": ""}, "MISSING_OOB_CODE"),
    ({"email": "x"}, "MISSING_OOB_CODE"), ({"email": A, "oobCode": "x"}, "INVALID_OOB_CODE"),
    ({"email": "x", "oobCode": "x"}, "INVALID_OOB_CODE"),
    ({"idToken": "x"}, "INVALID_ID_TOKEN"), ({"email": A, "idToken": "x"}, "INVALID_ID_TOKEN"),
])
def test_links_that_are_refused(project, body, message):
    assert project.error("signInWithEmailLink", body) == message


@pytest.mark.parametrize("kind", ["PASSWORD_RESET", "VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"])
@pytest.mark.parametrize("email", [A, B])
def test_other_codes_do_not_sign_in(project, kind, email):
    """The type is looked at before the address, and the code is kept."""
    project.make(email=A)
    code = project.oob(kind, newEmail=B)
    assert project.error("signInWithEmailLink", {
        "email": email, "oobCode": code}) == "INVALID_OOB_CODE"
    assert [one["oobCode"] for one in project.pending()] == [code]


@pytest.mark.parametrize("email", [B, "x", "a@example.co", f" {A}", f"{A} "])
def test_a_link_for_another_address(project, email):
    """The code is kept."""
    code = project.oob("EMAIL_SIGNIN")
    assert project.error("signInWithEmailLink", {"email": email, "oobCode": code}) == MISMATCH
    assert project.call("signInWithEmailLink", {"email": A, "oobCode": code})["isNewUser"]


def test_a_link_for_an_address_that_only_looks_alike(project):
    code = project.oob("EMAIL_SIGNIN", "\u00e4@example.com")
    assert project.error("signInWithEmailLink", {
        "email": "a\u0308@example.com", "oobCode": code}) == MISMATCH


def test_a_link_to_what_is_no_address(project):
    """Neither step looks at its form."""
    answer = project.call("signInWithEmailLink", {
        "email": "NoBody", "oobCode": project.oob("EMAIL_SIGNIN", "nobody")})
    assert answer["email"] == "nobody" and answer["isNewUser"] is True


@LINKS
@pytest.mark.parametrize("with_token", [False, True], ids=["address", "token"])
def test_a_link_of_a_user_with_a_second_factor(project, path, with_token):
    """The address is changed and verified, but nobody has signed in yet."""
    session = project.sign_up(B if with_token else A, mfaInfo=[
        {"phoneInfo": PHONE, "displayName": "Mine"}])
    before = project.user(session["localId"])
    code = project.oob("EMAIL_SIGNIN")
    project.advance("PT10M")
    body = {"email": A, "oobCode": code}
    if with_token:
        body["idToken"] = session["idToken"]
    answer = project.post(path, body)
    assert answer.keys() == LINK_ANSWER | {"mfaPendingCredential", "mfaInfo"}
    assert (answer["localId"], answer["email"]) == (session["localId"], A)
    assert answer["isNewUser"] is False
    [factor] = answer["mfaInfo"]
    assert factor["phoneInfo"] == "+*******0100" and factor["displayName"] == "Mine"
    assert factor["mfaEnrollmentId"] == before["mfaInfo"][0]["mfaEnrollmentId"]
    content = json.loads(base64.b64decode(answer["mfaPendingCredential"], validate=True))
    assert content["_AuthEmulatorMfaPendingCredential"]
    assert (content["localId"], content["signInProvider"], content["projectId"]) == (
        session["localId"], "password", project.id)
    after = project.user(session["localId"])
    assert (after["email"], after["emailVerified"], after["emailLinkSignin"]) == (A, True, True)
    for name in ("lastLoginAt", "lastRefreshAt", "validSince"):
        assert after[name] == before[name]


def test_a_tenant_without_second_factors_does_not_ask(project):
    tenant = project.tenant(**OPEN, mfaConfig={"state": "DISABLED"})
    project.sign_up(A, tenantId=tenant, mfaInfo=[{"phoneInfo": PHONE}])
    code = project.oob("EMAIL_SIGNIN", tenant=tenant)
    answer = project.call("signInWithEmailLink", {
        "email": A, "oobCode": code, "tenantId": tenant})
    assert TOKENS <= answer.keys()


def test_a_link_of_a_tenant(project):
    tenant = project.tenant(**OPEN)
    code = project.oob("EMAIL_SIGNIN", tenant=tenant)
    body = {"email": A, "oobCode": code}
    assert project.error("signInWithEmailLink", body) == "INVALID_OOB_CODE"
    answer = project.call("signInWithEmailLink", {**body, "tenantId": tenant})
    assert claims(answer)["firebase"]["tenant"] == tenant
    assert project.user(answer["localId"], tenant=tenant)["tenantId"] == tenant
    assert project.users() == []


def test_an_anonymous_user_keeps_their_id(project):
    """With a token that is older than the last sign-in elsewhere."""
    session = project.call("signUp", {})
    answer = project.call("signInWithEmailLink", {
        "email": A, "oobCode": project.oob("EMAIL_SIGNIN"), "idToken": fresh(session)})
    assert answer["localId"] == session["localId"]


def test_the_owner_signs_in_as_everybody(project):
    token_block(project.owner("POST", V1 + "signInWithEmailLink", json={
        "email": A, "oobCode": project.oob("EMAIL_SIGNIN"), "targetProjectId": project.id}))
