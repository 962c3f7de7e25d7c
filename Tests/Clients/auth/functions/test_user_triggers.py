"""Function triggers for users that are created and deleted."""

import json
import queue
import re
import uuid

import pytest
from support.auth.accounts import by_link, cases, update
from support.auth.functions import Functions
from support.auth.records import custom, google, only, token_of
from support.server import Server
from support.steering import Steered, guard, instant  # noqa: F401
from support.wire import no_null

A, B, C = "a@example.com", "b@example.com", "c@example.com"
ONE, TWO = "+15555550100", "+15555550101"


# MARK: Function triggers


@pytest.fixture(scope="module")
def told():
    """A server that sends events to a functions emulator, and that functions emulator."""
    functions = Functions()
    server = Server("--single-project-mode", "no-warning", "--functions-emulator", functions.host)
    yield server, functions
    server.stop()
    functions.close()


@pytest.fixture
def heard(told):
    """A project of that server, and its events."""
    server, functions = told
    functions.forget()
    functions.answers = {}
    project = Steered(server)

    def event(kind: str) -> dict:
        _, path, headers, body = functions.calls.get(timeout=30)
        assert path == f"/functions/projects/{project.id}/trigger_multicast"
        assert headers["Content-Type"].split(";")[0] == "application/json"
        body = json.loads(body)
        no_null(body)
        assert body.keys() == {"eventId", "eventType", "resource", "params", "timestamp", "data"}
        assert str(uuid.UUID(body["eventId"])) == body["eventId"]
        assert body["eventType"] == f"providers/firebase.auth/eventTypes/user.{kind}"
        assert body["resource"] == {
            "name": f"projects/{project.id}",
            "service": "firebaseauth.googleapis.com",
        }
        assert body["params"] == {}
        instant(body["timestamp"])
        return body["data"]

    def quiet() -> None:
        """The event of the next user is the first one to arrive."""
        uid = project.call("signUp", {})["localId"]
        assert event("create")["uid"] == uid
        with pytest.raises(queue.Empty):
            functions.calls.get_nowait()

    return project, event, quiet, functions


# As in the record, but for the spelling of photoURL.
ENTRIES = [
    {
        "rawId": A,
        "providerId": "password",
        "displayName": "Ann",
        "email": A,
        "federatedId": A,
        "photoURL": "http://x",
    },
    {"rawId": ONE, "providerId": "phone", "phoneNumber": ONE},
]


def make_full(project) -> dict:
    """A user of everything, in a tenant."""
    uid = project.admin(
        "/accounts",
        {
            "email": A,
            "password": "secret1",
            "displayName": "Ann",
            "photoUrl": "http://x",
            "phoneNumber": ONE,
            "emailVerified": True,
            "disabled": True,
            "mfaInfo": [{"phoneInfo": TWO, "displayName": "Phone"}],
        },
        tenant="t1",
    )["localId"]
    return project.user(uid, tenant="t1")


def told_of(user: dict, data: dict, **more) -> None:
    """All that the record says, and nothing of the password."""
    data = dict(data)
    metadata = data.pop("metadata")
    assert metadata.keys() == {"creationTime", "lastSignInTime"}
    for name, field in (("creationTime", "createdAt"), ("lastSignInTime", "lastLoginAt")):
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", metadata[name])
        assert abs(instant(metadata[name]).timestamp() - int(user[field]) / 1000) < 0.001
    [factor] = data.pop("mfaInfo")
    assert factor["mfaEnrollmentId"] == user["mfaInfo"][0]["mfaEnrollmentId"]
    assert (factor["phoneInfo"], factor["displayName"]) == (TWO, "Phone")
    assert (
        data
        == {
            "uid": user["localId"],
            "email": A,
            "emailVerified": True,
            "displayName": "Ann",
            "photoURL": "http://x",
            "phoneNumber": ONE,
            "disabled": True,
            "tenantId": "t1",
        }
        | more
    )


def test_the_event_of_a_new_user(heard):
    project, event, quiet, _ = heard
    user = make_full(project)
    data = event("create")
    data.pop("providerData", None)
    told_of(user, data, customClaims={})
    quiet()


def test_the_providers_in_the_event_of_a_new_user(heard):
    project, event, _, _ = heard
    user = make_full(project)
    told_of(user, event("create"), customClaims={}, providerData=ENTRIES)


def test_the_event_of_a_deleted_user(heard):
    project, event, quiet, _ = heard
    uid = make_full(project)["localId"]
    event("create")
    project.admin(
        "/accounts:update",
        {
            "localId": uid,
            "customAttributes": '{"role":["admin"],"a":{"b":1}}',
            "linkProviderUserInfo": {
                "providerId": "x.com",
                "rawId": "1",
                "email": B,
                "displayName": "X",
                "photoUrl": "p",
                "federatedId": "f",
                "screenName": "s",
                "phoneNumber": "5",
            },
        },
        tenant="t1",
    )
    user = project.user(uid, tenant="t1")
    project.admin("/accounts:delete", {"localId": uid}, tenant="t1")
    told_of(
        user,
        event("delete"),
        customClaims={"role": ["admin"], "a": {"b": 1}},
        providerData=[
            *ENTRIES,
            {
                "rawId": "1",
                "providerId": "x.com",
                "displayName": "X",
                "email": B,
                "federatedId": "f",
                "phoneNumber": "5",
                "photoURL": "p",
                "screenName": "s",
            },
        ],
    )
    quiet()


