"""Random and mutated bytes to the ports of the mode as Google: no crash, no 5xx, nothing that stays open."""

import os
import pathlib
import random
import re
import socket
import ssl
import threading

import pytest
from support.server import Server
from support.waiting import until

ROUNDS = int(os.environ.get("HEARTH_FUZZ_TLS", "1500"))
KEYS = "/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com"
HOSTS = [
    "www.googleapis.com",
    "identitytoolkit.googleapis.com",
    "firestore.googleapis.com",
    "fcm.googleapis.com",
    "demo-hearth.firebaseapp.com",
    "api.resend.com",
    "example.com",
    "127.0.0.1",
    "",
    "a" * 300,
    "www.googleapis.com:443",
    "www.googleapis.com.",
    "[::1]",
    "x y",
    "\x7f",
]
PATHS = [
    KEYS,
    "/",
    "/token",
    "/__/auth/handler",
    "/__/auth/action?mode=resetPassword&oobCode=x&apiKey=a",
    "/__/auth/links?link=x",
    "/__/firebase/init.json",
    "/__/auth/iframe?apiKey=a",
    "/v1/accounts:signUp?key=a",
    "/emulator/v1/projects",
    "/v1/projects/p/databases/(default)/documents",
    "http://www.googleapis.com/",
    "*",
    "//",
    "/%",
    "/..%2f",
]
ORIGINS = [
    "https://evil.example",
    "null",
    "",
    "https://demo-hearth.firebaseapp.com",
    "http://localhost:3000",
    "x",
]


class AsGoogle(Server):
    def __init__(self, folder):
        super().__init__(
            "--as-google",
            "--tls-port",
            "0",
            "--proxy-port",
            "0",
            "--metadata-port",
            "0",
            "--trust-out",
            str(folder),
            "--log-level",
            "critical",
        )
        self.google, self.proxy, self.metadata = (
            int(re.search(rf"^{name} .*:(\d+)$", "\n".join(self.lines), re.M)[1])
            for name in ("google", "proxy", "metadata")
        )
        self.trusting = ssl.create_default_context(cafile=str(folder / "ca.pem"))

    def open_files(self) -> int:
        return len(list(pathlib.Path(f"/proc/{self.process.pid}/fd").iterdir()))

    def secure(self, name="www.googleapis.com", port=None):
        plain = socket.create_connection(("127.0.0.1", port or self.google), timeout=30)
        return self.trusting.wrap_socket(plain, server_hostname=name)


@pytest.fixture(scope="module")
def google(tmp_path_factory):
    server = AsGoogle(tmp_path_factory.mktemp("fuzz") / "trust")
    yield server
    server.stop()


def hello(name: str) -> bytes:
    """The first message of a TLS client."""
    outgoing = ssl.MemoryBIO()
    client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).wrap_bio(
        ssl.MemoryBIO(), outgoing, server_hostname=name
    )
    with pytest.raises(ssl.SSLWantReadError):
        client.do_handshake()
    return outgoing.read()


def mutated(chance, data: bytes) -> bytes:
    data = bytearray(data)
    for _ in range(chance.randrange(4)):
        at = chance.randrange(len(data)) if data else 0
        match chance.randrange(4):
            case 0:
                data[at : at + 1] = bytes([chance.randrange(256)])
            case 1:
                del data[at : at + chance.randrange(1, 20)]
            case 2:
                data[at:at] = chance.randbytes(chance.randrange(1, 20))
            case 3:
                data = data[:at]
    return bytes(data)


def exchange(port: int, chance, data: bytes) -> bytes:
    """What the server answers to bytes that come in pieces, until it or the client ends the connection."""
    answer = b""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        try:
            while data:
                cut = chance.randrange(1, len(data) + 1) if chance.random() < 0.3 else len(data)
                connection.sendall(data[:cut])
                data = data[cut:]
            connection.shutdown(socket.SHUT_WR)
            while more := connection.recv(65536):
                answer += more
        except TimeoutError:
            raise
        except OSError:
            pass  # The server has ended it.
    return answer


