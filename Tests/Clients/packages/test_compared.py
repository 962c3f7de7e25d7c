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
}
PLACE = ROOT / "README.md"


def mistakes(text, run=RUN):
    return list(compared.mistakes({PLACE: text}, {"sdk": run}))


def test_the_table_has_the_figures_of_the_files():
    page = "<!-- compared -->\nold\n<!-- end of compared -->\n"
    made = compared.generated(page, {"sdk": RUN})
    assert "| an SDK | sdk 1.2 | 1,199 of 1,200 | hearth 0.1.0 |" in made
    assert "- an SDK: `test_x`: not there" in made
    assert compared.generated(made, {"sdk": RUN}) == made
    [mistake] = compared.mistakes({PLACE: page}, {"sdk": RUN}, page=PLACE)
    assert "its table is not that of fixtures/compared" in mistake


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
    del run["why"]
    [mistake] = mistakes("", run)
    assert "has not the members" in mistake


def test_the_files_and_texts_of_the_source_are_right():
    texts = {page: page.read_text() for page in (PLACE, compared.PAGE)}
    assert list(compared.mistakes(texts)) == []
    assert compared.runs()
