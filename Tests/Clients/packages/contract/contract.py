"""What every client of Hearth can do, in Python. contract.test.cjs is the same in JavaScript.

Runs where the wheel and pytest are installed; the variable DIALECTS names a folder of definitions.
"""

import http.client
import json
import os
import pathlib
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from hearth_emulator import (
    HearthClient,
    HearthError,
    HearthServer,
    SecondFactorRequired,
    custom_token,
)

ANN, BOB = "ann@example.com", "bob@example.com"
RULES = """
rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /users/{uid} { allow read: if request.auth.uid == uid; }
  }
}
"""


def code_of(call, *arguments, **more) -> str:
    with pytest.raises(HearthError) as caught:
        call(*arguments, **more)
    return caught.value.code


# MARK: The five flows


def test_flow_1_sorted_signs_in(hearth_project):
    hearth_project.set_rules(RULES)
    ann = hearth_project.create_user(ANN, "secret1", display_name="Ann")
    hearth_project.set_documents(
        {
            f"users/{ann}": {
                "email": ANN,
                "displayName": "Ann",
                "createdAt": datetime(2026, 1, 1, tzinfo=UTC),
            }
        }
    )
    session = hearth_project.sign_in(ANN, "secret1")
    document = hearth_project.document(f"users/{ann}", session=session)
    assert document["email"] == ANN and document["createdAt"].year == 2026
    other = hearth_project.sign_up(BOB, "secret1")
    assert code_of(hearth_project.document, f"users/{ann}", session=other) == "PERMISSION_DENIED"
    assert code_of(hearth_project.sign_in, ANN, "wrong-one") == "INVALID_PASSWORD"
    hearth_project.add_fault("*.signInWithPassword", {"status": 503}, times=1)
    assert code_of(hearth_project.sign_in, ANN, "secret1") == "UNAVAILABLE"
    hearth_project.sign_in(ANN, "secret1")
    hearth_project.advance_clock("61m")
    assert code_of(hearth_project.lookup, session) == "TOKEN_EXPIRED"
    assert hearth_project.lookup(hearth_project.refresh(session)).display_name == "Ann"
    hearth_project.update_user(ann, disableUser=True)
    assert code_of(hearth_project.sign_in, ANN, "secret1") == "USER_DISABLED"


def test_flow_2_sorted_resets_a_password(hearth_project):
    hearth_project.create_user(ANN, "old secret")
    session = hearth_project.sign_in(ANN, "old secret")
    hearth_project.advance_clock(2)
    hearth_project.send_password_reset(ANN)
    code = hearth_project.wait_for_code(ANN)
    assert code in hearth_project.wait_for_link(ANN, "PASSWORD_RESET")
    hearth_project.reset_password(code, "new secret")
    hearth_project.sign_in(ANN, "new secret")
    assert code_of(hearth_project.sign_in, ANN, "old secret") == "INVALID_PASSWORD"
    assert code_of(hearth_project.refresh, session) == "TOKEN_EXPIRED"
    assert code_of(hearth_project.reset_password, code, "newer") == "INVALID_OOB_CODE"
    assert hearth_project.latest_mail(ANN).state == "used"
    hearth_project.send_password_reset(ANN)
    late = hearth_project.wait_for_code(ANN)
    hearth_project.advance_clock(timedelta(hours=2))
    assert code_of(hearth_project.reset_password, late, "newer") == "EXPIRED_OOB_CODE"
    assert code_of(hearth_project.send_password_reset, BOB) == "EMAIL_NOT_FOUND"
    hearth_project.set_switches(emailEnumerationProtection=True)
    hearth_project.send_password_reset(BOB)
    assert hearth_project.mails(BOB) == []


@pytest.fixture(scope="module")
def back_ends():
    files = sorted(str(path) for path in pathlib.Path(os.environ["DIALECTS"]).glob("*.json"))
    flags = [word for path in files for word in ("--dialect", path)]
    with HearthServer.start(*flags) as server:
        yield server.client()


def post(hearth: HearthClient, path: str, body: dict) -> tuple[int, dict]:
    connection = http.client.HTTPConnection(hearth.connection.host, hearth.connection.port)
    connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
    answer = connection.getresponse()
    return answer.status, json.loads(answer.read())


