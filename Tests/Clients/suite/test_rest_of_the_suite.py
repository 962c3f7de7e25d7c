"""The official suite's other emulators run beside Hearth, as a child that is wired to it."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys

import pytest
import requests
from support.server import READY, binary, end_of, free_port
from support.waiting import until

STANDIN = pathlib.Path(__file__).with_name("standin_firebase.py")


class Place:
    """A project whose node_modules have the stand-in, on a machine with Java."""

    def __init__(self, folder, java=True):
        self.folder = folder
        self.functions, self.storage = free_port(), free_port()
        self.settings = {
            "functions": {"source": "functions"},
            "storage": {"rules": "storage.rules"},
            "emulators": {
                "auth": {"port": 0},
                "firestore": {"port": 0},
                "functions": {"port": self.functions},
                "storage": {"port": self.storage},
                "hub": {"port": 0},
                "ui": {"enabled": False},
            },
        }
        (folder / "firebase.json").write_text(json.dumps(self.settings))
        tools = folder / "node_modules/.bin"
        tools.mkdir(parents=True)
        self.program(tools / "firebase", f'exec "{sys.executable}" "{STANDIN}" "$@"')
        (folder / "bin").mkdir()
        # No Java of this machine.
        for program in ("sh", "sleep"):
            (folder / "bin" / program).symlink_to(shutil.which(program))
        if java:
            self.program(folder / "bin/java", "exit 0")
        (folder / "tmp").mkdir()
        self.record = folder / "record.json"
        self.environment = {
            **{
                k: v
                for k, v in os.environ.items()
                if not k.startswith(("HEARTH_", "FIREBASE_", "FIRESTORE_", "GCLOUD"))
            },
            "PATH": f"{folder}/bin",
            "TMPDIR": str(folder / "tmp"),
            "STANDIN_RECORD": str(self.record),
        }

    @staticmethod
    def program(place, script):
        place.write_text(f"#!/bin/sh\n{script}\n")
        place.chmod(0o755)

    def command(self, *arguments):
        mail = ["--smtp-port", "none", "--smtp-tls-port", "none", "--mail-api-port", "none"]
        return [binary(), arguments[0], *mail, "--project", "demo-suite", *arguments[1:]]

    def old_java(self, version):
        (self.folder / "jdk/bin").mkdir(parents=True)
        (self.folder / "jdk/release").write_text(f'IMPLEMENTOR="X"\nJAVA_VERSION="{version}"\n')
        (self.folder / "bin/java").rename(self.folder / "jdk/bin/java")
        (self.folder / "bin/java").symlink_to("../jdk/bin/java")

    def run(self, *arguments, **variables):
        return subprocess.run(
            self.command(*arguments),
            capture_output=True,
            text=True,
            timeout=60,
            cwd=self.folder,
            env={**self.environment, **variables},
        )

    def recorded(self):
        return json.loads(self.record.read_text())

    def left_over(self):
        return [p.name for p in self.folder.iterdir() if p.name.startswith(".firebase.hearth")]


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


def test_exec_starts_the_rest_and_ends_it(place):
    script = 'echo "$FIREBASE_STORAGE_EMULATOR_HOST" && exit 7'
    done = place.run("emulators:exec", script)
    assert done.returncode == 7, done.stderr
    assert done.stdout == f"127.0.0.1:{place.storage}\n"
    assert "✔  functions: Loaded functions definitions\n" in done.stderr
    assert "│" not in done.stderr and "not part of hearth" not in done.stderr
    called = place.recorded()
    assert called["arguments"][:6] == [
        "emulators:start",
        "--only",
        "functions,storage",
        "--project",
        "demo-suite",
        "--config",
    ]
    assert "--non-interactive" in called["arguments"]
    assert called["folder"] == str(place.folder)
    settings = called["settings"]
    assert settings["functions"] == place.settings["functions"]
    assert set(settings["emulators"]) == {"functions", "storage", "hub", "logging", "ui"}
    assert settings["emulators"]["functions"] == {"port": place.functions}
    assert settings["emulators"]["ui"] == {"enabled": False}
    for name in ("FIREBASE_AUTH_EMULATOR_HOST", "FIRESTORE_EMULATOR_HOST"):
        assert called["environment"][name].startswith("127.0.0.1:")
    with pytest.raises(ProcessLookupError):
        os.kill(called["process"], 0)
    assert place.left_over() == []


def started(place, *arguments):
    """A server that is ready, and what it has said."""
    process = subprocess.Popen(
        place.command("emulators:start", *arguments),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=place.folder,
        env=place.environment,
    )
    lines = []
    for line in process.stdout:
        lines.append(line)
        if line.startswith(READY):
            break
    return process, lines


def hub_of(lines):
    return next(line.split()[1] for line in lines if line.startswith("hub "))


def test_one_interrupt_ends_all_and_exports_all(place):
    process, lines = started(place, "--export-on-exit", "out")
    text = "".join(lines)
    assert f"functions  http://127.0.0.1:{place.functions}\n" in text
    hub = hub_of(lines)
    listed = requests.get(hub + "/emulators", timeout=30).json()
    assert list(listed)[:2] == ["hub", "ui"]
    assert {"auth", "firestore", "functions", "storage", "logging"} <= set(listed)
    assert listed["hub"]["port"] == int(hub.rsplit(":", 1)[1])
    process.send_signal(signal.SIGINT)
    status, rest = end_of(process)
    assert status == 0, rest
    assert "i  hub: Stopping emulator hub" in rest
    metadata = json.loads((place.folder / "out/firebase-export-metadata.json").read_text())
    assert list(metadata) == ["version", "firestore", "auth", "storage"]
    assert (place.folder / "out/storage_export/buckets.json").exists()
    assert (place.folder / "out/auth_export/accounts.json").exists()
    assert place.left_over() == []


def test_the_hub_exports_all_while_they_run(place):
    process, lines = started(place)
    hub = hub_of(lines)
    for targets in (["storage"], ["auth", "firestore", "storage"]):
        body = {"path": str(place.folder / "out"), "targets": targets}
        reply = requests.post(hub + "/_admin/export", json=body, timeout=30)
        assert reply.json() == {"message": "OK"}
        metadata = json.loads((place.folder / "out/firebase-export-metadata.json").read_text())
        assert set(metadata) == {"version", *targets}
        assert (place.folder / "out/storage_export/buckets.json").exists()
    process.send_signal(signal.SIGINT)
    status, rest = end_of(process)
    assert status == 0, rest


def test_a_folder_that_git_has_lost_ends_nothing(place):
    given = place.folder / "given"
    (given / "storage_export").mkdir(parents=True)
    parts = {name: {"path": f"{name}_export"} for name in ("storage", "database")}
    (given / "firebase-export-metadata.json").write_text(json.dumps({"version": "1", **parts}))
    assert place.run("emulators:exec", "--import", "given", "true").returncode == 0
    assert list(place.recorded()["imported"]) == ["version", "storage"]


def test_parts_of_theirs_are_imported_by_them(place):
    given = place.folder / "given"
    (given / "storage_export").mkdir(parents=True)
    (given / "firebase-export-metadata.json").write_text(
        json.dumps({"version": "1", "storage": {"version": "1", "path": "storage_export"}})
    )
    place.run("emulators:exec", "--import", "given", "true")
    called = place.recorded()["arguments"]
    assert called[called.index("--import") + 1] == "given"


def test_what_is_missing_is_one_line(tmp_path):
    place = Place(tmp_path, java=False)
    done = place.run("emulators:exec", "true")
    assert done.returncode == 0
    assert "hearth: no java in PATH: storage will not run\n" in done.stderr
    assert "not part of hearth" not in done.stderr
    assert place.recorded()["arguments"][2] == "functions"
    (tmp_path / "node_modules/.bin/firebase").unlink()
    done = place.run("emulators:exec", "exit 5")
    assert done.returncode == 5
    assert (
        "hearth: firebase-tools is not in node_modules/.bin or PATH (--firebase-tools PATH names "
        "it): functions, storage will not run\n"
    ) in done.stderr
    done = place.run("emulators:exec", "--firebase-tools", "absent", "exit 5")
    assert "hearth: there is no program absent: functions, storage will not run\n" in done.stderr


@pytest.mark.parametrize(("version", "java"), [("15.28.1", "17.0.15"), ("14.23.0", "1.8.0_402")])
def test_a_java_that_is_too_old_is_one_line(place, version, java):
    package = place.folder / "node_modules/firebase-tools"
    (package / "lib/bin").mkdir(parents=True)
    (package / "package.json").write_text(
        json.dumps({"name": "firebase-tools", "version": version})
    )
    command = place.folder / "node_modules/.bin/firebase"
    command.rename(package / "lib/bin/firebase.js")
    command.symlink_to("../firebase-tools/lib/bin/firebase.js")
    place.old_java(java)
    done = place.run("emulators:exec", "true")
    needed, found = ("21", "17") if version.startswith("15") else ("11", "8")
    assert (
        f"hearth: firebase-tools {version} needs java {needed}, and java in PATH is {found}: "
        "storage will not run\n"
    ) in done.stderr
    assert place.recorded()["arguments"][2] == "functions"


def test_tools_that_no_file_tells_of_are_asked_for_their_version(place):
    """As a script of a version manager, in a folder with a name that a shell would read."""
    command = place.folder / "node_modules/.bin/firebase"
    tools = place.folder / "it's here"
    tools.mkdir()
    place.program(tools / "run", command.read_text().splitlines()[1])
    place.program(
        tools / "firebase", f'[ "$1" = --version ] && echo 15.28.1 && exit\nexec "{tools}/run" "$@"'
    )
    place.old_java("17.0.15")
    done = place.run("emulators:exec", "--firebase-tools", str(tools / "firebase"), "true")
    assert done.returncode == 0, done.stderr
    assert (
        "hearth: firebase-tools 15.28.1 needs java 21, and java in PATH is 17: "
        "storage will not run\n"
    ) in done.stderr
    assert place.recorded()["arguments"][2] == "functions"


def test_only_theirs_starts_them_alone(place):
    done = place.run("emulators:exec", "--only", "functions", 'echo "[$FIRESTORE_EMULATOR_HOST]"')
    assert (done.returncode, done.stdout) == (0, "[]\n"), done.stderr
    called = place.recorded()
    assert called["arguments"][2] == "functions"
    assert "FIRESTORE_EMULATOR_HOST" not in called["environment"]
    (place.folder / "node_modules/.bin/firebase").unlink()
    done = place.run("emulators:exec", "--only", "functions", "true")
    assert done.returncode == 1
    assert "Error: --only: nothing of it can run here\n" in done.stderr


def test_the_start_names_what_runs(place):
    process, lines = started(place, "--only", "functions")
    process.send_signal(signal.SIGINT)
    assert end_of(process)[0] == 0
    named = {line.split()[0] for line in lines if "://127.0.0.1:" in line and "=" not in line}
    assert named == {"console", "functions", "hub", "logging"}


def test_a_taken_port_is_one_line(place):
    with socket.create_server(("127.0.0.1", place.functions)):
        done = place.run("emulators:exec", "true")
    assert f"hearth: port {place.functions} is already in use by " in done.stderr
    assert f"(process {os.getpid()}): functions will not run\n" in done.stderr
    assert place.recorded()["arguments"][2] == "storage"


def test_tools_that_end_are_told(place):
    done = place.run("emulators:exec", "exit 4", STANDIN_FAILS="1")
    assert done.returncode == 4
    assert "i  suite: Error: something is wrong\n" in done.stderr
    assert "hearth: functions, storage did not start: " in done.stderr
    assert "ended with status 3\n" in done.stderr
    assert place.left_over() == []


def test_exec_with_the_rest_takes_free_ports(place):
    done = place.run("exec", "--with-rest", "--", "sh", "-c", 'echo "$STORAGE_EMULATOR_HOST"')
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("http://127.0.0.1:")
    ports = place.recorded()["settings"]["emulators"]
    assert ports["storage"]["port"] != place.storage
    assert ports["functions"]["port"] != place.functions


def test_a_port_of_the_rest_is_nobody_elses_before_it_is_opened(place):
    """Not a client's, not that of a server at port 0, and not that of another run."""
    place.program(
        place.folder / "bin/udp",
        f'exec "{sys.executable}" -c \'import socket, sys; '
        's = socket.socket(type=socket.SOCK_DGRAM); s.bind(("127.0.0.1", int(sys.argv[1])))\' "$1"',
    )
    done = place.run(
        "exec", "--with-rest", "--", "sh", "-c", 'udp "${FIREBASE_STORAGE_EMULATOR_HOST#*:}"'
    )
    assert "Address already in use" in done.stderr
    entries = place.recorded()["settings"]["emulators"].values()
    ports = [entry["port"] for entry in entries if "port" in entry]
    given_out = pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()
    assert len(ports) > 4 and all(port < int(given_out[0]) for port in ports)


