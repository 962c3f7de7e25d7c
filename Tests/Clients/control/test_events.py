"""The event stream of a project: what each event contains."""

import base64
import contextlib
import hashlib
import json

import grpc
import pytest
import requests
from support.auth.project import idp_body
from support.events import call, open_streams, watcher  # noqa: F401
from support.firestore.project import Firestore, forged
from support.steering import SIGN_IN, SIGN_UP, another, guard, instant, near, project, unused  # noqa: F401
from support.wire import TOKEN

NUMBER = "+15555550100"
DOCUMENTS = "firestore.projects.databases.documents."


# MARK: Events


def test_the_stream_is_one_of_server_sent_events(project, watcher):
    headers = watcher.reply.headers
    assert headers["Content-Type"] == "text/event-stream; charset=utf-8"
    assert headers["Cache-Control"] == "no-cache"
    assert "Content-Length" not in headers
    assert watcher.comments


def test_a_message(project, watcher):
    email = unused()
    project.sign_up(email)
    project.call("sendOobCode", {"requestType": "PASSWORD_RESET", "email": email})
    told = watcher.until("message.captured")
    message = project.own("GET", f"/messages/{told['id']}")
    assert message["to"] == email and message["type"] == "PASSWORD_RESET"


def test_a_text_message(project, watcher):
    project.call("sendVerificationCode", {"phoneNumber": NUMBER})
    told = watcher.until("message.captured")
    assert project.own("GET", f"/messages/{told['id']}")["to"] == NUMBER


def test_a_user_comes_signs_in_and_goes(project, watcher):
    email = unused()
    uid = project.sign_up(email)["localId"]
    assert watcher.until("user.created")["localId"] == uid
    assert watcher.until("user.signedIn")["localId"] == uid
    session = project.sign_in(email)
    told = watcher.until("user.signedIn")
    assert (told["localId"], told["email"], told["signInProvider"]) == (uid, email, "password")
    project.call("delete", {"idToken": session["idToken"]})
    told = watcher.until("user.deleted")
    assert (told["localId"], told["email"]) == (uid, email)


@pytest.mark.parametrize("way", ["anonymous", "phone", "google.com", "custom", "emailLink"])
def test_ways_to_come(project, watcher, way):
    email = unused()
    if way == "anonymous":
        uid = project.call("signUp", {})["localId"]
    elif way == "phone":
        uid = project.phone(NUMBER)["localId"]
    elif way == "google.com":
        uid = project.idp("google.com", {"sub": "1", "email": email})["localId"]
    elif way == "custom":
        token = json.dumps({"uid": "u1"})
        project.call("signInWithCustomToken", {"token": token, "returnSecureToken": True})
        uid = "u1"
    else:
        project.call(
            "sendOobCode",
            {"requestType": "EMAIL_SIGNIN", "email": email, "continueUrl": "http://localhost/"},
        )
        code = project.messages(to=email)[-1]["oobCode"]
        uid = project.call("signInWithEmailLink", {"email": email, "oobCode": code})["localId"]
        assert watcher.until("code.used")
    assert watcher.until("user.created")["localId"] == uid
    assert watcher.until("user.signedIn")["localId"] == uid


def test_users_that_the_owner_makes_and_takes(project, watcher):
    email = unused()
    uid = project.admin("/accounts", {"email": email, "password": "secret1"})["localId"]
    assert watcher.until("user.created")["localId"] == uid
    project.admin("/accounts:delete", {"localId": uid})
    assert watcher.until("user.deleted")["localId"] == uid
    assert "user.signedIn" not in [name for name, _ in watcher.seen + watcher.drain()]


def test_many_users_are_imported_and_deleted(project, watcher):
    project.admin(
        "/accounts:batchCreate",
        {"users": [{"localId": f"u{n}", "email": unused()} for n in range(3)]},
    )
    project.admin("/accounts:batchDelete", {"localIds": ["u0", "u1", "u2"], "force": True})
    assert {watcher.until("user.deleted")["localId"] for _ in range(3)} == {"u0", "u1", "u2"}


