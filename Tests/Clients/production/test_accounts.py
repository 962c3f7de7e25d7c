"""Sign-up, sign-in, lookup and changes by users, as recorded from production."""

import pytest
from support.auth.recorded import PASSWORD, REDACTED, Recorded, refusal, refused

VERIFY_FIRST = "OPERATION_NOT_ALLOWED : Please verify the new email before changing email."


@pytest.fixture
def project(hearth):
    return Recorded(hearth)


# MARK: Sign-up


def test_members_of_a_sign_up(project):
    """A13, A14, A18"""
    full = project.signed_up("a", displayName="Name", photoUrl="https://x/y", emailVerified=True)
    assert set(full) == {
        "kind",
        "idToken",
        "displayName",
        "email",
        "refreshToken",
        "expiresIn",
        "localId",
    }
    user = project.looked_up(full["idToken"])
    assert "photoUrl" not in user and user["emailVerified"] is False
    assert set(project.signed_up("b")) == set(full) - {"displayName"}
    assert set(project.anonymous()) == {"kind", "idToken", "refreshToken", "expiresIn", "localId"}


@pytest.mark.parametrize(
    "body, message",
    [
        pytest.param({"email": "none", "password": PASSWORD}, "INVALID_EMAIL", id="A15-form"),
        pytest.param({"email": "a@example.com"}, "MISSING_PASSWORD", id="A15-password"),
        pytest.param({"email": "", "password": PASSWORD}, "MISSING_EMAIL", id="A15-empty"),
        pytest.param(
            {"email": "a@example.com", "password": "123"},
            "WEAK_PASSWORD : Password should be at least 6 characters",
            id="A15-short",
        ),
        pytest.param({"email": " a@example.com", "password": PASSWORD}, "INVALID_EMAIL", id="A194"),
    ],
)
def test_refused_sign_ups(project, body, message):
    assert refusal(project.client("signUp", body)) == refused(message)


def test_addresses_are_kept_in_lower_case(project):
    """A16, A17"""
    session = project.done(
        project.client(
            "signUp",
            {"email": "Mixed@Example.com", "password": PASSWORD, "returnSecureToken": True},
        )
    )
    assert session["email"] == "mixed@example.com"
    for email in ("mixed@example.com", "MIXED@example.com"):
        body = {"email": email, "password": PASSWORD}
        assert refusal(project.client("signUp", body)) == refused("EMAIL_EXISTS")


def test_anonymous_accounts_and_their_upgrade(project):
    """A19, A20, A22"""
    session = project.anonymous()
    assert set(project.looked_up(session["idToken"])) == {
        "localId",
        "lastLoginAt",
        "createdAt",
        "lastRefreshAt",
    }
    upgraded = project.done(
        project.client(
            "signUp",
            {
                "idToken": session["idToken"],
                "email": "up@example.com",
                "password": PASSWORD,
                "returnSecureToken": True,
            },
        )
    )
    assert upgraded["localId"] == session["localId"]
    assert upgraded["kind"] == "identitytoolkit#SignupNewUserResponse"
    other = project.anonymous()
    assert refusal(
        project.client(
            "signUp", {"idToken": other["idToken"], "email": "up@example.com", "password": PASSWORD}
        )
    ) == refused("EMAIL_EXISTS")
    assert "email" not in project.looked_up(other["idToken"])


def test_an_update_upgrades_nobody(project):
    """A21"""
    session = project.anonymous()
    body = {"idToken": session["idToken"], "email": "b@example.com", "password": PASSWORD}
    assert refusal(project.client("update", body)) == refused(VERIFY_FIRST)


def test_what_clients_may_not_do(project):
    """A23, A25"""
    project.create("known")
    session = project.session("known")
    project.set(
        "client", client={"permissions": {"disabledUserSignup": True, "disabledUserDeletion": True}}
    )
    mail = {"email": "new@example.com", "password": PASSWORD}
    for body in ({}, mail):
        assert refusal(project.client("signUp", body)) == refused("ADMIN_ONLY_OPERATION")
    delete = project.client("delete", {"idToken": session["idToken"]})
    assert refusal(delete) == refused("ADMIN_ONLY_OPERATION")
    project.done(project.owned("/accounts:delete", {"localId": "known"}))


# MARK: Password sign-in


def test_members_of_a_sign_in(project):
    """A26"""
    project.create("plain")
    plain = project.session("plain")
    assert set(plain) == {
        "kind",
        "localId",
        "email",
        "displayName",
        "idToken",
        "registered",
        "refreshToken",
        "expiresIn",
    }
    assert (plain["displayName"], plain["registered"]) == ("", True)
    project.create("full", displayName="Full", photoUrl="https://example.com/p.png")
    full = project.session("full")
    assert (full["displayName"], full["profilePicture"]) == ("Full", "https://example.com/p.png")


