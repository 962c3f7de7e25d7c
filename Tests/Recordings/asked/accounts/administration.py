"""What administrators asked about accounts."""

import json

from ...steps import (
    IT,
    NUMBERS,
    Answer,
    Program,
    Step,
    admin,
    app,
    change,
    create,
    me,
    refresh,
    show,
    sign_in,
)
from .names import mail, mixed_case, uid

SECRET = "password123"


def update(name: str, target: str, /, wait: float = 0, **body) -> Step:
    return admin(name, "update", wait, localId=uid(target), **body)


def download(name: str, /, **query) -> Step:
    path = f"{IT}/v1/projects/<project>/accounts:batchGet"
    return Step(name, "GET", path, "admin", query=query)


def query(name: str, /, **body) -> Step:
    return admin(name, "query", **body)


def upload(name: str, /, *users: dict, **more) -> Step:
    return admin(name, "batchCreate", users=list(users), **more)


def person(name: str, email: str | None = None, /, **fields) -> dict:
    return {"localId": uid(name)} | ({"email": mail(email)} if email else {}) | fields


def link(name: str, target: str, /, **provider) -> Step:
    return update(name, target, linkProviderUserInfo=provider)


CREATE = [
    create(
        "every-field",
        localId=uid("full"),
        email=mail("full"),
        emailVerified=True,
        phoneNumber=NUMBERS[0],
        password=SECRET,
        displayName="Full User",
        photoUrl="https://example.com/full.png",
        disabled=False,
    ),
    show("lookup-every-field", uid("full")),
    create("generated-local-id", email=mail("generated")),
    create("empty-body"),
    create("duplicate-local-id", localId=uid("full"), email=mail("other")),
    create("duplicate-email", localId=uid("dup-email"), email=mail("full")),
    create("duplicate-phone", localId=uid("dup-phone"), phoneNumber=NUMBERS[0]),
    create("local-id-128", localId="a" * 128),
    create("local-id-129", localId="b" * 129),
    create("local-id-slash", localId=uid("a") + "/b"),
    create("phone-not-e164", localId=uid("bad-phone"), phoneNumber="6505550101"),
    create("malformed-email", localId=uid("bad-email"), email="not-an-email"),
    create("malformed-photo-url", localId=uid("bad-photo"), photoUrl="not a url"),
    create("short-password", localId=uid("short"), password="12345"),
    show(
        "lookup-refused-ids",
        *map(uid, ("dup-email", "dup-phone", "bad-phone", "bad-email", "bad-photo", "short")),
    ),
    sign_in("sign-in-created", mail("full")),
]

LOOKUP = [
    create("create-a", localId=uid("la"), email=mail("la"), phoneNumber=NUMBERS[1]),
    create("create-b", localId=uid("lb"), email=mail("lb")),
    show("by-local-id", uid("la")),
    admin("by-email", "lookup", email=[mail("lb")]),
    admin("by-email-mixed-case", "lookup", email=[mixed_case("lb")]),
    admin("by-phone", "lookup", phoneNumber=[NUMBERS[1]]),
    admin(
        "mixed-selectors",
        "lookup",
        localId=[uid("la")],
        email=[mail("lb")],
        phoneNumber=[NUMBERS[1]],
    ),
    admin("unknown-ids", "lookup", localId=[uid("nobody")], email=[mail("nobody")]),
    show("duplicate-ids", uid("la"), uid("la")),
    show("empty-arrays"),
    admin("no-selector", "lookup"),
    admin(
        "federated-unknown",
        "lookup",
        federatedUserId=[{"providerId": "google.com", "rawId": "no-such-raw-id"}],
    ),
    admin("initial-email", "lookup", initialEmail=[mail("la")]),
    show("over-100-ids", *(uid(f"many-{index}") for index in range(101))),
]

UPDATE = [
    create(
        "create",
        localId=uid("up"),
        email=mail("up"),
        password=SECRET,
        displayName="Before",
        photoUrl="https://example.com/before.png",
    ),
    create("create-other", localId=uid("up-other"), email=mail("up-other"), phoneNumber=NUMBERS[2]),
    update("email-verified", "up", emailVerified=True),
    update("change-email", "up", email=mail("up-new")),
    update("change-email-taken", "up", email=mail("up-other")),
    update("set-phone", "up", phoneNumber=NUMBERS[3]),
    update("set-phone-taken", "up", phoneNumber=NUMBERS[2]),
    show("lookup-after-sets", uid("up")),
    update("delete-provider-phone", "up", deleteProvider=["phone"]),
    update("delete-display-name", "up", deleteAttribute=["DISPLAY_NAME"]),
    update("delete-photo-url", "up", deleteAttribute=["PHOTO_URL"]),
    show("lookup-after-deletes", uid("up")),
    update("delete-email", "up", deleteAttribute=["EMAIL"]),
    update("delete-password", "up", deleteAttribute=["PASSWORD"]),
    show("lookup-after-credential-deletes", uid("up")),
    update("valid-since", "up", validSince="1700000000"),
    update("unknown-local-id", "nobody", displayName="x"),
    admin("no-local-id", "update", displayName="x"),
    update("unknown-delete-attribute", "up", deleteAttribute=["NOT_A_FIELD"]),
]

