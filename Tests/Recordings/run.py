"""Replays recordings and counts the equal answers."""

import argparse
import copy
import json
import os
import pathlib

from Tests.Differential.servers import Program as Process
from Tests.Differential.servers import free_port, hearth_binary

from .asked import actions, configurations, credentials, factors, providers, tenants
from .asked import matrix as auth_matrix
from .asked.accounts import administration, apps, policies
from .asked.firestore import (
    aggregations,
    callers,
    claims,
    databases,
    filters,
    indexes,
    lists,
    matrix,
    orders,
    plans,
    refusals,
    remote,
    times,
    types,
    vectors,
    writes,
)
from .compare import MORE, differences
from .known import KNOWN
from .replay import Addresses, Replay, Reply, Unresolved, member_of
from .steps import Program, Step

ASKED: dict[str, dict[str, Program]] = {
    "auth-account-production.json": administration.PROGRAMS | apps.PROGRAMS | policies.PROGRAMS,
    "auth-action-production.json": actions.PROGRAMS,
    "auth-config-sdk-production.json": configurations.PROGRAMS,
    "auth-credential-production.json": credentials.PROGRAMS,
    "auth-mfa-production.json": factors.PROGRAMS,
    "auth-federation-production.json": providers.PROGRAMS,
    "auth-fs-cross-production.json": callers.PROGRAMS,
    "auth-production-matrix.json": auth_matrix.PROGRAMS,
    "auth-tenant-blocking-production.json": tenants.PROGRAMS,
    "firestore-production-matrix.json": matrix.PROGRAMS | types.PROGRAMS | writes.PROGRAMS,
    "fs-config-lifecycle-production.json": databases.PROGRAMS,
    "fs-data-write-list-production.json": lists.PROGRAMS,
    "fs-query-index-production.json": aggregations.PROGRAMS
    | filters.PROGRAMS
    | indexes.PROGRAMS
    | orders.PROGRAMS
    | plans.PROGRAMS
    | refusals.PROGRAMS
    | remote.PROGRAMS
    | times.PROGRAMS
    | vectors.PROGRAMS,
    "fs-rules-production.json": claims.PROGRAMS,
}


# The name of a recorded project where a recording does not tell it, and how long its own name was:
# some messages count characters.
PROJECTS = {"firestore-production-matrix.json": "demo-firestore-probe"}
LENGTHS = {"firestore-production-matrix.json": 13}
QUOTAS = ("TOO_MANY_ATTEMPTS_TRY_LATER", "QUOTA_EXCEEDED : Exceeded quota.")


class Count:
    """Of one file: rows compared, rows equal, and the rows that nothing can be compared with."""

    def __init__(self):
        self.compared = self.equal = 0
        self.left: dict[str, int] = {}

    def leave(self, reason: str, rows: int = 1) -> None:
        self.left[reason] = self.left.get(reason, 0) + rows


def main() -> int:
    options = arguments()
    known = {name: options.folder / name for name in ASKED if (options.folder / name).is_file()}
    if not known:
        raise SystemExit(f"{options.folder} has none of: {', '.join(ASKED)}")
    process, addresses = start(hearth_binary(options.hearth))
    try:
        counts = {
            name: replay_file(addresses, path, ASKED[name], options) for name, path in known.items()
        }
    finally:
        process.stop()
    for name, count in counts.items():
        print(f"{name}: {count.compared} compared, {count.equal} equal ({share(count):.1f} %)")
        for reason, rows in count.left.items():
            print(f"  not compared: {rows} rows, {reason}")
    return 0 if all(share(count) >= options.share for count in counts.values()) else 1


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m Tests.Recordings", description=__doc__)
    parser.add_argument("folder", type=pathlib.Path, help="where the recordings are")
    parser.add_argument("--hearth", help="the binary; else HEARTH_BINARY, else the newest build")
    parser.add_argument("--program", default="", help="only programs whose name has this text")
    parser.add_argument("--share", type=float, default=97, help="per cent that must be equal (97)")
    return parser.parse_args()


def share(count: Count) -> float:
    return 100 * count.equal / count.compared if count.compared else 100


def start(binary: str) -> tuple[Process, Addresses]:
    ports = {name: free_port() for name in ("auth", "firestore", "console")}
    flags = [part for name, port in ports.items() for part in (f"--{name}-port", str(port))]
    flags += ["--profile", "production", "--hub-port", "none", "--log-level", "error"]
    for listener in ("smtp", "smtp-tls", "mail-api"):
        flags += [f"--{listener}-port", "none"]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("HEARTH_")}
    process = Process("hearth", [binary, "serve", *flags], ports["auth"], environment)
    return process, Addresses(process.server.address, f"127.0.0.1:{ports['firestore']}")


