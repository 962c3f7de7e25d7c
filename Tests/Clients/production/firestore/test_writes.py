"""Writes, names and values: what production refuses, and in which words."""

import pytest
from support.firestore.production import Replay, array, error, integer, mapped, string, write

INVALID = "INVALID_ARGUMENT"
ONE = {"a": integer(1)}
PATH = (
    'Invalid property path "a..b". Unquoted property paths must match regex '
    "([a-zA-Z_][a-zA-Z_0-9]*), and quoted property paths must match regex "
    "(`(?:[^`\\\\]|(?:\\\\.))+`)"
)

REFUSALS = {
    "F3": (
        write("wr/there", ONE, currentDocument={"exists": False}),
        409,
        "ALREADY_EXISTS",
        "Document already exists: {docs}/wr/there",
    ),
    "F4": (
        write("wr/none", ONE, currentDocument={"exists": True}),
        404,
        "NOT_FOUND",
        "No document to update: {docs}/wr/none",
    ),
    "F4-delete": (
        {"delete": "{docs}/wr/none", "currentDocument": {"exists": True}},
        404,
        "NOT_FOUND",
        "No document to update: {docs}/wr/none",
    ),
    "F21": (
        {"update": {"name": "projects/{project}/databases/other/documents/wr/x"}},
        400,
        INVALID,
        "The request was for database 'projects/{project}/databases/(default)' but was "
        "attempting to access database 'projects/{project}/databases/other'",
    ),
    "F23-empty": (
        write("wr/x", {"": integer(1)}),
        400,
        INVALID,
        "The property.name is the empty string.",
    ),
    "F23": (write("wr/x", {"__id__": integer(1)}), 400, INVALID, "field name __id__ is reserved"),
    "F23-long": (
        write("wr/x", {"f" * 1501: integer(1)}),
        400,
        INVALID,
        "The property.name is longer than 1500 bytes.",
    ),
    "F24": (
        write("wr/x", {"a": array(array(integer(1)))}),
        400,
        INVALID,
        "Nested arrays are not allowed",
    ),
    "F24-geo": (
        write("wr/x", {"a": {"geoPointValue": {"latitude": 91, "longitude": 0}}}),
        400,
        INVALID,
        "Geo point latitude '91.0' outside permitted range -90.0 to 90.0.",
    ),
    "F24-unset": (
        write("wr/x", {"a": {}}),
        400,
        INVALID,
        "Cannot convert firestore.v1.Value with type unset.",
    ),
    "F28": ({"currentDocument": {"exists": True}}, 400, INVALID, "empty write operation"),
    "mask": (write("wr/x", ONE, updateMask={"fieldPaths": ["a..b"]}), 400, INVALID, PATH),
    "mask-delete": (
        {"delete": "{docs}/wr/x", "updateMask": {"fieldPaths": ["a"]}},
        400,
        INVALID,
        "a delete must not specify a document mask.",
    ),
    "F47": (
        write("wr/x", {"blob": string("x" * 1048488)}),
        400,
        INVALID,
        'The value of property "blob" is longer than 1048487 bytes.',
    ),
    "id-1501": (
        write("wr/" + "i" * 1501, ONE),
        400,
        INVALID,
        "The key path element name is longer than 1500 bytes.",
    ),
    "id-reserved": (
        write("wr/__x__", ONE),
        400,
        INVALID,
        'Resource id "__x__" is invalid because it is reserved.',
    ),
    "collection-reserved": (
        write("__wr__/x", ONE),
        400,
        INVALID,
        'Collection id "__wr__" is invalid because it is reserved.',
    ),
}

NAMES = {
    "collection": ("wr", 'Document name "{name}" lacks "/" at index {end}.'),
    "dot": ("wr/.", 'Document name "{name}" contains a resource id "." at index {last}.'),
    "dots": ("wr/..", 'Document name "{name}" contains a resource id ".." at index {last}.'),
}


@pytest.fixture(scope="module")
def replay(hearth):
    return Replay(hearth, {"wr/there": ONE})


