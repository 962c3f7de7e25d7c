"""Formats of email addresses, phone numbers, passwords, URLs and generated identifiers."""

import json
import re

import pytest
from support.auth.accounts import by_link, cases, hearth, update  # noqa: F401
from support.auth.records import custom, google, pending, send
from support.steering import guard, project  # noqa: F401

A, B, C = "a@example.com", "b@example.com", "c@example.com"
ONE, TWO = "+15555550100", "+15555550101"


# MARK: Formats

MAILS = {
    "plain": ("x@example.com", True),
    "short": ("a@b", True),
    "a space": ("a b@c", True),
    "spaces at the ends": (" a@b ", True),
    "dots": (".@.", True),
    "umlauts": ("ä@ö", True),
    "emoji": ("😀@😀", True),
    "quotes": ('"@<', True),
    "a line end": ("a\n@b", True),
    "a combining mark in front of it": ("a\u0301@b", True),
    "a combining mark after it": ("a@\u0301b", True),
    "no sign": ("example.com", False),
    "nothing in front": ("@b", False),
    "nothing after": ("a@", False),
    "alone": ("@", False),
    "two": ("a@b@c", False),
    "doubled": ("a@@b", False),
    "a space only": (" ", False),
}


@pytest.mark.parametrize("email, counts", cases(MAILS))
@pytest.mark.parametrize("way", ["sign-up", "owner", "update", "sign-in", "createAuthUri"])
def test_addresses(project, way, email, counts):
    stored = email.lower()
    if way == "sign-up":
        body = {"email": email, "password": "secret1"}
        answer = project.call("signUp", body) if counts else project.error("signUp", body)
    elif way == "owner":
        ask = project.admin if counts else project.admin_error
        answer = ask("/accounts", {"email": email})
    elif way == "update":
        session = project.sign_up(C)
        body = {"idToken": session["idToken"], "email": email}
        answer = project.call("update", body) if counts else project.error("update", body)
    elif way == "sign-in":
        answer = project.error("signInWithPassword", {"email": email, "password": "x"})
        assert answer == ("EMAIL_NOT_FOUND" if counts else "INVALID_EMAIL")
        return
    else:
        body = {"identifier": email, "continueUri": "http://localhost"}
        if counts:
            assert project.call("createAuthUri", body)["registered"] is False
        else:
            assert project.error("createAuthUri", body) == "INVALID_IDENTIFIER"
        return
    if counts:
        assert answer["email"] == stored and project.user(answer["localId"])["email"] == stored
    else:
        assert answer == "INVALID_EMAIL"


@pytest.mark.parametrize(
    "one, other",
    cases(
        {
            "dots": ("a.b@example.com", "ab@example.com"),
            "plus": ("a+b@example.com", "a@example.com"),
            "spaces": (" a@example.com", "a@example.com"),
            "accents": ("\u00e9@example.com", "e\u0301@example.com"),
            "a zero": ("a@example.com\u0000x", "a@example.com"),
        }
    ),
)
def test_addresses_that_differ(project, one, other):
    assert project.sign_up(one)["localId"] != project.sign_up(other)["localId"]


@pytest.mark.parametrize(
    "email, stored",
    [
        ("ΑΣ@example.com", "ας@example.com"),
        ("ΣΑΣΑ@Σ", "σασα@σ"),
        ("ΟΣ.GR@x", "οσ.gr@x"),
        ("ΟΣ\u0301@Σ1", "ος\u0301@σ1"),
        ("1Σ@ΑΣ'", "1σ@ας'"),
    ],
    ids=range(5),
)
def test_a_sigma_at_the_end_of_a_word(project, email, stored):
    """The one letter whose lower case depends on its position."""
    assert email.lower() == stored
    assert project.sign_up(email)["email"] == stored


# With what the store writes in place of the first one.
ZEROS = [
    "a",
    "a\u0000",
    "a\u0000b",
    "a\u0000\u0000",
    "a\u0001",
    "a\u00010",
    "a\u00011",
    "a\u0001\u0000",
    "a\u0002",
    "a0",
]


