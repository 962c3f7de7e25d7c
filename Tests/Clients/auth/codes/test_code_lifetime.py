"""What a mailed code records, what uses it up, and what leaves it usable."""

import re
import urllib.parse

import pytest
import requests
from support.auth.accounts import cases, hearth  # noqa: F401
from support.auth.records import as_owner, newest, pending, send
from support.server import PROJECT
from support.steering import guard, project  # noqa: F401

A, B, C = "a@example.com", "b@example.com", "c@example.com"


def is_pending(project, code: str) -> bool:
    return any(one["oobCode"] == code for one in pending(project))


# MARK: Formats

WEAK = "WEAK_PASSWORD : Password should be at least 6 characters"


# MARK: Mailed codes

CODE = r"[A-Za-z0-9_-]{54}"
MODES = {
    "EMAIL_SIGNIN": "signIn",
    "PASSWORD_RESET": "resetPassword",
    "VERIFY_EMAIL": "verifyEmail",
    "VERIFY_AND_CHANGE_EMAIL": "verifyAndChangeEmail",
    "RECOVER_EMAIL": "recoverEmail",
}


def request_of(kind: str, session: dict) -> dict:
    return {
        "requestType": kind,
        "email": A,
        "idToken": session["idToken"],
        **({"newEmail": "New@Example.com"} if kind == "VERIFY_AND_CHANGE_EMAIL" else {}),
    }


def form_encoded(text: str) -> str:
    encoded = urllib.parse.quote(text, safe="*-._").replace("~", "%7E")
    return encoded.replace("%20", "+")


@pytest.mark.parametrize("kind", MODES)
def test_the_record_of_a_code(project, kind):
    session = project.sign_up(A)
    if kind == "RECOVER_EMAIL":
        project.call("update", {"idToken": session["idToken"], "email": B})
    else:
        project.call("sendOobCode", request_of(kind, session))
    [code] = pending(project)
    expected = ["email", "newEmail", "requestType", "oobCode", "oobLink"]
    if kind != "VERIFY_AND_CHANGE_EMAIL":
        expected.remove("newEmail")
    assert list(code) == expected
    assert (code["email"], code["requestType"]) == (A, kind)
    assert code.get("newEmail", "new@example.com") == "new@example.com"
    assert re.fullmatch(CODE, code["oobCode"])
    assert code["oobLink"] == (
        f"{project.server.auth}/emulator/action?mode={MODES[kind]}&lang=en"
        f"&oobCode={code['oobCode']}&apiKey={project.id}"
    )


def test_the_key_in_a_link_of_the_default_project(hearth, address):
    hearth.accounts("signUp", {"email": address, "password": "secret1"})
    answer = hearth.admin(
        "/accounts:sendOobCode",
        {"requestType": "PASSWORD_RESET", "email": address, "returnOobLink": True},
    )
    assert answer["oobLink"] == (
        f"{hearth.auth}/emulator/action?mode=resetPassword&lang=en&oobCode={answer['oobCode']}"
        "&apiKey=fake-api-key"
    )
    codes = requests.get(
        f"{hearth.auth}/emulator/v1/projects/{PROJECT}/oobCodes", timeout=30
    ).json()["oobCodes"]
    assert answer["oobLink"] in [code["oobLink"] for code in codes]


@pytest.mark.parametrize(
    "url",
    cases(
        {
            "plain": "http://localhost/",
            "query": "http://x/?a=b&c=d#e",
            "marks": "x:a b~!*'()-._+%,;:@/é😀",
        }
    ),
)
@pytest.mark.parametrize("tenant", [None, "t 1&"])
def test_what_a_link_says(project, url, tenant):
    """In that order, encoded as a form; the language is the one asked for."""
    more = {"tenantId": tenant} if tenant else {}
    path = "/tenants/" + urllib.parse.quote(tenant, safe="") if tenant else ""
    project.request(
        "POST",
        "/identitytoolkit.googleapis.com/v1/accounts:sendOobCode",
        json={"requestType": "EMAIL_SIGNIN", "email": A, "continueUrl": url, **more},
        params={"key": project.id},
        headers={"X-Firebase-Locale": "de", "Accept-Language": "de", "X-Forwarded-Proto": "https"},
    )
    [code] = project.request("GET", f"{project.control}{path}/oobCodes")["oobCodes"]
    link = (
        f"{project.server.auth}/emulator/action?mode=signIn&lang=de"
        f"&oobCode={code['oobCode']}&apiKey={project.id}&continueUrl={form_encoded(url)}"
    )
    assert code["oobLink"] == link + (f"&tenantId={form_encoded(tenant)}" if tenant else "")
    assert tenant is None or pending(project) == []


