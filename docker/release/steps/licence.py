"""The licence of Hearth: everything that names it asks here, and here it is read from one file.

The file LICENSE has the text, and a line `SPDX-License-Identifier: …`, by which packages name it. It is not chosen
while the file is absent, and packages say that.
"""

import re

from steps.source import ROOT

FILE = ROOT / "LICENSE"
UNKNOWN = "NOASSERTION"


def text(file=None):
    """None where no licence is chosen."""
    file = file or FILE
    return file.read_text() if file.exists() else None


def identifier(file=None):
    """The name that SPDX has for it."""
    file = file or FILE
    if (known := text(file)) is None:
        return None
    found = re.search(r"^SPDX-License-Identifier: (\S.*)$", known, re.MULTILINE)
    if not found:
        raise SystemExit(f"{file} needs a line 'SPDX-License-Identifier: …'")
    return found[1].strip()


def debian(file=None):
    """The paragraph of a Debian package's `copyright`."""
    if (name := identifier(file)) is None:
        return "License: not-stated\n The licence of Hearth is not chosen yet."
    lines = [line.rstrip() or "." for line in text(file).strip().splitlines()]
    return "\n".join([f"License: {name}", *(f" {line}" for line in lines)])
