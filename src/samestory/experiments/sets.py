"""Test sets: one collection cut by a field, and what a detector says inside each of them.

The detector runs once over everything; of what it says, pairs inside a set count. An article whose only twin lies in
another set is no duplicate in its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

from samestory.errors import InputError, ParameterError
from samestory.experiments.collection import Collection
from samestory.lab import GoldGroups, Scored
from samestory.lab.evaluate import Subject, subjects
from samestory.model import Article

#: Roles of articles that may name a test set, where the gold has no field of that name.
ROLES = ("source", "lang")


@dataclass(frozen=True, eq=False)
class Part:
    """One test set."""

    name: str
    gold: GoldGroups

    def subject(self, scored: Scored, grouping: str | None) -> Subject:
        """What the detector says inside this set, beside its gold."""
        (subject,) = subjects(self.gold, [within(scored, set(self.gold.articles))], grouping)
        return subject


def parts(collection: Collection) -> list[Part]:
    """The test sets, in the order in which the gold names them; all in one, if nothing tells them apart."""
    gold = collection.gold
    assert isinstance(gold, GoldGroups)
    if collection.split is None:
        return [Part("all", gold)]
    rows: dict[str, list[int]] = {}
    for row, value in enumerate(_values(collection, gold, collection.split)):
        if value is None:
            raise InputError(f"{gold.path}:{gold.lines[row]}: no {collection.split!r}, which --split asks for")
        rows.setdefault(str(value), []).append(row)
    return [Part(name, _rows(gold, those)) for name, those in rows.items()]


def _values(collection: Collection, gold: GoldGroups, field: str) -> Sequence[Any]:
    if field in gold.columns:
        return gold.columns[field]
    if field not in ROLES:
        known = ", ".join([*gold.columns, *(f"{role} (of the articles)" for role in ROLES)])
        raise ParameterError(f"--split: {gold.path} has no field {field!r}; there are {known}")
    told: dict[str, Article] = {article.id: article for article in collection.articles()}
    return [getattr(told.get(article), field, None) for article in gold.articles]


def _rows(gold: GoldGroups, rows: Sequence[int]) -> GoldGroups:
    return replace(
        gold,
        lines=[gold.lines[row] for row in rows],
        columns={name: [values[row] for row in rows] for name, values in gold.columns.items()},
        articles=[gold.articles[row] for row in rows],
        groups=[gold.groups[row] for row in rows],
    )


def within(scored: Scored, articles: set[str]) -> Scored:
    """What a run says about these articles among themselves."""
    import numpy as np

    inside = np.array([article in articles for article in scored.ids], np.bool_)
    if inside.all():
        return scored
    number = np.cumsum(inside) - 1
    keep = inside[scored.left] & inside[scored.right]
    order = None if scored.order is None else number[scored.order[inside[scored.order]]].astype(np.uint32)
    return replace(
        scored,
        ids=[article for article, there in zip(scored.ids, inside.tolist(), strict=True) if there],
        left=number[scored.left[keep]],
        right=number[scored.right[keep]],
        kinds=scored.kinds[keep],
        forward=scored.forward[keep],
        backward=scored.backward[keep],
        scores=scored.scores[keep],
        order=order,
        groups=None if scored.groups is None else scored.groups[inside],
    )


@dataclass(frozen=True)
class Mean:
    """The mean over test sets, with the interval of the t-distribution; None where one set is all there is."""

    value: float | None
    low: float | None
    high: float | None
    undefined: int
    """Sets in which the measure has no value, which are left out."""

    @classmethod
    def of(
        cls, values: Sequence[float | None], least: float = 0.0, most: float = 1.0, confidence: float = 0.95
    ) -> Mean:
        """Of the values of the sets, which lie between the least and the most.

        >>> round(Mean.of([0.1, 0.2, 0.3]).high, 4)
        0.4484
        """
        from samestory.measures.extra import scipy

        known = [value for value in values if value is not None]
        undefined = len(values) - len(known)
        if not known:
            return cls(None, None, None, undefined)
        mean = sum(known) / len(known)
        if len(known) < 2:
            return cls(mean, None, None, undefined)
        sd = sqrt(sum((value - mean) ** 2 for value in known) / (len(known) - 1))
        reach = float(scipy("stats").t.ppf((1 + confidence) / 2, len(known) - 1)) * sd / sqrt(len(known))
        return cls(mean, max(least, mean - reach), min(most, mean + reach), undefined)
