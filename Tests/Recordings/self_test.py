"""Tests the comparison itself, without a server: each difference must be seen, and nothing else."""

import copy

from . import tokens
from .compare import differences
from .known import KNOWN
from .run import ASKED

TOKEN = tokens.minted("p", {"uid": "ann"})
LINK = "http://127.0.0.1/action?mode=resetPassword&oobCode=abc&apiKey=k&lang=en"
RECORDED = {
    "localId": "<generated-localId>",
    "email": "ann@example.com",
    "validSince": "<run-time:string:s>",
    "createdAt": "<run-time:string:ms>",
    "passwordUpdatedAt": "<run-time:number:ms>",
    "lastRefreshAt": "<run-time:instant>",
    "providers": [{"providerId": "password"}],
    "emailVerified": False,
    "idToken": {
        "<jwt>": {
            "header": {"alg": "RS256", "kid": "<present>", "typ": "JWT"},
            "claims": {
                "iss": "admin@p.iam.gserviceaccount.com",
                "sub": "admin@p.iam.gserviceaccount.com",
                "aud": tokens.AUDIENCE,
                "iat": "<iat>",
                "exp": "iat+3600",
                "uid": "ann",
            },
        }
    },
    "oobLink": {
        "handler": "<action-handler>",
        "code": "the-answer-oobCode",
        "params": {"mode": "resetPassword", "apiKey": "<present>", "lang": "en"},
    },
}
FOUND = {
    "localId": "x1",
    "email": "ann@example.com",
    "validSince": "1795842719",
    "createdAt": "1795842719441",
    "passwordUpdatedAt": 1795842719441,
    "lastRefreshAt": "2026-11-28T05:00:00.123Z",
    "providers": [{"providerId": "password"}],
    "emailVerified": False,
    "idToken": TOKEN,
    "oobLink": LINK,
}
CHANGED = {
    "localId": ("", 7),
    "email": ("Ann@example.com", "xann@example.com", None),
    "validSince": ("1795842719441", 1795842719),
    "createdAt": ("1795842719",),
    "passwordUpdatedAt": ("1795842719441", 1.5, True),
    "lastRefreshAt": ("2026-11-28", 0),
    "providers": ([], [{"providerId": "phone"}], [{}], [{"providerId": "password"}] * 2),
    "emailVerified": (True, 0, None, "false"),
    "idToken": (
        "text",
        tokens.minted("p", {"uid": "ann", "lifetime": 60}),
        tokens.minted("p", {"uid": "bob"}),
        tokens.minted("p", {"uid": "ann", "claims": {}}),
        tokens.minted("p", {"uid": "ann", "header": {"typ": "at+jwt"}}),
        tokens.spoilt(TOKEN, "none"),
    ),
    "oobLink": (
        LINK.replace("lang=en", "lang=de"),
        LINK.replace("oobCode=abc&", ""),
        LINK + "&continueUrl=x",
    ),
}


def main() -> int:
    faults = [f"seen where there is none: {line}" for line in differences(RECORDED, FOUND)]
    for name, values in CHANGED.items():
        for value in values:
            if not differences(RECORDED, FOUND | {name: value}):
                faults.append(f"not seen: {name} is {value!r}")
        without = copy.deepcopy(FOUND)
        del without[name]
        if not differences(RECORDED, without):
            faults.append(f"not seen: {name} is missing")
    if not differences(RECORDED, FOUND | {"more": 1}):
        faults.append("not seen: a member more")
    asked = {
        f"{name}#{step.name}"
        for programs in ASKED.values()
        for name, program in programs.items()
        for step in program.steps
    }
    faults += [f"known.py names a row that is not asked: {row}" for row in KNOWN.keys() - asked]
    for name, program in (pair for programs in ASKED.values() for pair in programs.items()):
        steps = [step.name for step in program.steps]
        faults += [f"{name}: two steps named {step}" for step in {*steps} if steps.count(step) > 1]
    for fault in faults:
        print(fault)
    print("self-test:", f"{len(faults)} faults" if faults else "passed")
    return 1 if faults else 0
