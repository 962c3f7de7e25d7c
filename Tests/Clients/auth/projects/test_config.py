"""What clients may read of a project, and the stored configuration."""

import pytest
import requests
from support.auth.accounts import INSUFFICIENT, cases, hearth  # noqa: F401
from support.auth.project import IT
from support.auth.projects import FRESH, config, duplicate, patch, view
from support.steering import guard, project  # noqa: F401
from support.wire import V3

SCHEMA = "Invalid JSON payload received. "
A, B, C = "a@example.com", "b@example.com", "c@example.com"


# MARK: What clients may read

PROJECTS = {"projectId": "12345", "authorizedDomains": ["localhost"]}


def get(project, path: str, status: int = 200, **params) -> dict:
    return project.request("GET", path, status, params={"key": project.id, **params})


@pytest.mark.parametrize(
    "name, value",
    [
        *(
            (name, "x")
            for name in (
                "androidPackageName",
                "clientId",
                "delegatedProjectNumber",
                "firebaseAppId",
                "iosBundleId",
                "projectNumber",
                "sha1Cert",
                "unknown",
            )
        ),
        ("returnDynamicLink", "true"),
        ("returnDynamicLink", "false"),
        ("prettyPrint", "true"),
        ("alt", "json"),
    ],
)
def test_projects(project, name, value):
    """The number, where the id is asked for."""
    assert get(project, f"{IT}/v1/projects", **{name: value}) == PROJECTS


@pytest.mark.parametrize("path", [f"{IT}/v1/projects", V3 + "getProjectConfig"])
def test_projects_for_every_credential(project, path):
    assert get(project, path) == PROJECTS
    assert project.owner("GET", path) == PROJECTS
    project.request("GET", path, 403)


@pytest.mark.parametrize(
    "name, problem",
    [
        ("returnDynamicLink", " must be boolean"),
        ("alt", " must be equal to one of the allowed values"),
        ("prettyPrint", " must be boolean"),
    ],
)
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


@pytest.mark.parametrize(
    "path, allowed",
    [
        (f"{IT}/v1/projects", {"GET"}),
        (f"{IT}/v1/recaptchaParams", {"GET"}),
        (f"{IT}/v2/projects/p/config", {"GET", "PATCH"}),
    ],
)
def test_methods_of_what_is_read(project, path, allowed):
    reply = requests.post(project.server.auth + path, json={}, timeout=30)
    assert reply.status_code == 405
    assert {name.strip() for name in reply.headers["Allow"].split(",")} == allowed
    assert reply.json()["message"] == f"Method POST not allowed for {path}"


# MARK: The stored object

