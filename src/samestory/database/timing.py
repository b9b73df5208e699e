"""Counts database statements and their time, for the code that asks for it."""

from __future__ import annotations

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


def counted_statements() -> StatementTime | None:
    """Return what counts the statements of this context, if it is asked for."""
    return _counted.get()
