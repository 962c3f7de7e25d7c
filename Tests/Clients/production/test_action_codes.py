"""Codes that are mailed, and what they are good for."""

from urllib.parse import parse_qs, urlsplit

import pytest
from support.auth.recorded import PASSWORD, Recorded, refusal, refused

NEW = "password456"
CHANGE = "VERIFY_AND_CHANGE_EMAIL"
DOMAIN = "UNAUTHORIZED_DOMAIN : Domain not allowlisted by project"
NO_DOMAIN = "INVALID_CONTINUE_URI : Missing domain in continue url"


@pytest.fixture
def project(hearth):
    return Recorded(hearth)


def check(project, code: str):
    return project.client("resetPassword", {"oobCode": code})


def reset(project, code: str, password: str = NEW, **more):
    return project.client("resetPassword", {"oobCode": code, "newPassword": password, **more})


def apply(project, code: str, **more):
    return project.client("update", {"oobCode": code, **more})


# MARK: Links


@pytest.mark.parametrize(
    "kind, mode",
    [
        pytest.param(kind, mode, id=f"A72-{mode}")
        for kind, mode in (
            ("PASSWORD_RESET", "resetPassword"),
            ("VERIFY_EMAIL", "verifyEmail"),
            (CHANGE, "verifyAndChangeEmail"),
            ("EMAIL_SIGNIN", "signIn"),
        )
    ],
)
def test_members_and_parameters(project, kind, mode):
    """A71"""
    project.create("user")
    url = f"https://{project.id}.firebaseapp.com/done?x=1"
    answer = project.done(
        project.link(kind, email="USER@example.com", newEmail="new@example.com", continueUrl=url)
    )
    assert set(answer) == {"kind", "oobCode", "email", "oobLink"}
    assert answer["email"] == "user@example.com"
    link = parse_qs(urlsplit(answer["oobLink"]).query)
    assert set(link) == {"mode", "oobCode", "apiKey", "continueUrl", "lang"}
    assert (link["mode"], link["continueUrl"], link["lang"]) == ([mode], [url], ["en"])


@pytest.mark.parametrize(
    "body, message",
    [
        pytest.param({}, "MISSING_REQ_TYPE", id="A74-missing"),
        pytest.param(
            {"requestType": "OOB_REQ_TYPE_UNSPECIFIED"}, "INVALID_REQ_TYPE", id="A74-unspecified"
        ),
        pytest.param({"requestType": "PASSWORD_RESET"}, "MISSING_EMAIL", id="A74-email"),
        pytest.param(
            {"requestType": "PASSWORD_RESET", "email": "none"}, "INVALID_EMAIL", id="A74-form"
        ),
        pytest.param(
            {
                "requestType": "PASSWORD_RESET",
                "email": "user@example.com",
                "continueUrl": "https://elsewhere.example.com",
            },
            DOMAIN,
            id="A77-foreign",
        ),
        pytest.param(
            {
                "requestType": "PASSWORD_RESET",
                "email": "user@example.com",
                "continueUrl": "http://localhost:5000/x",
            },
            DOMAIN,
            id="A77-localhost",
        ),
        pytest.param(
            {
                "requestType": "PASSWORD_RESET",
                "email": "user@example.com",
                "continueUrl": "not a url",
            },
            NO_DOMAIN,
            id="A78-malformed",
        ),
        pytest.param(
            {"requestType": "PASSWORD_RESET", "email": "user@example.com", "continueUrl": ""},
            NO_DOMAIN,
            id="A78-empty",
        ),
        pytest.param(
            {"requestType": "VERIFY_EMAIL", "email": "no@example.com"},
            "USER_NOT_FOUND",
            id="A79-verify",
        ),
        pytest.param(
            {"requestType": CHANGE, "email": "no@example.com", "newEmail": "new@example.com"},
            "USER_NOT_FOUND",
            id="A79-change",
        ),
        pytest.param(
            {"requestType": CHANGE, "email": "user@example.com"},
            "MISSING_NEW_EMAIL",
            id="A80-missing",
        ),
        pytest.param(
            {"requestType": CHANGE, "email": "user@example.com", "newEmail": "none"},
            "INVALID_NEW_EMAIL",
            id="A80-form",
        ),
        pytest.param(
            {"requestType": "EMAIL_SIGNIN", "email": "user@example.com"},
            "MISSING_CONTINUE_URI",
            id="A82-continue",
        ),
    ],
)
def test_refused_links(project, body, message):
    project.create("user")
    answer = project.owned("/accounts:sendOobCode", {"returnOobLink": True, **body})
    assert refusal(answer) == refused(message)


