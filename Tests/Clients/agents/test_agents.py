"""`hearth mcp` and `/mcp` with the client of the Python index."""

import asyncio
import http.server
import json
import os
import re
import socket
import subprocess
import threading

import pytest
import requests
from mcp import Client, MCPError, StdioServerParameters
from support.agents import Agent, connection, converse  # noqa: F401
from support.server import Server, binary, free_port
from support.waiting import until

TOOLS = [
    "wait_for_mail",
    "open_link",
    "register_device",
    "create_user",
    "sign_in",
    "mint_token",
    "query",
    "write",
    "explain_denial",
    "try_rules",
    "missing_indexes",
    "advance_clock",
    "add_fault",
    "snapshot",
    "restore",
    "rewind",
    "requests",
]

RULES = """
rules_version = '2';
service cloud.firestore {
  match /databases/{db}/documents {
    match /users/{uid} {
      allow read, write: if request.auth.uid == uid && request.auth.token.role == 'editor';
    }
  }
}
"""

both = pytest.mark.parametrize("transport", ["stdio", "http"])


@pytest.fixture(scope="module")
def hearth(tmp_path_factory):
    rules = tmp_path_factory.mktemp("rules") / "firestore.rules"
    rules.write_text(RULES)
    server = Server("--rules", str(rules))
    yield server
    server.stop()


# MARK: Stories


@both
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_password_is_reset_in_five_calls(hearth, transport, mode):
    async def story(agent: Agent) -> None:
        await agent.use("create_user", email="ann@example.com", password="old secret")
        mail = await agent.use(
            "wait_for_mail", to="ann@example.com", type="PASSWORD_RESET", send=True
        )
        assert mail["state"] == "pending" and mail["code"] in mail["link"]
        await agent.use("open_link", link=mail["link"], newPassword="new secret")
        words = await agent.fail("sign_in", email="ann@example.com", password="old secret")
        assert "PASSWORD" in words or "CREDENTIALS" in words
        session = await agent.use("sign_in", email="ann@example.com", password="new secret")
        assert session["claims"]["email"] == "ann@example.com"
        assert session["claims"]["aud"] == agent.project
        assert agent.calls == 5

    converse(hearth, transport, story, mode)


@both
def test_rules_are_explained_and_tried(hearth, transport):
    async def story(agent: Agent) -> None:
        await agent.use("create_user", uid="ann", claims={"role": "reader"})
        await agent.use("write", path="users/ann", data={"name": "Ann"})
        assert "explain_denial" in await agent.fail("query", path="users/ann", **{"as": "ann"})
        why = await agent.use("explain_denial")
        assert why["uid"] == "ann" and why["path"] == "users/ann"
        reasons = [reason["expression"] for allow in why["allows"] for reason in allow["because"]]
        assert reasons == ["request.auth.token.role == 'editor'"]
        wanted = await agent.use(
            "try_rules", method="get", path="users/ann", uid="ann", claims={"role": "editor"}
        )
        assert wanted["allowed"] is True
        refused = await agent.use("try_rules", method="get", path="users/ann")
        assert refused["allowed"] is False
        looser = RULES.replace(" && request.auth.token.role == 'editor'", "")
        tried = await agent.use(
            "try_rules", method="get", path="users/ann", uid="ann", rules=looser
        )
        assert tried["allowed"] is True
        assert "firestore.rules:1" in await agent.fail(
            "try_rules", method="get", path="users/ann", rules="service x"
        )

    converse(hearth, transport, story)


# MARK: Tools


@both
def test_the_tools_are_listed_with_schemas(hearth, transport):
    async def story(agent: Agent) -> None:
        tools = (await agent.client.list_tools()).tools
        assert [tool.name for tool in tools] == TOOLS
        for tool in tools:
            assert tool.input_schema["type"] == "object"
            assert "Example: {" in tool.description

    converse(hearth, transport, story)


