"""A Chromium without a window."""

import os

import pytest
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.support.ui import WebDriverWait


@pytest.fixture(scope="module")
def browser():
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--lang=en-US",
        # What rises from nothing has no text yet, as WebDriver sees it.
        "--force-prefers-reduced-motion",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = webdriver.ChromeService(os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    driver.execute_cdp_cmd(
        "Browser.grantPermissions",
        {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]},
    )
    yield driver
    driver.quit()


def until(browser, condition, seconds: float = 30):
    """The first true value of `condition`.

    An element that a page replaces between the finding and the reading of it is looked for again.
    """

    def holds(_):
        try:
            return condition()
        except (WebDriverException, IndexError, StopIteration):
            return False

    return WebDriverWait(browser, seconds, 0.05).until(holds)
