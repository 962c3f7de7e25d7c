"""accounts:signInWithIdp: linking providers, and which account a sign-in leads to."""

import pytest
from support.auth.project import claims, idp_body
from support.auth.sign_in import entry, project, token, whole  # noqa: F401

A, B = "a@example.com", "b@example.com"
KIND = "identitytoolkit#VerifyAssertionResponse"


def providers(user: dict) -> list[str]:
    return [e["providerId"] for e in user["providerUserInfo"]]


# MARK: Linking


def test_linking(project):
    session = project.sign_up(A, displayName="Mine")
    answer = project.idp("google.com", whole(), idToken=session["idToken"])
    assert answer["localId"] == session["localId"] and "isNewUser" not in answer
    assert claims(answer)["firebase"]["sign_in_provider"] == "google.com"
    user = project.user(session["localId"])
    assert user["displayName"] == "Mine" and "photoUrl" not in user
    assert user["emailVerified"] is True
    assert sorted(providers(user)) == ["google.com", "password"]
    assert project.sign_in(A)["localId"] == session["localId"]


def test_linking_gives_an_address_to_an_account_without(project):
    session = project.call("signUp", {})
    project.idp("google.com", whole(verified=False), idToken=session["idToken"])
    user = project.user(session["localId"])
    assert (user["email"], user["emailVerified"]) == (A, False)
    assert "displayName" not in user and "photoUrl" not in user


def test_linking_another_address_leaves_the_accounts(project):
    session = project.sign_up(A)
    answer = project.idp("google.com", whole(email=B), idToken=session["idToken"])
    assert (answer["email"], answer["emailVerified"]) == (B, True)
    user = project.user(session["localId"])
    assert (user["email"], user["emailVerified"]) == (A, False)
    assert entry(user, "google.com")["email"] == B


def test_linking_replaces_the_entry_of_that_provider(project):
    session = project.sign_up(A)
    project.idp("google.com", whole("1"), idToken=session["idToken"])
    project.idp("google.com", token("2"), idToken=session["idToken"])
    user = project.user(session["localId"])
    assert entry(user, "google.com") == {
        "providerId": "google.com",
        "rawId": "2",
        "federatedId": "2",
    }
    assert claims(project.sign_in(A))["firebase"]["identities"] == {
        "email": [A],
        "google.com": ["2"],
    }


CONFLICTS = {"FEDERATED_USER_ID_ALREADY_LINKED": whole("taken", B), "EMAIL_EXISTS": whole("new", B)}


@pytest.mark.parametrize("code", CONFLICTS)
def test_conflicts(project, code):
    project.idp("google.com", whole("taken", B))
    session = project.sign_up(A)
    before = project.user(session["localId"])
    body = idp_body("google.com", CONFLICTS[code], idToken=session["idToken"])
    assert project.error("signInWithIdp", body) == code
    soft = project.call("signInWithIdp", {**body, "returnIdpCredential": True})
    assert soft["errorMessage"] == code
    assert not {"localId", "idToken", "refreshToken", "expiresIn", "tenantId"} & soft.keys()
    assert (soft["kind"], soft["email"], soft["context"]) == (KIND, B, "")
    assert soft["oauthIdToken"] and soft["oauthAccessToken"] and soft["rawUserInfo"]
    assert project.user(session["localId"]) == before


def test_linking_the_same_provider_again_is_a_conflict(project):
    session = project.idp("google.com", whole())
    body = idp_body("google.com", whole(), idToken=session["idToken"])
    assert project.error("signInWithIdp", body) == "FEDERATED_USER_ID_ALREADY_LINKED"


def test_linking_with_duplicates_allowed(project):
    project.configure("signIn.allowDuplicateEmails", signIn={"allowDuplicateEmails": True})
    project.sign_up(B)
    session = project.call("signUp", {})
    project.idp("google.com", whole(email=B), idToken=session["idToken"])
    user = project.user(session["localId"])
    assert "email" not in user and entry(user, "google.com")["email"] == B


# MARK: Signing in


def test_row_1_a_known_account_is_refreshed(project):
    first = project.idp("google.com", whole())
    again = project.idp("google.com", token(email=B, email_verified=True, name="Other"))
    assert again["localId"] == first["localId"] and "isNewUser" not in again
    user = project.user(first["localId"])
    assert (user["email"], user["displayName"]) == (A, "Ann")
    assert entry(user, "google.com") == {
        "providerId": "google.com",
        "rawId": "1",
        "federatedId": "1",
        "email": B,
        "displayName": "Other",
    }


@pytest.mark.parametrize("verified", [True, False])
def test_row_2_a_verified_address_merges(project, verified):
    created = project.admin(
        "/accounts",
        {
            "email": A,
            "password": "secret1",
            "emailVerified": verified,
            "displayName": "Old",
            "photoUrl": "http://localhost/old.png",
            "phoneNumber": "+15555550100",
        },
    )
    uid = created["localId"]
    before = project.user(uid)
    answer = project.idp("google.com", token(email=A, email_verified=True, name="New"))
    assert answer["localId"] == uid
    assert not {"isNewUser", "emailRecycled", "needConfirmation"} & answer.keys()
    user = project.user(uid)
    assert user["emailVerified"] is True and user["displayName"] == "New"
    assert "photoUrl" not in user and "screenName" not in user
    assert ("phoneNumber" in user) == verified
    assert ("password" in providers(user)) == verified
    assert ("phone" in providers(user)) == verified
    assert user.get("passwordHash") == (before["passwordHash"] if verified else None)
    assert user["salt"] == before["salt"]
    if verified:
        assert project.sign_in(A)["localId"] == uid
    else:
        assert (
            project.error("signInWithPassword", {"email": A, "password": "secret1"})
            == "INVALID_PASSWORD"
        )
        assert int(user["validSince"]) >= int(before["validSince"])


