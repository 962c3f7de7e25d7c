"""Users, and every kind of sign-in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from hearth_emulator._http import HearthError
from hearth_emulator._models import Account, Raw, Session
from hearth_emulator._project import Project


class SecondFactorRequired(HearthError):
    """The password is right, and a second factor is asked for."""

    def __init__(self, answer: Raw):
        super().__init__("SECOND_FACTOR_REQUIRED", "a second factor is required")
        self.pending_credential: str = answer["mfaPendingCredential"]
        #: The factors of the user, as the server lists them.
        self.factors: list[Raw] = answer.get("mfaInfo", [])


def session_of(answer: Raw) -> Session:
    """The session in the answer to a sign-in."""
    if "mfaPendingCredential" in answer:
        raise SecondFactorRequired(answer)
    session = Session("", answer["idToken"], answer["refreshToken"], answer)
    local_id = answer.get("localId") or session.claims["user_id"]
    return Session(local_id, session.id_token, session.refresh_token, answer)


class Accounts(Project):
    """Accounts, sign-ins, claims."""

    def create_user(
        self,
        email: str | None = None,
        password: str | None = None,
        *,
        local_id: str | None = None,
        display_name: str | None = None,
        phone_number: str | None = None,
        email_verified: bool = False,
        disabled: bool = False,
        claims: Mapping[str, Any] | None = None,
    ) -> str:
        """Creates a user as an administrator would, and returns the user's id."""
        created = self._admin(
            "accounts",
            {
                "email": email,
                "password": password,
                "localId": local_id,
                "displayName": display_name,
                "phoneNumber": phone_number,
                "emailVerified": email_verified,
                "disabled": disabled,
            },
        )
        if claims is not None:
            self.set_claims(created["localId"], claims)
        return str(created["localId"])

    def set_claims(self, local_id: str, claims: Mapping[str, Any]) -> None:
        """Replaces the custom claims of a user. New ID tokens have them."""
        self._admin(
            "accounts:update", {"localId": local_id, "customAttributes": json.dumps(claims)}
        )

    def update_user(self, local_id: str, **changes: Any) -> None:
        """Changes a user as an administrator would; the API's names: `disableUser=True`."""
        self._admin("accounts:update", {"localId": local_id, **changes})

    def delete_user(self, local_id: str) -> None:
        self._admin("accounts:delete", {"localId": local_id})

    def delete_all_accounts(self) -> None:
        """Deletes all accounts of the project; its mails and switches stay."""
        self._control("DELETE", "/accounts")

    def users(self, search: str | None = None, limit: int = 1000) -> list[Account]:
        """The users of the project; `search` is a part of uid, address, number or name."""
        found = self._control("GET", "/accounts", query={"q": search, "limit": limit})
        return [Account.of(one) for one in found.get("userInfo", [])]

    def user(self, email: str) -> Account | None:
        """The account with that address, as an administrator finds it."""
        found = self._admin("accounts:lookup", {"email": [email]}).get("users", [])
        return Account.of(found[0]) if found else None

    def lookup(self, session: Session) -> Account:
        """The account of a session, as its owner sees it."""
        found = self._auth(":lookup", {"idToken": session.id_token}).get("users", [])
        if not found:
            raise HearthError("USER_NOT_FOUND", "USER_NOT_FOUND")
        return Account.of(found[0])

    def sign_up(self, email: str, password: str) -> Session:
        return session_of(
            self._auth(":signUp", {"email": email, "password": password, "returnSecureToken": True})
        )

    def sign_in(self, email: str, password: str) -> Session:
        """Signs in with a password; raises `SecondFactorRequired` where one is enrolled."""
        return session_of(
            self._auth(
                ":signInWithPassword",
                {"email": email, "password": password, "returnSecureToken": True},
            )
        )

    def sign_in_anonymously(self) -> Session:
        return session_of(self._auth(":signUp", {"returnSecureToken": True}))

    def sign_in_with_email_link(self, email: str, code: str) -> Session:
        """Signs in with the code of the mail that `send_oob_code("EMAIL_SIGNIN", …)` sends."""
        return session_of(self._auth(":signInWithEmailLink", {"email": email, "oobCode": code}))

    def sign_in_with_custom_token(self, token: str) -> Session:
        """Signs in with a custom token: one of an Admin SDK, or of `custom_token`."""
        return session_of(
            self._auth(":signInWithCustomToken", {"token": token, "returnSecureToken": True})
        )

    def put_persona(self, name: str, **persona: Any) -> None:
        """Lets the identity providers know somebody: `email`, `displayName`, `groups`, `denies` …"""
        self._control("PUT", f"/personas/{name}", persona)

    def sign_in_with_persona(self, name: str, provider: str = "google.com") -> Session:
        """Signs in as a persona, with tokens that a provider of Hearth's has signed."""
        tokens = self._control("POST", f"/personas/{name}:signIn", {"provider": provider})
        kind = "id_token" if tokens.get("idToken") else "access_token"
        token = tokens.get("idToken") or tokens["accessToken"]
        fields = {kind: token, "providerId": tokens["providerId"]}
        if "tokenSecret" in tokens:
            fields["oauth_token_secret"] = tokens["tokenSecret"]
        body = urlencode(fields)
        return session_of(
            self._auth(
                ":signInWithIdp",
                {"requestUri": "http://localhost", "postBody": body, "returnSecureToken": True},
            )
        )

    def sign_in_with_provider(
        self, provider: str, claims: Mapping[str, Any], **more: Any
    ) -> Session:
        """Signs in as a user of `google.com`, `apple.com` …; `claims` has `sub`, and often `email`."""
        body = urlencode({"id_token": json.dumps(claims), "providerId": provider})
        return session_of(
            self._auth(
                ":signInWithIdp",
                {
                    "requestUri": "http://localhost",
                    "postBody": body,
                    "returnSecureToken": True,
                    "returnIdpCredential": True,
                    **more,
                },
            )
        )

    def refresh(self, session: Session) -> Session:
        """A new ID token for the refresh token of the session."""
        fresh = self.connection.call(
            "POST",
            "/securetoken.googleapis.com/v1/token",
            {"grant_type": "refresh_token", "refresh_token": session.refresh_token},
            query={"key": self.api_key},
        )
        return Session(fresh["user_id"], fresh["id_token"], fresh["refresh_token"], fresh)

    def act_as(self, local_id: str, claims: Mapping[str, Any] | None = None) -> Session:
        """A session of a user without a sign-in. `claims` are in its ID token only."""
        body = {"localId": local_id, **({} if claims is None else {"claims": claims})}
        answer = self._control("POST", "/accounts:actAs", body)
        return Session(local_id, answer["idToken"], answer["refreshToken"], answer)


def custom_token(local_id: str, claims: Mapping[str, Any] | None = None) -> str:
    """An unsigned custom token, which is good unless the switch `acceptUnsignedTokens` is off."""
    return json.dumps({"uid": local_id, **({} if claims is None else {"claims": claims})})
