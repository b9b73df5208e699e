"""U1: number of words around a named entity in a signature."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from samestory.detectors import Detector, parse
from samestory.detectors.tweezer import Tweezer
from samestory.lab.experiments.by_study import uyar
from samestory.lab.experiments.inputs import ExperimentInput
from samestory.lab.experiments.values import YOURS, PublishedValue, ReportRow
from samestory.text import prepare

IMATCH = "I-Match"
#: Method: duplicate clusters and articles among 10,000.
PRINTED_COUNTS = {
    IMATCH: (527, 1075),
    "1NE1": (595, 1234),
    "2NE2": (577, 1191),
    "3NE3": (556, 1141),
    "4NE4": (542, 1112),
    "5NE5": (528, 1083),
    "6NE6": (528, 1082),
    "7NE7": (528, 1082),
}
METHODS = {IMATCH: "imatch-idf", "pNEs": "tweezer"}
#: The number of words chosen by the study; beyond it the counts hardly change.
CHOSEN_WORDS = 5
#: Counts that fall by at most this share of the first are called flat; those of the study fall by 0.1 %.
FLAT_SHARE = 0.01
_SHAPE = "articles with more words around a name"


def run(collection: ExperimentInput) -> Iterator[ReportRow]:
    """Count duplicates for every window on the user's articles; a group is articles with equal signatures."""
    articles = collection.articles()
    features = prepare(articles)
    duplicates: dict[str, int] = {}
    for label, detector in _detectors():
        collection.progress(f"signing by {label}")
        signatures = Counter(row for row in detector.fit([features]).sign(features) if row)
        sizes = [size for size in signatures.values() if size > 1]
        duplicates[label] = sum(sizes)
        note = f"of {len(articles):,} articles; the study has 10,000"
        yield EXPERIMENT.value(f"{label}, clusters").with_measured(len(sizes), basis=YOURS)
        yield EXPERIMENT.value(f"{label}, articles").with_measured(sum(sizes), note, basis=YOURS)
    counts = [count for label, count in duplicates.items() if label != IMATCH]
    yield EXPERIMENT.value(_SHAPE).with_measured(
        shape(counts), f"flat: no more than {FLAT_SHARE:.0%} less", basis=YOURS
    )


def _detectors() -> Iterator[tuple[str, Detector]]:
    yield IMATCH, parse(METHODS[IMATCH])
    for words in range(1, len(PRINTED_COUNTS)):
        yield f"{words}NE{words}", Tweezer(p=words, s=words, rules="study")


def shape(counts: Sequence[int]) -> str:
    """Describe the trend of the counts for 1, 2, 3 … words on either side.

    >>> shape([articles for label, (_, articles) in PRINTED_COUNTS.items() if label != IMATCH])
    'fall, flat from 5'
    >>> shape([9, 8, 7, 6, 5, 4, 3]), shape([9, 8, 8, 9, 8, 8, 8]), shape([7, 7, 7, 7, 7, 7, 7])
    ('fall', 'rise from 3 to 4', 'flat')
    """
    for words, (less, more) in enumerate(pairwise(counts), 1):
        if more > less:
            return f"rise from {words} to {words + 1}"
    flat = counts[CHOSEN_WORDS - 1] - counts[-1] <= FLAT_SHARE * counts[CHOSEN_WORDS - 1]
    if counts[0] == counts[-1]:
        return "flat"
    return f"fall, flat from {CHOSEN_WORDS}" if flat else "fall"


EXPERIMENT = uyar(
    name="U1",
    title="words before and after a named entity, 1 to 7",
    place="Table 4.1",
    key="duplicates fall from 1,234 to 1,083 at 5NE5 and stay; I-Match 1,075",
    published=(
        *(
            PublishedValue(f"{method}, {what}", value, "count")
            for method, values in PRINTED_COUNTS.items()
            for what, value in zip(("clusters", "articles"), values, strict=True)
        ),
        PublishedValue(_SHAPE, f"fall, flat from {CHOSEN_WORDS}"),
    ),
    docs="must",
    methods=METHODS,
    components=("entities",),
    run=run,
)
