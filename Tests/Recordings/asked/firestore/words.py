"""The words that Firestore's requests are made of."""

from ...steps import Rpc, Step

DOCUMENTS = "projects/<project>/databases/(default)/documents"
V1 = f"/v1/{DOCUMENTS}"


# MARK: Values


def integer(value) -> dict:
    return {"integerValue": str(value)}


def double(value) -> dict:
    return {"doubleValue": value}


def string(value: str) -> dict:
    return {"stringValue": value}


def stamp(value: str) -> dict:
    return {"timestampValue": value}


def raw(value: str) -> dict:
    return {"bytesValue": value}


def place(latitude: float, longitude: float) -> dict:
    return {"geoPointValue": {"latitude": latitude, "longitude": longitude}}


def reference(path: str, documents: str = DOCUMENTS) -> dict:
    return {"referenceValue": f"{documents}/{path}"}


def array(*values: dict) -> dict:
    return {"arrayValue": {"values": list(values)} if values else {}}


def mapped(**fields: dict) -> dict:
    return {"mapValue": {"fields": fields} if fields else {}}


def vector(*numbers: float) -> dict:
    return mapped(__type__=string("__vector__"), value=array(*map(double, numbers)))


NULL = {"nullValue": None}
NAN = double("NaN")
TRUE = {"booleanValue": True}
FALSE = {"booleanValue": False}
ONE, TWO, THREE = integer(1), integer(2), integer(3)


def integers(*values: int) -> dict:
    return array(*map(integer, values))


# MARK: Queries


def field(path: str) -> dict:
    return {"fieldPath": path}


def compare(path: str, op: str, value: dict) -> dict:
    return {"fieldFilter": {"field": field(path), "op": op, "value": value}}


def equal(path: str, value: dict) -> dict:
    return compare(path, "EQUAL", value)


def above(path: str, value: dict) -> dict:
    return compare(path, "GREATER_THAN", value)


def below(path: str, value: dict) -> dict:
    return compare(path, "LESS_THAN", value)


def among(path: str, *values: dict) -> dict:
    return compare(path, "IN", array(*values))


def unary(path: str, op: str) -> dict:
    return {"unaryFilter": {"field": field(path), "op": op}}


def both(*filters: dict) -> dict:
    return {"compositeFilter": {"op": "AND", "filters": list(filters)}}


def either(*filters: dict) -> dict:
    return {"compositeFilter": {"op": "OR", "filters": list(filters)}}


def ascending(path: str) -> dict:
    return {"field": field(path), "direction": "ASCENDING"}


def descending(path: str) -> dict:
    return {"field": field(path), "direction": "DESCENDING"}


def cursor(*values: dict, before: bool | None = True) -> dict:
    return {"values": list(values)} | ({} if before is None else {"before": before})


def query(
    collection: str | None,
    where: dict | None = None,
    *orders: dict,
    group: bool = False,
    select: tuple[str, ...] | None = ("n",),
    **members,
) -> dict:
    """A structured query. Most of the recorded ones select one field."""
    source = {} if collection is None else {"collectionId": collection}
    made = {"from": [source | ({"allDescendants": True} if group else {})]}
    if where is not None:
        made["where"] = where
    if orders:
        made["orderBy"] = list(orders)
    if select is not None:
        made["select"] = {"fields": [field(path) for path in select]}
    return made | members


X = vector(1, 0, 0)


def nearest(
    collection: str,
    where: dict | None = None,
    *orders: dict,
    to: dict | None = X,
    measure: str | None = "EUCLIDEAN",
    limit: int | None = 3,
    of: str | None = "emb",
    distance: str | None = None,
    threshold: float | str | None = None,
    **members,
) -> dict:
    """A query for the documents with the nearest vectors."""
    search: dict = {}
    for name, value in (
        ("vectorField", None if of is None else field(of)),
        ("queryVector", to),
        ("distanceMeasure", measure),
        ("limit", limit),
        ("distanceResultField", distance),
        ("distanceThreshold", threshold),
    ):
        if value is not None:
            search[name] = value
    return query(collection, where, *orders, **members) | {"findNearest": search}


def count(alias: str | None = None, up_to=None) -> dict:
    made = {"count": {} if up_to is None else {"upTo": str(up_to)}}
    return made if alias is None else {"alias": alias} | made


def total(path: str, alias: str | None = None) -> dict:
    made = {"sum": {"field": field(path)}}
    return made if alias is None else {"alias": alias} | made


def average(path: str, alias: str | None = None) -> dict:
    made = {"avg": {"field": field(path)}}
    return made if alias is None else {"alias": alias} | made


# MARK: Requests


def ask(name: str, structured: dict, parent: str = "", **members) -> Step:
    """Runs a query."""
    body = {"structuredQuery": structured} | members
    return Step(name, "POST", f"{V1}{parent}:runQuery", "admin", body)


def aggregate(
    name: str, structured: dict, *aggregations: dict, parent: str = "", **members
) -> Step:
    """Runs a query with aggregations."""
    asked = {"structuredQuery": structured, "aggregations": list(aggregations)}
    body = {"structuredAggregationQuery": asked} | members
    return Step(name, "POST", f"{V1}{parent}:runAggregationQuery", "admin", body)


def divide(name: str, structured: dict | None, parent: str = "", **members) -> Step:
    """Asks for the points that divide a query."""
    body = ({} if structured is None else {"structuredQuery": structured}) | members
    return Step(name, "POST", f"{V1}{parent}:partitionQuery", "admin", body)


def write(path: str, fields: dict) -> dict:
    return {"update": {"name": f"{DOCUMENTS}/{path}", "fields": fields}}


def commit(name: str, *writes: dict, wait: float = 0) -> Step:
    return Step(name, "POST", f"{V1}:commit", "admin", {"writes": list(writes)}, wait=wait)


def call(name: str, method: str, **body) -> Step:
    """The same over gRPC."""
    return Step(name, "POST", "", "admin", body, rpc=Rpc(method))


def call_query(name: str, structured: dict, **members) -> Step:
    return call(name, "RunQuery", parent=DOCUMENTS, structuredQuery=structured, **members)


def call_aggregation(name: str, structured: dict, *aggregations: dict, **members) -> Step:
    asked = {"structuredQuery": structured, "aggregations": list(aggregations)}
    return call(
        name, "RunAggregationQuery", parent=DOCUMENTS, structuredAggregationQuery=asked, **members
    )