@both
def test_users_and_tokens(hearth, transport):
    async def story(agent: Agent) -> None:
        user = await agent.use(
            "create_user",
            uid="ann",
            email="ann@example.com",
            password="secret1",
            emailVerified=True,
            claims={"admin": True},
        )
        assert user == {"uid": "ann", "email": "ann@example.com", "claims": {"admin": True}}
        assert "sign_in" in await agent.fail("create_user", email="ann@example.com")
        token = await agent.use("mint_token", uid="ann", claims={"role": "x"})
        assert token["claims"]["admin"] is True and token["claims"]["role"] == "x"
        assert "create_user" in await agent.fail("mint_token", uid="nobody")
        mail = await agent.use(
            "wait_for_mail", to="ann@example.com", type="EMAIL_SIGNIN", send=True
        )
        opened = await agent.use("open_link", to="ann@example.com", type="EMAIL_SIGNIN")
        assert opened["mode"] == "signIn" and opened["code"] == mail["code"]
        session = await agent.use("sign_in", email="ann@example.com", code=opened["code"])
        assert session["uid"] == "ann"

    converse(hearth, transport, story)


@both
def test_a_mail_that_does_not_come_is_answered_with_those_that_did(hearth, transport):
    async def story(agent: Agent) -> None:
        words = await agent.fail("wait_for_mail", to="bob@example.com", seconds=1)
        assert "mailbox of" in words and "is empty" in words
        await agent.use("create_user", email="ann@example.com")
        await agent.use("wait_for_mail", to="ann@example.com", type="PASSWORD_RESET", send=True)
        words = await agent.fail("wait_for_mail", to="bob@example.com", seconds=1)
        assert "ann@example.com · PASSWORD_RESET" in words
        assert "newPassword" in await agent.fail("open_link", to="ann@example.com")
        assert "create_user" in await agent.fail(
            "wait_for_mail", to="no@example.com", type="PASSWORD_RESET", send=True
        )

    converse(hearth, transport, story)


@both
def test_push_messages_and_texts_are_waited_for(hearth, transport):
    def send(agent: Agent, **message) -> int:
        return requests.post(
            f"{hearth.auth}/v1/projects/{agent.project}/messages:send",
            json={"message": message},
            headers={"Authorization": "Bearer owner"},
            timeout=30,
        ).status_code

    async def story(agent: Agent) -> None:
        phone = await agent.use("register_device", platform="ios", topics=["news"])
        assert (phone["platform"], phone["state"]) == ("ios", "registered")
        body = {"body": "Your code is 482913."}
        assert send(agent, topic="news", notification=body) == 200
        push = await agent.use("wait_for_mail", to="topic:news", type="PUSH")
        assert (push["type"], push["code"]) == ("PUSH", "482913")
        words = await agent.fail("wait_for_mail", to="topic:other", type="PUSH", seconds=1)
        assert "topic:news · PUSH" in words, words
        await agent.use("register_device", token=phone["token"], state="unregistered")
        assert send(agent, token=phone["token"]) == 404
        requests.post(
            f"{hearth.auth}/identitytoolkit.googleapis.com/v1/accounts:sendVerificationCode",
            params={"key": agent.project},
            json={"phoneNumber": "+491701234567", "recaptchaToken": "x"},
            timeout=30,
        )
        text = await agent.use("wait_for_mail", to="+491701234567", type="SMS")
        assert text["type"] == "SMS" and text["code"]
        words = await agent.fail("wait_for_mail", to="+491709999999", type="SMS", seconds=1)
        assert "+491701234567 · SMS" in words, words

    converse(hearth, transport, story)