def test_ids_that_differ_after_a_nul(project):
    for uid in ZEROS:
        assert custom(project, uid)["isNewUser"] is True
    for uid in ZEROS:
        assert custom(project, uid)["isNewUser"] is False
        assert project.user(uid)["localId"] == uid
    query = project.admin("/accounts:query")
    assert [user["localId"] for user in query["userInfo"]] == sorted(ZEROS)
    listed, token = [], ""
    while token is not None:
        page = project.owner(
            "GET",
            f"{project.v1}/accounts:batchGet",
            params={"maxResults": "3", "nextPageToken": token},
        )
        listed += [user["localId"] for user in page["users"]]
        token = page.get("nextPageToken")
    assert listed == sorted(ZEROS)


def test_an_address_with_a_zero_in_a_code(project):
    project.call(
        "sendOobCode", {"requestType": "EMAIL_SIGNIN", "email": "a\u0000b@x", "continueUrl": "x:"}
    )
    assert pending(project)[0]["email"] == "a\u0000b@x"


@pytest.mark.parametrize(
    "one, other", [(A, A.upper()), ("ÄÖ@Example.com", "äö@example.COM")], ids=["ascii", "umlauts"]
)
def test_addresses_that_are_the_same(project, one, other):
    uid = project.sign_up(one)["localId"]
    assert project.error("signUp", {"email": other, "password": "secret1"}) == "EMAIL_EXISTS"
    assert project.sign_in(other)["localId"] == uid


@pytest.mark.parametrize(
    "number, counts",
    cases(
        {
            "plain": (ONE, True),
            "a plus": ("+", True),
            "letters": ("+abc", True),
            "spaces": ("+ 1", True),
            "a mark": ("+\u03011", True),
            "digits": ("15555550100", False),
            "late": (" +1", False),
            "two zeros": ("0015555550100", False),
        }
    ),
)
@pytest.mark.parametrize("way", ["owner", "update", "factor", "sms"])
def test_numbers(project, way, number, counts):
    uid = project.sign_up(A)["localId"]
    if way == "sms":
        if counts:
            project.call("sendVerificationCode", {"phoneNumber": number})
        else:
            assert project.error("sendVerificationCode", {"phoneNumber": number}) == (
                "INVALID_PHONE_NUMBER : Invalid format."
            )
        return
    path, body = {
        "owner": ("/accounts", {"phoneNumber": number}),
        "update": ("/accounts:update", {"localId": uid, "phoneNumber": number}),
        "factor": (
            "/accounts",
            {"email": B, "emailVerified": True, "mfaInfo": [{"phoneInfo": number}]},
        ),
    }[way]
    if counts:
        user = project.user(project.admin(path, body)["localId"])
        assert number == (
            user["mfaInfo"][0]["phoneInfo"] if way == "factor" else user["phoneNumber"]
        )
    else:
        kind = "MFA_PHONE" if way == "factor" else "PHONE"
        assert project.admin_error(path, body) == f"INVALID_{kind}_NUMBER : Invalid format."


WEAK = "WEAK_PASSWORD : Password should be at least 6 characters"


@pytest.mark.parametrize(
    "text, counts",
    cases(
        {
            "six": ("secret", True),
            "five": ("secre", False),
            "spaces": ("      ", True),
            "five spaces": ("     ", False),
            "the same letter": ("aaaaaa", True),
            "three emoji": ("😀😀😀", True),
            "two emoji and a letter": ("😀😀a", False),
            "three letters with marks": ("e\u0301" * 3, True),
            "five umlauts": ("äöüäö", False),
            "a family": ("👨‍👩‍👧", True),
            "no width": ("\u200b" * 6, True),
            "long": ("x" * 5000, True),
        }
    ),
)
@pytest.mark.parametrize("way", ["sign-up", "owner", "update", "update by the owner", "reset"])
def test_passwords(project, way, text, counts):
    """Six UTF-16 units, and nothing else."""
    email = A if way in ("sign-up", "owner") else B
    if email == B:
        session = project.sign_up(B)
    body = {"email": email, "password": text}
    match way:
        case "sign-up":
            answer = project.raw("signUp", body).json()
        case "owner":
            answer = project.server.post(
                f"{project.v1}/accounts", body, Authorization="Bearer owner"
            ).json()
        case "update":
            answer = project.raw("update", {"idToken": session["idToken"], **body}).json()
        case "update by the owner":
            answer = project.server.post(
                f"{project.v1}/accounts:update",
                {"localId": session["localId"], **body},
                Authorization="Bearer owner",
            ).json()
        case "reset":
            code = send(project, "PASSWORD_RESET", email=B)
            answer = project.raw("resetPassword", {"oobCode": code, "newPassword": text}).json()
    if counts:
        assert "error" not in answer and project.sign_in(email, password=text)["registered"]
    else:
        assert answer["error"]["message"] == WEAK


