"""What a command of `hearth exec --as-google` cannot reach, and what it may."""

import base64
import contextlib
import http.server
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading

import pytest
from support.as_google import PROJECT
from support.server import binary, end_of

LEAVES = """
import socket, sys
names = [line.split(":")[0].strip() for line in open("/proc/net/dev").readlines()[2:]]
print("interfaces", *names)
for address in ("1.1.1.1", "8.8.8.8", "10.0.0.1"):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        try:
            socket.socket(socket.AF_INET, kind).connect((address, 53))
            print("reached", address)
        except OSError as error:
            print("refused", address, error.errno)
for name in ("example.com", "pubsub.example.googleapis.com", "accounts.example"):
    try:
        print("found", name, socket.getaddrinfo(name, 443))
    except socket.gaierror:
        print("unknown", name)
print("metadata", socket.gethostbyname("metadata.google.internal"))
print("user", __import__("os").getuid())
"""


def python(as_google, script: str, **options) -> list[str]:
    return as_google.run(sys.executable, "-c", script, **options).stdout.splitlines()


def test_nothing_leaves_the_namespace(as_google):
    lines = python(as_google, LEAVES)
    assert lines[0] == "interfaces lo"
    assert not [line for line in lines if line.startswith(("reached", "found"))], lines
    # The network is unreachable.
    assert [line.split()[2] for line in lines if line.startswith("refused")] == ["101"] * 6
    assert "metadata 169.254.169.254" in lines
    assert f"user {os.getuid()}" in lines


def test_another_user_has_a_namespace_too(as_google):
    """Without the rights of root, where the system allows it."""
    if os.getuid() != 0:
        pytest.skip("the other tests are run by such a user")
    # pytest's own folders, and those above them, may be root's alone; that of the system is not.
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        program = shutil.copy(binary(), folder)
        os.chmod(program, 0o755)
        os.chown(folder, 65534, 65534)
        done = subprocess.run(
            [
                program,
                "exec",
                "--as-google",
                "--as-google-mode",
                "namespace",
                "--project",
                PROJECT,
                "--",
                "/usr/bin/python3",
                "-c",
                LEAVES,
            ],
            capture_output=True,
            text=True,
            timeout=60,
            user=65534,
            group=65534,
            extra_groups=[],
            cwd=folder,
            env={"PATH": os.environ["PATH"], "HOME": folder, "TMPDIR": folder},
        )
    assert done.returncode == 0, done.stderr
    assert "interfaces lo" in done.stdout and "user 65534" in done.stdout
    assert "reached" not in done.stdout and "found" not in done.stdout


class Database(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"a database")

    def log_message(self, *_):
        pass


@pytest.fixture
def database() -> int:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Database)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def test_a_port_of_the_machine_is_kept(as_google, database):
    script = ["curl", "-sS", f"http://127.0.0.1:{database}/"]
    done = as_google.run(
        *script, "--retry", "8", "--retry-connrefused", flags=("--keep-loopback", str(database))
    )
    assert done.stdout == "a database"
    # Refused: nothing listens there.
    assert as_google.run(*script, status=7).stdout == ""


def test_a_kept_port_is_refused_until_somebody_listens(as_google):
    """As it is outside: loops that wait for a service look for that."""
    with socket.socket() as service:
        service.bind(("127.0.0.1", 0))
        port = service.getsockname()[1]
        process = subprocess.Popen(
            as_google.command(
                sys.executable,
                "-c",
                WAITS_FOR_A_PORT,
                str(port),
                flags=("--keep-loopback", str(port)),
            ),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=as_google.environment(),
        )
        assert process.stdout.readline() == "ConnectionRefusedError\n"
        service.listen()
        connection, _ = service.accept()
        with connection:
            connection.sendall(b"hello")
            assert process.stdout.readline() == "hello\n"
    # It listens no longer.
    assert process.stdout.read() == "ConnectionRefusedError\n"
    assert process.wait(60) == 0
    process.stdout.close()


WAITS_FOR_A_PORT = """
import socket, sys
def hello():
    with socket.create_connection(("127.0.0.1", int(sys.argv[1])), 60) as connection:
        text = connection.recv(5)
        if not text:
            raise ConnectionResetError
        return text.decode()
try:
    hello()
except OSError as error:
    print(type(error).__name__, flush=True)
while True:
    try:
        print(hello(), flush=True)
        break
    except (ConnectionRefusedError, ConnectionResetError):
        pass
while True:
    try:
        hello()
    except ConnectionRefusedError as error:
        print(type(error).__name__, flush=True)
        break
    except ConnectionResetError:
        pass
"""


