"""A small server that plays blocking functions, and every way to sign in."""

import contextlib
import http.server
import json
import queue
import threading
import urllib.parse
import uuid

import pytest
import requests
from support.server import PROJECT
from support.wire import V1, V2, decoded, no_null

BEFORE = ("beforeCreate", "beforeSignIn")
FAILED = "BLOCKING_FUNCTION_ERROR_RESPONSE : "


class Functions:
    """A functions server: keeps what it is sent, and answers as the test wants."""

    def __init__(self):
        self.calls: queue.Queue = queue.Queue()
        # Events of users of the second generation, which come beside those of the first.
        self.cloud_events: queue.Queue = queue.Queue()
        self.seen: list[str] = []
        self.answers: dict = {}
        # What a functions emulator lists; None where nobody plays one.
        self.triggers: list[dict] | None = None
        functions = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                name = self.path.rsplit("/", 1)[-1]
                if self.headers["Content-Type"].startswith("application/cloudevents+json"):
                    functions.cloud_events.put((self.path, dict(self.headers), json.loads(body)))
                else:
                    functions.seen.append(name)
                    functions.calls.put((name, self.path, dict(self.headers), body))
                answer = functions.answers.get(name, {})
                if callable(answer):
                    answer = answer(json.loads(body))
                status, content = answer if isinstance(answer, tuple) else (200, answer)
                self.reply(status, content)

            def do_GET(self):
                if self.path != "/backends" or functions.triggers is None:
                    return self.reply(404, {})
                self.reply(200, {"backends": [{"functionTriggers": functions.triggers}]})

            def reply(self, status, content):
                content = content if isinstance(content, bytes) else json.dumps(content).encode()
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                    self.send_response(status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(content)))
                    self.end_headers()
                    self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.host = f"127.0.0.1:{self.server.server_port}"

    def url(self, event: str) -> str:
        return f"http://{self.host}/{PROJECT}/us-central1/{event}"

    def call(self, timeout: float = 30, nulls: bool = False) -> tuple[str, dict]:
        """The name and the claims of the next call, which must be well-formed."""
        name, path, headers, body = self.calls.get(timeout=timeout)
        assert path == urllib.parse.urlsplit(self.url(name)).path
        assert headers["Content-Type"].split(";")[0] == "application/json"
        assert "Authorization" not in headers
        claims = self.claims(body)
        if not nulls:
            no_null(claims)
        assert claims["event_type"] == name
        return name, claims

    @staticmethod
    def claims(body: bytes) -> dict:
        """The claims of the token in a call."""
        body = json.loads(body)
        assert body == {"data": {"jwt": body["data"]["jwt"]}}
        token = body["data"]["jwt"]
        assert token.endswith(".") and token.count(".") == 2
        header, claims = decoded(token)
        assert header == {"alg": "none", "typ": "JWT"}
        return claims

    def quiet(self) -> bool:
        """Whether no call is left: every call comes before the answer of the sign-in."""
        return self.calls.empty()

    def forget(self) -> None:
        self.seen.clear()
        for queued in (self.calls, self.cloud_events):
            while not queued.empty():
                queued.get()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def configure(hearth, functions: dict) -> dict:
    reply = requests.patch(
        f"{hearth.auth}{V2}projects/{PROJECT}/config",
        params={"updateMask": "blockingFunctions"},
        json={"blockingFunctions": functions},
        headers={"Authorization": "Bearer owner"},
        timeout=30,
    )
    assert reply.status_code == 200, reply.text
    return reply.json()


def triggers(functions: Functions, *events: str) -> dict:
    return {"triggers": {event: {"functionUri": functions.url(event)} for event in events}}


def check_error(error: dict, url: str, status: int, message: str) -> None:
    if message.startswith("(("):
        message = FAILED + message.replace("URL", url)
    assert (error["code"], error["message"]) == (status, message)
    [item] = error["errors"]
    assert item["message"] == message
    if status == 500:
        assert error["status"] == "INTERNAL" and item["reason"]
    else:
        assert "status" not in error and (item["reason"], item["domain"]) == ("invalid", "global")


@pytest.fixture(scope="module")
def played():
    functions = Functions()
    yield functions
    functions.close()


@pytest.fixture
def functions(hearth, played):
    """Both functions are configured and change nothing."""
    played.answers.clear()
    played.forget()
    configure(hearth, triggers(played, *BEFORE))
    yield played
    configure(hearth, {})


def sign_up(hearth, address, **more) -> dict:
    return hearth.accounts("signUp", {"email": address, "password": "secret1", **more})


def sign_in(hearth, address, **more) -> dict:
    return hearth.accounts("signInWithPassword", {"email": address, "password": "secret1", **more})


