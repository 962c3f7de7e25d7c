"""`hearth serve --lan`, in a network namespace where two addresses stand for two machines."""

import json
import os
import pty
import re
import select
import shutil
import ssl
import subprocess
import sys
import textwrap
import time

import pytest
from support.server import READY, binary

OURS, OTHER = "192.168.77.5", "192.168.77.6"
FREE = [
    "--auth-port",
    "9099",
    "--firestore-port",
    "8080",
    "--console-port",
    "4000",
    "--hub-port",
    "none",
    "--smtp-port",
    "none",
    "--smtp-tls-port",
    "none",
    "--mail-api-port",
    "none",
]

SETUP = f"""
ip link set lo up
ip addr add {OURS}/32 dev lo
ip addr add {OTHER}/32 dev lo
"""


def namespace() -> list[str]:
    """The command that makes a network of its own; skips where the system has none."""
    if shutil.which("unshare") is None or shutil.which("ip") is None:
        pytest.skip("unshare and ip are needed")
    command = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--net", "--map-root-user"]
    if subprocess.run([*command, "true"], capture_output=True).returncode != 0:
        pytest.skip("this system makes no network namespaces")
    return command


# Runs in the namespace: starts the server, makes requests from both addresses, prints the answers.
STORY = textwrap.dedent("""
    import http.client, json, subprocess, sys

    binary, flags, calls, ready = json.loads(sys.argv[1])
    server = subprocess.Popen([binary, *flags], stdout=subprocess.PIPE, text=True)
    lines = []
    for line in server.stdout:
        lines.append(line.rstrip())
        if line.startswith(ready):
            break

    answers = []
    try:
        for source, host, port, method, path, body, headers in calls:
            connection = http.client.HTTPConnection(
                host, port, timeout=30, source_address=(source, 0))
            headers = {"Content-Type": "application/json", **headers}
            connection.request(method, path, body and json.dumps(body), headers)
            reply = connection.getresponse()
            answers.append([reply.status, reply.read().decode()])
    finally:
        server.terminate()
        server.wait(60)
    print(json.dumps([lines, answers]))
""")


