"""The formula for Homebrew, with the sum of the Linux package."""

import os

from steps import archive, licence
from steps.source import HERE

# Where the packages of a version will be; not published yet.
PLACE = "https://example.com/hearth"


def write(source, output):
    text = (HERE / "hearth.rb").read_text()
    text = text.replace("@ADDRESS@", os.environ.get("HEARTH_PACKAGES_URL", PLACE))
    text = text.replace("@VERSION@", source.version)
    name = licence.identifier()
    text = text.replace("@LICENCE@\n", f'  license "{name}"\n' if name else "")
    text = text.replace("@SHA256@", archive.sha256(output / f"{source.name}.tar.gz"))
    archive.write(output / "hearth.rb", text)
