"""Blocking functions: what they are sent, and which call asks which function."""

import json
import re
import time
import uuid

import pytest
from support.auth.functions import (  # noqa: F401
    Functions,
    changing,
    claims_of,
    configure,
    enrolled,
    functions,
    google,
    idp,
    idp_body,
    known,
    link,
    link_body,
    number,
    phone,
    phone_body,
    played,
    post,
    refused,
    second_factor,
    sign_in,
    sign_up,
    stored,
    triggers,
)
from support.server import PROJECT
from support.wire import TOKEN, V2

BEFORE = ("beforeCreate", "beforeSignIn")


# MARK: What the functions are sent


def common_claims(claims: dict, functions: Functions, event: str, method: str, uid: str) -> None:
    assert claims["iss"] == f"https://securetoken.google.com/{PROJECT}"
    assert claims["aud"] == functions.url(event)
    assert abs(claims["iat"] - time.time()) < 300 and claims["exp"] == claims["iat"] + 600
    assert re.fullmatch(r"[A-Za-z0-9_-]{16}", claims["event_id"])
    assert claims["event_type"] == event
    assert isinstance(claims["user_agent"], str) and claims["user_agent"]
    assert claims["ip_address"] == "127.0.0.1"
    assert claims["locale"] == "en"
    assert claims["sub"] == uid == claims["user_record"]["uid"]
    assert claims["sign_in_method"] == method


COMMON = {
    "iss",
    "aud",
    "iat",
    "exp",
    "event_id",
    "event_type",
    "user_agent",
    "ip_address",
    "locale",
    "sub",
    "user_record",
    "sign_in_method",
}


def checked_metadata(record: dict, *names: str) -> None:
    """Both times are numbers in milliseconds."""
    metadata = record.pop("metadata")
    assert metadata.keys() == set(names)
    for value in metadata.values():
        assert type(value) is int and abs(value / 1000 - time.time()) < 300


def test_sign_up_with_a_password_asks_both_functions(hearth, functions, address):
    uid = sign_up(hearth, address)["localId"]
    [(first, creating), (second, signing_in)] = functions.call(), functions.call()
    assert (first, second) == BEFORE and functions.quiet()
    for event, claims in zip(BEFORE, (creating, signing_in)):
        common_claims(claims, functions, event, "password", uid)
        assert claims.keys() == COMMON
    assert creating["event_id"] != signing_in["event_id"]
    checked_metadata(creating["user_record"], "last_sign_in_time", "creation_time")
    assert creating["user_record"] == {
        "uid": uid,
        "email": address,
        "email_verified": False,
        "custom_claims": {},
        "provider_data": [],
    } | ({"disabled": False} if "disabled" in creating["user_record"] else {})
    checked_metadata(signing_in["user_record"], "last_sign_in_time", "creation_time")
    assert signing_in["user_record"]["provider_data"] == [
        {"provider_id": "password", "email": address, "uid": address}
    ]


def test_signing_in_shows_all_that_is_known_of_the_user(hearth, functions, address, number):
    user = hearth.admin(
        "/accounts",
        {
            "email": address,
            "password": "secret1",
            "emailVerified": True,
            "displayName": "Ann",
            "photoUrl": "http://localhost/a.png",
            "phoneNumber": number,
        },
    )
    hearth.admin(
        "/accounts:update",
        {"localId": user["localId"], "customAttributes": '{"role":"admin","n":[1,{"a":null}]}'},
    )
    assert functions.quiet()
    sign_in(hearth, address)
    name, claims = functions.call(nulls=True)
    assert name == "beforeSignIn" and functions.quiet()
    common_claims(claims, functions, "beforeSignIn", "password", user["localId"])
    record = claims["user_record"]
    checked_metadata(record, *record["metadata"])
    record.pop("disabled", None)
    providers = sorted(record.pop("provider_data"), key=lambda entry: entry["provider_id"])
    assert record == {
        "uid": user["localId"],
        "email": address,
        "email_verified": True,
        "display_name": "Ann",
        "photo_url": "http://localhost/a.png",
        "phone_number": number,
        "custom_claims": {"role": "admin", "n": [1, {"a": None}]},
    }
    assert providers == [
        {
            "provider_id": "password",
            "email": address,
            "uid": address,
            "display_name": "Ann",
            "photo_url": "http://localhost/a.png",
        },
        {"provider_id": "phone", "phone_number": number, "uid": number},
    ]


def test_a_disabled_user_is_shown_as_not_disabled_before_signing_in(hearth, functions, address):
    """What counts is the value, absent or false."""
    sign_up(hearth, address)
    for _ in BEFORE:
        assert not functions.call()[1]["user_record"].get("disabled", False)


