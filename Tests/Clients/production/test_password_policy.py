"""What production asks of passwords."""

import pytest
from support.auth.project import IT
from support.auth.recorded import Recorded, refusal, refused

LONG = "PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Password cannot be longer than 4096 characters"
SHORT = "WEAK_PASSWORD : Password should be at least 6 characters"
UPPER, DIGIT, SYMBOL = (
    f"Password must contain {words}"
    for words in ("an upper case character", "a numeric character", "a non-alphanumeric character")
)
OPTIONS = {
    "minPasswordLength": 8,
    "maxPasswordLength": 20,
    "containsLowercaseCharacter": True,
    "containsUppercaseCharacter": True,
    "containsNumericCharacter": True,
    "containsNonAlphanumericCharacter": True,
}


def missing(*rules: str) -> str:
    return (
        f"PASSWORD_DOES_NOT_MEET_REQUIREMENTS : Missing password requirements: [{', '.join(rules)}]"
    )


@pytest.fixture
def project(hearth):
    return Recorded(hearth)


@pytest.fixture
def strict(project):
    enforce(project, "ENFORCE", forceUpgradeOnSignin=True)
    return project


def enforce(project, state: str, **more) -> None:
    project.set(
        "passwordPolicyConfig",
        passwordPolicyConfig={
            "passwordPolicyEnforcementState": state,
            "passwordPolicyVersions": [{"customStrengthOptions": OPTIONS}],
            **more,
        },
    )


def sign_up(project, password: str):
    return project.client("signUp", {"email": "new@example.com", "password": password})


@pytest.mark.parametrize(
    "password, message",
    [
        pytest.param("a" * 6, None, id="A63-6"),
        pytest.param("a" * 5, SHORT, id="A63-5"),
        pytest.param("\U0001f600" * 3, None, id="A63-astral-3"),
        pytest.param("a" * 4096, None, id="A63-4096"),
        pytest.param("\U0001f600" * 2048, None, id="A63-astral-2048"),
        pytest.param("a" * 4097, LONG, id="A64-4097"),
        pytest.param("\U0001f600" * 2049, LONG, id="A64-astral-2049"),
    ],
)
def test_usual_bounds(project, password, message):
    answers = [
        sign_up(project, password),
        project.owned("/accounts", {"localId": "made", "password": password}),
    ]
    project.create("user")
    token = project.session("user")["idToken"]
    answers.append(project.client("update", {"idToken": token, "password": password}))
    for status, body in answers:
        assert (status, body.get("error", {}).get("message")) == (400 if message else 200, message)


@pytest.mark.parametrize("policy", [pytest.param(p, id=f"A65-{p}") for p in ("usual", "strict")])
def test_imports_are_not_checked(project, policy):
    if policy == "strict":
        enforce(project, "ENFORCE")
    project.done(
        project.owned(
            "/accounts:batchCreate",
            {"users": [{"localId": "u", "email": "u@example.com", "rawPassword": "12345"}]},
        )
    )
    assert project.session("u", "12345")["localId"] == "u"


@pytest.mark.parametrize(
    "state, message",
    [
        pytest.param("OFF", "USER_NOT_FOUND", id="A66-off"),
        pytest.param("ENFORCE", missing(UPPER, DIGIT, SYMBOL), id="A66-enforced"),
    ],
)
def test_missing_accounts(project, state, message):
    enforce(project, state)
    answer = project.owned("/accounts:update", {"localId": "nobody", "password": "password"})
    assert refusal(answer) == refused(message)


@pytest.mark.parametrize(
    "password, rules",
    [
        pytest.param("password", [UPPER, DIGIT, SYMBOL], id="A67-three"),
        pytest.param("Pw0!", ["Password must contain at least 8 characters"], id="A67-short"),
        pytest.param(
            "Passw0rd!Passw0rd!Pas", ["Password may contain at most 20 characters"], id="A67-long"
        ),
        pytest.param("passw0rd!", [UPPER], id="A67-upper"),
        pytest.param("Passw0rdx", [SYMBOL], id="A67-symbol"),
        pytest.param("Passw0rd+", [SYMBOL], id="A68-plus"),
        pytest.param("Passw0rd=", [SYMBOL], id="A68-equals"),
    ],
)
def test_enforced_policies(strict, password, rules):
    assert refusal(sign_up(strict, password)) == refused(missing(*rules))
    admin = strict.owned("/accounts", {"localId": "made", "password": password})
    assert refusal(admin) == refused(missing(*rules))


def test_the_usual_policy(project):
    """A69"""
    assert project.send("GET", f"{IT}/v2/passwordPolicy", key=project.id) == (
        200,
        {
            "customStrengthOptions": {"minPasswordLength": 6, "maxPasswordLength": 4096},
            "schemaVersion": 1,
            "enforcementState": "ENFORCE",
        },
    )


def test_a_policy_with_symbols(strict):
    """A69"""
    _, policy = strict.send("GET", f"{IT}/v2/passwordPolicy", key=strict.id)
    assert policy.pop("allowedNonAlphanumericCharacters") == list(
        "^$*.[]{}()?\"!@#%&/\\,><':;|_~`-"
    )
    assert policy == {
        "customStrengthOptions": OPTIONS,
        "schemaVersion": 1,
        "enforcementState": "ENFORCE",
        "forceUpgradeOnSignin": True,
    }


def test_a_policy_that_is_off(project):
    """A70"""
    enforce(project, "OFF")
    project.create("user", password="password")
    assert project.session("user", "password")["localId"] == "user"
    assert refusal(sign_up(project, "12345")) == refused(SHORT)


def test_weak_passwords_that_may_be_kept(project):
    project.create("user", password="password")
    enforce(project, "ENFORCE")
    assert project.session("user", "password")["userNotifications"] == [
        {"notificationCode": f"MISSING_{kind}_CHARACTER", "notificationMessage": words}
        for kind, words in (("UPPERCASE", UPPER), ("NUMERIC", DIGIT), ("NON_ALPHANUMERIC", SYMBOL))
    ]
    enforce(project, "OFF")
    assert "userNotifications" not in project.session("user", "password")
    enforce(project, "ENFORCE", forceUpgradeOnSignin=True)
    refused_sign_in = project.client(
        "signInWithPassword", {"email": "user@example.com", "password": "password"}
    )
    assert refusal(refused_sign_in) == refused(missing(UPPER, DIGIT, SYMBOL))


def test_administrators_give_short_passwords_to_accounts_that_are_there(project):
    project.create("user")
    project.done(project.owned("/accounts:update", {"localId": "user", "password": "12345"}))
    assert project.session("user", "12345")["localId"] == "user"
    long = project.owned("/accounts:update", {"localId": "user", "password": "a" * 4097})
    assert refusal(long) == refused(LONG)
