"""Libraries that come with an extra: imported on use, because most who import samestory never need them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from samestory.errors import SamestoryError


def library(name: str, extra: str, who: str, otherwise: str = "") -> Any:
    """A module of a library; or who needs it and how to get it."""
    try:
        return import_module(name)
    except ImportError as absent:
        hint = f"pip install 'samestory[{extra}]'{f'; {otherwise}' if otherwise else ''}"
        raise SamestoryError(f"{who} needs {name.partition('.')[0]}, which is not installed", hint) from absent