def play(flags: list[str], calls: list) -> tuple[list[str], list]:
    given = json.dumps([binary(), [*FREE, *flags], calls, READY])
    done = subprocess.run(
        [*namespace(), "sh", "-ec", SETUP + 'exec "$@"', "-", sys.executable, "-c", STORY, given],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    lines, answers = json.loads(done.stdout)
    return lines, answers


def call(source, host, port, path, body=None, method=None, **headers):
    return [
        source,
        host,
        port,
        method or ("POST" if body is not None else "GET"),
        path,
        body,
        headers,
    ]


USER = {"email": "ann@example.com", "password": "secret1", "returnSecureToken": True}
RESET = {"requestType": "PASSWORD_RESET", "email": "ann@example.com"}
ACCOUNTS = "/identitytoolkit.googleapis.com/v1/accounts"
CONTROL = "/emulator/v1/projects/demo-hearth"


def test_apps_are_served_and_control_endpoints_are_for_this_machine():
    lines, answers = play(
        ["--lan", "--lan-host", OURS],
        [
            call(OTHER, OURS, 9099, f"{ACCOUNTS}:signUp?key=any", USER),
            # This machine asks by its loopback address; the link is for the phone.
            call("127.0.0.1", "127.0.0.1", 9099, f"{ACCOUNTS}:sendOobCode?key=any", RESET),
            call("127.0.0.1", "127.0.0.1", 9099, f"{CONTROL}/messages/latest"),
            call(OURS, OURS, 4000, f"{CONTROL}/messages/latest", Host="localhost"),
            call(OTHER, OURS, 4000, "/setup"),
            call(
                OTHER,
                OURS,
                8080,
                "/v1/projects/demo-hearth/databases/(default)/documents/a/b",
                {"fields": {}},
                "PATCH",
            ),
            *[
                call(OTHER, OURS, port, f"{CONTROL}/{path}", Host=host)
                for port in (9099, 8080, 4000)
                for path in ("messages", "clock", "faults", "requests")
                for host in (f"{OURS}:{port}", "127.0.0.1")
            ],
            call(OTHER, OURS, 4000, "/console/", Host="127.0.0.1"),
            call(
                OTHER,
                OURS,
                4000,
                "/mcp",
                {"jsonrpc": "2.0", "id": 1, "method": "ping"},
                Host="127.0.0.1",
            ),
            call(OTHER, OURS, 9099, "/shutdown", {}, Host="127.0.0.1"),
        ],
    )
    statuses = [status for status, _ in answers]
    assert statuses[:6] == [200] * 6, answers[:6]
    mail = json.loads(answers[2][1])
    assert mail["link"].startswith(f"http://{OURS}:9099/emulator/action?")
    page = answers[4][1]
    for words in [
        "NSAllowsLocalNetworking",
        "cleartextTrafficPermitted",
        "useAuthEmulator",
        f"&quot;{OURS}&quot;, port: 9099",
        "<svg",
        f"http://{OURS}:4000/setup",
    ]:
        assert words in page, words
    assert statuses[6:] == [403] * (len(statuses) - 6), statuses
    assert f"lan        http://{OURS}:9099 (auth), http://{OURS}:8080 (firestore)" in lines
    assert f"phones     http://{OURS}:4000/setup" in lines
    # The code is for terminals.
    assert not any("\x1b" in line for line in lines)


def test_control_endpoints_may_be_opened():
    _, answers = play(
        ["--lan", "--lan-host", OURS, "--lan-control"],
        [
            call(OTHER, OURS, 4000, f"{CONTROL}/messages"),
            call(OTHER, OURS, 4000, "/console/"),
            call(OTHER, OURS, 4000, f"{CONTROL}/messages", Host="evil.example"),
            call(OTHER, OURS, 4000, f"{CONTROL}/messages", Origin="http://evil.example"),
            # Agents stay on this machine.
            call(OTHER, OURS, 4000, "/mcp", {"jsonrpc": "2.0", "id": 1, "method": "ping"}),
        ],
    )
    assert [status for status, _ in answers] == [200, 200, 403, 403, 403]


def test_without_the_flag_there_is_no_setup_page():
    _, answers = play([], [call("127.0.0.1", "127.0.0.1", 4000, "/setup")])
    assert [status for status, _ in answers] == [404]


@pytest.mark.parametrize(
    "flags, words",
    [
        (["--lan", "--lan-host", "192.0.2.77"], "is not an address of this machine"),
        (["--lan", "--host", "0.0.0.0"], "cannot be combined"),
        (["--lan", "--lan-host", "<b>"], "neither an address of this machine nor a name"),
    ],
)
def test_a_wrong_choice_is_told(flags, words):
    done = subprocess.run(
        [*namespace(), "sh", "-ec", SETUP + 'exec "$@"', "-", binary(), *FREE, *flags],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode != 0 and words in done.stderr + done.stdout


def test_pages_of_the_network_are_domains_of_the_project():
    page = f"http://{OURS}:3000/done"
    switches = f"{CONTROL}/switches"
    calls = [
        call("127.0.0.1", "127.0.0.1", 9099, f"{ACCOUNTS}:signUp?key=any", USER),
        call("127.0.0.1", "127.0.0.1", 9099, switches, {"authorizedDomains": True}, "PATCH"),
        call(OTHER, OURS, 9099, f"{ACCOUNTS}:sendOobCode?key=any", {**RESET, "continueUrl": page}),
        call(
            OTHER,
            OURS,
            9099,
            f"{ACCOUNTS}:sendOobCode?key=any",
            {**RESET, "continueUrl": "http://mac.local/done"},
        ),
        call(
            OTHER,
            OURS,
            9099,
            f"{ACCOUNTS}:sendOobCode?key=any",
            {**RESET, "continueUrl": f"http://{OTHER}/done"},
        ),
        call(OTHER, OURS, 9099, "/identitytoolkit.googleapis.com/v1/projects?key=any"),
        call("127.0.0.1", "127.0.0.1", 9099, switches, {"answers": "production"}, "PATCH"),
        call(OTHER, OURS, 9099, "/identitytoolkit.googleapis.com/v1/projects?key=any"),
        call(
            "127.0.0.1",
            "127.0.0.1",
            9099,
            "/identitytoolkit.googleapis.com/v2/projects/demo-hearth/config",
            Authorization="Bearer owner",
        ),
    ]
    names = ["--lan", "--lan-host"]
    _, answers = play([*names, OURS], calls)
    assert [status for status, _ in answers] == [200, 200, 200, 400, 400, 200, 200, 200, 200], (
        answers
    )
    domains = [json.loads(answers[place][1])["authorizedDomains"] for place in (5, 7, 8)]
    production = ["demo-hearth.firebaseapp.com", "demo-hearth.web.app", OURS]
    assert domains == [["localhost", OURS], production, production]
    _, answers = play([*names, "mac.local"], calls[:4] + calls[5:6])
    assert [status for status, _ in answers][3] == 200
    # The address is the likeliest one.
    address = json.loads(answers[4][1])["authorizedDomains"][1]
    assert json.loads(answers[4][1])["authorizedDomains"] == ["localhost", address, "mac.local"]
    # Without --lan, nothing changes.
    _, answers = play(
        [],
        [
            call(
                "127.0.0.1",
                "127.0.0.1",
                9099,
                "/identitytoolkit.googleapis.com/v1/projects?key=any",
            )
        ],
    )
    assert json.loads(answers[0][1])["authorizedDomains"] == ["localhost"]


# MARK: With TLS

# Runs in the namespace: gets the authority as a phone does, and calls Auth with it.
PHONE = textwrap.dedent("""
    import http.client, json, plistlib, ssl, subprocess, sys

    binary, flags, ready, ours, other = json.loads(sys.argv[1])
    server = subprocess.Popen([binary, *flags], stdout=subprocess.PIPE, text=True)
    lines = []
    for line in server.stdout:
        lines.append(line.rstrip())
        if line.startswith(ready):
            break

    def get(context, host, port, path, method="GET", body=None):
        connection = http.client.HTTPSConnection(
            host, port, timeout=30, context=context, source_address=(other, 0))
        connection.request(method, path, body, {"Content-Type": "application/json"})
        reply = connection.getresponse()
        return reply.status, reply.read(), reply.headers.get("Content-Type")

    found = {"lines": lines}
    try:
        warned = ssl._create_unverified_context()
        found["page"] = get(warned, ours, 4000, "/setup")[1].decode()
        _, der, found["kind"] = get(warned, ours, 4000, "/setup/hearth-ca.crt")
        _, profile, found["profileKind"] = get(warned, ours, 4000, "/setup/hearth-ca.mobileconfig")
        [payload] = plistlib.loads(profile)["PayloadContent"]
        found["payload"] = payload["PayloadType"]
        found["isSame"] = payload["PayloadContent"] == der
        found["text"] = subprocess.run(
            ["openssl", "x509", "-inform", "DER", "-text", "-noout"], input=der,
            capture_output=True, check=True).stdout.decode()
        trusting = ssl.create_default_context(cadata=der)
        user = json.dumps({"email": "ann@example.com", "password": "secret1"})
        found["signUp"] = get(
            trusting, ours, 9099, "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any",
            "POST", user)[0]
        found["firestore"] = get(trusting, ours, 8080, "/")[0]
        reset = json.dumps({"email": "ann@example.com", "requestType": "PASSWORD_RESET"})
        get(trusting, ours, 9099, "/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=any",
            "POST", reset)
        found["control"] = get(
            trusting, ours, 9099, "/emulator/v1/projects/demo-hearth/messages")[0]
    finally:
        server.terminate()
        server.wait(60)
    found["lines"] += server.stdout.read().splitlines()
    print(json.dumps(found))
""")


def phone(*flags: str) -> dict:
    given = json.dumps([binary(), [*FREE, "--lan", "--lan-host", OURS, *flags], READY, OURS, OTHER])
    done = subprocess.run(
        [*namespace(), "sh", "-ec", SETUP + 'exec "$@"', "-", sys.executable, "-c", PHONE, given],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_phone_trusts_the_authority_of_the_set_up_page():
    found = phone("--tls", "--trust-days", "2")
    assert (found["signUp"], found["firestore"], found["control"]) == (200, 200, 403)
    assert found["kind"] == "application/x-x509-ca-cert"
    assert found["profileKind"] == "application/x-apple-aspen-config"
    assert found["payload"] == "com.apple.security.root" and found["isSame"]
    end = ssl.cert_time_to_seconds(re.search(r"Not After : (.*)", found["text"])[1])
    assert 1 < (end - time.time()) / 86400 <= 2
    permitted = found["text"].split("Permitted:")[1].split("X509v3")[0]
    assert f"IP:{OURS}/255.255.255.255" in permitted and "IP:127.0.0.1/255.255.255.255" in permitted
    assert OTHER not in permitted
    page = found["page"]
    for words in [
        f"https://{OURS}:4000/setup",
        f"connectAuthEmulator(auth, &quot;https://{OURS}:9099",
        "ssl: true",
        "/setup/hearth-ca.mobileconfig",
        "/setup/hearth-ca.crt",
        "Its key was thrown away",
    ]:
        assert words in page, words
    [fingerprint] = [line.split()[-1] for line in found["lines"] if line.startswith("authority")]
    assert fingerprint in page
    assert (
        f"lan        https://{OURS}:9099 (auth), https://{OURS}:8080 (firestore)" in found["lines"]
    )
    # Links open over TLS.
    assert any(f"https://{OURS}:9099/emulator/action?" in line for line in found["lines"])


def test_without_tls_there_is_no_authority():
    _, answers = play(
        ["--lan", "--lan-host", OURS],
        [call(OTHER, OURS, 4000, f"/setup/hearth-ca.{kind}") for kind in ("crt", "mobileconfig")],
    )
    assert [status for status, _ in answers] == [404, 404]


# MARK: The code at a terminal


def terminal(flags: list[str]) -> str:
    """What a terminal shows up to the end of the start."""
    pid, descriptor = pty.fork()
    if pid == 0:
        command = [*namespace(), "sh", "-ec", SETUP + 'exec "$@"', "-", binary(), *FREE, *flags]
        os.execvp(command[0], command)
    shown = b""
    end = time.monotonic() + 60
    while READY.encode() not in shown:
        assert time.monotonic() < end, shown
        if select.select([descriptor], [], [], 1)[0]:
            try:
                shown += os.read(descriptor, 1 << 16)
            except OSError:
                break
    os.kill(pid, 15)
    os.waitpid(pid, 0)
    os.close(descriptor)
    return shown.decode()


def test_a_camera_reads_the_code():
    cv2 = pytest.importorskip("cv2")
    numpy = pytest.importorskip("numpy")
    namespace()
    rows = []
    for line in terminal(["--lan", "--lan-host", OURS]).splitlines():
        blocks = re.search(r"\x1b\[38;5;16;48;5;231m([ █▀▄]+)\x1b\[0m", line)
        if blocks:
            rows.append([block in "█▀" for block in blocks[1]])
            rows.append([block in "█▄" for block in blocks[1]])
    assert rows and all(len(row) == len(rows[0]) for row in rows)
    picture = numpy.where(numpy.array(rows), 0, 255).astype("uint8")
    picture = cv2.resize(picture, None, fx=8, fy=8, interpolation=cv2.INTER_NEAREST)
    text, *_ = cv2.QRCodeDetector().detectAndDecode(picture)
    assert text == f"http://{OURS}:4000/setup"
