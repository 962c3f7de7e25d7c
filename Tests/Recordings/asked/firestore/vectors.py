"""The nearest vectors."""

from ...steps import Program, Step
from .documents import INDEXES, VECTORS
from .words import (
    ONE,
    aggregate,
    among,
    array,
    ascending,
    ask,
    compare,
    count,
    cursor,
    double,
    equal,
    nearest,
    string,
    total,
    vector,
)


def near(name: str, where: dict | None = None, *orders: dict, **more) -> Step:
    return ask(name, nearest("qvec", where, *orders, **more))


def whole(name: str, **more) -> Step:
    """Whole documents, with the distance in them."""
    return near(name, select=None, **more)


COSINE, DOT = {"measure": "COSINE"}, {"measure": "DOT_PRODUCT"}
MEASURES = [
    near("euclidean"),
    near("cosine", **COSINE),
    near("dot-product", **DOT),
    whole("euclidean-full-documents", limit=2),
    near("euclidean-distance-field", distance="distance"),
    near("cosine-distance-field", distance="distance", **COSINE),
    near("dot-product-distance-field", distance="distance", **DOT),
    whole("distance-field-existing-name", distance="dist", limit=10),
    near("distance-field-nested", distance="a.b"),
    near("euclidean-threshold", threshold=1.5, limit=10),
    near("cosine-threshold", threshold=0.5, limit=10, **COSINE),
    near("dot-product-threshold", threshold=0.5, limit=10, **DOT),
    near("query-vector-other-direction", to=vector(0, 0, -1), limit=10),
    near("limit-covers-all", limit=100, **COSINE),
    whole("euclidean-distance-values", distance="distance", limit=10),
    whole("dot-product-distance-values", distance="distance", limit=10, **DOT),
    whole("distance-field-dotted-name", distance="a.b", limit=2),
    whole("distance-field-replaces-existing", distance="color", limit=2),
]
VALIDATION = [
    near("limit-1000", limit=1000),
    near("limit-1001", limit=1001),
    near("limit-zero", limit=0),
    near("limit-negative", limit=-1),
    near("limit-missing", limit=None),
    near("measure-unspecified", measure="DISTANCE_MEASURE_UNSPECIFIED"),
    near("measure-missing", measure=None),
    near("vector-field-missing", of=None),
    near("query-vector-missing", to=None),
    near("query-vector-array", to=array(double(1), double(0), double(0))),
    near("query-vector-empty", to=vector()),
    near("query-vector-two-dimensions", to=vector(1, 0)),
    near("query-vector-four-dimensions", to=vector(1, 0, 0, 0)),
    near("vector-field-without-index", of="emb2"),
    near("vector-field-name", of="__name__"),
    near("distance-field-invalid", distance="a..b"),
    near("distance-field-reserved", distance="__name__"),
    near("threshold-nan", threshold="NaN"),
]
N_ONE = equal("n", ONE)
CLAUSES = [
    near("prefilter-equality", equal("color", string("red"))),
    near("prefilter-equality-without-index", N_ONE),
    near("prefilter-range", compare("color", "GREATER_THAN_OR_EQUAL", string("green"))),
    near("prefilter-in", among("color", string("red"), string("blue"))),
    ask("with-query-limit", nearest("qvec") | {"limit": 2}),
    ask("with-offset", nearest("qvec") | {"offset": 1}),
    near("with-order-by", None, ascending("n")),
    near("with-cursor", None, ascending("n"), startAt=cursor(ONE)),
    near("select-vector-field", select=("emb",), limit=1),
    near("collection-group", group=True),
    aggregate("count-over-nearest", nearest("qvec", select=None), count("c")),
    aggregate("sum-over-nearest", nearest("qvec", select=None), total("n", "s")),
    aggregate(
        "count-over-nearest-with-limit", nearest("qvec", select=None) | {"limit": 2}, count("c")
    ),
]


def program(steps: list[Step]) -> Program:
    return Program(steps, documents=VECTORS, indexes=INDEXES)


PROGRAMS = {
    "fs-query-index/vector/measures": program(MEASURES),
    "fs-query-index/vector/validation": program(VALIDATION),
    "fs-query-index/vector/with-query-clauses": program(CLAUSES),
}
