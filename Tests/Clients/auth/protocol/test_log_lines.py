"""What the server prints: codes, warnings, imports."""

import json
import re
import uuid

import pytest
from support.auth.accounts import cases, oob_codes
from support.auth.project import claims
from support.server import PROJECT, TalkingServer
from support.steering import Steered, guard  # noqa: F401
from support.waiting import until
from support.wire import CUSTOM_TOKEN_AUDIENCE, segment, unsigned

ONE = "+15555550100"


class Talking(TalkingServer):
    """A server that says which lines an act makes it print."""

    def settled(self) -> list[str]:
        """The lines so far: all before one that we cause ourselves."""
        mark = f"{uuid.uuid4().hex}@mark.example"
        self.accounts("sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": mark})
        self.wait_for(mark)
        return [line for line in self.heard if "@mark.example" not in line]

    def during(self, act) -> list[str]:
        """What is printed because of it."""
        before = len(self.settled())
        act()
        return self.settled()[before:]


@pytest.fixture(scope="module")
def hearth():
    server = Talking("--single-project-mode", "no-warning")
    yield server
    server.stop()


def named() -> str:
    """A project that a person may have named: nothing is printed of those with random ids."""
    return f"demo-{uuid.uuid4().hex[:16]}-shop"


@pytest.fixture
def project(hearth):
    return Steered(hearth, named())


@pytest.fixture
def email() -> str:
    return f"{uuid.uuid4().hex}@example.com"


@pytest.fixture
def said(hearth):
    """What an act makes the server print, without the marks before the lines."""

    def said(act) -> list[str]:
        lines = hearth.during(act)
        for line in lines:
            assert re.match(r"\S  ", line), line
        return [line[3:] for line in lines]

    return said


def send(project, kind: str, **more) -> None:
    project.call("sendOobCode", {"requestType": kind, **more})


# MARK: Codes by mail


def to_sign_in(project, session):
    email = session["email"].upper()
    send(project, "EMAIL_SIGNIN", email=email, continueUrl="http://localhost/?a=b")


def to_reset(project, session):
    send(project, "PASSWORD_RESET", email=session["email"])


def to_verify(project, session):
    send(project, "VERIFY_EMAIL", idToken=session["idToken"])


def to_change(project, session):
    send(
        project,
        "VERIFY_AND_CHANGE_EMAIL",
        idToken=session["idToken"],
        newEmail="new-" + session["email"],
    )


def changed(project, session):
    project.call("update", {"idToken": session["idToken"], "email": "new-" + session["email"]})


def changed_by_owner(project, session):
    project.admin(
        "/accounts:update", {"localId": session["localId"], "email": "new-" + session["email"]}
    )


RECOVERY = "To reset your email address to {email}, follow this link: {link}"
LINES = {
    "EMAIL_SIGNIN": (to_sign_in, "To sign in as {email}, follow this link: {link}"),
    "PASSWORD_RESET": (
        to_reset,
        "To reset the password for {email}, follow this link: {link}&newPassword=NEW_PASSWORD_HERE",
    ),
    "VERIFY_EMAIL": (to_verify, "To verify the email address {email}, follow this link: {link}"),
    "VERIFY_AND_CHANGE_EMAIL": (
        to_change,
        "To verify and change the email address from {email} to new-{email}, "
        "follow this link: {link}",
    ),
    "RECOVER_EMAIL": (changed, RECOVERY),
    "RECOVER_EMAIL by the owner": (changed_by_owner, RECOVERY),
}


@pytest.mark.parametrize("act, pattern", cases(LINES))
def test_the_line_of_a_code(project, said, email, act, pattern):
    session = project.sign_up(email)
    lines = said(lambda: act(project, session))
    [code] = oob_codes(project)
    assert lines == [pattern.format(email=email, link=code["oobLink"])]


@pytest.mark.parametrize("act, pattern", cases(LINES))
def test_the_line_of_a_tenants_code(project, said, email, act, pattern):
    session = project.sign_up(email, tenantId="t1")
    if act is changed_by_owner:
        lines = said(
            lambda: project.admin(
                "/accounts:update",
                {"localId": session["localId"], "email": "new-" + email},
                tenant="t1",
            )
        )
    else:
        lines = said(lambda: act(InTenant(project), session))
    [code] = project.request("GET", f"{project.control}/tenants/t1/oobCodes")["oobCodes"]
    assert lines == [pattern.format(email=email, link=code["oobLink"])]
    assert code["oobLink"].endswith("&tenantId=t1")


class InTenant:
    """A client whose calls name the tenant."""

    def __init__(self, project):
        self.project = project

    def call(self, verb: str, body: dict) -> dict:
        return self.project.call(verb, body | {"tenantId": "t1"})


def test_the_recovery_names_the_first_address(project, said, email):
    """Not the one before the last change."""
    session = project.sign_up(email)
    answer = project.call("update", {"idToken": session["idToken"], "email": "b" + email})
    lines = said(
        lambda: project.call("update", {"idToken": answer["idToken"], "email": "c" + email})
    )
    *_, code = oob_codes(project)
    assert lines == [f"To reset your email address to {email}, follow this link: {code['oobLink']}"]


