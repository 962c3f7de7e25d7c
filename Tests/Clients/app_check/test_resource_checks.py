"""What the management calls and the exchanges refuse."""

import pytest
import requests
from support.auth.app_check import APP

SERVICE = "/services/identitytoolkit.googleapis.com"
POLICIES = "/services/oauth2.googleapis.com/resourcePolicies"
TARGET = "//oauth2.googleapis.com/projects/12345/oauthClients/a"


def ok(reply: requests.Response) -> dict:
    assert reply.status_code == 200, reply.text
    return reply.json()


def refused(reply: requests.Response) -> tuple[int, str]:
    error = reply.json()["error"]
    assert error["code"] == reply.status_code
    return reply.status_code, error["status"]


@pytest.mark.parametrize("value", ["yes", 1, {}], ids=str)
def test_limited_use_is_true_or_false(app_check, value):
    """A token that lives longer than the caller wanted would be worse than none."""
    base = f"{app_check.base}/v1/projects/{app_check.project}/apps/{APP}"
    reply = requests.post(
        f"{base}:exchangeDebugToken",
        params={"key": "k"},
        json={"debug_token": "x", "limited_use": value},
        timeout=30,
    )
    assert refused(reply) == (400, "INVALID_ARGUMENT")
    assert "TYPE_BOOL" in reply.json()["error"]["message"]


@pytest.mark.parametrize("path", [SERVICE, f"/apps/{APP}/debugTokens", POLICIES])
def test_a_key_is_no_principal(app_check, path):
    url = f"{app_check.base}/v1/projects/{app_check.project}{path}"
    reply = requests.get(url, params={"key": "any"}, timeout=30)
    assert refused(reply) == (401, "UNAUTHENTICATED")


@pytest.mark.parametrize(
    ("config", "body"),
    [
        ("recaptchaV3Config", {"minValidScore": "a"}),
        ("recaptchaV3Config", {"minValidScore": 7}),
        ("recaptchaV3Config", {"siteSecret": 5}),
        ("recaptchaEnterpriseConfig", {"siteKey": [1]}),
        ("recaptchaEnterpriseConfig", {"riskAnalysis": 5}),
        ("recaptchaEnterpriseConfig", {"riskAnalysis": {"minValidScore": 1.5}}),
        ("playIntegrityConfig", {"appIntegrity": {"allowUnrecognizedVersion": "x"}}),
        ("playIntegrityConfig", {"deviceIntegrity": {"minDeviceRecognitionLevel": "HUGE"}}),
        ("deviceCheckConfig", {"keyId": 5}),
    ],
    ids=str,
)
def test_fields_of_providers_have_types(app_check, config, body):
    reply = app_check.admin("PATCH", f"/apps/{APP}/{config}", body)
    assert refused(reply) == (400, "INVALID_ARGUMENT")


@pytest.mark.parametrize(
    ("config", "body"),
    [
        ("recaptchaV3Config", {"minValidScore": 0.7, "siteSecret": "s"}),
        ("recaptchaEnterpriseConfig", {"riskAnalysis": {"minValidScore": 1}, "siteKey": "k"}),
        (
            "playIntegrityConfig",
            {
                "appIntegrity": {"allowUnrecognizedVersion": True},
                "deviceIntegrity": {"minDeviceRecognitionLevel": "MEETS_STRONG_INTEGRITY"},
                "accountDetails": {"requireLicensed": True},
            },
        ),
        ("appAttestConfig", {"tokenTtl": None}),
    ],
    ids=str,
)
def test_providers_as_the_tools_set_them(app_check, config, body):
    shown = ok(app_check.admin("PATCH", f"/apps/{APP}/{config}", body))
    assert shown.items() >= {n: v for n, v in body.items() if v and n != "siteSecret"}.items()


def test_replay_protection_needs_enforcement(app_check):
    reply = app_check.admin("PATCH", SERVICE, {"replayProtection": "ENFORCED"})
    assert refused(reply) == (400, "INVALID_ARGUMENT")
    both = {"enforcementMode": "ENFORCED", "replayProtection": "ENFORCED"}
    assert ok(app_check.admin("PATCH", SERVICE, both)).items() >= both.items()


