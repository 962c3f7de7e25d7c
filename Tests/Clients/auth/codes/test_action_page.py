"""What only an emulator has: clearing, pending codes, its config, the action page: auth-a 3."""

import json
import queue
import re
import urllib.parse
import uuid
from html.parser import HTMLParser

import pytest

from support.auth.project import idp_body
from support.server import PROJECT, Server
from support.steering import Steered, guard, project  # noqa: F401
from auth.accounts.test_delete_and_query import cases
from auth.protocol.test_paths import (  # noqa: F401
    SCHEMA, error, hearth, http, of_schema, plain, send)
from auth.functions.test_blocking_calls import Functions

A, B = "a@example.com", "b@example.com"
ONE, TWO = "+15555550100", "+15555550101"
WEAK = "WEAK_PASSWORD : Password should be at least 6 characters"
DEFAULTS = {"signIn": {"allowDuplicateEmails": False},
            "emailPrivacyConfig": {"enableImprovedEmailPrivacy": False}}
HOLDER = "NEW_PASSWORD_HERE"
MODES = {"EMAIL_SIGNIN": "signIn", "PASSWORD_RESET": "resetPassword", "VERIFY_EMAIL": "verifyEmail",
         "VERIFY_AND_CHANGE_EMAIL": "verifyAndChangeEmail", "RECOVER_EMAIL": "recoverEmail"}


def scope(project, tenant: str | None = None) -> str:
    return project.control + (f"/tenants/{tenant}" if tenant else "")


def clear(project, tenant: str | None = None) -> None:
    assert project.request("DELETE", f"{scope(project, tenant)}/accounts") == {}


def oob_codes(project, tenant: str | None = None) -> list[dict]:
    answer = project.request("GET", f"{scope(project, tenant)}/oobCodes")
    assert list(answer) == ["oobCodes"]
    return answer["oobCodes"]


def config(project) -> dict:
    return project.request("GET", f"{project.control}/config")


def change_config(project, body, status: int = 200) -> dict:
    return project.request("PATCH", f"{project.control}/config", status, json=body)


def ids(project, tenant: str | None = None) -> set[str]:
    return {user["localId"] for user in project.users(tenant)}


# MARK: 3.1, clearing

@pytest.fixture
def populated(project):
    """Users in the project and in two tenants."""
    for tenant in (None, "t1", "t2"):
        project.admin("/accounts", {"localId": f"u-{tenant}", "email": A, "password": "secret1",
                                    "phoneNumber": ONE}, tenant=tenant)
    return project


@pytest.mark.parametrize("tenant", [None, "t1"], ids=["project", "tenant"])
def test_clearing_drops_the_users_of_one_place(populated, tenant):
    clear(populated, tenant)
    for other in (None, "t1", "t2"):
        assert ids(populated, other) == (set() if other == tenant else {f"u-{other}"})


@pytest.mark.parametrize("tenant", [None, "t1"], ids=["project", "tenant"])
def test_clearing_needs_nothing(populated, tenant):
    """No user and no tenant need be there, and it can be done again."""
    for _ in range(2):
        clear(populated, tenant)
    clear(populated, "unknown")
    clear(Steered(populated.server))


def test_what_was_cleared_is_free_again(project):
    """Addresses, numbers and provider ids find nobody."""
    session = project.sign_up(A)
    project.admin("/accounts:update", {
        "localId": session["localId"], "phoneNumber": ONE,
        "linkProviderUserInfo": {"providerId": "google.com", "rawId": "g", "email": A}})
    clear(project)
    assert project.error("lookup", {"idToken": session["idToken"]}) == "USER_NOT_FOUND"
    assert project.error("signInWithPassword", {"email": A, "password": "secret1"}) == (
        "EMAIL_NOT_FOUND")
    for found in ({"email": [A]}, {"phoneNumber": [ONE]},
                  {"federatedUserId": [{"providerId": "google.com", "rawId": "g"}]}):
        assert "users" not in project.admin("/accounts:lookup", found)
    assert project.sign_up(A)["localId"] != session["localId"]
    assert project.phone(ONE)["isNewUser"] is True
    again = project.idp("google.com", {"sub": "g", "email": "g@example.com"})
    assert again["isNewUser"] is True


