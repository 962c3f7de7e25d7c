"""`hearth export` and `hearth import`, the official layout (auth-b 8.6), and many users at once."""

import base64
import hashlib
import hmac
import json
import os
import struct
import subprocess
import time

import pytest
import requests

from support.auth.project import Project, claims
from support.server import PROJECT, Server, binary
from auth.accounts.test_password_hashes import (
    PASSWORD, PUBLISHED_HASH, PUBLISHED_PARAMETERS, PUBLISHED_PASSWORD, PUBLISHED_SALT, SALT,
    SEPARATOR, firebase_scrypt_hash)

A, B = "a@example.com", "b@example.com"
ONE, TWO = "+15555550100", "+15555550101"
ON = {"state": "ENABLED", "enabledProviders": ["PHONE_SMS"]}


def command(*arguments, **environment) -> subprocess.CompletedProcess:
    clean = {k: v for k, v in os.environ.items() if not k.startswith("HEARTH_")}
    return subprocess.run(
        [binary(), *map(str, arguments)], capture_output=True, text=True, timeout=60,
        env=clean | environment)


def on(project: Project, *arguments) -> subprocess.CompletedProcess:
    return command(*arguments, "--project", project.id, "--address", project.server.host)


def exported(project: Project, directory):
    done = on(project, "export", directory)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert done.stdout == f"Exported to {directory}.\n"
    return directory


def imported(project: Project, path, *options) -> list[str]:
    """The lines of the import."""
    done = on(project, "import", path, *options)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout.splitlines()


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


@pytest.fixture
def project(hearth) -> Project:
    return Project(hearth)


def download(project: Project, tenant=None) -> list[dict]:
    params = {"maxResults": -1} | ({"tenantId": tenant} if tenant else {})
    return project.owner("GET", f"{project.v1}/accounts:batchGet", params=params)["users"]


def tenants(project: Project) -> list[dict]:
    return project.owner("GET", f"{project.v2}/tenants", params={"pageSize": 1000})["tenants"]


def everything(project: Project) -> dict:
    """All that can be read of a project."""
    listed = tenants(project)
    return {
        "users": {tenant: download(project, tenant) for tenant in [
            None, *(tenant["tenantId"] for tenant in listed)]},
        "tenants": listed,
        "config": project.owner("GET", f"{project.v2}/config"),
        "view": project.request("GET", f"{project.control}/config"),
        "switches": project.request("GET", f"{project.control}/switches"),
    }


# MARK: What is put into a project

def password_user(project):
    project.sign_up(A, displayName="Ann, \"the\" first\nline ☃")
    return lambda other: other.sign_in(A)


def disabled_user(project):
    project.admin("/accounts", {"email": A, "password": "secret1", "disabled": True})
    return lambda other: other.error(
        "signInWithPassword", {"email": A, "password": "secret1"}) == "USER_DISABLED"


def full_user(project):
    uid = project.admin("/accounts", {
        "localId": "an id/with ü", "email": A, "password": "secret1", "emailVerified": True,
        "displayName": "Ann", "photoUrl": "http://localhost/a.png", "phoneNumber": ONE})["localId"]
    project.admin("/accounts:update", {
        "localId": uid, "customAttributes": '{"role":"admin","n":[1,null]}',
        "createdAt": "1000", "lastLoginAt": "2000", "validSince": "3"})
    return lambda other: other.phone(ONE)["localId"] == uid


def anonymous_user(project):
    project.call("signUp", {})


def custom_user(project):
    project.call("signInWithCustomToken", {"token": '{"uid":"custom"}'})


def link_user(project):
    project.call("sendOobCode", {
        "requestType": "EMAIL_SIGNIN", "email": A, "continueUrl": "http://localhost/"})
    [code] = project.request("GET", f"{project.control}/oobCodes")["oobCodes"]
    project.call("signInWithEmailLink", {"email": A, "oobCode": code["oobCode"]})


