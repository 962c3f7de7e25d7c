"""validSince, emailVerified, initialEmail, the list of providers, and lookups by identifier."""

import pytest
from support.auth.accounts import by_link, cases, hearth, link, oob_codes, update  # noqa: F401
from support.auth.project import claims
from support.auth.records import (
    anonymous,
    as_owner,
    as_user,
    google,
    password,
    password_entry,
    redeem,
)
from support.steering import guard, project  # noqa: F401

A, B, C = "a@example.com", "b@example.com", "c@example.com"
ONE, TWO = "+15555550100", "+15555550101"


# MARK: validSince and passwordUpdatedAt


def takeover(p, session):
    """Somebody whose address is verified elsewhere takes over an account that never verified it."""
    google(p)


def imported(p, session):
    p.admin(
        "/accounts:batchCreate",
        {
            "allowOverwrite": True,
            "users": [{"localId": session["localId"], "email": A, "rawPassword": "secret1"}],
        },
    )


# name: (act on a password user, whether validSince becomes now, and passwordUpdatedAt)
ENDINGS = {
    "new password": (as_user("update", password="secret2"), True, True),
    "new password by the owner": (as_owner(password="secret2"), True, True),
    "new address": (as_user("update", email=B), True, False),
    "new address by the owner": (as_owner(email=B), True, False),
    "validSince": (as_user("update", validSince="5"), True, False),
    "linking by signUp": (as_user("signUp", email=B, password="secret2"), True, True),
    "reset": (redeem("PASSWORD_RESET", "resetPassword", newPassword="secret2"), True, True),
    "import": (imported, True, True),
    "takeover": (takeover, True, False),
    "same address": (as_user("update", email=A), False, False),
    "same address in capitals": (as_user("update", email=A.upper()), False, False),
    "name": (as_user("update", displayName="Ann"), False, False),
    "verification": (redeem("VERIFY_EMAIL"), False, False),
    "change of address by mail": (redeem("VERIFY_AND_CHANGE_EMAIL"), False, False),
    "e-mail link": (lambda p, s: by_link(p, A), False, False),
    "sign-in": (lambda p, s: p.sign_in(A), False, False),
    "deleting the password": (as_user("update", deleteAttribute=["PASSWORD"]), False, False),
    "deleting the address": (as_user("update", deleteAttribute=["EMAIL"]), False, False),
    "deleting the provider": (as_user("update", deleteProvider=["password"]), False, False),
    "disabling": (as_owner(disableUser=True), False, False),
    "claims": (as_owner(customAttributes="{}"), False, False),
    "linking a provider": (
        as_user("update", linkProviderUserInfo={"providerId": "x.com", "rawId": "1"}),
        False,
        False,
    ),
}


