"""The unmodified Firebase JavaScript SDK in a real browser.

It is published for npm, which these tests do without, but two packages of the Python index have it
in their web pages. `pip download --no-deps` fetches them into .build/js-sdk, or they stand in the
folder that HEARTH_JS_SDK names. Neither is installed:

* grr-response-server has firebase-app.js and firebase-auth.js 7.15.5 word for word in one of its
  bundles: all of the auth SDK, of the days before it knew emulators.
* streamlit-firebase-auth has a source map with the sources of app and auth of firebase 11.3.1,
  except modules its page does not use. The program esbuild makes one script of them.
"""

import contextlib
import fcntl
import hashlib
import http.client
import http.server
import json
import os
import pathlib
import posixpath
import re
import shutil
import ssl
import subprocess
import sys
import threading
import zipfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from selenium import webdriver
from support.server import ROOT

PAGE = pathlib.Path(__file__).with_name("js_sdk_page.html")


# MARK: Packages


@dataclass(frozen=True)
class Package:
    name: str
    version: str
    file: str
    sha256: str

    def path(self) -> pathlib.Path:
        """The package's file; the test is skipped where it is not to be had."""
        folder = pathlib.Path(os.environ.get("HEARTH_JS_SDK") or ROOT / ".build" / "js-sdk")
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / self.file
        with open(folder / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():
                self.download(folder)
        assert hashlib.sha256(path.read_bytes()).hexdigest() == self.sha256, path
        return path

    def download(self, folder: pathlib.Path) -> None:
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--disable-pip-version-check",
            "--dest",
            str(folder),
            f"{self.name}=={self.version}",
        ]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        except subprocess.TimeoutExpired:
            pytest.skip(f"{self.name} takes too long to download")
        if done.returncode != 0:
            pytest.skip(f"{self.name} cannot be downloaded: {done.stderr[-400:]}")

    def read(self, ending: str) -> str:
        with zipfile.ZipFile(self.path()) as archive:
            [name] = [name for name in archive.namelist() if name.endswith(ending)]
            return archive.read(name).decode()


GRR = Package(
    "grr-response-server",
    "3.4.5.post1",
    "grr-response-server-3.4.5.post1.zip",
    "1770284bbf71088773814f1e8b8c7942c0a84e9fde64b2c656d824e4091754cd",
)
STREAMLIT = Package(
    "streamlit-firebase-auth",
    "1.1.6",
    "streamlit_firebase_auth-1.1.6-py3-none-any.whl",
    "ff14e3ad27d05c0ea7ee9e93bc67ade1c77089d561ab18f30aed4f6bf9f34e7b",
)


def legacy_script() -> str:
    """firebase-app.js and firebase-auth.js 7.15.5, which make a global `firebase`."""
    lines = GRR.read("/dist/third-party.bundle.js").split("\n")
    found = []
    for name in ("firebase-app.js", "firebase-auth.js"):
        [end] = [n for n, line in enumerate(lines) if line == f"//# sourceMappingURL={name}.map"]
        found.append(lines[end - 1])
    assert '"7.15.5"' in found[0]
    return "\n".join(found)


# MARK: The sources of 11.3.1

