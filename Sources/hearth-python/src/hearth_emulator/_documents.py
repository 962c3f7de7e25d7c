"""Documents and rules of Firestore, for the state before a test and for what it has left."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hearth_emulator import _values
from hearth_emulator._http import HearthError
from hearth_emulator._models import Raw, Session
from hearth_emulator._project import Project

_WRITES = 500
DEFAULT = "(default)"


class Documents(Project):
    """Documents as plain dictionaries, and rules."""

    def set_documents(
        self, documents: Mapping[str, Mapping[str, Any]], *, database: str = DEFAULT
    ) -> None:
        """Writes documents by their paths: `{"users/ann": {"name": "Ann"}}`; no rules are asked."""
        root = self._root(database)
        writes = [
            {"update": {"name": f"{root}/documents/{path}", "fields": _values.fields(values, root)}}
            for path, values in documents.items()
        ]
        for begin in range(0, len(writes), _WRITES):
            self._firestore(
                "POST", f"{root}/documents:commit", {"writes": writes[begin : begin + _WRITES]}
            )

    def document(
        self, path: str, *, session: Session | None = None, database: str = DEFAULT
    ) -> dict[str, Any] | None:
        """The fields of a document, or None; with a session, as the rules let its user."""
        try:
            found = self._firestore(
                "GET", f"{self._root(database)}/documents/{path}", session=session
            )
        except HearthError as error:
            if error.http_status == 404:
                return None
            raise
        return _values.plain(found.get("fields", {}))

    def documents(
        self, collection: str, *, session: Session | None = None, database: str = DEFAULT
    ) -> dict[str, dict[str, Any]]:
        """The documents of a collection by their ids."""
        path, token = f"{self._root(database)}/documents/{collection}", None
        found: dict[str, dict[str, Any]] = {}
        while True:
            page = self._firestore(
                "GET", path, query={"pageSize": 300, "pageToken": token}, session=session
            )
            for one in page.get("documents", []):
                found[one["name"].rsplit("/", 1)[1]] = _values.plain(one.get("fields", {}))
            token = page.get("nextPageToken")
            if not token:
                return found

    def delete_document(self, path: str, *, database: str = DEFAULT) -> None:
        """Deletes a document and what is below it, or a collection."""
        self._control("DELETE", f"/databases/{database}/documents/{path}")

    def delete_all_documents(self, *, database: str = DEFAULT) -> None:
        self._control("DELETE", f"/databases/{database}/documents")

    def set_rules(self, source: str) -> list[Raw]:
        """Sets the security rules of the project, and returns warnings about them."""
        body = {"rules": {"files": [{"name": "firestore.rules", "content": source}]}}
        return list(self._control("PUT", ":securityRules", body).get("issues", []))

    def evaluate_rules(
        self,
        method: str,
        path: str,
        *,
        auth: Mapping[str, Any] | None = None,
        data: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> Raw:
        """Asks the rules: the answer has `allowed` and `reason`. `auth` is `{"uid": …}` or None."""
        body = {"method": method, "path": path, "auth": auth, **more}
        if data is not None:
            body["data"] = data
        return dict(self._control("POST", "/rules:evaluate", body))

    def _root(self, database: str) -> str:
        return f"projects/{self.project}/databases/{database}"
