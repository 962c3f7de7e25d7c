"""The unmodified Admin SDK for Python against the emulator."""

import os
import time

import firebase_admin
import google.auth.credentials
import pytest
from firebase_admin import auth, credentials

from conftest import PROJECT


class NoCredential(credentials.Base):
    """The emulator asks for none, but the tenant client wants to hold one."""

    def get_credential(self):
        return google.auth.credentials.AnonymousCredentials()


@pytest.fixture(scope="module")
def app(hearth):
    os.environ["FIREBASE_AUTH_EMULATOR_HOST"] = hearth.host
    app = firebase_admin.initialize_app(
        NoCredential(), options={"projectId": PROJECT}, name=hearth.host)
    yield app
    firebase_admin.delete_app(app)
    del os.environ["FIREBASE_AUTH_EMULATOR_HOST"]


def sign_in(hearth, email, password="secret1"):
    return hearth.accounts("signInWithPassword", {"email": email, "password": password})


def test_a_user_is_created_read_changed_and_deleted(app, address):
    user = auth.create_user(
        email=address, password="secret1", display_name="Ann", phone_number="+15555550100",
        photo_url="https://example.com/a.png", app=app)
    assert auth.get_user(user.uid, app=app).display_name == "Ann"
    assert auth.get_user_by_email(address.upper(), app=app).uid == user.uid
    assert auth.get_user_by_phone_number("+15555550100", app=app).uid == user.uid
    changed = auth.update_user(
        user.uid, display_name=auth.DELETE_ATTRIBUTE, email_verified=True, disabled=True, app=app)
    assert changed.display_name is None and changed.email_verified and changed.disabled
    auth.delete_user(user.uid, app=app)
    with pytest.raises(auth.UserNotFoundError):
        auth.get_user(user.uid, app=app)


def test_taken_things_are_refused_with_the_sdks_errors(app, address):
    auth.create_user(uid="taken-" + address, email=address, password="secret1", app=app)
    with pytest.raises(auth.EmailAlreadyExistsError):
        auth.create_user(email=address, password="secret1", app=app)
    with pytest.raises(auth.UidAlreadyExistsError):
        auth.create_user(uid="taken-" + address, app=app)
    with pytest.raises(auth.UserNotFoundError):
        auth.get_user_by_email("nobody-" + address, app=app)


def test_users_are_listed_and_deleted_in_bulk(app, address):
    uids = [auth.create_user(email=f"{i}-{address}", app=app).uid for i in range(25)]
    listed, page = set(), auth.list_users(max_results=10, app=app)
    while page:
        listed |= {user.uid for user in page.users}
        page = page.get_next_page()
    assert set(uids) <= listed
    found = auth.get_users([auth.UidIdentifier(uids[0]), auth.UidIdentifier("nobody")], app=app)
    assert [u.uid for u in found.users] == [uids[0]] and len(found.not_found) == 1
    assert auth.delete_users(uids, app=app).success_count == 25


def test_custom_claims_stand_in_the_id_token(app, hearth, address):
    user = auth.create_user(email=address, password="secret1", app=app)
    auth.set_custom_user_claims(user.uid, {"role": "admin", "level": 3}, app=app)
    claims = auth.verify_id_token(sign_in(hearth, address)["idToken"], app=app)
    assert claims["uid"] == user.uid and claims["role"] == "admin" and claims["level"] == 3
    with pytest.raises(ValueError):
        auth.set_custom_user_claims(user.uid, {"iss": "me"}, app=app)


def test_revocation_is_seen(app, hearth, address):
    user = auth.create_user(email=address, password="secret1", app=app)
    session = sign_in(hearth, address)
    assert auth.verify_id_token(session["idToken"], check_revoked=True, app=app)
    later = auth.get_user(user.uid, app=app).tokens_valid_after_timestamp / 1000
    while time.time() < later + 1.1:
        sign_in(hearth, address)  # let a second pass, so that the old token is older
    auth.revoke_refresh_tokens(user.uid, app=app)
    with pytest.raises(auth.RevokedIdTokenError):
        auth.verify_id_token(session["idToken"], check_revoked=True, app=app)
    refresh = {"grant_type": "refresh_token", "refresh_token": session["refreshToken"]}
    reply = hearth.post("/securetoken.googleapis.com/v1/token?key=any", refresh)
    assert reply.json()["error"]["message"] == "TOKEN_EXPIRED"


