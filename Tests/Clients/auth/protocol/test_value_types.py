"""The types, formats and lengths of values, and query parameters."""

import json

import pytest
from support.auth.accounts import cases
from support.auth.routes import (  # noqa: F401
    API,
    IT1,
    IT2,
    MISSING_KEY,
    ROWS,
    anywhere,
    each,
    error,
    good_body,
    hearth,
    http,
    of_schema,
    send,
)
from support.steering import guard, project  # noqa: F401
from support.wire import TOKEN, V1, V3, decoded

SCHEMA = "Invalid JSON payload received. "
OWNER = {"Authorization": "Bearer owner"}
JSON_TYPE = {"Content-Type": "application/json"}
A = "a@example.com"
ALLOWED = "must be equal to one of the allowed values"


# MARK: Types


@pytest.mark.parametrize(
    "number, text",
    cases(
        {
            "12": ("12", "12"),
            "negative": ("-7", "-7"),
            "zero": ("0", "0"),
            "1.5": ("1.5", "1.5"),
            "tenth": ("0.1", "0.1"),
            "1.0": ("1.0", "1"),
            "exponent": ("1E2", "100"),
            "1e3": ("1e3", "1000"),
            "milliseconds": ("1700000000000", "1700000000000"),
            "safe": ("9007199254740991", "9007199254740991"),
            "minus zero": ("-0", "0"),
            "small": ("0.000001", "0.000001"),
            "1e21": ("1e21", "1e+21"),
            "long": ("12345678901234567000", "12345678901234567000"),
            "1e20": ("1e20", "1" + "0" * 20),
            "1e-7": ("1e-7", "1e-7"),
        }
    ),
)
def test_a_number_becomes_its_text(send, project, number, text):
    body = f'{{"email": "{A}", "password": "secret1", "displayName": {number}}}'
    reply = send("POST", f"{V1}signUp", params={"key": project.id}, data=body, headers=JSON_TYPE)
    assert reply.status_code == 200, reply.text
    assert reply.json()["displayName"] == text


def test_numbers_where_strings_are_declared(project):
    assert project.error("signUp", {"email": 12, "password": 345678}) == "INVALID_EMAIL"
    uid = project.sign_up(A, password=1234567)["localId"]
    assert project.call("signInWithPassword", {"email": A, "password": "1234567"})["localId"] == uid
    project.admin(
        "/accounts:update",
        {"localId": uid, "validSince": 1600000000, "createdAt": 1500000000000, "lastLoginAt": 2.0},
    )
    user = project.user(uid)
    assert (user["validSince"], user["createdAt"], user["lastLoginAt"]) == (
        "1600000000",
        "1500000000000",
        "2",
    )
    project.admin("/accounts", {"localId": 77})
    assert project.admin("/accounts:lookup", {"localId": [77]})["users"][0]["localId"] == "77"


PASSWORD_RESET = {"name": '"PASSWORD_RESET"', "index": "1", "digits": '"1"', "whole": "1.0"}


@pytest.mark.parametrize("value", cases(PASSWORD_RESET))
def test_values_of_an_enum(send, project, value):
    project.sign_up(A)
    body = f'{{"requestType": {value}, "email": "{A}"}}'
    reply = send(
        "POST", f"{V1}sendOobCode", params={"key": project.id}, data=body, headers=JSON_TYPE
    )
    assert reply.status_code == 200, reply.text


@pytest.mark.parametrize(
    "index, name",
    list(
        enumerate(
            [
                "OOB_REQ_TYPE_UNSPECIFIED",
                "PASSWORD_RESET",
                "OLD_EMAIL_AGREE",
                "NEW_EMAIL_ACCEPT",
                "VERIFY_EMAIL",
                "RECOVER_EMAIL",
                "EMAIL_SIGNIN",
                "VERIFY_AND_CHANGE_EMAIL",
                "REVERT_SECOND_FACTOR_ADDITION",
            ]
        )
    ),
)
def test_an_index_means_what_the_name_means(send, project, index, name):
    answers = []
    for value in (name, index, str(index)):
        reply = send(
            "POST",
            f"{V1}sendOobCode",
            params={"key": project.id},
            json={"requestType": value, "email": "nobody@example.com"},
        )
        answers.append((reply.status_code, reply.text))
    assert answers[0] == answers[1] == answers[2]


