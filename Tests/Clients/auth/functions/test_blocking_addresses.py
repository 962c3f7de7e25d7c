"""Where blocking functions may be: on this machine, and where a flag says."""

import http.server
import threading

import pytest
import requests
from support.auth.functions import (  # noqa: F401
    BEFORE,
    check_error,
    configure,
    functions,
    known,
    played,
    refused,
    sign_up,
    triggers,
)
from support.server import PROJECT, Server
from support.wire import V1, V2


@pytest.mark.parametrize("event", BEFORE)
@pytest.mark.parametrize("host", ["192.0.2.2", "functions.example", "[::ffff:127.0.0.1]"])
def test_another_machine_is_not_called(hearth, functions, address, event, host):
    url = functions.url(event).replace("127.0.0.1", host)
    configure(hearth, {"triggers": {event: {"functionUri": url}}})
    error = refused(hearth, "signUp", {"email": address, "password": "secret1"}, 500)
    bare = host.strip("[]")
    check_error(
        error,
        url,
        500,
        f"((Failed to make request to URL: it is on the host {bare}, which is not this machine; "
        f"--allow-calls-to {bare} allows it.))",
    )
    assert functions.quiet()


@pytest.mark.parametrize("flag", ["--allow-calls-to", "--functions-emulator"])
def test_a_flag_allows_a_host(played, address, flag):
    played.answers.clear()
    played.forget()
    url = played.url("beforeCreate").replace("127.0.0.1", "[::ffff:127.0.0.1]")
    host = url.split("/")[2]
    server = Server(flag, host)
    try:
        configure(server, {"triggers": {"beforeCreate": {"functionUri": url}}})
        reply = requests.post(
            f"{server.auth}{V1}signUp?key=any",
            timeout=30,
            json={"email": address, "password": "secret1"},
        )
        assert reply.status_code == 200, reply.text
    finally:
        server.stop()
    assert "beforeCreate" in played.seen


def test_redirects_are_not_followed(hearth, address):
    """One that leads to another machine would pass the rule by."""
    seen = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            seen.append(self.path)
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        do_GET = do_POST

        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/first"
        configure(hearth, {"triggers": {"beforeCreate": {"functionUri": url}}})
        try:
            error = refused(hearth, "signUp", {"email": address, "password": "secret1"})
        finally:
            configure(hearth, {})
            server.shutdown()
    check_error(error, url, 400, "((HTTP request to URL returned HTTP error 302: ))")
    assert seen == ["/first"]
    assert not known(hearth, email=address)


@pytest.mark.parametrize("verb", ["PATCH", "replay"])
def test_a_page_cannot_name_one(hearth, functions, verb):
    """A page of another origin would have the server call what the page itself cannot."""
    address = f"{hearth.auth}{V2}projects/{PROJECT}/config"
    headers = {"Authorization": "Bearer owner", "Origin": "http://evil.example"}
    functions_of_page = {"blockingFunctions": triggers(functions, "beforeCreate")}

    def change(body):
        return requests.patch(address, timeout=30, json=body, headers=headers)

    before = requests.get(address, timeout=30, headers=headers).json()
    reply = change(functions_of_page)
    if verb == "replay":
        base = f"{hearth.auth}/emulator/v1/projects/{PROJECT}/requests"
        entry = requests.get(base, timeout=30).json()["requests"][-1]
        again = requests.post(f"{base}/{entry['id']}:replay", timeout=30)
        assert again.json()["status"] == 400, again.text
    assert reply.status_code == 400
    assert reply.json()["error"]["message"] == (
        "INVALID_BLOCKING_FUNCTION : ((A page of another origin cannot name blocking functions.))"
    )
    assert requests.get(address, timeout=30, headers=headers).json() == before
    # Nothing else is closed to it, as on the official emulator.
    assert change({"signIn": {"allowDuplicateEmails": False}}).status_code == 200


def test_a_page_of_this_machine_can(hearth, functions):
    reply = requests.patch(
        f"{hearth.auth}{V2}projects/{PROJECT}/config?updateMask=blockingFunctions",
        timeout=30,
        json={"blockingFunctions": triggers(functions, "beforeCreate")},
        headers={"Authorization": "Bearer owner", "Origin": "http://localhost:5173"},
    )
    assert reply.status_code == 200, reply.text
