"""Libraries whose addresses nobody can set: MSAL, and google-auth's verify_oauth2_token."""

import hashlib
import json
import os
import re
from urllib.parse import parse_qs, urlsplit

import jwt
import msal
import requests
from authlib.integrations.requests_client import OAuth1Session
from common import CONTROL
from google.auth.transport.requests import Request
from google.oauth2 import id_token

BACK = "http://localhost:9/callback"


def press(address: str, persona: str) -> dict:
    """What comes back after somebody was chosen on a provider's page."""
    with requests.Session() as browser:
        page = browser.get(address, timeout=30)
        assert page.status_code == 200, page.text
        fields = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', page.text)
        form = {name: value.replace("&amp;", "&") for name, value in fields}
        action = re.search(r'action="([^"]*)"', page.text)[1]
        reply = browser.post(action, data=form | {"persona": persona}, allow_redirects=False)
    parts = urlsplit(reply.headers["Location"])
    return {name: values[0] for name, values in parse_qs(parts.query).items()}


def microsoft() -> None:
    app = msal.ConfidentialClientApplication("client", client_credential="secret")
    flow = app.initiate_auth_code_flow(["User.Read"], redirect_uri=BACK)
    assert flow["auth_uri"].startswith("https://login.microsoftonline.com/common/")
    token = app.acquire_token_by_auth_code_flow(flow, press(flow["auth_uri"], "ada"))
    assert "error" not in token, token
    assert token["id_token_claims"]["preferred_username"] == "ada@example.com"
    assert app.acquire_token_silent(["User.Read"], app.get_accounts()[0])["access_token"]
    keys = jwt.PyJWKClient("https://login.microsoftonline.com/common/discovery/v2.0/keys")
    told = jwt.decode(
        token["access_token"],
        keys.get_signing_key_from_jwt(token["access_token"]).key,
        algorithms=["RS256"],
        audience="00000003-0000-0000-c000-000000000000",
        issuer=token["id_token_claims"]["iss"],
    )
    assert told["iss"] == f"https://login.microsoftonline.com/{told['tid']}/v2.0"
    assert "User.Read" in told["scp"].split()
    me = requests.get(
        "https://graph.microsoft.com/v1.0/me",
        headers={"Authorization": f"Bearer {token['access_token']}"},
        timeout=30,
    )
    assert me.json()["displayName"] == "Ada Otter", me.text


def google() -> None:
    discovery = requests.get(
        "https://accounts.google.com/.well-known/openid-configuration", timeout=30
    ).json()
    assert discovery["issuer"] == "https://accounts.google.com"
    query = f"?client_id=web&redirect_uri={BACK}&response_type=code&scope=openid+email"
    answer = press(discovery["authorization_endpoint"] + query, "ada")
    token = requests.post(
        discovery["token_endpoint"],
        data={
            "grant_type": "authorization_code",
            "code": answer["code"],
            "client_id": "web",
            "redirect_uri": BACK,
        },
        timeout=30,
    ).json()
    told = id_token.verify_oauth2_token(token["id_token"], Request(), "web")
    assert told["email"] == "ada@example.com"
    person = requests.get(
        discovery["userinfo_endpoint"],
        headers={"Authorization": f"Bearer {token['access_token']}"},
        timeout=30,
    ).json()
    assert person["sub"] == told["sub"]


def others() -> None:
    assert requests.get("https://github.com/a/b.git/info/refs", timeout=30).status_code == 501
    query = f"?client_id=web&redirect_uri={BACK}&scope=user:email"
    address = "https://github.com/login/oauth/authorize" + query + "&response_type=code"
    answer = press(address, "grace")
    token = requests.post(
        "https://github.com/login/oauth/access_token",
        data={"client_id": "web", "code": answer["code"], "redirect_uri": BACK},
        headers={"Accept": "application/json"},
        timeout=30,
    ).json()
    user = requests.get(
        "https://api.github.com/user",
        headers={"Authorization": f"Bearer {token['access_token']}"},
        timeout=30,
    ).json()
    assert user["login"] == "grace", user
    keys = requests.get("https://appleid.apple.com/auth/keys", timeout=30).json()
    assert keys["keys"][0]["alg"] == "RS256"


def x() -> None:
    """OAuth 1.0a signs the address, which has to be the one that the client has called."""
    client = {"clientId": "key", "clientSecret": "secret", "redirectUris": [BACK]}
    settings = f"{CONTROL}/identityProviders/x"
    reply = requests.put(settings, json={"clients": [client]}, timeout=30)
    assert reply.status_code == 200, reply.text
    for host in ("https://api.x.com", "https://api.twitter.com"):
        session = OAuth1Session("key", client_secret="secret", redirect_uri=BACK)
        session.fetch_request_token(f"{host}/oauth/request_token")
        answer = press(session.create_authorization_url(f"{host}/oauth/authorize"), "ada")
        session.fetch_access_token(f"{host}/oauth/access_token", answer["oauth_verifier"])
        user = session.get(f"{host}/1.1/account/verify_credentials.json").json()
        assert user["screen_name"] == "ada", user
    assert requests.put(settings, json={}, timeout=30).status_code == 200


def limited_login() -> None:
    host = "https://limited.facebook.com"
    query = (
        "?client_id=1234&redirect_uri=fb1234://authorize&scope=openid,email"
        f"&response_type=id_token,graph_domain&nonce={hashlib.sha256(b'raw').hexdigest()}"
    )
    reply = requests.post(
        f"{CONTROL}/personas/ada:signIn",
        json={"authorizationUrl": f"{host}/v17.0/dialog/oauth{query}"},
        timeout=30,
    )
    token = reply.json()["fields"]["id_token"]
    keys = requests.get(f"{host}/.well-known/oauth/openid/jwks/", timeout=30).json()
    key = jwt.PyJWKSet.from_dict(keys)[jwt.get_unverified_header(token)["kid"]]
    issuer = "https://www.facebook.com"
    told = jwt.decode(token, key, algorithms=["RS256"], audience="1234", issuer=issuer)
    assert told["email"] == "ada@example.com", told


for step in (microsoft, google, others, x, limited_login):
    step()
assert os.environ.get("HEARTH_AS_GOOGLE") == "1"
print(json.dumps({"done": True}))
