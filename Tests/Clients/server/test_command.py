"""The command line, as scripts use it."""

import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
from concurrent import futures

import pytest
import requests
from support.server import PROJECT, ROOT, Server, binary, free_port
from support.terminal import at_a_terminal, hearth
from support.waiting import until


def test_version():
    # In parentheses: the commit and the platform of a release, or "unreleased".
    assert re.fullmatch(r"hearth 0\.1\.0 \([ -~]+\)\n", hearth("--version").stdout)


def test_routes_lists_every_operation():
    lines = hearth("routes").stdout.splitlines()
    assert any(
        "identitytoolkit.accounts.signInWithPassword\tbearerOrKey\tbuilt" in line for line in lines
    )
    assert "POST\t/_admin/export\thub.export\tcontrol\tbuilt" in lines
    assert len(lines) > 103


def test_exec_gives_the_command_what_it_needs_and_takes_its_status():
    script = (
        "import json, os, sys, urllib.request as u\n"
        "host = os.environ['FIREBASE_AUTH_EMULATOR_HOST']\n"
        "assert json.load(u.urlopen(f'http://{host}/'))['authEmulator']['ready']\n"
        "assert os.environ['GCLOUD_PROJECT'] == 'demo-x'\n"
        "assert u.urlopen(os.environ['HEARTH_CONSOLE_URL']).status == 200\n"
        "assert os.environ['FIRESTORE_EMULATOR_HOST']\n"
        "print('mine'); sys.exit(7)"
    )
    done = hearth("exec", "--project", "demo-x", "--", sys.executable, "-c", script)
    assert (done.returncode, done.stdout) == (7, "mine\n"), done.stderr


def test_exec_exports_at_the_end(tmp_path):
    script = (
        "import os, urllib.request as u\n"
        "host = os.environ['FIREBASE_AUTH_EMULATOR_HOST']\n"
        "url = f'http://{host}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any'\n"
        "u.urlopen(u.Request(url, b'{}', {'Content-Type': 'application/json'})).read()"
    )
    done = hearth(
        "exec", "--export-on-exit", str(tmp_path / "out"), "--", sys.executable, "-c", script
    )
    assert done.returncode == 0, done.stderr
    accounts = json.loads((tmp_path / "out/auth_export/accounts.json").read_text())
    assert len(accounts["users"]) == 1
    # A file is refused at the start; this one comes later.
    into_a_file = ["exec", "--export-on-exit", str(tmp_path / "file"), "--", "sh", "-c"]
    for script, status in [("true", 1), ("exit 7", 7)]:
        done = hearth(*into_a_file, f"touch '{tmp_path}/file'; {script}")
        (tmp_path / "file").unlink()
        assert done.returncode == status
        assert f"hearth: cannot write to {tmp_path / 'file'}: " in done.stderr


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["clock", "--freeze", "--run"], "--freeze and --run cannot be combined"),
        (["clock", "--reset", "--advance", "PT1H"], "--reset cannot be combined"),
        (["fault", "--status", "503"], "an operation is missing"),
        (["fault", "--times", "1"], "an operation is missing"),
        (["fault", "--clear", "*.signUp"], "and takes no operation"),
        (["fault", "--preset", "3g", "--clear"], "--preset replaces all faults"),
    ],
)
def test_options_that_say_nothing_together_are_refused(arguments, words):
    done = hearth(*arguments)
    assert done.returncode == 64 and words in done.stderr


def test_health_and_the_other_commands_find_a_server_alike():
    script = 'env -u FIREBASE_AUTH_EMULATOR_HOST "$0" health --wait 5s'
    assert hearth("exec", "--", "sh", "-c", script, binary()).returncode == 0


def test_exec_reports_a_missing_command_and_a_signal():
    assert hearth("exec", "--", "no-such-command-here").returncode == 127
    assert hearth("exec", "--", "/no/such/command").returncode == 127
    assert hearth("exec", "--", str(ROOT / "README.md")).returncode == 126
    script = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
    assert hearth("exec", "--", sys.executable, "-c", script).returncode == 137


