"""The fixtures `hearth` and `hearth_project`.

With pytest-xdist each worker process starts a server of its own when the first test asks for it.
Under `hearth exec -- pytest -n 4` they share one. Projects separate the tests in both cases.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from hearth_emulator import HearthClient, HearthServer


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini(
        "hearth_flags",
        "flags of the server that the fixture hearth starts, such as: --rules firestore.rules",
    )


@pytest.fixture(scope="session")
def hearth(request: pytest.FixtureRequest) -> Iterator[HearthServer]:
    """A server: the one that the environment names, else one that is started for this process.

    The variables by which SDKs find it are set until the last test has ended.
    """
    from hearth_emulator import HearthServer

    flags = shlex.split(str(request.config.getini("hearth_flags") or ""))
    with HearthServer.find(*flags) as server, pytest.MonkeyPatch.context() as patch:
        for name, value in server.environment.items():
            patch.setenv(name, value)
        yield server


@pytest.fixture
def hearth_project(hearth: HearthServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[HearthClient]:
    """A client of a project that only this test has. All that it holds is deleted afterwards."""
    client = hearth.isolated_project()
    for name in ("GCLOUD_PROJECT", "GOOGLE_CLOUD_PROJECT"):
        monkeypatch.setenv(name, client.project)
    monkeypatch.setenv("FIREBASE_CONFIG", json.dumps({"projectId": client.project}))
    yield client
    client.clear()