@pytest.mark.parametrize("act, ends, is_new", cases(ENDINGS))
def test_what_ends_older_tokens(project, act, ends, is_new):
    session = project.sign_up(A)
    before = project.user(session["localId"])
    project.advance("PT50M")
    project.clock(frozen=True)
    act(project, session)
    now = str(int(project.now().timestamp()))
    after = project.user(session["localId"])
    assert after["validSince"] == (now if ends else before["validSince"])
    if is_new:
        assert str(after["passwordUpdatedAt"] // 1000) == now
    else:
        assert after["passwordUpdatedAt"] == before["passwordUpdatedAt"]


def test_an_owners_valid_since_is_kept_to_the_letter(project):
    uid = project.sign_up(A)["localId"]
    for value in ("1", "99999999999", "abc"):
        update(project, uid, validSince=value, password="secret2")
        assert project.user(uid)["validSince"] == value
    update(project, uid, createdAt="5", lastLoginAt=1600000000123)
    user = project.user(uid)
    assert (user["createdAt"], user["lastLoginAt"]) == ("5", "1600000000123")


@pytest.mark.parametrize(
    "more",
    [{"deleteAttribute": ["PASSWORD"]}, {"deleteProvider": ["password"]}],
    ids=["attribute", "provider"],
)
def test_the_time_of_the_password_outlives_it(project, more):
    uid = project.sign_up(A)["localId"]
    before = project.user(uid)
    update(project, uid, **more)
    after = project.user(uid)
    assert after["passwordUpdatedAt"] == before["passwordUpdatedAt"]
    assert not {"passwordHash", "salt"} & after.keys()


# MARK: emailVerified and initialEmail

# name: (prepare, act, before, after)
VERIFICATIONS = {
    "change of address": (lambda p: p.verified(A), as_user("update", email=B), True, False),
    "change by the owner": (lambda p: p.verified(A), as_owner(email=B), True, False),
    "change by the owner, verified": (
        lambda p: p.verified(A),
        as_owner(email=B, emailVerified=True),
        True,
        True,
    ),
    "same address": (lambda p: p.verified(A), as_user("update", email=A), True, True),
    "a user's own word": (password, as_user("update", emailVerified=True), False, False),
    "the owner's word": (password, as_owner(emailVerified=True), False, True),
    "VERIFY_EMAIL": (password, redeem("VERIFY_EMAIL"), False, True),
    "VERIFY_AND_CHANGE_EMAIL": (password, redeem("VERIFY_AND_CHANGE_EMAIL"), False, True),
    "reset": (
        password,
        redeem("PASSWORD_RESET", "resetPassword", newPassword="secret2"),
        False,
        True,
    ),
    "inspection": (password, redeem("PASSWORD_RESET", "resetPassword"), False, False),
    "e-mail link": (password, lambda p, s: by_link(p, A), False, True),
    "linking by signUp": (
        lambda p: p.verified(A),
        as_user("signUp", email=B, password="secret1"),
        True,
        False,
    ),
    "no address any more": (
        lambda p: p.verified(A),
        as_user("update", deleteAttribute=["EMAIL"]),
        True,
        None,
    ),
    "an anonymous user's address": (anonymous, as_user("update", email=B), None, False),
    "an anonymous user's link": (
        anonymous,
        lambda p, s: by_link(p, B, idToken=s["idToken"]),
        None,
        True,
    ),
}


@pytest.mark.parametrize("prepare, act, before, after", cases(VERIFICATIONS))
def test_whether_an_address_is_verified(project, prepare, act, before, after):
    session = prepare(project)
    assert project.user(session["localId"]).get("emailVerified") is before
    act(project, session)
    assert project.user(session["localId"]).get("emailVerified") is after


def test_the_first_address_is_kept_for_ever(project):
    session = project.sign_up(A)
    uid = session["localId"]
    assert "initialEmail" not in project.user(uid)
    session = project.call("update", {"idToken": session["idToken"], "email": B})
    assert project.user(uid)["initialEmail"] == A
    update(project, uid, email=C)
    assert project.user(uid)["initialEmail"] == A
    [*_, code] = [one for one in oob_codes(project) if one["requestType"] == "RECOVER_EMAIL"]
    assert code["email"] == A
    project.call("update", {"oobCode": code["oobCode"]})
    user = project.user(uid)
    assert (user["email"], user["emailVerified"], user["initialEmail"]) == (A, True, A)
    update(project, uid, deleteAttribute=["EMAIL"])
    assert project.user(uid)["initialEmail"] == A
    update(project, uid, deleteProvider=["password"], email=B)
    assert project.user(uid)["initialEmail"] == A


@pytest.mark.parametrize(
    "prepare, act",
    cases(
        {
            "same address": (password, as_user("update", email=A.upper())),
            "an anonymous user's first": (anonymous, as_user("update", email=B)),
            "an owner's first for somebody": (anonymous, as_owner(email=B)),
            "by mail": (password, redeem("VERIFY_AND_CHANGE_EMAIL")),
            "linking by signUp": (password, as_user("signUp", email=B, password="secret1")),
            "e-mail link": (password, lambda p, s: by_link(p, B, idToken=s["idToken"])),
        }
    ),
)
def test_what_records_no_first_address(project, prepare, act):
    session = prepare(project)
    act(project, session)
    assert "initialEmail" not in project.user(session["localId"])


def test_an_anonymous_session_records_no_first_address(project):
    """Not even for the second address: the session stays anonymous."""
    session = project.call("signUp", {})
    session = project.call("update", {"idToken": session["idToken"], "email": A})
    assert claims(session)["firebase"]["sign_in_provider"] == "anonymous"
    project.call("update", {"idToken": session["idToken"], "email": B})
    assert "initialEmail" not in project.user(session["localId"])
    assert oob_codes(project) == []


# MARK: The list of providers

GOOGLE = {"providerId": "google.com", "rawId": "1"}


def names(project, uid: str) -> list[str] | None:
    entries = project.user(uid).get("providerUserInfo")
    return None if entries is None else [entry["providerId"] for entry in entries]


def steps(*changes: dict):
    return list(changes)


# name: (fields of a user made by the owner, changes by the owner, providers after each)
PROVIDERS = {
    "nobody": ({}, steps({"displayName": "x"}), [None, None]),
    "an address alone": ({"email": A}, steps({"emailVerified": True}), [None, None]),
    "a password alone": ({"password": "secret1"}, steps({"email": A}), [None, ["password"]]),
    "a password comes": ({"email": A}, steps({"password": "secret1"}), [None, ["password"]]),
    "a password goes": (
        {"email": A, "password": "secret1"},
        steps({"deleteAttribute": ["PASSWORD"]}),
        [["password"], []],
    ),
    "an address goes": (
        {"email": A, "password": "secret1"},
        steps({"deleteAttribute": ["EMAIL"]}, {"email": B}),
        [["password"], [], ["password"]],
    ),
    "both go": (
        {"email": A, "password": "secret1"},
        steps({"deleteProvider": ["password"]}, {"email": B}),
        [["password"], [], []],
    ),
    "a number comes and goes": (
        {},
        steps({"phoneNumber": ONE}, {"deleteProvider": ["phone"]}),
        [None, ["phone"], []],
    ),
    "password, then phone": (
        {"email": A, "password": "secret1"},
        steps({"phoneNumber": ONE}),
        [["password"], ["password", "phone"]],
    ),
    "phone, then password": (
        {"phoneNumber": ONE},
        steps({"email": A, "password": "secret1"}),
        [["phone"], ["phone", "password"]],
    ),
    "all at once": (
        {},
        steps(
            {"phoneNumber": ONE, "email": A, "password": "secret1", "linkProviderUserInfo": GOOGLE}
        ),
        [None, ["google.com", "password", "phone"]],
    ),
    "password and phone at once": (
        {"phoneNumber": ONE, "email": A, "password": "secret1"},
        steps(),
        [["password", "phone"]],
    ),
    "one more": (
        {"email": A, "password": "secret1"},
        steps({"linkProviderUserInfo": GOOGLE}, {"phoneNumber": ONE}),
        [["password"], ["password", "google.com"], ["password", "google.com", "phone"]],
    ),
    "what is gone comes last": (
        {"email": A, "password": "secret1", "phoneNumber": ONE},
        steps({"deleteProvider": ["password"]}, {"email": A, "password": "secret1"}),
        [["password", "phone"], ["phone"], ["phone", "password"]],
    ),
    "in place": (
        {"email": A, "password": "secret1", "phoneNumber": ONE},
        steps(
            {"linkProviderUserInfo": GOOGLE},
            {"email": B, "phoneNumber": TWO},
            {"linkProviderUserInfo": {"providerId": "google.com", "rawId": "2"}},
        ),
        [["password", "phone"], *[["password", "phone", "google.com"]] * 3],
    ),
    "removed and linked again": (
        {"email": A, "password": "secret1"},
        steps(
            {"linkProviderUserInfo": GOOGLE},
            {"phoneNumber": ONE},
            {"deleteProvider": ["google.com"], "linkProviderUserInfo": GOOGLE},
        ),
        [
            ["password"],
            ["password", "google.com"],
            ["password", "google.com", "phone"],
            ["password", "phone", "google.com"],
        ],
    ),
    "one goes, another comes": (
        {"phoneNumber": ONE},
        steps({"deleteProvider": ["phone"], "linkProviderUserInfo": GOOGLE}),
        [["phone"], ["google.com"]],
    ),
    "several go": (
        {"email": A, "password": "secret1", "phoneNumber": ONE},
        steps(
            {"linkProviderUserInfo": GOOGLE},
            {"deleteProvider": ["google.com", "phone", "password"]},
        ),
        [["password", "phone"], ["password", "phone", "google.com"], []],
    ),
    "unknown ones go": (
        {"email": A, "password": "secret1"},
        steps({"deleteProvider": ["x.com"]}),
        [["password"], ["password"]],
    ),
    "nothing goes of nothing": (
        {},
        steps({"deleteProvider": ["x.com", "password", "phone"]}),
        [None, None],
    ),
}


@pytest.mark.parametrize("fields, changes, expected", cases(PROVIDERS))
def test_the_list_of_providers(project, fields, changes, expected):
    uid = project.admin("/accounts", fields)["localId"]
    found = [names(project, uid)]
    for change in changes:
        update(project, uid, **change)
        found.append(names(project, uid))
    assert found == expected


def test_the_password_entry_follows_the_profile(project):
    session = project.sign_up(A, displayName="Ann")
    uid = session["localId"]
    for change, more in (
        ({}, {"displayName": "Ann"}),
        ({"displayName": "Bea"}, {"displayName": "Bea"}),
        ({"photoUrl": "http://x"}, {"displayName": "Bea", "photoUrl": "http://x"}),
        ({"email": B}, {"displayName": "Bea", "photoUrl": "http://x"}),
        ({"deleteAttribute": ["DISPLAY_NAME", "PHOTO_URL"]}, {}),
    ):
        update(project, uid, **change)
        user = project.user(uid)
        assert user["providerUserInfo"] == [password_entry(user["email"], **more)]


def test_an_email_link_keeps_the_password_entry(project):
    session = project.sign_up(A)
    by_link(project, A)
    update(project, session["localId"], deleteAttribute=["PASSWORD"])
    assert names(project, session["localId"]) == ["password"]
    assert project.user(session["localId"])["emailLinkSignin"] is True
    update(project, session["localId"], deleteAttribute=["EMAIL"])
    user = project.user(session["localId"])
    assert user["providerUserInfo"] == [] and not {"emailLinkSignin", "emailVerified"} & user.keys()


def test_a_linked_entry_is_stored_as_it_came(project):
    uid = project.sign_up(A)["localId"]
    entry = {
        "providerId": "x.com",
        "rawId": "1",
        "email": "X@Example.com",
        "displayName": "X",
        "photoUrl": "p",
        "phoneNumber": "123",
        "federatedId": "f",
        "screenName": "s",
    }
    update(project, uid, linkProviderUserInfo=entry)
    assert project.user(uid)["providerUserInfo"][1] == entry
    update(project, uid, linkProviderUserInfo={"providerId": "x.com", "rawId": "2"})
    assert project.user(uid)["providerUserInfo"][1] == {"providerId": "x.com", "rawId": "2"}


# MARK: What leads to a user


def found(project, **by) -> list[str]:
    by = {name: [value] for name, value in by.items()}
    return [user["localId"] for user in project.admin("/accounts:lookup", by).get("users", [])]


def federated(provider: str, raw: str) -> dict:
    return {"federatedUserId": {"providerId": provider, "rawId": raw}}


def test_a_user_is_found_by_all_that_names_them(project):
    uid = project.admin("/accounts", {"email": A, "phoneNumber": ONE, "password": "secret1"})[
        "localId"
    ]
    link(project, uid, "x.com")
    for by in (
        {"localId": uid},
        {"email": A},
        {"email": A.upper()},
        {"phoneNumber": ONE},
        federated("x.com", f"{uid}-x.com"),
        federated("phone", ONE),
        federated("password", A),
    ):
        assert found(project, **by) == [uid], by


@pytest.mark.parametrize(
    "change, old, new",
    cases(
        {
            "address": ({"email": B}, {"email": A}, {"email": B}),
            "password's id": ({"email": B}, federated("password", A), federated("password", B)),
            "number": ({"phoneNumber": TWO}, {"phoneNumber": ONE}, {"phoneNumber": TWO}),
            "phone's id": ({"phoneNumber": TWO}, federated("phone", ONE), federated("phone", TWO)),
            "provider's id": (
                {"linkProviderUserInfo": {"providerId": "x.com", "rawId": "2"}},
                federated("x.com", "1"),
                federated("x.com", "2"),
            ),
            "address that goes": (
                {"deleteAttribute": ["EMAIL"]},
                {"email": A},
                {"phoneNumber": ONE},
            ),
            "number that goes": ({"deleteProvider": ["phone"]}, {"phoneNumber": ONE}, {"email": A}),
            "provider that goes": (
                {"deleteProvider": ["x.com"]},
                federated("x.com", "1"),
                {"email": A},
            ),
            "password that goes": (
                {"deleteAttribute": ["PASSWORD"]},
                federated("password", A),
                {"email": A},
            ),
        }
    ),
)
def test_old_identifiers_find_no_user(project, change, old, new):
    uid = project.admin("/accounts", {"email": A, "phoneNumber": ONE, "password": "secret1"})[
        "localId"
    ]
    update(project, uid, linkProviderUserInfo={"providerId": "x.com", "rawId": "1"})
    assert found(project, **old) == [uid]
    update(project, uid, **change)
    assert found(project, **old) == [] and found(project, **new) == [uid]


@pytest.mark.parametrize(
    "change, reuse",
    cases(
        {
            "address": ({"email": B}, {"email": A}),
            "number": ({"phoneNumber": TWO}, {"phoneNumber": ONE}),
            "address that goes": ({"deleteProvider": ["password"]}, {"email": A}),
            "number that goes": ({"deleteProvider": ["phone"]}, {"phoneNumber": ONE}),
        }
    ),
)
def test_what_was_given_up_is_free(project, change, reuse):
    uid = project.admin("/accounts", {"email": A, "phoneNumber": ONE, "password": "secret1"})[
        "localId"
    ]
    update(project, uid, **change)
    other = project.admin("/accounts", reuse)["localId"]
    assert found(project, **reuse) == [other]