RESERVED = [
    "sub",
    "firebase",
    "iss",
    "aud",
    "exp",
    "iat",
    "auth_time",
    "user_id",
    "amr",
    "nonce",
    "at_hash",
    "cnf",
    "acr",
    "c_hash",
    "azp",
]


def claims(name: str, text: str) -> Step:
    return update(name, "ca", customAttributes=text)


CLAIMS = [
    create("create", localId=uid("ca"), email=mail("ca"), password=SECRET),
    claims("set", '{"role":"editor","level":3}'),
    show("readback", uid("ca")),
    sign_in("sign-in", mail("ca")),
    me("client-lookup", "sign-in"),
    claims("clear", "{}"),
    show("readback-after-clear", uid("ca")),
    *(claims(f"reserved-{name}", json.dumps({name: "x"})) for name in RESERVED),
    claims("size-1000", '{"k":"' + "v" * 992 + '"}'),
    claims("size-1001", '{"k":"' + "v" * 993 + '"}'),
    claims("invalid-json", "{not json"),
    claims("json-array", "[1,2]"),
    claims("json-string", '"text"'),
    claims("json-null", "null"),
    show("readback-after-refusals", uid("ca")),
    claims("set-with-whitespace", '{ "b": 1,  "a" : [ 2 ] }'),
    show("readback-whitespace", uid("ca")),
]

CREDENTIALS = [
    create("create", localId=uid("cred"), email=mail("cred")),
    admin("admin-lookup-with-api-key-only", "lookup", caller="key", localId=[uid("cred")]),
    admin("admin-lookup-without-credentials", "lookup", caller="none", localId=[uid("cred")]),
    admin(
        "admin-update-with-api-key-only",
        "update",
        caller="key",
        localId=uid("cred"),
        displayName="x",
    ),
    admin("admin-create-with-api-key-only", "", caller="key", localId=uid("cred-new")),
    Step(
        "client-sign-up-without-key",
        "POST",
        f"{IT}/v1/accounts:signUp",
        "none",
        {"returnSecureToken": True},
    ),
    app("client-lookup-without-token", "lookup"),
    app("client-lookup-null-token", "lookup", idToken=None),
    app("client-lookup-empty-token", "lookup", idToken=""),
    app("client-lookup-number-token", "lookup", idToken=42),
    admin("admin-lookup-null-selector", "lookup", localId=None),
    admin("admin-lookup-string-selector", "lookup", localId=uid("cred")),
    admin("admin-lookup-number-selector", "lookup", localId=[42]),
    show("readback", uid("cred")),
]

DELETE = [
    create("create", localId=uid("d1"), email=mail("d1")),
    admin("delete", "delete", localId=uid("d1")),
    admin("delete-again", "delete", localId=uid("d1")),
    admin("delete-unknown", "delete", localId=uid("nobody")),
    admin("delete-without-local-id", "delete"),
    show("readback", uid("d1")),
]

DELETE_EFFECTS = [
    create("create", localId=uid("adel"), email=mail("adel"), password=SECRET),
    sign_in("sign-in-before", mail("adel")),
    admin("admin-delete", "delete", localId=uid("adel")),
    sign_in("sign-in-after", mail("adel")),
    me("old-id-token", "sign-in-before"),
    refresh("old-refresh-token", "sign-in-before"),
    show("admin-lookup", uid("adel")),
]

DELETE_MANY = [
    create("create-enabled", localId=uid("b1"), email=mail("b1")),
    create("create-disabled", localId=uid("b2"), email=mail("b2"), disabled=True),
    create("create-enabled-2", localId=uid("b3"), email=mail("b3")),
    admin("without-force", "batchDelete", localIds=[uid("b1"), uid("b2"), uid("nobody")]),
    show("lookup-after-without-force", uid("b1"), uid("b2"), uid("b3")),
    admin("with-force", "batchDelete", localIds=[uid("b1"), uid("b3")], force=True),
    show("lookup-after-force", uid("b1"), uid("b2"), uid("b3")),
    admin("empty-list", "batchDelete", localIds=[], force=True),
    admin("missing-list", "batchDelete", force=True),
    admin(
        "over-1000",
        "batchDelete",
        localIds=[uid(f"none-{index}") for index in range(1001)],
        force=True,
    ),
    admin("duplicate-ids", "batchDelete", localIds=[uid("b2"), uid("b2")], force=True),
]

