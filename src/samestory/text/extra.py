"""Optional libraries of extras, imported on first use."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from samestory.errors import MissingExtraError


def library(name: str, extra: str, feature: str, otherwise: str = "") -> Any:
    """Imports an optional module; raises MissingExtraError with the feature that needs it and how to install it."""
    try:
        return import_module(name)
    except ImportError as absent:
        hint = f"pip install 'samestory[{extra}]'{f'; {otherwise}' if otherwise else ''}"
        raise MissingExtraError(f"{feature} needs {name.partition('.')[0]}, which is not installed", hint) from absent
