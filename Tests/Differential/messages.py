"""Which text of Hearth means the same as which text of the official emulator."""

import re

# (official, Hearth, reason): when a text of the official server matches, Hearth's must match too.
EQUIVALENT = [
    (r"^no entity to update: ", r"^No document to update: ", "Hearth has production's text"),
    (r"^entity already exists: ", r"^Document already exists: ", "Hearth has production's text"),
    (r"^Document \(.*\) not found\.$", r'^Document ".*" not found\.$', "Hearth has production's text"),
]
COMPILED = [(re.compile(one, re.S), re.compile(other, re.S)) for one, other, _ in EQUIVALENT]


def same_class(official: str, hearth: str) -> tuple[bool, tuple[str, str]]:
    """Whether the texts say the same; else the kind of verdict and its detail."""
    if reduced(official) == reduced(hearth):
        return True, ("", "")
    rows = [other for one, other in COMPILED if one.search(official)]
    if any(other.search(hearth) for other in rows):
        return True, ("", "")
    detail = f"{reduced(official)} | {reduced(hearth)}"
    return False, ("message" if rows else "text", detail)


def reduced(text: str) -> str:
    """The text without names, paths and numbers."""
    text = re.sub(r"projects/[^\s\"'`]*", "NAME", text)
    text = re.sub(r"\"[^\"]*\"|'[^']*'|`[^`]*`", "NAME", text)
    text = re.sub(r"\d+", "N", text)
    return " ".join(text.split()).rstrip(".").lower()
