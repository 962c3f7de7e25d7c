"""The page that the links in emails open."""

import json
import urllib.parse
import uuid

import pytest
from support.auth.accounts import cases
from support.auth.projects import MODES, oob_codes
from support.auth.routes import error, hearth, http, plain, send  # noqa: F401
from support.server import PROJECT
from support.steering import Steered, guard, project  # noqa: F401

A, B = "a@example.com", "b@example.com"
WEAK = "WEAK_PASSWORD : Password should be at least 6 characters"
HOLDER = "NEW_PASSWORD_HERE"


# MARK: The action page


class Action:
    """The action page, and users of the default project, which is the one that it looks into."""

    def __init__(self, hearth, send):
        self.hearth, self.send = hearth, send
        self.project = Steered(hearth, PROJECT)

    def email(self) -> str:
        return f"{uuid.uuid4().hex}@example.com"

    def session(self, tenant: str | None = None, **more) -> dict:
        body = {"email": self.email(), "password": "secret1", **more}
        return self.hearth.accounts("signUp", body | ({"tenantId": tenant} if tenant else {}))

    def code(self, kind: str, email: str, tenant: str | None = None, **more) -> dict:
        scope = f"/tenants/{tenant}" if tenant else ""
        return self.hearth.admin(
            f"{scope}/accounts:sendOobCode",
            {"requestType": kind, "email": email, "returnOobLink": True, **more},
        )

    def recovery(self, tenant: str | None = None) -> tuple[str, str]:
        """A user who changed their address: the first one, and the code that brings it back."""
        session = self.session(tenant)
        self.hearth.accounts("update", {"idToken": session["idToken"], "email": self.email()})
        [code] = [
            code
            for code in oob_codes(self.project, tenant)
            if code["email"] == session["email"] and code["requestType"] == "RECOVER_EMAIL"
        ]
        return session["email"], code["oobCode"]

    def is_pending(self, code: str, tenant: str | None = None) -> bool:
        return code in {each["oobCode"] for each in oob_codes(self.project, tenant)}

    def user(self, uid: str, tenant: str | None = None) -> dict:
        return self.project.user(uid, tenant)

    def open(self, mode: str | None, code: str | None, key: str | None = "any", **more):
        query = {"mode": mode, "oobCode": code, "apiKey": key, **more}
        return self.send(
            "GET",
            "/emulator/action",
            params={name: value for name, value in query.items() if value is not None},
        )

    def answer(self, status: int, *query, **more) -> dict:
        """The value of `authEmulator`."""
        reply = self.open(*query, **more)
        assert reply.status_code == status, reply.text
        assert reply.headers["Content-Type"].startswith("application/json")
        assert reply.text.rstrip("\n") == json.dumps(reply.json(), indent=2, ensure_ascii=False)
        assert list(reply.json()) == ["authEmulator"]
        about = reply.json()["authEmulator"]
        assert all(type(text) is str and text for text in about.values())
        return about

    def redirect(self, *query, **more) -> str:
        reply = self.open(*query, **more)
        assert reply.status_code == 303, reply.text
        return reply.headers["Location"]


@pytest.fixture
def action(hearth, send):
    return Action(hearth, send)


@pytest.mark.parametrize("mode", [*MODES.values(), "x", "", None])
@pytest.mark.parametrize("code", ["code", "", None])
@pytest.mark.parametrize("key", ["", None])
def test_a_link_without_a_key(action, mode, code, key):
    """Even if something else is wrong; the page says what to append."""
    about = action.answer(400, mode, code, key)
    assert about.keys() == {"error", "instructions"}
    assert "&apiKey=" in about["instructions"]


@pytest.mark.parametrize("mode", [*MODES.values(), "x", "", None])
@pytest.mark.parametrize("code", ["", None])
def test_a_link_without_a_code(action, mode, code):
    about = action.answer(400, mode, code, continueUrl="http://localhost/")
    assert about.keys() == {"error", "instructions"}


@pytest.mark.parametrize(
    "mode",
    [
        "x",
        "",
        None,
        "VERIFY_EMAIL",
        "verifyemail",
        "signin",
        "resetPassword ",
        "revertSecondFactorAddition",
    ],
)
def test_a_link_without_a_good_mode(action, mode):
    about = action.answer(400, mode, "code", continueUrl="http://localhost/")
    assert about.keys() == {"error"}


