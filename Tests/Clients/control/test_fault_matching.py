"""Which requests a fault applies to, and which it leaves alone."""

import concurrent.futures
import contextlib

import pytest
import requests
from support.auth.project import IT
from support.faults import dropped, rule, timed, user  # noqa: F401
from support.firestore.project import Firestore
from support.server import ROOT, Server
from support.steering import SIGN_IN, SIGN_UP, Steered, guard, project, unused  # noqa: F401
from support.wire import TOKEN

# MARK: Which requests


@pytest.mark.parametrize(
    "operation, hits",
    [
        (SIGN_IN, True),
        ("identitytoolkit.*", True),
        ("*", True),
        ("*signInWithPassword", True),
        ("identitytoolkit.*.signIn*", True),
        ("*sign*With*Password*", True),
        ("**", True),
        ("*.signUp", False),
        ("dialect.*", False),
    ],
)
def test_globs(project, user, operation, hits):
    project.faults(rule(operation, {"status": 503}))
    reply = project.raw("signInWithPassword", {"email": user, "password": "secret1"})
    assert reply.status_code == (503 if hits else 200)


@pytest.mark.parametrize(
    "operation",
    [
        "signInWithPassword",
        "identitytoolkit.accounts",
        "identitytoolkit.accounts.signIn",
        "IDENTITYTOOLKIT.*",
        "identitytoolkit.accounts.signInWithPassword.*",
        "identitytoolkit?accounts?signInWithPassword",
        ".*",
    ],
)
def test_globs_that_match_nothing_are_refused(project, operation):
    message = project.complaint("PUT", "/faults", {"faults": [rule(operation, {"status": 503})]})
    assert "/faults/0/operation matches no operation" in message


@pytest.mark.parametrize("operation", ["dialect." + "*" * 200 + "x", "dialect." + "*i*" * 40 + "x"])
def test_a_request_is_answered_beside_a_glob_of_many_stars(operation):
    """A matcher that tries each way to divide the name would not end in the time that a call has."""
    server = Server()
    starry = Steered(server)
    starry.faults(rule(operation, {"status": 503}))
    try:
        assert starry.raw("signInWithPassword", {}).status_code == 400
    finally:
        server.kill()


@pytest.mark.parametrize(
    "path, operation",
    [
        (f"{IT}/v1/accounts:signInWithPassword", SIGN_IN),
        ("/www.googleapis.com/identitytoolkit/v3/relyingparty/verifyPassword", SIGN_IN),
        ("/v1/accounts:signInWithPassword", SIGN_IN),
        (TOKEN, "securetoken.token"),
        (f"{IT}/v2/accounts/mfaSignIn:start", "identitytoolkit.accounts.mfaSignIn.start"),
    ],
)
def test_every_path_of_an_operation(project, path, operation):
    project.faults(rule(operation, {"status": 503}))
    form = (
        {"data": {"grant_type": "refresh_token", "refresh_token": "x"}}
        if path == TOKEN
        else {"json": {"email": unused(), "password": "x"}}
    )
    reply = requests.post(
        project.server.auth + path, params={"key": project.id}, timeout=30, **form
    )
    # A refresh token names its project; elsewhere the key does.
    assert reply.status_code == 503, reply.text


def test_calls_of_the_owner(project):
    project.faults(rule("identitytoolkit.projects.accounts", {"error": "QUOTA_EXCEEDED"}))
    assert project.admin_error("/accounts", {"email": unused()}, 429) == "QUOTA_EXCEEDED"
    project.admin("/accounts:query")


def test_rules_add_up_in_their_order(project, user):
    project.faults(
        rule(SIGN_IN, {"latency": "200ms"}),
        rule(SIGN_IN, {"latency": "200ms"}),
        rule(SIGN_IN, {"error": "USER_DISABLED"}),
        rule(SIGN_IN, {"status": 503}),
    )
    answers = []
    assert (
        timed(
            lambda: answers.append(
                project.error("signInWithPassword", {"email": user, "password": "secret1"})
            )
        )
        >= 0.4
    )
    assert answers == ["USER_DISABLED"]


def pattern(project, count: int = 40) -> list[int]:
    return [project.raw("signInWithPassword", {}).status_code for _ in range(count)]


def test_a_share_is_the_same_in_every_run(project):
    half = rule(SIGN_IN, {"status": 503}, share=0.5, seed=7)
    project.faults(half)
    one = pattern(project)
    project.faults(half)
    assert pattern(project) == one
    assert 8 <= one.count(503) <= 32 and set(one) == {400, 503}
    project.faults({**half, "seed": 8})
    assert pattern(project) != one
    # Also in another project, and beside requests that are not meant.
    other = Steered(project.server)
    other.faults(half)
    mixed = []
    for _ in one:
        other.raw("createAuthUri", {"identifier": "a@example.com", "continueUri": "http://x"})
        mixed.append(other.raw("signInWithPassword", {}).status_code)
    assert mixed == one