DOWNLOAD = [
    create("create-password", localId=uid("g1"), email=mail("g1"), password=SECRET),
    create("create-disabled", localId=uid("g2"), email=mail("g2"), disabled=True),
    create("create-phone", localId=uid("g3"), phoneNumber=NUMBERS[4]),
    update("set-claims", "g1", customAttributes='{"tier":1}'),
    download("all", maxResults=1000),
    download("page-1", maxResults=2),
    download("page-2", maxResults=2, nextPageToken=Answer("page-1", "nextPageToken")),
    download("max-results-0", maxResults=0),
    download("max-results-1001", maxResults=1001),
    download("bad-page-token", maxResults=2, nextPageToken="not-a-token"),
    admin("post-method", "batchGet", maxResults=2),
]

DISABLE = [
    create("create", localId=uid("target"), email=mail("target"), password=SECRET),
    create("create-control", localId=uid("control"), email=mail("control"), password=SECRET),
    sign_in("sign-in-before", mail("target")),
    update("disable", "target", disableUser=True),
    sign_in("sign-in-while-disabled", mail("target")),
    me("id-token-while-disabled", "sign-in-before"),
    refresh("refresh-while-disabled", "sign-in-before"),
    show("admin-lookup-while-disabled", uid("target")),
    update("admin-password-while-disabled", "target", wait=1.1, password="password789"),
    update("admin-photo-while-disabled", "target", photoUrl="https://example.com/c.png"),
    update("re-enable", "target", disableUser=False),
    refresh("refresh-after-re-enable", "sign-in-before"),
    sign_in("sign-in-old-password-after-re-enable", mail("target")),
    sign_in("sign-in-new-password-after-re-enable", mail("target"), "password789"),
    sign_in("control-sign-in", mail("control")),
    show("admin-lookup-after", uid("target")),
]

QUERY = [
    create("create-q1", localId=uid("q1"), email=mail("q-carol"), displayName="Carol"),
    create("create-q2", localId=uid("q2"), email=mail("q-alice"), displayName="alice"),
    create(
        "create-q3",
        localId=uid("q3"),
        email=mail("q-bob"),
        displayName="Bob",
        phoneNumber=NUMBERS[5],
    ),
    create("create-q4", localId=uid("q4"), phoneNumber=NUMBERS[1]),
    create("create-q5", localId=uid("q5"), email=mail("q-dave"), displayName="Bob"),
    query("count", returnUserInfo=False),
    query("default"),
    *(
        query(f"sort-{field.lower()}-{order.lower()}", sortBy=field, order=order, limit="10")
        for field in ("USER_ID", "NAME", "CREATED_AT", "LAST_LOGIN_AT", "USER_EMAIL")
        for order in ("ASC", "DESC")
    ),
    query("limit-0", limit="0"),
    query("limit-2-offset-1", limit="2", offset="1", sortBy="USER_ID", order="ASC"),
    query("limit-500", limit="500"),
    query("limit-501", limit="501"),
    query("negative-offset", offset="-1"),
    query("expression-email-mixed-case", expression=[{"email": mixed_case("q-bob")}]),
    query("expression-phone", expression=[{"phoneNumber": NUMBERS[5]}]),
    query("expression-user-id", expression=[{"userId": uid("q2")}]),
    query("expression-two", expression=[{"userId": uid("q2")}, {"userId": uid("q3")}]),
    query(
        "expression-two-fields-one-item", expression=[{"userId": uid("q2"), "email": mail("q-bob")}]
    ),
    query("expression-empty-item", expression=[{}]),
    query("expression-empty-string", expression=[{"email": ""}]),
    query("expression-no-match", expression=[{"email": mail("nobody")}]),
    query("bad-sort", sortBy="NOT_A_FIELD"),
    Step(
        "project-query-accounts",
        "POST",
        f"{IT}/v1/projects/<project>:queryAccounts",
        "admin",
        {"returnUserInfo": False},
    ),
]

