"""A project whose out-of-band codes a test requests and reads."""

import pytest
from support.auth.sign_up import hearth  # noqa: F401
from support.steering import Steered
from support.wire import unsigned

A, B, C = "a@example.com", "b@example.com", "c@example.com"


class Codes(Steered):
    """Codes as administrators get them, and as the emulator lists them."""

    def pending(self, tenant=None) -> list[dict]:
        scope = self.control + (f"/tenants/{tenant}" if tenant else "")
        return self.request("GET", f"{scope}/oobCodes")["oobCodes"]

    def link(self, kind: str, email: str = A, tenant=None, **more) -> dict:
        more = {"requestType": kind, "email": email, "returnOobLink": True, **more}
        return self.admin("/accounts:sendOobCode", more, tenant=tenant)

    def oob(self, kind: str, email: str = A, tenant=None, **more) -> str:
        return self.link(kind, email, tenant, **more)["oobCode"]

    def make(self, tenant=None, **user) -> str:
        return self.admin("/accounts", user, tenant=tenant)["localId"]


@pytest.fixture
def project(hearth) -> Codes:  # noqa: F811
    return Codes(hearth)


def token(uid: str, **firebase) -> str:
    return unsigned(
        {
            "user_id": uid,
            "iat": 4_000_000_000,
            "firebase": {"sign_in_provider": "password", **firebase},
        }
    )
