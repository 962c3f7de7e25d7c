"""Signing up: anonymously, with a password, by an administrator, in a tenant."""

import json
import re

import pytest
from support.auth.project import claims
from support.auth.sign_up import freeze, hearth, project, same_time, token_block  # noqa: F401
from support.wire import V1, V3, user_record

A, B = "a@example.com", "b@example.com"
PHONE, OTHER_PHONE = "+15555550100", "+15555550101"
TOKENS = {"idToken", "refreshToken", "expiresIn"}
OPEN = {"allowPasswordSignup": True, "enableEmailLinkSignin": True, "enableAnonymousUser": True}
PRIVATE = {"emailPrivacyConfig": {"enableImprovedEmailPrivacy": True}}
WEAK = "WEAK_PASSWORD : Password should be at least 6 characters"


# MARK: Signing up anonymously

ANONYMOUS = {
    "nothing": {},
    "returnSecureToken": {"returnSecureToken": True},
    "no tokens wanted": {"returnSecureToken": False},
    "text for returnSecureToken": {"returnSecureToken": "x"},
    "number for returnSecureToken": {"returnSecureToken": 7},
    "object for returnSecureToken": {"returnSecureToken": {"a": [1]}},
    "empty password": {"password": ""},
    "empty idToken": {"idToken": ""},
    "empty localId": {"localId": ""},
    "empty tenant": {"tenantId": ""},
    "profile": {"displayName": "Ann", "photoUrl": "http://localhost/a.png"},
    "what owners may set": {"emailVerified": True, "disabled": True, "phoneNumber": "not one"},
    "unknown": {"nothingKnown": None, "other": [None]},
    "ignored": {
        "captchaChallenge": "x",
        "captchaResponse": "x",
        "instanceId": "x",
        "clientType": "CLIENT_TYPE_IOS",
        "recaptchaVersion": "RECAPTCHA_ENTERPRISE",
    },
    "empty factors": {"mfaInfo": []},
}


@pytest.mark.parametrize("path", [V1 + "signUp", V3 + "signupNewUser"], ids=["v1", "v3"])
@pytest.mark.parametrize("given", ANONYMOUS.values(), ids=ANONYMOUS)
def test_anonymous(project, path, given):
    """Profile and rights are not stored, tokens come in any case."""
    now = freeze(project)
    answer = project.post(path, given)
    assert answer.keys() == {"kind", "localId"} | TOKENS
    assert answer["kind"] == "identitytoolkit#SignupNewUserResponse"
    assert re.fullmatch(r"[A-Za-z0-9]{28}", answer["localId"])
    content = token_block(answer)
    assert content["provider_id"] == content["firebase"]["sign_in_provider"] == "anonymous"
    assert content["firebase"]["identities"] == {}
    assert content["auth_time"] == now // 1000
    assert not {"email", "email_verified", "name", "picture", "phone_number"} & content.keys()
    record = project.user(answer["localId"])
    assert record.keys() == {"localId", "createdAt", "lastLoginAt", "lastRefreshAt"}
    same_time(record, "createdAt", now)
    same_time(record, "lastLoginAt", now)


def test_anonymous_with_factors(project):
    """Factors are stored, and tokens come all the same."""
    answer = project.call("signUp", {"mfaInfo": [{"phoneInfo": PHONE, "displayName": "Mine"}]})
    token_block(answer)
    [factor] = project.user(answer["localId"])["mfaInfo"]
    assert (factor["phoneInfo"], factor["displayName"]) == (PHONE, "Mine")


# MARK: Signing up with a password

PASSWORD_RECORD = {
    "localId",
    "email",
    "emailVerified",
    "passwordHash",
    "salt",
    "passwordUpdatedAt",
    "validSince",
    "createdAt",
    "lastLoginAt",
    "lastRefreshAt",
    "providerUserInfo",
}


