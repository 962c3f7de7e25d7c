"""The Admin SDK for Python with a key file, as on a server."""

import re

import firebase_admin
import requests
from common import (
    CONTROL,
    account,
    address,
    assertion,
    call,
    clock,
    done,
    expired,
    foreign,
    grant,
    key,
    refused,
    sign_up,
    tampered,
)
from firebase_admin import auth, exceptions, firestore, tenant_mgt

firebase_admin.initialize_app()

# Users and claims.
email = address()
user = auth.create_user(email=email, password="secret1", display_name="Ann")
assert auth.get_user_by_email(email).uid == user.uid
auth.set_custom_user_claims(user.uid, {"role": "editor"})
assert user.uid in {each.uid for each in auth.list_users().iterate_all()}

# Links have Google's form, and work.
link = auth.generate_password_reset_link(email)
assert re.match(r"https://[\w.-]+\.firebaseapp\.com/__/auth/action\?", link), link
page = requests.get(link, headers={"Accept": "text/html"}, timeout=30)
assert page.status_code == 200 and "<form" in page.text, page.text
assert "mode=verifyEmail" in auth.generate_email_verification_link(email)

# Custom tokens.
custom = auth.create_custom_token(user.uid, {"from": "custom"}).decode()
session = call("accounts:signInWithCustomToken", {"token": custom, "returnSecureToken": True})
claims = auth.verify_id_token(session["idToken"])
assert (claims["uid"], claims["role"], claims["from"]) == (user.uid, "editor", "custom")

# Session cookies, and revocation.
cookie = auth.create_session_cookie(session["idToken"], 3600)
assert auth.verify_session_cookie(cookie, check_revoked=True)["uid"] == user.uid
# It counts in seconds: this sign-in is two seconds older.
with clock("-PT2S"):
    older = sign_up()
auth.revoke_refresh_tokens(older["localId"])
with refused(auth.RevokedIdTokenError):
    auth.verify_id_token(older["idToken"], check_revoked=True)

# Tokens that are not what they say.
good = sign_up()["idToken"]
auth.verify_id_token(good)
with refused(auth.InvalidIdTokenError):
    auth.verify_id_token(tampered(good))
with refused(auth.InvalidIdTokenError):
    auth.verify_id_token(foreign(good))
with refused(auth.ExpiredIdTokenError):
    auth.verify_id_token(expired())
for host in ("oauth2.googleapis.com/token", "www.googleapis.com/oauth2/v4/token"):
    audience = {"aud": f"https://{host}"}
    assert grant(assertion(account(), **audience), host).status_code == 200
    signed = assertion(account(), **audience)
    for bad in (tampered(signed), foreign(signed), assertion(account(), age=7200, **audience)):
        reply = grant(bad, host)
        assert (reply.status_code, reply.json()["error"]) == (400, "invalid_grant"), reply.text

# Tenants.
tenant = tenant_mgt.create_tenant("Acme", allow_password_sign_up=True)
client = tenant_mgt.auth_for_tenant(tenant.tenant_id)
assert client.create_user(email=address(), password="secret1").tenant_id == tenant.tenant_id

# Firestore.
database = firestore.client()
database.document("cities/berlin").set({"people": 3_700_000})
assert database.document("cities/berlin").get().get("people") == 3_700_000
assert [
    each.id
    for each in database.collection("cities")
    .where(filter=firestore.firestore.FieldFilter("people", ">", 1))
    .stream()
] == ["berlin"]

# A key that Hearth did not write.
strange = account() | {"private_key": key()}
other = firebase_admin.initialize_app(
    firebase_admin.credentials.Certificate(strange), name="strange"
)
with refused(exceptions.FirebaseError, Exception):
    auth.get_user(user.uid, app=other)

# What is not played says so.
reply = requests.post(
    "https://firebaserules.googleapis.com/v1/projects/p/rulesets", json={}, timeout=30
)
assert reply.status_code == 501 and "firebaserules.googleapis.com" in reply.text, reply.text

mails = requests.get(f"{CONTROL}/messages", timeout=30).json()
done(mails=mails["total"])