def idp_user(project):
    session = project.idp("google.com", {
        "sub": "g", "email": A, "email_verified": True, "name": "Ann", "screen_name": "ann"})
    project.idp("oidc.x", {"sub": "o", "email": B}, idToken=session["idToken"])
    return lambda other: [
        other.idp(provider, {"sub": sub})["localId"]
        for provider, sub in [("google.com", "g"), ("oidc.x", "o")]] == 2 * [session["localId"]]


def saml_user(project):
    response = {"assertion": {"subject": {"nameId": "Saml@Example.com"}}}
    uid = project.idp("saml.x", {"sub": "s"}, inputs={"SAMLResponse": json.dumps(response)})[
        "localId"]
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
    started = project.factor("mfaEnrollment:start", {
        "idToken": session["idToken"], "totpEnrollmentInfo": {}})["totpSessionInfo"]
    secret = base64.b32decode(started["sharedSecretKey"] + "=" * (
        -len(started["sharedSecretKey"]) % 8))
    project.factor("mfaEnrollment:finalize", {
        "idToken": session["idToken"], "displayName": "App", "totpVerificationInfo": {
            "sessionInfo": started["sessionInfo"], "verificationCode": totp(secret, 0)}})

    def check(other):
        pending = other.sign_in(A)
        return other.factor("mfaSignIn:finalize", {
            "mfaPendingCredential": pending["mfaPendingCredential"],
            "mfaEnrollmentId": pending["mfaInfo"][0]["mfaEnrollmentId"],
            "totpVerificationInfo": {"verificationCode": totp(secret, 1)}})["idToken"]

    return check


def totp(secret: bytes, steps: int) -> str:
    """RFC 6238."""
    digest = hmac.digest(secret, struct.pack(">Q", int(time.time()) // 30 + steps), "sha1")
    offset = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[offset:offset + 4])[0] & 0x7FFFFFFF) % 10**6:06}"


def passkey_user(project):
    session = project.sign_up(A)
    project.factor("passkeyEnrollment:finalize", {
        "idToken": session["idToken"], "authenticatorRegistrationResponse": {"id": "p"}})
    return lambda other: other.factor("passkeySignIn:finalize", {
        "authenticatorAuthenticationResponse": {"id": "p"}})["idToken"]


def foreign_user(project):
    """Imported with a hash of elsewhere, and not signed in since."""
    project.admin("/accounts:batchCreate", {**PUBLISHED_PARAMETERS, "users": [
        {"localId": "1", "email": A, "passwordHash": PUBLISHED_HASH, "salt": PUBLISHED_SALT}]})
    return lambda other: other.call(
        "signInWithPassword", {"email": A, "password": PUBLISHED_PASSWORD})["localId"] == "1"


def changed_address_user(project):
    session = project.sign_up(A)
    project.call("update", {"idToken": session["idToken"], "email": B})
    return lambda other: other.sign_in(B)


def little_user(project):
    """Nothing but an id, as an import makes."""
    project.admin("/accounts:batchCreate", {"users": [{"localId": "1"}]})


def settings(project):
    project.configure(
        "blockingFunctions,emailPrivacyConfig,authorizedDomains", authorizedDomains=["example.com"],
        emailPrivacyConfig={"enableImprovedEmailPrivacy": True}, blockingFunctions={
            "triggers": {"beforeCreate": {"functionUri": "http://localhost:1/f"}},
            "forwardInboundCredentials": {"idToken": True}})
    project.request("PATCH", f"{project.control}/switches", json={"recentLogin": True})


CONTENTS = {made.__name__: made for made in [
    password_user, disabled_user, full_user, anonymous_user, custom_user, link_user, idp_user,
    saml_user, duplicate_users, factor_user, unverified_factor_user, totp_user, passkey_user,
    foreign_user, changed_address_user, little_user, settings]}


@pytest.mark.parametrize("fill", CONTENTS.values(), ids=CONTENTS.keys())
def test_whoever_is_exported_is_imported_again(project, moved, fill):
    check = fill(project)
    before = everything(project)
    other = moved(project)
    after = everything(other)
    assert after == before
    if check:
        assert check(other)


@pytest.mark.parametrize("tenant", [
    "t1", "a-b_c", "with space", "a%2Fb", "a.json", "-", "ü", "accounts", "my-accounts",
    "accounts-x", "-x"])