def test_a_disabled_user_is_refused(app, hearth, address):
    user = auth.create_user(email=address, password="secret1", app=app)
    token = sign_in(hearth, address)["idToken"]
    auth.update_user(user.uid, disabled=True, app=app)
    with pytest.raises(auth.UserDisabledError):
        auth.verify_id_token(token, check_revoked=True, app=app)


def test_action_links_work(app, hearth, address):
    auth.create_user(email=address, password="secret1", app=app)
    for link in [
        auth.generate_password_reset_link(address, app=app),
        auth.generate_email_verification_link(address, app=app),
        auth.generate_sign_in_with_email_link(
            address, auth.ActionCodeSettings("https://example.com", handle_code_in_app=True),
            app=app),
    ]:
        assert link.startswith(hearth.auth + "/emulator/action?mode=")


def test_a_custom_token_is_exchanged(app, hearth, address):
    token = auth.create_custom_token(address, {"plan": "pro"}, app=app).decode()
    session = hearth.accounts("signInWithCustomToken", {"token": token, "returnSecureToken": True})
    claims = auth.verify_id_token(session["idToken"], app=app)
    assert claims["uid"] == address and claims["plan"] == "pro"
    assert claims["firebase"]["sign_in_provider"] == "custom"


def test_session_cookies_are_made_and_verified(app, hearth, address):
    auth.create_user(email=address, password="secret1", app=app)
    session = sign_in(hearth, address)
    cookie = auth.create_session_cookie(session["idToken"], expires_in=3600, app=app)
    claims = auth.verify_session_cookie(cookie, check_revoked=True, app=app)
    assert claims["email"] == address
    assert claims["exp"] - claims["iat"] == 3600


def test_users_are_imported_with_their_passwords(app, hearth, address):
    import hashlib
    import hmac

    key, salt = b"secret key", b"salt"
    digest = hmac.new(key, b"open sesame" + salt, hashlib.sha256).digest()
    user = auth.ImportUserRecord(
        uid="import-" + address, email=address, password_hash=digest, password_salt=salt)
    result = auth.import_users([user], hash_alg=auth.UserImportHash.hmac_sha256(key), app=app)
    assert result.failure_count == 0
    assert sign_in(hearth, address, "open sesame")["localId"] == "import-" + address
    assert sign_in(hearth, address, "open sesame")["localId"] == "import-" + address


def test_tenants_keep_to_themselves(app, hearth, address):
    from firebase_admin import tenant_mgt

    # The SDK manages tenants at Google only; it works in one that exists at the emulator.
    created = hearth.post(
        f"/identitytoolkit.googleapis.com/v2/projects/{PROJECT}/tenants",
        {"displayName": "first", "allowPasswordSignup": True}, Authorization="Bearer owner").json()
    client = tenant_mgt.auth_for_tenant(created["tenantId"], app=app)
    user = client.create_user(email=address, password="secret1")
    assert user.tenant_id == created["tenantId"]
    with pytest.raises(auth.UserNotFoundError):
        auth.get_user(user.uid, app=app)
    session = hearth.accounts("signInWithPassword", {
        "email": address, "password": "secret1", "tenantId": created["tenantId"]})
    claims = client.verify_id_token(session["idToken"])
    assert claims["firebase"]["tenant"] == created["tenantId"]


def test_provider_configurations_are_kept(app):
    made = auth.create_oidc_provider_config(
        "oidc.one", client_id="client", issuer="https://issuer.example", enabled=True, app=app)
    assert made.client_id == "client" and made.provider_id == "oidc.one"
    changed = auth.update_oidc_provider_config("oidc.one", display_name="One", app=app)
    assert changed.display_name == "One" and changed.issuer == "https://issuer.example"
    assert [c.provider_id for c in auth.list_oidc_provider_configs(app=app).iterate_all()] == [
        "oidc.one"]
    saml = auth.create_saml_provider_config(
        "saml.one", idp_entity_id="idp", sso_url="https://sso.example", x509_certificates=["c"],
        rp_entity_id="rp", callback_url="https://app.example", enabled=True, app=app)
    assert saml.idp_entity_id == "idp" and saml.x509_certificates == ["c"]
    auth.delete_oidc_provider_config("oidc.one", app=app)
    with pytest.raises(auth.ConfigurationNotFoundError):
        auth.get_oidc_provider_config("oidc.one", app=app)