@pytest.mark.parametrize("how", ["api", "page", "verify"])
def test_a_code_is_used(project, watcher, how):
    email = unused()
    session = project.sign_up(email)
    if how == "verify":
        project.call("sendOobCode", {"requestType": "VERIFY_EMAIL", "idToken": session["idToken"]})
        project.call("update", {"oobCode": project.messages(to=email)[-1]["oobCode"]})
    else:
        mail = project.reset_mail(email)
        # Looking at a code does not use it.
        project.call("resetPassword", {"oobCode": mail["oobCode"]})
        watcher.until("request", operation="identitytoolkit.accounts.resetPassword")
        assert "code.used" not in [name for name, _ in watcher.seen]
        if how == "api":
            project.call("resetPassword", {"oobCode": mail["oobCode"], "newPassword": "secret2"})
        else:
            reply = requests.post(mail["oobLink"], data={"newPassword": "secret2"}, timeout=30)
            assert reply.status_code == 200
    told = watcher.until("code.used")
    assert near(instant(told["usedAt"]), project.now())


@pytest.mark.parametrize(
    "kind",
    ["PASSWORD_RESET", "VERIFY_EMAIL", "EMAIL_SIGNIN", "VERIFY_AND_CHANGE_EMAIL", "RECOVER_EMAIL"],
)
def test_a_used_code_is_reported_with_its_message(project, watcher, kind):
    """A test that watches wants to know whose code it was."""
    email, other = unused(), unused("new")
    token = project.sign_up(email)["idToken"]
    to = other if kind == "VERIFY_AND_CHANGE_EMAIL" else email
    if kind == "RECOVER_EMAIL":
        project.call("update", {"idToken": token, "email": other})
    else:
        project.call(
            "sendOobCode",
            {
                "requestType": kind,
                "email": email,
                "idToken": token,
                "newEmail": other,
                "continueUrl": "http://localhost/",
            },
        )
    [mail] = project.messages(to=to)
    code = {"oobCode": mail["oobCode"]}
    match kind:
        case "PASSWORD_RESET":
            project.call("resetPassword", {**code, "newPassword": "secret2"})
        case "EMAIL_SIGNIN":
            project.call("signInWithEmailLink", {**code, "email": email})
        case _:
            project.call("update", code)
    told = watcher.until("code.used")
    used = project.own("GET", f"/messages/{mail['id']}")["usedAt"]
    assert told == {"id": mail["id"], "to": to, "type": kind, "usedAt": used}


def test_a_code_without_a_message_is_used(project, watcher):
    email = unused()
    project.sign_up(email)
    code = project.reset_mail(email)["oobCode"]
    project.own("DELETE", "/messages")
    project.call("resetPassword", {"oobCode": code, "newPassword": "secret2"})
    told = watcher.until("code.used")
    assert told.pop("usedAt") and told == {"to": email, "type": "PASSWORD_RESET"}


def test_a_code_that_an_administrator_got_is_used(project, watcher):
    email = unused()
    project.sign_up(email)
    code = project.admin(
        "/accounts:sendOobCode",
        {"requestType": "PASSWORD_RESET", "email": email, "returnOobLink": True},
    )["oobCode"]
    [message] = project.messages()
    assert message["delivery"]["state"] == "notSent"
    project.call("resetPassword", {"oobCode": code, "newPassword": "secret2"})
    told = watcher.until("code.used")
    assert told.pop("usedAt")
    assert told == {"id": message["id"], "to": email, "type": "PASSWORD_RESET"}


def test_a_code_that_is_used_up_by_a_refusal(project, watcher):
    email = unused()
    session = project.sign_up(email)
    mail = project.reset_mail(email)
    project.call("delete", {"idToken": session["idToken"]})
    body = {"oobCode": mail["oobCode"], "newPassword": "secret2"}
    assert project.error("resetPassword", body) == "INVALID_OOB_CODE"
    assert watcher.until("code.used")["id"] == mail["id"]


