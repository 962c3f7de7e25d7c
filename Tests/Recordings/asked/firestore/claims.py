"""What rules see of an ID token: each document may be read where a condition holds.

The recordings have the names of the conditions, not the rules. Names that do not tell what was asked are left out.
"""

from ...steps import Answer, Program, Step, admin, app, sign_in, token_of
from .words import V1

TOKEN = "request.auth.token"
CLAIMS = "iss aud auth_time user_id sub iat exp email email_verified phone_number name picture"
CUSTOM = ("role", "level", "ratio", "flags", "tags", "tier")
KNOWN = [*CLAIMS.split(), "firebase", *CUSTOM]


def has(name: str) -> str:
    return f"'{name}' in {TOKEN}"


def only(names: list[str]) -> str:
    return f"keys().hasOnly([{', '.join(repr(name) for name in names)}])"


CONDITIONS = {
    "auth-null": "request.auth == null",
    "auth-present": "request.auth != null",
    "uid-is-sub": f"request.auth.uid == {TOKEN}.sub",
    "uid-is-user-id": f"request.auth.uid == {TOKEN}.user_id",
    "uid-string": "request.auth.uid is string",
    "token-map": f"{TOKEN} is map",
    "keys-known": f"{TOKEN}.{only(KNOWN)}",
    "firebase-keys-known": f"{TOKEN}.firebase.{only(['identities', 'sign_in_provider', 'tenant'])}",
    **{f"has-{name.replace('_', '-')}": has(name) for name in KNOWN},
    "firebase-has-identities": f"'identities' in {TOKEN}.firebase",
    "firebase-has-sign-in-provider": f"'sign_in_provider' in {TOKEN}.firebase",
    "firebase-has-tenant": f"'tenant' in {TOKEN}.firebase",
    **{f"size-leq-{size}": f"{TOKEN}.size() <= {size}" for size in range(8, 15)},
    "aud-project": f"{TOKEN}.aud == '<project>'",
    "iss-project": f"{TOKEN}.iss == 'https://securetoken.google.com/<project>'",
    "iat-int": f"{TOKEN}.iat is int",
    "exp-int": f"{TOKEN}.exp is int",
    "auth-time-int": f"{TOKEN}.auth_time is int",
    "lifetime-3600": f"{TOKEN}.exp - {TOKEN}.iat == 3600",
    "auth-time-not-after-iat": f"{TOKEN}.auth_time <= {TOKEN}.iat",
    "iat-before-request": f"timestamp.value({TOKEN}.iat * 1000) <= request.time",
    "exp-after-request": f"timestamp.value({TOKEN}.exp * 1000) > request.time",
    "email-shape": f"{TOKEN}.email.matches('.+@.+')",
    "email-verified-true": f"{TOKEN}.email_verified == true",
    "email-verified-false": f"{TOKEN}.email_verified == false",
    "email-verified-bool": f"{TOKEN}.email_verified is bool",
    "phone-number": f"{TOKEN}.phone_number is string",
    "name": f"{TOKEN}.name is string",
    "picture": f"{TOKEN}.picture is string",
    **{
        f"provider-{name}": f"{TOKEN}.firebase.sign_in_provider == '{name}'"
        for name in ("password", "anonymous", "phone", "custom")
    },
    "identities-map": f"{TOKEN}.firebase.identities is map",
    "identities-empty": f"{TOKEN}.firebase.identities.size() == 0",
    "identities-email-only": f"{TOKEN}.firebase.identities.{only(['email'])}",
    "identities-phone-only": f"{TOKEN}.firebase.identities.{only(['phone'])}",
    "identities-email-is-token-email": f"{TOKEN}.firebase.identities.email == [{TOKEN}.email]",
    "identities-phone-is-token-phone": (
        f"{TOKEN}.firebase.identities.phone == [{TOKEN}.phone_number]"
    ),
    "tenant-shape": f"{TOKEN}.firebase.tenant is string",
    "tenant-absent": f"!('tenant' in {TOKEN}.firebase)",
    "claim-role-editor": f"{TOKEN}.role == 'editor'",
    "claim-role-admin": f"{TOKEN}.role == 'admin'",
    "claim-role-late": f"{TOKEN}.role == 'late'",
    "claim-level-int": f"{TOKEN}.level is int",
    "claim-ratio-float": f"{TOKEN}.ratio is float",
    "claim-flags-map": f"{TOKEN}.flags is map",
    "claim-tags-list": f"{TOKEN}.tags is list",
    "claim-tier-int": f"{TOKEN}.tier is int",
}
RULES = "\n".join(
    [
        "rules_version = '2';",
        "service cloud.firestore {",
        "  match /databases/{database}/documents {",
        *(
            f"    match /fsr-claim/{name} {{ allow get: if {condition}; }}"
            for name, condition in CONDITIONS.items()
        ),
        "  }",
        "}",
    ]
)
EDITOR = '{"role":"editor","level":3,"ratio":0.5,"flags":{"beta":true},"tags":["x","y"]}'


def person(name: str, claims: str = "{}", **fields) -> list[Step]:
    """An account with a password, signed in."""
    email = f"{name}-<run>@example.com"
    return [
        admin(f"create-{name}", "", localId=name, email=email, password="password123", **fields),
        admin(f"claims-{name}", "update", localId=name, customAttributes=claims),
        sign_in(name, email),
    ]


def reads(caller: str) -> list[Step]:
    """All the documents, as one caller."""
    token: str | Answer = "none" if caller == "none" else token_of(caller)
    return [Step(f"{caller}-{name}", "GET", f"{V1}/fsr-claim/{name}", token) for name in CONDITIONS]


STEPS = [
    app("anon", "signUp", returnSecureToken=True),
    *person("a", displayName="Ann", photoUrl="https://example.com/a.png"),
    *person("b"),
    *person("verified", EDITOR, emailVerified=True),
    *(step for caller in ("none", "anon", "a", "b", "verified") for step in reads(caller)),
]
PROGRAMS = {"fs-rules/auth-token/claims": Program(STEPS, rules=RULES)}
