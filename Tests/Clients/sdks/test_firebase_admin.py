"""The unmodified Admin SDK for Python against the emulator."""

import contextlib
import hashlib
import hmac
import os
import time
from urllib.parse import parse_qs, urlsplit

import firebase_admin
import google.auth.credentials
import pytest
import requests
from firebase_admin import _token_gen, auth, credentials, exceptions, tenant_mgt
from support.official import Official
from support.server import PROJECT


class NoCredential(credentials.Base):
    """The emulator asks for none, but the tenant client wants to hold one."""

    def get_credential(self):
        return google.auth.credentials.AnonymousCredentials()


@pytest.fixture(scope="module")
def app(hearth):
    os.environ["FIREBASE_AUTH_EMULATOR_HOST"] = hearth.host
    app = firebase_admin.initialize_app(
        NoCredential(), options={"projectId": PROJECT}, name=hearth.host
    )
    yield app
    firebase_admin.delete_app(app)
    del os.environ["FIREBASE_AUTH_EMULATOR_HOST"]


def sign_in(hearth, email, password="secret1"):
    return hearth.accounts("signInWithPassword", {"email": email, "password": password})


def refused(hearth, path, body):
    reply = hearth.post(path + "?key=any", body)
    assert reply.status_code == 400, reply.text
    return reply.json()["error"]["message"]


@contextlib.contextmanager
def earlier(hearth):
    """Revocation counts in seconds: what is made here is two seconds older."""
    if isinstance(hearth, Official):
        yield
        time.sleep(2)
        return
    clock = f"{hearth.auth}/emulator/v1/projects/{PROJECT}/clock"
    assert requests.patch(clock, json={"advance": "-PT2S"}, timeout=30).ok
    try:
        yield
    finally:
        assert requests.delete(clock, timeout=30).ok


def test_a_user_is_created_read_changed_and_deleted(app, address):
    user = auth.create_user(
        email=address,
        password="secret1",
        display_name="Ann",
        phone_number="+15555550100",
        photo_url="https://example.com/a.png",
        app=app,
    )
    assert auth.get_user(user.uid, app=app).display_name == "Ann"
    assert auth.get_user_by_email(address.upper(), app=app).uid == user.uid
    assert auth.get_user_by_phone_number("+15555550100", app=app).uid == user.uid
    assert user.user_metadata.creation_timestamp <= time.time() * 1000
    assert user.tokens_valid_after_timestamp % 1000 == 0
    changed = auth.update_user(
        user.uid, display_name=auth.DELETE_ATTRIBUTE, email_verified=True, disabled=True, app=app
    )
    assert changed.display_name is None and changed.email_verified and changed.disabled
    auth.delete_user(user.uid, app=app)
    with pytest.raises(auth.UserNotFoundError):
        auth.get_user(user.uid, app=app)


def test_users_are_found_by_every_identifier(app, address):
    made = auth.import_users(
        [
            auth.ImportUserRecord(
                uid="found-" + address,
                email=address,
                phone_number="+15555550111",
                provider_data=[auth.UserProvider("raw-" + address, "google.com", email=address)],
            )
        ],
        app=app,
    )
    assert made.failure_count == 0
    for identifier in (
        auth.UidIdentifier("found-" + address),
        auth.EmailIdentifier(address),
        auth.PhoneIdentifier("+15555550111"),
        auth.ProviderIdentifier("google.com", "raw-" + address),
    ):
        found = auth.get_users([identifier], app=app)
        assert [user.uid for user in found.users] == ["found-" + address]
    nobody = auth.ProviderIdentifier("google.com", "nobody")
    found = auth.get_users([nobody, auth.UidIdentifier("nobody")], app=app)
    assert found.users == [] and len(found.not_found) == 2


def test_providers_are_unlinked(app, address):
    uid = "linked-" + address
    auth.import_users(
        [
            auth.ImportUserRecord(
                uid=uid,
                email=address,
                phone_number="+15555550112",
                provider_data=[auth.UserProvider("raw-" + address, "google.com")],
            )
        ],
        app=app,
    )
    linked = {entry.provider_id for entry in auth.get_user(uid, app=app).provider_data}
    assert linked == {"google.com", "phone"}
    auth.update_user(uid, providers_to_delete=["google.com"], app=app)
    auth.update_user(uid, phone_number=auth.DELETE_ATTRIBUTE, app=app)
    user = auth.get_user(uid, app=app)
    assert user.provider_data == [] and user.phone_number is None
    with pytest.raises(auth.UserNotFoundError):
        auth.get_user_by_phone_number("+15555550112", app=app)


