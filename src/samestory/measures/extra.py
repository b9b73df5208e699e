"""SciPy, which comes with the extra `lab`: imported on use, because few who import samestory ever measure."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from samestory.errors import SamestoryError


def scipy(part: str) -> Any:
    """A part of SciPy, or how to get it."""
    try:
        return import_module(f"scipy.{part}")
    except ImportError as missing:
        raise SamestoryError("measures need SciPy", hint="pip install 'samestory[lab]'") from missing
