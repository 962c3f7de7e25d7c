"""The npm packages: the command, the client, and setupHearth() with `node --test` and Jest."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
from contextlib import suppress

import pytest
from support.packages.installed import (
    CONTRACT,
    ROOT,
    build,
    clean_environment,
    debian_module,
    dialects,
    node_project,
    run,
    stripped,
)
from support.server import READY
from support.terminal import at_a_terminal
from support.waiting import refuses, until

if shutil.which("node") is None:
    pytest.skip("node is not installed", allow_module_level=True)

COMMAND = "node_modules/hearth-emulator/bin/hearth.cjs"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("npm")


@pytest.fixture(scope="module")
def archives(folder):
    return build("js", folder, "--binary", stripped(folder))


@pytest.fixture(scope="module")
def project(folder, archives):
    return node_project(folder / "project", *archives)


@pytest.fixture(scope="module")
def without_binary(folder, archives):
    return node_project(folder / "without", archives[0])


# MARK: The packages


def test_the_packages_have_the_same_bytes_again(folder, archives):
    again = build("js", folder / "again", "--binary", folder / "hearth")
    assert [path.name for path in again] == [path.name for path in archives]
    assert [path.read_bytes() for path in again] == [path.read_bytes() for path in archives]


def test_the_packages_are_what_npm_would_pack_and_install(folder, archives):
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    one = node_project(folder / "packed", archives[0]) / "node_modules/hearth-emulator"
    [packed] = json.loads(run("npm", "pack", "--dry-run", "--json", "--offline", cwd=one))
    with tarfile.open(archives[0]) as tar:
        ours = {
            (name.removeprefix("package/"), tar.getmember(name).mode & 0o100)
            for name in tar.getnames()
        }
    assert {(file["path"], file["mode"] & 0o100) for file in packed["files"]} == ours
    # npm would fetch them by names that anybody can register.
    manifest = json.loads((one / "package.json").read_text())
    assert not [name for name in manifest if "dependencies" in name.lower()]
    empty = node_project(folder / "installed")
    run("npm", "install", "--offline", "--no-audit", "--no-fund", *archives[::-1], cwd=empty)
    assert run("npx", "--offline", "hearth", "--version", cwd=empty).startswith("hearth 0.")


def test_the_declarations_are_right(project):
    compiler, variables = debian_module("typescript/lib/tsc.js", project)
    (project / "sample.mts").write_text("""
