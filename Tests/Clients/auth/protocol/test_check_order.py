"""Of two faults in one request, the answer names the one that is checked first."""

import itertools
from dataclasses import dataclass, field

import pytest
from support.auth.project import Project
from support.auth.sign_up import LEGACY, hearth  # noqa: F401
from support.wire import V1, V3, unsigned

ME, TAKEN, NEW = "me@example.com", "taken@example.com", "new@example.com"
PHONE = "+15555550100"
OPEN = {"allowPasswordSignup": True, "enableEmailLinkSignin": True, "enableAnonymousUser": True}
WEAK = "WEAK_PASSWORD : Password should be at least 6 characters"
UNIMPLEMENTED = 501


class World(Project):
    """A user, in a project or a tenant, and what faults need besides."""

    def __init__(self, server, faults: list["Fault"]):
        super().__init__(server)
        self.settings = {k: v for fault in faults for k, v in fault.tenant.items()}
        self.t = self.tenant(**OPEN) if self.settings else None
        user = {"email": ME, "password": "secret1"}
        for fault in faults:
            user |= fault.user
        self.uid = self.create(**user)

    def create(self, **user) -> str:
        user = {name: value for name, value in user.items() if value is not None}
        return self.admin("/accounts", user, tenant=self.t)["localId"]

    def token(self, uid: str | None = None) -> str:
        firebase = {"sign_in_provider": "password", **({"tenant": self.t} if self.t else {})}
        return unsigned({"user_id": uid or self.uid, "iat": 4_000_000_000, "firebase": firebase})

    def other(self) -> str:
        return self.create(localId="other", email=TAKEN, phoneNumber=PHONE)

    def code(self, kind: str, **more) -> str:
        more = {"email": ME, "requestType": kind, "returnOobLink": True, **more}
        return self.admin("/accounts:sendOobCode", more, tenant=self.t)["oobCode"]


@dataclass(frozen=True)
class Fault:
    """What makes a good request fail; a body's value may be None (left out) or be asked for."""

    name: str
    message: str
    body: dict = field(default_factory=dict)
    tenant: dict = field(default_factory=dict)
    user: dict = field(default_factory=dict)
    gone: bool = False
    status: int = 400


@dataclass(frozen=True)
class Operation:
    """A good request and its faults, in the order in which they are looked for."""

    name: str
    verb: str
    base: dict
    faults: list[Fault]
    admin: bool = False
    # Pairs that make another request of it.
    apart: frozenset = frozenset()

    def pairs(self):
        for one, two in itertools.combinations(self.faults, 2):
            if not (
                one.body.keys() & two.body.keys()
                or one.user.keys() & two.user.keys()
                or (one.name, two.name) in self.apart
            ):
                yield pytest.param(self, [one, two], id=f"{self.name}-{one.name}-{two.name}")