# Values that the sources in the map import and that are themselves not in it: constants without
# code of their own, and the few functions of modules that were left out. Here is the
# least that makes the rest run, written for these tests.
ABSENT = {
    "component/src/types": """
        export enum InstantiationMode { LAZY = "LAZY", EAGER = "EAGER", EXPLICIT = "EXPLICIT" }
        export enum ComponentType {
          PUBLIC = "PUBLIC", PRIVATE = "PRIVATE", VERSION = "VERSION" }""",
    "app/src/firebaseServerApp": "export class FirebaseServerAppImpl {}",
    "auth/src/model/public_types": 'export { ActionCodeOperation } from "./enums";',
    "auth/src/core/credentials/index": 'export { AuthCredential } from "./auth_credential";',
    "auth/src/model/enums": """
        export enum FactorId { PHONE = "phone", TOTP = "totp" }
        export enum ProviderId {
          ANONYMOUS = "anonymous", CUSTOM = "custom", FACEBOOK = "facebook.com",
          FIREBASE = "firebase", GITHUB = "github.com", GOOGLE = "google.com",
          PASSWORD = "password", PHONE = "phone", TWITTER = "twitter.com" }
        export enum SignInMethod {
          ANONYMOUS = "anonymous", EMAIL_LINK = "emailLink", EMAIL_PASSWORD = "password",
          FACEBOOK = "facebook.com", GITHUB = "github.com", GOOGLE = "google.com",
          PHONE = "phone", TWITTER = "twitter.com" }
        export enum OperationType {
          LINK = "link", REAUTHENTICATE = "reauthenticate", SIGN_IN = "signIn" }
        export enum ActionCodeOperation {
          EMAIL_SIGNIN = "EMAIL_SIGNIN", PASSWORD_RESET = "PASSWORD_RESET",
          RECOVER_EMAIL = "RECOVER_EMAIL", VERIFY_EMAIL = "VERIFY_EMAIL",
          REVERT_SECOND_FACTOR_ADDITION = "REVERT_SECOND_FACTOR_ADDITION",
          VERIFY_AND_CHANGE_EMAIL = "VERIFY_AND_CHANGE_EMAIL" }""",
    "auth/src/model/popup_redirect": """
        export enum EventFilter { POPUP, REDIRECT }
        export enum GapiOutcome { ACK = "ACK", ERROR = "ERROR" }
        export enum AuthEventType {
          LINK_VIA_POPUP = "linkViaPopup", LINK_VIA_REDIRECT = "linkViaRedirect",
          REAUTH_VIA_POPUP = "reauthViaPopup", REAUTH_VIA_REDIRECT = "reauthViaRedirect",
          SIGN_IN_VIA_POPUP = "signInViaPopup", SIGN_IN_VIA_REDIRECT = "signInViaRedirect",
          UNKNOWN = "unknown", VERIFY_APP = "verifyApp" }""",
    "auth/src/platform_browser/messagechannel/index": """
        export enum _TimeoutDuration { ACK = 50, COMPLETION = 3000, LONG_ACK = 800 }
        export enum _Status { ACK = "ack", DONE = "done" }
        export enum _EventType { KEY_CHANGED = "keyChanged", PING = "ping" }
        export enum _MessageError {
          CONNECTION_UNAVAILABLE = "connection_unavailable",
          INVALID_RESPONSE = "invalid_response", TIMEOUT = "timeout",
          UNKNOWN = "unknown_error", UNSUPPORTED_EVENT = "unsupported_event" }""",
    "auth/src/api/authentication/sign_up": """
        import { Endpoint, HttpMethod, _addTidIfNecessary, _performSignInRequest } from "../index";
        export const signUp = (auth, request) => _performSignInRequest(
          auth, HttpMethod.POST, Endpoint.SIGN_UP, _addTidIfNecessary(auth, request));""",
    "auth/src/core/util/providers": """
        export const providerDataAsNames = (list) =>
          new Set(list.map((entry) => entry.providerId).filter(Boolean));""",
    "auth/src/mfa/mfa_info": """
        export class MultiFactorInfoImpl {
          static _fromServerResponse(auth, info) { return info; } }""",
    "auth/src/mfa/mfa_session": """
        export enum MultiFactorSessionType { ENROLL = "enroll", SIGN_IN = "signin" }
        export class MultiFactorSessionImpl {}""",
    "auth/src/mfa/mfa_assertion": "export class MultiFactorAssertionImpl {}",
}

