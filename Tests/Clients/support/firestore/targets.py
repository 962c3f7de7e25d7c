"""Listen targets and their filters."""

from google.cloud.firestore_v1 import _helpers
from google.cloud.firestore_v1.types import query as queries


def query(collection: str, *orders, all_descendants: bool = False, **more):
    last = orders[-1][1] if orders else "ASCENDING"
    return queries.StructuredQuery(
        from_=[{"collection_id": collection, "all_descendants": all_descendants}],
        order_by=[
            {"field": {"field_path": path}, "direction": direction}
            for path, direction in [*orders, ("__name__", last)]
        ],
        **more,
    )


def comparison(path: str, op: str, value) -> dict:
    return {
        "field_filter": {
            "field": {"field_path": path},
            "op": op,
            "value": _helpers.encode_value(value),
        }
    }