import { HearthError, HearthServer, customToken, setupHearth } from "hearth-emulator";
const hearth = setupHearth({ flags: ["--profile", "production"] });
const code: string = await hearth.waitForCode("ann", { type: "PASSWORD_RESET", within: 10 });
await hearth.addFault("*", { latency: "2s" }, { times: 1 });
// @ts-expect-error An unknown type.
await hearth.waitForCode("ann", { type: "RESET" });
const server: HearthServer = await HearthServer.find();
await hearth.server.stop();
export { HearthError, code, customToken, server };
""")
    run(
        "node",
        compiler,
        "--noEmit",
        "--strict",
        "--module",
        "nodenext",
        "--target",
        "es2022",
        "--lib",
        "es2022",
        "sample.mts",
        cwd=project,
        **variables,
    )


def test_both_ways_to_import_have_the_same_names(project):
    show = "console.log(Object.keys(all).sort())"
    imported = run(
        "node",
        "--input-type=module",
        "-e",
        f"import * as all from 'hearth-emulator'; {show}",
        cwd=project,
    )
    required = run("node", "-e", f"const all = require('hearth-emulator'); {show}", cwd=project)
    assert imported == required and "setupHearth" in imported


# MARK: The command


def test_the_command_ends_as_the_binary_does(project):
    assert run("node", COMMAND, "--version", cwd=project).startswith("hearth 0.")
    run("node", COMMAND, "exec", "--", "sh", "-c", "exit 7", cwd=project, status=7)
    run("node", COMMAND, "exec", "--", "sh", "-c", "kill -9 $$", cwd=project, status=137)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_signals_reach_the_binary(project, name):
    command = [
        "exec",
        "--log-level",
        "warning",
        "--",
        "sh",
        "-c",
        f"trap 'exit 5' {name[3:]}; echo ready; while :; do sleep 0.05; done",
    ]
    process = subprocess.Popen(
        ["node", COMMAND, *command],
        cwd=project,
        stdout=subprocess.PIPE,
        text=True,
        env=clean_environment(),
        start_new_session=True,
    )
    with process:
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.Signals[name])
        assert process.wait(60) == 5


def test_a_key_that_interrupts_comes_to_the_command_once(project):
    """The terminal sends it to the launcher, to hearth and to the command."""
    script = project / "counts.py"
    script.write_text(
        "import os, signal, sys\n"
        "signals = {signal.SIGINT, signal.SIGUSR2}\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, signals)\n"
        "print('ready', flush=True)\n"
        "signal.sigwait({signal.SIGINT})\n"
        # The launcher passes this one on, after a second SIGINT if there were one.
        "os.kill(os.getsid(0), signal.SIGUSR2)\n"
        "sys.exit(41 if signal.sigwait(signals) == signal.SIGUSR2 else 42)\n"
    )
    _, status = at_a_terminal(
        shutil.which("node"),
        str(project / COMMAND),
        "exec",
        "--",
        sys.executable,
        str(script),
        keys=b"\x03",
    )
    assert status == 41


def test_a_server_stops_by_a_signal(project):
    ports = [word for port in ("auth", "firestore", "console") for word in (f"--{port}-port", "0")]
    none = [
        word
        for port in ("hub", "smtp", "smtp-tls", "mail-api")
        for word in (f"--{port}-port", "none")
    ]
    with subprocess.Popen(
        ["node", COMMAND, *ports, *none],
        cwd=project,
        stdout=subprocess.PIPE,
        text=True,
        env=clean_environment(),
    ) as process:
        assert any(line.startswith(READY) for line in process.stdout)
        process.terminate()
        assert process.wait(60) == 0


@pytest.mark.parametrize(
    "command", [["npx", "--offline", "hearth"], ["npm", "run", "hearth", "--"]]
)
def test_a_signal_to_npm_ends_the_server(folder, archives, command):
    """npm hands it on to a shell, which dies of it and tells nobody."""
    if shutil.which("npm") is None:
        pytest.skip("npm is not installed")
    project = node_project(folder / f"by-{command[0]}", *archives)
    (project / "package.json").write_text(
        json.dumps({"name": "a-project", "private": True, "scripts": {"hearth": "hearth"}})
    )
    links = project / "node_modules/.bin"
    links.mkdir()
    (links / "hearth").symlink_to(f"../../{COMMAND}")
    process = subprocess.Popen(
        [
            *command,
            "exec",
            "--log-level",
            "warning",
            "--",
            "sh",
            "-c",
            "trap 'sleep 1; echo ended well; exit' TERM; echo ready; while :; do sleep 0.05; done",
        ],
        cwd=project,
        stdout=subprocess.PIPE,
        text=True,
        env=clean_environment(),
        start_new_session=True,
    )
    try:
        assert any(line == "ready\n" for line in process.stdout)
        process.terminate()
        # All that have the pipe end, and the command has got the signal once.
        words, _ = process.communicate(timeout=60)
        assert words.splitlines()[-1:] == ["ended well"]
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(60)


def test_a_machine_without_a_binary_is_told_what_there_is(without_binary, folder):
    node = os.path.dirname(shutil.which("node"))
    words = run(f"{node}/node", COMMAND, "--version", cwd=without_binary, status=1, PATH="/nowhere")
    assert "has no binary for this machine" in words and "linux-x64" in words
    assert (
        "install the file of hearth-emulator-linux-x64" in words and "HEARTH_CONSOLE_URL" in words
    )
    elsewhere = {"HEARTH_BINARY": str(folder / "hearth")}
    words = run(f"{node}/node", COMMAND, "--version", cwd=without_binary, **elsewhere)
    assert words.startswith("hearth 0.")
    path = f"{without_binary / 'node_modules/hearth-emulator/bin'}:{folder}"
    words = run(f"{node}/node", COMMAND, "--version", cwd=without_binary, PATH=path)
    assert words.startswith("hearth 0.")


# MARK: setupHearth()


def test_the_contract_with_node(project, tmp_path):
    shutil.copy(CONTRACT / "contract.test.cjs", project)
    words = run("node", "--test", "contract.test.cjs", cwd=project, DIALECTS=dialects(tmp_path))
    assert re.search(r"^(# |ℹ )fail 0$", words, re.MULTILINE), words


def test_the_contract_with_jest(project, tmp_path):
    jest, variables = debian_module("jest-cli/bin/jest.js", project)
    shutil.copy(CONTRACT / "contract.test.cjs", project)
    # Some tests start servers, and Jest gives each five seconds.
    words = run(
        "node",
        jest,
        "--ci",
        "--testTimeout",
        120_000,
        "--testMatch",
        "**/contract.test.cjs",
        cwd=project,
        DIALECTS=dialects(tmp_path),
        **variables,
    )
    assert re.search(r"^Tests: +\d+ passed, \d+ total$", words, re.MULTILINE), words
    assert "did not exit" not in words


def test_the_example_of_the_guide(project):
    shutil.copy(ROOT / "Sources/hearth-js/example/first.test.mjs", project)
    words = run("node", "--test", "first.test.mjs", cwd=project)
    assert re.search(r"^(# |ℹ )pass 1$", words, re.MULTILINE), words


# No more than what the adapters call; Vitest and Playwright themselves are not to be had here.
STUBS = {
    "vitest": """
import { after, afterEach, before, beforeEach, test } from "node:test";
export { after as afterAll, afterEach, before as beforeAll, beforeEach, test };
""",
    "@playwright/test": """
export const test = { extend: (fixtures) => fixtures };
export const expect = {};
""",
}
ADAPTED = """
import assert from "node:assert/strict";
import { test } from "vitest";
import { test as fixtures } from "hearth-emulator/playwright";
import { setupHearth } from "hearth-emulator/vitest";

