"""Bad input to the endpoints of Google's other services, of agents and of seeds: each refusal has the
form of its protocol, and the server goes on."""

import http.client
import json
import re
import socket

import pytest
import requests
from support.server import PROJECT, Server

SERVICE_ACCOUNT = "/iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/-"
INSTALLATIONS = "/firebaseinstallations.googleapis.com/v1/projects/p/installations"
TOKEN = "/computeMetadata/v1/instance/service-accounts/default/token"
SEED = f"/emulator/v1/projects/{PROJECT}/seed"
GRANT = "grant_type=urn:ietf:params:oauth:grant-type"

OAUTH = [
    ("auth", "POST", "/oauth2.googleapis.com/token"),
    ("auth", "POST", "/www.googleapis.com/oauth2/v4/token"),
    ("auth", "GET", "/oauth2.googleapis.com/tokeninfo"),
    ("auth", "POST", "/oauth2.googleapis.com/tokeninfo"),
    ("auth", "GET", "/oauth2.googleapis.com/revoke"),
    ("auth", "POST", "/oauth2.googleapis.com/revoke"),
    ("auth", "POST", "/sts.googleapis.com/v1/token"),
]
IAM = [
    ("auth", "POST", SERVICE_ACCOUNT + verb)
    for verb in (":signBlob", ":signJwt", ":generateAccessToken", ":generateIdToken")
]
CONTROL = [
    ("auth", "POST", SEED),
    ("auth", "GET", "/emulator/v1/refusedHosts"),
    ("console", "POST", "/mcp"),
]
OPEN = [
    ("auth", "POST", INSTALLATIONS),
    ("auth", "POST", INSTALLATIONS + "/x/authTokens:generate"),
    ("auth", "DELETE", INSTALLATIONS + "/x"),
    ("auth", "GET", "/__/firebase/init.json"),
    ("auth", "GET", "/__/firebase/init.js"),
    ("auth", "GET", "/__/auth/links?link=x"),
    ("console", "GET", "/setup"),
]
METADATA = [("auth", "GET", "/metadata.google.internal" + TOKEN), ("metadata", "GET", TOKEN)]
ONE_OF_EACH = [OAUTH[0], OAUTH[1], OAUTH[-1], IAM[0], *CONTROL, OPEN[0], METADATA[1]]
ALL = [
    *OAUTH,
    *IAM,
    ("auth", "GET", SERVICE_ACCOUNT + "/allowedLocations"),
    *CONTROL,
    *OPEN,
    *METADATA,
]

BODIES = {
    "nothing": b"",
    "garbage": b"\x00\xff\xfe{]%zz&&=",
    "half": b"{",
    "null": b"null",
    "list": b"[]",
    "deep list": b"[" * 100_000,
    "deep object": b'{"payload":' * 100_000,
    "types": json.dumps(
        {
            "payload": 1,
            "scope": "x",
            "audience": [],
            "lifetime": {},
            "content": 1,
            "path": [],
            "fid": 5,
            "jsonrpc": 2,
            "method": [],
            "id": {},
        }
    ).encode(),
    "8 MiB": b'{"payload":"' + b"A" * (8 << 20) + b'"}',
    "a million fields": b"a=b&" * 1_000_000,
    "an assertion": GRANT.encode() + b":jwt-bearer&assertion=a.b.c",
    "an exchange": GRANT.encode() + b":token-exchange&subject_token=a.b.c",
}


class Google:
    def __init__(self, folder):
        self.server = Server(
            "--as-google",
            "--tls-port",
            "0",
            "--proxy-port",
            "0",
            "--metadata-port",
            "0",
            "--trust-out",
            str(folder / "trust"),
        )
        found = (
            re.match(r"([\w-]+) +https?://127\.0\.0\.1:(\d+)", line) for line in self.server.lines
        )
        self.ports = {line[1]: int(line[2]) for line in found if line}
        token = self.send("metadata", "GET", TOKEN, **{"Metadata-Flavor": "Google"})
        self.token = json.loads(token[2])["access_token"]

    def send(self, port, method, path, body=b"", **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.ports[port], timeout=60)
        connection.request(method, path, body or None, headers)
        reply = connection.getresponse()
        answer = reply.status, reply.getheader("content-type", ""), reply.read().decode()
        connection.close()
        return answer


@pytest.fixture(scope="module")
def google(tmp_path_factory):
    google = Google(tmp_path_factory.mktemp("google"))
    yield google
    # Nothing was lost on the way.
    assert google.server.accounts("signUp", {})["idToken"]
    google.server.stop()
    assert not [line for line in google.server.lines if "error:" in line.lower()]


