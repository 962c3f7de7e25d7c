"""`hearth export` and `hearth import`: everything that is exported can be imported."""

import base64
import hmac
import json
import struct
import time

import pytest
from support.auth.exports import (  # noqa: F401
    download,
    everything,
    exported,
    imported,
    project,
    several_tenants,
    tenants,
)
from support.auth.hashes import PUBLISHED_HASH, PUBLISHED_PARAMETERS
from support.auth.project import Project, claims
from support.server import PROJECT, Server

PUBLISHED_SALT = "42xEC+ixf3L2lw=="
PUBLISHED_PASSWORD = "user1password"
A, B = "a@example.com", "b@example.com"
ONE, TWO = "+15555550100", "+15555550101"


@pytest.fixture(scope="module")
def elsewhere():
    server = Server()
    yield server
    server.stop()


@pytest.fixture
def moved(elsewhere, tmp_path):
    """Takes a project to another server, and answers what it is there."""

    def move(project: Project) -> Project:
        exported(project, tmp_path)
        other = Project(elsewhere, project.id)
        lines = imported(other, tmp_path)
        assert [line for line in lines if not line.startswith("Imported ")] == []
        return other

    return move


# MARK: What is put into a project


def password_user(project):
    project.sign_up(A, displayName='Ann, "the" first\nline ☃')
    return lambda other: other.sign_in(A)


def disabled_user(project):
    project.admin("/accounts", {"email": A, "password": "secret1", "disabled": True})
    return lambda other: (
        other.error("signInWithPassword", {"email": A, "password": "secret1"}) == "USER_DISABLED"
    )


def full_user(project):
    uid = project.admin(
        "/accounts",
        {
            "localId": "an id/with ü",
            "email": A,
            "password": "secret1",
            "emailVerified": True,
            "displayName": "Ann",
            "photoUrl": "http://localhost/a.png",
            "phoneNumber": ONE,
        },
    )["localId"]
    project.admin(
        "/accounts:update",
        {
            "localId": uid,
            "customAttributes": '{"role":"admin","n":[1,null]}',
            "createdAt": "1000",
            "lastLoginAt": "2000",
            "validSince": "3",
        },
    )
    return lambda other: other.phone(ONE)["localId"] == uid


def anonymous_user(project):
    project.call("signUp", {})


def custom_user(project):
    project.call("signInWithCustomToken", {"token": '{"uid":"custom"}'})


def link_user(project):
    project.call(
        "sendOobCode",
        {"requestType": "EMAIL_SIGNIN", "email": A, "continueUrl": "http://localhost/"},
    )
    [code] = project.request("GET", f"{project.control}/oobCodes")["oobCodes"]
    project.call("signInWithEmailLink", {"email": A, "oobCode": code["oobCode"]})


def idp_user(project):
    session = project.idp(
        "google.com",
        {"sub": "g", "email": A, "email_verified": True, "name": "Ann", "screen_name": "ann"},
    )
    project.idp("oidc.x", {"sub": "o", "email": B}, idToken=session["idToken"])
    return lambda other: (
        [
            other.idp(provider, {"sub": sub})["localId"]
            for provider, sub in [("google.com", "g"), ("oidc.x", "o")]
        ]
        == 2 * [session["localId"]]
    )


def saml_user(project):
    response = {"assertion": {"subject": {"nameId": "Saml@Example.com"}}}
    uid = project.idp("saml.x", {"sub": "s"}, inputs={"SAMLResponse": json.dumps(response)})[
        "localId"
    ]
    return lambda other: other.idp("saml.x", {"sub": "s"})["localId"] == uid


def duplicate_users(project):
    project.configure("signIn.allowDuplicateEmails", signIn={"allowDuplicateEmails": True})
    for sub in ("1", "2"):
        project.idp("google.com", {"sub": sub, "email": A, "email_verified": True})


def factor_user(project):
    project.enroll(project.verified(A), ONE, displayName="Mine")
    return lambda other: other.sign_in(A)["mfaInfo"]


def unverified_factor_user(project):
    """The address is not verified any more: an import of users would refuse these factors."""
    session = project.verified(A)
    project.enroll(session, ONE)
    project.admin("/accounts:update", {"localId": session["localId"], "emailVerified": False})
    return lambda other: other.sign_in(A)["mfaInfo"]


def totp_user(project):
    session = project.verified(A)
    started = project.factor(
        "mfaEnrollment:start", {"idToken": session["idToken"], "totpEnrollmentInfo": {}}
    )["totpSessionInfo"]
    secret = base64.b32decode(
        started["sharedSecretKey"] + "=" * (-len(started["sharedSecretKey"]) % 8)
    )
    project.factor(
        "mfaEnrollment:finalize",
        {
            "idToken": session["idToken"],
            "displayName": "App",
            "totpVerificationInfo": {
                "sessionInfo": started["sessionInfo"],
                "verificationCode": totp(secret, 0),
            },
        },
    )

    def check(other):
        pending = other.sign_in(A)
        return other.factor(
            "mfaSignIn:finalize",
            {
                "mfaPendingCredential": pending["mfaPendingCredential"],
                "mfaEnrollmentId": pending["mfaInfo"][0]["mfaEnrollmentId"],
                "totpVerificationInfo": {"verificationCode": totp(secret, 1)},
            },
        )["idToken"]

    return check


