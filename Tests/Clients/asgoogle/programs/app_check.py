"""App Check of the Admin SDK for Python with a key file, as on a server."""

import firebase_admin
import google.auth.transport.requests
import jwt
import requests
from common import CONTROL, PROJECT, clock, done, refused
from firebase_admin import app_check
from google.oauth2 import id_token

APP = "1:448618578101:web:cc6c1dc7a65cc83c"
EXCHANGES = f"https://content-firebaseappcheck.googleapis.com/v1/projects/{PROJECT}/apps/{APP}"

firebase_admin.initialize_app()


def token(project: str = PROJECT, **more) -> str:
    reply = requests.post(
        f"{EXCHANGES.replace(PROJECT, project)}:exchangeRecaptchaV3Token?key=AIza-a-web-key",
        json={"recaptcha_v3_token": "from a page"} | more,
        timeout=30,
    )
    assert reply.status_code == 200, reply.text
    assert reply.headers["x-hearth"] == "as-google"
    return reply.json()["token"]


good = token()
claims = app_check.verify_token(good)
assert claims["app_id"] == claims["sub"] == APP
assert f"projects/{PROJECT}" in claims["aud"]

# The keys are where libraries have the address built in.
keys = jwt.PyJWKClient("https://firebaseappcheck.googleapis.com/v1/jwks")
jwt.decode(
    good,
    keys.get_signing_key_from_jwt(good).key,
    algorithms=["RS256"],
    audience=f"projects/{PROJECT}",
    issuer="https://firebaseappcheck.googleapis.com/448618578101",
)

# The library of Google's own back ends knows keys in this form, too.
decoded = id_token.verify_token(
    good,
    google.auth.transport.requests.Request(),
    audience=f"projects/{PROJECT}",
    certs_url="https://firebaseappcheck.googleapis.com/v1/jwks",
)
assert decoded["sub"] == APP

# A token that is to be used once.
once = token(limited_use=True)
assert app_check.verify_token(once, consume=True)["already_consumed"] is False
assert app_check.verify_token(once, consume=True)["already_consumed"] is True
assert app_check.verify_token(good, consume=True)["already_consumed"] is False

# Tokens that are not what they say.
head, body, signature = good.split(".")
with refused(ValueError):
    app_check.verify_token(f"{head}.{body}.{signature[:-10]}{'A' * 10}")
with clock("-P1D"):
    old = token()
with refused(ValueError):
    app_check.verify_token(old)

for wrong in (token(project="demo-another"), "no token", "a.b.c", f"{head}.{body}.", ""):
    with refused(ValueError):
        app_check.verify_token(wrong)
for wrong in (once, good):
    bad = f"{wrong[:-10]}{'A' * 10}"
    with refused(ValueError):
        app_check.verify_token(bad, consume=True)

# Under enforcement the token opens Auth.
reply = requests.patch(f"{CONTROL}/switches", json={"appCheckAuth": "enforce"}, timeout=30)
assert reply.ok, reply.text
url = "https://identitytoolkit.googleapis.com/v1/accounts:signUp?key=AIza-a-web-key"
assert requests.post(url, json={}, timeout=30).status_code == 401
headers = {"X-Firebase-AppCheck": good}
assert requests.post(url, json={}, headers=headers, timeout=30).status_code == 200

done()
