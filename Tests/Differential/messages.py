"""Which text of Hearth means the same as which text of the official emulator."""

import re

# (official, Hearth, reason): when a text of the official server matches, Hearth's must match too.
# Texts that no row names may differ; `--texts` lists them.
EQUIVALENT = [
    (r"^no entity to update: ", r"^No document to update: ", "production's text"),
    (r"^entity already exists: ", r"^Document already exists: ", "production's text"),
    (r"^Document \(.*\) not found\.$", r'^Document ".*" not found\.$', "production's text"),
    (
        r"(for '[a-z]+' @ L\d+|No matching allow statements)",
        r"^Missing or insufficient permissions\.",
        "production's text, and the places of the rules that were tried",
    ),
    (
        r"^Aggregation aliases contain duplicate alias",
        r"^Aggregation aliases contain duplicate alias",
        "the alias is quoted",
    ),
    (
        r"^Error compiling rules:\n",
        r"^Error compiling rules:\nL\d+:\d+ ",
        "Hearth stops at the first mistake",
    ),
    (
        r"^The same document cannot be written more than once",
        r"^BatchWrite must not write to .* twice",
        "the document is named",
    ),
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
