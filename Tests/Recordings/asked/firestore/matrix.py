"""Writes, transactions, refusals and earlier states, as the matrix of three servers asked them."""

from ...steps import Answer, Program, Step
from .words import (
    DOCUMENTS,
    ONE,
    TWO,
    V1,
    aggregate,
    array,
    ascending,
    ask,
    both,
    compare,
    count,
    cursor,
    equal,
    field,
    integer,
    integers,
    mapped,
    place,
    query,
    raw,
    reference,
    stamp,
    string,
    write,
)

SOMETIME = "2000-01-01T00:00:00Z"


def post(name: str, verb: str, **body) -> Step:
    return Step(name, "POST", f"{V1}:{verb}", "admin", body)


def get(name: str, path: str, **query) -> Step:
    return Step(name, "GET", f"{V1}/{path}", "admin", query=query)


def read(name: str, path: str, **body) -> Step:
    return post(name, "batchGet", documents=[f"{DOCUMENTS}/{path}"], **body)


def commit(name: str, *writes: dict, **body) -> Step:
    return post(name, "commit", writes=list(writes), **body)


def transaction(step: str) -> Answer:
    return Answer(step, "transaction")


def begin(name: str, **options) -> Step:
    return post(name, "beginTransaction", **({"options": options} if options else {}))


def number(path: str, value: int) -> dict:
    return write(f"tx/{path}", {"value": integer(value)})


ALL = query("tx", select=None)
# The first bytes of an identifier that no transaction has.
NOBODY = "bm9ib2R5"
LIFECYCLE = [
    begin("begin"),
    read("read-in-transaction", "tx/counter", transaction=transaction("begin")),
    get("get-with-transaction-query-parameter", "tx/counter", transaction=transaction("begin")),
    commit("commit-in-transaction", number("counter", 1), transaction=transaction("begin")),
    commit(
        "commit-finished-transaction-again", number("counter", 2), transaction=transaction("begin")
    ),
    begin("begin-contended"),
    read("read-contended", "tx/counter", transaction=transaction("begin-contended")),
    commit("out-of-band-write", number("counter", 2)),
    commit(
        "contended-commit-is-aborted",
        number("counter", 3),
        transaction=transaction("begin-contended"),
    ),
    get("counter-keeps-the-out-of-band-value", "tx/counter"),
    begin("begin-unread"),
    commit("out-of-band-write-2", number("counter", 5)),
    commit(
        "blind-write-in-a-transaction-commits",
        number("counter", 4),
        transaction=transaction("begin-unread"),
    ),
    begin("begin-query"),
    ask("query-in-transaction", ALL, transaction=transaction("begin-query")),
    commit(
        "commit-after-a-phantom-row", number("other", 1), transaction=transaction("begin-query")
    ),
    begin("begin-read-only", readOnly={}),
    commit(
        "read-only-commit-with-writes",
        number("third", 1),
        transaction=transaction("begin-read-only"),
    ),
    commit("read-only-commit-without-writes", transaction=transaction("begin-read-only")),
    begin("begin-rolled-back"),
    post("rollback", "rollback", transaction=transaction("begin-rolled-back")),
    commit(
        "commit-after-rollback", number("third", 1), transaction=transaction("begin-rolled-back")
    ),
    post("rollback-unknown", "rollback", transaction=NOBODY),
    commit("commit-with-unknown-transaction", number("third", 1), transaction=NOBODY),
    commit("commit-with-malformed-transaction", number("third", 1), transaction="not base64!"),
    read("batch-get-with-new-transaction", "tx/third", newTransaction={"readOnly": {}}),
    commit(
        "commit-the-new-transaction",
        number("third", 1),
        transaction=Answer("batch-get-with-new-transaction", "0.transaction"),
    ),
    ask(
        "run-query-with-new-transaction",
        query("tx", select=None, limit=1),
        newTransaction={"readOnly": {}},
    ),
    begin("begin-with-read-time-in-the-past", readOnly={"readTime": SOMETIME}),
    begin(
        "begin-read-write-with-retry-transaction",
        readWrite={"retryTransaction": transaction("begin")},
    ),
    read(
        "batch-get-with-both-transaction-and-read-time",
        "tx/third",
        transaction=NOBODY,
        readTime=SOMETIME,
    ),
]
DELETED = {"delete": f"{DOCUMENTS}/bw/existing"}
BATCH = [
    post("non-atomic-batch", "batchWrite", writes=[write("bw/one", {"a": ONE}), DELETED, DELETED]),
    get("one-was-written", "bw/one"),
    get("existing-was-deleted", "bw/existing"),
    post("empty-batch", "batchWrite", writes=[]),
    post("batch-with-transaction-is-refused", "batchWrite", writes=[], transaction=NOBODY),
]
ELSEWHERE = DOCUMENTS.replace("(default)", "other")
NOT_ONE = compare("a", "NOT_EQUAL", ONE)


