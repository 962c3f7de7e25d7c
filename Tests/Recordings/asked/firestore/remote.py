"""Queries over gRPC."""

from ...steps import Program
from .documents import GROUP, INDEXED, INDEXES, NUMBERS, VECTORS
from .words import (
    ONE,
    TWO,
    ascending,
    average,
    both,
    call_aggregation,
    call_query,
    compare,
    count,
    cursor,
    descending,
    either,
    equal,
    integer,
    integers,
    nearest,
    query,
    string,
    total,
)

ODD = equal("g", string("odd"))
A, B = equal("a", ONE), equal("b", ONE)
ANALYZE = {"analyze": True}
QUERIES = [
    call_query("full-documents", query("qn", equal("n", TWO), select=None)),
    call_query("or-filter", query("qn", either(ODD, equal("h", integer(0))))),
    call_query("descending-cursor", query("qn", None, descending("n"), startAt=cursor(integer(5)))),
    call_query("offset-and-limit", query("qn", offset=3, limit=2)),
    call_query("offset-past-end", query("qn", offset=20)),
    call_query("empty-result", query("qn", equal("g", string("none")))),
    call_query("projection-empty", query("qn", select=(), limit=2)),
    call_query("collection-group", query("qg", group=True)),
    call_query("negative-limit", query("qn", limit=-1)),
    call_query("in-31", query("qn", compare("n", "IN", integers(*range(31))))),
    call_query("in-empty", query("qn", compare("n", "IN", {"arrayValue": {}}))),
    call_query(
        "cursor-too-many-values", query("qn", None, ascending("n"), startAt=cursor(ONE, TWO, ONE))
    ),
    call_query("missing-index", query("qx", A, descending("b"))),
    call_query("group-missing-index", query("qg", equal("n", ONE), group=True)),
    call_query("merge", query("qx", both(A, B), ascending("c"), select=("c",))),
    call_query("explain-plan", query("qn", ODD), explainOptions={}),
    call_query("explain-analyze", query("qn", ODD), explainOptions=ANALYZE),
    call_query("explain-missing-index", query("qx", A, descending("b")), explainOptions={}),
    call_query("nearest", nearest("qvec")),
    call_query("nearest-limit-1001", nearest("qvec", limit=1001)),
    call_aggregation(
        "count-sum-avg", query("qn", select=None), count("c"), total("n", "s"), average("d", "a")
    ),
    call_aggregation(
        "default-aliases", query("qn", select=None), count(), total("n"), average("n", "a")
    ),
    call_aggregation("sum-missing-index", query("qx", A, select=None), total("d", "s")),
]
PROGRAMS = {
    "fs-query-index/grpc/queries": Program(
        QUERIES, documents=NUMBERS | INDEXED | GROUP | VECTORS, indexes=INDEXES
    )
}