def idp_body(provider: str, claims: dict | None = None, **more) -> dict:
    inputs = {"providerId": provider} | ({"id_token": json.dumps(claims)} if claims else {})
    inputs |= more.pop("inputs", {})
    return {
        "requestUri": "http://localhost",
        "postBody": urllib.parse.urlencode(inputs),
        "returnSecureToken": True,
        "returnIdpCredential": True,
        **more,
    }


def idp(hearth, provider: str, claims: dict, **more) -> dict:
    return hearth.accounts("signInWithIdp", idp_body(provider, claims, **more))


def code_for(hearth, number: str) -> dict:
    codes = requests.get(
        f"{hearth.auth}/emulator/v1/projects/{PROJECT}/verificationCodes", timeout=30
    ).json()
    [*_, last] = [code for code in codes["verificationCodes"] if code["phoneNumber"] == number]
    return {"sessionInfo": last["sessionInfo"], "code": last["code"]}


def phone_body(hearth, number: str) -> dict:
    hearth.accounts("sendVerificationCode", {"phoneNumber": number})
    return code_for(hearth, number)


def phone(hearth, number: str, **more) -> dict:
    return hearth.accounts("signInWithPhoneNumber", {**phone_body(hearth, number), **more})


def link_body(hearth, address) -> dict:
    hearth.accounts(
        "sendOobCode",
        {"requestType": "EMAIL_SIGNIN", "email": address, "continueUrl": "http://localhost/"},
    )
    return {"email": address, "oobCode": hearth.mail(address, "EMAIL_SIGNIN")["oobCode"]}


def link(hearth, address, **more) -> dict:
    return hearth.accounts("signInWithEmailLink", {**link_body(hearth, address), **more})


def post(hearth, path: str, body: dict, status: int = 200) -> dict:
    reply = hearth.post(f"{path}?key=any", body)
    assert reply.status_code == status, reply.text
    return reply.json()


def refused(hearth, verb: str, body: dict, status: int = 400) -> dict:
    return post(hearth, V1 + verb, body, status)["error"]


def enrolled(hearth, address, number: str) -> dict:
    """A user with a second factor; answers the enrolment's session."""
    user = hearth.admin(
        "/accounts", {"email": address, "password": "secret1", "emailVerified": True}
    )
    token = sign_in(hearth, address)["idToken"]
    post(
        hearth,
        V2 + "accounts/mfaEnrollment:start",
        {"idToken": token, "phoneEnrollmentInfo": {"phoneNumber": number}},
    )
    return {
        "localId": user["localId"],
        **post(
            hearth,
            V2 + "accounts/mfaEnrollment:finalize",
            {
                "idToken": token,
                "phoneVerificationInfo": code_for(hearth, number),
                "displayName": "My phone",
            },
        ),
    }


def second_factor(hearth, pending: dict, number: str, status: int = 200) -> dict:
    post(
        hearth,
        V2 + "accounts/mfaSignIn:start",
        {
            "mfaPendingCredential": pending["mfaPendingCredential"],
            "mfaEnrollmentId": pending["mfaInfo"][0]["mfaEnrollmentId"],
        },
    )
    return post(
        hearth,
        V2 + "accounts/mfaSignIn:finalize",
        {
            "mfaPendingCredential": pending["mfaPendingCredential"],
            "phoneVerificationInfo": code_for(hearth, number),
        },
        status,
    )


def stored(hearth, uid: str) -> dict:
    [user] = hearth.admin("/accounts:lookup", {"localId": [uid]})["users"]
    return user


def known(hearth, **by) -> bool:
    return "users" in hearth.admin(
        "/accounts:lookup", {name: [value] for name, value in by.items()}
    )


def claims_of(session: dict) -> dict:
    return decoded(session["idToken"])[1]


@pytest.fixture
def number() -> str:
    return f"+1{uuid.uuid4().int % 10**10:010}"


GOOGLE = {
    "sub": "1",
    "email_verified": True,
    "name": "Ann",
    "picture": "http://localhost/a.png",
    "given_name": "Ann",
    "family_name": "Example",
}


def google(address, **more) -> dict:
    return {**GOOGLE, "sub": uuid.uuid4().hex, "email": address, **more}


def changing(mask: str | None = None, **record) -> dict:
    return {"userRecord": {**record, "updateMask": ",".join(record) if mask is None else mask}}


BODIES = {
    "password": (
        "signUp",
        lambda hearth, address, number: {"email": address, "password": "secret1"},
    ),
    "email link": (
        "signInWithEmailLink",
        lambda hearth, address, number: link_body(hearth, address),
    ),
    "idp": (
        "signInWithIdp",
        lambda hearth, address, number: idp_body("google.com", google(address)),
    ),
    "phone": ("signInWithPhoneNumber", lambda hearth, address, number: phone_body(hearth, number)),
}


def identity(verb: str, address: str, number: str) -> dict:
    return {"phoneNumber": number} if verb == "signInWithPhoneNumber" else {"email": address}