def judge(answer: bytes) -> bool:
    """Nothing, TLS, or an answer of HTTP that is not a failure of the server."""
    if not answer or answer[0] in (20, 21, 22, 23):
        return True
    found = re.match(rb"HTTP/1\.[01] (\d{3}) ", answer)
    # 501 and 502 name the host that is not played.
    return found is not None and (int(found[1]) < 500 or found[1] in (b"501", b"502"))


def request(chance) -> bytes:
    method = chance.choice(["GET", "POST", "OPTIONS", "HEAD", "CONNECT", "BREW", "PRI"])
    version = chance.choice(["1.1", "1.1", "1.0", "0.9", "2.0", "9"])
    lines = [f"{method} {chance.choice(PATHS)} HTTP/{version}", f"Host: {chance.choice(HOSTS)}"]
    if chance.random() < 0.3:
        lines.append(f"Host: {chance.choice(HOSTS)}")
    if chance.random() < 0.5:
        lines.append(f"Origin: {chance.choice(ORIGINS)}")
    if method == "POST":
        lines.append(
            chance.choice(
                ["Content-Length: 2", "Content-Length: 9999999", "Transfer-Encoding: chunked"]
            )
        )
    return "\r\n".join([*lines, "", "{}" if method == "POST" else ""]).encode("latin-1")


def proxy_request(chance) -> bytes:
    target = f"{chance.choice(HOSTS)}:{chance.choice(['443', '80', '0', '99999', ''])}"
    return chance.choice(
        [
            lambda: (
                f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode("latin-1")
                + mutated(chance, hello("www.googleapis.com"))
            ),
            lambda: f"CONNECT {target} HTTP/1.0\r\n\r\nCONNECT {target} HTTP/1.1\r\n\r\n".encode(
                "latin-1"
            ),
            lambda: (
                b"GET http://metadata.google.internal/ HTTP/1.1\r\nHost: metadata.google.internal\r\n\r\n"
                + request(chance)
            ),
            lambda: request(chance),
            lambda: chance.randbytes(chance.randrange(1, 200)),
            lambda: b"CONNECT " + b"a" * 20_000,
            lambda: b"CONNECT www.googleapis.com:443 HTTP/1.1\r\n" + b"A: b\r\n" * 4000,
        ]
    )()