def test_a_phone_user(hearth, functions, number):
    uid = phone(hearth, number)["localId"]
    [(first, creating), (second, signing_in)] = functions.call(), functions.call()
    assert (first, second) == BEFORE and functions.quiet()
    for event, claims in zip(BEFORE, (creating, signing_in)):
        common_claims(claims, functions, event, "phone", uid)
        assert claims.keys() == COMMON
        assert claims["user_record"]["phone_number"] == number
        assert "email" not in claims["user_record"]
        checked_metadata(claims["user_record"], "last_sign_in_time", "creation_time")
    assert creating["user_record"]["provider_data"] == []
    assert signing_in["user_record"]["provider_data"] == [
        {"provider_id": "phone", "phone_number": number, "uid": number}
    ]


def test_a_user_by_email_link_has_not_signed_in_before_creation(hearth, functions, address):
    link(hearth, address)
    checked_metadata(functions.call()[1]["user_record"], "creation_time")


def test_an_email_link_user(hearth, functions, address):
    session = link(hearth, address)
    [(first, creating), (second, signing_in)] = functions.call(), functions.call()
    assert (first, second) == BEFORE and functions.quiet()
    for event, claims in zip(BEFORE, (creating, signing_in)):
        common_claims(claims, functions, event, "emailLink", session["localId"])
        assert claims.keys() == COMMON
        assert claims["user_record"]["email"] == address
        assert claims["user_record"]["email_verified"] is True
    assert creating["user_record"]["provider_data"] == []
    assert claims_of(session)["firebase"]["sign_in_provider"] == "password"


def test_an_idp_user_is_shown_with_the_providers_entry_before_creation(hearth, functions, address):
    given = google(address)
    session = idp(hearth, "google.com", given)
    [(first, creating), (second, signing_in)] = functions.call(), functions.call()
    assert (first, second) == BEFORE and functions.quiet()
    entry = {
        "provider_id": "google.com",
        "display_name": "Ann",
        "email": address,
        "photo_url": "http://localhost/a.png",
        "uid": given["sub"],
    }
    for event, claims in zip(BEFORE, (creating, signing_in)):
        common_claims(claims, functions, event, "google.com", session["localId"])
        assert claims.keys() == COMMON | {"raw_user_info"}
        assert claims["raw_user_info"] == session["rawUserInfo"]
        assert json.loads(claims["raw_user_info"])["given_name"] == "Ann"
        record = claims["user_record"]
        assert record["provider_data"] == [entry]
        checked_metadata(record, "last_sign_in_time", "creation_time")
        assert (record["email"], record["email_verified"]) == (address, True)
        assert (record["display_name"], record["photo_url"]) == ("Ann", "http://localhost/a.png")


@pytest.mark.parametrize(
    "wanted",
    [
        {},
        {"accessToken": True},
        {"idToken": True},
        {"refreshToken": True},
        {"accessToken": True, "idToken": True, "refreshToken": True},
        {"accessToken": False, "idToken": False},
    ],
)
@pytest.mark.parametrize("given", [{}, {"access_token": "the access token"}])
def test_credentials_are_forwarded_only_where_wanted(hearth, functions, address, wanted, given):
    configure(hearth, {**triggers(functions, *BEFORE), "forwardInboundCredentials": wanted})
    claims = google(address)
    idp(hearth, "google.com", claims, inputs=given)
    expected = {}
    if wanted.get("accessToken"):
        expected["oauth_access_token"] = given.get(
            "access_token", "FirebaseAuthEmulatorFakeAccessToken_google.com"
        )
    if wanted.get("idToken"):
        expected["oauth_id_token"] = json.dumps(claims)
    for _ in BEFORE:
        sent = functions.call()[1]
        found = {name: value for name, value in sent.items() if name.startswith("oauth_")}
        assert found == expected


@pytest.mark.parametrize("provider", ["saml.example", "oidc.example"])
def test_saml_attributes_are_sent_as_a_string(hearth, functions, address, provider):
    attributes = {"groups": ["a", "b"], "level": 3}
    response = {"assertion": {"subject": {"nameId": address}, "attributeStatements": attributes}}
    session = idp(hearth, provider, google(address), inputs={"SAMLResponse": json.dumps(response)})
    for _ in BEFORE:
        claims = functions.call()[1]
        assert json.loads(claims["sign_in_attributes"]) == attributes
        assert claims["sign_in_method"] == provider
    assert claims_of(session)["firebase"]["sign_in_attributes"] == attributes


