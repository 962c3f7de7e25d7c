"""Lists of documents and of the ids of collections, over REST and gRPC."""

from ...steps import Answer, Instant, Program, Step
from .words import DOCUMENTS, ONE, TRUE, TWO, V1, call, commit, integer, mapped, string, write

GARBAGE = "garbage"
NEVER = "2099-01-01T00:00:00Z"
NO_TIME = "yesterday"
LISTED = {
    "lst/d01": {"a": ONE, "b": string("x"), "m": mapped(p=ONE, q=TWO)},
    "lst/d02": {"a": integer(3), "b": string("y")},
    "lst/d03": {"a": TWO},
    "lst/d04": {"b": string("z"), "m": mapped(p=integer(5))},
    "lst/d05": {},
    "lst/d06": {"a": TWO, "c": TRUE},
    "lst/d01/sub/s1": {"n": ONE},
    "lst/d01/sub/s2": {"n": TWO},
    "lst/d01/other/o1": {},
    "lst/missing1/sub/s3": {"n": integer(3)},
    "lst/missing2/deep/x/more/y1": {},
    "Lst/u1": {},
    "lst-a/a1": {},
    "lst_b/b1": {},
    "lstx/x1": {"a": integer(9)},
}
BETWEEN = {f"lmi/{path}": {} for path in ("a0/x/x", "a1/x/x", "b1", "c0/x/x", "c1", "d0/x/x")} | {
    "lmo/x/x/x": {},
    "lmo/y/x/x": {},
}
MANY = {f"lbig/d{number:03}": {} for number in range(301)}


def token(step: str) -> Answer:
    return Answer(step, "nextPageToken")


def call_token(step: str) -> Answer:
    return Answer(step, "messages.0.nextPageToken")


def show(name: str, path: str = "lst", /, **query) -> Step:
    """Lists the documents of a collection. `mask` stands for its long parameter."""
    mask = query.pop("mask", None)
    query |= {"mask.fieldPaths": mask} if mask is not None else {}
    return Step(name, "GET", f"{V1}/{path}", "admin", query=query)


def ids(name: str, parent: str = "", /, body: object = None, **members) -> Step:
    path = f"{V1}{parent}:listCollectionIds"
    return Step(name, "POST", path, "admin", members if body is None else body)


def call_show(name: str, parent: str = "", /, **members) -> Step:
    body = {"parent": DOCUMENTS + parent, "collectionId": "lst"} | members
    return call(name, "ListDocuments", **body)


def call_ids(name: str, parent: str = "", /, **members) -> Step:
    return call(name, "ListCollectionIds", parent=DOCUMENTS + parent, **members)


