"""App Check, Auth and Firestore Lite of the JavaScript SDK, from its sources.

No package of the Python index has App Check. Where a copy of the repository firebase-js-sdk is in
.build/firebase-js-sdk, or in the folder that HEARTH_FIREBASE_JS_SDK names, esbuild makes one script
of it; elsewhere the tests are skipped. Two libraries that the SDK imports come from the package of
`js_sdk`.
"""

import json
import os
import pathlib
import shutil
import subprocess

import pytest
from support.js_sdk import STREAMLIT
from support.server import ROOT

ENTRY = """
export { initializeApp, deleteApp, SDK_VERSION } from "@firebase/app";
export { initializeAppCheck, getToken, getLimitedUseToken, CustomProvider, ReCaptchaV3Provider }
  from "@firebase/app-check";
export { initializeAuth, inMemoryPersistence, connectAuthEmulator, signInAnonymously }
  from "@firebase/auth";
export { getFirestore, connectFirestoreEmulator, doc, getDoc, setDoc }
  from "@firebase/firestore/lite";
"""
PATHS = {
    "app": "app/src/index.ts",
    "app-check": "app-check/src/index.ts",
    "auth": "auth/index.ts",
    "auth/internal": "auth/internal/index.ts",
    "component": "component/index.ts",
    "firestore/lite": "firestore/lite/index.ts",
    "logger": "logger/index.ts",
    "util": "util/index.ts",
}
# What is not in the repository. Nothing that the tests call comes to it.
ABSENT = {
    "@firebase/webchannel-wrapper/bloom-blob": "exports.Integer = class {};",
    "@firebase/webchannel-wrapper/webchannel-blob": "",
    "re2js": "",
}


def sources() -> pathlib.Path:
    given = os.environ.get("HEARTH_FIREBASE_JS_SDK")
    folder = pathlib.Path(given or ROOT / ".build" / "firebase-js-sdk") / "packages"
    if not folder.is_dir():
        pytest.skip("there is no copy of firebase-js-sdk")
    if not shutil.which("esbuild"):
        pytest.skip("esbuild is not installed")
    return folder


def app_check_script(folder: pathlib.Path) -> str:
    """The SDK as one script that makes a global `fb`."""
    shutil.copytree(
        sources(), folder / "packages", ignore=shutil.ignore_patterns("test", "*.test.ts")
    )
    source_map = json.loads(STREAMLIT.read(".js.map"))
    modules = {
        rest: text
        for name, text in zip(source_map["sources"], source_map["sourcesContent"])
        if (rest := name.rpartition("node_modules/")[2]).startswith(("idb/", "tslib/"))
    }
    modules["idb/package.json"] = '{"name": "idb", "main": "build/index.js"}'
    modules["tslib/package.json"] = '{"name": "tslib", "main": "tslib.es6.mjs"}'
    modules |= {f"{name}.js": "exports.isAbsent = true;" + text for name, text in ABSENT.items()}
    for name, text in modules.items():
        path = folder / "node_modules" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    # As the SDK's own build chooses the modules for browsers.
    platform = folder / "packages/firestore/src/platform"
    for path in (platform / "browser_lite").glob("*.ts"):
        if (platform / path.name).exists():
            (platform / path.name).write_text(f'export * from "./browser_lite/{path.stem}";\n')
    paths = {f"@firebase/{name}": [f"./packages/{path}"] for name, path in PATHS.items()}
    options = {"paths": paths, "target": "es2020", "useDefineForClassFields": False}
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": options}))
    (folder / "entry.ts").write_text(ENTRY)
    command = [
        "esbuild",
        "entry.ts",
        "--bundle",
        "--format=iife",
        "--global-name=fb",
        "--target=es2020",
    ]
    made = subprocess.run(
        [*command, "--tsconfig=tsconfig.json", "--log-level=error"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert made.returncode == 0, made.stderr
    return made.stdout