def test_codes_and_settings_survive_clearing(project):
    project.sign_up(A)
    project.call("sendOobCode", {"requestType": "PASSWORD_RESET", "email": A})
    project.call("sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": B})
    project.call("sendVerificationCode", {"phoneNumber": ONE})
    change_config(project, {"signIn": {"allowDuplicateEmails": True}})
    before = oob_codes(project), project.codes(), config(project)
    clear(project)
    assert (oob_codes(project), project.codes(), config(project)) == before
    link, sms = before[0][1], before[1][0]
    assert project.call(
        "signInWithEmailLink", {"email": B, "oobCode": link["oobCode"]})["isNewUser"]
    assert project.call("signInWithPhoneNumber", {
        "sessionInfo": sms["sessionInfo"], "code": sms["code"]})["isNewUser"]
    # Its user is gone.
    assert project.error("resetPassword", {
        "oobCode": before[0][0]["oobCode"], "newPassword": "secret2"}) == "INVALID_OOB_CODE"


def test_a_recovery_after_clearing(project):
    """There is nobody to recover."""
    session = project.sign_up(A)
    project.call("update", {"idToken": session["idToken"], "email": B})
    [code] = oob_codes(project)
    assert code["requestType"] == "RECOVER_EMAIL"
    clear(project)
    assert project.error("update", {"oobCode": code["oobCode"]}) == "INVALID_OOB_CODE"


def test_clearing_fires_no_trigger():
    """The functions emulator hears of those who come, and of those who go one by one."""
    functions = Functions()
    server = Server("--log-level", "error", "--functions-emulator", functions.host)
    try:
        project = Steered(server)
        one = project.sign_up(A)["localId"]
        clear(project)
        two = project.sign_up(A)["localId"]
        project.admin("/accounts:delete", {"localId": two})
        seen = set()
        for _ in range(3):
            event = functions.calls.get(timeout=20)[3]
            event = event if isinstance(event, dict) else json.loads(event)
            seen.add((event["eventType"].rsplit(".", 1)[1], event["data"]["uid"]))
        assert seen == {("create", one), ("create", two), ("delete", two)}
        with pytest.raises(queue.Empty):
            functions.calls.get(timeout=0.3)
    finally:
        server.stop()
        functions.close()


# MARK: 3.2, pending codes

@pytest.fixture(params=[None, "t1"], ids=["project", "tenant"])
def place(request, project):
    """A project or a tenant of it, and how to ask there as a client."""
    tenant = request.param

    def call(verb: str, body: dict, status: int = 200) -> dict:
        return project.call(verb, body | ({"tenantId": tenant} if tenant else {}), status)

    return project, tenant, call


def test_no_codes(place):
    project, tenant, _ = place
    assert oob_codes(project, tenant) == []
    assert project.codes(tenant) == []


def test_pending_codes(place):
    """In the order of their making, with these members; newEmail where an address changes."""
    project, tenant, call = place
    session = call("signUp", {"email": A, "password": "secret1"})
    token = {"idToken": session["idToken"]}
    call("sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": "No-Body@example.com",
                         "continueUrl": "http://localhost/?a=b c"})
    call("sendOobCode", {"requestType": "PASSWORD_RESET", "email": A})
    call("sendOobCode", {"requestType": "VERIFY_EMAIL", **token})
    call("sendOobCode", {"requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "New@example.com",
                         **token})
    shown = project.admin("/accounts:sendOobCode", {
        "requestType": "PASSWORD_RESET", "email": A, "returnOobLink": True}, tenant=tenant)
    call("update", {"email": B, **token})
    codes = oob_codes(project, tenant)
    assert [(code["requestType"], code["email"]) for code in codes] == [
        ("EMAIL_SIGNIN", "no-body@example.com"), ("PASSWORD_RESET", A), ("VERIFY_EMAIL", A),
        ("VERIFY_AND_CHANGE_EMAIL", A), ("PASSWORD_RESET", A), ("RECOVER_EMAIL", A)]
    for code in codes:
        members = {"email", "requestType", "oobCode", "oobLink"}
        if code["requestType"] == "VERIFY_AND_CHANGE_EMAIL":
            members |= {"newEmail"}
            assert code["newEmail"] == "new@example.com"
        assert code.keys() == members
        assert re.fullmatch(r"[A-Za-z0-9_-]{54}", code["oobCode"])
        query = dict(urllib.parse.parse_qsl(code["oobLink"].split("?", 1)[1]))
        assert query["mode"] == MODES[code["requestType"]]
        assert query["oobCode"] == code["oobCode"]
        assert query.get("tenantId") == tenant
    assert (codes[4]["oobCode"], codes[4]["oobLink"]) == (shown["oobCode"], shown["oobLink"])


