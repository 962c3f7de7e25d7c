"""python-social-auth signs in: at OpenID Connect by its setting alone, at the others by their addresses."""

import time

import pytest
from identity_providers.conftest import BACK
from social_core.backends.github import GithubOAuth2
from social_core.backends.google import GoogleOAuth2
from social_core.backends.open_id_connect import OpenIdConnectAuth
from social_core.storage import AssociationMixin, BaseStorage, NonceMixin, UserMixin
from social_core.strategy import BaseStrategy


class Association(AssociationMixin):
    """What was kept of the nonces of ID tokens."""

    kept: dict = {}

    def __init__(self, association):
        vars(self).update({**vars(association), "id": association.handle})

    def is_expired(self) -> bool:
        return self.issued + self.lifetime < time.time()

    @classmethod
    def store(cls, server_url, association):
        cls.kept[server_url, association.handle] = cls(association)

    @classmethod
    def get(cls, server_url=None, handle=None):
        return [found for found in [cls.kept.get((server_url, handle))] if found]

    @classmethod
    def remove(cls, ids_to_delete):
        cls.kept = {key: each for key, each in cls.kept.items() if each.id not in ids_to_delete}


class Nonce(NonceMixin):
    @classmethod
    def use(cls, server_url, timestamp, salt):
        return True

    consume = use


class Storage(BaseStorage):
    association, nonce, user = Association, Nonce, UserMixin


class Strategy(BaseStrategy):
    """A web application with one visitor."""

    def __init__(self, settings: dict):
        super().__init__(storage=Storage)
        self.settings, self.session, self.data = settings, {}, {}

    def get_setting(self, name):
        return self.settings[name]

    def request_data(self, merge=True):
        return self.data

    def build_absolute_uri(self, path=None):
        return path

    def redirect(self, url):
        return url

    def session_get(self, name, default=None):
        return self.session.get(name, default)

    def session_set(self, name, value):
        self.session[name] = value

    def session_pop(self, name):
        return self.session.pop(name, None)

    def authenticate(self, backend, *_, response, **__):
        return backend.get_user_details(response)


def sign_in(providers, backend: type, settings: dict, persona: str = "ada") -> dict:
    strategy = Strategy(settings)
    client = backend(strategy, redirect_uri=BACK)
    strategy.data = providers.sign_in(persona, authorizationUrl=client.start())["fields"]
    client.data = strategy.data
    return client.auth_complete()


def test_openid_connect(providers):
    issuer = providers.address("oidc", "").rstrip("/")
    settings = {
        "SOCIAL_AUTH_OIDC_OIDC_ENDPOINT": issuer,
        "SOCIAL_AUTH_OIDC_KEY": "web",
        "SOCIAL_AUTH_OIDC_SECRET": "s",
    }
    told = sign_in(providers, OpenIdConnectAuth, settings)
    assert (told["username"], told["email"]) == ("ada", "ada@example.com")
    assert told["fullname"] == "Ada Otter"


@pytest.mark.parametrize(("backend", "name"), [(GoogleOAuth2, "google"), (GithubOAuth2, "github")])
def test_a_provider_at_its_addresses(providers, backend, name):
    class Local(backend):
        AUTHORIZATION_URL = providers.address(name, "authorize")
        ACCESS_TOKEN_URL = providers.address(name, "token")

        def user_data(self, access_token, *_, **__):
            endpoint = "userinfo" if name == "google" else "me"
            return self.get_json(
                providers.address(name, endpoint),
                headers={"Authorization": f"Bearer {access_token}"},
            )

    place = "GOOGLE_OAUTH2" if name == "google" else "GITHUB"
    settings = {f"SOCIAL_AUTH_{place}_KEY": "web", f"SOCIAL_AUTH_{place}_SECRET": "s"}
    told = sign_in(providers, Local, settings)
    assert (told["username"], told["email"]) == ("ada", "ada@example.com")
