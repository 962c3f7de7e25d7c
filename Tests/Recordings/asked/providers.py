"""What was asked about identity providers and their configurations."""

import dataclasses
import hashlib

from ..steps import IT, Answer, Custom, Form, Program, Step, admin, app, create

ISSUER = "https://issuer.example/oidc/<run>"
SITE = "https://<project>.web.app/saml/<run>"
HANDLER = "https://<project>.firebaseapp.com/__/auth/handler"


def named(kind: str, letter: str) -> str:
    return f"{kind}.fireemu-<run>-{letter}"


def setting(name: str, method: str, path: str, body: dict | None = None, **query) -> Step:
    return Step(name, method, f"{IT}/v2/projects/<project>/{path}", "admin", body, query)


def oidc(name: str, config_id: str, **body) -> Step:
    return setting(name, "POST", "oauthIdpConfigs", body, oauthIdpConfigId=config_id)


def provider(name: str, letter: str, **more) -> Step:
    body = {
        "clientId": f"client-{letter}",
        "issuer": ISSUER,
        "enabled": True,
        "responseType": {"idToken": True},
    }
    return oidc(name, named("oidc", letter), **body | more)


def saml(name: str, letter: str, certificate: str, **more) -> Step:
    body = {
        "idpConfig": {
            "idpEntityId": SITE,
            "ssoUrl": f"{SITE}/sso",
            "idpCertificates": [{"x509Certificate": certificate}],
        },
        "spConfig": {
            "spEntityId": "https://<project>.firebaseapp.com/saml/<run>",
            "callbackUri": HANDLER,
        },
    }
    return setting(
        name, "POST", "inboundSamlConfigs", body | more, inboundSamlConfigId=named("saml", letter)
    )


def enter(name: str, provider_id: str, /, **form) -> Step:
    return app(
        name,
        "signInWithIdp",
        requestUri="http://localhost",
        postBody=Form({"providerId": provider_id} | form),
        returnSecureToken=True,
        returnIdpCredential=True,
    )


def with_token(
    name: str, letter: str, token: str, session: str | None = None, credential: bool = True, **form
) -> Step:
    step = enter(name, named("oidc", letter), id_token=Custom(token), **form)
    more = {"idToken": Answer(session, "idToken")} if session else {}
    body = step.body | more | {"returnIdpCredential": credential}
    return dataclasses.replace(step, body=body)


def owner(name: str, who: str) -> Step:
    return create(name, email=fed(who), password="fireemu-password-1")


def shown(name: str, step: str) -> Step:
    return admin(name, "lookup", localId=[Answer(step, "localId")])


def fed(name: str) -> str:
    return f"fireemu-fed-<run>-{name}@example.com"


def again(name: str) -> Step:
    return app(
        name,
        "signInWithIdp",
        requestUri="http://localhost",
        pendingToken=Answer("first", "pendingToken"),
        returnSecureToken=True,
    )


def identity(letter: str, subject: str, /, **claims) -> dict:
    """The token of a provider, for `tokens.minted`."""
    return {"set": {"iss": ISSUER, "aud": f"client-{letter}", "sub": subject} | claims}


A = f"oauthIdpConfigs/{named('oidc', 'a')}"
S = f"inboundSamlConfigs/{named('saml', 'a')}"
F = "defaultSupportedIdpConfigs/facebook.com"
B = named("oidc", "b")