def test_tenants_of_every_name_travel(project, moved, tenant):
    project.sign_up(A, tenantId=tenant)
    project.sign_up(B)
    before = everything(project)
    other = moved(project)
    assert everything(other) == before
    assert other.sign_in(A, tenantId=tenant)["localId"]


def several_tenants(project) -> None:
    """Three tenants and the project itself, with the same addresses everywhere."""
    project.tenant(displayName="Acme", allowPasswordSignup=True, mfaConfig=ON)
    project.tenant(displayName="Off", disableAuth=True, enableAnonymousUser=True)
    project.tenant(displayName="Empty")
    project.sign_up(A)
    for tenant in tenants(project)[:1] + [{"tenantId": "implicit"}]:
        project.owner("PATCH", f"{project.v2}/tenants/{tenant['tenantId']}",
                      params={"updateMask": "allowPasswordSignup,disableAuth"},
                      json={"allowPasswordSignup": True, "disableAuth": False})
        for email in (A, B):
            project.sign_up(email, tenantId=tenant["tenantId"])


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
                (second / "auth_export" / name).read_text()), name


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
        project.admin("/accounts:batchCreate", {"users": users[start:start + 1000]})
    exported(project, tmp_path)
    other = Project(project.server)
    assert imported(other, tmp_path) == [f"Imported {count} accounts."]
    assert download(other) == download(project)
    assert len(download(other)) == count


SAML_CONFIG = {
    "idpConfig": {"idpEntityId": "e", "ssoUrl": "https://example.com/sso", "idpCertificates": [
        {"x509Certificate": "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----"}]},
    "spConfig": {"spEntityId": "s", "callbackUri": "https://example.com/__/auth/handler"},
    "displayName": "Ours", "enabled": True}
OIDC_CONFIG = {
    "clientId": "c", "issuer": "https://example.com", "displayName": "Ours", "enabled": True}


@pytest.mark.parametrize("kind, parameter, name, config", [
    ("oauthIdpConfigs", "oauthIdpConfigId", "oidc.ours", OIDC_CONFIG),
    ("inboundSamlConfigs", "inboundSamlConfigId", "saml.ours", SAML_CONFIG),
    ("defaultSupportedIdpConfigs", "idpId", "google.com",
     {"clientId": "c", "clientSecret": "s", "enabled": False}),
])
@pytest.mark.parametrize("scope", ["", "/tenants/t1"])
def test_identity_providers_travel(project, moved, kind, parameter, name, config, scope):
    place = f"{project.v2}{scope}/{kind}"
    project.owner("POST", place, params={parameter: name}, json=config)
    before = project.owner("GET", f"{place}/{name}")
    assert moved(project).owner("GET", f"{place}/{name}") == before


# MARK: The layout, and the official suite's driver

def test_the_layout(project, tmp_path):
    several_tenants(project)
    exported(project, tmp_path)
    metadata = json.loads((tmp_path / "firebase-export-metadata.json").read_text())
    assert metadata["auth"]["path"] == "auth_export" and metadata["auth"]["version"]
    folder = tmp_path / "auth_export"
    users = json.loads((folder / "accounts.json").read_text())
    assert users == {"kind": "identitytoolkit#DownloadAccountResponse", "users": download(project)}
    for tenant in tenants(project):
        name = f"accounts-{tenant['tenantId']}.json"
        assert json.loads((folder / name).read_text())["users"] == download(
            project, tenant["tenantId"])
    assert json.loads((folder / "config.json").read_text()) == project.request(
        "GET", f"{project.control}/config")


def official_export(project, folder) -> None:
    """The calls of auth-b 8.6."""
    folder.mkdir(parents=True)

    def save(name: str, answer: dict) -> None:
        (folder / name).write_text(json.dumps(answer))

    path = f"{project.v1}/accounts:batchGet"
    save("accounts.json", project.owner("GET", path, params={"maxResults": -1}))
    for tenant in project.owner("GET", f"{project.v2}/tenants")["tenants"]:
        save(f"accounts-{tenant['tenantId']}.json", project.owner(
            "GET", path, params={"maxResults": -1, "tenantId": tenant["tenantId"]}))
    save("config.json", project.request("GET", f"{project.control}/config"))


