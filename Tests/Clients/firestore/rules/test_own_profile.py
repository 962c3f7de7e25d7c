"""An app signs in and reads its own `users/{uid}` over gRPC and REST; no other caller can."""

import glob
import time

import grpc
import jwt
import pytest
import requests
from cryptography.hazmat.primitives.asymmetric import rsa
from google.cloud.firestore_v1.types import firestore as rpc
from support.firestore.project import (  # noqa: F401
    OWNER,
    STORY_RULES,
    Firestore,
    Listener,
    Writer,
    forged,
    guard,
    metadata,
)
from support.server import Server
from support.wire import V1, V3, decoded, segment

INVALID = grpc.StatusCode.INVALID_ARGUMENT
DENIED, NOT_FOUND, UNAUTHENTICATED = (
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.UNAUTHENTICATED,
)


@pytest.fixture
def app(hearth):
    """A project under the story's rule, with a user who has a profile, and another one."""
    app = Firestore(hearth)
    app.rules(STORY_RULES)
    app.uid, app.token = app.sign_up()
    app.other, app.other_token = app.sign_up()
    app.commit(*[app.set(f"users/{uid}", {"uid": uid}) for uid in (app.uid, app.other)])
    app.own = f"users/{app.uid}"
    yield app
    app.close()


# MARK: The own profile


def test_own_profile_over_grpc(app):
    document = app.call("get_document", app.get_request(app.own), app.token)
    assert app.data(document) == {"uid": app.uid}
    [answer] = app.batch_get(app.own, token=app.token)
    assert app.data(answer.found) == {"uid": app.uid}


def test_own_profile_over_rest(app):
    answer = app.rest("GET", f"/{app.own}", token=app.token)
    assert answer["fields"] == {"uid": {"stringValue": app.uid}}
    [answer] = app.rest(
        "POST", ":batchGet", token=app.token, json={"documents": [app.name(app.own)]}
    )
    assert answer["found"]["fields"] == {"uid": {"stringValue": app.uid}}


def test_own_profile_as_the_mobile_client_reads_it(app):
    listener = Listener(app, app.token)
    listener.add(2, app.own)
    assert [listener.event() for _ in range(4)] == [
        ("ADD", [2]),
        ("change", app.own, {"uid": app.uid}, [2], []),
        ("CURRENT", [2]),
        ("NO_CHANGE", []),
    ]
    listener.remove(2)
    assert listener.event() == ("REMOVE", [2])
    listener.half_close()
    assert listener.end() == grpc.StatusCode.OK


def test_iphone_signs_in_and_reads(hearth):
    """Row by row: verifyPassword, getAccountInfo, Listen."""
    app = Firestore(hearth)
    app.rules(STORY_RULES)
    app.sign_up(email="story@example.com")
    session = requests.post(
        hearth.auth + V3 + "verifyPassword",
        params={"key": app.project},
        timeout=30,
        json={
            "email": "story@example.com",
            "password": "secret1",
            "returnSecureToken": True,
            "clientType": "CLIENT_TYPE_IOS",
        },
    ).json()
    info = requests.post(
        hearth.auth + V3 + "getAccountInfo",
        params={"key": app.project},
        timeout=30,
        json={"idToken": session["idToken"]},
    ).json()
    uid = info["users"][0]["localId"]
    requests.patch(
        f"{app.server.addresses['firestore']}/v1/{app.name('users/' + uid)}",
        timeout=30,
        headers={"Authorization": "Bearer owner"},
        json={"fields": {"name": {"stringValue": "Ann"}}},
    ).raise_for_status()
    listener = Listener(app, session["idToken"])
    listener.add(2, f"users/{uid}")
    assert ("change", f"users/{uid}", {"name": "Ann"}, [2], []) in listener.snapshot()
    listener.cancel()
    app.close()


def test_own_profile_that_is_missing(app):
    app.commit(app.delete(app.own))
    assert app.fails("get_document", app.get_request(app.own), app.token) == NOT_FOUND
    assert app.refused("GET", f"/{app.own}", 404, token=app.token) == "NOT_FOUND"
    [answer] = app.batch_get(app.own, token=app.token)
    assert answer.missing == app.name(app.own)
    listener = Listener(app, app.token)
    listener.add(2, app.own)
    assert listener.snapshot() == [("ADD", [2]), ("delete", app.own, [2]), ("CURRENT", [2])]
    listener.cancel()


def test_profile_deleted_between_two_launches(app):
    listener = Listener(app, app.token)
    listener.add(2, app.own)
    listener.snapshot()
    listener.cancel()
    app.commit(app.delete(app.own))
    again = Listener(app, app.token)
    again.add(2, app.own, resume_token=listener.resume_token)
    assert ("delete", app.own, [2]) in again.snapshot()
    again.cancel()


