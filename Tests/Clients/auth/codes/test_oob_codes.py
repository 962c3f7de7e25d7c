"""Out-of-band codes: request types, records, links, and what each type requires."""

import re
import urllib.parse
import uuid

import pytest
from support.auth.codes import Codes, project, token  # noqa: F401
from support.auth.project import check_error
from support.auth.sign_up import hearth  # noqa: F401
from support.server import PROJECT, Server
from support.wire import V1, V3

OPEN = {"allowPasswordSignup": True, "enableEmailLinkSignin": True, "enableAnonymousUser": True}
PRIVATE = {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": True}}
A, B, C = "a@example.com", "b@example.com", "c@example.com"
KIND = "identitytoolkit#GetOobConfirmationCodeResponse"
BAD_URL = "INVALID_CONTINUE_URI : ((expected an absolute URI with valid scheme and host))"
PATHS = pytest.mark.parametrize(
    "path", [V1 + "sendOobCode", V3 + "getOobConfirmationCode"], ids=["v1", "v3"]
)
MODES = {
    "EMAIL_SIGNIN": "signIn",
    "PASSWORD_RESET": "resetPassword",
    "VERIFY_EMAIL": "verifyEmail",
    "VERIFY_AND_CHANGE_EMAIL": "verifyAndChangeEmail",
}
TYPES = [
    "OOB_REQ_TYPE_UNSPECIFIED",
    "PASSWORD_RESET",
    "OLD_EMAIL_AGREE",
    "NEW_EMAIL_ACCEPT",
    "VERIFY_EMAIL",
    "RECOVER_EMAIL",
    "EMAIL_SIGNIN",
    "VERIFY_AND_CHANGE_EMAIL",
    "REVERT_SECOND_FACTOR_ADDITION",
]
UNBUILT = ["RECOVER_EMAIL", "OLD_EMAIL_AGREE", "NEW_EMAIL_ACCEPT", "REVERT_SECOND_FACTOR_ADDITION"]


# MARK: Request types


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
def test_unknown_request_types(project, value):
    error = project.call("sendOobCode", {"requestType": value, "email": A}, 400)["error"]
    assert error["status"] == "INVALID_ARGUMENT"
    assert error["message"] == (
        "Invalid JSON payload received. /requestType must be equal to one of the allowed values"
    )


@pytest.mark.parametrize("value", [True, None, [1], {}])
def test_request_types_of_another_type(project, value):
    error = project.call("sendOobCode", {"requestType": value, "email": A}, 400)["error"]
    assert error["message"] == "Invalid JSON payload received. /requestType must be string"


def test_without_a_request_type(project):
    error = project.call("sendOobCode", {"email": A}, 400)["error"]
    assert error["message"] == "MISSING_REQ_TYPE" and "status" not in error


# MARK: Answers and records


def sent(project, kind: str, admin: bool, tenant=None, **more) -> dict:
    body = {"requestType": kind, "email": A.upper(), **more}
    if admin:
        return project.admin(
            "/accounts:sendOobCode", {**body, "returnOobLink": True}, tenant=tenant
        )
    return project.call("sendOobCode", {**body, **({"tenantId": tenant} if tenant else {})})


@pytest.mark.parametrize("tenant", [False, True], ids=["project", "tenant"])
@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize("kind", MODES)
def test_the_answer_and_the_record(project, kind, admin, tenant):
    """One record comes to be, and its link goes to administrators who ask; else it is sent."""
    scope = project.tenant(**OPEN) if tenant else None
    uid = project.make(email=A, password="secret1", tenant=scope)
    more = {} if kind != "VERIFY_AND_CHANGE_EMAIL" else {"newEmail": B.upper()}
    if not admin and kind.startswith("VERIFY"):
        more["idToken"] = token(uid, **({"tenant": scope} if scope else {}))
    answer = sent(project, kind, admin, scope, **more)
    [record] = project.pending(scope)
    new_email = {"newEmail": B} if "newEmail" in more else {}
    assert record == {
        "email": A,
        "requestType": kind,
        "oobCode": record["oobCode"],
        "oobLink": record["oobLink"],
        **new_email,
    }
    assert re.fullmatch(r"[A-Za-z0-9_-]{54}", record["oobCode"])
    shown = {name: record[name] for name in ("oobCode", "oobLink")} if admin else {}
    assert answer == {"kind": KIND, "email": A, **shown}
    messages = project.messages()
    assert [message["oobCode"] for message in messages] == [record["oobCode"]]
    assert messages[0]["delivery"] == {"state": "notSent" if admin else "delivered"}
    if scope:
        assert project.pending() == []


@PATHS
def test_an_administrator_without_a_link_is_answered_as_a_user(project, path):
    project.make(email=A)
    for more in ({}, {"returnOobLink": False}):
        assert project.owner(
            "POST",
            path,
            json={
                "requestType": "PASSWORD_RESET",
                "email": A,
                "targetProjectId": project.id,
                **more,
            },
        ) == {"kind": KIND, "email": A}
    assert len(project.messages()) == 2


@PATHS
def test_a_link_is_for_administrators(project, path):
    project.make(email=A)
    for kind in TYPES[1:]:
        assert project.post(path, {"requestType": kind, "email": A, "returnOobLink": True}, 400)[
            "error"
        ]["message"] == ("INSUFFICIENT_PERMISSION")
    assert project.pending() == []
    project.post(path, {"requestType": "PASSWORD_RESET", "email": A, "returnOobLink": False})


IGNORED = {
    "androidInstallApp": True,
    "androidMinimumVersion": "1",
    "androidPackageName": "p",
    "iOSAppStoreId": "1",
    "iOSBundleId": "b",
    "dynamicLinkDomain": "x",
    "linkDomain": "x",
    "captchaResp": "x",
    "challenge": "x",
    "clientType": "CLIENT_TYPE_ANDROID",
    "recaptchaVersion": "RECAPTCHA_ENTERPRISE",
    "userIp": "127.0.0.1",
    "canHandleCodeInApp": True,
}


def test_what_has_no_effect_on_a_code(project):
    project.make(email=A)
    plain = project.link("PASSWORD_RESET")
    other = project.link("PASSWORD_RESET", **IGNORED)
    assert other.keys() == plain.keys()
    assert other["oobLink"].replace(other["oobCode"], "") == plain["oobLink"].replace(
        plain["oobCode"], ""
    )


@pytest.mark.parametrize("name", IGNORED)
def test_what_has_no_effect_must_have_its_type(project, name):
    error = project.call("sendOobCode", {"requestType": 1, "email": A, name: {}}, 400)["error"]
    assert error["status"] == "INVALID_ARGUMENT"
    assert error["message"].startswith("Invalid JSON payload received. /")


def test_several_codes_are_listed_in_order(project):
    """A new one does not end the older ones, and redeeming one leaves the others."""
    project.make(email=A, password="secret1")
    codes = [project.oob("PASSWORD_RESET") for _ in range(3)]
    assert [one["oobCode"] for one in project.pending()] == codes
    for number, code in enumerate(codes):
        assert [one["oobCode"] for one in project.pending()] == codes[number:]
        project.call("resetPassword", {"oobCode": code, "newPassword": f"secret{number + 2}"})
    assert project.pending() == []


# MARK: Links


@pytest.mark.parametrize("kind", MODES)
def test_the_link(hearth, kind):  # noqa: F811
    """The parameters have this order; the language is always English."""
    project, email = Codes(hearth, PROJECT), f"{uuid.uuid4().hex}@example.com"
    project.make(email=email)
    more = {"newEmail": f"new-{email}"} if kind == "VERIFY_AND_CHANGE_EMAIL" else {}
    answer = project.owner(
        "POST",
        f"{project.v1}/accounts:sendOobCode",
        json={"requestType": kind, "email": email, "returnOobLink": True, **more},
    )
    assert answer["oobLink"] == (
        f"{hearth.auth}/emulator/action?mode={MODES[kind]}&lang=en&oobCode={answer['oobCode']}"
        "&apiKey=fake-api-key"
    )


@pytest.mark.parametrize(
    "url, encoded",
    [
        ("http://localhost/a b?x=1&y=2#z", "http%3A%2F%2Flocalhost%2Fa+b%3Fx%3D1%26y%3D2%23z"),
        ("http://localhost/~*-._!'()", "http%3A%2F%2Flocalhost%2F%7E*-._%21%27%28%29"),
        ("http://localhost/ü+€", "http%3A%2F%2Flocalhost%2F%C3%BC%2B%E2%82%AC"),
        ("http://localhost/%20%zz", "http%3A%2F%2Flocalhost%2F%2520%25zz"),
        ("mailto:x", "mailto%3Ax"),
        ("HTTP://LOCALHOST", "HTTP%3A%2F%2FLOCALHOST"),
    ],
    ids=["query", "signs", "letters", "percent", "mailto", "capitals"],
)
def test_the_continue_url_is_in_the_link(project, url, encoded):
    """Form-encoded, as it was given."""
    project.make(email=A)
    link = project.link("PASSWORD_RESET", continueUrl=url)["oobLink"]
    assert link.endswith(f"&continueUrl={encoded}")
    assert link.count("&") == 4


def test_the_tenant_is_in_the_link(project):
    tenant = "a b&c"
    project.make(email=A, tenant=urllib.parse.quote(tenant))
    answer = project.admin(
        "/accounts:sendOobCode",
        {
            "requestType": "PASSWORD_RESET",
            "email": A,
            "returnOobLink": True,
            "tenantId": tenant,
            "continueUrl": "http://localhost",
        },
    )
    assert answer["oobLink"].endswith("&continueUrl=http%3A%2F%2Flocalhost&tenantId=a+b%26c")


@pytest.mark.parametrize(
    "locale, lang",
    [
        (None, "en"),
        ("de", "de"),
        ("pt_BR", "pt_BR"),
        ("ar", "ar"),
        ("x&y=z", "en"),
        ("de,en", "de"),
    ],
)
def test_the_language_of_a_link_is_the_one_asked_for(project, locale, lang):
    project.make(email=A)
    project.request(
        "POST",
        V1 + "sendOobCode",
        params={"key": project.id},
        headers={"X-Firebase-Locale": locale} if locale else {},
        json={"requestType": "PASSWORD_RESET", "email": A},
    )
    [record] = project.pending()
    assert f"&lang={lang}&" in record["oobLink"]


URLS = [
    "http://localhost",
    "https://example.com/a?b=c#d",
    "mailto:x",
    "HTTP://EXAMPLE.COM",
    "http:example.com",
    "http:/example.com",
    "http:///example.com",
    " http://a ",
    "myapp://open",
    "myapp:",
    "a:b",
    "localhost:8080",
    "file:///x",
    "data:,x",
    "http://[::1]:80/",
    "http://a:65535",
    "http://a:",
    "http://u:p@a/",
    "http://a@b@c",
    "ftp://a",
    "http://a\\b",
    "http://ü.example",
    "http://a/ b",
    "x-y+z.1:q",
    "http://1.2.3.4",
    "http://a%41",
    "myapp:///a b",
    "myapp://a/b c",
    "http:\r\n//a",
]
# A WHATWG parser takes tabs and line ends out of a URL, at any position.
URLS_WITH_LINE_ENDS = ["ht\ntp://a"]
NO_URLS = [
    "x",
    "/path",
    "//host/path",
    "localhost",
    "1http://a",
    "-a:b",
    "a b:c",
    "://a",
    ":a",
    "?a:b",
    "#a:b",
    "a/b:c",
    "http:",
    "http://",
    "https://?x",
    "ws:",
    "http://a b/",
    "http://%",
    "http://%zz",
    "http://a<b",
    "http://a|b",
    "http://a^b",
    "http://%20",
    "http://a:b",
    "http://a:1:2",
    "http://a:99999",
    "http://user@",
    "http://user@/",
    "http://[::1",
    " ",
]
# Hosts that a WHATWG parser refuses on a closer look.
NO_HOSTS = [
    "http://[x]",
    "http://[::1]x",
    "http://[::1]:x",
    "http://[1:2:3:4:5:6:7:8:9]",
    "http://a%00b",
    "http://1.2.3.256",
    "http://1.2.3.4.5",
    "http://99999999999",
    "http://09",
    "http://\u0001a",
    "http://a\u007fb",
    "myapp://a b",
    "myapp://a<b",
    "myapp://host:port",
    "myapp://[x]",
    "file://a b",
]


def readable(texts: list[str]) -> list:
    return [pytest.param(text, id=ascii(text)[1:-1]) for text in texts]


@pytest.mark.parametrize("url", readable(URLS + URLS_WITH_LINE_ENDS))
def test_absolute_urls(project, url):
    """Any scheme will do."""
    assert (
        project.call(
            "sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": A, "continueUrl": url}
        )["email"]
        == A
    )


