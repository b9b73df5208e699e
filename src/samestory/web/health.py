"""Health check: whether the server can answer a page and read and write its database, within seconds."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from fastapi import APIRouter

from samestory.database import Database
from samestory.errors import SamestoryError
from samestory.web.errors import Refusal
from samestory.web.models import HealthOut
from samestory.web.work import Slots

#: Time after which the server counts as unavailable, and for which a result is used again.
TIMEOUT_SECONDS, REUSE_SECONDS = 3.0, 1.0
#: The key of health checks among the clients that wait for a slot.
CLIENT = "health"


class HealthCheck:
    """Checks a server; requests at the same time share one check."""

    def __init__(self, database: Database, pages: Slots, writes: bool) -> None:
        self._database, self._pages, self._writes = database, pages, writes
        self._executor = ThreadPoolExecutor(1, "health")
        self._file = _identity(database)
        self._running: asyncio.Task[None] | None = None
        self._checked = -REUSE_SECONDS

    async def check(self) -> None:
        """Raise a 503 refusal if a page would have to wait, or the database does not respond in time."""
        if time.monotonic() - self._checked < REUSE_SECONDS:
            return
        if self._running is None or self._running.done():
            self._running = asyncio.create_task(self._check())
            # retrieves the error of a check that all clients have left, which asyncio would log
            self._running.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            # the check goes on when a client leaves, or has waited long enough
            await asyncio.wait_for(asyncio.shield(self._running), TIMEOUT_SECONDS)
        except TimeoutError:
            raise _unavailable("the server or its database does not respond") from None

    async def _check(self) -> None:
        release = await self._pages.acquire(CLIENT)
        release()
        try:
            await asyncio.get_running_loop().run_in_executor(self._executor, self._use_database)
        except SamestoryError:
            # the message may contain the path
            raise _unavailable("the database is unavailable") from None
        self._checked = time.monotonic()

    def _use_database(self) -> None:
        if _identity(self._database) != self._file:
            raise _unavailable("the database file is gone or was replaced: restart the server")
        with self._database.read() as session:
            session.one("SELECT value FROM meta WHERE name = 'version'")
        if self._writes:
            with self._database.write() as session:
                value = str(time.time_ns())  # another one each time: an equal row would not be written
                if not session.run("UPDATE meta SET value = ? WHERE name = 'health'", (value,)):
                    session.insert("meta", ("name", "value"), [("health", value)])


def health_routes(health: HealthCheck, responses: dict[int | str, dict[str, Any]] | None = None) -> APIRouter:
    """Return the routes `/live` and `/health`; `responses`: their errors in the OpenAPI document."""
    out = APIRouter(tags=["read"])

    @out.get("/live", responses=responses)
    async def live() -> HealthOut:
        """Check that the process runs: answered without a worker thread and without the database."""
        return HealthOut(status="ok")

    @out.get("/health", responses=responses)
    async def healthy() -> HealthOut:
        """Check that the server is ready: it answers pages, and reads and writes its database."""
        await health.check()
        return HealthOut(status="ok")

    return out


def _unavailable(why: str) -> Refusal:
    return Refusal(503, why, None, {"Retry-After": "5"})


def _identity(database: Database) -> tuple[int, int] | None:
    """Return the device and number of a database file, which others may delete while it is open; None on a server."""
    if database.kind != "sqlite":
        return None
    try:
        found = Path(database.place).stat()
    except OSError:
        return (-1, -1)
    return found.st_dev, found.st_ino