@both
def test_a_mail_that_verifies_an_address_is_sent(hearth, transport):
    async def story(agent: Agent) -> None:
        ask = {"to": "ann@example.com", "type": "VERIFY_EMAIL", "send": True}
        assert "create_user" in await agent.fail("wait_for_mail", **ask)
        await agent.use("create_user", email="ann@example.com")
        mail = await agent.use("wait_for_mail", **ask)
        assert mail["type"] == "VERIFY_EMAIL" and mail["state"] == "pending"
        await agent.use("open_link", link=mail["link"])
        again = await agent.use("wait_for_mail", **ask)
        assert again["id"] != mail["id"]
        await agent.use("create_user", email="off@example.com", disabled=True)
        words = await agent.fail("wait_for_mail", **{**ask, "to": "off@example.com"})
        assert "USER_DISABLED" in words and "another user" in words

    converse(hearth, transport, story)


@both
def test_values_are_those_of_seeds(hearth, transport):
    async def story(agent: Agent) -> None:
        data = {
            "vector": {"$vector": [1, 2.5]},
            "map": {"$map": {"$x": 1}},
            "friend": {"$reference": "users/bob"},
            "whole": {"$double": 3},
            "number": 3,
            "half": 0.5,
            "none": {"$double": "NaN"},
            "key": {"$bytes": "AAEC"},
            "home": {"$geopoint": [51.5, -0.1]},
        }
        assert (await agent.use("write", path="users/ann", data=data))["data"] == data
        read = (await agent.use("query", path="users/ann"))["data"]
        assert read == data
        # What was read is written as it was.
        await agent.use("write", path="users/ann", data=read)
        assert (await agent.use("query", path="users/ann"))["data"] == data
        fields = requests.get(
            f"{hearth.addresses['firestore']}/v1/projects/{agent.project}/databases/(default)/documents/users/ann",
            headers={"Authorization": "Bearer owner"},
            timeout=30,
        ).json()["fields"]
        assert fields["whole"] == {"doubleValue": 3} and fields["number"] == {"integerValue": "3"}
        assert fields["friend"]["referenceValue"].endswith(
            f"{agent.project}/databases/(default)/documents/users/bob"
        )
        found = await agent.use(
            "query",
            collection="users",
            where=[{"field": "friend", "op": "==", "value": {"$reference": "users/bob"}}],
        )
        assert [one["path"] for one in found["documents"]] == ["users/ann"]
        assert "$vector" in await agent.fail("write", path="users/ann", data={"x": {"$time": 1}})

    converse(hearth, transport, story)


@both
def test_long_answers_are_json(hearth, transport):
    async def story(agent: Agent) -> None:
        for number in range(10):
            await agent.use("write", path=f"long/d{number}", data={"text": "é" * 1500})
        await agent.text("write", path="huge/d", data={"text": '"' * 20_000})
        some = await agent.use("query", collection="long")
        kept = [one["path"] for one in some["documents"]]
        assert kept == [f"long/d{number}" for number in range(5)]
        assert some["cut"].startswith("The last 5 of 10 documents are left out.")
        huge = await agent.use("query", path="huge/d")
        assert huge["start"].startswith('{"path":"huge/d"') and "limit" in huge["cut"]

    converse(hearth, transport, story)


@both
def test_each_error_says_what_to_do(hearth, transport):
    async def story(agent: Agent) -> None:
        await agent.fail("write", path="a/b", data={"__x__": 1})
        await agent.fail("write", path="a/b", data={"at": {"$timestamp": "soon"}})
        await agent.fail("write", path="__a__/b", data={})
        await agent.fail("query", collection="a", where=[{"field": "b..c", "op": "==", "value": 1}])
        await agent.fail("query", collection="a", where=[{"field": "b", "op": "in", "value": 1}])
        assert "@example.com" in await agent.fail("create_user", email="nonsense")
        assert "@example.com" in await agent.fail(
            "wait_for_mail", to="nonsense", type="PASSWORD_RESET", send=True
        )
        await agent.fail("try_rules", method="get", path="a")
        await agent.fail("add_fault", operation="*", latency="long")
        assert "0s" in await agent.fail("advance_clock")
        for tool, arguments in [("requests", {}), ("create_user", {}), ("query", {"path": "a/b"})]:
            words = await agent.fail(tool, **arguments, project="a b")
            assert "demo-test-1" in words or tool == "query", words

    converse(hearth, transport, story)


