"""What one HTTP/2 connection carries: many streams at once, gRPC beside REST, and its limits."""

import asyncio
import gzip
import json
import signal
import socket
import struct
import threading
import uuid
from urllib.parse import quote

import grpc
import h2.errors
import h2.settings
import pytest
import requests
from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore
from google.cloud.firestore_v1.types import firestore as rpc
from support.firestore.project import guard  # noqa: F401
from support.h2_client import Connection
from support.server import PROJECT, Server
from support.wire import V1

DATABASE = f"projects/{PROJECT}/databases/(default)"
OWNER = ("authorization", "Bearer owner")
JSON = ("content-type", "application/json")
REFUSED, CALM = h2.errors.ErrorCodes.REFUSED_STREAM, h2.errors.ErrorCodes.ENHANCE_YOUR_CALM
DEADLINE_EXCEEDED, NOT_FOUND = 4, 5
RESOURCE_EXHAUSTED, UNIMPLEMENTED, INTERNAL, UNAVAILABLE = 8, 12, 13, 14


@pytest.fixture
def address(hearth):
    return hearth.addresses["firestore"].removeprefix("http://")


@pytest.fixture
def connection(address):
    with Connection(address) as connection:
        # Reads the server's settings.
        assert connection.most_streams
        yield connection


def documents():
    return f"{DATABASE}/documents/{uuid.uuid4().hex}"


def commit(name, value=1):
    update = {"update": {"name": name, "fields": {"n": {"integer_value": value}}}}
    return rpc.CommitRequest.serialize(
        rpc.CommitRequest({"database": DATABASE, "writes": [update]})
    )


def listen(name, target=1):
    target = {"documents": {"documents": [name]}, "target_id": target}
    return rpc.ListenRequest.serialize(
        rpc.ListenRequest({"database": DATABASE, "add_target": target})
    )


def disobey(connection):
    """Lets the client open more streams than the server allows."""
    connection.h2.remote_settings[h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS] = 1 << 20
    connection.h2.remote_settings.acknowledge()


# MARK: Many streams


def test_a_thousand_streams_are_allowed_at_once(connection):
    assert connection.most_streams >= 1000


def test_streams_beyond_the_limit_are_refused_and_the_connection_goes_on(connection):
    most = connection.most_streams
    disobey(connection)
    streams = [connection.call("Listen", framed=b"", end=False) for _ in range(most + 50)]
    assert connection.until(lambda: len(connection.resets) == 50)
    assert {connection.resets[stream] for stream in streams[most:]} == {REFUSED}
    for stream in streams[:2]:
        connection.h2.reset_stream(stream)
    last = connection.call("Commit", commit(f"{documents()}/a"), [OWNER])
    assert connection.finish(last) and connection.status(last) == 0
    assert connection.goaway is None and not connection.ended & set(streams)


def test_a_thousand_cancelled_streams_leave_a_listener_alone(connection):
    name = f"{documents()}/a"
    listener = connection.call("Listen", listen(name), [OWNER], end=False)
    assert connection.until(lambda: len(connection.bodies.get(listener, b"")) > 100)
    for number in range(1000):
        stream = connection.call("Listen", listen(name), [OWNER], end=False)
        if number % 2:
            connection.h2.ping(struct.pack(">Q", number))
            connection.until(lambda: connection.pongs == number // 2 + 1)
        connection.h2.reset_stream(stream, h2.errors.ErrorCodes.CANCEL)
    before = len(connection.bodies[listener])
    write = connection.call("Commit", commit(name, 77), [OWNER])
    assert connection.finish(write) and connection.status(write) == 0
    assert connection.until(lambda: len(connection.bodies[listener]) > before)
    assert connection.goaway is None


def frame(kind, flags, stream, body):
    return (
        struct.pack(">I", len(body))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + body
    )


def good_byes(data):
    """The reasons that a server has given for ending the connection."""
    found = []
    while len(data) >= 9:
        length = int.from_bytes(data[:3], "big")
        if data[3] == 7:
            found.append(int.from_bytes(data[13:17], "big"))
        data = data[9 + length :]
    return found


def test_a_flood_of_cancelled_streams_ends_the_connection(hearth, address):
    """Too many for a library: the frames are written by hand."""
    fields = [
        (":method", "POST"),
        (":scheme", "http"),
        (":authority", "localhost"),
        (":path", "/google.firestore.v1.Firestore/Listen"),
        ("content-type", "application/grpc"),
    ]
    headers = b"".join(
        b"\0" + bytes([len(n)]) + n.encode() + bytes([len(v)]) + v.encode() for n, v in fields
    )
    cancel = (8).to_bytes(4, "big")
    heard = bytearray()

    def listen(connection):
        try:
            while data := connection.recv(1 << 16):
                heard.extend(data)
        except OSError:
            pass

    host, _, port = address.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=60) as connection:
        ears = threading.Thread(target=listen, args=(connection,))
        ears.start()
        connection.sendall(
            b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, b"") + frame(4, 1, 0, b"")
        )
        try:
            for start in range(0, 50_000, 500):
                connection.sendall(
                    b"".join(
                        frame(1, 4, 2 * n + 1, headers) + frame(3, 0, 2 * n + 1, cancel)
                        for n in range(start, start + 500)
                    )
                )
        except OSError:
            pass  # It has ended already.
        ears.join(60)
        assert not ears.is_alive()
    assert good_byes(bytes(heard)) in ([CALM], [])
    assert requests.get(hearth.auth, timeout=30).status_code == 200