@pytest.mark.parametrize("url", readable(NO_URLS + NO_HOSTS))
def test_relative_urls(project, url):
    assert (
        project.error(
            "sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": A, "continueUrl": url}
        )
        == BAD_URL
    )
    assert project.pending() == []


def test_an_empty_url_counts_as_absent(project):
    project.make(email=A)
    assert "continueUrl" not in project.link("PASSWORD_RESET", continueUrl="")["oobLink"]


# MARK: Each type


@pytest.mark.parametrize("kind", ["EMAIL_SIGNIN", "PASSWORD_RESET"])
@pytest.mark.parametrize("given", ["x", "a.b.c", ""])
def test_a_token_that_is_not_needed(project, kind, given):
    project.make(email=A)
    assert (
        project.call(
            "sendOobCode", {"requestType": kind, "email": A, "idToken": given, "newEmail": "x"}
        )["email"]
        == A
    )


@pytest.mark.parametrize("kind", ["PASSWORD_RESET", "VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"])
def test_codes_of_a_tenant_that_allows_nothing(project, kind):
    """Only links to sign in with can be switched off."""
    tenant = project.tenant()
    project.make(email=A, tenant=tenant)
    assert project.link(kind, tenant=tenant, newEmail=B)["oobCode"]
    assert (
        project.admin_error(
            "/accounts:sendOobCode",
            {"requestType": "EMAIL_SIGNIN", "email": A, "returnOobLink": True},
            tenant=tenant,
        )
        == "OPERATION_NOT_ALLOWED"
    )


