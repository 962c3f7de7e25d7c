"""The container image, as far as it can be proven where no container engine runs: what its file
says, and the binary in a root that holds nothing but itself and its libraries."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest
import requests
from support.server import PROJECT, READY, ROOT, binary

COMPOSE = (ROOT / "docker/compose.yaml").read_text()


def image():
    """The (name, rest) pairs of the last stage: the one that becomes the image."""
    text = (ROOT / "docker/Dockerfile").read_text()
    text = re.sub(r"^\s*#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    last = max(n for n, line in enumerate(lines) if line.startswith("FROM "))
    return [tuple(line.split(" ", 1)) for line in lines[last:]]


IMAGE = image()


def said(name):
    [rest] = [rest for word, rest in IMAGE if word == name]
    return rest


def command(rest):
    """The words of an instruction's JSON form, which needs no shell."""
    return json.loads(rest[rest.index("[") :])


def libraries():
    output = subprocess.run(["ldd", binary()], capture_output=True, text=True, check=True).stdout
    assert "not found" not in output
    return [Path(path) for path in re.findall(r"(/\S+) \(0x", output)]


def test_the_user_is_not_root_and_has_the_number_that_the_image_makes():
    user, group = said("USER").split(":")
    assert user == group and int(user) > 0
    [made] = [rest for name, rest in IMAGE if name == "RUN" and "useradd" in rest]
    assert f"--uid {user} " in made and "-o hearth -g hearth /data" in made
    assert said("VOLUME") == said("WORKDIR") == "/data"


def test_the_labels_name_the_version_and_the_commit_that_the_build_is_given():
    labels = dict(pair.split("=", 1) for pair in shlex.split(said("LABEL")))
    given = {name.partition("=")[0] for word, name in IMAGE if word == "ARG"}
    assert labels["org.opencontainers.image.version"] == "${HEARTH_VERSION}"
    assert labels["org.opencontainers.image.revision"] == "${HEARTH_REVISION}"
    assert labels["org.opencontainers.image.base.name"].split("/")[-1] in said("FROM")
    assert given == {"HEARTH_VERSION", "HEARTH_REVISION"}


def test_the_ports_are_the_defaults_of_the_command():
    options = subprocess.run(
        [binary(), "serve", "--help"], capture_output=True, text=True, timeout=30
    ).stdout
    defaults = re.findall(
        r"^  --(?:auth|firestore|console|smtp|smtp-tls|mail-api)-port\b.*?\(default:\s(\d+)\)",
        options,
        re.DOTALL | re.MULTILINE,
    )
    assert said("EXPOSE").split() == defaults
    assert re.findall(r'"127\.0\.0\.1:(\d+):\1"', COMPOSE) == defaults


def test_health_is_what_hearth_health_says():
    health = command(said("HEALTHCHECK"))
    assert health == ["hearth", "health"]
    assert f"test: {json.dumps(['CMD', *health])}" in COMPOSE
    assert command(said("ENTRYPOINT")) == ["hearth"] and command(said("CMD")) == ["serve"]


def test_the_packages_of_the_image_hold_every_library_that_is_needed():
    release = Path("/etc/os-release").read_text() if Path("/etc/os-release").exists() else ""
    base = re.search(r"debian:(\w+)-slim", said("FROM"))[1]
    if f"VERSION_CODENAME={base}" not in release:
        pytest.skip(f"this machine is not Debian {base}: its packages have other names")
    installed = " ".join(rest for name, rest in IMAGE if name == "RUN" and "apt-get" in rest)
    packages = {"libc6", "libgcc-s1", *installed.split()}  # The first two are in every Debian.
    # Swift's own libraries are inside the image's binary.
    needed = {path.name for path in libraries() if "swift" not in str(path)}
    owners = subprocess.run(
        ["dpkg", "-S", *(f"*/{name}" for name in needed)], capture_output=True, text=True
    ).stdout
    files = re.findall(r"^(\S+?):\S+: (\S+)$", owners, re.MULTILINE)
    assert {Path(file).name for package, file in files if package in packages} == needed