CALLED_IDS = [
    call_ids("root"),
    call_ids("document", "/lst/d01"),
    call_ids("missing-document", "/lst/missing1"),
    call_ids("page-size-2", pageSize=2),
    call_ids("page-2", pageSize=2, pageToken=call_token("page-size-2")),
    call_ids("page-size-negative", pageSize=-1),
    call_ids("page-token-garbage", pageToken=GARBAGE),
    call_ids("collection-parent", "/lst"),
]
PAGED = "every-collection-of-document-paged"
CALLED = [
    call_show("default"),
    call_show("page-size-2", pageSize=2),
    call_show("page-2", pageSize=2, pageToken=call_token("page-size-2")),
    call_show("order-by-desc", orderBy="a desc"),
    call_show("order-by-invalid", orderBy="a sideways"),
    call_show("mask", mask={"fieldPaths": ["a", "m.p"]}),
    call_show("show-missing", showMissing=True),
    call_show("show-missing-with-order-by", showMissing=True, orderBy="a"),
    call_show("page-size-negative", pageSize=-1),
    call_show("page-token-garbage", pageToken=GARBAGE),
    call_show("subcollection", "/lst/d01", collectionId="sub"),
    call_show("every-collection-of-document", "/lst/d01", collectionId=""),
    call_show(
        "every-collection-of-missing-document", "/lst/missing1", collectionId="", showMissing=True
    ),
    call_show("every-collection-at-root", collectionId=""),
    call_show("collection-id-with-slash", collectionId="lst/d01/sub"),
    call_show("read-time-future", readTime=NEVER),
    call_show("collection-parent", "/lst", collectionId="sub"),
    call_show(PAGED, "/lst/d01", collectionId="", pageSize=2),
    call_show(
        f"{PAGED}-next", "/lst/d01", collectionId="", pageSize=2, pageToken=call_token(PAGED)
    ),
    call_show("every-collection-with-order-by", "/lst/d01", collectionId="", orderBy="n"),
    call_show("mask-invalid", mask={"fieldPaths": ["a..b"]}),
    call_show("page-size-0", pageSize=0),
]
IDS = [
    ids("root"),
    ids("document", "/lst/d01"),
    ids("missing-document", "/lst/missing1"),
    ids("absent-document", "/lst/none"),
    ids("deep-missing-document", "/lst/missing2/deep/x"),
    ids("root-page-size-2", pageSize=2),
    ids("root-page-2", pageSize=2, pageToken=token("root-page-size-2")),
    ids("root-page-3", pageSize=2, pageToken=token("root-page-2")),
    ids("root-page-size-2-as-text", pageSize="2"),
    ids("page-size-0", pageSize=0),
    ids("page-size-negative", pageSize=-1),
    ids("page-size-not-a-number", pageSize="abc"),
    ids("page-token-garbage", pageToken=GARBAGE),
    ids("page-token-from-other-parent", "/lst/d01", pageToken=token("root-page-size-2")),
    ids("unknown-field", unknownField=1),
    ids("collection-parent", "/lst"),
    ids("empty-body-text", body=""),
    ids("root-page-size-5", pageSize=5),
    ids("page-size-fraction", pageSize=1.5),
    ids("page-size-overflow", pageSize=2**31),
    ids("page-size-float-text", pageSize="2.0"),
    ids("page-size-null", pageSize=None),
    ids("page-token-empty", pageToken=""),
    ids("read-time-empty", readTime=""),
]
LARGE = [
    show("default", "lbig"),
    show("page-size-1000", "lbig", pageSize=1000),
    show("page-size-300", "lbig", pageSize=300),
]
MISSING = "show-missing-page-size-2"
INTERLEAVED = [
    show("page-size-1", "lmi", pageSize=1),
    show("page-size-1-next", "lmi", pageSize=1, pageToken=token("page-size-1")),
    show("page-size-2", "lmi", pageSize=2),
    show(MISSING, "lmi", pageSize=2, showMissing="true"),
    show(f"{MISSING}-next", "lmi", pageSize=2, showMissing="true", pageToken=token(MISSING)),
    show(
        f"{MISSING}-next-2",
        "lmi",
        pageSize=2,
        showMissing="true",
        pageToken=token(f"{MISSING}-next"),
    ),
    show("order-by-name-page-size-1", "lmi", pageSize=1, orderBy="__name__"),
    show("order-by-field-page-size-1", "lmi", pageSize=1, orderBy="absent"),
    show("only-missing", "lmo"),
    show("only-missing-page-size-1", "lmo", pageSize=1),
    show("only-missing-show-missing-page-size-1", "lmo", pageSize=1, showMissing="true"),
    call_show("grpc-page-size-1", collectionId="lmi", pageSize=1),
]
ORDERS = {
    "field": "a",
    "field-asc": "a asc",
    "field-desc": "a desc",
    "field-desc-upper": "a DESC",
    "two-fields": "a desc, b",
    "two-fields-no-space": "b,a",
    "name": "__name__",
    "name-desc": "__name__ desc",
    "field-then-name-desc": "a,__name__ desc",
    "nested": "m.p",
    "quoted": "`a`",
    "missing-field": "absent",
    "invalid-path": "a..b",
    "invalid-direction": "a sideways",
    "trailing-comma": "a,",
    "duplicate": "a,a",
    "empty": "",
}
MASKS = {
    "one": "a",
    "two": ["a", "m.p"],
    "map": "m",
    "name": "__name__",
    "missing": "absent",
    "invalid": "a..b",
    "empty": "",
    "comma-separated": "a,b",
    "quoted": "`a`",
}
ORDERED = [
    *(show(f"order-by-{name}", orderBy=order) for name, order in ORDERS.items()),
    show("order-by-paged", orderBy="a desc", pageSize=2),
    show("order-by-paged-next", orderBy="a desc", pageSize=2, pageToken=token("order-by-paged")),
    *(show(f"mask-{name}", mask=mask) for name, mask in MASKS.items()),
    show("mask-and-order", mask="b", orderBy="a"),
]
SIZES = {
    "0": "0",
    "negative": "-1",
    "max-int32": "2147483647",
    "overflow": "2147483648",
    "not-a-number": "abc",
    "fraction": "1.5",
    "plus-sign": "+2",
    "leading-zero": "02",
    "exponent": "1e1",
    "empty": "",
}
PAGES = [
    show("default"),
    show("page-size-2", pageSize=2),
    show("page-2", pageSize=2, pageToken=token("page-size-2")),
    show("page-3", pageSize=2, pageToken=token("page-2")),
    show("page-size-5", pageSize=5),
    show("page-size-5-then-other-size", pageSize=2, pageToken=token("page-size-5")),
    show("token-with-other-collection", "lstx", pageToken=token("page-size-2")),
    show("token-with-order-by", orderBy="a", pageToken=token("page-size-2")),
    show("token-with-mask", mask="a", pageToken=token("page-size-2")),
    *(show(f"page-size-{name}", pageSize=size) for name, size in SIZES.items()),
    show("page-token-garbage", pageToken=GARBAGE),
    show("page-token-base64", pageToken="Z2FyYmFnZQ"),
    show("page-token-empty", pageToken=""),
]