@pytest.mark.parametrize("kind", ["EMAIL_SIGNIN", "PASSWORD_RESET"])
def test_an_address_does_not_end_at_a_nul(project, kind):
    """A link for one address is not valid for another."""
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
        "kind": KIND,
        "email": email.lower(),
    }
    assert [one["email"] for one in project.pending()] == [email.lower()]
    assert project.users() == []


@pytest.mark.parametrize("private", [False, True], ids=["open", "private"])
@pytest.mark.parametrize(
    "kind, email",
    [
        ("EMAIL_SIGNIN", None),
        ("EMAIL_SIGNIN", ""),
        ("PASSWORD_RESET", None),
        ("PASSWORD_RESET", ""),
    ],
)
def test_without_an_address(project, kind, email, private):
    if private:
        project.configure("emailPrivacyConfig", **PRIVATE)
    body = {"requestType": kind, **({} if email is None else {"email": email})}
    assert project.error("sendOobCode", body) == "MISSING_EMAIL"
    assert project.admin_error("/accounts:sendOobCode", {**body, "returnOobLink": True}) == (
        "MISSING_EMAIL"
    )


@pytest.mark.parametrize(
    "user",
    [{"password": "secret1"}, {}, {"disabled": True}, {"password": "secret1", "disabled": True}],
    ids=["plain", "without password", "disabled without password", "disabled"],
)
def test_accounts_that_can_reset_a_password(project, user):
    project.make(email=A, **user)
    assert project.call("sendOobCode", {"requestType": "PASSWORD_RESET", "email": A.upper()}) == {
        "kind": KIND,
        "email": A,
    }
    assert len(project.pending()) == 1


