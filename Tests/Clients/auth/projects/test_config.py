"""Project data, configuration, and the whole effect of e-mail privacy: auth-a 2.14 and 2.15."""

import itertools

import pytest
import requests

from support.auth.project import IT, claims
from support.steering import guard, project  # noqa: F401
from auth.accounts.test_delete_and_query import (  # noqa: F401
    INSUFFICIENT, SCHEMA, cases, hearth, oob_codes, privacy, update)
from support.wire import V3

A, B, C = "a@example.com", "b@example.com", "c@example.com"
ONE = "+15555550100"


# MARK: 2.14, what clients may read

PROJECTS = {"projectId": "12345", "authorizedDomains": ["localhost"]}


def get(project, path: str, status: int = 200, **params) -> dict:
    return project.request("GET", path, status, params={"key": project.id, **params})


@pytest.mark.parametrize("name, value", [
    *((name, "x") for name in (
        "androidPackageName", "clientId", "delegatedProjectNumber", "firebaseAppId",
        "iosBundleId", "projectNumber", "sha1Cert", "unknown")),
    ("returnDynamicLink", "true"), ("returnDynamicLink", "false"), ("prettyPrint", "true"),
    ("alt", "json")])
def test_projects(project, name, value):
    """The number, where the id is asked for."""
    assert get(project, f"{IT}/v1/projects", **{name: value}) == PROJECTS


@pytest.mark.parametrize("path", [f"{IT}/v1/projects", V3 + "getProjectConfig"])
def test_projects_for_everybody_with_a_credential(project, path):
    assert get(project, path) == PROJECTS
    assert project.owner("GET", path) == PROJECTS
    project.request("GET", path, 403)


@pytest.mark.parametrize("name, problem", [
    ("returnDynamicLink", " must be boolean"),
    ("alt", " must be equal to one of the allowed values"), ("prettyPrint", " must be boolean")])
def test_parameters_of_projects_have_types(project, name, problem):
    error = get(project, f"{IT}/v1/projects", 400, **{name: "x"})["error"]
    assert (error["message"], error["status"]) == (SCHEMA + problem, "INVALID_ARGUMENT")
    assert error["errors"][0]["reason"] == "invalid"


@pytest.mark.parametrize("name", ["returnDynamicLink", "alt", "prettyPrint"])
def test_the_old_name_drops_parameters(project, name):
    assert get(project, V3 + "getProjectConfig", **{name: "x"}) == PROJECTS


@pytest.mark.parametrize("path", [f"{IT}/v1/recaptchaParams", V3 + "getRecaptchaParam"])
def test_recaptcha_parameters(project, path):
    answer = get(project, path)
    assert answer.keys() == {"kind", "recaptchaStoken", "recaptchaSiteKey"}
    assert answer["kind"] == "identitytoolkit#GetRecaptchaParamResponse"
    assert len(answer["recaptchaSiteKey"]) == 40
    assert isinstance(answer["recaptchaStoken"], str) and answer["recaptchaStoken"]
    assert project.owner("GET", path) == answer
    project.request("GET", path, 403)


def test_the_length_of_the_recaptcha_token(project):
    assert len(get(project, f"{IT}/v1/recaptchaParams")["recaptchaStoken"]) == 107


@pytest.mark.parametrize("path, allowed", [
    (f"{IT}/v1/projects", {"GET"}), (f"{IT}/v1/recaptchaParams", {"GET"}),
    (f"{IT}/v2/projects/p/config", {"GET", "PATCH"})])
def test_methods_of_what_is_read(project, path, allowed):
    reply = requests.post(project.server.auth + path, json={}, timeout=30)
    assert reply.status_code == 405
    assert {name.strip() for name in reply.headers["Allow"].split(",")} == allowed
    assert reply.json()["message"] == f"Method POST not allowed for {path}"


# MARK: 2.15, the stored object

FRESH = {"signIn": {"allowDuplicateEmails": False}, "blockingFunctions": {},
         "emailPrivacyConfig": {"enableImprovedEmailPrivacy": False}}