def test_refreshed_token_opens_a_new_stream(app):
    session = requests.post(
        app.server.auth + V1 + "signUp",
        params={"key": app.project},
        json={"returnSecureToken": True},
        timeout=30,
    ).json()
    refreshed = requests.post(
        app.server.auth + "/securetoken.googleapis.com/v1/token",
        params={"key": app.project},
        timeout=30,
        data={"grant_type": "refresh_token", "refresh_token": session["refreshToken"]},
    ).json()
    path = f"users/{session['localId']}"
    for token in (session["idToken"], refreshed["id_token"]):
        listener = Listener(app, token)
        listener.add(2, path)
        assert ("delete", path, [2]) in listener.snapshot()
        listener.cancel()


def test_restart_with_data_leaves_no_stale_profile(tmp_path):
    times = []
    resume = b""
    uid = token = None
    project = "demo-restart"
    for n in range(2):
        server = Server("--data", str(tmp_path / "data"))
        try:
            app = Firestore(server, project)
            app.rules(STORY_RULES)
            if uid is None:
                uid, token = app.sign_up()
            times.append(app.commit(app.set(f"users/{uid}", {"n": n})).commit_time)
            listener = Listener(app, token)
            listener.add(2, f"users/{uid}", resume_token=resume)
            events = listener.snapshot()
            assert ("change", f"users/{uid}", {"n": n}, [2], []) in events
            resume = listener.resume_token
            times.append(listener.read_times[-1])
            listener.cancel()
            app.close()
        finally:
            server.stop()
    assert times == sorted(times)


# MARK: Everybody else


def everything_is_denied(app, token, path: str, code=DENIED) -> None:
    http = {DENIED: 403, INVALID: 400}.get(code, 401)
    assert app.fails("get_document", app.get_request(path), token) == code
    assert (
        app.fails(
            "batch_get_documents",
            rpc.BatchGetDocumentsRequest(database=app.database, documents=[app.name(path)]),
            token,
        )
        == code
    )
    assert app.fails("commit", app.commit_request(app.set(path, {"stolen": True})), token) == code
    assert app.refused("GET", f"/{path}", http, token=token) == code.name
    assert (
        app.refused("POST", ":batchGet", http, token=token, json={"documents": [app.name(path)]})
        == code.name
    )
    assert app.refused("PATCH", f"/{path}", http, token=token, json={}) == code.name
    assert (
        app.refused(
            "POST",
            ":runQuery",
            http,
            token=token,
            json={"structuredQuery": {"from": [{"collectionId": "users"}]}},
        )
        == code.name
    )
    if code == DENIED:
        listener = Listener(app, token)
        listener.add(2, path)
        assert [listener.event(), listener.event()] == [("ADD", [2]), ("REMOVE", [2], 7)]
        assert listener.is_silent(0.2), "the stream is to stay healthy"
        listener.half_close()
        assert listener.end() == grpc.StatusCode.OK
        writer = Writer(app, token)
        writer.write(app.set(path, {"stolen": True}))
        assert writer.end() == DENIED
    else:
        # The project is known with the first message at the latest.
        listener = Listener(app, token)
        listener.add(2, path)
        assert listener.end() == code
        writer = Writer(app, token)
        writer.write(app.set(path, {"stolen": True}))
        assert writer.end() == code
        listener.cancel()
        writer.cancel()


def test_profile_of_another_is_denied(app):
    everything_is_denied(app, app.token, f"users/{app.other}")
    everything_is_denied(app, app.other_token, app.own)
    assert app.client.document(app.own).get().to_dict() == {"uid": app.uid}


def test_missing_profile_of_another_is_denied(app):
    everything_is_denied(app, app.token, "users/nobody")


def test_signed_out_is_denied(app):
    everything_is_denied(app, None, app.own)


def test_own_profile_may_not_be_written(app):
    assert app.fails("commit", app.commit_request(app.set(app.own, {"n": 1})), app.token) == DENIED
    assert app.refused("DELETE", f"/{app.own}", 403, token=app.token) == "PERMISSION_DENIED"


def test_owner_may_do_everything(app):
    document = app.call("get_document", app.get_request(app.own), OWNER)
    assert app.data(document) == {"uid": app.uid}
    app.rest("PATCH", f"/{app.own}", json={"fields": {}})
    listener = Listener(app, OWNER)
    listener.add(2, app.own)
    assert ("change", app.own, {}, [2], []) in listener.snapshot()
    listener.cancel()


@pytest.mark.parametrize("scheme", ["bearer", "BEARER"])
def test_scheme_of_authorization_is_read_in_any_case(app, scheme):
    url = f"{app.server.addresses['firestore']}/v1/{app.name(app.own)}"
    reply = requests.get(url, headers={"Authorization": f"{scheme} {app.token}"}, timeout=30)
    assert reply.status_code == 200, reply.text