# What a WHATWG parser without a base makes of them.
URLS = [
    "http://localhost",
    "http://localhost/",
    "HTTP://LOCALHOST",
    "mailto:x",
    "x:",
    "x:y",
    "a+b-c.1:",
    "javascript:alert(1)",
    "http:x",
    "http:/x",
    "http:///x",
    "http:\\\\x",
    "https://user:pw@host:8080/p?q#f",
    " http://x ",
    "\thttp://x\n",
    "http://[::1]/",
    "http://[::1]:80",
    "http://1.2.3.4",
    "http://\u00e9.com",
    "http://x?",
    "http://x#",
    "http://a%41",
    "http://x:",
    "http://x:0",
    "http://x:65535",
    "http://@x",
    "http://a@b@c",
    "file:",
    "file:///x",
    "about:blank",
    "data:,x",
    "urn:a b",
    "foo://",
    "foo:///",
    "foo://host",
    "foo:a b",
    "com.example.app://x",
    "http://0x7f.1",
    "http://1",
    "http://a_b",
    "http://a..b",
    "http://.",
    "http://x/ y",
    "http://x/%zz",
    "http://x?a b",
    "http://*",
    "http://x,y",
    "localhost:5001/x",
    "wss://x",
    "ht\ntp://x",
    "http://x\t.y/",
]
NO_URLS = [
    "x",
    "/x",
    "//x",
    "?x",
    "#x",
    ":x",
    "1:x",
    "-a:x",
    "\u00e9:x",
    " ",
    "http://",
    "http:",
    "http:///",
    "http://?x",
    "http://#x",
    "http://:80",
    "http://x:y",
    "http://x:65536",
    "http://x:-1",
    "http://a b",
    "http://a b/",
    "http://%",
    "http://%zz",
    "http://a%20b",
    "http://a%2fb",
    "http://a<b",
    "http://a>b",
    "http://a^b",
    "http://a|b",
    "http://[",
    "http://[::1",
    "http://a@",
    "http://user@:80",
    "https://",
    "ws://",
    "ftp://",
]
HOSTS = [
    "http://[x]",
    "http://[1]",
    "http://[::1]x",
    "http://256.1.1.1",
    "http://1.2.3.4.5",
    "http://x.1",
    "http://4294967296",
    "http://x%00",
    "http://a\u0001b",
    "http://a\u007fb",
]
OPAQUE = [
    "file://h ost/",
    "foo://a b",
    "foo://[",
    "foo://[x]",
    "foo://a:b",
    "foo://a:65536",
    "foo://a<b",
    "foo://a^b",
]


@pytest.mark.parametrize(
    "url, counts",
    [*((url, True) for url in URLS), *((url, False) for url in NO_URLS + HOSTS + OPAQUE)],
    ids=repr,
)
def test_absolute_urls(project, url, counts):
    body = {"identifier": A, "continueUri": url}
    mail = {"requestType": "EMAIL_SIGNIN", "email": A, "continueUrl": url}
    if counts:
        project.call("createAuthUri", body)
        project.call("sendOobCode", mail)
    else:
        assert project.error("createAuthUri", body) == "INVALID_CONTINUE_URI"
        assert project.error("sendOobCode", mail) == (
            "INVALID_CONTINUE_URI : ((expected an absolute URI with valid scheme and host))"
        )


# MARK: Mailed codes

CODE = r"[A-Za-z0-9_-]{54}"


# MARK: Passwords


def secrets(project, uid: str) -> tuple[str, str]:
    user = project.user(uid)
    return user["passwordHash"], user["salt"]