def replay_file(
    addresses: Addresses, path: pathlib.Path, asked: dict[str, Program], options
) -> Count:
    count = Count()
    content = json.loads(path.read_text())
    against = content.get("recordedAgainst", {})
    for name, recording in programs_of(content).items():
        if options.program not in name:
            continue
        if name not in asked:
            count.leave("their requests are not written down here", len(recording["steps"]))
            continue
        replay = Replay(
            addresses,
            asked[name],
            against.get("project", PROJECTS.get(path.name, "")),
            against.get("baseline", against).get("authorizedDomains", []),
            LENGTHS.get(path.name, 20),
        )
        replay_program(replay, name, asked[name], recording, count)
    return count


def programs_of(content: dict) -> dict[str, dict]:
    """Programs by name. A matrix has a list of them, with the answers of several servers."""
    if isinstance(content["programs"], dict):
        return content["programs"]
    return {
        program["id"]: {
            "steps": {name: row["production"] for name, row in program["steps"].items()}
        }
        for program in content["programs"]
    }


def replay_program(replay: Replay, name: str, program: Program, recording: dict, count: Count):
    rows = dict(recording["steps"])
    for step in program.steps:
        row = rows.pop(step.name, None)
        answers = [row, recording.get("second", {}).get(step.name)] if row else []
        # Of an answer that was asked for until it stayed the same, the last.
        answers = [answer.get("settled", answer) for answer in answers if answer]
        reasons = [not_replayed(answer) for answer in answers]
        answers = [answer for answer in answers if not not_replayed(answer)]
        reason = KNOWN.get(f"{name}#{step.name}") or (reasons[0] if row and not answers else None)
        if row and reason:
            count.leave(reason)
            continue
        try:
            reply = replay.send(step)
        except Unresolved as missing:
            if row is not None:
                count.compared += 1
                report(name, step.name, [str(missing)], row, None)
            continue
        if row is None:
            continue
        count.compared += 1
        found = min((judged(replay, step, answer, reply) for answer in answers), key=len)
        if found:
            report(name, step.name, found, row, reply)
        else:
            count.equal += 1
    if rows:
        count.leave("the list of requests lacks the step", len(rows))


def not_replayed(row: dict) -> str | None:
    """Why a row does not answer its request. It is not sent, so that the state stays the recorded one."""
    if row.get("status") in (-1, 0):
        return "the recorder could not send them"
    body = row.get("body")
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, dict) and error.get("message") in QUOTAS:
        return "they met the quota of the recorded project"
    return None


def judged(replay: Replay, step: Step, row: dict, reply: Reply) -> list[str]:
    """What differs between a recorded row and a reply."""
    if "grpc" in row:
        row = {"code": row["grpc"], "messages": row.get("messages", [])} | (
            {"message": row["details"]} if row["details"] else {}
        )
    if step.rpc:
        fields = ("code", "message", "messages")
        return differences(replay.recorded({f: row[f] for f in fields if f in row}), reply.body)
    found = [] if row["status"] == reply.status else [f"status {row['status']}, {reply.status}"]
    if row.get("nonJson") or row.get("code") == "non-json":
        return found + (["JSON, recorded as something else"] if reply.body is not None else [])
    if "message" in row:
        # A matrix has a refusal's message and status alone.
        body = reply.body[0] if isinstance(reply.body, list) else reply.body
        error = (body or {}).get("error", {})
        recorded = {"message": row["message"], "status": row["code"]}
        # Auth's status is the first word of its message.
        if row["message"].startswith(row["code"]):
            del recorded["status"]
        recorded = replay.recorded(recorded)
        return found + differences(recorded, {name: error.get(name) for name in recorded})
    recorded, body = replay.recorded(row.get("body")), copy.deepcopy(reply.body)
    for path in step.left_out:
        drop(recorded, path)
        drop(body, path)
    lines = differences(recorded, body)
    return found + [line for line in lines if not step.in_part or MORE not in line]


def drop(answer: object, path: str) -> None:
    """Takes the member at a path of names and indices away."""
    *parents, last = path.split(".")
    if parents:
        answer = member_of(answer, ".".join(parents))
    if isinstance(answer, dict):
        answer.pop(last, None)


def report(program: str, step: str, found: list[str], row: dict, reply: Reply | None) -> None:
    print(f"DIFFERENT {program}#{step}")
    for line in found:
        print(f"    {line}")
    row = row.get("settled", row)
    recorded = row.get("body") if "status" in row else row
    print(f"    recorded: {row.get('status', '')} {json.dumps(recorded, ensure_ascii=False)}")
    if reply:
        print(f"    hearth:   {reply.status} {reply.text.strip()}")
