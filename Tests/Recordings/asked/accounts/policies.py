"""What was asked about passwords, and about names and addresses of every kind."""

from ...steps import IT, Program, Step, admin, app, change, create, me, show, sign_in, sign_up
from .names import mail, uid

GRIN = "\U0001f600"


def longest(case: str, password: str) -> list[Step]:
    """A new account that changes its password."""
    return [
        create(
            f"create-{case}",
            localId=uid(f"p-{case}"),
            email=mail(f"p-{case}"),
            password="password123",
        ),
        sign_in(f"sign-in-{case}", mail(f"p-{case}")),
        change(f"update-{case}", f"sign-in-{case}", password=password, returnSecureToken=False),
    ]


def everywhere(weak: str, strong: str, prefix: str = "") -> list[Step]:
    """A weak and a strong password, wherever a password can be set."""
    return [
        sign_up(f"{prefix}sign-up-weak", mail(f"{prefix}weak"), weak),
        sign_up(f"{prefix}sign-up-strong", mail(f"{prefix}strong"), strong),
        create(
            f"{prefix}admin-create-weak",
            localId=uid(f"{prefix}aw"),
            email=mail(f"{prefix}aw"),
            password=weak,
        ),
        admin(f"{prefix}admin-update-weak", "update", localId=uid(f"{prefix}aw"), password=weak),
        change(f"{prefix}client-update-weak", f"{prefix}sign-up-strong", password=weak),
        admin(
            f"{prefix}import-raw-weak",
            "batchCreate",
            users=[
                {"localId": uid(f"{prefix}iw"), "email": mail(f"{prefix}iw"), "rawPassword": weak}
            ],
        ),
        sign_in(f"{prefix}sign-in-admin-weak", mail(f"{prefix}aw"), weak),
        sign_in(f"{prefix}sign-in-strong", mail(f"{prefix}strong"), strong),
    ]


def policy(state: str, **more) -> dict:
    options = {"minPasswordLength": 8, "maxPasswordLength": 20} | dict.fromkeys(
        (
            "containsLowercaseCharacter",
            "containsUppercaseCharacter",
            "containsNumericCharacter",
            "containsNonAlphanumericCharacter",
        ),
        True,
    )
    return {
        "passwordPolicyConfig": {
            "passwordPolicyEnforcementState": state,
            "passwordPolicyVersions": [{"customStrengthOptions": options}],
            **more,
        }
    }


def renamed(case: str, **body) -> Step:
    return change(f"client-update-{case}", "sign-up", **body)


def addressed(case: str, email: str) -> Step:
    return create(f"admin-create-{case}", localId=uid(case), email=email)


def numbered(case: str, number: str) -> Step:
    return create(f"admin-create-{case}", localId=uid(case), phoneNumber=number)


LENGTHS = [
    *longest("min-6", "a" * 6),
    *longest("min-5", "a" * 5),
    *longest("max-4096", "a" * 4096),
    *longest("max-4097", "a" * 4097),
    *longest("astral-3-code-points", GRIN * 3),
    *longest("astral-2048-code-points", GRIN * 2048),
    *longest("astral-2048-plus-bmp", GRIN * 2048 + "a"),
    *longest("astral-2049-code-points", GRIN * 2049),
    *longest("bmp-4096", "\u00e9" * 4096),
    *longest("bmp-4097", "\u00e9" * 4097),
    sign_in("sign-in-with-last-accepted", mail("p-bmp-4096"), "\u00e9" * 4096),
]

ROUTES = [
    *everywhere("12345", "123456"),
    sign_up("sign-up-4097", mail("long"), "a" * 4097),
    sign_up("sign-up-4096", mail("long"), "a" * 4096),
    create("admin-create-4097", localId=uid("long-admin"), password="a" * 4097),
]

