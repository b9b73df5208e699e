"""The entry points under which installed packages register detectors, and the names of classes in specs."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from samestory.specs import Spec

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

#: The group of entry points.
ENTRY_POINTS = "samestory.detectors"


@cache
def installed() -> dict[str, EntryPoint]:
    """The entry points of installed packages by the name of the detector."""
    # slow to import, and only detectors of other packages need it
    from importlib.metadata import entry_points

    return {each.name: each for each in entry_points(group=ENTRY_POINTS)}


def spec_name(cls: type[Spec]) -> str:
    """The name of a detector's class in specs: its own name if that can be looked up, or its import path."""
    path = f"{cls.__module__}:{cls.__qualname__}"
    is_ours = cls.__module__.startswith(f"{__package__}.")
    is_installed = cls.name in installed() and installed()[cls.name].value == path if not is_ours else False
    return cls.name if is_ours or is_installed else path
