"""The configuration of a project, and the codes that the emulator lists."""

MODES = {
    "EMAIL_SIGNIN": "signIn",
    "PASSWORD_RESET": "resetPassword",
    "VERIFY_EMAIL": "verifyEmail",
    "VERIFY_AND_CHANGE_EMAIL": "verifyAndChangeEmail",
    "RECOVER_EMAIL": "recoverEmail",
}


def scope(project, tenant: str | None = None) -> str:
    return project.control + (f"/tenants/{tenant}" if tenant else "")


def oob_codes(project, tenant: str | None = None) -> list[dict]:
    answer = project.request("GET", f"{scope(project, tenant)}/oobCodes")
    assert list(answer) == ["oobCodes"]
    return answer["oobCodes"]


A, B, C = "a@example.com", "b@example.com", "c@example.com"
FRESH = {
    "signIn": {"allowDuplicateEmails": False},
    "blockingFunctions": {},
    "emailPrivacyConfig": {"enableImprovedEmailPrivacy": False},
}


def unnamed(project, config: dict) -> dict:
    assert config.pop("name") == f"projects/{project.id}/config"
    return config


def config(project) -> dict:
    return unnamed(project, project.owner("GET", f"{project.v2}/config"))


def patch(project, body: dict, mask: str | None = None, status: int = 200) -> dict:
    params = {} if mask is None else {"updateMask": mask}
    answer = project.owner("PATCH", f"{project.v2}/config", status, params=params, json=body)
    return unnamed(project, answer) if status == 200 else answer


def view(project) -> dict:
    """What the emulator's own page shows."""
    return project.request("GET", f"{project.control}/config")


def google(project, sub: str, **more) -> dict:
    return project.idp("google.com", {"sub": sub, "email": A, "email_verified": True}, **more)


def duplicate(project, **more) -> bool:
    """Whether a second account with the same address is created."""
    google(project, "1", **more)
    return google(project, "2", **more).get("isNewUser", False)
