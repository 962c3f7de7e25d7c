"""The action for GitHub: its steps run here as a runner would run them."""

import contextlib
import os
import pathlib
import platform
import re
import shutil
import signal
import subprocess
import sys
import tarfile
from hashlib import sha256

import pytest
from ruamel.yaml import YAML
from support.packages.installed import ROOT, clean_environment, run
from support.server import binary

FOLDER = ROOT / ".github/actions/hearth"
ACTION = YAML(typ="safe").load(FOLDER / "action.yml")
NAME = f"hearth-0.1.0-linux-{platform.machine()}"


WORKFLOWS = re.findall(
    r"```yaml\n(name: .*?)```", (ROOT / "Sources/hearth/Hearth.docc/CI.md").read_text(), re.DOTALL
)


def checked(schema: str, file: pathlib.Path) -> subprocess.CompletedProcess:
    """The result of checking a file against a published schema, which the tool carries."""
    words = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", f"vendor.{schema}", file]
    return subprocess.run(words, capture_output=True, text=True)


def test_the_action_is_what_github_accepts(tmp_path):
    assert checked("github-actions", FOLDER / "action.yml").returncode == 0
    broken = tmp_path / "action.yml"
    broken.write_text(
        (FOLDER / "action.yml").read_text().replace("using: composite", "using: shell")
    )
    assert checked("github-actions", broken).returncode == 1


@pytest.mark.parametrize("number", range(len(WORKFLOWS)))
def test_the_workflows_of_the_guide_are_what_github_accepts(tmp_path, number):
    file = tmp_path / "workflow.yml"
    file.write_text(WORKFLOWS[number])
    done = checked("github-workflows", file)
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(not shutil.which("actionlint"), reason="actionlint is not installed")
def test_actionlint_finds_nothing_in_the_workflows_of_the_guide(tmp_path):
    run("git", "init", "--quiet", tmp_path)
    shutil.copytree(FOLDER, tmp_path / ".github/actions/hearth")
    (tmp_path / ".github/workflows").mkdir()
    for number, text in enumerate(WORKFLOWS):
        # The action of this source, so that what it is given is compared with what it takes.
        here = re.sub(
            r"uses: \S+/\.github/actions/hearth@\S+", "uses: ./.github/actions/hearth", text
        )
        (tmp_path / f".github/workflows/{number}.yml").write_text(here)
    done = subprocess.run(["actionlint"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_the_workflows_of_the_guide_give_the_action_what_it_takes():
    uses = [
        step.get("with", {})
        for text in WORKFLOWS
        for job in YAML(typ="safe").load(text)["jobs"].values()
        for step in job.get("steps", [])
        if "/.github/actions/hearth@" in step.get("uses", "")
    ]
    required = {name for name, one in ACTION["inputs"].items() if one.get("required")}
    assert uses and all(required <= given.keys() <= ACTION["inputs"].keys() for given in uses)


@pytest.fixture
def release(tmp_path) -> pathlib.Path:
    """The folder of a release, with the archive and its sum."""
    folder = tmp_path / "release"
    folder.mkdir()
    # A link is enough for an archive that is unpacked once, on this machine.
    (tmp_path / "link").symlink_to(os.path.realpath(binary()))
    with tarfile.open(folder / f"{NAME}.tar.gz", "w:gz") as tar:
        tar.add(tmp_path / "link", f"{NAME}/bin/hearth")
    write_sums(folder)
    return folder


def write_sums(folder: pathlib.Path) -> None:
    content = (folder / f"{NAME}.tar.gz").read_bytes()
    (folder / "SHA256SUMS").write_text(f"{sha256(content).hexdigest()}  {NAME}.tar.gz\n")


class Job:
    """What a runner keeps from step to step."""

    def __init__(self, folder: pathlib.Path, **inputs: str):
        self.folder = folder
        self.inputs = {
            name: inputs.get(name, one.get("default", "")) for name, one in ACTION["inputs"].items()
        }
        names = ("GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT")
        self.files = {name: folder / name for name in names}
        for file in self.files.values():
            file.touch()
        (folder / "temp").mkdir(exist_ok=True)

    def environment(self) -> dict[str, str]:
        paths = self.files["GITHUB_PATH"].read_text().split()
        set_before = dict(
            line.split("=", 1) for line in self.files["GITHUB_ENV"].read_text().splitlines()
        )
        known = {name: str(path) for name, path in self.files.items()}
        return clean_environment(
            **known,
            **set_before,
            GITHUB_ACTION_PATH=str(FOLDER),
            GITHUB_SERVER_URL="http://127.0.0.1:1",
            RUNNER_TEMP=str(self.folder / "temp"),
            PATH=":".join([*paths[::-1], os.environ["PATH"]]),
        )

    def text(self, value: str) -> str:
        value = re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: self.inputs[m[1]], value)
        return re.sub(r"\$\{\{ github\.[^}]+ \}\}", "owner/hearth", value)

    def uses(self) -> str:
        """Runs the steps whose conditions hold, until one fails."""
        printed = ""
        for step in ACTION["runs"]["steps"]:
            if step.get("if") == "inputs.start == 'true'" and self.inputs["start"] != "true":
                continue
            given = {name: self.text(value) for name, value in step["env"].items()}
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                env={**self.environment(), **given},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=60,
                cwd=self.folder,
            )
            printed += done.stdout
            self.status = done.returncode
            if self.status != 0:
                break
        return printed

    def later(self, command: str) -> str:
        """A step after the action."""
        return subprocess.run(
            ["bash", "-ec", command],
            env=self.environment(),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            timeout=60,
        ).stdout

    def end(self) -> None:
        """Ends what the job has left running, as a runner does: by the folder that it runs in."""
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                if (process / "cwd").resolve() == self.folder:
                    os.kill(int(process.name), signal.SIGTERM)


