"""Google's hosts over TLS, and TLS before the ordinary ports, with clients that check certificates."""

import re
import shutil
import socket
import ssl
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import grpc
import httpx
import pytest
import requests
from support.server import Server, binary

KEYS = "/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"
NO_PORTS = (
    "--hub-port",
    "none",
    "--smtp-port",
    "none",
    "--smtp-tls-port",
    "none",
    "--mail-api-port",
    "none",
)


def port_of(server, name):
    [port] = [
        re.match(rf"{name} +https?://127\.0\.0\.1:(\d+)", line)[1]
        for line in server.lines
        if re.match(rf"{name} +http", line)
    ]
    return int(port)


class AsGoogle:
    def __init__(self, folder: Path):
        self.trust = folder / "trust"
        self.server = Server(
            "--as-google",
            "--tls-port",
            "0",
            "--proxy-port",
            "0",
            "--metadata-port",
            "0",
            "--trust-out",
            "trust",
            cwd=str(folder),
        )
        self.port = port_of(self.server, "google")
        self.proxy = f"http://127.0.0.1:{port_of(self.server, 'proxy')}"
        self.metadata = f"http://127.0.0.1:{port_of(self.server, 'metadata')}"
        self.ca = str(self.trust / "ca.pem")

    def curl(self, url, *flags):
        """A request by the name of the host, which leads here."""
        return subprocess.run(
            [
                "curl",
                "-sS",
                "--cacert",
                self.ca,
                "--connect-to",
                f"::127.0.0.1:{self.port}",
                *flags,
                url,
            ],
            capture_output=True,
            text=True,
            timeout=60,
        )

    def context(self):
        return ssl.create_default_context(cafile=self.ca)

    def grpc(self, host):
        credentials = grpc.ssl_channel_credentials(Path(self.ca).read_bytes())
        return grpc.secure_channel(
            f"127.0.0.1:{self.port}",
            credentials,
            options=[("grpc.ssl_target_name_override", host), ("grpc.default_authority", host)],
        )


@pytest.fixture(scope="module")
def google(tmp_path_factory):
    google = AsGoogle(tmp_path_factory.mktemp("google"))
    yield google
    google.server.stop()


@pytest.mark.parametrize("flag, version", [("--http1.1", "1.1"), ("--http2", "2")])
def test_curl_over_both_versions_of_http(google, flag, version):
    found = google.curl(
        "https://www.googleapis.com" + KEYS, flag, "-D", "-", "-w", "\n%{http_version}"
    )
    assert found.returncode == 0, found.stderr
    assert found.stdout.endswith("\n" + version)
    assert '"kid"' in found.stdout and "x-hearth: as-google" in found.stdout.lower()


def test_requests_by_the_proxy(google):
    reply = requests.get(
        "https://www.googleapis.com" + KEYS,
        proxies={"https": google.proxy},
        verify=google.ca,
        timeout=60,
    )
    assert reply.json()["keys"] and reply.headers["x-hearth"] == "as-google"
    with pytest.raises(requests.exceptions.ProxyError, match="502"):
        requests.get(
            "https://example.com/", proxies={"https": google.proxy}, verify=google.ca, timeout=60
        )
    plain = requests.get("http://example.com/", proxies={"http": google.proxy}, timeout=60)
    assert plain.status_code == 502 and plain.text.startswith(
        "Hearth answers for example.com over https only"
    )
    refused = requests.get(f"{google.server.auth}/emulator/v1/refusedHosts", timeout=60).json()[
        "hosts"
    ]
    assert {"host": "example.com", "way": "proxy", "count": 2} in refused


def test_httpx_over_http2(google):
    with httpx.Client(
        http2=True, verify=google.context(), proxy=google.proxy, timeout=60
    ) as client:
        for _ in range(3):
            reply = client.get("https://www.googleapis.com" + KEYS)
            assert (reply.status_code, reply.http_version) == (200, "HTTP/2")
        signed_up = client.post(
            "https://identitytoolkit.googleapis.com/v1/accounts:signUp?key=any", json={}
        )
        assert signed_up.status_code == 200 and signed_up.json()["idToken"]