ENFORCED = [
    *everywhere("password", "Passw0rd!"),
    sign_up("sign-up-too-long", mail("toolong"), "Passw0rd!Passw0rd!Pas"),
    sign_up("sign-up-missing-upper", mail("noupper"), "passw0rd!"),
    sign_up("sign-up-missing-symbol", mail("nosymbol"), "Passw0rdx"),
    sign_up("sign-up-plus-symbol", mail("plus"), "Passw0rd+"),
    sign_up("sign-up-equals-symbol", mail("equals"), "Passw0rd="),
    Step("password-policy", "GET", f"{IT}/v2/passwordPolicy", "key"),
]

NOT_ENFORCED = [
    create("create-weak", localId=uid("nw"), email=mail("nw"), password="password"),
    sign_in("sign-in-weak", mail("nw"), "password"),
    *everywhere("password", "Passw0rd!", "off-"),
]

VALUES = [
    sign_up("sign-up", mail("values")),
    renamed("display-name-empty", displayName=""),
    renamed("display-name-256", displayName="n" * 256),
    renamed("display-name-257", displayName="n" * 257),
    renamed("display-name-bmp-256", displayName="\u3042" * 256),
    renamed("display-name-astral-129", displayName=GRIN * 129),
    renamed("display-name-control", displayName="a\u0007b"),
    renamed("display-name-nul", displayName="a\u0000b"),
    renamed("display-name-null", displayName=None),
    renamed("photo-url-not-a-url", photoUrl="not a url"),
    renamed("photo-url-javascript", photoUrl="javascript:alert(1)"),
    renamed("photo-url-2048", photoUrl="https://example.com/" + "p" * 2028),
    renamed("photo-url-empty", photoUrl=""),
    me("lookup-after-client-updates", "sign-up"),
    addressed("email-plus", "fireemu-aa-plus+tag@example.com"),
    addressed("email-unicode-local", "テスト@example.com"),
    addressed("email-leading-space", " " + mail("space")),
    addressed("email-254", "e" * 242 + "@example.com"),
    addressed("email-255", "e" * 243 + "@example.com"),
    addressed("email-local-64", "l" * 64 + "@example.com"),
    addressed("email-local-65", "l" * 65 + "@example.com"),
    numbered("phone-formatted", "+1 650-555-0104"),
    numbered("phone-leading-zero", "+0 650 555 0104"),
    numbered("phone-letters", "+1650555ABCD"),
    create("local-id-unicode", localId=f"ユーザー-{uid('u')}"),
    create("local-id-empty", localId=""),
    create("local-id-256", localId="z" * 256),
    admin(
        "import-created-at-number",
        "batchCreate",
        users=[
            {
                "localId": uid("ts-number"),
                "createdAt": 1_600_000_000_000,
                "lastLoginAt": 1_600_000_100_000,
            }
        ],
    ),
    admin(
        "import-created-at-invalid",
        "batchCreate",
        users=[{"localId": uid("ts-invalid"), "createdAt": "yesterday"}],
    ),
    app(
        "sign-up-ignored-fields",
        "signUp",
        email=mail("ignored"),
        password="password123",
        displayName="Ignored?",
        photoUrl="https://example.com/i.png",
        emailVerified=True,
        returnSecureToken=True,
    ),
    me("lookup-ignored-fields", "sign-up-ignored-fields"),
    show(
        "lookup-created",
        *(
            uid(name)
            for name in (
                "email-plus",
                "email-unicode-local",
                "email-leading-space",
                "email-254",
                "phone-formatted",
                "phone-leading-zero",
                "phone-letters",
                "ts-number",
            )
        ),
    ),
    admin("delete-local-id-256", "delete", localId="z" * 256),
]

PROGRAMS = {
    "auth-account/policy/default/client-update": Program(LENGTHS),
    "auth-account/policy/default/routes": Program(ROUTES),
    "auth-account/policy/enforce-custom": Program(
        ENFORCED, policy("ENFORCE", forceUpgradeOnSignin=True)
    ),
    "auth-account/policy/not-enforce": Program(NOT_ENFORCED, policy("OFF")),
    "auth-account/values": Program(VALUES),
}
