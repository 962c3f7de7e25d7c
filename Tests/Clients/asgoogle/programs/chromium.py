"""Chromium, which trusts Hearth in place of Google."""

import os
import pathlib
import sys

from selenium import webdriver

# For programs that use what the tests share.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

TRUST = pathlib.Path(os.environ["GOOGLE_APPLICATION_CREDENTIALS"]).parent


class Nobody:
    """The page puts a server's address into its query, which these programs do not use."""

    host = "none"


def chromium() -> webdriver.Chrome:
    options = webdriver.ChromeOptions()
    options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    flags = (TRUST / "chromium-flags.txt").read_text().splitlines()
    for flag in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-popup-blocking",
        *flags,
    ):
        options.add_argument(flag)
    service = webdriver.ChromeService(os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    driver.set_script_timeout(60)
    return driver
