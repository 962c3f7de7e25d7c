"""Blocking functions: errors, concurrent changes, and their configuration."""

import base64
import hashlib
import json
import os
import socket
import threading
import time

import pytest
import requests
from support.auth.functions import (  # noqa: F401
    BODIES,
    FAILED,
    changing,
    check_error,
    claims_of,
    configure,
    enrolled,
    functions,
    google,
    identity,
    idp,
    idp_body,
    known,
    number,
    phone_body,
    played,
    refused,
    second_factor,
    sign_in,
    sign_up,
    stored,
    triggers,
)
from support.server import PROJECT, Server
from support.wire import V1, V2

BEFORE = ("beforeCreate", "beforeSignIn")


# MARK: Errors


def failing_cases():
    big = {"a": "x" * 1000}
    yield "status 400", (400, b"no"), 400, "((HTTP request to URL returned HTTP error 400: no))"
    yield (
        "status 403 with JSON",
        (403, {"error": {"status": "PERMISSION_DENIED"}}),
        400,
        (
            "((HTTP request to URL returned HTTP error 403: "
            '{"error": {"status": "PERMISSION_DENIED"}}))'
        ),
    )
    yield "status 500", (500, b""), 400, "((HTTP request to URL returned HTTP error 500: ))"
    yield "no JSON", (200, b"<html>"), 500, "((Response body is not valid JSON.))"
    yield "empty", (200, b""), 500, "((Response body is not valid JSON.))"
    for name, record in [
        ("no mask", {"displayName": "x"}),
        ("empty mask", {"updateMask": "", "displayName": "x"}),
    ]:
        yield name, {"userRecord": record}, 400, "((Response UserRecord is missing updateMask.))"
    yield "large claims", changing(customClaims=big), 400, "CLAIMS_TOO_LARGE"
    for name, bad in [("list", [1]), ("text", "x"), ("number", 5)]:
        yield f"claims are a {name}", changing(customClaims=bad), 400, "INVALID_CLAIMS"
    for name in ("iss", "sub", "firebase", "c_hash"):
        yield f"claim {name}", changing(customClaims={name: 1}), 400, f"FORBIDDEN_CLAIM : {name}"


FAILING = [pytest.param(*rest, id=name) for name, *rest in failing_cases()]


@pytest.mark.parametrize("answer, status, message", FAILING)
@pytest.mark.parametrize("event", BEFORE)
def test_a_function_that_fails_on_sign_up(
    hearth, functions, address, event, answer, status, message
):
    """If beforeCreate fails, no user is created; what was stored before beforeSignIn stays."""
    functions.answers[event] = answer
    error = refused(hearth, "signUp", {"email": address, "password": "secret1"}, status)
    check_error(error, functions.url(event), status, message)
    assert known(hearth, email=address) == (event == "beforeSignIn")


