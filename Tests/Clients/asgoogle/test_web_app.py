"""A web app as it is built for production, in a browser."""

from support.as_google import needs
from support.auth.js_app_check import app_check_script
from support.js_sdk import modular_script


def test_a_web_app_in_chromium(as_google, tmp_path):
    needs("chromedriver")
    script = tmp_path / "sdk.js"
    script.write_text(modular_script(tmp_path / "modules"))
    assert as_google.python("browser.py", str(script))["done"]


def test_app_check_in_chromium(as_google, tmp_path):
    needs("chromedriver")
    script = tmp_path / "sdk.js"
    script.write_text(app_check_script(tmp_path / "modules"))
    assert as_google.python(
        "app_check_browser.py", str(script), flags=("--app-check", "enforce"), status=1
    )["done"]
