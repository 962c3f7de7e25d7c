"""accounts:revokeToken, as Auth.revokeToken of the SDKs sends it, and Apple's own endpoint."""

import json
from urllib.parse import urlencode

import pytest
import requests
from identity_providers.conftest import BACK
from identity_providers.test_firebase import sign_in
from identity_providers.test_personalities import apple_code, redeem, secret


@pytest.fixture
def apple(providers):
    """Ada's tokens at Apple, and her session here."""
    tokens = redeem(
        providers, "apple", apple_code(providers), client_secret=secret(providers)
    ).json()
    session = sign_in(providers, providerId="apple.com", id_token=tokens["id_token"])
    return tokens | {"idToken": session["idToken"], "session": session}


def revoke(providers, apple: dict, token: str, kind, provider: str = "apple.com", status=200):
    reply = requests.post(
        f"{providers.auth}/identitytoolkit.googleapis.com/v2/accounts:revokeToken?key=any",
        json={
            "providerId": provider,
            "tokenType": kind,
            "token": token,
            "idToken": apple["idToken"],
        },
        timeout=30,
    )
    assert reply.status_code == status, reply.text
    return reply.json()


def refresh(providers, apple: dict, status: int) -> dict:
    return redeem(
        providers,
        "apple",
        "",
        status,
        grant_type="refresh_token",
        refresh_token=apple["refresh_token"],
        client_secret=secret(providers),
    ).json()


def holder(providers, apple: dict) -> int:
    return requests.get(
        providers.address("apple", "userinfo"),
        headers={"Authorization": f"Bearer {apple['access_token']}"},
        timeout=30,
    ).status_code


def test_a_code_takes_back_all_that_the_app_has(providers, apple):
    """The SDK for iOS has a fresh code in hand, and sends the type as a number or its text."""
    for kind in (3, "3", "CODE"):
        refresh(providers, apple, 200)
        text = apple_code(providers)
        assert revoke(providers, apple, text, kind) == {}
        assert refresh(providers, apple, 400)["error"] == "invalid_grant"
        assert holder(providers, apple) == 401
        refused = redeem(providers, "apple", text, 400, client_secret=secret(providers)).json()
        assert refused["error"] == "invalid_grant"
        apple |= redeem(
            providers, "apple", apple_code(providers), client_secret=secret(providers)
        ).json()


@pytest.mark.parametrize(
    ("member", "kind"), [("refresh_token", "REFRESH_TOKEN"), ("access_token", "ACCESS_TOKEN")]
)
def test_tokens_are_taken_back_too(providers, apple, member, kind):
    revoke(providers, apple, apple[member], kind)
    assert refresh(providers, apple, 400)["error"] == "invalid_grant"
    assert holder(providers, apple) == 401
    # Apple tells the name again.
    query = {"client_id": "web", "redirect_uri": BACK, "response_type": "code", "scope": "name"}
    address = f"{providers.address('apple', 'authorize')}?{urlencode(query)}"
    made = providers.sign_in("ada", authorizationUrl=address + "&response_mode=form_post")
    assert json.loads(made["fields"]["user"])["name"]["firstName"] == "Ada"


def test_the_users_session_lives_on(providers, apple):
    revoke(providers, apple, apple["refresh_token"], "REFRESH_TOKEN")
    reply = requests.post(
        f"{providers.auth}/securetoken.googleapis.com/v1/token?key=any",
        data={"grant_type": "refresh_token", "refresh_token": apple["session"]["refreshToken"]},
        timeout=30,
    )
    assert reply.status_code == 200, reply.text


def test_what_is_not_a_token_of_that_kind_changes_nothing(providers, apple):
    assert revoke(providers, apple, apple["refresh_token"], "ACCESS_TOKEN") == {}
    assert revoke(providers, apple, "unknown", "REFRESH_TOKEN") == {}
    google = providers.sign_in("ada", provider="google.com")
    assert revoke(providers, apple, google["accessToken"], "ACCESS_TOKEN") == {}
    refresh(providers, apple, 200)
    info = requests.get(
        providers.address("google", "userinfo"),
        headers={"Authorization": f"Bearer {google['accessToken']}"},
        timeout=30,
    )
    assert info.status_code == 200


def test_other_people_and_clients_keep_theirs(providers, apple):
    providers.put("/personas/zoe", {"email": "zoe@example.com"})
    others = [
        providers.sign_in("zoe", provider="apple.com", clientId="web"),
        providers.sign_in("ada", provider="apple.com", clientId="another"),
    ]
    revoke(providers, apple, apple["refresh_token"], "REFRESH_TOKEN")
    for other in others:
        assert holder(providers, {"access_token": other["accessToken"]}) == 200


def test_apples_own_endpoint_asks_who_the_client_is(providers, apple):
    def ask(client: str, **form) -> requests.Response:
        proof = secret(providers, sub=client)
        data = {"client_id": client, "client_secret": proof} | form
        return requests.post(providers.address("apple", "revoke"), data=data, timeout=30)

    token = {"token": apple["refresh_token"], "token_type_hint": "refresh_token"}
    nobody = ask("web", client_secret="none", **token)
    assert (nobody.status_code, nobody.json()["error"]) == (400, "invalid_client")
    other = ask("another", **token)
    assert (other.status_code, other.json()["error"]) == (400, "invalid_grant")
    assert ask("web").json()["error"] == "invalid_request"
    refresh(providers, apple, 200)
    second = redeem(
        providers, "apple", apple_code(providers), client_secret=secret(providers)
    ).json()
    done = ask("web", token=second["access_token"], token_type_hint="access_token")
    assert (done.status_code, done.text) == (200, "")
    assert refresh(providers, apple, 400)["error"] == "invalid_grant"
