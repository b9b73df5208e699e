"""Ratings: categories that several raters chose for the same items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from samestory.errors import ParameterError
from samestory.lab.measures.data.base import Data, Integers, codes


@dataclass(frozen=True, eq=False)
class Ratings(Data):
    """One row per item, one column per rater, each cell the chosen category; `query` is the query of an item.

    Items of one query are one unit, since the same raters read the same list; without queries, items are units.

    >>> Ratings([["yes", "yes"], ["no", "yes"]]).categories
    2
    """

    what: ClassVar[str] = "ratings"

    chosen: Any
    query: Any = None
    units: Any = None

    def __post_init__(self) -> None:
        chosen = np.asarray(self.chosen)
        if chosen.size == 0 and chosen.ndim < 2:
            chosen = np.zeros((0, 2), np.int64)
        if chosen.ndim != 2 or chosen.shape[1] < 2:
            raise ParameterError(f"{self.what}: expected items by raters with at least two raters, got {chosen.shape}")
        self._set("chosen", codes(chosen.ravel(), f"{self.what}: categories").reshape(chosen.shape))
        self._same_lengths("chosen", "query", "units")
        if self.query is not None:
            self._set("query", codes(self.query, f"{self.what}: query"))
        self._set("units", self._units(self.query if self.units is None else self.units, len(self.chosen)))
        if self.query is not None:
            self._check_unsplit(self.query, "query")

    @property
    def drawn(self) -> str:
        return "single items" if self.count == len(self) else "queries"

    def __len__(self) -> int:
        return len(self.chosen)

    def gold_columns(self) -> tuple[NDArray[Any], ...]:
        """Return no columns: raters are measured against each other."""
        return ()

    @property
    def raters(self) -> int:
        """The number of raters."""
        return int(self.chosen.shape[1])

    @property
    def categories(self) -> int:
        """The number of categories chosen at least once."""
        return int(self.chosen.max()) + 1 if self.chosen.size else 0

    def counts(self, column: int) -> Integers:
        """Return items by categories: 1 where the rater of that column chose the category."""
        chosen: Integers = (self.chosen[:, column, None] == np.arange(self.categories)).astype(np.int64)
        return chosen
