"""What FirebaseAuth 12.19 for iOS sends, recorded from its own code: each request is played again.

Tokens, codes and ids of the recording are those of the play. All 182 requests are in
`fixtures/ios/requests.json`; none had to be left out. Three have another answer than when they were
recorded, because the answer was wrong then: a password for Google's own address, Game Center, and
`captchaResponse` with a password.
"""

import json

import pytest
from support.auth.functions import Functions
from support.auth.ios import Player
from support.server import ROOT

RECORDED = json.loads((ROOT / "fixtures/ios/requests.json").read_text())
FAULTS = RECORDED["faults"]


@pytest.fixture(scope="module")
def functions():
    functions = Functions()
    yield functions
    functions.close()


@pytest.mark.parametrize("scene", RECORDED["scenes"], ids=lambda scene: scene["scene"])
def test_a_scene(hearth, functions, scene):
    player = Player(hearth, functions)
    for step in scene["steps"]:
        player.play(step)


@pytest.mark.parametrize("refusal", FAULTS["refusals"], ids=lambda refusal: refusal["code"])
def test_an_error_that_the_sdk_knows(hearth, functions, refusal):
    """Each came through a fault, in the words that the SDK maps."""
    player = Player(hearth, functions)
    player.given_fault("*.signInWithPassword", {"error": refusal["code"]})
    player.play(
        {
            "call": "verifyPassword",
            "body": FAULTS["body"],
            "status": refusal["status"],
            "error": refusal["error"],
        }
    )


def test_all_requests_are_played():
    steps = [step for scene in RECORDED["scenes"] for step in scene["steps"] if "call" in step]
    played = {json.dumps(step, sort_keys=True) for step in steps}
    assert len(played) + len(FAULTS["refusals"]) >= 182 - 3
