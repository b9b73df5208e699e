"""The user's collection: articles, gold, test sets, and how results are to be made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from samestory.detectors import DETECTORS, Detector, parse
from samestory.errors import InputError, ParameterError
from samestory.experiments.experiment import Experiment
from samestory.experiments.furniture import Template
from samestory.lab import GoldGroups, GoldPairs, Scored, score
from samestory.model import Article
from samestory.readers import Source, read

#: What stands beside the methods of a study, unless the user names others.
BESIDE = ("reuse()", "minhash()", "exact()")


def silence(step: str) -> None:
    """Tells nobody."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Collection:
    """What an experiment is run on. Without articles and gold, only published tables can be computed again."""

    sources: Sequence[Source] = ()
    gold: GoldPairs | GoldGroups | None = None
    split: str | None = None
    """The field that names the test set of every article."""
    templates: Sequence[Template] = ()
    """Furniture that articles are put into where pages are wanted; without any, that of invented sites."""
    beside: Sequence[str] = BESIDE
    grouping: str | None = None
    """How pairs become groups; by the method of each detector, if none is named."""
    rounds: int = 1000
    tell: Callable[[str], None] = silence
    """Is told what is being done."""

    def detectors(self, methods: Mapping[str, str]) -> Iterator[tuple[str, Detector]]:
        """The methods of a study that there are, under the study's names; then those beside them."""
        there = {label: parse(name) for label, name in methods.items() if name in DETECTORS}
        yield from there.items()
        for spec in self.beside:
            detector = parse(spec)
            if detector not in there.values():
                yield str(detector), detector

    def score(self, detector: Detector, lowest: float | None = None) -> Scored:
        """What a detector says about the articles."""
        self.tell(f"running {detector}")
        return score(detector, self.sources, lowest)

    def articles(self) -> list[Article]:
        """The articles themselves, where an experiment must hold them."""
        self.tell("reading articles")
        out: dict[str, Article] = {}
        for source in self.sources:
            for item in read(source):
                if not isinstance(item, Article):
                    raise InputError(str(item))
                if item.id in out:
                    raise InputError(f"{source.path}: the id {item.id!r} was read before")
                out[item.id] = item
        return list(out.values())


def check(experiment: Experiment, collection: Collection) -> None:
    """Refuses a collection that the experiment cannot be run on, and says what is wanted."""
    given = {"--docs": bool(collection.sources), "--gold": collection.gold is not None}
    uses = {"--docs": experiment.docs, "--gold": experiment.gold}
    # gold is about articles: where both are of use, one without the other is of none
    both = "no" not in uses.values() and any(given.values())
    absent = [word for word, use in uses.items() if not given[word] and (use == "must" or both)]
    if absent:
        raise ParameterError(f"{experiment.name} needs {experiment.wants}; not given: {', '.join(absent)}")
    if collection.gold is not None and experiment.gold != "no":
        _check_gold(experiment, collection.gold)


def _check_gold(experiment: Experiment, gold: GoldPairs | GoldGroups) -> None:
    shape = "pairs" if isinstance(gold, GoldPairs) else "groups"
    if experiment.shape not in ("", shape):
        raise ParameterError(f"{experiment.name} needs {experiment.wants}; {gold.path} holds {shape}")
    if experiment.docs != "no" and isinstance(gold, GoldPairs) and not gold.labels.any():
        raise InputError(f"{gold.path}: no pair is judged {gold.meaning.name}: there is nothing to find")
    name = gold.meaning.name
    if not experiment.any_relation and name not in (experiment.relation, *experiment.also):
        raise ParameterError(
            f"{experiment.name} is about {experiment.relation}, {gold.path} about {name}: no figure stands for both",
            f"if it holds judgements of {experiment.relation}, say --relation {experiment.relation}",
        )