@pytest.mark.parametrize("email, error", [(A, "EMAIL_NOT_FOUND"), ("x", "INVALID_EMAIL")])
@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
def test_resetting_the_password_of_an_unknown_user(project, admin, email, error):
    """An address without a form is refused as in production, a difference of ours."""
    body = {"requestType": "PASSWORD_RESET", "email": email.upper()}
    if admin:
        body["returnOobLink"] = True
        assert project.admin_error("/accounts:sendOobCode", body) == error
    else:
        assert project.error("sendOobCode", body) == error
    project.configure("emailPrivacyConfig", **PRIVATE)
    status = 200 if error == "EMAIL_NOT_FOUND" else 400
    answer = (
        project.admin("/accounts:sendOobCode", body, status)
        if admin
        else project.call("sendOobCode", body, status)
    )
    if status == 200:
        assert answer == {"kind": KIND, "email": email.lower()}
    assert project.pending() == [] and project.messages() == []


@pytest.mark.parametrize("private", [False, True], ids=["open", "private"])
@pytest.mark.parametrize("kind", ["VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"])
@pytest.mark.parametrize(
    "email, message",
    [
        (None, "MISSING_EMAIL"),
        ("", "MISSING_EMAIL"),
        (B, "USER_NOT_FOUND"),
        ("x", "USER_NOT_FOUND"),
    ],
)
def test_verifying_as_an_administrator(project, kind, email, message, private):
    """Enumeration protection does not change this. Only with a link, and without a token."""
    if private:
        project.configure("emailPrivacyConfig", **PRIVATE)
    project.make(email=A)
    body = {
        "requestType": kind,
        "returnOobLink": True,
        "newEmail": C,
        **({} if email is None else {"email": email}),
    }
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
        assert project.admin("/accounts:sendOobCode", {**body, "returnOobLink": True})["email"] == A
    assert {one["email"] for one in project.pending()} == {A}
    assert len(project.pending()) == 8


