"""Grouped articles: the gold groups and the groups of a system, as one sparse contingency table."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from samestory.errors import ParameterError
from samestory.lab.measures.data.base import Data, Floats, Integers, codes, joined, sums


@dataclass(frozen=True, eq=False)
class GroupedArticles(Data):
    """One row per article: the label of its gold group and of its group in the system's output.

    Units are the finest sets of articles that split no group of either kind: a wrong merge joins two stories into one
    unit. Everything is counted from the contingency table, never by enumerating pairs.

    >>> GroupedArticles.from_groups(gold=[["a", "b", "c"]], found=[["a", "b"], ["c", "d"]]).units.tolist()
    [0, 0, 0, 0]
    """

    what: ClassVar[str] = "grouped articles"

    gold: Integers
    found: Integers
    units: Any = None

    def __post_init__(self) -> None:
        self._set("gold", codes(self.gold, f"{self.what}: gold"))
        self._set("found", codes(self.found, f"{self.what}: found"))
        self._same_lengths("gold", "found", "units")
        if self.units is None:
            self._set("units", joined(self.gold, self.found))
        else:
            self._set("units", codes(self.units, f"{self.what}: units"))
            self._check_unsplit(self.gold, "gold group")
            self._check_unsplit(self.found, "group found")

    @classmethod
    def from_groups(cls, gold: Iterable[Iterable[Hashable]], found: Iterable[Iterable[Hashable]]) -> GroupedArticles:
        """Build from the members of groups. An article that only one side lists is a singleton on the other."""
        golden, finds = _labels(gold, "gold"), _labels(found, "found")
        articles = list(golden | finds)
        # a singleton has a group number that no other group has
        alone = range(len(articles), 2 * len(articles))
        return cls(
            np.array([golden.get(article, other) for article, other in zip(articles, alone, strict=True)], np.int64),
            np.array([finds.get(article, other) for article, other in zip(articles, alone, strict=True)], np.int64),
        )

    @property
    def drawn(self) -> str:
        return "stories, with those they are mixed with"

    def __len__(self) -> int:
        return len(self.gold)

    def gold_columns(self) -> tuple[NDArray[Any], ...]:
        # numberings of the same grouping are equal
        first = np.unique(self.gold, return_index=True)[1]
        return (first[self.gold],)

    @cached_property
    def gold_sizes(self) -> Integers:
        """The size of every gold group."""
        return np.bincount(self.gold)

    @cached_property
    def found_sizes(self) -> Integers:
        """The size of every found group."""
        return np.bincount(self.found)

    @cached_property
    def gold_units(self) -> Integers:
        """The unit of every gold group."""
        unit = np.zeros(len(self.gold_sizes), np.int64)
        unit[self.gold] = self.units
        return unit

    @cached_property
    def found_units(self) -> Integers:
        """The unit of every found group."""
        unit = np.zeros(len(self.found_sizes), np.int64)
        unit[self.found] = self.units
        return unit

    @cached_property
    def cells(self) -> tuple[Integers, Integers, Integers]:
        """The nonzero cells of the table: gold group, found group, articles in both."""
        columns = len(self.found_sizes)
        cells, counts = np.unique(self.gold * columns + self.found, return_counts=True)
        return cells // max(columns, 1), cells % max(columns, 1), counts

    def per_unit(self, units: Integers, values: NDArray[Any]) -> Floats:
        """Return values of groups or cells, summed per unit."""
        return sums(units, values, self.count)


def _labels(groups: Iterable[Iterable[Hashable]], side: str) -> dict[Hashable, int]:
    out: dict[Hashable, int] = {}
    for number, members in enumerate(groups):
        if isinstance(members, str):
            raise ParameterError(f"grouped articles: a group is a list of articles, got {members!r}")
        for article in members:
            if out.setdefault(article, number) != number:
                raise ParameterError(f"grouped articles: {article!r} is in two groups of {side}")
    return out
