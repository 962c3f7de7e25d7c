"""The JavaScript SDK on its page, in a project that no other test uses."""

import json
import time

import jwt
import pytest
from support.js_sdk import legacy_script, modular_script, sdk_page
from support.steering import Steered

PASSWORD = "secret1"
NUMBERS = iter(range(10_000))


@pytest.fixture(scope="module")
def page(hearth, tmp_path_factory):
    with sdk_page(hearth, tmp_path_factory.mktemp("page")) as page:
        yield page


@pytest.fixture(scope="module")
def legacy(page):
    return page.add("legacy", legacy_script())


@pytest.fixture(scope="module")
def modular(page, tmp_path_factory):
    return page.add("modular", modular_script(tmp_path_factory.mktemp("modules")))


class App:
    """The SDK on its page, in a project that no other test uses."""

    def __init__(self, page, project: Steered):
        self.page, self.project = page, project
        self.run, self.error = page.run, page.error

    def codes(self, email: str, kind: str) -> list[dict]:
        answer = self.project.request("GET", f"{self.project.control}/oobCodes")
        return [
            code
            for code in answer["oobCodes"]
            if code["email"] == email and code["requestType"] == kind
        ]

    def mail(self, email: str, kind: str) -> dict:
        """The newest message of that kind, from the mailbox."""
        return self.project.request(
            "GET",
            f"{self.project.control}/messages/latest",
            params={"to": email, "type": kind, "wait": "10s"},
        )

    def sms(self, number: str) -> str:
        return self.project.code(number)["code"]

    def user(self, email: str) -> dict:
        [user] = self.project.admin("/accounts:lookup", {"email": [email]})["users"]
        return user


def number() -> str:
    return f"+1555{next(NUMBERS):07}"


def custom_token(uid: str, **claims) -> str:
    body = {
        "aud": "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1."
        "IdentityToolkit",
        "iss": "x@y.iam.gserviceaccount.com",
        "sub": "x@y.iam.gserviceaccount.com",
        "uid": uid,
        "iat": int(time.time()),
        "exp": int(time.time()) + 3600,
    }
    return jwt.encode(body | ({"claims": claims} if claims else {}), "", algorithm="none")


def google_token(email: str, **more) -> str:
    return json.dumps({"sub": "raw-" + email, "email": email, "email_verified": True} | more)


@pytest.fixture
def old(legacy, hearth) -> App:
    project = Steered(hearth)
    legacy.open("legacy")
    legacy.run(
        """
        const app = firebase.initializeApp({
          apiKey: a[0], authDomain: "auth.example.com", projectId: a[0] });
        window.auth = app.auth();
        await auth.setPersistence("none");
        auth.settings.appVerificationDisabledForTesting = true;
        window.captcha = () => new firebase.auth.RecaptchaVerifier(
          document.body.appendChild(document.createElement("div")), { size: "invisible" });
        """,
        project.id,
    )
    return App(legacy, project)


def sign_up(old: App, email: str) -> dict:
    return old.run(
        """
        const { user, additionalUserInfo, operationType } =
          await auth.createUserWithEmailAndPassword(a[0], a[1]);
        return { user, additionalUserInfo, operationType }
        """,
        email,
        PASSWORD,
    )


@pytest.fixture
def new(modular, hearth) -> App:
    app = App(modular, Steered(hearth))
    start(app)
    return app


def start(new: App) -> None:
    new.page.open("modular")
    new.run(
        """
        const app = fb.initializeApp({
          apiKey: a[0], authDomain: "auth.example.com", projectId: a[0] });
        window.auth = fb.getAuth(app);
        fb.connectAuthEmulator(auth, emulator, { disableWarnings: true });
        auth.settings.appVerificationDisabledForTesting = true;
        await auth.authStateReady();
        """,
        new.project.id,
    )