def test_exec_passes_on_the_port_with_unsigned_tokens():
    script = "import os; print(os.environ['HEARTH_UNSIGNED_AUTH_HOST'])"
    done = hearth("exec", "--unsigned-auth-port", "0", "--", sys.executable, "-c", script)
    assert done.stdout.startswith("127.0.0.1:") and not done.stdout.endswith(":0\n")


@pytest.mark.parametrize(
    "flags, told",
    [(["--data", "/proc/nowhere"], "/proc/nowhere"), (["--host", "no.such.invalid"], "--host")],
    ids=["data", "host"],
)
def test_what_cannot_be_opened_is_named(flags, told):
    done = hearth(
        "serve", "--auth-port", "0", "--firestore-port", "0", "--console-port", "0", *flags
    )
    assert done.returncode == 1
    assert (
        told in done.stderr and "Domain" not in done.stderr and "SocketAddress" not in done.stderr
    )


def test_exec_has_help_of_its_own_and_knows_its_options():
    done = hearth("exec", "--help")
    assert done.returncode == 0 and "hearth exec [<options>] -- <command>" in done.stdout
    done = hearth("exec", "--no-such-option", "--", "true")
    assert done.returncode == 64 and "--no-such-option" in done.stderr
    done = hearth("exec", "--", sys.executable, "-c", "import sys; print(sys.argv[1])", "--help")
    assert done.returncode == 0 and done.stdout == "--help\n"


@pytest.mark.parametrize("arguments", [[], ["--"], ["--project", "demo-x", "--"]])
def test_exec_without_a_command_shows_its_own_usage(arguments):
    done = hearth("exec", *arguments)
    assert done.returncode == 64
    assert "Error: a command is missing: hearth exec -- npm test" in done.stderr
    assert "Usage: hearth exec [<options>] -- <command> ..." in done.stderr


@pytest.mark.parametrize(
    "flags, words",
    [
        (["--tls"], "--tls cannot be used with exec: SDKs connect to emulators without TLS"),
        (
            ["--as-google", "--trust-days", "2"],
            "--trust-days cannot be used with exec: it makes certificates for each command",
        ),
    ],
)
def test_exec_refuses_settings_of_a_server_that_stays(flags, words):
    done = hearth("exec", *flags, "--", "true")
    assert (done.returncode, done.stderr) == (64, f"Error: {words}\n")


def test_exec_ends_with_the_command_and_not_with_its_children():
    done = hearth("exec", "--", "sh", "-c", "sleep 50 > /dev/null 2>&1 & echo $!; exit 3")
    assert done.returncode == 3
    # Raises where it has ended, that is, where exec waited for it.
    os.kill(int(done.stdout), signal.SIGKILL)