@pytest.mark.parametrize("path", [V1 + "signUp", V3 + "signupNewUser"], ids=["v1", "v3"])
@pytest.mark.parametrize(
    "more, stored",
    [
        ({}, {}),
        ({"displayName": "Ann"}, {"displayName": "Ann"}),
        ({"photoUrl": "http://localhost/a.png"}, {}),
        ({"phoneNumber": PHONE}, {}),
        ({"phoneNumber": "not one"}, {}),
        ({"emailVerified": True}, {}),
        ({"disabled": True}, {}),
        ({"localId": ""}, {}),
        ({"returnSecureToken": False}, {}),
        ({"idToken": ""}, {}),
        ({"mfaInfo": []}, {}),
        ({"captchaResponse": "x", "clientType": 1}, {}),
    ],
    ids=[
        "nothing",
        "displayName",
        "photoUrl",
        "phoneNumber",
        "bad phone",
        "verified",
        "disabled",
        "empty localId",
        "no tokens wanted",
        "empty idToken",
        "no factors",
        "captcha",
    ],
)
def test_with_a_password(project, path, more, stored):
    now = freeze(project)
    answer = project.post(path, {"email": "Ann.B+c@Example.COM", "password": "secret1", **more})
    email = "ann.b+c@example.com"
    assert answer.keys() == {"kind", "localId", "email"} | TOKENS | stored.keys()
    assert answer["kind"] == "identitytoolkit#SignupNewUserResponse"
    assert answer["email"] == email
    assert re.fullmatch(r"[A-Za-z0-9]{28}", answer["localId"])
    content = token_block(answer)
    assert content["firebase"] == {"identities": {"email": [email]}, "sign_in_provider": "password"}
    assert (content["email"], content["email_verified"]) == (email, False)
    assert "provider_id" not in content and content.get("name") == stored.get("displayName")
    record = user_record(project.user(answer["localId"]))
    assert record.keys() == PASSWORD_RECORD | stored.keys()
    assert record["emailVerified"] is False
    assert type(record["passwordUpdatedAt"]) is int and record["passwordUpdatedAt"] == now
    same_time(record, "createdAt", now)
    same_time(record, "lastLoginAt", now)
    assert record["validSince"] == str(now // 1000)
    assert record["providerUserInfo"] == [
        {"providerId": "password", "email": email, "federatedId": email, "rawId": email, **stored}
    ]
    assert "secret1" not in json.dumps(record)


@pytest.mark.parametrize("email", ["a@b", "a b@c", " @ ", "ü@ü.de", "a@b.", "1@2", '<a>@"b"'])
def test_addresses_that_count(project, email):
    answer = project.sign_up(email)
    assert answer["email"] == email == project.user(answer["localId"])["email"]


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize("email", ["a", "@", "a@", "@b", "a@b@c", "a@@b", " ", "a.b", "@a@", "@@"])
def test_addresses_that_do_not_count(project, email, admin):
    body = {"email": email, "password": "secret1"}
    if admin:
        assert project.admin_error("/accounts", body) == "INVALID_EMAIL"
    else:
        assert project.error("signUp", body) == "INVALID_EMAIL"
    assert project.users() == []


@pytest.mark.parametrize(
    "email", [pytest.param("a\u0301@b", id="before"), pytest.param("a@\u0301b", id="after")]
)
def test_a_combining_mark_does_not_hide_the_sign(project, email):
    """There is exactly one @ and something on either side."""
    assert project.sign_up(email)["email"] == email


def test_a_combining_mark_does_not_hide_a_second_sign(project):
    assert (
        project.error("signUp", {"email": "a@b@\u0301c", "password": "secret1"}) == "INVALID_EMAIL"
    )


# Lengths count UTF-16 code units.
PASSWORDS = {
    "five": ("abcde", False),
    "six": ("abcdef", True),
    "five spaces": (" " * 5, False),
    "six spaces": (" " * 6, True),
    "three emoji": ("\U0001f600" * 3, True),
    "two emoji and one": ("\U0001f600" * 2 + "a", False),
    "five umlauts": ("\u00e4" * 5, False),
    "six umlauts": ("\u00e4" * 6, True),
    "three decomposed": ("a\u0308" * 3, True),
    "two decomposed": ("a\u0308" * 2, False),
    "a family": ("\U0001f468\u200d\U0001f469\u200d\U0001f467", True),
    "long": ("x" * 5000, True),
    "line ends": ("\r\n" * 3, True),
    "one": ("a", False),
}


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize("password, good", PASSWORDS.values(), ids=PASSWORDS)
def test_passwords(project, password, good, admin):
    body = {"email": A, "password": password}
    if good:
        project.admin("/accounts", body) if admin else project.call("signUp", body)
        assert project.call("signInWithPassword", body)["email"] == A
    else:
        message = project.admin_error("/accounts", body) if admin else project.error("signUp", body)
        assert message == WEAK and project.users() == []


@pytest.mark.parametrize(
    "body, message",
    [
        ({"email": "", "password": ""}, "INVALID_EMAIL"),
        ({"email": ""}, "INVALID_EMAIL"),
        ({"email": A}, "MISSING_PASSWORD"),
        ({"email": A, "password": ""}, "MISSING_PASSWORD"),
        ({"password": "secret1"}, "MISSING_EMAIL"),
        ({"password": "secret1", "email": ""}, "MISSING_EMAIL"),
        ({"idToken": "x"}, "MISSING_EMAIL"),
        ({"idToken": "x", "email": ""}, "MISSING_EMAIL"),
        ({"idToken": "x", "email": A}, "MISSING_PASSWORD"),
        ({"localId": "x"}, "UNEXPECTED_PARAMETER : User ID"),
        ({"email": A, "password": "secret1", "localId": "x"}, "UNEXPECTED_PARAMETER : User ID"),
        ({"mfaInfo": [{}]}, "INVALID_MFA_PHONE_NUMBER : Invalid format."),
        ({"mfaInfo": [{"phoneInfo": ""}]}, "INVALID_MFA_PHONE_NUMBER : Invalid format."),
        (
            {"mfaInfo": [{"phoneInfo": PHONE}, {"phoneInfo": "1"}]},
            "INVALID_MFA_PHONE_NUMBER : Invalid format.",
        ),
        ({"mfaInfo": [{"phoneInfo": " +1"}]}, "INVALID_MFA_PHONE_NUMBER : Invalid format."),
    ],
)
def test_what_a_user_cannot_send(project, body, message):
    assert project.error("signUp", body) == message
    assert project.users() == []


@pytest.mark.parametrize("admin", [False, True], ids=["user", "admin"])
@pytest.mark.parametrize("email", [A, A.upper(), "A@Example.com"])
def test_an_address_is_taken_once(project, email, admin):
    """In any case, and however weak the password."""
    project.sign_up(A)
    for password in ("secret2", "short"):
        body = {"email": email, "password": password}
        message = project.admin_error("/accounts", body) if admin else project.error("signUp", body)
        assert message == "EMAIL_EXISTS"
    [user] = project.users()
    assert user["email"] == A


def test_enumeration_protection_does_not_hide_that_an_address_is_taken(project):
    project.configure("emailPrivacyConfig", **PRIVATE)
    project.sign_up(A)
    assert project.error("signUp", {"email": A, "password": "secret1"}) == "EMAIL_EXISTS"


def test_factors_of_a_new_user(project):
    """Fresh ids, repeated numbers dropped; tokens without a second factor, but only here."""
    given = [
        {"phoneInfo": PHONE, "displayName": "One", "mfaEnrollmentId": "mine"},
        {"phoneInfo": OTHER_PHONE},
        {"phoneInfo": PHONE, "displayName": "Two"},
    ]
    answer = project.sign_up(A, mfaInfo=given)
    firebase = token_block(answer)["firebase"]
    assert not {"second_factor_identifier", "sign_in_second_factor"} & firebase.keys()
    factors = project.user(answer["localId"])["mfaInfo"]
    assert [factor["phoneInfo"] for factor in factors] == [PHONE, OTHER_PHONE]
    assert [factor["unobfuscatedPhoneInfo"] for factor in factors] == [PHONE, OTHER_PHONE]
    assert [factor.get("displayName") for factor in factors] == ["One", None]
    ids = {factor["mfaEnrollmentId"] for factor in factors}
    assert len(ids) == 2 and all(re.fullmatch(r"[A-Za-z0-9]{28}", one) for one in ids)
    assert "mfaPendingCredential" in project.sign_in(A)


# MARK: Administrators

ADMIN = {
    "nothing": ({}, {}),
    "not verified": ({"emailVerified": False}, {}),
    "verified": ({"emailVerified": True}, {"emailVerified": True}),
    "empty email": ({"email": ""}, {}),
    "empty password": ({"password": ""}, {}),
    "profile": ({"displayName": "Ann", "photoUrl": "u"}, {"displayName": "Ann", "photoUrl": "u"}),
    "disabled": ({"disabled": True}, {"disabled": True}),
    "not disabled": ({"disabled": False}, {}),
    "email": ({"email": "A@B.C"}, {"email": "a@b.c"}),
    "localId": ({"localId": "My id/1:ü"}, {"localId": "My id/1:ü"}),
    "email and localId": ({"localId": "x", "email": A}, {"localId": "x", "email": A}),
    "token is empty": ({"localId": "x", "idToken": ""}, {"localId": "x"}),
    "empty phone": ({"phoneNumber": ""}, {}),
    "ignored": (
        {
            "captchaChallenge": "x",
            "instanceId": "x",
            "clientType": "3",
            "recaptchaVersion": 0,
            "returnSecureToken": True,
        },
        {},
    ),
}


@pytest.mark.parametrize("place", ["project", "v1", "v3"])
@pytest.mark.parametrize("given, stored", ADMIN.values(), ids=ADMIN)
def test_an_administrator_makes_a_user(project, place, given, stored):
    """No tokens; `emailVerified` is stored even without an address, `lastLoginAt` is now."""
    now = freeze(project)
    if place == "project":
        answer = project.admin("/accounts", given)
    else:
        path = V1 + "signUp" if place == "v1" else V3 + "signupNewUser"
        answer = project.owner("POST", path, json={**given, "targetProjectId": project.id})
    shown = {name: stored[name] for name in ("displayName", "email") if name in stored}
    assert answer == {
        "kind": "identitytoolkit#SignupNewUserResponse",
        "localId": answer["localId"],
        **shown,
    }
    if "localId" in stored:
        assert answer["localId"] == stored["localId"]
    else:
        assert re.fullmatch(r"[A-Za-z0-9]{28}", answer["localId"])
    [record] = project.users()
    assert record == {
        "localId": answer["localId"],
        "createdAt": str(now),
        "lastLoginAt": str(now),
        "emailVerified": False,
        **stored,
    }


@pytest.mark.parametrize("email", [{}, {"email": A}], ids=["without email", "with email"])
def test_an_administrator_sets_a_password(project, email):
    now = freeze(project)
    answer = project.admin("/accounts", {"password": "secret1", **email})
    assert not TOKENS & answer.keys()
    record = project.user(answer["localId"])
    assert record["passwordUpdatedAt"] == now and record["validSince"] == str(now // 1000)
    assert record["passwordHash"] and record["salt"] and "lastRefreshAt" not in record
    assert ("providerUserInfo" in record and record["providerUserInfo"] != []) == bool(email)


@pytest.mark.parametrize("phone", [PHONE, "+", "+x", "+49 (30) 1"])
def test_numbers_that_an_administrator_can_set(project, phone):
    uid = project.admin("/accounts", {"phoneNumber": phone})["localId"]
    record = project.user(uid)
    assert record["phoneNumber"] == phone
    assert record["providerUserInfo"] == [
        {"providerId": "phone", "phoneNumber": phone, "rawId": phone}
    ]
    assert project.admin_error("/accounts", {"phoneNumber": phone}) == "PHONE_NUMBER_EXISTS"


@pytest.mark.parametrize(
    "body, message",
    [
        ({"localId": "used"}, "DUPLICATE_LOCAL_ID"),
        ({"localId": "x", "idToken": "x"}, "UNEXPECTED_PARAMETER : User ID"),
        ({"localId": "used", "idToken": "x"}, "UNEXPECTED_PARAMETER : User ID"),
        ({"phoneNumber": "1"}, "INVALID_PHONE_NUMBER : Invalid format."),
        ({"phoneNumber": " +1"}, "INVALID_PHONE_NUMBER : Invalid format."),
        ({"phoneNumber": PHONE}, "PHONE_NUMBER_EXISTS"),
        ({"email": "x"}, "INVALID_EMAIL"),
        ({"email": A.upper()}, "EMAIL_EXISTS"),
        ({"password": "short"}, WEAK),
        ({"idToken": "x"}, "INVALID_ID_TOKEN"),
        ({"mfaInfo": [{"phoneInfo": "1"}]}, "INVALID_MFA_PHONE_NUMBER : Invalid format."),
    ],
)
def test_what_an_administrator_cannot_do(project, body, message):
    project.admin("/accounts", {"localId": "used", "email": A, "phoneNumber": PHONE})
    assert project.admin_error("/accounts", body) == message
    assert len(project.users()) == 1


def test_an_administrator_sets_factors(project):
    uid = project.admin(
        "/accounts", {"mfaInfo": [{"phoneInfo": PHONE}, {"phoneInfo": PHONE, "displayName": "x"}]}
    )["localId"]
    [factor] = project.user(uid)["mfaInfo"]
    assert factor["phoneInfo"] == PHONE and "displayName" not in factor
    assert re.fullmatch(r"[A-Za-z0-9]{28}", factor["mfaEnrollmentId"])


# MARK: Tenants


@pytest.mark.parametrize(
    "body", [{}, {"email": A, "password": "secret1"}], ids=["anonymous", "password"]
)
def test_a_user_of_a_tenant(project, body):
    tenant = project.tenant(**OPEN)
    answer = project.call("signUp", {**body, "tenantId": tenant})
    assert claims(answer)["firebase"]["tenant"] == tenant
    record = project.user(answer["localId"], tenant=tenant)
    assert record["tenantId"] == tenant
    assert project.users() == []


def test_an_administrator_makes_a_user_of_a_tenant_that_allows_nothing(project):
    """What users may do does not bind administrators."""
    tenant = project.tenant()
    uid = project.admin("/accounts", {"email": A, "password": "secret1"}, tenant=tenant)["localId"]
    assert project.user(uid, tenant=tenant)["tenantId"] == tenant
    other = project.admin("/accounts", {"tenantId": tenant})["localId"]
    assert project.user(other, tenant=tenant)["tenantId"] == tenant


def test_a_tenants_names_are_its_own(project):
    tenant = project.tenant(**OPEN)
    for scope in (None, tenant):
        project.admin(
            "/accounts", {"localId": "one", "email": A, "phoneNumber": PHONE}, tenant=scope
        )
        assert (
            project.admin_error("/accounts", {"localId": "one"}, tenant=scope)
            == "DUPLICATE_LOCAL_ID"
        )
        assert project.admin_error("/accounts", {"email": A}, tenant=scope) == "EMAIL_EXISTS"
        assert (
            project.admin_error("/accounts", {"phoneNumber": PHONE}, tenant=scope)
            == "PHONE_NUMBER_EXISTS"
        )