# What the page calls. The SDK's own index re-exports modules the map has not.
ENTRY = """
export { initializeApp, getApp, deleteApp, SDK_VERSION } from "@firebase/app";
export * from "@firebase/auth/src/core/auth/initialize";
export { connectAuthEmulator } from "@firebase/auth/src/core/auth/emulator";
export * from "@firebase/auth/src/core/strategies/email_and_password";
export { signInWithCredential, linkWithCredential, reauthenticateWithCredential }
  from "@firebase/auth/src/core/strategies/credential";
export { getIdToken, getIdTokenResult } from "@firebase/auth/src/core/user/id_token_result";
export { unlink } from "@firebase/auth/src/core/user/link_unlink";
export { reload } from "@firebase/auth/src/core/user/reload";
export { ActionCodeURL } from "@firebase/auth/src/core/action_code_url";
export { inMemoryPersistence } from "@firebase/auth/src/core/persistence/in_memory";
export { indexedDBLocalPersistence }
  from "@firebase/auth/src/platform_browser/persistence/indexed_db";
export { browserLocalPersistence }
  from "@firebase/auth/src/platform_browser/persistence/local_storage";
export { EmailAuthProvider } from "@firebase/auth/src/core/providers/email";
export { GoogleAuthProvider } from "@firebase/auth/src/core/providers/google";
export { FacebookAuthProvider } from "@firebase/auth/src/core/providers/facebook";
export { OAuthProvider } from "@firebase/auth/src/core/providers/oauth";
export { PhoneAuthProvider } from "@firebase/auth/src/platform_browser/providers/phone";
export { RecaptchaVerifier }
  from "@firebase/auth/src/platform_browser/recaptcha/recaptcha_verifier";
export * from "@firebase/auth/src/platform_browser/strategies/phone";
export { signInWithPopup, linkWithPopup, reauthenticateWithPopup }
  from "@firebase/auth/src/platform_browser/strategies/popup";
export { signInWithRedirect, linkWithRedirect, getRedirectResult }
  from "@firebase/auth/src/platform_browser/strategies/redirect";
export { browserPopupRedirectResolver } from "@firebase/auth/src/platform_browser/popup_redirect";
export { getAuth } from "@firebase/auth/src/platform_browser/index";
export { setPersistence, validatePassword, initializeRecaptchaConfig, onAuthStateChanged,
  onIdTokenChanged, updateCurrentUser, signOut, deleteUser, revokeAccessToken }
  from "@firebase/auth/src/core/index";
"""

IMPORT = re.compile(r"""(?:from|import)\s*['"]([^'"]+)['"]""")