@pytest.mark.parametrize("name", ["INT", "TERM", "HUP", "QUIT", "USR1", "USR2", "ALRM"])
def test_exec_hands_on(name):
    script = (
        "import signal, sys\n"
        # Blocked, so that it is still there when it comes before the script waits for it.
        f"expected = {{signal.SIG{name}}}\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, expected)\n"
        "print('up', flush=True)\n"
        "signal.sigwait(expected)\n"
        "sys.exit(40)\n"
    )
    process = subprocess.Popen(
        [binary(), "exec", "--", sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        text=True,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout.readline() == "up\n"
    process.send_signal(getattr(signal, f"SIG{name}"))
    assert process.wait(timeout=30) == 40
    process.stdout.close()


def test_exec_leaves_the_terminal_to_the_command():
    said, status = at_a_terminal(
        binary(),
        "exec",
        "--",
        "sh",
        "-c",
        "echo ready; read line; echo got $line; exit 5",
        keys=b"hello\n",
    )
    assert b"got hello" in said and status == 5


def test_a_key_that_interrupts_comes_to_the_command_once():
    script = (
        "import os, signal, sys\n"
        "signals = {signal.SIGINT, signal.SIGUSR1}\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, signals)\n"
        "print('ready', flush=True)\n"
        "signal.sigwait({signal.SIGINT})\n"
        # hearth passes this signal on, after a second SIGINT if there were one.
        "os.kill(os.getppid(), signal.SIGUSR1)\n"
        "sys.exit(41 if signal.sigwait(signals) == signal.SIGUSR1 else 42)\n"
    )
    _, status = at_a_terminal(binary(), "exec", "--", sys.executable, "-c", script, keys=b"\x03")
    assert status == 41


def has_read(server: Server, client: socket.socket) -> bool:
    """Whether the server has read all that was sent over that connection."""
    ends = [f":{int(port):04X}" for port in (server.host.split(":")[1], client.getsockname()[1])]
    for line in pathlib.Path("/proc/net/tcp").read_text().splitlines():
        _, local, remote, _, queues, *_ = line.split()
        if local.endswith(ends[0]) and remote.endswith(ends[1]):
            return queues.endswith(":00000000")
    return False


@pytest.mark.skipif(not os.path.exists("/proc/net/tcp"), reason="reads /proc")
def test_a_wait_for_a_mail_ends_when_the_server_stops():
    server = Server()
    client = http.client.HTTPConnection(server.host, timeout=60)
    client.request("GET", f"/emulator/v1/projects/{PROJECT}/messages/latest?wait=60s")
    until(lambda: has_read(server, client.sock))
    server.process.send_signal(signal.SIGTERM)
    reply = client.getresponse()
    assert reply.status == 503 and json.load(reply)["error"]["status"] == "UNAVAILABLE"
    client.close()
    assert server.process.wait(30) == 0
    server.stop()


def test_mail_prints_the_code_and_the_link(tmp_path):
    server = Server()
    console = server.addresses["console"]
    server.accounts("signUp", {"email": "a@example.com", "password": "secret1"})
    none = hearth("mail", "--to", "a@example.com", HEARTH_CONSOLE_URL=console)
    assert none.returncode == 1 and "a@example.com" in none.stderr
    server.accounts("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "a@example.com"})
    options = ("mail", "--to", "a@example.com", "--type", "PASSWORD_RESET", "--wait", "5s")
    code = hearth(*options, "--code", HEARTH_CONSOLE_URL=console).stdout.strip()
    link = hearth(*options, "--link", HEARTH_CONSOLE_URL=console).stdout.strip()
    whole = hearth(*options, HEARTH_CONSOLE_URL=console).stdout
    assert code and f"oobCode={code}" in link
    assert "Subject: " in whole and link in whole
    assert any(
        f"To reset the password for a@example.com, follow this link: {link}"
        "&newPassword=NEW_PASSWORD_HERE" in line
        for line in [*server.lines, *drain(server)]
    )


def test_mail_waits_for_a_code_that_works():
    server = Server()
    address = {"HEARTH_CONSOLE_URL": server.addresses["console"]}
    server.accounts("signUp", {"email": "a@example.com", "password": "secret1"})

    def send():
        server.accounts("sendOobCode", {"requestType": "PASSWORD_RESET", "email": "a@example.com"})

    def mail(*more):
        return hearth("mail", "--to", "a@example.com", "--code", *more, **address)

    send()
    first = mail("--wait", "10s").stdout
    server.accounts("resetPassword", {"oobCode": first.strip(), "newPassword": "secret2"})
    old = mail("--wait", "0s")
    assert old.returncode == 1 and old.stdout == ""
    assert "is used (--any prints it)" in old.stderr and "NOT_FOUND" not in old.stderr
    assert "PASSWORD_RESET to a@example.com, used: " in old.stderr
    with futures.ThreadPoolExecutor() as pool:
        waiting = pool.submit(mail, "--wait", "30s")
        send()
        second = waiting.result(timeout=60)
    assert second.stdout and second.stdout != first and second.stderr == ""
    server.accounts("resetPassword", {"oobCode": second.stdout.strip(), "newPassword": "secret3"})
    for options in ([], ["--any", "--wait", "1s"], ["--state", "used"], ["--since", "1"]):
        shown = mail(*options)
        assert shown.stdout == second.stdout and "is used" in shown.stderr, options
    assert mail("--since", "2").returncode == 1
    assert mail("--any", "--state", "used").returncode == 64
    elsewhere = hearth("mail", "--project", "demo-none", **address)
    assert elsewhere.returncode == 1 and "mail is in demo-hearth" in elsewhere.stderr
    server.stop()


@pytest.mark.parametrize(
    "word, near", [("serv", "serve"), ("mial", "mail"), ("helth", "health"), ("qwertyuiop", None)]
)
def test_an_unknown_command(word, near):
    done = hearth(word)
    assert done.returncode == 64 and done.stdout == ""
    assert f"unknown command '{word}'; " in done.stderr
    assert (f"did you mean '{near}'?" if near else "the commands are serve, exec") in done.stderr


def test_the_version_and_the_help():
    assert hearth("version").stdout == hearth("--version").stdout
    told = hearth("--help").stdout
    for word in ("--firestore-port", "HEARTH_DATA", "--generate-completion-script"):
        assert word in told


def test_what_was_loaded_is_said(tmp_path):
    (tmp_path / "firebase.json").write_text('{"firestore": {"rules": "r.rules"}}')
    (tmp_path / "r.rules").write_text("service cloud.firestore { match /{all=**} { allow read; } }")
    below = tmp_path / "web" / "src"
    below.mkdir(parents=True)
    shape = json.loads((ROOT / "fixtures/dialects/artitec.json").read_text())
    shape["serve"]["port"] = free_port()
    dialect = str(tmp_path / "dialect.json")
    (tmp_path / "dialect.json").write_text(json.dumps(shape))
    server = Server("--dialect", dialect, cwd=str(below))
    assert f"settings   {tmp_path}/firebase.json" in server.lines
    assert f"rules      {tmp_path}/r.rules" in server.lines
    assert f"definition {dialect}" in server.lines and "data       in memory" in server.lines
    assert f"dialect    http://127.0.0.1:{shape['serve']['port']}" in server.lines
    server.stop()


def test_an_open_firestore_and_other_machines_cause_warnings(tmp_path):
    server = Server("--host", "0.0.0.0", "--data", str(tmp_path / "d"), cwd=str(tmp_path))
    assert "rules      none: Firestore is open to everybody" in server.lines
    assert f"data       {tmp_path}/d" in server.lines
    assert server.auth.startswith("http://127.0.0.1:")
    server.stop()


def test_shutdown_over_http():
    server = Server()
    page = requests.post(server.auth + "/shutdown", headers={"Origin": server.auth}, timeout=30)
    assert page.status_code == 403
    reply = requests.post(server.addresses["firestore"] + "/shutdown", timeout=30)
    assert (reply.status_code, reply.text) == (200, "Shutting down...")
    assert server.process.wait(30) == 0
    server.process.stdout.close()


def drain(server):
    server.stop()
    return server.lines


def test_health():
    server = Server()
    assert hearth("health", "--address", server.host).returncode == 0
    server.stop()
    dead = hearth("health", "--address", server.host)
    assert dead.returncode == 1 and server.host in dead.stderr


def test_a_taken_port_is_named_with_its_flag():
    server = Server()
    port = server.host.split(":")[1]
    done = hearth("--auth-port", port, "--firestore-port", "0", "--console-port", "0")
    assert done.returncode == 1
    assert f"port {port} is already in use " in done.stderr
    assert "(choose another with --auth-port)" in done.stderr
    server.stop()


@pytest.mark.parametrize(
    "arguments, environment, words, status",
    [
        (["--auth-port", "x"], {}, "--auth-port: 'x' is not a port number", 64),
        ([], {"HEARTH_PROFILE": "x"}, "HEARTH_PROFILE: 'x' is not one of emulator, production", 64),
        (["--functions-emulator", "x"], {}, "--functions-emulator: 'x' is not host:port", 64),
        (["--smtp-relay", "x"], {}, "--smtp-relay: the value is not host:port", 64),
        (["--tls-cert", "x"], {}, "--tls-cert and --tls-key need each other", 64),
        (["--prot", "1"], {}, "--prot", 64),
        (["--config", "/nowhere.json"], {}, "cannot read /nowhere.json", 1),
        (["--host", "192.0.2.1"], {}, "192.0.2.1 is not an address of this machine", 1),
    ],
)
def test_bad_settings_are_refused(arguments, environment, words, status):
    done = hearth(*arguments, **environment)
    assert done.returncode == status and words in done.stderr


def test_firebase_json_is_read(tmp_path):
    (tmp_path / "firebase.json").write_text(
        '{ // comments are allowed\n "emulators": {"auth": {"port": 0}, "singleProjectMode": false}}'
    )
    (tmp_path / ".firebaserc").write_text(json.dumps({"projects": {"default": "demo-file"}}))
    server = Server(cwd=str(tmp_path))
    assert "export GCLOUD_PROJECT=demo-file" in server.lines
    server.stop()
    # Beside the file that is named, with a directory or without one.
    for file in ["firebase.json", str(tmp_path / "firebase.json")]:
        named = Server("--config", file, cwd=str(tmp_path))
        assert "export GCLOUD_PROJECT=demo-file" in named.lines
        named.stop()
    given = Server("--project", "demo-flag", cwd=str(tmp_path))
    assert "export GCLOUD_PROJECT=demo-flag" in given.lines
    given.stop()


def test_two_servers_do_not_share_a_data_directory(tmp_path):
    server = Server("--data", str(tmp_path))
    done = hearth("--data", str(tmp_path), "--auth-port", "0")
    assert done.returncode == 1 and "in use by another hearth" in done.stderr
    server.stop()


def test_accounts_travel_in_the_official_layout(tmp_path):
    first = Server("--export-on-exit", str(tmp_path / "export"))
    user = first.accounts("signUp", {"email": "a@example.com", "password": "secret1"})
    first.stop()
    metadata = json.loads((tmp_path / "export/firebase-export-metadata.json").read_text())
    assert metadata["auth"]["path"] == "auth_export"
    accounts = json.loads((tmp_path / "export/auth_export/accounts.json").read_text())
    assert accounts["users"][0]["localId"] == user["localId"]
    assert "secret1" not in (tmp_path / "export/auth_export/accounts.json").read_text()

    second = Server("--import", str(tmp_path / "export"))
    again = second.accounts("signInWithPassword", {"email": "a@example.com", "password": "secret1"})
    assert again["localId"] == user["localId"]
    done = hearth("export", str(tmp_path / "again"), "--address", second.host)
    assert done.returncode == 0, done.stderr
    third = Server()
    done = hearth("import", str(tmp_path / "again"), "--address", third.host)
    assert done.stdout == "Imported 1 account.\n", done.stderr
    assert third.accounts("signInWithPassword", {"email": "a@example.com", "password": "secret1"})
    second.stop()
    third.stop()


def test_unread_output_stops_nothing():
    server = Server()
    try:
        # More lines than a pipe holds.
        session = requests.Session()
        for number in range(700):
            reply = session.post(
                server.auth + "/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=any",
                json={
                    "requestType": "EMAIL_SIGNIN",
                    "email": f"user{number}@example.com",
                    "continueUrl": "http://localhost/" + "x" * 100,
                },
                timeout=30,
            )
            assert reply.status_code == 200
    finally:
        server.stop()
