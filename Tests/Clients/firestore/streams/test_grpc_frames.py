"""gRPC frame by frame: frames, pings, streams, one port."""

import socket
import time

import h2.config
import h2.connection
import h2.events
import h2.settings
import pytest
import requests
from google.cloud.firestore_v1.types import document as documents
from google.cloud.firestore_v1.types import firestore as rpc
from hyperframe.frame import ContinuationFrame, HeadersFrame, PriorityFrame
from support.firestore.project import OWNER, STORY_RULES, address, base, guard  # noqa: F401

SERVICE = "/google.firestore.v1.Firestore/"


def framed(message: bytes) -> bytes:
    return b"\0" + len(message).to_bytes(4, "big") + message


class Call:
    """What came back on one stream."""

    def __init__(self):
        self.headers: list[dict] = []
        self.data = b""
        self.is_ended = False
        self.was_reset = False

    def messages(self) -> list[bytes]:
        found, rest = [], self.data
        while len(rest) >= 5 and len(rest) >= 5 + int.from_bytes(rest[1:5], "big"):
            assert rest[0] == 0, "messages come uncompressed"
            length = int.from_bytes(rest[1:5], "big")
            found.append(rest[5 : 5 + length])
            rest = rest[5 + length :]
        return found


class Wire:
    """An HTTP/2 connection with prior knowledge, without TLS and without a gRPC library."""

    def __init__(self, server, preface_in_pieces: bool = False, **settings: int):
        host, port = address(server).rsplit(":", 1)
        self.authority = f"{host}:{port}"
        self.socket = socket.create_connection((host, int(port)), timeout=30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.h2 = h2.connection.H2Connection(
            h2.config.H2Configuration(client_side=True, header_encoding="utf-8")
        )
        if settings:
            self.h2.local_settings = h2.settings.Settings(
                client=True,
                initial_values={
                    getattr(h2.settings.SettingCodes, name.upper()): value
                    for name, value in settings.items()
                },
            )
        self.h2.initiate_connection()
        self.calls: dict[int, Call] = {}
        self.events: list = []
        self.opens_windows = True
        if preface_in_pieces:
            data = self.h2.data_to_send()
            for start in range(0, 30, 5):
                self.socket.sendall(data[start : start + 5])
                time.sleep(0.01)
            self.socket.sendall(data[30:])
        self.flush()

    def flush(self) -> None:
        data = self.h2.data_to_send()
        if data:
            self.socket.sendall(data)

    def headers(
        self,
        method: str,
        *more: tuple[str, str],
        token: str | None = OWNER,
        content_type: str = "application/grpc",
    ) -> list[tuple[str, str]]:
        listed = [
            (":method", "POST"),
            (":scheme", "http"),
            (":path", SERVICE + method),
            (":authority", self.authority),
            ("te", "trailers"),
            ("content-type", content_type),
            ("user-agent", "grpc-c++/1.69 grpc-c/46 (ios; chttp2)"),
            ("grpc-accept-encoding", "identity, deflate, gzip"),
        ]
        if token is not None:
            listed.append(("authorization", f"Bearer {token}"))
        return listed + list(more)

    def open(self, method: str, *more: tuple[str, str], **options) -> int:
        stream = self.h2.get_next_available_stream_id()
        self.calls[stream] = Call()
        self.h2.send_headers(stream, self.headers(method, *more, **options))
        self.flush()
        return stream

    def send(self, stream: int, data: bytes, end: bool = False) -> None:
        self.h2.send_data(stream, data, end_stream=end)
        self.flush()

    def receive(self) -> None:
        data = self.socket.recv(1 << 16)
        assert data, "the server has closed the connection"
        for event in self.h2.receive_data(data):
            self.events.append(event)
            assert not isinstance(event, h2.events.ConnectionTerminated), event
            call = self.calls.get(getattr(event, "stream_id", None))
            if call is None:
                continue
            if isinstance(event, (h2.events.ResponseReceived, h2.events.TrailersReceived)):
                call.headers.append(dict(event.headers))
            elif isinstance(event, h2.events.DataReceived):
                call.data += event.data
                if self.opens_windows and event.flow_controlled_length:
                    self.h2.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, h2.events.StreamEnded):
                call.is_ended = True
            elif isinstance(event, h2.events.StreamReset):
                call.was_reset = True
        self.flush()

    def until(self, condition) -> None:
        while not condition():
            self.receive()

    def finish(self, stream: int) -> Call:
        call = self.calls[stream]
        self.until(lambda: call.is_ended or call.was_reset)
        return call

    def unary(self, method: str, message, *more: tuple[str, str], **options) -> Call:
        stream = self.open(method, *more, **options)
        self.send(stream, framed(type(message).serialize(message)), end=True)
        return self.finish(stream)

    def close(self) -> None:
        self.socket.close()


