"""Blocking functions: what their answers change."""

import json

import pytest
from support.auth.functions import (  # noqa: F401
    BODIES,
    GOOGLE,
    changing,
    claims_of,
    enrolled,
    functions,
    google,
    identity,
    idp,
    known,
    link,
    link_body,
    number,
    phone,
    played,
    post,
    refused,
    second_factor,
    sign_in,
    sign_up,
    stored,
)
from support.wire import TOKEN, V1, decoded

BEFORE = ("beforeCreate", "beforeSignIn")
FAILED = "BLOCKING_FUNCTION_ERROR_RESPONSE : "


# MARK: What their answers change

WAYS = {
    "password": lambda hearth, address, number: sign_up(hearth, address),
    "email link": lambda hearth, address, number: link(hearth, address),
    "idp": lambda hearth, address, number: idp(hearth, "google.com", google(address)),
    "phone": lambda hearth, address, number: phone(hearth, number),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("event", BEFORE)
def test_a_function_changes_the_user(hearth, functions, address, number, way, event):
    functions.answers[event] = changing(
        displayName="Changed",
        photoUrl="http://localhost/changed.png",
        emailVerified=True,
        customClaims={"role": "admin"},
    )
    session = way(hearth, address, number)
    user = stored(hearth, session["localId"])
    assert user["displayName"] == "Changed"
    assert user["photoUrl"] == "http://localhost/changed.png"
    assert user["emailVerified"] is True
    assert json.loads(user["customAttributes"]) == {"role": "admin"}
    claims = claims_of(session)
    assert (claims["name"], claims["picture"], claims["role"]) == (
        "Changed",
        "http://localhost/changed.png",
        "admin",
    )
    # The answer shows what the provider said.
    if "rawUserInfo" in session:
        assert (session["displayName"], session["photoUrl"]) == ("Ann", GOOGLE["picture"])


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_session_claims_live_in_the_session_and_its_refresh_token_only(
    hearth, functions, address, number, way
):
    functions.answers["beforeSignIn"] = changing(sessionClaims={"session": {"a": [1]}, "role": "x"})
    session = way(hearth, address, number)
    assert claims_of(session)["session"] == {"a": [1]}
    refreshed = post(
        hearth, TOKEN, {"grant_type": "refresh_token", "refresh_token": session["refreshToken"]}
    )
    claims = decoded(refreshed["id_token"])[1]
    assert (claims["session"], claims["role"]) == ({"a": [1]}, "x")
    assert not stored(hearth, session["localId"]).get("customAttributes", "").strip("{}")
    functions.answers.clear()
    assert "session" not in claims_of(way_again(hearth, session, address, number))


def way_again(hearth, session: dict, address: str, number: str) -> dict:
    user = stored(hearth, session["localId"])
    if "phoneNumber" in user:
        return phone(hearth, number)
    hearth.admin("/accounts:update", {"localId": user["localId"], "password": "secret1"})
    return sign_in(hearth, address)


def test_session_claims_override_custom_claims(hearth, functions, address):
    functions.answers["beforeSignIn"] = changing(
        customClaims={"role": "stored", "kept": 1}, sessionClaims={"role": "session"}
    )
    claims = claims_of(sign_up(hearth, address))
    assert (claims["role"], claims["kept"]) == ("session", 1)


def test_session_claims_come_with_the_second_factor(hearth, functions, address, number):
    uid = enrolled(hearth, address, number)["localId"]
    functions.answers["beforeSignIn"] = changing(sessionClaims={"a": 1}, displayName="Changed")
    session = second_factor(hearth, sign_in(hearth, address), number)
    claims = claims_of(session)
    assert (claims["a"], claims["name"]) == (1, "Changed")
    assert claims["firebase"]["second_factor_identifier"]
    assert stored(hearth, uid)["displayName"] == "Changed"
    refreshed = post(
        hearth, TOKEN, {"grant_type": "refresh_token", "refresh_token": session["refreshToken"]}
    )
    claims = decoded(refreshed["id_token"])[1]
    assert claims["a"] == 1 and claims["firebase"]["sign_in_second_factor"] == "phone"


def test_session_claims_do_not_outlive_an_enrolment(hearth, functions, address, number):
    functions.answers["beforeSignIn"] = changing(sessionClaims={"a": 1})
    assert "a" not in claims_of(enrolled(hearth, address, number))


def test_session_claims_before_creation_are_ignored(hearth, functions, address):
    functions.answers["beforeCreate"] = changing(sessionClaims={"a": 1}, displayName="Ann")
    claims = claims_of(sign_up(hearth, address))
    assert "a" not in claims and claims["name"] == "Ann"


def test_session_claims_cannot_take_the_place_of_the_tokens_own(hearth, functions, address):
    functions.answers["beforeSignIn"] = changing(
        sessionClaims={
            "firebase": {"sign_in_provider": "other"},
            "email": "other@example.com",
            "email_verified": True,
            "user_id": "other",
            "auth_time": 1,
            "phone_number": "+15555550100",
            "provider_id": "other",
            "mine": 1,
        }
    )
    session = sign_up(hearth, address)
    claims = claims_of(session)
    assert claims["firebase"]["sign_in_provider"] == "password"
    assert (claims["email"], claims["email_verified"]) == (address, False)
    assert claims["user_id"] == claims["sub"] == session["localId"]
    assert claims["auth_time"] > 1 and claims["mine"] == 1
    assert "phone_number" not in claims and "provider_id" not in claims


@pytest.mark.parametrize(
    "name, value",
    [("sub", "other"), ("iss", "http://other"), ("aud", "other"), ("exp", 1), ("iat", "now")],
)
def test_session_claims_cannot_forge_the_token(hearth, functions, address, name, value):
    functions.answers["beforeSignIn"] = changing(sessionClaims={name: value}, displayName="Ann")
    error = refused(hearth, "signUp", {"email": address, "password": "secret1"}, 500)
    assert error["status"] == "UNKNOWN" and name in error["message"]
    [user] = hearth.admin("/accounts:lookup", {"email": [address]})["users"]
    assert user["displayName"] == "Ann"


def test_a_session_may_say_when_it_was_issued(hearth, functions, address):
    functions.answers["beforeSignIn"] = changing(sessionClaims={"iat": 5})
    assert claims_of(sign_up(hearth, address))["iat"] > 5


@pytest.mark.parametrize("answer", [None, {"userRecord": {"updateMask": "customClaims"}}])
@pytest.mark.parametrize("event", BEFORE)
def test_answers_that_the_official_emulator_stumbles_over(
    hearth, functions, address, event, answer
):
    functions.answers[event] = (200, json.dumps(answer).encode())
    error = refused(hearth, "signUp", {"email": address, "password": "secret1"}, 500)
    assert error["status"] == "UNKNOWN" and error["errors"][0]["reason"] == "TypeError"
    assert known(hearth, email=address) == (event == "beforeSignIn")


@pytest.mark.parametrize("claims", ["text", 1, [1], True])
def test_session_claims_that_are_not_an_object_are_ignored(hearth, functions, address, claims):
    functions.answers["beforeSignIn"] = changing(sessionClaims=claims)
    assert claims_of(sign_up(hearth, address))["email"] == address


@pytest.mark.parametrize(
    "answer",
    [
        {},
        [],
        {"userRecord": None},
        {"other": 1},
        {"userRecord": {"updateMask": "nothing"}},
        {
            "userRecord": {
                "updateMask": "email,phoneNumber,uid,password",
                "email": "x@example.com",
                "phoneNumber": "+15555550123",
                "uid": "other",
                "password": "other1",
            }
        },
    ],
)
@pytest.mark.parametrize("event", BEFORE)
def test_answers_that_change_nothing(hearth, functions, address, event, answer):
    functions.answers[event] = answer
    session = sign_up(hearth, address, displayName="Ann")
    user = stored(hearth, session["localId"])
    assert (user["email"], user["displayName"]) == (address, "Ann")
    assert "phoneNumber" not in user and "customAttributes" not in user
    functions.answers.clear()
    sign_in(hearth, address)


@pytest.mark.parametrize("status", [200, 201, 204, 299])
def test_every_success_counts(hearth, functions, address, status):
    content = b"" if status == 204 else changing(displayName="Changed")
    functions.answers["beforeCreate"] = (status, content)
    reply = hearth.post(f"{V1}signUp?key=any", {"email": address, "password": "secret1"})
    if status == 204:
        assert reply.status_code == 500
        assert reply.json()["error"]["message"] == FAILED + "((Response body is not valid JSON.))"
    else:
        assert claims_of(reply.json())["name"] == "Changed"


@pytest.mark.parametrize(
    "given, kept",
    [
        ("text", "text"),
        (5, "5"),
        (1.5, "1.5"),
        (True, "true"),
        (False, "false"),
        (None, None),
        ([1], None),
        ({"a": 1}, None),
    ],
)
@pytest.mark.parametrize("field", ["displayName", "photoUrl"])
def test_texts(hearth, functions, address, field, given, kept):
    functions.answers["beforeCreate"] = changing(**{field: given})
    session = sign_up(hearth, address, displayName="Ann")
    assert stored(hearth, session["localId"]).get(field) == kept


@pytest.mark.parametrize("field", ["displayName", "photoUrl"])
def test_a_text_that_is_masked_but_missing_is_removed(hearth, functions, address, field):
    functions.answers["beforeSignIn"] = changing(field)
    session = idp(hearth, "google.com", google(address))
    user = stored(hearth, session["localId"])
    assert field not in user
    assert {"displayName", "photoUrl"} - {field} <= user.keys()


@pytest.mark.parametrize(
    "given, kept",
    [
        (True, True),
        (False, False),
        (1, True),
        (0, False),
        ("false", True),
        ("", False),
        ([], True),
        ({}, True),
        (None, False),
    ],
)
def test_flags_count_by_truth(hearth, functions, address, given, kept):
    functions.answers["beforeCreate"] = changing(emailVerified=given)
    assert stored(hearth, sign_up(hearth, address)["localId"])["emailVerified"] is kept


def test_a_masked_flag_that_is_missing_is_false(hearth, functions, address):
    functions.answers["beforeSignIn"] = changing("emailVerified")
    session = idp(hearth, "google.com", google(address))
    assert stored(hearth, session["localId"])["emailVerified"] is False
    assert claims_of(session)["email_verified"] is False


def test_the_answer_of_an_idp_sign_in_shows_the_accounts_verification(hearth, functions, address):
    functions.answers["beforeSignIn"] = changing(emailVerified=False)
    assert idp(hearth, "google.com", google(address))["emailVerified"] is False


def test_only_what_the_mask_names_is_changed(hearth, functions, address):
    functions.answers["beforeCreate"] = changing(
        "photoUrl", displayName="Changed", photoUrl="http://localhost/b.png"
    )
    user = stored(hearth, sign_up(hearth, address, displayName="Ann")["localId"])
    assert (user["displayName"], user["photoUrl"]) == ("Ann", "http://localhost/b.png")


def test_the_mask_is_not_trimmed(hearth, functions, address):
    functions.answers["beforeCreate"] = changing(
        "displayName, photoUrl", displayName="Changed", photoUrl="http://localhost/b.png"
    )
    user = stored(hearth, sign_up(hearth, address)["localId"])
    assert user["displayName"] == "Changed" and "photoUrl" not in user


def test_custom_claims_replace_the_old_ones(hearth, functions, address):
    session = sign_up(hearth, address)
    hearth.admin(
        "/accounts:update", {"localId": session["localId"], "customAttributes": '{"old":1}'}
    )
    functions.answers["beforeSignIn"] = changing(customClaims={"new": 1})
    claims = claims_of(sign_in(hearth, address))
    assert claims["new"] == 1 and "old" not in claims
    assert json.loads(stored(hearth, session["localId"])["customAttributes"]) == {"new": 1}


def test_before_sign_in_wins_over_before_create(hearth, functions, address):
    functions.answers = {
        "beforeCreate": changing(
            displayName="First", photoUrl="http://localhost/1.png", customClaims={"a": 1}
        ),
        "beforeSignIn": changing(displayName="Second", customClaims={"b": 1}),
    }
    session = sign_up(hearth, address)
    seen = [functions.call()[1]["user_record"] for _ in BEFORE]
    assert seen[1]["display_name"] == "First" and seen[1]["custom_claims"] == {"a": 1}
    user = stored(hearth, session["localId"])
    assert (user["displayName"], user["photoUrl"]) == ("Second", "http://localhost/1.png")
    assert json.loads(user["customAttributes"]) == {"b": 1}


@pytest.mark.parametrize("verb, body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("event", BEFORE)
def test_a_function_that_disables_a_new_user(hearth, functions, address, number, verb, body, event):
    functions.answers[event] = changing(disabled=True, displayName="Changed")
    error = refused(hearth, verb, body(hearth, address, number))
    assert error["message"] == "USER_DISABLED"
    assert functions.seen == ["beforeCreate"] if event == "beforeCreate" else [*BEFORE]
    by = identity(verb, address, number)
    [user] = hearth.admin("/accounts:lookup", {name: [value] for name, value in by.items()})[
        "users"
    ]
    assert user["disabled"] is True and user["displayName"] == "Changed"


def test_a_function_that_disables_an_existing_user(hearth, functions, address, number):
    uid = sign_up(hearth, address)["localId"]
    functions.answers["beforeSignIn"] = changing(disabled=True)
    body = {"email": address, "password": "secret1"}
    assert refused(hearth, "signInWithPassword", body)["message"] == "USER_DISABLED"
    assert stored(hearth, uid)["disabled"] is True
    functions.forget()
    assert refused(hearth, "signInWithPassword", body)["message"] == "USER_DISABLED"
    assert functions.quiet()


def test_a_function_that_disables_a_user_at_the_second_factor(hearth, functions, address, number):
    uid = enrolled(hearth, address, number)["localId"]
    functions.answers["beforeSignIn"] = changing(disabled=True)
    error = second_factor(hearth, sign_in(hearth, address), number, 400)["error"]
    assert error["message"] == "USER_DISABLED"
    assert stored(hearth, uid)["disabled"] is True


@pytest.mark.parametrize(
    "event, answer",
    [
        ("beforeSignIn", (400, {"error": {"message": "no", "status": "PERMISSION_DENIED"}})),
        ("beforeCreate", changing(disabled=True)),
    ],
)
def test_who_is_refused_has_not_signed_in(hearth, functions, address, event, answer):
    functions.answers[event] = answer
    refused(hearth, "signInWithEmailLink", link_body(hearth, address))
    [user] = hearth.admin("/accounts:lookup", {"email": [address]})["users"]
    assert "lastLoginAt" not in user and "lastRefreshAt" not in user and user["createdAt"]


def test_a_function_is_asked_with_the_usual_headers(hearth, functions, address):
    sign_up(hearth, address)
    _, _, headers, _ = functions.calls.get(timeout=30)
    headers = {name.lower(): value for name, value in headers.items()}
    assert headers["accept"] == "*/*" and headers["user-agent"] == "hearth"
    assert headers["content-type"] == "application/json" and headers["host"] == functions.host
    assert "authorization" not in headers
