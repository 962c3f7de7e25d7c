"""The fixtures of every folder: one server for each file, and unused addresses."""

import uuid

import pytest

pytest.register_assert_rewrite("support")

from support.official import Official  # noqa: E402
from support.server import Server, use_default_signals  # noqa: E402

use_default_signals()


# Several workers take whole files in this order. The longest come first, so that all end together.
SLOW = (
    "server/test_fuzz.py",
    "console/test_frame.py",
    "console/test_data.py",
    "console/test_tasks.py",
    "control/test_event_stream.py",
    "dialects/test_dialects.py",
    "sdks/test_js_sdk_11.py",
    "asgoogle/test_back_ends.py",
    "packages/test_javascript.py",
    "packages/test_python.py",
    "server/test_firestore_kill9.py",
    "server/test_http2.py",
    "mailbox/test_smtp_relay.py",
)


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: not item.nodeid.startswith(SLOW))


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