@pytest.mark.parametrize("key", ["any", "AIzaSy-x", "fake-api-key", "0"])
@pytest.mark.parametrize("lang", [None, "en", "de", ""])
def test_any_key_and_any_language(action, key, lang):
    session = action.session()
    code = action.code("VERIFY_EMAIL", session["email"])["oobCode"]
    about = action.answer(200, "verifyEmail", code, key, lang=lang)
    assert about.keys() == {"success", "email"} and about["email"] == session["email"]


def test_the_link_itself(action):
    session = action.session()
    link = action.code("VERIFY_EMAIL", session["email"])["oobLink"]
    reply = action.send("GET", link.removeprefix(action.hearth.auth))
    assert reply.status_code == 200
    assert reply.json()["authEmulator"]["email"] == session["email"]


@pytest.mark.parametrize("tenant", [None, "t1"], ids=["project", "tenant"])
def test_verifying(action, tenant):
    session = action.session(tenant)
    code = action.code("VERIFY_EMAIL", session["email"], tenant)["oobCode"]
    about = action.answer(200, "verifyEmail", code, tenantId=tenant)
    assert about.keys() == {"success", "email"} and about["email"] == session["email"]
    assert action.user(session["localId"], tenant)["emailVerified"] is True
    assert not action.is_pending(code, tenant)
    about = action.answer(400, "verifyEmail", code, tenantId=tenant)
    assert about.keys() == {"error", "instructions"}


@pytest.mark.parametrize(
    "mode", ["verifyEmail", "verifyAndChangeEmail", "recoverEmail", "resetPassword"]
)
@pytest.mark.parametrize("tenant", [None, "other"], ids=["project", "other tenant"])
def test_the_tenant_picks_the_code(action, mode, tenant):
    """A tenant's code is unknown elsewhere."""
    session = action.session("t1")
    kind = next(kind for kind, name in MODES.items() if name == mode)
    if kind == "RECOVER_EMAIL":
        _, code = action.recovery("t1")
    else:
        more = {"newEmail": action.email()} if "CHANGE" in kind else {}
        code = action.code(kind, session["email"], "t1", **more)["oobCode"]
    about = action.answer(400, mode, code, tenantId=tenant, newPassword="secret2")
    assert about.keys() == {"error", "instructions"}
    assert action.is_pending(code, "t1")
    action.answer(200, mode, code, tenantId="t1", newPassword="secret2")


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost/",
        "https://app.example.com/path?a=b&c=%20d#part",
        "myapp://done",
        "http://localhost/?mode=x&oobCode=y",
        "/relative",
    ],
)
@pytest.mark.parametrize(
    "mode, kind",
    [
        ("verifyEmail", "VERIFY_EMAIL"),
        ("verifyEmail", "VERIFY_AND_CHANGE_EMAIL"),
        ("verifyAndChangeEmail", "VERIFY_AND_CHANGE_EMAIL"),
        ("verifyAndChangeEmail", "VERIFY_EMAIL"),
        ("resetPassword", "PASSWORD_RESET"),
    ],
)
def test_where_a_link_leads_on_to(action, url, mode, kind):
    """Verbatim, with nothing appended, when the code has been applied."""
    session, new = action.session(), action.email()
    more = {"newEmail": new} if "CHANGE" in kind else {}
    code = action.code(kind, session["email"], **more)["oobCode"]
    assert action.redirect(mode, code, continueUrl=url, newPassword="secret2") == url
    assert not action.is_pending(code)
    assert action.user(session["localId"])["emailVerified"] is True
    # The next time it does not work, and leads nowhere.
    about = action.answer(400, mode, code, continueUrl=url, newPassword="secret2")
    assert about.keys() == {"error", "instructions"}


@pytest.mark.parametrize("mode", ["verifyEmail", "verifyAndChangeEmail"])
def test_changing(action, mode):
    """Either mode applies the code; the text follows the mode."""
    session, new = action.session(), action.email()
    code = action.code("VERIFY_AND_CHANGE_EMAIL", session["email"], newEmail=new)["oobCode"]
    about = action.answer(200, mode, code)
    user = action.user(session["localId"])
    assert (user["email"], user["emailVerified"]) == (new, True)
    if mode == "verifyEmail":
        assert about.keys() == {"success", "email"} and about["email"] == new
    else:
        assert about.keys() == {"success", "newEmail"} and about["newEmail"] == new