@pytest.mark.parametrize("refused, code, status, message", REFUSALS.values(), ids=REFUSALS)
def test_a_write_is_refused_in_productions_words(replay, refused, code, status, message):
    answer, body = replay.commit(refused)
    assert (answer, error(body)) == (
        code,
        {"code": code, "message": replay.fill(message), "status": status},
    )


@pytest.mark.parametrize("path, message", NAMES.values(), ids=NAMES)
def test_a_name_that_is_not_one_of_a_document(replay, path, message):
    name = f"{replay.docs}/{path}"
    expected = message.format(name=name, end=len(name), last=name.rindex("/") + 1)
    assert error(replay.commit(write(path, ONE))[1])["message"] == expected


def test_F27_a_reference_names_a_document(replay):
    name = f"{replay.docs}/x"
    _, body = replay.commit(write("wr/x", {"a": {"referenceValue": name}}))
    assert error(body)["message"] == (
        f'Document parent name "{name}" lacks "/" at index {len(name)}.'
    )
    other = "projects/other/databases/(default)/documents/x/y"
    assert replay.commit(write("wr/x", {"a": {"referenceValue": other}}))[0] == 200


def test_values_are_nested_twenty_deep(replay):
    def nested(depth):
        value = integer(1)
        for _ in range(depth):
            value = mapped(a=value)
        return write("wr/deep", {"a": value})

    assert replay.commit(nested(19))[0] == 200
    _, body = replay.commit(nested(21))
    assert error(body)["message"] == "Property a contains an invalid nested entity."


@pytest.mark.parametrize(
    "accepted",
    [
        pytest.param({"delete": "{docs}/wr/none"}, id="F5"),
        pytest.param(write("wr/x", {"a.b": integer(1)}), id="F23-dot"),
        pytest.param(write("wr/x", {"a": array(mapped(b=array(integer(1))))}), id="F24-map"),
        pytest.param(write("wr/" + "i" * 1500, ONE), id="id-1500"),
        pytest.param(write("wr/x", {"f" * 1500: integer(1)}), id="name-1500"),
        pytest.param(write("wr/x", {"blob": string("x" * 1048000)}), id="F47"),
    ],
)
def test_a_write_is_accepted(replay, accepted):
    status, body = replay.commit(accepted)
    assert status == 200, body


def test_F2_a_document_that_is_missing(replay):
    status, body = replay.call("GET", "/wr/none")
    assert (status, error(body)) == (
        404,
        {
            "code": 404,
            "message": f'Document "{replay.docs}/wr/none" not found.',
            "status": "NOT_FOUND",
        },
    )


def test_F6_documents_come_in_the_order_of_the_request(replay):
    names = [f"{replay.docs}/wr/{name}" for name in ("none", "there", "neither")]
    _, body = replay.post(":batchGet", {"documents": names})
    assert [row.get("missing") or row["found"]["name"] for row in body] == names


def test_F9_a_document_without_fields(replay):
    replay.commit({"update": {"name": "{docs}/wr/bare"}})
    _, body = replay.call("GET", "/wr/bare")
    assert sorted(body) == ["createTime", "name", "updateTime"]


def test_F8_a_collection_without_documents(replay):
    assert replay.call("GET", "/nothing") == (200, {})


def test_F22_a_page_token_that_nobody_gave_out(replay):
    status, body = replay.call("GET", "/wr?pageToken=not-a-token")
    assert (status, error(body)["status"]) == (400, INVALID)


def test_F29_transforms_of_one_document(replay):
    def transforms(count):
        return write(
            "wr/tf",
            {},
            updateTransforms=[
                {"fieldPath": f"f{i}", "increment": integer(1)} for i in range(count)
            ],
        )

    assert replay.commit(transforms(500))[0] == 200
    _, body = replay.commit(transforms(501))
    assert error(body)["message"] == (
        "cannot have more than 500 field transforms on a single document"
    )


def test_an_increment_by_a_text(replay):
    transforms = [{"fieldPath": "n", "increment": {"stringValue": "1"}}]
    status, body = replay.commit(write("wr/tf", {}, updateTransforms=transforms))
    assert (status, error(body)["message"]) == (400, "Input must be a number.")
