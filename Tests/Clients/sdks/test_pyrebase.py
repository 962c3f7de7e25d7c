"""Pyrebase calls the legacy v3 paths of www.googleapis.com, as iOS does."""

import pyrebase
import pytest
import requests
from requests.adapters import HTTPAdapter

GOOGLE = (
    "https://www.googleapis.com",
    "https://securetoken.googleapis.com",
    "https://identitytoolkit.googleapis.com",
)


class Redirect(HTTPAdapter):
    """Sends what is meant for Google to the emulator, with the host as first path segment."""

    def __init__(self, target):
        super().__init__()
        self.target = target

    def send(self, request, **options):
        request.url = request.url.replace("https://", self.target + "/", 1)
        request.headers["Host"] = self.target.removeprefix("http://")
        return super().send(request, **options)


@pytest.fixture
def client(hearth, monkeypatch):
    def session():
        session = requests.Session()
        for url in GOOGLE:
            session.mount(url, Redirect(hearth.auth))
        return session

    shared = session()
    for name in ("get", "post"):
        monkeypatch.setattr(requests, name, getattr(shared, name))
    return pyrebase.initialize_app(
        {"apiKey": "any", "authDomain": "x", "databaseURL": "https://x", "storageBucket": "x"}
    ).auth()


def test_a_forgotten_password_is_reset(client, hearth, address):
    created = client.create_user_with_email_and_password(address, "old secret")
    assert created["email"] == address
    before = client.sign_in_with_email_and_password(address, "old secret")
    info = client.get_account_info(before["idToken"])
    assert info["users"][0]["email"] == address

    client.send_password_reset_email(address)
    mail = hearth.mail(address, "PASSWORD_RESET")
    assert mail["oobCode"] in mail["oobLink"] and mail["oobLink"] in mail["text"]
    client.verify_password_reset_code(mail["oobCode"], "new secret")

    after = client.sign_in_with_email_and_password(address, "new secret")
    assert after["localId"] == created["localId"]
    with pytest.raises(requests.HTTPError, match="INVALID_PASSWORD"):
        client.sign_in_with_email_and_password(address, "old secret")
    with pytest.raises(requests.HTTPError, match="TOKEN_EXPIRED"):
        client.refresh(before["refreshToken"])
    assert client.refresh(after["refreshToken"])["userId"] == created["localId"]
    with pytest.raises(requests.HTTPError, match="INVALID_OOB_CODE"):
        client.verify_password_reset_code(mail["oobCode"], "third secret")


def test_anonymous_and_gone(client):
    user = client.sign_in_anonymous()
    client.delete_user_account(user["idToken"])
    with pytest.raises(requests.HTTPError, match="USER_NOT_FOUND"):
        client.get_account_info(user["idToken"])
