"""Custom tokens, refresh, revocation and session cookies, as recorded from production."""

import time

import pytest
from support.auth.production import Production, claims, custom_token, tampered
from support.server import Server
from support.wire import decoded

SEGMENTS = "INVALID_CUSTOM_TOKEN : Invalid assertion format. 3 dot separated segments required."
LENGTH = "INVALID_IDENTIFIER : Invalid user ID length. Expect to have length between 1 and 128."
RESERVED = [
    "acr",
    "amr",
    "at_hash",
    "aud",
    "auth_time",
    "azp",
    "cnf",
    "c_hash",
    "exp",
    "firebase",
    "iat",
    "iss",
    "jti",
    "nbf",
    "nonce",
    "sub",
]
CUSTOM = "signInWithCustomToken"


@pytest.fixture(scope="module")
def server():
    server = Server("--profile", "production")
    yield server
    server.stop()


@pytest.fixture
def project(server) -> Production:
    return Production(server)


def exchanged(project: Production, token: str, **fields) -> dict:
    return project.ok(*project.to_v1(CUSTOM, token=token, returnSecureToken=True, **fields))


# MARK: Custom tokens


@pytest.mark.parametrize(
    "token, message",
    [
        pytest.param(None, "MISSING_CUSTOM_TOKEN", id="A107-none"),
        pytest.param("", SEGMENTS, id="A107-empty"),
        pytest.param("not-a-jwt", SEGMENTS, id="A107-garbage"),
        pytest.param('{"uid":"fake"}', SEGMENTS, id="A107-object"),
        pytest.param(
            lambda: tampered(custom_token("u"), signature=""),
            "INVALID_CUSTOM_TOKEN : Missing signature.",
            id="A108-unsigned",
        ),
        pytest.param(
            lambda: tampered(custom_token("u"), header={"alg": "none"}),
            "INVALID_CUSTOM_TOKEN",
            id="A108-alg-none",
        ),
        pytest.param(
            lambda: custom_token("u", aud="https://example.com/other"),
            "INVALID_CUSTOM_TOKEN",
            id="A108-audience",
        ),
        pytest.param(
            lambda: custom_token("u", sub="someone@example.com"),
            "INVALID_CUSTOM_TOKEN",
            id="A108-iss-not-sub",
        ),
        pytest.param(
            lambda: custom_token("u", without=["exp"]), "INVALID_CUSTOM_TOKEN", id="A108-no-exp"
        ),
        pytest.param(
            lambda: custom_token("u", without=["iat"]), "INVALID_CUSTOM_TOKEN", id="A108-no-iat"
        ),
        pytest.param(
            lambda: custom_token("u", iat=int(time.time()) + 36_000, exp=int(time.time()) + 39_000),
            "INVALID_CUSTOM_TOKEN",
            id="A108-future",
        ),
        pytest.param(
            lambda: custom_token("u", exp=int(time.time()) + 7200),
            "INVALID_CUSTOM_TOKEN",
            id="A108-two-hours",
        ),
        pytest.param(lambda: custom_token(), "MISSING_IDENTIFIER", id="A110-no-uid"),
        pytest.param(lambda: custom_token(""), LENGTH, id="A110-empty-uid"),
        pytest.param(lambda: custom_token("u" * 129), LENGTH, id="A110-long-uid"),
        pytest.param(
            lambda: custom_token("u", claims="role=admin"), "INVALID_CLAIMS", id="A111-text"
        ),
        pytest.param(lambda: custom_token("u", claims=["role"]), "INVALID_CLAIMS", id="A111-list"),
        *(
            pytest.param(
                lambda name=name: custom_token("u", claims={name: "x"}),
                f"FORBIDDEN_CLAIM : {name}",
                id=f"A112-{name}",
            )
            for name in RESERVED
        ),
    ],
)
def test_a_custom_token_is_refused(project, token, message):
    # Tokens are made by the test that takes them: they have an hour.
    token = token() if callable(token) else token
    fields = {} if token is None else {"token": token}
    assert project.refusal(*project.to_v1(CUSTOM, returnSecureToken=True, **fields)) == message