OIDC = Program(
    [
        provider("create", "a"),
        oidc("create-duplicate", named("oidc", "a"), clientId="client-a", issuer=ISSUER),
        oidc("create-without-prefix", "fireemu-<run>-noprefix", clientId="c", issuer=ISSUER),
        oidc("create-without-client", B, issuer=ISSUER),
        oidc(
            "create-both-responses",
            B,
            clientId="c",
            issuer=ISSUER,
            responseType={"idToken": True, "code": True},
        ),
        oidc(
            "create-code-without-secret",
            B,
            clientId="c",
            issuer=ISSUER,
            responseType={"code": True},
        ),
        oidc("create-http-issuer", B, clientId="c", issuer="http://<project>.web.app/oidc/<run>"),
        setting("get", "GET", A),
        setting("list", "GET", "oauthIdpConfigs", pageSize="1"),
        setting(
            "patch-display-name",
            "PATCH",
            A,
            {"displayName": "Run A", "clientId": "ignored"},
            updateMask="displayName",
        ),
        setting(
            "patch-secret",
            "PATCH",
            A,
            {"clientSecret": "fireemu-secret"},
            updateMask="clientSecret",
        ),
        setting("get-after-secret", "GET", A),
        setting("delete", "DELETE", A),
        setting("get-deleted", "GET", A),
    ]
)

SAML = Program(
    [
        saml("create", "a", "a certificate", enabled=True),
        saml("create-bad-certificate", "b", "fireemu-not-a-certificate"),
        setting("get", "GET", S),
        setting(
            "patch-sign-request",
            "PATCH",
            S,
            {"idpConfig": {"signRequest": True}},
            updateMask="idpConfig.signRequest",
        ),
        setting("get-after-sign-request", "GET", S),
        setting("delete", "DELETE", S),
    ]
)

WELL_KNOWN = Program(
    [
        Step("list-supported", "GET", f"{IT}/v2/defaultSupportedIdps", "admin"),
        setting("list", "GET", "defaultSupportedIdpConfigs"),
        setting(
            "create",
            "POST",
            "defaultSupportedIdpConfigs",
            {"enabled": False, "clientId": "fireemu-client", "clientSecret": "fireemu-secret"},
            idpId="facebook.com",
        ),
        setting("get", "GET", F),
        setting("patch-enabled", "PATCH", F, {"enabled": True}, updateMask="enabled"),
        setting("delete", "DELETE", F),
        setting("get-deleted", "GET", F),
    ]
)

REFUSALS = Program(
    [
        enter("google-garbage-id-token", "google.com", id_token="fireemu-garbage"),
        enter("facebook-garbage-access-token", "facebook.com", access_token="fireemu-garbage"),
        with_token("unconfigured-oidc", "missing", "missing"),
        oidc(
            "create-disabled",
            named("oidc", "off"),
            clientId="client-off",
            issuer=ISSUER,
            enabled=False,
        ),
        with_token("disabled-oidc", "off", "off"),
        app(
            "create-auth-uri-disabled",
            "createAuthUri",
            providerId=named("oidc", "off"),
            continueUri=HANDLER,
        ),
        setting("delete-disabled", "DELETE", f"oauthIdpConfigs/{named('oidc', 'off')}"),
    ],
    tokens={"missing": identity("missing", "s"), "off": identity("off", "s")},
)

VERIFICATION = Program(
    [
        provider("create-provider", "v"),
        *(
            with_token(name, "v", name)
            for name in (
                "valid",
                "other-key",
                "unknown-kid",
                "wrong-issuer",
                "wrong-audience",
                "several-audiences",
                "expired",
                "issued-in-future",
                "not-yet-valid",
                "without-subject",
                "hs256-header",
            )
        ),
        enter("garbage", named("oidc", "v"), id_token="fireemu-garbage"),
        enter("missing-token", named("oidc", "v")),
        with_token("unpublished-issuer", "u", "valid"),
    ],
    tokens={
        "valid": identity("v", "sub-valid", email=fed("valid"), email_verified=True),
        "other-key": identity("v", "s"),
        "unknown-kid": identity("v", "s"),
        "wrong-issuer": identity("v", "s", iss="https://<project>.web.app/oidc/<run>-other"),
        "wrong-audience": identity("v", "s", aud="client-other"),
        "several-audiences": identity(
            "v", "sub-several-audiences", aud=["client-v", "client-other"]
        ),
        "expired": identity("v", "s") | {"later": -7200},
        "issued-in-future": identity("v", "s") | {"later": 3600},
        "not-yet-valid": identity("v", "sub-not-yet-valid") | {"starts": 3600},
        "without-subject": identity("v", "s") | {"omit": ["sub"]},
        "hs256-header": identity("v", "s") | {"header": {"alg": "HS256"}},
    },
)

