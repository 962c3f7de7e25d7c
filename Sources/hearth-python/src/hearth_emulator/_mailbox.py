"""Mails and text messages: waiting for them, and for the codes and links in them."""

from __future__ import annotations

import base64
import hmac
from collections.abc import Iterable
from datetime import datetime, timezone
from typing import Any

from hearth_emulator._accounts import Accounts, SecondFactorRequired, session_of
from hearth_emulator._http import HearthError, wait_time
from hearth_emulator._models import Device, Mail, Request, Session

_SHOWN = 10


class Mailbox(Accounts):
    """The mailbox, and the calls that send mails and text messages or redeem their codes."""

    # Waiting

    def wait_for_mail(
        self,
        to: str | None = None,
        kind: str | None = None,
        *,
        within: float = 10,
        after: Mail | None = None,
        since: datetime | None = None,
        state: str = "pending",
        search: str | None = None,
    ) -> Mail:
        """The newest matching mail; waits for one if there is none.

        A mail whose code is used or has expired does not match, unless `state` is `any`. So the
        mail of an earlier test is not mistaken for the one of this test. When the time is over, the
        error lists what is in the mailbox instead.
        """
        query = _filter(to, kind, after, since, state, search)
        try:
            return Mail.of(
                self._control("GET", "/messages/latest", query={**query, "wait": wait_time(within)})
            )
        except HearthError as error:
            if error.http_status != 404:
                raise
            raise HearthError(error.code, f"{error.message}\n{self._seen_instead()}", 404) from None

    def wait_for_code(
        self, to: str | None = None, kind: str | None = None, *, within: float = 10, **more: Any
    ) -> str:
        """The code in the newest matching mail or text message that has one."""
        mail = self.wait_for_mail(to, kind, within=within, **_having("code", more))
        return str(mail.code)

    def wait_for_link(
        self, to: str | None = None, kind: str | None = None, *, within: float = 10, **more: Any
    ) -> str:
        """The link in the newest matching mail that has one."""
        mail = self.wait_for_mail(to, kind, within=within, **_having("link", more))
        return str(mail.link)

    def wait_for_push(
        self, to: str | None = None, *, within: float = 10, after: Mail | None = None, **more: Any
    ) -> Mail:
        """The newest push message to a token, `topic:name` or condition; waits for one."""
        return self.wait_for_mail(to, "PUSH", within=within, after=after, **more)

    def wait_for_sms(
        self, to: str | None = None, *, within: float = 10, after: Mail | None = None, **more: Any
    ) -> Mail:
        """The newest text message to a number whose code works; waits for one."""
        return self.wait_for_mail(to, "SMS", within=within, after=after, **more)

    def register_device(
        self,
        token: str | None = None,
        *,
        platform: str | None = None,
        state: str | None = None,
        topics: Iterable[str] | None = None,
        name: str | None = None,
        language: str | None = None,
    ) -> Device:
        """Registers a device for push messages, or changes the one with the token.

        `platform` is `android`, `ios` or `web`. `state` is what a send to it ends with: `registered`,
        `unregistered`, `senderIdMismatch`, `quotaExceeded`, `thirdPartyAuthError` …
        Localisation keys are shown in its `language`, such as `de`.
        """
        given = {
            "token": token,
            "platform": platform,
            "state": state,
            "topics": None if topics is None else list(topics),
            "name": name,
            "language": language,
        }
        body = {key: value for key, value in given.items() if value is not None}
        return Device.of(self._control("POST", "/devices", body))

    def _seen_instead(self) -> str:
        mails = self.mails()[-_SHOWN:]
        lines = [f"  {one.kind} to {one.to}, {one.state}: {one.subject}" for one in mails]
        if lines:
            said = [f"The newest mails of {self.project}:", *lines]
        else:
            said = [f"The mailbox of {self.project} is empty."]
        log = self._control("GET", "/requests", query={"status": "failed", "limit": 5})
        refused = [Request.of(one) for one in log["requests"]]
        if refused:
            said += ["Requests that were refused:", *(one.line for one in refused)]
        return "\n".join(said)

    # Looking

    def mails(
        self,
        to: str | None = None,
        kind: str | None = None,
        *,
        after: Mail | None = None,
        since: datetime | None = None,
        state: str = "any",
        search: str | None = None,
        limit: int = 1000,
    ) -> list[Mail]:
        """All matching mails, oldest first. `search` is such as `from:shop has:attachment`."""
        query = {**_filter(to, kind, after, since, state, search), "limit": limit}
        return [Mail.of(one) for one in self._control("GET", "/messages", query=query)["messages"]]

    def latest_mail(
        self,
        to: str | None = None,
        kind: str | None = None,
        *,
        state: str = "any",
        search: str | None = None,
    ) -> Mail | None:
        """The newest matching mail, at once; None when there is none."""
        query = _filter(to, kind, None, None, state, search)
        try:
            return Mail.of(self._control("GET", "/messages/latest", query=query))
        except HearthError as error:
            if error.http_status == 404:
                return None
            raise

    def delete_mails(self, search: str | None = None) -> None:
        self._control("DELETE", "/messages", query={"q": search})

    # Sending and redeeming

    def send_password_reset(self, email: str, *, locale: str | None = None) -> None:
        self.send_oob_code("PASSWORD_RESET", email, locale=locale)

    def send_oob_code(
        self,
        kind: str,
        email: str | None = None,
        *,
        session: Session | None = None,
        new_email: str | None = None,
        continue_url: str | None = None,
        locale: str | None = None,
    ) -> None:
        """Asks for a mail: `PASSWORD_RESET` and `EMAIL_SIGNIN` to `email`, `VERIFY_EMAIL` and
        `VERIFY_AND_CHANGE_EMAIL` for the user of a session."""
        self._auth(
            ":sendOobCode",
            {
                "requestType": kind,
                "email": email,
                "newEmail": new_email,
                "idToken": session.id_token if session else None,
                "continueUrl": continue_url,
                "canHandleCodeInApp": True if kind == "EMAIL_SIGNIN" else None,
            },
            {"X-Firebase-Locale": locale} if locale else None,
        )

    def reset_password(self, code: str, new_password: str) -> None:
        """Sets a new password with the code of a mail. It ends all sessions of the user."""
        self._auth(":resetPassword", {"oobCode": code, "newPassword": new_password})

    def apply_code(self, code: str) -> None:
        """Redeems the code of a mail that verifies, changes or restores an address."""
        self._auth(":update", {"oobCode": code})

    def sign_in_with_phone(self, phone_number: str, *, within: float = 10) -> Session:
        """Signs in with the code of a text message, which is read from the mailbox."""
        newest = self.latest_mail(phone_number, "SMS")
        info = self._auth(
            ":sendVerificationCode", {"phoneNumber": phone_number, "recaptchaToken": "none"}
        )["sessionInfo"]
        code = self.wait_for_code(phone_number, "SMS", within=within, after=newest)
        return session_of(self._auth(":signInWithPhoneNumber", {"sessionInfo": info, "code": code}))

    def totp_code(self, secret: str, *, periods: int = 0) -> str:
        """The code that an authenticator app shows, by the clock of the project.

        `periods` is 1 for the code that comes next, -1 for the one before.
        """
        now = datetime.fromisoformat(self._control("GET", "/clock")["now"].replace("Z", "+00:00"))
        return one_time_code(secret, int(now.timestamp()) // 30 + periods)

    def enroll_totp(
        self, session: Session, *, display_name: str | None = None
    ) -> tuple[str, Session]:
        """Adds an authenticator app as a second factor.

        Returns the secret that the app's codes are made from, and a new session. The user's address
        must be verified.
        """
        info = self._auth(
            "/mfaEnrollment:start",
            {"idToken": session.id_token, "totpEnrollmentInfo": {}},
            version="v2",
        )["totpSessionInfo"]
        secret = str(info["sharedSecretKey"])
        # A code counts once: the one before is used, so that the code of now is left for a sign-in.
        return secret, self._redeem_totp(
            "/mfaEnrollment:finalize",
            {
                "idToken": session.id_token,
                "displayName": display_name,
                "totpVerificationInfo": {"sessionInfo": info["sessionInfo"]},
            },
            secret,
            (-1, 0),
        )

    def sign_in_with_second_factor(
        self,
        required: SecondFactorRequired,
        *,
        phone_number: str | None = None,
        totp_code: str | None = None,
        totp_secret: str | None = None,
    ) -> Session:
        """Ends a sign-in for which `sign_in` has raised `SecondFactorRequired`.

        `totp_code` is the code of an authenticator app, and `totp_secret` what its codes are made
        from. A code counts once, and after it the code that comes next; for a third sign-in within
        half a minute, advance the clock. Without either, the code of a text message is read from the
        mailbox; `phone_number` is the number of the factor.
        """
        is_totp = totp_code is not None or totp_secret is not None
        wanted = "totpInfo" if is_totp else "phoneInfo"
        factor = next((one for one in required.factors if wanted in one), None)
        if factor is None:
            raise HearthError("MFA_ENROLLMENT_NOT_FOUND", f"the user has no factor with {wanted}")
        body: dict[str, Any] = {
            "mfaPendingCredential": required.pending_credential,
            "mfaEnrollmentId": factor["mfaEnrollmentId"],
        }
        if totp_secret is not None:
            return self._redeem_totp("/mfaSignIn:finalize", body, totp_secret, (0, 1))
        if totp_code is not None:
            body["totpVerificationInfo"] = {"verificationCode": totp_code}
        else:
            newest = self.latest_mail(phone_number, "SMS")
            started = self._auth(
                "/mfaSignIn:start",
                {**body, "phoneSignInInfo": {"recaptchaToken": "none"}},
                version="v2",
            )
            body["phoneVerificationInfo"] = {
                "sessionInfo": started["phoneResponseInfo"]["sessionInfo"],
                "code": self.wait_for_code(phone_number, "SMS", after=newest),
            }
        return session_of(self._auth("/mfaSignIn:finalize", body, version="v2"))

    def _redeem_totp(
        self, path: str, body: dict[str, Any], secret: str, periods: tuple[int, int]
    ) -> Session:
        """Tries the codes of these periods, of which one may have been used before.

        A code may also be refused because half a minute has ended on its way: the code that the
        period has by then is tried first. Later periods would take the codes of the next sign-in.
        """
        info = body.get("totpVerificationInfo", {})
        period, last = periods
        while True:
            code = self.totp_code(secret, periods=period)
            try:
                return session_of(
                    self._auth(
                        path,
                        {**body, "totpVerificationInfo": {**info, "verificationCode": code}},
                        version="v2",
                    )
                )
            except HearthError as error:
                if error.code != "INVALID_CODE":
                    raise
                if self.totp_code(secret, periods=period) != code:
                    continue
                if period == last:
                    raise
                period += 1


def one_time_code(secret: str, step: int) -> str:
    """RFC 6238: the code of a number of half minutes since 1970."""
    key = base64.b32decode(secret.upper() + "=" * (-len(secret) % 8))
    mac = hmac.digest(key, step.to_bytes(8, "big"), "sha1")
    offset = mac[19] & 0xF
    number = int.from_bytes(mac[offset : offset + 4], "big") & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"


def _filter(
    to: str | None,
    kind: str | None,
    after: Mail | None,
    since: datetime | None,
    state: str,
    search: str | None,
) -> dict[str, str | None]:
    time = since.astimezone(timezone.utc).isoformat().replace("+00:00", "Z") if since else None
    return {
        "to": to,
        "type": kind,
        "after": after.id if after else None,
        "since": time,
        "state": state,
        "q": search,
    }


def _having(what: str, more: dict[str, Any]) -> dict[str, Any]:
    return {**more, "search": f"has:{what} {more.get('search') or ''}".strip()}
