"""Firestore's gRPC service, asked with the JSON of its messages."""

import grpc
from google.cloud.firestore_v1.types import document, firestore
from google.protobuf.json_format import MessageToDict, ParseDict

SERVICE = "google.firestore.v1.Firestore"
STREAMS = {"RunQuery", "RunAggregationQuery", "BatchGetDocuments"}
ANSWERS = {
    "BatchGetDocuments": firestore.BatchGetDocumentsResponse,
    "Commit": firestore.CommitResponse,
    "GetDocument": document.Document,
    "ListCollectionIds": firestore.ListCollectionIdsResponse,
    "ListDocuments": firestore.ListDocumentsResponse,
    "PartitionQuery": firestore.PartitionQueryResponse,
    "RunAggregationQuery": firestore.RunAggregationQueryResponse,
    "RunQuery": firestore.RunQueryResponse,
}


def asked(address: str, method: str, body: dict, authorization: str | None) -> dict:
    """The answer in the form of the recordings: code, message and messages."""
    metadata = [("authorization", authorization)] if authorization else []
    request = ParseDict(body, getattr(firestore, f"{method}Request").pb()())
    with grpc.insecure_channel(address) as channel:
        kind = channel.unary_stream if method in STREAMS else channel.unary_unary
        send = kind(
            f"/{SERVICE}/{method}",
            request_serializer=lambda message: message.SerializeToString(),
            response_deserializer=ANSWERS[method].pb().FromString,
        )
        messages: list = []
        try:
            reply = send(request, timeout=60, metadata=metadata)
            for message in reply if method in STREAMS else [reply]:
                messages.append(MessageToDict(message))
        except grpc.RpcError as error:
            code, text = error.code().value[0], error.details()
            return {"code": code, "message": text, "messages": messages}
    return {"code": 0, "messages": messages}