def test_used_codes_disappear(place):
    project, tenant, call = place
    token = {"idToken": call("signUp", {"email": A, "password": "secret1"})["idToken"]}
    for body in ({"requestType": "EMAIL_SIGNIN", "email": A},
                 {"requestType": "PASSWORD_RESET", "email": A},
                 {"requestType": "VERIFY_EMAIL", **token},
                 {"requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": B, **token}):
        call("sendOobCode", body)
    by_type = {code["requestType"]: code["oobCode"] for code in oob_codes(project, tenant)}
    uses = [
        ("resetPassword", {"oobCode": by_type["PASSWORD_RESET"], "newPassword": "secret2"}),
        ("update", {"oobCode": by_type["VERIFY_EMAIL"]}),
        ("signInWithEmailLink", {"oobCode": by_type["EMAIL_SIGNIN"], "email": A}),
        ("update", {"oobCode": by_type["VERIFY_AND_CHANGE_EMAIL"]})]
    for verb, body in uses:
        # Looking at a code leaves it.
        call("resetPassword", {"oobCode": body["oobCode"]})
        assert body["oobCode"] in {code["oobCode"] for code in oob_codes(project, tenant)}
        call(verb, body)
        assert body["oobCode"] not in {code["oobCode"] for code in oob_codes(project, tenant)}
    assert oob_codes(project, tenant) == []


def test_codes_stand_in_their_own_place(project):
    for tenant in (None, "t1", "t2"):
        email = f"{tenant}@example.com".lower()
        project.call("sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": email}
                     | ({"tenantId": tenant} if tenant else {}))
    for tenant in (None, "t1", "t2"):
        assert [code["email"] for code in oob_codes(project, tenant)] == [
            f"{tenant}@example.com".lower()]
    assert oob_codes(Steered(project.server)) == []


# MARK: 3.3, codes of text messages

def test_pending_verification_codes(project):
    for number in (ONE, TWO, ONE):
        project.call("sendVerificationCode", {"phoneNumber": number})
    codes = project.codes()
    assert [code["phoneNumber"] for code in codes] == [ONE, TWO, ONE]
    for code in codes:
        assert code.keys() == {"code", "phoneNumber", "sessionInfo"}
        assert type(code["code"]) is str and re.fullmatch(r"[0-9]{6}", code["code"])
        assert re.fullmatch(r"[A-Za-z0-9_-]{226}", code["sessionInfo"])
    assert len({code["sessionInfo"] for code in codes}) == 3


def test_the_session_of_a_pending_code_is_the_one_that_was_answered(project):
    answer = project.call("sendVerificationCode", {"phoneNumber": ONE})
    [code] = project.codes()
    assert answer == {"sessionInfo": code["sessionInfo"]}


def test_verification_codes_of_a_tenant(project):
    """A second factor is the only use of a number there."""
    session = project.verified(A, tenant="t1")
    project.enroll(session, ONE, "t1")
    pending = project.sign_in(A, tenantId="t1")
    project.factor("mfaSignIn:start", {
        "mfaPendingCredential": pending["mfaPendingCredential"], "tenantId": "t1",
        "mfaEnrollmentId": pending["mfaInfo"][0]["mfaEnrollmentId"], "phoneSignInInfo": {}})
    *_, code = project.codes("t1")
    assert code.keys() == {"code", "phoneNumber", "sessionInfo"}
    assert code["phoneNumber"] == ONE and project.codes() == []


