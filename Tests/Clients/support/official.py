"""The official emulators in Hearth's place, where they run already."""

import os

import requests
from support.server import PROJECT, Server

VARIABLES = {"auth": "OFFICIAL_AUTH", "firestore": "OFFICIAL_FIRESTORE"}


class Official(Server):
    """Is at the addresses of the variables. Of Hearth's control endpoints it has the official ones."""

    @staticmethod
    def is_given() -> bool:
        return all(name in os.environ for name in VARIABLES.values())

    def __init__(self):
        self.addresses = {
            name: "http://" + os.environ[variable] for name, variable in VARIABLES.items()
        }
        self.auth = self.addresses["auth"]
        self.host = self.auth.removeprefix("http://")
        # Each file begins with nothing, as with a server of its own.
        project = f"/emulator/v1/projects/{PROJECT}"
        for place in (
            f"{self.auth}{project}/accounts",
            f"{self.addresses['firestore']}{project}/databases/(default)/documents",
        ):
            assert requests.delete(place, timeout=30).ok

    def mail(self, to: str, kind: str, **query: str) -> dict:
        """The code and the link, which the emulator keeps, in the words of a mail."""
        codes = f"{self.auth}/emulator/v1/projects/{PROJECT}/oobCodes"
        found = [
            code
            for code in requests.get(codes, timeout=30).json()["oobCodes"]
            if (code["email"], code["requestType"]) == (to, kind)
        ]
        return {**found[-1], "text": found[-1]["oobLink"]}

    def stop(self) -> None:
        pass
