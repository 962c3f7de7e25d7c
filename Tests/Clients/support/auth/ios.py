"""Plays recorded requests of the iOS SDK: fills in what earlier answers and the test have given."""

import time

import requests
from support.auth.functions import Functions
from support.auth.production import totp
from support.steering import Steered
from support.wire import CUSTOM_TOKEN_AUDIENCE, V3, no_null, unsigned

PASSWORD = "secret1"
# Members of answers that later requests hold.
KEPT = {
    "idToken",
    "refreshToken",
    "localId",
    "sessionInfo",
    "mfaPendingCredential",
    "mfaEnrollmentId",
    "temporaryProof",
    "receipt",
    "sharedSecretKey",
}


class Player(Steered):
    """One project, in which one scene is played."""

    def __init__(self, server, functions: Functions):
        super().__init__(server)
        self.functions = functions
        self.values: dict = {}

    def play(self, step: dict) -> None:
        if "given" in step:
            name, *arguments = step["given"]
            getattr(self, f"given_{name}")(*arguments)
            return
        call = step["call"]
        path = call if call.startswith("/") else V3 + call
        try:
            reply = requests.request(
                step.get("method", "POST"),
                self.server.auth + path,
                params={"key": self.id},
                json=self.filled(step.get("body")),
                headers={"X-Client-Version": "iOS/FirebaseSDK/12.19.0/FirebaseCore-iOS"},
                timeout=30,
            )
        except requests.ConnectionError:
            assert step.get("dropped"), step
            return
        assert reply.status_code == step.get("status"), (step, reply.text)
        answer = reply.json()
        no_null(answer)
        if "error" in step:
            assert answer["error"]["message"].startswith(step["error"]), step
        else:
            assert sorted(answer) == step["members"], step
        self.keep(answer)

    def filled(self, value):
        if isinstance(value, dict):
            return {name: self.filled(member) for name, member in value.items()}
        if not isinstance(value, str) or "$" not in value:
            return value
        before, _, name = value.partition("$")
        name, separator, after = name.partition("&")
        return before + self.values[name] + separator + after

    def keep(self, answer) -> None:
        """Keeps what later requests need, wherever it is."""
        for member in answer if isinstance(answer, list) else []:
            self.keep(member)
        for name, member in answer.items() if isinstance(answer, dict) else []:
            if name in KEPT and isinstance(member, str):
                self.values[name] = member
            self.keep(member)

    @property
    def tenant_id(self) -> str | None:
        return self.values.get("tenantId")

    def sent(self, call: str, **body) -> dict:
        answer = self.call(call, body | ({"tenantId": self.tenant_id} if self.tenant_id else {}))
        self.keep(answer)
        return answer

    # MARK: What a scene begins with

    def given_user(self, email: str, password: str = PASSWORD) -> None:
        self.sent("signUp", email=email, password=password)

    def given_verified(self, email: str) -> None:
        self.keep(self.verified(email))

    def given_apple(self, email: str) -> None:
        self.keep(self.idp("apple.com", {"sub": email, "email": email}))

    def given_phone(self, number: str) -> None:
        self.keep(self.phone(number))

    def given_pending(self, email: str) -> None:
        """A sign-in that waits for its second factor."""
        answer = self.sent("signInWithPassword", email=email, password=PASSWORD)
        assert "idToken" not in answer

    def given_password(self) -> None:
        """An administrator gives the account a password."""
        body = {"localId": self.values["localId"], "password": PASSWORD}
        self.admin("/accounts:update", body, tenant=self.tenant_id)

    def given_disable(self) -> None:
        self.admin("/accounts:update", {"localId": self.values["localId"], "disableUser": True})

    def given_oobCode(self, email: str) -> None:  # noqa: N802
        scope = self.control + (f"/tenants/{self.tenant_id}" if self.tenant_id else "")
        codes = self.request("GET", f"{scope}/oobCodes")["oobCodes"]
        self.values["oobCode"] = [code for code in codes if code["email"] == email][-1]["oobCode"]

    def given_link(self, email: str) -> None:
        self.sent(
            "sendOobCode", requestType="EMAIL_SIGNIN", email=email, continueUrl="http://localhost/"
        )
        self.given_oobCode(email)

    def given_reset(self, email: str) -> None:
        self.sent("sendOobCode", requestType="PASSWORD_RESET", email=email)
        self.given_oobCode(email)

    def given_sms(self, number: str) -> None:
        self.values |= self.sms(number)

    def given_code(self, number: str) -> None:
        self.values |= self.code(number, self.tenant_id)

    def given_proof(self, number: str) -> None:
        """The number is another account's, so linking it only proves that it is held."""
        self.phone(number)
        token = self.call("signUp", {})["idToken"]
        answer = self.phone(number, idToken=token)
        self.keep(answer)
        assert "temporaryProof" in answer

    def given_totp(self) -> None:
        self.values["totp"] = totp(self.values["sharedSecretKey"], self.now().timestamp())

    def given_assertion(self, email: str) -> None:
        """What Google would say of a person."""
        self.values["assertion"] = unsigned(
            {
                "sub": f"google-{email}",
                "email": email,
                "email_verified": True,
                "name": "Ann Google",
                "picture": "https://example.com/a.png",
            }
        )

    def given_customToken(self, more: dict) -> None:  # noqa: N802
        now = int(time.time())
        account = "sdk@example.iam.gserviceaccount.com"
        self.values["token"] = unsigned(
            {
                "iss": account,
                "sub": account,
                "aud": CUSTOM_TOKEN_AUDIENCE,
                "iat": now,
                "exp": now + 3600,
                "uid": "custom",
            }
            | more
        )

    def given_tenant(self, settings: dict) -> None:
        self.values["tenantId"] = self.tenant(**settings)

    def given_config(self, name: str, value) -> None:
        self.configure(name, **{name: value})

    def given_switch(self, name: str, value) -> None:
        self.own("PATCH", "/switches", json={name: value})

    def given_advance(self, duration: str) -> None:
        self.advance(duration)

    def given_fault(self, operation: str, effect: dict) -> None:
        self.faults({"operation": operation, "effect": effect})

    def given_refusing(self, event: str) -> None:
        """A function that refuses with a text that is not ASCII."""
        self.functions.answers[event] = (
            403,
            {"error": {"message": "Unauthorized e-mail, ünd so", "status": "PERMISSION_DENIED"}},
        )
        uri = self.functions.url(event)
        self.given_config("blockingFunctions", {"triggers": {event: {"functionUri": uri}}})