DISABLED = Fault("auth-off", "PROJECT_DISABLED", tenant={"disableAuth": True})
BAD_TOKEN = Fault("bad-token", "INVALID_ID_TOKEN", {"idToken": "x"})
BAD_EMAIL = Fault("bad-email", "INVALID_EMAIL", {"email": "me"})
EMAIL_TAKEN = Fault("email-taken", "EMAIL_EXISTS", {"email": lambda w: w.other() and TAKEN.upper()})
SHORT = Fault("weak", WEAK, {"password": "short"})
NO_EMAIL = Fault("no-email", "MISSING_EMAIL", {"email": None})
EMPTY_EMAIL = Fault("empty-email", "MISSING_EMAIL", {"email": ""})
UNSUPPORTED = [
    Fault("provider", "", {"provider": []}, status=UNIMPLEMENTED),
    Fault("federated", "", {"upgradeToFederatedLogin": False}, status=UNIMPLEMENTED),
]
REMOVALS = [
    Fault("delete-provider", "", {"deleteAttribute": ["PROVIDER"]}, status=UNIMPLEMENTED),
    Fault("delete-raw", "", {"deleteAttribute": ["EMAIL", 6]}, status=UNIMPLEMENTED),
]
SIGN_UP_MFA = Fault(
    "mfa", "INVALID_MFA_PHONE_NUMBER : Invalid format.", {"mfaInfo": [{"phoneInfo": "1"}]}
)
MFA = [
    Fault(
        "mfa-phone",
        "INVALID_MFA_PHONE_NUMBER : Invalid format.",
        {"mfa": {"enrollments": [{"mfaEnrollmentId": "a", "phoneInfo": "1"}]}},
    ),
    Fault(
        "mfa-id",
        "INVALID_MFA_ENROLLMENT_ID : mfaEnrollmentId must be defined.",
        {"mfa": {"enrollments": [{"phoneInfo": "+1"}]}},
    ),
    Fault(
        "mfa-twice",
        "DUPLICATE_MFA_ENROLLMENT_ID",
        {
            "mfa": {
                "enrollments": [
                    {"mfaEnrollmentId": "a", "phoneInfo": "+1"},
                    {"mfaEnrollmentId": "a", "phoneInfo": "+2"},
                ]
            }
        },
    ),
]
LINKS = [
    Fault("link-provider", "MISSING_PROVIDER_ID", {"linkProviderUserInfo": {}}),
    Fault("link-raw", "MISSING_RAW_ID", {"linkProviderUserInfo": {"providerId": "a.com"}}),
]
USED_ID = Fault("used-id", "DUPLICATE_LOCAL_ID", {"localId": lambda w: w.uid})

SIGN_UP = [
    Operation(
        "signUp-user",
        "signUp",
        {"email": NEW, "password": "secret1"},
        [
            DISABLED,
            Fault("id", "UNEXPECTED_PARAMETER : User ID", {"localId": "x"}),
            NO_EMAIL,
            EMPTY_EMAIL,
            Fault("no-password", "MISSING_PASSWORD", {"password": None}),
            Fault("empty-password", "MISSING_PASSWORD", {"password": ""}),
            Fault("no-passwords", "OPERATION_NOT_ALLOWED", tenant={"allowPasswordSignup": False}),
            BAD_EMAIL,
            EMAIL_TAKEN,
            SHORT,
            SIGN_UP_MFA,
            BAD_TOKEN,
        ],
        apart=frozenset(
            itertools.product(["no-email", "empty-email"], ["no-password", "empty-password"])
        ),
    ),
    Operation(
        "signUp-link",
        "signUp",
        {"idToken": World.token, "email": NEW, "password": "secret1"},
        [
            DISABLED,
            Fault("id", "UNEXPECTED_PARAMETER : User ID", {"localId": "x"}),
            NO_EMAIL,
            EMPTY_EMAIL,
            Fault("no-password", "MISSING_PASSWORD", {"password": None}),
            Fault("empty-password", "MISSING_PASSWORD", {"password": ""}),
            Fault("no-passwords", "OPERATION_NOT_ALLOWED", tenant={"allowPasswordSignup": False}),
            BAD_EMAIL,
            EMAIL_TAKEN,
            Fault("own-email", "EMAIL_EXISTS", {"email": ME}),
            SHORT,
            SIGN_UP_MFA,
            Fault("disabled", "USER_DISABLED", user={"disabled": True}),
        ],
    ),
    Operation(
        "signUp-anonymous",
        "signUp",
        {},
        [
            DISABLED,
            Fault("id", "UNEXPECTED_PARAMETER : User ID", {"localId": "x"}),
            Fault("no-anonymous", "ADMIN_ONLY_OPERATION", tenant={"enableAnonymousUser": False}),
            Fault("empty-email", "INVALID_EMAIL", {"email": ""}),
            Fault("empty-both", "INVALID_EMAIL", {"email": "", "password": ""}),
            SIGN_UP_MFA,
        ],
    ),
    Operation(
        "signUp-admin",
        "signUp",
        {"email": NEW, "password": "secret1"},
        [
            DISABLED,
            Fault(
                "token-and-id",
                "UNEXPECTED_PARAMETER : User ID",
                {"idToken": "x", "localId": lambda w: w.uid},
            ),
            USED_ID,
            Fault("phone", "INVALID_PHONE_NUMBER : Invalid format.", {"phoneNumber": "1"}),
            Fault(
                "phone-taken",
                "PHONE_NUMBER_EXISTS",
                {"phoneNumber": "+15555550199"},
                user={"phoneNumber": "+15555550199"},
            ),
            BAD_EMAIL,
            EMAIL_TAKEN,
            SHORT,
            SIGN_UP_MFA,
            BAD_TOKEN,
        ],
        admin=True,
        apart=frozenset({("used-id", "bad-token")}),
    ),
]
SIGN_IN = [
    Operation(
        "signInWithPassword",
        "signInWithPassword",
        {"email": ME, "password": "secret1"},
        [
            DISABLED,
            Fault("no-passwords", "PASSWORD_LOGIN_DISABLED", tenant={"allowPasswordSignup": False}),
            NO_EMAIL,
            BAD_EMAIL,
            Fault("empty-email", "INVALID_EMAIL", {"email": ""}),
            Fault("no-password", "MISSING_PASSWORD", {"password": None}),
            Fault("empty-password", "MISSING_PASSWORD", {"password": ""}),
            Fault("token", "", {"idToken": "x"}, status=UNIMPLEMENTED),
            Fault("pending-token", "", {"pendingIdToken": "x"}, status=UNIMPLEMENTED),
            Fault("unknown", "EMAIL_NOT_FOUND", {"email": NEW}),
            Fault("disabled", "USER_DISABLED", user={"disabled": True}),
            Fault("without-password", "INVALID_PASSWORD", user={"password": None}),
            Fault("wrong-password", "INVALID_PASSWORD", {"password": "Secret1"}),
        ],
        apart=frozenset({("unknown", "disabled"), ("unknown", "without-password")}),
    )
]