def test_grpc_at_the_host_of_firestore_only(google):
    path = "/google.firestore.v1.Firestore/ListCollectionIds"
    with google.grpc("firestore.googleapis.com") as channel:
        call = channel.unary_unary(path)
        with pytest.raises(grpc.RpcError) as failure:
            call(b"", timeout=60)
        assert failure.value.code() in (
            grpc.StatusCode.INVALID_ARGUMENT,
            grpc.StatusCode.UNAUTHENTICATED,
        )
        assert ("x-hearth", "as-google") in [
            tuple(pair)
            for pair in (*failure.value.initial_metadata(), *failure.value.trailing_metadata())
        ]
    with google.grpc("pubsub.googleapis.com") as channel:
        with pytest.raises(grpc.RpcError) as failure:
            channel.unary_unary("/google.pubsub.v1.Publisher/Publish")(b"", timeout=60)
        assert failure.value.code() == grpc.StatusCode.UNIMPLEMENTED
        assert "pubsub.googleapis.com" in failure.value.details()


def test_a_name_that_is_not_played_ends_in_an_alert(google):
    context = google.context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    for name in ("example.com", None):
        connection = socket.create_connection(("127.0.0.1", google.port), timeout=60)
        with connection, pytest.raises(ssl.SSLError, match="(?i)unrecognized.name"):
            context.wrap_socket(connection, server_hostname=name)


def test_services_that_are_not_played_say_so(google):
    reply = google.curl("https://storage.googleapis.com/b/x", "-w", "\n%{http_code}").stdout
    assert (
        reply.endswith("\n501") and "storage.googleapis.com" in reply and "UNIMPLEMENTED" in reply
    )
    control = google.curl(
        "https://firestore.googleapis.com/emulator/v1/projects", "-w", "\n%{http_code}"
    ).stdout
    assert control.endswith("\n404")


def test_the_folder_is_private_and_complete(google):
    assert google.trust.stat().st_mode & 0o777 == 0o700
    files = {str(p.relative_to(google.trust)) for p in google.trust.rglob("*") if p.is_file()}
    assert files >= {
        "ca.pem",
        "ca.p12",
        "spki.txt",
        "chromium-flags.txt",
        "env.sh",
        "hosts",
        "php/hearth.ini",
    }
    text = "".join(
        p.read_text()
        for p in google.trust.rglob("*")
        if p.suffix in {".pem", ".sh", ".txt", ".ini"}
    )
    assert "PRIVATE KEY" not in text
    shell = subprocess.run(
        ["sh", "-c", f". {google.trust}/env.sh; env"],
        capture_output=True,
        text=True,
        check=True,
        env={
            "FIRESTORE_EMULATOR_HOST": "127.0.0.1:1",
            "PATH": "/usr/bin:/bin",
            "GOOGLE_CREDENTIALS": "{}",
            "FIREBASE_SERVICE_ACCOUNT": "{}",
        },
    ).stdout
    assert f"SSL_CERT_FILE={google.ca}\n" in shell and f"HTTPS_PROXY={google.proxy}\n" in shell
    for name in ("FIRESTORE_EMULATOR_HOST", "GOOGLE_CREDENTIALS", "FIREBASE_SERVICE_ACCOUNT"):
        assert name not in shell
    hosts = (google.trust / "hosts").read_text()
    for name in ("www.googleapis.com", "metadata.google.internal", "metadata.google.internal."):
        assert f"127.0.0.1 {name}\n" in hosts
    assert any(line.startswith("AS-GOOGLE:") for line in google.server.lines)


def test_other_containers_find_the_metadata_server_by_its_name(tmp_path):
    server = Server(
        "--host",
        "0.0.0.0",
        "--as-google",
        "--tls-port",
        "0",
        "--metadata-port",
        "0",
        "--trust-out",
        "trust",
        cwd=str(tmp_path),
    )
    try:
        text = (tmp_path / "trust" / "env.sh").read_text()
    finally:
        server.stop()
    found = re.findall(r"export GCE_METADATA_(HOST|IP)='metadata\.google\.internal:(\d+)'", text)
    assert [name for name, _ in found] == ["HOST", "IP"], text
    assert "127.0.0.1" not in text and "unset HTTPS_PROXY\n" in text


def test_the_overview_says_when_trust_ends(google, secured, exported):
    end = requests.get(f"{google.server.auth}/emulator/v1/overview", timeout=60).json()["trustEnds"]
    left = datetime.fromisoformat(end) - datetime.now(UTC)
    assert timedelta(0) < left <= timedelta(days=1)
    # What is kept for years is not to be watched.
    kept = requests.get(f"{secured.auth}/emulator/v1/overview", verify=exported, timeout=60).json()
    assert "trustEnds" not in kept


@pytest.mark.skipif(not shutil.which("keytool"), reason="keytool is not installed")
def test_java_takes_the_trust_store(google):
    listed = subprocess.run(
        ["keytool", "-list", "-keystore", str(google.trust / "ca.p12"), "-storepass", "changeit"],
        capture_output=True,
        text=True,
        timeout=120,
    ).stdout
    assert "trustedCertEntry" in listed, listed


