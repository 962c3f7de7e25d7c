"""A web app as it is built for production, in a browser."""

from support.as_google import needs
from support.js_sdk import modular_script


def test_a_web_app_in_chromium(as_google, tmp_path):
    needs("chromedriver")
    script = tmp_path / "sdk.js"
    script.write_text(modular_script(tmp_path / "modules"))
    assert as_google.python("browser.py", str(script))["done"]