class Container:
    """Our binary as an engine would start it: alone in its root, as its user, as process 1."""

    def __init__(self, root):
        self.root = root
        # An engine's own, and the image's.
        self.environment = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
        self.environment |= dict(pair.split("=", 1) for pair in shlex.split(said("ENV")))
        self.processes = []

    def start(self, *words, **environment):
        inside = 'mount -t proc proc "$0/proc" && exec chroot --userspec="$1" "$0" "${@:2}"'
        process = subprocess.Popen(
            [
                "unshare",
                "--mount",
                "--pid",
                "--fork",
                "bash",
                "-c",
                inside,
                self.root,
                said("USER"),
                *words,
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=self.environment | environment,
        )
        self.processes.append(process)
        return process

    def run(self, *words, **environment):
        process = self.start(*words, **environment)
        output, _ = process.communicate(timeout=60)
        return process.returncode, output

    def serve(self, *flags):
        free = {f"HEARTH_{name}_PORT": "0" for name in ("AUTH", "FIRESTORE", "CONSOLE")}
        process = self.start(*command(said("ENTRYPOINT")), *command(said("CMD")), *flags, **free)
        lines = []
        for line in process.stdout:
            lines.append(line)
            if line.startswith(READY):
                [address] = re.findall(r"^auth +(http://\S+)", "".join(lines), re.MULTILINE)
                return process, address
        raise AssertionError("hearth did not start:\n" + "".join(lines))

    def first(self, process):
        """The process that is number 1 in there."""
        return int(Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text())

    def stop(self, process):
        os.kill(self.first(process), signal.SIGTERM)
        assert process.wait(60) == 0
        process.stdout.close()

    def end(self):
        for process in self.processes:
            if process.poll() is None:
                os.kill(self.first(process), signal.SIGKILL)
                process.wait(60)


def bare_root(root):
    for path in [Path(binary()), *libraries()]:
        place = "/usr/local/bin/hearth" if path == Path(binary()) else path
        copy = Path(f"{root}{place}")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    for folder in (root, root / "proc", root / "data"):
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)
    os.chown(root / "data", *map(int, said("USER").split(":")))


@pytest.fixture
def container():
    if os.geteuid() != 0:
        pytest.skip("only root can change to another root")
    if (
        subprocess.run(
            ["unshare", "--mount", "--pid", "--fork", "true"], stderr=subprocess.DEVNULL
        ).returncode
        != 0
    ):
        pytest.skip("this machine gives out no namespaces")
    with tempfile.TemporaryDirectory() as root:
        bare_root(Path(root))
        container = Container(root)
        yield container
        container.end()


def test_the_binary_serves_from_a_root_with_nothing_else_in_it(container):
    status, version = container.run("hearth", "--version")
    assert (status, version.split(" (")[0]) == (0, "hearth 0.1.0")
    process, address = container.serve("--data", "/data")
    status = Path(f"/proc/{container.first(process)}/status").read_text()
    user = said("USER").split(":")[0]
    assert re.search(r"^Uid:\s+(\d+)", status, re.MULTILINE)[1] == user
    assert re.search(r"^NSpid:.*\t1$", status, re.MULTILINE)
    port = address.rsplit(":", 1)[1]
    health = command(said("HEALTHCHECK"))
    assert container.run(*health, HEARTH_AUTH_PORT=port) == (0, "")

    person = {"email": "ann@example.com", "password": "old secret"}
    accounts = f"{address}/identitytoolkit.googleapis.com/v1/accounts"
    reply = requests.post(f"{accounts}:signUp?key=any", json=person, timeout=30)
    assert reply.status_code == 200, reply.text
    container.stop(process)
    code, words = container.run(*health, HEARTH_AUTH_PORT=port)
    assert code == 1 and "no hearth is ready" in words

    process, address = container.serve("--data", "/data")
    accounts = f"{address}/identitytoolkit.googleapis.com/v1/accounts"
    reply = requests.post(f"{accounts}:signInWithPassword?key=any", json=person, timeout=30)
    assert reply.status_code == 200, reply.text
    listed = requests.get(f"{address}/emulator/v1/projects/{PROJECT}/messages", timeout=30)
    assert listed.json() == {"messages": [], "total": 0}
    container.stop(process)