@pytest.mark.parametrize(
    "token, uid",
    [
        pytest.param(lambda: custom_token(12345), "12345", id="A110-number"),
        pytest.param(lambda: custom_token("u" * 128), "u" * 128, id="A110-128"),
        pytest.param(lambda: custom_token("a/b.c+d e"), "a/b.c+d e", id="A113-symbols"),
        pytest.param(
            lambda: custom_token("long", claims={"k": "x" * 2000}), "long", id="A111-long-claims"
        ),
        pytest.param(lambda: custom_token("none", claims={}), "none", id="A111-no-claims"),
        pytest.param(
            lambda: custom_token("own", claims={"user_id": "other"}), "own", id="A112-user-id"
        ),
    ],
)
def test_a_custom_token_is_taken(project, token, uid):
    answer = exchanged(project, token())
    assert sorted(answer) == ["expiresIn", "idToken", "isNewUser", "kind", "refreshToken"], "A106"
    assert claims(answer["idToken"])["user_id"] == uid
    user = project.ok(*project.to_v1("lookup", idToken=answer["idToken"]))["users"][0]
    assert user["customAuth"] is True and "validSince" in user, "A41"


def test_without_return_secure_token_the_old_kind_of_token_is_given(project):
    token = custom_token("old", claims={"role": "developer"})
    answer = project.ok(*project.to_v1(CUSTOM, token=token))
    assert sorted(answer) == ["idToken", "isNewUser", "kind"]
    header, found = decoded(answer["idToken"])
    assert sorted(header) == ["alg", "kid"]
    assert found["exp"] - found["iat"] == 1_209_600
    assert {name: found[name] for name in found if name not in ("iat", "exp")} == {
        "iss": "https://identitytoolkit.google.com/",
        "aud": project.id,
        "user_id": "old",
        "sign_in_provider": "custom",
        "extra_claims": {"role": "developer"},
    }
    assert project.ok(*project.to_v1("lookup", idToken=answer["idToken"]))["users"]
    assert cookie_refusal(project, answer["idToken"]) == "INVALID_ID_TOKEN"


def test_a113_a_disabled_account_has_no_use_of_a_custom_token(project):
    project.user("off", disabled=True)
    body = project.to_v1(CUSTOM, token=custom_token("off"), returnSecureToken=True)
    assert project.refusal(*body) == "USER_DISABLED"


def test_a115_claims_of_the_session_win_and_those_of_the_account_follow(project):
    project.user("claims")
    project.change("claims", customAttributes='{"role":"account","tier":"gold"}')
    token = custom_token("claims", claims={"role": "session", "only": True})
    session = exchanged(project, token)
    assert claims(session["idToken"]) | {"role": "session", "tier": "gold", "only": True} == claims(
        session["idToken"]
    )
    project.change("claims", customAttributes='{"role":"changed","tier":"silver","added":1}')
    found = claims(refreshed(project, session)["id_token"])
    assert (found["role"], found["tier"], found["added"], found["only"]) == (
        "session",
        "silver",
        1,
        True,
    )


# MARK: Refresh and revocation


def refreshed(project: Production, session: dict) -> dict:
    return project.ok(
        *project.token(grant_type="refresh_token", refresh_token=session["refreshToken"])
    )


def refresh_refusal(project: Production, session: dict) -> str:
    return project.refusal(
        *project.token(grant_type="refresh_token", refresh_token=session["refreshToken"])
    )