def test_changing_with_a_code_that_verifies(action):
    """Without a new address to show."""
    session = action.session()
    code = action.code("VERIFY_EMAIL", session["email"])["oobCode"]
    assert action.answer(200, "verifyAndChangeEmail", code).keys() == {"success"}
    assert action.user(session["localId"])["emailVerified"] is True


@pytest.mark.parametrize("mode", ["verifyEmail", "verifyAndChangeEmail"])
@pytest.mark.parametrize("kind", ["unknown", "PASSWORD_RESET", "EMAIL_SIGNIN"])
@pytest.mark.parametrize("more", [{}, {"continueUrl": "http://localhost/"}], ids=["here", "there"])
def test_codes_that_do_not_verify(action, mode, kind, more):
    """They are kept."""
    session = action.session()
    code = "unknown" if kind == "unknown" else action.code(kind, session["email"])["oobCode"]
    assert action.answer(400, mode, code, **more).keys() == {"error", "instructions"}
    assert kind == "unknown" or action.is_pending(code)
    assert action.user(session["localId"])["emailVerified"] is False


@pytest.mark.parametrize("mode", ["verifyEmail", "verifyAndChangeEmail"])
def test_a_recovery_code_verifies_too(action, mode):
    """No mode is tied to a type."""
    email, code = action.recovery()
    about = action.answer(200, mode, code)
    assert about.keys() == ({"success", "email"} if mode == "verifyEmail" else {"success"})
    assert about.get("email") in (None, email)
    assert not action.is_pending(code)


@pytest.mark.parametrize("mode", ["verifyEmail", "verifyAndChangeEmail"])
@pytest.mark.parametrize("more", [{}, {"continueUrl": "http://localhost/"}], ids=["here", "there"])
def test_an_address_that_was_taken_meanwhile(action, mode, more):
    """The ordinary envelope."""
    session, new = action.session(), action.email()
    code = action.code("VERIFY_AND_CHANGE_EMAIL", session["email"], newEmail=new)["oobCode"]
    action.session(email=new)
    assert error(action.open(mode, code, **more), 400) == plain("EMAIL_EXISTS")
    assert action.user(session["localId"])["email"] == session["email"]


@pytest.mark.parametrize("mode", ["verifyEmail", "verifyAndChangeEmail", "resetPassword"])
def test_a_user_who_was_deleted(action, mode):
    """The code is as good as used."""
    session = action.session()
    kind = "PASSWORD_RESET" if mode == "resetPassword" else "VERIFY_EMAIL"
    code = action.code(kind, session["email"])["oobCode"]
    action.hearth.admin("/accounts:delete", {"localId": session["localId"]})
    reply = action.open(mode, code, newPassword="secret2")
    if mode == "resetPassword":
        assert error(reply, 400) == plain("INVALID_OOB_CODE")
    else:
        assert reply.status_code == 400
        assert reply.json()["authEmulator"].keys() == {"error", "instructions"}


@pytest.mark.parametrize("tenant", [None, "t1"], ids=["project", "tenant"])
@pytest.mark.parametrize("more", [{}, {"continueUrl": "http://localhost/"}], ids=["here", "there"])
def test_recovering(action, tenant, more):
    """continueUrl is ignored."""
    email, code = action.recovery(tenant)
    about = action.answer(200, "recoverEmail", code, tenantId=tenant, **more)
    assert about.keys() == {"success", "email"} and about["email"] == email
    scope = f"/tenants/{tenant}" if tenant else ""
    [user] = action.hearth.admin(f"{scope}/accounts:lookup", {"email": [email]})["users"]
    assert user["emailVerified"] is True
    assert not action.is_pending(code, tenant)
    about = action.answer(400, "recoverEmail", code, tenantId=tenant, **more)
    assert about.keys() == {"error", "instructions"}


@pytest.mark.parametrize(
    "kind", ["unknown", "PASSWORD_RESET", "EMAIL_SIGNIN", "VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"]
)
@pytest.mark.parametrize("more", [{}, {"continueUrl": "http://localhost/"}], ids=["here", "there"])
def test_codes_that_do_not_recover(action, kind, more):
    session = action.session()
    code = (
        "unknown"
        if kind == "unknown"
        else action.code(kind, session["email"], newEmail=action.email())["oobCode"]
    )
    assert action.answer(400, "recoverEmail", code, **more).keys() == {"error", "instructions"}
    assert kind == "unknown" or action.is_pending(code)