@pytest.mark.parametrize(
    "create, entry",
    cases(
        {
            "password": (
                lambda p: p.sign_up(A),
                {"rawId": A, "providerId": "password", "email": A, "federatedId": A},
            ),
            "e-mail link": (
                lambda p: by_link(p, A),
                {"rawId": A, "providerId": "password", "email": A, "federatedId": A},
            ),
            "phone": (
                lambda p: p.phone(ONE),
                {"rawId": ONE, "providerId": "phone", "phoneNumber": ONE},
            ),
            "provider": (
                google,
                {"rawId": "1", "providerId": "google.com", "email": A, "federatedId": "1"},
            ),
        }
    ),
)
def test_the_providers_in_an_event(heard, create, entry):
    project, event, quiet, _ = heard
    create(project)
    assert event("create")["providerData"] == [entry]
    quiet()


def test_absent_members_are_left_out(heard):
    project, event, quiet, _ = heard
    uid = project.call("signUp", {})["localId"]
    data = event("create")
    assert data.keys() - {"customClaims", "disabled"} == {"uid", "metadata"}
    assert data["uid"] == uid
    quiet()


CREATIONS = {
    "anonymous": lambda p: p.call("signUp", {})["localId"],
    "password": lambda p: p.sign_up(A)["localId"],
    "by the owner": lambda p: p.admin("/accounts", {"email": A})["localId"],
    "custom token": lambda p: token_of(custom(p))["sub"],
    "e-mail link": lambda p: by_link(p, A)["localId"],
    "phone": lambda p: p.phone(ONE)["localId"],
    "provider": lambda p: google(p)["localId"],
}
DELETIONS = {
    "by the owner": lambda p, uid: p.admin("/accounts:delete", {"localId": uid}),
    "many": lambda p, uid: p.admin("/accounts:batchDelete", {"localIds": [uid], "force": True}),
}


@pytest.mark.parametrize("create", cases(CREATIONS))
@pytest.mark.parametrize("remove", cases(DELETIONS))
def test_every_created_and_deleted_user_sends_an_event(heard, create, remove):
    project, event, quiet, _ = heard
    uid = create(project)
    assert event("create")["uid"] == uid
    remove(project, uid)
    assert event("delete")["uid"] == uid
    quiet()


def test_a_deleted_user_sends_an_event(heard):
    project, event, quiet, _ = heard
    session = project.sign_up(A)
    event("create")
    project.call("delete", {"idToken": session["idToken"]})
    assert event("delete")["email"] == A
    assert project.error("delete", {"idToken": session["idToken"]}) == "USER_NOT_FOUND"
    quiet()


@pytest.mark.parametrize(
    "act",
    cases(
        {
            "batchCreate": lambda p: p.admin(
                "/accounts:batchCreate", {"users": [{"localId": "u"}]}
            ),
            "sign-in": lambda p: p.sign_in(A),
            "custom token": lambda p: custom(p, only(p)["localId"]),
            "link": lambda p: by_link(p, A),
            "provider": google,
            "linking": lambda p: p.call(
                "signUp", {"idToken": p.sign_in(A)["idToken"], "email": B, "password": "secret2"}
            ),
            "update": lambda p: update(p, only(p)["localId"], email=B, disableUser=True),
            "clearing": lambda p: p.request("DELETE", f"{p.control}/accounts"),
            "a refusal": lambda p: p.error("signUp", {"email": A, "password": "secret1"}),
            "deleting nobody": lambda p: p.admin_error("/accounts:delete", {"localId": "x"}),
        }
    ),
)
def test_what_sends_no_event(heard, act):
    project, event, quiet, _ = heard
    project.sign_up(A)
    event("create")
    act(project)
    quiet()


@pytest.mark.parametrize(
    "answer", [(500, b"no"), (302, b""), (200, b"not json")], ids=["500", "302", "no json"]
)
def test_any_answer_of_the_functions_is_accepted(heard, answer):
    project, event, _, functions = heard
    functions.answers = {"trigger_multicast": answer}
    session = project.sign_up(A)
    assert event("create")["uid"] == session["localId"]
    assert project.sign_in(A)["localId"] == session["localId"]


def test_unreachable_functions_delay_no_request():
    closed = Functions()
    closed.close()
    server = Server("--functions-emulator", closed.host)
    try:
        session = server.accounts("signUp", {})
        server.accounts("delete", {"idToken": session["idToken"]})
    finally:
        server.stop()
