"""A project for each test."""

import pytest
from support.auth.app_check import AppCheck


@pytest.fixture
def app_check(hearth) -> AppCheck:
    return AppCheck(hearth)
