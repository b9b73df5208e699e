"""Sets of duplicates in result lists: those of the assessors, and those of a detector."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from samestory.detectors import Detector
from samestory.lab.evaluation import GoldGroups, GoldPairs
from samestory.lab.evaluation.evaluate import subjects
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.measures import DuplicateSets, GroupedArticles, JudgedPairs

IdSets = list[frozenset[str]]


@dataclass(frozen=True)
class SetsByList:
    """The duplicate sets of the assessors and of a detector, per list."""

    lists: Sequence[str]
    gold: Sequence[IdSets]
    found: Sequence[IdSets]

    @property
    def data(self) -> DuplicateSets:
        """The sets as data of measures."""
        return DuplicateSets(gold=self.gold, found=self.found)


def duplicate_sets(collection: ExperimentInput, detector: Detector) -> SetsByList:
    """Return the sets of duplicates, per list where `--split` is a field of the gold."""
    gold = collection.gold
    assert gold is not None
    (subject,) = subjects(gold, [collection.score(detector)], collection.grouping)
    data: Any = subject.at(subject.scored.threshold)
    lists = [str(value) for value in gold.columns[collection.split]] if collection.split else ["all"] * len(gold)
    names = list(dict.fromkeys(lists))
    if isinstance(gold, GoldGroups):
        assert isinstance(data, GroupedArticles)
        sides = [_groups(gold.articles, lists, labels.tolist(), names) for labels in (data.gold, data.found)]
    else:
        assert isinstance(gold, GoldPairs) and isinstance(data, JudgedPairs)
        accepted = data.accepts()[: len(gold)]
        sides = [_components(gold, lists, flags.tolist(), names) for flags in (gold.labels, accepted)]
    return SetsByList(names, *sides)


def _groups(articles: Sequence[str], lists: Sequence[str], labels: Sequence[Any], names: Sequence[str]) -> list[IdSets]:
    members: dict[str, dict[Any, set[str]]] = {name: {} for name in names}
    for article, name, label in zip(articles, lists, labels, strict=True):
        members[name].setdefault(label, set()).add(article)
    return [[frozenset(group) for group in members[name].values() if len(group) > 1] for name in names]


def _components(gold: GoldPairs, lists: Sequence[str], accepted: Iterable[bool], names: Sequence[str]) -> list[IdSets]:
    """Return the connected components of pairs; the study's relation is not transitive, but its sets are built so."""
    joined: dict[str, dict[str, set[str]]] = {name: {} for name in names}
    for left, right, name, is_accepted in zip(gold.left, gold.right, lists, accepted, strict=True):
        if is_accepted:
            sets = joined[name]
            one, other = sets.get(left, {left}), sets.get(right, {right})
            union = one | other
            sets.update((article, union) for article in union)
    return [list({frozenset(members) for members in joined[name].values()}) for name in names]
