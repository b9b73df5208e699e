"""SciPy, from the extra `lab`: imported on use, because few programs that import samestory compute measures."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from samestory.errors import MissingExtraError


def scipy(part: str) -> Any:
    """Import a part of SciPy; raise with an install hint where it is missing."""
    try:
        return import_module(f"scipy.{part}")
    except ImportError as missing:
        raise MissingExtraError("measures need SciPy", hint="pip install 'samestory[lab]'") from missing
