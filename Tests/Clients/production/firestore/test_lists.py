"""Lists of documents and of collections: pages, orders, masks and what is refused."""

import json
from urllib.parse import quote

import pytest
from support.firestore.production import Replay, error, integer, mapped, string, write

PATH = (
    'Invalid property path "{}". Unquoted property paths must match regex '
    "([a-zA-Z_][a-zA-Z_0-9]*), and quoted property paths must match regex "
    "(`(?:[^`\\\\]|(?:\\\\.))+`)"
)
STAMP = (
    "Invalid value at 'read_time' (type.googleapis.com/google.protobuf.Timestamp), Field "
    "'read_time', "
)
ILLEGAL = STAMP + (
    "Illegal timestamp format; timestamps must end with 'Z' or have a valid timezone offset."
)
LISTED = {
    "lst/d01": {"a": integer(1), "b": string("x"), "m": mapped(p=integer(1), q=integer(2))},
    "lst/d02": {"a": integer(3), "b": string("y")},
    "lst/d03": {"a": integer(2)},
    "lst/d04": {"b": string("z"), "m": mapped(p=integer(5))},
    "lst/d05": {},
    "lst/d06": {"a": integer(2), "c": {"booleanValue": True}},
    "lst/d01/sub/s1": {"n": integer(1)},
    "lst/d01/sub/s2": {"n": integer(2)},
    "lst/d01/other/o1": {},
    "lst/missing1/sub/s3": {"n": integer(3)},
    "lst/missing2/deep/x/more/y1": {},
    "Lst/u1": {},
    "lst-a/a1": {},
    "lst_b/b1": {},
    "lstx/x1": {"a": integer(9)},
    "lmi/a0/x/x": {},
    "lmi/a1/x/x": {},
    "lmi/b1": {},
    "lmi/c0/x/x": {},
    "lmi/c1": {},
    "lmi/d0/x/x": {},
} | {f"lbig/n/lbig/d{number:03}": {} for number in range(301)}
ALL = ["d01", "d02", "d03", "d04", "d05", "d06"]
MISSING = [*ALL, "missing1", "missing2"]


@pytest.fixture(scope="module")
def replay(hearth):
    return Replay(hearth, LISTED, indexes="enforce")


def listed(replay, collection: str, query: str = "") -> tuple[list[str], str | None]:
    status, body = replay.call("GET", f"/{collection}?{query}")
    assert status == 200, body
    documents = [entry["name"].rsplit("/", 1)[1] for entry in body.get("documents", [])]
    return documents, body.get("nextPageToken")


def refused(replay, collection: str, query: str) -> dict:
    status, body = replay.call("GET", f"/{collection}?{query}")
    assert status == 400, body
    return body["error"]


def field_of(fault: dict) -> str | None:
    return fault["details"][0]["fieldViolations"][0].get("field")


# MARK: Pages


@pytest.mark.parametrize(
    "query, documents",
    [
        ("", ALL),
        ("pageSize=0", ALL),
        ("pageSize=2147483647", ALL),
        ("pageToken=", ALL),
        ("pageSize=%2B2", ALL[:2]),
        ("pageSize=02", ALL[:2]),
        ("page_size=2", ALL[:2]),
        ("pageSize=5", ALL[:5]),
        ("pageSize=6", ALL),
    ],
)
def test_a_page(replay, query, documents):
    found, token = listed(replay, "lst", query)
    assert found == documents
    # A page after which nothing is left has no token.
    assert (token is not None) == (len(documents) < 6)


@pytest.mark.parametrize(
    "query, pages",
    [
        ("pageSize=2", [ALL[:2], ALL[2:4], ALL[4:]]),
        ("pageSize=2&orderBy=a%20desc", [["d02", "d06"], ["d03", "d01"]]),
        ("pageSize=3&showMissing=true", [MISSING[:3], MISSING[3:6], MISSING[6:]]),
    ],
)
def test_pages_follow_each_other(replay, query, pages):
    token = None
    for page in pages:
        found, token = listed(replay, "lst", query + (f"&pageToken={token}" if token else ""))
        assert found == page
    assert token is None


