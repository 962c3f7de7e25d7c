"""Programs that no variable gives certificates to, and those that read a variable of their own."""

import os
import subprocess
import sys

import pytest
from support.as_google import needs
from support.server import binary

KEYS = "https://www.googleapis.com/oauth2/v3/certs"
TRUST = "/etc/ssl/certs/ca-certificates.crt"

pytestmark = pytest.mark.skipif(
    not os.path.exists(TRUST), reason="the system has no file of certificates here"
)


def test_wget(as_google):
    done = as_google.run(needs("wget"), "-q", "-O", "-", KEYS)
    assert '"keys"' in done.stdout


@pytest.mark.parametrize(
    "clean",
    [(), ("env", "-i", f"PATH={os.environ['PATH']}")],
    ids=["as it is", "without variables"],
)
def test_git(as_google, clean):
    """Nothing there is a repository, which it says only of a server that it trusts."""
    done = as_google.run(
        *clean, needs("git"), "ls-remote", "https://www.googleapis.com/a.git", status=128
    )
    assert "not found" in done.stderr and "certificate" not in done.stderr


def test_curl_without_variables(as_google):
    """As with sudo, and in programs with libcurl and its own path."""
    done = as_google.run("env", "-i", needs("curl"), "-sS", KEYS)
    assert '"keys"' in done.stdout


def test_the_file_is_ours_for_the_command_alone(as_google):
    before = open(TRUST).read()
    done = as_google.run("sh", "-c", f"cat {TRUST}; stat -c %a {TRUST}")
    assert done.stdout == done.stdout.strip() + "\n" and "BEGIN CERTIFICATE" in done.stdout
    assert done.stdout.endswith("644\n") and len(done.stdout) < len(before)
    assert open(TRUST).read() == before


HTTPLIB2 = f"""
import httplib2
reply, content = httplib2.Http(timeout=30).request("{KEYS}")
print(reply.status, b'"keys"' in content)
"""


@pytest.mark.parametrize("flags", [(), ("--as-google-mode", "proxy")], ids=["namespace", "proxy"])
def test_httplib2(as_google, flags):
    """Google's own client of its interfaces for Python uses it."""
    done = as_google.run(sys.executable, "-c", HTTPLIB2, flags=flags)
    assert done.stdout == "200 True\n"


def test_variables_of_programs(as_google):
    names = (
        "HTTPLIB2_CA_CERTS",
        "CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE",
        "NIX_SSL_CERT_FILE",
        "GIT_SSL_CAINFO",
        "CARGO_HTTP_CAINFO",
        "PERL_LWP_SSL_CA_FILE",
    )
    script = "; ".join(f'test "${name}" = "$SSL_CERT_FILE" || echo {name}' for name in names)
    assert as_google.run("sh", "-c", script, HTTPLIB2_CA_CERTS="/mine").stdout == ""


def test_the_doctor_says_what_is_trusted(as_google):
    done = subprocess.run(
        [binary(), "doctor", "--as-google", "--", "git"],
        capture_output=True,
        text=True,
        timeout=60,
        env=as_google.environment(),
    )
    assert f"The system's certificates are Hearth's there ({TRUST})" in done.stdout
    assert "GIT_SSL_CAINFO=FOLDER/ca.pem" in done.stdout