@pytest.mark.parametrize(
    "value",
    cases(
        {
            "lower": '"password_reset"',
            "beyond": "9",
            "beyond digits": '"9"',
            "negative": "-1",
            "negative digits": '"-1"',
            "empty": '""',
            "fraction": "1.5",
            "name and more": '"PASSWORD_RESET "',
            "huge": "1e300",
            "words": '"one"',
            "hexadecimal": '"0x1"',
            "plus": '"+1"',
            "leading zero": '"01"',
        }
    ),
)
def test_values_that_an_enum_has_not(send, value):
    body = f'{{"requestType": {value}}}'
    reply = send("POST", f"{V1}sendOobCode?key=any", data=body, headers=JSON_TYPE)
    assert error(reply, 400) == of_schema(f"{SCHEMA}/requestType {ALLOWED}")


@pytest.mark.parametrize(
    "value", cases({"boolean": "true", "null": "null", "array": "[1]", "object": "{}"})
)
def test_types_that_an_enum_has_not(send, value):
    body = f'{{"requestType": {value}}}'
    reply = send("POST", f"{V1}sendOobCode?key=any", data=body, headers=JSON_TYPE)
    assert error(reply, 400) == of_schema(f"{SCHEMA}/requestType must be string")


def test_enums_in_lists(project):
    uid = project.sign_up(A, displayName="d")["localId"]
    project.admin("/accounts:update", {"localId": uid, "photoUrl": "p"})
    project.admin("/accounts:update", {"localId": uid, "deleteAttribute": [2, "4"]})
    user = project.user(uid)
    assert "displayName" not in user and "photoUrl" not in user
    for bad, problem in [
        ("x", ALLOWED),
        (7, ALLOWED),
        (None, "must be string"),
        (True, "must be string"),
        (["EMAIL"], "must be string"),
    ]:
        assert project.admin_error("/accounts:update", {"deleteAttribute": [bad]}) == (
            f"{SCHEMA}/deleteAttribute/0 {problem}"
        )
    assert project.admin_error("/accounts:update", {"deleteAttribute": [1, "x"]}) == (
        f"{SCHEMA}/deleteAttribute/1 {ALLOWED}"
    )


NOTHING_ELSE = {
    "true for a string": ("signUp", {"email": True}, "/email must be string"),
    "null for a string": ("signUp", {"email": None}, "/email must be string"),
    "array for a string": ("signUp", {"email": [A]}, "/email must be string"),
    "object for a string": ("signUp", {"email": {}}, "/email must be string"),
    "null password": ("signUp", {"password": None}, "/password must be string"),
    "text for a boolean": ("signUp", {"emailVerified": "true"}, "/emailVerified must be boolean"),
    "empty text for a boolean": ("signUp", {"disabled": ""}, "/disabled must be boolean"),
    "one for a boolean": ("signUp", {"disabled": 1}, "/disabled must be boolean"),
    "zero for a boolean": ("signUp", {"disabled": 0}, "/disabled must be boolean"),
    "null for a boolean": ("signUp", {"disabled": None}, "/disabled must be boolean"),
    "tokens": (
        "signInWithPassword",
        {"returnSecureToken": "true"},
        "/returnSecureToken must be boolean",
    ),
    "ignored string": ("signUp", {"captchaResponse": False}, "/captchaResponse must be string"),
    "ignored enum": ("signUp", {"clientType": "WEB"}, f"/clientType {ALLOWED}"),
    "text for a list": ("lookup", {"localId": "x"}, "/localId must be array"),
    "object for a list": ("lookup", {"email": {}}, "/email must be array"),
    "null for a list": ("lookup", {"phoneNumber": None}, "/phoneNumber must be array"),
    "number for a list": ("lookup", {"initialEmail": 1}, "/initialEmail must be array"),
    "null in a list": ("lookup", {"localId": ["a", None]}, "/localId/1 must be string"),
    "boolean in a list": ("lookup", {"localId": [True]}, "/localId/0 must be string"),
    "list in a list": ("lookup", {"localId": [["x"]]}, "/localId/0 must be string"),
    "text in a list": ("lookup", {"federatedUserId": ["x"]}, "/federatedUserId/0 must be object"),
    "depth": (
        "lookup",
        {"federatedUserId": [{}, {"rawId": True}]},
        "/federatedUserId/1/rawId must be string",
    ),
    "enrollments": ("update", {"mfa": {"enrollments": {}}}, "/mfa/enrollments must be array"),
    "enrollments null": (
        "update",
        {"mfa": {"enrollments": None}},
        "/mfa/enrollments must be array",
    ),
    "text for an object": ("update", {"mfa": "x"}, "/mfa must be object"),
    "list for an object": ("update", {"mfa": []}, "/mfa must be object"),
    "null for an object": ("update", {"mfa": None}, "/mfa must be object"),
    "number for an object": (
        "update",
        {"linkProviderUserInfo": 1},
        "/linkProviderUserInfo must be object",
    ),
    "attribute": ("update", {"deleteAttribute": ["NAME"]}, f"/deleteAttribute/0 {ALLOWED}"),
    "int64": ("update", {"validSince": True}, "/validSince must be string"),
    "int64 null": ("update", {"createdAt": None}, "/createdAt must be string"),
    "map": ("createAuthUri", {"customParameter": {"a": True}}, "/customParameter/a must be string"),
    "map list": ("createAuthUri", {"customParameter": []}, "/customParameter must be object"),
    "target": ("signUp", {"targetProjectId": True}, "/targetProjectId must be string"),
    "tenant": ("signUp", {"tenantId": None}, "/tenantId must be string"),
    "token": ("signUp", {"idToken": {}}, "/idToken must be string"),
}