def where(name: str, *filters: dict) -> Step:
    made = filters[0] if len(filters) == 1 else both(*filters)
    return ask(name, query("err", made, select=None))


def ordered(name: str, *orders: dict, **more) -> Step:
    return ask(name, query("err", None, *orders, select=None, **more))


def at(path: str, name: str) -> Step:
    """A request of another database or project."""
    return Step(name, "GET", f"/v1/{path}/documents/err/a", "admin")


def put(name: str, value: dict, path: str = "err/y") -> Step:
    """Writes a document with one field."""
    return commit(name, write(path, {"a": value}))


def named(name: str, path: str) -> Step:
    return commit(name, write(path, {"a": ONE}))


def nested(depth: int) -> dict:
    value = ONE
    for _ in range(depth):
        value = mapped(a=value)
    return value


QUERIES = [
    get("get-missing-document", "err/none"),
    get("get-collection-path-as-document", "none"),
    get("get-odd-path", "err/a/none"),
    get("get-with-invalid-mask", "err/a", **{"mask.fieldPaths": "a..b"}),
    post("unknown-custom-method", "levitate"),
    at("projects/<project>/databases/nope", "wrong-database"),
    at("projects/other-project/databases/(default)", "wrong-project"),
    Step("not-json", "POST", f"{V1}:runQuery", "admin", "{not json"),
    ask("run-query-without-from", {}),
    post("run-query-empty-body", "runQuery"),
    where("unknown-operator", compare("a", "NOT_AN_OP", ONE)),
    where("unknown-unary-operator", {"unaryFilter": {"op": "IS_SOMETHING", "field": field("a")}}),
    where("operator-unspecified", compare("a", "OPERATOR_UNSPECIFIED", ONE)),
    where("in-with-empty-array", compare("a", "IN", {"arrayValue": {}})),
    where("in-with-non-array", compare("a", "IN", ONE)),
    where("in-with-thirty-one-values", compare("a", "IN", integers(*range(31)))),
    where("in-with-thirty-values", compare("a", "IN", integers(*range(30)))),
    where("array-contains-with-array-operand-and-any", compare("a", "ARRAY_CONTAINS", integers(1))),
    where("two-not-in", compare("a", "NOT_IN", integers(1)), compare("b", "NOT_IN", integers(1))),
    where("not-in-with-in", compare("a", "NOT_IN", integers(1)), compare("b", "IN", integers(1))),
    where(
        "two-array-contains",
        compare("a", "ARRAY_CONTAINS", ONE),
        compare("a", "ARRAY_CONTAINS", TWO),
    ),
    where("not-equal-with-not-in", NOT_ONE, compare("b", "NOT_IN", integers(1))),
    where("empty-composite", both()),
    where("composite-without-op", {"compositeFilter": {"filters": [equal("a", ONE)]}}),
    where("invalid-field-path", equal("a..b", ONE)),
    where("empty-field-path", equal("", ONE)),
    ordered("order-by-empty-field", ascending("")),
    ordered("order-by-without-direction", {"field": field("a")}),
    ordered("cursor-arity-mismatch", ascending("a"), startAt=cursor(ONE, TWO, ONE)),
    ordered("negative-limit", limit=-1),
    ordered("negative-offset", offset=-1),
    ask("two-from-clauses", {"from": [{"collectionId": "a"}, {"collectionId": "b"}]}),
    ask("from-with-empty-collection-id", {"from": [{"collectionId": ""}]}),
    ask("from-with-slash-in-collection-id", {"from": [{"collectionId": "a/b"}]}),
    where(
        "inequality-on-name-with-non-reference",
        compare("__name__", "GREATER_THAN", string("err/a")),
    ),
    where("name-equality-with-a-string", equal("__name__", string("err/a"))),
    where("reference-to-another-database", equal("__name__", reference("err/a", ELSEWHERE))),
    where("unknown-value-kind", equal("a", {"fooValue": 1})),
    where("integer-value-out-of-range", equal("a", integer("9" * 20))),
    where("timestamp-out-of-range", equal("a", stamp("10000-01-01T00:00:00Z"))),
    ask("read-time-in-the-future", query("err", select=None), readTime="2999-01-01T00:00:00Z"),
    ask("read-time-in-the-distant-past", query("err", select=None), readTime=SOMETIME),
]
WRITES = [
    named("write-with-invalid-document-name", "err"),
    commit(
        "write-to-another-database",
        {"update": {"name": f"{ELSEWHERE}/err/a", "fields": {"a": ONE}}},
    ),
    commit("write-with-empty-field-name", write("err/y", {"": ONE})),
    commit("write-with-reserved-field-name", write("err/y", {"__id__": ONE})),
    commit("write-with-dotted-field-name", write("err/x", {"a.b": ONE})),
    get("read-dotted-field-name", "err/x"),
    put("write-nested-arrays", array(integers(1))),
    put("write-array-of-maps-with-arrays", array(mapped(b=integers(1)))),
    put("write-integer-out-of-range", integer("9" * 20)),
    put("write-integer-as-number", {"integerValue": 1}),
    put("write-double-as-string", {"doubleValue": "1.5"}),
    put("write-unknown-value-kind", {"fooValue": 1}),
    put("write-empty-value", {}),
    put("write-bad-timestamp", stamp("yesterday")),
    put("write-bad-base64", raw("!!!")),
    put("write-geopoint-out-of-range", place(91, 0)),
    put(
        "write-reference-to-another-project",
        reference("x/y", "projects/other/databases/(default)/documents"),
        "err/x",
    ),
    put("write-reference-to-a-collection", reference("x")),
    commit("write-without-fields", {"update": {"name": f"{DOCUMENTS}/err/nofields"}}),
    get("read-without-fields", "err/nofields"),
    commit(
        "write-with-two-operations", write("err/y", {"a": ONE}) | {"delete": f"{DOCUMENTS}/err/y"}
    ),
    commit("write-with-no-operation", {}),
    commit(
        "mask-with-invalid-path",
        write("err/y", {"a": ONE}) | {"updateMask": {"fieldPaths": ["a..b"]}},
    ),
    commit(
        "mask-with-backticks",
        write("err/x", {"a.b": mapped(c=ONE)}) | {"updateMask": {"fieldPaths": ["`a.b`.c"]}},
    ),
    get("read-mask-with-backticks", "err/x"),
    commit(
        "mask-on-a-delete", {"delete": f"{DOCUMENTS}/err/y", "updateMask": {"fieldPaths": ["a"]}}
    ),
    commit(
        "precondition-with-both-fields",
        write("err/y", {"a": ONE}) | {"currentDocument": {"exists": True, "updateTime": SOMETIME}},
    ),
    commit("document-over-one-mebibyte", write("err/y", {"blob": string("x" * 2**20)})),
    commit("document-just-under-one-mebibyte", write("err/y", {"blob": string("x" * 1_048_000)})),
    put("nesting-depth-twenty-one", nested(21)),
    put("nesting-depth-twenty", nested(20)),
    commit("field-name-of-1500-bytes", write("err/y", {"a" * 1500: ONE})),
    commit("field-name-of-1501-bytes", write("err/y", {"a" * 1501: ONE})),
    named("document-id-of-1500-bytes", "err/" + "a" * 1500),
    named("document-id-of-1501-bytes", "err/" + "a" * 1501),
    named("document-id-double-dot", "err/.."),
    named("document-id-single-dot", "err/."),
    named("document-id-with-slash-encoded", "err/a%2Fb"),
    named("document-id-with-double-underscore", "err/__x__"),
    named("collection-id-with-double-underscore", "__err__/a"),
    commit(
        "five-hundred-and-one-transforms",
        {
            "transform": {
                "document": f"{DOCUMENTS}/err/y",
                "fieldTransforms": [{"fieldPath": f"f{i}", "increment": ONE} for i in range(501)],
            }
        },
    ),
]
FIRST = Answer("read-current", "updateTime")
STATES = query("rt", select=None)
TIMES = [
    get("read-current", "rt/a"),
    commit("write-v2", write("rt/a", {"v": TWO})),
    get("read-at-the-first-update-time", "rt/a", readTime=FIRST),
    get("read-at-the-second-update-time", "rt/a", readTime=Answer("write-v2", "commitTime")),
    ask("query-at-the-first-update-time", STATES, readTime=FIRST),
    read("batch-get-at-the-first-update-time", "rt/a", readTime=FIRST),
    get("list-at-the-first-update-time", "rt", readTime=FIRST),
    aggregate("count-at-the-first-update-time", STATES, count("count"), readTime=FIRST),
    begin("begin-read-only-at-the-first-update-time", readOnly={"readTime": FIRST}),
    read(
        "read-in-the-read-only-transaction",
        "rt/a",
        transaction=transaction("begin-read-only-at-the-first-update-time"),
    ),
]
ZERO = {"value": integer(0)}
PROGRAMS = {
    "writes/batch-write": Program(BATCH, documents={"bw/existing": {"a": ONE}}),
    "transactions/lifecycle": Program(
        LIFECYCLE, documents={f"tx/{name}": ZERO for name in ("counter", "other", "third")}
    ),
    "errors/rest-shapes": Program(QUERIES + WRITES, documents={"err/a": {"a": ONE}}),
    "reads/read-time": Program(TIMES, documents={"rt/a": {"v": ONE}}),
}
