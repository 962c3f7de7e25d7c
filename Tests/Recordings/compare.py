"""Whether an answer is what was recorded, where some of its values are different in every run."""

import base64
import json
import re
import urllib.parse

# What a placeholder stands for: the type of the value, and a pattern for texts.
INSTANT = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"
TEXTS = {
    "<run-time:string:s>": r"\d{10}",
    "<run-time:string:ms>": r"\d{13}",
    "<run-time:instant>": INSTANT,
    "<run-time:instant:fraction-3>": INSTANT,
    "<run-time:instant:fraction-6>": INSTANT,
    "<run-time>": INSTANT,
    "<now>": INSTANT,
    "<duration>": r"\d+(\.\d+)?s",
}
# Times of one answer that are the same, by their numbers in the recordings of Firestore.
TIME = re.compile(r"<[tr]\d+>")
# Production's links to create an index lead to Google's console, Hearth's to its own.
LINK = re.compile(r"https?://\S+[?&](create_composite|create_exemption)=([\w-]+)")
# The versions of a document that a failed precondition names, in microseconds, from 2020 on.
VERSION = re.compile(r"(?<=version \()1[6-9]\d{14}(?=\))")
# In the line of a member that the recording does not have.
MORE = "not recorded"
UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
NUMBERS = {"<run-time:number:ms>", "<run-time:number:s>", "<passwordUpdatedAt>"}
PLACEHOLDER = re.compile(r"<[A-Za-z][\w:.*-]*>")
# A tenant is recorded by its name, and how many characters follow in its id.
TENANT = re.compile(r"<tenant:\w+:(.*)\*(\d)>")


def differences(recorded, found, at: str = "") -> list[str]:
    """The places where two answers differ, each as one line."""
    if isinstance(recorded, dict) and isinstance(found, str):
        if "<jwt>" in recorded:
            return token_differences(recorded["<jwt>"], found, at)
        if "<json>" in recorded:
            return differences(recorded["<json>"], relative(json.loads(found)), at)
        if "handler" in recorded and "params" in recorded:
            return link_differences(recorded, found, at)
    if isinstance(recorded, dict) and isinstance(found, dict):
        lines = []
        for name in recorded.keys() | found.keys():
            place = f"{at}.{name}" if at else name
            if name not in found:
                lines.append(f"{place}: missing, recorded {recorded[name]!r}")
            elif name not in recorded:
                lines.append(f"{place}: {MORE}, found {found[name]!r}")
            else:
                lines += differences(recorded[name], found[name], place)
        return sorted(lines)
    if isinstance(recorded, list) and isinstance(found, list):
        if len(recorded) != len(found):
            return [f"{at}: {len(recorded)} elements recorded, {len(found)} found"]
        return [
            line
            for index, pair in enumerate(zip(recorded, found))
            for line in differences(*pair, f"{at}[{index}]")
        ]
    if same_value(recorded, found):
        return []
    return [f"{at}: recorded {recorded!r}, found {found!r}"]


def token_differences(recorded: dict, found: str, at: str) -> list[str]:
    """A token is recorded by its header and its claims, with times relative to its `iat`."""
    parts = found.split(".")
    if len(parts) != 3:
        return [f"{at}: no token: {found!r}"]
    header, claims = (
        json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))) for part in parts[:2]
    )
    wanted = {name: value for name, value in recorded["header"].items() if value != "<absent>"}
    claims = relative(claims)
    if recorded["claims"].get("auth_time") == "<auth_time>" and "auth_time" in claims:
        claims["auth_time"] = "<auth_time>"
    lines = differences(wanted, header, f"{at}.header")
    return lines + differences(recorded["claims"], claims, f"{at}.claims")


def relative(claims: dict) -> dict:
    """The claims of a token, with its times as recorded: seconds after its `iat`."""
    issued = claims.get("iat")
    if type(issued) is not int:
        return claims
    times = {name: claims[name] for name in ("exp", "nbf", "auth_time") if name in claims}
    shown = {
        name: f"iat+{time - issued}" if type(time) is int else time for name, time in times.items()
    }
    return claims | shown | {"iat": "<iat>"}


def link_differences(recorded: dict, found: str, at: str) -> list[str]:
    """A link is recorded by its parameters, without the code. One for an app has another in it."""
    query = urllib.parse.parse_qsl(urllib.parse.urlsplit(found).query)
    params = {name: value for name, value in query if name != "oobCode"}
    has_code = any(name == "oobCode" for name, _ in query)
    is_right = has_code != (recorded["code"] == "absent")
    lines = [] if is_right else [f"{at}: {'a' if has_code else 'no'} code in {found}"]
    return lines + differences(recorded["params"], params, f"{at}.params")


def same_value(recorded, found) -> bool:
    if isinstance(recorded, str) and recorded in NUMBERS:
        return type(found) is int
    if recorded == "<time>":
        return type(found) in (int, str)
    if isinstance(recorded, str) and isinstance(found, str):
        recorded, found = (
            VERSION.sub("<version>", LINK.sub(index_of, text)) for text in (recorded, found)
        )
        return re.fullmatch(pattern(recorded), found, re.DOTALL) is not None
    if type(recorded) in (int, float) and type(found) in (int, float):
        return recorded == found or float(recorded) == float(found)
    return type(recorded) is type(found) and recorded == found


def index_of(link: re.Match) -> str:
    """The index that a link creates, without the project.

    It is a message whose first field is the name, and the recorder replaced the project in it.
    """
    content = base64.urlsafe_b64decode(link[2] + "=" * (-len(link[2]) % 4))
    after = content[content.index(b"/collectionGroups/") :]
    return f"{link[1]} {after.hex()}"


def meaning(placeholder: str) -> str:
    if tenant := TENANT.fullmatch(placeholder):
        return f"{re.escape(tenant[1])}[0-9a-z]{{{tenant[2]}}}"
    if TIME.fullmatch(placeholder):
        return INSTANT
    return TEXTS.get(placeholder) or (UUID if placeholder.endswith(":uuid>") else ".+")


def pattern(recorded: str) -> str:
    """A regular expression for a text with placeholders; any other placeholder is a text.

    Claims that a message quotes have their times in the form of recorded tokens.
    """
    recorded = re.sub(r'"(iat\+\d+|<iat>)"', "<number>", recorded)
    parts, end = [], 0
    for found in PLACEHOLDER.finditer(recorded):
        parts += [re.escape(recorded[end : found.start()]), meaning(found[0])]
        end = found.end()
    return "".join([*parts, re.escape(recorded[end:])])
