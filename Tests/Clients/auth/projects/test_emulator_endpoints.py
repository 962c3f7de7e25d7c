"""What only an emulator has: clearing, pending codes, its configuration."""

import json
import queue
import re
import urllib.parse

import pytest
from support.auth.functions import Functions
from support.auth.projects import MODES, oob_codes, scope
from support.auth.routes import error, hearth, http, of_schema, send  # noqa: F401
from support.server import Server
from support.steering import Steered, guard, project  # noqa: F401

SCHEMA = "Invalid JSON payload received. "
A, B = "a@example.com", "b@example.com"
ONE, TWO = "+15555550100", "+15555550101"
DEFAULTS = {
    "signIn": {"allowDuplicateEmails": False},
    "emailPrivacyConfig": {"enableImprovedEmailPrivacy": False},
}


def clear(project, tenant: str | None = None) -> None:
    assert project.request("DELETE", f"{scope(project, tenant)}/accounts") == {}


def config(project) -> dict:
    return project.request("GET", f"{project.control}/config")


def change_config(project, body, status: int = 200) -> dict:
    return project.request("PATCH", f"{project.control}/config", status, json=body)


def ids(project, tenant: str | None = None) -> set[str]:
    return {user["localId"] for user in project.users(tenant)}


# MARK: Clearing


@pytest.fixture
def populated(project):
    """Users in the project and in two tenants."""
    for tenant in (None, "t1", "t2"):
        project.admin(
            "/accounts",
            {"localId": f"u-{tenant}", "email": A, "password": "secret1", "phoneNumber": ONE},
            tenant=tenant,
        )
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
    """Addresses, numbers and provider ids find no user."""
    session = project.sign_up(A)
    project.admin(
        "/accounts:update",
        {
            "localId": session["localId"],
            "phoneNumber": ONE,
            "linkProviderUserInfo": {"providerId": "google.com", "rawId": "g", "email": A},
        },
    )
    clear(project)
    assert project.error("lookup", {"idToken": session["idToken"]}) == "USER_NOT_FOUND"
    assert project.error("signInWithPassword", {"email": A, "password": "secret1"}) == (
        "EMAIL_NOT_FOUND"
    )
    for found in (
        {"email": [A]},
        {"phoneNumber": [ONE]},
        {"federatedUserId": [{"providerId": "google.com", "rawId": "g"}]},
    ):
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
    assert project.call("signInWithEmailLink", {"email": B, "oobCode": link["oobCode"]})[
        "isNewUser"
    ]
    assert project.call(
        "signInWithPhoneNumber", {"sessionInfo": sms["sessionInfo"], "code": sms["code"]}
    )["isNewUser"]
    # Its user is gone.
    assert (
        project.error(
            "resetPassword", {"oobCode": before[0][0]["oobCode"], "newPassword": "secret2"}
        )
        == "INVALID_OOB_CODE"
    )


def test_a_recovery_after_clearing(project):
    """Without a user to recover."""
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
            event = functions.calls.get(timeout=30)[3]
            event = event if isinstance(event, dict) else json.loads(event)
            seen.add((event["eventType"].rsplit(".", 1)[1], event["data"]["uid"]))
        assert seen == {("create", one), ("create", two), ("delete", two)}
        with pytest.raises(queue.Empty):
            functions.calls.get(timeout=0.3)
    finally:
        server.stop()
        functions.close()


# MARK: Pending codes


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
    call(
        "sendOobCode",
        {
            "requestType": "EMAIL_SIGNIN",
            "email": "No-Body@example.com",
            "continueUrl": "http://localhost/?a=b c",
        },
    )
    call("sendOobCode", {"requestType": "PASSWORD_RESET", "email": A})
    call("sendOobCode", {"requestType": "VERIFY_EMAIL", **token})
    call(
        "sendOobCode",
        {"requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": "New@example.com", **token},
    )
    shown = project.admin(
        "/accounts:sendOobCode",
        {"requestType": "PASSWORD_RESET", "email": A, "returnOobLink": True},
        tenant=tenant,
    )
    call("update", {"email": B, **token})
    codes = oob_codes(project, tenant)
    assert [(code["requestType"], code["email"]) for code in codes] == [
        ("EMAIL_SIGNIN", "no-body@example.com"),
        ("PASSWORD_RESET", A),
        ("VERIFY_EMAIL", A),
        ("VERIFY_AND_CHANGE_EMAIL", A),
        ("PASSWORD_RESET", A),
        ("RECOVER_EMAIL", A),
    ]
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
    for body in (
        {"requestType": "EMAIL_SIGNIN", "email": A},
        {"requestType": "PASSWORD_RESET", "email": A},
        {"requestType": "VERIFY_EMAIL", **token},
        {"requestType": "VERIFY_AND_CHANGE_EMAIL", "newEmail": B, **token},
    ):
        call("sendOobCode", body)
    by_type = {code["requestType"]: code["oobCode"] for code in oob_codes(project, tenant)}
    uses = [
        ("resetPassword", {"oobCode": by_type["PASSWORD_RESET"], "newPassword": "secret2"}),
        ("update", {"oobCode": by_type["VERIFY_EMAIL"]}),
        ("signInWithEmailLink", {"oobCode": by_type["EMAIL_SIGNIN"], "email": A}),
        ("update", {"oobCode": by_type["VERIFY_AND_CHANGE_EMAIL"]}),
    ]
    for verb, body in uses:
        # Looking at a code leaves it.
        call("resetPassword", {"oobCode": body["oobCode"]})
        assert body["oobCode"] in {code["oobCode"] for code in oob_codes(project, tenant)}
        call(verb, body)
        assert body["oobCode"] not in {code["oobCode"] for code in oob_codes(project, tenant)}
    [left] = oob_codes(project, tenant)
    assert (left["requestType"], left["email"]) == ("RECOVER_EMAIL", A)


