"""A place in which Hearth is Google, for each test."""

import pathlib
import subprocess
import sys

import pytest
from support.as_google import PROJECT, AsGoogle
from support.server import binary


@pytest.fixture(scope="session")
def service_account(tmp_path_factory) -> pathlib.Path:
    """A key file, so that not every server has to make a key."""
    path = tmp_path_factory.mktemp("key") / "service-account.json"
    subprocess.run(
        [binary(), "service-account", "create", "--project", PROJECT, "--output", str(path)],
        check=True,
        capture_output=True,
        timeout=60,
    )
    return path


@pytest.fixture
def as_google(tmp_path, service_account) -> AsGoogle:
    home = tmp_path / "home"
    home.mkdir()
    return AsGoogle(home, service_account)


@pytest.fixture(scope="session", autouse=True)
def needs_linux():
    if not sys.platform.startswith("linux"):
        pytest.skip("only Linux has namespaces")