def official_import(project, folder) -> None:
    config = json.loads((folder / "config.json").read_text())
    project.request("PATCH", f"{project.control}/config", json=config)
    for path in sorted(folder.iterdir()):
        if "accounts" not in path.name:
            continue
        tenant = path.name.removesuffix(".json").removeprefix("accounts").removeprefix("-")
        reply = requests.post(
            f"{project.server.auth}{project.v1}/tenants/{tenant}/accounts:batchCreate",
            data=path.read_bytes(), timeout=30,
            headers={"Authorization": "Bearer owner", "Content-Type": "application/json"})
        if reply.status_code == 200:
            assert reply.json()["error"] == []
        else:
            assert reply.json()["error"]["message"] == "MISSING_USER_ACCOUNT"


@pytest.mark.parametrize("write, read", [
    (official_export, lambda project, folder: imported(project, folder.parent)),
    (lambda project, folder: exported(project, folder.parent), official_import),
    (official_export, official_import)])
def test_the_official_suite_reads_ours_and_ours_reads_its(project, tmp_path, write, read):
    project.configure("signIn", signIn={"allowDuplicateEmails": True})
    several_tenants(project)
    metadata = {"version": "15.28.1", "auth": {"version": "15.28.1", "path": "auth_export"}}
    (tmp_path / "firebase-export-metadata.json").write_text(json.dumps(metadata))
    write(project, tmp_path / "auth_export")
    other = Project(project.server)
    read(other, tmp_path / "auth_export")
    assert other.request("GET", f"{other.control}/config")["signIn"]["allowDuplicateEmails"] is True
    for tenant in [None, *(tenant["tenantId"] for tenant in tenants(project))]:
        lost = {"validSince", "lastRefreshAt", "passwordUpdatedAt"}
        assert [without(user, lost) for user in download(other, tenant)] == [
            without(user, lost) for user in download(project, tenant)]
    assert other.sign_in(A, tenantId="implicit")["localId"]


def without(user: dict, names: set) -> dict:
    """An import writes `disabled` where sign-up leaves it out."""
    return {"disabled": False} | {name: user[name] for name in user.keys() - names}


def test_the_clear_passwords_of_an_official_export(project, tmp_path):
    folder = tmp_path / "auth_export"
    folder.mkdir()
    (tmp_path / "firebase-export-metadata.json").write_text(json.dumps({
        "version": "15.28.1", "auth": {"version": "15.28.1", "path": "auth_export"},
        "firestore": {"version": "1", "path": "firestore_export"}}))
    (folder / "config.json").write_text(json.dumps({"signIn": {"allowDuplicateEmails": False}}))
    (folder / "accounts.json").write_text(json.dumps({
        "kind": "identitytoolkit#DownloadAccountResponse", "users": [{
            "localId": "1", "email": A, "emailVerified": False, "salt": "fakeSaltabc",
            "passwordHash": "fakeHash:salt=fakeSaltabc:password=a:b c", "createdAt": "1",
            "lastLoginAt": "2", "validSince": "3", "passwordUpdatedAt": 4,
            "providerUserInfo": [{"providerId": "password", "email": A, "federatedId": A,
                                  "rawId": A}]}]}))
    assert imported(project, tmp_path) == ["Imported 1 accounts."]
    session = project.call("signInWithPassword", {"email": A, "password": "a:b c"})
    assert session["localId"] == "1"
    assert "a:b c" not in json.dumps(download(project))


def test_an_export_of_other_emulators_only(project, tmp_path):
    (tmp_path / "firebase-export-metadata.json").write_text(json.dumps({
        "version": "15.28.1", "firestore": {"version": "1", "path": "firestore_export"}}))
    assert imported(project, tmp_path) == ["Imported 0 accounts."]
    exported(project, tmp_path)
    metadata = json.loads((tmp_path / "firebase-export-metadata.json").read_text())
    assert metadata["firestore"] == {"version": "1", "path": "firestore_export"}
    assert metadata["auth"]["path"] == "auth_export"


