"""Judged pairs: human judgements of pairs of articles, and the output of a system for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from samestory.errors import ParameterError
from samestory.lab.measures.data.base import Data, Flags, Floats, Integers, codes, flags, numbers
from samestory.lab.measures.units import units_of_pairs


@dataclass(frozen=True, eq=False)
class JudgedPairs(Data):
    """One row per pair: whether it is a duplicate (`gold`), and the system's `score`, or whether it is `accepted`.

    A score of 0 means never compared. `judged` is False for reported pairs without a judgement: they count as wrong
    (strict) or not at all (condensed), as set by a measure's `unjudged`.
    Two systems are compared on the same rows; a pair that only one of them reports has score 0 for the other.

    >>> pairs = JudgedPairs.from_pairs(["a", "a", "c"], ["b", "c", "d"], gold=[1, 0, 1], score=[0.9, 0.4, 0.0])
    >>> pairs.cut(0.5).accepted.tolist()
    [True, False, False]
    """

    what: ClassVar[str] = "judged pairs"

    gold: Flags
    score: Any = None
    accepted: Any = None
    judged: Any = None
    units: Any = None
    ordered: bool = False
    by: str = ""

    def __post_init__(self) -> None:
        self._set("gold", flags(self.gold, f"{self.what}: gold"))
        rows = len(self.gold)
        self._same_lengths("gold", "score", "accepted", "judged", "units")
        if self.score is None and self.accepted is None:
            raise ParameterError(f"{self.what}: expected scores or accepted pairs, got neither")
        if self.score is not None:
            self._set("score", numbers(self.score, f"{self.what}: score"))
            if rows and self.score.min() < 0:
                raise ParameterError(f"{self.what}: score must be at least 0, got {self.score.min():g}")
        if self.accepted is not None:
            self._set("accepted", flags(self.accepted, f"{self.what}: accepted"))
        judged = np.ones(rows, np.bool_) if self.judged is None else flags(self.judged, f"{self.what}: judged")
        self._set("judged", judged)
        self._set("gold", self.gold & judged)
        self._set("units", self._units(self.units, rows))

    @classmethod
    def from_pairs(
        cls,
        left: ArrayLike | Sequence[object],
        right: ArrayLike | Sequence[object],
        gold: ArrayLike,
        score: ArrayLike | None = None,
        accepted: ArrayLike | None = None,
        judged: ArrayLike | None = None,
        by: str = "judged",
        ordered: bool = False,
    ) -> JudgedPairs:
        """Build from pairs of article ids; see `samestory.lab.measures.units.units_of_pairs` for the units."""
        if by not in ("judged", "gold"):
            raise ParameterError(f"{cls.what}: by must be 'judged' or 'gold', got {by!r}")
        lefts, rights = np.asarray(left), np.asarray(right)
        if lefts.ndim != 1 or rights.ndim != 1:
            raise ParameterError(f"{cls.what}: expected lists of articles, got {left!r:.40} and {right!r:.40}")
        if len(lefts) != len(rights):
            raise ParameterError(f"{cls.what}: got {len(lefts)} left and {len(rights)} right articles")
        both = codes(np.concatenate([lefts, rights]), f"{cls.what}: articles")
        ones, others = both[: len(lefts)], both[len(lefts) :]
        _check_duplicates(ones, others, lefts, rights, ordered)
        plain = cls(flags(gold, f"{cls.what}: gold"), score, accepted, judged, ordered=ordered)
        if len(plain) != len(ones):
            raise ParameterError(f"{cls.what}: got {len(ones)} pairs and {len(plain)} labels")
        return replace(plain, units=units_of_pairs(ones, others, plain.gold, plain.judged, by), by=by)

    @property
    def drawn(self) -> str:
        if self.by:
            return {"judged": "components of judged pairs", "gold": "stories"}[self.by]
        return "single pairs" if self.count == len(self) else "pairs that belong together"

    def __len__(self) -> int:
        return len(self.gold)

    def gold_columns(self) -> tuple[NDArray[Any], ...]:
        return self.gold, self.judged, np.array([self.ordered])

    def cut(self, threshold: float) -> JudgedPairs:
        """Return the same pairs, accepted where the score reaches the threshold and is above 0."""
        return replace(self, accepted=(self.scores() >= threshold) & (self.scores() > 0))

    def scores(self) -> Floats:
        """Return the scores; raise where there are none."""
        if self.score is None:
            raise ParameterError(f"{self.what}: expected scores, got accepted pairs only")
        return self.score  # type: ignore[no-any-return]

    def accepts(self) -> Flags:
        """Return which pairs the system accepts; raise where only scores are given."""
        if self.accepted is None:
            raise ParameterError(f"{self.what}: scores need a threshold to accept pairs", hint="data.cut(threshold)")
        return self.accepted  # type: ignore[no-any-return]

    @property
    def unjudged(self) -> int:
        """The number of accepted pairs without a judgement."""
        return int((self.accepts() & ~self.judged).sum())


def _check_duplicates(
    left: Integers, right: Integers, lefts: NDArray[Any], rights: NDArray[Any], ordered: bool
) -> None:
    """Raise for a pair of an article with itself, or a pair listed twice."""
    same = np.flatnonzero(left == right)
    if len(same):
        raise ParameterError(f"judged pairs: {lefts[same[0]]} is paired with itself")
    first, second = (left, right) if ordered else (np.minimum(left, right), np.maximum(left, right))
    keys = first * (int(max(left.max(), right.max())) + 1 if len(left) else 0) + second
    order = np.argsort(keys, kind="stable")
    twice = np.flatnonzero(keys[order][1:] == keys[order][:-1])
    if len(twice):
        row = order[twice[0] + 1]
        raise ParameterError(f"judged pairs: {lefts[row]} and {rights[row]} are listed twice")