def test_clients_get_no_link(project):
    """A73"""
    body = {"requestType": "PASSWORD_RESET", "email": "a@example.com", "returnOobLink": True}
    assert refusal(project.client("sendOobCode", body)) == refused("INSUFFICIENT_PERMISSION")


@pytest.mark.parametrize(
    "url", [pytest.param(None, id="A75"), pytest.param("https://elsewhere.example.com", id="A76")]
)
def test_unknown_addresses_are_not_told(project, url):
    body = {"requestType": "PASSWORD_RESET", "email": "none@example.com"}
    if url:
        body["continueUrl"] = url
    expected = (
        200,
        {"kind": "identitytoolkit#GetOobConfirmationCodeResponse", "email": "none@example.com"},
    )
    assert project.client("sendOobCode", body) == expected
    assert project.owned("/accounts:sendOobCode", {**body, "returnOobLink": True}) == expected


@pytest.mark.parametrize(
    "wanted", [pytest.param("taken", id="A80-taken"), pytest.param("user", id="A80-same")]
)
def test_taken_addresses_are_not_told(project, wanted):
    project.create("user")
    project.create("taken")
    answer = project.link(CHANGE, email="user@example.com", newEmail=f"{wanted}@example.com")
    assert set(project.done(answer)) == {"kind", "email"}


def test_links_of_disabled_accounts(project):
    """A81"""
    project.create("off", disabled=True)
    for kind in ("PASSWORD_RESET", "VERIFY_EMAIL", CHANGE):
        project.code(kind, "off", newEmail="new@example.com")
    answer = project.link(
        "EMAIL_SIGNIN", email="off@example.com", continueUrl=f"https://{project.id}.web.app/"
    )
    assert refusal(answer) == refused("USER_DISABLED")


def test_projects_that_require_passwords(project):
    """A82"""
    project.set("signIn", signIn={"email": {"enabled": True, "passwordRequired": True}})
    answer = project.link("EMAIL_SIGNIN", email="a@example.com")
    assert refusal(answer) == refused("OPERATION_NOT_ALLOWED")


# MARK: Codes


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, id=f"A83-{kind}") for kind in ("PASSWORD_RESET", "VERIFY_EMAIL", CHANGE)],
)
def test_a_newer_code_takes_the_place_of_an_older_one(project, kind):
    project.create("user")
    first = project.code(kind, "user", newEmail="one@example.com")
    second = project.code(kind, "user", newEmail="two@example.com")
    assert refusal(check(project, first)) == refused("INVALID_OOB_CODE")
    answer = project.done(check(project, second))
    assert answer == {
        "kind": "identitytoolkit#ResetPasswordResponse",
        "email": "user@example.com",
        "requestType": kind,
    } | ({"newEmail": "two@example.com"} if kind == CHANGE else {})


@pytest.mark.parametrize(
    "body, message",
    [
        pytest.param({"newPassword": NEW}, "MISSING_OOB_CODE", id="A85-missing"),
        pytest.param({"newPassword": NEW, "oobCode": "none"}, "INVALID_OOB_CODE", id="A85-unknown"),
    ],
)
def test_codes_that_nobody_made(project, body, message):
    assert refusal(project.client("resetPassword", body)) == refused(message)