@pytest.mark.parametrize(
    "kind", ["EMAIL_SIGNIN", "PASSWORD_RESET", "VERIFY_EMAIL", "VERIFY_AND_CHANGE_EMAIL"]
)
@pytest.mark.parametrize(
    "more", [{}, {"continueUrl": "http://localhost/"}], ids=["plain", "continue"]
)
def test_a_link_that_is_answered_is_not_printed(project, said, email, kind, more):
    project.sign_up(email)
    new = {"newEmail": "new-" + email} if "CHANGE" in kind else {}
    assert (
        said(
            lambda: project.admin(
                "/accounts:sendOobCode",
                {"requestType": kind, "email": email, "returnOobLink": True, **new, **more},
            )
        )
        == []
    )
    assert len(oob_codes(project)) == 1


@pytest.mark.parametrize(
    "act",
    cases(
        {
            "unknown address": lambda p, e: p.error(
                "sendOobCode", {"requestType": "PASSWORD_RESET", "email": "x" + e}
            ),
            "private": lambda p, e: (
                p.configure(
                    "emailPrivacyConfig", emailPrivacyConfig={"enableImprovedEmailPrivacy": True}
                ),
                send(p, "PASSWORD_RESET", email="x" + e),
            ),
            "bad URL": lambda p, e: p.error(
                "sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": e, "continueUrl": "x"}
            ),
            "same address": lambda p, e: p.admin(
                "/accounts:update", {"localId": p.users()[0]["localId"], "email": e.upper()}
            ),
            "first address": lambda p, e: p.call(
                "update", {"idToken": p.call("signUp", {})["idToken"], "email": "y" + e}
            ),
            "signing in": lambda p, e: p.sign_in(e),
            "looking": lambda p, e: p.admin("/accounts:lookup", {"email": [e]}),
            "clearing": lambda p, e: p.request("DELETE", f"{p.control}/accounts"),
            "listing": lambda p, e: oob_codes(p),
            "a user error": lambda p, e: p.error(
                "signInWithPassword", {"email": e, "password": "x"}
            ),
        }
    ),
)
def test_what_prints_nothing(project, said, email, act):
    project.sign_up(email)
    assert said(lambda: act(project, email)) == []


# MARK: Codes by text message


def test_the_line_of_a_number(project, said):
    lines = said(lambda: project.call("sendVerificationCode", {"phoneNumber": ONE}))
    [code] = project.codes()
    assert lines == [f"To verify the phone number {ONE}, use the code {code['code']}."]


def test_the_line_of_a_second_factor(project, said, email):
    session = project.verified(email)
    lines = said(
        lambda: project.factor(
            "mfaEnrollment:start",
            {"idToken": session["idToken"], "phoneEnrollmentInfo": {"phoneNumber": ONE}},
        )
    )
    code = project.code(ONE)
    assert lines == [f"To enroll MFA with {ONE}, use the code {code['code']}."]
    project.factor(
        "mfaEnrollment:finalize", {"idToken": session["idToken"], "phoneVerificationInfo": code}
    )
    pending = project.sign_in(email)
    lines = said(
        lambda: project.factor(
            "mfaSignIn:start",
            {
                "mfaPendingCredential": pending["mfaPendingCredential"],
                "phoneSignInInfo": {},
                "mfaEnrollmentId": pending["mfaInfo"][0]["mfaEnrollmentId"],
            },
        )
    )
    assert lines == [f"To sign in with MFA using {ONE}, use the code {project.code(ONE)['code']}."]


# MARK: Warnings


def warnings(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith("\u26a0")]


@pytest.mark.parametrize("token", ["ya29.", "ya29.some-token"])
def test_a_warning_of_a_service_account(hearth, project, token):
    """It is assumed to own the default project."""

    def act():
        reply = hearth.post(
            "/identitytoolkit.googleapis.com/v1/accounts:lookup",
            {"localId": ["x"]},
            Authorization=f"Bearer {token}",
        )
        assert reply.status_code == 200

    [line] = warnings(hearth.during(act))
    assert PROJECT in line or "default project" in line


def test_no_warning_of_the_owner(hearth, project):
    assert hearth.during(lambda: project.admin("/accounts:lookup", {"localId": ["x"]})) == []


def custom(header: dict, signature: str) -> str:
    payload = segment({"aud": CUSTOM_TOKEN_AUDIENCE, "uid": "u"})
    return f"{segment(header)}.{payload}.{signature}"


def test_a_warning_of_the_first_signed_custom_token(hearth, project):
    def sign_in(header, signature):
        return hearth.during(
            lambda: project.call("signInWithCustomToken", {"token": custom(header, signature)})
        )

    [_] = warnings(sign_in({"alg": "RS256", "kid": "k"}, "c2ln"))
    assert sign_in({"alg": "HS256"}, "c2ln") == []


@pytest.mark.parametrize("token", [custom({"alg": "none"}, ""), '{"uid": "u"}'])
def test_no_warning_of_an_unsigned_custom_token(hearth, project, token):
    assert hearth.during(lambda: project.call("signInWithCustomToken", {"token": token})) == []


