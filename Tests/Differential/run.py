"""Runs rounds of each part against both servers and tells what differs."""

import argparse
import contextlib
import json
import pathlib
import sys
import time

from . import deliberate
from .parts import control, listen, lists, oddities, queries, rules, transactions, writes
from .rounds import Round, Tally
from .servers import emulator_command, hearth_binary, start_hearth, start_official
from .transport import OFFICIAL, Server

# What plays a round, and its share of the requests.
PARTS = {
    "queries": (queries.play, 6),
    "writes": (writes.play, 6),
    "aggregations": (queries.play_aggregations, 3),
    "lists": (lists.play, 2),
    "oddities": (oddities.play, 1),
    "control": (control.play, 1),
    "rules": (rules.play, 5),
    "transactions": (transactions.play, 2),
    "listen": (listen.play, 2),
}
SHOWN_PER_CAUSE = 3
# The status of a run that compared nothing, as test harnesses know it.
NOT_COMPARED = 77


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m Tests.Differential",
        description="Sends the same random requests to the official Firestore emulator and to Hearth.",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, help="rounds of each part")
    parser.add_argument("--requests", type=int, default=5000, help="about so many requests in all")
    parser.add_argument(
        "--minutes", type=float, help="end after the round in which this time is over"
    )
    parser.add_argument("--round", type=int, help="this round only, to replay it")
    parser.add_argument("--parts", default=",".join(PARTS), help="of " + ",".join(PARTS))
    parser.add_argument("--hearth", help="the binary; else HEARTH_BINARY, else the newest build")
    parser.add_argument("--emulator", help="the command that starts the official emulator")
    parser.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="NAME",
        help="take this row out of the table of deliberate differences",
    )
    parser.add_argument(
        "--at-most",
        type=int,
        default=0,
        metavar="N",
        help="how many unexplained differences are not yet a failure",
    )
    parser.add_argument("--order", action="store_true", help="compare the order of fields too")
    parser.add_argument(
        "--texts", action="store_true", help="list pairs of messages that no row compares"
    )
    parser.add_argument("--all", action="store_true", help="show every difference")
    parser.add_argument("--shrink", action="store_true", help="make differences smaller (slow)")
    parser.add_argument("--record", metavar="FILE", help="write examples for the self-test")
    parser.add_argument(
        "--self-test", action="store_true", help="test the comparison, without servers"
    )
    parser.add_argument(
        "--use", nargs=2, metavar="ADDRESS", help="official and Hearth, already running"
    )
    options = parser.parse_args(given)
    unknown = set(options.parts.split(",")) - PARTS.keys()
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    names = {row.name for row in deliberate.ROWS}
    if set(options.without) - names:
        parser.error(f"no such row: {', '.join(sorted(set(options.without) - names))}")
    return options


def main(given: list[str] | None = None) -> int:
    options = arguments(given)
    if options.self_test:
        from .self_test import main as self_test

        return self_test()
    if options.use:
        servers = Server(OFFICIAL, options.use[0]), Server("hearth", options.use[1])
        return report(play(servers, options), options)
    command = emulator_command(options.emulator)
    if command is None:
        print(
            "skipped: the official Firestore emulator is not installed (cloud_firestore_emulator)"
        )
        return NOT_COMPARED
    with contextlib.ExitStack() as stack:
        hearth = start_hearth(hearth_binary(options.hearth))
        stack.callback(hearth.stop)
        official = start_official(command)
        stack.callback(official.stop)
        return report(play((official.server, hearth.server), options), options)


def play(servers: tuple[Server, Server], options) -> dict[str, Tally]:
    chosen = options.parts.split(",")
    begin = time.monotonic()
    limit = sys.maxsize if options.minutes is None else options.minutes * 60
    whole = sum(PARTS[name][1] for name in chosen)
    tallies, done = {}, 0
    for name in chosen:
        function, share = PARTS[name]
        tally = tallies[name] = Tally()
        wanted = options.requests * share / whole
        # Each part gets its share of the time, too.
        done += share
        end = begin + limit * done / whole
        number, start = 0, time.monotonic()
        while options.round is not None or number < (options.rounds or sys.maxsize):
            if options.round is None and options.rounds is None and tally.requests >= wanted:
                break
            if time.monotonic() > end:
                break
            round = Round(
                name,
                number if options.round is None else options.round,
                options.seed,
                servers,
                tally,
                options,
            )
            function(round)
            round.close()
            number += 1
            if options.round is not None:
                break
        print(
            f"{name}: {number} rounds, {tally.requests} requests, "
            f"{len(tally.differences)} differences, {time.monotonic() - start:.0f} s",
            flush=True,
        )
    return tallies


def record(tallies: dict[str, Tally], path: str) -> None:
    """Examples of deliberate differences are added to those that the file has."""
    file = pathlib.Path(path)
    known = json.loads(file.read_text())["deliberate"] if file.exists() else {}
    found: dict[str, dict] = {"deliberate": {}, "equal": {}}
    for tally in tallies.values():
        for kind, examples in tally.recorded.items():
            found[kind] |= {key: example for key, (_, example) in examples.items()}
    rows = {
        row.name: [found["deliberate"][row.name]]
        if row.name in found["deliberate"]
        else known.get(row.name, [])
        for row in deliberate.ROWS
    }

    def line(value) -> str:
        return json.dumps(value, ensure_ascii=False)

    # One example a line, so that a change of one is a change of a line.
    file.write_text(
        '{"deliberate": {\n'
        + ",\n".join(f" {line(name)}: {line(pairs)}" for name, pairs in rows.items())
        + '\n}, "equal": [\n'
        + ",\n".join(" " + line(found["equal"][key]) for key in sorted(found["equal"]))
        + "\n]}\n"
    )


def report(tallies: dict[str, Tally], options) -> int:
    if options.record:
        record(tallies, options.record)
    differences = [each for tally in tallies.values() for each in tally.differences]
    causes: dict[str, list] = {}
    for each in differences:
        causes.setdefault(f"{each.part} {each.request['rpc']} {each.cause}", []).append(each)
    for cause, found in sorted(causes.items(), key=lambda item: -len(item[1])):
        print(f"\n{len(found)} x {cause}")
        for each in found if options.all else found[:SHOWN_PER_CAUSE]:
            print("  " + each.line(options.seed))
    if options.texts:
        print("\nTexts that no row compares:")
        for detail, count in sorted(merged(tallies, "texts").items(), key=lambda item: -item[1]):
            print(f"  {count} x {detail}")
    rows = merged(tallies, "deliberate")
    for row in deliberate.ROWS:
        if rows.get(row.name):
            print(f"deliberate {row.name}: {rows[row.name]} ({row.reason})")
    unused = [row.name for row in deliberate.ROWS if not rows.get(row.name)]
    if unused:
        print(f"rows that nothing needed: {', '.join(unused)}")
    tallies = tallies.values()
    print(
        f"seed {options.seed}: {sum(each.requests for each in tallies)} requests, "
        f"{sum(each.equal for each in tallies)} equal "
        f"({sum(sum(each.texts.values()) for each in tallies)} with another text, "
        f"{sum(each.errors for each in tallies)} errors), "
        f"{sum(rows.values())} deliberately different, {len(differences)} different"
    )
    # A run that compared nothing proves nothing.
    return (
        1 if len(differences) > options.at_most or not sum(each.requests for each in tallies) else 0
    )


def merged(tallies: dict[str, Tally], member: str) -> dict[str, int]:
    whole: dict[str, int] = {}
    for tally in tallies.values():
        for name, count in getattr(tally, member).items():
            whole[name] = whole.get(name, 0) + count
    return whole
