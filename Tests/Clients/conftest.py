"""The fixtures of every folder: one server for each file, and unused addresses."""

import uuid

import pytest

pytest.register_assert_rewrite("support")

from support.official import Official  # noqa: E402
from support.server import Server, use_default_signals  # noqa: E402

use_default_signals()


# Several workers take whole files in this order. The longest come first, so that all end together.
SLOW = (
    "console/test_look.py",
    "server/test_fuzz.py",
    "console/test_harmless.py",
    "asgoogle/test_back_ends.py",
    "console/test_mails.py",
    "console/test_frame.py",
    "exports/test_official_emulator.py",
    "console/tasks/test_counted.py",
    "console/test_tasks.py",
    "console/test_documents.py",
    "console/test_still.py",
    "console/test_tools.py",
    "console/test_data.py",
    "server/test_safety.py",
    "control/test_event_stream.py",
    "packages/test_python.py",
    "packages/test_javascript.py",
    "server/test_http2.py",
    "agents/test_agents.py",
    "sdks/test_js_sdk_11_providers.py",
)


def pytest_collection_modifyitems(items):
    def place(item):
        return next((at for at, name in enumerate(SLOW) if item.nodeid.startswith(name)), len(SLOW))

    items.sort(key=place)


@pytest.fixture(scope="module")
def hearth():
    # `docker/compared` runs the suites of SDKs against the official emulators, too.
    server = Official() if Official.is_given() else Server()
    yield server
    server.stop()


@pytest.fixture
def address() -> str:
    """An e-mail address that no other test uses."""
    return f"user-{uuid.uuid4().hex[:12]}@example.com"