def test_a_provider_links_itself_to_a_user(app, hearth, address):
    user = auth.create_user(email=address, password="secret1", app=app)
    identity = f'{{"sub":"raw-{address}","email":"{address}"}}'
    hearth.accounts(
        "signInWithIdp",
        {
            "idToken": sign_in(hearth, address)["idToken"],
            "requestUri": "http://localhost",
            "postBody": "providerId=google.com&id_token=" + identity,
            "returnSecureToken": True,
        },
    )
    linked = auth.get_user(user.uid, app=app).provider_data
    assert {entry.provider_id: entry.uid for entry in linked} == {
        "password": address,
        "google.com": "raw-" + address,
    }


def test_errors_come_as_the_sdks_classes(app, address):
    auth.create_user(
        uid="taken-" + address,
        email=address,
        phone_number="+15555550113",
        password="secret1",
        app=app,
    )
    cases = [
        (auth.EmailAlreadyExistsError, lambda: auth.create_user(email=address, app=app)),
        (auth.UidAlreadyExistsError, lambda: auth.create_user(uid="taken-" + address, app=app)),
        (
            auth.PhoneNumberAlreadyExistsError,
            lambda: auth.create_user(phone_number="+15555550113", app=app),
        ),
        (auth.UserNotFoundError, lambda: auth.get_user("nobody", app=app)),
        (auth.UserNotFoundError, lambda: auth.get_user_by_email("no-" + address, app=app)),
        (auth.UserNotFoundError, lambda: auth.update_user("nobody", display_name="x", app=app)),
        (auth.UserNotFoundError, lambda: auth.delete_user("nobody", app=app)),
        (
            auth.EmailNotFoundError,
            lambda: auth.generate_password_reset_link("no-" + address, app=app),
        ),
        (
            auth.UserNotFoundError,
            lambda: auth.generate_email_verification_link("no-" + address, app=app),
        ),
        (auth.InvalidIdTokenError, lambda: auth.create_session_cookie("a.b.c", 3600, app=app)),
        (
            auth.ConfigurationNotFoundError,
            lambda: auth.get_oidc_provider_config("oidc.nobody", app=app),
        ),
    ]
    for kind, call in cases:
        with pytest.raises(kind):
            call()
    with pytest.raises(exceptions.InvalidArgumentError, match="INVALID_CONTINUE_URI"):
        auth.generate_password_reset_link(
            address, auth.ActionCodeSettings("//no-scheme/done"), app=app
        )


def test_users_are_listed_and_deleted_in_bulk(app, address):
    uids = [auth.create_user(email=f"{i}-{address}", app=app).uid for i in range(25)]
    listed, page = set(), auth.list_users(max_results=10, app=app)
    while page:
        listed |= {user.uid for user in page.users}
        page = page.get_next_page()
    assert set(uids) <= listed
    found = auth.get_users([auth.UidIdentifier(uids[0]), auth.UidIdentifier("nobody")], app=app)
    assert [u.uid for u in found.users] == [uids[0]] and len(found.not_found) == 1
    assert auth.delete_users([*uids, "nobody"], app=app).success_count == 26
    assert auth.get_users([auth.UidIdentifier(uid) for uid in uids], app=app).users == []


def test_custom_claims_are_in_the_id_token(app, hearth, address):
    user = auth.create_user(email=address, password="secret1", app=app)
    auth.set_custom_user_claims(user.uid, {"role": "admin", "level": 3}, app=app)
    claims = auth.verify_id_token(sign_in(hearth, address)["idToken"], app=app)
    assert claims["uid"] == user.uid and claims["role"] == "admin" and claims["level"] == 3
    assert auth.get_user(user.uid, app=app).custom_claims == {"role": "admin", "level": 3}
    auth.set_custom_user_claims(user.uid, None, app=app)
    assert "role" not in auth.verify_id_token(sign_in(hearth, address)["idToken"], app=app)
    # What the SDK would not let through, the server refuses.
    update = {"localId": user.uid, "customAttributes": '{"iss":"me"}'}
    reply = hearth.post(
        f"/identitytoolkit.googleapis.com/v1/projects/{PROJECT}/accounts:update",
        update,
        Authorization="Bearer owner",
    )
    assert reply.json()["error"]["message"] == "FORBIDDEN_CLAIM : iss"