def test_a_kept_port_of_ipv6_among_many_others(as_google):
    class Server6(http.server.ThreadingHTTPServer):
        address_family = socket.AF_INET6

    with contextlib.ExitStack() as stack:
        # The kernel lists so many in several pieces.
        for _ in range(300):
            other = stack.enter_context(socket.socket(socket.AF_INET6))
            other.bind(("::1", 0))
            other.listen()
        server = stack.enter_context(Server6(("::1", 0), Database))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = server.server_port
        # The relay looks for listeners now and then; until it has found one, connections are refused.
        done = as_google.run(
            "curl",
            "-sS",
            "--retry",
            "20",
            "--retry-delay",
            "1",
            "--retry-connrefused",
            f"http://127.0.0.1:{port}/",
            flags=("--keep-loopback", str(port)),
        )
        server.shutdown()
    assert done.stdout == "a database"


PROXIES = ["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "GRPC_PROXY", "NO_PROXY", "NO_GRPC_PROXY"]


def test_proxies_are_hidden_in_a_namespace(as_google):
    corporate = dict.fromkeys(PROXIES, "http://proxy.invalid:3128")
    corporate |= {name.lower(): value for name, value in corporate.items()}
    done = as_google.run(
        "sh",
        "-c",
        "env | grep -i '^[a-z_]*_proxy='; echo $JAVA_TOOL_OPTIONS; "
        "curl -sS -o /dev/null -w '%{http_code}' https://www.googleapis.com/oauth2/v3/certs",
        JAVA_TOOL_OPTIONS="-Xmx64m -Dhttps.proxyHost=proxy.invalid -Dhttps.proxyPort=3128",
        **corporate,
    )
    options, status = done.stdout.splitlines()
    assert status == "200" and options.startswith("-Xmx64m -D") and "roxy" not in options
    assert "HTTPS_PROXY is hidden" in done.stderr and "no_grpc_proxy is hidden" in done.stderr
    kept = as_google.run(
        "sh",
        "-c",
        "echo $ALL_PROXY",
        flags=("--keep-env", "ALL_PROXY"),
        ALL_PROXY="socks5://127.0.0.1:1",
    )
    assert kept.stdout == "socks5://127.0.0.1:1\n"


def test_a_proxy_is_the_only_one_in_proxy_mode(as_google):
    done = as_google.run(
        "sh",
        "-c",
        "env | grep -i '^[a-z_]*_proxy='",
        flags=("--as-google-mode", "proxy"),
        no_grpc_proxy="googleapis.com",
        NO_GRPC_PROXY="googleapis.com",
        no_proxy="googleapis.com",
        ALL_PROXY="socks5://127.0.0.1:1",
        all_proxy="socks5://127.0.0.1:1",
    )
    found = dict(line.split("=", 1) for line in done.stdout.splitlines())
    here = {name: value for name, value in found.items() if "NO_" in name.upper()}
    assert set(here) == {"NO_PROXY", "no_proxy", "no_grpc_proxy"}
    assert set(here.values()) == {"localhost,127.0.0.1,::1"}
    assert set(found) - set(here) - {"NODE_USE_ENV_PROXY"} == {
        "HTTPS_PROXY",
        "https_proxy",
        "HTTP_PROXY",
        "http_proxy",
        "grpc_proxy",
    }


def test_the_metadata_server_has_its_names(as_google):
    script = """
import socket
names = ("metadata.google.internal", "metadata.google.internal.", "metadata")
print(*[socket.gethostbyname(name) for name in names])
"""
    assert python(as_google, script) == [" ".join(["169.254.169.254"] * 3)]


def test_the_console_has_one_address_inside_and_outside(as_google):
    script = """
      import os, urllib.request
      url = os.environ["HEARTH_CONSOLE_URL"]
      print(urllib.request.urlopen(url + "/").status, os.environ["HEARTH_AS_GOOGLE"])
    """
    assert python(as_google, "\n".join(line.strip() for line in script.splitlines())) == ["200 1"]


# MARK: Credentials


def test_real_credentials_are_hidden(as_google):
    real = as_google.home / "real.json"
    real.write_text('{"type": "service_account"}')
    gcloud = as_google.home / ".config" / "gcloud"
    gcloud.mkdir(parents=True)
    (gcloud / "application_default_credentials.json").write_text("{}")
    done = as_google.run(
        "sh",
        "-c",
        'ls -A ~/.config/gcloud; echo "[$FIREBASE_TOKEN]"; '
        "echo $GOOGLE_APPLICATION_CREDENTIALS; echo $MINE; env | grep -c EMULATOR",
        status=None,
        GOOGLE_APPLICATION_CREDENTIALS=str(real),
        FIREBASE_TOKEN="1//real",
        FIREBASE_AUTH_EMULATOR_HOST="127.0.0.1:1",
        MINE="kept",
    )
    token, path, mine, count = done.stdout.splitlines()
    assert (token, mine, count) == ("[]", "kept", "0") and path != str(real)
    for name in (
        "FIREBASE_TOKEN is hidden",
        "GOOGLE_APPLICATION_CREDENTIALS is replaced",
        "FIREBASE_AUTH_EMULATOR_HOST is hidden",
    ):
        assert name in done.stderr
    # Nothing of the user was changed.
    assert (gcloud / "application_default_credentials.json").read_text() == "{}"


KEY = '{"type": "service_account", "private_key": "real"}'


def test_keys_in_variables_are_hidden(as_google):
    """Whatever the variables are called."""
    named = (
        "GOOGLE_APPLICATION_CREDENTIALS_JSON",
        "GCLOUD_SERVICE_KEY",
        "GOOGLE_GHA_CREDS_PATH",
        "GOOGLE_CLOUD_QUOTA_PROJECT",
        "GOOGLE_CLOUD_UNIVERSE_DOMAIN",
    )
    hidden = dict.fromkeys(named, "x") | {
        "MY_KEY": "\n " + KEY,
        "MY_BASE64": base64.b64encode(KEY.encode()).decode(),
    }
    kept = {"MY_JSON": '{"type": "module"}', "MY_TEXT": "{", "MY_TOKEN": "eyJhbGciOiJub25lIn0.e30."}
    done = as_google.run(
        sys.executable,
        "-c",
        "import os; print(*os.environ, os.environ['CLOUDSDK_CORE_PROJECT'])",
        CLOUDSDK_CORE_PROJECT="acme-prod",
        **hidden,
        **kept,
    )
    found = done.stdout.split()
    assert not set(hidden) & set(found) and set(kept) <= set(found)
    assert found[-1] == PROJECT
    for name in hidden:
        assert f"{name} is hidden" in done.stderr
    assert "real" not in done.stderr


def test_a_variable_is_kept_on_request(as_google):
    done = as_google.run(
        "sh",
        "-c",
        "echo $FIREBASE_TOKEN",
        flags=("--keep-env", "FIREBASE_TOKEN"),
        FIREBASE_TOKEN="1//mine",
    )
    assert done.stdout == "1//mine\n"


def test_a_project_that_may_be_real_needs_consent(as_google):
    command = [binary(), "exec", "--as-google", "--project", "acme-prod", "--", "true"]
    options = {"capture_output": True, "text": True, "timeout": 60, "env": as_google.environment()}
    refused = subprocess.run(command, **options)
    assert refused.returncode == 64 and "--allow-real-project" in refused.stderr
    command.insert(3, "--allow-real-project")
    assert subprocess.run(command, **options).returncode == 0


def test_secrets_of_others_are_not_handed_on(as_google):
    """Any key is right for Hearth's SES, and the relay is not the command's."""
    secrets = {
        "AWS_ACCESS_KEY_ID": "AKIAREAL",
        "AWS_SECRET_ACCESS_KEY": "real",
        "AWS_SESSION_TOKEN": "real",
        "HEARTH_SMTP_RELAY": "smtp://user:real@127.0.0.1:9",
    }
    script = 'echo "$AWS_ACCESS_KEY_ID $AWS_SECRET_ACCESS_KEY"; env | grep -c real'
    done = as_google.run("sh", "-c", script, status=None, **secrets)
    assert done.stdout.splitlines() == ["hearth hearth", "0"]
    for name in ("AWS_SECRET_ACCESS_KEY is replaced", "HEARTH_SMTP_RELAY is hidden"):
        assert name in done.stderr
    kept = as_google.run(
        "sh",
        "-c",
        "echo $AWS_SECRET_ACCESS_KEY",
        flags=("--keep-env", "AWS_SECRET_ACCESS_KEY"),
        **secrets,
    )
    assert kept.stdout == "real\n"


def test_a_proxy_is_refused_beside_real_credentials(as_google):
    done = as_google.run(
        "true",
        flags=("--project", "acme-prod", "--allow-real-project", "--as-google-mode", "proxy"),
        status=None,
        FIREBASE_TOKEN="1//real",
    )
    assert done.returncode != 0 and "FIREBASE_TOKEN" in done.stderr


# MARK: The process


@pytest.mark.parametrize(
    "command, status",
    [
        (["sh", "-c", "exit 3"], 3),
        (["no-such-command"], 127),
        (["/etc/hosts"], 126),
        (["sh", "-c", "kill -TERM $$"], 143),
    ],
)
def test_the_status_of_the_command(as_google, command, status):
    assert as_google.run(*command, status=status).stdout == ""


WAITS_FOR_A_SIGNAL = """
import signal
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
print("ready", flush=True)
signal.sigwait({signal.SIGTERM})
print("heard")
raise SystemExit(9)
"""


def test_signals_reach_the_command(as_google):
    process = subprocess.Popen(
        as_google.command(sys.executable, "-c", WAITS_FOR_A_SIGNAL),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=as_google.environment(),
    )
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGTERM)
    assert end_of(process) == (9, "heard\n")
    process.stdout.close()


