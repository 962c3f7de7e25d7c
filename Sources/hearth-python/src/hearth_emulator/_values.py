"""Values of Firestore as plain values of Python, and as its REST API writes them.

A dictionary with one member whose name begins with `$` is a value that Python does not have, as in
seeds: `{"$reference": "users/ann"}`, `{"$geopoint": [51.5, -0.1]}`, `{"$vector": [1, 2]}`.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any

from hearth_emulator._models import instant

_SPECIAL = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


def fields(values: Mapping[str, Any], root: str) -> dict[str, Any]:
    """The fields of a document. `root` is the name of the database, for references."""
    return {name: encode(value, root) for name, value in values.items()}


def encode(value: Any, root: str) -> dict[str, Any]:
    if value is None:
        return {"nullValue": None}
    if isinstance(value, bool):
        return {"booleanValue": value}
    if isinstance(value, int):
        return {"integerValue": str(value)}
    if isinstance(value, float):
        special = {str(one): name for name, one in _SPECIAL.items()}.get(str(value))
        return {"doubleValue": special or value}
    if isinstance(value, str):
        return {"stringValue": value}
    if isinstance(value, (bytes, bytearray)):
        return {"bytesValue": base64.b64encode(value).decode()}
    if isinstance(value, datetime):
        aware = value if value.tzinfo else value.replace(tzinfo=timezone.utc)
        return {"timestampValue": aware.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")}
    if isinstance(value, (list, tuple)):
        return {"arrayValue": {"values": [encode(one, root) for one in value]}}
    if isinstance(value, Mapping):
        return _tagged(value, root) or {"mapValue": {"fields": fields(value, root)}}
    raise TypeError(f"Firestore has no value for {type(value).__name__}")


def _tagged(value: Mapping[str, Any], root: str) -> dict[str, Any]:
    if len(value) != 1:
        return {}
    ((tag, content),) = value.items()
    if tag == "$timestamp":
        return {"timestampValue": content}
    if tag == "$bytes":
        return {"bytesValue": content}
    if tag == "$double":
        return {"doubleValue": content}
    if tag == "$reference":
        name = content if content.startswith("projects/") else f"{root}/documents/{content}"
        return {"referenceValue": name}
    if tag == "$geopoint":
        return {"geoPointValue": {"latitude": content[0], "longitude": content[1]}}
    if tag == "$vector":
        numbers = [{"doubleValue": float(one)} for one in content]
        return {
            "mapValue": {
                "fields": {
                    "__type__": {"stringValue": "__vector__"},
                    "value": {"arrayValue": {"values": numbers}},
                }
            }
        }
    if tag == "$map":
        return {"mapValue": {"fields": fields(content, root)}}
    if tag.startswith("$"):
        raise ValueError(f"{tag} is not known; a field with that name is written {{'$map': …}}")
    return {}


def plain(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a document of the REST API, as values of Python."""
    return {name: decode(value) for name, value in fields.items()}


def decode(value: Mapping[str, Any]) -> Any:
    ((kind, content),) = value.items()
    if kind == "integerValue":
        return int(content)
    if kind == "doubleValue":
        return _SPECIAL[content] if isinstance(content, str) else float(content)
    if kind == "bytesValue":
        return base64.b64decode(content)
    if kind == "timestampValue":
        return instant(_microseconds(content))
    if kind == "referenceValue":
        return {"$reference": content.split("/documents/", 1)[1]}
    if kind == "geoPointValue":
        return {"$geopoint": [content.get("latitude", 0), content.get("longitude", 0)]}
    if kind == "arrayValue":
        return [decode(one) for one in content.get("values", [])]
    if kind == "mapValue":
        return _map(content.get("fields", {}))
    return content


def _map(fields: Mapping[str, Any]) -> dict[str, Any]:
    value = plain(fields)
    if value.get("__type__") == "__vector__" and value.keys() == {"__type__", "value"}:
        return {"$vector": value["value"]}
    return value


def _microseconds(text: str) -> str:
    """Python reads three or six digits of a second; Firestore writes as many as are needed."""
    seconds, dot, rest = text.removesuffix("Z").partition(".")
    return f"{seconds}.{rest[:6]:0<6}Z" if dot else text