def test_recovering_an_address_that_is_taken(action):
    email, code = action.recovery()
    action.session(email=email)
    assert error(action.open("recoverEmail", code), 400) == plain("EMAIL_EXISTS")


@pytest.mark.parametrize("tenant", [None, "t1"], ids=["project", "tenant"])
def test_resetting(action, tenant):
    session = action.session(tenant)
    code = action.code("PASSWORD_RESET", session["email"], tenant)["oobCode"]
    about = action.answer(200, "resetPassword", code, tenantId=tenant, newPassword="secret2")
    assert about.keys() == {"success", "email"} and about["email"] == session["email"]
    body = {"email": session["email"], "password": "secret2"}
    action.hearth.accounts("signInWithPassword", body | ({"tenantId": tenant} if tenant else {}))
    assert not action.is_pending(code, tenant)


@pytest.mark.parametrize("password", [None, "", HOLDER])
@pytest.mark.parametrize("tenant", [None, "t1"], ids=["project", "tenant"])
@pytest.mark.parametrize("url", [None, "http://localhost/?a=b"], ids=["here", "there"])
def test_resetting_without_a_password(action, password, tenant, url):
    """Tells which address to open, and keeps the code; it never leads on."""
    session = action.session(tenant)
    made = action.code(
        "PASSWORD_RESET", session["email"], tenant, **({"continueUrl": url} if url else {})
    )
    about = action.answer(
        400,
        "resetPassword",
        made["oobCode"],
        tenantId=tenant,
        newPassword=password,
        continueUrl=url,
    )
    assert about.keys() == {"error", "instructions", "instructions2", "urlTemplate"}
    assert about["urlTemplate"] == f"{made['oobLink']}&newPassword={HOLDER}"
    assert action.is_pending(made["oobCode"], tenant)
    target = about["urlTemplate"].removeprefix(action.hearth.auth).replace(HOLDER, "secret2")
    assert action.send("GET", target).status_code == (303 if url else 200)


@pytest.mark.parametrize("password", ["short", "1", "\U0001f600\U0001f600"], ids=["5", "1", "4"])
@pytest.mark.parametrize("more", [{}, {"continueUrl": "http://localhost/"}], ids=["here", "there"])
def test_resetting_to_a_weak_password(action, password, more):
    """The ordinary envelope, and the code survives."""
    session = action.session()
    code = action.code("PASSWORD_RESET", session["email"])["oobCode"]
    reply = action.open("resetPassword", code, newPassword=password, **more)
    assert error(reply, 400) == plain(WEAK)
    assert action.is_pending(code)
    action.hearth.accounts("signInWithPassword", {"email": session["email"], "password": "secret1"})


@pytest.mark.parametrize(
    "kind", ["unknown", "EMAIL_SIGNIN", "VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL", "RECOVER_EMAIL"]
)
@pytest.mark.parametrize("password", [None, "", HOLDER, "short", "secret2"])
def test_codes_that_do_not_reset(action, kind, password):
    """Looked at before the password is."""
    code = "unknown"
    if kind == "RECOVER_EMAIL":
        _, code = action.recovery()
    elif kind != "unknown":
        code = action.code(kind, action.session()["email"], newEmail=action.email())["oobCode"]
    about = action.answer(
        400, "resetPassword", code, newPassword=password, continueUrl="http://localhost/"
    )
    assert about.keys() == {"error", "instructions"}
    assert kind == "unknown" or action.is_pending(code)


def parts(url: str) -> tuple[str, list[tuple[str, str]], str]:
    """Address, query and fragment; an empty path is the root."""
    split = urllib.parse.urlsplit(url)
    place = f"{split.scheme}://{split.netloc}{split.path or '/'}"
    return place, urllib.parse.parse_qsl(split.query, keep_blank_values=True), split.fragment


def test_a_sign_in_link_needs_somewhere_to_go(action):
    for url in (None, ""):
        about = action.answer(400, "signIn", "anything", continueUrl=url)
        assert about.keys() == {"error", "instructions"}


