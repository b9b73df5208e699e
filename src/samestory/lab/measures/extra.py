"""SciPy, from the extra `lab`: imported on use, because few programs that import samestory compute measures."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import Any

from samestory.errors import MissingExtraError


def scipy(part: str) -> Any:
    """Import a part of SciPy; raise with an install hint where it is missing."""
    try:
        return import_module(f"scipy.{part}")
    except ImportError as missing:
        raise MissingExtraError("measures need SciPy", hint="pip install 'samestory[lab]'") from missing


def one_thread() -> AbstractContextManager[object]:
    """Hold the linear algebra library to one thread: with matrices of some hundred numbers, its threads wait for each
    other seven times as long as one thread computes."""
    try:
        limits = import_module("threadpoolctl").threadpool_limits
    except ImportError:  # slower, but right
        return nullcontext()
    found: AbstractContextManager[object] = limits(limits=1)
    return found