def test_a_share_is_the_same_on_another_server(project):
    half = rule(SIGN_IN, {"status": 503}, share=0.3, seed=12345)
    project.faults(half)
    one = pattern(project)
    server = Server()
    other = Steered(server)
    other.faults(half)
    assert pattern(other) == one
    server.stop()


def test_a_share_without_a_seed_is_repeated_too(project):
    project.faults(rule(SIGN_IN, {"status": 503}, share=0.5))
    one = pattern(project)
    project.faults(rule(SIGN_IN, {"status": 503}, share=0.5))
    assert pattern(project) == one


@pytest.mark.parametrize("share, count", [(0, 0), (0.0, 0), (1, 20), (1.0, 20)])
def test_none_and_all(project, share, count):
    project.faults(rule(SIGN_IN, {"status": 503}, share=share, seed=3))
    assert pattern(project, 20).count(503) == count


def test_shares_come_near_what_was_asked_for(project):
    project.faults(rule(SIGN_IN, {"status": 503}, share=0.2, seed=99))
    assert 30 <= pattern(project, 300).count(503) <= 95


def test_a_number_of_times(project):
    project.faults(rule(SIGN_IN, {"status": 503}, times=2))
    assert pattern(project, 5) == [503, 503, 400, 400, 400]
    # A rule that is set again counts from zero.
    project.faults(rule(SIGN_IN, {"status": 503}, times=1))
    assert pattern(project, 3) == [503, 400, 400]


def test_only_hits_count_as_times(project):
    project.faults(rule(SIGN_IN, {"status": 503}, share=0.5, seed=7, times=3))
    seen = pattern(project, 40)
    assert seen.count(503) == 3
    project.faults(rule(SIGN_IN, {"status": 503}, share=0.5, seed=7))
    unlimited = pattern(project, 40)
    third = [index for index, status in enumerate(unlimited) if status == 503][2]
    assert seen[: third + 1] == unlimited[: third + 1]


def test_times_hold_among_requests_at_once(project):
    project.faults(rule(SIGN_IN, {"status": 503}, times=7))
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        answers = list(
            pool.map(lambda _: project.raw("signInWithPassword", {}).status_code, range(60))
        )
    assert answers.count(503) == 7 and answers.count(400) == 53


def test_one_rule_after_the_other(project):
    project.faults(rule(SIGN_IN, {"status": 503}, times=1), rule(SIGN_IN, {"status": 429}, times=2))
    # A request that the first rule takes uses up one time of the second as well or does not; both
    # end after three requests at the latest.
    seen = pattern(project, 4)
    assert seen[0] == 503 and seen[1] == 429 and seen[3] == 400


# MARK: The address


def test_only_requests_about_an_address(project):
    one, other = unused("one"), unused("other")
    for email in (one, other):
        project.sign_up(email)
    project.faults(rule("identitytoolkit.*", {"error": "UNAVAILABLE"}, email=one.upper()))
    wanted = {"email": one, "password": "secret1"}
    assert project.error("signInWithPassword", wanted, 503) == "UNAVAILABLE"
    assert project.error("signInWithPassword", {**wanted, "email": one.upper()}, 503)
    assert project.error("sendOobCode", {"requestType": "PASSWORD_RESET", "email": one}, 503)
    assert project.error("createAuthUri", {"identifier": one, "continueUri": "http://x"}, 503)
    project.sign_in(other)
    # No address: anonymous users, and calls without a user.
    project.call("signUp", {})
    assert project.error("signInWithPassword", {}) == "MISSING_EMAIL"
    project.admin("/accounts:query")


def test_the_address_in_a_token_counts(project):
    one, other = unused("one"), unused("other")
    mine, theirs = project.sign_up(one), project.sign_up(other)
    project.faults(rule("*.lookup", {"error": "UNAVAILABLE"}, email=one))
    assert project.error("lookup", {"idToken": mine["idToken"]}, 503) == "UNAVAILABLE"
    project.call("lookup", {"idToken": theirs["idToken"]})


def test_the_times_of_an_address_are_its_own(project, user):
    project.faults(rule(SIGN_IN, {"status": 503}, email=user, times=1))
    for _ in range(3):
        project.raw("signInWithPassword", {"email": unused(), "password": "x"})
    assert project.error("signInWithPassword", {"email": user, "password": "secret1"}, 503)
    project.sign_in(user)


# MARK: What is spared


def test_control_endpoints_have_no_faults(project, user):
    mail = project.reset_mail(user)
    project.faults(rule("*", {"drop": "before"}), rule("hearth.*", {"status": 503}))
    for method, path in [
        ("GET", "/faults"),
        ("GET", "/clock"),
        ("GET", "/requests"),
        ("GET", "/switches"),
        ("GET", "/messages"),
        ("GET", f"/messages/{mail['id']}"),
        ("GET", "/messages/latest"),
        ("DELETE", f"/messages/{mail['id']}"),
        ("DELETE", "/messages"),
        ("DELETE", "/clock"),
    ]:
        project.own(method, path)
    project.clock(advance="PT1S")
    project.switch(rateLimits=True)
    for path in ["/console/", "/emulator/v1/projects", "/mailbox", "/"]:
        reply = requests.get(project.server.addresses["console"] + path, timeout=30)
        assert reply.status_code == 200, path
    watcher = project.watch()
    project.faults(rule("*", {"drop": "before"}))
    watcher.until("faults.changed")
    watcher.close()
    project.no_faults()
    project.sign_in(user)


