"""The figures of the page "Compared": each is in a file that a run has written, and in no other place.

A file of fixtures/compared is {"suite", "version", "against", "date", "command", "passed", "all", "why"}: `why` says
of each test that did not pass what the reason is.
"""

import json
import re

from steps.source import CATALOGUE, ROOT

FOLDER = ROOT / "fixtures/compared"
PAGE = CATALOGUE / "Compared.md"
TABLE = re.compile(r"(<!-- compared -->\n)(.*?)(\n<!-- end of compared -->)", re.DOTALL)
MEMBERS = {"suite", "version", "against", "date", "command", "passed", "all", "why"}
# Paths of the source that texts name as code.
PATH = re.compile(r"`((?:Tests|docker|fixtures)/[\w./-]+)`")
COUNT = re.compile(r"\[([\d,]+) of ([\d,]+)\]\(([^()\s]*)Compared\.md\)")


def runs(folder=FOLDER):
    return {file.stem: json.loads(file.read_text()) for file in sorted(folder.glob("*.json"))}


def number(value):
    return f"{value:,}"


def table(known):
    """The rows of the page, in the order of the files' names."""
    rows = [
        "| suite | version | on Hearth | run against | date | command |",
        "|---|---|---|---|---|---|",
    ]
    for run in known.values():
        rows.append(
            f"| {run['suite']} | {run['version']} | {number(run['passed'])} of {number(run['all'])} "
            f"| {run['against']} | {run['date']} | `{run['command']}` |"
        )
    reasons = [
        f"- {run['suite']}: `{name}`: {reason}"
        for run in known.values()
        for name, reason in sorted(run["why"].items())
    ]
    return "\n".join([*rows, *([""] if reasons else []), *reasons])


def generated(text, known):
    return TABLE.sub(lambda match: match[1] + table(known) + match[3], text)


def mistakes(texts, known=None, page=None):
    """What is wrong with the files, the page made of them, and texts that name tests and figures.

    `texts` are the pages by their paths.
    """
    known = runs() if known is None else known
    for name, run in known.items():
        if set(run) != MEMBERS:
            yield f"fixtures/compared/{name}.json: has not the members {sorted(MEMBERS)}"
        elif run["all"] - run["passed"] != len(run["why"]):
            yield f"fixtures/compared/{name}.json: `why` has not a reason for each that did not pass"
    page = page or PAGE
    if page in texts and generated(texts[page], known) != texts[page]:
        yield f"{page.name}: run docker/docs --generate; its table is not that of fixtures/compared"
    counts = {(number(run["passed"]), number(run["all"])) for run in known.values()}
    for place, text in texts.items():
        for line, words in enumerate(text.splitlines(), 1):
            for path in PATH.findall(words):
                if not exists(path):
                    yield f"{place.relative_to(ROOT)}:{line}: there is no {path}"
            for passed, among, _ in COUNT.findall(words):
                if (passed, among) not in counts:
                    yield f"{place.relative_to(ROOT)}:{line}: no run has {passed} of {among}"


def exists(path):
    # `Tests/…Tests` stands for many.
    return "…" in path or (ROOT / path.rstrip("/.")).exists()
