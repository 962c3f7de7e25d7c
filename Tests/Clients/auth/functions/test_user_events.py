"""User events: what a functions emulator receives."""

import json
import re
import uuid

import pytest
import requests
from support.auth.functions import (  # noqa: F401
    GOOGLE,
    Functions,
    changing,
    configure,
    google,
    idp,
    link,
    number,
    phone,
    refused,
    sign_in,
    sign_up,
    triggers,
)
from support.server import PROJECT, Server
from support.wire import V2, no_null

BEFORE = ("beforeCreate", "beforeSignIn")


# MARK: User events


@pytest.fixture(scope="module")
def told():
    """A server that sends user events to a functions emulator, and that functions emulator."""
    functions = Functions()
    server = Server("--functions-emulator", functions.host)
    yield server, functions
    server.stop()
    functions.close()


def event(functions: Functions) -> dict:
    name, path, headers, body = functions.calls.get(timeout=30)
    assert path == f"/functions/projects/{PROJECT}/trigger_multicast"
    assert headers["Content-Type"] == "application/json"
    body = json.loads(body)
    no_null(body)
    assert body.keys() == {"eventId", "eventType", "resource", "params", "timestamp", "data"}
    assert uuid.UUID(body["eventId"]) and body["params"] == {}
    assert body["resource"] == {
        "name": f"projects/{PROJECT}",
        "service": "firebaseauth.googleapis.com",
    }
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", body["timestamp"])
    assert not {"passwordHash", "salt", "validSince"} & body["data"].keys()
    return body


def created(functions: Functions) -> dict:
    body = event(functions)
    assert body["eventType"] == "providers/firebase.auth/eventTypes/user.create"
    return body["data"]


def deleted(functions: Functions) -> dict:
    body = event(functions)
    assert body["eventType"] == "providers/firebase.auth/eventTypes/user.delete"
    return body["data"]


def no_more(hearth, functions: Functions) -> None:
    """Nothing but the event of the user that this makes is under way."""
    uid = hearth.accounts("signUp", {})["localId"]
    assert created(functions)["uid"] == uid
    assert functions.quiet()


ISO = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"


def test_a_password_user_comes_and_goes(told, address):
    hearth, functions = told
    session = sign_up(hearth, address, displayName="Ann")
    data = created(functions)
    metadata = data.pop("metadata")
    assert metadata.keys() == {"creationTime", "lastSignInTime"}
    assert all(re.fullmatch(ISO, time) for time in metadata.values())
    data.pop("disabled", None)
    assert data == {
        "uid": session["localId"],
        "email": address,
        "emailVerified": False,
        "displayName": "Ann",
        "customClaims": {},
        "providerData": [
            {
                "rawId": address,
                "providerId": "password",
                "displayName": "Ann",
                "email": address,
                "federatedId": address,
            }
        ],
    }
    hearth.accounts("delete", {"idToken": session["idToken"]})
    assert deleted(functions)["uid"] == session["localId"]
    no_more(hearth, functions)


@pytest.mark.parametrize(
    "act",
    [
        lambda hearth, address, number: hearth.accounts("signUp", {}),
        lambda hearth, address, number: hearth.admin("/accounts", {"email": address}),
        lambda hearth, address, number: link(hearth, address),
        lambda hearth, address, number: idp(hearth, "google.com", google(address)),
        lambda hearth, address, number: phone(hearth, number),
        lambda hearth, address, number: (
            {"localId": address}
            | hearth.accounts("signInWithCustomToken", {"token": json.dumps({"uid": address})})
        ),
        lambda hearth, address, number: sign_up(hearth, address, tenantId="tenant-a"),
    ],
    ids=["anonymous", "privileged", "email link", "idp", "phone", "custom", "tenant"],
)
def test_every_new_user_sends_an_event(told, address, number, act):
    hearth, functions = told
    uid = act(hearth, address, number)["localId"]
    data = created(functions)
    assert data["uid"] == uid and isinstance(data["metadata"], dict)
    assert data["customClaims"] == {}
    if "tenantId" in data:
        assert data["tenantId"] == "tenant-a"
    no_more(hearth, functions)


def test_the_photo_has_its_own_spelling(told, address):
    hearth, functions = told
    given = google(address)
    idp(hearth, "google.com", given)
    data = created(functions)
    assert data["photoURL"] == GOOGLE["picture"] and "photoUrl" not in data
    assert data["providerData"] == [
        {
            "rawId": given["sub"],
            "providerId": "google.com",
            "displayName": "Ann",
            "email": address,
            "federatedId": given["sub"],
            "photoURL": GOOGLE["picture"],
        }
    ]