def test_an_sms_code_is_used(project, watcher):
    project.phone(NUMBER)
    told = watcher.until("code.used")
    assert told.pop("usedAt") and told == {
        "id": project.messages(to=NUMBER)[-1]["id"],
        "to": NUMBER,
        "type": "SMS",
    }


def test_a_token_is_refused(project, watcher):
    email = unused()
    session = project.sign_up(email)
    assert project.error("lookup", {"idToken": "nonsense"}) == "INVALID_ID_TOKEN"
    told = watcher.until("token.refused")
    assert (told["operation"], told["status"], told["error"]) == (
        "identitytoolkit.accounts.lookup",
        400,
        "INVALID_ID_TOKEN",
    )
    project.advance("PT61M")
    project.error("lookup", {"idToken": session["idToken"]})
    assert watcher.until("token.refused")["error"] == "TOKEN_EXPIRED"
    # An unknown refresh token does not name its project; this one does.
    project.admin("/accounts:delete", {"localId": session["localId"]})
    project.request(
        "POST",
        TOKEN,
        400,
        params={"key": project.id},
        data={"grant_type": "refresh_token", "refresh_token": session["refreshToken"]},
    )
    assert project.error("lookup", {"idToken": session["idToken"]}) == "USER_NOT_FOUND"


@pytest.mark.parametrize("way", ["REST", "gRPC", "a stream over gRPC", "WebChannel"])
@pytest.mark.parametrize("why", ["expired", "tampered with", "another's"])
def test_a_token_that_firestore_refuses(project, watcher, way, why):
    token = project.sign_up(unused())["idToken"]
    match why:
        case "expired":
            project.advance("PT61M")
        case "tampered with":
            token = forged(token)
        case _:
            token = another(project.server).sign_up(unused())["idToken"]
    with contextlib.closing(Firestore(project.server, project.id)) as base:
        verb = call(base, way, token)
    told = watcher.until("token.refused")
    assert told == {"operation": DOCUMENTS + verb, "status": 401, "error": "UNAUTHENTICATED"}
    watcher.drain()
    assert [name for name, _ in watcher.seen].count("token.refused") == 1


def test_a_call_without_a_token_is_not_a_refused_token(project, watcher):
    with contextlib.closing(Firestore(project.server, project.id)) as base:
        base.rules(
            "service cloud.firestore { match /databases/{d}/documents { "
            "match /none/{n} { allow read; } } }"
        )
        base.rest("GET", "/c/d", 403, token=None)
        assert base.fails("get_document", base.get_request("c/d"), None)
    told = watcher.until("request", operation=DOCUMENTS + "get")
    assert (told["status"], told["error"]) == (403, "PERMISSION_DENIED")
    assert "token.refused" not in [name for name, _ in watcher.seen + watcher.drain()]


def test_requests(project, watcher):
    email = unused()
    project.sign_up(email)
    told = watcher.until("request", operation=SIGN_UP)
    assert (told["operation"], told["status"]) == (SIGN_UP, 200) and told["id"] and told["path"]
    project.error("signInWithPassword", {"email": email, "password": "wrong-one"})
    told = watcher.until("request", operation=SIGN_IN)
    assert (told["status"], told["error"]) == (400, "INVALID_PASSWORD")
    # Calls of control endpoints send no event.
    project.clock()
    project.messages()
    assert [name for name, _ in watcher.drain()] == []


def test_requests_to_firestore(project, watcher):
    with contextlib.closing(Firestore(project.server, project.id)) as base:
        base.rest("PATCH", "/c/d", json={"fields": {}})
    watcher.until("request", operation="firestore.projects.databases.documents.patch", status=200)


def test_requests_to_firestore_over_grpc(project, watcher):
    with contextlib.closing(Firestore(project.server, project.id)) as base:
        base.commit(base.set("c/d", {"n": 1}))
        watcher.until("request", operation=DOCUMENTS + "commit", status=200)
        base.batch_get("c/d")
        watcher.until("request", operation=DOCUMENTS + "batchGet", status=200)
        base.fails("get_document", base.get_request("c/none"))
        watcher.until("request", operation=DOCUMENTS + "get", status=404, error="NOT_FOUND")