def test_revocation_is_seen(app, hearth, address):
    with earlier(hearth):
        user = auth.create_user(email=address, password="secret1", app=app)
        session = sign_in(hearth, address)
    assert auth.verify_id_token(session["idToken"], check_revoked=True, app=app)
    auth.revoke_refresh_tokens(user.uid, app=app)
    with pytest.raises(auth.RevokedIdTokenError):
        auth.verify_id_token(session["idToken"], check_revoked=True, app=app)
    assert auth.verify_id_token(session["idToken"], app=app)["uid"] == user.uid
    refresh = {"grant_type": "refresh_token", "refresh_token": session["refreshToken"]}
    assert refused(hearth, "/securetoken.googleapis.com/v1/token", refresh) == "TOKEN_EXPIRED"
    again = sign_in(hearth, address)
    assert auth.verify_id_token(again["idToken"], check_revoked=True, app=app)


def test_a_disabled_user_is_refused(app, hearth, address):
    user = auth.create_user(email=address, password="secret1", app=app)
    token = sign_in(hearth, address)["idToken"]
    auth.update_user(user.uid, disabled=True, app=app)
    with pytest.raises(auth.UserDisabledError):
        auth.verify_id_token(token, check_revoked=True, app=app)
    body = {"email": address, "password": "secret1"}
    path = "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword"
    assert refused(hearth, path, body) == "USER_DISABLED"
    auth.update_user(user.uid, disabled=False, app=app)
    assert sign_in(hearth, address)["localId"] == user.uid


def code_of(hearth, link):
    assert link.startswith(hearth.auth + "/emulator/action?mode=")
    query = parse_qs(urlsplit(link).query)
    assert query["apiKey"] and query["lang"]
    return query["oobCode"][0]


def test_a_password_reset_link_resets(app, hearth, address):
    auth.create_user(email=address, password="secret1", app=app)
    link = auth.generate_password_reset_link(
        address, auth.ActionCodeSettings("http://localhost/done"), app=app
    )
    assert parse_qs(urlsplit(link).query)["continueUrl"] == ["http://localhost/done"]
    hearth.accounts("resetPassword", {"oobCode": code_of(hearth, link), "newPassword": "secret2"})
    assert sign_in(hearth, address, "secret2")
    if isinstance(hearth, Official):
        return
    # The administrator mails it himself.
    reply = requests.get(
        f"{hearth.auth}/emulator/v1/projects/{PROJECT}/messages", params={"to": address}, timeout=30
    )
    assert [each["delivery"]["state"] for each in reply.json()["messages"]] == ["notSent"]


def test_a_verification_link_verifies(app, hearth, address):
    user = auth.create_user(email=address, app=app)
    link = auth.generate_email_verification_link(address, app=app)
    assert requests.get(link, timeout=30).json()["authEmulator"]["email"] == address
    assert auth.get_user(user.uid, app=app).email_verified
    assert requests.get(link, timeout=30).status_code == 400


def test_a_sign_in_link_signs_in(app, hearth, address):
    settings = auth.ActionCodeSettings("http://localhost/done", handle_code_in_app=True)
    link = auth.generate_sign_in_with_email_link(address, settings, app=app)
    session = hearth.accounts(
        "signInWithEmailLink", {"email": address, "oobCode": code_of(hearth, link)}
    )
    assert auth.get_user(session["localId"], app=app).email_verified


def test_a_custom_token_is_exchanged(app, hearth, address):
    token = auth.create_custom_token(address, {"plan": "pro"}, app=app).decode()
    session = hearth.accounts("signInWithCustomToken", {"token": token, "returnSecureToken": True})
    claims = auth.verify_id_token(session["idToken"], app=app)
    assert claims["uid"] == address and claims["plan"] == "pro"
    assert claims["firebase"]["sign_in_provider"] == "custom"


def test_session_cookies_are_made_verified_and_revoked(app, hearth, address):
    with earlier(hearth):
        user = auth.create_user(email=address, password="secret1", app=app)
        session = sign_in(hearth, address)
        cookie = auth.create_session_cookie(session["idToken"], expires_in=3600, app=app)
    claims = auth.verify_session_cookie(cookie, check_revoked=True, app=app)
    assert claims["email"] == address
    assert claims["exp"] - claims["iat"] == 3600
    with pytest.raises(auth.InvalidIdTokenError):
        auth.verify_id_token(cookie, app=app)
    auth.revoke_refresh_tokens(user.uid, app=app)
    with pytest.raises(auth.RevokedSessionCookieError):
        auth.verify_session_cookie(cookie, check_revoked=True, app=app)