# MARK: Invalid tokens


@pytest.mark.parametrize(
    "token", ["garbage", "a.b.c", "..", "owner2", "x" * 5000], ids=lambda t: t[:12]
)
def test_garbage_is_an_invalid_argument(app, token):
    """As on the official emulator: `invalid jwt`."""
    everything_is_denied(app, token, app.own, INVALID)


def test_unknown_signature_is_unauthenticated(app):
    everything_is_denied(app, "eyJhbGciOiJSUzI1NiJ9.e30.AAAA", app.own, UNAUTHENTICATED)


def test_forged_signature_is_unauthenticated(app):
    everything_is_denied(app, forged(app.token), app.own, UNAUTHENTICATED)


def test_signed_token_without_its_signature_is_unauthenticated(app):
    everything_is_denied(app, ".".join(app.token.split(".")[:2]) + ".", app.own, UNAUTHENTICATED)


def test_token_of_a_foreign_key_is_unauthenticated(app):
    header, claims = decoded(app.token)
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    foreign = jwt.encode(claims, key, algorithm="RS256", headers={"kid": header["kid"]})
    everything_is_denied(app, foreign, app.own, UNAUTHENTICATED)


def test_symmetric_signature_with_the_public_key_is_unauthenticated(app):
    header, claims = decoded(app.token)
    foreign = jwt.encode(claims, "secret" * 10, algorithm="HS256", headers={"kid": header["kid"]})
    everything_is_denied(app, foreign, app.own, UNAUTHENTICATED)


def test_token_of_another_project_is_unauthenticated(hearth, app):
    other = Firestore(hearth)
    _, token = other.sign_up()
    everything_is_denied(app, token, app.own, UNAUTHENTICATED)
    other.close()


def test_resource_prefix_lends_no_token_to_another_project(hearth, app):
    """The header says whose token it is, the message whose documents."""
    other = Firestore(hearth)
    _, token = other.sign_up()
    app.rules(STORY_RULES.replace("request.auth.uid == userId", "true"))
    prefix = [
        ("google-cloud-resource-prefix", other.database),
        ("x-goog-request-params", other.database),
    ]
    listener = Listener(app, token, prefix)
    listener.add(2, app.own)
    seen = []
    while (message := listener.next()) is not None and len(seen) < 4:
        seen.append(listener.read(message))
        if seen[-1][0] in ("REMOVE", "NO_CHANGE"):
            break
    assert not any(event[0] == "change" for event in seen), "a foreign token reads"
    app.rules(
        STORY_RULES.replace("allow read", "allow read, write").replace(
            "request.auth.uid == userId", "true"
        )
    )
    writer = Writer(app, token, prefix)
    writer.write(app.set(app.own, {"stolen": True}))
    assert writer.end() in (UNAUTHENTICATED, DENIED, grpc.StatusCode.INVALID_ARGUMENT)
    assert app.client.document(app.own).get().to_dict() == {"uid": app.uid}
    listener.cancel()
    other.close()


def test_resource_prefix_of_the_same_project_changes_nothing(app):
    prefix = [
        ("google-cloud-resource-prefix", app.database),
        ("x-goog-request-params", app.database),
    ]
    listener = Listener(app, app.token, prefix)
    listener.add(2, app.own)
    assert ("change", app.own, {"uid": app.uid}, [2], []) in listener.snapshot()
    listener.add(4, f"users/{app.other}")
    assert listener.until(("REMOVE", [4], 7)) == [("ADD", [4])]
    listener.cancel()
    writer = Writer(app, app.token, prefix)
    assert writer.opening.stream_token
    writer.write(app.set(app.own, {"n": 1}))
    assert writer.end() == DENIED


def test_expired_token_is_unauthenticated(tmp_path):
    """Signed with the server's own key, as it would be after an hour."""
    data = tmp_path / "data"
    server = Server("--data", str(data))
    try:
        app = Firestore(server)
        app.rules(STORY_RULES)
        uid, token = app.sign_up()
        header, claims = decoded(token)
        [path] = glob.glob(str(data / "keys" / "*.pem"))
        with open(path) as file:
            key = file.read()

        def signed(**changes):
            return jwt.encode(
                claims | changes, key, algorithm="RS256", headers={"kid": header["kid"]}
            )

        app.commit(app.set(f"users/{uid}", {"n": 1}))
        assert app.call("get_document", app.get_request(f"users/{uid}"), signed())
        now = int(time.time())
        everything_is_denied(
            app,
            signed(iat=now - 7200, auth_time=now - 7200, exp=now - 3600),
            f"users/{uid}",
            UNAUTHENTICATED,
        )
        everything_is_denied(app, signed(aud="demo-else"), f"users/{uid}", UNAUTHENTICATED)
        app.close()
    finally:
        server.stop()