def test_flow_3_swiftly_feedback(back_ends):
    email = f"{uuid.uuid4().hex}@example.com"
    back_ends.sign_up(email, "secret1")
    assert post(back_ends, "/api/v1/auth/forgot-password", {"email": email})[0] == 200
    body = {"code": back_ends.wait_for_code(email), "new_password": "new-password"}
    assert len(body["code"]) == 8
    assert post(back_ends, "/api/v1/auth/reset-password", body)[0] == 200
    assert post(back_ends, "/api/v1/auth/reset-password", body)[0] == 400
    back_ends.sign_in(email, "new-password")


def test_flow_4_jabrutouch(back_ends):
    email = f"{uuid.uuid4().hex}@example.com"
    back_ends.sign_up(email, "secret1")
    connection = http.client.HTTPConnection(back_ends.connection.host, back_ends.connection.port)
    connection.request(
        "POST",
        "/api/reset_password/",
        json.dumps({"email": email}),
        {"Content-Type": "application/json", "User-Agent": "Jabrutouch/2.0"},
    )
    assert connection.getresponse().status == 200
    token = parse_qs(urlsplit(back_ends.wait_for_link(email)).query)["token"][0]
    body = {"token": token, "new_password": "New-password-1"}
    status, told = post(back_ends, "/api/confirm_reset_password/", body)
    assert (status, told["success"]) == (200, True)
    assert post(back_ends, "/api/confirm_reset_password/", body)[0] == 400
    back_ends.sign_in(email, "New-password-1")


def test_flow_5_artitec(back_ends):
    email = f"{uuid.uuid4().hex}@example.com"
    back_ends.sign_up(email, "secret1")
    post(back_ends, "/v1/auth/forgot-password", {"email": email})
    mail = back_ends.wait_for_mail(email)
    assert mail.link.startswith("artitec://reset-password?token=")
    assert post(back_ends, "/v1/auth/verify-reset-token", {"token": mail.link_token})[1]["valid"]
    body = {"token": mail.link_token, "new_password": "weak"}
    status, told = post(back_ends, "/v1/auth/reset-password", body)
    assert status == 400 and "Password" in told["detail"]
    body["new_password"] = "Strong-enough-1"
    assert post(back_ends, "/v1/auth/reset-password", body)[0] == 200
    back_ends.sign_in(email, "Strong-enough-1")


# MARK: Isolation


def use_a_project(project: HearthClient, number: int) -> None:
    assert project.users() == [] and project.mails() == []
    assert project.documents("things") == {}
    project.create_user(ANN, "secret1", local_id="ann")
    project.set_documents({"things/one": {"number": number}})
    project.send_password_reset(ANN)
    project.wait_for_code(ANN)
    assert project.document("things/one") == {"number": number}


@pytest.mark.parametrize("number", range(50))
def test_tests_do_not_see_each_other(hearth_project, number):
    use_a_project(hearth_project, number)


def test_50_projects_side_by_side_do_not_see_each_other(hearth):
    def run(number: int) -> None:
        project = hearth.isolated_project()
        use_a_project(project, number)
        project.clear()
        assert project.users() == []

    with ThreadPoolExecutor(50) as threads:
        assert len(list(threads.map(run, range(50)))) == 50


def test_a_cleared_project_is_empty(hearth):
    project = hearth.isolated_project()
    project.create_user(ANN, "secret1")
    project.set_documents({"things/one": {"a": 1}})
    project.advance_clock("1h")
    project.clear()
    assert project.users() == [] and project.document("things/one") is None
    assert project.clock().offset == "PT0S"


# MARK: What was seen instead


def test_a_wait_in_vain_tells_what_is_there(hearth_project):
    assert hearth_project.latest_mail(ANN) is None
    with pytest.raises(HearthError, match="mailbox of .* is empty") as caught:
        hearth_project.wait_for_code(ANN, within=0.05)
    assert caught.value.code == "NOT_FOUND"
    session = hearth_project.sign_up(ANN, "secret1")
    hearth_project.send_oob_code("VERIFY_EMAIL", session=session)
    assert code_of(hearth_project.send_password_reset, BOB) == "EMAIL_NOT_FOUND"
    with pytest.raises(HearthError) as caught:
        hearth_project.wait_for_link(ANN, "PASSWORD_RESET", within=0.05)
    words = str(caught.value)
    assert f"VERIFY_EMAIL to {ANN}, pending" in words
    assert "sendOobCode: 400 EMAIL_NOT_FOUND" in words