@both
def test_documents(hearth, transport):
    async def story(agent: Agent) -> None:
        for age in (17, 30, 42):
            await agent.use("write", path=f"people/p{age}", data={"age": age, "tags": ["a"]})
        await agent.use("write", path="people/p17", mode="merge", data={"odd name`": 1.5})
        found = await agent.use(
            "query",
            collection="people",
            where=[{"field": "age", "op": ">=", "value": 18}],
            orderBy=["-age"],
            limit=1,
        )
        assert found == {
            "documents": [{"path": "people/p42", "data": {"age": 42, "tags": ["a"]}}],
            "more": True,
        }
        one = await agent.use("query", path="people/p17")
        assert one["data"] == {"age": 17, "tags": ["a"], "odd name`": 1.5}
        added = await agent.use("write", path="people", data={"$x": 1, "y": None})
        assert added["path"].startswith("people/")
        await agent.fail("write", path="people/p17", mode="create", data={})
        time = {"$timestamp": "2027-01-01T00:00:00Z"}
        await agent.use("write", path="a b/c%2F", mode="create", data={"at": time})
        assert (await agent.use("query", path="a b/c%2F"))["data"] == {"at": time}
        assert await agent.use("write", path="people/p17", mode="delete") == {
            "deleted": "people/p17"
        }
        await agent.fail("query", path="people/p17")
        await agent.use("write", path="people/p1/kids/k", data={})
        group = await agent.use("query", collection="kids", group=True)
        assert [found["path"] for found in group["documents"]] == ["people/p1/kids/k"]

    converse(hearth, transport, story)


@both
def test_indexes_clock_faults_snapshots_and_requests(hearth, transport):
    async def story(agent: Agent) -> None:
        assert "No request matches" in (await agent.use("requests"))["next"]
        assert "explain_denial" not in await agent.fail("explain_denial")
        await agent.use("missing_indexes", mode="warn")
        await agent.use(
            "query", collection="c", where=[{"field": "a", "op": "==", "value": 1}], orderBy=["b"]
        )
        report = await agent.use("missing_indexes")
        assert report["missing"][0]["indexes"][0]["collectionGroup"] == "c"

        await agent.use("create_user", email="ann@example.com", password="secret1")
        await agent.use("snapshot", name="seeded")
        assert "replace" in await agent.fail("snapshot", name="seeded")
        await agent.use(
            "add_fault", operation="*.signInWithPassword", error="USER_DISABLED", times=1
        )
        assert "requests" in await agent.fail(
            "add_fault", operation="*.nothing", error="UNAVAILABLE"
        )
        await agent.fail("sign_in", email="ann@example.com", password="secret1")
        await agent.use("sign_in", email="ann@example.com", password="secret1")
        listed = await agent.use("requests", status="failed", operation="*.signInWithPassword")
        assert [entry["error"] for entry in listed["requests"]] == ["USER_DISABLED"]
        whole = await agent.use("requests", request=listed["requests"][0]["id"])
        assert whole["body"]["email"] == "ann@example.com" and "secret1" not in json.dumps(whole)
        assert (await agent.use("add_fault", clear=True))["faults"] == []

        await agent.use("wait_for_mail", to="ann@example.com", type="PASSWORD_RESET", send=True)
        assert (await agent.use("advance_clock", by="2h"))["offset"] == "PT2H"
        await agent.fail("advance_clock", by="soon")
        await agent.fail("wait_for_mail", to="ann@example.com", seconds=1)
        expired = await agent.use("wait_for_mail", to="ann@example.com", seconds=0)
        assert expired["state"] == "expired"
        made = await agent.use("rewind", request=listed["requests"][0]["id"])
        assert made["project"] == f"{agent.project}-rewind" and made["notRebuilt"]
        assert "requests" in await agent.fail("rewind", request=10**9)
        assert "either" in await agent.fail("rewind")
        assert "seeded" in await agent.fail("restore", name="other")
        await agent.use("restore", name="seeded")
        assert (await agent.use("advance_clock", by="0s"))["offset"] == "PT0S"

    converse(hearth, transport, story)