def place(path: str, value: int) -> dict:
    return write(f"lpw/{path}", {"a": integer(value)})


def erase(path: str) -> dict:
    return {"delete": f"{DOCUMENTS}/{path}"}


SECOND = {"pageSize": 2, "pageToken": token("page-1")}
UNDER_WRITES = [
    show("page-1", "lpw", pageSize=2),
    show("order-page-1", "lpw", pageSize=2, orderBy="a desc"),
    show("missing-page-1", "lpw", pageSize=2, showMissing="true"),
    ids("root-page-1", pageSize=1),
    commit(
        "change",
        place("d0", 0),
        place("d25", 25),
        erase("lpw/d3"),
        place("d4", 0),
        write("lpb/b1", {}),
        write("lpw/d45/sub/s1", {}),
        erase("lpc/c1"),
    ),
    show("page-2-after-change", "lpw", **SECOND),
    show("page-3-after-change", "lpw", pageSize=2, pageToken=token("page-2-after-change")),
    show("page-2-token-reused", "lpw", **SECOND),
    show(
        "order-page-2-after-change",
        "lpw",
        pageSize=2,
        orderBy="a desc",
        pageToken=token("order-page-1"),
    ),
    show(
        "missing-page-2-after-change",
        "lpw",
        pageSize=2,
        showMissing="true",
        pageToken=token("missing-page-1"),
    ),
    ids("root-page-2-after-change", pageSize=1, pageToken=token("root-page-1")),
    ids("root-page-3-after-change", pageSize=1, pageToken=token("root-page-2-after-change")),
    call_show("grpc-page-1", collectionId="lpw", pageSize=2),
    call_show("grpc-page-2-with-rest-token", collectionId="lpw", **SECOND),
]
CHANGED = {f"lpw/d{i}": {"a": integer(i)} for i in range(1, 6)} | {"lpa/a1": {}, "lpc/c1": {}}


def at(step: int, later: float = 0, digits: int = 6) -> Instant:
    return Instant(f"write-{step}", "commitTime", later, digits)


