"""The stream of events: what happens to stories, told to whoever listens as it happens (server-sent events).

The log in the database is looked at now and then, so that everybody hears what any process wrote. Whoever comes back
says what was heard last, and hears the rest. When that is no longer in the log, the event `reset` says so: what was
known must be asked for anew.
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

#: How often the log is looked at, and how often somebody who hears nothing is told that we are there; in seconds.
EVERY, STILL_HERE = 0.5, 15.0
#: How many events are read at once.
AT_ONCE = 500


class Listeners:
    """Who listens: so many at once, and no client all of them."""

    def __init__(self, most: int, own: int) -> None:
        self._most, self._own = most, own
        self._open: Counter[str] = Counter()

    @contextmanager
    def one(self, client: str) -> Iterator[None]:
        """A place for one stream as long as it lasts; nobody else can take it between the look and the taking."""
        if self._open.total() >= self._most:
            raise _no_room("too many listen already")
        if self._open[client] >= self._own:
            raise _no_room(f"one client listens {self._own} times at most")
        self._open[client] += 1
        try:
            yield
        finally:
            self._open[client] -= 1
            self._open += Counter()  # whoever is gone is forgotten


def _no_room(why: str) -> Refusal:
    return Refusal(503, why, "read /changes.json instead", {"Retry-After": "30"})


class Told(StreamingResponse):
    """Events for somebody who has found a place."""

    def __init__(self, told: AsyncIterator[bytes], listeners: Listeners) -> None:
        super().__init__(told, media_type="text/event-stream", headers={"Cache-Control": "no-store"})
        self._listeners = listeners

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The place is taken before anything is answered, and free again however this ends."""
        with self._listeners.one(client_of(scope)):
            await super().__call__(scope, receive, send)


def ends(archive: Archive) -> tuple[int, int]:
    """The first and the last place of the log; 0 where there is none."""
    with archive.database.read() as session:
        first, last = session.one("SELECT min(seq), max(seq) FROM changes") or (None, None)
    return first or 0, last or 0


def news(archive: Archive, since: int, most: int = AT_ONCE) -> tuple[bool, int, list[tuple[int, Change]]]:
    """Whether something was lost since a place of the log, where to go on, and what came between the two.

    Lost is what the log has no more, and everything to somebody who has read further than it goes.
    """
    with archive.database.read():  # both questions see the same log
        first, last = ends(archive)
        lost = since > last or first > since + 1
        found = archive.changes(first - 1 if lost else since, most)
    return lost, found[-1][0] if found else last if lost else since, found


async def events(archive: Archive, since: int | None) -> AsyncIterator[bytes]:
    """The events after a place of the log, and then those that come; without a place only those that come."""
    if since is None:
        since = (await run_in_threadpool(ends, archive))[1]
    yield b"retry: 2000\n\n"
    quiet = 0.0
    while True:
        lost, following, changes = await run_in_threadpool(news, archive, since)
        since = following
        if lost:
            begin = changes[0][0] - 1 if changes else since
            yield _event(begin, "reset", {"hint": "events were lost: ask for what you show anew"})
        for seq, change in changes:
            told = {"what": change.what, "story": change.group, "articles": change.articles, "other": change.other}
            yield _event(seq, change.what, told)
        if changes:
            quiet = 0.0
            if len(changes) == AT_ONCE:
                continue
        await asyncio.sleep(EVERY)
        quiet += EVERY
        if quiet >= STILL_HERE:
            quiet = 0.0
            yield b": still here\n\n"


def _event(seq: int, name: str, data: dict[str, object]) -> bytes:
    # JSON without raw line ends: nothing in an id can begin another event
    return f"id: {seq}\nevent: {name}\ndata: {json.dumps(data)}\n\n".encode()
