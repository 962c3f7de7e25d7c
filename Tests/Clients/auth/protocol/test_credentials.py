"""Which credentials and API keys are accepted, and where."""

import uuid

import pytest
from support.auth.accounts import cases
from support.auth.routes import (  # noqa: F401
    API,
    MISSING_KEY,
    ROWS,
    anywhere,
    each,
    error,
    good_body,
    hearth,
    http,
    plain,
    send,
)
from support.steering import guard  # noqa: F401
from support.wire import TOKEN, V1

OWNER = {"Authorization": "Bearer owner"}
BAD_BEARER_ITEM = {
    "message": "Invalid Credentials",
    "domain": "global",
    "reason": "authError",
    "location": "Authorization",
    "locationType": "header",
}


# MARK: The table


# MARK: Who is calling

STRANGER = {"Authorization": "Bearer stranger"}


@pytest.mark.parametrize("row", each(API))
def test_without_a_credential(send, anywhere, row):
    reply = send(row.method, row.at(anywhere), **good_body(row))
    assert error(reply, 403) == MISSING_KEY


@pytest.mark.parametrize("key", ["", "any"], ids=["no key", "key"])
@pytest.mark.parametrize("row", each(row for row in API if row.auth == "O+K"))
def test_an_unknown_bearer(send, anywhere, row, key):
    """At once, with a good key too."""
    reply = send(
        row.method,
        row.at(anywhere),
        headers=STRANGER,
        params={"key": key} if key else {},
        **good_body(row),
    )
    found = error(reply, 401)
    assert found["status"] == "UNAUTHENTICATED"
    assert found["message"].startswith("Request had invalid authentication credentials.")
    assert found["errors"] == [BAD_BEARER_ITEM]


@pytest.mark.parametrize("bearer", ["Bearer owner", "Bearer stranger", "Bearer ya29.x"])
@pytest.mark.parametrize("row", each(row for row in API if row.auth == "K"))
def test_where_only_a_key_counts(send, anywhere, row, bearer):
    """Nobody looks at the Bearer, good or bad."""
    headers = {"Authorization": bearer}
    reply = send(row.method, row.at(anywhere), headers=headers, **good_body(row))
    assert error(reply, 403) == MISSING_KEY
    reply = send(
        row.method, row.at(anywhere), headers=headers, params={"key": "any"}, **good_body(row)
    )
    assert reply.status_code not in (401, 403)


@pytest.mark.parametrize(
    "headers",
    [{}, STRANGER, OWNER, {"Authorization": "Basic x"}, {"x-goog-api-key": ""}],
    ids=["none", "stranger", "owner", "basic", "empty key"],
)
@pytest.mark.parametrize("row", each(row for row in ROWS if row.auth == "-"))
def test_where_no_credential_is_looked_at(send, anywhere, row, headers):
    expected = send(row.method, row.at(anywhere), **good_body(row))
    reply = send(
        row.method, row.at(anywhere), headers=headers, params={"key": ""}, **good_body(row)
    )
    assert reply.status_code == expected.status_code
    assert reply.status_code not in (401, 403, 404, 405)


LOOKUP = {"localId": ["nobody"]}
AS_ADMIN = {"kind": "identitytoolkit#GetAccountInfoResponse"}
AS_USER = plain("MISSING_ID_TOKEN")


@pytest.mark.parametrize(
    "header",
    [
        "Bearer owner",
        "bearer owner",
        "BEARER owner",
        "Bearer OWNER",
        "Bearer Owner",
        "bEaReR oWnEr",
        "Bearer ya29.",
        "Bearer ya29.some-token",
        "bearer ya29.x y",
        "BEARER ya29.YA29.",
    ],
)
@pytest.mark.parametrize("query", ["", "?key=any", "?key="], ids=["no key", "key", "empty key"])
def test_bearers_that_are_accepted(send, header, query):
    """As the administrator of the default project, whatever key is there."""
    reply = send("POST", f"{V1}lookup{query}", json=LOOKUP, headers={"Authorization": header})
    assert (reply.status_code, reply.json()) == (200, AS_ADMIN)


@pytest.mark.parametrize(
    "header",
    [
        "Bearer  owner",
        "Bearer   owner",
        "bearer stranger",
        "Bearer YA29.x",
        "Bearer Ya29.x",
        "Bearer ya29",
        "Bearer ownerx",
        "Bearer owner x",
        "Bearer owne",
        "Bearer xya29.x",
        "Bearer eyJhbGciOiJub25lIn0.e30.",
        'Bearer "owner"',
        "Bearer  ya29.x",
        "Bearer owner,owner",
    ],
)
@pytest.mark.parametrize("query", ["", "?key=any"], ids=["no key", "key"])
def test_bearers_that_are_refused(send, header, query):
    reply = send("POST", f"{V1}lookup{query}", json=LOOKUP, headers={"Authorization": header})
    assert error(reply, 401)["errors"] == [BAD_BEARER_ITEM]