@pytest.mark.parametrize(
    "change", [{"deleteAttribute": ["PASSWORD"]}, {"deleteProvider": ["password"]}]
)
def test_the_salt_left_by_a_merge_is_removed_with_the_password(project, change):
    uid = project.admin("/accounts", {"email": A, "password": "secret1"})["localId"]
    project.idp("google.com", token(email=A, email_verified=True))
    assert "salt" in project.user(uid)
    project.admin("/accounts:update", {"localId": uid, **change})
    assert "salt" not in project.user(uid)


@pytest.mark.parametrize(
    "name", ["email", "name", "screen_name", "picture", "given_name", "family_name"]
)
def test_a_null_claim_counts_as_absent(project, name):
    answer = project.idp("google.com", token(**{name: None}))
    record = project.user(answer["localId"])
    assert "email" not in record and "displayName" not in record


def test_row_2_another_account_of_the_same_provider_recycles(project):
    first = project.idp("google.com", whole("1"))
    again = project.idp("google.com", whole("2"))
    assert again["emailRecycled"] is True and again["localId"] == first["localId"]
    assert entry(project.user(first["localId"]), "google.com")["rawId"] == "2"


@pytest.mark.parametrize(
    "verified_provider, prepare",
    [
        ([], lambda project: project.sign_up(A)),
        (["facebook.com"], lambda project: project.idp("facebook.com", whole())),
        (None, lambda project: project.admin("/accounts", {"email": A})),
        (
            [],
            lambda project: project.admin(
                "/accounts", {"email": A, "password": "secret1", "phoneNumber": "+15555550100"}
            ),
        ),
    ],
)
def test_row_3_an_unverified_address_needs_confirmation(project, verified_provider, prepare):
    uid = prepare(project)["localId"]
    before = project.user(uid)
    answer = project.idp("google.com", whole("2", verified=False), returnIdpCredential=True)
    assert answer["needConfirmation"] is True and answer["localId"] == uid
    assert answer.get("verifiedProvider") == verified_provider
    assert (
        not {"idToken", "refreshToken", "expiresIn", "tenantId", "errorMessage", "isNewUser"}
        & answer.keys()
    )
    assert project.user(uid) == before


def test_row_4_a_new_account(project):
    answer = project.idp("google.com", whole())
    user = project.user(answer["localId"])
    assert answer["isNewUser"] is True and user["createdAt"].isdigit()
    assert int(user["lastLoginAt"]) >= int(user["createdAt"])
    assert len(answer["localId"]) == 28 and "passwordHash" not in user


def test_duplicates_allowed_nothing_merges(project):
    project.configure("signIn.allowDuplicateEmails", signIn={"allowDuplicateEmails": True})
    mine = project.sign_up(A)
    for sub, verified in [("1", True), ("2", False)]:
        answer = project.idp("google.com", whole(sub, verified=verified))
        assert answer["isNewUser"] is True and answer["localId"] != mine["localId"]
        user = project.user(answer["localId"])
        assert "email" not in user and entry(user, "google.com")["email"] == A
        assert project.idp("google.com", whole(sub))["localId"] == answer["localId"]


def test_a_disabled_user_is_refused_after_the_link_is_stored(project):
    uid = project.idp("google.com", whole())["localId"]
    project.admin("/accounts:update", {"localId": uid, "disableUser": True})
    body = idp_body("google.com", whole() | {"name": "Changed"})
    assert project.error("signInWithIdp", body) == "USER_DISABLED"
    assert entry(project.user(uid), "google.com")["displayName"] == "Changed"


def test_linking_to_a_disabled_user(project):
    session = project.sign_up(A)
    project.admin("/accounts:update", {"localId": session["localId"], "disableUser": True})
    body = idp_body("google.com", whole(), idToken=session["idToken"])
    assert project.error("signInWithIdp", body) == "USER_DISABLED"


def test_second_factors_come_instead_of_tokens(project):
    session = project.verified(A)
    project.enroll(session, "+15555550100", displayName="Mine")
    before = project.user(session["localId"])
    answer = project.idp("google.com", whole())
    assert answer["localId"] == session["localId"] and answer["mfaPendingCredential"]
    assert not {"idToken", "refreshToken", "expiresIn"} & answer.keys()
    [info] = answer["mfaInfo"]
    assert (info["phoneInfo"], info["displayName"]) == ("+*******0100", "Mine")
    after = project.user(session["localId"])
    assert "google.com" in providers(after)
    assert after["lastLoginAt"] == before["lastLoginAt"]
    assert after["lastRefreshAt"] == before["lastRefreshAt"]


def test_tenants_have_their_own_accounts(project):
    main = project.idp("google.com", whole())
    answer = project.idp("google.com", whole(), tenantId="t1")
    assert answer["isNewUser"] is True and answer["tenantId"] == "t1"
    assert answer["localId"] != main["localId"] and "tenantId" not in main
    assert project.user(answer["localId"], tenant="t1")["tenantId"] == "t1"
    assert claims(answer)["firebase"]["tenant"] == "t1"


def test_a_tenant_is_not_named_where_nothing_is_signed_in(project):
    project.sign_up(A, tenantId="t1")
    answer = project.idp("google.com", whole(verified=False), tenantId="t1")
    assert answer["needConfirmation"] is True and "tenantId" not in answer