def test_a_user_with_a_second_factor_is_shown_when_it_is_done(hearth, functions, address, number):
    uid = enrolled(hearth, address, number)["localId"]
    functions.forget()
    pending = sign_in(hearth, address)
    assert "idToken" not in pending and functions.quiet()
    session = second_factor(hearth, pending, number)
    name, claims = functions.call()
    assert name == "beforeSignIn" and functions.quiet()
    common_claims(claims, functions, "beforeSignIn", "password", uid)
    assert claims.keys() == COMMON | {"sign_in_second_factor"}
    assert claims["sign_in_second_factor"] == "phone"
    [factor] = stored(hearth, uid)["mfaInfo"]
    assert claims["user_record"]["multi_factor"] == {
        "enrolled_factors": [
            {
                "uid": factor["mfaEnrollmentId"],
                "display_name": "My phone",
                "phone_number": number,
                "enrollment_time": factor["enrolledAt"],
                "factor_id": "phone",
            }
        ]
    }
    assert claims_of(session)["firebase"]["sign_in_second_factor"] == "phone"


def test_the_tenants_use_the_functions_of_their_project(hearth, functions, address):
    tenant = f"tenant-{uuid.uuid4().hex[:8]}"
    session = sign_up(hearth, address, tenantId=tenant)
    for event in BEFORE:
        name, claims = functions.call()
        assert name == event
        common_claims(claims, functions, event, "password", session["localId"])
        assert claims.keys() == COMMON | {"tenant_id"}
        assert claims["tenant_id"] == tenant == claims["user_record"]["tenant_id"]
    functions.answers["beforeSignIn"] = changing(sessionClaims={"a": 1})
    assert claims_of(sign_in(hearth, address, tenantId=tenant))["a"] == 1


# MARK: Which calls ask which function


def existing_phone(hearth, address, number):
    phone(hearth, number)
    return lambda: phone(hearth, number)


def existing_password(hearth, address, number):
    sign_up(hearth, address)
    return lambda: sign_in(hearth, address)


def existing_link(hearth, address, number):
    sign_up(hearth, address)
    return lambda: link(hearth, address)


def existing_idp(hearth, address, number):
    claims = google(address)
    idp(hearth, "google.com", claims)
    return lambda: idp(hearth, "google.com", claims)


def merging_idp(hearth, address, number):
    sign_up(hearth, address)
    return lambda: idp(hearth, "google.com", google(address))


def linking_idp(hearth, address, number):
    session = sign_up(hearth, address)
    return lambda: idp(hearth, "google.com", google(address), idToken=session["idToken"])


def linking_phone(hearth, address, number):
    session = sign_up(hearth, address)
    return lambda: phone(hearth, number, idToken=session["idToken"])


def linking_link(hearth, address, number):
    session = hearth.accounts("signUp", {})
    body = link_body(hearth, address)
    return lambda: hearth.accounts("signInWithEmailLink", {**body, "idToken": session["idToken"]})


def unconfirmed_idp(hearth, address, number):
    sign_up(hearth, address)
    return lambda: idp(hearth, "google.com", google(address, email_verified=False))


def linking_sign_up(hearth, address, number):
    session = hearth.accounts("signUp", {})
    return lambda: sign_up(hearth, address, idToken=session["idToken"])


def refreshing(hearth, address, number):
    session = sign_up(hearth, address)
    return lambda: post(
        hearth, TOKEN, {"grant_type": "refresh_token", "refresh_token": session["refreshToken"]}
    )


def updating(hearth, address, number):
    session = sign_up(hearth, address)
    return lambda: hearth.accounts(
        "update", {"idToken": session["idToken"], "displayName": "Ann", "returnSecureToken": True}
    )


def passkey(hearth, address, number):
    session = sign_up(hearth, address)
    post(
        hearth,
        V2 + "accounts/passkeyEnrollment:finalize",
        {"idToken": session["idToken"], "authenticatorRegistrationResponse": {"id": address}},
    )
    return lambda: post(
        hearth,
        V2 + "accounts/passkeySignIn:finalize",
        {"authenticatorAuthenticationResponse": {"id": address}},
    )


