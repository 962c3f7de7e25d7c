"""Requests to a server, and its refusals."""

from __future__ import annotations

import http.client
import json
import math
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

#: Longer than the longest wait for a mail, so that the server ends it.
TIMEOUT = 330.0


def wait_time(seconds: float) -> str:
    """The parameter `wait`: the server holds a request for five minutes at most."""
    return f"{math.ceil(min(300.0, max(0.0, seconds)) * 1000)}ms"


class HearthError(Exception):
    """A refusal of the server, or a wait in vain."""

    def __init__(self, code: str, message: str, http_status: int = 0):
        super().__init__(message)
        #: Such as `EMAIL_EXISTS` or `NOT_FOUND`.
        self.code = code
        self.message = message
        #: 0 where there was no answer.
        self.http_status = http_status

    def __str__(self) -> str:
        return f"{self.http_status} {self.message}" if self.http_status else self.message


def refusal(text: bytes, status: int) -> HearthError:
    """The error in the envelope of Google's APIs."""
    try:
        body = json.loads(text)["error"]
        message = str(body["message"])
    except (ValueError, KeyError, TypeError):
        shown = text[:200].decode(errors="replace").strip()
        return HearthError("UNEXPECTED_ANSWER", f"HTTP status {status}: {shown}", status)
    word = message.split(" : ")[0]
    is_code = re.fullmatch("[A-Z_]+", word) is not None
    return HearthError(word if is_code else str(body.get("status", word)), message, status)


class Connection:
    """The address of a server. Threads can share it: each request has its own connection."""

    def __init__(self, url: str):
        parts = urlsplit(url if "//" in url else "http://" + url)
        self.host = parts.hostname or "127.0.0.1"
        self.port = parts.port or 80
        named = f"[{self.host}]" if ":" in self.host else self.host
        self.url = f"http://{named}:{self.port}"

    def call(
        self,
        method: str,
        path: str,
        body: Any | None = None,
        *,
        query: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """The JSON that the server answers."""
        known = {name: value for name, value in (query or {}).items() if value is not None}
        target = quote(path, safe="/:*()@,~") + ("?" + urlencode(known) if known else "")
        sent = dict(headers or {})
        if body is not None:
            sent["Content-Type"] = "application/json"
        text, status = self._send(method, target, None if body is None else json.dumps(body), sent)
        if not 200 <= status < 300:
            raise refusal(text, status)
        try:
            return json.loads(text) if text else {}
        except ValueError:
            shown = text[:200].decode(errors="replace").strip()
            raise HearthError("UNEXPECTED_ANSWER", f"not JSON: {shown}", status) from None

    def _send(
        self, method: str, target: str, body: str | None, headers: Mapping[str, str]
    ) -> tuple[bytes, int]:
        connection = http.client.HTTPConnection(self.host, self.port, timeout=TIMEOUT)
        try:
            content = None if body is None else body.encode()
            connection.request(method, target, content, dict(headers))
            answer = connection.getresponse()
            return answer.read(), answer.status
        except (OSError, http.client.HTTPException) as error:
            reason = str(error) or type(error).__name__
            raise HearthError("UNREACHABLE", f"no answer from {self.url}: {reason}") from error
        finally:
            connection.close()
