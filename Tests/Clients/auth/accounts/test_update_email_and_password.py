"""Updating the email address and the password of an account."""

import pytest
from support.auth.codes import token
from support.auth.project import claims
from support.auth.sign_up import freeze, fresh, hearth, token_block  # noqa: F401
from support.auth.update import UPDATES, entries, only, password_entry, project  # noqa: F401

TOKENS = {"idToken", "refreshToken", "expiresIn"}
REDACTED = "UkVEQUNURUQ="
PRIVATE = {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": True}}
WEAK = "WEAK_PASSWORD : Password should be at least 6 characters"
A, B, C, D = "a@example.com", "b@example.com", "c@example.com", "d@example.com"
KIND = "identitytoolkit#SetAccountInfoResponse"


# MARK: The address


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize(
    "email, message",
    [
        ("x", "INVALID_EMAIL"),
        ("@", "INVALID_EMAIL"),
        ("a@b@c", "INVALID_EMAIL"),
        ("a@", "INVALID_EMAIL"),
        (B, "EMAIL_EXISTS"),
        (B.upper(), "EMAIL_EXISTS"),
    ],
)
def test_addresses_that_are_refused(project, admin, email, message):
    session = project.sign_up(A)
    project.make(email=B)
    before = project.user(session["localId"])
    if admin:
        assert project.refused(session["localId"], email=email) == message
    else:
        assert project.mine(session, 400, email=email)["error"]["message"] == message
    assert project.user(session["localId"]) == before


@UPDATES
def test_a_user_changes_their_address(project, path):
    """Tokens of the same provider, an unverified address, and a code to recover the first."""
    session = project.verified(A)
    before = project.user(session["localId"])
    project.advance("PT10M")
    now = freeze(project)
    answer = project.post(path, {"idToken": session["idToken"], "email": "B@Example.com"})
    assert (
        answer.keys()
        == {
            "kind",
            "localId",
            "emailVerified",
            "email",
            "newEmail",
            "providerUserInfo",
            "passwordHash",
        }
        | TOKENS
    )
    assert answer["kind"] == KIND and answer["passwordHash"] == REDACTED
    assert (answer["email"], answer["newEmail"], answer["emailVerified"]) == (B, B, False)
    assert answer["providerUserInfo"] == [password_entry(B)]
    content = token_block(answer)
    assert content["firebase"]["sign_in_provider"] == "password"
    assert (content["email"], content["email_verified"]) == (B, False)
    after = project.user(session["localId"])
    assert (after["email"], after["emailVerified"], after["initialEmail"]) == (B, False, A)
    assert after["validSince"] == str(now // 1000)
    only(
        before,
        after,
        "email",
        "emailVerified",
        "initialEmail",
        "validSince",
        "lastRefreshAt",
        "providerUserInfo",
    )
    [record] = project.pending()
    assert record == {
        "email": A,
        "requestType": "RECOVER_EMAIL",
        "oobCode": record["oobCode"],
        "oobLink": record["oobLink"],
    }
    assert "mode=recoverEmail&" in record["oobLink"]
    [message] = project.messages()
    assert (message["type"], message["to"], message["oobCode"]) == (
        "RECOVER_EMAIL",
        A,
        record["oobCode"],
    )
    assert project.error("lookup", {"idToken": session["idToken"]}) == "TOKEN_EXPIRED"
    assert project.sign_in(B)["localId"] == session["localId"]


@pytest.mark.parametrize("email", [A, A.upper()])
@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
def test_an_address_that_does_not_change(project, email, admin):
    """`newEmail` is answered all the same; no tokens, nothing is stored."""
    session = project.verified(A)
    before = project.user(session["localId"])
    project.advance("PT10M")
    answer = (
        project.change(session["localId"], email=email)
        if admin
        else project.mine(session, email=email)
    )
    assert answer["newEmail"].lower() == A and answer["email"] == A
    assert answer["emailVerified"] is True and not TOKENS & answer.keys()
    assert project.user(session["localId"]) == before
    assert project.pending() == []


def test_an_address_that_only_looks_alike_is_another(project):
    uid = project.make(email="\u00e4@example.com", emailVerified=True)
    answer = project.change(uid, email="a\u0308@example.com")
    assert answer["email"] == "a\u0308@example.com" and answer["emailVerified"] is False


def test_the_first_address_is_kept_for_good(project):
    """Each change offers to recover it, whatever the one before was."""
    session = project.sign_up(A)
    uid = session["localId"]
    for number, email in enumerate((B, C, D), 1):
        session = project.mine(session, email=email)
        record = project.user(uid)
        assert (record["email"], record["initialEmail"]) == (email, A)
        assert [(one["requestType"], one["email"]) for one in project.pending()] == [
            ("RECOVER_EMAIL", A)
        ] * number
    project.call("update", {"oobCode": project.pending()[0]["oobCode"]})
    record = project.user(uid)
    assert (record["email"], record["initialEmail"]) == (A, A)
    assert len(project.pending()) == 2


def test_a_change_back_to_the_first_address_offers_to_recover_it_too(project):
    session = project.sign_up(A)
    session = project.mine(session, email=B)
    project.mine(session, email=A)
    assert [one["email"] for one in project.pending()] == [A, A]


def test_an_account_without_an_address_has_none_to_recover(project):
    session = project.sign_up(A)
    project.mine(session, deleteAttribute=["EMAIL"])
    project.mine(session, email=B)
    assert "initialEmail" not in project.user(session["localId"]) and project.pending() == []


def test_the_first_address_outlives_the_address(project):
    """`initialEmail` is never removed, and every change offers to recover it."""
    uid = project.make(email=A)
    project.change(uid, email=B)
    project.change(uid, deleteAttribute=["EMAIL"])
    assert project.user(uid)["initialEmail"] == A
    project.change(uid, email=C)
    assert [one["email"] for one in project.pending()] == [A, A]
    assert project.user(uid)["initialEmail"] == A


def test_an_initial_address_is_found(project):
    """After all others, and by administrators."""
    uid = project.make(email=A)
    other = project.make(email=C)
    project.change(uid, email=B)
    assert project.find(initialEmail=[A.upper(), C], localId=[other]) == [other, uid]
    assert project.find(initialEmail=[]) == project.find(initialEmail=[B]) == []


def test_an_administrator_changes_an_address(project):
    """No tokens, but an end to older ones, and a code for the first address."""
    session = project.verified(A)
    project.advance("PT10M")
    now = freeze(project)
    answer = project.change(session["localId"], email=B)
    assert not TOKENS & answer.keys()
    assert (answer["email"], answer["newEmail"], answer["emailVerified"]) == (B, B, False)
    assert answer["passwordHash"] != REDACTED
    record = project.user(session["localId"])
    assert (record["initialEmail"], record["validSince"]) == (A, str(now // 1000))
    assert [one["email"] for one in project.pending()] == [A]
    assert project.error("lookup", {"idToken": session["idToken"]}) == "TOKEN_EXPIRED"


def test_an_administrators_verified_wins(project):
    uid = project.make(email=A)
    answer = project.change(uid, email=B, emailVerified=True)
    assert answer["emailVerified"] is True is project.user(uid)["emailVerified"]


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
def test_a_first_address_has_nothing_to_recover(project, admin):
    """An anonymous user stays anonymous."""
    session = project.call("signUp", {})
    if admin:
        answer = project.change(session["localId"], email=A)
        assert not TOKENS & answer.keys()
    else:
        answer = project.mine(session, email=A)
        content = token_block(answer)
        assert content["firebase"]["sign_in_provider"] == content["provider_id"] == "anonymous"
        assert content["email"] == A
    assert answer["emailVerified"] is False
    record = project.user(session["localId"])
    assert "initialEmail" not in record and record["validSince"]
    assert project.pending() == []
    assert record.get("providerUserInfo", []) == []


def test_an_anonymous_users_second_address_has_nothing_to_recover(project):
    session = project.call("signUp", {})
    session = project.mine(session, email=A)
    session = project.mine(session, email=B)
    assert claims(session)["firebase"]["sign_in_provider"] == "anonymous"
    assert "initialEmail" not in project.user(session["localId"])
    assert project.pending() == []


def test_an_anonymous_token_offers_nothing_though_there_is_a_first_address(project):
    uid = project.call("signUp", {})["localId"]
    project.change(uid, email=A)
    project.change(uid, email=B)
    assert len(project.pending()) == 1 and project.user(uid)["initialEmail"] == A
    project.call("update", {"idToken": fresh({"localId": uid}), "email": C})
    assert len(project.pending()) == 1 and project.user(uid)["email"] == C


@pytest.mark.parametrize("provider", ["password", "google.com", "custom", "phone", "saml.x"])
def test_tokens_keep_their_provider(project, provider):
    uid = project.make(email=A)
    for change in ({"email": B}, {"validSince": "1"}):
        answer = project.call(
            "update", {"idToken": token(uid, sign_in_provider=provider), **change}
        )
        assert token_block(answer)["firebase"]["sign_in_provider"] == provider


def test_enumeration_protection_does_not_forbid_a_change_of_address(project):
    project.configure("emailPrivacyConfig", **PRIVATE)
    session = project.sign_up(A)
    project.make(email=B)
    assert project.mine(session, 400, email=B)["error"]["message"] == "EMAIL_EXISTS"
    assert project.mine(session, email=C)["email"] == C


# MARK: The password


@UPDATES
def test_a_user_changes_their_password(project, path):
    session = project.sign_up(A)
    before = project.user(session["localId"])
    project.advance("PT10M")
    now = freeze(project)
    answer = project.post(path, {"idToken": session["idToken"], "password": "Secret 2"})
    assert (
        answer.keys()
        == {"kind", "localId", "emailVerified", "email", "providerUserInfo", "passwordHash"}
        | TOKENS
    )
    assert token_block(answer)["firebase"]["sign_in_provider"] == "password"
    after = project.user(session["localId"])
    assert after["passwordUpdatedAt"] == now and after["validSince"] == str(now // 1000)
    assert after["passwordHash"] != before["passwordHash"] and after["salt"] != before["salt"]
    only(before, after, "passwordUpdatedAt", "validSince", "passwordHash", "salt", "lastRefreshAt")
    assert project.error("lookup", {"idToken": session["idToken"]}) == "TOKEN_EXPIRED"
    project.sign_in(A, password="Secret 2")


@UPDATES
def test_an_administrator_sets_a_password(project, path):
    """With tokens, of the provider `password`."""
    uid = project.make(email=A)
    answer = project.owner(
        "POST", path, json={"localId": uid, "password": "secret2", "targetProjectId": project.id}
    )
    assert token_block(answer)["firebase"]["sign_in_provider"] == "password"
    record = project.user(uid)
    assert record["lastRefreshAt"] and entries(record) == ["password"]
    assert answer["passwordHash"] == record["passwordHash"]


def test_tokens_come_for_a_disabled_user_too(project):
    """As for every password that an administrator sets."""
    uid = project.make(email=A)
    token_block(project.change(uid, password="secret2", disableUser=True))
    assert project.user(uid)["disabled"] is True


def test_an_unchanged_address_beside_a_new_password(project):
    session = project.verified(A)
    answer = project.mine(session, email=A.upper(), password="secret2")
    assert token_block(answer)["email_verified"] is True
    assert (answer["newEmail"], answer["emailVerified"]) == (A, True)
    assert project.pending() == []


def test_an_anonymous_user_sets_a_password(project):
    """Which makes the provider `password`, even without an address."""
    session = project.call("signUp", {})
    answer = project.mine(session, password="secret1")
    content = token_block(answer)
    assert content["firebase"]["sign_in_provider"] == "password"
    assert "provider_id" not in content
    assert "email" not in answer and answer.get("providerUserInfo", []) == []
    project.mine(answer, email=A)
    assert project.sign_in(A)["localId"] == session["localId"]


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize(
    "password, good",
    [
        ("short", False),
        ("\U0001f600\U0001f600a", False),
        ("\U0001f600" * 3, True),
        ("x" * 2000, True),
        ("ä" * 5, False),
    ],
    ids=["short", "two emoji", "three emoji", "long", "umlauts"],
)
def test_passwords(project, admin, password, good):
    session = project.sign_up(A)
    body = {"localId": session["localId"]} if admin else {"idToken": session["idToken"]}
    body["password"] = password
    if good:
        answer = project.admin("/accounts:update", body) if admin else project.call("update", body)
        assert answer.keys() >= TOKENS
        project.sign_in(A, password=password)
        return
    message = (
        project.admin_error("/accounts:update", body) if admin else project.error("update", body)
    )
    assert message == WEAK
    project.sign_in(A)


@pytest.mark.parametrize("given", ["1", 1, "abc", "99999999999", 0], ids=ascii)
def test_a_users_valid_since_is_now(project, given):
    """Whatever they send; with tokens of the same provider."""
    session = project.sign_up(A)
    project.advance("PT10M")
    now = freeze(project)
    answer = project.mine(session, validSince=given)
    assert answer.keys() >= TOKENS and "newEmail" not in answer
    assert token_block(answer)["firebase"]["sign_in_provider"] == "password"
    assert project.user(session["localId"])["validSince"] == str(now // 1000)
    assert project.error("lookup", {"idToken": session["idToken"]}) == "TOKEN_EXPIRED"
    project.call("lookup", {"idToken": answer["idToken"]})


@pytest.mark.parametrize("given", ["1", 1, "abc", "99999999999", 0], ids=ascii)
def test_an_administrators_valid_since_is_what_they_send(project, given):
    """Its digits are not verified; no tokens."""
    uid = project.make(email=A, password="secret1")
    answer = project.change(uid, validSince=given)
    assert not TOKENS & answer.keys()
    assert project.user(uid)["validSince"] == str(given)


@pytest.mark.parametrize(
    "change", [{"password": "secret2"}, {"email": B}], ids=["password", "email"]
)
def test_an_administrators_valid_since_wins(project, change):
    uid = project.make(email=A, password="secret1")
    project.change(uid, validSince="12", **change)
    assert project.user(uid)["validSince"] == "12"


@pytest.mark.parametrize("change", [{"email": B}, {"validSince": "1"}], ids=["email", "validSince"])
def test_an_administrator_with_a_token_gets_tokens(project, change):
    """A sign-in provider is known then."""
    session = project.sign_up(A)
    answer = project.change(session["localId"], idToken=session["idToken"], **change)
    assert token_block(answer)["firebase"]["sign_in_provider"] == "password"