UPLOAD = [
    upload(
        "import-plain",
        person("i1", "i1", emailVerified=True, displayName="Imported", disabled=False),
        person("i2", phoneNumber=NUMBERS[2], customAttributes='{"imported":true}'),
        person("i3", "i3", disabled=True, createdAt="1600000000000", lastLoginAt="1600000100000"),
        person(
            "i4",
            "i4",
            providerUserInfo=[
                {
                    "providerId": "google.com",
                    "rawId": "raw-i4",
                    "email": mail("i4"),
                    "displayName": "G",
                }
            ],
        ),
    ),
    show("lookup-imported", *map(uid, ("i1", "i2", "i3", "i4"))),
    upload("import-raw-password", person("i5", "i5", rawPassword=SECRET)),
    sign_in("sign-in-raw-password", mail("i5")),
    upload("import-existing-without-overwrite", person("i1", "i1-new")),
    show("lookup-after-without-overwrite", uid("i1")),
    upload("import-existing-with-overwrite", person("i1", "i1-new"), allowOverwrite=True),
    show("lookup-overwritten", uid("i1")),
    upload("import-duplicate-local-id-in-request", person("i6", "i6"), person("i6", "i6b")),
    upload("import-duplicate-email", person("i7", "i3")),
    upload(
        "import-duplicate-email-sanity-check",
        person("i8", "i8"),
        person("i9", "i8"),
        sanityCheck=True,
    ),
    upload(
        "import-mixed-valid-and-invalid",
        person("i10", "i10"),
        person("i11", email="not-an-email"),
        person("i12", phoneNumber="6505550101"),
        {"email": mail("i13")},
    ),
    show("lookup-after-mixed", *map(uid, ("i6", "i7", "i8", "i9", "i10", "i11", "i12"))),
    upload("import-empty"),
    upload("import-1001", *(person(f"bulk-{index}") for index in range(1001))),
]

REUSE = [
    create("create-first", localId=uid("reuse"), email=mail("reuse-first"), password=SECRET),
    sign_in("sign-in-first", mail("reuse-first")),
    admin("delete-first", "delete", 1.1, localId=uid("reuse")),
    create(
        "create-second", localId=uid("reuse"), email=mail("reuse-second"), password="password456"
    ),
    me("first-id-token-after-reuse", "sign-in-first"),
    refresh("first-refresh-token-after-reuse", "sign-in-first"),
    sign_in("sign-in-first-email", mail("reuse-first")),
    sign_in("sign-in-second", mail("reuse-second"), "password456"),
    show("readback", uid("reuse")),
]

PROVIDERS = [
    create("create", localId=uid("pv"), email=mail("pv"), password=SECRET),
    create("create-other", localId=uid("pv-other"), email=mail("pv-other")),
    link(
        "link-google",
        "pv",
        providerId="google.com",
        rawId="raw-google-1",
        email=mail("pv"),
        displayName="G User",
    ),
    link("link-oidc", "pv", providerId="oidc.fireemu-test", rawId="raw-oidc-1"),
    show("lookup-linked", uid("pv")),
    admin(
        "lookup-by-federated-id",
        "lookup",
        federatedUserId=[{"providerId": "google.com", "rawId": "raw-google-1"}],
    ),
    link("link-same-raw-id-elsewhere", "pv-other", providerId="google.com", rawId="raw-google-1"),
    link("link-without-raw-id", "pv-other", providerId="google.com"),
    link("link-password-provider", "pv-other", providerId="password", rawId="x"),
    sign_in("sign-in", mail("pv")),
    change("client-unlink-google", "sign-in", deleteProvider=["google.com"]),
    me("lookup-after-google-unlink", "sign-in"),
    change("client-unlink-password", "sign-in", deleteProvider=["password"]),
    show("lookup-after-password-unlink", uid("pv")),
    change("client-unlink-last", "sign-in", deleteProvider=["oidc.fireemu-test"]),
    show("lookup-after-last-unlink", uid("pv")),
    change("client-unlink-unknown", "sign-in", deleteProvider=["facebook.com"]),
]

PROGRAMS = {
    name: Program(steps)
    for name, steps in {
        "auth-account/admin/batch-delete": DELETE_MANY,
        "auth-account/admin/batch-get": DOWNLOAD,
        "auth-account/admin/create": CREATE,
        "auth-account/admin/custom-attributes": CLAIMS,
        "auth-account/admin/delete": DELETE,
        "auth-account/admin/delete-effects": DELETE_EFFECTS,
        "auth-account/admin/disable": DISABLE,
        "auth-account/admin/import": UPLOAD,
        "auth-account/admin/lookup": LOOKUP,
        "auth-account/admin/query": QUERY,
        "auth-account/admin/uid-reuse": REUSE,
        "auth-account/admin/update": UPDATE,
        "auth-account/privilege/credentials": CREDENTIALS,
        "auth-account/provider": PROVIDERS,
    }.items()
}
