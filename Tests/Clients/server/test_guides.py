"""The guides say what the program does: generated tables, flags and switches."""

import os
import re
import subprocess

import pytest
import requests
from support.server import PROJECT, ROOT, binary

GUIDES = ROOT / "Sources/hearth/Hearth.docc"
GENERATED = re.compile(
    r"<!-- hearth (?P<arguments>.+?) -->\n(?P<table>.*?)\n<!-- end -->", re.DOTALL
)


def output(*arguments):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("HEARTH_")}
    done = subprocess.run(
        [binary(), *arguments], capture_output=True, text=True, timeout=60, env=environment
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def generated_tables():
    for page in sorted(GUIDES.glob("*.md")):
        for match in GENERATED.finditer(page.read_text()):
            yield pytest.param(
                match["arguments"], match["table"], id=f"{page.stem}: {match['arguments']}"
            )


@pytest.mark.parametrize("arguments, table", list(generated_tables()))
def test_a_generated_table_is_what_the_command_prints(arguments, table):
    """`docker/docs --generate HEARTH` rewrites the tables."""
    assert table.strip() == output(*arguments.split()).strip()


def test_some_tables_are_generated():
    assert any(generated_tables())


def section(page, heading):
    text = (GUIDES / page).read_text()
    return text.split(f"\n## {heading}\n")[1].split("\n## ")[0]


def test_the_guide_lists_the_flags_of_the_server():
    listed = set(
        re.findall(
            r"^\| `(--[a-z-]+)` \|", section("Settings.md", "Flags and variables"), re.MULTILINE
        )
    )
    printed = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", output("serve", "--help"), re.MULTILINE))
    assert listed == printed - {"--version", "--help"}


def test_the_guide_lists_the_switches_of_a_project(hearth):
    listed = re.findall(r"^\| `(\w+)` \| (\S+)", section("Settings.md", "Switches"), re.MULTILINE)
    values = {"on": True, "off": False, "empty": ""}
    switches = requests.get(f"{hearth.auth}/emulator/v1/projects/{PROJECT}/switches").json()
    assert {name: values.get(value, value.strip("`")) for name, value in listed} == {
        name: str(value) if type(value) is int else value for name, value in switches.items()
    }
