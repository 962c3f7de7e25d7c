"""One raw HTTP/2 connection, for what ordinary clients hide."""

import socket

import h2.config
import h2.connection
import h2.events
import h2.settings


class Connection:
    """Sends what it is asked to, and collects what comes back until a condition holds."""

    def __init__(self, address, timeout=30):
        host, _, port = address.rpartition(":")
        self.authority = address
        self.socket = socket.create_connection((host, int(port)), timeout=timeout)
        config = h2.config.H2Configuration(client_side=True, header_encoding="utf-8")
        self.h2 = h2.connection.H2Connection(config=config)
        self.h2.initiate_connection()
        self.headers, self.trailers, self.bodies = {}, {}, {}
        self.ended, self.resets, self.pongs = set(), {}, 0
        self.goaway = self.last_stream = None
        self.is_closed = False
        self.flush()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def flush(self):
        data = self.h2.data_to_send()
        if data:
            self.socket.sendall(data)

    def open(self, method, path, headers=(), body=None, end=True):
        """Opens a stream with a request, and returns its number."""
        stream = self.h2.get_next_available_stream_id()
        pseudo = [(":method", method), (":scheme", "http"), (":authority", self.authority)]
        self.h2.send_headers(
            stream, [*pseudo, (":path", path), *headers], end_stream=end and body is None
        )
        if body is not None:
            self.send(stream, body, end)
        return stream

    def send(self, stream, body, end=True):
        """Sends a body, however small the server's window is."""
        while stream not in self.ended and stream not in self.resets:
            room = min(self.h2.local_flow_control_window(stream), self.h2.max_outbound_frame_size)
            self.h2.send_data(stream, body[:room], end_stream=end and len(body) <= room)
            self.flush()
            body = body[room:]
            if not body:
                return
            self.until(
                lambda: (
                    self.h2.local_flow_control_window(stream) > 0
                    or stream in self.ended
                    or stream in self.resets
                )
            )

    def call(self, method, message=b"", headers=(), end=True, framed=None):
        """Opens a call of gRPC with its first message."""
        if framed is None:
            framed = b"\0" + len(message).to_bytes(4, "big") + message
        fixed = [("content-type", "application/grpc"), ("te", "trailers")]
        path = f"/google.firestore.v1.Firestore/{method}"
        return self.open("POST", path, [*fixed, *headers], framed, end)

    def until(self, condition):
        """Reads until the condition holds or the server has closed; says whether it holds."""
        self.flush()
        while not condition():
            if self.is_closed:
                return False
            data = self.socket.recv(1 << 16)
            if not data:
                self.is_closed = True
                return condition()
            for event in self.h2.receive_data(data):
                self.take(event)
            self.flush()
        return True

    def take(self, event):
        stream = getattr(event, "stream_id", None)
        match event:
            case h2.events.ResponseReceived():
                self.headers[stream] = dict(event.headers)
            case h2.events.TrailersReceived():
                self.trailers[stream] = dict(event.headers)
            case h2.events.DataReceived():
                self.bodies[stream] = self.bodies.get(stream, b"") + event.data
                if event.flow_controlled_length:
                    self.h2.acknowledge_received_data(event.flow_controlled_length, stream)
            case h2.events.StreamEnded():
                self.ended.add(stream)
            case h2.events.StreamReset():
                self.resets[stream] = event.error_code
            case h2.events.PingAckReceived():
                self.pongs += 1
            case h2.events.ConnectionTerminated():
                self.goaway, self.last_stream = event.error_code, event.last_stream_id

    def finish(self, stream):
        """Waits for the end of a stream."""
        return self.until(lambda: stream in self.ended or stream in self.resets)

    def status(self, stream):
        """The gRPC status of a stream that has ended."""
        fields = {**self.headers.get(stream, {}), **self.trailers.get(stream, {})}
        return int(fields["grpc-status"]) if "grpc-status" in fields else None

    @property
    def most_streams(self):
        """How many streams the server allows at once."""
        self.until(
            lambda: h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS in self.h2.remote_settings
        )
        return self.h2.remote_settings.max_concurrent_streams
