"""Counts database statements and their time, for the code that asks for it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(slots=True)
class StatementTime:
    """How many statements were run, and the time that they took."""

    count: int = 0
    seconds: float = 0.0


_counted: ContextVar[StatementTime | None] = ContextVar("counted statements", default=None)


@contextmanager
def count_statements() -> Iterator[StatementTime]:
    """Count the statements of this context, and of the threads that a server gives it."""
    counted = StatementTime()
    token = _counted.set(counted)
    try:
        yield counted
    finally:
        _counted.reset(token)


def begin() -> float | None:
    """Return when a statement begins, or None if nothing asked for its time."""
    return None if _counted.get() is None else time.perf_counter()


def end(began: float | None) -> None:
    """Count a statement that has ended."""
    if began is not None and (counted := _counted.get()) is not None:
        counted.count += 1
        counted.seconds += time.perf_counter() - began
