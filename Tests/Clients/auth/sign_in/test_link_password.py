"""Linking an email address and a password to an account by signing up."""

import pytest
from support.auth.project import claims
from support.auth.sign_up import freeze, fresh, hearth, project, same_time, token_block  # noqa: F401
from support.wire import V3

A, B = "a@example.com", "b@example.com"
PHONE, OTHER_PHONE = "+15555550100", "+15555550101"
TOKENS = {"idToken", "refreshToken", "expiresIn"}


# MARK: Linking


def linked(project, token: str, **more) -> dict:
    return project.call(
        "signUp", {"idToken": token, "email": "New@Example.com", "password": "secret2", **more}
    )


def test_an_anonymous_user_gets_a_password(project):
    now = freeze(project)
    first = project.call("signUp", {})
    project.advance("PT2H")
    answer = linked(project, fresh(first))
    assert answer.keys() == {"kind", "localId", "email"} | TOKENS
    assert answer["localId"] == first["localId"] and answer["email"] == "new@example.com"
    content = token_block(answer)
    assert content["firebase"]["sign_in_provider"] == "password"
    assert "provider_id" not in content
    [record] = project.users()
    later = now + 2 * 3600 * 1000
    same_time(record, "createdAt", now)
    same_time(record, "lastLoginAt", later)
    assert record["validSince"] == str(later // 1000) and record["passwordUpdatedAt"] == later
    assert record["email"] == "new@example.com" and record["emailVerified"] is False
    assert content["auth_time"] == later // 1000
    assert project.sign_in("new@example.com", password="secret2")["localId"] == first["localId"]


def test_linking_replaces_address_and_password(project):
    """Without an initial address, and without a mail to undo it."""
    first = project.sign_up(A)
    answer = linked(project, first["idToken"])
    assert answer["localId"] == first["localId"]
    [record] = project.users()
    assert record["email"] == "new@example.com" and "initialEmail" not in record
    assert [entry["rawId"] for entry in record["providerUserInfo"]] == ["new@example.com"]
    assert project.error("signInWithPassword", {"email": A, "password": "secret1"}) == (
        "EMAIL_NOT_FOUND"
    )
    assert (
        project.error("signInWithPassword", {"email": "new@example.com", "password": "secret1"})
        == "INVALID_PASSWORD"
    )
    assert project.request("GET", f"{project.control}/oobCodes") == {"oobCodes": []}
    assert project.messages() == []


@pytest.mark.parametrize(
    "more, name", [({}, None), ({"displayName": "New"}, "New")], ids=["absent", "given"]
)
def test_linking_replaces_the_name_and_keeps_the_picture(project, more, name):
    session = project.sign_up(A)
    project.call("update", {"idToken": session["idToken"], "displayName": "Old", "photoUrl": "u"})
    answer = linked(project, session["idToken"], photoUrl="v", **more)
    assert answer.get("displayName") == name
    [record] = project.users()
    assert record.get("displayName") == name and record["photoUrl"] == "u"
    content = claims(answer)
    assert content.get("name") == name and content["picture"] == "u"


def test_linking_makes_an_address_unverified(project):
    session = project.verified(A)
    linked(project, session["idToken"])
    assert project.user(session["localId"])["emailVerified"] is False


def test_linking_ends_older_tokens(project):
    session = project.call("signUp", {})
    project.advance("PT1M")
    linked(project, session["idToken"])
    assert project.error("lookup", {"idToken": session["idToken"]}) == "TOKEN_EXPIRED"


def test_linking_with_factors(project):
    session = project.call("signUp", {})
    answer = linked(project, session["idToken"], mfaInfo=[{"phoneInfo": PHONE}])
    token_block(answer)
    [factor] = project.user(session["localId"])["mfaInfo"]
    assert factor["phoneInfo"] == PHONE


def test_linking_keeps_factors_and_still_gives_tokens(project):
    session = project.sign_up(A, mfaInfo=[{"phoneInfo": PHONE}])
    token_block(linked(project, session["idToken"]))
    assert len(project.user(session["localId"])["mfaInfo"]) == 1


def test_linking_the_same_address_is_refused(project):
    session = project.sign_up(A)
    assert (
        project.error("signUp", {"idToken": session["idToken"], "email": A, "password": "secret2"})
        == "EMAIL_EXISTS"
    )


def test_linking_in_the_old_name(project):
    session = project.call("signUp", {})
    answer = project.post(
        V3 + "signupNewUser", {"id_token": session["idToken"], "email": A, "password": "secret1"}
    )
    assert answer["localId"] == session["localId"]


def test_an_administrator_links(project):
    """No tokens; name and picture that are not given are gone, the address is unverified."""
    session = project.sign_up(A, displayName="Old")
    project.call("update", {"idToken": session["idToken"], "photoUrl": "u"})
    now = freeze(project)
    answer = project.admin("/accounts", {"idToken": session["idToken"], "email": B})
    assert answer == {
        "kind": "identitytoolkit#SignupNewUserResponse",
        "localId": session["localId"],
        "email": B,
    }
    [record] = project.users()
    assert not {"displayName", "photoUrl", "initialEmail"} & record.keys()
    assert (record["email"], record["emailVerified"]) == (B, False)
    same_time(record, "lastLoginAt", now)


def test_an_administrator_links_all(project):
    session = project.call("signUp", {})
    project.admin(
        "/accounts",
        {
            "idToken": session["idToken"],
            "localId": "",
            "displayName": "Ann",
            "photoUrl": "u",
            "emailVerified": True,
            "disabled": True,
            "phoneNumber": PHONE,
            "password": "secret1",
            "mfaInfo": [{"phoneInfo": OTHER_PHONE}],
        },
    )
    [record] = project.users()
    assert record["localId"] == session["localId"]
    expected = {
        "displayName": "Ann",
        "photoUrl": "u",
        "emailVerified": True,
        "disabled": True,
        "phoneNumber": PHONE,
    }
    assert expected.items() <= record.items() and len(record["mfaInfo"]) == 1