const hearth = setupHearth();
test("vitest", async () => assert.equal((await hearth.clock()).offset, "PT0S"));
test("playwright", async () => {
  const [start, { scope }] = fixtures.hearthServer;
  assert.equal(scope, "worker");
  await start({}, (hearthServer) =>
    fixtures.hearth({ hearthServer }, async (project) => assert.deepEqual(await project.users(), [])));
});
"""


def test_the_adapters_call_what_is_there(folder, archives):
    project = node_project(folder / "adapted", *archives)
    for name, text in STUBS.items():
        module = project / "node_modules" / name
        module.mkdir(parents=True)
        (module / "package.json").write_text(json.dumps({"type": "module", "main": "index.js"}))
        (module / "index.js").write_text(text)
    (project / "adapted.test.mjs").write_text(ADAPTED)
    words = run("node", "--test", "adapted.test.mjs", cwd=project)
    assert re.search(r"^(# |ℹ )pass 2$", words, re.MULTILINE), words


SHARED = """
const assert = require("node:assert/strict");
const { test } = require("node:test");
const { setupHearth } = require("hearth-emulator");
const hearth = setupHearth();
test("shared", () => assert.equal(hearth.url, process.env.SHARED));
"""


def test_files_share_the_server_of_hearth_exec(project):
    (project / "shared.test.cjs").write_text(SHARED)
    run(
        "node",
        COMMAND,
        "exec",
        "--",
        "sh",
        "-c",
        "SHARED=$HEARTH_CONSOLE_URL node --test shared.test.cjs",
        cwd=project,
    )


# MARK: The server of a test process


def test_the_server_ends_with_its_process(project):
    endless = """
const { HearthServer } = require("hearth-emulator");
HearthServer.start().then(({ url }) => console.log(new URL(url).port));
process.stdin.resume();
"""
    process = subprocess.Popen(
        ["node", "-e", endless],
        cwd=project,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=clean_environment(),
    )
    with process:
        port = int(process.stdout.readline())
        process.kill()
        process.wait(60)

        until(lambda: refuses(port), what="the end of the server")


def test_a_process_with_a_server_may_end(project):
    """A server that nobody stops does not keep the process."""
    run("node", "-e", "require('hearth-emulator').HearthServer.start()", cwd=project)


FAILING = """
const { test } = require("node:test");
const { setupHearth } = require("hearth-emulator");
setupHearth({ flags: ["--rules", "/no/rules"] });
test("one", () => {});
"""


def test_a_start_that_fails_is_the_only_failure_of_the_hooks(project):
    (project / "failing.test.cjs").write_text(FAILING)
    words = run("node", "--test", "failing.test.cjs", cwd=project, status=1)
    assert "hearth did not start:" in words and "/no/rules" in words
    assert "the server starts before the first test" not in words


def test_a_start_that_fails_says_why(project):
    start = "require('hearth-emulator').HearthServer.start({ flags: ['--rules', '/no/rules'] })"
    words = run("node", "-e", start, cwd=project, status=1)
    assert "hearth did not start:" in words and "/no/rules" in words


EARLY = """
const assert = require("node:assert/strict");
const { test, describe } = require("node:test");
const { setupHearth } = require("hearth-emulator");
const hearth = setupHearth();
for (const name of ["project", "apiKey"]) assert.throws(() => hearth[name], /in tests and in beforeEach/);

test("a subtest has a project of its own", async (t) => {
  const outer = hearth.project;
  await t.test("inner", () => assert.notEqual(hearth.project, outer));
  assert.equal(hearth.project, outer);
  assert.equal(process.env.GCLOUD_PROJECT, outer);
});

describe("side by side", { concurrency: true }, () => {
  let begun = 0;
  let bothRun;
  const both = new Promise((resolve) => { bothRun = resolve; });
  for (const name of ["a", "b"]) {
    test(name, async () => {
      begun += 1;
      if (begun === 2) bothRun();
      await both;
      assert.throws(() => hearth.apiKey, /side by side.*isolatedProject/);
      await assert.rejects(async () => hearth.signUp("a@example.com", "secret1"), /isolatedProject/);
      const own = hearth.isolatedProject();
      assert.ok((await own.signUp("a@example.com", "secret1")).idToken);
    });
  }
});

test("alone again", async () => {
  assert.ok((await hearth.signUp("a@example.com", "secret1")).idToken);
});
"""


def test_a_project_that_is_used_too_early_or_shared_is_told(project):
    (project / "early.test.cjs").write_text(EARLY)
    words = run("node", "--test", "early.test.cjs", cwd=project)
    assert re.search(r"^(# |ℹ )fail 0$", words, re.MULTILINE), words


def test_the_guides_require_form_runs_in_jest(project):
    jest, variables = debian_module("jest-cli/bin/jest.js", project)
    guide = (ROOT / "Sources/hearth/Hearth.docc/Testing-JavaScript.md").read_text()
    [example] = [
        block
        for block in re.findall(r"```js\n(.*?)```", guide, re.DOTALL)
        if block.startswith("const { setupHearth } = require")
    ]
    (project / "guide.test.js").write_text(example)
    words = run("node", jest, "guide.test.js", cwd=project, **variables)
    assert "1 passed" in words, words