@pytest.mark.parametrize(
    "form, message",
    [
        pytest.param({}, "MISSING_GRANT_TYPE", id="A118-empty"),
        pytest.param({"refresh_token": "x"}, "MISSING_GRANT_TYPE", id="A119-no-grant-type"),
        pytest.param(
            {"grant_type": "password", "refresh_token": "x"},
            "INVALID_GRANT_TYPE",
            id="A119-password",
        ),
        pytest.param(
            {"grant_type": "authorization_code", "code": "x"}, "INVALID_GRANT_TYPE", id="A118-code"
        ),
        pytest.param({"grant_type": "refresh_token"}, "MISSING_REFRESH_TOKEN", id="A118-no-token"),
        pytest.param(
            {"grant_type": "refresh_token", "refresh_token": ""},
            "MISSING_REFRESH_TOKEN",
            id="A118-empty-token",
        ),
        pytest.param(
            {"grant_type": "refresh_token", "refresh_token": "x"},
            "INVALID_REFRESH_TOKEN",
            id="A118-unknown",
        ),
    ],
)
def test_a_refresh_is_refused(project, form, message):
    assert project.refusal(*project.token(**form)) == message


def test_a116_a117_a_refresh_keeps_token_and_beginning_of_the_session(project):
    project.freeze()
    project.user("fresh")
    first = project.sign_in("fresh")
    project.advance("PT10S")
    project.sign_in("fresh")
    project.change("fresh", displayName="Renamed")
    project.advance("PT10S")
    answer = refreshed(project, first)
    assert sorted(answer) == [
        "access_token",
        "expires_in",
        "id_token",
        "project_id",
        "refresh_token",
        "token_type",
        "user_id",
    ]
    assert answer["refresh_token"] == first["refreshToken"]
    assert answer["access_token"] == answer["id_token"] and answer["project_id"].isdigit()
    before, after = claims(first["idToken"]), claims(answer["id_token"])
    assert after["auth_time"] == before["auth_time"] and after["iat"] == before["iat"] + 20
    assert after["name"] == "Renamed"


def test_a120_valid_since_decides_and_can_be_moved_back(project):
    project.freeze()
    project.user("moved")
    session = project.sign_in("moved")
    began = claims(session["idToken"])["auth_time"]
    lookup = project.to_v1("lookup", idToken=session["idToken"])

    project.change("moved", validSince=str(began))
    project.ok(*lookup)
    refreshed(project, session)

    project.advance("PT5S")
    newer = {"idToken": refreshed(project, session)["id_token"]}
    project.change("moved", validSince=str(began + 1))
    assert project.refusal(*lookup) == "TOKEN_EXPIRED"
    assert project.refusal(*project.to_v1("lookup", **newer)) == "TOKEN_EXPIRED"
    assert project.refusal(*project.to_v1("update", displayName="x", **newer)) == "TOKEN_EXPIRED"
    assert refresh_refusal(project, session) == "TOKEN_EXPIRED"
    assert cookie_refusal(project, session["idToken"]) == "TOKEN_EXPIRED"

    project.change("moved", validSince=str(began - 1))
    project.ok(*lookup)
    refreshed(project, session)


def test_a121_a_password_set_by_an_administrator_ends_sessions(project):
    project.freeze()
    project.user("changed")
    session = project.sign_in("changed")
    project.advance("PT2S")
    project.change("changed", password="password456")
    lookup = project.to_v1("lookup", idToken=session["idToken"])
    assert project.refusal(*lookup) == "TOKEN_EXPIRED"
    assert refresh_refusal(project, session) == "TOKEN_EXPIRED"


def test_a122_disabled_deleted_and_reused_accounts_refuse_differently(project):
    project.user("gone")
    session = project.sign_in("gone")
    project.change("gone", disableUser=True)
    assert refresh_refusal(project, session) == "USER_DISABLED"
    delete = f"{project.v1}/accounts:delete"
    project.ok("POST", delete, {"localId": "gone"}, admin=True)
    assert refresh_refusal(project, session) == "USER_NOT_FOUND"
    project.user("gone")
    assert refresh_refusal(project, session) == "TOKEN_EXPIRED"


def test_a124_tokens_of_anonymous_users(project):
    answer = project.ok(*project.to_v1("signUp", returnSecureToken=True))
    found = claims(answer["idToken"])
    assert found["provider_id"] == "anonymous" and found["firebase"]["identities"] == {}


# MARK: Session cookies