def test_the_list_has_one_member(project):
    answer = project.request("GET", f"{project.control}/verificationCodes")
    assert answer == {"verificationCodes": []}


# MARK: 3.4, the emulator's config

def test_the_config_at_the_start(project):
    assert config(project) == DEFAULTS


@pytest.mark.parametrize("duplicates", [True, False, None])
@pytest.mark.parametrize("privacy", [True, False, None])
@pytest.mark.parametrize("start", [True, False])
def test_only_the_members_present_are_changed(project, duplicates, privacy, start):
    state = {"signIn": {"allowDuplicateEmails": start},
             "emailPrivacyConfig": {"enableImprovedEmailPrivacy": start}}
    assert change_config(project, state) == state
    body = {}
    if duplicates is not None:
        body["signIn"] = {"allowDuplicateEmails": duplicates}
    if privacy is not None:
        body["emailPrivacyConfig"] = {"enableImprovedEmailPrivacy": privacy}
    # Without any member ours changes nothing, which is a difference that we want.
    expected = state | body
    assert change_config(project, body) == expected
    assert config(project) == expected
    whole = project.owner("GET", f"{project.v2}/config")
    assert expected.items() <= whole.items()


def test_members_of_the_config_that_nobody_knows(project):
    state = DEFAULTS | {"signIn": {"allowDuplicateEmails": True}}
    assert change_config(project, {
        "unknown": 1, "signIn": {"allowDuplicateEmails": True, "unknown": {}, "email": 5},
        "blockingFunctions": {"triggers": {"beforeCreate": {"functionUri": "http://x"}}}}) == state
    assert project.owner("GET", f"{project.v2}/config")["blockingFunctions"] == {}


def test_the_config_keeps_blocking_functions_to_itself(project):
    triggers = {"triggers": {"beforeCreate": {"functionUri": "http://localhost:1/"}}}
    project.configure("blockingFunctions", blockingFunctions=triggers)
    assert config(project) == DEFAULTS
    changed = {"signIn": {"allowDuplicateEmails": True}}
    assert change_config(project, changed) == DEFAULTS | changed
    whole = project.owner("GET", f"{project.v2}/config")
    assert whole["blockingFunctions"]["triggers"]["beforeCreate"]["functionUri"] == (
        "http://localhost:1/")


@pytest.mark.parametrize("body, problem", [
    ({"signIn": True}, "/signIn must be object"), ({"signIn": []}, "/signIn must be object"),
    ({"signIn": {"allowDuplicateEmails": "true"}}, "/signIn/allowDuplicateEmails must be boolean"),
    ({"sign_in": {"allow_duplicate_emails": 1}}, "/signIn/allowDuplicateEmails must be boolean"),
    ({"emailPrivacyConfig": {"enableImprovedEmailPrivacy": None}},
     "/emailPrivacyConfig/enableImprovedEmailPrivacy must be boolean"),
    ([], " must be object")], ids=lambda value: json.dumps(value))
def test_types_of_the_config(send, project, body, problem):
    reply = send("PATCH", f"{project.control}/config", json=body)
    assert error(reply, 400) == of_schema(SCHEMA + problem)
    assert config(project) == DEFAULTS


@pytest.mark.parametrize("method", ["GET", "PATCH"])
def test_tenants_have_no_config(send, project, method):
    options = {"json": {}} if method == "PATCH" else {}
    reply = send(method, f"{scope(project, 't1')}/config", **options)
    assert error(reply, 404)["message"] == "Not Found"


def test_each_project_has_its_config(project):
    change_config(project, {"signIn": {"allowDuplicateEmails": True}})
    assert config(Steered(project.server)) == DEFAULTS