def test_importing_twice_refuses_who_is_there(project, tmp_path):
    several_tenants(project)
    before = everything(project)
    exported(project, tmp_path)
    lines = imported(project, tmp_path)
    assert lines[0] == "Imported 0 accounts." and len(lines) == 6
    assert all(line.startswith("Not imported: ") for line in lines[1:])
    assert everything(project) == before


def test_importing_again_does_not_change_who_is_there(project, tmp_path):
    uid = project.sign_up(A)["localId"]
    exported(project, tmp_path)
    project.admin("/accounts:update", {
        "localId": uid, "disableUser": True, "emailVerified": True, "validSince": "7"})
    before = everything(project)
    assert imported(project, tmp_path)[0] == "Imported 0 accounts."
    assert everything(project) == before


def test_an_export_replaces_the_one_before(project, tmp_path):
    session = project.sign_up(A, tenantId="t1")
    exported(project, tmp_path)
    project.call("delete", {"idToken": session["idToken"]})
    project.owner("DELETE", f"{project.v2}/tenants/t1")
    exported(project, tmp_path)
    assert not (tmp_path / "auth_export/accounts-t1.json").exists()
    assert not [path for path in tmp_path.iterdir() if path.suffix in (".partial", ".previous")]


# MARK: The files of firebase auth:export

HASH_OPTIONS = ["--hash-algo", "SCRYPT", "--hash-key", PUBLISHED_PARAMETERS["signerKey"],
                "--salt-separator", "Bw==", "--rounds", "8", "--mem-cost", "14"]
CLOUD = {
    "localId": "1", "email": A, "emailVerified": True, "passwordHash": PUBLISHED_HASH,
    "salt": PUBLISHED_SALT, "displayName": "Ann, the first", "photoUrl": "http://localhost/a.png",
    "lastSignedInAt": "1500000000001", "createdAt": "1500000000000", "phoneNumber": ONE,
    "disabled": False, "customAttributes": '{"role":"admin"}', "providerUserInfo": [
        {"providerId": "google.com", "rawId": "g", "email": B, "displayName": "Gina",
         "photoUrl": "http://localhost/g.png"},
        {"providerId": "github.com", "rawId": "h"}]}


def cloud_user(project) -> dict:
    session = project.call(
        "signInWithPassword", {"email": A, "password": PUBLISHED_PASSWORD})
    assert session["localId"] == "1"
    assert project.error("signInWithPassword", {
        "email": A, "password": PASSWORD}) == "INVALID_PASSWORD"
    user = project.user("1")
    assert user == user | {
        "email": A, "emailVerified": True, "displayName": "Ann, the first",
        "photoUrl": "http://localhost/a.png", "createdAt": "1500000000000", "phoneNumber": ONE}
    entries = {entry["providerId"]: entry for entry in user["providerUserInfo"]}
    assert entries.keys() == {"google.com", "github.com", "password", "phone"}
    google = CLOUD["providerUserInfo"][0]
    assert entries["google.com"] == entries["google.com"] | google
    assert entries["github.com"]["rawId"] == "h"
    return user


def test_a_json_file_of_the_cloud(project, tmp_path):
    path = tmp_path / "users.json"
    path.write_text(json.dumps({"users": [CLOUD, {"localId": "2", "disabled": True}]}, indent=2))
    assert imported(project, path, *HASH_OPTIONS) == ["Imported 2 accounts."]
    assert project.user("1")["lastLoginAt"] == "1500000000001"
    assert project.user("2")["disabled"] is True
    assert cloud_user(project)["customAttributes"] == '{"role":"admin"}'