def test_a_client_may_ping_as_often_as_it_likes(connection):
    for number in range(2000):
        connection.h2.ping(struct.pack(">Q", number))
    assert connection.until(lambda: connection.pongs == 2000)
    assert connection.goaway is None


# MARK: REST beside gRPC


def rest_requests(name):
    key = "?key=any"
    document = f"/v1/{name}"
    body = json.dumps({"fields": {"n": {"integerValue": "1"}}}).encode()
    preflight = [
        ("origin", "https://app.example"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "content-type,x-client-version"),
    ]
    return [
        ("GET", "/", [], None),
        ("HEAD", "/", [], None),
        ("GET", "/nothing", [], None),
        ("DELETE", f"{V1}signUp{key}", [], None),
        ("POST", f"{V1}signUp{key}", [JSON], b'{"email":"no address","password":"secret1"}'),
        ("POST", f"{V1}signUp{key}", [JSON], b"{"),
        ("POST", f"{V1}signUp{key}", [JSON, ("content-encoding", "gzip")], gzip.compress(b"[]")),
        ("POST", f"{V1}signUp{key}", [JSON, ("content-encoding", "br")], b"{}"),
        ("POST", f"{V1}signUp{key}", [("content-type", "text/plain")], b"{}"),
        ("OPTIONS", f"{V1}signUp{key}", preflight, None),
        ("PATCH", document, [JSON, OWNER], body),
        ("GET", document, [OWNER], None),
        ("GET", document + "x", [OWNER, ("origin", "https://app.example")], None),
        ("GET", "/console/", [], None),
        ("GET", f"/emulator/v1/projects/{PROJECT}/switches", [], None),
        ("GET", f"/emulator/v1/projects/{PROJECT}/messages/latest?wait=x", [], None),
        ("GET", "/.well-known/jwks.json", [], None),
        (
            "GET",
            f"/emulator/v1/projects/{PROJECT}/switches",
            [("origin", "https://x.example")],
            None,
        ),
    ]


def comparable(body):
    """Without what differs from one answer to the next."""
    try:
        value = json.loads(body)
    except ValueError:
        return body
    if isinstance(value, dict):
        value = {k: v for k, v in value.items() if k not in ("createTime", "updateTime")}
    return value


@pytest.mark.parametrize("number", range(18))
def test_rest_over_http2_is_answered_as_over_http1(connection, address, number):
    name = f"{documents()}/a"
    listener = connection.call("Listen", listen(name), [OWNER], end=False)
    requests_ = rest_requests(name)
    assert len(requests_) == 18
    method, path, headers, body = requests_[number]
    known = requests.request(
        method,
        f"http://{address}{path}",
        headers={"accept-encoding": "identity", **dict(headers)},
        data=body,
        timeout=30,
    )
    stream = connection.open(method, path, headers, body)
    assert connection.finish(stream)
    found = connection.headers[stream]
    assert found.pop(":status") == str(known.status_code)
    ignored = ("date", "connection", "transfer-encoding", "keep-alive")
    expected = {k.lower(): v for k, v in known.headers.items() if k.lower() not in ignored}
    if "content-length" in expected and method == "PATCH":
        assert abs(int(expected.pop("content-length")) - int(found.pop("content-length"))) < 20
    assert found == expected
    assert comparable(connection.bodies.get(stream, b"")) == comparable(known.content)
    assert listener not in connection.ended and connection.goaway is None


