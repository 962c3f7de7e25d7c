"""What protected services do with tokens, over every transport."""

import concurrent.futures

import grpc
import pytest
import requests
from support.auth.app_check import OWNER, PLACEHOLDER, AppCheck
from support.firestore.project import Firestore, Listener, Writer, forged, guard  # noqa: F401
from support.firestore.webchannel import Session, documents_target, is_error, is_snapshot

MESSAGE = "Firebase App Check token is invalid."
INVALID = {
    "error": {
        "code": 401,
        "message": MESSAGE,
        "errors": [{"message": MESSAGE, "domain": "global", "reason": "unauthorized"}],
        "status": "UNAUTHENTICATED",
    }
}
DENIED = {
    "error": {
        "code": 403,
        "message": "Missing or insufficient permissions.",
        "status": "PERMISSION_DENIED",
    }
}


def of_yesterday(app_check: AppCheck) -> str:
    with app_check.later("-P1D"):
        return app_check.token()


def of_another_project(app_check: AppCheck) -> str:
    return AppCheck(app_check.server).token()


# What a call brings, and what the request log calls it.
REFUSED = {
    "missing": lambda app_check: None,
    "placeholder": lambda app_check: PLACEHOLDER,
    "malformed": lambda app_check: "no-token",
    "twice": lambda app_check: f"{app_check.token()}, {app_check.token()}",
    "expired": of_yesterday,
    "tampered": lambda app_check: forged(app_check.token()),
    "foreign": of_another_project,
}
VERDICTS = {"twice": "malformed", "tampered": "foreign"}


@pytest.fixture
def base(hearth, app_check):
    base = Firestore(hearth, app_check.project)
    yield base
    base.close()


def sent(token: str | None) -> tuple:
    return (("x-firebase-appcheck", token),) if token is not None else ()


@pytest.mark.parametrize("kind", REFUSED)
def test_auth_refuses(app_check, kind):
    token = REFUSED[kind](app_check)
    app_check.switches(appCheckAuth="enforce")
    reply = app_check.sign_up(token, Origin="https://app.example.com")
    assert (reply.status_code, reply.json()) == (401, INVALID)
    noted = app_check.control("GET", "/requests")["requests"][-1]
    assert noted["appCheck"] == VERDICTS.get(kind, kind)


@pytest.mark.parametrize("kind", REFUSED)
def test_firestore_refuses_over_rest(app_check, base, kind):
    token = REFUSED[kind](app_check)
    app_check.switches(appCheckFirestore="enforce")
    headers = dict(sent(token))
    assert base.rest("GET", "/a/b", 403, token=None, headers=headers) == DENIED
    noted = app_check.control("GET", "/requests")["requests"][-1]
    assert noted["appCheck"] == VERDICTS.get(kind, kind)


@pytest.mark.parametrize("kind", REFUSED)
def test_firestore_refuses_over_grpc(app_check, base, kind):
    token = REFUSED[kind](app_check)
    app_check.switches(appCheckFirestore="enforce")
    with pytest.raises(grpc.RpcError) as raised:
        base.rpc.get_document(base.get_request("a/b"), metadata=sent(token), timeout=30)
    assert raised.value.code() == grpc.StatusCode.PERMISSION_DENIED
    assert raised.value.details() == "Missing or insufficient permissions."
    listener = Listener(base, None, sent(token))
    listener.add(1, "a/b")
    assert listener.end() == grpc.StatusCode.PERMISSION_DENIED
    assert Writer(base, None, sent(token)).end() == grpc.StatusCode.PERMISSION_DENIED


@pytest.mark.parametrize("kind", REFUSED)
def test_firestore_refuses_browsers(app_check, base, kind):
    token = REFUSED[kind](app_check)
    app_check.switches(appCheckFirestore="enforce")
    for session in (channel(base, token), writing_channel(base, token)):
        assert session.hear(is_error)[-1]["error"]["status"] == "PERMISSION_DENIED"


def channel(base: Firestore, token: str | None) -> Session:
    """The token is where browsers put it: among the headers in the body."""
    return Session(base, messages=[documents_target(base, "a/b")], headers=in_body(token))


def writing_channel(base: Firestore, token: str | None) -> Session:
    opening = {"database": base.database}
    return Session(base, "Write", messages=[opening], headers=in_body(token))


