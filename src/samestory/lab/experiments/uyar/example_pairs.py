"""U6: a pair that only Tweezer finds, and one that only I-Match finds."""

from __future__ import annotations

from collections.abc import Iterator

from samestory.detectors import parse
from samestory.jobs import relate
from samestory.lab.experiments.by_study import uyar
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.uyar.sample_pairs import PAIRS, articles
from samestory.lab.experiments.uyar.test_sets import METHODS
from samestory.lab.experiments.values import OURS, YOURS, PublishedValue, ReportRow
from samestory.model import Article

#: Number of example pairs listed of those that only one method finds.
MAX_EXAMPLES = 3

IdPair = tuple[str, str]


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Find the built-in pairs with each method; then count what only one finds among the user's articles."""
    found = _pairs_found(articles())
    for what, (one, other) in PAIRS.items():
        finders = [method for method, pairs in found.items() if _pair(one.id, other.id) in pairs]
        yield EXPERIMENT.value(what).with_measured(_by(finders), "a pair of our own", basis=OURS)
    if collection.sources:
        yield from _user_rows(collection)


def _by(finders: list[str]) -> str:
    if len(finders) == 1:
        return f"found by {finders[0]} only"
    return "found by both" if finders else "found by neither"


def _pairs_found(those: list[Article]) -> dict[str, set[IdPair]]:
    return {
        label: {_pair(r.left, r.right) for r in relate(those, detector=parse(name))} for label, name in METHODS.items()
    }


def _pair(one: str, other: str) -> IdPair:
    return (one, other) if one < other else (other, one)


def _user_rows(collection: ExperimentInput) -> Iterator[ReportRow]:
    runs = {label: collection.score(parse(name)) for label, name in METHODS.items()}
    found = {
        label: {_pair(run.ids[a], run.ids[b]) for a, b in zip(run.left.tolist(), run.right.tolist(), strict=True)}
        for label, run in runs.items()
    }
    both = set.intersection(*found.values())
    yield ReportRow("pairs found by both", None, len(both), basis=YOURS)
    for label, pairs in found.items():
        yield ReportRow(
            f"pairs found by {label} only", None, len(pairs - both), basis=YOURS, note=_examples(pairs - both)
        )


def _examples(pairs: set[IdPair]) -> str:
    listed = "; ".join(f"{one} and {other}" for one, other in sorted(pairs)[:MAX_EXAMPLES])
    return f"first: {listed}" if listed else ""


EXPERIMENT = uyar(
    name="U6",
    title="what only one of Tweezer and I-Match finds",
    key="a new sentence without entities: Tweezer only; new numbers beside entities: I-Match only",
    published=(
        PublishedValue("a first sentence more, without entities", "found by Tweezer only"),
        PublishedValue("other numbers right after entities", "found by I-Match only"),
    ),
    methods=METHODS,
    components=("entities",),
    run=run,
)
