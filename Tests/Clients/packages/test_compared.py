"""The page "Compared": its figures, and claims that name what does not exist."""

import copy
import sys

from support.server import ROOT

sys.path.insert(0, str(ROOT / "docker/release"))

from steps import compared  # noqa: E402

RUN = {
    "suite": "an SDK",
    "version": "sdk 1.2",
    "against": "hearth 0.1.0",
    "date": "2026-11-24",
    "command": "run it",
    "passed": 1_199,
    "all": 1_200,
    "why": {"test_x": "not there"},
    "official": {
        "against": "tools 3",
        "date": "2026-11-25",
        "passed": 1_197,
        "all": 1_200,
        "why": {"test_y[1]": "501", "test_y[2]": "501", "test_z": "501"},
    },
}
PLACE = ROOT / "README.md"


def mistakes(text, run=RUN):
    return list(compared.mistakes({PLACE: text}, {"sdk": run}))


def test_the_table_has_the_figures_of_the_files():
    page = "<!-- compared -->\nold\n<!-- end of compared -->\n"
    made = compared.generated(page, {"sdk": RUN})
    assert (
        "| an SDK | sdk 1.2 | 1,199 of 1,200 | 1,197 of 1,200 | hearth 0.1.0; tools 3 "
        "| 2026-11-24, 2026-11-25 |"
    ) in made
    assert "- an SDK, on Hearth: `test_x`: not there" in made
    assert "- an SDK, on the official emulator: `test_y` (2 times), `test_z`: 501" in made
    untold = compared.generated(page, {"sdk": {**RUN, "official": None}})
    assert "| 1,199 of 1,200 | not run | hearth 0.1.0 |" in untold
    assert compared.generated(made, {"sdk": RUN}) == made
    empty = page.replace("old\n", "")
    assert compared.generated(empty, {"sdk": RUN}) == made
    for wrong in (page, empty, "no table"):
        [mistake] = compared.mistakes({PLACE: wrong}, {"sdk": RUN}, page=PLACE)
        assert "its table is not that of fixtures/compared" in mistake


def test_a_run_names_the_commit_of_its_binary():
    told = "hearth 0.1.0 (commit 935a96c170db with changes, 2026-11-29, linux-x86_64)\n"
    assert compared.subject(told, "other") == "hearth 0.1.0, commit 935a96c170db"
    assert compared.subject("hearth 0.1.0 (unreleased)\n", "935a") == "hearth 0.1.0, commit 935a"
    assert compared.subject("hearth 0.1.0 (unreleased)\n") == "hearth 0.1.0"
    known = [*compared.runs().values(), *compared.runs(compared.COUNTED).values()]
    assert [run["against"] for run in known if "commit " not in run["against"]] == []


def test_a_reason_that_needs_it_has_a_meaning():
    official = {**RUN["official"], "why": {"test_tokens_verify_by_jwks[1]": "KeyError: 'keys'"}}
    page = "<!-- compared -->\n<!-- end of compared -->\n"
    made = compared.generated(page, {"sdk": {**RUN, "official": official}})
    assert "`test_tokens_verify_by_jwks`: it publishes no keys (`KeyError: 'keys'`)" in made
    known = {
        name.partition("[")[0]
        for run in compared.runs().values()
        for each in compared.runs_of(run)
        for name in each["why"]
    }
    assert set(compared.MEANINGS) <= known


def test_the_other_table_has_what_was_counted():
    page = "<!-- counted -->\n<!-- end of counted -->\n"
    run = {key: RUN[key] for key in ("against", "date", "passed", "all", "command")}
    storm = {"what": "a storm", "count": "7 waves", "why": {}, **run}
    assert "| a storm | 7 waves | yes | hearth 0.1.0 |" in compared.generated(
        page, {}, {"s": storm}
    )
    failed = compared.generated(page, {}, {"s": {**storm, "why": {"test_x": "sunk"}}})
    assert "| 7 waves | no |" in failed and "- `test_x`: sunk" in failed


def test_claims_name_tests_that_exist():
    assert mistakes("`Tests/Clients/packages/test_compared.py` and `Tests/Clients`") == []
    assert mistakes("a\n`Tests/Nowhere/test_x.py`") == [
        "README.md:2: there is no Tests/Nowhere/test_x.py"
    ]


def test_claims_name_figures_of_runs():
    assert mistakes("[1,199 of 1,200](Sources/hearth/Hearth.docc/Compared.md)") == []
    assert mistakes("[1,200 of 1,200](Compared.md)") == ["README.md:1: no run has 1,200 of 1,200"]


def test_a_file_gives_a_reason_for_each_that_did_not_pass():
    run = copy.deepcopy(RUN)
    run["why"] = {}
    [mistake] = mistakes("", run)
    assert "has not a reason for each" in mistake
    run = copy.deepcopy(RUN)
    del run["official"]["why"]["test_z"]
    [mistake] = mistakes("", run)
    assert "has not a reason for each" in mistake
    del run["why"]
    [mistake] = mistakes("", run)
    assert "has not the members" in mistake


def test_the_files_and_texts_of_the_source_are_right():
    texts = {page: page.read_text() for page in (PLACE, compared.PAGE)}
    assert list(compared.mistakes(texts)) == []
    assert compared.runs()