@pytest.mark.parametrize(
    "query, pages",
    [
        ("pageSize=1", [["b1"], ["c1"]]),
        ("pageSize=2&showMissing=true", [["a0", "a1"], ["b1", "c0"], ["c1", "d0"]]),
        ("pageSize=1&orderBy=absent", [[]]),
    ],
)
def test_missing_documents_between_others(replay, query, pages):
    token = None
    for page in pages:
        found, token = listed(replay, "lmi", query + (f"&pageToken={token}" if token else ""))
        assert found == page
    assert token is None


@pytest.mark.parametrize("query, size", [("", 100), ("pageSize=1000", 300)])
def test_the_largest_page(replay, query, size):
    found, token = listed(replay, "lbig/n/lbig", query)
    assert len(found) == size and token


@pytest.mark.parametrize(
    "collection, query",
    [("lstx", ""), ("lst", "orderBy=a"), ("lst", "mask.fieldPaths=a"), ("lst", "showMissing=true")],
)
def test_a_token_is_for_the_same_list(replay, collection, query):
    _, token = listed(replay, "lst", "pageSize=2")
    fault = refused(replay, collection, f"{query}&pageToken={token}")
    assert fault == {"code": 400, "message": "Invalid page token.", "status": "INVALID_ARGUMENT"}


@pytest.mark.parametrize("token", ["garbage", "Z2FyYmFnZQ"])
def test_a_token_that_is_none(replay, token):
    assert refused(replay, "lst", f"pageToken={token}")["message"] == "invalid page token"


# MARK: Orders, masks and documents that are missing


@pytest.mark.parametrize(
    "order, documents",
    [
        ("a", ["d01", "d03", "d06", "d02"]),
        ("a asc", ["d01", "d03", "d06", "d02"]),
        ("a desc", ["d02", "d06", "d03", "d01"]),
        ("a DESC", ["d02", "d06", "d03", "d01"]),
        ("__name__", ALL),
        ("m.p", ["d01", "d04"]),
        ("`a`", ["d01", "d03", "d06", "d02"]),
        ("absent", []),
        ("", ALL),
    ],
)
def test_an_order(replay, order, documents):
    assert listed(replay, "lst", f"orderBy={quote(order)}")[0] == documents


@pytest.mark.parametrize(
    "order, message",
    [
        ("a..b", 'Invalid order by clause "a..b".'),
        ("a sideways", 'Invalid order by clause "a sideways".'),
        ("a,", 'Invalid order by clause "a,".'),
        ("a,a", "order by clause cannot contain duplicate fields a"),
    ],
)
def test_an_order_is_refused(replay, order, message):
    assert refused(replay, "lst", f"orderBy={quote(order)}")["message"] == message


@pytest.mark.parametrize("order", ["a desc,b", "b,a", "__name__ desc", "a,__name__ desc"])
def test_an_order_needs_its_index(replay, order):
    fault = refused(replay, "lst", f"orderBy={quote(order)}")
    assert fault["status"] == "FAILED_PRECONDITION"
    assert fault["message"].startswith("The query requires an index. You can create it here: ")


@pytest.mark.parametrize(
    "paths, fields",
    [
        (["a"], [{"a"}, {"a"}, {"a"}, set(), set(), {"a"}]),
        (["`a`"], [{"a"}, {"a"}, {"a"}, set(), set(), {"a"}]),
        (["a", "m.p"], [{"a", "m"}, {"a"}, {"a"}, {"m"}, set(), {"a"}]),
        (["__name__"], [set()] * 6),
        (["absent"], [set()] * 6),
    ],
)
def test_a_mask(replay, paths, fields):
    query = "&".join(f"mask.fieldPaths={quote(path)}" for path in paths)
    _, body = replay.call("GET", f"/lst?{query}")
    assert [set(entry.get("fields", {})) for entry in body["documents"]] == fields


@pytest.mark.parametrize(
    "path, message",
    [
        ("a..b", PATH.format("a..b")),
        ("a,b", PATH.format("a,b")),
        ("", "Invalid empty property path string."),
    ],
)
def test_a_mask_is_refused(replay, path, message):
    assert refused(replay, "lst", f"mask.fieldPaths={quote(path)}")["message"] == message


@pytest.mark.parametrize("value", ["true", "True", "yes", "1"])
def test_missing_documents_are_shown(replay, value):
    assert listed(replay, "lst", f"showMissing={value}")[0] == MISSING
    assert listed(replay, "lst", f"show_missing={value}")[0] == MISSING


