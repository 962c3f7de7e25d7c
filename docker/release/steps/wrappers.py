"""The packages for Python and JavaScript, which have scripts of their own."""

import os

from steps.source import ROOT, run

PYTHON, JAVASCRIPT = ROOT / "Sources/hearth-python/build", ROOT / "Sources/hearth-js/build"


def build(source, binary, output):
    environment = {
        **os.environ,
        "SOURCE_DATE_EPOCH": str(source.epoch),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    common = ("--version", source.version, "--out", output)
    # The second is for platforms that have no binary yet: the client and the fixtures.
    for script, given in (
        (PYTHON, ["--binary", binary]),
        (PYTHON, []),
        (JAVASCRIPT, ["--binary", binary]),
    ):
        if script.exists():
            run(script, *given, *common, env=environment)
        else:
            print(f"{script.relative_to(ROOT)} is not there: its packages are left out")