@pytest.mark.parametrize(
    "isPrivate, wrong, unknown",
    [
        pytest.param(True, "INVALID_LOGIN_CREDENTIALS", "INVALID_LOGIN_CREDENTIALS", id="A27"),
        pytest.param(False, "INVALID_PASSWORD", "EMAIL_NOT_FOUND", id="A28"),
    ],
)
def test_wrong_credentials(project, isPrivate, wrong, unknown):
    project.set("emailPrivacyConfig", emailPrivacyConfig={"enableImprovedEmailPrivacy": isPrivate})
    project.create("known")
    for name, message in (("known", wrong), ("nobody", unknown)):
        body = {"email": f"{name}@example.com", "password": "wrong-password"}
        assert refusal(project.client("signInWithPassword", body)) == refused(message)


@pytest.mark.parametrize(
    "body, message",
    [
        pytest.param({"password": PASSWORD}, "MISSING_EMAIL", id="A29-email"),
        pytest.param({"email": "a@example.com"}, "MISSING_PASSWORD", id="A29-password"),
        pytest.param({"email": "none", "password": PASSWORD}, "INVALID_EMAIL", id="A29-form"),
    ],
)
def test_incomplete_sign_ins(project, body, message):
    assert refusal(project.client("signInWithPassword", body)) == refused(message)


def test_disabled_accounts(project):
    """A30, A47"""
    project.create("target")
    session = project.session("target")
    project.change("target", disableUser=True)
    body = {"email": "target@example.com", "password": PASSWORD}
    assert refusal(project.client("signInWithPassword", body)) == refused("USER_DISABLED")
    lookup = project.client("lookup", {"idToken": session["idToken"]})
    assert refusal(lookup) == refused("USER_DISABLED")
    assert refusal(project.refresh(session["refreshToken"])) == refused("USER_DISABLED")


# MARK: Lookup


def test_members_of_accounts(project):
    """A36, A37, A38"""
    user = project.looked_up(project.signed_up("self")["idToken"])
    assert set(user) == {
        "localId",
        "email",
        "passwordHash",
        "emailVerified",
        "passwordUpdatedAt",
        "providerUserInfo",
        "validSince",
        "lastLoginAt",
        "createdAt",
        "lastRefreshAt",
    }
    assert user["passwordHash"] == REDACTED
    project.create("made")
    made = project.shown("made")
    assert made["disabled"] is False and made["passwordHash"] == REDACTED
    assert not {"salt", "version", "lastLoginAt", "lastRefreshAt"} & set(made)


def test_order_of_providers(project):
    """A39"""
    project.create("all", phoneNumber="+16505550101", displayName="D", photoUrl="https://p")
    project.change("all", linkProviderUserInfo={"providerId": "google.com", "rawId": "raw-1"})
    google, phone, password = project.shown("all")["providerUserInfo"]
    assert google == {"providerId": "google.com", "rawId": "raw-1", "federatedId": "raw-1"}
    assert phone == {"providerId": "phone", "rawId": "+16505550101", "phoneNumber": "+16505550101"}
    assert password == {
        "providerId": "password",
        "displayName": "D",
        "photoUrl": "https://p",
        "federatedId": "all@example.com",
        "email": "all@example.com",
        "rawId": "all@example.com",
    }


@pytest.mark.parametrize(
    "body",
    [
        pytest.param({}, id="A43-none"),
        pytest.param({"localId": []}, id="A43-empty"),
        pytest.param({"localId": None}, id="A43-null"),
    ],
)
def test_an_administrator_looks_nobody_up(project, body):
    assert refusal(project.owned("/accounts:lookup", body)) == refused("MISSING_ID_TOKEN")


def test_keys_add_up(project):
    """A42, A45, A46"""
    for name in ("a", "b"):
        project.create(name)
    body = {"localId": ["a", "a"], "email": ["B@example.com"]}
    users = project.done(project.owned("/accounts:lookup", body))["users"]
    assert [user["localId"] for user in users] == ["a", "b"]
    assert project.owned("/accounts:lookup", {"localId": ["none"]}) == (
        200,
        {"kind": "identitytoolkit#GetAccountInfoResponse"},
    )
    own = project.client("lookup", {"idToken": project.session("a")["idToken"], "localId": ["b"]})
    assert [user["localId"] for user in project.done(own)["users"]] == ["a"]


# MARK: Changes


