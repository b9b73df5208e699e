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


@contextmanager
def statement() -> Iterator[None]:
    """Run a statement; its time is counted if it is asked for."""
    counted = _counted.get()
    if counted is None:
        yield
        return
    began = time.perf_counter()
    try:
        yield
    finally:
        counted.count += 1
        counted.seconds += time.perf_counter() - began