def test_no_file_outside_of_the_command_s_folder_changes(as_google, tmp_path):
    places = [pathlib.Path(place) for place in ("/etc", "/usr/local/share/ca-certificates")]

    def state() -> dict:
        found = {}
        for place in [*places, as_google.home]:
            for path in place.rglob("*"):
                try:
                    status = path.lstat()
                except OSError:
                    continue
                found[path] = (status.st_size, status.st_mtime_ns)
        return found

    temporary = tmp_path / "temporary"
    temporary.mkdir()
    before = state()
    as_google.run("curl", "-sS", "https://www.googleapis.com/", TMPDIR=str(temporary))
    assert state() == before
    assert list(temporary.iterdir()) == []


def waiting(as_google, temporary: pathlib.Path, *kind: str) -> subprocess.Popen:
    """A command that runs until its input ends."""
    process = subprocess.Popen(
        [
            binary(),
            "exec",
            *kind,
            "--project",
            PROJECT,
            "--hub-port",
            "none",
            "--",
            "sh",
            "-c",
            "echo ready; cat",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        # Which servers run is noted beside.
        env=as_google.environment(TMPDIR=str(temporary), XDG_RUNTIME_DIR=str(temporary.parent)),
    )
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.mark.parametrize("kind", [["--as-google"], []], ids=["as-google", "mail"])
def test_what_a_killed_process_leaves_is_removed_by_the_next(as_google, tmp_path, kind):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    foreign = temporary / "hearth-abcdef"
    foreign.mkdir()
    killed = waiting(as_google, temporary, *kind)
    [left] = set(temporary.iterdir()) - {foreign}
    assert left.stat().st_mode & 0o777 == 0o700
    living = waiting(as_google, temporary, *kind)
    [used] = set(temporary.iterdir()) - {foreign, left}
    killed.kill()
    killed.wait(60)
    assert left.exists()
    last = waiting(as_google, temporary, *kind)
    assert not left.exists() and used.exists() and foreign.exists()
    for process in (living, last, killed):
        process.stdin.close()
        process.stdout.close()
        process.wait(60)
    assert list(temporary.iterdir()) == [foreign]


def test_the_doctor_says_what_works(as_google):
    done = subprocess.run(
        [binary(), "doctor", "--as-google"],
        capture_output=True,
        text=True,
        timeout=60,
        env=as_google.environment(FIREBASE_TOKEN="1//real"),
    )
    assert done.returncode == 0, done.stderr
    assert "Mode: namespace" in done.stdout
    assert "Python: " in done.stdout and "REQUESTS_CA_BUNDLE" in done.stdout
    assert "FIREBASE_TOKEN" in done.stdout


def doctor(as_google, *command: str, status: int = 0, **environment: str) -> str:
    done = subprocess.run(
        [binary(), "doctor", "--as-google", "--", *command],
        capture_output=True,
        text=True,
        timeout=60,
        env=as_google.environment(**environment),
    )
    assert done.returncode == status, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "script, runtime, variable",
    [
        ("#!/usr/bin/env python3\n", "Python", "REQUESTS_CA_BUNDLE"),
        ("#!/usr/bin/env -S node --test\n", "Node.js", "NODE_EXTRA_CA_CERTS"),
        ("#!/usr/bin/ruby3.1\n", "Ruby", "SSL_CERT_FILE"),
        ("\x7fELF and so on \xff Go buildinf: and more", "Go", "SSL_CERT_FILE"),
        ("\x7fELF of /rustc/1.2.3/library", "Rust", "webpki-roots"),
        ("\x7fELF with libgnutls.so.30", "GnuTLS", "which is Hearth's in a namespace only"),
        ("\x7fELF with libcurl.so.4", "libcurl", "which is Hearth's in a namespace only"),
        (
            "\x7fELF with libFoundationNetworking.so",
            "Swift",
            "which is Hearth's in a namespace only",
        ),
        ("\x7fELF", "an unknown runtime: it is not known whether it reads", ""),
        ("#!/bin/sh\n", "a shell; run hearth doctor for each program that it starts", ""),
        ("#!app\n", "a script for app", ""),
    ],
)
def test_the_doctor_looks_at_a_command_and_does_not_run_it(
    as_google, tmp_path, script, runtime, variable
):
    folder = tmp_path / "programs"
    folder.mkdir()
    # What scripts name need not be installed.
    for name in ("app", "node", "ruby3.1"):
        (folder / name).write_bytes(script.encode("latin-1"))
        (folder / name).chmod(0o755)
    script = script.replace("/usr/bin/ruby", f"{folder}/ruby")
    (folder / "app").write_bytes(script.encode("latin-1"))
    shown = doctor(
        as_google, "app", "--flag", PATH=f"{folder}:{os.environ['PATH']}", FIREBASE_TOKEN="1//real"
    )
    assert runtime in shown and variable in shown
    assert "GOOGLE_APPLICATION_CREDENTIALS=FOLDER/service-account.json" in shown
    hidden = shown.split("Variables of yours that it does not get:")[1]
    assert hidden.split() == ["FIREBASE_TOKEN"]