def test_control_endpoints_of_the_default_project_have_no_faults():
    server = Server()
    default = Steered(server, "demo-hearth")
    default.faults(rule("*", {"status": 503}))
    for path in ["/console/", "/mailbox", "/emulator/v1/projects"]:
        assert requests.get(server.addresses["console"] + path, timeout=30).status_code == 200, path
    assert (
        requests.post(server.auth + "/emulator/v1/keys:rotate", json={}, timeout=30).status_code
        == 200
    )
    default.no_faults()
    server.stop()


def test_other_projects_are_not_affected(project):
    project.faults(rule("*", {"drop": "before"}))
    other = Steered(project.server)
    email = unused()
    other.sign_up(email)
    other.sign_in(email)
    assert other.own("GET", "/faults") == {"faults": []}
    with contextlib.closing(Firestore(project.server, other.id)) as base:
        base.rest("PATCH", "/c/d", json={"fields": {}})
    other.no_faults()
    assert len(project.own("GET", "/faults")["faults"]) == 1


def test_a_tenant_belongs_to_its_project(project):
    tenant = project.tenant(allowPasswordSignup=True)
    project.faults(rule(SIGN_UP, {"status": 503}))
    assert project.error(
        "signUp", {"tenantId": tenant, "email": unused(), "password": "secret1"}, 503
    )


def test_faults_are_seen_in_the_log_of_requests(project, user):
    project.faults(
        rule(SIGN_IN, {"error": "UNAVAILABLE"}, times=1), rule(SIGN_IN, {"latency": "120ms"})
    )
    project.raw("signInWithPassword", {"email": user, "password": "secret1"})
    project.sign_in(user)
    entries = [entry for entry in project.calls() if entry["operation"] == SIGN_IN]
    assert [entry["status"] for entry in entries] == [503, 200]
    assert entries[0]["error"] == "UNAVAILABLE"
    assert entries[1]["milliseconds"] >= 120


# MARK: Dialects


@pytest.fixture(scope="module")
def played():
    """A server that plays SwiftlyFeedback's back end."""
    server = Server("--dialect", str(ROOT / "fixtures/dialects/swiftly-feedback.json"))
    yield server
    server.stop()


@pytest.fixture
def dialect(played):
    project = Steered(played, "demo-hearth")
    project.no_faults()
    yield project
    project.no_faults()


def forgot(project, email: str) -> requests.Response:
    return requests.post(
        f"{project.server.auth}/api/v1/auth/forgot-password", json={"email": email}, timeout=30
    )


@pytest.mark.parametrize(
    "operation",
    ["dialect.swiftly-feedback.requestReset", "dialect.*", "dialect.swiftly-feedback.*", "*"],
)
def test_requests_of_a_dialect(dialect, operation):
    email = unused()
    dialect.sign_up(email)
    dialect.faults(rule(operation, {"status": 503}))
    assert forgot(dialect, email).status_code == 503
    assert dialect.messages(to=email) == []
    dialect.no_faults()
    assert forgot(dialect, email).status_code == 200
    assert len(dialect.messages(to=email)) == 1


@pytest.mark.parametrize(
    "operation",
    ["dialect.swiftly-feedback.confirmReset", "dialect.other.requestReset", "identitytoolkit.*"],
)
def test_other_requests_of_a_dialect_go_on(dialect, operation):
    dialect.faults(rule(operation, {"status": 503}))
    assert forgot(dialect, unused()).status_code == 200


def test_a_dialect_drops_latency_address(dialect):
    one, other = unused("one"), unused("other")
    for email in (one, other):
        dialect.sign_up(email)
    asks = "dialect.swiftly-feedback.requestReset"
    dialect.faults(rule(asks, {"drop": "before"}, email=one))
    with dropped():
        forgot(dialect, one.upper())
    assert dialect.messages(to=one) == []
    assert forgot(dialect, other).status_code == 200
    dialect.faults(rule(asks, {"drop": "after"}, email=one))
    with dropped():
        forgot(dialect, one)
    assert len(dialect.messages(to=one)) == 1
    dialect.faults(rule(asks, {"latency": "300ms"}))
    assert timed(lambda: forgot(dialect, one)) >= 0.3
    dialect.faults(rule(asks, {"slowBody": "100B/s"}))
    assert timed(lambda: forgot(dialect, one)) >= 0.4


def test_a_dialect_with_an_error_of_the_table(dialect):
    dialect.faults(rule("dialect.*", {"error": "RESOURCE_EXHAUSTED"}, times=1))
    assert forgot(dialect, unused()).status_code == 429
    assert forgot(dialect, unused()).status_code == 200