@both
def test_wrong_arguments_are_told_and_unknown_tools_are_errors(hearth, transport):
    async def story(agent: Agent) -> None:
        assert "Did you mean email?" in await agent.fail("sign_in", emial="ann@example.com")
        with pytest.raises(MCPError, match="Did you mean wait_for_mail"):
            await agent.text("wait_for_mial")

    converse(hearth, transport, story)


@both
def test_a_call_is_cancelled(hearth, transport):
    async def story(agent: Agent) -> None:
        waiting = asyncio.create_task(agent.text("wait_for_mail", to="a@example.com", seconds=60))
        # The connection is used meanwhile.
        await agent.use("advance_clock", by="0s")
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await agent.use("advance_clock", by="0s")

    converse(hearth, transport, story)


# MARK: Who is answered

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


def test_the_http_endpoint_is_for_this_machine_and_its_pages(hearth):
    url = hearth.addresses["console"] + "/mcp"
    assert requests.post(url, json=PING, timeout=30).json()["result"] == {}
    for headers in [
        {"Origin": "https://evil.example"},
        {"Host": "evil.example"},
        {"Host": "evil.example", "Origin": "http://evil.example"},
    ]:
        assert requests.post(url, json=PING, headers=headers, timeout=30).status_code == 403
    simple = {"Content-Type": "text/plain"}
    assert requests.post(url, data=json.dumps(PING), headers=simple, timeout=30).status_code == 400
    assert requests.get(url, timeout=30).status_code == 405
    # The ports of the app do not have it.
    assert requests.post(hearth.auth + "/mcp", json=PING, timeout=30).status_code == 404
    guide = requests.get(hearth.addresses["console"] + "/llms.txt", timeout=30)
    assert guide.text.startswith("# Hearth\n") and all(tool in guide.text for tool in TOOLS)
    assert f"{hearth.auth}/emulator/v1/projects/demo-hearth" in guide.text
    assert url in guide.text
    assert (
        "FIRESTORE_EMULATOR_HOST=" + hearth.addresses["firestore"].removeprefix("http://")
        in guide.text
    )
    # A part of another port may look like them.
    assert not re.search(r"\b(9099|4000)\b", guide.text)


# MARK: The command


def environment(**more: str) -> dict[str, str]:
    return {
        k: v for k, v in os.environ.items() if not k.startswith(("HEARTH_", "FIREBASE_", "GCLOUD_"))
    } | more


def speak(arguments: list[str], text: str, **variables: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [binary(), "mcp", *arguments],
        input=text,
        capture_output=True,
        text=True,
        timeout=60,
        env=environment(**variables),
    )


FREE = [
    "--auth-port",
    "0",
    "--firestore-port",
    "0",
    "--console-port",
    "0",
    "--hub-port",
    "none",
    "--smtp-port",
    "none",
    "--smtp-tls-port",
    "none",
    "--mail-api-port",
    "none",
]


def test_without_a_server_the_command_starts_one_that_ends_with_it():
    call = {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": "create_user", "arguments": {"uid": "ann"}},
    }
    ended = speak(FREE, json.dumps(PING) + "\n" + json.dumps(call) + "\n")
    assert ended.returncode == 0, ended.stderr
    answers = {json.loads(line)["id"]: json.loads(line) for line in ended.stdout.splitlines()}
    assert answers[1]["result"] == {}
    assert '"uid":"ann"' in answers[2]["result"]["content"][0]["text"]
    assert "started at http://127.0.0.1:" in ended.stderr