def is_refusal(path: str, status: int, kind: str, text: str) -> bool:
    """Whether the answer has the form in which the protocol refuses."""
    if "/computeMetadata/" in path:
        return kind == "application/text" and text.endswith("\n") and "{" not in text
    answer = json.loads(text)
    if path.startswith(("/oauth2.", "/sts.", "/www.")):
        return set(answer) == {"error", "error_description"} and all(answer.values())
    if answer.get("jsonrpc") == "2.0":
        return isinstance(answer["error"]["code"], int) and bool(answer["error"]["message"])
    error = answer["error"]
    # A wrong content type has no status, as in the official Auth emulator.
    return error["code"] == status and bool(error["message"]) and error.get("status") != ""


def ids(cases):
    return [" ".join(case) for case in cases]


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("port, method, path", ALL, ids=ids(ALL))
def test_a_body_that_makes_no_sense(google, port, method, path, body):
    kinds = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"]
    for kind in kinds[:1] if len(BODIES[body]) > 1 << 20 else kinds:
        status, kind, text = google.send(
            port,
            method,
            path,
            BODIES[body],
            **{
                "Content-Type": kind,
                "Authorization": f"Bearer {google.token}",
                "Metadata-Flavor": "Google",
            },
        )
        assert status < 500, text
        if status >= 400:
            assert is_refusal(path, status, kind, text), text
        elif (port, method, path) in [*OAUTH, *IAM]:
            # An 8 MiB payload can be signed.
            assert path.endswith(":signBlob") and body == "8 MiB", text


@pytest.mark.parametrize("port, method, path", ONE_OF_EACH, ids=ids(ONE_OF_EACH))
def test_a_body_that_is_too_large(google, port, method, path):
    status, kind, text = google.send(port, method, path, b"a" * (40 << 20))
    assert status == 413 and is_refusal(path, status, kind, text), text


@pytest.mark.parametrize("port, method, path", ALL, ids=ids(ALL))
def test_a_body_that_is_not_packed(google, port, method, path):
    status, kind, text = google.send(
        port, method, path, b"not gzip", **{"Content-Encoding": "gzip"}
    )
    assert status == 400 and is_refusal(path, status, kind, text), text


@pytest.mark.parametrize(
    "port, method, path",
    [*OAUTH, *IAM, *CONTROL, *METADATA],
    ids=ids([*OAUTH, *IAM, *CONTROL, *METADATA]),
)
@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1.evil.example"]
)
def test_pages_of_other_origins_are_refused(google, port, method, path, origin):
    status, kind, text = google.send(
        port,
        method,
        path,
        b'{"jsonrpc":"2.0","id":1,"method":"ping"}' if method == "POST" else b"",
        **{
            "Content-Type": "application/json",
            "Authorization": f"Bearer {google.token}",
            "Metadata-Flavor": "Google",
            "Origin": origin,
            "Sec-Fetch-Site": "cross-site",
        },
    )
    assert status == 403 and is_refusal(path, status, kind, text), text


@pytest.mark.parametrize("port, method, path", IAM, ids=ids(IAM))
def test_the_tokens_of_users_and_strangers_sign_nothing(google, port, method, path):
    server = google.server
    user = server.accounts("signUp", {"returnSecureToken": True})["idToken"]
    body = b'{"payload":"e30=","scope":["a"],"audience":"a"}'
    for credential in (user, "owner", "ya29.real", user + "." + user, ""):
        status, kind, text = google.send(
            port,
            method,
            path,
            body,
            **{"Content-Type": "application/json", "Authorization": f"Bearer {credential}"},
        )
        assert status in (401, 403) and is_refusal(path, status, kind, text), text
    status, kind, text = google.send(
        port, method, path + "?key=any", body, **{"Content-Type": "application/json"}
    )
    assert status in (401, 403) and is_refusal(path, status, kind, text), text


@pytest.mark.parametrize(
    "name, value",
    [
        ("X-Forwarded-For", "10.0.0.1"),
        ("Host", "evil.example"),
        ("Metadata-Flavor", "other"),
        ("Metadata-Flavor", "google"),
    ],
)
def test_the_metadata_server_answers_to_programs_of_this_machine(google, name, value):
    headers = {"Metadata-Flavor": "Google", name: value}
    status, kind, text = google.send("metadata", "GET", TOKEN, **headers)
    assert status == 403 and is_refusal(TOKEN, status, kind, text)


@pytest.mark.parametrize("port, method, path", ONE_OF_EACH, ids=ids(ONE_OF_EACH))
def test_a_hundred_thousand_headers(google, port, method, path):
    with socket.create_connection(("127.0.0.1", google.ports[port]), timeout=30) as connection:
        try:
            connection.sendall(
                f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n".encode()
                + b"A: x\r\n" * 100_000
                + b"\r\n"
            )
            connection.shutdown(socket.SHUT_WR)
            answer = connection.makefile("rb").readline()
        except OSError:
            answer = b""
    assert answer == b"" or 400 <= int(answer.split()[1]) < 500, answer
    assert requests.get(google.server.auth, timeout=30).status_code == 200
