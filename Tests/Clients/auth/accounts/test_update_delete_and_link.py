"""Deleting attributes and providers of an account, and linking a provider."""

import pytest
from support.auth.project import check_error, claims
from support.auth.sign_up import hearth  # noqa: F401
from support.auth.update import entries, only, password_entry, project  # noqa: F401

TOKENS = {"idToken", "refreshToken", "expiresIn"}
A, B, C, D = "a@example.com", "b@example.com", "c@example.com", "d@example.com"
PHONE, OTHER_PHONE = "+15555550100", "+15555550101"
GOOGLE = {"providerId": "google.com", "rawId": "g1"}
APPLE = {"providerId": "apple.com", "rawId": "a1"}


# MARK: Deleting


def everything(project) -> dict:
    """A session of a user who has it all."""
    uid = project.make(
        email=A,
        password="secret1",
        emailVerified=True,
        displayName="Ann",
        photoUrl="u",
        phoneNumber=PHONE,
    )
    project.change(uid, linkProviderUserInfo=GOOGLE)
    return project.call("signInWithEmailLink", {"email": A, "oobCode": project.oob("EMAIL_SIGNIN")})


ADDRESS = {"email", "emailVerified", "emailLinkSignin"}
DELETED = {
    "DISPLAY_NAME": ({"displayName"}, ["password", "phone", "google.com"]),
    "PHOTO_URL": ({"photoUrl"}, ["password", "phone", "google.com"]),
    "PASSWORD": ({"passwordHash", "salt"}, ["password", "phone", "google.com"]),
    "EMAIL": (ADDRESS, ["phone", "google.com"]),
    "USER_ATTRIBUTE_NAME_UNSPECIFIED": (set(), ["password", "phone", "google.com"]),
}


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize("form", ["name", "number"])
@pytest.mark.parametrize("attribute", DELETED)
def test_deleting_attributes(project, admin, form, attribute):
    """No tokens; `passwordUpdatedAt` and `validSince` stay."""
    index = {"EMAIL": 1, "DISPLAY_NAME": 2, "PHOTO_URL": 4, "PASSWORD": 5}.get(attribute, 0)
    gone, left = DELETED[attribute]
    session = everything(project)
    before = project.user(session["localId"])
    change = {"deleteAttribute": [attribute if form == "name" else index]}
    answer = (
        project.change(session["localId"], **change) if admin else project.mine(session, **change)
    )
    assert not (TOKENS | gone) & answer.keys()
    after = project.user(session["localId"])
    assert not gone & after.keys()
    only(before, after, "providerUserInfo", *gone)
    assert entries(after) == left == entries(answer)
    project.call("lookup", {"idToken": session["idToken"]})


def test_a_password_without_a_link_takes_its_entry_along(project):
    """The list that becomes empty stays."""
    session = project.sign_up(A)
    answer = project.mine(session, deleteAttribute=["PASSWORD"])
    assert answer["providerUserInfo"] == [] and "passwordHash" not in answer
    record = project.user(session["localId"])
    assert record["providerUserInfo"] == [] and record["email"] == A
    assert record["passwordUpdatedAt"]
    assert (
        project.error("signInWithPassword", {"email": A, "password": "secret1"})
        == "INVALID_PASSWORD"
    )


def test_a_deleted_address_is_free(project):
    session = project.sign_up(A)
    project.mine(session, deleteAttribute=["EMAIL"])
    assert project.find(email=[A]) == []
    project.make(email=A)


@pytest.mark.parametrize(
    "attribute, change, name",
    [
        ("DISPLAY_NAME", {"displayName": "New"}, "displayName"),
        ("PHOTO_URL", {"photoUrl": "v"}, "photoUrl"),
        ("PASSWORD", {"password": "secret2"}, "passwordHash"),
        ("EMAIL", {"email": B}, "email"),
    ],
)
def test_deleting_wins_over_setting(project, attribute, change, name):
    session = project.sign_up(A, displayName="Old")
    answer = project.mine(session, deleteAttribute=[attribute], **change)
    assert name not in answer and name not in project.user(session["localId"])


@pytest.mark.parametrize("attribute", ["PROVIDER", "RAW_USER_INFO", 3, "6"], ids=str)
@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize("others", [[], ["EMAIL"]], ids=["alone", "after another"])
def test_attributes_that_cannot_be_deleted(project, admin, attribute, others):
    session = project.sign_up(A)
    before = project.user(session["localId"])
    body = {"deleteAttribute": [*others, attribute]}
    if admin:
        error = project.admin("/accounts:update", {"localId": "nobody", **body}, 501)["error"]
    else:
        error = project.mine(session, 501, **body)["error"]
    check_error(error, 501)
    assert project.user(session["localId"]) == before


@pytest.mark.parametrize("attribute", ["email", "x", 7, -1, "7", None, True], ids=str)
def test_unknown_attributes(project, attribute):
    error = project.call("update", {"idToken": "x", "deleteAttribute": ["EMAIL", attribute]}, 400)[
        "error"
    ]
    assert error["status"] == "INVALID_ARGUMENT"
    rule = (
        "equal to one of the allowed values"
        if isinstance(attribute, str | int) and not isinstance(attribute, bool)
        else "string"
    )
    assert error["message"] == (f"Invalid JSON payload received. /deleteAttribute/1 must be {rule}")


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize(
    "given, gone, left",
    [
        (["password"], ADDRESS | {"passwordHash", "salt"}, ["phone", "google.com"]),
        (["phone"], {"phoneNumber"}, ["password", "google.com"]),
        (["google.com"], set(), ["password", "phone"]),
        (["google.com", "google.com"], set(), ["password", "phone"]),
        (["apple.com", "Google.com", ""], set(), ["password", "phone", "google.com"]),
        (
            ["password", "phone", "google.com"],
            ADDRESS | {"passwordHash", "salt", "phoneNumber"},
            [],
        ),
    ],
    ids=["password", "phone", "google", "twice", "unknown", "all"],
)
def test_deleting_providers(project, admin, given, gone, left):
    session = everything(project)
    before = project.user(session["localId"])
    change = {"deleteProvider": given}
    answer = (
        project.change(session["localId"], **change) if admin else project.mine(session, **change)
    )
    assert not (TOKENS | gone) & answer.keys()
    after = project.user(session["localId"])
    assert not gone & after.keys() and after["passwordUpdatedAt"] == before["passwordUpdatedAt"]
    only(before, after, "providerUserInfo", *gone)
    assert entries(after) == left == entries(answer)
    found = project.find(federatedUserId=[GOOGLE])
    assert found == ([session["localId"]] if "google.com" in left else [])