SIGN_IN = {"signIn": {"allowDuplicateEmails": True}}
PRIVATE = {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": True}}
CREATE = {"beforeCreate": {"functionUri": "http://localhost/f"}}
FUNCTIONS = {"blockingFunctions": {"triggers": CREATE}}
SET = SIGN_IN | FUNCTIONS | PRIVATE


def test_the_default_configuration(project):
    assert config(project) == FRESH
    assert view(project) == {name: FRESH[name] for name in ("signIn", "emailPrivacyConfig")}


@pytest.mark.parametrize("mask", [None, ""], ids=["no mask", "empty mask"])
@pytest.mark.parametrize(
    "given, expected",
    cases(
        {
            "nothing": ({}, {}),
            "all": (SET, SET),
            "one": (SIGN_IN, SIGN_IN),
            "privacy": (PRIVATE, PRIVATE),
            "functions": (FUNCTIONS, FUNCTIONS),
            "empty members": (
                {"signIn": {}, "emailPrivacyConfig": {}, "blockingFunctions": {}},
                {},
            ),
            "false": (
                {
                    "signIn": {"allowDuplicateEmails": False},
                    "emailPrivacyConfig": {"enableImprovedEmailPrivacy": False},
                },
                {},
            ),
            "snake case": ({"sign_in": {"allow_duplicate_emails": True}}, SIGN_IN),
            "others": (
                {
                    "authorizedDomains": ["example.com"],
                    "autodeleteAnonymousUsers": True,
                    "client": {"permissions": {"disabledUserSignup": True}},
                    "mfa": {"state": "DISABLED"},
                    "mobileLinksConfig": {},
                    "monitoring": {"requestLogging": {"enabled": True}},
                    "multiTenant": {"allowTenants": True},
                    "name": "projects/x/config",
                    "notification": {"defaultLocale": "de"},
                    "quota": {},
                    "recaptchaConfig": {},
                    "smsRegionConfig": {},
                    "subtype": "FIREBASE_AUTH",
                    "unknown": [1],
                },
                {},
            ),
            "others of the same member": (
                {
                    "signIn": {
                        "allowDuplicateEmails": True,
                        "email": {"enabled": True},
                        "anonymous": {"enabled": True},
                    }
                },
                SIGN_IN,
            ),
        }
    ),
)
def test_a_full_replacement(project, mask, given, expected):
    """Whatever is not given falls back to its default; what has no effect is not kept."""
    patch(project, SET)
    assert patch(project, given, mask) == FRESH | expected
    assert config(project) == FRESH | expected


@pytest.mark.parametrize(
    "mask, given, expected",
    cases(
        {
            "a leaf": ("signIn.allowDuplicateEmails", SET, SIGN_IN),
            "a parent": ("emailPrivacyConfig", SET, PRIVATE),
            "two": (
                "signIn.allowDuplicateEmails,emailPrivacyConfig.enableImprovedEmailPrivacy",
                SET,
                SIGN_IN | PRIVATE,
            ),
            "three": ("signIn,emailPrivacyConfig,blockingFunctions", SET, SET),
            "inside functions": ("blockingFunctions.triggers", SET, FUNCTIONS),
            "deep inside functions": (
                "blockingFunctions.triggers.beforeCreate.functionUri",
                SET,
                FUNCTIONS,
            ),
            "what is not given": ("signIn", PRIVATE, {}),
            "a leaf that is not given": ("signIn.allowDuplicateEmails", {"signIn": {}}, {}),
            "a leaf below nothing": ("signIn.allowDuplicateEmails", {}, {}),
            "one that is given, one that is not": (
                "signIn.allowDuplicateEmails,emailPrivacyConfig.enableImprovedEmailPrivacy",
                PRIVATE,
                PRIVATE,
            ),
            "a parent replaces all": ("signIn", {"signIn": {}}, {"signIn": {}}),
            "a parent with others": (
                "signIn",
                {"signIn": {"email": {"enabled": True}}},
                {"signIn": {"email": {"enabled": True}}},
            ),
            "another leaf of a parent": (
                "signIn.email.enabled",
                {"signIn": {"email": {"enabled": True}}},
                {"signIn": {"allowDuplicateEmails": False, "email": {"enabled": True}}},
            ),
            "another member": (
                "multiTenant.allowTenants",
                {"multiTenant": {"allowTenants": False}},
                {"multiTenant": {"allowTenants": False}},
            ),
            "a list": (
                "authorizedDomains",
                {"authorizedDomains": ["a.b", "c"]},
                {"authorizedDomains": ["a.b", "c"]},
            ),
            "nobody knows it": (
                "custom.deep.value",
                {"custom": {"deep": {"value": 1, "other": 2}}},
                {"custom": {"deep": {"value": 1}}},
            ),
            "nobody knows it, whole": (
                "custom",
                {"custom": [1, "x", {"a": True}]},
                {"custom": [1, "x", {"a": True}]},
            ),
            "nobody knows it, nor is it given": ("custom", {}, {}),
            "an empty text": ("custom", {"custom": ""}, {"custom": ""}),
        }
    ),
)
def test_a_masked_update(project, mask, given, expected):
    assert patch(project, given, mask) == FRESH | expected
    assert config(project) == FRESH | expected


def test_a_masked_update_leaves_the_rest(project):
    patch(project, SET)
    off = {"signIn": {"allowDuplicateEmails": False}}
    assert patch(project, off | PRIVATE, "signIn.allowDuplicateEmails") == SET | off
    assert patch(project, {"blockingFunctions": {}}, "blockingFunctions") == (
        SET | off | {"blockingFunctions": {}}
    )


def test_a_switch_that_vanished_reads_as_off(project):
    patch(project, SIGN_IN | PRIVATE)
    patch(project, {"signIn": {}, "emailPrivacyConfig": {}}, "signIn,emailPrivacyConfig")
    assert config(project) == {"signIn": {}, "blockingFunctions": {}, "emailPrivacyConfig": {}}
    assert view(project) == {name: FRESH[name] for name in ("signIn", "emailPrivacyConfig")}
    assert duplicate(project) is False
    assert project.error("signInWithPassword", {"email": C, "password": "x"}) == "EMAIL_NOT_FOUND"


@pytest.mark.parametrize(
    "body, problem",
    cases(
        {
            "authorizedDomains": ({"authorizedDomains": "x"}, "/authorizedDomains must be array"),
            "a domain": ({"authorizedDomains": [True]}, "/authorizedDomains/0 must be string"),
            "autodeleteAnonymousUsers": (
                {"autodeleteAnonymousUsers": "true"},
                "/autodeleteAnonymousUsers must be boolean",
            ),
            **{
                name: ({name: "x"}, f"/{name} must be object")
                for name in (
                    "blockingFunctions",
                    "client",
                    "emailPrivacyConfig",
                    "mfa",
                    "mobileLinksConfig",
                    "monitoring",
                    "multiTenant",
                    "notification",
                    "passwordPolicyConfig",
                    "quota",
                    "recaptchaConfig",
                    "signIn",
                    "smsRegionConfig",
                )
            },
            "name": ({"name": True}, "/name must be string"),
            "subtype": ({"subtype": "x"}, "/subtype must be equal to one of the allowed values"),
            "allowDuplicateEmails": (
                {"signIn": {"allowDuplicateEmails": "true"}},
                "/signIn/allowDuplicateEmails must be boolean",
            ),
            "a number": (
                {"signIn": {"allowDuplicateEmails": 1}},
                "/signIn/allowDuplicateEmails must be boolean",
            ),
            "enableImprovedEmailPrivacy": (
                {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": "on"}},
                "/emailPrivacyConfig/enableImprovedEmailPrivacy must be boolean",
            ),
            "null": ({"signIn": None}, "/signIn must be object"),
            "triggers": (
                {"blockingFunctions": {"triggers": []}},
                "/blockingFunctions/triggers must be object",
            ),
            "a trigger": (
                {"blockingFunctions": {"triggers": {"beforeCreate": "http://x"}}},
                "/blockingFunctions/triggers/beforeCreate must be object",
            ),
            "functionUri": (
                {"blockingFunctions": {"triggers": {"beforeCreate": {"functionUri": {}}}}},
                "/blockingFunctions/triggers/beforeCreate/functionUri must be string",
            ),
        }
    ),
)
def test_types_of_the_configuration(project, body, problem):
    answer = patch(project, body, "signIn", 400)
    assert answer["error"]["message"] == SCHEMA + problem
    assert answer["error"]["status"] == "INVALID_ARGUMENT"
    # Before privilege.
    answer = project.request(
        "PATCH", f"{project.v2}/config", 400, params={"key": project.id}, json=body
    )
    assert answer["error"]["message"] == SCHEMA + problem
    assert config(project) == FRESH


TYPE = "INVALID_BLOCKING_FUNCTION : ((Event type is invalid.))"
URI = "INVALID_BLOCKING_FUNCTION : ((Expected an absolute URI with valid scheme and host.))"


def triggers(**events) -> dict:
    return {
        "blockingFunctions": {
            "triggers": {name: {"functionUri": uri} for name, uri in events.items()}
        }
    }


@pytest.mark.parametrize(
    "mask", [None, "signIn", "blockingFunctions"], ids=["no mask", "another mask", "mask"]
)
@pytest.mark.parametrize(
    "body, message",
    cases(
        {
            "an event": (triggers(beforeDelete="http://localhost"), TYPE),
            "an event beside a good one": (
                triggers(beforeCreate="http://localhost", afterCreate="http://localhost"),
                TYPE,
            ),
            "an event before its address": (triggers(other="relative"), TYPE),
            "an address": (triggers(beforeCreate="relative"), URI),
            "a path": (triggers(beforeSignIn="/f"), URI),
            "a scheme alone": (triggers(beforeSignIn="http://"), URI),
            "an empty address": (triggers(beforeSignIn=""), URI),
            "an address beside a good one": (
                triggers(beforeCreate="http://localhost", beforeSignIn="localhost"),
                URI,
            ),
            "no address": ({"blockingFunctions": {"triggers": {"beforeCreate": {}}}}, URI),
            "mail": (triggers(beforeCreate="mailto:x"), URI),
            "a host for a scheme": (triggers(beforeCreate="localhost:5001/f"), URI),
            "a socket": (triggers(beforeCreate="http+unix://%2Ftmp%2Fsocket/f"), URI),
        }
    ),
)
def test_functions_that_are_refused(project, body, message, mask):
    """Nothing of the request is stored."""
    answer = patch(project, body | SIGN_IN, mask, 400)
    assert answer["error"]["message"] == message and "status" not in answer["error"]
    assert config(project) == FRESH


@pytest.mark.parametrize("uri", ["http://localhost", "https://user:pw@example.com:8443/a?b#c"])
def test_functions_that_are_taken(project, uri):
    body = triggers(beforeCreate=uri, beforeSignIn=uri)
    assert patch(project, body) == FRESH | body


def test_the_names_of_events_in_other_spellings(project):
    body = {
        "blocking_functions": {"triggers": {"before_create": {"function_uri": "http://localhost"}}}
    }
    assert patch(project, body) == FRESH | triggers(beforeCreate="http://localhost")


@pytest.mark.parametrize("method", ["GET", "PATCH"])
def test_the_configuration_wants_the_owner(project, method):
    options = {"json": SET} if method == "PATCH" else {}
    path = f"{project.v2}/config"
    answer = project.request(method, path, 400, params={"key": project.id}, **options)
    assert answer["error"]["message"] == INSUFFICIENT
    project.request(method, path, 403, **options)
    assert config(project) == FRESH