def in_body(token: str | None) -> str:
    return "" if token is None else f"X-Firebase-AppCheck:{token}\r\n"


def test_a_token_opens_everything(app_check, base):
    token = app_check.token()
    app_check.switches(appCheckAuth="enforce", appCheckFirestore="enforce")
    assert app_check.sign_up(token).status_code == 200
    headers = dict(sent(token))
    base.rest("PATCH", "/a/b", token=None, headers=headers, json={"fields": {}})
    document = base.rpc.get_document(base.get_request("a/b"), metadata=sent(token), timeout=30)
    assert document.name.endswith("/a/b")
    listener = Listener(base, None, sent(token))
    listener.add(1, "a/b")
    assert listener.snapshot()
    listener.cancel()
    writer = Writer(base, None, sent(token))
    writer.write(base.set("a/c", {}))
    assert writer.result()
    writer.cancel()
    session = channel(base, token)
    assert session.hear(is_snapshot)
    session.terminate()


def test_administrators_need_no_app(app_check, base):
    app_check.switches(appCheckAuth="enforce", appCheckFirestore="enforce")
    url = f"{app_check.server.auth}/identitytoolkit.googleapis.com/v1/projects/"
    made = requests.post(f"{url}{app_check.project}/accounts", json={}, headers=OWNER, timeout=30)
    assert made.status_code == 200, made.text
    base.rest("PATCH", "/a/b", json={"fields": {}})
    base.commit(base.set("a/b", {}))
    # A key does not make an administrator, and a text that is not a key is refused as such.
    wrong = requests.post(
        f"{url}{app_check.project}/accounts",
        json={},
        headers={"Authorization": "Bearer nobody"},
        timeout=30,
    )
    assert wrong.json()["error"]["message"] != MESSAGE


def test_refreshing_is_not_protected(app_check):
    """As recorded from production: the refresh token is looked at."""
    app_check.switches(appCheckAuth="enforce")
    reply = requests.post(
        f"{app_check.server.auth}/securetoken.googleapis.com/v1/token",
        params={"key": app_check.project},
        json={"grant_type": "refresh_token", "refresh_token": "none"},
        timeout=30,
    )
    assert reply.status_code == 400
    assert "INVALID_REFRESH_TOKEN" in reply.json()["error"]["message"]


def test_enforcement_comes_before_the_credential(app_check):
    app_check.switches(appCheckAuth="enforce")
    reply = requests.post(
        f"{app_check.server.auth}/identitytoolkit.googleapis.com/v1/accounts:lookup",
        params={"key": app_check.project},
        json={"idToken": "wrong"},
        timeout=30,
    )
    assert reply.json() == INVALID


# MARK: Streams


def has_stream_token(message: dict) -> bool:
    return "streamToken" in message


def refuses_the_next_write(base: Firestore, writer: Writer, writing: Session, token: str) -> None:
    """Streams that wait for writes go on: their end means to the SDK that a write failed."""
    writer.write(base.set("a/d", {}))
    assert writer.end() == grpc.StatusCode.PERMISSION_DENIED
    update = {"name": f"{base.database}/documents/a/d", "fields": {}}
    writing.say({"streamToken": token, "writes": [{"update": update}]})
    assert writing.hear(is_error)[-1]["error"]["status"] == "PERMISSION_DENIED"
    assert base.rest("GET", "/a/d", 404)


def test_a_stream_ends_when_its_token_expires(app_check, base):
    token = app_check.token()
    app_check.switches(appCheckFirestore="enforce")
    listener = Listener(base, None, sent(token))
    listener.add(1, "a/b")
    assert listener.snapshot()
    writer = Writer(base, None, sent(token))
    session, writing = channel(base, token), writing_channel(base, token)
    assert session.hear(is_snapshot)
    stream_token = writing.hear(has_stream_token)[-1]["streamToken"]
    with app_check.later("PT59M"):
        base.commit(base.set("a/b", {"n": 1}))
        assert ("change", "a/b", {"n": 1}, [1], []) in listener.snapshot()
        writer.write(base.set("a/c", {}))
        assert writer.result()
    app_check.control("PATCH", "/clock", {"advance": "PT61M"})
    assert listener.end() == grpc.StatusCode.PERMISSION_DENIED
    assert session.hear(is_error)[-1]["error"]["status"] == "PERMISSION_DENIED"
    refuses_the_next_write(base, writer, writing, stream_token)


