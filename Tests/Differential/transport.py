"""One request in the form of Google's JSON, sent over gRPC or REST; answers of both have one form."""

import json
import queue
import re
import urllib.parse
from dataclasses import dataclass, field

import grpc
import requests
from google.cloud.firestore_v1.types import firestore as rpc
from google.protobuf import json_format

OWNER = "owner"
OFFICIAL = "official"
# It leaves some requests over REST without an answer.
PATIENCE = 10.0
# Over gRPC, and by Hearth, every call is answered, on a busy machine late.
DEADLINE = 60.0
NOWHERE = "Not Found\n"

STREAMS = {"RunQuery", "RunAggregationQuery", "BatchGetDocuments", "ExecutePipeline"}
EMPTY = {"DeleteDocument", "Rollback"}
ANSWERS = {
    "GetDocument": "Document",
    "CreateDocument": "Document",
    "UpdateDocument": "Document",
    "ListDocuments": "ListDocumentsResponse",
    "BatchGetDocuments": "BatchGetDocumentsResponse",
    "Commit": "CommitResponse",
    "BatchWrite": "BatchWriteResponse",
    "RunQuery": "RunQueryResponse",
    "RunAggregationQuery": "RunAggregationQueryResponse",
    "BeginTransaction": "BeginTransactionResponse",
    "PartitionQuery": "PartitionQueryResponse",
    "ListCollectionIds": "ListCollectionIdsResponse",
    "ExecutePipeline": "ExecutePipelineResponse",
}
CODES = {code.value[0]: code.name for code in grpc.StatusCode}


@dataclass
class Request:
    """`body` is the message of the RPC as JSON; over REST its members go where the URL wants them."""

    rpc: str
    body: dict
    transport: str = "grpc"
    token: str | None = OWNER
    remark: str = ""

    def shown(self) -> dict:
        shown = {
            "rpc": self.rpc,
            "transport": self.transport,
            "token": self.token,
            "body": self.body,
        }
        return shown | {"remark": self.remark} if self.remark else shown


@dataclass
class Answer:
    """`status` is a gRPC code's name. A stream's answer is the list of its messages."""

    status: str
    message: str = ""
    body: object = None
    http: int | None = None

    def shown(self) -> dict:
        shown = {"status": self.status}
        if self.http is not None:
            shown["http"] = self.http
        return shown | ({"message": self.message} if self.status != "OK" else {"body": self.body})


def message_type(name: str):
    """The generated class without its wrapper, so that JSON goes in and out."""
    if name == "Document":
        from google.cloud.firestore_v1.types import document

        return document.Document.pb()
    return getattr(rpc, name).pb()


