"""Idempotency keys: a request that is retried with the same key gets the stored response."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable
from typing import Any

from samestory.archive import checksums
from samestory.archive.archive import ANSWER_LIFETIME
from samestory.database import Database
from samestory.web.errors import Refusal


class IdempotencyStore:
    """Stores responses by idempotency key."""

    def __init__(self, database: Database) -> None:
        self._database = database
        # two requests with one key must not both run; writes are serialised anyway
        self._lock = threading.Lock()

    def run_once(self, key: str | None, request: Any, run: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Call `run`, or return the stored response of the key; raise a 409 refusal if its request was another."""
        if key is None:
            return run()
        digest = hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()
        with self._lock:
            if (stored := self._load(key, digest)) is not None:
                return stored
            response = run()
            self._store(key, digest, response)
        return response

    def _load(self, key: str, digest: str) -> dict[str, Any] | None:
        with self._database.read() as session:
            row = session.one("SELECT body FROM answers WHERE key = ?", (key,))
        if row is None:
            return None
        stored = json.loads(row[0])
        if stored["asked"] != digest:
            raise Refusal(409, "this Idempotency-Key was used with another body", "use a new key for a new request")
        response: dict[str, Any] = stored["answer"]
        return response

    def _store(self, key: str, digest: str, response: dict[str, Any]) -> None:
        now = time.time_ns() // 1000
        body = json.dumps({"asked": digest, "answer": response})
        with self._database.write() as session:
            session.run("DELETE FROM answers WHERE at < ?", (now - ANSWER_LIFETIME,))
            # another process may have stored a response meanwhile: both did the same, and the first response stays
            if session.one("SELECT 1 FROM answers WHERE key = ?", (key,)) is None:
                columns = ("key", "at", "status", "body")
                checksums.insert(session, "answers", columns, [(key, now, 200, body)])