def test_a_warning_of_code_handling_in_apps(hearth, project, email):
    """Beside the line of the code."""

    def act(value):
        send(project, "EMAIL_SIGNIN", email=email, canHandleCodeInApp=value)

    lines = hearth.during(lambda: act(True))
    [warning] = warnings(lines)
    assert "canHandleCodeInApp" in warning and len(lines) == 2
    assert warnings(hearth.during(lambda: act(False))) == []


def test_no_warning_of_our_own_tokens(hearth, project, email):
    """They can be verified, and so are not mistaken for others."""
    session = project.sign_up(email)
    for token in (session["idToken"], unsigned(claims(session))):
        assert hearth.during(lambda: project.call("lookup", {"idToken": token})) == []


@pytest.fixture(scope="module")
def watched():
    server = Talking("--single-project-mode", "warning")
    yield server
    server.stop()


OTHER_PROJECTS = {
    "owner": lambda p: p.admin("/accounts:query", {}),
    "codes": lambda p: p.request("GET", f"{p.control}/oobCodes"),
    "config": lambda p: p.owner("GET", f"{p.v2}/config"),
    "clearing": lambda p: p.request("DELETE", f"{p.control}/accounts"),
}


@pytest.mark.parametrize("act", cases(OTHER_PROJECTS))
def test_a_warning_of_another_project(watched, act):
    """One line, and the request goes on."""
    project = Steered(watched, named())
    [line] = watched.during(lambda: act(project))
    assert line in warnings([line])
    assert project.id in line and PROJECT in line and "single project mode" in line


def test_one_warning_is_enough_for_another_project(watched):
    """The official emulator warns with each request."""
    project = Steered(watched, named())
    for expected in (1, 0):
        assert len(watched.during(lambda: project.admin("/accounts:query", {}))) == expected


@pytest.mark.parametrize("act", cases(OTHER_PROJECTS))
def test_no_warning_of_the_projects_of_tests(watched, act):
    """Libraries make one for each test, with a random id."""
    project = Steered(watched)
    assert watched.during(lambda: act(project)) == []
    assert watched.during(lambda: send(project, "EMAIL_SIGNIN", email="a@example.com")) == []


@pytest.mark.parametrize("act", cases(OTHER_PROJECTS))
def test_no_warning_of_the_projects_own_name(watched, act):
    project = Steered(watched, PROJECT)
    assert warnings(watched.during(lambda: act(project))) == []


@pytest.mark.parametrize("act", cases(OTHER_PROJECTS))
def test_requests_that_print_no_warning(hearth, act):
    assert hearth.during(lambda: act(Steered(hearth))) == []


def test_a_warning_of_a_trigger_that_failed():
    """No functions emulator listens at that address."""
    server = Talking("--functions-emulator", "127.0.0.1:9")
    try:
        server.accounts("signUp", {})
        until(lambda: warnings(server.heard))
    finally:
        server.stop()


def test_a_line_for_each_internal_error(hearth, project, email):
    """And the error envelope, whose reason is not fixed."""
    project.configure(
        "blockingFunctions",
        blockingFunctions={"triggers": {"beforeCreate": {"functionUri": "http://127.0.0.1:9/"}}},
    )
    replies = []
    lines = hearth.during(
        lambda: replies.append(project.raw("signUp", {"email": email, "password": "secret1"}))
    )
    found = replies[0].json()["error"]
    assert (replies[0].status_code, found["code"], found["status"]) == (500, 500, "INTERNAL")
    [item] = found["errors"]
    assert item.keys() == {"message", "reason"} and item["message"] == found["message"]
    [line] = lines
    assert line.startswith("\u2716  ") and found["message"] in line


# MARK: Imports


def export(folder, *files: str, config: bool) -> str:
    (folder / "auth_export").mkdir()
    (folder / "firebase-export-metadata.json").write_text(
        json.dumps({"version": "15.0.0", "auth": {"version": "15.0.0", "path": "auth_export"}})
    )
    for index, name in enumerate(files):
        (folder / "auth_export" / name).write_text(
            json.dumps(
                {
                    "kind": "identitytoolkit#DownloadAccountResponse",
                    "users": [{"localId": f"u{index}"}],
                }
            )
        )
    if config:
        (folder / "auth_export" / "config.json").write_text(
            json.dumps({"signIn": {"allowDuplicateEmails": False}})
        )
    return str(folder)


def printed(path: str) -> list[str]:
    server = Talking("--import", path)
    server.stop()
    return [line for line in server.lines + server.heard if re.match(r"\S  ", line)]


def test_an_import_prints(tmp_path):
    lines = printed(export(tmp_path, "accounts.json", config=True))
    assert lines and warnings(lines) == []
    assert str(tmp_path) in "\n".join(lines)


def test_an_import_prints_a_line_for_each_file(tmp_path):
    path = export(tmp_path, "accounts.json", "accounts-t1.json", config=True)
    text = "\n".join(printed(path))
    assert "accounts.json" in text and "accounts-t1.json" in text


def test_an_import_without_a_config_warns(tmp_path):
    [line] = warnings(printed(export(tmp_path, "accounts.json", config=False)))
    assert "config.json" in line