@pytest.mark.parametrize(
    "header",
    [
        "Basic owner",
        "Basic b3duZXI=",
        "owner",
        "ya29.token",
        "Bearer",
        "Bearer ",
        "bearer",
        "",
        "Bearer\towner",
        "Bearerowner",
        "Token owner",
        "Bearer:owner",
    ],
)
def test_other_authorization_schemes_are_ignored(send, header):
    """Then the rules of keys decide."""
    headers = {"Authorization": header}
    reply = send("POST", f"{V1}lookup", json=LOOKUP, headers=headers)
    assert error(reply, 403) == MISSING_KEY
    reply = send("POST", f"{V1}lookup?key=any", json=LOOKUP, headers=headers)
    assert error(reply, 400) == AS_USER


@pytest.mark.parametrize(
    "key", ["any", "0", "false", "null", "%20", "%26", "a+b", "AIzaSyx", "%E2%82%AC", "a%3Db"]
)
@pytest.mark.parametrize("place", ["query", "header"])
def test_every_key_is_good(send, key, place):
    if place == "header":
        if "%" in key:
            return
        reply = send("POST", f"{V1}lookup", json=LOOKUP, headers={"x-goog-api-key": key})
    else:
        reply = send("POST", f"{V1}lookup?key={key}", json=LOOKUP)
    assert error(reply, 400) == AS_USER


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?",
        "?key",
        "?key=",
        "?key=a&key=b",
        "?key=a&key=a",
        "?key=&key=a",
        "?Key=a",
        "?apiKey=a",
        "?api_key=a",
        "?x-goog-api-key=a",
        "?kez=a",
    ],
)
def test_invalid_keys(send, query):
    assert error(send("POST", f"{V1}lookup{query}", json=LOOKUP), 403) == MISSING_KEY
    assert error(send("POST", f"{TOKEN}{query}", json={}), 403) == MISSING_KEY


@pytest.mark.parametrize("name", ["x-goog-api-key", "X-Goog-Api-Key", "X-GOOG-API-KEY"])
@pytest.mark.parametrize(
    "path, body, message",
    [(f"{V1}lookup", {}, "MISSING_ID_TOKEN"), (TOKEN, {}, "MISSING_GRANT_TYPE")],
)
def test_a_key_in_a_header(send, name, path, body, message):
    assert error(send("POST", path, json=body, headers={name: "any"}), 400) == plain(message)
    assert error(send("POST", path, json=body, headers={name: ""}), 403) == MISSING_KEY


@pytest.mark.parametrize("query", cases({"empty": "?key=", "twice": "?key=a&key=b"}))
def test_a_key_in_a_header_beside_a_bad_one(send, query):
    """Either place will do."""
    reply = send("POST", f"{V1}lookup{query}", json=LOOKUP, headers={"x-goog-api-key": "any"})
    assert error(reply, 400) == AS_USER


@pytest.mark.parametrize(
    "query, headers",
    [
        ("?key=any", {}),
        ("", {"x-goog-api-key": "any"}),
        ("", OWNER),
        ("", {"Authorization": "Bearer ya29.x"}),
    ],
    ids=["query", "header", "owner", "service account"],
)
def test_credentials_lead_to_the_default_project(send, hearth, query, headers):
    email = f"{uuid.uuid4().hex}@example.com"
    made = send(
        "POST", f"{V1}signUp{query}", headers=headers, json={"email": email, "password": "secret1"}
    )
    assert made.status_code == 200
    [user] = hearth.admin("/accounts:lookup", {"email": [email]})["users"]
    assert user["localId"] == made.json()["localId"]
    # Privileged answers have no tokens.
    assert ("idToken" in made.json()) == ("Authorization" not in headers)


def test_a_bearer_counts_more_than_a_key(send, hearth):
    """An administrator's field is taken."""
    uid = uuid.uuid4().hex
    reply = send("POST", f"{V1}signUp?key=any", headers=OWNER, json={"localId": uid})
    assert reply.json() == {"kind": "identitytoolkit#SignupNewUserResponse", "localId": uid}
    assert hearth.admin("/accounts:lookup", {"localId": [uid]})["users"]