@pytest.mark.parametrize("requests_", [5, [5], [{}], [{}] * 101], ids=str)
def test_batches(app_check, requests_):
    for path in ("/services:batchUpdate", POLICIES + ":batchUpdate"):
        reply = app_check.admin("POST", path, {"requests": requests_})
        assert refused(reply) == (400, "INVALID_ARGUMENT")


@pytest.mark.parametrize("mask", [5, ["enforcementMode"], {}, True], ids=str)
def test_masks_of_batches_are_texts(app_check, mask):
    name = f"projects/{app_check.project}{SERVICE}"
    one = {"service": {"name": name, "enforcementMode": "OFF"}}
    for body in (
        {"requests": [one | {"updateMask": mask}]},
        {"requests": [one], "updateMask": mask},
    ):
        reply = app_check.admin("POST", "/services:batchUpdate", body)
        assert refused(reply) == (400, "INVALID_ARGUMENT")
    assert ok(app_check.admin("POST", "/services:batchUpdate", {"requests": [one]}))


def test_a_batch_of_another_project(app_check):
    name = f"projects/other/apps/{APP}/recaptchaV3Config"
    reply = app_check.admin("GET", "/apps/-/recaptchaV3Config:batchGet", names=name)
    assert refused(reply) == (400, "INVALID_ARGUMENT")


@pytest.mark.parametrize(
    ("path", "target"),
    [
        (POLICIES, "garbage"),
        (POLICIES, "//oauth2.googleapis.com/"),
        (POLICIES, "//firestore.googleapis.com/x"),
        ("/services/firestore.googleapis.com/resourcePolicies", "//firestore.googleapis.com/x"),
    ],
)
def test_targets_of_policies(app_check, path, target):
    body = {"targetResource": target, "enforcementMode": "OFF"}
    assert refused(app_check.admin("POST", path, body)) == (400, "INVALID_ARGUMENT")


def test_policies_have_tags_and_batches(app_check):
    made = ok(
        app_check.admin("POST", POLICIES, {"targetResource": TARGET, "enforcementMode": "OFF"})
    )
    path = "/" + made["name"].split("/", 2)[2]
    stale = app_check.admin("PATCH", path, {"enforcementMode": "ENFORCED", "etag": "x"})
    assert refused(stale) == (409, "ABORTED")
    assert refused(app_check.admin("DELETE", path, etag="x")) == (409, "ABORTED")
    update = {"name": made["name"], "enforcementMode": "ENFORCED", "etag": made["etag"]}
    body = {"updateMask": "enforcementMode", "requests": [{"resourcePolicy": update}]}
    [changed] = ok(app_check.admin("POST", POLICIES + ":batchUpdate", body))["resourcePolicies"]
    assert changed["enforcementMode"] == "ENFORCED" and changed["etag"] != made["etag"]
    assert ok(app_check.admin("DELETE", path, etag=changed["etag"])) == {}


def test_tokens_that_a_back_end_mints(app_check):
    mint = f"/apps/{APP}:mintAppCheckToken"
    made = ok(app_check.admin("POST", mint, {"tokenTtl": "1800s"}))
    assert made["ttl"] == "1800s"
    assert (
        ok(app_check.admin("POST", ":verifyAppCheckToken", {"app_check_token": made["token"]}))
        == {}
    )
    once = ok(app_check.admin("POST", mint, {"limitedUseConfig": {"jti": "j" * 16}}))
    assert once["ttl"] == "300s"
    for body in (
        {"tokenTtl": "1s"},
        {"limitedUseConfig": 5},
        {"limitedUseConfig": {"jti": "j" * 251}},
    ):
        assert refused(app_check.admin("POST", mint, body)) == (400, "INVALID_ARGUMENT")
    url = f"{app_check.base}/v1/projects/{app_check.project}{mint}"
    assert refused(requests.post(url, params={"key": "k"}, json={}, timeout=30))[0] == 401


@pytest.mark.parametrize("body", [{"appId": 5}, {"limitedUse": "x"}], ids=str)
def test_a_token_for_a_test_has_typed_fields(app_check, body):
    url = f"{app_check.base.split('/firebaseappcheck')[0]}/emulator/v1/projects/{app_check.project}"
    assert requests.post(f"{url}/appCheck:token", json=body, timeout=30).status_code == 400
