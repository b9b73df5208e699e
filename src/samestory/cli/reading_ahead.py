"""Reads streams in a thread, because they may be idle for long."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from queue import Empty, Queue
from types import EllipsisType

from samestory.model import Article
from samestory.readers import Problem

#: Articles of a stream that are read ahead.
QUEUE_SIZE = 1024
#: Seconds without input after which the articles read so far are processed.
IDLE_SECONDS = 1.0


def read_ahead(items: Iterator[Article | Problem]) -> Iterator[Article | Problem | EllipsisType]:
    """Yields items that a thread reads, and `...` when the stream is idle.

    The main thread stays free for interrupts.
    """
    ready: Queue[Article | Problem | BaseException | None] = Queue(QUEUE_SIZE)

    def work() -> None:
        try:
            for item in items:
                ready.put(item)
            ready.put(None)
        except BaseException as error:  # raised again in the main thread
            ready.put(error)

    threading.Thread(target=work, daemon=True).start()
    deadline: float | None = time.monotonic() + IDLE_SECONDS
    while True:
        try:
            item = ready.get(timeout=None if deadline is None else max(deadline - time.monotonic(), 0.0))
        except Empty:
            deadline = None
            yield ...
            continue
        if item is None:
            return
        if isinstance(item, BaseException):
            raise item
        if deadline is None:
            deadline = time.monotonic() + IDLE_SECONDS
        yield item