@pytest.fixture
def wire(base):
    wire = Wire(base.server)
    yield wire
    wire.close()


def listen_request(base, *paths: str, target: int = 2) -> bytes:
    return framed(
        rpc.ListenRequest.serialize(
            rpc.ListenRequest(
                database=base.database,
                add_target=rpc.Target(
                    target_id=target,
                    documents=rpc.Target.DocumentsTarget(
                        documents=[base.name(path) for path in paths]
                    ),
                ),
            )
        )
    )


def responses(call: Call) -> list[rpc.ListenResponse]:
    return [rpc.ListenResponse.deserialize(message) for message in call.messages()]


# MARK: Frames


def test_answer_has_headers_one_message_and_trailers(base, wire):
    base.commit(base.set("c/d", {"n": 1}))
    call = wire.unary("GetDocument", base.get_request("c/d"))
    head, trailers = call.headers
    assert head[":status"] == "200" and head["content-type"].startswith("application/grpc")
    assert head.get("grpc-encoding", "identity") == "identity"
    assert trailers["grpc-status"] == "0"
    [message] = call.messages()
    assert base.data(documents.Document.deserialize(message)) == {"n": 1}


def test_immediate_failure_is_trailers_only(base, wire):
    call = wire.unary("GetDocument", base.get_request("c/none"))
    [head] = call.headers
    assert head[":status"] == "200" and head["content-type"].startswith("application/grpc")
    assert head["grpc-status"] == "5" and call.data == b""


def test_message_of_a_status_is_percent_encoded(base, wire):
    call = wire.unary("GetDocument", base.get_request("c/ü 100%\n"))
    message = call.headers[-1]["grpc-message"]
    assert message.isascii() and "%C3%BC" in message and "100%25" in message
    assert "%0A" in message


def test_failure_of_a_streaming_call_is_in_the_trailers(base, wire):
    call = wire.unary(
        "RunQuery", rpc.RunQueryRequest(parent=base.root, structured_query={"offset": -1})
    )
    assert call.headers[-1]["grpc-status"] == "3" and call.messages() == []


@pytest.mark.parametrize("path", ["Nothing", "getDocument", "GetDocument/x"])
def test_unknown_method_is_unimplemented(wire, path):
    call = wire.unary(path, rpc.GetDocumentRequest())
    assert call.headers[-1]["grpc-status"] == "12" and call.headers[-1][":status"] == "200"


@pytest.mark.parametrize("content_type", ["application/grpc+proto", "application/grpc"])
def test_content_types_of_grpc(base, wire, content_type):
    base.commit(base.set("c/d", {}))
    call = wire.unary("GetDocument", base.get_request("c/d"), content_type=content_type)
    assert call.headers[-1]["grpc-status"] == "0"


def test_message_may_come_in_pieces_and_several_in_one_frame(base, wire):
    stream = wire.open("Listen")
    whole = listen_request(base, "c/a") + listen_request(base, "c/b", target=4)
    for start in range(0, 30, 3):
        wire.send(stream, whole[start : start + 3])
    wire.send(stream, whole[30:])
    call = wire.calls[stream]
    wire.until(
        lambda: (
            [4]
            in [
                list(each.target_change.target_ids)
                for each in responses(call)
                if each.target_change.target_change_type.name == "CURRENT"
            ]
        )
    )
    wire.h2.end_stream(stream)
    wire.flush()
    wire.finish(stream)
    assert call.headers[-1]["grpc-status"] == "0"