# MARK: 3.5, the action page

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
        return self.hearth.admin(f"{scope}/accounts:sendOobCode", {
            "requestType": kind, "email": email, "returnOobLink": True, **more})

    def recovery(self, tenant: str | None = None) -> tuple[str, str]:
        """A user who changed their address: the first one, and the code that brings it back."""
        session = self.session(tenant)
        self.hearth.accounts("update", {"idToken": session["idToken"], "email": self.email()})
        [code] = [code for code in oob_codes(self.project, tenant)
                  if code["email"] == session["email"] and code["requestType"] == "RECOVER_EMAIL"]
        return session["email"], code["oobCode"]

    def is_pending(self, code: str, tenant: str | None = None) -> bool:
        return code in {each["oobCode"] for each in oob_codes(self.project, tenant)}

    def user(self, uid: str, tenant: str | None = None) -> dict:
        return self.project.user(uid, tenant)

    def open(self, mode: str | None, code: str | None, key: str | None = "any", **more):
        query = {"mode": mode, "oobCode": code, "apiKey": key, **more}
        return self.send("GET", "/emulator/action", params={
            name: value for name, value in query.items() if value is not None})

    def answer(self, status: int, *query, **more) -> dict:
        """What stands below `authEmulator`."""
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
    """Whatever else is wrong; tells what to append."""
    about = action.answer(400, mode, code, key)
    assert about.keys() == {"error", "instructions"}
    assert "&apiKey=" in about["instructions"]


@pytest.mark.parametrize("mode", [*MODES.values(), "x", "", None])
@pytest.mark.parametrize("code", ["", None])
def test_a_link_without_a_code(action, mode, code):
    about = action.answer(400, mode, code, continueUrl="http://localhost/")
    assert about.keys() == {"error", "instructions"}


@pytest.mark.parametrize("mode", [
    "x", "", None, "VERIFY_EMAIL", "verifyemail", "signin", "resetPassword ",
    "revertSecondFactorAddition"])
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


@pytest.mark.parametrize("mode", ["verifyEmail", "verifyAndChangeEmail", "recoverEmail",
                                  "resetPassword"])
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


@pytest.mark.parametrize("url", [
    "http://localhost/", "https://app.example.com/path?a=b&c=%20d#part", "myapp://done",
    "http://localhost/?mode=x&oobCode=y", "/relative"])
@pytest.mark.parametrize("mode, kind", [
    ("verifyEmail", "VERIFY_EMAIL"), ("verifyEmail", "VERIFY_AND_CHANGE_EMAIL"),
    ("verifyAndChangeEmail", "VERIFY_AND_CHANGE_EMAIL"), ("verifyAndChangeEmail", "VERIFY_EMAIL"),
    ("resetPassword", "PASSWORD_RESET")])
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
    """Either mode applies the code; what it tells is the mode's."""
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
    """There is no new address to tell."""
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
def test_a_user_who_has_gone(action, mode):
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


@pytest.mark.parametrize("kind", [
    "unknown", "PASSWORD_RESET", "EMAIL_SIGNIN", "VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"])
@pytest.mark.parametrize("more", [{}, {"continueUrl": "http://localhost/"}], ids=["here", "there"])
def test_codes_that_do_not_recover(action, kind, more):
    session = action.session()
    code = "unknown" if kind == "unknown" else action.code(
        kind, session["email"], newEmail=action.email())["oobCode"]
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
    made = action.code("PASSWORD_RESET", session["email"], tenant,
                       **({"continueUrl": url} if url else {}))
    about = action.answer(400, "resetPassword", made["oobCode"], tenantId=tenant,
                          newPassword=password, continueUrl=url)
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
    action.hearth.accounts(
        "signInWithPassword", {"email": session["email"], "password": "secret1"})


@pytest.mark.parametrize("kind", [
    "unknown", "EMAIL_SIGNIN", "VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL", "RECOVER_EMAIL"])