def test_every_password_has_its_own_salt(project):
    """Not as the official emulator: nothing of the password can be read."""
    found = [secrets(project, project.sign_up(email)["localId"]) for email in (A, B)]
    assert found[0][0] != found[1][0] and found[0][1] != found[1][1]
    assert "secret1" not in json.dumps(found)
    uid = project.users()[0]["localId"]
    update(project, uid, password="secret1")
    assert secrets(project, uid) not in found


@pytest.mark.parametrize(
    "change",
    cases(
        {"address": {"email": C}, "name": {"displayName": "x"}, "disabling": {"disableUser": True}}
    ),
)
def test_what_leaves_a_hash(project, change):
    uid = project.sign_up(A)["localId"]
    before = secrets(project, uid)
    update(project, uid, **change)
    assert secrets(project, uid) == before


@pytest.mark.parametrize(
    "text",
    cases(
        {
            "capitals": "Secret1",
            "longer": "secret1 ",
            "shorter": "secret",
            "a space": " secret1",
            "a zero": "secret1\u0000",
        }
    ),
)
def test_another_password_is_wrong(project, text):
    project.sign_up(A)
    assert project.error("signInWithPassword", {"email": A, "password": text}) == (
        "INVALID_PASSWORD"
    )


@pytest.mark.parametrize(
    "one, other", [("p\u00e9t\u00e9s!", "pe\u0301te\u0301s!")], ids=["composed and not"]
)
def test_passwords_that_look_the_same(project, one, other):
    project.call("signUp", {"email": A, "password": one})
    assert project.error("signInWithPassword", {"email": A, "password": other}) == (
        "INVALID_PASSWORD"
    )


# MARK: Identifiers


def mfa_id(project) -> str:
    session = project.call(
        "signUp", {"email": A, "password": "secret1", "mfaInfo": [{"phoneInfo": ONE}]}
    )
    identifier = project.user(session["localId"])["mfaInfo"][0]["mfaEnrollmentId"]
    project.admin("/accounts:delete", {"localId": session["localId"]})
    return identifier


def temporary_proof(project) -> str:
    session = project.call("signUp", {})
    project.phone(ONE)
    answer = project.call(
        "signInWithPhoneNumber", {**project.sms(ONE), "idToken": session["idToken"]}
    )
    return answer["temporaryProof"]


@pytest.mark.parametrize(
    "make, pattern",
    cases(
        {
            "anonymous": (lambda p: p.call("signUp", {})["localId"], r"[A-Za-z0-9]{28}"),
            "by the owner": (lambda p: p.admin("/accounts", {})["localId"], r"[A-Za-z0-9]{28}"),
            "e-mail link": (
                lambda p: by_link(p, f"{len(p.users())}@x")["localId"],
                r"[A-Za-z0-9]{28}",
            ),
            "phone": (lambda p: p.phone(f"+{len(p.users())}")["localId"], r"[A-Za-z0-9]{28}"),
            "provider": (
                lambda p: google(p, str(len(p.users())), f"{len(p.users())}@x")["localId"],
                r"[A-Za-z0-9]{28}",
            ),
            "enrolment": (mfa_id, r"[A-Za-z0-9]{28}"),
            "tenant": (lambda p: p.tenant(), r"[A-Za-z0-9]{28}"),
            "mailed code": (lambda p: send(p, "EMAIL_SIGNIN", email=A), CODE),
            "session info": (lambda p: p.sms(ONE)["sessionInfo"], r"[A-Za-z0-9_-]{226}"),
            "SMS code": (lambda p: p.sms(ONE)["code"], r"[0-9]{6}"),
            "temporary proof": (temporary_proof, r"[A-Za-z0-9_-]{119}"),
            "createAuthUri": (
                lambda p: p.call("createAuthUri", {"identifier": A, "continueUri": "x:"})[
                    "sessionId"
                ],
                r"[A-Za-z0-9]{27}",
            ),
        }
    ),
)
def test_identifiers(project, make, pattern):
    found = [make(project) for _ in range(4)]
    assert len(set(found)) > 1
    assert all(re.fullmatch(pattern, one) for one in found), found
