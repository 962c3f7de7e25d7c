"""A back end that knows nothing of emulators verifies our tokens."""

import base64
import json

import jwt
import pytest
import requests
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from support.server import PROJECT, Server

ACCOUNT = "securetoken@system.gserviceaccount.com"
ISSUER = f"https://securetoken.google.com/{PROJECT}"


@pytest.fixture
def session(hearth, address):
    return hearth.accounts("signUp", {"email": address, "password": "secret1"})


def verify(token, key):
    return jwt.decode(token, key, algorithms=["RS256"], audience=PROJECT, issuer=ISSUER)


@pytest.mark.parametrize(
    "path",
    [
        f"/www.googleapis.com/service_accounts/v1/jwk/{ACCOUNT}",
        f"/service_accounts/v1/jwk/{ACCOUNT}",
        "/.well-known/jwks.json",
    ],
)
def test_tokens_verify_by_jwks(hearth, session, path):
    reply = requests.get(hearth.auth + path, timeout=30)
    assert "max-age=" in reply.headers["Cache-Control"]
    key = jwt.PyJWKClient(hearth.auth + path).get_signing_key_from_jwt(session["idToken"])
    claims = verify(session["idToken"], key.key)
    assert claims["sub"] == claims["user_id"] == session["localId"]


@pytest.mark.parametrize(
    "path",
    [
        f"/www.googleapis.com/robot/v1/metadata/x509/{ACCOUNT}",
        f"/robot/v1/metadata/x509/{ACCOUNT}",
        "/www.googleapis.com/identitytoolkit/v3/relyingparty/publicKeys",
        "/identitytoolkit/v3/relyingparty/publicKeys",
    ],
)
def test_tokens_verify_by_certificate(hearth, session, path):
    reply = requests.get(hearth.auth + path, timeout=30)
    assert "max-age=" in reply.headers["Cache-Control"]
    pem = reply.json()[jwt.get_unverified_header(session["idToken"])["kid"]]
    certificate = x509.load_pem_x509_certificate(pem.encode())
    assert verify(session["idToken"], certificate.public_key())


def test_discovery_leads_to_the_keys(hearth, session):
    document = requests.get(
        f"{hearth.auth}/securetoken.google.com/{PROJECT}/.well-known/openid-configuration",
        timeout=30,
    ).json()
    assert document["issuer"] == ISSUER
    key = jwt.PyJWKClient(document["jwks_uri"]).get_signing_key_from_jwt(session["idToken"])
    assert verify(session["idToken"], key.key)


def test_session_cookies_verify_by_their_keys(hearth, session):
    cookie = hearth.admin(":createSessionCookie", {"idToken": session["idToken"]})["sessionCookie"]
    keys = requests.get(
        hearth.auth + "/identitytoolkit.googleapis.com/v1/sessionCookiePublicKeys?key=any",
        timeout=30,
    ).json()["keys"]
    key = jwt.PyJWK(keys[0]).key
    claims = jwt.decode(
        cookie,
        key,
        algorithms=["RS256"],
        audience=PROJECT,
        issuer=f"https://session.firebase.google.com/{PROJECT}",
    )
    assert claims["sub"] == session["localId"]


def segment(data) -> str:
    return base64.urlsafe_b64encode(json.dumps(data).encode()).decode().rstrip("=")


def forgeries(token):
    header, payload, signature = token.split(".")
    claims = json.loads(base64.urlsafe_b64decode(payload + "=="))
    other = rsa.generate_private_key(65537, 2048)
    kid = jwt.get_unverified_header(token)["kid"]
    return {
        "tampered": f"{header}.{segment(claims | {'admin': True})}.{signature}",
        "foreign": jwt.encode(claims, other, "RS256", headers={"kid": kid}),
        "cut": token[:-20],
        "no signature": f"{header}.{payload}.",
        "none with signature": f"{segment({'alg': 'none'})}.{payload}.{signature}",
        "unknown key": jwt.encode(claims, other, "RS256", headers={"kid": "nobody"}),
        "two parts": f"{header}.{payload}",
    }


def test_forged_tokens_are_refused(hearth, session):
    for name, token in forgeries(session["idToken"]).items():
        reply = hearth.post(
            "/identitytoolkit.googleapis.com/v1/accounts:lookup?key=any", {"idToken": token}
        )
        assert reply.json()["error"]["message"] == "INVALID_ID_TOKEN", name


def test_rotation_keeps_old_tokens_good(hearth, session):
    rotated = hearth.post("/emulator/v1/keys:rotate").json()["kid"]
    fresh = hearth.accounts("signUp", {})["idToken"]
    assert jwt.get_unverified_header(fresh)["kid"] == rotated
    client = jwt.PyJWKClient(hearth.auth + "/.well-known/jwks.json")
    for token in (session["idToken"], fresh):
        assert verify(token, client.get_signing_key_from_jwt(token).key)
        assert hearth.accounts("lookup", {"idToken": token})["users"]


def test_unsigned_doors_mint_what_the_official_emulator_mints():
    server = Server("--unsigned-auth-port", "0")
    signed = server.accounts("signUp", {})["idToken"]
    assert jwt.get_unverified_header(signed)["alg"] == "RS256"
    path = "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any"
    token = requests.post(server.addresses["unsigned"] + path, json={}, timeout=30).json()[
        "idToken"
    ]
    header, _, signature = token.split(".")
    assert base64.urlsafe_b64decode(header + "==") == b'{"alg":"none","typ":"JWT"}'
    assert signature == ""
    assert server.accounts("lookup", {"idToken": token})["users"]
    server.stop()

    unsigned = Server("--tokens", "none")
    assert unsigned.accounts("signUp", {})["idToken"].endswith(".")
    unsigned.stop()


def test_production_refuses_unsigned_tokens_where_signed_ones_are_issued():
    server = Server("--profile", "production", "--unsigned-auth-port", "0")
    path = "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any"
    token = requests.post(server.addresses["unsigned"] + path, json={}, timeout=30).json()[
        "idToken"
    ]
    reply = server.post(
        "/identitytoolkit.googleapis.com/v1/accounts:lookup?key=any", {"idToken": token}
    )
    assert reply.json()["error"]["message"] == "INVALID_ID_TOKEN"
    server.stop()
