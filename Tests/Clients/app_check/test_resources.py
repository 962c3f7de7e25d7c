"""What tools manage: apps, debug tokens, services, policies; and tokens that are consumed."""

import concurrent.futures

import pytest
import requests
from support.auth.app_check import APP, SECRET

SERVICE = "/services/identitytoolkit.googleapis.com"


def ok(reply: requests.Response) -> dict:
    assert reply.status_code == 200, reply.text
    return reply.json()


def test_debug_tokens(app_check):
    tokens = f"/apps/{APP}/debugTokens"
    assert ok(app_check.admin("GET", tokens)) == {}
    made = ok(app_check.admin("POST", tokens, {"display_name": "CI", "token": SECRET}))
    assert made["displayName"] == "CI" and "token" not in made
    path = "/" + made["name"].split("/", 2)[2]
    assert ok(app_check.admin("GET", path)) == made
    changed = ok(app_check.admin("PATCH", path, {"displayName": "me"}, updateMask="display_name"))
    assert changed["displayName"] == "me"
    assert ok(app_check.admin("GET", tokens))["debugTokens"] == [changed]
    assert ok(app_check.admin("DELETE", path)) == {}
    assert app_check.admin("GET", path).status_code == 404


@pytest.mark.parametrize(
    "body",
    [{}, {"displayName": "x"}, {"token": SECRET}, {"displayName": "x", "token": "not-a-uuid"}],
    ids=str,
)
def test_a_debug_token_that_is_none(app_check, body):
    reply = app_check.admin("POST", f"/apps/{APP}/debugTokens", body)
    assert (reply.status_code, reply.json()["error"]["status"]) == (400, "INVALID_ARGUMENT")


def test_providers_have_defaults(app_check):
    path = f"/apps/{APP}/recaptchaV3Config"
    name = f"projects/{app_check.project}{path}"
    assert ok(app_check.admin("GET", path)) == {"name": name, "tokenTtl": "3600s"}
    set_ = ok(app_check.admin("PATCH", path, {"siteSecret": "s"}, updateMask="site_secret"))
    assert set_["siteSecretSet"] is True and "siteSecret" not in set_
    found = ok(app_check.admin("GET", "/apps/-/recaptchaV3Config:batchGet", names=name))
    assert found["configs"] == [set_]
    reply = app_check.admin("PATCH", path, {"tokenTtl": "60s"})
    assert reply.status_code == 400
    assert app_check.admin("PATCH", path, {"siteKey": "x"}).status_code == 400


def test_services_are_the_switches(app_check):
    never = ok(app_check.admin("GET", SERVICE))
    assert "enforcementMode" not in never and never["updateTime"].startswith("1970-")
    assert ok(app_check.admin("GET", "/services")) == {}
    ok(app_check.admin("PATCH", SERVICE, {"enforcementMode": "ENFORCED"}))
    assert app_check.sign_up().status_code == 401
    [service] = ok(app_check.admin("GET", "/services"))["services"]
    assert service["enforcementMode"] == "ENFORCED"
    name = {"name": f"projects/{app_check.project}{SERVICE}"}
    ok(
        app_check.admin(
            "POST",
            "/services:batchUpdate",
            {"requests": [{"service": name | {"enforcementMode": "OFF"}}]},
        )
    )
    assert app_check.sign_up().status_code == 200
    app_check.switches(appCheckAuth="monitor")
    assert ok(app_check.admin("GET", SERVICE))["enforcementMode"] == "UNENFORCED"
    unknown = app_check.admin("GET", "/services/pubsub.googleapis.com")
    assert (unknown.status_code, unknown.json()["error"]["message"]) == (
        400,
        "Service not supported",
    )
    assert app_check.admin("PATCH", SERVICE, {"enforcementMode": "MAYBE"}).status_code == 400
    stale = app_check.admin("PATCH", SERVICE, {"enforcementMode": "OFF", "etag": "x"})
    assert (stale.status_code, stale.json()["error"]["status"]) == (409, "ABORTED")


def test_other_services_are_kept(app_check):
    path = "/services/firebasestorage.googleapis.com"
    ok(app_check.admin("PATCH", path, {"enforcementMode": "ENFORCED"}))
    assert ok(app_check.admin("GET", path))["enforcementMode"] == "ENFORCED"


def test_policies(app_check):
    policies = "/services/oauth2.googleapis.com/resourcePolicies"
    body = {"targetResource": "//oauth2.googleapis.com/x", "enforcementMode": "ENFORCED"}
    made = ok(app_check.admin("POST", policies, body))
    path = "/" + made["name"].split("/", 2)[2]
    assert ok(app_check.admin("GET", policies))["resourcePolicies"] == [made]
    off = ok(app_check.admin("PATCH", path, {"enforcementMode": "OFF"}))
    assert off["enforcementMode"] == "OFF"
    assert ok(app_check.admin("DELETE", path)) == {}
    assert app_check.admin("GET", path).status_code == 404


def test_only_administrators_manage(app_check):
    for path in (SERVICE, f"/apps/{APP}/debugTokens", f"/apps/{APP}/recaptchaV3Config"):
        url = f"{app_check.base}/v1/projects/{app_check.project}{path}"
        assert requests.get(url, params={"key": "any"}, timeout=30).status_code in (400, 401, 403)


def consume(app_check, token: str) -> requests.Response:
    return app_check.admin("POST", ":verifyAppCheckToken", {"app_check_token": token})


def test_a_token_is_consumed_once(app_check):
    token = app_check.token(limitedUse=True)
    with concurrent.futures.ThreadPoolExecutor(100) as pool:
        answers = [ok(r) for r in pool.map(lambda _: consume(app_check, token), range(100))]
    assert answers.count({}) == 1
    assert answers.count({"alreadyConsumed": True}) == 99


def test_two_tokens_are_consumed_by_themselves(app_check):
    made = [app_check.token(limitedUse=True) for _ in range(2)]
    assert [ok(consume(app_check, token)) for token in made] == [{}, {}]


@pytest.mark.parametrize("kind", ["none", "tampered", "expired"])
def test_a_token_that_does_not_count_is_not_consumed(app_check, kind):
    token = app_check.token(limitedUse=True)
    if kind == "tampered":
        token = token[:-20] + "A" * 20
    if kind == "none":
        token = "none"
    if kind == "expired":
        app_check.control("PATCH", "/clock", {"advance": "PT6M"})
    reply = consume(app_check, token)
    assert (reply.status_code, reply.json()["error"]["status"]) == (403, "PERMISSION_DENIED")


def test_a_token_for_a_test(app_check):
    made = app_check.control("POST", "/appCheck:token", {"appId": APP, "lifetime": 60})
    assert made["ttl"] == "60s"
    app_check.switches(appCheckAuth="enforce")
    assert app_check.sign_up(made["token"]).status_code == 200
    page = requests.post(
        f"{app_check.server.auth}/emulator/v1/projects/{app_check.project}/appCheck:token",
        json={},
        headers={"Origin": "https://example.com"},
        timeout=30,
    )
    assert page.status_code == 403
    for body in ({"lifetime": 0}, {"unknown": 1}, {"appId": "with space"}):
        reply = requests.post(
            f"{app_check.server.auth}/emulator/v1/projects/{app_check.project}/appCheck:token",
            json=body,
            timeout=30,
        )
        assert reply.status_code == 400, body