def test_a_server_runs_for_the_later_steps(release, tmp_path):
    job = Job(tmp_path, version="0.1.0", **{"from": str(release)}, flags="--project demo-job")
    try:
        words = job.uses()
        assert job.status == 0, words
        assert "Hearth runs at http://127.0.0.1:" in words
        assert job.later("hearth health --wait 10s; echo $GCLOUD_PROJECT").endswith("demo-job\n")
        overview = job.later('curl --silent --fail "$HEARTH_CONSOLE_URL/emulator/v1/overview"')
        assert '"defaultProject":"demo-job"' in overview
        lines = job.files["GITHUB_OUTPUT"].read_text().splitlines()
        outputs = dict(line.split("=", 1) for line in lines)
        assert outputs["console-url"] == job.later("printf %s $HEARTH_CONSOLE_URL")
        assert pathlib.Path(outputs["path"]).name == "hearth"
        handed_on = job.files["GITHUB_ENV"].read_text()
        assert "FIRESTORE_EMULATOR_HOST=" in handed_on and "HEARTH_ACTION" not in handed_on
    finally:
        job.end()


def test_the_command_alone(release, tmp_path):
    job = Job(tmp_path, version="0.1.0", start="false", **{"from": str(release)})
    words = job.uses()
    assert job.status == 0, words
    assert job.files["GITHUB_ENV"].read_text() == ""
    assert job.later("hearth exec -- sh -c 'echo $GCLOUD_PROJECT'") == "demo-hearth\n"


def test_another_file_is_refused(release, tmp_path):
    with (release / f"{NAME}.tar.gz").open("ab") as archive:
        archive.write(b"more")
    job = Job(tmp_path, version="0.1.0", **{"from": f"file://{release}"})
    assert "is not the file that SHA256SUMS names" in job.uses() and job.status == 1
    (release / "SHA256SUMS").write_text("")
    assert "is not the file that SHA256SUMS names" in job.uses() and job.status == 1
    assert job.files["GITHUB_PATH"].read_text() == ""


def test_a_missing_release_is_named(tmp_path):
    job = Job(tmp_path, version="9.9.9")
    words = job.uses()
    assert job.status == 1
    place = "http://127.0.0.1:1/owner/hearth/releases/download/v9.9.9"
    assert f"Not found: {place}/hearth-9.9.9-" in words


def test_a_server_that_does_not_start_fails_the_job(release, tmp_path):
    job = Job(tmp_path, version="0.1.0", **{"from": str(release)}, flags="--rules /no/rules")
    words = job.uses()
    assert job.status == 1 and "Hearth did not start" in words and "/no/rules" in words


def test_the_action_is_well_formed():
    assert ACTION["runs"]["using"] == "composite"
    steps = ACTION["runs"]["steps"]
    assert all(step["shell"] == "bash" and step["name"] for step in steps)
    used = set(re.findall(r"inputs\.([\w-]+)", (FOLDER / "action.yml").read_text()))
    assert used == set(ACTION["inputs"])
    for output in ACTION["outputs"].values():
        place = re.fullmatch(r"\$\{\{ steps\.(\w+)\.outputs\.([\w-]+) \}\}", output["value"])
        assert place[1] in {one["id"] for one in steps}
        assert f"{place[2]}=" in (FOLDER / place[1]).read_text()


@pytest.mark.skipif(not shutil.which("shellcheck"), reason="shellcheck is not installed")
def test_shellcheck_finds_nothing():
    run(
        "shellcheck",
        FOLDER / "install",
        FOLDER / "start",
        ROOT / "Tests/Clients/packages/node-modules",
    )
