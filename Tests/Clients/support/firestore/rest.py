"""Documents and queries over REST."""


def number(value: int) -> dict:
    return {"integerValue": str(value)}


def put(base, path: str, fields: dict, **more) -> dict:
    return base.rest("PATCH", f"/{path}", json={"fields": fields}, **more)


def fields(base, path: str) -> dict:
    return base.rest("GET", f"/{path}").get("fields", {})


def listed(answer: dict) -> list[str]:
    return [document["name"].rsplit("/", 1)[1] for document in answer.get("documents", [])]


def from_(collection: str, **more) -> dict:
    return {"structuredQuery": {"from": [{"collectionId": collection}], **more}}


def found(base, answer: list) -> list[str]:
    return [base.path(each["document"]["name"]) for each in answer if "document" in each]
