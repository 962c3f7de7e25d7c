"""google-auth, unmodified, gets its tokens from Hearth: a key file, a person's credentials, workload
identity, and the metadata server."""

import json
import os
import stat
import subprocess

import google.auth.transport.requests
import pytest
import requests
from google.auth import compute_engine, impersonated_credentials
from google.auth.compute_engine import _metadata
from google.auth.exceptions import RefreshError
from google.auth.identity_pool import Credentials as IdentityPool
from google.oauth2 import id_token, service_account
from google.oauth2.credentials import Credentials as Person
from support.server import PROJECT, Server, binary

SCOPES = ["https://www.googleapis.com/auth/cloud-platform"]


def create(path, *flags: str) -> dict:
    subprocess.run(
        [binary(), "service-account", "create", "--output", str(path), *flags],
        check=True,
        timeout=60,
    )
    return json.loads(path.read_text())


@pytest.fixture(scope="module")
def key(tmp_path_factory):
    path = tmp_path_factory.mktemp("key") / "key.json"
    create(path, "--project", PROJECT)
    return path


@pytest.fixture(scope="module")
def server(key):
    server = Server("--service-account", str(key))
    yield server
    server.stop()


@pytest.fixture
def info(key, server):
    return {
        **json.loads(key.read_text()),
        "token_uri": server.auth + "/oauth2.googleapis.com/token",
    }


def is_owner(server: Server, token: str) -> bool:
    """Whether the token lists accounts, and is known to have been issued."""
    reply = requests.get(
        f"{server.auth}/identitytoolkit.googleapis.com/v1/projects/{PROJECT}/accounts:batchGet",
        headers={"Authorization": f"Bearer {token}"},
        timeout=30,
    )
    known = requests.get(
        f"{server.auth}/oauth2.googleapis.com/tokeninfo", params={"access_token": token}, timeout=30
    )
    return reply.status_code == 200 and known.status_code == 200


def refreshed(credentials):
    credentials.refresh(google.auth.transport.requests.Request())
    return credentials


def test_the_file_is_private_and_is_not_overwritten(key):
    assert stat.S_IMODE(os.stat(key).st_mode) == 0o600
    again = subprocess.run(
        [binary(), "service-account", "create", "--output", str(key)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert again.returncode == 1 and "exists" in again.stderr


def test_a_key_file_gets_an_access_token(server, info):
    credentials = service_account.Credentials.from_service_account_info(info, scopes=SCOPES)
    assert is_owner(server, refreshed(credentials).token)


def test_a_key_file_gets_an_id_token(server, info, key):
    credentials = service_account.IDTokenCredentials.from_service_account_info(
        info, target_audience="https://run.example"
    )
    token = refreshed(credentials).token
    claims = id_token.verify_token(
        token,
        google.auth.transport.requests.Request(),
        audience="https://run.example",
        certs_url=server.auth + "/www.googleapis.com/oauth2/v1/certs",
    )
    assert claims["email"] == info["client_email"]


def test_a_key_that_hearth_did_not_write_is_refused(server, tmp_path):
    other = create(
        tmp_path / "other.json",
        "--project",
        PROJECT,
        "--token-uri",
        server.auth + "/oauth2.googleapis.com/token",
    )
    credentials = service_account.Credentials.from_service_account_info(other, scopes=SCOPES)
    with pytest.raises(RefreshError, match="Hearth did not issue"):
        refreshed(credentials)


def test_a_person_who_signed_in_with_googles_tool(server, info, key, tmp_path):
    person = create(tmp_path / "adc.json", "--authorized-user", "--of", str(key))
    credentials = Person(
        None,
        refresh_token=person["refresh_token"],
        token_uri=info["token_uri"],
        client_id=person["client_id"],
        client_secret=person["client_secret"],
    )
    assert is_owner(server, refreshed(credentials).token)
    stranger = Person(
        None, refresh_token="1//real", token_uri=info["token_uri"], client_id="a", client_secret="b"
    )
    with pytest.raises(RefreshError):
        refreshed(stranger)


def test_impersonation_signs_and_gets_tokens(server, info):
    source = service_account.Credentials.from_service_account_info(info, scopes=SCOPES)
    base = server.auth + "/iamcredentials.googleapis.com/v1/projects/-/serviceAccounts"
    credentials = impersonated_credentials.Credentials(
        source,
        info["client_email"],
        SCOPES,
        lifetime=60,
        iam_endpoint_override=f"{base}/{info['client_email']}:generateAccessToken",
    )
    assert is_owner(server, refreshed(credentials).token)


def test_workload_identity(server, info, tmp_path):
    user = server.accounts("signUp", {"returnSecureToken": True})
    subject = tmp_path / "subject"
    subject.write_text(user["idToken"])

    def credentials():
        return IdentityPool(
            audience="//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/a",
            subject_token_type="urn:ietf:params:oauth:token-type:jwt",
            token_url=server.auth + "/sts.googleapis.com/v1/token",
            credential_source={"file": str(subject)},
            scopes=SCOPES,
        )

    assert is_owner(server, refreshed(credentials()).token)
    subject.write_text(user["idToken"][:-4] + "AAAA")
    with pytest.raises(Exception, match="cannot be verified"):
        refreshed(credentials())


def test_the_metadata_server(server, info, monkeypatch):
    root = f"{server.host}/metadata.google.internal"
    monkeypatch.setattr(
        _metadata,
        "_get_metadata_root",
        lambda *arguments, **named: f"http://{root}/computeMetadata/v1/",
    )
    credentials = refreshed(compute_engine.Credentials())
    assert credentials.service_account_email == info["client_email"]
    assert is_owner(server, credentials.token)
    assert _metadata.get_project_id(google.auth.transport.requests.Request()) == PROJECT