def oob(name: str, kind: str, base: dict, faults: list[Fault], admin: bool = False) -> Operation:
    base = {"requestType": kind, "continueUrl": "http://localhost", **base}
    insufficient = Fault("link", "INSUFFICIENT_PERMISSION", {"returnOobLink": True})
    return Operation(
        f"sendOobCode-{name}",
        "sendOobCode",
        base,
        [
            DISABLED,
            Fault("no-type", "MISSING_REQ_TYPE", {"requestType": None}),
            Fault("type-0", "MISSING_REQ_TYPE", {"requestType": 0}),
            *([] if admin else [insufficient]),
            Fault(
                "url",
                "INVALID_CONTINUE_URI : ((expected an absolute URI with valid scheme and host))",
                {"continueUrl": "localhost"},
            ),
            *faults,
        ],
        admin=admin,
    )


UNKNOWN = Fault("unknown", "USER_NOT_FOUND", {"email": NEW})
NO_NEW_EMAIL = Fault("no-new-email", "MISSING_NEW_EMAIL", {"newEmail": None})
NEW_EMAIL_TAKEN = Fault(
    "new-email-taken", "EMAIL_EXISTS", {"newEmail": lambda w: w.other() and TAKEN.upper()}
)
WITHOUT_EMAIL = Fault("without-email", "MISSING_EMAIL", user={"email": None})
CODES = [
    oob(
        "EMAIL_SIGNIN",
        "EMAIL_SIGNIN",
        {"email": ME},
        [
            Fault("no-links", "OPERATION_NOT_ALLOWED", tenant={"enableEmailLinkSignin": False}),
            NO_EMAIL,
            EMPTY_EMAIL,
        ],
    ),
    oob(
        "PASSWORD_RESET",
        "PASSWORD_RESET",
        {"email": ME},
        [NO_EMAIL, EMPTY_EMAIL, Fault("unknown", "EMAIL_NOT_FOUND", {"email": NEW})],
    ),
    oob(
        "VERIFY_EMAIL-user",
        "VERIFY_EMAIL",
        {"idToken": World.token},
        [
            Fault("no-token", "INVALID_ID_TOKEN", {"idToken": None}),
            BAD_TOKEN,
            Fault("disabled", "USER_DISABLED", user={"disabled": True}),
            WITHOUT_EMAIL,
        ],
    ),
    oob(
        "VERIFY_EMAIL-admin",
        "VERIFY_EMAIL",
        {"email": ME, "returnOobLink": True},
        [NO_EMAIL, UNKNOWN],
        admin=True,
    ),
    oob(
        "VERIFY_AND_CHANGE_EMAIL-user",
        "VERIFY_AND_CHANGE_EMAIL",
        {"idToken": World.token, "newEmail": NEW},
        [
            NO_NEW_EMAIL,
            Fault("no-token", "MISSING_ID_TOKEN", {"idToken": None}),
            BAD_TOKEN,
            Fault("disabled", "USER_DISABLED", user={"disabled": True}),
            WITHOUT_EMAIL,
            NEW_EMAIL_TAKEN,
            Fault("own-email", "EMAIL_EXISTS", {"newEmail": ME}),
        ],
    ),
    oob(
        "VERIFY_AND_CHANGE_EMAIL-admin",
        "VERIFY_AND_CHANGE_EMAIL",
        {"email": ME, "returnOobLink": True, "newEmail": NEW},
        [
            NO_NEW_EMAIL,
            NO_EMAIL,
            UNKNOWN,
            NEW_EMAIL_TAKEN,
            Fault("own-email", "EMAIL_EXISTS", {"newEmail": ME}),
        ],
        admin=True,
    ),
    *(
        oob(
            kind,
            kind,
            {"email": ME, "idToken": World.token},
            [Fault("unbuilt", kind, status=UNIMPLEMENTED)],
        )
        for kind in (
            "RECOVER_EMAIL",
            "OLD_EMAIL_AGREE",
            "NEW_EMAIL_ACCEPT",
            "REVERT_SECOND_FACTOR_ADDITION",
        )
    ),
]
RESET = [
    Operation(
        "resetPassword",
        "resetPassword",
        {"oobCode": lambda w: w.code("PASSWORD_RESET"), "newPassword": "secret2"},
        [
            DISABLED,
            Fault("no-passwords", "PASSWORD_LOGIN_DISABLED", tenant={"allowPasswordSignup": False}),
            Fault("no-code", "MISSING_OOB_CODE", {"oobCode": None}),
            Fault("empty-code", "MISSING_OOB_CODE", {"oobCode": ""}),
            Fault("unknown-code", "INVALID_OOB_CODE", {"oobCode": "unknown"}),
            Fault("other-code", "INVALID_OOB_CODE", {"oobCode": lambda w: w.code("VERIFY_EMAIL")}),
            Fault("weak", WEAK, {"newPassword": "short"}),
            Fault("gone", "INVALID_OOB_CODE", gone=True),
        ],
    )
]
LINK = [
    Operation(
        "signInWithEmailLink",
        "signInWithEmailLink",
        {"oobCode": lambda w: w.code("EMAIL_SIGNIN"), "email": ME.upper()},
        [
            DISABLED,
            Fault("no-links", "OPERATION_NOT_ALLOWED", tenant={"enableEmailLinkSignin": False}),
            BAD_TOKEN,
            Fault(
                "disabled-token",
                "USER_DISABLED",
                {"idToken": lambda w: w.token(w.create(localId="off", disabled=True))},
            ),
            NO_EMAIL,
            EMPTY_EMAIL,
            Fault("no-code", "MISSING_OOB_CODE", {"oobCode": None}),
            Fault("empty-code", "MISSING_OOB_CODE", {"oobCode": ""}),
            Fault("unknown-code", "INVALID_OOB_CODE", {"oobCode": "unknown"}),
            Fault(
                "other-code", "INVALID_OOB_CODE", {"oobCode": lambda w: w.code("PASSWORD_RESET")}
            ),
            Fault(
                "other-email",
                "INVALID_EMAIL : The email provided does not match the sign-in email address.",
                {"email": NEW},
            ),
            Fault("disabled", "USER_DISABLED", user={"disabled": True}),
            Fault("exists", "EMAIL_EXISTS", {"idToken": lambda w: w.token(w.other())}),
        ],
        apart=frozenset({("disabled", "exists")}),
    )
]
LOOKUP = [
    Operation(
        "lookup",
        "lookup",
        {"idToken": World.token},
        [
            DISABLED,
            Fault("no-token", "MISSING_ID_TOKEN", {"idToken": None}),
            Fault("empty-token", "MISSING_ID_TOKEN", {"idToken": ""}),
            BAD_TOKEN,
            Fault("disabled", "USER_DISABLED", user={"disabled": True}),
        ],
    ),
    Operation("lookup-admin", "lookup", {"localId": ["x"]}, [DISABLED], admin=True),
]
CLAIMS = [
    Fault("large", "CLAIMS_TOO_LARGE", {"customAttributes": "x" * 1001}),
    Fault("no-claims", "INVALID_CLAIMS", {"customAttributes": "[]"}),
    Fault("forbidden", "FORBIDDEN_CLAIM : iss", {"customAttributes": '{"sub":1,"iss":1}'}),
]
NO_CODE = Fault("unknown-code", "INVALID_OOB_CODE", {"oobCode": "unknown"})
UPDATE = [
    Operation(
        "update-user",
        "update",
        {"idToken": World.token, "displayName": "Me"},
        [
            DISABLED,
            *UNSUPPORTED,
            Fault(
                "no-token", "INVALID_REQ_TYPE : Unsupported request parameters.", {"idToken": None}
            ),
            Fault(
                "empty-token",
                "INVALID_REQ_TYPE : Unsupported request parameters.",
                {"idToken": "", "oobCode": ""},
            ),
            Fault("claims", "INSUFFICIENT_PERMISSION", {"customAttributes": "x" * 1001}),
            Fault("empty-claims", "INSUFFICIENT_PERMISSION", {"customAttributes": ""}),
            *REMOVALS,
            BAD_TOKEN,
            Fault("disabled", "USER_DISABLED", user={"disabled": True}),
            Fault("disable", "OPERATION_NOT_ALLOWED", {"disableUser": False}),
            BAD_EMAIL,
            EMAIL_TAKEN,
            SHORT,
            *MFA,
            *LINKS,
        ],
    ),
    Operation(
        "update-admin",
        "update",
        {"localId": lambda w: w.uid},
        [
            DISABLED,
            *UNSUPPORTED,
            Fault("no-id", "MISSING_LOCAL_ID", {"localId": None}),
            Fault("empty-id", "MISSING_LOCAL_ID", {"localId": ""}),
            *CLAIMS,
            *REMOVALS,
            Fault("unknown", "USER_NOT_FOUND", {"localId": "unknown"}),
            BAD_EMAIL,
            EMAIL_TAKEN,
            SHORT,
            *MFA,
            Fault("phone", "INVALID_PHONE_NUMBER : Invalid format.", {"phoneNumber": "1"}),
            Fault(
                "phone-taken",
                "PHONE_NUMBER_EXISTS",
                {"phoneNumber": lambda w: w.create(phoneNumber="+15555550199") and "+15555550199"},
            ),
            *LINKS,
        ],
        admin=True,
    ),
    Operation(
        "update-admin-token",
        "update",
        {"localId": lambda w: w.uid, "idToken": World.token},
        [
            Fault("no-id", "MISSING_LOCAL_ID", {"localId": None}),
            *CLAIMS,
            *REMOVALS,
            BAD_TOKEN,
            Fault("disabled", "USER_DISABLED", user={"disabled": True}),
            Fault("disable", "OPERATION_NOT_ALLOWED", {"disableUser": True}),
            BAD_EMAIL,
            SHORT,
        ],
        admin=True,
    ),
    Operation(
        "update-code",
        "update",
        {"oobCode": lambda w: w.code("VERIFY_EMAIL")},
        [
            DISABLED,
            *UNSUPPORTED,
            Fault("claims", "INSUFFICIENT_PERMISSION", {"customAttributes": "{}"}),
            *REMOVALS,
            NO_CODE,
            Fault(
                "reset-code",
                "PASSWORD_RESET",
                {"oobCode": lambda w: w.code("PASSWORD_RESET")},
                status=UNIMPLEMENTED,
            ),
            Fault(
                "sign-in-code",
                "EMAIL_SIGNIN",
                {"oobCode": lambda w: w.code("EMAIL_SIGNIN")},
                status=UNIMPLEMENTED,
            ),
            Fault("gone", "INVALID_OOB_CODE", gone=True),
            *LINKS,
        ],
    ),
    Operation(
        "update-code-admin",
        "update",
        {"localId": "any", "oobCode": lambda w: w.code("VERIFY_EMAIL")},
        [
            DISABLED,
            Fault("no-id", "MISSING_LOCAL_ID", {"localId": None}),
            *CLAIMS,
            *REMOVALS,
            NO_CODE,
            *LINKS,
        ],
        admin=True,
    ),
]
OPERATIONS = SIGN_UP + SIGN_IN + CODES + RESET + LINK + LOOKUP + UPDATE