def test_imported_users_send_no_event_but_their_deletion_does(told, address):
    hearth, functions = told
    ids = [f"{n}-{address}" for n in range(3)]
    users = [{"localId": uid, "disabled": True} for uid in ids]
    hearth.admin("/accounts:batchCreate", {"users": users})
    hearth.admin("/accounts:batchCreate", {"users": users, "allowOverwrite": True})
    no_more(hearth, functions)
    hearth.admin("/accounts:batchDelete", {"localIds": [*ids[:2], "unknown"]})
    assert {deleted(functions)["uid"] for _ in range(2)} == {*ids[:2]}
    hearth.admin("/accounts:delete", {"localId": ids[2]})
    assert deleted(functions)["uid"] == ids[2]
    no_more(hearth, functions)


def test_deleting_everything_sends_no_events(told, address):
    hearth, functions = told
    sign_up(hearth, address)
    created(functions)
    sign_up(hearth, address, tenantId="tenant-b")
    created(functions)
    for path in (
        f"/emulator/v1/projects/{PROJECT}/accounts",
        f"/emulator/v1/projects/{PROJECT}/tenants/tenant-b/accounts",
        f"{V2}projects/{PROJECT}/tenants/tenant-b",
    ):
        reply = requests.delete(
            hearth.auth + path, headers={"Authorization": "Bearer owner"}, timeout=30
        )
        assert reply.status_code == 200, reply.text
    no_more(hearth, functions)


def test_a_second_sign_in_sends_no_event(told, address):
    hearth, functions = told
    sign_up(hearth, address)
    created(functions)
    sign_in(hearth, address)
    no_more(hearth, functions)


def test_the_event_shows_the_user_as_first_stored(told, address):
    hearth, functions = told
    configure(hearth, triggers(functions, *BEFORE))
    functions.answers = {
        "beforeCreate": changing(displayName="First", customClaims={"a": 1}),
        "beforeSignIn": changing(displayName="Second", customClaims={"b": 1}),
    }
    try:
        sign_up(hearth, address)
    finally:
        functions.answers = {}
        configure(hearth, {})
    bodies = {}
    for _ in range(3):
        name, _, _, body = functions.calls.get(timeout=30)
        bodies[name] = json.loads(body)
    data = bodies["trigger_multicast"]["data"]
    assert data["displayName"] == "First" and data["customClaims"] == {"a": 1}


def test_a_user_that_before_create_refuses_sends_no_event(told, address):
    hearth, functions = told
    configure(hearth, triggers(functions, "beforeCreate"))
    functions.answers = {"beforeCreate": (403, b"no")}
    try:
        refused(hearth, "signUp", {"email": address, "password": "secret1"})
    finally:
        functions.answers = {}
        configure(hearth, {})
    assert functions.calls.get(timeout=30)[0] == "beforeCreate"
    no_more(hearth, functions)


@pytest.mark.parametrize("answer", [(500, b"no"), (404, b""), (200, b"not json")])
def test_a_functions_emulator_that_fails_does_not_matter(told, address, answer):
    hearth, functions = told
    functions.answers = {"trigger_multicast": answer}
    sign_up(hearth, address)
    created(functions)
    functions.answers = {}
    sign_in(hearth, address)


def test_the_second_generation_hears_of_users_too(told, address):
    hearth, functions = told
    functions.forget()
    session = sign_up(hearth, address)
    hearth.accounts("delete", {"idToken": session["idToken"]})
    created(functions), deleted(functions)
    for kind, member in (("created", "value"), ("deleted", "oldValue")):
        subject = None
        # Those of the test before may come late.
        while subject != f"users/{session['localId']}":
            path, headers, event = functions.cloud_events.get(timeout=30)
            subject = event["subject"]
        assert path == f"/functions/projects/{PROJECT}/trigger_multicast"
        assert headers["Content-Type"] == "application/cloudevents+json; charset=UTF-8"
        assert event.keys() == {"specversion", "id", "type", "source", "subject", "time", "data"}
        assert event["type"] == f"google.firebase.auth.user.v2.{kind}"
        assert event["source"] == f"//identitytoolkit.googleapis.com/projects/{PROJECT}"
        [(name, user)] = event["data"].items()
        assert name == member and user["uid"] == session["localId"]
        assert user["email"] == address and "tenantId" not in user and "mfaInfo" not in user
        assert user["metadata"]["createTime"] == user["metadata"]["creationTime"]
        assert user["providerData"] == [
            {"uid": address, "email": address, "providerId": "password"}
        ]


def test_the_second_generation_hears_of_the_tenant(told, address):
    hearth, functions = told
    reply = requests.post(
        f"{hearth.auth}{V2}projects/{PROJECT}/tenants",
        json={"displayName": "one", "allowPasswordSignup": True},
        headers={"Authorization": "Bearer owner"},
        timeout=30,
    )
    tenant = reply.json()["name"].rsplit("/", 1)[1]
    functions.forget()
    sign_up(hearth, address, tenantId=tenant)
    _, _, event = functions.cloud_events.get(timeout=30)
    assert event["tenantid"] == tenant
    assert created(functions)["tenantId"] == tenant