@dataclass
class Server:
    """One of the two. Times, transactions and page tokens that it gave are its own."""

    name: str
    address: str
    channel: grpc.Channel = None
    session: requests.Session = field(default_factory=requests.Session)
    stubs: dict = field(default_factory=dict)

    def __post_init__(self):
        self.channel = grpc.insecure_channel(
            self.address,
            options=[("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)],
        )
        self.session.trust_env = False

    def send(self, request: Request, body: dict) -> Answer:
        over = self.over_grpc if request.transport == "grpc" else self.over_rest
        return over(request, body)

    # MARK: gRPC

    def stub(self, name: str):
        if name not in self.stubs:
            make = self.channel.unary_stream if name in STREAMS else self.channel.unary_unary
            self.stubs[name] = make(
                f"/google.firestore.v1.Firestore/{name}",
                request_serializer=lambda message: message.SerializeToString(),
                response_deserializer=(lambda data: data)
                if name in EMPTY
                else message_type(ANSWERS[name]).FromString,
            )
        return self.stubs[name]

    def metadata(self, request: Request) -> list:
        return [] if request.token is None else [("authorization", f"Bearer {request.token}")]

    def write_stream(self, request: Request, body: dict) -> Answer:
        """All that a Write stream answers: to the handshake, and to each of the lists."""
        kind, answers, outgoing = rpc.WriteRequest.pb(), [], queue.Queue()
        call = self.channel.stream_stream(
            "/google.firestore.v1.Firestore/Write",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=rpc.WriteResponse.pb().FromString,
        )(
            iter(outgoing.get, None),
            timeout=DEADLINE,
            metadata=[*self.metadata(request), ("google-cloud-resource-prefix", body["database"])],
        )
        try:
            outgoing.put(json_format.ParseDict({"database": body["database"]}, kind()))
            answer = next(call)
            for writes in body["lists"]:
                outgoing.put(
                    json_format.ParseDict(
                        {"writes": writes}, kind(stream_token=answer.stream_token)
                    )
                )
                answer = next(call)
                answers.append(json_format.MessageToDict(answer))
            return Answer("OK", body=answers)
        except grpc.RpcError as error:
            return Answer(error.code().name, error.details() or "", answers)
        except StopIteration:
            return Answer("STREAM", "the stream ended", answers)
        finally:
            outgoing.put(None)
            call.cancel()

    def over_grpc(self, request: Request, body: dict) -> Answer:
        if request.rpc == "Write":
            return self.write_stream(request, body)
        message = json_format.ParseDict(body, message_type(f"{request.rpc}Request")())
        got = []
        try:
            answer = self.stub(request.rpc)(
                message, timeout=DEADLINE, metadata=self.metadata(request)
            )
            if request.rpc in STREAMS:
                for each in answer:
                    got.append(json_format.MessageToDict(each))
                return Answer("OK", body=got)
            return Answer(
                "OK", body={} if request.rpc in EMPTY else json_format.MessageToDict(answer)
            )
        except grpc.RpcError as error:
            return Answer(error.code().name, error.details() or "", got)

    # MARK: REST

    def over_rest(self, request: Request, body: dict, patience: float = PATIENCE) -> Answer:
        method, path, query, content = rest_form(request.rpc, body)
        url = f"http://{self.address}/v1/{urllib.parse.quote(path, safe='/:()')}"
        if query:
            url += "?" + urllib.parse.urlencode(query, quote_via=urllib.parse.quote)
        return self.http(method, url, content, request.token, patience)

    def http(
        self,
        method: str,
        url: str,
        content=None,
        token: str | None = OWNER,
        patience: float = PATIENCE,
    ) -> Answer:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        data = None
        if content is not None:
            headers["Content-Type"] = "application/json"
            data = content if isinstance(content, bytes) else in_json(content)
        url = url if url.startswith("http") else f"http://{self.address}{url}"
        if self.name != OFFICIAL:
            patience = max(patience, DEADLINE)
        try:
            reply = self.session.request(method, url, data=data, headers=headers, timeout=patience)
        except requests.Timeout:
            return Answer("NO_ANSWER", "nothing came in time")
        return http_answer(reply)


def in_json(content) -> bytes:
    """The official server reads -0.0 as 0.0, but not a number that is too small to be another."""
    return re.sub(r"(?<=: )-0\.0(?=[,}\]])", "-1e-400", json.dumps(content)).encode()


def whole(digits: str):
    """Keeps the sign of a zero."""
    return -0.0 if digits == "-0" else int(digits)


def http_answer(reply: requests.Response) -> Answer:
    try:
        body = json.loads(reply.content, parse_int=whole) if reply.content else None
    except ValueError:
        status = "OK" if reply.ok else f"HTTP_{reply.status_code}"
        # A path that leads nowhere has no envelope there.
        if reply.status_code == 404 and reply.text == NOWHERE:
            status = "NOT_FOUND"
        return Answer(status, reply.text, reply.text, reply.status_code)
    error = body[-1] if isinstance(body, list) and body else body
    if isinstance(error, dict) and "error" in error:
        error = error["error"]
        status = error.get("status") or CODES.get(error.get("code"), str(error.get("code")))
        return Answer(status, error.get("message", ""), body, reply.status_code)
    return Answer("OK" if reply.ok else f"HTTP_{reply.status_code}", "", body, reply.status_code)


def rest_form(name: str, body: dict) -> tuple[str, str, list, dict | None]:
    """Method, path, parameters and content."""
    body = dict(body)
    if name in ("GetDocument", "DeleteDocument"):
        path = body.pop("name")
        return "GET" if name == "GetDocument" else "DELETE", path, parameters(body), None
    if name == "ListDocuments":
        path = body.pop("parent")
        collection = body.pop("collectionId", "")
        return "GET", f"{path}/{collection}" if collection else path, parameters(body), None
    if name == "CreateDocument":
        path = f"{body.pop('parent')}/{body.pop('collectionId')}"
        return "POST", path, parameters(body, leave="document"), body.get("document", {})
    if name == "UpdateDocument":
        document = dict(body.pop("document"))
        path = document.pop("name")
        return "PATCH", path, parameters(body), document
    verb = {"BatchGetDocuments": "batchGet"}.get(name, name[0].lower() + name[1:])
    if "database" in body:
        return "POST", f"{body.pop('database')}/documents:{verb}", [], body
    return "POST", f"{body.pop('parent')}:{verb}", [], body


def parameters(body: dict, leave: str | None = None, before: str = "") -> list[tuple[str, str]]:
    found = []
    for name, value in body.items():
        if name == leave and not before:
            continue
        if isinstance(value, dict):
            found += parameters(value, None, f"{before}{name}.")
        elif isinstance(value, list):
            found += [(before + name, each) for each in value]
        else:
            found.append(
                (before + name, str(value).lower() if isinstance(value, bool) else str(value))
            )
    return found
