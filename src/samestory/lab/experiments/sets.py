"""Test sets: a collection split by a field, and the output of a detector inside each set.

The detector runs once over the whole collection; only pairs inside a set count. An article whose only duplicate is in
another set is no duplicate in its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

from samestory.errors import InputError, ParameterError
from samestory.lab.evaluation import GoldGroups, ScoredRun
from samestory.lab.evaluation.evaluate import Subject, subjects
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.model import Article

#: Article fields that may define test sets, where the gold has no field of that name.
ROLES = ("source", "lang")


@dataclass(frozen=True, eq=False)
class EvaluationSet:
    """One test set."""

    name: str
    gold: GoldGroups

    def subject(self, scored: ScoredRun, grouping: str | None) -> Subject:
        """Join the run, restricted to this set, with its gold."""
        (subject,) = subjects(self.gold, [within(scored, set(self.gold.articles))], grouping)
        return subject


def parts(collection: ExperimentInput) -> list[EvaluationSet]:
    """Return the test sets, in the order of the gold; a single one without a split field."""
    gold = collection.gold
    assert isinstance(gold, GoldGroups)
    if collection.split is None:
        return [EvaluationSet("all", gold)]
    rows: dict[str, list[int]] = {}
    for row, value in enumerate(_values(collection, gold, collection.split)):
        if value is None:
            raise InputError(f"{gold.path}:{gold.lines[row]}: no {collection.split!r}, which --split needs")
        rows.setdefault(str(value), []).append(row)
    return [EvaluationSet(name, _rows(gold, those)) for name, those in rows.items()]


def _values(collection: ExperimentInput, gold: GoldGroups, field: str) -> Sequence[Any]:
    if field in gold.columns:
        return gold.columns[field]
    if field not in ROLES:
        fields = ", ".join([*gold.columns, *(f"{role} (of the articles)" for role in ROLES)])
        raise ParameterError(f"--split: {gold.path} has no field {field!r}; available: {fields}")
    articles: dict[str, Article] = {article.id: article for article in collection.articles()}
    return [getattr(articles.get(article), field, None) for article in gold.articles]


def _rows(gold: GoldGroups, rows: Sequence[int]) -> GoldGroups:
    return replace(
        gold,
        lines=[gold.lines[row] for row in rows],
        columns={name: [values[row] for row in rows] for name, values in gold.columns.items()},
        articles=[gold.articles[row] for row in rows],
        groups=[gold.groups[row] for row in rows],
    )


def within(scored: ScoredRun, articles: set[str]) -> ScoredRun:
    """Restrict a run to the relations among these articles."""
    import numpy as np

    inside = np.array([article in articles for article in scored.ids], np.bool_)
    if inside.all():
        return scored
    number = np.cumsum(inside) - 1
    keep = inside[scored.left] & inside[scored.right]
    order = None if scored.order is None else number[scored.order[inside[scored.order]]].astype(np.uint32)
    return replace(
        scored,
        ids=[article for article, is_inside in zip(scored.ids, inside.tolist(), strict=True) if is_inside],
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
    """The mean over test sets, with the interval of the t-distribution; no interval for a single set."""

    value: float | None
    low: float | None
    high: float | None
    undefined: int
    """Sets left out because the measure is undefined."""

    @classmethod
    def from_values(
        cls, values: Sequence[float | None], least: float = 0.0, most: float = 1.0, confidence: float = 0.95
    ) -> Mean:
        """Compute the mean of the sets' values; the interval is limited to [least, most].

        >>> round(Mean.from_values([0.1, 0.2, 0.3]).high, 4)
        0.4484
        """
        from samestory.lab.measures.extra import scipy

        defined = [value for value in values if value is not None]
        undefined = len(values) - len(defined)
        if not defined:
            return cls(None, None, None, undefined)
        mean = sum(defined) / len(defined)
        if len(defined) < 2:
            return cls(mean, None, None, undefined)
        sd = sqrt(sum((value - mean) ** 2 for value in defined) / (len(defined) - 1))
        reach = float(scipy("stats").t.ppf((1 + confidence) / 2, len(defined) - 1)) * sd / sqrt(len(defined))
        return cls(mean, max(least, mean - reach), min(most, mean + reach), undefined)