def test_calls_are_expected(hearth_project):
    hearth_project.sign_up(ANN, "secret1")
    [call] = hearth_project.wait_for_requests("*.signUp", status=200)
    assert call.method == "POST"
    with pytest.raises(HearthError, match="1 of 2 calls of .*signUp") as caught:
        hearth_project.wait_for_requests("*.signUp", times=2, within=0.05)
    assert caught.value.code == "TIMEOUT" and "accounts.signUp: 200" in str(caught.value)


def test_several_calls_are_waited_for(hearth_project):
    with ThreadPoolExecutor() as thread:
        calls = thread.submit(hearth_project.wait_for_requests, "*.signUp", times=2, within=60)
        hearth_project.sign_up(ANN, "secret1")
        hearth_project.sign_up(BOB, "secret1")
        assert [call.status for call in calls.result()] == [200, 200]


def test_an_address_is_verified_and_all_is_deleted(hearth_project):
    session = hearth_project.sign_up(ANN, "secret1")
    hearth_project.send_oob_code("VERIFY_EMAIL", session=session)
    hearth_project.apply_code(hearth_project.wait_for_code(ANN))
    assert hearth_project.user(ANN).email_verified
    hearth_project.delete_mails()
    hearth_project.delete_all_accounts()
    # Last: the deletion of the accounts is in the log, too.
    hearth_project.clear_requests()
    assert (hearth_project.mails(), hearth_project.users(), hearth_project.requests()) == (
        [],
        [],
        [],
    )


def test_a_server_that_is_gone_is_named():
    with pytest.raises(HearthError, match="no answer from http://127.0.0.1:1") as caught:
        HearthClient("127.0.0.1:1").clock()
    assert caught.value.code == "UNREACHABLE"


# MARK: Every kind of sign-in


def test_sign_ins(hearth_project):
    assert hearth_project.sign_in_anonymously().claims["provider_id"] == "anonymous"
    hearth_project.send_oob_code("EMAIL_SIGNIN", ANN, continue_url="http://localhost/")
    linked = hearth_project.sign_in_with_email_link(ANN, hearth_project.wait_for_code(ANN))
    assert linked.claims["email_verified"] is True
    phone = hearth_project.sign_in_with_phone("+15555550100")
    assert phone.claims["phone_number"] == "+15555550100"
    google = hearth_project.sign_in_with_provider("google.com", {"sub": "1", "email": BOB})
    assert google.claims["firebase"]["sign_in_provider"] == "google.com"
    hearth_project.put_persona("pia", email="pia@example.com", displayName="Pia")
    persona = hearth_project.sign_in_with_persona("pia", "github.com")
    assert persona.claims["firebase"]["sign_in_provider"] == "github.com"
    custom = hearth_project.sign_in_with_custom_token(custom_token("carl", {"plan": "gold"}))
    assert (custom.local_id, custom.claims["plan"]) == ("carl", "gold")
    hearth_project.set_claims("carl", {"admin": True})
    assert hearth_project.refresh(custom).claims["admin"] is True
    assert hearth_project.act_as("carl", {"trial": True}).claims["trial"] is True
    assert {one.local_id for one in hearth_project.users("carl")} == {"carl"}
    assert hearth_project.user("nobody@example.com") is None


def test_a_second_factor(hearth_project):
    hearth_project.create_user(ANN, "secret1", local_id="ann", email_verified=True)
    hearth_project.update_user(
        "ann", mfa={"enrollments": [{"mfaEnrollmentId": "phone", "phoneInfo": "+15555550100"}]}
    )
    with pytest.raises(SecondFactorRequired) as caught:
        hearth_project.sign_in(ANN, "secret1")
    session = hearth_project.sign_in_with_second_factor(caught.value, phone_number="+15555550100")
    assert session.claims["firebase"]["sign_in_second_factor"] == "phone"


def test_an_authenticator_app(hearth_project):
    hearth_project.create_user(ANN, "secret1", local_id="ann", email_verified=True)
    secret, enrolled = hearth_project.enroll_totp(
        hearth_project.sign_in(ANN, "secret1"), display_name="My app"
    )
    assert enrolled.local_id == "ann"

    def sign_in(**factor):
        with pytest.raises(SecondFactorRequired) as caught:
            hearth_project.sign_in(ANN, "secret1")
        return hearth_project.sign_in_with_second_factor(caught.value, **factor)

    # Each code counts once.
    for _ in range(2):
        session = sign_in(totp_secret=secret)
        assert session.claims["firebase"]["sign_in_second_factor"] == "totp"
    hearth_project.advance_clock(timedelta(seconds=60))
    hearth_project.freeze_clock()
    assert sign_in(totp_code=hearth_project.totp_code(secret)).local_id == "ann"
    with pytest.raises(HearthError, match="INVALID_CODE"):
        sign_in(totp_secret="ABCDEFGH")


