"""The overview of servers that are reached in another way: as Google, and by phones."""

import pathlib
import socket
import ssl

import pytest
import requests
from support.console import Console, browser  # noqa: F401
from support.server import Server


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> pathlib.Path:
    return tmp_path_factory.mktemp("trust") / "out"


@pytest.fixture(scope="module")
def google(folder):
    server = Server(
        "--as-google", "--tls-port", "0", "--proxy-port", "0", "--trust-out", str(folder)
    )
    yield server
    server.stop()


def opened(browser, server) -> Console:
    browser.set_window_size(1200, 900)
    browser.get_log("browser")
    return Console(browser, server.addresses["console"] + "/console/").open("overview")


def refused_by_name(server, name):
    """A handshake for a host that is not played."""
    addresses = requests.get(server.auth + "/emulator/v1/overview", timeout=30).json()["addresses"]
    host, port = addresses["google"].rsplit(":", 1)
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = socket.create_connection((host, int(port)), timeout=30)
    with connection, pytest.raises(ssl.SSLError):
        context.wrap_socket(connection, server_hostname=name)


def test_as_google_it_says_so_and_lists_refused_hosts(browser, google, folder):
    console = opened(browser, google)
    console.sees("as Google", ".cards")
    console.sees("No requests to other hosts.")
    names = [name.text for name in console.all(".addresses dt")]
    assert "Google, with TLS" in names and "Proxy" in names
    console.button("Copy Environment")
    console.until(lambda: console.clipboard() == f". {folder}/env.sh")
    for tab in ["Node Admin", "Python Admin", "Go Admin", "curl"]:
        console.button(tab)
        console.button(f"Copy {tab}")
        console.until(lambda: console.clipboard() and "EMULATOR" not in console.clipboard())
    refused_by_name(google, "evil.example")
    console.sees("evil.example", "[aria-label='Refused hosts'] tbody")
    console.sees("name in a TLS handshake", "[aria-label='Refused hosts'] tbody")


def test_a_request_to_another_service_is_listed_with_its_host(browser, google, folder):
    addresses = requests.get(google.auth + "/emulator/v1/overview", timeout=30).json()["addresses"]
    reply = requests.get(
        "https://firebaserules.googleapis.com/v1/things",
        timeout=30,
        verify=str(folder / "ca.pem"),
        proxies={"https": f"http://{addresses['proxy']}"},
    )
    assert reply.status_code == 501
    console = opened(browser, google)
    console.sees("firebaserules.googleapis.com", "[aria-label='Refused hosts'] tbody")
    console.project = "demo-hearth"
    console.open("requests?q=notPlayed")
    console.sees("firebaserules.googleapis.com/v1/things", "tbody")


def test_phones_get_a_code_to_scan(browser):
    try:
        server = Server("--lan")
    except AssertionError as error:
        if "no address on a local network" not in str(error):
            raise
        pytest.skip("this machine has no address in a network")
    try:
        console = opened(browser, server)
        phones = requests.get(server.auth + "/emulator/v1/overview", timeout=30).json()["phones"]
        assert phones["setupUrl"].endswith("/setup") and phones["opensControl"] is False
        link = console.until(lambda: console.find(".scan a"))
        assert link.text == link.get_attribute("href") == phones["setupUrl"]
        image = console.find(".scan img")
        assert image.get_attribute("alt") == f"QR code of {phones['setupUrl']}"
        console.until(
            lambda: (
                console.run("return arguments[0].complete && arguments[0].naturalWidth", image)
                > 100
            )
        )
        assert "Phones reach" not in " ".join(one.text for one in console.all(".notice"))
        console.button("Copy the address of the set-up page")
        console.until(lambda: console.clipboard() == phones["setupUrl"])
        assert not [
            entry
            for entry in browser.get_log("browser")
            if "Content Security Policy" in entry["message"]
        ]
    finally:
        server.stop()