def test_preface_may_come_in_pieces(base):
    wire = Wire(base.server, preface_in_pieces=True)
    assert wire.unary("GetDocument", base.get_request("c/none")).headers[-1]["grpc-status"] == "5"
    wire.close()


def test_headers_in_continuation_frames(base, wire):
    base.commit(base.set("c/d", {}))
    stream = wire.h2.get_next_available_stream_id()
    block = wire.h2.encoder.encode(wire.headers("GetDocument"))
    third = len(block) // 3
    head = HeadersFrame(stream, block[:third])
    middle = ContinuationFrame(stream, block[third : 2 * third])
    last = ContinuationFrame(stream, block[2 * third :], flags=["END_HEADERS"])
    body = framed(rpc.GetDocumentRequest.serialize(base.get_request("c/d")))
    data = b"".join(frame.serialize() for frame in (head, middle, last))
    wire.socket.sendall(
        data + len(body).to_bytes(3, "big") + b"\0\x01" + stream.to_bytes(4, "big") + body
    )
    received, kinds = b"", []
    # HEADERS, DATA, HEADERS; no RST_STREAM and no GOAWAY.
    while kinds.count(1) < 2:
        more = wire.socket.recv(1 << 16)
        assert more, "the server has closed the connection"
        received += more
        while len(received) >= 9 and len(received) >= 9 + int.from_bytes(received[:3], "big"):
            if int.from_bytes(received[5:9], "big") == stream:
                kinds.append(received[3])
            assert received[3] != 7, "GOAWAY"
            received = received[9 + int.from_bytes(received[:3], "big") :]
    assert kinds == [1, 0, 1]


def test_connection_serves_many_calls_with_indexed_headers(base, wire):
    base.commit(base.set("c/d", {}))
    for n in range(120):
        call = wire.unary("GetDocument", base.get_request("c/d"), ("x-step", str(n % 3)))
        assert call.headers[-1]["grpc-status"] == "0"


def test_priority_frames_are_ignored(base, wire):
    wire.socket.sendall(PriorityFrame(3, depends_on=0, stream_weight=15).serialize())
    assert wire.unary("GetDocument", base.get_request("c/none")).headers[-1]["grpc-status"] == "5"


def test_small_windows_of_the_client_are_respected(base):
    base.commit(base.set("c/d", {"text": "x" * 50_000}))
    wire = Wire(base.server, initial_window_size=1000)
    stream = wire.open("GetDocument")
    wire.opens_windows = False
    wire.send(stream, framed(rpc.GetDocumentRequest.serialize(base.get_request("c/d"))), end=True)
    call = wire.calls[stream]
    wire.until(lambda: len(call.data) >= 1000)
    assert len(call.data) == 1000 and not call.is_ended
    wire.h2.increment_flow_control_window(100_000, stream)
    wire.flush()
    wire.finish(stream)
    assert len(call.messages()) == 1
    wire.close()


def test_reset_stream_leaves_the_connection_alone(base, wire):
    stream = wire.open("Listen")
    wire.send(stream, listen_request(base, "c/d"))
    wire.until(lambda: len(wire.calls[stream].messages()) >= 4)
    wire.h2.reset_stream(stream, error_code=8)
    wire.flush()
    base.commit(base.set("c/d", {"n": 1}))
    assert wire.unary("GetDocument", base.get_request("c/d")).headers[-1]["grpc-status"] == "0"


def test_a_hundred_streams_of_one_connection(base, wire):
    streams = [wire.open("Listen") for _ in range(100)]
    for number, stream in enumerate(streams):
        wire.send(stream, listen_request(base, f"c/{number % 7}"))
    wire.until(lambda: all(len(wire.calls[stream].messages()) >= 4 for stream in streams))
    base.commit(base.set("c/0", {"n": 1}))
    touched = [stream for number, stream in enumerate(streams) if number % 7 == 0]
    wire.until(lambda: all(len(wire.calls[stream].messages()) >= 6 for stream in touched))


# MARK: Pings


def test_pings_are_answered_without_any_call(wire):
    for number in range(3):
        wire.h2.ping(number.to_bytes(8, "big"))
    wire.flush()
    wire.until(
        lambda: sum(isinstance(event, h2.events.PingAckReceived) for event in wire.events) == 3
    )