def test_several_codes_are_valid_at_once(project):
    project.sign_up(A)
    codes = [send(project, "PASSWORD_RESET", email=A) for _ in range(3)]
    assert len(set(codes)) == 3 and [one["oobCode"] for one in pending(project)] == codes
    for at, code in enumerate((codes[1], codes[0], codes[2])):
        project.call("resetPassword", {"oobCode": code, "newPassword": f"secret{at}"})
        project.sign_in(A, password=f"secret{at}")
        assert project.error("resetPassword", {"oobCode": code}) == "INVALID_OOB_CODE"
    assert pending(project) == []


def by_account(p, verb, **fields):
    return p.error(verb, fields)


# name: (kind, call with the code, message): these leave the code as it is.
KEPT = {
    "inspection": ("PASSWORD_RESET", lambda p, c: p.call("resetPassword", {"oobCode": c}), None),
    "inspection of another kind": (
        "VERIFY_EMAIL",
        lambda p, c: p.call("resetPassword", {"oobCode": c}),
        None,
    ),
    "weak password": (
        "PASSWORD_RESET",
        lambda p, c: by_account(p, "resetPassword", oobCode=c, newPassword="short"),
        WEAK,
    ),
    "reset with a link": (
        "EMAIL_SIGNIN",
        lambda p, c: by_account(p, "resetPassword", oobCode=c, newPassword="secret2"),
        "INVALID_OOB_CODE",
    ),
    "reset with a verification": (
        "VERIFY_EMAIL",
        lambda p, c: by_account(p, "resetPassword", oobCode=c, newPassword="secret2"),
        "INVALID_OOB_CODE",
    ),
    "link with a reset": (
        "PASSWORD_RESET",
        lambda p, c: by_account(p, "signInWithEmailLink", oobCode=c, email=A),
        "INVALID_OOB_CODE",
    ),
    "link of somebody else": (
        "EMAIL_SIGNIN",
        lambda p, c: by_account(p, "signInWithEmailLink", oobCode=c, email=B),
        "INVALID_EMAIL : The email provided does not match the sign-in email address.",
    ),
    "link without an address": (
        "EMAIL_SIGNIN",
        lambda p, c: by_account(p, "signInWithEmailLink", oobCode=c),
        "MISSING_EMAIL",
    ),
    "update with a reset": (
        "PASSWORD_RESET",
        lambda p, c: p.post(
            "/identitytoolkit.googleapis.com/v1/accounts:update", {"oobCode": c}, 501
        )["error"]["message"],
        "PASSWORD_RESET",
    ),
    "update with a link": (
        "EMAIL_SIGNIN",
        lambda p, c: p.post(
            "/identitytoolkit.googleapis.com/v1/accounts:update", {"oobCode": c}, 501
        )["error"]["message"],
        "EMAIL_SIGNIN",
    ),
    "another tenant": (
        "PASSWORD_RESET",
        lambda p, c: by_account(
            p, "resetPassword", oobCode=c, newPassword="secret2", tenantId="t1"
        ),
        "INVALID_OOB_CODE",
    ),
    "update of a claim that is reserved": (
        "VERIFY_EMAIL",
        lambda p, c: p.admin_error(
            "/accounts:update", {"localId": "x", "oobCode": c, "customAttributes": '{"sub":1}'}
        ),
        "FORBIDDEN_CLAIM : sub",
    ),
}


@pytest.mark.parametrize("kind, call, message", cases(KEPT))
def test_what_leaves_a_code_usable(project, kind, call, message):
    session = project.sign_up(A)
    project.call("sendOobCode", request_of(kind, session))
    code = newest(project)
    answer = call(project, code)
    assert message is None or answer == message
    assert is_pending(project, code)
    match kind:
        case "PASSWORD_RESET":
            project.call("resetPassword", {"oobCode": code, "newPassword": "secret2"})
        case "EMAIL_SIGNIN":
            project.call("signInWithEmailLink", {"oobCode": code, "email": A})
        case _:
            project.call("update", {"oobCode": code})
    assert not is_pending(project, code)