def answer(server, operation: Operation, faults: list[Fault], legacy: bool = False) -> dict:
    """The error of the request that has these faults."""
    world = World(server, faults)
    body = dict(operation.base)
    for fault in faults:
        body |= fault.body
    body = {name: value(world) if callable(value) else value for name, value in body.items()}
    body = {name: value for name, value in body.items() if value is not None}
    if any(fault.gone for fault in faults):
        world.admin("/accounts:delete", {"localId": world.uid}, tenant=world.t)
    if world.settings:
        world.owner(
            "PATCH",
            f"{world.v2}/tenants/{world.t}",
            json=world.settings,
            params={"updateMask": ",".join(world.settings)},
        )
        body["tenantId"] = world.t
    status = faults[0].status
    if operation.admin:
        path = V3 + LEGACY[operation.verb] if legacy else V1 + operation.verb
        body["targetProjectId"] = world.id
        return world.owner("POST", path, status, json=body)["error"]
    path = V3 + LEGACY[operation.verb] if legacy else operation.verb
    return world.post(path if legacy else V1 + path, body, status)["error"]


def check(error: dict, fault: Fault) -> None:
    assert not fault.message or error["message"] == fault.message
    assert error.get("status") == (None if fault.status == 400 else "NOT_IMPLEMENTED")