def csv_line(user: dict, end: str = "\n") -> str:
    """28 columns and a comma: https://firebase.google.com/docs/cli/auth#csv."""
    columns = [""] * 28
    for index, name in enumerate([
            "localId", "email", "emailVerified", "passwordHash", "salt", "displayName",
            "photoUrl"]):
        columns[index] = quoted(user.get(name, ""))
    for entry in user.get("providerUserInfo", []):
        start = {"google.com": 7, "facebook.com": 11, "twitter.com": 15, "github.com": 19}[
            entry["providerId"]]
        for offset, name in enumerate(["rawId", "email", "displayName", "photoUrl"]):
            columns[start + offset] = quoted(entry.get(name, ""))
    for index, name in enumerate([
            "createdAt", "lastSignedInAt", "phoneNumber", "disabled", "customAttributes"], 23):
        columns[index] = quoted(user.get(name, ""))
    return ",".join(columns) + "," + end


def quoted(value) -> str:
    text = str(value).lower() if isinstance(value, bool) else value
    return '"' + text.replace('"', '""') + '"' if "," in text or '"' in text else text


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_csv_file_of_the_cloud(project, tmp_path, end):
    path = tmp_path / "users.csv"
    path.write_bytes((csv_line(CLOUD, end) + csv_line({"localId": "2"}, end)).encode())
    assert imported(project, path, *HASH_OPTIONS) == ["Imported 2 accounts."]
    assert project.user("1")["lastLoginAt"] == "1500000000001"
    assert "email" not in project.user("2")
    cloud_user(project)


def test_the_last_columns_of_a_csv_file(project, tmp_path):
    path = tmp_path / "users.csv"
    path.write_text(csv_line({
        "localId": "1", "disabled": True, "customAttributes": '{"role":"admin","n":[1,2]}'}))
    assert imported(project, path) == ["Imported 1 accounts."]
    user = project.user("1")
    assert user["disabled"] is True
    assert json.loads(user["customAttributes"]) == {"role": "admin", "n": [1, 2]}


@pytest.mark.parametrize("algorithm, options, hashed", [
    ("HMAC_SHA256", ["--hash-key", "a2V5"],
     hmac.digest(b"key", PASSWORD.encode() + SALT, "sha256")),
    ("SHA512", ["--rounds", "2"],
     hashlib.sha512(hashlib.sha512(SALT + PASSWORD.encode()).digest()).digest()),
    ("PBKDF2_SHA256", ["--rounds", "700"],
     hashlib.pbkdf2_hmac("sha256", PASSWORD.encode(), SALT, 700)),
    ("SCRYPT", ["--hash-key", "a2V5", "--salt-separator", base64.b64encode(SEPARATOR).decode(),
                "--rounds", "2", "--mem-cost", "5"],
     firebase_scrypt_hash(PASSWORD, SALT, b"key", 2, 5)),
])
def test_the_hash_options(project, tmp_path, algorithm, options, hashed):
    path = tmp_path / "users.json"
    path.write_text(json.dumps({"users": [{
        "localId": "1", "email": A, "passwordHash": base64.b64encode(hashed).decode(),
        "salt": base64.b64encode(SALT).decode()}]}))
    assert imported(project, path, "--hash-algo", algorithm, *options) == ["Imported 1 accounts."]
    for _ in range(2):
        assert project.call("signInWithPassword", {"email": A, "password": PASSWORD})


def test_what_an_import_cannot_do(project, tmp_path):
    missing = on(project, "import", tmp_path / "missing.json")
    assert missing.returncode != 0 and "missing.json" in missing.stderr
    unknown = on(project, "import", tmp_path, "--hash-algo", "ARGON2")
    assert unknown.returncode != 0 and "ARGON2" in unknown.stderr
    nobody = command("import", tmp_path, "--address", "127.0.0.1:1")
    assert nobody.returncode != 0 and "127.0.0.1:1" in nobody.stderr


@pytest.mark.parametrize("text", [
    "", "nonsense", "[]", "{", "[{}]", '{"users": [{}]}]', '{"users": [,{}]}', '{"users": [{},]}',
    '{"users": [{"localId": "1"}}', '{"users": {"localId": "1"}}', '{"users": [{"localId": "1"}]',
    '{"users": 5}', '{"users": [{"localId": "1"}, {]}',
    '{"users": [{"localId": "1"}, {"localI', '{"users": [{"localId": "1"}',
    '{"users": [{"localId": 1'])