def test_only_chooses_and_passes_groups_on(place):
    place.run("emulators:exec", "--only", "auth,functions:api", "true")
    assert place.recorded()["arguments"][2] == "functions:api"
    place.record.unlink()
    place.run("emulators:exec", "--only", "auth,firestore", "true")
    assert not place.record.exists()


def test_plain_hearth_starts_nothing_unasked(place):
    done = place.run("exec", "--", "sh", "-c", "exit 0")
    assert done.returncode == 0
    assert not place.record.exists()


def test_killing_the_start_leaves_nothing(place):
    (place.folder / "node_modules/.bin/firebase").write_text(
        f'#!/bin/sh\necho $$ > "{place.folder}/pid"\nexec sleep 1000\n'
    )
    process = subprocess.Popen(
        place.command("emulators:exec", "true"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=place.folder,
        env=place.environment,
    )
    pid = place.folder / "pid"
    until(lambda: pid.exists() and pid.read_text().strip())
    process.terminate()
    status, rest = end_of(process)
    assert status == 128 + signal.SIGTERM, rest

    def is_gone():
        # In a container without an init process an orphan that has ended stays as a zombie.
        ps = ["ps", "-o", "stat=", "-p", pid.read_text().strip()]
        state = subprocess.run(ps, capture_output=True, text=True).stdout.strip()
        return not state or state.startswith("Z")

    until(is_gone)
    assert place.left_over() == []
