"""A project for one test, and the calls that fill it."""

import json
import urllib.parse
import uuid

import requests
from support.server import Server
from support.wire import V1, decoded, no_null

IT = "/identitytoolkit.googleapis.com"


class Project:
    """All calls go to one project that no other test uses; the form of every answer is checked."""

    def __init__(self, server: Server, project_id: str | None = None):
        self.server = server
        self.id = project_id or f"demo-{uuid.uuid4().hex[:16]}"
        self.v1 = f"{IT}/v1/projects/{self.id}"
        self.v2 = f"{IT}/v2/projects/{self.id}"
        self.control = f"/emulator/v1/projects/{self.id}"

    def request(self, method: str, path: str, status: int = 200, **options):
        reply = requests.request(method, self.server.auth + path, timeout=30, **options)
        assert reply.status_code == status, f"{reply.status_code} {reply.text}"
        answer = reply.json()
        no_null(answer)
        if status >= 400:
            check_error(answer["error"], status)
        return answer

    def advance(self, duration: str) -> None:
        """Moves the project's clock."""
        self.request("PATCH", self.control + "/clock", json={"advance": duration})

    # MARK: As a client, with the key alone

    def post(self, path: str, body: dict, status: int = 200) -> dict:
        return self.request("POST", path, status, params={"key": self.id}, json=body)

    def call(self, verb: str, body: dict, status: int = 200) -> dict:
        return self.post(V1 + verb, body, status)

    def factor(self, name: str, body: dict, status: int = 200) -> dict:
        """`mfaEnrollment:start`, `passkeySignIn:finalize` and so on."""
        return self.post(f"{IT}/v2/accounts/{name}", body, status)

    def error(self, path: str, body: dict, status: int = 400) -> str:
        path = path if path.startswith("/") else V1 + path
        return self.post(path, body, status)["error"]["message"]

    # MARK: As the owner

    def owner(self, method: str, path: str, status: int = 200, **options):
        headers = {"Authorization": "Bearer owner"}
        return self.request(method, path, status, headers=headers, **options)

    def admin(self, path: str, body: dict | None = None, status: int = 200, tenant=None) -> dict:
        scope = self.v1 + (f"/tenants/{tenant}" if tenant is not None else "")
        return self.owner("POST", scope + path, status, json=body or {})

    def admin_error(self, path: str, body: dict | None = None, status: int = 400, **more) -> str:
        return self.admin(path, body, status, **more)["error"]["message"]

    def configure(self, mask: str, **config) -> dict:
        return self.owner("PATCH", f"{self.v2}/config", params={"updateMask": mask}, json=config)

    def tenant(self, **settings) -> str:
        return self.owner("POST", f"{self.v2}/tenants", json=settings)["tenantId"]

    def disabled_tenant(self) -> str:
        return self.tenant(disableAuth=True)

    def user(self, uid: str, tenant=None) -> dict:
        [user] = self.admin("/accounts:lookup", {"localId": [uid]}, tenant=tenant)["users"]
        return user

    def users(self, tenant=None) -> list[dict]:
        return self.admin("/accounts:query", {}, tenant=tenant)["userInfo"]

    # MARK: Ways to sign in

    def sign_up(self, email: str, **more) -> dict:
        return self.call("signUp", {"email": email, "password": "secret1", **more})

    def sign_in(self, email: str, **more) -> dict:
        return self.call("signInWithPassword", {"email": email, "password": "secret1", **more})

    def idp(self, provider: str, claims: dict, status: int = 200, **more) -> dict:
        return self.call("signInWithIdp", idp_body(provider, claims, **more), status)

    def codes(self, tenant=None) -> list[dict]:
        scope = self.control + (f"/tenants/{tenant}" if tenant else "")
        return self.request("GET", f"{scope}/verificationCodes")["verificationCodes"]

    def code(self, number: str, tenant=None) -> dict:
        """The newest code for that number, as the calls want it."""
        [*_, last] = [code for code in self.codes(tenant) if code["phoneNumber"] == number]
        return {"sessionInfo": last["sessionInfo"], "code": last["code"]}

    def sms(self, number: str) -> dict:
        self.call("sendVerificationCode", {"phoneNumber": number})
        return self.code(number)

    def phone(self, number: str, **more) -> dict:
        return self.call("signInWithPhoneNumber", {**self.sms(number), **more})

    def verified(self, email: str, tenant=None, **more) -> dict:
        """A session of a new user whose address is verified."""
        self.admin(
            "/accounts",
            {"email": email, "password": "secret1", "emailVerified": True, **more},
            tenant=tenant,
        )
        return self.sign_in(email, **({"tenantId": tenant} if tenant else {}))

    def enroll(self, session: dict, number: str, tenant=None, **more) -> dict:
        self.factor(
            "mfaEnrollment:start",
            {"idToken": session["idToken"], "phoneEnrollmentInfo": {"phoneNumber": number}},
        )
        return self.factor(
            "mfaEnrollment:finalize",
            {
                "idToken": session["idToken"],
                "phoneVerificationInfo": self.code(number, tenant),
                **more,
            },
        )


def check_error(error: dict, status: int) -> None:
    """The form of every error."""
    assert error["code"] == status
    [item] = error["errors"]
    assert item["message"] == ("Invalid Credentials" if status == 401 else error["message"])
    if status == 401:
        assert (error["status"], item["reason"]) == ("UNAUTHENTICATED", "authError")
    elif status == 501:
        assert (error["status"], item["reason"]) == ("NOT_IMPLEMENTED", "unimplemented")
        assert "domain" not in item
    elif status == 400 and item["reason"] != "unknown":
        assert error.get("status", "INVALID_ARGUMENT") == "INVALID_ARGUMENT"
        assert item["domain"] == "global" and item["reason"] in ("invalid", "parseError")


def idp_body(
    provider: str | None, claims: dict | str | None = None, *, inputs=None, **more
) -> dict:
    """As the SDKs write it; `inputs` go into the form beside provider and id_token."""
    form = {"providerId": provider} if provider is not None else {}
    if claims is not None:
        form["id_token"] = claims if isinstance(claims, str) else json.dumps(claims)
    return {
        "requestUri": "http://localhost",
        "returnSecureToken": True,
        "postBody": urllib.parse.urlencode(form | (inputs or {})),
        **more,
    }


def claims(session: dict) -> dict:
    return decoded(session["idToken"])[1]
