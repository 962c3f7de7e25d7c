"""google-auth: each kind of credential that it finds by itself, and its verifier."""

import json
import os
import tempfile

import google.auth
import google.auth.exceptions
import requests
from common import (
    IDENTITY,
    PROJECT,
    account,
    done,
    expired,
    foreign,
    key,
    refused,
    sign_up,
    tampered,
)
from google.auth import compute_engine, impersonated_credentials
from google.auth.transport.requests import AuthorizedSession, Request
from google.oauth2 import id_token, service_account

SCOPE = "https://www.googleapis.com/auth/cloud-platform"
USERS = f"{IDENTITY}/projects/{PROJECT}/accounts:batchGet"


def works(credentials) -> None:
    reply = AuthorizedSession(credentials).get(USERS, timeout=30)
    assert reply.status_code == 200, reply.text


def file(content: dict) -> str:
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as opened:
        json.dump(content, opened)
    return opened.name


# A service account's key.
credentials, project = google.auth.default(scopes=[SCOPE])
assert project == PROJECT
works(credentials)
with refused(google.auth.exceptions.RefreshError):
    works(
        service_account.Credentials.from_service_account_info(
            account() | {"private_key": key()}, scopes=[SCOPE]
        )
    )
made = service_account.IDTokenCredentials.from_service_account_info(
    account(), target_audience="https://service.example.com"
)
made.refresh(Request())
assert id_token.verify_oauth2_token(made.token, Request(), "https://service.example.com")

# Impersonation.
works(
    impersonated_credentials.Credentials(
        credentials, account()["client_email"], target_scopes=[SCOPE]
    )
)

# Workload identity.
subject = file({})
with open(subject, "w") as opened:
    opened.write(sign_up()["idToken"])
external, _ = google.auth.load_credentials_from_file(
    file(
        {
            "type": "external_account",
            "audience": "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q",
            "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
            "token_url": "https://sts.googleapis.com/v1/token",
            "credential_source": {"file": subject},
            "service_account_impersonation_url": "https://iamcredentials.googleapis.com/v1/projects/-/"
            f"serviceAccounts/{account()['client_email']}:generateAccessToken",
        }
    ),
    scopes=[SCOPE],
)
works(external)

# A person's log-in: only Hearth's own is accepted.
with refused(google.auth.exceptions.RefreshError):
    person, _ = google.auth.load_credentials_from_file(
        file(
            {
                "type": "authorized_user",
                "client_id": "c",
                "client_secret": "s",
                "refresh_token": "1//a-real-one",
            }
        ),
        scopes=[SCOPE],
    )
    works(person)

# The metadata server, without any file.
os.environ.pop("GOOGLE_APPLICATION_CREDENTIALS")
machine = compute_engine.Credentials(scopes=[SCOPE])
works(machine)
found, project = google.auth.default(scopes=[SCOPE])
assert isinstance(found, compute_engine.Credentials) and project == PROJECT
for name in ("metadata.google.internal", "169.254.169.254"):
    flavor = {"Metadata-Flavor": "Google"}
    url = f"http://{name}/computeMetadata/v1/project/project-id"
    assert requests.get(url, headers=flavor, timeout=30).text == PROJECT

# ID tokens.
good = sign_up()["idToken"]
assert id_token.verify_firebase_token(good, Request(), audience=PROJECT)
for bad in (tampered(good), foreign(good), expired()):
    with refused(ValueError, google.auth.exceptions.GoogleAuthError):
        id_token.verify_firebase_token(bad, Request(), audience=PROJECT)
done()
