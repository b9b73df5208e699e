"""Flagged articles: whether each is a duplicate of any other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from numpy.typing import NDArray

from samestory.lab.measures.data.base import Data, Flags, flags
from samestory.lab.measures.data.grouped import GroupedArticles


@dataclass(frozen=True, eq=False)
class FlaggedArticles(Data):
    """One row per article: whether it is a duplicate, and whether it was flagged as one.

    >>> stories = GroupedArticles.from_groups(gold=[["a", "b"], ["c"]], found=[["a"], ["b", "c"]])
    >>> FlaggedArticles.from_groups(stories).found.tolist()
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
    def from_groups(cls, grouped: GroupedArticles) -> FlaggedArticles:
        """Build from groups: an article is flagged when its group has two or more articles."""
        gold, found = grouped.gold_sizes[grouped.gold] > 1, grouped.found_sizes[grouped.found] > 1
        return cls(gold, found, grouped.units)

    @property
    def drawn(self) -> str:
        return "single articles" if self.count == len(self) else "articles that belong together"

    def __len__(self) -> int:
        return len(self.gold)

    def gold_columns(self) -> tuple[NDArray[Any], ...]:
        return (self.gold,)