def test_a_file_that_is_broken_is_not_taken_for_whole(project, tmp_path, text):
    path = tmp_path / "broken.json"
    path.write_text(text)
    done = on(project, "import", path)
    assert done.returncode == 1 and "broken.json" in done.stderr, done.stdout
    assert " at position " in done.stderr
    assert download(project) == []


@pytest.mark.parametrize("text, position", [
    ("", 0), ('{"users": [{"localId": "1"}, {"a": b}]}', 35), ('{"users": [{}}', 13),
    ('{"users": [{}, {"a": 1}], "b": c}', 31), ('{"a": b, "users": []}', 6)])
def test_the_place_where_a_file_is_broken(project, tmp_path, text, position):
    path = tmp_path / "broken.json"
    path.write_text(text)
    assert f" at position {position}" in on(project, "import", path).stderr


@pytest.mark.parametrize("name", ["config.json", "accounts-t1.json", "hearth-extra.ndjson"])
def test_an_export_with_a_broken_file_changes_nothing(project, tmp_path, name):
    project.sign_up(B)
    project.sign_up(A, tenantId="t1")
    project.configure("signIn", signIn={"allowDuplicateEmails": True})
    exported(project, tmp_path)
    path = tmp_path / "auth_export" / name
    path.write_bytes(path.read_bytes()[:-3])
    other = Project(project.server)
    before = everything(other)
    done = on(other, "import", tmp_path)
    assert done.returncode == 1 and name in done.stderr
    assert everything(other) == before


def test_a_file_without_users(project, tmp_path):
    path = tmp_path / "none.json"
    for text in ("{}", '{"kind": "any"}', '{"users": [ ]}'):
        path.write_text(text)
        assert imported(project, path) == ["Imported 0 accounts."]


def test_users_that_are_refused_are_named(project, tmp_path):
    path = tmp_path / "users.json"
    path.write_text(json.dumps({"users": [
        {"localId": "1", "email": A}, {"localId": "2", "email": A}, {"localId": "3"}]}))
    assert imported(project, path) == [
        "Imported 2 accounts.",
        "Not imported: 2: email exists in other account in database"]


def test_export_help_and_import_help():
    for name in ("export", "import"):
        done = command(name, "--help")
        assert done.returncode == 0 and f"USAGE: hearth {name} " in done.stdout


# MARK: Many users at once

def test_two_thousand_users_in_two_requests(project):
    users = [{"localId": f"u{n:05}", "email": f"u{n}@example.com", "phoneNumber": f"+1555{n:07}",
              "displayName": f"User {n}", "rawPassword": f"secret {n}",
              "customAttributes": json.dumps({"n": n}),
              "providerUserInfo": [{"providerId": "google.com", "rawId": f"g{n}"}]}
             for n in range(2000)]
    started = time.monotonic()
    for start in (0, 1000):
        answer = project.admin("/accounts:batchCreate", {
            "users": users[start:start + 1000], "sanityCheck": True})
        assert answer["error"] == []
    assert time.monotonic() - started < 20
    found = download(project)
    assert [user["localId"] for user in found] == [user["localId"] for user in users]
    for given, user in zip(users, found):
        assert user == user | {name: given[name] for name in (
            "email", "phoneNumber", "displayName", "customAttributes")}
    for n in (0, 999, 1000, 1999):
        session = project.call("signInWithPassword", {
            "email": f"u{n}@example.com", "password": f"secret {n}"})
        assert claims(session)["n"] == n
        assert project.idp("google.com", {"sub": f"g{n}"})["localId"] == f"u{n:05}"
        assert project.phone(f"+1555{n:07}")["localId"] == f"u{n:05}"
    again = project.admin("/accounts:batchCreate", {"users": users[:1000]})
    assert [error["index"] for error in again["error"]] == list(range(1000))


def test_two_thousand_users_in_one_request(project):
    """There is no upper limit (8.1)."""
    users = [{"localId": f"u{n:05}", "photoUrl": "http://localhost/" + "x" * 2000}
             for n in range(2000)]
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
            (tmp_path / "two/auth_export" / path.name).read_text())