def test_missing_documents_are_not_shown(replay):
    assert listed(replay, "lst", "showMissing=false")[0] == ALL
    assert listed(replay, "lst/missing2/deep", "showMissing=true")[0] == ["x"]
    fault = refused(replay, "lst", "showMissing=true&orderBy=a")
    assert fault["message"] == "cannot specify an order when show_missing is true"


# MARK: Parameters


@pytest.mark.parametrize(
    "query, field, message",
    [
        *(
            (
                f"pageSize={value}",
                "page_size",
                f"Invalid value at 'page_size' (TYPE_INT32), \"{value}\"",
            )
            for value in ("2147483648", "abc", "1.5", "1e1", "")
        ),
        ("showMissing=", "show_missing", "Invalid value at 'show_missing' (TYPE_BOOL), \"\""),
        ("readTime=yesterday", "read_time", ILLEGAL),
        ("readTime=", "read_time", ILLEGAL),
        ("readTime=10000-01-01T00:00:00Z", "read_time", STAMP + "Timestamp value exceeds limits"),
        (
            "transaction=!!!",
            "transaction",
            "Invalid value at 'transaction' (TYPE_BYTES), Base64 decoding failed for \"!!!\"",
        ),
        (
            "unknownParameter=1",
            None,
            'Invalid JSON payload received. Unknown name "unknownParameter": Cannot bind query parameter. '
            "Field 'unknownParameter' could not be found in request message.",
        ),
        (
            "readTime=2026-01-01T00:00:00Z&transaction=AAAA",
            None,
            "Invalid value (oneof), oneof field 'consistency_selector' is already set. Cannot set "
            "'transaction'",
        ),
    ],
)
def test_a_parameter_is_refused(replay, query, field, message):
    fault = refused(replay, "lst", query)
    assert fault["message"] == message and field_of(fault) == field
    assert fault["details"][0]["fieldViolations"][0]["description"] == message


@pytest.mark.parametrize(
    "method, path, name",
    [
        ("GET", "lst/d01", "mask"),
        ("GET", "lst", "mask"),
        ("POST", "lst", "mask"),
        ("PATCH", "lst/d01", "updateMask"),
        ("PATCH", "lst/d01", "currentDocument"),
        ("DELETE", "lst/d01", "currentDocument"),
    ],
)
def test_a_message_is_given_by_its_members(replay, method, path, name):
    body = None if method in ("GET", "DELETE") else {"fields": {}}
    status, answer = replay.call(method, f"/{path}?{name}=a", body)
    assert (status, answer["error"]["message"]) == (
        400,
        f'Invalid JSON payload received. Unknown name "{name}": Cannot bind query parameter. '
        f"'{name}' is a message type. Parameters can only be bound to primitive types.",
    )
    status, answer = replay.call(method, f"/{path}?unknownParameter=1", body)
    assert (status, answer["error"]["message"].rpartition("Field ")[2]) == (
        400,
        "'unknownParameter' could not be found in request message.",
    )


@pytest.mark.parametrize(
    "query, message",
    [
        ("pageSize=-1", "Page size must be nonnegative."),
        ("transaction=AAAA", "Invalid transaction."),
        ("readTime=2099-01-01T00:00:00Z", "The requested 'read_time' cannot be in the future."),
    ],
)
def test_a_value_is_refused(replay, query, message):
    assert refused(replay, "lst", query)["message"] == message


def test_parameters_of_every_method_are_passed_over(replay):
    query = "key=abc&alt=json&%24alt=json&prettyPrint=true&access_token=x&%24.xgafv=2"
    assert listed(replay, "lst", query)[0] == ALL


def test_a_reserved_collection(replay):
    assert refused(replay, "__bad__", "")["message"] == (
        'Collection id "__bad__" is invalid because it is reserved.'
    )


def test_the_emulator_passes_them_over(hearth):
    replay = Replay(hearth, {"lst/a": {}, "lst/b": {}}, answers="emulator")
    query = "pageSize=2&unknownParameter=1&showMissing="
    documents, token = listed(replay, "lst", query)
    assert documents == ["a", "b"] and token
    assert listed(replay, "lst", f"mask.fieldPaths=a&pageToken={token}") == ([], None)


# MARK: Reads of the past


