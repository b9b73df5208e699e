"""Server-sent events: changes of stories as they happen.

Each stream polls the change log in the database, so it also sees changes written by other processes. A client that
reconnects sends the id of its last event and receives the events after it. If those are no longer in the log, the event
`reset` is sent: the client must reload what it shows.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from samestory.archive import Archive
from samestory.stream import Change
from samestory.web.errors import Refusal
from samestory.web.limits import client_of

#: Intervals between two polls of the log, and between two keep-alive comments on an idle stream.
POLL_SECONDS, KEEP_ALIVE_SECONDS = 0.5, 15.0
#: Events read per poll.
MAX_EVENTS = 500


class Listeners:
    """Open event streams, limited in total and per client."""

    def __init__(self, max_total: int, max_per_client: int) -> None:
        self._max_total, self._max_per_client = max_total, max_per_client
        self._open: Counter[str] = Counter()

    @contextmanager
    def reserve(self, client: str) -> Iterator[None]:
        """Reserve a slot for one stream; check and reservation happen without an await in between."""
        if self._open.total() >= self._max_total:
            raise _no_slot("too many open event streams")
        if self._open[client] >= self._max_per_client:
            raise _no_slot(f"at most {self._max_per_client} event streams per client")
        self._open[client] += 1
        try:
            yield
        finally:
            self._open[client] -= 1
            self._open += Counter()  # drops clients with no stream left


def _no_slot(why: str) -> Refusal:
    return Refusal(503, why, "read /changes.json instead", {"Retry-After": "30"})


class EventStreamResponse(StreamingResponse):
    """An event stream that holds a slot in `Listeners` while it is open."""

    def __init__(self, content: AsyncIterator[bytes], listeners: Listeners) -> None:
        super().__init__(content, media_type="text/event-stream", headers={"Cache-Control": "no-store"})
        self._listeners = listeners

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Reserve a slot before the response starts, and release it however the stream ends."""
        with self._listeners.reserve(client_of(scope)):
            await super().__call__(scope, receive, send)


def log_range(archive: Archive) -> tuple[int, int]:
    """Return the first and the last sequence number of the log; 0 for an empty log."""
    with archive.database.read() as session:
        # two queries: for both at once SQLite reads the whole log
        ends = "SELECT (SELECT min(seq) FROM changes), (SELECT max(seq) FROM changes)"
        first, last = session.one(ends) or (None, None)
    return first or 0, last or 0


def read_changes(archive: Archive, since: int, limit: int = MAX_EVENTS) -> tuple[bool, int, list[tuple[int, Change]]]:
    """Return whether changes after `since` were lost, where to continue, and the changes up to there.

    Changes are lost if they are no longer in the log, or if `since` is beyond its end.
    """
    with archive.database.read():  # both queries see the same snapshot
        first, last = log_range(archive)
        lost = since > last or first > since + 1
        found = archive.changes(first - 1 if lost else since, limit)
    return lost, found[-1][0] if found else last if lost else since, found


async def events(archive: Archive, since: int | None) -> AsyncIterator[bytes]:
    """Yield the events after a sequence number, then new ones; without a number only new ones."""
    if since is None:
        since = (await run_in_threadpool(log_range, archive))[1]
    yield b"retry: 2000\n\n"
    quiet = 0.0
    while True:
        lost, following, changes = await run_in_threadpool(read_changes, archive, since)
        since = following
        if lost:
            begin = changes[0][0] - 1 if changes else since
            yield _event(begin, "reset", {"hint": "events were lost: reload what you show"})
        for seq, change in changes:
            data = {"what": change.what, "story": change.group, "articles": change.articles, "other": change.other}
            yield _event(seq, change.what, data)
        if changes:
            quiet = 0.0
            if len(changes) == MAX_EVENTS:
                continue
        await asyncio.sleep(POLL_SECONDS)
        quiet += POLL_SECONDS
        if quiet >= KEEP_ALIVE_SECONDS:
            quiet = 0.0
            yield b": keep-alive\n\n"


def _event(seq: int, name: str, data: dict[str, object]) -> bytes:
    # JSON contains no raw line breaks, so an article id cannot start another event
    return f"id: {seq}\nevent: {name}\ndata: {json.dumps(data)}\n\n".encode()