@pytest.mark.parametrize(
    "operation, faults", [case for operation in OPERATIONS for case in operation.pairs()]
)
def test_the_earlier_of_two_faults_answers(hearth, operation, faults):
    check(answer(hearth, operation, faults), faults[0])


SINGLES = [
    pytest.param(operation, fault, id=f"{operation.name}-{fault.name}")
    for operation in OPERATIONS
    for fault in operation.faults
]


@pytest.mark.parametrize("legacy", [False, True], ids=["v1", "v3"])
@pytest.mark.parametrize("operation, fault", SINGLES)
def test_a_fault_alone(hearth, operation, fault, legacy):
    """Under both names of the operation."""
    check(answer(hearth, operation, [fault], legacy), fault)


@pytest.mark.parametrize("legacy", [False, True], ids=["v1", "v3"])
@pytest.mark.parametrize(
    "operation",
    [o for o in OPERATIONS if not any(f.name == "unbuilt" for f in o.faults)],
    ids=lambda operation: operation.name,
)
def test_without_a_fault(hearth, operation, legacy):
    """What the other tests of this module build on is a good request."""
    world = World(hearth, [])
    body = {
        name: value(world) if callable(value) else value for name, value in operation.base.items()
    }
    path = V3 + LEGACY[operation.verb] if legacy else V1 + operation.verb
    if operation.admin:
        world.owner("POST", path, json={**body, "targetProjectId": world.id})
    else:
        world.post(path, body)
