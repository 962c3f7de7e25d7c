"""The notes of a release: its section of the change log, without links, which lead nowhere outside of it."""

import re

from steps.source import CATALOGUE

CHANGES = CATALOGUE / "ChangeLog.md"
LINK = re.compile(r"\[([^\[\]]+)\]\([^()\s]+\)")


def sections(text):
    """The text below each heading of the second level."""
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return {name.strip(): body.strip() for name, body in zip(parts[1::2], parts[2::2], strict=True)}


def notes(version, text=None):
    known = sections(text or CHANGES.read_text())
    if not known.get(version):
        raise SystemExit(f"{CHANGES.name} has no section {version}")
    body = LINK.sub(r"\1", known[version])
    return f"# Hearth {version}\n\n{body}\n"


def unreleased(text=None):
    """How many changes the source has that are in no version yet."""
    body = sections(text or CHANGES.read_text()).get("Unreleased", "")
    return len(re.findall(r"^- ", body, re.MULTILINE))