@pytest.mark.parametrize("verb, body, problem", cases(NOTHING_ELSE))
def test_nothing_else_is_coerced(send, verb, body, problem):
    for options in ({"params": {"key": "any"}}, {"headers": OWNER}):
        found = error(send("POST", f"{V1}{verb}", json=body, **options), 400)
        assert found == of_schema(SCHEMA + problem)


@pytest.mark.parametrize(
    "path, body, problem",
    [
        (TOKEN, {"grant_type": True}, "/grantType must be string"),
        (TOKEN, {"refresh_token": None}, "/refreshToken must be string"),
        (
            f"{IT2}/accounts/mfaEnrollment:start",
            {"phoneEnrollmentInfo": []},
            "/phoneEnrollmentInfo must be object",
        ),
        (f"{IT2}/accounts/passkeyEnrollment:start", {"idToken": []}, "/idToken must be string"),
        (f"{V3}setAccountInfo", {"mfa": {"enrollments": 1}}, "/mfa/enrollments must be array"),
    ],
)
def test_types_on_other_paths(send, path, body, problem):
    found = error(send("POST", path, json=body, params={"key": "any"}), 400)
    assert found == of_schema(SCHEMA + problem)


# MARK: Parameters

# Passkeys do not declare them.
DECLARING = [row for row in API if "/accounts/passkey" not in row.path]


@pytest.mark.parametrize(
    "name, value, rule",
    [
        ("alt", "xml", ALLOWED),
        ("alt", "", ALLOWED),
        ("alt", "JSON", ALLOWED),
        ("prettyPrint", "maybe", "must be boolean"),
        ("prettyPrint", "yes", "must be boolean"),
    ],
    ids=["alt", "alt empty", "alt upper", "pretty maybe", "pretty yes"],
)
@pytest.mark.parametrize("row", each(DECLARING))
def test_standard_parameters_have_types(send, anywhere, row, name, value, rule):
    reply = send(
        row.method,
        row.at(anywhere),
        headers=OWNER,
        params={"key": "any", name: value},
        **good_body(row),
    )
    assert error(reply, 400) == of_schema(f"Invalid JSON payload received.  {rule}")


@pytest.mark.parametrize(
    "query",
    [
        "alt=json",
        "alt=media",
        "alt=proto",
        "access_token=x",
        "callback=call",
        "oauth_token=x",
        "prettyPrint=true",
        "prettyPrint=false",
        "quotaUser=q",
        "uploadType=x",
        "upload_protocol=raw",
        "fields=",
        "unknown=1",
        "unknown=1&unknown=2",
        "Alt=xml",
        "pretty_print=x",
        "$.xgafv=3",
        "access_token=ya29.x",
        "%24.xgafv=1",
    ],
)
def test_parameters_without_effect(send, project, query):
    project.admin("/accounts", {"localId": "u"})
    plain_path = f"{IT1}/projects?key=any"
    assert send("GET", f"{plain_path}&{query}").json() == send("GET", plain_path).json()
    reply = send(
        "POST",
        f"{project.v1}/accounts:query?{query}",
        headers=OWNER,
        json={"returnUserInfo": False},
    )
    assert (reply.status_code, reply.json()) == (200, {"recordsCount": "1"})
    assert reply.headers["Content-Type"] == "application/json"


def test_a_parameter_is_not_a_credential(send):
    for query in ("access_token=owner", "oauth_token=owner"):
        assert error(send("POST", f"{V1}lookup?{query}", json={}), 403) == MISSING_KEY


@pytest.mark.parametrize("row", each(row for row in ROWS if row.auth == "-" and row.names_project))
def test_emulator_endpoints_declare_no_parameters(send, anywhere, row):
    reply = send(
        row.method, row.at(anywhere), params={"alt": "xml", "prettyPrint": "x"}, **good_body(row)
    )
    assert reply.status_code == 200


