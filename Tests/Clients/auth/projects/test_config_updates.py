"""Full and masked updates of a project's configuration."""

import pytest
from support.auth.sign_in import project  # noqa: F401

# MARK: Configuration

FRESH = {
    "signIn": {"allowDuplicateEmails": False},
    "blockingFunctions": {},
    "emailPrivacyConfig": {"enableImprovedEmailPrivacy": False},
}
SET = {
    "signIn": {"allowDuplicateEmails": True},
    "blockingFunctions": {"triggers": {"beforeCreate": {"functionUri": "http://localhost/f"}}},
    "emailPrivacyConfig": {"enableImprovedEmailPrivacy": True},
}


def config(project) -> dict:
    return unnamed(project, project.owner("GET", f"{project.v2}/config"))


def unnamed(project, answer: dict) -> dict:
    """As production, and not as the official emulator: Admin Node needs the name."""
    assert answer.pop("name") == f"projects/{project.id}/config"
    return answer


def full_update(project, body: dict, status: int = 200) -> dict:
    return project.owner("PATCH", f"{project.v2}/config", status, json=body)


def test_a_fresh_configuration(project):
    assert config(project) == FRESH


@pytest.mark.parametrize(
    "given, expected",
    [
        ({}, FRESH),
        (SET, SET),
        ({"unknown": 1, "mfa": {"state": "DISABLED"}}, FRESH),
        ({"signIn": {}}, FRESH),
        ({"signIn": {"allowDuplicateEmails": True}}, FRESH | {"signIn": SET["signIn"]}),
    ],
)
def test_a_full_update_of_the_configuration(project, given, expected):
    full_update(project, SET)
    assert unnamed(project, full_update(project, given)) == expected
    assert config(project) == expected


@pytest.mark.parametrize(
    "mask, given, expected",
    [
        ("signIn.allowDuplicateEmails", SET, {"signIn": SET["signIn"]}),
        ("emailPrivacyConfig", SET, {"emailPrivacyConfig": SET["emailPrivacyConfig"]}),
        ("blockingFunctions.triggers", SET, {"blockingFunctions": SET["blockingFunctions"]}),
        (
            "authorizedDomains",
            {"authorizedDomains": ["example.com"]},
            {"authorizedDomains": ["example.com"]},
        ),
        (
            "multiTenant.allowTenants",
            {"multiTenant": {"allowTenants": True}},
            {"multiTenant": {"allowTenants": True}},
        ),
        ("mfa", {"mfa": {"state": "DISABLED"}}, {"mfa": {"state": "DISABLED"}}),
        ("signIn", {}, {}),
    ],
)
def test_a_masked_update_of_the_configuration(project, mask, given, expected):
    assert unnamed(project, project.configure(mask, **given)) == FRESH | expected
    assert config(project) == FRESH | expected


def test_a_missing_upper_level_of_the_configuration_is_skipped(project):
    assert unnamed(project, project.configure("signIn.allowDuplicateEmails")) == FRESH


def test_the_configuration_of_a_tenant(project):
    answer = full_update(project, {"tenantId": "t1"}, 400)
    assert answer["error"]["message"] == (
        "((Can only update top-level configurations on agent projects.))"
    )


def test_the_emulators_view_of_the_configuration(project):
    view = {"signIn": FRESH["signIn"], "emailPrivacyConfig": FRESH["emailPrivacyConfig"]}
    path = f"{project.control}/config"
    assert project.request("GET", path) == view
    changed = view | {"signIn": {"allowDuplicateEmails": True}}
    body = {"signIn": {"allowDuplicateEmails": True}}
    assert project.request("PATCH", path, json=body) == changed
    assert project.request("GET", path) == changed
    # Not as the official emulator: this changes nothing (see the README).
    assert project.request("PATCH", path, json={}) == changed
    assert config(project) == FRESH | {"signIn": {"allowDuplicateEmails": True}}