def test_a_stream_ends_when_enforcement_begins(app_check, base):
    good, without = Listener(base, None, sent(app_check.token())), Listener(base, None)
    writer = Writer(base, None)
    session, writing = channel(base, None), writing_channel(base, None)
    for listener in (good, without):
        listener.add(1, "a/b")
        assert listener.snapshot()
    assert session.hear(is_snapshot)
    stream_token = writing.hear(has_stream_token)[-1]["streamToken"]
    app_check.switches(appCheckFirestore="enforce")
    assert without.end() == grpc.StatusCode.PERMISSION_DENIED
    assert session.hear(is_error)[-1]["error"]["status"] == "PERMISSION_DENIED"
    refuses_the_next_write(base, writer, writing, stream_token)
    base.commit(base.set("a/b", {"n": 1}))
    assert ("change", "a/b", {"n": 1}, [1], []) in good.snapshot()
    good.cancel()


def test_a_stream_of_an_administrator_goes_on(app_check, base):
    listener = Listener(base)
    listener.add(1, "a/b")
    assert listener.snapshot()
    app_check.switches(appCheckFirestore="enforce")
    base.commit(base.set("a/b", {"n": 1}))
    assert ("change", "a/b", {"n": 1}, [1], []) in listener.snapshot()
    listener.cancel()


# MARK: Replay


def test_one_of_a_hundred_calls_passes(app_check):
    token = app_check.token(limited_use=True)
    app_check.switches(appCheckAuth="enforce", appCheckReplay="enforce")
    with concurrent.futures.ThreadPoolExecutor(100) as pool:
        replies = list(pool.map(lambda _: app_check.sign_up(token), range(100)))
    codes = [reply.status_code for reply in replies]
    assert (codes.count(200), codes.count(401)) == (1, 99)
    assert app_check.report["calls"][0]["verdict"] == "consumed"
    # Tokens that may be used again are.
    again = app_check.token()
    assert [app_check.sign_up(again).status_code for _ in range(2)] == [200, 200]


def test_replay_is_watched_only(app_check):
    token = app_check.token(limited_use=True)
    app_check.switches(appCheckAuth="enforce", appCheckReplay="monitor")
    assert [app_check.sign_up(token).status_code for _ in range(2)] == [200, 200]
    assert app_check.report["invalid"] == 1


# MARK: Rules and the report


def test_rules_do_not_see_the_app(app_check, base):
    """In production `request.app` is an error, and denies."""
    base.rules(
        "rules_version = '2'; service cloud.firestore { match /databases/{d}/documents {"
        " match /a/{x} { allow read: if request.app != null; }"
        " match /b/{x} { allow read: if true; } } }"
    )
    headers = dict(sent(app_check.token()))
    assert base.refused("GET", "/a/b", 403, token=None, headers=headers) == "PERMISSION_DENIED"
    base.rest("GET", "/b/b", 404, token=None, headers=headers)


def test_the_report_says_what_production_would_refuse(app_check, base):
    app_check.switches(appCheckAuth="monitor", appCheckFirestore="monitor")
    token = app_check.token()
    assert app_check.sign_up(token).status_code == 200
    assert app_check.sign_up(PLACEHOLDER).status_code == 200
    assert app_check.sign_up(None, **{"X-Client-Version": "Web/12"}).status_code == 200
    base.rest("PATCH", "/a/b", token=None, json={"fields": {}})
    base.rest("PATCH", "/a/b", json={"fields": {}})
    report = app_check.report
    kinds = ("verified", "invalid", "outdatedClient", "unknownOrigin", "refused", "unverified")
    assert [report[kind] for kind in kinds] == [1, 1, 1, 1, 0, 3]
    callers = {call["caller"]: call["operation"] for call in report["calls"]}
    assert callers["Web/12"] == "identitytoolkit.accounts.signUp"
    app_check.control("DELETE", "/appCheck")
    assert app_check.report["calls"] == []


def test_nothing_is_counted_where_it_is_off(app_check):
    assert app_check.sign_up(PLACEHOLDER).status_code == 200
    assert app_check.report["calls"] == []