def cookie(project: Production, token: str | None, duration=None) -> tuple[str, str, dict]:
    body = {} if token is None else {"idToken": token}
    if duration is not None:
        body["validDuration"] = duration
    return "POST", f"{project.v1}:createSessionCookie", body


def cookie_refusal(project: Production, token: str | None, duration=3600) -> str:
    return project.refusal(*cookie(project, token, duration), admin=True)


@pytest.mark.parametrize(
    "duration, seconds",
    [
        pytest.param(None, 1_209_600, id="A125-default"),
        pytest.param(300, 300, id="A125-300"),
        pytest.param(1_209_600, 1_209_600, id="A125-longest"),
        pytest.param("3600", 3600, id="A125-text"),
    ],
)
def test_a_session_cookie_lives_as_long_as_asked(project, duration, seconds):
    project.user("cookie")
    token = project.sign_in("cookie")["idToken"]
    answer = project.ok(*cookie(project, token, duration), admin=True)
    header, found = decoded(answer["sessionCookie"])
    assert sorted(header) == ["alg", "kid"], "A126"
    assert found["exp"] - found["iat"] == seconds
    assert found["iss"] == f"https://session.firebase.google.com/{project.id}", "A126"
    assert found["auth_time"] == claims(token)["auth_time"], "A126"


@pytest.mark.parametrize(
    "duration",
    [
        pytest.param(299, id="A125-299"),
        pytest.param(1_209_601, id="A125-too-long"),
        pytest.param(0, id="A125-zero"),
        pytest.param(-1, id="A125-negative"),
    ],
)
def test_a_session_cookie_has_bounds(project, duration):
    project.user("cookie")
    token = project.sign_in("cookie")["idToken"]
    assert cookie_refusal(project, token, duration) == "INVALID_DURATION"


def test_a127_a_cookie_says_what_the_token_said(project):
    project.user("said")
    project.change("said", customAttributes='{"role":"account"}')
    token = project.sign_in("said")["idToken"]
    project.change("said", customAttributes='{"role":"changed"}')
    answer = project.ok(*cookie(project, token), admin=True)
    assert claims(answer["sessionCookie"])["role"] == "account"


def test_a128_who_gets_no_cookie(project):
    assert cookie_refusal(project, None) == "MISSING_ID_TOKEN"
    assert cookie_refusal(project, "not-a-jwt") == "INVALID_ID_TOKEN"
    project.user("none")
    token = project.sign_in("none")["idToken"]
    made = project.ok(*cookie(project, token), admin=True)["sessionCookie"]
    assert cookie_refusal(project, made) == "INVALID_ID_TOKEN"
    assert project.refusal(*project.to_v1("lookup", idToken=made)) == "INVALID_ID_TOKEN"
    project.change("none", disableUser=True)
    assert cookie_refusal(project, token) == "USER_DISABLED"
    project.ok("POST", f"{project.v1}/accounts:delete", {"localId": "none"}, admin=True)
    assert cookie_refusal(project, token) == "USER_NOT_FOUND"


def test_a48_a114_a129_tokens_are_taken_five_minutes_longer(project):
    project.freeze()
    token = project.ok(
        *project.to_v1(
            "signUp", email="late@example.com", password="password123", returnSecureToken=True
        )
    )
    lookup = project.to_v1("lookup", idToken=token["idToken"])
    custom = custom_token("late", iat=int(project.now()), exp=int(project.now()) + 3600)
    project.advance("PT3899S")
    project.ok(*lookup)
    exchanged(project, custom)
    project.ok(*cookie(project, token["idToken"]), admin=True)
    project.advance("PT1S")
    assert project.refusal(*lookup) == "INVALID_ID_TOKEN"
    assert cookie_refusal(project, token["idToken"]) == "INVALID_ID_TOKEN"
    late = project.to_v1(CUSTOM, token=custom, returnSecureToken=True)
    assert project.refusal(*late) == "INVALID_CUSTOM_TOKEN"
    refreshed(project, token)
