"""Numbers at the ends of what 64 bits hold, and beyond, are answered, and the server goes on."""

import json

import pytest
import requests

LEAST, MOST = -(1 << 63), (1 << 63) - 1
OWNER = {"Authorization": "Bearer owner"}
IT = "/identitytoolkit.googleapis.com/v1"
CLAIMS = json.dumps({"n": LEAST - 1})
DATABASES = "/v1/projects/demo-extreme/databases"
MESSAGES = "/fcm.googleapis.com/v1/projects/demo-extreme/messages:send"
FIRESTORE, AUTH = "firestore", "auth"

# Below the least, a number is read as -2^63 in floating point.
REQUESTS = [
    pytest.param(AUTH, "POST", f"{IT}/accounts:signUp?key=any", {"email": LEAST - 1}, id="text"),
    pytest.param(
        AUTH,
        "POST",
        f"{IT}/projects/demo-extreme/accounts",
        {"customAttributes": CLAIMS},
        id="claims",
    ),
    pytest.param(
        AUTH,
        "POST",
        MESSAGES,
        {"message": {"token": "t", "apns": {"payload": {"aps": {"badge": LEAST - 1}}}}},
        id="badge",
    ),
    *(
        pytest.param(
            AUTH, "GET", f"/emulator/v1/projects/demo-extreme/accounts?{name}={MOST}", None, id=name
        )
        for name in ("offset", "limit")
    ),
    *(
        pytest.param(
            FIRESTORE,
            "POST",
            f"{DATABASES}?databaseId=numbers-{at}",
            {"locationId": "nam5", "type": number},
            id=f"type {at}",
        )
        for at, number in (("least", LEAST), ("most", MOST))
    ),
    pytest.param(
        FIRESTORE,
        "PATCH",
        f"{DATABASES}/(default)?updateMask=deleteProtectionState",
        {"deleteProtectionState": LEAST},
        id="protection",
    ),
]


@pytest.mark.parametrize("service, method, path, body", REQUESTS)
def test_a_number_at_the_end(hearth, service, method, path, body):
    url = hearth.addresses[service] + path
    reply = requests.request(method, url, json=body, headers=OWNER, timeout=30)
    assert reply.status_code < 500, reply.text
    assert requests.get(f"{hearth.auth}/", timeout=30).status_code == 200


def test_the_log_shows_such_a_number(hearth):
    body = {"sessionInfo": LEAST - 1}
    requests.post(f"{hearth.auth}{IT}/accounts:lookup?key=any", json=body, timeout=30)
    log = requests.get(f"{hearth.auth}/emulator/v1/projects/demo-hearth/requests:har", timeout=30)
    assert log.status_code == 200 and log.json()["log"]["entries"]
