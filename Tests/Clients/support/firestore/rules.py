"""Rules files, and what they allow."""

import grpc
from google.cloud.firestore_v1.types import firestore as rpc
from google.cloud.firestore_v1.types import query as queries

DENIED, NOT_FOUND = grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.NOT_FOUND


def ruled(body: str) -> str:
    return (
        "rules_version = '2';\nservice cloud.firestore {\n"
        "  match /databases/{database}/documents {\n" + body + "\n  }\n}\n"
    )


def allowed(base, token, *writes) -> bool:
    request = base.commit_request(*writes)
    try:
        base.call("commit", request, token)
        return True
    except grpc.RpcError as error:
        assert error.code() == DENIED, error
        return False


def readable(base, token, path: str) -> bool:
    try:
        base.call("get_document", base.get_request(path), token)
        return True
    except grpc.RpcError as error:
        if error.code() == NOT_FOUND:
            return True
        assert error.code() == DENIED, error
        return False


def structured(
    collection: str, *filters, all_descendants: bool = False, **more
) -> queries.StructuredQuery:
    parts = [
        {"field_filter": {"field": {"field_path": path}, "op": op, "value": value}}
        for path, op, value in filters
    ]
    where = (
        {}
        if not parts
        else {
            "where": parts[0]
            if len(parts) == 1
            else {"composite_filter": {"op": "AND", "filters": parts}}
        }
    )
    return queries.StructuredQuery(
        from_=[{"collection_id": collection, "all_descendants": all_descendants}], **where, **more
    )


def listed(base, token, query: queries.StructuredQuery, parent: str = ""):
    """The names of the results, or nothing if the query is refused."""
    try:
        answers = base.stream(
            "run_query",
            rpc.RunQueryRequest(parent=f"{base.root}/{parent}".rstrip("/"), structured_query=query),
            token,
        )
    except grpc.RpcError as error:
        assert error.code() == DENIED, error
        return None
    return [base.path(answer.document.name) for answer in answers if answer.document.name]
