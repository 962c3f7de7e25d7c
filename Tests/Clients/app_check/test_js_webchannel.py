"""App Check of the JavaScript SDK from npm: Auth and Firestore over the SDK's own WebChannel.

Its WebChannel is in no repository and no package of the Python index. Where the npm package `firebase`
is installed in .build/firebase-npm, or in the folder that HEARTH_NODE_FIREBASE names, esbuild makes one
script of it; elsewhere the tests are skipped.
"""

import os
import pathlib
import shutil
import subprocess
from urllib.parse import urlsplit

import pytest
from support.auth.app_check import APP, SECRET, AppCheck
from support.js_sdk import Page, sdk_page
from support.server import ROOT
from support.waiting import until

ENTRY = """
export { initializeApp, SDK_VERSION } from "firebase/app";
export { initializeAppCheck, getToken, ReCaptchaV3Provider } from "firebase/app-check";
export { initializeAuth, inMemoryPersistence, connectAuthEmulator, signInAnonymously }
  from "firebase/auth";
export { getFirestore, connectFirestoreEmulator, doc, getDocFromServer, onSnapshot, setDoc }
  from "firebase/firestore";
"""


def script() -> str:
    """The SDK as one script that makes a global `fb`."""
    folder = pathlib.Path(os.environ.get("HEARTH_NODE_FIREBASE") or ROOT / ".build/firebase-npm")
    if not (folder / "node_modules/firebase/package.json").is_file():
        pytest.skip("there is no copy of firebase-js-sdk from npm")
    if not shutil.which("esbuild"):
        pytest.skip("esbuild is not installed")
    made = subprocess.run(
        ["esbuild", "--bundle", "--format=iife", "--global-name=fb", "--log-level=error"],
        cwd=folder,
        input=ENTRY,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert made.returncode == 0, made.stderr
    return made.stdout


@pytest.fixture(scope="module")
def page(hearth, tmp_path_factory):
    bundle = script()
    with sdk_page(hearth, tmp_path_factory.mktemp("page")) as page:
        yield page.add("firebase", bundle)


def start(page: Page, app_check: AppCheck, has_provider: bool) -> None:
    address = urlsplit(app_check.server.addresses["firestore"])
    page.open("firebase")
    page.run(
        """
        const [projectId, appId, secret, hasProvider, firestore] = a;
        const app = fb.initializeApp({ apiKey: projectId, appId, projectId }, projectId);
        if (hasProvider) {
          self.FIREBASE_APPCHECK_DEBUG_TOKEN = secret;
          window.appCheck = fb.initializeAppCheck(app, {
            provider: new fb.ReCaptchaV3Provider("a-site-key"),
          });
        }
        window.auth = fb.initializeAuth(app, { persistence: fb.inMemoryPersistence });
        fb.connectAuthEmulator(auth, emulator, { disableWarnings: true });
        window.database = fb.getFirestore(app);
        fb.connectFirestoreEmulator(database, ...firestore);
        window.heard = [];
        window.listen = (path) => fb.onSnapshot(
          fb.doc(database, path),
          { includeMetadataChanges: true },
          (found) => heard.push([found.data() ?? null, found.metadata.fromCache]),
          (error) => heard.push(error.code));
        """,
        app_check.project,
        APP,
        SECRET,
        has_provider,
        [address.hostname, address.port],
    )


SIGN_UP = "return (await fb.signInAnonymously(auth)).user.uid"
WRITE = 'await fb.setDoc(fb.doc(database, "a/b"), { n: a[0] })'
READ = 'return (await fb.getDocFromServer(fb.doc(database, "a/b"))).data()'
LISTEN = 'listen("a/b")'


def hears(page: Page, data, is_online: bool = True) -> bool:
    """Whether the listener gets that, after whatever it got before."""
    return until(lambda: page.run("return heard")[-1:] == [[data, not is_online]])


def test_a_provider(page, app_check):
    app_check.switches(
        appCheckAuth="enforce", appCheckFirestore="enforce", appCheckAttestation="registered"
    )
    body = {"displayName": "CI", "token": SECRET}
    assert app_check.admin("POST", f"/apps/{APP}/debugTokens", body).status_code == 200
    start(page, app_check, has_provider=True)
    assert page.run(SIGN_UP)
    page.run(LISTEN)
    assert hears(page, None)
    page.run(WRITE, 1)
    page.run(WRITE, 2)
    assert page.run(READ) == {"n": 2}
    assert hears(page, {"n": 2})
    report = app_check.report
    assert (report["unverified"], report["refused"]) == (0, 0)
    assert {call["caller"] for call in report["calls"]} == {APP}
    noted = app_check.control("GET", "/requests")["requests"]
    streams = [call for call in noted if "/channel" in call["path"]]
    assert {call["operation"].rpartition(".")[2] for call in streams} == {"listen", "write"}
    assert {call["appCheck"] for call in streams} == {"verified"}


def is_refused(app_check: AppCheck) -> bool:
    """The SDK takes a stream that is refused for a connection that fails, and goes on trying."""
    return until(lambda: app_check.report["refused"] >= 2)


def test_an_app_without_a_provider(page, app_check):
    app_check.switches(appCheckFirestore="enforce")
    start(page, app_check, has_provider=False)
    page.run(LISTEN)
    assert is_refused(app_check)
    assert [data for data, is_cached in page.run("return heard") if not is_cached] == []
    app_check.switches(appCheckFirestore="off")
    assert hears(page, None)


def test_enforcement_begins_in_the_middle_of_a_stream(page, app_check):
    app_check.switches(appCheckFirestore="monitor")
    start(page, app_check, has_provider=False)
    page.run(LISTEN)
    page.run(WRITE, 1)
    assert hears(page, {"n": 1})
    app_check.switches(appCheckFirestore="enforce")
    assert is_refused(app_check)
    # The stream for writes is open still, and a write is what fails.
    assert page.error(WRITE, 2) == "permission-denied"
    app_check.switches(appCheckFirestore="off")
    page.run(WRITE, 3)
    assert hears(page, {"n": 3})