def test_half_a_minute_ends_before_a_code_arrives(hearth_project, monkeypatch):
    hearth_project.freeze_clock()
    hearth_project.create_user(ANN, "secret1", local_id="ann", email_verified=True)
    secret, _ = hearth_project.enroll_totp(hearth_project.sign_in(ANN, "secret1"))
    codes, totp_code = [], hearth_project.totp_code

    def slow(*arguments, **options):
        codes.append(totp_code(*arguments, **options))
        if len(codes) == 1:
            hearth_project.advance_clock(timedelta(seconds=60))
        return codes[-1]

    monkeypatch.setattr(hearth_project, "totp_code", slow)
    with pytest.raises(SecondFactorRequired) as caught:
        hearth_project.sign_in(ANN, "secret1")
    session = hearth_project.sign_in_with_second_factor(caught.value, totp_secret=secret)
    assert session.local_id == "ann"
    # The first code was too old. The next one is that of the same period, and not a later one.
    assert len(codes) == 3 and codes[1] == codes[2] == totp_code(secret) != codes[0]


# MARK: Around the app


def test_clock_and_switches(hearth_project):
    then = datetime(2027, 1, 31, 9, 30, tzinfo=UTC)
    assert hearth_project.set_clock(then, frozen=True).now == then
    assert hearth_project.advance_clock("1h").now == then + timedelta(hours=1)
    assert hearth_project.freeze_clock(False).frozen is False
    assert hearth_project.reset_clock().offset == "PT0S"
    hearth_project.set_switches(rateLimits=True, passwordResetCodeLifetime=60)
    switches = hearth_project.switches()
    assert (switches["rateLimits"], switches["passwordResetCodeLifetime"]) == (True, 60)


def send_push(hearth: HearthClient, **message) -> int:
    connection = http.client.HTTPConnection(hearth.connection.host, hearth.connection.port)
    path = f"/v1/projects/{hearth.project}/messages:send"
    connection.request(
        "POST",
        path,
        json.dumps({"message": message}),
        {"Authorization": "Bearer owner", "Content-Type": "application/json"},
    )
    return connection.getresponse().status


def test_push_messages(hearth_project):
    phone = hearth_project.register_device(platform="ios", topics=["news"], name="Ann")
    assert (phone.platform, phone.state, phone.topics) == ("ios", "registered", ("news",))
    assert send_push(hearth_project, topic="news", notification={"title": "Hi"}) == 200
    push = hearth_project.wait_for_push("topic:news")
    assert (push.kind, push.subject, push.push["deviceCount"]) == ("PUSH", "Hi", 1)
    gone = hearth_project.register_device(phone.token, state="unregistered")
    assert gone.topics == ("news",)
    assert hearth_project.register_device(language="de_AT").language == "de-AT"
    assert gone.language is None
    assert send_push(hearth_project, token=phone.token) == 404
    assert code_of(hearth_project.register_device, state="lost") == "INVALID_ARGUMENT"
    with pytest.raises(HearthError, match="PUSH to topic:news"):
        hearth_project.wait_for_push("topic:other", within=0.01)
    with pytest.raises(HearthError, match="of type SMS"):
        hearth_project.wait_for_sms("+491701234567", within=0.01)


def test_faults(hearth_project):
    hearth_project.add_fault("*.signUp", {"error": "UNAVAILABLE"}, times=1)
    assert code_of(hearth_project.sign_up, ANN, "secret1") == "UNAVAILABLE"
    assert hearth_project.faults()[0]["hits"] == 1
    hearth_project.set_faults([{"operation": "*.signUp", "effect": {"drop": "before"}}])
    assert code_of(hearth_project.sign_up, ANN, "secret1") == "UNREACHABLE"
    hearth_project.clear_faults()
    hearth_project.sign_up(ANN, "secret1")
    assert code_of(hearth_project.add_fault, "*.sinUp", {"drop": "before"}) == "INVALID_ARGUMENT"


