"""A Firestore project of its own for one test: Google's clients, the bare RPCs, REST, and signed-in users."""

import base64
import contextlib
import os
import queue
import signal
import threading
import uuid

import grpc
import pytest
import requests
from google.auth.credentials import AnonymousCredentials
from google.cloud import firestore
from google.cloud.firestore_v1 import _helpers
from google.cloud.firestore_v1.services.firestore.transports.grpc import FirestoreGrpcTransport
from google.cloud.firestore_v1.types import common, write
from google.cloud.firestore_v1.types import document as documents
from google.cloud.firestore_v1.types import firestore as messages
from support.server import Server
from support.wire import V1, segment

WAIT = 30
OWNER = "owner"
STORY_RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /users/{userId} {
      allow read: if request.auth != null && request.auth.uid == userId;
    }
  }
}
"""


@pytest.fixture(autouse=True)
def guard():
    """No test hangs: a wait in the main thread is interrupted."""

    def stop(*_):
        raise TimeoutError("the test takes longer than 180 seconds")

    previous = signal.signal(signal.SIGALRM, stop)
    signal.alarm(180)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, previous)


def address(server: Server) -> str:
    return server.addresses["firestore"].removeprefix("http://")


@contextlib.contextmanager
def emulator(server: Server):
    """The environment in which the clients find the server."""
    before = os.environ.get("FIRESTORE_EMULATOR_HOST")
    os.environ["FIRESTORE_EMULATOR_HOST"] = address(server)
    try:
        yield
    finally:
        if before is None:
            del os.environ["FIRESTORE_EMULATOR_HOST"]
        else:
            os.environ["FIRESTORE_EMULATOR_HOST"] = before


class Firestore:
    """One database of one project, which no other test uses."""

    def __init__(self, server: Server, project: str | None = None, database: str = "(default)"):
        self.server = server
        self.project = project or f"demo-{uuid.uuid4().hex[:16]}"
        self.database_id = database
        self.database = f"projects/{self.project}/databases/{database}"
        self.root = f"{self.database}/documents"
        self._client = None
        self._channel = None
        self._rpc = None

    # MARK: Google's clients

    @property
    def client(self) -> firestore.Client:
        if self._client is None:
            with emulator(self.server):
                self._client = firestore.Client(
                    project=self.project,
                    database=self.database_id,
                    credentials=AnonymousCredentials(),
                )
                # Made while the variable of the emulator is set.
                assert self._client._firestore_api
        return self._client

    def async_client(self) -> firestore.AsyncClient:
        """To be made inside of the running loop."""
        with emulator(self.server):
            client = firestore.AsyncClient(
                project=self.project, database=self.database_id, credentials=AnonymousCredentials()
            )
            assert client._firestore_api
        return client

    def close(self) -> None:
        if self._client is not None:
            self._client._transport.close()
        if self._channel is not None:
            self._channel.close()

    # MARK: The bare RPCs

    @property
    def rpc(self) -> FirestoreGrpcTransport:
        """`rpc.get_document(request, metadata=…, timeout=…)` and so on."""
        if self._rpc is None:
            self._channel = grpc.insecure_channel(
                address(self.server),
                options=[
                    ("grpc.use_local_subchannel_pool", 1),
                    ("grpc.max_receive_message_length", -1),
                    ("grpc.max_send_message_length", -1),
                ],
            )
            self._rpc = FirestoreGrpcTransport(channel=self._channel)
        return self._rpc

    def call(self, method: str, request, token: str | None = OWNER, timeout: float = WAIT):
        """A unary RPC."""
        return getattr(self.rpc, method)(request, metadata=metadata(token), timeout=timeout)

    def stream(
        self, method: str, request, token: str | None = OWNER, timeout: float = WAIT
    ) -> list:
        """All that a server-streaming RPC answers."""
        return list(getattr(self.rpc, method)(request, metadata=metadata(token), timeout=timeout))

    def fails(self, method: str, request, token: str | None = OWNER, timeout: float = WAIT):
        """The status code of an RPC that must not succeed."""
        with pytest.raises(grpc.RpcError) as raised:
            answer = getattr(self.rpc, method)(request, metadata=metadata(token), timeout=timeout)
            if isinstance(answer, grpc.Call):
                list(answer)
        return raised.value.code()

    def name(self, path: str) -> str:
        return f"{self.root}/{path}"

    def document(self, path: str, data: dict) -> documents.Document:
        return documents.Document(name=self.name(path), fields=_helpers.encode_dict(data))

    def data(self, document: documents.Document) -> dict:
        return _helpers.decode_dict(document.fields, self.client)

    def path(self, name: str) -> str:
        assert name.startswith(self.root + "/"), name
        return name.removeprefix(self.root + "/")

    def set(self, path: str, data: dict, **more) -> write.Write:
        return write.Write(update=self.document(path, data), **more)

    def delete(self, path: str, **more) -> write.Write:
        return write.Write(delete=self.name(path), **more)

    def verify(self, path: str, **condition) -> write.Write:
        """`Write.verify`, field 5, which the public messages lack."""
        name = self.name(path).encode()
        message = write.Write(current_document=common.Precondition(**condition))
        write.Write.pb(message).MergeFromString(b"\x2a" + bytes([len(name)]) + name)
        return message

    def commit(
        self, *writes, token: str | None = OWNER, transaction: bytes = b""
    ) -> messages.CommitResponse:
        return self.call("commit", self.commit_request(*writes, transaction=transaction), token)

    def commit_request(self, *writes, transaction: bytes = b"") -> messages.CommitRequest:
        return messages.CommitRequest(
            database=self.database, writes=list(writes), transaction=transaction
        )

    def get_request(self, path: str, **more) -> messages.GetDocumentRequest:
        return messages.GetDocumentRequest(name=self.name(path), **more)

    def batch_get(self, *paths: str, token: str | None = OWNER, **more) -> list:
        return self.stream(
            "batch_get_documents",
            messages.BatchGetDocumentsRequest(
                database=self.database, documents=[self.name(path) for path in paths], **more
            ),
            token,
        )

    def begin(self, **options) -> bytes:
        return self.call(
            "begin_transaction",
            messages.BeginTransactionRequest(
                database=self.database, options=common.TransactionOptions(**options)
            ),
        ).transaction

    # MARK: REST

    def rest(
        self, method: str, path: str = "", status: int = 200, token: str | None = OWNER, **options
    ):
        """The answer of `/v1/projects/…/documents{path}`."""
        headers = options.pop("headers", {})
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        reply = requests.request(
            method,
            f"{self.server.addresses['firestore']}/v1/{self.root}{path}",
            headers=headers,
            timeout=30,
            **options,
        )
        assert reply.status_code == status, f"{reply.status_code} {reply.text}"
        assert reply.headers["Content-Type"].startswith("application/json"), reply.headers
        answer = reply.json()
        if status >= 400:
            error = answer[0]["error"] if isinstance(answer, list) else answer["error"]
            assert error["code"] == status and error["message"] and error["status"]
        return answer

    def refused(
        self, method: str, path: str, status: int, token: str | None = OWNER, **options
    ) -> str:
        """The status text of a REST call that must fail."""
        answer = self.rest(method, path, status, token, **options)
        return (answer[0] if isinstance(answer, list) else answer)["error"]["status"]

    def control(self, method: str, path: str, **options) -> requests.Response:
        """What the emulator adds: `/emulator/v1/projects/{p}…`."""
        return requests.request(
            method,
            f"{self.server.addresses['firestore']}/emulator/v1/projects/{self.project}{path}",
            timeout=30,
            **options,
        )

    def rules(self, text: str) -> None:
        reply = self.control(
            "PUT",
            ":securityRules",
            json={"rules": {"files": [{"name": "firestore.rules", "content": text}]}},
        )
        # There may be warnings.
        assert reply.status_code == 200, reply.text

    def switch(self, **values) -> None:
        reply = self.control("PATCH", "/switches", json=values)
        assert reply.status_code == 200, reply.text

    # MARK: Users

    def sign_up(self, **more) -> tuple[str, str]:
        """Identifier and ID token of a new user of this project."""
        reply = requests.post(
            f"{self.server.auth}{V1}signUp",
            params={"key": self.project},
            timeout=30,
            json={
                "email": f"user-{uuid.uuid4().hex[:12]}@example.com",
                "password": "secret1",
                "returnSecureToken": True,
                **more,
            },
        )
        assert reply.status_code == 200, reply.text
        body = reply.json()
        return body["localId"], body["idToken"]

    def mock_token(self, uid: str, **claims) -> str:
        """As `mockUserToken` and rules-unit-testing make it: unsigned and looking expired."""
        payload = {
            "iss": f"https://securetoken.google.com/{self.project}",
            "aud": self.project,
            "iat": 0,
            "exp": 3600,
            "auth_time": 0,
            "sub": uid,
            "user_id": uid,
            "firebase": {"sign_in_provider": "custom", "identities": {}},
            **claims,
        }
        return f"{segment({'alg': 'none', 'type': 'JWT'})}.{segment(payload)}."


def metadata(token: str | None) -> list[tuple[str, str]]:
    return [] if token is None else [("authorization", f"Bearer {token}")]


def forged(token: str) -> str:
    """The same claims under a signature with one bit turned."""
    head, payload, signature = token.split(".")
    raw = bytearray(base64.urlsafe_b64decode(signature + "=="))
    raw[len(raw) // 2] ^= 1
    return ".".join([head, payload, base64.urlsafe_b64encode(raw).decode().rstrip("=")])


class Stream:
    """A bidirectional RPC. Messages go in through `send`, and come out of `next` in their order."""

    def __init__(self, method, token: str | None = OWNER, more: tuple[tuple[str, str], ...] = ()):
        self._outgoing: queue.Queue = queue.Queue()
        self._incoming: queue.Queue = queue.Queue()
        self._ended = False
        self.call = method(
            iter(self._outgoing.get, None), metadata=[*metadata(token), *more], timeout=120
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        try:
            for message in self.call:
                self._incoming.put(message)
        except grpc.RpcError:
            pass
        self._incoming.put(None)

    def send(self, message) -> None:
        self._outgoing.put(message)

    def half_close(self) -> None:
        self._outgoing.put(None)

    def next(self, timeout: float = WAIT):
        """The next message; None at the end of the stream."""
        if self._ended:
            return None
        try:
            message = self._incoming.get(timeout=timeout)
        except queue.Empty:
            raise AssertionError(f"nothing came within {timeout} seconds") from None
        self._ended = message is None
        return message

    def is_silent(self, seconds: float) -> bool:
        try:
            self._incoming.get(timeout=seconds)
        except queue.Empty:
            return True
        return False

    def end(self, timeout: float = WAIT) -> grpc.StatusCode:
        """The status with which the server ends the stream, whatever comes before."""
        while self.next(timeout) is not None:
            pass
        return self.call.code()

    def cancel(self) -> None:
        self.call.cancel()
        self._outgoing.put(None)


class Listener(Stream):
    """A Listen stream, whose messages are read as tuples."""

    def __init__(
        self, base: Firestore, token: str | None = OWNER, more: tuple[tuple[str, str], ...] = ()
    ):
        super().__init__(base.rpc.listen, token, more)
        self.base = base
        self.resume_token = b""
        self.read_times: list = []

    def add(self, target_id: int, *paths: str, query=None, parent: str = "", **more) -> None:
        if query is None:
            more["documents"] = messages.Target.DocumentsTarget(
                documents=[self.base.name(path) for path in paths]
            )
        else:
            more["query"] = messages.Target.QueryTarget(
                parent=f"{self.base.root}/{parent}".rstrip("/"), structured_query=query
            )
        self.send(
            messages.ListenRequest(
                database=self.base.database, add_target=messages.Target(target_id=target_id, **more)
            )
        )

    def remove(self, target_id: int) -> None:
        self.send(messages.ListenRequest(database=self.base.database, remove_target=target_id))

    def event(self, timeout: float = WAIT) -> tuple:
        """`("ADD", [2])`, `("change", path, data, targets, removed)`, `("delete", path, removed)`, …"""
        message = self.next(timeout)
        assert message is not None, (
            f"the stream ended with {self.call.code()}: {self.call.details()}"
        )
        return self.read(message)

    def read(self, message: messages.ListenResponse) -> tuple:
        kind = messages.ListenResponse.pb(message).WhichOneof("response_type")
        if kind == "target_change":
            change = message.target_change
            if change.resume_token:
                self.resume_token = change.resume_token
            if messages.TargetChange.pb(change).HasField("read_time"):
                self.read_times.append(change.read_time)
            event = (change.target_change_type.name, list(change.target_ids))
            return (*event, change.cause.code) if change.cause.code else event
        if kind == "document_change":
            change = message.document_change
            assert write.DocumentChange.pb(change).document.HasField("update_time")
            return (
                "change",
                self.base.path(change.document.name),
                self.base.data(change.document),
                list(change.target_ids),
                list(change.removed_target_ids),
            )
        if kind in ("document_delete", "document_remove"):
            change = getattr(message, kind)
            return (
                kind.removeprefix("document_"),
                self.base.path(change.document),
                list(change.removed_target_ids),
            )
        assert kind == "filter", f"a ListenResponse without a member: {message}"
        return ("filter", message.filter.target_id, message.filter.count)

    def snapshot(self, timeout: float = WAIT) -> list[tuple]:
        """Everything up to the next global snapshot mark after a change."""
        events: list[tuple] = []
        while True:
            event = self.event(timeout)
            if event == ("NO_CHANGE", []):
                if events:
                    return events
                continue
            events.append(event)

    def until(self, wanted: tuple, timeout: float = WAIT) -> list[tuple]:
        """The events before the wanted one."""
        events: list[tuple] = []
        while (event := self.event(timeout)) != wanted:
            events.append(event)
        return events


class Writer(Stream):
    """A Write stream after its handshake."""

    def __init__(
        self, base: Firestore, token: str | None = OWNER, more: tuple[tuple[str, str], ...] = ()
    ):
        super().__init__(base.rpc.write, token, more)
        self.base = base
        self.send(messages.WriteRequest(database=base.database))
        self.opening = self.next()
        self.token = self.opening.stream_token if self.opening is not None else b""

    def write(self, *writes) -> None:
        self.send(messages.WriteRequest(stream_token=self.token, writes=list(writes)))

    def result(self) -> messages.WriteResponse:
        response = self.next()
        assert response is not None, (
            f"the stream ended with {self.call.code()}: {self.call.details()}"
        )
        assert response.stream_token
        self.token = response.stream_token
        return response


@pytest.fixture
def base(hearth):
    """A database without rules of its own."""
    base = Firestore(hearth)
    yield base
    base.close()


@pytest.fixture
def db(base) -> firestore.Client:
    return base.client


@pytest.fixture
def listener(base):
    listener = Listener(base)
    yield listener
    listener.cancel()


@pytest.fixture
def writer(base):
    writer = Writer(base)
    yield writer
    writer.cancel()