def test_a_new_name_brings_no_token(project):
    """A49, A50, A60"""
    token = project.signed_up("name")["idToken"]
    answer = project.done(
        project.client(
            "update",
            {
                "idToken": token,
                "displayName": "N",
                "photoUrl": "https://p",
                "returnSecureToken": True,
            },
        )
    )
    assert set(answer) == {
        "kind",
        "localId",
        "email",
        "displayName",
        "photoUrl",
        "providerUserInfo",
        "passwordHash",
        "emailVerified",
    }
    assert answer["passwordHash"] == REDACTED
    answer = project.done(
        project.client(
            "update", {"idToken": token, "deleteAttribute": ["DISPLAY_NAME", "PHOTO_URL"]}
        )
    )
    assert not {"displayName", "photoUrl"} & set(answer)
    assert not {"displayName", "photoUrl"} & set(answer["providerUserInfo"][0])


@pytest.mark.parametrize(
    "more, extra",
    [
        pytest.param({}, {"idToken"}, id="A51-bare"),
        pytest.param(
            {"returnSecureToken": True}, {"idToken", "refreshToken", "expiresIn"}, id="A51-session"
        ),
    ],
)
def test_a_new_password_brings_a_token(project, more, extra):
    token = project.signed_up("password")["idToken"]
    answer = project.done(
        project.client("update", {"idToken": token, "password": "new-password", **more})
    )
    assert set(answer) & {"idToken", "refreshToken", "expiresIn"} == extra


@pytest.mark.parametrize(
    "email, message",
    [
        pytest.param("new@example.com", VERIFY_FIRST, id="A53-new"),
        pytest.param("taken@example.com", VERIFY_FIRST, id="A53-taken"),
        pytest.param("none", "INVALID_EMAIL", id="A53-form"),
    ],
)
def test_addresses_are_not_changed_at_once(project, email, message):
    project.create("taken")
    body = {"idToken": project.signed_up("old")["idToken"], "email": email}
    assert refusal(project.client("update", body)) == refused(message)


@pytest.mark.parametrize(
    "fields, message",
    [
        pytest.param({"customAttributes": "{}"}, "INSUFFICIENT_PERMISSION", id="A54"),
        pytest.param({"disableUser": True}, "OPERATION_NOT_ALLOWED", id="A55"),
        pytest.param(
            {"linkProviderUserInfo": {"providerId": "google.com", "rawId": "r"}},
            "UNEXPECTED_PARAMETER : link_provider_user_info is not allowed with ID token.",
            id="A56",
        ),
        pytest.param(
            {"displayName": "n" * 257},
            "INVALID_PROFILE_ATTRIBUTE : Display name too long.",
            id="A61-long",
        ),
    ],
)
def test_refused_changes(project, fields, message):
    session = project.signed_up("user")
    body = {"idToken": session["idToken"], **fields}
    assert refusal(project.client("update", body)) == refused(message)
    assert len(project.looked_up(session["idToken"])["providerUserInfo"]) == 1


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"customAttributes": "{}"}, id="A62-claims"),
        pytest.param({"displayName": "n"}, id="A62-name"),
    ],
)
def test_bad_tokens_are_refused_first(project, fields):
    body = {"idToken": "not-a-jwt", **fields}
    assert refusal(project.client("update", body)) == refused("INVALID_ID_TOKEN")


def test_ignored_changes(project):
    """A57, A58, A59"""
    project.create("victim")
    session = project.signed_up("user")
    answer = project.done(
        project.client(
            "update",
            {
                "idToken": session["idToken"],
                "emailVerified": True,
                "localId": "victim",
                "displayName": "Mine",
            },
        )
    )
    assert (answer["localId"], answer["emailVerified"]) == (session["localId"], False)
    assert "displayName" not in project.shown("victim")
    answer = project.done(
        project.client("update", {"idToken": session["idToken"], "validSince": "1700000000"})
    )
    assert "idToken" in answer and "refreshToken" not in answer


def test_values_are_kept_as_they_are(project):
    """A61"""
    token = project.signed_up("values")["idToken"]
    for name, url in (("", ""), ("a\u0000b", "not a url"), ("n" * 256, "https://e/" + "p" * 2038)):
        answer = project.done(
            project.client("update", {"idToken": token, "displayName": name, "photoUrl": url})
        )
        assert (answer["displayName"], answer["photoUrl"]) == (name, url)


def test_users_unlink_providers(project):
    """A password goes, and the address stays."""
    project.create("user")
    project.change("user", linkProviderUserInfo={"providerId": "google.com", "rawId": "raw"})
    token = project.session("user")["idToken"]
    answer = project.done(
        project.client("update", {"idToken": token, "deleteProvider": ["password"]})
    )
    assert [info["providerId"] for info in answer["providerUserInfo"]] == ["google.com"]
    assert answer["email"] == "user@example.com" and answer["emailVerified"] is False
    assert "passwordHash" not in answer
    answer = project.done(
        project.client("update", {"idToken": token, "deleteProvider": ["google.com"]})
    )
    assert "providerUserInfo" not in answer
