"""Sets of duplicates in result lists: those of the assessors, and those of a system."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from samestory.errors import ParameterError
from samestory.lab.measures.data.base import Data

FrozenLists = tuple[tuple[frozenset[Hashable], ...], ...]


@dataclass(frozen=True, eq=False)
class DuplicateSets(Data):
    """One row per result list: the sets of the assessors and of the system. Lists are the units.

    Sets may overlap: the relation need not be transitive. A list without sets is kept: it shows false alarms.

    >>> len(DuplicateSets(gold=[[{"a", "b"}], []], found=[[{"a", "b"}], [{"c", "d"}]]))
    2
    """

    what: ClassVar[str] = "sets"

    gold: Any
    found: Any
    units: Any = None

    def __post_init__(self) -> None:
        self._set("gold", _frozen(self.gold, "gold"))
        self._set("found", _frozen(self.found, "found"))
        self._same_lengths("gold", "found", "units")
        self._set("units", self._units(self.units, len(self.gold)))

    @property
    def drawn(self) -> str:
        return "result lists"

    def __len__(self) -> int:
        return len(self.gold)

    def gold_columns(self) -> tuple[NDArray[Any], ...]:
        lists = np.empty(len(self.gold), object)
        lists[:] = [frozenset(sets) for sets in self.gold]
        return (lists,)


def _frozen(lists: Sequence[Iterable[Iterable[Hashable]]], side: str) -> FrozenLists:
    out = []
    for number, sets in enumerate(lists):
        frozen = tuple(frozenset(members) for members in sets)
        small = next((members for members in frozen if len(members) < 2), None)
        if small is not None:
            raise ParameterError(
                f"sets: a set needs at least two articles, got {set(small)} in list {number} of {side}"
            )
        if len(set(frozen)) < len(frozen):
            raise ParameterError(f"sets: a set is listed twice in list {number} of {side}")
        out.append(frozen)
    return tuple(out)
