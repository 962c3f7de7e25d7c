"""Folders of exports, and the documents of a server."""

import json
import uuid

import requests
from support.server import ROOT

SAMPLES = ROOT / "fixtures/exports"
NAMES = sorted(path.name for path in SAMPLES.iterdir() if path.is_dir())
OVERALL = "firestore_export.overall_export_metadata"
OUTPUT = "all_namespaces/all_kinds/output-0"


def sample(name: str) -> dict:
    return json.loads((SAMPLES / name / "documents.json").read_text())


class Place:
    """One database of a server, ours or the official one."""

    def __init__(self, host: str, project: str | None = None, database: str = "(default)"):
        self.host, self.project = host, project or "demo-" + uuid.uuid4().hex[:10]
        self.name = f"projects/{self.project}/databases/{database}"

    def call(self, method: str, path: str, status: int | None = 200, **options) -> dict:
        headers = {"Authorization": "Bearer owner"} | options.pop("headers", {})
        reply = requests.request(method, self.host + path, headers=headers, timeout=60, **options)
        assert status is None or reply.status_code == status, reply.text
        return reply.json()

    def emulator(self, verb: str, status: int = 200, headers: dict | None = None, **body) -> dict:
        return self.call(
            "POST",
            f"/emulator/v1/projects/{self.project}:{verb}",
            status,
            json=body,
            headers=headers or {},
        )

    def export(self, folder, name: str = "firestore_export", status: int = 200, **more) -> dict:
        return self.emulator(
            "export",
            status,
            database=self.name,
            export_directory=str(folder),
            export_name=name,
            **more,
        )

    def load(self, metadata, status: int = 200, **more) -> dict:
        return self.emulator(
            "import", status, database=self.name, export_directory=str(metadata), **more
        )

    def documents(self) -> dict[str, dict]:
        """All documents, by their paths below the root."""
        found = {}
        self._collect("", found)
        return found

    def _collect(self, parent: str, found: dict) -> None:
        root = f"/v1/{self.name}/documents{parent}"
        ids = self.call("POST", root + ":listCollectionIds", json={"pageSize": 300})
        for collection in ids.get("collectionIds", []):
            query = {"from": [{"collectionId": collection, "allDescendants": True}]}
            rows = self.call(
                "POST", f"/v1/{self.name}/documents:runQuery", json={"structuredQuery": query}
            )
            below = self.call(
                "GET",
                f"{root}/{requests.utils.quote(collection, safe='')}",
                params={"showMissing": "true", "pageSize": 300, "mask.fieldPaths": "none"},
            )
            for row in rows:
                if "document" in row:
                    path = row["document"]["name"].split("/documents/", 1)[1]
                    found[path] = row["document"].get("fields", {})
            for document in below.get("documents", []):
                path = document["name"].split("/documents/", 1)[1]
                self._collect("/" + requests.utils.quote(path), found)

    def write(self, documents: dict[str, dict]) -> None:
        writes = [
            {"update": {"name": f"{self.name}/documents/{path}", "fields": fields}}
            for path, fields in documents.items()
        ]
        self.call("POST", f"/v1/{self.name}/documents:commit", json={"writes": writes})


def plain(documents: dict[str, dict]) -> str:
    """Documents as one text, whatever the order of their fields; both zeros are one."""

    def level(value):
        if isinstance(value, dict):
            if "doubleValue" in value and value["doubleValue"] in (0, "-0"):
                return {"doubleValue": 0.0}
            return {name: level(member) for name, member in sorted(value.items())}
        return (
            [level(element) for element in value]
            if isinstance(value, list)
            else (float(value) if isinstance(value, int) and not isinstance(value, bool) else value)
        )

    return json.dumps(level(documents), sort_keys=True, ensure_ascii=False)