def test_events_stream_over_http2(connection, hearth):
    stream = connection.open("GET", f"/emulator/v1/projects/{PROJECT}/events")
    assert connection.until(lambda: stream in connection.bodies)
    assert connection.headers[stream]["content-type"].startswith("text/event-stream")
    hearth.accounts("signUp", {})
    code = {"requestType": "PASSWORD_RESET", "email": f"{uuid.uuid4().hex}@example.com"}
    hearth.accounts("signUp", {"email": code["email"], "password": "secret1"})
    hearth.accounts("sendOobCode", code)
    assert connection.until(lambda: b"message.captured" in connection.bodies[stream])
    connection.h2.reset_stream(stream)
    other = connection.open("GET", "/")
    assert connection.finish(other) and connection.headers[other][":status"] == "200"


def test_a_wait_over_http2_ends_with_the_mail(connection, hearth):
    email = f"{uuid.uuid4().hex}@example.com"
    path = f"/emulator/v1/projects/{PROJECT}/messages/latest?to={email}&wait=60s"
    stream = connection.open("GET", path)
    hearth.accounts("signUp", {"email": email, "password": "secret1"})
    hearth.accounts("sendOobCode", {"requestType": "PASSWORD_RESET", "email": email})
    assert connection.finish(stream)
    assert json.loads(connection.bodies[stream])["to"] == email


# MARK: Too much


def test_a_large_body_is_refused_and_the_connection_goes_on(connection, address):
    body = b'{"email":"' + b"x" * (11 << 20) + b'"}'
    known = requests.post(
        f"http://{address}{V1}signUp?key=a", data=body, timeout=60, headers=dict([JSON])
    )
    stream = connection.open("POST", f"{V1}signUp?key=a", [JSON], body)
    assert connection.finish(stream)
    assert connection.headers[stream][":status"] == "413" == str(known.status_code)
    assert json.loads(connection.bodies[stream]) == known.json()
    other = connection.open("GET", "/")
    assert connection.finish(other) and connection.goaway is None


def test_large_header_fields_are_refused_and_the_connection_goes_on(connection):
    large = [("x-large", "x" * 9000) for _ in range(5)]
    rest = connection.open("GET", "/", large)
    call = connection.call("Commit", commit(f"{documents()}/a"), large)
    assert connection.finish(rest) and connection.finish(call)
    assert connection.headers[rest][":status"] == "431"
    assert json.loads(connection.bodies[rest])["error"]["code"] == 431
    assert connection.status(call) == RESOURCE_EXHAUSTED
    assert connection.goaway is None


@pytest.mark.parametrize(
    "framed, encoding, status",
    [
        (b"\0\x02\0\0\0", None, RESOURCE_EXHAUSTED),
        (b"\0\0\0\0\x05abc", None, INTERNAL),
        (b"", None, INTERNAL),
        (b"\x07\0\0\0\0", None, INTERNAL),
        (b"\0\0\0\0\0" * 2, None, INTERNAL),
        (b"\x01\0\0\0\x02ab", "gzip", INTERNAL),
        (b"\x01\0\0\0\x02ab", None, INTERNAL),
        (b"\0\0\0\0\0", "br", UNIMPLEMENTED),
        (b"\0\0\0\0\x02\xff\xff", None, 3),
    ],
    ids=[
        "large",
        "cut",
        "none",
        "flag",
        "two",
        "no-gzip",
        "no-encoding",
        "unknown-encoding",
        "bytes",
    ],
)
def test_invalid_messages_are_refused_with_a_status(connection, framed, encoding, status):
    headers = [OWNER] + ([("grpc-encoding", encoding)] if encoding else [])
    stream = connection.call("Commit", framed=framed, headers=headers)
    assert connection.finish(stream)
    assert connection.status(stream) == status
    assert connection.goaway is None


