"""The official emulators in Hearth's place, where they run already."""

import os

from support.server import Server

VARIABLES = {"auth": "OFFICIAL_AUTH", "firestore": "OFFICIAL_FIRESTORE"}


class Official(Server):
    """Is at the addresses of the variables. It has none of Hearth's control endpoints."""

    @staticmethod
    def is_given() -> bool:
        return all(name in os.environ for name in VARIABLES.values())

    def __init__(self):
        self.addresses = {
            name: "http://" + os.environ[variable] for name, variable in VARIABLES.items()
        }
        self.auth = self.addresses["auth"]
        self.host = self.auth.removeprefix("http://")

    def stop(self) -> None:
        pass
