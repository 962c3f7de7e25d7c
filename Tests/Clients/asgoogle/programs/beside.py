"""Runs a program with an ID token that is good, and with three that are not."""

import subprocess
import sys

from common import expired, foreign, sign_up, tampered

good = sign_up()["idToken"]
sys.exit(
    subprocess.run(
        [*sys.argv[1:], good, tampered(good), foreign(good), expired()], check=False
    ).returncode
)
