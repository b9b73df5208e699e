"""The input of an experiment: articles, gold, test sets, and options."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from samestory.detectors import DETECTORS, Detector, parse
from samestory.errors import InputError
from samestory.lab.evaluation import GoldGroups, GoldPairs, ScoredRun, score
from samestory.lab.experiments.templates import Template
from samestory.model import Article
from samestory.readers import Source, read

#: Detectors compared with the methods of a study by default.
DEFAULT_BASELINES = ("reuse()", "minhash()", "exact()")


def ignore_progress(step: str) -> None:
    """Ignore progress messages."""


@dataclass(frozen=True, eq=False, kw_only=True)
class ExperimentInput:
    """The input of an experiment. Without articles and gold, only published tables can be recomputed."""

    sources: Sequence[Source] = ()
    gold: GoldPairs | GoldGroups | None = None
    split: str | None = None
    """The field with the test set of every article."""
    templates: Sequence[Template] = ()
    """Page templates that articles are wrapped in where pages are needed; default: those of invented sites."""
    baselines: Sequence[str] = DEFAULT_BASELINES
    grouping: str | None = None
    """The grouping method; default: that of each detector."""
    rounds: int = 1000
    progress: Callable[[str], None] = ignore_progress
    """Called with a description of each step."""

    def detectors(self, methods: Mapping[str, str]) -> Iterator[tuple[str, Detector]]:
        """Yield the implemented methods of a study under the study's names, then the baselines."""
        methods_here = {label: parse(name) for label, name in methods.items() if name in DETECTORS}
        yield from methods_here.items()
        for spec in self.baselines:
            detector = parse(spec)
            if detector not in methods_here.values():
                yield str(detector), detector

    def score(self, detector: Detector, lowest: float | None = None) -> ScoredRun:
        """Run a detector over the articles."""
        self.progress(f"running {detector}")
        return score(detector, self.sources, lowest)

    def articles(self) -> list[Article]:
        """Read all articles into memory."""
        self.progress("reading articles")
        out: dict[str, Article] = {}
        for source in self.sources:
            for item in read(source):
                if not isinstance(item, Article):
                    raise InputError(str(item))
                if item.id in out:
                    raise InputError(f"the id {item.id!r} occurs twice", place=source.path)
                out[item.id] = item
        return list(out.values())