def test_snapshots(hearth_project):
    hearth_project.set_documents({"things/one": {"a": 1}})
    assert hearth_project.save_snapshot("seeded").name == "seeded"
    hearth_project.delete_all_documents()
    hearth_project.restore_snapshot("seeded")
    assert hearth_project.document("things/one") == {"a": 1}
    fork = hearth_project.fork_snapshot("seeded")
    assert fork.document("things/one") == {"a": 1} and fork.project != hearth_project.project
    fork.clear()
    hearth_project.delete_snapshot("seeded")
    assert hearth_project.snapshots() == []


def test_rewind(hearth_project):
    hearth_project.set_documents({"things/one": {"a": 1}})
    [*_, first] = hearth_project.requests("*ommit")
    hearth_project.set_documents({"things/one": {"a": 2}})
    then = hearth_project.rewind(first)
    assert then.client.project == hearth_project.project + "-rewind"
    assert then.client.document("things/one") == {"a": 1}
    assert any("Users and mails" in sentence for sentence in then.not_rebuilt)
    assert hearth_project.document("things/one") == {"a": 2}
    now = hearth_project.rewind(hearth_project.clock().now, hearth_project.project + "-now")
    assert now.client.document("things/one") == {"a": 2}
    assert code_of(hearth_project.rewind, "1999-01-31T09:30:00Z") == "FAILED_PRECONDITION"
    for made in (then, now):
        made.client.clear()


def test_a_seed(hearth_project):
    hearth_project.seed(
        "users: [{uid: ann, email: ann@example.com, password: secret1}]\n"
        "documents: {things/one: {a: 1}}\n"
    )
    assert hearth_project.sign_in(ANN, "secret1").local_id == "ann"
    assert hearth_project.document("things/one") == {"a": 1}


def test_values_of_documents(hearth_project):
    values = {
        "nothing": None,
        "yes": True,
        "number": 36,
        "half": 0.5,
        "text": "Ann",
        "bytes": b"\0\1",
        "born": datetime(1815, 12, 10, 1, 2, 3, 456789, UTC),
        "list": [1, "a", [None]][:2],
        "map": {"a": {"b": 1}},
        "friend": {"$reference": "users/bob"},
        "home": {"$geopoint": [51.5, -0.1]},
        "direction": {"$vector": [1.0, 2.0]},
        "none": {},
        "endless": float("inf"),
    }
    hearth_project.set_documents({"users/ann": values, "users/ann/notes/1": {"a": 1}})
    assert hearth_project.document("users/ann") == values
    hearth_project.delete_document("users/ann")
    assert hearth_project.documents("users/ann/notes") == {}


def test_rules(hearth_project):
    assert hearth_project.set_rules(RULES) == []
    asked = hearth_project.evaluate_rules("get", "users/ann", auth={"uid": "bob"})
    assert asked["allowed"] is False and "L5" in asked["reason"]
    assert hearth_project.evaluate_rules("get", "users/bob", auth={"uid": "bob"})["allowed"] is True
    assert code_of(hearth_project.set_rules, "service oops") == "INVALID_ARGUMENT"


# MARK: SDKs


def test_sdks_find_the_server_and_the_project(hearth_project):
    firestore = pytest.importorskip("google.cloud.firestore")
    admin = pytest.importorskip("firebase_admin")
    from firebase_admin import auth

    client = firestore.Client()
    assert client.project == hearth_project.project
    client.document("users/ann").set({"name": "Ann"})
    assert hearth_project.document("users/ann") == {"name": "Ann"}
    app = admin.initialize_app(name=hearth_project.project)
    try:
        made = auth.create_user(email=ANN, app=app)
        assert hearth_project.user(ANN).local_id == made.uid
    finally:
        admin.delete_app(app)
        client.close()


def test_errors_have_the_name_that_programs_import():
    for error in (HearthError, SecondFactorRequired):
        assert error.__module__ == "hearth_emulator"


def test_a_token_of_app_check(hearth_project):
    app = "1:448618578101:web:cc6c1dc7a65cc83c"
    hearth_project.set_switches(appCheckAuth="monitor")
    token = hearth_project.app_check_token(app)
    assert len(token.split(".")) == 3 and token != hearth_project.app_check_token(limited_use=True)
    hearth_project.sign_up(ANN, "secret1")
    report = hearth_project.app_check_report()
    assert (report["verified"], report["unverified"], report["refused"]) == (0, 1, 0)
