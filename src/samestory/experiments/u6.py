"""U6: a pair that only Tweezer finds, and one that only I-Match finds."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.detectors import parse
from samestory.experiments.collection import Collection
from samestory.experiments.documents import METHODS
from samestory.experiments.experiment import Experiment
from samestory.experiments.sample_pairs import PAIRS, articles
from samestory.experiments.values import OURS, YOURS, Published, Row
from samestory.jobs import relate
from samestory.model import Article

#: So many pairs of the user's articles are named, of those that one method alone finds.
NAMED = 3

Pair = tuple[str, str]


def run(collection: Collection) -> Iterator[Row]:
    """Who finds the pairs that come with the experiment; then what only one finds among the user's articles."""
    told = _found(articles())
    for what, (one, other) in PAIRS.items():
        finders = [method for method, pairs in told.items() if _pair(one.id, other.id) in pairs]
        yield EXPERIMENT.value(what).beside(_by(finders), "a pair of our own", basis=OURS)
    if collection.sources:
        yield from _yours(collection)


def _by(finders: list[str]) -> str:
    if len(finders) == 1:
        return f"found by {finders[0]} only"
    return "found by both" if finders else "found by neither"


def _found(those: list[Article]) -> dict[str, set[Pair]]:
    return {label: {_pair(r.left, r.right) for r in relate(those, parse(name))} for label, name in METHODS.items()}


def _pair(one: str, other: str) -> Pair:
    return (one, other) if one < other else (other, one)


def _yours(collection: Collection) -> Iterator[Row]:
    runs = {label: collection.score(parse(name)) for label, name in METHODS.items()}
    found = {
        label: {_pair(run.ids[a], run.ids[b]) for a, b in zip(run.left.tolist(), run.right.tolist(), strict=True)}
        for label, run in runs.items()
    }
    both = set.intersection(*found.values())
    yield Row("pairs found by both", None, len(both), basis=YOURS)
    for label, pairs in found.items():
        yield Row(f"pairs found by {label} only", None, len(pairs - both), basis=YOURS, note=_first(pairs - both))


def _first(pairs: set[Pair]) -> str:
    named = "; ".join(f"{one} and {other}" for one, other in sorted(pairs)[:NAMED])
    return f"first: {named}" if named else ""


EXPERIMENT = Experiment(
    name="U6",
    title="what only one of Tweezer and I-Match finds",
    study="uyar2009",
    relation="near",
    key="a new sentence without entities: Tweezer only; new numbers beside entities: I-Match only",
    published=(
        Published("a first sentence more, without entities", "found by Tweezer only"),
        Published("other numbers right after entities", "found by I-Match only"),
    ),
    docs="may",
    methods=METHODS,
    components=("entities",),
    run=run,
)