@pytest.mark.parametrize("code", ["anything", "unknown code", "EMAIL_SIGNIN", "PASSWORD_RESET"])
def test_a_sign_in_link_is_for_the_app(action, code):
    """It is neither validated nor used up."""
    email = action.session()["email"]
    value = action.code(code, email)["oobCode"] if code.isupper() else code
    for _ in range(2):
        location = action.redirect("signIn", value, "k", continueUrl="http://localhost/app")
        place, query, fragment = parts(location)
        assert (place, fragment) == ("http://localhost/app", "")
        assert dict(query) == {"mode": "signIn", "oobCode": value, "apiKey": "k"}
    assert not code.isupper() or action.is_pending(value)


@pytest.mark.parametrize(
    "url, more, expected",
    cases(
        {
            "all": (
                "http://localhost/",
                {"lang": "en", "tenantId": "t", "x": "y z"},
                ("http://localhost/", {"lang": "en", "tenantId": "t", "x": "y z"}, ""),
            ),
            "kept": (
                "https://a.example:81/p/q?a=1&b=2#f",
                {"lang": "en"},
                ("https://a.example:81/p/q", {"a": "1", "b": "2", "lang": "en"}, "f"),
            ),
            "replaced": (
                "http://localhost/?lang=de&mode=old&apiKey=old&a=1",
                {"lang": "en"},
                ("http://localhost/", {"lang": "en", "a": "1"}, ""),
            ),
            "replaced twice": (
                "http://localhost/?lang=de&lang=fr",
                {"lang": "en"},
                ("http://localhost/", {"lang": "en"}, ""),
            ),
            "own continueUrl": (
                "http://localhost/?continueUrl=x",
                {},
                ("http://localhost/", {"continueUrl": "x"}, ""),
            ),
            "custom scheme": (
                "myapp://host/path",
                {"lang": "en"},
                ("myapp://host/path", {"lang": "en"}, ""),
            ),
            "odd characters": (
                "http://localhost/?q=%26%3D",
                {"x": "a&b=c#d+e \u00e4"},
                ("http://localhost/", {"q": "&=", "x": "a&b=c#d+e \u00e4"}, ""),
            ),
            "empty value": (
                "http://localhost/",
                {"lang": ""},
                ("http://localhost/", {"lang": ""}, ""),
            ),
            "new password": (
                "http://localhost/",
                {"newPassword": "p"},
                ("http://localhost/", {"newPassword": "p"}, ""),
            ),
        }
    ),
)
def test_what_a_sign_in_link_carries(action, url, more, expected):
    """Every other parameter of the request is set."""
    location = action.redirect("signIn", "code", "k", continueUrl=url, **more)
    place, query, fragment = parts(location)
    assert len(query) == len(dict(query)), query
    where, carried, part = expected
    assert (place, fragment) == (where, part)
    assert dict(query) == {"mode": "signIn", "oobCode": "code", "apiKey": "k", **carried}


@pytest.mark.parametrize(
    "extra, name",
    [
        ("x=1&x=2", "x"),
        ("x[]=1", "x[]"),
        ("x[a]=1", "x[a]"),
        ("x%5B%5D=1", "x[]"),
        ("lang=en&lang=de", "lang"),
    ],
)
def test_parameters_that_are_not_carried(send, extra, name):
    """Repeated and bracketed ones; what the address has stays."""
    target = urllib.parse.quote("http://localhost/?lang=fr", safe="")
    query = f"mode=signIn&oobCode=c&apiKey=k&{extra}&continueUrl={target}"
    reply = send("GET", f"/emulator/action?{query}")
    _, query, _ = parts(reply.headers["Location"])
    assert dict(query) == {"mode": "signIn", "oobCode": "c", "apiKey": "k", "lang": "fr"}


@pytest.mark.parametrize("url", ["nonsense", "/relative", "//host/path", "http://", "?a=b"])
def test_a_sign_in_link_to_nowhere(action, url):
    """The reference fails with 500; an error of any kind will do."""
    reply = action.open("signIn", "code", continueUrl=url)
    assert reply.status_code >= 400 and "Location" not in reply.headers


def test_the_page_looks_into_the_default_project(action, project):
    """With a key that names no project; ours finds other projects' codes by theirs."""
    project.sign_up(A)
    code = project.admin(
        "/accounts:sendOobCode", {"requestType": "VERIFY_EMAIL", "email": A, "returnOobLink": True}
    )["oobCode"]
    assert action.answer(400, "verifyEmail", code).keys() == {"error", "instructions"}
    assert project.users()[0]["emailVerified"] is False