SIGN_IN = {"signIn": {"allowDuplicateEmails": True}}
PRIVATE = {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": True}}
CREATE = {"beforeCreate": {"functionUri": "http://localhost/f"}}
FUNCTIONS = {"blockingFunctions": {"triggers": CREATE}}
SET = SIGN_IN | FUNCTIONS | PRIVATE


def unnamed(project, config: dict) -> dict:
    assert config.pop("name") == f"projects/{project.id}/config"
    return config


def config(project) -> dict:
    return unnamed(project, project.owner("GET", f"{project.v2}/config"))


def patch(project, body: dict, mask: str | None = None, status: int = 200) -> dict:
    params = {} if mask is None else {"updateMask": mask}
    answer = project.owner("PATCH", f"{project.v2}/config", status, params=params, json=body)
    return unnamed(project, answer) if status == 200 else answer


def view(project) -> dict:
    """What the emulator's own page shows."""
    return project.request("GET", f"{project.control}/config")


def test_the_default_configuration(project):
    assert config(project) == FRESH
    assert view(project) == {name: FRESH[name] for name in ("signIn", "emailPrivacyConfig")}


@pytest.mark.parametrize("mask", [None, ""], ids=["no mask", "empty mask"])
@pytest.mark.parametrize("given, expected", cases({
    "nothing": ({}, {}), "all": (SET, SET), "one": (SIGN_IN, SIGN_IN),
    "privacy": (PRIVATE, PRIVATE), "functions": (FUNCTIONS, FUNCTIONS),
    "empty members": ({"signIn": {}, "emailPrivacyConfig": {}, "blockingFunctions": {}}, {}),
    "false": ({"signIn": {"allowDuplicateEmails": False},
               "emailPrivacyConfig": {"enableImprovedEmailPrivacy": False}}, {}),
    "snake case": ({"sign_in": {"allow_duplicate_emails": True}}, SIGN_IN),
    "others": ({
        "authorizedDomains": ["example.com"], "autodeleteAnonymousUsers": True,
        "client": {"permissions": {"disabledUserSignup": True}}, "mfa": {"state": "DISABLED"},
        "mobileLinksConfig": {}, "monitoring": {"requestLogging": {"enabled": True}},
        "multiTenant": {"allowTenants": True}, "name": "projects/x/config",
        "notification": {"defaultLocale": "de"}, "quota": {}, "recaptchaConfig": {},
        "smsRegionConfig": {}, "subtype": "FIREBASE_AUTH", "unknown": [1]}, {}),
    "others of the same member": (
        {"signIn": {"allowDuplicateEmails": True, "email": {"enabled": True},
                    "anonymous": {"enabled": True}}}, SIGN_IN),
}))
def test_a_full_replacement(project, mask, given, expected):
    """Whatever is not given falls back to its default; what has no effect is not kept."""
    patch(project, SET)
    assert patch(project, given, mask) == FRESH | expected
    assert config(project) == FRESH | expected


@pytest.mark.parametrize("mask, given, expected", cases({
    "a leaf": ("signIn.allowDuplicateEmails", SET, SIGN_IN),
    "a parent": ("emailPrivacyConfig", SET, PRIVATE),
    "two": ("signIn.allowDuplicateEmails,emailPrivacyConfig.enableImprovedEmailPrivacy", SET,
            SIGN_IN | PRIVATE),
    "three": ("signIn,emailPrivacyConfig,blockingFunctions", SET, SET),
    "inside functions": ("blockingFunctions.triggers", SET, FUNCTIONS),
    "deep inside functions": ("blockingFunctions.triggers.beforeCreate.functionUri", SET,
                              FUNCTIONS),
    "what is not given": ("signIn", PRIVATE, {}),
    "a leaf that is not given": ("signIn.allowDuplicateEmails", {"signIn": {}}, {}),
    "a leaf below nothing": ("signIn.allowDuplicateEmails", {}, {}),
    "one that is given, one that is not": (
        "signIn.allowDuplicateEmails,emailPrivacyConfig.enableImprovedEmailPrivacy", PRIVATE,
        PRIVATE),
    "a parent replaces all": ("signIn", {"signIn": {}}, {"signIn": {}}),
    "a parent with others": (
        "signIn", {"signIn": {"email": {"enabled": True}}},
        {"signIn": {"email": {"enabled": True}}}),
    "another leaf of a parent": (
        "signIn.email.enabled", {"signIn": {"email": {"enabled": True}}},
        {"signIn": {"allowDuplicateEmails": False, "email": {"enabled": True}}}),
    "another member": ("multiTenant.allowTenants", {"multiTenant": {"allowTenants": False}},
                       {"multiTenant": {"allowTenants": False}}),
    "a list": ("authorizedDomains", {"authorizedDomains": ["a.b", "c"]},
               {"authorizedDomains": ["a.b", "c"]}),
    "nobody knows it": ("custom.deep.value", {"custom": {"deep": {"value": 1, "other": 2}}},
                        {"custom": {"deep": {"value": 1}}}),
    "nobody knows it, whole": ("custom", {"custom": [1, "x", {"a": True}]},
                               {"custom": [1, "x", {"a": True}]}),
    "nobody knows it, nor is it given": ("custom", {}, {}),
    "an empty text": ("custom", {"custom": ""}, {"custom": ""}),
}))
def test_a_masked_update(project, mask, given, expected):
    assert patch(project, given, mask) == FRESH | expected
    assert config(project) == FRESH | expected


def test_a_masked_update_leaves_the_rest(project):
    patch(project, SET)
    off = {"signIn": {"allowDuplicateEmails": False}}
    assert patch(project, off | PRIVATE, "signIn.allowDuplicateEmails") == SET | off
    assert patch(project, {"blockingFunctions": {}}, "blockingFunctions") == (
        SET | off | {"blockingFunctions": {}})


def test_a_switch_that_vanished_reads_as_off(project):
    patch(project, SIGN_IN | PRIVATE)
    patch(project, {"signIn": {}, "emailPrivacyConfig": {}}, "signIn,emailPrivacyConfig")
    assert config(project) == {"signIn": {}, "blockingFunctions": {}, "emailPrivacyConfig": {}}
    assert view(project) == {name: FRESH[name] for name in ("signIn", "emailPrivacyConfig")}
    assert duplicate(project) is False
    assert project.error("signInWithPassword", {"email": C, "password": "x"}) == "EMAIL_NOT_FOUND"


@pytest.mark.parametrize("body, problem", cases({
    "authorizedDomains": ({"authorizedDomains": "x"}, "/authorizedDomains must be array"),
    "a domain": ({"authorizedDomains": [True]}, "/authorizedDomains/0 must be string"),
    "autodeleteAnonymousUsers": (
        {"autodeleteAnonymousUsers": "true"}, "/autodeleteAnonymousUsers must be boolean"),
    **{name: ({name: "x"}, f"/{name} must be object") for name in (
        "blockingFunctions", "client", "emailPrivacyConfig", "mfa", "mobileLinksConfig",
        "monitoring", "multiTenant", "notification", "passwordPolicyConfig", "quota",
        "recaptchaConfig", "signIn", "smsRegionConfig")},
    "name": ({"name": True}, "/name must be string"),
    "subtype": ({"subtype": "x"}, "/subtype must be equal to one of the allowed values"),
    "allowDuplicateEmails": ({"signIn": {"allowDuplicateEmails": "true"}},
                             "/signIn/allowDuplicateEmails must be boolean"),
    "a number": ({"signIn": {"allowDuplicateEmails": 1}},
                 "/signIn/allowDuplicateEmails must be boolean"),
    "enableImprovedEmailPrivacy": (
        {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": "on"}},
        "/emailPrivacyConfig/enableImprovedEmailPrivacy must be boolean"),
    "null": ({"signIn": None}, "/signIn must be object"),
    "triggers": ({"blockingFunctions": {"triggers": []}},
                 "/blockingFunctions/triggers must be object"),
    "a trigger": ({"blockingFunctions": {"triggers": {"beforeCreate": "http://x"}}},
                  "/blockingFunctions/triggers/beforeCreate must be object"),
    "functionUri": ({"blockingFunctions": {"triggers": {"beforeCreate": {"functionUri": {}}}}},
                    "/blockingFunctions/triggers/beforeCreate/functionUri must be string"),
}))
def test_types_of_the_configuration(project, body, problem):
    answer = patch(project, body, "signIn", 400)
    assert answer["error"]["message"] == SCHEMA + problem
    assert answer["error"]["status"] == "INVALID_ARGUMENT"
    # Before privilege.
    answer = project.request(
        "PATCH", f"{project.v2}/config", 400, params={"key": project.id}, json=body)
    assert answer["error"]["message"] == SCHEMA + problem
    assert config(project) == FRESH


TYPE = "INVALID_BLOCKING_FUNCTION : ((Event type is invalid.))"
URI = "INVALID_BLOCKING_FUNCTION : ((Expected an absolute URI with valid scheme and host.))"


def triggers(**events) -> dict:
    return {"blockingFunctions": {"triggers": {
        name: {"functionUri": uri} for name, uri in events.items()}}}


@pytest.mark.parametrize("mask", [None, "signIn", "blockingFunctions"], ids=[
    "no mask", "another mask", "mask"])
@pytest.mark.parametrize("body, message", cases({
    "an event": (triggers(beforeDelete="http://localhost"), TYPE),
    "an event beside a good one": (
        triggers(beforeCreate="http://localhost", afterCreate="http://localhost"), TYPE),
    "an event before its address": (triggers(other="relative"), TYPE),
    "an address": (triggers(beforeCreate="relative"), URI),
    "a path": (triggers(beforeSignIn="/f"), URI),
    "a scheme alone": (triggers(beforeSignIn="http://"), URI),
    "an empty address": (triggers(beforeSignIn=""), URI),
    "an address beside a good one": (
        triggers(beforeCreate="http://localhost", beforeSignIn="localhost"), URI),
    "no address": ({"blockingFunctions": {"triggers": {"beforeCreate": {}}}}, URI),
    "mail": (triggers(beforeCreate="mailto:x"), URI),
    "a host for a scheme": (triggers(beforeCreate="localhost:5001/f"), URI),
    "a socket": (triggers(beforeCreate="http+unix://%2Ftmp%2Fsocket/f"), URI),
}))
def test_functions_that_are_refused(project, body, message, mask):
    """Nothing of the request is stored."""
    answer = patch(project, body | SIGN_IN, mask, 400)
    assert answer["error"]["message"] == message and "status" not in answer["error"]
    assert config(project) == FRESH


@pytest.mark.parametrize("uri", [
    "http://localhost", "https://user:pw@example.com:8443/a?b#c"])
def test_functions_that_are_taken(project, uri):
    body = triggers(beforeCreate=uri, beforeSignIn=uri)
    assert patch(project, body) == FRESH | body


def test_the_names_of_events_in_other_spellings(project):
    body = {"blocking_functions": {"triggers": {"before_create": {
        "function_uri": "http://localhost"}}}}
    assert patch(project, body) == FRESH | triggers(beforeCreate="http://localhost")


@pytest.mark.parametrize("method", ["GET", "PATCH"])
def test_the_configuration_wants_the_owner(project, method):
    options = {"json": SET} if method == "PATCH" else {}
    path = f"{project.v2}/config"
    answer = project.request(method, path, 400, params={"key": project.id}, **options)
    assert answer["error"]["message"] == INSUFFICIENT
    project.request(method, path, 403, **options)
    assert config(project) == FRESH


# MARK: 2.15, duplicates

def google(project, sub: str, **more) -> dict:
    return project.idp("google.com", {"sub": sub, "email": A, "email_verified": True}, **more)


def duplicate(project, **more) -> bool:
    """Whether a second account with the same address comes into being."""
    google(project, "1", **more)
    return google(project, "2", **more).get("isNewUser", False)


@pytest.mark.parametrize("way", ["config", "view"])
@pytest.mark.parametrize("tenant", [None, "t1"])
def test_duplicates_relax_identity_providers(project, tenant, way):
    more = {"tenantId": tenant} if tenant else {}
    if way == "config":
        patch(project, SIGN_IN, "signIn.allowDuplicateEmails")
    else:
        project.request("PATCH", f"{project.control}/config", json=SIGN_IN)
    assert config(project) == FRESH | SIGN_IN
    assert duplicate(project, **more) is True
    users = project.users(tenant=tenant)
    assert len(users) == 2 and [user.get("email") for user in users].count(A) <= 1


@pytest.mark.parametrize("tenant", [None, "t1"])
def test_one_account_for_an_address(project, tenant):
    assert duplicate(project, **({"tenantId": tenant} if tenant else {})) is False
    assert len(project.users(tenant=tenant)) == 1


@pytest.mark.parametrize("act", cases({
    "sign-up": lambda p, s: p.error("signUp", {"email": A, "password": "secret1"}),
    "sign-up by the owner": lambda p, s: p.admin_error("/accounts", {"email": A.upper()}),
    "linking": lambda p, s: p.error("signUp", {
        "idToken": s["idToken"], "email": A, "password": "secret1"}),
    "update": lambda p, s: p.error("update", {"idToken": s["idToken"], "email": A}),
    "update by the owner": lambda p, s: p.admin_error("/accounts:update", {
        "localId": s["localId"], "email": A}),
}))
def test_a_top_level_address_stays_unique(project, act):
    patch(project, SIGN_IN)
    project.sign_up(A)
    assert act(project, project.sign_up(B)) == "EMAIL_EXISTS"


# MARK: 2.15, e-mail privacy: the complete list

SENT = "identitytoolkit#GetOobConfirmationCodeResponse"


def sign_in(email: str, password: str = "wrong password", **more):
    return lambda p: p.error("signInWithPassword", {"email": email, "password": password, **more})


def reset_by_owner(project):
    reply = requests.post(
        f"{project.server.auth}{project.v1}/accounts:sendOobCode", timeout=30,
        json={"requestType": "PASSWORD_RESET", "email": C.upper(), "returnOobLink": True},
        headers={"Authorization": "Bearer owner"})
    assert oob_codes(project) == []
    return reply.json() if reply.status_code == 200 else reply.json()["error"]["message"]


def reset(project):
    reply = project.raw("sendOobCode", {"requestType": "PASSWORD_RESET", "email": C.upper()})
    assert oob_codes(project) == [] and project.messages() == []
    return reply.json() if reply.status_code == 200 else reply.json()["error"]["message"]


def oob(kind: str, **more):
    return lambda p: p.error("sendOobCode", {"requestType": kind, **more})


def oob_by_owner(kind: str, **more):
    return lambda p: p.admin_error("/accounts:sendOobCode", {
        "requestType": kind, "returnOobLink": True, **more})


def in_users_name(verb: str, **more):
    """As B, who has a password."""
    return lambda p: p.error(verb, {"idToken": p.sign_in(B)["idToken"], **more})


def codes_for(kind: str, email: str):
    def send(project):
        project.call("sendOobCode", {
            "requestType": kind, "email": email, "continueUrl": "http://localhost/"})
        return [(code["requestType"], code["email"]) for code in oob_codes(project)]
    return send


def uri_error(**more):
    return lambda p: p.error("createAuthUri", {
        "identifier": A, "continueUri": "http://localhost/", **more})


def change_address(project):
    session = project.sign_in(B)
    answer = project.call("update", {"idToken": session["idToken"], "email": C})
    return answer["email"], answer["newEmail"], answer["emailVerified"]


LOGIN = "INVALID_LOGIN_CREDENTIALS"
# What is asked; the answer without privacy; with it, where it differs.
PRIVACY = {
    # The rows of the table
    "sign-in, unknown": (sign_in(C), "EMAIL_NOT_FOUND", LOGIN),
    "sign-in, unknown, in capitals": (sign_in(C.upper()), "EMAIL_NOT_FOUND", LOGIN),
    "sign-in, wrong password": (sign_in(A), "INVALID_PASSWORD", LOGIN),
    "sign-in, password in capitals": (sign_in(A, "SECRET1"), "INVALID_PASSWORD", LOGIN),
    "sign-in, no password": (sign_in("none@example.com"), "INVALID_PASSWORD", LOGIN),
    "sign-in, unknown in a tenant": (sign_in(A, tenantId="t1"), "EMAIL_NOT_FOUND", LOGIN),
    "reset, unknown": (reset, "EMAIL_NOT_FOUND", {"kind": SENT, "email": C}),
    "reset by the owner, unknown": (
        reset_by_owner, "EMAIL_NOT_FOUND", {"kind": SENT, "email": C}),
    # Everything else
    "sign-in, disabled": (sign_in("off@example.com", "secret1"), "USER_DISABLED"),
    "sign-in, disabled, wrong password": (sign_in("off@example.com"), "USER_DISABLED"),
    "sign-in, no address": (
        lambda p: p.error("signInWithPassword", {"password": "x"}), "MISSING_EMAIL"),
    "sign-in, empty address": (sign_in(""), "INVALID_EMAIL"),
    "sign-in, bad address": (sign_in("x"), "INVALID_EMAIL"),
    "sign-in, empty password": (sign_in(C, ""), "MISSING_PASSWORD"),
    "sign-in": (lambda p: p.sign_in(A)["registered"], True),
    "sign-up": (lambda p: p.error("signUp", {"email": A, "password": "secret1"}), "EMAIL_EXISTS"),
    "sign-up, weak": (lambda p: p.error("signUp", {"email": A, "password": "x"}), "EMAIL_EXISTS"),
    "sign-up by the owner": (
        lambda p: p.admin_error("/accounts", {"email": A}), "EMAIL_EXISTS"),
    "linking": (in_users_name("signUp", email=A, password="secret1"), "EMAIL_EXISTS"),
    "reset, no address": (oob("PASSWORD_RESET"), "MISSING_EMAIL"),
    "reset, known": (codes_for("PASSWORD_RESET", A), [("PASSWORD_RESET", A)]),
    "reset, disabled": (
        codes_for("PASSWORD_RESET", "off@example.com"), [("PASSWORD_RESET", "off@example.com")]),
    "link, unknown": (codes_for("EMAIL_SIGNIN", C), [("EMAIL_SIGNIN", C)]),
    "verify by the owner, unknown": (oob_by_owner("VERIFY_EMAIL", email=C), "USER_NOT_FOUND"),
    "verify by the owner, no address": (oob_by_owner("VERIFY_EMAIL"), "MISSING_EMAIL"),
    "change by the owner, unknown": (
        oob_by_owner("VERIFY_AND_CHANGE_EMAIL", email=C, newEmail=A), "USER_NOT_FOUND"),
    "change by the owner, taken": (
        oob_by_owner("VERIFY_AND_CHANGE_EMAIL", email=B, newEmail=A), "EMAIL_EXISTS"),
    "change, taken": (
        in_users_name("sendOobCode", requestType="VERIFY_AND_CHANGE_EMAIL", newEmail=A),
        "EMAIL_EXISTS"),
    "update": (change_address, (C, C, False)),
    "update, taken": (in_users_name("update", email=A), "EMAIL_EXISTS"),
    "update by the owner, taken": (
        lambda p: p.admin_error("/accounts:update", {"localId": "none", "email": A}),
        "EMAIL_EXISTS"),
    "update by the owner, unknown": (
        lambda p: p.admin_error("/accounts:update", {"localId": "x"}), "USER_NOT_FOUND"),
    "delete by the owner, unknown": (
        lambda p: p.admin_error("/accounts:delete", {"localId": "x"}), "USER_NOT_FOUND"),
    "lookup by the owner": (
        lambda p: p.admin("/accounts:lookup", {"email": [A]})["users"][0]["email"], A),
    "lookup by the owner, unknown": (
        lambda p: "users" in p.admin("/accounts:lookup", {"email": [C]}), False),
    "reset code, unknown": (
        lambda p: p.error("resetPassword", {"oobCode": "x"}), "INVALID_OOB_CODE"),
    "link code, unknown": (
        lambda p: p.error("signInWithEmailLink", {"email": C, "oobCode": "x"}),
        "INVALID_OOB_CODE"),
    "identity provider": (
        lambda p: p.idp("facebook.com", {"sub": "1", "email": A}).get("needConfirmation"), True),
    "createAuthUri, no identifier": (uri_error(identifier=""), "MISSING_IDENTIFIER"),
    "createAuthUri, no uri": (uri_error(continueUri=""), "MISSING_CONTINUE_URI"),
    "createAuthUri, bad identifier": (uri_error(identifier="x"), "INVALID_IDENTIFIER"),
    "createAuthUri, bad uri": (uri_error(continueUri="x"), "INVALID_CONTINUE_URI"),
}


def people(project) -> None:
    """A is verified, B is not, one has no password, one is disabled."""
    project.verified(A)
    project.sign_up(B)
    project.admin("/accounts", {"localId": "none", "email": "none@example.com"})
    project.admin("/accounts", {
        "localId": "off", "email": "off@example.com", "password": "secret1", "disabled": True})


@pytest.mark.parametrize("private", [False, True], ids=["open", "private"])
@pytest.mark.parametrize("row", PRIVACY.values(), ids=PRIVACY)
def test_what_privacy_changes(project, row, private):
    people(project)
    if private:
        privacy(project)
    ask, expected = row[0], row[-1] if private else row[1]
    assert ask(project) == expected


def test_identity_providers_do_not_notice_privacy(project):
    privacy(project)
    project.verified(A)
    answer = google(project, "1")
    assert answer.get("isNewUser", False) is False
    assert claims(answer)["firebase"]["identities"] == {"email": [A], "google.com": ["1"]}


@pytest.mark.parametrize("tenant", [None, "t1"])
@pytest.mark.parametrize("way", ["config", "view"])
def test_privacy_is_switched_on_and_off(project, way, tenant):
    """For the tenants too."""
    body = {"email": C, "password": "secret1"} | ({"tenantId": tenant} if tenant else {})
    messages = []
    for value in (False, True, False):
        given = {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": value}}
        if way == "config":
            patch(project, given, "emailPrivacyConfig.enableImprovedEmailPrivacy")
        else:
            project.request("PATCH", f"{project.control}/config", json=given)
        assert view(project)["emailPrivacyConfig"] == given["emailPrivacyConfig"]
        messages.append(project.error("signInWithPassword", body))
    assert messages == ["EMAIL_NOT_FOUND", LOGIN, "EMAIL_NOT_FOUND"]


RESET_FAULTS = {
    "PROJECT_DISABLED": ("tenantId", None),
    "MISSING_REQ_TYPE": ("requestType", "OOB_REQ_TYPE_UNSPECIFIED"),
    "INSUFFICIENT_PERMISSION": ("returnOobLink", True),
    "INVALID_CONTINUE_URI : ((expected an absolute URI with valid scheme and host))": (
        "continueUrl", "x"),
    "MISSING_EMAIL": ("email", ""),
}


@pytest.mark.parametrize("first, second", [
    pytest.param(*pair, id=" before ".join(fault.split(" ")[0] for fault in pair))
    for pair in itertools.combinations(RESET_FAULTS, 2)])
def test_the_order_of_a_private_reset(project, first, second):
    """Privacy hides the address, not the faults of the request."""
    privacy(project)
    body = {"requestType": "PASSWORD_RESET", "email": C}
    for fault in (first, second):
        name, value = RESET_FAULTS[fault]
        body[name] = project.disabled_tenant() if name == "tenantId" else value
    assert project.error("sendOobCode", body) == first


@pytest.mark.parametrize("body, message", cases({
    "disabled before the address": ({"tenantId": None, "email": "x"}, "PROJECT_DISABLED"),
    "address before the password": ({"email": "x", "password": ""}, "INVALID_EMAIL"),
    "password before the user": ({"email": C, "password": ""}, "MISSING_PASSWORD"),
    "user before the password's worth": ({"email": C, "password": "x"}, LOGIN),
    "disabled user before the password": (
        {"email": "off@example.com", "password": "x"}, "USER_DISABLED"),
}))
def test_the_order_of_a_private_sign_in(project, body, message):
    people(project)
    privacy(project)
    if "tenantId" in body:
        body = body | {"tenantId": project.disabled_tenant()}
    assert project.error("signInWithPassword", body) == message


def test_a_private_sign_in_without_a_password_in_a_tenant(project):
    tenant = project.tenant(enableAnonymousUser=True)
    privacy(project)
    for body in ({}, {"email": A, "password": "x"}):
        assert project.error("signInWithPassword", {**body, "tenantId": tenant}) == (
            "PASSWORD_LOGIN_DISABLED")


def test_the_owner_may_change_everything_while_privacy_is_on(project):
    privacy(project)
    session = project.sign_up(A)
    update(project, session["localId"], email=B, password="secret2")
    assert project.user(session["localId"])["email"] == B
    assert project.sign_in(B, password="secret2")["registered"] is True