def totp(secret: bytes, steps: int) -> str:
    """RFC 6238."""
    digest = hmac.digest(secret, struct.pack(">Q", int(time.time()) // 30 + steps), "sha1")
    offset = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[offset : offset + 4])[0] & 0x7FFFFFFF) % 10**6:06}"


def passkey_user(project):
    session = project.sign_up(A)
    project.factor(
        "passkeyEnrollment:finalize",
        {"idToken": session["idToken"], "authenticatorRegistrationResponse": {"id": "p"}},
    )
    return lambda other: other.factor(
        "passkeySignIn:finalize", {"authenticatorAuthenticationResponse": {"id": "p"}}
    )["idToken"]


def foreign_user(project):
    """Imported with a hash of elsewhere, and not signed in since."""
    project.admin(
        "/accounts:batchCreate",
        {
            **PUBLISHED_PARAMETERS,
            "users": [
                {"localId": "1", "email": A, "passwordHash": PUBLISHED_HASH, "salt": PUBLISHED_SALT}
            ],
        },
    )
    return lambda other: (
        other.call("signInWithPassword", {"email": A, "password": PUBLISHED_PASSWORD})["localId"]
        == "1"
    )


def changed_address_user(project):
    session = project.sign_up(A)
    project.call("update", {"idToken": session["idToken"], "email": B})
    return lambda other: other.sign_in(B)


def little_user(project):
    """Nothing but an id, as an import makes."""
    project.admin("/accounts:batchCreate", {"users": [{"localId": "1"}]})


def settings(project):
    project.configure(
        "blockingFunctions,emailPrivacyConfig,authorizedDomains",
        authorizedDomains=["example.com"],
        emailPrivacyConfig={"enableImprovedEmailPrivacy": True},
        blockingFunctions={
            "triggers": {"beforeCreate": {"functionUri": "http://localhost:1/f"}},
            "forwardInboundCredentials": {"idToken": True},
        },
    )
    project.request("PATCH", f"{project.control}/switches", json={"recentLogin": True})


CONTENTS = {
    made.__name__: made
    for made in [
        password_user,
        disabled_user,
        full_user,
        anonymous_user,
        custom_user,
        link_user,
        idp_user,
        saml_user,
        duplicate_users,
        factor_user,
        unverified_factor_user,
        totp_user,
        passkey_user,
        foreign_user,
        changed_address_user,
        little_user,
        settings,
    ]
}


@pytest.mark.parametrize("fill", CONTENTS.values(), ids=CONTENTS.keys())
def test_everything_exported_is_imported_again(project, moved, fill):
    check = fill(project)
    before = everything(project)
    other = moved(project)
    after = everything(other)
    assert after == before
    if check:
        assert check(other)


@pytest.mark.parametrize(
    "tenant",
    [
        "t1",
        "a-b_c",
        "with space",
        "a%2Fb",
        "a.json",
        "-",
        "ü",
        "accounts",
        "my-accounts",
        "accounts-x",
        "-x",
    ],
)
def test_tenants_of_every_name_travel(project, moved, tenant):
    project.sign_up(A, tenantId=tenant)
    project.sign_up(B)
    before = everything(project)
    other = moved(project)
    assert everything(other) == before
    assert other.sign_in(A, tenantId=tenant)["localId"]


def test_several_tenants_travel(project, moved):
    several_tenants(project)
    before = everything(project)
    assert len(tenants(project)) == 4
    other = moved(project)
    assert everything(other) == before
    ids = {user["localId"] for user in download(other, "implicit")}
    session = other.sign_in(A, tenantId="implicit")
    assert session["localId"] in ids and claims(session)["firebase"]["tenant"] == "implicit"


def test_another_project_takes_everything_over(project, tmp_path):
    several_tenants(project)
    exported(project, tmp_path)
    other = Project(project.server)
    imported(other, tmp_path)
    before = json.dumps([*everything(project).items()])
    assert json.dumps([*everything(other).items()]) == before.replace(project.id, other.id)


def test_a_second_export_is_the_same(project, moved, tmp_path):
    several_tenants(project)
    first = exported(project, tmp_path / "first")
    second = exported(moved(project), tmp_path / "second")
    names = sorted(path.name for path in (first / "auth_export").iterdir())
    assert names == sorted(path.name for path in (second / "auth_export").iterdir())
    for name in names:
        if name.endswith(".json"):
            assert json.loads((first / "auth_export" / name).read_text()) == json.loads(
                (second / "auth_export" / name).read_text()
            ), name


