"""Whether two answers are the same: status, HTTP status, result, and the class of a message."""

import json
import re
from dataclasses import dataclass

from . import deliberate
from .messages import reduced, same_class
from .transport import Answer, Request

TIME = re.compile(r"^(\d{4})-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$")
AUTOMATIC = re.compile(r"/[A-Za-z0-9]{20}$")
IGNORED = {"readTime"}
OPAQUE = {"transaction", "nextPageToken", "streamToken", "streamId"}


@dataclass(frozen=True)
class Verdict:
    """`kind` is equal, text, deliberate, or the way in which the answers differ."""

    kind: str
    detail: str = ""


EQUAL = Verdict("equal")


def judge(request: Request, official: Answer, hearth: Answer, options) -> Verdict:
    if request.rpc == "Listen":
        verdict = differ_views(request, official, hearth)
    else:
        verdict = differ(request, official, hearth, options)
    if verdict.kind in ("equal", "text"):
        return verdict
    for row in deliberate.ROWS:
        if row.name not in options.without and row.applies(request, official, hearth):
            return Verdict("deliberate", row.name)
    return verdict


def differ(request: Request, official: Answer, hearth: Answer, options) -> Verdict:
    if official.status != hearth.status:
        return Verdict("status", f"{official.status} {hearth.status}")
    if official.http != hearth.http:
        return Verdict("http", f"{official.http} {hearth.http}")
    if official.status != "OK":
        return text(official.message, hearth.message)
    ours, theirs = Normal(request), Normal(request)
    one, other = theirs.of(official.body), ours.of(hearth.body)
    if written(one, options.order) != written(other, options.order):
        return Verdict("order" if written(one, False) == written(other, False) else "body")
    verdict = EQUAL
    for pair in zip(theirs.texts, ours.texts):
        found = text(*pair)
        if found.kind == "message":
            return found
        verdict = verdict if found.kind == "equal" else found
    return verdict


def differ_views(request: Request, official: Answer, hearth: Answer) -> Verdict:
    """What a client sees in each target of a listener."""
    if official.status != hearth.status:
        return Verdict("status", f"{official.message} | {hearth.message}")
    one, other = Normal(request).of(official.body), Normal(request).of(hearth.body)
    different = sorted(
        target
        for target in one.keys() | other.keys()
        if written(one.get(target), False) != written(other.get(target), False)
    )
    return Verdict("view", " ".join(different)) if different else EQUAL


def state_verdict(request: Request, official: Answer, hearth: Answer, options) -> Verdict:
    if official.status != "OK" or hearth.status != "OK":
        return Verdict("state", "a state cannot be read")
    one, other = Normal(request).of(official.body), Normal(request).of(hearth.body)
    if written(one, options.order) == written(other, options.order):
        return EQUAL
    names = [
        {
            each["document"]["name"]: written(each, options.order)
            for each in body
            if "document" in each
        }
        for body in (one, other)
    ]
    different = sorted(
        name
        for name in names[0].keys() | names[1].keys()
        if names[0].get(name) != names[1].get(name)
    )
    return Verdict("state", " ".join(name.split("/documents/")[-1] for name in different[:5]))


def cause_of(verdict: Verdict, official: Answer, hearth: Answer) -> str:
    """What differences with one cause have in common."""
    sides = [f"{side.status} {reduced(side.message)[:100]}".strip() for side in (official, hearth)]
    return f"{verdict.kind} {' | '.join(sides)}"


def text(official: str, hearth: str) -> Verdict:
    same, detail = same_class(official, hearth)
    return EQUAL if same else Verdict(*detail)


def written(body, order: bool) -> str:
    return json.dumps(body, sort_keys=not order, ensure_ascii=False)


class Normal:
    """An answer without what may differ: when it was, and what only one server can read."""

    def __init__(self, request: Request):
        self.request = request
        self.texts: list[str] = []
        self.times: list[str] = []

    def of(self, body):
        self.collect(body)
        self.times = sorted(set(self.times), key=instant)
        body = self.tidy(body)
        if isinstance(body, list):
            body = [each for each in body if each != {}]
            if self.request.rpc == "BatchGetDocuments":
                body = sorted(
                    body,
                    key=lambda each: (
                        each.get("missing") or str(each.get("found", {}).get("name", ""))
                    ),
                )
        return body

    def collect(self, value, name: str = "") -> None:
        if isinstance(value, dict):
            for each, member in value.items():
                if each not in IGNORED:
                    self.collect(member, each)
        elif isinstance(value, list):
            for each in value:
                self.collect(each, name)
        elif isinstance(value, str) and is_now(value) and name != "timestampValue":
            self.times.append(shortest(value))

    def tidy(self, value, name: str = ""):
        if isinstance(value, dict):
            return self.tidy_members(value, name)
        if isinstance(value, list):
            return [self.tidy(each, name) for each in value]
        if name in OPAQUE:
            return bool(value)
        if name == "doubleValue" and not isinstance(value, str):
            return float(value)
        if isinstance(value, str):
            if is_now(value):
                # It has no microseconds, and the official server takes it some milliseconds before the
                # commit: how those of two commits follow is chance.
                if name == "timestampValue":
                    return "a server timestamp"
                # The order of times says which commit wrote what.
                return f"time {self.times.index(shortest(value))}"
            return shortest(value) if TIME.match(value) else value
        return value

    def tidy_members(self, value: dict, name: str) -> dict:
        if name == "status" and self.request.rpc == "BatchWrite":
            self.texts.append(value.get("message", ""))
            return {"code": 0} | {each: value[each] for each in value if each != "message"}
        if name == "geoPointValue" and all(
            isinstance(each, (int, float)) for each in value.values()
        ):
            return {
                each: float(number)
                for each, number in ({"latitude": 0, "longitude": 0} | value).items()
            }
        kept = {}
        for each, member in value.items():
            is_field = name in ("fields", "aggregateFields")
            if not is_field and (each in IGNORED or each in ("values", "fields") and not member):
                continue
            kept[each] = self.tidy(member, "" if is_field else each)
        is_automatic = self.request.rpc == "CreateDocument" and not self.request.body.get(
            "documentId"
        )
        if is_automatic and isinstance(kept.get("name"), str):
            kept["name"] = AUTOMATIC.sub("/automatic", kept["name"])
        return kept


def is_now(text: str) -> bool:
    """The generator's own times are all before or after the years of a server's clock."""
    match = TIME.match(text)
    return match is not None and 2021 <= int(match[1]) < 9999


def instant(text: str) -> tuple:
    whole, _, fraction = text.removesuffix("Z").partition(".")
    return whole, fraction.ljust(9, "0")


def shortest(text: str) -> str:
    whole, dot, fraction = text.removesuffix("Z").partition(".")
    fraction = fraction.rstrip("0")
    return f"{whole}.{fraction}Z" if fraction else f"{whole}Z"
