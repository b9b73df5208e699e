"""Sets of duplicates in result lists: those that assessors named, and those that a detector makes of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from samestory.detectors import Detector
from samestory.experiments.collection import Collection
from samestory.lab import GoldGroups, GoldPairs
from samestory.lab.evaluate import subjects
from samestory.measures import Grouped, JudgedPairs, Sets

Named = list[frozenset[str]]


@dataclass(frozen=True)
class Duplicates:
    """What assessors and a detector named in every list."""

    lists: Sequence[str]
    gold: Sequence[Named]
    found: Sequence[Named]

    @property
    def data(self) -> Sets:
        """As measures take it."""
        return Sets(gold=self.gold, found=self.found)


def duplicate_sets(collection: Collection, detector: Detector) -> Duplicates:
    """The sets of duplicates, list by list where `--split` names a field of the gold that tells them apart."""
    gold = collection.gold
    assert gold is not None
    (subject,) = subjects(gold, [collection.score(detector)], collection.grouping)
    data: Any = subject.at(subject.scored.threshold)
    lists = [str(value) for value in gold.columns[collection.split]] if collection.split else ["all"] * len(gold)
    names = list(dict.fromkeys(lists))
    if isinstance(gold, GoldGroups):
        assert isinstance(data, Grouped)
        sides = [_groups(gold.articles, lists, labels.tolist(), names) for labels in (data.gold, data.found)]
    else:
        assert isinstance(gold, GoldPairs) and isinstance(data, JudgedPairs)
        accepted = data.accepts()[: len(gold)]
        sides = [_components(gold, lists, wanted.tolist(), names) for wanted in (gold.labels, accepted)]
    return Duplicates(names, *sides)


def _groups(articles: Sequence[str], lists: Sequence[str], labels: Sequence[Any], names: Sequence[str]) -> list[Named]:
    members: dict[str, dict[Any, set[str]]] = {name: {} for name in names}
    for article, name, label in zip(articles, lists, labels, strict=True):
        members[name].setdefault(label, set()).add(article)
    return [[frozenset(group) for group in members[name].values() if len(group) > 1] for name in names]


def _components(gold: GoldPairs, lists: Sequence[str], wanted: Iterable[bool], names: Sequence[str]) -> list[Named]:
    """Sets that pairs make, by following them; the study's relation is not transitive, but its sets are drawn so."""
    joined: dict[str, dict[str, set[str]]] = {name: {} for name in names}
    for left, right, name, is_wanted in zip(gold.left, gold.right, lists, wanted, strict=True):
        if is_wanted:
            sets = joined[name]
            one, other = sets.get(left, {left}), sets.get(right, {right})
            union = one | other
            sets.update((article, union) for article in union)
    return [list({frozenset(members) for members in joined[name].values()}) for name in names]