@pytest.mark.parametrize("way", ["gRPC", "WebChannel"])
def test_streams_send_events_when_they_open_and_fail(project, watcher, way):
    with contextlib.closing(Firestore(project.server, project.id)) as base:
        listener, writer = open_streams(base, way)
        opened = [
            {name: told[name] for name in ("operation", "status")}
            for told in (watcher.until("request") for _ in range(2))
        ]
        assert opened == [
            {"operation": DOCUMENTS + "listen", "status": 200},
            {"operation": DOCUMENTS + "write", "status": 200},
        ]
        missing = base.set("c/none", {}, current_document={"exists": True})
        if way == "gRPC":
            writer.write(missing)
            assert writer.end() == grpc.StatusCode.NOT_FOUND
        else:
            [first] = writer.hear(lambda message: "streamId" in message)
            writer.send(
                {
                    "streamToken": first["streamToken"],
                    "writes": [
                        {
                            "update": {"name": base.name("c/none")},
                            "currentDocument": {"exists": True},
                        }
                    ],
                }
            )
            assert writer.failure()["status"] == "NOT_FOUND"
        told = watcher.until("request")
        assert (told["operation"], told["status"], told["error"]) == (
            DOCUMENTS + "write",
            404,
            "NOT_FOUND",
        )
        for stream in (listener, writer):
            stream.cancel() if way == "gRPC" else stream.close()
    # A client that disconnects is not a failure.
    assert watcher.drain() == []


def test_clock_and_faults(project, watcher):
    project.clock(advance="PT2H")
    told = watcher.until("clock.changed")
    assert told["offset"] == "PT2H" and told["frozen"] is False and instant(told["now"])
    project.own("DELETE", "/clock")
    assert watcher.until("clock.changed")["offset"] == "PT0S"
    [rule] = project.faults({"operation": "*", "effect": {"status": 503}})
    assert watcher.until("faults.changed") == {"faults": [{**rule, "hits": 0}]}
    project.no_faults()
    assert watcher.until("faults.changed") == {"faults": []}
    # What was refused changed nothing.
    project.complaint("PATCH", "/clock", {"advance": "x"})
    project.complaint("PUT", "/faults", {"faults": [5]})
    project.clock()
    assert watcher.drain() == []


@pytest.mark.parametrize(
    "how",
    [
        "profile",
        "address",
        "password",
        "owner",
        "link",
        "factor",
        "reset",
        "verified",
        "overwritten",
    ],
)
def test_a_user_is_updated(project, watcher, how):
    email, told_email = unused(), None
    session = project.sign_up(email)
    uid, token = session["localId"], session["idToken"]
    match how:
        case "profile":
            project.call("update", {"idToken": token, "displayName": "Ann"})
        case "address":
            told_email = unused("new")
            project.call("update", {"idToken": token, "email": told_email})
        case "password":
            project.call("update", {"idToken": token, "password": "secret2"})
        case "owner":
            project.admin("/accounts:update", {"localId": uid, "disableUser": True})
        case "link":
            project.call(
                "signInWithIdp",
                {**idp_body("google.com", {"sub": "1", "email": email}), "idToken": token},
            )
        case "factor":
            project.admin(
                "/accounts:update",
                {
                    "localId": uid,
                    "mfa": {"enrollments": [{"mfaEnrollmentId": "m1", "phoneInfo": NUMBER}]},
                },
            )
        case "reset":
            code = project.reset_mail(email)["oobCode"]
            project.call("resetPassword", {"oobCode": code, "newPassword": "secret2"})
        case "verified":
            project.call("sendOobCode", {"requestType": "VERIFY_EMAIL", "idToken": token})
            project.call("update", {"oobCode": project.messages(to=email)[-1]["oobCode"]})
        case "overwritten":
            project.admin(
                "/accounts:batchCreate",
                {
                    "allowOverwrite": True,
                    "users": [{"localId": uid, "email": email, "displayName": "Ann"}],
                },
            )
    assert watcher.until("user.updated") == {"localId": uid, "email": told_email or email}
    watcher.drain()
    assert [name for name, _ in watcher.seen].count("user.updated") == 1