def test_a_message_that_unpacks_to_too_much_is_refused(connection):
    packed = gzip.compress(bytes(20 << 20))
    framed = b"\x01" + len(packed).to_bytes(4, "big") + packed
    stream = connection.call("Commit", framed=framed, headers=[("grpc-encoding", "gzip")])
    assert connection.finish(stream) and connection.status(stream) == RESOURCE_EXHAUSTED


def test_an_unknown_method_is_unimplemented(connection):
    stream = connection.call("Nothing", b"")
    assert connection.finish(stream) and connection.status(stream) == UNIMPLEMENTED
    assert connection.headers[stream][":status"] == "200"


def test_a_stream_ends_at_its_deadline(connection):
    stream = connection.call(
        "Listen", listen(f"{documents()}/a"), [OWNER, ("grpc-timeout", "300m")], end=False
    )
    assert connection.finish(stream)
    assert connection.status(stream) == 4


@pytest.mark.parametrize("is_write", [False, True])
def test_a_call_ends_at_its_deadline(connection, hearth, is_write):
    """A read that a fault slows down, and a write that waits for a lock."""
    project = f"demo-{uuid.uuid4().hex[:12]}"
    database = f"projects/{project}/databases/(default)"
    name = f"{database}/documents/c/d"
    if not is_write:
        hearth.post(
            f"/emulator/v1/projects/{project}/faults",
            {"operation": "*.get", "effect": {"latency": "60s"}},
        )
        late = connection.call(
            "GetDocument",
            rpc.GetDocumentRequest.serialize(rpc.GetDocumentRequest(name=name)),
            [OWNER, ("grpc-timeout", "300m")],
        )
    else:
        begun = connection.call(
            "BeginTransaction",
            rpc.BeginTransactionRequest.serialize(rpc.BeginTransactionRequest(database=database)),
            [OWNER],
        )
        assert connection.finish(begun)
        answer = rpc.BeginTransactionResponse.deserialize(connection.bodies[begun][5:])
        read = connection.call(
            "GetDocument",
            rpc.GetDocumentRequest.serialize(
                rpc.GetDocumentRequest(name=name, transaction=answer.transaction)
            ),
            [OWNER],
        )
        assert connection.finish(read) and connection.status(read) == NOT_FOUND
        update = {"update": {"name": name, "fields": {"n": {"integer_value": 1}}}}
        late = connection.call(
            "Commit",
            rpc.CommitRequest.serialize(
                rpc.CommitRequest({"database": database, "writes": [update]})
            ),
            [OWNER, ("grpc-timeout", "300m")],
        )
    # One without a deadline, and one with a later, are not ended with it.
    others = [
        connection.call("Commit", commit(f"{documents()}/a"), [OWNER, *more])
        for more in ([], [("grpc-timeout", "60S")])
    ]
    assert connection.finish(late) and connection.status(late) == DEADLINE_EXCEEDED
    for other in others:
        assert connection.finish(other) and connection.status(other) == 0


def test_all_that_wait_are_answered_before_the_good_bye():
    """A wait for mail, a listener, and the back channel of a browser, when the server is stopped."""
    server = Server()
    auth, firestore = (
        server.addresses[name].removeprefix("http://") for name in ("auth", "firestore")
    )
    with (
        Connection(auth) as mails,
        Connection(firestore) as calls,
        Connection(firestore) as channel,
    ):
        wait = mails.open("GET", f"/emulator/v1/projects/{PROJECT}/messages/latest?wait=60s")
        watched = mails.open("GET", f"/emulator/v1/projects/{PROJECT}/events")
        assert mails.until(lambda: watched in mails.bodies)
        stream = calls.call("Listen", listen(f"{documents()}/a"), [OWNER], end=False)
        assert calls.until(lambda: stream in calls.bodies)
        path = "/google.firestore.v1.Firestore/Listen/channel?VER=8&database=" + quote(
            f"projects/{PROJECT}/databases/(default)", safe=""
        )
        opened = channel.open(
            "POST",
            path + "&RID=1&CVER=22",
            [("content-type", "application/x-www-form-urlencoded")],
            b"count=0",
        )
        assert channel.finish(opened)
        session = json.loads(channel.bodies[opened].partition(b"\n")[2])[0][1][1]
        back = channel.open("GET", path + f"&RID=rpc&SID={session}&CI=0&AID=0&TYPE=xmlhttp")
        assert channel.until(lambda: back in channel.headers)
        server.process.send_signal(signal.SIGTERM)
        for connection, number in [
            (mails, wait),
            (mails, watched),
            (calls, stream),
            (channel, back),
        ]:
            assert connection.finish(number) and number in connection.ended, number
        for connection in (mails, calls, channel):
            assert not connection.until(lambda: False) and connection.goaway == 0
        # Clients may send again what they have sent after that one.
        assert [mails.last_stream, calls.last_stream, channel.last_stream] == [
            watched,
            stream,
            back,
        ]
    assert mails.headers[wait][":status"] == "503"
    assert calls.status(stream) == UNAVAILABLE
    assert server.process.wait(60) == 0
    server.process.stdout.close()