@pytest.mark.parametrize(
    "kind, given, message",
    [
        ("VERIFY_EMAIL", None, "INVALID_ID_TOKEN"),
        ("VERIFY_EMAIL", "", "INVALID_ID_TOKEN"),
        ("VERIFY_EMAIL", "x", "INVALID_ID_TOKEN"),
        ("VERIFY_AND_CHANGE_EMAIL", None, "MISSING_ID_TOKEN"),
        ("VERIFY_AND_CHANGE_EMAIL", "", "MISSING_ID_TOKEN"),
        ("VERIFY_AND_CHANGE_EMAIL", "x", "INVALID_ID_TOKEN"),
    ],
)
def test_verifying_without_a_good_token(project, kind, given, message):
    project.make(email=A)
    body = {
        "requestType": kind,
        "email": A,
        "newEmail": B,
        **({} if given is None else {"idToken": given}),
    }
    assert project.error("sendOobCode", body) == message


@pytest.mark.parametrize("kind", ["VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"])
def test_verifying_without_an_address_in_the_account(project, kind):
    session = project.call("signUp", {})
    assert (
        project.error(
            "sendOobCode",
            {"requestType": kind, "email": A, "newEmail": B, "idToken": session["idToken"]},
        )
        == "MISSING_EMAIL"
    )


@pytest.mark.parametrize("new", ["x", "@", "A@B@C"])
def test_a_malformed_new_address_is_refused(project, new):
    """As in production; the official emulator sends a code. Before the token is looked at."""
    session = project.sign_up(A)
    body = {"requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": new}
    for id_token in (session["idToken"], "x"):
        assert project.error("sendOobCode", {**body, "idToken": id_token}) == "INVALID_NEW_EMAIL"
    assert (
        project.admin_error("/accounts:sendOobCode", {**body, "email": A, "returnOobLink": True})
        == "INVALID_NEW_EMAIL"
    )
    assert project.pending() == []


@pytest.mark.parametrize("new", ["New@Example.com", "a@b"])
@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
def test_a_new_address_is_kept_in_lower_case(project, new, admin):
    session = project.sign_up(A)
    body = {"requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": new}
    if admin:
        answer = project.link("VERIFY_AND_CHANGE_EMAIL", newEmail=new)
    else:
        answer = project.call("sendOobCode", {**body, "idToken": session["idToken"]})
    assert answer["email"] == A and "newEmail" not in answer
    assert [one["newEmail"] for one in project.pending()] == [new.lower()]


@pytest.mark.parametrize("private", [False, True], ids=["open", "private"])
@pytest.mark.parametrize(
    "new, message",
    [
        (None, "MISSING_NEW_EMAIL"),
        ("", "MISSING_NEW_EMAIL"),
        (A, "EMAIL_EXISTS"),
        (B, "EMAIL_EXISTS"),
        (B.upper(), "EMAIL_EXISTS"),
    ],
)
def test_new_addresses_that_are_refused(project, new, message, private):
    """Anybody's counts as taken, one's own too."""
    if private:
        project.configure("emailPrivacyConfig", **PRIVATE)
    session = project.sign_up(A)
    project.make(email=B)
    body = {"requestType": "VERIFY_AND_CHANGE_EMAIL", **({} if new is None else {"newEmail": new})}
    assert project.error("sendOobCode", {**body, "idToken": session["idToken"]}) == message
    assert (
        project.admin_error("/accounts:sendOobCode", {**body, "email": A, "returnOobLink": True})
        == message
    )
    assert project.pending() == []


# MARK: Lines


def test_what_is_printed():
    """Every code that is mailed, and nothing of those that an administrator takes."""
    server = Server()
    try:
        # Nothing is printed of projects with random ids.
        project = Codes(server, "demo-shop")
        session = project.sign_up(A)
        links = {}
        for kind in MODES:
            project.call(
                "sendOobCode",
                {
                    "requestType": kind,
                    "email": A,
                    "newEmail": B,
                    "idToken": session["idToken"],
                    "canHandleCodeInApp": True,
                },
            )
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
        f"To reset your email address to {A}, follow this link: {links['RECOVER_EMAIL']}",
    ]:
        assert sum(one.endswith(line) for one in server.lines) == 1, line
    assert not any(code in text for code in silent)
    assert text.count("canHandleCodeInApp") == 1