def modular_script(folder: pathlib.Path) -> str:
    """app and auth of 11.3.1 as one script that makes a global `fb`; skipped without esbuild."""
    if not shutil.which("esbuild"):
        pytest.skip("esbuild is not installed")
    source_map = json.loads(STREAMLIT.read(".js.map"))
    modules = {}
    for name, text in zip(source_map["sources"], source_map["sourcesContent"]):
        _, found, rest = name.partition("node_modules/")
        if found and rest.startswith(("@firebase/", "idb/")):
            modules[rest] = text
    for name, text in ABSENT.items():
        modules[f"@firebase/{name}.ts"] = text
    modules["@firebase/auth/internal.ts"] = (
        'export { DefaultConfig } from "./src/core/auth/auth_impl";'
    )
    modules["@firebase/auth/src/index.ts"] = 'export * from "./core/index";'
    for name, entry in (
        ("app", "src/index.ts"),
        ("component", "index.ts"),
        ("logger", "index.ts"),
        ("util", "index.ts"),
    ):
        modules[f"@firebase/{name}/package.json"] = json.dumps(
            {"name": f"@firebase/{name}", "version": "11.3.1", "main": entry, "sideEffects": True}
        )
    modules["idb/package.json"] = json.dumps({"name": "idb", "main": "build/index.js"})
    for name in ("component", "logger", "util"):
        modules[f"@firebase/{name}/index.ts"] = "".join(
            f'export * from "./{path.removeprefix(f"@firebase/{name}/").removesuffix(".ts")}";\n'
            for path in sorted(modules)
            if path.startswith(f"@firebase/{name}/src/")
        )
    fill(modules)
    root = folder / "modules"
    for name, text in modules.items():
        path = root / "node_modules" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (root / "entry.ts").write_text(ENTRY)
    made = subprocess.run(
        [
            "esbuild",
            "entry.ts",
            "--bundle",
            "--format=iife",
            "--global-name=fb",
            "--target=es2020",
            "--log-level=error",
        ],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert made.returncode == 0, made.stderr
    return made.stdout


def fill(modules: dict[str, str]) -> None:
    """Empty modules for what is only types or not used, and names for the package.json files."""
    for name in list(modules):
        if not name.endswith(".ts"):
            continue
        for wanted in IMPORT.findall(modules[name]):
            if not wanted.startswith("."):
                continue
            path = posixpath.normpath(posixpath.join(posixpath.dirname(name), wanted))
            if path.endswith(".json"):
                package = path.split("/")[-2]
                modules.setdefault(
                    path,
                    json.dumps(
                        {
                            "name": "firebase" if package == "firebase" else f"@firebase/{package}",
                            "version": "11.3.1",
                        }
                    ),
                )
            elif not any(path + end in modules for end in ("", ".ts", ".js", "/index.ts")):
                modules[path + ".ts"] = "export {};"


# MARK: Serving


class Pages(http.server.BaseHTTPRequestHandler):
    """The page, the scripts, and nothing else."""

    files: dict[str, tuple[str, str]] = {}

    def do_GET(self):
        kind, body = self.files.get(urlsplit(self.path).path, ("text/plain", ""))
        data = body.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind + "; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass


class Google(http.server.BaseHTTPRequestHandler):
    """Google's hosts: calls, and the frame library of both sides of a sign-in.

    What an SDK sends to https://HOST/PATH is sent to http://EMULATOR/HOST/PATH.
    """

    emulator = ""
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        host = self.headers["Host"].split(":")[0]
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length) if length else None
        connection = http.client.HTTPConnection(self.emulator, timeout=30)
        headers = {
            name: value
            for name, value in self.headers.items()
            if name.lower() not in ("host", "connection", "accept-encoding")
        }
        try:
            connection.request(self.command, f"/{host}{self.path}", body, headers)
            reply = connection.getresponse()
            data = reply.read()
        except (OSError, http.client.HTTPException):  # the emulator hung up, and so does this
            self.close_connection = True
            return
        dropped = ("connection", "content-length", "transfer-encoding", "keep-alive")
        self.answer(
            reply.status,
            [(name, value) for name, value in reply.getheaders() if name.lower() not in dropped],
            data,
        )
        connection.close()

    do_POST = do_OPTIONS = do_GET

    def answer(self, status, headers, data):
        self.send_response_only(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass


HOSTS = (
    "www.googleapis.com",
    "identitytoolkit.googleapis.com",
    "securetoken.googleapis.com",
    "apis.google.com",
    "content-firebaseappcheck.googleapis.com",
)


def certificate(folder: pathlib.Path, host: str = HOSTS[0]) -> pathlib.Path:
    """A file with a key and a certificate that the key itself has signed."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    path = folder / f"{host}.pem"
    path.write_bytes(
        made.public_bytes(serialization.Encoding.PEM)
        + key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return path


@contextlib.contextmanager
def serving(handler, context: ssl.SSLContext | None = None):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


class Failure(Exception):
    """What the SDK threw."""

    def __init__(self, error: dict):
        super().__init__(error.get("message"))
        self.code = error.get("code")
        self.error = error


class Page:
    """A page with the SDK, and the emulator it talks to."""

    def __init__(self, browser, origin: str, hearth, files: dict):
        self.browser, self.origin, self.hearth, self.files = browser, origin, hearth, files

    def add(self, name: str, script: str) -> "Page":
        self.files[f"/{name}.js"] = ("text/javascript", script)
        return self

    def open(self, sdk: str, **query) -> None:
        more = "".join(f"&{name}={value}" for name, value in query.items())
        self.browser.get(f"{self.origin}/?sdk={sdk}&host={self.hearth.host}{more}")

    def run(self, script: str, *arguments):
        """What the asynchronous function with this body returns, its arguments in `a`."""
        outcome = self.browser.execute_async_script("run(...arguments)", script, arguments)
        if "error" in outcome:
            raise Failure(outcome["error"])
        return outcome.get("value")

    def error(self, script: str, *arguments) -> str:
        """The code of the error it throws."""
        with pytest.raises(Failure) as caught:
            self.run(script, *arguments)
        return caught.value.code


@contextlib.contextmanager
def chromium(google_port: int):
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    rules = ", ".join(f"MAP {host} 127.0.0.1:{google_port}" for host in HOSTS)
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--ignore-certificate-errors",
        "--disable-popup-blocking",
        f"--host-resolver-rules={rules}",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    driver.set_script_timeout(60)
    try:
        yield driver
    finally:
        driver.quit()


@contextlib.contextmanager
def sdk_page(hearth, folder: pathlib.Path):
    """A browser and a page that loads the script of the given name."""
    files = {"/": ("text/html", PAGE.read_text())}
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(folder))
    pages = type("ThesePages", (Pages,), {"files": files})
    google = type("ThisGoogle", (Google,), {"emulator": hearth.host})
    with (
        serving(pages) as port,
        serving(google, context) as google_port,
        chromium(google_port) as browser,
    ):
        yield Page(browser, f"http://127.0.0.1:{port}", hearth, files)