# MARK: Formats and lengths


def test_digits_are_not_verified(project):
    uid = project.sign_up(A)["localId"]
    project.admin(
        "/accounts:update",
        {"localId": uid, "validSince": "abc", "createdAt": "x", "lastLoginAt": "y"},
    )
    user = project.user(uid)
    assert (user["validSince"], user["createdAt"], user["lastLoginAt"]) == ("abc", "x", "y")
    project.call(
        "signInWithPassword",
        {"email": A, "password": "secret1", "delegatedProjectNumber": "nonsense"},
    )


def test_integers_of_64_bits_are_strings(project):
    session = project.sign_up(A)
    assert session["expiresIn"] == "3600"
    user = project.user(session["localId"])
    for name in ("createdAt", "lastLoginAt", "validSince"):
        assert user[name].isdigit(), name
    assert project.admin("/accounts:query", {})["recordsCount"] == "1"
    answer = project.post(
        TOKEN, {"grant_type": "refresh_token", "refresh_token": session["refreshToken"]}
    )
    assert (answer["expires_in"], answer["project_id"]) == ("3600", "12345")


@pytest.mark.parametrize("value", ["300", 300, "86400", 86400])
def test_integers_of_64_bits_may_be_numbers(project, value):
    session = project.sign_up(A)
    answer = project.admin(
        ":createSessionCookie", {"idToken": session["idToken"], "validDuration": value}
    )
    content = decoded(answer["sessionCookie"])[1]
    assert content["exp"] - content["iat"] == int(value)


def test_bytes_are_as_they_were_sent(project):
    """Neither checked nor decoded."""
    answer = project.admin(
        "/accounts:batchCreate",
        {"users": [{"localId": "u", "email": A, "passwordHash": "not base64!", "salt": "%%%"}]},
    )
    assert answer["error"] == []
    user = project.user("u")
    assert (user["passwordHash"], user["salt"]) == ("not base64!", "%%%")


def test_times_and_masks_are_not_verified(project):
    uid = project.sign_up(A)["localId"]
    project.admin(
        "/accounts:update",
        {
            "localId": uid,
            "mfa": {
                "enrollments": [
                    {"mfaEnrollmentId": "m", "phoneInfo": "+1", "enrolledAt": "some day"}
                ]
            },
        },
    )
    assert project.user(uid)["mfaInfo"][0]["enrolledAt"] == "some day"
    project.owner("PATCH", f"{project.v2}/config", params={"updateMask": "!!,,x y"}, json={})


@pytest.mark.parametrize(
    "password, is_long_enough",
    [
        ("\U0001f600" * 3, True),
        ("\U0001f600" * 2 + "a", False),
        ("\U0001f600" * 2 + "ab", True),
        ("\u00e4" * 6, True),
        ("\u00e4" * 5, False),
        ("\u4e2d" * 6, True),
        ("e\u0301" * 3, True),
        ("a" * 6, True),
        ("a" * 5, False),
        (" " * 6, True),
    ],
    ids=[
        "3 emojis",
        "5 units",
        "6 units",
        "6 umlauts",
        "5 umlauts",
        "6 ideographs",
        "combined",
        "6",
        "5",
        "blanks",
    ],
)
def test_the_length_of_a_password(project, password, is_long_enough):
    if is_long_enough:
        project.sign_up(A, password=password)
        project.sign_in(A, password=password)
    else:
        assert project.error("signUp", {"email": A, "password": password}) == (
            "WEAK_PASSWORD : Password should be at least 6 characters"
        )


@pytest.mark.parametrize(
    "text, fits",
    [
        ("a" * 992, True),
        ("a" * 993, False),
        ("\U0001f600" * 496, True),
        ("\U0001f600" * 496 + "a", False),
        ("\u00e4" * 992, True),
        ("\u00e4" * 993, False),
    ],
    ids=["1000", "1001", "emojis", "emojis and one", "umlauts", "umlauts and one"],
)
def test_the_length_of_claims(project, text, fits):
    uid = project.sign_up(A)["localId"]
    attributes = json.dumps({"a": text}, ensure_ascii=False, separators=(",", ":"))
    body = {"localId": uid, "customAttributes": attributes}
    if fits:
        project.admin("/accounts:update", body)
        assert project.user(uid)["customAttributes"] == attributes
    else:
        assert project.admin_error("/accounts:update", body) == "CLAIMS_TOO_LARGE"