MICROSECOND = 0.000001
EARLIER = [
    commit(
        "write-1",
        write("lsr/r1", {"n": ONE}),
        write("lsr/r2", {"n": TWO}),
        write("lsg/g1", {}),
        wait=7200,
    ),
    commit(
        "write-2",
        write("lsr/r1", {"n": integer(10)}),
        write("lsr/r3", {"n": integer(3)}),
        erase("lsr/r2"),
        erase("lsg/g1"),
    ),
    show("current", "lsr"),
    show("at-write-1", "lsr", readTime=at(1)),
    show("at-write-2", "lsr", readTime=at(2)),
    show("nanosecond-before-write-1", "lsr", readTime=at(1, -MICROSECOND, 9)),
    show("microsecond-before-write-1", "lsr", readTime=at(1, -MICROSECOND)),
    show("microsecond-before-write-2", "lsr", readTime=at(2, -MICROSECOND)),
    show("61-minutes-before-write-1", "lsr", readTime=at(1, -61 * 60)),
    show("future", "lsr", readTime=NEVER),
    show("not-a-time", "lsr", readTime=NO_TIME),
    show("paged-at-write-1", "lsr", readTime=at(1), pageSize=1),
    show(
        "paged-at-write-1-next",
        "lsr",
        readTime=at(1),
        pageSize=1,
        pageToken=token("paged-at-write-1"),
    ),
    show(
        "paged-at-write-1-next-without-read-time",
        "lsr",
        pageSize=1,
        pageToken=token("paged-at-write-1"),
    ),
    show("show-missing-at-write-1", "lsr", readTime=at(1), showMissing="true"),
    ids("collection-ids-at-write-1", readTime=at(1)),
    ids("collection-ids-nanosecond-before-write-1", readTime=at(1, -MICROSECOND, 9)),
    ids("collection-ids-future", readTime=NEVER),
    ids("collection-ids-not-a-time", readTime=NO_TIME),
    show("snake-read-time", "lsr", read_time=at(1)),
    show("read-time-offset", "lsr", readTime="2098-12-31T23:00:00-01:00"),
    show("read-time-ten-digits", "lsr", readTime="2026-01-01T00:00:00.1234567891Z"),
    show("read-time-empty", "lsr", readTime=""),
    call_show("grpc-at-write-1", collectionId="lsr", readTime=at(1)),
    call_show("grpc-paged-at-write-1", collectionId="lsr", readTime=at(1), pageSize=1),
    call_ids("grpc-collection-ids-at-write-1", readTime=at(1)),
    ids("collection-ids-current"),
    ids("collection-ids-microsecond-before-write-2", readTime=at(2, -MICROSECOND)),
    ids("collection-ids-paged-at-write-1", readTime=at(1), pageSize=1),
    ids(
        "collection-ids-paged-at-write-1-next-without-read-time",
        pageSize=1,
        pageToken=token("collection-ids-paged-at-write-1"),
    ),
]
SCOPES = [
    show("subcollection", "lst/d01/sub"),
    show("subcollection-of-missing-document", "lst/missing1/sub"),
    show("subcollection-of-absent-document", "lst/none/sub"),
    show("deep-subcollection", "lst/missing2/deep/x/more"),
    show("empty-collection", "nothing"),
    show("case-differs", "Lst"),
    show("reserved-collection-id", "__bad__"),
    show("dotted-collection-id", "a.b"),
    show("unknown-parameter", unknownParameter=1),
    show("transaction-invalid", transaction="AAAA"),
    show("transaction-and-read-time", readTime="2026-01-01T00:00:00Z", transaction="AAAA"),
    show("snake-page-size", page_size=2),
    show("snake-order-by", order_by="a desc"),
    Step("snake-mask", "GET", f"{V1}/lst", "admin", query={"mask.field_paths": "a"}),
    show("snake-show-missing", show_missing="true"),
    show("snake-and-camel-page-size", page_size=2, pageSize=1),
]
SHOWN = "show-missing-paged"
SHOW_MISSING = [
    show("show-missing", showMissing="true"),
    show("show-missing-false", showMissing="false"),
    show("show-missing-not-a-bool", showMissing="yes"),
    show("show-missing-number", showMissing="1"),
    show(SHOWN, showMissing="true", pageSize=3),
    show(f"{SHOWN}-next", showMissing="true", pageSize=3, pageToken=token(SHOWN)),
    show(f"{SHOWN}-next-2", showMissing="true", pageSize=3, pageToken=token(f"{SHOWN}-next")),
    show("show-missing-with-order-by", showMissing="true", orderBy="a"),
    show("show-missing-with-order-by-name", showMissing="true", orderBy="__name__"),
    show("show-missing-with-mask", showMissing="true", mask="a"),
    show("show-missing-deep", "lst/missing2/deep", showMissing="true"),
    show("show-missing-empty-collection", "nothing", showMissing="true"),
    show("show-missing-capitalized", showMissing="True"),
    show("show-missing-empty", showMissing=""),
    show("token-with-show-missing-dropped", pageSize=3, pageToken=token(SHOWN)),
]


def named(name: str, steps: list[Step], documents: dict) -> dict[str, Program]:
    return {f"fs-data-write-list/{name}": Program(steps, documents=documents)}


PROGRAMS = (
    named("grpc/list-collection-ids", CALLED_IDS, LISTED)
    | named("grpc/list-documents", CALLED, LISTED)
    | named("list-collection-ids/rest", IDS, LISTED)
    | named("list-documents/large", LARGE, MANY)
    | named("list-documents/missing-interleaved", INTERLEAVED, BETWEEN)
    | named("list-documents/order-and-mask", ORDERED, LISTED)
    | named("list-documents/paging", PAGES, LISTED)
    | named("list-documents/paging-under-writes", UNDER_WRITES, CHANGED)
    # The recorded database is older than the reads.
    | named("list-documents/read-time", EARLIER, {})
    | named("list-documents/scope", SCOPES, LISTED)
    | named("list-documents/show-missing", SHOW_MISSING, LISTED)
)