@pytest.mark.parametrize("password", [None, "", HOLDER, "short", "secret2"])
def test_codes_that_do_not_reset(action, kind, password):
    """Looked at before the password is."""
    code = "unknown"
    if kind == "RECOVER_EMAIL":
        _, code = action.recovery()
    elif kind != "unknown":
        code = action.code(kind, action.session()["email"], newEmail=action.email())["oobCode"]
    about = action.answer(400, "resetPassword", code, newPassword=password,
                          continueUrl="http://localhost/")
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


@pytest.mark.parametrize("url, more, expected", cases({
    "all": ("http://localhost/", {"lang": "en", "tenantId": "t", "x": "y z"},
            ("http://localhost/", {"lang": "en", "tenantId": "t", "x": "y z"}, "")),
    "kept": ("https://a.example:81/p/q?a=1&b=2#f", {"lang": "en"},
             ("https://a.example:81/p/q", {"a": "1", "b": "2", "lang": "en"}, "f")),
    "replaced": ("http://localhost/?lang=de&mode=old&apiKey=old&a=1", {"lang": "en"},
                 ("http://localhost/", {"lang": "en", "a": "1"}, "")),
    "replaced twice": ("http://localhost/?lang=de&lang=fr", {"lang": "en"},
                       ("http://localhost/", {"lang": "en"}, "")),
    "own continueUrl": ("http://localhost/?continueUrl=x", {},
                        ("http://localhost/", {"continueUrl": "x"}, "")),
    "custom scheme": ("myapp://host/path", {"lang": "en"},
                      ("myapp://host/path", {"lang": "en"}, "")),
    "odd characters": ("http://localhost/?q=%26%3D", {"x": "a&b=c#d+e \u00e4"},
                       ("http://localhost/", {"q": "&=", "x": "a&b=c#d+e \u00e4"}, "")),
    "empty value": ("http://localhost/", {"lang": ""}, ("http://localhost/", {"lang": ""}, "")),
    "new password": ("http://localhost/", {"newPassword": "p"},
                     ("http://localhost/", {"newPassword": "p"}, "")),
}))
def test_what_a_sign_in_link_carries(action, url, more, expected):
    """Every other parameter of the request is set."""
    location = action.redirect("signIn", "code", "k", continueUrl=url, **more)
    place, query, fragment = parts(location)
    assert len(query) == len(dict(query)), query
    where, carried, part = expected
    assert (place, fragment) == (where, part)
    assert dict(query) == {"mode": "signIn", "oobCode": "code", "apiKey": "k", **carried}


@pytest.mark.parametrize("extra, name", [
    ("x=1&x=2", "x"), ("x[]=1", "x[]"), ("x[a]=1", "x[a]"), ("x%5B%5D=1", "x[]"),
    ("lang=en&lang=de", "lang")])
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
    code = project.admin("/accounts:sendOobCode", {
        "requestType": "VERIFY_EMAIL", "email": A, "returnOobLink": True})["oobCode"]
    assert action.answer(400, "verifyEmail", code).keys() == {"error", "instructions"}
    assert project.users()[0]["emailVerified"] is False


# MARK: 3.6, the widget

class Entries(HTMLParser):
    """The accounts that the page offers: their claims, and what one sees."""

    def __init__(self, text: str):
        super().__init__()
        self.claims, self.texts, self.images = [], [], []
        self.is_inside = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "data-id-token" in attributes:
            self.claims.append(json.loads(urllib.parse.unquote(attributes["data-id-token"])))
            self.texts.append("")
            self.is_inside = True
        elif tag == "img" and self.is_inside:
            self.images.append(attributes["src"])

    def handle_endtag(self, tag):
        if tag == "li":
            self.is_inside = False

    def handle_data(self, data):
        if self.is_inside:
            self.texts[-1] += data


def handler(send, status: int = 200, **query):
    reply = send("GET", "/emulator/auth/handler", params=query)
    assert reply.status_code == status, reply.text
    assert reply.headers["Content-Type"].lower().replace(" ", "") == "text/html;charset=utf-8"
    return reply


