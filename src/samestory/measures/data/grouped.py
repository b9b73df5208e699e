"""Grouped articles: the groups people made and the groups a system made, as one sparse table of counts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from samestory.errors import ParameterError
from samestory.measures.data.base import Data, Floats, Integers, codes, joined, sums


@dataclass(frozen=True, eq=False)
class Grouped(Data):
    """One row an article: the label of its gold group and of the group it was found in.

    Units are the finest sets of articles that split no group of either kind: a wrong merger ties two stories
    together, and is drawn with both of them or not at all. Everything is counted from the table of the two
    groupings, never by listing pairs.

    >>> Grouped.of(gold=[["a", "b", "c"]], found=[["a", "b"], ["c", "d"]]).units.tolist()
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
            self._drawn_whole(self.gold, "gold group")
            self._drawn_whole(self.found, "group found")

    @classmethod
    def of(cls, gold: Iterable[Iterable[Hashable]], found: Iterable[Iterable[Hashable]]) -> Grouped:
        """From the members of groups. An article that only one side names stands alone on the other."""
        golden, finds = _labels(gold, "gold"), _labels(found, "found")
        articles = list(golden | finds)
        # an article alone has a group of its own, whose number no other group has
        alone = range(len(articles), 2 * len(articles))
        return cls(
            np.array([golden.get(article, other) for article, other in zip(articles, alone, strict=True)], np.int64),
            np.array([finds.get(article, other) for article, other in zip(articles, alone, strict=True)], np.int64),
        )

    @property
    def drawn(self) -> str:
        """See the base."""
        return "stories, with those they are mixed with"

    def __len__(self) -> int:
        return len(self.gold)

    def gold_columns(self) -> tuple[NDArray[Any], ...]:
        """See the base."""
        # two numberings of one grouping are one gold
        first = np.unique(self.gold, return_index=True)[1]
        return (first[self.gold],)

    @cached_property
    def gold_sizes(self) -> Integers:
        """How many articles every gold group has."""
        return np.bincount(self.gold)

    @cached_property
    def found_sizes(self) -> Integers:
        """How many articles every group found has."""
        return np.bincount(self.found)

    @cached_property
    def gold_units(self) -> Integers:
        """The unit of every gold group."""
        unit = np.zeros(len(self.gold_sizes), np.int64)
        unit[self.gold] = self.units
        return unit

    @cached_property
    def found_units(self) -> Integers:
        """The unit of every group found."""
        unit = np.zeros(len(self.found_sizes), np.int64)
        unit[self.found] = self.units
        return unit

    @cached_property
    def cells(self) -> tuple[Integers, Integers, Integers]:
        """The table without its zeros: gold group, group found, articles in both."""
        columns = len(self.found_sizes)
        cells, counts = np.unique(self.gold * columns + self.found, return_counts=True)
        return cells // max(columns, 1), cells % max(columns, 1), counts

    def per_unit(self, units: Integers, values: NDArray[Any]) -> Floats:
        """Values of groups or cells, summed for every unit."""
        return sums(units, values, self.count)


def _labels(groups: Iterable[Iterable[Hashable]], side: str) -> dict[Hashable, int]:
    out: dict[Hashable, int] = {}
    for number, members in enumerate(groups):
        if isinstance(members, str):
            raise ParameterError(f"grouped articles: a group is a list of articles, got {members!r}")
        for article in members:
            if out.setdefault(article, number) != number:
                raise ParameterError(f"grouped articles: {article!r} stands in two groups of {side}")
    return out