def test_more_tenants_than_a_page(project, moved):
    """The official export stops after twenty."""
    for n in range(23):
        project.admin("/accounts", {"email": A}, tenant=f"t{n:02}")
    other = moved(project)
    assert [len(download(other, f"t{n:02}")) for n in range(23)] == [1] * 23


@pytest.mark.parametrize("count", [0, 1, 999, 1000, 1001, 2000, 2001])
def test_every_number_of_users_travels(project, tmp_path, count):
    users = [{"localId": f"u{n:05}", "email": f"u{n}@example.com"} for n in range(count)]
    for start in range(0, count, 1000):
        project.admin("/accounts:batchCreate", {"users": users[start : start + 1000]})
    exported(project, tmp_path)
    other = Project(project.server)
    noun = "account" if count == 1 else "accounts"
    assert imported(other, tmp_path) == [f"Imported {count} {noun}."]
    assert download(other) == download(project)
    assert len(download(other)) == count


SAML_CONFIG = {
    "idpConfig": {
        "idpEntityId": "e",
        "ssoUrl": "https://example.com/sso",
        "idpCertificates": [
            {"x509Certificate": "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----"}
        ],
    },
    "spConfig": {"spEntityId": "s", "callbackUri": "https://example.com/__/auth/handler"},
    "displayName": "Ours",
    "enabled": True,
}
OIDC_CONFIG = {
    "clientId": "c",
    "issuer": "https://example.com",
    "displayName": "Ours",
    "enabled": True,
}


@pytest.mark.parametrize(
    "kind, parameter, name, config",
    [
        ("oauthIdpConfigs", "oauthIdpConfigId", "oidc.ours", OIDC_CONFIG),
        ("inboundSamlConfigs", "inboundSamlConfigId", "saml.ours", SAML_CONFIG),
        (
            "defaultSupportedIdpConfigs",
            "idpId",
            "google.com",
            {"clientId": "c", "clientSecret": "s", "enabled": False},
        ),
    ],
)
@pytest.mark.parametrize("scope", ["", "/tenants/t1"])
def test_identity_providers_travel(project, moved, kind, parameter, name, config, scope):
    place = f"{project.v2}{scope}/{kind}"
    project.owner("POST", place, params={parameter: name}, json=config)
    before = project.owner("GET", f"{place}/{name}")
    assert moved(project).owner("GET", f"{place}/{name}") == before


# MARK: Many users at once


def test_two_thousand_users_in_two_requests(project):
    users = [
        {
            "localId": f"u{n:05}",
            "email": f"u{n}@example.com",
            "phoneNumber": f"+1555{n:07}",
            "displayName": f"User {n}",
            "rawPassword": f"secret {n}",
            "customAttributes": json.dumps({"n": n}),
            "providerUserInfo": [{"providerId": "google.com", "rawId": f"g{n}"}],
        }
        for n in range(2000)
    ]
    for start in (0, 1000):
        answer = project.admin(
            "/accounts:batchCreate", {"users": users[start : start + 1000], "sanityCheck": True}
        )
        assert answer["error"] == []
    found = download(project)
    assert [user["localId"] for user in found] == [user["localId"] for user in users]
    for given, user in zip(users, found):
        assert user == user | {
            name: given[name]
            for name in ("email", "phoneNumber", "displayName", "customAttributes")
        }
    for n in (0, 999, 1000, 1999):
        session = project.call(
            "signInWithPassword", {"email": f"u{n}@example.com", "password": f"secret {n}"}
        )
        assert claims(session)["n"] == n
        assert project.idp("google.com", {"sub": f"g{n}"})["localId"] == f"u{n:05}"
        assert project.phone(f"+1555{n:07}")["localId"] == f"u{n:05}"
    again = project.admin("/accounts:batchCreate", {"users": users[:1000]})
    assert [error["index"] for error in again["error"]] == list(range(1000))


def test_two_thousand_users_in_one_request(project):
    """Without an upper limit."""
    users = [
        {"localId": f"u{n:05}", "photoUrl": "http://localhost/" + "x" * 2000} for n in range(2000)
    ]
    assert project.admin("/accounts:batchCreate", {"users": users})["error"] == []
    assert len(download(project)) == 2000


# MARK: At the start and the end of a server


def test_a_server_that_starts_with_an_import_and_ends_with_an_export(tmp_path):
    first = Server("--export-on-exit", str(tmp_path / "one"))
    project = Project(first, PROJECT)
    several_tenants(project)
    before = everything(project)
    first.stop()
    second = Server("--import", str(tmp_path / "one"), "--export-on-exit", str(tmp_path / "two"))
    project.server = second
    assert everything(project) == before
    second.stop()
    for path in (tmp_path / "one/auth_export").glob("*.json"):
        assert json.loads(path.read_text()) == json.loads(
            (tmp_path / "two/auth_export" / path.name).read_text()
        )
