"""A project whose accounts a test updates and looks up."""

import pytest
from support.auth.codes import Codes
from support.auth.sign_up import hearth  # noqa: F401
from support.wire import V1, V3

PHONE, OTHER_PHONE = "+15555550100", "+15555550101"
FOUND = "identitytoolkit#GetAccountInfoResponse"
UPDATES = pytest.mark.parametrize("path", [V1 + "update", V3 + "setAccountInfo"], ids=["v1", "v3"])


class Accounts(Codes):
    """Updates by users and by administrators."""

    def mine(self, session: dict, status: int = 200, **change) -> dict:
        return self.call("update", {"idToken": session["idToken"], **change}, status)

    def change(self, uid: str, tenant=None, **change) -> dict:
        return self.admin("/accounts:update", {"localId": uid, **change}, tenant=tenant)

    def refused(self, uid: str, **change) -> str:
        return self.admin_error("/accounts:update", {"localId": uid, **change})

    def find(self, tenant=None, **query) -> list[dict]:
        answer = self.admin("/accounts:lookup", query, tenant=tenant)
        assert answer.pop("kind") == FOUND
        assert answer.keys() <= {"users"} and answer.get("users") != []
        return [user["localId"] for user in answer.get("users", [])]


@pytest.fixture
def project(hearth) -> Accounts:  # noqa: F811
    return Accounts(hearth)


def entries(record: dict) -> list[str]:
    return [entry["providerId"] for entry in record["providerUserInfo"]]


def only(before: dict, after: dict, *names: str) -> None:
    """Nothing but these members has changed."""

    def rest(record: dict) -> dict:
        return {name: value for name, value in record.items() if name not in names}

    assert rest(after) == rest(before)


def password_entry(email: str, **more) -> dict:
    return {"providerId": "password", "email": email, "federatedId": email, "rawId": email, **more}


def factor(id: str | None = "a", phone: str | None = PHONE, **more) -> dict:
    given = {"mfaEnrollmentId": id, "phoneInfo": phone, **more}
    return {name: value for name, value in given.items() if value is not None}


def stored(id: str = "a", phone: str = PHONE, **more) -> dict:
    return {"mfaEnrollmentId": id, "phoneInfo": phone, "unobfuscatedPhoneInfo": phone, **more}
