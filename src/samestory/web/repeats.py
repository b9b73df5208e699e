"""Requests that come again: whoever did not hear the answer asks again with the same key, and hears it."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Callable
from typing import Any

from samestory.archive.archive import ANSWERS
from samestory.database import Database
from samestory.web.errors import Refusal


class Repeats:
    """Answers by their keys."""

    def __init__(self, database: Database) -> None:
        self._database = database
        # two requests with one key must not both do it; what they do waits for its turn anyway
        self._turn = threading.Lock()

    def once(self, key: str | None, asked: Any, do: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Does it; or, if it was done with this key, gives the answer of then."""
        if key is None:
            return do()
        digest = hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
        with self._turn:
            if (before := self._answer(key, digest)) is not None:
                return before
            answer = do()
            self._keep(key, digest, answer)
        return answer

    def _answer(self, key: str, digest: str) -> dict[str, Any] | None:
        with self._database.read() as session:
            row = session.one("SELECT body FROM answers WHERE key = ?", (key,))
        if row is None:
            return None
        kept = json.loads(row[0])
        if kept["asked"] != digest:
            raise Refusal(409, "this Idempotency-Key came before, with another body", "a new request has a new key")
        answer: dict[str, Any] = kept["answer"]
        return answer

    def _keep(self, key: str, digest: str, answer: dict[str, Any]) -> None:
        now = time.time_ns() // 1000
        body = json.dumps({"asked": digest, "answer": answer})
        with self._database.write() as session:
            session.run("DELETE FROM answers WHERE at < ?", (now - ANSWERS,))
            # another process may have been as fast: both did the same, and the first answer stays
            if session.one("SELECT 1 FROM answers WHERE key = ?", (key,)) is None:
                session.insert("answers", ("key", "at", "status", "body"), [(key, now, 200, body)])