def test_the_doctor_says_that_there_is_no_such_command(as_google):
    assert "no-such-command: not found" in doctor(as_google, "no-such-command")


WITHOUT = """
import subprocess, sys
# As a container's filter does it, only simpler: no further namespaces.
open("/proc/sys/user/max_net_namespaces", "w").write("0")
sys.exit(subprocess.run(sys.argv[1:]).returncode)
"""


def in_a_place_without_namespaces(*command: str) -> list[str]:
    return ["unshare", "--user", "--map-root-user", sys.executable, "-c", WITHOUT, *command]


def test_without_namespaces_the_doctor_says_why(as_google):
    done = subprocess.run(
        in_a_place_without_namespaces(binary(), "doctor", "--as-google"),
        capture_output=True,
        text=True,
        timeout=60,
        env=as_google.environment(),
    )
    assert "Mode: proxy" in done.stdout, done.stderr
    assert "user.max_net_namespaces=0" in done.stdout


def test_without_namespaces_a_proxy_is_used(as_google):
    command = as_google.command(
        "curl",
        "-sS",
        "-o",
        "/dev/null",
        "-w",
        "%{http_code}",
        "https://www.googleapis.com/oauth2/v3/certs",
    )
    done = subprocess.run(
        in_a_place_without_namespaces(*command),
        capture_output=True,
        text=True,
        timeout=60,
        env=as_google.environment(),
    )
    assert done.stdout == "200", done.stderr
    assert "no network namespace" in done.stderr and "hearth doctor" in done.stderr


def test_without_namespaces_the_mode_can_be_refused(as_google):
    command = as_google.command("true", flags=("--as-google-mode", "namespace"))
    done = subprocess.run(
        in_a_place_without_namespaces(*command),
        capture_output=True,
        text=True,
        timeout=60,
        env=as_google.environment(),
    )
    assert done.returncode != 0 and "other ways:" in done.stderr