PENDING = Program(
    [provider("create-provider", "p"), with_token("first", "p", "first")]
    + [again("pending-token"), again("pending-token-again")],
    tokens={"first": identity("p", "sub-pending", email=fed("pending"), email_verified=True)},
)

SWITCHED = Program(
    [
        provider("create-provider", "e"),
        with_token("enabled", "e", "enabled"),
        setting(
            "disable",
            "PATCH",
            f"oauthIdpConfigs/{named('oidc', 'e')}",
            {"enabled": False},
            updateMask="enabled",
        ),
        with_token("disabled", "e", "enabled"),
    ],
    tokens={"enabled": identity("e", "sub-enabled")},
)

LINKING = Program(
    [
        provider("create-provider", "l"),
        with_token("first", "l", "first"),
        owner("create-other", "other"),
        owner("create-taken", "taken"),
        with_token("link-second", "l", "second", "first"),
        shown("lookup-linked", "first"),
        with_token("link-linked-elsewhere", "l", "second", "first"),
        with_token(
            "link-linked-elsewhere-without-credential", "l", "second", "first", credential=False
        ),
        with_token("link-taken-email", "l", "taken", "first"),
    ],
    tokens={
        "first": identity("l", "sub-first", email=fed("first"), email_verified=True),
        "second": identity("l", "sub-second"),
        "taken": identity("l", "sub-taken", email=fed("taken"), email_verified=True),
    },
)

ALLOWED = dataclasses.replace(
    setting(
        "allow-duplicates",
        "PATCH",
        "config",
        {"signIn": {"allowDuplicateEmails": True}},
        updateMask="signIn.allowDuplicateEmails",
    ),
    in_part=True,
)
DUPLICATES = Program(
    [
        provider("create-provider", "d"),
        ALLOWED,
        owner("create-owner", "shared"),
        with_token("sign-in-with-duplicates-allowed", "d", "shared"),
        shown("lookup-owner", "create-owner"),
    ],
    tokens={"shared": identity("d", "sub-shared", email=fed("shared"), email_verified=True)},
)

NONCE = "fireemu-nonce-a"
NONCES = Program(
    [
        provider("create-provider", "n"),
        with_token("matching-nonce", "n", "hashed", nonce=NONCE),
        with_token("other-nonce", "n", "hashed", nonce="fireemu-nonce-b"),
        with_token("token-nonce-only", "n", "hashed"),
        with_token("request-nonce-only", "n", "plain", nonce=NONCE),
    ],
    tokens={
        "hashed": identity("n", "sub-hashed", nonce=hashlib.sha256(NONCE.encode()).hexdigest()),
        "plain": identity("n", "sub-plain"),
    },
)

TWICE = Program(
    [
        provider("create-provider", "r"),
        with_token("first", "r", "once"),
        with_token("again", "r", "once"),
    ],
    tokens={"once": identity("r", "sub-once")},
)

PROGRAMS = {
    "auth-federation/duplicate-email": DUPLICATES,
    "auth-federation/link": LINKING,
    "auth-federation/oidc/nonce": NONCES,
    "auth-federation/oidc/replay": TWICE,
    "auth-federation/oidc/verification": VERIFICATION,
    "auth-federation/pending-token": PENDING,
    "auth-federation/provider-config/default-supported": WELL_KNOWN,
    "auth-federation/provider-config/oidc": OIDC,
    "auth-federation/provider-config/saml": SAML,
    "auth-federation/provider-enablement": SWITCHED,
    "auth-federation/third-party-refusals": REFUSALS,
}