def test_resetting_a_password(project):
    """A86, A87, A88"""
    project.create("user")
    project.create("other")
    session = project.session("user")
    project.advance("PT2S")
    code = project.code("PASSWORD_RESET", "user")
    for password, message in (
        ("12345", "WEAK_PASSWORD : Password should be at least 6 characters"),
        ("", "WEAK_PASSWORD"),
    ):
        assert refusal(reset(project, code, password)) == refused(message)
    project.done(reset(project, code, email="other@example.com"))
    assert refusal(reset(project, code)) == refused("INVALID_OOB_CODE")
    assert project.shown("user")["emailVerified"] is True
    project.session("user", NEW)
    project.session("other")
    lookup = project.client("lookup", {"idToken": session["idToken"]})
    assert refusal(lookup) == refused("TOKEN_EXPIRED")
    assert refusal(project.refresh(session["refreshToken"])) == refused("TOKEN_EXPIRED")


def test_a_reset_outlives_a_new_password(project):
    """A89"""
    project.create("user")
    token = project.session("user")["idToken"]
    code = project.code("PASSWORD_RESET", "user")
    project.done(project.client("update", {"idToken": token, "password": "password789"}))
    project.done(check(project, code))
    project.done(reset(project, code))


def test_accounts_that_moved(project):
    """A90, A96"""
    project.create("user")
    codes = {
        kind: project.code(kind, "user", newEmail="new@example.com")
        for kind in ("PASSWORD_RESET", "VERIFY_EMAIL", CHANGE)
    }
    project.change("user", email="moved@example.com")
    for code in codes.values():
        assert project.done(check(project, code))["email"] == "user@example.com"
    assert refusal(reset(project, codes["PASSWORD_RESET"])) == refused("USER_NOT_FOUND")
    assert refusal(apply(project, codes["VERIFY_EMAIL"])) == refused("EMAIL_NOT_FOUND")
    assert project.done(apply(project, codes[CHANGE]))["email"] == "new@example.com"
    assert project.shown("user")["initialEmail"] == "moved@example.com"


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, id=f"A91-{kind}") for kind in ("PASSWORD_RESET", "VERIFY_EMAIL", CHANGE)],
)
def test_disabled_accounts_burn_codes(project, kind):
    project.create("user")
    code = project.code(kind, "user", newEmail="new@example.com")
    project.change("user", disableUser=True)
    project.done(check(project, code))
    use = reset if kind == "PASSWORD_RESET" else apply
    assert refusal(use(project, code)) == refused("USER_DISABLED")
    project.change("user", disableUser=False)
    assert refusal(use(project, code)) == refused("INVALID_OOB_CODE")


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, id=f"A92-{kind}") for kind in ("PASSWORD_RESET", "VERIFY_EMAIL", CHANGE)],
)
def test_codes_end_with_their_account(project, kind):
    project.create("user")
    code = project.code(kind, "user", newEmail="new@example.com")
    project.done(project.owned("/accounts:delete", {"localId": "user"}))
    for use in (check, reset if kind == "PASSWORD_RESET" else apply):
        assert refusal(use(project, code)) == refused("INVALID_OOB_CODE")


@pytest.mark.parametrize(
    "kind, use",
    [
        pytest.param("VERIFY_EMAIL", reset, id="A93-verify"),
        pytest.param(CHANGE, reset, id="A93-change"),
        pytest.param("PASSWORD_RESET", apply, id="A93-reset"),
    ],
)
def test_codes_at_the_wrong_door_stay(project, kind, use):
    project.create("user")
    code = project.code(kind, "user", newEmail="new@example.com")
    assert refusal(use(project, code)) == refused("INVALID_OOB_CODE")
    project.done(check(project, code))


def test_changing_an_address(project):
    """A94"""
    project.create("user")
    session = project.session("user")
    project.advance("PT2S")
    answer = project.done(apply(project, project.code(CHANGE, "user", newEmail="new@example.com")))
    assert (answer["email"], answer["newEmail"]) == ("new@example.com", "new@example.com")
    assert answer["emailVerified"] is True and "idToken" not in answer
    assert project.shown("user")["initialEmail"] == "user@example.com"
    lookup = project.client("lookup", {"idToken": session["idToken"]})
    assert refusal(lookup) == refused("TOKEN_EXPIRED")


