"""The figures of the page "Compared": each is in a file that a run has written, and in no other place.

A file of fixtures/compared is {"suite", "version", "against", "date", "command", "passed", "all", "why", "official"}:
`why` says of each test that did not pass what the reason is, and `official` has the same of a run against the official
emulators, {"against", "date", "passed", "all", "why"}; null for none. One of fixtures/compared/counted is of a run
whose size counts: {"what", "count", "command"} and the same five.
"""

import json
import re

from steps.source import CATALOGUE, ROOT

FOLDER = ROOT / "fixtures/compared"
COUNTED = FOLDER / "counted"
PAGE = CATALOGUE / "Compared.md"
TABLE = re.compile(r"(<!-- compared -->\n)(.*?)(<!-- end of compared -->)", re.DOTALL)
COUNTED_TABLE = re.compile(r"(<!-- counted -->\n)(.*?)(<!-- end of counted -->)", re.DOTALL)
RUN = {"against", "date", "passed", "all", "why"}
MEMBERS = RUN | {"suite", "version", "command", "official"}
# What the reason of a test means, by its name. Where nothing is said the reason says it.
UNSIGNED = "its tokens are not signed"
KEYLESS = "it publishes no keys"
UNREVOKED = "a refresh token works after it was revoked"
MEANINGS = {
    "test_discovery_leads_to_the_keys": KEYLESS,
    "test_forged_tokens_are_refused": UNSIGNED,
    "test_rotation_keeps_old_tokens_good": UNSIGNED,
    "test_session_cookies_verify_by_their_keys": KEYLESS,
    "test_signatures_verify_outside_emulator_mode": UNSIGNED,
    "test_tokens_verify_by_certificate": KEYLESS,
    "test_tokens_verify_by_jwks": KEYLESS,
    "test_a_forgotten_password_is_reset": UNREVOKED + " by a new password",
    "test_revocation_is_seen": UNREVOKED,
    "test_users_are_imported_with_their_passwords": "it checks no password by a hash that was imported",
}
# Paths of the source that texts name as code.
PATH = re.compile(r"`((?:Tests|docker|fixtures)/[\w./-]+)`")
COUNT = re.compile(r"\[([\d,]+) of ([\d,]+)\]\(([^()\s]*)Compared\.md\)")


def runs(folder=FOLDER):
    return {file.stem: json.loads(file.read_text()) for file in sorted(folder.glob("*.json"))}


def subject(said, commit=None):
    """What a run was against: the version that the binary tells, and its commit, which a package's binary tells too."""
    told = re.search(r"commit (\w+)", said)
    commit = told[1] if told else commit
    return " ".join(said.split()[:2]) + (f", commit {commit}" if commit else "")


def number(value):
    return f"{value:,}"


def table(known):
    """The rows of the page, in the order of the files' names."""
    rows = [
        "| suite | version | on Hearth | on the official emulator | run against | date | command |",
        "|---|---|---|---|---|---|---|",
    ]
    for run in known.values():
        official = run["official"]
        rows.append(
            f"| {run['suite']} | {run['version']} | {share(run)} "
            f"| {share(official) if official else 'not run'} "
            f"| {'; '.join(each['against'] for each in runs_of(run))} "
            f"| {', '.join(sorted({each['date'] for each in runs_of(run)}))} "
            f"| `{run['command']}` |"
        )
    reasons = [
        f"- {run['suite']}, on {'Hearth' if each is run else 'the official emulator'}: {line}"
        for run in known.values()
        for each in runs_of(run)
        for line in grouped(each["why"])
    ]
    return "\n".join([*rows, *([""] if reasons else []), *reasons])


def counted_table(known):
    rows = [
        "| what | how much | passed | run against | date | command |",
        "|---|---|---|---|---|---|",
    ]
    for run in known.values():
        rows.append(
            f"| {run['what']} | {run['count']} | {'yes' if not run['why'] else 'no'} "
            f"| {run['against']} | {run['date']} | `{run['command']}` |"
        )
    reasons = [f"- {line}" for run in known.values() for line in grouped(run["why"])]
    return "\n".join([*rows, *([""] if reasons else []), *reasons])


def grouped(why):
    """A line for each meaning and reason, with the tests that gave it. Parameters of a test are left out."""
    tests = {}
    for name, reason in sorted(why.items()):
        plain = name.partition("[")[0]
        if meaning := MEANINGS.get(plain):
            reason = f"{meaning} (`{reason}`)"
        tests.setdefault(reason, []).append(plain)
    for reason, names in tests.items():
        listed = ", ".join(
            f"`{name}`" + (f" ({count} times)" if (count := names.count(name)) > 1 else "")
            for name in dict.fromkeys(names)
        )
        yield f"{listed}: {reason}"


def runs_of(run):
    official = run.get("official")
    return [run, *([official] if official else [])]


def share(run):
    return f"{number(run['passed'])} of {number(run['all'])}"


def generated(text, known, counted=None):
    counted = runs(COUNTED) if counted is None else counted
    text = TABLE.sub(lambda match: match[1] + table(known) + "\n" + match[3], text)
    return COUNTED_TABLE.sub(
        lambda match: match[1] + counted_table(counted) + "\n" + match[3], text
    )


def mistakes(texts, known=None, page=None):
    """What is wrong with the files, the page made of them, and texts that name tests and figures.

    `texts` are the pages by their paths.
    """
    known = runs() if known is None else known
    for name, run in known.items():
        file = f"fixtures/compared/{name}.json"
        if set(run) != MEMBERS or set(run.get("official") or RUN) != RUN:
            yield f"{file}: has not the members {sorted(MEMBERS)}"
        elif any(each["all"] - each["passed"] != len(each["why"]) for each in runs_of(run)):
            yield f"{file}: `why` has not a reason for each that did not pass"
    page = page or PAGE
    if page in texts and (
        not TABLE.search(texts[page]) or generated(texts[page], known) != texts[page]
    ):
        yield f"{page.name}: run docker/docs --generate; its table is not that of fixtures/compared"
    counts = {
        (number(each["passed"]), number(each["all"]))
        for run in known.values()
        for each in runs_of(run)
    }
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