def test_a_named_server_that_is_away_is_told_and_found_when_it_comes():
    console = f"http://127.0.0.1:{free_port()}"

    async def run() -> None:
        parameters = StdioServerParameters(
            command=binary(), args=["mcp"], env={"HEARTH_CONSOLE_URL": console}
        )
        async with Client(parameters) as client:
            agent = Agent(client)
            assert "No hearth answers" in await agent.fail("advance_clock", by="0s")
            again = subprocess.Popen(
                [binary(), *FREE, "--console-port", console.rpartition(":")[2]],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=environment(),
            )
            try:
                until(lambda: b"All emulators ready" in again.stdout.readline(), what="a server")
                await agent.use("advance_clock", by="0s")
            finally:
                again.terminate()
                again.communicate(timeout=60)

    asyncio.run(asyncio.wait_for(run(), 120))


def test_a_server_whose_console_has_moved_is_found():
    """Its usual port belongs to another program."""
    server = Server()
    other = http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
    thread = threading.Thread(target=other.serve_forever)
    thread.start()
    try:
        call = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "create_user", "arguments": {"uid": "ann"}},
        }
        ports = [
            "--console-port",
            str(other.server_port),
            "--auth-port",
            server.auth.rpartition(":")[2],
        ]
        ended = speak([*FREE, *ports], json.dumps(call) + "\n")
        assert ended.returncode == 0 and "started" not in ended.stderr, ended.stderr
        assert [user["localId"] for user in server.admin("/accounts:query")["userInfo"]] == ["ann"]
    finally:
        other.shutdown()
        other.server_close()
        thread.join()
        server.stop()


def test_a_program_that_says_nothing_does_not_hold_up_the_command():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        taken = str(silent.getsockname()[1])
        ended = speak([*FREE, "--console-port", taken], json.dumps(PING) + "\n")
    assert ended.returncode == 1 and f"port {taken} is already in use" in ended.stderr


def test_a_signal_ends_the_command():
    with subprocess.Popen(
        [binary(), "mcp", *FREE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        process.stdin.write(json.dumps(PING) + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        process.terminate()
        assert process.wait(60) == 0


def test_nonsense_is_answered_and_survived(hearth):
    lines = ["nonsense", "[]", '{"jsonrpc": "2.0", "id": {}, "method": "ping"}', json.dumps(PING)]
    ended = speak([], "\n".join(lines), HEARTH_CONSOLE_URL=hearth.addresses["console"])
    answers = [json.loads(line) for line in ended.stdout.splitlines()]
    codes = [answer.get("error", {}).get("code") for answer in answers]
    assert sorted(codes, key=str) == [-32600, -32600, -32700, None]


# MARK: As Google


def test_a_server_as_google_takes_agents_with_its_key_file(tmp_path):
    key, other = tmp_path / "key.json", tmp_path / "other.json"
    for path in (key, other):
        subprocess.run(
            [binary(), "service-account", "create", "--output", str(path)], check=True, timeout=60
        )
    server = Server("--as-google", "--tls-port", "0", "--service-account", str(key))

    def agent(story, *flags: str, place: str = "auth") -> None:
        async def run() -> None:
            command = StdioServerParameters(
                command=binary(), args=["mcp", "--address", server.addresses[place], *flags]
            )
            async with Client(command) as client:
                await story(Agent(client))

        asyncio.run(asyncio.wait_for(run(), 120))

    async def works(agent: Agent) -> None:
        await agent.use("create_user", email="ann@example.com", password="secret1")
        mail = await agent.use(
            "wait_for_mail", to="ann@example.com", type="VERIFY_EMAIL", send=True
        )
        assert mail["state"] == "pending"

    async def documents(agent: Agent) -> None:
        await agent.use("write", path="cities/bern", data={"name": "Bern"})
        assert "Bern" in await agent.text("query", path="cities/bern")

    async def fails(agent: Agent) -> None:
        words = await agent.fail("create_user", email="ann@example.com", password="secret1")
        assert "--service-account FILE" in words

    agent(works, "--service-account", str(key))
    agent(documents, "--service-account", str(key), place="firestore")
    agent(works, place="console")
    agent(fails)
    agent(fails, "--service-account", str(other))
    server.stop()