def test_codes_belong_to_their_project_or_tenant(project):
    for tenant in (None, "t1", "t2"):
        email = f"{tenant}@example.com".lower()
        project.call(
            "sendOobCode",
            {"requestType": "EMAIL_SIGNIN", "email": email}
            | ({"tenantId": tenant} if tenant else {}),
        )
    for tenant in (None, "t1", "t2"):
        assert [code["email"] for code in oob_codes(project, tenant)] == [
            f"{tenant}@example.com".lower()
        ]
    assert oob_codes(Steered(project.server)) == []


# MARK: Codes of text messages


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
    project.factor(
        "mfaSignIn:start",
        {
            "mfaPendingCredential": pending["mfaPendingCredential"],
            "tenantId": "t1",
            "mfaEnrollmentId": pending["mfaInfo"][0]["mfaEnrollmentId"],
            "phoneSignInInfo": {},
        },
    )
    *_, code = project.codes("t1")
    assert code.keys() == {"code", "phoneNumber", "sessionInfo"}
    assert code["phoneNumber"] == ONE and project.codes() == []


def test_the_list_has_one_member(project):
    answer = project.request("GET", f"{project.control}/verificationCodes")
    assert answer == {"verificationCodes": []}


# MARK: The emulator's config


def test_the_config_at_the_start(project):
    assert config(project) == DEFAULTS


@pytest.mark.parametrize("duplicates", [True, False, None])
@pytest.mark.parametrize("privacy", [True, False, None])
@pytest.mark.parametrize("start", [True, False])
def test_only_the_members_present_are_changed(project, duplicates, privacy, start):
    state = {
        "signIn": {"allowDuplicateEmails": start},
        "emailPrivacyConfig": {"enableImprovedEmailPrivacy": start},
    }
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


def test_unknown_members_of_the_config(project):
    state = DEFAULTS | {"signIn": {"allowDuplicateEmails": True}}
    assert (
        change_config(
            project,
            {
                "unknown": 1,
                "signIn": {"allowDuplicateEmails": True, "unknown": {}, "email": 5},
                "blockingFunctions": {"triggers": {"beforeCreate": {"functionUri": "http://x"}}},
            },
        )
        == state
    )
    assert project.owner("GET", f"{project.v2}/config")["blockingFunctions"] == {}


def test_the_config_keeps_blocking_functions_to_itself(project):
    triggers = {"triggers": {"beforeCreate": {"functionUri": "http://localhost:1/"}}}
    project.configure("blockingFunctions", blockingFunctions=triggers)
    assert config(project) == DEFAULTS
    changed = {"signIn": {"allowDuplicateEmails": True}}
    assert change_config(project, changed) == DEFAULTS | changed
    whole = project.owner("GET", f"{project.v2}/config")
    assert whole["blockingFunctions"]["triggers"]["beforeCreate"]["functionUri"] == (
        "http://localhost:1/"
    )


@pytest.mark.parametrize(
    "body, problem",
    [
        ({"signIn": True}, "/signIn must be object"),
        ({"signIn": []}, "/signIn must be object"),
        (
            {"signIn": {"allowDuplicateEmails": "true"}},
            "/signIn/allowDuplicateEmails must be boolean",
        ),
        (
            {"sign_in": {"allow_duplicate_emails": 1}},
            "/signIn/allowDuplicateEmails must be boolean",
        ),
        (
            {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": None}},
            "/emailPrivacyConfig/enableImprovedEmailPrivacy must be boolean",
        ),
        ([], " must be object"),
    ],
    ids=lambda value: json.dumps(value),
)
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