# MARK: Google's client


@pytest.fixture
def emulator(address, monkeypatch):
    monkeypatch.setenv("FIRESTORE_EMULATOR_HOST", address)


def test_reads_at_once_without_retries(emulator):
    async def read():
        client = firestore.AsyncClient(PROJECT, credentials=AnonymousCredentials())
        reference = client.collection(uuid.uuid4().hex).document("a")
        await reference.set({"n": 1})
        return await asyncio.gather(*[reference.get(retry=None) for _ in range(250)])

    assert all(snapshot.get("n") == 1 for snapshot in asyncio.run(read()))


def test_listeners_of_one_client(emulator):
    client = firestore.Client(PROJECT, credentials=AnonymousCredentials())
    reference = client.collection(uuid.uuid4().hex).document("a")
    reference.set({"n": 1})
    heard = [threading.Event() for _ in range(130)]
    watches = [reference.on_snapshot(lambda *_, event=event: event.set()) for event in heard]
    assert all(event.wait(30) for event in heard)
    for watch in watches:
        watch.unsubscribe()


def test_a_thousand_commits_at_once_on_one_channel(address):
    async def write():
        async with grpc.aio.insecure_channel(address) as channel:
            call = channel.unary_unary(
                "/google.firestore.v1.Firestore/Commit",
                response_deserializer=rpc.CommitResponse.deserialize,
            )
            name = documents()
            return await asyncio.gather(
                *[call(commit(f"{name}/{number}"), metadata=[OWNER]) for number in range(1000)]
            )

    assert len(asyncio.run(write())) == 1000


def test_a_thousand_sets_of_one_client_at_once(emulator):
    async def write():
        client = firestore.AsyncClient(project=PROJECT, credentials=AnonymousCredentials())
        rows = client.collection(uuid.uuid4().hex)
        await asyncio.gather(
            *[rows.document(str(n)).set({"n": n}, retry=None) for n in range(1000)]
        )
        [[count]] = await rows.count().get()
        return count.value

    assert asyncio.run(write()) == 1000


def test_short_lived_clients_beside_a_listener(address):
    """Each has a connection of its own, writes, reads and goes; the listener hears of all of them."""
    folder = documents()
    with Connection(address) as listener:
        names = [f"{folder}/{n}" for n in range(120)]
        target = {"documents": {"documents": names}, "target_id": 1}
        stream = listener.call(
            "Listen",
            rpc.ListenRequest.serialize(
                rpc.ListenRequest({"database": DATABASE, "add_target": target})
            ),
            [OWNER],
            end=False,
        )
        assert listener.until(lambda: len(heard(listener, stream)[1]) == 120)
        for name in names:
            with Connection(address) as client:
                write = client.call("Commit", commit(name), [OWNER])
                assert client.finish(write) and client.status(write) == 0
                read = client.call(
                    "GetDocument",
                    rpc.GetDocumentRequest.serialize(rpc.GetDocumentRequest(name=name)),
                    [OWNER],
                )
                assert client.finish(read) and client.status(read) == 0
        assert listener.until(lambda: len(heard(listener, stream)[0]) == 120)
        assert stream not in listener.ended


def heard(connection, stream):
    """The names of the documents that a listener was shown, and of those that were missing."""
    body, shown, missing = connection.bodies.get(stream, b""), set(), set()
    while len(body) >= 5 and len(body) >= 5 + int.from_bytes(body[1:5], "big"):
        end = 5 + int.from_bytes(body[1:5], "big")
        message = rpc.ListenResponse.deserialize(body[5:end])
        shown.add(message.document_change.document.name)
        missing.add(message.document_delete.document)
        body = body[end:]
    return shown - {""}, missing - {""}