@pytest.mark.parametrize("verb, body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("event", BEFORE)
def test_a_function_that_refuses_a_new_user(hearth, functions, address, number, verb, body, event):
    functions.answers[event] = (418, b"teapot")
    error = refused(hearth, verb, body(hearth, address, number))
    check_error(
        error, functions.url(event), 400, "((HTTP request to URL returned HTTP error 418: teapot))"
    )
    assert known(hearth, **identity(verb, address, number)) == (event == "beforeSignIn")
    assert functions.seen == [*BEFORE][: BEFORE.index(event) + 1]


def test_a_refused_sign_in_leaves_an_existing_user_as_it_was(hearth, functions, address, number):
    session = sign_up(hearth, address)
    before = stored(hearth, session["localId"])
    functions.answers["beforeSignIn"] = (403, b"no")
    for verb, body in [
        ("signInWithPassword", {"email": address, "password": "secret1"}),
        ("signInWithIdp", idp_body("google.com", google(address))),
        ("signInWithIdp", idp_body("google.com", google(address), idToken=session["idToken"])),
        ("signInWithPhoneNumber", {**phone_body(hearth, number), "idToken": session["idToken"]}),
    ]:
        error = refused(hearth, verb, body)
        assert error["message"].startswith(FAILED + "((HTTP request to ")
    assert stored(hearth, session["localId"]) == before


def test_a_refused_second_factor(hearth, functions, address, number):
    enrolled(hearth, address, number)
    functions.answers["beforeSignIn"] = (403, b"no")
    error = second_factor(hearth, sign_in(hearth, address), number, 400)["error"]
    check_error(
        error,
        functions.url("beforeSignIn"),
        400,
        "((HTTP request to URL returned HTTP error 403: no))",
    )


@pytest.mark.parametrize("event", BEFORE)
def test_a_function_that_cannot_be_reached(address, event):
    """A refused connection is known at once: a function has a minute."""
    hearth = Server()
    try:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{unused.getsockname()[1]}/gone"
            configure(hearth, {"triggers": {event: {"functionUri": url}}})
            reply = requests.post(
                f"{hearth.auth}{V1}signUp?key=any",
                timeout=30,
                json={"email": address, "password": "secret1"},
            )
        assert reply.status_code == 500
        check_error(reply.json()["error"], url, 500, "((Failed to make request to URL.))")
        assert reply.json()["error"]["errors"][0]["reason"] == "fetch failed"
        assert known(hearth, email=address) == (event == "beforeSignIn")
    finally:
        hearth.kill()


def test_a_function_that_hangs_up(hearth, functions, address):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/gone"
        configure(hearth, {"triggers": {"beforeCreate": {"functionUri": url}}})
        hanging = threading.Thread(target=lambda: [listener.accept()[0].close() for _ in range(1)])
        hanging.start()
        error = refused(hearth, "signUp", {"email": address, "password": "secret1"}, 500)
        hanging.join()
    check_error(error, url, 500, "((Failed to make request to URL.))")


def test_a_slow_function_delays_no_other_request(hearth, functions, address):
    """The sign-in waits outside of every transaction."""
    entered, go_on = threading.Event(), threading.Event()

    def slow(_):
        entered.set()
        assert go_on.wait(50)
        return changing(displayName="Slow")

    functions.answers["beforeCreate"] = slow
    result = {}
    waiting = threading.Thread(target=lambda: result.update(sign_up(hearth, address)))
    waiting.start()
    try:
        assert entered.wait(30)
        # They give up before the function does.
        hearth.accounts("signUp", {})
        hearth.admin("/accounts", {"email": f"other-{address}", "password": "secret1"})
        assert not known(hearth, email=address)
        assert waiting.is_alive()
    finally:
        go_on.set()
        waiting.join()
    assert claims_of(result)["name"] == "Slow"


@pytest.mark.skipif("HEARTH_SLOW_TESTS" not in os.environ, reason="takes a minute")
def test_a_function_that_does_not_answer_within_a_minute(hearth, functions, address):
    done = threading.Event()
    functions.answers["beforeCreate"] = lambda _: done.wait(75) and {}
    started = time.monotonic()
    try:
        reply = requests.post(
            f"{hearth.auth}{V1}signUp?key=any",
            json={"email": address, "password": "secret1"},
            timeout=90,
        )
    finally:
        done.set()
    assert time.monotonic() - started > 59
    assert reply.status_code == 500
    check_error(
        reply.json()["error"],
        functions.url("beforeCreate"),
        500,
        "((Deadline exceeded making request to URL.))",
    )
    assert not known(hearth, email=address)


# MARK: What happens meanwhile


def test_an_address_that_is_taken_meanwhile(hearth, functions, address):
    functions.answers["beforeCreate"] = lambda _: (
        hearth.admin("/accounts", {"email": address, "password": "secret1"}) and {}
    )
    error = refused(hearth, "signUp", {"email": address, "password": "secret1"})
    assert error["message"] == "EMAIL_EXISTS"


def test_a_number_that_is_taken_meanwhile_has_one_owner(hearth, functions, number):
    body = phone_body(hearth, number)
    owner = {}
    functions.answers["beforeCreate"] = lambda _: (
        owner.update(hearth.admin("/accounts", {"phoneNumber": number})) or {}
    )
    hearth.post(f"{V1}signInWithPhoneNumber?key=any", body)
    everybody = hearth.admin("/accounts:query", {})["userInfo"]
    assert [user["localId"] for user in everybody if user.get("phoneNumber") == number] == [
        owner["localId"]
    ]


@pytest.mark.parametrize("with_email", [True, False])
def test_a_provider_account_that_is_taken_meanwhile_has_one_owner(
    hearth, functions, address, with_email
):
    given = google(address) if with_email else {"sub": address}
    owner = {}

    def answer(_):
        if not owner:
            owner["localId"] = None
            owner.update(idp(hearth, "google.com", given))
        return {}

    functions.answers["beforeCreate"] = answer
    hearth.post(f"{V1}signInWithIdp?key=any", idp_body("google.com", given))
    everybody = hearth.admin("/accounts:query", {})["userInfo"]
    owners = [
        user["localId"]
        for user in everybody
        for entry in user.get("providerUserInfo", [])
        if (entry["providerId"], entry["rawId"]) == ("google.com", given["sub"])
    ]
    assert owners == [owner["localId"]]


def test_a_change_made_meanwhile_is_not_lost(hearth, functions, address):
    uid = sign_up(hearth, address)["localId"]
    functions.answers["beforeSignIn"] = lambda _: (
        hearth.admin(
            "/accounts:update",
            {"localId": uid, "displayName": "Admin", "customAttributes": '{"role":"admin"}'},
        )
        and (changing(photoUrl="http://localhost/b.png"))
    )
    session = sign_in(hearth, address)
    user = stored(hearth, uid)
    assert (user["displayName"], user["photoUrl"]) == ("Admin", "http://localhost/b.png")
    assert json.loads(user["customAttributes"]) == {"role": "admin"}
    assert claims_of(session)["name"] == "Admin"


def test_a_user_that_is_disabled_meanwhile_stays_disabled(hearth, functions, address):
    uid = sign_up(hearth, address)["localId"]
    functions.answers["beforeSignIn"] = lambda _: (
        hearth.admin("/accounts:update", {"localId": uid, "disableUser": True}) and {}
    )
    hearth.post(f"{V1}signInWithPassword?key=any", {"email": address, "password": "secret1"})
    assert stored(hearth, uid)["disabled"] is True


def test_a_password_that_is_changed_meanwhile_stays_changed(hearth, functions, address):
    uid = sign_up(hearth, address)["localId"]
    functions.answers["beforeSignIn"] = lambda _: (
        hearth.admin("/accounts:update", {"localId": uid, "password": "a new secret"}) and {}
    )
    hearth.post(f"{V1}signInWithPassword?key=any", {"email": address, "password": "secret1"})
    functions.answers.clear()
    hearth.accounts("signInWithPassword", {"email": address, "password": "a new secret"})


def test_a_user_that_is_deleted_meanwhile_stays_deleted(hearth, functions, address):
    uid = sign_up(hearth, address)["localId"]
    functions.answers["beforeSignIn"] = lambda _: (
        hearth.admin("/accounts:delete", {"localId": uid}) and {}
    )
    reply = hearth.post(
        f"{V1}signInWithPassword?key=any", {"email": address, "password": "secret1"}
    )
    assert not known(hearth, localId=uid)
    assert reply.status_code != 200


def test_a_number_that_is_taken_while_it_is_linked(hearth, functions, address, number):
    session = sign_up(hearth, address)
    body = {**phone_body(hearth, number), "idToken": session["idToken"]}
    functions.answers["beforeSignIn"] = lambda _: (
        hearth.admin("/accounts", {"phoneNumber": number}) and {}
    )
    assert refused(hearth, "signInWithPhoneNumber", body)["message"] == "PHONE_NUMBER_EXISTS"
    assert "phoneNumber" not in stored(hearth, session["localId"])


def test_a_provider_account_that_is_taken_while_it_is_linked(hearth, functions, address):
    session = sign_up(hearth, address)
    owner = {}

    def answer(_):
        if not owner:
            owner["localId"] = None
            owner.update(idp(hearth, "oidc.x", {"sub": address}))
        return {}

    functions.answers["beforeSignIn"] = answer
    error = refused(
        hearth,
        "signInWithIdp",
        idp_body("oidc.x", {"sub": address}, idToken=session["idToken"], returnIdpCredential=False),
    )
    assert error["message"] == "FEDERATED_USER_ID_ALREADY_LINKED"
    assert idp(hearth, "oidc.x", {"sub": address})["localId"] == owner["localId"]


def test_a_provider_that_is_unlinked_meanwhile_stays_unlinked(hearth, functions, address):
    uid = sign_up(hearth, address)["localId"]
    claims = google(address) | {"email_verified": True}
    idp(hearth, "google.com", claims)
    functions.answers["beforeSignIn"] = lambda _: (
        hearth.admin("/accounts:update", {"localId": uid, "deleteProvider": ["google.com"]}) and {}
    )
    idp(hearth, "google.com", claims | {"name": "Another name"})
    entries = {entry["providerId"] for entry in stored(hearth, uid)["providerUserInfo"]}
    assert "google.com" not in entries


def test_an_imported_password_that_is_changed_meanwhile_stays_changed(hearth, functions, address):
    """The first sign-in hashes it again: that must not restore the old one."""
    hashed = base64.b64encode(hashlib.sha256(b"secret1").digest()).decode()
    hearth.admin(
        "/accounts:batchCreate",
        {
            "hashAlgorithm": "SHA256",
            "rounds": 1,
            "users": [{"localId": address, "email": address, "passwordHash": hashed}],
        },
    )
    functions.answers["beforeSignIn"] = lambda _: (
        hearth.admin("/accounts:update", {"localId": address, "password": "a new secret"}) and {}
    )
    sign_in(hearth, address)
    functions.answers.clear()
    hearth.accounts("signInWithPassword", {"email": address, "password": "a new secret"})


# MARK: Configuration


def test_the_configuration_is_returned(hearth, functions):
    reply = requests.get(
        f"{hearth.auth}{V2}projects/{PROJECT}/config",
        headers={"Authorization": "Bearer owner"},
        timeout=30,
    )
    assert reply.json()["blockingFunctions"] == triggers(functions, *BEFORE)


@pytest.mark.parametrize(
    "given, message",
    [
        ({"beforeDelete": {"functionUri": "http://localhost/x"}}, "((Event type is invalid.))"),
        ({"beforeCreate": {}}, "((Expected an absolute URI with valid scheme and host.))"),
        (
            {"beforeCreate": {"functionUri": ""}},
            "((Expected an absolute URI with valid scheme and host.))",
        ),
        (
            {"beforeSignIn": {"functionUri": "/relative"}},
            "((Expected an absolute URI with valid scheme and host.))",
        ),
        (
            {"beforeSignIn": {"functionUri": "no uri"}},
            "((Expected an absolute URI with valid scheme and host.))",
        ),
    ],
)
@pytest.mark.parametrize("mask", ["", "blockingFunctions", "signIn"])
def test_configurations_that_are_refused(hearth, given, message, mask):
    reply = requests.patch(
        f"{hearth.auth}{V2}projects/{PROJECT}/config",
        params={"updateMask": mask} if mask else {},
        json={"blockingFunctions": {"triggers": given}},
        headers={"Authorization": "Bearer owner"},
        timeout=30,
    )
    assert reply.status_code == 400, reply.text
    assert reply.json()["error"]["message"] == "INVALID_BLOCKING_FUNCTION : " + message
