"""Requests whose answers production was recorded with, and the shapes that they are made of."""

import json
import uuid

import requests
from support.firestore.project import OWNER


class Replay:
    """A project of its own. In paths and bodies `{docs}` is the parent of its collections."""

    def __init__(self, hearth, seed: dict[str, dict] | None = None, **switches: str):
        self.base = hearth.addresses["firestore"]
        self.project = f"demo-{uuid.uuid4().hex[:8]}"
        self.database = f"projects/{self.project}/databases/(default)"
        self.docs = f"{self.database}/documents"
        # Indexes have tests of their own.
        reply = requests.patch(
            f"{hearth.auth}/emulator/v1/projects/{self.project}/switches",
            json={"indexes": "off"} | switches,
            timeout=30,
        )
        assert reply.status_code == 200, reply.text
        self.answers: dict[str, tuple[int, object]] = {}
        documents = list((seed or {}).items())
        for start in range(0, len(documents), 400):
            writes = [
                {"update": {"name": f"{{docs}}/{path}", "fields": fields}}
                for path, fields in documents[start : start + 400]
            ]
            status, body = self.post(":commit", {"writes": writes})
            assert status == 200, body

    def fill(self, text: str) -> str:
        return text.replace("{docs}", self.docs).replace("{project}", self.project)

    def post(self, path: str, body: dict | str) -> tuple[int, object]:
        return self.call("POST", path, body)

    def call(self, method: str, path: str, body: dict | str | None = None) -> tuple[int, object]:
        text = body if isinstance(body, str) else json.dumps(body)
        if path.startswith((":", "/")):
            path = f"/v1/{self.docs}{path}"
        reply = requests.request(
            method,
            self.base + self.fill(path),
            timeout=60,
            headers={"Authorization": f"Bearer {OWNER}"},
            data=None if body is None else self.fill(text).encode(),
        )
        try:
            return reply.status_code, reply.json()
        except requests.exceptions.JSONDecodeError:
            return reply.status_code, reply.text

    def query(self, structured: dict, parent: str = "", **members) -> tuple[int, object]:
        return self.post(f"{parent}:runQuery", {"structuredQuery": structured, **members})

    def aggregate(self, structured: dict, aggregations: list, **members) -> tuple[int, object]:
        return self.post(
            ":runAggregationQuery",
            {
                "structuredAggregationQuery": {
                    "structuredQuery": structured,
                    "aggregations": aggregations,
                },
                **members,
            },
        )

    def commit(self, *writes: dict, **members) -> tuple[int, object]:
        return self.post(":commit", {"writes": list(writes), **members})

    def begin(self, **options) -> str:
        status, body = self.post(":beginTransaction", {"options": options} if options else {})
        assert status == 200, body
        return body["transaction"]


def error(body) -> dict:
    """The error of an answer; streaming methods answer with a list of one."""
    return (body[0] if isinstance(body, list) else body)["error"]


def rows(body: list) -> list[str]:
    """The last segments of the documents of a query's answer."""
    return [row["document"]["name"].rsplit("/", 1)[1] for row in body if "document" in row]


def integer(value) -> dict:
    return {"integerValue": str(value)}


def double(value) -> dict:
    return {"doubleValue": value}


def string(value: str) -> dict:
    return {"stringValue": value}


def reference(path: str) -> dict:
    return {"referenceValue": f"{{docs}}/{path}"}


def array(*values: dict) -> dict:
    return {"arrayValue": {"values": list(values)} if values else {}}


def mapped(**fields: dict) -> dict:
    return {"mapValue": {"fields": fields} if fields else {}}


def vector(*numbers: float) -> dict:
    return mapped(__type__=string("__vector__"), value=array(*map(double, numbers)))


def field(path: str) -> dict:
    return {"fieldPath": path}


def compare(path: str, op: str, value: dict) -> dict:
    return {"fieldFilter": {"field": field(path), "op": op, "value": value}}


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


def source(collection: str, group: bool = False) -> list[dict]:
    return [{"collectionId": collection} | ({"allDescendants": True} if group else {})]


def write(path: str, fields: dict, **members) -> dict:
    return {"update": {"name": f"{{docs}}/{path}", "fields": fields}, **members}


def count(alias: str | None = None, up_to=None) -> dict:
    made = {"count": {} if up_to is None else {"upTo": str(up_to)}}
    return made if alias is None else {"alias": alias} | made


def total(path: str, alias: str | None = None) -> dict:
    made = {"sum": {"field": field(path)}}
    return made if alias is None else {"alias": alias} | made


def average(path: str, alias: str | None = None) -> dict:
    made = {"avg": {"field": field(path)}}
    return made if alias is None else {"alias": alias} | made


# Ten documents in `qn`, in which a field of each kind goes up with the document's number.
NUMBERS = {
    f"qn/d{i}": {
        "n": integer(i),
        "g": string("odd" if i % 2 else "even"),
        "h": integer(i % 3),
        "s": string(chr(106 - i)),
        "d": double(i / 2),
        "nested": mapped(a=integer(i % 2), b=mapped(c=integer(i))),
        "tags": array(integer(i % 3), integer((i + 1) % 3)),
        **({} if i % 4 == 0 else {"opt": integer(i)}),
    }
    for i in range(10)
}