def test_lists_of_the_past(hearth):
    replay = Replay(hearth)
    first = replay.commit(
        write("r/r1", {"n": integer(1)}), write("r/r2", {"n": integer(2)}), write("gone/x", {})
    )[1]["commitTime"]
    replay.commit(
        write("r/r1", {"n": integer(10)}),
        {"delete": "{docs}/r/r2"},
        write("r/r3", {"n": integer(3)}),
        {"delete": "{docs}/gone/x"},
    )
    assert listed(replay, "r")[0] == ["r1", "r3"]
    assert listed(replay, "r", f"readTime={first}") == (["r1", "r2"], None)
    page, token = listed(replay, "r", f"readTime={first}&pageSize=1")
    assert page == ["r1"]
    assert listed(replay, "r", f"readTime={first}&pageSize=1&pageToken={token}") == (["r2"], None)
    # A token holds no time.
    assert listed(replay, "r", f"pageSize=1&pageToken={token}")[0] == ["r3"]
    assert collections(replay, readTime=first) == ["gone", "r"]
    assert collections(replay) == ["r"]
    # Zeros at the end of a time are left out.
    second, _, fraction = first[:-1].partition(".")
    finer = f"{second}.{fraction:0<6}001Z"
    message = "timestamp cannot have more than microseconds precision"
    assert refused(replay, "r", f"readTime={finer}")["message"] == message
    assert refused_ids(replay, readTime=finer)["message"] == message


# MARK: Ids of collections


def collections(replay, parent: str = "", **body) -> list[str]:
    status, answer = replay.post(f"{parent}:listCollectionIds", body)
    assert status == 200, answer
    return answer.get("collectionIds", [])


def refused_ids(replay, parent: str = "", **body) -> dict:
    status, answer = replay.post(f"{parent}:listCollectionIds", body)
    assert status == 400, answer
    return error(answer)


IDS = ["Lst", "lbig", "lmi", "lst", "lst-a", "lst_b", "lstx"]


@pytest.mark.parametrize(
    "parent, ids",
    [
        ("", IDS),
        ("/lst/d01", ["other", "sub"]),
        ("/lst/missing1", ["sub"]),
        ("/lst/none", []),
        ("/lst/missing2/deep/x", ["more"]),
    ],
)
def test_ids(replay, parent, ids):
    assert collections(replay, parent) == ids


@pytest.mark.parametrize("body", ["", '{"pageSize": null}', '{"pageToken": ""}', '{"pageSize": 7}'])
def test_all_ids_have_no_token(replay, body):
    status, answer = replay.post(":listCollectionIds", body)
    assert (status, answer) == (200, {"collectionIds": IDS})


def test_pages_of_ids(replay):
    found, body = [], {"pageSize": "3"}
    while body:
        _, answer = replay.post(":listCollectionIds", body)
        found.append(answer["collectionIds"])
        token = answer.get("nextPageToken")
        body = {"pageSize": 3, "pageToken": token} if token else None
    assert found == [IDS[:3], IDS[3:6], IDS[6:]]
    # The token says where to go on, whatever the parent.
    _, answer = replay.post(":listCollectionIds", {"pageSize": 4})
    assert collections(replay, "/lst/d01", pageToken=answer["nextPageToken"]) == ["other", "sub"]


@pytest.mark.parametrize(
    "size, shown", [("abc", '"abc"'), (1.5, "1.5"), (2147483648, "2147483648"), ("2.0", '"2.0"')]
)
def test_a_size_that_is_no_number(replay, size, shown):
    fault = refused_ids(replay, pageSize=size)
    assert fault["message"] == f"Invalid value at 'page_size' (TYPE_INT32), {shown}"
    assert field_of(fault) == "page_size"


@pytest.mark.parametrize(
    "body, message",
    [
        ({"pageSize": -1}, "page_size must be greater than or equal to zero."),
        ({"pageToken": "garbage"}, "invalid page token"),
        (
            {"unknownField": 1},
            'Invalid JSON payload received. Unknown name "unknownField": Cannot find field.',
        ),
        (
            {"readTime": "2099-01-01T00:00:00Z"},
            "The requested 'read_time' cannot be in the future.",
        ),
    ],
)
def test_ids_are_refused(replay, body, message):
    assert refused_ids(replay, **body)["message"] == message


def test_a_collection_has_no_collections(replay):
    name = json.dumps(f"{replay.docs}/lst")
    assert refused_ids(replay, "/lst")["message"].startswith(
        f'Document parent name {name} lacks "/" at index '
    )