@pytest.fixture(scope="module")
def secured():
    server = Server("--tls")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def exported(secured, tmp_path_factory):
    path = tmp_path_factory.mktemp("tls") / "ca.pem"
    hearth(secured, "trust", "export", "--output", str(path))
    return str(path)


def hearth(server, *words):
    return subprocess.run(
        [binary(), *words],
        capture_output=True,
        check=True,
        timeout=60,
        env={"HEARTH_CONSOLE_URL": server.addresses["console"]},
    )


def test_the_ordinary_ports_speak_tls(secured, exported):
    assert all(
        secured.addresses[name].startswith("https://") for name in ("auth", "firestore", "console")
    )
    assert not any("EMULATOR_HOST" in line for line in secured.lines)
    trusting = ssl.create_default_context(cafile=exported)
    with httpx.Client(http2=True, verify=trusting, timeout=60) as client:
        base = secured.auth + "/identitytoolkit.googleapis.com/v1/accounts:"
        email = {"email": "ann@example.com"}
        assert (
            client.post(base + "signUp?key=any", json={**email, "password": "secret1"}).status_code
            == 200
        )
        sent = client.post(
            base + "sendOobCode?key=any", json={**email, "requestType": "PASSWORD_RESET"}
        )
        assert (sent.status_code, sent.http_version) == (200, "HTTP/2")
        codes = client.get(f"{secured.auth}/emulator/v1/projects/demo-hearth/oobCodes").json()
        assert codes["oobCodes"][0]["oobLink"].startswith(secured.auth + "/emulator/action")
        for name in ("firestore", "console"):
            assert client.get(secured.addresses[name] + "/").status_code == 200
    assert hearth(secured, "health").returncode == 0


def test_a_client_without_tls_is_told(secured):
    reply = requests.get(secured.auth.replace("https", "http") + "/", timeout=60)
    assert reply.status_code == 400 and reply.text == "This port speaks TLS: use https.\n"


def test_the_authority_is_exported_in_three_forms(secured, exported):
    assert Path(exported).read_text().startswith("-----BEGIN CERTIFICATE-----")
    der = hearth(secured, "trust", "export", "--format", "der").stdout
    assert ssl.DER_cert_to_PEM_cert(der).split() == Path(exported).read_text().split()
    assert hearth(secured, "trust", "export", "--format", "p12").stdout[:1] == b"\x30"
    assert b"NODE_EXTRA_CA_CERTS" in hearth(secured, "trust").stdout


@pytest.mark.parametrize("port", ["auth", "console"])
def test_commands_find_a_server_without_the_scheme(secured, exported, port):
    place = secured.addresses[port].removeprefix("https://")
    found = subprocess.run(
        [binary(), "trust", "export", "--address", place], capture_output=True, timeout=60, env={}
    )
    assert found.stdout == Path(exported).read_bytes(), found.stderr


def test_a_certificate_of_the_users(tmp_path):
    certificate, key = str(tmp_path / "cert.pem"), str(tmp_path / "key.pem")
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-keyout",
            key,
            "-out",
            certificate,
            "-subj",
            "/CN=hearth.test",
            "-days",
            "2",
            "-addext",
            "subjectAltName=DNS:localhost,IP:127.0.0.1",
        ],
        check=True,
        capture_output=True,
    )
    server = Server("--tls", "--tls-cert", certificate, "--tls-key", key)
    assert requests.get(server.auth + "/", verify=certificate, timeout=60).status_code == 200
    server.stop()


@pytest.mark.parametrize(
    "flags, words",
    [
        (["--proxy-port", "0"], "--proxy-port needs --as-google"),
        (["--trust-out", "/nowhere"], "--trust-out needs --as-google"),
        (["--trust-days", "2", "--tls"], "--trust-days needs --as-google, or --lan with --tls"),
        (["--trust-days", "31", "--as-google"], "'31' is not a number of days, from 1 to 30"),
        (["--tls-cert", "/nowhere"], "--tls-cert and --tls-key need each other"),
        (
            ["--tls", "--tls-cert", "/nowhere", "--tls-key", "/nowhere"],
            "/nowhere and /nowhere cannot be used",
        ),
    ],
)
def test_settings_that_do_not_fit_end_the_start(flags, words):
    ended = subprocess.run(
        [
            binary(),
            "--auth-port",
            "0",
            "--firestore-port",
            "0",
            "--console-port",
            "0",
            *NO_PORTS,
            *flags,
        ],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ended.returncode != 0 and words in ended.stderr + ended.stdout