def test_addresses_that_were_taken_meanwhile(project):
    """A95"""
    project.create("user")
    code = project.code(CHANGE, "user", newEmail="late@example.com")
    project.create("late")
    assert refusal(apply(project, code)) == refused("EMAIL_EXISTS")
    assert project.shown("user")["email"] == "user@example.com"


def test_a_token_counts_before_a_code(project):
    """A97"""
    for name in ("owner", "other"):
        project.create(name)
    code = project.code("VERIFY_EMAIL", "owner")
    answer = project.done(apply(project, code, idToken=project.session("other")["idToken"]))
    assert answer["localId"] == "other"
    assert (
        not project.shown("owner")["emailVerified"] and not project.shown("other")["emailVerified"]
    )
    assert refusal(apply(project, code, idToken="x")) == refused("INVALID_ID_TOKEN")


# MARK: Sign-in links


def link(project, name: str) -> str:
    url = f"https://{project.id}.firebaseapp.com/finish"
    return project.code("EMAIL_SIGNIN", name, continueUrl=url)


def follow(project, code: str, name: str, **more):
    return project.client(
        "signInWithEmailLink", {"oobCode": code, "email": f"{name}@example.com", **more}
    )


def test_a_link_signs_up(project):
    """A84, A99, A100"""
    code = link(project, "new")
    assert project.done(check(project, code)) == {
        "kind": "identitytoolkit#ResetPasswordResponse",
        "requestType": "EMAIL_SIGNIN",
    }
    answer = project.done(follow(project, code, "new"))
    assert set(answer) == {
        "kind",
        "idToken",
        "email",
        "refreshToken",
        "expiresIn",
        "localId",
        "isNewUser",
    }
    assert answer["isNewUser"] is True
    user = project.shown(answer["localId"])
    assert user["emailLinkSignin"] is True and "validSince" in user and "disabled" not in user
    assert refusal(follow(project, code, "new")) == refused("INVALID_OOB_CODE")


def test_a_link_proves_whose_account_it_is(project):
    """A101"""
    project.create("user")
    project.done(follow(project, link(project, "user"), "user"))
    user = project.shown("user")
    assert user["emailVerified"] is True and "passwordHash" not in user
    assert "passwordUpdatedAt" in user
    body = {"email": "user@example.com", "password": PASSWORD}
    answer = project.client("signInWithPassword", body)
    assert refusal(answer) == refused("INVALID_LOGIN_CREDENTIALS")


def test_a_link_upgrades_an_anonymous_account(project):
    """A102"""
    session = project.anonymous()
    answer = project.done(
        follow(project, link(project, "anon"), "anon", idToken=session["idToken"])
    )
    assert (answer["localId"], answer["isNewUser"]) == (session["localId"], False)
    assert "validSince" not in project.shown(session["localId"])


def test_a_link_moves_an_account(project):
    """A103, A104"""
    project.create("user")
    project.create("owned")
    token = project.session("user")["idToken"]
    code = link(project, "owned")
    assert refusal(follow(project, code, "owned", idToken=token)) == refused("EMAIL_EXISTS")
    project.done(follow(project, link(project, "other"), "other", idToken=token))
    user = project.shown("user")
    assert user["email"] == "other@example.com" and "passwordHash" in user
    assert "initialEmail" not in user


def test_links_end_with_their_account(project):
    project.create("user")
    code = link(project, "user")
    project.done(project.owned("/accounts:delete", {"localId": "user"}))
    assert refusal(follow(project, code, "user")) == refused("INVALID_OOB_CODE")


def test_a_reset_gives_a_link_account_a_password(project):
    """A93, A105"""
    code = link(project, "user")
    assert project.done(reset(project, code))["requestType"] == "EMAIL_SIGNIN"
    assert refusal(apply(project, code)) == refused("INVALID_OOB_CODE")
    local_id = project.done(follow(project, code, "user"))["localId"]
    project.done(reset(project, project.code("PASSWORD_RESET", "user")))
    assert project.session("user", NEW)["localId"] == local_id
    assert project.shown(local_id)["emailLinkSignin"] is True
    project.done(follow(project, link(project, "user"), "user"))
    project.session("user", NEW)