# MARK: Unsigned tokens


def test_mock_user_token_is_accepted_and_never_expires(app):
    token = app.mock_token(app.uid)
    assert app.data(app.call("get_document", app.get_request(app.own), token)) == {"uid": app.uid}
    assert app.rest("GET", f"/{app.own}", token=token)["fields"]
    listener = Listener(app, token)
    listener.add(2, app.own)
    assert ("change", app.own, {"uid": app.uid}, [2], []) in listener.snapshot()
    listener.cancel()
    everything_is_denied(app, app.mock_token("somebody"), app.own)


def test_mock_user_token_with_few_claims(app):
    token = f"{segment({'alg': 'none', 'type': 'JWT'})}.{segment({'sub': app.uid, 'iat': 0, 'exp': 3600})}."
    assert app.call("get_document", app.get_request(app.own), token)


def test_unsigned_tokens_can_be_switched_off(app):
    reply = app.control("PATCH", "/switches", json={"acceptUnsignedTokens": False})
    assert reply.status_code == 200, reply.text
    everything_is_denied(app, app.mock_token(app.uid), app.own, UNAUTHENTICATED)
    assert app.call("get_document", app.get_request(app.own), app.token)


# MARK: What rules see of the caller


def test_claims_of_the_token(app):
    app.rules("""rules_version = '2';
    service cloud.firestore { match /databases/{database}/documents {
      match /claims/email { allow get: if request.auth.token.email.matches('user-.*@example[.]com'); }
      match /claims/unverified { allow get: if request.auth.token.email_verified == false; }
      match /claims/provider { allow get: if request.auth.token.firebase.sign_in_provider == 'password'; }
      match /claims/identities { allow get: if request.auth.token.firebase.identities.email.size() == 1; }
      match /claims/sub { allow get: if request.auth.token.sub == request.auth.uid && request.auth.token.aud != null; }
      match /claims/admin { allow get: if request.auth.token.role == 'admin'; }
    } }""")
    for name in ("email", "unverified", "provider", "identities", "sub"):
        assert (
            app.fails("get_document", app.get_request(f"claims/{name}"), app.token) == NOT_FOUND
        ), name
    assert app.fails("get_document", app.get_request("claims/admin"), app.token) == DENIED
    assert (
        app.fails(
            "get_document", app.get_request("claims/admin"), app.mock_token("x", role="admin")
        )
        == NOT_FOUND
    )
    assert app.fails("get_document", app.get_request("claims/email"), None) == DENIED


def test_custom_claims_of_a_real_user(app):
    app.rules("""rules_version = '2';
    service cloud.firestore { match /databases/{database}/documents {
      match /admin/{id} { allow read, write: if request.auth.token.role == 'admin'; } } }""")
    session = requests.post(
        app.server.auth + V1 + "signUp",
        params={"key": app.project},
        json={"returnSecureToken": True},
        timeout=30,
    ).json()
    assert app.fails("get_document", app.get_request("admin/a"), session["idToken"]) == DENIED
    requests.post(
        f"{app.server.auth}/identitytoolkit.googleapis.com/v1/projects/{app.project}/accounts:update",
        headers={"Authorization": "Bearer owner"},
        timeout=30,
        json={"localId": session["localId"], "customAttributes": '{"role":"admin"}'},
    ).raise_for_status()
    refreshed = requests.post(
        app.server.auth + "/securetoken.googleapis.com/v1/token",
        params={"key": app.project},
        timeout=30,
        data={"grant_type": "refresh_token", "refresh_token": session["refreshToken"]},
    ).json()
    assert app.fails("get_document", app.get_request("admin/a"), refreshed["id_token"]) == NOT_FOUND
    app.commit(app.set("admin/a", {}), token=refreshed["id_token"])


def test_every_listener_serves_the_story(app):
    """Auth's port answers Firestore's REST and gRPC, and the other way round."""
    reply = requests.get(
        f"{app.server.auth}/v1/{app.name(app.own)}",
        headers={"Authorization": f"Bearer {app.token}"},
        timeout=30,
    )
    assert reply.status_code == 200, reply.text
    with grpc.insecure_channel(app.server.host) as channel:
        call = channel.unary_unary(
            "/google.firestore.v1.Firestore/GetDocument",
            request_serializer=rpc.GetDocumentRequest.serialize,
        )
        assert call(app.get_request(app.own), metadata=metadata(app.token), timeout=30)
    reply = requests.post(
        app.server.addresses["firestore"] + V1 + "lookup",
        params={"key": app.project},
        json={"idToken": app.token},
        timeout=30,
    )
    assert reply.json()["users"][0]["localId"] == app.uid