def test_a_password_at_the_same_instant_is_an_update(project, watcher):
    project.clock(frozen=True)
    session = project.sign_up(unused())
    project.call("update", {"idToken": session["idToken"], "password": "secret2"})
    assert watcher.until("user.updated")["localId"] == session["localId"]


def test_signing_in_is_not_an_update(project, watcher):
    email = unused()
    session = project.sign_up(email)
    for claims in [{"sub": "1", "email": unused()}] * 2:
        project.idp("google.com", claims)
    project.phone(NUMBER)
    project.phone(NUMBER)
    project.call("signUp", {})
    project.advance("PT5M")
    project.sign_in(email)
    project.request(
        "POST",
        TOKEN,
        params={"key": project.id},
        data={"grant_type": "refresh_token", "refresh_token": session["refreshToken"]},
    )
    project.call("update", {"idToken": session["idToken"]})
    assert "user.updated" not in [name for name, _ in watcher.drain()]


def test_the_first_use_of_an_imported_password_is_not_an_update(project, watcher):
    email = unused()
    project.admin(
        "/accounts:batchCreate",
        {
            "hashAlgorithm": "SHA256",
            "rounds": 1,
            "users": [
                {
                    "localId": "a",
                    "email": email,
                    "passwordHash": base64.urlsafe_b64encode(
                        hashlib.sha256(b"secret1").digest()
                    ).decode(),
                }
            ],
        },
    )
    project.sign_in(email)
    project.sign_in(email)
    assert "user.updated" not in [name for name, _ in watcher.drain()]
    project.admin("/accounts:update", {"localId": "a", "password": "secret2"})
    assert watcher.until("user.updated")["localId"] == "a"


def test_messages_are_deleted(project, watcher):
    for email in ("a@example.com", "b@example.com", "b@example.com", "c@example.com"):
        project.call(
            "sendOobCode",
            {"requestType": "EMAIL_SIGNIN", "email": email, "continueUrl": "http://localhost/"},
        )
    first, *both, last = [message["id"] for message in project.messages()]
    project.own("DELETE", f"/messages/{first}")
    assert watcher.until("message.deleted") == {"id": first}
    project.own("DELETE", "/messages", params={"to": "b@example.com"})
    assert [watcher.until("message.deleted")["id"] for _ in both] == both
    project.own("DELETE", "/messages")
    assert watcher.until("message.deleted") == {"id": last}
    project.own("DELETE", "/messages")
    project.own("DELETE", f"/messages/{first}", 404)
    assert watcher.drain() == []


def test_switches_are_changed(project, watcher):
    project.switch(rateLimits=True)
    told = watcher.until("switches.changed")
    assert told["rateLimits"] is True and told == project.own("GET", "/switches")
    project.configure(
        "emailPrivacyConfig.enableImprovedEmailPrivacy",
        emailPrivacyConfig={"enableImprovedEmailPrivacy": True},
    )
    assert watcher.until("switches.changed")["emailEnumerationProtection"] is True
    project.configure("signIn.allowDuplicateEmails", signIn={"allowDuplicateEmails": True})
    project.switch(rateLimits=True)
    project.own("PATCH", "/switches", 400, json={"rateLimits": 5})
    assert "switches.changed" not in [name for name, _ in watcher.drain()]


def test_keys_are_rotated(project, watcher):
    """They are those of all projects."""
    other = another(project.server).watch()
    key = project.request("POST", "/emulator/v1/keys:rotate", json={})
    assert watcher.until("keys.rotated") == other.until("keys.rotated") == {"kid": key["kid"]}
    other.close()