def test_deleting_a_provider_wins_over_setting(project):
    uid = project.make(email=A, password="secret1")
    project.change(uid, phoneNumber=PHONE, deleteProvider=["phone"])
    assert "phoneNumber" not in project.user(uid)
    project.change(uid, email=B, password="secret2", deleteProvider=["password"])
    record = project.user(uid)
    assert not (ADDRESS | {"passwordHash", "salt"}) & record.keys()


@pytest.mark.parametrize("given", [[], ["unknown"], [""]])
def test_deleting_passkeys_that_are_not_there(project, given):
    session = project.sign_up(A)
    answer = project.mine(session, deletePasskey=given)
    assert not TOKENS & answer.keys()
    assert project.user(session["localId"]).get("passkeyInfo", []) == []


# MARK: Linking a provider

FULL = {
    **GOOGLE,
    "email": D,
    "displayName": "Ann",
    "photoUrl": "u",
    "phoneNumber": "1",
    "federatedId": "f",
    "screenName": "s",
}


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize("link", [GOOGLE, FULL], ids=["least", "most"])
def test_linking_a_provider(project, admin, link):
    """As given, before the entries that are kept by the server; no tokens."""
    session = project.sign_up(A)
    before = project.user(session["localId"])
    change = {"linkProviderUserInfo": link}
    answer = (
        project.change(session["localId"], **change) if admin else project.mine(session, **change)
    )
    expected = [password_entry(A), link]
    assert answer["providerUserInfo"] == expected and not TOKENS & answer.keys()
    after = project.user(session["localId"])
    assert after["providerUserInfo"] == expected
    only(before, after, "providerUserInfo")
    assert project.find(federatedUserId=[GOOGLE]) == [session["localId"]]
    assert claims(project.sign_in(A))["firebase"]["identities"] == {
        "email": [A],
        "google.com": ["g1"],
    }


def test_linking_a_provider_again_replaces_its_entry(project):
    """In its place."""
    uid = project.make(email=A)
    project.change(uid, linkProviderUserInfo=FULL)
    project.change(uid, linkProviderUserInfo=APPLE)
    again = {"providerId": "google.com", "rawId": "g2"}
    project.change(uid, linkProviderUserInfo=again)
    assert project.user(uid)["providerUserInfo"] == [again, APPLE]
    assert project.find(federatedUserId=[GOOGLE]) == []
    assert project.find(federatedUserId=[again]) == [uid]


def test_entries_of_one_write_have_an_order(project):
    """The one that is linked, then password, then phone."""
    uid = project.make(email=A)
    project.change(uid, password="secret1", phoneNumber=PHONE, linkProviderUserInfo=GOOGLE)
    assert entries(project.user(uid)) == ["google.com", "password", "phone"]


def test_a_provider_is_unlinked_before_it_is_linked(project):
    uid = project.make(email=A)
    project.change(uid, linkProviderUserInfo=GOOGLE)
    project.change(uid, linkProviderUserInfo=APPLE)
    project.change(uid, deleteProvider=["google.com"], linkProviderUserInfo=FULL)
    assert project.user(uid)["providerUserInfo"] == [APPLE, FULL]


def test_a_provider_account_may_be_linked_twice_by_the_owner(project):
    one, two = project.make(email=A), project.make(email=B)
    for uid in (one, two):
        project.change(uid, linkProviderUserInfo=GOOGLE)
        assert project.user(uid)["providerUserInfo"] == [GOOGLE]


@pytest.mark.parametrize("provider", ["password", "phone"])
def test_password_and_phone_cannot_be_linked(project, provider):
    """Their entries follow from the account."""
    uid = project.make()
    project.change(uid, linkProviderUserInfo={"providerId": provider, "rawId": A})
    assert project.user(uid)["providerUserInfo"] == []


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize(
    "link, message",
    [
        ({}, "MISSING_PROVIDER_ID"),
        ({"providerId": ""}, "MISSING_PROVIDER_ID"),
        ({"rawId": "1"}, "MISSING_PROVIDER_ID"),
        ({"providerId": "google.com"}, "MISSING_RAW_ID"),
        ({"providerId": "google.com", "rawId": ""}, "MISSING_RAW_ID"),
    ],
)
def test_links_that_are_refused(project, admin, link, message):
    """Nothing is stored of what else was asked for."""
    session = project.sign_up(A)
    before = project.user(session["localId"])
    change = {
        "linkProviderUserInfo": link,
        "displayName": "Ann",
        "email": B,
        "password": "secret2",
        "deleteProvider": ["google.com"],
    }
    if admin:
        assert project.refused(session["localId"], **change) == message
    else:
        assert project.mine(session, 400, **change)["error"]["message"] == message
    assert project.user(session["localId"]) == before
    assert project.pending() == []