@pytest.mark.parametrize("query", [
    {}, {"apiKey": "k"}, {"providerId": "google.com"}, {"apiKey": "", "providerId": "google.com"},
    {"apiKey": "k", "providerId": ""}],
    ids=["nothing", "key", "provider", "empty key", "empty provider"])
def test_the_handler_needs_key_and_provider(send, query):
    """JSON under the name of HTML."""
    answer = handler(send, 400, **query).json()
    assert list(answer) == ["authEmulator"] and list(answer["authEmulator"]) == ["error"]
    assert type(answer["authEmulator"]["error"]) is str


def idp_user(hearth, provider: str, tenant: str | None = None, **claims) -> dict:
    body = idp_body(provider, {"sub": uuid.uuid4().hex, **claims})
    return hearth.accounts("signInWithIdp", body | ({"tenantId": tenant} if tenant else {}))


def test_the_handler_offers_the_accounts_of_the_provider(hearth, send):
    provider = f"oidc.x{uuid.uuid4().hex}"
    photo = "http://localhost/p.png"
    one = idp_user(hearth, provider, email="one@example.org", name="O'Ne <b>&", picture=photo,
                   screen_name="one1")
    two = idp_user(hearth, provider)
    idp_user(hearth, f"{provider}y", email="three@example.org")
    entries = Entries(handler(send, apiKey="k", providerId=provider, appName="a").text)
    claims = {entry["sub"]: entry for entry in entries.claims}
    assert claims.keys() == {json.loads(answer["rawUserInfo"])["sub"] for answer in (one, two)}
    fixed = {"iss": "", "aud": "", "exp": 0, "iat": 0, "email_verified": True}
    assert all(fixed.items() <= entry.items() for entry in entries.claims)
    [rich] = [entry for entry in entries.claims if entry.get("email")]
    [poor] = [entry for entry in entries.claims if not entry.get("email")]
    assert (rich["name"], rich["email"], rich["picture"]) == (
        "O'Ne <b>&", "one@example.org", photo)
    assert poor.keys() == fixed.keys() | {"sub"}
    [seen] = [text for text in entries.texts if "one@example.org" in text]
    assert "O'Ne <b>&" in seen and entries.images == [photo]
    assert all(text.strip() for text in entries.texts)


@pytest.mark.parametrize("name", ["tenantId", "tid"])
def test_the_handler_of_a_tenant(hearth, send, name):
    provider = f"oidc.x{uuid.uuid4().hex}"
    here, there = f"{uuid.uuid4().hex}@example.org", f"{uuid.uuid4().hex}@example.org"
    idp_user(hearth, provider, email=here)
    idp_user(hearth, provider, "t1", email=there)
    query = {"apiKey": "k", "providerId": provider, "appName": "a"}
    [entry] = Entries(handler(send, **query, **{name: "t1"}).text).claims
    assert entry["email"] == there
    [entry] = Entries(handler(send, **query).text).claims
    assert entry["email"] == here


@pytest.mark.parametrize("word", [
    "apiKey", "appName", "tid", "authType", "providerId", "redirectUrl", "eventId", "clientId",
    "appId", "apn", "ibi", "error", "SAMLResponse", "firebase:redirectEvent:", "sendAuthEvent",
    "genericidp", "B.encryptionEnabled=false", "S.browser_fallback_url", "/__/auth/callback",
    "deep_link_id", "firebaseauth"])
def test_the_script_of_the_handler(send, word):
    """What it reads and what it hands over, by its machine-visible words."""
    assert word in handler(send, apiKey="k", providerId="google.com").text


def test_the_iframe(send):
    for query in ({"apiKey": "k", "appName": "a"}, {}):
        reply = send("GET", "/emulator/auth/iframe", params=query)
        assert reply.status_code == 200
        assert reply.headers["Content-Type"].lower().replace(" ", "") == "text/html;charset=utf-8"
        for word in ("apiKey", "appName", "https://apis.google.com/js/api.js", "gapi.iframes",
                     "webStorageSupport", "ACK", "sendAuthEvent", "authEvent", "unknown",
                     "auth/no-auth-event", "firebase:redirectEvent:"):
            assert word in reply.text