def test_many_pings_do_not_end_the_connection(base, wire):
    """SDKs keep pinging with nothing else to say; GOAWAY with `too_many_pings` would end them."""
    for number in range(100):
        wire.h2.ping(number.to_bytes(8, "big"))
        wire.flush()
        wire.until(
            lambda: (
                sum(isinstance(event, h2.events.PingAckReceived) for event in wire.events)
                == number + 1
            )
        )
    assert wire.unary("GetDocument", base.get_request("c/none")).headers[-1]["grpc-status"] == "5"


def test_pings_during_a_stream(base, wire):
    stream = wire.open("Listen")
    wire.send(stream, listen_request(base, "c/d"))
    for number in range(20):
        wire.h2.ping(number.to_bytes(8, "big"))
    wire.flush()
    wire.until(
        lambda: sum(isinstance(event, h2.events.PingAckReceived) for event in wire.events) == 20
    )
    wire.until(lambda: len(wire.calls[stream].messages()) >= 4)


# MARK: Streams


@pytest.mark.parametrize("method", ["Listen", "Write"])
def test_headers_of_a_stream_come_before_any_message(wire, method):
    stream = wire.open(method)
    wire.until(lambda: wire.calls[stream].headers)
    [head] = wire.calls[stream].headers
    assert head[":status"] == "200" and head["content-type"].startswith("application/grpc")
    assert "grpc-status" not in head


@pytest.mark.parametrize("method", ["Listen", "Write"])
def test_half_close_is_answered_with_ok(base, wire, method):
    stream = wire.open(method)
    message = (
        listen_request(base, "c/d")
        if method == "Listen"
        else framed(rpc.WriteRequest.serialize(rpc.WriteRequest(database=base.database)))
    )
    wire.send(stream, message, end=True)
    assert wire.finish(stream).headers[-1]["grpc-status"] == "0"


def test_nothing_pending_is_lost_by_half_close(base, wire):
    """The answer to what was asked before comes in full."""
    stream = wire.open("Write")
    wire.send(stream, framed(rpc.WriteRequest.serialize(rpc.WriteRequest(database=base.database))))
    for n in range(5):
        wire.send(
            stream,
            framed(
                rpc.WriteRequest.serialize(
                    rpc.WriteRequest(stream_token=b"\x01", writes=[base.set("c/d", {"n": n})])
                )
            ),
            end=n == 4,
        )
    call = wire.finish(stream)
    assert len(call.messages()) == 6 and call.headers[-1]["grpc-status"] == "0"


def test_stream_with_what_is_not_a_jwt_ends_with_invalid_argument(base, wire):
    base.rules(STORY_RULES)
    stream = wire.open("Listen", token="garbage")
    wire.send(stream, listen_request(base, "users/x"))
    assert wire.finish(stream).headers[-1]["grpc-status"] == "3"


def test_unknown_fields_are_skipped(base, wire):
    base.commit(base.set("c/d", {"n": 1}))
    # Field 1000 of every wire type.
    extra = b"\xc0\x3e\x05" + b"\xc1\x3e" + b"\0" * 8 + b"\xc2\x3e\x02hi" + b"\xc5\x3e" + b"\0" * 4
    stream = wire.open("Listen")
    request = listen_request(base, "c/d")[5:] + extra
    wire.send(stream, framed(request))
    call = wire.calls[stream]
    wire.until(lambda: len(call.messages()) >= 4)
    stream = wire.open("GetDocument")
    wire.send(
        stream, framed(rpc.GetDocumentRequest.serialize(base.get_request("c/d")) + extra), end=True
    )
    assert wire.finish(stream).headers[-1]["grpc-status"] == "0"


# MARK: One port


def test_http_one_and_two_share_the_port(base, wire):
    url = f"{base.server.addresses['firestore']}/v1/{base.name('c/d')}"
    for n in range(3):
        requests.patch(
            url,
            timeout=30,
            headers={"Authorization": "Bearer owner"},
            json={"fields": {"n": {"integerValue": str(n)}}},
        ).raise_for_status()
        [message] = wire.unary("GetDocument", base.get_request("c/d")).messages()
        assert base.data(documents.Document.deserialize(message)) == {"n": n}