CALLS = {
    "sign-up anonymous": (lambda hearth, *_: lambda: hearth.accounts("signUp", {}), []),
    "sign-up privileged": (
        lambda hearth, address, _: (
            lambda: hearth.admin("/accounts", {"email": address, "password": "secret1"})
        ),
        [],
    ),
    "sign-up linking": (linking_sign_up, []),
    "sign-up with e-mail": (lambda hearth, address, _: lambda: sign_up(hearth, address), [*BEFORE]),
    "password": (existing_password, ["beforeSignIn"]),
    "e-mail link, new": (lambda hearth, address, _: lambda: link(hearth, address), [*BEFORE]),
    "e-mail link, existing": (existing_link, ["beforeSignIn"]),
    "e-mail link, linking": (linking_link, ["beforeSignIn"]),
    "idp, new": (
        lambda hearth, address, _: lambda: idp(hearth, "facebook.com", google(address)),
        [*BEFORE],
    ),
    "idp, existing": (existing_idp, ["beforeSignIn"]),
    "idp, merging": (merging_idp, ["beforeSignIn"]),
    "idp, linking": (linking_idp, ["beforeSignIn"]),
    "idp, needConfirmation": (unconfirmed_idp, []),
    "phone, new": (lambda hearth, _, number: lambda: phone(hearth, number), [*BEFORE]),
    "phone, existing": (existing_phone, ["beforeSignIn"]),
    "phone, linking": (linking_phone, ["beforeSignIn"]),
    "custom token": (
        lambda hearth, address, _: (
            lambda: hearth.accounts(
                "signInWithCustomToken", {"token": json.dumps({"uid": address})}
            )
        ),
        [],
    ),
    "passkey": (passkey, []),
    "refresh": (refreshing, []),
    "update": (updating, []),
    "batchCreate": (
        lambda hearth, address, _: (
            lambda: hearth.admin(
                "/accounts:batchCreate", {"users": [{"localId": address, "email": address}]}
            )
        ),
        [],
    ),
}


@pytest.mark.parametrize("prepare, expected", CALLS.values(), ids=CALLS)
def test_which_call_asks_which_function(hearth, functions, address, number, prepare, expected):
    act = prepare(hearth, address, number)
    functions.forget()
    act()
    assert functions.seen == expected


@pytest.mark.parametrize("prepare, expected", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("event", BEFORE)
def test_a_function_that_is_not_configured_is_not_asked(
    hearth, functions, address, number, prepare, expected, event
):
    configure(hearth, triggers(functions, event))
    act = prepare(hearth, address, number)
    functions.forget()
    act()
    assert functions.seen == [name for name in expected if name == event]


def test_enrolling_a_second_factor_calls_no_function(hearth, functions, address, number):
    enrolled(hearth, address, number)
    assert functions.seen == ["beforeSignIn"]


def test_no_function_is_called_for_a_disabled_user(hearth, functions, address):
    hearth.admin("/accounts", {"email": address, "password": "secret1", "disabled": True})
    error = refused(hearth, "signInWithPassword", {"email": address, "password": "secret1"})
    assert error["message"] == "USER_DISABLED" and functions.quiet()
    error = refused(hearth, "signInWithEmailLink", link_body(hearth, address))
    assert error["message"] == "USER_DISABLED" and functions.quiet()
    error = refused(hearth, "signInWithIdp", idp_body("google.com", google(address)))
    assert error["message"] == "USER_DISABLED" and functions.quiet()


def test_no_function_is_called_for_a_disabled_phone_user(hearth, functions, number):
    hearth.admin("/accounts", {"phoneNumber": number, "disabled": True})
    error = refused(hearth, "signInWithPhoneNumber", phone_body(hearth, number))
    assert error["message"] == "USER_DISABLED" and functions.quiet()


def test_no_function_is_called_for_a_wrong_password_or_a_taken_address(hearth, functions, address):
    sign_up(hearth, address)
    functions.forget()
    refused(hearth, "signInWithPassword", {"email": address, "password": "wrong1"})
    refused(hearth, "signUp", {"email": address, "password": "secret1"})
    assert functions.quiet()


def test_an_existing_user_is_shown_with_the_changes_of_this_sign_in(hearth, functions, address):
    session = sign_up(hearth, address)
    functions.forget()
    given = google(address)
    idp(hearth, "google.com", given)
    record = functions.call()[1]["user_record"]
    assert record["uid"] == session["localId"]
    assert (record["display_name"], record["email_verified"]) == ("Ann", True)
    assert "google.com" in [entry["provider_id"] for entry in record["provider_data"]]


def test_linking_a_number_shows_it_before_signing_in(hearth, functions, address, number):
    session = sign_up(hearth, address)
    functions.forget()
    phone(hearth, number, idToken=session["idToken"])
    name, claims = functions.call()
    assert (name, claims["sign_in_method"]) == ("beforeSignIn", "phone")
    assert claims["user_record"]["phone_number"] == number


def test_a_new_user_is_not_stored_before_creation_but_before_signing_in(hearth, functions, address):
    found = {}

    def looking(event):
        def answer(_):
            found[event] = known(hearth, email=address)
            return {}

        return answer

    functions.answers = {event: looking(event) for event in BEFORE}
    sign_up(hearth, address)
    assert found == {"beforeCreate": False, "beforeSignIn": True}