def is_well(google) -> None:
    with google.secure() as connection:
        connection.sendall(
            f"GET {KEYS} HTTP/1.1\r\nHost: www.googleapis.com\r\nConnection: close\r\n\r\n".encode()
        )
        assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize(
    "port, made",
    [
        ("proxy", lambda chance: mutated(chance, proxy_request(chance))),
        ("google", lambda chance: mutated(chance, hello(chance.choice(HOSTS[:6])))),
        ("google", lambda chance: mutated(chance, request(chance))),
        ("metadata", lambda chance: mutated(chance, request(chance))),
    ],
    ids=["proxy", "handshake", "plain", "metadata"],
)
def test_no_bytes_break_a_port(google, port, made):
    before = google.open_files()
    for seed in range(ROUNDS // 4):
        chance = random.Random(seed)
        data = made(chance)
        answer = exchange(getattr(google, port), chance, data)
        assert judge(answer), f"seed {seed}: {data[:300]!r} -> {answer[:300]!r}"
    is_well(google)
    until(lambda: google.open_files() <= before + 5, what="the end of the connections")
    resident = re.search(
        r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{google.process.pid}/status").read_text()
    )
    assert int(resident[1]) < 300 * 1024


def test_no_request_over_tls_is_a_failure_of_the_server(google):
    for seed in range(ROUNDS // 10):
        chance = random.Random(seed)
        data = mutated(chance, b"".join(request(chance) for _ in range(3)))
        answer = b""
        with google.secure(chance.choice(HOSTS[:6])) as connection:
            try:
                connection.sendall(data)
                connection.settimeout(0.1)
                while more := connection.recv(65536):
                    answer += more
            except OSError:
                pass  # The rest of a request is waited for.
        for status in re.findall(rb"HTTP/1\.[01] (\d{3}) ", answer):
            assert int(status) < 500 or status == b"501", (
                f"seed {seed}: {data!r} -> {answer[:300]!r}"
            )
    is_well(google)


# MARK: What has to be refused, and how


@pytest.mark.parametrize(
    "data, words",
    [
        (b"CONNECT example.com:443 HTTP/1.0\r\n\r\n", b"502"),
        (b"CONNECT www.googleapis.com:443 HTTP/1.1\r\n" + b"A: b\r\n" * 4000, b"400"),
        (b"GET / HTTP/1.1\r\nHost: www.googleapis.com\r\n\r\n", b"400"),
        (b"\x00\x01\x02\r\n\r\n", b"400"),
        # Tunnels do not lead out, also not after an allowed one.
        (
            b"CONNECT www.googleapis.com:443 HTTP/1.1\r\n\r\nCONNECT example.com:443 HTTP/1.1\r\n\r\n",
            b"This port speaks TLS",
        ),
    ],
)
def test_the_proxy_refuses(google, data, words):
    assert words in exchange(google.proxy, random.Random(1), data)


@pytest.mark.parametrize(
    "host, status",
    [
        ("firestore.googleapis.com", 404),
        ("firebaserules.googleapis.com", 501),
        ("example.com", 421),
        ("127.0.0.1", 421),
        ("localhost", 421),
        ("", 421),
    ],
)
def test_the_host_of_a_request_counts_not_the_name_of_the_connection(google, host, status):
    with google.secure("www.googleapis.com") as connection:
        connection.sendall(
            f"GET {KEYS} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()
        )
        assert connection.recv(65536).startswith(f"HTTP/1.1 {status} ".encode())


def test_a_client_of_http_1_0_is_answered_by_its_host(google):
    for fields, status in [("Host: www.googleapis.com\r\n", 200), ("", 421)]:
        with google.secure() as connection:
            connection.sendall(f"GET {KEYS} HTTP/1.0\r\n{fields}\r\n".encode())
            answer = b""
            while more := connection.recv(65536):
                answer += more
        assert re.match(rf"HTTP/1\.[01] {status} ".encode(), answer), answer


def test_requests_of_one_connection_are_answered_in_their_order(google):
    paths = [(KEYS, 200), ("/nothing", 404), (KEYS, 200)]
    with google.secure() as connection:
        connection.sendall(
            b"".join(
                f"GET {path} HTTP/1.1\r\nHost: www.googleapis.com\r\n{end}\r\n".encode()
                for (path, _), end in zip(paths, ["", "", "Connection: close\r\n"])
            )
        )
        answer = b""
        while more := connection.recv(65536):
            answer += more
    assert [int(s) for s in re.findall(rb"HTTP/1\.1 (\d{3}) ", answer)] == [
        status for _, status in paths
    ]


def test_slow_clients_do_not_keep_others_waiting(google):
    parts = [b"", b"\x16\x03", hello("www.googleapis.com")[:50], b"CONNECT www", b"GET "]
    slow = [
        socket.create_connection(("127.0.0.1", port))
        for port in (google.google, google.proxy)
        for _ in range(100)
    ]
    for number, connection in enumerate(slow):
        connection.sendall(parts[number % len(parts)])
    threads = [threading.Thread(target=is_well, args=[google]) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    for connection in slow:
        connection.close()


@pytest.mark.parametrize(
    "path",
    [
        "/__/auth/handler",
        "/__/auth/iframe?apiKey=a",
        "/__/auth/action?mode=x",
        "/__/firebase/init.json",
        "/__/firebase/init.js",
    ],
)
@pytest.mark.parametrize("origin", ["https://evil.example", "null"])
def test_pages_of_other_origins_get_no_more_than_in_production(google, path, origin):
    """They may load these pages as anybody may; none holds a secret, and no control endpoint is there."""
    with google.secure("demo-hearth.firebaseapp.com") as connection:
        connection.sendall(
            (
                f"GET {path} HTTP/1.1\r\nHost: demo-hearth.firebaseapp.com\r\nOrigin: {origin}\r\n"
                "Connection: close\r\n\r\n"
            ).encode()
        )
        answer = b""
        while more := connection.recv(65536):
            answer += more
    head = answer.split(b"\r\n\r\n")[0].lower()
    assert int(head.split()[1]) < 500
    assert b"access-control-allow-credentials" not in head
