"""How long a login without a browser takes, in milliseconds: the median, the 99th percentile, and the time
of the processor that the server takes for it, which others on the machine do not change.

    HEARTH_BINARY=.build/release/hearth .venv/bin/python Tests/Clients/identity_providers/measure.py [LOGINS]

Each login is the whole of it, over one connection that stays open: from the call that names somebody to
the session of Firebase. Keys are made before, as by the first login of a run.
"""

import http.client
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from urllib.parse import urlencode

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))

from support.server import READY  # noqa: E402

PROJECT = "demo-login"
BACK = "http://localhost:9/callback"
SIGN_IN = f"/emulator/v1/projects/{PROJECT}/personas/ada:signIn"


class Client:
    """Talks to a server that nothing else asks."""

    def __init__(self):
        none = ("console", "hub", "smtp", "smtp-tls", "mail-api")
        self.process = subprocess.Popen(
            [
                *(os.environ["HEARTH_BINARY"], "--project", PROJECT, "--auth-port", "0"),
                *("--firestore-port", "0"),
                *(word for name in none for word in (f"--{name}-port", "none")),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.host = ""
        for line in self.process.stdout:
            if found := re.match(r"auth +http://(\S+)", line):
                self.host = found[1]
            if line.startswith(READY):
                break
        self.connection = http.client.HTTPConnection(self.host, timeout=60)

    def processor_time(self) -> float:
        """In milliseconds, of all threads of the server."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")")[1].split()
        return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")

    def send(self, method: str, path: str, body: dict, form: bool = False) -> dict:
        kind = "application/x-www-form-urlencoded" if form else "application/json"
        text = urlencode(body) if form else json.dumps(body)
        self.connection.request(method, path, text, {"Content-Type": kind})
        reply = self.connection.getresponse()
        data = reply.read()
        assert reply.status == 200, data
        return json.loads(data)

    def sign_in_with_idp(self, **fields: str) -> str:
        return self.send(
            "POST",
            "/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp?key=any",
            {
                "requestUri": "http://localhost",
                "postBody": urlencode(fields),
                "returnSecureToken": True,
            },
        )["idToken"]

    def with_tokens(self, provider: str) -> str:
        """One call of the control endpoint, and one of the app's."""
        made = self.send("POST", SIGN_IN, {"provider": provider})
        return self.sign_in_with_idp(providerId=made["providerId"], id_token=made["idToken"])

    def with_code(self, provider: str) -> str:
        """The way of an app: the page, the token endpoint, and Firebase."""
        query = {
            "client_id": "web",
            "redirect_uri": BACK,
            "response_type": "code",
            "scope": "openid email profile",
        }
        address = f"http://{self.host}/idp/{provider}/authorize?{urlencode(query)}"
        made = self.send("POST", SIGN_IN, {"authorizationUrl": address})
        form = {
            "client_id": "web",
            "redirect_uri": BACK,
            "grant_type": "authorization_code",
            "code": made["fields"]["code"],
        }
        tokens = self.send("POST", f"/idp/{provider}/token", form, form=True)
        return self.sign_in_with_idp(providerId=f"{provider}.com", id_token=tokens["id_token"])


def measure(client: Client, name: str, login: Callable[[], str], count: int) -> None:
    for _ in range(20):
        login()
    times = []
    before = client.processor_time()
    for _ in range(count):
        start = time.perf_counter()
        login()
        times.append((time.perf_counter() - start) * 1000)
    used = (client.processor_time() - before) / count
    times.sort()
    print(
        f"{name:32}  median {statistics.median(times):6.1f}  p99 {times[int(count * 0.99)]:6.1f}"
        f"  processor {used:5.2f}"
    )


def main(logins: str = "300") -> None:
    client = Client()
    try:
        count = int(logins)
        measure(client, "tokens, RS256", lambda: client.with_tokens("google.com"), count)
        measure(client, "code and token endpoint, RS256", lambda: client.with_code("google"), count)
        settings = f"/emulator/v1/projects/{PROJECT}/identityProviders/google"
        client.send("PUT", settings, {"algorithm": "ES256"})
        measure(client, "tokens, ES256", lambda: client.with_tokens("google.com"), count)
        measure(client, "code and token endpoint, ES256", lambda: client.with_code("google"), count)
    finally:
        client.process.terminate()
        client.process.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