@pytest.fixture
def production_app(hearth, monkeypatch, app):
    """The SDK as in production; only the addresses of the certificates are ours."""
    host = hearth.auth + "/www.googleapis.com"
    monkeypatch.delenv("FIREBASE_AUTH_EMULATOR_HOST")
    monkeypatch.setattr(
        _token_gen,
        "ID_TOKEN_CERT_URI",
        host + "/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com",
    )
    monkeypatch.setattr(
        _token_gen, "COOKIE_CERT_URI", host + "/identitytoolkit/v3/relyingparty/publicKeys"
    )
    made = firebase_admin.initialize_app(
        NoCredential(), options={"projectId": PROJECT}, name="production"
    )
    yield made
    firebase_admin.delete_app(made)


def test_signatures_verify_outside_emulator_mode(production_app, hearth, address):
    session = hearth.accounts("signUp", {"email": address, "password": "secret1"})
    claims = auth.verify_id_token(session["idToken"], app=production_app, clock_skew_seconds=10)
    assert claims["uid"] == session["localId"]
    cookie = hearth.admin(":createSessionCookie", {"idToken": session["idToken"]})["sessionCookie"]
    claims = auth.verify_session_cookie(cookie, app=production_app, clock_skew_seconds=10)
    assert claims["uid"] == session["localId"]
    header, payload, signature = session["idToken"].split(".")
    forged = f"{header}.{payload}.{signature[:-8]}{'A' * 8}"
    with pytest.raises(auth.InvalidIdTokenError):
        auth.verify_id_token(forged, app=production_app, clock_skew_seconds=10)


def test_users_are_imported_with_their_passwords(app, hearth, address):
    key, salt = b"secret key", b"salt"
    digest = hmac.new(key, b"open sesame" + salt, hashlib.sha256).digest()
    user = auth.ImportUserRecord(
        uid="import-" + address, email=address, password_hash=digest, password_salt=salt
    )
    result = auth.import_users([user], hash_alg=auth.UserImportHash.hmac_sha256(key), app=app)
    assert result.failure_count == 0
    assert sign_in(hearth, address, "open sesame")["localId"] == "import-" + address
    assert sign_in(hearth, address, "open sesame")["localId"] == "import-" + address


def test_tenants_keep_to_themselves(app, hearth, address):
    # The SDK manages tenants at Google only; it works in one that exists at the emulator.
    created = hearth.post(
        f"/identitytoolkit.googleapis.com/v2/projects/{PROJECT}/tenants",
        {"displayName": "first", "allowPasswordSignup": True},
        Authorization="Bearer owner",
    ).json()
    client = tenant_mgt.auth_for_tenant(created["tenantId"], app=app)
    user = client.create_user(email=address, password="secret1")
    assert user.tenant_id == created["tenantId"]
    with pytest.raises(auth.UserNotFoundError):
        auth.get_user(user.uid, app=app)
    session = hearth.accounts(
        "signInWithPassword",
        {"email": address, "password": "secret1", "tenantId": created["tenantId"]},
    )
    claims = client.verify_id_token(session["idToken"])
    assert claims["firebase"]["tenant"] == created["tenantId"]


def test_provider_configurations_are_kept(app):
    made = auth.create_oidc_provider_config(
        "oidc.one", client_id="client", issuer="https://issuer.example", enabled=True, app=app
    )
    assert made.client_id == "client" and made.provider_id == "oidc.one"
    changed = auth.update_oidc_provider_config("oidc.one", display_name="One", app=app)
    assert changed.display_name == "One" and changed.issuer == "https://issuer.example"
    assert [c.provider_id for c in auth.list_oidc_provider_configs(app=app).iterate_all()] == [
        "oidc.one"
    ]
    saml = auth.create_saml_provider_config(
        "saml.one",
        idp_entity_id="idp",
        sso_url="https://sso.example",
        x509_certificates=["c"],
        rp_entity_id="rp",
        callback_url="https://app.example",
        enabled=True,
        app=app,
    )
    assert saml.idp_entity_id == "idp" and saml.x509_certificates == ["c"]
    auth.delete_oidc_provider_config("oidc.one", app=app)
    with pytest.raises(auth.ConfigurationNotFoundError):
        auth.get_oidc_provider_config("oidc.one", app=app)
