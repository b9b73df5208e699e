"""Whether the portal works: asked in a thread of its own, so that it is told while all others are busy."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from samestory.database import Database
from samestory.web.errors import Refusal

#: A database that has not answered for so long, in seconds, does not answer.
PATIENCE = 3.0


class Health:
    """Asks a database whether it is there."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._helper = ThreadPoolExecutor(1, "health")

    async def check(self) -> None:
        """Refuses with 503 if the database does not answer."""
        try:
            async with asyncio.timeout(PATIENCE):
                await asyncio.get_running_loop().run_in_executor(self._helper, self._ask)
        except TimeoutError:
            raise Refusal(503, "the database cannot answer now", None, {"Retry-After": "5"}) from None

    def _ask(self) -> None:
        with self._database.read() as session:
            session.one("SELECT 1")
