"""Libraries that verify JSON Web Tokens with the keys at Google's addresses."""

import jwt
import requests
from common import PROJECT, done, expired, foreign, refused, sign_up, tampered
from jose import jwt as jose
from jose.exceptions import JWTError

KEYS = (
    "https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com",
    "https://www.googleapis.com/robot/v1/metadata/jwk/securetoken@system.gserviceaccount.com",
)
CERTIFICATES = (
    "https://www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com"
)
ISSUER = f"https://securetoken.google.com/{PROJECT}"


def by_pyjwt(token: str) -> None:
    for url in KEYS:
        key = jwt.PyJWKClient(url).get_signing_key_from_jwt(token)
        jwt.decode(token, key.key, algorithms=["RS256"], audience=PROJECT, issuer=ISSUER)


def by_jose(token: str) -> None:
    for url in (KEYS[0], CERTIFICATES):
        keys = requests.get(url, timeout=30).json()
        jose.decode(token, keys, algorithms=["RS256"], audience=PROJECT, issuer=ISSUER)


document = requests.get(f"{ISSUER}/.well-known/openid-configuration", timeout=30).json()
assert (document["issuer"], document["jwks_uri"]) == (ISSUER, KEYS[0]), document
good = sign_up()["idToken"]
bad = (tampered(good), foreign(good), expired())
for verify in (by_pyjwt, by_jose):
    verify(good)
    for token in bad:
        with refused(jwt.InvalidTokenError, JWTError):
            verify(token)
done()
