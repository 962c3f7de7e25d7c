"""An app that reads its own user document under the rules."""

import pytest
from support.firestore.project import OWNER, STORY_RULES, Firestore, Listener, guard  # noqa: F401
from support.firestore.rules_language import status

# MARK: The story


@pytest.fixture
def app(hearth):
    app = Firestore(hearth)
    app.rules(STORY_RULES)
    app.uid, app.token = app.sign_up()
    yield app
    app.close()


def snapshot(app, path: str, token: str | None, **more) -> tuple[list, bytes]:
    """One look at a document, as a launch of the app does it."""
    listener = Listener(app, token)
    listener.add(2, path, **more)
    events = []
    while not events or events[-1] != ("NO_CHANGE", []) and events[-1][0] != "REMOVE":
        events.append(listener.event())
    listener.cancel()
    return events, listener.resume_token


def test_launches_of_the_app(app):
    own = f"users/{app.uid}"
    events, _ = snapshot(app, own, app.token)
    assert ("delete", own, [2]) in events
    app.commit(app.set(own, {"name": "Ann"}))
    events, token = snapshot(app, own, app.token)
    assert ("change", own, {"name": "Ann"}, [2], []) in events
    app.commit(app.set(own, {"name": "Eve"}))
    events, token = snapshot(app, own, app.token, resume_token=token)
    assert ("change", own, {"name": "Eve"}, [2], []) in events
    app.commit(app.delete(own))
    events, token = snapshot(app, own, app.token, resume_token=token)
    assert ("delete", own, [2]) in events
    events, _ = snapshot(app, "users/other", app.token, resume_token=token)
    assert events == [("ADD", [2]), ("REMOVE", [2], 7)]
    events, _ = snapshot(app, own, None)
    assert events == [("ADD", [2]), ("REMOVE", [2], 7)]


def test_missing_document_of_the_owner_is_not_an_error(app):
    assert status(app, "GET", f"/users/{app.uid}", app.token) == 404
    assert status(app, "GET", "/users/other", app.token) == 403


def test_document_of_another_is_hidden_whether_it_exists_or_not(app):
    app.commit(app.set("users/there", {}))
    answers = [
        app.rest("GET", f"/users/{name}", 403, token=app.token)["error"]["message"]
        for name in ("there", "none")
    ]
    assert answers[0] == answers[1]


def test_rules_of_the_story_allow_no_query(app):
    assert status(app, "GET", "/users", app.token) == 403
    assert status(app, "GET", "/users", OWNER) == 200