def test_the_action_page_of_a_link_leaves_its_code(hearth, address):
    hearth.accounts(
        "sendOobCode",
        {"requestType": "EMAIL_SIGNIN", "email": address, "continueUrl": "http://localhost/"},
    )
    link = hearth.mail(address, "EMAIL_SIGNIN")["oobLink"]
    reply = requests.get(link, allow_redirects=False, timeout=30)
    assert reply.status_code == 303
    code = urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)["oobCode"][0]
    assert hearth.accounts("signInWithEmailLink", {"oobCode": code, "email": address})["idToken"]


def delete(project, session):
    project.admin("/accounts:delete", {"localId": session["localId"]})


def taken(email: str):
    return lambda p, session: p.sign_up(email)


def use(kind: str, code: str) -> tuple[str, dict]:
    return {
        "PASSWORD_RESET": ("resetPassword", {"oobCode": code, "newPassword": "secret2"}),
        "EMAIL_SIGNIN": ("signInWithEmailLink", {"oobCode": code, "email": A}),
    }.get(kind, ("update", {"oobCode": code}))


# name: (kind, what happens meanwhile, message): these use the code up.
SPENT = {
    "reset, user gone": ("PASSWORD_RESET", delete, "INVALID_OOB_CODE"),
    "reset, another address": ("PASSWORD_RESET", as_owner(email=B), "INVALID_OOB_CODE"),
    "verification, user gone": ("VERIFY_EMAIL", delete, "INVALID_OOB_CODE"),
    "verification, another address": ("VERIFY_EMAIL", as_owner(email=B), "INVALID_OOB_CODE"),
    "change, user gone": ("VERIFY_AND_CHANGE_EMAIL", delete, "INVALID_OOB_CODE"),
    "change, another address": ("VERIFY_AND_CHANGE_EMAIL", as_owner(email=B), "INVALID_OOB_CODE"),
    "change, taken": ("VERIFY_AND_CHANGE_EMAIL", taken("new@example.com"), "EMAIL_EXISTS"),
    "recovery, user gone": ("RECOVER_EMAIL", delete, "INVALID_OOB_CODE"),
    "recovery, taken": ("RECOVER_EMAIL", taken(A), "EMAIL_EXISTS"),
    "recovery, done by hand": ("RECOVER_EMAIL", as_owner(email=A), "EMAIL_EXISTS"),
    "link, disabled": ("EMAIL_SIGNIN", as_owner(disableUser=True), "USER_DISABLED"),
}


@pytest.mark.parametrize("kind, meanwhile, message", cases(SPENT))
def test_what_uses_a_code_up_in_vain(project, kind, meanwhile, message):
    session = project.sign_up(A)
    if kind == "RECOVER_EMAIL":
        project.call("update", {"idToken": session["idToken"], "email": B})
    else:
        project.call("sendOobCode", request_of(kind, session))
    code = pending(project)[0]["oobCode"]
    meanwhile(project, session)
    assert is_pending(project, code)
    assert project.error(*use(kind, code)) == message
    assert not is_pending(project, code)
    assert project.error(*use(kind, code)) == "INVALID_OOB_CODE"


def test_a_link_for_another_session_is_used_up(project):
    other = project.sign_up(B)
    project.sign_up(A)
    code = send(project, "EMAIL_SIGNIN", email=A)
    body = {"oobCode": code, "email": A, "idToken": other["idToken"]}
    assert project.error("signInWithEmailLink", body) == "EMAIL_EXISTS"
    assert not is_pending(project, code)


@pytest.mark.parametrize(
    "act",
    cases(
        {
            "deleting the user": delete,
            "deleting everybody": lambda p, s: p.request("DELETE", f"{p.control}/accounts"),
            "new password": as_owner(password="secret2"),
            "new address": as_owner(email=B),
            "disabling": as_owner(disableUser=True),
            "sign-in": lambda p, s: p.sign_in(A),
            "deleting the address": as_owner(deleteAttribute=["EMAIL"]),
        }
    ),
)
def test_what_leaves_all_codes(project, act):
    session = project.sign_up(A)
    for kind in ("PASSWORD_RESET", "EMAIL_SIGNIN", "VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"):
        project.call("sendOobCode", request_of(kind, session))
    before = pending(project)
    act(project, session)
    assert len(before) == 4 and pending(project)[:4] == before


def test_a_recovery_after_all_users_were_deleted(project):
    session = project.sign_up(A)
    project.call("update", {"idToken": session["idToken"], "email": B})
    project.request("DELETE", f"{project.control}/accounts")
    assert project.error("update", {"oobCode": newest(project)}) == "INVALID_OOB_CODE"
