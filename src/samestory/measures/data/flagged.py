"""Flagged articles: is this a duplicate of anything, yes or no?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from numpy.typing import NDArray

from samestory.measures.data.base import Data, Flags, flags
from samestory.measures.data.grouped import Grouped


@dataclass(frozen=True, eq=False)
class Flagged(Data):
    """One row an article: whether it is a duplicate, and whether it was flagged as one.

    >>> Flagged.of(Grouped.of(gold=[["a", "b"], ["c"]], found=[["a"], ["b", "c"]])).found.tolist()
    [False, True, True]
    """

    what: ClassVar[str] = "flagged articles"

    gold: Flags
    found: Flags
    units: Any = None

    def __post_init__(self) -> None:
        self._set("gold", flags(self.gold, f"{self.what}: gold"))
        self._set("found", flags(self.found, f"{self.what}: found"))
        self._same_lengths("gold", "found", "units")
        self._set("units", self._units(self.units, len(self.gold)))

    @classmethod
    def of(cls, grouped: Grouped) -> Flagged:
        """An article is flagged when its group has two articles or more."""
        gold, found = grouped.gold_sizes[grouped.gold] > 1, grouped.found_sizes[grouped.found] > 1
        return cls(gold, found, grouped.units)

    @property
    def drawn(self) -> str:
        """See the base."""
        return "single articles" if self.count == len(self) else "articles that belong together"

    def __len__(self) -> int:
        return len(self.gold)

    def gold_columns(self) -> tuple[NDArray[Any], ...]:
        """See the base."""
        return (self.gold,)
